//! Settling what fills what, over more examples than were learned from.

use super::preference::Kind;
use super::weigh::{Believed, Example};
use crate::parts::{self, Part};
use crate::settings::{COUNTED, JUDGED_BY, LEAST_BITS, LONG, TRIED};
use crate::spread::spread;
use crate::stop::Stop;
use crate::theory::tree::Place;
use rayon::prelude::*;

/// Counts what fills what over more examples than were learned from. Where several trees of an example have the right value (sums may be grouped
/// in any way), counting settles on some habit, not always on one that serves all examples, or on several at once: so each slot is tried without each
/// of its fillers.
pub(super) fn settle(believed: &mut Believed, all: &[Example], stop: Stop<'_>) -> Vec<usize> {
    let counted = short(all, COUNTED);
    let uses = believed.recount(&counted);
    if !parts::has(Part::Settle) {
        return uses;
    }
    let tried = telling(believed, all, &counted);
    let mut settled = believed.clone();
    settled.recount(&tried);
    let mut best = with_habits(&settled, &tried);
    let mut fillings: Vec<((Place, Kind), f64)> =
        settled.counts.fillings.iter().map(|(filling, count)| (*filling, *count)).collect();
    fillings.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (filling, _) in fillings.into_iter().filter(|(filling, _)| filling.1.is_some()).take(TRIED) {
        if stop() {
            break;
        }
        let mut without = settled.clone();
        without.counts.forget(&filling);
        without.counts.orders.clear();
        without.recount(&tried);
        let bits = with_habits(&without, &tried);
        if bits + LEAST_BITS < best {
            best = bits;
            stop.step("settle", best, None);
            settled = without;
        }
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
    short(all, JUDGED_BY).into_iter().chain(spread(&costly, JUDGED_BY).copied()).collect()
}

/// The description length of a lexicon, its habits and these examples.
fn with_habits(believed: &Believed, examples: &[&Example]) -> f64 {
    believed.total(examples).bits + believed.counts.bits()
}

/// So many of the examples that are not too long, from all over.
pub(super) fn short(all: &[Example], most: usize) -> Vec<&Example> {
    let short: Vec<&Example> =
        all.iter().filter(|example| (1..=LONG).contains(&example.input.len())).collect();
    spread(&short, most).copied().collect()
}
