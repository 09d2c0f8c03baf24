//! Values that are computed: numbers and truth values.

use crate::number::integer::Integer;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value {
    /// A number.
    Number(Integer),
    /// A truth value.
    Truth(bool),
}

impl Value {
    /// The number, if it is one.
    pub fn number(&self) -> Option<&Integer> {
        match self {
            Value::Number(number) => Some(number),
            Value::Truth(_) => None,
        }
    }

    /// The number, if it is one and small.
    pub fn small(&self) -> Option<i64> {
        self.number().and_then(Integer::small)
    }

    /// What it costs to say it outright, in bits.
    pub fn bits(&self) -> f64 {
        match self {
            Value::Number(number) => 1.0 + 2.0 * digits(number) + f64::from(u8::from(number.is_negative())),
            Value::Truth(_) => 1.0,
        }
    }
}

/// The binary logarithm of the size of a number and one.
fn digits(number: &Integer) -> f64 {
    match number.small() {
        Some(small) => (small.unsigned_abs() as f64 + 1.0).log2(),
        None => number.digits() as f64,
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Number(Integer::from(number))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(out),
            Value::Truth(truth) => truth.fmt(out),
        }
    }
}
