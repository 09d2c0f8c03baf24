//! A residual network from pictures to symbols, on the CPU or, with the feature `cuda`, on a graphics card.
//!
//! In: grey pictures of one size. Out: a score for each symbol, and before that a list of numbers that tell what the
//! picture is like ([`Network::features`]). [`Config`] says how large it is: [`Config::small`] is for CPUs,
//! [`Config::resnet18`] the paper's. Layers are in one file each; all arithmetic is ours but the products of matrices.
//! Work is split by pictures in portions of fixed size and sums are made in their order, so that the number of
//! threads never shows.

mod augment;
mod block;
mod contrast;
mod conv;
#[cfg(feature = "cuda")]
pub mod cuda;
mod learn;
mod linear;
mod norm;
mod param;
mod processor;
mod safetensors;

pub use augment::{Augment, Move};
pub use learn::{Lesson, Schedule, Taught};
pub use processor::Processor;

use crate::stop::Stop;
use block::{Block, BlockPass};
use conv::Conv;
use linear::{Linear, pool, unpool};
use norm::{Norm, NormPass};
use param::Param;
use rand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// So many pictures are worked on at a time when nothing is learned.
const BATCH: usize = 16;

/// Sizes of the values between two layers; they lie picture by picture, row by row, channels last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    count: usize,
    side: usize,
    channels: usize,
}

impl Shape {
    /// The values of one picture.
    fn each(self) -> usize {
        self.side * self.side * self.channels
    }

    fn all(self) -> usize {
        self.count * self.each()
    }
}

/// How large a network is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// Pixels in a row and in a column.
    pub side: usize,
    /// The step of the first layer: 2 halves the sides at once.
    pub stride: usize,
    /// Channels of each stage; each but the first halves the sides.
    #[serde(deserialize_with = "crate::few::few::<_, _, 256>")]
    pub widths: Vec<usize>,
    /// Blocks of two layers in each stage.
    pub blocks: usize,
}

impl Config {
    /// A network for CPUs: a few hundred thousand weights.
    pub fn small(side: usize) -> Config {
        Config { side, stride: 2, widths: vec![16, 32, 64], blocks: 1 }
    }

    /// ResNet-18 for small pictures, as in the paper.
    pub fn resnet18(side: usize) -> Config {
        Config { side, stride: 1, widths: vec![64, 128, 256, 512], blocks: 2 }
    }

    /// The length of [`Network::features`].
    pub fn features(&self) -> usize {
        self.widths.last().copied().unwrap_or(1)
    }
}

/// A network with its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Network {
    config: Config,
    stem: Conv,
    norm: Norm,
    #[serde(deserialize_with = "crate::few::few::<_, _, 256>")]
    blocks: Vec<Block>,
    output: Linear,
}

/// Numbers of a network, as other programs take them.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor<'a> {
    /// Such as `blocks.0.first.weight`.
    pub name: String,
    /// Sizes, in PyTorch's order: convolutions have outputs, inputs, rows and columns.
    pub shape: Vec<usize>,
    /// The numbers, the last size first to change.
    pub values: Cow<'a, [f32]>,
}

/// What a training pass remembers for the way back.
struct Pass {
    input: Vec<f32>,
    shape: Shape,
    stem: Vec<f32>,
    norm: NormPass,
    blocks: Vec<BlockPass>,
    /// The shape after the last block.
    last: Shape,
    pooled: Vec<f32>,
}

impl Network {
    /// A network that has learned nothing, for so many symbols.
    pub fn new(config: Config, symbols: usize, rng: &mut impl Rng) -> Network {
        let first = config.widths.first().copied().unwrap_or(1);
        let mut inputs = first;
        let mut blocks = Vec::new();
        for (stage, &width) in config.widths.iter().enumerate() {
            for number in 0..config.blocks {
                let stride = if stage > 0 && number == 0 { 2 } else { 1 };
                blocks.push(Block::new(inputs, width, stride, rng));
                inputs = width;
            }
        }
        Network {
            stem: Conv::new(3, config.stride, 1, first, rng),
            norm: Norm::new(first),
            blocks,
            output: Linear::new(config.features(), symbols, rng),
            config,
        }
    }

    /// The same network with a new last layer, for so many symbols.
    pub fn with_symbols(mut self, symbols: usize, rng: &mut impl Rng) -> Network {
        self.output = Linear::new(self.config.features(), symbols, rng);
        self
    }

    /// The same network, whose outputs are those numbered `kept`; it never gives one that is `None`.
    pub fn with_outputs(mut self, kept: &[Option<usize>]) -> Network {
        self.output = self.output.with_outputs(kept);
        self
    }

    /// How large it is.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// How many symbols it tells apart.
    pub fn symbols(&self) -> usize {
        self.output.outputs()
    }

    /// Whether all weights are there and finite: what a file says of itself must be checked.
    pub fn is_sound(&self) -> bool {
        let Config { side, stride, widths, blocks } = &self.config;
        let sane = (1..=1024).contains(side) && (1..=2).contains(stride) && (1..=4).contains(blocks);
        if !sane
            || widths.is_empty()
            || widths.len() > 5
            || widths.iter().any(|width| !(1..=1024).contains(width))
        {
            return false;
        }
        let Some(&first) = widths.first() else { return false };
        let mut inputs = first;
        let mut sound = self.stem.is_sound(3, *stride, 1, first) && self.norm.is_sound(first);
        sound &= self.blocks.len() == widths.len() * blocks;
        for (number, block) in self.blocks.iter().enumerate() {
            let width = widths[number / blocks];
            let stride = if number >= *blocks && number % blocks == 0 { 2 } else { 1 };
            sound = sound && block.is_sound(inputs, width, stride);
            inputs = width;
        }
        sound && self.output.is_sound(inputs)
    }

    /// The probability of each symbol for each picture, one row of [`symbols`](Network::symbols) numbers each.
    /// `pixels` are whole pictures, one after the other.
    pub fn predict(&self, pixels: &[u8]) -> Vec<f32> {
        self.predict_until(pixels, Stop::never())
    }

    /// The same; after a stop the pictures that are left have no probability of anything.
    pub(crate) fn predict_until(&self, pixels: &[u8], stop: Stop<'_>) -> Vec<f32> {
        let symbols = self.symbols();
        self.over(pixels, symbols, stop, |features, out| {
            self.output.forward(features, out);
            out.chunks_exact_mut(symbols).for_each(softmax);
        })
    }

    /// What each picture is like, a row of numbers each; pictures that look alike have similar rows.
    pub fn features(&self, pixels: &[u8]) -> Vec<f32> {
        self.features_until(pixels, Stop::never())
    }

    /// The same; after a stop the rows that are left are zero.
    pub(crate) fn features_until(&self, pixels: &[u8], stop: Stop<'_>) -> Vec<f32> {
        self.over(pixels, self.config.features(), stop, |features, out| out.copy_from_slice(features))
    }

    /// Gathers `width` numbers for each picture from its features.
    fn over(
        &self,
        pixels: &[u8],
        width: usize,
        stop: Stop<'_>,
        finish: impl Fn(&[f32], &mut [f32]) + Sync,
    ) -> Vec<f32> {
        let area = self.config.side * self.config.side;
        let mut out = vec![0.0; pixels.len() / area * width];
        let portions = out.par_chunks_mut(BATCH * width).zip(pixels.par_chunks(BATCH * area));
        portions.filter(|_| !stop()).for_each(|(out, pixels)| {
            let input: Vec<f32> = pixels.iter().map(|&pixel| shade(pixel)).collect();
            finish(&self.pooled(input), out);
        });
        out
    }

    /// The features of a few pictures, as learned: with running means instead of those of the batch.
    fn pooled(&self, input: Vec<f32>) -> Vec<f32> {
        let shape = self.input_shape(input.len());
        let (mut x, mut shape) = self.stem.forward(&input, shape);
        self.norm.apply(&mut x);
        rectify(&mut x);
        for block in &self.blocks {
            (x, shape) = block.apply(&x, shape);
        }
        pool(&x, shape)
    }

    fn input_shape(&self, values: usize) -> Shape {
        let side = self.config.side;
        Shape { count: values / (side * side), side, channels: 1 }
    }

    /// The scores of a batch that is being learned, and what the way back needs.
    fn forward(&mut self, input: Vec<f32>) -> (Vec<f32>, Pass) {
        let shape = self.input_shape(input.len());
        let (stem, mut next) = self.stem.forward(&input, shape);
        let (mut x, norm) = self.norm.forward(&stem);
        rectify(&mut x);
        let mut blocks = Vec::with_capacity(self.blocks.len());
        for block in &mut self.blocks {
            let pass = block.forward(x, next);
            (x, next) = (pass.output.clone(), pass.after);
            blocks.push(pass);
        }
        let pooled = pool(&x, next);
        let mut scores = vec![0.0; shape.count * self.symbols()];
        self.output.forward(&pooled, &mut scores);
        (scores, Pass { input, shape, stem, norm, blocks, last: next, pooled })
    }

    /// Adds to the gradients of all weights, given that of the scores.
    fn backward(&mut self, pass: &Pass, scores: &[f32]) {
        let pooled = self.output.backward(&pass.pooled, scores);
        let mut gradient = unpool(&pooled, pass.last);
        for (block, pass) in self.blocks.iter_mut().zip(&pass.blocks).rev() {
            gradient = block.backward(pass, gradient);
        }
        if let Some(first) = pass.blocks.first() {
            mask(&mut gradient, &first.input);
        }
        let gradient = self.norm.backward(&pass.stem, &pass.norm, &gradient);
        self.stem.backward_weights(&pass.input, pass.shape, &gradient);
    }

    /// All convolutions with their normalisations, in one order.
    fn layers(&self) -> Vec<(&Conv, &Norm)> {
        let mut layers = vec![(&self.stem, &self.norm)];
        for block in &self.blocks {
            layers.extend([(&block.first, &block.first_norm), (&block.second, &block.second_norm)]);
            layers.extend(block.shortcut.as_ref().map(|(conv, norm)| (conv, norm)));
        }
        layers
    }

    /// The same, to be changed.
    #[cfg(feature = "cuda")]
    fn layers_mut(&mut self) -> Vec<(&mut Conv, &mut Norm)> {
        let mut layers = vec![(&mut self.stem, &mut self.norm)];
        for block in &mut self.blocks {
            layers.push((&mut block.first, &mut block.first_norm));
            layers.push((&mut block.second, &mut block.second_norm));
            layers.extend(block.shortcut.as_mut().map(|(conv, norm)| (conv, norm)));
        }
        layers
    }

    /// All weights and running means, with names that tell their place.
    pub fn tensors(&self) -> Vec<Tensor<'_>> {
        let mut names = vec!["stem".to_owned()];
        for (number, block) in self.blocks.iter().enumerate() {
            let layers =
                ["first", "second", "shortcut"].into_iter().take(2 + usize::from(block.shortcut.is_some()));
            names.extend(layers.map(|layer| format!("blocks.{number}.{layer}")));
        }
        let mut tensors = Vec::new();
        let mut add = |name: String, shape: Vec<usize>, values| tensors.push(Tensor { name, shape, values });
        for (name, (conv, norm)) in names.iter().zip(self.layers()) {
            let Conv { kernel, inputs, outputs, weights, .. } = conv;
            let shape = vec![*outputs, *inputs, *kernel, *kernel];
            add(
                format!("{name}.weight"),
                shape,
                turned(&weights.value, kernel * kernel, *inputs, *outputs).into(),
            );
            let (scale, shift) = (&norm.scale.value[..], &norm.shift.value[..]);
            let means =
                [("scale", scale), ("shift", shift), ("mean", &norm.mean), ("variance", &norm.variance)];
            for (part, values) in means {
                add(format!("{name}.{part}"), vec![*outputs], values.into());
            }
        }
        let (weights, bias) = (&self.output.weights.value, &self.output.bias.value);
        let (features, symbols) = (self.config.features(), bias.len());
        let weights = turned(weights, 1, features, symbols);
        add("output.weight".to_owned(), vec![symbols, features], weights.into());
        add("output.bias".to_owned(), vec![symbols], bias.into());
        tensors
    }

    /// All weights that are learned, in one order.
    fn parameters(&mut self, visit: &mut impl FnMut(&mut Param)) {
        visit(&mut self.stem.weights);
        self.norm.parameters(visit);
        for block in &mut self.blocks {
            block.parameters(visit);
        }
        self.output.parameters(visit);
    }
}

/// Weights that lie by place, input and output, by output, input and place instead: as PyTorch has them.
fn turned(weights: &[f32], places: usize, inputs: usize, outputs: usize) -> Vec<f32> {
    let at = |output: usize, input: usize, place: usize| weights[(place * inputs + input) * outputs + output];
    let of = |output| (0..inputs).flat_map(move |input| (0..places).map(move |place| (output, input, place)));
    (0..outputs).flat_map(of).map(|(output, input, place)| at(output, input, place)).collect()
}

/// A pixel as the network sees it.
fn shade(pixel: u8) -> f32 {
    f32::from(pixel) / 255.0
}

fn rectify(values: &mut [f32]) {
    values
        .par_chunks_mut(1 << 14)
        .for_each(|values| values.iter_mut().for_each(|value| *value = value.max(0.0)));
}

/// No gradient where the rectifier gave nothing.
fn mask(gradient: &mut [f32], output: &[f32]) {
    gradient.par_chunks_mut(1 << 14).zip(output.par_chunks(1 << 14)).for_each(|(gradient, output)| {
        for (gradient, &output) in gradient.iter_mut().zip(output) {
            *gradient = if output > 0.0 { *gradient } else { 0.0 };
        }
    });
}

/// Scores to probabilities.
fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.iter_mut().for_each(|score| *score = (*score - most).exp());
    let total: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= total);
}
