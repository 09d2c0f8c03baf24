//! Language as people use it: COGS, translation, GeoQuery, regular expressions. What a model may not answer counts, so coverage and
//! precision stand beside accuracy.

use super::paper::spread;
use super::table::Table;
use super::{Result, everyday, regex};
use crate::text::percent;
use nsr::data::{Dataset, Example};
use nsr::evaluate::{Calibration, Comparison, Scores, calibration, compare, evaluate};
use nsr::model::Model;
use serde::Serialize;
use std::io::Write;

/// A task with published figures, each exact match in percent if nothing else is said.
struct Known {
    task: &'static str,
    figures: &'static [(&'static str, &'static str)],
}

/// What a name stands for. Figures that use a lexicon by hand, other forms or other parts of the data are left out.
const BENCHMARKS: [(&str, &[Known]); 4] = [
    (
        "cogs",
        &[
            Known { task: "cogs/varfree", figures: &[] },
            Known { task: "cogs/published", figures: &[("Transformer (Kim & Linzen 2020)", "35")] },
        ],
    ),
    (
        "mt",
        &[
            Known {
                task: DAXY[0],
                figures: &[
                    ("Seq2Seq (Lake & Baroni 2018)", "12.5"),
                    ("Transformer (Li et al. 2024)", "14.4"),
                    ("NeSS (Chen et al. 2020)", "100.0"),
                    ("NSR, the paper (Li et al. 2024)", "100.0"),
                ],
            },
            Known { task: DAXY[1], figures: &[] },
            Known { task: "mt/neural-qcfg", figures: &[] },
        ],
    ),
    ("geoquery", &[Known { task: "geoquery", figures: &[] }]),
    (
        "regex",
        &[Known { task: REGEX, figures: &[("Deep-Regex (Locascio et al. 2016), same language", "88.7")] }],
    ),
];

/// Regular expressions: there are many ways to write one.
const REGEX: &str = "regex";
/// The eight sentences with a made-up word, in both versions of the training data.
const DAXY: [&str; 2] = ["mt/daxy", "mt/cgps"];
/// The two French forms of `you are`; the published figures count both as right.
const FORMS: [(&str, &str); 2] = [("tu es ", "vous etes "), ("tu n es ", "vous n etes ")];

/// The tasks that a name stands for.
pub fn tasks(name: &str) -> Option<Vec<&'static str>> {
    let (_, known) = BENCHMARKS.iter().find(|(benchmark, _)| *benchmark == name)?;
    Some(known.iter().map(|known| known.task).collect())
}

fn known(task: &str) -> Option<&'static Known> {
    BENCHMARKS.iter().flat_map(|(_, known)| *known).find(|known| known.task == task)
}

/// Whether the task is one of these.
pub fn is_task(task: &str) -> bool {
    known(task).is_some()
}

/// Counts the other form of an answer as right where the published figures do.
pub fn count_both_forms(scores: &mut Scores, model: &Model, test: &Dataset) {
    if !DAXY.contains(&test.name.as_str()) {
        return;
    }
    let others: Vec<(String, String)> = test
        .examples
        .iter()
        .filter_map(|example| Some((test.input_text(example), other_form(&test.output_text(example))?)))
        .collect();
    scores.all.correct += evaluate(model, &Dataset::from_pairs(&test.name, &others)).all.correct;
}

/// How near answers come to what was wanted, and how sure they should be.
#[derive(Serialize)]
pub struct Nearness {
    comparison: Comparison,
    calibration: Calibration,
    /// Of regular expressions, the share of all answers that accept the same strings as what was wanted.
    same_language: Option<f64>,
}

/// So many examples tell how near and how sure answers are: all results of an input take much longer than its answer.
const COMPARED: usize = 1_000;

/// See [`Nearness`]; `None` for other tasks.
pub fn nearness(model: &Model, test: &Dataset) -> Option<Nearness> {
    let step = test.examples.len().div_ceil(COMPARED).max(1);
    let examples = test.examples.iter().step_by(step).cloned().collect();
    let some = Dataset { examples, ..test.clone() };
    is_task(&test.name).then(|| Nearness {
        comparison: compare(model, &some),
        calibration: calibration(model, &some),
        same_language: (test.name == REGEX).then(|| same_language(model, test)),
    })
}

/// The share of examples answered by an expression that accepts the same strings.
fn same_language(model: &Model, test: &Dataset) -> f64 {
    let is_same = |example: &&Example| {
        let wanted = test.output_text(example);
        let answer = model.result_text(&model.symbols(test.input_tokens(example)));
        answer.is_some_and(|answer| answer == wanted || regex::is_same(&answer, &wanted) == Some(true))
    };
    test.examples.iter().filter(is_same).count() as f64 / test.examples.len().max(1) as f64
}

impl Nearness {
    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Nearness { comparison: Comparison { bleu, mistakes }, calibration, same_language } = self;
        let Calibration { error, by_chance, .. } = calibration;
        writeln!(out, "  BLEU {}; calibration error {error:.3} ({by_chance:.3} by chance)", percent(*bleu))?;
        if let Some(share) = same_language {
            writeln!(
                out,
                "  same language {} % (expressions that accept the same strings)",
                percent(*share)
            )?;
        }
        let kinds: Vec<String> =
            mistakes.iter().map(|(mistake, times)| format!("{} {times}", mistake.name())).collect();
        if !kinds.is_empty() {
            writeln!(out, "  mistakes: {}", kinds.join(", "))?;
        }
        for kept in calibration.kept.iter().filter(|kept| kept.margin > 0.0) {
            let (coverage, precision) = (percent(kept.coverage), percent(kept.precision));
            writeln!(out, "  --margin {}: coverage {coverage} %, precision {precision} %", kept.margin)?;
        }
        Ok(())
    }
}

fn other_form(output: &str) -> Option<String> {
    FORMS.iter().find_map(|(form, other)| Some(format!("{other}{}", output.strip_prefix(form)?)))
}

/// Prints the published figures and ours, and ours by type of combination.
pub fn print(results: &[Result], out: &mut impl Write) -> std::io::Result<()> {
    for result in results {
        let Some(known) = known(&result.task) else { continue };
        let mut table = Table::new(everyday::COLUMNS);
        for (system, figure) in known.figures {
            table.line(system, ["", figure]);
        }
        table.bold(&result.task, everyday::cells(result));
        for (name, accuracies) in &result.subsets {
            table.line(&format!("  {name}"), [String::new(), spread(accuracies)]);
        }
        table.print(out)?;
        result.nearness.as_ref().map_or(Ok(()), |nearness| nearness.print(out))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn you_are_has_two_forms() {
        assert_eq!(other_form("tu n es pas daxiste ."), Some("vous n etes pas daxiste .".to_owned()));
        assert_eq!(other_form("il est daxiste ."), None);
    }
}
