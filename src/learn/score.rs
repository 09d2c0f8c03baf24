//! Weights of features, so that right trees are preferred to wrong ones.
//!
//! Counts over right trees say how inputs are put together, not which tree to prefer. So the best trees of each example are listed, right and wrong
//! ones, by a tree model that has not counted the example; weights are learned by gradient descent on the bits of results, -log2 of the share of right
//! trees in the list, with a normal prior on each weight. Then lists are made anew, since other wrong trees may now be preferred.
//!
//! Where trees need a scorer, no theory says it all, and which of several is the shortest is chance. All of them are kept and scored; they seldom make the
//! same mistake.

use crate::chart::free::says;
use crate::chart::ranked::derivations;
use crate::learn::evidence::Example;
use crate::learn::state::{Sampled, settled};
use crate::learn::{Stop, flat, in_order, sample};
use crate::parts::{self, Part};
use crate::settings::{ASKED, HELD_OUT, PASSES, ROUNDS, SURELY};
use crate::symbol::Token;
use crate::theory::Theory;
use crate::theory::counts::Counts;
use crate::theory::entry::{In, Out};
use crate::theory::knowledge::Knowledge;
use crate::theory::scorer::{Feature, Run, Scorer, around, runs};
use crate::theory::tree::{Tree, spans};
use crate::theory::tree_model::TreeModel;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The length of a first step, in bits.
const STEP: f64 = 0.3;
/// How strongly each weight is held at nothing: the inverse of the variance of its prior, in bits.
const PRIOR: f64 = 0.1;

/// A tree of an example.
#[derive(PartialEq)]
struct Candidate {
    /// What it costs without weights.
    bits: f64,
    is_right: bool,
    features: Vec<(Feature, f64)>,
}

/// The knowledge with weights learned from the examples.
fn scored(knowledge: Knowledge, examples: &[Example], stop: Stop<'_>) -> Knowledge {
    if !parts::has(Part::Score) {
        return knowledge;
    }
    let sample = sample(&in_order(examples.to_vec()), ASKED, 1.0);
    let scorer = learn(&knowledge.theory, &knowledge.model, &sample, stop);
    knowledge.with_scorer(scorer)
}

/// The knowledge with weights learned from the examples, and beside it other theories of them, each with weights of its own: all have a vote.
pub fn committee(knowledge: Knowledge, others: &[Theory], examples: &[Example], stop: Stop<'_>) -> Knowledge {
    let few = sample(&in_order(examples.to_vec()), ASKED, 1.0);
    let (words, tokens) = (knowledge.words(), knowledge.tokens());
    let member = |theory: &Theory| {
        let counted = Knowledge::new(theory, &settled(&few, theory, &flat(theory), stop), words, tokens);
        scored(counted, examples, stop)
    };
    let others = others.iter().take_while(|_| !stop()).map(member).collect();
    scored(knowledge, examples, stop).with_others(others)
}

/// A scorer with which the results of the sample take few bits.
fn learn(theory: &Theory, model: &TreeModel, sample: &[Sampled], stop: Stop<'_>) -> Scorer {
    let output =
        |example: &Sampled| -> Vec<Token> { example.says.iter().copied().filter_map(Out::token).collect() };
    let outputs: Vec<Vec<Token>> = sample.iter().map(output).collect();
    let models = models(theory, model, sample, stop);
    let mut scorer = Scorer::new(outputs.iter().map(Vec::as_slice));
    let mut lists: Vec<Vec<Candidate>> = sample.iter().map(|_| Vec::new()).collect();
    for _ in 0..PASSES {
        let listed = lists.par_iter_mut().zip(sample).zip(&outputs).enumerate();
        listed.filter(|_| !stop()).for_each(|(number, ((list, example), output))| {
            let listing = Listing { theory, model: &models[number % HELD_OUT], scorer: &scorer };
            listing.extend(list, example, output);
        });
        if stop() {
            break;
        }
        descend(&mut scorer, &lists);
    }
    scorer
}

/// For each part of the sample a tree model of the others: examples that were not counted show how far counts carry.
fn models(theory: &Theory, model: &TreeModel, sample: &[Sampled], stop: Stop<'_>) -> Vec<TreeModel> {
    let tree = |example: &Sampled| if stop() { None } else { example.tree(theory, Some(model)) };
    let trees: Vec<Option<Tree>> = sample.par_iter().map(tree).collect();
    let without = |fold: usize| {
        let others = trees.iter().enumerate().filter(|(number, _)| number % HELD_OUT != fold);
        TreeModel::new(&Counts::of(others.filter_map(|(_, tree)| tree.as_ref())), theory)
    };
    (0..HELD_OUT).map(without).collect()
}

/// What trees are listed by.
struct Listing<'l> {
    theory: &'l Theory,
    model: &'l TreeModel,
    scorer: &'l Scorer,
}

impl Listing<'_> {
    /// Adds the trees that are now the best, and the best right one, to the list of an example.
    fn extend(&self, list: &mut Vec<Candidate>, example: &Sampled, output: &[Token]) {
        let own: FxHashSet<Run> = runs(output, true).collect();
        let found = derivations(&example.pattern, self.theory, self.model, self.scorer);
        let right = example.tree(self.theory, Some(self.model));
        for tree in found.into_iter().map(|found| found.tree).chain(right) {
            let Some(said) = says(&tree, self.theory) else { continue };
            let mut features = tree_features(&tree, &example.pattern, self.theory);
            let [pairs, triples] = self.scorer.unseen(&said, true, |run| own.contains(run));
            features.extend([(Feature::UnseenPair, pairs), (Feature::UnseenTriple, triples)]);
            let bits = tree.fillings().map(|(place, filler)| self.model.bits(place, filler)).sum();
            let candidate = Candidate { bits, is_right: said == output, features };
            if !list.contains(&candidate) {
                list.push(candidate);
            }
        }
    }
}

/// The features of the uses of entries in a tree, each with how often it is so.
fn tree_features(tree: &Tree, input: &[In], theory: &Theory) -> Vec<(Feature, f64)> {
    let mut features: BTreeMap<Feature, f64> = BTreeMap::new();
    for (node, span) in tree.nodes.iter().zip(spans(&tree.nodes, |id| theory.shape(id))) {
        for feature in around(node.entry, input, span) {
            *features.entry(feature).or_default() += 1.0;
        }
    }
    for (place, filler) in tree.fillings() {
        *features.entry(Feature::Fills(filler, place)).or_default() += 1.0;
    }
    features.into_iter().collect()
}

/// Gradient descent with steps that shrink with what was learned before (AdaGrad).
fn descend(scorer: &mut Scorer, lists: &[Vec<Candidate>]) {
    let mut squares: FxHashMap<Feature, f64> = FxHashMap::default();
    for _ in 0..ROUNDS {
        for list in lists {
            for (feature, slope) in slopes(list, scorer) {
                let weight = scorer.weights.entry(feature).or_default();
                let slope = slope + PRIOR / lists.len() as f64 * f64::from(*weight);
                let square = squares.entry(feature).or_insert(1e-4);
                *square += slope * slope;
                *weight -= (STEP * slope / square.sqrt()) as f32;
            }
        }
    }
}

/// By how many bits the result of an example takes more where a feature costs a bit more.
fn slopes(list: &[Candidate], scorer: &Scorer) -> BTreeMap<Feature, f64> {
    let weighed = |(feature, times): &(Feature, f64)| times * scorer.weight(*feature);
    let cost = |candidate: &Candidate| candidate.bits + candidate.features.iter().map(weighed).sum::<f64>();
    let costs: Vec<f64> = list.iter().map(cost).collect();
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let shares: Vec<f64> = costs.iter().map(|cost| (least - cost).exp2()).collect();
    let all: f64 = shares.iter().sum();
    let right: f64 =
        shares.iter().zip(list).filter(|(_, candidate)| candidate.is_right).map(|(share, _)| share).sum();
    let mut slopes: BTreeMap<Feature, f64> = BTreeMap::new();
    if right <= 0.0 || right / all > SURELY {
        return slopes;
    }
    for (candidate, share) in list.iter().zip(&shares) {
        let more = if candidate.is_right { share / right } else { 0.0 } - share / all;
        for (feature, times) in &candidate.features {
            *slopes.entry(*feature).or_default() += more * times;
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::symbol::Word;
    use crate::theory::entry::tests::entry;

    /// `b` says S behind `h` and M behind `a`; nothing but the word before it tells.
    #[test]
    fn a_word_is_understood_by_its_neighbour() {
        let mut theory = Theory::new(Prices::new(9, 9));
        for (pattern, says) in [("h", "H"), ("a", "A"), ("b", "S"), ("b", "M"), ("c", "C"), ("0 1", "0 1")] {
            theory.add(&entry(pattern, says));
        }
        let pairs =
            [("h b", "H S"), ("a b", "A M"), ("c h b", "C H S"), ("c a b", "C A M"), ("c c a b", "C C A M")];
        let example = |(input, output): &(&str, &str)| {
            let whole = entry(input, output);
            Example {
                input: whole.words().collect(),
                output: whole.says.iter().copied().filter_map(Out::token).collect(),
            }
        };
        let examples: Vec<Example> = pairs.iter().map(example).collect();
        let counted = sample(&examples, 9, 1.0);
        let trees: Vec<Tree> = counted.iter().filter_map(|example| example.tree(&theory, None)).collect();
        let knowledge = Knowledge::new(&theory, &Counts::of(&trees), 200, 200);
        let scored = scored(knowledge, &examples, Stop::never());
        let said = |input: &str| -> Vec<Token> {
            let words: Vec<Option<Word>> = entry(input, "H").words().map(Some).collect();
            scored.answer(&words).unwrap().tokens
        };
        for (input, output) in [("c c h b", "C C H S"), ("c c c a b", "C C C A M")] {
            let wanted: Vec<Token> =
                entry(input, output).says.iter().copied().filter_map(Out::token).collect();
            assert_eq!(said(input), wanted, "{input}");
        }
    }
}
