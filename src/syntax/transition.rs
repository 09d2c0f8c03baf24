//! The three transitions of arc-standard parsing: when each is valid and what it does.
//!
//! With α₁ the top of the stack, α₂ the one below and β₁ the next word:
//!
//! | transition | valid | action |
//! |---|---|---|
//! | Shift | there is a β₁ | moves β₁ to the stack |
//! | LeftArc | α₁ and α₂ are words | arc α₁ → α₂, removes α₂ |
//! | RightArc | α₁ is a word; α₂ is a word, or Root while the buffer is empty | arc α₂ → α₁, removes α₁ |
//!
//! The paper asks only for two nodes on the stack. The stricter conditions keep Root from becoming a
//! dependent and from getting a second child, so that *every* valid sequence ends, after two transitions
//! per word, in a tree with one root.

use super::state::{Node, State};
use serde::{Deserialize, Serialize};

/// One step of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Transition {
    /// Move the next word to the stack.
    Shift,
    /// The top of the stack becomes the head of the one below it.
    LeftArc,
    /// The second of the stack becomes the head of the top.
    RightArc,
}

impl Transition {
    /// All transitions, in the order of their numbers.
    pub const ALL: [Transition; 3] = [Transition::Shift, Transition::LeftArc, Transition::RightArc];

    /// The transition's number: 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether the transition may be applied to `state`.
    pub fn valid(self, state: &State) -> bool {
        let second = state.top(1);
        match self {
            Transition::Shift => state.buffered() > 0,
            Transition::LeftArc => second.position().is_some(),
            Transition::RightArc => {
                second.position().is_some() || (second == Node::ROOT && state.buffered() == 0)
            }
        }
    }

    /// Changes `state`; the transition must be valid there.
    pub fn apply(self, state: &mut State) {
        debug_assert!(self.valid(state), "{self:?} in {state:?}");
        match self {
            Transition::Shift => state.shift(),
            Transition::LeftArc => state.attach_left(),
            Transition::RightArc => state.attach_right(),
        }
    }
}

/// A set of transitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moves(u8);

impl Moves {
    /// The transitions valid in `state`.
    pub fn valid(state: &State) -> Moves {
        Transition::ALL.into_iter().filter(|transition| transition.valid(state)).collect()
    }

    /// Whether `transition` is in the set.
    pub fn contains(self, transition: Transition) -> bool {
        self.0 >> transition.index() & 1 == 1
    }

    /// The set with `transition` added if `present`.
    pub fn with(self, transition: Transition, present: bool) -> Moves {
        Moves(self.0 | u8::from(present) << transition.index())
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The transitions of the set, in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Transition> {
        Transition::ALL.into_iter().filter(move |&transition| self.contains(transition))
    }
}

impl FromIterator<Transition> for Moves {
    fn from_iter<I: IntoIterator<Item = Transition>>(transitions: I) -> Moves {
        transitions.into_iter().fold(Moves::default(), |moves, transition| moves.with(transition, true))
    }
}

#[cfg(test)]
mod tests {
    use super::Transition::{LeftArc, RightArc, Shift};
    use super::*;
    use crate::tree::Tree;
    use proptest::prelude::*;

    #[track_caller]
    fn check(words: usize, done: &[Transition], valid: &[Transition]) {
        let mut state = State::new(words);
        done.iter().for_each(|transition| transition.apply(&mut state));
        assert_eq!(Moves::valid(&state).iter().collect::<Vec<_>>(), valid);
    }

    #[test]
    fn root_gets_one_child_at_the_very_end() {
        check(2, &[], &[Shift]);
        check(2, &[Shift], &[Shift]);
        check(2, &[Shift, Shift], &[LeftArc, RightArc]);
        check(3, &[Shift, Shift], &[Shift, LeftArc, RightArc]);
        check(2, &[Shift, Shift, LeftArc], &[RightArc]);
        check(2, &[Shift, Shift, LeftArc, RightArc], &[]);
        check(0, &[], &[]);
    }

    proptest! {
        #[test]
        fn every_valid_sequence_builds_a_projective_tree(
            words in 1usize..12,
            choices in prop::collection::vec(0usize..6, 24),
        ) {
            let mut state = State::new(words);
            for choice in &choices[..2 * words] {
                let valid: Vec<_> = Moves::valid(&state).iter().collect();
                valid[choice % valid.len()].apply(&mut state);
            }
            prop_assert!(state.is_terminal());
            prop_assert!(Moves::valid(&state).is_empty());
            let mut heads = Vec::new();
            state.heads_into(&mut heads);
            prop_assert!(Tree::new(heads).unwrap().is_projective());
        }
    }
}
