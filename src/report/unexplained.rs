//! Which training examples a model gets wrong: what `inspect` shows for words that are not solved.

use crate::data::{Dataset, Example};
use crate::model::{Model, Unexplained};
use rayon::prelude::*;

/// So many examples are asked at most, evenly chosen: enough to show some of each kind, and little beside learning.
const ASKED: usize = 2_000;

/// Up to `most` examples of `data` that `model` gets wrong, the shortest first, in the model's own symbols.
/// Examples with tokens that the model never saw are left out; of very many, only some are asked, and none any more once it is to `stop`.
pub fn unexplained(
    model: &Model,
    data: &Dataset,
    most: usize,
    stop: impl Fn() -> bool + Sync,
) -> Vec<Unexplained> {
    let ask = |example: &Example| if stop() { None } else { wrong(model, data, example) };
    let step = data.examples.len().div_ceil(ASKED).max(1);
    let mut wrong: Vec<Unexplained> = data.examples.par_iter().step_by(step).filter_map(ask).collect();
    wrong.sort_by_key(|example| example.input.len() + example.wanted.len());
    wrong.dedup();
    wrong.truncate(most);
    wrong
}

fn wrong(model: &Model, data: &Dataset, example: &Example) -> Option<Unexplained> {
    let symbols = model.symbols(data.input_tokens(example));
    let found = model.result_text(&symbols);
    if found.as_ref() == Some(&data.output_text(example)) {
        return None;
    }
    let wanted = data.output_tokens(example).map(|token| model.outputs.get(token)).collect::<Option<_>>()?;
    Some(Unexplained { input: symbols.into_iter().collect::<Option<_>>()?, wanted, found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::train;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_stop_ends_asking_at_the_next_example() {
        let known = Dataset::from_pairs("known", &[("a", "A"), ("b", "B")]);
        let model = train(&known, 0, &mut ());
        let wrong = Dataset::from_pairs("wrong", &[("a", "B"); 30].map(|(a, b)| (a, b)));
        assert_eq!(unexplained(&model, &wrong, 64, || false).len(), 1);
        assert!(unexplained(&model, &wrong, 64, || true).is_empty());
        let asked = AtomicUsize::new(0);
        unexplained(&model, &wrong, 64, || asked.fetch_add(1, Ordering::Relaxed) >= 3);
        assert_eq!(asked.into_inner(), 30);
    }
}
