//! How an input is answered by what was learned: by the chart, or by the parser where it is sure.

use super::Knowledge;
use crate::chart::free;
use crate::chart::given::{Given, Options};
use crate::chart::summed::{self, Sum};
use crate::chart::{Derivation, Looks, joined, ranked};
use crate::settings::{LONGEST, TRIED};
use crate::symbol::{Token, Word};
use crate::syntax::{Grammar, Parse, Parser, Pattern, Syntax};
use crate::theory::EntryId;
use crate::theory::entry::{In, Out};
use crate::theory::tree::{Place, Tree, spelled};
use crate::theory::tree_model::NEVER_BITS;
use std::collections::BTreeSet;

/// An answer of a theory.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The result.
    pub tokens: Vec<Token>,
    /// How it came about.
    pub tree: Tree,
    /// The probability of this result among all that the theory gives for the input.
    pub probability: f64,
    /// The number of the theory that the tree is of, where there are several: see [`Knowledge::member_of`].
    pub(super) by: usize,
}

impl Knowledge {
    /// The results of an input with their probabilities, the most probable first; none where a word is not known. Where there are several
    /// theories, one that has no result leaves the others less sure.
    pub fn answers(&self, input: &[Option<Word>]) -> Vec<Answer> {
        if self.others.is_empty() {
            return self.own_answers(input);
        }
        let mut all: Vec<Answer> = Vec::new();
        for (by, member) in self.members().enumerate() {
            for answer in member.own_answers(input) {
                match all.iter_mut().find(|known| known.tokens == answer.tokens) {
                    Some(known) => known.probability += answer.probability,
                    None => all.push(Answer { by, ..answer }),
                }
            }
        }
        let members = self.members().count() as f64;
        all.iter_mut().for_each(|answer| answer.probability /= members);
        all.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        all
    }

    /// What its own theory answers.
    fn own_answers(&self, input: &[Option<Word>]) -> Vec<Answer> {
        let Some(pattern) = input.iter().map(|word| word.map(In::Word)).collect::<Option<Vec<In>>>() else {
            return Vec::new();
        };
        match self.is_summed() {
            true => {
                // As probable as rates have them, not as shares of all: what is left is for what was never said, and tells how sure they are.
                let answer =
                    |Sum { tokens, tree, probability, .. }| Answer { tokens, tree, probability, by: 0 };
                self.sums(&pattern).into_iter().map(answer).collect()
            }
            false => {
                let derivations = self.derivations(&pattern);
                let best = derivations.first().map(|derivation| derivation.tree.clone());
                match (self.derived(derivations), best) {
                    (answers, Some(best)) if answers.is_empty() => {
                        self.derived(self.otherwise(&pattern, &best))
                    }
                    (answers, _) => answers,
                }
            }
        }
    }

    /// The results of an input, where they are sums.
    pub fn sums(&self, pattern: &[In]) -> Vec<Sum> {
        let results = |rates| summed::results(pattern, &self.theory, rates, self.wording.as_ref());
        self.rates.as_ref().map_or_else(Vec::new, results)
    }

    /// The best trees of an input.
    fn derivations(&self, pattern: &[In]) -> Vec<Derivation> {
        let mut found = match &self.scorer {
            Some(scorer) => ranked::derivations(pattern, &self.theory, &self.model, scorer),
            None => joined::derivations(pattern, &self.theory, &self.model, &self.neighbours),
        };
        // A word never seen stands where it may not.
        found.retain(|derivation| self.bits(&derivation.tree) < NEVER_BITS);
        found
    }

    /// Other trees of an input whose best one says nothing that is an output: the best without each of its fillings, the least probable of
    /// these first.
    fn otherwise(&self, pattern: &[In], tree: &Tree) -> Vec<Derivation> {
        let fillings: BTreeSet<(Place, EntryId)> = tree.fillings().collect();
        let mut fillings: Vec<(Place, EntryId)> = fillings.into_iter().collect();
        let bits = |(place, filler): (Place, EntryId)| self.model.bits(place, filler);
        fillings.sort_by(|a, b| bits(*b).total_cmp(&bits(*a)));
        let mut found: Vec<Derivation> = Vec::new();
        for (place, filler) in fillings.into_iter().take(TRIED) {
            let model = self.model.without(place, filler);
            for derivation in free::derivations(pattern, &self.theory, &model) {
                let is_new = found.iter().all(|other| other.tree != derivation.tree);
                if is_new && derivation.bits < NEVER_BITS {
                    found.push(derivation);
                }
            }
        }
        found
    }

    /// The results of trees.
    fn derived(&self, derivations: Vec<Derivation>) -> Vec<Answer> {
        let all: f64 = derivations.iter().map(|derivation| derivation.probability).sum();
        let mut answers: Vec<Answer> = Vec::new();
        for derivation in derivations {
            let Some(tokens) = self.output(&derivation.tree) else { continue };
            // Of a long input all trees may be less probable than the smallest number; then the cheapest one counts.
            let probability = if all > 0.0 { derivation.probability / all } else { 0.0 };
            match answers.iter_mut().find(|answer| answer.tokens == tokens) {
                Some(answer) => answer.probability += probability,
                None => answers.push(Answer { tokens, tree: derivation.tree, probability, by: 0 }),
            }
        }
        answers.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        answers
    }

    /// The results of an input with their probabilities, those that other entries with the same patterns give included.
    pub fn alternatives(&self, input: &[Option<Word>]) -> Vec<Answer> {
        let Some(pattern) = input.iter().map(|word| word.map(In::Word)).collect::<Option<Vec<In>>>() else {
            return Vec::new();
        };
        if self.lists_all() {
            return self.answers(input);
        }
        let derivations = self.derivations(&pattern);
        self.derived(derivations.into_iter().flat_map(|derivation| self.varied(derivation)).collect())
    }

    /// Whether answers are all results that other entries give: sums, lists of scored trees and votes hold them already.
    fn lists_all(&self) -> bool {
        self.rates.is_some() || self.scorer.is_some() || !self.others.is_empty()
    }

    /// The share of an answer in all that other entries with the same patterns give.
    pub fn share(&self, input: &[Option<Word>], answer: &Answer) -> f64 {
        if self.lists_all() {
            return answer.probability;
        }
        let same = self.alternatives(input).into_iter().find(|other| other.tokens == answer.tokens);
        same.map_or(answer.probability, |same| same.probability)
    }

    /// A tree and those that differ from it in entries with the same patterns, the most probable ones; together they are as probable as it was.
    fn varied(&self, derivation: Derivation) -> Vec<Derivation> {
        let mut found = vec![derivation.tree.clone()];
        for number in 0..derivation.tree.nodes.len() {
            let entry = derivation.tree.nodes[number].entry;
            let pattern = &self.theory.entry(entry).pattern;
            let others =
                self.theory.live().filter(|&id| id != entry && self.theory.entry(id).pattern == *pattern);
            let others: Vec<EntryId> = others.collect();
            for tree in found.clone() {
                found.extend(others.iter().map(|&other| {
                    let mut tree = tree.clone();
                    tree.nodes[number].entry = other;
                    tree
                }));
            }
            found.sort_by(|a, b| self.bits(a).total_cmp(&self.bits(b)));
            found.truncate(TRIED);
        }
        let least = found.first().map_or(0.0, |tree| self.bits(tree));
        let weights: Vec<f64> = found.iter().map(|tree| (least - self.bits(tree)).exp2()).collect();
        let all: f64 = weights.iter().sum();
        let share = |(tree, weight): (Tree, &f64)| Derivation {
            bits: self.bits(&tree),
            tree,
            probability: derivation.probability * weight / all,
        };
        found.into_iter().zip(&weights).map(share).collect()
    }

    /// What the tree of an answer costs, where answers are not sums.
    pub fn bits_of(&self, answer: &Answer) -> f64 {
        if self.is_summed() { 0.0 } else { self.member_of(answer).bits(&answer.tree) }
    }

    /// What a tree costs.
    fn bits(&self, tree: &Tree) -> f64 {
        tree.fillings().map(|(place, filler)| self.model.bits(place, filler)).sum()
    }

    /// The most probable result of an input.
    pub fn answer(&self, input: &[Option<Word>]) -> Option<Answer> {
        self.answers(input).into_iter().next()
    }

    /// What a tree says as outputs are written.
    fn output(&self, tree: &Tree) -> Option<Vec<Token>> {
        match &self.places {
            Some(places) => places.flat_output(tree, &self.theory),
            None => free::says(tree, &self.theory),
        }
    }

    /// The patterns as the parser sees them.
    pub fn grammar(&self) -> &Grammar {
        self.grammar.get_or_init(|| {
            let class = |id: EntryId| self.model.classes.get(&id).copied().unwrap_or(u32::MAX);
            let pattern = |id: EntryId| {
                let pieces = self.theory.entry(id).pattern.clone();
                Pattern { pieces, row: false, class: class(id) }
            };
            Grammar::new(self.theory.live().map(pattern).collect())
        })
    }

    /// The result that the parser comes to, if it is sure of it; else that of the chart, or, where the input is too long for one, the parser's.
    pub fn answer_by(&self, parser: Option<&Parser>, input: &[Option<Word>]) -> Option<Answer> {
        let parsed = parser.and_then(|parser| {
            let words: Vec<Word> = input.iter().copied().collect::<Option<_>>()?;
            let parse = parser.parse(self.grammar(), &words)?;
            Some((parser.trusts(&parse), parse))
        });
        match parsed {
            // Several theories know more than the trees of one.
            Some((true, parse)) if self.others.is_empty() => {
                let parsed = self.said(parse).filter(|answer| !self.surprises(&answer.tree));
                parsed.or_else(|| self.answer(input))
            }
            Some((_, parse)) if input.len() > LONGEST => self.said(parse),
            _ => self.answer(input),
        }
    }

    /// Whether a tree says tokens side by side that no output has.
    fn surprises(&self, tree: &Tree) -> bool {
        free::says(tree, &self.theory).is_none_or(|said| self.neighbours.of_output(&said) > 0.0)
    }

    /// What the parser's tree says.
    fn said(&self, Parse { nodes, margin, .. }: Parse) -> Option<Answer> {
        let tree = Tree { nodes, weight: 1.0 };
        let tokens = self.output(&tree)?;
        Some(Answer { tokens, tree, probability: f64::from(margin), by: 0 })
    }

    /// The most probable result of what a row of pictures may show, or else how the wanted one may come about.
    pub fn read(&self, row: &Looks, wanted: Option<&[Token]>) -> Option<Answer> {
        let Some(tokens) = wanted else {
            let derivations = free::derivations(row, &self.theory, &self.model);
            return self.derived(derivations).into_iter().next();
        };
        let says: Vec<Out> = tokens.iter().copied().map(Out::Token).collect();
        let options = Options { model: Some(&self.model), ..Options::default() };
        let chart = Given::new(row, &says, &self.theory, options);
        Some(Answer { tokens: tokens.to_vec(), tree: chart.tree(1.0)?, probability: 1.0, by: 0 })
    }

    /// The words of an answer's input, as its tree has them.
    pub fn words_of(&self, answer: &Answer) -> Vec<Word> {
        let spelled = spelled(&answer.tree.nodes, |id| self.theory.shape(id));
        spelled.into_iter().map(|(word, _)| word).collect()
    }
}
