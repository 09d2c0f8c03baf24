//! Moves what fillers begin or end with into the entries above, each in a branch of its own.

use crate::learn::settle;
use crate::learn::simplify::drop_if_shorter;
use crate::learn::state::State;
use crate::propose::close::{Closed, closures};
use crate::settings::TRIED;
use crate::theory::EntryId;
use crate::theory::counts::Counts;
use std::collections::BTreeSet;

/// Moves literals up wherever results and theory are shorter then, those of most uses first.
pub(super) fn close(state: &mut State<'_>) {
    let mut bits = state.bits_of_results();
    let mut tried: BTreeSet<Closed> = BTreeSet::new();
    while let Some(edit) = closures(state).into_iter().find(|edit| !tried.contains(edit)) {
        if tried.len() > TRIED || (state.stop)() {
            return;
        }
        let branch = closed(state, &edit);
        let now = branch.bits_of_results();
        if now < bits && !(state.stop)() {
            let entry = branch.theory.number(&edit.parent).unwrap_or_default();
            *state = branch;
            state.made("close", entry, bits, now);
            bits = now;
        }
        tried.insert(edit);
    }
}

/// What comes of moving literals up: trees are found anew, and what they need less than before is dropped where it can be.
fn closed<'a>(state: &State<'a>, edit: &Closed) -> State<'a> {
    let mut branch = state.clone();
    for entry in std::iter::once(&edit.parent).chain(&edit.fillers) {
        branch.theory.add(entry);
    }
    settle(&mut branch);
    branch.forget_unused();
    let less_used = less_used(&branch.counts, &state.counts);
    drop_if_shorter(&mut branch, &less_used);
    branch
}

/// The entries that are used less than before, the least used first.
pub(super) fn less_used(now: &Counts, before: &Counts) -> Vec<EntryId> {
    let mut found: Vec<EntryId> = now.uses.keys().copied().collect();
    found.retain(|&id| now.uses(id) < before.uses(id));
    found.sort_by(|a, b| now.uses(*a).total_cmp(&now.uses(*b)).then(a.cmp(b)));
    found
}
