//! Programs that compute numbers from numbers.

use super::integer::Integer;
use super::stored::Piece;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// What programs often come to; computed in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Operation {
    /// x + y
    Add,
    /// x - y
    Subtract,
    /// x - y, but not below zero.
    CutOff,
    /// x * y
    Multiply,
    /// x / y, upwards.
    DivideUp,
    /// x / y, downwards.
    DivideDown,
    /// What is left over of x / y.
    Remainder,
    /// The larger one.
    Larger,
    /// The smaller one.
    Smaller,
}

/// All operations.
pub const OPERATIONS: [Operation; 9] = [
    Operation::Add,
    Operation::Subtract,
    Operation::CutOff,
    Operation::Multiply,
    Operation::DivideUp,
    Operation::DivideDown,
    Operation::Remainder,
    Operation::Larger,
    Operation::Smaller,
];

/// A function of two numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// One with a name.
    Operation(Operation),
    /// A program of two arguments.
    Program(Arc<Expression>),
}

/// What is done again and again; one side of a function may be an argument of the program around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step<F = Function> {
    /// One more.
    Next,
    /// One less.
    Previous,
    /// One less, but not below zero.
    Down,
    /// A function of what there is and an argument.
    Left(F, u8),
    /// A function of an argument and what there is.
    Right(F, u8),
}

impl<F> Step<F> {
    /// The same step with its function in another form, if it has that.
    pub(super) fn try_map<G>(self, form: impl FnOnce(F) -> Option<G>) -> Option<Step<G>> {
        Some(match self {
            Step::Next => Step::Next,
            Step::Previous => Step::Previous,
            Step::Down => Step::Down,
            Step::Left(function, argument) => Step::Left(form(function)?, argument),
            Step::Right(function, argument) => Step::Right(form(function)?, argument),
        })
    }
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Piece>", into = "Vec<Piece>")]
pub enum Expression {
    /// An argument.
    Argument(u8),
    /// A number.
    Literal(i64),
    /// One more, one less, one less but not below zero; or a function of an argument.
    Do(Step, Arc<Expression>),
    /// A function of two numbers.
    Call(Function, Arc<Expression>, Arc<Expression>),
    /// A step done so many times, from a start; less than no times, its inverse.
    Repeat(Arc<Expression>, Arc<Expression>, Step),
    /// How many steps it takes to zero.
    Count(Arc<Expression>, Step),
}

/// How much a computation may take.
#[derive(Clone, Debug)]
pub struct Fuel {
    /// Steps left.
    pub steps: u64,
    /// Binary digits of a number at most.
    pub digits: u64,
}

impl Fuel {
    /// Enough for any small program on small numbers; learning asks millions of times.
    pub fn for_learning() -> Fuel {
        Fuel { steps: 3_000, digits: 50 }
    }

    /// Enough for an answer.
    pub fn for_answers() -> Fuel {
        Fuel { steps: 100_000, digits: 30_000 }
    }

    fn burn(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    /// The number, if it is not too large.
    fn check(&self, number: Integer) -> Option<Integer> {
        (number.digits() <= self.digits).then_some(number)
    }
}

impl Operation {
    /// The operation on two numbers.
    pub fn apply(self, x: &Integer, y: &Integer, fuel: &Fuel) -> Option<Integer> {
        let number = match self {
            Operation::Add => x + y,
            Operation::Subtract => x - y,
            Operation::CutOff => (x - y).max(Integer::ZERO),
            Operation::Multiply if x.digits() + y.digits() > fuel.digits + 1 => return None,
            Operation::Multiply => x * y,
            Operation::DivideUp | Operation::DivideDown | Operation::Remainder if *y <= Integer::ZERO => {
                return None;
            }
            // Also below zero: parts go on as they are above, and what is left over goes on around the circle.
            Operation::DivideUp => {
                let (quotient, rest) = x.divided_by(y);
                if rest == Integer::ZERO { quotient } else { &quotient + &Integer::ONE }
            }
            Operation::DivideDown => x.divided_by(y).0,
            Operation::Remainder => x.divided_by(y).1,
            Operation::Larger => x.max(y).clone(),
            Operation::Smaller => x.min(y).clone(),
        };
        fuel.check(number)
    }
}

impl Function {
    /// The function of two numbers.
    pub fn apply(&self, x: &Integer, y: &Integer, fuel: &mut Fuel) -> Option<Integer> {
        match self {
            Function::Operation(operation) => operation.apply(x, y, fuel),
            Function::Program(program) => program.evaluate(&[x.clone(), y.clone()], fuel),
        }
    }
}

impl Step {
    fn apply(&self, number: &Integer, arguments: &[Integer], fuel: &mut Fuel) -> Option<Integer> {
        match self {
            Step::Next => fuel.check(number + &Integer::ONE),
            Step::Previous => fuel.check(number - &Integer::ONE),
            Step::Down => Some((number - &Integer::ONE).max(Integer::ZERO)),
            Step::Left(function, argument) => {
                function.apply(number, arguments.get(usize::from(*argument))?, fuel)
            }
            Step::Right(function, argument) => {
                function.apply(arguments.get(usize::from(*argument))?, number, fuel)
            }
        }
    }

    fn inverse(&self) -> Option<Step> {
        use Operation::{Add, Subtract};
        match self {
            Step::Next => Some(Step::Previous),
            Step::Previous => Some(Step::Next),
            Step::Left(Function::Operation(Add), argument)
            | Step::Right(Function::Operation(Add), argument) => {
                Some(Step::Left(Function::Operation(Subtract), *argument))
            }
            Step::Left(Function::Operation(Subtract), argument) => {
                Some(Step::Left(Function::Operation(Add), *argument))
            }
            Step::Down | Step::Left(..) | Step::Right(..) => None,
        }
    }

    fn uses(&self, argument: u8) -> bool {
        matches!(self, Step::Left(_, used) | Step::Right(_, used) if *used == argument)
    }

    /// `start` after so many steps.
    pub fn repeat(
        &self,
        times: &Integer,
        start: Integer,
        arguments: &[Integer],
        fuel: &mut Fuel,
    ) -> Option<Integer> {
        let inverse;
        let (times, step) = if times.is_negative() {
            inverse = self.inverse()?;
            (times.negated(), &inverse)
        } else {
            (times.clone(), self)
        };
        let times = u64::try_from(times.small()?).ok().filter(|&times| times <= fuel.steps)?;
        if let Some(way) = step.way(&start, arguments, fuel) {
            return way.after(times, fuel);
        }
        let mut number = start;
        for _ in 0..times {
            fuel.burn()?;
            let next = step.apply(&number, arguments, fuel)?;
            if next == number {
                break;
            }
            number = next;
        }
        Some(number)
    }

    /// How many steps there are from `start` to zero.
    pub fn count(&self, start: Integer, arguments: &[Integer], fuel: &mut Fuel) -> Option<Integer> {
        if let Some(way) = self.way(&start, arguments, fuel) {
            return way.count(fuel);
        }
        let mut number = start;
        let mut count = 0;
        while number != Integer::ZERO {
            fuel.burn()?;
            let next = self.apply(&number, arguments, fuel)?;
            if next == number {
                return None;
            }
            number = next;
            count += 1;
        }
        Some(Integer::from(count))
    }

    /// The way from a number that is not too large, if each step is as long as the other.
    fn way(&self, start: &Integer, arguments: &[Integer], fuel: &Fuel) -> Option<Way> {
        use Operation::{Add, CutOff, Subtract};
        let length = |argument: &u8| {
            arguments.get(usize::from(*argument))?.small().filter(|length| length.abs() <= LONGEST)
        };
        let (by, stops) = match self {
            Step::Next => (1, false),
            Step::Previous => (-1, false),
            Step::Down => (-1, true),
            Step::Left(Function::Operation(Add), argument)
            | Step::Right(Function::Operation(Add), argument) => (length(argument)?, false),
            Step::Left(Function::Operation(Subtract), argument) => (-length(argument)?, false),
            Step::Left(Function::Operation(CutOff), argument) => {
                (-length(argument).filter(|length| *length > 0)?, true)
            }
            Step::Left(..) | Step::Right(..) => return None,
        };
        let start = start.small().filter(|_| start.digits() < fuel.digits.min(FURTHEST))?;
        Some(Way { start, by, stops })
    }
}

/// Steps of a way are no longer, and it starts no further from zero in binary digits: then no sum on it overflows, as fuel bounds their number.
const LONGEST: i64 = 1 << 31;
const FURTHEST: u64 = 52;

/// Steps of one length: what many of them come to is one sum, and takes as much fuel as if each were taken.
struct Way {
    start: i64,
    by: i64,
    /// Whether it stops at zero, towards which it leads.
    stops: bool,
}

impl Way {
    /// The number after so many steps, for which there is fuel.
    fn after(&self, times: u64, fuel: &mut Fuel) -> Option<Integer> {
        let end = self.start + times as i64 * self.by;
        // That a step changes nothing shows when it was taken.
        let (end, taken) = match self.stops {
            true => (end.max(if times == 0 { end } else { 0 }), self.to_zero().unwrap_or(u64::MAX) + 1),
            false if self.by == 0 => (end, 1),
            false => (end, times),
        };
        fuel.steps -= times.min(taken);
        fuel.check(Integer::from(end))
    }

    /// How many steps it takes to zero.
    fn count(&self, fuel: &mut Fuel) -> Option<Integer> {
        let count = self.to_zero().filter(|&count| count <= fuel.steps);
        fuel.steps -= count.unwrap_or(fuel.steps);
        count.map(|count| Integer::from(count as i64))
    }

    /// The same, however many; `None` if it does not lead there.
    fn to_zero(&self) -> Option<u64> {
        match (-self.start).cmp(&0) {
            Ordering::Equal => Some(0),
            Ordering::Greater if self.stops => Some(1),
            _ if self.by == 0 || (self.start > 0) == (self.by > 0) => None,
            _ if self.stops => Some(self.start.unsigned_abs().div_ceil(self.by.unsigned_abs())),
            _ => (self.start % self.by == 0).then(|| (self.start / self.by).unsigned_abs()),
        }
    }
}

/// Programs are at most so deep; those of files could be deeper than the stack.
const DEEPEST: usize = 40;

impl Expression {
    /// What it computes; `None` if that has no value, or takes too long.
    pub fn evaluate(&self, arguments: &[Integer], fuel: &mut Fuel) -> Option<Integer> {
        match self {
            Expression::Argument(argument) => arguments.get(usize::from(*argument)).cloned(),
            Expression::Literal(number) => Some(Integer::from(*number)),
            Expression::Do(step, of) => {
                let number = of.evaluate(arguments, fuel)?;
                step.apply(&number, arguments, fuel)
            }
            Expression::Call(function, x, y) => {
                let (x, y) = (x.evaluate(arguments, fuel)?, y.evaluate(arguments, fuel)?);
                fuel.burn()?;
                function.apply(&x, &y, fuel)
            }
            Expression::Repeat(times, start, step) => {
                let (times, start) = (times.evaluate(arguments, fuel)?, start.evaluate(arguments, fuel)?);
                step.repeat(&times, start, arguments, fuel)
            }
            Expression::Count(start, step) => {
                let start = start.evaluate(arguments, fuel)?;
                step.count(start, arguments, fuel)
            }
        }
    }

    /// An argument, as a part of others.
    pub fn argument(number: u8) -> Arc<Expression> {
        Arc::new(Expression::Argument(number))
    }

    /// A number, as a part of others.
    pub fn literal(number: i64) -> Arc<Expression> {
        Arc::new(Expression::Literal(number))
    }

    /// An operation on what two programs compute, as a part of others.
    pub fn call(operation: Operation, x: Arc<Expression>, y: Arc<Expression>) -> Arc<Expression> {
        Arc::new(Expression::Call(Function::Operation(operation), x, y))
    }

    /// An operation of the two arguments.
    pub fn operation(operation: Operation) -> Arc<Expression> {
        Expression::call(operation, Expression::argument(0), Expression::argument(1))
    }

    /// The operation that a sum c + a x + b y + d x y is, if it is one.
    pub fn of_factors(factors: &[i64]) -> Option<Arc<Expression>> {
        let operation = match factors {
            [0, 1, 1, 0] => Operation::Add,
            [0, 1, -1, 0] => Operation::Subtract,
            [0, 0, 0, 1] => Operation::Multiply,
            _ => return None,
        };
        Some(Expression::operation(operation))
    }

    /// Whether an argument matters.
    pub fn uses(&self, argument: u8) -> bool {
        match self {
            Expression::Argument(used) => *used == argument,
            Expression::Literal(_) => false,
            Expression::Do(step, of) | Expression::Count(of, step) => {
                of.uses(argument) || step.uses(argument)
            }
            Expression::Call(_, x, y) => x.uses(argument) || y.uses(argument),
            Expression::Repeat(times, start, step) => {
                times.uses(argument) || start.uses(argument) || step.uses(argument)
            }
        }
    }

    /// Whether it is not too deep to be computed, and has no more than `arguments` arguments.
    pub fn is_sound(&self, arguments: usize) -> bool {
        self.is_sound_within(arguments, DEEPEST)
    }

    fn is_sound_within(&self, arguments: usize, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let function = |function: &Function| match function {
            Function::Operation(_) => true,
            Function::Program(program) => program.is_sound_within(2, depth),
        };
        let step = |step: &Step| match step {
            Step::Next | Step::Previous | Step::Down => true,
            Step::Left(called, argument) | Step::Right(called, argument) => {
                usize::from(*argument) < arguments && function(called)
            }
        };
        match self {
            Expression::Argument(argument) => usize::from(*argument) < arguments,
            Expression::Literal(_) => true,
            Expression::Do(done, of) | Expression::Count(of, done) => {
                step(done) && of.is_sound_within(arguments, depth)
            }
            Expression::Call(called, x, y) => {
                function(called) && x.is_sound_within(arguments, depth) && y.is_sound_within(arguments, depth)
            }
            Expression::Repeat(times, start, done) => {
                step(done)
                    && times.is_sound_within(arguments, depth)
                    && start.is_sound_within(arguments, depth)
            }
        }
    }
}

/// What it costs to say a number, in bits.
pub fn bits(number: i64) -> f64 {
    1.0 + 2.0 * ((number.unsigned_abs() as f64) + 1.0).log2() + f64::from(u8::from(number < 0))
}

/// The names of arguments.
pub const ARGUMENTS: [&str; 8] = ["x", "y", "z", "u", "v", "w", "p", "q"];

fn argument(number: u8) -> &'static str {
    ARGUMENTS.get(usize::from(number)).unwrap_or(&"_")
}

impl Function {
    fn written(&self, x: &str, y: &str) -> String {
        let Function::Operation(operation) = self else {
            let Function::Program(program) = self else { unreachable!("a function is one or the other") };
            return format!("(\\x y. {program})({x}, {y})");
        };
        operation.written(x, y)
    }
}

impl Operation {
    /// The operation applied to texts.
    pub fn written(self, x: &str, y: &str) -> String {
        match self {
            Operation::Add => format!("({x} + {y})"),
            Operation::Subtract => format!("({x} - {y})"),
            Operation::Multiply => format!("({x} * {y})"),
            Operation::CutOff => format!("max(0, {x} - {y})"),
            Operation::DivideUp => format!("ceil({x} / {y})"),
            Operation::DivideDown => format!("floor({x} / {y})"),
            Operation::Remainder => format!("({x} mod {y})"),
            Operation::Larger => format!("max({x}, {y})"),
            Operation::Smaller => format!("min({x}, {y})"),
        }
    }
}

impl Step {
    fn written(&self, of: &str) -> String {
        match self {
            Step::Next => format!("({of} + 1)"),
            Step::Previous => format!("({of} - 1)"),
            Step::Down => format!("max(0, {of} - 1)"),
            Step::Left(function, of_program) => function.written(of, argument(*of_program)),
            Step::Right(function, of_program) => function.written(argument(*of_program), of),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Argument(number) => out.write_str(argument(*number)),
            Expression::Literal(number) => number.fmt(out),
            Expression::Do(step, of) => out.write_str(&step.written(&of.to_string())),
            Expression::Call(function, x, y) => {
                out.write_str(&function.written(&x.to_string(), &y.to_string()))
            }
            Expression::Repeat(times, start, step) => {
                write!(out, "repeat({times} times, from {start}, n -> {})", step.written("n"))
            }
            Expression::Count(start, step) => write!(out, "count({start} to 0, n -> {})", step.written("n")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What taking each step comes to, and the fuel that is left.
    fn walked(step: &Step, times: Option<u64>, start: i64, arguments: &[Integer]) -> (Option<Integer>, u64) {
        let mut fuel = Fuel { steps: 40, digits: 50 };
        let mut number = Integer::from(start);
        let mut count = 0;
        let walked = loop {
            let is_done = times.map_or(number == Integer::ZERO, |times| count == times);
            if is_done {
                break Some(times.map_or(Integer::from(count as i64), |_| number));
            }
            if fuel.burn().is_none() {
                break None;
            }
            let next = step.apply(&number, arguments, &mut fuel).unwrap();
            if next == number {
                break times.map(|_| number);
            }
            (number, count) = (next, count + 1);
        };
        (walked, fuel.steps)
    }

    #[test]
    fn division_goes_on_below_zero() {
        let divided = |operation: Operation, x: i64| {
            operation
                .apply(&Integer::from(x), &Integer::from(2), &Fuel::for_learning())
                .unwrap()
                .small()
                .unwrap()
        };
        assert_eq!([-3, -2, -1, 0, 1].map(|x| divided(Operation::DivideUp, x)), [-1, -1, 0, 0, 1]);
        assert_eq!([-3, -2, -1, 0, 1].map(|x| divided(Operation::DivideDown, x)), [-2, -1, -1, 0, 0]);
    }

    #[test]
    fn many_steps_at_once_come_to_what_each_does() {
        use Operation::{Add, CutOff, Subtract};
        let functions = [Add, Subtract, CutOff].map(Function::Operation);
        let steps = functions
            .into_iter()
            .flat_map(|function| [Step::Left(function.clone(), 0), Step::Right(function, 0)]);
        let steps: Vec<Step> = steps.chain([Step::Next, Step::Previous, Step::Down]).collect();
        for (step, argument) in steps.iter().flat_map(|step| (-4..5).map(move |argument| (step, argument))) {
            let arguments = [Integer::from(argument)];
            for start in (-60..60).step_by(7).chain([0, 1, -1]) {
                for times in 0..12 {
                    let mut fuel = Fuel { steps: 40, digits: 50 };
                    let start = Integer::from(start);
                    let found = step.repeat(&Integer::from(times), start.clone(), &arguments, &mut fuel);
                    let wanted = walked(step, Some(times as u64), start.small().unwrap(), &arguments);
                    assert_eq!(
                        (found, fuel.steps),
                        wanted,
                        "{step:?} {argument} {times} times from {start:?}"
                    );
                }
                let mut fuel = Fuel { steps: 40, digits: 50 };
                let found = step.count(Integer::from(start), &arguments, &mut fuel);
                let (wanted, left) = walked(step, None, start, &arguments);
                assert_eq!(found, wanted, "{step:?} {argument} from {start}");
                assert!(wanted.is_none() || fuel.steps == left);
            }
        }
    }
}
