//! Programs as they are stored: pieces in the order in which they are put together. A file may nest programs deeper than the stack; a list it
//! cannot.

use super::expression::{Expression, Function, Operation, Step};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A piece of a program, made of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// An argument.
    Argument(u8),
    /// A number.
    Literal(i64),
    /// A step of the last one.
    Do(StoredStep),
    /// A function of the last two.
    Call(StoredFunction),
    /// A step repeated, so many times, from a start.
    Repeat(StoredStep),
    /// How many steps there are from the last one to zero.
    Count(StoredStep),
}

/// An operation, or the last one of the programs.
type StoredFunction = Option<Operation>;

/// A step with such a function.
type StoredStep = Step<StoredFunction>;

/// Larger programs are not read; none that are learned come near.
const MOST: usize = 1_000;

impl From<Expression> for Vec<Piece> {
    fn from(expression: Expression) -> Vec<Piece> {
        let mut pieces = Vec::new();
        write(&expression, &mut pieces);
        pieces
    }
}

fn write(expression: &Expression, pieces: &mut Vec<Piece>) {
    let piece = match expression {
        Expression::Argument(argument) => Piece::Argument(*argument),
        Expression::Literal(number) => Piece::Literal(*number),
        Expression::Do(step, of) => {
            write(of, pieces);
            Piece::Do(write_step(step, pieces))
        }
        Expression::Call(function, x, y) => {
            write(x, pieces);
            write(y, pieces);
            Piece::Call(write_function(function, pieces))
        }
        Expression::Repeat(times, start, step) => {
            write(times, pieces);
            write(start, pieces);
            Piece::Repeat(write_step(step, pieces))
        }
        Expression::Count(start, step) => {
            write(start, pieces);
            Piece::Count(write_step(step, pieces))
        }
    };
    pieces.push(piece);
}

fn write_function(function: &Function, pieces: &mut Vec<Piece>) -> StoredFunction {
    match function {
        Function::Operation(operation) => Some(*operation),
        Function::Program(program) => {
            write(program, pieces);
            None
        }
    }
}

fn write_step(step: &Step, pieces: &mut Vec<Piece>) -> StoredStep {
    let written = step.clone().try_map(|function| Some(write_function(&function, pieces)));
    written.unwrap_or(Step::Next)
}

impl TryFrom<Vec<Piece>> for Expression {
    type Error = &'static str;

    fn try_from(pieces: Vec<Piece>) -> Result<Expression, &'static str> {
        if pieces.len() > MOST {
            return Err("expected a smaller program");
        }
        let mut stack = Stack(Vec::new());
        for piece in pieces {
            let made = stack.make(piece).ok_or("expected a program whose parts are there")?;
            stack.0.push(Arc::new(made));
        }
        match (stack.pop(), stack.0.is_empty()) {
            (Some(program), true) => Ok(Arc::unwrap_or_clone(program)),
            _ => Err("expected one program"),
        }
    }
}

struct Stack(Vec<Arc<Expression>>);

impl Stack {
    fn pop(&mut self) -> Option<Arc<Expression>> {
        self.0.pop()
    }

    fn make(&mut self, piece: Piece) -> Option<Expression> {
        Some(match piece {
            Piece::Argument(argument) => Expression::Argument(argument),
            Piece::Literal(number) => Expression::Literal(number),
            Piece::Do(step) => Expression::Do(self.step(step)?, self.pop()?),
            Piece::Count(step) => {
                let step = self.step(step)?;
                Expression::Count(self.pop()?, step)
            }
            Piece::Call(function) => {
                let function = self.function(function)?;
                let (y, x) = (self.pop()?, self.pop()?);
                Expression::Call(function, x, y)
            }
            Piece::Repeat(step) => {
                let step = self.step(step)?;
                let (start, times) = (self.pop()?, self.pop()?);
                Expression::Repeat(times, start, step)
            }
        })
    }

    fn function(&mut self, function: StoredFunction) -> Option<Function> {
        match function {
            Some(operation) => Some(Function::Operation(operation)),
            None => self.pop().map(Function::Program),
        }
    }

    fn step(&mut self, step: StoredStep) -> Option<Step> {
        step.try_map(|function| self.function(function))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::pool::Pool;

    #[test]
    fn programs_come_back_as_they_were_stored() {
        let pool = Pool::new(&[]);
        for term in pool.unary.iter().chain(&pool.binary) {
            let pieces: Vec<Piece> = (*term.program).clone().into();
            assert_eq!(Expression::try_from(pieces), Ok((*term.program).clone()));
        }
    }

    #[test]
    fn pieces_without_their_parts_are_no_program() {
        for pieces in [vec![], vec![Piece::Call(None)], vec![Piece::Argument(0); 2]] {
            assert!(Expression::try_from(pieces).is_err());
        }
    }
}
