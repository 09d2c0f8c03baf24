//! What is believed about each word, and which words are not settled.

use crate::model::Model;
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::symbol::{Symbol, Word};
use crate::training::meaning::Meanings;
use crate::values::knowledge::Knowledge;
use std::collections::BTreeSet;

/// A sense that has this share among those with as many children is settled.
const SETTLED: f64 = 0.8;
/// Senses and numbers of children with less than this share of a word's uses are not worth a word.
const RARE: f64 = 0.02;

/// What is believed about one word.
#[derive(Clone, Debug)]
pub struct Belief<'a> {
    /// The word's number.
    pub word: usize,
    /// Its senses in use, the most probable first.
    pub senses: Vec<&'a Sense>,
    /// Why it is not settled, if it is not.
    pub open: Option<Open>,
}

/// Why a word is not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The model has no meaning for it, as no explanation of any example uses it.
    Unused,
    /// Several senses with the same number of children compete.
    Rivals,
}

/// What is believed about every word, in the order of their numbers.
pub fn beliefs(meanings: &Meanings) -> Vec<Belief<'_>> {
    (0..meanings.lexicon.senses.len()).map(|word| belief(meanings, word)).collect()
}

/// The words that `model` has not solved: those without a meaning or construction, and those with rival meanings that occur in
/// examples which it gets wrong. Rivals that make no difference to any example do no harm.
pub fn unsolved(model: &Model) -> Vec<Belief<'_>> {
    if model.has_constructions() {
        let of_templates = model
            .knowledge
            .iter()
            .flat_map(|knowledge| knowledge.theory.live().flat_map(|id| knowledge.theory.entry(id).words()));
        let of_values = model
            .values
            .iter()
            .flat_map(|values| values.entries().iter().flat_map(|known| known.entry.pattern.words()));
        let known: BTreeSet<usize> = of_templates.chain(of_values).map(|word| word.0 as usize).collect();
        let open = model.values.as_ref().and_then(Knowledge::open);
        let is_member = |word: usize| open.is_some_and(|open| open.token(Word(word as u32)).is_some());
        let unknown = (0..model.inputs.len()).filter(|word| !known.contains(word) && !is_member(*word));
        return unknown.map(|word| Belief { word, senses: Vec::new(), open: Some(Open::Unused) }).collect();
    }
    let is_wrong =
        |word: usize| model.unexplained.iter().any(|example| example.input.contains(&Symbol(word as u32)));
    let judge = |belief: Belief<'_>| match belief.open {
        _ if model.lexicon.senses[belief.word].is_empty() => Some(Open::Unused),
        Some(Open::Rivals) if is_wrong(belief.word) => Some(Open::Rivals),
        _ => None,
    };
    let judged =
        beliefs(&model.meanings).into_iter().map(|belief| Belief { open: judge(belief.clone()), ..belief });
    judged.filter(|belief| belief.open.is_some()).collect()
}

fn belief(meanings: &Meanings, word: usize) -> Belief<'_> {
    let lexicon = &meanings.lexicon;
    let uses = meanings.uses.get(word).map_or(&[][..], Vec::as_slice);
    let total: f64 = uses.iter().sum();
    let used = |number: usize| uses.get(number).copied().unwrap_or(0.0);
    let mut senses: Vec<&Sense> = lexicon.senses[word]
        .iter()
        .enumerate()
        .filter(|(number, _)| used(*number) > RARE * total)
        .map(|(_, sense)| sense)
        .collect();
    senses.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let open = match senses.is_empty() {
        true => Some(Open::Unused),
        false => senses.iter().any(|sense| !leads(lexicon, sense, &senses)).then_some(Open::Rivals),
    };
    Belief { word, senses, open }
}

/// Whether the sense, or another with as many children, is settled among those.
fn leads(lexicon: &Lexicon, sense: &Sense, senses: &[&Sense]) -> bool {
    let children = |sense: &Sense| lexicon.arity(sense).unwrap_or(0);
    let group = || senses.iter().filter(|other| children(other) == children(sense));
    let total: f64 = group().map(|other| other.probability).sum();
    group().any(|other| other.probability >= SETTLED * total)
}
