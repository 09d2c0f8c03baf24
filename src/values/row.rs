//! What is done with rows of numbers: put in order, each number changed, some kept, each put beside the next one.
//!
//! A row has the fillers of a pattern's row, or is the value of one slot. Steps come one after the other; what they end with is a row, or a number
//! made of one.

use super::program::{OfRow, Program, Stages, Test};
use super::value::Value;
use crate::number::expression::{Expression, Fuel};
use crate::number::integer::Integer;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A step from a row to a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stage {
    /// From the smallest to the largest.
    Sorted,
    /// The last one first.
    Reversed,
    /// Another number for each; the argument before the row, if there is one, comes first.
    Each(Function),
    /// Those for which a test holds, with the same arguments.
    Kept(Test),
    /// A number for each with the next one; the last one stays as it is, or goes.
    Beside {
        /// Of a number and the next one.
        function: Function,
        /// Whether the last one stays.
        with_last: bool,
    },
    /// So many at one end.
    Taken(End, Amount),
    /// All but so many at one end.
    Dropped(End, Amount),
    /// One number, made of all.
    Alone(OfRow),
    /// A number for each with what the one before it became; the first one stays as it is.
    Along(Function),
}

/// A number from numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Function {
    /// What is computed from them.
    Number(Arc<Expression>),
    /// One or the other, by a test.
    Condition(Test, Arc<Expression>, Arc<Expression>),
}

/// An end of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum End {
    /// Where it begins.
    First,
    /// Where it ends.
    Last,
}

/// How many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Amount {
    /// Always so many.
    Number(u8),
    /// As many as the argument before the row says.
    Own,
}

impl Function {
    fn apply(&self, numbers: &[Integer], fuel: &mut Fuel) -> Option<Integer> {
        let expression = match self {
            Function::Number(expression) => expression,
            Function::Condition(test, then, otherwise) => {
                if test.holds(numbers, fuel)? {
                    then
                } else {
                    otherwise
                }
            }
        };
        expression.evaluate(numbers, fuel)
    }

    fn is_sound(&self, arguments: usize) -> bool {
        match self {
            Function::Number(expression) => expression.is_sound(arguments),
            Function::Condition(test, then, otherwise) => {
                test.is_sound(arguments) && then.is_sound(arguments) && otherwise.is_sound(arguments)
            }
        }
    }
}

impl Amount {
    fn of(self, own: Option<&Integer>) -> Option<usize> {
        match self {
            Amount::Number(number) => Some(usize::from(number)),
            Amount::Own => usize::try_from(own?.small()?).ok(),
        }
    }
}

/// The numbers of a row: its fillers, or the row that is its one filler.
pub fn numbers_of(fillers: &[Value]) -> Option<Vec<Integer>> {
    match fillers {
        [Value::Row(row)] => Some(row.to_vec()),
        _ => super::program::numbers(fillers),
    }
}

impl Stages {
    /// Its value for these arguments.
    pub fn apply(&self, arguments: &[Value], fuel: &mut Fuel) -> Option<Value> {
        let (own, fillers) = match self.own {
            true => arguments.split_first().map(|(own, fillers)| (own.number(), fillers))?,
            false => (None, arguments),
        };
        if self.own && own.is_none() {
            return None;
        }
        let mut row = numbers_of(fillers)?;
        for stage in &self.stages {
            row = stage.apply(own, row, fuel)?;
        }
        match &self.then {
            Some(then) => number(then, &row, fuel).map(Value::Number),
            None => Some(Value::row(row)),
        }
    }

    /// Whether all steps have a meaning, whatever a file says.
    pub fn is_sound(&self) -> bool {
        let arguments = 1 + usize::from(self.own);
        let then = |then: &OfRow| Program::from(then.clone()).is_sound(1);
        let is_sound = |stage: &Stage| match stage {
            Stage::Sorted | Stage::Reversed => true,
            Stage::Each(function) => function.is_sound(arguments),
            Stage::Kept(test) => test.is_sound(arguments),
            Stage::Beside { function, .. } | Stage::Along(function) => function.is_sound(2),
            Stage::Taken(_, amount) | Stage::Dropped(_, amount) => self.own || *amount != Amount::Own,
            Stage::Alone(of) => then(of),
        };
        self.stages.iter().all(is_sound) && self.then.as_ref().is_none_or(then)
    }
}

/// A number from a row; from an empty one there is none but for a sum and its length.
fn number(of: &OfRow, row: &[Integer], fuel: &mut Fuel) -> Option<Integer> {
    match of {
        OfRow::Fold(_) if row.is_empty() => Some(Integer::ZERO),
        _ => Program::from(of.clone()).number(row, fuel),
    }
}

impl Stage {
    fn apply(&self, own: Option<&Integer>, mut row: Vec<Integer>, fuel: &mut Fuel) -> Option<Vec<Integer>> {
        let with_own = |number: &Integer| own.into_iter().chain([number]).cloned().collect::<Vec<Integer>>();
        match self {
            Stage::Sorted => row.sort(),
            Stage::Reversed => row.reverse(),
            Stage::Each(function) => {
                return row.iter().map(|number| function.apply(&with_own(number), fuel)).collect();
            }
            Stage::Kept(test) => {
                let holds: Option<Vec<bool>> =
                    row.iter().map(|number| test.holds(&with_own(number), fuel)).collect();
                let mut holds = holds?.into_iter();
                row.retain(|_| holds.next().unwrap_or_default());
            }
            Stage::Beside { function, with_last } => {
                let last = row.last().filter(|_| *with_last).cloned();
                let pairs = row.windows(2).map(|pair| function.apply(pair, fuel));
                return pairs.chain(last.map(Some)).collect();
            }
            Stage::Taken(end, amount) => {
                let amount = amount.of(own)?.min(row.len());
                match end {
                    End::First => row.truncate(amount),
                    End::Last => drop(row.drain(..row.len() - amount)),
                }
            }
            Stage::Dropped(end, amount) => {
                let amount = amount.of(own)?.min(row.len());
                match end {
                    End::First => drop(row.drain(..amount)),
                    End::Last => row.truncate(row.len() - amount),
                }
            }
            Stage::Alone(of) => row = vec![number(of, &row, fuel)?],
            Stage::Along(function) => {
                for at in 1..row.len() {
                    row[at] = function.apply(&row[at - 1..=at], fuel)?;
                }
            }
        }
        Some(row)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Function::Number(expression) => expression.fmt(out),
            Function::Condition(test, then, otherwise) => {
                write!(out, "if {test} then {then} else {otherwise}")
            }
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: &End| if *end == End::First { "first" } else { "last" };
        let amount = |amount: &Amount| match amount {
            Amount::Number(number) => number.to_string(),
            Amount::Own => "x".to_owned(),
        };
        match self {
            Stage::Sorted => out.write_str("sorted"),
            Stage::Reversed => out.write_str("reversed"),
            Stage::Each(function) => write!(out, "each ({function})"),
            Stage::Kept(test) => write!(out, "those with {test}"),
            Stage::Beside { function, with_last: true } => {
                write!(out, "each with the next ({function}), and the last")
            }
            Stage::Beside { function, .. } => write!(out, "each with the next ({function})"),
            Stage::Taken(at, of) => write!(out, "the {} {}", end(at), amount(of)),
            Stage::Dropped(at, of) => write!(out, "without the {} {}", end(at), amount(of)),
            Stage::Alone(of) => Program::from(of.clone()).fmt(out),
            Stage::Along(function) => write!(out, "each with what came before ({function})"),
        }
    }
}

impl fmt::Display for Stages {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("row")?;
        for stage in &self.stages {
            write!(out, ", {stage}")?;
        }
        match &self.then {
            Some(then) => write!(out, "; {}", Program::from(then.clone())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::expression::Operation;
    use crate::values::program::{Comparison, Relation};

    #[track_caller]
    fn check(stages: Vec<Stage>, then: Option<OfRow>, row: &[i64], wanted: Option<&str>) {
        let arguments: Vec<Value> = row.iter().map(|&number| Value::from(number)).collect();
        let program = Stages { own: false, stages, then };
        let found = program.apply(&arguments, &mut Fuel::for_learning()).map(|value| value.to_string());
        assert_eq!(found.as_deref(), wanted);
    }

    #[test]
    fn a_number_before_a_larger_one_is_taken_away() {
        let minus = Expression::Call(
            crate::number::expression::Function::Operation(Operation::Subtract),
            Arc::new(Expression::Literal(0)),
            Arc::new(Expression::Argument(0)),
        );
        let test = Test::Compare(Comparison { relation: Relation::Less, left: 0, right: 1 });
        let function = Function::Condition(test, Arc::new(minus), Arc::new(Expression::Argument(0)));
        let sum = OfRow::Fold(Expression::operation(Operation::Add));
        check(vec![Stage::Beside { function, with_last: true }], Some(sum), &[10, 1, 10], Some("19"));
    }

    #[test]
    fn steps_bear_rows_that_are_too_short() {
        check(vec![Stage::Taken(End::Last, Amount::Number(3))], None, &[4, 2], Some("(4 2)"));
        check(vec![Stage::Dropped(End::Last, Amount::Number(3))], None, &[4, 2], Some("()"));
        check(vec![Stage::Taken(End::First, Amount::Own)], None, &[4, 2], None);
        check(vec![Stage::Sorted, Stage::Reversed], None, &[1, 3, 2], Some("(3 2 1)"));
    }

    #[test]
    fn sums_run_along_a_row() {
        let function = Function::Number(Expression::operation(Operation::Add));
        check(vec![Stage::Along(function.clone())], None, &[4, 1, 13], Some("(4 5 18)"));
        check(vec![Stage::Along(function)], None, &[], Some("()"));
    }

    #[test]
    fn a_row_among_numbers_is_no_row() {
        let row = Value::row(vec![Integer::ONE]);
        assert_eq!(numbers_of(std::slice::from_ref(&row)), Some(vec![Integer::ONE]));
        assert_eq!(numbers_of(&[row, Value::from(2)]), None);
    }
}
