//! Trees of an input whose result is wanted.
//!
//! For every span and every entry that can cover it, the best way to fill its slots: what a filler is worth depends on its entry
//! alone, so the best tree of a span under each entry is all there is to keep.

use crate::chart::{Cells, Derivation, Input, Kid, ends, may_cover, spans};
use crate::settings::{CELL, LONGEST, LONGEST_RESULT};
use crate::symbol::Token;
use crate::theory::entry::{In, Out};
use crate::theory::tree::{ROOT, Tree};
use crate::theory::tree_model::{Row, TreeModel};
use crate::theory::{EntryId, Theory};

/// The best tree of a span, with the probability of all trees that have the same entry at their root.
pub(super) type Item = super::Item<f64>;

/// The best tree under each entry that can cover the whole input, the cheapest first.
pub fn derivations<I: Input + ?Sized>(input: &I, theory: &Theory, model: &TreeModel) -> Vec<Derivation> {
    chart(input, theory, model).map_or_else(Vec::new, |chart| roots(&chart.cells, model))
}

/// What each span of an input says by itself, where something covers it: the best tree as if the span were the input.
pub fn span_values(input: &[In], theory: &Theory, model: &TreeModel) -> Vec<((usize, usize), Vec<Token>)> {
    let Some(Chart { cells, .. }) = chart(input, theory, model) else { return Vec::new() };
    let row = model.row(ROOT);
    let mut found = Vec::new();
    for (from, to) in spans(input.len()) {
        let bits = |item: &Item| item.bits + row.bits(item.entry);
        let items = (0..).zip(cells.at(from, to));
        let Some((item, _)) = items.min_by(|a, b| bits(a.1).total_cmp(&bits(b.1))) else { continue };
        let tree = cells.tree(Kid { from: from as u16, to: to as u16, item });
        if let Some(tokens) = says(&tree, theory) {
            found.push(((from, to), tokens));
        }
    }
    found
}

/// The items of all spans, and the entries that they come from, in order of their numbers.
pub(super) struct Chart<'t> {
    rules: Vec<Rule<'t>>,
    pub(super) cells: Cells<Item>,
}

impl<'t> Chart<'t> {
    /// An entry that an item has.
    pub(super) fn rule(&self, entry: EntryId) -> &Rule<'t> {
        &self.rules[self.rules.partition_point(|rule| rule.id < entry)]
    }
}

pub(super) fn chart<'t, I: Input + ?Sized>(
    input: &I,
    theory: &'t Theory,
    model: &'t TreeModel,
) -> Option<Chart<'t>> {
    let length = input.length();
    if length == 0 || length > LONGEST {
        return None;
    }
    let rules: Vec<Rule<'_>> = theory
        .candidates(input)
        .into_iter()
        .filter(|&id| theory.entry(id).slots() > 0 || is_said(&theory.entry(id).pattern, input))
        .map(|id| Rule::new(id, theory, model))
        .collect();
    let mut cells = Cells::new(length);
    for (from, to) in spans(length) {
        let fitting = rules.iter().filter(|rule| may_cover(rule.pattern, input, (from, to)));
        let mut cell: Vec<Item> = fitting.filter_map(|rule| rule.cover(input, (from, to), &cells)).collect();
        if cell.len() > CELL {
            cell.sort_by(|a, b| a.bits.total_cmp(&b.bits));
            cell.truncate(CELL);
        }
        cells.set(from, to, cell);
    }
    Some(Chart { rules, cells })
}

/// Whether the words of a pattern without slots stand somewhere in an input, one after the other: of thousands that are kept as a whole, few do.
pub(super) fn is_said<I: Input + ?Sized>(pattern: &[In], input: &I) -> bool {
    let fits = |from: usize| (from..).zip(pattern).all(|(at, &piece)| input.fit(at, piece).is_some());
    (0..(input.length() + 1).saturating_sub(pattern.len())).any(fits)
}

pub(super) fn roots(cells: &Cells<Item>, model: &TreeModel) -> Vec<Derivation> {
    let row = model.row(ROOT);
    cells.derivations(|item| {
        let bits = row.bits(item.entry);
        (item.bits + bits, item.of * (-bits).exp2())
    })
}

/// An entry that may cover a span, with what fills its slots at what cost.
pub(super) struct Rule<'t> {
    pub(super) id: EntryId,
    pub(super) pattern: &'t [In],
    pub(super) rows: Vec<Row<'t>>,
}

/// The cheapest way to have matched the pieces so far up to a place, and which kid was the last.
#[derive(Clone, Copy)]
struct Way {
    bits: f64,
    sum: f64,
    from: u16,
    item: u16,
}

const NO_WAY: Way = Way { bits: f64::INFINITY, sum: 0.0, from: 0, item: 0 };

impl<'t> Rule<'t> {
    pub(super) fn new(id: EntryId, theory: &'t Theory, model: &'t TreeModel) -> Rule<'t> {
        let entry = theory.entry(id);
        let rows = (0..entry.slots() as u8).map(|slot| model.row((id, slot))).collect();
        Rule { id, pattern: &entry.pattern, rows }
    }

    /// The cheapest way to cover the span `(from, to)`.
    fn cover<I: Input + ?Sized>(
        &self,
        input: &I,
        (from, to): (usize, usize),
        cells: &Cells<Item>,
    ) -> Option<Item> {
        let width = to - from + 1;
        let mut ways = vec![NO_WAY; (self.pattern.len() + 1) * width];
        ways[0] = Way { bits: 0.0, sum: 1.0, ..NO_WAY };
        let mut slot = 0;
        for (number, piece) in self.pattern.iter().enumerate() {
            let (before, after) = ways.split_at_mut((number + 1) * width);
            let before = &before[number * width..];
            let mut any = false;
            match piece {
                In::Word(word) => {
                    for at in (0..width - 1).filter(|&at| before[at].bits.is_finite()) {
                        let Some(cost) = input.cost(from + at, *word).map(f64::from) else { continue };
                        let Way { bits, sum, .. } = before[at];
                        after[at + 1] =
                            Way { bits: bits + cost, sum: sum * (-cost).exp2(), from: 0, item: 0 };
                        any = true;
                    }
                }
                In::Slot(_) => {
                    any = self.fill(input, (from, to), number, slot, cells, before, after);
                    slot += 1;
                }
            }
            if !any {
                return None;
            }
        }
        let Way { bits, sum, .. } = ways[self.pattern.len() * width + width - 1];
        bits.is_finite().then(|| Item { entry: self.id, bits, of: sum, kids: self.kids(&ways, (from, to)) })
    }

    /// All ways to go on by filling the slot at the piece of this number.
    #[allow(clippy::too_many_arguments)]
    fn fill<I: Input + ?Sized>(
        &self,
        input: &I,
        (from, to): (usize, usize),
        number: usize,
        slot: usize,
        cells: &Cells<Item>,
        before: &[Way],
        after: &mut [Way],
    ) -> bool {
        let width = to - from + 1;
        let row = self.rows[slot];
        let mut any = false;
        for at in (0..width - 1).filter(|&at| before[at].bits.is_finite()) {
            for end in ends(input, self.pattern, number, (from, to), from + at) {
                let after = &mut after[end - from];
                for (item, filler) in (0..).zip(cells.at(from + at, end)) {
                    let filling = row.bits(filler.entry);
                    let bits = before[at].bits + filler.bits + filling;
                    after.sum += before[at].sum * filler.of * row.likely(filler.entry);
                    if bits < after.bits {
                        *after = Way { bits, sum: after.sum, from: at as u16, item };
                        any = true;
                    }
                }
            }
        }
        any
    }

    /// The kids of the cheapest way, from the last back to the first.
    fn kids(&self, ways: &[Way], (from, to): (usize, usize)) -> Vec<Kid> {
        let width = to - from + 1;
        let mut kids = Vec::with_capacity(self.rows.len());
        let mut at = width - 1;
        for (number, piece) in self.pattern.iter().enumerate().rev() {
            match piece {
                In::Word(_) => at -= 1,
                In::Slot(_) => {
                    let way = ways[(number + 1) * width + at];
                    let begin = usize::from(way.from);
                    kids.push(Kid { from: (from + begin) as u16, to: (from + at) as u16, item: way.item });
                    at = begin;
                }
            }
        }
        kids.reverse();
        kids
    }
}

/// What a tree says; `None` if a function has no value, or it is longer than [`LONGEST_RESULT`].
pub fn says(tree: &Tree, theory: &Theory) -> Option<Vec<Token>> {
    Some(values(tree, theory)?.swap_remove(0))
}

/// What every node of a tree says; `None` as for [`says`].
pub fn values(tree: &Tree, theory: &Theory) -> Option<Vec<Vec<Token>>> {
    let mut values: Vec<Vec<Token>> = vec![Vec::new(); tree.nodes.len()];
    let mut order = vec![0u32];
    let mut at = 0;
    while at < order.len() {
        order.extend(&tree.nodes[order[at] as usize].kids);
        at += 1;
    }
    for &number in order.iter().rev() {
        let node = &tree.nodes[number as usize];
        let value = |slot: u8| &values[node.kids[usize::from(slot)] as usize][..];
        values[number as usize] = said(node.entry, theory, value)?;
    }
    Some(values)
}

/// What an entry says whose slots say this; `None` as for [`says`].
pub fn said<'v>(entry: EntryId, theory: &Theory, value: impl Fn(u8) -> &'v [Token]) -> Option<Vec<Token>> {
    let mut said = Vec::new();
    for piece in &theory.entry(entry).says {
        match piece {
            Out::Token(token) => said.push(*token),
            Out::Slot(slot) => said.extend_from_slice(value(*slot)),
            Out::Call(function, slot) => {
                let function = &theory.functions()[usize::from(*function)];
                said.extend(function.apply(value(*slot), LONGEST_RESULT)?);
            }
        }
        if said.len() > LONGEST_RESULT {
            return None;
        }
    }
    Some(said)
}
