//! Where blanks stand between the tokens of an output, so that answers are written as training outputs were.
//!
//! Whether a blank stands between two tokens is told by what stands there, the general first: by the sign to the
//! left, or else to the right; by the kinds of the two (a word, a number, or which sign); also by the kind before them, by the kind after them,
//! by one more before them (`</b> x`, but `<b>x`), by whether the sign has come an even or odd number of times (quotes open and close), by the names of
//! the two, of four, and of six tokens. A context in
//! which all training outputs agree settles it; one in which they do not is told apart by the next finer. An answer is
//! written by the finest context that was met in training: so training outputs come out as they were, but for those that
//! even six tokens do not tell apart, which [`Spacing::unsure`] counts.

use super::cut::is_letter;
use super::{Dataset, Example};
use crate::symbol::{Names, Symbol};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number of contexts, from the general to the particular.
const LEVELS: usize = 9;
/// More contexts are not kept: they would be of outputs without any rule.
pub const MAX_CONTEXTS: usize = 1 << 16;

/// What stands around a place: its level, and kinds, parity and names.
type Context = Vec<u32>;

/// Where blanks stand. The default is between all tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spacing {
    /// Whether a blank stands in each context that was met, in order; `None` if one stands everywhere.
    rules: Option<Vec<(Context, bool)>>,
    /// Places of training outputs that would be written in another way.
    unsure: u64,
}

impl Spacing {
    /// Learns from the outputs of `data`.
    pub fn learn(data: &Dataset) -> Spacing {
        if data.examples.iter().all(|example| example.blanks.is_empty()) {
            return Spacing::default();
        }
        let outputs: Vec<Output> =
            data.examples.iter().map(|example| Output::of(example, Names::from(&data.outputs))).collect();
        let mut open: Vec<Place> = outputs
            .iter()
            .flat_map(|output| (1..output.tokens.len()).map(move |place| (output, place)))
            .collect();
        let mut rules = BTreeMap::new();
        for level in 0..LEVELS {
            open = settle(&mut rules, open, level);
        }
        let spacing = Spacing { rules: Some(rules.into_iter().collect()), unsure: 0 };
        let is_wrong =
            |&&(output, place): &&Place| spacing.has_blank(output, place) != output.has_blank(place);
        let unsure = open.iter().filter(is_wrong).count() as u64;
        Spacing { unsure, ..spacing }
    }

    /// Adds `tokens`, with blanks where they stand, to `text`.
    pub fn write<'a>(&self, tokens: &'a [Symbol], names: impl Into<Names<'a>>, text: &mut String) {
        let names = names.into();
        let output = self.rules.as_ref().map(|_| Output::new(tokens, names));
        for (place, &token) in tokens.iter().enumerate() {
            let has_blank = || output.as_ref().is_none_or(|output| self.has_blank(output, place));
            text.push_str(if place > 0 && has_blank() { " " } else { "" });
            text.push_str(names.name(token));
        }
    }

    /// Whether a blank stands before `place`, which is not the first.
    fn has_blank(&self, output: &Output, place: usize) -> bool {
        let Some(rules) = &self.rules else { return true };
        let find = |level| rules.binary_search_by(|(context, _)| context.cmp(&output.context(place, level)));
        let known = (0..LEVELS).rev().find_map(|level| find(level).ok());
        known.map_or_else(|| output.would_merge(place), |number| rules[number].1)
    }

    /// Places of training outputs that are not written as they were, since the same stands there with a blank and without.
    pub fn unsure(&self) -> u64 {
        self.unsure
    }

    /// Whether it is of a size that could have been learned.
    pub(crate) fn is_sound(&self) -> bool {
        self.rules.as_ref().is_none_or(|rules| rules.len() <= MAX_CONTEXTS)
    }
}

/// A place in an output, not the first.
type Place<'a> = (&'a Output<'a>, usize);

/// Adds what `open` places say at `level` to the rules; the places where they do not agree.
fn settle<'a>(rules: &mut BTreeMap<Context, bool>, open: Vec<Place<'a>>, level: usize) -> Vec<Place<'a>> {
    let mut counts: BTreeMap<Context, [usize; 2]> = BTreeMap::new();
    for &(output, place) in &open {
        let count = counts.entry(output.context(place, level)).or_default();
        count[usize::from(output.has_blank(place))] += 1;
    }
    let is_open = |(output, place): &Place| !counts[&output.context(*place, level)].contains(&0);
    let still_open = open.into_iter().filter(is_open).collect();
    let room = MAX_CONTEXTS.saturating_sub(rules.len());
    rules.extend(counts.into_iter().take(room).map(|(context, [without, with])| (context, with > without)));
    still_open
}

/// An output and what is asked of it.
struct Output<'a> {
    tokens: &'a [Symbol],
    names: Names<'a>,
    /// Whether a blank stands before each token but the first, where that is known; nothing where one always does.
    blanks: &'a [bool],
    /// Whether each sign has come an odd number of times, itself among them.
    is_odd: Vec<bool>,
}

impl<'a> Output<'a> {
    fn new(tokens: &'a [Symbol], names: Names<'a>) -> Output<'a> {
        let mut odd = FxHashMap::default();
        let flip = |token: &Symbol| {
            let is_odd = odd.entry(*token).or_insert(false);
            *is_odd = !*is_odd;
            *is_odd
        };
        Output { tokens, names, blanks: &[], is_odd: tokens.iter().map(flip).collect() }
    }

    fn of(example: &'a Example, names: Names<'a>) -> Output<'a> {
        Output { blanks: &example.blanks, ..Output::new(&example.output, names) }
    }

    fn has_blank(&self, place: usize) -> bool {
        self.blanks.get(place - 1).copied().unwrap_or(true)
    }

    /// Two words would be one without a blank; signs stand as close as anything.
    fn would_merge(&self, place: usize) -> bool {
        let name = |place: usize| self.names.name(self.tokens[place]);
        name(place - 1).ends_with(is_letter) && name(place).starts_with(is_letter)
    }

    fn kind(&self, place: Option<usize>) -> u32 {
        place.and_then(|place| self.tokens.get(place)).map_or(EDGE, |&token| kind(self.names.name(token)))
    }

    /// What stands around `place` at a level; each level has all that the one before it has.
    fn context(&self, place: usize, level: usize) -> Context {
        let at = |offset: isize| place.checked_add_signed(offset);
        let kind = |offset| self.kind(at(offset));
        let name =
            |offset| at(offset).and_then(|place| self.tokens.get(place)).map_or(u32::MAX, |token| token.0);
        let is_after_sign = kind(-1) < WORD;
        let sign = if is_after_sign { kind(-1) } else { kind(0) };
        let mut context = vec![level as u32, is_after_sign.into(), sign];
        let finer: [&dyn Fn() -> Vec<u32>; LEVELS - 1] = [
            &|| vec![kind(-1), kind(0)],
            &|| vec![kind(-2)],
            &|| vec![kind(1)],
            &|| vec![kind(-3)],
            &|| vec![self.parity(place).into()],
            &|| vec![name(-1), name(0)],
            &|| vec![name(-2), name(1)],
            &|| vec![name(-3), name(2)],
        ];
        finer.iter().take(level).for_each(|more| context.extend(more()));
        context
    }

    /// Whether the sign beside `place` has come an odd number of times before it: the one to the left, or else the other.
    fn parity(&self, place: usize) -> bool {
        let is_sign = |place: usize| self.kind(Some(place)) < WORD;
        match (is_sign(place - 1), is_sign(place)) {
            (true, _) => self.is_odd[place - 1],
            (false, true) => !self.is_odd[place],
            (false, false) => false,
        }
    }
}

/// Kinds of tokens that are not a single sign, which is its own kind. No character has these numbers.
const WORD: u32 = 0x11_0000;
const NUMBER: u32 = 0x11_0001;
const EDGE: u32 = 0x11_0002;

fn kind(name: &str) -> u32 {
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() => NUMBER,
        Some(first) if is_letter(first) => WORD,
        Some(first) => first.into(),
        None => EDGE,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cut, Tokens};
    use super::*;

    /// Data whose outputs are `texts`, cut into pieces.
    fn data(texts: &[&str]) -> Dataset {
        let pairs: Vec<_> = texts.iter().map(|text| ("a", *text)).collect();
        Dataset::from_texts("texts", &pairs, Some(Cut { inputs: Tokens::Words, outputs: Tokens::Pieces }))
    }

    /// How `other` is written after the model of `texts`, and how many places of these are unsure.
    fn write(texts: &[&str], other: &str) -> (String, u64) {
        let mut all = texts.to_vec();
        all.push(other);
        let (learned, all) = (data(texts), data(&all));
        let spacing = Spacing::learn(&learned);
        let mut text = String::new();
        spacing.write(&all.examples[texts.len()].output, &all.outputs, &mut text);
        (text, spacing.unsure())
    }

    #[track_caller]
    fn check(texts: &[&str], new: &str) {
        for text in texts.iter().chain([&new]) {
            assert_eq!(write(texts, text), (text.to_string(), 0));
        }
    }

    #[test]
    fn outputs_are_written_as_in_training() {
        check(&["{\"room\":\"hall\"}", "{\"room\":\"attic\",\"light\":true}"], "{\"light\":\"hall\"}");
        check(&["{\"room\": \"hall\"}", "{\"a\": 1, \"b\": 2}"], "{\"b\": \"hall\", \"room\": 7}");
        check(
            &["SELECT a,b FROM t", "SELECT a FROM t WHERE a = 'x' AND b = 'y z'"],
            "SELECT b,a,q FROM r WHERE b = 'z'",
        );
        check(&["12:30", "at 9:05"], "at 23:45");
        check(&["Hello, world.", "Yes: it's \"so so\" here."], "Hi, \"you you\" there.");
        check(&["x = -5", "3 - 5 = -2"], "y = -8 - 2");
        let marked = ["<b>a</b> d", "<b><b>a</b> d</b>", "<b>a</b> <b>d</b>", "<b><b>d</b></b>"];
        check(&marked, "<i><i><b>c</b> e</i></i> <b><i>e</i> c</b>");
    }

    #[test]
    fn exceptions_are_remembered() {
        check(&["a,b", "c,d", "e, f", "g,h"], "a,d");
        let texts = ["a ,b", "a, b", "a, b"];
        assert_eq!(write(&texts, "a ,b"), ("a, b".to_owned(), 2));
    }

    #[test]
    fn words_have_blanks_everywhere() {
        let spacing = Spacing::learn(&Dataset::from_pairs("words", &[("a", "b c")]));
        assert_eq!(spacing, Spacing::default());
    }
}
