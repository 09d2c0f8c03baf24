//! All small programs of one and of two numbers, by what they compute.
//!
//! Programs that agree on a grid of arguments are one; the cheapest stands for them. What takes two arguments may be called by larger
//! programs, at its price, and what was learned before may be called cheaply: that is how multiplication is built on addition.

use super::expression::{Expression, Fuel, Function, OPERATIONS, Operation, Step, bits};
use super::integer::Integer;
use crate::prices::{ARGUMENT, LEARNED, STEP};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A program, its price, and what it computes on the grid.
#[derive(Clone, Debug)]
pub struct Term {
    /// The program.
    pub program: Arc<Expression>,
    /// Its price.
    pub bits: f64,
    values: Vec<Option<Integer>>,
}

/// Programs to choose from.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Those of one argument, the cheapest first.
    pub unary: Vec<Term>,
    /// Those of two.
    pub binary: Vec<Term>,
    /// Operations that some program computes, with the price of the cheapest.
    pub operations: Vec<(Operation, f64)>,
}

/// Programs of two arguments kept, and of one.
const MOST_BINARY: usize = 600;
const MOST_UNARY: usize = 200;
/// Functions that larger programs may call although nothing was learned: so many, and no dearer.
const CALLED: usize = 12;
const DEAREST_CALLED: f64 = 14.0;

impl Pool {
    /// The programs that can be made with functions learned before.
    pub fn new(learned: &[Arc<Expression>]) -> Pool {
        let grid = grid(2);
        let mut functions: Vec<(Function, f64)> = Vec::new();
        for program in learned {
            add(&mut functions, named(program, &grid), LEARNED, &grid);
        }
        let both = |term: &&Term| term.program.uses(0) && term.program.uses(1) && term.bits < DEAREST_CALLED;
        for term in enumerate(2, &functions, MOST_BINARY / 2, 1).iter().filter(both).take(CALLED) {
            add(&mut functions, named(&term.program, &grid), term.bits - 2.0 * ARGUMENT, &grid);
        }
        let mut binary = enumerate(2, &functions, MOST_BINARY, 2);
        let mut unary = enumerate(1, &functions, MOST_UNARY, 2);
        let operations = name(&mut binary, &functions, &grid);
        name_squares(&mut unary);
        Pool { unary, binary, operations }
    }

    /// No programs, where no number is computed.
    pub fn empty() -> Pool {
        Pool { unary: Vec::new(), binary: Vec::new(), operations: Vec::new() }
    }

    /// The price of a program of two arguments, if it is one of these.
    pub fn price_of(&self, program: &Expression) -> Option<f64> {
        self.binary.iter().find(|term| *term.program == *program).map(|term| term.bits)
    }

    /// The price of an operation, if some program computes it.
    pub fn price(&self, operation: Operation) -> Option<f64> {
        self.operations.iter().find(|(other, _)| *other == operation).map(|(_, bits)| *bits)
    }
}

/// A function that computes the same as the program on the grid.
fn named(program: &Arc<Expression>, grid: &[Vec<Integer>]) -> Function {
    let values: Vec<Option<Integer>> = grid.iter().map(|row| program.evaluate(row, &mut fuel())).collect();
    operation(&values, grid).map_or_else(|| Function::Program(Arc::clone(program)), Function::Operation)
}

/// What a program is compared by: few steps, so that repeating does not take long.
fn fuel() -> Fuel {
    Fuel { steps: 400, digits: 40 }
}

/// The operation that computes these values: the same wherever both have one, which is nearly everywhere; else at least for numbers that are not
/// below zero. Counting down to zero is no subtraction for others, but nothing else worth a name either.
fn operation(values: &[Option<Integer>], grid: &[Vec<Integer>]) -> Option<Operation> {
    let find = |values: &[Option<Integer>]| OPERATIONS.into_iter().find(|one| is_same(*one, values, grid));
    find(values).or_else(|| find(&values[..NATURAL]))
}

fn is_same(operation: Operation, values: &[Option<Integer>], grid: &[Vec<Integer>]) -> bool {
    let theirs = grid.iter().map(|row| operation.apply(&row[0], &row[1], &fuel()));
    let both: Vec<bool> = values
        .iter()
        .zip(theirs)
        .filter_map(|(mine, theirs)| Some(mine.as_ref()? == theirs.as_ref()?))
        .collect();
    both.len() * 4 + 4 >= values.len() * 3 && both.iter().all(|&same| same)
}

/// Adds a function unless there is one that does the same.
fn add(functions: &mut Vec<(Function, f64)>, function: Function, bits: f64, grid: &[Vec<Integer>]) {
    let apply = |function: &Function, row: &[Integer]| function.apply(&row[0], &row[1], &mut fuel());
    let is_same = |other: &Function| grid.iter().all(|row| apply(other, row) == apply(&function, row));
    if !functions.iter().any(|(other, _)| is_same(other)) {
        functions.push((function, bits));
    }
}

/// Writes programs that compute an operation as that operation; the operations with their prices.
fn name(terms: &mut [Term], functions: &[(Function, f64)], grid: &[Vec<Integer>]) -> Vec<(Operation, f64)> {
    let mut prices: FxHashMap<Operation, f64> = FxHashMap::default();
    let mut known = |operation: Operation, bits: f64| {
        let price = prices.entry(operation).or_insert(bits);
        *price = price.min(bits);
    };
    for (function, bits) in functions {
        if let Function::Operation(operation) = function {
            known(*operation, *bits);
        }
    }
    for term in terms {
        if let Some(operation) = operation(&term.values, grid) {
            known(operation, term.bits - 2.0 * ARGUMENT);
            term.program = Expression::operation(operation);
        }
    }
    let mut operations: Vec<(Operation, f64)> = prices.into_iter().collect();
    operations.sort_by_key(|(operation, _)| *operation);
    operations
}

/// Writes a program that squares a number as a product: adding again and again takes long for large numbers.
fn name_squares(terms: &mut [Term]) {
    let argument = || Expression::argument(0);
    let square = Expression::call(Operation::Multiply, argument(), argument());
    let values: Vec<Option<Integer>> = grid(1).iter().map(|row| square.evaluate(row, &mut fuel())).collect();
    if let Some(term) = terms.iter_mut().find(|term| term.values == values) {
        term.program = square;
    }
}

/// The first of the pairs in the grid are of numbers that are not below zero.
const NATURAL: usize = 49;

/// Arguments that tell programs apart.
fn grid(arguments: usize) -> Vec<Vec<Integer>> {
    if arguments == 1 {
        return (-4..13).chain([17, 20, 33]).map(|x| vec![Integer::from(x)]).collect();
    }
    let natural = [0, 1, 2, 3, 5, 7, 12].into_iter().flat_map(|x| [0, 1, 2, 3, 4, 6, 11].map(|y| (x, y)));
    let signed = [(-1, 2), (-3, -2), (4, -2), (-5, 3), (0, -4), (-6, 0), (-2, -5), (3, -3)];
    natural.chain(signed).map(|(x, y)| vec![Integer::from(x), Integer::from(y)]).collect()
}

/// Larger programs are put together from so many of the cheapest, in the first round and after.
const PARTS: [usize; 2] = [10, 40];
/// With many functions to call, of fewer.
const FEWER_PARTS: usize = 24;
const MANY_FUNCTIONS: usize = 12;
/// Two parts together cost no more, in a call and, after the first round, in repeating.
const DEAREST_PAIR: f64 = 26.0;
const DEAREST_REPEATED: f64 = 8.0;

/// Programs of so many arguments, put together in so many rounds, the cheapest first.
fn enumerate(arguments: usize, functions: &[(Function, f64)], most: usize, rounds: usize) -> Vec<Term> {
    let grid = grid(arguments);
    let steps = steps(arguments, functions);
    let mut terms = atoms(arguments, &grid);
    for round in 0..rounds {
        let parts = match round {
            0 => PARTS[0],
            _ if functions.len() > MANY_FUNCTIONS => FEWER_PARTS,
            _ => PARTS[1],
        };
        let parts = &terms[..terms.len().min(parts)];
        let mut found: Vec<Term> = parts
            .par_iter()
            .flat_map_iter(|part| {
                let mut found = from_one(part, &steps, &grid);
                for other in parts {
                    from_two(part, other, functions, &steps, &grid, round, &mut found);
                }
                found
            })
            .collect();
        found.sort_by(|a, b| a.bits.total_cmp(&b.bits));
        terms = merged(terms, found, most);
    }
    terms
}

fn atoms(arguments: usize, grid: &[Vec<Integer>]) -> Vec<Term> {
    let argument = |number: usize| Term {
        program: Expression::argument(number as u8),
        bits: ARGUMENT,
        values: grid.iter().map(|row| Some(row[number].clone())).collect(),
    };
    let literal = |number: i64| Term {
        program: Expression::literal(number),
        bits: bits(number) + 1.0,
        values: vec![Some(Integer::from(number)); grid.len()],
    };
    (0..arguments).map(argument).chain([0, 1, 2].map(literal)).collect()
}

fn steps(arguments: usize, functions: &[(Function, f64)]) -> Vec<(Step, f64)> {
    let mut steps = vec![(Step::Next, 2.0), (Step::Previous, 2.0), (Step::Down, 2.0)];
    for (function, bits) in functions {
        for argument in 0..arguments as u8 {
            steps.push((Step::Left(function.clone(), argument), bits + ARGUMENT));
            steps.push((Step::Right(function.clone(), argument), bits + ARGUMENT));
        }
    }
    steps
}

fn from_one(part: &Term, steps: &[(Step, f64)], grid: &[Vec<Integer>]) -> Vec<Term> {
    let mut found = Vec::new();
    for step in [Step::Next, Step::Previous, Step::Down] {
        let program = Expression::Do(step, Arc::clone(&part.program));
        push(&mut found, program, part.bits + STEP, grid);
    }
    for (step, bits) in steps {
        let program = Expression::Count(Arc::clone(&part.program), step.clone());
        push(&mut found, program, part.bits + bits + STEP, grid);
    }
    found
}

fn from_two(
    x: &Term,
    y: &Term,
    functions: &[(Function, f64)],
    steps: &[(Step, f64)],
    grid: &[Vec<Integer>],
    round: usize,
    found: &mut Vec<Term>,
) {
    let together = x.bits + y.bits;
    if together > DEAREST_PAIR {
        return;
    }
    let pair = || (Arc::clone(&x.program), Arc::clone(&y.program));
    for (function, bits) in functions {
        // Programs within programs within programs take too long to compute.
        if round == 0 || matches!(function, Function::Operation(_)) {
            let (x, y) = pair();
            push(found, Expression::Call(function.clone(), x, y), together + bits, grid);
        }
    }
    if round == 0 || together < DEAREST_REPEATED {
        for (step, bits) in steps {
            let (x, y) = pair();
            push(found, Expression::Repeat(x, y, step.clone()), together + bits + STEP, grid);
        }
    }
}

/// Adds a program that has a value for most arguments.
fn push(found: &mut Vec<Term>, program: Expression, bits: f64, grid: &[Vec<Integer>]) {
    let mut missing = 0;
    let mut values = Vec::with_capacity(grid.len());
    for row in grid {
        let value = program.evaluate(row, &mut fuel());
        missing += usize::from(value.is_none());
        if 2 * missing > grid.len() {
            return;
        }
        values.push(value);
    }
    found.push(Term { program: Arc::new(program), bits, values });
}

/// Old and new programs, of those that compute the same the cheapest, the cheapest first.
fn merged(old: Vec<Term>, new: Vec<Term>, most: usize) -> Vec<Term> {
    let mut all: Vec<Term> = old.into_iter().chain(new).collect();
    all.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    let mut seen: FxHashSet<Vec<Option<Integer>>> = FxHashSet::default();
    all.retain(|term| seen.insert(term.values.clone()));
    all.truncate(most);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_found_from_counting_alone() {
        let pool = Pool::new(&[]);
        for operation in [Operation::Add, Operation::Subtract, Operation::CutOff, Operation::Multiply] {
            assert!(pool.price(operation).is_some(), "{operation:?}");
        }
    }

    #[test]
    fn squares_are_computed_in_one_step() {
        let pool = Pool::new(&[]);
        let square =
            |term: &&Term| term.program.evaluate(&[Integer::from(9)], &mut fuel()) == Some(Integer::from(81));
        let large = [Integer::from(1_000_000)];
        let squares: Vec<&Term> = pool.unary.iter().filter(square).collect();
        assert!(squares.iter().any(|term| term.program.evaluate(&large, &mut fuel()).is_some()));
    }

    #[test]
    fn what_was_learned_is_cheaper_to_call() {
        let argument = |number| Arc::new(Expression::Argument(number));
        let add = Expression::Call(Function::Operation(Operation::Add), argument(0), argument(1));
        let (nothing, something) = (Pool::new(&[]), Pool::new(&[Arc::new(add)]));
        assert_eq!(something.price(Operation::Add), Some(LEARNED));
        assert!(something.price(Operation::Multiply) < nothing.price(Operation::Multiply));
    }
}
