//! Perception of text: a word is its own symbol.

use super::{Perception, SymbolProbs};
use crate::symbol::Vocabulary;

/// The identity over a vocabulary.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a>(pub &'a Vocabulary);

impl Perception for Words<'_> {
    type Segment = str;

    fn perceive(&self, input: &[&str]) -> Vec<SymbolProbs> {
        let symbol = |word: &&str| self.0.get(word).map(SymbolProbs::certain).unwrap_or_default();
        input.iter().map(symbol).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::perception::{Words, read};
    use crate::symbol::Vocabulary;

    #[test]
    fn a_known_word_is_its_symbol_and_an_unknown_one_is_none() {
        let mut words = Vocabulary::default();
        let walk = words.intern("walk");
        assert_eq!(read(&Words(&words), &["walk", "fly"]), [Some(walk), None]);
    }
}
