//! Experience: programs that earlier tasks needed, so that later ones find them sooner.
//!
//! A task that is learned leaves functions of two numbers behind. With them at hand, which costs nothing where they do not help, later tasks find
//! what is built on them: remainders on quotients and products. [`Experience::built_in`] was learned by [`lessons`](mod@lessons), from nothing.

pub mod lessons;

use crate::error::{Error, Result};
use crate::model::Model;
use crate::number::expression::{Expression, Fuel};
use crate::number::integer::Integer;
use crate::values::program::Program;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Functions that were learned, each once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Learned>", into = "Vec<Learned>")]
pub struct Experience(Vec<Learned>);

/// A function that was learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    /// The program, of two numbers.
    pub program: Arc<Expression>,
    /// What it cost to say where it was learned first, in bits.
    pub bits: f64,
    /// The tasks that needed it.
    pub from: Vec<String>,
}

/// More functions are not taken in: each makes the search for others longer.
const MOST: usize = 32;

/// A file of another version may mean something else.
const VERSION: u32 = 1;

/// What a file holds.
#[derive(Serialize, Deserialize)]
struct File {
    experience: u32,
    /// Of the functions as they are written here.
    checksum: u32,
    functions: Vec<Learned>,
}

impl Experience {
    /// None.
    pub fn none() -> Experience {
        Experience::default()
    }

    /// What comes with the library.
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn built_in() -> Experience {
        static BUILT_IN: LazyLock<Experience> = LazyLock::new(|| {
            read(include_str!("built_in.json")).expect("the experience that comes with the library is sound")
        });
        BUILT_IN.clone()
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Experience> {
        let io = |source| Error::io(path, source);
        let bytes = std::fs::read(path).map_err(io)?;
        let wrong = |(expected, found): Wrong| Error::data(path, expected, found);
        let text = String::from_utf8(bytes)
            .map_err(|_| wrong(("an experience, written as JSON".to_owned(), "no text".to_owned())))?;
        read(&text).map_err(wrong)
    }

    /// Writes a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let io = |source| Error::io(path, source);
        let file = File { experience: VERSION, checksum: checksum(&self.0), functions: self.0.clone() };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut out = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(io)?;
        serde_json::to_writer_pretty(&mut out, &file).map_err(|error| io(error.into()))?;
        out.write_all(b"\n").map_err(io)?;
        out.persist(path).map_err(|error| io(error.error))?;
        Ok(())
    }

    /// The functions.
    pub fn functions(&self) -> &[Learned] {
        &self.0
    }

    /// The programs alone.
    pub(crate) fn programs(&self) -> Vec<Arc<Expression>> {
        self.0.iter().map(|learned| Arc::clone(&learned.program)).collect()
    }

    /// Takes in the functions of a model; how many are new.
    pub fn add(&mut self, model: &Model) -> usize {
        let before = self.0.len();
        for known in model.computes().into_iter().flat_map(|known| known.entries()) {
            let Some(program) = function(&known.entry.program, known.entry.pattern.slots()) else { continue };
            let from = &model.task;
            match self.0.iter_mut().find(|learned| behaviour(&learned.program) == behaviour(&program)) {
                Some(learned) if !learned.from.contains(from) => learned.from.push(from.clone()),
                Some(_) => {}
                None => self.0.push(Learned { program, bits: known.bits, from: vec![from.clone()] }),
            }
        }
        self.0.truncate(MOST);
        self.0.len() - before
    }
}

/// The function of two numbers that a program of an entry with so many slots is, or folds a row with.
pub(crate) fn function(program: &Program, slots: usize) -> Option<Arc<Expression>> {
    let function = match program {
        Program::Number(expression) if slots == 2 => Some(Arc::clone(expression)),
        Program::Fold(expression) => Some(Arc::clone(expression)),
        Program::Linear(factors) => Expression::of_factors(factors),
        _ => None,
    };
    function.filter(|function| function.uses(0) && function.uses(1))
}

/// What tells functions apart.
pub(crate) fn behaviour(function: &Expression) -> Vec<Option<Integer>> {
    let value = |number: i64| {
        let arguments = [Integer::from(number % 7), Integer::from(number / 7 - 1)];
        function.evaluate(&arguments, &mut Fuel::for_learning())
    };
    (0..40).map(value).collect()
}

fn checksum(functions: &[Learned]) -> u32 {
    crc32fast::hash(&serde_json::to_vec(functions).unwrap_or_default())
}

/// What was expected and what was found.
type Wrong = (String, String);

fn read(text: &str) -> std::result::Result<Experience, Wrong> {
    let wrong = |expected: &str, found: String| (expected.to_owned(), found);
    let unreadable = |error: serde_json::Error| wrong("an experience, written as JSON", error.to_string());
    let value: serde_json::Value = serde_json::from_str(text).map_err(unreadable)?;
    let version = value.get("experience").and_then(serde_json::Value::as_u64);
    if version != Some(u64::from(VERSION)) {
        let found = version.map_or("another file".to_owned(), |version| format!("version {version}"));
        return Err((format!("an experience of version {VERSION}"), found));
    }
    let File { checksum: told, functions, .. } = serde_json::from_value(value).map_err(unreadable)?;
    if checksum(&functions) != told {
        return Err(wrong("functions as they were written", "others: the file was altered".to_owned()));
    }
    Experience::try_from(functions).map_err(|expected| wrong(&expected, "others".to_owned()))
}

impl From<Experience> for Vec<Learned> {
    fn from(experience: Experience) -> Vec<Learned> {
        experience.0
    }
}

impl TryFrom<Vec<Learned>> for Experience {
    type Error = String;

    /// Checks all that learning relies on: files come from strangers.
    fn try_from(functions: Vec<Learned>) -> std::result::Result<Experience, String> {
        let is_sound = |learned: &Learned| learned.program.is_sound(2) && learned.bits.is_finite();
        match functions.len() <= MOST && functions.iter().all(is_sound) {
            true => Ok(Experience(functions)),
            false => Err(format!("at most {MOST} functions of two numbers")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::expression::Operation;

    #[test]
    fn what_comes_with_the_library_is_sound_and_has_remainders() {
        let operations: Vec<String> =
            Experience::built_in().functions().iter().map(|learned| learned.program.to_string()).collect();
        assert!(operations.iter().any(|text| text.contains("mod")), "{operations:?}");
    }

    #[test]
    fn a_file_that_was_cut_altered_or_is_newer_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("e.json");
        let experience = Experience::built_in();
        experience.save(&path).unwrap();
        assert_eq!(Experience::load(&path).unwrap(), experience);
        let text = std::fs::read_to_string(&path).unwrap();
        let told = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Experience::load(&path).unwrap_err().to_string()
        };
        assert!(told(&text[..text.len() / 2]).contains("expected an experience, written as JSON"));
        let newer = text.replacen("\"experience\": 1", "\"experience\": 2", 1);
        assert!(told(&newer).contains("expected an experience of version 1, found version 2"));
        let altered = text.replacen("\"bits\": ", "\"bits\": 1", 1);
        assert!(told(&altered).contains("the file was altered"));
    }

    #[test]
    fn a_sum_is_a_function() {
        let add = function(&Program::Linear(vec![0, 1, 1, 0]), 2).unwrap();
        let two = |number| Integer::from(number);
        assert_eq!(add.evaluate(&[two(2), two(3)], &mut Fuel::for_learning()), Some(two(5)));
        assert_eq!(add, Expression::operation(Operation::Add));
        assert_eq!(function(&Program::Linear(vec![1, 1]), 1), None);
    }
}
