//! Trains on a task or file, tests, and prints the accuracy.
//!
//! ```text
//! cargo run --release --example learn_file -- scan/length
//! cargo run --release --example learn_file -- scan/length --seed 3
//! cargo run --release --example learn_file -- train.tsv test.tsv
//! ```
//!
//! A built-in task brings its own test set; a file needs another one. The published files of a task are used if
//! the environment variable `NSR_DATA` names the folder that holds them; otherwise the task is generated.
// An example is there to print.
#![allow(clippy::print_stdout)]

use nsr::data::{self, Part, ReadOptions};
use nsr::evaluate::evaluate;
use nsr::training::{Event, Observer, train};
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

/// What was asked for on the command line.
struct Args {
    train: String,
    test: String,
    seed: u64,
}

impl Args {
    fn read() -> Result<Args, Box<dyn Error>> {
        let (mut names, mut seed) = (Vec::new(), 0);
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--seed" => seed = args.next().ok_or("--seed: expected a number, found nothing")?.parse()?,
                _ => names.push(arg),
            }
        }
        match <[String; 2]>::try_from(names) {
            Ok([train, test]) => Ok(Args { train, test, seed }),
            Err(names) => match <[String; 1]>::try_from(names) {
                Ok([task]) if data::tasks().any(|known| known.name == task) => {
                    Ok(Args { train: task.clone(), test: task, seed })
                }
                _ => Err("expected TASK [--seed N] or TRAIN TEST [--seed N]".into()),
            },
        }
    }
}

/// Tells what training does, on standard error.
struct Watch(Instant);

impl Observer for Watch {
    fn on(&mut self, event: &Event<'_>) {
        let seconds = self.0.elapsed().as_secs_f64();
        match event {
            Event::Chosen { .. } | Event::Looked { .. } | Event::Tries(_) | Event::Parser { .. } => {}
            // Ten a second would be too many lines.
            Event::Step(_) | Event::Computed { .. } => {}
            Event::Read { inputs, .. } => eprintln!("{seconds:6.1} s  {inputs} distinct inputs"),
            Event::Values { entries, right, asked } => {
                eprintln!("{seconds:6.1} s  {entries} constructions answer {right} of {asked} examples");
            }
            Event::Theory { entries, held_out_right, held_out, .. } => {
                eprintln!(
                    "{seconds:6.1} s  {entries} constructions answer {held_out_right} of {held_out} others"
                );
            }
            Event::Edit { by, bits, entry, .. } => eprintln!("{by} {bits:+.0} bits: {entry}"),
            // Texts need no seeing.
            Event::Seeing(_) => {}
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Args { train: from, test: on, seed } = Args::read()?;
    let folder = std::env::var_os("NSR_DATA").map(PathBuf::from);
    let load = |name: &str, part| data::load(name, part, folder.as_deref(), seed, &ReadOptions::default());

    let start = Instant::now();
    let model = train(&load(&from, Part::Train)?, seed, &mut Watch(start));
    let seconds = start.elapsed().as_secs_f64();

    let score = evaluate(&model, &load(&on, Part::Test)?).all;
    println!(
        "{from}, seed {seed}: {:.2} % of {} test examples right, {} without an answer; learned in {seconds:.1} s",
        100.0 * score.accuracy(),
        score.examples,
        score.unanswered,
    );
    Ok(())
}
