//! What the scorer sees of a state: the paper's 18 features, each the id of a word's class.
//!
//! With α the stack from its top, β the buffer, lc and rc the leftmost and rightmost children:
//!
//! | features | what |
//! |---|---|
//! | 0..3 | α₁ α₂ α₃ |
//! | 3..6 | β₁ β₂ β₃ |
//! | 6..10, 10..14 | lc₁ rc₁ lc₂ rc₂ of α₁, of α₂ |
//! | 14..16, 16..18 | lc₁(lc₁) rc₁(rc₁) of α₁, of α₂ |

use super::oracle::{self, ArcOrder};
use super::state::{Kin, Node, State};
use super::transition::{Moves, Transition};
use crate::tree::Tree;

/// How many features there are.
pub const FEATURES: usize = 18;

/// The class ids found at the 18 places.
pub type Features = [u32; FEATURES];

/// The id of a place with nothing in it.
pub const NULL: u32 = 0;
/// The id of Root.
pub const ROOT: u32 = 1;
/// The id of a word whose class the scorer does not know.
pub const UNKNOWN: u32 = 2;
/// How many ids precede those of the classes.
pub const SPECIAL: u32 = 3;

/// Places whose content alone decides which transitions are allowed.
const SECOND: usize = 1;
const NEXT: usize = 3;
const RIGHT_OF_FIRST: usize = 7;
const LEFT_OF_SECOND: usize = 10;

/// Whether the allowed transitions depend on what is at `place`.
pub(super) const fn decides(place: usize) -> bool {
    matches!(place, SECOND | NEXT | RIGHT_OF_FIRST | LEFT_OF_SECOND)
}

/// The id of `class`.
pub const fn id(class: u32) -> u32 {
    if class > u32::MAX - SPECIAL { UNKNOWN } else { class + SPECIAL }
}

/// Writes the id of every node over `ids`: Null, Root, then the words; classes from `known` on are unknown.
pub fn ids_into(classes: &[u32], known: u32, ids: &mut Vec<u32>) {
    ids.clear();
    ids.extend([NULL, ROOT]);
    ids.extend(classes.iter().map(|&class| if class < known { id(class) } else { UNKNOWN }));
}

/// The features of `state`, given the ids of its nodes.
pub fn extract(state: &State, ids: &[u32]) -> Features {
    let stack = [0, 1, 2].map(|depth| state.top(depth));
    let buffer = [0, 1, 2].map(|ahead| state.ahead(ahead));
    assemble(stack, buffer, [state.kin(stack[0]), state.kin(stack[1])], ids)
}

/// The features of a state with these nodes on top of the stack and next in the buffer.
pub(super) fn assemble(stack: [Node; 3], buffer: [Node; 3], kin: [&Kin; 2], ids: &[u32]) -> Features {
    let id = |node: Node| ids[node.index()];
    let [a1, a2, a3] = stack.map(id);
    let [b1, b2, b3] = buffer.map(id);
    let [[l1, r1, l2, r2, ll, rr], [m1, s1, m2, s2, mm, ss]] =
        kin.map(|k| [k.left[0], k.right[0], k.left[1], k.right[1], k.left_left, k.right_right].map(id));
    [a1, a2, a3, b1, b2, b3, l1, r1, l2, r2, m1, s1, m2, s2, ll, rr, mm, ss]
}

/// The transitions that are valid in a state with these features and keep to `order`.
///
/// Keeping to the order leaves one sequence of transitions per tree, so the probability of that sequence is
/// the probability of the tree and a beam holds no tree twice. A node has to take left children before right
/// ones (or the reverse), hence no left arc from a top that has right children (or no right arc from a second
/// that has left ones). Another arc is always open then, so this leads into no dead end.
pub fn allowed(features: &Features, order: ArcOrder) -> Moves {
    let is_word = |place: usize| features[place] >= UNKNOWN;
    let two_words = is_word(SECOND);
    let may_end = features[SECOND] == ROOT && features[NEXT] == NULL;
    let (left, right) = match order {
        ArcOrder::LeftFirst => (!is_word(RIGHT_OF_FIRST), true),
        ArcOrder::RightFirst => (true, !is_word(LEFT_OF_SECOND)),
    };
    Moves::default()
        .with(Transition::Shift, features[NEXT] != NULL)
        .with(Transition::LeftArc, two_words && left)
        .with(Transition::RightArc, (two_words || may_end) && right)
}

/// What there is to learn from `tree` over words of these classes: the features of every state on the way
/// and the transition to take there. `None` if the tree is not projective or of another length.
pub fn instances(tree: &Tree, classes: &[u32], order: ArcOrder) -> Option<Vec<(Features, Transition)>> {
    if tree.len() != classes.len() {
        return None;
    }
    let mut ids = Vec::new();
    ids_into(classes, u32::MAX, &mut ids);
    let mut instances = Vec::with_capacity(2 * classes.len());
    oracle::replay(tree, order, &mut State::default(), |state, transition| {
        instances.push((extract(state, &ids), transition));
    })?;
    Some(instances)
}

#[cfg(test)]
mod tests {
    use super::super::oracle::tests::{ORDERS, projective, tree};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_place_holds_what_it_should() {
        // Class of a word = its position; 3 has children 1, 2, 4, 5 and grandchildren 0, 6.
        let tree = tree(&[1, 3, 3, 8, 3, 3, 5, 8, -1, 8, 8]);
        let classes: Vec<u32> = (0..11).collect();
        let instances = instances(&tree, &classes, ArcOrder::LeftFirst).unwrap();
        let id = |position: u32| position + 3;
        let (features, transition) = instances.iter().find(|(f, _)| f[0] == id(7)).unwrap();
        assert_eq!(*transition, Transition::Shift);
        let expected = [7, 3, -2, 8, 9, 10, -3, -3, -3, -3, 1, 5, 2, 4, -3, -3, 0, 6];
        assert_eq!(features.map(|id| id as i32 - 3), expected);
    }

    #[test]
    fn classes_beyond_the_known_are_unknown() {
        let mut ids = Vec::new();
        ids_into(&[0, 4, 5, u32::MAX], 5, &mut ids);
        assert_eq!(ids, [NULL, ROOT, 3, 7, UNKNOWN, UNKNOWN]);
        assert_eq!(id(u32::MAX), UNKNOWN);
    }

    #[test]
    fn a_tree_of_another_length_teaches_nothing() {
        assert_eq!(instances(&tree(&[-1]), &[0, 0], ArcOrder::LeftFirst), None);
    }

    proptest! {
        #[test]
        fn the_oracle_takes_allowed_transitions(choices in prop::collection::vec(0usize..50, 1..30)) {
            let tree = projective(&choices);
            for order in ORDERS {
                for (features, transition) in instances(&tree, &vec![0; choices.len()], order).unwrap() {
                    prop_assert!(allowed(&features, order).contains(transition));
                }
            }
        }

        #[test]
        fn allowed_sequences_are_valid_and_canonical(
            words in 1usize..10,
            choices in prop::collection::vec(0usize..6, 20),
        ) {
            for order in ORDERS {
                let (mut state, mut ids, mut taken) = (State::new(words), Vec::new(), Vec::new());
                ids_into(&vec![0; words], 1, &mut ids);
                for choice in &choices[..2 * words] {
                    let allowed = allowed(&extract(&state, &ids), order);
                    prop_assert!(allowed.iter().all(|transition| transition.valid(&state)));
                    let open: Vec<_> = allowed.iter().collect();
                    taken.push(open[choice % open.len()]);
                    taken[taken.len() - 1].apply(&mut state);
                }
                let mut heads = Vec::new();
                state.heads_into(&mut heads);
                prop_assert_eq!(oracle::transitions(&Tree::new(heads).unwrap(), order).unwrap(), taken);
            }
        }
    }
}
