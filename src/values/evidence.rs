//! What is wanted of the parts of an example that are not understood.
//!
//! The wanted result of an input is carried down through entries of which all slots but one are understood, to what that slot would have
//! to be ([`goals`]). Every way to see the span of such a goal as words and understood parts ([`views`]) is evidence of what a pattern computes.

use super::chart::Chart;
use super::entry::{Entry, Lexicon, Pattern};
use super::open::RUN;
use super::program::Program;
use super::value::Value;
use super::want::Want;
use crate::number::expression::Fuel;
use crate::number::integer::Integer;
use crate::settings::{MOST_WORDS, TRIED};
use crate::symbol::Word;
use crate::theory::entry::In;
use rustc_hash::FxHashMap;

/// A span and what is wanted of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Where the span begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What is wanted.
    pub want: Want,
}

/// What parts of an input come to, as far as it is known: what the chart has, or what the same words come to as an input of their own.
pub struct Parts<'a> {
    /// What is believed of the input.
    pub chart: &'a Chart,
    /// The words of the input.
    pub words: &'a [Word],
    /// Inputs with their results.
    pub wholes: &'a Wholes,
    /// Whether what stands side by side may be a row without a word.
    pub has_bare_rows: bool,
}

/// Inputs with their results.
pub type Wholes = FxHashMap<Vec<Word>, Value>;

impl Parts<'_> {
    fn value(&self, from: usize, to: usize) -> Option<&Value> {
        let believed = self.chart.at(from, to).first().map(|item| &item.value);
        believed.or_else(|| self.wholes.get(&self.words[from..to]))
    }
}

/// Steps of matching one entry with one gap at most.
const STEPS: usize = 300;

/// What parts of an input would have to be for the whole to be `value`.
pub fn goals(lexicon: &Lexicon, parts: &Parts<'_>, value: &Value) -> Vec<Goal> {
    let mut goals = vec![Goal { from: 0, to: parts.words.len(), want: Want::Value(value.clone()) }];
    let mut next = 0;
    while next < goals.len() && goals.len() < TRIED {
        let goal = goals[next].clone();
        next += 1;
        for id in lexicon.live() {
            let entry = lexicon.entry(id);
            if entry.pattern.row {
                let found = row_goals(entry, parts, &goal);
                goals.extend(found.into_iter().take(TRIED.saturating_sub(goals.len())));
                continue;
            }
            for gap in 0..entry.pattern.slots() {
                let matcher = Matcher { pieces: &entry.pattern.pieces, parts, to: goal.to, gap };
                for (mut arguments, (from, to)) in matcher.run(goal.from) {
                    if to - from == goal.to - goal.from {
                        continue;
                    }
                    for want in wants(&entry.program, &mut arguments, gap, &goal.want) {
                        let found = Goal { from, to, want };
                        let is_there =
                            parts.chart.at(from, to).iter().any(|item| found.want.accepts(&item.value));
                        if !is_there && goals.len() < TRIED && !goals.contains(&found) {
                            goals.push(found);
                        }
                    }
                }
            }
        }
    }
    goals
}

/// What the one part of a row that is not understood would have to be.
fn row_goals(entry: &Entry, parts: &Parts<'_>, goal: &Goal) -> Vec<Goal> {
    let Some((before, after)) = entry.pattern.around_row().filter(|_| entry.pattern.separator.is_none())
    else {
        return Vec::new();
    };
    let (from, to) = (goal.from + before.len(), goal.to.saturating_sub(after.len()));
    let is_word = |(piece, word): (&In, &Word)| *piece == In::Word(*word);
    let is_there = from < to
        && before.iter().zip(&parts.words[goal.from..]).all(is_word)
        && after.iter().zip(&parts.words[to..]).all(is_word);
    if !is_there {
        return Vec::new();
    }
    // One word is not understood, each other one stands for itself.
    let mut arguments = Vec::new();
    let mut gap = None;
    for at in from..to {
        match parts.value(at, at + 1) {
            Some(value) => arguments.push(value.clone()),
            None if gap.is_none() => {
                gap = Some(at);
                arguments.push(Value::from(0));
            }
            None => return Vec::new(),
        }
    }
    let Some(gap) = gap.filter(|_| to > from + 1) else { return Vec::new() };
    let wants = wants(&entry.program, &mut arguments, gap - from, &goal.want);
    wants.into_iter().map(|want| Goal { from: gap, to: gap + 1, want }).collect()
}

/// Matches a pattern with one slot left open.
struct Matcher<'a> {
    pieces: &'a [In],
    parts: &'a Parts<'a>,
    to: usize,
    gap: usize,
}

/// A pattern matched so far.
struct Partial {
    at: usize,
    pieces: usize,
    arguments: Vec<Value>,
    gap: (usize, usize),
}

impl Matcher<'_> {
    /// Values of the slots, something in the place of the open one, and its span.
    fn run(&self, from: usize) -> Vec<(Vec<Value>, (usize, usize))> {
        let mut found = Vec::new();
        let mut partials = vec![Partial { at: from, pieces: 0, arguments: Vec::new(), gap: (0, 0) }];
        for _ in 0..STEPS {
            let Some(partial) = partials.pop() else { break };
            match self.pieces.get(partial.pieces) {
                None if partial.at == self.to => found.push((partial.arguments, partial.gap)),
                Some(&In::Word(word)) if partial.at < self.to && self.parts.words[partial.at] == word => {
                    partials.push(Partial { at: partial.at + 1, pieces: partial.pieces + 1, ..partial });
                }
                Some(In::Slot(_)) => self.fill(&partial, &mut partials),
                None | Some(In::Word(_)) => {}
            }
        }
        found
    }

    fn fill(&self, partial: &Partial, partials: &mut Vec<Partial>) {
        for end in partial.at + 1..=self.to {
            let is_gap = partial.arguments.len() == self.gap;
            let (value, gap) = if is_gap {
                (Value::from(0), (partial.at, end))
            } else if let Some(value) = self.parts.value(partial.at, end) {
                (value.clone(), partial.gap)
            } else {
                continue;
            };
            let arguments = partial.arguments.iter().cloned().chain([value]).collect();
            partials.push(Partial { at: end, pieces: partial.pieces + 1, arguments, gap });
        }
    }
}

/// What is wanted of one argument, if that is wanted of the program: values, or one of many.
fn wants(program: &Program, arguments: &mut [Value], gap: usize, want: &Want) -> Vec<Want> {
    let values = want.value().map_or_else(Vec::new, |wanted| inverses(program, arguments, gap, wanted));
    match values.is_empty() {
        true => Want::within(program, arguments, gap, want).into_iter().collect(),
        false => values.into_iter().map(Want::Value).collect(),
    }
}

/// Values of one argument for which the program computes what is wanted.
fn inverses(program: &Program, arguments: &mut [Value], gap: usize, wanted: &Value) -> Vec<Value> {
    let mut with = |value: Value| {
        arguments[gap] = value;
        program.apply(arguments, &mut Fuel::for_learning())
    };
    let candidates = match wanted {
        Value::Truth(_) => vec![Value::Truth(false), Value::Truth(true)],
        Value::Number(number) => {
            let mut number_of = |x: i64| with(Value::from(x)).and_then(|value| value.small());
            number.small().map_or_else(Vec::new, |number| solutions(&mut number_of, number))
        }
        Value::List(_) | Value::Row(_) => Vec::new(),
    };
    let mut found: Vec<Value> = Vec::new();
    for value in candidates {
        if !found.contains(&value) && with(value.clone()).as_ref() == Some(wanted) {
            found.push(value);
        }
    }
    found
}

/// Where a straight line through what a function computes would meet `wanted`: near zero, and far away.
fn solutions(function: &mut dyn FnMut(i64) -> Option<i64>, wanted: i64) -> Vec<Value> {
    let mut meet = |at: i64| {
        let (here, next) = (function(at)?, function(at + 1)?);
        let slope = next.checked_sub(here).filter(|&slope| slope != 0)?;
        let way = wanted.checked_sub(here)?;
        (way % slope == 0).then(|| at.checked_add(way / slope)).flatten()
    };
    let found = [meet(0), Some(wanted), meet(1000)];
    found.into_iter().flatten().map(|number| Value::Number(Integer::from(number))).collect()
}

/// Ways to see a span at most, and steps to find them.
const VIEWS: usize = 150;
const VIEW_STEPS: usize = 1500;
/// Words that have a meaning together, without slots, at most: more of them are an example kept whole, which says nothing about others.
const WHOLE: usize = 4;
/// Slots of a pattern at most.
const SLOTS: usize = 4;

/// A span seen so far.
#[derive(Clone)]
struct View {
    at: usize,
    pieces: Vec<In>,
    arguments: Vec<Value>,
    /// How many different words.
    words: usize,
}

/// The ways to see a span as words and understood parts: patterns with the values of their slots.
pub fn views(parts: &Parts<'_>, from: usize, to: usize) -> Vec<(Pattern, Vec<Value>)> {
    let mut found = Vec::new();
    let mut views = vec![View { at: from, pieces: Vec::new(), arguments: Vec::new(), words: 0 }];
    for _ in 0..VIEW_STEPS {
        let Some(view) = views.pop() else { break };
        if found.len() > VIEWS {
            break;
        }
        if view.at == to {
            finish(view, parts.has_bare_rows, &mut found);
            continue;
        }
        let word = In::Word(parts.words[view.at]);
        let words = view.words + usize::from(!view.pieces.contains(&word));
        if words <= MOST_WORDS && parts.words[view.at] != RUN {
            let mut longer = view.clone();
            longer.pieces.push(word);
            views.push(View { at: view.at + 1, words, ..longer });
        }
        for end in view.at + 1..=to {
            let is_all = end - view.at == to - from;
            if view.arguments.len() < MOST_WORDS
                && !is_all
                && let Some(value) = parts.value(view.at, end)
            {
                let mut longer = view.clone();
                longer.pieces.push(In::Slot(view.arguments.len() as u8));
                longer.arguments.push(value.clone());
                views.push(View { at: end, ..longer });
            }
        }
    }
    found
}

fn finish(view: View, has_bare_rows: bool, found: &mut Vec<(Pattern, Vec<Value>)>) {
    let View { pieces, arguments, .. } = view;
    let slots = arguments.len();
    let words = pieces.len() - slots;
    let most = if slots == 0 { WHOLE } else { MOST_WORDS };
    if slots <= SLOTS && words <= most && (words > 0 || slots == 2) {
        found.push((Pattern::of_slots(pieces.clone().into()), arguments.clone()));
    }
    for own in 0..2 {
        let row = row(&pieces, slots, own);
        if let Some(pattern) = row.filter(|row| has_bare_rows || row.words().next().is_some()) {
            found.push((pattern, arguments.clone()));
        }
    }
}

/// Slots that stand side by side, or with the same word between them, as a row; behind so many slots of their own.
pub(super) fn row(pieces: &[In], slots: usize, own: usize) -> Option<Pattern> {
    let is_slot = |piece: &In| matches!(piece, In::Slot(_));
    let first = (0..pieces.len()).filter(|&place| is_slot(&pieces[place])).nth(own)?;
    let slots = slots - own;
    let last = pieces.iter().rposition(is_slot)?;
    let (before, between, after) = (&pieces[..first], &pieces[first..=last], &pieces[last + 1..]);
    let separator = match between {
        [_, In::Word(word), ..] => Some(*word),
        _ => None,
    };
    let is_row = match separator {
        None => between.len() == slots,
        Some(word) => {
            between.iter().skip(1).step_by(2).all(|piece| *piece == In::Word(word))
                && between.len() + 1 == 2 * slots
        }
    };
    let words = before.len() + after.len() - own;
    // What stands side by side with the row belongs to it.
    let is_row = is_row && (own == 0 || !before.last().is_some_and(is_slot));
    let pieces = before.iter().chain([&In::Slot(own as u8)]).chain(after).copied().collect();
    let is_one = words > 0 || slots > 1;
    (is_row && is_one && words <= MOST_WORDS).then_some(Pattern { pieces, row: true, separator })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pieces: &[In], wanted: Option<(usize, Option<Word>)>) {
        let slots = pieces.iter().filter(|piece| matches!(piece, In::Slot(_))).count();
        let found = row(pieces, slots, 0).map(|pattern| (pattern.pieces.len(), pattern.separator));
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_slot_may_stand_before_a_row_if_a_word_is_between_them() {
        let (many, among) = (In::Word(Word(0)), In::Word(Word(1)));
        let slot = In::Slot;
        let parted = row(&[many, slot(0), among, slot(1), slot(2)], 3, 1).unwrap();
        assert_eq!(*parted.pieces, [many, slot(0), among, slot(1)]);
        assert!(parted.row && parted.fillers(0, 5) == 1 && parted.fillers(1, 5) == 5);
        assert_eq!(row(&[many, slot(0), slot(1), slot(2)], 3, 1), None);
    }

    #[test]
    fn slots_side_by_side_or_with_one_word_between_them_are_a_row() {
        let (largest, comma, and) = (In::Word(Word(0)), In::Word(Word(1)), In::Word(Word(2)));
        let slot = In::Slot;
        check(&[largest, slot(0), slot(1), slot(2)], Some((2, None)));
        check(&[largest, slot(0), comma, slot(1), comma, slot(2)], Some((2, Some(Word(1)))));
        check(&[largest, slot(0), comma, slot(1), and, slot(2)], None);
        check(&[largest, slot(0), comma, slot(1), slot(2)], None);
        check(&[slot(0), slot(1)], Some((1, None)));
        check(&[slot(0)], None);
    }
}
