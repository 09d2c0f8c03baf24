//! Which groups of pictures are one symbol.
//!
//! Which picture of a symbol stands in a row is an accident: it does not depend on the other pictures, nor on the
//! result. So two groups of pictures of one symbol have the same neighbours and the same results, up to chance; and
//! groups that differ in these are different symbols. Neighbours and results are also counted together: `x and y` has
//! the neighbours and the results of `x after y`, and only which neighbour a result begins with tells them apart.

use crate::data::ImageExample;
use std::collections::BTreeMap;

/// Groups are one symbol if their distributions are at most so far apart, in bits, beyond what chance explains.
const ALIKE: f64 = 0.05;

/// What is counted about a group: which symbol stands before it, which one after it, which result the row has, and each
/// of the first two with how the result begins, where that is not all of it.
const KINDS: usize = 5;

type Counts = BTreeMap<u32, f64>;

/// The surroundings of each group.
#[derive(Clone)]
pub(super) struct Surroundings {
    counts: Vec<[Counts; KINDS]>,
}

/// Beyond the ends of a row.
const END: u32 = u32::MAX;
/// A new picture of whatever group.
const NEW: u32 = u32::MAX - 1;

impl Surroundings {
    /// Counts what stands around each group in `rows`; `symbol` is what a picture is known to show, `None` if it is
    /// new.
    pub fn gather(
        rows: &[&ImageExample],
        groups: &[Option<u16>],
        count: usize,
        symbol: impl Fn(usize) -> Option<u16>,
    ) -> Surroundings {
        let mut counts: Vec<[Counts; KINDS]> = vec![Default::default(); count];
        let word = |picture: Option<&u32>| match picture {
            None => END,
            Some(&picture) => symbol(picture as usize).map_or(NEW, u32::from),
        };
        for row in rows {
            let result =
                row.output.iter().fold(0, |sum: u32, token| sum.wrapping_mul(31).wrapping_add(token.0 + 1));
            for (place, &picture) in row.input.iter().enumerate() {
                let Some(group) = groups[picture as usize] else { continue };
                let before = place.checked_sub(1).and_then(|place| row.input.get(place));
                let (before, after) = (word(before), word(row.input.get(place + 1)));
                let [first, second] = [before, after].map(|word| with_beginning(word, row));
                let seen = [before, after, result, first, second];
                let counts = &mut counts[usize::from(group)];
                counts
                    .iter_mut()
                    .zip(seen)
                    .for_each(|(counts, seen)| *counts.entry(seen).or_default() += 1.0);
            }
        }
        Surroundings { counts }
    }

    fn total(&self, group: usize) -> f64 {
        self.counts[group][0].values().sum()
    }

    /// How far apart two groups are, in bits.
    pub fn distance(&self, a: usize, b: usize) -> f64 {
        let pairs = self.counts[a].iter().zip(&self.counts[b]);
        pairs.map(|(a, b)| divergence(a, b)).fold(0.0, f64::max)
    }

    fn join(&mut self, into: usize, from: usize) {
        let other = std::mem::take(&mut self.counts[from]);
        for (counts, other) in self.counts[into].iter_mut().zip(other) {
            other.into_iter().for_each(|(seen, count)| *counts.entry(seen).or_default() += count);
        }
    }
}

/// A neighbour together with the first token of a result that has several; a result of one is counted as it is.
fn with_beginning(word: u32, row: &ImageExample) -> u32 {
    match &row.output[..] {
        [first, _, ..] => word.wrapping_mul(1_000_003).wrapping_add(first.0 + 1),
        _ => 0,
    }
}

/// The Jensen-Shannon divergence of two distributions, less what chance alone would make of it.
fn divergence(a: &Counts, b: &Counts) -> f64 {
    let (all_a, all_b): (f64, f64) = (a.values().sum(), b.values().sum());
    if all_a == 0.0 || all_b == 0.0 {
        return f64::INFINITY;
    }
    let mut keys: Vec<u32> = a.keys().chain(b.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    let share = |counts: &Counts, all: f64, key: u32| counts.get(&key).copied().unwrap_or(0.0) / all;
    let term = |p: f64, mean: f64| if p > 0.0 { p * (p / mean).log2() } else { 0.0 };
    let sum: f64 = keys
        .iter()
        .map(|&key| {
            let (p, q) = (share(a, all_a, key), share(b, all_b, key));
            let mean = (p + q) / 2.0;
            (term(p, mean) + term(q, mean)) / 2.0
        })
        .sum();
    // To first order, a sample of n adds (values - 1) / (8 n ln 2) to the divergence from its twin.
    let chance = (keys.len() - 1) as f64 * (1.0 / all_a + 1.0 / all_b) / (8.0 * std::f64::consts::LN_2);
    sum - chance
}

/// The first group of those that are the same symbol as each group; `None` for a group with less than this share
/// of all.
pub(super) fn merge(surroundings: &Surroundings, rare: f64) -> Vec<Option<usize>> {
    let count = surroundings.counts.len();
    let mut joined = surroundings.clone();
    let mut leader: Vec<usize> = (0..count).collect();
    loop {
        let leaders: Vec<usize> =
            (0..count).filter(|&group| leader[group] == group && joined.total(group) > 0.0).collect();
        let pairs =
            leaders.iter().enumerate().flat_map(|(n, &a)| leaders[n + 1..].iter().map(move |&b| (a, b)));
        let closest = pairs.map(|(a, b)| (joined.distance(a, b), a, b)).min_by(|x, y| x.0.total_cmp(&y.0));
        let Some((_, into, from)) = closest.filter(|(distance, ..)| *distance < ALIKE) else { break };
        joined.join(into, from);
        leader.iter_mut().filter(|leader| **leader == from).for_each(|leader| *leader = into);
    }
    let all: f64 = (0..count).map(|group| joined.total(group)).sum();
    leader.iter().map(|&leader| Some(leader).filter(|&leader| joined.total(leader) >= rare * all)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Symbol;

    /// Pictures 0 and 1 show one symbol, 2 another, which has other results.
    #[test]
    fn groups_with_the_same_results_are_one_symbol() {
        let row = |picture: u32, result: u32| ImageExample {
            input: [9, picture, 9].into(),
            output: [Symbol(result)].into(),
            subset: None,
        };
        let rows: Vec<ImageExample> =
            (0..600).map(|n| row(n % 3, if n % 3 == 2 { 7 + n / 3 % 2 } else { n / 3 % 5 })).collect();
        let rows: Vec<&ImageExample> = rows.iter().collect();
        let groups: Vec<Option<u16>> = (0..10).map(|picture| (picture < 3).then_some(picture)).collect();
        let found = Surroundings::gather(&rows, &groups, 4, |picture| (picture == 9).then_some(0));
        assert_eq!(merge(&found, 0.02), [Some(0), Some(0), Some(2), None]);
    }

    /// Pictures 0 and 1 stand between the same pictures, 8 and 9, and the results are the same; but after one of them
    /// the results come in the other order.
    #[test]
    fn the_order_of_results_tells_groups_apart() {
        let row = |number: u32| {
            let (joint, turned) = (number % 2, number / 2 % 2);
            let (left, right) = if turned == 0 { (8, 9) } else { (9, 8) };
            let output = if joint == 0 { [left, right] } else { [right, left] };
            let output: Vec<Symbol> = output.into_iter().map(Symbol).collect();
            ImageExample { input: [left, joint, right].into(), output: output.into(), subset: None }
        };
        let rows: Vec<ImageExample> = (0..400).map(row).collect();
        let rows: Vec<&ImageExample> = rows.iter().collect();
        let groups: Vec<Option<u16>> = (0..10).map(|picture| (picture < 2).then_some(picture)).collect();
        let known = |picture: usize| (picture > 7).then_some(picture as u16);
        let found = Surroundings::gather(&rows, &groups, 2, known);
        assert_eq!(merge(&found, 0.02), [Some(0), Some(1)]);
    }
}
