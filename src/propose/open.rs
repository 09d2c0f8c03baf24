//! Proposes the inverse of composing: a part of an entry that is an entry itself becomes a slot.
//!
//! Kinship needs it: while `opposite left` is one entry, nothing can be said about `opposite right`.

use crate::learn::state::{Changes, State};
use crate::propose::split::{Split, splits};
use crate::settings::{CANDIDATES, LEAST_BITS, LONG, LONGEST_PATTERN, MOST_SLOTS};
use crate::theory::EntryId;
use crate::theory::entry::Entry;
use rustc_hash::FxHashSet;

/// Opens the entries where that saves most, one after the other; says how many.
pub fn open(state: &mut State<'_>) -> usize {
    let mut failed: FxHashSet<(EntryId, EntryId, EntryId)> = FxHashSet::default();
    for done in 0..CANDIDATES {
        let mut best: Option<(f64, [EntryId; 3], Changes)> = None;
        for (entry, split) in openings(state) {
            let outer = state.theory.note(&split.outer);
            let Some(inner) = state.theory.number(&split.inner) else { continue };
            if failed.contains(&(entry, outer, inner)) {
                continue;
            }
            let count = split.inner.slots();
            let changes: Changes = state
                .users(|used| used == entry)
                .into_iter()
                .filter_map(|number| {
                    let tree = state.trees[number].as_ref()?;
                    Some((number, Some(tree.opened(entry, outer, inner, split.first, count))))
                })
                .collect();
            let bits = state.difference(&changes);
            if bits > -LEAST_BITS {
                failed.insert((entry, outer, inner));
            } else if best.as_ref().is_none_or(|best| bits < best.0) {
                best = Some((bits, [entry, outer, inner], changes));
            }
        }
        let Some((_, [entry, outer, inner], changes)) = best else { return done };
        state.apply("open", outer, changes);
        state.theory.set_live(entry, false);
        state.theory.set_live(outer, true);
        state.theory.set_live(inner, true);
        failed.clear();
    }
    CANDIDATES
}

/// The ways to open entries in use by others in use.
pub fn openings(state: &State<'_>) -> Vec<(EntryId, Split)> {
    let mut found = Vec::new();
    for &entry in state.counts.uses.keys() {
        let whole = state.theory.entry(entry);
        if !is_openable(whole) {
            continue;
        }
        let in_use =
            |split: &Split| state.theory.number(&split.inner).is_some_and(|id| state.counts.uses(id) > 0.0);
        let good =
            splits(whole).into_iter().filter(|split| split.outer.slots() <= MOST_SLOTS && in_use(split));
        found.extend(good.map(|split| (entry, split)));
    }
    found
}

/// Whether an entry is small enough to be searched for parts.
pub fn is_openable(entry: &Entry) -> bool {
    (2..=LONGEST_PATTERN).contains(&entry.pattern.len()) && entry.says.len() <= LONG && !entry.has_calls()
}
