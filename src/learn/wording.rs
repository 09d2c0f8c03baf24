//! What each thing that speaks for sums of trees counts (see [`crate::theory::wording`]).
//!
//! Weights are learned from results of examples held out, whose words frames have seen and whose outputs they have not: by gradient descent on the
//! bits of the right one among them, with a normal prior around trees alone. Then results are asked for anew, since others may now be among them.

use crate::learn::evidence::Example;
use crate::propose::frames::few_enough;
use crate::settings::ASKED;
use crate::stop::Stop;
use crate::symbol::{Token, Word};
use crate::theory::entry::{Entry, Out};
use crate::theory::knowledge::Knowledge;
use crate::theory::wording::{Costs, TREES, Wording};
use rayon::prelude::*;

/// Passes over all results.
const PASSES: usize = 100;
/// How often lists are made.
const ROUNDS: usize = 3;
/// The length of a first step.
const STEP: f64 = 0.1;
/// How strongly each weight is held: the inverse of the variance of its prior.
const PRIOR: f64 = 1.0;

/// Results of an example: what each costs, and whether it is right.
type Results = Vec<(Costs, bool)>;

/// The knowledge of some examples with what else may speak for its sums, weighed like this.
pub fn worded(mut knowledge: Knowledge, examples: &[Example], weights: Costs, stop: Stop<'_>) -> Knowledge {
    knowledge.wording = Some(wording(examples, weights, stop));
    knowledge
}

/// The same, weighed by examples held out.
pub fn weighed(mut knowledge: Knowledge, held_out: &[Example], stop: Stop<'_>) -> Knowledge {
    let some: Vec<&Example> = held_out.iter().step_by(held_out.len().div_ceil(ASKED).max(1)).collect();
    let mut all: Vec<Results> = vec![Vec::new(); some.len()];
    for _ in 0..ROUNDS {
        all.par_iter_mut().zip(&some).filter(|_| !stop()).for_each(|(known, example)| {
            for result in results(&knowledge, example) {
                if !known.contains(&result) {
                    known.push(result);
                }
            }
        });
        if let Some(wording) = &mut knowledge.wording {
            wording.weights = fitted(&all);
        }
    }
    knowledge
}

fn wording(examples: &[Example], weights: Costs, stop: Stop<'_>) -> Wording {
    let wholes: Vec<_> = examples.iter().map(Example::whole).collect();
    let pair = |whole: &Entry| -> (Vec<Word>, Vec<Token>) {
        (whole.words().collect(), whole.says.iter().copied().filter_map(Out::token).collect())
    };
    Wording::new(&few_enough(&wholes).iter().map(pair).collect::<Vec<_>>(), weights, stop)
}

fn results(knowledge: &Knowledge, example: &Example) -> Results {
    let sums = knowledge.sums(&example.pattern()).into_iter();
    sums.map(|sum| (sum.costs, *sum.tokens == *example.output)).collect()
}

/// Weights with which right results take few bits.
fn fitted(all: &[Results]) -> Costs {
    let telling: Vec<&Results> =
        all.iter().filter(|results| results.iter().any(|(_, is_right)| *is_right)).collect();
    let (mut weights, mut squares) = (TREES, [1e-4; TREES.len()]);
    for results in telling.iter().cycle().take(PASSES * telling.len()) {
        let slopes = slopes(results, &weights);
        for (number, slope) in slopes.into_iter().enumerate() {
            let slope = slope + PRIOR / telling.len() as f64 * (weights[number] - TREES[number]);
            squares[number] += slope * slope;
            weights[number] -= STEP * slope / squares[number].sqrt();
        }
    }
    weights
}

/// By how many bits the right result takes more where a cost counts more.
fn slopes(results: &Results, weights: &Costs) -> Costs {
    let cost = |costs: &Costs| -> f64 { costs.iter().zip(weights).map(|(cost, weight)| cost * weight).sum() };
    let least = results.iter().map(|(costs, _)| cost(costs)).fold(f64::INFINITY, f64::min);
    let shares: Vec<f64> = results.iter().map(|(costs, _)| (least - cost(costs)).exp2()).collect();
    let all: f64 = shares.iter().sum();
    let right: f64 =
        shares.iter().zip(results).filter(|(_, (_, is_right))| *is_right).map(|(share, _)| share).sum();
    let mut slopes = [0.0; TREES.len()];
    for (share, (costs, is_right)) in shares.iter().zip(results) {
        let more = if *is_right { share / right.max(f64::MIN_POSITIVE) } else { 0.0 } - share / all;
        slopes.iter_mut().zip(costs).for_each(|(slope, cost)| *slope += more * cost);
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_right_results_have_less_of_counts() {
        let results = |right: f64, wrong: f64| {
            vec![([3.0, right, 0.0, 0.0, 0.0], true), ([2.0, wrong, 0.0, 0.0, 0.0], false)]
        };
        let weights = fitted(&[results(1.0, 5.0), results(2.0, 4.0), results(0.0, 3.0)]);
        assert!(weights[1] > 0.5 && weights[2] == 0.0, "{weights:?}");
        assert_eq!(fitted(&[vec![([1.0; 5], false)]]), TREES);
    }
}
