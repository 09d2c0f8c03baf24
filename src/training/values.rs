//! From pairs to constructions whose results are computed.
//!
//! Where all outputs are numbers or rows of numbers, or there are only two, [`crate::values`] learns what words and patterns compute. What it has learned is the model
//! if it answers nearly all examples, most of which it has not learned from; else templates are learned as well, and the
//! model is whichever answers more.

use super::{Event, Observer, distinct, model, watched};
use crate::data::Dataset;
use crate::experience::Experience;
use crate::model::{Known, Model};
use crate::number::integer::Integer;
use crate::prices::x_log_x;
use crate::readable;
use crate::settings::{ASKED, LOOKED_AT, NEARLY_ALL};
use crate::spread::evenly;
use crate::stop::Stop;
use crate::symbol::{Symbol, Token, Vocabulary, Word};
use crate::values::extend;
use crate::values::knowledge::{Frame, Knowledge, Results};
use crate::values::learn::{self, Learned, Prices};
use crate::values::open::Open;
use crate::values::sample::used;
use crate::values::value::Value;
use crate::values::weigh::Example;
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What values came to.
pub(super) struct Found {
    /// The model.
    pub(super) model: Model,
    asked: Vec<usize>,
    right: usize,
    /// What is known makes so many bits of the results of all examples less, itself included.
    saved: f64,
}

impl Found {
    /// Whether nearly all examples asked are answered right; or what is known pays and there is no time to find out more.
    pub(super) fn is_sure(&self) -> bool {
        let is_enough = self.right as f64 >= NEARLY_ALL * self.asked.len() as f64;
        is_enough || (!self.model.finished && self.saved > 0.0)
    }

    /// Whether what is known makes all results shorter.
    pub(super) fn pays(&self) -> bool {
        self.saved > 0.0
    }

    /// The better one of the model and another; the other one where neither answers anything.
    pub(super) fn or<'a>(
        self,
        (other, cut): (Model, Cow<'a, Dataset>),
        data: &'a Dataset,
    ) -> (Model, Cow<'a, Dataset>) {
        let right = self.asked.iter().filter(|&&number| is_right(&other, &cut, number)).count();
        if right >= self.right { (other, cut) } else { (self.model, Cow::Borrowed(data)) }
    }
}

/// A model of constructions that compute the outputs of `data`, if these are values.
pub(super) fn learn(
    data: &Dataset,
    seed: u64,
    experience: &Experience,
    observer: &mut dyn Observer,
) -> Option<Found> {
    let mut best: Option<Found> = None;
    for results in possible_results(data) {
        if observer.stop() || best.as_ref().is_some_and(Found::is_sure) {
            break;
        }
        let found = learn_results(data, &results, seed, experience, observer);
        let knows_any = found.model.computes().is_some_and(|known| !known.entries().is_empty());
        if knows_any && best.as_ref().is_none_or(|best| found.right > best.right) {
            best = Some(found);
        }
    }
    best
}

/// What results may be, the likelier first: two numbers may stand for false and true.
fn possible_results(data: &Dataset) -> Vec<Results> {
    let results = computed_results(data);
    let truths = two(data.outputs.names()).filter(|_| matches!(results, Some(Results::Numbers)));
    let rows = rows(data).map(Results::Rows).filter(|_| results.is_none());
    truths.into_iter().chain(results).chain(rows).collect()
}

/// A model of constructions that compute these results, whatever it knows.
pub(super) fn learn_results(
    data: &Dataset,
    results: &Results,
    seed: u64,
    experience: &Experience,
    observer: &mut dyn Observer,
) -> Found {
    let examples = watched(observer, |stop| examples(data, results, NO_TOKENS, stop));
    let is_idle = examples.is_empty() || observer.stop();
    let (learned_from, counted) = if is_idle { (0, 0) } else { used(&examples) };
    observer.on(&Event::Chosen { learned_from, counted });
    observer.on(&Event::Tries(match results {
        Results::Numbers => "constructions that compute numbers",
        Results::Truths(_) => "constructions that compute truth values",
        Results::Lists(_) => "constructions that compute lists",
        Results::Rows(_) => "constructions that compute rows of numbers",
    }));
    let words = data.inputs.len();
    let outright: f64 = examples.iter().map(|example| example.bits).sum();
    let distinct = examples.len() as f64;
    let Learned { believed, uses, .. } = match is_idle {
        true => Learned::nothing(),
        false => watched(observer, |stop| learn::learn(&examples, &prices(data), experience, stop)),
    };
    let knowledge = Knowledge::new(&believed, &uses, words, results.clone());
    let knowledge = knowledge.with_words(&alone(data, examples), NO_TOKENS);
    let entries = knowledge.entries().len();
    let known: f64 = knowledge.entries().iter().map(|known| known.bits).sum();
    let mut model = model(data, seed, Known::Computes(Box::new(knowledge)));
    let asked: Vec<usize> = evenly(data.examples.len(), ASKED).collect();
    let right = watched(observer, |stop| {
        asked.par_iter().filter(|&&number| !stop() && is_right(&model, data, number)).count()
    });
    tell(&model, observer);
    observer.on(&Event::Values { entries, right, asked: asked.len() });
    model.finished = !observer.stop();
    let share = right as f64 / asked.len().max(1) as f64;
    let saved = saved(share, distinct, outright) - known;
    Found { model, asked, right, saved }
}

/// What right answers to this share of examples save of what their results cost `outright`: it has to be said which they are.
fn saved(share: f64, examples: f64, outright: f64) -> f64 {
    share * outright + examples * (x_log_x(share) + x_log_x(1.0 - share))
}

/// Words that stand alone in some example, with what they stand for there and how often: what is known of no word but this is kept, though it does not pay by itself.
fn alone(data: &Dataset, examples: Vec<Example>) -> Vec<(Word, Value, f64)> {
    let mut often: BTreeMap<Word, f64> = BTreeMap::new();
    for example in &data.examples {
        if let [symbol] = example.input[..] {
            *often.entry(Word(symbol.0)).or_default() += 1.0;
        }
    }
    let alone = examples.into_iter().filter_map(|example| match example.input.words[..] {
        [word] => Some((word, example.value, often[&word])),
        _ => None,
    });
    alone.collect()
}

/// What is known with the words of `data`, which is in the same symbols, that were not; what was known stays as it is.
pub(super) fn extend(
    knowledge: &Knowledge,
    data: &Dataset,
    experience: &Experience,
    observer: &mut dyn Observer,
) -> Knowledge {
    let mut results = knowledge.results().clone();
    if let Results::Lists(open) = &mut results {
        super::lists::admit(open, data);
    }
    let words = data.inputs.len();
    let prices = match &results {
        Results::Lists(open) => list_prices(data, open),
        Results::Numbers | Results::Truths(_) | Results::Rows(_) => prices(data),
    };
    let examples = watched(observer, |stop| examples(data, &results, prices.token_bits, stop));
    let known = knowledge.believed();
    let (believed, uses) =
        watched(observer, |stop| extend::extend(known, &examples, &prices, experience, stop));
    let before = |id: usize| knowledge.entries().get(id).map_or(0.0, |known| known.uses) as usize;
    let uses: Vec<usize> = uses.iter().enumerate().map(|(id, uses)| uses + before(id)).collect();
    Knowledge::new(&believed, &uses, words, results)
}

/// Words that are spelled like an output: they may mean it.
fn numerals(data: &Dataset) -> Vec<(Word, Value)> {
    let names = (0..).map(Word).zip(data.inputs.names());
    let copied = names.filter(|(_, name)| data.outputs.get(name).is_some());
    copied.filter_map(|(word, name)| Some((word, Value::Number(name.parse().ok()?)))).collect()
}

pub(super) fn tell(model: &Model, observer: &mut dyn Observer) {
    let Some(knowledge) = model.computes() else { return };
    for known in knowledge.entries() {
        let entry = readable::value_definition(model, &known.entry);
        observer.on(&Event::Edit { by: "values", bits: known.bits, total: known.bits, entry: &entry });
    }
}

/// What a token costs where no result is a list.
const NO_TOKENS: f64 = 0.0;

fn prices(data: &Dataset) -> Prices {
    Prices {
        words: data.inputs.len(),
        token_bits: NO_TOKENS,
        member_bits: NO_TOKENS,
        numerals: numerals(data),
    }
}

/// The prices of lists: words of the open class cost nothing beyond it.
pub(super) fn list_prices(data: &Dataset, open: &Open) -> Prices {
    let words = data.inputs.len() - open.members() + 1;
    let token_bits = (data.outputs.len() as f64 + 1.0).log2();
    let member_bits = if open.copies { 0.0 } else { (data.inputs.len() as f64).log2() + token_bits };
    Prices { words, token_bits, member_bits, numerals: Vec::new() }
}

/// What results are, where all of them are numbers or one of two.
pub fn computed_results(data: &Dataset) -> Option<Results> {
    let all_single = data.examples.iter().all(|example| example.output.len() == 1);
    if data.examples.is_empty() || !all_single { None } else { named_results(&data.outputs) }
}

/// What results of single tokens are, where all of these are numbers or one of two.
pub(super) fn named_results(outputs: &Vocabulary) -> Option<Results> {
    let names = outputs.names();
    if names.iter().all(|name| name.parse::<Integer>().is_ok()) {
        return Some(Results::Numbers);
    }
    two(names)
}

/// Two results as false and true, in the order of their names.
fn two(names: &[String]) -> Option<Results> {
    match names {
        [first, second] if first < second => Some(Results::Truths([Token(0), Token(1)])),
        [_, _] => Some(Results::Truths([Token(1), Token(0)])),
        _ => None,
    }
}

/// What stands around and between the numbers, if all outputs are rows of numbers, and not all of one length: these are no rows but say several things.
fn rows(data: &Dataset) -> Option<Frame> {
    let is_number: Vec<bool> = data.outputs.names().iter().map(|name| is_written(name)).collect();
    let is_number = |token: &Symbol| is_number[token.index()];
    let outputs = || data.examples.iter().map(|example| &example.output[..]);
    let tokens = |symbols: &[Symbol]| symbols.iter().map(|symbol| Token(symbol.0)).collect::<Vec<Token>>();
    let several = outputs().find(|output| output.iter().filter(|token| is_number(token)).count() > 1)?;
    let places: Vec<usize> = (0..several.len()).filter(|&place| is_number(&several[place])).collect();
    let (first, second, last) = (places[0], places[1], places[places.len() - 1]);
    let frame = Frame {
        before: tokens(&several[..first]),
        between: tokens(&several[first + 1..second]),
        after: tokens(&several[last + 1..]),
    };
    let mut lengths = BTreeSet::new();
    for output in outputs() {
        let numbers = frame.numbers(&tokens(output))?;
        if !numbers.iter().all(|token| is_number(&Symbol(token.0))) {
            return None;
        }
        lengths.insert(numbers.len());
    }
    (lengths.len() > 1).then_some(frame)
}

/// Whether a token is a whole number as numbers are written.
fn is_written(name: &str) -> bool {
    name.parse::<Integer>().is_ok_and(|number| number.to_string() == name)
}

fn read(results: &Results, output: &[Symbol], data: &Dataset) -> Option<Value> {
    match (results, output) {
        (Results::Numbers, [number]) => data.outputs.name(*number).parse().ok().map(Value::Number),
        (Results::Truths([_, is_true]), [truth]) => Some(Value::Truth(is_true.0 == truth.0)),
        (Results::Lists(_), tokens) => Some(Value::List(tokens.iter().map(|token| Token(token.0)).collect())),
        (Results::Rows(frame), tokens) => {
            let tokens: Vec<Token> = tokens.iter().map(|token| Token(token.0)).collect();
            let number = |token: &Token| data.outputs.name(Symbol(token.0)).parse().ok();
            frame.numbers(&tokens)?.iter().map(number).collect::<Option<_>>().map(Value::row)
        }
        (Results::Numbers | Results::Truths(_), _) => None,
    }
}

/// The distinct examples; only some of them if learning is to stop.
fn examples(data: &Dataset, results: &Results, token_bits: f64, stop: Stop<'_>) -> Vec<Example> {
    let example = |(input, output): (&[Symbol], &[Symbol])| {
        if stop() {
            return None;
        }
        let input = results.read(input.iter().map(|symbol| Word(symbol.0)).collect());
        let value = read(results, output, data)?;
        Some(Example { input, bits: value.bits(token_bits), value })
    };
    distinct(&data.examples).pairs.into_par_iter().filter_map(example).collect()
}

/// The share of the examples asked that a model answers right.
pub(super) fn share_right(model: &Model, data: &Dataset, observer: &mut dyn Observer) -> f64 {
    let share = |most: usize, stop: Stop<'_>| {
        let asked: Vec<usize> = evenly(data.examples.len(), most).collect();
        let answers: Option<Vec<bool>> =
            asked.par_iter().map(|&number| (!stop()).then(|| is_right(model, data, number))).collect();
        answers.map(|answers| {
            answers.iter().filter(|right| **right).count() as f64 / answers.len().max(1) as f64
        })
    };
    let all = watched(observer, |stop| share(ASKED, stop));
    all.or_else(|| share(LOOKED_AT, Stop::never())).unwrap_or(0.0)
}

fn is_right(model: &Model, data: &Dataset, number: usize) -> bool {
    let example = &data.examples[number];
    let symbols: Vec<Option<Symbol>> = example.input.iter().copied().map(Some).collect();
    let wanted = model.kind().read(&example.output, &data.outputs);
    wanted.is_some() && model.result(&symbols) == wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_which_few_are_right_save_nothing() {
        assert_eq!(saved(1.0, 400.0, 4_000.0), 4_000.0);
        assert_eq!(saved(0.0, 400.0, 4_000.0), 0.0);
        // Of results of two bits, to say which quarter is right takes more than that quarter.
        assert!(saved(0.25, 400.0, 800.0) < 0.0);
        assert!(saved(0.25, 400.0, 4_000.0) > 0.0);
    }
}
