//! Proposes meanings for words that have none of their own, as the examples with the word ask for.

use crate::chart::given::{Given, Options};
use crate::learn::evidence::{Evidence, Example};
use crate::learn::state::State;
use crate::propose::compose::MOST_SLOTS;
use crate::propose::open::is_openable;
use crate::propose::split::splits;
use crate::symbol::{Token, Word};
use crate::theory::counts::Counts;
use crate::theory::entry::{Entry, In, Out, find};
use crate::theory::tree::Tree;
use crate::theory::{EntryId, Theory};
use std::collections::{BTreeMap, BTreeSet};

/// The word's examples that a meaning must explain.
const WITNESSES: usize = 4;
/// A word that says several tokens may yet be shortened if it has at most so many examples.
const FEW: usize = 3;
/// Meanings of at most so many tokens,
const LONGEST: usize = 3;
/// and so many of them, the likeliest, are tried.
const TRIES: usize = 8;
/// What a further token of a meaning counts against it, in bits.
const TOKEN: f64 = 2.5;

/// Gives words without a one-token meaning one with which their examples can be put together; says how many.
pub fn abduce(theory: &mut Theory, examples: &[Example], evidence: &Evidence) -> usize {
    let words: BTreeSet<Word> = examples.iter().flat_map(|example| example.input.iter().copied()).collect();
    let mut by_word: BTreeMap<Word, Vec<&Example>> = BTreeMap::new();
    for example in examples {
        let different: BTreeSet<Word> = example.input.iter().copied().collect();
        for word in different {
            by_word.entry(word).or_default().push(example);
        }
    }
    words
        .into_iter()
        .filter(|word| abduce_word(theory, *word, &by_word[word], examples.len(), evidence))
        .count()
}

fn abduce_word(
    theory: &mut Theory,
    word: Word,
    there: &[&Example],
    examples: usize,
    evidence: &Evidence,
) -> bool {
    let old: Vec<EntryId> = theory.live().filter(|&id| theory.entry(id).is_word(word)).collect();
    let shortest = old.iter().map(|&id| theory.entry(id).says.len()).min().unwrap_or(usize::MAX);
    if shortest == 1 || (!old.is_empty() && there.len() > FEW) {
        return false;
    }
    let witnesses = &there[..there.len().min(WITNESSES)];
    let candidates = meanings(word, witnesses, there.len(), examples, evidence);
    let beliefs = theory.beliefs();
    let with_word: Vec<EntryId> =
        theory.live().filter(|&id| theory.entry(id).words().any(|other| other == word)).collect();
    for id in with_word {
        theory.set_live(id, false);
    }
    let mut best: Option<(f64, Vec<Token>)> = None;
    for tokens in candidates {
        let id = theory.add(&Entry::constant(word, &tokens));
        let bits: Option<f64> = witnesses.iter().map(|example| derivation_bits(theory, example)).sum();
        theory.set_live(id, false);
        if let Some(bits) = bits.map(|bits| bits + TOKEN * tokens.len() as f64)
            && best.as_ref().is_none_or(|best| bits < best.0)
        {
            best = Some((bits, tokens));
        }
    }
    theory.restore(&beliefs);
    let Some((_, tokens)) = best.filter(|(_, tokens)| tokens.len() < shortest) else { return false };
    for id in old {
        theory.set_live(id, false);
    }
    theory.add(&Entry::constant(word, &tokens));
    true
}

fn derivation_bits(theory: &Theory, example: &Example) -> Option<f64> {
    Given::new(&example.pattern(), &example.says(), theory, Options::default()).bits()
}

/// Tokens that occur in all witnesses, the likeliest first.
fn meanings(
    word: Word,
    witnesses: &[&Example],
    there: usize,
    examples: usize,
    evidence: &Evidence,
) -> Vec<Vec<Token>> {
    let least_lift = 2f64.min((examples as f64 / there as f64).log2() * 0.7);
    let output = &witnesses[0].output;
    let mut found: Vec<(f64, Vec<Token>)> = Vec::new();
    for from in 0..output.len() {
        for to in from + 1..=(from + LONGEST).min(output.len()) {
            let tokens = &output[from..to];
            let everywhere = witnesses.iter().all(|example| find(&example.output, tokens).is_some());
            if !everywhere || !evidence.is_balanced(tokens.iter()) {
                continue;
            }
            let lift = evidence.lift(&Entry::constant(word, tokens));
            if lift >= least_lift {
                found.push((0.5 * tokens.len() as f64 - lift, tokens.to_vec()));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found.dedup();
    found.truncate(TRIES);
    found.into_iter().map(|(_, tokens)| tokens).collect()
}

/// Words looked at in one go of [`abduce_and_open`] at most.
const WORDS: usize = 60;
/// Meanings of a word that are tried.
const MEANINGS: usize = 3;
/// How often trees are chosen anew before the edit is judged.
const ROUNDS: usize = 3;

/// Gives a word without an entry one of its own, opens all entries with the word by it, and keeps this if, with all
/// trees chosen anew, everything is shorter; says how many words.
pub fn abduce_and_open(state: &mut State<'_>) -> usize {
    let words: BTreeSet<Word> = state
        .sample
        .iter()
        .flat_map(|example| example.pattern.iter())
        .filter_map(|piece| match piece {
            In::Word(word) => Some(*word),
            In::Slot(_) => None,
        })
        .collect();
    let in_use = |state: &State<'_>, id: EntryId| state.theory.is_live(id) && state.counts.uses(id) > 0.0;
    let mut done = 0;
    for word in words.into_iter().take(WORDS) {
        let with_word: Vec<EntryId> = state
            .counts
            .uses
            .keys()
            .copied()
            .filter(|&id| in_use(state, id) && state.theory.entry(id).words().any(|other| other == word))
            .collect();
        let has_own = with_word.iter().any(|&id| state.theory.entry(id).is_word(word));
        if !has_own && with_word.len() > 1 && open_word(state, word, &with_word) {
            done += 1;
        }
    }
    done
}

fn open_word(state: &mut State<'_>, word: Word, with_word: &[EntryId]) -> bool {
    let there: Vec<usize> = (0..state.sample.len())
        .filter(|&number| state.sample[number].pattern.contains(&In::Word(word)))
        .collect();
    let mut outers: BTreeMap<Box<[Out]>, Vec<(EntryId, Entry)>> = BTreeMap::new();
    for &id in with_word {
        let entry = state.theory.entry(id);
        if !is_openable(entry) {
            continue;
        }
        for split in splits(entry) {
            let small = split.inner.is_word(word) && split.inner.says.len() <= 2;
            if small && split.outer.slots() <= MOST_SLOTS {
                let opened = outers.entry(split.inner.says).or_default();
                if opened.last().is_none_or(|last| last.0 != id) {
                    opened.push((id, split.outer));
                }
            }
        }
    }
    let everywhere =
        |says: &[Out]| there.iter().all(|&number| find(&state.sample[number].says, says).is_some());
    let mut candidates: Vec<(f64, Box<[Out]>)> = outers
        .iter()
        .filter(|(says, opened)| opened.len() > 1 && everywhere(says))
        .map(|(says, opened)| (saved(state, word, says, opened), says.clone()))
        .filter(|(bits, _)| *bits > 0.0)
        .collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    candidates.truncate(MEANINGS);
    candidates.into_iter().any(|(_, says)| try_opened(state, word, &says, &outers[&says], &there))
}

/// The bits of entries that would be saved.
fn saved(state: &State<'_>, word: Word, says: &[Out], opened: &[(EntryId, Entry)]) -> f64 {
    let mut seen: BTreeSet<&Entry> = BTreeSet::new();
    let mut bits = -state.theory.prices.entry(&Entry::new(&[In::Word(word)], says));
    for (id, outer) in opened {
        let known = state.theory.has(outer) || !seen.insert(outer);
        bits += state.theory.bits(*id) - if known { 0.0 } else { state.theory.prices.entry(outer) };
    }
    bits
}

fn try_opened(
    state: &mut State<'_>,
    word: Word,
    says: &[Out],
    opened: &[(EntryId, Entry)],
    there: &[usize],
) -> bool {
    let beliefs = state.theory.beliefs();
    for (id, _) in opened {
        state.theory.set_live(*id, false);
    }
    for (_, outer) in opened {
        state.theory.add(outer);
    }
    let word_entry = state.theory.add(&Entry::new(&[In::Word(word)], says));
    if let Some(changes) = state.parsed_again(there, None) {
        let mut trees = state.trees.clone();
        for (number, tree) in changes {
            trees[number] = tree;
        }
        if let Some((trees, bits)) = settled(state, trees).filter(|(_, bits)| *bits < state.bits - 0.01) {
            state.trees = trees;
            let before = state.bits;
            state.recount();
            state.tell("abduce", word_entry, before);
            debug_assert!((state.bits - bits).abs() < 1e-3);
            return true;
        }
    }
    state.theory.restore(&beliefs);
    false
}

/// Trees chosen anew by what they show, until that no longer makes all of it shorter.
fn settled(state: &State<'_>, mut trees: Vec<Option<Tree>>) -> Option<(Vec<Option<Tree>>, f64)> {
    let mut counts = Counts::of(trees.iter().flatten());
    let mut bits = counts.bits(&state.theory);
    for _ in 0..ROUNDS {
        let model = crate::theory::tree_model::TreeModel::new(&counts, &state.theory);
        let again = state.parsed(Some(&model));
        if again.iter().zip(&trees).any(|(new, old)| new.is_none() && old.is_some()) {
            break;
        }
        let new_counts = Counts::of(again.iter().flatten());
        let new_bits = new_counts.bits(&state.theory);
        if new_bits > bits - 0.01 {
            break;
        }
        (trees, counts, bits) = (again, new_counts, new_bits);
    }
    Some((trees, bits))
}
