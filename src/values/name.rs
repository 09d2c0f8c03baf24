//! Giving words that are not known a meaning, from few examples and given all that is known.
//!
//! Evidence alone tells little: most examples may have a new word several times, and what is wanted of it is then not known anywhere. But a new
//! pattern may stand in trees as a known entry of its shape does. With that, trees are certain whatever it computes, and many thousand programs can be
//! asked for the results of whole examples.

use super::chart::Chart;
use super::entry::{Entry, Pattern};
use super::fit::{Effort, Fitted, Wanted};
use super::grow::Evidence;
use super::learn::Learner;
use super::program::Program;
use super::value::Value;
use super::weigh::{Believed, Example, Total};
use crate::chart::Kid;
use crate::number::expression::{Expression, Fuel};
use crate::settings::{CANDIDATES, FEW, LEAST};
use crate::symbol::Word;
use crate::theory::EntryId;
use crate::theory::entry::In;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// New words that are given a meaning at most.
const NAMED: usize = 8;
/// Of each, so many programs for each pattern are judged, by so many examples.
const PROGRAMS: usize = 24;
const JUDGED_BY: usize = 40;

impl Learner<'_> {
    /// Gives each word that is not known the meaning with which its examples, few as they may be, are described best. All else is known, so that many
    /// can be judged by all examples; that there is something to a word need not pay for itself.
    pub(super) fn name(&self, believed: &mut Believed) {
        let examples: Vec<&Example> = self.examples.iter().take(JUDGED_BY).collect();
        for _ in 0..NAMED {
            let is_right = believed.total(&examples).right;
            let best = self.best_new(believed, &examples);
            let Some((_, named)) = best.filter(|(total, _)| total.right > is_right && !(self.stop)()) else {
                return;
            };
            *believed = named;
        }
    }

    /// What is believed with one more entry for a word that is not known.
    fn best_new(&self, believed: &Believed, examples: &[&Example]) -> Option<(Total, Believed)> {
        let known: BTreeSet<Word> = believed.lexicon.words();
        let open: Vec<(usize, &Example)> = examples
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, example)| believed.weigh(example).1.item.is_none())
            .collect();
        let mut evidence = Evidence::new();
        for (pattern, wanted) in
            open.iter().flat_map(|(number, example)| self.wanted(believed, *number, example))
        {
            if pattern.words().any(|word| !known.contains(&word)) {
                evidence.entry(pattern).or_default().push(wanted);
            }
        }
        let worth = |pattern: &Pattern| {
            let within = open.iter().filter(|(_, example)| pattern.is_within(&example.input.words));
            within.map(|(_, example)| example.bits).sum::<f64>() - self.prices.pattern(pattern)
        };
        let mut patterns: Vec<(Pattern, Vec<Wanted>)> = evidence.into_iter().collect();
        patterns.sort_by(|a, b| worth(&b.0).total_cmp(&worth(&a.0)).then_with(|| a.0.cmp(&b.0)));
        patterns.truncate(FEW);
        let open: Vec<&Example> = open.into_iter().map(|(_, example)| example).collect();
        let judged: Vec<(Total, Believed)> = patterns
            .into_par_iter()
            .flat_map(|(pattern, wanted)| {
                let effort = Effort { most: PROGRAMS, is_deep: false };
                let mut programs = self.fit(&pattern, &wanted, effort);
                programs.extend(self.like_kin(believed, &pattern, &open));
                programs.into_par_iter().map(move |Fitted { program, bits, .. }| {
                    let mut named = believed.clone();
                    let bits = self.prices.entry(&pattern, &program, bits);
                    named.add(Entry { pattern: pattern.clone(), program }, bits);
                    let named = of_kin(named, examples);
                    (named.total(examples), named)
                })
            })
            .collect();
        judged.into_iter().reduce(|a, b| if b.0.bits < a.0.bits { b } else { a })
    }

    /// Programs with which most examples come out right, if the pattern stands where a known entry of its shape does.
    fn like_kin(&self, believed: &Believed, pattern: &Pattern, examples: &[&Example]) -> Vec<Fitted> {
        let mut asked: Vec<Vec<Option<Tree>>> = Vec::new();
        for kin in kin(believed, pattern) {
            let trees = trees(believed, pattern, kin, examples);
            if !asked.contains(&trees) {
                asked.push(trees);
            }
        }
        let mut found: Vec<Fitted> =
            asked.iter().flat_map(|trees| self.asked(pattern, trees, examples)).collect();
        found.sort_by(|a, b| (b.saved - b.bits).total_cmp(&(a.saved - a.bits)));
        found.truncate(PROGRAMS);
        found
    }

    /// All small programs, and operations on two of them, that give most results right.
    fn asked(&self, pattern: &Pattern, trees: &[Option<Tree>], examples: &[&Example]) -> Vec<Fitted> {
        let terms = match pattern.slots() {
            1 => &self.pool.unary,
            2 => &self.pool.binary,
            _ => return Vec::new(),
        };
        let saved = |program: &Program| saved(program, trees, examples);
        let fitted = |program: Program, bits: f64| {
            let saved = saved(&program)?;
            (saved > bits).then_some(Fitted { program, bits, saved })
        };
        let simple = terms.par_iter().map(|term| (Arc::clone(&term.program), term.bits));
        let parts = &terms[..terms.len().min(CANDIDATES)];
        let compound = self.pool.operations.par_iter().flat_map(move |&(operation, price)| {
            parts.par_iter().flat_map_iter(move |x| {
                parts.iter().map(move |y| {
                    let (x_program, y_program) = (Arc::clone(&x.program), Arc::clone(&y.program));
                    (Expression::call(operation, x_program, y_program), x.bits + y.bits + price)
                })
            })
        });
        simple.chain(compound).filter_map(|(program, bits)| fitted(Program::Number(program), bits)).collect()
    }
}

/// What examples cost outright whose trees come to their results; `None` if that is not most of the first.
fn saved(program: &Program, trees: &[Option<Tree>], examples: &[&Example]) -> Option<f64> {
    let (mut saved, mut wrong) = (0.0, 0);
    for (number, (tree, example)) in trees.iter().zip(examples).enumerate() {
        let value = tree.as_ref().and_then(|tree| tree.value(program));
        if value.as_ref() == Some(&example.value) {
            saved += example.bits;
        } else {
            wrong += 1;
            if number < LEAST && 2 * wrong > LEAST {
                return None;
            }
        }
    }
    Some(saved)
}

/// A tree with a program in it that is not known.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Value(Value),
    Known(Program, Vec<Tree>),
    New(Vec<Tree>),
}

impl Tree {
    /// The tree of an item, if `new` is the entry that is not known.
    fn of(believed: &Believed, chart: &Chart, kid: Kid, new: EntryId) -> Tree {
        let item = chart.item(kid);
        let kids: Vec<Tree> = item.kids.iter().map(|&kid| Tree::of(believed, chart, kid, new)).collect();
        match &believed.lexicon.entry(item.entry).program {
            _ if item.entry == new => Tree::New(kids),
            _ if kids.iter().all(|kid| matches!(kid, Tree::Value(_))) => Tree::Value(item.value.clone()),
            program => Tree::Known(program.clone(), kids),
        }
    }

    /// What it comes to with a program in its place.
    fn value(&self, new: &Program) -> Option<Value> {
        let (program, kids) = match self {
            Tree::Value(value) => return Some(value.clone()),
            Tree::Known(program, kids) => (program, kids),
            Tree::New(kids) => (new, kids),
        };
        let arguments: Vec<Value> = kids.iter().map(|kid| kid.value(new)).collect::<Option<_>>()?;
        program.apply(&arguments, &mut Fuel::for_learning())
    }
}

/// The most probable tree of each example, whatever it comes to, if a new pattern is what a known entry is.
fn trees(believed: &Believed, pattern: &Pattern, kin: EntryId, examples: &[&Example]) -> Vec<Option<Tree>> {
    let mut like = believed.clone();
    let program = like.lexicon.entry(kin).program.clone();
    let new = like.add(Entry { pattern: pattern.clone(), program }, 0.0);
    like.set_counts(believed.counts.with_kin(new, kin));
    let tree = |example: &&Example| {
        let chart = like.chart(&example.input);
        let item = chart.roots(&like.preference).first()?.item;
        let kid = Kid { from: 0, to: example.input.len() as u16, item: item as u16 };
        Some(Tree::of(&like, &chart, kid, new))
    };
    examples.iter().map(tree).collect()
}

/// Known entries of the shape of a pattern with slots.
fn kin(believed: &Believed, pattern: &Pattern) -> Vec<EntryId> {
    let shape = |pattern: &Pattern| {
        let is_slot = pattern.pieces.iter().map(|piece| matches!(piece, In::Slot(_)));
        (is_slot.collect::<Vec<bool>>(), pattern.row)
    };
    let is_kin = |other: &Pattern| pattern.slots() > 0 && other != pattern && shape(other) == shape(pattern);
    believed.lexicon.live_where(|other| is_kin(&other.pattern))
}

/// The same with the habits of a known entry of the same shape for the last one, or with those that examples show: with which they are described best.
fn of_kin(mut believed: Believed, examples: &[&Example]) -> Believed {
    let new = believed.lexicon.len() as EntryId - 1;
    let kin = kin(&believed, &believed.lexicon.entry(new).pattern);
    let bits = |believed: &Believed| believed.total(examples).bits;
    let before = believed.clone();
    believed.recount(examples);
    let mut best = believed;
    for kin in kin {
        let mut other = before.clone();
        other.before = before.before.with_kin(new, kin);
        other.set_counts(other.before.clone());
        other.recount(examples);
        if bits(&other) < bits(&best) {
            best = other;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::expression::Operation;
    use crate::values::open::WithRuns;

    #[test]
    fn a_program_is_judged_by_what_whole_trees_come_to() {
        let number = |number: i64| Tree::Value(Value::from(number));
        // 1 c ( 7 c 5 ): nothing of what c computes is wanted anywhere.
        let tree = Tree::New(vec![number(1), Tree::New(vec![number(7), number(5)])]);
        let input = WithRuns::of_words(vec![Word(0)]);
        let example = Example { input, value: Value::from(13), bits: 5.0 };
        let of = |operation| Program::Number(Expression::operation(operation));
        let trees = [Some(tree), None];
        assert_eq!(saved(&of(Operation::Add), &trees, &[&example, &example]), Some(5.0));
        assert_eq!(saved(&of(Operation::Multiply), &trees, &[&example, &example]), Some(0.0));
        let many = [&trees[..], &trees[..]].concat();
        assert_eq!(saved(&of(Operation::Multiply), &many, &[&example; 4]), None);
    }
}
