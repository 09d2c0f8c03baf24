//! Dependency trees: one head per position, one root, no cycle.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A dependency tree over the positions `0..len`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Heads")]
pub struct Tree {
    heads: Vec<Option<u32>>,
}

/// A tree as it is stored, not checked yet.
#[derive(Deserialize)]
struct Heads {
    heads: Vec<Option<u32>>,
}

impl TryFrom<Heads> for Tree {
    type Error = Error;

    fn try_from(stored: Heads) -> Result<Tree> {
        Tree::new(stored.heads)
    }
}

impl Tree {
    /// Checks `heads` (the head of each position, `None` for the root) and makes a tree of them.
    pub fn new(heads: Vec<Option<u32>>) -> Result<Tree> {
        let roots = heads.iter().filter(|head| head.is_none()).count();
        if roots != 1 {
            return Err(Error::Tree { expected: "one root", found: format!("{roots}") });
        }
        if let Some(head) = heads.iter().flatten().find(|&&head| head as usize >= heads.len()) {
            return Err(Error::Tree {
                expected: "heads within the sentence",
                found: format!("head {head} of {}", heads.len()),
            });
        }
        let tree = Tree { heads };
        match tree.bottom_up().len() == tree.len() {
            true => Ok(tree),
            false => Err(Error::Tree { expected: "no cycle", found: format!("{:?}", tree.heads) }),
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Always false: a tree has a root. Here for the sake of convention.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The head of each position, `None` for the root.
    pub fn heads(&self) -> &[Option<u32>] {
        &self.heads
    }

    /// The position without a head.
    pub fn root(&self) -> usize {
        self.heads.iter().position(Option::is_none).unwrap_or(0)
    }

    /// The children of every position, from left to right.
    pub fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.len()];
        for (position, head) in self.heads.iter().enumerate() {
            if let Some(head) = head {
                children[*head as usize].push(position as u32);
            }
        }
        children
    }

    /// The positions reachable from the root, each after its children.
    pub fn bottom_up(&self) -> Vec<u32> {
        let children = self.children();
        let mut order = Vec::with_capacity(self.len());
        let mut open = vec![self.root() as u32];
        while let Some(position) = open.pop() {
            order.push(position);
            open.extend(&children[position as usize]);
        }
        order.reverse();
        order
    }

    /// Whether every subtree covers a contiguous stretch of positions.
    pub fn is_projective(&self) -> bool {
        let mut low: Vec<u32> = (0..self.len() as u32).collect();
        let mut high = low.clone();
        let mut size = vec![1u32; self.len()];
        for position in self.bottom_up() {
            if let Some(head) = self.heads[position as usize] {
                let (position, head) = (position as usize, head as usize);
                low[head] = low[head].min(low[position]);
                high[head] = high[head].max(high[position]);
                size[head] += size[position];
            }
        }
        (0..self.len()).all(|position| high[position] - low[position] + 1 == size[position])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(heads: &[i32]) -> Result<Tree> {
        Tree::new(heads.iter().map(|&head| u32::try_from(head).ok()).collect())
    }

    #[test]
    fn a_tree_has_one_root_and_no_cycle() {
        assert!(tree(&[-1]).is_ok());
        assert!(tree(&[1, -1, 1]).is_ok());
        for bad in [&[][..], &[-1, -1], &[1, 0], &[-1, 2, 1], &[-1, 5]] {
            assert!(tree(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn only_trees_are_read_back() {
        let good = tree(&[1, -1, 1]).unwrap();
        let text = serde_json::to_string(&good).unwrap();
        assert_eq!(serde_json::from_str::<Tree>(&text).unwrap(), good);
        for bad in [r#"{"heads":[]}"#, r#"{"heads":[1,0]}"#, r#"{"heads":[null,7]}"#] {
            assert!(serde_json::from_str::<Tree>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn crossing_arcs_are_not_projective() {
        assert!(tree(&[1, -1, 1]).unwrap().is_projective());
        assert!(!tree(&[2, -1, 1, 0]).unwrap().is_projective());
    }

    #[test]
    fn children_come_before_their_head() {
        let tree = tree(&[1, -1, 3, 1]).unwrap();
        let order = tree.bottom_up();
        let place = |p: u32| order.iter().position(|&q| q == p).unwrap();
        for (position, head) in tree.heads().iter().enumerate() {
            assert!(head.is_none_or(|head| place(position as u32) < place(head)));
        }
    }
}
