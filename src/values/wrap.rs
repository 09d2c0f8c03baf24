//! Words around all inputs: `is it true that ...`.
//!
//! Where all inputs begin or end with the same words, in this order nowhere else, no short input shows what stands between them. It is learned
//! from what stands between, and an entry that passes it on is believed at its price.

use super::entry::{Entry, Pattern};
use super::fit::{Effort, Fitted, Wanted, best};
use super::learn::Learner;
use super::open::{RUN, WithRuns};
use super::want::Want;
use super::weigh::{Believed, Example};
use crate::symbol::Word;
use crate::theory::entry::In;

/// The words before and behind what is told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wrapper {
    before: Vec<Word>,
    after: Vec<Word>,
}

impl Wrapper {
    /// The words that all inputs begin and end with, and have nowhere else; `None` if there are none, or is nothing but these in some input.
    pub(super) fn around(examples: &[Example]) -> Option<Wrapper> {
        let first = &examples.first()?.input.words;
        let inputs = || examples.iter().map(|example| &example.input.words);
        let shared = |common: fn(&[Word], &[Word]) -> usize| {
            inputs().map(|words| common(first, words)).min().unwrap_or_default()
        };
        let before = shared(|a, b| a.iter().zip(b).take_while(|(a, b)| a == b && **a != RUN).count());
        let after = shared(|a, b| {
            a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b && **a != RUN).count()
        });
        let (before, after) = (&first[..before], &first[first.len() - after..]);
        let is_nowhere_else = |part: &&[Word]| {
            let times = |words: &Vec<Word>| words.windows(part.len()).filter(|other| other == part).count();
            !part.is_empty() && inputs().all(|words| times(words) == 1)
        };
        let taken = |part: &[Word]| Some(part).filter(is_nowhere_else).unwrap_or_default().to_vec();
        let wrapper = Wrapper { before: taken(before), after: taken(after) };
        let length = wrapper.before.len() + wrapper.after.len();
        (length > 0 && inputs().all(|words| words.len() > length)).then_some(wrapper)
    }

    /// An example without these words.
    pub(super) fn taken_off(&self, example: &Example) -> Example {
        let WithRuns { words, runs } = &example.input;
        let inner = self.before.len()..words.len() - self.after.len();
        let input = WithRuns { words: words[inner.clone()].to_vec(), runs: runs[inner].to_vec() };
        Example { input, ..example.clone() }
    }

    /// Believes that these words pass on what stands between them; whether there is a program that does.
    pub(super) fn put_on(&self, believed: &mut Believed, learner: &Learner<'_>) -> bool {
        let word = |word: &Word| In::Word(*word);
        let before = self.before.iter().map(word).chain([In::Slot(0)]);
        let pattern = Pattern::of_slots(before.chain(self.after.iter().map(word)).collect());
        let unchanged = |(number, example): (usize, &Example)| Wanted {
            arguments: vec![example.value.clone()],
            want: Want::Value(example.value.clone()),
            example: number,
            bits: example.bits,
        };
        let wanted: Vec<Wanted> = learner.examples.iter().enumerate().map(unchanged).collect();
        let fitted = best(&learner.pool, learner.prices.token_bits, &pattern, &wanted, Effort::default());
        let Some(Fitted { program, bits, .. }) = fitted.into_iter().next() else { return false };
        let bits = learner.prices.entry(&pattern, &program, bits);
        believed.add(Entry { pattern, program }, bits);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::value::Value;

    #[track_caller]
    fn check(inputs: &[&[u32]], wanted: Option<[&[u32]; 2]>) {
        let words = |words: &[u32]| words.iter().map(|&word| Word(word)).collect::<Vec<Word>>();
        let example = |input: &&[u32]| Example {
            input: WithRuns::of_words(words(input)),
            value: Value::Truth(true),
            bits: 1.0,
        };
        let examples: Vec<Example> = inputs.iter().map(example).collect();
        let wanted = wanted.map(|[before, after]| Wrapper { before: words(before), after: words(after) });
        assert_eq!(Wrapper::around(&examples), wanted);
    }

    #[test]
    fn words_around_all_inputs_stand_nowhere_else() {
        let [is, it, true_, end] = [0, 1, 2, 3];
        check(&[&[is, it, true_, 7, is, 8], &[is, it, true_, 9]], Some([&[is, it, true_], &[]]));
        check(&[&[is, 7, end], &[is, 8, 9, end]], Some([&[is], &[end]]));
        // Some of them stand within, too.
        check(&[&[is, 7, end], &[is, 8, is, 9, end]], Some([&[], &[end]]));
        check(&[&[is, 7, is, 8], &[is, 9]], None);
        check(&[&[is, 7], &[8, is]], None);
        check(&[&[is, it], &[is, it, 7]], None);
    }
}
