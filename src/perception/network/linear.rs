//! The end of the network: the mean over all places, and a score for each symbol.

use super::Shape;
use super::conv::{matrix, multiply};
use super::param::Param;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// The score of what is never given.
const NEVER: f32 = -1e4;

/// The mean of each channel over a picture.
pub(super) fn pool(x: &[f32], shape: Shape) -> Vec<f32> {
    let mut pooled = vec![0.0; shape.count * shape.channels];
    let share = 1.0 / (shape.side * shape.side) as f32;
    for (means, picture) in pooled.chunks_exact_mut(shape.channels).zip(x.chunks_exact(shape.each())) {
        for place in picture.chunks_exact(shape.channels) {
            means.iter_mut().zip(place).for_each(|(mean, value)| *mean += share * value);
        }
    }
    pooled
}

/// The gradient before [`pool`], given that after it.
pub(super) fn unpool(gradient: &[f32], shape: Shape) -> Vec<f32> {
    let share = 1.0 / (shape.side * shape.side) as f32;
    let places = shape.side * shape.side;
    let rows = gradient.chunks_exact(shape.channels);
    rows.flat_map(|row| std::iter::repeat_n(row, places).flatten().map(|value| share * value)).collect()
}

/// A score for each symbol: weights and a bias.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Linear {
    inputs: usize,
    pub weights: Param,
    pub bias: Param,
}

impl Linear {
    pub fn new(inputs: usize, outputs: usize, rng: &mut impl Rng) -> Linear {
        let spread = (1.0 / inputs as f32).sqrt();
        let weights = (0..inputs * outputs).map(|_| rng.random_range(-spread..spread)).collect();
        Linear { inputs, weights: Param::new(weights), bias: Param::new(vec![0.0; outputs]) }
    }

    /// The same with other outputs: old ones by number, or ones that are never given.
    pub fn with_outputs(&self, kept: &[Option<usize>]) -> Linear {
        let rows = self.weights.value.chunks_exact(self.outputs());
        let weights = rows.flat_map(|row| kept.iter().map(|number| number.map_or(0.0, |number| row[number])));
        let bias = kept.iter().map(|number| number.map_or(NEVER, |number| self.bias.value[number]));
        let (weights, bias) = (weights.collect(), bias.collect());
        Linear { inputs: self.inputs, weights: Param::new(weights), bias: Param::new(bias) }
    }

    pub fn outputs(&self) -> usize {
        self.bias.value.len()
    }

    pub fn is_sound(&self, inputs: usize) -> bool {
        let outputs = self.outputs();
        let sized = self.inputs == inputs && self.weights.is_sound(inputs * outputs);
        sized && self.bias.is_sound(outputs) && outputs > 0
    }

    pub fn forward(&self, x: &[f32], out: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs());
        out.chunks_exact_mut(outputs).for_each(|row| row.copy_from_slice(&self.bias.value));
        multiply(matrix(x.len() / inputs, inputs, x), matrix(inputs, outputs, &self.weights.value), 1.0, out);
    }

    pub fn backward(&mut self, x: &[f32], gradient: &[f32]) -> Vec<f32> {
        let (inputs, outputs) = (self.inputs, self.outputs());
        let count = x.len() / inputs;
        let gradients = matrix(count, outputs, gradient);
        let mut part = vec![0.0; inputs * outputs];
        multiply(matrix(count, inputs, x).reversed_axes(), gradients, 0.0, &mut part);
        self.weights.add_gradient(&part);
        gradient.chunks_exact(outputs).for_each(|row| self.bias.add_gradient(row));
        let mut back = vec![0.0; x.len()];
        multiply(gradients, matrix(inputs, outputs, &self.weights.value).reversed_axes(), 0.0, &mut back);
        back
    }

    pub fn parameters(&mut self, visit: &mut impl FnMut(&mut Param)) {
        visit(&mut self.weights);
        visit(&mut self.bias);
    }
}
