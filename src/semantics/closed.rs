//! Closed forms: what a program computes on numbers, told from its structure, so that repeated application
//! need not be repeated. The same rules hold for every program; none is known by name.
//!
//! A [`Form`] is `max(0, c + k0 x0 + k1 x1 + ...)`: what `0`, `inc`, `dec` and calls of programs with such a
//! form compute. A [`Loop`] is a program `if l == r then base else context[rec(steps)]` whose arguments move
//! by the same distance at every step and whose context adds the same amount at every step. Then the number
//! of steps `n` is the first at which two straight lines meet, and the result is that of the base plus `n`
//! times the amount. Where a loop counts one argument down to 0 by ones, its result is a form again, so that
//! loops over loops (x over +, division over -) take one step as well.
//!
//! All this holds for arguments that are numbers; the caller checks that they are.

use crate::semantics::eval::{self, Stuck};
use crate::semantics::program::{Expr, Prim, Program};
use crate::semantics::walk::Walk;
use std::sync::Arc;

/// `max(0, constant + sum of coefficient * argument)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    constant: i64,
    coefficients: Vec<i64>,
}

/// What is known about the result of a program on numbers.
#[derive(Clone, Debug)]
pub(crate) enum Closed {
    /// A form of the arguments.
    Form(Form),
    /// A recursion whose number of steps can be computed.
    Loop(Box<Loop>),
}

/// A recursion with uniform steps.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The recursion ends when these two are equal.
    exit: [Form; 2],
    /// What is added to each argument at each step; it depends only on arguments that stay as they are.
    steps: Vec<Sum>,
    /// What the context adds at each step; it depends only on arguments that stay as they are.
    amount: Sum,
}

/// A sum without the cut at 0.
type Sum = Form;

/// Where a loop ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// The arguments of the last call.
    pub args: Vec<u64>,
    /// What the contexts of all steps together add to the result of the base.
    pub amount: i128,
}

impl Form {
    fn number(arity: usize, constant: i64) -> Form {
        Form { constant, coefficients: vec![0; arity] }
    }

    fn argument(arity: usize, number: usize) -> Form {
        let mut form = Form::number(arity, 0);
        form.coefficients[number] = 1;
        form
    }

    /// Whether the cut at 0 makes no difference.
    fn is_uncut(&self) -> bool {
        self.constant >= 0 && self.coefficients.iter().all(|&k| k >= 0)
    }

    fn is_never_positive(&self) -> bool {
        self.constant <= 0 && self.coefficients.iter().all(|&k| k <= 0)
    }

    fn add_times(&mut self, times: i64, other: &Form) -> Option<()> {
        self.constant = self.constant.checked_add(times.checked_mul(other.constant)?)?;
        for (k, other) in self.coefficients.iter_mut().zip(&other.coefficients) {
            *k = k.checked_add(times.checked_mul(*other)?)?;
        }
        Some(())
    }

    /// `max(0, constant + sum of times * part)`, if that is a form. A part that is itself cut at 0 fits only
    /// if nothing positive is added: `max(0, k max(0, a) - b) = max(0, k a - b)`.
    fn sum(arity: usize, constant: i64, parts: &[(i64, &Form)]) -> Option<Form> {
        let mut rest = Form::number(arity, constant);
        let mut cut = None;
        for &(times, part) in parts.iter().filter(|(times, _)| *times != 0) {
            match part.is_uncut() {
                true => rest.add_times(times, part)?,
                false if times > 0 && cut.is_none() => cut = Some((times, part)),
                false => return None,
            }
        }
        if let Some((times, part)) = cut {
            if !rest.is_never_positive() {
                return None;
            }
            rest.add_times(times, part)?;
        }
        // A cut that always strikes is the number 0; without this, it would count as cut for nothing.
        Some(if rest.is_never_positive() { Form::number(arity, 0) } else { rest })
    }

    /// This form of other forms.
    fn of(&self, arity: usize, parts: &[Form]) -> Option<Form> {
        let parts: Vec<(i64, &Form)> = self.coefficients.iter().copied().zip(parts).collect();
        Form::sum(arity, self.constant, &parts)
    }

    fn uncut_value(&self, args: &[u64]) -> Option<i128> {
        self.coefficients.iter().zip(args).try_fold(i128::from(self.constant), |sum, (&k, &arg)| {
            sum.checked_add(i128::from(k).checked_mul(i128::from(arg))?)
        })
    }

    /// The value; `None` if it cannot be computed here, `Err` if it leaves 64 bits.
    pub(crate) fn value(&self, args: &[u64]) -> Option<Result<u64, Stuck>> {
        Some(u64::try_from(self.uncut_value(args)?.max(0)).map_err(|_| Stuck::Fuel))
    }

    /// The value as a straight line: start and slope, for arguments that are straight lines.
    fn line(&self, lines: &[Line]) -> Option<Line> {
        let mut line = Line { start: i128::from(self.constant), slope: 0 };
        for (&k, other) in self.coefficients.iter().zip(lines) {
            line.start = line.start.checked_add(i128::from(k).checked_mul(other.start)?)?;
            line.slope = line.slope.checked_add(i128::from(k).checked_mul(other.slope)?)?;
        }
        // Far from the ends of 128 bits, so that differences and quotients below cannot leave them.
        (line.start.abs() < FAR && line.slope.abs() < FAR).then_some(line)
    }
}

/// `start + slope * t`.
#[derive(Clone, Copy, Debug)]
struct Line {
    start: i128,
    slope: i128,
}

impl Line {
    fn at(self, t: i128) -> Option<i128> {
        self.start.checked_add(self.slope.checked_mul(t)?)
    }

    /// The first `t` from `from` on at which the line is not positive.
    fn first_not_positive(self, from: i128) -> Option<Option<i128>> {
        Some(match self.at(from)? {
            value if value <= 0 => Some(from),
            _ if self.slope >= 0 => None,
            value => Some(from.checked_add(div_ceil(value, -self.slope))?),
        })
    }
}

/// Lines that start or rise beyond this are not followed.
const FAR: i128 = 1 << 100;

fn div_ceil(a: i128, b: i128) -> i128 {
    a / b + i128::from(a % b != 0)
}

/// The first `t` from `from` on at which `max(0, a) = max(0, b)`; the outer `None` if that leaves 128 bits.
fn meet(a: Line, b: Line, from: i128) -> Option<Option<i128>> {
    let gap = a.at(from)?.checked_sub(b.at(from)?).filter(|gap| *gap > i128::MIN)?;
    let slope = a.slope - b.slope;
    let crossing = match (gap, slope) {
        (0, _) => Some(from),
        (_, 0) => None,
        _ => (gap % slope == 0 && -(gap / slope) > 0).then(|| from.checked_sub(gap / slope)).flatten(),
    };
    // Both are cut at 0 from the later of the two on, if neither rises again; a rising line is at or below 0
    // only at first, so that it suffices to look at the moment itself.
    let zero = match (a.first_not_positive(from)?, b.first_not_positive(from)?) {
        (Some(a_zero), Some(b_zero)) => {
            let t = a_zero.max(b_zero);
            (a.at(t)? <= 0 && b.at(t)? <= 0).then_some(t)
        }
        _ => None,
    };
    Some(match (crossing, zero) {
        (Some(crossing), Some(zero)) => Some(crossing.min(zero)),
        (crossing, zero) => crossing.or(zero),
    })
}

impl Loop {
    /// Where the loop ends when started with `args`; `Err` if it never does, or leaves 64 bits before.
    /// `None` if it cannot be computed here.
    pub(crate) fn end(&self, args: &[u64]) -> Option<Result<End, Stuck>> {
        let mut slopes = Vec::with_capacity(args.len());
        for step in &self.steps {
            slopes.push(step.uncut_value(args).filter(|slope| slope.abs() < FAR)?);
        }
        let Some(n) = self.count(args, &slopes)? else { return Some(Err(Stuck::Fuel)) };
        let mut last = Vec::with_capacity(args.len());
        for (&arg, &slope) in args.iter().zip(&slopes) {
            match u64::try_from(i128::from(arg).checked_add(slope.checked_mul(n)?)?.max(0)) {
                Ok(arg) => last.push(arg),
                Err(_) => return Some(Err(Stuck::Fuel)),
            }
        }
        let amount = self.amount.uncut_value(args)?.checked_mul(n)?;
        Some(Ok(End { args: last, amount }))
    }

    /// The number of steps. Arguments that fall stop at 0, one after the other; between two such moments all
    /// lines are straight.
    fn count(&self, args: &[u64], slopes: &[i128]) -> Option<Option<i128>> {
        let mut lines: Vec<Line> =
            args.iter().zip(slopes).map(|(&arg, &slope)| Line { start: i128::from(arg), slope }).collect();
        let mut from = 0;
        loop {
            let mut until: Option<i128> = None;
            for line in lines.iter_mut().filter(|line| line.slope < 0) {
                let zero = div_ceil(line.start, -line.slope);
                if zero <= from {
                    *line = Line { start: 0, slope: 0 };
                } else {
                    until = Some(until.map_or(zero, |until| until.min(zero)));
                }
            }
            let met = meet(self.exit[0].line(&lines)?, self.exit[1].line(&lines)?, from)?;
            match (met, until) {
                (Some(t), Some(until)) if t >= until => from = until,
                (Some(t), _) => return Some(Some(t)),
                (None, Some(until)) => from = until,
                (None, None) => return Some(None),
            }
        }
    }

    /// The result as a form, if the loop counts an argument down to 0 by ones and all else moves by fixed
    /// numbers.
    fn form(&self, base: &Form) -> Option<Form> {
        let arity = self.steps.len();
        let zero = Form::number(arity, 0);
        let counter = (0..arity).find(|&number| {
            let argument = Form::argument(arity, number);
            let [l, r] = &self.exit;
            self.steps[number] == Form::number(arity, -1)
                && ((*l == argument && *r == zero) || (*l == zero && *r == argument))
        })?;
        let fixed = |form: &Form| form.coefficients.iter().all(|&k| k == 0).then_some(form.constant);
        let times = Form::argument(arity, counter);
        let mut last = Vec::with_capacity(arity);
        for (number, step) in self.steps.iter().enumerate() {
            let argument = Form::argument(arity, number);
            last.push(match number == counter {
                true => zero.clone(),
                false => Form::sum(arity, 0, &[(1, &argument), (fixed(step)?, &times)])?,
            });
        }
        Form::sum(arity, 0, &[(1, &base.of(arity, &last)?), (fixed(&self.amount)?, &times)])
    }
}

/// A loop's parts, as they stand in the program.
struct Shape<'a> {
    exit: &'a [Expr],
    base: &'a Expr,
    context: &'a Expr,
    steps: &'a [Expr],
}

/// The parts of a program `if l == r then base else context[rec(steps)]` with one call of itself.
fn shape(program: &Program) -> Option<Shape<'_>> {
    let Expr::Apply(Prim::If, branches) = &program.body else { return None };
    let [Expr::Apply(Prim::Eq, exit), base, context] = branches.as_slice() else { return None };
    let calls = |expr: &Expr| expr.count(&|expr| matches!(expr, Expr::Rec(_)));
    if exit.iter().any(|part| calls(part) > 0) || calls(base) > 0 || calls(context) != 1 {
        return None;
    }
    let steps = rec_parts(context)?;
    (steps.len() == program.arity as usize && exit.len() == 2).then_some(Shape { exit, base, context, steps })
}

fn rec_parts(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Rec(parts) => Some(parts),
        _ => expr.parts().iter().find_map(rec_parts),
    }
}

/// The base of a program with a closed loop: what is left to evaluate at its end.
pub(crate) fn base(program: &Program) -> Option<&Expr> {
    program.body.parts().get(1)
}

/// What can be told of a program from its text.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What it computes on numbers, if that is simple.
    pub closed: Option<Closed>,
    /// What it does with lists, if that is simple.
    pub walk: Option<Arc<Walk>>,
    /// Whether it has no `rec` of its own and may be evaluated on the stack.
    pub flat: bool,
    /// Whether it may be evaluated on the stack if it calls itself not too often.
    pub shallow: bool,
    /// Whether it, or a program that it calls, calls itself.
    pub recursive: bool,
    /// Whether it, or a program that it calls, uses the constant of the symbol.
    pub uses_me: bool,
    /// Whether it gives a number, if anything, when all its arguments are numbers.
    is_number: bool,
}

impl Plan {
    /// What can be told of `program`, which may call the programs with these plans.
    pub(crate) fn of(program: &Program, known: Known<'_>) -> Plan {
        let callee = |expr: &Expr, test: &dyn Fn(&Plan) -> bool| match expr {
            Expr::Call(number, _) => known.plans.get(*number as usize).is_some_and(test),
            _ => false,
        };
        let body = &program.body;
        Plan {
            closed: analyse(program, known),
            walk: Walk::of(program, &known.library[..known.plans.len()]).map(Arc::new),
            flat: eval::is_flat(body, eval::MAX_NESTED),
            shallow: eval::is_shallow(body),
            recursive: body
                .any(&|expr| matches!(expr, Expr::Rec(_)) || callee(expr, &|plan: &Plan| plan.recursive)),
            uses_me: body.any(&|expr| *expr == Expr::Me || callee(expr, &|plan: &Plan| plan.uses_me)),
            is_number: is_number(body, known),
        }
    }
}

/// A library and what is known of its programs.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// The programs.
    pub library: &'a [Program],
    /// The plans of as many of them as may be called.
    pub plans: &'a [Plan],
}

fn analyse(program: &Program, known: Known<'_>) -> Option<Closed> {
    let arity = program.arity as usize;
    match shape(program) {
        None => form(&program.body, arity, arity, known).map(Closed::Form),
        Some(shape) => {
            let looped = uniform(&shape, arity, known)?;
            let base = form(shape.base, arity, arity, known);
            Some(match base.and_then(|base| looped.form(&base)) {
                Some(form) => Closed::Form(form),
                None => Closed::Loop(Box::new(looped)),
            })
        }
    }
}

fn uniform(shape: &Shape<'_>, arity: usize, known: Known<'_>) -> Option<Loop> {
    // Whether a context is passed through unchanged matters only for values that are no numbers.
    if !matches!(shape.context, Expr::Rec(_)) && !is_number(shape.base, known) {
        return None;
    }
    let mut steps = Vec::with_capacity(arity);
    for step in shape.steps {
        steps.push(form(step, arity, arity, known)?);
    }
    let stays: Vec<bool> = (0..arity).map(|number| steps[number] == Form::argument(arity, number)).collect();
    let is_fixed = |form: &Form| (0..arity).all(|number| stays[number] || form.coefficients[number] == 0);
    for (number, step) in steps.iter_mut().enumerate() {
        step.coefficients[number] = step.coefficients[number].checked_sub(1)?;
        if !is_fixed(step) {
            return None;
        }
    }
    let mut amount = form(shape.context, arity + 1, arity, known)?;
    if amount.coefficients.pop()? != 1 || !is_fixed(&amount) {
        return None;
    }
    let exit = [form(&shape.exit[0], arity, arity, known)?, form(&shape.exit[1], arity, arity, known)?];
    Some(Loop { exit, steps, amount })
}

/// The form of an expression in `width` variables: the arguments, and the result of `rec` after them.
fn form(expr: &Expr, width: usize, arity: usize, known: Known<'_>) -> Option<Form> {
    match expr {
        Expr::Arg(number) => ((*number as usize) < arity).then(|| Form::argument(width, *number as usize)),
        Expr::Apply(Prim::Zero, parts) if parts.is_empty() => Some(Form::number(width, 0)),
        Expr::Apply(prim @ (Prim::Inc | Prim::Dec), parts) if parts.len() == 1 => {
            let step = if *prim == Prim::Inc { 1 } else { -1 };
            Form::sum(width, step, &[(1, &form(&parts[0], width, arity, known)?)])
        }
        Expr::Call(number, parts) => {
            let program = known.library.get(*number as usize)?;
            let Some(Closed::Form(callee)) = &known.plans.get(*number as usize)?.closed else { return None };
            let parts: Option<Vec<Form>> = parts.iter().map(|part| form(part, width, arity, known)).collect();
            let parts = parts.filter(|parts| parts.len() == program.arity as usize)?;
            callee.of(width, &parts)
        }
        Expr::Rec(_) if width > arity => Some(Form::argument(width, arity)),
        _ => None,
    }
}

/// Whether the value, if there is one, must be a number when all arguments are.
fn is_number(expr: &Expr, known: Known<'_>) -> bool {
    match expr {
        Expr::Arg(_) | Expr::Rec(_) | Expr::Apply(Prim::Zero | Prim::Inc | Prim::Dec, _) => true,
        Expr::Apply(Prim::If, parts) => parts.iter().skip(1).all(|part| is_number(part, known)),
        Expr::Call(number, parts) => {
            known.plans.get(*number as usize).is_some_and(|plan| plan.is_number)
                && parts.iter().all(|part| is_number(part, known))
        }
        Expr::Me | Expr::Tokens(_) | Expr::Apply(..) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plans(bodies: &[&str]) -> Vec<Plan> {
        let library: Vec<Program> =
            bodies.iter().map(|body| Program { arity: 2, body: body.parse().unwrap() }).collect();
        let mut plans: Vec<Plan> = Vec::new();
        for program in &library {
            plans.push(Plan::of(program, Known { library: &library, plans: &plans }));
        }
        plans
    }

    #[test]
    fn counting_down_to_0_is_a_form() {
        for (body, constant, coefficients) in [
            ("(if (== x 0) y (inc (rec (dec x) y)))", 0, [1, 1]),
            ("(if (== 0 y) x (rec (inc (inc x)) (dec y)))", 0, [1, 2]),
            ("(if (== y 0) x (dec (rec x (dec y))))", 0, [1, -1]),
            ("(if (== y 0) (dec x) (rec (dec x) (dec y)))", -1, [1, -1]),
            ("(dec (dec (inc y)))", -1, [0, 1]),
        ] {
            let plan = plans(&[body]).remove(0);
            let form = Form { constant, coefficients: coefficients.to_vec() };
            assert!(matches!(&plan.closed, Some(Closed::Form(other)) if *other == form), "{body}: {plan:?}");
        }
    }

    #[test]
    fn loops_over_loops_end_at_once() {
        let plans = plans(&[
            "(if (== x 0) y (inc (rec (dec x) y)))",
            "(if (== y 0) x (rec (dec x) (dec y)))",
            "(if (== y 0) 0 (#0 x (rec x (dec y))))",
            "(if (== x 0) 0 (inc (rec (#1 x y) y)))",
        ]);
        let end = |number: usize, args: [u64; 2]| match &plans[number].closed {
            Some(Closed::Loop(looped)) => looped.end(&args).unwrap(),
            other => panic!("{other:?}"),
        };
        assert_eq!(end(2, [99, 99]), Ok(End { args: vec![99, 0], amount: 9_801 }));
        assert_eq!(end(3, [9_990, 7]), Ok(End { args: vec![0, 7], amount: 1_428 }));
        assert_eq!(end(3, [5, 0]), Err(Stuck::Fuel));
    }

    #[test]
    fn what_is_not_uniform_is_left_alone() {
        for body in [
            "(if (== x 0) y (rec (dec y) x))",
            "(if (== x 0) y (#0 (rec (dec x) y) (rec (dec x) y)))",
            "(if (== x 0) nil (inc (rec (dec x) y)))",
            "(inc (dec x))",
            "(if (== x nil) y (rec (cdr x) y))",
        ] {
            assert!(plans(&[body]).remove(0).closed.is_none(), "{body}");
        }
    }
}
