//! Whole outputs that are a member of the pool with one more step: an exchange of tokens, or something said instead
//! of nothing. What exactly is learned from all rows, by majority.

use super::pool::{Member, Pool};
use super::{Evidence, Judge, OUTPUT};
use crate::program::function::Step;
use crate::symbol::Token;
use std::collections::BTreeMap;

/// Tries all members with one more step.
pub(super) fn consider(judge: &mut Judge<'_>, rows: &[&Evidence<'_>], pool: &Pool<'_>) {
    for member in &pool.members {
        // Any such step costs at least one token.
        if member.bits() + judge.token_bits >= judge.bound() {
            break;
        }
        if let Some(step) = exchange_of(judge, rows, pool, member) {
            judge.consider(vec![pool.term(member, [step])]);
        }
        if let Some(step) = or_else_of(judge, rows, pool, member) {
            judge.consider(vec![pool.term(member, [step])]);
        }
    }
}

/// The member's values and the outputs wanted, on the judged rows.
fn judged<'a>(
    member: &'a Member,
    rows: &'a [&Evidence<'_>],
) -> impl Iterator<Item = (&'a [Token], &'a [Token])> + Clone {
    rows.iter().enumerate().filter_map(|(row, evidence)| Some((member.value(row)?, evidence.wanted)))
}

/// The member's values and the outputs wanted, on all rows where there is a value.
fn everywhere<'a>(judge: &Judge<'a>, pool: &Pool<'_>, member: &Member) -> Vec<(Vec<Token>, &'a [Token])> {
    let term = [pool.term(member, [])];
    let value = |row: &'a Evidence<'a>| Some((super::evaluate(&term, &row.args, OUTPUT)?, row.wanted));
    judge.rows.iter().filter_map(value).collect()
}

/// An exchange of tokens that makes the member's values the outputs wanted, on enough of the judged rows.
fn exchange_of(judge: &Judge<'_>, rows: &[&Evidence<'_>], pool: &Pool<'_>, member: &Member) -> Option<Step> {
    let enough = judge.needed(rows.len());
    let table = Table::learn(judged(member, rows));
    if table.is_identity() || judged(member, rows).filter(|(from, to)| table.makes(from, to)).count() < enough
    {
        return None;
    }
    let all = everywhere(judge, pool, member);
    let table = Table::learn(all.iter().map(|(from, to)| (&from[..], *to)));
    // Pairs that only wrong rows need would be paid for nothing.
    let right = all.iter().filter(|(from, to)| table.makes(from, to)).map(|(from, to)| (&from[..], *to));
    Some(Table::learn(right).step()).filter(|step| matches!(step, Step::Exchange(pairs) if !pairs.is_empty()))
}

/// What to say where the member's value is empty, if it is the output wanted everywhere else on enough rows.
fn or_else_of(judge: &Judge<'_>, rows: &[&Evidence<'_>], pool: &Pool<'_>, member: &Member) -> Option<Step> {
    let enough = judge.needed(rows.len());
    let plausible = |(from, to): &(&[Token], &[Token])| from.is_empty() || from == to;
    if !judged(member, rows).any(|(from, _)| !from.is_empty())
        || judged(member, rows).filter(plausible).count() < enough
    {
        return None;
    }
    let mut said: BTreeMap<&[Token], usize> = BTreeMap::new();
    for (_, wanted) in everywhere(judge, pool, member).into_iter().filter(|(from, _)| from.is_empty()) {
        *said.entry(wanted).or_default() += 1;
    }
    let most = majority(&said)?;
    (!most.is_empty()).then(|| Step::OrElse((*most).into()))
}

/// Which token stands for which, by majority.
struct Table(BTreeMap<Token, Token>);

impl Table {
    /// Learns from lists and what they become, where both have the same length.
    fn learn<'a>(pairs: impl Iterator<Item = (&'a [Token], &'a [Token])>) -> Table {
        let mut counts: BTreeMap<Token, BTreeMap<Token, usize>> = BTreeMap::new();
        for (from, to) in pairs.filter(|(from, to)| from.len() == to.len()) {
            for (&from, &to) in from.iter().zip(to) {
                *counts.entry(from).or_default().entry(to).or_default() += 1;
            }
        }
        Table(counts.into_iter().filter_map(|(from, to)| Some((from, *majority(&to)?))).collect())
    }

    fn is_identity(&self) -> bool {
        self.0.iter().all(|(from, to)| from == to)
    }

    /// Whether it makes `to` of `from`.
    fn makes(&self, from: &[Token], to: &[Token]) -> bool {
        from.len() == to.len() && from.iter().zip(to).all(|(from, to)| self.0.get(from).unwrap_or(from) == to)
    }

    /// The step that it is; tokens that stay are not mentioned.
    fn step(&self) -> Step {
        Step::exchange(self.0.iter().filter(|(from, to)| from != to).map(|(&from, &to)| (from, to)))
    }
}

/// The most frequent, and the first of several.
fn majority<T: Ord>(counts: &BTreeMap<T, usize>) -> Option<&T> {
    counts.iter().rev().max_by_key(|(_, count)| **count).map(|(value, _)| value)
}
