//! Handwritten pictures of the 16 symbols of HINT, by writers who are in one set only.
//!
//! The pictures of the CROHME competitions are used where the data folder has them; otherwise [`pen`] draws some.
//! What a picture shows is known: without that, no expression could be composed. But it must never be learned from,
//! so it is kept apart, in [`Labels`], which nothing that learns takes.

pub mod pen;
mod shapes;

use super::picture::{Pictures, Preprocess, read_labels};
use super::{Origin, builtin::find, lines::Lines};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// The symbols as HINT writes them, in the order of the labels.
pub const SYMBOLS: [char; 16] =
    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '*', '/', '(', ')'];
/// The symbols as the published files call them.
const CLASSES: [&str; 16] =
    ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "+", "-", "times", "div", "(", ")"];
/// Where the published files lie below the data folder.
const FOLDER: &str = "handwriting";

/// Writers, none of whom is in two of these sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writers {
    /// Those whose pictures are learned from.
    Train,
    /// Those for trying things out.
    Validation,
    /// Those whose pictures are measured on.
    Test,
}

impl Writers {
    /// All three sets.
    pub const ALL: [Writers; 3] = [Writers::Train, Writers::Validation, Writers::Test];

    /// How the published files call the set.
    fn name(self) -> &'static str {
        match self {
            Writers::Train => "train",
            Writers::Validation => "val",
            Writers::Test => "test",
        }
    }
}

/// What pictures show, for composing expressions and for measuring; never to be learned from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<u8>);

impl Labels {
    /// The number of pictures.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The place in [`SYMBOLS`] of what picture `number` truly shows.
    pub fn truth(&self, number: u32) -> Option<usize> {
        self.0.get(number as usize).map(|&label| usize::from(label))
    }

    /// How pure groups of pictures are: the share of grouped pictures that show what most of their group show, and of
    /// how many pictures.
    pub fn purity(&self, groups: &[Option<u16>]) -> (f64, usize) {
        let count = groups.iter().flatten().max().map_or(0, |&last| usize::from(last) + 1);
        let mut counts = vec![[0usize; SYMBOLS.len()]; count];
        for (group, &label) in groups.iter().zip(&self.0) {
            group.iter().for_each(|&group| counts[usize::from(group)][usize::from(label)] += 1);
        }
        let most: usize = counts.iter().filter_map(|counts| counts.iter().max()).sum();
        let all: usize = counts.iter().flatten().sum();
        (most as f64 / all.max(1) as f64, all)
    }

    /// The numbers of the pictures of each of [`SYMBOLS`].
    pub(super) fn by_symbol(&self) -> [Vec<u32>; SYMBOLS.len()] {
        let mut numbers = [const { Vec::new() }; SYMBOLS.len()];
        for (number, &label) in (0..).zip(&self.0) {
            numbers[usize::from(label)].push(number);
        }
        numbers
    }
}

/// Pictures of symbols, and apart from them what they show.
pub struct Handwriting {
    /// The pictures, in no order of symbols.
    pub pictures: Pictures,
    /// What they show.
    pub labels: Labels,
    /// Published, or drawn by us.
    pub origin: Origin,
}

/// The pictures of a set of writers: the published ones if `data_dir` holds the files of all sets, otherwise drawn
/// ones, to which `seed` goes.
pub fn load(
    writers: Writers,
    data_dir: Option<&Path>,
    seed: u64,
    preprocess: &Preprocess,
) -> Result<Handwriting> {
    let Some(folder) = data_dir.filter(|folder| missing_file(folder).is_none()) else {
        let (pictures, labels) = pen::draw(writers, seed);
        let pictures = Pictures::prepare(&pictures, preprocess)?;
        return Ok(Handwriting { pictures, labels, origin: Origin::Generated });
    };
    let folder = folder.join(FOLDER);
    check_classes(&folder)?;
    let pictures = Pictures::read(&file(&folder, writers, "images-idx3-ubyte"), preprocess)?;
    let path = file(&folder, writers, "labels-idx1-ubyte");
    let labels = checked(&path, read_labels(&path)?, pictures.len())?;
    Ok(Handwriting { pictures, labels, origin: Origin::Official })
}

/// The first published file of any set that the data folder does not hold: drawn pictures beside others would be
/// another task.
pub(super) fn missing_file(data_dir: &Path) -> Option<PathBuf> {
    let folder = data_dir.join(FOLDER);
    let kinds = ["images-idx3-ubyte", "labels-idx1-ubyte"];
    let names = Writers::ALL.iter().flat_map(|set| kinds.map(|kind| format!("{}-{kind}", set.name())));
    names.into_iter().find(|name| find(&folder, name).is_none()).map(|name| folder.join(name))
}

fn file(folder: &Path, writers: Writers, kind: &str) -> PathBuf {
    let name = format!("{}-{kind}", writers.name());
    find(folder, &name).unwrap_or_else(|| folder.join(name))
}

/// Labels are numbers of lines in `classes.txt`; these must be the lines we take them for.
fn check_classes(folder: &Path) -> Result<()> {
    let path = find(folder, "classes.txt").unwrap_or_else(|| folder.join("classes.txt"));
    let mut lines = Lines::open(&path, "the names of the classes")?;
    for class in CLASSES {
        if !lines.next()? || lines.line() != class {
            let expected = format!("class `{class}`");
            return Err(lines.error(expected, format!("`{}`", lines.line().escape_debug())));
        }
    }
    Ok(())
}

/// As many labels as there are pictures, and none beyond the last symbol.
fn checked(path: &Path, labels: Vec<u8>, pictures: usize) -> Result<Labels> {
    let complain = |expected: String, found: String| Err(Error::data(path, expected, found));
    if labels.len() != pictures {
        return complain(format!("{pictures} labels, one for each picture"), labels.len().to_string());
    }
    match labels.iter().find(|&&label| usize::from(label) >= SYMBOLS.len()) {
        Some(label) => complain(format!("labels below {}", SYMBOLS.len()), label.to_string()),
        None => Ok(Labels(labels)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::picture::{Picture, write_idx};
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    /// A data folder with two pictures and the given labels in every set.
    fn published(labels: &[u8]) -> TempDir {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join(FOLDER);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("classes.txt"), CLASSES.join("\n")).unwrap();
        for set in Writers::ALL {
            write_idx(
                &folder.join(format!("{}-images-idx3-ubyte", set.name())),
                &[Picture::black(3, 3), Picture::black(3, 3)],
            )
            .unwrap();
            let header = [&[0, 0, 8, 1, 0, 0, 0, labels.len() as u8], labels].concat();
            fs::write(folder.join(format!("{}-labels-idx1-ubyte", set.name())), header).unwrap();
        }
        data
    }

    fn load_from(data: &TempDir) -> std::result::Result<Handwriting, String> {
        let found = load(Writers::Test, Some(data.path()), 0, &Preprocess::default());
        let folder = format!("{}/", data.path().display());
        found.map_err(|error| error.to_string().replace(&folder, ""))
    }

    #[test]
    fn published_pictures_come_first() {
        let found = load_from(&published(&[3, 15])).unwrap();
        assert_eq!((found.pictures.len(), found.origin), (2, Origin::Official));
        assert_eq!([0, 1, 2].map(|number| found.labels.truth(number)), [Some(3), Some(15), None]);
    }

    #[test]
    fn an_incomplete_folder_is_as_none() {
        let data = published(&[3, 15]);
        fs::remove_file(data.path().join("handwriting/val-labels-idx1-ubyte")).unwrap();
        assert_eq!(load_from(&data).unwrap().origin, Origin::Generated);
    }

    #[test]
    fn labels_must_fit() {
        for (labels, expected) in
            [(&[3][..], "2 labels, one for each picture, found 1"), (&[3, 16], "labels below 16, found 16")]
        {
            let complaint = load_from(&published(labels)).err().unwrap();
            assert_eq!(complaint, format!("handwriting/test-labels-idx1-ubyte: expected {expected}"));
        }
        let data = published(&[3, 15]);
        fs::write(data.path().join("handwriting/classes.txt"), "0\n2\n").unwrap();
        let complaint = load_from(&data).err().unwrap();
        assert_eq!(complaint, "handwriting/classes.txt:2: expected class `1`, found `2`");
    }
}
