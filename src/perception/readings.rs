//! The readings of a row of segments, the most probable first.
//!
//! A reading takes one symbol for each segment. It is as probable as its symbols are by their looks, and as they are
//! beside each other ([`Neighbours`]). Readings are drawn by an A* search from left to right: what the rest of a row
//! can come to at best is known exactly from right to left, so no step is taken in vain.

use super::SymbolProbs;
use crate::symbol::Symbol;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// So many times a pair is thought to have been seen that never was, if its symbols were as frequent as all.
const DOUBT: f64 = 0.1;

/// Which symbols stand beside each other.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    symbols: usize,
    /// How much more probable a symbol is after another than anywhere, as a logarithm; the last of each are the ends
    /// of a row.
    gains: Vec<f64>,
}

impl Neighbours {
    /// Nothing is known: all symbols stand beside all.
    pub fn unknown() -> Neighbours {
        Neighbours::default()
    }

    /// Counts pairs in rows of symbols below `symbols`.
    pub fn count<'a>(symbols: usize, rows: impl Iterator<Item = &'a [u32]>) -> Neighbours {
        let width = symbols + 1;
        let mut pairs = vec![0.0; width * width];
        for row in rows {
            let mut before = symbols;
            for symbol in row.iter().map(|&symbol| symbol as usize).chain([symbols]) {
                pairs[before * width + symbol] += 1.0;
                before = symbol;
            }
        }
        let total: f64 = pairs.iter().sum::<f64>() + DOUBT * width as f64;
        let shares: Vec<f64> = (0..width)
            .map(|symbol| (pairs.iter().skip(symbol).step_by(width).sum::<f64>() + DOUBT) / total)
            .collect();
        let gain = |pairs: &[f64]| {
            let all: f64 = pairs.iter().sum::<f64>() + DOUBT;
            let gain = |(count, share): (&f64, &f64)| ((count + DOUBT * share) / all / share).ln();
            pairs.iter().zip(&shares).map(gain).collect::<Vec<f64>>()
        };
        Neighbours { symbols, gains: pairs.chunks_exact(width).flat_map(gain).collect() }
    }

    /// What it adds that `after` follows `before`; `None` is the end of the row.
    fn gain(&self, before: Option<Symbol>, after: Option<Symbol>) -> f64 {
        let place = |symbol: Option<Symbol>| symbol.map_or(self.symbols, Symbol::index);
        self.gains.get(place(before) * (self.symbols + 1) + place(after)).copied().unwrap_or(0.0)
    }
}

/// Draws readings, the most probable first, with their log-probabilities.
pub struct Readings<'a> {
    row: &'a [SymbolProbs],
    neighbours: &'a Neighbours,
    /// What follows each way to read each segment, at best.
    rest: Vec<Vec<f64>>,
    /// Beginnings of readings: the one they go on from, and the way to read the last segment.
    begun: Vec<(usize, usize)>,
    open: BinaryHeap<Open>,
}

/// The beginning of a reading that may come next.
struct Open {
    /// The best that it can come to, and what it has come to.
    best: f64,
    so_far: f64,
    segments: usize,
    /// Its number in `begun`.
    begun: usize,
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
    /// The greatest is most probable; of equals the longest, then the first, so that no order is left to chance.
    fn cmp(&self, other: &Open) -> Ordering {
        let best = self.best.total_cmp(&other.best);
        best.then(self.segments.cmp(&other.segments)).then_with(|| other.begun.cmp(&self.begun))
    }
}

impl<'a> Readings<'a> {
    /// The readings of `row`; none if it is empty or a segment cannot be read at all.
    pub fn new(row: &'a [SymbolProbs], neighbours: &'a Neighbours) -> Readings<'a> {
        let mut readings =
            Readings { row, neighbours, rest: Vec::new(), begun: Vec::new(), open: BinaryHeap::new() };
        if !row.is_empty() && row.iter().all(|symbols| !symbols.0.is_empty()) {
            readings.look_ahead();
            readings.go_on(&Open { best: 0.0, so_far: 0.0, segments: 0, begun: usize::MAX }, None);
        }
        readings
    }

    /// Works out `rest` from right to left.
    fn look_ahead(&mut self) {
        let Readings { row, neighbours, rest, .. } = self;
        let last = &row[row.len() - 1].0;
        rest.push(last.iter().map(|&(symbol, _)| neighbours.gain(Some(symbol), None)).collect());
        for (here, next) in row.iter().zip(&row[1..]).rev() {
            let after = &rest[rest.len() - 1];
            let best = |symbol: Symbol| {
                let ways = next.0.iter().zip(after);
                let come = |(&(next, p), rest): (&(Symbol, f64), &f64)| {
                    neighbours.gain(Some(symbol), Some(next)) + p.ln() + rest
                };
                ways.map(come).fold(f64::NEG_INFINITY, f64::max)
            };
            let ways = here.0.iter().map(|&(symbol, _)| best(symbol)).collect();
            rest.push(ways);
        }
        rest.reverse();
    }

    /// Opens all ways to read the next segment.
    fn go_on(&mut self, from: &Open, before: Option<Symbol>) {
        for (way, &(symbol, p)) in self.row[from.segments].0.iter().enumerate() {
            let so_far = from.so_far + self.neighbours.gain(before, Some(symbol)) + p.ln();
            let best = so_far + self.rest[from.segments][way];
            self.open.push(Open { best, so_far, segments: from.segments + 1, begun: self.begun.len() });
            self.begun.push((from.begun, way));
        }
    }

    /// The symbols of a beginning.
    fn symbols(&self, mut begun: usize, segments: usize) -> Vec<Symbol> {
        let mut symbols = Vec::with_capacity(segments);
        for segment in (0..segments).rev() {
            let (from, way) = self.begun[begun];
            symbols.push(self.row[segment].0[way].0);
            begun = from;
        }
        symbols.reverse();
        symbols
    }
}

impl Iterator for Readings<'_> {
    type Item = (Vec<Symbol>, f64);

    fn next(&mut self) -> Option<(Vec<Symbol>, f64)> {
        loop {
            let open = self.open.pop()?;
            if open.segments == self.row.len() {
                return Some((self.symbols(open.begun, open.segments), open.best));
            }
            let (_, way) = self.begun[open.begun];
            let last = self.row[open.segments - 1].0[way].0;
            self.go_on(&open, Some(last));
        }
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
    fn all(row: &[SymbolProbs], neighbours: &Neighbours) -> Vec<f64> {
        let mut all: Vec<(Option<Symbol>, f64)> = vec![(None, 0.0)];
        for symbols in row {
            let longer = |&(before, so_far): &(Option<Symbol>, f64)| {
                let ways = symbols.0.iter();
                ways.map(|&(symbol, p)| {
                    (Some(symbol), so_far + p.ln() + neighbours.gain(before, Some(symbol)))
                })
                .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let mut all: Vec<f64> =
            all.into_iter().map(|(last, so_far)| so_far + neighbours.gain(last, None)).collect();
        all.sort_by(|a, b| b.total_cmp(a));
        all
    }

    proptest! {
        #[test]
        fn every_reading_comes_once_and_in_order(
            row in prop::collection::vec(prop::collection::vec(1u32..9, 1..4), 1..5),
            seen in prop::collection::vec(prop::collection::vec(0u32..4, 1..5), 0..5),
        ) {
            let row: Vec<SymbolProbs> = row.iter().map(|weights| probs(weights)).collect();
            let counted = Neighbours::count(4, seen.iter().map(Vec::as_slice));
            for neighbours in [Neighbours::unknown(), counted] {
                let found: Vec<(Vec<Symbol>, f64)> = Readings::new(&row, &neighbours).collect();
                let expected = all(&row, &neighbours);
                prop_assert_eq!(found.len(), expected.len());
                let close = |(found, expected): (&(Vec<Symbol>, f64), &f64)| (found.1 - expected).abs() < 1e-9;
                prop_assert!(found.iter().zip(&expected).all(close));
                let mut readings: Vec<&Vec<Symbol>> = found.iter().map(|(symbols, _)| symbols).collect();
                readings.sort();
                readings.dedup();
                prop_assert_eq!(readings.len(), expected.len());
            }
        }
    }

    #[test]
    fn what_cannot_be_read_has_no_reading() {
        let neighbours = Neighbours::unknown();
        assert_eq!(Readings::new(&[probs(&[1]), SymbolProbs::default()], &neighbours).next(), None);
        assert_eq!(Readings::new(&[], &neighbours).next(), None);
    }

    #[test]
    fn what_never_stood_beside_each_other_is_read_in_another_way() {
        let rows: Vec<Vec<u32>> = vec![vec![0, 1, 0]; 50];
        let neighbours = Neighbours::count(2, rows.iter().map(Vec::as_slice));
        // By its looks the middle is 0.
        let row = [probs(&[9, 1]), probs(&[6, 4]), probs(&[8, 2])];
        let (symbols, _) = Readings::new(&row, &neighbours).next().unwrap();
        assert_eq!(symbols, [Symbol(0), Symbol(1), Symbol(0)]);
        let (symbols, _) = Readings::new(&row, &Neighbours::unknown()).next().unwrap();
        assert_eq!(symbols, [Symbol(0), Symbol(0), Symbol(0)]);
    }
}
