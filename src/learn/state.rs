//! The state of learning: a theory, the best tree of every example of a sample, and what all of it costs.

use crate::chart::given::forest::Forest;
use crate::chart::total;
use crate::learn::evidence::Example;
use crate::prices::FILLER;
use crate::settings::ROUNDS;
use crate::stop::Stop;
use crate::theory::counts::Counts;
use crate::theory::entry::{In, Out};
use crate::theory::tree::Tree;
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// An example of the sample.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The input.
    pub pattern: Box<[In]>,
    /// The output.
    pub says: Box<[Out]>,
    /// How many examples it stands for.
    pub weight: f64,
}

impl Sampled {
    /// An example that stands for so many.
    pub fn of(example: &Example, weight: f64) -> Sampled {
        Sampled { pattern: example.pattern(), says: example.says(), weight }
    }

    /// Its right trees.
    pub fn forest(&self, theory: &Theory) -> Forest {
        Forest::new(&self.pattern, &self.says, theory)
    }

    /// Its best tree.
    pub fn tree(&self, theory: &Theory, model: Option<&TreeModel>) -> Option<Tree> {
        self.forest(theory).tree(theory, model, None, self.weight)
    }
}

/// The right trees of each example, kept until the theory has entries that they lack.
#[derive(Debug, Default)]
struct Forests(Vec<Mutex<Option<Arc<Forest>>>>);

impl Forests {
    fn of(number: usize) -> Forests {
        Forests((0..number).map(|_| Mutex::default()).collect())
    }

    /// The right trees of the example of this number.
    fn get(&self, number: usize, example: &Sampled, theory: &Theory) -> Arc<Forest> {
        let mut kept = self.0[number].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &*kept {
            Some(forest) if forest.has_all(&example.pattern, &example.says, theory) => forest.clone(),
            _ => kept.insert(Arc::new(example.forest(theory))).clone(),
        }
    }
}

impl Clone for Forests {
    fn clone(&self) -> Forests {
        let one = |kept: &Mutex<Option<Arc<Forest>>>| {
            Mutex::new(kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone())
        };
        Forests(self.0.iter().map(one).collect())
    }
}

/// An edit that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// Which proposer it came from.
    pub by: &'static str,
    /// The entry that it is about.
    pub entry: EntryId,
    /// By how many bits all of it became longer; what became shorter is below zero.
    pub bits: f64,
    /// What all of it came to.
    pub total: f64,
}

/// A theory and the trees of a sample of examples.
#[derive(Clone)]
pub struct State<'a> {
    /// The theory.
    pub theory: Theory,
    /// The sample.
    pub sample: &'a [Sampled],
    /// The tree of each example; `None` where there is none.
    pub trees: Vec<Option<Tree>>,
    /// What fills what in these trees.
    pub counts: Counts,
    /// What theory and trees cost.
    pub bits: f64,
    /// The edits that were made so far.
    pub edits: Vec<Edit>,
    forests: Forests,
    /// Whether to stop; from then on no example has a tree, and nothing that was found since may be used.
    pub stop: Stop<'a>,
}

/// Trees that take the place of others.
pub type Changes = Vec<(usize, Option<Tree>)>;

impl<'a> State<'a> {
    /// The state with the shortest trees.
    pub fn new(theory: Theory, sample: &'a [Sampled], stop: Stop<'a>) -> State<'a> {
        State::with(theory, sample, Forests::of(sample.len()), stop)
    }

    /// The state of another theory with the shortest trees; what both have thought of has the same numbers.
    pub fn of(&self, theory: Theory) -> State<'a> {
        State::with(theory, self.sample, self.forests.clone(), self.stop)
    }

    fn with(theory: Theory, sample: &'a [Sampled], forests: Forests, stop: Stop<'a>) -> State<'a> {
        let (trees, counts, edits) = (Vec::new(), Counts::default(), Vec::new());
        let mut state = State { theory, sample, trees, counts, bits: 0.0, edits, forests, stop };
        state.trees = state.parsed(None);
        state.recount();
        state
    }

    /// The same, each example standing for as many as in this sample, which has the same examples.
    pub fn weighing<'b>(self, sample: &'b [Sampled]) -> State<'b>
    where
        'a: 'b,
    {
        let mut state: State<'b> = State { sample, ..self };
        for (tree, example) in state.trees.iter_mut().zip(sample) {
            tree.iter_mut().for_each(|tree| tree.weight = example.weight);
        }
        state.recount();
        state
    }

    /// The best trees of all examples.
    pub fn parsed(&self, model: Option<&TreeModel>) -> Vec<Option<Tree>> {
        (0..self.sample.len()).into_par_iter().map(|number| self.tree(number, model, None)).collect()
    }

    /// The right trees of an example.
    fn forest(&self, number: usize) -> Arc<Forest> {
        self.forests.get(number, &self.sample[number], &self.theory)
    }

    /// The best tree of an example; an entry that is preferred is used wherever it can be.
    fn tree(&self, number: usize, model: Option<&TreeModel>, prefer: Option<EntryId>) -> Option<Tree> {
        if (self.stop)() {
            return None;
        }
        self.forest(number).tree(&self.theory, model, prefer, self.sample[number].weight)
    }

    /// Uses an entry wherever it can be; says whether it is used at all.
    pub fn prefer(&mut self, entry: EntryId, model: &TreeModel) -> bool {
        let words: Vec<In> = self.theory.entry(entry).words().map(In::Word).collect();
        let has_words = |example: &Sampled| words.iter().all(|word| example.pattern.contains(word));
        let tree = |number: usize| match (self.stop)() || !has_words(&self.sample[number]) {
            true => self.trees[number].clone(),
            false => self.tree(number, Some(model), Some(entry)),
        };
        let trees: Vec<Option<Tree>> = (0..self.sample.len()).into_par_iter().map(tree).collect();
        let worse = trees.iter().zip(&self.trees).any(|(new, old)| new.is_none() && old.is_some());
        if worse {
            return false;
        }
        self.trees = trees;
        self.recount();
        self.counts.uses(entry) > 0.0
    }

    /// A tree model by expectation maximisation over all trees of the sample: trees that are like others win.
    pub fn settled_model(&self, model: TreeModel) -> TreeModel {
        let forest = |number: usize| (!(self.stop)()).then(|| self.forest(number));
        let forests: Vec<_> = (0..self.sample.len()).into_par_iter().map(forest).collect();
        let counts = maximised(&forests, self.sample, &self.theory, &model, self.stop);
        TreeModel::new(&counts, &self.theory)
    }

    /// Counts anew.
    pub fn recount(&mut self) {
        self.counts = Counts::of(self.trees.iter().flatten());
        self.bits = self.counted();
    }

    /// What theory and trees cost, by the present counts. Examples without a tree are said outright, each once: a wrong one does not
    /// stand for others.
    fn counted(&self) -> f64 {
        let without = self.trees.iter().zip(self.sample).filter(|(tree, _)| tree.is_none());
        self.counts.bits(&self.theory) + without.map(|(_, example)| self.outright(example)).sum::<f64>()
    }

    fn outright(&self, example: &Sampled) -> f64 {
        self.theory.prices.outright(&example.pattern, &example.says)
    }

    /// The tree model of the present trees.
    pub fn model(&self) -> TreeModel {
        TreeModel::new(&self.counts, &self.theory)
    }

    /// By how many bits these changes make all of it longer.
    pub fn difference(&self, changes: &Changes) -> f64 {
        let pairs = changes.iter().map(|(number, tree)| (self.trees[*number].as_ref(), tree.as_ref()));
        let outright = changes.iter().map(|(number, tree)| {
            let lost =
                f64::from(u8::from(tree.is_none())) - f64::from(u8::from(self.trees[*number].is_none()));
            lost * self.outright(&self.sample[*number])
        });
        outright.sum::<f64>() + self.counts.difference(pairs, &self.theory)
    }

    /// Whether these changes leave an example without a tree that had one.
    pub fn loses(&self, changes: &Changes) -> bool {
        changes.iter().any(|(number, tree)| tree.is_none() && self.trees[*number].is_some())
    }

    /// Makes an edit: these changes of trees.
    pub fn apply(&mut self, by: &'static str, entry: EntryId, changes: Changes) {
        let before = self.bits;
        self.change(changes);
        self.made(by, entry, before, self.bits);
    }

    /// Changes trees.
    pub fn change(&mut self, changes: Changes) {
        for (number, tree) in changes {
            let old = std::mem::replace(&mut self.trees[number], tree);
            self.counts.replace([(old.as_ref(), self.trees[number].as_ref())]);
        }
        self.bits = self.counted();
    }

    /// Remembers and tells an edit that was made, and what all of it was before and is now.
    pub fn made(&mut self, by: &'static str, entry: EntryId, before: f64, total: f64) {
        self.edits.push(Edit { by, entry, bits: total - before, total });
        let explained = self.trees.iter().flatten().count() as f64 / self.trees.len().max(1) as f64;
        self.stop.step(by, total, Some(explained));
    }

    /// The examples whose tree uses an entry.
    pub fn users(&self, test: impl Fn(EntryId) -> bool) -> Vec<usize> {
        let uses = |tree: &Option<Tree>| {
            tree.as_ref().is_some_and(|tree| tree.nodes.iter().any(|node| test(node.entry)))
        };
        (0..self.trees.len()).filter(|&number| uses(&self.trees[number])).collect()
    }

    /// What theory and results cost: entries, what may fill which slot, and for each example how improbable its result is
    /// among all that the theory gives for its input; at most what it costs to say the result outright.
    pub fn bits_of_results(&self) -> f64 {
        self.judged().bits
    }

    /// See [`State::bits_of_results`].
    pub fn judged(&self) -> Judged {
        let results = self.results(&self.model(), |_| true);
        Judged {
            bits: self.bits_of_theory() + results.iter().map(|result| result.bits).sum::<f64>(),
            steps: results.iter().map(|result| result.steps).sum(),
        }
    }

    /// What the entries in use cost, and what may fill which slot.
    pub fn bits_of_theory(&self) -> f64 {
        let fillers: usize = self.counts.slots.values().map(|fillers| fillers.each.len()).sum();
        let entries: f64 = self.counts.uses.keys().map(|&id| self.theory.bits(id)).sum();
        entries + FILLER * fillers as f64
    }

    /// What the results of those examples cost that are asked for; nothing for others.
    pub fn results(&self, model: &TreeModel, asked: impl Fn(&Sampled) -> bool + Sync) -> Vec<Judged> {
        let each = |(number, example): (usize, &Sampled)| {
            if !asked(example) {
                return Judged { bits: 0.0, steps: 0 };
            }
            let outright = self.theory.prices.result(&example.says);
            if (self.stop)() {
                return Judged { bits: outright, steps: 0 };
            }
            let Judged { bits, steps } = judged(example, &self.forest(number), &self.theory, model);
            Judged { bits: (example.weight * bits).min(outright), steps }
        };
        self.sample.par_iter().enumerate().map(each).collect()
    }

    /// New trees of these examples by the present beliefs; some may have none.
    pub fn parsed_again(&self, numbers: &[usize], model: Option<&TreeModel>) -> Changes {
        numbers.par_iter().map(|&number| (number, self.tree(number, model, None))).collect()
    }

    /// Whether an entry is a single word that no other believed entry has: without it nothing with the word is understood.
    pub fn is_only_meaning(&self, id: EntryId) -> bool {
        let [In::Word(word)] = *self.theory.entry(id).pattern else { return false };
        !self
            .theory
            .live()
            .any(|other| other != id && self.theory.entry(other).words().any(|there| there == word))
    }

    /// No longer believes entries that no tree uses, unless their pattern is a single word.
    pub fn forget_unused(&mut self) {
        for id in self.theory.live_where(|entry| entry.pattern.len() > 1) {
            let is_used = self.counts.uses(id) > 0.0;
            self.theory.set_live(id, is_used);
        }
    }
}

/// How improbable an example's result is among all that the theory gives for its input, in bits.
pub fn bits_of_result(example: &Sampled, theory: &Theory, model: &TreeModel) -> f64 {
    judged(example, &example.forest(theory), theory, model).bits
}

/// Bits, and the steps it took to find them.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// In bits.
    pub bits: f64,
    /// Steps of charts.
    pub steps: usize,
}

fn judged(example: &Sampled, forest: &Forest, theory: &Theory, model: &TreeModel) -> Judged {
    let outright = theory.prices.result(&example.says);
    let (right, steps) = (forest.probability(theory, model), forest.steps);
    if right <= 0.0 {
        return Judged { bits: outright, steps };
    }
    let all = total::probability(&example.pattern, theory, model);
    Judged { bits: (all / right).log2().clamp(0.0, outright), steps }
}

/// What fills what, by expectation maximisation over all right trees of a sample, from this model.
pub fn settled(sample: &[Sampled], theory: &Theory, model: &TreeModel, stop: Stop<'_>) -> Counts {
    let forest = |example: &Sampled| (!stop()).then(|| Arc::new(example.forest(theory)));
    let forests: Vec<_> = sample.par_iter().map(forest).collect();
    maximised(&forests, sample, theory, model, stop)
}

/// The same, of these right trees; there are none where learning was to stop.
fn maximised(
    forests: &[Option<Arc<Forest>>],
    sample: &[Sampled],
    theory: &Theory,
    model: &TreeModel,
    stop: Stop<'_>,
) -> Counts {
    let expected = |model: &TreeModel| {
        let each = |(forest, example): (&Option<Arc<Forest>>, &Sampled)| -> Vec<_> {
            let Some(forest) = forest.as_ref().filter(|_| !stop()) else { return Vec::new() };
            let weighed = |(place, filler, share)| (place, filler, share * example.weight);
            forest.fillings(theory, model).into_iter().map(weighed).collect()
        };
        let fillings: Vec<Vec<_>> = forests.par_iter().zip(sample).map(each).collect();
        Counts::of_fillings(fillings.into_iter().flatten())
    };
    let mut counts = expected(model);
    for _ in 1..ROUNDS {
        counts = expected(&TreeModel::new(&counts, theory));
    }
    counts
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::theory::entry::tests::entry;

    /// A theory of these entries, and a sample of these examples, as text.
    pub fn theory_and_sample(entries: &[(&str, &str)], examples: &[(&str, &str)]) -> (Theory, Vec<Sampled>) {
        let mut theory = Theory::new(Prices::new(9, 9));
        for (pattern, says) in entries {
            theory.add(&entry(pattern, says));
        }
        let sampled = |(input, output): &(&str, &str)| {
            let whole = entry(input, output);
            Sampled { pattern: whole.pattern, says: whole.says, weight: 1.0 }
        };
        (theory, examples.iter().map(sampled).collect())
    }
}
