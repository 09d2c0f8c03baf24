//! How fast abduction is: charts of nine-word SCAN commands under a lexicon that is solved and under the one
//! learning starts with, the search for holes, and one step of learning meanings.

use divan::Bencher;
use divan::counter::ItemsCount;
use nsr::abduction::chart::{Chart, Limits};
use nsr::abduction::holes::{self, holes};
use nsr::data::Dataset;
use nsr::data::scan::{Kind, split};
use nsr::semantics::lexicon::Lexicon;
use nsr::training::align::own_tokens;
use nsr::training::meaning::{Meanings, Pair};
use nsr::training::train_words;
use nsr::value::{Type, Value};
use std::sync::LazyLock;

struct Setting {
    /// Examples in order of size, as training has them.
    pairs: Vec<Pair>,
    /// Some of nine words.
    nine: Vec<Pair>,
    /// What is believed before the first step.
    start: Meanings,
    solved: Lexicon,
}

static SETTING: LazyLock<Setting> = LazyLock::new(|| {
    let data = split(Kind::Length, 0).train.take_random(500, 0);
    let mut pairs: Vec<Pair> = data.examples.iter().map(pair).collect();
    pairs.sort_by_key(Pair::size);
    let nine: Vec<Pair> = pairs.iter().filter(|pair| pair.words.len() == 9).take(10).cloned().collect();
    assert_eq!(nine.len(), 10);
    let solved = train_words(&data, 0, &mut ()).lexicon;
    Setting { start: start(&data), pairs, nine, solved }
});

fn pair(example: &nsr::data::Example) -> Pair {
    Pair { words: example.input.iter().map(|word| word.0).collect(), target: Value::list(&example.output) }
}

fn start(data: &Dataset) -> Meanings {
    let words: Vec<Vec<u32>> = data.examples.iter().map(|example| pair(example).words).collect();
    let pairs = words.iter().zip(&data.examples).map(|(words, example)| (&words[..], &example.output[..]));
    let own = own_tokens(pairs, data.inputs.len(), data.outputs.len());
    Meanings::new(own.into_iter().map(|token| Some(Value::list(token.as_slice()))).collect(), Type::List)
}

fn main() {
    LazyLock::force(&SETTING);
    divan::main();
}

fn charts(bencher: Bencher, lexicon: &Lexicon) {
    bencher.counter(ItemsCount::new(SETTING.nine.len())).bench_local(|| {
        for Pair { words, target } in &SETTING.nine {
            divan::black_box(Chart::new(lexicon, words, target, Limits::default()).posterior());
        }
    });
}

/// Ten charts with their posteriors, one sense for each word.
#[divan::bench]
fn chart_solved(bencher: Bencher) {
    charts(bencher, &SETTING.solved);
}

/// Ten charts with their posteriors, some seventeen senses for each word.
#[divan::bench(sample_count = 10)]
fn chart_start(bencher: Bencher) {
    charts(bencher, &SETTING.start.lexicon);
}

/// The holes of ten commands whose charts are given: seconds, so few samples.
#[divan::bench(sample_count = 2, sample_size = 1)]
fn search_holes(bencher: Bencher) {
    let lexicon = &SETTING.start.lexicon;
    let charts =
        || SETTING.nine.iter().map(|pair| Chart::new(lexicon, &pair.words, &pair.target, Limits::default()));
    bencher
        .counter(ItemsCount::new(SETTING.nine.len()))
        .with_inputs(|| charts().collect::<Vec<_>>())
        .bench_local_values(|charts| {
            for (mut chart, Pair { words, target }) in charts.into_iter().zip(&SETTING.nine) {
                divan::black_box(holes(&mut chart, lexicon, words, target, holes::Limits::default()));
            }
        });
}

/// The first step of learning: weigh, count and propose senses for the smallest examples.
#[divan::bench(sample_count = 10)]
fn step(bencher: Bencher) {
    bencher.with_inputs(|| SETTING.start.clone()).bench_local_values(|mut meanings| {
        divan::black_box(meanings.step(&SETTING.pairs));
        meanings
    });
}
