//! Where data and models come from.

use crate::args::{DataArgs, TokensArg};
use anyhow::bail;
use nsr::data::{self, Dataset, Origin, Part, ReadOptions, Tokens, missing_file};
use nsr::model::{Model, Settings};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

impl DataArgs {
    /// Loads a task or file.
    pub fn load(&self, name: &str, part: Part, seed: u64) -> anyhow::Result<Dataset> {
        if !is_task(name) {
            return Ok(data::load(name, part, None, seed, &self.options())?);
        }
        if part == Part::Train {
            self.refuse_columns(name)?;
        }
        let folder = self.folder()?;
        let found = data::load(name, part, folder.as_deref(), seed, &self.options())?;
        tell_generated(name, found.origin, folder.as_deref());
        Ok(found)
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

    /// The folder with the published files, if one was named; it must be there.
    pub fn folder(&self) -> anyhow::Result<Option<PathBuf>> {
        let from_environment = || std::env::var_os("NSR_DATA").filter(|folder| !folder.is_empty());
        let (folder, by) = match &self.data_dir {
            Some(folder) => (folder.clone(), "--data-dir"),
            None => match from_environment() {
                Some(folder) => (PathBuf::from(folder), "NSR_DATA"),
                None => return Ok(None),
            },
        };
        if !folder.is_dir() {
            let found = if folder.exists() { "a file" } else { "no such folder" };
            bail!("{}: expected the data folder that {by} names, found {found}", folder.display());
        }
        Ok(Some(folder))
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

/// Says once for each task that it is generated although there is a data folder, and why.
pub fn tell_generated(task: &str, origin: Origin, folder: Option<&Path>) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let missing =
        folder.filter(|_| origin == Origin::Generated).and_then(|folder| missing_file(task, folder));
    if let (Some(file), Ok(mut told)) = (missing, TOLD.lock())
        && told.insert(task.to_owned())
    {
        eprintln!("nsr: {task}: generated data are used, as {} was not found", file.display());
    }
}

/// How JSON says where data come from.
pub fn kind(origin: Origin) -> &'static str {
    match origin {
        Origin::File | Origin::Official => "files",
        Origin::Generated => "generated",
    }
}

/// Whether `name` is a built-in task.
pub fn is_task(name: &str) -> bool {
    data::tasks().any(|task| task.name == name)
}
