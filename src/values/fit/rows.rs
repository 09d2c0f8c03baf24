//! Programs of rows: numbers and rows from rows.

use super::{Fitting, dearer, simplest};
use crate::number::expression::{Expression, Fuel, Operation, bits};
use crate::number::integer::Integer;
use crate::prices::{ARGUMENT, FOLD, STEP};
use crate::values::predicate;
use crate::values::program::{
    Comparison, OfRow, Order, Place, Program, RELATIONS, Relation, Stages, Test, numbers,
};
use crate::values::row::{Amount, End, Function, Stage, numbers_of};
use crate::values::value::Value;
use crate::values::want::Want;
use crate::values::{fit::Wanted, fit::examples};
use std::sync::Arc;

/// The arguments of a row's program: what stands before the row, if anything does, and the row.
struct Row<'a> {
    own: Vec<Integer>,
    numbers: Vec<Integer>,
    wanted: &'a Wanted,
}

impl Row<'_> {
    fn of(wanted: &Wanted, own: usize) -> Option<Row<'_>> {
        let (before, row) = wanted.arguments.split_at_checked(own)?;
        Some(Row { own: numbers(before)?, numbers: numbers_of(row)?, wanted })
    }

    /// What is wanted, if it is a row.
    fn result(&self) -> Option<&[Integer]> {
        match self.wanted.want.value()? {
            Value::Row(row) => Some(row),
            _ => None,
        }
    }

    fn with_own(&self, number: &Integer) -> Vec<Integer> {
        self.own.iter().chain([number]).cloned().collect()
    }
}

/// Steps with their price.
type Priced = (Stage, f64);

/// From so many examples on, and with so many looked at first, steps are tried before a number is made of a row.
const FEWEST: usize = 8;
const LOOKED_AT: usize = 6;
/// Programs that may be done with each number of a row before one is made of all; the cheapest.
const SMALL: usize = 12;
/// Numbers that those of a row are compared with.
const LITERALS: usize = 12;

impl Fitting<'_> {
    /// A number from a row.
    pub(super) fn rows(&mut self) {
        match self.slots {
            2 => self.beside_row(),
            _ => self.of_row(),
        }
        let ends = if self.row { Vec::new() } else { self.ends() };
        for (end, bits) in ends {
            self.consider(self.stages(Vec::new(), Some(end)), bits);
        }
        if self.is_deep && !self.is_settled() {
            self.number_of_stages();
        }
    }

    fn of_row(&mut self) {
        self.then();
        for (order, bits) in [(Order::Given, STEP), (Order::Sorted, 2.0 * STEP)] {
            for place in [Place::FromStart(0), Place::FromEnd(0)] {
                self.consider(Program::Pick(order, place), bits);
            }
            for place in [Place::Middle, Place::UpperMiddle, Place::FromStart(1), Place::FromEnd(1)] {
                self.consider(Program::Pick(order, place), bits + STEP);
            }
        }
        self.consider(Program::Pick(Order::Sorted, Place::Median), 4.0 * STEP);
        self.consider(Program::Length, STEP);
        for term in &self.pool.binary {
            self.consider_promising(Program::Fold(Arc::clone(&term.program)), term.bits + FOLD);
        }
        self.two_of_row();
    }

    /// What an argument tells of the row behind it.
    fn beside_row(&mut self) {
        self.consider(Program::Item, STEP + ARGUMENT);
        for relation in RELATIONS {
            self.consider(Program::Matches(relation), STEP + ARGUMENT + dearer(relation));
        }
    }

    /// An operation on what two functions of the row come to, both as simple as can be.
    fn two_of_row(&mut self) {
        let parts = self.ends();
        for &(operation, price) in &self.pool.operations {
            for (x, x_bits) in &parts {
                for (y, y_bits) in parts.iter().filter(|(y, _)| y != x) {
                    let program = Program::Rows(operation, [x.clone(), y.clone()]);
                    self.consider_promising(program, price + x_bits + y_bits);
                }
            }
        }
    }

    /// Numbers from a row that are as simple as can be.
    fn ends(&self) -> Vec<(OfRow, f64)> {
        let picks = [(Order::Given, 1.0), (Order::Sorted, 2.0)].into_iter().flat_map(|(order, bits)| {
            [Place::FromStart(0), Place::FromEnd(0)].map(|place| (OfRow::Pick(order, place), bits * STEP))
        });
        let folds = self
            .pool
            .price(Operation::Add)
            .map(|bits| (OfRow::Fold(Expression::operation(Operation::Add)), bits + 2.0 * ARGUMENT + FOLD));
        picks.chain(folds).chain([(OfRow::Length, STEP)]).collect()
    }

    fn own(&self) -> usize {
        self.slots - 1
    }

    fn stages(&self, stages: Vec<Stage>, then: Option<OfRow>) -> Program {
        Program::Stages(Stages { own: self.own() > 0, stages, then })
    }

    /// A number from what one step makes of the row.
    fn number_of_stages(&mut self) {
        if self.slots > 2 || examples(self.wanted) < FEWEST {
            return;
        }
        let rows: Vec<Row<'_>> =
            self.wanted.iter().filter_map(|wanted| Row::of(wanted, self.own())).collect();
        let step = (rows.len() / LOOKED_AT).max(1);
        let first: Vec<&Row<'_>> = rows.iter().step_by(step).take(LOOKED_AT).collect();
        let ends = self.ends();
        for (stages, bits) in self.steps(&rows) {
            for (end, price) in &ends {
                let program = self.stages(stages.clone(), Some(end.clone()));
                if first.iter().any(|row| row.wanted.is_right(&program)) {
                    self.consider_promising(program, bits + price);
                }
            }
        }
    }

    /// Steps that may come before a number is made of a row.
    fn steps(&self, rows: &[Row<'_>]) -> Vec<(Vec<Stage>, f64)> {
        let terms = if self.own() > 0 { &self.pool.binary } else { &self.pool.unary };
        let each = terms.iter().filter(|term| term.bits > ARGUMENT).take(SMALL);
        let each =
            each.map(|term| (Stage::Each(Function::Number(Arc::clone(&term.program))), STEP + term.bits));
        let kept = self.tests(rows).into_iter().map(|(test, bits)| (Stage::Kept(test), STEP + bits));
        let beside = if self.own() > 0 { Vec::new() } else { self.beside() };
        let beside = beside.into_iter().flat_map(|(function, bits)| {
            [true, false]
                .map(|with_last| (Stage::Beside { function: function.clone(), with_last }, FOLD + 1.0 + bits))
        });
        let parts = parts(self.own() > 0).flat_map(|(part, bits)| {
            [vec![part.clone()], vec![Stage::Sorted, part]].map(|stages| {
                let price = bits + STEP * stages.len() as f64;
                (stages, price)
            })
        });
        each.chain(kept).chain(beside).map(|(stage, bits)| (vec![stage], bits)).chain(parts).collect()
    }

    /// Tests of the numbers of a row.
    fn tests(&self, rows: &[Row<'_>]) -> Vec<(Test, f64)> {
        if self.own() > 0 {
            return comparisons().collect();
        }
        let mut values: Vec<i64> =
            rows.iter().flat_map(|row| &row.numbers).filter_map(Integer::small).collect();
        values.sort_unstable();
        values.dedup();
        let argument = Expression::argument(0);
        let step = values.len().div_ceil(LITERALS).max(1);
        let compared = values.into_iter().step_by(step).flat_map(|number| {
            let argument = Arc::clone(&argument);
            RELATIONS.map(move |relation| {
                let price = STEP + ARGUMENT + bits(number) + 1.0 + dearer(relation);
                (Test::Computed(Arc::clone(&argument), relation, number), price)
            })
        });
        let remainder = self.pool.price(Operation::Remainder).map(|price| {
            let call = Expression::call(Operation::Remainder, argument.clone(), Expression::literal(2));
            [0, 1].map(|number| {
                let price = STEP + ARGUMENT + price + bits(2) + 1.0 + bits(number) + 1.0;
                (Test::Computed(Arc::clone(&call), Relation::Equal, number), price)
            })
        });
        compared.chain(remainder.into_iter().flatten()).collect()
    }

    /// Functions of a number and the next one: one or the other of two as simple as can be, by how they compare; or a small program.
    fn beside(&self) -> Vec<(Function, f64)> {
        let negated = self.pool.price(Operation::Subtract).map(|bits| {
            let (zero, argument) = (Expression::literal(0), Expression::argument(0));
            (Expression::call(Operation::Subtract, zero, argument), bits + 2.0 + ARGUMENT)
        });
        let simple: Vec<(Arc<Expression>, f64)> = simplest(2).chain(negated).collect();
        let terms = self.pool.binary.iter().filter(|term| term.program.uses(1)).take(SMALL);
        let mut found: Vec<(Function, f64)> =
            terms.map(|term| (Function::Number(Arc::clone(&term.program)), term.bits)).collect();
        for (test, price) in comparisons() {
            for (a, (then, then_bits)) in simple.iter().enumerate() {
                for (b, (otherwise, bits)) in simple.iter().enumerate() {
                    if a != b {
                        let function =
                            Function::Condition(test.clone(), Arc::clone(then), Arc::clone(otherwise));
                        found.push((function, price + 2.0 + then_bits + bits));
                    }
                }
            }
        }
        found
    }

    /// A row from a row: in another order, and then one step.
    pub(super) fn rows_of_rows(&mut self) {
        if self.slots > 2 {
            return;
        }
        use Stage::{Reversed, Sorted};
        let orders = [vec![], vec![Reversed], vec![Sorted], vec![Sorted, Reversed]];
        let whole = if self.own() == 0 { &orders[..] } else { &[] };
        for order in whole {
            self.consider(self.stages(order.clone(), None), STEP * (1.0 + order.len() as f64));
        }
        for order in &orders {
            if self.is_settled() {
                return;
            }
            let rows: Vec<Row<'_>> =
                self.wanted.iter().filter_map(|wanted| Row::of(wanted, self.own())).collect();
            let rows: Vec<Row<'_>> = rows.into_iter().filter_map(|row| in_order(order, row)).collect();
            for (stage, bits) in parts(self.own() > 0).chain(self.alone()) {
                self.consider_step(order, stage, bits);
            }
            for (stage, bits) in [self.kept(&rows), self.each(&rows)].into_iter().flatten() {
                self.consider_step(order, stage, bits);
            }
            if self.own() == 0 {
                let beside = [true, false].map(|with_last| self.fitted_beside(&rows, with_last));
                for (stage, bits) in beside.into_iter().chain([self.along(&rows)]).flatten() {
                    self.consider_step(order, stage, bits);
                }
            }
        }
    }

    fn consider_step(&mut self, order: &[Stage], stage: Stage, bits: f64) {
        let stages = order.iter().cloned().chain([stage]).collect();
        self.consider_promising(self.stages(stages, None), bits + STEP * (1.0 + order.len() as f64));
    }

    fn alone(&self) -> impl Iterator<Item = Priced> + use<> {
        let ends = self.ends().into_iter().filter(|(end, _)| !matches!(end, OfRow::Pick(..)));
        ends.map(|(end, bits)| (Stage::Alone(end), bits))
    }

    /// The test that tells the numbers that stay.
    fn kept(&self, rows: &[Row<'_>]) -> Option<Priced> {
        let mut told: Vec<predicate::Row> = Vec::new();
        for row in rows {
            let Some(kept) = row.result().and_then(|result| subsequence(&row.numbers, result)) else {
                continue;
            };
            let tell = |(number, is_true)| predicate::Row { numbers: row.with_own(number), is_true };
            told.extend(row.numbers.iter().zip(kept).map(tell));
        }
        let is_one = |truth: bool| told.iter().any(|row| row.is_true == truth);
        if told.len() < FEWEST || !is_one(true) || !is_one(false) {
            return None;
        }
        let compared = comparisons().filter(|_| self.own() > 0);
        let tests = predicate::fit(self.pool, self.slots, &told).into_iter().chain(compared);
        let right = |test: &Test| {
            let holds = |row: &&predicate::Row| {
                test.holds(&row.numbers, &mut Fuel::for_learning()) == Some(row.is_true)
            };
            told.iter().filter(holds).count()
        };
        let worth = |(test, bits): &(Test, f64)| 2.0 * right(test) as f64 - bits;
        let best = tests.max_by(|a, b| worth(a).total_cmp(&worth(b)));
        best.map(|(test, bits)| (Stage::Kept(test), bits))
    }

    /// The function that gives each number of the result from one of the row.
    fn each(&self, rows: &[Row<'_>]) -> Option<Priced> {
        let mut pairs = Vec::new();
        for row in rows {
            let Some(result) = row.result().filter(|result| result.len() == row.numbers.len()) else {
                continue;
            };
            pairs.extend(row.numbers.iter().zip(result).map(|(x, y)| (row.with_own(x), y.clone())));
        }
        self.function(rows.len(), &pairs).map(|(function, bits)| (Stage::Each(function), bits))
    }

    /// The same from one of the row and the next one.
    fn fitted_beside(&self, rows: &[Row<'_>], with_last: bool) -> Option<Priced> {
        let mut pairs = Vec::new();
        for row in rows {
            let Some(mut result) = row.result() else { continue };
            if with_last {
                let Some((last, others)) = result.split_last() else { continue };
                if row.numbers.last() != Some(last) {
                    continue;
                }
                result = others;
            }
            if result.len() + 1 == row.numbers.len() {
                pairs.extend(row.numbers.windows(2).zip(result).map(|(x, y)| (x.to_vec(), y.clone())));
            }
        }
        let (function, bits) = self.function(rows.len(), &pairs)?;
        Some((Stage::Beside { function, with_last }, bits + FOLD))
    }

    /// The same from one of the row and what the one before it became.
    fn along(&self, rows: &[Row<'_>]) -> Option<Priced> {
        let mut pairs = Vec::new();
        for row in rows {
            let Some(result) = row.result().filter(|result| result.len() == row.numbers.len()) else {
                continue;
            };
            if result.first() == row.numbers.first() {
                let before = result.iter().zip(row.numbers.iter().skip(1));
                let arguments = before.map(|(x, y)| vec![x.clone(), y.clone()]);
                pairs.extend(arguments.zip(result.iter().skip(1).cloned()));
            }
        }
        let (function, bits) = self.function(rows.len(), &pairs)?;
        Some((Stage::Along(function), bits + FOLD))
    }

    /// A function with these values, if there are as many as rows.
    fn function(&self, rows: usize, pairs: &[(Vec<Integer>, Integer)]) -> Option<(Function, f64)> {
        if pairs.len() < rows.max(FEWEST) {
            return None;
        }
        let step = pairs.len().div_ceil(100);
        let wanted = |(example, (arguments, value)): (usize, &(Vec<Integer>, Integer))| Wanted {
            arguments: arguments.iter().cloned().map(Value::Number).collect(),
            want: Want::Value(Value::Number(value.clone())),
            example,
            bits: 10.0,
        };
        let wanted: Vec<Wanted> = pairs.iter().step_by(step).enumerate().map(wanted).collect();
        let slots = wanted[0].arguments.len();
        let mut fitting = Fitting { wanted: &wanted, slots, row: false, most: 1, best: Vec::new(), ..*self };
        fitting.numbers();
        let best = fitting.best.into_iter().next()?;
        Some((function_of(best.program)?, best.bits))
    }
}

/// Comparisons of two arguments.
pub(super) fn comparisons() -> impl Iterator<Item = (Test, f64)> {
    RELATIONS.into_iter().map(|relation| {
        let test = Test::Compare(Comparison { relation, left: 0, right: 1 });
        (test, STEP + 2.0 * ARGUMENT + dearer(relation))
    })
}

/// Parts of a row at its ends.
fn parts(with_own: bool) -> impl Iterator<Item = Priced> {
    let numbers = (1..=3).map(|number| (Amount::Number(number), bits(i64::from(number))));
    let amounts = numbers.chain(with_own.then_some((Amount::Own, ARGUMENT)));
    amounts.flat_map(|(amount, bits)| {
        [End::First, End::Last].into_iter().flat_map(move |end| {
            [Stage::Taken(end, amount), Stage::Dropped(end, amount)].map(|stage| (stage, bits + 2.0))
        })
    })
}

fn in_order<'a>(order: &[Stage], row: Row<'a>) -> Option<Row<'a>> {
    let fillers = row.numbers.iter().cloned().map(Value::Number).collect::<Vec<Value>>();
    let stages = Stages { own: false, stages: order.to_vec(), then: None };
    match stages.apply(&fillers, &mut Fuel::for_learning())? {
        Value::Row(numbers) => Some(Row { numbers: numbers.to_vec(), ..row }),
        _ => None,
    }
}

/// Which numbers of a row stand in another one, in this order, if that has no others.
fn subsequence(row: &[Integer], part: &[Integer]) -> Option<Vec<bool>> {
    let mut rest = part.iter().peekable();
    let kept = row.iter().map(|number| rest.next_if_eq(&number).is_some()).collect();
    rest.peek().is_none().then_some(kept)
}

fn function_of(program: Program) -> Option<Function> {
    match program {
        Program::Number(expression) => Some(Function::Number(expression)),
        Program::Then { row: false, expression, operation, number } => {
            Some(Function::Number(Expression::call(operation, expression, Expression::literal(number))))
        }
        Program::Condition(test, then, otherwise) => Some(Function::Condition(test, then, otherwise)),
        Program::Linear(factors) => {
            let mut sum: Option<Arc<Expression>> = None;
            for (number, &factor) in factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
                let term = match number {
                    0 => Expression::literal(factor),
                    3 => Expression::operation(Operation::Multiply),
                    _ => Expression::argument(number as u8 - 1),
                };
                let is_times = number > 0 && factor != 1;
                let times = |term| Expression::call(Operation::Multiply, Expression::literal(factor), term);
                let term = if is_times { times(term) } else { term };
                sum = Some(sum.map_or(term.clone(), |sum| Expression::call(Operation::Add, sum, term)));
            }
            Some(Function::Number(sum.unwrap_or_else(|| Expression::literal(0))))
        }
        _ => None,
    }
}
