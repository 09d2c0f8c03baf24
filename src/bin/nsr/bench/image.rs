//! HINT with handwritten symbols: the paper's table, the ceiling, and how well pictures are read.
//!
//! What pictures truly show is used here for measuring only: to match the symbols that were found to the true ones,
//! and to train the network of the ceiling.

use super::hint::{Modules, PAPER_MODULES, SUBSETS};
use super::{deviation, mean};
use crate::args::{Bench, DataArgs};
use crate::escape::tell;
use crate::text::{Paint, pad, percent};
use crate::{images, source};
use nsr::data::handwriting::{Labels, SYMBOLS};
use nsr::data::image::load_hint;
use nsr::data::picture::Preprocess;
use nsr::data::{ImageDataset, ImageExample, Part, ReadOptions, load};
use nsr::evaluate::{ImageScores, Scores, evaluate_images, look};
use nsr::model::Model;
use nsr::perception::SymbolProbs;
use nsr::perception::network::{Lesson, Network, Processor, Schedule};
use nsr::report::Reader;
use nsr::symbol::{Symbol, Vocabulary};
use nsr::training::seeing::network_steps;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Instant;

/// The task that all this is about, and the one for choosing between settings: it is tested on other writers.
pub const TASKS: [&str; 2] = ["hint/image", "hint/image-val"];

/// The rows of the paper's table on HINT, image input: the subsets and their average.
const ROWS: [(&str, [f64; 6]); 4] = [
    ("GRU (Li et al. 2023)", [66.7, 58.7, 33.1, 9.4, 12.8, 35.9]),
    ("LSTM (Li et al. 2023)", [83.9, 79.7, 62.0, 11.2, 21.0, 51.5]),
    ("Transformer (Li et al. 2023)", [88.4, 86.0, 62.5, 10.9, 19.0, 53.1]),
    ("NSR, the paper (Li et al. 2024)", [88.5, 86.2, 67.1, 83.2, 58.2, 76.0]),
];
/// The paper's share of pictures that are read right.
const PAPER_PERCEPTION: f64 = 0.935;

/// A task, measured with several seeds.
pub struct Measured {
    task: String,
    first: u64,
    seeds: Vec<Seed>,
}

/// One seed.
struct Seed {
    learned: ImageScores,
    ceiling: ImageScores,
    /// The share of the test writers' pictures whose most probable symbol is right.
    pictures: f64,
    /// The share of the pictures of all test rows that are right after reading in context.
    in_context: f64,
    modules: Modules,
    /// How often pictures of each of the true symbols were taken for each of them.
    confusion: Vec<Vec<usize>>,
    /// The symbols that were found, by the true ones that they stand for.
    symbols: Vec<String>,
    seconds: f64,
    ceiling_seconds: f64,
}

/// Learns and tests with each seed.
pub fn measure(task: &str, args: &Bench, data: &DataArgs) -> anyhow::Result<Measured> {
    let processor = data.processor()?;
    let first = args.first_seed;
    let seed = |seed| measure_seed(task, seed, data, args, &processor);
    let seeds = (first..first + args.seeds.get() as u64).map(seed).collect::<anyhow::Result<_>>()?;
    Ok(Measured { task: task.to_owned(), first, seeds })
}

fn measure_seed(
    task: &str,
    seed: u64,
    data: &DataArgs,
    args: &Bench,
    processor: &Processor,
) -> anyhow::Result<Seed> {
    let folder = data.folder()?;
    let load_part = |part| load_hint(task, part, folder.as_deref(), seed, &Preprocess::default());
    let start = Instant::now();
    let (train, train_labels) = load_part(Part::Train)?;
    source::tell_generated(task, train.origin, folder.as_deref());
    let effort = args.effort(data, train.pictures.side());
    let model = images::learn(&train, &effort, processor, seed)?;
    let seconds = start.elapsed().as_secs_f64();
    let (test, labels) = load_part(Part::Test)?;
    let text = load("hint", Part::Test, folder.as_deref(), seed, &ReadOptions::default())?;
    let Some(learned) = evaluate_images(&model, &test, processor)? else {
        anyhow::bail!("{task}: expected a model that can see, found none: it was stopped");
    };
    tell(&format!("{task} seed {seed}: {} % in {seconds:.1} s", percent(learned.read.all.accuracy())));
    let seen = look(&model, &test.pictures, processor)?.unwrap_or_default();
    let confusion = confusion(&model, &seen, &labels);
    let names = matched(&confusion, model.inputs.len());
    let lessons = true_lessons(&train, &train_labels, (&confusion, &names));
    let start = Instant::now();
    let steps = network_steps(&train, &effort, seed);
    let ceiling = ceiling(&model, &train, (&lessons, steps), processor, seed)?;
    let ceiling_seconds = start.elapsed().as_secs_f64();
    let ceiling = evaluate_images(&ceiling, &test, processor)?.unwrap_or_else(|| unreachable!("it has eyes"));
    let right = |row: &Vec<usize>, truth: usize| {
        names.iter().position(|name| *name == Some(truth)).map_or(0, |place| row[place])
    };
    let all: usize = confusion.iter().flatten().sum();
    let pictures =
        confusion.iter().enumerate().map(|(truth, row)| right(row, truth)).sum::<usize>() as f64 / all as f64;
    Ok(Seed {
        in_context: in_context(&model, &test, &seen, &labels, &names),
        modules: Modules::of(&renamed(&model, &names), &text),
        learned,
        ceiling,
        pictures,
        confusion,
        symbols: renamed(&model, &names).inputs.names().to_vec(),
        seconds,
        ceiling_seconds,
    })
}

/// How often the pictures of each true symbol were taken for each symbol of the model.
fn confusion(model: &Model, seen: &[SymbolProbs], labels: &Labels) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; model.inputs.len()]; SYMBOLS.len()];
    for (number, probs) in (0..).zip(seen) {
        if let (Some(truth), Some(symbol)) = (labels.truth(number), probs.best()) {
            table[truth][symbol.index()] += 1;
        }
    }
    table
}

/// The true symbol that each of `count` symbols of the model stands for, none for two of them: of all ways, the one
/// with the largest sum of shares. Shares of the true symbols, so that frequent ones do not take all.
fn matched(confusion: &[Vec<usize>], count: usize) -> Vec<Option<usize>> {
    let share = |truth: usize, symbol: usize| {
        confusion[truth][symbol] as f64 / confusion[truth].iter().sum::<usize>().max(1) as f64
    };
    // The best sum of the symbols so far for each set of true ones they stand for, and how the last came to it.
    let mut best = vec![f64::NEG_INFINITY; 1 << confusion.len()];
    best[0] = 0.0;
    let mut last = Vec::with_capacity(count);
    for symbol in 0..count {
        let mut choice = vec![None; best.len()];
        let before = best.clone();
        for truth in (0..confusion.len()).filter(|&truth| confusion[truth][symbol] > 0) {
            let share = share(truth, symbol);
            for with in (0..best.len()).filter(|set| set & (1 << truth) > 0) {
                let sum = before[with & !(1 << truth)] + share;
                if sum > best[with] {
                    (best[with], choice[with]) = (sum, Some(truth));
                }
            }
        }
        last.push(choice);
    }
    let mut set = (0..best.len()).max_by(|&a, &b| best[a].total_cmp(&best[b])).unwrap_or(0);
    let mut names = vec![None; count];
    for symbol in (0..count).rev() {
        names[symbol] = last[symbol][set];
        names[symbol].inspect(|truth| set &= !(1 << truth));
    }
    names
}

/// What the pictures that were taken for a symbol mostly show; `None` if there are none.
fn mostly(confusion: &[Vec<usize>], symbol: usize) -> Option<char> {
    let most = (0..confusion.len()).rev().max_by_key(|&truth| confusion[truth][symbol])?;
    (confusion[most][symbol] > 0).then_some(SYMBOLS[most])
}

/// The model with the true names of its symbols.
fn renamed(model: &Model, names: &[Option<usize>]) -> Model {
    let name = |(number, truth): (usize, &Option<usize>)| {
        truth.map_or(format!("?{number}"), |truth| SYMBOLS[truth].to_string())
    };
    let inputs: Vec<String> = names.iter().enumerate().map(name).collect();
    Model { inputs: Vocabulary::from(inputs), ..model.clone() }
}

/// What the training pictures truly show, in the model's symbols.
fn true_lessons(
    train: &ImageDataset,
    labels: &Labels,
    (confusion, names): (&[Vec<usize>], &[Option<usize>]),
) -> Vec<Lesson> {
    let most = |truth: usize| (0..names.len()).max_by_key(|&symbol| confusion[truth][symbol]);
    let symbol = |truth: usize| names.iter().position(|name| *name == Some(truth)).or_else(|| most(truth));
    // Seen as often as in the rows, as the learner sees them.
    let mut seen = vec![0; train.pictures.len()];
    let rows = train.examples.iter().step_by(train.len().div_ceil(126_000).max(1));
    rows.flat_map(|row| &row.input).for_each(|&picture| seen[picture as usize] += 1);
    let lesson = |picture: usize| {
        let symbol = symbol(labels.truth(picture as u32)?)? as u16;
        let copies = 1 + (seen[picture] / 8).min(7);
        Some(std::iter::repeat_n(Lesson { picture: picture as u32, symbol, weight: 1.0 }, copies))
    };
    (0..seen.len()).filter_map(lesson).flatten().collect()
}

/// The same constructions with a network that has learned the true labels, in as many steps as the learner's took
/// in all.
fn ceiling(
    model: &Model,
    train: &ImageDataset,
    (lessons, steps): (&[Lesson], usize),
    processor: &Processor,
    seed: u64,
) -> nsr::error::Result<Model> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let Some(eyes) = &model.eyes else { unreachable!("it has been tested") };
    let mut network = Network::new(eyes.config().clone(), eyes.symbols(), &mut rng);
    let schedule = Schedule::of(network.config(), steps);
    processor.learn(&mut network, train.pictures.pixels(), lessons, &schedule, &mut rng, |_, _| true)?;
    Ok(Model { eyes: Some(network), ..model.clone() })
}

/// The share of pictures in test rows that are read right in context.
fn in_context(
    model: &Model,
    test: &ImageDataset,
    seen: &[SymbolProbs],
    labels: &Labels,
    names: &[Option<usize>],
) -> f64 {
    let reader = Reader::new(model);
    let count = |example: &ImageExample| {
        let row: Vec<_> = example.input.iter().map(|&picture| seen[picture as usize].clone()).collect();
        let symbols = reader.read(&row).map(|reading| reading.symbols).unwrap_or_default();
        let is_right = |(&picture, symbol): (&u32, &Symbol)| {
            names[symbol.index()].is_some() && names[symbol.index()] == labels.truth(picture)
        };
        (example.input.iter().zip(&symbols).filter(|&pair| is_right(pair)).count(), example.input.len())
    };
    let counts: Vec<(usize, usize)> = test.examples.par_iter().map(count).collect();
    let (right, all) = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    right as f64 / all.max(1) as f64
}

fn subset(scores: &Scores, name: &str) -> f64 {
    scores.subsets.iter().find(|(other, _)| other == name).map_or(0.0, |(_, score)| score.accuracy())
}

/// The subsets and their average, for one way to answer.
fn figures(scores: &Scores) -> Vec<f64> {
    let mut figures: Vec<f64> = SUBSETS.iter().map(|name| subset(scores, name)).collect();
    figures.push(mean(&figures));
    figures
}

/// Means over seeds.
fn means(seeds: &[Seed], scores: impl Fn(&Seed) -> &Scores) -> Vec<f64> {
    let all: Vec<Vec<f64>> = seeds.iter().map(|seed| figures(scores(seed))).collect();
    (0..=SUBSETS.len()).map(|column| mean(&all.iter().map(|row| row[column]).collect::<Vec<_>>())).collect()
}

/// All figures as JSON.
pub fn as_json(Measured { task, seeds, .. }: &Measured) -> Value {
    let one = |seed: &Seed| {
        json!({
            "learned": figures(&seed.learned.read),
            "symbol_by_symbol": figures(&seed.learned.plain),
            "ceiling": figures(&seed.ceiling.read),
            "ceiling_symbol_by_symbol": figures(&seed.ceiling.plain),
            "pictures": seed.pictures,
            "in_context": seed.in_context,
            "heads": seed.modules.heads,
            "programs": seed.modules.programs,
            "confusion": seed.confusion,
            "mostly": (0..seed.symbols.len()).map(|symbol| mostly(&seed.confusion, symbol)).collect::<Vec<_>>(),
            "unanswered": seed.learned.read.all.unanswered,
            "symbols": seed.symbols,
            "seconds": seed.seconds,
            "ceiling_seconds": seed.ceiling_seconds,
        })
    };
    json!({ "task": task, "columns": ["I", "SS", "LS", "SL", "LL", "average"], "seeds": seeds.iter().map(one).collect::<Vec<_>>() })
}

/// Prints everything about it.
pub fn print(Measured { task, first, seeds }: &Measured, out: &mut impl Write) -> std::io::Result<()> {
    let paint = Paint::stdout();
    let last = first + seeds.len().saturating_sub(1) as u64;
    let title = format!("{task}: test accuracy in percent, mean of seeds {first} to {last}");
    writeln!(out, "\n{}", paint.bold(&title))?;
    let line = |name: &str, cells: &[String]| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>9}")).collect();
        format!("  {}{cells}", pad(name, 34))
    };
    let percents = |figures: Vec<f64>| figures.into_iter().map(percent).collect::<Vec<_>>();
    let names = SUBSETS.iter().copied().chain(["average"]).map(str::to_owned).collect::<Vec<_>>();
    writeln!(out, "{}", paint.dim(&line("", &names)))?;
    for (name, figures) in ROWS {
        writeln!(out, "{}", line(name, &figures.map(|figure| format!("{figure:.1}"))))?;
    }
    writeln!(
        out,
        "{}",
        paint.bold(&line("nsr, this program", &percents(means(seeds, |seed| &seed.learned.read))))
    )?;
    writeln!(out, "{}", line("  symbol by symbol", &percents(means(seeds, |seed| &seed.learned.plain))))?;
    writeln!(out, "{}", line("ceiling: true labels", &percents(means(seeds, |seed| &seed.ceiling.read))))?;
    writeln!(out, "{}", line("  symbol by symbol", &percents(means(seeds, |seed| &seed.ceiling.plain))))?;
    let all = |tell: &dyn Fn(&Seed) -> f64| seeds.iter().map(tell).collect::<Vec<f64>>();
    let averages = all(&|seed| figures(&seed.learned.read)[SUBSETS.len()]);
    writeln!(out, "  deviation of the average over seeds: {:.2}", 100.0 * deviation(&averages))?;
    writeln!(out, "  loading and learning: {:.1} s", mean(&all(&|seed| seed.seconds)))?;
    writeln!(out, "\n{}", paint.bold("Modules: share that is right, in percent"))?;
    writeln!(out, "  {}{:>9}{:>9}", pad("", 34), "paper", "ours")?;
    let mut module = |name: &str, paper: Option<f64>, ours: &dyn Fn(&Seed) -> f64| {
        let paper = paper.map_or("-".to_owned(), percent);
        writeln!(out, "  {}{paper:>9}{:>9}", pad(name, 34), percent(mean(&all(ours))))
    };
    module("perception, one picture", Some(PAPER_PERCEPTION), &|seed| seed.pictures)?;
    module("perception, in context", None, &|seed| seed.in_context)?;
    module("heads", Some(PAPER_MODULES[0]), &|seed| seed.modules.heads)?;
    module("programs", Some(PAPER_MODULES[1]), &|seed| seed.modules.programs)?;
    print_confusion(seeds, out)
}

fn print_confusion(seeds: &[Seed], out: &mut impl Write) -> std::io::Result<()> {
    let Some(seed) = seeds.first() else { return Ok(()) };
    let paint = Paint::stdout();
    let title = "What test pictures were taken for, first seed";
    writeln!(out, "\n{}", paint.bold(title))?;
    let note = "a line for each true symbol, a column for each symbol found, named by what it mostly is";
    writeln!(out, "  {}", paint.dim(note))?;
    let name = |symbol| format!("{:>5}", mostly(&seed.confusion, symbol).unwrap_or('?'));
    let names: String = (0..seed.symbols.len()).map(name).collect();
    writeln!(out, "   {}", paint.dim(&names))?;
    for (truth, row) in seed.confusion.iter().enumerate() {
        let cells: String = row
            .iter()
            .map(|&count| if count == 0 { "    .".to_owned() } else { format!("{count:>5}") })
            .collect();
        writeln!(out, "  {}{cells}", SYMBOLS[truth])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_matched_as_a_whole() {
        // Taken one by one, the first would take what the second needs.
        let confusion = [vec![60, 40, 0], vec![55, 0, 45], vec![0, 10, 90]];
        assert_eq!(matched(&confusion, 3), [Some(1), Some(0), Some(2)]);
        assert_eq!([0, 1, 2].map(|symbol| mostly(&confusion, symbol)), [Some('0'), Some('0'), Some('2')]);
        // More symbols than true ones, and one that nothing was taken for.
        let confusion = [vec![1, 0, 9], vec![3, 0, 1]];
        assert_eq!(matched(&confusion, 3), [Some(1), None, Some(0)]);
        assert_eq!(mostly(&confusion, 1), None);
    }
}
