//! The loss of a batch and its gradient.
//!
//! Few distinct ids occur at a place, so a batch repeats the same (place, id) pairs over and over. Each
//! distinct pair is multiplied out once, forwards and backwards; a row then only adds 18 ready sums, and
//! adds its gradient to 18 places. With a dozen classes and 64 rows that leaves at most a fifth of the
//! multiplications of plain matrix products (18 × 15 pairs instead of 18 × 64).

use super::dense::{self, EMBEDDING, Embedding, HIDDEN, Hidden};
use super::features::{FEATURES, Features};
use super::scorer::{MOVES, Weights, log_softmax, rectify};
use super::transition::Moves;
use std::ops::Range;

/// What is to be learned for one tuple of features.
#[derive(Clone, Debug)]
pub(super) struct Example {
    pub features: Features,
    pub allowed: Moves,
    /// How often each transition is wanted; sums to one.
    pub shares: [f32; MOVES],
    pub weight: f32,
}

/// The distinct (place, id) pairs among some features, numbered place by place.
#[derive(Default)]
pub(super) struct Pairs {
    ids: Vec<u32>,
    /// Per place, where its pairs end.
    ends: [usize; FEATURES],
    /// Per tuple of features, the numbers of its pairs.
    slots: Vec<[u32; FEATURES]>,
    /// Per id, the round it was last met in and the number it got then.
    met: Vec<(u32, u32)>,
    round: u32,
}

impl Pairs {
    /// Numbers the pairs of `features` anew; all ids must be below `ids`.
    pub fn number(&mut self, features: &[Features], ids: usize) {
        self.ids.clear();
        self.met.resize(ids, (0, 0));
        self.slots.resize(features.len(), [0; FEATURES]);
        for place in 0..FEATURES {
            self.round += 1;
            for (slots, features) in self.slots.iter_mut().zip(features) {
                let id = features[place];
                let met = &mut self.met[id as usize];
                if met.0 != self.round {
                    *met = (self.round, self.ids.len() as u32);
                    self.ids.push(id);
                }
                slots[place] = met.1;
            }
            self.ends[place] = self.ids.len();
        }
    }

    /// The numbers of the pairs of `place`.
    fn of_place(&self, place: usize) -> Range<usize> {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        start..self.ends[place]
    }

    /// Writes the contribution of every pair to the hidden layer over `sums`.
    pub fn contributions(&self, weights: &Weights, sums: &mut Vec<Hidden>) {
        sums.clear();
        sums.resize(self.ids.len(), [0.0; HIDDEN]);
        for place in 0..FEATURES {
            for pair in self.of_place(place) {
                weights.contribute(place, self.ids[pair], &mut sums[pair]);
            }
        }
    }

    /// The rectified hidden layer of the tuple at `row`.
    pub fn hidden(&self, row: usize, weights: &Weights, sums: &[Hidden]) -> Hidden {
        let mut hidden = weights.bias();
        for &slot in &self.slots[row] {
            dense::add(&mut hidden, &sums[slot as usize]);
        }
        rectify(&mut hidden);
        hidden
    }
}

/// The gradient of a loss, shaped like [`Weights`].
pub(super) struct Gradient {
    pub embeddings: Vec<f32>,
    /// The ids whose embedding has a gradient; that of all others is zero.
    pub touched: Vec<u32>,
    is_touched: Vec<bool>,
    pub hidden: Vec<f32>,
    pub hidden_bias: Vec<f32>,
    pub output: Vec<f32>,
    pub output_bias: Vec<f32>,
}

impl Gradient {
    /// No gradient yet, for weights of this shape.
    pub fn new(weights: &Weights) -> Gradient {
        Gradient {
            embeddings: vec![0.0; weights.embeddings.len()],
            touched: Vec::new(),
            is_touched: vec![false; weights.ids()],
            hidden: vec![0.0; weights.hidden.len()],
            hidden_bias: vec![0.0; weights.hidden_bias.len()],
            output: vec![0.0; weights.output.len()],
            output_bias: vec![0.0; weights.output_bias.len()],
        }
    }

    fn clear(&mut self) {
        for id in self.touched.drain(..) {
            self.embeddings[id as usize * EMBEDDING..][..EMBEDDING].fill(0.0);
            self.is_touched[id as usize] = false;
        }
        self.hidden.fill(0.0);
        self.hidden_bias.fill(0.0);
        self.output.fill(0.0);
        self.output_bias.fill(0.0);
    }

    fn touch(&mut self, id: u32) -> &mut Embedding {
        if !std::mem::replace(&mut self.is_touched[id as usize], true) {
            self.touched.push(id);
        }
        &mut self.embeddings.as_chunks_mut().0[id as usize]
    }
}

/// Examples that are learned together, with the room their gradient needs.
#[derive(Default)]
pub(super) struct Batch {
    /// The features as the network is to see them.
    pub features: Vec<Features>,
    /// Per row, the factor of every hidden unit: zero where it is dropped.
    pub keep: Vec<Hidden>,
    pairs: Pairs,
    sums: Vec<Hidden>,
    /// The gradient of every pair's contribution.
    sum_gradients: Vec<Hidden>,
    column: Vec<f32>,
}

impl Batch {
    /// Writes the gradient of the batch's loss over `gradient` and gives the loss: the mean over rows of
    /// weight times cross-entropy.
    pub fn differentiate<'a>(
        &mut self,
        weights: &Weights,
        examples: impl Iterator<Item = &'a Example>,
        gradient: &mut Gradient,
    ) -> f64 {
        gradient.clear();
        self.pairs.number(&self.features, weights.ids());
        self.pairs.contributions(weights, &mut self.sums);
        self.sum_gradients.clear();
        self.sum_gradients.resize(self.sums.len(), [0.0; HIDDEN]);
        let loss: f64 =
            examples.enumerate().map(|(row, example)| self.row(weights, row, example, gradient)).sum();
        for place in 0..FEATURES {
            self.embeddings(weights, place, gradient);
            self.matrix(weights, place, gradient);
        }
        loss / self.features.len() as f64
    }

    /// Forwards and backwards through one row, down to the contributions of its pairs.
    fn row(&mut self, weights: &Weights, row: usize, example: &Example, gradient: &mut Gradient) -> f64 {
        let mut hidden = self.pairs.hidden(row, weights, &self.sums);
        for (unit, keep) in hidden.iter_mut().zip(&self.keep[row]) {
            *unit *= keep;
        }
        let scale = example.weight / self.features.len() as f32;
        let (loss, back) = cross_entropy(weights.logits(&hidden), example, scale);
        let below = output_layer(weights, &hidden, &self.keep[row], back, gradient);
        dense::add(&mut dense::rows_mut(&mut gradient.hidden_bias)[0], &below);
        for &slot in &self.pairs.slots[row] {
            dense::add(&mut self.sum_gradients[slot as usize], &below);
        }
        loss
    }

    /// From the contributions of a place to the embeddings found there: dL/deₖ = Σⱼ wₖⱼ dL/dsⱼ.
    fn embeddings(&self, weights: &Weights, place: usize, gradient: &mut Gradient) {
        for pair in self.pairs.of_place(place) {
            let embedding = gradient.touch(self.pairs.ids[pair]);
            for (entry, row) in embedding.iter_mut().zip(weights.place(place)) {
                *entry += dense::dot(row, &self.sum_gradients[pair]);
            }
        }
    }

    /// From the contributions of a place to its part of the first matrix: dL/dwₖⱼ = Σ eₖ dL/dsⱼ.
    fn matrix(&mut self, weights: &Weights, place: usize, gradient: &mut Gradient) {
        let pairs = self.pairs.of_place(place);
        let rows = &mut dense::rows_mut(&mut gradient.hidden)[place * EMBEDDING..][..EMBEDDING];
        for (entry, row) in rows.iter_mut().enumerate() {
            self.column.clear();
            self.column.extend(self.pairs.ids[pairs.clone()].iter().map(|&id| weights.embedding(id)[entry]));
            dense::add_products(row, &self.column, &self.sum_gradients[pairs.clone()]);
        }
    }
}

/// The weighted loss of one example and its gradient by the logits: for a softmax, p − wanted.
fn cross_entropy(logits: [f32; MOVES], example: &Example, scale: f32) -> (f64, [f32; MOVES]) {
    let log_probs = log_softmax(logits, example.allowed);
    let mut loss = 0.0;
    let mut back = [0.0; MOVES];
    for transition in example.allowed.iter() {
        let (log_prob, share) = (log_probs[transition.index()], example.shares[transition.index()]);
        loss -= f64::from(share) * log_prob;
        back[transition.index()] = scale * (log_prob.exp() as f32 - share);
    }
    (loss * f64::from(example.weight), back)
}

/// Backwards through logits, dropout and rectification; gives the gradient by the sums in the hidden layer.
fn output_layer(
    weights: &Weights,
    hidden: &Hidden,
    keep: &Hidden,
    back: [f32; MOVES],
    gradient: &mut Gradient,
) -> Hidden {
    let mut below = [0.0; HIDDEN];
    for (transition, &back) in back.iter().enumerate() {
        gradient.output_bias[transition] += back;
        dense::add_scaled(&mut dense::rows_mut(&mut gradient.output)[transition], back, hidden);
        dense::add_scaled(&mut below, back, &dense::rows(&weights.output)[transition]);
    }
    for ((below, unit), keep) in below.iter_mut().zip(hidden).zip(keep) {
        *below *= if *unit > 0.0 { *keep } else { 0.0 };
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::scorer::Scorer;
    use crate::syntax::transition::Transition;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const CLASSES: u32 = 3;

    fn examples(rng: &mut ChaCha8Rng) -> Vec<Example> {
        let all: Moves = Transition::ALL.into_iter().collect();
        let two = [Transition::Shift, Transition::RightArc].into_iter().collect();
        let mut random = |allowed, shares, weight| Example {
            features: std::array::from_fn(|_| rng.random_range(0..CLASSES + 2)),
            allowed,
            shares,
            weight,
        };
        vec![
            random(all, [0.0, 1.0, 0.0], 1.0),
            random(two, [0.25, 0.0, 0.75], 2.0),
            random(all, [1.0, 0.0, 0.0], 0.5),
        ]
    }

    fn batch(examples: &[Example], rng: &mut ChaCha8Rng) -> Batch {
        let keep =
            examples.iter().map(|_| std::array::from_fn(|_| 2.0 * f32::from(rng.random_range(0..2u8))));
        Batch {
            features: examples.iter().map(|example| example.features).collect(),
            keep: keep.collect(),
            ..Batch::default()
        }
    }

    /// All weights in one row, in double precision.
    fn flat(weights: &Weights) -> Vec<f64> {
        let parts = [
            &weights.embeddings,
            &weights.hidden,
            &weights.hidden_bias,
            &weights.output,
            &weights.output_bias,
        ];
        parts.into_iter().flatten().map(|&weight| f64::from(weight)).collect()
    }

    /// The loss, written as plainly as possible and in double precision.
    fn reference(flat: &[f64], ids: usize, examples: &[Example], keep: &[Hidden]) -> f64 {
        let (embeddings, rest) = flat.split_at(ids * EMBEDDING);
        let (matrix, rest) = rest.split_at(FEATURES * EMBEDDING * HIDDEN);
        let (bias, rest) = rest.split_at(HIDDEN);
        let (output, output_bias) = rest.split_at(MOVES * HIDDEN);
        let loss = |(example, keep): (&Example, &Hidden)| {
            let mut hidden = bias.to_vec();
            for input in 0..FEATURES * EMBEDDING {
                let id = example.features[input / EMBEDDING] as usize;
                let x = embeddings[id * EMBEDDING + input % EMBEDDING];
                (0..HIDDEN).for_each(|unit| hidden[unit] += x * matrix[input * HIDDEN + unit]);
            }
            let logit = |transition: usize| {
                let terms = (0..HIDDEN).map(|unit| {
                    hidden[unit].max(0.0) * f64::from(keep[unit]) * output[transition * HIDDEN + unit]
                });
                terms.sum::<f64>() + output_bias[transition]
            };
            let total: f64 = example.allowed.iter().map(|transition| logit(transition.index()).exp()).sum();
            let log_prob = |transition: usize| logit(transition) - total.ln();
            let wanted = example.allowed.iter().map(|transition| transition.index());
            -f64::from(example.weight)
                * wanted
                    .map(|transition| f64::from(example.shares[transition]) * log_prob(transition))
                    .sum::<f64>()
        };
        examples.iter().zip(keep).map(loss).sum::<f64>() / examples.len() as f64
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let scorer = Scorer::new(CLASSES, &mut rng);
        let examples = examples(&mut rng);
        let mut batch = batch(&examples, &mut rng);
        let mut gradient = Gradient::new(&scorer.weights);
        let loss = batch.differentiate(&scorer.weights, examples.iter(), &mut gradient);

        let mut weights = flat(&scorer.weights);
        let ids = scorer.weights.ids();
        assert!((loss - reference(&weights, ids, &examples, &batch.keep)).abs() < 1e-5);
        let Gradient { embeddings, hidden, hidden_bias, output, output_bias, .. } = gradient;
        let found = [embeddings, hidden, hidden_bias, output, output_bias].concat();
        assert_eq!(found.len(), weights.len());
        // A sample of each part, sparser in the large matrix.
        let matrix = ids * EMBEDDING..ids * EMBEDDING + FEATURES * EMBEDDING * HIDDEN;
        let is_sampled = |place: &usize| place.is_multiple_of(if matrix.contains(place) { 1999 } else { 7 });
        for place in (0..found.len()).filter(is_sampled) {
            let (step, weight) = (1e-6, weights[place]);
            weights[place] = weight + step;
            let above = reference(&weights, ids, &examples, &batch.keep);
            weights[place] = weight - step;
            let below = reference(&weights, ids, &examples, &batch.keep);
            weights[place] = weight;
            let expected = (above - below) / (2.0 * step);
            assert!(
                (f64::from(found[place]) - expected).abs() < 1e-6,
                "{place}: {} {expected}",
                found[place]
            );
        }
    }

    #[test]
    fn a_second_batch_leaves_nothing_of_the_first() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let scorer = Scorer::new(CLASSES, &mut rng);
        let examples = examples(&mut rng);
        let mut batch = batch(&examples, &mut rng);
        let (mut fresh, mut used) = (Gradient::new(&scorer.weights), Gradient::new(&scorer.weights));
        batch.differentiate(&scorer.weights, examples.iter().rev(), &mut used);
        batch.differentiate(&scorer.weights, examples.iter(), &mut used);
        batch.differentiate(&scorer.weights, examples.iter(), &mut fresh);
        assert_eq!((used.embeddings, used.hidden), (fresh.embeddings, fresh.hidden));
        assert_eq!((used.output, used.hidden_bias), (fresh.output, fresh.hidden_bias));
    }
}
