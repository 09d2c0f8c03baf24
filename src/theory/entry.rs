//! Entries: a pattern of words and slots, and what it says with its slots filled.

use crate::symbol::{Token, Word};
use serde::{Deserialize, Serialize};

/// A piece of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum In {
    /// A place that another entry fills; slots are numbered from the left.
    Slot(u8),
    /// A word that stands there.
    Word(Word),
}

/// A piece of what an entry says; its value is all pieces joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Out {
    /// The value of the slot of this number.
    Slot(u8),
    /// A function of the theory, applied to the value of a slot.
    Call(u16, u8),
    /// A token.
    Token(Token),
}

/// What pieces of both sides have in common: they may belong to a slot.
pub trait Piece: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {
    /// The slot it belongs to.
    fn slot(self) -> Option<u8>;
    /// The same piece for a slot of another number.
    fn with_slot(self, slot: u8) -> Self;
}

impl Piece for In {
    fn slot(self) -> Option<u8> {
        match self {
            In::Slot(slot) => Some(slot),
            In::Word(_) => None,
        }
    }

    fn with_slot(self, slot: u8) -> In {
        match self {
            In::Slot(_) => In::Slot(slot),
            In::Word(_) => self,
        }
    }
}

impl In {
    /// The word, if it is one.
    pub fn word(self) -> Option<Word> {
        match self {
            In::Word(word) => Some(word),
            In::Slot(_) => None,
        }
    }
}

impl Out {
    /// The token, if it is one.
    pub fn token(self) -> Option<Token> {
        match self {
            Out::Token(token) => Some(token),
            Out::Slot(_) | Out::Call(..) => None,
        }
    }
}

impl Piece for Out {
    fn slot(self) -> Option<u8> {
        match self {
            Out::Slot(slot) | Out::Call(_, slot) => Some(slot),
            Out::Token(_) => None,
        }
    }

    fn with_slot(self, slot: u8) -> Out {
        match self {
            Out::Slot(_) => Out::Slot(slot),
            Out::Call(function, _) => Out::Call(function, slot),
            Out::Token(_) => self,
        }
    }
}

/// A pattern and what it says: `switch _ off` says `[OFF (] ++ x ++ )`. An entry without slots is a constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// Words and slots; the slots are numbered from the left.
    pub pattern: Box<[In]>,
    /// What it says, from what its slots say.
    pub says: Box<[Out]>,
    /// Which of several kinds of an entry it is, that say the same and stand with others: nouns that agree with an article, and those that do with another.
    pub kind: u8,
}

/// A slot of this number or above stands for a filler that is about to be put in or taken out.
const TEMPORARY: u8 = 128;

impl Entry {
    /// An entry with its slots numbered from the left.
    ///
    /// # Panics
    /// If it says a slot that its pattern has not.
    pub fn new(pattern: &[In], says: &[Out]) -> Entry {
        let mut order = [u8::MAX; 256];
        let mut slots = 0;
        for slot in pattern.iter().filter_map(|piece| piece.slot()) {
            if order[usize::from(slot)] == u8::MAX {
                order[usize::from(slot)] = slots;
                slots += 1;
            }
        }
        let number = |slot: u8| {
            assert!(order[usize::from(slot)] != u8::MAX, "a slot is said that the pattern has not");
            order[usize::from(slot)]
        };
        Entry { pattern: renumbered(pattern, number), says: renumbered(says, number), kind: 0 }
    }

    /// The same of another kind.
    pub fn of_kind(&self, kind: u8) -> Entry {
        Entry { kind, ..self.clone() }
    }

    /// A word that says these tokens.
    pub fn constant(word: Word, tokens: &[Token]) -> Entry {
        let says: Vec<Out> = tokens.iter().copied().map(Out::Token).collect();
        Entry::new(&[In::Word(word)], &says)
    }

    /// How many slots it has.
    pub fn slots(&self) -> usize {
        self.pattern.iter().filter(|piece| piece.slot().is_some()).count()
    }

    /// The words of its pattern.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        self.pattern.iter().filter_map(|piece| piece.word())
    }

    /// Whether its pattern is a slot and nothing else, so that it could be put in anywhere.
    pub fn is_bare(&self) -> bool {
        matches!(*self.pattern, [piece] if piece.slot().is_some())
    }

    /// Whether its pattern has this word.
    pub fn has(&self, word: Word) -> bool {
        self.pattern.contains(&In::Word(word))
    }

    /// Whether its pattern is this one word.
    pub fn is_word(&self, word: Word) -> bool {
        *self.pattern == [In::Word(word)]
    }

    /// Whether it applies functions; else it is a template.
    pub fn has_calls(&self) -> bool {
        self.says.iter().any(|piece| matches!(piece, Out::Call(..)))
    }

    /// Whether the pattern is not empty, its slots are numbered from the left, each once, and all words, tokens and slots are
    /// some that there are.
    pub fn is_sound(&self, words: u32, tokens: u32, functions: usize) -> bool {
        let mut slots = 0u8;
        let pattern_is_sound = self.pattern.iter().all(|piece| match *piece {
            In::Word(word) => word.0 < words,
            In::Slot(slot) => {
                slots = slots.saturating_add(1);
                slot == slots - 1 && slot < TEMPORARY
            }
        });
        let says_is_sound = self.says.iter().all(|piece| match *piece {
            Out::Token(token) => token.0 < tokens,
            Out::Slot(slot) => slot < slots,
            Out::Call(function, slot) => usize::from(function) < functions && slot < slots,
        });
        !self.pattern.is_empty() && !self.is_bare() && pattern_is_sound && says_is_sound
    }

    /// This entry with `filler` in the place of a slot. `None` where the slot is an argument of a function.
    pub fn compose(&self, slot: u8, filler: &Entry) -> Option<Entry> {
        let opaque = self.says.iter().any(|piece| matches!(piece, Out::Call(_, of) if *of == slot));
        if opaque {
            return None;
        }
        Some(Entry::new(
            &put_in(&self.pattern, slot, &filler.pattern),
            &put_in(&self.says, slot, &filler.says),
        ))
    }
}

fn renumbered<P: Piece>(pieces: &[P], number: impl Fn(u8) -> u8) -> Box<[P]> {
    pieces.iter().map(|piece| piece.slot().map_or(*piece, |slot| piece.with_slot(number(slot)))).collect()
}

fn put_in<P: Piece>(pieces: &[P], slot: u8, filler: &[P]) -> Vec<P> {
    let mut all = Vec::with_capacity(pieces.len() + filler.len());
    for piece in pieces {
        match piece.slot() {
            Some(number) if number == slot => {
                let moved =
                    |piece: &P| piece.slot().map_or(*piece, |inner| piece.with_slot(TEMPORARY + inner));
                all.extend(filler.iter().map(moved));
            }
            _ => all.push(*piece),
        }
    }
    all
}

/// The first place of `part` in `whole`.
pub fn find<P: Eq>(whole: &[P], part: &[P]) -> Option<usize> {
    let (first, rest) = part.split_first()?;
    let ends = (whole.len() + 1).checked_sub(part.len())?;
    (0..ends).find(|&at| whole[at] == *first && whole[at + 1..at + part.len()] == *rest)
}

/// The places of `part` in `whole` that do not overlap, from the left.
pub fn occurrences<P: Eq>(whole: &[P], part: &[P]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(place) = find(&whole[from..], part) {
        places.push(from + place);
        from += place + part.len();
    }
    places
}

/// `whole` with every occurrence of `part` (that does not overlap another) replaced by `piece`.
pub fn replaced<P: Piece>(whole: &[P], part: &[P], piece: P) -> Vec<P> {
    let mut all = Vec::with_capacity(whole.len());
    let mut from = 0;
    for place in occurrences(whole, part) {
        all.extend_from_slice(&whole[from..place]);
        all.push(piece);
        from = place + part.len();
    }
    all.extend_from_slice(&whole[from..]);
    all
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An entry from text: letters are words or tokens, digits are slots.
    pub(crate) fn entry(pattern: &str, says: &str) -> Entry {
        let code = |text: &str| u32::from(text.as_bytes()[0]);
        let slot = |text: &str| text.parse::<u8>().ok();
        let pattern: Vec<In> = pattern
            .split_whitespace()
            .map(|text| slot(text).map_or(In::Word(Word(code(text))), In::Slot))
            .collect();
        let says: Vec<Out> = says
            .split_whitespace()
            .map(|text| slot(text).map_or(Out::Token(Token(code(text))), Out::Slot))
            .collect();
        Entry::new(&pattern, &says)
    }

    #[test]
    fn slots_are_numbered_from_the_left() {
        assert_eq!(entry("7 t 3", "3 7 7"), entry("0 t 1", "1 0 0"));
    }

    #[test]
    fn a_filler_is_put_in_on_both_sides() {
        let and = entry("0 a 1", "0 1");
        let twice = entry("0 t", "0 0");
        assert_eq!(and.compose(0, &twice), Some(entry("0 t a 1", "0 0 1")));
        assert_eq!(and.compose(1, &twice), Some(entry("0 a 1 t", "0 1 1")));
    }

    #[test]
    fn parts_are_found_and_replaced_without_overlap() {
        assert_eq!(occurrences(b"aabaa", b"a"), [0, 1, 3, 4]);
        assert_eq!(occurrences(b"aaaa", b"aaa"), [0]);
        assert_eq!(find(b"ab", b"abc"), None);
        let says = entry("x 0", "A B 0 A B").says;
        let part = [Out::Token(Token(65)), Out::Token(Token(66))];
        assert_eq!(replaced(&says, &part, Out::Slot(9)), [Out::Slot(9), Out::Slot(0), Out::Slot(9)]);
    }
}
