//! Trees of entries: how an input is put together.

use crate::theory::EntryId;

/// A node: an entry and what fills its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The entry.
    pub entry: EntryId,
    /// The node that fills each slot.
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
