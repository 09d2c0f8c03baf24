//! Where data and models come from.

use crate::args::{DataArgs, TokensArg};
use crate::escape::tell;
use anyhow::bail;
use nsr::data::{self, Cut, Dataset, Origin, Part, ReadOptions, Tokens, missing_file};
use nsr::model::Model;
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
            self.refuse_tokens(name)?;
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

    /// A model knows how its texts are cut; files for it are read in the same way, and who says another is mistaken.
    pub fn cut_like(&self, model: &Model) -> anyhow::Result<DataArgs> {
        let Cut { inputs, outputs } = model.settings.cut();
        for (flag, said, cut) in
            [("--tokens", self.tokens, inputs), ("--output-tokens", self.output_tokens, outputs)]
        {
            if let Some(said) = said.map(Tokens::from).filter(|&said| said != cut) {
                bail!("{flag}: expected {cut}, as the model was trained, found {said}");
            }
        }
        Ok(self.cut_as(Cut { inputs, outputs }))
    }

    /// Whether the cut of inputs, and of outputs, of a task or file is left to be guessed.
    pub fn guesses(&self, name: &str) -> [bool; 2] {
        [self.tokens, self.output_tokens].map(|said| said.is_none() && !is_task(name))
    }

    /// Reads files cut in this way.
    pub fn cut_as(&self, Cut { inputs, outputs }: Cut) -> DataArgs {
        let said = |tokens| match tokens {
            Tokens::Words => Some(TokensArg::Words),
            Tokens::Chars => Some(TokensArg::Chars),
            Tokens::Pieces => Some(TokensArg::Pieces),
        };
        DataArgs { tokens: said(inputs), output_tokens: said(outputs), ..self.clone() }
    }

    /// A built-in task is cut as it was published.
    fn refuse_tokens(&self, task: &str) -> anyhow::Result<()> {
        let found = data::tasks().find(|other| other.name == task).map(|task| task.tokens);
        let own =
            [("--tokens", self.tokens, found), ("--output-tokens", self.output_tokens, Some(Tokens::Words))];
        for (flag, said, own) in own {
            if let (Some(said), Some(own)) = (said.map(Tokens::from), own)
                && said != own
            {
                bail!("{flag}: expected {own} for the built-in task {task}, found {said}");
            }
        }
        Ok(())
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
            tokens: self.tokens.map(Tokens::from),
            output_tokens: self.output_tokens.map(Tokens::from),
            input_column: self.input.clone(),
            output_column: self.output.clone(),
        }
    }
}

impl From<TokensArg> for Tokens {
    fn from(tokens: TokensArg) -> Tokens {
        match tokens {
            TokensArg::Words => Tokens::Words,
            TokensArg::Chars => Tokens::Chars,
            TokensArg::Pieces => Tokens::Pieces,
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
        let file = file.display();
        tell(&format!("nsr: {task}: generated data are used, as {file} was not found"));
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
