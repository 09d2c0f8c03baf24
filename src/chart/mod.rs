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
use crate::theory::entry::{In, Piece};
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
        self[place].word().map(|word| (word, 0.0)).into_iter()
    }

    fn slot(&self, place: usize) -> Option<u8> {
        Piece::slot(self[place])
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
pub struct Cells<T> {
    /// How many places the input has.
    pub length: usize,
    cells: Vec<Vec<T>>,
}

impl<T> Cells<T> {
    /// Empty cells.
    pub fn new(length: usize) -> Cells<T> {
        let cells = (0..length * (length + 1)).map(|_| Vec::new()).collect();
        Cells { length, cells }
    }

    /// The cell of a span; empty where there are no cells, because the input is too long.
    pub fn at(&self, from: usize, to: usize) -> &[T] {
        self.cells.get(from * (self.length + 1) + to).map_or(&[], Vec::as_slice)
    }

    fn at_mut(&mut self, from: usize, to: usize) -> &mut Vec<T> {
        &mut self.cells[from * (self.length + 1) + to]
    }

    /// Fills the cell of a span.
    pub fn set(&mut self, from: usize, to: usize, cell: Vec<T>) {
        self.cells[from * (self.length + 1) + to] = cell;
    }

    /// An item by its place.
    pub fn item(&self, kid: Kid) -> &T {
        &self.at(usize::from(kid.from), usize::from(kid.to))[usize::from(kid.item)]
    }
}

/// The best tree of a span with this entry at its root, and what else is known of it.
struct Item<X> {
    entry: EntryId,
    /// What fills its slots.
    kids: Vec<Kid>,
    /// What the tree costs.
    bits: f64,
    of: X,
}

/// A tree of the whole input.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The tree.
    pub tree: Tree,
    /// What it costs, in bits.
    pub bits: f64,
    /// The probability of all trees with the same root that say as much as is told apart.
    pub probability: f64,
}

impl<X> Cells<Item<X>> {
    /// The tree below an item.
    fn tree(&self, kid: Kid) -> Tree {
        let mut nodes = Vec::new();
        self.copy(kid, &mut nodes);
        Tree { nodes, weight: 1.0 }
    }

    fn copy(&self, kid: Kid, nodes: &mut Vec<Node>) -> u32 {
        let item = self.item(kid);
        let number = nodes.len();
        nodes.push(Node { entry: item.entry, kids: Vec::new() });
        nodes[number].kids = item.kids.iter().map(|&kid| self.copy(kid, nodes)).collect();
        number as u32
    }

    /// The items of the whole input with their trees.
    fn wholes(&self) -> impl Iterator<Item = (Tree, &Item<X>)> {
        let tree = |item| self.tree(Kid { from: 0, to: self.length as u16, item });
        (0..).zip(self.at(0, self.length)).map(move |(number, item)| (tree(number), item))
    }

    /// The trees of the whole input, the cheapest first; `weigh` tells what each costs as a whole, and how probable it is.
    fn derivations(&self, weigh: impl Fn(&Item<X>) -> (f64, f64)) -> Vec<Derivation> {
        let weighed = |(tree, item)| {
            let (bits, probability) = weigh(item);
            Derivation { tree, bits, probability }
        };
        let mut found: Vec<Derivation> = self.wholes().map(weighed).collect();
        found.sort_by(|a, b| a.bits.total_cmp(&b.bits));
        found
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

/// Where the slot that is the piece of this number may end if it begins at a place of a span: where the next piece fits, and not so that it is all of the span.
fn ends<I: Input + ?Sized>(
    input: &I,
    pattern: &[In],
    number: usize,
    (from, to): (usize, usize),
    at: usize,
) -> impl Iterator<Item = usize> {
    let (rest, next) = (pattern.len() - number - 1, pattern.get(number + 1).copied());
    let first = if rest == 0 { to } else { at + 1 };
    let fits = move |end: usize| next.is_none_or(|next| input.fit(end, next).is_some());
    (first.max(at + 1)..=to.saturating_sub(rest)).filter(move |&end| (at, end) != (from, to) && fits(end))
}
