//! Training: batches of pictures with the symbols they are taken for.

#[cfg(feature = "cuda")]
use super::augment::Move;
use super::param::Param;
use super::{Augment, Config, Network, Pass, softmax};
use crate::adam::correction;
use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// A picture and what it is to be taken for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// Its number.
    pub picture: u32,
    /// The symbol's number.
    pub symbol: u16,
    /// How much it counts.
    pub weight: f32,
}

/// What a network can be taught of one picture or more.
pub trait Taught: Copy {
    /// Of how many pictures it is.
    const PICTURES: usize;
    /// The numbers of these.
    fn pictures(self) -> impl Iterator<Item = u32>;
    /// What its picture is to be taken for, if it says that.
    fn lesson(self) -> Option<Lesson>;
    /// The mean loss of a batch of these; the `scores` of its pictures become their gradient.
    fn compare(batch: &[Self], scores: &mut [f32], symbols: usize) -> f32;
}

impl Taught for Lesson {
    const PICTURES: usize = 1;

    fn pictures(self) -> impl Iterator<Item = u32> {
        std::iter::once(self.picture)
    }

    fn lesson(self) -> Option<Lesson> {
        Some(self)
    }

    fn compare(batch: &[Lesson], scores: &mut [f32], symbols: usize) -> f32 {
        cross_entropy(scores, batch, symbols)
    }
}

/// How long and how fast a network learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Batches in all.
    pub steps: usize,
    /// Pictures in a batch. Default: 128.
    pub batch: usize,
    /// The rate at its highest, after a tenth of the steps; it falls to 0 in the end. Default: 0.004, and half of
    /// that for wide networks ([`Schedule::of`]).
    pub rate: f32,
    /// The share of the weights that is taken away in a step, for each unit of rate. Default: 0.01.
    pub decay: f32,
    /// How pictures are changed.
    pub augment: Augment,
}

/// Networks of more features are wide.
const WIDE: usize = 128;

impl Schedule {
    /// So many steps, all else by default.
    pub fn steps(steps: usize) -> Schedule {
        Schedule { steps, batch: 128, rate: 0.004, decay: 0.01, augment: Augment::default() }
    }

    /// The same for a network of this size: wide ones learn at half the rate, which was better for the validation
    /// writers of handwritten HINT.
    pub fn of(config: &Config, steps: usize) -> Schedule {
        let plain = Schedule::steps(steps);
        let rate = if config.features() > WIDE { plain.rate / 2.0 } else { plain.rate };
        Schedule { rate, ..plain }
    }

    /// The rate of a step: up in a straight line, down along a cosine.
    fn rate_at(&self, step: usize) -> f32 {
        let warm = (self.steps / 10).max(1);
        if step < warm {
            return self.rate * (step + 1) as f32 / warm as f32;
        }
        let gone = (step - warm) as f32 / (self.steps - warm).max(1) as f32;
        self.rate * 0.5 * (1.0 + (std::f32::consts::PI * gone).cos())
    }

    /// Adam's rate in a step, with the correction for young means, and the share of the weights that is taken away.
    pub(super) fn rates(&self, step: usize) -> [f32; 2] {
        let plain = self.rate_at(step);
        [plain * correction(step as i32 + 1), plain * self.decay]
    }

    /// How the pictures of a batch are changed.
    #[cfg(feature = "cuda")]
    pub(super) fn moves(&self, batch: usize, side: usize, rng: &mut impl Rng) -> Vec<Move> {
        let seed: u64 = rng.random();
        (0..batch).map(|number| self.augment.draw(side, &mut picture_rng(seed, number))).collect()
    }
}

impl Network {
    /// Learns `lessons` about pictures of which `pixels` has all. A batch has as many as are about its number of pictures. `watch` is told each
    /// step and its mean loss, and ends training by `false`.
    pub fn learn<T: Taught>(
        &mut self,
        pixels: &[u8],
        lessons: &[T],
        schedule: &Schedule,
        rng: &mut impl Rng,
        mut watch: impl FnMut(usize, f32) -> bool,
    ) {
        let mut deck: Vec<T> = Vec::new();
        for step in 0..if lessons.is_empty() { 0 } else { schedule.steps } {
            let batch = draw(lessons, &mut deck, schedule.batch / T::PICTURES, rng);
            let pictures: Vec<u32> = batch.iter().flat_map(|lesson| lesson.pictures()).collect();
            let (mut scores, pass) = self.forward(self.show(pixels, &pictures, &schedule.augment, rng));
            let loss = T::compare(&batch, &mut scores, self.symbols());
            self.descend(&pass, &scores, schedule, step);
            if !watch(step, loss) {
                break;
            }
        }
        self.parameters(&mut Param::rest);
    }

    /// The changed pictures of a batch.
    pub(super) fn show(
        &self,
        pixels: &[u8],
        pictures: &[u32],
        augment: &Augment,
        rng: &mut impl Rng,
    ) -> Vec<f32> {
        let side = self.config().side;
        let area = side * side;
        let seed: u64 = rng.random();
        let mut input = vec![0.0; pictures.len() * area];
        input.par_chunks_mut(area).zip(pictures).enumerate().for_each(|(number, (out, &picture))| {
            let mut rng = picture_rng(seed, number);
            let start = picture as usize * area;
            augment.apply(&pixels[start..start + area], side, &mut rng, out);
        });
        input
    }

    /// Moves all weights against the gradient, given that of the scores.
    pub(super) fn descend(&mut self, pass: &Pass, scores: &[f32], schedule: &Schedule, step: usize) {
        self.backward(pass, scores);
        let [rate, decay] = schedule.rates(step);
        self.parameters(&mut |param: &mut Param| param.step(rate, decay));
    }
}

/// Each picture of a batch has random numbers of its own.
fn picture_rng(seed: u64, number: usize) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed.wrapping_add(number as u64))
}

/// The next lessons of a shuffled deck, which begins anew when it is used up.
pub(super) fn draw<T: Copy>(lessons: &[T], deck: &mut Vec<T>, count: usize, rng: &mut impl Rng) -> Vec<T> {
    let mut batch = Vec::with_capacity(count);
    while batch.len() < count {
        if deck.is_empty() {
            deck.extend_from_slice(lessons);
            deck.shuffle(rng);
        }
        let taken = deck.len().saturating_sub(count - batch.len());
        batch.extend(deck.drain(taken..));
    }
    batch
}

/// The mean loss; `scores` become its gradient.
fn cross_entropy(scores: &mut [f32], batch: &[Lesson], symbols: usize) -> f32 {
    let total: f32 = batch.iter().map(|lesson| lesson.weight).sum::<f32>().max(f32::MIN_POSITIVE);
    let mut loss = 0.0;
    for (row, lesson) in scores.chunks_exact_mut(symbols).zip(batch) {
        softmax(row);
        let symbol = usize::from(lesson.symbol);
        loss -= lesson.weight * row[symbol].max(f32::MIN_POSITIVE).ln();
        row[symbol] -= 1.0;
        row.iter_mut().for_each(|value| *value *= lesson.weight / total);
    }
    loss / total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(picture: u32, symbol: u16) -> Lesson {
        Lesson { picture, symbol, weight: 1.0 }
    }

    fn tiny() -> Config {
        Config { side: 6, stride: 1, widths: vec![3, 4], blocks: 1 }
    }

    /// The gradient of every weight is compared with what a small change of the weight does to the loss.
    #[test]
    fn gradients_agree_with_finite_differences() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut network = Network::new(tiny(), 3, &mut rng);
        let batch: Vec<Lesson> = (0..10).map(|number| lesson(number, (number % 3) as u16)).collect();
        let input: Vec<f32> = (0..10 * 36).map(|_| rng.random_range(0.0..1.0)).collect();
        let loss = |network: &Network| {
            let (mut scores, _) = network.clone().forward(input.clone());
            f64::from(cross_entropy(&mut scores, &batch, 3))
        };
        let (mut scores, pass) = network.forward(input.clone());
        cross_entropy(&mut scores, &batch, 3);
        network.backward(&pass, &scores);
        let mut gradients: Vec<Vec<f32>> = Vec::new();
        network.parameters(&mut |param: &mut Param| gradients.push(param.gradient.clone()));
        let change = |number: usize, place: usize, by: f32| {
            let (mut other, mut count) = (network.clone(), 0);
            other.parameters(&mut |param: &mut Param| {
                if count == number {
                    param.value[place] += by;
                }
                count += 1;
            });
            loss(&other)
        };
        let mut compared = 0;
        for (number, gradient) in gradients.iter().enumerate() {
            for place in (0..gradient.len()).step_by(1 + gradient.len() / 8) {
                // Small, for rectifiers have corners.
                let step = 5e-4;
                let slope =
                    (change(number, place, step) - change(number, place, -step)) / f64::from(2.0 * step);
                let exact = f64::from(gradient[place]);
                assert!(
                    (slope - exact).abs() < 2e-3 + 0.05 * exact.abs(),
                    "{number}.{place}: {slope} {exact}"
                );
                compared += usize::from(exact.abs() > 1e-3);
            }
        }
        assert!(compared > 50, "{compared} gradients are not 0");
    }

    fn learned(threads: usize) -> Network {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let mut network = Network::new(Config { side: 8, ..tiny() }, 2, &mut rng);
            let pixels: Vec<u8> = (0..40 * 64).map(|number| bar(number / 64, number % 64)).collect();
            let lessons: Vec<Lesson> = (0..40).map(|number| lesson(number, (number % 2) as u16)).collect();
            let schedule = Schedule {
                batch: 20,
                rate: 0.02,
                augment: Augment { shift: 1.0, ..Augment::none() },
                ..Schedule::steps(60)
            };
            network.learn(&pixels, &lessons, &schedule, &mut rng, |_, _| true);
            network
        })
    }

    /// Even pictures have an upright bar, odd ones a lying one, with a little dirt.
    fn bar(picture: usize, pixel: usize) -> u8 {
        let (x, y) = (pixel % 8, pixel / 8);
        let ink = if picture.is_multiple_of(2) { x == 3 + picture % 3 } else { y == 3 + picture % 3 };
        if ink { 255 } else { (picture * 31 + pixel * 17) as u8 % 40 }
    }

    #[test]
    fn it_learns_and_the_number_of_threads_does_not_show() {
        let network = learned(1);
        let pixels: Vec<u8> = (40..60 * 64).map(|number| bar(number / 64, number % 64)).collect();
        let probabilities = network.predict(&pixels[..pixels.len() / 64 * 64]);
        assert_eq!(network, learned(3));
        let pixels: Vec<u8> = (0..20 * 64).map(|number| bar(7 + number / 64, number % 64)).collect();
        let right = network
            .predict(&pixels)
            .chunks(2)
            .enumerate()
            .filter(|(number, row)| (row[1] > 0.5) == (number % 2 == 0))
            .count();
        assert_eq!(right, 20);
        assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)));
        assert!(network.is_sound());
        assert!(!network.clone().with_outputs(&[]).is_sound());
        let fewer = network.clone().with_outputs(&[Some(1), None]).predict(&pixels);
        assert!(fewer.chunks(2).all(|row| row[0] == 1.0 && row[1] == 0.0));
    }
}
