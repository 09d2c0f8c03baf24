//! Outputs of tokens: constructions that say templates, or constructions that compute lists.
//!
//! Where words stand for tokens of their own, outputs may be lists. A first look at some examples tells which of the two says them more shortly: that
//! is learned first. Where it does not answer what is held out, the other is, and examples held out decide. Where none of them
//! is answered, examples are kept as they are; where there are too few to hold any out, templates are the model as they are.

use super::lists::{self, Lists};
use super::{Event, Observer, examples, theory};
use crate::data::Dataset;
use crate::model::Model;
use crate::parts::{self, Part};

/// Lists that take a larger share of the bits of some examples in a first look have found nothing.
const SHARED: f64 = 0.6;

/// A model of pairs whose outputs are tokens.
pub(super) fn learn(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    if observer.stop() {
        return theory::keep(data, seed, observer);
    }
    let examples = examples(&data.examples);
    observer.on(&Event::Tries("a first look at some examples"));
    let Some(task) = theory::Task::of(data, &examples, observer) else {
        return theory::learn_whatever(data, seed, observer);
    };
    let look = task.look(observer);
    let lists = if observer.stop() || !parts::has(Part::Lists) { None } else { Lists::of(data, &examples) };
    let lists = lists.map(|lists| (lists.look(observer).share, lists));
    observer.on(&Event::Looked { templates: look.share(), lists: lists.as_ref().map(|(share, _)| *share) });
    let lists = lists.filter(|(share, _)| *share <= SHARED);
    let is_first = lists.as_ref().is_none_or(|(share, _)| look.share() <= *share);
    let mut templates = is_first.then(|| theory::learn(&task, &look, seed, observer)).flatten();
    if let Some(templates) = templates.take_if(|templates| templates.is_sure()) {
        return templates.model;
    }
    let mut lists = lists.map(|(_, lists)| lists.learn(data, seed, observer));
    if let Some(lists) = lists.take_if(|lists| lists.is_sure()) {
        return lists.model;
    }
    if !is_first {
        templates = theory::learn(&task, &look, seed, observer);
    }
    match (templates, lists.filter(lists::Found::is_any)) {
        // Half of the mistakes: less may be chance, and templates tell how probable other results are.
        (Some(templates), Some(lists)) if 1.0 - lists.share() < 0.5 * (1.0 - templates.share()) => {
            lists.model
        }
        (Some(templates), _) => templates.model,
        (None, Some(lists)) => lists.model,
        (None, None) => theory::keep(data, seed, observer),
    }
}
