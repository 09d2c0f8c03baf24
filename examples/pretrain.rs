//! Measures how well handwriting is grouped by its looks alone: the purity of the groups by the true labels, which
//! nothing learns from.
//!
//! ```text
//! cargo run --release --example pretrain -- [STEPS [GROUPS [SEED [PICTURES]]]]
//! ```
//!
//! The published pictures are used if the environment variable `NSR_DATA` names the folder that holds them; otherwise
//! they are drawn.
// An example is there to print.
#![allow(clippy::print_stdout)]

use nsr::data::handwriting::{Writers, load};
use nsr::data::picture::Preprocess;
use nsr::perception::network::{Config, Network, Processor, Schedule};
use nsr::perception::pretrain::{Groups, label, learn_looks};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<usize> = std::env::args().skip(1).map(|arg| arg.parse()).collect::<Result<_, _>>()?;
    let number = |place: usize, default: usize| given.get(place).copied().unwrap_or(default);
    let (steps, groups) = (number(0, 500), number(1, 64));
    let seed = number(2, 0) as u64;
    let folder = std::env::var_os("NSR_DATA").map(PathBuf::from);
    let handwriting = load(Writers::Train, folder.as_deref(), seed, &Preprocess::default())?;
    let pixels = handwriting.pictures.pixels();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut seen: Vec<u32> = (0..handwriting.pictures.len() as u32).collect();
    seen.shuffle(&mut rng);
    seen.truncate(number(3, 20_000));
    let config = Config::small(handwriting.pictures.side() as usize);
    let start = Instant::now();
    let told = |what: &str, groups: &[Option<u16>]| {
        let (purity, pictures) = handwriting.labels.purity(groups);
        let seconds = start.elapsed().as_secs();
        println!("{what}: {:.2} % pure, {pictures} pictures, {seconds} s", 100.0 * purity);
    };
    let mut network = Network::new(config.clone(), 1, &mut rng);
    let looked = (pixels, &Processor::Cpu);
    learn_looks(looked, &mut network, &seen, steps, &mut rng, |_, _| true)?;
    let found = Groups::make(looked, &network, &seen, groups, &mut rng)?;
    told("groups", &found.of);
    let sure = found.sure(&found.of);
    let surely = found.of.iter().zip(&sure).map(|(of, sure)| of.filter(|_| *sure));
    told("sure", &surely.collect::<Vec<_>>());
    let schedule = Schedule::of(&config, steps);
    label(looked, &mut network, (&found.of, &sure), &schedule, &mut rng, |_, _| true)?;
    let labels = network.predict(pixels);
    let rows = labels.chunks_exact(network.symbols());
    let best =
        |row: &[f32]| (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b])).map(|best| best as u16);
    told("labels", &rows.clone().map(best).collect::<Vec<_>>());
    let certain = |row: &[f32]| best(row).filter(|&best| row[usize::from(best)] > 0.8);
    told("certain labels", &rows.map(certain).collect::<Vec<_>>());
    Ok(())
}
