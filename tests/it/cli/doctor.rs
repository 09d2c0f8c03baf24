//! `nsr doctor`: data looked at before learning.

use super::scratch::Scratch;

#[test]
fn doctor_tells_what_there_is() {
    let scratch = Scratch::new();
    let out = scratch.run(&["doctor", "pairs.txt"]).succeeds();
    let expected = "\
pairs.txt: 15 examples, 15 distinct inputs

Inputs
  cut into words (guessed; --tokens says otherwise)
  7 distinct tokens; 1 to 4 a text, 2.2 on average
  1 seen once: jump

Outputs
  lists of tokens, cut into words (guessed; --output-tokens says otherwise)
  4 distinct tokens; 1 to 4 a text, 2.1 on average
  1 seen once: JUMP

Shortest examples
  walk → WALK
  run → RUN
  jump → JUMP
  look → LOOK
  walk twice → WALK WALK

What looks wrong
  there are few examples: 15
";
    assert_eq!(out, expected);
    let json = scratch.run(&["doctor", "pairs.txt", "--json"]).json();
    assert_eq!((&json["examples"], &json["outputs_are"]), (&15.into(), &"tokens".into()));
    assert_eq!((&json["tokens"], &json["inputs"]["seen_once"][0]), (&"words".into(), &"jump".into()));
    assert!(scratch.run(&["doctor", "scan/simple"]).succeeds().ends_with("\nWhat looks wrong\n  nothing\n"));
}

#[track_caller]
fn check(lines: &str, warning: &str) {
    let scratch = Scratch::new();
    scratch.write("d.tsv", lines);
    let out = scratch.run(&["doctor", "d.tsv"]).succeeds();
    assert!(out.contains(warning), "{out}");
}

#[test]
fn doctor_tells_what_looks_wrong() {
    check(
        "question\tanswer\na b\tA B\n",
        "\n  the first line looks like a header taken for data: `question`, `answer`;",
    );
    check(
        "words\tsum\none two\t3\ntwo\t2\n",
        "\n  the first line looks like a header taken for data: `words`, `sum`;",
    );
    let lines = |line: fn(usize) -> String| (0..30).map(line).collect::<String>();
    let same = lines(|number| format!("walk {0}\tWALK {0}\n", number / 2));
    check(
        &format!("phrase\tmeaning\n{same}"),
        "\n  the first line looks like a header taken for data: `phrase`, `meaning`;",
    );
    let others = lines(|number| format!("w{number}\tW{number}\n"));
    check(&format!("phrase\tmeaning\n{others}"), "\nWhat looks wrong\n  nothing\n");
    check("\"a\"\t\"A\"\n\"b\"\t\"B\"\n", "\n  all inputs and outputs stand in quotes, ");
    check("a\tA\nb\tB\na\tA\n", "\n  a → A\n  b → B\n\nWhat");
    check("a\t1\nb\t2\nc\tmany\n", "\n  most outputs are numbers, but 1 of 3 are no whole ones ");
    check("a\t1\nb\t2\nc\tmany\n", " digits, such as `many`: all are taken for tokens\n");
    check("1\tone\n2\ttwo\n3\tone two\n", "\n  inputs count the lines: are the columns shifted?\n");
    check(
        "a b\tA B\nb\tB\nA\ta\nb a\tB A\n",
        "\n  1 example where input and output seem to be exchanged, such as `A`\n",
    );
    let names = ["emma", "liam", "noah"];
    let shared: String = names.iter().map(|name| format!("{name} runs\trun ( {name} )\n")).collect();
    check(
        &format!("{shared}run ( emma )\temma runs\n"),
        "\n  1 example where input and output seem to be exchanged, such as `run ( emma )`\n",
    );
    let numbered = lines(|number| format!("{number}\tword {number}\tWORD {number}\n"));
    check(&numbered, "\n  30 subsets are named, such as `WORD 0`: is their column the output?\n");
    check("a\tA\na\tB\nb\tB\n", "\n  1 input with several outputs, such as\n    a → A | B\n");
    check("a\tA\nb\tA\n", "\n  every output is `A`\n");
    check("a\t\nb\tA\n", "\n  1 example with an empty output\n");
    check(
        "a\u{a0}b\tA\n",
        "\n  1 token with blanks that separate nothing, or control characters, such as `a\\u{a0}b`\n",
    );
    check(
        "The a\tA\nthe b\tB\n",
        "\n  1 word of inputs in capital and in small letters, such as `The` and `the`: learned apart",
    );
    let long = "a ".repeat(10_001);
    check(&format!("{long}\tA\nb\tB\n"), "\n  1 example that training leaves out:");
    check("half past one\t1:30\n", "\n  lists of tokens, cut into pieces (guessed;");
}

#[test]
fn doctor_refuses_what_is_no_data() {
    let scratch = Scratch::new();
    scratch.run(&["doctor", "none.tsv"]).fails_mentioning(&["none.tsv: expected a file or one of"]);
    scratch
        .run(&["doctor", "hint/image"])
        .fails_mentioning(&["hint/image: expected data with text as input"]);
}
