//! Learns how words combine, once their meanings are known: trees, word classes, what to look at, the parser.
//!
//! Trees come from the treebank first. The parser that has learned them is asked about all examples: its own
//! trees are taken where they give the right result, for they follow the rule where the first ones may be right
//! by accident; other trees where they do not. This is repeated. Which trees to begin with and what to look at
//! is tried out with [`Table`]s, which learn in no time.

use super::classes::Classes;
use super::meaning::{self, Pair};
use super::{Event, Observer, treebank};
use crate::deduction;
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::semantics::program::{Expr, Program};
use crate::symbol::Symbol;
use crate::syntax::decode::Workspace;
use crate::syntax::{ArcOrder, LearnConfig, Parser, Row, Rows, Sight, Table};
use crate::tree::Tree;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Trees are chosen first for examples of at most so many words.
const TREE_WORDS: usize = 15;
/// For at most this many examples of each length.
const FIRST_TREES: usize = 400;
/// Deduction, abduction and counting are repeated at most so often.
const ROUNDS: u64 = 6;
/// But for so many rounds without progress at most.
const PATIENCE: usize = 2;
/// At most so many examples that deduction gets wrong are given to abduction in one round.
const ABDUCED: usize = 4_000;
/// So many other trees are tried where the first gives a wrong result.
const OTHER_TREES: usize = 64;
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
/// The network looks at so many rows in all, but at each so often at least.
const VISITS: usize = 300_000;
const LEAST_EPOCHS: usize = 12;
/// Where a parser state wants several transitions, those of a smaller share are mistakes.
const MISTAKE: f32 = 0.2;

/// What trees teach: word classes, and a parser of them.
pub(super) struct LearnedSyntax {
    pub classes: Classes,
    /// The lexicon completed by the classes.
    pub lexicon: Lexicon,
    pub parser: Parser,
    /// The parser's trees that give the right result.
    pub deduced: Vec<Option<Tree>>,
}

/// Learns a parser of these examples, given what words mean.
pub(super) fn learn(
    pairs: &[Pair],
    lexicon: &Lexicon,
    seed: u64,
    observer: &mut dyn Observer,
) -> LearnedSyntax {
    let first = Learner { pairs, lexicon, seed };
    let Start { lexicon, lessons, .. } = Start::find(&first);
    Learner { lexicon: &lexicon, ..first }.learn(&lessons, observer)
}

/// The same from trees that are known.
pub(super) fn learn_from(
    lessons: &Lessons,
    pairs: &[Pair],
    lexicon: &Lexicon,
    seed: u64,
    observer: &mut dyn Observer,
) -> LearnedSyntax {
    Learner { pairs, lexicon, seed }.learn(lessons, observer)
}

/// The first trees, and the meanings they are made with.
struct Start {
    lexicon: Lexicon,
    lessons: Lessons,
    promise: Promise,
}

impl Start {
    /// The most promising start. A word that contributes nothing might as well pass on the value of one child:
    /// examples cannot tell, but one of the two makes the simpler trees.
    fn find(learner: &Learner<'_>) -> Start {
        let senses = &learner.lexicon.senses;
        let mut best = Start::new(learner, learner.lexicon.clone());
        for word in (0..senses.len()).filter(|&word| is_empty(&senses[word])) {
            if best.promise.is_perfect() {
                break;
            }
            let other = Start::new(learner, passing_on(&best.lexicon, word));
            if other.promise > best.promise {
                best = other;
            }
        }
        best
    }

    fn new(learner: &Learner<'_>, lexicon: Lexicon) -> Start {
        let (lessons, promise) = Learner { lexicon: &lexicon, ..*learner }.first_trees();
        Start { lexicon, lessons, promise }
    }
}

/// Whether a word contributes nothing, whatever its children.
fn is_empty(senses: &[Sense]) -> bool {
    !senses.is_empty() && senses.iter().all(|sense| sense.program.is_none())
}

/// The lexicon with `word` giving the value of its one child.
fn passing_on(lexicon: &Lexicon, word: usize) -> Lexicon {
    let mut other = lexicon.clone();
    let program = other.intern(&Program { arity: 1, body: Expr::Arg(0) });
    other.senses[word] = vec![Sense { program: Some(program), me: None, probability: 1.0 }];
    other
}

struct Learner<'a> {
    pairs: &'a [Pair],
    lexicon: &'a Lexicon,
    seed: u64,
}

/// Trees of examples, as far as there are any.
pub(super) type Lessons = Vec<Option<Lesson>>;

impl Learner<'_> {
    /// The syntax that answers most examples: from the treebank first, then from the parser's own trees where
    /// they give the right result and from abduced ones where they do not.
    fn learn(&self, first: &Lessons, observer: &mut dyn Observer) -> LearnedSyntax {
        let mut latest = self.teach(first, None, 0, observer);
        let mut best: Option<LearnedSyntax> = None;
        let mut idle = 0;
        for round in 1..ROUNDS {
            if latest.right() == self.pairs.len() || idle == PATIENCE || observer.stop() {
                break;
            }
            let next = self.teach(&self.better_trees(&latest, first), Some(&latest), round, observer);
            let most = best.as_ref().map_or(0, LearnedSyntax::right).max(latest.right());
            idle = if next.right() > most { 0 } else { idle + 1 };
            let last = std::mem::replace(&mut latest, next);
            if best.as_ref().is_none_or(|best| last.right() > best.right()) {
                best = Some(last);
            }
        }
        best.into_iter().fold(latest, |best, other| if other.right() > best.right() { other } else { best })
    }

    /// Trees of short examples, alike where several give the right result: of several ways to choose them the
    /// one from which most other examples can be answered.
    fn first_trees(&self) -> (Lessons, Promise) {
        let mut places: Vec<usize> = Vec::new();
        // As many of each length: short ones are less ambiguous, long ones show more.
        let lengths: Vec<usize> = self.pairs.iter().map(|pair| pair.words.len()).collect();
        for length in 1..=TREE_WORDS {
            let fits = |place: &usize| lengths[*place] == length;
            let alike: Vec<usize> = (0..self.pairs.len()).filter(fits).collect();
            let pairs: Vec<&Pair> = alike.iter().map(|&place| &self.pairs[place]).collect();
            let chosen = meaning::spread(&pairs, FIRST_TREES, 0);
            places.extend(chosen.into_iter().map(|number| alike[number]));
        }
        let pairs: Vec<&Pair> = places.iter().map(|&place| &self.pairs[place]).collect();
        let choices = self.choose(&pairs);
        let lessons = |trees: Vec<Option<Tree>>| {
            let mut lessons = vec![None; self.pairs.len()];
            for (&place, tree) in places.iter().zip(trees) {
                lessons[place] = tree.map(Lesson::chosen);
            }
            lessons
        };
        let choices: Vec<Lessons> = choices.into_iter().map(lessons).collect();
        let promise = |lessons: &Lessons| {
            let (classes, lexicon) = self.classes(lessons);
            self.trial(lessons, &self.asked(lessons, None), &classes, &lexicon).0
        };
        let promises: Vec<Promise> = choices.par_iter().map(promise).collect();
        let best = (0..choices.len()).rev().max_by_key(|&number| promises[number]);
        let best = best.expect("trees are chosen at least once");
        (choices.into_iter().nth(best).unwrap_or_default(), promises[best])
    }

    /// Trees of these examples, chosen several times over.
    fn choose(&self, pairs: &[&Pair]) -> Vec<Vec<Option<Tree>>> {
        let kinds = Classes::by_meaning(self.lexicon).of;
        treebank::choose(pairs, self.lexicon, &kinds, self.seed)
    }

    /// The parser's own trees where they give the right result, else the first ones; where there is neither,
    /// trees like those, or else the most probable of the parser's other trees that give it.
    fn better_trees(&self, latest: &LearnedSyntax, first: &Lessons) -> Lessons {
        let better = |(own, first): (&Option<Tree>, &Option<Lesson>)| {
            let weight = first.as_ref().map_or(1.0, |first| first.weight);
            own.clone().map(|tree| Lesson { tree, weight }).or_else(|| first.clone())
        };
        let mut lessons: Lessons = latest.deduced.iter().zip(first).map(better).collect();
        let wrong: Vec<usize> =
            (0..lessons.len()).filter(|&place| lessons[place].is_none()).take(ABDUCED).collect();
        let pairs: Vec<&Pair> = wrong.iter().map(|&place| &self.pairs[place]).collect();
        let kinds = Classes::by_meaning(self.lexicon).of;
        let found = treebank::complete(self.taught(&lessons), &pairs, self.lexicon, &kinds);
        let other = |pair: &Pair| {
            let words = latest.classes.of_words(&pair.words);
            let mut others = latest.parser.k_best(&words, OTHER_TREES, OTHER_TREES).into_iter();
            let right = others.find(|(tree, _)| is_right(&latest.lexicon, pair, tree));
            right.map(|(tree, _)| Lesson { tree, weight: 1.0 })
        };
        let found: Lessons = pairs
            .par_iter()
            .zip(found)
            .map(|(pair, found)| found.map(Lesson::chosen).or_else(|| other(pair)))
            .collect();
        for (&place, lesson) in wrong.iter().zip(found) {
            lessons[place] = lesson;
        }
        lessons
    }

    /// Examples with their trees, as far as they have any.
    fn taught<'a>(&'a self, lessons: &'a Lessons) -> impl Iterator<Item = (&'a [u32], &'a Lesson)> + 'a {
        let examples = self.pairs.iter().zip(lessons);
        examples.filter_map(|(pair, lesson)| Some((&pair.words[..], lesson.as_ref()?)))
    }

    /// The word classes that trees show, and the lexicon completed by them.
    fn classes(&self, lessons: &Lessons) -> (Classes, Lexicon) {
        let trees: Vec<(&[u32], &Tree)> =
            self.taught(lessons).map(|(words, lesson)| (words, &lesson.tree)).collect();
        let classes = Classes::find(&trees, self.lexicon, ORDER);
        let lexicon = share_senses(self.lexicon, &classes);
        (classes, lexicon)
    }

    /// Teaches a parser these trees.
    fn teach(
        &self,
        lessons: &Lessons,
        previous: Option<&LearnedSyntax>,
        round: u64,
        observer: &mut dyn Observer,
    ) -> LearnedSyntax {
        let (classes, lexicon) = self.classes(lessons);
        let (_, tolerance) = self.trial(lessons, &self.asked(lessons, previous), &classes, &lexicon);
        let rows = rows(self.taught(lessons), &classes);
        // Who sees all may generalise from what is unlike; who sees little from what is like.
        let sights = [sight(&rows, tolerance), Sight::default()];
        let learn = |sight: Sight| {
            let rng = ChaCha8Rng::seed_from_u64(self.seed.wrapping_add(round << 32));
            let (parser, states, epochs) = parser_of(&rows, classes.count, sight, rng);
            let deduced = self.deduce(&lexicon, &classes, &parser);
            (deduced.iter().flatten().count(), Reverse(states), epochs, parser, deduced)
        };
        let mut learned: Vec<_> = sights.into_par_iter().map(learn).collect();
        learned.sort_by_key(|&(right, states, ..)| (right, states));
        let (right, Reverse(states), epochs, parser, deduced) = learned.pop().expect("two were learned");
        observer.on(&Event::Parser { states, classes: classes.count, epochs });
        observer.on(&Event::Deduced { right, examples: self.pairs.len() });
        LearnedSyntax { classes, lexicon, parser, deduced }
    }

    /// Examples that are not learned when half of the trees are: among them all that were wrong before.
    fn asked(&self, lessons: &Lessons, previous: Option<&LearnedSyntax>) -> Vec<&Pair> {
        let is_wrong = |place: usize| previous.is_some_and(|previous| previous.deduced[place].is_none());
        let with_trees = (0..lessons.len()).filter(|&place| lessons[place].is_some());
        let without = (0..lessons.len()).filter(|&place| lessons[place].is_none());
        let unlearned: Vec<usize> = with_trees.skip(1).step_by(2).chain(without).collect();
        let step = unlearned.len().div_ceil(ASKED).max(1);
        let number =
            |(number, &place): (usize, &usize)| (is_wrong(place) || number % step == 0).then_some(place);
        let asked = unlearned.iter().enumerate().filter_map(number).take(2 * ASKED);
        asked.map(|place| &self.pairs[place]).collect()
    }

    /// How much had better be looked at, and how well that does: tables made from the trees of every other
    /// example are asked about the rest.
    fn trial(
        &self,
        lessons: &Lessons,
        asked: &[&Pair],
        classes: &Classes,
        lexicon: &Lexicon,
    ) -> (Promise, Option<f64>) {
        let half = rows(self.taught(lessons).step_by(2), classes);
        let promise = |tolerance: &Option<f64>| {
            let table = Table::new(&half, classes.count, ORDER, sight(&half, *tolerance));
            let answers = |pair: &&&Pair| {
                table.parse(&classes.of_words(&pair.words)).is_some_and(|tree| is_right(lexicon, pair, &tree))
            };
            Promise::new(asked.iter().filter(answers).count(), asked.len(), table.states())
        };
        let promises: Vec<Promise> = TOLERANCES.par_iter().map(promise).collect();
        let best = (0..TOLERANCES.len()).max_by_key(|&number| promises[number]).unwrap_or(0);
        (promises[best], TOLERANCES[best])
    }

    /// The parser's trees that give the right result.
    fn deduce(&self, lexicon: &Lexicon, classes: &Classes, parser: &Parser) -> Vec<Option<Tree>> {
        let right = |workspace: &mut Workspace, pair: &Pair| {
            let tree = parser.parse(&classes.of_words(&pair.words), workspace);
            is_right(lexicon, pair, &tree).then_some(tree)
        };
        self.pairs.par_iter().map_init(Workspace::new, right).collect()
    }
}

/// The share of right answers, in millionths, and how few states were needed for them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Promise {
    right: usize,
    states: Reverse<usize>,
}

impl Promise {
    const ALL: usize = 1_000_000;

    fn new(right: usize, asked: usize, states: usize) -> Promise {
        Promise {
            right: (right * Promise::ALL).checked_div(asked).unwrap_or(Promise::ALL),
            states: Reverse(states),
        }
    }

    fn is_perfect(self) -> bool {
        self.right == Promise::ALL
    }
}

impl LearnedSyntax {
    fn right(&self) -> usize {
        self.deduced.iter().flatten().count()
    }
}

/// A tree for the parser to learn, and how much it counts.
#[derive(Clone)]
pub(super) struct Lesson {
    pub tree: Tree,
    pub weight: f32,
}

impl Lesson {
    pub fn chosen(tree: Tree) -> Lesson {
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

/// Whether the tree gives the wanted result.
pub(super) fn is_right(lexicon: &Lexicon, pair: &Pair, tree: &Tree) -> bool {
    let symbols: Vec<Option<Symbol>> = pair.words.iter().map(|&word| Some(Symbol(word))).collect();
    deduction::evaluate(lexicon, &symbols, tree)[tree.root()].value() == Some(&pair.target)
}

/// Gives every word the senses that its kin have for numbers of children it was never seen with.
pub(super) fn share_senses(lexicon: &Lexicon, classes: &Classes) -> Lexicon {
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
