//! The grounded symbol system: one example worked out, a tree whose nodes are (input, symbol, value).

use crate::symbol::Symbol;
use crate::tree::Tree;
use crate::value::Value;

pub use crate::semantics::Meaning;

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
