//! Which words say numbers, and what they compute.
//!
//! Links between words and digits tell where a number may come from; what computes numbers is learned from these spans, and tells better
//! where others come from. It is believed if it is shorter than a list of the spans with their numbers, and computes at least something.

use super::link::Links;
use super::{Computed, digits, number, numbers};
use crate::data::{Dataset, Example};
use crate::number::integer::Integer;
use crate::objective;
use crate::settings::ASKED;
use crate::stop::Stop;
use crate::symbol::Token;
use crate::symbol::{Symbol, Word};
use crate::theory::entry::{Entry, In, Out};
use crate::values::knowledge::{Knowledge, Results};
use crate::values::learn::{self, Prices};
use crate::values::open::WithRuns;
use crate::values::value::Value;
use crate::values::weigh;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What computes numbers is learned so often, each time from what the last one tells.
const ROUNDS: usize = 2;

/// Words with the number that they say, and in how many examples.
pub(super) type Pairs = BTreeMap<Vec<Symbol>, (Integer, usize)>;

/// What computes numbers of these outputs, if anything does.
pub fn find(data: &Dataset, stop: Stop<'_>) -> Option<Computed> {
    let step = data.len().div_ceil(ASKED).max(1);
    let examples: Vec<&Example> =
        data.examples.iter().step_by(step).filter(|example| has_number(example, data)).collect();
    let different: BTreeSet<Symbol> =
        examples.iter().flat_map(|example| numbers(&example.output, &data.outputs).into_keys()).collect();
    if different.len() < 2 {
        return None;
    }
    let links = Links::new(&examples, data);
    let linked = links.spans(&examples, data);
    let first = pairs(&examples, &linked, data);
    let is_composed = first.keys().any(|words| words.len() > 1);
    let prices = Prices { words: data.inputs.len(), token_bits: 0.0, member_bits: 0.0, numerals: Vec::new() };
    let linked_numbers = examples.iter().zip(&linked).flat_map(|(example, spans)| {
        let said = |(token, span): &(Symbol, Range<usize>)| {
            Some((&example.input[span.clone()], number(data.outputs.name(*token))?))
        };
        spans.iter().filter_map(said)
    });
    if !is_composed || stop() || links.share(linked_numbers) >= 1.0 {
        return None;
    }
    let mut known = first;
    let mut computed = None;
    for _ in 0..ROUNDS {
        let values = compute(&known, &prices, data, stop);
        let (mut inputs, mut outputs) = (data.inputs.clone(), data.outputs.clone());
        let most = examples.iter().map(|example| numbers(&example.output, &data.outputs).len()).max()?;
        // Twice as many as one example has: deeper inputs have more. And so many that examples with different numbers stay different, each often.
        let count = (2 * most).max(examples.len().isqrt());
        let found = Computed::new(values, count, &mut inputs, &mut outputs);
        let told = found.told(&examples, &linked, data);
        let is_same = told == known;
        known = told;
        computed = Some(found);
        if is_same || stop() {
            break;
        }
    }
    computed.filter(|computed| computed.pays(&examples, data))
}

/// Whether an output has a number that is not copied from the input.
fn has_number(example: &Example, data: &Dataset) -> bool {
    let is_copied = |token: &Symbol| {
        data.inputs.get(data.outputs.name(*token)).is_some_and(|word| example.input.contains(&word))
    };
    example.output.iter().any(|token| number(data.outputs.name(*token)).is_some() && !is_copied(token))
}

/// Each words with the number that they are seen with most, unless they stand for none more often.
fn pairs(examples: &[&Example], said: &[Vec<(Symbol, Range<usize>)>], data: &Dataset) -> Pairs {
    let mut counts: BTreeMap<&[Symbol], BTreeMap<Symbol, usize>> = BTreeMap::new();
    for (example, said) in examples.iter().zip(said) {
        for (token, span) in said {
            *counts.entry(&example.input[span.clone()]).or_default().entry(*token).or_default() += 1;
        }
    }
    let most = |(words, tokens): (&[Symbol], BTreeMap<Symbol, usize>)| {
        let (token, count) =
            tokens.into_iter().max_by_key(|(token, count)| (*count, std::cmp::Reverse(*token)))?;
        let idle = examples.iter().zip(said).filter(|(example, said)| stands_outside(words, example, said));
        let is_said = idle.count() <= count;
        is_said.then_some((words.to_vec(), (number(data.outputs.name(token))?, count)))
    };
    counts.into_iter().filter_map(most).collect()
}

/// Whether these words stand somewhere in an example where they are no number, nor a part of one.
fn stands_outside(words: &[Symbol], example: &Example, said: &[(Symbol, Range<usize>)]) -> bool {
    let is_outside = |at: usize| said.iter().all(|(_, span)| at < span.start || span.end < at + words.len());
    let places = example.input.windows(words.len()).enumerate();
    places.filter(|(_, there)| *there == words).any(|(at, _)| is_outside(at))
}

/// Pairs as examples of values; a number that is not computed is said outright as often as it comes.
fn given(pairs: &Pairs) -> Vec<weigh::Example> {
    let example = |(words, (number, count)): (&Vec<Symbol>, &(Integer, usize))| {
        let input = WithRuns::of_words(words.iter().map(|word| Word(word.0)).collect());
        let value = Value::Number(number.clone());
        weigh::Example { input, bits: *count as f64 * value.bits(0.0), value }
    };
    pairs.iter().map(example).collect()
}

fn compute(pairs: &Pairs, prices: &Prices, data: &Dataset, stop: Stop<'_>) -> Knowledge {
    let learned = learn::learn_from(&given(pairs), &digits::meant(pairs), prices, stop);
    let knowledge = Knowledge::new(&learned.believed, &learned.uses, data.inputs.len(), Results::Numbers);
    // What is known of no word but that it says a number alone is kept, though it does not pay by itself; once may be a mistake.
    let alone = |(words, (number, count)): (&Vec<Symbol>, &(Integer, usize))| match words[..] {
        [word] if *count > 1 => Some((Word(word.0), Value::Number(number.clone()), *count as f64)),
        _ => None,
    };
    knowledge.with_words(&pairs.iter().filter_map(alone).collect::<Vec<_>>(), 0.0)
}

impl Computed {
    /// The words that say numbers, by what is known of them; where nothing is, by links.
    fn told(&self, examples: &[&Example], linked: &[Vec<(Symbol, Range<usize>)>], data: &Dataset) -> Pairs {
        let all: Vec<Vec<(Symbol, Range<usize>)>> = examples
            .par_iter()
            .zip(linked)
            .map(|(example, linked)| {
                let said = self.said_of(&example.input, &example.output, &data.outputs);
                let is_said = |token: Symbol| said.iter().any(|(other, _)| *other == token);
                let others = linked.iter().filter(|(token, _)| !is_said(*token)).cloned();
                let known = said.iter().map(|(token, said)| (*token, said.span.clone()));
                known.chain(others).collect()
            })
            .collect();
        pairs(examples, &all, data)
    }

    /// Whether it is shorter than a list of what it says in these examples, and says more than single words do.
    fn pays(&self, examples: &[&Example], data: &Dataset) -> bool {
        let computes =
            |known: &crate::values::knowledge::Known| known.entry.pattern.slots() > 0 && known.uses > 0.0;
        let said: BTreeSet<(&[Symbol], Symbol)> = examples
            .iter()
            .flat_map(|example| {
                let said = self.said_of(&example.input, &example.output, &data.outputs);
                said.into_iter().map(|(token, said)| (&example.input[said.span], token))
            })
            .collect();
        let prices = objective::Prices::new(data.inputs.len(), data.outputs.len());
        let listed = |(words, token): &(&[Symbol], Symbol)| {
            let pattern: Vec<In> = words.iter().map(|word| In::Word(Word(word.0))).collect();
            prices.entry(&Entry::new(&pattern, &[Out::Token(Token(token.0))]))
        };
        let own: f64 = self.values.entries().iter().map(|known| known.bits).sum();
        self.values.entries().iter().any(computes) && own < said.iter().map(listed).sum()
    }
}
