//! Data sets: pairs of token lists, read from files or generated.
//!
//! [`load`] is the front door: it takes the name of a built-in task (`scan/length`) or a path. [`read`] reads a
//! file in one of the formats listed in [`mod@format`]. Benchmarks live in one file each ([`scan`], [`hint`],
//! [`pcfg`], [`mt`], [`language`]) and are listed in [`builtin`]. A data set numbers only the tokens it holds, so a training set
//! never shows the learner a word that occurs in the test set alone; two data sets are compared by name, not by
//! number.
//!
//! Inputs may also be rows of pictures: [`load_images`] is the front door for these, [`image`] composes them, and
//! [`picture`] and [`handwriting`] are where pictures come from.

pub mod builtin;
mod cut;
pub mod everyday;
pub mod format;
mod guess;
pub mod handwriting;
pub mod hint;
pub mod image;
pub mod language;
mod lines;
pub mod mt;
pub mod pcfg;
pub mod picture;
pub mod scan;
mod spacing;

pub use builtin::{Part, Task, load, missing_file, tasks};
pub use cut::{Cut, Tokens, tokenize};
pub use format::{MAX_EXAMPLES, ReadOptions, read};
pub use image::{IMAGE_TASKS, ImageDataset, ImageExample, ImageOptions, load_images};
pub use lines::{MAX_BYTES, MAX_LINE};
pub use spacing::Spacing;

use crate::symbol::{Symbol, Vocabulary};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::borrow::Cow;

/// One pair of input and wanted output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Input tokens, at least one; numbers of [`Dataset::inputs`].
    pub input: Box<[Symbol]>,
    /// Output tokens, possibly none; numbers of [`Dataset::outputs`].
    pub output: Box<[Symbol]>,
    /// Whether a blank stands before each output token but the first; nothing where one always does.
    pub blanks: Box<[bool]>,
    /// The part of the test set it belongs to, an index into [`Dataset::subsets`].
    pub subset: Option<u16>,
}

impl Example {
    /// Whether a blank stands before the output token at `place`, which is not the first.
    pub fn has_blank(&self, place: usize) -> bool {
        self.blanks.get(place.wrapping_sub(1)).copied().unwrap_or(true)
    }
}

/// Where a data set comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file the user named.
    File,
    /// The published file of a built-in task, found in the data folder.
    Official,
    /// Made in memory, by the generator of a built-in task or from given pairs.
    Generated,
}

/// Examples with the names of their tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dataset {
    /// The task's name, or the path as it was given.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// How its texts are cut into tokens.
    pub cut: Cut,
    /// Whether nobody said how outputs are cut; then learning may find that another way tells more.
    pub outputs_guessed: bool,
    /// Names of input tokens, in order of first appearance.
    pub inputs: Vocabulary,
    /// Names of output tokens, in order of first appearance.
    pub outputs: Vocabulary,
    /// The pairs, in the order of the file or generator.
    pub examples: Vec<Example>,
    /// Names of subsets, in order of first appearance; empty where the data name none.
    pub subsets: Vec<String>,
    /// Outputs that were read with tabs, line ends or several blanks in a row, of which one blank is kept.
    pub odd_blanks: usize,
}

/// A training set and its test set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// What is learned from.
    pub train: Dataset,
    /// What is measured on.
    pub test: Dataset,
}

impl Split {
    /// One of the two.
    pub fn part(self, part: Part) -> Dataset {
        match part {
            Part::Train => self.train,
            Part::Test => self.test,
        }
    }
}

impl Dataset {
    /// A data set of blank-separated pairs, for tests and examples.
    ///
    /// ```
    /// let data = nsr::data::Dataset::from_pairs("tiny", &[("walk twice", "WALK WALK")]);
    /// assert_eq!(data.input_text(&data.examples[0]), "walk twice");
    /// ```
    pub fn from_pairs<I: AsRef<str>, O: AsRef<str>>(name: &str, pairs: &[(I, O)]) -> Dataset {
        Dataset::from_texts(name, pairs, Some(Cut::default()))
    }

    /// A data set of pairs as people write them, cut as said or else as the texts look, see [`Dataset::cut`].
    ///
    /// ```
    /// use nsr::data::{Dataset, Tokens};
    /// let data = Dataset::from_texts("tiny", &[("half past twelve", "12:30")], None);
    /// assert_eq!(data.cut.outputs, Tokens::Pieces);
    /// assert_eq!(data.output_tokens(&data.examples[0]).collect::<Vec<_>>(), ["12", ":", "30"]);
    /// assert_eq!(data.output_text(&data.examples[0]), "12:30");
    /// ```
    pub fn from_texts<I: AsRef<str>, O: AsRef<str>>(
        name: &str,
        pairs: &[(I, O)],
        cut: Option<Cut>,
    ) -> Dataset {
        let mut builder = Builder::new(cut.unwrap_or_default());
        for (input, output) in pairs {
            builder.push_texts(input.as_ref(), output.as_ref(), None);
        }
        let data = builder.finish(name, Origin::Generated);
        match cut {
            Some(cut) => data.cut_as(cut),
            None => Dataset { outputs_guessed: true, ..data.guessed() },
        }
    }

    /// The same data, which were read as words, cut in another way.
    fn cut_as(self, cut: Cut) -> Dataset {
        if cut == self.cut {
            return self;
        }
        let mut builder = Builder::new(cut);
        for example in &self.examples {
            builder.push_texts(&self.input_text(example), &self.output_text(example), self.subset(example));
        }
        // These texts have lost them already.
        builder.odd_blanks = self.odd_blanks;
        builder.finish(&self.name, self.origin)
    }

    /// The same data, which were read as words, cut as they look.
    fn guessed(self) -> Dataset {
        let cut = guess::guess(&self);
        self.cut_as(cut)
    }

    /// The same data with outputs cut in another way.
    pub fn with_outputs_cut(&self, outputs: Tokens) -> Cow<'_, Dataset> {
        if outputs == self.cut.outputs {
            return Cow::Borrowed(self);
        }
        let mut builder = Builder::new(Cut { outputs, ..self.cut });
        for example in &self.examples {
            let text = self.output_text(example);
            let (output, blanks) = builder.cut_output(&text);
            builder.push(self.input_tokens(example), output.into_iter(), self.subset(example));
            builder.blanks(blanks);
        }
        builder.odd_blanks = self.odd_blanks;
        let data = builder.finish(&self.name, self.origin);
        Cow::Owned(Dataset { outputs_guessed: self.outputs_guessed, ..data })
    }

    fn subset(&self, example: &Example) -> Option<&str> {
        example.subset.map(|subset| self.subsets[usize::from(subset)].as_str())
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Whether there are no examples.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// The input tokens of an example of this data set, by name.
    pub fn input_tokens<'a>(&'a self, example: &'a Example) -> impl Iterator<Item = &'a str> {
        example.input.iter().map(|&symbol| self.inputs.name(symbol))
    }

    /// The output tokens of an example of this data set, by name.
    pub fn output_tokens<'a>(&'a self, example: &'a Example) -> impl Iterator<Item = &'a str> {
        example.output.iter().map(|&symbol| self.outputs.name(symbol))
    }

    /// The input of an example of this data set, blank-separated.
    pub fn input_text(&self, example: &Example) -> String {
        self.input_tokens(example).collect::<Vec<_>>().join(" ")
    }

    /// The output of an example of this data set as it was written, but for runs of blanks, which are one.
    pub fn output_text(&self, example: &Example) -> String {
        let mut text = String::new();
        for (place, token) in self.output_tokens(example).enumerate() {
            text.push_str(if place > 0 && example.has_blank(place) { " " } else { "" });
            text.push_str(token);
        }
        text
    }

    /// `n` examples (all, if there are fewer) chosen by `seed`, in their present order.
    ///
    /// Tokens are numbered anew, as if only these examples had been read.
    pub fn take_random(&self, n: usize, seed: u64) -> Dataset {
        let mut places: Vec<usize> = (0..self.len()).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (chosen, _) = places.partial_shuffle(&mut rng, n);
        chosen.sort_unstable();
        let mut builder = Builder::new(self.cut);
        for &place in &*chosen {
            let example = &self.examples[place];
            let subset = self.subset(example);
            builder.push(self.input_tokens(example), self.output_tokens(example), subset);
            builder.blanks(example.blanks.clone());
        }
        let data = builder.finish(&self.name, self.origin);
        Dataset { outputs_guessed: self.outputs_guessed, ..data }
    }
}

/// Numbers tokens and gathers examples; what every reader and generator ends in.
#[derive(Default)]
struct Builder {
    cut: Cut,
    /// Whether some texts came as arrays of tokens.
    arrays: bool,
    odd_blanks: usize,
    inputs: Vocabulary,
    outputs: Vocabulary,
    subsets: Vocabulary,
    examples: Vec<Example>,
    // Reused, so that each token list costs one allocation of its exact size.
    scratch: Vec<Symbol>,
}

impl Builder {
    fn new(cut: Cut) -> Builder {
        Builder { cut, ..Builder::default() }
    }

    /// Cuts an example's texts and adds it.
    fn push_texts(&mut self, input: &str, output: &str, subset: Option<&str>) {
        let (tokens, blanks) = self.cut_output(output);
        self.push(tokenize(input, self.cut.inputs), tokens.into_iter(), subset);
        self.blanks(blanks);
    }

    /// The tokens of an output, and whether a blank stands before each but the first.
    fn cut_output<'a>(&mut self, output: &'a str) -> (Vec<&'a str>, Box<[bool]>) {
        self.odd_blanks += usize::from(cut::has_odd_blanks(output));
        cut::cut_output(output, self.cut.outputs)
    }

    /// Says where blanks stand in the output of the example last added.
    fn blanks(&mut self, blanks: Box<[bool]>) {
        if let Some(example) = self.examples.last_mut() {
            example.blanks = blanks;
        }
    }

    /// Adds an example of which all outputs' tokens have blanks between them. Whether the input may be empty and subsets fit is for the reader to check.
    fn push<'a>(
        &mut self,
        input: impl Iterator<Item = &'a str>,
        output: impl Iterator<Item = &'a str>,
        subset: Option<&str>,
    ) {
        let input = number(&mut self.inputs, &mut self.scratch, input);
        let output = number(&mut self.outputs, &mut self.scratch, output);
        let subset = subset.map(|name| self.subsets.intern(name).0 as u16);
        self.examples.push(Example { input, output, blanks: Box::default(), subset });
    }

    /// Whether `subset` can still be numbered.
    fn has_room_for(&self, subset: &str) -> bool {
        self.subsets.len() <= usize::from(u16::MAX) || self.subsets.get(subset).is_some()
    }

    fn finish(mut self, name: &str, origin: Origin) -> Dataset {
        self.examples.shrink_to_fit();
        Dataset {
            name: name.to_owned(),
            origin,
            cut: self.cut,
            outputs_guessed: false,
            inputs: self.inputs,
            outputs: self.outputs,
            examples: self.examples,
            subsets: self.subsets.into(),
            odd_blanks: self.odd_blanks,
        }
    }
}

/// The numbers of `tokens`, new ones made where needed.
fn number<'a>(
    vocabulary: &mut Vocabulary,
    scratch: &mut Vec<Symbol>,
    tokens: impl Iterator<Item = &'a str>,
) -> Box<[Symbol]> {
    scratch.clear();
    scratch.extend(tokens.map(|token| vocabulary.intern(token)));
    scratch.as_slice().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: [(&str, &str); 3] = [("walk twice", "WALK WALK"), ("walk", "WALK"), ("run", "")];

    #[test]
    fn pairs_are_numbered_in_order_of_appearance() {
        let data = Dataset::from_pairs("tiny", &PAIRS);
        assert_eq!(data.inputs.names(), ["walk", "twice", "run"]);
        assert_eq!(data.examples[1].input[..], [Symbol(0)]);
        let texts: Vec<_> = data.examples.iter().map(|e| (data.input_text(e), data.output_text(e))).collect();
        assert!(texts.iter().map(|(i, o)| (i.as_str(), o.as_str())).eq(PAIRS));
    }

    #[test]
    fn outputs_cut_in_another_way_are_the_same_texts() {
        let pairs = [("two", "H2O, C"), ("one", "H, C")];
        let data = Dataset::from_texts("formulas", &pairs, None);
        let letters = data.with_outputs_cut(Tokens::Chars);
        let texts = |data: &Dataset| data.examples.iter().map(|e| data.output_text(e)).collect::<Vec<_>>();
        assert_eq!(texts(&letters), texts(&data));
        assert_eq!(letters.outputs.names(), ["H", "2", "O", ",", " ", "C"]);
        assert_eq!(letters.inputs, data.inputs);
        assert!(letters.outputs_guessed && !Dataset::from_pairs("said", &pairs).outputs_guessed);
    }

    #[test]
    fn a_random_sample_keeps_order_and_forgets_other_tokens() {
        let pairs: Vec<_> = (0..50).map(|n| (format!("i{n:02}"), format!("o{n}"))).collect();
        let data = Dataset::from_pairs("fifty", &pairs);
        let sample = data.take_random(10, 7);
        assert_eq!((sample.len(), sample.inputs.len(), sample.outputs.len()), (10, 10, 10));
        assert!(sample.inputs.names().is_sorted());
        assert_eq!(sample, data.take_random(10, 7));
        assert_ne!(sample, data.take_random(10, 8));
        assert_eq!(data.take_random(99, 7), data);
    }
}
