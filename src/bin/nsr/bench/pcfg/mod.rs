//! PCFG SET beyond the paper's table: which commands of the i.i.d. test are answered, and the data set's own
//! further tests.

pub mod trial;

use super::table::Table;
use crate::text::{Paint, percent, thousands};
use nsr::data::Dataset;
use nsr::data::pcfg::{self, further};
use nsr::evaluate::evaluate;
use nsr::model::Model;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;

/// The task whose model all this is measured with.
pub const IID: &str = "pcfg/iid";

/// Depths from this on are counted together.
const DEEP: usize = 10;
/// Lengths are counted in steps of so many tokens, up to the last one.
const STEP: usize = 10;
const LONG: usize = 6;

/// How many answers of each group are right, of how many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups(Vec<(String, [usize; 2])>);

impl Groups {
    fn new(labels: impl IntoIterator<Item = impl Into<String>>) -> Groups {
        Groups(labels.into_iter().map(|label| (label.into(), [0, 0])).collect())
    }

    fn count(&mut self, group: usize, is_right: bool) {
        let [right, all] = &mut self.0[group].1;
        *right += usize::from(is_right);
        *all += 1;
    }

    fn add(&mut self, other: &Groups) {
        for (group, counts) in &other.0 {
            match self.0.iter_mut().find(|(label, _)| label == group) {
                Some((_, [right, all])) => (*right, *all) = (*right + counts[0], *all + counts[1]),
                None => self.0.push((group.clone(), *counts)),
            }
        }
    }

    fn as_json(&self) -> Value {
        let group = |(label, [right, all]): &(String, [usize; 2])| {
            (
                label.clone(),
                json!({ "examples": all, "correct": right, "accuracy": *right as f64 / (*all).max(1) as f64 }),
            )
        };
        Value::Object(self.0.iter().map(group).collect::<Map<_, _>>())
    }
}

/// A share in percent; a dash where there is nothing.
fn cell([right, all]: [usize; 2]) -> String {
    if all == 0 { "-".to_owned() } else { percent(right as f64 / all as f64) }
}

/// What is measured with a model of the i.i.d. split, added up over seeds.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    by_depth: Groups,
    by_length: Groups,
    /// Commands that have the function somewhere.
    by_function: Groups,
    /// Commands of the function applied to other commands; nothing where there are no such files.
    outermost: Groups,
    /// Localism: equal answers as a whole and in parts, and right ones in parts.
    localism: Groups,
    /// One function and longer and longer strings.
    by_string: Groups,
}

impl Profile {
    /// Asks `model` the test set and the further tests below `folder`.
    pub fn of(model: &Model, test: &Dataset, folder: Option<&Path>) -> anyhow::Result<Profile> {
        let mut profile = Profile::answered(model, test);
        for function in pcfg::function_names() {
            let name = format!("pcfgset/per_function_test/test_{function}");
            if let Some(own) = further::published(folder, &name)? {
                let score = evaluate(model, &own).all;
                profile.outermost.add(&Groups(vec![(function.to_owned(), [score.correct, score.examples])]));
            }
        }
        if let Some(unrolled) = further::unrolled(folder)? {
            profile.localism = localism(model, &unrolled);
        }
        if let Some(strings) =
            further::published(folder, "localism/increasing_string_length/increasing_length")?
        {
            profile.by_string = by_length(&strings, &are_right(model, &strings));
        }
        profile.tell_what_is_missing();
        Ok(profile)
    }

    fn answered(model: &Model, test: &Dataset) -> Profile {
        let right = are_right(model, test);
        let deep = (1..DEEP).map(|depth| depth.to_string()).chain([format!("{DEEP}+")]);
        let mut by_depth = Groups::new(deep);
        let mut by_function = Groups::new(pcfg::function_names());
        for (example, &is_right) in test.examples.iter().zip(&right) {
            let tokens: Vec<&str> = test.input_tokens(example).collect();
            if let Some(depth) = pcfg::depth(&tokens).and_then(|depth| depth.checked_sub(1)) {
                by_depth.count(depth.min(DEEP - 1), is_right);
            }
            for (number, function) in pcfg::function_names().enumerate() {
                if tokens.contains(&function) {
                    by_function.count(number, is_right);
                }
            }
        }
        Profile { by_depth, by_length: by_length(test, &right), by_function, ..Profile::default() }
    }

    fn tell_what_is_missing(&self) {
        for (name, groups) in self.parts() {
            if groups.0.is_empty() {
                eprintln!("{IID}: {name} is skipped: its files are not in the data folder");
            }
        }
    }

    fn parts(&self) -> [(&'static str, &Groups); 6] {
        [
            ("depth", &self.by_depth),
            ("length", &self.by_length),
            ("function", &self.by_function),
            ("outermost function", &self.outermost),
            ("localism", &self.localism),
            ("string length", &self.by_string),
        ]
    }

    /// Adds the counts of another seed.
    pub fn add(&mut self, other: &Profile) {
        self.by_depth.add(&other.by_depth);
        self.by_length.add(&other.by_length);
        self.by_function.add(&other.by_function);
        self.outermost.add(&other.outermost);
        self.localism.add(&other.localism);
        self.by_string.add(&other.by_string);
    }

    /// All counts, added up over seeds.
    pub fn as_json(&self) -> Value {
        let part = |(name, groups): (&str, &Groups)| (name.replace(' ', "_"), groups.as_json());
        Value::Object(self.parts().into_iter().map(part).collect::<Map<_, _>>())
    }

    /// Prints everything.
    pub fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut across = |title: &str, groups: &Groups| match groups.0.is_empty() {
            true => writeln!(out, "\n{title}: skipped, its files are not in the data folder"),
            false => {
                writeln!(out, "\n{}", Paint::stdout().bold(title))?;
                let mut table = Table::new(groups.0.iter().map(|(label, _)| label.clone()));
                table.line("percent", groups.0.iter().map(|(_, counts)| cell(*counts)));
                table.line("of", groups.0.iter().map(|(_, [_, all])| thousands(*all)));
                table.print(out)
            }
        };
        across("i.i.d. test, right by depth", &self.by_depth)?;
        across("i.i.d. test, right by length in tokens", &self.by_length)?;
        across("Localism, of all commands in parts", &self.localism)?;
        across("One function of longer and longer strings, right by length in tokens", &self.by_string)?;
        self.print_functions(out)
    }

    fn print_functions(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "\n{}", Paint::stdout().bold("Right by function"))?;
        let mut table = Table::new(["somewhere in the i.i.d. test", "outermost, in its own test"]);
        for (function, counts) in &self.by_function.0 {
            let own = self.outermost.0.iter().find(|(other, _)| other == function);
            table.line(function, [cell(*counts), own.map_or("-".to_owned(), |(_, counts)| cell(*counts))]);
        }
        table.print(out)
    }
}

fn by_length(data: &Dataset, right: &[bool]) -> Groups {
    let label = |step: usize| match step {
        0 => format!("1-{}", STEP - 1),
        LONG => format!("{}+", LONG * STEP),
        _ => format!("{}-{}", step * STEP, (step + 1) * STEP - 1),
    };
    let mut groups = Groups::new((0..=LONG).map(label));
    for (example, &is_right) in data.examples.iter().zip(right) {
        groups.count((example.input.len() / STEP).min(LONG), is_right);
    }
    groups
}

/// How often the answer in parts is the answer to the whole, whether right or not. No answer is equal to none.
fn localism(model: &Model, unrolled: &[further::Unrolled]) -> Groups {
    let check = |command: &further::Unrolled| {
        let in_parts = command.answer(|step| answer(model, step));
        let whole = answer(model, &command.whole);
        let tokens: Vec<&str> = command.whole.split_ascii_whitespace().collect();
        let wanted = pcfg::evaluate(&tokens).map(|letters| letters.join(" "));
        [in_parts.is_some() && in_parts == whole, in_parts.is_some() && in_parts == wanted]
    };
    let checked: Vec<[bool; 2]> = unrolled.par_iter().map(check).collect();
    let mut groups = Groups::new(["consistent", "right in parts"]);
    for checks in checked {
        checks.into_iter().enumerate().for_each(|(group, is_so)| groups.count(group, is_so));
    }
    groups
}

/// What `model` answers to `input`.
fn answer(model: &Model, input: &str) -> Option<String> {
    model.result_text(&model.read(input))
}

/// What `model` answers to each input of `data`.
fn answers(model: &Model, data: &Dataset) -> Vec<Option<String>> {
    data.examples.par_iter().map(|example| answer(model, &data.input_text(example))).collect()
}

/// Which examples of `data` are answered right.
fn are_right(model: &Model, data: &Dataset) -> Vec<bool> {
    let is_right = |(answer, example): (Option<String>, _)| answer == Some(data.output_text(example));
    answers(model, data).into_iter().zip(&data.examples).map(is_right).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_add_up_by_label() {
        let mut sum = Groups::new(["a", "b"]);
        sum.count(0, true);
        let mut other = Groups::new(["b", "c"]);
        other.count(0, false);
        other.count(1, true);
        sum.add(&other);
        assert_eq!(sum.0, [("a".to_owned(), [1, 1]), ("b".to_owned(), [0, 1]), ("c".to_owned(), [1, 1])]);
        assert_eq!(sum.as_json()["b"]["accuracy"], 0.0);
        assert_eq!((cell([0, 0]), cell([1, 2])), ("-".to_owned(), "50.00".to_owned()));
    }

    #[test]
    fn lengths_go_in_steps() {
        let pair = |length: usize| (vec!["A"; length].join(" "), "A");
        let data = Dataset::from_pairs("lengths", &[pair(2), pair(9), pair(10), pair(71)]);
        let groups = by_length(&data, &[true, false, true, true]);
        let counts: Vec<_> =
            groups.0.iter().filter(|(_, [_, all])| *all > 0).map(|(label, c)| (label.as_str(), *c)).collect();
        assert_eq!(counts, [("1-9", [1, 2]), ("10-19", [1, 1]), ("60+", [1, 1])]);
    }
}
