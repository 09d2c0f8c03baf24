//! Rows of pictures, read by what the model knows.
//!
//! A reading is judged as a whole: by how probable its symbols are by their looks, and by its tree. All readings and all their
//! trees are in one chart, in which a picture is whatever it may show. What looks tell of a symbol says already how frequent it is, and so does the
//! tree; so each symbol's share is taken out of its looks.

use crate::model::{Answer, Known, Model, computed, said};
use crate::perception::SymbolProbs;
use crate::symbol::{Symbol, Token, Word};
use crate::theory::tree::Node;
use crate::value::Value;
use crate::values;
use crate::values::knowledge::Results;

/// The probability of a symbol that a picture does not look like at all.
const JUST_POSSIBLE: f64 = 1e-5;

impl Answer {
    /// The nodes of its tree.
    pub fn nodes(&self) -> &[Node] {
        match self {
            Answer::Said(answer) => &answer.tree.nodes,
            Answer::Computed(answer) => &answer.nodes,
        }
    }
}

/// A row read and worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What each picture was taken for.
    pub symbols: Vec<Symbol>,
    /// How that was worked out; `None` if it has no result.
    pub answer: Option<Answer>,
}

impl Reading {
    /// The result.
    pub fn value(&self, model: &Model) -> Option<Value> {
        match (self.answer.as_ref()?, &model.known) {
            (Answer::Said(answer), _) => Some(said(answer)),
            (Answer::Computed(answer), Known::Computes(known)) => {
                Some(computed(known, &answer.value, &model.outputs))
            }
            (Answer::Computed(_), Known::Says(_)) => None,
        }
    }
}

/// Reads rows with a model.
pub struct Reader<'a> {
    model: &'a Model,
    /// The share of each symbol in what the model was learned from.
    shares: Vec<f64>,
}

impl<'a> Reader<'a> {
    /// A reader that knows what the model knows.
    pub fn new(model: &'a Model) -> Reader<'a> {
        let shares = match &model.known {
            Known::Says(known) => known.shares(),
            Known::Computes(known) => known.shares(),
        };
        Reader { model, shares }
    }

    /// A reading of `row` that has the wanted value: what it looks like, if that has it, or else the most probable one.
    pub fn read_as(&self, row: &[SymbolProbs], wanted: &Value) -> Option<Reading> {
        let plain = self.plain(row).filter(|plain| plain.value(self.model).as_ref() == Some(wanted));
        plain.or_else(|| self.best(row, Some(wanted)))
    }

    /// The most probable reading of `row` that has a value. Where none has any, what looks hardly possible is tried too: a
    /// network may be sure and wrong.
    pub fn read(&self, row: &[SymbolProbs]) -> Option<Reading> {
        let best = self.best(row, None);
        if best.is_some() {
            return best;
        }
        let doubted: Vec<SymbolProbs> = row.iter().map(|symbols| self.doubt(symbols)).collect();
        self.best(&doubted, None)
    }

    /// Every symbol that the model knows is possible, if only just; but what shows nothing is no symbol.
    fn doubt(&self, symbols: &SymbolProbs) -> SymbolProbs {
        let SymbolProbs(mut all) = symbols.clone();
        if all.is_empty() {
            return SymbolProbs(all);
        }
        for symbol in (0..self.model.inputs.len() as u32).map(Symbol) {
            if symbols.0.iter().all(|&(other, _)| other != symbol) {
                all.push((symbol, JUST_POSSIBLE));
            }
        }
        SymbolProbs(all)
    }

    fn best(&self, row: &[SymbolProbs], wanted: Option<&Value>) -> Option<Reading> {
        let looks: Vec<Vec<(Word, f32)>> = row.iter().map(|symbols| self.looks(symbols)).collect();
        let (words, answer) = match &self.model.known {
            Known::Computes(known) => {
                let wanted = match wanted {
                    Some(value) => Some(uncomputed(known, value)?),
                    None => None,
                };
                let answer = known.read(&looks, wanted.as_ref())?;
                (known.words_of(&answer), Answer::Computed(answer))
            }
            Known::Says(known) => {
                let wanted = match wanted {
                    Some(value) => Some(tokens(value)?),
                    None => None,
                };
                let answer = known.read(&looks, wanted.as_deref())?;
                (known.words_of(&answer), Answer::Said(answer))
            }
        };
        let symbols = words.into_iter().map(|word| Symbol(word.0)).collect();
        Some(Reading { symbols, answer: Some(answer) })
    }

    /// What it costs to take a picture for each symbol that it may show, in bits.
    fn looks(&self, symbols: &SymbolProbs) -> Vec<(Word, f32)> {
        let cost = |&(symbol, probability): &(Symbol, f64)| {
            let share = self.shares.get(symbol.index()).copied().unwrap_or(1.0);
            (Word(symbol.0), (share / probability).log2() as f32)
        };
        symbols.0.iter().map(cost).collect()
    }

    /// The most probable symbol everywhere by its looks alone, worked out as it is; `None` if a picture cannot be read.
    pub fn plain(&self, row: &[SymbolProbs]) -> Option<Reading> {
        let symbols: Vec<Symbol> = row.iter().map(SymbolProbs::best).collect::<Option<_>>()?;
        let known: Vec<Option<Symbol>> = symbols.iter().copied().map(Some).collect();
        let answer = match &self.model.known {
            Known::Computes(_) => self.model.compute(&known).map(Answer::Computed),
            Known::Says(_) => self.model.derive(&known).map(Answer::Said),
        };
        Some(Reading { symbols, answer })
    }
}

/// The tokens of a result.
fn tokens(value: &Value) -> Option<Vec<Token>> {
    match value {
        Value::List(list) => Some(list.iter().map(|token| Token(token.0)).collect()),
        _ => None,
    }
}

/// What has to be computed for a result.
fn uncomputed(known: &values::knowledge::Knowledge, value: &Value) -> Option<values::value::Value> {
    match (value, known.results()) {
        (Value::Number(number), Results::Numbers) => Some(values::value::Value::Number(number.clone())),
        (Value::List(list), Results::Truths(truths)) => {
            let place = |token: Symbol| truths.iter().position(|truth| truth.0 == token.0);
            match list[..] {
                [token] => place(token).map(|truth| values::value::Value::Truth(truth == 1)),
                _ => None,
            }
        }
        // Rows whose results are lists have constructions that say tokens.
        _ => None,
    }
}
