//! Learns words anew, given what all others say.
//!
//! What an entry says was settled when little else was known. So all entries of some words are taken away, and what their examples need is asked again: what is
//! left of an example, or of a part of one that stands in the place of a known phrase, when all known parts are taken out. What several of the
//! new entries share is said once. The shorter theory is kept.

use crate::chart::given::{Options, is_derived};
use crate::learn::close::less_used;
use crate::learn::simplify::drop_if_shorter;
use crate::learn::state::State;
use crate::prices::FILLER;
use crate::propose::residue::residues;
use crate::propose::split::{Split, splits};
use crate::settings::{EFFORT, FEW, LEAST_BITS, LONGEST_PATTERN, MOST_SLOTS};
use crate::symbol::Word;
use crate::theory::entry::{Entry, In};
use crate::theory::{EntryId, Theory};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Words that are learned anew together at most.
const WORDS: usize = 8;
/// Examples with them that are looked at, the smallest: they say most clearly what is missing.
const LOOKS: usize = 16;
/// Different first entries that are tried.
const BEGINNINGS: usize = 3;

/// Learns words anew as long as theory and results become shorter.
pub(super) fn refine(state: &mut State<'_>) {
    let mut bits = state.bits_of_results();
    let groups = groups(state);
    let mut tried: BTreeSet<Vec<EntryId>> = BTreeSet::new();
    let mut effort = 0;
    while let Some((gone, words)) = costliest(state, &groups, &tried) {
        effort += state.counts.uses.len() * state.sample.len() * BEGINNINGS;
        if effort > EFFORT || (state.stop)() {
            return;
        }
        let anew = Anew::new(state, &gone, words);
        if let Some((branch, now)) = anew.shortest(bits) {
            *state = branch;
            state.made("refine", gone[0], bits, now);
            bits = now;
        }
        tried.insert(gone);
    }
}

/// For each word those that always come together with it, and those that never come without it.
fn groups(state: &State<'_>) -> BTreeSet<BTreeSet<Word>> {
    let mut examples: BTreeMap<Word, BTreeSet<usize>> = BTreeMap::new();
    for (number, example) in state.sample.iter().enumerate() {
        for piece in &example.pattern {
            if let In::Word(word) = piece {
                examples.entry(*word).or_default().insert(number);
            }
        }
    }
    let mut groups = BTreeSet::new();
    for there in examples.values() {
        let words = |is_one: &dyn Fn(&BTreeSet<usize>) -> bool| -> BTreeSet<Word> {
            examples.iter().filter(|(_, other)| is_one(other)).map(|(word, _)| *word).collect()
        };
        groups.insert(words(&|other| other == there));
        groups.insert(words(&|other| other.is_subset(there)));
    }
    groups.retain(|words| words.len() <= WORDS);
    groups
}

/// The entries of those words that cost most, of those not tried; words that say one token each are as short as can be.
fn costliest<'g>(
    state: &State<'_>,
    groups: &'g BTreeSet<BTreeSet<Word>>,
    tried: &BTreeSet<Vec<EntryId>>,
) -> Option<(Vec<EntryId>, &'g BTreeSet<Word>)> {
    let entries = |words: &BTreeSet<Word>| -> Vec<EntryId> {
        let used = state.counts.uses.keys().copied();
        used.filter(|&id| has(state.theory.entry(id), words)).collect()
    };
    let is_small = |&id: &EntryId| {
        let entry = state.theory.entry(id);
        entry.pattern.len() == 1 && entry.says.len() <= 1
    };
    let bits = |entries: &[EntryId]| entries.iter().map(|&id| state.theory.bits(id)).sum::<f64>();
    let open = groups.iter().map(|words| (entries(words), words));
    open.filter(|(entries, _)| !entries.iter().all(is_small) && !tried.contains(entries))
        .max_by(|(a, _), (b, _)| bits(a).total_cmp(&bits(b)).then(b.cmp(a)))
}

/// Whether an entry has one of these words.
fn has(entry: &Entry, words: &BTreeSet<Word>) -> bool {
    entry.words().any(|word| words.contains(&word))
}

/// Words without a meaning, and examples that show what it is.
struct Anew<'s, 'a> {
    state: &'s State<'a>,
    words: &'s BTreeSet<Word>,
    /// Examples whose trees need the words' entries, the smallest first.
    users: Vec<usize>,
    /// Some of them as entries.
    wholes: Vec<Entry>,
    /// What all others say.
    theory: Theory,
}

impl<'s, 'a> Anew<'s, 'a> {
    fn new(state: &'s State<'a>, gone: &[EntryId], words: &'s BTreeSet<Word>) -> Anew<'s, 'a> {
        let mut users = state.users(|id| gone.contains(&id));
        let size = |number: usize| state.sample[number].pattern.len() + state.sample[number].says.len();
        users.sort_by_key(|&number| (size(number), number));
        let whole = |&number: &usize| Entry::new(&state.sample[number].pattern, &state.sample[number].says);
        let wholes = users.iter().take(LOOKS).map(whole).collect();
        let mut theory = state.theory.clone();
        gone.iter().for_each(|&id| theory.set_live(id, false));
        Anew { state, words, users, wholes, theory }
    }

    /// What comes of the meanings that make all of it shortest, if it is shorter than so many bits.
    fn shortest(&self, bits: f64) -> Option<(State<'a>, f64)> {
        let mut best: Option<(State<'a>, f64)> = None;
        for first in self.paying(&self.theory).into_iter().take(BEGINNINGS) {
            let least = best.as_ref().map_or(bits - LEAST_BITS, |best| best.1);
            let mut branch = self.branch(&factored(self.entries(first), &self.theory));
            if (self.state.stop)() || branch.bits_of_theory() >= least {
                continue;
            }
            let less_used = less_used(&branch.counts, &self.state.counts);
            drop_if_shorter(&mut branch, &less_used);
            self.forget_what_is_idle(&mut branch);
            let now = branch.bits_of_results();
            if now < least && !(self.state.stop)() {
                best = Some((branch, now));
            }
        }
        best
    }

    /// No longer believes what was thought of and no tree uses, unless it is all that a word says.
    fn forget_what_is_idle(&self, branch: &mut State<'a>) {
        let known: BTreeSet<EntryId> = self.state.theory.live().collect();
        let is_idle = |id: &EntryId| !known.contains(id) && branch.counts.uses(*id) == 0.0;
        for id in branch.theory.live().filter(is_idle).collect::<Vec<EntryId>>() {
            let is_needed = branch.is_only_meaning(id);
            branch.theory.set_live(id, is_needed);
        }
    }

    /// The entries that examples need where this one is the first, those that save most first.
    fn entries(&self, first: Entry) -> Vec<Entry> {
        let mut theory = self.theory.clone();
        let mut entries = vec![first];
        while entries.len() < FEW {
            theory.add(&entries[entries.len() - 1]);
            let Some(next) = self.paying(&theory).into_iter().next() else { break };
            entries.push(next);
        }
        entries
    }

    /// Entries that would explain what this theory does not, those that save most first.
    fn paying(&self, theory: &Theory) -> Vec<Entry> {
        let open: Vec<&Entry> =
            self.wholes.iter().filter(|whole| !is_derived(whole, theory, Options::default())).collect();
        let found: Vec<BTreeSet<Entry>> = open
            .par_iter()
            .enumerate()
            .filter(|_| !(self.state.stop)())
            .map(|(number, whole)| self.missing(whole, theory, number < FEW))
            .collect();
        let mut saves: BTreeMap<Entry, f64> = BTreeMap::new();
        for (whole, found) in open.into_iter().zip(found) {
            for entry in found {
                *saves.entry(entry).or_default() += theory.prices.result(&whole.says);
            }
        }
        let each = saves.into_iter().map(|(entry, saved)| (saved - theory.prices.entry(&entry), entry));
        let mut order: Vec<(f64, Entry)> = each.filter(|(saved, _)| *saved > 0.0).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|(_, entry)| entry).collect()
    }

    /// What is left of an example without its known parts; the same of its parts that have the words, where the rest is known.
    fn missing(&self, whole: &Entry, theory: &Theory, within: bool) -> BTreeSet<Entry> {
        let mut found: BTreeSet<Entry> = residues(whole, None, theory).into_iter().collect();
        if within && whole.pattern.len() <= LONGEST_PATTERN {
            let is_known =
                |outer: &Entry| !has(outer, self.words) && is_derived(outer, theory, Options::default());
            for Split { inner, .. } in splits(whole).into_iter().filter(|split| is_known(&split.outer)) {
                found.extend(residues(&inner, None, theory));
                found.insert(inner);
            }
        }
        found.retain(|entry| entry.slots() <= MOST_SLOTS);
        found
    }

    /// The state with these entries.
    fn branch(&self, entries: &[Entry]) -> State<'a> {
        let mut branch = self.state.clone();
        branch.theory = self.theory.clone();
        entries.iter().for_each(|entry| _ = branch.theory.add(entry));
        let changes = branch.parsed_again(&self.users, Some(&branch.model()));
        branch.change(changes);
        branch.forget_unused();
        branch
    }
}

/// The same entries with what several of them share said once, as long as that is shorter.
fn factored(mut entries: Vec<Entry>, theory: &Theory) -> Vec<Entry> {
    while let Some(shorter) = shared(&entries, theory) {
        entries = shorter;
    }
    entries
}

/// The same entries with one part of several of them as an entry of its own, if that is shorter.
fn shared(entries: &[Entry], theory: &Theory) -> Option<Vec<Entry>> {
    let price = |entry: &Entry| match theory.has(entry) {
        true => FILLER,
        false => theory.prices.entry(entry) + FILLER,
    };
    // For each part what is left of each entry, at its cheapest.
    let mut parts: BTreeMap<Entry, BTreeMap<usize, Entry>> = BTreeMap::new();
    for (number, entry) in entries.iter().enumerate() {
        for Split { outer, inner, .. } in splits(entry) {
            for (part, rest) in [(&outer, &inner), (&inner, &outer)] {
                if price(rest) < theory.prices.entry(entry) {
                    let rests = parts.entry(part.clone()).or_default();
                    let known = rests.entry(number).or_insert_with(|| rest.clone());
                    if price(rest) < price(known) {
                        *known = rest.clone();
                    }
                }
            }
        }
    }
    let saves = |part: &Entry, rests: &BTreeMap<usize, Entry>| {
        let each = rests.iter().map(|(&number, rest)| theory.prices.entry(&entries[number]) - price(rest));
        each.sum::<f64>() - price(part)
    };
    let each = parts.into_iter().map(|(part, rests)| (saves(&part, &rests), part, rests));
    let (saved, part, mut rests) = each.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
    let next =
        (0..entries.len()).map(|number| rests.remove(&number).unwrap_or_else(|| entries[number].clone()));
    let next: BTreeSet<Entry> = next.chain([part]).collect();
    (saved > 0.0).then(|| next.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::state::tests::theory_and_sample;
    use crate::stop::Stop;
    use crate::theory::entry::tests::entry;

    #[test]
    fn words_that_say_parts_of_one_phrase_are_learned_anew() {
        let parts = [("a", "A"), ("b", "B"), ("r 0", "0 E"), ("t 0", "R M O 0"), ("h 0", "R N O 0")];
        let examples = [
            ("a", "A"),
            ("b", "B"),
            ("r t a", "R M O A E"),
            ("r h a", "R N O A E"),
            ("r t b", "R M O B E"),
            ("r h b", "R N O B E"),
        ];
        let (theory, sample) = theory_and_sample(&parts, &examples);
        let mut state = State::new(theory, &sample, Stop::never());
        let before = state.bits_of_results();
        refine(&mut state);
        assert!(state.bits_of_results() < before);
        assert!(!state.theory.has(&entry("t 0", "R M O 0")) && !state.theory.has(&entry("h 0", "R N O 0")));
        assert!(state.trees.iter().all(Option::is_some), "no example is lost");
    }

    #[test]
    fn what_entries_share_is_said_once() {
        let (theory, _) = theory_and_sample(&[], &[]);
        let entries = [entry("r t b 0 e 1", "R M O 0 E 1"), entry("r h b 0 e 1", "R N O 0 E 1")];
        let mut expected = [entry("r 0 b 1 e 2", "R 0 O 1 E 2"), entry("t", "M"), entry("h", "N")];
        expected.sort();
        assert_eq!(factored(entries.to_vec(), &theory), expected);
    }
}
