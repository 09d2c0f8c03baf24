//! Which output token an input word brings, estimated from co-occurrence over all pairs.

use crate::settings::MOSTLY;
use crate::symbol::{Token, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// For each word the output token that goes with it, if there is one for which the word is the best witness.
///
/// A word and a token belong together if the word is (nearly) always there when the token is, and the token
/// often there when the word is: the product of the two shares. A token goes to its best word only. A word that is
/// nearly always there brings nothing by that: without it the token must be rarer.
pub fn own_tokens<'a>(
    pairs: impl Iterator<Item = (&'a [Word], &'a [Token])>,
    words: usize,
    tokens: usize,
) -> Vec<Option<Token>> {
    let mut together: FxHashMap<(u32, u32), f64> = FxHashMap::default();
    let (mut with_word, mut with_token) = (vec![0.0; words], vec![0.0; tokens]);
    let mut all = 0.0;
    for (input, output) in pairs {
        all += 1.0;
        let input = distinct(input.iter().map(|word| word.0));
        let output = distinct(output.iter().map(|token| token.0));
        input.iter().for_each(|&word| with_word[word as usize] += 1.0);
        output.iter().for_each(|&token| with_token[token as usize] += 1.0);
        for &word in &input {
            for &token in &output {
                *together.entry((word, token)).or_default() += 1.0;
            }
        }
    }
    // Where a word is always there, nothing is known of sentences without it; few sentences tell nothing of that.
    let doubt = if all < FEW { 0.0 } else { 1.0 };
    let mut best: Vec<(f64, u32)> = vec![(0.0, 0); tokens];
    let mut counts: Vec<((u32, u32), f64)> = together.into_iter().collect();
    counts.sort_by_key(|&(pair, _)| pair);
    for ((word, token), count) in counts {
        let (with_word, with_token) = (with_word[word as usize], with_token[token as usize]);
        let necessary = count / with_token;
        let (with, without) = (count / with_word, (with_token - count + doubt) / (all - with_word + 1.0));
        let score = necessary * with;
        if necessary > MOSTLY && with > 2.0 * without && score > best[token as usize].0 {
            best[token as usize] = (score, word);
        }
    }
    best_token_of_each_word(&best, words)
}

/// With fewer sentences it may be by chance that a word is in all of them.
const FEW: f64 = 10.0;

fn distinct(items: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut seen = FxHashSet::default();
    items.filter(|&item| seen.insert(item)).collect()
}

fn best_token_of_each_word(best: &[(f64, u32)], words: usize) -> Vec<Option<Token>> {
    let mut own: Vec<(f64, Option<Token>)> = vec![(0.0, None); words];
    for (token, &(score, word)) in best.iter().enumerate() {
        if score > own[word as usize].0 {
            own[word as usize] = (score, Some(Token(token as u32)));
        }
    }
    own.into_iter().map(|(_, token)| token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;

    /// What each word brings, as `word=TOKEN`, in order of appearance.
    #[track_caller]
    fn check(pairs: &[(&str, &str)], expected: &str) {
        let data = Dataset::from_pairs("", pairs);
        let pairs: Vec<(Vec<Word>, Vec<Token>)> = data
            .examples
            .iter()
            .map(|example| {
                let words = example.input.iter().map(|word| Word(word.0)).collect();
                (words, example.output.iter().map(|token| Token(token.0)).collect())
            })
            .collect();
        let pairs = pairs.iter().map(|(words, tokens)| (&words[..], &tokens[..]));
        let own = own_tokens(pairs, data.inputs.len(), data.outputs.len());
        let brought =
            data.inputs.names().iter().zip(own).filter_map(|(word, token)| {
                Some(format!("{word}={}", data.outputs.names()[token?.0 as usize]))
            });
        assert_eq!(brought.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn a_word_brings_the_token_that_comes_and_goes_with_it() {
        check(&[("walk", "W"), ("run", "R"), ("walk twice", "W W"), ("run twice", "R R")], "walk=W run=R");
        // Not one of them stands alone.
        check(&[("a b", "A B"), ("b c", "B C"), ("c a", "C A")], "a=A b=B c=C");
    }

    #[test]
    fn what_is_said_in_two_ways_belongs_to_neither() {
        check(&[("walk", "W"), ("stroll", "W"), ("run", "R")], "run=R");
    }

    #[test]
    fn a_token_goes_to_the_word_that_needs_it_most() {
        // `jump` is there whenever J is, and so is `please`, which is there without J too.
        check(
            &[("please jump", "J"), ("jump please", "J"), ("please run", "R"), ("run", "R")],
            "jump=J run=R",
        );
    }

    #[test]
    fn a_word_that_is_nearly_always_there_brings_nothing_by_that() {
        let pairs = [
            ("the a", "A X"),
            ("the b", "B X"),
            ("the c", "C X"),
            ("the d", "D X"),
            ("the e", "E X"),
            ("e", "E X"),
        ];
        check(&pairs, "a=A b=B c=C d=D e=E");
        check(&pairs[..5].repeat(2), "a=A b=B c=C d=D e=E");
    }

    #[test]
    fn some_wrong_examples_do_not_hide_it() {
        let mut pairs = vec![("walk", "W"); 9];
        pairs.extend([("run", "R"); 9]);
        pairs.extend([("run", "W"), ("walk", "R")]);
        check(&pairs, "walk=W run=R");
        check(&[("walk", "W"), ("walk", "W"), ("run", "W"), ("run", "R")], "run=R");
    }

    #[test]
    fn nothing_is_brought_where_nothing_comes_out() {
        check(&[("a", ""), ("b", "")], "");
    }
}
