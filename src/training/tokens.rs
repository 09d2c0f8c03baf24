//! Outputs of tokens: constructions that say templates, or constructions that compute lists.
//!
//! Where a first look at some examples promises a small theory of templates, that is learned first; where it does not, or the theory answers too
//! few examples held out, lists are tried. Examples held out decide. Where none of them
//! is answered, examples are kept as they are; where there are too few to hold any out, templates are the model as they are.

use super::lists::{self, Lists};
use super::{Observer, examples, theory};
use crate::data::Dataset;
use crate::learn::evidence::Example;
use crate::model::Model;

/// Lists that take a larger share of the bits of some examples in a first look have found nothing.
const SHARED: f64 = 0.6;

/// A model of pairs whose outputs are tokens.
pub(super) fn learn(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    let examples = examples(data);
    let task = theory::Task::of(data, &examples);
    let promises = task.as_ref().map(|task| theory::promises(task, observer));
    let mut templates = match (&task, promises) {
        (Some(task), Some(true)) => theory::learn(task, true, seed, observer),
        _ => None,
    };
    let is_enough = |found: &theory::Found| found.share() >= theory::NEARLY_ALL || !found.model.finished;
    if let Some(templates) = templates.take_if(|templates| is_enough(templates)) {
        return templates.model;
    }
    let lists = learn_lists(data, &examples, seed, observer);
    if let Some(lists) = lists.as_ref().filter(|lists| lists.is_sure()) {
        return lists.model.clone();
    }
    if let Some(task) = task.as_ref().filter(|_| promises == Some(false) && !observer.stop()) {
        let promises = theory::promise_more(task, observer);
        templates = theory::learn(task, promises, seed, observer);
    }
    match (templates, lists.filter(lists::Found::is_any)) {
        // Less may be chance; and templates tell how probable other results are.
        (Some(templates), Some(lists)) if 1.0 - lists.share() < 0.5 * (1.0 - templates.share()) => {
            lists.model
        }
        (Some(templates), _) => templates.model,
        (None, Some(lists)) => lists.model,
        (None, None) if task.is_none() => theory::learn_whatever(data, seed, observer),
        (None, None) => theory::keep(data, seed, observer),
    }
}

/// Learns lists if a first look at some of them is not in vain.
fn learn_lists(
    data: &Dataset,
    examples: &[Example],
    seed: u64,
    observer: &mut dyn Observer,
) -> Option<lists::Found> {
    let lists = Lists::of(data, examples).filter(|_| !observer.stop())?;
    (lists.look(observer).share <= SHARED).then(|| lists.learn(data, seed, observer))
}
