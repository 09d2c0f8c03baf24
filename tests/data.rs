//! Readers, generators and built-in tasks, through the public API.
//!
//! Tests against the published files run where `NSR_DATA` names the data folder, and otherwise say they did not.

use flate2::{Compression, write::GzEncoder};
use nsr::data::handwriting::{self, SYMBOLS, Writers};
use nsr::data::image::{ImageDataset, ImageOptions, load_hint, load_images};
use nsr::data::picture::{Ink, Picture, Preprocess, write_idx};
use nsr::data::{
    self, Cut, Dataset, Example, Origin, Part, ReadOptions, Tokens, hint, load, pcfg, read, tasks,
};
use proptest::prelude::*;
use std::{collections::BTreeMap, fs, io::Write, path::PathBuf};
use tempfile::TempDir;

/// A scratch folder holding the given files; those named `.gz` are compressed.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match name.ends_with(".gz") {
            true => fs::write(path, gzip(content)).unwrap(),
            false => fs::write(path, content).unwrap(),
        }
    }
    folder
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn columns(input: &str, output: &str) -> ReadOptions {
    ReadOptions { input_column: Some(input.into()), output_column: Some(output.into()), ..Default::default() }
}

fn chars() -> ReadOptions {
    ReadOptions { tokens: Some(Tokens::Chars), ..Default::default() }
}

/// An example as `input => output`, with ` [subset]` where it has one.
fn show(data: &Dataset, example: &Example) -> String {
    let subset =
        example.subset.map_or(String::new(), |subset| format!(" [{}]", data.subsets[usize::from(subset)]));
    format!("{} => {}{subset}", data.input_text(example), data.output_text(example))
}

fn show_all(data: &Dataset) -> Vec<String> {
    data.examples.iter().map(|example| show(data, example)).collect()
}

/// Writes `files` and reads the first of them.
#[track_caller]
fn check_with(files: &[(&str, &str)], options: &ReadOptions, expected: &[&str]) {
    let files: Vec<_> = files.iter().map(|&(name, content)| (name, content.as_bytes())).collect();
    let folder = folder(&files);
    let data = read(folder.path().join(files[0].0), options).unwrap();
    assert_eq!(show_all(&data), expected);
    assert_eq!(data.origin, Origin::File);
}

#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str]) {
    check_with(files, &ReadOptions::default(), expected);
}

/// Writes `files`, reads the first, and compares the error, with the folder's name left out.
#[track_caller]
fn check_error_with(files: &[(&str, &[u8])], options: &ReadOptions, expected: &str) {
    let folder = folder(files);
    let error = read(folder.path().join(files[0].0), options).unwrap_err().to_string();
    let error = error.replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(error, expected);
}

#[track_caller]
fn check_error(name: &str, content: &str, expected: &str) {
    check_error_with(&[(name, content.as_bytes())], &ReadOptions::default(), expected);
}

#[test]
fn txt_has_marks() {
    let expected = ["walk twice => W W", "run => "];
    check(&[("a.txt", "IN: walk twice OUT: W W\nIN: run OUT:\n")], &expected);
    check(&[("a.txt", "IN: walk twice\tOUT: W W\r\nIN: run\tOUT: \r\n\r\n\n")], &expected);
    check(&[("a.txt.gz", "\u{feff}IN: walk  twice OUT: W W\nIN: run OUT:")], &expected);
}

#[test]
fn parallel_files_go_line_by_line() {
    let (source, target, expected) = ("a b\nc\nd\n", "A B\n\nD\n", ["a b => A B", "c => ", "d => D"]);
    for (source_name, target_name) in [
        ("x.src", "x.tgt"),
        ("x.src.gz", "x.tgt.gz"),
        ("x.src.gz", "x.tgt"),
        ("x.en", "x.fr"),
        ("x.src", "x.tgt.gz"),
    ] {
        check(&[(source_name, source), (target_name, target)], &expected);
    }
    check(&[("a.b.src", "a\n\n"), ("a.b.tgt", "A\n\n\n")], &["a => A"]);
    check(&[("x.src", "a\nb\n"), ("x.tgt", "A\n\n")], &["a => A", "b => "]);
}

#[test]
fn tsv_has_two_columns_or_a_header() {
    check(&[("a.tsv", "a b\tA\nc\t\n\n")], &["a b => A", "c => "]);
    check(&[("a.tsv.gz", "n\toutput\tinput\r\n1\tA\ta\r\n")], &["a => A"]);
    let hint = "id\texpr\thead\tres\teval\nv0\t(1+2)\t-1\t3\tSS\nv1\t7\t-1\t7\t\n";
    check_with(&[("a.tsv", hint)], &ReadOptions::words(), &["(1+2) => 3 [SS]", "7 => 7"]);
    check_with(&[("a.tsv", hint)], &chars(), &["( 1 + 2 ) => 3 [SS]", "7 => 7"]);
    check_with(&[("a.tsv", hint)], &columns("head", "id"), &["-1 => v0 [SS]", "-1 => v1"]);
    let only_output = ReadOptions { output_column: Some("id".into()), ..ReadOptions::words() };
    check_with(&[("a.tsv", hint)], &only_output, &["(1+2) => v0 [SS]", "7 => v1"]);
}

#[test]
fn jsonl_has_strings_arrays_and_numbers() {
    let text = r#"{"input": "a b", "output": "A", "more": [{}]}
{"output": 42, "input": ["x y", "z", 7], "eval": "LL"}
{"input": "\u00e9t\u00e9", "output": ""}
{"input": "n", "output": -0.5}
"#;
    let expected = ["a b => A", "x y z 7 => 42 [LL]", "été => ", "n => -0.5"];
    check(&[("a.jsonl", text)], &expected);
    check(&[("a.jsonl.gz", &text.replace('\n', "\r\n"))], &expected);
    check_with(
        &[("a.jsonl", "{\"q\": \"1+2\", \"a\": 3}")],
        &ReadOptions { tokens: Some(Tokens::Chars), ..columns("q", "a") },
        &["1 + 2 => 3"],
    );
    check(
        &[("a.jsonl", r#"{"input": "a", "output": 18446744073709551615}"#)],
        &["a => 18446744073709551615"],
    );
}

#[test]
fn bad_txt_is_named() {
    let expected = "`IN: ... OUT: ...`";
    check_error("a.txt", "IN: a OUT: A\nIN: b\n", &format!("a.txt:2: expected {expected}, found `IN: b`"));
    check_error(
        "a.txt",
        "IN: a OUT: A\n\nIN: b OUT: B",
        &format!("a.txt:2: expected {expected}, found an empty line"),
    );
    check_error(
        "a.txt",
        "\tIN: \tOUT: A",
        "a.txt:1: expected an input of at least one token, found an empty input",
    );
    let long = format!("x\u{1b}{}", "é".repeat(100));
    check_error(
        "a.txt",
        &long,
        &format!("a.txt:1: expected {expected}, found `x\\u{{1b}}{}…`", "é".repeat(38)),
    );
}

#[test]
fn bad_parallel_files_are_named() {
    let check = |source: &str, target: &str, expected: &str| {
        let files = [("x.src", source.as_bytes()), ("x.tgt", target.as_bytes())];
        check_error_with(&files, &ReadOptions::default(), expected);
    };
    check("a\n\nb\n", "A\nB\nC\n", "x.src:2: expected an input of at least one token, found an empty line");
    check("a\n\t\n", "A\nB\n", "x.src:2: expected an input of at least one token, found an empty input");
    check("a\nb\nc\n", "A\n", "x.tgt:2: expected 3 lines, as in x.src, found 1");
    check("a\n\n", "A\n\nC\n\n", "x.tgt:2: expected 1 lines, as in x.src, found 3");
    check_error("x.src", "a\n", "x.tgt: expected the outputs of x.src, found no such file");
    check_error("x.en.gz", "a\n", "x.fr.gz: expected the outputs of x.en.gz, found no such file");
}

#[test]
fn bad_tsv_is_named() {
    check_error("a.tsv", "a\tA\nb\n", "a.tsv:2: expected 2 tab-separated columns, found 1");
    check_error("a.tsv", "a\tA\tx\ty\n", "a.tsv:1: expected 2 tab-separated columns, found 4");
    check_error("a.tsv", "id\tinput\toutput\n1\ta\n", "a.tsv:2: expected 3 tab-separated columns, found 2");
    check_error("a.tsv", " \tA\n", "a.tsv:1: expected an input of at least one token, found an empty input");
    check_error("a.tsv", "a\tA\n\nb\tB\n", "a.tsv:2: expected tab-separated columns, found an empty line");
    check_error("a.tsv", "input\toutput\n", "a.tsv: expected at least one example, found an empty file");
    check_error_with(
        &[("a.tsv", b"expr\tres\na\tA\n")],
        &columns("expr", "value"),
        "a.tsv:1: expected a column named `value`, found columns `expr, res`",
    );
    let many: String = (0..=1 << 16).map(|n| format!("a\tA\ts{n}\n")).collect();
    check_error(
        "a.tsv",
        &format!("input\toutput\teval\n{many}"),
        "a.tsv:65538: expected at most 65536 subsets, found another one",
    );
}

#[test]
fn bad_jsonl_is_named() {
    let value = "with a string, an array of strings or an exact number";
    for (line, expected) in [
        ("{", "a JSON object, found `{` (EOF while parsing an object at column 1)".to_owned()),
        ("[1]", "a JSON object, found `[1]` (invalid type: sequence, expected a map at column 0)".to_owned()),
        (r#"{"input": "a"}"#, format!("key `output` {value}, found no such key")),
        (r#"{"output": "a"}"#, format!("key `input` {value}, found no such key")),
        (r#"{"input": "a", "output": null}"#, format!("key `output` {value}, found `null`")),
        (
            r#"{"input": ["a", ""], "output": 1}"#,
            format!("key `input` {value}, found `[\"a\",\"\"]`").replace('"', "\\\""),
        ),
        (r#"{"input": " ", "output": "A"}"#, "an input of at least one token, found `\\\" \\\"`".to_owned()),
        (r#"{"input": 5, "output": "A"}"#, "an input of at least one token, found `5`".to_owned()),
        (
            r#"{"input": "a", "output": 18446744073709551616}"#,
            format!("key `output` {value}, found `1.8446744073709552e+19`"),
        ),
        (r#"{"input": "a", "output": 1, "eval": 2}"#, "key `eval` with a string, found `2`".to_owned()),
    ] {
        let good = r#"{"input": "a", "output": "A"}"#;
        check_error("a.jsonl", &format!("{good}\n{line}\n"), &format!("a.jsonl:2: expected {expected}"));
    }
    let deep = format!("{{\"input\": {}", "[".repeat(100_000));
    let folder = folder(&[("a.jsonl", deep.as_bytes())]);
    assert!(read(folder.path().join("a.jsonl"), &ReadOptions::default()).is_err());
}

#[test]
fn unusable_files_are_named() {
    let plain = ReadOptions::default();
    for name in ["a.txt", "a.tsv", "a.jsonl"] {
        for content in ["", "\n \n"] {
            check_error(
                name,
                content,
                &format!("{name}: expected at least one example, found an empty file"),
            );
        }
        check_error_with(
            &[(name, b"\n\xffx")],
            &plain,
            &format!("{name}:2: expected UTF-8 text, found byte 0xff"),
        );
        let long = "x".repeat(data::MAX_LINE + 1);
        check_error(
            name,
            &long,
            &format!("{name}:1: expected a line of at most 1048576 bytes, found a longer one"),
        );
    }
    check_error_with(
        &[("a.src", b""), ("a.tgt", b"")],
        &plain,
        "a.src: expected at least one example, found an empty file",
    );
    let endings = "a name ending in .txt, .src, .en, .tsv or .jsonl, or one of these with .gz";
    check_error("a.csv", "a,b", &format!("a.csv: expected {endings}, found .csv"));
    check_error("a.gz", "a,b", &format!("a.gz: expected {endings}, found no ending"));
    let error = read("no/such.txt", &plain).unwrap_err().to_string();
    assert_eq!(error, "no/such.txt: expected a file of `IN: ... OUT: ...` lines, found no such file");
}

#[test]
fn damaged_gzip_is_named() {
    let folder = folder(&[]);
    let path = folder.path().join("a.txt.gz");
    let whole = gzip("IN: a OUT: A\n".repeat(1000).as_bytes());
    for content in [b"IN: a OUT: A\n".as_slice(), b"", &whole[..whole.len() / 2], &whole[..whole.len() - 3]] {
        fs::write(&path, content).unwrap();
        let error = read(&path, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("a.txt.gz:") && error.contains("expected"), "{error}");
    }
}

#[test]
fn a_line_of_the_longest_kind_is_read() {
    let line = format!("a\t{}", "x".repeat(data::MAX_LINE - 2));
    let folder = folder(&[("a.tsv", format!("{line}\r\n{line}\r\n").as_bytes())]);
    assert_eq!(read(folder.path().join("a.tsv"), &ReadOptions::default()).unwrap().len(), 2);
}

#[test]
fn a_name_is_a_task_or_a_file() {
    let plain = ReadOptions::default();
    let generated = load("scan/length", Part::Test, None, 0, &plain).unwrap();
    assert_eq!(
        (generated.name.as_str(), generated.origin, generated.len()),
        ("scan/length", Origin::Generated, 3920)
    );

    let folder = folder(&[
        ("scan/tasks_train_length.txt", b"IN: a OUT: A"),
        ("scan/tasks_test_length.txt.gz", b"IN: b OUT: B"),
        ("scan/tasks_train_simple.txt", b"IN: a OUT: A"),
    ]);
    let official = load("scan/length", Part::Test, Some(folder.path()), 0, &plain).unwrap();
    assert_eq!((official.name.as_str(), official.origin), ("scan/length", Origin::Official));
    assert_eq!(show_all(&official), ["b => B"]);
    // Half of a published split is no split.
    let half = load("scan/simple", Part::Train, Some(folder.path()), 0, &plain).unwrap();
    assert_eq!(half.origin, Origin::Generated);

    let path = folder.path().join("scan/tasks_train_length.txt").display().to_string();
    let file = load(&path, Part::Train, None, 0, &plain).unwrap();
    assert_eq!((file.name.as_str(), file.origin), (path.as_str(), Origin::File));

    let error = load("scan/lenght", Part::Train, None, 0, &plain).unwrap_err().to_string();
    assert!(error.starts_with("scan/lenght: expected a file or one of scan/simple, scan/length,"), "{error}");
}

/// How often each example occurs.
fn multiset(data: &Dataset) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for example in show_all(data) {
        *counts.entry(example).or_default() += 1;
    }
    counts
}

/// Those with a generator.
fn generated_tasks() -> impl Iterator<Item = &'static data::Task> {
    tasks().filter(|task| {
        !["mt/", "cogs/", "geoquery", "regex", "everyday/"].iter().any(|prefix| task.name.starts_with(prefix))
    })
}

#[test]
fn train_and_test_are_disjoint() {
    for task in generated_tasks() {
        let inputs = |part| {
            let data = task.load(part, None, 3).unwrap();
            // Subset I of HINT is what was trained.
            let is_new = |example: &&Example| {
                example.subset.is_none_or(|subset| data.subsets[usize::from(subset)] != "I")
            };
            let mut counts = BTreeMap::<String, usize>::new();
            for example in data.examples.iter().filter(is_new) {
                *counts.entry(data.input_text(example)).or_default() += 1;
            }
            counts
        };
        let (train, test) = (inputs(Part::Train), inputs(Part::Test));
        assert!(test.keys().all(|input| !train.contains_key(input)), "{}", task.name);
        assert!(test.values().all(|&count| count == 1), "{}", task.name);
    }
}

#[test]
fn generated_sets_depend_on_the_seed_alone() {
    for name in ["hint", "hint/val", "hint/fewshot-a", "pcfg/10k", "pcfg/iid"] {
        let load = |part, seed| load(name, part, None, seed, &ReadOptions::default()).unwrap();
        assert_eq!(load(Part::Test, 1), load(Part::Test, 1), "{name}");
        assert_ne!(load(Part::Test, 1), load(Part::Test, 2), "{name}");
        assert_ne!(load(Part::Train, 1), load(Part::Train, 2), "{name}");
    }
}

#[test]
fn generated_arithmetic_has_the_published_subsets() {
    let load = |name, part| load(name, part, None, 5, &ReadOptions::default()).unwrap();
    let train = load("hint", Part::Train);
    assert_eq!((train.len(), train.inputs.len(), train.subsets.len()), (19_960, 16, 0));
    let trained = multiset(&train);
    for (name, expected) in [
        ("hint", [("I", 998), ("SS", 900), ("SL", 900), ("LS", 1000), ("LL", 1000)]),
        ("hint/fewshot-x", [("I", 1100), ("SS", 900), ("SL", 900), ("LS", 1000), ("LL", 1000)]),
        ("hint/fewshot-d", [("I", 1000), ("SS", 900), ("SL", 800), ("LS", 1000), ("LL", 1000)]),
    ] {
        let test = load(name, Part::Test);
        let mut counts = test.subset_counts();
        counts.sort_unstable();
        let mut expected = expected;
        expected.sort_unstable();
        assert_eq!(counts, expected, "{name}");
        for example in &test.examples {
            check_arithmetic(&test, example, (name == "hint").then_some(&trained));
        }
    }
}

/// Result and subset of a generated expression; `trained` is the training set, where it matters.
fn check_arithmetic(data: &Dataset, example: &Example, trained: Option<&BTreeMap<String, usize>>) {
    let (input, output) = (data.input_text(example), data.output_text(example));
    let worked = hint::work_out(&input).unwrap();
    assert_eq!(worked.result().unwrap().to_string(), output, "{input}");
    let is_short = input.chars().filter(|symbol| "+-*/abcd".contains(*symbol)).count() <= 10;
    let largest = worked.values.iter().flatten().max().unwrap();
    let subset = match (is_short, *largest) {
        (true, 0..=100) => "SS",
        (true, 101..=10_000) => "SL",
        (false, 0..=100) => "LS",
        (false, 101..=10_000) => "LL",
        _ => panic!("{input}"),
    };
    match data.subsets[usize::from(example.subset.unwrap())].as_str() {
        "I" => {
            assert_eq!(subset, "SS", "{input}");
            assert!(trained.is_none_or(|trained| trained.contains_key(&format!("{input} => {output}"))));
        }
        other => assert_eq!(other, subset, "{input}"),
    }
}

#[test]
fn few_shot_tasks_are_rows_of_one_file() {
    let train = b"concept\tid\texpr\tres\nx\t0\tx+1\t12\ny\t0\ty\t12\n";
    let test = b"concept\tid\texpr\thead\tres\teval\ny\t0\ty\t-1\t12\tI\nx\t0\tx-1\t1 -1 1\t10\tSS\n";
    let folder = folder(&[("hint/fewshot_train.tsv.gz", train), ("hint/fewshot_test.tsv", test)]);
    let load = |name, part| load(name, part, Some(folder.path()), 0, &ReadOptions::default());
    assert_eq!(show_all(&load("hint/fewshot-x", Part::Train).unwrap()), ["x + 1 => 12"]);
    assert_eq!(show_all(&load("hint/fewshot-x", Part::Test).unwrap()), ["x - 1 => 10 [SS]"]);
    assert_eq!(show_all(&load("hint/fewshot-y", Part::Test).unwrap()), ["y => 12 [I]"]);
    assert_eq!(hint::heads("hint/fewshot-x", folder.path()).unwrap(), [[Some(1), None, Some(1)]]);
    let error = |name| {
        let error = hint::heads(name, folder.path()).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    assert_eq!(error("hint"), "hint/test.tsv: expected a file of tab-separated columns, found no such file");
    assert!(error("hint/none").starts_with("hint/none: expected a file or one of"));
    fs::write(folder.path().join("hint/test.tsv"), "expr\thead\tres\n1\t-1\t1\n2\t-2\t2\n").unwrap();
    assert_eq!(error("hint"), "hint/test.tsv:3: expected blank-separated heads, found `-2`");
    let error = load("hint/fewshot-c", Part::Train).unwrap_err().to_string();
    assert!(
        error.ends_with("fewshot_train.tsv.gz: expected a row whose concept is c, found none"),
        "{error}"
    );
}

#[test]
fn translation_needs_its_files() {
    let load = |name, folder| load(name, Part::Train, folder, 0, &ReadOptions::default());
    let error = load("mt/cgps", None).unwrap_err().to_string();
    assert_eq!(error, "mt/cgps: expected a data folder that holds mt/cgps/train.txt, found no data folder");
    let folder = folder(&[("mt/neural_qcfg/train.en", b"a"), ("mt/neural_qcfg/train.fr", b"A")]);
    let error = load("mt/daxy", Some(folder.path())).unwrap_err().to_string();
    let error = error.replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(
        error,
        "mt/neural_qcfg/test-daxy.en: expected the data folder to hold the files of mt/daxy, found no such file"
    );
}

#[test]
fn everyday_tasks_are_two_columns_without_a_header() {
    let (train, test) = (b"may 1st\t01 / 05\n2 may\t02 / 05\n", b"3 may\t03 / 05\n");
    let folder = folder(&[("everyday/dates.train.tsv", train), ("everyday/dates.test.tsv.gz", test)]);
    let load = |name, part| load(name, part, Some(folder.path()), 0, &ReadOptions::default());
    let train = load("everyday/dates", Part::Train).unwrap();
    assert_eq!(show_all(&train), ["may 1st => 01 / 05", "2 may => 02 / 05"]);
    assert_eq!((train.name.as_str(), train.origin), ("everyday/dates", Origin::Official));
    assert_eq!(show_all(&load("everyday/dates", Part::Test).unwrap()), ["3 may => 03 / 05"]);
    let error = load("everyday/home", Part::Test).unwrap_err().to_string();
    assert!(
        error.ends_with("everyday/home.test.tsv: expected the data folder to hold the files of everyday/home, found no such file"),
        "{error}"
    );
}

fn published(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("NSR_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("{test}: not run, because NSR_DATA does not name the data folder");
    }
    folder
}

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

#[test]
fn published_arithmetic_is_worked_out_alike() {
    let Some(folder) = published("published_arithmetic_is_worked_out_alike") else { return };
    for task in tasks().filter(|task| task.name.starts_with("hint")) {
        let data = task.load(Part::Test, Some(&folder), 0).unwrap();
        let heads = hint::heads(task.name, &folder).unwrap();
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

/// Pairs of token lists, as text; the input is never empty.
fn pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    let token = "[a-zé(+\"\\\\,:{}_0-9]{1,4}";
    let list = |least| proptest::collection::vec(token, least..6).prop_map(|tokens| tokens.join(" "));
    proptest::collection::vec((list(1), list(0)), 1..12)
}

/// Writes `pairs`, a line each, and reads them again; outputs are as they were, however they are cut.
fn round_trip(
    name: &str,
    pairs: &[(String, String)],
    line: impl Fn(&str, &str) -> String,
) -> Vec<(String, String)> {
    let text: String = pairs.iter().map(|(input, output)| line(input, output) + "\n").collect();
    let folder = folder(&[(name, text.as_bytes())]);
    let read = |output_tokens| {
        let options = ReadOptions { output_tokens, ..ReadOptions::words() };
        let data = read(folder.path().join(name), &options).unwrap();
        data.examples.iter().map(|example| (data.input_text(example), data.output_text(example))).collect()
    };
    let found: Vec<_> = read(None);
    for output_tokens in [Tokens::Words, Tokens::Chars, Tokens::Pieces] {
        assert_eq!(found, read(Some(output_tokens)));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_is_written_is_read(pairs in pairs()) {
        prop_assert_eq!(&round_trip("a.txt.gz", &pairs, |i, o| format!("IN: {i} OUT: {o}")), &pairs);
        prop_assert_eq!(&round_trip("a.tsv", &pairs, |i, o| format!("{i}\t{o}")), &pairs);
        let object = |i: &str, o: &str| serde_json::json!({"input": i, "output": o}).to_string();
        prop_assert_eq!(&round_trip("a.jsonl", &pairs, object), &pairs);
        let arrays = |i: &str, o: &str| {
            let list = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
            serde_json::json!({"input": list(i), "output": list(o)}).to_string()
        };
        prop_assert_eq!(&round_trip("a.jsonl", &pairs, arrays), &pairs);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), format in 0usize..6) {
        let name = ["a.txt", "a.src", "a.tsv", "a.jsonl", "a.txt.gz", "a.en"][format];
        let folder = folder(&[("a.tgt", &bytes[..]), ("a.fr", &bytes[..])]);
        let path = folder.path().join(name);
        fs::write(&path, &bytes).unwrap();
        if let Ok(data) = read(&path, &ReadOptions::default()) {
            prop_assert!(data.examples.iter().all(|example| !example.input.is_empty()));
        }
    }
}

/// Three grey pictures, as an IDX file and as PNG files, and a file of examples that names them.
fn own_images(inputs: &[&str]) -> TempDir {
    let lines: String =
        inputs.iter().map(|input| format!("{{\"input\": {input}, \"output\": 7}}\n")).collect();
    let folder = folder(&[("own.jsonl", lines.as_bytes()), ("pictures/readme.txt", b"")]);
    let pictures = [10, 20, 30].map(|shade| Picture::new(1, 2, [shade, 0].into()));
    write_idx(&folder.path().join("pictures.idx"), &pictures).unwrap();
    for (name, picture) in ["a b.png", "c.png", "d.png"].iter().zip(&pictures) {
        picture.write_png(&folder.path().join("pictures").join(name)).unwrap();
    }
    folder
}

fn load_own(folder: &TempDir, images: &str) -> Result<ImageDataset, String> {
    let options = ImageOptions { images: Some(folder.path().join(images)), ..Default::default() };
    let file = folder.path().join("own.jsonl").display().to_string();
    let loaded = load_images(&file, Part::Train, None, 0, &options);
    loaded.map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn own_images_are_named_by_number_or_file() {
    let numbers = own_images(&["[0, 2, 1]", "\"1 1\"", "[\"2\"]"]);
    for images in ["pictures.idx", "pictures"] {
        let data = load_own(&numbers, images).unwrap();
        let inputs: Vec<&[u32]> = data.examples.iter().map(|example| &example.input[..]).collect();
        assert_eq!(inputs, [&[0, 2, 1][..], &[1, 1], &[2]]);
        assert_eq!(data.pictures.len(), 3);
    }
    let names = own_images(&["[\"d.png\", \"a b.png\"]"]);
    assert_eq!(load_own(&names, "pictures").unwrap().examples[0].input[..], [2, 0]);
}

#[test]
fn own_images_that_are_not_there_are_named() {
    let folder = own_images(&["[0, 1]", "[\"e.png\"]"]);
    assert_eq!(
        load_own(&folder, "pictures").unwrap_err(),
        "own.jsonl:2: expected the name of a picture or a number from 0 to 2, found `e.png`"
    );
    assert_eq!(
        load_own(&folder, "none").unwrap_err(),
        "none: expected an IDX file of pictures or a folder of them, found no such file"
    );
    let beyond = own_images(&["[0, 3]"]);
    assert_eq!(
        load_own(&beyond, "pictures.idx").unwrap_err(),
        "own.jsonl:1: expected numbers of pictures from 0 to 2, found `3`"
    );
}

#[test]
fn handwritten_hint_works_without_any_data() {
    let (data, labels) = load_hint("hint/image-val", Part::Test, None, 1, &Preprocess::default()).unwrap();
    assert_eq!(data.origin, Origin::Generated);
    assert_eq!((data.pictures.len(), data.pictures.side()), (labels.len(), 32));
    let names: Vec<String> = SYMBOLS.iter().map(char::to_string).collect();
    let read = data.as_read(|picture| &names[labels.truth(picture).unwrap()]);
    for example in read.examples.iter().take(500) {
        let result = hint::evaluate(&read.input_text(example)).unwrap();
        assert_eq!(result.to_string(), read.output_text(example));
    }
}

#[test]
fn published_handwriting_is_complete_and_light_on_black() {
    let Some(folder) = published("published_handwriting") else { return };
    for (writers, count) in [(Writers::Validation, 3078), (Writers::Test, 6198)] {
        let load = |ink| {
            let preprocess = Preprocess { ink, ..Preprocess::default() };
            handwriting::load(writers, Some(&folder), 0, &preprocess).unwrap()
        };
        let found = load(Ink::Guess);
        assert_eq!((found.pictures.len(), found.origin), (count, Origin::Official));
        // The ground is guessed right for every picture.
        assert!(found.pictures.pixels() == load(Ink::Light).pictures.pixels());
    }
}
