//! Proposes programs: where what a pattern says varies with the content of its slots, not only with what fills them.
//!
//! Inputs with the same words around spans that say something by themselves are rows of evidence: the values of the spans, and
//! the result. Where no template but a function of the values gives the results, the function is proposed.

use crate::chart::free::span_values;
use crate::learn::state::{Sampled, State};
use crate::program::fit::{Evidence, FitLimits, Fitted, Term, fit};
use crate::symbol::Token;
use crate::theory::entry::{Entry, In, Out};
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Longer inputs are not looked at.
const LONGEST: usize = 12;
/// Words of a pattern at most,
const WORDS: usize = 4;
/// and slots.
const SLOTS: usize = 2;
/// Rows of evidence for a pattern: at least,
const LEAST_ROWS: usize = 4;
/// and at most.
const MOST_ROWS: usize = 60;
/// Patterns that programs are searched for, those with most to explain.
const PATTERNS: usize = 200;
/// Proposals at most.
const PROPOSALS: usize = 6;

/// What a pattern saves where nothing is in doubt counts so much as against what is: entries may become fewer.
const CERTAIN: f64 = 0.01;

/// The values of the slots, the result, and how much in doubt the example is, in bits.
#[derive(Clone, PartialEq)]
struct Row {
    args: Vec<Vec<Token>>,
    wanted: Vec<Token>,
    doubt: f64,
    /// Whether all values are outputs of examples, not only what the theory makes of the spans.
    is_certain: bool,
}

/// Entries that apply functions, the most promising first.
pub fn functions(state: &mut State<'_>, model: &TreeModel) -> Vec<EntryId> {
    let mut rows: FxHashMap<Vec<In>, Vec<Row>> = FxHashMap::default();
    let known: FxHashMap<&[In], &Sampled> =
        state.sample.iter().map(|example| (&*example.pattern, example)).collect();
    let found: Vec<Vec<(Vec<In>, Row)>> = state
        .sample
        .par_iter()
        .map(|example| {
            let doubt = state.bits_of_result(example, model) * example.weight;
            rows_of(example, doubt, &known, &state.theory, model)
        })
        .collect();
    for (pattern, row) in found.into_iter().flatten() {
        let rows = rows.entry(pattern).or_default();
        let enough = rows.len() >= MOST_ROWS && !row.is_certain;
        if !enough && !rows.contains(&row) {
            rows.push(row);
        }
    }
    let token = state.theory.prices.token;
    let worth = |pattern: &[In], rows: &[Row]| {
        let bits: f64 = rows.iter().map(|row| token * (row.wanted.len() + 1) as f64).sum();
        let doubt: f64 = rows.iter().map(|row| row.doubt).sum();
        doubt + CERTAIN * (bits - state.theory.prices.pattern(pattern))
    };
    let mut patterns: Vec<(f64, Vec<In>, Vec<Row>)> = rows
        .into_iter()
        .map(|(pattern, rows)| (pattern, certain(rows)))
        .filter(|(_, rows)| rows.len() >= LEAST_ROWS)
        .map(|(pattern, rows)| (worth(&pattern, &rows), pattern, rows))
        .collect();
    patterns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    patterns.truncate(PATTERNS);
    let mut fitted: Vec<(f64, Vec<In>, Fitted)> = patterns
        .into_par_iter()
        .filter_map(|(worth, pattern, rows)| {
            let evidence: Vec<Evidence<'_>> = rows
                .iter()
                .map(|row| Evidence {
                    args: row.args.iter().map(Vec::as_slice).collect(),
                    wanted: &row.wanted,
                })
                .collect();
            let fitted = fit(&evidence, &FitLimits::default(), token)?;
            let has_calls = fitted.terms.iter().any(|term| matches!(term, Term::Call(..)));
            let saves = worth * fitted.right as f64 / rows.len() as f64;
            has_calls.then_some((saves, pattern, fitted))
        })
        .collect();
    fitted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    fitted.truncate(PROPOSALS);
    fitted.iter().filter_map(|(_, pattern, fitted)| note(&mut state.theory, pattern, fitted)).collect()
}

/// The rows that are certain, if they are enough; else all of them.
fn certain(mut rows: Vec<Row>) -> Vec<Row> {
    if rows.iter().filter(|row| row.is_certain).count() >= LEAST_ROWS {
        rows.retain(|row| row.is_certain);
    }
    rows.truncate(MOST_ROWS);
    rows
}

/// The number of the entry with this program.
fn note(theory: &mut Theory, pattern: &[In], fitted: &Fitted) -> Option<EntryId> {
    let mut says = Vec::with_capacity(fitted.terms.len());
    for term in &fitted.terms {
        says.push(match term {
            Term::Token(token) => Out::Token(*token),
            Term::Slot(slot) => Out::Slot(*slot),
            Term::Call(function, slot) => Out::Call(theory.function(function)?, *slot),
        });
    }
    Some(theory.note(&Entry::new(pattern, &says)))
}

/// The ways to see an example as a pattern with slots.
fn rows_of(
    example: &Sampled,
    doubt: f64,
    known: &FxHashMap<&[In], &Sampled>,
    theory: &Theory,
    model: &TreeModel,
) -> Vec<(Vec<In>, Row)> {
    let tokens = |says: &[Out]| -> Vec<Token> { says.iter().filter_map(|piece| piece.token()).collect() };
    let wanted = tokens(&example.says);
    let long = example.pattern.len();
    if long > LONGEST {
        return Vec::new();
    }
    let mut values: Vec<Vec<Span>> = vec![Vec::new(); long];
    for ((from, to), value) in span_values(&example.pattern, theory, model) {
        if to - from < long {
            let example = known.get(&example.pattern[from..to]);
            let value = example.map_or(value, |example| tokens(&example.says));
            values[from].push(Span { to, value, is_certain: example.is_some() });
        }
    }
    let mut views = Views { example, values: &values, wanted: &wanted, doubt, found: Vec::new() };
    views.go_on(0, &mut Vec::new(), &mut Vec::new(), 0);
    views.found
}

/// A span that says something by itself.
#[derive(Clone)]
struct Span {
    to: usize,
    value: Vec<Token>,
    is_certain: bool,
}

struct Views<'a> {
    example: &'a Sampled,
    values: &'a [Vec<Span>],
    wanted: &'a [Token],
    doubt: f64,
    found: Vec<(Vec<In>, Row)>,
}

impl Views<'_> {
    fn go_on(&mut self, at: usize, pattern: &mut Vec<In>, args: &mut Vec<Span>, words: usize) {
        let long = self.example.pattern.len();
        if at == long {
            if words > 0 && !args.is_empty() {
                let row = Row {
                    args: args.iter().map(|span| span.value.clone()).collect(),
                    wanted: self.wanted.to_vec(),
                    doubt: self.doubt,
                    is_certain: args.iter().all(|span| span.is_certain),
                };
                self.found.push((pattern.clone(), row));
            }
            return;
        }
        if words < WORDS {
            pattern.push(self.example.pattern[at]);
            self.go_on(at + 1, pattern, args, words + 1);
            pattern.pop();
        }
        if args.len() < SLOTS {
            for span in &self.values[at] {
                pattern.push(In::Slot(args.len() as u8));
                args.push(span.clone());
                self.go_on(span.to, pattern, args, words);
                args.pop();
                pattern.pop();
            }
        }
    }
}
