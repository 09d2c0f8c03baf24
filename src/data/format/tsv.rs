//! `.tsv`: two columns without a header, or more columns under one.
//!
//! The first line is a header if the options name a column, or if it holds `input` and `output`, or `expr` and
//! `res`. Under a header, column `eval` names each example's subset.

use super::{Builder, Lines, ReadOptions, SUBSET, push, quoted};
use crate::error::{Error, Result};
use std::path::Path;

const EXPECTED: &str = "tab-separated columns";
/// The names a header may give its columns without being told.
const USUAL: [(&str, &str); 2] = [("input", "output"), ("expr", "res")];

/// Where things stand in a line.
struct Columns {
    count: usize,
    input: usize,
    output: usize,
    subset: Option<usize>,
}

/// Reads the file at `path` into `builder`.
pub(super) fn read(path: &Path, options: &ReadOptions, builder: &mut Builder) -> Result<()> {
    let mut lines = Lines::open(path, "a file of tab-separated columns")?;
    if !lines.next_filled(EXPECTED)? {
        return Ok(());
    }
    let columns = match header(&lines, options)? {
        Some(columns) => columns,
        None => {
            let columns = Columns { count: 2, input: 0, output: 1, subset: None };
            push_line(builder, &lines, &columns, options)?;
            columns
        }
    };
    while lines.next_filled(EXPECTED)? {
        push_line(builder, &lines, &columns, options)?;
    }
    Ok(())
}

/// The columns that the first line names, or `None` if it is an example itself.
fn header(lines: &Lines, options: &ReadOptions) -> Result<Option<Columns>> {
    let names: Vec<&str> = lines.line().split('\t').map(str::trim_ascii).collect();
    let find = |name: &str| names.iter().position(|&other| other == name);
    let usual = USUAL.into_iter().find(|(input, output)| find(input).is_some() && find(output).is_some());
    let (wanted_input, wanted_output) = (options.input_column.as_deref(), options.output_column.as_deref());
    if usual.is_none() && wanted_input.is_none() && wanted_output.is_none() {
        return Ok(None);
    }
    let (input, output) = usual.unwrap_or(USUAL[0]);
    let need = |name: &str| find(name).ok_or_else(|| no_column(lines, name, &names));
    let (input, output) = (need(wanted_input.unwrap_or(input))?, need(wanted_output.unwrap_or(output))?);
    Ok(Some(Columns { count: names.len(), input, output, subset: find(SUBSET) }))
}

fn no_column(lines: &Lines, name: &str, names: &[&str]) -> Error {
    lines.error(format!("a column named {}", quoted(name)), format!("columns {}", quoted(&names.join(", "))))
}

fn push_line(builder: &mut Builder, lines: &Lines, columns: &Columns, options: &ReadOptions) -> Result<()> {
    let count = lines.line().split('\t').count();
    if count != columns.count {
        return Err(lines.error(format!("{} tab-separated columns", columns.count), format!("{count}")));
    }
    let cell = |column: usize| lines.line().split('\t').nth(column).unwrap_or("");
    let subset = columns.subset.map(|column| cell(column).trim_ascii()).filter(|name| !name.is_empty());
    push(builder, lines, (cell(columns.input), cell(columns.output), subset), options.tokens)
}
