//! The results of an input, ranked by all that speaks for their trees.
//!
//! What a tree says matters here, not only its entries, so items of a span are told apart by what they say, and only the best are kept (a beam).

use crate::chart::free::{self, Derivation};
use crate::chart::{Cells, Kid, Root, may_cover, spans};
use crate::settings::{FEW, LONG, NARROW, NEGLIGIBLE};
use crate::symbol::Token;
use crate::theory::entry::In;
use crate::theory::scorer::{Feature, Scorer};
use crate::theory::tree::ROOT;
use crate::theory::tree_model::{Row, TreeModel};
use crate::theory::{EntryId, Theory};

/// What a span says by a tree with this entry at its root.
struct Item {
    entry: EntryId,
    tokens: Vec<Token>,
    /// What the best such tree costs, without what it says,
    tree: f64,
    /// and with it.
    bits: f64,
    kids: Vec<Kid>,
}

/// A way to have matched a part of a pattern.
#[derive(Clone)]
struct Way {
    tree: f64,
    bits: f64,
    kids: Vec<Kid>,
}

/// The best trees of an input with different results or entries at the root, the cheapest first; without weights if the input is too long for them.
pub fn derivations(input: &[In], theory: &Theory, model: &TreeModel, scorer: &Scorer) -> Vec<Derivation> {
    if input.len() > LONG {
        return free::derivations(input, theory, model);
    }
    let rules: Vec<Rule<'_>> =
        theory.candidates(input).into_iter().map(|id| Rule::new(id, theory, model)).collect();
    let chart = Chart { input, theory, scorer };
    let mut cells: Cells<Item> = Cells::new(input.len());
    for span in spans(input.len()) {
        let fitting = rules.iter().filter(|rule| may_cover(rule.pattern, input, span));
        let mut cell: Vec<Item> = Vec::new();
        fitting.for_each(|rule| chart.cover(rule, span, &cells, &mut cell));
        cells.set(span.0, span.1, best(cell));
    }
    chart.roots(&cells, model)
}

/// The items that are kept.
fn best(mut cell: Vec<Item>) -> Vec<Item> {
    cell.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    let most = cell.first().map_or(0.0, |item| item.bits + NEGLIGIBLE);
    cell.retain(|item| item.bits <= most);
    cell.truncate(NARROW);
    cell
}

struct Rule<'t> {
    id: EntryId,
    pattern: &'t [In],
    rows: Vec<(Row<'t>, u8)>,
}

impl<'t> Rule<'t> {
    fn new(id: EntryId, theory: &'t Theory, model: &'t TreeModel) -> Rule<'t> {
        let entry = theory.entry(id);
        let rows = (0..entry.slots() as u8).map(|slot| (model.row((id, slot)), slot)).collect();
        Rule { id, pattern: &entry.pattern, rows }
    }
}

struct Chart<'c> {
    input: &'c [In],
    theory: &'c Theory,
    scorer: &'c Scorer,
}

impl Chart<'_> {
    /// Adds what an entry says over a span.
    fn cover(&self, rule: &Rule<'_>, (from, to): (usize, usize), cells: &Cells<Item>, cell: &mut Vec<Item>) {
        let mut ways: Vec<Vec<Way>> = vec![Vec::new(); to - from + 1];
        ways[0].push(Way { tree: 0.0, bits: 0.0, kids: Vec::new() });
        for (number, piece) in rule.pattern.iter().enumerate() {
            ways = match piece {
                In::Word(_) => self.step(*piece, from, ways),
                In::Slot(_) => self.fill(rule, (from, to), number, cells, &ways),
            };
            if ways.iter().all(Vec::is_empty) {
                return;
            }
        }
        if ways[to - from].is_empty() {
            return;
        }
        let around = self.scorer.entry(rule.id, self.input, (from, to));
        for mut way in ways.pop().into_iter().flatten() {
            way.tree += around;
            let value = |slot: u8| &cells.item(way.kids[usize::from(slot)]).tokens[..];
            if let Some(tokens) = free::said(rule.id, self.theory, value) {
                self.keep(rule.id, tokens, way, cell);
            }
        }
    }

    fn keep(&self, entry: EntryId, tokens: Vec<Token>, way: Way, cell: &mut Vec<Item>) {
        match cell.iter_mut().find(|other| other.entry == entry && other.tokens == tokens) {
            // What is said costs the same.
            Some(other) if other.tree > way.tree => {
                other.bits += way.tree - other.tree;
                (other.tree, other.kids) = (way.tree, way.kids);
            }
            Some(_) => {}
            None => {
                let bits = way.tree + self.scorer.tokens(&tokens, false);
                cell.push(Item { entry, tokens, tree: way.tree, bits, kids: way.kids });
            }
        }
    }

    /// The ways that go on over a word.
    fn step(&self, word: In, from: usize, mut ways: Vec<Vec<Way>>) -> Vec<Vec<Way>> {
        let last = ways.len() - 1;
        for at in (0..last).rev() {
            ways[at + 1] =
                if self.input[from + at] == word { std::mem::take(&mut ways[at]) } else { Vec::new() };
        }
        ways[0].clear();
        ways
    }

    /// The ways that go on over a slot, the piece of this number.
    fn fill(
        &self,
        rule: &Rule<'_>,
        (from, to): (usize, usize),
        number: usize,
        cells: &Cells<Item>,
        ways: &[Vec<Way>],
    ) -> Vec<Vec<Way>> {
        let last = to - from;
        let rest = rule.pattern.len() - number - 1;
        let next_fits = |end: usize| match rule.pattern.get(number + 1) {
            Some(next @ In::Word(_)) => self.input.get(from + end) == Some(next),
            Some(In::Slot(_)) | None => true,
        };
        let mut next: Vec<Vec<Way>> = vec![Vec::new(); last + 1];
        for at in (0..last).filter(|&at| !ways[at].is_empty()) {
            let first = if rest == 0 { last } else { at + 1 };
            for end in (first..=last.saturating_sub(rest))
                .filter(|&end| end > at && end - at < last && next_fits(end))
            {
                for (item, filler) in (0..).zip(cells.at(from + at, from + end)) {
                    let kid = Kid { from: (from + at) as u16, to: (from + end) as u16, item };
                    let (row, slot) = rule.rows[ways[at][0].kids.len()];
                    let weight = self.scorer.weight(Feature::Fills(filler.entry, (rule.id, slot)));
                    let filling = row.bits(filler.entry) + weight;
                    for way in &ways[at] {
                        add(way, (kid, filler), filling, &mut next[end]);
                    }
                }
            }
        }
        next
    }

    fn roots(&self, cells: &Cells<Item>, model: &TreeModel) -> Vec<Derivation> {
        let row = model.row(ROOT);
        let whole = |(number, item): (u16, &Item)| {
            let tree = cells.tree(Kid { from: 0, to: self.input.len() as u16, item: number });
            let fills = row.bits(item.entry) + self.scorer.weight(Feature::Fills(item.entry, ROOT));
            let bits = item.tree + fills + self.scorer.tokens(&item.tokens, true);
            Derivation { tree, bits, probability: (-bits).exp2() }
        };
        let mut found: Vec<Derivation> = (0..).zip(cells.at(0, self.input.len())).map(whole).collect();
        found.sort_by(|a, b| a.bits.total_cmp(&b.bits));
        found
    }
}

/// Adds a way with one more kid, which costs so much to fill the slot, if it is among the best.
fn add(way: &Way, (kid, filler): (Kid, &Item), filling: f64, ways: &mut Vec<Way>) {
    let bits = way.bits + filling + filler.bits;
    let all = ways.iter().enumerate();
    let worst = all.max_by(|a, b| a.1.bits.total_cmp(&b.1.bits)).map(|(at, way)| (at, way.bits));
    if ways.len() >= FEW && worst.is_some_and(|(_, worst)| worst <= bits) {
        return;
    }
    let mut kids = way.kids.clone();
    kids.push(kid);
    let new = Way { tree: way.tree + filling + filler.tree, bits, kids };
    match worst.filter(|_| ways.len() >= FEW) {
        Some((at, _)) => ways[at] = new,
        None => ways.push(new),
    }
}

impl Root for Item {
    fn entry(&self) -> EntryId {
        self.entry
    }

    fn kids(&self) -> &[Kid] {
        &self.kids
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::theory::counts::Counts;
    use crate::theory::entry::tests::entry;

    #[test]
    fn without_weights_the_best_tree_is_that_of_the_free_chart() {
        let mut theory = Theory::new(Prices::new(9, 9));
        for (pattern, says) in [("w", "W"), ("r", "R"), ("0 t", "0 0"), ("0 a 1", "0 1"), ("0 f 1", "1 0")] {
            theory.add(&entry(pattern, says));
        }
        let model = TreeModel::new(&Counts::default(), &theory);
        let input = entry("w t a r f w t", "W").pattern;
        let ranked = derivations(&input, &theory, &model, &Scorer::default());
        let free = free::derivations(&input[..], &theory, &model);
        assert!((ranked[0].bits - free[0].bits).abs() < 1e-3, "{} {}", ranked[0].bits, free[0].bits);
        // Here the trees of `a` and of `f` at the root say different things, and `t` may be outermost.
        assert!(ranked.len() >= 3);
    }
}
