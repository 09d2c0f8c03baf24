//! Measuring beside the published figures.

use crate::scratch::{PAIRS, Scratch, TEST};
use std::fs;

#[test]
fn bench_measures_and_cites() {
    let scratch = Scratch::new();
    scratch.run(&["bench", "chess"]).fails_with(
        "chess: expected all, scan, hint, pcfg or a built-in task such as scan/length, found none of them",
    );
    let seeds = scratch.run(&["bench", "--seeds", "0"]);
    seeds.fails_mentioning(&["--seeds", "0"]);
    let help = scratch.run(&["bench", "--help"]).succeeds();
    assert!(
        ["all", "pcfg/localism", "pcfg/overgeneralisation"].iter().all(|name| help.contains(name)),
        "{help}"
    );
}

/// A data folder whose PCFG SET is [`PAIRS`]: the learner is quick, and the bench has something to say.
pub fn tiny_pcfg(scratch: &Scratch) {
    let write = |name: &str, pairs: &str| {
        let split = |line: &str| -> Option<[String; 2]> {
            let (input, output) = line.strip_prefix("IN: ")?.split_once(" OUT: ")?;
            Some([input.to_owned(), output.to_owned()])
        };
        let pairs: Vec<[String; 2]> = pairs.lines().filter_map(split).collect();
        for (column, ending) in ["src", "tgt"].into_iter().enumerate() {
            let lines: Vec<&str> = pairs.iter().map(|pair| pair[column].as_str()).collect();
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
