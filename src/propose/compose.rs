//! Proposes to make one entry of two: a slot and a filler it often has.

use crate::learn::state::{Changes, State};
use crate::settings::{CANDIDATES, LEAST_BITS, LONGEST_PATTERN, MOST_SLOTS};
use crate::theory::EntryId;
use crate::theory::tree::{Place, ROOT, Tree};
use rustc_hash::FxHashMap;

/// Makes the compositions that save most, one after the other; says how many.
pub fn compose(state: &mut State<'_>) -> usize {
    for done in 0..CANDIDATES {
        let by_pair = trees_by_pair(state);
        let mut best: Option<(f64, EntryId, Changes)> = None;
        for (place, filler) in frequent_pairs(state) {
            let outer = state.theory.entry(place.0);
            let Some(composed) = outer.compose(place.1, state.theory.entry(filler)) else { continue };
            if composed.slots() > MOST_SLOTS || composed.pattern.len() > LONGEST_PATTERN {
                continue;
            }
            let id = state.theory.note(&composed);
            let changes: Changes = by_pair[&(place, filler)]
                .iter()
                .filter_map(|&number| {
                    let tree = state.trees[number].as_ref()?.composed(place, filler, id)?;
                    Some((number, Some(tree)))
                })
                .collect();
            let bits = state.difference(&changes);
            if bits < best.as_ref().map_or(-LEAST_BITS, |best| best.0) {
                best = Some((bits, id, changes));
            }
        }
        let Some((_, id, changes)) = best else { return done };
        state.theory.set_live(id, true);
        state.apply("compose", id, changes);
    }
    CANDIDATES
}

fn frequent_pairs(state: &State<'_>) -> Vec<(Place, EntryId)> {
    let mut pairs: Vec<(f64, Place, EntryId)> = Vec::new();
    for (place, fillers) in state.counts.slots.iter().filter(|(place, _)| **place != ROOT) {
        let often = fillers.each.iter().filter(|(_, count)| **count >= 2.0);
        pairs.extend(often.map(|(filler, count)| (*count, *place, *filler)));
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    pairs.truncate(CANDIDATES);
    pairs.into_iter().map(|(_, place, filler)| (place, filler)).collect()
}

fn trees_by_pair(state: &State<'_>) -> FxHashMap<(Place, EntryId), Vec<usize>> {
    let mut by_pair: FxHashMap<(Place, EntryId), Vec<usize>> = FxHashMap::default();
    for (number, tree) in state.trees.iter().enumerate() {
        for filling in tree.iter().flat_map(Tree::fillings) {
            let numbers = by_pair.entry(filling).or_default();
            if numbers.last() != Some(&number) {
                numbers.push(number);
            }
        }
    }
    by_pair
}
