//! Inputs worked out along the trees of the parser.

use super::chart::Bounds;
use super::knowledge::{Answer, Knowledge, LONGEST, Node};
use super::open::WithRuns;
use super::program::Program;
use super::value::Value;
use crate::number::expression::Fuel;
use crate::symbol::Word;
use crate::syntax::{self, Grammar, Parse, Parser, Pattern, Syntax};
use crate::theory::entry::In;

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
                self.worked_out(&words, &parser.parse(self.grammar(), &words.words)?)
            }
            _ => self.answer(input),
        }
    }

    /// What the parser's tree comes to; `None` if a program has no value, or the result is of another type.
    fn worked_out(&self, input: &WithRuns, parse: &Parse) -> Option<Answer> {
        let mut nodes: Vec<Node> = Vec::with_capacity(parse.nodes.len());
        let spans = self.spans(&parse.nodes);
        for (node, (from, to)) in parse.nodes.iter().zip(spans) {
            let kids = node.kids.iter().map(|&kid| kid as usize).collect();
            nodes.push(Node { entry: node.entry as usize, value: Value::Truth(false), from, to, kids });
        }
        let mut left = Bounds::for_answers().steps;
        // Kids come after their parents.
        for number in (0..nodes.len()).rev() {
            let arguments: Vec<Value> =
                nodes[number].kids.iter().map(|&kid| nodes[kid].value.clone()).collect();
            let mut fuel = Fuel::for_answers();
            fuel.steps = fuel.steps.min(left);
            let allowed = fuel.steps;
            nodes[number].value = match &self.entries()[nodes[number].entry].entry.program {
                Program::Own => input.runs[nodes[number].from].clone()?,
                program => program.apply(&arguments, &mut fuel)?,
            };
            left -= allowed - fuel.steps;
        }
        let value = nodes.first()?.value.clone();
        let probability = f64::from(parse.margin);
        self.results().has(&value).then_some(Answer { value, nodes, probability })
    }

    /// The part of the input that each node covers.
    fn spans(&self, nodes: &[syntax::Node]) -> Vec<(usize, usize)> {
        let mut lengths = vec![0; nodes.len()];
        for (number, node) in nodes.iter().enumerate().rev() {
            let own = self.entries()[node.entry as usize].entry.pattern.words().count();
            lengths[number] = own + node.kids.iter().map(|&kid| lengths[kid as usize]).sum::<usize>();
        }
        let mut starts = vec![0; nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            let pattern = &self.entries()[node.entry as usize].entry.pattern;
            let (mut at, mut kids) = (starts[number], node.kids.iter());
            for piece in &pattern.pieces {
                match piece {
                    In::Word(_) => at += 1,
                    In::Slot(slot) => {
                        let fillers = pattern.fillers(*slot, kids.len());
                        for &kid in kids.by_ref().take(fillers) {
                            starts[kid as usize] = at;
                            at += lengths[kid as usize];
                        }
                    }
                }
            }
        }
        starts.iter().zip(&lengths).map(|(&start, &length)| (start, start + length)).collect()
    }
}
