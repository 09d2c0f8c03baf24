//! Raw inputs to symbols: p(s|x) is a product over the input's segments.
//!
//! For text the segments are tokens and perception is the identity ([`Words`]); [`Given`] hands out symbols
//! that are known otherwise, to measure the other stages alone. Perception of images comes behind the same
//! trait.

mod given;
mod words;

pub use given::Given;
pub use words::Words;

use crate::symbol::Symbol;

/// How probable each symbol is for one segment: symbols with their probabilities, the most probable first.
/// Empty for a segment that is like nothing seen before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolProbs(pub Vec<(Symbol, f64)>);

impl SymbolProbs {
    /// One symbol for certain.
    pub fn certain(symbol: Symbol) -> SymbolProbs {
        SymbolProbs(vec![(symbol, 1.0)])
    }

    /// The most probable symbol.
    pub fn best(&self) -> Option<Symbol> {
        self.0.first().map(|&(symbol, _)| symbol)
    }
}

/// What the other stages need of perception.
pub trait Perception {
    /// One segment of an input.
    type Segment: ?Sized;

    /// The symbols of each segment.
    fn perceive(&self, input: &[&Self::Segment]) -> Vec<SymbolProbs>;
}

/// The most probable symbol of each segment; `None` for a segment that is like nothing seen before.
pub fn read<P: Perception + ?Sized>(perception: &P, input: &[&P::Segment]) -> Vec<Option<Symbol>> {
    perception.perceive(input).iter().map(SymbolProbs::best).collect()
}
