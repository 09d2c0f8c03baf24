//! Learns from a few pairs in memory, answers a command it has never seen, and tells how.
//!
//! ```text
//! cargo run --release --example learn_pairs
//! ```
// An example is there to print.
#![allow(clippy::print_stdout)]

use nsr::data::Dataset;
use nsr::report;
use nsr::training::train;

/// What is learned from: `jump` occurs only alone.
const PAIRS: [(&str, &str); 15] = [
    ("walk", "WALK"),
    ("run", "RUN"),
    ("jump", "JUMP"),
    ("look", "LOOK"),
    ("walk twice", "WALK WALK"),
    ("run twice", "RUN RUN"),
    ("look twice", "LOOK LOOK"),
    ("walk thrice", "WALK WALK WALK"),
    ("run thrice", "RUN RUN RUN"),
    ("look thrice", "LOOK LOOK LOOK"),
    ("walk and run", "WALK RUN"),
    ("run and look", "RUN LOOK"),
    ("look and walk", "LOOK WALK"),
    ("walk twice and run", "WALK WALK RUN"),
    ("look and run thrice", "LOOK RUN RUN RUN"),
];

/// A command that was not among them.
const COMMAND: &str = "jump twice and look thrice";

fn main() {
    let data = Dataset::from_pairs("pairs", &PAIRS);
    // `&mut ()` watches in silence; implement `training::Observer` to see the progress or to stop early.
    let model = train(&data, 0, &mut ());

    println!("What was learned:");
    for construction in report::constructions(&model) {
        println!("  {} = {}", construction.pattern, construction.says);
    }

    println!("\n{COMMAND}");
    let explanation = report::explain(&model, COMMAND).expect("the command has words");
    for node in &explanation.nodes {
        let head = node.head.map_or("the result", |head| &explanation.nodes[head as usize].word);
        let (program, value) = (node.program.as_deref(), node.value.as_deref());
        println!(
            "  {:8} → {:12} {:14} {}",
            node.word,
            head,
            program.unwrap_or("-"),
            value.unwrap_or("no value")
        );
    }
    println!("= {}", explanation.output.as_deref().unwrap_or("no answer"));
}
