//! Runs programs: bounded by fuel, never panics.

use crate::semantics::program::{Expr, Prim, Program};
use crate::value::{List, Value};

/// Why a program gave no value. Ordinary search traffic, hence no words in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// A primitive met a value it is not defined on.
    Undefined,
    /// The fuel ran out, or a number or list grew beyond its bound.
    Fuel,
}

/// Lists may not grow longer than this.
const MAX_LIST: usize = 1 << 20;
/// Nested calls (not linear recursion, which runs in a loop) may not go deeper than this.
const MAX_DEPTH: u32 = 400;

/// What a program sees while it runs.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The arguments.
    pub args: &'a [Value],
    /// The constant of the symbol that runs the program.
    pub me: Option<&'a Value>,
    /// The programs that `#n` calls; each calls only earlier ones.
    pub library: &'a [Program],
}

/// Runs `program` in `scope`, in at most `fuel` steps.
pub fn run(program: &Program, scope: Scope<'_>, fuel: u32) -> Result<Value, Stuck> {
    if scope.args.len() != program.arity as usize {
        return Err(Stuck::Undefined);
    }
    let mut machine = Machine { program, scope, fuel, depth: 0 };
    machine.call(scope.args)
}

struct Machine<'a> {
    program: &'a Program,
    scope: Scope<'a>,
    fuel: u32,
    depth: u32,
}

impl Machine<'_> {
    fn call(&mut self, args: &[Value]) -> Result<Value, Stuck> {
        if self.depth == MAX_DEPTH {
            return Err(Stuck::Fuel);
        }
        self.depth += 1;
        let body: &Expr = &self.program.body;
        let value = self.eval(body, args);
        self.depth -= 1;
        value
    }

    fn eval(&mut self, expr: &Expr, args: &[Value]) -> Result<Value, Stuck> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stuck::Fuel)?;
        match expr {
            Expr::Arg(number) => args.get(*number as usize).cloned().ok_or(Stuck::Undefined),
            Expr::Me => self.scope.me.cloned().ok_or(Stuck::Undefined),
            Expr::Apply(Prim::If, parts) => match self.eval(&parts[0], args)? {
                Value::Bool(true) => self.eval(&parts[1], args),
                Value::Bool(false) => self.eval(&parts[2], args),
                _ => Err(Stuck::Undefined),
            },
            Expr::Apply(prim, parts) => {
                let mut values = [const { Value::Bool(false) }; 2];
                for (slot, part) in values.iter_mut().zip(parts) {
                    *slot = self.eval(part, args)?;
                }
                apply(*prim, &values[..parts.len().min(2)])
            }
            Expr::Call(number, parts) => {
                let values = self.eval_all(parts, args)?;
                let program = self.scope.library.get(*number as usize).ok_or(Stuck::Undefined)?;
                self.call_library(*number as usize, program, &values)
            }
            Expr::Rec(parts) => {
                let values = self.eval_all(parts, args)?;
                self.call(&values)
            }
        }
    }

    fn eval_all(&mut self, parts: &[Expr], args: &[Value]) -> Result<Vec<Value>, Stuck> {
        parts.iter().map(|part| self.eval(part, args)).collect()
    }

    fn call_library(&mut self, number: usize, program: &Program, args: &[Value]) -> Result<Value, Stuck> {
        if args.len() != program.arity as usize {
            return Err(Stuck::Undefined);
        }
        // A program calls only earlier ones, so that no cycle of calls can hide in a library.
        let scope = Scope { args, me: self.scope.me, library: &self.scope.library[..number] };
        let mut callee = Machine { program, scope, fuel: self.fuel, depth: self.depth };
        let value = callee.call(args);
        self.fuel = callee.fuel;
        value
    }
}

/// Applies a primitive other than `if` to its values.
pub fn apply(prim: Prim, values: &[Value]) -> Result<Value, Stuck> {
    Ok(match (prim, values) {
        (Prim::Zero, []) => Value::Nat(0),
        (Prim::Inc, [Value::Nat(number)]) => Value::Nat(number.checked_add(1).ok_or(Stuck::Fuel)?),
        (Prim::Dec, [Value::Nat(number)]) => Value::Nat(number.saturating_sub(1)),
        (Prim::Eq, [a, b]) if a.kind() == b.kind() => Value::Bool(a == b),
        (Prim::Nil, []) => Value::list(&[]),
        (Prim::Cons, [Value::Token(first), Value::List(rest)]) => join(&[*first], &rest.0)?,
        (Prim::Car, [Value::List(list)]) => Value::Token(*list.0.first().ok_or(Stuck::Undefined)?),
        (Prim::Cdr, [Value::List(list)]) => Value::list(list.0.get(1..).ok_or(Stuck::Undefined)?),
        (Prim::Append, [Value::List(a), Value::List(b)]) => match (a.0.is_empty(), b.0.is_empty()) {
            (true, _) => Value::List(b.clone()),
            (_, true) => Value::List(a.clone()),
            _ => join(&a.0, &b.0)?,
        },
        _ => return Err(Stuck::Undefined),
    })
}

fn join(a: &[crate::symbol::Symbol], b: &[crate::symbol::Symbol]) -> Result<Value, Stuck> {
    if a.len() + b.len() > MAX_LIST {
        return Err(Stuck::Fuel);
    }
    Ok(Value::List(List(a.iter().chain(b).copied().collect())))
}
