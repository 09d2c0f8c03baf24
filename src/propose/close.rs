//! Proposes to move what the fillers of a slot begin or end with into the entry above.
//!
//! While `[, theme =] ++ x ++ [(] ++ y ++ [)]` fills a slot, a noun with a place may stand as a theme and nowhere else, and a theme may be nothing else. With `, theme =` said
//! above the slot, what is left of its fillers, `x ++ [(] ++ y ++ [)]`, is the part that they have in common with the fillers of others, and all kin of these may be themes.
//! So most of what is left has to be in use already, as fillers of others: half a bracket taken off has no kin.

use crate::learn::state::State;
use crate::theory::EntryId;
use crate::theory::entry::{Entry, Out};
use crate::theory::tree::{Place, ROOT};
use std::collections::BTreeSet;

/// An entry that says what fillers of its slot said, and these fillers without it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Closed {
    /// The entry above.
    pub parent: Entry,
    /// What is left of the fillers.
    pub fillers: Vec<Entry>,
}

/// The side of what fillers say that literals stand on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Begin,
    End,
}

/// The ways to move literals from fillers into the entries above, those that concern most uses first; without those that bring nothing new.
pub fn closures(state: &State<'_>) -> Vec<Closed> {
    let mut found: Vec<(f64, Closed)> = Vec::new();
    for (&place, fillers) in state.counts.slots.iter().filter(|(place, _)| **place != ROOT) {
        let said: Vec<(EntryId, f64)> = fillers.each.iter().map(|(id, count)| (*id, *count)).collect();
        for side in [Side::Begin, Side::End] {
            found.extend(of_slot(state, place, &said, side));
        }
    }
    let is_new = |entry: &Entry| !state.theory.has(entry);
    found.retain(|(_, closed)| is_new(&closed.parent) || closed.fillers.iter().any(is_new));
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, closed)| closed).collect()
}

/// The ways that concern one slot, each with how often it is filled so.
fn of_slot(state: &State<'_>, place: Place, fillers: &[(EntryId, f64)], side: Side) -> Vec<(f64, Closed)> {
    let entry = |id: EntryId| state.theory.entry(id);
    let runs: BTreeSet<&[Out]> = fillers.iter().map(|(id, _)| literals(entry(*id), side)).collect();
    let mut found = Vec::new();
    for run in runs.into_iter().filter(|run| !run.is_empty()) {
        let Some(parent) = saying(entry(place.0), place.1, run, side) else { continue };
        let mut closed = Closed { parent, fillers: Vec::new() };
        let (mut uses, mut uses_of_known) = (0.0, 0.0);
        for (id, count) in fillers {
            let Some(rest) = without(entry(*id), run, side) else { continue };
            let known = state.theory.number(&rest).is_some_and(|rest| state.counts.uses(rest) > 0.0);
            uses_of_known += if known { *count } else { 0.0 };
            uses += count;
            closed.fillers.push(rest);
        }
        if uses_of_known > uses / 2.0 {
            found.push((uses, closed));
        }
    }
    found
}

/// The literals that an entry with slots says before the first of them, or behind the last.
fn literals(entry: &Entry, side: Side) -> &[Out] {
    let is_literal = |piece: &Out| piece.token().is_some();
    let says = &entry.says;
    if says.iter().all(is_literal) {
        return &[];
    }
    match side {
        Side::Begin => &says[..says.iter().take_while(|piece| is_literal(piece)).count()],
        Side::End => &says[says.len() - says.iter().rev().take_while(|piece| is_literal(piece)).count()..],
    }
}

/// The entry with these literals beside what fills a slot; `None` if it does not say the slot once and as it is.
fn saying(entry: &Entry, slot: u8, run: &[Out], side: Side) -> Option<Entry> {
    let is_slot = |piece: &Out| matches!(piece, Out::Slot(other) | Out::Call(_, other) if *other == slot);
    let mut at = (0..entry.says.len()).filter(|&at| is_slot(&entry.says[at]));
    let (at, None) = (at.next()?, at.next()) else { return None };
    let Out::Slot(_) = entry.says[at] else { return None };
    let mut says = entry.says.to_vec();
    let beside = if side == Side::Begin { at } else { at + 1 };
    says.splice(beside..beside, run.iter().copied());
    Some(Entry::new(&entry.pattern, &says))
}

/// What is left of an entry without these literals; `None` if it does not have them, or is nothing else.
fn without(entry: &Entry, run: &[Out], side: Side) -> Option<Entry> {
    let rest = match side {
        Side::Begin => entry.says.strip_prefix(run),
        Side::End => entry.says.strip_suffix(run),
    };
    rest.filter(|rest| !rest.is_empty()).map(|rest| Entry::new(&entry.pattern, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::state::tests::theory_and_sample;
    use crate::theory::entry::tests::entry;

    /// Whether closing proposes an entry above and what is left of its fillers, from a theory and examples.
    fn proposes(
        entries: &[(&str, &str)],
        examples: &[(&str, &str)],
        parent: (&str, &str),
        left: (&str, &str),
    ) -> bool {
        let (theory, sample) = theory_and_sample(entries, examples);
        let state = State::new(theory, &sample, crate::stop::Stop::never());
        let (parent, left) = (entry(parent.0, parent.1), entry(left.0, left.1));
        closures(&state).iter().any(|closed| closed.parent == parent && closed.fillers.contains(&left))
    }

    #[test]
    fn what_fillers_begin_with_is_said_above() {
        let entries = [("n", "N"), ("g 0 1", "G 0 1"), ("t 0", "T 0"), ("t 0", "0"), ("s 0", "S 0")];
        let examples = [("g n t n", "G N T N"), ("s t n", "S N")];
        assert!(proposes(&entries, &examples, ("g 0 1", "G 0 T 1"), ("t 0", "0")));
        // What is left is not in use by others.
        assert!(!proposes(&entries[..3], &examples[..1], ("g 0 1", "G 0 T 1"), ("t 0", "0")));
    }
}
