//! Learning entries of values.
//!
//! In rounds: what is wanted of patterns in the examples that are not explained is collected, programs are fitted to it, and the best are believed.
//! A candidate is ranked by what it saves and by a share of what the examples with its words might save later: without that, truth values,
//! of which each example shows one bit, never start. Then every entry has to pay, and every word is learned anew given all others. The whole
//! is begun several times, and the shortest kept.

use super::entry::{Entry, Pattern, constant_bits};
use super::evidence::Wholes;
use super::fit::{Effort, Fitted, Wanted, best};
use super::latent::{self, Start};
use super::open::RUN;
use super::program::Program;
use super::run::Run;
use super::sample::{OTHERS, SHORTEST, chosen};
use super::settle::settle;
use super::value::Value;
use super::weigh::{Believed, Example};
use super::wrap::Wrapper;
use crate::experience::{Experience, behaviour, function};
use crate::number::expression::Expression;
use crate::number::pool::Pool;
use crate::parts::{self, Part};
use crate::prices::AS_WRITTEN;
use crate::settings::LEAST_BITS;
use crate::stop::Stop;
use crate::symbol::Word;
use crate::theory::entry::In;
use std::sync::Arc;

/// Starts with ranks that are shaken.
const RESTARTS: u64 = 3;

/// What patterns and values are priced by.
#[derive(Clone, Debug)]
pub struct Prices {
    /// How many different words there are.
    pub words: usize,
    /// What a token of a list costs, in bits.
    pub token_bits: f64,
    /// What it costs to say which token a member of the open class stands for.
    pub member_bits: f64,
    /// Words that are written as numbers.
    pub numerals: Vec<(Word, Value)>,
}

impl Prices {
    pub(super) fn pattern(&self, pattern: &Pattern) -> f64 {
        pattern.bits(self.words)
    }

    /// What an entry costs, if its program costs `bits`.
    pub(super) fn entry(&self, pattern: &Pattern, program: &Program, bits: f64) -> f64 {
        let is_written = self.numerals.iter().any(|(word, value)| {
            pattern.is_word(*word) && matches!(program, Program::Constant(constant) if constant == value)
        });
        if is_written { AS_WRITTEN } else { bits + self.pattern(pattern) }
    }
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The entries and what fills them.
    pub believed: Believed,
    /// How often each entry is used.
    pub uses: Vec<usize>,
}

impl Learned {
    /// What is learned from nothing.
    pub fn nothing() -> Learned {
        Learned { believed: Believed::nothing(), uses: Vec::new() }
    }
}

/// Learns from examples at these prices, with functions that are known. `stop` is asked between rounds.
pub fn learn(all: &[Example], prices: &Prices, experience: &Experience, stop: Stop<'_>) -> Learned {
    let examples = chosen(all, SHORTEST, OTHERS);
    let nothing = Experience::none();
    let mut learner = Learner::new(&examples, prices, &nothing, stop);
    let mut best = learner.run(learner.begin(&[]), None);
    let is_open = |best: &Run| best.is_weak(&examples) && !stop();
    // What was learned elsewhere makes much cheap that is not needed here: it is used where nothing else helps.
    let mut experienced = Learner::new(&examples, prices, experience, stop);
    let has_experience = !experience.functions().is_empty();
    let mut has_helped = false;
    if is_open(&best) && has_experience {
        let run = experienced.run(experienced.begin(&[]), None);
        if run.is_shorter(&best) {
            (learner, best, has_helped) = (experienced.clone(), run, true);
        }
    }
    if is_open(&best) && parts::has(Part::Latent) {
        let mut with_rows = learner.with_bare_rows();
        let run = with_rows.run_simply();
        if !run.is_weak(&examples) && run.is_shorter(&best) {
            learner = with_rows;
        }
        best = best.or(run);
    }
    let mut is_hopeless = false;
    let mut starts = Vec::new();
    if is_open(&best) && has_experience {
        starts = experienced.starts();
        let run = experienced.try_starts(&starts);
        is_hopeless = run.saves_little(&examples) && best.saves_little(&examples);
        if run.is_shorter(&best) {
            (learner, best, has_helped) = (experienced, run, true);
        }
    }
    // What is not found with all that is known is not found with less.
    if is_open(&best) && !is_hopeless && !has_helped {
        starts = learner.starts();
        best = best.or(learner.try_starts(&starts));
    }
    if is_open(&best) && parts::has(Part::Latent) {
        best = best.or(learner.with_wholes());
        best = best.or(from_short(&examples, prices, &starts, stop));
    }
    if is_open(&best)
        && let Some(learned) = learner.unwrapped(all, experience, &best)
    {
        return learned;
    }
    let constants: Start = if best.is_started { constants(&best.believed) } else { Vec::new() };
    let is_promising = parts::has(Part::Restarts) && !stop() && !best.saves_little(&examples);
    let restarts = if is_promising { RESTARTS } else { 0 };
    for number in 0..restarts {
        let run = learner.clone().run(learner.begin(&constants), Some(777 + number * 7919));
        // What two searches end in is likely the shortest that can be found.
        let is_same = (run.total.bits - best.total.bits).abs() < LEAST_BITS;
        best = best.or(run);
        if is_same || stop() {
            break;
        }
    }
    learner.finished(best, all)
}

/// Learns from examples, begun with these values of words and in no other way: where these are nearly right, nothing else is needed.
pub fn learn_from(all: &[Example], start: &[(Word, Value)], prices: &Prices, stop: Stop<'_>) -> Learned {
    let examples = chosen(all, SHORTEST, OTHERS);
    let nothing = Experience::none();
    let mut learner = Learner::new(&examples, prices, &nothing, stop);
    let run = learner.run(learner.begin(start), None);
    learner.finished(run, all)
}

/// The share of the examples, the shortest ones, that are learned from before all.
const SHORT: usize = 4;

/// Learns from the shortest examples, and goes on from there with all: what is certain of these holds in longer ones, in which much else would do.
fn from_short(examples: &[Example], prices: &Prices, starts: &[Start], stop: Stop<'_>) -> Run {
    let short = &examples[..examples.len() / SHORT];
    let nothing = Experience::none();
    let mut learner = Learner::new(short, prices, &nothing, stop);
    let mut best = learner.run(learner.begin(&[]), None);
    if best.is_weak(short) {
        best = best.or(learner.try_starts(starts));
    }
    if best.is_weak(short) || stop() {
        return Run::nothing();
    }
    let mut learner = Learner::new(examples, prices, &nothing, stop);
    learner.remember(best.believed.lexicon.believed());
    learner.run(best.believed, None)
}

/// The values of single words.
fn constants(believed: &Believed) -> Start {
    let constant = |entry: &Entry| match *entry.pattern.pieces {
        [In::Word(word)] => Some((word, entry.constant()?.clone())),
        _ => None,
    };
    believed.lexicon.believed().filter_map(constant).collect()
}

#[derive(Clone)]
pub(super) struct Learner<'a> {
    pub(super) prices: &'a Prices,
    pub(super) examples: &'a [Example],
    pub(super) pool: Pool,
    /// Functions learned so far: what is learned later may call them.
    functions: Vec<Arc<Expression>>,
    /// What some inputs come to, where the same words are taken to come to it within others.
    pub(super) wholes: Wholes,
    /// Whether what stands side by side may be a row without a word.
    pub(super) has_bare_rows: bool,
    pub(super) stop: Stop<'a>,
}

impl<'a> Learner<'a> {
    pub(super) fn new(
        examples: &'a [Example],
        prices: &'a Prices,
        experience: &Experience,
        stop: Stop<'a>,
    ) -> Learner<'a> {
        let are_lists = examples.iter().all(|example| example.value.list().is_some());
        let functions = experience.programs();
        let pool = if are_lists { Pool::empty() } else { Pool::new(&functions) };
        Learner { prices, examples, pool, functions, wholes: Wholes::default(), has_bare_rows: false, stop }
    }

    /// The best programs for a pattern of which this is wanted.
    pub(super) fn fit(&self, pattern: &Pattern, wanted: &[Wanted], effort: Effort) -> Vec<Fitted> {
        best(&self.pool, self.prices.token_bits, pattern, wanted, effort)
    }

    /// The best one.
    pub(super) fn best_fit(&self, pattern: &Pattern, wanted: &[Wanted]) -> Option<Fitted> {
        self.fit(pattern, wanted, Effort::default()).into_iter().next()
    }

    /// What a search came to, its last mistakes mended, counted over all examples.
    fn finished(mut self, mut run: Run, all: &[Example]) -> Learned {
        self.reconsider(&mut run);
        let mut believed = run.believed;
        if parts::has(Part::Narrow) {
            self.narrow(&mut believed);
            self.widen(&mut believed);
        }
        if parts::has(Part::Polish) {
            self.polish(&mut believed);
        }
        let uses = settle(&mut believed, all, self.stop);
        Learned { believed, uses }
    }

    /// What is learned from what stands between the words around all inputs, if that explains nearly all and is shorter.
    fn unwrapped(&self, all: &[Example], experience: &Experience, best: &Run) -> Option<Learned> {
        let wrapper = Wrapper::around(all)?;
        let inner: Vec<Example> = all.iter().map(|example| wrapper.taken_off(example)).collect();
        let Learned { mut believed, .. } = learn(&inner, self.prices, experience, self.stop);
        if !wrapper.put_on(&mut believed, self) {
            return None;
        }
        let uses = settle(&mut believed, all, self.stop);
        let examples: Vec<&Example> = self.examples.iter().collect();
        let run = Run { total: believed.total(&examples), believed, is_started: true };
        let is_better = !run.is_weak(self.examples) && run.is_shorter(best);
        is_better.then_some(Learned { believed: run.believed, uses })
    }

    /// Values to begin with, where nothing is found without.
    fn starts(&self) -> Vec<Start> {
        let numerals = Some(self.prices.numerals.clone()).filter(|numerals| !numerals.is_empty());
        let latent = match parts::has(Part::Latent) {
            true => latent::starts(&self.pool, self.examples, self.stop),
            false => Vec::new(),
        };
        latent.into_iter().chain(numerals).collect()
    }

    /// A run for which the words of an input come to the same within others, where it is not known what else they come to: then what puts parts
    /// together is seen with parts of any size before any of it is known.
    fn with_wholes(&self) -> Run {
        let mut learner = self.clone();
        let whole = |example: &Example| (example.input.words.clone(), example.value.clone());
        learner.wholes = self.examples.iter().map(whole).collect();
        learner.run(learner.begin(&[]), None)
    }

    /// One that takes any parts that stand side by side for a row: a number may say how it counts by the one that follows.
    fn with_bare_rows(&self) -> Learner<'a> {
        Learner { has_bare_rows: true, ..self.clone() }
    }

    /// A run from nothing but words written as numbers, or else from what words add where they are left out.
    fn run_simply(&mut self) -> Run {
        let numerals = &self.prices.numerals;
        let best = self.run(self.begin(numerals), None);
        let added = latent::added(self.examples).into_iter();
        let others = added.filter(|(word, _)| !numerals.iter().any(|(other, _)| other == word));
        let start: Start = numerals.iter().cloned().chain(others).collect();
        match best.is_weak(self.examples) && start.len() > numerals.len() {
            true => best.or(self.run(self.begin(&start), None)),
            false => best,
        }
    }

    /// What is believed to begin with: these values of words, and that a run is itself.
    pub(super) fn begin(&self, start: &[(Word, Value)]) -> Believed {
        let mut believed = Believed::nothing();
        if self.examples.iter().any(|example| example.input.words.contains(&RUN)) {
            let pattern = Pattern::word(RUN);
            let bits = self.prices.pattern(&pattern);
            believed.add(Entry { pattern, program: Program::Own }, bits);
        }
        for (word, value) in start {
            let (pattern, program) = (Pattern::word(*word), Program::Constant(value.clone()));
            let bits = self.prices.entry(&pattern, &program, constant_bits(value, self.prices.token_bits));
            believed.add(Entry { pattern, program }, bits);
        }
        believed
    }

    /// Functions of two numbers may be called by what is learned later.
    pub(super) fn remember<'e>(&mut self, accepted: impl IntoIterator<Item = &'e Entry>) {
        if !parts::has(Part::Sharing) {
            return;
        }
        let before = self.functions.len();
        for entry in accepted {
            let Some(function) = function(&entry.program, entry.pattern.slots()) else { continue };
            if !self.functions.iter().any(|other| behaviour(other) == behaviour(&function)) {
                self.functions.push(function);
            }
        }
        if self.functions.len() > before {
            self.pool = Pool::new(&self.functions);
        }
    }
}
