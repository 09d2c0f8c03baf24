//! First values for words that never stand alone: those that fill the place of a frame may be what the whole comes to; those that fill the
//! same two places, and a function of two arguments, are solved together. Words that are only ever compared are put in an order.

use super::program::{RELATIONS, Relation};
use super::value::Value;
use super::weigh::Example;
use crate::number::expression::{Expression, Fuel};
use crate::number::integer::Integer;
use crate::number::pool::Pool;
use crate::settings::{FEW, LEAST, LONGEST_PART, PASSES};
use crate::stop::Stop;
use crate::symbol::Word;
use crate::values::fit::Random;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Values of some words, to begin with.
pub type Start = Vec<(Word, Value)>;

/// So many starts by results, and of numbers solved together, at most.
const RESULTS: usize = 2;
const STARTS: usize = 4;

/// The words of an input but for those that stand in a gap.
type Frame = Vec<Option<Word>>;

fn frame(example: &Example, is_gap: impl Fn(usize) -> bool) -> Frame {
    let words = example.input.words.iter().enumerate();
    words.map(|(place, &word)| (!is_gap(place)).then_some(word)).collect()
}

/// Examples that are short enough to be frames of parts.
fn short(examples: &[Example]) -> impl Iterator<Item = &Example> {
    examples.iter().filter(|example| (2..=LONGEST_PART).contains(&example.input.len()))
}

/// The frames with one gap, each with the word that stands there, and the result.
fn with_a_gap<'e>(examples: &'e [Example]) -> impl Iterator<Item = (Frame, Word, &'e Value)> {
    let of_one = |example: &'e Example| {
        let words = example.input.words.iter().enumerate();
        words.map(move |(gap, &word)| (frame(example, |place| place == gap), word, &example.value))
    };
    short(examples).flat_map(of_one)
}

/// The fillers of a frame's two places, with the result.
type Pairs<'a> = Vec<(Word, Word, &'a Value)>;

/// Starts worth trying where learning has not got far, the most promising first.
pub fn starts(pool: &Pool, examples: &[Example], stop: Stop<'_>) -> Vec<Start> {
    let frames = frames(examples);
    match examples.first().map(|example| &example.value) {
        Some(Value::Truth(_)) => {
            truths(&frames).into_iter().chain(ranks(&frames)).chain(names(examples)).collect()
        }
        Some(Value::List(_) | Value::Row(_)) => Vec::new(),
        Some(Value::Number(_)) => {
            let solved = numbers(pool, &frames, stop);
            let added = Some(added(examples)).filter(|added| !added.is_empty());
            results(examples).into_iter().chain(solved).chain(names(examples)).chain(added).collect()
        }
        None => Vec::new(),
    }
}

/// The words that fill the one place of a frame, each with the result: `_ minutes`, as if it were the number. Where several words or larger
/// results stand there, the smaller ones are likelier to be what the words mean.
fn results(examples: &[Example]) -> Vec<Start> {
    let mut frames: BTreeMap<Frame, BTreeMap<Word, &Value>> = BTreeMap::new();
    for (frame, word, value) in with_a_gap(examples) {
        frames.entry(frame).or_default().insert(word, value);
    }
    let bits = |fillers: &BTreeMap<Word, &Value>| fillers.values().map(|value| value.bits(0.0)).sum::<f64>();
    let mut frames: Vec<BTreeMap<Word, &Value>> = frames.into_values().collect();
    frames.retain(|fillers| fillers.len() >= LEAST);
    frames.sort_by(|a, b| b.len().cmp(&a.len()).then(bits(a).total_cmp(&bits(b))));
    let most = frames.first().map_or(0, BTreeMap::len);
    let mut many: Vec<&BTreeMap<Word, &Value>> =
        frames.iter().take_while(|fillers| 2 * fillers.len() > most).collect();
    many.sort_by(|a, b| (bits(a) / a.len() as f64).total_cmp(&(bits(b) / b.len() as f64)));
    let start = |fillers: &&BTreeMap<Word, &Value>| {
        fillers.iter().map(|(word, value)| (*word, (*value).clone())).collect()
    };
    many.iter().take(RESULTS).map(start).collect()
}

/// Different numbers for words of one kind: they may be no more than told apart. Words that stand in the same place of a frame are of one kind, and those of the
/// kind with most such places are taken.
fn names(examples: &[Example]) -> Option<Start> {
    let mut frames: BTreeMap<Frame, BTreeSet<Word>> = BTreeMap::new();
    for (frame, word, _) in with_a_gap(examples) {
        frames.entry(frame).or_default().insert(word);
    }
    let mut often: BTreeMap<BTreeSet<Word>, usize> = BTreeMap::new();
    for words in frames.into_values().filter(|words| words.len() > 1) {
        *often.entry(words).or_default() += 1;
    }
    let (words, _) = often.into_iter().max_by_key(|(words, often)| often * words.len())?;
    Some(words.into_iter().zip((1..).map(|number: i64| Value::from(number))).collect())
}

/// What words add to inputs that are examples without them, too: for each word the number that it adds most often, if it does so more than once.
pub fn added(examples: &[Example]) -> Start {
    let number = |example: &Example| Some((example.input.words.clone(), example.value.small()?));
    let known: FxHashMap<Vec<Word>, i64> = examples.iter().filter_map(number).collect();
    let mut added: BTreeMap<Word, BTreeMap<i64, usize>> = BTreeMap::new();
    for example in examples {
        let words = &example.input.words;
        let Some(whole) = example.value.small() else { continue };
        // One of several equal words in a row is as good as another.
        for gap in (0..words.len()).filter(|&gap| gap == 0 || words[gap] != words[gap - 1]) {
            let without = [&words[..gap], &words[gap + 1..]].concat();
            if let Some(more) = known.get(&without).and_then(|rest| whole.checked_sub(*rest)) {
                *added.entry(words[gap]).or_default().entry(more).or_default() += 1;
            }
        }
    }
    let most = |(word, numbers): (Word, BTreeMap<i64, usize>)| {
        let (number, times) = numbers.into_iter().max_by_key(|&(number, times)| (times, number))?;
        (times > 1).then(|| (word, Value::from(number)))
    };
    added.into_iter().filter_map(most).collect()
}

fn frames(examples: &[Example]) -> Vec<Pairs<'_>> {
    let mut frames: BTreeMap<Frame, Pairs<'_>> = BTreeMap::new();
    for example in short(examples) {
        for first in 0..example.input.len() {
            for second in first + 1..example.input.len() {
                let frame = frame(example, |place| place == first || place == second);
                let pair = (example.input.words[first], example.input.words[second], &example.value);
                frames.entry(frame).or_default().push(pair);
            }
        }
    }
    let mut frames: Vec<Pairs<'_>> = frames.into_values().filter(|pairs| pairs.len() >= LEAST).collect();
    frames.sort_by_key(|pairs| std::cmp::Reverse(pairs.len()));
    frames.truncate(FEW);
    frames
}

/// All truth values of the two, three and four words that fill frames most often.
fn truths(frames: &[Pairs<'_>]) -> Vec<Start> {
    let mut often: BTreeMap<Word, usize> = BTreeMap::new();
    for (first, second, _) in frames.iter().flatten() {
        *often.entry(*first).or_default() += 1;
        *often.entry(*second).or_default() += 1;
    }
    let mut often: Vec<(Word, usize)> = often.into_iter().collect();
    often.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut starts = Vec::new();
    for words in [2, 3, 4] {
        let some = often.get(..words).filter(|some| words == 2 || some[words - 1].1 * 2 >= some[0].1);
        for mask in 0..1u32 << some.map_or(0, <[_]>::len) {
            let truth =
                |(number, (word, _)): (usize, &(Word, usize))| (*word, Value::Truth(mask >> number & 1 == 1));
            let start: Start = some.into_iter().flatten().enumerate().map(truth).collect();
            if !start.is_empty() {
                starts.push(start);
            }
        }
    }
    starts
}

/// Rounds of putting words in order.
const SORTED: usize = 6;

/// A pair of a frame, by its number, and whether what it says is true.
type Compared = (usize, Word, Word, bool);

/// Numbers for the words of frames by which they compare as the results say: `is _ older than _`. Which frame says it best shows when all are asked.
fn ranks(frames: &[Pairs<'_>]) -> Option<Start> {
    let sorted = frames.iter().map(|first| sorted(frames, first));
    let (_, ranks) = sorted.rev().max_by_key(|(gain, ranks)| gain - ranks.len() as i64)?;
    Some(ranks.into_iter().map(|(word, rank)| (word, Value::from(rank))).collect())
}

/// Numbers for the words of a frame, the smaller the less often they come first where it is true; and how many pairs of all frames are right with them
/// that would not be if one answer were given to all pairs of a frame.
fn sorted(frames: &[Pairs<'_>], first: &Pairs<'_>) -> (i64, BTreeMap<Word, i64>) {
    let mut wins: BTreeMap<Word, i64> = BTreeMap::new();
    for &(x, y, value) in first {
        let way = if *value == Value::Truth(true) { 1 } else { -1 };
        *wins.entry(x).or_default() += way;
        *wins.entry(y).or_default() -= way;
    }
    let mut words: Vec<Word> = wins.keys().copied().collect();
    words.sort_by_key(|word| wins[word]);
    let mut ranks: BTreeMap<Word, i64> = words.iter().copied().zip((1..).step_by(2)).collect();
    let pairs: Vec<Compared> = frames
        .iter()
        .enumerate()
        .flat_map(|(frame, pairs)| {
            pairs.iter().map(move |&(x, y, value)| (frame, x, y, *value == Value::Truth(true)))
        })
        .filter(|(_, x, y, _)| ranks.contains_key(x) && ranks.contains_key(y))
        .collect();
    for _ in 0..SORTED {
        let relations = relations(&pairs, frames.len(), &ranks);
        for &word in &words {
            move_word(&mut ranks, word, &pairs, &relations);
        }
        ranks = spaced(&ranks);
    }
    let relations = relations(&pairs, frames.len(), &ranks);
    let gain = |frame: usize| {
        let of_frame = || pairs.iter().filter(move |pair| pair.0 == frame);
        let is_true = of_frame().filter(|pair| pair.3).count();
        let right = of_frame().filter(|pair| agrees(pair, &ranks, &relations)).count();
        right as i64 - is_true.max(of_frame().count() - is_true) as i64
    };
    ((0..frames.len()).map(gain).sum(), ranks)
}

fn relations(pairs: &[Compared], frames: usize, ranks: &BTreeMap<Word, i64>) -> Vec<Relation> {
    (0..frames).map(|frame| best_relation(pairs, frame, ranks)).collect()
}

fn agrees((frame, x, y, truth): &Compared, ranks: &BTreeMap<Word, i64>, relations: &[Relation]) -> bool {
    relations[*frame].holds(ranks[x].cmp(&ranks[y])) == *truth
}

/// Gives a word the number with which most of its pairs are right, if it can be one that no other word has.
fn move_word(ranks: &mut BTreeMap<Word, i64>, word: Word, pairs: &[Compared], relations: &[Relation]) {
    let worth = |ranks: &BTreeMap<Word, i64>, rank: i64| {
        let of_word = pairs.iter().filter(|(_, x, y, _)| *x == word || *y == word);
        let is_free = ranks.iter().all(|(&other, &taken)| other == word || taken != rank);
        (of_word.filter(|pair| agrees(pair, ranks, relations)).count(), is_free)
    };
    let before = ranks[&word];
    let mut best = (worth(ranks, before), before);
    for rank in 0..=2 * ranks.len() as i64 {
        ranks.insert(word, rank);
        let found = worth(ranks, rank);
        if found > best.0 {
            best = (found, rank);
        }
    }
    ranks.insert(word, best.1);
}

/// The same order in equal steps. Every second number is left free for what turns out to lie between two others.
fn spaced(ranks: &BTreeMap<Word, i64>) -> BTreeMap<Word, i64> {
    let different: BTreeSet<i64> = ranks.values().copied().collect();
    let steps: BTreeMap<i64, i64> = different.into_iter().zip((1..).step_by(2)).collect();
    ranks.iter().map(|(&word, rank)| (word, steps[rank])).collect()
}

/// The relation that is right for most pairs of a frame.
fn best_relation(pairs: &[Compared], frame: usize, ranks: &BTreeMap<Word, i64>) -> Relation {
    let right = |relation: &Relation| {
        let of_frame = pairs.iter().filter(|pair| pair.0 == frame);
        of_frame.filter(|(_, x, y, truth)| relation.holds(ranks[x].cmp(&ranks[y])) == *truth).count()
    };
    RELATIONS.into_iter().rev().max_by_key(right).unwrap_or(Relation::More)
}

fn numbers(pool: &Pool, frames: &[Pairs<'_>], stop: Stop<'_>) -> Vec<Start> {
    let mut solved: Vec<Solved> =
        frames.par_iter().filter_map(|pairs| Solving::new(pairs)?.solve(pool, stop)).collect();
    let worth = |solved: &Solved| 5.0 * solved.right as f64 - solved.bits;
    solved.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    solved.truncate(STARTS);
    let start = |solved: Solved| {
        let mut start: Start =
            solved.values.into_iter().map(|(word, number)| (word, Value::from(number))).collect();
        start.sort();
        start
    };
    solved.into_iter().map(start).collect()
}

struct Solved {
    right: usize,
    bits: f64,
    values: FxHashMap<Word, i64>,
}

/// A frame whose results are numbers.
struct Solving {
    pairs: Vec<(Word, Word, i64)>,
    words: Vec<Word>,
    range: std::ops::RangeInclusive<i64>,
}

/// Functions tried, the cheapest first, and how dear they may be.
const FUNCTIONS: usize = 80;
const DEAREST: f64 = 16.0;
/// Ways to begin with each.
const BEGINNINGS: u64 = 8;

impl Solving {
    fn new(pairs: &Pairs<'_>) -> Option<Solving> {
        let pairs: Vec<(Word, Word, i64)> = pairs
            .iter()
            .filter_map(|&(first, second, value)| Some((first, second, value.small()?)))
            .collect();
        let mut words: Vec<Word> = pairs.iter().flat_map(|pair| [pair.0, pair.1]).collect();
        words.sort_unstable();
        words.dedup();
        let least = pairs.iter().map(|pair| pair.2).min()?.clamp(-50, 0);
        let most = pairs.iter().map(|pair| pair.2).max()?.clamp(10, 100);
        (words.len() >= 3 && pairs.len() >= words.len()).then_some(Solving {
            pairs,
            words,
            range: least..=most,
        })
    }

    /// The function and the numbers that explain most pairs, if it is most of them.
    fn solve(&self, pool: &Pool, stop: Stop<'_>) -> Option<Solved> {
        let mut best: Option<Solved> = None;
        let mut random = Random(99);
        for term in pool.binary.iter().filter(|term| term.bits < DEAREST).take(FUNCTIONS) {
            for beginning in 0..BEGINNINGS {
                if stop() {
                    return best;
                }
                let values = self.sweep(&term.program, self.begin(beginning, &mut random));
                let right = self.right(&term.program, &values, None);
                let is_better = best
                    .as_ref()
                    .is_none_or(|best| right > best.right || (right == best.right && term.bits < best.bits));
                if values.len() == self.words.len() && 2 * right > self.pairs.len() && is_better {
                    best = Some(Solved { right, bits: term.bits, values });
                }
            }
        }
        best
    }

    fn begin(&self, beginning: u64, random: &mut Random) -> FxHashMap<Word, i64> {
        let results = |word: Word| {
            self.pairs.iter().filter(move |pair| pair.0 == word || pair.1 == word).map(|pair| pair.2)
        };
        match beginning {
            0 => self.words.iter().filter_map(|&word| Some((word, results(word).min()?))).collect(),
            1 => self.words.iter().filter_map(|&word| Some((word, results(word).max()?))).collect(),
            _ => {
                let word = self.words[random.below(self.words.len())];
                let number = 2 * (beginning as i64 - 2) + random.below(2) as i64;
                FxHashMap::from_iter([(word, number)])
            }
        }
    }

    /// Pairs, all or those of one word, that the function explains.
    fn right(&self, function: &Expression, values: &FxHashMap<Word, i64>, of: Option<Word>) -> usize {
        let is_right = |pair: &&(Word, Word, i64)| {
            let (Some(&x), Some(&y)) = (values.get(&pair.0), values.get(&pair.1)) else { return false };
            let arguments = [Integer::from(x), Integer::from(y)];
            let mut fuel = Fuel { steps: 300, ..Fuel::for_learning() };
            function.evaluate(&arguments, &mut fuel) == Some(Integer::from(pair.2))
        };
        let is_asked = |pair: &&(Word, Word, i64)| of.is_none_or(|word| pair.0 == word || pair.1 == word);
        self.pairs.iter().filter(is_asked).filter(is_right).count()
    }

    fn sweep(&self, function: &Expression, mut values: FxHashMap<Word, i64>) -> FxHashMap<Word, i64> {
        for sweep in 0..PASSES {
            let mut changed = false;
            for &word in &self.words {
                changed |= self.improve(function, &mut values, word);
            }
            let is_hopeless = sweep == 1 && self.right(function, &values, None) * 4 < self.pairs.len();
            if !changed || is_hopeless {
                break;
            }
        }
        values
    }

    /// Gives a word the number that explains most, if a word beside it has one.
    fn improve(&self, function: &Expression, values: &mut FxHashMap<Word, i64>, word: Word) -> bool {
        let is_reached = self.pairs.iter().any(|pair| {
            (pair.0 == word && values.contains_key(&pair.1))
                || (pair.1 == word && values.contains_key(&pair.0))
        });
        if !is_reached {
            return false;
        }
        let before = values.get(&word).copied();
        let mut best = before;
        let mut most = if before.is_some() { self.right(function, values, Some(word)) } else { 0 };
        for number in self.range.clone() {
            values.insert(word, number);
            let right = self.right(function, values, Some(word));
            if right > most {
                most = right;
                best = Some(number);
            }
        }
        match best {
            Some(number) => values.insert(word, number),
            None => values.remove(&word),
        };
        best != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::open::WithRuns;

    #[test]
    fn a_word_adds_what_inputs_with_it_come_to_more() {
        let example = |words: &[u32], value: i64| {
            let input = WithRuns::of_words(words.iter().map(|&word| Word(word)).collect());
            Example { input, value: Value::from(value), bits: 10.0 }
        };
        let examples =
            [example(&[7, 1], 101), example(&[7], 100), example(&[7, 1, 1], 102), example(&[8, 1], 6)];
        assert_eq!(added(&examples), [(Word(1), Value::from(1))]);
    }
}
