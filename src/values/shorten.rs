//! Making what is believed shorter: entries that do not pay go, and simpler ones are tried in the place of conditions and rows.

use super::entry::{Entry, Pattern};
use super::evidence::row;
use super::fit::{Fitted, Random, Wanted};
use super::learn::Learner;
use super::program::Program;
use super::value::Value;
use super::want::Want;
use super::weigh::{Believed, Example};
use crate::number::expression::Fuel;
use crate::theory::EntryId;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an example costs, with which entries, when so many others were gone.
struct Asked {
    bits: f64,
    entries: BTreeSet<EntryId>,
    gone: usize,
}

impl Learner<'_> {
    /// Lets go of entries, from a number on, that do not pay.
    pub(super) fn prune(&self, believed: &mut Believed, examples: &[&Example], first: EntryId) {
        let ids: Vec<EntryId> = believed.lexicon.live().rev().filter(|&id| id >= first).collect();
        let ask = |believed: &Believed, example: &Example, gone| {
            let (weighed, entries) = believed.weigh_with_entries(example);
            Asked { bits: weighed.bits, entries, gone }
        };
        let mut asked: Vec<Asked> = examples.par_iter().map(|example| ask(believed, example, 0)).collect();
        let mut gone = 0;
        for id in ids {
            if (self.stop)() {
                return;
            }
            let mut touched: Vec<(&&Example, &mut Asked)> =
                examples.iter().zip(&mut asked).filter(|(_, asked)| asked.entries.contains(&id)).collect();
            // What went since has changed habits.
            let outdated = touched.par_iter_mut().filter(|(_, asked)| asked.gone < gone);
            outdated.for_each(|(example, asked)| **asked = ask(believed, example, gone));
            let bits = touched.iter().map(|(_, asked)| asked.bits).sum::<f64>();
            let before = believed.lexicon.total() + bits;
            let examples: Vec<&Example> = touched.iter().map(|(example, _)| **example).collect();
            believed.set_live(id, false);
            if believed.total_below(before, &examples).is_none() {
                believed.set_live(id, true);
                continue;
            }
            gone += 1;
            touched.par_iter_mut().for_each(|(example, asked)| **asked = ask(believed, example, gone));
        }
    }

    /// Tries each side of a condition in its place, and both as entries of their own: then what fills them and how numbers compare tells them apart.
    /// Whether anything was shorter so.
    pub(super) fn divide(&self, believed: &mut Believed, examples: &[&Example]) -> bool {
        let mut changed = false;
        let ids: Vec<EntryId> = believed.lexicon.live().collect();
        for id in ids {
            let Entry { pattern, program } = believed.lexicon.entry(id).clone();
            let Program::Condition(_, first, second) = program else { continue };
            if (self.stop)() {
                break;
            }
            let before = believed.clone();
            let mut best = before.total(examples).bits;
            for sides in [vec![&first], vec![&second], vec![&first, &second]] {
                let mut divided = before.clone();
                divided.set_live(id, false);
                for side in sides {
                    let program = Program::Number(Arc::clone(side));
                    let price = self.pool.price_of(side).map(|bits| bits + self.prices.pattern(&pattern));
                    let bits = price.unwrap_or(before.lexicon.bits(id));
                    divided.add(Entry { pattern: pattern.clone(), program }, bits);
                }
                divided.counts.orders.clear();
                divided.recount(examples);
                if let Some(total) = divided.total_below(best, examples) {
                    (best, changed) = (total.bits, true);
                    *believed = divided;
                }
            }
        }
        changed
    }

    /// Tries a slot in the place of each row, with a program for what the row's comes to with one filler.
    pub(super) fn narrow(&self, believed: &mut Believed) {
        let rows = believed.lexicon.live_where(|Entry { pattern, .. }| {
            pattern.row && pattern.slots() == 1 && pattern.words().next().is_some()
        });
        for id in rows {
            if (self.stop)() {
                return;
            }
            let Entry { pattern, program } = believed.lexicon.entry(id);
            let pattern = Pattern::of_slots(pattern.pieces.clone());
            let wanted: Vec<Wanted> = (0..20)
                .filter_map(|number| {
                    let arguments = vec![Value::from(number as i64)];
                    let value = program.apply(&arguments, &mut Fuel::for_learning())?;
                    Some(Wanted { arguments, want: Want::Value(value), example: number, bits: 10.0 })
                })
                .collect();
            self.put_instead(believed, &[id], pattern, &wanted);
        }
    }

    /// Believes an entry that computes what is wanted instead of others, if that is shorter.
    fn put_instead(&self, believed: &mut Believed, gone: &[EntryId], pattern: Pattern, wanted: &[Wanted]) {
        let Some(Fitted { program, bits, .. }) = self.best_fit(&pattern, wanted) else { return };
        let examples: Vec<&Example> = self.examples.iter().collect();
        let mut other = believed.clone();
        gone.iter().for_each(|&id| other.set_live(id, false));
        if !other.lexicon.has(&pattern) {
            let bits = bits + self.prices.pattern(&pattern);
            other.add(Entry { pattern, program }, bits);
        }
        other.recount(&examples);
        if other.total_below(believed.total(&examples).bits, &examples).is_some() {
            *believed = other;
        }
    }

    /// Tries a row in the place of three slots or more with the same word between them, and of all that is the same with fewer or more.
    pub(super) fn widen(&self, believed: &mut Believed) {
        let as_row = |Entry { pattern, .. }: &Entry| {
            if pattern.row { None } else { row(&pattern.pieces, pattern.slots(), 0) }
        };
        let ids: Vec<EntryId> = believed.lexicon.live().collect();
        for id in ids {
            let slots = believed.lexicon.entry(id).pattern.slots();
            if (self.stop)() || slots < 3 || !believed.lexicon.is_live(id) {
                continue;
            }
            let entry = believed.lexicon.entry(id);
            let Some(pattern) = as_row(entry).filter(|row| !believed.lexicon.has(row)) else { continue };
            let wanted = computed(&entry.program, slots);
            let gone = believed.lexicon.live_where(|entry| as_row(entry).as_ref() == Some(&pattern));
            self.put_instead(believed, &gone, pattern, &wanted);
        }
    }

    /// Tries to do without each entry with slots, with trees found anew: others may be able to do what it does, but not be in the habit.
    pub(super) fn polish(&self, believed: &mut Believed) {
        let examples: Vec<&Example> = self.examples.iter().collect();
        let mut best = believed.total(&examples).bits;
        let mut ids = believed.lexicon.live_where(|entry| entry.pattern.slots() > 0);
        ids.sort_by(|&a, &b| believed.lexicon.bits(b).total_cmp(&believed.lexicon.bits(a)));
        for id in ids {
            if (self.stop)() {
                return;
            }
            let mut without = believed.clone();
            without.set_live(id, false);
            if !without.may_be_below(best, &examples) {
                continue;
            }
            let total = without.total_below(best, &examples).or_else(|| {
                without.counts.orders.clear();
                without.recount(&examples);
                without.total_below(best, &examples)
            });
            if let Some(total) = total {
                best = total.bits;
                self.step("polish", total.bits, total.right);
                *believed = without;
            }
        }
    }
}

/// So many rows of arguments show what a program computes.
const SHOWN: usize = 60;

/// What a program computes of small numbers, or else of truth values.
fn computed(program: &Program, slots: usize) -> Vec<Wanted> {
    let mut random = Random(88_172_645_463_325_252);
    let mut shown = |value: fn(usize) -> Value| -> Vec<Wanted> {
        let one = |example| {
            let arguments: Vec<Value> = (0..slots).map(|_| value(random.below(10))).collect();
            let want = Want::Value(program.apply(&arguments, &mut Fuel::for_learning())?);
            Some(Wanted { arguments, want, example, bits: 10.0 })
        };
        (0..SHOWN).filter_map(one).collect()
    };
    let numbers = shown(|number| Value::from(number as i64));
    if numbers.is_empty() { shown(|number| Value::Truth(number % 2 == 0)) } else { numbers }
}
