//! Trees of an input whose result is given.
//!
//! Every value of a tree of templates is part of the result, so an item says which part: the first place where the same tokens
//! stand. The input may have slots of its own, which stand for themselves: then the question is whether an entry can be
//! put together from others.

mod filling;
pub mod forest;

use crate::chart::stands::Stands;
use crate::chart::{Cells, Input, Kid, may_cover, spans};
use crate::program::function::Function;
use crate::settings::{CELL, LONGEST, STEPS};
use crate::theory::entry::{Entry, In, Out};
use crate::theory::tree::{Node, ROOT, Tree};
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};
use filling::{Filling, Rule, runs};

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
    kids: Vec<Kid>,
    /// All ways to come about, where they are asked for.
    ways: Ways,
}

/// The ways in which a value comes about: entries, and what fills the slots of each, one after the other.
#[derive(Clone, Debug, Default)]
struct Ways {
    entries: Vec<EntryId>,
    kids: Vec<Kid>,
}

/// The chart of an input and its result.
pub struct Given<'a, I: Input + ?Sized = [In]> {
    pattern: &'a I,
    says: &'a [Out],
    model: Option<&'a TreeModel>,
    keeps_ways: bool,
    /// The entries that were tried, in order of their numbers.
    tried: Vec<EntryId>,
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
}

/// Whether an entry can be put together from those of a theory.
pub fn is_derived(entry: &Entry, theory: &Theory, options: Options<'_>) -> bool {
    Given::new(&entry.pattern[..], &entry.says, theory, options).is_derived()
}

impl<'a, I: Input + ?Sized> Given<'a, I> {
    /// The chart of an input (words, maybe slots) and its result.
    pub fn new(pattern: &'a I, says: &'a [Out], theory: &'a Theory, options: Options<'a>) -> Given<'a, I> {
        Given::with_ways(pattern, says, theory, options, false)
    }

    fn with_ways(
        pattern: &'a I,
        says: &'a [Out],
        theory: &'a Theory,
        options: Options<'a>,
        keeps_ways: bool,
    ) -> Given<'a, I> {
        let functions = theory.functions();
        let is_short = pattern.length() <= LONGEST && says.len() <= LONGEST;
        let cells = Cells::new(if is_short { pattern.length() } else { 0 });
        let mut chart = Given {
            pattern,
            says,
            model: options.model,
            keeps_ways,
            tried: Vec::new(),
            functions,
            arguments: Vec::new(),
            cells,
            steps: 0,
        };
        if !is_short {
            return chart;
        }
        let rules = chart.rules(theory, options);
        chart.tried = rules.iter().map(|rule| rule.id).collect();
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
        ids.retain(|&id| has_calls || is_sayable(theory.entry(id), self.says));
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
        let (mut said, mut kids) = (Vec::new(), Vec::new());
        if let Some(slot) = self.pattern.slot(from)
            && to == from + 1
            && let Some(place) = self.says.iter().position(|piece| *piece == Out::Slot(slot))
        {
            let says = Said::Part(place as u16, place as u16 + 1);
            let stands = Stands::of(&self.says[place..=place], self.says);
            cell.push(Item { entry: None, says, stands, bits: 0.0, kids: Vec::new(), ways: Ways::default() });
        }
        for rule in rules.iter().filter(|rule| may_cover(rule.pattern, self.pattern, (from, to))) {
            let mut filling = Filling {
                chart: self,
                rule,
                span: (from, to),
                must_be_part: !self.may_be_argument((from, to)),
                kids: std::mem::take(&mut kids),
                said: std::mem::take(&mut said),
                left: STEPS,
                steps: 0,
                kept: 0,
            };
            filling.go_on(0, from, 0.0, &mut cell);
            steps += filling.steps;
            (said, kids) = (filling.said, filling.kids);
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
            let bits = item.bits + self.model.map_or(1.0, |model| model.bits(ROOT, entry));
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

    /// The best tree for the whole input that says the whole result.
    pub fn tree(&self, weight: f64) -> Option<Tree> {
        let (root, _) = self.best()?;
        let mut nodes = Vec::new();
        self.copy(root, &mut nodes)?;
        Some(Tree { nodes, weight })
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

/// Whether all tokens that an entry says are in a result.
fn is_sayable(entry: &Entry, says: &[Out]) -> bool {
    entry.says.iter().all(|piece| matches!(piece, Out::Slot(_)) || says.contains(piece))
}

#[cfg(test)]
mod tests {
    use super::forest::Forest;
    use super::*;
    use crate::chart::total;
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
        let forest = Forest::new(&whole.pattern, &whole.says, &theory);
        let all = total::probability(&whole.pattern, &theory, &model);
        assert!((forest.probability(&theory, &model) / all - 1.0).abs() < 1e-9);
        // One filling of the root, and each node but the root fills a slot: three words and one of two joins.
        let fillings: f64 = forest.fillings(&theory, &model).iter().map(|filling| filling.2).sum();
        assert!((fillings - 5.0).abs() < 1e-9, "{fillings}");
        // Twice what? The two trees say different things, and each has a share.
        let whole = entry("w a r t", "W R R");
        let forest = Forest::new(&whole.pattern, &whole.says, &theory);
        let share = forest.probability(&theory, &model) / total::probability(&whole.pattern, &theory, &model);
        assert!(share > 0.1 && share < 0.9, "{share}");
    }
}
