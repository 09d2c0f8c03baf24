//! How far the probabilities of answers can be trusted, and what abstaining buys.

use crate::data::{Dataset, Example};
use crate::model::Model;
use rayon::prelude::*;
use serde::Serialize;

/// Answers with about the same probability.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// How many there are.
    pub answers: usize,
    /// Their mean probability.
    pub probability: f64,
    /// The share of them that is right.
    pub right: f64,
}

/// What is left where answers with a smaller margin are not given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Kept {
    /// The margin: how much more probable an answer is than the next.
    pub margin: f64,
    /// The share of all examples answered.
    pub coverage: f64,
    /// The share right of those answered; 1 if nothing was.
    pub precision: f64,
}

/// Probabilities of answers beside how often these were right.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// Answers by their probability: up to a tenth, up to two tenths, ...
    pub bins: Vec<Bin>,
    /// The mean distance between probability and share of right answers.
    pub error: f64,
    /// The error to be expected by chance of so many answers if each was right as probably as it says.
    pub by_chance: f64,
    /// What other margins give.
    pub kept: Vec<Kept>,
}

const BINS: usize = 10;
/// Of more answers in a bin than this the number that is right is as good as normal.
const MANY: usize = 200;
const MARGINS: [f64; 6] = [0.0, 0.2, 0.5, 0.8, 0.95, 0.99];

/// An answer: its probability, its margin, and whether it is right.
#[derive(Clone, Copy, Debug)]
struct Asked {
    probability: f64,
    margin: f64,
    right: bool,
}

/// Asks `model` all examples of `data`.
pub fn calibration(model: &Model, data: &Dataset) -> Calibration {
    let model = &*model.with_newcomers(data.inputs.names().iter().map(String::as_str));
    let ask = |example: &Example| ask(model, data, example);
    let asked: Vec<Option<Asked>> = data.examples.par_iter().map(ask).collect();
    let answers: Vec<Asked> = asked.iter().flatten().copied().collect();
    let bins: Vec<Bin> = (0..BINS).map(|number| bin(&answers, number)).collect();
    let far = |bin: &Bin| bin.answers as f64 * (bin.probability - bin.right).abs();
    let error = bins.iter().map(far).sum::<f64>() / answers.len().max(1) as f64;
    let by_chance =
        (0..BINS).map(|number| by_chance(&answers, number)).sum::<f64>() / answers.len().max(1) as f64;
    let kept = MARGINS.map(|margin| kept(&answers, margin, data.examples.len())).to_vec();
    Calibration { bins, error, by_chance, kept }
}

fn ask(model: &Model, data: &Dataset, example: &Example) -> Option<Asked> {
    let symbols = model.symbols(data.input_tokens(example));
    let results = model.results(&symbols);
    let (value, probability) = results.first()?;
    let next = results.get(1).map_or(0.0, |(_, probability)| *probability);
    let right = model.text(value) == data.output_text(example);
    Some(Asked { probability: *probability, margin: probability - next, right })
}

fn inside(answers: &[Asked], number: usize) -> Vec<&Asked> {
    let at = |answer: &&Asked| ((answer.probability * BINS as f64) as usize).min(BINS - 1) == number;
    answers.iter().filter(at).collect()
}

/// By how many the right answers of a bin are to be expected to differ from the sum of their probabilities, if these are right: by how probable each number of
/// right answers is, and where there are many, as if it was normal.
fn by_chance(answers: &[Asked], number: usize) -> f64 {
    let each: Vec<f64> =
        inside(answers, number).iter().map(|answer| answer.probability.clamp(0.0, 1.0)).collect();
    let mean: f64 = each.iter().sum();
    if each.len() > MANY {
        return (each.iter().map(|share| share * (1.0 - share)).sum::<f64>() / std::f64::consts::FRAC_PI_2)
            .sqrt();
    }
    let mut right = vec![1.0];
    for share in each {
        right.push(0.0);
        for count in (0..right.len()).rev() {
            let before = if count > 0 { right[count - 1] } else { 0.0 };
            right[count] = right[count] * (1.0 - share) + before * share;
        }
    }
    right.iter().enumerate().map(|(count, share)| share * (count as f64 - mean).abs()).sum()
}

fn bin(answers: &[Asked], number: usize) -> Bin {
    let inside = inside(answers, number);
    let share = |sum: f64| if inside.is_empty() { 0.0 } else { sum / inside.len() as f64 };
    Bin {
        answers: inside.len(),
        probability: share(inside.iter().map(|answer| answer.probability).sum()),
        right: share(inside.iter().filter(|answer| answer.right).count() as f64),
    }
}

fn kept(answers: &[Asked], margin: f64, examples: usize) -> Kept {
    let inside: Vec<&Asked> = answers.iter().filter(|answer| answer.margin >= margin).collect();
    let right = inside.iter().filter(|answer| answer.right).count();
    Kept {
        margin,
        coverage: super::share(inside.len(), examples),
        precision: super::share(right, inside.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_that_are_shares_have_no_error() {
        let answer = |right| Asked { probability: 0.75, margin: 0.5, right };
        let answers = [answer(true), answer(true), answer(true), answer(false)];
        let bin = bin(&answers, 7);
        assert_eq!((bin.answers, bin.probability, bin.right), (4, 0.75, 0.75));
        // One answer is wrong by a quarter or by three; so many as to be normal are wrong by less each.
        assert_eq!(by_chance(&answers[..1], 7), 2.0 * 0.75 * 0.25);
        let [exactly, nearly] = [MANY, MANY + 1].map(|many| by_chance(&vec![answers[0]; many], 7));
        assert!((exactly - nearly).abs() < 0.1, "{exactly} {nearly}");
        assert_eq!(kept(&answers, 0.6, 5), Kept { margin: 0.6, coverage: 0.0, precision: 1.0 });
        assert_eq!(kept(&answers, 0.5, 5), Kept { margin: 0.5, coverage: 0.8, precision: 0.75 });
    }
}
