//! Proposes frames and what fills them, by expectation maximisation: what is *reliable* where no small theory says it all.
//!
//! Every example is split in all ways into a frame with one slot and what fills it, on both sides: `i am _ .` says `je suis _ .`, and `daxy`
//! says `daxiste`. Frames and fillers are counted by what their splits weigh; a split weighs what its frame and its filler, counted over all
//! other examples, make of it: P(what the frame says | its pattern) P(what the filler says | its pattern). Only what is said given the pattern is
//! priced, and nothing is paid for an entry here: that prefers large ones, which are right seldom. A span of an input is one view of its
//! example: all ways to say *that span* share one weight with the view that it says nothing by itself. Spans are no rivals of each other, so
//! a frame need not be the best one to be found.

use crate::objective::Prices;
use crate::settings::{HALF, ROUNDS};
use crate::stop::Stop;
use crate::theory::entry::{Entry, In, Out, replaced};
use crate::theory::rates::UNSEEN;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

/// Levels: frames of examples, then frames of what fills these.
const LEVELS: usize = 2;
/// Ways to split examples that are looked at; where there are more, some examples are left out.
const MOST_CUTS: usize = 10_000_000;
/// Ways to split one example: a longer one would take the time and memory of all the others.
const MOST_OF_ONE: usize = MOST_CUTS / 10;

/// An entry and how often it is expected in the splits of all examples.
pub type Counted = (Entry, f64);

/// Frames of the examples, with what fills them and the examples themselves, and how often each is expected.
pub fn frames(examples: &[Entry], prices: &Prices, stop: Stop<'_>) -> Vec<Counted> {
    let mut level: Vec<Entry> = few_enough(examples);
    let mut found: Vec<Counted> = Vec::new();
    for number in 0..LEVELS {
        let mut splits = Splits::of(&level, prices, stop);
        for _ in 0..2 * ROUNDS {
            if stop() {
                break;
            }
            stop.step("split", splits.step(), None);
        }
        // What fills frames of fillers was counted as a filler of examples, too.
        found.extend(splits.counted().filter(|(entry, _)| number == 0 || entry.slots() > 0));
        level = splits.best_fillers();
    }
    joined(found)
}

/// As many of the examples, evenly, as can be split.
pub fn few_enough(examples: &[Entry]) -> Vec<Entry> {
    let short = || examples.iter().filter(|example| cuts(example) <= MOST_OF_ONE);
    let step = short().map(cuts).sum::<usize>().div_ceil(MOST_CUTS).max(1);
    short().step_by(step).cloned().collect()
}

/// About so many ways there are to split an example.
fn cuts(example: &Entry) -> usize {
    (example.pattern.len() * example.says.len()).saturating_pow(2) / 4
}

/// The counts of entries that were found at several levels together, in order of the entries.
fn joined(mut found: Vec<Counted>) -> Vec<Counted> {
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.dedup_by(|next, first| {
        let same = next.0 == first.0;
        first.1 += if same { next.1 } else { 0.0 };
        same
    });
    found
}

/// The spans of an input that may fill a slot.
fn spans(example: &Entry) -> impl Iterator<Item = Range<usize>> {
    let long = example.pattern.len();
    (0..long)
        .flat_map(move |from| (from + 1..=long).map(move |to| from..to))
        .filter(move |span| span.len() < long)
}

/// The different parts of what an example says.
fn parts(example: &Entry) -> Vec<&[Out]> {
    let said = &example.says;
    let mut seen: FxHashSet<&[Out]> = FxHashSet::default();
    let all = (0..said.len()).flat_map(|begin| (begin + 1..=said.len()).map(move |end| &said[begin..end]));
    all.filter(|part| seen.insert(part)).collect()
}

fn frame_pattern(example: &Entry, span: &Range<usize>) -> Vec<In> {
    let mut pattern = example.pattern[..span.start].to_vec();
    pattern.push(In::Slot(0));
    pattern.extend_from_slice(&example.pattern[span.end..]);
    pattern
}

/// What is said of each part, with the part a slot.
fn frames_said(example: &Entry, parts: &[&[Out]]) -> Vec<Vec<Out>> {
    parts.iter().map(|part| replaced(&example.says, part, Out::Slot(0))).collect()
}

fn hash(pattern: &[In], says: &[Out]) -> u64 {
    FxBuildHasher.hash_one((pattern, says))
}

/// Hashes of the frames and fillers that at least two examples have: nothing can be learned of a split without either.
fn repeated(examples: &[Entry], stop: Stop<'_>) -> FxHashSet<u64> {
    let hashes = |example: &Entry| {
        if stop() {
            return Vec::new();
        }
        let parts = parts(example);
        let said = frames_said(example, &parts);
        let mut hashes = vec![hash(&example.pattern, &example.says)];
        for span in spans(example) {
            let pattern = frame_pattern(example, &span);
            hashes.extend(said.iter().map(|says| hash(&pattern, says)));
            hashes.extend(parts.iter().map(|part| hash(&example.pattern[span.clone()], part)));
        }
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    };
    let mut all: Vec<u64> = examples.par_iter().flat_map_iter(hashes).collect();
    all.par_sort_unstable();
    all.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).map(|same| same[0]).collect()
}

/// Different things, numbered in order of their first appearance.
struct Numbered<T> {
    numbers: FxHashMap<T, u32>,
    things: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Numbered<T> {
        Numbered { numbers: FxHashMap::default(), things: Vec::new() }
    }

    fn number<Q: Eq + Hash + ?Sized>(&mut self, thing: &Q) -> u32
    where
        T: Borrow<Q> + for<'a> From<&'a Q>,
    {
        if let Some(&number) = self.numbers.get(thing) {
            return number;
        }
        let number = self.things.len() as u32;
        self.things.push(T::from(thing));
        self.numbers.insert(T::from(thing), number);
        number
    }
}

/// A frame and its filler, by their numbers.
#[derive(Clone, Copy)]
struct Split {
    frame: u32,
    filler: u32,
    weight: f64,
}

/// One span of an example with all of its splits.
struct View {
    example: u32,
    splits: Range<usize>,
}

/// A pattern and what it says, by their numbers, and how probable that is before anything is counted.
struct Way {
    pattern: u32,
    says: u32,
    prior: f64,
    count: f64,
}

/// Splits of examples, with weights.
struct Splits<'p> {
    prices: &'p Prices,
    patterns: Numbered<Box<[In]>>,
    says: Numbered<Box<[Out]>>,
    ways: Vec<Way>,
    numbers: FxHashMap<(u32, u32), u32>,
    /// How often each pattern says anything.
    uses: Vec<f64>,
    splits: Vec<Split>,
    views: Vec<View>,
    /// For each example, itself as a way, and how many spans it has.
    wholes: Vec<(u32, f64)>,
}

impl<'p> Splits<'p> {
    /// The splits of examples, of some of them where learning is to stop; those of one view weigh the same.
    fn of(examples: &[Entry], prices: &'p Prices, stop: Stop<'_>) -> Splits<'p> {
        let mut splits = Splits {
            prices,
            patterns: Numbered::new(),
            says: Numbered::new(),
            ways: Vec::new(),
            numbers: FxHashMap::default(),
            uses: Vec::new(),
            splits: Vec::new(),
            views: Vec::new(),
            wholes: Vec::new(),
        };
        let repeated = repeated(examples, stop);
        for (number, example) in (0..).zip(examples).take_while(|_| !stop()) {
            splits.add(number, example, &repeated);
        }
        splits.count();
        splits
    }

    fn add(&mut self, number: u32, example: &Entry, repeated: &FxHashSet<u64>) {
        let parts = parts(example);
        let said = frames_said(example, &parts);
        let whole = self.way(&example.pattern, &example.says);
        self.wholes.push((whole, spans(example).count() as f64));
        for span in spans(example) {
            let pattern = frame_pattern(example, &span);
            let filled = &example.pattern[span];
            let begin = self.splits.len();
            for (part, says) in parts.iter().zip(&said) {
                if repeated.contains(&hash(&pattern, says)) || repeated.contains(&hash(filled, part)) {
                    let (frame, filler) = (self.way(&pattern, says), self.way(filled, part));
                    self.splits.push(Split { frame, filler, weight: 0.0 });
                }
            }
            let all = self.splits.len() - begin;
            for split in &mut self.splits[begin..] {
                split.weight = 1.0 / all as f64;
            }
            if all > 0 {
                self.views.push(View { example: number, splits: begin..begin + all });
            }
        }
    }

    fn way(&mut self, pattern: &[In], says: &[Out]) -> u32 {
        let key = (self.patterns.number(pattern), self.says.number(says));
        let next = self.ways.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let prior = (-self.prices.result(says)).exp2();
            self.ways.push(Way { pattern: key.0, says: key.1, prior, count: 0.0 });
        }
        number
    }

    /// Counts ways by the weights of splits; every example is also a way to say its input.
    fn count(&mut self) {
        self.uses = vec![0.0; self.patterns.things.len()];
        for way in &mut self.ways {
            way.count = 0.0;
        }
        let wholes = self.wholes.iter().map(|&(whole, _)| (whole, 1.0));
        let parts =
            self.splits.iter().flat_map(|split| [(split.frame, split.weight), (split.filler, split.weight)]);
        for (way, weight) in wholes.chain(parts) {
            let way = &mut self.ways[way as usize];
            way.count += weight;
            self.uses[way.pattern as usize] += weight;
        }
    }

    /// How probable a split is by what all other splits show.
    fn probability(&self, split: &Split) -> f64 {
        let given_pattern = |number: u32| {
            let way = &self.ways[number as usize];
            let count = (way.count - split.weight).max(0.0);
            let uses = (self.uses[way.pattern as usize] - split.weight).max(0.0);
            (count + UNSEEN * way.prior) / (uses + UNSEEN)
        };
        given_pattern(split.frame) * given_pattern(split.filler)
    }

    /// How probable it is that an example is said as a whole, for each of its spans.
    fn unsplit(&self, example: u32) -> f64 {
        let (whole, spans) = self.wholes[example as usize];
        2.0 * self.ways[whole as usize].prior * spans
    }

    /// Weighs all splits anew, and counts; what examples cost by what all others showed, in bits.
    fn step(&mut self) -> f64 {
        let weigh = |view: &View| {
            let splits = &self.splits[view.splits.clone()];
            let mut weights: Vec<f64> = splits.iter().map(|split| self.probability(split)).collect();
            let all = weights.iter().sum::<f64>() + self.unsplit(view.example);
            weights.iter_mut().for_each(|weight| *weight /= all);
            (weights, -all.log2())
        };
        let (weights, bits): (Vec<Vec<f64>>, Vec<f64>) = self.views.par_iter().map(weigh).unzip();
        for (split, weight) in self.splits.iter_mut().zip(weights.into_iter().flatten()) {
            split.weight = weight;
        }
        self.count();
        bits.into_iter().fold(0.0, |all, bits| all + bits)
    }

    fn entry(&self, way: u32) -> Entry {
        let Way { pattern, says, .. } = self.ways[way as usize];
        Entry {
            pattern: self.patterns.things[pattern as usize].clone(),
            says: self.says.things[says as usize].clone(),
            kind: 0,
        }
    }

    /// All ways that are expected.
    fn counted(&self) -> impl Iterator<Item = Counted> + '_ {
        let expected = (0..).zip(&self.ways).filter(|(_, way)| way.count > HALF);
        expected.map(|(number, way)| (self.entry(number), way.count))
    }

    /// Of the best split of each example that is rather split than not, the filler.
    fn best_fillers(&self) -> Vec<Entry> {
        let mut fillers: BTreeSet<Entry> = BTreeSet::new();
        for views in self.views.chunk_by(|a, b| a.example == b.example) {
            let splits = || views.iter().flat_map(|view| &self.splits[view.splits.clone()]);
            let all: f64 = splits().map(|split| self.probability(split)).sum();
            let best = splits().max_by(|a, b| self.probability(a).total_cmp(&self.probability(b)));
            if let Some(best) = best.filter(|_| all > self.unsplit(views[0].example)) {
                fillers.insert(self.entry(best.filler));
            }
        }
        fillers.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::entry::tests::entry;

    #[test]
    fn long_examples_do_not_fill_the_memory() {
        let long = entry(&["a"; 200].join(" "), &["A"; 200].join(" "));
        let short = entry("a a", "A A");
        let examples = [vec![short.clone(); 9], vec![long; 100]].concat();
        assert_eq!(few_enough(&examples), vec![short; 9]);
    }

    #[test]
    fn a_stop_ends_splitting_at_the_next_example() {
        let examples = vec![entry("a b c", "A B C"); 50];
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 60;
        let prices = Prices::new(9, 9);
        let splits = Splits::of(&examples, &prices, Stop::new(&stop));
        // Each of 50 examples was asked for once before any was split.
        assert_eq!(splits.wholes.len(), 10);
    }

    #[test]
    fn what_examples_share_is_a_frame() {
        let examples: Vec<Entry> =
            [("i a h .", "J S H ."), ("i a t .", "J S T ."), ("y a h .", "T E H ."), ("y a d .", "T E D .")]
                .map(|(pattern, says)| entry(pattern, says))
                .to_vec();
        let found = frames(&examples, &Prices::new(9, 9), Stop::never());
        let count = |pattern: &str, says: &str| {
            let wanted = entry(pattern, says);
            found.iter().find(|(entry, _)| *entry == wanted).map_or(0.0, |(_, count)| *count)
        };
        assert!(count("i a 0 .", "J S 0 .") > 1.5, "{found:?}");
        assert!(count("d", "D") > 0.5 && count("d", "D") > 5.0 * count("d", "T E D ."));
    }
}
