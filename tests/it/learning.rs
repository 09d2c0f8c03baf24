//! From pairs to a model that answers: what learning must not depend on, and what it must bear.

use nsr::data::Dataset;
use nsr::data::scan::all;
use nsr::evaluate::evaluate;
use nsr::model::{Model, OutputKind};
use nsr::report::constructions;
use nsr::symbol::Symbol;
use nsr::training::{Event, Observer, extend, resume, train};
use nsr::value::Value;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeSet, HashMap};

type Pairs = Vec<(String, String)>;

/// A little language; `jump` is only seen alone.
const TINY: [(&str, &str); 16] = [
    ("walk", "W"),
    ("run", "R"),
    ("look", "K"),
    ("jump", "J"),
    ("walk twice", "W W"),
    ("run twice", "R R"),
    ("look twice", "K K"),
    ("walk thrice", "W W W"),
    ("run thrice", "R R R"),
    ("walk and run", "W R"),
    ("run and look", "R K"),
    ("look after walk", "W K"),
    ("walk after run", "R W"),
    ("run twice and walk", "R R W"),
    ("look and run thrice", "K R R R"),
    ("walk twice after look", "K W W"),
];

fn tiny() -> Dataset {
    Dataset::from_pairs("tiny", &TINY)
}

/// Some SCAN commands of up to five words, and others.
fn commands(examples: usize) -> (Pairs, Dataset) {
    let mut short: Pairs = texts(&all());
    short.retain(|(input, _)| input.split(' ').count() <= 5);
    short.shuffle(&mut ChaCha8Rng::seed_from_u64(3));
    let test = Dataset::from_pairs("test", &short[examples..examples + 300]);
    short.truncate(examples);
    (short, test)
}

fn texts(data: &Dataset) -> Pairs {
    data.examples.iter().map(|example| (data.input_text(example), data.output_text(example))).collect()
}

fn learn(pairs: &Pairs) -> Model {
    train(&Dataset::from_pairs("some", pairs), 0, &mut ())
}

fn answer(model: &Model, text: &str) -> Option<String> {
    model.result_text(&model.read(text))
}

#[track_caller]
fn check(model: &Model, rows: &[(&str, &str)]) {
    for (input, output) in rows {
        assert_eq!(answer(model, input).as_deref(), Some(*output), "{input}");
    }
}

#[test]
fn sixteen_pairs_teach_what_was_never_said() {
    let model = train(&tiny(), 0, &mut ());
    assert!(model.finished);
    check(&model, &TINY);
    check(
        &model,
        &[
            ("look thrice", "K K K"),
            ("jump twice", "J J"),
            ("jump and look", "J K"),
            ("jump thrice after run twice", "R R J J J"),
            ("look thrice and jump thrice", "K K K J J J"),
        ],
    );
}

/// The kind of task that people were given (Lake et al. 2019): the last to be said comes first with `kiki`.
const FOURTEEN: [(&str, &str); 14] = [
    ("dax", "RED"),
    ("lug", "BLUE"),
    ("wif", "GREEN"),
    ("zup", "YELLOW"),
    ("lug fep", "BLUE BLUE BLUE"),
    ("dax fep", "RED RED RED"),
    ("lug blicket wif", "BLUE GREEN BLUE"),
    ("wif blicket dax", "GREEN RED GREEN"),
    ("lug kiki wif", "GREEN BLUE"),
    ("dax kiki lug", "BLUE RED"),
    ("lug fep kiki wif", "GREEN BLUE BLUE BLUE"),
    ("wif kiki dax blicket lug", "RED BLUE RED GREEN"),
    ("lug kiki wif fep", "GREEN GREEN GREEN BLUE"),
    ("wif blicket dax kiki lug", "BLUE GREEN RED GREEN"),
];

#[test]
fn fourteen_pairs_are_enough_for_what_people_learn_from_them() {
    let model = train(&Dataset::from_pairs("fourteen", &FOURTEEN), 0, &mut ());
    check(
        &model,
        &[
            ("zup fep", "YELLOW YELLOW YELLOW"),
            ("zup blicket lug", "YELLOW BLUE YELLOW"),
            ("zup kiki dax", "RED YELLOW"),
            ("zup fep kiki lug", "BLUE YELLOW YELLOW YELLOW"),
            ("lug kiki wif blicket zup", "GREEN YELLOW GREEN BLUE"),
            ("zup blicket wif kiki dax fep", "RED RED RED YELLOW GREEN YELLOW"),
        ],
    );
}

/// Sentences with what they say as formulas, actives and passives: `(`, `,` and `)` come with no word.
fn formulas() -> Pairs {
    const NAMES: [&str; 4] = ["emma", "liam", "noah", "ava"];
    const VERBS: [(&str, &str); 3] = [("sees", "seen"), ("likes", "liked"), ("helps", "helped")];
    let mut pairs = Vec::new();
    for (who, whom) in NAMES.iter().flat_map(|who| NAMES.iter().map(move |whom| (who, whom))) {
        let (small, plain) = (format!("SMALL ( {} )", who.to_uppercase()), who.to_uppercase());
        let other = whom.to_uppercase();
        for (active, passive) in VERBS {
            let verb = active.to_uppercase();
            pairs.extend([
                (format!("{who} {active} {whom}"), format!("{verb} ( {plain} , {other} )")),
                (format!("{whom} is {passive} by {who}"), format!("{verb} ( {plain} , {other} )")),
                (format!("small {who} {active} {whom}"), format!("{verb} ( {small} , {other} )")),
                (format!("{whom} is {passive} by small {who}"), format!("{verb} ( {small} , {other} )")),
            ]);
        }
    }
    pairs
}

#[test]
fn words_say_tokens_that_no_word_brings() {
    let (learned, unseen): (Vec<_>, Vec<_>) =
        formulas().into_iter().enumerate().partition(|(number, _)| number % 7 % 3 > 0);
    let pairs =
        |part: Vec<(usize, (String, String))>| part.into_iter().map(|(_, pair)| pair).collect::<Pairs>();
    let model = train(&Dataset::from_pairs("formulas", &pairs(learned)), 0, &mut ());
    for (input, output) in pairs(unseen) {
        assert_eq!(answer(&model, &input), Some(output), "{input}");
    }
}

/// The paper's equivariance: the same trees, programs and weights under other names.
#[test]
fn renaming_tokens_renames_the_outputs_and_nothing_else() {
    let disguise = |text: &str, prefix: &str, names: &mut HashMap<String, String>| {
        let rename = |token: &str| {
            // Names that sort and hash otherwise.
            let next = format!("{prefix}{}", (97 - names.len()) * 31 % 97);
            names.entry(token.to_owned()).or_insert(next).clone()
        };
        text.split_whitespace().map(rename).collect::<Vec<_>>().join(" ")
    };
    let (mut inputs, mut outputs) = (HashMap::new(), HashMap::new());
    let renamed: Pairs = TINY
        .iter()
        .map(|(input, output)| (disguise(input, "_", &mut inputs), disguise(output, "%", &mut outputs)))
        .collect();
    let (plain, other) =
        (train(&tiny(), 0, &mut ()), train(&Dataset::from_pairs("tiny", &renamed), 0, &mut ()));
    assert_ne!(plain.inputs, other.inputs);
    let undisguised = Model { inputs: plain.inputs.clone(), outputs: plain.outputs.clone(), ..other.clone() };
    assert_eq!(plain, undisguised);
    let unseen = "jump thrice after run twice";
    let expected = answer(&plain, unseen).map(|text| disguise(&text, "%", &mut outputs));
    assert!(expected.is_some());
    assert_eq!(answer(&other, &disguise(unseen, "_", &mut inputs)), expected);
}

#[test]
fn the_same_seed_gives_the_same_model_on_any_number_of_threads() {
    let (pairs, _) = commands(60);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&pairs))
    };
    let one = on(1);
    assert_eq!(one, on(2));
}

#[test]
fn reversed_word_order_is_learned_as_well() {
    let reverse = |text: &str| text.split(' ').rev().collect::<Vec<_>>().join(" ");
    let (pairs, test) = commands(200);
    let reversed =
        |pairs: Pairs| pairs.into_iter().map(|(input, output)| (reverse(&input), output)).collect();
    let model = learn(&reversed(pairs));
    let test = Dataset::from_pairs("reversed", &reversed(texts(&test)));
    assert_eq!(evaluate(&model, &test).all.accuracy(), 1.0);
}

#[test]
fn shuffled_examples_are_learned_as_well() {
    let (mut pairs, test) = commands(200);
    assert_eq!(evaluate(&learn(&pairs), &test).all.accuracy(), 1.0);
    // Other symbols come first, so ties fall otherwise.
    pairs.shuffle(&mut ChaCha8Rng::seed_from_u64(5));
    assert_eq!(evaluate(&learn(&pairs), &test).all.accuracy(), 1.0);
}

#[test]
fn one_wrong_output_in_twenty_is_borne() {
    let (mut pairs, test) = commands(300);
    for wrong in (0..pairs.len()).step_by(20) {
        pairs[wrong].1 = pairs[(wrong + 171) % pairs.len()].1.clone();
    }
    assert_eq!(evaluate(&learn(&pairs), &test).all.accuracy(), 1.0);
}

#[test]
fn of_contradictory_outputs_the_most_frequent_is_learned() {
    let pairs = [&[("walk", "R")], &TINY[..], &[("walk", "W"), ("run twice", "W")]].concat();
    let mut seen = 0;
    let mut watch = Watch(|event: &Event<'_>| {
        if let Event::Read { contradictory, .. } = event {
            seen = *contradictory;
        }
    });
    let model = train(&Dataset::from_pairs("tiny", &pairs), 0, &mut watch);
    assert_eq!(seen, 2);
    check(&model, &[("walk", "W"), ("run twice", "R R"), ("jump twice", "J J")]);
}

/// Whether an event is told at every run: how many steps of searches are depends on time.
fn is_counted(event: &Event<'_>) -> bool {
    !matches!(event, Event::Step(_))
}

/// Asks to stop once this many events have been told.
struct StopAfter(usize);

impl Observer for StopAfter {
    fn on(&mut self, event: &Event<'_>) {
        self.0 = self.0.saturating_sub(usize::from(is_counted(event)));
    }

    fn stop(&self) -> bool {
        self.0 == 0
    }
}

#[test]
fn stopping_at_any_event_and_going_on_ends_in_the_same_model() {
    let data = tiny();
    let mut events = 0;
    let whole = train(&data, 0, &mut Watch(|event: &Event<'_>| events += usize::from(is_counted(event))));
    for stop in [1, 2, events / 2, events - 2, events - 1, events] {
        let part = train(&data, 0, &mut StopAfter(stop));
        assert!(!part.finished, "stopped after {stop} of {events} events");
        assert_eq!(part.inputs, whole.inputs);
        assert!(resume(part, &data, &mut ()) == whole, "stopped after {stop} of {events} events");
    }
    assert_eq!(resume(whole.clone(), &data, &mut StopAfter(1)), whole);
}

fn taught(base: &Model, pairs: &[(&str, &str)]) -> Model {
    extend(base.clone(), &Dataset::from_pairs("more", pairs), 0, &mut ()).unwrap()
}

#[test]
fn a_trained_model_learns_new_kin_and_keeps_the_rest() {
    let base = train(&tiny(), 0, &mut ());
    let more = [
        ("hop", "H"),
        ("walk fourfold", "W W W W"),
        ("run fourfold", "R R R R"),
        ("look fourfold and run", "K K K K R"),
        ("walk after jump fourfold", "J J J J W"),
    ];
    let model = taught(&base, &more);
    assert!(model.finished);
    check(&model, &TINY);
    check(&model, &more);
    check(&model, &[("hop twice after jump", "J H H"), ("hop fourfold and look", "H H H H K")]);
    let known = base.inputs.len();
    let definitions = |model: &Model| -> BTreeSet<(String, String)> {
        constructions(model).into_iter().map(|one| (one.pattern, one.says)).collect()
    };
    assert!(definitions(&base).len() > 3 && definitions(&model).is_superset(&definitions(&base)));
    assert_eq!(model.inputs.names()[known..], ["hop", "fourfold"]);
    // And again from there.
    let model = taught(&model, &[("skip", "S"), ("skip fourfold", "S S S S")]);
    check(&model, &[("skip twice and hop", "S S H"), ("run twice and walk", "R R W")]);
    assert_eq!(model.extensions.len(), 2);
}

#[test]
fn a_word_unlike_all_known_ones_is_learned_beside_them() {
    let simple: Vec<(&str, &str)> =
        TINY.into_iter().filter(|(input, _)| !input.contains("and") && !input.contains("after")).collect();
    let base = train(&Dataset::from_pairs("simple", &simple), 0, &mut ());
    let more = [
        ("walk and run", "W R"),
        ("run and look", "R K"),
        ("look and jump", "K J"),
        ("jump and walk", "J W"),
        ("run twice and walk", "R R W"),
        ("look and run thrice", "K R R R"),
        ("jump thrice and look twice", "J J J K K"),
        ("walk twice and jump", "W W J"),
    ];
    let model = taught(&base, &more);
    check(&model, &simple);
    check(&model, &more);
    check(&model, &[("look twice and jump thrice", "K K J J J"), ("jump twice", "J J")]);
}

#[test]
fn a_model_that_knows_every_word_stays_as_it_is() {
    let base = train(&tiny(), 0, &mut ());
    assert_eq!(taught(&base, &[("jump twice", "J J"), ("walk", "R")]), base);
    let numbers = [("one", "1"), ("two", "2"), ("three", "3")];
    let numbers = train(&Dataset::from_pairs("numbers", &numbers), 0, &mut ());
    let error = extend(numbers, &tiny(), 0, &mut ()).unwrap_err().to_string();
    assert_eq!(error, "tiny: expected results that are numbers, as the model's are, found lists of tokens");
}

/// Sums and differences, cut off at 0, of numbers below six, with and without parentheses.
fn sums() -> Pairs {
    let mut pairs: Pairs = (0..6).map(|number| (number.to_string(), number.to_string())).collect();
    let mut add = |text: String, value: u32| pairs.push((text, value.to_string()));
    for (a, b) in (0..6u32).flat_map(|a| (0..6u32).map(move |b| (a, b))) {
        add(format!("{a} + {b}"), a + b);
        add(format!("{a} - {b}"), a.saturating_sub(b));
        let c = (2 * a + 3 * b + 1) % 6;
        add(format!("{a} - {b} + {c}"), a.saturating_sub(b) + c);
        add(format!("{a} - ( {b} + {c} )"), a.saturating_sub(b + c));
        add(format!("{a} - ( {b} - {c} )"), a.saturating_sub(b.saturating_sub(c)));
        add(format!("{a} - {c} - {b}"), a.saturating_sub(c).saturating_sub(b));
    }
    pairs
}

#[test]
fn arithmetic_is_learned_from_small_numbers() {
    let model = learn(&sums());
    // Numbers and depths that were never seen.
    check(
        &model,
        &[
            ("5 - ( 5 - ( 5 - ( 5 - 1 ) ) )", "1"),
            ("5 + 5 + 5 - ( 5 + 5 )", "5"),
            ("5 - ( 4 - ( 3 - 1 ) ) + 4", "7"),
        ],
    );
}

/// A command on letters in prefix order, nested so deep, and its result; letters come out under other names.
fn letters(depth: usize, rng: &mut ChaCha8Rng) -> (String, Vec<u32>) {
    if depth == 0 {
        let run: Vec<u32> = (0..rng.random_range(2..5)).map(|_| rng.random_range(0..60)).collect();
        let names: Vec<String> = run.iter().map(|letter| format!("l{letter}")).collect();
        return (names.join(" "), run);
    }
    let (first, mut list) = letters(rng.random_range(0..depth), rng);
    match rng.random_range(0..4) {
        0 => {
            list.reverse();
            (format!("back {first}"), list)
        }
        1 => {
            list.rotate_left(1);
            (format!("turn {first}"), list)
        }
        2 => (format!("double {first}"), [&list[..], &list].concat()),
        _ => {
            let (second, rest) = letters(depth - 1, rng);
            (format!("before {first} , {second}"), [rest, list].concat())
        }
    }
}

fn spelled((input, output): (String, Vec<u32>)) -> (String, String) {
    (input, output.iter().map(|letter| format!("T{letter}")).collect::<Vec<_>>().join(" "))
}

#[test]
fn letters_that_never_stand_alone_are_learned_as_runs() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let pairs: Pairs = (0..300).map(|number| spelled(letters(1 + number % 2, rng))).collect();
    let deeper: Pairs = (0..100).map(|_| spelled(letters(5, rng))).collect();
    let model = learn(&pairs);
    let test = Dataset::from_pairs("deeper", &deeper);
    assert_eq!(evaluate(&model, &test).all.accuracy(), 1.0);
}

#[test]
fn an_example_too_long_to_learn_from_is_left_out() {
    let mut pairs: Pairs = TINY.map(|(input, output)| (input.to_owned(), output.to_owned())).to_vec();
    pairs.push((["walk"; 30_000].join(" and "), ["W"; 30_000].join(" ")));
    let mut left_out = None;
    let mut observer = Watch(|event: &Event<'_>| {
        if let Event::Read { too_large, .. } = event {
            left_out = Some(*too_large);
        }
    });
    let model = train(&Dataset::from_pairs("some", &pairs), 0, &mut observer);
    assert_eq!(left_out, Some(1));
    check(&model, &[("jump and run", "J R")]);
}

/// Calls a function with every event.
struct Watch<F>(F);

impl<F: FnMut(&Event<'_>) + Send> Observer for Watch<F> {
    fn on(&mut self, event: &Event<'_>) {
        (self.0)(event);
    }
}

/// Forty words alone and some of them twice; `name` gives the names of their tokens.
fn copies(name: impl Fn(u32) -> String) -> Model {
    let alone = (0..40).map(|number| (format!("w{number}"), name(number)));
    let twice = (0..20).map(|number| (format!("w{number} twice"), format!("{0} {0}", name(number))));
    learn(&alone.chain(twice).collect())
}

#[test]
fn a_word_never_seen_is_copied_where_nearly_all_words_are() {
    let model = copies(|number| format!("w{number}"));
    let known = model.with_newcomers(["zz"].into_iter());
    assert_eq!(answer(&known, "zz twice").as_deref(), Some("zz zz"));
    assert_eq!(answer(&model, "zz twice"), None);
    assert_eq!(answer(&known, "w3 zz"), None, "where twice stood, no word of its kin did");
    // Names that differ say nothing about one more.
    let renamed = copies(|number| format!("T{number}"));
    assert_eq!(answer(&renamed.with_newcomers(["zz"].into_iter()), "zz twice"), None);
}

#[test]
fn outputs_are_numbers_only_if_all_of_them_are() {
    let kind = |pairs: &[(&str, &str)]| OutputKind::of(&Dataset::from_pairs("", pairs));
    assert_eq!(kind(&[("3", "3"), ("3 + 4", "7")]), OutputKind::Number);
    assert_eq!(kind(&[("3", "3"), ("more", "18446744073709551616")]), OutputKind::Number);
    assert_eq!(kind(&[("3 - 4", "-1"), ("3", "3")]), OutputKind::Number);
    assert_eq!(kind(&[]), OutputKind::Tokens);
    for other in ["x", "", "1 2", "1.5", "+1", "٣"] {
        assert_eq!(kind(&[("3", "3"), ("odd", other)]), OutputKind::Tokens, "{other}");
    }
}

#[test]
fn answers_to_numbers_are_numbers() {
    let pairs: Pairs = (0..6).map(|n| (format!("n{n}"), n.to_string())).collect();
    let model = learn(&pairs);
    assert_eq!(model.kind(), OutputKind::Number);
    check(&model, &pairs.iter().map(|(input, output)| (&input[..], &output[..])).collect::<Vec<_>>());
}

#[test]
fn a_single_example_is_enough_to_answer_it() {
    for (input, output) in [("walk", "W"), ("walk", ""), ("0", "0"), ("a b c", "A B C")] {
        let model = train(&Dataset::from_pairs("one", &[(input, output)]), 0, &mut ());
        assert!(model.finished);
        assert_eq!(answer(&model, "no such word"), None);
        assert_eq!(answer(&model, input).as_deref(), Some(output), "{input}");
    }
}

#[test]
fn no_examples_give_a_model_without_answers() {
    let none: [(&str, &str); 0] = [];
    let model = train(&Dataset::from_pairs("none", &none), 0, &mut ());
    assert_eq!(answer(&model, "walk"), None);
}

#[test]
fn where_every_output_is_empty_so_is_every_answer() {
    let pairs = [("a", ""), ("b", ""), ("a b", ""), ("b a c", "")];
    let model = train(&Dataset::from_pairs("empty", &pairs), 0, &mut ());
    assert_eq!(model.kind(), OutputKind::Tokens);
    check(&model, &pairs);
}

#[test]
fn a_sentence_too_long_to_work_out_does_not_hinder_the_others() {
    let (long, longer) = (["walk"; 200].join(" and "), vec!["walk"; 5_000].join(" "));
    let output = ["W"; 200].join(" ");
    let pairs = [&TINY[..], &[(&long, &output), (&longer, &output)]].concat();
    let model = train(&Dataset::from_pairs("long", &pairs), 0, &mut ());
    assert!(model.finished);
    check(&model, &TINY);
}

#[test]
fn ten_thousand_words_are_answered_or_not_but_never_in_the_way() {
    let model = train(&tiny(), 0, &mut ());
    let chain = |first: &str, rest: &str| format!("{first} {}", [rest].repeat(4_999).join(" "));
    let sentence = answer(&model, &chain("walk", "and run"));
    assert!(sentence.is_none_or(|text| text == format!("W{}", " R".repeat(4_999))));
    assert_eq!(answer(&model, &chain("twice", "and after")), None);
    assert_eq!(answer(&model, &["unknown"].repeat(10_000).join(" ")), None);
    // 2^9999 actions: no value, for want of fuel.
    assert_eq!(answer(&model, &chain("walk", "twice twice")), None);
    let value = Value::list(&[Symbol(0); 3]);
    assert_eq!(model.text(&value), "W W W");
}
