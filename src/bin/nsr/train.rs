//! `nsr train`: learns a model, tests it, keeps it.

use crate::args::{DataArgs, Train};
use crate::log::Log;
use crate::progress::{Progress, Solved};
use crate::text::{count, percent, seconds, thousands};
use crate::{Outcome, eval, interrupt, source};
use anyhow::bail;
use nsr::checkpoint;
use nsr::data::{Dataset, Part};
use nsr::evaluate::{Scores, evaluate};
use nsr::model::Model;
use nsr::report;
use nsr::training;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// So many training examples that the model gets wrong are kept with it.
const UNEXPLAINED: usize = 64;

/// Runs the command.
pub fn run(args: &Train, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.out {
        checkpoint::check_writable(path)?;
    }
    let log = Log::create(args.log.as_deref())?;
    let train = load(args, data)?;
    let previous = previous(args, &train)?;
    let test = load_test(args, data)?;
    interrupt::listen()?;
    let learned = learn(&train, data, args.seed, previous, log);
    let Learned { model, .. } = &learned;
    // Whatever else may fail, what was learned is safe first.
    if let Some(path) = &args.out {
        checkpoint::save(model, path)?;
    }
    let scores = test.as_ref().map(|test| evaluate(model, test));
    match args.json {
        true => print_json(args, &learned, scores.as_ref(), out)?,
        false => print(args, &learned, scores.as_ref(), out)?,
    }
    learned.log?;
    Ok(Outcome::Done)
}

/// What training came to.
pub struct Learned {
    /// The model.
    pub model: Model,
    /// How long it took.
    pub time: Duration,
    /// Rounds of learning.
    pub rounds: usize,
    /// When the words were solved.
    pub solved: Vec<Solved>,
    contradictory: usize,
    log: anyhow::Result<()>,
}

/// Learns from `train`, showing how it goes.
pub fn learn(train: &Dataset, data: &DataArgs, seed: u64, previous: Option<Model>, log: Log) -> Learned {
    let start = Instant::now();
    let mut progress = Progress::new(train, log);
    let mut model = resume(previous, train, seed, &mut progress);
    model.tokens = data.tokens_of(&train.name);
    model.unexplained = report::unexplained(&model, train, UNEXPLAINED);
    let Progress { rounds, contradictory, .. } = progress;
    let solved = std::mem::take(&mut progress.solved);
    Learned { model, time: start.elapsed(), rounds, solved, contradictory, log: progress.finish() }
}

/// Goes on from `previous`, or begins.
fn resume(previous: Option<Model>, train: &Dataset, seed: u64, progress: &mut Progress<'_>) -> Model {
    match previous {
        Some(model) => training::resume(model, train, progress),
        None => training::train(train, seed, progress),
    }
}

/// The model to go on from: the one at --out, if asked for and there.
fn previous(args: &Train, train: &Dataset) -> anyhow::Result<Option<Model>> {
    let Some(path) = args.out.as_ref().filter(|path| args.resume && path.exists()) else { return Ok(None) };
    let model = checkpoint::load(path)?;
    let same = model.inputs == train.inputs && model.outputs == train.outputs;
    let (path, task, examples) = (path.display(), &train.name, train.len());
    if !same || model.examples as usize != examples {
        bail!(
            "{path}: expected a model of the {examples} examples of {task}, found one of the {} of {}",
            model.examples,
            model.task
        );
    }
    Ok(Some(model))
}

fn load(args: &Train, data: &DataArgs) -> anyhow::Result<Dataset> {
    let all = data.load(&args.data, Part::Train, args.seed)?;
    Ok(match args.take {
        Some(most) => all.take_random(most.get(), args.seed),
        None => all,
    })
}

/// The test set: the one named, or a built-in task's own.
fn load_test(args: &Train, data: &DataArgs) -> anyhow::Result<Option<Dataset>> {
    let own = source::is_task(&args.data).then_some(&args.data);
    args.test.as_ref().or(own).map(|name| data.load(name, Part::Test, args.seed)).transpose()
}

fn print_json(
    args: &Train,
    learned: &Learned,
    scores: Option<&Scores>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let Learned { model, time, rounds, .. } = learned;
    let mut object = json!({
        "task": model.task,
        "seed": model.seed,
        "train_examples": model.examples,
        "seconds": time.as_secs_f64(),
        "epochs": rounds,
        "model": args.out.as_ref().map(|path| path.display().to_string()),
        "finished": model.finished,
        "contradictory": learned.contradictory,
        "words": model.inputs.len(),
        "solved": solved(model),
    });
    if let Some(scores) = scores {
        object["test_examples"] = json!(scores.all.examples);
        object["accuracy"] = json!(scores.all.accuracy());
        object["subsets"] = eval::subsets(scores);
        object["retried"] = json!(scores.all.retried);
        object["unanswered"] = json!(scores.all.unanswered);
    }
    writeln!(out, "{object}")?;
    Ok(())
}

fn print(
    args: &Train,
    learned: &Learned,
    scores: Option<&Scores>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let Learned { model, .. } = learned;
    writeln!(out, "{}", summary(learned))?;
    if learned.contradictory > 0 {
        let inputs = count(learned.contradictory, "input");
        writeln!(out, "{inputs} with several outputs: the most frequent one was learned")?;
    }
    if let Some(scores) = scores {
        let right = format!("{} of {}", thousands(scores.all.correct), thousands(scores.all.examples));
        writeln!(out, "test: {} % right, {right}", percent(scores.all.accuracy()))?;
        for (name, score) in &scores.subsets {
            writeln!(out, "  {name}: {} % of {}", percent(score.accuracy()), thousands(score.examples))?;
        }
    }
    print_kept(args.out.as_deref(), model, out)
}

/// What was learned, in one line.
pub fn summary(learned: &Learned) -> String {
    let Learned { model, time, rounds, .. } = learned;
    format!(
        "{}: {} learned in {}, {}; {} of {} words solved",
        model.task,
        count(model.examples as usize, "example"),
        seconds(*time),
        count(*rounds, "round"),
        solved(model),
        model.inputs.len()
    )
}

fn print_kept(path: Option<&Path>, model: &Model, out: &mut impl Write) -> anyhow::Result<()> {
    match path {
        Some(path) => {
            writeln!(out, "model: {}", path.display())?;
            if !model.finished {
                writeln!(out, "stopped early: the same command with --resume goes on")?;
            }
        }
        None => writeln!(out, "the model is not kept; --out FILE would keep it")?,
    }
    Ok(())
}

/// How many words have a settled meaning.
fn solved(model: &Model) -> usize {
    model.inputs.len() - report::unsolved(model).len()
}
