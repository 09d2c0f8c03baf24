//! Believing more and more: what is wanted of patterns in the examples that are not explained is collected, programs are fitted to it, and the best
//! are believed.
//!
//! A candidate is ranked by what it saves and by a share of what the examples with its words might save later: without that, truth values,
//! of which each example shows one bit, never start.

use super::entry::{Entry, Pattern};
use super::evidence::{Parts, goals, views};
use super::fit::{Effort, Fitted, Random, Wanted, most_bits};
use super::learn::Learner;
use super::weigh::{Believed, Example, Weighed};
use crate::settings::{CANDIDATES, FEW, JUDGED_BY, LONGEST_PATTERN, MUCH_LESS, PATIENCE};
use crate::symbol::Word;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Rounds of believing more at most.
const ROUNDS: usize = 40;
/// So many of the patterns that promise most are looked at more deeply.
const DEEP: usize = 20;

/// What is wanted of a pattern, by example.
pub(super) type Evidence = BTreeMap<Pattern, Vec<Wanted>>;

struct Candidate {
    pattern: Pattern,
    fitted: Fitted,
    /// With its pattern.
    bits: f64,
    rank: f64,
}

impl Learner<'_> {
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
                let with_slots = believed.lexicon.live_where(|entry| entry.pattern.slots() > 0);
                for id in with_slots.into_iter().filter(|&id| uses[id as usize] == 0) {
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
        let known: BTreeSet<Word> = believed.lexicon.words();
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
        let fitted = self.fit(&pattern, wanted, effort).into_iter().next()?;
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
}

/// What examples cost while they are not explained, each counted once.
fn bits_of(wanted: &[Wanted]) -> f64 {
    wanted.chunk_by(|a, b| a.example == b.example).map(most_bits).sum()
}

/// A round judges so many candidates.
const JUDGED: usize = 60;

/// Believes the best candidates that do not speak of the same words.
fn accept(believed: &mut Believed, candidates: Vec<Candidate>) -> Vec<Entry> {
    let known: BTreeSet<Word> = believed.lexicon.words();
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
