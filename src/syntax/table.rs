//! A parser that knows only what it has seen: counts of transitions by state, instead of a network.
//!
//! In: [`Row`]s. Out: the tree of the transitions that its states wanted most often. It is made in
//! milliseconds, so training asks it which trees and which features let a parser generalise, and teaches the
//! network only those.

use super::features::{self, Features};
use super::learn::Row;
use super::oracle::ArcOrder;
use super::sight::Sight;
use super::state::State;
use super::transition::Transition;
use crate::tree::Tree;
use rustc_hash::FxHashMap;

/// Counts of transitions by what is seen of a state.
pub struct Table {
    counts: FxHashMap<Features, [f32; 3]>,
    classes: u32,
    order: ArcOrder,
    sight: Sight,
}

impl Table {
    /// The table of `rows`, which are of this order and of the classes `0..classes`.
    pub fn new(rows: &[Row], classes: u32, order: ArcOrder, sight: Sight) -> Table {
        let mut counts: FxHashMap<Features, [f32; 3]> = FxHashMap::default();
        for row in rows {
            counts.entry(sight.of(&row.features)).or_default()[row.transition.index()] += row.weight;
        }
        Table { counts, classes, order, sight }
    }

    /// How many different states have been seen.
    pub fn states(&self) -> usize {
        self.counts.len()
    }

    /// The tree that taking the most frequent transition at each step leads to; `None` for an empty sentence.
    pub fn parse(&self, classes: &[u32]) -> Option<Tree> {
        let mut ids = Vec::with_capacity(classes.len() + 2);
        features::ids_into(classes, self.classes, &mut ids);
        let mut state = State::default();
        state.reset(classes.len());
        while !state.is_terminal() {
            let wanted = self.wanted(&features::extract(&state, &ids));
            let better = |a: &Transition, b: &Transition| wanted[a.index()].total_cmp(&wanted[b.index()]);
            // The first of equals, as everywhere.
            let best = Transition::ALL.into_iter().rev().max_by(better)?;
            best.apply(&mut state);
        }
        let mut heads = Vec::with_capacity(classes.len());
        state.heads_into(&mut heads);
        Tree::new(heads).ok()
    }

    /// How often each transition is wanted where this is seen, minus infinity if it is not allowed.
    fn wanted(&self, features: &Features) -> [f32; 3] {
        let seen = self.sight.of(features);
        let counts = self.counts.get(&seen).copied().unwrap_or_default();
        let allowed = features::allowed(&seen, self.order);
        let wanted = |transition: Transition| match allowed.contains(transition) {
            true => counts[transition.index()],
            false => f32::NEG_INFINITY,
        };
        Transition::ALL.map(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::super::learn::Rows;
    use super::super::oracle::tests::projective;
    use super::*;
    use proptest::prelude::*;

    const ORDER: ArcOrder = ArcOrder::RightFirst;

    fn table(trees: &[(Tree, f32)], classes: &[u32]) -> Table {
        let mut rows = Rows::default();
        for (tree, weight) in trees {
            rows.add(tree, classes, ORDER, *weight);
        }
        Table::new(&rows.into_rows(), 9, ORDER, Sight::default())
    }

    proptest! {
        #[test]
        fn a_tree_seen_is_given_back(choices in prop::collection::vec(0usize..100, 1..9)) {
            let tree = projective(&choices);
            // Every word is of a class of its own: no two states look alike.
            let classes: Vec<u32> = (0..tree.len() as u32).collect();
            let table = table(&[(tree.clone(), 1.0)], &classes);
            prop_assert_eq!(table.parse(&classes), Some(tree));
        }
    }

    #[test]
    fn the_more_frequent_tree_wins() {
        let (left, right) =
            (Tree::new(vec![Some(1), None]).unwrap(), Tree::new(vec![None, Some(0)]).unwrap());
        let both = |weight: f32| table(&[(left.clone(), weight), (right.clone(), 3.0)], &[0, 1]);
        assert_eq!(both(2.0).parse(&[0, 1]), Some(right.clone()));
        assert_eq!(both(4.0).parse(&[0, 1]), Some(left.clone()));
        assert_eq!(both(1.0).parse(&[]), None);
    }

    #[test]
    fn a_sentence_never_seen_has_a_tree_too() {
        let table = table(&[], &[]);
        assert_eq!(table.parse(&[0, 1, 2]).map(|tree| tree.len()), Some(3));
    }
}
