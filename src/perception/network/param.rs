//! Weights that are learned, each with the memory of the Adam optimiser.

use crate::adam;
use serde::{Deserialize, Serialize};

/// Weights of one kind. Only they are kept in a file and compared; the rest is scratch of training.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Param {
    pub value: Vec<f32>,
    #[serde(skip)]
    pub gradient: Vec<f32>,
    #[serde(skip)]
    first: Vec<f32>,
    #[serde(skip)]
    second: Vec<f32>,
}

impl PartialEq for Param {
    fn eq(&self, other: &Param) -> bool {
        self.value == other.value
    }
}

impl Param {
    pub fn new(value: Vec<f32>) -> Param {
        Param { value, gradient: Vec::new(), first: Vec::new(), second: Vec::new() }
    }

    pub fn is_sound(&self, count: usize) -> bool {
        self.value.len() == count && self.value.iter().all(|value| value.is_finite())
    }

    pub fn add_gradient(&mut self, part: &[f32]) {
        self.gradient.resize(self.value.len(), 0.0);
        self.gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }

    /// Forgets all but the weights.
    pub fn rest(&mut self) {
        (self.gradient, self.first, self.second) = Default::default();
    }

    /// Moves the weights against the gradient, and forgets it. `rate` has the correction for young means;
    /// `decay` is the share of the weights that is taken away.
    pub fn step(&mut self, rate: f32, decay: f32) {
        let count = self.value.len();
        self.gradient.resize(count, 0.0);
        self.first.resize(count, 0.0);
        self.second.resize(count, 0.0);
        adam::step(&mut self.value, &self.gradient, &mut self.first, &mut self.second, rate, decay);
        self.gradient.fill(0.0);
    }
}
