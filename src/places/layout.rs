//! Flat outputs: what a reference looks like, and what stands between facts.

use crate::settings::LONGEST;
use crate::symbol::Token;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// How flat outputs are written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Layout {
    /// What stands before and after every number that is a reference.
    pub(super) before: Vec<Token>,
    pub(super) after: Vec<Token>,
    /// The tokens of the numbers from 0 on, where they are known.
    pub(super) numbers: Vec<Option<Token>>,
    /// The number of the first place.
    pub(super) first: u8,
    /// Whether places are counted from the last word.
    pub(super) from_end: bool,
    /// What stands after facts; those before the first come before those before the second. The last is not said at the end.
    pub(super) separators: Vec<Token>,
}

/// A fact as it is written: tokens and places, and which separator follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fact {
    pub(super) pieces: Vec<Written>,
    pub(super) rank: u8,
}

/// A piece of a fact as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Written {
    Token(Token),
    Place(usize),
}

impl Fact {
    /// The place that it is about: the first that it names.
    pub(super) fn owner(&self) -> Option<usize> {
        self.places().next()
    }

    /// All places that it names.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Written::Place(place) => Some(*place),
            Written::Token(_) => None,
        })
    }

    pub(super) fn tokens(&self) -> impl Iterator<Item = Token> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Written::Token(token) => Some(*token),
            Written::Place(_) => None,
        })
    }
}

impl Layout {
    /// How many places facts may have in the order of kinds.
    pub(super) fn ranks(&self) -> usize {
        self.separators.len().max(1)
    }

    pub(super) fn is_sound(&self, is_token: impl Fn(&Token) -> bool) -> bool {
        let all = [&self.before, &self.after, &self.separators];
        self.first <= 1
            && self.numbers.len() > LONGEST
            && self.ranks() <= usize::from(u8::MAX)
            && all.into_iter().flatten().chain(self.numbers.iter().flatten()).all(is_token)
    }

    /// The number that refers to a place of an input of so many words.
    pub(super) fn number(&self, place: usize, length: usize) -> usize {
        usize::from(self.first) + if self.from_end { length - 1 - place } else { place }
    }

    fn place(&self, token: Token, length: usize) -> Option<usize> {
        let number = self.numbers.iter().position(|number| *number == Some(token))?;
        let place = number.checked_sub(usize::from(self.first)).filter(|&place| place < length)?;
        Some(if self.from_end { length - 1 - place } else { place })
    }

    /// The output with references read as such; `None` if it has none, or one of a word that there is not.
    pub(super) fn read(&self, output: &[Token], length: usize) -> Option<Vec<Written>> {
        let width = self.before.len() + 1 + self.after.len();
        let mut written: Vec<Written> = Vec::with_capacity(output.len());
        let (mut at, mut any) = (0, false);
        while at < output.len() {
            let here = &output[at..(at + width).min(output.len())];
            let is_reference = here.starts_with(&self.before)
                && here.ends_with(&self.after)
                && here.get(self.before.len()).is_some_and(|token| self.numbers.contains(&Some(*token)));
            if is_reference && here.len() == width {
                written.push(Written::Place(self.place(here[self.before.len()], length)?));
                any = true;
                at += width;
            } else {
                written.push(Written::Token(output[at]));
                at += 1;
            }
        }
        any.then_some(written)
    }

    /// The facts of an output; `None` if it is not made of facts about places.
    pub(super) fn facts(&self, output: &[Token], length: usize) -> Option<Vec<Fact>> {
        let mut facts = Vec::new();
        let mut pieces = Vec::new();
        for piece in self.read(output, length)? {
            let rank = match piece {
                Written::Token(token) => self.separators.iter().position(|separator| *separator == token),
                Written::Place(_) => None,
            };
            match rank {
                Some(rank) => facts.push(Fact { pieces: std::mem::take(&mut pieces), rank: rank as u8 }),
                None => pieces.push(piece),
            }
        }
        facts.push(Fact { pieces, rank: (self.ranks() - 1) as u8 });
        facts.iter().all(|fact| fact.owner().is_some()).then_some(facts)
    }

    /// The output of these facts about an input of so many words: each once, by what follows them, then by what they are about.
    pub(super) fn write(&self, facts: &[Fact], length: usize) -> Option<Vec<Token>> {
        let mut seen: FxHashSet<&Fact> = FxHashSet::default();
        let mut different: Vec<&Fact> = facts.iter().filter(|fact| seen.insert(fact)).collect();
        let number = |place: usize| self.number(place, length);
        different.sort_by_key(|fact| (fact.rank, fact.owner().map(number)));
        let mut output = Vec::new();
        let last = different.len().checked_sub(1)?;
        for (at, fact) in different.iter().enumerate() {
            for piece in &fact.pieces {
                match piece {
                    Written::Token(token) => output.push(*token),
                    Written::Place(place) => {
                        output.extend(&self.before);
                        output.push((*self.numbers.get(number(*place))?)?);
                        output.extend(&self.after);
                    }
                }
            }
            output.extend(self.separators.get(usize::from(fact.rank)).filter(|_| at < last));
        }
        Some(output)
    }
}
