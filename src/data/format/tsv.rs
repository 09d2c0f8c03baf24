//! `.tsv`: two columns without a header, or more columns under one. Without a header, a third column names each example's subset.
//!
//! The first line is a header if the options name a column, or if it holds `input` and `output`, or `expr` and
//! `res`. Under a header, column `eval` names each example's subset.

use super::{Builder, Lines, ReadOptions, SUBSET, push, quoted};
use crate::error::{Error, Result};
use std::path::Path;

const EXPECTED: &str = "tab-separated columns";
/// The names a header may give its columns without being told.
const USUAL: [(&str, &str); 2] = [("input", "output"), ("expr", "res")];

/// The rows to read: those whose cell in the column named first is what is named second.
type Rows<'a> = Option<(&'a str, &'a str)>;

/// Where things stand in a line.
struct Columns {
    count: usize,
    input: usize,
    output: usize,
    subset: Option<usize>,
}

/// Reads the file at `path` into `builder`.
pub(super) fn read(path: &Path, options: &ReadOptions, rows: Rows, builder: &mut Builder) -> Result<()> {
    let mut lines = Lines::open(path, "a file of tab-separated columns")?;
    if !lines.next_filled(EXPECTED)? {
        return Ok(());
    }
    let rows = find_rows(&lines, rows)?;
    let columns = match header(&lines, options)? {
        Some(columns) => columns,
        None => {
            let has_subset = names(&lines).len() == 3;
            let subset = has_subset.then_some(2);
            let columns = Columns { count: 2 + usize::from(has_subset), input: 0, output: 1, subset };
            push_line(builder, &lines, &columns)?;
            columns
        }
    };
    while lines.next_filled(EXPECTED)? {
        if is_among(&lines, rows) {
            push_line(builder, &lines, &columns)?;
        }
    }
    Ok(())
}

/// Whether the first line names columns.
pub(super) fn has_header(path: &Path, options: &ReadOptions) -> bool {
    let first = |mut lines: Lines| Ok(lines.next_filled(EXPECTED)? && header(&lines, options)?.is_some());
    Lines::open(path, EXPECTED).and_then(first).unwrap_or(false)
}

/// The place of the column that tells which rows to read.
fn find_rows<'a>(lines: &Lines, rows: Rows<'a>) -> Result<Option<(usize, &'a str)>> {
    rows.map(|(name, value)| Ok((find_column(lines, name)?, value))).transpose()
}

fn is_among(lines: &Lines, rows: Option<(usize, &str)>) -> bool {
    rows.is_none_or(|(column, value)| cell(lines, column) == value)
}

/// The place of column `name`, in a header.
fn find_column(lines: &Lines, name: &str) -> Result<usize> {
    let names = names(lines);
    names.iter().position(|&other| other == name).ok_or_else(|| no_column(lines, name, &names))
}

/// The columns that the first line names, or `None` if it is an example itself.
fn header(lines: &Lines, options: &ReadOptions) -> Result<Option<Columns>> {
    let names = names(lines);
    let find = |name: &str| names.iter().position(|&other| other == name);
    let usual = USUAL.into_iter().find(|(input, output)| find(input).is_some() && find(output).is_some());
    let (wanted_input, wanted_output) = (options.input_column.as_deref(), options.output_column.as_deref());
    if usual.is_none() && wanted_input.is_none() && wanted_output.is_none() {
        return Ok(None);
    }
    let (input, output) = usual.unwrap_or(USUAL[0]);
    let input = find_column(lines, wanted_input.unwrap_or(input))?;
    let output = find_column(lines, wanted_output.unwrap_or(output))?;
    Ok(Some(Columns { count: names.len(), input, output, subset: find(SUBSET) }))
}

fn names(lines: &Lines) -> Vec<&str> {
    lines.line().split('\t').map(str::trim_ascii).collect()
}

/// A cell of the line last read; empty if the line is too short.
fn cell(lines: &Lines, column: usize) -> &str {
    lines.line().split('\t').nth(column).unwrap_or("")
}

fn no_column(lines: &Lines, name: &str, names: &[&str]) -> Error {
    lines.error(format!("a column named {}", quoted(name)), format!("columns {}", quoted(&names.join(", "))))
}

fn push_line(builder: &mut Builder, lines: &Lines, columns: &Columns) -> Result<()> {
    let count = lines.line().split('\t').count();
    if count != columns.count {
        return Err(lines.error(format!("{} tab-separated columns", columns.count), format!("{count}")));
    }
    let cell = |column: usize| cell(lines, column);
    let subset = columns.subset.map(|column| cell(column).trim_ascii()).filter(|name| !name.is_empty());
    push(builder, lines, (cell(columns.input), cell(columns.output), subset))
}
