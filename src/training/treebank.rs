//! Chooses one tree for each example where several give the right result.
//!
//! A word that contributes nothing may hang anywhere without changing a value, and `a + b - c` has two right
//! trees in most examples. Of all these the ones are chosen that are most alike from example to example: a
//! tree is as probable as the places of its words, and a place (the kind of the word, the empty words around
//! it, the kind of its head and the side) is as probable as it is frequent in the other trees. Trees are
//! drawn in turn, each given all others, and the best ones taken in the end.

use super::meaning::Pair;
use super::syntax::Lesson;
use crate::abduction::chart::{Chart, Limits};
use crate::semantics::lexicon::Lexicon;
use crate::tree::Tree;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// Examples with more words that have values are passed over.
const WORDS: usize = 11;
/// Examples with more right trees (not counting where empty words hang) are passed over.
const TREES: usize = 60;
/// At most so many ways to hang the empty words of one gap are looked at.
const WAYS: usize = 60;
/// So often every tree is drawn again.
const DRAWN: usize = 8;
/// So often the best tree is taken afterwards.
const TAKEN: usize = 3;
/// The weight of what is known before any tree is seen.
const SMOOTHING: f64 = 0.5;
/// The probability of a place that was never seen.
const UNSEEN: f64 = 1e-4;

/// The kinds of words: words of one kind mean the same up to their constants.
pub(super) type Kinds<'a> = &'a [u32];

/// So many times the trees are drawn from the beginning.
const CHAINS: u64 = 6;

/// Trees for examples, `None` where there is none or where there are too many; chosen several times over, the
/// most probable choice first.
pub(super) fn choose(
    pairs: &[&Pair],
    lexicon: &Lexicon,
    kinds: Kinds<'_>,
    seed: u64,
) -> Vec<Vec<Option<Tree>>> {
    let forests: Vec<Option<Forest>> =
        pairs.par_iter().map(|pair| Forest::grow(pair, lexicon, kinds)).collect();
    let chain = |number: u64| {
        let mut forests = forests.clone();
        let score = draw_all(&mut forests, ChaCha8Rng::seed_from_u64(seed.wrapping_add(number << 32)));
        (score, forests)
    };
    let mut chains: Vec<(f64, Vec<Option<Forest>>)> = (0..CHAINS).into_par_iter().map(chain).collect();
    chains.sort_by(|a, b| b.0.total_cmp(&a.0));
    let trees = |forests: Vec<Option<Forest>>| {
        forests.into_iter().map(|forest| forest.and_then(Forest::into_tree)).collect()
    };
    chains.into_iter().map(|(_, forests)| trees(forests)).collect()
}

/// Draws the trees of all examples; says how probable they are in the end, all together.
fn draw_all(forests: &mut [Option<Forest>], mut rng: ChaCha8Rng) -> f64 {
    let mut bank = Bank::default();
    for forest in forests.iter_mut().flatten() {
        forest.draw(&bank, Some(&mut rng));
        bank.add(&forest.places(), 1.0);
    }
    for sweep in 0..DRAWN + TAKEN {
        for forest in forests.iter_mut().flatten() {
            bank.add(&forest.places(), -1.0);
            forest.draw(&bank, (sweep < DRAWN).then_some(&mut rng));
            bank.add(&forest.places(), 1.0);
        }
    }
    let mut again = Bank::default();
    let mut score = 0.0;
    for forest in forests.iter().flatten() {
        let places = forest.places();
        score += again.log_probability(&places);
        again.add(&places, 1.0);
    }
    score
}

/// Trees for more examples, given the trees of others: those most like them.
pub(super) fn complete<'a>(
    known: impl Iterator<Item = (&'a [u32], &'a Lesson)>,
    pairs: &[&Pair],
    lexicon: &Lexicon,
    kinds: Kinds<'_>,
) -> Vec<Option<Tree>> {
    let mut bank = Bank::default();
    for (words, Lesson { tree, weight }) in known {
        let is_void: Vec<bool> = words.iter().map(|&word| !has_value(lexicon, word)).collect();
        bank.add(&places(&labels(words, lexicon, kinds), tree.heads(), &is_void), f64::from(*weight));
    }
    let best = |pair: &&Pair| {
        let mut forest = Forest::grow(pair, lexicon, kinds)?;
        for _ in 0..TAKEN {
            forest.draw(&bank, None);
        }
        forest.into_tree()
    };
    pairs.par_iter().map(best).collect()
}

/// Whether a word can have a value.
fn has_value(lexicon: &Lexicon, word: u32) -> bool {
    lexicon.senses[word as usize].iter().any(|sense| sense.program.is_some())
}

/// What tells words apart: the kind, or the word itself where it contributes nothing.
fn labels(words: &[u32], lexicon: &Lexicon, kinds: Kinds<'_>) -> Vec<u64> {
    let label = |&word: &u32| match has_value(lexicon, word) {
        true => u64::from(kinds[word as usize]),
        false => u64::from(word) | 1 << 32,
    };
    words.iter().map(label).collect()
}

/// How often each place occurs.
#[derive(Default)]
struct Bank {
    places: FxHashMap<Place, f64>,
    heads: FxHashMap<u64, f64>,
}

/// Where a word stands, as numbers that stand for all of it: its head's kind and side, and what it is itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    head: u64,
    word: u64,
}

impl Bank {
    fn add(&mut self, places: &[Place], count: f64) {
        for place in places {
            *self.places.entry(*place).or_default() += count;
            *self.heads.entry(place.head).or_default() += count;
        }
    }

    /// The logarithm of the probability of a tree with these places.
    fn log_probability(&self, places: &[Place]) -> f64 {
        let count = |place: &Place| self.places.get(place).copied().unwrap_or(0.0);
        let total = |place: &Place| self.heads.get(&place.head).copied().unwrap_or(0.0);
        places
            .iter()
            .map(|place| ((count(place) + SMOOTHING * UNSEEN) / (total(place) + SMOOTHING)).ln())
            .sum()
    }
}

/// The right trees of an example, and one of them.
#[derive(Clone)]
struct Forest {
    labels: Vec<u64>,
    skeletons: Vec<Skeleton>,
    /// The tree chosen: a skeleton, and where each of its empty words hangs.
    chosen: usize,
    heads: Vec<Option<u32>>,
}

/// A tree without its empty words, and where these may hang.
#[derive(Clone)]
struct Skeleton {
    heads: Vec<Option<u32>>,
    gaps: Vec<Gap>,
    is_void: Vec<bool>,
}

/// Empty words side by side, and the words they may hang on in the order of the sentence's brackets: later ones
/// hang on the same word as earlier ones or on one further on.
#[derive(Clone)]
struct Gap {
    voids: Vec<usize>,
    ways: Vec<Vec<u32>>,
}

impl Forest {
    fn grow(pair: &Pair, lexicon: &Lexicon, kinds: Kinds<'_>) -> Option<Forest> {
        let places: Vec<usize> =
            (0..pair.words.len()).filter(|&place| has_value(lexicon, pair.words[place])).collect();
        let words: Vec<u32> = places.iter().map(|&place| pair.words[place]).collect();
        if words.is_empty() || words.len() > WORDS {
            return None;
        }
        let chart = Chart::new(lexicon, &words, &pair.target, Limits::default());
        let mut skeletons: Vec<Skeleton> = Vec::new();
        for derivation in chart.derivations(TREES)? {
            let mut heads = vec![None; pair.words.len()];
            let mut is_void = vec![true; pair.words.len()];
            for (number, &place) in places.iter().enumerate() {
                let sense = &lexicon.senses[words[number] as usize][derivation.senses[number] as usize];
                is_void[place] = sense.program.is_none();
                heads[place] = derivation.tree.heads()[number]
                    .map(|head| places[head as usize] as u32)
                    .filter(|_| !is_void[place]);
            }
            if !skeletons.iter().any(|known| known.heads == heads && known.is_void == is_void) {
                skeletons.push(Skeleton::new(heads, is_void));
            }
        }
        let labels = labels(&pair.words, lexicon, kinds);
        let heads = skeletons.first()?.heads.clone();
        Some(Forest { labels, skeletons, chosen: 0, heads })
    }

    /// Draws a tree by its probability given all others, or takes the best if there is nothing to draw with.
    fn draw(&mut self, bank: &Bank, mut rng: Option<&mut ChaCha8Rng>) {
        let mut drawn: Vec<(f64, Vec<Option<u32>>)> = Vec::new();
        for number in 0..self.skeletons.len() {
            let start = if number == self.chosen { Some(self.heads.clone()) } else { None };
            drawn.push(self.hang(number, start, bank, rng.as_deref_mut()));
        }
        let scores: Vec<f64> = drawn.iter().map(|(score, _)| *score).collect();
        self.chosen = pick(&scores, rng);
        self.heads = drawn.swap_remove(self.chosen).1;
    }

    /// Hangs the empty words of a skeleton, gap by gap; also says how probable the tree is.
    fn hang(
        &self,
        number: usize,
        start: Option<Vec<Option<u32>>>,
        bank: &Bank,
        mut rng: Option<&mut ChaCha8Rng>,
    ) -> (f64, Vec<Option<u32>>) {
        let skeleton = &self.skeletons[number];
        let mut heads = start.unwrap_or_else(|| skeleton.heads.clone());
        for gap in &skeleton.gaps {
            let mut scores = Vec::with_capacity(gap.ways.len());
            for way in &gap.ways {
                gap.voids.iter().zip(way).for_each(|(&void, &head)| heads[void] = Some(head));
                scores.push(bank.log_probability(&places(&self.labels, &heads, &skeleton.is_void)));
            }
            let way = &gap.ways[pick(&scores, rng.as_deref_mut())];
            gap.voids.iter().zip(way).for_each(|(&void, &head)| heads[void] = Some(head));
        }
        (bank.log_probability(&places(&self.labels, &heads, &skeleton.is_void)), heads)
    }

    fn places(&self) -> Vec<Place> {
        places(&self.labels, &self.heads, &self.skeletons[self.chosen].is_void)
    }

    fn into_tree(self) -> Option<Tree> {
        Tree::new(self.heads).ok()
    }
}

/// The number of a score, drawn by its probability or, without a generator, the best.
fn pick(scores: &[f64], rng: Option<&mut ChaCha8Rng>) -> usize {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let Some(rng) = rng else { return scores.iter().position(|&score| score == best).unwrap_or(0) };
    let weights: Vec<f64> = scores.iter().map(|score| (score - best).exp()).collect();
    let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
    for (number, weight) in weights.iter().enumerate() {
        left -= weight;
        if left <= 0.0 {
            return number;
        }
    }
    scores.len() - 1
}

/// The places of the words that have values. Empty words that hang nowhere yet do not count.
fn places(labels: &[u64], heads: &[Option<u32>], is_void: &[bool]) -> Vec<Place> {
    let n = labels.len();
    // Of each word: its valued children, and the empty words to its left and right.
    let mut around: Vec<(u64, u64, u64)> = vec![(0, 0, 0); n];
    for (place, head) in heads.iter().enumerate() {
        let Some(head) = head.map(|head| head as usize) else { continue };
        let (children, left, right) = &mut around[head];
        let side = if place < head { left } else { right };
        match is_void[place] {
            true => *side = FxBuildHasher.hash_one((*side, labels[place])),
            false => *children += 1,
        }
    }
    let kind = |place: usize| FxBuildHasher.hash_one((labels[place], around[place].0));
    let valued = (0..n).filter(|&place| !is_void[place]);
    valued
        .map(|place| {
            let head = match heads[place].map(|head| head as usize) {
                Some(head) => FxBuildHasher.hash_one((kind(head), place < head)),
                None => 0,
            };
            Place { head, word: FxBuildHasher.hash_one((labels[place], around[place])) }
        })
        .collect()
}

impl Skeleton {
    fn new(heads: Vec<Option<u32>>, is_void: Vec<bool>) -> Skeleton {
        let n = heads.len();
        let mut gaps = Vec::new();
        let mut place = 0;
        while place < n {
            let start = place;
            while place < n && is_void[place] {
                place += 1;
            }
            if start < place {
                let before = start.checked_sub(1).map(|last| last as u32);
                let after = (place < n).then_some(place as u32);
                let hooks = hooks(&heads, before, after);
                gaps.push(Gap { voids: (start..place).collect(), ways: ways(place - start, &hooks) });
            }
            place += 1;
        }
        Skeleton { heads, gaps, is_void }
    }
}

/// The words on which empty words between two others may hang: up from the one before to the first that has
/// both below it, and down to the one after.
fn hooks(heads: &[Option<u32>], before: Option<u32>, after: Option<u32>) -> Vec<u32> {
    let chain =
        |start: Option<u32>| std::iter::successors(start, |&word| heads[word as usize]).collect::<Vec<_>>();
    let (mut up, mut down) = (chain(before), chain(after));
    if let Some(common) = up.iter().position(|word| down.contains(word)) {
        let joint = up[common];
        up.truncate(common + 1);
        down.truncate(down.iter().position(|&word| word == joint).unwrap_or(0));
    }
    down.reverse();
    up.extend(down);
    up
}

/// All ways to hang so many words on hooks, none before an earlier one's hook.
fn ways(count: usize, hooks: &[u32]) -> Vec<Vec<u32>> {
    let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        ways = ways
            .into_iter()
            .flat_map(|way| {
                let first = way.last().copied().unwrap_or(0);
                (first..hooks.len()).map(move |hook| [&way[..], &[hook]].concat())
            })
            .take(WAYS)
            .collect();
    }
    ways.into_iter().map(|way| way.into_iter().map(|hook| hooks[hook]).collect()).collect()
}
