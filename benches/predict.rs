//! How fast a trained model answers: SCAN commands of the length split, texts in and texts out, on one core.

use divan::Bencher;
use divan::counter::ItemsCount;
use nsr::data::scan::{Kind, split};
use nsr::model::Model;
use nsr::report;
use nsr::syntax::Workspace;
use nsr::training::train;
use std::sync::LazyLock;

/// A model of 500 commands, and 4,000 commands of all lengths for it to answer.
static TRAINED: LazyLock<(Model, Vec<String>)> = LazyLock::new(|| {
    let data = split(Kind::Length, 0);
    let model = train(&data.train.take_random(500, 0), 0, &mut ());
    let of = |data: &nsr::data::Dataset| {
        let some = data.take_random(2_000, 1);
        some.examples.iter().map(|example| some.input_text(example)).collect::<Vec<_>>()
    };
    (model, [of(&data.train), of(&data.test)].concat())
});

fn main() {
    LazyLock::force(&TRAINED);
    divan::main();
}

/// Cut, parse, evaluate, write: what `nsr predict` does for a line.
#[divan::bench]
fn commands(bencher: Bencher) {
    let (model, commands) = &*TRAINED;
    let mut workspace = Workspace::new();
    let (mut symbols, mut text) = (Vec::new(), String::new());
    bencher.counter(ItemsCount::new(commands.len())).bench_local(|| {
        for command in commands {
            text.clear();
            model.read_into(command, &mut symbols);
            if let Some(value) = model.answer(&symbols, &mut workspace).gss.value() {
                model.text_into(value, &mut text);
            }
            divan::black_box(&text);
        }
    });
}

/// One sentence with all that `nsr explain` tells.
#[divan::bench]
fn explain(bencher: Bencher) {
    bencher.bench_local(|| report::explain(&TRAINED.0, "jump around left twice and walk opposite right"));
}
