//! How fast the syntax stage parses and learns: infix arithmetic with parentheses.

use divan::Bencher;
use divan::counter::ItemsCount;
use nsr::syntax::{ArcOrder, LearnConfig, Parser, Row, Rows, Syntax, Workspace};
use nsr::tree::Tree;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    divan::main();
}

const ORDER: ArcOrder = ArcOrder::LeftFirst;
const CLASSES: u32 = 7;
const NUMBER: u32 = 0;
/// Operators by how tightly they bind.
const OPERATORS: [[u32; 2]; 2] = [[1, 2], [3, 4]];
const OPEN: u32 = 5;
const CLOSE: u32 = 6;

/// A sentence under construction.
#[derive(Default)]
struct Sentence {
    classes: Vec<u32>,
    heads: Vec<Option<u32>>,
}

impl Sentence {
    fn push(&mut self, class: u32) -> usize {
        self.classes.push(class);
        self.heads.push(None);
        self.classes.len() - 1
    }

    /// Appends an expression whose operators bind at least as tightly as `level`; gives its root.
    fn expression(&mut self, level: usize, depth: usize, rng: &mut ChaCha8Rng) -> usize {
        let Some(operators) = OPERATORS.get(level) else { return self.operand(depth, rng) };
        let mut root = self.expression(level + 1, depth, rng);
        while rng.random_bool(0.35) {
            let operator = self.push(operators[rng.random_range(0..2)]);
            let right = self.expression(level + 1, depth, rng);
            self.heads[root] = Some(operator as u32);
            self.heads[right] = Some(operator as u32);
            root = operator;
        }
        root
    }

    fn operand(&mut self, depth: usize, rng: &mut ChaCha8Rng) -> usize {
        if depth == 0 || rng.random_bool(0.6) {
            return self.push(NUMBER);
        }
        let open = self.push(OPEN);
        let root = self.expression(0, depth - 1, rng);
        let close = self.push(CLOSE);
        self.heads[root] = Some(open as u32);
        self.heads[close] = Some(open as u32);
        open
    }
}

fn sentence(rng: &mut ChaCha8Rng) -> (Vec<u32>, Tree) {
    let mut sentence = Sentence::default();
    sentence.expression(0, 4, rng);
    (sentence.classes, Tree::new(sentence.heads).unwrap())
}

/// The first `count` distinct rows of random sentences.
fn rows(count: usize) -> Vec<Row> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut rows = Rows::default();
    while rows.len() < count {
        let (classes, tree) = sentence(&mut rng);
        rows.add(&tree, &classes, ORDER, 1.0);
    }
    let mut rows = rows.into_rows();
    rows.truncate(count);
    rows.iter_mut().for_each(|row| row.weight = 1.0);
    rows
}

fn untrained() -> Parser {
    Parser::new(CLASSES, ORDER, &mut ChaCha8Rng::seed_from_u64(2))
}

fn trained() -> Parser {
    let mut parser = untrained();
    let report = parser.learn(&rows(1000), &LearnConfig::default(), &mut ChaCha8Rng::seed_from_u64(3));
    assert!(report.learned, "{report:?}");
    parser
}

const NINE_WORDS: [u32; 9] = [NUMBER, 1, OPEN, NUMBER, 2, NUMBER, CLOSE, 3, NUMBER];

#[divan::bench]
fn greedy_warm_memo(bencher: Bencher) {
    greedy(bencher, Workspace::new());
}

#[divan::bench]
fn greedy_without_memo(bencher: Bencher) {
    greedy(bencher, Workspace::with_memo(0));
}

fn greedy(bencher: Bencher, mut workspace: Workspace) {
    let (parser, mut heads) = (trained(), Vec::new());
    bencher.bench_local(|| parser.parse_heads_into(&NINE_WORDS, &mut workspace, &mut heads));
}

#[divan::bench]
fn greedy_tree_by_the_trait(bencher: Bencher) {
    let parser = trained();
    bencher.bench_local(|| Syntax::parse(&parser, &NINE_WORDS));
}

#[divan::bench]
fn greedy_ten_thousand_words(bencher: Bencher) {
    let (parser, mut workspace, mut heads) = (trained(), Workspace::new(), Vec::new());
    let classes: Vec<u32> = NINE_WORDS.into_iter().chain([4]).cycle().take(9_999).collect();
    bencher.bench_local(|| parser.parse_heads_into(&classes, &mut workspace, &mut heads));
}

#[divan::bench]
fn ten_best_of_a_beam_of_ten(bencher: Bencher) {
    let parser = trained();
    bencher.bench_local(|| parser.k_best(&NINE_WORDS, 10, 10));
}

#[divan::bench]
fn log_prob(bencher: Bencher) {
    let parser = trained();
    let tree = Syntax::parse(&parser, &NINE_WORDS);
    bencher.bench_local(|| parser.log_prob(&NINE_WORDS, &tree));
}

/// One step of 64 rows, with the little that goes before and after training.
#[divan::bench(sample_count = 50)]
fn training_step(bencher: Bencher) {
    let rows = rows(64);
    let config = LearnConfig { max_epochs: 1, batch: 64, margin: 1.0, ..LearnConfig::default() };
    train(bencher, &rows, &config);
}

#[divan::bench(sample_count = 5, args = [500, 2_000, 10_000])]
fn training_to_the_margin(bencher: Bencher, count: usize) {
    train(bencher, &rows(count), &LearnConfig::default());
}

fn train(bencher: Bencher, rows: &[Row], config: &LearnConfig) {
    let inputs = || (untrained(), ChaCha8Rng::seed_from_u64(4));
    bencher.counter(ItemsCount::new(rows.len())).with_inputs(inputs).bench_local_values(
        |(mut parser, mut rng)| {
            parser.learn(rows, config, &mut rng);
            parser
        },
    );
}
