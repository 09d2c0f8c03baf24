//! `nsr inspect --theory FILE DATA`: what a theory from a file and the examples of a data set cost together.

use crate::Outcome;
use crate::args::DataArgs;
use anyhow::{Context, bail};
use nsr::data::Part;
use nsr::model::OutputKind;
use nsr::report::{Weight, read_theory, weigh};
use serde_json::json;
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
    let entries = read_theory(theory, &text, &mut data.inputs, &mut data.outputs)?;
    let weight = weigh(&entries, &data);
    match is_json {
        true => writeln!(out, "{}", as_json(&weight))?,
        false => print(&weight, entries.len(), out)?,
    }
    Ok(Outcome::Done)
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
