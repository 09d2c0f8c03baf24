//! From pairs to constructions that say templates.
//!
//! [`crate::learn`] finds constructions with templates, which is all that many tasks need, in about a second. Where a task needs more
//! (outputs that depend on the content of an argument, letters turned round), a theory answers the examples it has seen and few others.
//! So a first look at a hundred examples asks whether they have enough in common, and then some examples are held out: if the
//! theory of the others answers all of them, it is the model; if nearly all, one of all examples is. Where it answers less than half, or a first
//! look did not promise even that, no small theory says it all; then all frames that are reliable are tried (see
//! [`crate::propose::frames`]), and the better of the two is taken.

use super::tokens::Found;
use super::{Event, Observer, examples, model, several, watched};
use crate::data::Dataset;
use crate::learn::begin::{Beginning, Linked, begin};
use crate::learn::evidence::Example;
use crate::learn::score::committee;
use crate::learn::several::with_all_outputs;
use crate::learn::state::Sampled;
use crate::learn::wording::{weighed, worded};
use crate::learn::{self, Learned, Starts};
use crate::model::{Known, Model};
use crate::objective::Prices;
use crate::parts::{self, Part};
use crate::places::{Places, find::find};
use crate::readable::Constructions;
use crate::settings::{
    ASKED, COUNTED, HALF, HELD_OUT, JUDGED_BY, JUDGES, LONGEST, LOOKED_AT, MOSTLY, NEARLY_ALL, SHARED, WHOLE,
};
use crate::spread::spread;
use crate::stop::Stop;
use crate::symbol::{Token, Vocabulary, Word};
use crate::theory::Theory;
use crate::theory::confidence::{Confidence, Judged};
use crate::theory::counts::Counts;
use crate::theory::entry::Entry;
use crate::theory::knowledge::{Answer, Knowledge};
use crate::theory::tree::ROOT;
use crate::theory::wording::TREES;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs to be learned: distinct examples, and how their outputs are nested if they refer to places.
pub(super) struct Task<'a> {
    data: &'a Dataset,
    examples: Vec<Example>,
    places: Option<Places>,
    /// The output tokens, with those that nested outputs have.
    outputs: Vocabulary,
}

impl<'a> Task<'a> {
    /// The task of these pairs; `None` if they are too few to tell.
    pub(super) fn of(
        data: &'a Dataset,
        examples: &[Example],
        observer: &mut dyn Observer,
    ) -> Option<Task<'a>> {
        let plain = Task::plain(data, examples);
        let found = match parts::has(Part::Places) {
            true => watched(observer, |stop| find(&plain.examples, &data.outputs, stop)),
            false => None,
        };
        let Some((places, outputs)) = found else { return plain.is_enough().then_some(plain) };
        let nested = Task { places: Some(places), outputs, ..Task::plain(data, examples) };
        // Numbers may look like places by chance; then nested outputs have less in common than those that they were.
        let [bits, nested_bits] = [&plain, &nested].map(|task| task.look(observer).bits);
        let shorter = if nested_bits < bits { nested } else { plain };
        shorter.is_enough().then_some(shorter)
    }

    /// A first look at some of its examples.
    pub(super) fn look(&self, observer: &mut dyn Observer) -> Look {
        look(self, LOOKED_AT, observer)
    }

    fn plain(data: &'a Dataset, examples: &[Example]) -> Task<'a> {
        Task { data, examples: examples.to_vec(), places: None, outputs: data.outputs.clone() }
    }

    /// The task of some of its examples, by what they alone show of places.
    fn of_some(&self, examples: &[Example], stop: Stop<'_>) -> Task<'a> {
        let plain = Task::plain(self.data, examples);
        match self.places.as_ref().and_then(|_| find(examples, &self.data.outputs, stop)) {
            Some((places, outputs)) => Task { places: Some(places), outputs, ..plain },
            None => plain,
        }
    }

    /// Whether some of the examples can be held out.
    fn is_enough(&self) -> bool {
        self.examples.len() >= HELD_OUT
    }

    fn sizes(&self) -> (usize, usize) {
        (self.data.inputs.len(), self.outputs.len())
    }

    /// Examples as they are learned.
    fn nested(&self, examples: &[Example]) -> Vec<Example> {
        nested(examples, self.places.as_ref())
    }
}

/// Examples with their outputs nested, where they can be.
fn nested(examples: &[Example], places: Option<&Places>) -> Vec<Example> {
    let Some(places) = places else { return examples.to_vec() };
    let nest = |Example { input, output }: &Example| {
        let output = places.nested(input, output).map_or_else(|| output.clone(), Vec::into_boxed_slice);
        Example { input: input.clone(), output }
    };
    examples.par_iter().map(nest).collect()
}

/// A model of constructions of the pairs; `None` if they do not carry far enough, or learning was to stop before that was known.
pub(super) fn learn(task: &Task<'_>, look: &Look, seed: u64, observer: &mut dyn Observer) -> Option<Found> {
    if observer.stop() {
        return None;
    }
    let promises = look.is_promising(task) || is_promising_when_looked_at_again(task, observer);
    let mut best = promises.then(|| (tried(task, Way::Small, observer), Way::Small));
    if let Some((small, way)) = &mut best
        && small.is_wide
    {
        *way = Way::Wide;
    }
    let may_sum = task.places.is_none() && parts::has(Part::Summed) && !observer.stop();
    if best.as_ref().is_none_or(|(small, _)| small.share() < HALF) && may_sum {
        let summed = tried(task, Way::Summed, observer);
        if best.as_ref().is_none_or(|(small, _)| small.share() < summed.share()) {
            best = Some((summed, Way::Summed));
        }
    }
    let (trial, way) = best?;
    learn_all(task, trial, way, seed, observer)
}

/// How constructions are learned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A small theory that says all.
    Small,
    /// The same, begun in all ways.
    Wide,
    /// The same, begun in those ways that the first has not.
    Further,
    /// All reliable frames, whose trees are summed.
    Summed,
}

fn tried(task: &Task<'_>, way: Way, observer: &mut dyn Observer) -> Trial {
    observer.on(&Event::Tries(match way {
        Way::Small => "constructions that say tokens",
        Way::Wide | Way::Further => "constructions that say tokens, begun in more ways",
        Way::Summed => "all reliable frames, summed",
    }));
    let trial = watched(observer, |stop| trial(task, way, stop));
    if observer.stop() {
        return trial;
    }
    observer.on(&Event::Theory {
        entries: trial.learned.knowledge.theory.believed().count(),
        bits: trial.learned.edits.last().map(|edit| edit.total),
        held_out_right: trial.asked().right,
        held_out: trial.held_out.len(),
    });
    trial
}

/// Learns from all examples what was tried with some.
fn learn_all(
    task: &Task<'_>,
    trial: Trial,
    way: Way,
    seed: u64,
    observer: &mut dyn Observer,
) -> Option<Found> {
    let (is_scored, is_sure) = (trial.is_scored(), trial.is_sure());
    let Asked { right, judged } = trial.asked().clone();
    let confidence = Confidence::learn(&judged);
    let Trial { learned: trial, outputs, held_out, .. } = trial;
    if !observer.stop() && is_chance(right, held_out.len(), &task.examples) {
        return None;
    }
    let is_same_task = outputs == task.outputs && trial.knowledge.places() == task.places.as_ref();
    let known = is_same_task.then_some(&trial.thought);
    let learned = (!observer.stop()).then(|| {
        watched(observer, |stop| match way {
            Way::Small | Way::Wide | Way::Further if is_sure && is_same_task => {
                task.counted(trial.clone(), stop)
            }
            _ => task.constructions(&task.examples, way, known, stop),
        })
    });
    // What was learned of some examples to the end is better than what was begun with all.
    let Some(Learned { knowledge, thought, edits, others }) = learned.filter(|_| !observer.stop()) else {
        let model = trial.knowledge.is_storable().then(|| says(task.data, seed, trial.knowledge, false))?;
        return Some(Found { model: Model { outputs, confidence, ..model }, asked: held_out.len(), right });
    };
    let knowledge = match is_scored {
        true if way == Way::Summed => {
            let weights = trial.knowledge.wording.as_ref().map_or(TREES, |wording| wording.weights);
            watched(observer, |stop| worded(knowledge, &task.examples, weights, stop))
        }
        true => watched(observer, |stop| committee(knowledge, &others, &task.nested(&task.examples), stop)),
        false => watched(observer, |stop| task.with_all_outputs(knowledge, stop)),
    };
    if !knowledge.is_storable() {
        return None;
    }
    let text = Constructions::new(&task.data.inputs, &task.outputs, &thought);
    for edit in edits {
        let entry = text.definition(thought.entry(edit.entry));
        observer.on(&Event::Edit { by: edit.by, bits: edit.bits, total: edit.total, entry: &entry });
    }
    let finished = !observer.stop();
    let model = Model { confidence, ..task.model(seed, knowledge, finished) };
    Some(Found { model, asked: held_out.len(), right })
}

/// Whether so many right answers of those asked for are no more than guessing the most frequent output gives, now and then (two standard deviations).
fn is_chance(right: usize, asked: usize, examples: &[Example]) -> bool {
    let mut outputs: BTreeMap<&[Token], usize> = BTreeMap::new();
    for example in examples {
        *outputs.entry(&example.output).or_default() += 1;
    }
    let most = outputs.values().max().copied().unwrap_or(0);
    let share = most as f64 / examples.len().max(1) as f64;
    let expected = share * asked as f64;
    right as f64 <= expected + 2.0 * (expected * (1.0 - share)).sqrt()
}

/// A model of constructions of all examples, however far they carry.
pub(super) fn learn_whatever(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    let examples = examples(&data.examples);
    let sizes = (data.inputs.len(), data.outputs.len());
    let learned = examples.iter().any(has_chart).then(|| {
        watched(observer, |stop| constructions(examples.clone(), sizes, Way::Wide, None, stop)).knowledge
    });
    let mut knowledge = learned.filter(Knowledge::is_storable).unwrap_or_else(|| nothing(sizes));
    // Of so few that none is held out, none may be a mistake.
    if examples.len() < HELD_OUT {
        knowledge = with_wholes(&knowledge, &examples);
    }
    let task = Task::plain(data, &examples);
    knowledge = watched(observer, |stop| task.with_all_outputs(knowledge, stop));
    says(data, seed, knowledge, !observer.stop())
}

/// A model that keeps examples as they are: nothing that was learned of some carries over to others.
pub(super) fn keep(data: &Dataset, seed: u64, observer: &dyn Observer) -> Model {
    let mut examples = match observer.stop() {
        // To look for the smallest takes seconds where there are hundreds of thousands.
        true => examples(&data.examples[..ASKED.min(data.len())]),
        false => examples(&data.examples),
    };
    examples.truncate(ASKED);
    let knowledge = with_wholes(&nothing((data.inputs.len(), data.outputs.len())), &examples);
    says(data, seed, knowledge, !observer.stop())
}

fn nothing((words, tokens): (usize, usize)) -> Knowledge {
    let theory = Theory::new(Prices::new(words, tokens));
    Knowledge::new(&theory, &Counts::default(), words, tokens)
}

/// The same with each example that is not answered right kept as a whole.
fn with_wholes(knowledge: &Knowledge, examples: &[Example]) -> Knowledge {
    let (words, tokens) = (knowledge.words(), knowledge.tokens());
    let (mut theory, mut counts) = (knowledge.widened(words, tokens), knowledge.counts.clone());
    let wrong = examples.iter().filter(|example| has_chart(example) && !is_right(knowledge, example));
    for example in wrong {
        let id = theory.add(&example.whole());
        counts.add(ROOT, id, 1.0);
    }
    Knowledge::new(&theory, &counts, words, tokens)
}

/// Teaches a model of constructions the words of `data`, which is in its symbols, that it does not know; what it knows stays as it is.
pub(super) fn extend(known: &Knowledge, data: &Dataset, observer: &mut dyn Observer) -> Option<Knowledge> {
    let mut examples = nested(&examples(&data.examples), known.places());
    examples.retain(has_chart);
    let (words, tokens) = (data.inputs.len(), data.outputs.len());
    let knowledge = watched(observer, |stop| learn::extend::extend(known, examples, words, tokens, stop));
    let knowledge = knowledge.with_places(known.places().cloned());
    knowledge.is_storable().then_some(knowledge)
}

/// Theories of some of the examples, asked for the others.
struct Trial {
    /// The first of them, and the output tokens as it has them.
    learned: Learned,
    outputs: Vocabulary,
    /// Numbers of the examples held out, and what they were answered.
    held_out: Vec<usize>,
    plain: Asked,
    /// What they were with scorers; the same where these were not tried.
    scored: Asked,
    /// Whether learning was begun in all ways.
    is_wide: bool,
}

/// What examples held out were answered.
#[derive(Clone, Default)]
struct Asked {
    /// How many were answered right.
    right: usize,
    /// How sure answers were to some of them; none where all are right.
    judged: Vec<Judged>,
}

impl Asked {
    fn add(&mut self, more: Asked) {
        self.right += more.right;
        self.judged.extend(more.judged);
    }
}

impl Trial {
    /// Whether scorers help.
    fn is_scored(&self) -> bool {
        self.scored.right > self.plain.right
    }

    /// What the better ones of both came to.
    fn asked(&self) -> &Asked {
        if self.is_scored() { &self.scored } else { &self.plain }
    }

    /// Whether one theory answered all there is to ask: what was held out says nothing new.
    fn is_sure(&self) -> bool {
        self.held_out.len() >= JUDGES
            && self.plain.right == self.held_out.len()
            && self.held_out.windows(2).all(|pair| pair[0] < pair[1])
    }

    /// The share of the examples held out that was answered right.
    fn share(&self) -> f64 {
        self.asked().right as f64 / self.held_out.len().max(1) as f64
    }
}

/// Holds out every tenth example, and so on with others until there are enough of them, or no time is left.
fn trial(task: &Task<'_>, way: Way, stop: Stop<'_>) -> Trial {
    let mut all = without_every_tenth(task, (way, 0), stop);
    for first in 1..HELD_OUT {
        if all.held_out.len() >= JUDGES || stop() {
            break;
        }
        let more = without_every_tenth(task, (way, first), stop);
        all.held_out.extend(more.held_out);
        all.plain.add(more.plain);
        all.scored.add(more.scored);
        all.is_wide |= more.is_wide;
    }
    all
}

/// Holds out every tenth example from this one on.
fn without_every_tenth(task: &Task<'_>, (way, first): (Way, usize), stop: Stop<'_>) -> Trial {
    let examples = &task.examples;
    let (held_out, rest): (Vec<usize>, Vec<usize>) =
        (0..examples.len()).partition(|number| number % HELD_OUT == first);
    let rest: Vec<Example> = rest.into_iter().map(|number| examples[number].clone()).collect();
    let task = &task.of_some(&rest, stop);
    let mut learned = task.constructions(&rest, way, None, stop);
    let outputs = task.outputs.clone();
    let ask = |knowledge: &Knowledge| asked(knowledge, examples, &held_out, stop);
    let is_enough = |asked: &Asked| asked.right as f64 >= NEARLY_ALL * held_out.len() as f64;
    let mut plain = ask(&learned.knowledge);
    let is_wide = way == Way::Small && !is_enough(&plain) && !stop();
    if is_wide {
        let further = task.constructions(&rest, Way::Further, Some(&learned.thought), stop);
        let others = learned.others.into_iter().chain(further.others).collect();
        learned = Learned { others, ..further };
        plain = ask(&learned.knowledge);
    }
    let mut scored = plain.clone();
    if parts::has(Part::Committee) && !is_enough(&plain) && !stop() {
        (learned.knowledge, scored) = match way {
            Way::Summed => {
                let knowledge = worded(learned.knowledge, &rest, TREES, stop);
                weighed_and_asked(knowledge, examples, &held_out, stop)
            }
            _ => {
                let knowledge = committee(learned.knowledge, &learned.others, &task.nested(&rest), stop);
                let scored = asked(&knowledge, examples, &held_out, stop);
                (knowledge, scored)
            }
        };
    }
    Trial { learned, outputs, held_out, plain, scored, is_wide }
}

/// Weighs what speaks for sums by the examples held out, and asks for each half of these by the other: what was learned from tells nothing of how
/// sure answers are.
fn weighed_and_asked(
    knowledge: Knowledge,
    examples: &[Example],
    held_out: &[usize],
    stop: Stop<'_>,
) -> (Knowledge, Asked) {
    let those = |numbers: &[usize]| -> Vec<Example> {
        numbers.iter().map(|&number| examples[number].clone()).collect()
    };
    let half = |half: usize| -> Vec<usize> { held_out.iter().copied().skip(half).step_by(2).collect() };
    let mut both = Asked::default();
    for (one, other) in [(half(0), half(1)), (half(1), half(0))] {
        both.add(asked(&weighed(knowledge.clone(), &those(&one), stop), examples, &other, stop));
    }
    (weighed(knowledge, &those(held_out), stop), both)
}

/// Asks for examples held out.
fn asked(knowledge: &Knowledge, examples: &[Example], held_out: &[usize], stop: Stop<'_>) -> Asked {
    let right =
        held_out.par_iter().filter(|&&number| !stop() && is_right(knowledge, &examples[number])).count();
    if right == held_out.len() {
        return Asked { right, judged: Vec::new() };
    }
    let some: Vec<usize> = spread(held_out, ASKED).copied().collect();
    let judge = |&number: &usize| if stop() { None } else { judged(knowledge, &examples[number]) };
    Asked { right, judged: some.par_iter().filter_map(judge).collect() }
}

/// How sure the most probable of all results is, and whether it is right.
fn judged(knowledge: &Knowledge, example: &Example) -> Option<Judged> {
    let results = knowledge.alternatives(&words(example));
    let Answer { tokens, probability, .. } = results.first()?;
    Some(Judged { share: *probability, is_right: **tokens == *example.output })
}

/// Whether more examples have enough in common for a small theory of all, where some have not: with many words, few share any.
fn is_promising_when_looked_at_again(task: &Task<'_>, observer: &mut dyn Observer) -> bool {
    task.examples.len() > LOOKED_AT && look(task, JUDGED_BY, observer).is_promising(task)
}

/// A first look at some examples.
pub(super) struct Look {
    /// What a first theory of them takes,
    bits: f64,
    /// and what they would if each was kept as a whole.
    whole: f64,
    /// How many of them it keeps so.
    wholes: usize,
    /// How many they are.
    examples: usize,
}

impl Look {
    /// The share of the bits of the examples, each kept as a whole, that a first theory of them takes.
    pub(super) fn share(&self) -> f64 {
        self.bits / self.whole.max(1.0)
    }

    /// Whether it is much shorter than they are, and keeps few of them whole.
    fn is_promising(&self, task: &Task<'_>) -> bool {
        let is_all = self.examples == task.examples.len();
        self.share() <= SHARED && (is_all || self.wholes as f64 <= WHOLE * self.examples as f64)
    }
}

/// Whether a first theory of some examples is shorter than one of the same inputs with the results of others: else results have nothing to do with
/// what words say, and a search would go on for long to find nothing. A few examples do not tell.
pub(super) fn shows_any(data: &Dataset, observer: &mut dyn Observer) -> bool {
    let examples = examples(&data.examples);
    if examples.len() < LOOKED_AT {
        return true;
    }
    let others = examples.iter().cycle().skip(examples.len() / 2);
    let mixed = examples.iter().zip(others).map(|(example, other)| {
        let (input, output) = (example.input.clone(), other.output.clone());
        Example { input, output }
    });
    let mixed: Vec<Example> = mixed.collect();
    let [bits, mixed_bits] =
        [&examples, &mixed].map(|those| look(&Task::plain(data, those), JUDGED_BY, observer).bits);
    bits < MOSTLY * mixed_bits
}

fn look(task: &Task<'_>, looked_at: usize, observer: &mut dyn Observer) -> Look {
    let examples = task.nested(&task.examples);
    let of_all = |most: usize| -> Vec<Example> {
        spread(&examples, most).filter(|example| has_chart(example)).cloned().collect()
    };
    let some = of_all(looked_at);
    let linked = if examples.len() > COUNTED { of_all(COUNTED) } else { some.clone() };
    let sample: Vec<Sampled> = some.iter().map(|example| Sampled::of(example, 1.0)).collect();
    let (words, tokens) = task.sizes();
    let prices = Prices::new(words, tokens);
    let whole: f64 = some.iter().map(|example| prices.entry(&example.whole())).sum();
    let linked = Linked::new(&linked, learn::LOOK);
    let Beginning { theory, .. } =
        watched(observer, |stop| begin(Theory::new(prices), &some, &linked, &sample, learn::LOOK, stop));
    let known: BTreeSet<Word> = some.iter().flat_map(|example| &example.input).copied().collect();
    let here = theory.live_where(|entry| entry.words().all(|word| known.contains(&word)));
    let bits: f64 = here.into_iter().map(|id| theory.bits(id)).sum();
    let wholes = theory.believed().filter(|entry| is_whole(entry)).count();
    Look { bits, whole, wholes, examples: some.len() }
}

/// Whether an entry is an example, or a part of one, kept whole.
fn is_whole(entry: &Entry) -> bool {
    entry.slots() == 0 && entry.pattern.len() > 1
}

/// Whether an example is short enough to have a chart.
fn has_chart(example: &Example) -> bool {
    example.input.len() <= LONGEST && example.output.len() <= LONGEST
}

/// Learns from those examples that are short enough to have a chart.
fn constructions(
    mut examples: Vec<Example>,
    (words, tokens): (usize, usize),
    way: Way,
    known: Option<&Theory>,
    stop: Stop<'_>,
) -> Learned {
    examples.retain(has_chart);
    match way {
        Way::Small => learn::learn(examples, (words, tokens), Starts::Usual, known, stop),
        Way::Wide => learn::learn(examples, (words, tokens), Starts::All, known, stop),
        Way::Further => learn::learn(examples, (words, tokens), Starts::Further, known, stop),
        Way::Summed => learn::learn_summed(&examples, words, tokens, stop),
    }
}

fn words(example: &Example) -> Vec<Option<Word>> {
    example.input.iter().copied().map(Some).collect()
}

fn is_right(knowledge: &Knowledge, example: &Example) -> bool {
    knowledge.answer(&words(example)).is_some_and(|answer| *answer.tokens == *example.output)
}

impl Task<'_> {
    /// What examples of the task teach, nested.
    fn constructions(
        &self,
        examples: &[Example],
        way: Way,
        known: Option<&Theory>,
        stop: Stop<'_>,
    ) -> Learned {
        let learned = constructions(self.nested(examples), self.sizes(), way, known, stop);
        Learned { knowledge: learned.knowledge.with_places(self.places.clone()), ..learned }
    }

    /// The same theory, its trees counted over all examples.
    fn counted(&self, learned: Learned, stop: Stop<'_>) -> Learned {
        let mut examples = self.nested(&self.examples);
        examples.retain(has_chart);
        let learned = learn::counted(learned.thought, learned.edits, examples, self.sizes(), stop);
        Learned { knowledge: learned.knowledge.with_places(self.places.clone()), ..learned }
    }

    /// What was learned, with what else some inputs were given. Sums of frames are learned from examples that differ, whatever they say.
    fn with_all_outputs(&self, knowledge: Knowledge, stop: Stop<'_>) -> Knowledge {
        if knowledge.is_summed() {
            return knowledge;
        }
        let mut several = several(&self.data.examples, COUNTED);
        for outputs in &mut several {
            let (examples, times): (Vec<Example>, Vec<f64>) = outputs.drain(..).unzip();
            *outputs =
                self.nested(&examples).into_iter().zip(times).filter(|(one, _)| has_chart(one)).collect();
        }
        let mut examples = self.nested(&self.examples);
        examples.retain(has_chart);
        with_all_outputs(knowledge, &examples, &several, stop)
    }

    fn model(&self, seed: u64, knowledge: Knowledge, finished: bool) -> Model {
        Model { outputs: self.outputs.clone(), ..says(self.data, seed, knowledge, finished) }
    }
}

fn says(data: &Dataset, seed: u64, knowledge: Knowledge, finished: bool) -> Model {
    Model { finished, ..model(data, seed, Known::Says(Box::new(knowledge))) }
}
