//! Programs for a pattern, from what is wanted of it.

mod closed;
mod rows;

use super::entry::{Pattern, constant_bits};
use super::predicate::{self, dearer};
use super::program::{Comparison, Program, RELATIONS, Relation, Test, counts, lists, numbers};
use super::value::Value;
use super::want::Want;
use crate::number::expression::{Expression, Fuel, Operation, bits};
use crate::number::integer::Integer;
use crate::number::pool::{Pool, Term};
use crate::prices::{ARGUMENT, FOLD, STEP};
use crate::program::fit::{self as joined, Evidence};
use crate::settings::NEARLY_ALL;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is wanted of a pattern once.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The values of its slots.
    pub arguments: Vec<Value>,
    /// What it would have to compute.
    pub want: Want,
    /// The example.
    pub example: usize,
    /// What the example costs while it is not explained, as far as what is wanted tells.
    pub bits: f64,
}

/// A type of values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Type {
    Number,
    Truth,
    List,
    Row,
}

impl From<&Value> for Type {
    fn from(value: &Value) -> Type {
        match value {
            Value::Number(_) => Type::Number,
            Value::Truth(_) => Type::Truth,
            Value::List(_) => Type::List,
            Value::Row(_) => Type::Row,
        }
    }
}

impl Wanted {
    /// The types of the result, which is a number where many will do, and of what fills the slots; of a row's fillers, each type once.
    fn types(&self, pattern: &Pattern) -> Vec<Type> {
        let result = self.want.value().map_or(Type::Number, Type::from);
        let mut types: Vec<Type> =
            [result].into_iter().chain(self.arguments.iter().map(Type::from)).collect();
        if pattern.row {
            types[1..].sort_unstable();
            types.dedup();
        }
        types
    }

    fn is_right(&self, program: &Program) -> bool {
        let value = program.apply(&self.arguments, &mut Fuel::for_learning());
        value.is_some_and(|value| self.want.accepts(&value))
    }

    fn small(&self) -> Option<i64> {
        self.want.value()?.small()
    }
}

/// How many examples these are of.
fn examples(wanted: &[Wanted]) -> usize {
    wanted.chunk_by(|a, b| a.example == b.example).count()
}

/// The most that one of these tells.
pub fn most_bits(rows: &[Wanted]) -> f64 {
    rows.iter().map(|row| row.bits).fold(0.0, f64::max)
}

/// A program with what speaks for it.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The program.
    pub program: Program,
    /// Its price, without that of the pattern.
    pub bits: f64,
    /// What it saves on the examples that want something of the pattern.
    pub saved: f64,
}

/// An example that a program gets wrong counts against it so much at most: it may want something else of the pattern.
const WRONG: f64 = 4.0;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many of the best programs are kept.
    pub most: usize,
    /// Whether numbers are made of what a step makes of a row where nothing else does, which takes long.
    pub is_deep: bool,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { most: 1, is_deep: false }
    }
}

/// So many of the best programs for a pattern of which this is wanted, if a token costs `token_bits`, the best first; examples must follow each other. What is wanted may be of several types: each has programs of its own, judged by all that is wanted.
pub fn best(
    pool: &Pool,
    token_bits: f64,
    pattern: &Pattern,
    wanted: &[Wanted],
    effort: Effort,
) -> Vec<Fitted> {
    let mut types: BTreeMap<Vec<Type>, Vec<Wanted>> = BTreeMap::new();
    for one in wanted {
        types.entry(one.types(pattern)).or_default().push(one.clone());
    }
    if types.len() < 2 {
        return best_of_type(pool, token_bits, pattern, wanted, effort);
    }
    let of_type = |of_type: &Vec<Wanted>| best_of_type(pool, token_bits, pattern, of_type, effort);
    let judged = |fitted: Fitted| Fitted { saved: saved(&fitted.program, wanted).0, ..fitted };
    let mut best: Vec<Fitted> = types.values().flat_map(of_type).map(judged).collect();
    best.sort_by(|a, b| (b.saved - b.bits).total_cmp(&(a.saved - a.bits)));
    best.truncate(effort.most);
    best
}

fn best_of_type(
    pool: &Pool,
    token_bits: f64,
    pattern: &Pattern,
    wanted: &[Wanted],
    Effort { most, is_deep }: Effort,
) -> Vec<Fitted> {
    let (slots, row) = (pattern.slots(), pattern.row);
    let Some(first) = wanted.first() else { return Vec::new() };
    let mut fitting = Fitting { pool, token_bits, wanted, slots, row, most, is_deep, best: Vec::new() };
    match first.want.value() {
        _ if fitting.slots == 0 => fitting.constants(),
        // What many values do for is a number.
        None | Some(Value::Number(_)) if pattern.row => fitting.rows(),
        None | Some(Value::Number(_))
            if first.arguments.iter().any(|value| matches!(value, Value::Row(_))) =>
        {
            fitting.rows();
        }
        None | Some(Value::Number(_)) => fitting.numbers(),
        Some(Value::Truth(_)) => fitting.truths(),
        Some(Value::List(_)) if pattern.row => {}
        Some(Value::List(_)) => fitting.lists(),
        Some(Value::Row(_)) => fitting.rows_of_rows(),
    }
    fitting.best
}

/// What a program saves on the examples that want something, and how many are right with it.
fn saved(program: &Program, wanted: &[Wanted]) -> (f64, usize) {
    let (mut saved, mut right) = (0.0, 0);
    for rows in wanted.chunk_by(|a, b| a.example == b.example) {
        let most = rows.iter().filter(|row| row.is_right(program)).map(|row| row.bits);
        match most.reduce(f64::max) {
            Some(bits) => {
                saved += bits;
                right += 1;
            }
            None => saved -= WRONG.min(most_bits(rows)),
        }
    }
    (saved, right)
}

struct Fitting<'a> {
    pool: &'a Pool,
    token_bits: f64,
    wanted: &'a [Wanted],
    slots: usize,
    row: bool,
    /// How many of the best are kept.
    most: usize,
    is_deep: bool,
    best: Vec<Fitted>,
}

/// A condition by any test is looked for with so many pairs of programs.
const PAIRS: usize = 4;
/// So many of what is wanted are looked at first; of these a third must be right.
const FIRST: usize = 12;

impl Fitting<'_> {
    /// Keeps a program if it is one of the best so far.
    fn consider(&mut self, program: Program, bits: f64) {
        let (saved, right) = saved(&program, self.wanted);
        if right > 0 {
            let place = self.best.partition_point(|best| best.saved - best.bits >= saved - bits);
            self.best.insert(place, Fitted { program, bits, saved });
            self.best.truncate(self.most);
        }
    }

    /// Whether something is right for nearly all.
    fn is_settled(&self) -> bool {
        let possible: f64 = self.wanted.chunk_by(|a, b| a.example == b.example).map(most_bits).sum();
        self.best.first().is_some_and(|best| best.saved > NEARLY_ALL * possible)
    }

    /// Considers a program that is not mostly wrong at first.
    fn consider_promising(&mut self, program: Program, bits: f64) {
        let first = &self.wanted[..self.wanted.len().min(FIRST)];
        // Where many are asked for, one of the rows of an example is enough.
        let all = if self.most > 1 { examples(first) } else { first.len() };
        let mut right = first.iter().filter(|wanted| wanted.is_right(&program));
        if all == 0 || right.nth((all - 1) / 3).is_some() {
            self.consider(program, bits);
        }
    }

    fn constants(&mut self) {
        let mut often: FxHashMap<Value, usize> = FxHashMap::default();
        for wanted in self.wanted {
            match &wanted.want {
                Want::Value(value) => *often.entry(value.clone()).or_default() += 1,
                within @ Want::Within(_) => {
                    within
                        .neighbours()
                        .into_iter()
                        .for_each(|n| *often.entry(Value::from(n)).or_default() += 1);
                }
            }
        }
        let mut often: Vec<(Value, usize)> = often.into_iter().collect();
        let bits = |value: &Value| value.bits(self.token_bits);
        often.sort_by(|a, b| b.1.cmp(&a.1).then(bits(&a.0).total_cmp(&bits(&b.0))).then(a.0.cmp(&b.0)));
        let most = if self.wanted.iter().all(|wanted| wanted.want.value().is_some()) { 3 } else { 30 };
        for (value, _) in often.into_iter().take(most) {
            let bits = constant_bits(&value, self.token_bits);
            self.consider(Program::Constant(value), bits);
        }
    }

    fn numbers(&mut self) {
        if self.slots <= 2 {
            self.then();
            let terms = if self.slots == 1 { &self.pool.unary } else { &self.pool.binary };
            for term in terms {
                self.consider_promising(Program::Number(Arc::clone(&term.program)), term.bits);
            }
        }
        if self.slots <= 3 {
            self.linear();
        }
        self.conditions();
        if self.slots <= 2 && !self.is_settled() {
            self.around_a_circle();
            self.quadratic();
        }
    }

    /// Small programs with an operation and a number after them.
    fn then(&mut self) {
        let terms = if self.row || self.slots == 2 { &self.pool.binary } else { &self.pool.unary };
        let (dearest, fold) = if self.row { (12.0, FOLD) } else { (9.0, 0.0) };
        for term in terms.iter().filter(|term| term.bits < dearest).take(25) {
            let expression = Arc::clone(&term.program);
            let inner = if self.row { Program::Fold(expression) } else { Program::Number(expression) };
            let values: Vec<Option<Integer>> = self
                .wanted
                .iter()
                .map(|wanted| inner.apply(&wanted.arguments, &mut Fuel::for_learning())?.number().cloned())
                .collect();
            for &(operation, price) in &self.pool.operations {
                for literal in self.literals(operation, &values) {
                    let number = Integer::from(literal);
                    let right = |(wanted, value): &(&Wanted, &Option<Integer>)| {
                        let found = value
                            .as_ref()
                            .and_then(|value| operation.apply(value, &number, &Fuel::for_learning()));
                        found.is_some_and(|found| wanted.want.accepts(&Value::Number(found)))
                    };
                    let hits = self.wanted.iter().zip(&values).filter(right).count();
                    if 2 * hits > self.wanted.len() {
                        let program = Program::Then {
                            row: self.row,
                            expression: Arc::clone(&term.program),
                            operation,
                            number: literal,
                        };
                        self.consider(program, term.bits + fold + price + bits(literal) + 1.0);
                    }
                }
            }
        }
    }

    /// Numbers with which an operation may give what is wanted.
    fn literals(&self, operation: Operation, values: &[Option<Integer>]) -> Vec<i64> {
        let wanted = || self.wanted.iter().filter_map(Wanted::small);
        let (Some(least), Some(most)) = (wanted().min(), wanted().max()) else { return Vec::new() };
        let mut literals: Vec<i64> = match operation {
            Operation::Remainder => vec![most + 1, most + 2],
            Operation::Smaller => vec![most],
            Operation::Larger => vec![least],
            _ => {
                let first = self.wanted.iter().zip(values).take(4);
                let solved = |(wanted, value): (&Wanted, &Option<Integer>)| {
                    let (wanted, value) = (wanted.small()?, value.as_ref()?.small()?);
                    match operation {
                        Operation::Add => wanted.checked_sub(value),
                        Operation::Subtract | Operation::CutOff => value.checked_sub(wanted),
                        Operation::Multiply => (value != 0 && wanted % value == 0).then(|| wanted / value),
                        _ => (wanted != 0).then(|| value / wanted),
                    }
                };
                first.filter_map(solved).collect()
            }
        };
        let least = match operation {
            Operation::Remainder | Operation::DivideDown | Operation::DivideUp | Operation::Multiply => 2,
            _ => 1,
        };
        literals.retain(|&literal| literal >= least);
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    /// One or the other of two small programs, by how two arguments compare.
    fn conditions(&mut self) {
        let rows: Vec<Vec<Integer>> =
            self.wanted.iter().filter_map(|wanted| numbers(&wanted.arguments)).collect();
        if rows.len() < self.wanted.len() {
            return;
        }
        let branches = self.branches();
        let hits: Vec<Vec<bool>> = branches.iter().map(|(branch, _)| self.hits(branch, &rows)).collect();
        let mut best: Option<(f64, Program, f64)> = None;
        for comparison in self.comparisons() {
            let holds: Vec<bool> = rows.iter().map(|row| comparison.holds(row).unwrap_or_default()).collect();
            let count = |hits: &Vec<bool>, side: bool| {
                hits.iter().zip(&holds).filter(|(hit, holds)| **hit && **holds == side).count()
            };
            let then: Vec<usize> = hits.iter().map(|hits| count(hits, true)).collect();
            let otherwise: Vec<usize> = hits.iter().map(|hits| count(hits, false)).collect();
            for (a, (first, first_bits)) in branches.iter().enumerate() {
                for (b, (second, second_bits)) in branches.iter().enumerate() {
                    if a == b || then[a] + otherwise[b] == 0 {
                        continue;
                    }
                    let bits = STEP + 2.0 + 2.0 * ARGUMENT + first_bits + second_bits;
                    let gain = (then[a] + otherwise[b]) as f64 * self.wanted[0].bits - bits;
                    if best.as_ref().is_none_or(|best| gain > best.0) {
                        let test = Test::Compare(comparison);
                        let program = Program::Condition(test, Arc::clone(first), Arc::clone(second));
                        best = Some((gain, program, bits));
                    }
                }
            }
        }
        if let Some((_, program, bits)) = best {
            self.consider(program, bits);
        }
        self.tested(&branches, &hits, &rows);
    }

    /// One or the other of two small programs, by any test of the arguments: where only one of the two gives what is wanted, it tells whether
    /// the test must hold. Looked for where nothing else is right for nearly all.
    fn tested(&mut self, branches: &[(Arc<Expression>, f64)], hits: &[Vec<bool>], rows: &[Vec<Integer>]) {
        if self.is_settled() {
            return;
        }
        let covered = |a: usize, b: usize| {
            let either: Vec<bool> = hits[a].iter().zip(&hits[b]).map(|(x, y)| x | y).collect();
            self.of_examples(&either) - branches[a].1 - branches[b].1
        };
        let pairs = (0..branches.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let mut pairs: Vec<(f64, usize, usize)> = pairs.map(|(a, b)| (covered(a, b), a, b)).collect();
        pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
        for (_, a, b) in pairs.into_iter().take(PAIRS) {
            let telling = (0..rows.len()).filter(|&row| hits[a][row] != hits[b][row]);
            let telling: Vec<predicate::Row> = telling
                .map(|row| predicate::Row { numbers: rows[row].clone(), is_true: hits[a][row] })
                .collect();
            let ((then, then_bits), (otherwise, bits)) = (&branches[a], &branches[b]);
            for (test, price) in predicate::fit(self.pool, self.slots, &telling) {
                let program = Program::Condition(test, Arc::clone(then), Arc::clone(otherwise));
                self.consider(program, price + then_bits + bits + 2.0);
            }
        }
    }

    /// What examples are worth of which one of the rows is a hit.
    fn of_examples(&self, hits: &[bool]) -> f64 {
        let mut rows = hits.iter();
        let worth = |of_one: &[Wanted]| {
            let of_one = of_one.iter().zip(rows.by_ref()).filter(|(_, hit)| **hit).map(|(row, _)| row.bits);
            of_one.fold(0.0, f64::max)
        };
        self.wanted.chunk_by(|a, b| a.example == b.example).map(worth).sum()
    }

    fn branches(&self) -> Vec<(Arc<Expression>, f64)> {
        let terms: &[Term] = match self.slots {
            1 => &self.pool.unary,
            2 => &self.pool.binary,
            _ => &[],
        };
        let larger = terms.iter().filter(|term| term.bits > ARGUMENT).take(30);
        simplest(self.slots as u8).chain(larger.map(|term| (Arc::clone(&term.program), term.bits))).collect()
    }

    fn hits(&self, branch: &Expression, rows: &[Vec<Integer>]) -> Vec<bool> {
        let hit = |(row, wanted): (&Vec<Integer>, &Wanted)| {
            let value = branch.evaluate(row, &mut Fuel::for_learning());
            value.is_some_and(|value| wanted.want.accepts(&Value::Number(value)))
        };
        rows.iter().zip(self.wanted).map(hit).collect()
    }

    fn comparisons(&self) -> Vec<Comparison> {
        let slots = self.slots as u8;
        let mut all = Vec::new();
        for left in 0..slots {
            for right in (0..slots).filter(|&right| right != left) {
                for relation in [Relation::Less, Relation::More, Relation::Equal] {
                    if left < right || relation == Relation::Less {
                        all.push(Comparison { relation, left, right });
                    }
                }
            }
        }
        all
    }

    fn truths(&mut self) {
        let is_number = |value: &Value| value.number().is_some();
        let any_number = self.wanted.iter().any(|wanted| wanted.arguments.iter().any(is_number));
        match (any_number, self.row) {
            (true, false) if self.slots == 2 => {
                for relation in RELATIONS {
                    let bits = STEP + 2.0 * ARGUMENT + dearer(relation);
                    self.consider(
                        Program::Test(Test::Compare(Comparison { relation, left: 0, right: 1 })),
                        bits,
                    );
                }
                self.predicates();
            }
            (true, false) => self.predicates(),
            (true, true) if self.slots == 2 => {
                for relation in RELATIONS {
                    self.consider(Program::Any(relation), STEP + ARGUMENT + dearer(relation));
                }
            }
            (true, true) => {
                for relation in RELATIONS {
                    self.consider(Program::Ordered(relation), STEP + FOLD + dearer(relation));
                }
            }
            (false, true) if self.slots > 1 => {}
            (false, true) => {
                (0..16).for_each(|table| self.consider(Program::FoldTable(table), FOLD + 4.0));
                self.counted();
            }
            (false, false) if self.slots <= 3 => self.table(),
            (false, false) => {}
        }
    }

    /// Tests of how many of a row are true, and how many are not.
    fn counted(&mut self) {
        let rows = self.told(|arguments| Some(counts(arguments)?.to_vec()));
        let found = rows.and_then(|rows| predicate::of_one(&rows));
        for (test, bits) in found.into_iter().chain(rows::comparisons()) {
            self.consider(Program::Counted(test), FOLD + bits);
        }
    }

    /// Numbers from the arguments, and whether what is wanted of them is true.
    fn told(&self, of: impl Fn(&[Value]) -> Option<Vec<Integer>>) -> Option<Vec<predicate::Row>> {
        let told = |wanted: &Wanted| {
            let is_true = wanted.want.accepts(&Value::Truth(true));
            Some(predicate::Row { numbers: of(&wanted.arguments)?, is_true })
        };
        self.wanted.iter().map(told).collect()
    }

    /// Tests of numbers.
    fn predicates(&mut self) {
        let rows = self.told(numbers);
        let found = rows.map_or_else(Vec::new, |rows| predicate::fit(self.pool, self.slots, &rows));
        for (test, bits) in found {
            self.consider(Program::Test(test), bits);
        }
    }

    /// Functions of lists, joined.
    fn lists(&mut self) {
        let rows: Vec<Evidence<'_>> = self
            .wanted
            .iter()
            .filter_map(|wanted| {
                Some(Evidence { args: lists(&wanted.arguments)?, wanted: wanted.want.value()?.list()? })
            })
            .collect();
        if let Some(fitted) = joined::fit(&rows, self.token_bits) {
            self.consider(Program::List(fitted.terms.into()), fitted.bits);
        }
    }

    /// The table that is right most often.
    fn table(&mut self) {
        let mut counts = vec![[0usize; 2]; 1 << self.slots];
        for wanted in self.wanted {
            let is_true = |value: &Value| usize::from(*value == Value::Truth(true));
            let row = wanted.arguments.iter().fold(0, |row, value| 2 * row + is_true(value));
            counts[row][usize::from(wanted.want.accepts(&Value::Truth(true)))] += 1;
        }
        let rows = counts.iter().enumerate();
        let table = rows.map(|(row, count)| u32::from(count[1] > count[0]) << row).sum();
        let unseen = counts.iter().filter(|count| **count == [0, 0]).count();
        let bits = counts.len() as f64 + 2.0 + 2.0 * unseen as f64;
        self.consider(Program::Table(self.slots as u8, table), bits);
    }
}

/// The simplest programs, with their prices: each argument, nothing, and one.
fn simplest(slots: u8) -> impl Iterator<Item = (Arc<Expression>, f64)> {
    let arguments = (0..slots).map(|number| (Expression::argument(number), ARGUMENT));
    arguments.chain([(0, 2.0), (1, 4.0)].map(|(number, bits)| (Expression::literal(number), bits)))
}

/// Numbers that look random and are always the same.
pub struct Random(pub u64);

impl Random {
    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(pool: &Pool, token_bits: f64, pattern: &Pattern, wanted: &[Wanted]) -> Option<Fitted> {
        best(pool, token_bits, pattern, wanted, Effort::default()).into_iter().next()
    }
    use crate::symbol::Word;
    use crate::theory::entry::In;

    fn fitted(pattern: &Pattern, rows: impl Iterator<Item = (Vec<i64>, i64)>, pool: &Pool) -> Program {
        let wanted = |(example, (arguments, value)): (usize, (Vec<i64>, i64))| Wanted {
            arguments: arguments.into_iter().map(Value::from).collect(),
            want: Want::Value(Value::from(value)),
            example,
            bits: 10.0,
        };
        let rows: Vec<Wanted> = rows.enumerate().map(wanted).collect();
        fit(pool, 0.0, pattern, &rows).unwrap().program
    }

    #[test]
    fn what_stands_before_a_row_may_be_counted_in_it_or_tell_a_place() {
        let (many, among) = (In::Word(Word(0)), In::Word(Word(1)));
        let pieces = Box::new([many, In::Slot(0), among, In::Slot(1)]);
        let pattern = Pattern { pieces, row: true, separator: None };
        let pool = Pool::new(&[]);
        let rows = || (0..60i64).map(|n| vec![1 + n % 3, 1 + n / 3 % 3, 1 + n / 9 % 3, 1 + n * n % 3]);
        let count = |row: &[i64]| row[1..].iter().filter(|&&number| number == row[0]).count() as i64;
        let found = fitted(&pattern, rows().map(|row| (row.clone(), count(&row))), &pool);
        assert_eq!(found, Program::Matches(Relation::Equal));
        let found = fitted(&pattern, rows().map(|row| (row.clone(), row[row[0] as usize])), &pool);
        assert_eq!(found, Program::Item);
    }

    #[test]
    fn a_number_may_be_made_of_a_part_of_what_was_put_in_order() {
        let pattern =
            Pattern { pieces: Box::new([In::Word(Word(0)), In::Slot(0)]), row: true, separator: None };
        let wanted = |example: usize| {
            let row =
                [example % 7, example / 3 % 5, example / 5 % 6, example / 2 % 8].map(|number| number as i64);
            let mut sorted = row;
            sorted.sort_unstable();
            let arguments = row.map(Value::from).to_vec();
            Wanted { arguments, want: Want::Value(Value::from(sorted[2] + sorted[3])), example, bits: 10.0 }
        };
        let rows: Vec<Wanted> = (0..60).map(wanted).collect();
        let effort = Effort { is_deep: true, ..Effort::default() };
        let found = best(&Pool::new(&[]), 0.0, &pattern, &rows, effort).remove(0);
        assert_eq!(found.saved, 600.0, "{}", found.program);
    }

    #[test]
    fn a_row_may_be_in_order() {
        let pattern = Pattern { pieces: Box::new([In::Slot(0)]), row: true, separator: Some(Word(0)) };
        let wanted = |example: usize| {
            let row = [example % 5, example / 5 % 5, example / 25];
            let is_rising = row.is_sorted_by(|x, y| x < y);
            let arguments = row.map(|number| Value::from(number as i64)).to_vec();
            Wanted { arguments, want: Want::Value(Value::Truth(is_rising)), example, bits: 1.0 }
        };
        let rows: Vec<Wanted> = (0..125).map(wanted).collect();
        let found = fit(&Pool::new(&[]), 0.0, &pattern, &rows).unwrap();
        assert_eq!((found.program, found.saved), (Program::Ordered(Relation::Less), 125.0));
    }

    #[test]
    fn truth_values_of_a_row_may_be_counted() {
        let pattern =
            Pattern { pieces: Box::new([In::Word(Word(0)), In::Slot(0)]), row: true, separator: None };
        let holds = |test: &str, x: usize, y: usize| match test {
            "x = 1" => x == 1,
            "x > 1" => x > 1,
            _ => x > y,
        };
        for test in ["x = 1", "x > 1", "x > y"] {
            let wanted = |example: usize| {
                let row: Vec<bool> =
                    (0..2 + example % 4).map(|place| ((example * 37) >> place) & 1 == 1).collect();
                let holding = row.iter().filter(|truth| **truth).count();
                let value = Value::Truth(holds(test, holding, row.len() - holding));
                let arguments = row.into_iter().map(Value::Truth).collect();
                Wanted { arguments, want: Want::Value(value), example, bits: 1.0 }
            };
            let rows: Vec<Wanted> = (0..80).map(wanted).collect();
            let found = fit(&Pool::empty(), 0.0, &pattern, &rows).unwrap();
            assert_eq!(found.saved, 80.0, "{}", found.program);
            assert!(found.program.to_string().starts_with(&format!("{test},")), "{}", found.program);
        }
    }

    #[test]
    fn what_runs_along_a_row_is_fitted() {
        let pattern =
            Pattern { pieces: Box::new([In::Word(Word(0)), In::Slot(0)]), row: true, separator: None };
        for operation in [Operation::Add, Operation::Larger] {
            let wanted = |example: usize| {
                let row = [7, 5, 6, 8].map(|size| Integer::from((example * example % size) as i64));
                let mut wanted = row.to_vec();
                for at in 1..row.len() {
                    wanted[at] = operation.apply(&wanted[at - 1], &row[at], &Fuel::for_learning()).unwrap();
                }
                let arguments = row.map(Value::Number).to_vec();
                Wanted { arguments, want: Want::Value(Value::row(wanted)), example, bits: 10.0 }
            };
            let rows: Vec<Wanted> = (0..40).map(wanted).collect();
            let found = fit(&Pool::new(&[]), 0.0, &pattern, &rows).unwrap();
            assert_eq!(found.saved, 400.0, "{}", found.program);
        }
    }

    #[test]
    fn a_condition_may_be_any_test() {
        let pattern = Pattern::of_slots(Box::new([In::Slot(0), In::Word(Word(0))]));
        let rows = (0..40i64).map(|n| (vec![n], if n > 25 { n - 1 } else { n + n }));
        let found = fitted(&pattern, rows, &Pool::new(&[]));
        assert!(matches!(found, Program::Condition(Test::Computed(..), ..)), "{found}");
    }

    #[test]
    fn what_is_wanted_of_several_types_has_a_program_for_each() {
        let not = Pattern::of_slots(Box::new([In::Word(Word(0)), In::Slot(0)]));
        let wanted = |example: usize, argument: Value, value: Value| Wanted {
            arguments: vec![argument],
            want: Want::Value(value),
            example,
            bits: 10.0,
        };
        let number = |example| wanted(example, Value::from(example as i64), Value::Truth(false));
        let truth = |example| wanted(example, Value::Truth(example % 2 == 0), Value::Truth(example % 2 == 1));
        let rows: Vec<Wanted> = (0..6).flat_map(|example| [number(example), truth(example)]).collect();
        let fitted = fit(&Pool::new(&[]), 0.0, &not, &rows).unwrap();
        assert_eq!((fitted.program, fitted.saved), (Program::Table(1, 0b01), 60.0));
    }
}
