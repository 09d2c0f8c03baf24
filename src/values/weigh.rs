//! The description length of a lexicon and of examples given it, and what their trees show.

use super::chart::{Bounds, Chart, chart};
use super::entry::{Entry, Lexicon};
use super::open::{Span, WithRuns};
use super::preference::{Counts, Kind, Preference, order};
use super::value::Value;
use crate::chart::Kid;
use crate::theory::EntryId;
use crate::theory::tree::{Place, ROOT};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// An input with its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The words.
    pub input: WithRuns,
    /// The result.
    pub value: Value,
    /// What the result costs said outright, in bits.
    pub bits: f64,
}

/// What an example costs given a lexicon.
#[derive(Clone, Copy, Debug)]
pub struct Weighed {
    /// In bits: by the share of the trees that are right among all trees, or its result said outright.
    pub bits: f64,
    /// The cheapest item of the whole input that is right, if there is one.
    pub item: Option<usize>,
    /// Whether the most probable value is right.
    pub is_right: bool,
}

/// Weighs an example.
pub fn weigh(chart: &Chart, preference: &Preference, example: &Example) -> Weighed {
    let roots = chart.roots(preference);
    let outright = example.bits + 1.0;
    let is_right = roots.first().is_some_and(|root| root.value == example.value);
    match roots.iter().find(|root| root.value == example.value) {
        Some(root) => {
            Weighed { bits: outright.min(-root.probability.log2()), item: Some(root.item), is_right }
        }
        None => Weighed { bits: outright, item: None, is_right: false },
    }
}

/// What examples cost together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    /// In bits, entries included.
    pub bits: f64,
    /// How many have the right value as the most probable one.
    pub right: usize,
}

impl Total {
    fn add(&mut self, weighed: &[Weighed]) {
        self.bits += weighed.iter().map(|weighed| weighed.bits).sum::<f64>();
        self.right += weighed.iter().filter(|weighed| weighed.is_right).count();
    }
}

/// Examples that are asked before it is seen whether that is enough: what is wrong shows in few, and threads share them.
const AT_ONCE: usize = 16;

/// A lexicon with what trees have shown of it.
#[derive(Clone, Debug, Default)]
pub struct Believed {
    /// The entries.
    pub lexicon: Lexicon,
    /// What fills what.
    pub counts: Counts,
    /// What was counted before, in examples that are not there any more.
    pub before: Counts,
    /// What that makes probable.
    pub preference: Preference,
}

impl Believed {
    /// Nothing.
    pub fn nothing() -> Believed {
        let mut believed = Believed::default();
        believed.refresh();
        believed
    }

    fn refresh(&mut self) {
        self.preference = Preference::new(&self.counts, &self.lexicon);
    }

    /// Believes an entry.
    pub fn add(&mut self, entry: Entry, bits: f64) -> EntryId {
        let id = self.lexicon.push(entry, bits, true);
        self.refresh();
        id
    }

    /// Believes an entry that is there, or no longer.
    pub fn set_live(&mut self, id: EntryId, live: bool) {
        self.lexicon.set_live(id, live);
        self.refresh();
    }

    /// Forgets the entries from this number on.
    pub fn truncate(&mut self, length: usize) {
        self.lexicon.truncate(length);
        self.refresh();
    }

    /// Takes counts from before.
    pub fn set_counts(&mut self, counts: Counts) {
        self.counts = counts;
        self.refresh();
    }

    /// The chart of an example.
    pub fn chart(&self, input: &WithRuns) -> Chart {
        chart(input, &self.lexicon, &self.preference, &Bounds::for_learning())
    }

    /// The chart of an example, and what it costs.
    pub fn weigh(&self, example: &Example) -> (Chart, Weighed) {
        let chart = self.chart(&example.input);
        let weighed = weigh(&chart, &self.preference, example);
        (chart, weighed)
    }

    /// What an example costs, and the entries of all its trees: without any other it costs the same but for habits.
    pub fn weigh_with_entries(&self, example: &Example) -> (Weighed, BTreeSet<EntryId>) {
        let (chart, weighed) = self.weigh(example);
        (weighed, chart.entries_of_trees())
    }

    /// What each of these examples costs.
    pub fn weighed(&self, examples: &[&Example]) -> Vec<Weighed> {
        examples.par_iter().map(|example| self.weigh(example).1).collect()
    }

    /// The description length of the lexicon and these examples.
    pub fn total(&self, examples: &[&Example]) -> Total {
        let mut total = Total { bits: self.lexicon.total(), right: 0 };
        total.add(&self.weighed(examples));
        total
    }

    /// The same if it is less than so many bits; where it is not, no more examples are asked than it takes to see that.
    pub fn total_below(&self, bits: f64, examples: &[&Example]) -> Option<Total> {
        let mut total = Total { bits: self.lexicon.total(), right: 0 };
        for some in examples.chunks(AT_ONCE) {
            total.add(&self.weighed(some));
            if total.bits >= bits {
                return None;
            }
        }
        (total.bits < bits).then_some(total)
    }

    /// Whether it may become less with other habits: what the examples cost that have no right tree, they cost with any.
    pub fn may_be_below(&self, bits: f64, examples: &[&Example]) -> bool {
        let mut least = self.lexicon.total();
        examples.chunks(AT_ONCE).all(|some| {
            let lost = self.weighed(some).into_iter().filter(|weighed| weighed.item.is_none());
            least += lost.map(|weighed| weighed.bits).sum::<f64>();
            least < bits
        })
    }

    /// Counts what fills what in the best right trees of examples, and again with what that shows; how often each entry is used.
    pub fn recount(&mut self, examples: &[&Example]) -> Vec<usize> {
        let mut uses = Vec::new();
        self.refresh();
        for _ in 0..2 {
            let trees: Vec<Vec<Filling>> =
                examples.par_iter().map(|example| self.fillings(example)).collect();
            uses = vec![0; self.lexicon.len()];
            let mut texts: FxHashSet<(Place, Span<'_>)> = FxHashSet::default();
            let mut pairs: FxHashSet<(EntryId, &[Value])> = FxHashSet::default();
            let mut counts = self.before.clone();
            for (example, filling) in examples
                .iter()
                .zip(&trees)
                .flat_map(|(example, tree)| tree.iter().map(move |filling| (example, filling)))
            {
                uses[filling.entry as usize] += 1;
                let kind = filling.has_kids.then_some(filling.entry);
                *counts.fillings.entry((filling.place, kind)).or_default() += 1.0;
                if let Value::Number(number) = &filling.value {
                    let most = counts.digits.entry((filling.place, kind)).or_default();
                    *most = most.max(number.digits() as f64);
                }
                if texts.insert((filling.place, example.input.span(filling.from, filling.to))) {
                    *counts.different.entry(filling.place).or_default() += 1.0;
                }
                if let Some(order) = order(&filling.arguments)
                    && pairs.insert((filling.entry, &filling.arguments))
                {
                    counts.orders.entry(filling.entry).or_default()[order] += 1.0;
                }
            }
            let is_settled = counts == self.counts;
            self.set_counts(counts);
            if is_settled {
                break;
            }
        }
        uses
    }

    /// Counts what was never seen and makes results wrong, where all else in a tree was seen: it is to blame.
    pub fn refute(&mut self, examples: &[&Example]) {
        let found: Vec<BTreeSet<(Place, Kind)>> =
            examples.par_iter().map(|example| self.refuted_by(example)).collect();
        let mut counts = std::mem::take(&mut self.counts);
        for filling in found.into_iter().flatten() {
            *counts.refuted.entry(filling).or_default() += 1.0;
        }
        self.set_counts(counts);
    }

    fn refuted_by(&self, example: &Example) -> BTreeSet<(Place, Kind)> {
        let (chart, weighed) = self.weigh(example);
        // Where nothing is right, what is wrong does not show.
        let roots = weighed.item.map_or_else(Vec::new, |_| chart.roots(&self.preference));
        let wrong = roots.iter().filter(|root| root.value != example.value);
        wrong.filter_map(|root| self.only_new(&self.nodes(&chart, example, root.item))).collect()
    }

    /// The filling that was never seen, if that is all that is new in a tree.
    fn only_new(&self, tree: &[Filling]) -> Option<(Place, Kind)> {
        let mut new: BTreeSet<Option<(Place, Kind)>> = BTreeSet::new();
        for filling in tree {
            let at = (filling.place, filling.has_kids.then_some(filling.entry));
            if !self.counts.fillings.contains_key(&at) {
                new.insert(Some(at));
            }
            let orders = self.counts.orders.get(&filling.entry);
            if order(&filling.arguments).is_some_and(|order| orders.is_none_or(|seen| seen[order] == 0.0)) {
                new.insert(None);
            }
        }
        if new.len() == 1 { new.pop_first().flatten() } else { None }
    }

    /// What fills what in the best right tree of an example.
    fn fillings(&self, example: &Example) -> Vec<Filling> {
        let (chart, weighed) = self.weigh(example);
        weighed.item.map_or_else(Vec::new, |item| self.nodes(&chart, example, item))
    }

    /// What fills what in the tree of an item of the whole input.
    fn nodes(&self, chart: &Chart, example: &Example, item: usize) -> Vec<Filling> {
        let mut fillings = Vec::new();
        let kid = Kid { from: 0, to: example.input.len() as u16, item: item as u16 };
        self.collect(chart, kid, ROOT, &mut fillings);
        fillings
    }

    fn collect(&self, chart: &Chart, kid: Kid, place: Place, fillings: &mut Vec<Filling>) {
        let item = chart.item(kid);
        fillings.push(Filling {
            place,
            entry: item.entry,
            from: usize::from(kid.from),
            to: usize::from(kid.to),
            value: item.value.clone(),
            has_kids: !item.kids.is_empty(),
            arguments: chart.arguments(&item.kids),
        });
        let last = self.lexicon.entry(item.entry).pattern.slots().saturating_sub(1);
        for (slot, &kid) in item.kids.iter().enumerate() {
            self.collect(chart, kid, (item.entry, slot.min(last) as u8), fillings);
        }
    }
}

/// A node of a tree in its place.
struct Filling {
    place: Place,
    entry: EntryId,
    from: usize,
    to: usize,
    value: Value,
    has_kids: bool,
    arguments: Vec<Value>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::expression::{Expression, Operation};
    use crate::symbol::Word;
    use crate::theory::entry::In;
    use crate::values::entry::Pattern;
    use crate::values::program::Program;

    #[test]
    fn what_makes_a_result_wrong_alone_is_refuted() {
        let (plus, times) = (Word(10), Word(11));
        let mut believed = Believed::nothing();
        for word in 2..5 {
            let program = Program::Constant(Value::from(i64::from(word)));
            believed.add(Entry { pattern: Pattern::word(Word(word)), program }, 1.0);
        }
        let mut add = |word, operation| {
            let pattern = Pattern::of_slots(Box::new([In::Slot(0), In::Word(word), In::Slot(1)]));
            let program = Program::Number(Expression::operation(operation));
            believed.add(Entry { pattern, program }, 1.0)
        };
        let (sum, product) = (add(plus, Operation::Add), add(times, Operation::Multiply));
        let [two, three, four] = [2, 3, 4].map(Word);
        let example = |words: &[Word], value: i64| {
            let input = WithRuns::of_words(words.to_vec());
            Example { input, value: Value::from(value), bits: 10.0 }
        };
        let examples = [
            example(&[two, times, three], 6),
            example(&[three, plus, four], 7),
            example(&[two, times, three, plus, four], 10),
        ];
        let examples: Vec<&Example> = examples.iter().collect();
        believed.recount(&examples);
        let before = believed.preference.bits((product, 1), sum, &Value::from(3));
        believed.refute(&examples);
        let refuted: Vec<((Place, Kind), f64)> =
            believed.counts.refuted.iter().map(|(filling, count)| (*filling, *count)).collect();
        assert_eq!(refuted, [(((product, 1), Some(sum)), 1.0)]);
        assert!(believed.preference.bits((product, 1), sum, &Value::from(3)) > before + 0.9);
    }
}
