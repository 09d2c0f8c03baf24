//! What is wanted of a part of an example: a value, or any value with which what stands around it comes out right.
//!
//! A sum can be carried down to its parts; that one sum is larger than another, or what is left over of a division, cannot: many values will do. Such a
//! part has nothing but its surroundings to be tried in.

use super::program::Program;
use super::value::Value;
use crate::number::expression::Fuel;
use std::sync::Arc;

/// What is wanted of a span.
#[derive(Clone, Debug, PartialEq)]
pub enum Want {
    /// This value.
    Value(Value),
    /// A value that does within what stands around it.
    Within(Arc<Around>),
}

/// A program of which all arguments but one are known, and what is wanted of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Around {
    program: Program,
    arguments: Vec<Value>,
    gap: usize,
    want: Want,
}

/// Numbers that are tried to see how much is wanted.
const PROBES: [i64; 14] = [-7, -1, 0, 1, 2, 3, 5, 6, 8, 9, 12, 20, 31, 100];

impl Want {
    /// Any value with which the program comes to what is wanted of it. `None` if no number does, or all do.
    pub fn within(program: &Program, arguments: &[Value], gap: usize, want: &Want) -> Option<Want> {
        let around =
            Around { program: program.clone(), arguments: arguments.to_vec(), gap, want: want.clone() };
        let within = Want::Within(Arc::new(around));
        (1..PROBES.len()).contains(&within.probed()).then_some(within)
    }

    /// Whether a value will do.
    pub fn accepts(&self, value: &Value) -> bool {
        match self {
            Want::Value(wanted) => wanted == value,
            Want::Within(around) => {
                let mut arguments = around.arguments.clone();
                arguments[around.gap] = value.clone();
                let found = around.program.apply(&arguments, &mut Fuel::for_learning());
                found.is_some_and(|found| around.want.accepts(&found))
            }
        }
    }

    /// The value, if no other one will do.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Want::Value(value) => Some(value),
            Want::Within(_) => None,
        }
    }

    /// What is known of the value, in bits: of one that costs `outright`, all.
    pub fn bits(&self, outright: f64) -> f64 {
        match self {
            Want::Value(_) => outright,
            Want::Within(_) => outright.min((PROBES.len() as f64 / self.probed().max(1) as f64).log2()),
        }
    }

    /// The numbers next to those that it is compared with: where one of them will do and the next will not, it may be the number itself.
    pub fn neighbours(&self) -> Vec<i64> {
        match self {
            Want::Value(value) => value.small().into_iter().collect(),
            Want::Within(around) => {
                let others = around.arguments.iter().enumerate().filter(|(number, _)| *number != around.gap);
                others
                    .filter_map(|(_, value)| value.small())
                    .flat_map(|number| number - 1..=number + 1)
                    .collect()
            }
        }
    }

    fn probed(&self) -> usize {
        PROBES.iter().filter(|&&number| self.accepts(&Value::from(number))).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::program::{Comparison, Relation, Test};

    #[test]
    fn what_is_larger_than_seven_is_not_one_value() {
        let program =
            Program::Test(Test::Compare(Comparison { relation: Relation::More, left: 0, right: 1 }));
        let arguments = [Value::from(0), Value::from(7)];
        let want = |truth| Want::within(&program, &arguments, 0, &Want::Value(Value::Truth(truth))).unwrap();
        assert!(want(true).accepts(&Value::from(8)) && !want(true).accepts(&Value::from(7)));
        assert!(!want(false).accepts(&Value::from(8)) && want(false).accepts(&Value::from(7)));
        assert!(want(true).bits(10.0) < 2.0);
        assert_eq!(Want::within(&program, &arguments, 0, &Want::Value(Value::from(1))), None);
    }
}
