//! Training: what it tells, keeps, resumes and is taught.

use super::scratch::{PAIRS, Ran, Scratch};
use serde_json::Value;
use std::fs;
use std::process::Command;
use std::time::Duration;

#[test]
fn train_tells_what_it_learned() {
    let scratch = Scratch::new();
    let out = scratch.run(&["train", "pairs.txt", "--test", "test.txt", "--out", "m.nsr"]).succeeds();
    assert!(out.starts_with("pairs.txt: 15 examples learned in "), "{out}");
    assert!(out.contains("7 of 7 words solved\n"), "{out}");
    assert!(
        out.contains("test: 66.67 % right, 2 of 3; coverage 66.67 %, precision 100.00 %\nmodel: m.nsr\n"),
        "{out}"
    );
    assert!(scratch.path("m.nsr").exists());
    let ran = scratch.run(&["train", "pairs.txt"]);
    let told: String = ran.err.lines().filter(|line| line.starts_with("  solved: ")).collect();
    assert!(told.contains("_ twice = x ++ x") && told.contains("_ and _ = x ++ y"), "{ran:?}");
    assert!(ran.err.lines().count() < 12, "{ran:?}");
    let out = ran.succeeds();
    assert!(out.ends_with("the model is not kept; --out FILE would keep it\n"), "{out}");
}

#[test]
fn train_and_eval_as_json() {
    let scratch = Scratch::new();
    let train = ["train", "pairs.txt", "--test", "test.txt", "--out", "m.nsr", "--seed", "3", "--json"];
    let json = scratch.run(&train).json();
    assert_eq!((&json["task"], &json["seed"]), (&"pairs.txt".into(), &3.into()));
    assert_eq!((&json["train_examples"], &json["model"]), (&15.into(), &"m.nsr".into()));
    assert_eq!(json["test_examples"], 3);
    assert!((json["accuracy"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9);
    assert!(json["seconds"].is_f64() && json["epochs"].is_u64() && json["subsets"].is_object());
    let json = scratch.run(&["eval", "m.nsr", "test.txt", "--json"]).json();
    assert_eq!((&json["examples"], &json["correct"], &json["unanswered"]), (&3.into(), &2.into(), &1.into()));
    let json = scratch.run(&["train", "pairs.txt", "--json"]).json();
    assert!(json["model"].is_null() && json.get("accuracy").is_none());
}

#[test]
fn what_has_no_answer_is_told_from_what_is_wrong() {
    let scratch = Scratch::trained();
    // Right, wrong, and a word never seen.
    scratch.write("four.tsv", "walk\tWALK\nrun\tRUN\nlook twice\tLOOK\nlook hop\tLOOK\n");
    let check = |json: Value| {
        let share = |name: &str| (json[name].as_f64().unwrap() * 12.0).round();
        assert_eq!([share("accuracy"), share("coverage"), share("precision")], [6.0, 9.0, 8.0], "{json}");
    };
    check(scratch.run(&["eval", "m.nsr", "four.tsv", "--json"]).json());
    check(scratch.run(&["train", "pairs.txt", "--test", "four.tsv", "--json"]).json());
    let out = scratch.run(&["eval", "m.nsr", "four.tsv"]).succeeds();
    assert!(out.contains("  50.00 %  2 of 4 right; coverage 75.00 %, precision 66.67 %\n"), "{out}");
}

#[test]
fn subsets_are_told() {
    let scratch = Scratch::trained();
    scratch.write("sets.tsv", "input\toutput\teval\njump twice\tJUMP JUMP\tnear\nhop\tHOP\tfar\n");
    let json = scratch.run(&["eval", "m.nsr", "sets.tsv", "--json"]).json();
    assert_eq!(json["subsets"]["near"]["accuracy"], 1.0);
    let far = &json["subsets"]["far"];
    assert_eq!((&far["correct"], &far["coverage"], &far["precision"]), (&0.into(), &0.0.into(), &1.0.into()));
    let out = scratch.run(&["eval", "m.nsr", "sets.tsv"]).succeeds();
    assert!(out.contains("    far   0.00 %  0 of 1\n"), "{out}");
}

#[test]
fn the_number_of_threads_does_not_show() {
    let scratch = Scratch::new();
    for threads in ["1", "2"] {
        scratch.run(&["train", "pairs.txt", "--threads", threads, "--out", threads]).succeeds();
    }
    scratch.run(&["train", "pairs.txt", "--seed", "1", "--out", "other"]).succeeds();
    let bytes = |name: &str| fs::read(scratch.path(name)).unwrap();
    assert!(bytes("1") == bytes("2"));
    assert!(bytes("1") != bytes("other"));
}

#[test]
fn contradictory_examples_are_counted_and_shown() {
    let scratch = Scratch::new();
    scratch.write("odd.txt", format!("{PAIRS}IN: walk OUT: RUN RUN LOOK\nIN: walk OUT: WALK\n"));
    let out = scratch.run(&["train", "odd.txt", "--out", "m.nsr"]).succeeds();
    assert!(out.contains("1 input with several outputs: the most frequent one was learned"), "{out}");
    let out = scratch.run(&["inspect", "m.nsr"]).succeeds();
    assert!(out.contains("    walk\n      wanted RUN RUN LOOK\n      found  WALK\n"), "{out}");
}

#[test]
fn resume_wants_the_same_data() {
    let scratch = Scratch::trained();
    let before = fs::read(scratch.path("m.nsr")).unwrap();
    scratch.run(&["train", "pairs.txt", "--out", "m.nsr", "--resume"]).succeeds();
    assert!(fs::read(scratch.path("m.nsr")).unwrap() == before);
    scratch.run(&["train", "test.txt", "--out", "m.nsr", "--resume"]).fails_mentioning(&[
        "m.nsr: expected a model of the 3 examples of test.txt, found one of the 15 of pairs.txt",
    ]);
    scratch.run(&["train", "pairs.txt", "--out", "new.nsr", "--resume"]).succeeds();
}

#[test]
fn resume_keeps_the_seed() {
    let scratch = Scratch::new();
    let train =
        |more: &[&str]| scratch.run(&[&["train", "pairs.txt", "--out", "m.nsr", "--json"], more].concat());
    train(&["--seed", "3"]).succeeds();
    let before = fs::read(scratch.path("m.nsr")).unwrap();
    assert_eq!(train(&["--resume"]).json()["seed"], 3);
    assert_eq!(train(&["--resume", "--seed", "3"]).json()["seed"], 3);
    train(&["--resume", "--seed", "7"]).fails_with(
        "m.nsr: expected a model learned with --seed 7, found one with 3; without --seed it goes on",
    );
    assert!(fs::read(scratch.path("m.nsr")).unwrap() == before);
}

#[test]
fn a_model_is_taught_new_words() {
    let scratch = Scratch::trained();
    let before = fs::read(scratch.path("m.nsr")).unwrap();
    scratch.write("new.txt", "IN: hop OUT: HOP\nIN: walk and hop OUT: WALK HOP\n");
    let args = ["train", "--from", "m.nsr", "new.txt", "--test", "pairs.txt", "--out", "more.nsr"];
    let out = scratch.run(&args).succeeds();
    assert!(out.starts_with("new.txt: 2 examples learned in "), "{out}");
    assert!(out.contains("new: hop\ntest: 100.00 % right, 15 of 15; "), "{out}");
    assert!(out.ends_with("precision 100.00 %\nmodel: more.nsr\n"), "{out}");
    assert!(fs::read(scratch.path("m.nsr")).unwrap() == before);
    let out = scratch.run_with(&["predict", "more.nsr"], b"hop twice\njump and hop\n").succeeds();
    assert_eq!(out, "HOP HOP\nJUMP HOP\n");
    let json = scratch.run(&["train", "--from", "m.nsr", "new.txt", "--seed", "2", "--json"]).json();
    assert_eq!((&json["from"], &json["new"][0]), (&"m.nsr".into(), &"hop".into()));
    assert_eq!((&json["task"], &json["train_examples"]), (&"new.txt".into(), &2.into()));
    let out = scratch.run(&["train", "--from", "m.nsr", "pairs.txt", "--out", "same.nsr"]).succeeds();
    assert!(out.contains("nothing new: the model knows every symbol of pairs.txt\n"), "{out}");
    let out = scratch.run(&["inspect", "more.nsr"]).succeeds();
    assert!(out.starts_with("pairs.txt: 15 examples, seed 0\nthen new.txt: 2 examples, seed 0\n"), "{out}");
}

#[test]
fn a_model_that_cannot_be_taught_is_told() {
    let scratch = Scratch::trained();
    scratch.write("numbers.txt", "IN: one OUT: 1\nIN: two OUT: 2\nIN: three OUT: 3\n");
    scratch.run(&["train", "numbers.txt", "--out", "n.nsr"]).succeeds();
    scratch.run(&["train", "--from", "n.nsr", "pairs.txt"]).fails_with(
        "pairs.txt: expected results that are numbers, as the model's are, found lists of tokens",
    );
    scratch
        .run(&["train", "--from", "m.nsr", "pairs.txt", "--tokens", "chars"])
        .fails_with("--tokens: expected words, as the model was trained, found chars");
    let both = ["train", "--from", "m.nsr", "pairs.txt", "--out", "m.nsr", "--resume"];
    scratch.run(&both).fails_mentioning(&["--from", "--resume"]);
    scratch
        .run(&["train", "--from", "none.nsr", "pairs.txt"])
        .fails_mentioning(&["none.nsr: expected a model"]);
    scratch
        .run(&["train", "--from", "pairs.txt", "pairs.txt"])
        .fails_mentioning(&["pairs.txt: expected a model"]);
}

/// Learning that a signal stops, once it has begun, leaves a model that can be looked at.
#[cfg(unix)]
#[track_caller]
fn interrupted(task: &str, signal: &str) -> Scratch {
    let scratch = Scratch::new();
    let args = ["train", task, "--take", "300", "--out", "m.nsr", "--log", "log.jsonl", "--json"];
    let mut child = scratch.start(&args);
    // Not before training has begun: until then there is nothing to save.
    while !fs::read_to_string(scratch.path("log.jsonl")).is_ok_and(|log| log.contains("\"read\"")) {
        assert!(child.try_wait().unwrap().is_none(), "training ended without having begun");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let json = Ran::new(child.wait_with_output().unwrap()).json();
    assert_eq!(json["finished"], false, "{json}");
    scratch.run(&["inspect", "m.nsr"]).succeeds();
    scratch
}

#[cfg(unix)]
#[test]
fn a_signal_ends_learning_with_a_model_that_can_go_on() {
    interrupted("hint", "-INT");
    let scratch = interrupted("scan/length", "-TERM");
    let args = ["train", "scan/length", "--take", "300", "--out", "m.nsr", "--resume", "--json"];
    assert_eq!(scratch.run(&args).json()["finished"], true);
}

#[test]
fn a_budget_ends_learning_with_a_model() {
    let scratch = Scratch::new();
    let args = ["train", "pairs.txt", "--seconds", "0.000001", "--out", "m.nsr"];
    let json = scratch.run(&[&args[..], &["--json"]].concat()).json();
    assert_eq!((&json["finished"], &json["out_of_time"]), (&false.into(), &true.into()));
    let out = scratch.run(&args).succeeds();
    let line = "the time was over before all was learned: what was learned depends on the machine\n";
    assert!(
        out.contains(line) && out.ends_with("stopped early: the same command with --resume goes on\n"),
        "{out}"
    );
    assert!(out.contains(" s instead of 0.0 s: what was found by then had to be put together\n"), "{out}");
    scratch.run_with(&["predict", "m.nsr"], b"walk\n").succeeds();
    // Nor is there time to ask what the model gets wrong.
    assert_eq!(scratch.run(&["inspect", "m.nsr", "--json"]).json()["unexplained"], serde_json::json!([]));
    let out =
        scratch.run(&["train", "pairs.txt", "--resume", "--seconds", "9999", "--out", "m.nsr"]).succeeds();
    assert!(!out.contains(line) && out.contains("7 of 7 words solved\n"), "{out}");
    for wrong in ["0", "-1", "soon", "inf", "1e300"] {
        let seconds = format!("--seconds={wrong}");
        scratch
            .run(&["train", "pairs.txt", &seconds])
            .fails_mentioning(&["expected a number of seconds above 0"]);
    }
}

/// The log is JSON lines: what is learned, in order, and how bits fall. Whoever waits sees what is tried, and whether it comes to anything.
#[test]
fn what_is_tried_is_told() {
    let scratch = Scratch::new();
    scratch.run(&["train", "pairs.txt", "--log", "log.jsonl"]).succeeds();
    let log = fs::read_to_string(scratch.path("log.jsonl")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |event: &str| lines.iter().filter(move |line| line["event"] == event).collect::<Vec<_>>();
    assert_eq!(told("read").len(), 1, "{log}");
    assert!(told("edit").iter().any(|edit| edit["entry"] == "_ twice = x ++ x"), "{log}");
    let tried: Vec<&str> = told("tries").iter().filter_map(|line| line["what"].as_str()).collect();
    assert_eq!(tried.first(), Some(&"a first look at some examples"), "{log}");
    assert_eq!(tried.last(), Some(&"a parser of their trees"), "{log}");
    assert!(tried.len() > 2, "{log}");
    let steps = told("step");
    assert!(
        steps.iter().all(|step| step["bits"].as_f64().unwrap() > 0.0 && step["what"].is_string()),
        "{log}"
    );
    assert!(steps.iter().any(|step| step["explained"] == 1.0), "{log}");
}
