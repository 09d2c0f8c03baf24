//! What was learned: believed entries and what fills which slot.

mod answer;
mod stored;

use crate::objective::Prices;
use crate::places::Places;
use crate::propose::frames::Counted;
use crate::symbol::{Token, Word};
use crate::syntax::Grammar;
use crate::theory::copies::copiers;
use crate::theory::counts::Counts;
use crate::theory::entry::Entry;
use crate::theory::neighbours::Neighbours;
use crate::theory::rates::Rates;
use crate::theory::scorer::{Feature, Scorer};
use crate::theory::tree::{Place, ROOT};
use crate::theory::tree_model::TreeModel;
use crate::theory::wording::Wording;
use crate::theory::{EntryId, Theory};
pub use answer::Answer;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use stored::Stored;

/// A theory with its tree model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Knowledge {
    words: u32,
    tokens: u32,
    /// The believed entries, numbered from 0.
    pub theory: Theory,
    /// What fills what.
    pub counts: Counts,
    /// The same as probabilities, with classes; empty where answers are sums.
    pub model: TreeModel,
    /// How often patterns say what, where entries are many and answers are sums of all trees.
    rates: Option<Rates>,
    /// What else speaks for sums.
    pub wording: Option<Wording>,
    /// The patterns as the parser sees them; made when it is first asked.
    grammar: OnceLock<Grammar>,
    /// What else speaks for trees, where counts do not tell enough.
    pub scorer: Option<Scorer>,
    /// Which tokens stand side by side in outputs.
    neighbours: Neighbours,
    /// How what entries say is made flat, where outputs refer to places.
    places: Option<Places>,
    /// Other theories of the same examples, whose probabilities of results are added to its own.
    others: Vec<Knowledge>,
}

impl Knowledge {
    /// What is believed and counted, with entries numbered anew: the most used first.
    pub fn new(theory: &Theory, counts: &Counts, words: usize, tokens: usize) -> Knowledge {
        let mut order: Vec<EntryId> = theory.live().collect();
        order.sort_by(|a, b| counts.uses(*b).total_cmp(&counts.uses(*a)).then(a.cmp(b)));
        let numbers: BTreeMap<EntryId, u32> = order.iter().copied().zip(0..).collect();
        let entries: Vec<Entry> = order.iter().map(|&id| theory.entry(id).clone()).collect();
        let number = |(place, filler, count): (Place, EntryId, f64)| {
            let parent = if place == ROOT { place.0 } else { *numbers.get(&place.0)? };
            Some(((parent, place.1), *numbers.get(&filler)?, count))
        };
        let fillings = counts.fillings().filter_map(number).collect();
        let functions = theory.functions().to_vec();
        let (words, tokens) = (words as u32, tokens as u32);
        Knowledge::made(Stored { words, tokens, functions, entries, fillings, ..Stored::default() })
    }

    /// Entries that are expected so often, whose trees are summed.
    pub fn summed(counted: Vec<Counted>, words: usize, tokens: usize) -> Knowledge {
        let (words, tokens) = (words as u32, tokens as u32);
        let fillings = (0..).zip(&counted).map(|(id, (_, count))| (ROOT, id, *count)).collect();
        let entries = counted.into_iter().map(|(entry, _)| entry).collect();
        Knowledge::made(Stored { words, tokens, entries, fillings, is_summed: true, ..Stored::default() })
    }

    /// The same with other theories of the same examples beside it.
    #[must_use]
    pub fn with_others(mut self, others: Vec<Knowledge>) -> Knowledge {
        let alike = |other: Knowledge| {
            other.with_places(self.places.clone()).with_neighbours(self.neighbours.clone())
        };
        self.others = others.into_iter().map(alike).collect();
        self
    }

    /// The theories that have a vote: its own, and others.
    fn members(&self) -> impl Iterator<Item = &Knowledge> {
        std::iter::once(self).chain(&self.others)
    }

    /// What the tree of an answer is made of: this, or one of the others beside it.
    pub fn member_of(&self, answer: &Answer) -> &Knowledge {
        self.members().nth(answer.by).unwrap_or(self)
    }

    /// Whether the tree of an answer is made of its own entries, not of those of another theory.
    pub fn is_own(&self, answer: &Answer) -> bool {
        answer.by == 0
    }

    /// The same, learned from outputs that were nested so.
    pub fn with_places(self, places: Option<Places>) -> Knowledge {
        Knowledge { places, ..self }
    }

    /// The same, learned from outputs in which tokens stand side by side so.
    #[must_use]
    pub fn with_neighbours(self, neighbours: Neighbours) -> Knowledge {
        Knowledge { neighbours, ..self }
    }

    /// Which tokens stand side by side in outputs.
    pub fn neighbours(&self) -> &Neighbours {
        &self.neighbours
    }

    /// How outputs were nested.
    pub fn places(&self) -> Option<&Places> {
        self.places.as_ref()
    }

    /// Whether answers are sums of all trees.
    pub fn is_summed(&self) -> bool {
        self.rates.is_some()
    }

    /// How many words there are to refer to.
    pub fn words(&self) -> usize {
        self.words as usize
    }

    /// How many tokens there are to say.
    pub fn tokens(&self) -> usize {
        self.tokens as usize
    }

    /// Whether words never seen say their own names in some place, as those do that stand there.
    pub fn copies(&self, is_name: impl Fn(Word, Token) -> bool + Copy) -> bool {
        !self.is_summed()
            && self.members().any(|member| !copiers(&member.theory, &member.model, is_name).is_empty())
    }

    /// Takes in a word never seen that says its own name, where words do.
    pub fn take_in(&mut self, word: Word, token: Token, is_name: impl Fn(Word, Token) -> bool + Copy) {
        // The parser knows no such words.
        self.grammar();
        let like = copiers(&self.theory, &self.model, is_name);
        if !like.is_empty() {
            let new = self.theory.add(&Entry::constant(word, &[token]));
            self.model.take_in(new, &like, &self.counts);
        }
        self.others.iter_mut().for_each(|other| other.take_in(word, token, is_name));
    }

    /// The entries, with the same numbers, where there are more words and tokens to refer to.
    pub fn widened(&self, words: usize, tokens: usize) -> Theory {
        Theory::of(Prices::new(words, tokens), self.theory.functions(), self.theory.believed())
    }

    /// Whether an entry has the word.
    pub fn has_word(&self, word: Word) -> bool {
        let mut entries = self.members().flat_map(|member| member.theory.believed());
        entries.any(|entry| entry.has(word))
    }

    /// The share of each word in all that was counted.
    pub fn shares(&self) -> Vec<f64> {
        let mut uses = vec![0.0; self.words()];
        for id in self.theory.live() {
            self.theory.entry(id).words().for_each(|word| uses[word.0 as usize] += self.counts.uses(id));
        }
        let total: f64 = uses.iter().sum();
        uses.into_iter().map(|uses| f64::max(uses, 1.0) / f64::max(total, 1.0)).collect()
    }

    /// This knowledge with a scorer of its trees.
    #[must_use]
    pub fn with_scorer(self, scorer: Scorer) -> Knowledge {
        Knowledge { scorer: Some(scorer), ..self }
    }

    /// This knowledge with the scorer of another, whose entries may have other numbers here.
    #[must_use]
    pub fn with_scorer_of(mut self, other: &Knowledge) -> Knowledge {
        let number = |id: EntryId| self.theory.number(other.theory.entry(id));
        let known = |id: EntryId| (id as usize) < other.theory.len();
        let place = |(parent, slot): Place| match (parent, slot) == ROOT {
            true => Some(ROOT),
            false => number(parent).map(|parent| (parent, slot)),
        };
        let moved = |feature: Feature| {
            Some(match feature {
                Feature::Fills(id, at) if known(id) => Feature::Fills(number(id)?, place(at)?),
                Feature::Before(id, word) if known(id) => Feature::Before(number(id)?, word),
                Feature::Behind(id, word) if known(id) => Feature::Behind(number(id)?, word),
                Feature::With(id, word) if known(id) => Feature::With(number(id)?, word),
                _ => feature,
            })
        };
        self.scorer = other.scorer.as_ref().map(|scorer| Scorer {
            weights: scorer.weights.iter().filter_map(|(f, weight)| Some((moved(*f)?, *weight))).collect(),
            runs: scorer.runs.clone(),
        });
        self
    }

    /// The same without these entries.
    pub fn without(&self, dropped: &BTreeSet<usize>) -> Knowledge {
        let mut theory = self.theory.clone();
        dropped.iter().for_each(|&id| theory.set_live(id as EntryId, false));
        Knowledge::new(&theory, &self.counts, self.words(), self.tokens())
            .with_places(self.places.clone())
            .with_neighbours(self.neighbours.clone())
    }
}
