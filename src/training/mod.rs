//! Deduce, abduce, learn, repeat: from pairs of inputs and outputs to a model.

pub mod align;
pub mod classes;
pub mod extend;
mod kin;
pub mod meaning;
mod treebank;

use crate::data::Dataset;
use crate::deduction;
use crate::model::{Model, OutputKind, Remembered, Settings};
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::symbol::Symbol;
use crate::syntax::decode::Workspace;
use crate::syntax::{ArcOrder, LearnConfig, Parser, Row, Rows, Sight};
use crate::tree::Tree;
use crate::value::{Type, Value};
use classes::Classes;
pub use extend::{extend, renumber};
use meaning::{Choice, Meanings, Pair, Round};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// What training tells while it runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// The examples are read: distinct inputs, and inputs that were given several outputs.
    Read {
        /// Distinct inputs.
        inputs: usize,
        /// Inputs that were given several outputs; the most frequent one is learned.
        contradictory: usize,
    },
    /// A round of learning meanings is over.
    Meanings {
        /// Everything believed now.
        meanings: &'a Meanings,
        /// What the round came to.
        round: &'a Round,
    },
    /// A choice has been revisited: what if it had not been made?
    Revised {
        /// The choice.
        choice: Choice,
        /// The lexicon with it.
        lexicon: &'a Lexicon,
        /// The description length with it, in bits.
        with: f64,
        /// The description length without it, in bits; the shorter one is kept.
        without: f64,
    },
    /// The parser has been trained.
    Parser {
        /// Distinct parser states learned.
        states: usize,
        /// Word classes.
        classes: u32,
        /// Passes over the states.
        epochs: usize,
    },
    /// All examples have been answered by deduction.
    Deduced {
        /// Those answered right.
        right: usize,
        /// All of them.
        examples: usize,
    },
}

/// Watches training, and may ask it to stop.
pub trait Observer {
    /// Something happened.
    fn on(&mut self, event: &Event<'_>);

    /// Whether to stop after the current step. Asked often.
    fn stop(&self) -> bool {
        false
    }
}

/// Watches in silence.
impl Observer for () {
    fn on(&mut self, _: &Event<'_>) {}
}

/// Examples of at most so many words are short.
const FEW_WORDS: usize = 9;
/// Meanings are learned from at least so many examples, if there are so many.
const ENOUGH_SHORT: usize = 300;
/// The parser learns first from trees of at most so many words.
const TREE_WORDS: usize = 15;
/// Trees are looked for in at most this many examples of each length before the parser takes over.
const FIRST_TREES: usize = 400;
/// Deduction, abduction and learning of the parser are repeated at most so often.
const PARSER_ROUNDS: usize = 6;
/// But for so many rounds without progress at most.
const PARSER_PATIENCE: usize = 2;
/// At most so many examples that deduction gets wrong are given to abduction in one round.
const ABDUCED: usize = 4_000;
/// A tree that was chosen among all right ones counts as much as so many that the parser found by itself: those
/// may be right by accident.
const CHOSEN: f32 = 8.0;
/// Words take their right children first: whether a word is complete can then be told where it stands.
const ORDER: ArcOrder = ArcOrder::RightFirst;
/// Shares of parser states that may be mistakes in choosing what to look at; without one, it looks at all.
const TOLERANCES: [Option<f64>; 6] =
    [None, Some(0.0), Some(0.000_03), Some(0.000_3), Some(0.003), Some(0.01)];
/// They are compared by the answers to so many examples.
const ASKED: usize = 2_000;
/// The parser looks at so many rows in all, but at each so often at least.
const VISITS: usize = 300_000;
const LEAST_EPOCHS: usize = 12;
/// Where a parser state wants several transitions, those of a smaller share are mistakes.
const MISTAKE: f32 = 0.2;
/// The parser is learned from at most so many examples.
const EXAMPLES: usize = 20_000;
/// A model remembers about so many examples.
const REMEMBERED: usize = 2_000;
/// So many trees of the parser are tried where its first gives a wrong result.
const OTHER_TREES: usize = 64;

/// Learns a model from `data`.
pub fn train(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    let kind = OutputKind::of(data);
    learn(data, seed, Meanings::new(own_values(data, kind), kind.value_type()), observer)
}

/// Goes on where training of `model` on the same `data` was stopped; ends in the same model as if it had not
/// been. A finished model is returned as it is.
pub fn resume(model: Model, data: &Dataset, observer: &mut dyn Observer) -> Model {
    match model.finished {
        true => model,
        false => learn(data, model.settings.seed, model.meanings, observer),
    }
}

fn learn(data: &Dataset, seed: u64, mut meanings: Meanings, observer: &mut dyn Observer) -> Model {
    let kind = OutputKind::of(data);
    let (mut pairs, contradictory) = pairs(data, kind);
    observer.on(&Event::Read { inputs: pairs.len(), contradictory });
    let short = short(&pairs);
    if pairs.len() > EXAMPLES {
        let all: Vec<&Pair> = pairs.iter().collect();
        pairs = meaning::spread(&all, EXAMPLES, 0).into_iter().map(|place| pairs[place].clone()).collect();
    }
    learn_meanings(&mut meanings, &short, observer);
    let (lexicon, revised) = revise(&meanings, &short, observer);
    let learner = Learner { pairs: &pairs, lexicon, seed };
    let LearnedSyntax { classes, parser, lexicon, deduced } = learner.syntax(observer);
    let finished = !observer.stop();
    Model {
        task: data.name.clone(),
        settings: Settings { seed, ..Settings::default() },
        examples: data.examples.len() as u64,
        kind,
        inputs: data.inputs.clone(),
        outputs: data.outputs.clone(),
        lexicon,
        classes: classes.of,
        parser,
        // Revision begins anew if it was stopped: so it ends the same.
        meanings: if finished { revised } else { meanings },
        finished,
        unexplained: Vec::new(),
        remembered: remember(&pairs, &deduced, REMEMBERED),
        extensions: Vec::new(),
    }
}

/// Some of the examples that have right trees, of all sizes and with every word.
fn remember(pairs: &[Pair], trees: &[Option<Tree>], most: usize) -> Vec<Remembered> {
    let right: Vec<usize> = (0..pairs.len()).filter(|&place| trees[place].is_some()).collect();
    let examples: Vec<&Pair> = right.iter().map(|&place| &pairs[place]).collect();
    let chosen = meaning::spread(&examples, most, 0).into_iter().map(|number| right[number]);
    let remembered = |place: usize| {
        let Pair { words, target } = pairs[place].clone();
        trees[place].clone().map(|tree| Remembered { words, tree, target })
    };
    chosen.filter_map(remembered).collect()
}

/// The examples that meanings are learned from: those of few words, unless there are hardly any.
fn short(pairs: &[Pair]) -> Vec<Pair> {
    let mut lengths: Vec<usize> = pairs.iter().map(|pair| pair.words.len()).collect();
    lengths.sort_unstable();
    let enough = lengths.get(ENOUGH_SHORT.min(lengths.len()).saturating_sub(1)).copied().unwrap_or(0);
    let short = pairs.iter().filter(|pair| pair.words.len() <= enough.max(FEW_WORDS));
    short.take(EXAMPLES).cloned().collect()
}

fn learn_meanings(meanings: &mut Meanings, pairs: &[Pair], observer: &mut dyn Observer) {
    while !meanings.is_done() && !observer.stop() {
        let round = meanings.step(pairs);
        observer.on(&Event::Meanings { meanings, round: &round });
    }
}

/// Revisits the choices that several words share, and keeps the shortest description of lexicon and examples.
fn revise(first: &Meanings, pairs: &[Pair], observer: &mut dyn Observer) -> (Lexicon, Meanings) {
    let mut meanings = first.clone();
    let (mut length, mut lexicon) = meanings.result(pairs);
    for choice in Choice::all(&lexicon) {
        if !Choice::all(&lexicon).contains(&choice) {
            continue; // An earlier revision has settled it.
        }
        let mut other = meanings.without(choice);
        learn_meanings(&mut other, pairs, observer);
        if observer.stop() {
            break;
        }
        let (without, other_lexicon) = other.result(pairs);
        observer.on(&Event::Revised { choice, lexicon: &lexicon, with: length, without });
        if without < length {
            (length, lexicon, meanings) = (without, other_lexicon, other);
        }
    }
    (lexicon, meanings)
}

/// The distinct inputs with their most frequent outputs, in order of size, and how many had several.
fn pairs(data: &Dataset, kind: OutputKind) -> (Vec<Pair>, usize) {
    let mut outputs: FxHashMap<&[Symbol], Vec<(&[Symbol], usize)>> = FxHashMap::default();
    let mut order: Vec<&[Symbol]> = Vec::new();
    for example in &data.examples {
        let known = outputs.entry(&example.input).or_insert_with(|| {
            order.push(&example.input);
            Vec::new()
        });
        match known.iter_mut().find(|(output, _)| *output == &*example.output) {
            Some((_, count)) => *count += 1,
            None => known.push((&example.output, 1)),
        }
    }
    let contradictory = outputs.values().filter(|outputs| outputs.len() > 1).count();
    let mut pairs: Vec<Pair> = order
        .iter()
        .filter(|input| !input.is_empty())
        .filter_map(|input| {
            let best = outputs[input].iter().rev().max_by_key(|(_, count)| *count)?;
            let target = kind.read(best.0, &data.outputs)?;
            Some(Pair { words: input.iter().map(|symbol| symbol.0).collect(), target })
        })
        .collect();
    // Among those of one size the order is that of a hash: the first of them are a fair sample.
    pairs.sort_by_cached_key(|pair| (pair.size(), FxBuildHasher.hash_one(&pair.words)));
    (pairs, contradictory)
}

/// The constant each word brings, as far as co-occurrence tells.
fn own_values(data: &Dataset, kind: OutputKind) -> Vec<Option<Value>> {
    if kind == OutputKind::Number {
        return own_numbers(data, kind);
    }
    let words: Vec<Vec<u32>> =
        data.examples.iter().map(|example| example.input.iter().map(|word| word.0).collect()).collect();
    let pairs = words.iter().zip(&data.examples).map(|(words, example)| (&words[..], &example.output[..]));
    let own = align::own_tokens(pairs, data.inputs.len(), data.outputs.len());
    // A word without a token of its own brings the empty list: so it can be kin to words that bring one.
    own.into_iter().map(|token| Some(Value::list(token.as_slice()))).collect()
}

/// Numbers do not show what they are made of, but a word that stands alone brings its whole result.
fn own_numbers(data: &Dataset, kind: OutputKind) -> Vec<Option<Value>> {
    let mut own = vec![None; data.inputs.len()];
    for Pair { words, target } in pairs(data, kind).0 {
        if let [word] = words[..] {
            own[word as usize] = Some(target);
        }
    }
    own
}

struct Learner<'a> {
    pairs: &'a [Pair],
    lexicon: Lexicon,
    seed: u64,
}

impl Learner<'_> {
    /// Learns the parser: from the trees of charts first, then from its own trees where they give the right
    /// result and from abduced ones where they do not.
    fn syntax(&self, observer: &mut dyn Observer) -> LearnedSyntax {
        self.syntax_from(&self.first_trees(), observer)
    }

    /// The same from other trees than those of charts.
    fn syntax_from(&self, first: &[Option<Lesson>], observer: &mut dyn Observer) -> LearnedSyntax {
        let mut best = self.learn_parser(first, None, 0, observer);
        let mut idle = 0;
        for round in 1..PARSER_ROUNDS {
            if best.right() == self.pairs.len() || idle == PARSER_PATIENCE || observer.stop() {
                break;
            }
            let next = self.learn_parser(&self.better_trees(&best, first), Some(&best), round, observer);
            idle = if next.right() > best.right() { 0 } else { idle + 1 };
            if next.right() > best.right() {
                best = next;
            }
        }
        best
    }

    /// Trees of short examples, chosen to be alike where several give the right result.
    fn first_trees(&self) -> Vec<Option<Lesson>> {
        let mut places: Vec<usize> = Vec::new();
        // As many of each length: short ones are less ambiguous, long ones show more.
        for length in 1..=TREE_WORDS {
            let fits = |place: &usize| self.pairs[*place].words.len() == length;
            let alike: Vec<usize> = (0..self.pairs.len()).filter(fits).collect();
            let pairs: Vec<&Pair> = alike.iter().map(|&place| &self.pairs[place]).collect();
            let chosen = meaning::spread(&pairs, FIRST_TREES, 0);
            places.extend(chosen.into_iter().map(|number| alike[number]));
        }
        let pairs: Vec<&Pair> = places.iter().map(|&place| &self.pairs[place]).collect();
        let kinds = Classes::by_meaning(&self.lexicon).of;
        let found = treebank::choose(&pairs, &self.lexicon, &kinds, self.seed);
        let mut trees = vec![None; self.pairs.len()];
        for (place, tree) in places.into_iter().zip(found) {
            trees[place] = tree.map(Lesson::chosen);
        }
        trees
    }

    /// The first trees, and for other examples the parser's own where they give the right result; where they do
    /// not, trees like those, or else the most probable of the parser's other trees that do.
    fn better_trees(&self, syntax: &LearnedSyntax, first: &[Option<Lesson>]) -> Vec<Option<Lesson>> {
        let own = syntax.deduced.iter().zip(first);
        let mut trees: Vec<Option<Lesson>> = own
            .map(|(own, first)| {
                first.clone().or_else(|| own.clone().map(|tree| Lesson { tree, weight: 1.0 }))
            })
            .collect();
        let wrong: Vec<usize> =
            (0..trees.len()).filter(|&place| trees[place].is_none()).take(ABDUCED).collect();
        let pairs: Vec<&Pair> = wrong.iter().map(|&place| &self.pairs[place]).collect();
        let kinds = Classes::by_meaning(&self.lexicon).of;
        let found = treebank::complete(self.lessons(&trees), &pairs, &self.lexicon, &kinds);
        let found: Vec<Option<Lesson>> = pairs
            .par_iter()
            .zip(found)
            .map(|(pair, found)| {
                found.map(Lesson::chosen).or_else(|| {
                    let words = syntax.classes.of_words(&pair.words);
                    let mut others = syntax.parser.k_best(&words, OTHER_TREES, OTHER_TREES).into_iter();
                    let right = others.find(|(tree, _)| is_right(&syntax.lexicon, pair, tree));
                    right.map(|(tree, _)| Lesson { tree, weight: 1.0 })
                })
            })
            .collect();
        for (&place, tree) in wrong.iter().zip(found) {
            trees[place] = tree;
        }
        trees
    }

    /// Examples with their trees, as far as they have any.
    fn lessons<'a>(
        &'a self,
        trees: &'a [Option<Lesson>],
    ) -> impl Iterator<Item = (&'a [u32], &'a Lesson)> + 'a {
        let examples = self.pairs.iter().zip(trees);
        examples.filter_map(|(pair, lesson)| Some((&pair.words[..], lesson.as_ref()?)))
    }

    /// Learns a parser from trees, with the word classes that they show.
    fn learn_parser(
        &self,
        trees: &[Option<Lesson>],
        previous: Option<&LearnedSyntax>,
        round: usize,
        observer: &mut dyn Observer,
    ) -> LearnedSyntax {
        let pairs: Vec<(&[u32], &Tree)> =
            self.lessons(trees).map(|(words, lesson)| (words, &lesson.tree)).collect();
        let classes = Classes::find(&pairs, &self.lexicon, ORDER);
        let lexicon = share_senses(&self.lexicon, &classes);
        let asked = self.asked(trees, previous);
        let tolerance = self.tolerance(trees, &asked, &classes, &lexicon, round);
        let rows = rows(self.lessons(trees), &classes);
        let sight = sight(&rows, tolerance);
        let (parser, states, epochs) = parser_of(&rows, classes.count, sight, self.rng(round, 0));
        observer.on(&Event::Parser { states, classes: classes.count, epochs });
        let deduced = self.deduce(&lexicon, &classes, &parser);
        let learned = LearnedSyntax { classes, parser, lexicon, deduced };
        observer.on(&Event::Deduced { right: learned.right(), examples: self.pairs.len() });
        learned
    }

    fn rng(&self, round: usize, number: usize) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.seed.wrapping_add(((16 * round + number) as u64) << 32))
    }

    /// Examples that are not learned when half of the trees are: among them all that were wrong before.
    fn asked(&self, trees: &[Option<Lesson>], previous: Option<&LearnedSyntax>) -> Vec<&Pair> {
        let is_wrong = |place: usize| previous.is_some_and(|previous| previous.deduced[place].is_none());
        let with_trees = (0..trees.len()).filter(|&place| trees[place].is_some());
        let without = (0..trees.len()).filter(|&place| trees[place].is_none());
        let unlearned: Vec<usize> = with_trees.skip(1).step_by(2).chain(without).collect();
        let step = unlearned.len().div_ceil(ASKED).max(1);
        let number =
            |(number, &place): (usize, &usize)| (is_wrong(place) || number % step == 0).then_some(place);
        let asked = unlearned.iter().enumerate().filter_map(number).take(2 * ASKED);
        asked.map(|place| &self.pairs[place]).collect()
    }

    /// How much the parser had better look at: parsers that learned from the trees of every other example
    /// are asked about the rest.
    fn tolerance(
        &self,
        trees: &[Option<Lesson>],
        asked: &[&Pair],
        classes: &Classes,
        lexicon: &Lexicon,
        round: usize,
    ) -> Option<f64> {
        let half = rows(self.lessons(trees).step_by(2), classes);
        let right = |number: usize| {
            let sight = sight(&half, TOLERANCES[number]);
            let (parser, states, _) = parser_of(&half, classes.count, sight, self.rng(round, number + 1));
            let mut workspace = Workspace::new();
            let mut answers = |pair: &&&Pair| {
                let tree = parser.parse(&classes.of_words(&pair.words), &mut workspace);
                is_right(lexicon, pair, &tree)
            };
            (asked.iter().filter(&mut answers).count(), std::cmp::Reverse(states))
        };
        let scores: Vec<_> = (0..TOLERANCES.len()).into_par_iter().map(right).collect();
        let best = (0..TOLERANCES.len()).max_by_key(|&number| scores[number]).unwrap_or(0);
        TOLERANCES[best]
    }

    /// The parser's trees that give the right result.
    fn deduce(&self, lexicon: &Lexicon, classes: &Classes, parser: &Parser) -> Vec<Option<Tree>> {
        self.pairs
            .par_iter()
            .map_init(Workspace::new, |workspace, pair| {
                let tree = parser.parse(&classes.of_words(&pair.words), workspace);
                is_right(lexicon, pair, &tree).then_some(tree)
            })
            .collect()
    }
}

/// A tree for the parser to learn, and how much it counts.
#[derive(Clone)]
struct Lesson {
    tree: Tree,
    weight: f32,
}

impl Lesson {
    fn chosen(tree: Tree) -> Lesson {
        Lesson { tree, weight: CHOSEN }
    }
}

/// What the trees teach a parser.
fn rows<'a>(lessons: impl Iterator<Item = (&'a [u32], &'a Lesson)>, classes: &Classes) -> Vec<Row> {
    let mut rows = Rows::default();
    for (words, Lesson { tree, weight }) in lessons {
        rows.add(tree, &classes.of_words(words), ORDER, *weight);
    }
    rows.into_rows()
}

/// What to look at if so many parser states may be mistakes.
fn sight(rows: &[Row], tolerance: Option<f64>) -> Sight {
    tolerance.map(|share| Sight::find(rows, share)).unwrap_or_default()
}

/// A parser that has learned these rows as it sees them, the number of different ones, and the passes it took.
fn parser_of(rows: &[Row], classes: u32, sight: Sight, mut rng: ChaCha8Rng) -> (Parser, usize, usize) {
    let mut rows = without_outliers(sight.show(rows));
    // What is rare is as important to get right as what is frequent.
    for row in &mut rows {
        row.weight = (1.0 + row.weight).ln();
    }
    let mut parser = Parser::new(classes, ORDER, &mut rng).with_sight(sight);
    let all = LearnConfig::default();
    let max_epochs = (VISITS / rows.len().max(1)).clamp(LEAST_EPOCHS, all.max_epochs);
    let report = parser.learn(&rows, &LearnConfig { max_epochs, ..all }, &mut rng);
    (parser, rows.len(), report.epochs)
}

/// Rows without those that contradict most others of the same features.
fn without_outliers(mut rows: Vec<Row>) -> Vec<Row> {
    let mut totals: FxHashMap<[u32; 18], f32> = FxHashMap::default();
    for row in &rows {
        *totals.entry(row.features).or_default() += row.weight;
    }
    rows.retain(|row| row.weight >= MISTAKE * totals[&row.features]);
    rows
}

/// A parser with its word classes, the lexicon completed by them, and its trees that give the right result.
struct LearnedSyntax {
    classes: Classes,
    parser: Parser,
    lexicon: Lexicon,
    deduced: Vec<Option<Tree>>,
}

impl LearnedSyntax {
    fn right(&self) -> usize {
        self.deduced.iter().flatten().count()
    }
}

/// Whether the tree gives the wanted result.
fn is_right(lexicon: &Lexicon, pair: &Pair, tree: &Tree) -> bool {
    let symbols: Vec<Option<Symbol>> = pair.words.iter().map(|&word| Some(Symbol(word))).collect();
    deduction::evaluate(lexicon, &symbols, tree)[tree.root()].value() == Some(&pair.target)
}

/// Gives every word the senses that its kin have for numbers of children it was never seen with.
fn share_senses(lexicon: &Lexicon, classes: &Classes) -> Lexicon {
    let mut shared = lexicon.clone();
    for word in 0..lexicon.senses.len() {
        let me = lexicon.senses[word].iter().find_map(|sense| sense.me.clone());
        for kin in (0..lexicon.senses.len()).filter(|&kin| classes.of[kin] == classes.of[word] && kin != word)
        {
            for sense in &lexicon.senses[kin] {
                let children = lexicon.arity(sense).map_or(0, usize::from);
                let mine = if sense.me.is_some() { me.clone() } else { None };
                if shared.sense_for(word, children).is_none() && mine.is_some() == sense.me.is_some() {
                    // Less probable than any sense of the word's own.
                    shared.senses[word].push(Sense { me: mine, probability: 1e-3, ..sense.clone() });
                }
            }
        }
    }
    shared
}

impl OutputKind {
    /// The type of results.
    pub fn value_type(self) -> Type {
        match self {
            OutputKind::Tokens => Type::List,
            OutputKind::Number => Type::Nat,
        }
    }
}
