//! Outputs of tokens: constructions that say templates, or constructions that compute lists.
//!
//! Where words stand for tokens of their own, outputs may be lists. A first look at some examples tells which of the two says them more shortly: that
//! is learned first. Where it does not answer what is held out, the other is, and examples held out decide. Where none of them
//! is answered, examples are kept as they are; where there are too few to hold any out, templates are the model as they are.

use super::lists::{self, Lists};
use super::{Event, Observer, examples, theory, values, watched};
use crate::computed::Computed;
use crate::computed::find::find;
use crate::data::Dataset;
use crate::model::Model;
use crate::parts::{self, Part};
use crate::settings::{HALF, SHARED};

/// A model of pairs whose outputs are tokens; numbers that are computed among them are taken out first.
pub(super) fn learn(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    let found = parts::has(Part::Computed).then(|| watched(observer, |stop| find(data, stop))).flatten();
    let computed = found.filter(|_| !observer.stop());
    computed
        .and_then(|computed| without_numbers(data, computed, seed, observer))
        .unwrap_or_else(|| learn_tokens(data, seed, observer))
}

/// Templates of what is left when computed numbers are taken out; `None` if they answer too little of what they were learned from.
fn without_numbers(
    data: &Dataset,
    computed: Computed,
    seed: u64,
    observer: &mut dyn Observer,
) -> Option<Model> {
    observer.on(&Event::Computed { entries: computed.values().entries().len() });
    let left = computed.taken_out(data);
    let task = theory::Task::of(&left, &examples(&left.examples), observer)?;
    let look = task.look(observer);
    let found = theory::learn(&task, &look, seed, observer)?;
    let model = Model { computed: Some(computed), ..found.model };
    (values::share_right(&model, data, observer) >= HALF).then_some(model)
}

fn learn_tokens(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
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
