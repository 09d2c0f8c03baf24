//! A first look at examples: whether what computes their results is much shorter than these.

use super::learn::{Learner, Prices};
use super::sample::chosen;
use super::value::Value;
use super::weigh::Example;
use crate::experience::Experience;
use crate::stop::Stop;
use crate::symbol::Token;
use std::collections::BTreeSet;

/// So many of the shortest examples, and so many others, are looked at first: enough for what they share to show, in a fraction of a second.
const LOOKED_AT: usize = 60;

/// A first look at examples.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The share of the bits of some results, said outright, that a first lexicon and these results take, what members of the open class stand for included.
    pub share: f64,
}

/// Looks whether a first lexicon of some examples is much shorter than their results.
pub fn look(all: &[Example], prices: &Prices, stop: Stop<'_>) -> Look {
    let examples = chosen(all, LOOKED_AT, LOOKED_AT);
    let mut learner = Learner::new(&examples, prices, &Experience::none(), stop);
    let mut believed = learner.begin(&[]);
    learner.grow(&mut believed, None);
    let some: Vec<&Example> = examples.iter().collect();
    believed.recount(&some);
    learner.prune(&mut believed, &some, 0);
    let total = believed.total(&some);
    let outright: f64 = examples.iter().map(|example| example.bits).sum();
    let runs = examples.iter().flat_map(|example| &example.input.runs).flatten();
    let members: BTreeSet<Token> = runs.filter_map(Value::list).flatten().copied().collect();
    let bits = total.bits + prices.member_bits * members.len() as f64;
    Look { share: bits / outright.max(1.0) }
}
