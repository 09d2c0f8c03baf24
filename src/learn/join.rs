//! Tokens that always stand side by side, taken as one: where outputs are long, most of a record or a formula is said as a whole.
//!
//! ```text
//! [ { " do " : " play " , ...      [{"do":" play " , ...
//! [ { " do " : " stop " } ]        [{"do":" stop "}]
//! ```
//!
//! Two tokens are joined if one of them never stands without the other. Nothing is lost by it, and theories are searched for that could not be among so
//! many tokens. What is found is then told in the tokens that there are, and learned on with these: words may still say less.

use super::evidence::Example;
use crate::objective::Prices;
use crate::settings::{LEAST, LONG, NEARLY_ALL};
use crate::symbol::Token;
use crate::theory::Theory;
use crate::theory::entry::{Entry, Out};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Tokens that stand for several.
pub struct Joined {
    /// The number of the first of them, and what each stands for.
    first: u32,
    stand_for: Vec<Box<[Token]>>,
}

impl Joined {
    /// The examples with tokens joined, if their outputs are too long to be taken apart; there are so many tokens.
    pub fn of(examples: &[Example], tokens: usize) -> Option<(Joined, Vec<Example>)> {
        let short = examples.iter().filter(|example| example.output.len() <= LONG).count();
        if short as f64 >= NEARLY_ALL * examples.len() as f64 {
            return None;
        }
        let mut joined = Joined { first: tokens as u32, stand_for: Vec::new() };
        let mut outputs: Vec<Vec<Token>> = examples.iter().map(|example| example.output.to_vec()).collect();
        while let Some(pair) = inseparable(&outputs) {
            let token = joined.add(pair);
            outputs.iter_mut().for_each(|output| join(output, pair, token));
        }
        let with_output = |(example, output): (&Example, Vec<Token>)| Example {
            input: example.input.clone(),
            output: output.into(),
        };
        let examples = examples.iter().zip(outputs).map(with_output).collect();
        Some((joined, examples))
    }

    fn add(&mut self, (left, right): (Token, Token)) -> Token {
        let both = [self.tokens(left), self.tokens(right)].concat();
        self.stand_for.push(both.into());
        Token(self.first + self.stand_for.len() as u32 - 1)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.stand_for.len()
    }

    /// What a token stands for.
    fn tokens(&self, token: Token) -> Vec<Token> {
        let joined = token.0.checked_sub(self.first).map(|number| self.stand_for[number as usize].to_vec());
        joined.unwrap_or_else(|| vec![token])
    }

    /// A theory told in the tokens that there are.
    pub fn undone(&self, theory: &Theory, prices: &Prices) -> Theory {
        let mut undone = Theory::new(prices.clone());
        for id in theory.live() {
            undone.add(&self.entry(theory.entry(id)));
        }
        undone
    }

    fn entry(&self, entry: &Entry) -> Entry {
        let pieces = |piece: &Out| match *piece {
            Out::Token(token) => self.tokens(token).into_iter().map(Out::Token).collect(),
            other => vec![other],
        };
        Entry { says: entry.says.iter().flat_map(pieces).collect(), ..entry.clone() }
    }
}

/// The most frequent two tokens side by side of which one never stands without the other; what is seen less often may be chance.
fn inseparable(outputs: &[Vec<Token>]) -> Option<(Token, Token)> {
    let mut alone: FxHashMap<Token, usize> = FxHashMap::default();
    let mut both: BTreeMap<(Token, Token), usize> = BTreeMap::new();
    for output in outputs {
        output.iter().for_each(|token| *alone.entry(*token).or_default() += 1);
        output.windows(2).filter(|two| two[0] != two[1]).for_each(|two| {
            *both.entry((two[0], two[1])).or_default() += 1;
        });
    }
    let always = both.into_iter().filter(|((left, right), count)| {
        *count >= LEAST && (alone[left] == *count || alone[right] == *count)
    });
    always.max_by_key(|(pair, count)| (*count, std::cmp::Reverse(*pair))).map(|(pair, _)| pair)
}

fn join(output: &mut Vec<Token>, (left, right): (Token, Token), token: Token) {
    let mut joined = Vec::with_capacity(output.len());
    for &next in output.iter() {
        match joined.last_mut() {
            Some(last) if *last == left && next == right => *last = token,
            _ => joined.push(next),
        }
    }
    *output = joined;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Word;
    use crate::theory::entry::In;

    fn example(words: &[u32], tokens: &[u32]) -> Example {
        Example {
            input: words.iter().copied().map(Word).collect(),
            output: tokens.iter().copied().map(Token).collect(),
        }
    }

    /// Outputs of 50 tokens: `0 1 ... 40`, one of two others and the rest.
    fn long() -> Vec<Example> {
        let output = |one: u32| (0..40).chain([one]).chain(42..51).collect::<Vec<u32>>();
        (0..8).map(|number| example(&[number], &output(if number % 2 == 0 { 40 } else { 41 }))).collect()
    }

    #[test]
    fn what_never_stands_alone_is_one() {
        let (joined, examples) = Joined::of(&long(), 51).unwrap();
        assert!(examples.iter().all(|example| example.output.len() == 1), "{examples:?}");
        assert_ne!(examples[0].output, examples[1].output);
        assert!(joined.len() > 0);
    }

    #[test]
    fn undone_all_is_as_it_was() {
        let (before, prices) = (long(), Prices::new(8, 51));
        let (joined, examples) = Joined::of(&before, 51).unwrap();
        let mut theory = Theory::new(prices.clone());
        examples.iter().for_each(|example| _ = theory.add(&example.whole()));
        let undone = joined.undone(&theory, &prices);
        assert_eq!(undone.len(), before.len());
        assert!(before.iter().all(|example| undone.has(&example.whole())));
    }

    #[test]
    fn slots_stay_where_they_are() {
        let (joined, examples) = Joined::of(&long(), 51).unwrap();
        let (pattern, token) = ([In::Slot(0), In::Word(Word(9))], examples[0].output[0]);
        let entry = Entry::new(&pattern, &[Out::Slot(0), Out::Token(token), Out::Slot(0)]);
        let undone = joined.entry(&entry);
        assert_eq!(undone.says.len(), 52);
        assert_eq!((undone.says[0], undone.says[51]), (Out::Slot(0), Out::Slot(0)));
    }

    #[test]
    fn short_outputs_are_as_they_are() {
        assert!(Joined::of(&[example(&[0], &[1, 2]), example(&[1], &[1, 2])], 3).is_none());
    }
}
