//! What single words may mean, by the digits of the numbers that are said with them.
//!
//! Numbers of several words seldom show what each word means: few of them are said by one alone. But with `sixty` nearly all numbers have a 6 before
//! the last digit, and with `fifteen` nearly all end in 15. What a word means to begin with is what tells the digits of its numbers most shortly;
//! how words are put together is then seen in all numbers at once.

use super::find::Pairs;
use crate::number::integer::Integer;
use crate::prices::CONSTANT;
use crate::settings::LONGEST_PART;
use crate::symbol::{Symbol, Word};
use crate::values::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Digits that stand side by side in a number, and how many follow them: neither the first nor the last of them is 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Digits {
    digits: String,
    behind: usize,
}

impl Digits {
    /// The number that has these digits and none else.
    fn number(&self) -> Option<Integer> {
        format!("{}{}", self.digits, "0".repeat(self.behind)).parse().ok()
    }
}

/// The digits of a number that stand side by side, no more than one word may say.
fn digits_of(number: &Integer) -> Vec<Digits> {
    let written = number.to_string();
    let written = written.trim_start_matches('-');
    let ends = |from: usize| from + 1..=written.len().min(from + LONGEST_PART);
    let runs = (0..written.len()).flat_map(|from| ends(from).map(move |to| (from, to)));
    let is_bare = |digits: &str| !digits.starts_with('0') && !digits.ends_with('0');
    runs.filter(|&(from, to)| is_bare(&written[from..to]))
        .map(|(from, to)| Digits { digits: written[from..to].to_owned(), behind: written.len() - to })
        .collect()
}

/// For each word the number whose digits are told most shortly by it, if any are.
pub(super) fn meant(pairs: &Pairs) -> Vec<(Word, Value)> {
    let all: Vec<(BTreeSet<Symbol>, Vec<Digits>)> = pairs
        .iter()
        .map(|(words, (number, _))| (words.iter().copied().collect(), digits_of(number)))
        .collect();
    let mut often: BTreeMap<&Digits, f64> = BTreeMap::new();
    let mut with: BTreeMap<Symbol, (f64, BTreeMap<&Digits, f64>)> = BTreeMap::new();
    for (words, digits) in &all {
        digits.iter().for_each(|digits| *often.entry(digits).or_default() += 1.0);
        for word in words {
            let (count, those) = with.entry(*word).or_default();
            *count += 1.0;
            digits.iter().for_each(|digits| *those.entry(digits).or_default() += 1.0);
        }
    }
    let numbers = all.len() as f64;
    let meant = |(word, (count, those)): (Symbol, (f64, BTreeMap<&Digits, f64>))| {
        let mut paying: Vec<(f64, &Digits, Value)> = Vec::new();
        for (digits, here) in those {
            let Some(number) = digits.number() else { continue };
            let value = Value::Number(number);
            let price = CONSTANT + value.bits(0.0);
            let worth = saved((here, count), (often[digits], numbers)) - price;
            if worth > 0.0 {
                paying.push((worth, digits, value));
            }
        }
        let (_, best, _) = paying.iter().reduce(|a, b| if b.0 > a.0 { b } else { a })?;
        // The same digits with more behind them are what they mean before other words.
        let least = paying.iter().filter(|(_, digits, _)| digits.digits == best.digits);
        let (_, _, value) = least.min_by_key(|(_, digits, _)| digits.behind)?;
        Some((Word(word.0), value.clone()))
    };
    with.into_iter().filter_map(meant).collect()
}

/// What it saves to say that so many of some numbers have some digits, by a rate of their own, instead of that of all.
fn saved((here, some): (f64, f64), (often, all): (f64, f64)) -> f64 {
    let part = |here: f64, some: f64, often: f64| {
        if here > 0.0 { here * ((here / some) / (often / all)).log2() } else { 0.0 }
    };
    if here * all <= often * some {
        return 0.0;
    }
    part(here, some, often) + part(some - here, some, all - often)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_the_digits_that_their_numbers_share() {
        let mut pairs = Pairs::new();
        for (ten, one) in (2..10).flat_map(|ten| (1..10).map(move |one| (ten, one))) {
            pairs.insert(vec![Symbol(10 * ten), Symbol(one)], (Integer::from(i64::from(10 * ten + one)), 1));
        }
        let meant = meant(&pairs);
        let of = |word: u32| meant.iter().find(|(other, _)| other.0 == word).map(|(_, value)| value.clone());
        assert_eq!(of(20), Some(Value::from(20)));
        assert_eq!(of(3), Some(Value::from(3)));
    }
}
