//! How well a result words its input, beyond the trees that give it.
//!
//! Where frames are only reliable, trees of many inputs put together what nobody says: `je suis je ne suis pas`. Two things tell that no frame does: how likely
//! tokens follow one another in outputs (runs of three, with what a part of them shows where they are rare, as Kneser and Ney 1995 weigh it), and whether all words of the input and
//! all tokens of the result account for each other ([`super::brought`], both ways). What each of these counts, beside the sum of all trees, is
//! learned: together they are a log-linear model of results (Och and Ney 2002).

use super::brought::brought;
use super::in_order;
use super::scorer::{END, NO, Run, runs};
use crate::stop::Stop;
use crate::symbol::{Token, Word};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::Range;

/// What a result costs: by its trees, by what follows what, a token, by what words bring its tokens, and by what its tokens bring the words.
pub type Costs = [f64; 5];

/// Only trees count.
pub const TREES: Costs = [1.0, 0.0, 0.0, 0.0, 0.0];
/// Nothing is less probable to be brought.
const LEAST: f64 = 1e-5;
/// Less is not kept.
const KEPT: f64 = 1e-4;

/// How probable it is that something, or nothing, brings something.
type Brought<A, B> = FxHashMap<(Option<A>, B), f32>;

/// What speaks for results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wording {
    /// What each cost counts.
    pub weights: Costs,
    follows: Follows,
    #[serde(serialize_with = "in_order")]
    said: Brought<Word, Token>,
    #[serde(serialize_with = "in_order")]
    meant: Brought<Token, Word>,
}

/// How probable it is that a token follows others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(Run, u32)>", into = "Vec<(Run, u32)>")]
struct Follows {
    /// How often tokens stand side by side, in order.
    runs: Vec<(Run, u32)>,
    /// By the number of tokens before the last one of a run.
    levels: [Level; 3],
}

/// Runs of one length.
#[derive(Clone, Debug, Default, PartialEq)]
struct Level {
    /// How often they are there: of runs that others end with, behind how many different tokens.
    runs: FxHashMap<Run, f64>,
    /// By what they begin with, how often any is there, and how many different ones are.
    begins: FxHashMap<[Token; 2], (f64, f64)>,
    /// How many are there once, and twice.
    few: [f64; 2],
}

impl Level {
    fn add(&mut self, run: Run, times: f64) {
        let known = self.runs.entry(run).or_default();
        let before = std::mem::replace(known, *known + times);
        let (all, kinds) = self.begins.entry([run[0], run[1]]).or_default();
        *all += times;
        *kinds += f64::from(before == 0.0);
        for (few, number) in self.few.iter_mut().zip([1.0, 2.0]) {
            *few += f64::from(before + times == number) - f64::from(before == number);
        }
    }

    /// What is taken from each for those that are not there: so much less often is a run expected in other outputs.
    fn less(&self) -> f64 {
        self.few[0] / f64::max(self.few[0] + 2.0 * self.few[1], 1.0)
    }
}

impl From<Vec<(Run, u32)>> for Follows {
    fn from(runs: Vec<(Run, u32)>) -> Follows {
        let mut levels: [Level; 3] = Default::default();
        for &(run @ [first, second, last], times) in &runs {
            match first == NO {
                true => levels[0].add([NO, NO, last], 1.0),
                false => levels[2].add(run, f64::from(times)),
            }
            match (first == NO, second == END) {
                // Nothing is before an output.
                (true, true) => levels[1].add(run, f64::from(times)),
                (true, false) => {}
                (false, _) => levels[1].add([NO, second, last], 1.0),
            }
        }
        Follows { runs, levels }
    }
}

impl From<Follows> for Vec<(Run, u32)> {
    fn from(follows: Follows) -> Vec<(Run, u32)> {
        follows.runs
    }
}

impl Follows {
    /// What a token costs behind these, of which there may be less than two.
    fn bits(&self, before: &[Token], token: Token) -> f64 {
        let mut share = 1.0 / (self.levels[0].runs.len() + 1) as f64;
        for (known, level) in self.levels.iter().enumerate().take(before.len() + 1) {
            let mut run = [NO, NO, token];
            run[2 - known..2].copy_from_slice(&before[before.len() - known..]);
            let Some((all, kinds)) = level.begins.get(&run[..2]) else { break };
            let times = level.runs.get(&run).copied().unwrap_or(0.0);
            share = ((times - level.less()).max(0.0) + level.less() * kinds * share) / all;
        }
        -share.max(f64::MIN_POSITIVE).log2()
    }
}

impl Wording {
    /// What inputs and outputs show, with these weights.
    pub fn new(examples: &[(Vec<Word>, Vec<Token>)], weights: Costs, stop: Stop<'_>) -> Wording {
        let mut counted: BTreeMap<Run, u32> = BTreeMap::new();
        for run in examples.iter().flat_map(|(_, output)| runs(output, true)) {
            *counted.entry(run).or_default() += 1;
        }
        let forth: Vec<_> = examples.iter().map(|(input, output)| (or_none(input), output.clone())).collect();
        let back: Vec<_> = examples.iter().map(|(input, output)| (or_none(output), input.clone())).collect();
        let follows = Follows::from(counted.into_iter().collect::<Vec<_>>());
        let (said, meant) = (kept(brought(&forth, stop)), kept(brought(&back, stop)));
        Wording { weights, follows, said, meant }
    }

    /// Whether all of it is numbers.
    pub fn is_sound(&self) -> bool {
        let shares = self.said.values().chain(self.meant.values());
        self.weights.iter().all(|weight| weight.is_finite())
            && self.follows.runs.iter().all(|(_, times)| *times > 0)
            && shares.into_iter().all(|share| (0.0..=1.0).contains(share))
    }

    /// What the tokens of a whole output, or of a part of one, cost by what follows what.
    fn fluency(&self, tokens: &[Token], is_whole: bool) -> f64 {
        let ends = usize::from(is_whole);
        let all: Vec<Token> = match is_whole {
            true => [&[END], tokens, &[END]].concat(),
            false => tokens.to_vec(),
        };
        (ends..all.len()).map(|at| self.follows.bits(&all[at.saturating_sub(2)..at], all[at])).sum()
    }

    /// What an input says, to be asked of many of its results.
    pub fn of<'w>(&'w self, input: &'w [Word]) -> Asked<'w> {
        Asked { wording: self, input, columns: FxHashMap::default() }
    }

    /// The costs together.
    pub fn weigh(&self, costs: &Costs) -> f64 {
        self.weights.iter().zip(costs).map(|(weight, cost)| weight * cost).sum()
    }
}

/// The wording of results of one input.
pub struct Asked<'w> {
    wording: &'w Wording,
    input: &'w [Word],
    /// For each token and each word of the input how probable it is that the word brings the token, all words before included, and that the token brings the word.
    columns: FxHashMap<Token, Vec<(f64, f64)>>,
}

impl Asked<'_> {
    /// What it costs that a span of the input says these tokens, for which trees cost so much.
    pub fn costs(&mut self, span: Range<usize>, tokens: &[Token], trees: f64) -> Costs {
        let Asked { wording, input, columns } = self;
        let alone = |word: Word| f64::from(wording.meant.get(&(None, word)).copied().unwrap_or(0.0));
        let mut words: Vec<f64> = input[span.clone()].iter().map(|&word| alone(word)).collect();
        let mut said = 0.0;
        for &token in tokens {
            let column = columns.entry(token).or_insert_with(|| wording.column(input, token));
            let share = f64::from(wording.said.get(&(None, token)).copied().unwrap_or(0.0));
            let before = span.start.checked_sub(1).map_or(0.0, |at| column[at].0);
            said += bits((share + column[span.end - 1].0 - before) / (span.len() + 1) as f64);
            words.iter_mut().zip(&column[span.clone()]).for_each(|(word, (_, meant))| *word += meant);
        }
        let meant = words.into_iter().map(|share| bits(share / (tokens.len() + 1) as f64)).sum();
        let is_whole = span.len() == input.len();
        [trees, wording.fluency(tokens, is_whole), tokens.len() as f64, said, meant]
    }
}

impl Wording {
    fn column(&self, input: &[Word], token: Token) -> Vec<(f64, f64)> {
        let mut all = 0.0;
        let cell = |&word: &Word| {
            all += f64::from(self.said.get(&(Some(word), token)).copied().unwrap_or(0.0));
            (all, f64::from(self.meant.get(&(Some(token), word)).copied().unwrap_or(0.0)))
        };
        input.iter().map(cell).collect()
    }
}

fn bits(share: f64) -> f64 {
    -share.max(LEAST).log2()
}

/// Those that are worth keeping.
fn kept<A: Eq + Hash, B: Eq + Hash>(shares: FxHashMap<(A, B), f64>) -> FxHashMap<(A, B), f32> {
    let much = shares.into_iter().filter(|(_, share)| *share >= KEPT);
    much.map(|(pair, share)| (pair, share as f32)).collect()
}

fn or_none<T: Copy>(things: &[T]) -> Vec<Option<T>> {
    things.iter().copied().map(Some).chain([None]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Word> {
        text.bytes().map(|byte| Word(u32::from(byte))).collect()
    }

    fn tokens(text: &str) -> Vec<Token> {
        text.bytes().map(|byte| Token(u32::from(byte))).collect()
    }

    #[test]
    fn a_result_that_says_all_words_and_reads_like_an_output_costs_least() {
        let pairs =
            [("iah.", "JSH."), ("iat.", "JST."), ("yah.", "TEH."), ("yad.", "TED."), ("ind.", "JNSPD.")];
        let examples: Vec<_> = pairs.iter().map(|(input, output)| (words(input), tokens(output))).collect();
        let wording = Wording::new(&examples, [1.0; 5], Stop::never());
        let bytes = postcard::to_allocvec(&wording).unwrap();
        assert_eq!(postcard::from_bytes::<Wording>(&bytes).unwrap(), wording);
        let input = words("iad.");
        let mut asked = wording.of(&input);
        let mut costs = |said: &str| asked.costs(0..4, &tokens(said), 0.0);
        let right = costs("JSD.");
        // Another order, a word left out, and one word said twice.
        assert!(right[1] < costs("SJD.")[1] && right[4] < costs("JS.")[4] && right[3] < costs("JSDH.")[3]);
        assert_eq!(asked.costs(2..3, &tokens("D"), 7.0)[0], 7.0);
    }
}
