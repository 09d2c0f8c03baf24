//! Training the scorer on pairs of features and transitions.
//!
//! In: [`Row`]s, distinct tuples of features with the transition wanted there. Out: better weights and a
//! [`LearnReport`]. Mini-batches, dropout, Adam; it stops as soon as every row is learned. One thread, one
//! order of summation: the same rows, settings and seed give the same weights anywhere.

use super::adam::Adam;
use super::dense::{EMBEDDING, Embedding, HIDDEN, Hidden};
use super::features::{self, Features, SPECIAL, UNKNOWN};
use super::gradient::{Batch, Example, Gradient, Pairs};
use super::oracle::ArcOrder;
use super::scorer::{MOVES, Scorer, Weights, log_softmax};
use super::transition::{Moves, Transition};
use crate::tree::Tree;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// One thing to learn: the transition wanted in states with these features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The features of the state.
    pub features: Features,
    /// The transition wanted there.
    pub transition: Transition,
    /// The transitions to choose from; `transition` counts as one of them in any case.
    pub valid: Moves,
    /// How much the row matters relative to the others; rows of weight zero are passed over.
    pub weight: f32,
}

impl Row {
    /// A row that chooses from the transitions `order` allows.
    pub fn new(features: Features, transition: Transition, order: ArcOrder, weight: f32) -> Row {
        Row { features, transition, valid: features::allowed(&features, order), weight }
    }
}

/// Collects the distinct rows of many trees, adding up the weights of equal ones.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    rows: Vec<Row>,
    places: FxHashMap<(Features, Transition), usize>,
}

impl Rows {
    /// Adds what `tree` teaches; false, with nothing added, if it is not projective or of another length.
    pub fn add(&mut self, tree: &Tree, classes: &[u32], order: ArcOrder, weight: f32) -> bool {
        let Some(instances) = features::instances(tree, classes, order) else { return false };
        for (features, transition) in instances {
            let place = *self.places.entry((features, transition)).or_insert(self.rows.len());
            match self.rows.get_mut(place) {
                Some(row) => row.weight += weight,
                None => self.rows.push(Row::new(features, transition, order, weight)),
            }
        }
        true
    }

    /// How many distinct rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row yet.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows, in order of first appearance.
    pub fn into_rows(self) -> Vec<Row> {
        self.rows
    }
}

/// Settings of training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LearnConfig {
    /// Passes over the rows at most. Default 100.
    pub max_epochs: usize,
    /// Rows per step. Default 64.
    pub batch: usize,
    /// Adam's step size. Default 0.002.
    pub rate: f32,
    /// Probability that a hidden unit is left out of a row. Default 0.5, as in the paper.
    pub dropout: f32,
    /// Probability that a word among the features is shown as unknown; Null and Root, which carry the
    /// shape of the state, always show. Default 0.
    pub feature_dropout: f32,
    /// Training stops when every wanted transition has this probability. Default 0.95.
    pub margin: f64,
}

impl Default for LearnConfig {
    fn default() -> LearnConfig {
        LearnConfig {
            max_epochs: 100,
            batch: 64,
            rate: 0.002,
            dropout: 0.5,
            feature_dropout: 0.0,
            margin: 0.95,
        }
    }
}

/// How training went; loss and accuracy are those of the final weights, without dropout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnReport {
    /// Passes over the rows that were made; zero if all was known before.
    pub epochs: usize,
    /// Weighted mean cross-entropy.
    pub loss: f64,
    /// Weighted share of rows whose transition is the most probable one.
    pub accuracy: f64,
    /// Whether every row is learned to the margin asked for.
    pub learned: bool,
}

impl Scorer {
    /// Learns `rows`. Where rows of equal features want different transitions, each wanted transition is to
    /// get its share by weight, and the margin applies to the share of the foremost.
    pub fn learn(&mut self, rows: &[Row], config: &LearnConfig, rng: &mut impl Rng) -> LearnReport {
        let examples = merge(rows, self.weights.ids());
        let mut judge = Judge::new(&examples, &self.weights, config.margin);
        let mut learner = Learner::new(&mut self.weights, &examples, config);
        let (mut epochs, mut learned) = (0, judge.approves(learner.weights));
        while !learned && epochs < config.max_epochs {
            learner.epoch(rng);
            epochs += 1;
            learned = judge.approves(learner.weights);
        }
        if epochs > 0 {
            // Unless it took part in training, an unknown word is best taken for an average one.
            if !learner.knows_unknown() {
                learner.average_unknown();
            }
            self.refresh();
        }
        let (loss, accuracy) = judge.measure(&self.weights);
        LearnReport { epochs, loss, accuracy, learned }
    }
}

/// Merges rows of equal features and scales the weights to a mean of one.
fn merge(rows: &[Row], ids: usize) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut places: FxHashMap<Features, usize> = FxHashMap::default();
    for row in rows.iter().filter(|row| row.weight > 0.0 && row.weight.is_finite()) {
        let features = row.features.map(|id| if (id as usize) < ids { id } else { UNKNOWN });
        let place = *places.entry(features).or_insert(examples.len());
        if place == examples.len() {
            examples.push(Example { features, allowed: row.valid, shares: [0.0; MOVES], weight: 0.0 });
        }
        let example = &mut examples[place];
        example.allowed = example.allowed.with(row.transition, true);
        example.shares[row.transition.index()] += row.weight;
        example.weight += row.weight;
    }
    let total: f64 = examples.iter().map(|example| f64::from(example.weight)).sum();
    let mean = (total / examples.len() as f64) as f32;
    for example in &mut examples {
        example.shares = example.shares.map(|share| share / example.weight);
        example.weight /= mean;
    }
    examples
}

/// Weights on their way, with what the optimiser needs.
struct Learner<'a> {
    weights: &'a mut Weights,
    examples: &'a [Example],
    config: &'a LearnConfig,
    order: Vec<usize>,
    batch: Batch,
    gradient: Gradient,
    adam: Adam,
}

impl<'a> Learner<'a> {
    fn new(weights: &'a mut Weights, examples: &'a [Example], config: &'a LearnConfig) -> Learner<'a> {
        let (gradient, adam) = (Gradient::new(weights), Adam::new(weights, config.rate));
        let order = (0..examples.len()).collect();
        Learner { weights, examples, config, order, batch: Batch::default(), gradient, adam }
    }

    /// One pass over all examples in a new order.
    fn epoch(&mut self, rng: &mut impl Rng) {
        self.order.shuffle(rng);
        let order = std::mem::take(&mut self.order);
        for chunk in order.chunks(self.config.batch.max(1)) {
            self.step(chunk, rng);
        }
        self.order = order;
    }

    fn step(&mut self, chunk: &[usize], rng: &mut impl Rng) {
        let examples = self.examples;
        self.batch.features.clear();
        for &place in chunk {
            let features = mask(examples[place].features, self.config.feature_dropout, rng);
            self.batch.features.push(features);
        }
        draw_dropout(&mut self.batch.keep, chunk.len(), self.config.dropout, rng);
        let chosen = chunk.iter().map(|&place| &examples[place]);
        self.batch.differentiate(self.weights, chosen, &mut self.gradient);
        self.adam.step(self.weights, &self.gradient);
    }

    fn knows_unknown(&self) -> bool {
        self.config.feature_dropout > 0.0 || self.examples.iter().any(|row| row.features.contains(&UNKNOWN))
    }

    /// Gives the unknown word the mean embedding of all classes among the examples.
    fn average_unknown(&mut self) {
        let mut is_seen = vec![false; self.weights.ids()];
        for &id in self.examples.iter().flat_map(|example| &example.features) {
            is_seen[id as usize] = true;
        }
        let embeddings: &mut [Embedding] = self.weights.embeddings.as_chunks_mut().0;
        let seen = || (SPECIAL as usize..is_seen.len()).filter(|&id| is_seen[id]);
        let count = seen().count();
        if count > 0 {
            embeddings[UNKNOWN as usize] = std::array::from_fn::<f32, EMBEDDING, _>(|entry| {
                seen().map(|id| embeddings[id][entry]).sum::<f32>() / count as f32
            });
        }
    }
}

/// Shows each word as unknown with probability `dropout`.
fn mask(features: Features, dropout: f32, rng: &mut impl Rng) -> Features {
    if dropout <= 0.0 {
        return features;
    }
    features.map(|id| if id >= SPECIAL && rng.random::<f32>() < dropout { UNKNOWN } else { id })
}

/// Draws for each of `rows` rows which hidden units are kept; these grow in proportion, so that the
/// expected sum stays. A byte decides on a unit: 200 full random numbers per row would cost more than
/// the row itself.
fn draw_dropout(keep: &mut Vec<Hidden>, rows: usize, dropout: f32, rng: &mut impl Rng) {
    let dropped = (dropout.clamp(0.0, 0.99) * 256.0).round() as u8;
    let factor = 256.0 / (256.0 - f32::from(dropped));
    keep.clear();
    keep.resize(rows, [1.0; HIDDEN]);
    if dropped > 0 {
        for row in keep {
            let mut bytes = [0u8; HIDDEN];
            rng.fill_bytes(&mut bytes);
            *row = bytes.map(|byte| if byte < dropped { 0.0 } else { factor });
        }
    }
}

/// Tells how well weights do on all examples, without dropout.
struct Judge<'a> {
    examples: &'a [Example],
    margin: f64,
    pairs: Pairs,
    sums: Vec<Hidden>,
    /// The example that last failed: the likeliest to fail again, so it is looked at first.
    suspect: usize,
}

impl<'a> Judge<'a> {
    fn new(examples: &'a [Example], weights: &Weights, margin: f64) -> Judge<'a> {
        let features: Vec<Features> = examples.iter().map(|example| example.features).collect();
        let mut pairs = Pairs::default();
        pairs.number(&features, weights.ids());
        Judge { examples, margin, pairs, sums: Vec::new(), suspect: 0 }
    }

    /// Whether every example is learned.
    fn approves(&mut self, weights: &Weights) -> bool {
        self.pairs.contributions(weights, &mut self.sums);
        let count = self.examples.len();
        let failure = (0..count).map(|step| (self.suspect + step) % count).find(|&row| {
            let (wanted, share) = foremost(&self.examples[row].shares);
            self.log_probs(row, weights)[wanted] < (self.margin * f64::from(share)).ln()
        });
        self.suspect = failure.unwrap_or(0);
        failure.is_none()
    }

    /// Mean loss and accuracy, by weight.
    fn measure(&mut self, weights: &Weights) -> (f64, f64) {
        self.pairs.contributions(weights, &mut self.sums);
        let (mut loss, mut right, mut total) = (0.0, 0.0, 0.0);
        for (row, example) in self.examples.iter().enumerate() {
            let log_probs = self.log_probs(row, weights);
            let best = (0..MOVES).max_by(|&a, &b| log_probs[a].total_cmp(&log_probs[b])).unwrap_or(0);
            let weight = f64::from(example.weight);
            for transition in example.allowed.iter().map(Transition::index) {
                loss -= weight * f64::from(example.shares[transition]) * log_probs[transition];
            }
            right += weight * f64::from(example.shares[best]);
            total += weight;
        }
        match total > 0.0 {
            true => (loss / total, right / total),
            false => (0.0, 1.0),
        }
    }

    fn log_probs(&self, row: usize, weights: &Weights) -> [f64; MOVES] {
        let hidden = self.pairs.hidden(row, weights, &self.sums);
        log_softmax(weights.logits(&hidden), self.examples[row].allowed)
    }
}

/// The transition most wanted, and its share.
fn foremost(shares: &[f32; MOVES]) -> (usize, f32) {
    let mut best = 0;
    for transition in 1..MOVES {
        if shares[transition] > shares[best] {
            best = transition;
        }
    }
    (best, shares[best])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    const CLASSES: u32 = 6;

    fn rng(seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }

    /// Random features whose transition depends on the second and fourth.
    fn rows(count: usize) -> Vec<Row> {
        let mut rng = rng(3);
        let row = |_| {
            let features: Features = std::array::from_fn(|_| rng.random_range(SPECIAL..SPECIAL + CLASSES));
            let transition = Transition::ALL[(features[1] + 2 * features[3]) as usize % 3];
            Row { features, transition, valid: Transition::ALL.into_iter().collect(), weight: 1.0 }
        };
        (0..count).map(row).collect()
    }

    #[test]
    fn rows_are_learned_to_the_margin() {
        let mut scorer = Scorer::new(CLASSES, &mut rng(1));
        let report = scorer.learn(&rows(300), &LearnConfig::default(), &mut rng(2));
        assert!(report.learned, "{report:?}");
        assert_eq!(report.accuracy, 1.0);
        for row in rows(300) {
            assert!(scorer.log_probs(&row.features, row.valid)[row.transition.index()] > 0.94f64.ln());
        }
        let again = scorer.learn(&rows(300), &LearnConfig::default(), &mut rng(2));
        assert_eq!(again.epochs, 0);
    }

    #[test]
    fn the_same_seed_gives_the_same_weights() {
        let config = LearnConfig { max_epochs: 3, feature_dropout: 0.1, ..LearnConfig::default() };
        let train = |seed| {
            let mut scorer = Scorer::new(CLASSES, &mut rng(1));
            scorer.learn(&rows(100), &config, &mut rng(seed));
            scorer
        };
        assert_eq!(train(2), train(2));
        assert_ne!(train(2), train(3));
    }

    #[test]
    fn contradictory_rows_share_the_probability() {
        let mut all = rows(1);
        all.push(Row {
            transition: Transition::ALL[(all[0].transition.index() + 1) % 3],
            weight: 3.0,
            ..all[0]
        });
        let mut scorer = Scorer::new(CLASSES, &mut rng(1));
        let report = scorer.learn(&all, &LearnConfig::default(), &mut rng(2));
        assert!(report.learned && report.accuracy == 0.75, "{report:?}");
        let log_probs = scorer.log_probs(&all[0].features, all[0].valid);
        assert!(log_probs[all[1].transition.index()] > log_probs[all[0].transition.index()]);
    }

    #[test]
    fn odd_rows_do_no_harm() {
        let mut scorer = Scorer::new(CLASSES, &mut rng(1));
        let nothing = scorer.learn(&[], &LearnConfig::default(), &mut rng(2));
        assert_eq!((nothing.epochs, nothing.learned), (0, true));
        let mut rows = rows(4);
        rows[0].features[2] = u32::MAX;
        rows[1].valid = Moves::default();
        rows[2].weight = f32::NAN;
        rows[3].weight = 0.0;
        let config = LearnConfig { batch: 0, dropout: 7.0, max_epochs: 2, ..LearnConfig::default() };
        scorer.learn(&rows, &config, &mut rng(2));
        scorer.check().unwrap();
    }

    #[test]
    fn an_unknown_word_is_an_average_one_unless_it_took_part() {
        let embed = |feature_dropout| {
            let config = LearnConfig { max_epochs: 1, feature_dropout, ..LearnConfig::default() };
            let mut scorer = Scorer::new(CLASSES, &mut rng(1));
            scorer.learn(&rows(100), &config, &mut rng(2));
            let mean = (SPECIAL..SPECIAL + CLASSES).map(|id| scorer.weights.embedding(id)[0]).sum::<f32>();
            (scorer.weights.embedding(UNKNOWN)[0], mean / CLASSES as f32)
        };
        let (unknown, mean) = embed(0.0);
        assert_eq!(unknown, mean);
        let (unknown, mean) = embed(0.3);
        assert_ne!(unknown, mean);
    }

    #[test]
    fn equal_rows_are_collected_once() {
        let tree = Tree::new(vec![Some(1), None, Some(1)]).unwrap();
        let mut rows = Rows::default();
        assert!(rows.add(&tree, &[0, 1, 0], ArcOrder::LeftFirst, 1.0));
        assert!(rows.add(&tree, &[0, 1, 0], ArcOrder::LeftFirst, 2.0));
        assert!(!rows.add(&tree, &[0, 1], ArcOrder::LeftFirst, 1.0));
        let rows = rows.into_rows();
        assert_eq!(rows.len(), 6);
        assert!(rows.iter().all(|row| row.weight == 3.0));
    }
}
