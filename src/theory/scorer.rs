//! What speaks for a tree beyond what fills what: features of the uses of its entries and of what it says, with a weight in bits for each.
//!
//! Which of several meanings a word has, its neighbours often tell, though no entry holds both: `how big` asks for a size, `a big city` for a large
//! one. And outputs have habits of their own: a tree that says tokens in a row which no output has is seldom right. The weights are
//! added to what the tree model says, so that all trees of an input make a log-linear model.

use crate::symbol::{Token, Word};
use crate::theory::entry::In;
use crate::theory::tree::Place;
use crate::theory::{EntryId, in_order};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Something that may be so in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Feature {
    /// An entry fills a slot.
    Fills(EntryId, Place),
    /// A word stands before the span of an entry; `None`: nothing does.
    Before(EntryId, Option<Word>),
    /// A word stands behind it.
    Behind(EntryId, Option<Word>),
    /// A word stands anywhere outside of its span.
    With(EntryId, Word),
    /// Two tokens stand side by side that do in no output.
    UnseenPair,
    /// Three do.
    UnseenTriple,
}

/// Tokens that stand side by side: two, with `NO` before them, or three. The ends of an output are `END`.
pub type Run = [Token; 3];

/// No token.
pub const NO: Token = Token(u32::MAX);
/// What stands before the first token of an output and behind the last.
pub const END: Token = Token(u32::MAX - 1);

/// Weights of features, and which tokens stand side by side in outputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scorer {
    /// By feature, in bits; what is above zero speaks against a tree.
    #[serde(serialize_with = "in_order")]
    pub weights: FxHashMap<Feature, f32>,
    /// In how many outputs these are.
    #[serde(serialize_with = "in_order")]
    pub runs: FxHashMap<Run, u32>,
}

impl Scorer {
    /// A scorer without weights, that has seen these outputs.
    pub fn new<'a>(outputs: impl IntoIterator<Item = &'a [Token]>) -> Scorer {
        let mut scorer = Scorer::default();
        for output in outputs {
            for run in runs(output, true).collect::<BTreeSet<Run>>() {
                *scorer.runs.entry(run).or_default() += 1;
            }
        }
        scorer
    }

    /// The weight of a feature.
    pub fn weight(&self, feature: Feature) -> f64 {
        self.weights.get(&feature).copied().map_or(0.0, f64::from)
    }

    /// What it adds to the cost of a tree that an entry covers a span of an input.
    pub fn entry(&self, entry: EntryId, input: &[In], span: (usize, usize)) -> f64 {
        around(entry, input, span).map(|feature| self.weight(feature)).sum()
    }

    /// What these tokens, a whole output or part of one, add to the cost of a tree.
    pub fn tokens(&self, tokens: &[Token], is_whole: bool) -> f64 {
        let [pairs, triples] = self.unseen(tokens, is_whole, |_| false);
        pairs * self.weight(Feature::UnseenPair) + triples * self.weight(Feature::UnseenTriple)
    }

    /// How many pairs and triples in these tokens are in no output, or only in one and there `only_here`.
    pub fn unseen(&self, tokens: &[Token], is_whole: bool, only_here: impl Fn(&Run) -> bool) -> [f64; 2] {
        let mut unseen = [0.0; 2];
        for run in runs(tokens, is_whole) {
            let times = self.runs.get(&run).copied().unwrap_or(0);
            if times == 0 || (times == 1 && only_here(&run)) {
                unseen[usize::from(run[0] != NO)] += 1.0;
            }
        }
        unseen
    }
}

/// The features of an entry that covers a span of an input: the words around it.
pub fn around(
    entry: EntryId,
    input: &[In],
    (from, to): (usize, usize),
) -> impl Iterator<Item = Feature> + '_ {
    let word = move |place: usize| input.get(place).and_then(|piece| piece.word());
    let outside = (0..from).chain(to..input.len());
    let first = move |place: &usize| {
        (0..*place).all(|earlier| (from..to).contains(&earlier) || input[earlier] != input[*place])
    };
    let with = outside.filter(first).filter_map(word).map(move |word| Feature::With(entry, word));
    let beside =
        [Feature::Before(entry, from.checked_sub(1).and_then(word)), Feature::Behind(entry, word(to))];
    beside.into_iter().chain(with)
}

/// The pairs and triples of tokens, with the ends of an output if these are all of it.
pub fn runs(tokens: &[Token], is_whole: bool) -> impl Iterator<Item = Run> + '_ {
    let ends = usize::from(is_whole);
    let long = tokens.len() + 2 * ends;
    let at = move |place: usize| {
        place.checked_sub(ends).and_then(|place| tokens.get(place)).copied().unwrap_or(END)
    };
    let pairs = (1..long).map(move |place| [NO, at(place - 1), at(place)]);
    let triples = (2..long).map(move |place| [at(place - 2), at(place - 1), at(place)]);
    pairs.chain(triples)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        text.bytes().map(|byte| Token(u32::from(byte))).collect()
    }

    #[test]
    fn what_no_other_output_has_is_unseen() {
        let scorer = Scorer::new([&tokens("abc")[..], &tokens("abd")[..]]);
        assert_eq!(scorer.unseen(&tokens("abc"), true, |_| false), [0.0, 0.0]);
        // `ba` is new; so are the end behind `a`, and all three triples but none within `ab`.
        assert_eq!(scorer.unseen(&tokens("aba"), true, |_| false), [2.0, 2.0]);
        assert_eq!(scorer.unseen(&tokens("ab"), false, |_| false), [0.0, 0.0]);
        // `bc`, and `c` at the end, are in one output alone.
        assert_eq!(scorer.unseen(&tokens("abc"), true, |_| true), [2.0, 2.0]);
    }
}
