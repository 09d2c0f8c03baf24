//! Learning new words, given all that is known: few examples, and none of what many others have shown is given up.

use super::learn::{Learner, Prices};
use super::sample::{OTHERS, SHORTEST, chosen};
use super::weigh::{Believed, Example};
use crate::experience::Experience;
use crate::stop::Stop;
use crate::theory::EntryId;
use crate::theory::tree::ROOT;

/// Learns what else there is to know from examples with words that are new; all that is known stays.
pub fn extend(
    known: &Believed,
    all: &[Example],
    prices: &Prices,
    experience: &Experience,
    stop: Stop<'_>,
) -> (Believed, Vec<usize>) {
    let mut examples = chosen(all, SHORTEST, OTHERS);
    let exception = exception_bits(known);
    examples.iter_mut().for_each(|example| example.bits += exception);
    let mut learner = Learner::new(&examples, prices, experience, stop);
    learner.remember(known.lexicon.believed());
    let mut believed = known.clone();
    believed.before = known.counts.clone();
    learner.name(&mut believed);
    let first = believed.lexicon.len() as EntryId;
    learner.grow(&mut believed, None);
    let examples: Vec<&Example> = learner.examples.iter().collect();
    learner.prune(&mut believed, &examples, first);
    let uses = believed.recount(&examples);
    (believed, uses)
}

/// What it costs to say that an example is an exception, beside its result, where so many others were none: few new examples weigh what the many before have shown.
fn exception_bits(known: &Believed) -> f64 {
    let whole = known.counts.fillings.iter().filter(|((place, _), _)| *place == ROOT);
    (whole.map(|(_, count)| count).sum::<f64>() + 1.0).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_costs_more_the_more_examples_were_none() {
        let mut known = Believed::nothing();
        assert_eq!(exception_bits(&known), 0.0);
        known.counts.fillings.insert((ROOT, None), 1000.0);
        known.counts.fillings.insert((ROOT, Some(3)), 23.0);
        known.counts.fillings.insert(((3, 0), None), 500.0);
        assert_eq!(exception_bits(&known), 10.0);
    }
}
