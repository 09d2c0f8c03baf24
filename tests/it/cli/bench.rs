//! Measuring beside the published figures.

use super::scratch::{PAIRS, Scratch, TEST};
use std::fs;

#[test]
fn bench_measures_and_cites() {
    let scratch = Scratch::new();
    scratch.run(&["bench", "chess"]).fails_with(
        "chess: expected all, scan, hint, pcfg, everyday, cogs, mt, geoquery, regex or a built-in task such as scan/length, found none of them",
    );
    let seeds = scratch.run(&["bench", "--seeds", "0"]);
    seeds.fails_mentioning(&["--seeds", "0"]);
    let help = scratch.run(&["bench", "--help"]).succeeds();
    assert!(
        ["all", "pcfg/localism", "pcfg/overgeneralisation"].iter().all(|name| help.contains(name)),
        "{help}"
    );
}

/// Inputs and outputs of lines such as [`PAIRS`].
fn split(pairs: &str) -> Vec<[&str; 2]> {
    let split = |line| str::strip_prefix(line, "IN: ")?.split_once(" OUT: ").map(<[&str; 2]>::from);
    pairs.lines().filter_map(split).collect()
}

/// A data folder whose PCFG SET is [`PAIRS`]: the learner is quick, and the bench has something to say.
pub fn tiny_pcfg(scratch: &Scratch) {
    let write = |name: &str, pairs: &str| {
        let pairs = split(pairs);
        for (column, ending) in ["src", "tgt"].into_iter().enumerate() {
            let lines: Vec<&str> = pairs.iter().map(|pair| pair[column]).collect();
            let path = scratch.path(&format!("data/pcfg/{name}.{ending}"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, lines.join("\n") + "\n").unwrap();
        }
    };
    write("pcfgset/train_regenerated", PAIRS);
    write("pcfgset/test", TEST);
    write("pcfgset/per_function_test/test_copy", TEST);
    write("overgeneralisation/test_pcfg_ratio=0.005_original", "IN: jump twice OUT: JUMP JUMP\n");
    write("overgeneralisation/test_pcfg_ratio=0.005_exception", "IN: jump twice OUT: JUMP\n");
    fs::create_dir_all(scratch.path("data/pcfg/localism")).unwrap();
    let unrolled = "unrolled\twalk twice\t*1\noriginal\twalk twice\tWALK WALK\n";
    scratch.write("data/pcfg/localism/unrolled_test.tsv", unrolled);
}

#[test]
fn bench_measures_pcfg_as_far_as_there_are_files() {
    let scratch = Scratch::new();
    tiny_pcfg(&scratch);
    let bench = |names: &[&str]| {
        let flags = ["bench", "--seeds", "1", "--data-dir", "data"];
        scratch.run(&[&flags[..], names].concat())
    };
    let ran = bench(&["pcfg/localism"]);
    assert!(ran.err.contains("pcfg/iid seed 0: 66.67 % in "), "{}", ran.err);
    assert!(
        ran.err.contains("string length is skipped: its files are not in the data folder"),
        "{}",
        ran.err
    );
    let out = ran.succeeds();
    assert!(
        out.contains("NSR, the paper (Li et al. 2024)       100            100           100    -"),
        "{out}"
    );
    assert!(
        out.contains("nsr, this program                   66.67              -             -    -"),
        "{out}"
    );
    assert!(out.contains("consistent  right in parts\n  percent      100.00"), "{out}");
    assert!(out.contains("trained on regenerated ones"), "{out}");

    let json = bench(&["pcfg/iid", "pcfg/substitutivity", "pcfg/overgeneralisation", "--json"]).json();
    assert_eq!(json["tasks"][0]["paper"], 1.0);
    let profile = &json["tasks"][0]["profile"];
    assert_eq!(profile["outermost_function"]["copy"]["correct"], 2);
    assert_eq!(profile["localism"]["consistent"]["accuracy"], 1.0);
    assert_eq!(profile["length"]["1-9"]["examples"], 3);
    assert!(json["substitutivity"][0]["seeds"].is_null());
    assert_eq!(json["overgeneralisation"][3]["trained"], "0.5 %");
    let seed = &json["overgeneralisation"][3]["seeds"][0];
    let sum: f64 = ["rule", "exception", "neither"].iter().map(|name| seed[name].as_f64().unwrap()).sum();
    assert_eq!(sum, 1.0);
    let out = bench(&["pcfg/substitutivity"]).succeeds();
    assert!(out.contains("primitive: skipped, its files are not in the data folder"), "{out}");
}

/// A data folder with two of the everyday tasks: one is [`PAIRS`], the other is answered wrongly throughout.
fn tiny_everyday(scratch: &Scratch) {
    let lines = |pairs: &str| split(pairs).iter().map(|pair| pair.join("\t") + "\n").collect::<String>();
    fs::create_dir_all(scratch.path("data/everyday")).unwrap();
    for (file, content) in [
        ("home.train", lines(PAIRS)),
        ("home.test", lines(TEST)),
        ("verbs.train", lines(PAIRS)),
        ("verbs.test", "jump twice\tLOOK\n".to_owned()),
    ] {
        scratch.write(&format!("data/everyday/{file}.tsv"), content);
    }
}

#[test]
fn bench_measures_everyday_tasks() {
    let scratch = Scratch::new();
    tiny_everyday(&scratch);
    let bench = |args: &[&str]| scratch.run(&[&["bench", "--data-dir", "data", "--seeds"], args].concat());
    let ran = bench(&["2", "everyday/home", "everyday/verbs"]);
    let told = "everyday/home seed 1: 66.67 % in ";
    assert!(ran.err.contains(told) && ran.err.contains("coverage 66.67 %, precision 100.00 %"), "{ran:?}");
    let out = ran.succeeds();
    // Seconds differ from run to run, and how wide they are.
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(
        out.starts_with("Everyday tasks: test accuracy in percent, mean and deviation of seeds 0 to 1\n"),
        "{out}"
    );
    assert_eq!(lines[1].join(" "), "examples accuracy coverage precision loading and learning");
    assert_eq!(lines[2][..7], ["everyday/home", "15", "66.67", "±", "0.00", "66.67", "100.00"], "{out}");
    assert_eq!(lines[3][..7], ["everyday/verbs", "15", "0.00", "±", "0.00", "100.00", "0.00"], "{out}");
    assert_eq!(lines[4][..4], ["mean", "33.33", "83.33", "50.00"], "{out}");
    assert_eq!((lines[4].last(), lines.len()), (Some(&"s"), 5), "{out}");

    let json = bench(&["1", "everyday/home", "--json"]).json();
    let task = &json["tasks"][0];
    assert_eq!((&task["task"], &task["data"]), (&"everyday/home".into(), &"official".into()));
    assert_eq!((&task["train_examples"], &task["deviation"]), (&15.into(), &0.0.into()));
    assert_eq!((&task["precision"], &task["coverage"]), (&1.0.into(), &task["accuracy"]));
    assert_eq!((&json["everyday"]["tasks"], &json["everyday"]["accuracy"]), (&1.into(), &task["accuracy"]));
    assert!(task["seconds"].is_f64() && task["paper"].is_null(), "{json}");
    let out = bench(&["1", "everyday/home"]).succeeds();
    assert!(out.contains("in percent, seed 0\n") && !out.contains("mean"), "{out}");

    let json = scratch.run(&["train", "everyday/home", "--data-dir", "data", "--json"]).json();
    assert_eq!((&json["task"], &json["data"]), (&"everyday/home".into(), &"files".into()));
    assert_eq!((&json["test_examples"], &json["precision"]), (&3.into(), &1.0.into()));
}

#[test]
fn everyday_tasks_need_their_files() {
    let scratch = Scratch::new();
    tiny_everyday(&scratch);
    scratch.run(&["bench", "everyday"]).fails_with(
        "everyday/dates: expected a data folder that holds everyday/dates.train.tsv, found no data folder",
    );
    scratch.run(&["bench", "everyday", "--data-dir", "data"]).fails_with(
        "data/everyday/dates.train.tsv: expected the data folder to hold the files of everyday/dates, found no such file",
    );
}
