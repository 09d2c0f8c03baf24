//! Which words are treated alike: the paper's figure on syntactic similarity.

use super::explanation::explain;
use crate::data::Dataset;
use crate::model::Model;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// How often a word can stand for another without changing the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Similarity {
    /// The words' numbers.
    pub words: Vec<u32>,
    /// For each two words the share, 0 to 1, of inputs with either in which putting the other in its place
    /// leaves the tree as it was; `None` where no input has either.
    pub table: Vec<Vec<Option<f64>>>,
}

/// So many inputs are compared at most, evenly chosen.
const ASKED: usize = 1_000;

/// Inputs kept and inputs tried, for each word and each that takes its place.
type Counts = Vec<(u32, u32)>;

/// The tree without its words: what each node hangs on, and as which argument.
type Shape = Vec<(Option<u32>, Option<u8>)>;

/// Compares the `most` first words of `model` on inputs of `data`, evenly chosen; inputs without an answer are left out.
pub fn similarity(model: &Model, data: &Dataset, most: usize) -> Similarity {
    let words = model.inputs.len().min(most);
    let zero = || vec![(0, 0); words * words];
    let step = data.examples.len().div_ceil(ASKED).max(1);
    let count = |mut counts: Counts, example| {
        let input: Vec<&str> = data.input_tokens(example).collect();
        substitute(model, &input, words, &mut counts);
        counts
    };
    let counts = data
        .examples
        .par_iter()
        .step_by(step)
        .fold(zero, count)
        .reduce(zero, |a, b| a.iter().zip(&b).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect());
    let share = |i: usize, j: usize| {
        let (there, back) = (counts[i * words + j], counts[j * words + i]);
        let tried = there.1 + back.1;
        (tried > 0).then(|| f64::from(there.0 + back.0) / f64::from(tried))
    };
    let table = (0..words).map(|i| (0..words).map(|j| share(i, j)).collect()).collect();
    Similarity { words: (0..words as u32).collect(), table }
}

/// Puts every word in the place of each word of an input, and counts where the tree stays.
fn substitute(model: &Model, input: &[&str], words: usize, counts: &mut Counts) {
    let Some(shape) = shape(model, input) else { return };
    let present: BTreeSet<usize> =
        input.iter().filter_map(|word| model.inputs.get(word)).map(|word| word.index()).collect();
    for word in present.into_iter().filter(|&word| word < words) {
        for other in 0..words {
            let (word_name, other_name) = (&model.inputs.names()[word], &model.inputs.names()[other]);
            let replaced: Vec<&str> =
                input.iter().map(|&word| if word == word_name { other_name } else { word }).collect();
            let kept = word == other || self::shape(model, &replaced).as_ref() == Some(&shape);
            let count = &mut counts[word * words + other];
            *count = (count.0 + u32::from(kept), count.1 + 1);
        }
    }
}

/// The tree of an input; `None` if it has no answer.
fn shape(model: &Model, input: &[&str]) -> Option<Shape> {
    let told = explain(model, &input.join(" ")).filter(|told| told.output.is_some())?;
    Some(told.nodes.iter().map(|node| (node.head, node.argument)).collect())
}
