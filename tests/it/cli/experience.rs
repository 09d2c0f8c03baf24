//! What earlier tasks have taught, shown, added to and used.

use super::scratch::Scratch;
use std::fs;

/// Remainders of numbers below nine: hard to find from counting alone.
fn remainders() -> String {
    let mut lines: Vec<String> = (0..9).map(|number| format!("{number}\t{number}")).collect();
    for (x, y) in (0..9).flat_map(|x| (1..9).map(move |y| (x, y))) {
        lines.push(format!("{x} left-by {y}\t{}", x % y));
    }
    lines.join("\n") + "\n"
}

#[test]
fn what_is_built_in_is_used_for_files_and_can_be_seen() {
    let scratch = Scratch::new();
    scratch.write("r.tsv", remainders());
    scratch.run(&["train", "r.tsv", "--out", "r.nsr"]).succeeds();
    let out = scratch.run(&["inspect", "r.nsr"]).succeeds();
    assert!(out.contains("_ left-by _") && out.contains("x mod y"), "{out}");
    let out = scratch.run(&["experience", "show"]).succeeds();
    assert!(out.starts_with("11 functions\n") && out.contains("(x mod y)"), "{out}");
    let out = scratch.run(&["experience", "show", "none"]).succeeds();
    assert_eq!(out, "0 functions\n");
}

#[test]
fn what_a_model_has_learned_is_added_to_a_file() {
    let scratch = Scratch::new();
    let sums: Vec<String> = (0..49).map(|n| format!("{} and {}\t{}", n / 7, n % 7, n / 7 + n % 7)).collect();
    scratch.write("sums.tsv", sums.join("\n") + "\n");
    scratch.run(&["train", "sums.tsv", "--experience", "none", "--out", "s.nsr"]).succeeds();
    let add = ["experience", "add", "s.nsr", "--to", "mine.json"];
    assert_eq!(scratch.run(&add).succeeds(), "mine.json: 1 new of 1 function\n");
    assert_eq!(scratch.run(&add).succeeds(), "mine.json: 0 new of 1 function\n");
    let out = scratch.run(&["experience", "show", "mine.json"]).succeeds();
    assert!(out.contains("(x + y)") && out.contains("from sums.tsv"), "{out}");
    scratch.run(&["train", "sums.tsv", "--experience", "mine.json"]).succeeds();
    let text = fs::read_to_string(scratch.path("mine.json")).unwrap();
    scratch.write("cut.json", &text[..text.len() / 2]);
    scratch
        .run(&["train", "sums.tsv", "--experience", "cut.json"])
        .fails_mentioning(&["cut.json: expected an experience, written as JSON, found "]);
    scratch.write("newer.json", text.replacen("\"experience\": 1", "\"experience\": 7", 1));
    scratch
        .run(&["experience", "show", "newer.json"])
        .fails_with("newer.json: expected an experience of version 1, found version 7");
    let told = "none.json: expected a file that can be used, found No such file or directory (os error 2)";
    scratch.run(&["experience", "show", "none.json"]).fails_with(told);
    let both = ["train", "sums.tsv", "--from", "s.nsr", "--experience", "mine.json"];
    scratch.run(&both).fails_mentioning(&["--experience", "--from"]);
}
