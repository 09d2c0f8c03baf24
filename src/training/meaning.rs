//! Learns the lexicon from examples: expectation maximisation over all trees and senses, with new senses
//! induced from the holes of examples that nothing explains yet.

use crate::abduction::chart::{self, Chart};
use crate::abduction::holes::{self, Hole};
use crate::semantics::costs::Costs;
use crate::semantics::enumerate::{Limits as SearchLimits, Row, Search, UNDEFINED};
use crate::semantics::eval::{self, Scope};
use crate::semantics::lexicon::{FUEL, Lexicon, Sense};
use crate::semantics::program::{Expr, Program};
use crate::symbol::Symbol;
use crate::value::{Type, Value};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// One distinct input with its result.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The words.
    pub words: Vec<u32>,
    /// The result.
    pub target: Value,
}

impl Pair {
    /// How large the example is: words and what there is to say about the result.
    pub fn size(&self) -> usize {
        self.words.len() + self.target.extent()
    }
}

/// What has been learned about meanings, and how far learning has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meanings {
    /// The senses of all words.
    pub lexicon: Lexicon,
    /// The prior over primitives.
    pub costs: Costs,
    /// The expected uses of each sense in the last round.
    pub uses: Vec<Vec<f64>>,
    kind: Type,
    own: Vec<Option<Value>>,
    /// What each program of the lexicon does on sample arguments: programs that behave alike are one.
    behaviours: Vec<Vec<Option<Value>>>,
    schedule: Schedule,
    /// Programs that no word may have.
    banned: Vec<u32>,
}

/// Which examples the next round looks at: the smallest first, twice as many at each stage, then samples of
/// all sizes until nothing changes any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Schedule {
    /// How many of the smallest examples are looked at; all sizes are sampled when it exceeds [`SMALLEST`].
    smallest: usize,
    /// Rounds since the stage began.
    round: usize,
    /// The largest number of examples settled at this stage.
    best: usize,
    /// Rounds without progress.
    idle: usize,
    /// At most so many rounds at this stage.
    rounds: usize,
    done: bool,
}

/// The smallest examples are looked at on their own up to this number.
const SMALLEST: usize = 256;
/// The number of examples of all sizes in a sample.
const SAMPLE: usize = 200;
/// The number of examples by which lexicons are judged.
const JUDGES: usize = 150;
/// So many unexplained examples of a round are searched for holes, the smallest first.
const SEARCHED: usize = 32;

/// A sense that makes up less than this share of a word's uses is not believed.
const RARE: f64 = 0.01;

/// A revision that makes the data longer by more than this, in bits, is not followed up.
const DOUBT: f64 = 20.0;

/// What a round came to.
#[derive(Clone, Debug)]
pub struct Round {
    /// Examples explained by settled senses.
    pub explained: usize,
    /// Examples looked at.
    pub examples: usize,
    /// Senses proposed: word and program.
    pub proposed: Vec<(u32, Program)>,
}

struct Evidence {
    posterior: Option<chart::Posterior>,
    holes: Vec<Hole>,
    settled: bool,
}

impl Meanings {
    /// Starts with the cheapest programs as possible senses of every word; `own` is the constant each word
    /// brings.
    pub fn new(own: Vec<Option<Value>>, kind: Type) -> Meanings {
        let lexicon = Lexicon { senses: vec![Vec::new(); own.len()], ..Lexicon::default() };
        let (costs, schedule) = (Costs::default(), Schedule::default());
        let mut meanings = Meanings {
            lexicon,
            costs,
            uses: Vec::new(),
            kind,
            own,
            behaviours: Vec::new(),
            schedule,
            banned: Vec::new(),
        };
        for arity in 0..=2 {
            for program in cheapest(arity, kind, &meanings.costs, SEEDS[arity as usize]) {
                meanings.seed(&program);
            }
        }
        for senses in &mut meanings.lexicon.senses {
            senses.push(Sense { program: None, me: None, probability: prior(VOID_COST) });
        }
        meanings.lexicon.normalise();
        meanings
    }

    /// Makes `program` a possible sense of every word that has what it needs.
    fn seed(&mut self, program: &Program) {
        let probability = prior(self.costs.of(&program.body));
        let number = self.intern(program);
        for (word, own) in self.own.iter().enumerate() {
            let me = program.body.uses_me().then(|| own.clone()).flatten();
            if me.is_some() == program.body.uses_me() {
                self.lexicon.senses[word].push(Sense { program: Some(number), me, probability });
            }
        }
    }

    /// The number of a program that does what `program` does.
    fn intern(&mut self, program: &Program) -> u32 {
        let run = |row: u32| {
            let Row { args, me } = sample_row(program.arity, self.kind, row);
            let scope = Scope { args: &args, me: me.as_ref(), library: &self.lexicon.library };
            eval::run(program, scope, FUEL).ok()
        };
        let behaviour: Vec<Option<Value>> = (0..SAMPLE_ROWS).map(run).collect();
        let same = |(other, known): (&Program, &Vec<Option<Value>>)| {
            other.arity == program.arity && *known == behaviour
        };
        if let Some(number) = self.lexicon.programs.iter().zip(&self.behaviours).position(same) {
            return number as u32;
        }
        self.behaviours.push(behaviour);
        self.lexicon.intern(program)
    }

    /// What is believed here but for `program`, which no word may have any more, ready to be learned anew: a
    /// choice that was best when it was made may be wrong in the end.
    pub fn without(&self, program: u32) -> Meanings {
        let mut other = self.clone();
        other.banned.push(program);
        for senses in &mut other.lexicon.senses {
            senses.retain(|sense| sense.program != Some(program));
            // What was nearly certain may depend on what is banned: doubt everything a little.
            senses.iter_mut().for_each(|sense| sense.probability = sense.probability.powf(0.7));
        }
        other.lexicon.normalise();
        other.schedule = Schedule { smallest: SMALLEST + 1, rounds: REVISED, ..Schedule::default() };
        other
    }

    /// Whether everything fits together and a vocabulary of so many words: a file may hold anything.
    pub fn is_sound(&self, words: usize) -> bool {
        let kinds = self.own.iter().flatten().all(|value| value.kind() == self.kind);
        self.own.len() == words && self.behaviours.len() == self.lexicon.programs.len() && kinds
    }

    /// Programs that several words share: the choices that matter most.
    pub fn shared_programs(lexicon: &Lexicon) -> Vec<u32> {
        let mut words: FxHashMap<u32, usize> = FxHashMap::default();
        for program in lexicon.senses.iter().flatten().filter_map(|sense| sense.program) {
            if lexicon.programs[program as usize].arity > 0 {
                *words.entry(program).or_default() += 1;
            }
        }
        let mut shared: Vec<u32> =
            words.into_iter().filter(|(_, words)| *words > 1).map(|(program, _)| program).collect();
        shared.sort_unstable();
        shared
    }

    /// Whether there is nothing left to do.
    pub fn is_done(&self) -> bool {
        self.schedule.done
    }

    /// One step of learning from `pairs`, which stand in order of size: weigh all trees and senses, count,
    /// and propose new senses where nothing fits.
    pub fn step(&mut self, pairs: &[Pair]) -> Round {
        let sample = self.schedule.sample(pairs);
        let mut evidence: Vec<Evidence> = sample.par_iter().map(|pair| self.weigh(pair)).collect();
        let explained = evidence.iter().filter(|evidence| evidence.settled).count();
        let unsettled: Vec<usize> =
            (0..sample.len()).filter(|&index| !evidence[index].settled).take(SEARCHED).collect();
        let holes: Vec<Vec<Hole>> = unsettled.par_iter().map(|&index| self.holes(sample[index])).collect();
        for (index, holes) in unsettled.into_iter().zip(holes) {
            evidence[index].holes = holes;
        }
        self.count(&evidence);
        let proposed = self.induce(&evidence);
        self.schedule.advance(explained, sample.len(), pairs.len());
        Round { explained, examples: sample.len(), proposed }
    }

    /// The lexicon that is believed in the end: for each word and number of children one sense, if the word is
    /// used so often enough, and only as many senses as the examples need.
    fn harden(&self, pairs: &[Pair]) -> Lexicon {
        let mut lexicon = self.lexicon.clone();
        for (word, senses) in lexicon.senses.iter_mut().enumerate() {
            let uses: Vec<f64> =
                senses.iter().enumerate().map(|(number, _)| self.used(word, number)).collect();
            let total: f64 = uses.iter().sum();
            let group = |sense: &Sense| self.lexicon.arity(sense).unwrap_or(0);
            let best = |number: usize| {
                (0..senses.len()).all(|other| {
                    group(&senses[other]) != group(&senses[number])
                        || (uses[other], number) <= (uses[number], other)
                })
            };
            let keep: Vec<bool> =
                (0..senses.len()).map(|number| uses[number] > RARE * total && best(number)).collect();
            let mut flags = keep.iter();
            senses.retain(|_| flags.next() == Some(&true));
        }
        lexicon.normalise();
        self.simplify(lexicon, pairs)
    }

    fn used(&self, word: usize, number: usize) -> f64 {
        self.uses.get(word).and_then(|uses| uses.get(number)).copied().unwrap_or(0.0)
    }

    /// Looks for a simpler lexicon that explains as much: without senses that are not needed, and with other
    /// single senses for words that make senses of other words superfluous.
    fn simplify(&self, lexicon: Lexicon, pairs: &[Pair]) -> Lexicon {
        let sample = judges(pairs);
        let mut best = self.without_needless(lexicon, &sample);
        for word in 0..best.senses.len() {
            for sense in
                self.lexicon.senses[word].iter().filter(|sense| self.lexicon.arity(sense).unwrap_or(0) == 0)
            {
                if best.senses[word].len() == 1 && best.senses[word][0].program == sense.program {
                    continue;
                }
                let mut other = best.clone();
                other.senses[word] = vec![Sense { probability: 1.0, ..sense.clone() }];
                if self.data_bits(&other, &sample) > self.data_bits(&best, &sample) + DOUBT {
                    continue;
                }
                let other = self.without_needless(other, &sample);
                if self.length(&other, &sample) < self.length(&best, &sample) {
                    best = other;
                }
            }
        }
        best
    }

    /// Drops senses, the rarest first, that cost more than they explain.
    fn without_needless(&self, mut lexicon: Lexicon, sample: &[&Pair]) -> Lexicon {
        let mut places: Vec<(f64, usize, Option<u32>)> = Vec::new();
        for (word, senses) in lexicon.senses.iter().enumerate() {
            places.extend(senses.iter().map(|sense| (sense.probability, word, sense.program)));
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let mut length = self.length(&lexicon, sample);
        for (_, word, program) in places {
            let mut without = lexicon.clone();
            without.senses[word].retain(|sense| sense.program != program);
            let shorter = self.length(&without, sample);
            if !without.senses[word].is_empty() && shorter <= length {
                (lexicon, length) = (without, shorter);
            }
        }
        lexicon.normalise();
        lexicon
    }

    /// The description length of the lexicon and of what it leaves unexplained, in bits.
    fn length(&self, lexicon: &Lexicon, sample: &[&Pair]) -> f64 {
        let mut programs: Vec<u32> =
            lexicon.senses.iter().flatten().filter_map(|sense| sense.program).collect();
        let senses =
            programs.len() + lexicon.senses.iter().flatten().filter(|sense| sense.program.is_none()).count();
        programs.sort_unstable();
        programs.dedup();
        let programs: u32 =
            programs.iter().map(|&program| self.costs.of(&lexicon.programs[program as usize].body)).sum();
        f64::from(programs)
            + f64::from(VOID_COST) * senses as f64
            + self.constant_bits(lexicon)
            + self.data_bits(lexicon, sample)
    }

    /// What it takes to say the constants that are not the words' own.
    fn constant_bits(&self, lexicon: &Lexicon) -> f64 {
        let words = lexicon.senses.iter().zip(&self.own);
        words
            .flat_map(|(senses, own)| senses.iter().map(move |sense| f64::from(constant_cost(sense, own))))
            .sum()
    }

    /// What it takes to say the results, given the inputs and the lexicon: for each example how far its
    /// result is from being the only one that trees give, or the result itself where none gives it.
    fn data_bits(&self, lexicon: &Lexicon, sample: &[&Pair]) -> f64 {
        let bits: Vec<f64> = sample
            .par_iter()
            .map(|pair| {
                let likelihood =
                    Chart::new(lexicon, &pair.words, &pair.target, chart::Limits::default()).likelihood();
                if likelihood > 0.0 {
                    (-likelihood.log2()).min(bits(&pair.target))
                } else {
                    bits(&pair.target)
                }
            })
            .collect();
        bits.iter().sum()
    }

    /// The description length of what this start has come to, in bits, and the lexicon.
    pub fn result(&self, pairs: &[Pair]) -> (f64, Lexicon) {
        let lexicon = self.harden(pairs);
        (self.length(&lexicon, &judges(pairs)), lexicon)
    }

    fn holes(&self, pair: &Pair) -> Vec<Hole> {
        let mut chart = Chart::new(&self.lexicon, &pair.words, &pair.target, chart::Limits::default());
        holes::holes(&mut chart, &self.lexicon, &pair.words, &pair.target, holes::Limits::default())
    }

    fn weigh(&self, pair: &Pair) -> Evidence {
        let chart = Chart::new(&self.lexicon, &pair.words, &pair.target, chart::Limits::default());
        let posterior = chart.posterior();
        let settled = chart.best().is_some_and(|best| self.is_settled(&pair.words, &best.senses));
        Evidence { posterior, holes: Vec::new(), settled }
    }

    /// Whether every word is used in the sense that it has most often with so many children. An explanation
    /// by a rare sense is as good as none when looking for better ones: one word, one meaning.
    fn is_settled(&self, words: &[u32], senses: &[u16]) -> bool {
        words.iter().zip(senses).all(|(&word, &sense)| self.share(word as usize, sense as usize) > 0.5)
    }

    /// The probability of a sense among those of the word with the same number of children.
    fn share(&self, word: usize, sense: usize) -> f64 {
        let senses = &self.lexicon.senses[word];
        let arity = self.lexicon.arity(&senses[sense]);
        let total: f64 = senses
            .iter()
            .filter(|other| self.lexicon.arity(other) == arity)
            .map(|other| other.probability)
            .sum();
        senses[sense].probability / total
    }

    /// Learns from the meanings settled so far what programs are made of, and lets later ones call them.
    fn consolidate(&mut self, uses: &[Vec<f64>]) {
        let mut solved: Vec<(u32, f64)> = Vec::new();
        for (word, uses) in uses.iter().enumerate() {
            for (number, count) in uses.iter().enumerate() {
                let sense = &self.lexicon.senses[word][number];
                let Some(program) = sense.program else { continue };
                if *count > 3.0 && self.share(word, number) > 0.8 {
                    solved.push((program, *count));
                }
            }
        }
        self.costs =
            Costs::learn(solved.iter().map(|(program, _)| &self.lexicon.programs[*program as usize]));
        for (program, _) in solved {
            let program = self.lexicon.programs[program as usize].clone();
            if program.body.size() > 1 && !program.body.uses_me() && !self.lexicon.library.contains(&program)
            {
                self.lexicon.library.push(program);
            }
        }
    }

    /// Re-estimates the probability of every sense from its expected uses. Programs that other words use too
    /// are believed more easily: sharing a program is cheaper than having one's own.
    fn count(&mut self, evidence: &[Evidence]) {
        let mut uses: Vec<Vec<f64>> =
            self.lexicon.senses.iter().map(|senses| vec![0.0; senses.len()]).collect();
        for posterior in evidence.iter().filter_map(|evidence| evidence.posterior.as_ref()) {
            for &(word, sense, count) in &posterior.uses {
                uses[word as usize][sense as usize] += count;
            }
        }
        let mut popularity = vec![0.0; self.lexicon.programs.len()];
        for (senses, uses) in self.lexicon.senses.iter().zip(&uses) {
            let total: f64 = uses.iter().sum::<f64>() + 1.0;
            for (sense, count) in senses.iter().zip(uses) {
                if let Some(program) = sense.program {
                    popularity[program as usize] += count / total;
                }
            }
        }
        let costs = &self.costs;
        let belief = |sense: &Sense, own: &Option<Value>, programs: &[Program]| match sense.program {
            None => prior(VOID_COST),
            Some(program) => {
                let constant = constant_cost(sense, own);
                (prior(costs.of(&programs[program as usize].body)) + popularity[program as usize])
                    * prior(constant)
            }
        };
        let Lexicon { senses, programs, .. } = &mut self.lexicon;
        for ((senses, uses), own) in senses.iter_mut().zip(&uses).zip(&self.own) {
            let total: f64 = senses.iter().map(|sense| belief(sense, own, programs)).sum();
            for (sense, count) in senses.iter_mut().zip(uses) {
                sense.probability = count + belief(sense, own, programs) / total;
            }
        }
        self.lexicon.normalise();
        self.consolidate(&uses);
        self.uses = uses;
    }

    /// Proposes senses that would fill the holes of many examples.
    fn induce(&mut self, evidence: &[Evidence]) -> Vec<(u32, Program)> {
        let mut places: FxHashMap<(u32, usize), Vec<(usize, &Hole)>> = FxHashMap::default();
        for (example, evidence) in evidence.iter().enumerate() {
            for hole in &evidence.holes {
                places.entry((hole.word, hole.args.len())).or_default().push((example, hole));
            }
        }
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_by_key(|(place, _)| *place);
        let mut wishes: Vec<(u32, u8, Vec<Wish<'_>>)> = places
            .into_iter()
            .map(|((word, arity), holes)| {
                let wishes = holes.iter().map(|&(example, hole)| Wish { example, hole });
                (word, arity as u8, wishes.collect())
            })
            .collect();
        // What a program could save at most, if it filled every hole.
        let hope = |wishes: &[Wish<'_>]| {
            gain(wishes.iter().map(|wish| (wish.example, bits(&wish.hole.want))).collect())
        };
        wishes.sort_by(|a, b| hope(&b.2).total_cmp(&hope(&a.2)));
        wishes.truncate(8);
        let mut found: Vec<Candidate> = wishes
            .par_iter()
            .map(|(word, arity, wishes)| self.search(*word, *arity, wishes))
            .collect::<Vec<_>>()
            .concat();
        found.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let least = found.first().map_or(0.0, |best| best.gain / 2.0);
        let mut taken: Vec<(u32, Program)> = Vec::new();
        for Candidate { word, program, me, gain } in found {
            let known = |(other, taken): &(u32, Program)| *other == word && taken.arity == program.arity;
            if taken.iter().any(known) || taken.len() == 3 || gain < least {
                continue;
            }
            let number = self.intern(&program);
            if self.banned.contains(&number) {
                continue;
            }
            taken.push((word, program.clone()));
            match self.lexicon.find(word as usize, Some(number), me.as_ref()) {
                Some(place) => {
                    let probability = &mut self.lexicon.senses[word as usize][place].probability;
                    *probability = probability.max(0.05);
                }
                None => self.lexicon.senses[word as usize].push(Sense {
                    program: Some(number),
                    me,
                    probability: 0.05,
                }),
            }
        }
        self.lexicon.normalise();
        taken
    }

    /// Programs of `arity` arguments for `word` that fill the holes of as many examples as possible.
    fn search(&self, word: u32, arity: u8, holes: &[Wish<'_>]) -> Vec<Candidate> {
        let me = self.own[word as usize].clone();
        if arity == 0 {
            return constant(word, me.as_ref(), holes);
        }
        let mut rows: Vec<Row> = Vec::new();
        let mut wants: Vec<Vec<&Wish<'_>>> = Vec::new();
        let mut index: FxHashMap<&[Value], usize> = FxHashMap::default();
        let mut heavy: Vec<&Wish<'_>> = holes.iter().collect();
        heavy.sort_by(|a, b| b.hole.weight.total_cmp(&a.hole.weight));
        for wish in heavy {
            let row = match index.get(wish.hole.args.as_slice()) {
                Some(&row) => row,
                None if rows.len() == 24 => continue,
                None => {
                    rows.push(Row { args: wish.hole.args.clone(), me: me.clone() });
                    wants.push(Vec::new());
                    index.insert(&wish.hole.args, rows.len() - 1);
                    rows.len() - 1
                }
            };
            wants[row].push(wish);
        }
        let extent = 2 + wants.iter().flatten().map(|wish| wish.hole.want.extent()).max().unwrap_or(0);
        let limits = SearchLimits { cost: 40, terms: 1_500, tried: 12_000, extent };
        let mut search = Search::new(arity, self.kind, &rows, &self.lexicon.library, &self.costs, limits);
        let ids: Vec<Vec<(u32, usize, f64)>> = wants
            .iter()
            .map(|wants| {
                wants
                    .iter()
                    .map(|wish| (search.intern(wish.hole.want.clone()), wish.example, bits(&wish.hole.want)))
                    .collect()
            })
            .collect();
        let mut best: Vec<(f64, u32)> = Vec::new();
        search.run(self.kind, |found| {
            let mut saved = Vec::new();
            for (row, value) in found.values.iter().enumerate().filter(|(_, value)| **value != UNDEFINED) {
                saved.extend(
                    ids[row]
                        .iter()
                        .filter(|(want, ..)| want == value)
                        .map(|&(_, example, bits)| (example, bits)),
                );
            }
            let gain = gain(saved) - f64::from(found.cost);
            if gain > 0.0 {
                best.push((gain, found.number()));
            }
            true
        });
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        best.truncate(1);
        best.into_iter()
            .map(|(gain, number)| {
                let body = search.expr_of(number);
                let me = body.uses_me().then(|| me.clone()).flatten();
                Candidate { word, program: Program { arity, body }, me, gain }
            })
            .collect()
    }
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { smallest: 32, round: 0, best: 0, idle: 0, rounds: ROUNDS, done: false }
    }
}

impl Schedule {
    fn sample<'a>(&self, pairs: &'a [Pair]) -> Vec<&'a Pair> {
        match self.smallest <= SMALLEST {
            true => pairs.iter().take(self.smallest).collect(),
            false => spread(pairs, SAMPLE, self.round).into_iter().map(|index| &pairs[index]).collect(),
        }
    }

    fn advance(&mut self, settled: usize, sample: usize, all: usize) {
        self.round += 1;
        self.idle = if settled > self.best && settled < sample { 0 } else { self.idle + 1 };
        self.best = self.best.max(settled);
        let patience = if settled < sample * 9 / 10 { 4 } else { 2 };
        if self.idle < patience && self.round < self.rounds {
            return;
        }
        match self.smallest > SMALLEST {
            true => self.done = true,
            false => {
                let smallest = if sample == all { SMALLEST + 1 } else { self.smallest * 2 };
                *self = Schedule { smallest, ..Schedule::default() };
            }
        }
    }
}

/// About `size` examples of all sizes, others in every round, and of each word the smallest that have it.
pub fn spread(pairs: &[Pair], size: usize, round: usize) -> Vec<usize> {
    let step = pairs.len().div_ceil(size).max(1);
    let mut seen: FxHashMap<u32, usize> = FxHashMap::default();
    let mut wanted = |index: usize| {
        let mut rare = false;
        for &word in &pairs[index].words {
            let count = seen.entry(word).or_default();
            rare |= *count < OF_EACH_WORD;
            *count += 1;
        }
        rare || index % step == round % step
    };
    (0..pairs.len()).filter(|&index| wanted(index)).collect()
}

/// The examples by which lexicons are judged.
fn judges(pairs: &[Pair]) -> Vec<&Pair> {
    spread(pairs, JUDGES, 0).into_iter().map(|index| &pairs[index]).collect()
}

/// So many examples of each word are in every sample, as far as there are so many.
const OF_EACH_WORD: usize = 4;

/// At most so many rounds at each stage.
const ROUNDS: usize = 12;
/// At most so many rounds without a banned program.
const REVISED: usize = 6;

struct Wish<'a> {
    example: usize,
    hole: &'a Hole,
}

#[derive(Clone)]
struct Candidate {
    word: u32,
    program: Program,
    me: Option<Value>,
    gain: f64,
}

/// The bits saved over all examples, each counted once, at its best.
fn gain(mut saved: Vec<(usize, f64)>) -> f64 {
    saved.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    saved.dedup_by_key(|(example, _)| *example);
    saved.iter().map(|(_, bits)| bits).sum()
}

/// What it costs to write a value down as it is.
fn bits(value: &Value) -> f64 {
    4.0 + 3.0 * value.extent() as f64
}

/// Constants that fill the holes of a word without children.
fn constant(word: u32, own: Option<&Value>, holes: &[Wish<'_>]) -> Vec<Candidate> {
    let mut wants: FxHashMap<&Value, Vec<(usize, f64)>> = FxHashMap::default();
    for wish in holes {
        wants.entry(&wish.hole.want).or_default().push((wish.example, bits(&wish.hole.want)));
    }
    let mut wants: Vec<_> = wants
        .into_iter()
        .map(|(want, saved)| (want, gain(saved)))
        .map(|(want, gain)| (want, if Some(want) == own { gain } else { gain - bits(want) * 2.0 }))
        .collect();
    wants.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let program = Program { arity: 0, body: Expr::Me };
    wants
        .into_iter()
        .take(1)
        .filter(|(_, gain)| *gain > 0.0)
        .map(|(want, gain)| Candidate { word, program: program.clone(), me: Some(want.clone()), gain })
        .collect()
}

/// What it costs to say the constant of a sense, if it is not the word's own.
fn constant_cost(sense: &Sense, own: &Option<Value>) -> u32 {
    match &sense.me {
        Some(me) if Some(me) != own.as_ref() => 4 * me.extent() as u32,
        _ => 0,
    }
}

fn prior(cost: u32) -> f64 {
    (-f64::from(cost)).exp2()
}

/// What it costs to say that a word contributes nothing.
const VOID_COST: u32 = 4;

/// How many programs of each arity every word starts with.
const SEEDS: [usize; 3] = [2, 8, 6];

/// The cheapest programs of `arity` arguments that look at all of them.
fn cheapest(arity: u8, kind: Type, costs: &Costs, most: usize) -> Vec<Program> {
    let rows: Vec<Row> = (0..SAMPLE_ROWS).map(|row| sample_row(arity, kind, row)).collect();
    let limits = SearchLimits { cost: 16, terms: 4_000, tried: 100_000, ..SearchLimits::default() };
    let mut search = Search::new(arity, kind, &rows, &[], costs, limits);
    let mut numbers = Vec::new();
    search.run(kind, |found| {
        numbers.push(found.number());
        true
    });
    let programs = numbers.into_iter().map(|number| Program { arity, body: search.expr_of(number) });
    programs.filter(|program| (0..arity).all(|arg| program.body.uses(arg))).take(most).collect()
}

/// How many sample arguments tell programs apart.
const SAMPLE_ROWS: u32 = 3;

/// Arguments that tell programs apart: no token or number occurs twice.
fn sample_row(arity: u8, kind: Type, row: u32) -> Row {
    let value = |place: u32| match kind {
        Type::Nat => Value::Nat(u64::from(3 + 7 * place + 5 * row)),
        _ => {
            let first = 100 * row + 10 * place;
            Value::list(&(first..first + 2 + (place + row) % 3).map(Symbol).collect::<Vec<_>>())
        }
    };
    Row { args: (0..u32::from(arity)).map(value).collect(), me: Some(value(9)) }
}
