//! Trees of an input whose result is given.
//!
//! Every value of a tree of templates is part of the result, so an item says which part: the first place where the same tokens
//! stand. The input may have slots of its own, which stand for themselves: then the question is whether an entry can be
//! put together from others.

use crate::chart::stands::Stands;
use crate::chart::{Cells, Input, Kid, may_cover, spans};
use crate::program::function::Function;
use crate::settings::{CELL, LEAST_SHARE, LONGEST, MOST_BITS, STEPS};
use crate::symbol::Token;
use crate::theory::entry::{Entry, In, Out, Piece};
use crate::theory::tree::{Node, Place, ROOT, Tree};
use crate::theory::tree_model::{Row, TreeModel};
use crate::theory::{EntryId, Theory};

/// A value: the first place where it stands in the result, or, where functions are applied, anything else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// From here to there.
    Part(u16, u16),
    /// Something that the result has not.
    Other(Box<[Out]>),
}

impl Said {
    /// Of how many pieces it is.
    fn length(&self) -> usize {
        match self {
            Said::Part(from, to) => usize::from(to - from),
            Said::Other(pieces) => pieces.len(),
        }
    }
}

/// A span with a value: an entry and what fills its slots.
#[derive(Clone, Debug)]
pub struct Item {
    /// The entry; `None` for a slot of the input that stands for itself.
    pub entry: Option<EntryId>,
    /// What it says.
    pub says: Said,
    /// Where that stands.
    stands: Stands,
    /// What the best tree costs, in bits.
    pub bits: f64,
    /// The probability of all trees with this entry that say this.
    sum: f64,
    kids: Vec<Kid>,
    /// All ways to come about, each with its probability, where they are asked for.
    ways: Vec<(f64, Vec<Kid>)>,
}

/// The chart of an input and its result.
pub struct Given<'a, I: Input + ?Sized = [In]> {
    pattern: &'a I,
    says: &'a [Out],
    model: Option<&'a TreeModel>,
    has_sums: bool,
    keep_ways: bool,
    prefer: Option<EntryId>,
    functions: &'a [Function],
    /// Where arguments of functions may stand: their values need not be parts of the result.
    arguments: Vec<(usize, usize)>,
    cells: Cells<Item>,
    /// Pieces of patterns that were laid over the input: what the chart took to make.
    pub steps: usize,
}

/// What may be used.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// What trees cost; without it every filling costs one bit.
    pub model: Option<&'a TreeModel>,
    /// This entry may not be used,
    pub without: Option<EntryId>,
    /// nor any that costs as much or more.
    pub below: Option<f64>,
    /// This entry is used wherever it can be.
    pub prefer: Option<EntryId>,
    /// Whether all ways are kept, for [`Given::fillings`].
    pub keep_ways: bool,
    /// Whether only the best tree will be asked for, and not how probable others are.
    pub only_best: bool,
}

/// Whether an entry can be put together from those of a theory.
pub fn is_derived(entry: &Entry, theory: &Theory, options: Options<'_>) -> bool {
    Given::new(&entry.pattern[..], &entry.says, theory, options).is_derived()
}

impl<'a, I: Input + ?Sized> Given<'a, I> {
    /// The chart of an input (words, maybe slots) and its result.
    pub fn new(pattern: &'a I, says: &'a [Out], theory: &'a Theory, options: Options<'a>) -> Given<'a, I> {
        let Options { model, keep_ways, prefer, only_best, .. } = options;
        let functions = theory.functions();
        let is_short = pattern.length() <= LONGEST && says.len() <= LONGEST;
        let cells = Cells::new(if is_short { pattern.length() } else { 0 });
        let mut chart = Given {
            pattern,
            says,
            model,
            has_sums: model.is_some() && !only_best,
            keep_ways,
            prefer,
            functions,
            arguments: Vec::new(),
            cells,
            steps: 0,
        };
        if !is_short {
            return chart;
        }
        let rules = chart.rules(theory, options);
        chart.arguments = rules.iter().flat_map(|rule| rule.arguments(pattern)).collect();
        for (from, to) in spans(pattern.length()) {
            let (cell, steps) = chart.cell(&rules, from, to);
            chart.cells.set(from, to, cell);
            chart.steps += steps;
        }
        chart
    }

    /// The entries that may be used.
    fn rules(&self, theory: &'a Theory, options: Options<'a>) -> Vec<Rule<'a>> {
        let allowed = |id: &EntryId| {
            options.without != Some(*id) && options.below.is_none_or(|below| theory.bits(*id) < below)
        };
        let mut ids: Vec<EntryId> = theory.candidates(self.pattern).into_iter().filter(allowed).collect();
        let has_calls = ids.iter().any(|&id| theory.entry(id).has_calls());
        let sayable = |entry: &Entry| {
            entry.says.iter().all(|piece| matches!(piece, Out::Slot(_)) || self.says.contains(piece))
        };
        ids.retain(|&id| has_calls || sayable(theory.entry(id)));
        let rule = |id: EntryId| {
            let entry = theory.entry(id);
            let rows = match options.model {
                Some(model) => (0..entry.slots() as u8).map(|slot| model.row((id, slot))).collect(),
                None => Vec::new(),
            };
            let stands = |piece: &Out| match piece {
                Out::Token(_) => Stands::of(std::slice::from_ref(piece), self.says),
                Out::Slot(_) | Out::Call(..) => Stands::ANYWHERE,
            };
            let literals = entry.says.iter().map(stands).collect();
            let has_calls = entry.has_calls();
            Rule {
                id,
                pattern: &entry.pattern,
                says: &entry.says,
                literals,
                has_calls,
                rows,
                runs: runs(entry),
            }
        };
        ids.into_iter().map(rule).collect()
    }

    /// The pieces of a value.
    fn said<'s>(&'s self, says: &'s Said) -> &'s [Out] {
        match says {
            Said::Part(from, to) => &self.says[usize::from(*from)..usize::from(*to)],
            Said::Other(pieces) => pieces,
        }
    }

    /// Whether a span may be the argument of a function, or part of one.
    fn may_be_argument(&self, (from, to): (usize, usize)) -> bool {
        self.arguments.iter().any(|&(first, last)| first <= from && to <= last)
    }

    /// Whether an item says the whole result.
    fn is_right(&self, item: &Item) -> bool {
        matches!(item.says, Said::Part(0, to) if usize::from(to) == self.says.len())
    }

    fn cell(&self, rules: &[Rule<'a>], from: usize, to: usize) -> (Vec<Item>, usize) {
        let mut cell = Vec::new();
        let mut steps = 0;
        let mut said = Vec::new();
        if let Some(slot) = self.pattern.slot(from)
            && to == from + 1
            && let Some(place) = self.says.iter().position(|piece| *piece == Out::Slot(slot))
        {
            let says = Said::Part(place as u16, place as u16 + 1);
            let stands = Stands::of(&self.says[place..=place], self.says);
            let item =
                Item { entry: None, says, stands, bits: 0.0, sum: 1.0, kids: Vec::new(), ways: Vec::new() };
            cell.push(item);
        }
        for rule in rules.iter().filter(|rule| may_cover(rule.pattern, self.pattern, (from, to))) {
            let mut filling = Filling {
                chart: self,
                rule,
                span: (from, to),
                must_be_part: !self.may_be_argument((from, to)),
                kids: Vec::new(),
                said: std::mem::take(&mut said),
                left: STEPS,
                steps: 0,
                kept: 0,
            };
            filling.go_on(0, from, 0.0, 1.0, &mut cell);
            steps += filling.steps;
            said = filling.said;
        }
        if cell.len() > CELL {
            cell.sort_by(|a: &Item, b: &Item| a.bits.total_cmp(&b.bits));
            cell.truncate(CELL);
        }
        // Those that say the same stand together, so that what cannot be gone on with is refused once.
        cell.sort_by(|a, b| a.says.cmp(&b.says));
        (cell, steps)
    }

    /// The items of a span.
    pub fn items(&self, from: usize, to: usize) -> &[Item] {
        self.cells.at(from, to)
    }

    /// The cheapest item for the whole input that says the whole result, and what its tree costs.
    fn best(&self) -> Option<(Kid, f64)> {
        let whole = self.pattern.length();
        if whole == 0 {
            return None;
        }
        let mut best: Option<(Kid, f64)> = None;
        for (number, item) in self.items(0, whole).iter().enumerate() {
            let Some(entry) = item.entry else { continue };
            if !self.is_right(item) {
                continue;
            }
            let usual = self.model.map_or(1.0, |model| model.bits(ROOT, entry));
            let bits = item.bits + if self.prefer == Some(entry) { -MOST_BITS } else { usual };
            if best.is_none_or(|(_, least)| bits < least) {
                best = Some((Kid { from: 0, to: whole as u16, item: number as u16 }, bits));
            }
        }
        best
    }

    /// Whether there is a tree for the whole input that says the whole result.
    pub fn is_derived(&self) -> bool {
        self.best().is_some()
    }

    /// The probability of all trees for the whole input that say the whole result.
    pub fn probability(&self) -> f64 {
        let Some(model) = self.model else { return 0.0 };
        let row = model.row(ROOT);
        let whole = self.items(0, self.pattern.length()).iter();
        let right = whole.filter(|item| self.is_right(item));
        right.filter_map(|item| Some(item.sum * (-row.bits(item.entry?)).exp2())).sum()
    }

    /// The best tree for the whole input that says the whole result.
    pub fn tree(&self, weight: f64) -> Option<Tree> {
        let (root, _) = self.best()?;
        let mut nodes = Vec::new();
        self.copy(root, &mut nodes)?;
        Some(Tree { nodes, weight })
    }

    /// What fills what how often, expected over all trees for the whole input that say the whole result, weighed by their
    /// probability. The chart must have a model and have kept all ways.
    pub fn fillings(&self) -> Vec<(Place, EntryId, f64)> {
        let mut found = Vec::new();
        let (Some(model), all) = (self.model, self.probability()) else { return found };
        if all <= 0.0 {
            return found;
        }
        let long = self.cells.length;
        let mut shares: Cells<f64> = Cells::new(long);
        for (from, to) in spans(long) {
            shares.set(from, to, vec![0.0; self.items(from, to).len()]);
        }
        let row = model.row(ROOT);
        for (number, item) in self.items(0, long).iter().enumerate() {
            if let Some(entry) = item.entry.filter(|_| self.is_right(item)) {
                let share = item.sum * (-row.bits(entry)).exp2() / all;
                shares.at_mut(0, long)[number] = share;
                found.push((ROOT, entry, share));
            }
        }
        let mut down: Vec<(usize, usize)> = spans(long).collect();
        down.reverse();
        for (from, to) in down {
            for (number, item) in self.items(from, to).iter().enumerate() {
                let share = shares.at(from, to)[number];
                let Some(entry) = item.entry.filter(|_| share > LEAST_SHARE && item.sum > 0.0) else {
                    continue;
                };
                for (sum, kids) in &item.ways {
                    let share = share * sum / item.sum;
                    for (slot, kid) in (0..).zip(kids) {
                        if let Some(filler) = self.cells.item(*kid).entry {
                            found.push(((entry, slot), filler, share));
                        }
                        shares.at_mut(usize::from(kid.from), usize::from(kid.to))[usize::from(kid.item)] +=
                            share;
                    }
                }
            }
        }
        found
    }

    fn copy(&self, kid: Kid, nodes: &mut Vec<Node>) -> Option<u32> {
        let item = self.cells.item(kid);
        let number = nodes.len();
        nodes.push(Node { entry: item.entry?, kids: Vec::new() });
        let mut kids = Vec::with_capacity(item.kids.len());
        for &kid in &item.kids {
            kids.push(self.copy(kid, nodes)?);
        }
        nodes[number].kids = kids;
        Some(number as u32)
    }
}

/// A part of the result.
fn part(place: usize, length: usize) -> Said {
    Said::Part(place as u16, (place + length) as u16)
}

/// An entry that may be used, with what its fillers cost.
struct Rule<'a> {
    id: EntryId,
    pattern: &'a [In],
    says: &'a [Out],
    /// Where each token of what it says stands in the result.
    literals: Vec<Stands>,
    has_calls: bool,
    rows: Vec<Row<'a>>,
    runs: Vec<Option<(usize, usize)>>,
}

/// For each slot of an entry the pieces around it that are known once it is filled, as a part of what the entry says, if there are others than
/// the slot. Where these say what the result has not, the other slots need not be filled.
fn runs(entry: &Entry) -> Vec<Option<(usize, usize)>> {
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
    fn arguments<I: Input + ?Sized>(&self, input: &I) -> Vec<(usize, usize)> {
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
struct Filling<'c, 'a, I: Input + ?Sized> {
    chart: &'c Given<'a, I>,
    rule: &'c Rule<'a>,
    span: (usize, usize),
    /// Whether what it says must be part of the result.
    must_be_part: bool,
    kids: Vec<Kid>,
    /// What is being said, kept for its memory.
    said: Vec<Out>,
    left: usize,
    steps: usize,
    /// How often something was kept.
    kept: usize,
}

impl<I: Input + ?Sized> Filling<'_, '_, I> {
    fn go_on(&mut self, piece: usize, at: usize, bits: f64, sum: f64, cell: &mut Vec<Item>) {
        let (from, to) = self.span;
        let pattern = self.rule.pattern;
        self.steps += 1;
        if self.left == 0 {
            return;
        }
        if piece == pattern.len() {
            if at == to {
                self.left -= 1;
                self.finish(bits, sum, cell);
            }
            return;
        }
        if let In::Word(word) = pattern[piece] {
            if at < to
                && let Some(cost) = self.chart.pattern.cost(at, word).map(f64::from)
            {
                let sum = if cost == 0.0 { sum } else { sum * (-cost).exp2() };
                self.go_on(piece + 1, at + 1, bits + cost, sum, cell);
            }
            return;
        }
        let after = pattern.len() - piece - 1;
        let first_end = if after == 0 { to } else { at + 1 };
        for end in first_end.max(at + 1)..=to.saturating_sub(after) {
            let whole_span = at == from && end == to;
            let next_fits = match pattern.get(piece + 1) {
                Some(&next) => end < to && self.chart.pattern.fit(end, next).is_some(),
                None => true,
            };
            if whole_span || !next_fits {
                continue;
            }
            self.fill(piece, at, end, bits, sum, cell);
        }
    }

    fn fill(&mut self, piece: usize, at: usize, end: usize, bits: f64, sum: f64, cell: &mut Vec<Item>) {
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
                (Some(entry), _) if self.chart.prefer == Some(entry) => -MOST_BITS,
                (Some(entry), Some(row)) => row.bits(entry),
                (Some(_), None) => 1.0,
            };
            self.kids.push(Kid { from: at as u16, to: end as u16, item: number as u16 });
            if self.may_go_on() {
                let sum = match (item.entry, row) {
                    (Some(entry), Some(row)) if self.chart.has_sums => sum * item.sum * row.likely(entry),
                    _ => sum,
                };
                self.go_on(piece + 1, end, bits + item.bits + filling, sum, cell);
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
    fn finish(&mut self, bits: f64, sum: f64, cell: &mut Vec<Item>) {
        let pieces = self.rule.says.len();
        if self.must_be_part && !self.rule.has_calls {
            if let Some((says, stands)) = self.part(0, pieces) {
                self.keep(says, stands, bits, sum, cell);
            }
            return;
        }
        let Some(said) = self.said(0, pieces) else { return };
        let stands = Stands::of(&said, self.chart.says);
        match stands.first() {
            Some(place) => self.keep(part(place, said.len()), stands, bits, sum, cell),
            None if self.must_be_part => {}
            None => self.keep(Said::Other(said[..].into()), stands, bits, sum, cell),
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

    fn keep(&mut self, says: Said, stands: Stands, bits: f64, sum: f64, cell: &mut Vec<Item>) {
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
            let kids = self.kids.clone();
            cell.push(Item { entry, says, stands, bits, sum: 0.0, kids, ways: Vec::new() });
            cell.len() - 1
        });
        let known = &mut cell[number];
        known.sum += sum;
        if bits < known.bits {
            known.entry = Some(self.rule.id);
            known.bits = bits;
            known.kids.clone_from(&self.kids);
        }
        if self.chart.keep_ways {
            known.ways.push((sum, self.kids.clone()));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::free;
    use crate::objective::Prices;
    use crate::theory::counts::Counts;
    use crate::theory::entry::tests::entry;

    fn theory(entries: &[(&str, &str)]) -> Theory {
        let mut theory = Theory::new(Prices::new(9, 9));
        for (pattern, says) in entries {
            theory.add(&entry(pattern, says));
        }
        theory
    }

    fn commands() -> Theory {
        theory(&[("w", "W"), ("r", "R"), ("0 t", "0 0"), ("0 a 1", "0 1"), ("0 f 1", "1 0")])
    }

    #[track_caller]
    fn check(theory: &Theory, input: &str, output: &str, expected: bool) {
        let whole = entry(input, output);
        let chart = Given::new(&*whole.pattern, &whole.says, theory, Options::default());
        assert_eq!(chart.is_derived(), expected, "{input} says {output}");
    }

    #[test]
    fn a_tree_is_found_where_there_is_one() {
        let theory = commands();
        check(&theory, "w t a r", "W W R", true);
        check(&theory, "w f r t", "R R W", true);
        check(&theory, "w t a r", "W R R", false);
        check(&theory, "w x", "W", false);
        // An entry from smaller ones, its slot standing for itself.
        check(&theory, "0 t a w", "0 0 W", true);
        check(&theory, "0 t a w", "0 W", false);
    }

    #[test]
    fn an_input_too_long_for_a_chart_has_no_tree() {
        let theory = commands();
        let long = vec![In::Word(crate::symbol::Word(u32::from(b'w'))); LONGEST + 1];
        let chart = Given::new(&long[..], &[], &theory, Options::default());
        assert!(!chart.is_derived() && chart.tree(1.0).is_none());
    }

    /// Where every tree of an input says the same, all trees are right ones.
    #[test]
    fn right_trees_are_as_probable_as_all_trees_if_nothing_else_is_said() {
        let theory = commands();
        let model = TreeModel::new(&Counts::default(), &theory);
        let whole = entry("w a r a w", "W R W");
        let options = Options { model: Some(&model), keep_ways: true, ..Options::default() };
        let chart = Given::new(&*whole.pattern, &whole.says, &theory, options);
        let all = free::probability(&whole.pattern, &theory, &model);
        assert!((chart.probability() / all - 1.0).abs() < 1e-9);
        // One filling of the root, and each node but the root fills a slot: three words and one of two joins.
        let fillings: f64 = chart.fillings().iter().map(|filling| filling.2).sum();
        assert!((fillings - 5.0).abs() < 1e-9, "{fillings}");
        // Twice what? The two trees say different things, and each has a share.
        let whole = entry("w a r t", "W R R");
        let chart = Given::new(&*whole.pattern, &whole.says, &theory, options);
        let share = chart.probability() / free::probability(&whole.pattern, &theory, &model);
        assert!(share > 0.1 && share < 0.9, "{share}");
    }
}
