//! What an entry computes from the values of its slots.

use super::row::Stage;
use super::value::Value;
use crate::number::expression::{ARGUMENTS, Expression, Fuel, Operation};
use crate::number::integer::Integer;
use crate::program::fit::{self, Term};
use crate::symbol::Token;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A program. Those for rows take any number of arguments of one slot; the others one for each slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Program {
    /// A value.
    Constant(Value),
    /// A number from numbers.
    Number(Arc<Expression>),
    /// c + a x of one argument; c + a x + b y + d x y of two; c + a x + b y + d z of three.
    Linear(Vec<i64>),
    /// A number from numbers, or a fold if it takes a row, and then an operation with a number.
    Then {
        /// Whether it takes a row.
        row: bool,
        /// What is computed first.
        expression: Arc<Expression>,
        /// What is done with it,
        operation: Operation,
        /// and with this.
        number: i64,
    },
    /// One or the other number, by a test of the arguments.
    Condition(Test, Arc<Expression>, Arc<Expression>),
    /// Whether numbers are so.
    Test(Test),
    /// A truth value for all truth values of the arguments: one bit each, that of all false first.
    Table(u8, u32),
    /// All arguments of a row put into one by a function of two.
    Fold(Arc<Expression>),
    /// The same for truth values, the function given as a table.
    FoldTable(u32),
    /// One number of a row, after it was put in order.
    Pick(Order, Place),
    /// How many arguments a row has.
    Length,
    /// A list from lists: terms that are joined.
    List(Arc<[Term]>),
    /// What the words themselves stand for, of which only the input knows: the program of a run.
    Own,
    /// An operation on what two functions of a row come to.
    Rows(Operation, [OfRow; 2]),
    /// How many numbers of a row compare so with the argument before it.
    Matches(Relation),
    /// Whether any does.
    Any(Relation),
    /// The number of a row at the place that the argument before it tells; the first one has number 1.
    Item,
    /// What is done with a row, and what that comes to.
    Stages(Stages),
    /// Whether each number of a row compares so with the next.
    Ordered(Relation),
    /// A test of how many truth values of a row are true, and how many are not.
    Counted(Test),
}

/// A test of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Test {
    /// Whether two arguments compare so.
    Compare(Comparison),
    /// Whether what is computed from them compares so with a number.
    Computed(Arc<Expression>, Relation, i64),
    /// Whether two relations of arguments hold both, or one of them at least.
    Relations(Junction, [Comparison; 2]),
}

/// Steps that make one row of another.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stages {
    /// Whether an argument stands before the row.
    pub own: bool,
    /// The steps.
    pub stages: Vec<Stage>,
    /// A number from the last row; if none, that row.
    pub then: Option<OfRow>,
}

/// A number from a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OfRow {
    /// All put into one by a function of two.
    Fold(Arc<Expression>),
    /// One of them, after they were put in order.
    Pick(Order, Place),
    /// How many there are.
    Length,
}

impl From<OfRow> for Program {
    fn from(row: OfRow) -> Program {
        match row {
            OfRow::Fold(expression) => Program::Fold(expression),
            OfRow::Pick(order, place) => Program::Pick(order, place),
            OfRow::Length => Program::Length,
        }
    }
}

/// How two truth values are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Junction {
    /// Both.
    And,
    /// One at least.
    Or,
}

impl Junction {
    /// What two truth values come to.
    pub fn of(self, x: bool, y: bool) -> bool {
        match self {
            Junction::And => x && y,
            Junction::Or => x || y,
        }
    }
}

/// A relation of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Comparison {
    /// How they compare.
    pub relation: Relation,
    /// The first argument.
    pub left: u8,
    /// The second argument.
    pub right: u8,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Relation {
    /// The first one is smaller.
    Less,
    /// The first one is larger.
    More,
    /// They are equal.
    Equal,
    /// The first one is not larger.
    AtMost,
    /// The first one is not smaller.
    AtLeast,
    /// They are not equal.
    Other,
}

/// All relations, the simple ones first.
pub const RELATIONS: [Relation; 6] =
    [Relation::Less, Relation::More, Relation::Equal, Relation::AtMost, Relation::AtLeast, Relation::Other];

/// The order of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    /// As it stands.
    Given,
    /// From the smallest to the largest.
    Sorted,
}

/// A place in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Place {
    /// The first, the second, ...
    FromStart(u8),
    /// The last, the last but one, ...
    FromEnd(u8),
    /// The middle, or the one before it.
    Middle,
    /// The middle, or the one after it.
    UpperMiddle,
    /// The middle, or what lies between the two, downwards.
    Median,
}

impl Relation {
    /// Whether numbers that compare so are in this relation.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Relation::Less => order.is_lt(),
            Relation::More => order.is_gt(),
            Relation::Equal => order.is_eq(),
            Relation::AtMost => order.is_le(),
            Relation::AtLeast => order.is_ge(),
            Relation::Other => order.is_ne(),
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::More => ">",
            Relation::Equal => "=",
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
            Relation::Other => "!=",
        }
    }
}

impl Comparison {
    /// Whether the numbers compare so.
    pub fn holds(self, numbers: &[Integer]) -> Option<bool> {
        let (left, right) = (numbers.get(usize::from(self.left))?, numbers.get(usize::from(self.right))?);
        Some(self.relation.holds(left.cmp(right)))
    }
}

impl Test {
    /// Whether it holds for these numbers.
    pub fn holds(&self, numbers: &[Integer], fuel: &mut Fuel) -> Option<bool> {
        match self {
            Test::Compare(comparison) => comparison.holds(numbers),
            Test::Computed(expression, relation, number) => {
                let value = expression.evaluate(numbers, fuel)?;
                Some(relation.holds(value.cmp(&Integer::from(*number))))
            }
            Test::Relations(junction, [first, second]) => {
                Some(junction.of(first.holds(numbers)?, second.holds(numbers)?))
            }
        }
    }

    pub(super) fn is_sound(&self, slots: usize) -> bool {
        let compares = |comparison: &Comparison| {
            usize::from(comparison.left) < slots && usize::from(comparison.right) < slots
        };
        match self {
            Test::Compare(comparison) => compares(comparison),
            Test::Computed(expression, ..) => expression.is_sound(slots),
            Test::Relations(_, both) => both.iter().all(compares),
        }
    }
}

impl Place {
    fn of(self, length: usize) -> Option<usize> {
        match self {
            Place::FromStart(place) => Some(usize::from(place)),
            Place::FromEnd(place) => length.checked_sub(1 + usize::from(place)),
            Place::Middle => Some(length.checked_sub(1)? / 2),
            Place::UpperMiddle | Place::Median => Some(length / 2),
        }
    }
}

impl Program {
    /// Whether it takes a row.
    pub fn takes_row(&self) -> bool {
        match self {
            Program::Fold(_)
            | Program::FoldTable(_)
            | Program::Pick(..)
            | Program::Length
            | Program::Rows(..)
            | Program::Matches(_)
            | Program::Any(_)
            | Program::Ordered(_)
            | Program::Counted(_)
            | Program::Stages(_)
            | Program::Item => true,
            Program::Then { row, .. } => *row,
            _ => false,
        }
    }

    /// Whether it takes a row that is the value of one slot as well as the fillers of a row.
    pub fn takes_a_row_as_value(&self) -> bool {
        matches!(self, Program::Stages(_))
    }

    /// Its value for these arguments; `None` if they are of another type, or it has none.
    pub fn apply(&self, arguments: &[Value], fuel: &mut Fuel) -> Option<Value> {
        match self {
            Program::Constant(value) => Some(value.clone()),
            Program::Table(number, table) => {
                let row = truths(arguments)?.fold(0, |row, truth| 2 * row + u32::from(truth));
                (arguments.len() == usize::from(*number)).then(|| Value::Truth(table >> row & 1 == 1))
            }
            Program::FoldTable(table) => {
                let both = |x: bool, y: bool| table >> (2 * u32::from(x) + u32::from(y)) & 1 == 1;
                truths(arguments)?.reduce(both).map(Value::Truth)
            }
            Program::Counted(test) => test.holds(&counts(arguments)?, fuel).map(Value::Truth),
            Program::Length => Some(Value::Number(Integer::from(arguments.len() as i64))),
            Program::Test(test) => test.holds(&numbers(arguments)?, fuel).map(Value::Truth),
            Program::Any(relation) => Some(Value::Truth(matches(&numbers(arguments)?, *relation)? > 0)),
            Program::Ordered(relation) => {
                let is_so = |x: &Integer, y: &Integer| relation.holds(x.cmp(y));
                Some(Value::Truth(numbers(arguments)?.is_sorted_by(is_so)))
            }
            Program::List(terms) => {
                let value = fit::evaluate(terms, &lists(arguments)?, fuel.steps as usize)?;
                fuel.steps = fuel.steps.saturating_sub(value.len() as u64);
                Some(Value::List(value.into()))
            }
            Program::Own => None,
            Program::Stages(stages) => stages.apply(arguments, fuel),
            _ => self.number(&numbers(arguments)?, fuel).map(Value::Number),
        }
    }

    pub(super) fn number(&self, numbers: &[Integer], fuel: &mut Fuel) -> Option<Integer> {
        match self {
            Program::Number(expression) => expression.evaluate(numbers, fuel),
            Program::Linear(factors) => linear(factors, numbers, fuel),
            Program::Then { row, expression, operation, number } => {
                let first = match row {
                    true => fold(expression, numbers, fuel)?,
                    false => expression.evaluate(numbers, fuel)?,
                };
                operation.apply(&first, &Integer::from(*number), fuel)
            }
            Program::Condition(test, then, otherwise) => {
                let branch = if test.holds(numbers, fuel)? { then } else { otherwise };
                branch.evaluate(numbers, fuel)
            }
            Program::Fold(expression) => fold(expression, numbers, fuel),
            Program::Pick(order, place) => {
                let mut row: Vec<&Integer> = numbers.iter().collect();
                if *order == Order::Sorted {
                    row.sort();
                }
                let number = *row.get(place.of(row.len())?)?;
                match place {
                    Place::Median => {
                        let other = row[(row.len() - 1) / 2];
                        Some((number + other).divided_by(&Integer::from(2)).0)
                    }
                    _ => Some(number.clone()),
                }
            }
            Program::Length => Some(Integer::from(numbers.len() as i64)),
            Program::Rows(operation, [first, second]) => {
                let [x, y] = [first, second].map(|part| Program::from(part.clone()).number(numbers, fuel));
                operation.apply(&x?, &y?, fuel)
            }
            Program::Matches(relation) => Some(Integer::from(matches(numbers, *relation)? as i64)),
            Program::Item => {
                let (place, row) = numbers.split_first()?;
                row.get(usize::try_from(place.small()?.checked_sub(1)?).ok()?).cloned()
            }
            _ => None,
        }
    }

    /// Whether it passes on its one argument, as far as some numbers and truth values tell.
    pub fn passes_on(&self) -> bool {
        let numbers = [-3, 0, 1, 7, 100].map(Value::from);
        let truths = [false, true].map(Value::Truth);
        let passes = |value: &Value| {
            self.apply(std::slice::from_ref(value), &mut Fuel::for_learning()).as_ref() == Some(value)
        };
        numbers.iter().all(passes) || truths.iter().all(passes)
    }

    /// The tokens that it says or looks for.
    pub fn tokens(&self) -> Vec<Token> {
        match self {
            Program::Constant(Value::List(list)) => list.to_vec(),
            Program::List(terms) => terms.iter().flat_map(Term::tokens).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it has a meaning for so many slots, whatever a file says.
    pub fn is_sound(&self, slots: usize) -> bool {
        match self {
            Program::Constant(_) => slots == 0,
            Program::Number(expression) => expression.is_sound(slots),
            Program::Linear(factors) => {
                (1..=3).contains(&slots) && factors.len() == if slots == 1 { 2 } else { 4 }
            }
            Program::Then { row: true, expression, .. } => slots == 1 && expression.is_sound(2),
            Program::Then { row: false, expression, .. } => expression.is_sound(slots),
            Program::Condition(test, then, otherwise) => {
                test.is_sound(slots) && then.is_sound(slots) && otherwise.is_sound(slots)
            }
            Program::Test(test) => test.is_sound(slots),
            Program::Table(number, _) => usize::from(*number) == slots && slots <= 5,
            Program::Fold(expression) => slots == 1 && expression.is_sound(2),
            Program::FoldTable(_) | Program::Pick(..) | Program::Length | Program::Ordered(_) => slots == 1,
            Program::Counted(test) => slots == 1 && test.is_sound(2),
            Program::Rows(_, both) => both.iter().all(|part| Program::from(part.clone()).is_sound(slots)),
            Program::List(terms) => terms.iter().all(|term| match term {
                Term::Token(_) => true,
                Term::Slot(slot) | Term::Call(_, slot) => usize::from(*slot) < slots,
            }),
            Program::Matches(_) | Program::Any(_) | Program::Item => slots == 2,
            Program::Stages(stages) => slots == 1 + usize::from(stages.own) && stages.is_sound(),
            Program::Own => slots == 0,
        }
    }
}

fn fold(expression: &Expression, numbers: &[Integer], fuel: &mut Fuel) -> Option<Integer> {
    let (first, rest) = numbers.split_first()?;
    rest.iter().try_fold(first.clone(), |all, number| expression.evaluate(&[all, number.clone()], fuel))
}

/// How many of the others compare so with the first.
fn matches(numbers: &[Integer], relation: Relation) -> Option<usize> {
    let (first, row) = numbers.split_first()?;
    Some(row.iter().filter(|number| relation.holds((*number).cmp(first))).count())
}

fn truths(arguments: &[Value]) -> Option<impl Iterator<Item = bool> + '_> {
    let truth = |value: &Value| match value {
        Value::Truth(truth) => Some(*truth),
        Value::Number(_) | Value::List(_) | Value::Row(_) => None,
    };
    arguments.iter().all(|value| truth(value).is_some()).then(|| arguments.iter().filter_map(truth))
}

/// How many of the arguments are true, and how many are not, if all are truth values.
pub fn counts(arguments: &[Value]) -> Option<[Integer; 2]> {
    let holding = truths(arguments)?.filter(|truth| *truth).count();
    Some([holding, arguments.len() - holding].map(|number| Integer::from(number as i64)))
}

/// The arguments as numbers, if all are.
pub fn numbers(arguments: &[Value]) -> Option<Vec<Integer>> {
    arguments.iter().map(|value| value.number().cloned()).collect()
}

/// The arguments as lists, if all are.
pub fn lists(arguments: &[Value]) -> Option<Vec<&[Token]>> {
    arguments.iter().map(Value::list).collect()
}

/// `factors` are of 1 and each number, and of the product where there are two.
fn linear(factors: &[i64], numbers: &[Integer], fuel: &Fuel) -> Option<Integer> {
    let (constant, factors) = factors.split_first()?;
    let product;
    let mut terms: Vec<&Integer> = numbers.iter().collect();
    if let [x, y] = numbers {
        product = Operation::Multiply.apply(x, y, fuel)?;
        terms.push(&product);
    }
    let mut sum = Integer::from(*constant);
    for (factor, term) in factors.iter().zip(terms) {
        let part = Operation::Multiply.apply(&Integer::from(*factor), term, fuel)?;
        sum = Operation::Add.apply(&sum, &part, fuel)?;
    }
    Some(sum)
}

impl fmt::Display for Comparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |argument: u8| ARGUMENTS.get(usize::from(argument)).unwrap_or(&"_");
        write!(out, "{} {} {}", name(self.left), self.relation.sign(), name(self.right))
    }
}

impl fmt::Display for Test {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Test::Compare(comparison) => comparison.fmt(out),
            Test::Computed(expression, relation, number) => {
                write!(out, "{expression} {} {number}", relation.sign())
            }
            Test::Relations(Junction::And, [first, second]) => write!(out, "{first} and {second}"),
            Test::Relations(Junction::Or, [first, second]) => write!(out, "{first} or {second}"),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Program::Constant(value) => value.fmt(out),
            Program::Number(expression) => out.write_str(outermost(&expression.to_string())),
            Program::Linear(factors) => out.write_str(&sum(factors)),
            Program::Then { row, expression, operation, number } => {
                let first = if *row { folded(expression) } else { expression.to_string() };
                out.write_str(outermost(&operation.written(&first, &number.to_string())))
            }
            Program::Condition(test, then, otherwise) => {
                write!(out, "if {test} then {then} else {otherwise}")
            }
            Program::Test(test) => test.fmt(out),
            Program::Table(number, table) => out.write_str(&truth_table(*number, *table)),
            Program::Fold(expression) => out.write_str(&folded(expression)),
            Program::FoldTable(table) => write!(out, "fold (x y -> {}) of the row", truth_table(2, *table)),
            Program::Pick(order, place) => {
                let place = match place {
                    Place::FromStart(0) => "first".to_owned(),
                    Place::FromStart(number) => format!("number {}", number + 1),
                    Place::FromEnd(0) => "last".to_owned(),
                    Place::FromEnd(number) => format!("number {} from the end", number + 1),
                    Place::Middle => "middle".to_owned(),
                    Place::UpperMiddle => "upper middle".to_owned(),
                    Place::Median => "median".to_owned(),
                };
                let row = if *order == Order::Sorted { "sorted row" } else { "row" };
                write!(out, "{place} of the {row}")
            }
            Program::Length => out.write_str("length of the row"),
            Program::Matches(relation) => write!(out, "how many of the row are {} x", relation.sign()),
            Program::Any(relation) => write!(out, "whether any of the row is {} x", relation.sign()),
            Program::Ordered(relation) => {
                write!(out, "whether each of the row is {} the next", relation.sign())
            }
            Program::Counted(test) => write!(out, "{test}, where x of the row are true and y are not"),
            Program::Item => out.write_str("number x of the row"),
            Program::Rows(operation, both) => {
                let [x, y] = both.clone().map(|part| format!("({})", Program::from(part)));
                out.write_str(outermost(&operation.written(&x, &y)))
            }
            Program::List(terms) => fit::show(terms, |token| token.0.to_string()).fmt(out),
            Program::Stages(stages) => stages.fmt(out),
            Program::Own => out.write_str("itself"),
        }
    }
}

fn folded(expression: &Expression) -> String {
    format!("fold (x y -> {}) of the row", outermost(&expression.to_string()))
}

/// A text without the parentheses around all of it.
fn outermost(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    let closes = inner.chars().any(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth < 0
    });
    if closes { text } else { inner }
}

fn sum(factors: &[i64]) -> String {
    let names: [&str; 4] = if factors.len() == 2 { ["", "x", "", ""] } else { ["", "x", "y", "x y"] };
    let mut text = String::new();
    // The constant comes last, as people write it.
    for (&factor, name) in factors.iter().zip(names).skip(1).chain([(&factors[0], "")]) {
        let size = factor.unsigned_abs();
        let term = match (size, name) {
            (0, _) => continue,
            (1, name) if !name.is_empty() => name.to_owned(),
            (size, "") => size.to_string(),
            (size, name) => format!("{size} {name}"),
        };
        let sign = match (factor < 0, text.is_empty()) {
            (true, true) => "-",
            (false, true) => "",
            (true, false) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        text.push_str(&term);
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// A table of truth values by a name that people know, or as it is.
fn truth_table(arguments: u8, table: u32) -> String {
    let name = match (arguments, table) {
        (1, 0b01) => "not x",
        (1, 0b10) => "x",
        (2, 0b1000) => "x and y",
        (2, 0b1110) => "x or y",
        (2, 0b0110) => "x or y, not both",
        (2, 0b1011) => "x implies y",
        (2, 0b1101) => "y implies x",
        (2, 0b0111) => "not both x and y",
        (2, 0b0001) => "neither x nor y",
        (2, 0b1001) => "x same as y",
        _ => return format!("table {:0width$b}", table, width = 1 << arguments.min(5)),
    };
    name.to_owned()
}
