//! Up: from symbols and a tree to values.

use crate::semantics::{Meaning, Semantics};
use crate::symbol::Symbol;
use crate::tree::Tree;
use crate::value::Value;

/// Works out every node of `tree` from the leaves up. Children without a value of their own (`Void`) do not
/// count; a node whose word has no sense for its number of children is `Unknown`, and so are all above it.
pub fn evaluate(semantics: &impl Semantics, symbols: &[Option<Symbol>], tree: &Tree) -> Vec<Meaning> {
    work_out(semantics, symbols, tree, |meaning| meaning.value().cloned().map(|value| (value, 0)))
}

/// The value of the root alone. Values are given up as soon as the head has used them: those of a long input would
/// fill the memory.
pub fn result(semantics: &impl Semantics, symbols: &[Option<Symbol>], tree: &Tree) -> Option<Value> {
    let take = |meaning: &mut Meaning| match std::mem::replace(meaning, Meaning::Unknown) {
        Meaning::Value(_, value) => {
            let given_up = value.extent();
            Some((value, given_up))
        }
        _ => None,
    };
    let mut meanings = work_out(semantics, symbols, tree, take);
    take(&mut meanings[tree.root()]).map(|(value, _)| value)
}

/// The values of an input's nodes have at most so many tokens together: a node that goes beyond has no value.
const MAX_HELD: usize = 1 << 26;

/// The meanings of all nodes, each made from what `value` gives for the nodes below it, with how much of it is given up.
fn work_out(
    semantics: &impl Semantics,
    symbols: &[Option<Symbol>],
    tree: &Tree,
    value: impl Fn(&mut Meaning) -> Option<(Value, usize)>,
) -> Vec<Meaning> {
    let children = tree.children();
    let mut meanings = vec![Meaning::Unknown; tree.len()];
    let mut args: Vec<Value> = Vec::new();
    let mut held: usize = 0;
    for position in tree.bottom_up() {
        let position = position as usize;
        args.clear();
        let known = children[position].iter().all(|&child| {
            let meaning = &mut meanings[child as usize];
            let known = *meaning != Meaning::Unknown;
            if matches!(meaning, Meaning::Value(..)) {
                let (found, given_up) = value(meaning).unzip();
                args.extend(found);
                held -= given_up.unwrap_or(0);
            }
            known
        });
        if let (true, Some(symbol)) = (known, symbols[position]) {
            let meaning = semantics.meaning(symbol, &args);
            let extent = meaning.value().map_or(0, Value::extent);
            if held + extent <= MAX_HELD {
                held += extent;
                meanings[position] = meaning;
            }
        }
    }
    meanings
}
