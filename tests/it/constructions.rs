//! Constructions: learned from pairs, they answer what was never said, survive a file, and can be shown.

use nsr::checkpoint::{from_bytes, to_bytes};
use nsr::data::Dataset;
use nsr::model::Model;
use nsr::report::{constructions, explain, unexplained, unsolved};
use nsr::training::{Event, Observer, extend, resume, train};
use std::sync::LazyLock;

type Pairs = Vec<(String, String)>;

const THINGS: [(&str, &str); 6] = [
    ("lamp", "LAMP"),
    ("fan", "FAN"),
    ("coffee maker", "COFFEE"),
    ("radio", "RADIO"),
    ("heater", "HEATER"),
    ("oven", "OVEN"),
];
const ROOMS: [(&str, &str); 4] = [("kitchen", "K"), ("hall", "H"), ("office", "O"), ("attic", "A")];

/// Every command with a particle verb about a thing in a room, without and with a room.
fn commands() -> Pairs {
    let mut pairs = Vec::new();
    for (thing, token) in THINGS {
        for (particle, verb) in [("off", "OFF"), ("on", "ON")] {
            pairs.push((format!("switch the {thing} {particle}"), format!("{verb} ( {token} )")));
            for (room, place) in ROOMS {
                let input = format!("switch the {thing} in the {room} {particle}");
                pairs.push((input, format!("{verb} ( {token} @ {place} )")));
            }
        }
        for (room, place) in ROOMS {
            pairs.push((format!("is the {thing} in the {room}"), format!("? {token} @ {place}")));
        }
    }
    pairs
}

/// Three in four of the commands, and the others.
fn split() -> (Pairs, Pairs) {
    let (seen, unseen): (Vec<_>, Vec<_>) =
        commands().into_iter().enumerate().partition(|(number, _)| number * 7 % 4 > 0);
    let pairs = |part: Vec<(usize, _)>| part.into_iter().map(|(_, pair)| pair).collect();
    (pairs(seen), pairs(unseen))
}

fn data() -> Dataset {
    Dataset::from_pairs("home", &split().0)
}

static MODEL: LazyLock<Model> = LazyLock::new(|| train(&data(), 0, &mut ()));

fn answer(model: &Model, text: &str) -> Option<String> {
    model.result_text(&model.read(text))
}

#[test]
fn unseen_combinations_are_answered() {
    let (seen, unseen) = split();
    assert!(seen.len() >= 60 && unseen.len() >= 20);
    assert!(MODEL.says().is_some() && MODEL.finished);
    for (input, output) in unseen.iter().chain(&seen) {
        assert_eq!(answer(&MODEL, input).as_ref(), Some(output), "{input}");
    }
    assert!(unsolved(&MODEL).is_empty());
    assert!(unexplained(&MODEL, &data(), 9, || false).is_empty());
}

#[test]
fn what_cannot_be_put_together_has_no_answer() {
    for input in ["", " ", "hop", "switch the spaceship off", &"switch ".repeat(500)] {
        assert_eq!(answer(&MODEL, input), None, "{input}");
    }
    assert!(explain(&MODEL, " ").is_none());
    let explained = explain(&MODEL, "switch the spaceship off").unwrap();
    assert_eq!(explained.output, None);
    assert_eq!(explained.nodes[0].problem.as_deref(), Some("spaceship: a word never seen in training"));
}

#[test]
fn a_model_of_constructions_survives_a_file() {
    let loaded = from_bytes(&to_bytes(&MODEL)).unwrap();
    assert_eq!(loaded, *MODEL);
    for (input, output) in commands() {
        assert_eq!(answer(&loaded, &input), Some(output), "{input}");
    }
}

#[test]
fn forged_files_are_refused() {
    let check = |change: fn(&mut Model), expected: &str| {
        let mut model = MODEL.clone();
        change(&mut model);
        let unfit = from_bytes(&to_bytes(&model)).unwrap_err();
        assert!(unfit.expected.contains(expected), "{unfit:?}");
    };
    check(|model| _ = model.inputs.intern("more"), "words");
    check(|model| _ = model.outputs.intern("MORE"), "tokens");
    // Entries that refer to words, slots or tokens that there are none of: bytes are changed in turn. `fuzz/` changes them at random.
    let bytes = to_bytes(&MODEL);
    for place in (24..bytes.len()).step_by(5) {
        let mut body = bytes[24..].to_vec();
        body[place - 24] ^= 0x55;
        let mut forged = bytes[..20].to_vec();
        forged.extend(crc32fast::hash(&body).to_le_bytes());
        forged.extend(body);
        if let Ok(model) = from_bytes(&forged) {
            explain(&model, "switch the lamp off");
            constructions(&model);
        }
    }
}

#[test]
fn an_explanation_shows_the_constructions() {
    let input = "switch the fan in the attic off";
    let explained = explain(&MODEL, input).unwrap();
    assert_eq!(explained.output.as_deref(), Some("OFF ( FAN @ A )"));
    assert!(explained.log_probability.is_some_and(|log| log <= 1e-9));
    let root = &explained.nodes[explained.root()];
    assert_eq!(root.value, explained.output);
    assert_eq!(explained.nodes.iter().filter(|node| node.head.is_none()).count(), 1);
    let fan = explained.nodes.iter().find(|node| node.word == "fan").unwrap();
    assert_eq!(fan.definition.as_deref(), Some("fan = [FAN]"));
    assert_eq!((fan.program.as_deref(), fan.value.as_deref()), (Some("[FAN]"), Some("FAN")));
    // Each has as many children as its pattern has slots, and every word of the input stands in one pattern.
    let children = explained.children();
    let mut words: Vec<&str> = Vec::new();
    for (node, children) in explained.nodes.iter().zip(&children) {
        assert_eq!(node.word.split(' ').filter(|&word| word == "_").count(), children.len(), "{node:?}");
        words.extend(node.word.split(' ').filter(|&word| word != "_"));
    }
    words.sort_unstable();
    let mut wanted: Vec<&str> = input.split(' ').collect();
    wanted.sort_unstable();
    assert_eq!(words, wanted);
}

#[test]
fn all_constructions_can_be_listed() {
    let all = constructions(&MODEL);
    assert!(all.is_sorted_by(|a, b| a.uses >= b.uses));
    assert!(all.iter().any(|one| one.pattern == "fan" && one.says == "[FAN]" && one.is_constant()));
    assert!(all.iter().any(|one| one.slots > 0 && one.class.is_some()), "{all:?}");
    assert!(all.iter().all(|one| one.bits > 0.0));
}

/// Keeps the events, and asks to stop once there are so many.
#[derive(Default)]
struct Watch {
    events: Vec<String>,
    most: Option<usize>,
}

impl Observer for Watch {
    fn on(&mut self, event: &Event<'_>) {
        // How many steps of searches are told depends on time.
        if !matches!(event, Event::Step(_)) {
            self.events.push(format!("{event:?}"));
        }
    }

    fn stop(&self) -> bool {
        self.most.is_some_and(|most| self.events.len() >= most)
    }
}

#[test]
fn what_is_learned_is_told() {
    let mut watch = Watch::default();
    train(&data(), 0, &mut watch);
    let mut kinds: Vec<&str> =
        watch.events.iter().filter_map(|event| event.split([' ', '(']).next()).collect();
    kinds.dedup();
    assert_eq!(
        kinds,
        ["Read", "Tries", "Looked", "Tries", "Theory", "Edit", "Tries", "Parser"],
        "{:?}",
        watch.events
    );
    let theory = watch.events.iter().find(|event| event.starts_with("Theory ")).unwrap();
    assert!(theory.contains("bits: Some(") && theory.contains("held_out: "), "{theory}");
}

#[test]
fn stopping_and_going_on_ends_in_the_same_model() {
    for most in [1, 3] {
        let part = train(&data(), 0, &mut Watch { most: Some(most), ..Watch::default() });
        assert!(!part.finished, "{most}");
        assert!(resume(part, &data(), &mut ()) == *MODEL, "{most}");
    }
    assert_eq!(resume(MODEL.clone(), &data(), &mut Watch { most: Some(0), ..Watch::default() }), *MODEL);
}

#[test]
fn a_new_word_is_learned_from_one_example() {
    let more = Dataset::from_pairs("more", &[("switch the toaster off", "OFF ( TOASTER )")]);
    let model = extend(MODEL.clone(), &more, 0, &mut ()).unwrap();
    let text = "switch the toaster in the hall on";
    assert_eq!(answer(&model, text).as_deref(), Some("ON ( TOASTER @ H )"));
}

/// Titles are taken as they are, known or not. Where nothing says its own name, nothing new does: see `what_cannot_be_put_together_has_no_answer`.
#[test]
fn a_word_never_seen_is_copied_where_words_are() {
    let titles = ["moon", "rain", "sun", "river", "road", "tree", "star", "stone"];
    let mut pairs = Pairs::new();
    for (number, title) in titles.iter().enumerate() {
        let other = titles[(number * 3 + 1) % titles.len()];
        pairs.push((format!("play {title} please"), format!("PLAY {title}")));
        pairs.push((format!("stop {other} now"), format!("STOP {other}")));
        pairs.push((format!("play {other} {title} please"), format!("PLAY {other} {title}")));
    }
    let model = train(&Dataset::from_pairs("songs", &pairs), 0, &mut ());
    let answer = |text: &str| model.answer(text).map(|answer| answer.text);
    assert_eq!(answer("play zebra please").as_deref(), Some("PLAY zebra"));
    assert_eq!(answer("play zebra kayak please").as_deref(), Some("PLAY zebra kayak"));
    assert_eq!(answer("stop kayak now").as_deref(), Some("STOP kayak"));
}

/// `bank` is said of two things, alone and with verbs, each input many times: seven times in ten it is the first one.
#[test]
fn what_inputs_were_given_so_often_is_so_probable() {
    let words = ["door", "box", "lamp", "desk"].map(|word| (word, word.to_uppercase()));
    let verbs = ["", "open ", "sell ", "fix "].map(|verb| (verb, verb.to_uppercase()));
    let mut pairs = Pairs::new();
    for (verb, doing) in &verbs {
        let say = |word: &str, thing: &str| (format!("{verb}{word}"), format!("{doing}{thing}"));
        pairs.extend(words.iter().map(|(word, thing)| say(word, thing)));
        pairs.extend((0..10).map(|number| say("bank", if number < 7 { "MONEY" } else { "SHORE" })));
        pairs.extend((0..9).map(|_| say("door", "DOOR")));
    }
    // Once something else: a mistake is no meaning.
    pairs.push(("sell door".into(), "SELL BOX".into()));
    let model = train(&Dataset::from_pairs("bank", &pairs), 0, &mut ());
    let results = |text: &str| -> Vec<(String, f64)> {
        let results = model.results(&model.read(text));
        results.iter().map(|(value, probability)| (model.text(value), *probability)).collect()
    };
    for (verb, doing) in &verbs {
        let both = results(&format!("{verb}bank"));
        for ((text, probability), (thing, share)) in both.iter().zip([("MONEY", 0.7), ("SHORE", 0.3)]) {
            assert_eq!(*text, format!("{doing}{thing}"));
            assert!((probability - share).abs() < 0.05, "{both:?}");
        }
        assert!(both.len() >= 2 && both.iter().map(|result| result.1).sum::<f64>() < 1.0 + 1e-9, "{both:?}");
        let one = results(&format!("{verb}door"));
        assert!(one[0].0 == format!("{doing}DOOR") && one[0].1 > 0.95, "{one:?}");
    }
    let answer = model.answer("open bank").unwrap();
    assert!((answer.probability.unwrap() - 0.7).abs() < 0.05, "{:?}", answer.probability);
}
