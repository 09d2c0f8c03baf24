//! Every reader of pairs: what it takes, what it refuses and how, and what is written is read.

use super::{chars, folder, gzip, show_all};
use nsr::data::{self, Origin, ReadOptions, Tokens, read};
use proptest::prelude::*;
use std::fs;

fn columns(input: &str, output: &str) -> ReadOptions {
    ReadOptions { input_column: Some(input.into()), output_column: Some(output.into()), ..Default::default() }
}

/// Writes `files` and reads the first of them.
#[track_caller]
fn check_with(files: &[(&str, &str)], options: &ReadOptions, expected: &[&str]) {
    let files: Vec<_> = files.iter().map(|&(name, content)| (name, content.as_bytes())).collect();
    let folder = folder(&files);
    let data = read(folder.path().join(files[0].0), options).unwrap();
    assert_eq!(show_all(&data), expected);
    assert_eq!(data.origin, Origin::File);
}

#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str]) {
    check_with(files, &ReadOptions::default(), expected);
}

/// Writes `files`, reads the first, and compares the error, with the folder's name left out.
#[track_caller]
fn check_error_with(files: &[(&str, &[u8])], options: &ReadOptions, expected: &str) {
    let folder = folder(files);
    let error = read(folder.path().join(files[0].0), options).unwrap_err().to_string();
    let error = error.replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(error, expected);
}

#[track_caller]
fn check_error(name: &str, content: &str, expected: &str) {
    check_error_with(&[(name, content.as_bytes())], &ReadOptions::default(), expected);
}

#[test]
fn txt_has_marks() {
    let expected = ["walk twice => W W", "run => "];
    check(&[("a.txt", "IN: walk twice OUT: W W\nIN: run OUT:\n")], &expected);
    check(&[("a.txt", "IN: walk twice\tOUT: W W\r\nIN: run\tOUT: \r\n\r\n\n")], &expected);
    check(&[("a.txt.gz", "\u{feff}IN: walk  twice OUT: W W\nIN: run OUT:")], &expected);
}

#[test]
fn parallel_files_go_line_by_line() {
    let (source, target, expected) = ("a b\nc\nd\n", "A B\n\nD\n", ["a b => A B", "c => ", "d => D"]);
    for (source_name, target_name) in [
        ("x.src", "x.tgt"),
        ("x.src.gz", "x.tgt.gz"),
        ("x.src.gz", "x.tgt"),
        ("x.en", "x.fr"),
        ("x.src", "x.tgt.gz"),
    ] {
        check(&[(source_name, source), (target_name, target)], &expected);
    }
    check(&[("a.b.src", "a\n\n"), ("a.b.tgt", "A\n\n\n")], &["a => A"]);
    check(&[("x.src", "a\nb\n"), ("x.tgt", "A\n\n")], &["a => A", "b => "]);
}

#[test]
fn tsv_has_two_columns_or_a_header() {
    check(&[("a.tsv", "a b\tA\nc\t\n\n")], &["a b => A", "c => "]);
    check(&[("a.tsv.gz", "n\toutput\tinput\r\n1\tA\ta\r\n")], &["a => A"]);
    let hint = "id\texpr\thead\tres\teval\nv0\t(1+2)\t-1\t3\tSS\nv1\t7\t-1\t7\t\n";
    check_with(&[("a.tsv", hint)], &ReadOptions::words(), &["(1+2) => 3 [SS]", "7 => 7"]);
    check_with(&[("a.tsv", hint)], &chars(), &["( 1 + 2 ) => 3 [SS]", "7 => 7"]);
    check_with(&[("a.tsv", hint)], &columns("head", "id"), &["-1 => v0 [SS]", "-1 => v1"]);
    let only_output = ReadOptions { output_column: Some("id".into()), ..ReadOptions::words() };
    check_with(&[("a.tsv", hint)], &only_output, &["(1+2) => v0 [SS]", "7 => v1"]);
}

#[test]
fn jsonl_has_strings_arrays_and_numbers() {
    let text = r#"{"input": "a b", "output": "A", "more": [{}]}
{"output": 42, "input": ["x y", "z", 7], "eval": "LL"}
{"input": "\u00e9t\u00e9", "output": ""}
{"input": "n", "output": -0.5}
"#;
    let expected = ["a b => A", "x y z 7 => 42 [LL]", "été => ", "n => -0.5"];
    check(&[("a.jsonl", text)], &expected);
    check(&[("a.jsonl.gz", &text.replace('\n', "\r\n"))], &expected);
    check_with(
        &[("a.jsonl", "{\"q\": \"1+2\", \"a\": 3}")],
        &ReadOptions { tokens: Some(Tokens::Chars), ..columns("q", "a") },
        &["1 + 2 => 3"],
    );
    check(
        &[("a.jsonl", r#"{"input": "a", "output": 18446744073709551615}"#)],
        &["a => 18446744073709551615"],
    );
}

#[test]
fn bad_txt_is_named() {
    let expected = "`IN: ... OUT: ...`";
    check_error("a.txt", "IN: a OUT: A\nIN: b\n", &format!("a.txt:2: expected {expected}, found `IN: b`"));
    check_error(
        "a.txt",
        "IN: a OUT: A\n\nIN: b OUT: B",
        &format!("a.txt:2: expected {expected}, found an empty line"),
    );
    check_error(
        "a.txt",
        "\tIN: \tOUT: A",
        "a.txt:1: expected an input of at least one token, found an empty input",
    );
    let long = format!("x\u{1b}{}", "é".repeat(100));
    check_error(
        "a.txt",
        &long,
        &format!("a.txt:1: expected {expected}, found `x\\u{{1b}}{}…`", "é".repeat(38)),
    );
}

#[test]
fn bad_parallel_files_are_named() {
    let check = |source: &str, target: &str, expected: &str| {
        let files = [("x.src", source.as_bytes()), ("x.tgt", target.as_bytes())];
        check_error_with(&files, &ReadOptions::default(), expected);
    };
    check("a\n\nb\n", "A\nB\nC\n", "x.src:2: expected an input of at least one token, found an empty line");
    check("a\n\t\n", "A\nB\n", "x.src:2: expected an input of at least one token, found an empty input");
    check("a\nb\nc\n", "A\n", "x.tgt:2: expected 3 lines, as in x.src, found 1");
    check("a\n\n", "A\n\nC\n\n", "x.tgt:2: expected 1 lines, as in x.src, found 3");
    check_error("x.src", "a\n", "x.tgt: expected the outputs of x.src, found no such file");
    check_error("x.en.gz", "a\n", "x.fr.gz: expected the outputs of x.en.gz, found no such file");
}

#[test]
fn bad_tsv_is_named() {
    check_error("a.tsv", "a\tA\nb\n", "a.tsv:2: expected 2 tab-separated columns, found 1");
    check_error("a.tsv", "a\tA\tx\ty\n", "a.tsv:1: expected 2 tab-separated columns, found 4");
    check_error("a.tsv", "id\tinput\toutput\n1\ta\n", "a.tsv:2: expected 3 tab-separated columns, found 2");
    check_error("a.tsv", " \tA\n", "a.tsv:1: expected an input of at least one token, found an empty input");
    check_error("a.tsv", "a\tA\n\nb\tB\n", "a.tsv:2: expected tab-separated columns, found an empty line");
    check_error("a.tsv", "input\toutput\n", "a.tsv: expected at least one example, found an empty file");
    check_error_with(
        &[("a.tsv", b"expr\tres\na\tA\n")],
        &columns("expr", "value"),
        "a.tsv:1: expected a column named `value`, found columns `expr, res`",
    );
    let many: String = (0..=1 << 16).map(|n| format!("a\tA\ts{n}\n")).collect();
    check_error(
        "a.tsv",
        &format!("input\toutput\teval\n{many}"),
        "a.tsv:65538: expected at most 65536 subsets, found another one",
    );
}

#[test]
fn bad_jsonl_is_named() {
    let value = "with a string, an array of strings or an exact number";
    for (line, expected) in [
        ("{", "a JSON object, found `{` (EOF while parsing an object at column 1)".to_owned()),
        ("[1]", "a JSON object, found `[1]` (invalid type: sequence, expected a map at column 0)".to_owned()),
        (r#"{"input": "a"}"#, format!("key `output` {value}, found no such key")),
        (r#"{"output": "a"}"#, format!("key `input` {value}, found no such key")),
        (r#"{"input": "a", "output": null}"#, format!("key `output` {value}, found `null`")),
        (
            r#"{"input": ["a", ""], "output": 1}"#,
            format!("key `input` {value}, found `[\"a\",\"\"]`").replace('"', "\\\""),
        ),
        (r#"{"input": " ", "output": "A"}"#, "an input of at least one token, found `\\\" \\\"`".to_owned()),
        (r#"{"input": 5, "output": "A"}"#, "an input of at least one token, found `5`".to_owned()),
        (
            r#"{"input": "a", "output": 18446744073709551616}"#,
            format!("key `output` {value}, found `1.8446744073709552e+19`"),
        ),
        (r#"{"input": "a", "output": 1, "eval": 2}"#, "key `eval` with a string, found `2`".to_owned()),
    ] {
        let good = r#"{"input": "a", "output": "A"}"#;
        check_error("a.jsonl", &format!("{good}\n{line}\n"), &format!("a.jsonl:2: expected {expected}"));
    }
    let deep = format!("{{\"input\": {}", "[".repeat(100_000));
    let folder = folder(&[("a.jsonl", deep.as_bytes())]);
    assert!(read(folder.path().join("a.jsonl"), &ReadOptions::default()).is_err());
}

#[test]
fn unusable_files_are_named() {
    let plain = ReadOptions::default();
    for name in ["a.txt", "a.tsv", "a.jsonl"] {
        for content in ["", "\n \n"] {
            check_error(
                name,
                content,
                &format!("{name}: expected at least one example, found an empty file"),
            );
        }
        check_error_with(
            &[(name, b"\n\xffx")],
            &plain,
            &format!("{name}:2: expected UTF-8 text, found byte 0xff"),
        );
        let long = "x".repeat(data::MAX_LINE + 1);
        check_error(
            name,
            &long,
            &format!("{name}:1: expected a line of at most 1048576 bytes, found a longer one"),
        );
    }
    check_error_with(
        &[("a.src", b""), ("a.tgt", b"")],
        &plain,
        "a.src: expected at least one example, found an empty file",
    );
    let endings = "a name ending in .txt, .src, .en, .tsv or .jsonl, or one of these with .gz";
    check_error("a.csv", "a,b", &format!("a.csv: expected {endings}, found .csv"));
    check_error("a.gz", "a,b", &format!("a.gz: expected {endings}, found no ending"));
    let error = read("no/such.txt", &plain).unwrap_err().to_string();
    assert_eq!(error, "no/such.txt: expected a file of `IN: ... OUT: ...` lines, found no such file");
}

#[test]
fn damaged_gzip_is_named() {
    let folder = folder(&[]);
    let path = folder.path().join("a.txt.gz");
    let whole = gzip("IN: a OUT: A\n".repeat(1000).as_bytes());
    for content in [b"IN: a OUT: A\n".as_slice(), b"", &whole[..whole.len() / 2], &whole[..whole.len() - 3]] {
        fs::write(&path, content).unwrap();
        let error = read(&path, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("a.txt.gz:") && error.contains("expected"), "{error}");
    }
}

#[test]
fn a_line_of_the_longest_kind_is_read() {
    let line = format!("a\t{}", "x".repeat(data::MAX_LINE - 2));
    let folder = folder(&[("a.tsv", format!("{line}\r\n{line}\r\n").as_bytes())]);
    assert_eq!(read(folder.path().join("a.tsv"), &ReadOptions::default()).unwrap().len(), 2);
}

/// Pairs of token lists, as text; the input is never empty.
fn pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    let token = "[a-zé(+\"\\\\,:{}_0-9]{1,4}";
    let list = |least| proptest::collection::vec(token, least..6).prop_map(|tokens| tokens.join(" "));
    proptest::collection::vec((list(1), list(0)), 1..12)
}

/// Writes `pairs`, a line each, and reads them again; outputs are as they were, however they are cut.
fn round_trip(
    name: &str,
    pairs: &[(String, String)],
    line: impl Fn(&str, &str) -> String,
) -> Vec<(String, String)> {
    let text: String = pairs.iter().map(|(input, output)| line(input, output) + "\n").collect();
    let folder = folder(&[(name, text.as_bytes())]);
    let read = |output_tokens| {
        let options = ReadOptions { output_tokens, ..ReadOptions::words() };
        let data = read(folder.path().join(name), &options).unwrap();
        data.examples.iter().map(|example| (data.input_text(example), data.output_text(example))).collect()
    };
    let found: Vec<_> = read(None);
    for output_tokens in [Tokens::Words, Tokens::Chars, Tokens::Pieces] {
        assert_eq!(found, read(Some(output_tokens)));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_is_written_is_read(pairs in pairs()) {
        prop_assert_eq!(&round_trip("a.txt.gz", &pairs, |i, o| format!("IN: {i} OUT: {o}")), &pairs);
        prop_assert_eq!(&round_trip("a.tsv", &pairs, |i, o| format!("{i}\t{o}")), &pairs);
        let object = |i: &str, o: &str| serde_json::json!({"input": i, "output": o}).to_string();
        prop_assert_eq!(&round_trip("a.jsonl", &pairs, object), &pairs);
        let arrays = |i: &str, o: &str| {
            let list = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
            serde_json::json!({"input": list(i), "output": list(o)}).to_string()
        };
        prop_assert_eq!(&round_trip("a.jsonl", &pairs, arrays), &pairs);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), format in 0usize..6) {
        let name = ["a.txt", "a.src", "a.tsv", "a.jsonl", "a.txt.gz", "a.en"][format];
        let folder = folder(&[("a.tgt", &bytes[..]), ("a.fr", &bytes[..])]);
        let path = folder.path().join(name);
        fs::write(&path, &bytes).unwrap();
        if let Ok(data) = read(&path, &ReadOptions::default()) {
            prop_assert!(data.examples.iter().all(|example| !example.input.is_empty()));
        }
    }
}
