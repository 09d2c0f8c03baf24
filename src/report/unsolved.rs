//! Which words a model has not solved.

use crate::model::{Known, Model};
use crate::symbol::{Symbol, Word};
use std::collections::BTreeSet;

/// The words of no construction that are no members of an open class either.
pub fn unsolved(model: &Model) -> Vec<Symbol> {
    let known: BTreeSet<Word> = match &model.known {
        Known::Says(known) => known.theory.live().flat_map(|id| known.theory.entry(id).words()).collect(),
        Known::Computes(known) => {
            known.entries().iter().flat_map(|known| known.entry.pattern.words()).collect()
        }
    };
    let open = model.computes().and_then(|known| known.open());
    let is_member = |word: Word| open.is_some_and(|open| open.token(word).is_some());
    let words = (0..model.inputs.len() as u32).map(Word);
    words.filter(|word| !known.contains(word) && !is_member(*word)).map(|word| Symbol(word.0)).collect()
}
