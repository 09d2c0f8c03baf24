//! Proposes to tell two kinds of an entry apart: where what fills one of its slots goes with what fills another, or with what the entry itself fills.
//!
//! `_ _ the _` says `y ( x , z )` of all verbs and nouns; where `bat` is an animal beside verbs of one sort and a stick beside those of another, there are
//! two of it. Which use is of which kind is found as in a mixture of two: from the uses of one filler, each use goes where its fillers are likelier,
//! until none changes.

use crate::learn::state::{Changes, State};
use crate::settings::{FEW, LEAST, LEAST_BITS, ROUNDS, UNSEEN};
use crate::theory::EntryId;
use crate::theory::entry::Entry;
use crate::theory::tree::Place;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Some uses of an entry told apart from the others.
pub struct Division {
    /// By how many bits trees and entries are shorter.
    pub saves: f64,
    /// The entry that the uses become.
    pub kind: EntryId,
    /// The trees with them.
    pub changes: Changes,
}

/// What is seen of a use: what fills a slot of it, or which place it fills.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Seen {
    Filler(u8, EntryId),
    Place(Place),
}

/// A use of an entry in a tree.
struct Use {
    tree: usize,
    node: usize,
    weight: f64,
    seen: Vec<Seen>,
}

/// The best ways to divide each entry in use that make trees and entries shorter, those that save most first.
pub fn divisions(state: &mut State<'_>) -> Vec<Division> {
    let used: Vec<EntryId> = state.counts.uses.keys().copied().collect();
    let mut found: Vec<Division> = Vec::new();
    for entry in used {
        let uses = uses(state, entry);
        let Some(kind) = next_kind(state, entry).filter(|_| uses.len() >= 2 * LEAST) else { continue };
        let mut divided: BTreeSet<Vec<bool>> = BTreeSet::new();
        for seed in seeds(&uses) {
            let is_other = separated(&uses, seed);
            if !divided.insert(is_other.clone()) {
                continue;
            }
            let changes = changed(state, &uses, &is_other, kind);
            let saves = -state.difference(&changes);
            if saves >= LEAST_BITS {
                found.push(Division { saves, kind, changes });
            }
        }
    }
    found.sort_by(|a, b| b.saves.total_cmp(&a.saves).then(a.kind.cmp(&b.kind)));
    found
}

/// An entry that says the same and is not in use; none of single words, which stand for themselves.
fn next_kind(state: &mut State<'_>, entry: EntryId) -> Option<EntryId> {
    let entry: Entry = state.theory.entry(entry).clone();
    let is_used = |kind: &u8| {
        let number = state.theory.number(&entry.of_kind(*kind));
        number.is_some_and(|id| state.counts.uses(id) > 0.0)
    };
    let free = (1..=u8::MAX).find(|kind| !is_used(kind)).filter(|_| entry.slots() > 0)?;
    Some(state.theory.note(&entry.of_kind(free)))
}

fn uses(state: &State<'_>, entry: EntryId) -> Vec<Use> {
    let mut uses = Vec::new();
    for (number, tree) in state.trees.iter().enumerate() {
        let Some(tree) = tree.as_ref().filter(|tree| tree.uses(entry)) else { continue };
        let mut places: FxHashMap<usize, Place> = FxHashMap::default();
        for parent in &tree.nodes {
            let kids = parent.kids.iter().enumerate();
            places.extend(kids.map(|(slot, &kid)| (kid as usize, (parent.entry, slot as u8))));
        }
        for (at, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.entry == entry) {
            let fillers = node.kids.iter().enumerate();
            let mut seen: Vec<Seen> = fillers
                .map(|(slot, &kid)| Seen::Filler(slot as u8, tree.nodes[kid as usize].entry))
                .collect();
            seen.extend(places.get(&at).map(|&place| Seen::Place(place)));
            uses.push(Use { tree: number, node: at, weight: tree.weight, seen });
        }
    }
    uses
}

/// What is seen of some uses and not of others, the most frequent first: each is something to begin with.
fn seeds(uses: &[Use]) -> Vec<Seen> {
    let mut often: BTreeMap<Seen, usize> = BTreeMap::new();
    uses.iter().flat_map(|one| &one.seen).for_each(|seen| *often.entry(*seen).or_default() += 1);
    let mut some: Vec<(usize, Seen)> = often
        .into_iter()
        .filter(|(_, count)| (LEAST..=uses.len() - LEAST).contains(count))
        .map(|(seen, count)| (count, seen))
        .collect();
    some.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    some.into_iter().take(2 * FEW).map(|(_, seen)| seen).collect()
}

/// Which uses are of the other kind, from those of which this is seen.
fn separated(uses: &[Use], seed: Seen) -> Vec<bool> {
    let mut is_other: Vec<bool> = uses.iter().map(|one| one.seen.contains(&seed)).collect();
    for _ in 0..ROUNDS {
        let mut counts: [FxHashMap<Seen, f64>; 2] = Default::default();
        let mut totals = [0.0; 2];
        for (one, &is_other) in uses.iter().zip(&is_other) {
            totals[usize::from(is_other)] += one.weight;
            for seen in &one.seen {
                *counts[usize::from(is_other)].entry(*seen).or_default() += one.weight;
            }
        }
        let bits = |one: &Use, kind: usize, is_in: bool| -> f64 {
            let own = if is_in { one.weight } else { 0.0 };
            let of = |seen| counts[kind].get(seen).copied().unwrap_or(0.0) - own + UNSEEN;
            let total = totals[kind] - own + 2.0 * UNSEEN;
            // How many are of a kind is not asked: else few would never become more.
            -one.seen.iter().map(|seen| (of(seen) / total).log2()).sum::<f64>()
        };
        let again: Vec<bool> = uses
            .iter()
            .zip(&is_other)
            .map(|(one, &is_other)| bits(one, 1, is_other) < bits(one, 0, !is_other))
            .collect();
        if again == is_other {
            break;
        }
        is_other = again;
    }
    is_other
}

/// The trees in which these uses are of another kind.
fn changed(state: &State<'_>, uses: &[Use], is_other: &[bool], kind: EntryId) -> Changes {
    let mut changes: Changes = Vec::new();
    for (one, _) in uses.iter().zip(is_other).filter(|(_, is_other)| **is_other) {
        if changes.last().is_none_or(|(tree, _)| *tree != one.tree) {
            changes.push((one.tree, state.trees[one.tree].clone()));
        }
        let tree = changes.last_mut().and_then(|(_, tree)| tree.as_mut());
        tree.expect("it was there to be used").nodes[one.node].entry = kind;
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::state::tests::theory_and_sample;
    use crate::stop::Stop;
    use crate::theory::entry::tests::entry;

    #[test]
    fn what_goes_together_is_of_one_kind() {
        // The first two stand with four others, and the last two with four more.
        let pairs: Vec<String> = [("ab", "mnop"), ("cd", "qrst")]
            .iter()
            .flat_map(|(first, second)| first.chars().map(move |first| (first, second)))
            .flat_map(|(first, second)| second.chars().map(move |second| format!("{first} {second}")))
            .collect();
        let upper: Vec<String> = pairs.iter().map(|pair| pair.to_uppercase()).collect();
        let examples: Vec<(&str, &str)> =
            pairs.iter().map(String::as_str).zip(upper.iter().map(String::as_str)).collect();
        let words: Vec<String> = "abcdmnopqrst".chars().map(String::from).collect();
        let tokens: Vec<String> = words.iter().map(|word| word.to_uppercase()).collect();
        let mut entries: Vec<(&str, &str)> =
            words.iter().map(String::as_str).zip(tokens.iter().map(String::as_str)).collect();
        entries.push(("0 1", "0 1"));
        let (theory, mut sample) = theory_and_sample(&entries, &examples);
        sample.iter_mut().for_each(|example| example.weight = 10.0);
        let mut state = State::new(theory, &sample, Stop::never());
        let best = divisions(&mut state).into_iter().next().unwrap();
        assert_eq!(state.theory.entry(best.kind), &entry("0 1", "0 1").of_kind(1));
        let of_kind: Vec<usize> = best.changes.iter().map(|(number, _)| *number).collect();
        assert!(
            of_kind == (0..8).collect::<Vec<_>>() || of_kind == (8..16).collect::<Vec<_>>(),
            "{of_kind:?}"
        );
        state.theory.set_live(best.kind, true);
        let before = state.bits;
        state.change(best.changes);
        assert!((before - state.bits - best.saves).abs() < 1e-6);
    }

    #[test]
    fn what_goes_with_everything_is_of_one_kind() {
        let (entries, pairs) = (["a", "b", "m", "n"], ["a m", "a n", "b m", "b n"]);
        let tokens = entries.map(str::to_uppercase);
        let mut entries: Vec<(&str, &str)> =
            entries.into_iter().zip(tokens.iter().map(String::as_str)).collect();
        entries.push(("0 1", "0 1"));
        let upper = pairs.map(str::to_uppercase);
        let examples: Vec<(&str, &str)> =
            pairs.into_iter().zip(upper.iter().map(String::as_str)).cycle().take(32).collect();
        let (theory, sample) = theory_and_sample(&entries, &examples);
        let mut state = State::new(theory, &sample, Stop::never());
        assert!(divisions(&mut state).is_empty());
    }
}
