//! Learns the lexicon from examples: expectation maximisation over all trees and senses, with new senses
//! induced from the holes of examples that nothing explains yet.

mod begin;
mod induce;
mod refine;
mod samples;
mod schedule;
mod simplify;
mod templates;

pub use schedule::spread;
pub use simplify::Outcome;

pub(super) use samples::sample_rows;

use crate::abduction::chart::{self, Chart, MAX_ARITY};
use crate::abduction::holes::{self, Hole};
use crate::deduction;
use crate::semantics::costs::{Costs, TOKEN};
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::semantics::program::{Expr, Program};
use crate::symbol::Symbol;
use crate::tree::Tree;
use crate::value::{Type, Value};
use rayon::prelude::*;
use samples::behaviour;
use schedule::Schedule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One distinct input with its result.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The words.
    pub words: Vec<u32>,
    /// The result.
    pub target: Value,
}

impl Pair {
    /// How large the example is: words and output tokens.
    pub fn size(&self) -> usize {
        let tokens = if let Value::List(list) = &self.target { list.0.len() } else { 1 };
        self.words.len() + tokens
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
    /// How often learning was begun anew before.
    pub start: u32,
    /// The share of examples explained by settled senses in the last round.
    pub settled: f64,
    /// The same in the last round of the smallest examples.
    pub begun: f64,
    /// Rounds so far.
    round: u32,
    /// Where recursive programs were looked for: word and number of children, with the round and the size of
    /// the library then.
    sought: BTreeMap<(u32, u8), (u32, usize)>,
    /// Programs found there, whether believed or not, the latest first.
    considered: Vec<Program>,
    /// Choices that have been taken back.
    banned: Vec<Choice>,
    /// Which words are known and keep their senses; those beyond the end are not.
    known: Vec<bool>,
}

/// So many unexplained examples of a round are searched for holes.
const SEARCHED: usize = 48;
/// Examples that cost no more bits are not worth a search.
const CHEAP: f64 = 2.0;

/// No learning takes so many rounds.
const MANY_ROUNDS: u32 = 1 << 24;

/// A choice that can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Choice {
    /// That words have this program.
    Program(u32),
    /// That this word has a meaning with so many children.
    Children(u32, u8),
}

impl Choice {
    /// The choices that matter most: programs that several words share, and meanings that a word has beside others
    /// and that are its own, or that it shares with words which otherwise mean other things.
    pub fn all(lexicon: &Lexicon) -> Vec<Choice> {
        let arity = |program: u32| lexicon.programs[program as usize].arity;
        let mut words: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (word, senses) in lexicon.senses.iter().enumerate() {
            for program in
                senses.iter().filter_map(|sense| sense.program).filter(|&program| arity(program) > 0)
            {
                words.entry(program).or_default().push(word as u32);
            }
        }
        let meant = |word: u32| lexicon.senses[word as usize].iter().map(|sense| sense.program);
        let mut choices = Vec::new();
        for (program, words) in words {
            if words.len() > 1 {
                choices.push(Choice::Program(program));
            }
            let is_kin = |word: u32, other: &u32| word != *other && meant(word).eq(meant(*other));
            let is_odd = |word: &&u32| !words.iter().any(|other| is_kin(**word, other));
            let odd = words.iter().filter(|word| meant(**word).len() > 1).filter(is_odd);
            choices.extend(odd.map(|word| Choice::Children(*word, arity(program))));
        }
        choices
    }

    /// Whether it is this choice that `word` has `program`.
    fn concerns(self, word: u32, program: u32, programs: &[Program]) -> bool {
        match self {
            Choice::Program(banned) => program == banned,
            Choice::Children(of, children) => word == of && programs[program as usize].arity == children,
        }
    }
}

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
    prior: chart::Posterior,
    holes: Vec<Hole>,
    settled: bool,
    /// Where settled: words with children, the values of these, and the value they give.
    known: Vec<(u32, Vec<Value>, Value)>,
    /// What it takes to say the result, given the input and what is believed, in bits.
    cost: f64,
}

impl Meanings {
    /// What is believed when all words of `lexicon` are known and others come, each with its constant.
    pub(super) fn extended(&self, lexicon: &Lexicon, own: Vec<Option<Value>>) -> Meanings {
        let mut all = self.own.clone();
        all.extend(own);
        let mut uses = self.uses.clone();
        uses.resize(all.len(), Vec::new());
        // What was counted before may have been other senses than the ones kept.
        for (uses, senses) in uses.iter_mut().zip(&lexicon.senses) {
            *uses = senses.iter().map(|sense| sense.probability * uses.iter().sum::<f64>()).collect();
        }
        let behaviour = |program| behaviour(program, self.kind, &lexicon.library);
        let mut meanings = Meanings {
            behaviours: lexicon.programs.iter().map(behaviour).collect(),
            lexicon: lexicon.clone(),
            costs: self.costs.clone(),
            uses,
            known: vec![true; lexicon.senses.len()],
            ..Meanings::blank(all, self.kind)
        };
        meanings.lexicon.senses.resize(meanings.own.len(), Vec::new());
        meanings.share_programs();
        meanings
    }

    /// Lets later programs call those of all words.
    fn share_programs(&mut self) {
        let meant = meant(&self.lexicon);
        self.make_callable(meant);
    }

    /// Lets later programs call these, as far as that is worth while.
    fn make_callable(&mut self, programs: Vec<Program>) {
        for program in programs {
            if is_callable(&program) && !self.lexicon.library.contains(&program) {
                self.lexicon.library.push(program);
            }
        }
    }

    /// Whether some word means this.
    pub(super) fn is_meant(&self, program: &Program) -> bool {
        let Lexicon { programs, senses, .. } = &self.lexicon;
        let mut used = senses.iter().flatten().filter_map(|sense| sense.program);
        used.any(|number| programs[number as usize] == *program)
    }

    /// Which programs of the library some word means.
    pub(super) fn callable(&self) -> Vec<bool> {
        self.lexicon.library.iter().map(|program| self.is_meant(program)).collect()
    }

    /// Starts anew with the words that are not known.
    pub(super) fn restart(&mut self, known: &[bool]) {
        self.known = known.to_vec();
        for word in (0..self.own.len()).filter(|&word| !knows(&self.known, word)) {
            self.lexicon.senses[word].clear();
            self.uses[word].clear();
        }
        self.share_programs();
        self.schedule = Schedule::default();
        self.seed_all();
    }

    /// Gives a word these meanings, for so many uses in all.
    pub(super) fn teach(&mut self, word: u32, senses: &[(Option<Program>, Option<Value>)], uses: f64) {
        let share = 1.0 / senses.len().max(1) as f64;
        let sense = |(program, me): &(Option<Program>, Option<Value>)| {
            let program = program.as_ref().map(|program| self.intern(program));
            Sense { program, me: me.clone(), probability: share }
        };
        let senses: Vec<Sense> = senses.iter().map(sense).collect();
        self.uses[word as usize] = vec![uses * share; senses.len()];
        self.lexicon.senses[word as usize] = senses;
    }

    /// The constant of a word.
    pub(super) fn own(&self, word: u32) -> Option<&Value> {
        self.own[word as usize].as_ref()
    }

    /// What it costs to say what these words mean.
    pub(super) fn price_of(&self, lexicon: &Lexicon, words: impl Iterator<Item = usize>) -> f64 {
        let price = |sense: &Sense, own: &Option<Value>| {
            let program = sense.program.map(|program| &lexicon.programs[program as usize].body);
            VOID_COST + program.map_or(0, |body| self.costs.of(body)) + constant_cost(sense, own)
        };
        let senses = words.flat_map(|word| lexicon.senses[word].iter().map(move |sense| (word, sense)));
        senses.map(|(word, sense)| f64::from(price(sense, &self.own[word]))).sum()
    }

    /// The type of results.
    pub(super) fn kind(&self) -> Type {
        self.kind
    }

    /// The number of a program that does what `program` does.
    fn intern(&mut self, program: &Program) -> u32 {
        let behaviour = behaviour(program, self.kind, &self.lexicon.library);
        // Samples hold no tokens that a program may ask for.
        let same = |(other, known): (&Program, &Vec<Option<Value>>)| {
            let is_plain = !program.body.says_tokens() && !other.body.says_tokens();
            other == program || (is_plain && other.arity == program.arity && *known == behaviour)
        };
        if let Some(number) = self.lexicon.programs.iter().zip(&self.behaviours).position(same) {
            return number as u32;
        }
        self.behaviours.push(behaviour);
        self.lexicon.intern(program)
    }

    /// What is believed here but for one choice, ready to be learned anew without it: a choice that was best
    /// when it was made may be wrong in the end.
    pub fn without(&self, choice: Choice) -> Meanings {
        let mut other = self.clone();
        other.banned.push(choice);
        let Lexicon { senses, programs, .. } = &mut other.lexicon;
        for (word, senses) in senses.iter_mut().enumerate() {
            senses.retain(|sense| {
                sense.program.is_none_or(|program| !choice.concerns(word as u32, program, programs))
            });
            // What was nearly certain may depend on what is banned: doubt everything a little.
            senses.iter_mut().for_each(|sense| sense.probability = sense.probability.powf(0.7));
        }
        other.lexicon.normalise();
        other.schedule = Schedule::revision();
        other
    }

    /// Meanings with children that compete with others of the same word: what differs may lie with another word.
    pub(super) fn disputed(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        for (word, senses) in self.lexicon.senses.iter().enumerate() {
            for arity in 1..=MAX_ARITY as u8 {
                let competes = |number: &usize| {
                    self.lexicon.arity(&senses[*number]) == Some(arity)
                        && senses[*number].probability > DISPUTED
                };
                if (0..senses.len()).filter(competes).count() > 1 {
                    choices.push(Choice::Children(word as u32, arity));
                }
            }
        }
        choices
    }

    /// Which attempt this is: the number of its start, and the choices taken back since then.
    pub fn attempt(&self) -> (u32, &[Choice]) {
        (self.start, &self.banned)
    }

    /// Whether everything fits together and a vocabulary of so many words: a file may hold anything.
    pub fn is_sound(&self, words: usize) -> bool {
        let kinds = self.own.iter().flatten().all(|value| value.kind() == self.kind);
        self.own.len() == words
            && self.known.len() <= words
            && self.behaviours.len() == self.lexicon.programs.len()
            && kinds
            && self.uses_are_sound(words)
            && self.banned.iter().all(|choice| self.is_possible(*choice))
            && self.round < MANY_ROUNDS
            && self.schedule.is_sound()
            && self.costs.are_sound()
    }

    /// Whether words that are known have uses of their senses.
    fn uses_are_sound(&self, words: usize) -> bool {
        let fits = |word: usize| {
            self.uses.get(word).is_some_and(|uses| uses.len() <= self.lexicon.senses[word].len())
        };
        (self.uses.is_empty() || self.uses.len() == words)
            && (0..words).filter(|&word| knows(&self.known, word)).all(fits)
    }

    fn is_possible(&self, choice: Choice) -> bool {
        match choice {
            Choice::Program(program) => (program as usize) < self.lexicon.programs.len(),
            Choice::Children(word, _) => (word as usize) < self.own.len(),
        }
    }

    /// Whether the smallest examples are still being learned.
    pub fn is_beginning(&self) -> bool {
        self.schedule.is_beginning()
    }

    /// Whether there is nothing left to do.
    pub fn is_done(&self) -> bool {
        self.schedule.done
    }

    /// One step of learning from `pairs`, which stand in order of size: weigh all trees and senses, count,
    /// and propose new senses where nothing fits.
    pub fn step(&mut self, pairs: &[Pair]) -> Round {
        self.round += 1;
        let sample = self.schedule.sample(pairs, &self.known);
        let mut evidence: Vec<Evidence> = sample.par_iter().map(|pair| self.weigh(pair)).collect();
        let explained = evidence.iter().filter(|evidence| evidence.settled).count();
        let mut unsettled: Vec<usize> = (0..sample.len())
            .filter(|&index| evidence[index].cost > CHEAP || !evidence[index].settled)
            .collect();
        // What explains the smallest may explain them by accident, but larger ones take long to search, unless some
        // of their words are known.
        let is_easy = self.known.contains(&true);
        let step = if is_easy { unsettled.len().div_ceil(SEARCHED).max(1) } else { 1 };
        unsettled = unsettled.into_iter().step_by(step).take(SEARCHED).collect();
        self.add_holes(unsettled, &sample, &mut evidence);
        self.count(&evidence);
        let proposed = self.induce(&sample, &evidence);
        self.settled = explained as f64 / sample.len().max(1) as f64;
        if self.is_beginning() {
            self.begun = self.settled;
        }
        self.schedule.advance(explained, sample.len(), pairs.len());
        Round { explained, examples: sample.len(), proposed }
    }

    /// Looks for the holes of these examples.
    fn add_holes(&self, of: Vec<usize>, sample: &[&Pair], evidence: &mut [Evidence]) {
        let holes: Vec<Vec<Hole>> = of.par_iter().map(|&index| self.holes(sample[index])).collect();
        for (index, holes) in of.into_iter().zip(holes) {
            evidence[index].holes = holes;
        }
    }

    fn holes(&self, pair: &Pair) -> Vec<Hole> {
        let mut chart = Chart::for_holes(&self.lexicon, &pair.words, &pair.target, chart::Limits::default());
        holes::holes(&mut chart, &self.lexicon, &pair.words, &pair.target, holes::Limits::default())
    }

    fn weigh(&self, pair: &Pair) -> Evidence {
        let chart = Chart::new(&self.lexicon, &pair.words, &pair.target, chart::Limits::default());
        let posterior = chart.posterior();
        let best = chart.best().filter(|best| self.is_settled(&pair.words, &best.senses));
        let known = best.as_ref().map(|best| self.uses_in(&pair.words, &best.tree)).unwrap_or_default();
        let prior = chart.prior();
        let cost = cost(&chart, &pair.target);
        Evidence { posterior, prior, cost, known, holes: Vec::new(), settled: best.is_some() }
    }

    /// The words of a tree that have children, with the values of these and their own.
    fn uses_in(&self, words: &[u32], tree: &Tree) -> Vec<(u32, Vec<Value>, Value)> {
        let symbols: Vec<Option<Symbol>> = words.iter().map(|&word| Some(Symbol(word))).collect();
        let meanings = deduction::evaluate(&self.lexicon, &symbols, tree);
        let mut args: Vec<Vec<Value>> = vec![Vec::new(); words.len()];
        for (place, head) in tree.heads().iter().enumerate() {
            if let (Some(head), Some(value)) = (head, meanings[place].value()) {
                args[*head as usize].push(value.clone());
            }
        }
        let uses = words.iter().zip(args).zip(&meanings).filter(|((_, args), _)| !args.is_empty());
        uses.filter_map(|((&word, args), meaning)| Some((word, args, meaning.value()?.clone()))).collect()
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
        let program = |(number, _): &(u32, f64)| self.lexicon.programs[*number as usize].clone();
        self.make_callable(solved.iter().map(program).collect());
    }

    /// The expected uses of every sense in trees that give the right results, each weighed by how often the
    /// sense gives the right result where it is used at all: many senses are right now and then by accident.
    fn weighted_uses(&self, evidence: &[Evidence]) -> Vec<Vec<f64>> {
        let none = || -> Vec<Vec<f64>> {
            self.lexicon.senses.iter().map(|senses| vec![0.0; senses.len()]).collect()
        };
        let (mut uses, mut right, mut all) = (none(), none(), none());
        for Evidence { posterior, prior, .. } in evidence {
            for &(word, sense, count) in &prior.uses {
                all[word as usize][sense as usize] += count;
            }
            let Some(posterior) = posterior else { continue };
            for &(word, sense, count) in &posterior.uses {
                uses[word as usize][sense as usize] += count;
                right[word as usize][sense as usize] += count * posterior.evidence / prior.evidence;
            }
        }
        for ((uses, right), all) in uses.iter_mut().zip(&right).zip(&all) {
            let scale = uses.iter().sum::<f64>() / right.iter().sum::<f64>().max(1e-300);
            uses.iter_mut().zip(right).for_each(|(uses, right)| *uses = right * scale);
            let precision: Vec<f64> =
                right.iter().zip(all).map(|(right, all)| right / (all + 1e-3)).collect();
            let best = precision.iter().copied().fold(1e-9, f64::max);
            uses.iter_mut().zip(precision).for_each(|(uses, precision)| *uses *= precision / best);
        }
        uses
    }

    /// Re-estimates the probability of every sense from its expected uses. Programs that other words use too
    /// are believed more easily: sharing a program is cheaper than having one's own.
    fn count(&mut self, evidence: &[Evidence]) {
        let mut uses = self.weighted_uses(evidence);
        let mut popularity = vec![0.0; self.lexicon.programs.len()];
        let mut void = 0.0;
        for (senses, uses) in self.lexicon.senses.iter().zip(&uses) {
            let total: f64 = uses.iter().sum::<f64>() + 1.0;
            for (sense, count) in senses.iter().zip(uses) {
                match sense.program {
                    Some(program) => popularity[program as usize] += count / total,
                    None => void += count / total,
                }
            }
        }
        let costs = &self.costs;
        let belief = |sense: &Sense, own: &Option<Value>, programs: &[Program]| match sense.program {
            None => prior(VOID_COST) + void,
            Some(program) => {
                let constant = constant_cost(sense, own);
                (prior(costs.of(&programs[program as usize].body)) + popularity[program as usize])
                    * prior(constant)
            }
        };
        let Lexicon { senses, programs, .. } = &mut self.lexicon;
        let words = senses.iter_mut().zip(&uses).zip(&self.own).enumerate();
        for (_, ((senses, uses), own)) in words.filter(|(word, _)| !knows(&self.known, *word)) {
            let total: f64 = senses.iter().map(|sense| belief(sense, own, programs)).sum();
            for (sense, count) in senses.iter_mut().zip(uses) {
                sense.probability = count * count / (count + DOUBTED) + belief(sense, own, programs) / total;
            }
        }
        self.lexicon.normalise();
        for word in (0..uses.len()).filter(|&word| knows(&self.known, word)) {
            uses[word].clone_from(&self.uses[word]);
        }
        self.consolidate(&uses);
        self.uses = uses;
    }
}

/// What it takes to say the result, given the input and the lexicon: how far it is from being the only one
/// that trees give, or the result itself where none gives it.
fn cost(chart: &Chart<'_>, target: &Value) -> f64 {
    (-chart.likelihood().log2()).min(bits(target))
}

/// The programs of all words.
fn meant(lexicon: &Lexicon) -> Vec<Program> {
    let numbers = lexicon.senses.iter().flatten().filter_map(|sense| sense.program);
    numbers.map(|number| lexicon.programs[number as usize].clone()).collect()
}

/// Whether the word keeps its senses.
fn knows(known: &[bool], word: usize) -> bool {
    known.get(word).is_some_and(|&known| known)
}

/// Whether it is worth while that other programs call this one, and makes sense for them.
fn is_callable(program: &Program) -> bool {
    program.body.size() > 1 && !program.body.uses_me() && !is_primitive(&program.body)
}

/// Whether it is nothing but a primitive: to call it is no shorter.
fn is_primitive(body: &Expr) -> bool {
    let is_first = |parts: &[Expr], place: usize| !parts[..place].contains(&parts[place]);
    let is_other =
        |parts: &[Expr], place: usize| matches!(parts[place], Expr::Arg(_)) && is_first(parts, place);
    matches!(body, Expr::Apply(_, parts) if (0..parts.len()).all(|place| is_other(parts, place)))
}

/// What it costs to write a value down as it is.
pub(super) fn bits(value: &Value) -> f64 {
    4.0 + 3.0 * value.extent() as f64
}

/// What it costs to say the constant of a sense, if it is not the word's own.
fn constant_cost(sense: &Sense, own: &Option<Value>) -> u32 {
    sense.me.as_ref().map_or(0, |me| constant_price(me, own.as_ref()))
}

/// What it costs to say a constant, if it is not the word's own.
pub(super) fn constant_price(me: &Value, own: Option<&Value>) -> u32 {
    if Some(me) == own { 0 } else { TOKEN * me.extent() as u32 }
}

fn prior(cost: u32) -> f64 {
    (-f64::from(cost)).exp2()
}

/// What has this share of a word's uses is no accident.
const DISPUTED: f64 = 0.1;

/// So many uses of a sense are taken for accidents.
const DOUBTED: f64 = 1.0;

/// What it costs to say that a word contributes nothing.
pub(super) const VOID_COST: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::program::Prim;

    /// Such files made resuming panic (issue 18).
    #[test]
    fn forged_beliefs_are_refused() {
        let sound = Meanings::new(vec![None; 2], Type::List);
        assert!(sound.is_sound(2) && !sound.is_sound(3));
        let without_uses = Meanings { known: vec![true], ..sound.clone() };
        assert!(!without_uses.is_sound(2));
        let banned = vec![Choice::Program(u32::MAX)];
        assert!(!Meanings { banned, ..sound.clone() }.is_sound(2));
        assert!(!Meanings { round: u32::MAX, ..sound }.is_sound(2));
    }

    /// Three words that join, of which one also means nothing but an empty list.
    #[test]
    fn what_a_word_shares_with_words_of_another_kind_can_be_taken_back() {
        let mut lexicon = Lexicon::default();
        let joined = Expr::Apply(Prim::Append, vec![Expr::Arg(0), Expr::Arg(1)]);
        let joins = lexicon.intern(&Program { arity: 2, body: joined });
        let empty = lexicon.intern(&Program { arity: 0, body: Expr::Apply(Prim::Nil, Vec::new()) });
        let sense = |program| Sense { program: Some(program), me: None, probability: 0.5 };
        lexicon.senses = vec![vec![sense(joins)], vec![sense(joins)], vec![sense(empty), sense(joins)]];
        assert_eq!(Choice::all(&lexicon), [Choice::Program(joins), Choice::Children(2, 2)]);
        lexicon.senses[1].insert(0, sense(empty));
        assert_eq!(Choice::all(&lexicon), [Choice::Program(joins)], "the last two are kin");
    }
}
