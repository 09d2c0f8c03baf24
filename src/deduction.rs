//! Up: from symbols and a tree to values.

use crate::semantics::{Meaning, Semantics};
use crate::symbol::Symbol;
use crate::tree::Tree;
use crate::value::Value;

/// Works out every node of `tree` from the leaves up. Children without a value of their own (`Void`) do not
/// count; a node whose word has no sense for its number of children is `Unknown`, and so are all above it.
pub fn evaluate(semantics: &impl Semantics, symbols: &[Option<Symbol>], tree: &Tree) -> Vec<Meaning> {
    let children = tree.children();
    let mut meanings = vec![Meaning::Unknown; tree.len()];
    let mut args: Vec<Value> = Vec::new();
    for position in tree.bottom_up() {
        let position = position as usize;
        args.clear();
        let known = children[position].iter().all(|&child| match &meanings[child as usize] {
            Meaning::Value(_, value) => {
                args.push(value.clone());
                true
            }
            Meaning::Void(_) => true,
            Meaning::Unknown => false,
        });
        if let (true, Some(symbol)) = (known, symbols[position]) {
            meanings[position] = semantics.meaning(symbol, &args);
        }
    }
    meanings
}
