//! All trees of an input at once.
//!
//! [`given`] finds the trees of an input whose result is known, among them the best one; it also tells whether an entry can be
//! put together from smaller ones. [`free`] finds the best trees of an input whose result is wanted,
//! [`summed`] the results that most trees give.

pub mod free;
pub mod given;
pub mod summed;

use crate::theory::entry::In;

/// One filler of an item's entry: the span it covers and its number in the cell of that span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kid {
    /// Where it begins.
    pub from: u16,
    /// Where it ends.
    pub to: u16,
    /// Its number in the cell.
    pub item: u16,
}

/// One cell for every span of an input.
#[derive(Clone, Debug)]
struct Cells<T> {
    length: usize,
    cells: Vec<Vec<T>>,
}

impl<T> Cells<T> {
    fn new(length: usize) -> Cells<T> {
        let cells = (0..length * (length + 1)).map(|_| Vec::new()).collect();
        Cells { length, cells }
    }

    /// The cell of a span; empty where there are no cells, because the input is too long.
    fn at(&self, from: usize, to: usize) -> &[T] {
        self.cells.get(from * (self.length + 1) + to).map_or(&[], Vec::as_slice)
    }

    fn at_mut(&mut self, from: usize, to: usize) -> &mut Vec<T> {
        &mut self.cells[from * (self.length + 1) + to]
    }

    fn set(&mut self, from: usize, to: usize, cell: Vec<T>) {
        self.cells[from * (self.length + 1) + to] = cell;
    }

    fn item(&self, kid: Kid) -> &T {
        &self.at(usize::from(kid.from), usize::from(kid.to))[usize::from(kid.item)]
    }
}

/// All spans of an input, the short ones first.
fn spans(length: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=length).flat_map(move |long| (0..=length - long).map(move |from| (from, from + long)))
}

/// Whether a pattern is not too long for a span of the input, nor too short, and its ends fit.
fn may_cover(pattern: &[In], input: &[In], (from, to): (usize, usize)) -> bool {
    let fits = |piece: In, there: In| matches!(piece, In::Slot(_)) || piece == there;
    let stretches = pattern.iter().any(|piece| matches!(piece, In::Slot(_)));
    pattern.len() <= to - from
        && (pattern.len() == to - from || stretches)
        && fits(pattern[0], input[from])
        && fits(pattern[pattern.len() - 1], input[to - 1])
}
