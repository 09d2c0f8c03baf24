//! Tokens that refer to places, however they are written: each is there if and only if a word of some kind stands at its place.
//!
//! Which words facts are about does not depend on where they stand. So a token refers to a place if it is told by the word there alone, and by the
//! same words as other tokens at theirs. A guess is made for each token by itself; then each is asked again whether it agrees with what the others show
//! of the words at its place.

use crate::learn::evidence::Example;
use crate::settings::{LEAST, LONGEST, NEARLY_ALL, PASSES};
use crate::stop::Stop;
use crate::symbol::{Token, Word};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// For each place from one end of inputs the token that refers to it, if there is one; `None` if there are too few.
pub(super) fn references(examples: &[Example], from_end: bool, stop: Stop<'_>) -> Option<Vec<Option<Token>>> {
    // What a word says alone is not about its place.
    let examples: Vec<Seen<'_>> = examples
        .iter()
        .filter(|example| (2..=LONGEST).contains(&example.input.len()))
        .map(|example| Seen { example, tokens: example.output.iter().copied().collect(), from_end })
        .collect();
    let longest = examples.iter().map(|seen| seen.example.input.len()).max()?;
    let mut with: BTreeMap<Token, Vec<&Seen<'_>>> = BTreeMap::new();
    for (token, seen) in examples.iter().flat_map(|seen| seen.tokens.iter().map(move |token| (*token, seen)))
    {
        with.entry(token).or_default().push(seen);
    }
    let places: Vec<FxHashMap<Option<Word>, usize>> =
        (0..longest).map(|place| by_word(place, &examples)).collect();
    // Other words tell, too, that often stand beside those that are referred to; but these are fewer.
    let guess = |(&token, with): (&Token, &Vec<&Seen<'_>>)| {
        let told = |place: usize| Some((told(&by_word(place, with.iter().copied()), &places[place])?, place));
        let all = (0..longest).take_while(|_| !stop()).filter_map(told);
        let best = all.min_by_key(|(told, _)| (told.wrong, Reverse(told.words)))?;
        Some((token, best.1))
    };
    let guesses: Vec<(Token, usize)> = with.par_iter().filter_map(guess).collect();
    let mut found = guesses.clone();
    for _ in 0..PASSES {
        let votes = Votes::new(&found, &examples);
        let best = |&(token, _): &(Token, usize)| {
            let agreement = |place| Some((votes.agreement(token, place, &examples)?, place));
            let places = (0..longest).take_while(|_| !stop());
            let (agreement, place) = places.filter_map(agreement).max_by(|a, b| a.0.total_cmp(&b.0))?;
            (agreement >= NEARLY_ALL).then_some((agreement, token, place))
        };
        let mut agreeing: Vec<(f64, Token, usize)> = guesses.par_iter().filter_map(best).collect();
        agreeing.sort_by(|a, b| a.2.cmp(&b.2).then(b.0.total_cmp(&a.0)).then(a.1.cmp(&b.1)));
        agreeing.dedup_by_key(|(_, _, place)| *place);
        found = agreeing.into_iter().map(|(_, token, place)| (token, place)).collect();
    }
    let mut references = vec![None; LONGEST + 2];
    for &(token, place) in &found {
        references[place] = Some(token);
    }
    (found.len() >= LEAST).then_some(references)
}

/// An example, with what its output has.
struct Seen<'a> {
    example: &'a Example,
    tokens: FxHashSet<Token>,
    from_end: bool,
}

impl Seen<'_> {
    fn word(&self, place: usize) -> Option<Word> {
        let input = &self.example.input;
        let place = if self.from_end { input.len().checked_sub(place + 1)? } else { place };
        input.get(place).copied()
    }
}

/// How the words at a place tell whether a token is there.
struct Told {
    /// The examples that have it, or not, other than most with the same word.
    wrong: usize,
    /// The words with which it is there.
    words: usize,
}

/// How many of some examples have each word at a place.
fn by_word<'a>(
    place: usize,
    examples: impl IntoIterator<Item = &'a Seen<'a>>,
) -> FxHashMap<Option<Word>, usize> {
    let mut counts = FxHashMap::default();
    for seen in examples {
        *counts.entry(seen.word(place)).or_default() += 1;
    }
    counts
}

/// How the word at a place tells if a token is there, by the examples with the token and by all; `None` if it does not, or only one does.
fn told(with: &FxHashMap<Option<Word>, usize>, all: &FxHashMap<Option<Word>, usize>) -> Option<Told> {
    // The other words are never there with the token.
    let counts = || with.iter().map(|(word, &present)| (all[word] - present, present));
    let wrong: usize = counts().map(|(absent, present)| absent.min(present)).sum();
    let words = counts().filter(|(absent, present)| present > absent).count();
    let present: usize = with.values().sum();
    let rarer = present.min(all.values().sum::<usize>() - present);
    let is_told = words > 1 && rarer > 0 && wrong as f64 <= (1.0 - NEARLY_ALL) * rarer as f64;
    is_told.then_some(Told { wrong, words })
}

/// Which words are referred to, by what tokens show at their places.
struct Votes {
    all: FxHashMap<Word, i64>,
    own: FxHashMap<Token, FxHashMap<Word, i64>>,
}

impl Votes {
    fn new(found: &[(Token, usize)], examples: &[Seen<'_>]) -> Votes {
        let mut votes = Votes { all: FxHashMap::default(), own: FxHashMap::default() };
        for &(token, place) in found {
            let own = votes.own.entry(token).or_default();
            for seen in examples {
                let Some(word) = seen.word(place) else { continue };
                let vote = if seen.tokens.contains(&token) { 1 } else { -1 };
                *own.entry(word).or_default() += vote;
                *votes.all.entry(word).or_default() += vote;
            }
        }
        votes
    }

    /// Whether a word is referred to, by what other tokens show; `None` if they show nothing.
    fn is_referred(&self, word: Word, own: Option<&FxHashMap<Word, i64>>) -> Option<bool> {
        let votes = self.all.get(&word)? - own.and_then(|own| own.get(&word)).unwrap_or(&0);
        (votes != 0).then_some(votes > 0)
    }

    /// The share of the examples with a token, or with a word at a place that is referred to, that have both; `None` where others say too little of these words.
    fn agreement(&self, token: Token, place: usize, examples: &[Seen<'_>]) -> Option<f64> {
        let own = self.own.get(&token);
        let (mut either, mut both, mut present, mut known) = (0, 0, 0, 0);
        for seen in examples {
            let is_there = seen.tokens.contains(&token);
            let referred = seen.word(place).map(|word| self.is_referred(word, own));
            present += usize::from(is_there);
            match referred {
                Some(None) => {}
                Some(Some(is_referred)) => {
                    known += usize::from(is_there);
                    either += usize::from(is_there || is_referred);
                    both += usize::from(is_there && is_referred);
                }
                None => {
                    known += usize::from(is_there);
                    either += usize::from(is_there);
                }
            }
        }
        (2 * known > present).then(|| both as f64 / either.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of places are numbers in disorder.
    const PLACES: [u32; 8] = [74, 71, 77, 73, 70, 76, 72, 75];

    /// Sentences of nouns (10 to 14) and verbs (20, 21), whose outputs name the places of both, and of words that are not referred to.
    fn sentences(from_end: bool) -> Vec<Example> {
        const KINDS: [&str; 8] = ["tnvn", "nvtn", "nxnvtn", "tnvtn", "xtnv", "tnxtnv", "nvnx", "vtnxnt"];
        let mut examples = Vec::new();
        for number in 0..160u32 {
            let word = |(at, kind): (usize, char)| match kind {
                't' => 0,
                'x' => 1 + number % 2,
                'n' => 10 + (number / 8 + 3 * at as u32) % 5,
                _ => 20 + number / 8 % 2,
            };
            let input: Vec<u32> = KINDS[number as usize % 8].chars().enumerate().map(word).collect();
            let place = |at: usize| if from_end { input.len() - 1 - at } else { at };
            let referring = (0..input.len()).filter(|&at| input[at] >= 10);
            let output = referring.flat_map(|at| [Token(input[at]), Token(PLACES[place(at)])]).collect();
            examples.push(Example { input: input.iter().copied().map(Word).collect(), output });
        }
        examples
    }

    #[test]
    fn tokens_agree_with_places_however_they_are_written() {
        for from_end in [false, true] {
            let examples = sentences(from_end);
            let found = references(&examples, from_end, Stop::never()).unwrap();
            for (place, &name) in PLACES.iter().enumerate().take(6) {
                assert_eq!(found[place], Some(Token(name)), "{from_end} {place}");
            }
            assert!(found[6..].iter().all(Option::is_none));
            assert_eq!(references(&examples, !from_end, Stop::never()), None);
        }
    }

    #[test]
    fn tokens_that_are_said_wherever_a_word_stands_refer_to_no_place() {
        let mut examples = sentences(false);
        for example in &mut examples {
            example.output = example.input.iter().map(|word| Token(word.0)).collect();
        }
        assert_eq!(references(&examples, false, Stop::never()), None);
    }
}
