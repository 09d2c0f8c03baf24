//! Wrong arguments, data and models: one clear line and exit code 2, or a counted miss.

use super::bench::tiny_pcfg;
use super::scratch::{PAIRS, Scratch};
use nsr::checkpoint::VERSION;
use std::fs;

#[test]
fn help_is_no_error() {
    let scratch = Scratch::new();
    let out = scratch.run(&["--help"]).succeeds();
    for command in ["train", "eval", "predict", "explain", "inspect", "bench"] {
        assert!(out.contains(command), "{out}");
    }
    assert!(scratch.run(&["train", "--help"]).succeeds().contains("--resume"));
}

#[test]
fn wrong_arguments_are_told_in_one_line() {
    let scratch = Scratch::new();
    scratch.run(&["train"]).fails_mentioning(&["<DATA>"]);
    scratch.run(&["teach"]).fails_mentioning(&["teach"]);
    scratch.run(&["train", "pairs.txt", "--seed", "x"]).fails_mentioning(&["--seed", "'x'"]);
    scratch.run(&["train", "pairs.txt", "--threads", "0"]).fails_mentioning(&["--threads"]);
    scratch.run(&["train", "pairs.txt", "--resume"]).fails_mentioning(&["--out"]);
}

#[test]
fn columns_are_those_of_files() {
    let scratch = Scratch::new();
    scratch.run(&["train", "scan/length", "--output", "length.nsr"]).fails_with(
        "--output: expected a file with columns, found length.nsr for the built-in task scan/length; \
         the model's file is --out",
    );
}

#[test]
fn bad_data_is_told_by_file_and_line() {
    let scratch = Scratch::new();
    let check = |name: &str, content: &[u8], parts: &[&str]| {
        scratch.write(name, content);
        scratch.run(&["train", name]).fails_mentioning(parts);
    };
    check("a.txt", b"IN: walk OUT: WALK\nIN: run\n", &["a.txt:2: expected ", ", found "]);
    check("b.txt", b"IN: walk OUT: WALK\nIN: r\xff OUT: R\n", &["b.txt:2: expected ", "UTF-8"]);
    check("c.txt", b"", &["c.txt: expected at least one example, found an empty file"]);
    check("d.doc", b"x", &["d.doc: expected a name ending in .txt"]);
    for name in ["folder", "folder.tsv"] {
        fs::create_dir(scratch.path(name)).unwrap();
        scratch.run(&["train", name]).fails_with(&format!("{name}: expected a file, found a directory"));
    }
    scratch.write("e.tgt", "W\n");
    check("e.src", b"walk\nrun\n", &["e.", ":2: expected ", ", found "]);
    scratch.write("f.tgt", "W\nR\nL\n");
    check("f.src", b"walk\nrun\n", &["f.tgt:3: expected 2 lines, as in f.src, found 3"]);
    check(
        "f.src",
        b"walk\n\nrun\n",
        &["f.src:2: expected an input of at least one token, found an empty line"],
    );
    check("g.src", b"walk\n", &["g.tgt: expected the outputs of g.src, found no such file"]);
    let long = [b"walk\n".to_vec(), b"walk ".repeat(300_000)].concat();
    check("f.src", &long, &["f.src:2: expected a line of at most 1048576 bytes, found a longer one"]);
    scratch.run(&["train", "none.txt"]).fails_mentioning(&["none.txt: expected a file or one of scan/"]);
    scratch.run(&["train", "pairs.txt", "--test", "none.txt"]).fails_mentioning(&["none.txt: expected "]);
}

#[test]
fn odd_lines_of_parallel_files_are_answered_or_missed() {
    let scratch = Scratch::trained();
    // A result that should be empty, one that is longer than anything in training, and 100,000 words without sense.
    let long = "walk and ".repeat(5_000);
    scratch.write("x.src", format!("walk\nrun\n{long}walk\n{}\n", "walk ".repeat(100_000)));
    scratch.write("x.tgt", format!("WALK\n\n{}WALK\nWALK\n", "WALK ".repeat(5_000)));
    let object = scratch.run(&["eval", "m.nsr", "x.src", "--json"]).json();
    assert_eq!((&object["examples"], &object["correct"]), (&4.into(), &2.into()), "{object}");
    assert_eq!(object["unanswered"], 1, "{object}");
    // Learning bears an empty result.
    let pairs: Vec<_> = PAIRS.lines().filter_map(|line| line[4..].split_once(" OUT: ")).collect();
    let column = |of: fn(&(&'static str, &'static str)) -> &'static str| -> String {
        pairs.iter().map(|pair| format!("{}\n", of(pair))).collect()
    };
    scratch.write("y.src", column(|pair| pair.0) + "hush\n");
    scratch.write("y.tgt", column(|pair| pair.1) + "\n");
    let object = scratch.run(&["train", "y.src", "--test", "x.src", "--json"]).json();
    assert_eq!((&object["train_examples"], &object["test_examples"]), (&16.into(), &4.into()), "{object}");
}

#[test]
fn bad_models_are_told() {
    let scratch = Scratch::trained();
    let good = fs::read(scratch.path("m.nsr")).unwrap();
    let check = |bytes: &[u8], parts: &[&str]| {
        scratch.write("bad.nsr", bytes);
        for args in [&["predict", "bad.nsr"][..], &["inspect", "bad.nsr"], &["explain", "bad.nsr", "walk"]] {
            scratch.run(args).fails_mentioning(parts);
        }
    };
    check(&good[..good.len() / 2], &["bad.nsr: expected a model of ", " bytes, found "]);
    check(&good[..10], &["bad.nsr: expected a whole model, found only 10 bytes"]);
    check(b"", &["bad.nsr: expected a model made by `nsr train --out`"]);
    let mut altered = good.clone();
    altered[good.len() / 2] ^= 1;
    check(&altered, &["bad.nsr: expected checksum ", "the file was altered"]);
    let mut newer = good.clone();
    newer[8] += 1;
    let told = format!(
        "bad.nsr: expected a model of version {VERSION}, found version {}: made by a newer nsr",
        VERSION + 1
    );
    check(&newer, &[&told]);
    scratch
        .run(&["predict", "none.nsr"])
        .fails_mentioning(&["none.nsr: expected a model file, found No such file"]);
    scratch.run(&["predict", "."]).fails_mentioning(&[".: expected a model file, found "]);
}

#[test]
fn what_is_for_pictures_is_refused_with_text() {
    let scratch = Scratch::new();
    let flags: [(&str, &[&str]); 4] = [
        ("--steps", &["--steps", "5"]),
        ("--pretrain", &["--pretrain"]),
        ("--preprocess", &["--preprocess", "crop=32 , scale=40"]),
        ("--device cuda", &["--device", "cuda"]),
    ];
    for (flag, args) in flags {
        let line = format!("{flag}: expected rows of pictures, found text in pairs.txt");
        scratch.run(&[&["train", "pairs.txt"], args].concat()).fails_with(&line);
    }
}

#[test]
fn a_model_of_text_takes_no_pictures() {
    let scratch = Scratch::trained();
    let told = "m.nsr: expected a model that reads pictures, found one that reads text";
    for asked in [&["predict", "m.nsr"][..], &["eval", "m.nsr", "test.txt"], &["explain", "m.nsr", "walk"]] {
        scratch.run(&[asked, &["--images", "p.idx"]].concat()).fails_with(told);
    }
    scratch.run(&["eval", "m.nsr", "hint/image"]).fails_with(told);
}

#[test]
fn a_data_folder_that_lacks_something_is_told() {
    let scratch = Scratch::trained();
    let told = "none: expected the data folder that --data-dir names, found no such folder";
    scratch.run(&["train", "scan/length", "--data-dir", "none"]).fails_with(told);
    scratch.run(&["eval", "m.nsr", "scan/length", "--data-dir", "none"]).fails_with(told);
    scratch.run(&["bench", "scan/length", "--data-dir", "none"]).fails_with(told);
    scratch.run(&["train", "hint/image", "--data-dir", "none"]).fails_with(told);
    // A file needs no such folder.
    let json = scratch.run(&["eval", "m.nsr", "test.txt", "--data-dir", "none", "--json"]).json();
    assert_eq!(json["data"], "files");

    fs::create_dir_all(scratch.path("data")).unwrap();
    let ran = scratch.run(&["eval", "m.nsr", "scan/length", "--data-dir", "data", "--json"]);
    let file = "data/scan/tasks_train_length.txt";
    assert_eq!(ran.err, format!("nsr: scan/length: generated data are used, as {file} was not found\n"));
    assert_eq!(ran.json()["data"], "generated");
    tiny_pcfg(&scratch);
    let train = ["train", "pcfg/iid", "--data-dir", "data", "--json"];
    let ran = scratch.run(&train);
    assert!(!ran.err.contains("generated"), "{ran:?}");
    assert_eq!(ran.json()["data"], "files");
    fs::remove_file(scratch.path("data/pcfg/pcfgset/test.src")).unwrap();
    let ran = scratch.run(&["eval", "m.nsr", "pcfg/iid", "--data-dir", "data"]);
    assert!(ran.err.contains("as data/pcfg/pcfgset/test.src was not found"), "{ran:?}");
    // Once, although both of its parts are generated.
    let ran = scratch.run(&["train", "scan/simple", "--take", "1", "--data-dir", "data", "--json"]);
    assert_eq!(ran.err.matches("generated").count(), 1, "{ran:?}");
    assert_eq!(ran.json()["data"], "generated");
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_training() {
    let scratch = Scratch::new();
    // One line and no more: nothing was said of learning.
    scratch
        .run(&["train", "scan/length", "--out", "none/m.nsr"])
        .fails_mentioning(&["none/m.nsr: expected to write a model there, found No such file"]);
    scratch.run(&["train", "scan/length", "--out", "."]).fails_mentioning(&[".: expected to write a model"]);
    scratch.run(&["train", "scan/length", "--log", "none/log"]).fails_mentioning(&["none/log"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["train", "pairs.txt", "--out", "/dev/full"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.ends_with(
        "/dev/full: expected to write a model there, found No space left on device (os error 28)\n"
    ));
    let ran = scratch.run(&["train", "pairs.txt", "--out", "m.nsr", "--log", "/dev/full"]);
    assert!(ran.code == Some(2) && scratch.path("m.nsr").exists(), "{ran:?}");
}
