//! Entries: a pattern of words and slots, and what it says with its slots filled.

use crate::symbol::{Token, Word};
use serde::{Deserialize, Serialize};

/// A piece of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum In {
    /// A place that another entry fills; slots are numbered from the left.
    Slot(u8),
    /// A place for one filler or several side by side, whose values are joined.
    Row(u8),
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
    /// A plain slot.
    fn plain(slot: u8) -> Self;
    /// Whether it is said outright, whatever fills the slots.
    fn is_literal(self) -> bool {
        self.slot().is_none()
    }
}

impl Piece for In {
    fn slot(self) -> Option<u8> {
        match self {
            In::Slot(slot) | In::Row(slot) => Some(slot),
            In::Word(_) => None,
        }
    }

    fn with_slot(self, slot: u8) -> In {
        match self {
            In::Slot(_) => In::Slot(slot),
            In::Row(_) => In::Row(slot),
            In::Word(_) => self,
        }
    }

    fn plain(slot: u8) -> In {
        In::Slot(slot)
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

    fn plain(slot: u8) -> Out {
        Out::Slot(slot)
    }
}
