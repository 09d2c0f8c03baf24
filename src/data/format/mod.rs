//! File formats, chosen by a file's ending; `.gz` may follow each.
//!
//! | ending | what it holds |
//! |---|---|
//! | `.txt` | `IN: tokens OUT: tokens`, a line each |
//! | `.src` with `.tgt`, `.en` with `.fr` | inputs and outputs, line by line in two files |
//! | `.tsv` | two columns, or more under a header |
//! | `.jsonl` | objects with `input` and `output` |
//!
//! An input has at least one token; an output may be empty. Blank lines may end a file. Every complaint names
//! file and line, what was expected and what was found.

mod jsonl;
mod parallel;
pub(super) mod tsv;
mod txt;

use super::{
    Builder, Dataset, Origin,
    lines::{Lines, is_gz},
};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What counts as a token of an input. Outputs are always blank-separated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tokens {
    /// What stands between blanks.
    #[default]
    Words,
    /// Every character that is not a blank.
    Chars,
}

/// How to read a file. The default is words, and columns found by their usual names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How inputs are cut into tokens. Default: words.
    pub tokens: Tokens,
    /// The input's column in `.tsv`, or key in `.jsonl`. Default: `input`, in `.tsv` also `expr`.
    pub input_column: Option<String>,
    /// The output's column in `.tsv`, or key in `.jsonl`. Default: `output`, in `.tsv` also `res`.
    pub output_column: Option<String>,
}

/// The most examples that are read from a file. An example costs more memory than the shortest line that makes one,
/// so a limit on text alone would still let a small compressed file fill the memory.
pub const MAX_EXAMPLES: usize = 1 << 26;

/// The column or key that names an example's subset.
const SUBSET: &str = "eval";

/// Reads the data set at `path`.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Dataset> {
    read_rows(path.as_ref(), options, None)
}

/// Reads the data set at `path`; of a `.tsv`, if `rows` names a column and a value, only the rows with that value.
pub(super) fn read_rows(path: &Path, options: &ReadOptions, rows: Option<(&str, &str)>) -> Result<Dataset> {
    if path.is_dir() {
        return Err(data_error(path, "a file", "a directory"));
    }
    let mut builder = Builder::default();
    match ending(path) {
        "txt" => txt::read(path, options, &mut builder),
        "src" => parallel::read(path, "tgt", options, &mut builder),
        "en" => parallel::read(path, "fr", options, &mut builder),
        "tsv" => tsv::read(path, options, rows, &mut builder),
        "jsonl" => jsonl::read(path, options, &mut builder),
        _ => Err(unknown_ending(path)),
    }?;
    match (builder.examples.is_empty(), rows) {
        (false, _) => Ok(builder.finish(&path.display().to_string(), Origin::File)),
        (true, None) => Err(data_error(path, "at least one example", "an empty file")),
        (true, Some((column, value))) => {
            Err(data_error(path, &format!("a row whose {column} is {value}"), "none"))
        }
    }
}

/// The line of an example of a file that was read, by its place from 0: only blank lines at the end and the header of a
/// `.tsv` hold none.
pub(super) fn line_of(path: &Path, options: &ReadOptions, example: usize) -> usize {
    let header = ending(path) == "tsv" && tsv::has_header(path, options);
    example + 1 + usize::from(header)
}

/// The tokens of `text`, as every reader cuts them.
pub fn tokenize(text: &str, tokens: Tokens) -> impl Iterator<Item = &str> {
    let mut words = text.split_ascii_whitespace();
    let mut rest = "";
    std::iter::from_fn(move || {
        if rest.is_empty() {
            rest = words.next()?;
        }
        let length = match tokens {
            Tokens::Words => rest.len(),
            Tokens::Chars => rest.chars().next().map_or(0, char::len_utf8),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

/// Adds the pair found in the line last read, if it has an input and there is room for it.
fn push(
    builder: &mut Builder,
    lines: &Lines,
    (input, output, subset): (&str, &str, Option<&str>),
    tokens: Tokens,
) -> Result<()> {
    if tokenize(input, tokens).next().is_none() {
        return Err(lines.error("an input of at least one token", "an empty input"));
    }
    check_room(builder, lines, subset)?;
    builder.push(tokenize(input, tokens), tokenize(output, Tokens::Words), subset);
    Ok(())
}

/// Whether another example of `subset` fits.
fn check_room(builder: &Builder, lines: &Lines, subset: Option<&str>) -> Result<()> {
    let too_many = if builder.examples.len() >= MAX_EXAMPLES {
        format!("at most {MAX_EXAMPLES} examples")
    } else if subset.is_some_and(|subset| !builder.has_room_for(subset)) {
        format!("at most {} subsets", 1 << 16)
    } else {
        return Ok(());
    };
    Err(lines.error(too_many, "another one"))
}

/// The ending that tells the format, without `.gz`.
fn ending(path: &Path) -> &str {
    let stem = if is_gz(path) { path.file_stem().map(Path::new) } else { Some(path) };
    stem.and_then(Path::extension).and_then(|ending| ending.to_str()).unwrap_or("")
}

fn unknown_ending(path: &Path) -> Error {
    let found = match ending(path) {
        "" => "no ending".to_owned(),
        other => format!(".{other}"),
    };
    data_error(path, "a name ending in .txt, .src, .en, .tsv or .jsonl, or one of these with .gz", &found)
}

fn data_error(path: &Path, expected: &str, found: &str) -> Error {
    Error::Data { what: path.display().to_string(), expected: expected.into(), found: found.into() }
}

/// `text` as shown in an error: quoted, and cut short if it is long.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", text[..end].escape_debug()),
        None => format!("`{}`", text.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, tokens: Tokens, expected: &[&str]) {
        assert_eq!(tokenize(text, tokens).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn tokens_are_words_or_characters() {
        check(" walk\ttwice  ", Tokens::Words, &["walk", "twice"]);
        check("1×(2 + 3)", Tokens::Chars, &["1", "×", "(", "2", "+", "3", ")"]);
        check("  ", Tokens::Words, &[]);
        check("", Tokens::Chars, &[]);
    }

    #[test]
    fn the_ending_is_found_below_gz() {
        for (path, expected) in
            [("a/b.txt", "txt"), ("b.src.gz", "src"), ("b.gz", ""), ("b", ""), ("v1.2/b", "")]
        {
            assert_eq!(ending(Path::new(path)), expected, "{path}");
        }
    }
}
