//! What the README shows is what the program prints, but for times.

use super::scratch::Scratch;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// The blocks of text of the README.
fn blocks() -> impl Iterator<Item = &'static str> {
    README.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next())
}

/// The block that begins so.
fn block(beginning: &str) -> &'static str {
    blocks().find(|block| block.starts_with(beginning)).unwrap()
}

/// The text with times as one of them.
fn without_times(text: &str) -> String {
    let is_time = |word: &str| word.trim_end_matches([',', ';']).parse::<f64>().is_ok();
    let words: Vec<&str> = text.split(' ').collect();
    let next = |place: usize| words.get(place + 1).copied().unwrap_or("");
    let shown = (0..words.len()).map(|place| match next(place) {
        "s" | "s," | "s;" if is_time(words[place]) => "0.0",
        _ => words[place],
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Runs what stands behind `$ ` and compares it with what stands below.
#[track_caller]
fn check(scratch: &Scratch, command: &str, expected: &str) {
    let folder = Path::new(env!("CARGO_BIN_EXE_nsr")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(scratch.path(""))
        .env("PATH", path)
        .env_remove("NSR_DATA")
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    // Of standard error, what comes at the end is shown, not progress.
    let told = err.lines().filter(|line| line.starts_with("nsr: ")).map(|line| format!("{line}\n"));
    let found = format!("{out}{}", told.collect::<String>());
    assert_eq!(
        without_times(&found),
        without_times(expected),
        "README.md shows something else for {command}"
    );
}

#[test]
#[cfg(unix)]
fn every_command_prints_what_the_readme_shows() {
    let scratch = Scratch::new();
    scratch.write("home.tsv", block("turn the lamp on\t"));
    scratch.write("dim.tsv", "dim the lamp\tlamp=dim\ndim the fan in the hall\thall.fan=dim\n");
    let mut commands = 0;
    for block in blocks().filter(|block| block.starts_with("$ ")) {
        for session in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, expected) = session.split_once('\n').unwrap();
            let expected =
                if expected.ends_with('\n') { expected.to_owned() } else { format!("{expected}\n") };
            check(&scratch, command, &expected);
            commands += 1;
        }
    }
    assert!(commands > 5, "{commands}");
}

#[test]
fn the_program_alone_prints_what_the_readme_shows() {
    let out = Scratch::new().run(&[]).succeeds();
    let shown = block("Learning from pairs such as these");
    let (shown, answer) = shown.rsplit_once("\n= ").unwrap();
    let (out, rest) = out.rsplit_once("\n= ").unwrap();
    assert_eq!(without_times(out), without_times(shown), "README.md shows something else");
    let (first, last) = answer.trim_end().split_once(" … ").unwrap();
    let found = rest.lines().next().unwrap();
    assert!(found.starts_with(first) && found.ends_with(last), "{found}");
}
