//! Symbols and the values of their children to values: one program per symbol and number of children.

mod closed;
pub mod costs;
pub mod enumerate;
pub mod eval;
mod flat;
mod halves;
pub mod invert;
pub mod lexicon;
pub mod program;
pub mod recursion;
pub mod template;
mod walk;

use crate::symbol::Symbol;
use crate::value::Value;

/// What a symbol means with given children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It computes a value: the number of the sense among the symbol's senses, and the value.
    Value(u16, Value),
    /// It contributes nothing (and its head does not count it among its children).
    Void(u16),
    /// It could not be worked out.
    Unknown,
}

impl Meaning {
    /// The value, if there is one.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Meaning::Value(_, value) => Some(value),
            Meaning::Void(_) | Meaning::Unknown => None,
        }
    }

    /// The number of the sense, if there is one.
    pub fn sense(&self) -> Option<u16> {
        match self {
            Meaning::Value(sense, _) | Meaning::Void(sense) => Some(*sense),
            Meaning::Unknown => None,
        }
    }
}

/// What the other stages need of semantics.
pub trait Semantics {
    /// What `symbol` means with children of these values.
    fn meaning(&self, symbol: Symbol, children: &[Value]) -> Meaning;
}

/// The most probable sense of the symbol for so many children.
impl Semantics for lexicon::Lexicon {
    fn meaning(&self, symbol: Symbol, children: &[Value]) -> Meaning {
        let Some((number, sense)) = self.sense_for(symbol.index(), children.len()) else {
            return Meaning::Unknown;
        };
        match sense.program {
            None => Meaning::Void(number),
            Some(_) => {
                self.apply(sense, children).map_or(Meaning::Unknown, |value| Meaning::Value(number, value))
            }
        }
    }
}
