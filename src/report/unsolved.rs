//! Which words a model has not solved.

use crate::model::Model;
use crate::symbol::{Symbol, Word};
use std::collections::BTreeSet;

/// The words of no construction that are no members of an open class either.
pub fn unsolved(model: &Model) -> Vec<Symbol> {
    let known: BTreeSet<Word> = (0..model.known.len()).flat_map(|id| model.known.words(id)).collect();
    let in_numbers = model.computed.as_ref().map_or_else(BTreeSet::new, |computed| computed.words());
    let stands = |word: Word| {
        model.computed.as_ref().is_some_and(|computed| computed.stands_for_numbers(Symbol(word.0)))
    };
    let open = model.computes().and_then(|known| known.open());
    let is_member = |word: Word| open.is_some_and(|open| open.token(word).is_some());
    let words = (0..model.inputs.len() as u32).map(Word);
    let is_solved =
        |word: Word| known.contains(&word) || in_numbers.contains(&word) || stands(word) || is_member(word);
    words.filter(|word| !is_solved(*word)).map(|word| Symbol(word.0)).collect()
}
