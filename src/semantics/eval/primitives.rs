//! What the primitives do.

use super::Stuck;
use crate::semantics::program::Prim;
use crate::symbol::Symbol;
use crate::value::{List, Value};
use std::sync::LazyLock;

/// Lists may not grow longer than this.
pub(super) const MAX_LIST: usize = 1 << 20;
/// The list of nothing, to compare with.
pub(super) static EMPTY: LazyLock<Value> = LazyLock::new(|| Value::list(&[]));

/// Applies a primitive other than `if` to its values.
pub fn apply(prim: Prim, values: &[Value]) -> Result<Value, Stuck> {
    match values {
        [] => constant(prim),
        [value] => unary(prim, value),
        [a, b] => binary(prim, a, b),
        _ => Err(Stuck::Undefined),
    }
}

pub(super) fn constant(prim: Prim) -> Result<Value, Stuck> {
    match prim {
        Prim::Zero => Ok(Value::Nat(0)),
        Prim::Nil => Ok(Value::list(&[])),
        _ => Err(Stuck::Undefined),
    }
}

pub(super) fn unary(prim: Prim, value: &Value) -> Result<Value, Stuck> {
    Ok(match (prim, value) {
        (Prim::Inc, Value::Nat(number)) => Value::Nat(number.checked_add(1).ok_or(Stuck::Fuel)?),
        (Prim::Dec, Value::Nat(number)) => Value::Nat(number.saturating_sub(1)),
        (Prim::Car, Value::List(list)) => Value::Token(*list.0.first().ok_or(Stuck::Undefined)?),
        (Prim::Cdr, Value::List(list)) => Value::list(list.0.get(1..).ok_or(Stuck::Undefined)?),
        _ => return Err(Stuck::Undefined),
    })
}

pub(super) fn binary(prim: Prim, a: &Value, b: &Value) -> Result<Value, Stuck> {
    Ok(match (prim, a, b) {
        (Prim::Eq, a, b) if a.kind() == b.kind() => Value::Bool(a == b),
        (Prim::Cons, Value::Token(first), Value::List(rest)) => join(&[*first], &rest.0)?,
        (Prim::Append, Value::List(a), Value::List(b)) => match (a.0.is_empty(), b.0.is_empty()) {
            (true, _) => Value::List(b.clone()),
            (_, true) => Value::List(a.clone()),
            _ => join(&a.0, &b.0)?,
        },
        _ => return Err(Stuck::Undefined),
    })
}

fn join(a: &[Symbol], b: &[Symbol]) -> Result<Value, Stuck> {
    if a.len() + b.len() > MAX_LIST {
        return Err(Stuck::Fuel);
    }
    // Put together on the stack where there is room: whole stretches are copied faster than tokens.
    let mut room = [Symbol(0); ROOM];
    let length = a.len() + b.len();
    Ok(match room.get_mut(..length) {
        Some(joined) => {
            joined[..a.len()].copy_from_slice(a);
            joined[a.len()..].copy_from_slice(b);
            Value::list(joined)
        }
        None => Value::List(List([a, b].concat().into())),
    })
}

/// Lists no longer than this are joined on the stack.
const ROOM: usize = 64;
