//! A tree known beforehand behind the same trait as the parser, for ablations.

use super::Syntax;
use crate::tree::Tree;

/// Answers every sentence with one tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Given(pub Tree);

impl Syntax for Given {
    fn parse(&self, _classes: &[u32]) -> Tree {
        self.0.clone()
    }

    fn k_best(&self, _classes: &[u32], _beam: usize, k: usize) -> Vec<(Tree, f64)> {
        std::iter::repeat_n((self.0.clone(), 0.0), k.min(1)).collect()
    }

    fn log_prob(&self, _classes: &[u32], tree: &Tree) -> Option<f64> {
        (self.0 == *tree).then_some(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_given_tree_is_certain_and_no_other_possible() {
        let [tree, other] =
            [[None, Some(0)], [Some(1), None]].map(|heads| Tree::new(heads.to_vec()).unwrap());
        let given = Given(tree.clone());
        assert_eq!(given.parse(&[0, 1]), tree);
        assert_eq!(given.k_best(&[0, 1], 4, 4), [(tree.clone(), 0.0)]);
        assert!(given.k_best(&[0, 1], 4, 0).is_empty());
        assert_eq!(given.log_prob(&[0, 1], &tree), Some(0.0));
        assert_eq!(given.log_prob(&[0, 1], &other), None);
    }
}
