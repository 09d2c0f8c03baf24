//! How near answers come to what was wanted: BLEU, and what kinds of mistakes there are.

use crate::data::{Dataset, Example};
use crate::model::Model;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// Answers beside what was wanted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// BLEU of all examples together (runs of up to four tokens, with the penalty for brevity), 0 to 1. What is not answered is empty.
    pub bleu: f64,
    /// How many examples of each kind are not right.
    pub mistakes: BTreeMap<Mistake, usize>,
}

/// What is wrong with an answer, as far as its tokens show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mistake {
    /// There is none, and the input has a word never seen.
    UnknownWord,
    /// There is none, though all words are known.
    NoAnswer,
    /// It has the right tokens in another order.
    Order,
    /// One token of it is another: a wrong word, or one that does not agree.
    OneToken,
    /// It has one token or several more or fewer, or other ones.
    Other,
}

impl Mistake {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Mistake::UnknownWord => "a word never seen",
            Mistake::NoAnswer => "no answer",
            Mistake::Order => "another order",
            Mistake::OneToken => "one token is another",
            Mistake::Other => "other",
        }
    }
}

/// The longest runs of tokens that BLEU counts.
const LONGEST: usize = 4;

/// Asks `model` all examples of `data`.
pub fn compare(model: &Model, data: &Dataset) -> Comparison {
    let model = &*model.with_newcomers(data.inputs.names().iter().map(String::as_str));
    let ask = |example: &Example| {
        let symbols = model.symbols(data.input_tokens(example));
        (symbols.iter().any(Option::is_none), model.result_text(&symbols), data.output_text(example))
    };
    let asked: Vec<(bool, Option<String>, String)> = data.examples.par_iter().map(ask).collect();
    let mut bleu = Bleu::default();
    let mut mistakes: BTreeMap<Mistake, usize> = BTreeMap::new();
    for (is_unknown, answer, wanted) in &asked {
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        let said: Option<Vec<&str>> = answer.as_ref().map(|answer| answer.split_whitespace().collect());
        bleu.add(said.as_deref().unwrap_or_default(), &wanted);
        if let Some(mistake) = mistake(said.as_deref(), &wanted, *is_unknown) {
            *mistakes.entry(mistake).or_default() += 1;
        }
    }
    Comparison { bleu: bleu.score(), mistakes }
}

/// What is wrong with an answer; `None` if nothing is.
fn mistake(said: Option<&[&str]>, wanted: &[&str], is_unknown: bool) -> Option<Mistake> {
    let Some(said) = said else {
        return Some(if is_unknown { Mistake::UnknownWord } else { Mistake::NoAnswer });
    };
    let sorted = |tokens: &[&str]| {
        let mut tokens: Vec<String> = tokens.iter().map(|token| (*token).to_owned()).collect();
        tokens.sort_unstable();
        tokens
    };
    let different = said.iter().zip(wanted).filter(|(said, wanted)| said != wanted).count();
    match (said.len() == wanted.len(), different) {
        (true, 0) => None,
        (true, 1) => Some(Mistake::OneToken),
        (true, _) if sorted(said) == sorted(wanted) => Some(Mistake::Order),
        _ => Some(Mistake::Other),
    }
}

/// Runs that answers and what was wanted have in common.
#[derive(Default)]
struct Bleu {
    /// By length, how many runs of answers are wanted, and how many there are.
    runs: [(usize, usize); LONGEST],
    said: usize,
    wanted: usize,
}

impl Bleu {
    fn add(&mut self, said: &[&str], wanted: &[&str]) {
        self.said += said.len();
        self.wanted += wanted.len();
        for (long, (common, all)) in (1..).zip(&mut self.runs) {
            let mut open: BTreeMap<&[&str], usize> = BTreeMap::new();
            wanted.windows(long).for_each(|run| *open.entry(run).or_default() += 1);
            for run in said.windows(long) {
                *all += 1;
                if let Some(left) = open.get_mut(run).filter(|left| **left > 0) {
                    *left -= 1;
                    *common += 1;
                }
            }
        }
    }

    fn score(&self) -> f64 {
        if self.runs.iter().any(|(common, _)| *common == 0) {
            return 0.0;
        }
        let logs: f64 = self.runs.iter().map(|&(common, all)| (common as f64 / all as f64).ln()).sum();
        let brevity = (1.0 - self.wanted as f64 / self.said as f64).min(0.0);
        (brevity + logs / LONGEST as f64).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn mistakes_are_told_apart() {
        let told = |said: &str| mistake(Some(&tokens(said)), &tokens("je suis la"), false);
        assert_eq!(told("je suis la"), None);
        assert_eq!(told("je suis le"), Some(Mistake::OneToken));
        assert_eq!(told("la suis je"), Some(Mistake::Order));
        assert_eq!(told("je suis"), Some(Mistake::Other));
        assert_eq!(mistake(None, &tokens("je"), true), Some(Mistake::UnknownWord));
        assert_eq!(mistake(None, &tokens("je"), false), Some(Mistake::NoAnswer));
    }

    #[test]
    fn bleu_counts_runs_and_brevity() {
        let bleu = |pairs: &[(&str, &str)]| {
            let mut bleu = Bleu::default();
            pairs.iter().for_each(|(said, wanted)| bleu.add(&tokens(said), &tokens(wanted)));
            bleu.score()
        };
        assert!((bleu(&[("a b c d e", "a b c d e")]) - 1.0).abs() < 1e-9);
        // Of five, four, three and two runs 4, 3, 2 and 1 are wanted.
        let expected = (4.0 / 5.0 * 3.0 / 4.0 * 2.0 / 3.0 * 1.0 / 2.0_f64).powf(0.25);
        assert!((bleu(&[("a b c d x", "a b c d e")]) - expected).abs() < 1e-9);
        assert!((bleu(&[("a b c d", "a b c d e")]) - (1.0 - 5.0 / 4.0_f64).exp()).abs() < 1e-9);
        assert!(bleu(&[("a b", "a b")]) == 0.0);
    }
}
