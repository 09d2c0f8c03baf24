//! Networks on a graphics card do what they do on the CPU. Where there is no card, a line says so and nothing is tested.
#![cfg(feature = "cuda")]

use nsr::perception::network::cuda::{Card, Precision};
use nsr::perception::network::{Augment, Config, Lesson, Network, Schedule};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The card, or `None` with a line where there is no card.
fn card(precision: Precision) -> Option<Card> {
    Card::open(precision).map_err(|error| eprintln!("skipped: {error}")).ok()
}

struct Class {
    network: Network,
    pixels: Vec<u8>,
    lessons: Vec<Lesson>,
}

/// Bars at places that tell which symbol a picture shows.
fn class(config: Config, symbols: usize) -> Class {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (side, count) = (config.side, 300);
    let pixel = |number: usize| {
        let (picture, place) = (number / (side * side), number % (side * side));
        if place % side == picture % symbols { 255 } else { rng.random_range(0..90) }
    };
    let pixels = (0..count * side * side).map(pixel).collect();
    let lesson = |picture: usize| Lesson {
        picture: picture as u32,
        symbol: (picture % symbols) as u16,
        weight: 0.5 + (picture % 3) as f32,
    };
    let network = Network::new(config, symbols, &mut rng);
    Class { network, pixels, lessons: (0..count).map(lesson).collect() }
}

fn schedule(steps: usize) -> Schedule {
    let augment = Augment { erase: 0.2, ..Augment::default() };
    Schedule { batch: 40, rate: 0.002, augment, ..Schedule::steps(steps) }
}

/// What a class learns: what each picture shows, or that those of one symbol are alike.
#[derive(Clone, Copy, Debug)]
enum Subject {
    Symbols,
    Likeness,
}

/// The losses of all steps on the CPU and on the card, and the networks.
fn learned(card: &Card, class: &Class, subject: Subject, steps: usize) -> [(Vec<f32>, Network); 2] {
    let Class { pixels, lessons, .. } = class;
    let symbols = class.network.symbols() as u32;
    let pairs: Vec<(u32, u32)> = (0..200).map(|number| (number, number + symbols)).collect();
    let schedule = schedule(steps);
    let learn = |on_card: bool| {
        let rng = &mut ChaCha8Rng::seed_from_u64(11);
        let (mut network, mut losses) = (class.network.clone(), Vec::new());
        let watch = |_, loss| {
            losses.push(loss);
            true
        };
        match (subject, on_card) {
            (Subject::Symbols, false) => network.learn(pixels, lessons, &schedule, rng, watch),
            (Subject::Symbols, true) => {
                card.learn(&mut network, pixels, lessons, &schedule, rng, watch).unwrap();
            }
            (Subject::Likeness, false) => network.learn(pixels, &pairs, &schedule, rng, watch),
            (Subject::Likeness, true) => {
                card.learn(&mut network, pixels, &pairs, &schedule, rng, watch).unwrap();
            }
        }
        (losses, network)
    };
    [learn(false), learn(true)]
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    let norm = |values: &mut dyn Iterator<Item = f32>| values.map(|value| value * value).sum::<f32>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}

/// All weights and running means.
fn weights(network: &Network) -> Vec<f32> {
    network.tensors().iter().flat_map(|tensor| tensor.values.iter().copied()).collect()
}

/// Steps on the card are those of the CPU: losses, weights, running means, probabilities and features.
#[track_caller]
fn check(config: &Config, symbols: usize, subject: Subject, precision: Precision, close: f32) {
    let Some(card) = card(precision) else { return };
    let class = class(config.clone(), symbols);
    let [(cpu, _), (gpu, _)] = learned(&card, &class, subject, 60);
    eprintln!("{subject:?} {precision:?} {:?}: {:?} {:?}", config.widths, &cpu[..4], &gpu[..4]);
    let early = distance(&gpu[..4], &cpu[..4]);
    assert!(early < close, "losses: {early}");
    assert!((cpu[59] - gpu[59]).abs() < 0.1 + 0.2 * cpu[0], "{} {}", cpu[59], gpu[59]);
    // Adam's first steps depend on signs alone, and those of tiny gradients are chance: few weights may differ.
    let [(_, cpu), (_, gpu)] = learned(&card, &class, subject, 2);
    let moved = distance(&weights(&gpu), &weights(&cpu));
    let shown = &class.pixels[..7 * config.side * config.side];
    let probabilities = distance(&card.predict(&cpu, shown).unwrap(), &cpu.predict(shown));
    let features = distance(&card.features(&cpu, shown).unwrap(), &cpu.features(shown));
    eprintln!("weights {moved}, probabilities {probabilities}, features {features}");
    assert!(moved < 3.0 * close && probabilities < close && features < 3.0 * close);
}

#[test]
fn steps_on_a_card_are_those_of_the_cpu() {
    let tiny = Config { side: 9, stride: 1, widths: vec![3, 5], blocks: 1 };
    let small = Config::small(16);
    let deep = Config { side: 16, stride: 1, widths: vec![16, 32, 64], blocks: 2 };
    for (precision, close) in [(Precision::Single, 1e-3), (Precision::Tensor, 1e-2), (Precision::Half, 5e-2)]
    {
        for subject in [Subject::Symbols, Subject::Likeness] {
            check(&tiny, 3, subject, precision, close);
            check(&small, 11, subject, precision, close);
            check(&deep, 40, subject, precision, close);
        }
    }
}

#[test]
fn the_same_card_gives_the_same_network_again() {
    let Some(card) = card(Precision::Half) else { return };
    let class = class(Config::small(16), 5);
    for subject in [Subject::Symbols, Subject::Likeness] {
        let again = || learned(&card, &class, subject, 120)[1].clone();
        let (first, second) = (again(), again());
        assert!(first.1 == second.1 && first.0 == second.0, "{subject:?}");
    }
}
