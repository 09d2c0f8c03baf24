//! Models: loaded, asked and stored again.

use crate::target::Target;
use nsr::checkpoint;
use nsr::data::Dataset;
use nsr::model::Model;
use nsr::report;
use nsr::training::{Event, Observer, train};
use std::cell::Cell;
use std::path::Path;

/// Models that are finished, and one that is not.
pub fn targets() -> Vec<Target> {
    vec![Target { name: "model", files: models(), read: ask, one_in: 8 }]
}

/// Commands to learn from in a moment.
fn commands() -> Dataset {
    let mut pairs = Vec::new();
    for (word, token) in [("walk", "WALK"), ("run", "RUN"), ("look", "LOOK")] {
        pairs.push((word.to_owned(), token.to_owned()));
        pairs.push((format!("{word} twice"), format!("{token} {token}")));
        pairs.push((format!("{word} and walk"), format!("{token} WALK")));
    }
    Dataset::from_pairs("commands", &pairs)
}

/// Enough of them for constructions, with outputs cut into pieces.
fn records() -> Dataset {
    let mut pairs = Vec::new();
    for thing in ["lamp", "fan", "radio", "heater", "oven", "tap"] {
        for room in ["hall", "attic", "cellar", "office", "shed"] {
            for state in ["on", "off"] {
                pairs.push((
                    format!("switch the {thing} in the {room} {state}"),
                    format!("{state}({thing}@{room})"),
                ));
            }
        }
    }
    Dataset::from_texts("records", &pairs, None)
}

/// Sums of small numbers.
fn sums() -> Dataset {
    let mut pairs: Vec<(String, String)> =
        (0..6).map(|number| (number.to_string(), number.to_string())).collect();
    for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
        pairs.push((format!("{a} + {b}"), (a + b).to_string()));
    }
    Dataset::from_pairs("sums", &pairs)
}

/// Commands with numbers in words.
fn waits() -> Dataset {
    let mut pairs = Vec::new();
    for (tens, word) in [(20, "twenty"), (30, "thirty"), (40, "forty")] {
        for (ones, unit) in [(1, "one"), (2, "two"), (3, "three"), (4, "four")] {
            for (name, short) in [("minutes", "m"), ("hours", "h")] {
                pairs.push((
                    format!("wait {word} {unit} {name}"),
                    format!("wait ( {} {short} )", tens + ones),
                ));
                pairs.push((format!("wait {unit} {name}"), format!("wait ( {ones} {short} )")));
            }
        }
    }
    Dataset::from_pairs("waits", &pairs)
}

/// Stops training when it has asked so often.
struct Patience(Cell<usize>);

impl Observer for Patience {
    fn on(&mut self, _: &Event<'_>) {}

    fn stop(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

fn stopped(data: &Dataset, asked: usize) -> Model {
    train(data, 0, &mut Patience(Cell::new(asked)))
}

/// A model without the header of its file.
fn body(model: &Model) -> Vec<u8> {
    checkpoint::to_bytes(model)[HEADER..].to_vec()
}

const HEADER: usize = 24;

fn models() -> Vec<(&'static str, Vec<u8>)> {
    [
        train(&commands(), 0, &mut ()),
        train(&records(), 0, &mut ()),
        train(&sums(), 0, &mut ()),
        train(&waits(), 0, &mut ()),
        stopped(&commands(), 5),
    ]
    .iter()
    .map(|model| ("m", body(model)))
    .collect()
}

/// The model that a body holds, under a header that fits.
fn model(body: &[u8]) -> Option<Model> {
    let mut bytes = b"nsrmodel".to_vec();
    bytes.extend_from_slice(&checkpoint::VERSION.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(body).to_le_bytes());
    bytes.extend_from_slice(body);
    checkpoint::from_bytes(&bytes).ok()
}

fn ask(_: &Path, bytes: &[u8]) -> Option<()> {
    let model = model(bytes)?;
    for text in ["walk twice and run", "2 + 3 + 1", "switch the fan in the hall off", "look and walk twice"] {
        report::explain(&model, text);
        report::explain_best(&model, text, 3);
        model.result_text(&model.read(text));
    }
    report::unsolved(&model);
    report::constructions(&model);
    // What was loaded can be stored and loaded again.
    checkpoint::from_bytes(&checkpoint::to_bytes(&model)).expect("a sound model stays sound");
    Some(())
}
