//! Programs looked for once more when all the others are known.
//!
//! A program found early had to do without those found later, and was judged by the examples that could be explained
//! then. With everything at hand a shorter program may do the same, or another one do what this one cannot.

use super::induce::{Candidate, Effort, Place, places_of_all};
use super::schedule::judges;
use super::simplify::{explained_share, result_bits};
use super::{CHEAP, Evidence, Meanings, Outcome, Pair, SEARCHED, knows, meant};
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::semantics::program::Program;
use rayon::prelude::*;

/// All programs are looked at so often, unless nothing changes.
const PASSES: usize = 3;
/// Costlier programs are looked for only where they could save so many bits.
const WORTHWHILE: f64 = 40.0;
/// And only if believed senses explain a smaller share of the examples.
const SETTLED: f64 = 0.97;
/// Programs are exchanged only for so many bits: the old one may be easier to read.
const CLEARLY: f64 = 8.0;
/// Costlier ones only if they help so many examples: fewer may be wrong ones, and long.
const HELPED: i32 = 4;
/// So many terms are kept then, and so many programs tried.
const THOROUGH: (usize, u64) = (10_000, 60_000);
/// A program that explains less of what it is used for is not the last word.
const ENOUGH: f64 = 0.95;

impl Meanings {
    /// The outcome with other programs where these make it shorter.
    pub(in crate::training) fn refined(&mut self, outcome: Outcome, pairs: &[Pair]) -> Outcome {
        let sample = judges(pairs, &self.known);
        let Outcome { mut lexicon, mut length, mut explained } = outcome;
        for _ in 0..PASSES {
            self.make_callable(meant(&lexicon));
            lexicon.library.clone_from(&self.lexicon.library);
            let before = length;
            for candidate in self.better_programs(&lexicon, &sample) {
                length = self.exchange(&mut lexicon, length, candidate, &sample);
            }
            if length == before {
                break;
            }
            explained = explained_share(&lexicon, &sample);
        }
        Outcome { lexicon, length, explained }
    }

    /// Programs that do as well as those of `lexicon` at lower costs, or better.
    fn better_programs(&self, lexicon: &Lexicon, sample: &[&Pair]) -> Vec<Candidate> {
        let settled = Meanings { lexicon: lexicon.clone(), ..self.clone() };
        let evidence = settled.evidence(sample);
        let callable = settled.callable();
        let mut places = places_of_all(&evidence);
        places.retain(|place| !knows(&self.known, place.word as usize));
        let found = places.par_iter().map(|place| {
            let present = settled.present(place)?;
            // What is looked for must not be said in terms of itself.
            let is_other = |(program, callable): (&Program, &bool)| *callable && program != present;
            let callable: Vec<bool> = lexicon.library.iter().zip(&callable).map(is_other).collect();
            let effort = Effort { callable: &callable, ..settled.effort(place, present) };
            Some(settled.search(place, effort))
        });
        let found = found.collect::<Vec<_>>().into_iter().flatten().flatten();
        found.chain(settled.templates(&places)).collect()
    }

    /// What the examples show, with holes for those that are not explained.
    fn evidence(&self, sample: &[&Pair]) -> Vec<Evidence> {
        let mut evidence: Vec<Evidence> = sample.par_iter().map(|pair| self.weigh(pair)).collect();
        let unsettled = (0..sample.len()).filter(|&index| !evidence[index].settled).take(SEARCHED).collect();
        self.add_holes(unsettled, sample, &mut evidence);
        evidence
    }

    /// The program that is there.
    fn present(&self, place: &Place<'_>) -> Option<&Program> {
        let senses = &self.lexicon.senses[place.word as usize];
        let present = senses.iter().find(|sense| self.lexicon.arity(sense) == Some(place.arity))?;
        Some(&self.lexicon.programs[present.program? as usize])
    }

    /// How far to search for another program in its place.
    fn effort(&self, place: &Place<'_>, present: &Program) -> Effort<'static> {
        let effort = Effort { enough: ENOUGH, flat: THOROUGH, ..Effort::DEEP };
        let cheaper = self.costs.of(&present.body).saturating_sub(1);
        // Where several senses of a word explain everything together, no program is missing.
        match place.hope() > WORTHWHILE && self.settled < SETTLED {
            true => effort,
            false => Effort { cost: cheaper, recursive: false, ..effort },
        }
    }

    /// Puts a program in the place of the one with as many arguments if the description gets shorter, and returns
    /// its length.
    fn exchange(
        &mut self,
        lexicon: &mut Lexicon,
        length: f64,
        candidate: Candidate,
        sample: &[&Pair],
    ) -> f64 {
        let Candidate { word, program, me, .. } = candidate;
        let number = self.intern(&program);
        let word = word as usize;
        let mut other = Lexicon { programs: self.lexicon.programs.clone(), ..lexicon.clone() };
        // What does the same may be said in fewer words.
        other.programs[number as usize] = program.clone();
        let has_place = |sense: &Sense| other.arity(sense) == Some(program.arity);
        let Some(place) = other.senses[word].iter().position(has_place) else {
            return length;
        };
        let old = other.senses[word][place].clone();
        let new = Sense { program: Some(number), me, probability: old.probability };
        other.senses[word][place] = new.clone();
        let shorter = self.length(&other, sample);
        let old_cost = old.program.map_or(0, |old| self.costs.of(&lexicon.programs[old as usize].body));
        let is_dearer = self.costs.of(&program.body) > old_cost;
        if shorter + CLEARLY > length || is_dearer && helped(lexicon, &other, sample) < HELPED {
            return length;
        }
        self.lexicon.programs[number as usize] = program;
        self.replace(word, &old, new);
        *lexicon = other;
        shorter
    }

    /// Believes in another sense as much as in the old one so far.
    fn replace(&mut self, word: usize, old: &Sense, new: Sense) {
        let find = |sense: &Sense| self.lexicon.find(word, sense.program, sense.me.as_ref());
        let (old, known) = (find(old), find(&new));
        let (Some(senses), Some(uses)) = (self.lexicon.senses.get_mut(word), self.uses.get_mut(word)) else {
            return;
        };
        // What was proposed in the last round has not been counted.
        uses.resize(senses.len(), 0.0);
        match (old, known) {
            (Some(old), Some(known)) if old != known => {
                uses[known] += std::mem::take(&mut uses[old]);
                senses[known].probability += std::mem::take(&mut senses[old].probability);
            }
            (Some(old), None) => senses[old] = new,
            _ => {}
        }
    }
}

/// How many more examples the other lexicon says in fewer bits than in more.
fn helped(lexicon: &Lexicon, other: &Lexicon, sample: &[&Pair]) -> i32 {
    let bits = result_bits(lexicon, sample).into_iter().zip(result_bits(other, sample));
    let helps =
        |(before, after): (f64, f64)| i32::from(after + CHEAP < before) - i32::from(before + CHEAP < after);
    bits.map(helps).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Symbol;
    use crate::value::{Type, Value};

    #[test]
    fn a_sense_that_was_never_counted_can_take_the_place_of_another() {
        let mut meanings = Meanings::new(vec![Some(Value::list(&[Symbol(0)]))], Type::List);
        meanings.uses = vec![vec![3.0]];
        let [old, new] = [0, 1].map(|number| meanings.lexicon.senses[0][number].clone());
        meanings.replace(0, &old, new);
        assert_eq!(meanings.uses[0][..2], [0.0, 3.0]);
    }
}
