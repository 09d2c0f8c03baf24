//! Closed forms, solved exactly from few of what is wanted: sums, sums around a circle, and sums with squares.

use super::{Fitting, Random, Wanted};
use crate::number::expression::{Expression, Operation, bits};
use crate::number::pool::Pool;
use crate::prices::ARGUMENT;
use crate::values::program::Program;
use crate::values::value::Value;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Closed forms are solved from so many random choices of what is wanted.
const CHOICES: usize = 14;
/// A circle is found from so many at once.
const ON_A_CIRCLE: usize = 6;

impl Fitting<'_> {
    /// Sums of the arguments, each so many times, and of their product, solved from few of what is wanted.
    pub(super) fn linear(&mut self) {
        let rows: Vec<Option<(Vec<f64>, f64)>> = self.wanted.iter().map(powers).collect();
        let terms: &[&[usize]] = match self.slots {
            1 => &[&[0], &[1], &[0, 1]],
            2 => &[&[1, 2], &[0, 1, 2], &[0, 1], &[0, 2], &[3], &[0, 1, 2, 3]],
            _ => &[&[1, 2, 3], &[0, 1, 2, 3]],
        };
        let factors = if self.slots == 1 { 2 } else { 4 };
        let mut random = Random(88_172_645_463_325_252);
        let mut tried: FxHashSet<Vec<i64>> = FxHashSet::default();
        for terms in terms {
            for _ in 0..14 {
                let some: Option<Vec<&(Vec<f64>, f64)>> =
                    terms.iter().map(|_| rows[random.below(rows.len())].as_ref()).collect();
                let Some(solution) = some.and_then(|some| solve(terms, &some)) else { continue };
                let mut all = vec![0; factors];
                for (term, factor) in terms.iter().zip(solution) {
                    all[*term] = factor;
                }
                if tried.insert(all.clone())
                    && let Some(bits) = linear_bits(self.pool, &all, self.slots)
                {
                    self.consider(Program::Linear(all), bits);
                }
            }
        }
    }

    /// Sums that begin anew after so many: hours, days of the week. What is wanted less the sum differs by multiples of the circle.
    pub(super) fn around_a_circle(&mut self) {
        let (Some(add), Some(remainder)) =
            (self.pool.price(Operation::Add), self.pool.price(Operation::Remainder))
        else {
            return;
        };
        let rows: Vec<(Vec<f64>, f64)> = self.wanted.iter().filter_map(powers).collect();
        if rows.len() < ON_A_CIRCLE {
            return;
        }
        let sums: &[&[i64]] = if self.slots == 1 { &[&[1], &[-1]] } else { &[&[1, 1], &[1, -1], &[-1, 1]] };
        let mut random = Random(88_172_645_463_325_252);
        let mut tried: FxHashSet<(usize, i64, i64, i64)> = FxHashSet::default();
        for (number, factors) in sums.iter().enumerate() {
            let rest = |(powers, wanted): &(Vec<f64>, f64)| {
                let sum: f64 = factors.iter().zip(&powers[1..]).map(|(factor, x)| *factor as f64 * x).sum();
                (*wanted - sum) as i64
            };
            for _ in 0..CHOICES {
                let some: Vec<&(Vec<f64>, f64)> =
                    (0..ON_A_CIRCLE).map(|_| &rows[random.below(rows.len())]).collect();
                let shift = rest(some[0]);
                let circle = some.iter().map(|row| rest(row) - shift).fold(0, num_integer::gcd);
                if circle < 2 {
                    continue;
                }
                for least in [0, 1] {
                    let shift = (shift - least).rem_euclid(circle);
                    if !tried.insert((number, circle, shift, least)) {
                        continue;
                    }
                    let sum =
                        Summed::new().with(factors, shift - if 2 * shift > circle { circle } else { 0 });
                    let program = sum.then(Operation::Remainder, circle).then(Operation::Add, least);
                    let price = linear_price(add, self.pool, factors)
                        + remainder
                        + bits(circle)
                        + 1.0
                        + if least == 0 { 0.0 } else { add + bits(least) + 1.0 };
                    let price = price + if shift == 0 { 0.0 } else { add + bits(shift) + 1.0 };
                    self.consider(Program::Number(program.0), price);
                }
            }
        }
    }

    /// Half of a sum of arguments and their products, squares among them: what all numbers from one to another come to.
    pub(super) fn quadratic(&mut self) {
        let Some(price) = Prices::of(self.pool) else { return };
        let rows: Vec<(Vec<f64>, f64)> = self
            .wanted
            .iter()
            .filter_map(powers)
            .map(|(mut powers, wanted)| {
                let squares: Vec<f64> = powers[1..=self.slots].iter().map(|x| x * x).collect();
                powers.extend(squares);
                (powers, 2.0 * wanted)
            })
            .collect();
        let terms: Vec<usize> = (0..if self.slots == 1 { 3 } else { 6 }).collect();
        if rows.len() < 2 * terms.len() {
            return;
        }
        let mut random = Random(88_172_645_463_325_252);
        let mut tried: FxHashSet<Vec<i64>> = FxHashSet::default();
        for _ in 0..CHOICES {
            let some: Vec<&(Vec<f64>, f64)> = terms.iter().map(|_| &rows[random.below(rows.len())]).collect();
            let Some(factors) = solve(&terms, &some) else { continue };
            let has_square = factors[terms.len() - self.slots..].iter().any(|&factor| factor != 0);
            if has_square && tried.insert(factors.clone()) {
                let (program, bits) = price.quadratic(&factors, self.slots);
                self.consider(Program::Number(program), bits);
            }
        }
    }
}

/// An expression that is put together.
struct Summed(Arc<Expression>);

impl Summed {
    fn new() -> Summed {
        Summed(Expression::literal(0))
    }

    /// The sum of arguments, added or taken away, and a number.
    fn with(self, factors: &[i64], number: i64) -> Summed {
        let arguments =
            factors.iter().enumerate().map(|(place, factor)| (Expression::argument(place as u8), *factor));
        let mut sum: Option<Arc<Expression>> = None;
        let (added, taken): (Vec<_>, Vec<_>) = arguments.partition(|(_, factor)| *factor > 0);
        for (argument, _) in added {
            sum = Some(sum.map_or(argument.clone(), |sum| Expression::call(Operation::Add, sum, argument)));
        }
        let mut sum = sum.unwrap_or(self.0);
        for (argument, _) in taken {
            sum = Expression::call(Operation::Subtract, sum, argument);
        }
        Summed(sum).then(Operation::Add, number)
    }

    /// With an operation and a number after it; nothing if that is adding nothing.
    fn then(self, operation: Operation, number: i64) -> Summed {
        match (operation, number) {
            (Operation::Add, 0) => self,
            (Operation::Add, ..0) => {
                Summed(Expression::call(Operation::Subtract, self.0, Expression::literal(-number)))
            }
            _ => Summed(Expression::call(operation, self.0, Expression::literal(number))),
        }
    }
}

fn linear_price(add: f64, pool: &Pool, factors: &[i64]) -> f64 {
    let is_taken = factors.iter().any(|&factor| factor < 0);
    let subtract = pool.price(Operation::Subtract).unwrap_or(add);
    ARGUMENT * factors.len() as f64 + if is_taken { subtract } else { add }
}

/// What the operations of a sum with squares cost.
struct Prices {
    add: f64,
    subtract: f64,
    multiply: f64,
    divide: f64,
}

impl Prices {
    fn of(pool: &Pool) -> Option<Prices> {
        Some(Prices {
            add: pool.price(Operation::Add)?,
            subtract: pool.price(Operation::Subtract)?,
            multiply: pool.price(Operation::Multiply)?,
            divide: pool.price(Operation::DivideDown)?,
        })
    }

    /// Half of the sum of 1, the arguments, their product if there are two, and their squares, each so many times.
    fn quadratic(&self, factors: &[i64], slots: usize) -> (Arc<Expression>, f64) {
        let is_even = factors.iter().all(|factor| factor % 2 == 0);
        let (mut sum, mut price): (Option<Arc<Expression>>, f64) = (None, 0.0);
        // What is added comes first.
        let mut terms: Vec<(usize, i64)> =
            factors.iter().copied().enumerate().filter(|term| term.1 != 0).collect();
        terms.sort_by_key(|term| (term.1 < 0, std::cmp::Reverse(term.0)));
        for (place, factor) in terms {
            let factor = if is_even { factor / 2 } else { factor };
            let size = factor.abs();
            let (mut term, mut bits_of_term) = match (place, slots) {
                (0, _) => (Expression::literal(size), bits(size) + 1.0),
                (place, slots) if place <= slots => (Expression::argument(place as u8 - 1), ARGUMENT),
                (3, 2) => (Expression::operation(Operation::Multiply), 2.0 * ARGUMENT + self.multiply),
                (place, slots) => {
                    let x = Expression::argument((place - (factors.len() - slots)) as u8);
                    (Expression::call(Operation::Multiply, x.clone(), x), 2.0 * ARGUMENT + self.multiply)
                }
            };
            if size != 1 && place > 0 {
                term = Expression::call(Operation::Multiply, Expression::literal(size), term);
                bits_of_term += self.multiply + bits(size) + 1.0;
            }
            let (operation, bits_of_operation) =
                if factor > 0 { (Operation::Add, self.add) } else { (Operation::Subtract, self.subtract) };
            price += bits_of_term;
            sum = Some(match sum {
                None if factor > 0 => term,
                before => {
                    price += bits_of_operation;
                    Expression::call(operation, before.unwrap_or_else(|| Expression::literal(0)), term)
                }
            });
        }
        let sum = sum.unwrap_or_else(|| Expression::literal(0));
        match is_even {
            true => (sum, price),
            false => (
                Expression::call(Operation::DivideDown, sum, Expression::literal(2)),
                price + self.divide + bits(2) + 1.0,
            ),
        }
    }
}

/// 1, the arguments and, of two, their product; and what is wanted. `None` if they are no numbers, or too large for fractions.
fn powers(wanted: &Wanted) -> Option<(Vec<f64>, f64)> {
    let small = |value: &Value| value.small().filter(|number| number.unsigned_abs() < 1 << 40);
    let numbers: Vec<f64> =
        wanted.arguments.iter().map(|value| small(value).map(|x| x as f64)).collect::<Option<_>>()?;
    let mut powers = vec![1.0];
    powers.extend(&numbers);
    if let [x, y] = numbers[..] {
        powers.push(x * y);
    }
    Some((powers, small(wanted.want.value()?)? as f64))
}

/// The factors of some terms that give what is wanted of each row, if they are whole numbers.
fn solve(terms: &[usize], rows: &[&(Vec<f64>, f64)]) -> Option<Vec<i64>> {
    let size = terms.len();
    let mut matrix: Vec<Vec<f64>> = rows
        .iter()
        .map(|(powers, wanted)| terms.iter().map(|&term| powers[term]).chain([*wanted]).collect())
        .collect();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-9 {
            return None;
        }
        matrix.swap(column, pivot);
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column] / matrix[column][column];
            let subtracted: Vec<f64> = matrix[column].iter().map(|number| number * factor).collect();
            for (number, by) in matrix[row].iter_mut().zip(subtracted).skip(column) {
                *number -= by;
            }
        }
    }
    let whole = |number: f64| {
        let is_whole = number.is_finite() && (number - number.round()).abs() < 1e-6 && number.abs() < 1e9;
        is_whole.then(|| number.round() as i64)
    };
    (0..size).map(|row| whole(matrix[row][size] / matrix[row][row])).collect()
}

/// What a sum costs, by the prices of adding, taking away and multiplying.
fn linear_bits(pool: &Pool, factors: &[i64], slots: usize) -> Option<f64> {
    let add = pool.price(Operation::Add)?;
    let multiply = pool.price(Operation::Multiply);
    let mut bits_of_all = 0.0;
    let mut terms = 0;
    for (number, &factor) in factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
        terms += 1;
        bits_of_all += match number {
            0 => 0.0,
            3 if slots == 2 => 2.0 * ARGUMENT + multiply?,
            _ => ARGUMENT,
        };
        bits_of_all += match (number, factor, pool.price(Operation::Subtract)) {
            (1.., 1, _) => 0.0,
            (1.., -1, Some(subtract)) => subtract - add + 2.0,
            (0, ..) => bits(factor) + 1.0,
            _ => bits(factor) + 1.0 + multiply?,
        };
    }
    Some(bits_of_all + add * f64::from((terms - 1).max(0)))
}

#[cfg(test)]
mod tests {
    use super::super::{Effort, best};
    use super::*;
    use crate::experience::Experience;
    use crate::number::expression::Fuel;
    use crate::symbol::Word;
    use crate::theory::entry::In;
    use crate::values::entry::Pattern;
    use crate::values::want::Want;

    #[track_caller]
    fn check(rows: impl Iterator<Item = (i64, i64)>, value: impl Fn(i64, i64) -> i64, also: (i64, i64)) {
        let wanted = |(example, (x, y)): (usize, (i64, i64))| Wanted {
            arguments: vec![Value::from(x), Value::from(y)],
            want: Want::Value(Value::from(value(x, y))),
            example,
            bits: 10.0,
        };
        let wanted: Vec<Wanted> = rows.enumerate().map(wanted).collect();
        let pattern = Pattern::of_slots(Box::new([In::Slot(0), In::Word(Word(0)), In::Slot(1)]));
        let pool = Pool::new(&Experience::built_in().programs());
        let found = best(&pool, 0.0, &pattern, &wanted, Effort::default()).remove(0).program;
        let arguments = [Value::from(also.0), Value::from(also.1)];
        let found_value = found.apply(&arguments, &mut Fuel::for_learning());
        assert_eq!(found_value, Some(Value::from(value(also.0, also.1))), "{found}");
    }

    #[test]
    fn hours_go_around_a_circle() {
        check((0..60).map(|n| (1 + n % 12, 1 + n % 19)), |x, y| (x + y - 1) % 12 + 1, (7, 100));
        check((0..60).map(|n| (1 + n % 12, 1 + n % 19)), |x, y| (x - y).rem_euclid(24), (7, 100));
    }

    #[test]
    fn all_numbers_from_one_to_another_have_a_sum() {
        check((0..60).map(|n| (n % 7, n % 7 + n % 5)), |x, y| (x + y) * (y - x + 1) / 2, (10, 40));
    }
}
