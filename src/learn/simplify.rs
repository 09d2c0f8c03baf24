//! Makes a theory smaller by the bits of its results, where inputs need not be likely: entries are dropped, opened, or say less.

use crate::learn::settle;
use crate::learn::state::{Sampled, State};
use crate::parts::{self, Part};
use crate::propose::kinds::{Division, divisions};
use crate::propose::open::openings;
use crate::settings::{EFFORT, LEAST_BITS, PASSES, TRIED};
use crate::theory::EntryId;
use crate::theory::entry::{Entry, In};
use crate::theory::tree::Tree;
use crate::theory::tree_model::TreeModel;
use std::collections::BTreeSet;

/// Drops entries that only make inputs likelier, not results.
pub(super) fn simplify(state: &mut State<'_>) {
    state.forget_unused();
    let mut results = Results::of(state);
    let mut effort = 0;
    for _ in 0..PASSES {
        let mut order: Vec<EntryId> = state.counts.uses.keys().copied().collect();
        order.sort_by(|a, b| state.counts.uses(*a).total_cmp(&state.counts.uses(*b)).then(a.cmp(b)));
        let mut any = false;
        for id in order {
            if state.theory.entry(id).pattern.len() < 2 {
                continue;
            }
            effort += state.counts.uses.len() * state.sample.len();
            if effort > EFFORT || (state.stop)() {
                return;
            }
            any |= drop_if_results_are_shorter(state, id, &mut results);
        }
        if !any {
            break;
        }
    }
}

/// Drops those of these entries without which theory and results are shorter.
pub(super) fn drop_if_shorter(state: &mut State<'_>, entries: &[EntryId]) {
    let mut results = Results::of(state);
    for &id in entries {
        if (state.stop)() {
            return;
        }
        if state.theory.entry(id).pattern.len() < 2 {
            continue;
        }
        drop_if_results_are_shorter(state, id, &mut results);
    }
}

fn drop_if_results_are_shorter(state: &mut State<'_>, id: EntryId, results: &mut Results) -> bool {
    let (counts, joint) = (state.counts.clone(), state.bits);
    state.theory.set_live(id, false);
    let users = state.users(|used| used == id);
    let changes = state.parsed_again(&users, Some(&results.model));
    let trees: Vec<Option<Tree>> = users.iter().map(|&number| state.trees[number].clone()).collect();
    state.change(changes);
    if least(state) < results.bits {
        let model = state.model();
        let is_less = results.estimate(state, &model, id) < results.bits;
        let now = is_less.then(|| Results::by(state, model));
        if let Some(now) = now.filter(|now| now.bits < results.bits)
            && !(state.stop)()
        {
            state.made("simplify", id, results.bits, now.bits);
            *results = now;
            return true;
        }
    }
    state.theory.set_live(id, true);
    users.into_iter().zip(trees).for_each(|(number, tree)| state.trees[number] = tree);
    (state.counts, state.bits) = (counts, joint);
    false
}

/// What all of it costs at least: examples without a tree are said outright.
fn least(state: &State<'_>) -> f64 {
    let lost = state.sample.iter().zip(&state.trees).filter(|(_, tree)| tree.is_none());
    state.bits_of_theory() + lost.map(|(example, _)| state.theory.prices.result(&example.says)).sum::<f64>()
}

/// What the result of every example of a sample costs, and all of it.
struct Results {
    each: Vec<f64>,
    bits: f64,
    /// The tree model by which they do.
    model: TreeModel,
}

impl Results {
    fn of(state: &State<'_>) -> Results {
        Results::by(state, state.model())
    }

    fn by(state: &State<'_>, model: TreeModel) -> Results {
        let each: Vec<f64> = state.results(&model, |_| true).iter().map(|result| result.bits).collect();
        let bits = state.bits_of_theory() + each.iter().sum::<f64>();
        Results { each, bits, model }
    }

    /// What all of it would cost with a theory that differs in one entry, if examples without its words cost what they did.
    fn estimate(&self, state: &State<'_>, model: &TreeModel, id: EntryId) -> f64 {
        let words: Vec<In> = state.theory.entry(id).words().map(In::Word).collect();
        let has_words = |example: &Sampled| words.iter().all(|word| example.pattern.contains(word));
        let now = state.results(model, has_words);
        let others = state.sample.iter().zip(&self.each).filter(|(example, _)| !has_words(example));
        state.bits_of_theory()
            + now.iter().map(|result| result.bits).sum::<f64>()
            + others.map(|(_, bits)| bits).sum::<f64>()
    }
}

/// Makes entries more general where that is shorter: what composing put together for likelier inputs is opened again, and words say
/// less. Brackets that were seen around one sum take any then, and a word that says a token of its neighbour's is like its kin.
pub(super) fn generalize(state: &mut State<'_>) {
    let mut bits = state.bits_of_results();
    let mut refused: BTreeSet<(EntryId, EntryId)> = BTreeSet::new();
    let mut effort = 0;
    loop {
        let mut branches: Vec<(f64, (EntryId, EntryId), State<'_>)> = Vec::new();
        for edit in more_general(state) {
            let key = (edit.entry, edit.instead);
            if refused.contains(&key) {
                continue;
            }
            match edit.made(state) {
                Some(branch) if branch.bits_of_theory() < state.bits_of_theory() => {
                    branches.push((branch.bits_of_theory(), key, branch));
                }
                _ => {
                    refused.insert(key);
                }
            }
        }
        branches.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut better = None;
        for (_, key, mut branch) in branches {
            effort += branch.counts.uses.len() * branch.sample.len();
            if effort > EFFORT || (state.stop)() {
                return;
            }
            let mut now = branch.bits_of_results();
            if now < bits && branch.theory.entry(key.1).kind > 0 {
                // Kinds have to stay apart when trees are found anew.
                branch.theory.remember_kinds(&branch.counts);
                settle(&mut branch);
                now = branch.bits_of_results();
            }
            if now < bits {
                better = Some((now, key, branch));
                break;
            }
            refused.insert(key);
        }
        let Some((now, (_, instead), branch)) = better else { return };
        *state = branch;
        state.theory.remember_kinds(&state.counts);
        state.made("generalize", instead, bits, now);
        bits = now;
    }
}

/// Tells kinds of entries apart where that makes results likelier, the ways first that make trees shortest.
pub(super) fn divide(state: &mut State<'_>) {
    let stop = state.stop;
    let mut bits = state.bits_of_results();
    let mut effort = 0;
    // Where results cost less than one more entry, nothing can be saved.
    while bits - state.bits_of_theory() > state.theory.prices.entry(&Entry::new(&[], &[])) && !stop() {
        let mut better = None;
        for Division { kind, changes, .. } in divisions(state).into_iter().take(TRIED) {
            let mut branch = state.clone();
            effort += branch.counts.uses.len() * branch.sample.len();
            if effort > EFFORT || stop() {
                return;
            }
            branch.theory.set_live(kind, true);
            branch.change(changes);
            branch.theory.remember_kinds(&branch.counts);
            settle(&mut branch);
            let now = branch.bits_of_results();
            if now < bits - LEAST_BITS {
                better = Some((now, kind, branch));
                break;
            }
        }
        let Some((now, kind, branch)) = better else { return };
        *state = branch;
        state.made("divide", kind, bits, now);
        bits = now;
    }
}

/// An entry, and a smaller one instead of it.
struct MoreGeneral {
    entry: EntryId,
    instead: EntryId,
    /// What fills the slot of the smaller one that the other has not: its number, the filler, and how many slots of the other go there.
    filled: Option<(usize, EntryId, usize)>,
}

impl MoreGeneral {
    /// What comes of it, if no example is lost.
    fn made<'a>(&self, state: &State<'a>) -> Option<State<'a>> {
        let mut branch = state.clone();
        branch.theory.set_live(self.instead, true);
        branch.theory.set_live(self.entry, false);
        let users = branch.users(|used| used == self.entry);
        let changes = match self.filled {
            Some((first, filler, count)) => {
                let opened = |number: usize| {
                    let tree = branch.trees[number].as_ref()?;
                    Some(tree.opened(self.entry, self.instead, filler, first, count))
                };
                users.into_iter().map(|number| (number, opened(number))).collect()
            }
            None => branch.parsed_again(&users, Some(&branch.model())),
        };
        if branch.loses(&changes) {
            return None;
        }
        branch.change(changes);
        branch.forget_unused();
        Some(branch)
    }
}

/// The kinds of an entry that are in use, and one more: what agrees with others than all of them do may be one of its own. While `_ _` says `x ++ y` and `_ cat` says `x ++ [chat]`,
/// only `_ cat` tells the entry above that its noun is a cat; a kind of `_ _` for nouns like it tells as much, of all of them and however deep they stand.
fn kinds(entry: &Entry, state: &State<'_>) -> Vec<Entry> {
    let is_used = |entry: &Entry| state.theory.number(entry).is_some_and(|id| state.counts.uses(id) > 0.0);
    let mut kinds: Vec<Entry> = (0..=u8::MAX).map(|kind| entry.of_kind(kind)).take_while(is_used).collect();
    if kinds.is_empty() || parts::has(Part::Kinds) {
        kinds.push(entry.of_kind(kinds.len().min(usize::from(u8::MAX)) as u8));
    }
    kinds
}

/// Smaller entries instead of those in use.
fn more_general(state: &mut State<'_>) -> Vec<MoreGeneral> {
    let mut found = Vec::new();
    for (entry, split) in openings(state) {
        let Some(inner) = state.theory.number(&split.inner) else { continue };
        let filled = Some((split.first, inner, split.inner.slots()));
        for outer in kinds(&split.outer, state) {
            let instead = state.theory.note(&outer);
            found.push(MoreGeneral { entry, instead, filled });
        }
    }
    let used: Vec<EntryId> = state.counts.uses.keys().copied().collect();
    for entry in used {
        let Entry { pattern, says, .. } = state.theory.entry(entry).clone();
        if pattern.len() > 1 || says.len() < 2 {
            continue;
        }
        for less in [&says[1..], &says[..says.len() - 1]] {
            let instead = state.theory.note(&Entry::new(&pattern, less));
            found.push(MoreGeneral { entry, instead, filled: None });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::state::tests::theory_and_sample;
    use crate::stop::Stop;
    use crate::theory::entry::tests::entry;

    #[track_caller]
    fn check(
        entries: &[(&str, &str)],
        examples: &[(&str, &str)],
        more_general: (&str, &str),
        gone: (&str, &str),
    ) {
        let (theory, sample) = theory_and_sample(entries, examples);
        let mut state = State::new(theory, &sample, Stop::never());
        generalize(&mut state);
        assert!(state.theory.has(&entry(more_general.0, more_general.1)));
        assert!(!state.theory.has(&entry(gone.0, gone.1)));
        assert!(state.trees.iter().all(Option::is_some), "no example is lost");
    }

    #[test]
    fn brackets_around_one_kind_of_phrase_become_brackets_around_any() {
        let entries = [("a", "A"), ("b", "B"), ("0 p 1", "0 1 P"), ("l 0 p 1 r", "0 1 P")];
        let examples =
            [("a p b", "A B P"), ("l a p b r", "A B P"), ("l b p b r", "B B P"), ("b p a", "B A P")];
        check(&entries, &examples, ("l 0 r", "0"), entries[3]);
    }

    #[test]
    fn a_word_that_says_a_token_of_its_neighbour_says_less() {
        let entries = [("x", "X"), ("y", "C Y"), ("c 0", "C 0"), ("c 0", "0")];
        check(&entries, &[("c x", "C X"), ("c y", "C Y")], ("y", "Y"), entries[1]);
    }

    #[test]
    fn a_kind_of_an_entry_stands_for_several_that_agree_alike() {
        let entries = [
            ("m", "M"),
            ("b", "B"),
            ("c", "C"),
            ("t", "T"),
            ("g", "G"),
            ("n", "N"),
            ("0 1", "0 1"),
            ("0 c", "0 C"),
            ("0 t", "0 T"),
            ("p 0", "0 I"),
            ("p 0", "0 A"),
        ];
        let examples = [
            ("p m", "M I"),
            ("p b", "B I"),
            ("p g m", "G M I"),
            ("p n m", "N M I"),
            ("p g b", "G B I"),
            ("p n b", "N B I"),
            ("p c", "C A"),
            ("p t", "T A"),
            ("p g c", "G C A"),
            ("p n c", "N C A"),
            ("p g t", "G T A"),
            ("p n t", "N T A"),
        ];
        let (theory, mut sample) = theory_and_sample(&entries, &examples);
        // Often enough for a mistake to cost more than an entry.
        sample.iter_mut().for_each(|example| example.weight = 10.0);
        let mut state = State::new(theory, &sample, Stop::never());
        for hidden in [entry("0 c", "0 C"), entry("0 t", "0 T")] {
            let id = state.theory.number(&hidden).unwrap();
            assert!(state.prefer(id, &state.model()));
        }
        generalize(&mut state);
        let pair = entry("0 1", "0 1");
        assert!(state.theory.has(&pair) && state.theory.has(&pair.of_kind(1)));
        assert!(!state.theory.has(&entry("0 c", "0 C")) && !state.theory.has(&entry("0 t", "0 T")));
        assert!(state.trees.iter().all(Option::is_some));
        // Counted from nothing, the kinds stay what they were.
        let fillers = |kind: u8| {
            let id = state.theory.number(&pair.of_kind(kind)).unwrap();
            state.theory.kinds.slots[&(id, 1)].each.len()
        };
        assert_eq!([fillers(0), fillers(1)], [2, 2]);
    }
}
