//! From pairs to constructions: the bridge to the new core while the old one is being replaced.
//!
//! [`crate::learn`] finds constructions with templates, which is all that many tasks need, in about a second. Where a task needs more
//! (outputs that depend on the content of an argument, letters turned round), a theory answers the examples it has seen and few others.
//! So a first look at a hundred examples asks whether they have enough in common, and then some examples are held out: if the theory of the others answers enough of them, one of all examples is the model; otherwise
//! programs of words are learned as before. When these too are part of a theory, this file has no more to decide.

use super::meaning::{Meanings, Pair};
use super::{Event, Observer};
use crate::chart::{free, given};
use crate::data::Dataset;
use crate::learn::begin::{Beginning, begin};
use crate::learn::evidence::Example;
use crate::learn::state::Sampled;
use crate::learn::{self, Learned};
use crate::model::{Model, OutputKind, Settings};
use crate::objective::Prices;
use crate::readable::Constructions;
use crate::semantics::lexicon::Lexicon;
use crate::symbol::{Token, Word};
use crate::syntax::Parser;
use crate::theory::Theory;
use crate::theory::knowledge::Knowledge;
use crate::value::Value;
use rayon::prelude::*;

/// Of fewer examples one in ten are too few to judge a theory by.
const FEWEST: usize = 50;
/// One in so many examples is held out: the theory of the others is nearly that of all.
const HELD_OUT: usize = 10;
/// The share of the examples held out that a theory must answer right. Where templates are what a task needs, nearly all are, and what is
/// missing are words held out with their only example; where they are not, few are.
const ENOUGH_RIGHT: f64 = 0.75;

/// So many examples are looked at first: enough for what they share to show, and few enough that it takes seconds.
const LOOKED_AT: usize = 100;
/// The share of the bits of these examples, each kept as a whole, that a first theory of them may take. It takes 0.01 to 0.3 where templates
/// are what a task needs, half with hundreds of words (COGS), and 0.77 for PCFG SET, whose functions they cannot express: there
/// learning would go on for minutes and come to nothing.
const SHARED: f64 = 0.6;

/// A model of constructions of the pairs; `None` if they do not carry far enough, or learning was to stop before that was known.
pub(super) fn learn(data: &Dataset, pairs: &[Pair], seed: u64, observer: &mut dyn Observer) -> Option<Model> {
    let examples: Vec<Example> = pairs.iter().filter_map(example).collect();
    if examples.len() < FEWEST || observer.stop() {
        return None;
    }
    let sizes = (data.inputs.len(), data.outputs.len());
    if !is_promising(&examples, sizes) || observer.stop() {
        return None;
    }
    let (rest, held_out) = hold_out(&examples);
    let trial = constructions(rest, sizes).knowledge;
    let right = held_out.par_iter().filter(|example| is_right(&trial, example)).count();
    observer.on(&Event::Theory {
        entries: trial.theory.live().count(),
        held_out_right: right,
        held_out: held_out.len(),
    });
    if (right as f64) < ENOUGH_RIGHT * held_out.len() as f64 {
        return None;
    }
    if observer.stop() {
        return trial.is_storable().then(|| model(data, seed, trial, false));
    }
    let Learned { knowledge, thought, edits } = constructions(examples, sizes);
    if !knowledge.is_storable() {
        return None;
    }
    let text = Constructions::new(&data.inputs, &data.outputs);
    for edit in edits {
        let entry = text.definition(thought.entry(edit.entry));
        observer.on(&Event::Edit { by: edit.by, bits: edit.bits, total: edit.total, entry });
    }
    Some(model(data, seed, knowledge, true))
}

/// The pair as an example; `None` if its result is no list of tokens.
fn example(pair: &Pair) -> Option<Example> {
    let Value::List(tokens) = &pair.target else { return None };
    Some(Example {
        input: pair.words.iter().map(|&word| Word(word)).collect(),
        output: tokens.0.iter().map(|token| Token(token.0)).collect(),
    })
}

/// The examples without every tenth one, and these.
fn hold_out(examples: &[Example]) -> (Vec<Example>, Vec<&Example>) {
    let is_held_out = |number: usize| number % HELD_OUT == HELD_OUT / 2;
    let numbered = || examples.iter().enumerate();
    let rest = numbered().filter(|(number, _)| !is_held_out(*number)).map(|(_, example)| example.clone());
    let held_out = numbered().filter(|(number, _)| is_held_out(*number)).map(|(_, example)| example);
    (rest.collect(), held_out.collect())
}

/// Whether a first theory of some of the examples is much shorter than they are.
fn is_promising(examples: &[Example], (words, tokens): (usize, usize)) -> bool {
    let step = examples.len().div_ceil(LOOKED_AT);
    let some: Vec<Example> =
        examples.iter().step_by(step).filter(|example| has_chart(example)).cloned().collect();
    let sampled =
        |example: &Example| Sampled { pattern: example.pattern(), says: example.says(), weight: 1.0 };
    let sample: Vec<Sampled> = some.iter().map(sampled).collect();
    let prices = Prices::new(words, tokens);
    let whole: f64 = some.iter().map(|example| prices.entry(&example.whole())).sum();
    let Beginning { theory, .. } = begin(Theory::new(prices), &some, &sample);
    let bits: f64 = theory.live().map(|id| theory.bits(id)).sum();
    bits <= SHARED * whole
}

/// Whether an example is short enough to have a chart.
fn has_chart(example: &Example) -> bool {
    example.input.len() <= free::LONGEST && example.output.len() <= given::LONGEST
}

/// Learns from those examples that are short enough to have a chart.
fn constructions(mut examples: Vec<Example>, (words, tokens): (usize, usize)) -> Learned {
    examples.retain(has_chart);
    learn::learn(examples, words, tokens)
}

fn is_right(knowledge: &Knowledge, example: &Example) -> bool {
    let input: Vec<Option<Word>> = example.input.iter().copied().map(Some).collect();
    knowledge.answer(&input).is_some_and(|answer| *answer.tokens == *example.output)
}

fn model(data: &Dataset, seed: u64, knowledge: Knowledge, finished: bool) -> Model {
    let kind = OutputKind::Tokens;
    Model {
        task: data.name.clone(),
        settings: Settings { seed, ..Settings::default() },
        examples: data.examples.len() as u64,
        kind,
        inputs: data.inputs.clone(),
        outputs: data.outputs.clone(),
        knowledge: Some(knowledge),
        lexicon: Lexicon::default(),
        classes: Vec::new(),
        parser: Parser::none(),
        meanings: Meanings::new(Vec::new(), kind.value_type()),
        finished,
        unexplained: Vec::new(),
        remembered: Vec::new(),
        extensions: Vec::new(),
        eyes: None,
        seeing: None,
        newcomers: None,
    }
}
