//! Up: from symbols and a tree to values.

use crate::gss::Meaning;
use crate::semantics::lexicon::Lexicon;
use crate::symbol::Symbol;
use crate::tree::Tree;
use crate::value::Value;

/// Works out every node of `tree` from the leaves up. Children without a value of their own (`Void`) do not
/// count; a node whose word has no sense for its number of children is `Unknown`, and so are all above it.
pub fn evaluate(lexicon: &Lexicon, symbols: &[Option<Symbol>], tree: &Tree) -> Vec<Meaning> {
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
            meanings[position] = meaning(lexicon, symbol, &args);
        }
    }
    meanings
}

/// What `symbol` means with these children: its most probable sense for so many.
fn meaning(lexicon: &Lexicon, symbol: Symbol, args: &[Value]) -> Meaning {
    let Some((number, sense)) = lexicon.sense_for(symbol.index(), args.len()) else {
        return Meaning::Unknown;
    };
    match sense.program {
        None => Meaning::Void(number),
        Some(_) => lexicon.apply(sense, args).map_or(Meaning::Unknown, |value| Meaning::Value(number, value)),
    }
}
