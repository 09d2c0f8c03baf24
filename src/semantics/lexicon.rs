//! The lexicon: what each word may mean, and how probable each of its senses is.

use crate::semantics::eval::{Evaluator, Stuck};
use crate::semantics::program::Program;
use crate::value::{Type, Value};
use serde::{Deserialize, Serialize};

/// One meaning of a word, for one number of children.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sense {
    /// The program, a number within [`Lexicon::programs`]; `None` for a word that contributes nothing.
    pub program: Option<u32>,
    /// The constant that `me` stands for.
    pub me: Option<Value>,
    /// The probability of this sense among the word's senses.
    pub probability: f64,
}

/// What all words may mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lexicon {
    /// Programs, shared between words.
    pub programs: Vec<Program>,
    /// The senses of each word.
    pub senses: Vec<Vec<Sense>>,
    /// Solved programs that other programs may call.
    pub library: Vec<Program>,
}

/// Fuel for one application of a program to small arguments.
pub const FUEL: u32 = 100_000;
/// Fuel for one application at most.
const MOST_FUEL: u64 = 20_000_000;

impl Lexicon {
    /// The number of a program, added if it is new.
    pub fn intern(&mut self, program: &Program) -> u32 {
        let known = self.programs.iter().position(|other| other == program);
        known.unwrap_or_else(|| {
            self.programs.push(program.clone());
            self.programs.len() - 1
        }) as u32
    }

    /// How many children's values the sense takes; `None` for a word that contributes nothing.
    pub fn arity(&self, sense: &Sense) -> Option<u8> {
        sense.program.map(|program| self.programs[program as usize].arity)
    }

    /// The value of `sense` for these children's values.
    pub fn apply(&self, sense: &Sense, args: &[Value]) -> Result<Value, Stuck> {
        let program = sense.program.ok_or(Stuck::Undefined)?;
        let mut evaluator = Evaluator::forgetful(&self.library);
        evaluator.run(&self.programs[program as usize], args, sense.me.as_ref(), fuel_for(args))
    }

    /// The same where values are small, by an evaluator of this library.
    pub(crate) fn apply_with(
        &self,
        evaluator: &mut Evaluator<'_>,
        sense: &Sense,
        args: &[Value],
    ) -> Result<Value, Stuck> {
        let program = sense.program.ok_or(Stuck::Undefined)?;
        evaluator.run(&self.programs[program as usize], args, sense.me.as_ref(), FUEL)
    }

    /// The place of a sense with this program and constant among the senses of `word`.
    pub fn find(&self, word: usize, program: Option<u32>, me: Option<&Value>) -> Option<usize> {
        self.senses[word].iter().position(|sense| sense.program == program && sense.me.as_ref() == me)
    }

    /// The most probable sense of `word` with so many children that have values, with its number. Without
    /// any, the word may also contribute nothing.
    pub fn sense_for(&self, word: usize, children: usize) -> Option<(u16, &Sense)> {
        let fits = |sense: &&Sense| self.arity(sense).map_or(0, usize::from) == children;
        let mut best: Option<(u16, &Sense)> = None;
        for (number, sense) in self.senses.get(word)?.iter().enumerate().filter(|(_, sense)| fits(sense)) {
            if best.is_none_or(|(_, best)| sense.probability > best.probability) {
                best = Some((number as u16, sense));
            }
        }
        best
    }

    /// Makes the probabilities of each word's senses add up to one.
    pub fn normalise(&mut self) {
        for senses in &mut self.senses {
            let total: f64 = senses.iter().map(|sense| sense.probability).sum();
            for sense in senses.iter_mut() {
                sense.probability /= total;
            }
        }
    }
}

/// Fuel for one application to these arguments: a program that goes through a list, maybe by one that goes through it
/// itself, copies what is left of it at each step.
fn fuel_for(args: &[Value]) -> u32 {
    let tokens: u64 = args.iter().map(|value| value.extent() as u64).sum();
    let listed: u64 =
        args.iter().filter(|value| value.kind() == Type::List).map(|list| list.extent() as u64).sum();
    let steps = 64 * tokens + tokens * tokens / 4 + listed.saturating_pow(3) / 4;
    u64::from(FUEL).saturating_add(steps).min(MOST_FUEL) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Symbol;

    #[test]
    fn going_through_thousands_of_tokens_is_no_lack_of_fuel() {
        let body = "(if (== x nil) nil (++ (rec (cdr x)) (cons (car x) nil)))".parse().unwrap();
        let lexicon = Lexicon { programs: vec![Program { arity: 1, body }], ..Lexicon::default() };
        let reverse = Sense { program: Some(0), me: None, probability: 1.0 };
        let tokens: Vec<Symbol> = (0..5_000).map(Symbol).collect();
        let backwards: Vec<Symbol> = tokens.iter().rev().copied().collect();
        assert_eq!(lexicon.apply(&reverse, &[Value::list(&tokens)]), Ok(Value::list(&backwards)));
    }

    /// Each step copies what is left of a list: a forged program could hold all of it at once (issue 18).
    #[test]
    fn what_is_copied_is_bounded() {
        let body = "(if (== x y) x (rec (cdr x) (cdr (cons (car x) y))))".parse().unwrap();
        let lexicon = Lexicon { programs: vec![Program { arity: 2, body }], ..Lexicon::default() };
        let last = Sense { program: Some(0), me: None, probability: 1.0 };
        let end = Value::list(&[Symbol(1)]);
        let apply = |length| lexicon.apply(&last, &[Value::list(&vec![Symbol(1); length]), end.clone()]);
        assert_eq!(apply(5_000), Ok(end.clone()));
        assert_eq!(apply(30_000), Err(Stuck::Fuel));
    }

    /// The last token by a walk through the list, in each step of a walk through the list.
    #[test]
    fn a_walk_within_a_walk_is_no_lack_of_fuel() {
        let parse = |body: &str| Program { arity: 1, body: body.parse().unwrap() };
        let init = parse("(if (== (cdr x) nil) nil (cons (car x) (rec (cdr x))))");
        let last_first = parse("(if (== (cdr x) nil) x (cons (car (rec (cdr x))) (#0 x)))");
        let lexicon = Lexicon { programs: vec![last_first], library: vec![init], ..Lexicon::default() };
        let rotate = Sense { program: Some(0), me: None, probability: 1.0 };
        let tokens: Vec<Symbol> = (0..200).map(Symbol).collect();
        let rotated: Vec<Symbol> = tokens[199..].iter().chain(&tokens[..199]).copied().collect();
        assert_eq!(lexicon.apply(&rotate, &[Value::list(&tokens)]), Ok(Value::list(&rotated)));
    }
}
