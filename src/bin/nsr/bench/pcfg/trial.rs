//! Substitutivity and overgeneralisation: tests that need training sets of their own.
//!
//! The published training inputs are lost; they are made from those of the i.i.d. split as the authors describe.

use super::super::table::Table;
use super::super::{learn, paper::spread};
use super::{IID, answers};
use crate::args::DataArgs;
use crate::text::{Paint, percent};
use nsr::data::pcfg::further::{self, Synonyms, WITH_SYNONYM};
use nsr::data::{Dataset, Part};
use nsr::experience::Experience;
use nsr::model::Model;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::time::Instant;

/// Whether synonyms are treated alike.
pub const SUBSTITUTIVITY: &str = "pcfg/substitutivity";
/// Whether exceptions are followed.
pub const OVERGENERALISATION: &str = "pcfg/overgeneralisation";

const CONDITIONS: [(&str, &str, Synonyms); 2] = [
    ("equally distributed", "equally_distributed", Synonyms::EquallyDistributed),
    ("primitive", "primitive", Synonyms::Primitive),
];
/// How many exceptions are trained: their share of the occurrences of the rarer function of a pair.
const RATIOS: [(&str, &str); 4] =
    [("0.01 %", "0.0001"), ("0.05 %", "0.0005"), ("0.1 %", "0.001"), ("0.5 %", "0.005")];

/// One training set over all seeds.
pub struct Trial {
    name: &'static str,
    /// The published tests; `None` if they are not in the data folder.
    seeds: Option<Vec<Seed>>,
}

/// Shares of the test set with one seed.
struct Seed {
    figures: Vec<(String, f64)>,
    seconds: f64,
}

/// Learns with synonyms and compares the answers to commands with and without them.
pub fn substitutivity(seeds: usize, data: &DataArgs) -> anyhow::Result<Vec<Trial>> {
    let folder = data.folder()?;
    let trial = |&(name, set, synonyms): &(&'static str, &str, Synonyms)| {
        let published =
            |file: &str| further::published(folder.as_deref(), &format!("substitutivity/{set}/{file}"));
        let tests = published("test")?.zip(published("test_twin")?);
        let over_seeds = |(plain, twins): (Dataset, Dataset)| {
            measure(&format!("{SUBSTITUTIVITY}, {name}"), seeds, data, |train, seed| {
                let train = further::with_synonyms(train, synonyms, seed);
                (train, |model: &Model| alike(model, &plain, &twins))
            })
        };
        Ok(Trial { name, seeds: tests.map(over_seeds).transpose()? })
    };
    CONDITIONS.iter().map(trial).collect()
}

/// Learns with exceptions and counts what follows the rule, and what the exception.
pub fn overgeneralisation(seeds: usize, data: &DataArgs) -> anyhow::Result<Vec<Trial>> {
    let folder = data.folder()?;
    let trial = |&(name, ratio): &(&'static str, &str)| {
        let published = |target: &str| {
            let file = format!("overgeneralisation/test_pcfg_ratio={ratio}_{target}");
            further::published(folder.as_deref(), &file)
        };
        let tests = published("original")?.zip(published("exception")?);
        let over_seeds = |(rule, exception): (Dataset, Dataset)| {
            measure(&format!("{OVERGENERALISATION}, {name}"), seeds, data, |train, _| {
                let train = further::with_exceptions(train, &exception);
                (train, |model: &Model| followed(model, &rule, &exception))
            })
        };
        Ok(Trial { name, seeds: tests.map(over_seeds).transpose()? })
    };
    RATIOS.iter().map(trial).collect()
}

/// Learns with each seed from what `prepare` makes of the i.i.d. training set, and tests as it says. Ends early if
/// interrupted.
fn measure<T: Fn(&Model) -> Vec<(String, f64)>>(
    name: &str,
    seeds: usize,
    data: &DataArgs,
    prepare: impl Fn(&Dataset, u64) -> (Dataset, T),
) -> anyhow::Result<Vec<Seed>> {
    let mut all = Vec::new();
    for seed in 0..seeds as u64 {
        let start = Instant::now();
        let (train, test) = prepare(&data.load(IID, Part::Train, seed)?, seed);
        let Some(learned) = learn(&train, seed, &Experience::none())? else { break };
        let seconds = start.elapsed().as_secs_f64();
        let figures = test(&learned.model);
        let told: Vec<String> =
            figures.iter().map(|(figure, share)| format!("{figure} {} %", percent(*share))).collect();
        eprintln!("{name} seed {seed}: {} in {seconds:.1} s", told.join(", "));
        all.push(Seed { figures, seconds });
    }
    Ok(all)
}

/// How often a command and the same with a synonym get the same answer, right or not, and how often right ones.
fn alike(model: &Model, plain: &Dataset, twins: &Dataset) -> Vec<(String, f64)> {
    let (ours, theirs) = (answers(model, plain), answers(model, twins));
    let wanted: Vec<String> = plain.examples.iter().map(|example| plain.output_text(example)).collect();
    let is_same: Vec<bool> = ours.iter().zip(&theirs).map(|(a, b)| a.is_some() && a == b).collect();
    let right = |answers: &[Option<String>]| {
        share(answers.iter().zip(&wanted).map(|(answer, wanted)| answer.as_ref() == Some(wanted)))
    };
    let mut figures = vec![
        ("consistent".to_owned(), share(is_same.iter().copied())),
        ("right".to_owned(), right(&ours)),
        ("right with synonym".to_owned(), right(&theirs)),
    ];
    for function in WITH_SYNONYM {
        let twin = format!("{function}_twin");
        let has_twin = |place: &usize| twins.input_tokens(&twins.examples[*place]).any(|token| token == twin);
        let places = (0..is_same.len()).filter(has_twin);
        figures.push((function.to_owned(), share(places.map(|place| is_same[place]))));
    }
    figures
}

/// How many answers follow the rule, the exception, or neither.
fn followed(model: &Model, rule: &Dataset, exception: &Dataset) -> Vec<(String, f64)> {
    let answers = answers(model, rule);
    let equal = |data: &Dataset| {
        let is_equal = |(answer, example): (&Option<String>, _)| *answer == Some(data.output_text(example));
        share(answers.iter().zip(&data.examples).map(is_equal))
    };
    let (rule, exception) = (equal(rule), equal(exception));
    let neither = (1.0 - rule - exception).max(0.0);
    let named = [("rule", rule), ("exception", exception), ("neither", neither)];
    named.map(|(name, share)| (name.to_owned(), share)).to_vec()
}

/// The share of those that are so; 0 of nothing.
fn share(are_so: impl Iterator<Item = bool>) -> f64 {
    let (mut count, mut all) = (0usize, 0usize);
    are_so.for_each(|is_so| {
        count += usize::from(is_so);
        all += 1;
    });
    count as f64 / all.max(1) as f64
}

impl Trial {
    fn as_json(&self) -> Value {
        let seed = |seed: &Seed| {
            let mut figures: Map<String, Value> =
                seed.figures.iter().map(|(name, share)| (name.replace(' ', "_"), json!(share))).collect();
            figures.insert("seconds".to_owned(), json!(seed.seconds));
            Value::Object(figures)
        };
        let seeds = self.seeds.as_ref().map(|seeds| seeds.iter().map(seed).collect::<Vec<_>>());
        json!({ "trained": self.name, "seeds": seeds })
    }

    /// The figures as cells: means over seeds.
    fn cells(&self, columns: &[String]) -> Vec<String> {
        let seeds = self.seeds.as_deref().unwrap_or_default();
        let of = |name: &String| {
            let find =
                |seed: &Seed| seed.figures.iter().find(|(other, _)| other == name).map(|(_, share)| *share);
            spread(&seeds.iter().filter_map(find).collect::<Vec<_>>())
        };
        columns.iter().map(of).collect()
    }
}

/// All figures of some trials.
pub fn as_json(trials: &[Trial]) -> Value {
    trials.iter().map(Trial::as_json).collect()
}

/// Prints some trials as one table.
pub fn print(title: &str, trials: &[Trial], out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "\n{}", Paint::stdout().bold(title))?;
    let first = trials.iter().find_map(|trial| trial.seeds.as_ref()?.first());
    if let Some(seed) = first {
        let columns: Vec<String> = seed.figures.iter().map(|(name, _)| name.clone()).collect();
        let mut table = Table::new(columns.clone());
        trials.iter().for_each(|trial| table.line(trial.name, trial.cells(&columns)));
        table.print(out)?;
    }
    for trial in trials.iter().filter(|trial| trial.seeds.is_none()) {
        writeln!(out, "  {}: skipped, its files are not in the data folder", trial.name)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said() {
        let figures = vec![("rule".to_owned(), 0.25), ("exception".to_owned(), 0.75)];
        let there = Trial { name: "0.5 %", seeds: Some(vec![Seed { figures, seconds: 1.0 }]) };
        let absent = Trial { name: "0.1 %", seeds: None };
        let mut out = Vec::new();
        print("Overgeneralisation", &[absent, there], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("  0.5 %  25.00      75.00\n"), "{text}");
        assert!(text.contains("  0.1 %: skipped, its files are not in the data folder\n"), "{text}");
    }

    #[test]
    fn the_share_of_nothing_is_none() {
        assert_eq!(share([].into_iter()), 0.0);
        assert_eq!(share([true, false, true, true].into_iter()), 0.75);
    }
}
