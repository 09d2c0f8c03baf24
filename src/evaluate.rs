//! Measures a model on examples it was not trained on.

use crate::data::{Dataset, Example};
use crate::model::Model;
use crate::syntax::Workspace;
use rayon::prelude::*;
use serde::Serialize;

/// How a model did on a data set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Examples asked.
    pub examples: usize,
    /// Those answered right.
    pub correct: usize,
    /// Those for which the parser's first tree had no value and another one was used.
    pub retried: usize,
    /// Those without an answer: a word never seen, or no tree with a value.
    pub unanswered: usize,
}

impl Score {
    /// The share answered right, 0 to 1; 1 if nothing was asked.
    pub fn accuracy(&self) -> f64 {
        match self.examples {
            0 => 1.0,
            examples => self.correct as f64 / examples as f64,
        }
    }

    fn add(&mut self, other: &Score) {
        self.examples += other.examples;
        self.correct += other.correct;
        self.retried += other.retried;
        self.unanswered += other.unanswered;
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
    let ask = |workspace: &mut Workspace, example: &Example| ask(model, data, example, workspace);
    let scores: Vec<Score> = data.examples.par_iter().map_init(Workspace::new, ask).collect();
    let mut all = Score::default();
    let mut subsets: Vec<(String, Score)> =
        data.subsets.iter().map(|name| (name.clone(), Score::default())).collect();
    for (score, example) in scores.iter().zip(&data.examples) {
        all.add(score);
        if let Some(subset) = example.subset {
            subsets[usize::from(subset)].1.add(score);
        }
    }
    Scores { all, subsets }
}

fn ask(model: &Model, data: &Dataset, example: &Example, workspace: &mut Workspace) -> Score {
    let symbols = model.symbols(data.input_tokens(example));
    let answer = model.answer(&symbols, workspace);
    let text = answer.gss.value().map(|value| model.text(value));
    Score {
        examples: 1,
        correct: usize::from(text.as_ref().is_some_and(|text| *text == data.output_text(example))),
        retried: usize::from(text.is_some() && answer.retries > 0),
        unanswered: usize::from(text.is_none()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_nothing_is_all() {
        assert_eq!(Score::default().accuracy(), 1.0);
        assert_eq!(Score { examples: 4, correct: 3, ..Score::default() }.accuracy(), 0.75);
    }
}
