//! The one objective: the bits that a theory and the examples take together.
//!
//! A theory is paid for piece by piece; an example is paid for by its tree: at every slot, which of the slot's fillers
//! it was, at the rate the trees themselves show, and for every different filler of a slot what it takes to say that
//! it may stand there. An example may also be said outright: where a result is wrong, that is shorter than an entry which
//! says it. Every decision of learning is a difference of this sum; what pieces cost is in [`crate::prices`].

use crate::prices::{CALL, ENTRY, OUTRIGHT, SLOT, x_log_x};
use crate::theory::entry::{Entry, In, Out};

/// What the pieces of a theory cost, in bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// A word in a pattern.
    pub word: f64,
    /// A token that is said outright.
    pub token: f64,
}

impl Prices {
    /// Prices where there are so many words and tokens to choose from: which of them it is, and that it is no slot.
    pub fn new(words: usize, tokens: usize) -> Prices {
        let literal = |choices: usize| 1.0 + (choices.max(2) as f64).log2();
        Prices { word: literal(words), token: literal(tokens) }
    }

    /// What an entry costs. Of a further kind of one, only which it is of has to be said; there are about as many as words.
    pub fn entry(&self, entry: &Entry) -> f64 {
        if entry.kind > 0 {
            return ENTRY + self.word;
        }
        ENTRY + self.pattern(&entry.pattern) + self.says(&entry.says)
    }

    /// What it costs to say an example outright: that it is, its input, and its result.
    pub fn outright(&self, pattern: &[In], says: &[Out]) -> f64 {
        OUTRIGHT + self.pattern(pattern) + self.says(says)
    }

    /// What it costs to say the result of an input outright.
    pub fn result(&self, says: &[Out]) -> f64 {
        OUTRIGHT + self.says(says)
    }

    /// What is saved where, of so many words of a class, so many say their own names, and that is said once instead of their tokens.
    pub fn saved_by_copying(&self, members: usize, copies: usize) -> f64 {
        let of = |number: usize| x_log_x(number as f64);
        let which = of(members) - of(copies) - of(members - copies);
        copies as f64 * self.token - which - (ENTRY + 2.0 * SLOT)
    }

    /// What a pattern costs.
    pub fn pattern(&self, pattern: &[In]) -> f64 {
        let piece = |piece: &In| match piece {
            In::Slot(_) => SLOT,
            In::Word(_) => self.word,
        };
        pattern.iter().map(piece).sum()
    }

    /// What it costs to say what an entry says.
    pub fn says(&self, says: &[Out]) -> f64 {
        let piece = |piece: &Out| match piece {
            Out::Slot(_) => SLOT,
            Out::Call(..) => CALL + SLOT,
            Out::Token(_) => self.token,
        };
        says.iter().map(piece).sum()
    }
}
