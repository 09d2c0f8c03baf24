//! Outputs of tokens: constructions that say templates, constructions that compute lists, or else programs of words.
//!
//! A first look at some examples tells which kind describes them in a smaller share of their bits; that one is learned first. Examples held
//! out decide whether it is the model, or which of several is. Programs of words are learned where constructions answer none of these.

use super::lists::{self, Lists};
use super::meaning::{Meanings, Pair};
use super::{Observer, first_beliefs, learn_words, theory};
use crate::data::Dataset;
use crate::model::{Model, OutputKind};

/// A model of pairs whose outputs are tokens; `believed` is what was believed of words before.
pub(super) fn learn(
    data: &Dataset,
    seed: u64,
    believed: Option<Meanings>,
    pairs: Vec<Pair>,
    observer: &mut dyn Observer,
) -> Model {
    let lists = learn_lists(data, &pairs, seed, observer);
    if let Some(lists) = lists.found.as_ref().filter(|lists| lists.is_sure()) {
        return lists.model.clone();
    }
    let templates = match lists.templates {
        Some(look) if !observer.stop() => theory::learn(data, &pairs, look.promises, seed, observer),
        _ => None,
    };
    match (templates, lists.found.filter(lists::Found::is_any)) {
        (Some(templates), Some(lists)) => templates.or(lists.model, &pairs),
        (Some(templates), None) => templates.model,
        (None, Some(lists)) => lists.model,
        (None, None) => {
            let believed = believed.unwrap_or_else(|| first_beliefs(data, OutputKind::of(data)));
            learn_words(data, pairs, seed, believed, observer)
        }
    }
}

/// What lists came to, if they were learned, and what a look at templates did, if there was need.
struct Tried {
    found: Option<lists::Found>,
    templates: Option<theory::Look>,
}

/// Learns lists if they describe some examples better than templates do.
fn learn_lists(data: &Dataset, pairs: &[Pair], seed: u64, observer: &mut dyn Observer) -> Tried {
    let look_at_templates = |observer: &dyn Observer| theory::look(data, pairs, observer);
    let Some(lists) = Lists::of(data, pairs) else {
        return Tried { found: None, templates: look_at_templates(observer) };
    };
    let look = lists.look(observer);
    if look.has_all {
        let found = lists.learn(data, seed, observer);
        let templates = if found.is_sure() { None } else { look_at_templates(observer) };
        return Tried { found: Some(found), templates };
    }
    let templates = look_at_templates(observer);
    let is_shorter = look.share < templates.map_or(1.0, |look| look.share);
    Tried { found: is_shorter.then(|| lists.learn(data, seed, observer)), templates }
}
