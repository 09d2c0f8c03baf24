//! Correcting what fills what by the examples that are answered wrong.
//!
//! Counts over right trees say how inputs are put together, not which tree to prefer: `a box on a table` may be `a _` with a box on a table, or `a box`
//! with `_ on _` around it, and half of each makes a wrong tree of `a box on a table beside a chair` more probable than the right one. So the
//! fillings of each wrong tree that is preferred are counted less, and those of the right one more: what a structured perceptron
//! learns, and the direction in which the bits of results fall. Where all is answered right nothing changes.

use crate::chart::free;
use crate::learn::state::Sampled;
use crate::settings::ROUNDS;
use crate::stop::Stop;
use crate::theory::counts::Counts;
use crate::theory::entry::Out;
use crate::theory::tree::{Place, Tree};
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How many times more or less often a filling is counted after a first round that wants more or less of it.
const STEP: f64 = 2.0;

/// The counts with which most of the sample is answered right. Steps become smaller where they do not help.
pub(super) fn corrected(mut counts: Counts, theory: &Theory, sample: &[Sampled], stop: Stop<'_>) -> Counts {
    let mut best = (usize::MAX, counts.clone());
    let mut step = STEP;
    for _ in 0..ROUNDS {
        let model = TreeModel::new(&counts, theory);
        let mistakes: Vec<(Tree, Tree)> = sample
            .par_iter()
            .filter(|_| !stop())
            .filter_map(|example| mistake(example, theory, &model))
            .collect();
        if stop() {
            break;
        }
        if mistakes.len() < best.0 {
            best = (mistakes.len(), counts.clone());
        } else {
            step = step.sqrt();
        }
        if best.0 == 0 {
            break;
        }
        // The result of a single example may be wrong.
        for ((place, filler), more) in wanted(&mistakes).into_iter().filter(|(_, more)| more.abs() > 1) {
            counts.scale(place, filler, step.powi(more.signum()));
        }
    }
    best.1
}

/// How many more times each filling is in right trees than in the wrong ones that were preferred.
fn wanted(mistakes: &[(Tree, Tree)]) -> BTreeMap<(Place, EntryId), i32> {
    let mut more: BTreeMap<(Place, EntryId), i32> = BTreeMap::new();
    for (wrong, right) in mistakes {
        wrong.fillings().for_each(|filling| *more.entry(filling).or_default() -= 1);
        right.fillings().for_each(|filling| *more.entry(filling).or_default() += 1);
    }
    more
}

/// The tree of an example that is preferred and wrong, and the best right one; `None` where there are not both.
fn mistake(example: &Sampled, theory: &Theory, model: &TreeModel) -> Option<(Tree, Tree)> {
    let preferred = free::derivations(&example.pattern[..], theory, model).into_iter().next()?.tree;
    let said = free::says(&preferred, theory)?;
    let wanted = example.says.iter().copied().filter_map(Out::token);
    if said.into_iter().eq(wanted) {
        return None;
    }
    Some((preferred, example.tree(theory, Some(model))?))
}
