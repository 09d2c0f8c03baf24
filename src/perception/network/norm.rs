//! Batch normalisation: each channel is brought to mean 0 and variance 1 over the batch, then scaled and shifted.

use super::param::Param;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

const EPSILON: f64 = 1e-5;
/// How much of the running means the latest batch is.
const MOMENTUM: f32 = 0.1;
/// So many places are one portion of work: the order of sums depends on it.
const PORTION: usize = 1 << 9;

/// The layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Norm {
    pub scale: Param,
    pub shift: Param,
    /// Means over batches, for use when nothing is learned.
    pub mean: Vec<f32>,
    pub variance: Vec<f32>,
}

/// What the way back needs.
pub(super) struct NormPass {
    mean: Vec<f32>,
    /// One over the standard deviation.
    inverse: Vec<f32>,
}

impl Norm {
    pub fn new(channels: usize) -> Norm {
        Norm {
            scale: Param::new(vec![1.0; channels]),
            shift: Param::new(vec![0.0; channels]),
            mean: vec![0.0; channels],
            variance: vec![1.0; channels],
        }
    }

    pub fn is_sound(&self, channels: usize) -> bool {
        let finite =
            |values: &[f32]| values.len() == channels && values.iter().all(|value| value.is_finite());
        let params = self.scale.is_sound(channels) && self.shift.is_sound(channels);
        params
            && finite(&self.mean)
            && finite(&self.variance)
            && self.variance.iter().all(|&value| value >= 0.0)
    }

    /// Normalises by the running means.
    pub fn apply(&self, x: &mut [f32]) {
        let factor = self.running_factors();
        x.par_chunks_mut(PORTION * self.mean.len()).for_each(|x| {
            for place in x.chunks_exact_mut(factor.len()) {
                for channel in 0..factor.len() {
                    place[channel] =
                        (place[channel] - self.mean[channel]) * factor[channel] + self.shift.value[channel];
                }
            }
        });
    }

    /// What each channel is multiplied by when nothing is learned.
    pub fn running_factors(&self) -> Vec<f32> {
        let inverse: Vec<f32> = self.variance.iter().map(|&variance| invert(f64::from(variance))).collect();
        self.factors(&inverse)
    }

    fn factors(&self, inverse: &[f32]) -> Vec<f32> {
        inverse.iter().zip(&self.scale.value).map(|(inverse, scale)| inverse * scale).collect()
    }

    /// Normalises by the means of the batch, and remembers them.
    pub fn forward(&mut self, x: &[f32]) -> (Vec<f32>, NormPass) {
        let count = (x.len() / self.mean.len()) as f64;
        let mean: Vec<f64> = self.sums(x, |value, _| value).iter().map(|sum| sum / count).collect();
        let centre: Vec<f32> = mean.iter().map(|&mean| mean as f32).collect();
        let squares = self.sums(x, |value, channel| (value - centre[channel]).powi(2));
        let variance: Vec<f64> = squares.iter().map(|sum| sum / count).collect();
        let remember = |running: &mut f32, latest: f64| *running += MOMENTUM * (latest as f32 - *running);
        self.mean.iter_mut().zip(&mean).for_each(|(running, &latest)| remember(running, latest));
        self.variance.iter_mut().zip(&variance).for_each(|(running, &latest)| remember(running, latest));
        let pass =
            NormPass { mean: centre, inverse: variance.iter().map(|&variance| invert(variance)).collect() };
        (self.transform(x, &pass), pass)
    }

    fn transform(&self, x: &[f32], pass: &NormPass) -> Vec<f32> {
        let (factor, channels) = (self.factors(&pass.inverse), self.mean.len());
        let mut out = vec![0.0; x.len()];
        let portions = out.par_chunks_mut(PORTION * channels).zip(x.par_chunks(PORTION * channels));
        portions.for_each(|(out, x)| {
            for (out, x) in out.chunks_exact_mut(channels).zip(x.chunks_exact(channels)) {
                for channel in 0..channels {
                    out[channel] =
                        (x[channel] - pass.mean[channel]) * factor[channel] + self.shift.value[channel];
                }
            }
        });
        out
    }

    /// The gradient of the input, given that of the output.
    ///
    /// With n the number of places, g the gradient and x' the normalised input:
    /// dx = scale / deviation * (g - mean of g - x' * mean of g x').
    pub fn backward(&mut self, x: &[f32], pass: &NormPass, gradient: &[f32]) -> Vec<f32> {
        let channels = self.mean.len();
        let count = (x.len() / channels) as f32;
        let normal = |value: f32, channel: usize| (value - pass.mean[channel]) * pass.inverse[channel];
        let shift: Vec<f32> = self.sums(gradient, |value, _| value).iter().map(|&sum| sum as f32).collect();
        let scale = self.pair_sums(x, gradient, normal);
        self.shift.add_gradient(&shift);
        self.scale.add_gradient(&scale);
        let mut back = vec![0.0; x.len()];
        let size = PORTION * channels;
        let portions = back.par_chunks_mut(size).zip(x.par_chunks(size)).zip(gradient.par_chunks(size));
        portions.for_each(|((back, x), gradient)| {
            let places = back
                .chunks_exact_mut(channels)
                .zip(x.chunks_exact(channels))
                .zip(gradient.chunks_exact(channels));
            for ((back, x), gradient) in places {
                for channel in 0..channels {
                    let mean = (shift[channel] + normal(x[channel], channel) * scale[channel]) / count;
                    back[channel] =
                        self.scale.value[channel] * pass.inverse[channel] * (gradient[channel] - mean);
                }
            }
        });
        back
    }

    /// The sum of `part` over all places, for each channel.
    fn sums(&self, x: &[f32], part: impl Fn(f32, usize) -> f32 + Sync) -> Vec<f64> {
        let channels = self.mean.len();
        let portions = x.par_chunks(PORTION * channels).map(|x| {
            let mut sums = vec![0.0f32; channels];
            for place in x.chunks_exact(channels) {
                for channel in 0..channels {
                    sums[channel] += part(place[channel], channel);
                }
            }
            sums
        });
        total(&portions.collect::<Vec<_>>(), channels)
    }

    /// The sum of the gradient times the normalised input, for each channel.
    fn pair_sums(&self, x: &[f32], gradient: &[f32], normal: impl Fn(f32, usize) -> f32 + Sync) -> Vec<f32> {
        let channels = self.mean.len();
        let size = PORTION * channels;
        let portions = x.par_chunks(size).zip(gradient.par_chunks(size)).map(|(x, gradient)| {
            let mut sums = vec![0.0f32; channels];
            for (x, gradient) in x.chunks_exact(channels).zip(gradient.chunks_exact(channels)) {
                for channel in 0..channels {
                    sums[channel] += normal(x[channel], channel) * gradient[channel];
                }
            }
            sums
        });
        total(&portions.collect::<Vec<_>>(), channels).iter().map(|&sum| sum as f32).collect()
    }

    pub fn parameters(&mut self, visit: &mut impl FnMut(&mut Param)) {
        visit(&mut self.scale);
        visit(&mut self.shift);
    }
}

fn invert(variance: f64) -> f32 {
    (1.0 / (variance + EPSILON).sqrt()) as f32
}

/// Sums of portions, in their order.
fn total(portions: &[Vec<f32>], channels: usize) -> Vec<f64> {
    let mut total = vec![0.0; channels];
    for portion in portions {
        total.iter_mut().zip(portion).for_each(|(total, &part)| *total += f64::from(part));
    }
    total
}
