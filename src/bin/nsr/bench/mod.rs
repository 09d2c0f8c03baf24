//! `nsr bench`: learns and tests benchmarks; the paper's figures next to ours.

mod hint;
mod image;

use crate::args::{Bench, DataArgs};
use crate::log::Log;
use crate::text::{Paint, pad, percent};
use crate::{Outcome, interrupt, source, train};
use anyhow::bail;
use nsr::data::{Origin, Part};
use nsr::evaluate::evaluate;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::ops::Range;
use std::time::Instant;

/// The splits of SCAN in the paper's table, and the others.
const PAPER: [&str; 4] = ["scan/simple", "scan/jump", "scan/around-right", "scan/length"];
const FURTHER: [&str; 4] = ["scan/turn-left", "scan/opposite-right", "scan/right", "scan/jump-around-right"];

/// The rows of the paper's table on SCAN; a dash where there is no figure.
const ROWS: [(&str, [Option<f64>; 4]); 7] = [
    ("Seq2Seq (Lake & Baroni 2018)", [Some(99.7), Some(1.2), Some(2.5), Some(13.8)]),
    ("CNN (Dessì & Baroni 2019)", [Some(100.0), Some(69.2), Some(56.7), Some(0.0)]),
    ("Transformer (Csordás et al. 2021)", [None, None, None, Some(20.0)]),
    ("Transformer (Ontañón et al. 2022)", [None, Some(0.0), None, Some(19.6)]),
    ("equivariant Seq2seq (Gordon et al. 2019)", [Some(100.0), Some(99.1), Some(92.0), Some(15.9)]),
    ("NeSS (Chen et al. 2020)", [Some(100.0); 4]),
    ("NSR, the paper (Li et al. 2024)", [Some(100.0); 4]),
];

/// One task over all seeds.
struct Result {
    task: String,
    origin: Origin,
    accuracies: Vec<f64>,
    seconds: Vec<f64>,
    /// The accuracy on each subset that the data name, seed by seed.
    subsets: Vec<(String, Vec<f64>)>,
    /// Of HINT, how good the modules are by themselves.
    modules: Vec<hint::Modules>,
    /// Of HINT, how the first seed's programs came about.
    origins: Option<hint::Origins>,
}

impl Result {
    /// The mean accuracy on a subset; 0 if there is none of this name.
    fn subset(&self, name: &str) -> f64 {
        self.subsets.iter().find(|(other, _)| other == name).map_or(0.0, |(_, accuracies)| mean(accuracies))
    }
}

/// Runs the command.
pub fn run(args: &Bench, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let mut tasks = tasks(&args.names)?;
    interrupt::listen()?;
    let mut results = Vec::new();
    let seeds = args.first_seed..args.first_seed + args.seeds.get() as u64;
    let pictures =
        tasks.iter().position(|task| image::TASKS.contains(&task.as_str())).map(|place| tasks.remove(place));
    for task in tasks {
        match measure(&task, seeds.clone(), data)? {
            Some(result) => results.push(result),
            None => break,
        }
    }
    let seen = match &pictures {
        Some(task) => Some((task, image::measure(task, seeds.clone(), data, args.network)?)),
        None => None,
    };
    match args.json {
        true => {
            let mut object = as_json(&results, args.seeds.get());
            if let Some((task, seen)) = &seen {
                object["images"] = image::as_json(task, seen);
            }
            writeln!(out, "{object}")?;
        }
        false => {
            print(&results, &seeds, out)?;
            if let Some((_, seen)) = &seen {
                writeln!(out, "\n{}", Paint::stdout().bold(&title("HINT, images", &seeds)))?;
                image::print(seen, out)?;
            }
        }
    }
    Ok(Outcome::Done)
}

/// The tasks that `names` stand for, none twice.
fn tasks(names: &[String]) -> anyhow::Result<Vec<String>> {
    let mut tasks: Vec<String> = Vec::new();
    let scan = || PAPER.iter().chain(&FURTHER).map(|name| name.to_string());
    for name in names {
        match name.as_str() {
            "scan" => tasks.extend(scan()),
            "hint" => tasks.extend([hint::TASK.to_owned(), image::TASKS[0].to_owned()]),
            "hint/symbol" => tasks.push(hint::TASK.to_owned()),
            name if image::TASKS.contains(&name) => tasks.push(name.to_owned()),
            _ if source::is_task(name) => tasks.push(name.clone()),
            _ => bail!("{name}: expected scan, hint or a built-in task such as scan/length, found neither"),
        }
    }
    if names.is_empty() {
        tasks.extend(scan().chain([hint::TASK.to_owned()]));
    }
    let mut seen = std::collections::BTreeSet::new();
    tasks.retain(|task| seen.insert(task.clone()));
    Ok(tasks)
}

/// Learns and tests `task` with each seed; `None` if interrupted.
fn measure(task: &str, seeds: Range<u64>, data: &DataArgs) -> anyhow::Result<Option<Result>> {
    let mut result = Result {
        task: task.to_owned(),
        origin: Origin::Generated,
        accuracies: Vec::new(),
        seconds: Vec::new(),
        subsets: Vec::new(),
        modules: Vec::new(),
        origins: None,
    };
    for seed in seeds {
        let start = Instant::now();
        let examples = data.load(task, Part::Train, seed)?;
        let learned =
            train::learn(&examples, data.settings(&examples, seed), train::Start::Anew, Log::default())?;
        // Loading and learning; testing is not part of it.
        let seconds = start.elapsed().as_secs_f64();
        if interrupt::asked() {
            return Ok(None);
        }
        let test = data.load(task, Part::Test, seed)?;
        let scores = evaluate(&learned.model, &test);
        let accuracy = scores.all.accuracy();
        eprintln!("{task} seed {seed}: {} % in {seconds:.1} s", percent(accuracy));
        result.origin = examples.origin;
        result.accuracies.push(accuracy);
        result.seconds.push(seconds);
        for (name, score) in scores.subsets {
            match result.subsets.iter_mut().find(|(other, _)| *other == name) {
                Some((_, accuracies)) => accuracies.push(score.accuracy()),
                None => result.subsets.push((name, vec![score.accuracy()])),
            }
        }
        if task == hint::TASK {
            result.modules.push(hint::Modules::of(&learned.model, &test));
            if seed == 0 {
                result.origins = Some(hint::Origins::of(&learned));
            }
        }
    }
    Ok(Some(result))
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

fn as_json(results: &[Result], seeds: usize) -> Value {
    let tasks = results.iter().map(|result| {
        let accuracies = &result.accuracies;
        json!({
            "task": result.task,
            "data": if result.origin == Origin::Official { "official" } else { "generated" },
            "accuracy": mean(accuracies),
            "deviation": deviation(accuracies),
            "seconds": mean(&result.seconds),
            "accuracies": accuracies,
            "all_seconds": result.seconds,
            "paper": paper_figure(&result.task),
            "subsets": result.subsets.iter().map(|(name, all)| (name.clone(), json!(all))).collect::<Map<_, _>>(),
            "heads": result.modules.iter().map(|modules| modules.heads).collect::<Vec<_>>(),
            "programs": result.modules.iter().map(|modules| modules.programs).collect::<Vec<_>>(),
            "evolution": result.origins.as_ref().map(hint::Origins::as_json),
        })
    });
    json!({ "seeds": seeds, "tasks": tasks.collect::<Vec<_>>() })
}

/// The paper's own figure, 0 to 1, where it has one.
fn paper_figure(task: &str) -> Option<f64> {
    let column = PAPER.iter().position(|paper| *paper == task)?;
    ROWS[ROWS.len() - 1].1[column].map(|figure| figure / 100.0)
}

/// The heading of a table.
fn title(name: &str, seeds: &Range<u64>) -> String {
    let Range { start, end } = seeds;
    match end - start {
        1 => format!("{name}: test accuracy in percent, seed {start}"),
        _ => format!("{name}: test accuracy in percent, mean and deviation of seeds {start} to {}", end - 1),
    }
}

fn print(results: &[Result], seeds: &Range<u64>, out: &mut impl Write) -> std::io::Result<()> {
    let paint = Paint::stdout();
    let title = |name: &str| paint.bold(&title(name, seeds));
    if results.iter().any(|result| result.task.starts_with("scan/")) {
        writeln!(out, "{}", title("SCAN"))?;
    }
    for (splits, rows) in [(PAPER, &ROWS[..]), (FURTHER, &[])] {
        let found: Vec<Option<&Result>> =
            splits.iter().map(|split| results.iter().find(|result| result.task == *split)).collect();
        if found.iter().any(Option::is_some) {
            writeln!(out)?;
            print_table(&splits, rows, &found, out)?;
        }
    }
    if let Some(result) = results.iter().find(|result| result.task == hint::TASK) {
        writeln!(out, "\n{}", title("HINT, symbols"))?;
        hint::print(result, out)?;
    }
    for result in results.iter().filter(|result| !is_in_table(&result.task)) {
        let accuracy = percent(mean(&result.accuracies));
        writeln!(out, "\n{}: {accuracy} %, {:.1} s", result.task, mean(&result.seconds))?;
    }
    if results.iter().any(|result| result.origin == Origin::Generated) {
        writeln!(
            out,
            "\n{}",
            paint.dim("made by the generator; --data-dir or NSR_DATA names the published files")
        )?;
    }
    Ok(())
}

/// Whether a task has a place in one of the tables.
fn is_in_table(task: &str) -> bool {
    PAPER.contains(&task) || FURTHER.contains(&task) || task == hint::TASK
}

const NAME: usize = 42;
const COLUMN: usize = 17;

fn print_table(
    splits: &[&str; 4],
    rows: &[(&str, [Option<f64>; 4])],
    results: &[Option<&Result>],
    out: &mut impl Write,
) -> std::io::Result<()> {
    let paint = Paint::stdout();
    let line = |name: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>COLUMN$}")).collect();
        format!("  {}{cells}", pad(name, NAME))
    };
    let short = splits.map(|split| split.trim_start_matches("scan/").to_owned());
    writeln!(out, "{}", paint.dim(&line("", short.to_vec())))?;
    for (name, figures) in rows {
        let cells = figures.iter().map(|figure| figure.map_or("-".into(), |figure| format!("{figure:.1}")));
        writeln!(out, "{}", line(name, cells.collect()))?;
    }
    let cell = |tell: &dyn Fn(&Result) -> String| -> Vec<String> {
        results.iter().map(|result| result.map_or("-".into(), tell)).collect()
    };
    let ours = cell(&|result| {
        let mean = percent(mean(&result.accuracies));
        match result.accuracies.len() {
            1 => mean,
            _ => format!("{mean} ± {:.2}", 100.0 * deviation(&result.accuracies)),
        }
    });
    writeln!(out, "{}", paint.bold(&line("nsr, this program", ours)))?;
    let seconds = cell(&|result| format!("{:.1} s", mean(&result.seconds)));
    writeln!(out, "{}", line("  loading and learning", seconds))
}
