//! What the examples say before any theory: which words and tokens occur together, and which tokens nest.

use crate::settings::{LEAST, TRIED};
use crate::symbol::{Token, Word};
use crate::theory::entry::{Entry, In, Out};
use rustc_hash::FxHashMap;

/// One distinct pair of input and output.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Example {
    /// The input's words.
    pub input: Box<[Word]>,
    /// The output's tokens.
    pub output: Box<[Token]>,
}

impl Example {
    /// The example as an entry of its own, kept whole.
    pub fn whole(&self) -> Entry {
        Entry { pattern: self.pattern(), says: self.says(), kind: 0 }
    }

    /// The input as a pattern.
    pub fn pattern(&self) -> Box<[In]> {
        self.input.iter().copied().map(In::Word).collect()
    }

    /// The output as what a pattern says.
    pub fn says(&self) -> Box<[Out]> {
        self.output.iter().copied().map(Out::Token).collect()
    }
}

/// Counts over all examples.
pub struct Evidence {
    examples: usize,
    words: FxHashMap<Word, Box<[u64]>>,
    tokens: FxHashMap<Token, Box<[u64]>>,
    /// Tokens that open and close, as brackets do.
    pairs: Vec<(Token, Token)>,
}

impl Evidence {
    /// The evidence of examples.
    pub fn new(examples: &[Example]) -> Evidence {
        let blocks = examples.len().div_ceil(64);
        let mut words: FxHashMap<Word, Box<[u64]>> = FxHashMap::default();
        let mut tokens: FxHashMap<Token, Box<[u64]>> = FxHashMap::default();
        let none = || vec![0u64; blocks].into_boxed_slice();
        for (number, example) in examples.iter().enumerate() {
            for &word in &example.input {
                words.entry(word).or_insert_with(none)[number / 64] |= 1 << (number % 64);
            }
            for &token in &example.output {
                tokens.entry(token).or_insert_with(none)[number / 64] |= 1 << (number % 64);
            }
        }
        Evidence { examples: examples.len(), words, tokens, pairs: brackets(examples) }
    }

    /// Whether every bracket that opens among these tokens closes, and the other way round.
    pub fn is_balanced<'a>(&self, tokens: impl Iterator<Item = &'a Token> + Clone) -> bool {
        self.pairs.iter().all(|&pair| depth(pair, tokens.clone()).is_some())
    }

    /// Whether the brackets in what an entry says are balanced.
    pub fn says_balanced(&self, entry: &Entry) -> bool {
        let tokens = entry.says.iter().filter_map(|piece| match piece {
            Out::Token(token) => Some(token),
            Out::Slot(_) | Out::Call(..) => None,
        });
        self.is_balanced(tokens)
    }

    /// How much more often, in bits, an entry's tokens occur where its words do than elsewhere.
    pub fn lift(&self, entry: &Entry) -> f64 {
        let tokens = entry.says.iter().filter_map(|piece| match piece {
            Out::Token(token) => Some(self.tokens.get(token)),
            Out::Slot(_) | Out::Call(..) => None,
        });
        let (Some(said), Some(here)) =
            (self.with_all(tokens), self.with_all(entry.words().map(|word| self.words.get(&word))))
        else {
            return f64::INFINITY;
        };
        let count = |set: &[u64]| f64::from(set.iter().map(|block| block.count_ones()).sum::<u32>());
        let both: Vec<u64> = said.iter().zip(&here).map(|(a, b)| a & b).collect();
        ((count(&both) / count(&here)) / (count(&said) / self.examples as f64)).log2()
    }

    /// The examples with all of these; `None` if none are asked for.
    fn with_all<'a>(&'a self, sets: impl Iterator<Item = Option<&'a Box<[u64]>>>) -> Option<Vec<u64>> {
        let mut all: Option<Vec<u64>> = None;
        for set in sets {
            let set = set.map_or_else(|| vec![0; self.examples.div_ceil(64)], |set| set.to_vec());
            all = Some(match all {
                Some(all) => all.iter().zip(&set).map(|(a, b)| a & b).collect(),
                None => set,
            });
        }
        all
    }
}

/// How deep a pair of brackets nests, if it is balanced.
fn depth<'a>((open, close): (Token, Token), tokens: impl Iterator<Item = &'a Token>) -> Option<usize> {
    let (mut depth, mut deepest) = (0usize, 0);
    for &token in tokens {
        if token == open {
            depth += 1;
            deepest = deepest.max(depth);
        } else if token == close {
            depth = depth.checked_sub(1)?;
        }
    }
    (depth == 0).then_some(deepest)
}

/// Pairs of tokens that are balanced in every output, and nest in some.
fn brackets(examples: &[Example]) -> Vec<(Token, Token)> {
    let mut uses: FxHashMap<Token, usize> = FxHashMap::default();
    for token in examples.iter().flat_map(|example| &example.output) {
        *uses.entry(*token).or_default() += 1;
    }
    let mut frequent: Vec<(usize, Token)> =
        uses.into_iter().filter(|(_, uses)| *uses >= LEAST).map(|(token, uses)| (uses, token)).collect();
    frequent.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    frequent.truncate(TRIED);
    let is_pair = |pair: (Token, Token)| {
        let depths = || examples.iter().map(|example| depth(pair, example.output.iter()));
        depths().all(|depth| depth.is_some()) && depths().flatten().any(|depth| depth > 1)
    };
    let mut pairs = Vec::new();
    for &(uses, open) in &frequent {
        for &(others, close) in &frequent {
            if open != close && uses == others && is_pair((open, close)) {
                pairs.push((open, close));
            }
        }
    }
    pairs
}
