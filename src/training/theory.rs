//! From pairs to constructions: the bridge to the new core while the old one is being replaced.
//!
//! [`crate::learn`] finds constructions with templates, which is all that many tasks need, in about a second. Where a task needs more
//! (outputs that depend on the content of an argument, letters turned round), a theory answers the examples it has seen and few others.
//! So a first look at a hundred examples asks whether they have enough in common, and then some examples are held out: if the
//! theory of the others answers nearly all of them, one of all examples is the model; otherwise programs of words are learned as
//! before, and the better one is the model. When these too are part of a theory, this file has no more to decide.

#[cfg(feature = "vision")]
use super::distinct;
use super::meaning::{Meanings, Pair};
use super::{Event, Observer, watched};
use crate::chart::{free, given};
use crate::data::Dataset;
use crate::learn::begin::{Beginning, Start, begin};
use crate::learn::evidence::Example;
use crate::learn::state::Sampled;
use crate::learn::{self, Learned, Stop};
use crate::model::{Model, OutputKind, Settings};
use crate::objective::Prices;
use crate::readable::Constructions;
use crate::semantics::lexicon::Lexicon;
use crate::symbol::{Symbol, Token, Word};
use crate::syntax::Parser;
use crate::syntax::decode::Workspace;
#[cfg(feature = "vision")]
use crate::theory::counts::Counts;
use crate::theory::knowledge::Knowledge;
use crate::theory::{EntryId, Theory};
use crate::value::Value;
use rayon::prelude::*;

/// One in so many examples is held out: the theory of the others is nearly that of all.
const HELD_OUT: usize = 10;
/// So many examples held out judge a theory. Where one in ten is fewer, others are held out in turn.
const JUDGES: usize = 30;
/// The share of the examples held out that a theory must answer right to be the model at once: where some outputs are wrong, and some words
/// are held out with their only example, no theory answers all. With less, programs of words are learned as well, and the model is
/// whichever answers more of these examples.
const NEARLY_ALL: f64 = 0.9;

/// So many examples are looked at first: enough for what they share to show, and few enough that it takes seconds.
const LOOKED_AT: usize = 100;
/// The share of the bits of these examples, each kept as a whole, that a first theory of them may take. It takes 0.01 to 0.3 where templates
/// are what a task needs, half with hundreds of words (COGS), and 0.77 for PCFG SET, whose functions they cannot express: there
/// learning would go on for minutes and come to nothing.
const SHARED: f64 = 0.6;

/// What constructions came to.
pub(super) struct Found {
    /// The model.
    pub(super) model: Model,
    /// Numbers of the pairs that were held out, and how many of them a theory of the others answers right.
    held_out: Vec<usize>,
    right: usize,
}

impl Found {
    /// Whether nearly all examples held out were answered right by entries that are not examples kept whole, or there is no time to find out
    /// more.
    pub(super) fn is_sure(&self) -> bool {
        let is_right = self.right as f64 >= NEARLY_ALL * self.held_out.len() as f64;
        !self.model.finished || (is_right && !self.is_mostly_whole())
    }

    /// Whether most entries are examples kept whole: then the theory has not found what they have in common, or many are wrong.
    fn is_mostly_whole(&self) -> bool {
        let Some(knowledge) = &self.model.knowledge else { return true };
        let theory = &knowledge.theory;
        let is_whole = |&id: &EntryId| theory.entry(id).slots() == 0 && theory.entry(id).pattern.len() > 1;
        2 * theory.live().filter(is_whole).count() > theory.live().count()
    }

    /// The better one of the model and another, which was learned from all pairs.
    pub(super) fn or(self, words: Model, pairs: &[Pair]) -> Model {
        let mut workspace = Workspace::new();
        let mut is_right = |pair: &Pair| {
            let symbols: Vec<Option<Symbol>> = pair.words.iter().map(|&word| Some(Symbol(word))).collect();
            words.result(&symbols, &mut workspace).0.as_ref() == Some(&pair.target)
        };
        let right = self.held_out.iter().filter(|&&number| is_right(&pairs[number])).count();
        if right >= self.right { words } else { self.model }
    }
}

/// A model of constructions of the pairs; `None` if they do not carry far enough, or learning was to stop before that was known.
pub(super) fn learn(data: &Dataset, pairs: &[Pair], seed: u64, observer: &mut dyn Observer) -> Option<Found> {
    let examples: Vec<Example> = pairs.iter().map(example).collect::<Option<_>>()?;
    if examples.len() < HELD_OUT || observer.stop() {
        return None;
    }
    let sizes = (data.inputs.len(), data.outputs.len());
    if !watched(observer, |stop| is_promising(&examples, sizes, stop)) || observer.stop() {
        return None;
    }
    let Trial { knowledge: trial, held_out, right } = watched(observer, |stop| trial(&examples, sizes, stop));
    observer.on(&Event::Theory {
        entries: trial.theory.live().count(),
        held_out_right: right,
        held_out: held_out.len(),
    });
    if right == 0 {
        return None;
    }
    if observer.stop() {
        let model = trial.is_storable().then(|| model(data, seed, trial, false))?;
        return Some(Found { model, held_out, right });
    }
    let Learned { knowledge, thought, edits } =
        watched(observer, |stop| constructions(examples, sizes, stop));
    if !knowledge.is_storable() {
        return None;
    }
    let text = Constructions::new(&data.inputs, &data.outputs, &thought);
    for edit in edits {
        let entry = text.definition(thought.entry(edit.entry));
        observer.on(&Event::Edit { by: edit.by, bits: edit.bits, total: edit.total, entry });
    }
    let finished = !observer.stop();
    Some(Found { model: model(data, seed, knowledge, finished), held_out, right })
}

/// A model of constructions of all examples, however far they carry.
#[cfg(feature = "vision")]
pub(super) fn learn_all(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    let example = |(input, output): (&[Symbol], &[Symbol])| Example {
        input: input.iter().map(|symbol| Word(symbol.0)).collect(),
        output: output.iter().map(|symbol| Token(symbol.0)).collect(),
    };
    let examples: Vec<Example> = distinct(data).into_iter().map(example).collect();
    let sizes = (data.inputs.len(), data.outputs.len());
    let learned = examples
        .iter()
        .any(has_chart)
        .then(|| watched(observer, |stop| constructions(examples, sizes, stop)).knowledge);
    let nothing = || {
        let theory = Theory::new(Prices::new(sizes.0, sizes.1));
        Knowledge::new(&theory, &Counts::default(), sizes.0, sizes.1)
    };
    let knowledge = learned.filter(Knowledge::is_storable).unwrap_or_else(nothing);
    model(data, seed, knowledge, !observer.stop())
}

/// The pair as an example; `None` if its result is no list of tokens.
fn example(pair: &Pair) -> Option<Example> {
    let Value::List(tokens) = &pair.target else { return None };
    Some(Example {
        input: pair.words.iter().map(|&word| Word(word)).collect(),
        output: tokens.0.iter().map(|token| Token(token.0)).collect(),
    })
}

/// Theories of some of the examples, asked for the others.
struct Trial {
    /// The first of them.
    knowledge: Knowledge,
    /// Numbers of the examples held out, and how many of them were answered right.
    held_out: Vec<usize>,
    right: usize,
}

/// Holds out every tenth example, and so on with others until there are enough of them, or no time is left.
fn trial(examples: &[Example], sizes: (usize, usize), stop: Stop<'_>) -> Trial {
    let mut all = without_every_tenth(examples, sizes, 0, stop);
    for first in 1..HELD_OUT {
        if all.held_out.len() >= JUDGES || stop() {
            break;
        }
        let Trial { held_out, right, .. } = without_every_tenth(examples, sizes, first, stop);
        all.held_out.extend(held_out);
        all.right += right;
    }
    all
}

/// Holds out every tenth example from this one on.
fn without_every_tenth(examples: &[Example], sizes: (usize, usize), first: usize, stop: Stop<'_>) -> Trial {
    let (held_out, rest): (Vec<usize>, Vec<usize>) =
        (0..examples.len()).partition(|number| number % HELD_OUT == first);
    let rest = rest.into_iter().map(|number| examples[number].clone()).collect();
    let knowledge = constructions(rest, sizes, stop).knowledge;
    let right = held_out.par_iter().filter(|&&number| is_right(&knowledge, &examples[number])).count();
    Trial { knowledge, held_out, right }
}

/// Whether a first theory of some of the examples is much shorter than they are.
fn is_promising(examples: &[Example], (words, tokens): (usize, usize), stop: Stop<'_>) -> bool {
    let step = examples.len().div_ceil(LOOKED_AT);
    let some: Vec<Example> =
        examples.iter().step_by(step).filter(|example| has_chart(example)).cloned().collect();
    let sampled =
        |example: &Example| Sampled { pattern: example.pattern(), says: example.says(), weight: 1.0 };
    let sample: Vec<Sampled> = some.iter().map(sampled).collect();
    let prices = Prices::new(words, tokens);
    let whole: f64 = some.iter().map(|example| prices.entry(&example.whole())).sum();
    let start = Start { links: learn::LIKELY, only_what_pays: false };
    let Beginning { theory, .. } = begin(Theory::new(prices), &some, &sample, start, stop);
    let bits: f64 = theory.live().map(|id| theory.bits(id)).sum();
    bits <= SHARED * whole
}

/// Whether an example is short enough to have a chart.
fn has_chart(example: &Example) -> bool {
    example.input.len() <= free::LONGEST && example.output.len() <= given::LONGEST
}

/// Learns from those examples that are short enough to have a chart.
fn constructions(mut examples: Vec<Example>, (words, tokens): (usize, usize), stop: Stop<'_>) -> Learned {
    examples.retain(has_chart);
    learn::learn(examples, words, tokens, stop)
}

fn is_right(knowledge: &Knowledge, example: &Example) -> bool {
    let input: Vec<Option<Word>> = example.input.iter().copied().map(Some).collect();
    knowledge.answer(&input).is_some_and(|answer| *answer.tokens == *example.output)
}

fn model(data: &Dataset, seed: u64, knowledge: Knowledge, finished: bool) -> Model {
    let kind = OutputKind::Tokens;
    Model {
        task: data.name.clone(),
        settings: Settings { seed, ..Settings::default() },
        examples: data.examples.len() as u64,
        kind,
        inputs: data.inputs.clone(),
        outputs: data.outputs.clone(),
        knowledge: Some(knowledge),
        values: None,
        lexicon: Lexicon::default(),
        classes: Vec::new(),
        parser: Parser::none(),
        meanings: Meanings::new(Vec::new(), kind.value_type()),
        finished,
        unexplained: Vec::new(),
        remembered: Vec::new(),
        extensions: Vec::new(),
        eyes: None,
        seeing: None,
        newcomers: None,
    }
}
