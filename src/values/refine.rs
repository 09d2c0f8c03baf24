//! Learning each word anew, given all others.

use super::entry::{Entry, Pattern};
use super::fit::{Fitted, Wanted};
use super::grow::Evidence;
use super::learn::Learner;
use super::program::Program;
use super::value::Value;
use super::weigh::{Believed, Example, Weighed};
use crate::parts::{self, Part};
use crate::settings::{LEAST, LEAST_BITS, LONGEST_PATTERN, NEW_HABITS, PASSES};
use crate::symbol::Word;
use crate::theory::EntryId;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// How far numbers that are tried for words are from those that they have.
const NEARBY: i64 = 3;

/// An example, and what it costs.
type Asked<'a> = (&'a Example, &'a Weighed);

impl Learner<'_> {
    /// Learns each word anew, given all others, and keeps the shorter; and so what no word says.
    pub(super) fn refine(&self, believed: &mut Believed, examples: &[&Example]) {
        let mut weighed = believed.weighed(examples);
        // Since this word was learned anew, and nothing else.
        let mut settled: Option<Option<Word>> = None;
        for _ in 0..if parts::has(Part::Refine) { 2 } else { 0 } {
            let words: BTreeSet<Word> = believed
                .lexicon
                .believed()
                .map(|entry| &entry.pattern)
                .filter(|pattern| pattern.pieces.len() > 1)
                .flat_map(Pattern::all_words)
                .collect();
            for word in words.into_iter().map(Some).chain([None]) {
                if (self.stop)() || settled == Some(word) {
                    return;
                }
                let old = about(believed, word);
                let with_served = with_served(believed, &old);
                let is_shorter = self.refine_word(believed, examples, &weighed, word, old.clone())
                    || (with_served != old
                        && self.refine_word(believed, examples, &weighed, word, with_served));
                if is_shorter {
                    weighed = believed.weighed(examples);
                    settled = None;
                }
                settled = settled.or(Some(word));
            }
        }
    }

    /// Tries numbers nearby for the words that mean one, where that makes examples shorter; whether any did. What is only ever compared, or summed and compared, shows no number.
    pub(super) fn tune(&self, believed: &mut Believed, examples: &[&Example]) -> bool {
        let mut changed = 0;
        for _ in 0..PASSES {
            let ids: Vec<EntryId> = believed.lexicon.live().collect();
            let before = changed;
            for id in ids {
                changed += usize::from(!(self.stop)() && self.tune_entry(believed, examples, id));
            }
            if changed == before {
                break;
            }
        }
        let evened = self.evened(believed, examples);
        changed > 0 || evened
    }

    /// Tries the same numbers in equal steps, from nothing or from one: an order shows no more, and sums only show numbers once all are right.
    fn evened(&self, believed: &mut Believed, examples: &[&Example]) -> bool {
        let lexicon = &believed.lexicon;
        let number = |id: EntryId| Some((id, lexicon.entry(id).constant()?.small()?));
        let numbers: Vec<(EntryId, i64)> = lexicon.live().filter_map(number).collect();
        let different: BTreeSet<i64> = numbers.iter().map(|(_, number)| *number).collect();
        let even = |first: i64| {
            let steps: BTreeMap<i64, i64> = different.iter().copied().zip(first..).collect();
            let mut other = believed.clone();
            for &(id, number) in &numbers {
                let pattern = lexicon.entry(id).pattern.clone();
                let program = Program::Constant(Value::from(steps[&number]));
                other.set_live(id, false);
                // Examples alone decide, as above.
                other.add(Entry { pattern, program }, lexicon.bits(id));
            }
            other
        };
        let most = believed.total(examples).bits - LEAST_BITS;
        let found = (0..2).map(even).find(|even| even.total_below(most, examples).is_some());
        let Some(even) = found else { return false };
        *believed = even;
        true
    }

    fn tune_entry(&self, believed: &mut Believed, examples: &[&Example], id: EntryId) -> bool {
        let Entry { pattern, program } = believed.lexicon.entry(id).clone();
        let Program::Constant(value) = program else { return false };
        let Some(number) = value.small() else { return false };
        let touched: Vec<&Example> =
            examples.iter().copied().filter(|example| pattern.is_within(&example.input.words)).collect();
        let before = believed.total(&touched).bits;
        let length = believed.lexicon.len();
        believed.set_live(id, false);
        // Examples alone decide: smaller numbers are cheaper, but nothing says that these are.
        let price = believed.lexicon.bits(id);
        let mut best: Option<(f64, Entry)> = None;
        for number in (number - NEARBY..=number + NEARBY).filter(|&other| other != number) {
            let value = Value::from(number);
            let entry = Entry { pattern: pattern.clone(), program: Program::Constant(value) };
            believed.add(entry.clone(), price);
            let least = best.as_ref().map_or(before, |best| best.0);
            if let Some(total) = believed.total_below(least, &touched) {
                best = Some((total.bits, entry));
            }
            believed.truncate(length);
        }
        match best {
            Some((_, entry)) => {
                believed.add(entry, price);
                true
            }
            None => {
                believed.set_live(id, true);
                false
            }
        }
    }

    /// Learns entries with a word anew, in the place of the old ones; whether that is shorter.
    fn refine_word(
        &self,
        believed: &mut Believed,
        examples: &[&Example],
        weighed: &[Weighed],
        word: Option<Word>,
        old: Vec<EntryId>,
    ) -> bool {
        // What is not explained so far tells most.
        let (open, explained): (Vec<Asked<'_>>, Vec<Asked<'_>>) = examples
            .iter()
            .copied()
            .zip(weighed)
            .filter(|(example, _)| {
                word.is_none_or(|word| example.input.words.contains(&word))
                    && example.input.len() <= LONGEST_PATTERN
            })
            .partition(|(_, weighed)| weighed.item.is_none());
        let mut touched: Vec<Asked<'_>> =
            open.iter().copied().step_by((open.len() / 35).max(1)).take(40).collect();
        let step = (explained.len() / (70 - touched.len())).max(1);
        touched.extend(explained.into_iter().step_by(step).take(80 - touched.len()));
        if old.is_empty() || touched.is_empty() {
            return false;
        }
        let bits_of = |weighed: &mut dyn Iterator<Item = &Weighed>| weighed.map(|one| one.bits).sum::<f64>();
        let before = believed.lexicon.total() + bits_of(&mut touched.iter().map(|(_, weighed)| *weighed));
        let before_all = believed.lexicon.total() + bits_of(&mut weighed.iter());
        let touched: Vec<&Example> = touched.into_iter().map(|(example, _)| example).collect();
        let old_bits: f64 = old.iter().map(|&id| believed.lexicon.bits(id)).sum();
        let length = believed.lexicon.len();
        let counts = believed.counts.clone();
        old.iter().for_each(|&id| believed.set_live(id, false));
        let after = self.relearn(believed, &touched, word, old_bits);
        let lexicon = &believed.lexicon;
        let new: Vec<EntryId> = lexicon.live().filter(|&id| id as usize >= length).collect();
        let is_old = |&id: &EntryId| old.iter().any(|&other| lexicon.entry(other) == lexicon.entry(id));
        let is_same = new.len() == old.len() && new.iter().all(is_old);
        // New entries are not in the habit yet: they are judged by trees found anew.
        if !is_same && after < before + NEW_HABITS {
            believed.recount(examples);
            if let Some(total) = believed.total_below(before_all - 1.0, examples) {
                self.step("learn anew", total.bits, total.right);
                return true;
            }
        }
        believed.counts = counts;
        believed.truncate(length);
        old.iter().for_each(|&id| believed.set_live(id, true));
        false
    }

    /// Believes entries with a word, each the best of some, and lets go of those that do not pay; the description length then.
    fn relearn(
        &self,
        believed: &mut Believed,
        touched: &[&Example],
        word: Option<Word>,
        old_bits: f64,
    ) -> f64 {
        let first = believed.lexicon.len();
        let mut best = f64::INFINITY;
        let mut spent = 0.0;
        for _ in 0..5 {
            let Some((bits, entry, price)) = self.best_with(believed, touched, word) else { break };
            if bits >= best {
                break;
            }
            best = bits;
            spent += price;
            believed.add(entry, price);
            if spent > old_bits + NEW_HABITS {
                break;
            }
        }
        for id in (first as EntryId..believed.lexicon.len() as EntryId).rev() {
            believed.set_live(id, false);
            match believed.total_below(best, touched) {
                Some(without) => best = without.bits,
                None => believed.set_live(id, true),
            }
        }
        best
    }

    /// The entry with a word that makes examples shortest, their length with it, and its price.
    fn best_with(
        &self,
        believed: &mut Believed,
        touched: &[&Example],
        word: Option<Word>,
    ) -> Option<(f64, Entry, f64)> {
        let found: Vec<Vec<(Pattern, Wanted)>> = touched
            .par_iter()
            .enumerate()
            .map(|(number, example)| match believed.weigh(example).1.item {
                Some(_) => Vec::new(),
                None => self.wanted(believed, number, example),
            })
            .collect();
        let mut evidence = Evidence::new();
        for (pattern, wanted) in found.into_iter().filter(|found| !found.is_empty()).take(60).flatten() {
            if is_about(&pattern, word) && !believed.lexicon.has(&pattern) {
                evidence.entry(pattern).or_default().push(wanted);
            }
        }
        let mut keys: Vec<(Pattern, Vec<Wanted>)> = evidence.into_iter().collect();
        let examples = |wanted: &[Wanted]| wanted.chunk_by(|a, b| a.example == b.example).count();
        keys.sort_by(|a, b| {
            let by_examples = examples(&b.1).cmp(&examples(&a.1));
            by_examples.then(a.0.pieces.len().cmp(&b.0.pieces.len())).then_with(|| a.0.cmp(&b.0))
        });
        keys.truncate(25);
        let mut fitted: Vec<(f64, Entry, f64)> = keys
            .into_par_iter()
            .filter_map(|(pattern, wanted)| {
                let Fitted { program, bits, saved } = self.best_fit(&pattern, &wanted)?;
                let price = self.prices.entry(&pattern, &program, bits);
                (saved > price).then_some((saved - price, Entry { pattern, program }, price))
            })
            .collect();
        fitted.sort_by(|a, b| b.0.total_cmp(&a.0));
        fitted.truncate(LEAST);
        let length = believed.lexicon.len();
        let mut best: Option<(f64, Entry, f64)> = None;
        for (_, entry, price) in fitted {
            believed.add(entry.clone(), price);
            let least = best.as_ref().map_or(f64::INFINITY, |best| best.0);
            if let Some(total) = believed.total_below(least, touched) {
                best = Some((total.bits, entry, price));
            }
            believed.truncate(length);
        }
        best
    }
}

/// The entries with a word, or with none at all.
fn about(believed: &Believed, word: Option<Word>) -> Vec<EntryId> {
    let lexicon = &believed.lexicon;
    lexicon.live().filter(|&id| is_about(&lexicon.entry(id).pattern, word)).collect()
}

/// Some entries, and others that stand nowhere but within these: they may be there only because these are wrong.
fn with_served(believed: &Believed, some: &[EntryId]) -> Vec<EntryId> {
    let mut all = some.to_vec();
    let is_served = |all: &[EntryId], id: EntryId| {
        let fillings = believed.counts.fillings.keys();
        let mut parents = fillings.filter(|(_, kind)| *kind == Some(id)).map(|(place, _)| place.0).peekable();
        parents.peek().is_some() && parents.all(|parent| parent == id || all.contains(&parent))
    };
    while let Some(id) = believed.lexicon.live().find(|&id| !all.contains(&id) && is_served(&all, id)) {
        all.push(id);
    }
    all
}

/// Whether a pattern has a word, be it between the fillers of a row, or none at all.
fn is_about(pattern: &Pattern, word: Option<Word>) -> bool {
    match word {
        Some(word) => pattern.all_words().any(|other| other == word),
        None => pattern.all_words().next().is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experience::Experience;
    use crate::stop::Stop;
    use crate::theory::entry::In;
    use crate::theory::tree::ROOT;
    use crate::values::learn::Prices;
    use crate::values::open::WithRuns;
    use crate::values::program::{Comparison, Relation, Test};

    #[test]
    fn a_row_is_about_the_word_between_its_fillers() {
        let (open, xor) = (Word(0), Word(1));
        let pieces = Box::new([In::Word(open), In::Slot(0)]);
        let row = Pattern { pieces, row: true, separator: Some(xor) };
        assert!(is_about(&row, Some(open)) && is_about(&row, Some(xor)));
        assert!(!is_about(&row, None) && !is_about(&row, Some(Word(2))));
    }

    #[test]
    fn what_stands_only_in_entries_with_a_word_goes_with_them() {
        let (minus, plus) = (In::Word(Word(0)), In::Word(Word(1)));
        let mut believed = Believed::nothing();
        for pieces in [vec![minus, In::Slot(0)], vec![In::Slot(0), In::Slot(1)], vec![plus, In::Slot(0)]] {
            let pattern = Pattern::of_slots(pieces.into());
            believed.add(Entry { pattern, program: Program::Linear(vec![0, -1]) }, 1.0);
        }
        let fillings = [((ROOT, Some(0)), 3.0), (((0, 0), Some(1)), 2.0), (((2, 0), None), 1.0)];
        believed.counts.fillings.extend(fillings);
        let old = about(&believed, Some(Word(0)));
        assert_eq!((&old[..], &with_served(&believed, &old)[..]), (&[0][..], &[0, 1][..]));
        believed.counts.fillings.insert(((2, 0), Some(1)), 1.0);
        assert_eq!(with_served(&believed, &old), old);
    }

    #[test]
    fn an_order_is_taken_in_equal_steps_where_sums_come_out_right_so() {
        let prices = Prices { words: 4, token_bits: 0.0, member_bits: 0.0, numerals: Vec::new() };
        let [plus, is, one, two] = [0, 1, 2, 3].map(Word);
        let example = Example {
            input: WithRuns::of_words(vec![one, plus, one, is, two]),
            value: Value::Truth(true),
            bits: 1.0,
        };
        let examples = [example];
        let learner = Learner::new(&examples, &prices, &Experience::none(), Stop::never());
        let mut believed = learner.begin(&[(one, Value::from(3)), (two, Value::from(7))]);
        let between = |word| Pattern::of_slots(Box::new([In::Slot(0), In::Word(word), In::Slot(1)]));
        believed.add(Entry { pattern: between(plus), program: Program::Linear(vec![0, 1, 1, 0]) }, 1.0);
        let equal = Test::Compare(Comparison { relation: Relation::Equal, left: 0, right: 1 });
        believed.add(Entry { pattern: between(is), program: Program::Test(equal) }, 1.0);
        assert!(learner.evened(&mut believed, &[&examples[0]]));
        let lexicon = &believed.lexicon;
        let numbers: Vec<i64> =
            lexicon.live().filter_map(|id| lexicon.entry(id).constant()?.small()).collect();
        assert_eq!(numbers, [1, 2]);
        assert!(!learner.evened(&mut believed, &[&examples[0]]));
    }
}
