//! Models of constructions, shown and refused.

use super::scratch::Scratch;
use serde_json::Value;
use std::fs;
use std::sync::LazyLock;

/// Commands with a particle verb: `switch the lamp in the hall off`.
fn commands() -> String {
    let mut lines = String::new();
    for thing in ["lamp", "fan", "radio", "heater", "oven"] {
        for particle in ["off", "on"] {
            let (verb, token) = (particle.to_uppercase(), thing.to_uppercase());
            lines += &format!("switch the {thing} {particle}\t{verb} ( {token} )\n");
            for room in ["kitchen", "hall", "office", "attic", "cellar"] {
                let place = room.to_uppercase();
                let input = format!("switch the {thing} in the {room} {particle}");
                lines += &format!("{input}\t{verb} ( {token} @ {place} )\n");
            }
        }
    }
    lines
}

/// A folder with the commands and a model of them.
fn trained() -> Scratch {
    static MODEL: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
        let scratch = Scratch::new();
        scratch.write("home.tsv", commands());
        let ran = scratch.run(&["train", "home.tsv", "--out", "h.nsr", "--log", "log.jsonl"]);
        assert!(ran.err.contains("  solved: "), "{ran:?}");
        let out = ran.succeeds();
        assert!(
            out.starts_with("home.tsv: 60 examples learned in ") && out.contains(" constructions; "),
            "{out}"
        );
        ["h.nsr", "log.jsonl"].map(|name| fs::read(scratch.path(name)).unwrap())
    });
    let scratch = Scratch::new();
    scratch.write("home.tsv", commands());
    scratch.write("h.nsr", &MODEL[0]);
    scratch.write("log.jsonl", &MODEL[1]);
    scratch
}

#[test]
fn explain_draws_constructions() {
    let scratch = trained();
    let args = ["explain", "h.nsr", "switch the fan in the attic off", "--svg", "t.svg", "--dot", "t.dot"];
    let out = scratch.run(&args).succeeds();
    assert!(out.lines().any(|line| line.ends_with("fan      [FAN]") || line.contains(" [FAN] ")), "{out}");
    assert!(out.ends_with("\n= OFF ( FAN @ ATTIC )\n"), "{out}");
    let json = scratch.run(&["explain", "h.nsr", "switch the fan off", "--json"]).json();
    let nodes = json["nodes"].as_array().unwrap();
    assert!(nodes.iter().any(|node| node["definition"] == "fan = [FAN]"), "{json}");
    assert!(nodes.iter().any(|node| node["word"].as_str().unwrap().contains('_')), "{json}");
    let svg = fs::read_to_string(scratch.path("t.svg")).unwrap();
    let dot = fs::read_to_string(scratch.path("t.dot")).unwrap();
    assert!(svg.contains("[FAN]") && dot.contains("fan\\n[FAN]\\nFAN"), "{dot}");
}

#[test]
fn inspect_lists_constructions_by_class() {
    let scratch = trained();
    let out = scratch.run(&["inspect", "h.nsr"]).succeeds();
    assert!(out.starts_with("home.tsv: 60 examples, seed 0\n\nConstructions, by class"), "{out}");
    assert!(out.contains("fan = [FAN]") && out.contains("  =  ") && out.contains(" bits\n"), "{out}");
    assert!(out.contains("every word is solved and every training example explained"), "{out}");
    let json = scratch.run(&["inspect", "h.nsr", "--json"]).json();
    let all = json["constructions"].as_array().unwrap();
    let fan = all.iter().find(|one| one["pattern"] == "fan").unwrap();
    assert!(fan["says"] == "[FAN]" && fan["uses"].as_f64() > Some(1.0) && fan["class"].is_u64(), "{fan}");
    let out = scratch.run(&["inspect", "h.nsr", "--similarity", "home.tsv"]).succeeds();
    let row = out.lines().find(|line| line.starts_with("  fan ")).unwrap();
    assert!(out.contains("Syntactic similarity") && row.contains(" 100"), "{out}");
}

#[test]
fn predict_eval_and_resume_use_constructions() {
    let scratch = trained();
    let input = b"switch the oven in the hall on\n\nhop\nswitch\n";
    let ran = scratch.run_with(&["predict", "h.nsr"], input);
    assert_eq!(ran.out.lines().next(), Some("ON ( OVEN @ HALL )"));
    assert_eq!((ran.out.lines().count(), ran.code), (4, Some(0)), "{ran:?}");
    assert!(ran.err.contains("1 empty, 1 with an unknown word"), "{ran:?}");
    let json = scratch.run(&["eval", "h.nsr", "home.tsv", "--json"]).json();
    assert_eq!(json["accuracy"], 1.0);
    let before = fs::read(scratch.path("h.nsr")).unwrap();
    scratch.run(&["train", "home.tsv", "--out", "h.nsr", "--resume"]).succeeds();
    assert!(fs::read(scratch.path("h.nsr")).unwrap() == before);
    let out = scratch.run(&["train", "home.tsv", "--from", "h.nsr"]).succeeds();
    assert!(out.contains("nothing new"), "{out}");
    scratch.write("more.tsv", "switch the kettle in the hall on\tON ( KETTLE @ HALL )\n");
    scratch.run(&["train", "more.tsv", "--from", "h.nsr", "--out", "more.nsr"]).succeeds();
    let ran = scratch.run_with(&["predict", "more.nsr"], b"switch the kettle in the attic off\n");
    assert_eq!(ran.out, "OFF ( KETTLE @ ATTIC )\n");
}

#[test]
fn the_log_has_every_edit() {
    let scratch = trained();
    let log = fs::read_to_string(scratch.path("log.jsonl")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let theory = lines.iter().find(|line| line["event"] == "theory").unwrap();
    // Of 60 examples six are held out at a time, until 30 have been.
    assert_eq!(theory["held_out"], 30);
    for edit in lines.iter().filter(|line| line["event"] == "edit") {
        assert!(edit["by"].is_string() && edit["bits"].is_f64() && edit["total"].is_f64(), "{edit}");
        assert!(edit["entry"].as_str().unwrap().contains(" = "), "{edit}");
    }
}
