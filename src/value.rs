//! Results: numbers, truth values and lists of output tokens.

use crate::number::integer::Integer;
use crate::symbol::Symbol;
use std::sync::Arc;

/// A result. Lists are shared, not copied.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A number of any size, below zero too.
    Number(Integer),
    /// A truth value.
    Truth(bool),
    /// A list of output tokens.
    List(Arc<[Symbol]>),
    /// A list of output tokens of which some are named here: those with numbers beyond all known tokens, in their order.
    Named(Arc<[Symbol]>, Arc<[String]>),
}

impl Value {
    /// The list of `tokens`.
    pub fn list(tokens: &[Symbol]) -> Value {
        Value::List(tokens.into())
    }

    /// A measure of how much there is to say about the value, in tokens or binary digits.
    pub fn extent(&self) -> usize {
        match self {
            Value::Number(number) => number.digits() as usize,
            Value::Truth(_) => 1,
            Value::List(list) | Value::Named(list, _) => list.len(),
        }
    }
}
