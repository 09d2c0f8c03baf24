//! Abduction over perception: the most probable reading of a row that makes sense.
//!
//! A reading is judged as a whole: by the probability of its symbols, by their looks and beside each other, and by that
//! of its tree. Readings are tried in the order of their symbols' probability, so that the least certain segments and
//! those that stand where they never do are changed first; a reading counts
//! if its tree has a value, or the wanted one. Since a tree can only take away from the probability, the search ends
//! when no reading left could be better.

use crate::deduction;
use crate::gss::Gss;
use crate::model::Model;
use crate::perception::{Neighbours, Readings, SymbolProbs};
use crate::symbol::Symbol;
use crate::syntax::Workspace;
use crate::tree::Tree;
use crate::value::Value;

/// So many readings of a row are tried when it is answered.
pub const READINGS: usize = 300;

/// The probability of a symbol that a picture does not look like at all.
const JUST_POSSIBLE: f64 = 1e-5;

/// A row read and worked out.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The row worked out; its log-probability is that of the tree.
    pub gss: Gss,
    /// The log-probability of the symbols, by their looks and beside each other.
    pub seen: f64,
    /// How many readings were tried.
    pub tried: usize,
}

impl Reading {
    /// The log-probability of symbols and tree.
    pub fn log_probability(&self) -> f64 {
        self.seen + self.gss.log_probability.unwrap_or(f64::NEG_INFINITY)
    }
}

/// Reads rows with a model.
pub struct Reader<'a> {
    model: &'a Model,
    /// What stands beside what in the examples that the model remembers.
    neighbours: Neighbours,
}

impl<'a> Reader<'a> {
    /// A reader that knows what the model knows.
    pub fn new(model: &'a Model) -> Reader<'a> {
        let rows = model.remembered.iter().map(|example| example.words.as_slice());
        Reader { model, neighbours: Neighbours::count(model.inputs.len(), rows) }
    }

    /// The most probable of the first `most` readings of `row` that has a value, the wanted one if there is one. Where
    /// none has any, what looks hardly possible is tried too: a network may be sure and wrong.
    pub fn read(
        &self,
        row: &[SymbolProbs],
        wanted: Option<&Value>,
        most: usize,
        workspace: &mut Workspace,
    ) -> Option<Reading> {
        let best = self.best_of(row, wanted, most, workspace);
        if best.is_some() || wanted.is_some() {
            return best;
        }
        let doubted: Vec<SymbolProbs> = row.iter().map(|symbols| self.doubt(symbols)).collect();
        self.best_of(&doubted, wanted, most, workspace)
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

    fn best_of(
        &self,
        row: &[SymbolProbs],
        wanted: Option<&Value>,
        most: usize,
        workspace: &mut Workspace,
    ) -> Option<Reading> {
        let mut best: Option<Reading> = None;
        let mut tried = 0;
        for (symbols, seen) in Readings::new(row, &self.neighbours).take(most) {
            if best.as_ref().is_some_and(|best| seen <= best.log_probability()) {
                break;
            }
            tried += 1;
            let gss = work_out(self.model, symbols, workspace);
            let fits = match wanted {
                Some(wanted) => gss.value() == Some(wanted),
                None => gss.value().is_some(),
            };
            let reading = Reading { gss, seen, tried };
            if fits && best.as_ref().is_none_or(|best| reading.log_probability() > best.log_probability()) {
                best = Some(reading);
            }
        }
        best.map(|best| Reading { tried, ..best })
    }

    /// The most probable symbol everywhere by its looks alone, worked out as it is; `None` if a segment cannot be read.
    pub fn plain(&self, row: &[SymbolProbs], workspace: &mut Workspace) -> Option<Reading> {
        let (symbols, seen) = Readings::new(row, &Neighbours::unknown()).next()?;
        Some(Reading { gss: work_out(self.model, symbols, workspace), seen, tried: 1 })
    }
}

/// The parser's tree of these symbols and what it comes to.
fn work_out(model: &Model, symbols: Vec<Symbol>, workspace: &mut Workspace) -> Gss {
    let symbols: Vec<Option<Symbol>> = symbols.into_iter().map(Some).collect();
    let mut heads = Vec::with_capacity(symbols.len());
    let log_probability = model.parser.parse_heads_into(&model.classes_of(&symbols), workspace, &mut heads);
    let tree = Tree::new(heads).expect("a parser makes trees");
    let meanings = deduction::evaluate(&model.lexicon, &symbols, &tree);
    Gss { symbols, tree, meanings, log_probability: Some(log_probability) }
}
