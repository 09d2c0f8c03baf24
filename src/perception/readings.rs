//! The readings of a row of segments, the most probable first.
//!
//! A reading takes one symbol for each segment; its probability is the product of theirs. The first reading has the
//! most probable symbol everywhere; others differ from it in the places where that costs least. Each is made once,
//! from one that is more probable (after Lawler 1972), so that as many as are wanted can be drawn.

use super::SymbolProbs;
use crate::symbol::Symbol;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Draws readings, the most probable first, with their log-probabilities.
pub struct Readings<'a> {
    row: &'a [SymbolProbs],
    /// Places that can be read in other ways, those first where the second way costs least.
    places: Vec<usize>,
    best: f64,
    open: BinaryHeap<Open>,
}

/// A reading that may come next: what it costs more than the best, and where it differs from it.
struct Open {
    loss: f64,
    /// Numbers of `places`, rising, and which way each is read.
    changes: Vec<(usize, usize)>,
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    /// The greatest costs least; ties are broken so that no order is left to chance.
    fn cmp(&self, other: &Open) -> Ordering {
        other.loss.total_cmp(&self.loss).then_with(|| other.changes.cmp(&self.changes))
    }
}

impl<'a> Readings<'a> {
    /// The readings of `row`; none if a segment cannot be read at all.
    pub fn new(row: &'a [SymbolProbs]) -> Readings<'a> {
        let mut places: Vec<usize> = (0..row.len()).filter(|&place| row[place].0.len() > 1).collect();
        places.sort_by(|&a, &b| loss(&row[a], 1).total_cmp(&loss(&row[b], 1)).then(a.cmp(&b)));
        let readable = row.iter().all(|symbols| !symbols.0.is_empty());
        let best = row.iter().filter_map(|symbols| symbols.0.first()).map(|first| first.1.ln()).sum();
        let open = readable.then(|| Open { loss: 0.0, changes: Vec::new() });
        Readings { row, places, best, open: open.into_iter().collect() }
    }

    fn ways(&self, number: usize) -> &'a SymbolProbs {
        &self.row[self.places[number]]
    }

    /// Opens what follows from a reading: its last change read in yet another way, a change further on, or its last
    /// change moved further on.
    fn follow(&mut self, Open { loss: so_far, changes }: &Open) {
        let next = changes.last().map_or(0, |&(number, _)| number + 1);
        if let Some(&(number, way)) = changes.last() {
            let (before, ways) = (&changes[..changes.len() - 1], self.ways(number));
            if way + 1 < ways.0.len() {
                let more = loss(ways, way + 1) - loss(ways, way);
                self.open(so_far + more, before, (number, way + 1));
            }
            if way == 1 && next < self.places.len() {
                let more = loss(self.ways(next), 1) - loss(ways, 1);
                self.open(so_far + more, before, (next, 1));
            }
        }
        if next < self.places.len() {
            self.open(so_far + loss(self.ways(next), 1), changes, (next, 1));
        }
    }

    fn open(&mut self, loss: f64, before: &[(usize, usize)], last: (usize, usize)) {
        let changes = before.iter().copied().chain([last]).collect();
        self.open.push(Open { loss, changes });
    }
}

/// What it costs to read a segment in another way than the best, as a logarithm.
fn loss(symbols: &SymbolProbs, way: usize) -> f64 {
    symbols.0[0].1.ln() - symbols.0[way].1.ln()
}

impl Iterator for Readings<'_> {
    type Item = (Vec<Symbol>, f64);

    fn next(&mut self) -> Option<(Vec<Symbol>, f64)> {
        let open = self.open.pop()?;
        self.follow(&open);
        let mut symbols: Vec<Symbol> = self.row.iter().map(|symbols| symbols.0[0].0).collect();
        for &(number, way) in &open.changes {
            symbols[self.places[number]] = self.ways(number).0[way].0;
        }
        Some((symbols, self.best - open.loss))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn probs(weights: &[u32]) -> SymbolProbs {
        let total: u32 = weights.iter().sum();
        let mut symbols: Vec<(Symbol, f64)> = (0..)
            .zip(weights)
            .map(|(number, &weight)| (Symbol(number), f64::from(weight) / f64::from(total)))
            .collect();
        symbols.sort_by(|a, b| b.1.total_cmp(&a.1));
        SymbolProbs(symbols)
    }

    /// All readings, by trying everything.
    fn all(row: &[SymbolProbs]) -> Vec<f64> {
        let mut all = vec![0.0];
        for symbols in row {
            all =
                all.iter().flat_map(|&so_far| symbols.0.iter().map(move |(_, p)| so_far + p.ln())).collect();
        }
        all.sort_by(|a, b| b.total_cmp(a));
        all
    }

    proptest! {
        #[test]
        fn every_reading_comes_once_and_in_order(row in prop::collection::vec(prop::collection::vec(1u32..9, 1..4), 1..5)) {
            let row: Vec<SymbolProbs> = row.iter().map(|weights| probs(weights)).collect();
            let found: Vec<(Vec<Symbol>, f64)> = Readings::new(&row).collect();
            let expected = all(&row);
            prop_assert_eq!(found.len(), expected.len());
            prop_assert!(found.iter().zip(&expected).all(|((_, found), expected)| (found - expected).abs() < 1e-9));
            let mut readings: Vec<&Vec<Symbol>> = found.iter().map(|(symbols, _)| symbols).collect();
            readings.sort();
            readings.dedup();
            prop_assert_eq!(readings.len(), expected.len());
        }
    }

    #[test]
    fn what_cannot_be_read_has_no_reading() {
        assert_eq!(Readings::new(&[probs(&[1]), SymbolProbs::default()]).next(), None);
    }
}
