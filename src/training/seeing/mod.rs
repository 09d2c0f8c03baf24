//! Learning to see: from rows of pictures and their results to symbols, constructions and a network that reads.
//!
//! Nothing says what a picture shows. What is known is the result of every row, and that one picture shows the same
//! symbol wherever it occurs. From this, in the order of the rows' lengths:
//!
//! 1. *Alone.* A row of one picture names the picture by its result, if such rows name at least 1 % of the pictures of short rows.
//!    *Looks* and *Group* (`begin.rs`), where they do not: the network learns which pictures of short rows look alike, and those of the
//!    shortest rows are put into groups by their looks, one for 16 pictures, at most 64. Groups that stand at the ends of rows equally often
//!    and whose results are distributed alike are one symbol. A picture is sure of its symbol if half of its twenty nearest neighbours show it; the network
//!    learns the sure ones and names those of which it is certain (0.8). `--pretrain` asks for *Looks* in any case; what rows of one picture
//!    say is then kept, and *Discover* begins with the features of looks.
//! 2. *Discover* (`discover.rs`), in the shortest rows of several pictures, later in the other short ones. The network learns the symbols
//!    known so far and one more, *other*: all unknown pictures of these rows. Unknown pictures that show a known symbol look like it, so
//!    the network cannot be sure of them; what it is sure to be other (0.8) is new. Of other pictures it is also asked for the result of
//!    the row, so that symbols which do different things look different to it. New pictures are grouped by the network's features
//!    (32 groups, far more than needed), and groups whose left neighbours, right neighbours and results are distributed alike (0.05 bits
//!    beyond chance) are one symbol (`merge.rs`); where results have several tokens, so must be each neighbour together with the first token.
//! 3. *Round* (`ground.rs`, `meaning.rs`). Rows whose pictures are all known are sentences, and constructions are learned from them as from any
//!    text, however much of it they explain; wrong symbols are noise to them (readings five times rarer than usual for their length are left out). Symbols that
//!    have more than half of their uses in constructions that say the same, and the same surroundings, become one; one that means in all its uses what one or
//!    another symbol means, but no single one, is a mixture and no symbol. Then every row is read again: the most probable reading whose result is the wanted
//!    one. What a picture is taken for in most readings is what it shows, and the network learns that; constructions that less than 5 % of the
//!    uses of each of their words need are dropped, for they make sense of misreadings. First with rows of the first stage, then with short ones (up to
//!    nine pictures), then with all (up to 40). Before the last of these, constructions are learned from short rows once more and all rows are read with them: most
//!    mistakes are gone then, and the last constructions are learned from nearly clean text.
//! 4. *Last.* The same once more, with more steps of the network.

mod begin;
mod discover;
mod ground;
mod meaning;
mod merge;
mod rows;

use super::values::named_results;
use super::{Event, Observer, train_constructions};
use crate::data::{Dataset, ImageDataset};
use crate::error::Result;
use crate::model::{Model, Settings};
use crate::perception::network::{Config, Lesson, Network, Processor, Schedule};
use crate::symbol::Symbol;
use crate::values::knowledge::Results;
use ground::Ground;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
pub use rows::LONGEST;
use rows::Rows;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// How much work learning to see may be.
#[derive(Clone, Debug, PartialEq)]
pub struct SeeingSettings {
    /// The size of the network; `None` for the small one.
    pub config: Option<Config>,
    /// Whether the network first learns which pictures look alike even where enough rows of one picture tell what they
    /// show. Default: no.
    pub pretrain: bool,
    /// Steps of the network that learns which pictures look alike, if it has to. Default: 800.
    pub alike: usize,
    /// Steps of the network when it looks for new symbols. Default: 400.
    pub look: usize,
    /// Steps in each round of abduction. Default: 800.
    pub round: usize,
    /// Steps in the last round. Default: 4000.
    pub last: usize,
}

impl Default for SeeingSettings {
    fn default() -> SeeingSettings {
        SeeingSettings { config: None, pretrain: false, alike: 800, look: 400, round: 800, last: 4000 }
    }
}

impl SeeingSettings {
    /// So many steps in the last round, and others in proportion.
    pub fn with_steps(self, last: usize) -> SeeingSettings {
        let part = |steps: usize| (steps * last).div_ceil(self.last.max(1));
        let (alike, look, round) = (part(self.alike), part(self.look), part(self.round));
        SeeingSettings { alike, look, round, last, ..self }
    }
}

/// What is told while it learns to see.
#[derive(Debug)]
pub enum Sight<'a> {
    /// The network has taken a step of so many; its loss.
    Step(usize, usize, f32),
    /// Symbols have been told apart, and which pictures show them.
    Symbols(&'a Symbols),
    /// Rows that could be read such that their result comes out, of so many.
    Read(usize, usize),
}

/// Symbols found so far, and which pictures show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbols {
    /// Their names: the result of the symbol alone, as one word, or a letter and a number.
    #[serde(deserialize_with = "crate::few::few::<_, _, 65536>")]
    pub names: Vec<String>,
    /// What each picture shows, as far as is known.
    pub of: Vec<Option<u16>>,
}

impl Symbols {
    /// No symbol yet.
    fn none(data: &ImageDataset) -> Symbols {
        Symbols { names: Vec::new(), of: vec![None; data.pictures.len()] }
    }

    /// What rows of one picture tell: the picture stands for the result.
    fn alone(data: &ImageDataset, rows: &Rows<'_>) -> Symbols {
        let mut symbols = Symbols::none(data);
        let mut results: Vec<&[Symbol]> = Vec::new();
        for row in rows.of_length(1) {
            let known = results.iter().position(|result| **result == *row.output);
            let number = known.map(|number| number as u16).unwrap_or_else(|| {
                results.push(&row.output);
                symbols.add_named(&rows::output_text(data, row))
            });
            symbols.of[row.input[0] as usize] = Some(number);
        }
        symbols
    }

    /// The next symbol, named by its result if that makes a word of its own.
    fn add_named(&mut self, result: &str) -> u16 {
        let name = result.split_whitespace().collect::<Vec<_>>().join("_");
        if name.is_empty() || self.names.contains(&name) {
            return self.add();
        }
        self.names.push(name);
        self.names.len() as u16 - 1
    }

    /// The next symbol, one that never stands alone, or stands for nothing.
    fn add(&mut self) -> u16 {
        let number = self.names.len();
        let mut names = (0..).map(|tried: usize| format!("s{}", number + tried));
        self.names.extend(names.find(|name| !self.names.contains(name)));
        number as u16
    }

    /// One more symbol for all groups with the same leader. Pictures of a group without one show what they did.
    fn add_groups(&mut self, groups: &[Option<u16>], leaders: &[Option<usize>]) {
        let mut made: BTreeMap<usize, u16> = BTreeMap::new();
        for (picture, group) in groups.iter().enumerate() {
            if let Some(leader) = group.and_then(|group| leaders[usize::from(group)]) {
                self.of[picture] = Some(*made.entry(leader).or_insert_with(|| self.add()));
            }
        }
    }

    /// Whether every picture shows one of the symbols or nothing.
    pub(crate) fn is_sound(&self) -> bool {
        self.of.iter().flatten().all(|&symbol| usize::from(symbol) < self.names.len())
    }
}

/// How far learning to see has come, and what it needs to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// So many tasks are done.
    pub done: u32,
    /// The symbols.
    pub symbols: Symbols,
    /// The network.
    pub network: Network,
}

/// One task of many; a kill loses at most one of them.
enum Task {
    /// Learn which pictures look alike.
    Looks,
    /// Group the pictures of rows of these lengths by their looks: the first symbols.
    Group(RangeInclusive<usize>),
    /// Look for new symbols in rows of these lengths.
    Discover(RangeInclusive<usize>),
    /// Learn meanings from rows up to this length, read them again and learn to see from that.
    Round { reach: usize, first: bool },
    /// Learn to see from all rows, longer.
    Last,
}

fn tasks(rows: &Rows<'_>, settings: &SeeingSettings) -> Vec<Task> {
    let named = rows.name_enough();
    let mut tasks = Vec::new();
    if settings.pretrain || !named {
        tasks.push(Task::Looks);
    }
    let mut first = true;
    for lengths in rows.stages() {
        let reach = *lengths.end();
        let find = if first && !named { Task::Group(lengths) } else { Task::Discover(lengths) };
        tasks.extend([find, Task::Round { reach, first: true }]);
        first = false;
    }
    tasks.extend([Task::Round { reach: usize::MAX, first }, Task::Last]);
    tasks
}

impl SeeingSettings {
    /// Steps of the network in a task.
    fn steps(&self, task: &Task) -> usize {
        match task {
            Task::Looks => self.alike,
            Task::Discover(_) => self.look,
            Task::Group(_) | Task::Round { .. } => self.round,
            Task::Last => self.last,
        }
    }
}

/// How many steps the network takes in all if [`see`] learns from these data.
pub fn network_steps(data: &ImageDataset, settings: &SeeingSettings, seed: u64) -> usize {
    tasks(&Rows::choose(data, seed), settings).iter().map(|task| settings.steps(task)).sum()
}

/// Learns to read `data`, or goes on where `from` was stopped. What is learned depends on the rows, results and
/// pictures of `data` alone, and, in the last digits, on the processor. `keep` gets the model after each task, to be
/// kept for going on. Only a graphics card can fail.
pub fn see(
    data: &ImageDataset,
    settings: &SeeingSettings,
    processor: &Processor,
    seed: u64,
    from: Option<Model>,
    keep: &mut dyn FnMut(&Model),
    observer: &mut dyn Observer,
) -> Result<Model> {
    let rows = Rows::choose(data, seed);
    let all_single = data.examples.iter().all(|row| row.output.len() == 1);
    let results = all_single.then(|| named_results(&data.outputs)).flatten();
    let mut seer = Seer { data, rows: &rows, settings, processor, results, seed, observer };
    let mut model = from.unwrap_or_else(|| seer.first());
    for (number, task) in tasks(&rows, settings).iter().enumerate() {
        let Some(progress) = model.seeing.clone() else { break };
        if (progress.done as usize) > number {
            continue;
        }
        let next = seer.work(task, number, &model, progress)?;
        // A task that was stopped half way is done again.
        if seer.observer.stop() {
            return Ok(model);
        }
        model = next;
        keep(&model);
    }
    Ok(finish(model))
}

/// The model with the network that gives its symbols.
fn finish(mut model: Model) -> Model {
    if let Some(Progress { symbols, network, .. }) = model.seeing.take() {
        model.eyes = Some(ground::fit(network, &symbols, &model));
        model.finished = true;
    }
    model
}

struct Seer<'a> {
    data: &'a ImageDataset,
    rows: &'a Rows<'a>,
    settings: &'a SeeingSettings,
    processor: &'a Processor,
    /// What results are, if they are computed.
    results: Option<Results>,
    seed: u64,
    observer: &'a mut dyn Observer,
}

impl Seer<'_> {
    /// What rows of one picture teach, if they name enough, and a network that has learned nothing.
    fn first(&mut self) -> Model {
        let symbols = match self.rows.name_enough() {
            true => Symbols::alone(self.data, self.rows),
            false => Symbols::none(self.data),
        };
        let side = self.data.pictures.side() as usize;
        let config = self.settings.config.clone().unwrap_or_else(|| Config::small(side));
        let network = Network::new(config, 1, &mut self.rng(usize::MAX));
        let mut ground = Ground::new(self.data, self.rows, self.processor, symbols, network);
        ground.reach = 1;
        let model = self.understand(&ground.text());
        self.with(model, 0, ground)
    }

    /// Each task has its own random numbers, so that one that was stopped is done again in the same way.
    fn rng(&self, task: usize) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(task as u64);
        rng
    }

    fn with(&self, model: Model, done: usize, ground: Ground<'_>) -> Model {
        let (symbols, network) = ground.end();
        Model {
            task: self.data.name.clone(),
            examples: self.data.len() as u64,
            settings: Settings {
                seed: self.seed,
                preprocess: self.data.pictures.preprocess().clone(),
                ..model.settings
            },
            finished: false,
            seeing: Some(Progress { done: done as u32, symbols, network }),
            ..model
        }
    }

    /// Constructions of rows as they are read.
    fn understand(&mut self, text: &Dataset) -> Model {
        train_constructions(text, self.results.as_ref(), self.seed, self.observer)
    }

    fn work(&mut self, task: &Task, number: usize, model: &Model, progress: Progress) -> Result<Model> {
        let mut rng = self.rng(number);
        let Progress { symbols, network, .. } = progress;
        let mut ground = Ground::new(self.data, self.rows, self.processor, symbols, network);
        let mut model = model.clone();
        let steps = self.settings.steps(task);
        match task {
            Task::Looks => begin::learn_looks(&mut ground, steps, &mut rng, self.observer)?,
            Task::Group(lengths) => begin::group(&mut ground, lengths, steps, &mut rng, self.observer)?,
            Task::Discover(lengths) => {
                discover::extend(&mut ground, lengths, steps, &mut rng, self.observer)?;
            }
            Task::Round { reach, first } => {
                if !first {
                    // Symbols became one since the model was learned, and its constructions may make sense of mistakes that are gone.
                    ground.reach = self.rows.short_reach();
                    model = self.understand(&ground.text());
                    ground.look(self.observer)?;
                    ground.reach = *reach;
                    ground.take_again(&model, self.observer);
                }
                ground.reach = *reach;
                model = self.understand(&ground.text());
                ground.merge(&model);
                ground.learn(&mut model, steps, &mut rng, self.observer)?;
            }
            Task::Last => {
                ground.look(self.observer)?;
                ground.learn(&mut model, steps, &mut rng, self.observer)?;
            }
        }
        self.observer.on(&Event::Seeing(Sight::Symbols(&ground.symbols)));
        Ok(self.with(model, number + 1, ground))
    }
}

/// Teaches the network what pictures are taken for.
fn teach(
    (data, processor): (&ImageDataset, &Processor),
    network: &mut Network,
    lessons: &[Lesson],
    steps: usize,
    rng: &mut ChaCha8Rng,
    observer: &mut dyn Observer,
) -> Result<()> {
    let schedule = Schedule::of(network.config(), steps);
    processor.learn(network, data.pictures.pixels(), lessons, &schedule, rng, watch(steps, observer))
}

/// Tells the observer of each of so many steps, until it asks to stop.
fn watch(steps: usize, observer: &mut dyn Observer) -> impl FnMut(usize, f32) -> bool {
    move |step: usize, loss: f32| {
        observer.on(&Event::Seeing(Sight::Step(step + 1, steps, loss)));
        !observer.stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_one_word_of_its_own_whatever_its_result_is() {
        let mut symbols = Symbols { names: Vec::new(), of: Vec::new() };
        let numbers = ["LOOK AROUND", "", "LOOK_AROUND", "7"].map(|result| symbols.add_named(result));
        assert_eq!(numbers, [0, 1, 2, 3]);
        assert_eq!(symbols.names, ["LOOK_AROUND", "s1", "s2", "7"]);
    }
}
