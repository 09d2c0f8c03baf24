//! Settling what fills what, over more examples than were learned from.

use super::preference::Kind;
use super::weigh::{Believed, Example};
use crate::parts::{self, Part};
use crate::settings::{LEAST_BITS, LONG, LOOKED_AT};
use crate::stop::Stop;
use crate::theory::tree::Place;
use rayon::prelude::*;

/// So many examples show what fills what in the end.
pub(super) const COUNTED: usize = 3000;

/// Examples by which a filler of a slot is tried without: so many that cost more than this, in bits, and so many others.
const TRIED: usize = 300;
/// Fillers that are tried without, the most frequent first.
const FILLERS: usize = 40;
/// What has to be saved, in bits: less is chance.
const SAVED: f64 = 2.0;

/// Counts what fills what over more examples than were learned from. Where several trees of an example have the right value (sums may be grouped
/// in any way), counting settles on some habit, not always on one that serves all examples, or on several at once: so each slot is tried without each
/// of its fillers.
pub(super) fn settle(believed: &mut Believed, all: &[Example], stop: Stop<'_>) -> Vec<usize> {
    let counted = spread(all, if stop() { LOOKED_AT } else { COUNTED });
    let uses = believed.recount(&counted);
    if !parts::has(Part::Settle) || stop() {
        return uses;
    }
    let tried = telling(believed, all, &counted);
    let mut settled = believed.clone();
    settled.recount(&tried);
    let mut best = with_habits(&settled, &tried);
    let mut fillings: Vec<((Place, Kind), f64)> =
        settled.counts.fillings.iter().map(|(filling, count)| (*filling, *count)).collect();
    fillings.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (filling, _) in fillings.into_iter().filter(|(filling, _)| filling.1.is_some()).take(FILLERS) {
        if stop() {
            break;
        }
        let mut without = settled.clone();
        without.counts.forget(&filling);
        without.counts.orders.clear();
        without.recount(&tried);
        let habits = without.counts.bits();
        if let Some(total) = without.total_below(best - SAVED - habits, &tried) {
            best = total.bits + habits;
            stop.step("settle", best, None);
            settled = without;
        }
    }
    if stop() {
        return uses;
    }
    let settled_uses = settled.recount(&counted);
    let is_shorter = with_habits(&settled, &counted) < with_habits(believed, &counted);
    if is_shorter {
        *believed = settled;
    }
    believed.refute(&counted);
    if is_shorter { settled_uses } else { uses }
}

/// Examples that tell habits apart: some that cost something, and some others.
fn telling<'a>(believed: &Believed, all: &'a [Example], counted: &[&'a Example]) -> Vec<&'a Example> {
    let is_costly = |example: &&&Example| believed.weigh(example).1.bits > LEAST_BITS;
    let costly: Vec<&Example> = counted.par_iter().filter(is_costly).copied().collect();
    let step = costly.len().div_ceil(TRIED).max(1);
    spread(all, TRIED).into_iter().chain(costly.into_iter().step_by(step)).collect()
}

/// The description length of a lexicon, its habits and these examples.
fn with_habits(believed: &Believed, examples: &[&Example]) -> f64 {
    believed.total(examples).bits + believed.counts.bits()
}

/// So many of the examples that are not too long, from all over.
pub(super) fn spread(all: &[Example], most: usize) -> Vec<&Example> {
    let short: Vec<&Example> =
        all.iter().filter(|example| (1..=LONG).contains(&example.input.len())).collect();
    let step = short.len().div_ceil(most).max(1);
    short.into_iter().step_by(step).collect()
}
