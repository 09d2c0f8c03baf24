//! Which examples a round of learning looks at.

use super::{Pair, knows};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// So many of the smallest examples are looked at first.
const FIRST: usize = 128;
/// The smallest examples are looked at on their own up to this number.
const SMALLEST: usize = 256;
/// The number of examples of all sizes in a sample.
const SAMPLE: usize = 200;
/// The number of examples by which lexicons are judged.
const JUDGES: usize = 150;
/// So many examples of each word are in every sample, as far as there are so many.
const OF_EACH_WORD: usize = 4;
/// At most so many rounds at each stage.
const ROUNDS: usize = 12;
/// At most so many rounds without a banned program.
const REVISED: usize = 6;

/// Which examples the next round looks at: the smallest first, twice as many at each stage, then samples of
/// all sizes until nothing changes any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Schedule {
    /// How many of the smallest examples are looked at; all sizes are sampled when it exceeds [`SMALLEST`].
    smallest: usize,
    /// Rounds since the stage began.
    round: usize,
    /// The largest number of examples settled at this stage.
    best: usize,
    /// Rounds without progress.
    idle: usize,
    /// At most so many rounds at this stage.
    rounds: usize,
    pub(super) done: bool,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { smallest: FIRST, round: 0, best: 0, idle: 0, rounds: ROUNDS, done: false }
    }
}

impl Schedule {
    /// Whether its numbers are such as come about: a file may hold anything.
    pub(super) fn is_sound(&self) -> bool {
        const MANY: usize = 1 << 24;
        [self.smallest, self.round, self.idle, self.rounds].iter().all(|&number| number < MANY)
    }

    /// A short stage of samples of all sizes.
    pub(super) fn revision() -> Schedule {
        Schedule { smallest: SMALLEST + 1, rounds: REVISED, ..Schedule::default() }
    }

    /// The examples of the next round; words that are known need none of their own.
    pub(super) fn sample<'a>(&self, pairs: &'a [Pair], known: &[bool]) -> Vec<&'a Pair> {
        match self.smallest <= SMALLEST {
            // Of few examples half are enough to begin with: what explains them is tried on the others.
            true if self.is_beginning() => {
                pairs.iter().take(self.smallest.min(pairs.len().div_ceil(2))).collect()
            }
            true => pairs.iter().take(self.smallest).collect(),
            false => {
                let all: Vec<&Pair> = pairs.iter().collect();
                spread_for(&all, SAMPLE, self.round, |word| !knows(known, word as usize))
                    .into_iter()
                    .map(|index| &pairs[index])
                    .collect()
            }
        }
    }

    /// Whether the first stage is not over.
    pub(super) fn is_beginning(&self) -> bool {
        self.smallest == FIRST && !self.done
    }

    pub(super) fn advance(&mut self, settled: usize, sample: usize, all: usize) {
        self.round += 1;
        self.idle = if settled > self.best && settled < sample { 0 } else { self.idle + 1 };
        self.best = self.best.max(settled);
        let revises = self.rounds == REVISED;
        let patience = if settled < sample * 9 / 10 && !revises { 4 } else { 2 };
        if self.idle < patience && self.round < self.rounds {
            return;
        }
        match self.smallest > SMALLEST {
            true => self.done = true,
            false => {
                let smallest = if sample == all { SMALLEST + 1 } else { self.smallest * 2 };
                *self = Schedule { smallest, ..Schedule::default() };
            }
        }
    }
}

/// About `size` examples of all sizes, others in every round, and of each word the smallest that have it.
pub fn spread(pairs: &[&Pair], size: usize, round: usize) -> Vec<usize> {
    spread_for(pairs, size, round, |_| true)
}

/// The same, of the words in question.
fn spread_for(pairs: &[&Pair], size: usize, round: usize, asked: impl Fn(u32) -> bool) -> Vec<usize> {
    let step = pairs.len().div_ceil(size).max(1);
    let mut seen: FxHashMap<u32, usize> = FxHashMap::default();
    let mut wanted = |index: usize| {
        let mut rare = false;
        for &word in pairs[index].words.iter().filter(|word| asked(**word)) {
            let count = seen.entry(word).or_default();
            rare |= *count < OF_EACH_WORD;
            *count += 1;
        }
        rare || index % step == round % step
    };
    (0..pairs.len()).filter(|&index| wanted(index)).collect()
}

/// The examples by which lexicons are judged.
pub(super) fn judges<'a>(pairs: &'a [Pair], known: &[bool]) -> Vec<&'a Pair> {
    let all: Vec<&Pair> = pairs.iter().collect();
    spread_for(&all, JUDGES, 0, |word| !knows(known, word as usize))
        .into_iter()
        .map(|index| &pairs[index])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn pairs(count: usize) -> Vec<Pair> {
        (0..count).map(|number| Pair { words: vec![number as u32], target: Value::Nat(0) }).collect()
    }

    #[test]
    fn learning_begins_with_the_smallest_and_with_half_of_few() {
        let first = |count: usize| Schedule::default().sample(&pairs(count), &[]).len();
        assert_eq!([first(1), first(50), first(256), first(1_000)], [1, 25, 128, 128]);
    }

    #[test]
    fn what_was_left_out_at_first_is_looked_at_later() {
        let (pairs, mut schedule) = (pairs(50), Schedule::default());
        while schedule.is_beginning() {
            schedule.advance(25, 25, 50);
        }
        assert_eq!(schedule.sample(&pairs, &[]).len(), 50);
    }
}
