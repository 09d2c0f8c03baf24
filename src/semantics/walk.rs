//! Walks through lists: recursions that join what they make of each token, told from their structure, so that a list
//! is gone through once and nothing is copied at every step. The same rules hold for every program; none is known by name.
//!
//! A walk is a program `if x == nil then base else context[rec(cdr x)]`, or the same with `cdr x == nil`, whose
//! context only puts the first token of `x`, other arguments, constants and the result of `rec` in a row. Calls in the
//! context are unfolded: where `shift y = cdr (y ++ cons (car y) nil)`, the context `shift (cons (car x) (rec (cdr x)))`
//! is the result of `rec`, then the first token.

use crate::semantics::program::{Expr, Prim, Program};
use crate::symbol::Symbol;
use crate::value::Value;

/// A recursion through a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Walk {
    /// The argument that is gone through.
    through: usize,
    /// Whether it ends before the last token, and not after it.
    leaves_one: bool,
    /// What is left to evaluate at the end.
    pub base: Expr,
    before: Vec<Part>,
    after: Vec<Part>,
}

/// What stands in a row.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// The token the walk has come to.
    Here,
    /// What the rest of the walk gives.
    Rest,
    /// The same list at every step.
    Said(Expr),
}

impl Walk {
    /// The walk that `program` is, if it is one.
    pub(crate) fn of(program: &Program, library: &[Program]) -> Option<Walk> {
        let Expr::Apply(Prim::If, branches) = &program.body else { return None };
        let [Expr::Apply(Prim::Eq, exit), base, context] = branches.as_slice() else { return None };
        if base.any(&|expr| matches!(expr, Expr::Rec(_))) {
            return None;
        }
        let (through, leaves_one) = exit_of(exit)?;
        let mut unfolding = Unfolding { through, arity: program.arity, library, left: UNFOLDED };
        let parts = unfolding.list(context, None)?;
        let mut rests = (0..parts.len()).filter(|&place| parts[place] == Part::Rest);
        let (Some(rest), None) = (rests.next(), rests.next()) else { return None };
        let (before, after) = (parts[..rest].to_vec(), parts[rest + 1..].to_vec());
        Some(Walk { through: through as usize, leaves_one, base: base.clone(), before, after })
    }

    /// The tokens that are gone through with these arguments, and the arguments at the end.
    pub(crate) fn start<'a>(&self, args: &'a [Value]) -> Option<(&'a [Symbol], Vec<Value>)> {
        let Value::List(list) = args.get(self.through)? else { return None };
        let end = list.0.len().checked_sub(usize::from(self.leaves_one))?;
        let mut last = args.to_vec();
        last[self.through] = Value::list(&list.0[end..]);
        Some((&list.0[..end], last))
    }

    /// What comes of going through `tokens`, given the value of the base; `None` where something is no list, or more
    /// than `most` tokens would come of it.
    pub(crate) fn finish(
        &self,
        tokens: &[Symbol],
        base: &Value,
        args: &[Value],
        me: Option<&Value>,
        most: usize,
    ) -> Option<Vec<Symbol>> {
        let before = said(&self.before, args, me)?;
        let after = said(&self.after, args, me)?;
        let Value::List(base) = base else { return None };
        let step = length(&before).checked_add(length(&after))?;
        let all = step.checked_mul(tokens.len())?.checked_add(base.0.len())?;
        if all > most {
            return None;
        }
        let mut joined = Vec::with_capacity(all);
        tokens.iter().for_each(|&token| say(&before, token, &mut joined));
        joined.extend_from_slice(&base.0);
        tokens.iter().rev().for_each(|&token| say(&after, token, &mut joined));
        Some(joined)
    }
}

/// The lists among parts; `None` stands for the token the walk has come to.
fn said<'a>(
    parts: &'a [Part],
    args: &'a [Value],
    me: Option<&'a Value>,
) -> Option<Vec<Option<&'a [Symbol]>>> {
    let list = |value: Option<&'a Value>| match value {
        Some(Value::List(list)) => Some(Some(&*list.0)),
        _ => None,
    };
    let one = |part: &'a Part| match part {
        Part::Here => Some(None),
        Part::Said(Expr::Arg(number)) => list(args.get(*number as usize)),
        Part::Said(Expr::Me) => list(me),
        Part::Said(Expr::Tokens(tokens)) => Some(Some(&*tokens.0)),
        Part::Said(_) | Part::Rest => None,
    };
    parts.iter().map(one).collect()
}

fn length(parts: &[Option<&[Symbol]>]) -> usize {
    parts.iter().map(|part| part.map_or(1, <[Symbol]>::len)).fold(0, usize::saturating_add)
}

fn say(parts: &[Option<&[Symbol]>], here: Symbol, joined: &mut Vec<Symbol>) {
    for part in parts {
        match part {
            Some(list) => joined.extend_from_slice(list),
            None => joined.push(here),
        }
    }
}

/// Which argument a walk with this exit goes through, and whether it leaves one token.
fn exit_of(exit: &[Expr]) -> Option<(u8, bool)> {
    let nil = Expr::Apply(Prim::Nil, Vec::new());
    let other = match exit {
        [a, b] if *a == nil => b,
        [a, b] if *b == nil => a,
        _ => return None,
    };
    match other {
        Expr::Arg(number) => Some((*number, false)),
        Expr::Apply(Prim::Cdr, parts) => match parts.as_slice() {
            [Expr::Arg(number)] => Some((*number, true)),
            _ => None,
        },
        _ => None,
    }
}

/// So many parts of contexts are looked at.
const UNFOLDED: usize = 200;

/// Works out what a context puts in a row. Nothing that could be undefined is left out: of what `cdr` drops and `car`
/// takes, only the token the walk has come to is allowed, which is there.
struct Unfolding<'a> {
    through: u8,
    arity: u8,
    library: &'a [Program],
    left: usize,
}

impl Unfolding<'_> {
    /// What a list is made of; `args` are what the arguments of a call are made of.
    fn list(&mut self, expr: &Expr, args: Option<&[Vec<Part>]>) -> Option<Vec<Part>> {
        self.left = self.left.checked_sub(1)?;
        match (expr, expr.parts()) {
            (Expr::Arg(number), _) => match args {
                Some(args) => args.get(*number as usize).cloned(),
                None => (*number != self.through).then(|| vec![Part::Said(expr.clone())]),
            },
            (Expr::Me | Expr::Tokens(_), _) => Some(vec![Part::Said(expr.clone())]),
            (Expr::Apply(Prim::Nil, _), _) => Some(Vec::new()),
            (Expr::Apply(Prim::Append, _), [a, b]) => {
                let mut parts = self.list(a, args)?;
                parts.extend(self.list(b, args)?);
                self.bounded(parts)
            }
            (Expr::Apply(Prim::Cons, _), [first, rest]) => {
                let mut parts = vec![self.token(first, args)?];
                parts.extend(self.list(rest, args)?);
                self.bounded(parts)
            }
            (Expr::Apply(Prim::Cdr, _), [of]) => {
                let parts = self.list(of, args)?;
                (parts.first() == Some(&Part::Here)).then(|| parts[1..].to_vec())
            }
            (Expr::Rec(_), steps) if args.is_none() => self.rest(steps),
            (Expr::Call(number, _), given) => {
                let program = self.library.get(*number as usize)?;
                let given: Option<Vec<Vec<Part>>> = given.iter().map(|part| self.list(part, args)).collect();
                given.and_then(|given| self.list(&program.body, Some(&given)))
            }
            _ => None,
        }
    }

    /// The only token that is known to be there.
    fn token(&mut self, expr: &Expr, args: Option<&[Vec<Part>]>) -> Option<Part> {
        let Expr::Apply(Prim::Car, parts) = expr else { return None };
        let [of] = parts.as_slice() else { return None };
        if args.is_none() && *of == Expr::Arg(self.through) {
            return Some(Part::Here);
        }
        let first = self.list(of, args)?.into_iter().next();
        first.filter(|part| *part == Part::Here)
    }

    /// The next step goes one token further and leaves everything else as it is.
    fn rest(&self, steps: &[Expr]) -> Option<Vec<Part>> {
        let further = Expr::Apply(Prim::Cdr, vec![Expr::Arg(self.through)]);
        let goes_on = |(number, step): (usize, &Expr)| match number as u8 == self.through {
            true => *step == further,
            false => *step == Expr::Arg(number as u8),
        };
        let all = steps.len() == self.arity as usize && steps.iter().enumerate().all(goes_on);
        all.then(|| vec![Part::Rest])
    }

    fn bounded(&self, parts: Vec<Part>) -> Option<Vec<Part>> {
        (parts.len() <= UNFOLDED).then_some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(arity: u8, body: &str) -> Program {
        Program { arity, body: body.parse().unwrap() }
    }

    /// What a program makes of `a b c` (and `z` as its second argument), if it is a walk.
    #[track_caller]
    fn check(arity: u8, body: &str, expected: Option<&str>) {
        let library = [program(1, "(cdr (++ x (cons (car x) nil)))"), program(1, "(++ x x)")];
        let list =
            |text: &str| Value::list(&text.bytes().map(|byte| Symbol(byte.into())).collect::<Vec<_>>());
        let args = [list("abc"), list("z")];
        let args = &args[..arity.into()];
        let walk = Walk::of(&program(arity, body), &library);
        let found = walk.and_then(|walk| {
            let (tokens, last) = walk.start(args)?;
            walk.finish(tokens, &last[0], args, Some(&list("m")), 100)
        });
        let text =
            found.map(|tokens| tokens.iter().map(|token| char::from(token.0 as u8)).collect::<String>());
        assert_eq!(text.as_deref(), expected, "{body}");
    }

    #[test]
    fn what_joins_tokens_is_a_walk() {
        check(1, "(if (== x nil) x (++ (rec (cdr x)) (cons (car x) nil)))", Some("cba"));
        check(1, "(if (== nil x) x (#0 (cons (car x) (rec (cdr x)))))", Some("cba"));
        check(1, "(if (== (cdr x) nil) x (cons (car x) (rec (cdr x))))", Some("abc"));
        check(2, "(if (== x nil) x (++ y (cons (car x) (++ me (rec (cdr x) y)))))", Some("zamzbmzcm"));
        check(1, "(if (== x nil) x (#0 (#0 (cons (car x) (cons (car x) (rec (cdr x)))))))", Some("ccbbaa"));
    }

    #[test]
    fn what_looks_further_or_twice_is_none() {
        check(1, "(if (== x nil) x (++ (rec (cdr x)) x))", None);
        check(1, "(if (== x nil) x (++ (rec (cdr x)) (cons (car (cdr x)) nil)))", None);
        check(1, "(if (== x nil) x (#1 (rec (cdr x))))", None);
        check(1, "(if (== x nil) x (rec (cdr (cdr x))))", None);
        check(1, "(if (== x nil) x (cdr (rec (cdr x))))", None);
        check(2, "(if (== x nil) x (cons (car x) (rec (cdr x) x)))", None);
        check(1, "(if (== x nil) (rec x) (cons (car x) (rec (cdr x))))", None);
    }
}
