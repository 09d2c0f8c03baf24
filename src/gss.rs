//! The grounded symbol system: one example worked out, a tree whose nodes are (input, symbol, value).

use crate::symbol::Symbol;
use crate::tree::Tree;
use crate::value::Value;

/// What one node of the tree means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It computes a value: the number of the sense among the word's senses, and the value.
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

/// An input worked out: its symbols, its tree and the meaning of every node.
#[derive(Clone, Debug, PartialEq)]
pub struct Gss {
    /// The symbol of each input token; `None` for a token that was never seen.
    pub symbols: Vec<Option<Symbol>>,
    /// How they depend on each other.
    pub tree: Tree,
    /// What each node means.
    pub meanings: Vec<Meaning>,
    /// The log-probability of the tree, where it is known.
    pub log_probability: Option<f64>,
}

impl Gss {
    /// The result: the value at the root.
    pub fn value(&self) -> Option<&Value> {
        self.meanings[self.tree.root()].value()
    }
}
