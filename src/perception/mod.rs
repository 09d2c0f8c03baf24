//! Raw inputs to symbols: p(s|x) is a product over the input's segments.
//!
//! For text the segments are tokens and perception is the identity ([`Words`]). Pictures are read by a [`network`] behind
//! the same trait.

#[cfg(feature = "vision")]
mod cluster;
#[cfg(feature = "vision")]
mod image;
#[cfg(feature = "vision")]
mod nearest;
#[cfg(feature = "vision")]
pub mod network;
#[cfg(feature = "vision")]
pub mod pretrain;
mod words;

#[cfg(feature = "vision")]
pub(crate) use cluster::cluster;
#[cfg(feature = "vision")]
pub use nearest::nearest;
pub use words::Words;

use crate::symbol::Symbol;

/// Symbols less probable than this are not considered for a segment.
const HARDLY_POSSIBLE: f32 = 1e-4;

/// How probable each symbol is for one segment: symbols with their probabilities, the most probable first.
/// Empty for a segment that is like nothing seen before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolProbs(pub Vec<(Symbol, f64)>);

impl SymbolProbs {
    /// One symbol for certain.
    pub fn certain(symbol: Symbol) -> SymbolProbs {
        SymbolProbs(vec![(symbol, 1.0)])
    }

    /// Symbols in the order of their probabilities, without those that are hardly possible.
    pub fn ranked(symbols: impl IntoIterator<Item = (Symbol, f32)>) -> SymbolProbs {
        let possible = symbols.into_iter().filter(|(_, probability)| *probability >= HARDLY_POSSIBLE);
        let mut symbols: Vec<(Symbol, f64)> = possible.map(|(symbol, p)| (symbol, f64::from(p))).collect();
        symbols.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        SymbolProbs(symbols)
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
