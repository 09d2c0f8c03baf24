//! All trees of an input at once.
//!
//! [`given`] finds the trees of an input whose result is known, among them the best one; it also tells whether an entry can be
//! put together from smaller ones. [`free`] finds the best trees of an input whose result is wanted, [`total`] how probable all of them are,
//! [`joined`] those that say what outputs are like, [`ranked`] the best by a scorer, [`summed`] the results that most trees give.

pub mod free;
pub mod given;
pub mod joined;
pub mod ranked;
mod stands;
pub mod summed;
pub mod total;

use crate::symbol::Word;
use crate::theory::EntryId;
use crate::theory::entry::In;
use crate::theory::tree::{Node, Tree};

/// What a chart is made of: words, slots that stand for themselves, or pictures that may show one word or another.
pub trait Input {
    /// How many places it has.
    fn length(&self) -> usize;

    /// The words that may stand at a place, and what it costs to take it for each, in bits.
    fn words(&self, place: usize) -> impl Iterator<Item = (Word, f32)> + '_;

    /// What it costs to take what stands at a place for a word; `None` if it cannot be that.
    fn cost(&self, place: usize, word: Word) -> Option<f32> {
        self.words(place).find(|(other, _)| *other == word).map(|(_, bits)| bits)
    }

    /// The slot that stands at a place for itself.
    fn slot(&self, _place: usize) -> Option<u8> {
        None
    }

    /// What it costs that a piece of a pattern stands at a place, where a slot stands anywhere.
    fn fit(&self, place: usize, piece: In) -> Option<f32> {
        match piece {
            In::Slot(_) => Some(0.0),
            In::Word(word) => self.cost(place, word),
        }
    }
}

impl Input for [In] {
    fn length(&self) -> usize {
        self.len()
    }

    fn words(&self, place: usize) -> impl Iterator<Item = (Word, f32)> + '_ {
        let word = match self[place] {
            In::Word(word) => Some((word, 0.0)),
            In::Slot(_) => None,
        };
        word.into_iter()
    }

    fn slot(&self, place: usize) -> Option<u8> {
        match self[place] {
            In::Slot(slot) => Some(slot),
            In::Word(_) => None,
        }
    }
}

/// What a row of pictures may show: for each picture the words it may be, with what each costs.
pub type Looks = [Vec<(Word, f32)>];

impl Input for Looks {
    fn length(&self) -> usize {
        self.len()
    }

    fn words(&self, place: usize) -> impl Iterator<Item = (Word, f32)> + '_ {
        self[place].iter().copied()
    }
}

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

/// An item that is the root of a tree.
trait Root {
    /// The entry at the root.
    fn entry(&self) -> EntryId;

    /// What fills its slots.
    fn kids(&self) -> &[Kid];
}

impl<T: Root> Cells<T> {
    /// The tree below an item.
    fn tree(&self, kid: Kid) -> Tree {
        let mut nodes = Vec::new();
        self.copy(kid, &mut nodes);
        Tree { nodes, weight: 1.0 }
    }

    fn copy(&self, kid: Kid, nodes: &mut Vec<Node>) -> u32 {
        let item = self.item(kid);
        let number = nodes.len();
        nodes.push(Node { entry: item.entry(), kids: Vec::new() });
        nodes[number].kids = item.kids().iter().map(|&kid| self.copy(kid, nodes)).collect();
        number as u32
    }
}

/// All spans of an input, the short ones first.
fn spans(length: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=length).flat_map(move |long| (0..=length - long).map(move |from| (from, from + long)))
}

/// Whether a pattern is not too long for a span of the input, nor too short, and its ends fit.
fn may_cover<I: Input + ?Sized>(pattern: &[In], input: &I, (from, to): (usize, usize)) -> bool {
    let stretches = pattern.iter().any(|piece| matches!(piece, In::Slot(_)));
    pattern.len() <= to - from
        && (pattern.len() == to - from || stretches)
        && input.fit(from, pattern[0]).is_some()
        && input.fit(to - 1, pattern[pattern.len() - 1]).is_some()
}
