//! Up: from symbols and a tree to values.

use crate::semantics::{Meaning, Semantics};
use crate::symbol::Symbol;
use crate::tree::Tree;
use crate::value::Value;

/// Works out every node of `tree` from the leaves up. Children without a value of their own (`Void`) do not
/// count; a node whose word has no sense for its number of children is `Unknown`, and so are all above it.
pub fn evaluate(semantics: &impl Semantics, symbols: &[Option<Symbol>], tree: &Tree) -> Vec<Meaning> {
    work_out(semantics, symbols, tree, |meaning| meaning.value().cloned())
}

/// The value of the root alone. Values are given up as soon as the head has used them: those of a long input would
/// fill the memory.
pub fn result(semantics: &impl Semantics, symbols: &[Option<Symbol>], tree: &Tree) -> Option<Value> {
    let take = |meaning: &mut Meaning| match std::mem::replace(meaning, Meaning::Unknown) {
        Meaning::Value(_, value) => Some(value),
        _ => None,
    };
    let mut meanings = work_out(semantics, symbols, tree, take);
    take(&mut meanings[tree.root()])
}

/// The meanings of all nodes, each made from what `value` gives for the nodes below it.
fn work_out(
    semantics: &impl Semantics,
    symbols: &[Option<Symbol>],
    tree: &Tree,
    value: impl Fn(&mut Meaning) -> Option<Value>,
) -> Vec<Meaning> {
    let children = tree.children();
    let mut meanings = vec![Meaning::Unknown; tree.len()];
    let mut args: Vec<Value> = Vec::new();
    for position in tree.bottom_up() {
        let position = position as usize;
        args.clear();
        let known = children[position].iter().all(|&child| {
            let meaning = &mut meanings[child as usize];
            let known = *meaning != Meaning::Unknown;
            if matches!(meaning, Meaning::Value(..)) {
                args.extend(value(meaning));
            }
            known
        });
        if let (true, Some(symbol)) = (known, symbols[position]) {
            meanings[position] = semantics.meaning(symbol, &args);
        }
    }
    meanings
}
