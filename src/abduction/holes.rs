//! Where a sentence cannot be explained: the places at which one word, had it the right meaning, would mend it.
//!
//! The wanted result is pushed down from the root through the senses that can be inverted. At every place it
//! reaches, each word that could head the span there is a hole: had it a program that gives the wanted value
//! for these children, the example would be explained.

use crate::abduction::chart::{Args, Chart, MAX_ARITY, ValueId};
use crate::semantics::eval::Scope;
use crate::semantics::invert::invert;
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// A word, the values of its children and the value it should have given.
#[derive(Clone, Debug, PartialEq)]
pub struct Hole {
    /// The word.
    pub word: u32,
    /// The values of its children.
    pub args: Vec<Value>,
    /// The value wanted.
    pub want: Value,
    /// The probability of everything around the hole.
    pub weight: f64,
}

/// Bounds of the search for holes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// At most so many (span, wanted value) goals are opened.
    pub goals: usize,
    /// At most so many holes are kept, the most probable first.
    pub holes: usize,
    /// At most so many argument lists per span are combined.
    pub lists: usize,
    /// At most so many values are tried in place of one child of a head.
    pub work: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { goals: 40, holes: 60, lists: 6, work: 20_000 }
    }
}

#[derive(PartialEq)]
struct Goal {
    weight: f64,
    start: usize,
    end: usize,
    want: ValueId,
}

impl Eq for Goal {}

impl Ord for Goal {
    fn cmp(&self, other: &Goal) -> std::cmp::Ordering {
        let place = |goal: &Goal| (goal.start, goal.end, goal.want);
        self.weight.total_cmp(&other.weight).then_with(|| place(other).cmp(&place(self)))
    }
}

impl PartialOrd for Goal {
    fn partial_cmp(&self, other: &Goal) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The holes of an example, the most probable first.
pub fn holes(
    chart: &mut Chart<'_>,
    lexicon: &Lexicon,
    words: &[u32],
    target: &Value,
    limits: Limits,
) -> Vec<Hole> {
    if chart.is_empty() {
        return Vec::new();
    }
    let want = chart.intern(target.clone());
    let mut search = Search {
        chart,
        lexicon,
        words,
        limits,
        work: 0,
        open: BinaryHeap::new(),
        seen: FxHashMap::default(),
        found: Vec::new(),
        inverted: FxHashMap::default(),
        rows: FxHashMap::default(),
        places: FxHashMap::default(),
    };
    search.push(1.0, 0, words.len(), want);
    for _ in 0..limits.goals {
        let Some(goal) = search.open.pop() else { break };
        search.collect(&goal);
        search.descend(&goal);
    }
    let mut found = search.found;
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.truncate(limits.holes);
    found
        .into_iter()
        .map(|((word, args, want), weight)| Hole {
            word,
            args: args.ids().iter().map(|&id| chart.value(id).clone()).collect(),
            want: chart.value(want).clone(),
            weight,
        })
        .collect()
}

/// Argument lists with their probabilities.
type Lists = Rc<[(Args, f64)]>;

struct Search<'a, 'b, 'c> {
    chart: &'a mut Chart<'b>,
    lexicon: &'c Lexicon,
    words: &'c [u32],
    limits: Limits,
    work: usize,
    open: BinaryHeap<Goal>,
    seen: FxHashMap<(usize, usize, ValueId), ()>,
    places: FxHashMap<(u32, Args, ValueId), usize>,
    found: Vec<((u32, Args, ValueId), f64)>,
    inverted: FxHashMap<Missing, Vec<ValueId>>,
    rows: FxHashMap<(usize, usize), Lists>,
}

impl Search<'_, '_, '_> {
    fn push(&mut self, weight: f64, start: usize, end: usize, want: ValueId) {
        if self.seen.insert((start, end, want), ()).is_none() {
            self.open.push(Goal { weight, start, end, want });
        }
    }

    /// The most probable argument lists of a span.
    fn rows(&mut self, start: usize, end: usize) -> Lists {
        let (chart, most) = (&self.chart, self.limits.lists);
        let rows = self.rows.entry((start, end)).or_insert_with(|| {
            let mut rows: Vec<(Args, f64)> = chart.row(start, end).collect();
            rows.sort_by(|a, b| b.1.total_cmp(&a.1));
            rows.truncate(most);
            rows.into()
        });
        rows.clone()
    }

    /// Every word that could head the goal's span is a hole.
    fn collect(&mut self, goal: &Goal) {
        for head in goal.start..goal.end {
            let rights = self.rows(head + 1, goal.end);
            for (left, p) in &*self.rows(goal.start, head) {
                for (right, q) in &*rights {
                    let Some(args) = left.joined(right.ids()) else { continue };
                    let key = (self.words[head], args, goal.want);
                    let place = *self.places.entry(key).or_insert_with(|| {
                        self.found.push((key, 0.0));
                        self.found.len() - 1
                    });
                    self.found[place].1 += goal.weight * p * q;
                }
            }
        }
    }

    /// Pushes the wanted value down to one child of each possible head.
    fn descend(&mut self, goal: &Goal) {
        for head in goal.start..goal.end {
            if self.work >= self.limits.work {
                return;
            }
            let lexicon = self.lexicon;
            let takes_children = |sense: &Sense| {
                sense.probability >= LIKELY && lexicon.arity(sense).is_some_and(|arity| arity > 0)
            };
            if !lexicon.senses[self.words[head] as usize].iter().any(takes_children) {
                continue;
            }
            for (a, b) in gaps(goal.start, head).chain(gaps(head + 1, goal.end)) {
                let before = if b <= head { (goal.start, a) } else { (head + 1, a) };
                let after = if b <= head { (b, head) } else { (b, goal.end) };
                let other = if b <= head { (head + 1, goal.end) } else { (goal.start, head) };
                self.descend_into(goal, head, (a, b), [before, after, other]);
            }
        }
    }

    fn descend_into(&mut self, goal: &Goal, head: usize, gap: (usize, usize), around: [(usize, usize); 3]) {
        let [before, after, other] = around.map(|(start, end)| self.rows(start, end));
        for (first, p) in &*before {
            for (second, q) in &*after {
                for (third, r) in &*other {
                    let weight = goal.weight * p * q * r;
                    // Children stand in the order of their places.
                    let (early, late) = if gap.1 <= head {
                        (Some(*first), second.joined(third.ids()))
                    } else {
                        (third.joined(first.ids()), Some(*second))
                    };
                    if let (Some(early), Some(late)) = (early, late) {
                        self.solve(goal, head, gap, (early, late), weight);
                    }
                }
            }
        }
    }

    fn solve(
        &mut self,
        goal: &Goal,
        head: usize,
        gap: (usize, usize),
        (early, late): (Args, Args),
        weight: f64,
    ) {
        let place = early.ids().len();
        let arity = place + 1 + late.ids().len();
        if arity > MAX_ARITY || self.work >= self.limits.work {
            return;
        }
        self.work += 1;
        let word = self.words[head];
        let lexicon = self.lexicon;
        for (number, sense) in lexicon.senses[word as usize].iter().enumerate() {
            if lexicon.arity(sense).map(usize::from) != Some(arity) || sense.probability < LIKELY {
                continue;
            }
            let missing = Missing { word, sense: number as u16, early, late, want: goal.want };
            for value in self.invert(missing) {
                self.push(weight * sense.probability, gap.0, gap.1, value);
            }
        }
    }

    /// The values of the missing child, worked out once.
    fn invert(&mut self, missing: Missing) -> Vec<ValueId> {
        if let Some(known) = self.inverted.get(&missing) {
            return known.clone();
        }
        let Missing { word, sense, early, late, want } = missing;
        let want = self.chart.value(want).clone();
        let values =
            |args: Args| args.ids().iter().map(|&id| self.chart.value(id).clone()).collect::<Vec<_>>();
        let args = [values(early), vec![want.clone()], values(late)].concat();
        let sense = &self.lexicon.senses[word as usize][sense as usize];
        let program = sense.program.map(|program| &self.lexicon.programs[program as usize]);
        let scope = Scope { args: &args, me: sense.me.as_ref(), library: &self.lexicon.library };
        let place = early.ids().len();
        let inverse = program.map(|program| invert(program, scope, place, &want)).unwrap_or_default();
        self.work += inverse.tried;
        let values: Vec<ValueId> = inverse.inputs.into_iter().map(|value| self.chart.intern(value)).collect();
        self.inverted.insert(missing, values.clone());
        values
    }
}

/// A child of unknown value: the head's word and sense, the children before and after, and the head's value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Missing {
    word: u32,
    sense: u16,
    early: Args,
    late: Args,
    want: ValueId,
}

/// Wanted values are pushed down through senses at least so probable.
const LIKELY: f64 = 0.02;

fn gaps(start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
    (start..end).flat_map(move |a| (a + 1..=end).map(move |b| (a, b)))
}
