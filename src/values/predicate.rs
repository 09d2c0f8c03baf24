//! Tests of numbers: what some small program computes compares so with a number (`is _ even`), or two relations of arguments hold
//! (`is _ between _ and _`).

use super::program::{Comparison, Junction, RELATIONS, Relation, Test};
use crate::number::expression::{Expression, Fuel, Operation, bits};
use crate::number::integer::Integer;
use crate::number::pool::{Pool, Term};
use crate::prices::{ARGUMENT, OPPOSITE, STEP};
use std::sync::Arc;

/// Numbers, and whether the test holds for them.
pub struct Row {
    /// The arguments.
    pub numbers: Vec<Integer>,
    /// Whether it holds.
    pub is_true: bool,
}

/// Programs that are tested, the cheapest first.
const TERMS: usize = 120;
/// Numbers that one argument is put together with.
const LITERALS: std::ops::RangeInclusive<i64> = 2..=12;

/// The best tests for rows of so many numbers, with their prices.
pub fn fit(pool: &Pool, slots: usize, rows: &[Row]) -> Vec<(Test, f64)> {
    let tests = match slots {
        1 => best_test(unary(pool), rows),
        2 => best_test(pool.binary.iter().map(priced).take(TERMS), rows),
        _ => None,
    };
    let relations = (slots > 2).then(|| best_relations(slots as u8, rows)).flatten();
    tests.into_iter().chain(relations).collect()
}

/// The best test of one number of two, each as it stands, with its price.
pub fn of_one(rows: &[Row]) -> Option<(Test, f64)> {
    best_test([0, 1].into_iter().map(|number| (Expression::argument(number), ARGUMENT)), rows)
}

type Priced = (Arc<Expression>, f64);

fn priced(term: &Term) -> Priced {
    (Arc::clone(&term.program), term.bits)
}

/// Programs of one number, and operations with a number.
fn unary(pool: &Pool) -> impl Iterator<Item = Priced> + '_ {
    let with = |operation: Operation, price: f64, literal: i64| {
        let call = Expression::call(operation, Expression::argument(0), Expression::literal(literal));
        (call, ARGUMENT + price + bits(literal) + 1.0)
    };
    let operations = pool.operations.iter().filter(|(operation, _)| *operation == Operation::Remainder);
    let calls =
        operations.flat_map(move |&(operation, price)| LITERALS.map(move |n| with(operation, price, n)));
    pool.unary.iter().map(priced).take(TERMS).chain(calls)
}

/// The program, relation and number that tell most rows apart for their price; a row is a bit.
fn best_test(terms: impl Iterator<Item = Priced>, rows: &[Row]) -> Option<(Test, f64)> {
    let mut best: Option<(f64, Test, f64)> = None;
    for (term, term_bits) in terms {
        let Some(values) = values(&term, rows) else { continue };
        for (relation, number, right) in splits(&values) {
            let price = STEP + term_bits + bits(number) + 1.0 + dearer(relation);
            let gain = 2.0 * right as f64 - rows.len() as f64 - price;
            if best.as_ref().is_none_or(|best| gain > best.0) {
                best = Some((gain, Test::Computed(Arc::clone(&term), relation, number), price));
            }
        }
    }
    best.map(|(_, test, bits)| (test, bits))
}

/// What a program computes for each row, and whether the test holds there, in order; `None` where it fails for one in ten.
fn values(term: &Expression, rows: &[Row]) -> Option<Vec<(i64, bool)>> {
    let value =
        |row: &Row| Some((term.evaluate(&row.numbers, &mut Fuel::for_learning())?.small()?, row.is_true));
    let mut values: Vec<(i64, bool)> = rows.iter().filter_map(value).collect();
    values.sort_unstable();
    (values.len() * 10 >= rows.len() * 9).then_some(values)
}

/// Relations with a number, and for how many they are right: where rows are best cut in two, and the one value that is most unlike the others.
fn splits(values: &[(i64, bool)]) -> Vec<(Relation, i64, usize)> {
    let count = |truth: bool| values.iter().filter(|(_, is_true)| *is_true == truth).count();
    let (all_true, all_false) = (count(true), count(false));
    let (mut below_true, mut below_false) = (0, 0);
    let mut found = Vec::new();
    for same in values.chunk_by(|a, b| a.0 == b.0) {
        let here_true = same.iter().filter(|(_, is_true)| *is_true).count();
        let here_false = same.len() - here_true;
        let number = same[0].0;
        found.push((Relation::Equal, number, here_true + all_false - here_false));
        found.push((Relation::Other, number, here_false + all_true - here_true));
        found.push((Relation::Less, number, below_true + all_false - below_false));
        found.push((Relation::AtLeast, number, below_false + all_true - below_true));
        below_true += here_true;
        below_false += here_false;
        found.push((Relation::AtMost, number, below_true + all_false - below_false));
        found.push((Relation::More, number, below_false + all_true - below_true));
    }
    let best = |relation: Relation| {
        let of = found.iter().filter(move |split| split.0 == relation);
        of.max_by(|a, b| a.2.cmp(&b.2).then(bits(b.1).total_cmp(&bits(a.1)))).copied()
    };
    RELATIONS.into_iter().filter_map(best).collect()
}

/// What a relation costs more that is the opposite of another.
pub fn dearer(relation: Relation) -> f64 {
    match relation {
        Relation::Less | Relation::More | Relation::Equal => 0.0,
        Relation::AtMost | Relation::AtLeast | Relation::Other => OPPOSITE,
    }
}

/// The two relations of arguments that tell most rows apart.
fn best_relations(slots: u8, rows: &[Row]) -> Option<(Test, f64)> {
    let pairs = (0..slots).flat_map(|left| (left + 1..slots).map(move |right| (left, right)));
    let comparisons: Vec<(Comparison, Vec<bool>)> = pairs
        .flat_map(|(left, right)| RELATIONS.map(|relation| Comparison { relation, left, right }))
        .filter_map(|one| Some((one, rows.iter().map(|row| one.holds(&row.numbers)).collect::<Option<_>>()?)))
        .collect();
    let mut best: Option<(f64, Test, f64)> = None;
    for (number, (first, first_holds)) in comparisons.iter().enumerate() {
        for (second, second_holds) in &comparisons[number + 1..] {
            for junction in [Junction::And, Junction::Or] {
                let both = first_holds.iter().zip(second_holds).zip(rows);
                let right = both.filter(|((x, y), row)| junction.of(**x, **y) == row.is_true).count();
                let price = 3.0 * STEP + 4.0 * ARGUMENT + dearer(first.relation) + dearer(second.relation);
                let gain = 2.0 * right as f64 - price;
                if best.as_ref().is_none_or(|best| gain > best.0) {
                    best = Some((gain, Test::Relations(junction, [*first, *second]), price));
                }
            }
        }
    }
    best.map(|(_, test, bits)| (test, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(arguments: impl Iterator<Item = Vec<i64>>, holds: impl Fn(&[i64]) -> bool) -> Vec<Row> {
        let row = |numbers: Vec<i64>| Row {
            is_true: holds(&numbers),
            numbers: numbers.into_iter().map(Integer::from).collect(),
        };
        arguments.map(row).collect()
    }

    #[track_caller]
    fn check(slots: usize, rows: &[Row], wanted: &str) {
        let found = fit(&Pool::new(&[]), slots, rows);
        let programs: Vec<String> = found.iter().map(|(test, _)| test.to_string()).collect();
        assert!(programs.iter().any(|program| program == wanted), "{programs:?}");
    }

    #[test]
    fn a_number_compared_with_a_number() {
        check(1, &rows((0..20).map(|x| vec![x]), |row| row[0] > 12), "x > 12");
    }

    #[test]
    fn a_number_between_two_others() {
        let arguments = (0..300).map(|n| vec![n % 7, n / 7 % 6, n / 42]);
        check(3, &rows(arguments, |row| row[1] <= row[0] && row[0] <= row[2]), "x >= y and x <= z");
    }
}
