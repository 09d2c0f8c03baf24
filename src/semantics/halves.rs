//! Programs put together from two halves.
//!
//! A wanted list is its first token before the rest, and any beginning before what follows it. Terms that give one half
//! and terms that give the other have half the cost of the program that joins them, and there are far fewer of them
//! than of programs that cost as much: so programs are found that enumeration would not reach.

use crate::semantics::enumerate::{Search, UNDEFINED};
use crate::semantics::eval;
use crate::semantics::flat::{Best, Task};
use crate::semantics::program::{Expr, Prim, Program};
use crate::symbol::Symbol;
use crate::value::{Type, Value};

/// So many terms for one half are tried, those that fit the most rows.
const HALVES: usize = 12;
/// A half that fits fewer of the bits is not worth another.
const FITTING: f64 = 0.5;

/// Two terms joined by a primitive.
struct Joined {
    prim: Prim,
    parts: [u32; 2],
}

/// Offers programs that join two terms of `search`.
pub(super) fn join(task: &Task<'_>, search: &mut Search<'_>, best: &mut Best) {
    if task.kind != Type::List || task.goal.all <= 0.0 {
        return;
    }
    for joined in first_and_rest(task, search).into_iter().chain(beginning_and_end(task, search)) {
        offer(task, search, joined, best);
    }
}

/// What is wanted in a row, taken apart, with the bits it is worth.
type Parts<T> = Vec<Vec<(T, f64)>>;

/// Terms that give the first token, with terms that give the rest.
fn first_and_rest(task: &Task<'_>, search: &mut Search<'_>) -> Vec<Joined> {
    let first = parts(task, search, |list| Some(Value::Token(*list.first()?)));
    let rest = parts(task, search, |list| Some(Value::list(list.get(1..)?)));
    let firsts = fitting(task, search, Type::Token, &first);
    let rests = fitting(task, search, Type::List, &rest);
    let pair = |first: u32| rests.iter().map(move |&rest| Joined { prim: Prim::Cons, parts: [first, rest] });
    firsts.into_iter().flat_map(pair).collect()
}

/// Terms that give some beginning, each with terms that give what follows it.
fn beginning_and_end(task: &Task<'_>, search: &mut Search<'_>) -> Vec<Joined> {
    let wants: Parts<Vec<Symbol>> = wanted_lists(task);
    let begins = |search: &Search<'_>, row: usize, value: u32| match (value != UNDEFINED)
        .then(|| search.value(value))
    {
        Some(Value::List(list)) if !list.0.is_empty() => {
            let fits =
                |(want, _): &&(Vec<Symbol>, f64)| want.len() > list.0.len() && want.starts_with(&list.0);
            wants[row].iter().find(fits).map(|(want, bits)| (want[list.0.len()..].to_vec(), *bits))
        }
        _ => None,
    };
    let fits = |row: usize, value: u32| begins(search, row, value).map_or(0.0, |(_, bits)| bits);
    let beginnings = most_fitting(task, search, Type::List, fits);
    let mut joined = Vec::new();
    for beginning in beginnings {
        let values = search.values_of(beginning).to_vec();
        let ends: Vec<Option<(Vec<Symbol>, f64)>> =
            values.iter().enumerate().map(|(row, &value)| begins(search, row, value)).collect();
        let ends: Parts<u32> = ends
            .into_iter()
            .map(|end| end.map(|(end, bits)| (search.intern(Value::list(&end)), bits)).into_iter().collect())
            .collect();
        let pair = |end: u32| Joined { prim: Prim::Append, parts: [beginning, end] };
        joined.extend(fitting(task, search, Type::List, &ends).into_iter().map(pair));
    }
    joined
}

fn wanted_lists(task: &Task<'_>) -> Parts<Vec<Symbol>> {
    let list = |(value, _, bits): &(&Value, usize, f64)| match value {
        Value::List(list) => Some((list.0.to_vec(), *bits)),
        _ => None,
    };
    task.goal.wants.iter().map(|wants| wants.iter().filter_map(list).collect()).collect()
}

/// A part of everything that is wanted.
fn parts(task: &Task<'_>, search: &mut Search<'_>, part: impl Fn(&[Symbol]) -> Option<Value>) -> Parts<u32> {
    let wants = wanted_lists(task);
    let mut number = |(want, bits): &(Vec<Symbol>, f64)| Some((search.intern(part(want)?), *bits));
    wants.iter().map(|wants| wants.iter().filter_map(&mut number).collect()).collect()
}

/// The terms that give a part most often.
fn fitting(task: &Task<'_>, search: &Search<'_>, kind: Type, parts: &Parts<u32>) -> Vec<u32> {
    let fits = |row: usize, value: u32| {
        let fits = parts[row].iter().filter(|(part, _)| *part == value);
        fits.map(|(_, bits)| *bits).fold(0.0, f64::max)
    };
    most_fitting(task, search, kind, fits)
}

/// The terms for whose values `fits` gives the most bits, the best first.
fn most_fitting(
    task: &Task<'_>,
    search: &Search<'_>,
    kind: Type,
    fits: impl Fn(usize, u32) -> f64,
) -> Vec<u32> {
    let mut found: Vec<(f64, u32)> = Vec::new();
    for term in (0..search.terms()).filter(|&term| search.kind_of(term) == kind) {
        let values = search.values_of(term).iter().enumerate();
        let bits: f64 = values.map(|(row, &value)| fits(row, value)).sum();
        if bits >= FITTING * task.goal.all {
            found.push((bits - f64::from(search.cost_of(term)), term));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().take(HALVES).map(|(_, term)| term).collect()
}

fn offer(task: &Task<'_>, search: &Search<'_>, Joined { prim, parts }: Joined, best: &mut Best) {
    let value = |row: usize| {
        let part = |term: u32| {
            let value = search.values_of(term)[row];
            (value != UNDEFINED).then(|| search.value(value).clone())
        };
        eval::apply(prim, &[part(parts[0])?, part(parts[1])?]).ok()
    };
    let values: Vec<Option<Value>> = (0..task.rows.len()).map(value).collect();
    let saved = task.goal.saved(|row, place| values[row].as_ref() == Some(task.goal.wants[row][place].0));
    let cost = task.costs.prim(prim) + parts.iter().map(|&part| search.cost_of(part)).sum::<u32>();
    let body = Expr::Apply(prim, parts.iter().map(|&part| search.expr_of(part)).collect());
    best.tried += 1;
    best.offer(Program { arity: task.arity, body }, cost, saved, values);
}
