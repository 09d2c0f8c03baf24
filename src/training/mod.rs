//! From pairs of inputs and outputs to a model.
//!
//! Constructions are learned that compute numbers and truth values (`values.rs`), or that say tokens (`tokens.rs`); what answers examples held
//! out decides which.

mod align;
mod budget;
mod extend;
mod lists;
mod parser;
#[cfg(feature = "vision")]
pub mod seeing;
mod theory;
mod tokens;
mod values;

use crate::data::{self, Dataset};
use crate::experience::Experience;
use crate::learn::evidence::Example;
use crate::learn::several::Given;
use crate::model::{Known, Model, OutputKind, Settings};
pub use crate::stop::Step;
use crate::stop::Stop;
use crate::symbol::{Symbol, Token, Word};
#[cfg(feature = "vision")]
use crate::values::knowledge::Results;
pub use budget::{Budget, Clock};
pub use extend::{extend, renumber};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
pub use values::computed_results;

/// What training tells while it runs.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    /// The examples are read: distinct inputs, and inputs that were given several outputs.
    Read {
        /// Distinct inputs.
        inputs: usize,
        /// Inputs that were given several outputs; the most frequent one is learned.
        contradictory: usize,
        /// Inputs left out because they have too many words or tokens.
        too_large: usize,
    },
    /// Of many examples, not all are learned from.
    Chosen {
        /// Distinct inputs that constructions are learned from.
        learned_from: usize,
        /// Distinct inputs over which it is counted what fills what.
        counted: usize,
    },
    /// A first look at some examples: the share of their bits, each kept as a whole, that first constructions take.
    Looked {
        /// Constructions that say templates.
        templates: f64,
        /// Constructions that compute lists; `None` where no word stands for a token of its own.
        lists: Option<f64>,
    },
    /// Some tokens of outputs are numbers that words say; they are computed, and taken out of the examples.
    Computed {
        /// How many constructions compute them.
        #[serde(rename = "constructions")]
        entries: usize,
    },
    /// From now on this is learned, in words.
    #[serde(skip)]
    Tries(&'static str),
    /// Constructions were learned from some of the examples, and asked for the others.
    Theory {
        /// How many constructions.
        entries: usize,
        /// What they and the examples come to in bits, where a search made them fewer.
        bits: Option<f64>,
        /// The others that were answered right.
        held_out_right: usize,
        /// All of the others.
        held_out: usize,
    },
    /// Constructions that compute values were learned, and asked some of the examples.
    Values {
        /// How many constructions.
        entries: usize,
        /// The examples that were answered right.
        right: usize,
        /// All that were asked.
        asked: usize,
    },
    /// An edit that was made on the way to the constructions of the model; told when these are known.
    Edit {
        /// What proposed it.
        by: &'static str,
        /// By how many bits the description of constructions and examples became longer; below zero where it became shorter.
        bits: f64,
        /// What it came to.
        total: f64,
        /// The construction that it is about, in words.
        entry: &'a str,
    },
    /// A search made a step; of very many, the last of each tenth of a second, and of each search. How many of these are told depends on
    /// the machine, unlike all other events.
    Step(Step),
    /// The parser has learned the trees of constructions.
    Parser {
        /// The margin from which its trees are trusted, 0 to 1; above 1 where none is.
        trusted: f32,
    },
    /// Something happened while learning to see.
    #[cfg(feature = "vision")]
    #[serde(skip)]
    Seeing(seeing::Sight<'a>),
}

/// Watches training, and may ask it to stop.
pub trait Observer: Send {
    /// Something happened.
    fn on(&mut self, event: &Event<'_>);

    /// Whether to stop after the current step. Asked often.
    fn stop(&self) -> bool {
        false
    }
}

/// Watches in silence.
impl Observer for () {
    fn on(&mut self, _: &Event<'_>) {}
}

/// How often an observer is told a step.
const PAUSE: Duration = Duration::from_millis(100);

/// Runs what learns, in the pool of threads that this is called in, while another thread asks the observer often whether to stop,
/// and tells it steps.
fn watched<T>(observer: &mut dyn Observer, learn: impl FnOnce(Stop<'_>) -> T) -> T {
    let (asked, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let latest: Mutex<Option<Step>> = Mutex::new(None);
    std::thread::scope(|scope| {
        let (asked, done, latest) = (&asked, &done, &latest);
        let take = move || latest.lock().ok()?.take();
        let watcher = scope.spawn(move || {
            // The watcher alone has it meanwhile: an observer need not be shared.
            let observer = observer;
            let mut told = Instant::now();
            while !done.load(Ordering::Relaxed) {
                if observer.stop() {
                    asked.store(true, Ordering::Relaxed);
                }
                if told.elapsed() >= PAUSE
                    && let Some(step) = take()
                {
                    observer.on(&Event::Step(step));
                    told = Instant::now();
                }
                std::thread::park_timeout(Duration::from_millis(5));
            }
            if let Some(step) = take() {
                observer.on(&Event::Step(step));
            }
        });
        // Also where learning panics: else nobody would end the watch.
        let _end = OnDrop(|| {
            done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
        });
        let tell = |step| {
            if let Ok(mut latest) = latest.lock() {
                *latest = Some(step);
            }
        };
        learn(Stop::telling(&|| asked.load(Ordering::Relaxed), &tell))
    })
}

/// Does something when it is dropped.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Examples of more words and tokens are not learned from: their trees would fill the memory.
const LONGEST: usize = 10_000;

/// Learns a model from `data`, from nothing.
pub fn train(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    train_with(data, seed, &Experience::none(), observer)
}

/// Learns a model from `data` with what earlier tasks have taught; it cuts texts and writes answers as those of `data`.
pub fn train_with(data: &Dataset, seed: u64, experience: &Experience, observer: &mut dyn Observer) -> Model {
    let Distinct { pairs, contradictory } = distinct(&data.examples);
    let (inputs, too_large) = match OutputKind::of(data) {
        OutputKind::Number => (pairs.len(), 0),
        OutputKind::Tokens => {
            let fit = pairs.iter().filter(|pair| size(pair) <= LONGEST).count();
            (fit, pairs.len() - fit)
        }
    };
    observer.on(&Event::Read { inputs, contradictory, too_large });
    let (model, data) = learn(data, seed, experience, observer);
    let data = &*data;
    let parser = parser::learn(&model, data, seed, observer);
    let finished = model.finished && !observer.stop();
    Model {
        parser,
        finished,
        settings: Settings { experience: experience.clone(), ..Settings::of(data, seed) },
        ..model
    }
}

/// Learns what is computed, or else what is said; what answers more is the model.
/// With it come the data as it cuts them.
fn learn<'a>(
    data: &'a Dataset,
    seed: u64,
    experience: &Experience,
    observer: &mut dyn Observer,
) -> (Model, Cow<'a, Dataset>) {
    let mut found = values::learn(data, seed, experience, observer);
    if let Some(found) = found.take_if(|found| found.is_sure()) {
        return (found.model, Cow::Borrowed(data));
    }
    let is_value = computed_results(data).is_some() && !observer.stop();
    let may_be_said = !is_value || theory::shows_any(data, observer);
    match found {
        Some(found) if may_be_said => found.or(tokens::learn(data, seed, observer), data),
        None if may_be_said => tokens::learn(data, seed, observer),
        Some(found) if found.pays() => (found.model, Cow::Borrowed(data)),
        Some(_) | None => (theory::keep(data, seed, observer), Cow::Borrowed(data)),
    }
}

/// Goes on where training of `model` on the same `data` was stopped; ends in the same model as if it had not
/// been. A finished model is returned as it is.
pub fn resume(model: Model, data: &Dataset, observer: &mut dyn Observer) -> Model {
    match model.finished {
        true => model,
        false => train_with(data, model.settings.seed, &model.settings.experience, observer),
    }
}

/// Learns constructions, however much of the examples they explain: what reading rows of pictures needs. They compute the `results`, or else say tokens.
#[cfg(feature = "vision")]
fn train_constructions(
    data: &Dataset,
    results: Option<&Results>,
    seed: u64,
    observer: &mut dyn Observer,
) -> Model {
    match results {
        Some(results) => values::learn_results(data, results, seed, &Experience::none(), observer).model,
        None => theory::learn_whatever(data, seed, observer),
    }
}

/// A model of `data` that knows this, with nothing beside it.
fn model(data: &Dataset, seed: u64, known: Known) -> Model {
    Model {
        task: data.name.clone(),
        settings: Settings { seed, ..Settings::default() },
        examples: data.examples.len() as u64,
        inputs: data.inputs.clone(),
        outputs: data.outputs.clone(),
        known,
        confidence: None,
        computed: None,
        parser: None,
        finished: true,
        unexplained: Vec::new(),
        extensions: Vec::new(),
        eyes: None,
        seeing: None,
        newcomers: None,
    }
}

/// The distinct inputs of some examples.
struct Distinct<'a> {
    /// Each with its most frequent output.
    pairs: Vec<(&'a [Symbol], &'a [Symbol])>,
    /// How many were given several outputs.
    contradictory: usize,
}

fn distinct(examples: &[data::Example]) -> Distinct<'_> {
    let full = examples.iter().filter(|example| !example.input.is_empty());
    let mut pairs: Vec<(&[Symbol], &[Symbol])> =
        full.map(|example| (&example.input[..], &example.output[..])).collect();
    pairs.par_sort_unstable();
    let by_input = || pairs.chunk_by(|a, b| a.0 == b.0);
    let contradictory = by_input().filter(|same| same.first() != same.last()).count();
    // Of those as frequent, the first.
    let most_frequent = by_input().filter_map(|same| {
        let outputs = same.chunk_by(|a, b| a.1 == b.1).rev();
        outputs.max_by_key(|outputs| outputs.len()).map(|outputs| outputs[0])
    });
    Distinct { pairs: most_frequent.collect(), contradictory }
}

/// The inputs that were given several outputs, with all of these, those given most often first; so many at most.
fn several(examples: &[data::Example], most: usize) -> Vec<Given> {
    let mut given: BTreeMap<&[Symbol], BTreeMap<&[Symbol], f64>> = BTreeMap::new();
    for example in examples.iter().filter(|example| !example.input.is_empty()) {
        *given.entry(&example.input).or_default().entry(&example.output).or_default() += 1.0;
    }
    given.retain(|input, outputs| {
        outputs.len() > 1 && outputs.keys().all(|output| size(&(*input, *output)) <= LONGEST)
    });
    let times = |outputs: &BTreeMap<&[Symbol], f64>| outputs.values().sum::<f64>();
    let mut given: Vec<_> = given.into_iter().collect();
    given.sort_by(|a, b| times(&b.1).total_cmp(&times(&a.1)));
    given.truncate(most);
    let each = |(input, outputs): (&[Symbol], BTreeMap<&[Symbol], f64>)| {
        outputs.into_iter().map(|(output, times)| (example((input, output)), times)).collect()
    };
    given.into_iter().map(each).collect()
}

/// How large an example is: words and tokens.
fn size((input, output): &(&[Symbol], &[Symbol])) -> usize {
    input.len() + output.len()
}

/// The distinct inputs with their most frequent outputs, the smallest first, without those that are too large.
fn examples(examples: &[data::Example]) -> Vec<Example> {
    let mut pairs = distinct(examples).pairs;
    pairs.retain(|pair| size(pair) <= LONGEST);
    // Among those of one size the order is that of a hash: the first of them are a fair sample.
    pairs.sort_by_cached_key(|pair| {
        let words: Vec<u32> = pair.0.iter().map(|word| word.0).collect();
        (size(pair), FxBuildHasher.hash_one(&words))
    });
    pairs.into_iter().map(example).collect()
}

/// An example as learning takes it.
pub(crate) fn example((input, output): (&[Symbol], &[Symbol])) -> Example {
    Example {
        input: input.iter().map(|symbol| Word(symbol.0)).collect(),
        output: output.iter().map(|symbol| Token(symbol.0)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stops at once.
    struct Hurry;

    impl Observer for Hurry {
        fn on(&mut self, _: &Event<'_>) {}

        fn stop(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_stop_looks_at_few_of_many_examples() {
        let pairs: Vec<(String, String)> =
            (0..5_000).map(|number| (format!("w{number} x"), format!("W{number}"))).collect();
        let model = train(&Dataset::from_pairs("many", &pairs), 0, &mut Hurry);
        assert!(!model.finished && model.parser.is_none());
        // As the file begins: finding the smallest of all would take long.
        assert_eq!(model.answer("w999 x").map(|answer| answer.text).as_deref(), Some("W999"));
        assert_eq!(model.answer("w1000 x"), None);
    }

    #[test]
    fn the_last_step_of_a_search_is_told_and_none_after_a_stop() {
        struct Told(Vec<Step>, bool);
        impl Observer for Told {
            fn on(&mut self, event: &Event<'_>) {
                let Event::Step(step) = event else { panic!("{event:?}") };
                self.0.push(*step);
            }
            fn stop(&self) -> bool {
                self.1
            }
        }
        let mut told = Told(Vec::new(), false);
        watched(&mut told, |stop| (0..1000).for_each(|step| stop.step("fall", -f64::from(step), Some(0.5))));
        assert_eq!(told.0.last(), Some(&Step { what: "fall", bits: -999.0, explained: Some(0.5) }));
        let mut told = Told(Vec::new(), true);
        watched(&mut told, |stop| {
            while !stop() {
                std::thread::yield_now();
            }
            stop.step("fall", 1.0, None);
        });
        assert_eq!(told.0, []);
    }

    #[test]
    fn the_most_frequent_output_is_taken_and_of_equals_the_first() {
        let data = Dataset::from_pairs(
            "several",
            &[("b", "Y"), ("a", "Y"), ("a", "X"), ("b", "X"), ("b", "X"), ("c", "Z")],
        );
        let Distinct { pairs, contradictory } = distinct(&data.examples);
        let said: Vec<(&str, &str)> =
            pairs.iter().map(|pair| (data.inputs.name(pair.0[0]), data.outputs.name(pair.1[0]))).collect();
        assert_eq!(contradictory, 2);
        // In the order of numbers: `b` and `Y` came first.
        assert_eq!(said, [("b", "X"), ("a", "Y"), ("c", "Z")]);
    }
}
