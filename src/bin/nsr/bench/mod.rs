//! `nsr bench`: learns and tests benchmarks; the paper's figures next to ours.

mod everyday;
mod hint;
mod image;
mod language;
mod paper;
mod pcfg;
mod regex;
mod table;

use crate::args::{Bench, DataArgs};
use crate::escape::tell;
use crate::log::Log;
use crate::text::{Paint, percent};
use crate::{Outcome, eval, experience, interrupt, source, train};
use anyhow::bail;
use nsr::data::{Dataset, Origin, Part};
use nsr::evaluate::{Scores, evaluate};
use nsr::experience::Experience;
use nsr::model::Settings;
use paper::BENCHMARKS;
use pcfg::trial::{self, OVERGENERALISATION, SUBSTITUTIVITY};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::time::Instant;

/// One task over all seeds.
#[derive(Default)]
struct Result {
    task: String,
    origin: Option<Origin>,
    /// Of the training set, with the last seed.
    examples: usize,
    /// Of the test set, seed by seed.
    accuracies: Vec<f64>,
    coverages: Vec<f64>,
    precisions: Vec<f64>,
    seconds: Vec<f64>,
    /// The accuracy on each subset that the data name, seed by seed.
    subsets: Vec<(String, Vec<f64>)>,
    /// Of HINT, how good the modules are by themselves.
    modules: Vec<hint::Modules>,
    /// Of PCFG SET's i.i.d. split, what is answered right, and the further tests.
    profile: Option<pcfg::Profile>,
    /// Of language, answers beside what was wanted, and how far their probabilities are from the truth, with the last seed.
    nearness: Option<language::Nearness>,
}

impl Result {
    fn new(task: &str) -> Result {
        Result { task: task.to_owned(), ..Result::default() }
    }

    fn add(&mut self, scores: Scores, seconds: f64) {
        self.accuracies.push(scores.all.accuracy());
        self.coverages.push(scores.all.coverage());
        self.precisions.push(scores.all.precision());
        self.seconds.push(seconds);
        for (name, score) in scores.subsets {
            match self.subsets.iter_mut().find(|(other, _)| *other == name) {
                Some((_, accuracies)) => accuracies.push(score.accuracy()),
                None => self.subsets.push((name, vec![score.accuracy()])),
            }
        }
    }
}

/// What was measured beside tasks; nothing where it was not asked for.
#[derive(Default)]
struct Extras {
    images: Option<image::Measured>,
    substitutivity: Option<Vec<trial::Trial>>,
    overgeneralisation: Option<Vec<trial::Trial>>,
}

/// Everything symbolic in one table.
const ALL: &str = "all";
/// What is no task by itself, and takes longer.
const EXTRAS: [&str; 4] = [image::TASKS[0], image::TASKS[1], SUBSTITUTIVITY, OVERGENERALISATION];

/// Runs the command.
pub fn run(args: &Bench, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let names = if args.names.is_empty() { &[ALL.to_owned()][..] } else { &args.names };
    let (extras, tasks): (Vec<_>, Vec<_>) =
        tasks(names)?.into_iter().partition(|name| EXTRAS.contains(&name.as_str()));
    interrupt::listen()?;
    let seeds = args.seeds.get();
    let experience = experience::named(&args.experience)?;
    let mut results = Vec::new();
    for task in tasks {
        match measure(&task, seeds, &experience, data)? {
            Some(result) => results.push(result),
            None => break,
        }
    }
    let extras = Extras::measure(&extras, args, data)?;
    match args.json {
        true => writeln!(out, "{}", as_json(&results, &extras, seeds))?,
        false => {
            print(&results, seeds, names.iter().any(|name| name == ALL), out)?;
            extras.print(out)?;
            print_notes(&results, &extras, out)?;
        }
    }
    Ok(Outcome::Done)
}

/// The tasks that `names` stand for, none twice.
fn tasks(names: &[String]) -> anyhow::Result<Vec<String>> {
    let mut tasks: Vec<&str> = Vec::new();
    let of = |prefix: &str| {
        let all = BENCHMARKS.iter().flat_map(paper::Benchmark::tasks);
        all.filter(|task| task.starts_with(prefix)).collect::<Vec<_>>()
    };
    for name in names {
        match name.as_str() {
            ALL => tasks.extend(of("")),
            "scan" => tasks.extend(of("scan/")),
            "hint" => tasks.extend([hint::TASK, image::TASKS[0]]),
            "hint/symbol" => tasks.push(hint::TASK),
            "everyday" => tasks.extend(everyday::tasks()),
            "pcfg" => tasks.extend(of("pcfg/").into_iter().chain([SUBSTITUTIVITY, OVERGENERALISATION])),
            _ if language::tasks(name).is_some() => tasks.extend(language::tasks(name).into_iter().flatten()),
            // Measured with the model of the i.i.d. split.
            "pcfg/localism" => tasks.push(pcfg::IID),
            _ if EXTRAS.contains(&name.as_str()) || source::is_task(name) => tasks.push(name),
            _ => bail!(
                "{name}: expected all, scan, hint, pcfg, everyday, cogs, mt, geoquery, regex or a built-in task such as scan/length, found none of them"
            ),
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    tasks.retain(|task| seen.insert(*task));
    Ok(tasks.into_iter().map(str::to_owned).collect())
}

/// Learns from `examples`; `None` if interrupted.
fn learn(examples: &Dataset, seed: u64, experience: &Experience) -> anyhow::Result<Option<train::Learned>> {
    let settings = Settings { experience: experience.clone(), ..Settings::of(examples, seed) };
    let learned = train::learn(examples, settings, train::Start::Anew, Log::default(), None)?;
    Ok((!interrupt::asked()).then_some(learned))
}

/// Learns and tests `task` with each seed; `None` if interrupted.
fn measure(
    task: &str,
    seeds: usize,
    experience: &Experience,
    data: &DataArgs,
) -> anyhow::Result<Option<Result>> {
    let mut result = Result::new(task);
    for seed in 0..seeds as u64 {
        let start = Instant::now();
        let examples = data.load(task, Part::Train, seed)?;
        let Some(learned) = learn(&examples, seed, experience)? else { return Ok(None) };
        // Loading and learning; testing is not part of it.
        let seconds = start.elapsed().as_secs_f64();
        let test = data.load(task, Part::Test, seed)?;
        let mut scores = evaluate(&learned.model, &test);
        language::count_both_forms(&mut scores, &learned.model, &test);
        result.nearness = language::nearness(&learned.model, &test);
        let accuracy = percent(scores.all.accuracy());
        tell(&format!("{task} seed {seed}: {accuracy} % in {seconds:.1} s; {}", eval::coverage(&scores.all)));
        result.origin = Some(examples.origin);
        result.examples = examples.len();
        result.add(scores, seconds);
        look_closer(&mut result, &learned, &test, data)?;
    }
    Ok(Some(result))
}

/// Measures what a benchmark has beyond accuracy.
fn look_closer(
    result: &mut Result,
    learned: &train::Learned,
    test: &Dataset,
    data: &DataArgs,
) -> anyhow::Result<()> {
    match result.task.as_str() {
        hint::TASK => result.modules.push(hint::Modules::of(&learned.model, test)),
        pcfg::IID => {
            let profile = pcfg::Profile::of(&learned.model, test, data.folder()?.as_deref())?;
            result.profile.get_or_insert_default().add(&profile);
        }
        _ => {}
    }
    Ok(())
}

impl Extras {
    fn measure(names: &[String], args: &Bench, data: &DataArgs) -> anyhow::Result<Extras> {
        let seeds = args.seeds.get();
        let mut extras = Extras::default();
        for name in names {
            if interrupt::asked() {
                break;
            }
            match name.as_str() {
                SUBSTITUTIVITY => extras.substitutivity = Some(trial::substitutivity(seeds, data)?),
                OVERGENERALISATION => {
                    extras.overgeneralisation = Some(trial::overgeneralisation(seeds, data)?);
                }
                task => extras.images = Some(image::measure(task, args, data)?),
            }
        }
        Ok(extras)
    }

    /// Adds everything to `object`.
    fn add_to(&self, object: &mut Value) {
        if let Some(seen) = &self.images {
            object["images"] = image::as_json(seen);
        }
        if let Some(trials) = &self.substitutivity {
            object["substitutivity"] = trial::as_json(trials);
        }
        if let Some(trials) = &self.overgeneralisation {
            object["overgeneralisation"] = trial::as_json(trials);
        }
    }

    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        if let Some(trials) = &self.substitutivity {
            let title = "Substitutivity: same answer with a synonym, in percent, by how synonyms are trained";
            trial::print(title, trials, out)?;
        }
        if let Some(trials) = &self.overgeneralisation {
            let title =
                "Overgeneralisation: what is followed, in percent, by how many exceptions are trained";
            trial::print(title, trials, out)?;
        }
        if let Some(seen) = &self.images {
            image::print(seen, out)?;
        }
        Ok(())
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// The standard deviation of a sample; 0 for a single one.
fn deviation(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (squares / (numbers.len().max(2) - 1) as f64).sqrt()
}

fn as_json(results: &[Result], extras: &Extras, seeds: usize) -> Value {
    let tasks = results.iter().map(|result| {
        let accuracies = &result.accuracies;
        json!({
            "task": result.task,
            "data": if result.origin == Some(Origin::Official) { "official" } else { "generated" },
            "train_examples": result.examples,
            "accuracy": mean(accuracies),
            "deviation": deviation(accuracies),
            "coverage": mean(&result.coverages),
            "precision": mean(&result.precisions),
            "seconds": mean(&result.seconds),
            "accuracies": accuracies,
            "all_seconds": result.seconds,
            "paper": paper::figure(&result.task),
            "subsets": result.subsets.iter().map(|(name, all)| (name.clone(), json!(all))).collect::<Map<_, _>>(),
            "heads": result.modules.iter().map(|modules| modules.heads).collect::<Vec<_>>(),
            "programs": result.modules.iter().map(|modules| modules.programs).collect::<Vec<_>>(),
            "profile": result.profile.as_ref().map(pcfg::Profile::as_json),
            "nearness": result.nearness,
        })
    });
    let mut object = json!({ "seeds": seeds, "tasks": tasks.collect::<Vec<_>>() });
    if let Some(everyday) = everyday::Measured::among(results) {
        object["everyday"] = everyday.as_json();
    }
    extras.add_to(&mut object);
    object
}

/// The heading of a table.
fn title(name: &str, seeds: usize) -> String {
    match seeds {
        1 => format!("{name}: test accuracy in percent, seed 0"),
        _ => format!("{name}: test accuracy in percent, mean and deviation of seeds 0 to {}", seeds - 1),
    }
}

fn print(results: &[Result], seeds: usize, in_one: bool, out: &mut impl Write) -> std::io::Result<()> {
    let heading = |name: &str| Paint::stdout().bold(&title(name, seeds));
    let mut gap = "";
    if in_one {
        writeln!(out, "{}", heading("All tasks, the same settings"))?;
        paper::print_all(results, out)?;
        gap = "\n";
    }
    for benchmark in BENCHMARKS.iter().filter(|benchmark| !in_one && benchmark.is_in(results)) {
        writeln!(out, "{gap}{}", heading(benchmark.name))?;
        gap = "\n";
        benchmark.print(results, out)?;
        let is_of_it = |result: &&Result| benchmark.tasks().contains(&result.task.as_str());
        for result in results.iter().filter(is_of_it) {
            hint::print(result, out)?;
            result.profile.as_ref().map_or(Ok(()), |profile| profile.print(out))?;
        }
    }
    if let Some(everyday) = everyday::Measured::among(results) {
        writeln!(out, "{gap}{}", heading("Everyday tasks"))?;
        everyday.print(out)?;
        gap = "\n";
    }
    if results.iter().any(|result| language::is_task(&result.task)) {
        writeln!(out, "{gap}{}", heading("Language"))?;
        language::print(results, out)?;
    }
    let is_in_table = |task: &str| {
        everyday::is_task(task)
            || language::is_task(task)
            || BENCHMARKS.iter().any(|benchmark| benchmark.tasks().contains(&task))
    };
    for result in results.iter().filter(|result| !is_in_table(&result.task)) {
        let accuracy = paper::spread(&result.accuracies);
        writeln!(out, "\n{}: {accuracy} %, {:.1} s", result.task, mean(&result.seconds))?;
    }
    Ok(())
}

/// Says where data come from, as far as it is not what one would expect.
fn print_notes(results: &[Result], extras: &Extras, out: &mut impl Write) -> std::io::Result<()> {
    const GENERATED: &str = "made by the generator; --data-dir or NSR_DATA names the published files";
    const REGENERATED: &str = "PCFG SET: the published training inputs are lost; trained on regenerated ones, tested on the published tests \
                               (10K: both as published)";
    const DERIVED: &str = "PCFG SET: synonyms and exceptions were put into the i.i.d. training set as the data's authors describe";
    let has = |origin: Origin, prefix: &str| {
        results.iter().any(|result| result.origin == Some(origin) && result.task.starts_with(prefix))
    };
    let trials = extras.substitutivity.is_some() || extras.overgeneralisation.is_some();
    let notes = [
        (has(Origin::Generated, ""), GENERATED),
        (has(Origin::Official, "pcfg/"), REGENERATED),
        (trials, DERIVED),
    ];
    for (_, note) in notes.into_iter().filter(|(is_so, _)| *is_so) {
        writeln!(out, "\n{}", Paint::stdout().dim(note))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], expected: &[&str]) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(tasks(&names).unwrap(), expected);
    }

    #[test]
    fn names_stand_for_tasks_none_twice() {
        check(&["hint/symbol", "hint"], &["hint", "hint/image"]);
        let pcfg = ["pcfg/iid", "pcfg/systematicity", "pcfg/productivity", "pcfg/10k"];
        let trials: Vec<&str> = EXTRAS.into_iter().filter(|name| name.starts_with("pcfg/")).collect();
        check(&["pcfg/localism", "pcfg"], &[&pcfg[..], &trials].concat());
        check(&["pcfg/overgeneralisation"], &["pcfg/overgeneralisation"]);
        check(&["geoquery", "cogs"], &["geoquery", "cogs/varfree", "cogs/published"]);
        let everyday = tasks(&["everyday/home", "everyday"].map(str::to_owned)).unwrap();
        assert_eq!((everyday.len(), &*everyday[0], &*everyday[1]), (18, "everyday/home", "everyday/dates"));
        let all = tasks(&[ALL.to_owned()]).unwrap();
        assert_eq!((all.len(), all[0].as_str(), all[8].as_str()), (13, "scan/simple", "hint"));
        assert!(
            all.ends_with(&pcfg.map(str::to_owned)) && !all.iter().any(|name| EXTRAS.contains(&&name[..]))
        );
    }
}
