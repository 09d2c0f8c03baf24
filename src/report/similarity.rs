//! Which words the parser treats alike: the paper's figure on syntactic similarity.

use crate::data::Dataset;
use crate::model::Model;
use crate::syntax::Workspace;
use rayon::prelude::*;

/// How often a word can stand for another without changing the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Similarity {
    /// The words' numbers.
    pub words: Vec<u32>,
    /// For each two words the share, 0 to 1, of inputs with either in which putting the other in its place
    /// leaves the tree as it was; `None` where no input has either.
    pub table: Vec<Vec<Option<f64>>>,
}

/// Inputs kept and inputs tried, for each word and each that takes its place.
type Counts = Vec<(u32, u32)>;

/// Compares the `most` first words of `model` on the inputs of `data`; inputs with unknown words are left out. Only of a model
/// with a parser can this be asked: others compare nothing.
pub fn similarity(model: &Model, data: &Dataset, most: usize) -> Similarity {
    let words = if model.parser.is_none() { 0 } else { model.inputs.len().min(most) };
    let zero = || vec![(0, 0); words * words];
    let count = |(mut counts, mut workspace): (Counts, Workspace), example| {
        let symbols = model.symbols(data.input_tokens(example));
        if words > 0
            && let Some(input) =
                symbols.iter().map(|symbol| symbol.map(|symbol| symbol.0)).collect::<Option<Vec<_>>>()
        {
            Substitution { model, words, workspace: &mut workspace }.count(&input, &mut counts);
        }
        (counts, workspace)
    };
    let counts = data
        .examples
        .par_iter()
        .fold(|| (zero(), Workspace::new()), count)
        .map(|(counts, _)| counts)
        .reduce(zero, |a, b| a.iter().zip(&b).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect());
    let share = |i: usize, j: usize| {
        let (there, back) = (counts[i * words + j], counts[j * words + i]);
        let tried = there.1 + back.1;
        (tried > 0).then(|| f64::from(there.0 + back.0) / f64::from(tried))
    };
    let table = (0..words).map(|i| (0..words).map(|j| share(i, j)).collect()).collect();
    Similarity { words: (0..words as u32).collect(), table }
}

struct Substitution<'a> {
    model: &'a Model,
    words: usize,
    workspace: &'a mut Workspace,
}

impl Substitution<'_> {
    fn count(&mut self, input: &[u32], counts: &mut Counts) {
        let classes: Vec<u32> = input.iter().map(|&word| self.model.classes[word as usize]).collect();
        let mut heads = Vec::new();
        self.model.parser.parse_heads_into(&classes, self.workspace, &mut heads);
        let mut present: Vec<u32> =
            input.iter().copied().filter(|&word| (word as usize) < self.words).collect();
        present.sort_unstable();
        present.dedup();
        for word in present {
            for other in 0..self.words {
                let kept = self.keeps(input, &classes, &heads, word, other);
                let count = &mut counts[word as usize * self.words + other];
                *count = (count.0 + u32::from(kept), count.1 + 1);
            }
        }
    }

    /// Whether the tree stays when `other` stands wherever `word` did. The parser sees classes only: within
    /// a class nothing can change.
    fn keeps(
        &mut self,
        input: &[u32],
        classes: &[u32],
        heads: &[Option<u32>],
        word: u32,
        other: usize,
    ) -> bool {
        let class = self.model.classes[other];
        if class == self.model.classes[word as usize] {
            return true;
        }
        let replaced: Vec<u32> = input
            .iter()
            .zip(classes)
            .map(|(&present, &own)| if present == word { class } else { own })
            .collect();
        let mut others = Vec::with_capacity(heads.len());
        self.model.parser.parse_heads_into(&replaced, self.workspace, &mut others);
        others == heads
    }
}
