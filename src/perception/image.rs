//! Perception of pictures: the network's probabilities.

use super::network::Network;
use super::{Perception, SymbolProbs};
use crate::symbol::Symbol;

/// A segment is the pixels of one picture.
impl Perception for Network {
    type Segment = [u8];

    fn perceive(&self, input: &[&[u8]]) -> Vec<SymbolProbs> {
        self.ranked(&self.predict(&input.concat()))
    }
}

impl Network {
    /// What [`Network::predict`] gave, as symbols with their probabilities.
    pub fn ranked(&self, probabilities: &[f32]) -> Vec<SymbolProbs> {
        let symbols = |row: &[f32]| SymbolProbs::ranked((0..).map(Symbol).zip(row.iter().copied()));
        probabilities.chunks_exact(self.symbols()).map(symbols).collect()
    }
}
