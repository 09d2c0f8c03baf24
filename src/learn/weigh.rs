//! What a given theory and examples cost together: it tells faults of the search from faults of the objective.

use crate::learn::evidence::Example;
use crate::learn::state::State;
use crate::learn::{flat, in_order, sample};
use crate::objective::Prices;
use crate::prices::FILLER;
use crate::settings::{JUDGED_BY, WEIGHT};
use crate::stop::Stop;
use crate::theory::Theory;
use crate::theory::entry::Entry;

/// The parts of a description length, in bits, over a sample of examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// The entries that trees use.
    pub entries: f64,
    /// What may fill which slot.
    pub fillers: f64,
    /// How improbable the results of the sample are, given the inputs; what has no tree is said outright.
    pub results: f64,
    /// Examples of the sample,
    pub examples: usize,
    /// and those that have a tree with the right result.
    pub explained: usize,
}

impl Weight {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.entries + self.fillers + self.results
    }
}

/// What these entries and examples cost, as learning would weigh them.
pub fn weigh(entries: &[Entry], examples: Vec<Example>, words: usize, tokens: usize) -> Weight {
    let examples = in_order(examples);
    let sample = sample(&examples, JUDGED_BY, WEIGHT);
    let mut theory = Theory::new(Prices::new(words, tokens));
    for entry in entries {
        theory.add(entry);
    }
    let mut state = State::new(theory, &sample, Stop::never());
    state.trees = state.parsed(Some(&state.settled_model(flat(&state.theory))));
    state.recount();
    let entries: f64 = state.counts.uses.keys().map(|&id| state.theory.bits(id)).sum();
    let fillers: usize = state.counts.slots.values().map(|fillers| fillers.each.len()).sum();
    let fillers = FILLER * fillers as f64;
    Weight {
        entries,
        fillers,
        results: state.bits_of_results() - entries - fillers,
        examples: sample.len(),
        explained: state.trees.iter().flatten().count(),
    }
}
