//! Entries of values and which of them are believed.

use super::open::RUN;
use super::program::Program;
use super::value::Value;
use crate::prices::{COMPUTING_ENTRY, COMPUTING_SLOT, CONSTANT, ROW};
use crate::symbol::Word;
use crate::theory::entries::Entries;
use crate::theory::entry::In;
use crate::theory::tree::Shape;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A pattern of words and slots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pattern {
    /// Words and slots; the slots are numbered from the left.
    pub pieces: Box<[In]>,
    /// Whether its last slot takes a row: one filler or more.
    pub row: bool,
    /// The word between the fillers of a row, if there is one.
    pub separator: Option<Word>,
}

impl Pattern {
    /// A pattern of one word.
    pub fn word(word: Word) -> Pattern {
        Pattern::of_slots(Box::new([In::Word(word)]))
    }

    /// A pattern without a row.
    pub fn of_slots(pieces: Box<[In]>) -> Pattern {
        Pattern { pieces, row: false, separator: None }
    }

    /// How many slots it has.
    pub fn slots(&self) -> usize {
        self.pieces.iter().filter(|piece| matches!(piece, In::Slot(_))).count()
    }

    /// So many of the fillers that are left stand in a slot: all in that of a row, else one.
    pub fn fillers(&self, slot: u8, left: usize) -> usize {
        self.shape().fillers(slot, left)
    }

    /// How it is laid over an input.
    pub fn shape(&self) -> Shape<'_> {
        let row = self.slots().checked_sub(1).filter(|_| self.row).map(|slot| slot as u8);
        Shape { pieces: &self.pieces, row, separator: self.separator }
    }

    /// What stands before and behind its row, if it has no other slot.
    pub fn around_row(&self) -> Option<(&[In], &[In])> {
        let row = self.pieces.iter().position(|piece| matches!(piece, In::Slot(_)))?;
        (self.row && self.slots() == 1).then_some((&self.pieces[..row], &self.pieces[row + 1..]))
    }

    /// Whether it is a row without a word.
    pub fn is_bare_row(&self) -> bool {
        self.row && self.pieces.len() == 1
    }

    /// Its words.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        self.pieces.iter().filter_map(|piece| piece.word())
    }

    /// Its words, and the one between the fillers of its row.
    pub fn all_words(&self) -> impl Iterator<Item = Word> + '_ {
        self.words().chain(self.separator)
    }

    /// Whether it is this one word.
    pub fn is_word(&self, word: Word) -> bool {
        *self.pieces == [In::Word(word)]
    }

    /// Whether its words stand in `input`, in this order.
    pub fn is_within(&self, input: &[Word]) -> bool {
        let mut rest = input.iter();
        self.words().all(|word| rest.any(|&other| other == word))
    }

    /// What it costs to say it, with so many words to choose from. Half the bits of a word: that there is a word for something is the rule.
    pub fn bits(&self, vocabulary: usize) -> f64 {
        let word = 1.0 + 0.5 * (vocabulary.max(1) as f64).log2();
        let slot = if self.row { ROW } else { COMPUTING_SLOT };
        COMPUTING_ENTRY + word * self.all_words().count() as f64 + slot * self.slots() as f64
    }
}

/// A pattern and what it computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// The pattern.
    pub pattern: Pattern,
    /// The program over the values of its slots.
    pub program: Program,
}

impl Entry {
    /// Whether all words, slots and arguments are some that there are, and no slot is its own filler.
    pub fn is_sound(&self, words: u32) -> bool {
        let Pattern { pieces, row, separator } = &self.pattern;
        let slots = self.pattern.slots();
        let mut next = 0;
        let pieces_are_sound = pieces.iter().all(|piece| match *piece {
            In::Word(word) => word.0 < words || word == RUN,
            In::Slot(slot) => {
                next += 1;
                usize::from(slot) + 1 == next
            }
        });
        let is_bare = pieces.len() <= slots && slots <= 1 && !row;
        let is_run = self.pattern.is_word(RUN);
        let has_run = self.pattern.words().any(|word| word == RUN);
        pieces_are_sound
            && !is_bare
            && has_run == is_run
            && is_run == (self.program == Program::Own)
            && (!row || (1..=2).contains(&slots))
            && separator.is_none_or(|word| *row && word.0 < words)
            && (*row == self.program.takes_row() || (!row && self.program.takes_a_row_as_value()))
            && self.program.is_sound(slots)
    }

    /// Its value, if it is a constant.
    pub fn constant(&self) -> Option<&Value> {
        match &self.program {
            Program::Constant(value) => Some(value),
            _ => None,
        }
    }
}

/// What a constant costs beside its pattern, if a token costs `token_bits`. Numbers that words stand for are said often: half of what they cost
/// outright.
pub fn constant_bits(value: &Value, token_bits: f64) -> f64 {
    match value {
        Value::Number(_) => 0.5 * value.bits(token_bits) + CONSTANT,
        Value::Truth(_) => CONSTANT,
        Value::List(_) | Value::Row(_) => value.bits(token_bits),
    }
}

/// Entries of values and which of them are believed.
pub type Lexicon = Entries<Entry>;

impl Lexicon {
    /// The words that believed entries have.
    pub fn words(&self) -> BTreeSet<Word> {
        self.believed().flat_map(|entry| entry.pattern.all_words()).collect()
    }

    /// Whether a believed entry has this pattern.
    pub fn has(&self, pattern: &Pattern) -> bool {
        self.believed().any(|entry| entry.pattern == *pattern)
    }
}
