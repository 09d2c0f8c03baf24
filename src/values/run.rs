//! One search, from what is believed to begin with: entries are grown, those that do not pay go, and every word is learned anew given all others.

use super::entry::Entry;
use super::latent::Start;
use super::learn::Learner;
use super::value::Value;
use super::weigh::{Believed, Example, Total};
use crate::parts::{self, Part};
use crate::prices::OUTRIGHT;
use crate::settings::{FEW, HARDLY};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Rounds of trying other numbers for words, and of learning words anew with these.
const TUNED: usize = 3;

/// What a search came to.
pub(super) struct Run {
    /// What is believed,
    pub(super) believed: Believed,
    /// and what the examples cost with it.
    pub(super) total: Total,
    /// Whether it began with values.
    pub(super) is_started: bool,
}

impl Run {
    /// None at all: longer than any.
    pub(super) fn nothing() -> Run {
        let total = Total { bits: f64::INFINITY, right: 0 };
        Run { believed: Believed::nothing(), total, is_started: false }
    }

    /// The shorter one.
    pub(super) fn or(self, other: Run) -> Run {
        if other.is_shorter(&self) { other } else { self }
    }

    pub(super) fn is_shorter(&self, other: &Run) -> bool {
        self.total.bits < other.total.bits
    }

    /// Whether what was found explains too little, or nothing that examples have in common.
    pub(super) fn is_weak(&self, examples: &[Example]) -> bool {
        self.total.right * 10 < examples.len() * 9 || self.is_mostly_whole()
    }

    /// Whether it saves hardly any of what results cost where nothing is known of inputs: shuffled results look no worse.
    pub(super) fn saves_little(&self, examples: &[Example]) -> bool {
        self.total.bits > (1.0 - HARDLY) * unknown(examples)
    }

    /// Whether most entries are several words kept as a whole: then what they have in common was not found.
    fn is_mostly_whole(&self) -> bool {
        let believed = || self.believed.lexicon.believed();
        let is_whole = |entry: &&Entry| entry.pattern.slots() == 0 && entry.pattern.pieces.len() > 1;
        2 * believed().filter(is_whole).count() > believed().count()
    }
}

/// What results cost if inputs tell nothing: each said outright; or each different one, and then which of them by how often it is.
fn unknown(examples: &[Example]) -> f64 {
    let mut often: BTreeMap<&Value, (f64, f64)> = BTreeMap::new();
    for example in examples {
        let (times, bits) = often.entry(&example.value).or_default();
        (*times, *bits) = (*times + 1.0, example.bits);
    }
    let all = examples.len() as f64;
    let by_rate = often.values().map(|(times, bits)| bits + OUTRIGHT - times * (times / all).log2());
    let outright: f64 = examples.iter().map(|example| example.bits + OUTRIGHT).sum();
    by_rate.sum::<f64>().min(outright)
}

impl Learner<'_> {
    /// Learns from what is believed to begin with.
    pub(super) fn run(&mut self, believed: Believed, seed: Option<u64>) -> Run {
        let grown = self.grown(believed, seed);
        self.refined(grown)
    }

    /// The shortest of what some starts come to. What is learned anew takes longest: that is for the few that are the shortest without.
    pub(super) fn try_starts(&self, starts: &[Start]) -> Run {
        let grown = |start: &Start| {
            let mut learner = self.clone();
            let run = learner.grown(learner.begin(start), None);
            (learner, run)
        };
        let mut grown: Vec<(Self, Run)> = starts.par_iter().map(grown).collect();
        grown.sort_by(|a, b| a.1.total.bits.total_cmp(&b.1.total.bits));
        grown.truncate(FEW);
        let runs: Vec<Run> = grown.into_par_iter().map(|(mut learner, run)| learner.refined(run)).collect();
        runs.into_iter().fold(Run::nothing(), Run::or)
    }

    /// Believes more, and lets go of what does not pay.
    fn grown(&mut self, mut believed: Believed, seed: Option<u64>) -> Run {
        let is_started = believed.lexicon.believed().any(|entry| entry.constant().is_some());
        self.grow(&mut believed, seed);
        let examples: Vec<&Example> = self.examples.iter().collect();
        self.recount(&mut believed, &examples);
        self.prune(&mut believed, &examples, 0);
        self.recount(&mut believed, &examples);
        let total = believed.total(&examples);
        Run { believed, total, is_started }
    }

    /// Learns words anew. Where that does not help, conditions stand for several entries, perhaps, of which each is known better alone.
    fn refined(&mut self, mut run: Run) -> Run {
        let examples: Vec<&Example> = self.examples.iter().collect();
        self.prune(&mut run.believed, &examples, 0);
        self.recount(&mut run.believed, &examples);
        let mut divided = run.believed.clone();
        self.learn_anew(&mut run, &examples);
        if run.is_weak(self.examples) && parts::has(Part::Divide) && self.divide(&mut divided, &examples) {
            let mut other = Run { believed: divided, total: run.total, is_started: run.is_started };
            self.learn_anew(&mut other, &examples);
            run = run.or(other);
        }
        if run.is_weak(self.examples) {
            self.reconsider(&mut run);
        }
        run
    }

    fn learn_anew(&self, run: &mut Run, examples: &[&Example]) {
        self.refine(&mut run.believed, examples);
        if parts::has(Part::Divide) {
            self.divide(&mut run.believed, examples);
        }
        self.recount(&mut run.believed, examples);
        run.total = run.believed.total(examples);
        self.step("learn anew", run.total.bits, run.total.right);
    }

    /// Counts what fills what anew; after a stop what was counted before has to do.
    fn recount(&self, believed: &mut Believed, examples: &[&Example]) {
        if !(self.stop)() {
            believed.recount(examples);
        }
    }

    /// Where some examples are not right: what several patterns share may hide what these need, and numbers that were only ever compared may be others.
    pub(super) fn reconsider(&mut self, run: &mut Run) {
        let all = self.examples;
        let examples: Vec<&Example> = all.iter().collect();
        if run.total.right == examples.len() || (self.stop)() {
            return;
        }
        let mut other = run.believed.clone();
        if parts::has(Part::Hoist) && self.hoist(&mut other, &examples) {
            self.go_on(&mut other, &examples);
        }
        let is_truth = matches!(examples[0].value, Value::Truth(_));
        for _ in 0..TUNED {
            if !is_truth || !parts::has(Part::Tune) || !self.tune(&mut other, &examples) {
                break;
            }
            self.go_on(&mut other, &examples);
        }
        if let Some(total) = other.total_below(run.total.bits, &examples) {
            self.step("reconsider", total.bits, total.right);
            (run.believed, run.total) = (other, total);
        }
    }

    /// Believes more from what is believed now, and learns all words anew.
    fn go_on(&mut self, believed: &mut Believed, examples: &[&Example]) {
        self.grow(believed, None);
        believed.recount(examples);
        self.prune(believed, examples, 0);
        self.refine(believed, examples);
    }
}
