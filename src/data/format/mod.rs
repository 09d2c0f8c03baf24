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
    Builder, Cut, Dataset, Origin, Tokens, guess,
    lines::{Lines, is_gz},
};
use crate::error::{Error, Result};
use std::path::Path;

/// How to read a file. By default texts are cut as they look, and columns found by their usual names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How inputs are cut into tokens. Default: guessed from all of them, see [`Dataset::cut`].
    pub tokens: Option<Tokens>,
    /// How outputs are cut into tokens. Default: guessed likewise.
    pub output_tokens: Option<Tokens>,
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
        return Err(Error::data(path, "a file", "a directory"));
    }
    let mut builder = Builder::new(options.cut());
    match ending(path) {
        "txt" => txt::read(path, &mut builder),
        "src" => parallel::read(path, "tgt", &mut builder),
        "en" => parallel::read(path, "fr", &mut builder),
        "tsv" => tsv::read(path, options, rows, &mut builder),
        "jsonl" => jsonl::read(path, options, &mut builder),
        _ => Err(unknown_ending(path)),
    }?;
    match (builder.examples.is_empty(), rows) {
        (false, _) => Ok(cut(builder, path, options)),
        (true, None) => Err(Error::data(path, "at least one example", "an empty file")),
        (true, Some((column, value))) => {
            Err(Error::data(path, format!("a row whose {column} is {value}"), "none"))
        }
    }
}

impl ReadOptions {
    /// What stands between blanks is a token, whatever it looks like.
    pub fn words() -> ReadOptions {
        ReadOptions {
            tokens: Some(Tokens::Words),
            output_tokens: Some(Tokens::Words),
            ..ReadOptions::default()
        }
    }

    /// How texts are cut while nothing is known of them but what was said.
    fn cut(&self) -> Cut {
        Cut { inputs: self.tokens.unwrap_or_default(), outputs: self.output_tokens.unwrap_or_default() }
    }
}

/// The data set that was read, cut as its texts look where nothing was said. What came as arrays has been cut by its writer.
fn cut(builder: Builder, path: &Path, options: &ReadOptions) -> Dataset {
    let arrays = builder.arrays;
    let data = builder.finish(&path.display().to_string(), Origin::File);
    if arrays || (options.tokens.is_some() && options.output_tokens.is_some()) {
        return data;
    }
    let guessed = guess::guess(&data);
    let data = data.cut_as(Cut {
        inputs: options.tokens.unwrap_or(guessed.inputs),
        outputs: options.output_tokens.unwrap_or(guessed.outputs),
    });
    Dataset { outputs_guessed: options.output_tokens.is_none(), ..data }
}

/// The line of an example of a file that was read, by its place from 0: only blank lines at the end and the header of a
/// `.tsv` hold none.
pub(super) fn line_of(path: &Path, options: &ReadOptions, example: usize) -> usize {
    let header = ending(path) == "tsv" && tsv::has_header(path, options);
    example + 1 + usize::from(header)
}

/// Adds the pair found in the line last read, if it has an input and there is room for it.
fn push(
    builder: &mut Builder,
    lines: &Lines,
    (input, output, subset): (&str, &str, Option<&str>),
) -> Result<()> {
    if input.trim_ascii().is_empty() {
        return Err(lines.error("an input of at least one token", "an empty input"));
    }
    check_room(builder, lines, subset)?;
    builder.push_texts(input, output, subset);
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
    Error::data(path, "a name ending in .txt, .src, .en, .tsv or .jsonl, or one of these with .gz", found)
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

    #[test]
    fn the_ending_is_found_below_gz() {
        for (path, expected) in
            [("a/b.txt", "txt"), ("b.src.gz", "src"), ("b.gz", ""), ("b", ""), ("v1.2/b", "")]
        {
            assert_eq!(ending(Path::new(path)), expected, "{path}");
        }
    }
}
