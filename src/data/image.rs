//! Data sets whose inputs are rows of pictures.
//!
//! [`load_images`] is the front door. `hint/image` is HINT with every symbol of an expression replaced by a
//! handwritten picture of it; a user's own data are a file in any format of [`data::format`](super::format), whose inputs
//! name pictures by number or file name, and the pictures beside it. What a picture shows is not part of such a
//! data set; for composed ones it is handed out apart, for measuring.

use super::handwriting::{self, Handwriting, Labels, SYMBOLS, Writers};
use super::picture::{Pictures, Preprocess};
use super::{Dataset, Origin, Part, ReadOptions, Tokens, builtin, format, load, read};
use crate::error::{Error, Result};
use crate::symbol::{Symbol, Vocabulary};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};

/// The built-in tasks with pictures, and what each measures.
pub const IMAGE_TASKS: [(&str, &str); 2] = [
    ("hint/image", "HINT, its symbols handwritten; tested on other writers"),
    ("hint/image-val", "HINT, its symbols handwritten; tested on its validation set, by still other writers"),
];

/// A row of pictures and the wanted output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageExample {
    /// Numbers of [`ImageDataset::pictures`], at least one.
    pub input: Box<[u32]>,
    /// Output tokens; numbers of [`ImageDataset::outputs`].
    pub output: Box<[Symbol]>,
    /// The part of the test set it belongs to, an index into [`ImageDataset::subsets`].
    pub subset: Option<u16>,
}

/// Examples with their pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageDataset {
    /// The task's name, or the path as it was given.
    pub name: String,
    /// Where it comes from; [`Origin::Official`] only if both expressions and pictures do.
    pub origin: Origin,
    /// All pictures, used or not.
    pub pictures: Pictures,
    /// Names of output tokens.
    pub outputs: Vocabulary,
    /// The examples.
    pub examples: Vec<ImageExample>,
    /// Names of subsets.
    pub subsets: Vec<String>,
}

/// How data with pictures are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageOptions {
    /// The pictures of a file: an IDX file or a folder. A built-in task has its own.
    pub images: Option<PathBuf>,
    /// How the file is read.
    pub read: ReadOptions,
    /// How pictures are brought to one size.
    pub preprocess: Preprocess,
}

/// Loads the built-in task or file called `name_or_path`, a task's name first; see [`load`] for the other arguments.
pub fn load_images(
    name_or_path: &str,
    part: Part,
    data_dir: Option<&Path>,
    seed: u64,
    options: &ImageOptions,
) -> Result<ImageDataset> {
    if IMAGE_TASKS.iter().any(|(name, _)| *name == name_or_path) {
        return Ok(load_hint(name_or_path, part, data_dir, seed, &options.preprocess)?.0);
    }
    if !Path::new(name_or_path).exists() {
        return Err(unknown(name_or_path));
    }
    let Some(images) = &options.images else {
        return Err(Error::data(name_or_path, "pictures for its inputs", "no file or folder of them"));
    };
    let pictures = Pictures::read(images, &options.preprocess)?;
    let path = Path::new(name_or_path);
    let complain = |example: usize, expected: String, found: String| {
        let line = format::line_of(path, &options.read, example);
        Error::Line { path: path.to_owned(), line, expected, found }
    };
    // Names of pictures stand between blanks, and may hold anything else.
    let tokens = options.read.tokens.or(Some(Tokens::Words));
    let options = ReadOptions { tokens, output_tokens: Some(Tokens::Words), ..options.read.clone() };
    ImageDataset::numbered(&read(path, &options)?, pictures, complain)
}

/// One of [`IMAGE_TASKS`], with what its pictures truly show: for measuring, never to be learned from.
pub fn load_hint(
    name: &str,
    part: Part,
    data_dir: Option<&Path>,
    seed: u64,
    preprocess: &Preprocess,
) -> Result<(ImageDataset, Labels)> {
    let (task, writers) = match (name, part) {
        ("hint/image" | "hint/image-val", Part::Train) => ("hint", Writers::Train),
        ("hint/image", Part::Test) => ("hint", Writers::Test),
        ("hint/image-val", Part::Test) => ("hint/val", Writers::Validation),
        _ => return Err(unknown(name)),
    };
    let expressions = load(task, part, data_dir, seed, &ReadOptions::default())?;
    let handwriting = handwriting::load(writers, data_dir, seed, preprocess)?;
    let (data, labels) = compose(&expressions, handwriting, seed)?;
    Ok((ImageDataset { name: name.to_owned(), ..data }, labels))
}

/// The same as [`builtin::missing_file`] for one of [`IMAGE_TASKS`]: of its expressions, then of its pictures.
pub(super) fn missing_file(name: &str, folder: &Path) -> Option<PathBuf> {
    let expressions = match name {
        "hint/image" => &["hint"][..],
        "hint/image-val" => &["hint", "hint/val"],
        _ => return None,
    };
    let missing = expressions.iter().find_map(|task| builtin::missing_file(task, folder));
    missing.or_else(|| handwriting::missing_file(folder))
}

/// Replaces every symbol of `expressions` by a picture of it.
///
/// This is HINT's own procedure: the pictures of a symbol are shuffled and used in turn, and shuffled again when all
/// have been used.
pub fn compose(expressions: &Dataset, handwriting: Handwriting, seed: u64) -> Result<(ImageDataset, Labels)> {
    let Handwriting { pictures, labels, origin } = handwriting;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut decks = labels.by_symbol().map(|numbers| Deck { left: Vec::new(), numbers });
    // Where the pictures of each input token lie.
    let places: Vec<Option<usize>> = expressions.inputs.names().iter().map(|name| place(name)).collect();
    let examples = expressions.examples.iter().map(|example| {
        let draw = |&symbol: &Symbol| {
            let picture = places[symbol.index()].and_then(|place| decks[place].draw(&mut rng));
            picture.ok_or_else(|| {
                let name = expressions.inputs.name(symbol);
                Error::data(&expressions.name, "symbols of which there are pictures", format!("`{name}`"))
            })
        };
        let input = example.input.iter().map(draw).collect::<Result<_>>()?;
        Ok(ImageExample { input, output: example.output.clone(), subset: example.subset })
    });
    let examples = examples.collect::<Result<_>>()?;
    let origin = if expressions.origin == origin { origin } else { Origin::Generated };
    Ok((ImageDataset { origin, ..ImageDataset::with(expressions, pictures, examples) }, labels))
}

/// The place of a token in [`SYMBOLS`].
fn place(name: &str) -> Option<usize> {
    SYMBOLS.iter().position(|symbol| name.chars().eq([*symbol]))
}

/// The pictures of one symbol, in random order, over and over.
struct Deck {
    numbers: Vec<u32>,
    left: Vec<u32>,
}

impl Deck {
    /// The next picture; none if the symbol has none at all.
    fn draw(&mut self, rng: &mut ChaCha8Rng) -> Option<u32> {
        if self.left.is_empty() {
            self.left.clone_from(&self.numbers);
            self.left.shuffle(rng);
        }
        self.left.pop()
    }
}

impl ImageDataset {
    /// The data set whose inputs name pictures by number, counted from 0, or by file name.
    pub fn new(data: &Dataset, pictures: Pictures) -> Result<ImageDataset> {
        ImageDataset::numbered(data, pictures, |example, expected, found| {
            Error::data(format!("{}, example {}", data.name, example + 1), expected, found)
        })
    }

    /// The same; `complain` makes an error of an example's place, of what was expected there and what was found.
    fn numbered(
        data: &Dataset,
        pictures: Pictures,
        complain: impl Fn(usize, String, String) -> Error,
    ) -> Result<ImageDataset> {
        let numbers: Vec<Option<u32>> = data.inputs.names().iter().map(|name| pictures.find(name)).collect();
        let examples = data.examples.iter().enumerate().map(|(place, example)| {
            let find = |&symbol: &Symbol| {
                let found = || format!("`{}`", data.inputs.name(symbol).escape_debug());
                numbers[symbol.index()].ok_or_else(|| complain(place, names_of(&pictures), found()))
            };
            let input = example.input.iter().map(find).collect::<Result<_>>()?;
            Ok(ImageExample { input, output: example.output.clone(), subset: example.subset })
        });
        let examples = examples.collect::<Result<_>>()?;
        Ok(ImageDataset::with(data, pictures, examples))
    }

    /// All but the inputs as in `data`.
    fn with(data: &Dataset, pictures: Pictures, examples: Vec<ImageExample>) -> ImageDataset {
        ImageDataset {
            name: data.name.clone(),
            origin: data.origin,
            pictures,
            outputs: data.outputs.clone(),
            examples,
            subsets: data.subsets.clone(),
        }
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Whether there are no examples.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// `n` examples (all, if there are fewer) chosen by `seed`, in their present order. All pictures stay.
    pub fn take_random(mut self, n: usize, seed: u64) -> ImageDataset {
        let mut places: Vec<usize> = (0..self.len()).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (chosen, _) = places.partial_shuffle(&mut rng, n);
        chosen.sort_unstable();
        self.examples = chosen.iter().map(|&place| self.examples[place].clone()).collect();
        self
    }

    /// The examples without a blank picture, from which nothing could be learned but a mistake. All pictures stay.
    pub fn without_blanks(mut self) -> ImageDataset {
        let pictures = &self.pictures;
        self.examples.retain(|row| !row.input.iter().any(|&number| pictures.is_blank(number)));
        self
    }
}

/// What inputs may say.
fn names_of(pictures: &Pictures) -> String {
    let last = pictures.len().saturating_sub(1);
    match pictures.name(0) {
        Some(_) => format!("the name of a picture or a number from 0 to {last}"),
        None => format!("numbers of pictures from 0 to {last}"),
    }
}

fn unknown(name: &str) -> Error {
    let names = IMAGE_TASKS.map(|(name, _)| name).join(", ");
    Error::data(name, format!("a file or one of {names}"), "neither")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::handwriting::pen;
    use crate::data::picture::Picture;

    fn pictures(count: usize) -> Pictures {
        Pictures::prepare(&vec![Picture::black(2, 2); count], &Preprocess::default()).unwrap()
    }

    /// Drawn symbols of few writers, in a small size to be quick.
    fn handwriting() -> Handwriting {
        let (drawn, labels) = pen::draw(Writers::Validation, 0);
        let small = Preprocess { scaled: 5, side: 4, ..Preprocess::default() };
        let pictures = Pictures::prepare(&drawn, &small).unwrap();
        Handwriting { pictures, labels, origin: Origin::Generated }
    }

    fn truth(labels: &Labels, number: u32) -> &'static str {
        ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "+", "-", "*", "/", "(", ")"]
            [labels.truth(number).unwrap()]
    }

    #[test]
    fn composed_pictures_show_their_symbols() {
        let mut expressions = load("hint/val", Part::Test, None, 0, &ReadOptions::default()).unwrap();
        expressions.examples.truncate(300);
        let (data, labels) = compose(&expressions, handwriting(), 3).unwrap();
        assert_eq!(data.len(), 300);
        for (composed, original) in data.examples.iter().zip(&expressions.examples) {
            let shown = composed.input.iter().map(|&picture| truth(&labels, picture));
            assert!(shown.eq(expressions.input_tokens(original)));
            assert_eq!((&composed.output, &data.outputs), (&original.output, &expressions.outputs));
        }
        assert_eq!(data, compose(&expressions, handwriting(), 3).unwrap().0);
        assert_ne!(data, compose(&expressions, handwriting(), 4).unwrap().0);
    }

    #[test]
    fn all_pictures_of_a_symbol_are_used_before_one_is_again() {
        let expressions = Dataset::from_pairs("sevens", &vec![("7", "7"); 2 * 128]);
        let (data, labels) = compose(&expressions, handwriting(), 0).unwrap();
        let mut used: Vec<u32> = data.examples.iter().map(|example| example.input[0]).collect();
        assert!(used.iter().all(|&number| truth(&labels, number) == "7"));
        let [first, second] = [used[..128].to_vec(), used[128..].to_vec()];
        assert_ne!(first, second);
        used[..128].sort_unstable();
        used[128..].sort_unstable();
        assert_eq!(used[..128], used[128..]);
        assert!(used[..128].windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn a_symbol_without_pictures_is_named() {
        let expressions = Dataset::from_pairs("new", &[("1 + x", "12")]);
        let error = compose(&expressions, handwriting(), 0).unwrap_err().to_string();
        assert_eq!(error, "new: expected symbols of which there are pictures, found `x`");
    }

    #[test]
    fn inputs_name_pictures() {
        let long = vec!["3"; 500].join(" ");
        let data = Dataset::from_pairs("own", &[("0 2 2", "7"), (&long, "1")]);
        let images = ImageDataset::new(&data, pictures(4)).unwrap();
        assert_eq!(images.examples[0].input[..], [0, 2, 2]);
        assert_eq!(images.examples[1].input[..], [3; 500]);
        let error = ImageDataset::new(&data, pictures(3)).unwrap_err().to_string();
        assert_eq!(error, "own, example 2: expected numbers of pictures from 0 to 2, found `3`");
    }

    #[test]
    fn only_what_exists_is_loaded() {
        let options = ImageOptions::default();
        let error = |name| load_images(name, Part::Train, None, 0, &options).unwrap_err().to_string();
        assert_eq!(
            error("hint/img"),
            "hint/img: expected a file or one of hint/image, hint/image-val, found neither"
        );
        assert_eq!(
            error("Cargo.toml"),
            "Cargo.toml: expected pictures for its inputs, found no file or folder of them"
        );
    }
}
