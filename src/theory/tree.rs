//! Trees of entries: how an input is put together.

use crate::symbol::Word;
use crate::theory::EntryId;
use crate::theory::entry::In;

/// A node: an entry and what fills its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The entry.
    pub entry: EntryId,
    /// The nodes that fill its slots, or its row.
    pub kids: Vec<u32>,
}

/// A tree of entries; the first node is the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// How many examples it stands for.
    pub weight: f64,
}

/// A pattern as a tree lays it over an input.
#[derive(Clone, Copy)]
pub struct Shape<'p> {
    /// Words and slots.
    pub pieces: &'p [In],
    /// The slot that takes a row, if one does.
    pub row: Option<u8>,
    /// The word between the fillers of the row, if there is one.
    pub separator: Option<Word>,
}

impl Shape<'_> {
    /// So many of the fillers that are left stand in a slot: all in that of a row, else one.
    pub fn fillers(&self, slot: u8, left: usize) -> usize {
        if self.row == Some(slot) { left } else { 1 }
    }
}

impl<'p> From<&'p [In]> for Shape<'p> {
    fn from(pieces: &'p [In]) -> Shape<'p> {
        Shape { pieces, row: None, separator: None }
    }
}

/// What is met of a node where an input is gone through from left to right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// It begins.
    Begin,
    /// One of its words.
    Word(Word),
    /// Its first word was met, or, if it has none, what fills its first slot.
    Head,
    /// It ends.
    End,
}

/// Goes through an input along the tree of a node, whose patterns have these shapes.
pub fn walk<'p>(
    nodes: &[Node],
    shape: &impl Fn(EntryId) -> Shape<'p>,
    at: u32,
    met: &mut impl FnMut(u32, Met),
) {
    let Node { entry, kids } = &nodes[at as usize];
    let shape_here = shape(*entry);
    let head = shape_here.pieces.iter().position(|piece| piece.word().is_some()).unwrap_or(0);
    let mut kids = kids.iter();
    met(at, Met::Begin);
    for (place, piece) in shape_here.pieces.iter().enumerate() {
        match piece {
            In::Word(word) => met(at, Met::Word(*word)),
            In::Slot(slot) => {
                let fillers = shape_here.fillers(*slot, kids.len());
                for (number, &kid) in kids.by_ref().take(fillers).enumerate() {
                    let between = shape_here.separator.filter(|_| number > 0);
                    between.into_iter().for_each(|word| met(at, Met::Word(word)));
                    walk(nodes, shape, kid, met);
                }
            }
        }
        if place == head {
            met(at, Met::Head);
        }
    }
    met(at, Met::End);
}

/// The words of the input that a tree is of, each with the node that it belongs to.
pub fn spelled<'p>(nodes: &[Node], shape: impl Fn(EntryId) -> Shape<'p>) -> Vec<(Word, u32)> {
    let mut words = Vec::new();
    walk(nodes, &shape, 0, &mut |node, met| {
        if let Met::Word(word) = met {
            words.push((word, node));
        }
    });
    words
}

/// The part of the input that each node of a tree covers.
pub fn spans<'p>(nodes: &[Node], shape: impl Fn(EntryId) -> Shape<'p>) -> Vec<(usize, usize)> {
    let (mut spans, mut at) = (vec![(0, 0); nodes.len()], 0);
    walk(nodes, &shape, 0, &mut |node, met| match met {
        Met::Begin => spans[node as usize].0 = at,
        Met::Word(_) => at += 1,
        Met::Head => {}
        Met::End => spans[node as usize].1 = at,
    });
    spans
}

/// What a node fills: the slot of an entry, or the whole input.
pub type Place = (EntryId, u8);

/// The place of whole inputs.
pub const ROOT: Place = (EntryId::MAX, 0);

impl Tree {
    /// A tree of one node.
    pub fn whole(entry: EntryId, weight: f64) -> Tree {
        Tree { nodes: vec![Node { entry, kids: Vec::new() }], weight }
    }

    /// What fills what, over all nodes.
    pub fn fillings(&self) -> impl Iterator<Item = (Place, EntryId)> + '_ {
        let root = std::iter::once((ROOT, self.nodes[0].entry));
        root.chain(self.nodes.iter().flat_map(|node| {
            let kids = node.kids.iter().enumerate();
            kids.map(|(slot, &kid)| ((node.entry, slot as u8), self.nodes[kid as usize].entry))
        }))
    }

    /// Whether an entry is used.
    pub fn uses(&self, entry: EntryId) -> bool {
        self.nodes.iter().any(|node| node.entry == entry)
    }

    /// The tree with every `filler` of the slot `place` made one node with its parent, `composed`; `None` if there is none.
    pub fn composed(&self, place: Place, filler: EntryId, composed: EntryId) -> Option<Tree> {
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let mut found = false;
        self.copy_composed(0, place, filler, composed, &mut nodes, &mut found);
        found.then_some(Tree { nodes, weight: self.weight })
    }

    fn copy_composed(
        &self,
        at: u32,
        place: Place,
        filler: EntryId,
        composed: EntryId,
        nodes: &mut Vec<Node>,
        found: &mut bool,
    ) -> u32 {
        let node = &self.nodes[at as usize];
        let number = nodes.len() as u32;
        let slot = usize::from(place.1);
        let is_pair = node.entry == place.0 && self.nodes[node.kids[slot] as usize].entry == filler;
        *found |= is_pair;
        nodes.push(Node { entry: if is_pair { composed } else { node.entry }, kids: Vec::new() });
        let mut kids = Vec::with_capacity(node.kids.len());
        for (of, &kid) in node.kids.iter().enumerate() {
            let below = if is_pair && of == slot {
                &self.nodes[kid as usize].kids[..]
            } else {
                std::slice::from_ref(&kid)
            };
            for &kid in below {
                kids.push(self.copy_composed(kid, place, filler, composed, nodes, found));
            }
        }
        nodes[number as usize].kids = kids;
        number
    }

    /// The tree with every node of `entry` taken apart: `outer` stays, and `inner`, with the kids `first..first + count`,
    /// fills its slot of number `first`.
    pub fn opened(&self, entry: EntryId, outer: EntryId, inner: EntryId, first: usize, count: usize) -> Tree {
        let mut tree = self.clone();
        for at in 0..self.nodes.len() {
            if self.nodes[at].entry == entry {
                let number = tree.nodes.len() as u32;
                let mut kids = tree.nodes[at].kids.clone();
                let below: Vec<u32> = kids.splice(first..first + count, [number]).collect();
                tree.nodes.push(Node { entry: inner, kids: below });
                tree.nodes[at] = Node { entry: outer, kids };
            }
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(entry: EntryId, kids: &[u32]) -> Node {
        Node { entry, kids: kids.to_vec() }
    }

    #[test]
    fn composing_and_opening_undo_each_other() {
        // 1(2(3), 4)
        let tree =
            Tree { nodes: vec![node(1, &[1, 3]), node(2, &[2]), node(3, &[]), node(4, &[])], weight: 1.0 };
        let composed = tree.composed((1, 0), 2, 9).unwrap();
        assert_eq!(composed.nodes, [node(9, &[1, 2]), node(3, &[]), node(4, &[])]);
        let opened = composed.opened(9, 1, 2, 0, 1);
        let mut fillings: Vec<_> = opened.fillings().collect();
        let mut before: Vec<_> = tree.fillings().collect();
        fillings.sort_unstable();
        before.sort_unstable();
        assert_eq!(fillings, before);
        assert_eq!(tree.composed((1, 1), 2, 9), None);
    }
}
