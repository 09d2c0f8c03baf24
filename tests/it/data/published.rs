//! Generators and readers against the published files.

use super::{chars, multiset, published};
use nsr::data::{self, Cut, Dataset, Origin, Part, ReadOptions, hint, hint::Heads, load, pcfg, read, tasks};
use std::collections::BTreeMap;
use std::path::Path;

#[test]
fn published_texts_stay_words() {
    let Some(folder) = published("published_texts_stay_words") else { return };
    for task in tasks().filter(|task| task.name.starts_with("everyday/")) {
        for part in ["train", "test"] {
            let data = read(folder.join(format!("{}.{part}.tsv", task.name)), &ReadOptions::default());
            assert_eq!(data.unwrap().cut, Cut::default(), "{}", task.name);
        }
    }
}

#[test]
fn generated_scan_is_the_published_one() {
    let Some(folder) = published("generated_scan_is_the_published_one") else { return };
    let all = read(folder.join("scan/tasks.txt.gz"), &ReadOptions::default()).unwrap();
    assert_eq!(multiset(&all), multiset(&data::scan::all()));
    for task in tasks().filter(|task| task.name.starts_with("scan/")) {
        for part in [Part::Train, Part::Test] {
            let official = task.load(part, Some(&folder), 0).unwrap();
            let generated = task.load(part, None, 0).unwrap();
            assert_eq!((official.origin, generated.origin), (Origin::Official, Origin::Generated));
            match task.name {
                // Both are random.
                "scan/simple" => assert_eq!(official.len(), generated.len()),
                name => assert!(multiset(&official) == multiset(&generated), "{name} {part:?}"),
            }
        }
    }
}

#[test]
fn published_files_of_other_benchmarks_are_read() {
    let Some(folder) = published("published_files_of_other_benchmarks_are_read") else { return };
    for (file, options, count, subsets) in [
        ("hint/test.tsv.gz", chars(), 46_620, 5),
        ("hint/train.tsv.gz", chars(), 998_000, 0),
        ("pcfg/pcfgset/test.src.gz", ReadOptions::default(), 9_721, 0),
        ("mt/cgps/train.txt", ReadOptions::default(), 11_000, 0),
        ("mt/neural_qcfg/train.en", ReadOptions::default(), 6_073, 0),
    ] {
        let data = read(folder.join(file), &options).unwrap();
        assert_eq!((data.len(), data.subsets.len()), (count, subsets), "{file}");
    }
}

#[test]
fn published_files_make_the_tasks() {
    let Some(folder) = published("published_files_make_the_tasks") else { return };
    for (name, train, test) in [
        ("hint/fewshot-x", 1_100, 4_900),
        ("hint/fewshot-y", 1_100, 4_900),
        ("hint/fewshot-a", 1_000, 4_700),
        ("hint/fewshot-b", 1_000, 4_700),
        ("hint/fewshot-c", 1_000, 4_700),
        ("hint/fewshot-d", 1_000, 4_700),
        ("pcfg/iid", 82_622, 9_721),
        ("pcfg/systematicity", 82_168, 10_175),
        ("pcfg/productivity", 81_010, 11_333),
        ("pcfg/10k", 7_779, 916),
        ("mt/daxy", 6_073, 8),
        ("mt/neural-qcfg", 6_073, 583),
        ("mt/cgps", 11_000, 8),
        ("cogs/varfree", 24_155, 21_000),
        ("cogs/published", 24_155, 21_000),
        ("geoquery", 379, 113),
        ("regex", 6_500, 2_500),
        ("everyday/dates", 1_200, 400),
        ("everyday/numbers-es-thousands", 725, 500),
    ] {
        let load = |part| load(name, part, Some(&folder), 0, &ReadOptions::default()).unwrap();
        let (trained, tested) = (load(Part::Train), load(Part::Test));
        assert_eq!((trained.len(), tested.len()), (train, test), "{name}");
        assert_eq!((trained.origin, tested.origin), (Origin::Official, Origin::Official), "{name}");
    }
}

/// What commands of PCFG SET are like.
struct Statistics {
    /// Shares of inputs by length in steps of three tokens, by depth, by number of functions; of results by length
    /// in steps of three; and of arguments by their letters.
    shares: [(&'static str, BTreeMap<usize, f64>); 5],
    unary: f64,
    /// How often each letter occurs, by the mean of all.
    letters: Vec<f64>,
}

impl Statistics {
    fn of(data: &Dataset) -> Statistics {
        let mut counts: [BTreeMap<usize, f64>; 5] = Default::default();
        let mut count = |number: usize, key: usize| *counts[number].entry(key).or_default() += 1.0;
        let mut tokens_seen = BTreeMap::<&str, f64>::new();
        let unary: Vec<&str> = pcfg::function_names().take(6).collect();
        let is_letter = |token: &str| token != "," && !pcfg::function_names().any(|name| name == token);
        for example in &data.examples {
            let tokens: Vec<&str> = data.input_tokens(example).collect();
            count(0, tokens.len() / 3);
            count(1, pcfg::depth(&tokens).unwrap());
            count(2, pcfg::functions(&tokens).count());
            count(3, example.output.len() / 3);
            let arguments = tokens.split(|token| !is_letter(token));
            arguments.filter(|argument| !argument.is_empty()).for_each(|argument| count(4, argument.len()));
            tokens.iter().for_each(|token| *tokens_seen.entry(token).or_default() += 1.0);
        }
        for counts in &mut counts {
            let all: f64 = counts.values().sum();
            counts.values_mut().for_each(|count| *count /= all);
        }
        let sum = |of: &dyn Fn(&str) -> bool| -> f64 {
            tokens_seen.iter().filter(|(token, _)| of(token)).map(|(_, count)| count).sum()
        };
        let functions = sum(&|token| token != "," && !is_letter(token));
        let mean = sum(&is_letter) / 520.0;
        let letters = tokens_seen.iter().filter(|(token, _)| is_letter(token)).map(|(_, count)| count / mean);
        let names = ["length", "depth", "functions", "result", "argument"];
        let mut counts = counts.into_iter();
        Statistics {
            shares: names.map(|name| (name, counts.next().unwrap())),
            unary: sum(&|token| unary.contains(&token)) / functions,
            letters: letters.collect(),
        }
    }
}

/// Half of the sum of differences: the share that would have to change its place.
fn distance(a: &BTreeMap<usize, f64>, b: &BTreeMap<usize, f64>) -> f64 {
    let keys: std::collections::BTreeSet<_> = a.keys().chain(b.keys()).collect();
    let share = |of: &BTreeMap<usize, f64>, key| of.get(key).copied().unwrap_or(0.0);
    keys.into_iter().map(|key| (share(a, key) - share(b, key)).abs()).sum::<f64>() / 2.0
}

#[test]
fn generated_commands_are_like_the_published_ones() {
    let Some(folder) = published("generated_commands_are_like_the_published_ones") else { return };
    // Test sets are small, and differ from others of the same kind by more than training sets; 10K's by too much.
    for (name, part, most) in [
        ("pcfg/iid", Part::Train, 0.05),
        ("pcfg/iid", Part::Test, 0.08),
        ("pcfg/systematicity", Part::Train, 0.05),
        ("pcfg/systematicity", Part::Test, 0.08),
        ("pcfg/productivity", Part::Train, 0.05),
        ("pcfg/productivity", Part::Test, 0.08),
        ("pcfg/10k", Part::Train, 0.05),
    ] {
        let load = |folder| load(name, part, folder, 0, &ReadOptions::default()).unwrap();
        let (official, generated) = (load(Some(folder.as_path())), load(None));
        let (official, generated) = (Statistics::of(&official), Statistics::of(&generated));
        for ((what, official), (_, generated)) in official.shares.iter().zip(&generated.shares) {
            let distance = distance(official, generated);
            assert!(distance < most, "{name} {part:?}: {what} is off by {distance:.3}");
        }
        let (wanted, found) = (official.unary, generated.unary);
        assert!((wanted - found).abs() < 0.03, "{name} {part:?}: unary {found:.3}, not {wanted:.3}");
        assert_eq!(generated.letters.len(), 520, "{name} {part:?}");
        let rarest = generated.letters.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(part == Part::Test || rarest > 0.6, "{name}: a letter occurs {rarest:.2} times the mean");
    }
}

/// The published heads of the test set of a task; only some rows of a file may be of it.
fn heads(task: &str, folder: &Path) -> Vec<Heads> {
    let (file, concept) = match task.strip_prefix("hint/fewshot-") {
        Some(concept) => ("fewshot_test", Some(concept)),
        None => (if task == "hint" { "test" } else { "val" }, None),
    };
    let column = |output: &str| {
        let columns = (Some("expr".to_owned()), Some(output.to_owned()));
        let options =
            ReadOptions { input_column: columns.0, output_column: columns.1, ..ReadOptions::words() };
        let data =
            [".tsv", ".tsv.gz"].map(|ending| read(folder.join(format!("hint/{file}{ending}")), &options));
        let data = data.into_iter().find_map(Result::ok).unwrap();
        data.examples.iter().map(|example| data.output_text(example)).collect::<Vec<String>>()
    };
    let concepts = concept.map(|_| column("concept"));
    let is_of_it = |number: usize| concepts.as_ref().is_none_or(|all| Some(all[number].as_str()) == concept);
    let heads = column("head").into_iter().enumerate().filter(|(number, _)| is_of_it(*number));
    heads.map(|(_, heads)| heads.split(' ').map(|head| head.parse().ok()).collect()).collect()
}

#[test]
fn published_arithmetic_is_worked_out_alike() {
    let Some(folder) = published("published_arithmetic_is_worked_out_alike") else { return };
    for task in tasks().filter(|task| task.name.starts_with("hint")) {
        let data = task.load(Part::Test, Some(&folder), 0).unwrap();
        let heads = heads(task.name, &folder);
        assert_eq!(heads.len(), data.len());
        assert_eq!(data.subsets.len(), 5, "{}", task.name);
        for (example, heads) in data.examples.iter().zip(&heads) {
            let input = data.input_text(example);
            let worked = hint::work_out(&input).unwrap();
            assert_eq!(worked.result().unwrap().to_string(), data.output_text(example), "{input}");
            assert_eq!(&worked.heads, heads, "{input}");
        }
    }
}

#[test]
fn published_commands_are_worked_out_alike() {
    let Some(folder) = published("published_commands_are_worked_out_alike") else { return };
    for file in [
        "pcfgset/dev",
        "pcfgset/test",
        "pcfgset/train_regenerated",
        "systematicity/test",
        "productivity/test",
        "10K/dev",
        "10K/test",
        "10K/train",
    ] {
        let data = read(folder.join(format!("pcfg/{file}.src.gz")), &ReadOptions::default()).unwrap();
        for example in &data.examples {
            let command: Vec<_> = data.input_tokens(example).collect();
            let wanted: Vec<_> = data.output_tokens(example).collect();
            assert_eq!(pcfg::evaluate(&command), Some(wanted), "{}", data.input_text(example));
        }
    }
}
