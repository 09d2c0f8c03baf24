//! Networks on a graphics card (NVIDIA, CUDA).
//!
//! The driver, NVRTC and cuBLAS are loaded when a [`Card`] is opened; a program that never does runs anywhere, and
//! building it needs none of them. Kernels are compiled then, from `kernels.cu`. A network is copied to the card, learns
//! or looks there, and is copied back: [`Network`] itself is always in the computer's memory.
//!
//! Learning does the same steps as on the CPU with the same random numbers. A step is recorded once and played again;
//! what differs from step to step (pictures, rates) lies on the card for many steps, and a counter tells which is next.

mod card;
mod pass;
mod plan;

pub use card::{Card, Precision};

use super::learn::{Lesson, Schedule, draw};
use super::{Network, softmax};
use crate::error::Result;
use card::{Arg, Buffer, Threads};
use pass::{Back, Flow};
use plan::Plan;
use rand::Rng;

/// So many pictures are looked at at a time.
const BATCH: usize = 512;
/// So many steps are prepared at a time, and reported at its end.
const PORTION: usize = 50;

impl Card {
    /// As [`Network::learn`]; `watch` hears of many steps at a time.
    pub fn learn(
        &self,
        network: &mut Network,
        pixels: &[u8],
        lessons: &[Lesson],
        schedule: &Schedule,
        rng: &mut impl Rng,
        mut watch: impl FnMut(usize, f32) -> bool,
    ) -> Result<()> {
        if lessons.is_empty() || schedule.steps == 0 {
            return Ok(());
        }
        let plan = Plan::new(network);
        let kernels = self.compiled(plan.pack(self.precision().bytes()))?;
        let state = (plan.weights(network), plan.running(network), vec![0.0; plan.stats]);
        let flow = Flow::new(self, &kernels, plan, schedule.batch, true, (&state.0, &state.1, &state.2))?;
        let mut teacher = Teacher::new(self, flow, pixels)?;
        let mut deck = Vec::new();
        let mut done = 0;
        while done < schedule.steps {
            let count = PORTION.min(schedule.steps - done);
            let mut portion = Portion { side: network.config().side, ..Portion::default() };
            (done..done + count).for_each(|step| portion.prepare(step, lessons, &mut deck, schedule, rng));
            let losses = teacher.learn(&portion, count)?;
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
    moves: Vec<[f32; 7]>,
    rates: Vec<[f32; 2]>,
}

impl Portion {
    fn prepare(
        &mut self,
        step: usize,
        lessons: &[Lesson],
        deck: &mut Vec<Lesson>,
        schedule: &Schedule,
        rng: &mut impl Rng,
    ) {
        let batch = draw(lessons, deck, schedule.batch, rng);
        let total: f32 = batch.iter().map(|lesson| lesson.weight).sum::<f32>().max(f32::MIN_POSITIVE);
        self.pictures.extend(batch.iter().map(|lesson| lesson.picture));
        self.symbols.extend(batch.iter().map(|lesson| u32::from(lesson.symbol)));
        self.weights.extend(batch.iter().map(|lesson| lesson.weight / total));
        let moves = schedule.moves(batch.len(), self.side, rng).into_iter();
        self.moves.extend(moves.map(|m| [m.cos, m.sin, m.slant, m.wide, m.high, m.right, m.down]));
        self.rates.push(schedule.rates(step));
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
    recorded: Option<card::Recording>,
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
            moves: card.zeros(7 * each)?,
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
            recorded: None,
            flow,
        })
    }

    /// Does the steps of a portion; gives the loss of each.
    fn learn(&mut self, portion: &Portion, count: usize) -> Result<Vec<f32>> {
        self.lessons.fill(self.card, portion)?;
        for _ in 0..count {
            match &self.recorded {
                Some(recorded) => recorded.play()?,
                // The first step is done as it stands: cuBLAS gets ready in it, which cannot be recorded.
                None => {
                    self.step()?;
                    self.recorded = Some(self.card.record(|| self.step())?);
                }
            }
        }
        let losses = self.card.download(&self.lessons.losses, count * self.flow.batch)?;
        Ok(losses.chunks_exact(self.flow.batch).map(|losses| losses.iter().sum()).collect())
    }

    /// One step of Adam.
    fn step(&self) -> Result<()> {
        let Teacher { flow, back, lessons, .. } = self;
        let Plan { side, symbols, wide, parameters, .. } = flow.plan;
        let batch = flow.batch;
        let address = |buffer: &Buffer| Arg::Address(buffer.start());
        let count = |count: usize| Arg::Count(count as u32);
        let step = address(&lessons.step);
        let args = [address(&self.pixels), address(&lessons.pictures), address(&lessons.moves), step];
        let args = [&args[..], &[address(&flow.input), count(side), count(batch)]].concat();
        flow.launch("show", Threads::All(batch * side * side), &args)?;
        flow.forward(true)?;
        let args = [address(&flow.scores), address(&lessons.symbols), address(&lessons.weights), step];
        let sizes = [count(batch), count(symbols), count(wide)];
        let args = [&args[..], &[address(&lessons.losses)], &sizes].concat();
        flow.launch("cross_entropy", Threads::All(batch * 32), &args)?;
        flow.backward(back)?;
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
