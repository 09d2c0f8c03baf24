//! The everyday tasks: a line each, and their mean. Nobody has published figures for them.

use super::paper::spread;
use super::table::Table;
use super::{Result, mean};
use crate::text::{percent, thousands};
use nsr::data;
use serde_json::{Value, json};
use std::io::Write;

/// What the names of the tasks begin with.
const PREFIX: &str = "everyday/";

/// All everyday tasks.
pub fn tasks() -> Vec<&'static str> {
    data::tasks().map(|task| task.name).filter(|name| is_task(name)).collect()
}

/// Whether the task called `name` is one.
pub fn is_task(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Those that were measured.
pub struct Measured<'a>(Vec<&'a Result>);

impl<'a> Measured<'a> {
    /// The everyday tasks among `results`; `None` if there are none.
    pub fn among(results: &'a [Result]) -> Option<Measured<'a>> {
        let found: Vec<_> = results.iter().filter(|result| is_task(&result.task)).collect();
        (!found.is_empty()).then_some(Measured(found))
    }

    /// The mean over tasks of what `tell` gives seed by seed.
    fn mean(&self, tell: impl Fn(&Result) -> &[f64]) -> f64 {
        mean(&self.0.iter().map(|result| mean(tell(result))).collect::<Vec<_>>())
    }

    /// The means of accuracy, coverage, precision and seconds.
    fn means(&self) -> [f64; 4] {
        [
            self.mean(|result| &result.accuracies),
            self.mean(|result| &result.coverages),
            self.mean(|result| &result.precisions),
            self.mean(|result| &result.seconds),
        ]
    }

    /// The means over tasks.
    pub fn as_json(&self) -> Value {
        let [accuracy, coverage, precision, seconds] = self.means();
        json!({
            "tasks": self.0.len(),
            "accuracy": accuracy,
            "coverage": coverage,
            "precision": precision,
            "seconds": seconds,
        })
    }

    /// Prints the table, with a line for the mean of several.
    pub fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut table = Table::new(COLUMNS);
        for result in &self.0 {
            table.line(&result.task, cells(result));
        }
        if self.0.len() > 1 {
            let [accuracy, coverage, precision, seconds] = self.means();
            let [accuracy, coverage, precision] = [accuracy, coverage, precision].map(percent);
            table.bold("mean", [String::new(), accuracy, coverage, precision, format!("{seconds:.1} s")]);
        }
        table.print(out)
    }
}

/// What is told of a task beside its name.
pub const COLUMNS: [&str; 5] = ["examples", "accuracy", "coverage", "precision", "loading and learning"];

/// The figures of a task, as [`COLUMNS`] name them.
pub fn cells(result: &Result) -> [String; 5] {
    [
        thousands(result.examples),
        spread(&result.accuracies),
        percent(mean(&result.coverages)),
        percent(mean(&result.precisions)),
        format!("{:.1} s", mean(&result.seconds)),
    ]
}
