//! What symbols mean to a model, so that those that mean the same become one and mistakes are forgotten.

use crate::model::{Known, Model};
use crate::number::expression::Fuel;
use crate::reading::Reading;
use crate::symbol::{Symbol, Word};
use crate::theory::EntryId;
use crate::theory::entry::{In, Out};
use crate::values::program::Program;
use crate::values::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A construction with a smaller share of each of its words' uses is a mistake.
const NEEDED: f64 = 0.05;
/// Symbols that have more than this share of their uses in common mean the same.
const MOST: f64 = 0.5;
/// Programs that come to the same on all numbers below this are the same.
const TRIED: i64 = 8;
/// More arguments are not varied one by one.
const VARIED: usize = 3;

/// What a construction says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Says {
    /// Tokens and what its slots say.
    Pieces(Box<[Out]>),
    /// What it computes from small numbers, and from truth values.
    Values(Vec<Option<Value>>),
}

/// What a symbol means: the constructions it stands in, what they say, and the share of its uses that each has.
#[derive(Clone, Debug, Default)]
pub(super) struct Meaning(BTreeMap<(Vec<In>, Says), f64>);

/// A word that stands for the symbol itself.
const ITSELF: In = In::Word(Word(u32::MAX));

impl Meaning {
    /// What a symbol of the model means.
    pub(super) fn of(model: &Model, symbol: Symbol) -> Meaning {
        let word = Word(symbol.0);
        let known = &model.known;
        let of_word = || (0..known.len()).filter(|&id| known.words(id).contains(&word));
        let all: f64 = of_word().map(|id| known.uses(id)).sum();
        let itself = |piece: &In| if *piece == In::Word(word) { ITSELF } else { *piece };
        let mut meaning = Meaning::default();
        for id in of_word().filter(|&id| known.uses(id) > 0.0) {
            let (pattern, says) = entry(known, id);
            let pattern = pattern.iter().map(itself).collect();
            *meaning.0.entry((pattern, says)).or_default() += known.uses(id) / all;
        }
        meaning
    }

    /// Whether two symbols mean the same in most of their uses, or nothing; the rest may be mistakes.
    pub(super) fn is_like(&self, other: &Meaning) -> bool {
        let shared = self.0.iter().filter_map(|(says, share)| Some(share.min(*other.0.get(says)?)));
        (self.0.is_empty() && other.0.is_empty()) || shared.sum::<f64>() > MOST
    }

    /// Whether all that a symbol means is what one or another symbol means, but none of them means all of it: then its pictures show
    /// now this one, now that one.
    pub(super) fn is_mixture<'m>(&self, others: impl Iterator<Item = &'m Meaning> + Clone) -> bool {
        let needed = || self.0.iter().filter(|(_, share)| **share >= NEEDED).map(|(says, _)| says);
        let means = |other: &Meaning, says| other.0.get(says).is_some_and(|share| *share >= NEEDED);
        needed().count() > 1
            && needed().all(|says| others.clone().any(|other| means(other, says)))
            && !others.clone().any(|other| needed().all(|says| means(other, says)))
    }
}

/// Takes from the model the constructions that were hardly ever used in right readings. Misread rows brought them about, and
/// they make sense of readings that have none.
pub(super) fn prune<'r>(model: &mut Model, readings: impl Iterator<Item = &'r Reading>) {
    let known = &model.known;
    let mut uses = vec![0.0; known.len()];
    let mut rows = 0.0;
    for answer in readings.filter_map(|reading| reading.answer.as_ref()) {
        rows += 1.0;
        answer.nodes().iter().for_each(|node| uses[node.entry as usize] += 1.0);
    }
    let mut by_word: BTreeMap<Word, f64> = BTreeMap::new();
    for (id, uses) in uses.iter().enumerate() {
        known.words(id).into_iter().for_each(|word| *by_word.entry(word).or_default() += uses);
    }
    let is_mistake = |&id: &usize| {
        // One that many uses of any of its words need is none; what has no words is needed by many rows.
        let words = known.words(id);
        let rarest = words.iter().map(|word| by_word[word]).min_by(f64::total_cmp);
        uses[id] < NEEDED * rarest.unwrap_or(rows)
    };
    let mistakes: BTreeSet<usize> = (0..uses.len()).filter(is_mistake).collect();
    if mistakes.is_empty() {
        return;
    }
    model.known = match &model.known {
        Known::Says(known) => Known::Says(Box::new(known.without(&mistakes))),
        Known::Computes(known) => Known::Computes(Box::new(known.without(&mistakes))),
    };
}

/// The pattern of a construction, and what it says.
fn entry(known: &Known, id: usize) -> (&[In], Says) {
    match known {
        Known::Computes(known) => {
            let entry = &known.entries()[id].entry;
            (&entry.pattern.pieces, Says::Values(behaviour(&entry.program, entry.pattern.slots())))
        }
        Known::Says(known) => {
            let entry = known.theory.entry(id as EntryId);
            (&entry.pattern, Says::Pieces(entry.says.clone()))
        }
    }
}

/// What a program with so many slots computes from small numbers, and from truth values.
fn behaviour(program: &Program, slots: usize) -> Vec<Option<Value>> {
    let numbers = all_rows(slots, &(0..TRIED).map(Value::from).collect::<Vec<_>>());
    let truths = all_rows(slots, &[Value::Truth(false), Value::Truth(true)]);
    let compute = |row: Vec<Value>| program.apply(&row, &mut Fuel::for_learning());
    numbers.into_iter().chain(truths).map(compute).collect()
}

/// All rows of so many of these values, the last of them repeated beyond the first few.
fn all_rows(slots: usize, values: &[Value]) -> Vec<Vec<Value>> {
    let mut rows = vec![Vec::new()];
    for _ in 0..slots.min(VARIED) {
        let longer = |row: &Vec<Value>| {
            values.iter().map(|value| [&row[..], std::slice::from_ref(value)].concat()).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    for row in &mut rows {
        if let Some(last) = row.last().cloned() {
            row.resize(slots, last);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_now_this_and_now_that_is_a_mixture() {
        let says = |word: u32, number: i64| {
            ((vec![In::Word(Word(word)), ITSELF]), Says::Values(vec![Some(Value::from(number))]))
        };
        let meaning = |said: &[((Vec<In>, Says), f64)]| Meaning(said.iter().cloned().collect());
        let [one, other] = [says(1, 1), says(2, 2)].map(|says| meaning(&[(says, 1.0)]));
        let both = meaning(&[(says(1, 1), 0.6), (says(2, 2), 0.38), (says(3, 3), 0.02)]);
        assert!(both.is_mixture([&one, &other].into_iter()));
        assert!(!both.is_mixture([&one].into_iter()) && !both.is_mixture([&one, &other, &both].into_iter()));
        assert!(!one.is_mixture([&both, &other].into_iter()));
        assert!(one.is_like(&both) && !other.is_like(&both));
    }

    #[test]
    fn rows_are_varied_in_their_first_slots() {
        let values = [Value::from(0), Value::from(1)];
        assert_eq!(all_rows(0, &values), [Vec::new()]);
        assert_eq!(all_rows(2, &values).len(), 4);
        assert!(all_rows(5, &values).iter().all(|row| row.len() == 5 && row[3] == row[2]));
    }
}
