//! `nsr` alone: learns SCAN's length split, tests it and explains a sentence.

use crate::args::DataArgs;
use crate::log::Log;
use crate::text::Paint;
use crate::{Outcome, eval, explain, inspect, interrupt, train};
use nsr::data::{Dataset, Part};
use nsr::evaluate::evaluate;
use nsr::model::Settings;
use nsr::report;
use std::io::Write;

const TASK: &str = "scan/length";
const SENTENCE: &str = "jump around left twice and walk opposite right";

/// Runs the job.
pub fn run(data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let paint = Paint::stdout();
    let train = data.load(TASK, Part::Train, 0)?;
    let test = data.load(TASK, Part::Test, 0)?;
    print_examples(&train, out)?;
    out.flush()?;
    interrupt::listen()?;
    let learned = train::learn(&train, Settings::of(&train, 0), train::Start::Anew, Log::default(), None)?;
    writeln!(out, "{}", train::summary(&learned))?;
    inspect::print_constructions(&report::constructions(&learned.model), out)?;
    writeln!(out, "\n{}", paint.bold("Test on commands longer than any in training"))?;
    eval::print(&evaluate(&learned.model, &test), out)?;
    writeln!(out, "\n{}\n", paint.bold(SENTENCE))?;
    if let Some(explanation) = report::explain(&learned.model, SENTENCE) {
        explain::print(&explanation, out)?;
    }
    writeln!(
        out,
        "\n{}",
        paint.dim("to keep a model: nsr train scan/length --out length.nsr; more: nsr --help")
    )?;
    Ok(Outcome::Done)
}

/// Some of what is learned from.
fn print_examples(train: &Dataset, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}", Paint::stdout().bold("Learning from pairs such as these, and nothing else"))?;
    let mut examples: Vec<_> = train.examples.iter().collect();
    examples.sort_by_key(|example| example.input.len());
    for example in examples.iter().step_by(examples.len().div_ceil(4).max(1)) {
        let output = crate::text::shorten_tokens(&train.output_text(example), 60);
        writeln!(out, "  {} → {output}", train.input_text(example))?;
    }
    writeln!(out)
}
