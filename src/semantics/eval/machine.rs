//! The explicit machine: no depth of calls can exhaust the stack.

use super::{Evaluator, Key, Stuck, burn, numbers, primitives};
use crate::semantics::closed::{self, Closed, Plan};
use crate::semantics::program::{Expr, Prim, Program};
use crate::value::Value;

/// A program about to run, with the number of library programs it may call.
#[derive(Clone, Copy)]
pub(super) struct Callee<'p> {
    pub(super) program: &'p Program,
    pub(super) limit: usize,
    pub(super) number: Option<u32>,
}

/// The plan of the program that the machine was started with.
#[derive(Clone, Copy)]
pub(super) struct PlanOf<'p> {
    pub(super) own: Option<&'p Plan>,
}

/// What is left to do.
enum Task<'p> {
    Eval(&'p Expr),
    Apply(Prim, usize),
    Choose(&'p [Expr]),
    Call(u32, usize),
    Rec(usize),
    /// Adds to the number on top, not going below 0.
    Add(i128),
    Return,
}

/// A call in progress: its arguments lie on the stack of values from `base` on.
struct Frame<'p> {
    callee: Callee<'p>,
    base: usize,
    /// What to remember the result under, and the fuel there was at the start.
    key: Option<(Key, u32)>,
}

pub(super) struct Machine<'m, 'a, 'p> {
    evaluator: &'m mut Evaluator<'a>,
    me: Option<&'p Value>,
    fuel: u32,
    values: Vec<Value>,
    tasks: Vec<Task<'p>>,
    frames: Vec<Frame<'p>>,
}

impl<'m, 'a: 'p, 'p> Machine<'m, 'a, 'p> {
    pub(super) fn new(
        evaluator: &'m mut Evaluator<'a>,
        me: Option<&'p Value>,
        fuel: u32,
    ) -> Machine<'m, 'a, 'p> {
        let values = Vec::with_capacity(16);
        Machine { evaluator, me, fuel, values, tasks: Vec::with_capacity(16), frames: Vec::with_capacity(4) }
    }

    /// Runs a program; also says how much fuel is left.
    pub(super) fn start(
        mut self,
        callee: Callee<'p>,
        args: &[Value],
        plan: PlanOf<'_>,
    ) -> (Result<Value, Stuck>, u32) {
        self.values.extend_from_slice(args);
        (self.finish(callee, plan), self.fuel)
    }

    fn finish(&mut self, callee: Callee<'p>, plan: PlanOf<'_>) -> Result<Value, Stuck> {
        self.enter(callee, self.values.len(), plan)?;
        while let Some(task) = self.tasks.pop() {
            self.perform(task, plan)?;
        }
        self.values.pop().ok_or(Stuck::Undefined)
    }

    fn perform(&mut self, task: Task<'p>, plan: PlanOf<'_>) -> Result<(), Stuck> {
        match task {
            Task::Eval(expr) => return self.eval(expr),
            Task::Apply(prim, count) => {
                let start = self.values.len() - count;
                let value = primitives::apply(prim, &self.values[start..])?;
                self.evaluator.copy(&value, &mut self.fuel)?;
                self.values.truncate(start);
                self.values.push(value);
            }
            Task::Choose(branches) => match self.values.pop() {
                Some(Value::Bool(true)) => self.tasks.push(Task::Eval(&branches[0])),
                Some(Value::Bool(false)) => self.tasks.push(Task::Eval(&branches[1])),
                _ => return Err(Stuck::Undefined),
            },
            Task::Rec(count) => {
                let Frame { callee, base, .. } = *self.frames.last().ok_or(Stuck::Undefined)?;
                let (before, args) = self.values.split_at(self.values.len() - count);
                if before.get(base..base + count) == Some(args) {
                    return Err(Stuck::Fuel); // The same call again would never end.
                }
                return self.enter(callee, count, plan);
            }
            Task::Call(number, count) => {
                let limit = self.frames.last().map_or(0, |frame| frame.callee.limit);
                let library: &'a [Program] = self.evaluator.library;
                let program = library[..limit].get(number as usize).ok_or(Stuck::Undefined)?;
                let callee = Callee { program, limit: number as usize, number: Some(number) };
                return self.enter(callee, count, plan);
            }
            Task::Add(amount) => self.add(amount)?,
            Task::Return => self.leave(),
        }
        Ok(())
    }

    fn eval(&mut self, expr: &'p Expr) -> Result<(), Stuck> {
        burn(&mut self.fuel, 1)?;
        let (task, parts): (Task<'p>, &'p [Expr]) = match expr {
            Expr::Arg(number) => {
                let frame = self.frames.last().ok_or(Stuck::Undefined)?;
                if *number >= frame.callee.program.arity {
                    return Err(Stuck::Undefined);
                }
                self.values.push(self.values[frame.base + *number as usize].clone());
                return Ok(());
            }
            Expr::Me => {
                self.values.push(self.me.ok_or(Stuck::Undefined)?.clone());
                return Ok(());
            }
            Expr::Tokens(list) => {
                self.values.push(Value::List(list.clone()));
                return Ok(());
            }
            Expr::Apply(Prim::If, parts) => match parts.as_slice() {
                [condition, branches @ ..] if branches.len() == 2 => {
                    (Task::Choose(branches), std::slice::from_ref(condition))
                }
                _ => return Err(Stuck::Undefined),
            },
            Expr::Apply(prim, parts) => (Task::Apply(*prim, parts.len()), parts),
            Expr::Call(number, parts) => (Task::Call(*number, parts.len()), parts),
            Expr::Rec(parts) => (Task::Rec(parts.len()), parts),
        };
        self.tasks.push(task);
        self.tasks.extend(parts.iter().rev().map(Task::Eval));
        Ok(())
    }

    /// Starts a call whose `count` arguments lie on top of the values.
    fn enter(&mut self, callee: Callee<'p>, count: usize, plan: PlanOf<'_>) -> Result<(), Stuck> {
        if count != callee.program.arity as usize {
            return Err(Stuck::Undefined);
        }
        let mut base = self.values.len() - count;
        let outside = self.frames.last().is_none_or(|frame| frame.callee.number != callee.number);
        let key = if outside { self.key(callee, base) } else { None };
        if let Some(key) = &key
            && let Some((known, fuel)) = self.evaluator.results.get(key)
        {
            burn(&mut self.fuel, *fuel)?;
            self.values.truncate(base);
            self.values.push(known.clone());
            return Ok(());
        }
        // The last thing a call does may use its place: loops then need no memory.
        let tail = matches!((self.tasks.last(), self.frames.last()), (Some(Task::Return), Some(_)));
        let mut key = key.map(|key| (key, self.fuel));
        if tail && let Some(frame) = self.frames.pop() {
            self.values.drain(frame.base..base);
            base = frame.base;
            key = frame.key;
        } else {
            self.tasks.push(Task::Return);
        }
        self.frames.push(Frame { callee, base, key });
        match self.jump(callee, base, plan)? {
            true => Ok(()),
            false => {
                self.tasks.push(Task::Eval(&callee.program.body));
                Ok(())
            }
        }
    }

    /// What the result of a call is to be remembered under, if that is worth while.
    fn key(&mut self, callee: Callee<'p>, base: usize) -> Option<Key> {
        let number = callee.number.filter(|_| self.evaluator.remember)?;
        self.evaluator.prepare(number as usize + 1);
        let plan = &self.evaluator.plans[number as usize];
        let worth = plan.recursive && !plan.uses_me && plan.closed.is_none();
        worth.then(|| (number, self.values[base..].into()))
    }

    /// Goes straight to the end of a call, where its plan says how.
    fn jump(&mut self, callee: Callee<'p>, base: usize, plan: PlanOf<'_>) -> Result<bool, Stuck> {
        let plan = match callee.number {
            None => plan.own,
            Some(_) if !self.evaluator.jump => None,
            Some(number) => {
                self.evaluator.prepare(number as usize + 1);
                self.evaluator.plans.get(number as usize)
            }
        };
        let Some(closed) = plan.and_then(|plan| plan.closed.as_ref()) else { return Ok(false) };
        let count = self.values.len() - base;
        let Some(args) = numbers(&self.values[base..]) else { return Ok(false) };
        let args = &args[..count];
        match closed {
            Closed::Form(form) => {
                let Some(value) = form.value(args) else { return Ok(false) };
                self.values.push(Value::Nat(value?));
                burn(&mut self.fuel, 1)?;
            }
            Closed::Loop(looped) => {
                let Some(end) = looped.end(args) else { return Ok(false) };
                let (end, Some(rest)) = (end?, closed::base(callee.program)) else { return Ok(false) };
                for (slot, number) in self.values[base..].iter_mut().zip(end.args) {
                    *slot = Value::Nat(number);
                }
                if end.amount != 0 {
                    self.tasks.push(Task::Add(end.amount));
                }
                self.tasks.push(Task::Eval(rest));
            }
        }
        Ok(true)
    }

    fn add(&mut self, amount: i128) -> Result<(), Stuck> {
        let Some(Value::Nat(number)) = self.values.last_mut() else { return Err(Stuck::Undefined) };
        let sum = i128::from(*number).checked_add(amount).ok_or(Stuck::Fuel)?;
        *number = u64::try_from(sum.max(0)).map_err(|_| Stuck::Fuel)?;
        Ok(())
    }

    /// Ends a call: its result takes the place of its arguments.
    fn leave(&mut self) {
        let (Some(frame), Some(value)) = (self.frames.pop(), self.values.pop()) else { return };
        self.values.truncate(frame.base);
        if let Some((key, fuel)) = frame.key {
            self.evaluator.keep(key, value.clone(), fuel - self.fuel);
        }
        self.values.push(value);
    }
}
