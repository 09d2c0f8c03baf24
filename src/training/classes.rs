//! Word classes: words that the parser may treat alike.
//!
//! Two words belong together if they occur in the same parser states and want the same transition there. The
//! classes are the coarsest that the trees allow: words are merged, those with most states in common first,
//! as long as the transitions stay (but for a small share) a function of the features. A word seen in few
//! places is thus parsed like its kin everywhere.

use crate::syntax::{ArcOrder, Row, Rows, Transition};
use crate::tree::Tree;
use rustc_hash::FxHashMap;

/// The share of common states in which two words of a class may want different transitions: room for wrong
/// trees.
const CONFLICT: f64 = 0.02;

/// The share of the rarer word's states that two words must have in common.
const COMMON: f64 = 0.1;

/// The class of each word, numbered by first appearance, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The class of each word.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: u32,
}

impl Classes {
    /// Every word in a class of its own.
    pub fn single(words: usize) -> Classes {
        Classes { of: (0..words as u32).collect(), count: words as u32 }
    }

    /// The classes of a sentence's words.
    pub fn of_words(&self, words: &[u32]) -> Vec<u32> {
        words.iter().map(|&word| self.of[word as usize]).collect()
    }

    /// Finds the classes of `words` words from trees.
    pub fn find(trees: &[(&[u32], &Tree)], words: usize, order: ArcOrder) -> Classes {
        let mut rows = Rows::default();
        let words_alone: Vec<u32> = (0..words as u32).collect();
        for (sentence, tree) in trees {
            let classes: Vec<u32> = sentence.iter().map(|&word| words_alone[word as usize]).collect();
            rows.add(tree, &classes, order, 1.0);
        }
        let mut classes = Classes::single(words);
        let mut rows = rows.into_rows();
        while let Some(merged) = merge_once(&rows, classes.count) {
            classes = classes.then(&merged);
            rows = relabel(&rows, &merged);
        }
        classes
    }

    fn then(&self, merged: &Classes) -> Classes {
        Classes { of: self.of.iter().map(|&class| merged.of[class as usize]).collect(), count: merged.count }
    }
}

/// Ids below this are not words.
const SPECIAL: u32 = crate::syntax::features::id(0);

/// A state with one feature left open.
type Context = (u8, [u32; 18]);

/// What each class wants in each context it occurs in.
type Wishes = FxHashMap<Context, FxHashMap<u32, [f64; 3]>>;

fn wishes(rows: &[Row]) -> Wishes {
    let mut wishes = Wishes::default();
    for row in rows {
        for place in 0..row.features.len() {
            let id = row.features[place];
            if id >= SPECIAL {
                let mut context = row.features;
                context[place] = u32::MAX;
                let wants =
                    wishes.entry((place as u8, context)).or_default().entry(id - SPECIAL).or_default();
                wants[row.transition.index()] += f64::from(row.weight);
            }
        }
    }
    wishes
}

/// Merges every class with the one it shares most contexts with, where that goes both ways.
fn merge_once(rows: &[Row], count: u32) -> Option<Classes> {
    let mut contexts = vec![0.0f64; count as usize];
    let mut shared: FxHashMap<(u32, u32), (f64, f64)> = FxHashMap::default();
    // The sums below are of whole numbers: their order does not matter.
    #[allow(clippy::iter_over_hash_type)]
    for wants in wishes(rows).values() {
        let mut wants: Vec<(u32, usize)> =
            wants.iter().map(|(&class, wants)| (class, foremost(wants))).collect();
        wants.sort_unstable();
        for (index, &(a, wanted)) in wants.iter().enumerate() {
            contexts[a as usize] += 1.0;
            for &(b, other) in &wants[index + 1..] {
                let counts = shared.entry((a, b)).or_default();
                match wanted == other {
                    true => counts.0 += 1.0,
                    false => counts.1 += 1.0,
                }
            }
        }
    }
    let mut pairs: Vec<(f64, u32, u32)> = shared
        .into_iter()
        .filter(|(_, (agree, differ))| differ / (agree + differ) <= CONFLICT)
        .map(|((a, b), (agree, _))| (agree / contexts[a as usize].min(contexts[b as usize]), a, b))
        .filter(|(common, ..)| *common >= COMMON)
        .collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    mutual(&pairs, count)
}

fn foremost(wants: &[f64; 3]) -> usize {
    (0..3).max_by(|&a, &b| wants[a].total_cmp(&wants[b])).unwrap_or(0)
}

/// Of pairs in order of preference, those in which neither partner has been taken.
fn mutual(pairs: &[(f64, u32, u32)], count: u32) -> Option<Classes> {
    let mut partner: Vec<u32> = (0..count).collect();
    let mut taken = vec![false; count as usize];
    for &(_, a, b) in pairs {
        if !taken[a as usize] && !taken[b as usize] {
            (taken[a as usize], taken[b as usize]) = (true, true);
            partner[b as usize] = a;
        }
    }
    if pairs.is_empty() {
        return None;
    }
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let of: Vec<u32> = partner
        .iter()
        .map(|&representative| {
            let next = numbers.len() as u32;
            *numbers.entry(representative).or_insert(next)
        })
        .collect();
    Some(Classes { of, count: numbers.len() as u32 })
}

fn relabel(rows: &[Row], merged: &Classes) -> Vec<Row> {
    let mut places: FxHashMap<([u32; 18], Transition), usize> = FxHashMap::default();
    let mut relabelled: Vec<Row> = Vec::new();
    for row in rows {
        let features = row
            .features
            .map(|id| if id >= SPECIAL { merged.of[(id - SPECIAL) as usize] + SPECIAL } else { id });
        let place = *places.entry((features, row.transition)).or_insert(relabelled.len());
        match relabelled.get_mut(place) {
            Some(known) => known.weight += row.weight,
            None => relabelled.push(Row { features, ..*row }),
        }
    }
    relabelled
}
