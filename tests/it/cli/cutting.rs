//! Inputs and outputs as people write them: cut into pieces or characters, and put together again.

use super::scratch::{PAIRS, Scratch};

/// Commands and their records; `write` makes a record of room, device and state.
fn commands(write: impl Fn(&str, &str, &str) -> String) -> String {
    let mut lines = String::new();
    for room in ["hall", "attic", "cellar", "office"] {
        for device in ["lamp", "fan", "radio"] {
            for state in ["on", "off"] {
                // Left out to be asked for.
                if (room, device) != ("hall", "fan") {
                    lines += &format!("{device} in {room} {state}\t{}\n", write(room, device, state));
                }
            }
        }
    }
    lines
}

/// Learns from commands and asks for one that was left out.
#[track_caller]
fn check(write: impl Fn(&str, &str, &str) -> String) {
    let scratch = Scratch::new();
    scratch.write("c.tsv", commands(&write));
    let answer = write("hall", "fan", "off");
    scratch.write("t.tsv", format!("fan in hall off\t{answer}\n"));
    let out = scratch.run(&["train", "c.tsv", "--test", "t.tsv", "--out", "c.nsr"]).succeeds();
    assert!(out.contains("\ncut: inputs into words (guessed), outputs into pieces (guessed)\n"), "{out}");
    assert!(out.contains("\ntest: 100.00 % right, 1 of 1;"), "{out}");
    let out = scratch.run_with(&["predict", "c.nsr"], b"fan in hall off\n").succeeds();
    assert_eq!(out, format!("{answer}\n"));
    let out = scratch.run(&["explain", "c.nsr", "fan in hall off"]).succeeds();
    assert!(out.ends_with(&format!("\n= {answer}\n")), "{out}");
    assert_eq!(scratch.run(&["eval", "c.nsr", "t.tsv", "--json"]).json()["accuracy"], 1.0);
    assert_eq!(scratch.run(&["eval", "c.nsr", "c.tsv", "--json"]).json()["accuracy"], 1.0);
    // Blanks count: they are part of what was written.
    scratch.write("t.tsv", format!("fan in hall off\t{}\n", answer.replace(',', " ,")));
    assert_eq!(scratch.run(&["eval", "c.nsr", "t.tsv", "--json"]).json()["accuracy"], 0.0);
}

#[test]
fn records_come_out_as_they_are_written() {
    check(|room, device, state| format!("{{\"room\":\"{room}\",\"{device}\":\"{state}\"}}"));
}

#[test]
fn so_do_records_with_blanks() {
    check(|room, device, state| format!("{{\"room\": \"{room}\", \"{device}\": {}}}", state == "on"));
}

#[test]
fn so_do_terms() {
    check(|room, device, state| format!("do({state}({device},in({room})))"));
}

#[test]
fn outputs_that_share_only_letters_are_spelled() {
    // Two syllables, and a bit of each: no two outputs have a word in common.
    let (bits, syllables) = (["mi", "ra", "to", "ku", "se"], ["one", "two", "six", "ten", "few"]);
    let mut lines = String::new();
    for (first, left) in syllables.iter().zip(bits) {
        for (second, right) in syllables.iter().zip(bits) {
            for (third, last) in syllables.iter().zip(bits) {
                if (left, right) != ("mi", "to") {
                    lines += &format!("{first} {second} {third}\t{left}{right}{last}\n");
                }
            }
        }
    }
    let scratch = Scratch::new();
    scratch.write("s.tsv", lines);
    scratch.write("t.tsv", "one six ten\tmitoku\none six two\tmitora\n");
    let said = |more: &[&str]| {
        scratch.run(&[&["train", "s.tsv", "--test", "t.tsv", "--out", "s.nsr"], more].concat()).succeeds()
    };
    let out = said(&[]);
    assert!(out.contains("outputs into chars (guessed)\n"), "{out}");
    assert!(out.contains("\ntest: 100.00 % right, 2 of 2;"), "{out}");
    let out = scratch.run_with(&["predict", "s.nsr"], b"one six ten\n").succeeds();
    assert_eq!(out, "mitoku\n");
    assert_eq!(scratch.run(&["eval", "s.nsr", "s.tsv", "--json"]).json()["accuracy"], 1.0);
    // Who says how they are cut is believed.
    assert!(said(&["--output-tokens", "words"]).contains("outputs into words\n"));
}

#[test]
fn so_do_queries() {
    check(|room, device, state| format!("SELECT {device},{state} FROM {room} WHERE id = 'a b'"));
}

#[test]
fn times_are_pieces() {
    let scratch = Scratch::new();
    let mut lines = String::new();
    for (hour, name) in [(3, "three"), (4, "four"), (6, "six"), (7, "seven"), (8, "eight")] {
        for (minute, past) in [("15", "quarter"), ("30", "half"), ("05", "five")] {
            lines += &format!("{past} past {name}\t{hour}:{minute}\n");
        }
    }
    let (test, train) = lines.split_once('\n').unwrap();
    scratch.write("times.tsv", train);
    scratch.run(&["train", "times.tsv", "--out", "t.nsr"]).succeeds();
    let out = scratch.run_with(&["predict", "t.nsr"], b"quarter past three\n").succeeds();
    assert_eq!(test, format!("quarter past three\t{}", out.trim_end()));
}

#[test]
fn the_cut_can_be_said() {
    let scratch = Scratch::new();
    let spelled = PAIRS.replace("IN: ", "").replace(" OUT: ", "\t").replace("ALK", "").replace("UN", "");
    let spelled = spelled.replace("OOK", "").replace("UMP", "");
    let glued = |line: &str| {
        let (input, output) = line.split_once('\t').unwrap();
        format!("{input}\t{}\n", output.replace(' ', ""))
    };
    scratch.write("spelled.tsv", spelled.lines().map(glued).collect::<String>());
    let args = ["train", "spelled.tsv", "--output-tokens", "chars", "--out", "s.nsr"];
    let json = scratch.run(&[&args[..], &["--json"]].concat()).json();
    assert_eq!((&json["tokens"], &json["output_tokens"]), (&"words".into(), &"chars".into()));
    let json = scratch.run(&["inspect", "s.nsr", "--json"]).json();
    assert_eq!(json["settings"]["output_tokens"], "Chars");
    assert!(json["settings"].get("spacing").is_none());
    let out = scratch.run_with(&["predict", "s.nsr"], b"jump twice and walk\nrun\n").succeeds();
    assert_eq!(out, "JJW\nR\n");
    let args = ["train", "spelled.tsv", "--tokens", "pieces", "--output-tokens", "words"];
    let out = scratch.run(&args).succeeds();
    assert!(out.contains("\ncut: inputs into pieces, outputs into words\n"), "{out}");
}

#[test]
fn places_written_in_two_ways_are_told() {
    let scratch = Scratch::new();
    scratch.write("two.tsv", "a\tf(x)\nb\tf(y)\nc\tf (x)\nd\tf(x)\n");
    let out = scratch.run(&["train", "two.tsv"]).succeeds();
    let line = "1 place of outputs written with a blank and without: answers have the more frequent; with --output-tokens chars blanks are learned\n";
    assert!(out.contains(line), "{out}");
}

#[test]
fn blanks_that_answers_cannot_have_are_told() {
    let scratch = Scratch::new();
    scratch
        .write("tabs.jsonl", "{\"input\":\"a\",\"output\":\"A\\tB\"}\n{\"input\":\"b\",\"output\":\"B\"}\n");
    let line = "1 output with tabs, line ends or several blanks in a row: answers have one blank there\n";
    for command in ["train", "doctor"] {
        let out = scratch.run(&[command, "tabs.jsonl"]).succeeds();
        assert!(out.contains(line), "{out}");
    }
}

#[test]
fn another_cut_than_the_model_s_is_refused() {
    let scratch = Scratch::trained();
    for args in [&["eval", "m.nsr", "test.txt"][..], &["predict", "m.nsr"], &["explain", "m.nsr", "walk"]] {
        scratch
            .run(&[args, &["--tokens", "chars"]].concat())
            .fails_with("--tokens: expected words, as the model was trained, found chars");
    }
    scratch
        .run(&["eval", "m.nsr", "test.txt", "--output-tokens", "pieces"])
        .fails_with("--output-tokens: expected words, as the model was trained, found pieces");
    scratch
        .run(&["train", "scan/length", "--output-tokens", "pieces"])
        .fails_with("--output-tokens: expected words for the built-in task scan/length, found pieces");
    scratch.run(&["train", "pairs.txt", "--tokens", "bytes"]).fails_mentioning(&["--tokens"]);
}
