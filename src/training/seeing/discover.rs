//! New symbols: pictures that look like none of the symbols known so far.
//!
//! The network learns to tell the known symbols and *other*, which is what every picture of the longer rows is called
//! that is not known yet. Some of these show known symbols and look like them, so the network stays in doubt about
//! them; what it is certain to be other is new. No number of symbols is needed for this.
//!
//! Of an other picture it also learns to guess the result of its row. Symbols that do different things to results
//! thus come to look different to it, be they as alike as a minus and a division sign.

use super::ground::Ground;
use super::merge::{Surroundings, merge};
use super::{Observer, Symbols, teach};
use crate::data::{ImageDataset, ImageExample};
use crate::error::Result;
use crate::perception::cluster;
use crate::perception::network::{Lesson, Network, Processor};
use crate::stop::Stop;
use crate::symbol::Symbol;
use crate::training::watched;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A picture is new if it is other with this probability.
const NEW: f32 = 0.8;
/// A picture shows a known symbol if it is other with at most this probability,
const OLD: f32 = 0.6;
/// and the symbol has this share of the rest.
const KNOWN: f32 = 0.9;
/// New pictures are put into so many groups, more than there are symbols to be expected; groups are merged.
const GROUPS: usize = 32;
/// At most so many sightings are grouped.
const SIGHTINGS: usize = 20_000;
/// So many of the most frequent results are told apart.
const RESULTS: usize = 64;
/// A smaller share of the sightings is no symbol but a mistake.
const RARE: f64 = 0.02;

/// Finds the new symbols of rows of these lengths, and which pictures show them or known ones.
pub(super) fn extend(
    ground: &mut Ground<'_>,
    lengths: &RangeInclusive<usize>,
    steps: usize,
    rng: &mut ChaCha8Rng,
    observer: &mut dyn Observer,
) -> Result<()> {
    let Ground { data, rows, processor, symbols, network, .. } = ground;
    let stage: Vec<&ImageExample> = rows.of_lengths(lengths.clone()).collect();
    let known: Vec<&ImageExample> = rows.of_lengths(1..=*lengths.end()).collect();
    let other = symbols.names.len();
    let results = Results::new(&stage);
    let lessons = lessons(&known, &stage, symbols, &results, rng);
    *network = network.clone().with_symbols(other + results.count(), rng);
    teach((data, processor), network, &lessons, steps, rng, observer)?;
    let pixels = data.pictures.pixels();
    let found = watched(observer, |stop| processor.predict_until(network, pixels, stop))?;
    let guesses = guesses(&found, network, other);
    let seen = seen(&known, data.pictures.len());
    let unknown = |picture: &usize| seen[*picture] && symbols.of[*picture].is_none();
    let unknown: Vec<usize> = (0..seen.len()).filter(unknown).collect();
    let mut new = vec![false; seen.len()];
    unknown.iter().for_each(|&picture| new[picture] = guesses[picture].other > NEW);
    let groups = Groups { data, processor, stage: &stage, new: &new, guesses: &guesses };
    watched(observer, |stop| groups.name(network, symbols, rng, stop))?;
    for picture in unknown {
        let Guess { symbol, other, share } = guesses[picture];
        if other <= OLD && share > KNOWN {
            symbols.of[picture] = Some(symbol);
        }
    }
    Ok(())
}

/// Which pictures occur in these rows. Others may show something quite new, and stay unknown.
fn seen(rows: &[&ImageExample], pictures: usize) -> Vec<bool> {
    let mut seen = vec![false; pictures];
    rows.iter().flat_map(|row| &row.input).for_each(|&picture| seen[picture as usize] = true);
    seen
}

/// The most frequent results, numbered; all others are one.
struct Results<'a>(Vec<&'a [Symbol]>);

impl<'a> Results<'a> {
    fn new(rows: &[&'a ImageExample]) -> Results<'a> {
        let mut counts: BTreeMap<&[Symbol], usize> = BTreeMap::new();
        rows.iter().for_each(|row| *counts.entry(&row.output).or_default() += 1);
        let mut results: Vec<(&[Symbol], usize)> = counts.into_iter().collect();
        results.sort_by_key(|(_, count)| Reverse(*count));
        Results(results.into_iter().map(|(result, _)| result).take(RESULTS).collect())
    }

    fn count(&self) -> usize {
        self.0.len() + 1
    }

    fn number(&self, row: &ImageExample) -> usize {
        self.0.iter().position(|result| **result == *row.output).unwrap_or(self.0.len())
    }
}

/// As many pictures of known symbols as others.
fn lessons(
    known: &[&ImageExample],
    stage: &[&ImageExample],
    symbols: &Symbols,
    results: &Results<'_>,
    rng: &mut ChaCha8Rng,
) -> Vec<Lesson> {
    let lesson = |picture: u32, symbol: u16| Lesson { picture, symbol, weight: 1.0 };
    let sightings = known.iter().flat_map(|row| row.input.iter());
    let certain = |&picture: &u32| Some(lesson(picture, symbols.of[picture as usize]?));
    let mut lessons: Vec<Lesson> = sightings.filter_map(certain).collect();
    let other = |row: &&ImageExample| {
        let result = (symbols.names.len() + results.number(row)) as u16;
        let unknown = row.input.iter().filter(|picture| symbols.of[**picture as usize].is_none());
        unknown.map(|&picture| lesson(picture, result)).collect::<Vec<_>>()
    };
    let mut others: Vec<Lesson> = stage.iter().flat_map(other).collect();
    let enough = if lessons.is_empty() { others.len() } else { lessons.len().min(others.len()) };
    for lessons in [&mut lessons, &mut others] {
        lessons.shuffle(rng);
        lessons.truncate(enough.clamp(1, SIGHTINGS));
    }
    lessons.extend(others);
    lessons
}

/// What a picture might show.
struct Guess {
    /// The most probable known symbol.
    symbol: u16,
    /// The probability that it shows something else.
    other: f32,
    /// The symbol's share of the rest.
    share: f32,
}

fn guesses(probabilities: &[f32], network: &Network, other: usize) -> Vec<Guess> {
    let guess = |row: &[f32]| {
        let best = (0..other).rev().max_by(|&a, &b| row[a].total_cmp(&row[b]));
        let rest = row[..other].iter().sum::<f32>().max(f32::MIN_POSITIVE);
        match best {
            Some(best) => Guess { symbol: best as u16, other: 1.0 - rest, share: row[best] / rest },
            // Nothing is known yet: all is new.
            None => Guess { symbol: 0, other: 1.0, share: 0.0 },
        }
    };
    probabilities.chunks_exact(network.symbols()).map(guess).collect()
}

struct Groups<'a> {
    data: &'a ImageDataset,
    processor: &'a Processor,
    stage: &'a [&'a ImageExample],
    new: &'a [bool],
    guesses: &'a [Guess],
}

impl Groups<'_> {
    /// Groups new pictures, and makes a symbol of every group that is distributed like no other.
    fn name(
        &self,
        network: &Network,
        symbols: &mut Symbols,
        rng: &mut ChaCha8Rng,
        stop: Stop<'_>,
    ) -> Result<()> {
        let sightings: Vec<u32> = self.stage.iter().flat_map(|row| row.input.iter().copied()).collect();
        let mut seen: Vec<u32> =
            sightings.iter().copied().filter(|&picture| self.new[picture as usize]).collect();
        if (seen.len() as f64) < RARE * sightings.len() as f64 {
            return Ok(());
        }
        seen.shuffle(rng);
        seen.truncate(SIGHTINGS);
        // Pictures that were not drawn belong to no group; abduction will tell what they show.
        let mut groups: Vec<Option<u16>> = vec![None; self.new.len()];
        for (&picture, group) in seen.iter().zip(self.look_alike(network, &seen, rng, stop)?) {
            groups[picture as usize] = Some(group as u16);
        }
        let leaders = merge(&self.surroundings(&groups, symbols), RARE);
        symbols.add_groups(&groups, &leaders);
        Ok(())
    }

    /// The group of each of these sightings by the network's features.
    fn look_alike(
        &self,
        network: &Network,
        seen: &[u32],
        rng: &mut ChaCha8Rng,
        stop: Stop<'_>,
    ) -> Result<Vec<usize>> {
        let width = network.config().features();
        let pixels = seen.iter().flat_map(|&picture| self.data.pictures.get(picture).unwrap_or(&[]));
        let features = self.processor.features_until(network, &pixels.copied().collect::<Vec<u8>>(), stop)?;
        Ok(cluster(&features, width, GROUPS, rng, stop))
    }

    fn surroundings(&self, groups: &[Option<u16>], symbols: &Symbols) -> Surroundings {
        Surroundings::gather(self.stage, groups, GROUPS, |picture| {
            match (self.new[picture], symbols.of[picture]) {
                (true, _) => None,
                (false, Some(symbol)) => Some(symbol),
                (false, None) => Some(self.guesses[picture].symbol),
            }
        })
    }
}
