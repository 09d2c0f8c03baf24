//! Inputs that were given several outputs.
//!
//! A theory is learned from the most frequent output of each input, for mistakes are seldom made twice. What else an input was given may be such a mistake, or a further
//! meaning of a word in it. It is a meaning where an entry for it is shorter than saying the outputs outright that lack it. Then of the outputs that can be put
//! together each counts as often as it was given, so that results are as probable as they were frequent.

use super::rest::Saved;
use super::{Stop, corrected, in_order, sample};
use crate::chart::given::{Options, is_derived};
use crate::learn::evidence::Example;
use crate::learn::state::Sampled;
use crate::prices::FILLER;
use crate::propose::hole::completions;
use crate::settings::{ASKED, COUNTED, LOOKED_AT, PASSES};
use crate::symbol::Word;
use crate::theory::Theory;
use crate::theory::counts::Counts;
use crate::theory::entry::Entry;
use crate::theory::knowledge::Knowledge;
use crate::theory::tree::Tree;
use crate::theory::tree_model::TreeModel;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The outputs of an input, and how often it was given each.
pub type Given = Vec<(Example, f64)>;

/// The knowledge of these distinct examples with what else some inputs were given.
pub fn with_all_outputs(
    known: Knowledge,
    examples: &[Example],
    several: &[Given],
    stop: Stop<'_>,
) -> Knowledge {
    if several.is_empty() || stop() {
        return known;
    }
    let mut theory = known.widened(known.words(), known.tokens());
    take_meanings(&mut theory, several, stop);
    let weighed: Vec<Vec<Sampled>> = several.par_iter().map(|outputs| weighed(outputs, &theory)).collect();
    if stop() || weighed.iter().all(|outputs| outputs.len() < 2) {
        return known;
    }
    let inputs: BTreeSet<&[Word]> = several.iter().flatten().map(|(example, _)| &*example.input).collect();
    let one = examples.iter().filter(|example| !inputs.contains(&*example.input)).cloned().collect();
    let one = in_order(one);
    let all: Vec<Sampled> =
        sample(&one, COUNTED, 1.0).into_iter().chain(weighed.into_iter().flatten()).collect();
    let mut counts = known.counts.clone();
    for _ in 0..PASSES {
        let model = TreeModel::new(&counts, &theory);
        let tree = |example: &Sampled| if stop() { None } else { example.tree(&theory, Some(&model)) };
        let trees: Vec<Option<Tree>> = all.par_iter().map(tree).collect();
        if stop() {
            return known;
        }
        counts = Counts::of(trees.iter().flatten());
    }
    let counts = corrected(counts, &theory, &sample(&one, COUNTED, 1.0), stop);
    Knowledge::new(&theory, &counts, known.words(), known.tokens())
        .with_places(known.places().cloned())
        .with_neighbours(known.neighbours().clone())
}

/// Those outputs of an input that can be put together, which stand for one example.
fn weighed(outputs: &Given, theory: &Theory) -> Vec<Sampled> {
    let right: Vec<&(Example, f64)> = outputs
        .iter()
        .filter(|(example, _)| is_derived(&example.whole(), theory, Options::default()))
        .collect();
    let all: f64 = right.iter().map(|(_, times)| times).sum();
    right.iter().map(|(example, times)| Sampled::of(example, times / all)).collect()
}

/// Takes in what words say in outputs that cannot be put together, as long as that is shorter than to say these outright.
fn take_meanings(theory: &mut Theory, several: &[Given], stop: Stop<'_>) {
    let given = several.iter().flatten().map(|(_, times)| times).sum::<f64>() as usize;
    let mut open: Vec<(Entry, f64)> =
        several.iter().flatten().map(|(example, times)| (example.whole(), *times)).collect();
    open.sort_by(|a, b| b.1.total_cmp(&a.1));
    for _ in 0..ASKED {
        let is_open = |(whole, _): &(Entry, f64)| !stop() && !is_derived(whole, theory, Options::default());
        open = open.into_par_iter().filter(is_open).collect();
        let Some(entry) = best(theory, &open[..open.len().min(LOOKED_AT)], given).filter(|_| !stop()) else {
            break;
        };
        theory.add(&entry);
    }
}

/// The entry that saves most.
fn best(theory: &Theory, open: &[(Entry, f64)], given: usize) -> Option<Entry> {
    let completing = |(whole, _): &(Entry, f64)| -> BTreeSet<Entry> {
        let words: BTreeSet<Word> = whole.words().collect();
        words.into_iter().flat_map(|word| completions(whole, theory, |other| other == word)).collect()
    };
    let found: Vec<BTreeSet<Entry>> = open.par_iter().map(completing).collect();
    let mut users: BTreeMap<&Entry, Saved> = BTreeMap::new();
    for ((whole, times), entries) in open.iter().zip(&found) {
        for entry in entries {
            users.entry(entry).or_default().add_times(theory.prices.result(&whole.says), *times);
        }
    }
    let saves = |entry: &Entry, saved: &Saved| saved.bits(given) - theory.prices.entry(entry) - FILLER;
    let worth = users.iter().map(|(entry, saved)| (*entry, saves(entry, saved)));
    let (entry, saves) = worth.rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (saves > 0.0).then(|| entry.clone())
}
