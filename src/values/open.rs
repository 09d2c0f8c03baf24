//! The open class: words that stand for a token of their own and never take part in anything else.
//!
//! Letters, names, whatever a list may hold: there are many, more will come, and which of them stands somewhere says nothing about what is done
//! with it. So they are no entries of their own; a run of them, as long as it is, is one value, and one entry says so: a run is itself.

use super::chart::Runs;
use super::value::Value;
use crate::chart::Input;
use crate::symbol::{Token, Word};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What stands in an input in the place of a run of members.
pub const RUN: Word = Word(u32::MAX);

/// An input whose runs are single words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WithRuns {
    /// The words, [`RUN`] for a run.
    pub words: Vec<Word>,
    /// For each word, what it stands for if it is a run.
    pub runs: Vec<Option<Value>>,
}

/// A part of an input.
pub type Span<'a> = (&'a [Word], &'a [Option<Value>]);

impl WithRuns {
    /// An input without runs.
    pub fn of_words(words: Vec<Word>) -> WithRuns {
        WithRuns { runs: vec![None; words.len()], words }
    }

    /// The part between two places.
    pub fn span(&self, from: usize, to: usize) -> Span<'_> {
        (&self.words[from..to], &self.runs[from..to])
    }

    /// How many words it has, each run counted once.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

impl Input for WithRuns {
    fn length(&self) -> usize {
        self.len()
    }

    fn words(&self, place: usize) -> impl Iterator<Item = (Word, f32)> + '_ {
        std::iter::once((self.words[place], 0.0))
    }
}

impl Runs for WithRuns {
    fn run(&self, place: usize) -> Option<&Value> {
        self.runs[place].as_ref()
    }
}

/// In which order the tokens of a run come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// As the words do.
    Forward,
    /// The last word's first.
    Backward,
}

/// The members, and where runs of them may stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Open {
    /// For each word its token, if it is a member.
    tokens: Vec<Option<Token>>,
    order: Order,
    /// The words after which runs stood in training; `None` for the beginning.
    after: BTreeSet<Option<Word>>,
    /// Whether members stood side by side in training.
    has_runs: bool,
    /// Whether members bring tokens of their own names, so that it is known what one more would bring.
    pub copies: bool,
}

impl Open {
    /// A class with these tokens for its members, in inputs with their outputs.
    pub fn new<'a>(
        tokens: Vec<Option<Token>>,
        copies: bool,
        pairs: impl Iterator<Item = (&'a [Word], &'a [Token])>,
    ) -> Open {
        let mut open =
            Open { tokens, order: Order::Forward, after: BTreeSet::new(), has_runs: false, copies };
        let (mut forward, mut backward) = (0, 0);
        for (input, output) in pairs {
            let beside: BTreeSet<[Token; 2]> = output.windows(2).map(|pair| [pair[0], pair[1]]).collect();
            let mut before = None;
            for &word in input {
                if let Some(token) = open.token(word) {
                    match before.map(|before| (before, open.token(before))) {
                        Some((_, Some(other))) => {
                            open.has_runs = true;
                            forward += usize::from(beside.contains(&[other, token]));
                            backward += usize::from(beside.contains(&[token, other]));
                        }
                        Some((before, None)) => drop(open.after.insert(Some(before))),
                        None => drop(open.after.insert(None)),
                    }
                }
                before = Some(word);
            }
        }
        if backward > forward {
            open.order = Order::Backward;
        }
        open
    }

    /// The token of a member.
    pub fn token(&self, word: Word) -> Option<Token> {
        self.tokens.get(word.0 as usize).copied().flatten()
    }

    /// How many words are members.
    pub fn members(&self) -> usize {
        self.tokens.iter().flatten().count()
    }

    /// Takes note of words that come after all others: those with a token that no member has are members.
    pub fn extend(&mut self, tokens: impl IntoIterator<Item = Option<Token>>) {
        let known: BTreeSet<Token> = self.tokens.iter().flatten().copied().collect();
        self.tokens.extend(tokens.into_iter().map(|token| token.filter(|token| !known.contains(token))));
    }

    /// How many words it knows of, members or not.
    pub fn words(&self) -> usize {
        self.tokens.len()
    }

    /// Whether a member may stand after this word, or at the beginning: where some did in training.
    pub fn may_follow(&self, before: Option<Word>) -> bool {
        match before.and_then(|before| self.token(before)) {
            Some(_) => self.has_runs,
            None => self.after.contains(&before),
        }
    }

    /// An input with its runs as single words.
    pub fn read(&self, words: &[Word]) -> WithRuns {
        let mut input = WithRuns::default();
        let is_run =
            |&a: &Word, &b: &Word| self.has_runs && self.token(a).is_some() && self.token(b).is_some();
        for run in words.chunk_by(is_run) {
            let mut tokens: Vec<Token> = run.iter().filter_map(|&word| self.token(word)).collect();
            if self.order == Order::Backward {
                tokens.reverse();
            }
            let is_run = !tokens.is_empty();
            input.words.push(if is_run { RUN } else { run[0] });
            input.runs.push(is_run.then(|| Value::List(tokens.into())));
        }
        input
    }

    /// Whether words and tokens are some that there are.
    pub fn is_sound(&self, words: usize, tokens: usize) -> bool {
        self.tokens.len() == words && self.tokens.iter().flatten().all(|token| (token.0 as usize) < tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words `0..3` bring the tokens `10..13`; word 3 brings nothing.
    fn open(pairs: &[(&[u32], &[u32])]) -> Open {
        let pairs: Vec<(Vec<Word>, Vec<Token>)> = pairs
            .iter()
            .map(|(words, tokens)| {
                (
                    words.iter().map(|&word| Word(word)).collect(),
                    tokens.iter().map(|&token| Token(token)).collect(),
                )
            })
            .collect();
        let tokens = (10..13).map(|token| Some(Token(token))).chain([None]).collect();
        Open::new(tokens, true, pairs.iter().map(|(words, tokens)| (&words[..], &tokens[..])))
    }

    fn read(open: &Open, words: &[u32]) -> Vec<Option<Vec<u32>>> {
        let words: Vec<Word> = words.iter().map(|&word| Word(word)).collect();
        let tokens = |run: &Option<Value>| Some(run.as_ref()?.list()?.iter().map(|token| token.0).collect());
        open.read(&words).runs.iter().map(tokens).collect()
    }

    #[test]
    fn a_run_of_members_is_one_value_in_the_order_of_their_tokens() {
        let forward = open(&[(&[3, 0, 1], &[10, 11])]);
        assert_eq!(read(&forward, &[3, 1, 2, 0, 3, 1]), [None, Some(vec![11, 12, 10]), None, Some(vec![11])]);
        let backward = open(&[(&[3, 0, 1], &[11, 10])]);
        assert_eq!(read(&backward, &[3, 1, 2]), [None, Some(vec![12, 11])]);
    }

    #[test]
    fn members_stand_where_some_stood() {
        let runs = open(&[(&[3, 0, 1], &[10, 11])]);
        assert!(runs.may_follow(Some(Word(3))) && runs.may_follow(Some(Word(1))) && !runs.may_follow(None));
        let alone = open(&[(&[0, 3], &[10, 10])]);
        assert!(alone.may_follow(None) && !alone.may_follow(Some(Word(1))));
        assert_eq!(read(&alone, &[0, 1]), [Some(vec![10]), Some(vec![11])]);
    }
}
