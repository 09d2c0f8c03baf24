//! A residual block: two layers whose result is added to their input.

use super::conv::Conv;
use super::norm::{Norm, NormPass};
use super::param::Param;
use super::{Shape, mask, rectify};
use rand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The block. Where sides or channels change, the input goes through a layer of its own before it is added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Block {
    pub first: Conv,
    pub first_norm: Norm,
    pub second: Conv,
    pub second_norm: Norm,
    pub shortcut: Option<(Conv, Norm)>,
}

/// What the way back needs.
pub(super) struct BlockPass {
    pub input: Vec<f32>,
    before: Shape,
    first: Vec<f32>,
    first_norm: NormPass,
    middle: Vec<f32>,
    second: Vec<f32>,
    second_norm: NormPass,
    shortcut: Option<(Vec<f32>, NormPass)>,
    pub output: Vec<f32>,
    pub after: Shape,
}

impl Block {
    pub fn new(inputs: usize, outputs: usize, stride: usize, rng: &mut impl Rng) -> Block {
        let other = stride != 1 || inputs != outputs;
        Block {
            first: Conv::new(3, stride, inputs, outputs, rng),
            first_norm: Norm::new(outputs),
            second: Conv::new(3, 1, outputs, outputs, rng),
            second_norm: Norm::new(outputs),
            shortcut: other.then(|| (Conv::new(1, stride, inputs, outputs, rng), Norm::new(outputs))),
        }
    }

    pub fn is_sound(&self, inputs: usize, outputs: usize, stride: usize) -> bool {
        let other = stride != 1 || inputs != outputs;
        let shortcut = match &self.shortcut {
            Some((conv, norm)) => {
                other && conv.is_sound(1, stride, inputs, outputs) && norm.is_sound(outputs)
            }
            None => !other,
        };
        let first = self.first.is_sound(3, stride, inputs, outputs) && self.first_norm.is_sound(outputs);
        let second = self.second.is_sound(3, 1, outputs, outputs) && self.second_norm.is_sound(outputs);
        first && second && shortcut
    }

    /// The output when nothing is learned.
    pub fn apply(&self, input: &[f32], before: Shape) -> (Vec<f32>, Shape) {
        let (mut x, after) = self.first.forward(input, before);
        self.first_norm.apply(&mut x);
        rectify(&mut x);
        let (mut x, after) = self.second.forward(&x, after);
        self.second_norm.apply(&mut x);
        match &self.shortcut {
            None => add(&mut x, input),
            Some((conv, norm)) => {
                let (mut other, _) = conv.forward(input, before);
                norm.apply(&mut other);
                add(&mut x, &other);
            }
        }
        rectify(&mut x);
        (x, after)
    }

    pub fn forward(&mut self, input: Vec<f32>, before: Shape) -> BlockPass {
        let (first, after) = self.first.forward(&input, before);
        let (mut middle, first_norm) = self.first_norm.forward(&first);
        rectify(&mut middle);
        let (second, after) = self.second.forward(&middle, after);
        let (mut output, second_norm) = self.second_norm.forward(&second);
        let shortcut = self.shortcut.as_mut().map(|(conv, norm)| {
            let (raw, _) = conv.forward(&input, before);
            let (other, pass) = norm.forward(&raw);
            add(&mut output, &other);
            (raw, pass)
        });
        if shortcut.is_none() {
            add(&mut output, &input);
        }
        rectify(&mut output);
        BlockPass { input, before, first, first_norm, middle, second, second_norm, shortcut, output, after }
    }

    /// The gradient of the input, given that of the output; adds to those of the weights.
    pub fn backward(&mut self, pass: &BlockPass, mut gradient: Vec<f32>) -> Vec<f32> {
        mask(&mut gradient, &pass.output);
        let second = self.second_norm.backward(&pass.second, &pass.second_norm, &gradient);
        let mut middle = self.second.backward(&pass.middle, pass.after, &second);
        mask(&mut middle, &pass.middle);
        let first = self.first_norm.backward(&pass.first, &pass.first_norm, &middle);
        let mut back = self.first.backward(&pass.input, pass.before, &first);
        match (&mut self.shortcut, &pass.shortcut) {
            (Some((conv, norm)), Some((raw, norm_pass))) => {
                let other = norm.backward(raw, norm_pass, &gradient);
                add(&mut back, &conv.backward(&pass.input, pass.before, &other));
            }
            _ => add(&mut back, &gradient),
        }
        back
    }

    pub fn parameters(&mut self, visit: &mut impl FnMut(&mut Param)) {
        visit(&mut self.first.weights);
        self.first_norm.parameters(visit);
        visit(&mut self.second.weights);
        self.second_norm.parameters(visit);
        if let Some((conv, norm)) = &mut self.shortcut {
            visit(&mut conv.weights);
            norm.parameters(visit);
        }
    }
}

fn add(sum: &mut [f32], other: &[f32]) {
    sum.par_chunks_mut(1 << 14).zip(other.par_chunks(1 << 14)).for_each(|(sum, other)| {
        sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
    });
}
