//! Templates: programs that put their arguments between tokens of their own, read off a single result.
//!
//! `red x = RED ( x )` says tokens that no child brings. A search would have to guess them; but where the result is
//! wanted and the children's values are known, what is left of the result is what the program says.

use crate::semantics::program::{Expr, Prim, Program};
use crate::symbol::Symbol;
use crate::value::{List, Value};

/// A program and the constant it is run with.
pub type Template = (Program, Option<Value>);

/// The programs that give `want` by joining each argument once, in any order, with tokens between them, and the
/// constant to run each with. They say `own`, the constant of the symbol, once where they say it at all, and other tokens only
/// if `may_say` lets them. A symbol whose own constant is not said has the first tokens for one, so that symbols which
/// differ in those share a program.
pub fn templates(
    args: &[Value],
    own: Option<&Value>,
    want: &Value,
    may_say: &dyn Fn(Symbol) -> bool,
) -> Vec<Template> {
    let lists: Option<Vec<&[Symbol]>> = args.iter().map(|arg| tokens_of(Some(arg))).collect();
    let (Some(lists), Some(want)) = (lists, tokens_of(Some(want))) else { return Vec::new() };
    let own = tokens_of(own);
    let mut found: Vec<Template> = Vec::new();
    for order in orders(args.len()) {
        let Some(pieces) = split(want, &order, &lists) else { continue };
        let Some(template) = template(pieces, own, may_say) else { continue };
        let template = (Program { arity: args.len() as u8, body: template.0 }, template.1);
        if !found.contains(&template) {
            found.push(template);
        }
    }
    found
}

/// The tokens of a list that is not empty.
fn tokens_of(value: Option<&Value>) -> Option<&[Symbol]> {
    match value {
        Some(Value::List(list)) if !list.0.is_empty() => Some(&list.0),
        _ => None,
    }
}

/// All orders of so many arguments.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for arg in 0..count {
        let with = |order: &Vec<usize>, place: usize| {
            let mut order = order.clone();
            order.insert(place, arg);
            order
        };
        orders = orders.iter().flat_map(|order| (0..=arg).map(move |place| with(order, place))).collect();
    }
    orders
}

/// A part of a result.
enum Piece<'a> {
    Arg(usize),
    Said(&'a [Symbol]),
}

/// The result as arguments in this order, each at its first place, and what stands between them.
fn split<'a>(mut rest: &'a [Symbol], order: &[usize], args: &[&[Symbol]]) -> Option<Vec<Piece<'a>>> {
    let mut pieces = Vec::new();
    for &arg in order {
        let place = rest.windows(args[arg].len()).position(|window| window == args[arg])?;
        pieces.extend([Piece::Said(&rest[..place]), Piece::Arg(arg)]);
        rest = &rest[place + args[arg].len()..];
    }
    pieces.push(Piece::Said(rest));
    pieces.retain(|piece| !matches!(piece, Piece::Said([])));
    Some(pieces)
}

/// The template of these pieces and the constant it is run with, if it says more than that constant.
fn template(
    pieces: Vec<Piece<'_>>,
    own: Option<&[Symbol]>,
    may_say: &dyn Fn(Symbol) -> bool,
) -> Option<(Expr, Option<Value>)> {
    let mut me: Option<&[Symbol]> = None;
    let mut parts = Vec::new();
    for piece in &pieces {
        match piece {
            Piece::Arg(arg) => parts.push(Expr::Arg(*arg as u8)),
            Piece::Said(said) => match own.filter(|_| me.is_none()).and_then(|own| around(said, own)) {
                Some((before, after)) => {
                    me = own;
                    parts.extend([quoted(before), Some(Expr::Me), quoted(after)].into_iter().flatten());
                }
                None => parts.extend(quoted(said)),
            },
        }
    }
    let says = |part: &Expr| matches!(part, Expr::Tokens(_));
    if me.is_none()
        && let Some(first) = parts.iter().position(says)
    {
        me = pieces.iter().find_map(|piece| if let Piece::Said(said) = piece { Some(*said) } else { None });
        parts[first] = Expr::Me;
    }
    let free = |part: &Expr| {
        if let Expr::Tokens(said) = part { said.0.iter().all(|&token| may_say(token)) } else { true }
    };
    let constant_is_free = me == own || me.is_some_and(|me| me.iter().all(|&token| may_say(token)));
    let body =
        parts.iter().cloned().rev().reduce(|after, before| Expr::Apply(Prim::Append, vec![before, after]))?;
    (parts.iter().all(free) && constant_is_free && (me != own || parts.iter().any(says)))
        .then(|| (body, me.map(Value::list)))
}

/// What stands before and after the first place of `part` in `whole`.
fn around<'a>(whole: &'a [Symbol], part: &[Symbol]) -> Option<(&'a [Symbol], &'a [Symbol])> {
    let place = whole.windows(part.len()).position(|window| window == part)?;
    Some((&whole[..place], &whole[place + part.len()..]))
}

fn quoted(said: &[Symbol]) -> Option<Expr> {
    (!said.is_empty()).then(|| Expr::Tokens(List(said.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Value {
        Value::list(&text.bytes().map(|byte| Symbol(u32::from(byte - b'a'))).collect::<Vec<_>>())
    }

    /// Each template as `program with constant`; only tokens before `m` may be said.
    #[track_caller]
    fn check(args: &[&str], own: &str, want: &str, expected: &[&str]) {
        let args: Vec<Value> = args.iter().map(|arg| list(arg)).collect();
        let found = templates(&args, Some(&list(own)), &list(want), &|token| token.0 < 12);
        let shown = |(program, me): &Template| {
            let Some(Value::List(me)) = me else { return program.body.to_string() };
            let me: String = me.0.iter().map(|token| char::from(b'a' + token.0 as u8)).collect();
            format!("{} with {me}", program.body)
        };
        assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_no_argument_brings_is_said() {
        check(&["x"], "r", "raxb", &["(++ me (++ '0 (++ x '1))) with r"]);
        check(&["x", "y"], "r", "yabrcx", &["(++ y (++ '0.1 (++ me (++ '2 x)))) with r"]);
    }

    #[test]
    fn the_first_tokens_are_the_constant_of_a_symbol_without_one() {
        check(&["x", "y"], "", "abxcyd", &["(++ me (++ x (++ '2 (++ y '3)))) with ab"]);
        check(&["x"], "", "xab", &["(++ x me) with ab"]);
    }

    #[test]
    fn equal_arguments_leave_the_order_open() {
        check(
            &["x", "x"],
            "",
            "axbx",
            &["(++ me (++ y (++ '1 x))) with a", "(++ me (++ x (++ '1 y))) with a"],
        );
    }

    #[test]
    fn what_symbols_bring_is_not_said_by_others() {
        check(&["x"], "", "nxa", &[]);
        check(&["x"], "r", "rx", &[]);
        check(&["x"], "r", "ab", &[]);
        check(&["x"], "", "x", &[]);
    }
}
