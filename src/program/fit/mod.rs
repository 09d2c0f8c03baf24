//! Finds the cheapest program for rows of evidence: what the slots held, and the output wanted with it.
//!
//! A few *judged* rows guide the search, and all rows have the last word. From the judged rows comes a pool of small
//! functions of single slots, no two of which look alike on these rows. From its members and from literal tokens a
//! best-first search joins the wanted outputs together; besides, whole outputs may be a member with its tokens
//! exchanged by a table, or with something said instead of nothing.
//!
//! Rows may be wrong. A search must succeed on all the rows that it looks at, so where none does it is repeated on
//! disjoint halves and quarters of the judged rows: with fewer wrong rows than parts, one part is clean.
//!
//! `x.rest ++ x.first` is found for lists whose first token has gone to the end.

mod join;
mod pool;
mod whole;

use self::pool::Pool;
use super::function::{Function, Step};
use crate::prices;
use crate::settings::{CANDIDATES, LEAST, NEARLY_ALL, TRIED};
use crate::spread::{evenly, spread};
use crate::symbol::Token;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// One row: what the slots held, and the output wanted with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evidence<'a> {
    /// The values of the slots; all rows have as many.
    pub args: Vec<&'a [Token]>,
    /// The output that the program should give.
    pub wanted: &'a [Token],
}

/// A term of a program; the value of a program is the values of its terms, joined.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Term {
    /// This token.
    Token(Token),
    /// The value of the slot of this number.
    Slot(u8),
    /// A function of the value of a slot.
    Call(Function, u8),
}

/// A program that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Its terms, to be joined.
    pub terms: Vec<Term>,
    /// Its own price; see [`price`]. What the wrong rows cost is not in it.
    pub bits: f64,
    /// How many of the rows come out as wanted.
    pub right: usize,
}

/// How many rows guide the search, spread evenly over those that differ. Fewer are faster, but confuse more programs. Up to three wrong ones
/// among them are survived, where the share allows wrong rows.
const JUDGED: usize = 16;
/// How many steps a function may have: what the middle of a list needs, `rest.reverse.rest.reverse`.
const DEPTH: usize = 4;
/// How many functions of slots, no two alike on the judged rows, are tried as terms; and beginnings of programs carried on in one search.
const TERMS: usize = 2 * CANDIDATES;
/// How long any list may get, results and what is in between.
const OUTPUT: usize = 1500;

impl Term {
    /// The tokens that it says or looks for.
    pub fn tokens(&self) -> Vec<Token> {
        match self {
            Term::Token(token) => vec![*token],
            Term::Slot(_) => Vec::new(),
            Term::Call(function, _) => function.tokens().collect(),
        }
    }

    /// Its price in bits, if a token costs `token_bits`.
    pub fn price(&self, token_bits: f64) -> f64 {
        prices::TERM
            + match self {
                Term::Token(_) => token_bits,
                Term::Slot(_) => prices::SLOT,
                Term::Call(function, _) => prices::SLOT + function.price(token_bits),
            }
    }
}

/// The value of a program with its slots filled; `None` if a term has no value or any list is longer than `limit`.
pub fn evaluate(terms: &[Term], args: &[&[Token]], limit: usize) -> Option<Vec<Token>> {
    let mut value = Vec::new();
    for term in terms {
        match term {
            Term::Token(token) => value.push(*token),
            Term::Slot(slot) => value.extend_from_slice(args.get(usize::from(*slot))?),
            Term::Call(function, slot) => {
                value.append(&mut function.apply(args.get(usize::from(*slot))?, limit)?);
            }
        }
        if value.len() > limit {
            return None;
        }
    }
    Some(value)
}

/// A program for people, `x.rest ++ [,] ++ y`, with `name` to name tokens.
pub fn show<N: Fn(Token) -> String>(terms: &[Term], name: N) -> Shown<'_, N> {
    Shown { terms, name }
}

/// A program ready to be written; see [`show`].
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a, N> {
    terms: &'a [Term],
    name: N,
}

impl<N: Fn(Token) -> String> fmt::Display for Shown<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("[]");
        }
        for (index, term) in self.terms.iter().enumerate() {
            f.write_str(if index > 0 { " ++ " } else { "" })?;
            match term {
                Term::Token(token) => write!(f, "[{}]", (self.name)(*token))?,
                Term::Slot(slot) => write_slot(*slot, f)?,
                Term::Call(function, slot) => {
                    write_slot(*slot, f)?;
                    write!(f, ".{}", function.display(&self.name))?;
                }
            }
        }
        Ok(())
    }
}

/// Writes a slot as a variable.
fn write_slot(slot: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match ["x", "y", "z", "u", "v", "w"].get(usize::from(slot)) {
        Some(name) => f.write_str(name),
        None => write!(f, "x{slot}"),
    }
}

/// The program that says the wanted outputs of most rows in the fewest bits: its own price, and for every row that
/// it gets wrong the row's tokens one by one and their end.
///
/// There is none if the search finds none that is right on nearly all rows, or none
/// cheaper than all outputs said token by token. The same rows in the same order give the same program.
pub fn fit(rows: &[Evidence<'_>], token_bits: f64) -> Option<Fitted> {
    let slots = rows.first()?.args.len();
    if rows.iter().any(|row| row.args.len() != slots) || slots > usize::from(u8::MAX) {
        return None;
    }
    let mut judge = Judge::new(rows, token_bits);
    let judged = choose(rows, &[], JUDGED);
    search(&mut judge, &judged);
    // Rows that the first program gets wrong may tell it from the one that is meant.
    let telling: Vec<usize> = judge.missed().iter().copied().filter(|row| !judged.contains(row)).collect();
    if !telling.is_empty() {
        let judged = choose(rows, &telling, JUDGED);
        search(&mut judge, &judged);
    }
    judge.best.map(|best| best.fitted)
}

/// Searches for programs with these rows as guide; the judge keeps the best.
///
/// Most programs are simple, so a small pool is tried first; a large one only if it could hold anything better.
fn search(judge: &mut Judge<'_>, judged: &[usize]) {
    let rows: Vec<&Evidence<'_>> = judged.iter().map(|&row| &judge.rows[row]).collect();
    let needed = judge.needed(rows.len());
    let mut pool = Pool::new(&rows, needed);
    pool.grow(TRIED);
    let is_possible = join::is_possible(&rows, needed);
    search_pool(judge, &rows, &pool, is_possible);
    if is_possible && pool.beyond() < judge.bound() {
        pool.grow(TERMS);
        search_pool(judge, &rows, &pool, true);
    }
}

/// Searches for programs made of members of a pool.
fn search_pool(judge: &mut Judge<'_>, rows: &[&Evidence<'_>], pool: &Pool<'_>, joins: bool) {
    whole::consider(judge, rows, pool);
    let parts = if joins { parts(rows.len(), judge.wrong_allowed()) } else { Vec::new() };
    for part in parts {
        if join::consider(judge, rows, pool, &part) {
            break;
        }
    }
}

/// The judged rows to look at together: all, and if some may be wrong disjoint halves and quarters too.
fn parts(judged: usize, wrong_allowed: usize) -> Vec<Vec<usize>> {
    [1, 2, 4]
        .into_iter()
        .filter(|&count| count == 1 || wrong_allowed > 0 && judged / count >= LEAST)
        .flat_map(|count| (0..count).map(move |first| (first..judged).step_by(count).collect()))
        .collect()
}

/// Up to `count` rows to judge by: up to half of them `telling` ones, and others spread evenly.
///
/// Of rows with the same slot values only one is taken, with the output that most of them want: a program gives
/// one output, and repeated rows would say nothing new.
fn choose(rows: &[Evidence<'_>], telling: &[usize], count: usize) -> Vec<usize> {
    type RowsByOutput<'a> = BTreeMap<&'a [Token], Vec<usize>>;
    let count = count.max(1);
    let many = count.saturating_mul(4);
    let telling: BTreeSet<usize> = spread(telling, many).copied().collect();
    let looked_at: BTreeSet<usize> = evenly(rows.len(), many).chain(telling.iter().copied()).collect();
    let mut alike: BTreeMap<&[&[Token]], RowsByOutput<'_>> = BTreeMap::new();
    for row in looked_at {
        alike.entry(&rows[row].args).or_default().entry(rows[row].wanted).or_default().push(row);
    }
    let most = |wanted: &RowsByOutput<'_>| {
        wanted
            .values()
            .max_by_key(|rows| (rows.len(), Reverse(rows.first().copied())))
            .cloned()
            .unwrap_or_default()
    };
    let mut distinct: Vec<Vec<usize>> = alike.values().map(most).collect();
    distinct.sort_unstable();
    let (telling, others): (Vec<_>, Vec<_>) =
        distinct.into_iter().partition(|rows| rows.iter().any(|row| telling.contains(row)));
    let mut chosen: Vec<usize> = spread(&telling, count / 2).map(|rows| rows[0]).collect();
    chosen.extend(spread(&others, count - chosen.len()).map(|rows| rows[0]));
    chosen.sort_unstable();
    chosen
}

/// A program and what all rows cost with it.
struct Candidate {
    fitted: Fitted,
    /// The program's price and the wrong rows'.
    total: f64,
    /// Which rows it gets wrong.
    wrong: Vec<usize>,
}

/// Tries programs on all rows, and keeps the best.
struct Judge<'a> {
    rows: &'a [Evidence<'a>],
    token_bits: f64,
    /// What all rows cost token by token.
    outright: f64,
    best: Option<Candidate>,
    /// Rows that the first rejected program got wrong.
    rejected_by: Vec<usize>,
}

impl<'a> Judge<'a> {
    fn new(rows: &'a [Evidence<'a>], token_bits: f64) -> Judge<'a> {
        let token_bits = token_bits.max(0.0);
        let outright = rows.iter().map(|row| outright(row, token_bits)).sum();
        Judge { rows, token_bits, outright, best: None, rejected_by: Vec::new() }
    }

    /// How many rows a program may get wrong.
    fn wrong_allowed(&self) -> usize {
        let needed = (NEARLY_ALL * self.rows.len() as f64).ceil() as usize;
        self.rows.len() - needed.clamp(1, self.rows.len())
    }

    /// On how many of the judged rows a term must do well: one of the four parts may be all wrong.
    fn needed(&self, judged: usize) -> usize {
        judged - self.wrong_allowed().min(judged / 4)
    }

    /// What a program must cost less than, wrong rows included.
    fn bound(&self) -> f64 {
        self.best.as_ref().map_or(self.outright, |best| best.total)
    }

    /// Tries a program on all rows; whether it is right on enough of them.
    fn consider(&mut self, terms: Vec<Term>) -> bool {
        let bits = terms.iter().map(|term| term.price(self.token_bits)).sum();
        let allowed = self.wrong_allowed();
        let wrong: Vec<usize> = (0..self.rows.len())
            .filter(|&row| {
                let Evidence { args, wanted } = &self.rows[row];
                evaluate(&terms, args, OUTPUT).is_none_or(|value| value != *wanted)
            })
            .take(allowed + 1)
            .collect();
        if wrong.len() > allowed {
            if self.rejected_by.is_empty() {
                self.rejected_by = wrong;
            }
            return false;
        }
        let total = bits + wrong.iter().map(|&row| outright(&self.rows[row], self.token_bits)).sum::<f64>();
        if total < self.bound() {
            let right = self.rows.len() - wrong.len();
            self.best = Some(Candidate { fitted: Fitted { terms, bits, right }, total, wrong });
        }
        true
    }

    /// Rows that the best program, or else the first rejected one, gets wrong.
    fn missed(&self) -> &[usize] {
        self.best.as_ref().map_or(&self.rejected_by, |best| &best.wrong)
    }
}

/// What a row costs that is said token by token.
fn outright(row: &Evidence<'_>, token_bits: f64) -> f64 {
    (row.wanted.len() + 1) as f64 * token_bits
}

/// A price as a number to sort by, exact to a thousandth of a bit.
fn rank(bits: f64) -> u64 {
    (bits * 1024.0) as u64
}

/// The price that a rank stands for.
fn bits(rank: u64) -> f64 {
    rank as f64 / 1024.0
}

/// The term that applies steps to a slot.
fn call(steps: Vec<Step>, slot: u8) -> Term {
    if steps.is_empty() { Term::Slot(slot) } else { Term::Call(Function(steps.into()), slot) }
}

#[cfg(test)]
mod tests;
