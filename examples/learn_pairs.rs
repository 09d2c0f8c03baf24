//! Learns from a few pairs in memory, answers a command it has never seen, and tells how.
//!
//! ```text
//! cargo run --release --example learn_pairs
//! ```
// An example is there to print.
#![allow(clippy::print_stdout)]

use nsr::{Learner, report};

/// What is learned from.
const PAIRS: [(&str, &str); 17] = [
    ("turn the lamp on", "lamp=on"),
    ("turn the fan off", "fan=off"),
    ("turn the radio on", "radio=on"),
    ("turn the heater off", "heater=off"),
    ("turn the lamp off", "lamp=off"),
    ("turn the fan on", "fan=on"),
    ("turn the radio off", "radio=off"),
    ("turn the lamp in the hall on", "hall.lamp=on"),
    ("turn the fan in the attic off", "attic.fan=off"),
    ("turn the radio in the kitchen on", "kitchen.radio=on"),
    ("turn the heater in the hall on", "hall.heater=on"),
    ("turn the lamp in the kitchen off", "kitchen.lamp=off"),
    ("turn the fan in the hall on", "hall.fan=on"),
    ("turn the lamp on and the fan off", "lamp=on; fan=off"),
    ("turn the radio in the hall off and the lamp on", "hall.radio=off; lamp=on"),
    ("turn the fan on and the heater in the attic off", "fan=on; attic.heater=off"),
    ("turn the heater off and the radio in the kitchen on", "heater=off; kitchen.radio=on"),
];

/// A command that was not among them.
const COMMAND: &str = "turn the heater in the attic on and the fan off";

fn main() {
    // `.seconds(60.0)` ends learning in time; an `nsr::Observer` sees how it goes, and may stop it.
    let model = Learner::new().learn(&PAIRS);

    println!("What was learned:");
    for construction in report::constructions(&model) {
        println!("  {} = {}", construction.pattern, construction.says);
    }

    println!("\n{COMMAND}");
    let Some(answer) = model.answer(COMMAND) else { return println!("no answer") };
    for node in &answer.tree.nodes {
        let value = node.value.as_deref().unwrap_or("no value");
        println!("  {:12} {:16} {value}", node.word, node.program.as_deref().unwrap_or("-"));
    }
    println!("= {}", answer.text);
}
