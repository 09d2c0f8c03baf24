//! What was learned, ready to answer and to be stored: believed entries and what fills which slot.

use crate::chart::Looks;
use crate::chart::free::{self, Derivation};
use crate::chart::given::{Given, Options};
use crate::chart::summed::{self, Sum};
use crate::chart::{joined, ranked};
use crate::objective::Prices;
use crate::places::Places;
use crate::program::function::Function;
use crate::propose::frames::Counted;
use crate::settings::{LONGEST, TRIED};
use crate::symbol::{Token, Word};
use crate::syntax::{Grammar, Parse, Parser, Pattern, Syntax};
use crate::theory::copies::copiers;
use crate::theory::counts::Counts;
use crate::theory::entry::{Entry, In, Out};
use crate::theory::neighbours::{END, Neighbours};
use crate::theory::rates::Rates;
use crate::theory::scorer::{Feature, Run, Scorer};
use crate::theory::tree::{Node, Place, ROOT, Tree};
use crate::theory::tree_model::{NEVER_BITS, TreeModel};
use crate::theory::wording::Wording;
use crate::theory::{EntryId, Theory};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Which slot (of no entry: the root) is filled by which entry how often.
type Filling = (Option<Place>, EntryId, f64);

/// Entries and counts, as they are stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
struct Stored {
    words: u32,
    tokens: u32,
    functions: Vec<Function>,
    entries: Vec<Entry>,
    fillings: Vec<Filling>,
    is_summed: bool,
    scorer: Option<StoredScorer>,
    /// How often tokens stand side by side in outputs.
    pairs: Vec<(Token, Token, u32)>,
    places: Option<Places>,
    others: Vec<StoredOther>,
    wording: Option<Wording>,
}

/// One of several theories with the same words, tokens and places, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StoredOther {
    entries: Vec<Entry>,
    fillings: Vec<Filling>,
    scorer: Option<StoredScorer>,
}

impl Stored {
    /// The other theories, each as if it were the only one.
    fn take_others(&mut self) -> Vec<Stored> {
        let alone = |StoredOther { entries, fillings, scorer }| Stored {
            words: self.words,
            tokens: self.tokens,
            functions: Vec::new(),
            entries,
            fillings,
            is_summed: false,
            scorer,
            pairs: self.pairs.clone(),
            places: self.places.clone(),
            others: Vec::new(),
            wording: None,
        };
        std::mem::take(&mut self.others).into_iter().map(alone).collect()
    }
}

/// Weights of features, and which tokens stand side by side in how many outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StoredScorer {
    weights: Vec<(Feature, f32)>,
    runs: Vec<(Run, u32)>,
}

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
    by: usize,
}

impl PartialEq for Knowledge {
    fn eq(&self, other: &Knowledge) -> bool {
        Stored::from(self.clone()) == Stored::from(other.clone())
    }
}

impl Knowledge {
    /// What is believed and counted, with entries numbered anew: the most used first.
    pub fn new(theory: &Theory, counts: &Counts, words: usize, tokens: usize) -> Knowledge {
        let mut order: Vec<EntryId> = theory.live().collect();
        order.sort_by(|a, b| counts.uses(*b).total_cmp(&counts.uses(*a)).then(a.cmp(b)));
        let numbers: BTreeMap<EntryId, u32> = order.iter().copied().zip(0..).collect();
        let entries: Vec<Entry> = order.iter().map(|&id| theory.entry(id).clone()).collect();
        let mut fillings = Vec::new();
        for (place, fillers) in &counts.slots {
            let parent = if *place == ROOT {
                Some(None)
            } else {
                numbers.get(&place.0).map(|&id| Some((id, place.1)))
            };
            let Some(parent) = parent else { continue };
            let known = fillers.each.iter().filter_map(|(id, count)| Some((*numbers.get(id)?, *count)));
            fillings.extend(known.map(|(filler, count)| (parent, filler, count)));
        }
        let functions = theory.functions().to_vec();
        let (words, tokens) = (words as u32, tokens as u32);
        Knowledge::made(Stored { words, tokens, functions, entries, fillings, ..Stored::default() })
    }

    /// Entries that are expected so often, whose trees are summed.
    pub fn summed(counted: Vec<Counted>, words: usize, tokens: usize) -> Knowledge {
        let (words, tokens) = (words as u32, tokens as u32);
        let fillings = (0..).zip(&counted).map(|(id, (_, count))| (None, id, *count)).collect();
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

    /// What a tree says as outputs are written.
    fn output(&self, tree: &Tree) -> Option<Vec<Token>> {
        match &self.places {
            Some(places) => places.flat_output(tree, &self.theory),
            None => free::says(tree, &self.theory),
        }
    }

    /// Whether it is small enough to be read back, once it is stored.
    pub fn is_storable(&self) -> bool {
        let theories = || self.members().map(|member| &member.theory);
        let entries = theories().flat_map(|theory| theory.live().map(|id| theory.entry(id)));
        let slots = entries.map(Entry::slots).sum();
        are_few(theories().map(|theory| theory.live().count()).sum(), slots, self.is_summed())
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

    fn made(mut stored: Stored) -> Knowledge {
        let others = stored.take_others().into_iter().map(Knowledge::made).collect();
        let prices = Prices::new(stored.words as usize, stored.tokens as usize);
        let theory = Theory::of(prices, &stored.functions, &stored.entries);
        let place = |parent: Option<Place>| parent.unwrap_or(ROOT);
        let fillings = stored.fillings.iter().map(|&(parent, filler, count)| (place(parent), filler, count));
        let counts = Counts::of_fillings(fillings);
        let rates = stored.is_summed.then(|| Rates::new(&theory, &counts));
        let model = if stored.is_summed { TreeModel::default() } else { TreeModel::new(&counts, &theory) };
        let scorer = stored.scorer.map(|StoredScorer { weights, runs }| Scorer {
            weights: weights.into_iter().collect(),
            runs: runs.into_iter().collect(),
        });
        let neighbours = Neighbours::new(stored.pairs.iter().map(|&(a, b, times)| ((a, b), times)).collect());
        let Stored { words, tokens, places, wording, .. } = stored;
        let grammar = OnceLock::new();
        Knowledge {
            words,
            tokens,
            theory,
            counts,
            model,
            rates,
            wording,
            grammar,
            scorer,
            neighbours,
            places,
            others,
        }
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
        let entries = self.theory.live().map(|id| self.theory.entry(id));
        Theory::of(Prices::new(words, tokens), self.theory.functions(), entries)
    }

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

    /// Whether an entry has the word.
    pub fn has_word(&self, word: Word) -> bool {
        let theories = self.members().map(|member| &member.theory);
        theories
            .into_iter()
            .any(|theory| theory.live().any(|id| theory.entry(id).words().any(|other| other == word)))
    }

    /// What a tree costs.
    fn bits(&self, tree: &Tree) -> f64 {
        tree.fillings().map(|(place, filler)| self.model.bits(place, filler)).sum()
    }

    /// The most probable result of an input.
    pub fn answer(&self, input: &[Option<Word>]) -> Option<Answer> {
        self.answers(input).into_iter().next()
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
        let nodes = nodes.into_iter().map(|node| Node { entry: node.entry, kids: node.kids }).collect();
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
        let mut words = Vec::new();
        self.spell(&answer.tree, 0, &mut words);
        words
    }

    fn spell(&self, tree: &Tree, node: u32, words: &mut Vec<Word>) {
        let Node { entry, kids } = &tree.nodes[node as usize];
        for piece in &self.theory.entry(*entry).pattern {
            match piece {
                In::Word(word) => words.push(*word),
                In::Slot(slot) => self.spell(tree, kids[usize::from(*slot)], words),
            }
        }
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

impl From<Knowledge> for Stored {
    fn from(knowledge: Knowledge) -> Stored {
        let is_summed = knowledge.is_summed();
        let Knowledge { words, tokens, theory, counts, wording, scorer, neighbours, places, others, .. } =
            knowledge;
        let pairs = neighbours.pairs.into_iter().map(|((a, b), times)| (a, b, times)).collect();
        let other = |other: Knowledge| {
            let Stored { entries, fillings, scorer, .. } = other.into();
            StoredOther { entries, fillings, scorer }
        };
        let others = others.into_iter().map(other).collect();
        let entries = theory.live().map(|id| theory.entry(id).clone()).collect();
        let mut fillings = Vec::new();
        for (place, fillers) in &counts.slots {
            let parent = (*place != ROOT).then_some(*place);
            fillings.extend(fillers.each.iter().map(|(filler, count)| (parent, *filler, *count)));
        }
        let scorer = scorer.map(|Scorer { weights, runs }| {
            let mut stored =
                StoredScorer { weights: weights.into_iter().collect(), runs: runs.into_iter().collect() };
            stored.weights.sort_unstable_by_key(|(feature, _)| *feature);
            stored.runs.sort_unstable();
            stored
        });
        let functions = theory.functions().to_vec();
        Stored {
            words,
            tokens,
            functions,
            entries,
            fillings,
            is_summed,
            scorer,
            pairs,
            places,
            others,
            wording,
        }
    }
}

/// Whether so many entries are few enough to be stored.
fn are_few(entries: usize, slots: usize, is_summed: bool) -> bool {
    match is_summed {
        true => entries <= MOST_SUMMED,
        false => entries <= MOST_ENTRIES && entries.saturating_mul(1 + slots) <= MOST_CELLS,
    }
}

/// Entries of a stored theory whose trees are summed at most; there is no table of what fills what.
const MOST_SUMMED: usize = 200_000;

/// Entries of a stored theory at most; more would make the table of what fills what too large.
const MOST_ENTRIES: usize = 20_000;
/// Cells of that table at most.
const MOST_CELLS: usize = 50_000_000;

impl TryFrom<Stored> for Knowledge {
    type Error = String;

    /// Checks all that answering relies on: files come from strangers.
    fn try_from(mut stored: Stored) -> Result<Knowledge, String> {
        let all = || stored.others.iter().flat_map(|other| &other.entries).chain(&stored.entries);
        if !are_few(all().count(), all().map(Entry::slots).sum(), stored.is_summed) {
            return Err(format!("expected at most {MOST_ENTRIES} entries, found {}", all().count()));
        }
        if stored.is_summed && !stored.others.is_empty() {
            return Err("expected one theory where answers are sums".to_owned());
        }
        let others: Result<Vec<Knowledge>, String> =
            stored.take_others().into_iter().map(Knowledge::try_from).collect();
        let others = others?;
        let entries = &stored.entries;
        if stored.is_summed && entries.iter().any(|entry| entry.slots() > 1 || entry.has_calls()) {
            return Err("expected entries with one slot at most where answers are sums".to_owned());
        }
        let is_sound = |places: &Places| !stored.is_summed && places.is_sound(stored.words, stored.tokens);
        if !stored.places.as_ref().is_none_or(is_sound) {
            return Err("expected places of words and tokens that there are".to_owned());
        }
        for entry in entries {
            if !entry.is_sound(stored.words, stored.tokens, stored.functions.len()) {
                return Err("expected entries with words, tokens and slots that there are".to_owned());
            }
        }
        let known = |entry: u32| (entry as usize) < entries.len();
        for (parent, filler, count) in &stored.fillings {
            let is_slot = parent.is_none_or(|(entry, slot)| {
                known(entry) && usize::from(slot) < entries[entry as usize].slots()
            });
            if !is_slot || !known(*filler) || !count.is_finite() || *count <= 0.0 {
                return Err("expected fillers of slots that there are".to_owned());
            }
        }
        let is_token = |token: Token| token == END || token.0 < stored.tokens;
        if !stored.pairs.iter().all(|&(a, b, _)| is_token(a) && is_token(b)) {
            return Err("expected pairs of tokens that there are".to_owned());
        }
        let weights = stored.scorer.iter().flat_map(|scorer| &scorer.weights);
        if weights.into_iter().any(|(_, weight)| !weight.is_finite()) {
            return Err("expected weights that are numbers".to_owned());
        }
        if !stored.wording.as_ref().is_none_or(Wording::is_sound) {
            return Err("expected a wording of shares and numbers".to_owned());
        }
        // Before anything is made of fillings: equal entries would have one number.
        let theory = Theory::of(Prices::new(0, 0), &stored.functions, entries);
        if (theory.len(), theory.functions().len()) != (entries.len(), stored.functions.len()) {
            return Err("expected entries that differ".to_owned());
        }
        Ok(Knowledge::made(stored).with_others(others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::entry::tests::entry;

    fn knows(definitions: &[(&str, &str)]) -> Knowledge {
        let mut theory = Theory::new(Prices::new(200, 200));
        let fillings: Vec<(Place, EntryId, f64)> = definitions
            .iter()
            .map(|(pattern, says)| (ROOT, theory.add(&entry(pattern, says)), 1.0))
            .collect();
        Knowledge::new(&theory, &Counts::of_fillings(fillings), 200, 200)
    }

    /// A file may hold an entry twice, and fillings of a number that there is not then.
    #[test]
    fn equal_entries_are_refused_before_anything_is_made_of_them() {
        let mut stored = Stored::from(knows(&[("a", "X"), ("b", "Y")]));
        assert!(Knowledge::try_from(stored.clone()).is_ok());
        stored.entries[1] = stored.entries[0].clone();
        assert_eq!(Knowledge::try_from(stored).unwrap_err(), "expected entries that differ");
    }

    /// Each theory has one vote; the tree of an answer is of a theory that gives it, and a file holds all of them.
    #[test]
    fn theories_vote() {
        let two = [("b", "B"), ("a", "Y")];
        let knowledge = knows(&[("a", "X")]).with_others(vec![knows(&two), knows(&two)]);
        let bytes = postcard::to_allocvec(&knowledge).unwrap();
        let read: Knowledge = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(read, knowledge);
        let word = |text: &str| -> Vec<Option<Word>> { entry(text, "X").words().map(Some).collect() };
        let answers = read.answers(&word("a"));
        let said: Vec<Token> = entry("a", "Y").says.iter().copied().filter_map(Out::token).collect();
        assert_eq!(answers[0].tokens, said);
        assert!((answers[0].probability - 2.0 / 3.0).abs() < 1e-9 && !read.is_own(&answers[0]));
        let theory = &read.member_of(&answers[0]).theory;
        assert_eq!(free::says(&answers[0].tree, theory), Some(said));
        // One theory of three has no word for it.
        assert!((read.answers(&word("b"))[0].probability - 2.0 / 3.0).abs() < 1e-9);
    }
}
