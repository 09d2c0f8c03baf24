//! Outputs of tokens: constructions that say templates, constructions that compute lists, or else programs of words.
//!
//! Where a first look at some examples promises a small theory of templates, that is learned first; where it does not, or the theory answers too
//! few examples held out, lists are tried. Examples held out decide. Programs of words are learned where constructions answer none of these.

use super::lists::{self, Lists};
use super::meaning::{Meanings, Pair};
use super::{Observer, first_beliefs, learn_words, theory};
use crate::data::Dataset;
use crate::model::{Model, OutputKind};

/// The share of the examples held out that templates have to answer to be the model at once: some outputs may be wrong, and some words are
/// held out with their only example.
const NEARLY_ALL: f64 = 0.9;
/// Lists that take a larger share of the bits of some examples in a first look have found nothing.
const SHARED: f64 = 0.6;

/// A model of pairs whose outputs are tokens; `believed` is what was believed of words before.
pub(super) fn learn(
    data: &Dataset,
    seed: u64,
    believed: Option<Meanings>,
    pairs: Vec<Pair>,
    observer: &mut dyn Observer,
) -> Model {
    let task = theory::Task::of(data, &pairs);
    let promises = task.as_ref().map(|task| theory::promises(task, observer));
    let templates_of = |promises, observer: &mut dyn Observer| {
        task.as_ref().and_then(|task| theory::learn(task, promises, seed, observer))
    };
    let mut templates = match promises {
        Some(true) => templates_of(true, observer),
        _ => None,
    };
    let is_enough = |found: &theory::Found| found.share() >= NEARLY_ALL || !found.model.finished;
    if let Some(templates) = templates.take_if(|templates| is_enough(templates)) {
        return templates.model;
    }
    let lists = learn_lists(data, &pairs, seed, observer);
    if let Some(lists) = lists.as_ref().filter(|lists| lists.is_sure()) {
        return lists.model.clone();
    }
    if promises == Some(false) && !observer.stop() {
        templates = templates_of(false, observer);
    }
    match (templates, lists.filter(lists::Found::is_any)) {
        // Less may be chance; and templates tell how probable other results are.
        (Some(templates), Some(lists)) if 1.0 - lists.share() < 0.5 * (1.0 - templates.share()) => {
            lists.model
        }
        (Some(templates), _) => templates.model,
        (None, Some(lists)) => lists.model,
        (None, None) => {
            let believed = believed.unwrap_or_else(|| first_beliefs(data, OutputKind::of(data)));
            learn_words(data, pairs, seed, believed, observer)
        }
    }
}

/// Learns lists if a first look at some of them is not in vain.
fn learn_lists(
    data: &Dataset,
    pairs: &[Pair],
    seed: u64,
    observer: &mut dyn Observer,
) -> Option<lists::Found> {
    let lists = Lists::of(data, pairs).filter(|_| !observer.stop())?;
    (lists.look(observer).share <= SHARED).then(|| lists.learn(data, seed, observer))
}
