//! Runs of words that come out as they stand: `A B C` brings the tokens a b c in this order.
//!
//! Where a vocabulary is large, most words bring nothing but a token of their own, and no example shows one of them
//! alone. Each of a hundred such words could still have a meaning of its own, and short examples are explained by
//! accident in countless ways. But if their tokens nearly always come out side by side, in the order of the words
//! or against it, then a run of them is a phrase: one value. With phrases as single words the others are learned
//! first, from examples that are short now, and so are the trees. A word of a phrase then means its token, joined
//! to what stands before.

use super::meaning::{Meanings, Outcome, Pair};
use super::{Event, Observer};
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::semantics::program::{Expr, Prim, Program};
use crate::symbol::Symbol;
use crate::tree::Tree;
use crate::value::{Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Shorter runs say nothing about phrases: their words may as well be a head and its child.
const RUN: usize = 3;
/// So many neighbours must have come out side by side.
const NEIGHBOURS: usize = 30;
/// This share of them in the same order.
const AGREED: f64 = 0.6;

/// In which order the tokens of a phrase come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Forward,
    Backward,
}

/// What is known about phrases: the token of each word that may be part of one, and their order.
pub(super) struct Phrases {
    order: Order,
    tokens: Vec<Option<Symbol>>,
}

/// Examples with phrases for words. Phrases are numbered after all words, in order of appearance.
pub(super) struct Phrased {
    /// The examples, as they were given.
    pub pairs: Vec<Pair>,
    /// What each phrase brings.
    values: Vec<Value>,
}

impl Phrases {
    /// Whether there are phrases. `own` is what each word brings.
    pub(super) fn find(pairs: &[Pair], own: &[Option<Value>]) -> Option<Phrases> {
        let tokens: Vec<Option<Symbol>> = own.iter().map(token).collect();
        Some(Phrases { order: order(pairs, &tokens)?, tokens })
    }

    /// Examples with each run of words that bring tokens as one word.
    pub(super) fn phrased<'a>(&self, pairs: impl Iterator<Item = &'a Pair>) -> Phrased {
        let mut values: Vec<Value> = Vec::new();
        let mut numbers: FxHashMap<&[u32], u32> = FxHashMap::default();
        let mut number = |run: &'a [u32]| {
            *numbers.entry(run).or_insert_with(|| {
                values.push(self.value(run));
                (self.tokens.len() + values.len() - 1) as u32
            })
        };
        let phrase = |pair: &'a Pair| {
            let word = |run: &'a [u32]| if self.brings(run[0]) { number(run) } else { run[0] };
            Pair { words: self.runs(&pair.words).map(word).collect(), target: pair.target.clone() }
        };
        let pairs: Vec<Pair> = pairs.map(phrase).collect();
        Phrased { pairs, values }
    }

    fn brings(&self, word: u32) -> bool {
        self.tokens[word as usize].is_some()
    }

    /// Phrases, and the words between them.
    fn runs<'a>(&self, words: &'a [u32]) -> impl Iterator<Item = &'a [u32]> {
        words.chunk_by(|&first, &second| self.brings(first) && self.brings(second))
    }

    /// How many words an example has if phrases are words.
    pub(super) fn length(&self, words: &[u32]) -> usize {
        self.runs(words).count()
    }

    /// What a phrase brings.
    fn value(&self, run: &[u32]) -> Value {
        let mut tokens: Vec<Symbol> = run.iter().filter_map(|&word| self.tokens[word as usize]).collect();
        if self.order == Order::Backward {
            tokens.reverse();
        }
        Value::list(&tokens)
    }

    /// The tree of an example, given one with phrases: in a phrase each word hangs on the next, and the last takes
    /// the place of the phrase.
    pub(super) fn expand(&self, words: &[u32], tree: &Tree) -> Option<Tree> {
        let mut heads: Vec<Option<u32>> = (1..=words.len() as u32).map(Some).collect();
        let ends: Vec<usize> = self
            .runs(words)
            .scan(0, |end, run| {
                *end += run.len();
                Some(*end - 1)
            })
            .collect();
        for (&end, head) in ends.iter().zip(tree.heads()) {
            heads[end] = head.map(|head| ends[head as usize] as u32);
        }
        Tree::new(heads).ok()
    }

    /// What single words mean, given what those beside phrases mean.
    pub(super) fn of_words(&self, outcome: Outcome) -> Outcome {
        let Outcome { mut lexicon, length, explained } = outcome;
        lexicon.senses.truncate(self.tokens.len());
        let joined = match self.order {
            Order::Forward => vec![Expr::Arg(0), Expr::Me],
            Order::Backward => vec![Expr::Me, Expr::Arg(0)],
        };
        let alone = lexicon.intern(&ALONE);
        let joined = lexicon.intern(&Program { arity: 1, body: Expr::Apply(Prim::Append, joined) });
        for (senses, token) in lexicon.senses.iter_mut().zip(&self.tokens) {
            if let Some(token) = token {
                let me = Value::list(&[*token]);
                *senses = [alone, joined].map(|program| constant(program, me.clone(), 0.5)).to_vec();
            }
        }
        Outcome { lexicon, length, explained }
    }

    /// Passes on what is learned about single words only.
    pub(super) fn watched<'a>(&self, observer: &'a mut dyn Observer) -> Watched<'a> {
        Watched { words: self.tokens.len(), observer }
    }
}

impl Phrased {
    /// What is believed to begin with, given what each word brings: phrases, and words that may be part of one, are
    /// nothing but what they bring.
    pub(super) fn first_beliefs(&self, phrases: &Phrases, own: &[Option<Value>]) -> Meanings {
        let mut all = own.to_vec();
        all.extend(self.values.iter().cloned().map(Some));
        let mut is_constant: Vec<bool> = phrases.tokens.iter().map(Option::is_some).collect();
        is_constant.resize(all.len(), true);
        Meanings::new(all, Type::List).with_constants(&is_constant)
    }

    /// The lexicon with phrases.
    pub(super) fn lexicon(&self, words: &Lexicon) -> Lexicon {
        let mut lexicon = words.clone();
        let alone = lexicon.intern(&ALONE);
        lexicon.senses.extend(self.values.iter().map(|value| vec![constant(alone, value.clone(), 1.0)]));
        lexicon
    }
}

/// What a word means that is nothing but its constant.
const ALONE: Program = Program { arity: 0, body: Expr::Me };

fn constant(program: u32, me: Value, probability: f64) -> Sense {
    Sense { program: Some(program), me: Some(me), probability }
}

/// Tells an observer about single words.
pub(super) struct Watched<'a> {
    words: usize,
    observer: &'a mut dyn Observer,
}

impl Observer for Watched<'_> {
    fn on(&mut self, event: &Event<'_>) {
        match event {
            Event::Meanings { meanings, round } => {
                let meanings = &meanings.of_first(self.words);
                self.observer.on(&Event::Meanings { meanings, round });
            }
            Event::Revised { choice, lexicon, with, without } => {
                let mut words = (*lexicon).clone();
                words.senses.truncate(self.words);
                let (choice, lexicon, with, without) = (*choice, &words, *with, *without);
                self.observer.on(&Event::Revised { choice, lexicon, with, without });
            }
            other => self.observer.on(other),
        }
    }

    fn stop(&self) -> bool {
        self.observer.stop()
    }
}

/// The one token that a word brings.
fn token(own: &Option<Value>) -> Option<Symbol> {
    match own {
        Some(Value::List(list)) if list.0.len() == 1 => Some(list.0[0]),
        _ => None,
    }
}

/// In which order the tokens of neighbours in longer runs come out side by side, if they keep to one.
fn order(pairs: &[Pair], tokens: &[Option<Symbol>]) -> Option<Order> {
    let (mut forward, mut backward) = (0, 0);
    for Pair { words, target } in pairs {
        let Value::List(output) = target else { return None };
        let side_by_side: FxHashSet<[Symbol; 2]> =
            output.0.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        let brought: Vec<Option<Symbol>> = words.iter().map(|&word| tokens[word as usize]).collect();
        for run in brought.split(Option::is_none).filter(|run| run.len() >= RUN) {
            let run: Vec<Symbol> = run.iter().copied().flatten().collect();
            for neighbours in run.windows(2) {
                let [first, second] = [neighbours[0], neighbours[1]];
                forward += usize::from(side_by_side.contains(&[first, second]));
                backward += usize::from(side_by_side.contains(&[second, first]));
            }
        }
    }
    let all = forward + backward;
    let share = forward as f64 / all.max(1) as f64;
    match all >= NEIGHBOURS {
        true if share >= AGREED => Some(Order::Forward),
        true if share <= 1.0 - AGREED => Some(Order::Backward),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words `0..4` bring the tokens `10..14`; word 4 brings nothing.
    fn own() -> Vec<Option<Value>> {
        let mut own: Vec<Option<Value>> = (10..14).map(|token| Some(Value::list(&[Symbol(token)]))).collect();
        own.push(Some(Value::list(&[])));
        own
    }

    fn pair(words: &[u32], tokens: &[u32]) -> Pair {
        let tokens: Vec<Symbol> = tokens.iter().copied().map(Symbol).collect();
        Pair { words: words.to_vec(), target: Value::list(&tokens) }
    }

    fn order_of(words: &[u32], tokens: &[u32]) -> Option<Order> {
        let pairs = vec![pair(words, tokens); NEIGHBOURS];
        Phrases::find(&pairs, &own()).map(|phrases| phrases.order)
    }

    #[test]
    fn the_order_is_that_of_the_tokens() {
        assert_eq!(order_of(&[4, 0, 1, 2], &[10, 11, 12]), Some(Order::Forward));
        assert_eq!(order_of(&[4, 0, 1, 2], &[12, 11, 10]), Some(Order::Backward));
        // Side by side, but in either order as often.
        assert_eq!(order_of(&[0, 1, 2, 4, 0, 1, 2], &[10, 11, 12, 11, 10]), None);
        // Two words may be a head and its child.
        assert_eq!(order_of(&[4, 0, 1], &[10, 11]), None);
        // Tokens that never meet are no phrase.
        assert_eq!(order_of(&[0, 1, 2], &[10, 12]), None);
    }

    #[test]
    fn few_examples_prove_nothing() {
        let pairs = vec![pair(&[0, 1, 2], &[10, 11, 12]); NEIGHBOURS / 2 - 1];
        assert!(Phrases::find(&pairs, &own()).is_none());
    }

    #[test]
    fn a_run_is_one_word_and_the_same_run_the_same() {
        let phrases = Phrases { order: Order::Forward, tokens: own().iter().map(token).collect() };
        let examples = [pair(&[4, 0, 1, 4, 2], &[]), pair(&[0, 1], &[])];
        let phrased = phrases.phrased(examples.iter());
        assert_eq!(phrased.pairs[0].words, [4, 5, 4, 6]);
        assert_eq!(phrased.pairs[1].words, [5]);
        let value = |tokens: &[u32]| Value::list(&tokens.iter().copied().map(Symbol).collect::<Vec<_>>());
        assert_eq!(phrased.values, [value(&[10, 11]), value(&[12])]);
        assert_eq!(phrases.length(&examples[0].words), 4);
    }

    #[test]
    fn expanded_trees_keep_the_heads_and_chain_the_words() {
        let phrases = Phrases { order: Order::Forward, tokens: own().iter().map(token).collect() };
        // `4 (0 1 2) 4 (3)`: the first takes the phrase and the second, which takes the other phrase.
        let tree = Tree::new(vec![None, Some(0), Some(0), Some(2)]).expect("it is a tree");
        let expanded = phrases.expand(&[4, 0, 1, 2, 4, 3], &tree).expect("it is one still");
        assert_eq!(expanded.heads(), [None, Some(2), Some(3), Some(0), Some(0), Some(4)]);
    }
}
