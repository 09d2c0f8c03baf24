//! How fast a trained model answers, texts in and texts out, on one core: SCAN commands of the length split, and PCFG SET
//! commands.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use nsr::data::{Dataset, Split, pcfg, scan};
use nsr::model::Model;
use nsr::report;
use nsr::training::train;
use std::sync::LazyLock;

/// A model, and commands of all lengths for it to answer.
struct Trained {
    model: Model,
    commands: Vec<String>,
}

impl Trained {
    /// Learns from so many examples; asks 4,000 commands, half of them tests.
    fn from(data: &Split, examples: usize) -> Trained {
        let model = train(&data.train.take_random(examples, 0), 0, &mut ());
        let of = |data: &Dataset| {
            let some = data.take_random(2_000, 1);
            some.examples.iter().map(|example| some.input_text(example)).collect::<Vec<_>>()
        };
        Trained { model, commands: [of(&data.train), of(&data.test)].concat() }
    }
}

static SCAN: LazyLock<Trained> = LazyLock::new(|| Trained::from(&scan::split(scan::Kind::Length, 0), 500));
static PCFG: LazyLock<Trained> = LazyLock::new(|| Trained::from(&pcfg::split(pcfg::Kind::Small, 0), 4_000));

fn main() {
    divan::main();
}

/// Cut, parse, evaluate, write: what `nsr predict` does for a line.
fn answer(bencher: Bencher, Trained { model, commands }: &Trained) {
    let (mut symbols, mut text) = (Vec::new(), String::new());
    let bytes: usize = commands.iter().map(String::len).sum();
    bencher.counter(ItemsCount::new(commands.len())).counter(BytesCount::new(bytes)).bench_local(|| {
        for command in commands {
            text.clear();
            model.read_into(command, &mut symbols);
            if let Some(value) = model.result(&symbols) {
                model.text_into(&value, &mut text);
            }
            divan::black_box(&text);
        }
    });
}

#[divan::bench]
fn commands(bencher: Bencher) {
    answer(bencher, &SCAN);
}

/// Commands with lists of up to hundreds of letters.
#[divan::bench]
fn list_functions(bencher: Bencher) {
    answer(bencher, &PCFG);
}

/// One sentence with all that `nsr explain` tells.
#[divan::bench]
fn explain(bencher: Bencher) {
    LazyLock::force(&SCAN);
    bencher.bench_local(|| report::explain(&SCAN.model, "jump around left twice and walk opposite right"));
}
