//! The log of training: one JSON object per line.

use anyhow::Context;
use serde_json::Value;
use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};

/// A log file, or none. The first failure ends the log, not the training; it is told at the end.
#[derive(Default)]
pub struct Log {
    file: Option<(PathBuf, LineWriter<File>)>,
    failure: Option<(PathBuf, io::Error)>,
}

impl Log {
    /// Starts a log at `path`, if there is one.
    pub fn create(path: Option<&Path>) -> anyhow::Result<Log> {
        let Some(path) = path else { return Ok(Log::default()) };
        let file = File::create(path).with_context(|| path.display().to_string())?;
        Ok(Log { file: Some((path.to_owned(), LineWriter::new(file))), failure: None })
    }

    /// Adds a line.
    pub fn write(&mut self, line: &Value) {
        let Some((_, file)) = &mut self.file else { return };
        if let Err(error) = writeln!(file, "{line}") {
            self.failure = self.file.take().map(|(path, _)| (path, error));
        }
    }

    /// Tells whether all of it was written.
    pub fn finish(self) -> anyhow::Result<()> {
        match self.failure {
            None => Ok(()),
            Some((path, error)) => Err(error).with_context(|| path.display().to_string()),
        }
    }
}
