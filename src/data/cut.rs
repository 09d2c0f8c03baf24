//! How texts are cut into tokens: words, characters or pieces.
//!
//! | | `SELECT a,b` | `{"room":"hall"}` | `at 12:30` |
//! |---|---|---|---|
//! | words | `SELECT` `a,b` | `{"room":"hall"}` | `at` `12:30` |
//! | chars | `S` `E` … | `{` `"` `r` … | `a` `t` `1` … |
//! | pieces | `SELECT` `a` `,` `b` | `{` `"` `room` `"` `:` … | `at` `12` `:` `30` |
//!
//! A run of blanks counts as one blank, and blanks around a text count as none. Inputs lose their blanks: what tells them
//! apart is the tokens. An output must come out as it was written, so it keeps where its blanks stand (see
//! [`Example::blanks`](super::Example::blanks)); among characters a blank is a token.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What counts as a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tokens {
    /// What stands between blanks.
    #[default]
    Words,
    /// Every character; a blank is one in outputs only.
    Chars,
    /// Runs of letters and digits, numbers with their decimal point, and every other character alone.
    Pieces,
}

/// How the inputs and the outputs of a data set are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// What counts as a token of an input.
    pub inputs: Tokens,
    /// What counts as a token of an output.
    pub outputs: Tokens,
}

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tokens::Words => "words",
            Tokens::Chars => "chars",
            Tokens::Pieces => "pieces",
        })
    }
}

/// The tokens of an input, as every reader cuts them.
pub fn tokenize(text: &str, tokens: Tokens) -> impl Iterator<Item = &str> {
    spans(text, tokens).map(|(_, token)| token)
}

/// The tokens of an output, and whether a blank stands before each but the first; nothing of the latter for words, where one
/// always does.
pub(super) fn cut_output(text: &str, tokens: Tokens) -> (Vec<&str>, Box<[bool]>) {
    let spans = spans(text, tokens);
    match tokens {
        Tokens::Words => (spans.map(|(_, token)| token).collect(), Box::default()),
        Tokens::Pieces => {
            let (blanks, pieces): (Vec<bool>, Vec<&str>) = spans.unzip();
            let after_first = blanks.get(1..).unwrap_or_default().into();
            (pieces, after_first)
        }
        Tokens::Chars => {
            let mut all = Vec::new();
            for (is_first, token) in spans {
                if is_first && !all.is_empty() {
                    all.push(" ");
                }
                all.push(token);
            }
            let blanks = vec![false; all.len().saturating_sub(1)].into();
            (all, blanks)
        }
    }
}

/// Whether an output has blanks that answers cannot have: between its tokens stands more than one, or a tab or line end.
pub(super) fn has_odd_blanks(output: &str) -> bool {
    let gap = |byte: &u8| byte.is_ascii_whitespace();
    let text = output.trim_ascii().as_bytes();
    text.iter().any(|byte| gap(byte) && *byte != b' ') || text.windows(2).any(|two| two.iter().all(gap))
}

/// The tokens of a text, and whether each is the first of its word.
fn spans(text: &str, tokens: Tokens) -> impl Iterator<Item = (bool, &str)> {
    let mut words = text.split_ascii_whitespace();
    let (mut word, mut start) = ("", 0);
    std::iter::from_fn(move || {
        if start == word.len() {
            (word, start) = (words.next()?, 0);
        }
        let rest = &word[start..];
        let length = match tokens {
            Tokens::Words => rest.len(),
            Tokens::Chars => rest.chars().next().map_or(0, char::len_utf8),
            Tokens::Pieces => piece(word, start),
        };
        let span = (start == 0, &rest[..length]);
        start += length;
        Some(span)
    })
}

/// The length of the piece of `word` that begins at `start`.
fn piece(word: &str, start: usize) -> usize {
    let rest = &word[start..];
    let run = run(rest);
    if run == 0 {
        return rest.chars().next().map_or(0, char::len_utf8);
    }
    match decimals(rest, run).filter(|_| !follows_point(&word[..start])) {
        Some(decimals) => run + 1 + decimals,
        None => run,
    }
}

/// The length of the letters and digits that `text` begins with.
fn run(text: &str) -> usize {
    text.char_indices().find(|&(_, letter)| !is_letter(letter)).map_or(text.len(), |(end, _)| end)
}

/// The length of the digits after the point of a number of which `run` bytes stand before it. What has more points is no
/// number but a date, a version or the like.
fn decimals(rest: &str, run: usize) -> Option<usize> {
    let after = rest[run..].strip_prefix('.').filter(|_| is_digits(&rest[..run]))?;
    let length = self::run(after);
    let more = after[length..].strip_prefix('.').is_some_and(|more| self::run(more) > 0);
    (is_digits(&after[..length]) && !more).then_some(length)
}

/// Whether `before` ends in a digit and a point.
fn follows_point(before: &str) -> bool {
    before.strip_suffix('.').is_some_and(|before| before.ends_with(|last: char| last.is_ascii_digit()))
}

/// Whether `text` is some digits and nothing else.
pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A letter or digit, or a mark that is written on one or joins two.
pub(super) fn is_letter(letter: char) -> bool {
    const MARKS: [(char, char); 5] = [
        ('\u{300}', '\u{36f}'),
        ('\u{1ab0}', '\u{1aff}'),
        ('\u{200c}', '\u{200d}'),
        ('\u{20d0}', '\u{20ff}'),
        ('\u{fe00}', '\u{fe0f}'),
    ];
    // Scripts of India write two consonants without a vowel between with a sign that Unicode calls no letter.
    const VIRAMAS: [char; 10] = [
        '\u{94d}', '\u{9cd}', '\u{a4d}', '\u{acd}', '\u{b4d}', '\u{bcd}', '\u{c4d}', '\u{ccd}', '\u{d4d}',
        '\u{dca}',
    ];
    letter.is_alphanumeric()
        || MARKS.iter().any(|&(first, last)| (first..=last).contains(&letter))
        || VIRAMAS.contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, tokens: Tokens, expected: &[&str]) {
        assert_eq!(tokenize(text, tokens).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn tokens_are_words_or_characters() {
        check(" walk\ttwice  ", Tokens::Words, &["walk", "twice"]);
        check("1×(2 + 3)", Tokens::Chars, &["1", "×", "(", "2", "+", "3", ")"]);
        check("  ", Tokens::Words, &[]);
        check("", Tokens::Chars, &[]);
    }

    #[test]
    fn pieces_are_runs_of_letters_and_single_signs() {
        check(
            "{\"room\":\"hall\"}",
            Tokens::Pieces,
            &["{", "\"", "room", "\"", ":", "\"", "hall", "\"", "}"],
        );
        check("answer(state(usa))", Tokens::Pieces, &["answer", "(", "state", "(", "usa", ")", ")"]);
        check("SELECT a,b", Tokens::Pieces, &["SELECT", "a", ",", "b"]);
        check("at 12:30", Tokens::Pieces, &["at", "12", ":", "30"]);
        check(
            "x1 -> 3.5,-4 1.2.3 7. .5 v2.5a",
            Tokens::Pieces,
            &[
                "x1", "-", ">", "3.5", ",", "-", "4", "1", ".", "2", ".", "3", "7", ".", ".", "5", "v2", ".",
                "5a",
            ],
        );
        check("e\u{301}t\u{e9} क्या", Tokens::Pieces, &["e\u{301}t\u{e9}", "क्या"]);
        check(" ", Tokens::Pieces, &[]);
    }

    #[test]
    fn outputs_keep_their_blanks() {
        let blanks = |text, tokens| cut_output(text, tokens).1.to_vec();
        assert_eq!(blanks("SELECT a, b", Tokens::Pieces), [true, false, true]);
        assert_eq!(cut_output("a  bc ", Tokens::Chars), (vec!["a", " ", "b", "c"], vec![false; 3].into()));
        assert_eq!(cut_output("a b", Tokens::Words), (vec!["a", "b"], Box::default()));
        assert_eq!(cut_output("", Tokens::Pieces), (vec![], Box::default()));
    }

    #[test]
    fn blanks_that_get_lost_are_seen() {
        for (output, is_odd) in
            [(" a b ", false), ("a\tb", true), ("a  b", true), ("a\n", false), ("", false)]
        {
            assert_eq!(has_odd_blanks(output), is_odd, "{output:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_but_blanks_is_lost(text in "\\PC{0,40}") {
            let without: String = text.split_ascii_whitespace().collect();
            for tokens in [Tokens::Words, Tokens::Chars, Tokens::Pieces] {
                prop_assert_eq!(tokenize(&text, tokens).collect::<String>(), without.clone());
            }
        }
    }
}
