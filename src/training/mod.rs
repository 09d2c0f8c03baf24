//! From pairs of inputs and outputs to a model.
//!
//! Constructions are learned first: those that say tokens (`theory.rs`), or those that compute numbers and truth values (`values.rs`). Where
//! these do not carry far enough it is as in the paper: deduce, abduce, learn, repeat, to a program for each word and a parser.

pub mod align;
mod budget;
pub mod classes;
pub mod extend;
mod kin;
mod lists;
pub mod meaning;
#[cfg(feature = "vision")]
pub mod seeing;
mod syntax;
mod theory;
mod tokens;
mod treebank;
mod values;

use crate::data::Dataset;
use crate::experience::Experience;
use crate::learn::Stop;
use crate::model::{Model, OutputKind, Remembered, Settings};
use crate::semantics::lexicon::Lexicon;
use crate::symbol::Symbol;
use crate::tree::Tree;
use crate::value::{Type, Value};
#[cfg(feature = "vision")]
use crate::values::knowledge::Results;
pub use budget::{Budget, Clock};
pub use extend::{extend, renumber};
use meaning::{Choice, Meanings, Outcome, Pair, Round};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use syntax::LearnedSyntax;
pub use values::computed_results;

/// What training tells while it runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// The examples are read: distinct inputs, and inputs that were given several outputs.
    Read {
        /// Distinct inputs.
        inputs: usize,
        /// Inputs that were given several outputs; the most frequent one is learned.
        contradictory: usize,
        /// Inputs left out because their results are numbers beyond 64 bits, or they have too many words or tokens.
        too_large: usize,
    },
    /// Of many examples, not all are learned from.
    Chosen {
        /// Distinct inputs that meanings are learned from, the smallest.
        meanings: usize,
        /// Distinct inputs that the parser is learned from, of all sizes.
        syntax: usize,
    },
    /// A round of learning meanings is over.
    Meanings {
        /// Everything believed now.
        meanings: &'a Meanings,
        /// What the round came to.
        round: &'a Round,
    },
    /// A choice has been revisited: what if it had not been made?
    Revised {
        /// The choice.
        choice: Choice,
        /// The lexicon with it.
        lexicon: &'a Lexicon,
        /// The description length with it, in bits.
        with: f64,
        /// The description length without it, in bits. The shorter one is kept; larger examples decide between two that
        /// are about as short.
        without: f64,
    },
    /// The parser has been trained.
    Parser {
        /// Distinct parser states learned.
        states: usize,
        /// Word classes.
        classes: u32,
        /// Passes over the states.
        epochs: usize,
    },
    /// All examples have been answered by deduction.
    Deduced {
        /// Those answered right.
        right: usize,
        /// All of them.
        examples: usize,
    },
    /// Constructions were learned from some of the examples, and asked for the others.
    Theory {
        /// How many constructions.
        entries: usize,
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
        entry: String,
    },
    /// Something happened while learning to see.
    #[cfg(feature = "vision")]
    Seeing(seeing::Sight<'a>),
}

/// Watches training, and may ask it to stop.
pub trait Observer {
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

/// Runs what learns beside the observer, which may not be shared, and asks it often whether to stop.
fn watched<T: Send>(observer: &dyn Observer, learn: impl FnOnce(Stop<'_>) -> T + Send) -> T {
    let asked = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let stop = || asked.load(Ordering::Relaxed);
        let learner = scope.spawn(move || learn(&stop));
        while !learner.is_finished() {
            if observer.stop() {
                asked.store(true, Ordering::Relaxed);
            }
            std::thread::park_timeout(Duration::from_millis(5));
        }
        learner.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Examples of at most so many words are short.
const FEW_WORDS: usize = 9;
/// Meanings that explain a smaller share of the examples are not worth a revision while others may be found.
const PROMISING: f64 = 0.97;
/// Meanings are learned anew if they explain a smaller share of the examples in the end. The rest may be wrong.
const ENOUGH_EXPLAINED: f64 = 0.92;
/// Descriptions that differ by less, in bits, are told apart by larger examples.
const CLOSE: f64 = 20.0;
/// By about so many of them,
const LARGER: usize = 60;
/// of at most so many words.
const LARGER_WORDS: usize = 24;
/// Descriptions of which one is at most so many times as long as the other agree.
const AGREED: f64 = 1.2;
/// At most so many choices are revisited.
const REVISIONS: usize = 20;
/// Meanings are learned at most so often.
const STARTS: u32 = 3;
/// And begun so often.
const BEGINNINGS: u32 = 8;
/// A start that settles less than this share of the smallest examples is given up, unless others were before.
const HOPEFUL: f64 = 0.65;
/// Meanings are learned from at least so many examples, if there are so many.
const ENOUGH_SHORT: usize = 300;
/// The parser is learned from at most so many examples.
const EXAMPLES: usize = 20_000;
/// The same where training is stopped before.
const STOPPED: usize = 1_000;
/// Fewer examples are few: hardly two of them are of one size.
const FEW: usize = 256;
/// Examples of more words and tokens are not learned from: their trees would fill the memory.
const LONGEST: usize = 10_000;
/// A model remembers about so many examples.
const REMEMBERED: usize = 2_000;

/// Learns a model from `data`, from nothing.
pub fn train(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    train_with(data, seed, &Experience::none(), observer)
}

/// Learns a model from `data` with what earlier tasks have taught.
pub fn train_with(data: &Dataset, seed: u64, experience: &Experience, observer: &mut dyn Observer) -> Model {
    learn(data, seed, None, experience, observer)
}

/// Learns a program for each word and a parser, whatever the outputs are.
pub fn train_words(data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Model {
    let kind = OutputKind::of(data);
    let (pairs, read) = pairs(data, kind);
    observer.on(&read);
    learn_words(data, pairs, seed, first_beliefs(data, kind), observer)
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
        Some(results) => {
            let found = values::learn_results(data, results, seed, &Experience::none(), observer);
            values::with_words(found.model, data, results)
        }
        None => theory::learn_whatever(data, seed, observer),
    }
}

/// The distinct inputs with their most frequent outputs.
fn distinct(data: &Dataset) -> Vec<(&[Symbol], &[Symbol])> {
    let mut outputs: BTreeMap<&[Symbol], BTreeMap<&[Symbol], usize>> = BTreeMap::new();
    for example in data.examples.iter().filter(|example| !example.input.is_empty()) {
        *outputs.entry(&example.input).or_default().entry(&example.output).or_default() += 1;
    }
    let most_frequent = outputs.into_iter().filter_map(|(input, outputs)| {
        let (output, _) = outputs.into_iter().rev().max_by_key(|(_, count)| *count)?;
        Some((input, output))
    });
    most_frequent.collect()
}

/// Goes on where training of `model` on the same `data` was stopped; ends in the same model as if it had not
/// been. A finished model is returned as it is.
pub fn resume(model: Model, data: &Dataset, observer: &mut dyn Observer) -> Model {
    match model.finished {
        true => model,
        false => {
            let believed = (!model.has_constructions()).then_some(model.meanings);
            learn(data, model.settings.seed, believed, &model.settings.experience, observer)
        }
    }
}

fn first_beliefs(data: &Dataset, kind: OutputKind) -> Meanings {
    Meanings::new(own_values(data, kind), kind.value_type())
}

/// Learns a model that cuts texts and writes answers as those of `data`.
fn learn(
    data: &Dataset,
    seed: u64,
    believed: Option<Meanings>,
    experience: &Experience,
    observer: &mut dyn Observer,
) -> Model {
    let model = learn_meaning(data, seed, believed, experience, observer);
    Model { settings: Settings { experience: experience.clone(), ..Settings::of(data, seed) }, ..model }
}

/// Learns constructions, or else programs of words from what was believed of them before.
fn learn_meaning(
    data: &Dataset,
    seed: u64,
    believed: Option<Meanings>,
    experience: &Experience,
    observer: &mut dyn Observer,
) -> Model {
    let kind = OutputKind::of(data);
    let (pairs, read) = pairs(data, kind);
    observer.on(&match read {
        // Constructions compute numbers of any size.
        Event::Read { inputs, contradictory, too_large } if values::are_numbers(data) => {
            Event::Read { inputs: inputs + too_large, contradictory, too_large: 0 }
        }
        read => read,
    });
    if let Some(found) = values::learn(data, seed, experience, observer) {
        if found.is_sure() {
            return found.model;
        }
        return found.or(tokens::learn(data, seed, believed, pairs, observer), data);
    }
    tokens::learn(data, seed, believed, pairs, observer)
}

fn learn_words(
    data: &Dataset,
    mut pairs: Vec<Pair>,
    seed: u64,
    mut meanings: Meanings,
    observer: &mut dyn Observer,
) -> Model {
    let kind = OutputKind::of(data);
    let short = short(&pairs);
    if pairs.len() > EXAMPLES {
        let all: Vec<&Pair> = pairs.iter().collect();
        pairs = meaning::spread(&all, EXAMPLES, 0).into_iter().map(|place| pairs[place].clone()).collect();
    }
    observer.on(&Event::Chosen { meanings: short.len(), syntax: pairs.len() });
    let order = |number| reordered(&short, (seed, number), Pair::size);
    let examples = (&short[..], &larger(&pairs, &short)[..]);
    let (Outcome { lexicon, .. }, revised) =
        settle(&mut meanings, examples, order, || first_beliefs(data, kind), observer);
    // Who wants to stop waits for the parser, which is learned again when training goes on.
    if observer.stop() {
        let all: Vec<&Pair> = pairs.iter().collect();
        pairs = meaning::spread(&all, STOPPED, 0).into_iter().map(|place| pairs[place].clone()).collect();
    }
    let LearnedSyntax { classes, lexicon, parser, deduced } = syntax::learn(&pairs, &lexicon, seed, observer);
    let finished = !observer.stop();
    Model {
        task: data.name.clone(),
        settings: Settings { seed, ..Settings::default() },
        examples: data.examples.len() as u64,
        kind,
        inputs: data.inputs.clone(),
        outputs: data.outputs.clone(),
        knowledge: None,
        values: None,
        lexicon,
        classes: classes.of,
        parser,
        // Revision begins anew if it was stopped: so it ends the same.
        meanings: if finished { revised } else { meanings },
        finished,
        unexplained: Vec::new(),
        remembered: remember(&pairs, &deduced, REMEMBERED),
        extensions: Vec::new(),
        eyes: None,
        seeing: None,
        newcomers: None,
    }
}

/// Some of the examples that have right trees, of all sizes and with every word.
fn remember(pairs: &[Pair], trees: &[Option<Tree>], most: usize) -> Vec<Remembered> {
    let right: Vec<usize> = (0..pairs.len()).filter(|&place| trees[place].is_some()).collect();
    let examples: Vec<&Pair> = right.iter().map(|&place| &pairs[place]).collect();
    let chosen = meaning::spread(&examples, most, 0).into_iter().map(|number| right[number]);
    let remembered = |place: usize| {
        let Pair { words, target } = pairs[place].clone();
        trees[place].clone().map(|tree| Remembered { words, tree, target })
    };
    chosen.filter_map(remembered).collect()
}

/// The examples that meanings are learned from: those of few words, unless there are hardly any.
fn short(pairs: &[Pair]) -> Vec<Pair> {
    let mut lengths: Vec<usize> = pairs.iter().map(|pair| pair.words.len()).collect();
    lengths.sort_unstable();
    let enough = lengths.get(ENOUGH_SHORT.min(lengths.len()).saturating_sub(1)).copied().unwrap_or(0);
    let short = pairs.iter().filter(|pair| pair.words.len() <= enough.max(FEW_WORDS));
    short.take(EXAMPLES).cloned().collect()
}

/// Some examples that are larger than those that meanings are learned from.
fn larger<'a>(pairs: &'a [Pair], short: &[Pair]) -> Vec<&'a Pair> {
    let longest = short.iter().map(|pair| pair.words.len()).max().unwrap_or(0);
    let larger = |pair: &&Pair| (longest + 1..=LARGER_WORDS).contains(&pair.words.len());
    let larger: Vec<&Pair> = pairs.iter().filter(larger).collect();
    let step = larger.len().div_ceil(LARGER).max(1);
    larger.into_iter().step_by(step).collect()
}

fn learn_meanings(meanings: &mut Meanings, pairs: &[Pair], observer: &mut dyn Observer) {
    while !meanings.is_done() && !observer.stop() {
        let round = meanings.step(pairs);
        observer.on(&Event::Meanings { meanings, round: &round });
    }
}

/// Learns meanings from the smallest examples.
fn begin_meanings(meanings: &mut Meanings, pairs: &[Pair], observer: &mut dyn Observer) {
    while meanings.is_beginning() && !observer.stop() {
        let round = meanings.step(pairs);
        observer.on(&Event::Meanings { meanings, round: &round });
    }
}

/// Learns meanings and revises them; anew, from other examples of the same sizes, until two starts agree and
/// little is left unexplained: what is found first decides what is found later, and what explains everything
/// may still be twice as long as it need be. Larger examples decide between descriptions that are about as short.
/// `order` gives the examples as the start of a number looks at them. `latest` is where learning was stopped before,
/// and where it has come to; starts before that one were finished, and come to the same again.
fn settle(
    latest: &mut Meanings,
    (pairs, larger): (&[Pair], &[&Pair]),
    order: impl Fn(u32) -> Vec<Pair>,
    anew: impl Fn() -> Meanings,
    observer: &mut dyn Observer,
) -> (Outcome, Meanings) {
    let stopped = latest.clone();
    let (mut raw, mut revised) = (None, None);
    let mut lengths: Vec<f64> = Vec::new();
    for number in 0..BEGINNINGS {
        *latest = if number == stopped.start { stopped.clone() } else { anew() };
        latest.start = number;
        let pairs_in_order = order(number);
        begin_meanings(latest, &pairs_in_order, observer);
        if latest.begun < HOPEFUL && number + STARTS < BEGINNINGS && !observer.stop() {
            continue;
        }
        learn_meanings(latest, &pairs_in_order, observer);
        let outcome = latest.result(pairs);
        let outcome = if observer.stop() { outcome } else { latest.refined(outcome, pairs) };
        // What is settled but not explained by one sense of each word, revisions may mend.
        let promising = latest.settled.max(outcome.explained) >= PROMISING;
        lengths.push(outcome.length);
        raw = shorter(raw, (outcome, latest.clone()), larger);
        // Asked once: it may be stopped at any moment.
        let last = observer.stop() || number + 1 == BEGINNINGS || lengths.len() == STARTS as usize;
        if promising && agree(&mut lengths) || last {
            let next = raw.take().map(|raw| revise(raw, (pairs, larger), observer));
            revised = next.and_then(|next| shorter(revised, next, larger));
        }
        let enough = |(outcome, _): &(Outcome, Meanings)| outcome.explained >= ENOUGH_EXPLAINED;
        if last || revised.as_ref().is_some_and(enough) {
            break;
        }
    }
    revised.expect("the last start is revised in any case")
}

/// Whether the two shortest are about as short.
fn agree(lengths: &mut [f64]) -> bool {
    lengths.sort_by(f64::total_cmp);
    matches!(lengths, [first, second, ..] if *second <= AGREED * *first)
}

/// What has the shorter description.
fn shorter(
    best: Option<(Outcome, Meanings)>,
    other: (Outcome, Meanings),
    larger: &[&Pair],
) -> Option<(Outcome, Meanings)> {
    best.filter(|best| !other.0.is_shorter(&best.0, larger)).or(Some(other))
}

impl Outcome {
    /// Whether this description is shorter. Where two are about as short, larger examples are described too: what is
    /// clear in small ones may be ambiguous there.
    fn is_shorter(&self, than: &Outcome, larger: &[&Pair]) -> bool {
        let mut difference = self.length - than.length;
        if difference.abs() < CLOSE && self.lexicon != than.lexicon {
            difference += self.bits_of(larger) - than.bits_of(larger);
        }
        difference < 0.0
    }
}

/// The same examples in order of size, those of one size in another order for each seed and start. (They come in the
/// order of seed 0 and start 0.) Where there are few, so that hardly two are of one size, some count as up to twice as
/// large in later starts.
fn reordered(pairs: &[Pair], (seed, start): (u64, u32), size: fn(&Pair) -> usize) -> Vec<Pair> {
    let mut pairs = pairs.to_vec();
    let are_few = pairs.len() < FEW;
    pairs.sort_by_cached_key(|pair| {
        let number = seed.wrapping_mul(u64::from(BEGINNINGS)).wrapping_add(u64::from(start));
        let chance = FxBuildHasher.hash_one((number as u32, &pair.words));
        match start {
            0 if seed == 0 => (size(pair) as u64, 0),
            1.. if are_few => (size(pair) as u64 * (64 + chance % 64), chance),
            _ => (size(pair) as u64, chance),
        }
    });
    pairs
}

/// Revisits the choices that several words share, and keeps the shortest description of lexicon and examples.
fn revise(
    (mut best, mut meanings): (Outcome, Meanings),
    (pairs, larger): (&[Pair], &[&Pair]),
    observer: &mut dyn Observer,
) -> (Outcome, Meanings) {
    let mut tried: Vec<Choice> = Vec::new();
    // A lexicon that was kept may have been made by other choices.
    let next = |best: &Outcome, meanings: &Meanings, tried: &[Choice]| {
        let is_poor = best.explained < ENOUGH_EXPLAINED;
        let disputed = if is_poor { meanings.disputed() } else { Vec::new() };
        let choices = disputed.into_iter().chain(Choice::all(&best.lexicon));
        choices.filter(|_| tried.len() < REVISIONS).find(|choice| !tried.contains(choice))
    };
    while let Some(choice) = next(&best, &meanings, &tried) {
        tried.push(choice);
        let mut other = meanings.without(choice);
        learn_meanings(&mut other, pairs, observer);
        if observer.stop() {
            break;
        }
        let outcome = other.result(pairs);
        let (with, without) = (best.length, outcome.length);
        observer.on(&Event::Revised { choice, lexicon: &best.lexicon, with, without });
        if outcome.is_shorter(&best, larger) {
            (best, meanings) = (outcome, other);
        }
    }
    (best, meanings)
}

/// The distinct inputs with their most frequent outputs, in order of size, and what is to be said of them.
fn pairs(data: &Dataset, kind: OutputKind) -> (Vec<Pair>, Event<'static>) {
    let mut outputs: FxHashMap<&[Symbol], Vec<(&[Symbol], usize)>> = FxHashMap::default();
    let mut order: Vec<&[Symbol]> = Vec::new();
    for example in &data.examples {
        let known = outputs.entry(&example.input).or_insert_with(|| {
            order.push(&example.input);
            Vec::new()
        });
        match known.iter_mut().find(|(output, _)| *output == &*example.output) {
            Some((_, count)) => *count += 1,
            None => known.push((&example.output, 1)),
        }
    }
    let contradictory = outputs.values().filter(|outputs| outputs.len() > 1).count();
    order.retain(|input| !input.is_empty());
    let mut pairs: Vec<Pair> = order
        .iter()
        .filter_map(|input| {
            let best = outputs[input].iter().rev().max_by_key(|(_, count)| *count)?;
            let target = kind.read(best.0, &data.outputs)?;
            Some(Pair { words: input.iter().map(|symbol| symbol.0).collect(), target })
        })
        .filter(|pair| pair.size() <= LONGEST)
        .collect();
    // Among those of one size the order is that of a hash: the first of them are a fair sample.
    pairs.sort_by_cached_key(|pair| (pair.size(), FxBuildHasher.hash_one(&pair.words)));
    let read = Event::Read { inputs: pairs.len(), contradictory, too_large: order.len() - pairs.len() };
    (pairs, read)
}

/// The constant each word brings, as far as co-occurrence tells.
fn own_values(data: &Dataset, kind: OutputKind) -> Vec<Option<Value>> {
    if kind == OutputKind::Number {
        return own_numbers(data, kind);
    }
    let words: Vec<Vec<u32>> =
        data.examples.iter().map(|example| example.input.iter().map(|word| word.0).collect()).collect();
    let pairs = words.iter().zip(&data.examples).map(|(words, example)| (&words[..], &example.output[..]));
    let own = align::own_tokens(pairs, data.inputs.len(), data.outputs.len());
    // A word without a token of its own brings the empty list: so it can be kin to words that bring one.
    own.into_iter().map(|token| Some(Value::list(token.as_slice()))).collect()
}

/// Numbers do not show what they are made of, but a word that stands alone brings its whole result.
fn own_numbers(data: &Dataset, kind: OutputKind) -> Vec<Option<Value>> {
    let mut own = vec![None; data.inputs.len()];
    for Pair { words, target } in pairs(data, kind).0 {
        if let [word] = words[..] {
            own[word as usize] = Some(target);
        }
    }
    own
}

impl OutputKind {
    /// The type of results.
    pub fn value_type(self) -> Type {
        match self {
            OutputKind::Tokens => Type::List,
            OutputKind::Number => Type::Nat,
            OutputKind::Integer => Type::Integer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::lexicon::Sense;
    use crate::semantics::program::{Expr, Program};

    #[test]
    fn every_start_from_few_examples_begins_with_other_ones() {
        let pair = |size: u32| Pair { words: (0..size).collect(), target: Value::Nat(0) };
        let few: Vec<Pair> = (10..60).map(pair).collect();
        let first_half = |number: u32| {
            let pairs = reordered(&few, (0, number), |pair| pair.words.len());
            let mut sizes: Vec<usize> = pairs[..25].iter().map(|pair| pair.words.len()).collect();
            sizes.sort_unstable();
            sizes
        };
        assert_eq!(first_half(0), (10..35).collect::<Vec<usize>>(), "the smallest");
        assert_ne!(first_half(1), first_half(0));
        assert_ne!(first_half(2), first_half(1));
    }

    #[test]
    fn every_seed_has_an_order_of_its_own_among_examples_of_one_size() {
        let pairs: Vec<Pair> = (0..300)
            .map(|word| Pair { words: vec![word; 1 + word as usize / 100], target: Value::Nat(0) })
            .collect();
        let order = |seed: u64| reordered(&pairs, (seed, 0), |pair| pair.words.len());
        let words = |seed: u64| order(seed).into_iter().map(|pair| pair.words).collect::<Vec<_>>();
        let sizes = |seed: u64| order(seed).iter().map(Pair::size).collect::<Vec<_>>();
        assert_eq!(words(0), pairs.iter().map(|pair| pair.words.clone()).collect::<Vec<_>>());
        assert_ne!(words(1), words(0));
        assert_ne!(words(2), words(1));
        assert_eq!(sizes(1), sizes(0));
    }

    /// A lexicon of one word that means a number.
    fn outcome(number: u64, length: f64) -> Outcome {
        let mut lexicon = Lexicon { senses: vec![Vec::new()], ..Lexicon::default() };
        let program = lexicon.intern(&Program { arity: 0, body: Expr::Me });
        let sense = Sense { program: Some(program), me: Some(Value::Nat(number)), probability: 1.0 };
        lexicon.senses[0].push(sense);
        Outcome { lexicon, length, explained: 1.0 }
    }

    #[test]
    fn larger_examples_decide_between_descriptions_about_as_short() {
        let pair = Pair { words: vec![0], target: Value::Nat(7) };
        let (right, wrong) = (outcome(7, 105.0), outcome(8, 100.0));
        assert!(wrong.is_shorter(&right, &[]), "nothing to decide by");
        assert!(right.is_shorter(&wrong, &[&pair]) && !wrong.is_shorter(&right, &[&pair]));
        let long = outcome(7, 150.0);
        assert!(wrong.is_shorter(&long, &[&pair]), "not about as short");
    }

    #[test]
    fn larger_examples_are_not_much_larger() {
        let pair = |size: u32| Pair { words: (0..size).collect(), target: Value::Nat(0) };
        let pairs: Vec<Pair> = (1..100).map(pair).collect();
        let lengths: Vec<usize> = larger(&pairs, &pairs[..9]).iter().map(|pair| pair.words.len()).collect();
        assert_eq!(lengths, (10..=LARGER_WORDS).collect::<Vec<_>>());
        assert!(larger(&pairs, &pairs).is_empty());
    }
}
