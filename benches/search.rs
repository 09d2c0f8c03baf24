//! How long it takes to find programs from examples of which a tenth are wrong, and to run what was found.
//!
//! `cargo bench --bench search [NAME]` prints two tables. Every row of the first is one search on one core: 30 random
//! examples, the primitives, and as library the programs that earlier rows found. The time is that of the whole
//! search, which goes on after the program is found to see whether a shorter one does as well; the programs counted are
//! those tried until it was found. The last line adds up the four operators of arithmetic, one built from the other.
#![allow(clippy::print_stdout)] // A table is all it is for.

use nsr::semantics::costs::Costs;
use nsr::semantics::enumerate::Row;
use nsr::semantics::eval::{self, Evaluator, Scope};
use nsr::semantics::program::Program;
use nsr::semantics::recursion::{self, Found, Limits, Want};
use nsr::symbol::Symbol;
use nsr::value::{Type, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

type Numbers = (&'static str, fn(u64, u64) -> u64, &'static [&'static str]);
type Lists = (&'static str, fn(&[u32]) -> Vec<u32>, &'static [&'static str]);

/// Name, meaning, and the programs it may call.
const NUMBERS: &[Numbers] = &[
    ("x+y", |x, y| x + y, &[]),
    ("x-y", |x, y| x.saturating_sub(y), &[]),
    ("x*y", |x, y| x * y, &["x+y", "x-y"]),
    ("x/y", |x, y| x.div_ceil(y.max(1)), &["x+y", "x-y", "x*y"]),
    ("max", |x, y| x.max(y), &["x+y", "x-y", "x*y", "x/y"]),
    ("min", |x, y| x.min(y), &["x+y", "x-y", "x*y", "x/y"]),
    ("(x+y)/2", |x, y| (x + y).div_ceil(2), &["x+y", "x-y", "x*y", "x/y"]),
    ("xy/(x+y)", |x, y| (x * y).div_ceil((x + y).max(1)), &["x+y", "x-y", "x*y", "x/y"]),
];

/// Arithmetic: what is added up in the end.
const OPERATORS: [&str; 4] = ["x+y", "x-y", "x*y", "x/y"];

const LISTS: &[Lists] = &[
    ("reverse", |x| x.iter().rev().copied().collect(), &[]),
    ("last", |x| x[x.len() - 1..].to_vec(), &[]),
    ("init", |x| x[..x.len() - 1].to_vec(), &[]),
    ("echo", |x| [x, &x[x.len() - 1..]].concat(), &[]),
    ("shift", |x| [&x[1..], &x[..1]].concat(), &[]),
    ("swap ends", swap_ends, &["reverse", "last", "init", "echo", "shift"]),
];

fn swap_ends(x: &[u32]) -> Vec<u32> {
    let mut x = x.to_vec();
    let last = x.len() - 1;
    x.swap(0, last);
    x
}

/// Each task is searched for with so many sets of examples.
const SEEDS: u64 = 5;
const EXAMPLES: usize = 30;
/// The share of wrong ones.
const WRONG: f64 = 0.1;

fn main() {
    let only: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wanted = |name: &str| only.is_empty() || only.iter().any(|only| name.contains(only.as_str()));
    println!("{:10} {:>5} {:>9} {:>9} {:>9}  program", "task", "right", "mean", "worst", "tried");
    let mut known: Vec<(&str, Program)> = Vec::new();
    let mut operators = Effort::default();
    for (name, meaning, library) in NUMBERS {
        let number = |value: &Value| if let Value::Nat(number) = value { *number } else { 0 };
        let example = |rng: &mut ChaCha8Rng| {
            let args = vec![Value::Nat(rng.random_range(0..=20)), Value::Nat(rng.random_range(1..=10))];
            let want = Value::Nat(meaning(number(&args[0]), number(&args[1])));
            (args, want)
        };
        let wrong = |rng: &mut ChaCha8Rng, _: &Value| Value::Nat(rng.random_range(0..=30));
        if wanted(name) {
            let effort = report(name, Type::Nat, library, &mut known, example, wrong);
            if OPERATORS.contains(name) {
                operators.add(effort);
            }
        }
    }
    for (name, meaning, library) in LISTS {
        let example = |rng: &mut ChaCha8Rng| {
            let length = rng.random_range(1..=7);
            let tokens: Vec<u32> = (0..length).map(|_| rng.random_range(0..50)).collect();
            (vec![list(&tokens)], list(&meaning(&tokens)))
        };
        let wrong =
            |rng: &mut ChaCha8Rng, _: &Value| list(&[rng.random_range(0..50), rng.random_range(0..50)]);
        if wanted(name) {
            report(name, Type::List, library, &mut known, example, wrong);
        }
    }
    println!("{}", operators.line("+ - x /"));
    run_times(&known);
}

/// What searches for one program took, one search for each set of examples.
#[derive(Clone, Copy, Default)]
struct Effort {
    /// Searches that found a right program.
    right: u64,
    searches: u64,
    mean: Duration,
    worst: Duration,
    /// Programs tried until the best was found, on average.
    tried: u64,
}

impl Effort {
    /// Adds the search for another program.
    fn add(&mut self, other: Effort) {
        self.right += other.right;
        self.searches += other.searches;
        self.mean += other.mean;
        self.worst += other.worst;
        self.tried += other.tried;
    }

    fn line(&self, name: &str) -> String {
        let Effort { right, searches, mean, worst, tried } = self;
        let right = format!("{right}/{searches}");
        format!("{name:10} {right:>5} {mean:>9.1?} {worst:>9.1?} {tried:>9}")
    }
}

fn list(tokens: &[u32]) -> Value {
    Value::list(&tokens.iter().copied().map(Symbol).collect::<Vec<_>>())
}

/// Searches with several sets of examples, and prints what it took.
fn report(
    name: &'static str,
    kind: Type,
    library: &[&str],
    known: &mut Vec<(&'static str, Program)>,
    mut example: impl FnMut(&mut ChaCha8Rng) -> (Vec<Value>, Value),
    mut wrong: impl FnMut(&mut ChaCha8Rng, &Value) -> Value,
) -> Effort {
    // Calls go by number, so that a program keeps its place from library to library.
    let library: Vec<Program> =
        known.iter().filter(|(name, _)| library.contains(name)).map(|(_, program)| program.clone()).collect();
    let mut effort = Effort { searches: SEEDS, ..Effort::default() };
    let mut shown: Option<Found> = None;
    for seed in 0..SEEDS {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let examples: Vec<(Vec<Value>, Value)> = (0..EXAMPLES).map(|_| example(&mut rng)).collect();
        let rows: Vec<Row> = examples.iter().map(|(args, _)| Row { args: args.clone(), me: None }).collect();
        let wants: Vec<Vec<Want>> = examples
            .iter()
            .enumerate()
            .map(|(number, (_, want))| {
                let value = if rng.random_bool(WRONG) { wrong(&mut rng, want) } else { want.clone() };
                let bits = 4.0 + 3.0 * value.extent() as f64;
                vec![Want { value, bits, example: number }]
            })
            .collect();
        let start = Instant::now();
        let arity = rows[0].args.len() as u8;
        let found = recursion::search(
            arity,
            kind,
            &rows,
            &wants,
            library[..].into(),
            &Costs::default(),
            Limits::default(),
        );
        let time = start.elapsed();
        (effort.mean, effort.worst) = (effort.mean + time / SEEDS as u32, effort.worst.max(time));
        let Some(best) = found.into_iter().next() else { continue };
        effort.tried += best.tried / SEEDS;
        let mut evaluator = Evaluator::new(&library);
        let holds = (0..200).all(|_| {
            let (args, want) = example(&mut rng);
            evaluator.run(&best.program, &args, None, 100_000) == Ok(want)
        });
        effort.right += u64::from(holds);
        if shown.is_none() || holds {
            shown = Some(best);
        }
    }
    let program = shown.as_ref().map_or("none".to_owned(), |found| found.program.body.to_string());
    println!("{}  {program}", effort.line(name));
    if let Some(found) = shown {
        known.push((name, found.program));
    }
    effort
}

/// How long programs that were found take to run.
fn run_times(known: &[(&str, Program)]) {
    println!("\n{:16} {:>10} {:>10} {:>10}", "run", "first", "again", "result");
    let library: Vec<Program> =
        known.iter().filter(|(_, program)| program.arity == 2).map(|(_, program)| program.clone()).collect();
    for (name, x, y) in [
        ("x*y", 99, 99),
        ("x*y", 1, 9_990),
        ("x/y", 9_990, 7),
        ("x/y", 9_990, 1),
        ("x-y", 5_000, 1_234),
        ("x+y", 9_990, 9),
        ("x+y", 9, 9_990),
        ("xy/(x+y)", 80, 90),
    ] {
        let Some((_, program)) = known.iter().find(|(other, _)| *other == name) else { continue };
        let args = [Value::Nat(x), Value::Nat(y)];
        let start = Instant::now();
        let first = eval::run(program, Scope { args: &args, me: None, library: &library }, 1_000_000);
        let first_time = start.elapsed();
        let mut evaluator = Evaluator::new(&library);
        let times = 1_000;
        let start = Instant::now();
        for _ in 0..times {
            assert_eq!(evaluator.run(program, &args, None, 1_000_000), first);
        }
        let again = start.elapsed() / times;
        let result = if let Ok(Value::Nat(number)) = first { number.to_string() } else { "none".to_owned() };
        println!("{:16} {first_time:>10.1?} {again:>10.1?} {result:>10}", format!("{name} {x} {y}"));
    }
}
