//! Runs programs: bounded by fuel, never panics.
//!
//! Expressions are evaluated on the stack as far as they are not nested deep, else by an explicit machine, so that
//! no depth of calls can exhaust the stack. Recursion on numbers is not carried out step by step where its result can be told in advance (see `closed`), and an
//! [`Evaluator`] remembers the results of library programs. Neither changes a result: whatever value step by
//! step evaluation reaches, and whatever it gets stuck on for another reason than lack of fuel, comes out.

mod machine;
mod primitives;

use crate::semantics::closed::{Closed, Known, Plan};
use crate::semantics::program::{Expr, Prim, Program};
use crate::semantics::walk::Walk;
use crate::value::{List, Value};
use machine::{Callee, Machine, PlanOf};
use primitives::{EMPTY, MAX_LIST, binary, constant, unary};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

pub use primitives::apply;

/// Why a program gave no value. Ordinary search traffic, hence no words in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// A primitive met a value it is not defined on.
    Undefined,
    /// The fuel ran out, or a number or list grew beyond its bound.
    Fuel,
}

/// A step that copies a list uses one more unit of fuel for so many tokens.
const TOKENS_A_STEP: usize = 64;
/// A run copies at most so many tokens, of four bytes each, which it might all hold at once.
const MAX_COPIED: usize = 1 << 27;
/// So many results are remembered before all are forgotten.
const MAX_REMEMBERED: usize = 1 << 16;

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
    Evaluator::forgetful(scope.library).run(program, scope.args, scope.me, fuel)
}

/// Runs programs over one library, and keeps what it learns about the library on the way.
pub struct Evaluator<'a> {
    library: &'a [Program],
    plans: Vec<Plan>,
    results: FxHashMap<Key, (Value, u32)>,
    remember: bool,
    jump: bool,
    /// Whether recursion on the stack was given up.
    too_deep: bool,
    /// Tokens that were copied in the present run.
    copied: usize,
}

/// A library program and its arguments.
type Key = (u32, Box<[Value]>);

impl<'a> Evaluator<'a> {
    /// An evaluator for programs that call `library`.
    pub fn new(library: &'a [Program]) -> Evaluator<'a> {
        let (plans, results) = (Vec::new(), FxHashMap::default());
        Evaluator { library, plans, results, remember: true, jump: true, too_deep: false, copied: 0 }
    }

    /// An evaluator that remembers no results: for values that hardly ever come again.
    pub fn forgetful(library: &'a [Program]) -> Evaluator<'a> {
        Evaluator { remember: false, ..Evaluator::new(library) }
    }

    /// An evaluator that takes every step, as a reference for the other one.
    pub fn step_by_step(library: &'a [Program]) -> Evaluator<'a> {
        Evaluator { remember: false, jump: false, ..Evaluator::new(library) }
    }

    /// Runs `program` on `args`, with `me` as the constant of the symbol, in at most `fuel` steps.
    pub fn run(
        &mut self,
        program: &Program,
        args: &[Value],
        me: Option<&Value>,
        fuel: u32,
    ) -> Result<Value, Stuck> {
        self.copied = 0;
        if args.len() != program.arity as usize {
            return Err(Stuck::Undefined);
        }
        if self.jump && is_flat(&program.body, MAX_NESTED) {
            return self.eval(&program.body, args, me, fuel);
        }
        if let Some(result) = self.run_on_stack(program, args, me, fuel) {
            return result;
        }
        let plan = self.plan(program);
        self.run_by_machine(program, plan.as_ref(), args, me, fuel)
    }

    /// Runs a program that calls itself on other arguments than numbers, which have shortcuts; `None` if it goes
    /// too deep.
    fn run_on_stack(
        &mut self,
        program: &Program,
        args: &[Value],
        me: Option<&Value>,
        fuel: u32,
    ) -> Option<Result<Value, Stuck>> {
        if !self.jump || numbers(args).is_some() || !is_shallow(&program.body) {
            return None;
        }
        let scope = Direct { args, me, limit: self.library.len(), depth: 0, body: None };
        // To look whether it is a walk takes as long as some steps.
        if args.iter().any(|value| value.extent() > LONG)
            && let Some(walk) = Walk::of(program, self.library)
            && let Some(result) = self.walk(&walk, scope, &mut { fuel })
        {
            return Some(result);
        }
        self.recurse(&program.body, scope, &mut { fuel })
    }

    /// What is known of `program`, for running it often.
    pub(crate) fn plan(&mut self, program: &Program) -> Option<Plan> {
        self.jump.then(|| {
            self.prepare(highest_call(&program.body));
            Plan::of(program, Known { library: self.library, plans: &self.plans })
        })
    }

    /// Runs a program whose plan is known.
    pub(crate) fn run_planned(
        &mut self,
        program: &Program,
        plan: Option<&Plan>,
        args: &[Value],
        me: Option<&Value>,
        fuel: u32,
    ) -> Result<Value, Stuck> {
        self.copied = 0;
        if args.len() != program.arity as usize {
            return Err(Stuck::Undefined);
        }
        match self.run_on_stack(program, args, me, fuel) {
            Some(result) => result,
            None => self.run_by_machine(program, plan, args, me, fuel),
        }
    }

    fn run_by_machine(
        &mut self,
        program: &Program,
        plan: Option<&Plan>,
        args: &[Value],
        me: Option<&Value>,
        fuel: u32,
    ) -> Result<Value, Stuck> {
        let callee = Callee { program, limit: self.library.len(), number: None };
        Machine::new(self, me, fuel).start(callee, args, PlanOf { own: plan }).0
    }

    /// Runs program `number` of the library on `args`, in at most `fuel` steps.
    pub fn call(
        &mut self,
        number: u32,
        args: &[Value],
        me: Option<&Value>,
        fuel: u32,
    ) -> Result<Value, Stuck> {
        self.copied = 0;
        let scope = Direct { args, me, limit: self.library.len(), depth: 0, body: None };
        self.call_from(number, args, scope, &mut { fuel })
    }

    /// Evaluates an expression on the stack, which is quicker than by the machine.
    fn direct(&mut self, expr: &Expr, scope: Direct<'_>, fuel: &mut u32) -> Result<Value, Stuck> {
        *fuel = fuel.checked_sub(1).ok_or(Stuck::Fuel)?;
        match expr {
            Expr::Arg(number) => scope.args.get(*number as usize).cloned().ok_or(Stuck::Undefined),
            Expr::Me => scope.me.cloned().ok_or(Stuck::Undefined),
            Expr::Tokens(list) => Ok(Value::List(list.clone())),
            Expr::Apply(Prim::If, parts) => {
                let [condition, yes, no] = parts.as_slice() else { return Err(Stuck::Undefined) };
                match self.direct(condition, scope, fuel)? {
                    Value::Bool(true) => self.direct(yes, scope, fuel),
                    Value::Bool(false) => self.direct(no, scope, fuel),
                    _ => Err(Stuck::Undefined),
                }
            }
            Expr::Apply(prim, parts) => {
                let value = match parts.as_slice() {
                    [] => constant(*prim)?,
                    [a] => unary(*prim, &*self.operand(a, scope, fuel)?)?,
                    [a, b] => {
                        let a = self.operand(a, scope, fuel)?;
                        binary(*prim, &a, &*self.operand(b, scope, fuel)?)?
                    }
                    _ => return Err(Stuck::Undefined),
                };
                self.copy(&value, fuel)?;
                Ok(value)
            }
            Expr::Call(_, parts) | Expr::Rec(parts) => match parts.as_slice() {
                [] => self.enter(expr, &[], scope, fuel),
                [a] => {
                    let args = [self.direct(a, scope, fuel)?];
                    self.enter(expr, &args, scope, fuel)
                }
                [a, b] => {
                    let args = [self.direct(a, scope, fuel)?, self.direct(b, scope, fuel)?];
                    self.enter(expr, &args, scope, fuel)
                }
                _ => {
                    let args = parts.iter().map(|part| self.direct(part, scope, fuel));
                    let args = args.collect::<Result<Vec<Value>, Stuck>>()?;
                    self.enter(expr, &args, scope, fuel)
                }
            },
        }
    }

    /// A value to be looked at only: what is there need not be copied.
    fn operand<'s>(
        &mut self,
        expr: &Expr,
        scope: Direct<'s>,
        fuel: &mut u32,
    ) -> Result<Cow<'s, Value>, Stuck> {
        let there = match expr {
            Expr::Arg(number) => scope.args.get(*number as usize),
            Expr::Me => scope.me,
            Expr::Apply(Prim::Nil, parts) if parts.is_empty() => Some(&*EMPTY),
            _ => return self.direct(expr, scope, fuel).map(Cow::Owned),
        };
        burn(fuel, 1)?;
        there.map(Cow::Borrowed).ok_or(Stuck::Undefined)
    }

    /// Carries out a call with these arguments.
    fn enter(
        &mut self,
        call: &Expr,
        args: &[Value],
        scope: Direct<'_>,
        fuel: &mut u32,
    ) -> Result<Value, Stuck> {
        match call {
            Expr::Call(number, _) => self.call_from(*number, args, scope, fuel),
            _ => self.again(args, scope, fuel),
        }
    }

    /// Calls the program that is running.
    fn again(&mut self, args: &[Value], scope: Direct<'_>, fuel: &mut u32) -> Result<Value, Stuck> {
        let body = scope.body.filter(|_| args.len() == scope.args.len()).ok_or(Stuck::Undefined)?;
        if args == scope.args {
            return Err(Stuck::Fuel); // The same call again would never end.
        }
        if scope.depth >= MAX_NESTED {
            self.too_deep = true;
            return Err(Stuck::Fuel);
        }
        self.direct(body, Direct { args, depth: scope.depth + 1, ..scope }, fuel)
    }

    /// Carries out a program that calls itself; `None`, and no fuel is used, if it goes too deep.
    fn recurse(&mut self, body: &Expr, scope: Direct<'_>, fuel: &mut u32) -> Option<Result<Value, Stuck>> {
        let mut left = *fuel;
        let result = self.direct(body, Direct { body: Some(body), ..scope }, &mut left);
        if std::mem::take(&mut self.too_deep) {
            return None;
        }
        *fuel = left;
        Some(result)
    }

    /// The same for program `number` of the library, whose results may be remembered.
    fn recurse_into(
        &mut self,
        number: u32,
        scope: Direct<'_>,
        fuel: &mut u32,
    ) -> Option<Result<Value, Stuck>> {
        let plan = &self.plans[number as usize];
        if !self.jump || !plan.shallow || scope.depth >= MAX_NESTED || numbers(scope.args).is_some() {
            return None;
        }
        let remembers = self.remember && !plan.uses_me;
        if let Some(walk) = plan.walk.clone()
            && let Some(result) = self.walk(&walk, scope, fuel)
        {
            return Some(result);
        }
        let key: Option<Key> = remembers.then(|| (number, scope.args.into()));
        if let Some(key) = &key
            && let Some((known, used)) = self.results.get(key)
        {
            return Some(burn(fuel, *used).map(|()| known.clone()));
        }
        let before = *fuel;
        let library = self.library;
        let result = self.recurse(&library[number as usize].body, scope, fuel)?;
        if let (Some(key), Ok(value)) = (key, &result) {
            self.keep(key, value.clone(), before - *fuel);
        }
        Some(result)
    }

    /// Goes through a list; `None`, and no fuel is used, if the program would not go through it to the end.
    fn walk(&mut self, walk: &Walk, scope: Direct<'_>, fuel: &mut u32) -> Option<Result<Value, Stuck>> {
        let (tokens, last) = walk.start(scope.args)?;
        let mut left = *fuel;
        let base = self.direct(&walk.base, Direct { args: &last, ..scope }, &mut left).ok()?;
        let joined = walk.finish(tokens, &base, scope.args, scope.me, MAX_LIST)?;
        let steps = tokens.len() + joined.len() / TOKENS_A_STEP;
        self.hold(joined.len()).ok()?;
        burn(&mut left, steps as u32).ok()?;
        *fuel = left;
        Some(Ok(Value::List(List(joined.into()))))
    }

    /// Pays for a value that was made by copying.
    fn copy(&mut self, value: &Value, fuel: &mut u32) -> Result<(), Stuck> {
        let Value::List(list) = value else { return Ok(()) };
        burn(fuel, (list.0.len() / TOKENS_A_STEP) as u32)?;
        self.hold(list.0.len())
    }

    /// Counts tokens that were copied: what a run may hold in memory.
    fn hold(&mut self, tokens: usize) -> Result<(), Stuck> {
        self.copied += tokens;
        if self.copied > MAX_COPIED { Err(Stuck::Fuel) } else { Ok(()) }
    }

    /// Remembers a result, and the fuel it took.
    fn keep(&mut self, key: Key, value: Value, fuel: u32) {
        if self.results.len() == MAX_REMEMBERED {
            self.results.clear();
        }
        self.results.insert(key, (value, fuel));
    }

    fn call_from(
        &mut self,
        number: u32,
        args: &[Value],
        scope: Direct<'_>,
        fuel: &mut u32,
    ) -> Result<Value, Stuck> {
        let program = self.library[..scope.limit].get(number as usize).ok_or(Stuck::Undefined)?;
        if args.len() != program.arity as usize {
            return Err(Stuck::Undefined);
        }
        let limit = number as usize;
        self.prepare(limit + 1);
        let plan = &self.plans[limit];
        if self.jump
            && let Some(Closed::Form(form)) = &plan.closed
            && let Some(args) = numbers(args)
            && let Some(value) = form.value(&args)
        {
            burn(fuel, 1)?;
            return value.map(Value::Nat);
        }
        let within = Direct { args, limit, depth: scope.depth + 1, body: None, ..scope };
        if self.jump && plan.flat && scope.depth < MAX_NESTED {
            return self.direct(&program.body, within, fuel);
        }
        if let Some(result) = self.recurse_into(number, within, fuel) {
            return result;
        }
        let callee = Callee { program, limit, number: Some(number) };
        let (result, left) = Machine::new(self, scope.me, *fuel).start(callee, args, PlanOf { own: None });
        *fuel = left;
        result
    }

    /// Evaluates an expression without `rec` that is not nested deep.
    pub(crate) fn eval(
        &mut self,
        expr: &Expr,
        args: &[Value],
        me: Option<&Value>,
        fuel: u32,
    ) -> Result<Value, Stuck> {
        self.copied = 0;
        let scope = Direct { args, me, limit: self.library.len(), depth: 0, body: None };
        self.direct(expr, scope, &mut { fuel })
    }

    /// Whether program `number` of the library gives the same result whatever the symbol's constant.
    pub(crate) fn ignores_me(&mut self, number: u32) -> bool {
        self.prepare(number as usize + 1);
        self.plans.get(number as usize).is_some_and(|plan| !plan.uses_me)
    }

    /// Makes the plans of the first `count` library programs.
    fn prepare(&mut self, count: usize) {
        for number in self.plans.len()..count.min(self.library.len()) {
            // A program calls only earlier ones, so that no cycle of calls can hide in a library.
            let known = Known { library: self.library, plans: &self.plans };
            self.plans.push(Plan::of(&self.library[number], known));
        }
    }
}

/// Expressions nested deeper, and calls within calls beyond this, are left to the machine.
pub(crate) const MAX_NESTED: usize = 64;
/// The same within programs that call themselves.
const MAX_NESTED_IN_CALLS: usize = 12;

/// What an expression sees while it is evaluated on the stack.
#[derive(Clone, Copy)]
struct Direct<'s> {
    args: &'s [Value],
    me: Option<&'s Value>,
    limit: usize,
    depth: usize,
    /// What `rec` calls.
    body: Option<&'s Expr>,
}

/// Lists longer than this are worth a look at how a program goes through them.
const LONG: usize = 24;

/// Programs of more arguments are left to the machine, and are not worth a plan.
const MAX_ARGS: usize = 4;

/// Whether an expression has no `rec` in it and is not nested too deep to be evaluated on the stack.
pub(crate) fn is_flat(expr: &Expr, depth: usize) -> bool {
    let parts = expr.parts();
    depth > 0
        && !matches!(expr, Expr::Rec(_))
        && parts.len() <= MAX_ARGS
        && parts.iter().all(|part| is_flat(part, depth - 1))
}

/// Whether an expression is nested so little that many calls of it have room on the stack.
pub(crate) fn is_shallow(expr: &Expr) -> bool {
    fn is_within(expr: &Expr, depth: usize) -> bool {
        let parts = expr.parts();
        depth > 0 && parts.len() <= MAX_ARGS && parts.iter().all(|part| is_within(part, depth - 1))
    }
    is_within(expr, MAX_NESTED_IN_CALLS)
}

/// One more than the highest number of a library program that an expression calls.
fn highest_call(expr: &Expr) -> usize {
    let own = if let Expr::Call(number, _) = expr { *number as usize + 1 } else { 0 };
    expr.parts().iter().map(highest_call).fold(own, usize::max)
}

/// The arguments as numbers, the places beyond them 0; `None` unless all are numbers.
fn numbers(args: &[Value]) -> Option<[u64; MAX_ARGS]> {
    let mut numbers = [0; MAX_ARGS];
    if args.len() > MAX_ARGS {
        return None;
    }
    for (number, value) in numbers.iter_mut().zip(args) {
        let Value::Nat(value) = value else { return None };
        *number = *value;
    }
    Some(numbers)
}

fn burn(fuel: &mut u32, amount: u32) -> Result<(), Stuck> {
    *fuel = fuel.checked_sub(amount).ok_or(Stuck::Fuel)?;
    Ok(())
}
