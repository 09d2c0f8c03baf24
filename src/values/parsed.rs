//! Inputs worked out along the trees of the parser.

use super::chart::Bounds;
use super::knowledge::{Answer, Knowledge, LONGEST};
use super::open::WithRuns;
use super::program::Program;
use super::value::Value;
use crate::number::expression::Fuel;
use crate::symbol::Word;
use crate::syntax::{Grammar, Parse, Parser, Pattern, Syntax};
use crate::theory::entry::In;
use crate::theory::tree::{Node, spans};

/// The patterns of what is known, as the parser sees them. Constants are of one class, every other construction is of its own.
pub(super) fn grammar(known: &Knowledge) -> Grammar {
    let pattern = |(id, known): (u32, &super::knowledge::Known)| {
        let pattern = &known.entry.pattern;
        let class = if pattern.slots() == 0 { 0 } else { 1 + id };
        // The parser knows no rows with a word between or a slot before them, or with no word at all; a bare slot is a pattern that nothing fits.
        let is_odd =
            pattern.separator.is_some() || (pattern.row && pattern.slots() > 1) || pattern.is_bare_row();
        let pieces = if is_odd { Box::new([In::Slot(0)]) } else { pattern.pieces.clone() };
        Pattern { pieces, row: pattern.row, class }
    };
    Grammar::new((0..).zip(known.entries()).map(pattern).collect())
}

impl Knowledge {
    /// The result of the chart; of an input too long for one, the parser's. Which tree is right may depend on values, which the parser does not see.
    pub fn answer_by(&self, parser: Option<&Parser>, input: &[Option<Word>]) -> Option<Answer> {
        let words = self.results().read(input.iter().copied().collect::<Option<_>>()?);
        match parser {
            Some(parser) if words.len() > LONGEST => {
                self.worked_out(&words, parser.parse(self.grammar(), &words.words)?)
            }
            _ => self.answer(input),
        }
    }

    /// What the parser's tree comes to; `None` if a program has no value, or the result is of another type.
    fn worked_out(&self, input: &WithRuns, parse: Parse) -> Option<Answer> {
        let Parse { nodes, margin, .. } = parse;
        let spans = spans(&nodes, |id| self.shape(id));
        let mut values = vec![Value::Truth(false); nodes.len()];
        let mut left = Bounds::for_answers().steps;
        // Kids come after their parents.
        for number in (0..nodes.len()).rev() {
            let Node { entry, kids } = &nodes[number];
            let arguments: Vec<Value> = kids.iter().map(|&kid| values[kid as usize].clone()).collect();
            let mut fuel = Fuel::for_answers();
            fuel.steps = fuel.steps.min(left);
            let allowed = fuel.steps;
            values[number] = match &self.entries()[*entry as usize].entry.program {
                Program::Own => input.runs[spans[number].0].clone()?,
                program => program.apply(&arguments, &mut fuel)?,
            };
            left -= allowed - fuel.steps;
        }
        let value = values.first()?.clone();
        let probability = f64::from(margin);
        self.results().has(&value).then_some(Answer { value, nodes, values, spans, probability })
    }
}
