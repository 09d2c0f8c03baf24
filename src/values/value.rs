//! Values that are computed: numbers, truth values, rows of numbers and lists of tokens.

use crate::number::integer::Integer;
use crate::symbol::Token;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value {
    /// A number.
    Number(Integer),
    /// A truth value.
    Truth(bool),
    /// A list of tokens.
    List(Arc<[Token]>),
    /// Numbers, in their order.
    Row(Arc<[Integer]>),
}

impl Value {
    /// The number, if it is one.
    pub fn number(&self) -> Option<&Integer> {
        match self {
            Value::Number(number) => Some(number),
            Value::Truth(_) | Value::List(_) | Value::Row(_) => None,
        }
    }

    /// The list, if it is one.
    pub fn list(&self) -> Option<&[Token]> {
        match self {
            Value::List(list) => Some(list),
            Value::Number(_) | Value::Truth(_) | Value::Row(_) => None,
        }
    }

    /// The row of these numbers.
    pub fn row(numbers: Vec<Integer>) -> Value {
        Value::Row(numbers.into())
    }

    /// The number, if it is one and small.
    pub fn small(&self) -> Option<i64> {
        self.number().and_then(Integer::small)
    }

    /// What it costs to say it outright, in bits, if a token costs `token_bits`; a list has an end that costs as much.
    pub fn bits(&self, token_bits: f64) -> f64 {
        match self {
            Value::Number(number) => number_bits(number),
            Value::Truth(_) => 1.0,
            Value::List(list) => token_bits * (list.len() + 1) as f64,
            Value::Row(row) => 1.0 + row.iter().map(number_bits).sum::<f64>(),
        }
    }
}

fn number_bits(number: &Integer) -> f64 {
    1.0 + 2.0 * digits(number) + f64::from(u8::from(number.is_negative()))
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
            Value::List(list) => write!(out, "{list:?}"),
            Value::Row(row) => {
                let numbers: Vec<String> = row.iter().map(Integer::to_string).collect();
                write!(out, "({})", numbers.join(" "))
            }
        }
    }
}
