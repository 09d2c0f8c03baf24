//! The first symbols by looks: pre-training without labels, as in the paper.
//!
//! The network learns which pictures look alike (`perception::pretrain`). Where rows of one picture tell hardly
//! anything, pictures are then grouped by their looks, into far more groups than there can be symbols, and groups with
//! the same surroundings are one symbol. The network learns the symbols of the pictures that are sure of theirs, and says
//! what the others show. What is then still two symbols of one meaning is merged when meanings are known.

use super::ground::Ground;
use super::merge::{Surroundings, merge};
use super::{Observer, Symbols, watch};
use crate::data::ImageExample;
use crate::error::Result;
use crate::perception::network::Schedule;
use crate::perception::pretrain::{self, Groups};
use crate::training::watched;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Pictures are put into at most so many groups,
const MOST_GROUPS: usize = 64;
/// of so many pictures on average: what surrounds fewer is chance.
const GROUP: usize = 16;
/// At most so many sightings are looked at.
const SIGHTINGS: usize = 10_000;
/// A smaller share of the sightings is no symbol but a mixture.
const RARE: f64 = 0.01;
/// A picture shows a symbol if the network gives it this probability.
const CERTAIN: f32 = 0.8;

/// Teaches the network which pictures of short rows look alike.
pub(super) fn learn_looks(
    ground: &mut Ground<'_>,
    steps: usize,
    rng: &mut ChaCha8Rng,
    observer: &mut dyn Observer,
) -> Result<()> {
    let seen: Vec<u32> = ground.rows.short().flat_map(|row| row.input.iter().copied()).collect();
    let seen = some(&seen, rng);
    let pictures = (ground.data.pictures.pixels(), ground.processor);
    pretrain::learn_looks(pictures, &mut ground.network, &seen, steps, rng, watch(steps, observer))
}

/// Finds the first symbols, in rows up to the length at the end of `lengths`, and which pictures show them.
pub(super) fn group(
    ground: &mut Ground<'_>,
    lengths: &RangeInclusive<usize>,
    steps: usize,
    rng: &mut ChaCha8Rng,
    observer: &mut dyn Observer,
) -> Result<()> {
    let rows: Vec<&ImageExample> = ground.rows.of_lengths(1..=*lengths.end()).collect();
    let sightings: Vec<u32> = rows.iter().flat_map(|row| row.input.iter().copied()).collect();
    let distinct: BTreeSet<u32> = sightings.iter().copied().collect();
    let count = (distinct.len() / GROUP).clamp(1, MOST_GROUPS);
    let pictures = (ground.data.pictures.pixels(), ground.processor);
    let some = some(&sightings, rng);
    let groups =
        watched(observer, |stop| Groups::make_until(pictures, &ground.network, (&some, count), rng, stop))?;
    if observer.stop() {
        return Ok(());
    }
    let Symbols { names, of } = name(&rows, &groups.of, count);
    let sure = groups.sure(&of);
    let schedule = Schedule::of(ground.network.config(), steps);
    let network = &mut ground.network;
    pretrain::label(pictures, network, (&of, &sure), &schedule, rng, watch(steps, observer))?;
    let found = watched(observer, |stop| ground.processor.predict_until(network, pictures.0, stop))?;
    let certain = certain(&found, ground.network.symbols(), &distinct);
    // A network that learned too little to be certain of anything leaves what looks and surroundings tell.
    let surely = || of.iter().zip(&sure).map(|(of, sure)| of.filter(|_| *sure)).collect();
    let of = if certain.iter().any(Option::is_some) { certain } else { surely() };
    ground.symbols = Symbols { names, of };
    Ok(())
}

/// What those of all pictures show of which the network is certain.
fn certain(found: &[f32], symbols: usize, pictures: &BTreeSet<u32>) -> Vec<Option<u16>> {
    let certain = |row: &[f32]| row.iter().position(|&probability| probability > CERTAIN);
    let rows = (0..).zip(found.chunks_exact(symbols.max(1)));
    let show = |(picture, row): (u32, &[f32])| certain(row).filter(|_| pictures.contains(&picture));
    rows.map(show).map(|symbol| symbol.map(|symbol| symbol as u16)).collect()
}

/// Some of these sightings.
fn some(sightings: &[u32], rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut some = sightings.to_vec();
    some.shuffle(rng);
    some.truncate(SIGHTINGS);
    some
}

/// A symbol for every group that is distributed like no other, and which pictures show it.
fn name(rows: &[&ImageExample], groups: &[Option<u16>], count: usize) -> Symbols {
    // What the neighbours are is not known yet; where a row ends and what its result is must do.
    let leaders = merge(&Surroundings::gather(rows, groups, count, |_| None), RARE);
    let mut symbols = Symbols { names: Vec::new(), of: vec![None; groups.len()] };
    symbols.add_groups(groups, &leaders);
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_of_the_rows_can_be_certain() {
        let found = [0.9, 0.1, 0.5, 0.5, 0.1, 0.9];
        assert_eq!(certain(&found, 2, &BTreeSet::from([0, 1])), [Some(0), None, None]);
    }
}
