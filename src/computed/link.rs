//! Which words of an input may say a number of its output, before anything is known of what they compute.
//!
//! A number is written with a sign, digits and so many of them; words that have to do with a number have to do with some of these. What
//! brings what is estimated over all pairs ([`crate::theory::brought`]): each piece of an output, digits and other tokens alike, is brought by
//! one word of the input, or none. A span of words is then weighed by how well the words in it bring the
//! number, and all other words all other tokens; and by how often these words are expected to say this number, and others.

use super::{CHOICES, MISSING, numbers};
use crate::data::{Dataset, Example};
use crate::number::integer::Integer;
use crate::settings::{LEAST_SHARE, ROUNDS, UNSEEN};
use crate::stop::Stop;
use crate::symbol::Symbol;
use crate::theory::brought::brought;
use crate::values::sample::LONGEST;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::Range;

/// A piece of an output.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Piece {
    Token(Symbol),
    Sign,
    /// A digit and how many follow it.
    Digit(usize, char),
    /// How many digits there are.
    Length(usize),
}

/// No word.
const NOTHING: Option<Symbol> = None;

/// How probable it is that a word brings a piece.
pub(super) struct Links<'e> {
    brought: FxHashMap<(Option<Symbol>, Piece), f64>,
    /// How often words are expected to say a number, and to say any.
    with_number: FxHashMap<(&'e [Symbol], Symbol), f64>,
    with_any: FxHashMap<&'e [Symbol], f64>,
}

/// A span of words that may say a number, and what all pieces of the output cost then but for how often it does.
struct Candidate<'e> {
    token: Symbol,
    span: Range<usize>,
    words: &'e [Symbol],
    bits: f64,
}

/// Numbers of an output, and where words of the input say them.
pub(super) type Said = Vec<(Symbol, Range<usize>)>;

/// Spans for some of the numbers of an output.
#[derive(Clone, Default)]
struct Chosen {
    bits: f64,
    spans: Said,
}

impl Chosen {
    /// The same with one more number, if its words are free.
    fn with(&self, bits: f64, Candidate { token, span, .. }: &Candidate<'_>) -> Option<Chosen> {
        let is_free =
            |(_, taken): &(Symbol, Range<usize>)| taken.end <= span.start || span.end <= taken.start;
        let spans = self.spans.iter().cloned().chain([(*token, span.clone())]).collect();
        self.spans.iter().all(is_free).then_some(Chosen { bits: self.bits + bits, spans })
    }
}

/// The pieces of a number.
fn pieces_of_number(number: &Integer) -> Vec<Piece> {
    let written = number.to_string();
    let digits = written.trim_start_matches('-');
    let sign = (digits.len() < written.len()).then_some(Piece::Sign);
    let digit = |(at, digit): (usize, char)| Piece::Digit(at, digit);
    sign.into_iter()
        .chain([Piece::Length(digits.len())])
        .chain(digits.chars().rev().enumerate().map(digit))
        .collect()
}

fn pieces_of(example: &Example, data: &Dataset) -> BTreeSet<Piece> {
    let numbers = numbers(&example.output, &data.outputs);
    let others =
        example.output.iter().filter(|token| !numbers.contains_key(*token)).copied().map(Piece::Token);
    let written = numbers.values().flat_map(pieces_of_number);
    others.chain(written).collect()
}

impl<'e> Links<'e> {
    /// What the words of some examples bring.
    pub(super) fn new(examples: &[&'e Example], data: &Dataset) -> Links<'e> {
        let pairs: Vec<(Vec<Option<Symbol>>, Vec<Piece>)> = examples
            .iter()
            .map(|example| {
                let words: BTreeSet<Option<Symbol>> = example.input.iter().copied().map(Some).collect();
                (words.into_iter().chain([NOTHING]).collect(), pieces_of(example, data).into_iter().collect())
            })
            .collect();
        let mut links = Links {
            brought: brought(&pairs, Stop::never()),
            with_number: FxHashMap::default(),
            with_any: FxHashMap::default(),
        };
        let candidates: Vec<Vec<Candidate<'e>>> =
            examples.par_iter().map(|example| links.candidates(example, data)).collect();
        for _ in 0..ROUNDS {
            links.count(&candidates);
        }
        links
    }

    /// All spans for all numbers of an example.
    fn candidates(&self, example: &'e Example, data: &Dataset) -> Vec<Candidate<'e>> {
        let numbers = numbers(&example.output, &data.outputs);
        let pieces = pieces_of(example, data).into_iter();
        let others: Vec<Piece> = pieces.filter(|piece| matches!(piece, Piece::Token(_))).collect();
        let mut found = Vec::new();
        for span in spans(example) {
            let words = &example.input[span.clone()];
            let outside = [&example.input[..span.start], &example.input[span.end..]].concat();
            let rest: f64 = others.iter().map(|piece| self.bits(&outside, piece)).sum();
            for (token, number) in &numbers {
                let bits = rest + self.bits_of_number(words, number);
                found.push(Candidate { token: *token, span: span.clone(), words, bits });
            }
        }
        found.sort_by_key(|candidate| candidate.token);
        found
    }

    /// Counts anew how often words are expected to say a number.
    fn count(&mut self, examples: &[Vec<Candidate<'e>>]) {
        let (mut with_number, mut with_any): (FxHashMap<_, f64>, FxHashMap<_, f64>) = Default::default();
        for candidates in examples.iter().flat_map(|all| all.chunk_by(|a, b| a.token == b.token)) {
            let bits: Vec<f64> = candidates.iter().map(|candidate| self.weigh(candidate)).collect();
            let least = bits.iter().copied().fold(f64::INFINITY, f64::min);
            let all: f64 = bits.iter().map(|bits| (least - bits).exp2()).sum();
            for (candidate, bits) in candidates.iter().zip(bits) {
                let share = (least - bits).exp2() / all;
                *with_number.entry((candidate.words, candidate.token)).or_default() += share;
                *with_any.entry(candidate.words).or_default() += share;
            }
        }
        (self.with_number, self.with_any) = (with_number, with_any);
    }

    /// What it costs that these words say this number: that it is they of all words, and it of all numbers.
    fn weigh(&self, candidate: &Candidate<'_>) -> f64 {
        if self.with_any.is_empty() {
            return candidate.bits;
        }
        let both = self.with_number.get(&(candidate.words, candidate.token)).copied().unwrap_or(0.0);
        let any = self.with_any.get(candidate.words).copied().unwrap_or(0.0);
        candidate.bits - 2.0 * both.max(f64::MIN_POSITIVE).log2() + (any + 1.0).log2()
    }

    /// What it costs that some words bring a number.
    fn bits_of_number(&self, words: &[Symbol], number: &Integer) -> f64 {
        pieces_of_number(number).iter().map(|piece| self.bits(words, piece)).sum()
    }

    /// How probable it is that a word brings a piece.
    fn of(&self, word: Option<Symbol>, piece: &Piece) -> f64 {
        self.brought.get(&(word, piece.clone())).copied().unwrap_or(0.0)
    }

    /// The spans of words that say the numbers of examples. Of spans that bring a number equally well the shortest is chosen first, and then
    /// the one whose words are parts of numbers elsewhere: in `half a dozen`, `half` alone brings 6, but of `two dozen` all words do bring 24.
    pub(super) fn spans(&self, examples: &[&'e Example], data: &Dataset) -> Vec<Said> {
        let candidates: Vec<Vec<Candidate<'e>>> =
            examples.par_iter().map(|example| self.candidates(example, data)).collect();
        let mut chosen: Vec<Said> =
            candidates.par_iter().map(|candidates| self.shortest(candidates)).collect();
        for _ in 0..ROUNDS {
            let outside = odds(examples, &chosen);
            let again = |(candidates, chosen): (&Vec<Candidate<'e>>, &Said)| {
                let mut chosen = chosen.clone();
                for number in 0..chosen.len() {
                    chosen[number].1 = self.again(candidates, &chosen, number, &outside);
                }
                chosen
            };
            let better: Vec<Said> = candidates.par_iter().zip(&chosen).map(again).collect();
            if better == chosen {
                break;
            }
            chosen = better;
        }
        chosen
    }

    /// The best span for a number whose words no other number has, by what else it costs that words are parts of numbers.
    fn again(
        &self,
        candidates: &[Candidate<'e>],
        chosen: &[(Symbol, Range<usize>)],
        number: usize,
        outside: &FxHashMap<Symbol, f64>,
    ) -> Range<usize> {
        let (token, before) = &chosen[number];
        let is_free = |span: &Range<usize>| {
            let others = chosen.iter().enumerate().filter(|(other, _)| *other != number);
            others.into_iter().all(|(_, (_, taken))| taken.end <= span.start || span.end <= taken.start)
        };
        let free =
            candidates.iter().filter(|candidate| candidate.token == *token && is_free(&candidate.span));
        let bits = |candidate: &Candidate<'_>| {
            self.weigh(candidate) + candidate.words.iter().map(|word| outside[word]).sum::<f64>()
        };
        let order = |it: &Candidate<'_>| (it.span.len(), it.span.start);
        let best = free
            .map(|candidate| (bits(candidate), candidate))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(order(a.1).cmp(&order(b.1))));
        best.map_or_else(|| before.clone(), |(_, best)| best.span.clone())
    }

    /// The spans of words that bring the numbers of an output best, all together; none for a number whose words others have.
    fn shortest(&self, candidates: &[Candidate<'e>]) -> Said {
        let mut begun = vec![Chosen::default()];
        for same in candidates.chunk_by(|a, b| a.token == b.token) {
            let mut weighed: Vec<(f64, &Candidate<'_>)> =
                same.iter().map(|candidate| (self.weigh(candidate), candidate)).collect();
            let order = |it: &Candidate<'_>| (it.span.len(), it.span.start);
            weighed.sort_by(|a, b| a.0.total_cmp(&b.0).then(order(a.1).cmp(&order(b.1))));
            weighed.truncate(CHOICES);
            let longer = |before: &Chosen| {
                let missing = Chosen { bits: before.bits + MISSING, spans: before.spans.clone() };
                let more = weighed.iter().filter_map(|(bits, candidate)| before.with(*bits, candidate));
                more.chain([missing]).collect::<Vec<_>>()
            };
            begun = begun.iter().flat_map(longer).collect();
            begun.sort_by(|a, b| a.bits.total_cmp(&b.bits));
            begun.truncate(CHOICES);
        }
        begun.swap_remove(0).spans
    }

    /// What these words bring their numbers for, as a share of what numbers cost that no word brings.
    pub(super) fn share<'s>(&self, said: impl Iterator<Item = (&'s [Symbol], Integer)>) -> f64 {
        let mut often: FxHashMap<Piece, f64> = FxHashMap::default();
        let (mut linked, mut all) = (0.0, 0.0);
        for (words, number) in said {
            linked += self.bits_of_number(words, &number);
            all += 1.0;
            pieces_of_number(&number).into_iter().for_each(|piece| *often.entry(piece).or_default() += 1.0);
        }
        let mut counts: Vec<f64> = often.into_values().collect();
        counts.sort_by(f64::total_cmp);
        linked / counts.into_iter().map(|count| -count * (count / all).log2()).sum::<f64>()
    }

    /// What it costs that the best of some words, or none, brings a piece.
    fn bits(&self, words: &[Symbol], piece: &Piece) -> f64 {
        let best =
            words.iter().map(|word| self.of(Some(*word), piece)).fold(self.of(NOTHING, piece), f64::max);
        -best.max(LEAST_SHARE).log2()
    }
}

/// What it costs more that a word is part of a number than that it is not, by how often it is.
fn odds(examples: &[&Example], chosen: &[Said]) -> FxHashMap<Symbol, f64> {
    let mut counts: FxHashMap<Symbol, (f64, f64)> = FxHashMap::default();
    for (example, chosen) in examples.iter().zip(chosen) {
        for (place, word) in example.input.iter().enumerate() {
            let (inside, outside) = counts.entry(*word).or_default();
            match chosen.iter().any(|(_, span)| span.contains(&place)) {
                true => *inside += 1.0,
                false => *outside += 1.0,
            }
        }
    }
    let odds = |(inside, outside): (f64, f64)| ((outside + UNSEEN) / (inside + UNSEEN)).log2();
    counts.into_iter().map(|(word, counts)| (word, odds(counts))).collect()
}

/// The spans of an input that are short enough to be learned from.
fn spans(example: &Example) -> impl Iterator<Item = Range<usize>> {
    super::spans(example.input.len()).filter(|span| span.len() <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_parts_of_numbers_elsewhere_are_parts_of_one_here() {
        let single = [("two", 2), ("three", 3), ("four", 4), ("five", 5)];
        let dozens = [("a dozen", 12), ("two dozen", 24), ("three dozen", 36), ("four dozen", 48)];
        let numbers = [&single[..], &dozens, &[("half a dozen", 6)]].concat();
        let things = [("eggs", "egg"), ("rolls", "roll"), ("apples", "apple"), ("plums", "plum")];
        let pairs: Vec<(String, String)> = numbers
            .iter()
            .flat_map(|(words, number)| {
                things.map(|(name, short)| (format!("order {words} {name}"), format!("{short} {number}")))
            })
            .collect();
        let data = Dataset::from_pairs("dozens", &pairs);
        let examples: Vec<&Example> = data.examples.iter().collect();
        let said = Links::new(&examples, &data).spans(&examples, &data);
        for ((example, said), (text, _)) in examples.iter().zip(&said).zip(&pairs) {
            let [(_, span)] = &said[..] else { panic!("one number is said in {text}") };
            assert_eq!(*span, 1..example.input.len() - 1, "{text}");
        }
    }
}
