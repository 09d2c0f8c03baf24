//! Where everything of a network lies on the card.

use super::super::{Block, Conv, Network, Norm};
use super::card::Window;

/// Rows of surroundings and columns of scores are padded to a multiple of this: products are much slower otherwise.
const ALIGNED: usize = 8;
/// Numbers that a channel of a normalisation has while it learns; `kernels.cu` says which.
pub(super) const STATS: usize = 7;

/// A convolution and the normalisation after it. Offsets count numbers from the start of a buffer.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub window: Window,
    pub outputs: usize,
    /// In the parameters.
    pub weights: usize,
    pub scale: usize,
    pub shift: usize,
    /// Of the running means; the variances follow.
    pub running: usize,
    pub stats: usize,
}

impl Layer {
    /// Places of the output of one picture.
    pub fn places(&self) -> usize {
        (self.window.after * self.window.after) as usize
    }

    /// Numbers in the output of one picture.
    pub fn each(&self) -> usize {
        self.places() * self.outputs
    }

    /// Numbers in the input of one picture.
    pub fn input(&self) -> usize {
        (self.window.side * self.window.side * self.window.channels) as usize
    }

    /// Numbers in a row of surroundings.
    pub fn width(&self) -> usize {
        self.window.width as usize
    }
}

/// The numbers of a block's layers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trio {
    pub first: usize,
    pub second: usize,
    pub shortcut: Option<usize>,
}

/// Sizes and offsets of a network.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub side: usize,
    /// The first is the stem's.
    pub layers: Vec<Layer>,
    pub blocks: Vec<Trio>,
    pub features: usize,
    pub symbols: usize,
    /// Scores of a picture, padded.
    pub wide: usize,
    pub output: usize,
    pub bias: usize,
    /// Sizes of the buffers.
    pub parameters: usize,
    pub running: usize,
    pub stats: usize,
}

impl Plan {
    pub fn new(network: &Network) -> Plan {
        let features = network.config().features();
        let symbols = network.symbols();
        let mut plan = Plan {
            side: network.config().side,
            layers: Vec::new(),
            blocks: Vec::new(),
            features,
            symbols,
            wide: symbols.next_multiple_of(ALIGNED),
            output: 0,
            bias: 0,
            parameters: 0,
            running: 0,
            stats: 0,
        };
        let mut side = plan.add(&network.stem, plan.side);
        for block in &network.blocks {
            let Block { first, second, shortcut, .. } = block;
            let number = plan.layers.len();
            let after = plan.add(first, side);
            plan.add(second, after);
            let shortcut = shortcut.as_ref().map(|(conv, _)| {
                plan.add(conv, side);
                number + 2
            });
            plan.blocks.push(Trio { first: number, second: number + 1, shortcut });
            side = after;
        }
        plan.output = plan.take(features * plan.wide);
        plan.bias = plan.take(plan.wide);
        plan
    }

    fn take(&mut self, count: usize) -> usize {
        let start = self.parameters;
        // Addresses of weights are multiples of 16 bytes.
        self.parameters += count.next_multiple_of(ALIGNED);
        start
    }

    /// Adds a layer for pictures of this side; gives the side of its output.
    fn add(&mut self, conv: &Conv, side: usize) -> usize {
        let Conv { kernel, stride, inputs, outputs, .. } = *conv;
        let width = (kernel * kernel * inputs).next_multiple_of(ALIGNED);
        let after = side.div_ceil(stride);
        let size = |count: usize| count as i32;
        let window = Window {
            side: size(side),
            channels: size(inputs),
            after: size(after),
            kernel: size(kernel),
            stride: size(stride),
            width: size(width),
        };
        let (weights, scale, shift) = (self.take(width * outputs), self.take(outputs), self.take(outputs));
        let (running, stats) = (self.running, self.stats);
        self.running += 2 * outputs;
        self.stats += STATS * outputs;
        self.layers.push(Layer { window, outputs, weights, scale, shift, running, stats });
        after
    }

    /// So many channels are worked on at a time: as many as all layers allow, of 16 bytes.
    pub fn pack(&self, bytes: usize) -> usize {
        let most = 16 / bytes;
        let fits = self.layers.iter().all(|layer| layer.outputs.is_multiple_of(most));
        if fits { most } else { 1 }
    }

    /// All weights as they lie on the card.
    pub fn weights(&self, network: &Network) -> Vec<f32> {
        let mut all = vec![0.0; self.parameters];
        let mut put =
            |offset: usize, values: &[f32]| all[offset..offset + values.len()].copy_from_slice(values);
        for (layer, (conv, norm)) in self.layers.iter().zip(network.layers()) {
            put(layer.weights, &conv.weights.value);
            put(layer.scale, &norm.scale.value);
            put(layer.shift, &norm.shift.value);
        }
        for (number, row) in network.output.weights.value.chunks_exact(self.symbols).enumerate() {
            put(self.output + number * self.wide, row);
        }
        put(self.bias, &network.output.bias.value);
        all
    }

    /// The running means and variances of all layers.
    pub fn running(&self, network: &Network) -> Vec<f32> {
        let each = |(_, norm): (&Conv, &Norm)| [norm.mean.as_slice(), &norm.variance].concat();
        network.layers().into_iter().flat_map(each).collect()
    }

    /// Factors and shifts of a network that is not learning.
    pub fn settled(&self, network: &Network) -> Vec<f32> {
        let mut stats = vec![0.0; self.stats];
        for (layer, (_, norm)) in self.layers.iter().zip(network.layers()) {
            let factors = norm.running_factors();
            for (channel, factor) in factors.into_iter().enumerate() {
                let at = |row: usize| layer.stats + row * layer.outputs + channel;
                stats[at(2)] = factor;
                stats[at(3)] = norm.shift.value[channel] - norm.mean[channel] * factor;
            }
        }
        stats
    }

    /// Writes weights and running means that were learned back into the network.
    pub fn write_back(&self, weights: &[f32], running: &[f32], network: &mut Network) {
        let get = |offset: usize, into: &mut Vec<f32>| {
            let count = into.len();
            into.copy_from_slice(&weights[offset..offset + count]);
        };
        for (layer, (conv, norm)) in self.layers.iter().zip(network.layers_mut()) {
            get(layer.weights, &mut conv.weights.value);
            get(layer.scale, &mut norm.scale.value);
            get(layer.shift, &mut norm.shift.value);
            let (mean, variance) = running[layer.running..][..2 * layer.outputs].split_at(layer.outputs);
            norm.mean.copy_from_slice(mean);
            norm.variance.copy_from_slice(variance);
        }
        for (number, row) in network.output.weights.value.chunks_exact_mut(self.symbols).enumerate() {
            row.copy_from_slice(&weights[self.output + number * self.wide..][..self.symbols]);
        }
        get(self.bias, &mut network.output.bias.value);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Config, Network};
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn what_lies_on_the_card_is_the_whole_network() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let config = Config { side: 6, stride: 1, widths: vec![3, 4], blocks: 1 };
        let network = Network::new(config.clone(), 3, &mut rng);
        let mut other = Network::new(config, 3, &mut rng);
        assert!(network != other);
        let plan = Plan::new(&network);
        plan.write_back(&plan.weights(&network), &plan.running(&network), &mut other);
        assert!(network == other);
        assert_eq!((plan.pack(2), plan.layers.len(), plan.blocks.len()), (1, 6, 2));
        assert_eq!(Plan::new(&Network::new(Config::small(32), 3, &mut rng)).pack(2), 8);
    }
}
