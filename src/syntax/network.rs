//! The network of the parser: embeddings of classes, one hidden layer, and a score for each transition.
//!
//! With features `c_f`, embeddings `E`, weights `W_f` of each place and `V` of the outputs,
//! `h = max(0, b + Σ_f W_f E[c_f])` and the score of transition `t` is `V_t · h + a_t`; probabilities are over the valid transitions only.

use super::state::{FEATURES, Transition};
use crate::adam;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// Numbers that stand for a class.
const EMBEDDING: usize = 16;
/// Units of the hidden layer.
const HIDDEN: usize = 48;

/// Weights, as rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Network {
    /// For each class [`EMBEDDING`] numbers.
    embeddings: Vec<f32>,
    /// For each feature and embedded number a row of [`HIDDEN`].
    input: Vec<f32>,
    bias: Vec<f32>,
    /// For each output a row of [`HIDDEN`], and its bias.
    output: Vec<f32>,
    output_bias: Vec<f32>,
    /// For each feature and class what it adds to the hidden layer; made when it is first needed.
    #[serde(skip)]
    table: OnceLock<Vec<f32>>,
}

impl PartialEq for Network {
    fn eq(&self, other: &Network) -> bool {
        self.groups().iter().zip(other.groups()).all(|(ours, others)| **ours == *others)
    }
}

/// What one state looks like, and which transition is right there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Example {
    pub(super) features: [u32; FEATURES],
    /// Outputs that are valid.
    pub(super) valid: Vec<usize>,
    /// Which of these is right.
    pub(super) right: usize,
}

impl Network {
    /// Small random weights.
    pub(super) fn new(classes: usize, actions: usize, rng: &mut impl Rng) -> Network {
        let mut random = |number: usize, fan: usize| -> Vec<f32> {
            let scale = (3.0 / fan as f32).sqrt();
            (0..number).map(|_| rng.random_range(-scale..scale)).collect()
        };
        let outputs = actions + 1;
        Network {
            embeddings: random(classes * EMBEDDING, 3),
            input: random(FEATURES * EMBEDDING * HIDDEN, FEATURES * EMBEDDING),
            bias: vec![0.0; HIDDEN],
            output: random(outputs * HIDDEN, HIDDEN),
            output_bias: vec![0.0; outputs],
            table: OnceLock::new(),
        }
    }

    fn groups(&self) -> [&Vec<f32>; 5] {
        [&self.embeddings, &self.input, &self.bias, &self.output, &self.output_bias]
    }

    /// Whether it has weights for so many classes and actions, all of them numbers.
    pub(super) fn is_sound(&self, classes: usize, actions: usize) -> bool {
        let sizes =
            [classes * EMBEDDING, FEATURES * EMBEDDING * HIDDEN, HIDDEN, (actions + 1) * HIDDEN, actions + 1];
        let fits = |(weights, size): (&Vec<f32>, usize)| {
            weights.len() == size && weights.iter().all(|weight| weight.is_finite())
        };
        self.groups().into_iter().zip(sizes).all(fits)
    }

    fn table(&self) -> &[f32] {
        self.table.get_or_init(|| {
            let classes = self.embeddings.len() / EMBEDDING;
            let mut table = vec![0.0; FEATURES * classes * HIDDEN];
            for (cell, sums) in table.chunks_exact_mut(HIDDEN).enumerate() {
                self.add_feature(cell / classes, cell % classes, sums);
            }
            table
        })
    }

    /// Adds what a class at a place adds to the hidden layer.
    fn add_feature(&self, place: usize, class: usize, hidden: &mut [f32]) {
        let embedded = &self.embeddings[class * EMBEDDING..][..EMBEDDING];
        for (number, &value) in embedded.iter().enumerate() {
            add_scaled(hidden, &self.input[(place * EMBEDDING + number) * HIDDEN..][..HIDDEN], value);
        }
    }

    /// The probabilities of valid transitions.
    pub(super) fn probabilities(
        &self,
        features: &[u32; FEATURES],
        possible: &[Transition],
        probabilities: &mut Vec<f32>,
    ) {
        let classes = self.embeddings.len() / EMBEDDING;
        let table = self.table();
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(&self.bias);
        for (place, &class) in features.iter().enumerate() {
            add_scaled(&mut hidden, &table[(place * classes + class as usize) * HIDDEN..][..HIDDEN], 1.0);
        }
        hidden.iter_mut().for_each(|unit| *unit = unit.max(0.0));
        probabilities.clear();
        probabilities.extend(possible.iter().map(|transition| self.score(&hidden, transition.output())));
        softmax(probabilities);
    }

    fn score(&self, hidden: &[f32; HIDDEN], output: usize) -> f32 {
        dot(hidden, &self.output[output * HIDDEN..][..HIDDEN]) + self.output_bias[output]
    }

    /// The hidden layer, without the table: weights change while they are learned.
    fn hidden(&self, features: &[u32; FEATURES]) -> [f32; HIDDEN] {
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(&self.bias);
        for (place, &class) in features.iter().enumerate() {
            self.add_feature(place, class as usize, &mut hidden);
        }
        hidden.iter_mut().for_each(|unit| *unit = unit.max(0.0));
        hidden
    }

    /// Adds the gradient of the cross-entropy of an example, so many times; tells the probability of what is right.
    fn add_gradient(&self, example: &Example, weight: f32, gradient: &mut Network) -> f32 {
        let hidden = self.hidden(&example.features);
        let mut shares: Vec<f32> = example.valid.iter().map(|&output| self.score(&hidden, output)).collect();
        softmax(&mut shares);
        let mut below = [0.0; HIDDEN];
        for (number, (&output, &share)) in example.valid.iter().zip(&shares).enumerate() {
            let error = weight * (share - if number == example.right { 1.0 } else { 0.0 });
            let row = output * HIDDEN..(output + 1) * HIDDEN;
            add_scaled(&mut below, &self.output[row.clone()], error);
            add_scaled(&mut gradient.output[row], &hidden, error);
            gradient.output_bias[output] += error;
        }
        for (below, &unit) in below.iter_mut().zip(&hidden) {
            *below = if unit > 0.0 { *below } else { 0.0 };
        }
        add_scaled(&mut gradient.bias, &below, 1.0);
        for (place, &class) in example.features.iter().enumerate() {
            for number in 0..EMBEDDING {
                let row = (place * EMBEDDING + number) * HIDDEN..(place * EMBEDDING + number + 1) * HIDDEN;
                let at = class as usize * EMBEDDING + number;
                gradient.embeddings[at] += dot(&below, &self.input[row.clone()]);
                add_scaled(&mut gradient.input[row], &below, self.embeddings[at]);
            }
        }
        shares[example.right]
    }

    fn zeros(&self) -> Network {
        let zeros = |weights: &Vec<f32>| vec![0.0; weights.len()];
        Network {
            embeddings: zeros(&self.embeddings),
            input: zeros(&self.input),
            bias: zeros(&self.bias),
            output: zeros(&self.output),
            output_bias: zeros(&self.output_bias),
            table: OnceLock::new(),
        }
    }

    fn groups_mut(&mut self) -> [&mut Vec<f32>; 5] {
        [&mut self.embeddings, &mut self.input, &mut self.bias, &mut self.output, &mut self.output_bias]
    }
}

/// Learns examples by Adam, one batch after the other.
pub(super) struct Learning {
    pub(super) network: Network,
    first: Network,
    second: Network,
    steps: i32,
}

/// The rate of learning.
const RATE: f32 = 0.01;

impl Learning {
    pub(super) fn new(network: Network) -> Learning {
        Learning { first: network.zeros(), second: network.zeros(), network, steps: 0 }
    }

    /// One step on a batch; the smallest probability of what is right in it.
    pub(super) fn step<'a>(&mut self, batch: impl ExactSizeIterator<Item = &'a Example>) -> f32 {
        let weight = 1.0 / batch.len() as f32;
        let mut gradient = self.network.zeros();
        let probabilities = batch.map(|example| self.network.add_gradient(example, weight, &mut gradient));
        let least = probabilities.fold(1.0, f32::min);
        self.steps += 1;
        let rate = RATE * adam::correction(self.steps);
        let moments = self.first.groups_mut().into_iter().zip(self.second.groups_mut());
        let weights = self.network.groups_mut().into_iter().zip(gradient.groups());
        for ((weights, gradient), (first, second)) in weights.zip(moments) {
            adam::step(weights, gradient, first, second, rate, 0.0);
        }
        least
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_scaled(sums: &mut [f32], row: &[f32], factor: f32) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
}

fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.iter_mut().for_each(|score| *score = (*score - most).exp());
    let all: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= all);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn network() -> Network {
        Network::new(4, 2, &mut ChaCha8Rng::seed_from_u64(1))
    }

    fn example(features: [u32; FEATURES], right: usize) -> Example {
        Example { features, valid: vec![0, 2], right }
    }

    /// `loss` is -ln of the probability of what is right.
    fn loss(network: &Network, example: &Example) -> f32 {
        -network.add_gradient(example, 1.0, &mut network.zeros()).ln()
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        let (network, example) = (network(), example([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2], 1));
        let mut gradient = network.zeros();
        network.add_gradient(&example, 1.0, &mut gradient);
        for group in 0..5 {
            for place in (0..network.groups()[group].len()).step_by(37) {
                let nudged = |by: f32| {
                    let mut network = network.clone();
                    network.groups_mut()[group][place] += by;
                    loss(&network, &example)
                };
                let difference = (nudged(1e-3) - nudged(-1e-3)) / 2e-3;
                let exact = gradient.groups()[group][place];
                assert!((difference - exact).abs() < 2e-3, "{group}, {place}: {difference} {exact}");
            }
        }
    }

    #[test]
    fn what_tells_states_apart_is_learned() {
        let examples: Vec<Example> =
            (0..4).map(|class| example([class; FEATURES], class as usize % 2)).collect();
        let mut learning = Learning::new(network());
        let least = (0..100).map(|_| learning.step(examples.iter())).fold(0.0, |_, least| least);
        assert!(least > 0.99, "{least}");
    }

    #[test]
    fn tabulated_sums_are_those_of_the_layer() {
        let (network, example) = (network(), example([3, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2], 0));
        let possible = [Transition::Shift, Transition::Reduce { entry: 0, action: 1, taken: 1 }];
        let mut probabilities = Vec::new();
        network.probabilities(&example.features, &possible, &mut probabilities);
        assert!((probabilities[0].ln() + loss(&network, &example)).abs() < 1e-5);
    }
}
