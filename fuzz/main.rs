//! Altered files against everything that reads one: nothing may panic, run long or fill the memory.
//!
//! ```text
//! cargo run --release --example fuzz                         # a short run, the same each time
//! cargo run --release --example fuzz -- 1000000              # so many inputs for the quickest target, fewer for slower ones
//! cargo run --release --example fuzz -- 1000000 7 model png  # with another seed, some targets only
//! ```
//!
//! Each target has a few sound files, which are altered in one to eight places; models get a sum that fits, so that only
//! the checks of what they hold stand between a forged one and the rest of the program. A panic is told with the seed and
//! number of its input, and the input is kept in the folder for temporary files; then the exit code is 1.
// An example is there to print.
#![allow(clippy::print_stdout)]

mod alter;
mod model;
mod pictures;
mod readers;
mod target;
mod text;

use std::fs;
use std::process::ExitCode;
use target::Target;

/// Inputs for the quickest target in a short run, as many as take some seconds.
const SHORT: u64 = 10_000;
/// As the command has it: hostile programs nest as deep as the evaluator's bounds allow.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).peekable();
    let mut number = |usual| {
        args.next_if(|arg| arg.parse::<u64>().is_ok()).map_or(usual, |arg| arg.parse().unwrap_or(usual))
    };
    let (inputs, seed) = (number(SHORT), number(0));
    let chosen: Vec<String> = args.collect();
    std::panic::set_hook(Box::new(|_| {}));
    let targets = targets()
        .into_iter()
        .filter(|target| chosen.is_empty() || chosen.iter().any(|name| name == target.name));
    println!("{:>10} {:>10} {:>9} {:>7} {:>9}", "target", "inputs", "sound", "panics", "slowest");
    let started = targets
        .map(|target| std::thread::Builder::new().stack_size(STACK).spawn(move || target.run(inputs, seed)));
    // All at once: there are about as many as processors have threads, and each is told when those before it are.
    let started: Vec<_> = started.collect();
    let mut panics = 0;
    for thread in started {
        match thread.map(std::thread::JoinHandle::join) {
            Ok(Ok(found)) => panics += found,
            _ => return ExitCode::from(2),
        }
    }
    println!("most memory: {} MB", most_memory().unwrap_or(0) >> 10);
    if panics == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn targets() -> Vec<Target> {
    [model::targets(), text::targets(), readers::targets(), pictures::targets()]
        .into_iter()
        .flatten()
        .collect()
}

/// The most memory that this process ever held, in kB, where the system tells.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
