//! The ways to fill the slots of one entry over one span such that what it says fits the result.

use super::{Given, Item, Said, Ways};
use crate::chart::stands::Stands;
use crate::chart::{Input, Kid, ends};
use crate::settings::{CELL, LONGEST};
use crate::symbol::Token;
use crate::theory::EntryId;
use crate::theory::entry::{Entry, In, Out, Piece};
use crate::theory::tree_model::Row;

/// A part of the result.
fn part(place: usize, length: usize) -> Said {
    Said::Part(place as u16, (place + length) as u16)
}

/// An entry that may be used, with what its fillers cost.
pub(super) struct Rule<'a> {
    pub(super) id: EntryId,
    pub(super) pattern: &'a [In],
    pub(super) says: &'a [Out],
    /// Where each token of what it says stands in the result.
    pub(super) literals: Vec<Stands>,
    pub(super) has_calls: bool,
    pub(super) rows: Vec<Row<'a>>,
    pub(super) runs: Vec<Option<(usize, usize)>>,
}

/// For each slot of an entry the pieces around it that are known once it is filled, as a part of what the entry says, if there are others than
/// the slot. Where these say what the result has not, the other slots need not be filled.
pub(super) fn runs(entry: &Entry) -> Vec<Option<(usize, usize)>> {
    let says = &entry.says;
    let run = |slot: u8| {
        let at = says.iter().position(|piece| *piece == Out::Slot(slot))?;
        let is_known = |piece: &Out| piece.slot().is_none_or(|other| other <= slot);
        let from = at - says[..at].iter().rev().take_while(|piece| is_known(piece)).count();
        let to = at + says[at..].iter().take_while(|piece| is_known(piece)).count();
        (to - from > 1 && to - from < says.len()).then_some((from, to))
    };
    let slots = entry.slots() as u8;
    if slots < 2 || entry.has_calls() {
        return Vec::new();
    }
    (0..slots).map(run).collect()
}

impl Rule<'_> {
    /// The largest spans of an input in which arguments of the entry's functions can stand: behind the first word that stands
    /// before the slot, and before the last one that stands behind it.
    pub(super) fn arguments<I: Input + ?Sized>(&self, input: &I) -> Vec<(usize, usize)> {
        let called =
            |slot: u8| self.says.iter().any(|piece| matches!(piece, Out::Call(_, of) if *of == slot));
        let mut found = Vec::new();
        for (place, piece) in self.pattern.iter().enumerate() {
            let In::Slot(slot) = piece else { continue };
            if !called(*slot) {
                continue;
            }
            let word = |piece: &&In| matches!(piece, In::Word(_));
            let before = self.pattern[..place].iter().rfind(word);
            let behind = self.pattern[place + 1..].iter().find(word);
            let length = input.length();
            let stands = |word: &In, at: usize| input.fit(at, *word).is_some();
            let first =
                before.map_or(Some(0), |word| (0..length).find(|&at| stands(word, at)).map(|at| at + 1));
            let last = behind.map_or(Some(length), |word| (0..length).rfind(|&at| stands(word, at)));
            found.extend(first.zip(last));
        }
        found
    }
}

/// The ways to fill the slots of one entry over one span.
pub(super) struct Filling<'c, 'a, I: Input + ?Sized> {
    pub(super) chart: &'c Given<'a, I>,
    pub(super) rule: &'c Rule<'a>,
    pub(super) span: (usize, usize),
    /// Whether what it says must be part of the result.
    pub(super) must_be_part: bool,
    pub(super) kids: Vec<Kid>,
    /// What is being said, kept for its memory.
    pub(super) said: Vec<Out>,
    pub(super) left: usize,
    pub(super) steps: usize,
    /// How often something was kept.
    pub(super) kept: usize,
}

impl<I: Input + ?Sized> Filling<'_, '_, I> {
    pub(super) fn go_on(&mut self, piece: usize, at: usize, bits: f64, cell: &mut Vec<Item>) {
        let to = self.span.1;
        let pattern = self.rule.pattern;
        self.steps += 1;
        if self.left == 0 {
            return;
        }
        if piece == pattern.len() {
            if at == to {
                self.left -= 1;
                self.finish(bits, cell);
            }
            return;
        }
        if let In::Word(word) = pattern[piece] {
            if at < to
                && let Some(cost) = self.chart.pattern.cost(at, word).map(f64::from)
            {
                self.go_on(piece + 1, at + 1, bits + cost, cell);
            }
            return;
        }
        for end in ends(self.chart.pattern, pattern, piece, self.span, at) {
            self.fill(piece, at, end, bits, cell);
        }
    }

    fn fill(&mut self, piece: usize, at: usize, end: usize, bits: f64, cell: &mut Vec<Item>) {
        let chart = self.chart;
        let mut refused: Option<&Said> = None;
        for (number, item) in chart.items(at, end).iter().enumerate() {
            if refused == Some(&item.says) {
                continue;
            }
            let kept = self.kept;
            let row = self.rule.rows.get(self.kids.len());
            let filling = match (item.entry, row) {
                (None, _) => 0.0,
                (Some(entry), Some(row)) => row.bits(entry),
                (Some(_), None) => 1.0,
            };
            self.kids.push(Kid { from: at as u16, to: end as u16, item: number as u16 });
            if self.may_go_on() {
                self.go_on(piece + 1, end, bits + item.bits + filling, cell);
            }
            self.kids.pop();
            if self.kept == kept {
                refused = Some(&item.says);
            }
        }
    }

    /// Whether what is known of the value is part of the result, now that one more slot is filled.
    fn may_go_on(&self) -> bool {
        let run = self.rule.runs.get(self.kids.len() - 1).copied().flatten();
        run.filter(|_| self.must_be_part).is_none_or(|(from, to)| self.part(from, to).is_some())
    }

    /// Puts the value together and keeps the item if it can be one.
    fn finish(&mut self, bits: f64, cell: &mut Vec<Item>) {
        let pieces = self.rule.says.len();
        if self.must_be_part && !self.rule.has_calls {
            if let Some((says, stands)) = self.part(0, pieces) {
                self.keep(says, stands, bits, cell);
            }
            return;
        }
        let Some(said) = self.said(0, pieces) else { return };
        let stands = Stands::of(&said, self.chart.says);
        match stands.first() {
            Some(place) => self.keep(part(place, said.len()), stands, bits, cell),
            None if self.must_be_part => {}
            None => self.keep(Said::Other(said[..].into()), stands, bits, cell),
        }
        self.said = said;
    }

    /// These pieces of what the entry says, whose slots are filled, as a part of the result, and where it stands; `None` if it is none. There must be no calls among them.
    fn part(&self, from: usize, to: usize) -> Option<(Said, Stands)> {
        let (mut stands, mut length) = (Stands::ANYWHERE, 0);
        for (piece, literal) in self.rule.says[from..to].iter().zip(&self.rule.literals[from..to]) {
            let (there, long) = match piece {
                Out::Slot(slot) => {
                    let item = self.chart.cells.item(self.kids[usize::from(*slot)]);
                    (item.stands, item.says.length())
                }
                Out::Token(_) | Out::Call(..) => (*literal, 1),
            };
            stands = stands.before(there, length);
            length += long;
        }
        stands.first().map(|place| (part(place, length), stands))
    }

    fn keep(&mut self, says: Said, stands: Stands, bits: f64, cell: &mut Vec<Item>) {
        let same = |item: &Item| {
            item.says == says && (item.entry == Some(self.rule.id) || self.chart.model.is_none())
        };
        let known = cell.iter().position(same);
        let is_other = matches!(says, Said::Other(_));
        if known.is_none() && is_other && cell.len() >= CELL {
            return;
        }
        self.kept += 1;
        let number = known.unwrap_or_else(|| {
            let entry = Some(self.rule.id);
            let kids = Vec::new();
            cell.push(Item { entry, says, stands, bits: f64::INFINITY, kids, ways: Ways::default() });
            cell.len() - 1
        });
        let known = &mut cell[number];
        if bits < known.bits {
            known.entry = Some(self.rule.id);
            known.bits = bits;
            if !self.chart.keeps_ways {
                known.kids.clone_from(&self.kids);
            }
        }
        if self.chart.keeps_ways {
            known.ways.entries.push(self.rule.id);
            known.ways.kids.extend_from_slice(&self.kids);
        }
    }

    /// These pieces of what the entry says, whose slots are filled; `None` if that is too long or a function has no value.
    fn said(&mut self, from: usize, to: usize) -> Option<Vec<Out>> {
        let longest = if self.must_be_part { self.chart.says.len() } else { LONGEST };
        let mut said = std::mem::take(&mut self.said);
        said.clear();
        for piece in &self.rule.says[from..to] {
            match piece {
                Out::Slot(slot) => said.extend_from_slice(self.value(*slot)),
                Out::Call(function, slot) => {
                    let value: Option<Vec<Token>> =
                        self.value(*slot).iter().map(|piece| piece.token()).collect();
                    let function = &self.chart.functions[usize::from(*function)];
                    said.extend(function.apply(&value?, longest)?.into_iter().map(Out::Token));
                }
                Out::Token(_) => said.push(*piece),
            }
            if said.len() > longest {
                return None;
            }
        }
        Some(said)
    }

    fn value(&self, slot: u8) -> &[Out] {
        self.chart.said(&self.chart.cells.item(self.kids[usize::from(slot)]).says)
    }
}
