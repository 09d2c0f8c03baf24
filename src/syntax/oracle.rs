//! From a tree to the transitions that build it.
//!
//! Arc-standard parsing can build one tree in several ways: a node with children on both sides may take the
//! left or the right ones first. An [`ArcOrder`] settles that, and then every projective tree has exactly
//! one sequence of transitions, its canonical one.

use super::state::{Node, State};
use super::transition::Transition;
use crate::tree::Tree;
use serde::{Deserialize, Serialize};

/// Which children a node takes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArcOrder {
    /// Left children as soon as possible, then the right ones: the usual static oracle.
    #[default]
    LeftFirst,
    /// Left children only when all right ones are there.
    RightFirst,
}

/// The canonical transitions of `tree`, or `None` if it is not projective. Takes linear time.
pub fn transitions(tree: &Tree, order: ArcOrder) -> Option<Vec<Transition>> {
    let mut transitions = Vec::with_capacity(2 * tree.len());
    replay(tree, order, &mut State::default(), |_, transition| transitions.push(transition))?;
    Some(transitions)
}

/// Builds `tree` in `state` from the start, showing `visit` each state and the transition taken in it.
/// Gives `None`, perhaps after some visits, if the tree is not projective.
pub(super) fn replay(
    tree: &Tree,
    order: ArcOrder,
    state: &mut State,
    mut visit: impl FnMut(&State, Transition),
) -> Option<()> {
    let mut oracle = Oracle::new(tree, order)?;
    state.reset(tree.len());
    while !state.is_terminal() {
        let transition = oracle.next(state)?;
        visit(state, transition);
        transition.apply(state);
    }
    Some(())
}

/// The heads to reach and how many children each node still waits for.
struct Oracle {
    order: ArcOrder,
    heads: Vec<Node>,
    left: Vec<u32>,
    right: Vec<u32>,
}

impl Oracle {
    /// `None` if a head lies outside the sentence, as it may in a tree read from a file.
    fn new(tree: &Tree, order: ArcOrder) -> Option<Oracle> {
        let nodes = tree.len() + 2;
        let mut oracle =
            Oracle { order, heads: vec![Node::NULL; nodes], left: vec![0; nodes], right: vec![0; nodes] };
        for (position, head) in tree.heads().iter().enumerate() {
            let child = Node::word(position as u32);
            let head = match head {
                Some(head) if *head as usize >= tree.len() => return None,
                head => head.map_or(Node::ROOT, Node::word),
            };
            oracle.heads[child.index()] = head;
            *oracle.waiting(child, head) += 1;
        }
        Some(oracle)
    }

    /// The transition to take in `state`, recorded as taken; `None` where the tree turns out not projective.
    fn next(&mut self, state: &State) -> Option<Transition> {
        let (first, second) = (state.top(0), state.top(1));
        let transition = match () {
            () if self.takes_left(first, second) => Transition::LeftArc,
            () if self.takes_right(second, first) => Transition::RightArc,
            () => Transition::Shift,
        };
        match transition {
            Transition::Shift => {}
            Transition::LeftArc => *self.waiting(second, first) -= 1,
            Transition::RightArc => *self.waiting(first, second) -= 1,
        }
        transition.valid(state).then_some(transition)
    }

    fn takes_left(&self, head: Node, child: Node) -> bool {
        let in_order = match self.order {
            ArcOrder::LeftFirst => true,
            ArcOrder::RightFirst => self.right[head.index()] == 0,
        };
        in_order && self.is_ready(child, head)
    }

    fn takes_right(&self, head: Node, child: Node) -> bool {
        self.is_ready(child, head)
    }

    /// Whether `child` belongs under `head` and has all its own children.
    fn is_ready(&self, child: Node, head: Node) -> bool {
        child.position().is_some()
            && self.heads[child.index()] == head
            && self.left[child.index()] == 0
            && self.right[child.index()] == 0
    }

    /// The count of children `head` waits for on the side of `child`.
    fn waiting(&mut self, child: Node, head: Node) -> &mut u32 {
        match child.index() < head.index() {
            true => &mut self.left[head.index()],
            false => &mut self.right[head.index()],
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(crate) const ORDERS: [ArcOrder; 2] = [ArcOrder::LeftFirst, ArcOrder::RightFirst];

    /// The tree with these heads, -1 marking the root.
    pub(crate) fn tree(heads: &[i32]) -> Tree {
        Tree::new(heads.iter().map(|&head| u32::try_from(head).ok()).collect()).unwrap()
    }

    /// A projective tree over as many words as there are choices: each stretch of words picks its root by
    /// the choice at its start, and the stretches either side of the root hang under it.
    pub(crate) fn projective(choices: &[usize]) -> Tree {
        let mut heads = vec![None; choices.len()];
        let mut open = vec![(0, choices.len(), None)];
        while let Some((start, end, head)) = open.pop() {
            if start < end {
                let root = start + choices[start] % (end - start);
                heads[root] = head;
                let head = Some(root as u32);
                // Splitting once more gives nodes several children on a side.
                let cut = start + (root - start) / 2;
                open.extend([(start, cut, head), (cut, root, head), (root + 1, end, head)]);
            }
        }
        Tree::new(heads).unwrap()
    }

    #[track_caller]
    fn check(heads: &[i32], order: ArcOrder, expected: &str) {
        let found = transitions(&tree(heads), order).unwrap();
        let letters = found.iter().map(|transition| ['s', 'l', 'r'][transition.index()]);
        assert_eq!(letters.collect::<String>(), expected);
    }

    #[test]
    fn the_orders_differ_on_nodes_with_both_sides() {
        check(&[-1], ArcOrder::LeftFirst, "sr");
        check(&[1, -1, 1], ArcOrder::LeftFirst, "sslsrr");
        check(&[1, -1, 1], ArcOrder::RightFirst, "sssrlr");
        check(&[1, 3, 1, -1], ArcOrder::LeftFirst, "sslsrslr");
        check(&[1, 3, 1, -1], ArcOrder::RightFirst, "sssrlslr");
    }

    #[test]
    fn crossing_arcs_have_no_transitions() {
        for order in ORDERS {
            assert_eq!(transitions(&tree(&[2, -1, 1, 0]), order), None);
            assert_eq!(transitions(&tree(&[2, 3, -1, 2]), order), None);
        }
    }

    proptest! {
        #[test]
        fn transitions_rebuild_their_tree(choices in prop::collection::vec(0usize..50, 1..30)) {
            let tree = projective(&choices);
            for order in ORDERS {
                let transitions = transitions(&tree, order).unwrap();
                prop_assert_eq!(transitions.len(), 2 * tree.len());
                let mut state = State::new(tree.len());
                transitions.iter().for_each(|transition| transition.apply(&mut state));
                let mut heads = Vec::new();
                state.heads_into(&mut heads);
                prop_assert_eq!(&heads[..], tree.heads());
            }
        }

        #[test]
        fn exactly_the_projective_trees_have_transitions(heads in prop::collection::vec(-1i32..6, 1..7)) {
            let heads = heads.iter().map(|&head| u32::try_from(head).ok()).collect();
            if let Ok(tree) = Tree::new(heads) {
                for order in ORDERS {
                    prop_assert_eq!(transitions(&tree, order).is_some(), tree.is_projective());
                }
            }
        }
    }
}
