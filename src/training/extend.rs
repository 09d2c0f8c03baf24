//! A trained model learns words it has never seen, from few examples, and forgets nothing.
//!
//! Known words keep their meanings. A new word is first thought to be kin to known ones (`kin.rs`): then the
//! parser need not change, and a handful of examples may do. A word of a kind of its own is learned as all words
//! are, over all trees, and the parser anew, from the examples the model remembers and the new ones.

use super::classes::Classes;
use super::kin::{self, Kinship};
use super::meaning::{Meanings, Pair, Round, bits};
use super::syntax::{self, LearnedSyntax, Lesson, Lessons, is_right, share_senses};
use super::{
    Event, FEW_WORDS, Observer, learn_meanings, own_values, pairs, remember, short, theory, treebank, values,
};
use crate::data::{Dataset, Example};
use crate::error::{Error, Result};
use crate::model::{Extension, Model, OutputKind, Remembered, Settings};
use crate::semantics::lexicon::Lexicon;
use crate::symbol::{Symbol, Vocabulary};
use crate::syntax::Workspace;
use crate::tree::Tree;
use rayon::prelude::*;

/// The meaning of a word is learned from at most so many examples.
const EXAMPLES: usize = 1_000;
/// So many examples of an extension are remembered.
const REMEMBERED: usize = 300;

/// Teaches `model` the words of `data` that it does not know. Without any, it stays as it is.
///
/// Fails if the results of the two are of different kinds.
pub fn extend(model: Model, data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Result<Model> {
    let data = renumber(&model, data)?;
    if data.inputs.len() == model.inputs.len() {
        return Ok(model);
    }
    let (pairs, read) = pairs(&data, model.kind);
    observer.on(&read);
    if model.values.is_some() {
        return Ok(values::extend(model, &data, seed, observer));
    }
    if model.knowledge.is_some() {
        return Ok(theory::extend(model, &data, &pairs, seed, observer));
    }
    let mut student = Student::new(model, &data, seed);
    student.learn(&pairs, observer);
    Ok(student.graduate(&data, &pairs, !observer.stop()))
}

/// `data` in the symbols of `model`, with new ones after those.
pub fn renumber(model: &Model, data: &Dataset) -> Result<Dataset> {
    let kind = match OutputKind::of(data) {
        // Whole numbers are numbers.
        _ if model.kind == OutputKind::Integer && values::are_numbers(data) => OutputKind::Integer,
        kind => kind,
    };
    if kind != model.kind && !data.is_empty() {
        let name = |kind| match kind {
            OutputKind::Tokens => "lists of tokens",
            OutputKind::Number | OutputKind::Integer => "numbers",
        };
        return Err(Error::Data {
            what: data.name.clone(),
            expected: format!("results that are {}, as the model's are", name(model.kind)),
            found: name(kind).to_owned(),
        });
    }
    let (mut inputs, mut outputs) = (model.inputs.clone(), model.outputs.clone());
    let (words, tokens) = (join(&mut inputs, &data.inputs), join(&mut outputs, &data.outputs));
    let of = |numbers: &[Symbol], symbols: &[Symbol]| {
        symbols.iter().map(|symbol| numbers[symbol.index()]).collect()
    };
    let example = |example: &Example| Example {
        input: of(&words, &example.input),
        output: of(&tokens, &example.output),
        ..example.clone()
    };
    let examples = data.examples.iter().map(example).collect();
    Ok(Dataset { inputs, outputs, examples, ..data.clone() })
}

/// Adds names to a vocabulary; the symbols that they have there.
fn join(vocabulary: &mut Vocabulary, names: &Vocabulary) -> Vec<Symbol> {
    names.names().iter().map(|name| vocabulary.intern(name)).collect()
}

/// A model that is being taught. Its vocabulary and tables have the new words, as far as they are known.
struct Student {
    model: Model,
    meanings: Meanings,
    /// The words from this number on are new.
    first: usize,
    /// Whether each word has been learned.
    learned: Vec<bool>,
    seed: u64,
}

impl Student {
    fn new(mut model: Model, data: &Dataset, seed: u64) -> Student {
        let first = model.inputs.len();
        let words = data.inputs.len();
        let own = own_values(data, model.kind).split_off(first);
        let meanings = model.meanings.extended(&model.lexicon, own);
        model.inputs.clone_from(&data.inputs);
        model.outputs.clone_from(&data.outputs);
        // Any class will do for a word that means nothing.
        model.classes.resize(words, 0);
        let learned = (0..words).map(|word| word < first).collect();
        Student { model, meanings, first, learned, seed }
    }

    /// Learns new words that are kin to known ones, one after the other, and then the others. A doubtful kinship is
    /// better than none.
    fn learn(&mut self, pairs: &[Pair], observer: &mut dyn Observer) {
        let mut doubtful: Vec<(u32, Kinship, usize)> = Vec::new();
        let mut failed = vec![false; self.learned.len()];
        while let Some((word, examples)) = self.next(pairs, &failed).filter(|_| !observer.stop()) {
            match kin::find(&self.model, &self.meanings, word, &examples) {
                Some(kinship) if kinship.right as f64 >= kin::ENOUGH * examples.len() as f64 => {
                    self.take(word, &kinship, examples.len(), observer);
                }
                kinship => {
                    failed[word as usize] = true;
                    doubtful.extend(kinship.map(|kinship| (word, kinship, examples.len())));
                }
            }
        }
        if !observer.stop() {
            self.learn_strangers(pairs, observer);
        }
        for (word, kinship, examples) in doubtful {
            if !self.learned[word as usize] {
                self.take(word, &kinship, examples, observer);
            }
        }
    }

    /// The new word with most examples in which it alone is new, and some of these.
    fn next<'a>(&self, pairs: &'a [Pair], failed: &[bool]) -> Option<(u32, Vec<&'a Pair>)> {
        let mut examples: Vec<Vec<&Pair>> = vec![Vec::new(); self.learned.len()];
        for pair in pairs {
            let mut new: Vec<u32> =
                pair.words.iter().copied().filter(|&word| !self.learned[word as usize]).collect();
            new.dedup();
            if let [word] = new[..]
                && !failed[word as usize]
            {
                examples[word as usize].push(pair);
            }
        }
        let word = (0..examples.len()).rev().max_by_key(|&word| examples[word].len())?;
        let examples = std::mem::take(&mut examples[word]);
        let step = examples.len().div_ceil(EXAMPLES).max(1);
        (!examples.is_empty()).then(|| (word as u32, examples.into_iter().step_by(step).collect()))
    }

    /// Believes what was found about a word.
    fn take(&mut self, word: u32, kinship: &Kinship, examples: usize, observer: &mut dyn Observer) {
        self.learned[word as usize] = true;
        self.model.classes[word as usize] = kinship.class;
        self.meanings.teach(word, &kinship.senses, kinship.right as f64);
        let proposed = kinship.senses.iter().filter_map(|(program, _)| Some((word, program.clone()?)));
        let round = Round { explained: kinship.right, examples, proposed: proposed.collect() };
        observer.on(&Event::Meanings { meanings: &self.meanings, round: &round });
    }

    /// Learns the words that are like none known, with the parser anew.
    fn learn_strangers(&mut self, new: &[Pair], observer: &mut dyn Observer) {
        if self.learned.iter().all(|&learned| learned) {
            return;
        }
        let mut meanings = self.meanings.clone();
        meanings.restart(&self.learned);
        let short = short(new);
        learn_meanings(&mut meanings, &short, observer);
        let lexicon = meanings.result(&short).lexicon;
        let (pairs, trees) = self.lessons(new, &lexicon);
        if !self.is_worthwhile(&meanings, &lexicon, new, &trees[pairs.len() - new.len()..]) {
            return;
        }
        let LearnedSyntax { classes, parser, lexicon, .. } =
            syntax::learn_from(&trees, &pairs, &lexicon, self.seed, observer);
        let before = self.right(&pairs);
        let other = Model { classes: classes.of, parser, lexicon, ..self.model.clone() };
        let other = Student { model: other, meanings, learned: vec![true; self.learned.len()], ..*self };
        if other.right(&pairs) > before {
            *self = other;
            self.meanings.lexicon.senses.clone_from(&self.model.lexicon.senses);
        }
    }

    /// Whether new meanings explain nearly all short examples, and more than it takes to say them: without the right
    /// meanings there are no trees to learn from.
    fn is_worthwhile(
        &self,
        meanings: &Meanings,
        lexicon: &Lexicon,
        new: &[Pair],
        trees: &[Option<Lesson>],
    ) -> bool {
        let short = || new.iter().zip(trees).filter(|(pair, _)| pair.words.len() <= FEW_WORDS);
        let explained = || short().filter(|(_, tree)| tree.is_some());
        let saved: f64 = explained().map(|(pair, _)| bits(&pair.target)).sum();
        let strangers = (0..self.learned.len()).filter(|&word| !self.learned[word]);
        explained().count() as f64 >= kin::ENOUGH * short().count() as f64
            && saved > meanings.price_of(lexicon, strangers)
    }

    /// What the parser is taught: what is remembered, and the new examples with trees like those.
    fn lessons(&self, new: &[Pair], lexicon: &Lexicon) -> (Vec<Pair>, Lessons) {
        let remembered = self.model.remembered.iter();
        let known =
            remembered.clone().map(|Remembered { words, tree, .. }| (words, Lesson::chosen(tree.clone())));
        let known: Vec<(&Vec<u32>, Lesson)> = known.collect();
        let kinds = Classes::by_meaning(lexicon).of;
        let examples: Vec<&Pair> = new.iter().collect();
        let lessons = known.iter().map(|(words, lesson)| (&words[..], lesson));
        let found = treebank::complete(lessons, &examples, lexicon, &kinds);
        let old = remembered
            .map(|Remembered { words, target, .. }| Pair { words: words.clone(), target: target.clone() });
        let pairs = old.chain(new.iter().cloned()).collect();
        let trees = known.iter().map(|(_, lesson)| Some(lesson.clone()));
        (pairs, trees.chain(found.into_iter().map(|tree| tree.map(Lesson::chosen))).collect())
    }

    fn right(&self, pairs: &[Pair]) -> usize {
        self.trees(pairs).iter().flatten().count()
    }

    /// The trees of the model that give the right results.
    fn trees(&self, pairs: &[Pair]) -> Vec<Option<Tree>> {
        let Model { classes, parser, .. } = &self.model;
        let tree = |workspace: &mut Workspace, pair: &Pair| {
            let classes: Vec<u32> = pair.words.iter().map(|&word| classes[word as usize]).collect();
            let tree = parser.parse(&classes, workspace);
            is_right(&self.meanings.lexicon, pair, &tree).then_some(tree)
        };
        pairs.par_iter().map_init(Workspace::new, tree).collect()
    }

    /// The model, with what it has learned.
    fn graduate(mut self, data: &Dataset, pairs: &[Pair], finished: bool) -> Model {
        let new = remember(pairs, &self.trees(pairs), REMEMBERED);
        let classes = Classes { of: self.model.classes.clone(), count: self.model.parser.classes() };
        let shared = share_senses(&self.meanings.lexicon, &classes);
        let mut lexicon = self.meanings.lexicon.clone();
        // A new word may stand where its kin do; known ones stay as they are.
        lexicon.senses[self.first..].clone_from_slice(&shared.senses[self.first..]);
        let settings = Settings { seed: self.seed, ..self.model.settings.clone() };
        self.model.remembered.extend(new);
        self.model.extensions.push(Extension {
            task: data.name.clone(),
            examples: data.examples.len() as u64,
            settings,
            first: self.first as u32,
        });
        Model { lexicon, meanings: self.meanings, finished, ..self.model }
    }
}
