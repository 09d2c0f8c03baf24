//! Tokens that would do something to a terminal, a picture or a pipe.

use super::scratch::Scratch;
use serde_json::json;
use std::fs;

/// Clears the screen, ends an SVG text and a DOT label, turns the order of letters round.
const NASTY: [&str; 5] =
    ["\x1b[2J", "</text><script>x</script>", "\"];a->b[label=\"", "\u{202e}evil", "&#10;\u{7}\\"];

/// A model whose words and tokens are nasty; each also with another word.
fn trained() -> Scratch {
    let scratch = Scratch::new();
    let mut lines = String::new();
    for (token, name) in NASTY.iter().zip(["a", "b", "c", "d", "e"]) {
        lines += &format!("{}\n", json!({ "input": [token], "output": [name, token] }));
        lines += &format!("{}\n", json!({ "input": [token, "twice"], "output": [name, token, name, token] }));
    }
    scratch.write("nasty.jsonl", lines);
    let ran = scratch.run(&["train", "nasty.jsonl", "--out", "n.nsr"]);
    harmless(&ran.err);
    harmless(&ran.succeeds());
    scratch
}

#[track_caller]
fn harmless(text: &str) {
    let is_harmful = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
    assert!(!text.contains(is_harmful), "{text:?}");
}

#[test]
fn terminals_see_control_characters_escaped() {
    let scratch = trained();
    let out = scratch.run(&["inspect", "n.nsr"]).succeeds();
    harmless(&out);
    assert!(out.contains("\\u{1b}[2J") && out.contains("\\u{202e}evil"), "{out}");
    let ran = scratch.run(&["explain", "n.nsr", "\x1b[2J never\x07"]);
    harmless(&(ran.out + &ran.err));
    harmless(&scratch.run(&["\x1b[2J"]).err);
    for args in [&["eval", "n.nsr", "\x1b[2J.tsv"][..], &["train", "a\x1b[2J\u{202e}.txt"]] {
        let ran = scratch.run(args);
        harmless(&ran.err);
        ran.fails_mentioning(&["\\u{1b}[2J"]);
    }
    let json = scratch.run(&["explain", "n.nsr", "--json", "\u{202e}evil"]);
    assert!(json.out.contains('\u{202e}'), "{json:?}");
}

#[test]
fn pipes_get_what_was_learned() {
    let scratch = trained();
    let out = scratch.run_with(&["predict", "n.nsr"], NASTY.join("\n").as_bytes());
    let answers: Vec<&str> = out.out.lines().collect();
    assert_eq!(answers.len(), NASTY.len(), "{out:?}");
    // As it was learned, nothing escaped and nothing left out.
    for ((token, name), answer) in NASTY.iter().zip(["a", "b", "c", "d", "e"]).zip(answers) {
        assert_eq!(answer, format!("{name} {token}"), "{out:?}");
    }
}

#[test]
fn pictures_of_nasty_trees_are_valid() {
    let scratch = trained();
    for (number, token) in NASTY.iter().enumerate() {
        let (svg, dot) = (format!("{number}.svg"), format!("{number}.dot"));
        scratch.run(&["explain", "n.nsr", token, "twice", "--svg", &svg, "--dot", &dot]);
        let svg = fs::read_to_string(scratch.path(&svg)).unwrap();
        harmless(&svg);
        well_formed(&svg);
        assert!(!svg.contains("<script"), "{svg}");
        let dot = fs::read_to_string(scratch.path(&dot)).unwrap();
        harmless(&dot);
        check_dot(&dot);
    }
}

/// Every tag is closed in turn, and `&` begins an entity of ours.
#[track_caller]
fn well_formed(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        match (tag.strip_prefix('/'), tag.ends_with('/')) {
            (Some(name), _) => assert_eq!(open.pop(), Some(name.to_owned()), "{svg}"),
            (None, false) => open.push(tag.split(' ').next().unwrap().to_owned()),
            (None, true) => {}
        }
        let is_ours = |rest: &str| ["amp;", "lt;", "gt;"].iter().any(|ours| rest.starts_with(ours));
        assert!(text.split('&').skip(1).all(is_ours), "{svg}");
    }
    assert!(open.is_empty(), "{svg}");
}

/// Every line but the first and last is a node or an arc whose label ends where the line does.
#[track_caller]
fn check_dot(dot: &str) {
    for line in dot.lines().filter(|line| line.contains("[label=\"")) {
        let (_, label) = line.split_once("[label=\"").unwrap();
        let mut rest = label.chars();
        let mut end = None;
        while let Some(letter) = rest.next() {
            match letter {
                '\\' => drop(rest.next()),
                '"' => {
                    end = Some(rest.as_str());
                    break;
                }
                _ => {}
            }
        }
        assert_eq!(end, Some("];"), "{line}");
    }
}

#[test]
fn tokens_hold_no_line_ends() {
    let scratch = Scratch::new();
    scratch.write("a.jsonl", "{\"input\": [\"a\\nb\"], \"output\": \"x\"}\n");
    scratch
        .run(&["train", "a.jsonl"])
        .fails_mentioning(&["a.jsonl:1: expected key `input` with a string, an array"]);
}
