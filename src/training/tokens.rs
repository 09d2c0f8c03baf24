//! Outputs of tokens: constructions that say templates, or constructions that compute lists.
//!
//! Where words stand for tokens of their own, outputs may be lists. A first look at some examples tells which of the two says them more shortly: that
//! is learned first. Where it does not answer what is held out, the other is, and examples held out decide. Where none of them
//! is answered, examples are kept as they are; where there are too few to hold any out, templates are the model as they are.
//!
//! How outputs are cut is a guess, unless somebody has said it. Where less than nearly all that is held out is answered, short ones without blanks are spelled
//! letter by letter as well, and what answers more is the model. Where most tokens are seldom seen, and there are more of them than words that may say them, they are spelled first.

use super::lists::Lists;
use super::{Event, Observer, computed_results, examples, theory, values, watched};
use crate::computed::Computed;
use crate::computed::find::find;
use crate::data::{Dataset, Example, Tokens};
use crate::model::Model;
use crate::parts::{self, Part};
use crate::settings::{HALF, JUDGES, LEAST, LONG, NEARLY_ALL, SHARED};
use std::borrow::Cow;

/// A model, and how many of the examples held out what it was learned with answers right.
pub(super) struct Found {
    pub(super) model: Model,
    pub(super) asked: usize,
    pub(super) right: usize,
}

impl Found {
    /// Whether all that was asked is right, and it is enough to tell; or there is no time to find out more.
    fn is_sure(&self, enough: usize) -> bool {
        !self.model.finished || self.right == self.asked && self.asked >= enough
    }

    /// The share of what was asked that is right.
    fn share(&self) -> f64 {
        self.right as f64 / self.asked.max(1) as f64
    }

    /// Whether tokens are cut well, as nearly all is answered, or there is no time for others.
    fn is_cut_well(&self) -> bool {
        !self.model.finished || self.share() >= NEARLY_ALL
    }
}

/// A model of pairs whose outputs are tokens, and the pairs as it cuts them.
pub(super) fn learn<'a>(
    data: &'a Dataset,
    seed: u64,
    observer: &mut dyn Observer,
) -> (Model, Cow<'a, Dataset>) {
    let are_composed = are_composed(data);
    if !may_be_spelled(data, are_composed) {
        return (learn_as_cut(data, seed, observer).model, Cow::Borrowed(data));
    }
    let spelled = data.with_outputs_cut(Tokens::Chars);
    let mut learn = |is_spelled: bool| match is_spelled {
        true => {
            observer.on(&Event::Tries("outputs letter by letter"));
            learn_as_cut(&spelled, seed, observer)
        }
        false => learn_as_cut(data, seed, observer),
    };
    let first = learn(are_composed);
    let (found, is_spelled) = match first.is_cut_well() {
        true => (first, are_composed),
        false => {
            let other = learn(!are_composed);
            let finished = other.model.finished;
            let is_other = other.share() > first.share() || other.share() == first.share() && are_composed;
            let found = if is_other { other } else { first };
            (Found { model: Model { finished, ..found.model }, ..found }, is_other != are_composed)
        }
    };
    (found.model, if is_spelled { spelled } else { Cow::Borrowed(data) })
}

/// Whether tokens are likely put together from what several words say: there are more of them than words, and most of them are seldom seen. Numbers may
/// be computed.
fn are_composed(data: &Dataset) -> bool {
    let mut uses = vec![0; data.outputs.len()];
    data.examples.iter().flat_map(|example| &example.output).for_each(|token| uses[token.index()] += 1);
    let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let names = data.outputs.names().iter().zip(&uses);
    let seldom = names.filter(|(name, uses)| **uses < LEAST && !is_number(name)).count();
    data.outputs.len() > data.inputs.len() && seldom as f64 > HALF * data.outputs.len() as f64
}

/// Whether letters may tell more of outputs than the tokens they were cut into: nobody has said what a token is, nor do blanks, and they are short enough
/// to be searched for parts.
fn may_be_spelled(data: &Dataset, are_composed: bool) -> bool {
    let is_short = |example: &&Example| {
        let letters = data.output_tokens(example).map(|token| token.chars().count()).sum::<usize>();
        letters <= LONG && (are_composed || (1..example.output.len()).all(|place| !example.has_blank(place)))
    };
    let short = data.examples.iter().filter(is_short).count();
    data.outputs_guessed
        && data.cut.outputs != Tokens::Chars
        && short as f64 >= NEARLY_ALL * data.examples.len() as f64
        && computed_results(data).is_none()
}

/// A model of pairs cut as they are; numbers that are computed among tokens are taken out first.
fn learn_as_cut(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Found {
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
) -> Option<Found> {
    observer.on(&Event::Computed { entries: computed.values().entries().len() });
    let left = computed.taken_out(data);
    let task = theory::Task::of(&left, &examples(&left.examples), observer)?;
    let look = task.look(observer);
    let found = theory::learn(&task, &look, seed, observer)?;
    let model = Model { computed: Some(computed), ..found.model };
    (values::share_right(&model, data, observer) >= HALF).then_some(Found { model, ..found })
}

fn learn_tokens(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Found {
    // What keeps examples as they are answers no other.
    let kept = |model| Found { model, asked: 0, right: 0 };
    if observer.stop() {
        return kept(theory::keep(data, seed, observer));
    }
    let examples = examples(&data.examples);
    observer.on(&Event::Tries("a first look at some examples"));
    let Some(task) = theory::Task::of(data, &examples, observer) else {
        return kept(theory::learn_whatever(data, seed, observer));
    };
    let look = task.look(observer);
    let lists = if observer.stop() || !parts::has(Part::Lists) { None } else { Lists::of(data, &examples) };
    let lists = lists.map(|lists| (lists.look(observer).share, lists));
    observer.on(&Event::Looked { templates: look.share(), lists: lists.as_ref().map(|(share, _)| *share) });
    let lists = lists.filter(|(share, _)| *share <= SHARED);
    let is_first = lists.as_ref().is_none_or(|(share, _)| look.share() <= *share);
    let mut templates = is_first.then(|| theory::learn(&task, &look, seed, observer)).flatten();
    if let Some(templates) = templates.take_if(|templates| templates.is_sure(1)) {
        return templates;
    }
    let mut lists = lists.map(|(_, lists)| lists.learn(data, seed, observer));
    if let Some(lists) = lists.take_if(|lists| lists.is_sure(JUDGES)) {
        return lists;
    }
    if !is_first {
        templates = theory::learn(&task, &look, seed, observer);
    }
    match (templates, lists.filter(|lists| lists.right > 0)) {
        // Half of the mistakes: less may be chance, and templates tell how probable other results are.
        (Some(templates), Some(lists)) if 1.0 - lists.share() < 0.5 * (1.0 - templates.share()) => lists,
        (Some(templates), _) => templates,
        (None, Some(lists)) => lists,
        (None, None) => kept(theory::keep(data, seed, observer)),
    }
}
