//! Proposes the inverse of composing: a part of an entry that is an entry itself becomes a slot.
//!
//! Kinship needs it: while `opposite left` is one entry, nothing can be said about `opposite right`.

use crate::learn::state::{Changes, State};
use crate::propose::split::{Split, splits};
use crate::settings::{CANDIDATES, LEAST_BITS, LONG, LONGEST_PATTERN, MOST_SLOTS};
use crate::theory::EntryId;
use crate::theory::entry::Entry;
use rustc_hash::{FxHashMap, FxHashSet};

/// Opens the entries where that saves most, one after the other; says how many.
pub fn open(state: &mut State<'_>) -> usize {
    let mut failed: FxHashSet<(EntryId, EntryId, EntryId)> = FxHashSet::default();
    let mut parts: FxHashMap<EntryId, Vec<Split>> = FxHashMap::default();
    for done in 0..CANDIDATES {
        let mut best: Option<(f64, [EntryId; 3], Changes)> = None;
        let used: Vec<EntryId> = state.counts.uses.keys().copied().collect();
        for &entry in &used {
            parts.entry(entry).or_insert_with(|| parts_of(state.theory.entry(entry)));
        }
        for entry in used {
            let users = state.users(|used| used == entry);
            for split in &parts[&entry] {
                let Some(inner) = in_use(&split.inner, state) else { continue };
                let outer = state.theory.note(&split.outer);
                if failed.contains(&(entry, outer, inner)) {
                    continue;
                }
                let opened = |&number: &usize| {
                    let tree = state.trees[number].as_ref()?;
                    let count = split.inner.slots();
                    Some((number, Some(tree.opened(entry, outer, inner, split.first, count))))
                };
                let changes: Changes = users.iter().filter_map(opened).collect();
                let bits = state.difference(&changes);
                if bits > -LEAST_BITS {
                    failed.insert((entry, outer, inner));
                } else if best.as_ref().is_none_or(|best| bits < best.0) {
                    best = Some((bits, [entry, outer, inner], changes));
                }
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
    let used = state.counts.uses.keys();
    let each = used
        .flat_map(|&entry| parts_of(state.theory.entry(entry)).into_iter().map(move |split| (entry, split)));
    each.filter(|(_, split)| in_use(&split.inner, state).is_some()).collect()
}

/// The ways to take an entry apart, if it is small enough.
fn parts_of(entry: &Entry) -> Vec<Split> {
    let mut parts = if is_openable(entry) { splits(entry) } else { Vec::new() };
    parts.retain(|split| split.outer.slots() <= MOST_SLOTS);
    parts
}

/// The number of an entry, if trees use it.
fn in_use(entry: &Entry, state: &State<'_>) -> Option<EntryId> {
    state.theory.number(entry).filter(|&id| state.counts.uses(id) > 0.0)
}

/// Whether an entry is small enough to be searched for parts.
pub fn is_openable(entry: &Entry) -> bool {
    (2..=LONGEST_PATTERN).contains(&entry.pattern.len()) && entry.says.len() <= LONG && !entry.has_calls()
}
