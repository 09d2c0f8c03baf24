//! Proposes programs: where what a pattern says varies with the content of its slots, not only with what fills them.
//!
//! Inputs with the same words around spans that say something by themselves are rows of evidence: the values of the spans, and
//! the result. Where no template but a function of the values gives the results, the function is proposed.

use crate::chart::free::span_values;
use crate::learn::state::{Sampled, State};
use crate::program::fit::{Evidence, Fitted, Term, fit};
use crate::settings::{CANDIDATES, FEW, LEAST, LONGEST_PATTERN, LOOKED_AT, MOST_WORDS};
use crate::symbol::Token;
use crate::theory::entry::{Entry, In, Out};
use crate::theory::tree::Tree;
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// How the value of a span is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Source {
    /// The span is the input of an example.
    Example,
    /// All its words are constants, said one after the other.
    Words,
    /// It is what the theory makes of it.
    Theory,
}

const SOURCES: [Source; 3] = [Source::Example, Source::Words, Source::Theory];

/// A pattern, and how the values of its slots are known.
type View = (Vec<In>, Source);

/// The values of the slots, and the result.
#[derive(Clone, PartialEq)]
struct Row {
    args: Vec<Vec<Token>>,
    wanted: Vec<Token>,
}

/// Entries that apply functions, the most promising first.
pub fn functions(state: &mut State<'_>, model: &TreeModel) -> Vec<EntryId> {
    let mut rows: FxHashMap<View, Vec<Row>> = FxHashMap::default();
    let known: FxHashMap<&[In], &Sampled> =
        state.sample.iter().map(|example| (&*example.pattern, example)).collect();
    let found: Vec<Vec<(View, Row)>> =
        state.sample.par_iter().map(|example| rows_of(example, &known, &state.theory, model)).collect();
    let doubts: Vec<f64> = state.results(model, |_| true).iter().map(|result| result.bits).collect();
    for (pattern, row) in found.into_iter().flatten() {
        let rows = rows.entry(pattern).or_default();
        if rows.len() < LOOKED_AT && !rows.contains(&row) {
            rows.push(row);
        }
    }
    let token = state.theory.prices.token;
    // What is in doubt where the pattern's words are, and the entries that are used there, by the share of their uses: they may be dropped.
    let shares: Vec<f64> = state.trees.iter().map(|tree| share_of_entries(tree.as_ref(), state)).collect();
    let worth = |pattern: &[In]| {
        let has_words = |other: &[In]| {
            pattern.iter().filter(|piece| matches!(piece, In::Word(_))).all(|word| other.contains(word))
        };
        let there = (0..doubts.len()).filter(|&number| has_words(&state.sample[number].pattern));
        let spare: f64 = there.map(|number| doubts[number] + shares[number]).sum();
        spare - state.theory.prices.pattern(pattern)
    };
    let mut patterns: Vec<(f64, View, Vec<Row>)> = rows
        .into_iter()
        .filter(|(_, rows)| rows.len() >= LEAST)
        .map(|((pattern, source), rows)| (worth(&pattern), (pattern, source), rows))
        .collect();
    patterns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    patterns.truncate(CANDIDATES);
    let mut fitted: Vec<(f64, Vec<In>, Fitted)> = patterns
        .into_par_iter()
        .filter_map(|(worth, (pattern, _), rows)| {
            let evidence: Vec<Evidence<'_>> = rows
                .iter()
                .map(|row| Evidence {
                    args: row.args.iter().map(Vec::as_slice).collect(),
                    wanted: &row.wanted,
                })
                .collect();
            let fitted = fit(&evidence, token)?;
            let has_calls = fitted.terms.iter().any(|term| matches!(term, Term::Call(..)));
            let saves = worth * fitted.right as f64 / rows.len() as f64 - fitted.bits;
            (has_calls && saves > 0.0).then_some((saves, pattern, fitted))
        })
        .collect();
    fitted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    fitted.truncate(FEW);
    let noted: Vec<EntryId> =
        fitted.iter().filter_map(|(_, pattern, fitted)| note(&mut state.theory, pattern, fitted)).collect();
    noted.into_iter().filter(|&id| !state.theory.is_live(id)).collect()
}

/// What the entries of a tree of several pieces cost, each by the share of its uses that the tree has. What single words say they
/// say to functions, too.
fn share_of_entries(tree: Option<&Tree>, state: &State<'_>) -> f64 {
    let Some(tree) = tree else { return 0.0 };
    let entries = tree.nodes.iter().map(|node| node.entry);
    let larger = entries.filter(|&id| state.theory.entry(id).pattern.len() > 1);
    larger.map(|id| state.theory.bits(id) * tree.weight / state.counts.uses(id).max(tree.weight)).sum()
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
    known: &FxHashMap<&[In], &Sampled>,
    theory: &Theory,
    model: &TreeModel,
) -> Vec<(View, Row)> {
    let long = example.pattern.len();
    if long > LONGEST_PATTERN {
        return Vec::new();
    }
    let wanted = tokens(&example.says);
    let mut values: [Vec<Vec<Span>>; 3] = std::array::from_fn(|_| vec![Vec::new(); long]);
    for ((from, to), value) in span_values(&example.pattern, theory, model) {
        if to - from == long {
            continue;
        }
        let span = &example.pattern[from..to];
        let by_example = known.get(span).map(|example| tokens(&example.says));
        let by_words = said_by_words(span, theory, model);
        for (source, value) in SOURCES.into_iter().zip([by_example, by_words, Some(value)]) {
            values[source as usize][from].extend(value.map(|value| Span { to, value }));
        }
    }
    let mut found = Vec::new();
    for source in SOURCES {
        let mut views =
            Views { example, values: &values[source as usize], wanted: &wanted, source, found: &mut found };
        views.go_on(0, &mut Vec::new(), &mut Vec::new(), 0);
    }
    found
}

fn tokens(says: &[Out]) -> Vec<Token> {
    says.iter().filter_map(|piece| piece.token()).collect()
}

/// What the words of a span say one after the other, if each has a meaning of its own.
fn said_by_words(span: &[In], theory: &Theory, model: &TreeModel) -> Option<Vec<Token>> {
    let mut said = Vec::new();
    for piece in span {
        let (_, value) = span_values(std::slice::from_ref(piece), theory, model).into_iter().next()?;
        said.extend(value);
    }
    Some(said)
}

/// A span that says something by itself.
#[derive(Clone)]
struct Span {
    to: usize,
    value: Vec<Token>,
}

struct Views<'a> {
    example: &'a Sampled,
    values: &'a [Vec<Span>],
    wanted: &'a [Token],
    source: Source,
    found: &'a mut Vec<(View, Row)>,
}

impl Views<'_> {
    fn go_on(&mut self, at: usize, pattern: &mut Vec<In>, args: &mut Vec<Vec<Token>>, words: usize) {
        let long = self.example.pattern.len();
        if at == long {
            if words > 0 && !args.is_empty() {
                let row = Row { args: args.clone(), wanted: self.wanted.to_vec() };
                self.found.push(((pattern.clone(), self.source), row));
            }
            return;
        }
        if words < MOST_WORDS {
            pattern.push(self.example.pattern[at]);
            self.go_on(at + 1, pattern, args, words + 1);
            pattern.pop();
        }
        if args.len() < 2 {
            for span in &self.values[at] {
                pattern.push(In::Slot(args.len() as u8));
                args.push(span.value.clone());
                self.go_on(span.to, pattern, args, words);
                args.pop();
                pattern.pop();
            }
        }
    }
}
