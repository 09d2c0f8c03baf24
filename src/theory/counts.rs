//! What fills which slot how often, over the trees of examples, and what that costs.

use crate::prices::{FILLER, x_log_x};
use crate::theory::tree::{Place, Tree};
use crate::theory::{EntryId, Theory};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The fillers of one slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fillers {
    /// All of them together.
    pub total: f64,
    /// Each.
    pub each: BTreeMap<EntryId, f64>,
}

/// The fillers of all slots, and how often each entry is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// By slot.
    pub slots: BTreeMap<Place, Fillers>,
    /// By entry.
    pub uses: BTreeMap<EntryId, f64>,
}

/// Below this a count is nothing: weights are added and taken away, which leaves crumbs.
const CRUMB: f64 = 1e-6;

impl Counts {
    /// The counts of these trees.
    pub fn of<'a>(trees: impl IntoIterator<Item = &'a Tree>) -> Counts {
        let mut counts = Counts::default();
        for tree in trees {
            counts.change(tree, tree.weight);
        }
        counts
    }

    /// The counts of what fills what, each so often.
    pub fn of_fillings(fillings: impl IntoIterator<Item = (Place, EntryId, f64)>) -> Counts {
        let mut counts = Counts::default();
        for (place, filler, weight) in fillings {
            counts.add(place, filler, weight);
        }
        counts
    }

    /// What fills what how often, in order.
    pub fn fillings(&self) -> impl Iterator<Item = (Place, EntryId, f64)> + '_ {
        let of_slot = |(place, fillers): (&Place, &'_ Fillers)| {
            let place = *place;
            fillers.each.iter().map(move |(filler, count)| (place, *filler, *count)).collect::<Vec<_>>()
        };
        self.slots.iter().flat_map(of_slot)
    }

    /// Counts that something fills a place so often.
    pub fn add(&mut self, place: Place, filler: EntryId, weight: f64) {
        let fillers = self.slots.entry(place).or_default();
        fillers.total += weight;
        *fillers.each.entry(filler).or_default() += weight;
        *self.uses.entry(filler).or_default() += weight;
    }

    fn change(&mut self, tree: &Tree, weight: f64) {
        for (place, filler) in tree.fillings() {
            self.add(place, filler, weight);
        }
    }

    /// Takes trees out and puts others in.
    pub fn replace<'a>(&mut self, pairs: impl IntoIterator<Item = (Option<&'a Tree>, Option<&'a Tree>)>) {
        for (old, new) in pairs {
            if let Some(old) = old {
                self.change(old, -old.weight);
            }
            if let Some(new) = new {
                self.change(new, new.weight);
            }
        }
        for fillers in self.slots.values_mut() {
            fillers.each.retain(|_, count| *count > CRUMB);
        }
        self.slots.retain(|_, fillers| !fillers.each.is_empty());
        self.uses.retain(|_, count| *count > CRUMB);
    }

    /// Counts so many times as many of a filling as before.
    pub fn scale(&mut self, place: Place, filler: EntryId, times: f64) {
        let Some(fillers) = self.slots.get_mut(&place) else { return };
        let Some(count) = fillers.each.get_mut(&filler) else { return };
        let more = *count * (times - 1.0);
        *count += more;
        fillers.total += more;
        *self.uses.entry(filler).or_default() += more;
    }

    /// The description length of the trees and the entries they use.
    pub fn bits(&self, theory: &Theory) -> f64 {
        let slot = |fillers: &Fillers| {
            let apart: f64 = fillers.each.values().map(|&count| x_log_x(count)).sum();
            x_log_x(fillers.total) - apart + FILLER * fillers.each.len() as f64
        };
        let trees: f64 = self.slots.values().map(slot).sum();
        trees + self.uses.keys().map(|&entry| theory.bits(entry)).sum::<f64>()
    }

    /// By how many bits the description would change if these trees were replaced.
    pub fn difference<'a>(
        &self,
        pairs: impl IntoIterator<Item = (Option<&'a Tree>, Option<&'a Tree>)>,
        theory: &Theory,
    ) -> f64 {
        let mut changes: FxHashMap<(Place, EntryId), f64> = FxHashMap::default();
        for (old, new) in pairs {
            for (tree, sign) in [(old, -1.0), (new, 1.0)] {
                for (place, filler) in tree.into_iter().flat_map(Tree::fillings) {
                    *changes.entry((place, filler)).or_default() +=
                        sign * tree.map_or(0.0, |tree| tree.weight);
                }
            }
        }
        let mut changes: Vec<((Place, EntryId), f64)> =
            changes.into_iter().filter(|(_, by)| by.abs() > CRUMB).collect();
        // In a fixed order, so that sums of fractions come out the same.
        changes.sort_unstable_by_key(|change| change.0);
        self.difference_of_slots(&changes) + self.difference_of_entries(&changes, theory)
    }

    fn difference_of_slots(&self, changes: &[((Place, EntryId), f64)]) -> f64 {
        let mut bits = 0.0;
        for changes in changes.chunk_by(|a, b| a.0.0 == b.0.0) {
            let fillers = self.slots.get(&changes[0].0.0);
            let total = fillers.map_or(0.0, |fillers| fillers.total);
            let by: f64 = changes.iter().map(|change| change.1).sum();
            bits += x_log_x(total + by) - x_log_x(total);
            for ((_, filler), by) in changes {
                let before = fillers.and_then(|fillers| fillers.each.get(filler)).copied().unwrap_or(0.0);
                let after = if before + by > CRUMB { before + by } else { 0.0 };
                bits -= x_log_x(after) - x_log_x(before);
                bits += FILLER * (f64::from(after > 0.0) - f64::from(before > 0.0));
            }
        }
        bits
    }

    fn difference_of_entries(&self, changes: &[((Place, EntryId), f64)], theory: &Theory) -> f64 {
        let mut uses: BTreeMap<EntryId, f64> = BTreeMap::new();
        for ((_, filler), by) in changes {
            *uses.entry(*filler).or_default() += by;
        }
        let entry = |(&entry, &by): (&EntryId, &f64)| {
            let before = self.uses.get(&entry).copied().unwrap_or(0.0);
            theory.bits(entry) * (f64::from(before + by > CRUMB) - f64::from(before > CRUMB))
        };
        uses.iter().map(entry).sum()
    }

    /// How often an entry is used.
    pub fn uses(&self, entry: EntryId) -> f64 {
        self.uses.get(&entry).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::theory::entry::tests::entry;
    use crate::theory::tree::Node;

    /// The difference that a change is said to make is the one it makes.
    #[test]
    fn differences_add_up() {
        let mut theory = Theory::new(Prices::new(9, 9));
        let ids: Vec<EntryId> = [("w", "W"), ("0 t", "0 0"), ("w t", "W W")]
            .iter()
            .map(|(pattern, says)| theory.note(&entry(pattern, says)))
            .collect();
        let node = |entry: EntryId, kids: &[u32]| Node { entry, kids: kids.to_vec() };
        let apart = Tree { nodes: vec![node(ids[1], &[1]), node(ids[0], &[])], weight: 2.0 };
        let whole = Tree::whole(ids[2], 2.0);
        let word = Tree::whole(ids[0], 1.0);
        let mut counts = Counts::of([&apart, &word]);
        let before = counts.bits(&theory);
        let changes = [(Some(&apart), Some(&whole)), (Some(&word), None)];
        let difference = counts.difference(changes, &theory);
        counts.replace(changes);
        assert!((counts.bits(&theory) - before - difference).abs() < 1e-9);
        assert_eq!(counts, Counts::of([&whole]));
    }
}
