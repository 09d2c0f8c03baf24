//! What programs compute: exact natural numbers, truth values, output tokens and lists of them.

use crate::number::integer::Integer;
use crate::symbol::Symbol;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A value. Lists are shared, not copied.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value {
    /// A natural number; arithmetic that would leave 64 bits fails instead of wrapping.
    Nat(u64),
    /// A number of any size, below zero too.
    Integer(Integer),
    /// A truth value.
    Bool(bool),
    /// One output token.
    Token(Symbol),
    /// A list of output tokens.
    List(List),
}

/// A shared list of output tokens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct List(pub Arc<[Symbol]>);

impl Value {
    /// The list of `tokens`.
    pub fn list(tokens: &[Symbol]) -> Value {
        Value::List(List(tokens.into()))
    }

    /// The type of this value.
    pub fn kind(&self) -> Type {
        match self {
            Value::Nat(_) => Type::Nat,
            Value::Integer(_) => Type::Integer,
            Value::Bool(_) => Type::Bool,
            Value::Token(_) => Type::Token,
            Value::List(_) => Type::List,
        }
    }

    /// A measure of how much there is to say about the value, in tokens or binary digits.
    pub fn extent(&self) -> usize {
        match self {
            Value::Nat(number) => (64 - number.leading_zeros()) as usize,
            Value::Integer(number) => number.digits() as usize,
            Value::Bool(_) | Value::Token(_) => 1,
            Value::List(list) => list.0.len(),
        }
    }
}

/// The types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Type {
    /// Natural numbers.
    Nat,
    /// Numbers of any size, below zero too.
    Integer,
    /// Truth values.
    Bool,
    /// Output tokens.
    Token,
    /// Lists of output tokens.
    List,
}

impl Serialize for List {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_ref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<List, D::Error> {
        Ok(List(Vec::<Symbol>::deserialize(deserializer)?.into()))
    }
}
