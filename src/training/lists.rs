//! From pairs to constructions that compute lists of tokens.
//!
//! Where words stand for a token of their own, outputs may be lists of what the inputs hold, and the other words functions of lists. Which
//! words these are is estimated from co-occurrence; [`crate::values`] learns what the others compute, and answers examples held out.

use super::tokens::Found;
use super::{Event, Observer, align, model, values, watched};
use crate::data::Dataset;
use crate::experience::Experience;
use crate::learn::evidence;
use crate::model::Known;
use crate::prices::{COMPUTING_ENTRY, COMPUTING_SLOT, STEP};
use crate::settings::{ASKED, HELD_OUT, MOSTLY};
use crate::symbol::{Token, Vocabulary, Word};
use crate::values::knowledge::{Knowledge, Results};
use crate::values::learn::{self, Learned, Prices};
use crate::values::look::{Look, look};
use crate::values::open::Open;
use crate::values::sample::used;
use crate::values::value::Value;
use crate::values::weigh::Example;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;
use std::hash::BuildHasher;

/// Pairs as lists of what their words stand for.
pub(super) struct Lists {
    pairs: Vec<(Vec<Word>, Vec<Token>)>,
    open: Open,
    outputs: Vocabulary,
    prices: Prices,
    /// Numbers of the pairs that are held out, and the others as examples.
    held_out: Vec<usize>,
    examples: Vec<Example>,
}

impl Lists {
    /// The pairs as lists; `None` if there are too few, or their words stand for no tokens.
    pub(super) fn of(data: &Dataset, examples: &[evidence::Example]) -> Option<Lists> {
        let pair = |example: &evidence::Example| (example.input.to_vec(), example.output.to_vec());
        let pairs: Vec<(Vec<Word>, Vec<Token>)> = examples.iter().map(pair).collect();
        if pairs.len() < HELD_OUT {
            return None;
        }
        let (open, outputs) = open_class(data, &pairs)?;
        let prices = values::list_prices(data, &open);
        let example = |(words, tokens): &(Vec<Word>, Vec<Token>)| {
            let value = Value::List(tokens[..].into());
            Example { input: open.read(words), bits: value.bits(prices.token_bits), value }
        };
        let step = pairs.len().div_ceil(ASKED).max(HELD_OUT);
        let (held_out, mut rest): (Vec<usize>, Vec<usize>) =
            (0..pairs.len()).partition(|number| number % step == 0);
        // Pairs come the smallest first; but short lists say little: the last of two is also the second.
        rest.sort_by_cached_key(|&number| FxBuildHasher.hash_one(&pairs[number].0));
        let examples = rest.iter().map(|&number| example(&pairs[number])).collect();
        Some(Lists { pairs, open, outputs, prices, held_out, examples })
    }

    /// A first look at some of them.
    pub(super) fn look(&self, observer: &mut dyn Observer) -> Look {
        watched(observer, |stop| look(&self.examples, &self.prices, stop))
    }

    /// A model of them.
    pub(super) fn learn(self, data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Found {
        let (learned_from, counted) = used(&self.examples);
        observer.on(&Event::Chosen { learned_from, counted });
        observer.on(&Event::Tries("constructions that compute lists"));
        let learned =
            watched(observer, |stop| learn::learn(&self.examples, &self.prices, &Experience::none(), stop));
        let Learned { believed, uses, .. } = learned;
        let knowledge = Knowledge::new(&believed, &uses, data.inputs.len(), Results::Lists(self.open));
        let is_right = |number: &&usize| {
            let (words, tokens) = &self.pairs[**number];
            let words: Vec<Option<Word>> = words.iter().copied().map(Some).collect();
            knowledge.answer(&words).is_some_and(|answer| answer.value.list() == Some(tokens))
        };
        let right = watched(observer, |stop| {
            self.held_out.par_iter().filter(|number| !stop() && is_right(number)).count()
        });
        let entries = knowledge.entries().len();
        let mut model = model(data, seed, Known::Computes(Box::new(knowledge)));
        model.outputs = self.outputs;
        values::tell(&model, observer);
        observer.on(&Event::Values { entries, right, asked: self.held_out.len() });
        model.finished = !observer.stop();
        Found { model, asked: self.held_out.len(), right }
    }
}

/// The words that stand for tokens of their own, if some do, and the tokens there are then.
fn open_class(data: &Dataset, pairs: &[(Vec<Word>, Vec<Token>)]) -> Option<(Open, Vocabulary)> {
    let own = own_tokens(data, pairs);
    let own_name = |(word, token): (usize, &Option<Token>)| {
        token.is_some_and(|token| data.outputs.names()[token.0 as usize] == data.inputs.names()[word])
    };
    let members = own.iter().flatten().count();
    let copies = 2 * own.iter().enumerate().filter(|&pair| own_name(pair)).count() > members;
    let mut outputs = data.outputs.clone();
    let tokens = if copies { by_name(data, pairs, &mut outputs) } else { own };
    let known = pairs.iter().map(|(words, tokens)| (&words[..], &tokens[..]));
    (members > 0).then(|| (Open::new(tokens, copies, known), outputs))
}

/// Takes note of the words of `data` that are new: those that stand for tokens of their own, and that no other word stands for, are members.
pub(super) fn admit(open: &mut Open, data: &Dataset) {
    let pair = |example: &crate::data::Example| {
        let words = example.input.iter().map(|word| Word(word.0)).collect();
        (words, example.output.iter().map(|token| Token(token.0)).collect())
    };
    let pairs: Vec<(Vec<Word>, Vec<Token>)> = data.examples.iter().map(pair).collect();
    let own = own_tokens(data, &pairs);
    open.extend(own.into_iter().skip(open.words()).collect::<Vec<_>>());
}

/// The token that each word brings, as far as co-occurrence tells.
fn own_tokens(data: &Dataset, pairs: &[(Vec<Word>, Vec<Token>)]) -> Vec<Option<Token>> {
    let pairs = pairs.iter().map(|(words, tokens)| (&words[..], &tokens[..]));
    align::own_tokens(pairs, data.inputs.len(), data.outputs.len())
}

/// Where words bring tokens of their names: all words whose names come out, with their inputs alone. One that has not come out so
/// far is a member too, if there were too few chances to make it something else.
fn by_name(
    data: &Dataset,
    pairs: &[(Vec<Word>, Vec<Token>)],
    outputs: &mut Vocabulary,
) -> Vec<Option<Token>> {
    let words = data.inputs.len();
    let token_of: Vec<Option<Token>> =
        data.inputs.names().iter().map(|name| Some(Token(data.outputs.get(name)?.0))).collect();
    let (mut inputs, mut together) = (vec![0.0; words], vec![0.0; words]);
    let mut with_token = vec![0.0; data.outputs.len()];
    for (input, output) in pairs {
        let came_out: BTreeSet<Token> = output.iter().copied().collect();
        came_out.iter().for_each(|token| with_token[token.0 as usize] += 1.0);
        for word in input.iter().collect::<BTreeSet<_>>() {
            let number = word.0 as usize;
            inputs[number] += 1.0;
            together[number] +=
                f64::from(u8::from(token_of[number].is_some_and(|token| came_out.contains(&token))));
        }
    }
    let is_member = |word: usize| {
        token_of[word].is_some_and(|token| together[word] >= MOSTLY * with_token[token.0 as usize])
    };
    let members: Vec<usize> = (0..words).filter(|&word| is_member(word)).collect();
    let of_members = |counts: &[f64]| members.iter().map(|&word| counts[word]).sum::<f64>();
    let rate = of_members(&together) / of_members(&inputs).max(1.0);
    // As a member it would have come out at this rate; as none it has to be named.
    let entry = COMPUTING_ENTRY + COMPUTING_SLOT + 2.0 * STEP;
    let named = (words as f64).log2() + entry;
    let is_late = |word: usize| token_of[word].is_none() && -inputs[word] * (1.0 - rate).log2() < named;
    (0..words)
        .map(|word| match token_of[word] {
            Some(token) => is_member(word).then_some(token),
            None => is_late(word).then(|| Token(outputs.intern(&data.inputs.names()[word]).0)),
        })
        .collect()
}
