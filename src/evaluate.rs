//! Measures a model on examples it was not trained on.

mod calibration;
mod comparison;
#[cfg(feature = "vision")]
mod rows;

pub use calibration::{Bin, Calibration, Kept, calibration};
pub use comparison::{Comparison, Mistake, compare};

#[cfg(feature = "vision")]
pub use rows::{ImageScores, evaluate_images, look};

use crate::data::{Dataset, Example};
use crate::model::Model;
use rayon::prelude::*;
use serde::Serialize;

/// How a model did on a data set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Examples asked.
    pub examples: usize,
    /// Those answered right.
    pub correct: usize,
    /// Those without an answer: a word never seen, or nothing that fits together.
    pub unanswered: usize,
}

impl Score {
    /// One example.
    fn of(answer: Option<String>, wanted: &str) -> Score {
        let correct = usize::from(answer.as_deref() == Some(wanted));
        Score { examples: 1, correct, unanswered: usize::from(answer.is_none()) }
    }

    /// The share answered right, 0 to 1; 1 if nothing was asked.
    pub fn accuracy(&self) -> f64 {
        share(self.correct, self.examples)
    }

    /// The share answered, right or wrong, 0 to 1; 1 if nothing was asked.
    pub fn coverage(&self) -> f64 {
        share(self.answered(), self.examples)
    }

    /// The share right of those answered, 0 to 1; 1 if nothing was answered.
    pub fn precision(&self) -> f64 {
        share(self.correct, self.answered())
    }

    fn answered(&self) -> usize {
        self.examples - self.unanswered
    }

    fn add(&mut self, other: &Score) {
        self.examples += other.examples;
        self.correct += other.correct;
        self.unanswered += other.unanswered;
    }
}

/// How much `part` is of `whole`; of nothing it is all.
fn share(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 1.0,
        whole => part as f64 / whole as f64,
    }
}

/// Scores of a whole data set and of the subsets it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// All examples.
    pub all: Score,
    /// Each subset, in order of first appearance.
    pub subsets: Vec<(String, Score)>,
}

/// Asks `model` all examples of `data`.
pub fn evaluate(model: &Model, data: &Dataset) -> Scores {
    let model = &*model.with_newcomers(data.inputs.names().iter().map(String::as_str));
    let scores: Vec<Score> = data.examples.par_iter().map(|example| ask(model, data, example)).collect();
    add_up(&scores, data.examples.iter().map(|example| example.subset), &data.subsets)
}

fn add_up(scores: &[Score], of: impl Iterator<Item = Option<u16>>, names: &[String]) -> Scores {
    let mut all = Score::default();
    let mut subsets: Vec<(String, Score)> =
        names.iter().map(|name| (name.clone(), Score::default())).collect();
    for (score, subset) in scores.iter().zip(of) {
        all.add(score);
        if let Some(subset) = subset {
            subsets[usize::from(subset)].1.add(score);
        }
    }
    Scores { all, subsets }
}

fn ask(model: &Model, data: &Dataset, example: &Example) -> Score {
    Score::of(model.result_text(&model.symbols(data.input_tokens(example))), &data.output_text(example))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_nothing_is_all() {
        let shares = |score: Score| [score.accuracy(), score.coverage(), score.precision()];
        assert_eq!(shares(Score::default()), [1.0; 3]);
        let score = Score { examples: 8, correct: 3, unanswered: 4 };
        assert_eq!(shares(score), [0.375, 0.5, 0.75]);
        assert_eq!(shares(Score { examples: 1, correct: 0, unanswered: 1 }), [0.0, 0.0, 1.0]);
    }
}
