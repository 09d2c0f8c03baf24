//! What the trees of a chart say: expected uses of senses, the most probable tree, all trees.

use super::items::{AXIOM, Edge, Item, NO_SENSE};
use super::{Chart, VOID};
use crate::tree::Tree;
use rustc_hash::FxHashMap;

/// What a chart tells about one example.
#[derive(Clone, Debug, Default)]
pub struct Posterior {
    /// The probability of the results in question.
    pub evidence: f64,
    /// Expected uses of each sense: word, sense number, count.
    pub uses: Vec<(u32, u16, f64)>,
}

/// The most probable tree with the sense of every word.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// The tree.
    pub tree: Tree,
    /// The number of each word's sense.
    pub senses: Vec<u16>,
    /// The probability of the senses together.
    pub probability: f64,
    /// The share of this tree in the probability of all trees that give the target.
    pub certainty: f64,
}

impl Chart<'_> {
    /// The expected uses of every sense over all trees that give the target; `None` if there is none.
    pub fn posterior(&self) -> Option<Posterior> {
        self.root().map(|goal| self.expected_uses(&[goal]))
    }

    /// The expected uses of every sense over all trees that give any value.
    pub fn prior(&self) -> Posterior {
        let cell = &self.spans[self.at(0, self.words.len())];
        let goals: Vec<u32> = cell.iter().filter(|(id, _)| *id != VOID).map(|&(_, item)| item).collect();
        self.expected_uses(&goals)
    }

    fn expected_uses(&self, goals: &[u32]) -> Posterior {
        let evidence: f64 = goals.iter().map(|&goal| self.items[goal as usize].inside).sum();
        let mut outside = vec![0.0f64; self.items.len()];
        goals.iter().for_each(|&goal| outside[goal as usize] = 1.0);
        let mut uses: FxHashMap<(u16, u16), f64> = FxHashMap::default();
        // Items are made after their parts: backwards is top-down.
        for number in (0..self.items.len()).rev() {
            if outside[number] > 0.0 {
                self.push_down(number, evidence, &mut outside, &mut uses);
            }
        }
        let mut uses: Vec<(u32, u16, f64)> = uses
            .into_iter()
            .map(|((head, sense), count)| (self.words[head as usize], sense, count))
            .collect();
        uses.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        Posterior { evidence, uses }
    }

    fn push_down(
        &self,
        number: usize,
        evidence: f64,
        outside: &mut [f64],
        uses: &mut FxHashMap<(u16, u16), f64>,
    ) {
        let item = &self.items[number];
        for edge in &self.edges[item.edges.start as usize..item.edges.end as usize] {
            let (left, right) = (edge.left as usize, edge.right as usize);
            if edge.left == AXIOM {
                continue;
            }
            let through = outside[number] * edge.weight;
            outside[left] += through * self.items[right].inside;
            outside[right] += through * self.items[left].inside;
            if edge.sense != NO_SENSE {
                let count = through * self.items[left].inside * self.items[right].inside / evidence;
                *uses.entry((edge.head, edge.sense)).or_default() += count;
            }
        }
    }

    /// All trees that give the target with the senses of all words; `None` if there is none, or more than
    /// `most`.
    pub fn derivations(&self, most: usize) -> Option<Vec<Derivation>> {
        let goal = self.root()?;
        let evidence = self.items[goal as usize].inside;
        let mut known: FxHashMap<u32, Vec<Partial>> = FxHashMap::default();
        let mut derivations = Vec::new();
        for partial in self.expand(goal, most, &mut known)? {
            let mut heads = vec![None; self.words.len()];
            let mut senses = vec![0; self.words.len()];
            for &(word, sense, head) in &partial.words {
                senses[word as usize] = sense;
                heads[word as usize] = head.map(u32::from);
            }
            let (tree, probability) = (Tree::new(heads).ok()?, partial.probability);
            derivations.push(Derivation { tree, senses, probability, certainty: probability / evidence });
        }
        Some(derivations)
    }

    fn expand(
        &self,
        item: u32,
        most: usize,
        known: &mut FxHashMap<u32, Vec<Partial>>,
    ) -> Option<Vec<Partial>> {
        if let Some(known) = known.get(&item) {
            return Some(known.clone());
        }
        let Item { edges, .. } = &self.items[item as usize];
        let mut all = Vec::new();
        for edge in &self.edges[edges.start as usize..edges.end as usize] {
            if edge.left == AXIOM {
                all.push(Partial { words: Vec::new(), tops: Vec::new(), probability: 1.0 });
                continue;
            }
            let (lefts, rights) =
                (self.expand(edge.left, most, known)?, self.expand(edge.right, most, known)?);
            if all.len() + lefts.len() * rights.len() > most {
                return None;
            }
            for left in &lefts {
                all.extend(rights.iter().map(|right| left.joined(right, edge)));
            }
        }
        known.insert(item, all.clone());
        Some(all)
    }

    /// The most probable tree that gives the target.
    pub fn best(&self) -> Option<Derivation> {
        let goal = self.root()?;
        let mut heads = vec![None; self.words.len()];
        let mut senses = vec![0; self.words.len()];
        // Items still to be opened, with the word their subtrees hang on.
        let mut open = vec![(goal, None)];
        while let Some((item, above)) = open.pop() {
            let edge = self.edges[self.items[item as usize].best_edge as usize];
            if edge.left == AXIOM {
                continue;
            }
            let below = if edge.sense == NO_SENSE {
                above
            } else {
                heads[edge.head as usize] = above;
                senses[edge.head as usize] = edge.sense;
                Some(u32::from(edge.head))
            };
            open.push((edge.left, below));
            open.push((edge.right, below));
        }
        let tree = Tree::new(heads).ok()?;
        let Item { best, inside, .. } = self.items[goal as usize];
        Some(Derivation { tree, senses, probability: best, certainty: best / inside })
    }
}

/// Some words with their senses and heads, and those of them that have no head yet.
#[derive(Clone)]
struct Partial {
    words: Vec<(u16, u16, Option<u16>)>,
    tops: Vec<u16>,
    probability: f64,
}

impl Partial {
    fn joined(&self, other: &Partial, edge: &Edge) -> Partial {
        let mut words = [&self.words[..], &other.words[..]].concat();
        let mut tops = [&self.tops[..], &other.tops[..]].concat();
        if edge.sense != NO_SENSE {
            for (word, _, head) in words.iter_mut().filter(|(word, ..)| tops.contains(word)) {
                debug_assert!(head.is_none() && *word != edge.head);
                *head = Some(edge.head);
            }
            words.push((edge.head, edge.sense, None));
            tops = vec![edge.head];
        }
        Partial { words, tops, probability: self.probability * other.probability * edge.weight }
    }
}
