//! Entries as text, to be put in by hand: `switch _ off = [OFF (] ++ x ++ [)]`.
//!
//! It is the form in which entries are shown. A line is a pattern, an equals sign and what it says; slots are `_` in the pattern and
//! `x`, `y`, `z`, `u`, `v`, `x6`, ... where they are said; tokens stand in brackets. Functions cannot be put in, nor several kinds of one entry.

use crate::readable::argument_name;
use crate::symbol::{Token, Vocabulary, Word};
use crate::theory::entry::{Entry, In, Out};

/// Why a line is not an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found `{found}`")]
pub struct ParseError {
    /// What a line should be.
    pub expected: &'static str,
    /// The line.
    pub found: String,
}

/// The entry that a line stands for, in the numbers of these vocabularies, which grow where needed.
pub fn parse(line: &str, inputs: &mut Vocabulary, outputs: &mut Vocabulary) -> Result<Entry, ParseError> {
    let wrong = |expected: &'static str| ParseError { expected, found: line.to_owned() };
    let pieces: Vec<&str> = line.split_whitespace().collect();
    // A word may be an equals sign itself: the first one behind which an entry says something is taken.
    let signs = (1..pieces.len()).filter(|&at| pieces[at] == "=");
    let (pattern, said) = signs
        .map(|at| (&pieces[..at], &pieces[at + 1..]))
        .find_map(|(pattern, says)| Some((pattern, parts(says)?)))
        .ok_or_else(|| wrong("a pattern, = and what it says: `walk _ = [WALK] ++ x`"))?;
    let slots = pattern.iter().filter(|piece| **piece == "_").count();
    if slots > MOST_SLOTS || pattern == ["_"] {
        return Err(wrong("a pattern with words, or with two slots or more"));
    }
    let mut slot = 0;
    let pattern: Vec<In> = pattern
        .iter()
        .map(|piece| match *piece {
            "_" => {
                slot += 1;
                In::Slot(slot - 1)
            }
            word => In::Word(Word(inputs.intern(word).0)),
        })
        .collect();
    let mut says = Vec::new();
    for part in said {
        match part {
            Part::Slot(slot) if usize::from(slot) < slots => says.push(Out::Slot(slot)),
            Part::Slot(_) => return Err(wrong("slots that the pattern has")),
            Part::Token(token) => says.push(Out::Token(Token(outputs.intern(token).0))),
        }
    }
    Ok(Entry::new(&pattern, &says))
}

/// Entries with more slots cannot be put in.
const MOST_SLOTS: usize = 100;

enum Part<'a> {
    Slot(u8),
    Token(&'a str),
}

/// What is said: slots and tokens in brackets, with ++ between them. `None` if it is not.
fn parts<'a>(pieces: &[&'a str]) -> Option<Vec<Part<'a>>> {
    let mut parts = Vec::new();
    let mut at = 0;
    loop {
        let piece = *pieces.get(at)?;
        if let Some(first) = piece.strip_prefix('[') {
            let is_last =
                |at: usize| pieces[at].ends_with(']') && matches!(pieces.get(at + 1), None | Some(&"++"));
            let last = (at..pieces.len()).find(|&at| is_last(at))?;
            for (number, token) in (at..).zip(&pieces[at..=last]) {
                let token = if number == at { first } else { token };
                let token = if number == last { token.strip_suffix(']')? } else { token };
                parts.extend((!token.is_empty()).then_some(Part::Token(token)));
            }
            at = last + 1;
        } else {
            let slot = (0..MOST_SLOTS as u8).find(|&slot| argument_name(slot) == piece)?;
            parts.push(Part::Slot(slot));
            at += 1;
        }
        match pieces.get(at) {
            None => return Some(parts),
            Some(&"++") => at += 1,
            Some(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::readable::Constructions;
    use crate::theory::Theory;

    #[track_caller]
    fn check(line: &str) {
        let (mut inputs, mut outputs) = (Vocabulary::default(), Vocabulary::default());
        let entry = parse(line, &mut inputs, &mut outputs).unwrap();
        let theory = Theory::new(Prices::new(9, 9));
        assert_eq!(Constructions::new(&inputs, &outputs, &theory).definition(&entry), line);
    }

    #[test]
    fn what_is_shown_can_be_put_in() {
        check("switch _ off = [OFF (] ++ x ++ [)]");
        check("_ after _ = y ++ x");
        check("please = []");
        check("a = b = [= ]] ++ [x]".replace("]] ++ [x]", "x]").as_str());
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        for line in ["", "walk", "walk =", "_ = x", "walk = x", "walk _ = [WALK ++ x", "walk = WALK"] {
            let (mut inputs, mut outputs) = (Vocabulary::default(), Vocabulary::default());
            assert!(parse(line, &mut inputs, &mut outputs).is_err(), "{line}");
        }
    }
}
