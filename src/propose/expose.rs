//! Proposes to say the words that stand behind an entry without words.
//!
//! Where `_ _` = x ++ y joins `to`, `on` or `that` to what follows, whoever looks at it from above sees `_ _` alone, and cannot tell a recipient from a
//! place. With an entry for each of the words that begin it (`to _`, `on _`, `that _`) what fills what is told by them. This makes a theory longer, and results surer.

use crate::learn::state::State;
use crate::settings::{HARDLY, LONGEST_PATTERN, MOST_SLOTS, MOSTLY, TRIED};
use crate::theory::EntryId;
use crate::theory::entry::Entry;
use crate::theory::tree::{Place, ROOT};

/// Slots of entries without words, the most used first, each with the fillers that have words.
pub fn hidden(state: &State<'_>) -> Vec<(Place, Vec<EntryId>)> {
    let has_words = |id: EntryId| state.theory.entry(id).words().next().is_some();
    let mut found: Vec<(f64, Place, Vec<EntryId>)> = Vec::new();
    for (place, fillers) in &state.counts.slots {
        if *place == ROOT || has_words(place.0) {
            continue;
        }
        let is_frequent = |count: f64| count >= HARDLY * fillers.total;
        let frequent = fillers.each.iter().filter(|(_, count)| is_frequent(**count)).map(|(id, _)| *id);
        let worded: Vec<EntryId> = frequent.filter(|&id| has_words(id)).collect();
        let uses: f64 = worded.iter().map(|id| fillers.each[id]).sum();
        let are_most = (2..=TRIED).contains(&worded.len()) && uses >= MOSTLY * fillers.total;
        let composed = |&id: &EntryId| state.theory.entry(place.0).compose(place.1, state.theory.entry(id));
        let is_small = |entry: Entry| entry.slots() <= MOST_SLOTS && entry.pattern.len() <= LONGEST_PATTERN;
        if are_most && worded.iter().all(|id| composed(id).is_some_and(is_small)) {
            found.push((fillers.total, *place, worded));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, place, fillers)| (place, fillers)).collect()
}

/// Puts each of these fillers of a slot in it for good.
pub fn expose(state: &mut State<'_>, place: Place, fillers: &[EntryId]) {
    for &filler in fillers {
        let outer = state.theory.entry(place.0);
        let Some(composed) = outer.compose(place.1, state.theory.entry(filler)) else { continue };
        let id = state.theory.add(&composed);
        for tree in state.trees.iter_mut().flatten() {
            if let Some(exposed) = tree.composed(place, filler, id) {
                *tree = exposed;
            }
        }
    }
    state.recount();
    state.forget_unused();
}
