//! Inverts programs: the wanted output and all inputs but one are known, find the missing input.

use crate::semantics::eval::{self, Evaluator, Scope};
use crate::semantics::program::{Expr, Prim, Program};
use crate::value::Value;

/// Fuel for each candidate tried.
const FUEL: u32 = 10_000;
/// At most so many candidates are tried where the program's structure does not tell the input.
const CANDIDATES: usize = 400;

/// What inverting a program came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inverse {
    /// The inputs that give the wanted output.
    pub inputs: Vec<Value>,
    /// How many inputs were tried.
    pub tried: usize,
}

/// The inputs in place of argument `gap` for which `program` gives `want`; `scope.args[gap]` is not looked at.
///
/// Where the program only joins lists around one use of the gap, the answer is read off its structure;
/// otherwise stretches of the wanted list, or numbers up to a little above the product of those in play, are
/// tried. All that is returned fits; of numbers and of what is only joined, nothing within reach is missed.
pub fn invert(program: &Program, scope: Scope<'_>, gap: usize, want: &Value) -> Inverse {
    if gap >= scope.args.len() {
        return Inverse::default();
    }
    if let Some(solved) = solve(&program.body, scope, gap as u8, want) {
        return Inverse { inputs: solved.into_iter().collect(), tried: 1 };
    }
    let mut args = scope.args.to_vec();
    let mut inverse = Inverse::default();
    let mut evaluator = Evaluator::new(scope.library);
    let plan = evaluator.plan(program);
    args[gap] = Value::Nat(0);
    for candidate in candidates(want, &args) {
        args[gap] = candidate;
        if evaluator.run_planned(program, plan.as_ref(), &args, scope.me, FUEL).as_ref() == Ok(want) {
            inverse.inputs.push(args[gap].clone());
        }
        inverse.tried += 1;
    }
    inverse
}

/// `Some(answer)` if the structure settles it (the answer may be that there is none), `None` if not.
fn solve(expr: &Expr, scope: Scope<'_>, gap: u8, want: &Value) -> Option<Option<Value>> {
    match expr {
        Expr::Arg(number) if *number == gap => Some(Some(want.clone())),
        Expr::Apply(Prim::Inc, parts) => match (want, parts.as_slice()) {
            (Value::Nat(0), _) => Some(None),
            (Value::Nat(number), [part]) => solve(part, scope, gap, &Value::Nat(number - 1)),
            _ => Some(None),
        },
        Expr::Apply(Prim::Append, parts) => {
            let (Value::List(whole), [left, right]) = (want, parts.as_slice()) else { return Some(None) };
            if expr.any(&|part| matches!(part, Expr::Rec(_))) {
                return None;
            }
            match (left.uses(gap), right.uses(gap)) {
                (false, true) => {
                    let Some(Value::List(known)) = known(left, scope) else { return Some(None) };
                    match whole.0.strip_prefix(&*known.0) {
                        Some(rest) => solve(right, scope, gap, &Value::list(rest)),
                        None => Some(None),
                    }
                }
                (true, false) => {
                    let Some(Value::List(known)) = known(right, scope) else { return Some(None) };
                    match whole.0.strip_suffix(&*known.0) {
                        Some(rest) => solve(left, scope, gap, &Value::list(rest)),
                        None => Some(None),
                    }
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn known(expr: &Expr, scope: Scope<'_>) -> Option<Value> {
    let program = Program { arity: scope.args.len() as u8, body: expr.clone() };
    eval::run(&program, scope, FUEL).ok()
}

fn candidates(want: &Value, args: &[Value]) -> Vec<Value> {
    let mut found: Vec<Value> = match want {
        Value::List(list) => {
            let n = list.0.len();
            (0..=n)
                .flat_map(|size| (0..=n - size).map(move |start| (start, size)))
                .take(4 * CANDIDATES)
                .map(|(start, size)| Value::list(&list.0[start..start + size]))
                .collect()
        }
        Value::Nat(number) => {
            let known = |arg: &Value| if let Value::Nat(number) = arg { *number } else { 0 };
            let largest = args.iter().map(known).max().unwrap_or(0);
            // The answer to x / y = number may be as large as the product.
            let reach = number.saturating_add(1).saturating_mul(largest.max(2)).saturating_add(8);
            (0..=reach.min(CANDIDATES as u64)).map(Value::Nat).collect()
        }
        _ => Vec::new(),
    };
    found.sort();
    found.dedup();
    found.truncate(CANDIDATES);
    found
}
