//! New senses: programs that would fill the holes of many examples.

use super::{Choice, Evidence, Meanings, Pair, bits, cost, knows};
use crate::abduction::chart::{self, Chart};
use crate::abduction::holes::Hole;
use crate::semantics::enumerate::{Library, Limits as SearchLimits, Row};
use crate::semantics::eval::Evaluator;
use crate::semantics::lexicon::Sense;
use crate::semantics::program::{Expr, Program};
use crate::semantics::recursion::{self, Found, Limits, Want};
use crate::value::Value;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A hole of an example that a word of this number of children could fill.
pub(super) struct Wish<'a> {
    pub example: usize,
    pub hole: &'a Hole,
    /// What filling it would save at most.
    pub bits: f64,
}

/// A sense that would fill holes.
#[derive(Clone)]
pub(super) struct Candidate {
    pub word: u32,
    pub program: Program,
    pub me: Option<Value>,
    pub gain: f64,
}

/// What is wanted of a word with so many children, and what it is known to give.
pub(super) struct Place<'a> {
    pub word: u32,
    pub arity: u8,
    pub wishes: Vec<Wish<'a>>,
    pub known: Vec<(usize, &'a [Value], &'a Value)>,
}

impl<'a> Place<'a> {
    fn new(word: u32, arity: u8) -> Place<'a> {
        Place { word, arity, wishes: Vec::new(), known: Vec::new() }
    }

    /// What a program could save at most, if it filled every hole.
    pub(super) fn hope(&self) -> f64 {
        gain(self.wishes.iter().map(|wish| (wish.example, wish.bits)).collect())
    }

    /// Different arguments with what is wanted for them, the most probable wishes first.
    fn rows(&self) -> Rows {
        let mut wishes: Vec<&Wish<'_>> = self.wishes.iter().collect();
        wishes.sort_by(|a, b| b.hole.weight.total_cmp(&a.hole.weight));
        let mut rows = Rows::default();
        for wish in wishes {
            let want = Want { value: wish.hole.want.clone(), bits: wish.bits, example: wish.example };
            rows.add(&wish.hole.args, want, ROWS);
        }
        for &(example, args, value) in &self.known {
            rows.add(args, Want { value: value.clone(), bits: bits(value), example }, 2 * ROWS);
        }
        rows
    }

    /// The same with what is known already.
    pub(super) fn worth(&self) -> f64 {
        let known = self.known.iter().map(|&(example, _, value)| (example, bits(value)));
        self.hope() + gain(known.collect())
    }
}

impl Meanings {
    /// Proposes senses that would fill the holes of many examples.
    pub(super) fn induce(&mut self, sample: &[&Pair], evidence: &[Evidence]) -> Vec<(u32, Program)> {
        let mut places = places(evidence);
        places.retain(|place| !knows(&self.known, place.word as usize));
        let patterns = self.templates(&places);
        places.sort_by(|a, b| b.hope().total_cmp(&a.hope()));
        places.truncate(PLACES);
        let mut found: Vec<Candidate> =
            places.par_iter().map(|place| self.search(place, Effort::FLAT)).collect::<Vec<_>>().concat();
        found.extend(patterns);
        // A revision asks whether what is known already would do.
        if self.banned.is_empty() {
            let all: f64 = sample.iter().map(|pair| bits(&pair.target)).sum();
            let deeper = self.search_deeper(&places, &found, WORTHWHILE.max(CONSIDERABLE * all));
            found.extend(places.par_iter().map(|place| self.reconsider(place)).collect::<Vec<_>>().concat());
            found.extend(deeper);
        }
        let found = self.judge(found, sample, evidence);
        let least = found.first().map_or(0.0, |best| best.gain / 2.0);
        let mut taken: Vec<(u32, Program)> = Vec::new();
        for candidate in found {
            let Candidate { word, program, .. } = &candidate;
            let known = |(other, taken): &(u32, Program)| other == word && taken.arity == program.arity;
            if taken.iter().any(known) || taken.len() == PROPOSED || candidate.gain < least {
                continue;
            }
            taken.push((*word, program.clone()));
            self.propose(candidate);
        }
        self.lexicon.normalise();
        taken
    }

    /// Makes a sense possible.
    fn propose(&mut self, Candidate { word, program, me, .. }: Candidate) {
        let number = self.intern(&program);
        let senses = &mut self.lexicon.senses[word as usize];
        match senses.iter_mut().find(|sense| sense.program == Some(number) && sense.me == me) {
            Some(known) => known.probability = known.probability.max(FIRST_BELIEF),
            None => senses.push(Sense { program: Some(number), me, probability: FIRST_BELIEF }),
        }
    }

    /// What the most promising candidates really save, the best first; those that save nothing are dropped.
    fn judge(
        &mut self,
        mut found: Vec<Candidate>,
        sample: &[&Pair],
        evidence: &[Evidence],
    ) -> Vec<Candidate> {
        found.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let mut numbered: Vec<(Candidate, u32)> = Vec::new();
        for candidate in found {
            let number = self.intern(&candidate.program);
            let banned = |choice: &Choice| choice.concerns(candidate.word, number, &self.lexicon.programs);
            let seen = |(other, program): &(Candidate, u32)| {
                *program == number && other.word == candidate.word && other.me == candidate.me
            };
            if numbered.len() < JUDGED && !self.banned.iter().any(banned) && !numbered.iter().any(seen) {
                numbered.push((candidate, number));
            }
        }
        let mut judged: Vec<Candidate> = numbered
            .into_par_iter()
            .map(|(candidate, number)| {
                let gain = self.saved(&candidate, number, sample, evidence);
                Candidate { gain, ..candidate }
            })
            .filter(|candidate| candidate.gain > 0.0)
            .collect();
        judged.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        judged
    }

    /// The bits saved over the examples with holes if a candidate were a sense of its word.
    fn saved(&self, candidate: &Candidate, number: u32, sample: &[&Pair], evidence: &[Evidence]) -> f64 {
        let Candidate { word, program, me, .. } = candidate;
        let mut lexicon = self.lexicon.clone();
        let senses = &mut lexicon.senses[*word as usize];
        senses.retain(|sense| sense.program != Some(number) || sense.me != *me);
        senses.push(Sense { program: Some(number), me: me.clone(), probability: 1.0 });
        lexicon.normalise();
        let concerned = sample
            .iter()
            .zip(evidence)
            .filter(|(pair, evidence)| !evidence.holes.is_empty() && pair.words.contains(word));
        let saved = concerned.map(|(pair, evidence)| {
            let chart = Chart::without_trees(&lexicon, &pair.words, &pair.target, chart::Limits::default());
            evidence.cost - cost(&chart, &pair.target)
        });
        saved.sum::<f64>() - self.price(program, me.as_ref(), *word)
    }

    /// What it costs to say that a word has this meaning.
    pub(super) fn price(&self, program: &Program, me: Option<&Value>, word: u32) -> f64 {
        let own = me.is_none_or(|me| Some(me) == self.own[word as usize].as_ref());
        let constant = if own { 0.0 } else { me.map_or(0.0, bits) };
        f64::from(self.costs.of(&program.body)) + constant
    }

    /// Looks for recursive programs where much is wanted and nothing simpler gives it.
    fn search_deeper(&mut self, places: &[Place<'_>], found: &[Candidate], least: f64) -> Vec<Candidate> {
        let served = |place: &Place<'_>| {
            let fits = |found: &&Candidate| found.word == place.word && found.program.arity == place.arity;
            found.iter().filter(fits).map(|found| found.gain).fold(0.0, f64::max)
        };
        let mut poor: Vec<(f64, &Place<'_>)> = places
            .iter()
            .filter(|place| place.arity > 0)
            .map(|place| (place.worth() - served(place), place))
            .filter(|(missing, place)| {
                let before = self.sought.get(&(place.word, place.arity));
                let again = |&(round, library): &(u32, usize)| {
                    self.round >= round + PATIENCE || self.lexicon.library.len() > library
                };
                *missing > least && before.is_none_or(again)
            })
            .collect();
        poor.sort_by(|a, b| b.0.total_cmp(&a.0));
        poor.truncate(DEEPER);
        for (_, place) in &poor {
            self.sought.insert((place.word, place.arity), (self.round, self.lexicon.library.len()));
        }
        let found = poor.par_iter().map(|(_, place)| self.search(place, Effort::DEEP));
        let found = found.collect::<Vec<_>>().concat();
        self.consider(&found);
        found
    }

    /// Remembers programs: what a shorter one explains as well now may tell them apart later.
    fn consider(&mut self, found: &[Candidate]) {
        for Candidate { program, .. } in found.iter().rev() {
            self.considered.retain(|other| other != program);
            self.considered.insert(0, program.clone());
        }
        self.considered.truncate(CONSIDERED);
    }

    /// What programs found in earlier rounds explain now.
    fn reconsider(&self, place: &Place<'_>) -> Vec<Candidate> {
        let own = self.own[place.word as usize].as_ref();
        let rows = place.rows();
        let mut evaluator = Evaluator::new(&self.lexicon.library);
        let mut candidate = |program: &Program| {
            let me = own.filter(|_| program.body.uses_me());
            let saved = rows.args.iter().zip(&rows.wants).flat_map(|(args, wants)| {
                let value = evaluator.run(program, args, me, FUEL).ok();
                let met = wants.iter().filter(move |want| Some(&want.value) == value.as_ref());
                met.map(|want| (want.example, want.bits))
            });
            let gain = gain(saved.collect()) - self.price(program, me, place.word);
            Candidate { word: place.word, program: program.clone(), me: me.cloned(), gain }
        };
        let programs = self.considered.iter().filter(|program| program.arity == place.arity);
        let mut found: Vec<Candidate> =
            programs.map(&mut candidate).filter(|candidate| candidate.gain > 0.0).collect();
        found.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        found.truncate(RESULTS);
        found
    }

    /// The programs that fill the holes of most examples of a place, without losing what is known there.
    pub(super) fn search(&self, place: &Place<'_>, effort: Effort<'_>) -> Vec<Candidate> {
        let me = self.own[place.word as usize].clone();
        if place.arity == 0 {
            return constant(place, me.as_ref());
        }
        // The empty list has a name of its own: a program that says it can be called by others.
        let me = me.filter(|me| *me != Value::list(&[]));
        let Rows { args, wants, .. } = place.rows();
        let extent = 2 + wants.iter().flatten().map(|want| want.value.extent()).max().unwrap_or(0);
        let row = |args: Vec<Value>| Row { args, me: me.clone() };
        let args: Vec<Row> = args.into_iter().map(row).collect();
        let library = Library { programs: &self.lexicon.library, callable: effort.callable };
        let limits = effort.limits(extent);
        let found = recursion::search(place.arity, self.kind, &args, &wants, library, &self.costs, limits);
        let candidate = |Found { program, gain, .. }: Found| {
            let me = program.body.uses_me().then(|| me.clone()).flatten();
            Candidate { word: place.word, program, me, gain }
        };
        found.into_iter().map(candidate).collect()
    }
}

/// How far a search goes.
#[derive(Clone, Copy)]
pub(super) struct Effort<'a> {
    /// Programs without recursion of a higher cost are not tried.
    pub cost: u32,
    /// So many terms of them are kept, and so many are tried.
    pub flat: (usize, u64),
    /// Whether recursive programs are looked for.
    pub recursive: bool,
    /// Who explains this share of the bits needs no costlier rival.
    pub enough: f64,
    /// Which programs of the library may be called; all beyond the last.
    pub callable: &'a [bool],
}

impl Effort<'_> {
    const FLAT: Effort<'static> =
        Effort { cost: 40, flat: (1_500, 12_000), recursive: false, enough: 0.6, callable: &[] };
    pub(super) const DEEP: Effort<'static> =
        Effort { flat: (10_000, 100_000), recursive: true, ..Effort::FLAT };

    /// Bounds for values of this extent.
    fn limits(self, extent: usize) -> Limits {
        let (terms, tried) = self.flat;
        let flat = SearchLimits { cost: self.cost, terms, tried, extent };
        // Long lists take longer to make.
        let tried = Limits::default().tried * SMALL / SMALL.max(extent as u64);
        let tried = if self.recursive { tried } else { 0 };
        Limits { flat, tried, results: RESULTS, enough: self.enough, ..Limits::default() }
    }
}

/// Different arguments with what is wanted for them.
#[derive(Default)]
struct Rows {
    args: Vec<Vec<Value>>,
    wants: Vec<Vec<Want>>,
    index: FxHashMap<Vec<Value>, usize>,
}

impl Rows {
    fn add(&mut self, args: &[Value], want: Want, most: usize) {
        match self.index.get(args) {
            Some(&row) => self.wants[row].push(want),
            None if self.args.len() >= most => {}
            None => {
                self.index.insert(args.to_vec(), self.args.len());
                self.args.push(args.to_vec());
                self.wants.push(vec![want]);
            }
        }
    }
}

/// Where words have children and what they give is known, the examples with the words, the values of the children and
/// their own.
fn known(evidence: &[Evidence]) -> impl Iterator<Item = (u32, usize, &[Value], &Value)> {
    let settled = evidence.iter().enumerate().filter(|(_, evidence)| evidence.holes.is_empty());
    settled.flat_map(|(example, evidence)| {
        evidence.known.iter().map(move |(word, args, value)| (*word, example, &args[..], value))
    })
}

/// What is wanted of each word and number of children, and some of what is known, the smallest examples first.
fn places(evidence: &[Evidence]) -> Vec<Place<'_>> {
    let mut places = wanted(evidence);
    for (word, example, args, value) in known(evidence) {
        if let Some(place) = places.get_mut(&(word, args.len() as u8))
            && place.known.len() < ROWS
        {
            place.known.push((example, args, value));
        }
    }
    places.into_values().collect()
}

/// The same for all words that have children, with some of what is known from examples of all sizes.
pub(super) fn places_of_all(evidence: &[Evidence]) -> Vec<Place<'_>> {
    let mut places = wanted(evidence);
    for (word, example, args, value) in known(evidence) {
        let arity = args.len() as u8;
        let place = places.entry((word, arity)).or_insert_with(|| Place::new(word, arity));
        place.known.push((example, args, value));
    }
    for place in places.values_mut() {
        let step = place.known.len().div_ceil(ROWS).max(1);
        place.known = place.known.iter().copied().step_by(step).collect();
    }
    places.into_values().collect()
}

/// What is wanted of each word and number of children.
fn wanted(evidence: &[Evidence]) -> BTreeMap<(u32, u8), Place<'_>> {
    let mut places: BTreeMap<(u32, u8), Place<'_>> = BTreeMap::new();
    for (example, evidence) in evidence.iter().enumerate() {
        for hole in &evidence.holes {
            // The children's senses have to be said too: less is saved where they are improbable.
            let alike = |other: &&Hole| other.word == hole.word && other.args.len() == hole.args.len();
            let likely = evidence.holes.iter().filter(alike).map(|hole| hole.weight).fold(0.0, f64::max);
            let most = bits(&hole.want).min(evidence.cost);
            let bits = most + (hole.weight / likely).log2();
            if bits > PLAUSIBLE * most {
                let (word, arity) = (hole.word, hole.args.len() as u8);
                let place = places.entry((word, arity)).or_insert_with(|| Place::new(word, arity));
                place.wishes.push(Wish { example, hole, bits });
            }
        }
    }
    places
}

/// A hole that would save less than this share for want of probable surroundings is none.
const PLAUSIBLE: f64 = 0.5;
/// At most so many senses are proposed in a round.
const PROPOSED: usize = 3;
/// The probability of a sense that is proposed.
const FIRST_BELIEF: f64 = 0.25;
/// So many places are searched.
const PLACES: usize = 8;
/// So many candidates of each are kept.
pub(super) const RESULTS: usize = 3;
/// And so many of all are judged by what they really save.
const JUDGED: usize = 12;
/// So many different arguments are looked at, the most probable first.
const ROWS: usize = 24;
/// Recursive programs are looked for in so many places at most.
const DEEPER: usize = 6;
/// So many of the programs found there are remembered.
const CONSIDERED: usize = 64;
/// Fuel for running one of them.
const FUEL: u32 = 5_000;
/// And where nothing was found only so many rounds later again.
const PATIENCE: u32 = 3;
/// As many as ever are tried where values are no larger than this.
const SMALL: u64 = 10;
/// And only where they could save so many bits.
const WORTHWHILE: f64 = 40.0;
/// And this share of all results: the rest may be wrong examples.
const CONSIDERABLE: f64 = 0.04;

/// The bits saved over all examples, each counted once, at its best.
pub(super) fn gain(mut saved: Vec<(usize, f64)>) -> f64 {
    saved.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    saved.dedup_by_key(|(example, _)| *example);
    saved.iter().map(|(_, bits)| bits).sum()
}

/// The constants that fill most holes of a word without children.
fn constant(place: &Place<'_>, own: Option<&Value>) -> Vec<Candidate> {
    let mut wants: FxHashMap<&Value, Vec<(usize, f64)>> = FxHashMap::default();
    for wish in &place.wishes {
        wants.entry(&wish.hole.want).or_default().push((wish.example, wish.bits));
    }
    let price = |want: &Value| if Some(want) == own { 0.0 } else { bits(want) };
    let program = Program { arity: 0, body: Expr::Me };
    let mut found: Vec<Candidate> = wants
        .into_iter()
        .map(|(want, saved)| Candidate {
            word: place.word,
            program: program.clone(),
            me: Some(want.clone()),
            gain: gain(saved) - price(want),
        })
        .filter(|candidate| candidate.gain > 0.0)
        .collect();
    found.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.me.cmp(&b.me)));
    found.truncate(RESULTS);
    found
}
