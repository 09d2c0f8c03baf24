//! What examples beyond the sample need: entries that were thought of, what is left of examples with all known parts taken out, and no
//! entry that costs more than it saves.

use crate::chart::given::{Options, is_derived};
use crate::learn::evidence::Example;
use crate::learn::state::{Sampled, State, bits_of_result};
use crate::prices::FILLER;
use crate::propose::abduce::abduce;
use crate::propose::residue::residues;
use crate::settings::{ASKED, LEAST, MOST_SLOTS, ROUNDS};
use crate::spread::spread;
use crate::stop::Stop;
use crate::symbol::Word;
use crate::theory::counts::Counts;
use crate::theory::entry::Entry;
use crate::theory::tree::Tree;
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A theory with all that it began with, and with what others began with of words that it has nothing of: what one way to begin misses another may find.
pub(super) fn thought_of<'t>(
    theory: &mut Theory,
    first: &Theory,
    others: impl Iterator<Item = &'t Theory>,
) -> Theory {
    let known: BTreeSet<Word> =
        [&*theory, first].into_iter().flat_map(|theory| theory.believed().flat_map(Entry::words)).collect();
    let mut believed: Vec<EntryId> = first.believed().map(|entry| theory.note(entry)).collect();
    for other in others {
        let new = other.believed().filter(|entry| entry.words().any(|word| !known.contains(&word)));
        believed.extend(new.map(|entry| theory.note(entry)));
    }
    let mut thought = theory.clone();
    believed.into_iter().for_each(|id| thought.set_live(id, true));
    thought
}

/// Believes again what examples need that were not in the sample, where that is shorter than to say them outright.
pub(super) fn revive(theory: &mut Theory, first: &Theory, examples: &[Example], stop: Stop<'_>) {
    let needed: Vec<Option<(Vec<EntryId>, f64)>> = examples
        .par_iter()
        .map(|example| {
            let sampled = Sampled::of(example, 1.0);
            if stop() || sampled.tree(theory, None).is_some() {
                return None;
            }
            let mut missing: Vec<EntryId> =
                sampled.tree(first, None)?.nodes.iter().map(|node| node.entry).collect();
            missing.retain(|&id| !theory.is_live(id));
            missing.sort_unstable();
            missing.dedup();
            Some((missing, theory.prices.result(&sampled.says)))
        })
        .collect();
    let mut groups: BTreeMap<Vec<EntryId>, Saved> = BTreeMap::new();
    for (missing, bits) in needed.into_iter().flatten() {
        groups.entry(missing).or_default().add(bits);
    }
    let mut order: Vec<(f64, Vec<EntryId>)> =
        groups.into_iter().map(|(missing, saved)| (saved.bits(examples.len()), missing)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (saved, missing) in order {
        let price = |id: &EntryId| if theory.is_live(*id) { 0.0 } else { theory.bits(*id) + FILLER };
        if missing.iter().map(price).sum::<f64>() < saved {
            for id in missing {
                theory.set_live(id, true);
            }
        }
    }
}

/// Results that need no longer be said outright.
#[derive(Default)]
pub(super) struct Saved {
    uses: f64,
    results: f64,
}

impl Saved {
    pub(super) fn add(&mut self, bits: f64) {
        self.add_times(bits, 1.0);
    }

    /// The same so many times.
    pub(super) fn add_times(&mut self, bits: f64, times: f64) {
        self.uses += times;
        self.results += times * bits;
    }

    /// What that saves. Where entries are used seldom, each use takes bits to say that they are.
    pub(super) fn bits(&self, examples: usize) -> f64 {
        self.results - self.uses * (examples as f64 / self.uses.max(1.0)).log2()
    }
}

/// Gives words that stand nowhere but in longer entries, or in none, a meaning of their own, where that is shorter than to say outright the results of
/// those of their examples that have no tree without it.
pub(super) fn take_new_words(theory: &mut Theory, examples: &[Example], stop: Stop<'_>) {
    let mut open: Vec<Entry> = examples.iter().map(Example::whole).collect();
    for _ in 0..ROUNDS {
        open = unexplained(open, theory, stop);
        let meanings: Vec<Option<Entry>> = looks_of_words(&open, theory)
            .par_iter()
            .map(|(word, looks)| match stop() {
                true => None,
                false => paying_meaning(*word, looks, theory, examples.len()),
            })
            .collect();
        if meanings.iter().all(Option::is_none) || stop() {
            return;
        }
        for entry in meanings.iter().flatten() {
            theory.add(entry);
        }
    }
}

/// Those of the examples that have no tree.
fn unexplained(examples: Vec<Entry>, theory: &Theory, stop: Stop<'_>) -> Vec<Entry> {
    let is_open = |entry: &Entry| stop() || !is_derived(entry, theory, Options::default());
    examples.into_par_iter().filter(is_open).collect()
}

/// The words that no entry of one word stands for, each with the first few of the examples whose other words are all known.
fn looks_of_words<'e>(open: &'e [Entry], theory: &Theory) -> Vec<(Word, Vec<&'e Entry>)> {
    let of = |alone: bool| -> BTreeSet<Word> {
        theory.believed().filter(|entry| !alone || entry.pattern.len() == 1).flat_map(Entry::words).collect()
    };
    let (known, alone) = (of(false), of(true));
    let mut looks: BTreeMap<Word, Vec<&Entry>> = BTreeMap::new();
    for example in open {
        let words: BTreeSet<Word> = example.words().collect();
        let new = &words - &known;
        let asked = match new.len() {
            0 => &words - &alone,
            1 => new,
            _ => continue,
        };
        for word in asked {
            let looks = looks.entry(word).or_default();
            if looks.len() < LEAST {
                looks.push(example);
            }
        }
    }
    looks.into_iter().collect()
}

/// What a word must say for its examples to come out right, if that pays.
fn paying_meaning(word: Word, looks: &[&Entry], theory: &Theory, examples: usize) -> Option<Entry> {
    let (entry, derived) = abduce(word, looks, theory)?;
    let mut saved = Saved::default();
    for (whole, _) in looks.iter().zip(derived).filter(|(_, derived)| *derived) {
        saved.add(theory.prices.result(&whole.says));
    }
    (saved.bits(examples) > theory.prices.entry(&entry) + FILLER).then_some(entry)
}

/// Takes in what is left of examples without a tree when all their known parts are taken out, where several have the same left and
/// that is shorter than to say their results outright. A round of them must make the sample shorter, too: wrong examples also have
/// something in common here and there.
pub(super) fn take_residues(theory: &mut Theory, examples: &[Example], sample: &[Sampled], stop: Stop<'_>) {
    let mut bits = State::new(theory.clone(), sample, stop).bits_of_results();
    let mut open: Vec<Entry> = examples.iter().map(Example::whole).collect();
    for _ in 0..ROUNDS {
        if stop() {
            return;
        }
        open = unexplained(open, theory, stop);
        let paying = paying_residues(theory, &open, examples.len(), stop);
        if paying.is_empty() {
            return;
        }
        let beliefs = theory.beliefs();
        for entry in paying {
            theory.add(&entry);
        }
        let now = State::new(theory.clone(), sample, stop).bits_of_results();
        if now >= bits {
            theory.restore(&beliefs);
            return;
        }
        bits = now;
        stop.step("residues", bits, None);
    }
}

/// The residues that pay, each for examples that no better one explains.
fn paying_residues(theory: &Theory, open: &[Entry], examples: usize, stop: Stop<'_>) -> Vec<Entry> {
    let looked_at: Vec<&Entry> = spread(open, ASKED).collect();
    let left = |whole: &&Entry| if stop() { Vec::new() } else { residues(whole, None, theory) };
    let found: Vec<Vec<Entry>> = looked_at.par_iter().map(left).collect();
    let mut users: BTreeMap<Entry, Vec<usize>> = BTreeMap::new();
    for (number, residues) in found.into_iter().enumerate() {
        for residue in residues.into_iter().filter(|residue| residue.slots() <= MOST_SLOTS) {
            users.entry(residue).or_default().push(number);
        }
    }
    let mut explained = vec![false; looked_at.len()];
    let saves = |entry: &Entry, users: &[usize], explained: &[bool]| {
        let mut saved = Saved::default();
        for &number in users.iter().filter(|&&number| !explained[number]) {
            saved.add(theory.prices.result(&looked_at[number].says));
        }
        saved.bits(examples) - theory.prices.entry(entry) - FILLER
    };
    let mut order: Vec<(f64, Entry, Vec<usize>)> = users
        .into_iter()
        .map(|(entry, users)| (saves(&entry, &users, &explained), entry, users))
        .filter(|(saved, ..)| *saved > 0.0)
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut paying = Vec::new();
    for (_, entry, users) in order {
        if saves(&entry, &users, &explained) > 0.0 {
            for number in users {
                explained[number] = true;
            }
            paying.push(entry);
        }
    }
    paying
}

/// Drops entries that cost more than saying outright the results of all examples whose trees use them. A single word that
/// nothing else has a meaning for is kept.
pub(super) fn drop_what_does_not_pay(
    theory: &mut Theory,
    sample: &[Sampled],
    trees: &[Option<Tree>],
    counts: &Counts,
) {
    let model = TreeModel::new(counts, theory);
    let mut saves: BTreeMap<EntryId, f64> = BTreeMap::new();
    let saved: Vec<f64> = sample
        .par_iter()
        .map(|example| theory.prices.result(&example.says) - bits_of_result(example, theory, &model))
        .collect();
    for (tree, saved) in trees.iter().zip(saved) {
        let mut used: Vec<EntryId> =
            tree.iter().flat_map(|tree| &tree.nodes).map(|node| node.entry).collect();
        used.sort_unstable();
        used.dedup();
        for id in used {
            *saves.entry(id).or_default() += saved;
        }
    }
    for (id, saved) in saves {
        let rivals = || {
            theory.live().any(|other| other != id && theory.entry(other).pattern == theory.entry(id).pattern)
        };
        if saved < theory.bits(id) + FILLER && (theory.entry(id).pattern.len() > 1 || rivals()) {
            theory.set_live(id, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::state::tests::theory_and_sample;
    use crate::theory::entry::Out;
    use crate::theory::entry::tests::entry;

    #[test]
    fn a_word_that_one_beginning_misses_is_taken_from_another() {
        let (mut theory, _) = theory_and_sample(&[("a", "A"), ("0 t", "0 0")], &[]);
        let (other, _) = theory_and_sample(&[("b", "B"), ("a", "A A"), ("c", "C")], &[]);
        let first = theory.clone();
        let thought = thought_of(&mut theory, &first, [&other].into_iter());
        let of_a_known_word = entry("a", "A A");
        assert!(thought.has(&entry("b", "B")) && !thought.has(&of_a_known_word));
        assert!(!theory.has(&entry("b", "B")), "so far it is only thought of");
        let examples =
            [("a", "A"), ("b t", "B B"), ("b", "B"), ("b t t", "B B B B")].map(|(input, output)| {
                let whole = entry(input, output);
                let output = whole.says.iter().copied().filter_map(Out::token).collect();
                Example { input: whole.words().collect(), output }
            });
        revive(&mut theory, &thought, &examples, Stop::never());
        assert!(theory.has(&entry("b", "B")) && !theory.has(&entry("c", "C")));
    }
}
