//! Which tokens stand side by side in outputs.
//!
//! What fills what does not tell all of what may be said: `( on = table ) ( in = house )` has every slot filled as it should be, but no output ever had `) (`. A pair of
//! tokens that no output has is a *surprise* if, by how often each of them occurs, it should be there; tokens with the same neighbours, as all names, are taken
//! together, so that names one after the other are a surprise though each of them is rare.

use crate::symbol::Token;
use crate::theory::classes::classes;
use crate::theory::counts::Counts;
pub use crate::theory::scorer::END;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The first and the last token of what is said; `None` where nothing is.
pub type Ends = Option<(Token, Token)>;

/// How often two tokens stand side by side.
pub type Pairs = BTreeMap<(Token, Token), u32>;

/// Pairs of tokens in outputs, and how many were to be expected.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// How often each pair is there.
    pub pairs: Pairs,
    classes: FxHashMap<Token, u32>,
    class_pairs: FxHashMap<(u32, u32), f64>,
    /// How often classes are the first of a pair, and the second.
    first: FxHashMap<u32, f64>,
    second: FxHashMap<u32, f64>,
    all: f64,
}

impl Neighbours {
    /// The neighbours in these outputs.
    pub fn of<'a>(outputs: impl IntoIterator<Item = &'a [Token]>) -> Neighbours {
        let mut pairs = Pairs::new();
        for output in outputs {
            let behind = output.iter().copied().chain([END]);
            for pair in [END].into_iter().chain(output.iter().copied()).zip(behind) {
                *pairs.entry(pair).or_default() += 1;
            }
        }
        Neighbours::new(pairs)
    }

    /// The neighbours where pairs are there so often.
    pub fn new(pairs: Pairs) -> Neighbours {
        let beside = |(&(a, b), &times): (&(Token, Token), &u32)| {
            let times = f64::from(times);
            [((a.0, 1), b.0, times), ((b.0, 0), a.0, times)]
        };
        let classes = classes(&Counts::of_fillings(pairs.iter().flat_map(beside)));
        let classes = classes.into_iter().map(|(token, class)| (Token(token), class)).collect();
        let mut neighbours = Neighbours { classes, ..Neighbours::default() };
        for ((a, b), times) in &pairs {
            let (a, b, times) = (neighbours.classes[a], neighbours.classes[b], f64::from(*times));
            *neighbours.class_pairs.entry((a, b)).or_default() += times;
            *neighbours.first.entry(a).or_default() += times;
            *neighbours.second.entry(b).or_default() += times;
            neighbours.all += times;
        }
        neighbours.pairs = pairs;
        neighbours
    }

    /// How surprising it is that these tokens stand side by side, in bits: nothing if they do in some output, or if, of their classes,
    /// fewer than one pair was to be expected.
    pub fn surprise(&self, a: Token, b: Token) -> f64 {
        let (Some(first), Some(second)) = (self.classes.get(&a), self.classes.get(&b)) else { return 0.0 };
        if self.pairs.contains_key(&(a, b)) {
            return 0.0;
        }
        let often = |of: &FxHashMap<u32, f64>, class: &u32| of.get(class).copied().unwrap_or(0.0);
        let expected = often(&self.first, first) * often(&self.second, second) / self.all;
        let there = self.class_pairs.get(&(*first, *second)).copied().unwrap_or(0.0);
        let bits = ((1.0 + expected) / (1.0 + there)).log2();
        if bits < 1.0 { 0.0 } else { bits }
    }

    /// How surprising a whole output is.
    pub fn of_output(&self, output: &[Token]) -> f64 {
        let behind = output.iter().copied().chain([END]);
        [END].into_iter().chain(output.iter().copied()).zip(behind).map(|(a, b)| self.surprise(a, b)).sum()
    }

    /// The ends of two things that are said one after the other, and how surprising that is.
    pub fn joined(&self, before: Ends, behind: Ends) -> (Ends, f64) {
        match (before, behind) {
            (Some((first, a)), Some((b, last))) => (Some((first, last)), self.surprise(a, b)),
            (ends, None) | (None, ends) => (ends, 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        text.bytes().map(|byte| Token(u32::from(byte))).collect()
    }

    #[test]
    fn what_should_be_there_and_is_not_surprises() {
        let outputs: Vec<Vec<Token>> = ["v(a)", "w(b)", "v(c)", "w(v(a))", "v(w(b))", "w(w(c))", "v(d)"]
            .into_iter()
            .map(tokens)
            .collect();
        let neighbours = Neighbours::of(outputs.iter().map(Vec::as_slice));
        let surprise = |text: &str| neighbours.of_output(&tokens(text));
        assert_eq!(surprise("v(w(a))"), 0.0);
        // Never seen, but others of their classes are.
        assert_eq!(surprise("w(v(d))"), 0.0);
        assert!(surprise("v(a)(b)") > 1.0);
        // Each of them alone is too rare to be missed beside the other.
        assert!(surprise("v(a d)".replace(' ', "").as_str()) > 1.0);
        // Nothing is known of a token that no output has.
        assert_eq!(neighbours.surprise(Token(1), Token(2)), 0.0);
    }
}
