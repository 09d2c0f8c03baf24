//! Proposes what single words say: parts of outputs that come with a word, and not without it.
//!
//! A word and a part of the output are linked if the part is there (nearly) whenever the word is, and knowing the word saves bits
//! about whether it is there. The surest links are made first; what they explain is masked, and thresholds fall.

use crate::learn::evidence::{Evidence, Example};
use crate::settings::{
    HALF, HARDLY, JUDGED_BY, LEAST_BITS, LIKELY, LONGEST_PART, MOSTLY, NEARLY_ALL, SURELY,
};
use crate::symbol::{Token, Word};
use crate::theory::entry::{find, occurrences};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A word, and tokens that it may say.
pub type Link = (Word, Vec<Token>);

/// The share of a word's examples that must have the tokens, round by round: sure links first.
const SHARES: [f64; 9] = [SURELY, SURELY, SURELY, MOSTLY, MOSTLY, HALF, HALF, LIKELY, LIKELY];
/// A link must save so many bits, all in all; about the price of saying it.
const LINK: f64 = 8.0;
/// What the price of one more token of a part is, in bits.
const TOKEN: f64 = 6.0;

const MASK: Word = Word(u32::MAX);
const MASKED: Token = Token(u32::MAX);

/// Links between words and tokens, the surest first, of tokens that at least this share of a word's examples have; if asked, only with tokens that
/// are not there more often than their word.
pub fn links(examples: &[Example], evidence: &Evidence, least: f64, only_once: bool) -> Vec<Link> {
    let mut masked: Vec<Example> = examples.to_vec();
    let mut links: Vec<Link> = Vec::new();
    for share in SHARES.into_iter().filter(|share| *share >= least) {
        let round = Round::new(&masked);
        let candidates = round.candidates(&masked, evidence, share);
        let mut taken: FxHashSet<Token> = FxHashSet::default();
        for (word, tokens) in candidates {
            if tokens.iter().any(|token| taken.contains(token)) {
                continue;
            }
            let there = &round.examples[&word];
            if is_explained(&links, word, &tokens, there, examples, &masked)
                || (only_once && is_said_again(word, &tokens, there, examples))
            {
                continue;
            }
            taken.extend(&tokens);
            mask(&mut masked, there, word, &tokens, share >= MOSTLY);
            if !links.contains(&(word, tokens.clone())) {
                links.push((word, tokens));
            }
        }
    }
    links
}

/// Whether nearly all examples with the word and the tokens have another word that says the tokens.
fn is_explained(
    links: &[Link],
    word: Word,
    tokens: &[Token],
    there: &[usize],
    examples: &[Example],
    masked: &[Example],
) -> bool {
    let others: Vec<Word> =
        links.iter().filter(|link| link.0 != word && link.1 == tokens).map(|link| link.0).collect();
    if others.is_empty() {
        return false;
    }
    let with: Vec<usize> =
        there.iter().copied().filter(|&number| find(&masked[number].output, tokens).is_some()).collect();
    let by_others = |&&number: &&usize| examples[number].input.iter().any(|word| others.contains(word));
    with.iter().filter(by_others).count() as f64 >= SURELY * with.len() as f64
}

/// Whether tokens are there more often than a word, and that not by exception.
fn is_said_again(word: Word, tokens: &[Token], there: &[usize], examples: &[Example]) -> bool {
    let again = |&&number: &&usize| {
        let Example { input, output } = &examples[number];
        occurrences(output, tokens).len() > input.iter().filter(|other| **other == word).count()
    };
    there.iter().filter(again).count() as f64 > (1.0 - SURELY) * there.len() as f64
}

fn mask(masked: &mut [Example], there: &[usize], word: Word, tokens: &[Token], sure: bool) {
    for &number in there {
        let example = &mut masked[number];
        let places = occurrences(&example.output, tokens);
        let said = example.input.iter().filter(|other| **other == word).count();
        if places.is_empty() || (sure && places.len() > said) {
            continue;
        }
        for other in example.input.iter_mut().filter(|other| **other == word) {
            *other = MASK;
        }
        for place in places {
            example.output[place..place + tokens.len()].fill(MASKED);
        }
    }
}

/// Counts of one round.
struct Round {
    /// How many examples have a part.
    parts: FxHashMap<Vec<Token>, f64>,
    /// The examples with a word.
    examples: BTreeMap<Word, Vec<usize>>,
}

impl Round {
    fn new(masked: &[Example]) -> Round {
        let mut parts: FxHashMap<Vec<Token>, f64> = FxHashMap::default();
        let mut examples: BTreeMap<Word, Vec<usize>> = BTreeMap::new();
        for (number, example) in masked.iter().enumerate() {
            for part in different_parts(&example.output) {
                match parts.get_mut(part) {
                    Some(count) => *count += 1.0,
                    None => {
                        parts.insert(part.to_vec(), 1.0);
                    }
                }
            }
            for &word in example.input.iter().filter(|word| **word != MASK) {
                let there = examples.entry(word).or_default();
                if there.last() != Some(&number) {
                    there.push(number);
                }
            }
        }
        Round { parts, examples }
    }

    /// For every word the tokens it most likely says, the surest first.
    fn candidates(&self, masked: &[Example], evidence: &Evidence, share: f64) -> Vec<Link> {
        let words: Vec<(&Word, &Vec<usize>)> =
            self.examples.iter().filter(|(_, there)| there.len() > 1).collect();
        let mut found: Vec<(f64, usize, Link)> = words
            .par_iter()
            .filter_map(|(word, there)| {
                let (score, tokens) = self.best_part(masked, evidence, share, there)?;
                Some((score, as_often(**word, &tokens, there, masked), (**word, tokens)))
            })
            .collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
        found.into_iter().map(|(.., link)| link).collect()
    }

    fn best_part(
        &self,
        masked: &[Example],
        evidence: &Evidence,
        share: f64,
        there: &[usize],
    ) -> Option<(f64, Vec<Token>)> {
        let looks = there.len().min(JUDGED_BY);
        let mut counts: FxHashMap<&[Token], f64> = FxHashMap::default();
        for look in 0..looks {
            for part in different_parts(&masked[there[look * there.len() / looks]].output) {
                *counts.entry(part).or_default() += 1.0;
            }
        }
        let mut enough: Vec<(&[Token], f64)> =
            counts.iter().filter(|(_, count)| **count >= 2.0).map(|(part, count)| (*part, *count)).collect();
        enough.sort_unstable_by(|a, b| a.0.len().cmp(&b.0.len()).then(a.0.cmp(b.0)));
        let score = |part: &[Token], count: f64| {
            let part_share = count / looks as f64;
            let exclusive = part_share * there.len() as f64 / self.parts[part];
            if part_share < share || exclusive < HARDLY || !evidence.is_balanced(part.iter()) {
                return None;
            }
            let bits = self.bits_saved(part, count, looks as f64, masked.len() as f64, exclusive)?;
            let longer = |token: &Token| {
                let alone = std::slice::from_ref(token);
                let lift = self.lift(alone, counts[alone] / looks as f64, masked.len() as f64);
                HARDLY * (if lift > LEAST_BITS { count * lift } else { 0.0 } - TOKEN)
            };
            Some(bits + part.iter().map(longer).sum::<f64>() + exclusive)
        };
        let mut best: Option<(f64, &[Token])> = None;
        for (part, count) in enough {
            if let Some(score) = score(part, count)
                && best.is_none_or(|(most, _)| score > most + 1e-9)
            {
                best = Some((score, part));
            }
        }
        best.map(|(score, part)| (score / (looks as f64).sqrt(), part.to_vec()))
    }

    fn lift(&self, part: &[Token], share: f64, examples: f64) -> f64 {
        (share / (self.parts[part] / examples)).log2().max(0.0)
    }

    /// The bits saved about whether the part is there, in the examples looked at, by knowing that the word is.
    fn bits_saved(
        &self,
        part: &[Token],
        count: f64,
        looks: f64,
        examples: f64,
        exclusive: f64,
    ) -> Option<f64> {
        let share = count / looks;
        let anywhere = self.parts[part] / examples;
        let lift = (share / anywhere).log2();
        let certain = share > SURELY && exclusive > NEARLY_ALL && lift > HARDLY;
        if lift < LEAST_BITS && !certain {
            return None;
        }
        let without = looks - count;
        let missing = ((1.0 - share) / (1.0 - anywhere).max(1e-9)).max(1e-9).log2();
        let bits = count * lift + if without > 0.0 { without * missing } else { 0.0 };
        (bits >= LINK).then_some(bits)
    }
}

/// In how many of its examples a word stands as often as the tokens. Of words that always come together, one that stands twice where the tokens
/// are said once does not say them.
fn as_often(word: Word, tokens: &[Token], there: &[usize], masked: &[Example]) -> usize {
    let agrees = |&&number: &&usize| {
        let Example { input, output } = &masked[number];
        occurrences(output, tokens).len() == input.iter().filter(|other| **other == word).count()
    };
    there.iter().take(JUDGED_BY).filter(agrees).count()
}

/// The different parts of an output, without masked tokens.
fn different_parts(output: &[Token]) -> Vec<&[Token]> {
    let mut seen = FxHashSet::default();
    let mut parts = Vec::new();
    for from in 0..output.len() {
        for to in from + 1..=(from + LONGEST_PART).min(output.len()) {
            if output[to - 1] == MASKED {
                break;
            }
            let part = &output[from..to];
            if seen.insert(part) {
                parts.push(part);
            }
        }
    }
    parts
}

/// Links that say one token more, before or behind, which is always there with the tokens; in groups that have the side and the
/// token in common, since they stand or fall together.
pub fn longer_links(links: &[Link], examples: &[Example], evidence: &Evidence) -> Vec<Vec<Link>> {
    let mut groups: BTreeMap<(bool, Token), Vec<Link>> = BTreeMap::new();
    for (word, tokens) in links {
        let there: Vec<(&Example, Vec<usize>)> = examples
            .iter()
            .filter(|example| example.input.contains(word))
            .map(|example| (example, occurrences(&example.output, tokens)))
            .filter(|(_, places)| !places.is_empty())
            .take(JUDGED_BY)
            .collect();
        if there.len() < 2 {
            continue;
        }
        let mut counts: BTreeMap<(bool, Vec<Token>), usize> = BTreeMap::new();
        for (example, places) in &there {
            for longer in one_longer(&example.output, places, tokens.len()) {
                *counts.entry(longer).or_default() += 1;
            }
        }
        let always = |count: usize| count as f64 >= SURELY * there.len() as f64;
        for ((before, longer), _) in counts.into_iter().filter(|(_, count)| always(*count)) {
            let token = if before { longer[0] } else { longer[longer.len() - 1] };
            if evidence.is_balanced(longer.iter()) && !links.contains(&(*word, longer.clone())) {
                groups.entry((before, token)).or_default().push((*word, longer));
            }
        }
    }
    groups.into_values().collect()
}

fn one_longer(output: &[Token], places: &[usize], long: usize) -> BTreeSet<(bool, Vec<Token>)> {
    let mut longer = BTreeSet::new();
    for &place in places {
        if place > 0 {
            longer.insert((true, output[place - 1..place + long].to_vec()));
        }
        if place + long < output.len() {
            longer.insert((false, output[place..place + long + 1].to_vec()));
        }
    }
    longer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_words_that_come_together_the_one_that_comes_as_often_says_the_token() {
        let (the, put) = (Word(0), Word(1));
        let examples: Vec<Example> = (2..12)
            .map(|thing| Example {
                input: [the, Word(thing), the, put].into(),
                output: [Token(0), Token(thing)].into(),
            })
            .chain(
                (12..22).map(|thing| Example { input: [Word(thing)].into(), output: [Token(thing)].into() }),
            )
            .collect();
        let links = links(&examples, &Evidence::new(&examples), SURELY, false);
        assert!(
            links.contains(&(put, vec![Token(0)])) && !links.iter().any(|link| link.0 == the),
            "{links:?}"
        );
    }
}
