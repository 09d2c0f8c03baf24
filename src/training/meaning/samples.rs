//! Sample arguments: programs that give the same for all of them are one.

use crate::semantics::enumerate::Row;
use crate::semantics::eval::{self, Scope};
use crate::semantics::lexicon::FUEL;
use crate::semantics::program::Program;
use crate::symbol::Symbol;
use crate::value::{Type, Value};

/// What a program does on sample arguments.
pub(super) fn behaviour(program: &Program, kind: Type, library: &[Program]) -> Vec<Option<Value>> {
    let run = |row: u32| {
        let Row { args, me } = sample_row(program.arity, kind, row);
        eval::run(program, Scope { args: &args, me: me.as_ref(), library }, FUEL).ok()
    };
    (0..SAMPLE_ROWS).map(run).collect()
}

/// How many sample arguments tell programs apart.
const SAMPLE_ROWS: u32 = 9;

/// Arguments that tell programs apart.
pub(in crate::training) fn sample_rows(arity: u8, kind: Type) -> impl Iterator<Item = Row> {
    (0..SAMPLE_ROWS).map(move |row| sample_row(arity, kind, row))
}

/// One of them: numbers are now equal, now one is smaller; no token occurs twice, but in the first two.
fn sample_row(arity: u8, kind: Type, row: u32) -> Row {
    let value = |place: u32| match kind {
        Type::Nat if row == 0 => Value::Nat(6),
        Type::Nat => Value::Nat(u64::from((29 * row + 17 * place + 5).pow(2) / 8 % 13)),
        _ if row < 2 => Value::list(&vec![Symbol(10 * place); (2 * row + 1) as usize]),
        _ => {
            let first = 100 * row + 10 * place;
            Value::list(&(first..first + 2 + (place + row) % 3).map(Symbol).collect::<Vec<_>>())
        }
    };
    Row { args: (0..u32::from(arity)).map(value).collect(), me: Some(value(9)) }
}
