//! Built-in tasks by name, and those that are generated.

use super::{folder, generated_tasks, multiset, show_all};
use nsr::data::{Dataset, Example, Origin, Part, ReadOptions, hint, load};
use std::collections::BTreeMap;

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
    for name in ["hint", "hint/val", "hint/fewshot-a", "pcfg/10k"] {
        let load = |part, seed| load(name, part, None, seed, &ReadOptions::default()).unwrap();
        let test = load(Part::Test, 1);
        assert_eq!(test, load(Part::Test, 1), "{name}");
        assert_ne!(test, load(Part::Test, 2), "{name}");
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
        for (subset, expected) in expected {
            let number = test.subsets.iter().position(|name| name == subset).map(|number| number as u16);
            let count = test.examples.iter().filter(|example| example.subset == number).count();
            assert_eq!(count, expected, "{name}: {subset}");
        }
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
