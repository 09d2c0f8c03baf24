//! `.src` with `.tgt`, `.en` with `.fr`: line n of one file is the input, line n of the other the output.

use super::{Builder, Lines, is_gz, push};
use crate::error::{Error, Result};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

const EXPECTED: &str = "an input of at least one token";

/// Reads the inputs at `path` and the outputs beside it, whose name ends in `partner`, into `builder`.
pub(super) fn read(path: &Path, partner: &str, builder: &mut Builder) -> Result<()> {
    let mut inputs = Lines::open(path, "a file of inputs")?;
    let outputs = format!("the outputs of {}", path.display());
    let mut outputs = Lines::open(&partner_path(path, partner), &outputs)?;
    let mut examples = 0;
    while inputs.next_filled(EXPECTED)? {
        if !outputs.next()? {
            return Err(too_few_outputs(inputs, &outputs)?);
        }
        push(builder, &inputs, (inputs.line(), outputs.line(), None))?;
        examples += 1;
    }
    check_rest(&inputs, outputs, examples)
}

/// The file of outputs: compressed like the inputs, or if that is not there, the other way round.
fn partner_path(path: &Path, partner: &str) -> PathBuf {
    let plain = if is_gz(path) { path.with_extension("") } else { path.to_owned() }.with_extension(partner);
    let mut name = plain.file_name().unwrap_or(OsStr::new("")).to_owned();
    name.push(".gz");
    let packed = plain.with_file_name(name);
    let (first, second) = if is_gz(path) { (packed, plain) } else { (plain, packed) };
    if !first.exists() && second.exists() { second } else { first }
}

/// The error for more inputs than outputs, with both counts.
fn too_few_outputs(mut inputs: Lines, outputs: &Lines) -> Result<Error> {
    let found = outputs.number();
    let mut count = inputs.number();
    while inputs.next_filled(EXPECTED)? {
        count = inputs.number();
    }
    Ok(outputs.error_at(found + 1, as_many(&inputs, count), found.to_string()))
}

/// Fails if outputs other than blank lines are left after the last input.
fn check_rest(inputs: &Lines, mut outputs: Lines, examples: usize) -> Result<()> {
    let mut count = examples;
    while outputs.next()? {
        if !outputs.line().trim_ascii().is_empty() {
            count = outputs.number();
        }
    }
    match count == examples {
        true => Ok(()),
        false => Err(outputs.error_at(examples + 1, as_many(inputs, examples), count.to_string())),
    }
}

fn as_many(inputs: &Lines, count: usize) -> String {
    format!("{count} lines, as in {}", inputs.path().display())
}
