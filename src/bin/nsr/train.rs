//! `nsr train`: learns a model, tests it, keeps it.

use crate::args::{DataArgs, Device, Train};
use crate::log::Log;
use crate::progress::Progress;
use crate::text::{count, percent, seconds, thousands};
use crate::{Outcome, eval, experience, images, interrupt, source};
use anyhow::bail;
use nsr::checkpoint;
use nsr::data::{Dataset, Origin, Part};
use nsr::evaluate::{Scores, evaluate};
use nsr::model::{Known, Model, OutputKind, Results, Settings};
use nsr::report;
use nsr::training::{self, Budget};
use serde_json::json;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// So many training examples that the model gets wrong are kept with it.
const UNEXPLAINED: usize = 64;

/// More than so many times the time that was asked for is told.
const LATE: f64 = 1.1;

/// Runs the command.
pub fn run(args: &Train, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.out {
        checkpoint::check_writable(path)?;
    }
    if data.has_pictures(&args.data) {
        return images::train(args, data, out);
    }
    refuse_flags_of_pictures(args, data)?;
    let log = Log::create(args.log.as_deref())?;
    let base = args.from.as_deref().map(base).transpose()?;
    let data = &base.as_ref().map_or(Ok(data.clone()), |base| data.cut_like(base))?;
    let previous = previous(args)?;
    let seed = seed(args, previous.as_ref())?;
    let train = load(args, data, seed)?;
    let guessed = data.guesses(&args.data);
    // What is tested is cut as what was learned, whatever it looks like.
    let data = &data.cut_as(train.cut);
    let (start, train) = match base {
        Some(base) => extend(base, &train)?,
        None => (resume(args, previous, &train)?, train),
    };
    let test = load_test(args, data, seed)?;
    interrupt::listen()?;
    let take = args.take.map(|take| take.get() as u64);
    let experience = match &start {
        Start::Resume(model) => model.settings.experience.clone(),
        Start::Anew | Start::Extend(_) => experience::for_data(args.experience.as_deref(), &args.data)?,
    };
    let settings = Settings { take, experience, ..Settings::of(&train, seed) };
    let learned = learn(&train, settings, start, log, args.seconds)?;
    let learned = Learned { guessed, ..learned };
    let Learned { model, .. } = &learned;
    // Whatever else may fail, what was learned is safe first.
    if let Some(path) = &args.out {
        checkpoint::save(model, path)?;
    }
    let test = test.filter(|_| !interrupt::asked());
    let test = test.map(|test| test.with_outputs_cut(model.settings.output_tokens).into_owned());
    interrupt::quit_at_once();
    let scores = test.as_ref().map(|test| evaluate(model, test));
    match args.json {
        true => print_json(args, &learned, scores.as_ref(), out)?,
        false => print(args, &learned, scores.as_ref(), out)?,
    }
    learned.log?;
    Ok(Outcome::Done)
}

/// What is for pictures would be of no effect.
fn refuse_flags_of_pictures(args: &Train, data: &DataArgs) -> anyhow::Result<()> {
    let flags = [
        ("--steps", args.steps.is_some()),
        ("--network", args.network.is_some()),
        ("--pretrain", args.pretrain),
        ("--preprocess", args.preprocess.is_some()),
        ("--device cuda", matches!(data.device, Device::Cuda)),
    ];
    match flags.iter().find(|(_, given)| *given) {
        Some((flag, _)) => bail!("{flag}: expected rows of pictures, found text in {}", args.data),
        None => Ok(()),
    }
}

/// What training came to.
pub struct Learned {
    /// The model.
    pub model: Model,
    /// The data's name.
    task: String,
    /// Where the data come from.
    origin: Origin,
    /// What its randomness came from.
    seed: u64,
    /// The number of examples.
    examples: usize,
    /// The words that a model was extended by.
    new: Vec<String>,
    /// How long it took.
    pub time: Duration,
    /// Edits that led to the model.
    pub rounds: usize,
    /// Distinct inputs.
    inputs: usize,
    /// How many of them constructions were learned from, and over how many fillers were counted.
    chosen: Option<[usize; 2]>,
    contradictory: usize,
    too_large: usize,
    /// Whether nobody had said how inputs, and outputs, are cut.
    guessed: [bool; 2],
    /// What is odd about the types of outputs.
    odd: Option<String>,
    /// Blanks of outputs that answers cannot have.
    odd_blanks: Option<String>,
    /// Whether the time was over before all was learned.
    out_of_time: bool,
    log: anyhow::Result<()>,
}

/// What training begins with.
pub enum Start {
    /// Nothing.
    Anew,
    /// A model of the same data, finished or not.
    Resume(Box<Model>),
    /// A model that is to learn more.
    Extend(Box<Model>),
}

/// Learns from `train`, showing how it goes.
pub fn learn(
    train: &Dataset,
    settings: Settings,
    from: Start,
    log: Log,
    limit: Option<Duration>,
) -> anyhow::Result<Learned> {
    let start = Instant::now();
    let mut progress = Progress::new(log);
    let mut budget = Budget::new(&mut progress, start, limit.unwrap_or(Duration::MAX));
    let before = if let Start::Extend(model) = &from { Some(model.inputs.len()) } else { None };
    let mut model = match from {
        Start::Anew => training::train_with(train, settings.seed, &settings.experience, &mut budget),
        Start::Resume(model) => training::resume(*model, train, &mut budget),
        Start::Extend(model) => training::extend(*model, train, settings.seed, &mut budget)?,
    };
    // How outputs are cut is found out while learning, where nobody has said it.
    let train = &*train.with_outputs_cut(model.settings.output_tokens);
    let out_of_time = budget.ended();
    let seed = settings.seed;
    let new = before.map_or(Vec::new(), |before| model.inputs.names()[before..].to_vec());
    match (before, model.extensions.last_mut()) {
        (None, _) => model.settings.take = settings.take,
        (Some(_), Some(extension)) if !new.is_empty() => extension.settings = settings,
        (Some(_), _) => {}
    }
    progress.show_constructions(&model);
    let odd = if interrupt::asked() { None } else { odd_results(train, &model) };
    let is_over = || interrupt::asked() || limit.is_some_and(|limit| start.elapsed() >= limit);
    model.unexplained = report::unexplained(&model, train, UNEXPLAINED, is_over);
    let Progress { rounds, inputs, contradictory, too_large, chosen, .. } = progress;
    Ok(Learned {
        model,
        task: train.name.clone(),
        origin: train.origin,
        seed,
        examples: train.len(),
        new,
        time: start.elapsed(),
        rounds,
        inputs,
        chosen,
        contradictory,
        too_large,
        guessed: [false; 2],
        odd,
        odd_blanks: report::checkup::odd_blanks(train),
        out_of_time,
        log: progress.finish(),
    })
}

/// The model to extend.
fn base(path: &Path) -> anyhow::Result<Model> {
    let model = checkpoint::load(path)?;
    if !model.finished {
        bail!(
            "{}: expected a model whose training is finished, found one that was stopped early",
            path.display()
        );
    }
    if model.eyes.is_some() {
        bail!("{}: expected a model that reads text, found one that reads pictures", path.display());
    }
    Ok(model)
}

/// A model to be extended by `train`, and the data in its symbols.
fn extend(base: Model, train: &Dataset) -> anyhow::Result<(Start, Dataset)> {
    let (wanted, found) = (base.settings.tokens, train.cut.inputs);
    if wanted != found {
        bail!("{}: expected inputs cut into {wanted}, as the model's are, found {found}", train.name);
    }
    let train = training::renumber(&base, train)?;
    Ok((Start::Extend(Box::new(base)), train))
}

/// The model to go on from: the one at --out, if asked for and there.
pub fn previous(args: &Train) -> anyhow::Result<Option<Model>> {
    let path = args.out.as_ref().filter(|path| args.resume && path.exists());
    Ok(path.map(|path| checkpoint::load(path)).transpose()?)
}

/// What all randomness comes from.
pub fn seed(args: &Train, previous: Option<&Model>) -> anyhow::Result<u64> {
    let kept = previous.map(|model| model.settings.seed);
    Ok(chosen(args, "--seed", args.seed, kept)?.unwrap_or(0))
}

/// What was asked for or else what the model to go on from has; an error if these differ, as half of the model would
/// then be learned in one way and half in another.
pub fn chosen<T: Display + PartialEq>(
    args: &Train,
    flag: &str,
    asked: Option<T>,
    kept: Option<T>,
) -> anyhow::Result<Option<T>> {
    if let (Some(asked), Some(kept), Some(path)) = (&asked, &kept, &args.out)
        && asked != kept
    {
        let path = path.display();
        bail!(
            "{path}: expected a model learned with {flag} {asked}, found one with {kept}; without {flag} it goes on"
        );
    }
    Ok(asked.or(kept))
}

/// Goes on from the model that is there, if it is one of `train`.
fn resume(args: &Train, previous: Option<Model>, train: &Dataset) -> anyhow::Result<Start> {
    let (Some(model), Some(path)) = (previous, &args.out) else { return Ok(Start::Anew) };
    // Learning may have found another way to cut outputs than the one guessed.
    let cut = if train.outputs_guessed { model.settings.output_tokens } else { train.cut.outputs };
    let same = model.inputs == train.inputs && model.outputs == train.with_outputs_cut(cut).outputs;
    let (path, task, examples) = (path.display(), &train.name, train.len());
    if !same || model.examples as usize != examples {
        bail!(
            "{path}: expected a model of the {examples} examples of {task}, found one of the {} of {}",
            model.examples,
            model.task
        );
    }
    Ok(Start::Resume(Box::new(model)))
}

fn load(args: &Train, data: &DataArgs, seed: u64) -> anyhow::Result<Dataset> {
    let all = data.load(&args.data, Part::Train, seed)?;
    Ok(match args.take {
        Some(most) => all.take_random(most.get(), seed),
        None => all,
    })
}

/// The test set: the one named, or a built-in task's own.
fn load_test(args: &Train, data: &DataArgs, seed: u64) -> anyhow::Result<Option<Dataset>> {
    let own = source::is_task(&args.data).then_some(&args.data);
    args.test.as_ref().or(own).map(|name| data.load(name, Part::Test, seed)).transpose()
}

fn print_json(
    args: &Train,
    learned: &Learned,
    scores: Option<&Scores>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let Learned { model, task, examples, time, rounds, .. } = learned;
    let mut object = json!({
        "task": task,
        "seed": learned.seed,
        "train_examples": examples,
        "seconds": time.as_secs_f64(),
        "epochs": rounds,
        "model": args.out.as_ref().map(|path| path.display().to_string()),
        "data": source::kind(learned.origin),
        "tokens": model.settings.tokens.to_string(),
        "output_tokens": model.settings.output_tokens.to_string(),
        "results": results(model).0,
        "blanks_unsure": model.settings.spacing.unsure(),
        "finished": model.finished,
        "out_of_time": learned.out_of_time,
        "contradictory": learned.contradictory,
        "too_large": learned.too_large,
        "words": model.inputs.len(),
        "solved": solved(model),
        "constructions": report::constructions(model).len(),
    });
    if let Some([learned_from, counted]) = learned.chosen {
        object["used"] = json!({ "learned_from": learned_from, "counted": counted });
    }
    if let Some(from) = &args.from {
        object["from"] = json!(from.display().to_string());
        object["new"] = json!(learned.new);
    }
    if let Some(scores) = scores {
        object["test_examples"] = json!(scores.all.examples);
        eval::add_scores(&mut object, scores);
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
    print_cut(learned, out)?;
    let why = learned.odd.as_ref().map_or(String::new(), |odd| format!("; {odd}"));
    writeln!(out, "results: {}{why}", results(model).1)?;
    if args.from.is_some() {
        match &learned.new[..] {
            [] => writeln!(out, "nothing new: the model knows every symbol of {}", learned.task)?,
            new => writeln!(out, "new: {}", new.join(" "))?,
        }
    }
    let some_only = |chosen: &[usize; 2]| chosen.iter().any(|&number| number < learned.inputs);
    if let Some([learned_from, counted]) = learned.chosen.filter(some_only) {
        let [all, learned_from, counted] = [learned.inputs, learned_from, counted].map(thousands);
        writeln!(out, "of {all} inputs, {learned_from} taught constructions; {counted} were counted")?;
    }
    if learned.contradictory > 0 {
        let inputs = count(learned.contradictory, "input");
        writeln!(out, "{inputs} with several outputs: the most frequent one was learned")?;
    }
    if learned.too_large > 0 {
        let inputs = count(learned.too_large, "input");
        writeln!(out, "{inputs} left out: more than 10,000 words and tokens")?;
    }
    if learned.out_of_time {
        writeln!(out, "the time was over before all was learned: what was learned depends on the machine")?;
    }
    if let Some(limit) = args.seconds.filter(|limit| learned.time > limit.mul_f64(LATE)) {
        let (took, limit) = (seconds(learned.time), seconds(limit));
        writeln!(out, "it took {took} instead of {limit}: what was found by then had to be put together")?;
    }
    if let Some(scores) = scores {
        let right = format!("{} of {}", thousands(scores.all.correct), thousands(scores.all.examples));
        let accuracy = percent(scores.all.accuracy());
        writeln!(out, "test: {accuracy} % right, {right}; {}", eval::coverage(&scores.all))?;
        for (name, score) in &scores.subsets {
            writeln!(out, "  {name}: {} % of {}", percent(score.accuracy()), thousands(score.examples))?;
        }
    }
    print_kept(args, model, out)
}

/// Says how texts were cut, and whether answers can be put together again without doubt.
fn print_cut(learned: &Learned, out: &mut impl Write) -> std::io::Result<()> {
    let Settings { tokens, output_tokens, spacing, .. } = &learned.model.settings;
    let how = |guessed| if guessed { " (guessed)" } else { "" };
    let [inputs, outputs] = learned.guessed.map(how);
    writeln!(out, "cut: inputs into {tokens}{inputs}, outputs into {output_tokens}{outputs}")?;
    if spacing.unsure() > 0 {
        let places = count(spacing.unsure() as usize, "place");
        writeln!(
            out,
            "{places} of outputs written with a blank and without: answers have the more frequent; \
             with --output-tokens chars blanks are learned"
        )?;
    }
    learned.odd_blanks.iter().try_for_each(|odd| writeln!(out, "{odd}"))
}

/// What results were taken for, as data and for people.
fn results(model: &Model) -> (&'static str, &'static str) {
    match &model.known {
        Known::Computes(known) => match known.results() {
            Results::Numbers => ("numbers", "whole numbers, computed"),
            Results::Truths(_) => ("truth", "one of two, computed as a truth value"),
            Results::Lists(_) => ("lists", "lists of tokens, computed"),
            Results::Rows(_) => ("rows", "rows of whole numbers, computed"),
        },
        Known::Says(_) => ("tokens", "lists of tokens"),
    }
}

/// Why results that look like numbers are not computed.
fn odd_results(train: &Dataset, model: &Model) -> Option<String> {
    match (&model.known, OutputKind::of(train)) {
        (Known::Computes(_), _) => None,
        (Known::Says(_), OutputKind::Number) => {
            Some("outputs are whole numbers, but nothing was found that computes them".to_owned())
        }
        (Known::Says(_), OutputKind::Tokens) => report::checkup::mixed(train),
    }
}

/// What was learned, in one line.
pub fn summary(learned: &Learned) -> String {
    let Learned { model, task, examples, time, rounds, .. } = learned;
    let constructions = count(report::constructions(model).len(), "construction");
    let steps = format!("{}; {constructions}", count(*rounds, "edit"));
    let (examples, time) = (count(*examples, "example"), seconds(*time));
    let words = format!("{} of {} words solved", solved(model), model.inputs.len());
    format!("{task}: {examples} learned in {time}, {steps}; {words}")
}

/// Says where the model is, and how it could go on.
pub fn print_kept(args: &Train, model: &Model, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.out {
        Some(path) => {
            writeln!(out, "model: {}", path.display())?;
            if !model.finished {
                let how = if args.from.is_some() { "begins again" } else { "with --resume goes on" };
                writeln!(out, "stopped early: the same command {how}")?;
            }
        }
        None => writeln!(out, "the model is not kept; --out FILE would keep it")?,
    }
    Ok(())
}

/// How many words have a meaning.
fn solved(model: &Model) -> usize {
    model.inputs.len() - report::unsolved(model).len()
}
