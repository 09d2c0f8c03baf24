//! Lines of a text file, compressed or not, one at a time and bounded.
//!
//! Only one line is held in memory, and both a line and the whole text have a limit, so neither a long file nor
//! a small compressed one that unfolds without end can exhaust memory.

use crate::error::{Error, Result};
use flate2::read::MultiGzDecoder;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, ErrorKind, Read},
    mem,
    path::{Path, PathBuf},
};

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 1 << 20;
/// The longest text that is read, in bytes after decompression.
pub const MAX_BYTES: u64 = 4 << 30;

/// Reads a file line by line, remembering where it is.
pub(super) struct Lines {
    path: PathBuf,
    reader: Box<dyn BufRead>,
    line: String,
    number: usize,
    left: u64,
}

impl Lines {
    /// Opens `path`, as gzip if its name ends in `.gz`. `expected` says what it should be, should it be absent.
    pub(super) fn open(path: &Path, expected: &str) -> Result<Lines> {
        let reader = open(path, expected)?;
        Ok(Lines { path: path.into(), reader, line: String::new(), number: 0, left: MAX_BYTES })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The line last read, without its ending.
    pub(super) fn line(&self) -> &str {
        &self.line
    }

    /// The number of the line last read, counted from 1; also the number of lines read.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Reads the next line; false at the end of the file.
    pub(super) fn next(&mut self) -> Result<bool> {
        let mut bytes = mem::take(&mut self.line).into_bytes();
        bytes.clear();
        // Two more than a line may have: its ending, or what shows that it is too long.
        let read = (&mut self.reader).take(MAX_LINE as u64 + 2).read_until(b'\n', &mut bytes);
        let read = read.map_err(|source| self.unreadable(source))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        strip_ending(&mut bytes);
        self.check_size(bytes.len(), read as u64)?;
        self.line = String::from_utf8(bytes).map_err(|error| {
            let place = error.utf8_error().valid_up_to();
            self.error("UTF-8 text", format!("byte 0x{:02x}", error.as_bytes()[place]))
        })?;
        self.strip_mark();
        Ok(true)
    }

    /// Reads the next line that is not blank. Blank lines may end a file, but not stand before another line.
    pub(super) fn next_filled(&mut self, expected: &str) -> Result<bool> {
        let mut first_blank = None;
        while self.next()? {
            match (is_blank(&self.line), first_blank) {
                (true, _) => first_blank = first_blank.or(Some(self.number)),
                (false, Some(line)) => return Err(self.error_at(line, expected, "an empty line")),
                (false, None) => return Ok(true),
            }
        }
        Ok(false)
    }

    /// An error in the line last read.
    pub(super) fn error(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        self.error_at(self.number, expected, found)
    }

    /// An error in line `line`.
    pub(super) fn error_at(
        &self,
        line: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Error {
        Error::Line { path: self.path.clone(), line, expected: expected.into(), found: found.into() }
    }

    /// Some editors begin a file with a byte order mark; it belongs to no token.
    fn strip_mark(&mut self) {
        const MARK: char = '\u{feff}';
        if self.number == 1 && self.line.starts_with(MARK) {
            self.line.remove(0);
        }
    }

    fn check_size(&mut self, length: usize, read: u64) -> Result<()> {
        if length > MAX_LINE {
            return Err(self.error(format!("a line of at most {MAX_LINE} bytes"), "a longer one"));
        }
        match self.left.checked_sub(read) {
            Some(left) => self.left = left,
            None => return Err(self.error(format!("at most {MAX_BYTES} bytes of text"), "more")),
        }
        Ok(())
    }

    /// Damaged compression is the file's fault and told with its place, anything else is the system's.
    fn unreadable(&self, source: io::Error) -> Error {
        match is_damage(&source) {
            true => self.error_at(self.number + 1, "intact gzip data", source.to_string()),
            false => Error::io(&self.path, source),
        }
    }
}

/// Opens `path` for reading, as gzip if its name ends in `.gz`. `expected` says what it should be, should it be
/// absent.
pub(super) fn open(path: &Path, expected: &str) -> Result<Box<dyn BufRead>> {
    let file = File::open(path).map_err(|source| match source.kind() {
        ErrorKind::NotFound => absent(path, expected),
        _ => Error::io(path, source),
    })?;
    Ok(match is_gz(path) {
        true => Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file))),
        false => Box::new(BufReader::with_capacity(1 << 16, file)),
    })
}

/// Whether an error in reading is due to what the file holds, not to the system.
pub(super) fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof)
}

fn strip_ending(line: &mut Vec<u8>) {
    for ending in [b'\n', b'\r'] {
        if line.last() == Some(&ending) {
            line.pop();
        }
    }
}

/// Whether the name of `path` ends in `.gz`.
pub(super) fn is_gz(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "gz")
}

/// The error for a file that is not there.
pub(super) fn absent(path: &Path, expected: impl Into<String>) -> Error {
    Error::data(path, expected, "no such file")
}

/// Whether `line` holds nothing but spaces. A tab counts as something: it separates columns.
fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| byte == b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &'static str) -> Lines {
        Lines {
            path: "t".into(),
            reader: Box::new(text.as_bytes()),
            line: String::new(),
            number: 0,
            left: 20,
        }
    }

    fn all(mut lines: Lines) -> Result<Vec<String>> {
        let mut found = Vec::new();
        while lines.next_filled("text")? {
            found.push(lines.line().to_owned());
        }
        Ok(found)
    }

    #[test]
    fn endings_marks_and_last_blank_lines_are_dropped() {
        assert_eq!(all(lines("\u{feff}a b\r\nc\n \n\r\n")).unwrap(), ["a b", "c"]);
        assert_eq!(all(lines("a\nb")).unwrap(), ["a", "b"]);
        assert!(all(lines("")).unwrap().is_empty());
    }

    #[test]
    fn a_blank_line_between_others_is_named() {
        let error = all(lines("a\n\n\nb")).unwrap_err().to_string();
        assert_eq!(error, "t:2: expected text, found an empty line");
    }

    #[test]
    fn the_whole_text_is_bounded() {
        let error = all(lines("123456789\n123456789\n1")).unwrap_err().to_string();
        assert!(error.starts_with("t:3: expected at most"), "{error}");
    }
}
