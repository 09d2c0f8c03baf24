//! Trees of an input that say what outputs are like.
//!
//! What a tree says may hold tokens side by side that no output has ([`Neighbours`]). Then the best tree that does not, or does so less, is looked for:
//! a tree can only be better if it costs no more than the best one and its surprise together. So all items are dropped that no tree within this bound has, which leaves few,
//! and these are told apart by the first and the last token that they say.

use crate::chart::free::{self, Chart, Rule};
use crate::chart::{Cells, Derivation, Kid, spans};
use crate::settings::{EFFORT, MOST_BITS};
use crate::symbol::Token;
use crate::theory::entry::{In, Out};
use crate::theory::neighbours::{END, Ends, Neighbours};
use crate::theory::tree::ROOT;
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};

/// What a function makes.
const MADE: Token = Token(u32::MAX);

/// The best tree of a span that says something with these ends.
type Item = super::Item<Ends>;

/// The best trees of an input with different entries at the root or ends, the cheapest first, their surprise included.
pub fn derivations(
    input: &[In],
    theory: &Theory,
    model: &TreeModel,
    neighbours: &Neighbours,
) -> Vec<Derivation> {
    let Some(chart) = free::chart(input, theory, model) else { return Vec::new() };
    let usual = free::roots(&chart.cells, model);
    let Some(best) = usual.first() else { return usual };
    let surprise = free::says(&best.tree, theory).map_or(MOST_BITS, |said| neighbours.of_output(&said));
    if surprise == 0.0 {
        return usual;
    }
    let bound = best.bits + surprise.min(MOST_BITS);
    let outside = outside(input, &chart, model, bound);
    let mut search = Search { input, theory, neighbours, chart: &chart, bound, steps: 0 };
    let found = search.items(&outside).map(|cells| search.roots(&cells, model));
    found.filter(|found| !found.is_empty()).unwrap_or(usual)
}

/// For every item the bits of the cheapest tree of the input that has it, without what it costs itself; infinite where that is above the bound.
fn outside(input: &[In], chart: &Chart<'_>, model: &TreeModel, bound: f64) -> Cells<f64> {
    let length = input.len();
    let mut outside: Cells<f64> = Cells::new(length);
    for (from, to) in spans(length) {
        outside.set(from, to, vec![f64::INFINITY; chart.cells.at(from, to).len()]);
    }
    let row = model.row(ROOT);
    for (number, item) in chart.cells.at(0, length).iter().enumerate() {
        let bits = row.bits(item.entry);
        if bits + item.bits <= bound {
            outside.at_mut(0, length)[number] = bits;
        }
    }
    let mut down: Vec<(usize, usize)> = spans(length).collect();
    down.reverse();
    for span in down {
        for number in 0..chart.cells.at(span.0, span.1).len() {
            let own = outside.at(span.0, span.1)[number];
            if own.is_finite() {
                let rule = chart.rule(chart.cells.at(span.0, span.1)[number].entry);
                hand_down(input, chart, rule, span, bound - own, own, &mut outside);
            }
        }
    }
    outside
}

/// Tells all items that may fill the slots of an entry over a span, within so many bits, what the rest of the tree costs.
fn hand_down(
    input: &[In],
    chart: &Chart<'_>,
    rule: &Rule<'_>,
    (from, to): (usize, usize),
    within: f64,
    own: f64,
    outside: &mut Cells<f64>,
) {
    let before = ways(input, chart, rule, (from, to), false);
    let behind = ways(input, chart, rule, (from, to), true);
    let mut slot = 0;
    for (number, piece) in rule.pattern.iter().enumerate() {
        let In::Slot(_) = piece else { continue };
        let row = rule.rows[slot];
        slot += 1;
        for (at, end) in parts(to - from) {
            let others = before[number][at] + behind[number + 1][end];
            if others > within {
                continue;
            }
            let cell = chart.cells.at(from + at, from + end);
            let costs = outside.at_mut(from + at, from + end);
            for (item, cost) in cell.iter().zip(costs) {
                let rest = others + row.bits(item.entry);
                if rest + item.bits <= within {
                    *cost = cost.min(own + rest);
                }
            }
        }
    }
}

/// The spans within one of so many words, without it.
fn parts(width: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = (0..width).flat_map(move |at| (at + 1..=width).map(move |end| (at, end)));
    all.filter(move |&(at, end)| end - at < width)
}

/// What it costs at least to lay the first pieces of a pattern over a span up to each place; or the others from there on.
fn ways(
    input: &[In],
    chart: &Chart<'_>,
    rule: &Rule<'_>,
    (from, to): (usize, usize),
    backwards: bool,
) -> Vec<Vec<f64>> {
    let (width, pieces) = (to - from, rule.pattern.len());
    let mut ways = vec![vec![f64::INFINITY; width + 1]; pieces + 1];
    let (start, place) = if backwards { (pieces, width) } else { (0, 0) };
    ways[start][place] = 0.0;
    let mut slot = if backwards { rule.rows.len() } else { 0 };
    for step in 0..pieces {
        let (number, known, next) = match backwards {
            true => (pieces - 1 - step, pieces - step, pieces - 1 - step),
            false => (step, step, step + 1),
        };
        let piece = rule.pattern[number];
        if let In::Word(_) = piece {
            for at in (0..width).filter(|&at| input[from + at] == piece) {
                let (known_at, next_at) = if backwards { (at + 1, at) } else { (at, at + 1) };
                ways[next][next_at] = ways[known][known_at];
            }
            continue;
        }
        slot = if backwards { slot - 1 } else { slot };
        let row = rule.rows[slot];
        for (at, end) in parts(width) {
            let (known_at, next_at) = if backwards { (end, at) } else { (at, end) };
            let bits = ways[known][known_at];
            if bits.is_finite() {
                let cell = chart.cells.at(from + at, from + end).iter();
                let least = cell.map(|item| item.bits + row.bits(item.entry)).fold(f64::INFINITY, f64::min);
                ways[next][next_at] = ways[next][next_at].min(bits + least);
            }
        }
        slot = if backwards { slot } else { slot + 1 };
    }
    ways
}

struct Search<'c, 't> {
    input: &'c [In],
    theory: &'t Theory,
    neighbours: &'c Neighbours,
    chart: &'c Chart<'t>,
    bound: f64,
    steps: usize,
}

impl Search<'_, '_> {
    /// The items of all spans within the bound; `None` if they are too many.
    fn items(&mut self, outside: &Cells<f64>) -> Option<Cells<Item>> {
        let mut cells: Cells<Item> = Cells::new(self.input.len());
        for span in spans(self.input.len()) {
            let mut cell = Vec::new();
            let usual = self.chart.cells.at(span.0, span.1).iter().zip(outside.at(span.0, span.1));
            for (item, outside) in usual.filter(|(_, outside)| outside.is_finite()) {
                let rule = self.chart.rule(item.entry);
                let rest = ways(self.input, self.chart, rule, span, true);
                let filling =
                    Filling { rule, span, within: self.bound - outside, rest: &rest, cells: &cells };
                self.fill(&filling, 0, span.0, 0.0, &mut Vec::new(), &mut cell);
            }
            if self.steps > EFFORT {
                return None;
            }
            cells.set(span.0, span.1, cell);
        }
        Some(cells)
    }

    /// Lays the pieces of a pattern from this one on over the rest of a span in all ways within the bound.
    fn fill(
        &mut self,
        filling: &Filling<'_, '_>,
        number: usize,
        at: usize,
        bits: f64,
        kids: &mut Vec<Kid>,
        cell: &mut Vec<Item>,
    ) {
        let Filling { rule, span, within, rest, cells } = *filling;
        self.steps += 1;
        if self.steps > EFFORT || bits + rest[number][at - span.0] > within {
            return;
        }
        match rule.pattern.get(number) {
            None => self.keep(filling, bits, kids, cell),
            Some(In::Word(_)) => self.fill(filling, number + 1, at + 1, bits, kids, cell),
            Some(In::Slot(_)) => {
                let row = rule.rows[kids.len()];
                for end in (at + 1..=span.1).filter(|&end| (at, end) != span) {
                    if bits + rest[number + 1][end - span.0] > within {
                        continue;
                    }
                    for (item, filler) in (0..).zip(cells.at(at, end)) {
                        kids.push(Kid { from: at as u16, to: end as u16, item });
                        let bits = bits + filler.bits + row.bits(filler.entry);
                        self.fill(filling, number + 1, end, bits, kids, cell);
                        kids.pop();
                    }
                }
            }
        }
    }

    fn keep(&self, filling: &Filling<'_, '_>, bits: f64, kids: &[Kid], cell: &mut Vec<Item>) {
        let rule = filling.rule;
        let (ends, surprise) = self.said(rule.id, kids, filling.cells);
        let bits = bits + surprise;
        if bits > filling.within {
            return;
        }
        match cell.iter_mut().find(|other| other.entry == rule.id && other.of == ends) {
            Some(other) if other.bits <= bits => {}
            Some(other) => (other.bits, other.kids) = (bits, kids.to_vec()),
            None => cell.push(Item { entry: rule.id, of: ends, bits, kids: kids.to_vec() }),
        }
    }

    /// The ends of what an entry says, and how surprising it is that its parts stand side by side.
    fn said(&self, entry: EntryId, kids: &[Kid], cells: &Cells<Item>) -> (Ends, f64) {
        let mut all: (Ends, f64) = (None, 0.0);
        for piece in &self.theory.entry(entry).says {
            let part = match piece {
                Out::Token(token) => Some((*token, *token)),
                Out::Slot(slot) => cells.item(kids[usize::from(*slot)]).of,
                // What a function makes is not known; no output has this token, so nothing beside it surprises.
                Out::Call(..) => Some((MADE, MADE)),
            };
            let (ends, surprise) = self.neighbours.joined(all.0, part);
            all = (ends, all.1 + surprise);
        }
        all
    }

    fn roots(&self, cells: &Cells<Item>, model: &TreeModel) -> Vec<Derivation> {
        let row = model.row(ROOT);
        cells.derivations(|item| {
            let (first, last) = item.of.unwrap_or((END, END));
            let surprise = self.neighbours.surprise(END, first) + self.neighbours.surprise(last, END);
            let bits = item.bits + row.bits(item.entry) + surprise;
            (bits, (-bits).exp2())
        })
    }
}

/// What an entry may be filled with over a span.
#[derive(Clone, Copy)]
struct Filling<'f, 't> {
    rule: &'f Rule<'t>,
    span: (usize, usize),
    /// The bits it may cost,
    within: f64,
    /// of which the pieces from each on take so many at least.
    rest: &'f [Vec<f64>],
    cells: &'f Cells<Item>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::theory::counts::Counts;
    use crate::theory::entry::tests::entry;

    /// A thing with a place may itself be a place; two places of one thing, one behind the other, no output has.
    #[test]
    fn the_best_tree_says_nothing_that_no_output_has() {
        let mut theory = Theory::new(Prices::new(9, 9));
        for (pattern, says) in [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D"), ("0 i 1", "0 < 1 >")] {
            theory.add(&entry(pattern, says));
        }
        let output = |text: &str| -> Vec<Token> {
            entry("a", text).says.iter().copied().filter_map(Out::token).collect()
        };
        let outputs =
            ["A < B >", "B < C < D > >", "C < D >", "A < B < C > >", "D < A >", "B", "C < A < B > >"]
                .map(output);
        let often = outputs.iter().map(Vec::as_slice).cycle().take(20 * outputs.len());
        let neighbours = Neighbours::of(often);
        // Counts that prefer the other tree.
        let join = theory.number(&entry("0 i 1", "0 < 1 >")).unwrap();
        let mut counts =
            Counts::of_fillings([(ROOT, join, 9.0), ((join, 0), join, 6.0), ((join, 1), join, 5.0)]);
        for word in 0..4 {
            counts.add((join, 0), word, 2.0);
            counts.add((join, 1), word, 2.0);
        }
        let model = TreeModel::new(&counts, &theory);
        let input = entry("a i b i c i d", "A").pattern;
        let said = |found: Vec<Derivation>| free::says(&found[0].tree, &theory).unwrap();
        assert_eq!(said(free::derivations(&input[..], &theory, &model)), output("A < B > < C > < D >"));
        assert_eq!(said(derivations(&input, &theory, &model, &neighbours)), output("A < B < C < D > > >"));
    }
}
