//! `nsr inspect --theory FILE DATA`: what a theory from a file and the examples of a data set cost together.

use crate::Outcome;
use crate::args::DataArgs;
use anyhow::{Context, bail};
use nsr::data::{Dataset, Part};
use nsr::learn::evidence::Example;
use nsr::learn::weigh::{Weight, weigh};
use nsr::model::OutputKind;
use nsr::symbol::{Token, Word};
use nsr::theory::text::parse;
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// Runs the command.
pub fn run(
    theory: &Path,
    name: &str,
    data: &DataArgs,
    is_json: bool,
    out: &mut impl Write,
) -> anyhow::Result<Outcome> {
    let mut data = data.load(name, Part::Train, 0)?;
    if OutputKind::of(&data) != OutputKind::Tokens {
        bail!("{name}: expected outputs of tokens, for --theory, found numbers");
    }
    let text = std::fs::read_to_string(theory).with_context(|| format!("{}", theory.display()))?;
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let entry = parse(line, &mut data.inputs, &mut data.outputs);
        entries.push(entry.with_context(|| format!("{}:{number}", theory.display()))?);
    }
    let weight = weigh(&entries, examples(&data), data.inputs.len(), data.outputs.len());
    match is_json {
        true => writeln!(out, "{}", as_json(&weight))?,
        false => print(&weight, entries.len(), out)?,
    }
    Ok(Outcome::Done)
}

/// The distinct examples.
fn examples(data: &Dataset) -> Vec<Example> {
    let distinct: BTreeSet<Example> = data
        .examples
        .iter()
        .map(|example| Example {
            input: example.input.iter().map(|symbol| Word(symbol.0)).collect(),
            output: example.output.iter().map(|symbol| Token(symbol.0)).collect(),
        })
        .collect();
    distinct.into_iter().collect()
}

fn as_json(weight: &Weight) -> serde_json::Value {
    json!({
        "bits": weight.total(),
        "entries": weight.entries,
        "fillers": weight.fillers,
        "results": weight.results,
        "examples": weight.examples,
        "explained": weight.explained,
    })
}

fn print(weight: &Weight, entries: usize, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{:10.1} bits in all, of which", weight.total())?;
    writeln!(out, "{:10.1} for entries in use, of {entries}", weight.entries)?;
    writeln!(out, "{:10.1} for what may fill which slot", weight.fillers)?;
    writeln!(out, "{:10.1} for results, given the inputs", weight.results)?;
    writeln!(out, "{} of {} examples have a tree with the right result", weight.explained, weight.examples)
}
