//! Convolution with a square kernel, padded so that a step of 1 keeps the sides.
//!
//! The surroundings of every place of a picture are laid out as a row, so that the whole layer is one product of
//! matrices: rows x weights. On the way back the same rows give the gradient of the weights.

use super::Shape;
use super::param::Param;
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use rand::{Rng, RngExt};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// So many pictures are one portion of work. The number decides the order of sums, so it is the same everywhere.
const PORTION: usize = 4;

thread_local! {
    /// Rows of one picture, kept from one to the next: they are the largest of all tables, and asking for memory
    /// anew each time took longer than the products.
    static ROWS: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

fn with_rows<T>(work: impl FnOnce(&mut Vec<f32>) -> T) -> T {
    ROWS.with(|rows| {
        // While a thread waits for others it may begin another portion, which then needs rows of its own.
        let mut taken = rows.take();
        let result = work(&mut taken);
        rows.replace(taken);
        result
    })
}

/// A layer without a bias, for a normalisation follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Conv {
    pub kernel: usize,
    pub stride: usize,
    pub inputs: usize,
    pub outputs: usize,
    /// A row of `outputs` for each place of the kernel and each input channel.
    pub weights: Param,
}

/// `out = scale * out + a b`, where the matrices have `rows` x `inner` and `inner` x `columns`.
pub(super) fn multiply(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, scale: f32, out: &mut [f32]) {
    let shape = (a.nrows(), b.ncols());
    let mut out = ArrayViewMut2::from_shape(shape, out).expect("sizes fit");
    general_mat_mul(1.0, &a, &b, scale, &mut out);
}

pub(super) fn matrix(rows: usize, columns: usize, values: &[f32]) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((rows, columns), values).expect("sizes fit")
}

/// A matrix of so many columns.
fn table(columns: usize, values: &[f32]) -> ArrayView2<'_, f32> {
    matrix(values.len() / columns, columns, values)
}

impl Conv {
    pub fn new(kernel: usize, stride: usize, inputs: usize, outputs: usize, rng: &mut impl Rng) -> Conv {
        let rows = kernel * kernel * inputs;
        // He et al. 2015: the spread that keeps the scale through rectifiers.
        let spread = (6.0 / rows as f32).sqrt();
        let weights = (0..rows * outputs).map(|_| rng.random_range(-spread..spread)).collect();
        Conv { kernel, stride, inputs, outputs, weights: Param::new(weights) }
    }

    pub fn is_sound(&self, kernel: usize, stride: usize, inputs: usize, outputs: usize) -> bool {
        (self.kernel, self.stride, self.inputs, self.outputs) == (kernel, stride, inputs, outputs)
            && self.weights.is_sound(kernel * kernel * inputs * outputs)
    }

    /// The shape of the output.
    fn after(&self, shape: Shape) -> Shape {
        Shape { side: shape.side.div_ceil(self.stride), channels: self.outputs, ..shape }
    }

    /// The numbers in a row of surroundings.
    fn width(&self) -> usize {
        self.kernel * self.kernel * self.inputs
    }

    pub fn forward(&self, x: &[f32], shape: Shape) -> (Vec<f32>, Shape) {
        let after = self.after(shape);
        let mut out = vec![0.0; after.all()];
        let weights = matrix(self.width(), self.outputs, &self.weights.value);
        let portions = out.par_chunks_mut(PORTION * after.each()).zip(x.par_chunks(PORTION * shape.each()));
        portions.for_each(|(out, x)| {
            let pictures = out.chunks_exact_mut(after.each()).zip(x.chunks_exact(shape.each()));
            with_rows(|rows| {
                for (out, x) in pictures {
                    self.lay_out(x, shape, rows);
                    multiply(table(self.width(), rows), weights, 0.0, out);
                }
            });
        });
        (out, after)
    }

    /// Adds to the gradient of the weights, given that of the output.
    pub fn backward_weights(&mut self, x: &[f32], shape: Shape, gradient: &[f32]) {
        let (width, after) = (self.width(), self.after(shape));
        let portions = x.par_chunks(PORTION * shape.each()).zip(gradient.par_chunks(PORTION * after.each()));
        let part = |(x, gradient): (&[f32], &[f32])| {
            let mut part = vec![0.0; width * self.outputs];
            with_rows(|rows| {
                for (x, gradient) in x.chunks_exact(shape.each()).zip(gradient.chunks_exact(after.each())) {
                    self.lay_out(x, shape, rows);
                    let (rows, gradient) = (table(width, rows), table(self.outputs, gradient));
                    multiply(rows.reversed_axes(), gradient, 1.0, &mut part);
                }
            });
            part
        };
        let parts: Vec<Vec<f32>> = portions.map(part).collect();
        parts.iter().for_each(|part| self.weights.add_gradient(part));
    }

    /// The same, and the gradient of the input.
    pub fn backward(&mut self, x: &[f32], shape: Shape, gradient: &[f32]) -> Vec<f32> {
        self.backward_weights(x, shape, gradient);
        let (width, after) = (self.width(), self.after(shape));
        let mut back = vec![0.0; shape.all()];
        let weights = matrix(width, self.outputs, &self.weights.value);
        let portions =
            back.par_chunks_mut(PORTION * shape.each()).zip(gradient.par_chunks(PORTION * after.each()));
        portions.for_each(|(back, gradient)| {
            let pictures = back.chunks_exact_mut(shape.each()).zip(gradient.chunks_exact(after.each()));
            with_rows(|rows| {
                for (back, gradient) in pictures {
                    rows.resize(after.side * after.side * width, 0.0);
                    multiply(table(self.outputs, gradient), weights.reversed_axes(), 0.0, rows);
                    self.gather(rows, shape, back);
                }
            });
        });
        back
    }

    /// Writes the surroundings of every place of a picture over `rows`.
    fn lay_out(&self, picture: &[f32], shape: Shape, rows: &mut Vec<f32>) {
        rows.clear();
        self.each_strip(shape, |strip| {
            rows.resize(rows.len() + strip.before, 0.0);
            rows.extend_from_slice(&picture[strip.inside.clone()]);
            rows.resize(rows.len() + strip.after, 0.0);
        });
    }

    /// Adds every row's numbers to the places of the picture they came from.
    fn gather(&self, rows: &[f32], shape: Shape, picture: &mut [f32]) {
        let mut from = 0;
        self.each_strip(shape, |strip| {
            from += strip.before;
            let values = &rows[from..from + strip.inside.len()];
            picture[strip.inside.clone()].iter_mut().zip(values).for_each(|(place, value)| *place += value);
            from += strip.inside.len() + strip.after;
        });
    }

    /// Goes through the strips of neighbouring values of which rows are made: one for each place and each row of
    /// the kernel.
    fn each_strip(&self, shape: Shape, mut visit: impl FnMut(Strip)) {
        let Shape { side, channels, .. } = shape;
        let (margin, last) = (self.kernel / 2, side.div_ceil(self.stride));
        let strip = self.kernel * channels;
        for y in 0..last {
            for x in 0..last {
                // Where the kernel begins, counted from the margin.
                let (left, top) = (x * self.stride, y * self.stride);
                let before = margin.saturating_sub(left);
                let after = (left + self.kernel).saturating_sub(side + margin);
                for row in top..top + self.kernel {
                    match row.checked_sub(margin).filter(|&row| row < side) {
                        Some(row) => {
                            let start = (row * side + left + before - margin) * channels;
                            let inside = start..start + (self.kernel - before - after) * channels;
                            visit(Strip { before: before * channels, inside, after: after * channels });
                        }
                        None => visit(Strip { before: strip, inside: 0..0, after: 0 }),
                    }
                }
            }
        }
    }
}

/// Neighbouring values, with zeros where the picture ends.
struct Strip {
    before: usize,
    inside: std::ops::Range<usize>,
    after: usize,
}
