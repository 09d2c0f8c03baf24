//! Constructions whose results are computed.

use nsr::checkpoint;
use nsr::data::Dataset;
use nsr::model::{Model, OutputKind};
use nsr::report;
use nsr::training::{Event, Observer, extend, train};
use std::sync::LazyLock;

type Pairs = Vec<(String, String)>;

fn data(pairs: &[(String, String)]) -> Dataset {
    Dataset::from_pairs("values", pairs)
}

fn learn(pairs: &[(String, String)]) -> Model {
    let model = train(&data(pairs), 0, &mut ());
    assert!(model.computes().is_some(), "no constructions that compute");
    model
}

fn answer(model: &Model, input: &str) -> Option<String> {
    model.result_text(&model.read(input))
}

#[track_caller]
fn check(model: &Model, cases: &[(&str, &str)]) {
    for (input, output) in cases {
        assert_eq!(answer(model, input).as_deref(), Some(*output), "{input}");
    }
}

/// Numbers of a made-up language in which tens come first and nothing says `plus`: `tre dek du` is 32.
fn number_words() -> Pairs {
    const UNITS: [&str; 9] = ["unu", "du", "tri", "kvar", "kvin", "ses", "sep", "ok", "nau"];
    let mut pairs = Vec::new();
    for number in 1..100usize {
        let (tens, units) = (number / 10, number % 10);
        let mut words = Vec::new();
        if tens > 1 {
            words.push(UNITS[tens - 1]);
        }
        if tens > 0 {
            words.push("dek");
        }
        if units > 0 {
            words.push(UNITS[units - 1]);
        }
        if ![23, 47, 58, 90, 77].contains(&number) {
            pairs.push((words.join(" "), number.to_string()));
        }
    }
    pairs
}

#[test]
fn number_words_add_and_multiply_without_saying_so() {
    let model = learn(&number_words());
    check(&model, &[("du dek tri", "23"), ("kvar dek sep", "47"), ("nau dek", "90"), ("sep dek sep", "77")]);
    assert_eq!(answer(&model, "unua"), None);
}

/// Sums and differences below zero too, one inside the other.
fn signed() -> Pairs {
    let mut pairs: Pairs = (0..10).map(|number| (number.to_string(), number.to_string())).collect();
    for (a, b) in (0..10i64).flat_map(|a| (0..10).map(move |b| (a, b))) {
        pairs.push((format!("( {a} + {b} )"), (a + b).to_string()));
        pairs.push((format!("( {a} - {b} )"), (a - b).to_string()));
        let c = (3 * a + b) % 10;
        pairs.push((format!("( ( {a} - {b} ) - {c} )"), (a - b - c).to_string()));
        pairs.push((format!("( {a} * ( {b} - {c} ) )"), (a * (b - c)).to_string()));
    }
    pairs
}

static SIGNED: LazyLock<Model> = LazyLock::new(|| learn(&signed()));

#[test]
fn numbers_are_signed_and_have_no_width() {
    let model = &*SIGNED;
    assert_eq!(model.kind(), OutputKind::Number);
    check(model, &[("( 3 - ( 9 + 9 ) )", "-15"), ("( ( 2 - 8 ) * ( 1 - 9 ) )", "48")]);
    let product = (0..40).fold("9".to_owned(), |text, _| format!("( 9 * {text} )"));
    check(model, &[(&product, "1330279464729113309844748891857449678409")]);
}

/// What must be, and what may be, of nested truth values.
fn truths() -> Pairs {
    let name = |truth: bool| if truth { "yes" } else { "no" };
    let mut pairs: Pairs = vec![("on".into(), "yes".into()), ("off".into(), "no".into())];
    let leaf = [("on", true), ("off", false), ("not on", false), ("not off", true)];
    for (x, a) in leaf {
        pairs.push((format!("not [ {x} ]"), name(!a).into()));
        for (y, b) in leaf {
            pairs.push((format!("[ {x} and {y} ]"), name(a && b).into()));
            pairs.push((format!("[ {x} or {y} ]"), name(a || b).into()));
            for (z, c) in leaf {
                pairs.push((format!("[ {x} and [ {y} or {z} ] ]"), name(a && (b || c)).into()));
                pairs.push((format!("[ [ {x} and {y} ] or {z} ]"), name((a && b) || c).into()));
            }
        }
    }
    pairs.retain(|(input, _)| !input.starts_with("not ["));
    pairs
}

#[test]
fn truth_is_learned_from_one_bit_an_example() {
    let model = learn(&truths());
    check(
        &model,
        &[
            ("[ [ on or off ] and [ not on or [ off or on ] ] ]", "yes"),
            ("[ off or [ on and [ off and on ] ] ]", "no"),
        ],
    );
}

/// Rows of three to five numbers: the largest one, all together, how many.
fn rows() -> Pairs {
    let mut pairs: Pairs = (0..10).map(|number| (number.to_string(), number.to_string())).collect();
    for seed in 0..60u64 {
        let length = 1 + seed % 5;
        let row: Vec<u64> =
            (0..length).map(|place| (seed * 7 + place * place * 3 + place * seed) % 10).collect();
        let text: Vec<String> = row.iter().map(u64::to_string).collect();
        let text = text.join(" ");
        pairs.push((format!("( top {text} )"), row.iter().max().unwrap().to_string()));
        pairs.push((format!("( sum {text} )"), row.iter().sum::<u64>().to_string()));
        pairs.push((format!("( last {text} )"), row[row.len() - 1].to_string()));
    }
    pairs
}

#[test]
fn functions_take_rows_of_any_length() {
    let model = learn(&rows());
    check(&model, &[("( sum 1 2 3 4 5 6 7 8 9 )", "45"), ("( top 3 ( sum 4 5 2 ) 7 ( last 8 1 ) 2 )", "11")]);
}

#[test]
fn rows_of_numbers_come_to_rows() {
    let mut pairs = Pairs::new();
    let text = |row: &[usize]| row.iter().map(usize::to_string).collect::<Vec<String>>().join(" , ");
    for number in 0..90 {
        let row: Vec<usize> =
            (0..2 + number % 3).map(|place| (number * 7 + place * 5 + number / 9) % 19).collect();
        let mut sorted = row.clone();
        sorted.sort_unstable();
        let doubled: Vec<usize> = row.iter().map(|number| 2 * number).collect();
        pairs.push((format!("sort [ {} ]", text(&row)), format!("[ {} ]", text(&sorted))));
        pairs.push((format!("double [ {} ]", text(&row)), format!("[ {} ]", text(&doubled))));
    }
    let model = learn(&pairs);
    check(
        &model,
        &[
            ("sort [ 9 , 3 , 11 , 2 , 3 ]", "[ 2 , 3 , 3 , 9 , 11 ]"),
            // No training output has these numbers.
            ("double [ 18 , 17 , 18 , 18 , 0 , 17 ]", "[ 36 , 34 , 36 , 36 , 0 , 34 ]"),
            ("sort [ 4 ]", "[ 4 ]"),
        ],
    );
}

#[test]
fn a_sign_before_a_larger_one_is_taken_away() {
    const SIGNS: [(usize, &str); 9] = [
        (100, "C"),
        (90, "X C"),
        (50, "L"),
        (40, "X L"),
        (10, "X"),
        (9, "I X"),
        (5, "V"),
        (4, "I V"),
        (1, "I"),
    ];
    let signs = |mut number: usize| {
        let mut signs = Vec::new();
        for (size, sign) in SIGNS {
            while number >= size {
                signs.push(sign);
                number -= size;
            }
        }
        signs.join(" ")
    };
    let pairs: Pairs =
        (1..=101).step_by(2).chain([100, 4, 10, 44]).map(|n| (signs(n), n.to_string())).collect();
    let model = learn(&pairs);
    let tests: Vec<(String, String)> =
        [2, 6, 42, 96, 144, 299, 338].map(|number| (signs(number), number.to_string())).to_vec();
    let tests: Vec<(&str, &str)> = tests.iter().map(|(input, output)| (&**input, &**output)).collect();
    check(&model, &tests);
}

#[test]
fn a_stored_model_answers_as_before_and_tells_how() {
    let model = &*SIGNED;
    let bytes = checkpoint::to_bytes(model);
    let read = checkpoint::from_bytes(&bytes).unwrap();
    assert_eq!(read, *model);
    let told = report::explain(&read, "( 3 - ( 9 + 9 ) )").unwrap();
    assert_eq!(told.output.as_deref(), Some("-15"));
    let values: Vec<Option<&str>> = told.nodes.iter().map(|node| node.value.as_deref()).collect();
    assert_eq!(values, [Some("-15"), Some("3"), Some("18"), Some("9"), Some("9")]);
    let constructions = report::constructions(model);
    assert!(
        constructions.iter().any(|one| one.pattern == "( _ - _ )" && one.says == "x - y"),
        "{constructions:?}"
    );
}

#[test]
fn new_words_are_learned_beside_known_ones() {
    let base = SIGNED.clone();
    let more: Pairs = (0..10i64)
        .flat_map(|a| [(a, 3), (a, 8), (a, a)])
        .map(|(a, b)| (format!("( {a} top {b} )"), a.max(b).to_string()))
        .collect();
    let model = extend(base, &data(&more), 0, &mut ()).unwrap();
    check(&model, &[("( ( 2 - 8 ) top ( 1 - 9 ) )", "-6"), ("( 3 - ( 9 + 9 ) )", "-15")]);
    assert_eq!(model.extensions.len(), 1);
}

#[test]
fn wrong_results_are_not_believed() {
    let mut pairs = signed();
    for (number, pair) in pairs.iter_mut().enumerate().filter(|(number, _)| number % 20 == 13) {
        pair.1 = (number * 37 % 91).to_string();
    }
    let model = learn(&pairs);
    check(&model, &[("( 3 - ( 9 + 9 ) )", "-15"), ("( ( 2 - 8 ) * ( 1 - 9 ) )", "48")]);
}

/// Asks to stop at once.
struct Impatient;

impl Observer for Impatient {
    fn on(&mut self, _: &Event<'_>) {}

    fn stop(&self) -> bool {
        true
    }
}

#[test]
fn learning_that_is_stopped_leaves_a_model() {
    let model = train(&data(&signed()), 0, &mut Impatient);
    assert!(!model.finished);
    assert!(answer(&model, "( 1 + 2 )").is_none_or(|text| text == "3"));
}
