//! Built-in tasks: their names, their published files, their generators.
//!
//! Each benchmark has a file of its own in this folder with a list of [`Task`]s; adding one means adding its list
//! to `LISTS`.

use super::{
    Cut, Dataset, Origin, ReadOptions, Tokens, everyday, format::read_rows, hint, image, language,
    lines::absent, mt, pcfg, read, scan,
};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// The training or the test set of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is learned from.
    Train,
    /// What is measured on.
    Test,
}

/// A built-in task.
pub struct Task {
    /// The name to ask for, such as `scan/length`.
    pub name: &'static str,
    /// What it measures, in one line.
    pub about: &'static str,
    /// The published training and test files, below the data folder; there they may also end in `.gz`.
    pub(super) files: [&'static str; 2],
    /// The column and the value in it that mark the task's rows, where it has a part of a `.tsv` only.
    pub(super) rows: Option<(&'static str, &'static str)>,
    /// How inputs are cut into tokens.
    pub tokens: Tokens,
    /// Makes the data from a seed where the files are not at hand.
    pub(super) generate: Option<fn(Part, u64) -> Dataset>,
}

const LISTS: &[&[Task]] =
    &[scan::TASKS, hint::TASKS, pcfg::TASKS, mt::TASKS, language::TASKS, everyday::TASKS];

/// All built-in tasks.
pub fn tasks() -> impl Iterator<Item = &'static Task> {
    LISTS.iter().copied().flatten()
}

/// Loads the built-in task or file called `name_or_path`; a task's name comes first.
///
/// A task comes from its published files if `data_dir` has both of them, otherwise from its generator, to which
/// `seed` goes; [`Dataset::origin`] says which. `options` are for files: a task knows its own. A file is one set
/// and the same for either `part`.
pub fn load(
    name_or_path: &str,
    part: Part,
    data_dir: Option<&Path>,
    seed: u64,
    options: &ReadOptions,
) -> Result<Dataset> {
    match tasks().find(|task| task.name == name_or_path) {
        Some(task) => task.load(part, data_dir, seed),
        None if Path::new(name_or_path).exists() => read(name_or_path, options),
        None => Err(unknown(name_or_path)),
    }
}

/// The first of the published files of the built-in task `name`, with pictures or not, that `folder` does not hold:
/// why the task would be generated.
pub fn missing_file(name: &str, folder: &Path) -> Option<PathBuf> {
    match tasks().find(|task| task.name == name) {
        Some(task) => {
            let mut files = task.files.iter();
            files.find(|file| find(folder, file).is_none()).map(|file| folder.join(file))
        }
        None => image::missing_file(name, folder),
    }
}

impl Task {
    /// One that cannot be generated: there are only files.
    pub(super) const fn of_files(name: &'static str, about: &'static str, files: [&'static str; 2]) -> Task {
        Task { name, about, files, rows: None, tokens: Tokens::Words, generate: None }
    }

    /// Loads one part; see [`load`].
    pub fn load(&self, part: Part, data_dir: Option<&Path>, seed: u64) -> Result<Dataset> {
        let found = match (data_dir.and_then(|folder| self.official(folder)), self.generate) {
            (Some(files), _) => self.read_official(&files[part as usize])?,
            (None, Some(generate)) => generate(part, seed),
            (None, None) => return Err(self.missing(part, data_dir)),
        };
        let cut = Cut { inputs: self.tokens, outputs: Tokens::Words };
        Ok(Dataset { name: self.name.to_owned(), cut, ..found })
    }

    /// The published files, if both are there: a part of each kind might overlap.
    fn official(&self, folder: &Path) -> Option<[PathBuf; 2]> {
        let [train, test] = self.files.map(|file| find(folder, file));
        Some([train?, test?])
    }

    fn read_official(&self, path: &Path) -> Result<Dataset> {
        let options = ReadOptions {
            tokens: Some(self.tokens),
            output_tokens: Some(Tokens::Words),
            ..ReadOptions::default()
        };
        Ok(Dataset { origin: Origin::Official, ..read_rows(path, &options, self.rows)? })
    }

    fn missing(&self, part: Part, data_dir: Option<&Path>) -> Error {
        let [wanted, other] = match part {
            Part::Train => self.files,
            Part::Test => [self.files[1], self.files[0]],
        };
        let Some(folder) = data_dir else {
            return Error::data(self.name, format!("a data folder that holds {wanted}"), "no data folder");
        };
        let file = if find(folder, wanted).is_none() { wanted } else { other };
        absent(&folder.join(file), format!("the data folder to hold the files of {}", self.name))
    }
}

/// The file below `folder`, compressed or not.
pub(super) fn find(folder: &Path, file: &str) -> Option<PathBuf> {
    ["", ".gz"].iter().map(|ending| folder.join(format!("{file}{ending}"))).find(|path| path.is_file())
}

pub(super) fn unknown(name: &str) -> Error {
    let names: Vec<_> = tasks().map(|task| task.name).collect();
    Error::data(name, format!("a file or one of {}", names.join(", ")), "neither")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_described() {
        let mut names: Vec<_> = tasks().map(|task| task.name).collect();
        assert!(tasks().all(|task| !task.about.is_empty() && !task.about.contains('\n')));
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_task_without_files_or_generator_says_what_is_missing() {
        let task = Task::of_files("no/such", "", ["a.txt", "b.txt"]);
        let error = task.load(Part::Test, Some(Path::new("dir")), 0).unwrap_err().to_string();
        assert_eq!(
            error,
            "dir/b.txt: expected the data folder to hold the files of no/such, found no such file"
        );
        let error = task.load(Part::Train, None, 0).unwrap_err().to_string();
        assert_eq!(error, "no/such: expected a data folder that holds a.txt, found no data folder");
    }
}
