//! The Adam optimiser (Kingma & Ba 2015) over the scorer's weights.

use super::dense::EMBEDDING;
use super::gradient::Gradient;
use super::scorer::Weights;
use crate::adam::{correction, step};

/// Running means of a gradient and its square.
struct Moments {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Moments {
    fn new(weights: &[f32]) -> Moments {
        Moments { first: vec![0.0; weights.len()], second: vec![0.0; weights.len()] }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        step(weights, gradient, &mut self.first, &mut self.second, rate, 0.0);
    }
}

/// The optimiser's memory.
pub(super) struct Adam {
    rate: f32,
    steps: i32,
    embeddings: Moments,
    hidden: Moments,
    hidden_bias: Moments,
    output: Moments,
    output_bias: Moments,
}

impl Adam {
    /// An optimiser that has seen no gradient yet.
    pub fn new(weights: &Weights, rate: f32) -> Adam {
        Adam {
            rate,
            steps: 0,
            embeddings: Moments::new(&weights.embeddings),
            hidden: Moments::new(&weights.hidden),
            hidden_bias: Moments::new(&weights.hidden_bias),
            output: Moments::new(&weights.output),
            output_bias: Moments::new(&weights.output_bias),
        }
    }

    /// Moves `weights` against `gradient`. Embeddings without a gradient stay where they are.
    pub fn step(&mut self, weights: &mut Weights, gradient: &Gradient) {
        self.steps += 1;
        let rate = self.rate * correction(self.steps);
        for &id in &gradient.touched {
            let place = id as usize * EMBEDDING..(id as usize + 1) * EMBEDDING;
            step(
                &mut weights.embeddings[place.clone()],
                &gradient.embeddings[place.clone()],
                &mut self.embeddings.first[place.clone()],
                &mut self.embeddings.second[place],
                rate,
                0.0,
            );
        }
        self.hidden.step(&mut weights.hidden, &gradient.hidden, rate);
        self.hidden_bias.step(&mut weights.hidden_bias, &gradient.hidden_bias, rate);
        self.output.step(&mut weights.output, &gradient.output, rate);
        self.output_bias.step(&mut weights.output_bias, &gradient.output_bias, rate);
    }
}
