//! Proposes to move what fillers of a slot begin or end with into the entry around them.

use crate::learn::state::{Changes, State};
use crate::theory::EntryId;
use crate::theory::entry::{Entry, Out, Piece};
use crate::theory::tree::{Place, ROOT, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The fillers must occur so often.
const USES: f64 = 3.0;
/// An edit must save so many bits.
const LEAST_BITS: f64 = 0.5;
/// Edits at a time.
const EDITS: usize = 60;

/// Which end of a filler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum End {
    Front,
    Back,
}

/// What fillers of one slot have in common at one end.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Common {
    place: Place,
    end: End,
    tokens: Vec<Out>,
    fillers: Vec<EntryId>,
}

/// Makes the moves that save most, one after the other; says how many.
pub fn hoist(state: &mut State<'_>) -> usize {
    let mut failed: FxHashSet<Common> = FxHashSet::default();
    for done in 0..EDITS {
        let mut best: Option<(f64, Vec<EntryId>, Changes)> = None;
        for common in commons(state) {
            if failed.contains(&common) {
                continue;
            }
            let (ids, changes) = moved(state, &common);
            let bits = state.difference(&changes);
            if bits > -LEAST_BITS || changes.is_empty() {
                failed.insert(common);
            } else if best.as_ref().is_none_or(|best| bits < best.0) {
                best = Some((bits, ids, changes));
            }
        }
        let Some((_, ids, changes)) = best else { return done };
        state.apply("hoist", ids[0], changes);
        for id in ids {
            state.theory.set_live(id, true);
        }
        failed.clear();
    }
    EDITS
}

fn commons(state: &State<'_>) -> Vec<Common> {
    let mut found = Vec::new();
    for (&place, fillers) in state.counts.slots.iter().filter(|(place, _)| **place != ROOT) {
        if state.theory.entry(place.0).has_calls() {
            continue;
        }
        for end in [End::Front, End::Back] {
            let mut groups: BTreeMap<Out, Vec<EntryId>> = BTreeMap::new();
            for &filler in fillers.each.keys() {
                let says = &state.theory.entry(filler).says;
                let outermost = if end == End::Front { says.first() } else { says.last() };
                if let Some(&token) = outermost.filter(|piece| piece.is_literal())
                    && says.len() > 1
                {
                    groups.entry(token).or_default().push(filler);
                }
            }
            for fillers_alike in groups.into_values() {
                let uses: f64 = fillers_alike.iter().map(|filler| fillers.each[filler]).sum();
                let tokens = common_tokens(state, &fillers_alike, end);
                if uses >= USES && !tokens.is_empty() {
                    found.push(Common { place, end, tokens, fillers: fillers_alike });
                }
            }
        }
    }
    found
}

/// The tokens that all fillers begin or end with; each keeps at least one piece of its own.
fn common_tokens(state: &State<'_>, fillers: &[EntryId], end: End) -> Vec<Out> {
    let from_end = |id: &EntryId| -> Vec<Out> {
        let mut says = state.theory.entry(*id).says.to_vec();
        if end == End::Back {
            says.reverse();
        }
        says
    };
    let mut common = from_end(&fillers[0]);
    common.pop();
    for filler in &fillers[1..] {
        let says = from_end(filler);
        let same = common.iter().zip(&says[..says.len() - 1]).take_while(|(a, b)| a == b).count();
        common.truncate(same);
    }
    let literal = common.iter().take_while(|piece| piece.is_literal()).count();
    common.truncate(literal);
    if end == End::Back {
        common.reverse();
    }
    common
}

/// The entries and the trees with the tokens moved.
fn moved(state: &mut State<'_>, common: &Common) -> (Vec<EntryId>, Changes) {
    let parent = state.theory.entry(common.place.0).clone();
    let mut says = Vec::new();
    for piece in &parent.says {
        let here = piece.slot() == Some(common.place.1);
        match common.end {
            End::Front if here => says.extend(common.tokens.iter().chain([piece])),
            End::Back if here => says.extend([piece].into_iter().chain(&common.tokens)),
            _ => says.push(*piece),
        }
    }
    let outer = state.theory.note(&Entry::new(&parent.pattern, &says));
    let mut shorter: FxHashMap<EntryId, EntryId> = FxHashMap::default();
    let mut ids = vec![outer];
    for &filler in &common.fillers {
        let entry = state.theory.entry(filler).clone();
        let rest = match common.end {
            End::Front => &entry.says[common.tokens.len()..],
            End::Back => &entry.says[..entry.says.len() - common.tokens.len()],
        };
        let rest = Entry::new(&entry.pattern, rest);
        let id = state.theory.note(&rest);
        shorter.insert(filler, id);
        ids.push(id);
    }
    let mut changes = Changes::new();
    for (number, tree) in state.trees.iter().enumerate() {
        let Some(tree) = tree else { continue };
        match with_shorter(tree, common.place, outer, &shorter) {
            Moved::Nowhere => {}
            Moved::Somewhere(tree) => changes.push((number, Some(tree))),
            // A filler that is itself the parent of another one: not one edit.
            Moved::Twice => return (Vec::new(), Changes::new()),
        }
    }
    (ids, changes)
}

enum Moved {
    Nowhere,
    Somewhere(Tree),
    Twice,
}

fn with_shorter(tree: &Tree, place: Place, outer: EntryId, shorter: &FxHashMap<EntryId, EntryId>) -> Moved {
    let mut new = tree.clone();
    let mut touched = vec![false; tree.nodes.len()];
    for (number, node) in tree.nodes.iter().enumerate() {
        if node.entry != place.0 {
            continue;
        }
        let kid = node.kids[usize::from(place.1)] as usize;
        if let Some(&rest) = shorter.get(&tree.nodes[kid].entry) {
            if touched[number] || touched[kid] {
                return Moved::Twice;
            }
            touched[number] = true;
            touched[kid] = true;
            new.nodes[number].entry = outer;
            new.nodes[kid].entry = rest;
        }
    }
    if touched.contains(&true) { Moved::Somewhere(new) } else { Moved::Nowhere }
}
