//! The command line: arguments in, words and figures out. Everything else is the library's.

mod args;
mod bench;
mod demo;
mod doctor;
mod draw;
mod escape;
mod eval;
mod experience;
mod explain;
mod images;
mod inspect;
mod interrupt;
mod log;
mod predict;
mod progress;
mod source;
mod text;
mod train;
mod weigh;

use anyhow::Context;
use args::{Args, Command};
use clap::Parser;
use escape::{Page, tell};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use text::Paint;

/// What a command came to, other than an error.
pub enum Outcome {
    /// It did what was asked.
    Done,
    /// The model has no answer.
    NoAnswer,
}

/// Hostile programs may nest as deep as the evaluator's bounds allow, more than a default stack holds.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || run(args));
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic has been reported.
        Ok(Err(_)) => ExitCode::from(2),
        Err(error) => fail(&error.into()),
    }
}

fn run(args: Args) -> ExitCode {
    match dispatch(args) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NoAnswer) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn dispatch(args: Args) -> anyhow::Result<Outcome> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .stack_size(STACK)
        .build_global()
        .context("--threads")?;
    nsr::parts::leave_out(args.without.iter().copied());
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut out = Page::new(out, args.is_for_people(), Paint::stdout().is_on());
    let outcome = match args.command {
        None => demo::run(&args.data, &mut out),
        Some(Command::Train(train)) => train::run(&train, &args.data, &mut out),
        Some(Command::Eval(eval)) => eval::run(&eval, &args.data, &mut out),
        Some(Command::Predict(predict)) => predict::run(&predict, &args.data, &mut out),
        Some(Command::Explain(explain)) => explain::run(&explain, &args.data, &mut out),
        Some(Command::Export(export)) => images::export(&export, &mut out),
        Some(Command::Inspect(inspect)) => inspect::run(&inspect, &args.data, &mut out),
        Some(Command::Doctor(doctor)) => doctor::run(&doctor, &args.data, &mut out),
        Some(Command::Experience(experience)) => experience::run(&experience, &mut out),
        Some(Command::Bench(bench)) => bench::run(&bench, &args.data, &mut out),
    }?;
    out.flush()?;
    Ok(outcome)
}

/// Says what is wrong with the arguments in one line; help and version are no errors.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Nobody may be listening any more; there is nothing to be done about it.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let line = lines.collect::<Vec<_>>().join(" ");
    tell(&format!("nsr: {}; see nsr --help", line.trim_start_matches("error: ")));
    ExitCode::from(2)
}

fn fail(error: &anyhow::Error) -> ExitCode {
    let mut line = error.to_string();
    // An error of the library already tells what it was caused by.
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !line.contains(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    tell(&format!("nsr: {}", line.replace('\n', " ")));
    ExitCode::from(2)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<io::Error>()
            .map(io::Error::kind)
            .or_else(|| cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind))
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}
