//! How many pictures a second the networks for pictures learn from and look at, on the CPU and on a graphics card.
//!
//! `python3 benches/network_torch.py` measures PyTorch in the same way. Learning includes choosing, moving and uploading
//! pictures; looking includes the way of pictures to the card and of probabilities back. Where there is no card, one line
//! says so. `cargo bench --bench network -- cpu` measures the CPU too, which takes minutes.

#![allow(clippy::print_stdout)]

use nsr::perception::network::cuda::{Card, Precision};
use nsr::perception::network::{Config, Lesson, Network, Processor, Schedule};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

const SIDE: usize = 32;
const SYMBOLS: usize = 16;
/// Steps that are not counted, then steps that are.
const WARM: usize = 50;

struct Class {
    pixels: Vec<u8>,
    lessons: Vec<Lesson>,
}

impl Class {
    fn new(count: usize) -> Class {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let pixels = (0..count * SIDE * SIDE).map(|_| rng.random()).collect();
        let lesson = |picture| Lesson { picture, symbol: picture as u16 % SYMBOLS as u16, weight: 1.0 };
        Class { pixels, lessons: (0..count as u32).map(lesson).collect() }
    }
}

/// Pictures a second in learning, by batches of this size.
fn learning(processor: &Processor, config: &Config, class: &Class, batch: usize, steps: usize) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut network = Network::new(config.clone(), SYMBOLS, &mut rng);
    let schedule = Schedule { batch, ..Schedule::steps(WARM + steps) };
    let (mut start, mut end) = (Instant::now(), Instant::now());
    let watch = |step: usize, _| {
        let now = if step < WARM { &mut start } else { &mut end };
        *now = Instant::now();
        true
    };
    processor.learn(&mut network, &class.pixels, &class.lessons, &schedule, &mut rng, watch).unwrap();
    (batch * steps) as f64 / (end - start).as_secs_f64()
}

/// Pictures a second in looking.
fn looking(processor: &Processor, config: &Config, class: &Class) -> f64 {
    let network = Network::new(config.clone(), SYMBOLS, &mut ChaCha8Rng::seed_from_u64(0));
    let look = || {
        let start = Instant::now();
        let probabilities = processor.predict(&network, &class.pixels).unwrap();
        assert!(probabilities.iter().all(|p| p.is_finite()));
        class.lessons.len() as f64 / start.elapsed().as_secs_f64()
    };
    look();
    look()
}

fn measure(
    name: &str,
    processor: &Processor,
    config: &Config,
    (pictures, steps): (usize, usize),
    batch: usize,
) {
    let class = Class::new(pictures);
    let (learn, look) =
        (learning(processor, config, &class, batch, steps), looking(processor, config, &class));
    let widths = &config.widths;
    println!(
        "nsr {name}, widths {widths:?}, batch {batch}: {learn:.0} pictures/s learning, {look:.0} looking"
    );
}

fn main() {
    let (small, large) = (Config::small(SIDE), Config::resnet18(SIDE));
    if std::env::args().any(|arg| arg == "cpu") {
        measure("CPU", &Processor::Cpu, &small, (4_000, 20), 128);
        measure("CPU", &Processor::Cpu, &large, (200, 2), 32);
    }
    for precision in [Precision::Single, Precision::Tensor, Precision::Half] {
        match Card::open(precision) {
            Err(error) => return println!("no graphics card is measured: {error}"),
            Ok(card) => {
                let name = format!("{}, {precision:?}", card.name());
                let card = Processor::Cuda(Box::new(card));
                for batch in [128, 512] {
                    measure(&name, &card, &large, (50_000, 200), batch);
                }
                measure(&name, &card, &small, (50_000, 400), 128);
            }
        }
    }
}
