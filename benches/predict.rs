//! How fast a trained model answers, texts in and texts out, on one core: SCAN commands of the length split, and PCFG SET
//! commands.

#![allow(clippy::print_stdout)]

mod clock;

use clock::measure;
use nsr::data::{Dataset, Split, pcfg, scan};
use nsr::model::Model;
use nsr::report;
use nsr::training::train;

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

    /// Cut, parse, evaluate, write: what `nsr predict` does for each line. The letters of all answers.
    fn answer(&self) -> usize {
        let (mut symbols, mut text, mut letters) = (Vec::new(), String::new(), 0);
        for command in &self.commands {
            text.clear();
            self.model.read_into(command, &mut symbols);
            if let Some(value) = self.model.result(&symbols) {
                self.model.text_into(&value, &mut text);
            }
            letters += text.len();
        }
        letters
    }
}

fn main() {
    let scan = Trained::from(&scan::split(scan::Kind::Length, 0), 500);
    measure("commands", scan.commands.len(), || scan.answer());
    // With lists of up to hundreds of letters.
    let pcfg = Trained::from(&pcfg::split(pcfg::Kind::Small, 0), 4_000);
    measure("list functions", pcfg.commands.len(), || pcfg.answer());
    // One sentence with all that `nsr explain` tells.
    let sentence = "jump around left twice and walk opposite right";
    measure("explain", 1, || report::explain(&scan.model, sentence));
}
