//! Functions from lists of tokens to lists of tokens: chains of small steps.
//!
//! `reverse.rest.reverse` is a list without its last token.

use crate::prices;
use crate::symbol::Token;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What stands at one place in the body of a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Place {
    /// The token that the fold has come to.
    Token,
    /// What the fold has made so far; nothing at first.
    Sofar,
    /// What it had made one token earlier; nothing at the first two.
    Before,
}

/// A step of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Step {
    /// The first token, as a list of one; an empty list has none.
    First,
    /// All but the first token; an empty list has no such rest.
    Rest,
    /// Goes through the list once, from the left. At each token, what there is so far becomes these places joined:
    /// `[Token, Sofar]` reverses, `[Token]` is the last token, `[Sofar, Token, Token]` says each token twice, `[Before, Token]` every second
    /// token up to the last.
    Fold(Box<[Place]>),
    /// Each token exchanged by a table; tokens that are not in it stay. Sorted by the first of each pair, which
    /// [`Step::exchange`] sees to; in a table that is not, some pairs may go unnoticed.
    Exchange(Box<[(Token, Token)]>),
    /// These tokens if the list is empty, else the list.
    OrElse(Box<[Token]>),
}

/// Steps applied one after the other; no step at all leaves a list as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Function(pub Box<[Step]>);

impl Step {
    /// An exchange by these pairs. Of two pairs for the same token the first in order counts.
    pub fn exchange(pairs: impl IntoIterator<Item = (Token, Token)>) -> Step {
        let mut pairs: Vec<(Token, Token)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        pairs.dedup_by_key(|pair| pair.0);
        Step::Exchange(pairs.into())
    }

    /// How long the result is for a list of `length` tokens; `None` if it has none, or none that could be held.
    pub fn result_length(&self, length: usize) -> Option<usize> {
        match self {
            Step::First => (length > 0).then_some(1),
            Step::Rest => length.checked_sub(1),
            Step::Fold(places) => fold_length(places, length),
            Step::Exchange(_) => Some(length),
            Step::OrElse(tokens) if length == 0 => Some(tokens.len()),
            Step::OrElse(_) => Some(length),
        }
    }

    /// Appends the result for `list` to `out`, unless it has none or one longer than `limit`.
    ///
    /// Takes time in the lengths of list, result and step: the length is known before anything is written.
    pub(super) fn append(&self, list: &[Token], limit: usize, out: &mut Vec<Token>) -> Option<()> {
        self.result_length(list.len()).filter(|&length| length <= limit)?;
        match self {
            Step::First => out.extend(list.first()),
            Step::Rest => out.extend_from_slice(list.get(1..)?),
            Step::Fold(places) => append_fold(places, list, out),
            Step::Exchange(table) => out.extend(list.iter().map(|&token| exchanged(table, token))),
            Step::OrElse(tokens) => out.extend_from_slice(if list.is_empty() { tokens } else { list }),
        }
        Some(())
    }

    /// Its price in bits, if a token costs `token_bits`.
    pub fn price(&self, token_bits: f64) -> f64 {
        prices::STEP
            + match self {
                Step::First | Step::Rest => 0.0,
                Step::Fold(places) => prices::ARGUMENT * places.len() as f64,
                Step::Exchange(table) => 2.0 * token_bits * table.len() as f64,
                Step::OrElse(tokens) => token_bits * tokens.len() as f64,
            }
    }
}

impl Function {
    /// The result for `list`. There is none if a step takes the first or the rest of an empty list, or if the list
    /// is longer than `limit` at any time.
    pub fn apply(&self, list: &[Token], limit: usize) -> Option<Vec<Token>> {
        if list.len() > limit {
            return None;
        }
        let mut current = list.to_vec();
        let mut next = Vec::new();
        for step in &self.0 {
            next.clear();
            step.append(&current, limit, &mut next)?;
            std::mem::swap(&mut current, &mut next);
        }
        Some(current)
    }

    /// The tokens that its steps say or look for.
    pub fn tokens(&self) -> impl Iterator<Item = Token> + '_ {
        self.0.iter().flat_map(|step| match step {
            Step::First | Step::Rest | Step::Fold(_) => Vec::new(),
            Step::Exchange(table) => table.iter().flat_map(|&(from, to)| [from, to]).collect(),
            Step::OrElse(tokens) => tokens.to_vec(),
        })
    }

    /// Its price in bits, the sum over its steps, if a token costs `token_bits`.
    pub fn price(&self, token_bits: f64) -> f64 {
        self.0.iter().map(|step| step.price(token_bits)).sum()
    }

    /// For people: steps in the order in which they are applied, as `rest.reverse`, with `name` to name tokens.
    pub fn display<N: Fn(Token) -> String>(&self, name: N) -> Shown<'_, N> {
        Shown { function: self, name }
    }
}

/// A function ready to be written; see [`Function::display`].
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a, N> {
    function: &'a Function,
    name: N,
}

impl<N: Fn(Token) -> String> fmt::Display for Shown<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.function.0.is_empty() {
            return f.write_str("same");
        }
        for (index, step) in self.function.0.iter().enumerate() {
            f.write_str(if index > 0 { "." } else { "" })?;
            write_step(step, &self.name, f)?;
        }
        Ok(())
    }
}

/// How often a body has a place.
fn count(places: &[Place], wanted: Place) -> usize {
    places.iter().filter(|&&place| place == wanted).count()
}

/// The length of a fold's result, without making it.
fn fold_length(places: &[Place], length: usize) -> Option<usize> {
    let [tokens, sofars, befores] =
        [Place::Token, Place::Sofar, Place::Before].map(|place| count(places, place));
    if length == 0 || tokens == 0 {
        return Some(0);
    }
    match (sofars, befores) {
        (0, 0) => Some(tokens),
        (1, 0) => tokens.checked_mul(length),
        (0, 1) => tokens.checked_mul(length.div_ceil(2)),
        // At least doubles at every other token, so this ends or overflows soon.
        _ => {
            let step = |(before, sofar): (usize, usize), _| {
                let old = before.checked_mul(befores)?.checked_add(sofar.checked_mul(sofars)?)?;
                Some((sofar, old.checked_add(tokens)?))
            };
            (0..length).try_fold((0, 0), step).map(|(_, sofar)| sofar)
        }
    }
}

/// Appends a fold's result, whose length the caller has checked.
fn append_fold(places: &[Place], list: &[Token], out: &mut Vec<Token>) {
    match (count(places, Place::Sofar), count(places, Place::Before)) {
        _ if count(places, Place::Token) == 0 => {}
        (0, 0) => out.extend(list.last().into_iter().flat_map(|&last| places.iter().map(move |_| last))),
        (1, 0) => append_around(places, list.iter().copied(), out),
        (0, 1) => append_around(places, list.iter().copied().skip((list.len() + 1) % 2).step_by(2), out),
        _ => {
            let (mut before, mut sofar) = (Vec::new(), Vec::new());
            for &token in list {
                let mut next = Vec::new();
                for place in places {
                    match place {
                        Place::Token => next.push(token),
                        Place::Sofar => next.extend_from_slice(&sofar),
                        Place::Before => next.extend_from_slice(&before),
                    }
                }
                before = std::mem::replace(&mut sofar, next);
            }
            out.append(&mut sofar);
        }
    }
}

/// All tokens before the accumulator pile up on its left, latest first; all others on its right.
fn append_around(
    places: &[Place],
    tokens: impl DoubleEndedIterator<Item = Token> + Clone,
    out: &mut Vec<Token>,
) {
    let before = places.iter().take_while(|&&place| place == Place::Token).count();
    let after = places.len() - 1 - before;
    out.extend(tokens.clone().rev().flat_map(|token| std::iter::repeat_n(token, before)));
    out.extend(tokens.flat_map(|token| std::iter::repeat_n(token, after)));
}

/// What stands for `token` in a sorted table.
fn exchanged(table: &[(Token, Token)], token: Token) -> Token {
    table.binary_search_by_key(&token, |pair| pair.0).map_or(token, |at| table[at].1)
}

/// Writes a step; folds that have a name of their own by this name.
fn write_step(step: &Step, name: &impl Fn(Token) -> String, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use Place::{Before, Sofar, Token as Each};
    match step {
        Step::First => f.write_str("first"),
        Step::Rest => f.write_str("rest"),
        Step::Fold(places) => match &places[..] {
            [Each] => f.write_str("last"),
            [Sofar, Each] => f.write_str("copy"),
            [Each, Sofar] => f.write_str("reverse"),
            [Sofar, Each, Each] => f.write_str("twice-each"),
            [Sofar, Each, Each, Each] => f.write_str("thrice-each"),
            [Each, Sofar, Each] => f.write_str("mirror"),
            [Before, Each] => f.write_str("every-second"),
            _ => write_braced("fold", places.iter().map(|place| format!("{place:?}").to_lowercase()), f),
        },
        Step::Exchange(table) => write_braced(
            "exchange",
            table.iter().map(|&(from, to)| format!("{}>{}", name(from), name(to))),
            f,
        ),
        Step::OrElse(tokens) => write_braced("or-else", tokens.iter().map(|&token| name(token)), f),
    }
}

/// Writes `head{item item}`.
fn write_braced(head: &str, items: impl Iterator<Item = String>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{head}{{{}}}", items.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Place::{Before, Sofar, Token as Each};
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<Token> {
        text.bytes().map(|byte| Token(byte.into())).collect()
    }

    fn fold(places: &[Place]) -> Step {
        Step::Fold(places.into())
    }

    fn shown(function: &Function) -> String {
        function.display(|token| char::from_u32(token.0).unwrap_or('?').to_string()).to_string()
    }

    /// Applies steps to a list written as one letter a token; `expected` is the result and the function in words.
    #[track_caller]
    fn check(steps: &[Step], list: &str, expected: Option<&str>, words: &str) {
        let function = Function(steps.into());
        assert_eq!(function.apply(&tokens(list), 100), expected.map(tokens));
        assert_eq!(shown(&function), words);
    }

    #[test]
    fn steps_are_applied_one_after_the_other() {
        check(&[], "abc", Some("abc"), "same");
        check(&[Step::First], "abc", Some("a"), "first");
        check(&[Step::Rest], "abc", Some("bc"), "rest");
        check(&[Step::First, Step::Rest], "abc", Some(""), "first.rest");
        check(&[Step::Rest, Step::First], "a", None, "rest.first");
        check(&[Step::Rest], "", None, "rest");
    }

    #[test]
    fn folds_go_through_the_list_once() {
        check(&[fold(&[Each])], "abc", Some("c"), "last");
        check(&[fold(&[Each])], "", Some(""), "last");
        check(&[fold(&[Each, Sofar])], "abc", Some("cba"), "reverse");
        check(&[fold(&[Sofar, Each])], "abc", Some("abc"), "copy");
        check(&[fold(&[Sofar, Each, Each])], "abc", Some("aabbcc"), "twice-each");
        check(&[fold(&[Each, Sofar, Each])], "abc", Some("cbaabc"), "mirror");
        check(&[fold(&[Sofar, Sofar, Each])], "abc", Some("aabaabc"), "fold{sofar sofar token}");
        check(&[fold(&[Sofar, Sofar])], "abc", Some(""), "fold{sofar sofar}");
        check(&[fold(&[])], "abc", Some(""), "fold{}");
        check(&[fold(&[Before, Each])], "abcd", Some("bd"), "every-second");
        check(
            &[fold(&[Each, Sofar]), fold(&[Each, Before])],
            "abcde",
            Some("ace"),
            "reverse.fold{token before}",
        );
    }

    #[test]
    fn tables_exchange_what_they_hold() {
        let opposites =
            Step::exchange([('r', 'l'), ('l', 'r')].map(|(a, b)| (Token(a.into()), Token(b.into()))));
        check(&[opposites, fold(&[Each, Sofar])], "lrw", Some("wlr"), "exchange{l>r r>l}.reverse");
        check(&[Step::Rest, Step::OrElse(tokens("no").into())], "a", Some("no"), "rest.or-else{n o}");
        check(&[Step::Rest, Step::OrElse(tokens("no").into())], "ab", Some("b"), "rest.or-else{n o}");
    }

    #[test]
    fn results_are_bounded_at_any_time() {
        let swell = Function([fold(&[Sofar, Sofar, Each]), fold(&[Each])].into());
        let long = vec![Token(7); 1_000_000];
        assert_eq!(swell.apply(&long[..3], 7), Some(vec![Token(7)]), "seven tokens in between");
        assert_eq!(swell.apply(&long[..3], 6), None);
        assert_eq!(swell.apply(&long, usize::MAX), None);
        assert_eq!(Function::default().apply(&long, 10), None);
    }

    #[test]
    fn prices_grow_with_what_is_said() {
        let price = |step: Step| Function([step].into()).price(6.0);
        assert_eq!(price(Step::Rest), 3.5);
        assert_eq!(price(fold(&[Each, Sofar])), 6.5);
        assert_eq!(price(Step::exchange([(Token(1), Token(2))])), 15.5);
        assert_eq!(price(Step::OrElse(tokens("ab").into())), 15.5);
    }

    proptest! {
        /// The short cuts of folds agree with their definition.
        #[test]
        fn folds_do_what_they_say(
            list in prop::collection::vec((0u32..9).prop_map(Token), 0..6),
            places in prop::collection::vec(prop::sample::select(vec![Each, Sofar, Before]), 0..5),
        ) {
            let (mut before, mut sofar) = (Vec::new(), Vec::new());
            for &token in &list {
                let next = places.iter().flat_map(|place| match place {
                    Each => vec![token],
                    Sofar => sofar.clone(),
                    Before => before.clone(),
                }).collect();
                before = std::mem::replace(&mut sofar, next);
            }
            let step = fold(&places);
            prop_assert_eq!(step.result_length(list.len()), Some(sofar.len()));
            prop_assert_eq!(Function([step].into()).apply(&list, usize::MAX), Some(sofar));
        }
    }
}
