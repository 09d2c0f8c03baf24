//! Learning entries of values.
//!
//! In rounds: what is wanted of patterns in the examples that are not explained is collected, programs are fitted to it, and the best are believed.
//! A candidate is ranked by what it saves and by a share of what the examples with its words might save later: without that, truth values,
//! of which each example shows one bit, never start. Then every entry has to pay, and every word is learned anew given all others. The whole
//! is begun several times, and the shortest kept.

use super::entry::{Entry, Pattern, constant_bits};
use super::evidence::{Parts, Wholes, goals, views};
use super::fit::{Effort, Fitted, Random, Wanted, best_fit, fit, most_bits};
use super::latent::{self, Start};
use super::open::RUN;
use super::program::Program;
use super::settle::{COUNTED, settle, spread};
use super::value::Value;
use super::want::Want;
use super::weigh::{Believed, Example, Total, Weighed};
use crate::experience::{Experience, behaviour, function};
use crate::number::expression::{Expression, Fuel};
use crate::number::pool::Pool;
use crate::parts::{self, Part};
use crate::prices::AS_WRITTEN;
use crate::settings::{CANDIDATES, FEW, JUDGED_BY, LONGEST_PATTERN, MUCH_LESS, PATIENCE};
use crate::stop::Stop;
use crate::symbol::{Token, Word};
use crate::theory::EntryId;
use crate::theory::entry::In;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Inputs this short are learned from.
pub const LONGEST: usize = 18;
/// So many of the shortest, and so many others.
pub(super) const SHORTEST: usize = 300;
pub(super) const OTHERS: usize = 300;
/// Rounds of believing more at most.
const ROUNDS: usize = 40;
/// Rounds of trying other numbers for words, and of learning words anew with these.
const TUNED: usize = 3;
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
    let starts = |learner: &Learner<'_>| {
        let mut starts = match parts::has(Part::Latent) {
            true => latent::starts(&learner.pool, &examples, stop),
            false => Vec::new(),
        };
        starts.extend(Some(prices.numerals.clone()).filter(|numerals| !numerals.is_empty()));
        learner.try_starts(&starts)
    };
    let is_open = |best: &Run| is_weak(best, &examples) && !stop();
    // What was learned elsewhere makes much cheap that is not needed here: it is used where nothing else helps.
    let mut experienced = Learner::new(&examples, prices, experience, stop);
    let has_experience = !experience.functions().is_empty();
    let mut has_helped = false;
    if is_open(&best) && has_experience {
        let run = experienced.run(experienced.begin(&[]), None);
        if run.1.bits < best.1.bits {
            (learner, best, has_helped) = (experienced.clone(), run, true);
        }
    }
    if is_open(&best) && parts::has(Part::Latent) {
        let mut with_rows = learner.with_bare_rows();
        let run = with_rows.run_simply();
        if !is_weak(&run, &examples) && run.1.bits < best.1.bits {
            learner = with_rows;
        }
        best = shortest(best, run);
    }
    let mut is_hopeless = false;
    if is_open(&best) && has_experience {
        let run = starts(&experienced);
        is_hopeless = saves_little(&run, &examples) && saves_little(&best, &examples);
        if run.1.bits < best.1.bits {
            (learner, best, has_helped) = (experienced, run, true);
        }
    }
    // What is not found with all that is known is not found with less.
    if is_open(&best) && !is_hopeless && !has_helped {
        best = shortest(best, starts(&learner));
    }
    if is_weak(&best, &examples) && parts::has(Part::Latent) && !stop() {
        best = shortest(best, learner.with_wholes());
        best = shortest(best, from_short(&examples, prices, stop));
    }
    let constants: Start = if best.2 { constants(&best.0) } else { Vec::new() };
    let is_promising = parts::has(Part::Restarts) && !stop() && !saves_little(&best, &examples);
    let restarts = if is_promising { RESTARTS } else { 0 };
    let seeds: Vec<u64> = (0..restarts).map(|number| 777 + number * 7919).collect();
    let again: Vec<Run> =
        seeds.par_iter().map(|&seed| learner.clone().run(learner.begin(&constants), Some(seed))).collect();
    for run in again {
        best = shortest(best, run);
    }
    learner.reconsider(&mut best);
    if parts::has(Part::Narrow) {
        learner.narrow(&mut best.0);
    }
    if parts::has(Part::Polish) {
        learner.polish(&mut best.0);
    }
    let uses = settle(&mut best.0, all, stop);
    Learned { believed: best.0, uses }
}

/// The share of the examples, the shortest ones, that are learned from before all.
const SHORT: usize = 4;

/// Learns from the shortest examples, and goes on from there with all: what is certain of these holds in longer ones, in which much else would do.
fn from_short(examples: &[Example], prices: &Prices, stop: Stop<'_>) -> Run {
    let short = &examples[..examples.len() / SHORT];
    let nothing = Experience::none();
    let mut learner = Learner::new(short, prices, &nothing, stop);
    let mut best = learner.run(learner.begin(&[]), None);
    if is_weak(&best, short) {
        best = shortest(best, learner.try_starts(&latent::starts(&learner.pool, short, stop)));
    }
    if is_weak(&best, short) || stop() {
        return no_run();
    }
    let mut learner = Learner::new(examples, prices, &nothing, stop);
    let entries: Vec<Entry> = best.0.lexicon.live().map(|id| best.0.lexicon.entry(id).clone()).collect();
    learner.remember(&entries);
    learner.run(best.0, None)
}

/// So many of the shortest examples, and so many others, are looked at first: enough for what they share to show, in a fraction of a second.
const LOOKED_AT: usize = 60;

/// A first look at examples.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The share of the bits of some results, said outright, that a first lexicon and these results take, what members of the open class stand for included.
    pub share: f64,
}

/// Looks whether a first lexicon of some examples is much shorter than their results.
pub fn look(all: &[Example], prices: &Prices, stop: Stop<'_>) -> Look {
    let examples = chosen(all, LOOKED_AT, LOOKED_AT);
    let mut learner = Learner::new(&examples, prices, &Experience::none(), stop);
    let mut believed = learner.begin(&[]);
    learner.grow(&mut believed, None);
    let some: Vec<&Example> = examples.iter().collect();
    believed.recount(&some);
    learner.prune(&mut believed, &some, 0);
    let total = believed.total(&some);
    let outright: f64 = examples.iter().map(|example| example.bits).sum();
    let runs = examples.iter().flat_map(|example| &example.input.runs).flatten();
    let members: BTreeSet<Token> = runs.filter_map(Value::list).flatten().copied().collect();
    let bits = total.bits + prices.member_bits * members.len() as f64;
    Look { share: bits / outright.max(1.0) }
}

/// Whether what was found explains too little, or nothing that examples have in common.
fn is_weak((believed, total, _): &Run, examples: &[Example]) -> bool {
    total.right * 10 < examples.len() * 9 || is_mostly_whole(believed)
}

/// A run that saves no more than this share of what results cost outright has found nothing: shuffled results look no worse.
const LITTLE: f64 = 0.05;

fn saves_little((_, total, _): &Run, examples: &[Example]) -> bool {
    let outright: f64 = examples.iter().map(|example| example.bits + 1.0).sum();
    total.bits > (1.0 - LITTLE) * outright
}

/// Whether most entries are several words kept as a whole: then what they have in common was not found.
fn is_mostly_whole(believed: &Believed) -> bool {
    let lexicon = &believed.lexicon;
    let is_whole = |id: &EntryId| {
        let pattern = &lexicon.entry(*id).pattern;
        pattern.slots() == 0 && pattern.pieces.len() > 1
    };
    2 * lexicon.live().filter(is_whole).count() > lexicon.live().count()
}

/// So many of the patterns that promise most are looked at more deeply.
const DEEP: usize = 20;

/// What a run came to, and whether it began with values.
type Run = (Believed, Total, bool);

/// Longer than any.
fn no_run() -> Run {
    (Believed::nothing(), Total { bits: f64::INFINITY, right: 0 }, false)
}

fn shortest(a: Run, b: Run) -> Run {
    if b.1.bits < a.1.bits { b } else { a }
}

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

/// The values of single words.
fn constants(believed: &Believed) -> Start {
    let lexicon = &believed.lexicon;
    let constant = |id: EntryId| {
        let entry = lexicon.entry(id);
        match *entry.pattern.pieces {
            [In::Word(word)] => Some((word, entry.constant()?.clone())),
            _ => None,
        }
    };
    lexicon.live().filter_map(constant).collect()
}

#[derive(Clone)]
pub(super) struct Learner<'a> {
    pub(super) prices: &'a Prices,
    pub(super) examples: &'a [Example],
    pub(super) pool: Pool,
    /// Functions learned so far: what is learned later may call them.
    functions: Vec<Arc<Expression>>,
    /// What some inputs come to, where the same words are taken to come to it within others.
    wholes: Wholes,
    /// Whether what stands side by side may be a row without a word.
    has_bare_rows: bool,
    pub(super) stop: Stop<'a>,
}

/// What is wanted of a pattern, by example.
pub(super) type Evidence = BTreeMap<Pattern, Vec<Wanted>>;

struct Candidate {
    pattern: Pattern,
    fitted: Fitted,
    /// With its pattern.
    bits: f64,
    rank: f64,
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

    fn try_starts(&self, starts: &[Start]) -> Run {
        let runs: Vec<Run> =
            starts.par_iter().map(|start| self.clone().run(self.begin(start), None)).collect();
        runs.into_iter().fold(no_run(), shortest)
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
        match is_weak(&best, self.examples) && start.len() > numerals.len() {
            true => shortest(best, self.run(self.begin(&start), None)),
            false => best,
        }
    }

    /// What is believed to begin with: these values of words, and that a run is itself.
    fn begin(&self, start: &[(Word, Value)]) -> Believed {
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

    /// Learns from what is believed to begin with.
    fn run(&mut self, mut believed: Believed, seed: Option<u64>) -> Run {
        let is_started = believed.lexicon.live().any(|id| believed.lexicon.entry(id).constant().is_some());
        self.grow(&mut believed, seed);
        let examples: Vec<&Example> = self.examples.iter().collect();
        self.recount(&mut believed, &examples);
        for _ in 0..2 {
            self.prune(&mut believed, &examples, 0);
            self.recount(&mut believed, &examples);
        }
        self.refine(&mut believed, &examples);
        if parts::has(Part::Divide) {
            self.divide(&mut believed, &examples);
        }
        self.recount(&mut believed, &examples);
        let total = believed.total(&examples);
        self.step("learn anew", total.bits, total.right);
        let mut run = (believed, total, is_started);
        if is_weak(&run, self.examples) {
            self.reconsider(&mut run);
        }
        run
    }

    /// Counts what fills what anew; after a stop what was counted before has to do.
    fn recount(&self, believed: &mut Believed, examples: &[&Example]) {
        if !(self.stop)() {
            believed.recount(examples);
        }
    }

    /// Where some examples are not right: what several patterns share may hide what these need, and numbers that were only ever compared may be others.
    fn reconsider(&mut self, (believed, total, _): &mut Run) {
        let all = self.examples;
        let examples: Vec<&Example> = all.iter().collect();
        if total.right == examples.len() || (self.stop)() {
            return;
        }
        let mut other = believed.clone();
        if parts::has(Part::Hoist) && self.hoist(&mut other, &examples) {
            self.grow(&mut other, None);
            other.recount(&examples);
            self.prune(&mut other, &examples, 0);
            self.refine(&mut other, &examples);
        }
        let is_truth = matches!(examples[0].value, Value::Truth(_));
        for _ in 0..TUNED {
            if !is_truth || !parts::has(Part::Tune) || !self.tune(&mut other, &examples) {
                break;
            }
            self.refine(&mut other, &examples);
        }
        let bits = other.total(&examples);
        if bits.bits < total.bits {
            self.step("reconsider", bits.bits, bits.right);
            (*believed, *total) = (other, bits);
        }
    }

    /// Believes more and more, until all examples are explained or nothing promises to explain one.
    pub(super) fn grow(&mut self, believed: &mut Believed, seed: Option<u64>) {
        let mut random = seed.map(Random);
        let mut banned: BTreeSet<Pattern> = BTreeSet::new();
        let counted: Vec<&Example> = self.examples.iter().take(JUDGED_BY).collect();
        let (mut shortest, mut since) = (f64::INFINITY, 0);
        for round in 0..ROUNDS {
            if (self.stop)() {
                break;
            }
            let (open, bits) = self.open(believed);
            self.step("grow", bits, self.examples.len() - open.len());
            since = if bits < shortest { 0 } else { since + 1 };
            shortest = shortest.min(bits);
            if open.is_empty() || since > PATIENCE {
                break;
            }
            let evidence = self.evidence(believed, &open, &banned);
            let candidates = self.candidates(believed, &open, evidence, random.as_mut());
            if candidates.is_empty() {
                break;
            }
            let accepted = accept(believed, candidates);
            self.remember(&accepted);
            let uses = believed.recount(&counted);
            // What is never used is in the way.
            if round % 4 == 3 || round > 6 {
                let unused: Vec<EntryId> = believed
                    .lexicon
                    .live()
                    .filter(|&id| uses[id as usize] == 0 && believed.lexicon.entry(id).pattern.slots() > 0)
                    .collect();
                for id in unused {
                    banned.insert(believed.lexicon.entry(id).pattern.clone());
                    believed.set_live(id, false);
                }
            }
        }
    }

    /// Tells what all examples and entries cost now, and how many of the examples are right.
    pub(super) fn step(&self, what: &'static str, bits: f64, right: usize) {
        self.stop.step(what, bits, Some(right as f64 / self.examples.len().max(1) as f64));
    }

    /// The examples without a tree that is right, and what all of them and the entries cost.
    fn open(&self, believed: &Believed) -> (Vec<usize>, f64) {
        let weighed: Vec<Weighed> =
            self.examples.par_iter().map(|example| believed.weigh(example).1).collect();
        let bits = believed.lexicon.total() + weighed.iter().map(|weighed| weighed.bits).sum::<f64>();
        ((0..weighed.len()).filter(|&number| weighed[number].item.is_none()).collect(), bits)
    }

    /// What is wanted of patterns in some of the open examples.
    fn evidence(&self, believed: &Believed, open: &[usize], banned: &BTreeSet<Pattern>) -> Evidence {
        let (first, rest) = open.split_at(open.len().min(80));
        let step = (open.len() / 60).max(1);
        let some: Vec<usize> = first.iter().chain(rest.iter().step_by(step).take(60)).copied().collect();
        let found: Vec<Vec<(Pattern, Wanted)>> =
            some.par_iter().map(|&number| self.wanted(believed, number, &self.examples[number])).collect();
        let mut evidence = Evidence::new();
        for (pattern, wanted) in found.into_iter().flatten() {
            if !banned.contains(&pattern) {
                let all = evidence.entry(pattern).or_default();
                if all.len() < CANDIDATES {
                    all.push(wanted);
                }
            }
        }
        evidence
    }

    pub(super) fn wanted(
        &self,
        believed: &Believed,
        number: usize,
        example: &Example,
    ) -> Vec<(Pattern, Wanted)> {
        let mut found = Vec::new();
        if example.input.len() > LONGEST_PATTERN {
            return found;
        }
        let chart = believed.chart(&example.input);
        let words = &example.input.words;
        let has_bare_rows = self.has_bare_rows;
        let parts = Parts { chart: &chart, words, wholes: &self.wholes, has_bare_rows };
        for goal in goals(&believed.lexicon, &parts, &example.value) {
            for (pattern, arguments) in views(&parts, goal.from, goal.to) {
                let bits = goal.want.bits(example.bits);
                found.push((pattern, Wanted { arguments, want: goal.want.clone(), example: number, bits }));
            }
        }
        found
    }

    fn candidates(
        &self,
        believed: &Believed,
        open: &[usize],
        evidence: Evidence,
        mut random: Option<&mut Random>,
    ) -> Vec<Candidate> {
        let known: BTreeSet<Word> =
            believed.lexicon.live().flat_map(|id| believed.lexicon.entry(id).pattern.all_words()).collect();
        let mut keys: Vec<(Pattern, Vec<Wanted>, f64)> = evidence
            .into_iter()
            .map(|(pattern, wanted)| {
                let worth = bits_of(&wanted) - self.prices.pattern(&pattern);
                (pattern, wanted, worth)
            })
            .collect();
        keys.sort_by(|a, b| b.2.total_cmp(&a.2));
        keys.truncate(250);
        let mut candidates: Vec<Candidate> = keys
            .into_par_iter()
            .enumerate()
            .filter(|(_, (pattern, ..))| !(self.stop)() && !believed.lexicon.has(pattern))
            .filter_map(|(number, (pattern, wanted, _))| {
                let effort = Effort { is_deep: number < DEEP, ..Effort::default() };
                self.candidate(pattern, &wanted, effort, (open, &known))
            })
            .collect();
        for candidate in &mut candidates {
            if let Some(random) = random.as_mut() {
                candidate.rank *= 1.0 + random.below(1000) as f64 / 1000.0;
            }
        }
        candidates.sort_by(|a, b| b.rank.total_cmp(&a.rank).then_with(|| a.pattern.cmp(&b.pattern)));
        candidates
    }

    fn candidate(
        &self,
        pattern: Pattern,
        wanted: &[Wanted],
        effort: Effort,
        (open, known): (&[usize], &BTreeSet<Word>),
    ) -> Option<Candidate> {
        let fitted = best_fit(&self.pool, self.prices.token_bits, &pattern, wanted, effort)?;
        let possible = bits_of(wanted);
        let share = (fitted.saved / possible).max(0.0);
        let bits = self.prices.entry(&pattern, &fitted.program, fitted.bits);
        let own: BTreeSet<Word> = pattern.words().collect();
        let mut potential = 0.0;
        for example in open.iter().map(|&number| &self.examples[number]) {
            if pattern.is_within(&example.input.words) {
                let unknown: BTreeSet<Word> = example
                    .input
                    .words
                    .iter()
                    .copied()
                    .filter(|word| !known.contains(word) && !own.contains(word))
                    .collect();
                potential += example.bits / (1.0 + unknown.len() as f64);
            }
        }
        let new = match own.len() {
            0 => 1.0,
            all => own.iter().filter(|word| !known.contains(word)).count() as f64 / all as f64,
        };
        // Several words that are kept as a whole explain nothing else.
        let credit = if pattern.pieces.len() > 1 && pattern.slots() == 0 { 0.0 } else { 0.5 };
        let later = credit * share * share * (potential - possible).max(0.0) * (0.3 + 0.7 * new);
        let rank = fitted.saved + later - bits;
        (rank > 0.0 && share > 0.5).then_some(Candidate { pattern, fitted, bits, rank })
    }

    /// Functions of two numbers may be called by what is learned later.
    pub(super) fn remember(&mut self, accepted: &[Entry]) {
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

    /// Lets go of entries, from a number on, that do not pay.
    pub(super) fn prune(&self, believed: &mut Believed, examples: &[&Example], first: EntryId) {
        let ids: Vec<EntryId> = believed.lexicon.live().rev().filter(|&id| id >= first).collect();
        for id in ids {
            if (self.stop)() {
                return;
            }
            let pattern = &believed.lexicon.entry(id).pattern;
            let touched: Vec<&Example> =
                examples.iter().copied().filter(|example| pattern.is_within(&example.input.words)).collect();
            let step = (touched.len() / 150).max(1);
            let some: Vec<&Example> = touched.iter().copied().step_by(step).collect();
            // Some tell in most cases; where they speak against it, all are asked.
            let pays = [&some, &touched].into_iter().any(|examples| {
                let before = believed.total(examples).bits;
                believed.set_live(id, false);
                let after = believed.total(examples).bits;
                believed.set_live(id, true);
                after >= before
            });
            believed.set_live(id, pays);
        }
    }

    /// Tries each side of a condition in its place, and both as entries of their own: then what fills them and how numbers compare tells them apart.
    fn divide(&self, believed: &mut Believed, examples: &[&Example]) {
        let ids: Vec<EntryId> = believed.lexicon.live().collect();
        for id in ids {
            let Entry { pattern, program } = believed.lexicon.entry(id).clone();
            let Program::Condition(_, first, second) = program else { continue };
            if (self.stop)() {
                return;
            }
            let before = believed.clone();
            let mut best = before.total(examples).bits;
            for sides in [vec![&first], vec![&second], vec![&first, &second]] {
                let mut divided = before.clone();
                divided.set_live(id, false);
                for side in sides {
                    let program = Program::Number(Arc::clone(side));
                    let price = self.pool.price_of(side).map(|bits| bits + self.prices.pattern(&pattern));
                    let bits = price.unwrap_or(before.lexicon.bits(id));
                    divided.add(Entry { pattern: pattern.clone(), program }, bits);
                }
                divided.counts.orders.clear();
                divided.recount(examples);
                let bits = divided.total(examples).bits;
                if bits < best {
                    best = bits;
                    *believed = divided;
                }
            }
        }
    }

    /// Tries a slot in the place of each row, with a program for what the row's comes to with one filler.
    fn narrow(&self, believed: &mut Believed) {
        let examples: Vec<&Example> = self.examples.iter().collect();
        let rows: Vec<EntryId> = believed
            .lexicon
            .live()
            .filter(|&id| {
                let pattern = &believed.lexicon.entry(id).pattern;
                pattern.row && pattern.slots() == 1 && pattern.words().next().is_some()
            })
            .collect();
        for id in rows {
            if (self.stop)() {
                return;
            }
            let Entry { pattern, program } = believed.lexicon.entry(id);
            let pattern = Pattern::of_slots(pattern.pieces.clone());
            let wanted: Vec<Wanted> = (0..20)
                .filter_map(|number| {
                    let arguments = vec![Value::from(number as i64)];
                    let value = program.apply(&arguments, &mut Fuel::for_learning())?;
                    Some(Wanted { arguments, want: Want::Value(value), example: number, bits: 10.0 })
                })
                .collect();
            let Some(Fitted { program, bits, .. }) =
                fit(&self.pool, self.prices.token_bits, &pattern, &wanted)
            else {
                continue;
            };
            let mut other = believed.clone();
            other.set_live(id, false);
            if !other.lexicon.has(&pattern) {
                let bits = bits + self.prices.pattern(&pattern);
                other.add(Entry { pattern, program }, bits);
            }
            other.recount(&examples);
            if other.total(&examples).bits < believed.total(&examples).bits {
                *believed = other;
            }
        }
    }

    /// Tries to do without each entry with slots, with trees found anew: others may be able to do what it does, but not be in the habit.
    fn polish(&self, believed: &mut Believed) {
        let examples: Vec<&Example> = self.examples.iter().collect();
        let mut best = believed.total(&examples).bits;
        let mut ids: Vec<EntryId> =
            believed.lexicon.live().filter(|&id| believed.lexicon.entry(id).pattern.slots() > 0).collect();
        ids.sort_by(|&a, &b| believed.lexicon.bits(b).total_cmp(&believed.lexicon.bits(a)));
        for id in ids {
            if (self.stop)() {
                return;
            }
            let mut without = believed.clone();
            without.set_live(id, false);
            if without.total(&examples).bits >= best {
                without.counts.orders.clear();
                without.recount(&examples);
            }
            let total = without.total(&examples);
            if total.bits < best {
                best = total.bits;
                self.step("polish", total.bits, total.right);
                *believed = without;
            }
        }
    }
}

/// What examples cost while they are not explained, each counted once.
fn bits_of(wanted: &[Wanted]) -> f64 {
    wanted.chunk_by(|a, b| a.example == b.example).map(most_bits).sum()
}

/// A round judges so many candidates.
const JUDGED: usize = 60;

/// Believes the best candidates that do not speak of the same words.
fn accept(believed: &mut Believed, candidates: Vec<Candidate>) -> Vec<Entry> {
    let known: BTreeSet<Word> =
        believed.lexicon.live().flat_map(|id| believed.lexicon.entry(id).pattern.all_words()).collect();
    let mut busy: BTreeSet<Word> = BTreeSet::new();
    let mut accepted = Vec::new();
    let best = candidates.first().map_or(0.0, |candidate| candidate.rank);
    let mut judged = 0;
    for Candidate { pattern, fitted, bits, rank } in candidates {
        let words: Vec<Word> = pattern.words().collect();
        let slots = pattern.slots();
        let is_wordless = words.is_empty();
        if !accepted.is_empty() && (is_wordless || (slots > 0 && accepted.len() >= FEW)) {
            continue;
        }
        let is_taken = words.iter().any(|word| busy.contains(word) && !known.contains(word))
            || (slots > 0 && !is_wordless && words.iter().all(|word| busy.contains(word)));
        let is_constant = slots + pattern.pieces.len() == 1;
        if is_taken || (!is_constant && rank < MUCH_LESS * best) {
            continue;
        }
        if judged > JUDGED {
            break;
        }
        judged += 1;
        busy.extend(words);
        let entry = Entry { pattern, program: fitted.program };
        believed.add(entry.clone(), bits);
        accepted.push(entry);
    }
    accepted
}
