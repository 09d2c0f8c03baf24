//! Classes of entries: those that fill the same slots.
//!
//! Entries are put into classes one after the other, the most used first, each where it makes the description of who
//! fills what shortest; two more passes let early ones move. A word seen once joins its kin, since its one place is one
//! of theirs.

use crate::prices::{CLASS_FILLS, x_log_x};
use crate::settings::PASSES;
use crate::theory::EntryId;
use crate::theory::counts::Counts;
use std::collections::BTreeMap;

/// Which slots an entry fills how often, by the numbers of the slots, and how often in all.
#[derive(Default)]
struct Profile {
    fills: Vec<(usize, f64)>,
    total: f64,
}

/// The same for the entries of a class: how often they fill each slot.
struct Class {
    fills: Vec<f64>,
    total: f64,
}

/// The class of every entry in use, numbered from 0.
pub fn classes(counts: &Counts) -> BTreeMap<EntryId, u32> {
    let mut profiles: BTreeMap<EntryId, Profile> = BTreeMap::new();
    for (place, fillers) in counts.slots.values().enumerate() {
        for (&filler, &count) in &fillers.each {
            let profile = profiles.entry(filler).or_default();
            profile.fills.push((place, count));
            profile.total += count;
        }
    }
    let mut order: Vec<(EntryId, Profile)> = profiles.into_iter().collect();
    order.sort_by(|a, b| counts.uses(b.0).total_cmp(&counts.uses(a.0)).then(a.0.cmp(&b.0)));
    let mut classes: Vec<Class> = Vec::new();
    let mut of: Vec<Option<usize>> = vec![None; order.len()];
    for _ in 0..PASSES {
        for (at, (_, profile)) in order.iter().enumerate() {
            if let Some(class) = of[at] {
                classes[class].change(profile, -1.0);
            }
            let class = best_class(&classes, profile);
            if class == classes.len() {
                classes.push(Class { fills: vec![0.0; counts.slots.len()], total: 0.0 });
            }
            classes[class].change(profile, 1.0);
            of[at] = Some(class);
        }
    }
    number(order.iter().map(|(entry, _)| *entry).zip(of.into_iter().flatten()))
}

/// The class that it costs least to join: one of those there are, an empty one, or one more.
fn best_class(classes: &[Class], profile: &Profile) -> usize {
    let empty = classes.iter().position(|class| class.total == 0.0).unwrap_or(classes.len());
    let alone: f64 = profile.fills.iter().map(|(_, count)| CLASS_FILLS - x_log_x(*count)).sum();
    let mut best = (x_log_x(profile.total) + alone, empty);
    for (number, class) in classes.iter().enumerate() {
        if profile.fills.iter().any(|(place, _)| class.fills[*place] > 0.0) {
            let cost = class.cost_to_join(profile);
            if cost < best.0 {
                best = (cost, number);
            }
        }
    }
    best.1
}

impl Class {
    fn cost_to_join(&self, profile: &Profile) -> f64 {
        let mut cost = x_log_x(self.total + profile.total) - x_log_x(self.total);
        for (place, count) in &profile.fills {
            let before = self.fills[*place];
            cost -= x_log_x(before + count) - x_log_x(before);
            cost += if before == 0.0 { CLASS_FILLS } else { 0.0 };
        }
        cost
    }

    /// Puts an entry in, or takes it out.
    fn change(&mut self, profile: &Profile, sign: f64) {
        for (place, count) in &profile.fills {
            let now = self.fills[*place] + sign * count;
            self.fills[*place] = if now > 1e-9 { now } else { 0.0 };
        }
        self.total = self.fills.iter().sum();
    }
}

/// Classes numbered from 0 in order of their first entry.
fn number(classes: impl Iterator<Item = (EntryId, usize)>) -> BTreeMap<EntryId, u32> {
    let by_entry: BTreeMap<EntryId, usize> = classes.collect();
    let mut numbers: BTreeMap<usize, u32> = BTreeMap::new();
    let mut numbered = BTreeMap::new();
    for (entry, class) in by_entry {
        let next = numbers.len() as u32;
        numbered.insert(entry, *numbers.entry(class).or_insert(next));
    }
    numbered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::tree::ROOT;

    #[test]
    fn a_word_seen_once_joins_its_kin() {
        // 1 and 2 fill a slot of 9 and the root; 3 was seen once, alone; 4 and 5 fill another slot.
        let place = (9, 0);
        let other = (9, 1);
        let mut fillings = vec![(ROOT, 3, 1.0)];
        for word in [1, 2] {
            fillings.extend([(place, word, 40.0), (ROOT, word, 10.0)]);
        }
        fillings.extend([(other, 4, 40.0), (other, 5, 40.0)]);
        let classes = classes(&Counts::of_fillings(fillings));
        assert_eq!(classes[&1], classes[&2]);
        assert_eq!(classes[&1], classes[&3]);
        assert_eq!(classes[&4], classes[&5]);
        assert_ne!(classes[&1], classes[&4]);
    }
}
