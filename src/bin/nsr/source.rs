//! Where data and models come from.

use crate::args::{DataArgs, TokensArg};
use anyhow::bail;
use nsr::data::{self, Dataset, Part, ReadOptions, Tokens};
use nsr::model::{Model, Settings};
use std::path::PathBuf;

impl DataArgs {
    /// Loads a task or file.
    pub fn load(&self, name: &str, part: Part, seed: u64) -> anyhow::Result<Dataset> {
        if part == Part::Train && is_task(name) {
            self.refuse_columns(name)?;
        }
        Ok(data::load(name, part, self.folder().as_deref(), seed, &self.options())?)
    }

    /// Columns are those of files: who names one here probably means something else.
    fn refuse_columns(&self, task: &str) -> anyhow::Result<()> {
        for (flag, column) in [("--input", &self.input), ("--output", &self.output)] {
            if let Some(column) = column {
                let hint = if flag == "--output" { "; the model's file is --out" } else { "" };
                bail!(
                    "{flag}: expected a file with columns, found {column} for the built-in task {task}{hint}"
                );
            }
        }
        Ok(())
    }

    /// How inputs are cut; a built-in task knows its own.
    pub fn tokens_of(&self, name: &str) -> Tokens {
        let task = data::tasks().find(|task| task.name == name);
        task.map_or(self.options().tokens, |task| task.tokens)
    }

    /// What is chosen when learning from `data`.
    pub fn settings(&self, data: &Dataset, seed: u64) -> Settings {
        Settings { seed, tokens: self.tokens_of(&data.name), ..Settings::default() }
    }

    /// A model knows how its inputs are cut; files for it are read in the same way.
    pub fn cut_like(&self, model: &Model) -> DataArgs {
        let tokens = if model.settings.tokens == Tokens::Chars { TokensArg::Chars } else { self.tokens };
        DataArgs { tokens, ..self.clone() }
    }

    /// The folder with the published files.
    pub fn folder(&self) -> Option<PathBuf> {
        let from_environment = || std::env::var_os("NSR_DATA").filter(|folder| !folder.is_empty());
        self.data_dir.clone().or_else(|| from_environment().map(PathBuf::from))
    }

    /// How files are read.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            tokens: match self.tokens {
                TokensArg::Words => Tokens::Words,
                TokensArg::Chars => Tokens::Chars,
            },
            input_column: self.input.clone(),
            output_column: self.output.clone(),
        }
    }
}

/// Whether `name` is a built-in task.
pub fn is_task(name: &str) -> bool {
    data::tasks().any(|task| task.name == name)
}
