//! The results of an input, ranked by all that speaks for their trees.
//!
//! What a tree says matters here, not only its entries, so items of a span are told apart by what they say, and only the best are kept (a beam).

use crate::chart::free::{self, Rule};
use crate::chart::{Cells, Derivation, Kid, ends, may_cover, spans};
use crate::settings::{FEW, LONG, NARROW, NEGLIGIBLE};
use crate::symbol::Token;
use crate::theory::entry::In;
use crate::theory::scorer::{Feature, Scorer};
use crate::theory::tree::ROOT;
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};

/// What a span says by a tree with this entry at its root, and what the best such tree costs with it.
type Item = super::Item<Said>;

struct Said {
    tokens: Vec<Token>,
    /// What the tree costs without what it says.
    tree: f64,
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
            let value = |slot: u8| &cells.item(way.kids[usize::from(slot)]).of.tokens[..];
            if let Some(tokens) = free::said(rule.id, self.theory, value) {
                self.keep(rule.id, tokens, way, cell);
            }
        }
    }

    fn keep(&self, entry: EntryId, tokens: Vec<Token>, way: Way, cell: &mut Vec<Item>) {
        match cell.iter_mut().find(|other| other.entry == entry && other.of.tokens == tokens) {
            // What is said costs the same.
            Some(other) if other.of.tree > way.tree => {
                other.bits += way.tree - other.of.tree;
                (other.of.tree, other.kids) = (way.tree, way.kids);
            }
            Some(_) => {}
            None => {
                let bits = way.tree + self.scorer.tokens(&tokens, false);
                cell.push(Item { entry, bits, kids: way.kids, of: Said { tokens, tree: way.tree } });
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
        let mut next: Vec<Vec<Way>> = vec![Vec::new(); last + 1];
        for at in (0..last).filter(|&at| !ways[at].is_empty()) {
            for end in ends(self.input, rule.pattern, number, (from, to), from + at) {
                for (item, filler) in (0..).zip(cells.at(from + at, end)) {
                    let kid = Kid { from: (from + at) as u16, to: end as u16, item };
                    let slot = ways[at][0].kids.len();
                    let weight = self.scorer.weight(Feature::Fills(filler.entry, (rule.id, slot as u8)));
                    let filling = rule.rows[slot].bits(filler.entry) + weight;
                    for way in &ways[at] {
                        add(way, (kid, filler), filling, &mut next[end - from]);
                    }
                }
            }
        }
        next
    }

    fn roots(&self, cells: &Cells<Item>, model: &TreeModel) -> Vec<Derivation> {
        let row = model.row(ROOT);
        cells.derivations(|item| {
            let fills = row.bits(item.entry) + self.scorer.weight(Feature::Fills(item.entry, ROOT));
            let bits = item.of.tree + fills + self.scorer.tokens(&item.of.tokens, true);
            (bits, (-bits).exp2())
        })
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
    let new = Way { tree: way.tree + filling + filler.of.tree, bits, kids };
    match worst.filter(|_| ways.len() >= FEW) {
        Some((at, _)) => ways[at] = new,
        None => ways.push(new),
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
