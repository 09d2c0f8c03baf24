//! The way through a network on the card, and the way back. The same layers as on the CPU, for a whole batch at once.

use super::card::{Arg, Buffer, Card, Kernels, Matrix, Precision, Threads};
use super::plan::{Layer, Plan, Trio};
use crate::error::Result;

/// Sums over places are split among so many blocks of threads.
const BLOCKS: usize = 264;
/// Threads of such a block.
const BLOCK: usize = 256;

/// A network on the card, and memory for a batch of pictures on their way through it.
pub(super) struct Flow<'a> {
    card: &'a Card,
    kernels: &'a Kernels,
    pub plan: Plan,
    pub batch: usize,
    pub weights: Buffer,
    /// The weights as products use them.
    pub copy: Buffer,
    pub running: Buffer,
    stats: Buffer,
    pub input: Buffer,
    /// Surroundings laid out, of each layer, or one for all when nothing is learned.
    rows: Vec<Buffer>,
    raw: Vec<Buffer>,
    out: Vec<Buffer>,
    pub pooled: Buffer,
    pub scores: Buffer,
    parts: Buffer,
}

/// What only the way back needs.
pub(super) struct Back {
    pub gradient: Buffer,
    pooled: Buffer,
    /// Gradients on their way: that of a block's output, of its input, and two between.
    output: Buffer,
    input: Buffer,
    middle: Buffer,
    other: Buffer,
    rows: Buffer,
}

impl<'a> Flow<'a> {
    /// `learning` needs memory for every layer's surroundings.
    pub fn new(
        card: &'a Card,
        kernels: &'a Kernels,
        plan: Plan,
        batch: usize,
        learning: bool,
        (weights, running, stats): (&[f32], &[f32], &[f32]),
    ) -> Result<Flow<'a>> {
        let bytes = card.precision().bytes();
        let rows = |layer: &Layer| batch * layer.places() * layer.width() * bytes;
        let rows: Vec<usize> = plan.layers.iter().map(rows).collect();
        let rows = if learning { rows } else { rows.into_iter().max().into_iter().collect() };
        let outputs = |layer: &Layer| card.zeros(batch * layer.each() * bytes);
        let widest = plan.layers.iter().map(|layer| layer.outputs).max().unwrap_or(1);
        let flow = Flow {
            card,
            kernels,
            batch,
            weights: card.upload(weights)?,
            copy: card.zeros(plan.parameters * bytes)?,
            running: card.upload(running)?,
            stats: card.upload(stats)?,
            input: card.zeros(batch * plan.side * plan.side * bytes)?,
            rows: rows.into_iter().map(|rows| card.zeros(rows)).collect::<Result<_>>()?,
            raw: plan.layers.iter().map(outputs).collect::<Result<_>>()?,
            out: plan.layers.iter().map(outputs).collect::<Result<_>>()?,
            pooled: card.zeros(batch * plan.features * 4)?,
            scores: card.zeros(batch * plan.wide * 4)?,
            parts: card.zeros(BLOCKS * widest * 2 * 4)?,
            plan,
        };
        let args = [flow.weights.start(), flow.copy.start()].map(Arg::Address);
        let count = Arg::Count(flow.plan.parameters as u32);
        flow.launch("copy_weights", Threads::All(flow.plan.parameters), &[args[0], args[1], count])?;
        Ok(flow)
    }

    pub fn launch(&self, name: &str, threads: Threads, args: &[Arg]) -> Result<()> {
        self.card.launch(self.kernels, name, threads, args)
    }

    fn bytes(&self) -> usize {
        self.card.precision().bytes()
    }

    /// Numbers that a thread works on.
    fn pack(&self) -> usize {
        self.plan.pack(self.bytes())
    }

    /// A matrix of numbers between layers.
    fn matrix(&self, address: u64, rows: usize, columns: usize) -> Matrix {
        Matrix { address, rows, columns, turned: false, wide: false }
    }

    fn weights_of(&self, layer: &Layer) -> Matrix {
        self.matrix(self.copy.at(layer.weights, self.bytes()), layer.width(), layer.outputs)
    }

    fn rows_of(&self, number: usize) -> &Buffer {
        self.rows.get(number).unwrap_or(&self.rows[0])
    }

    fn parameter(&self, offset: usize) -> Arg {
        Arg::Address(self.weights.at(offset, 4))
    }

    fn stats_of(&self, layer: &Layer, row: usize) -> Arg {
        Arg::Address(self.stats.at(layer.stats + row * layer.outputs, 4))
    }

    /// The scores of the batch in `input`; with `learning`, batches are normalised by their own means.
    pub fn forward(&self, learning: bool) -> Result<()> {
        self.layer(0, self.input.start(), learning, None, true)?;
        let mut x = self.out[0].start();
        for &Trio { first, second, shortcut } in &self.plan.blocks {
            self.layer(first, x, learning, None, true)?;
            let mut more = x;
            if let Some(shortcut) = shortcut {
                self.layer(shortcut, x, learning, None, false)?;
                more = self.out[shortcut].start();
            }
            self.layer(second, self.out[first].start(), learning, Some(more), true)?;
            x = self.out[second].start();
        }
        self.score(x)
    }

    /// A convolution, its normalisation, and what follows.
    fn layer(&self, number: usize, x: u64, learning: bool, more: Option<u64>, rectify: bool) -> Result<()> {
        let layer = &self.plan.layers[number];
        let (rows, raw) = (self.rows_of(number).start(), self.raw[number].start());
        let places = self.batch * layer.places();
        let pack = self.pack();
        let inputs = layer.window.channels as usize;
        let (name, threads) = match inputs.is_multiple_of(pack) {
            true => ("lay_out_packs", places * inputs / pack),
            false => ("lay_out_single", places * inputs),
        };
        let args =
            [Arg::Address(x), Arg::Address(rows), Arg::Count(places as u32), Arg::Window(layer.window)];
        self.launch(name, Threads::All(threads), &args)?;
        let product = self.matrix(raw, places, layer.outputs);
        self.card.multiply(
            self.card.precision(),
            self.matrix(rows, places, layer.width()),
            self.weights_of(layer),
            product,
        )?;
        if learning {
            self.measure(layer, raw, places)?;
        }
        let packs = places * layer.outputs / pack;
        let args = [
            Arg::Address(raw),
            self.stats_of(layer, 2),
            self.stats_of(layer, 3),
            Arg::Address(more.unwrap_or(0)),
            Arg::Address(self.out[number].start()),
            Arg::Count(packs as u32),
            Arg::Count(layer.outputs as u32),
            Arg::Count(u32::from(rectify)),
        ];
        self.launch("normalise", Threads::All(packs), &args)
    }

    /// The blocks of threads that sum over places.
    fn summing(&self, layer: &Layer, places: usize) -> (usize, Threads) {
        let packs = layer.outputs / self.pack();
        let lines = (BLOCK / packs).max(1);
        let blocks = places.div_ceil(lines).min(BLOCKS);
        let shared = lines * layer.outputs * 2 * 4;
        (blocks, Threads::Blocks(blocks, ((packs * lines) as u32, 1), shared))
    }

    fn finishing(layer: &Layer) -> Threads {
        Threads::Blocks(layer.outputs.div_ceil(32), (32, 32), 0)
    }

    /// Means and deviations over the batch.
    fn measure(&self, layer: &Layer, raw: u64, places: usize) -> Result<()> {
        let (blocks, threads) = self.summing(layer, places);
        let parts = Arg::Address(self.parts.start());
        let (count, channels) = (Arg::Count(places as u32), Arg::Count(layer.outputs as u32));
        self.launch("norm_sums", threads, &[Arg::Address(raw), parts, count, channels])?;
        let args = [
            parts,
            Arg::Count(blocks as u32),
            self.stats_of(layer, 0),
            self.parameter(layer.scale),
            self.parameter(layer.shift),
            Arg::Address(self.running.at(layer.running, 4)),
            count,
            channels,
        ];
        self.launch("norm_finish", Flow::finishing(layer), &args)
    }

    /// The places and channels that are pooled.
    fn last(&self) -> (usize, usize) {
        let last = &self.plan.layers[self.plan.blocks.last().map_or(0, |block| block.second)];
        (last.places(), last.outputs)
    }

    fn score(&self, x: u64) -> Result<()> {
        let Plan { features, wide, output, bias, .. } = self.plan;
        let (places, channels) = self.last();
        let sizes = [self.batch, places, channels].map(|count| Arg::Count(count as u32));
        let args = [Arg::Address(x), Arg::Address(self.pooled.start()), sizes[0], sizes[1], sizes[2]];
        self.launch("pool", Threads::All(self.batch * channels), &args)?;
        let product = wide_matrix(self.scores.start(), self.batch, wide);
        let pooled = wide_matrix(self.pooled.start(), self.batch, features);
        let weights = wide_matrix(self.weights.at(output, 4), features, wide);
        self.card.multiply(Precision::Single, pooled, weights, product)?;
        let count = self.batch * wide;
        let sizes = [count, wide].map(|count| Arg::Count(count as u32));
        let args = [Arg::Address(self.scores.start()), self.parameter(bias), sizes[0], sizes[1]];
        self.launch("add_bias", Threads::All(count), &args)
    }

    /// All gradients, given that of the scores in their place.
    pub fn backward(&self, back: &Back) -> Result<()> {
        self.back_from_scores(back)?;
        let (mut output, mut input) = (&back.output, &back.input);
        for block in self.plan.blocks.iter().rev() {
            self.back_through(block, back, output, input)?;
            (output, input) = (input, output);
        }
        self.norm_back(0, true, output, &back.other, back)?;
        self.weights_back(0, &back.other, back)
    }

    fn back_from_scores(&self, back: &Back) -> Result<()> {
        let Plan { features, wide, output, bias, .. } = self.plan;
        let gradient = wide_matrix(self.scores.start(), self.batch, wide);
        let pooled = wide_matrix(self.pooled.start(), self.batch, features);
        let weights = wide_matrix(self.weights.at(output, 4), features, wide);
        let weights_gradient = wide_matrix(back.gradient.at(output, 4), features, wide);
        self.card.multiply(Precision::Single, turned(pooled), gradient, weights_gradient)?;
        let sizes = [self.batch, wide].map(|count| Arg::Count(count as u32));
        let bias_gradient = Arg::Address(back.gradient.at(bias, 4));
        let args = [Arg::Address(self.scores.start()), bias_gradient, sizes[0], sizes[1]];
        self.launch("columns", Threads::All(wide), &args)?;
        let pooled = wide_matrix(back.pooled.start(), self.batch, features);
        self.card.multiply(Precision::Single, gradient, turned(weights), pooled)?;
        let (places, channels) = self.last();
        let sizes = [self.batch, places, channels].map(|count| Arg::Count(count as u32));
        let args = [pooled.address, back.output.start()].map(Arg::Address);
        let threads = Threads::All(self.batch * places * channels);
        self.launch("unpool", threads, &[args[0], args[1], sizes[0], sizes[1], sizes[2]])
    }

    /// From the gradient of a block's output to that of its input.
    fn back_through(&self, block: &Trio, back: &Back, output: &Buffer, input: &Buffer) -> Result<()> {
        let &Trio { first, second, shortcut } = block;
        let (middle, other) = (&back.middle, &back.other);
        self.norm_back(second, true, output, other, back)?;
        self.weights_back(second, other, back)?;
        self.input_back(second, other, None, middle, back)?;
        self.norm_back(first, true, middle, other, back)?;
        self.weights_back(first, other, back)?;
        let Some(shortcut) = shortcut else {
            return self.input_back(first, other, Some(output), input, back);
        };
        self.input_back(first, other, None, input, back)?;
        self.norm_back(shortcut, false, output, other, back)?;
        self.weights_back(shortcut, other, back)?;
        self.input_back(shortcut, other, Some(input), input, back)
    }

    /// Through a normalisation, and through the rectifier after it, if there is one.
    fn norm_back(
        &self,
        number: usize,
        rectified: bool,
        gradient: &Buffer,
        out: &Buffer,
        back: &Back,
    ) -> Result<()> {
        let layer = &self.plan.layers[number];
        let places = self.batch * layer.places();
        let (blocks, threads) = self.summing(layer, places);
        let raw = Arg::Address(self.raw[number].start());
        let mask = Arg::Address(if rectified { self.out[number].start() } else { 0 });
        let (gradient, stats) = (Arg::Address(gradient.start()), self.stats_of(layer, 0));
        let (count, channels) = (Arg::Count(places as u32), Arg::Count(layer.outputs as u32));
        let parts = Arg::Address(self.parts.start());
        self.launch("norm_back_sums", threads, &[raw, mask, gradient, stats, parts, count, channels])?;
        let args = [
            parts,
            Arg::Count(blocks as u32),
            stats,
            self.parameter(layer.scale),
            Arg::Address(back.gradient.at(layer.scale, 4)),
            Arg::Address(back.gradient.at(layer.shift, 4)),
            count,
            channels,
        ];
        self.launch("norm_back_finish", Flow::finishing(layer), &args)?;
        let packs = places * layer.outputs / self.pack();
        let args = [raw, gradient, stats, Arg::Address(out.start()), Arg::Count(packs as u32), channels];
        self.launch("norm_back", Threads::All(packs), &args)
    }

    /// The gradient of a convolution's weights.
    fn weights_back(&self, number: usize, gradient: &Buffer, back: &Back) -> Result<()> {
        let layer = &self.plan.layers[number];
        let places = self.batch * layer.places();
        let rows = self.matrix(self.rows_of(number).start(), places, layer.width());
        let gradient = self.matrix(gradient.start(), places, layer.outputs);
        let out = wide_matrix(back.gradient.at(layer.weights, 4), layer.width(), layer.outputs);
        self.card.multiply(self.card.precision(), turned(rows), gradient, out)
    }

    /// The gradient of a convolution's input, with `more` added.
    fn input_back(
        &self,
        number: usize,
        gradient: &Buffer,
        more: Option<&Buffer>,
        out: &Buffer,
        back: &Back,
    ) -> Result<()> {
        let layer = &self.plan.layers[number];
        let places = self.batch * layer.places();
        let gradient = self.matrix(gradient.start(), places, layer.outputs);
        let rows = self.matrix(back.rows.start(), places, layer.width());
        self.card.multiply(self.card.precision(), gradient, turned(self.weights_of(layer)), rows)?;
        let places = self.batch * (layer.window.side * layer.window.side) as usize;
        let args = [
            Arg::Address(rows.address),
            Arg::Address(more.map_or(0, Buffer::start)),
            Arg::Address(out.start()),
            Arg::Count(places as u32),
            Arg::Window(layer.window),
        ];
        let threads = places * layer.window.channels as usize / self.pack();
        self.launch("gather", Threads::All(threads), &args)
    }
}

impl Back {
    pub fn new(flow: &Flow<'_>) -> Result<Back> {
        let Flow { card, plan, batch, .. } = flow;
        let bytes = card.precision().bytes();
        let most = |size: &dyn Fn(&Layer) -> usize| {
            card.zeros(batch * bytes * plan.layers.iter().map(size).max().unwrap_or(1))
        };
        let values = |layer: &Layer| layer.each().max(layer.input());
        Ok(Back {
            gradient: card.zeros(plan.parameters * 4)?,
            pooled: card.zeros(batch * plan.features * 4)?,
            output: most(&values)?,
            input: most(&values)?,
            middle: most(&values)?,
            other: most(&values)?,
            rows: most(&|layer| layer.places() * layer.width())?,
        })
    }
}

/// A matrix of 32 bits a number, whatever the precision.
fn wide_matrix(address: u64, rows: usize, columns: usize) -> Matrix {
    Matrix { address, rows, columns, turned: false, wide: true }
}

fn turned(matrix: Matrix) -> Matrix {
    Matrix { turned: true, ..matrix }
}
