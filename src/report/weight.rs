//! What a theory written by hand and the examples of a data set cost together, as learning would weigh them.

use crate::data::Dataset;
use crate::error::{Error, Result};
pub use crate::learn::weigh::Weight;
use crate::symbol::Vocabulary;
use crate::theory::entry::Entry;
use crate::theory::text::parse;
use crate::training::example;
use std::collections::BTreeSet;
use std::path::Path;

/// The entries that the lines of a file hold, such as `switch _ off = [OFF (] ++ x ++ [)]`, in the numbers of these vocabularies, which
/// grow where needed. Blank lines and what begins with `#` hold none.
pub fn read_theory(
    path: &Path,
    text: &str,
    inputs: &mut Vocabulary,
    outputs: &mut Vocabulary,
) -> Result<Vec<Entry>> {
    let is_entry = |line: &str| !line.is_empty() && !line.starts_with('#');
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| is_entry(line));
    lines
        .map(|(line, text)| {
            parse(text, inputs, outputs).map_err(|error| Error::Line {
                path: path.to_owned(),
                line,
                expected: error.expected.to_owned(),
                found: format!("`{}`", error.found),
            })
        })
        .collect()
}

/// What entries and the distinct examples of `data`, whose outputs are tokens, cost.
pub fn weigh(entries: &[Entry], data: &Dataset) -> Weight {
    let examples = data.examples.iter().map(|one| example((&one.input, &one.output)));
    let distinct = examples.collect::<BTreeSet<_>>().into_iter().collect();
    crate::learn::weigh::weigh(entries, distinct, data.inputs.len(), data.outputs.len())
}
