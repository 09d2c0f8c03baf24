//! Answers and what is shown of a model: predict, explain, inspect.

use super::scratch::{Ran, Scratch};
use std::fs;
use std::io::Write;

#[test]
fn predict_keeps_order_and_never_stops() {
    let scratch = Scratch::trained();
    let ran = scratch
        .run_with(&["predict", "m.nsr"], b"\xef\xbb\xbfjump twice\nhop\n\n\xff\xfe\ntwice twice and\r\nrun");
    assert_eq!(ran.out.lines().collect::<Vec<_>>(), ["JUMP JUMP", "", "", "", "", "RUN"]);
    assert!(ran.err.contains("4 of 6 lines without an answer: 1 not UTF-8"), "{ran:?}");
    assert_eq!(ran.code, Some(0));
    let words = ["walk", "run", "jump", "look"];
    let lines: Vec<&str> = (0..5_000).map(|line| words[line * 7 % 4]).collect();
    let out = scratch.run_with(&["predict", "m.nsr"], lines.join("\n").as_bytes()).succeeds();
    assert!(out.lines().eq(lines.iter().map(|line| line.to_uppercase())));
}

/// `by` is said of two things: seven times in ten it is the first one.
fn ambiguous() -> String {
    let mut lines = Vec::new();
    for (number, verb) in (0..60).zip(["go", "sit", "run"].into_iter().cycle()) {
        let by = if number * 7 % 10 < 7 { "NEAR" } else { "FROM" };
        for (word, token) in [("by", by), ("with", "WITH"), ("at", "AT")] {
            let place = format!("place{}", number / 3);
            lines.push(format!(
                "{verb} {word} {place}\t{} {token} {}",
                verb.to_uppercase(),
                place.to_uppercase()
            ));
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn several_meanings_come_with_their_probabilities() {
    let scratch = Scratch::new();
    scratch.write("by.tsv", ambiguous());
    scratch.run(&["train", "by.tsv", "--out", "by.nsr"]).succeeds();
    let ask = |args: &[&str]| {
        scratch.run_with(&[&["predict", "by.nsr"], args].concat(), b"go by place3\ngo at place3\n")
    };
    let out = ask(&["--n-best", "3"]).succeeds();
    let first: Vec<&str> = out.lines().next().unwrap().split('\t').collect();
    assert_eq!((first[0], first[2], first.len()), ("GO NEAR PLACE3", "GO FROM PLACE3", 4), "{out}");
    let probability = |place: usize| first[place].parse::<f64>().unwrap();
    assert!((probability(1) - 0.7).abs() < 0.05 && (probability(3) - 0.3).abs() < 0.05, "{out}");
    assert_eq!(out.lines().nth(1), Some("GO AT PLACE3\t1.0000"));
    let explain = |args: &[&str]| scratch.run(&[&["explain", "by.nsr", "go by place3"], args].concat());
    let drawn = explain(&["--n-best", "2"]).succeeds();
    let results: Vec<&str> = drawn.lines().filter(|line| line.starts_with("= ")).collect();
    assert_eq!(results, ["= GO NEAR PLACE3", "= GO FROM PLACE3"], "{drawn}");
    let told: Vec<&str> = drawn.lines().filter_map(|line| line.strip_prefix("probability ")).collect();
    assert_eq!(told, [first[1], first[3]], "{drawn}");
    let json = explain(&["--n-best", "9", "--json"]).succeeds();
    let json: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((json.len(), &json[1]["output"]), (2, &"GO FROM PLACE3".into()), "{json:?}");
    let ran = ask(&["--margin", "0.9"]);
    assert_eq!(ran.out, "\nGO AT PLACE3\n");
    assert!(ran.err.contains("1 with another result nearly as probable"), "{ran:?}");
    ask(&["--margin", "2"]).fails_mentioning(&["--margin", "expected a number from 0 to 1"]);
    let args = ["eval", "by.nsr", "by.tsv", "--calibration", "c.svg", "--json"];
    let json = scratch.run(&args).json();
    assert!(json["calibration"]["error"].as_f64().unwrap() < 0.1, "{json}");
    assert!(fs::read_to_string(scratch.path("c.svg")).unwrap().contains("<circle"));
}

#[test]
fn long_sentences_are_no_trouble() {
    let scratch = Scratch::trained();
    let long = format!("{}walk", "walk and ".repeat(5_000));
    let out = scratch.run_with(&["predict", "m.nsr"], format!("{long}\nrun\n").as_bytes()).succeeds();
    assert_eq!(out.lines().nth(1), Some("RUN"));
    let ran = scratch.run(&["explain", "m.nsr", &long, "--svg", "t.svg", "--dot", "t.dot"]);
    assert!(matches!(ran.code, Some(0 | 1)), "{:?}", ran.code);
    // Beyond the longest line a miss, not an endless buffer.
    let ran =
        scratch.run_with(&["predict", "m.nsr"], &[b"walk ".repeat(300_000), b"\nrun\n".to_vec()].concat());
    assert_eq!(ran.out, "\nRUN\n");
}

#[test]
fn a_reader_that_leaves_ends_predict_quietly() {
    let scratch = Scratch::trained();
    let mut child = scratch.start(&["predict", "m.nsr"]);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all("walk twice\n".repeat(50_000).as_bytes());
    drop(stdin);
    let ran = Ran::new(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn explain_draws_the_tree() {
    let scratch = Scratch::trained();
    let args = ["explain", "m.nsr", "jump twice and run", "--svg", "t.svg", "--dot", "t.dot"];
    let out = scratch.run(&args).succeeds();
    let expected = "\
_ and _                  x ++ y   JUMP JUMP RUN
├─x _ twice              x ++ x   JUMP JUMP
│   └─x a run of words   itself   JUMP
└─y a run of words       itself   RUN

= JUMP JUMP RUN
";
    assert_eq!(out, expected);
    let svg = fs::read_to_string(scratch.path("t.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("<rect ").count(), 4);
    let dot = fs::read_to_string(scratch.path("t.dot")).unwrap();
    assert!(dot.contains("n2 -> n1 [label=\"x\"];"), "{dot}");
    let json = scratch.run(&["explain", "m.nsr", "jump", "twice", "--json"]).json();
    assert_eq!(json["output"], "JUMP JUMP");
    let twice =
        json["nodes"].as_array().unwrap().iter().find(|node| node["definition"] == "_ twice = x ++ x");
    assert!(twice.is_some_and(|node| node["head"].is_null()), "{json}");
}

#[test]
fn explain_without_an_answer_says_why() {
    let scratch = Scratch::trained();
    let ran = scratch.run(&["explain", "m.nsr", "hop"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out, "hop   a word never seen in training\n\n= no answer\n");
    assert_eq!(scratch.run(&["explain", "m.nsr", "hop", "--n-best", "2"]).out, ran.out);
    scratch.run(&["explain", "m.nsr", " "]).fails_with("INPUT: expected at least one word, found none");
}

#[test]
fn inspect_shows_programs_and_classes() {
    let scratch = Scratch::trained();
    let out = scratch.run(&["inspect", "m.nsr"]).succeeds();
    for entry in ["_ twice", "x ++ x", "_ and _", "x ++ y"] {
        assert!(out.contains(entry), "{entry}: {out}");
    }
    assert!(out.contains("every word is solved and every training example explained"), "{out}");
    let json = scratch.run(&["inspect", "m.nsr", "--json"]).json();
    let twice = json["constructions"].as_array().unwrap().iter().find(|entry| entry["pattern"] == "_ twice");
    assert_eq!(twice.unwrap()["says"], "x ++ x");
}
