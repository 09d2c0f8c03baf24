//! A theory learns words it has never seen, from few examples, and forgets nothing.
//!
//! Entries that are known stay, and so does what was counted of them. What is known of an example is taken out of it, and what is left is what
//! its new words say. A new word then stands where its kin do, since it fills slots that they fill.

use super::rest::Saved;
use super::{Stop, in_order, sample};
use crate::chart::given::{Options, is_derived};
use crate::learn::evidence::Example;
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
use std::collections::BTreeMap;

/// `known` with what these distinct examples teach of words that it does not have. Its words and tokens are the first of all.
pub fn extend(
    known: &Knowledge,
    mut examples: Vec<Example>,
    words: usize,
    tokens: usize,
    stop: Stop<'_>,
) -> Knowledge {
    let first = known.words();
    examples.retain(|example| example.input.iter().any(|word| word.0 as usize >= first));
    let examples = in_order(examples);
    let mut theory = known.widened(words, tokens);
    let mut open: Vec<Entry> = examples.iter().map(Example::whole).collect();
    for _ in 0..ASKED {
        let is_open = |whole: &Entry| !stop() && !is_derived(whole, &theory, Options::default());
        open = open.into_par_iter().filter(is_open).collect();
        let Some(entry) = best(&theory, &open, first, examples.len()).filter(|_| !stop()) else { break };
        theory.add(&entry);
    }
    let counts = counts(&theory, known, &examples, stop);
    Knowledge::new(&theory, &counts, words, tokens)
        .with_scorer_of(known)
        .with_neighbours(known.neighbours().clone())
}

/// The entry that is worth most. Where nothing is known of a word, its examples would be kept whole; where something is, and the example
/// contradicts it, its result would be said outright.
fn best(theory: &Theory, open: &[Entry], first: usize, examples: usize) -> Option<Entry> {
    let is_new = |word: Word| word.0 as usize >= first;
    let has_meaning = |word: Word| theory.believed().any(|entry| entry.has(word));
    let looked_at = &open[..open.len().min(LOOKED_AT)];
    let found: Vec<Vec<Entry>> =
        looked_at.par_iter().map(|whole| completions(whole, theory, is_new)).collect();
    let mut users: BTreeMap<&Entry, (f64, Saved)> = BTreeMap::new();
    for (whole, entries) in looked_at.iter().zip(&found) {
        let is_known = whole.words().filter(|&word| is_new(word)).all(has_meaning);
        for entry in entries {
            let (wholes, results) = users.entry(entry).or_default();
            match is_known {
                true => results.add(theory.prices.result(&whole.says)),
                false => *wholes += theory.prices.entry(whole),
            }
        }
    }
    let saves = |entry: &Entry, wholes: f64, results: &Saved| {
        wholes + results.bits(examples) - theory.prices.entry(entry) - FILLER
    };
    let worth = users.into_iter().map(|(entry, (wholes, results))| (saves(entry, wholes, &results), entry));
    // A word that stands alone is worth as much as its example.
    let (saves, entry) = worth.rev().max_by(|a, b| a.0.total_cmp(&b.0))?;
    (saves >= -FILLER).then(|| entry.clone())
}

/// What fills what, in the new examples too.
fn counts(theory: &Theory, known: &Knowledge, examples: &[Example], stop: Stop<'_>) -> Counts {
    let sample = sample(examples, COUNTED, 1.0);
    let mut counts = known.counts.clone();
    for _ in 0..PASSES {
        let model = TreeModel::new(&counts, theory);
        let trees: Vec<Option<Tree>> = sample
            .par_iter()
            .map(|example| if stop() { None } else { example.tree(theory, Some(&model)) })
            .collect();
        counts = known.counts.clone();
        counts.replace(trees.iter().map(|tree| (None, tree.as_ref())));
    }
    counts
}
