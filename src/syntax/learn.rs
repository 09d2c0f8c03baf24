//! From trees to a parser, and when to trust it.

use super::grammar::Grammar;
use super::network::{Example, Learning, Network};
use super::state::{State, Transition, reductions};
use super::{Parser, Syntax, fillings};
use crate::stop::Stop;
use crate::symbol::Word;
use crate::theory::tree::Node;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// An input with its tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The words.
    pub input: Vec<Word>,
    /// The nodes of the tree, the root first.
    pub nodes: Vec<Node>,
}

/// One in so many lessons, the largest, are first not learned: on these the parser is judged, for it has to carry further than it was taught.
const HELD_OUT: usize = 4;
/// So many states are learned at most, the most frequent ones.
const STATES: usize = 4_000;
/// So often all states are looked at, unless they are learned before,
const EPOCHS: usize = 60;
/// which they are if what is right is everywhere as probable as this.
const LEARNED: f32 = 0.98;
/// States in a batch.
const BATCH: usize = 32;
/// A tree is never trusted below this margin: any two transitions as probable as this leave doubt.
const DOUBT: f32 = 0.5;
/// A parser of which no tree is trusted.
const NEVER: f32 = 2.0;

/// A parser that has learned the trees of these lessons, the smallest first; `None` where none can be parsed.
pub fn learn(grammar: &Grammar, lessons: &[Lesson], seed: u64, stop: Stop<'_>) -> Option<Parser> {
    let (smaller, larger) = lessons.split_at(lessons.len() - lessons.len() / HELD_OUT);
    let trusted = trusted(&taught(grammar, smaller, seed, stop), grammar, larger)?;
    Some(Parser { trusted, ..taught(grammar, lessons, seed, stop) })
}

/// A parser that has learned these trees, and is not trusted yet.
fn taught(grammar: &Grammar, lessons: &[Lesson], seed: u64, stop: Stop<'_>) -> Parser {
    let mut counts: BTreeMap<Example, usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for lesson in lessons {
        let Some(states) = states(grammar, lesson) else { continue };
        states.into_iter().for_each(|state| *counts.entry(state).or_default() += 1);
        seen.extend(fillings(grammar, &lesson.nodes));
    }
    let mut examples: Vec<(Example, usize)> = counts.into_iter().collect();
    examples.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    examples.truncate(STATES);
    let examples: Vec<Example> = examples.into_iter().map(|(example, _)| example).collect();
    Parser { network: train(grammar, &examples, seed, stop), seen, trusted: NEVER }
}

/// The states on the way to a tree in which there is a choice; `None` if no sequence of transitions leads there.
fn states(grammar: &Grammar, lesson: &Lesson) -> Option<Vec<Example>> {
    let mut state = State::new(grammar, &lesson.input);
    let mut states = Vec::new();
    let mut shifted = 0;
    for (entry, before) in reductions(grammar, &lesson.nodes) {
        while shifted < before {
            go(&mut state, &mut states, |transition| transition == Transition::Shift)?;
            shifted += 1;
        }
        let is_right = |transition: Transition| matches!(transition, Transition::Reduce { entry: other, .. } if other == entry);
        go(&mut state, &mut states, is_right)?;
    }
    (state.is_done() && state.tree()? == lesson.nodes).then_some(states)
}

/// Takes the right transition, and notes the state if there were others.
fn go(state: &mut State<'_>, states: &mut Vec<Example>, is_right: impl Fn(Transition) -> bool) -> Option<()> {
    let possible = state.possible();
    let right = possible.iter().position(|&transition| is_right(transition))?;
    if possible.len() > 1 {
        let valid = possible.iter().map(|transition| transition.output()).collect();
        states.push(Example { features: state.features(), valid, right });
    }
    state.take(possible[right]);
    Some(())
}

fn train(grammar: &Grammar, examples: &[Example], seed: u64, stop: Stop<'_>) -> Network {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut learning = Learning::new(Network::new(grammar.classes(), grammar.actions(), &mut rng));
    let mut order: Vec<&Example> = examples.iter().collect();
    for _ in 0..EPOCHS {
        order.shuffle(&mut rng);
        let least = order.chunks(BATCH).map(|batch| learning.step(batch.iter().copied())).fold(1.0, f32::min);
        if least > LEARNED || stop() {
            break;
        }
    }
    learning.network
}

/// The margin above which no familiar tree of the judges is wrong; `None` if no tree is right at all.
fn trusted(parser: &Parser, grammar: &Grammar, judges: &[Lesson]) -> Option<f32> {
    let (mut is_any_right, mut right, mut wrong): (bool, f32, f32) = (false, 0.0, 0.0);
    for lesson in judges {
        let Some(parse) = parser.parse(grammar, &lesson.input) else { continue };
        let margin = if parse.is_familiar { parse.margin } else { 0.0 };
        match parse.nodes == lesson.nodes {
            true => (is_any_right, right) = (true, right.max(margin)),
            false => wrong = wrong.max(margin),
        }
    }
    // Halfway from the surest mistake to certainty: others may be surer.
    let trusted = if wrong > 0.0 { f32::midpoint(1.0, wrong) } else { DOUBT }.max(DOUBT);
    is_any_right.then_some(if right >= trusted { trusted } else { NEVER })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Pattern;
    use crate::theory::entry::In;
    use proptest::prelude::*;

    const WALK: u32 = 0;
    const RUN: u32 = 1;
    const TWICE: u32 = 2;
    const AND: u32 = 3;
    const LARGEST: u32 = 4;
    const END: u32 = 5;

    /// `walk`, `run`, `_ twice`, `_ and _`, `largest _* end`.
    fn grammar() -> Grammar {
        let (word, slot) = (|number: u32| In::Word(Word(number)), In::Slot);
        let pattern = |pieces: &[In], row: bool, class: u32| Pattern { pieces: pieces.into(), row, class };
        Grammar::new(vec![
            pattern(&[word(WALK)], false, 0),
            pattern(&[word(RUN)], false, 0),
            pattern(&[slot(0), word(TWICE)], false, 1),
            pattern(&[slot(0), word(AND), slot(1)], false, 2),
            pattern(&[word(LARGEST), slot(0), word(END)], true, 3),
        ])
    }

    /// What a tree is made of; `and` joins what is no `and` on its right, as its trees are read.
    #[derive(Clone, Debug)]
    enum Tree {
        Word(u32),
        Twice(Box<Tree>),
        And(Box<Tree>, Box<Tree>),
        Largest(Vec<Tree>),
    }

    impl Tree {
        fn lesson(&self) -> Lesson {
            let mut lesson = Lesson { input: Vec::new(), nodes: Vec::new() };
            self.add(&mut lesson);
            lesson
        }

        fn add(&self, lesson: &mut Lesson) -> u32 {
            let number = lesson.nodes.len() as u32;
            lesson.nodes.push(Node { entry: 0, kids: Vec::new() });
            let say = |lesson: &mut Lesson, word: u32| lesson.input.push(Word(word));
            let (entry, kids) = match self {
                Tree::Word(word) => {
                    say(lesson, *word);
                    (*word, Vec::new())
                }
                Tree::Twice(what) => {
                    let kids = vec![what.add(lesson)];
                    say(lesson, TWICE);
                    (2, kids)
                }
                Tree::And(left, right) => {
                    let left = left.add(lesson);
                    say(lesson, AND);
                    (3, vec![left, right.add(lesson)])
                }
                Tree::Largest(row) => {
                    say(lesson, LARGEST);
                    let kids = row.iter().map(|what| what.add(lesson)).collect();
                    say(lesson, END);
                    (4, kids)
                }
            };
            lesson.nodes[number as usize] = Node { entry, kids };
            number
        }
    }

    fn trees() -> impl Strategy<Value = Tree> {
        let word = (0..2u32).prop_map(Tree::Word);
        word.prop_recursive(5, 40, 4, |inner| {
            prop_oneof![
                inner.clone().prop_map(|what| Tree::Twice(what.into())),
                (inner.clone(), inner.clone()).prop_map(|(left, right)| Tree::And(left.into(), right.into())),
                prop::collection::vec(inner, 1..4).prop_map(Tree::Largest),
            ]
        })
    }

    proptest! {
        #[test]
        fn transitions_rebuild_their_tree(tree in trees()) {
            let grammar = grammar();
            prop_assert!(states(&grammar, &tree.lesson()).is_some());
        }
    }

    /// `twice` binds before `and`, and `and` groups to the left: commands of so many parts.
    fn command(parts: u32, seed: u32) -> Tree {
        let part = |number: u32| {
            let word = Tree::Word((seed + number) % 2);
            if (seed / 2 + number).is_multiple_of(3) { Tree::Twice(word.into()) } else { word }
        };
        (1..parts).fold(part(0), |left, number| Tree::And(left.into(), part(number).into()))
    }

    #[test]
    fn what_was_learned_of_short_inputs_holds_for_long_ones() {
        let grammar = grammar();
        let lessons: Vec<Lesson> =
            (1..5).flat_map(|parts| (0..12).map(move |seed| command(parts, seed).lesson())).collect();
        let parser = learn(&grammar, &lessons, 0, Stop::never()).unwrap();
        let long = command(2_000, 5).lesson();
        let parse = parser.parse(&grammar, &long.input).unwrap();
        assert!(parse.nodes == long.nodes && parser.trusts(&parse), "{}", parse.margin);
        assert_eq!(parser.parse(&grammar, &[Word(AND), Word(WALK)]), None);
        assert_eq!(parser.parse(&grammar, &[Word(99)]), None);
    }
}
