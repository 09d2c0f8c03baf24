//! Small tasks that experience is gathered from, each made here and learned with what the ones before have taught.

use super::Experience;
use crate::data::Dataset;
use crate::model::Model;
use crate::training::{Observer, train_with};

/// A word for a function, and what it gives; nothing where it has no result.
type Function = (&'static str, fn(i64, i64) -> Option<i64>);

/// Tasks, the simple ones first: what each is built on was learned before it.
const LESSONS: [(&str, &[Function]); 8] = [
    ("sums", &[("plus", |x, y| Some(x + y)), ("minus", |x, y| Some(x - y))]),
    ("products", &[("times", |x, y| Some(x * y)), ("less", |x, y| Some((x - y).max(0)))]),
    ("comparisons", &[("or-more", |x, y| Some(x.max(y))), ("or-less", |x, y| Some(x.min(y)))]),
    ("portions", &[("over-up", |x, y| (x + y - 1).checked_div(y))]),
    ("shares", &[("shared-by", |x, y| (x + y).checked_div(y))]),
    ("quotients", &[("over", i64::checked_div)]),
    ("multiples", &[("down-to", |x, y| Some(x.checked_div(y)? * y))]),
    ("remainders", &[("modulo", i64::checked_rem)]),
];

/// Numbers below this stand for themselves.
const NUMBERS: i64 = 16;

fn data(name: &str, functions: &[Function]) -> Dataset {
    let mut pairs: Vec<(String, String)> = (0..NUMBERS).map(|x| (x.to_string(), x.to_string())).collect();
    for (word, function) in functions {
        for (x, y) in (0..NUMBERS).flat_map(|x| (0..NUMBERS).map(move |y| (x, y))) {
            let result = function(x, y);
            pairs.extend(result.map(|result| (format!("{x} {word} {y}"), result.to_string())));
        }
    }
    Dataset::from_pairs(name, &pairs)
}

/// Learns the tasks one after the other, each with what was learned before; `told` gets every model.
pub fn learn(observer: &mut dyn Observer, told: &mut dyn FnMut(&Model)) -> Experience {
    let mut experience = Experience::none();
    for (name, functions) in LESSONS {
        let model = train_with(&data(name, functions), 0, &experience, observer);
        told(&model);
        experience.add(&model);
    }
    experience
}
