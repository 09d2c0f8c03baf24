//! Networks on a graphics card (NVIDIA, CUDA).
//!
//! The driver, NVRTC and cuBLAS are loaded when a [`Card`] is opened; a program that never does runs anywhere, and
//! building it needs none of them. Kernels are compiled then, from `kernels.cu`. A network is copied to the card, learns
//! or looks there, and is copied back: [`Network`] itself is always in the computer's memory.
//!
//! Learning does the same steps as on the CPU with the same random numbers. A step is recorded once and played again;
//! what differs from step to step (pictures, rates) lies on the card for many steps, and a counter tells which is next.
//! Contrast, which compares all pictures of a batch, is worked out by the CPU in the middle of each step: the scores of a
//! batch are few.

mod card;
mod pass;
mod plan;

pub use card::{Card, Precision};

use super::contrast::contrast;
use super::learn::{Lesson, Schedule, Taught, draw};
use super::{Move, Network, softmax};
use crate::error::Result;
use card::{Arg, Buffer, Recording, Threads};
use pass::{Back, Flow};
use plan::Plan;
use rand::Rng;

/// So many pictures are looked at at a time.
const BATCH: usize = 512;
/// So many steps are prepared at a time, and reported at its end.
const PORTION: usize = 50;
/// Numbers that say how a picture is changed; `kernels.cu` says which.
const MOVE: usize = 10;

impl Card {
    /// As [`Network::learn`]; `watch` hears of many steps at a time.
    pub fn learn<T: Taught>(
        &self,
        network: &mut Network,
        pixels: &[u8],
        lessons: &[T],
        schedule: &Schedule,
        rng: &mut impl Rng,
        mut watch: impl FnMut(usize, f32) -> bool,
    ) -> Result<()> {
        let each = schedule.batch / T::PICTURES;
        if lessons.is_empty() || schedule.steps == 0 || each == 0 {
            return Ok(());
        }
        let (mut deck, mut parts) = (Vec::new(), [Replay::default(), Replay::default()]);
        let prepare = |portion: &mut Portion, step: usize| {
            let batch = draw(lessons, &mut deck, each, rng);
            portion.teach(&batch.iter().filter_map(|lesson| lesson.lesson()).collect::<Vec<Lesson>>());
            portion.show(step, batch.into_iter().flat_map(Taught::pictures), schedule, rng);
        };
        let learn = |teacher: &mut Teacher<'_>, count: usize| match T::PICTURES {
            1 => teacher.learn(count, &mut parts[0]),
            _ => (0..count).map(|_| teacher.learn_alike(&mut parts)).collect(),
        };
        self.teach(network, pixels, (T::PICTURES * each, schedule.steps), prepare, learn, &mut watch)
    }

    /// Brings a network to the card, lets it learn there and brings it back. `prepare` adds what a step needs, `learn` does
    /// so many steps and gives the loss of each.
    fn teach(
        &self,
        network: &mut Network,
        pixels: &[u8],
        (batch, steps): (usize, usize),
        mut prepare: impl FnMut(&mut Portion, usize),
        mut learn: impl FnMut(&mut Teacher<'_>, usize) -> Result<Vec<f32>>,
        watch: &mut dyn FnMut(usize, f32) -> bool,
    ) -> Result<()> {
        let plan = Plan::new(network);
        let kernels = self.compiled(plan.pack(self.precision().bytes()))?;
        let state = (plan.weights(network), plan.running(network), vec![0.0; plan.stats]);
        let flow = Flow::new(self, &kernels, plan, batch, true, (&state.0, &state.1, &state.2))?;
        let mut teacher = Teacher::new(self, flow, pixels)?;
        let mut done = 0;
        while done < steps {
            let count = PORTION.min(steps - done);
            let mut portion = Portion { side: network.config().side, ..Portion::default() };
            (done..done + count).for_each(|step| prepare(&mut portion, step));
            teacher.lessons.fill(self, &portion)?;
            let losses = learn(&mut teacher, count)?;
            let ended = losses.iter().enumerate().any(|(number, &loss)| !watch(done + number, loss));
            done += count;
            if ended {
                break;
            }
        }
        teacher.write_back(network)
    }

    /// As [`Network::predict`].
    pub fn predict(&self, network: &Network, pixels: &[u8]) -> Result<Vec<f32>> {
        let (symbols, wide) = (network.symbols(), Plan::new(network).wide);
        let mut out = Vec::new();
        self.over(network, pixels, |flow, count| {
            let scores = self.download(&flow.scores, count * wide)?;
            scores.chunks_exact(wide).for_each(|row| out.extend_from_slice(&row[..symbols]));
            Ok(())
        })?;
        out.chunks_exact_mut(symbols).for_each(softmax);
        Ok(out)
    }

    /// As [`Network::features`].
    pub fn features(&self, network: &Network, pixels: &[u8]) -> Result<Vec<f32>> {
        let mut out = Vec::new();
        self.over(network, pixels, |flow, count| {
            out.extend(self.download(&flow.pooled, count * flow.plan.features)?);
            Ok(())
        })?;
        Ok(out)
    }

    /// Brings all pictures through the network, a batch at a time; `gather` takes what it needs of each.
    fn over(
        &self,
        network: &Network,
        pixels: &[u8],
        mut gather: impl FnMut(&Flow<'_>, usize) -> Result<()>,
    ) -> Result<()> {
        let plan = Plan::new(network);
        let area = plan.side * plan.side;
        let batch = BATCH.min((pixels.len() / area).max(1));
        let kernels = self.compiled(plan.pack(self.precision().bytes()))?;
        let state = (plan.weights(network), plan.running(network), plan.settled(network));
        let flow = Flow::new(self, &kernels, plan, batch, false, (&state.0, &state.1, &state.2))?;
        let mut shown = self.zeros(batch * area)?;
        for pixels in pixels.chunks(batch * area) {
            self.write(pixels, &mut shown)?;
            let args = [shown.start(), flow.input.start()].map(Arg::Address);
            let count = Arg::Count((batch * area) as u32);
            flow.launch("shade", Threads::All(batch * area), &[args[0], args[1], count])?;
            flow.forward(false)?;
            gather(&flow, pixels.len() / area)?;
        }
        Ok(())
    }
}

/// What the steps of a portion need, one after the other.
#[derive(Default)]
struct Portion {
    side: usize,
    pictures: Vec<u32>,
    symbols: Vec<u32>,
    /// The share of each lesson in its batch.
    weights: Vec<f32>,
    moves: Vec<[f32; MOVE]>,
    rates: Vec<[f32; 2]>,
}

impl Portion {
    /// Adds what the pictures of a step are to be taken for.
    fn teach(&mut self, batch: &[Lesson]) {
        let total: f32 = batch.iter().map(|lesson| lesson.weight).sum::<f32>().max(f32::MIN_POSITIVE);
        self.symbols.extend(batch.iter().map(|lesson| u32::from(lesson.symbol)));
        self.weights.extend(batch.iter().map(|lesson| lesson.weight / total));
    }

    /// Adds the pictures of a step.
    fn show(
        &mut self,
        step: usize,
        pictures: impl Iterator<Item = u32>,
        schedule: &Schedule,
        rng: &mut impl Rng,
    ) {
        let before = self.pictures.len();
        self.pictures.extend(pictures);
        let moves = schedule.moves(self.pictures.len() - before, self.side, rng);
        self.moves.extend(moves.iter().map(numbers));
        self.rates.push(schedule.rates(step));
    }
}

/// A change of a picture as the card takes it.
fn numbers(change: &Move) -> [f32; MOVE] {
    let Move { cos, sin, slant, wide, high, right, down, left, top, size } = *change;
    [cos, sin, slant, wide, high, right, down, left, top, size]
}

/// Work that is done as it stands once, for cuBLAS gets ready in it, which cannot be recorded; then it is recorded, and
/// played again.
#[derive(Default)]
struct Replay(Option<Recording>);

impl Replay {
    fn run(&mut self, card: &Card, work: impl Fn() -> Result<()>) -> Result<()> {
        match &self.0 {
            Some(recorded) => recorded.play(),
            None => {
                work()?;
                self.0 = Some(card.record(work)?);
                Ok(())
            }
        }
    }
}

/// A network that learns on the card.
struct Teacher<'a> {
    card: &'a Card,
    flow: Flow<'a>,
    back: Back,
    first: Buffer,
    second: Buffer,
    pixels: Buffer,
    lessons: Lessons,
}

fn address(buffer: &Buffer) -> Arg {
    Arg::Address(buffer.start())
}

fn count(count: usize) -> Arg {
    Arg::Count(count as u32)
}

/// Room for what the steps of a portion need.
struct Lessons {
    pictures: Buffer,
    symbols: Buffer,
    weights: Buffer,
    moves: Buffer,
    rates: Buffer,
    losses: Buffer,
    step: Buffer,
}

impl Lessons {
    fn new(card: &Card, batch: usize) -> Result<Lessons> {
        let each = PORTION * batch * 4;
        Ok(Lessons {
            pictures: card.zeros(each)?,
            symbols: card.zeros(each)?,
            weights: card.zeros(each)?,
            moves: card.zeros(MOVE * each)?,
            rates: card.zeros(2 * 4 * PORTION)?,
            losses: card.zeros(each)?,
            step: card.zeros(4)?,
        })
    }

    fn fill(&mut self, card: &Card, portion: &Portion) -> Result<()> {
        card.write(&portion.pictures, &mut self.pictures)?;
        card.write(&portion.symbols, &mut self.symbols)?;
        card.write(&portion.weights, &mut self.weights)?;
        card.write(portion.moves.as_flattened(), &mut self.moves)?;
        card.write(portion.rates.as_flattened(), &mut self.rates)?;
        card.write(&[0u32], &mut self.step)
    }
}

impl<'a> Teacher<'a> {
    fn new(card: &'a Card, flow: Flow<'a>, pixels: &[u8]) -> Result<Teacher<'a>> {
        let parameters = flow.plan.parameters;
        Ok(Teacher {
            card,
            back: Back::new(&flow)?,
            first: card.zeros(parameters * 4)?,
            second: card.zeros(parameters * 4)?,
            pixels: card.upload(pixels)?,
            lessons: Lessons::new(card, flow.batch)?,
            flow,
        })
    }

    /// Does so many steps; gives the loss of each.
    fn learn(&self, count: usize, whole: &mut Replay) -> Result<Vec<f32>> {
        let step = || {
            self.look()?;
            self.compare()?;
            self.descend()
        };
        (0..count).try_for_each(|_| whole.run(self.card, step))?;
        let losses = self.card.download(&self.lessons.losses, count * self.flow.batch)?;
        Ok(losses.chunks_exact(self.flow.batch).map(|losses| losses.iter().sum()).collect())
    }

    /// Does a step in which the two pictures of each pair are to be alike; gives its loss.
    fn learn_alike(&mut self, [look, descend]: &mut [Replay; 2]) -> Result<f32> {
        let Plan { symbols, wide, .. } = self.flow.plan;
        look.run(self.card, || self.look())?;
        let padded = self.card.download(&self.flow.scores, self.flow.batch * wide)?;
        let mut scores: Vec<f32> =
            padded.chunks_exact(wide).flat_map(|row| &row[..symbols]).copied().collect();
        let loss = contrast(&mut scores, symbols);
        let mut slopes = vec![0.0; padded.len()];
        for (slopes, row) in slopes.chunks_exact_mut(wide).zip(scores.chunks_exact(symbols)) {
            slopes[..symbols].copy_from_slice(row);
        }
        self.card.write(&slopes, &mut self.flow.scores)?;
        descend.run(self.card, || self.descend())?;
        Ok(loss)
    }

    /// The scores of the pictures of this step.
    fn look(&self) -> Result<()> {
        let Teacher { flow, lessons, .. } = self;
        let (side, batch) = (flow.plan.side, flow.batch);
        let args = [&self.pixels, &lessons.pictures, &lessons.moves, &lessons.step, &flow.input].map(address);
        let args = [&args[..], &[count(side), count(batch)]].concat();
        flow.launch("show", Threads::All(batch * side * side), &args)?;
        flow.forward(true)
    }

    /// Makes of the scores their gradient.
    fn compare(&self) -> Result<()> {
        let Teacher { flow, lessons, .. } = self;
        let Plan { symbols, wide, .. } = flow.plan;
        let Lessons { symbols: wanted, weights, step, losses, .. } = lessons;
        let args = [&flow.scores, wanted, weights, step, losses].map(address);
        let args = [&args[..], &[count(flow.batch), count(symbols), count(wide)]].concat();
        flow.launch("cross_entropy", Threads::All(flow.batch * 32), &args)
    }

    /// One step of Adam, given the gradient of the scores in their place.
    fn descend(&self) -> Result<()> {
        let Teacher { flow, back, lessons, .. } = self;
        let parameters = flow.plan.parameters;
        flow.backward(back)?;
        let step = address(&lessons.step);
        let moments = [address(&self.first), address(&self.second)];
        let args = [&[address(&flow.weights), address(&back.gradient)], &moments[..]].concat();
        let args =
            [&args[..], &[address(&flow.copy), address(&lessons.rates), step, count(parameters)]].concat();
        flow.launch("adam", Threads::All(parameters), &args)?;
        flow.launch("next_step", Threads::Blocks(1, (1, 1), 0), &[step])
    }

    fn write_back(&self, network: &mut Network) -> Result<()> {
        let plan = &self.flow.plan;
        let weights = self.card.download(&self.flow.weights, plan.parameters)?;
        let running = self.card.download(&self.flow.running, plan.running)?;
        plan.write_back(&weights, &running, network);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        let card = match Card::open(Precision::Half) {
            Ok(card) => card,
            Err(error) => return eprintln!("skipped: {error}"),
        };
        let error = card.zeros(1 << 50).map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("cuda: expected 1073741824 MB more of memory"), "{error}");
        // And everything still works.
        assert_eq!(card.download(&card.upload(&[1.5f32, 2.0]).unwrap(), 2).unwrap(), [1.5, 2.0]);
    }
}
