//! Joins terms so that they spell the wanted outputs: best first, over how far each output has been spelt.

use super::pool::{Member, Pool};
use super::{Evidence, Judge, TERMS, Term, rank};
use crate::prices;
use crate::settings::FEW;
use crate::symbol::Token;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// A term to choose, with its values on the rows looked at.
struct Choice<'a> {
    what: What<'a>,
    bits: f64,
    values: Vec<&'a [Token]>,
}

#[derive(Clone, Copy)]
enum What<'a> {
    Literal(Token),
    Member(&'a Member),
}

/// The beginning of a program: how far it spells the outputs is kept beside it.
struct Beginning {
    /// The beginning before its last term, and this term; none before the first.
    last: Option<(usize, usize)>,
    bits: f64,
    terms: usize,
}

/// Looks for joins that spell the wanted outputs of the `part` of the judged rows; whether one is right on enough of
/// all rows.
///
/// The first join found is the cheapest for the part. The search goes on only while a dearer one could still win
/// because it gets more rows right.
pub(super) fn consider(
    judge: &mut Judge<'_>,
    rows: &[&Evidence<'_>],
    pool: &Pool<'_>,
    part: &[usize],
) -> bool {
    let wanted: Vec<&[Token]> = part.iter().map(|&row| rows[row].wanted).collect();
    let literals = common_tokens(&wanted);
    let choices = choices(&literals, pool, part, judge.token_bits);
    let mut found = false;
    let mut beginnings = vec![Beginning { last: None, bits: 0.0, terms: 0 }];
    // How far beginning b spells output i stands at b * width + i.
    let width = wanted.len();
    let mut spelt: Vec<usize> = vec![0; width];
    let mut queue = BinaryHeap::from([Reverse((0, 0))]);
    let mut seen: FxHashSet<Vec<usize>> = FxHashSet::default();
    let mut steps = 0;
    while let Some(Reverse((_, current))) = queue.pop()
        && steps < TERMS
    {
        let Beginning { bits, terms, .. } = beginnings[current];
        if bits >= judge.bound() {
            break;
        }
        let offsets = spelt[current * width..(current + 1) * width].to_vec();
        if offsets.iter().zip(&wanted).all(|(&offset, wanted)| offset == wanted.len()) {
            steps += 1;
            found |= judge.consider(program(&beginnings, current, &choices, pool));
            continue;
        }
        if terms >= FEW || !seen.insert(offsets.clone()) {
            continue;
        }
        steps += 1;
        for (index, choice) in choices.iter().enumerate() {
            let bits = bits + choice.bits;
            let spells = || choice.values.iter().zip(&wanted).zip(&offsets);
            if bits >= judge.bound()
                || !spells().all(|((value, wanted), &offset)| wanted[offset..].starts_with(value))
            {
                continue;
            }
            queue.push(Reverse((rank(bits), beginnings.len())));
            beginnings.push(Beginning { last: Some((current, index)), bits, terms: terms + 1 });
            spelt.extend(spells().map(|((value, _), offset)| offset + value.len()));
        }
    }
    found
}

/// Whether joins are worth looking for: on `needed` of the rows, all tokens wanted stand in a slot or are wanted on
/// so many rows that they may be literals.
pub(super) fn is_possible(rows: &[&Evidence<'_>], needed: usize) -> bool {
    let mut wanted_on: BTreeMap<Token, usize> = BTreeMap::new();
    for row in rows {
        for token in row.wanted.iter().copied().collect::<BTreeSet<Token>>() {
            *wanted_on.entry(token).or_default() += 1;
        }
    }
    let has_source = |row: &&&Evidence<'_>| {
        let in_slots: BTreeSet<Token> = row.args.iter().flat_map(|list| list.iter().copied()).collect();
        row.wanted.iter().all(|token| in_slots.contains(token) || wanted_on[token] >= needed)
    };
    rows.iter().filter(has_source).count() >= needed
}

/// The tokens that stand in all of these lists, in order.
fn common_tokens(lists: &[&[Token]]) -> Vec<Token> {
    let Some((first, others)) = lists.split_first() else { return Vec::new() };
    let mut tokens = first.to_vec();
    tokens.sort_unstable();
    tokens.dedup();
    tokens.retain(|token| others.iter().all(|list| list.contains(token)));
    tokens
}

/// All terms whose values are parts of the wanted outputs of these rows, and not all of them empty.
fn choices<'a>(
    literals: &'a [Token],
    pool: &'a Pool<'_>,
    part: &[usize],
    token_bits: f64,
) -> Vec<Choice<'a>> {
    let literals = literals.iter().map(|literal| Choice {
        what: What::Literal(*literal),
        bits: prices::TERM + token_bits,
        values: vec![std::slice::from_ref(literal); part.len()],
    });
    let members =
        pool.members.iter().filter(|member| part.iter().all(|&row| member.fits(row))).map(|member| Choice {
            what: What::Member(member),
            bits: member.bits(),
            values: part.iter().filter_map(|&row| member.value(row)).collect(),
        });
    members.chain(literals).filter(|choice| choice.values.iter().any(|value| !value.is_empty())).collect()
}

/// The terms of a beginning.
fn program(beginnings: &[Beginning], end: usize, choices: &[Choice<'_>], pool: &Pool<'_>) -> Vec<Term> {
    let mut terms = Vec::new();
    let mut current = end;
    while let Some((before, choice)) = beginnings[current].last {
        terms.push(match choices[choice].what {
            What::Literal(token) => Term::Token(token),
            What::Member(member) => pool.term(member, []),
        });
        current = before;
    }
    terms.reverse();
    terms
}
