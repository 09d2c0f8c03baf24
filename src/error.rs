//! Every error a user of the library can meet; each says where, what was expected and what was found.

use std::path::{Path, PathBuf};

/// The library's result type.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong with files, data, models and settings.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be opened, read or written.
    #[error("{path}: expected a file that can be used, found {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line of a data file is not what its format asks for.
    #[error("{path}:{line}: expected {expected}, found {found}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Line number, counted from 1.
        line: usize,
        /// What the format asks for.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A whole file or name is not usable as data.
    #[error("{what}: expected {expected}, found {found}")]
    Data {
        /// The file or name.
        what: String,
        /// What was expected.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A file is not a model, or not one that this version can use.
    #[error("{path}: expected {expected}, found {found}")]
    Model {
        /// The file.
        path: PathBuf,
        /// What a model has.
        expected: String,
        /// What is there.
        found: String,
    },
    /// There is no graphics card that can be used, or it could not do its work.
    #[error("cuda: expected {expected}, found {found}")]
    Device {
        /// What the work needs.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A tree is not a tree: no root or several, a cycle, a head out of range.
    #[error("tree: expected {expected}, found {found}")]
    Tree {
        /// What makes it a tree.
        expected: &'static str,
        /// What was given.
        found: String,
    },
}

impl Error {
    /// Wraps an I/O error with the file it came from.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Error {
        Error::Io { path: path.into(), source }
    }

    /// What is wrong with a whole file or name.
    pub fn data(what: impl AsRef<Path>, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::Data {
            what: what.as_ref().display().to_string(),
            expected: expected.into(),
            found: found.into(),
        }
    }
}
