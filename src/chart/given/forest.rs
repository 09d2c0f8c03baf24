//! All trees of an input whose result is given, packed: what they cost under a tree model is counted without another chart.
//!
//! What a part of a tree says is all that matters to what stands above it. So for each span and each part of the result there is one *group* of
//! entries that say it there, and each entry has its ways to be filled by groups. Trees of a theory that believes fewer entries are found in
//! the same forest: those with entries that are no longer believed are left out.

use super::{Given, Item, Options};
use crate::chart::{Cells, Kid, spans};
use crate::settings::{LEAST_SHARE, MOST_BITS};
use crate::theory::entry::{In, Out};
use crate::theory::tree::{Node, Place, ROOT, Tree};
use crate::theory::tree_model::{Row, TreeModel};
use crate::theory::{EntryId, Theory};
use std::ops::Range;

/// The trees of an input, which has no slots of its own, with the result that is given.
#[derive(Debug)]
pub struct Forest {
    /// The entries that were tried, in order of their numbers, and whether one of them applies a function.
    tried: Vec<EntryId>,
    has_calls: bool,
    /// The entries of the trees, in order of their numbers, and how many slots each has.
    entries: Vec<(EntryId, usize)>,
    /// For each group its members, fillers before what they fill; the last group is that of the roots.
    groups: Vec<Range<usize>>,
    members: Vec<Member>,
    /// The groups that fill the slots of a member, one way after the other.
    kids: Vec<u32>,
    /// Pieces of patterns that were laid over the input: what the chart took to make.
    pub steps: usize,
}

/// An entry in a group.
#[derive(Debug)]
struct Member {
    /// Its number among the entries of the trees.
    entry: u32,
    /// Its ways, among all kids.
    kids: Range<usize>,
}

impl Forest {
    /// The trees of an input that give a result.
    pub fn new(pattern: &[In], says: &[Out], theory: &Theory) -> Forest {
        let chart = Given::with_ways(pattern, says, theory, Options::default(), true);
        let mut is_used = Used::new(&chart);
        let root = chart.items(0, pattern.len()).iter().position(|item| chart.is_right(item));
        if let Some(number) = root {
            is_used.from(Kid { from: 0, to: pattern.len() as u16, item: number as u16 });
        }
        let mut forest = Forest {
            tried: chart.tried.clone(),
            has_calls: chart.tried.iter().any(|&id| theory.entry(id).has_calls()),
            entries: is_used.entries(theory),
            groups: Vec::new(),
            members: Vec::new(),
            kids: Vec::new(),
            steps: chart.steps,
        };
        let mut numbers = is_used.numbers;
        for (from, to) in spans(pattern.len()) {
            for (number, item) in chart.items(from, to).iter().enumerate() {
                if numbers.at(from, to)[number].is_some() {
                    numbers.at_mut(from, to)[number] = Some(forest.groups.len() as u32);
                    forest.add(item, |kid: Kid| {
                        numbers.at(usize::from(kid.from), usize::from(kid.to))[usize::from(kid.item)]
                    });
                }
            }
        }
        forest
    }

    fn add(&mut self, item: &Item, number: impl Fn(Kid) -> Option<u32>) {
        let first = self.members.len();
        let mut kids = item.ways.kids.iter();
        for &id in &item.ways.entries {
            let entry = self.entries.partition_point(|(other, _)| *other < id);
            let before = self.kids.len();
            self.kids.extend(kids.by_ref().take(self.entries[entry].1).filter_map(|&kid| number(kid)));
            match self.members[first..].last_mut() {
                Some(member) if member.entry == entry as u32 => member.kids.end = self.kids.len(),
                _ => self.members.push(Member { entry: entry as u32, kids: before..self.kids.len() }),
            }
        }
        self.groups.push(first..self.members.len());
    }

    /// Whether these are all trees of the input by what a theory believes now.
    pub fn has_all(&self, pattern: &[In], says: &[Out], theory: &Theory) -> bool {
        let is_no_part = |id: EntryId| {
            let entry = theory.entry(id);
            !self.has_calls && !entry.has_calls() && !super::is_sayable(entry, says)
        };
        let candidates = theory.candidates(pattern);
        candidates.into_iter().all(|id| self.tried.binary_search(&id).is_ok() || is_no_part(id))
    }

    /// The probability of all trees.
    pub fn probability(&self, theory: &Theory, model: &TreeModel) -> f64 {
        let sums = self.sums(theory, &self.rows(model));
        self.of_group(self.groups.len().wrapping_sub(1), &sums, model.row(ROOT))
    }

    /// The best tree; without a model each filling costs one bit. An entry that is preferred is used wherever it can be.
    pub fn tree(
        &self,
        theory: &Theory,
        model: Option<&TreeModel>,
        prefer: Option<EntryId>,
        weight: f64,
    ) -> Option<Tree> {
        let rows = model.map(|model| self.rows(model));
        let mut best: Vec<Best> = Vec::with_capacity(self.members.len());
        let filling = |row: Option<Row<'_>>, id: EntryId| match row {
            _ if prefer == Some(id) => -MOST_BITS,
            Some(row) => row.bits(id),
            None => 1.0,
        };
        let least = |group: usize, row: Option<Row<'_>>, best: &[Best]| -> (f64, usize) {
            let each = self.groups[group].clone().map(|member| {
                let id = self.entries[self.members[member].entry as usize].0;
                (best[member].bits + filling(row, id), member)
            });
            each.fold((f64::INFINITY, usize::MAX), |least, one| if one.0 < least.0 { one } else { least })
        };
        for member in &self.members {
            let (id, slots) = self.entries[member.entry as usize];
            let mut found = Best { bits: f64::INFINITY, way: 0 };
            if theory.is_live(id) {
                if slots == 0 {
                    found.bits = 0.0;
                }
                for way in member.kids.clone().step_by(slots.max(1)) {
                    let fill = |bits: f64, slot: usize| {
                        let row = rows.as_ref().map(|rows| rows.of(member.entry, slot));
                        bits + least(self.kids[way + slot] as usize, row, &best).0
                    };
                    let bits = (0..slots).fold(0.0, fill);
                    if bits < found.bits {
                        found = Best { bits, way };
                    }
                }
            }
            best.push(found);
        }
        let root = model.map(|model| model.row(ROOT));
        let (bits, root) = least(self.groups.len().checked_sub(1)?, root, &best);
        if bits.is_infinite() {
            return None;
        }
        let mut nodes = Vec::new();
        let choose = |member: u32, slot: usize, group: usize| {
            least(group, rows.as_ref().map(|rows| rows.of(member, slot)), &best).1
        };
        self.copy(root, &best, &choose, &mut nodes);
        Some(Tree { nodes, weight })
    }

    fn copy(
        &self,
        member: usize,
        best: &[Best],
        choose: &impl Fn(u32, usize, usize) -> usize,
        nodes: &mut Vec<Node>,
    ) -> u32 {
        let entry = self.members[member].entry;
        let (id, slots) = self.entries[entry as usize];
        let number = nodes.len();
        nodes.push(Node { entry: id, kids: Vec::with_capacity(slots) });
        for slot in 0..slots {
            let group = self.kids[best[member].way + slot] as usize;
            let kid = self.copy(choose(entry, slot, group), best, choose, nodes);
            nodes[number].kids.push(kid);
        }
        number as u32
    }

    /// What fills what how often, expected over all trees, weighed by their probability.
    pub fn fillings(&self, theory: &Theory, model: &TreeModel) -> Vec<(Place, EntryId, f64)> {
        let mut found = Vec::new();
        let rows = self.rows(model);
        let sums = self.sums(theory, &rows);
        let mut shares = vec![0.0; self.members.len()];
        let Some(root) = self.groups.len().checked_sub(1) else { return found };
        let mut fill = |place: Place, group: usize, row: Row<'_>, share: f64, shares: &mut [f64]| {
            let all = self.of_group(group, &sums, row);
            for member in self.groups[group].clone().filter(|&member| sums[member] > 0.0 && all > 0.0) {
                let id = self.entries[self.members[member].entry as usize].0;
                let share = share * sums[member] * row.likely(id) / all;
                shares[member] += share;
                found.push((place, id, share));
            }
        };
        fill(ROOT, root, model.row(ROOT), 1.0, &mut shares);
        for (number, member) in self.members.iter().enumerate().rev() {
            let (id, slots) = self.entries[member.entry as usize];
            let share = shares[number];
            if share <= LEAST_SHARE || slots == 0 {
                continue;
            }
            for way in self.kids[member.kids.clone()].chunks(slots) {
                let share = share * self.of_way(member, way, &sums, &rows) / sums[number];
                for (slot, &group) in way.iter().enumerate() {
                    let row = rows.of(member.entry, slot);
                    fill((id, slot as u8), group as usize, row, share, &mut shares);
                }
            }
        }
        found
    }

    fn rows<'m>(&self, model: &'m TreeModel) -> Rows<'m> {
        let mut rows = Rows { first: Vec::with_capacity(self.entries.len()), rows: Vec::new() };
        for &(id, slots) in &self.entries {
            rows.first.push(rows.rows.len());
            rows.rows.extend((0..slots as u8).map(|slot| model.row((id, slot))));
        }
        rows
    }

    /// For each member the probability of all trees with it at their root.
    fn sums(&self, theory: &Theory, rows: &Rows<'_>) -> Vec<f64> {
        let mut sums = Vec::with_capacity(self.members.len());
        for member in &self.members {
            let (id, slots) = self.entries[member.entry as usize];
            let ways = self.kids[member.kids.clone()].chunks(slots.max(1));
            sums.push(match slots {
                _ if !theory.is_live(id) => 0.0,
                0 => 1.0,
                _ => ways.map(|way| self.of_way(member, way, &sums, rows)).sum(),
            });
        }
        sums
    }

    fn of_way(&self, member: &Member, way: &[u32], sums: &[f64], rows: &Rows<'_>) -> f64 {
        let each = way.iter().enumerate();
        each.map(|(slot, &group)| self.of_group(group as usize, sums, rows.of(member.entry, slot))).product()
    }

    fn of_group(&self, group: usize, sums: &[f64], row: Row<'_>) -> f64 {
        let Some(members) = self.groups.get(group) else { return 0.0 };
        let id = |member: usize| self.entries[self.members[member].entry as usize].0;
        members.clone().map(|member| sums[member] * row.likely(id(member))).sum()
    }
}

/// The cheapest way to fill a member's slots.
#[derive(Clone, Copy)]
struct Best {
    bits: f64,
    way: usize,
}

/// The rows of a tree model for the slots of the entries of a forest.
struct Rows<'m> {
    first: Vec<usize>,
    rows: Vec<Row<'m>>,
}

impl<'m> Rows<'m> {
    fn of(&self, entry: u32, slot: usize) -> Row<'m> {
        self.rows[self.first[entry as usize] + slot]
    }
}

/// The items of a chart that stand in a tree with the right result.
struct Used<'c, 'a> {
    chart: &'c Given<'a>,
    /// Numbers of those that do.
    numbers: Cells<Option<u32>>,
}

impl<'c, 'a> Used<'c, 'a> {
    fn new(chart: &'c Given<'a>) -> Used<'c, 'a> {
        let length = chart.cells.length;
        let mut numbers = Cells::new(length);
        for (from, to) in spans(length) {
            numbers.set(from, to, vec![None; chart.items(from, to).len()]);
        }
        Used { chart, numbers }
    }

    fn from(&mut self, root: Kid) {
        let mut open = vec![root];
        while let Some(kid) = open.pop() {
            let there = self.numbers.at_mut(usize::from(kid.from), usize::from(kid.to));
            if there[usize::from(kid.item)].replace(0).is_none() {
                open.extend(&self.chart.cells.item(kid).ways.kids);
            }
        }
    }

    fn entries(&self, theory: &Theory) -> Vec<(EntryId, usize)> {
        let mut found: Vec<EntryId> = Vec::new();
        for (from, to) in spans(self.numbers.length) {
            let there = self.numbers.at(from, to).iter().zip(self.chart.items(from, to));
            found.extend(there.filter(|(used, _)| used.is_some()).flat_map(|(_, item)| &item.ways.entries));
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|id| (id, theory.entry(id).slots())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::theory::counts::Counts;
    use crate::theory::entry::tests::entry;

    #[test]
    fn a_forest_holds_the_trees_of_a_theory_that_believes_less() {
        let mut theory = Theory::new(Prices::new(9, 9));
        for (pattern, says) in [("w", "W"), ("r", "R"), ("0 t", "0 0"), ("0 a 1", "0 1")] {
            theory.add(&entry(pattern, says));
        }
        let twice = theory.add(&entry("w t", "W W"));
        let whole = entry("w t a r a w t", "W W R W W");
        let forest = Forest::new(&whole.pattern, &whole.says, &theory);
        let preferred = forest.tree(&theory, None, Some(twice), 1.0).unwrap();
        assert!(preferred.uses(twice) && preferred.nodes.len() == 5);
        theory.set_live(twice, false);
        let model = TreeModel::new(&Counts::default(), &theory);
        let fewer = Forest::new(&whole.pattern, &whole.says, &theory);
        assert!(forest.has_all(&whole.pattern, &whole.says, &theory));
        assert!(!fewer.tree(&theory, Some(&model), None, 1.0).unwrap().uses(twice));
        assert_eq!(
            forest.tree(&theory, Some(&model), None, 1.0),
            fewer.tree(&theory, Some(&model), None, 1.0)
        );
        let [all, those] = [&forest, &fewer].map(|forest| forest.probability(&theory, &model));
        assert!(all > 0.0 && (all / those - 1.0).abs() < 1e-9, "{all} {those}");
        // What says nothing of this result may come, what could be part of it may not.
        theory.add(&entry("t 0", "X 0"));
        assert!(forest.has_all(&whole.pattern, &whole.says, &theory));
        theory.add(&entry("a 0", "0"));
        assert!(!forest.has_all(&whole.pattern, &whole.says, &theory));
    }
}
