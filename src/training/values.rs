//! From pairs to constructions whose results are computed.
//!
//! Where all outputs are numbers, or there are only two, [`crate::values`] learns what words and patterns compute. What it has learned is the model
//! if it answers nearly all examples, most of which it has not learned from; else programs of words are learned as well, and the
//! model is whichever answers more.

use super::meaning::Meanings;
use super::{Event, Observer, distinct, watched};
use crate::data::Dataset;
use crate::model::{Extension, Model, OutputKind, Settings};
use crate::number::integer::Integer;
use crate::readable;
use crate::semantics::lexicon::Lexicon;
use crate::symbol::{Symbol, Token, Vocabulary, Word};
use crate::syntax::Parser;
use crate::syntax::decode::Workspace;
use crate::values::knowledge::Knowledge;
use crate::values::learn::{self, Learned};
use crate::values::value::Value;
use crate::values::weigh::Example;
use rayon::prelude::*;
#[cfg(feature = "vision")]
use std::collections::BTreeMap;

/// The share of the examples asked that has to be answered right for a model at once: some outputs may be wrong.
const NEARLY_ALL: f64 = 0.9;
/// So many examples are asked.
const ASKED: usize = 1_000;

/// What values came to.
pub(super) struct Found {
    /// The model.
    pub(super) model: Model,
    asked: Vec<usize>,
    right: usize,
}

impl Found {
    /// Whether nearly all examples asked are answered right, or there is no time to find out more.
    pub(super) fn is_sure(&self) -> bool {
        !self.model.finished || self.right as f64 >= NEARLY_ALL * self.asked.len() as f64
    }

    /// The better one of the model and another; the other one where neither answers anything.
    pub(super) fn or(self, other: Model, data: &Dataset) -> Model {
        let right = self.asked.iter().filter(|&&number| is_right(&other, data, number)).count();
        if right >= self.right { other } else { self.model }
    }
}

/// Whether all outputs are whole numbers.
pub(super) fn are_numbers(data: &Dataset) -> bool {
    matches!(Results::of(data), Some(Results::Numbers))
}

/// A model of constructions that compute the outputs of `data`, if these are values.
pub(super) fn learn(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Option<Found> {
    let results = Results::of(data)?;
    if observer.stop() {
        return None;
    }
    let found = learn_results(data, &results, seed, observer);
    let knows_any = found.model.values.as_ref().is_some_and(|known| !known.entries().is_empty());
    knows_any.then_some(found)
}

/// A model of constructions that compute these results, whatever it knows.
pub(super) fn learn_results(
    data: &Dataset,
    results: &Results,
    seed: u64,
    observer: &mut dyn Observer,
) -> Found {
    let examples = examples(data, results);
    let (learned_from, counted) = learn::used(&examples);
    observer.on(&Event::Chosen { meanings: learned_from, syntax: counted });
    let words = data.inputs.len();
    let numerals = numerals(data);
    let Learned { believed, uses, .. } = match examples.is_empty() {
        true => Learned::nothing(),
        false => watched(observer, |stop| learn::learn(&examples, words, &numerals, stop)),
    };
    let knowledge = Knowledge::new(&believed, &uses, words, results.truths());
    let kind = if results.truths().is_some() { OutputKind::Tokens } else { OutputKind::Integer };
    let model = model(data, seed, kind, knowledge, !observer.stop());
    let step = data.examples.len().div_ceil(ASKED).max(1);
    let asked: Vec<usize> = (0..data.examples.len()).step_by(step).collect();
    let right = asked.par_iter().filter(|&&number| is_right(&model, data, number)).count();
    tell(&model, data, observer);
    let entries = model.values.as_ref().map_or(0, |known| known.entries().len());
    observer.on(&Event::Values { entries, right, asked: asked.len() });
    Found { model, asked, right }
}

/// The same model with what words stand for that stand alone in some example, where they mean nothing else: that they do so often does not pay by itself.
#[cfg(feature = "vision")]
pub(super) fn with_words(mut model: Model, data: &Dataset, results: &Results) -> Model {
    let mut often: BTreeMap<Word, f64> = BTreeMap::new();
    for example in &data.examples {
        if let [symbol] = example.input[..] {
            *often.entry(Word(symbol.0)).or_default() += 1.0;
        }
    }
    let alone = examples(data, results).into_iter().filter_map(|example| match example.input[..] {
        [word] => Some((word, example.value, often[&word])),
        _ => None,
    });
    model.values = model.values.map(|known| known.with_words(&alone.collect::<Vec<_>>()));
    model
}

/// Teaches a model of values the words of `data`, which is in its symbols, that it does not know; what it knows stays as it is.
pub(super) fn extend(mut model: Model, data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    let Some(knowledge) = model.values.take() else { return model };
    let results = knowledge.truths().map_or(Results::Numbers, Results::Truths);
    let examples = examples(data, &results);
    let words = data.inputs.len();
    let known = knowledge.believed();
    let (believed, uses) = watched(observer, |stop| learn::extend(known, &examples, words, stop));
    let before = |id: usize| knowledge.entries().get(id).map_or(0.0, |known| known.uses) as usize;
    let uses: Vec<usize> = uses.iter().enumerate().map(|(id, uses)| uses + before(id)).collect();
    let first = model.inputs.len() as u32;
    model.inputs.clone_from(&data.inputs);
    model.outputs.clone_from(&data.outputs);
    model.values = Some(Knowledge::new(&believed, &uses, words, results.truths()));
    let settings = Settings { seed, ..model.settings.clone() };
    let (task, examples) = (data.name.clone(), data.examples.len() as u64);
    model.extensions.push(Extension { task, examples, settings, first });
    model.finished = !observer.stop();
    tell(&model, data, observer);
    model
}

/// Words that are written as numbers: they may mean them.
fn numerals(data: &Dataset) -> Vec<(Word, Value)> {
    let names = (0..).map(Word).zip(data.inputs.names());
    names.filter_map(|(word, name)| Some((word, Value::Number(name.parse().ok()?)))).collect()
}

fn tell(model: &Model, data: &Dataset, observer: &mut dyn Observer) {
    let Some(knowledge) = &model.values else { return };
    for known in knowledge.entries() {
        let entry = readable::value_definition(&data.inputs, &known.entry);
        observer.on(&Event::Edit { by: "values", bits: known.bits, total: known.bits, entry });
    }
}

/// Results that are computed.
pub enum Results {
    /// Whole numbers.
    Numbers,
    /// One of two, with the tokens for false and true.
    Truths([Token; 2]),
}

impl Results {
    /// What results are, where all of them can be computed.
    pub fn of(data: &Dataset) -> Option<Results> {
        let all_single = data.examples.iter().all(|example| example.output.len() == 1);
        if data.examples.is_empty() || !all_single { None } else { Results::named(&data.outputs) }
    }

    /// What single tokens are, where all of them can be computed.
    pub(super) fn named(outputs: &Vocabulary) -> Option<Results> {
        let names = outputs.names();
        if names.iter().all(|name| name.parse::<Integer>().is_ok()) {
            return Some(Results::Numbers);
        }
        match names {
            [first, second] if first < second => Some(Results::Truths([Token(0), Token(1)])),
            [_, _] => Some(Results::Truths([Token(1), Token(0)])),
            _ => None,
        }
    }

    fn truths(&self) -> Option<[Token; 2]> {
        match self {
            Results::Numbers => None,
            Results::Truths(tokens) => Some(*tokens),
        }
    }

    fn read(&self, output: Symbol, data: &Dataset) -> Option<Value> {
        match self {
            Results::Numbers => data.outputs.name(output).parse().ok().map(Value::Number),
            Results::Truths([_, is_true]) => Some(Value::Truth(is_true.0 == output.0)),
        }
    }
}

fn examples(data: &Dataset, results: &Results) -> Vec<Example> {
    let example = |(input, output): (&[Symbol], &[Symbol])| {
        let input = input.iter().map(|symbol| Word(symbol.0)).collect();
        Some(Example { input, value: results.read(*output.first()?, data)? })
    };
    distinct(data).into_iter().filter_map(example).collect()
}

fn is_right(model: &Model, data: &Dataset, number: usize) -> bool {
    let example = &data.examples[number];
    let symbols: Vec<Option<Symbol>> = example.input.iter().copied().map(Some).collect();
    let wanted = model.kind.read(&example.output, &data.outputs);
    wanted.is_some() && model.result(&symbols, &mut Workspace::new()).0 == wanted
}

fn model(data: &Dataset, seed: u64, kind: OutputKind, knowledge: Knowledge, finished: bool) -> Model {
    Model {
        task: data.name.clone(),
        settings: Settings { seed, ..Settings::default() },
        examples: data.examples.len() as u64,
        kind,
        inputs: data.inputs.clone(),
        outputs: data.outputs.clone(),
        knowledge: None,
        values: Some(knowledge),
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
