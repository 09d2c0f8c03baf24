//! Abduction over perception in training: what pictures must show for the results to come out.

use super::meaning::{Meaning, prune};
use super::merge::Surroundings;
use super::rows::Rows;
use super::{Event, Observer, Sight, Symbols, teach};
use crate::data::{Cut, Dataset, Example, ImageDataset, ImageExample};
use crate::error::Result;
use crate::model::Model;
use crate::perception::SymbolProbs;
use crate::perception::network::{Lesson, Network, Processor};
use crate::reading::{Reader, Reading};
use crate::settings::{ASKED, HARDLY};
use crate::spread::spread;
use crate::symbol::Vocabulary;
use crate::training::watched;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Until a network has learned them, a picture may show any symbol with about this probability.
const DOUBT: f32 = 0.02;

/// A reading that is so many times rarer than the usual one of its length is taken for a mistake.
const UNUSUAL: f64 = 0.2;

/// Symbols of the same meaning are one if their surroundings are at most so far apart, in bits.
const SAME: f64 = 0.2;

/// What is known while perception and meaning are brought together.
pub(super) struct Ground<'a> {
    pub data: &'a ImageDataset,
    pub rows: &'a Rows<'a>,
    pub processor: &'a Processor,
    /// Rows of at most so many pictures are read.
    pub reach: usize,
    pub symbols: Symbols,
    pub network: Network,
    /// How probable each symbol is for each picture.
    probabilities: Vec<f32>,
}

impl<'a> Ground<'a> {
    pub fn new(
        data: &'a ImageDataset,
        rows: &'a Rows<'a>,
        processor: &'a Processor,
        symbols: Symbols,
        network: Network,
    ) -> Ground<'a> {
        let probabilities = doubtful(&symbols);
        Ground { data, rows, processor, reach: usize::MAX, symbols, network, probabilities }
    }

    /// Asks the network what each picture shows.
    pub fn look(&mut self, observer: &mut dyn Observer) -> Result<()> {
        let pixels = self.data.pictures.pixels();
        self.probabilities =
            watched(observer, |stop| self.processor.predict_until(&self.network, pixels, stop))?;
        Ok(())
    }

    /// What was learned.
    pub fn end(self) -> (Symbols, Network) {
        (self.symbols, self.network)
    }

    /// Makes one symbol of those that mean the same and have the same surroundings. Those that no row is read with are none, nor are
    /// mixtures of others: reading the rows again tells what their pictures show.
    pub fn merge(&mut self, model: &Model) {
        let meaning = |name: &String| Some(Meaning::of(model, model.inputs.get(name)?));
        let meanings: Vec<Option<Meaning>> = self.symbols.names.iter().map(meaning).collect();
        let of = &self.symbols.of;
        // Two symbols may both mean nothing; where they stand tells them apart.
        let around = Surroundings::gather(&self.reached(), of, meanings.len(), |picture| of[picture]);
        let mean_the_same = |a: usize, b: usize| match (&meanings[a], &meanings[b]) {
            (Some(a), Some(b)) => a.is_like(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let same = |a: usize, b: usize| mean_the_same(a, b) && around.distance(a, b) < SAME;
        let mut into: Vec<usize> = Vec::new();
        for number in 0..meanings.len() {
            let first = (0..number).find(|&other| same(other, number));
            into.push(first.map_or(number, |first| into[first]));
        }
        let is_symbol = |number: usize| {
            let others = (0..into.len()).filter(|&other| into[other] != number);
            let others = others.filter_map(|other| meanings[other].as_ref());
            into[number] == number && meanings[number].as_ref().is_some_and(|own| !own.is_mixture(others))
        };
        let kept: Vec<usize> = (0..into.len()).filter(|&number| is_symbol(number)).collect();
        let place = |into: &usize| kept.iter().position(|kept| kept == into).map(|place| place as u16);
        let new: Vec<Option<u16>> = into.iter().map(place).collect();
        self.symbols.names = kept.iter().map(|&number| self.symbols.names[number].clone()).collect();
        for of in &mut self.symbols.of {
            *of = of.and_then(|symbol| new[usize::from(symbol)]);
        }
        self.probabilities = add_up(&self.probabilities, &new, kept.len());
    }

    /// The rows whose pictures are all known, as text, without those that are probably misread.
    pub fn text(&self) -> Dataset {
        let read = |row: &'a ImageExample| {
            let symbols: Option<Vec<u16>> =
                row.input.iter().map(|&picture| self.symbols.of[picture as usize]).collect();
            symbols.map(|symbols| (symbols, row))
        };
        let read: Vec<(Vec<u16>, &ImageExample)> = self.reached().into_iter().filter_map(read).collect();
        let usual = usual(read.iter().map(|(symbols, _)| &symbols[..]));
        let mut inputs = Vocabulary::default();
        let mut name = |symbol: u16| inputs.intern(&self.symbols.names[usize::from(symbol)]);
        let examples =
            read.iter().filter(|(symbols, _)| usual.contains(&symbols[..])).map(|(symbols, row)| {
                let (input, output) =
                    (symbols.iter().map(|&symbol| name(symbol)).collect(), row.output.clone());
                Example { input, output, blanks: Box::default(), subset: None }
            });
        let examples = examples.collect();
        Dataset {
            name: self.data.name.clone(),
            origin: self.data.origin,
            cut: Cut::default(),
            outputs_guessed: false,
            inputs,
            outputs: self.data.outputs.clone(),
            examples,
            subsets: Vec::new(),
            odd_blanks: 0,
        }
    }

    /// Reads all rows such that their results come out, and teaches the network what it saw; the model loses the
    /// constructions that were hardly ever needed.
    pub fn learn(
        &mut self,
        model: &mut Model,
        steps: usize,
        rng: &mut ChaCha8Rng,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        let rows = self.reached();
        let readings = self.read_all(model, &rows, observer);
        observer.on(&Event::Seeing(Sight::Read(readings.iter().flatten().count(), rows.len())));
        let votes = self.votes(model, &rows, &readings);
        prune(model, readings.iter().flatten());
        self.symbols.of = elect(&votes, &self.symbols.of);
        let lessons = self.lessons(&votes);
        self.network = self.network.clone().with_symbols(self.symbols.names.len(), rng);
        teach((self.data, self.processor), &mut self.network, &lessons, steps, rng, observer)
    }

    /// Takes pictures for what they are in readings by a model that is already there, so that the next one learns
    /// from clean text.
    pub fn take_again(&mut self, model: &Model, observer: &mut dyn Observer) {
        let rows = self.reached();
        let readings = self.read_all(model, &rows, observer);
        self.symbols.of = elect(&self.votes(model, &rows, &readings), &self.symbols.of);
    }

    /// The most probable reading of each row that gives its result. Where hardly any of some has one, the model makes no sense of the others
    /// either, and takes very long to find that out.
    fn read_all(
        &self,
        model: &Model,
        rows: &[&ImageExample],
        observer: &mut dyn Observer,
    ) -> Vec<Option<Reading>> {
        let reader = Reader::new(model);
        watched(observer, |stop| {
            let read = |row: &&ImageExample| if stop() { None } else { self.read((model, &reader), row) };
            let some: Vec<&ImageExample> = spread(rows, ASKED).copied().collect();
            let can_read = some.par_iter().filter(|row| read(row).is_some()).count();
            let is_enough = can_read as f64 > HARDLY * some.len() as f64;
            rows.par_iter().map(|row| if is_enough { read(row) } else { None }).collect()
        })
    }

    /// The rows that are read.
    fn reached(&self) -> Vec<&'a ImageExample> {
        self.rows.all().filter(|row| row.input.len() <= self.reach).collect()
    }

    /// How often each picture was taken for each symbol in readings whose result is right.
    fn votes(&self, model: &Model, rows: &[&ImageExample], readings: &[Option<Reading>]) -> Vec<f32> {
        let count = self.symbols.names.len();
        let place = |name: &String| self.symbols.names.iter().position(|other| other == name);
        let places: Vec<Option<usize>> = model.inputs.names().iter().map(place).collect();
        let mut votes = vec![0.0; self.symbols.of.len() * count];
        for (row, reading) in rows.iter().zip(readings) {
            let symbols = reading.iter().flat_map(|reading| &reading.symbols);
            for (&picture, symbol) in row.input.iter().zip(symbols) {
                if let Some(symbol) = places[symbol.index()] {
                    votes[picture as usize * count + symbol] += 1.0;
                }
            }
        }
        votes
    }

    /// The most probable reading of a row that gives its result.
    fn read(&self, (model, reader): (&Model, &Reader<'_>), row: &ImageExample) -> Option<Reading> {
        let wanted = model.kind().read(&row.output, &self.data.outputs)?;
        let probs: Vec<SymbolProbs> = row.input.iter().map(|&picture| self.probs(picture, model)).collect();
        reader.read_as(&probs, &wanted)
    }

    /// How probable the model's symbols are for a picture.
    fn probs(&self, picture: u32, model: &Model) -> SymbolProbs {
        let count = self.symbols.names.len();
        let row = &self.probabilities[picture as usize * count..][..count];
        let symbols = row.iter().zip(&self.symbols.names);
        SymbolProbs::ranked(symbols.filter_map(|(&p, name)| Some((model.inputs.get(name)?, p))))
    }

    /// What the network learns: each picture as it was taken for, as often as it was seen, up to a bound.
    fn lessons(&self, votes: &[f32]) -> Vec<Lesson> {
        let count = self.symbols.names.len();
        let mut lessons = Vec::new();
        for (picture, votes) in votes.chunks_exact(count.max(1)).enumerate() {
            let total: f32 = votes.iter().sum();
            if let Some(symbol) = self.symbols.of[picture].filter(|_| total > 0.0) {
                let copies = 1 + (total / 8.0).min(7.0) as usize;
                lessons.extend(std::iter::repeat_n(
                    Lesson { picture: picture as u32, symbol, weight: 1.0 },
                    copies,
                ));
            }
        }
        lessons
    }
}

/// The network with the model's symbols, in their order. Those that became one with another are never seen.
pub(super) fn fit(network: Network, symbols: &Symbols, model: &Model) -> Network {
    let place = |name: &String| symbols.names.iter().position(|other| other == name);
    let kept: Vec<Option<usize>> = model.inputs.names().iter().map(place).collect();
    network.with_outputs(&kept)
}

/// Readings that are not much rarer than others of the same length. Misread rows look like nothing else, so nothing
/// would outvote them.
fn usual<'r>(read: impl Iterator<Item = &'r [u16]> + Clone) -> FxHashSet<&'r [u16]> {
    let mut counts: BTreeMap<&[u16], usize> = BTreeMap::new();
    read.clone().for_each(|symbols| *counts.entry(symbols).or_default() += 1);
    // The count of the reading of the middle row: rows, not readings, so that many misreadings do not matter.
    let mut by_row: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    read.for_each(|symbols| by_row.entry(symbols.len()).or_default().push(counts[symbols]));
    let middle = |counts: &mut Vec<usize>| {
        counts.sort_unstable();
        counts[counts.len() / 2]
    };
    let middle: BTreeMap<usize, usize> =
        by_row.iter_mut().map(|(&length, counts)| (length, middle(counts))).collect();
    let is_usual =
        |(symbols, count): &(&[u16], usize)| *count as f64 >= UNUSUAL * middle[&symbols.len()] as f64;
    counts.into_iter().filter(is_usual).map(|(symbols, _)| symbols).collect()
}

/// Each picture shows what it is taken for, but for a little doubt.
fn doubtful(symbols: &Symbols) -> Vec<f32> {
    let count = symbols.names.len();
    let row = |of: &Option<u16>| {
        let mut row = vec![if of.is_some() { DOUBT } else { 1.0 } / count as f32; count];
        of.iter().for_each(|&symbol| row[usize::from(symbol)] += 1.0 - DOUBT);
        row
    };
    symbols.of.iter().flat_map(row).collect()
}

/// Probabilities of symbols that became fewer; what showed one that is none shows one of the others.
fn add_up(probabilities: &[f32], new: &[Option<u16>], count: usize) -> Vec<f32> {
    let row = |row: &[f32]| {
        let mut sums = vec![0.0; count];
        for (p, new) in row.iter().zip(new) {
            new.iter().for_each(|&new| sums[usize::from(new)] += p);
        }
        let all: f32 = sums.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        sums.iter_mut().for_each(|sum| *sum /= all);
        sums
    };
    probabilities.chunks_exact(new.len().max(1)).flat_map(row).collect()
}

/// What each picture was taken for most often; as before where it was in no reading.
fn elect(votes: &[f32], before: &[Option<u16>]) -> Vec<Option<u16>> {
    let count = votes.len() / before.len().max(1);
    let elect = |(votes, before): (&[f32], &Option<u16>)| {
        let best = (0..count).rev().max_by(|&a, &b| votes[a].total_cmp(&votes[b]))?;
        if votes[best] > 0.0 { Some(best as u16) } else { *before }
    };
    votes.chunks_exact(count.max(1)).zip(before).map(elect).collect()
}
