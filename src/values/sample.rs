//! Which examples entries are learned from: the shortest, some others, and for each word some that have it.

use super::fit::Random;
use super::settle::{COUNTED, spread};
use super::weigh::Example;
use crate::settings::FEW;
use crate::symbol::Word;
use std::collections::{BTreeMap, BTreeSet};

/// Inputs this short are learned from.
pub const LONGEST: usize = 18;
/// So many of the shortest, and so many others.
pub(super) const SHORTEST: usize = 300;
pub(super) const OTHERS: usize = 300;
/// From how many of the examples entries are learned, and in how many it is counted what fills what.
pub fn used(all: &[Example]) -> (usize, usize) {
    (chosen(all, SHORTEST, OTHERS).len(), spread(all, COUNTED).len())
}

/// The shortest examples and some others, each input once, the shortest first.
pub(super) fn chosen(examples: &[Example], shortest: usize, others: usize) -> Vec<Example> {
    let mut seen = BTreeSet::new();
    let mut distinct: Vec<&Example> =
        examples.iter().filter(|example| !example.input.is_empty() && seen.insert(&example.input)).collect();
    distinct.sort_by_key(|example| example.input.len());
    let short =
        distinct.partition_point(|example| example.input.len() <= LONGEST).max(distinct.len().min(50));
    let mut rest = distinct[..short].to_vec();
    let mut chosen: Vec<&Example> = rest.drain(..short.min(shortest)).collect();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for last in (1..rest.len()).rev() {
        rest.swap(last, random.below(last + 1));
    }
    let left_out = rest.split_off(rest.len().min(others));
    let witnesses = witnesses(chosen.iter().chain(&rest).copied(), left_out);
    chosen.extend(witnesses);
    chosen.append(&mut rest);
    chosen.into_iter().cloned().collect()
}

/// Short ones of other examples for words that are in few of those chosen.
fn witnesses<'a>(
    chosen: impl Iterator<Item = &'a Example>,
    mut others: Vec<&'a Example>,
) -> Vec<&'a Example> {
    let mut counts: BTreeMap<Word, usize> = BTreeMap::new();
    let words = |example: &Example| example.input.words.iter().copied().collect::<BTreeSet<Word>>();
    for word in chosen.flat_map(words) {
        *counts.entry(word).or_default() += 1;
    }
    others.sort_by_key(|example| example.input.len());
    others.retain(|other| {
        let words = words(other);
        let is_one = words.iter().any(|word| counts.get(word).is_none_or(|&count| count < FEW));
        if is_one {
            words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
        }
        is_one
    });
    others
}
