//! Proposes smaller entries: an entry taken apart into an outer one and the inner one that fills its new slot.

use crate::theory::entry::{Entry, In, Out, Piece, occurrences, replaced};
use rustc_hash::FxHashSet;

/// An entry taken apart: `outer` with `inner` in its slot of number `first` is the entry again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// What is left, with a slot for the inner entry.
    pub outer: Entry,
    /// What was taken out.
    pub inner: Entry,
    /// The number of the new slot.
    pub first: usize,
}

/// A slot that no entry has yet.
const NEW: u8 = u8::MAX;

/// All ways to take an entry apart into two that are smaller and not bare slots.
pub fn splits(entry: &Entry) -> Vec<Split> {
    let mut found = Vec::new();
    let long = entry.pattern.len();
    for from in 0..long {
        for to in from + 1..=long {
            let span = &entry.pattern[from..to];
            let bare = to - from == 1 && span[0].slot().is_some();
            if to - from < long && !bare {
                splits_of_span(entry, from, to, &mut found);
            }
        }
    }
    found
}

/// The ways to take out the span `from..to` of the pattern, with any part of what is said that says all that the span's slots say.
fn splits_of_span(entry: &Entry, from: usize, to: usize, found: &mut Vec<Split>) {
    let span = &entry.pattern[from..to];
    let inside = |piece: Out| piece.slot().is_some_and(|slot| span.contains(&In::Slot(slot)));
    let has_slots = span.iter().any(|piece| piece.slot().is_some());
    let said_inside = entry.says.iter().filter(|piece| inside(**piece)).count();
    let first = entry.pattern[..from].iter().filter(|piece| piece.slot().is_some()).count();
    let mut pattern = entry.pattern[..from].to_vec();
    pattern.push(In::Slot(NEW));
    pattern.extend_from_slice(&entry.pattern[to..]);
    let mut seen: FxHashSet<&[Out]> = FxHashSet::default();
    for begin in 0..entry.says.len() {
        for end in begin + 1..=entry.says.len() {
            let part = &entry.says[begin..end];
            if part[part.len() - 1].slot().is_some() && !inside(part[part.len() - 1]) {
                break;
            }
            if has_slots {
                let times = occurrences(&entry.says, part).len();
                if part.iter().filter(|piece| inside(**piece)).count() * times != said_inside {
                    continue;
                }
            }
            if !seen.insert(part) {
                continue;
            }
            let says = replaced(&entry.says, part, Out::Slot(NEW));
            let outer = Entry::new(&pattern, &says);
            let inner = Entry::new(span, part);
            if !outer.is_bare() {
                found.push(Split { outer, inner, first });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::entry::tests::entry;

    #[test]
    fn every_split_gives_the_entry_again() {
        let whole = entry("w t a 0 t", "W W 0 0");
        let all = splits(&whole);
        assert!(all.len() > 5);
        for split in &all {
            assert_eq!(
                split.outer.compose(split.first as u8, &split.inner),
                Some(whole.clone()),
                "{split:?}"
            );
        }
        let twice = Split { outer: entry("0 a 1 t", "0 1 1"), inner: entry("w t", "W W"), first: 0 };
        assert!(all.contains(&twice));
    }
}
