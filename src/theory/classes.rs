//! Classes of entries: those that fill the same slots.
//!
//! Entries are put into classes one after the other, the most used first, each where it makes the description of who
//! fills what shortest; two more passes let early ones move. A word seen once joins its kin, since its one place is one
//! of theirs.

use crate::prices::{CLASS_FILLS, x_log_x};
use crate::settings::PASSES;
use crate::theory::EntryId;
use crate::theory::counts::Counts;
use crate::theory::tree::Place;
use std::collections::BTreeMap;

/// Which slots are filled how often.
type Profile = BTreeMap<Place, f64>;

/// The class of every entry in use, numbered from 0.
pub fn classes(counts: &Counts) -> BTreeMap<EntryId, u32> {
    let mut profiles: BTreeMap<EntryId, Profile> = BTreeMap::new();
    for (place, fillers) in &counts.slots {
        for (&filler, &count) in &fillers.each {
            *profiles.entry(filler).or_default().entry(*place).or_default() += count;
        }
    }
    let mut order: Vec<(EntryId, Profile)> = profiles.into_iter().collect();
    order.sort_by(|a, b| counts.uses(b.0).total_cmp(&counts.uses(a.0)).then(a.0.cmp(&b.0)));
    let mut classes: Vec<Profile> = Vec::new();
    let mut of: Vec<Option<usize>> = vec![None; order.len()];
    for _ in 0..PASSES {
        for (at, (_, profile)) in order.iter().enumerate() {
            if let Some(class) = of[at] {
                take_out(&mut classes[class], profile);
            }
            let class = best_class(&classes, profile);
            if class == classes.len() {
                classes.push(Profile::new());
            }
            put_in(&mut classes[class], profile);
            of[at] = Some(class);
        }
    }
    number(order.iter().map(|(entry, _)| *entry).zip(of.into_iter().flatten()))
}

/// The class that it costs least to join: one of those there are, an empty one, or one more.
fn best_class(classes: &[Profile], profile: &Profile) -> usize {
    let empty = classes.iter().position(Profile::is_empty).unwrap_or(classes.len());
    let mut best = (cost_to_join(&Profile::new(), profile), empty);
    for (number, class) in classes.iter().enumerate() {
        if profile.keys().any(|place| class.contains_key(place)) {
            let cost = cost_to_join(class, profile);
            if cost < best.0 {
                best = (cost, number);
            }
        }
    }
    best.1
}

fn cost_to_join(class: &Profile, profile: &Profile) -> f64 {
    let there: f64 = class.values().sum();
    let more: f64 = profile.values().sum();
    let mut cost = x_log_x(there + more) - x_log_x(there);
    for (place, count) in profile {
        let before = class.get(place).copied().unwrap_or(0.0);
        cost -= x_log_x(before + count) - x_log_x(before);
        cost += if before == 0.0 { CLASS_FILLS } else { 0.0 };
    }
    cost
}

fn put_in(class: &mut Profile, profile: &Profile) {
    for (place, count) in profile {
        *class.entry(*place).or_default() += count;
    }
}

fn take_out(class: &mut Profile, profile: &Profile) {
    for (place, count) in profile {
        *class.entry(*place).or_default() -= count;
    }
    class.retain(|_, count| *count > 1e-9);
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
