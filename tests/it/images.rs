//! Learning to see: from rows of small pictures and their results, in the library and by the real binary.

use crate::cli::scratch::Scratch;
use nsr::checkpoint;
use nsr::data::handwriting::{SYMBOLS, Writers, pen};
use nsr::data::picture::{Picture, Pictures, Preprocess, write_idx};
use nsr::data::{Dataset, ImageDataset};
use nsr::evaluate::evaluate_images;
use nsr::model::Model;
use nsr::perception::network::Processor;
use nsr::training::seeing::{SeeingSettings, Sight, network_steps, see};
use nsr::training::{Event, Observer};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::sync::LazyLock;

/// Pictures of each symbol.
const OF_EACH: usize = 60;
const SIDE: usize = 16;
/// What the pictures show; nothing that learns is told.
const SHOWN: [&str; 6] = ["0", "1", "2", "3", "4", "+"];

/// Whether a symbol has ink at a place.
fn ink(symbol: usize, x: i32, y: i32) -> bool {
    let (x, y) = (x - 8, y - 8);
    let inside = x.abs() <= 5 && y.abs() <= 5;
    inside
        && match symbol {
            0 => x.abs() == 5 || y.abs() == 5,
            1 => x == 0,
            2 => y.abs() == 3,
            3 => x == y,
            4 => x.abs() == 3,
            _ => x == 0 || y == 0,
        }
}

/// A picture of a symbol, moved a little, with dirt.
fn draw(symbol: usize, rng: &mut ChaCha8Rng) -> Picture {
    let (right, down) = (rng.random_range(-1..=1), rng.random_range(-1..=1));
    let mut pixel = |number: usize| {
        let (x, y) = ((number % SIDE) as i32 - right, (number / SIDE) as i32 - down);
        if ink(symbol, x, y) { 255 } else { rng.random_range(0..30) }
    };
    let pixels = (0..SIDE * SIDE).map(&mut pixel).collect();
    Picture::new(SIDE as u32, SIDE as u32, pixels)
}

fn pictures(seed: u64) -> Vec<Picture> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..SHOWN.len() * OF_EACH).map(|number| draw(number / OF_EACH, &mut rng)).collect()
}

/// Rows of up to so many terms (one picture, three, five) with their sums, as numbers of pictures.
fn rows(count: usize, terms: usize, seed: u64) -> Vec<(String, String)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let row = |number: usize| {
        let mut sum = 0;
        let mut row = Vec::new();
        for term in 0..=number % terms {
            if term > 0 {
                row.push((5 * OF_EACH + rng.random_range(0..OF_EACH)).to_string());
            }
            let digit = rng.random_range(0..5);
            sum += digit;
            row.push((digit * OF_EACH + rng.random_range(0..OF_EACH)).to_string());
        }
        (row.join(" "), sum.to_string())
    };
    (0..count).map(row).collect()
}

/// As they are: neither padded nor scaled.
fn preprocess() -> Preprocess {
    Preprocess { padding: 1.0, scaled: SIDE as u32, side: SIDE as u32, ..Preprocess::default() }
}

fn data(terms: usize, seed: u64) -> ImageDataset {
    let text = Dataset::from_pairs("sums", &rows(600, terms, seed));
    let pictures = Pictures::prepare(&pictures(seed), &preprocess()).unwrap();
    ImageDataset::new(&text, pictures).unwrap()
}

fn effort() -> SeeingSettings {
    SeeingSettings { alike: 40, look: 40, round: 40, last: 40, ..SeeingSettings::default() }
}

struct Run {
    /// The model after each task.
    kept: Vec<Model>,
    model: Model,
}

static RUN: LazyLock<Run> = LazyLock::new(|| {
    let mut kept = Vec::new();
    let mut keep = |model: &Model| kept.push(model.clone());
    let model = see(&data(3, 1), &effort(), &Processor::Cpu, 0, None, &mut keep, &mut ()).unwrap();
    Run { kept, model }
});

#[test]
fn symbols_meanings_and_reading_are_learned_from_results_alone() {
    let Run { model, .. } = &*RUN;
    assert_eq!(model.inputs.len(), SHOWN.len(), "{:?}", model.inputs.names());
    let scores = evaluate_images(model, &data(2, 2), &Processor::Cpu).unwrap().unwrap();
    assert!(scores.read.all.accuracy() > 0.95, "{scores:?}");
}

#[test]
fn a_model_that_sees_survives_and_goes_on_where_it_was_killed() {
    let Run { kept, model } = &*RUN;
    assert!(kept.len() > 3 && kept.iter().all(|model| !model.finished && model.seeing.is_some()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.nsr");
    checkpoint::save(&kept[kept.len() - 3], &path).unwrap();
    let from = checkpoint::load(&path).ok();
    let resumed = see(&data(3, 1), &effort(), &Processor::Cpu, 0, from, &mut |_| {}, &mut ()).unwrap();
    assert!(resumed == *model, "another model after a kill");
    checkpoint::save(&resumed, &path).unwrap();
    assert!(checkpoint::load(&path).unwrap() == *model, "another model in the file");
}

/// Rows of two to four pictures, none of one: five symbols bring a letter each, the sixth doubles the next one's.
fn letters(count: usize, seed: u64) -> Vec<(String, String)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut row = || {
        let (mut row, mut said) = (Vec::new(), Vec::new());
        for _ in 0..rng.random_range(1..=2) {
            let letter = rng.random_range(0..5);
            let twice = rng.random_range(0..5) < 2;
            let symbols = if twice { &[5, letter][..] } else { &[letter] };
            let picture = |&symbol: &usize| (symbol * OF_EACH + rng.random_range(0..OF_EACH)).to_string();
            row.extend(symbols.iter().map(picture));
            said.extend(std::iter::repeat_n(&"ABCDE"[letter..=letter], 1 + usize::from(twice)));
        }
        (row, said)
    };
    let rows = std::iter::repeat_with(&mut row).filter(|(row, _)| row.len() > 1);
    rows.take(count).map(|(row, said)| (row.join(" "), said.join(" "))).collect()
}

fn letter_data(seed: u64) -> ImageDataset {
    let text = Dataset::from_pairs("letters", &letters(400, seed));
    ImageDataset::new(&text, Pictures::prepare(&pictures(seed), &preprocess()).unwrap()).unwrap()
}

/// Stops learning after so many steps of the network.
struct Impatient(usize);

impl Observer for Impatient {
    fn on(&mut self, event: &Event<'_>) {
        if matches!(event, Event::Seeing(Sight::Step(..))) {
            self.0 = self.0.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        self.0 == 0
    }
}

/// Where no row has one picture, looks give the first symbols; stopped while it does so, it comes to the same.
#[test]
fn without_rows_of_one_picture_looks_give_the_first_symbols() {
    let data = letter_data(1);
    let learn = |from: Option<Model>, observer: &mut dyn Observer| {
        see(&data, &effort(), &Processor::Cpu, 0, from, &mut |_| {}, observer).unwrap()
    };
    let model = learn(None, &mut ());
    assert_eq!(model.inputs.len(), SHOWN.len(), "{:?}", model.inputs.names());
    let scores = evaluate_images(&model, &letter_data(2), &Processor::Cpu).unwrap().unwrap();
    assert!(scores.read.all.accuracy() > 0.95, "{scores:?}");
    // In the middle of contrast, then of the labels.
    let mut stopped = None;
    for (steps, tasks) in [(20, 0), (80, 1)] {
        let model = learn(stopped, &mut Impatient(steps));
        assert_eq!((model.finished, model.seeing.as_ref().map(|seeing| seeing.done)), (false, Some(tasks)));
        stopped = Some(model);
    }
    assert!(learn(stopped, &mut ()) == model, "another model after it was stopped");
    let forced = SeeingSettings { pretrain: true, ..effort() };
    let more = [&data, &self::data(3, 1)]
        .map(|data| network_steps(data, &forced, 0) - network_steps(data, &effort(), 0));
    // Where rows of one picture are missing, it does so anyway.
    assert_eq!(more, [0, forced.alike]);
}

/// Which of the symbols that rows are made of a label stands for.
fn shown(label: u8) -> Option<usize> {
    SHOWN.iter().position(|name| name.chars().eq([SYMBOLS[usize::from(label)]]))
}

/// As many pictures of each symbol as there are drawn ones, by our pen, in no order, and their true labels.
fn handwritten() -> (Vec<Picture>, Vec<u8>) {
    let (drawn, labels) = pen::draw(Writers::Validation, 0);
    let mut left = [OF_EACH; SHOWN.len()];
    let mut is_wanted = |label: u8| {
        shown(label).filter(|&symbol| left[symbol] > 0).inspect(|&symbol| left[symbol] -= 1).is_some()
    };
    let labelled = (0..).map_while(|number| labels.truth(number)).map(|label| label as u8);
    drawn.into_iter().zip(labelled).filter(|&(_, label)| is_wanted(label)).unzip()
}

/// The binary in a folder with pictures and `rows.tsv`.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    write_idx(&scratch.path("train.idx"), &pictures(1)).unwrap();
    let line = |(row, sum): &(String, String)| format!("{row}\t{sum}\n");
    scratch.write("rows.tsv", rows(90, 3, 1).iter().map(line).collect::<String>());
    scratch
}

/// The same with handwriting; the last picture is blank, and so the last row. Also what the others show.
fn scratch_with_handwriting() -> (Scratch, Vec<u8>) {
    let (mut pictures, labels) = handwritten();
    pictures.push(Picture::black(45, 45));
    let scratch = Scratch::new();
    write_idx(&scratch.path("train-images-idx3-ubyte"), &pictures).unwrap();
    let of: Vec<Vec<usize>> = (0..SHOWN.len())
        .map(|symbol| (0..labels.len()).filter(|&number| shown(labels[number]) == Some(symbol)).collect())
        .collect();
    let by_symbol = |number: &str| {
        let number: usize = number.parse().unwrap();
        of[number / OF_EACH][number % OF_EACH].to_string()
    };
    let line = |(row, sum): &(String, String)| {
        format!("{}\t{sum}\n", row.split(' ').map(by_symbol).collect::<Vec<_>>().join(" "))
    };
    let lines: String = rows(90, 3, 1).iter().map(line).collect();
    scratch.write("rows.tsv", format!("{lines}{}\t3\n", labels.len()));
    (scratch, labels)
}

/// That no label is learned from is a fact of the types: `see` takes an [`ImageDataset`], which holds pictures, rows and
/// results but no labels. Here the binary learns from the same rows and pictures with the truth lying beside them and
/// with a lie, and must come to the same model.
#[test]
fn labels_are_not_read_and_few_steps_end_in_a_model_that_answers_or_counts_a_miss() {
    let (scratch, truth) = scratch_with_handwriting();
    assert_eq!(truth.len(), SHOWN.len() * OF_EACH);
    let images = ["--images", "train-images-idx3-ubyte"];
    let train = ["train", "rows.tsv", images[0], images[1], "--steps", "6", "--json", "--out", "m.nsr"];
    let mut models = Vec::new();
    for mut labels in [truth.clone(), vec![0; truth.len()]] {
        labels.push(0);
        let header = [&[0, 0, 8, 1][..], &(labels.len() as u32).to_be_bytes()].concat();
        scratch.write("train-labels-idx1-ubyte", [header, labels].concat());
        let object = scratch.run(&train).json();
        assert_eq!((&object["train_examples"], &object["blank"]), (&90.into(), &1.into()), "{object}");
        models.push(fs::read(scratch.path("m.nsr")).unwrap());
    }
    assert!(models[0] == models[1], "other labels, another model");

    write_idx(&scratch.path("blank.idx"), &[Picture::black(16, 16), Picture::black(16, 16)]).unwrap();
    let long = vec!["1"; 500].join(" ");
    let asked = format!("0\n{long}\n7 x\n\n999\n");
    let ran = scratch.run_with(&["predict", "m.nsr", "--images", "blank.idx"], asked.as_bytes());
    assert_eq!((ran.code, &*ran.out), (Some(0), "\n\n\n\n\n"));
    assert_eq!(
        ran.err,
        "nsr: 5 of 5 lines without an answer: 1 empty, 2 naming no picture, 2 with a blank picture\n"
    );
    scratch.write("blank.tsv", "0\t0\n1\t0\n");
    let object = scratch.run(&["eval", "m.nsr", "blank.tsv", "--images", "blank.idx", "--json"]).json();
    assert_eq!((&object["examples"], &object["unanswered"]), (&2.into(), &2.into()), "{object}");
    scratch
        .run(&["explain", "m.nsr", "1", "--images", "blank.idx"])
        .fails_with("INPUT: expected pictures that show something, found picture 1, which is blank");
    scratch
        .run(&["train", "blank.tsv", "--images", "blank.idx"])
        .fails_with("blank.tsv: expected rows of pictures that show something, found blank ones in all");
    // Neither bytes that are no text nor a line without end stop the run.
    let asked = [&b"\xff\xfe\n"[..], &b"1 ".repeat(600_000), b"\n999\n", long.as_bytes()].concat();
    let ran = scratch.run_with(&["predict", "m.nsr", images[0], images[1]], &asked);
    assert!(ran.err.contains("answer: 2 not UTF-8 or too long, 1 naming no picture"), "{ran:?}");
    let out = ran.succeeds();
    assert!(out.starts_with("\n\n\n") && out.lines().count() == 4, "{out}");

    scratch
        .run(&["predict", "m.nsr"])
        .fails_with("the model reads pictures: expected --images FILE, found none");
    scratch
        .run(&["eval", "m.nsr", "rows.tsv"])
        .fails_with("rows.tsv: expected pictures for its inputs, found no file or folder of them");
    scratch.run(&["inspect", "m.nsr", "--similarity", "rows.tsv"]).fails_with(
        "m.nsr: expected a model that reads text, for --similarity, found one that reads pictures",
    );
    scratch
        .run(&["train", "--from", "m.nsr", "rows.tsv"])
        .fails_with("m.nsr: expected a model that reads text, found one that reads pictures");
    let object = scratch.run(&["eval", "m.nsr", "rows.tsv", images[0], images[1], "--json"]).json();
    assert_eq!(object["examples"], 91);
    assert!(object["unanswered"].as_u64() >= Some(1), "{object}");
    assert!(scratch.run(&["explain", "m.nsr", "61", images[0], images[1]]).out.contains('%'));
    let ran = scratch.run(&["explain", "m.nsr", "61 305 2", images[0], images[1], "--svg", "t.svg"]);
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
    scratch
        .run(&["explain", "m.nsr", "61", images[0], images[1], "--n-best", "2"])
        .fails_with("--n-best: expected a model that reads text, found one that reads pictures");
    let svg = fs::read_to_string(scratch.path("t.svg")).unwrap();
    assert_eq!(svg.matches("href=\"data:image/png;base64,iVBORw0KGgo").count(), 3, "{svg}");

    scratch.run(&["export", "m.nsr", "m.safetensors"]).succeeds();
    let weights = fs::read(scratch.path("m.safetensors")).unwrap();
    let length = u64::from_le_bytes(weights[..8].try_into().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&weights[8..8 + length]).unwrap();
    assert_eq!(header["stem.weight"]["shape"], serde_json::json!([16, 1, 3, 3]));
    let found = "INPUT: expected names of pictures or numbers from 0 to 360, found `361`";
    scratch.run(&["explain", "m.nsr", "361", images[0], images[1]]).fails_with(found);
}

/// Pictures 5 and 65 show different symbols; alone, one says nothing and the other two tokens.
#[test]
fn a_picture_may_say_nothing_or_several_tokens() {
    let scratch = scratch();
    scratch.write("said.tsv", "5\t\n65\tLOOK AROUND\n5 65\tLOOK AROUND\n");
    let args = ["train", "said.tsv", "--images", "train.idx", "--steps", "1", "--out", "m.nsr", "--json"];
    let object = scratch.run(&args).json();
    assert_eq!((&object["words"], &object["finished"]), (&2.into(), &true.into()), "{object}");
    assert!(scratch.run(&["inspect", "m.nsr"]).succeeds().contains("LOOK_AROUND"));
}

#[test]
fn what_is_wrong_with_pictures_is_said_in_one_line() {
    let scratch = scratch();
    let whole = fs::read(scratch.path("train.idx")).unwrap();
    scratch.write("cut.idx", &whole[..whole.len() - 7]);
    scratch.write("few.tsv", "5 360\t1\n");
    let complains = |images: &str, of: &str| {
        scratch.run(&["train", "rows.tsv", "--images", images]).fails_mentioning(&[of]);
    };
    complains("cut.idx", "cut.idx");
    complains("none.idx", "none.idx");
    scratch
        .run(&["train", "few.tsv", "--images", "train.idx"])
        .fails_with("few.tsv:1: expected numbers of pictures from 0 to 359, found `360`");
    let long = vec!["5"; 41].join(" ");
    scratch.write("long.tsv", format!("{long}\t1\n"));
    scratch
        .run(&["train", "long.tsv", "--images", "train.idx"])
        .fails_with("long.tsv: expected rows of at most 40 pictures, found longer ones only");
    scratch.write("named.tsv", "input\toutput\n5\t1\n5 x\t1\n");
    scratch
        .run(&["train", "named.tsv", "--images", "train.idx"])
        .fails_with("named.tsv:3: expected numbers of pictures from 0 to 359, found `x`");
    let header =
        |sizes: [u32; 3]| [&[0, 0, 8, 3][..], &sizes.map(u32::to_be_bytes).concat(), &[0; 64]].concat();
    for (name, sizes) in
        [("huge.idx", [1, 70_000, 70_000]), ("many.idx", [u32::MAX, 16, 16]), ("none.idx", [4, 0, 0])]
    {
        scratch.write(name, header(sizes));
        complains(name, name);
    }
    // A folder whose one file is cut, empty, or says that it is larger than it may be.
    let folder = scratch.path("folder");
    fs::create_dir(&folder).unwrap();
    let mut png = Picture::black(16, 16).png();
    for length in [png.len() - 20, 10, 0] {
        fs::write(folder.join("0.png"), &png[..length]).unwrap();
        complains("folder", "0.png");
    }
    png[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    fs::write(folder.join("0.png"), &png).unwrap();
    complains("folder", "0.png");
}

/// Where there is no card, or not all it needs, that is said in one line.
#[test]
fn a_card_that_is_not_there_is_said_in_one_line() {
    let scratch = scratch();
    let images = ["train", "rows.tsv", "--images", "train.idx", "--steps", "2"];
    let ran = scratch.run(&[&images[..], &["--device", "cuda", "--network", "small"]].concat());
    match ran.code {
        Some(0) => eprintln!("skipped: there is a card"),
        _ => ran.fails_mentioning(&["nsr: --device: cuda: expected ", ", found "]),
    }
}

#[test]
fn a_killed_training_goes_on_to_the_same_model() {
    let scratch = scratch();
    let args = ["train", "rows.tsv", "--images", "train.idx", "--steps", "6", "--json", "--resume", "--out"];
    let train = |name| scratch.run(&[&args[..], &[name]].concat()).succeeds();
    train("whole.nsr");
    let mut child = scratch.start(&[&args[..], &["killed.nsr"]].concat());
    while !scratch.path("killed.nsr").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let unfinished = fs::read(scratch.path("killed.nsr")).unwrap();
    // It has not learned to see: answering from what it has of meanings would be answering something else.
    for asked in [&["predict"][..], &["eval", "rows.tsv"], &["explain", "3 4"]] {
        let args = [&asked[..1], &["killed.nsr"], &asked[1..], &["--images", "train.idx"]].concat();
        scratch.run(&args).fails_with("killed.nsr: expected a model that has learned to see, found one whose training was stopped early; \
             nsr train with --resume goes on");
    }
    train("killed.nsr");
    let [whole, killed] = ["whole.nsr", "killed.nsr"].map(|name| fs::read(scratch.path(name)).unwrap());
    assert!(whole == killed, "another model after a kill");
    assert!(unfinished != whole, "it was not killed in time");

    // What it was learned with stays as it was.
    let resume = ["train", "rows.tsv", "--images", "train.idx", "--resume", "--json", "--out", "whole.nsr"];
    scratch.run(&resume).succeeds();
    assert!(fs::read(scratch.path("whole.nsr")).unwrap() == whole, "another model after all was done");
    for (flag, asked, kept) in [("--seed", "7", "0"), ("--steps", "9", "6")] {
        scratch.run(&[&resume[..], &[flag, asked]].concat()).fails_with(&format!(
            "whole.nsr: expected a model learned with {flag} {asked}, found one with {kept}; \
                 without {flag} it goes on"
        ));
    }
    scratch.run(&[&resume[..], &["--pretrain"]].concat()).fails_with(
        "whole.nsr: expected a model learned with --pretrain, found one without; without it it goes on",
    );
    scratch.run(&[&resume[..], &["--preprocess", "crop=24"]].concat()).fails_with(
        "whole.nsr: expected a model learned with --preprocess pad=1.3333334,scale=40,crop=24,ink=guess, \
         found one with pad=1.3333334,scale=40,crop=32,ink=guess; without --preprocess it goes on",
    );
    scratch.run(&[&resume[..], &["--network", "resnet18"]].concat()).fails_with(
        "whole.nsr: expected a network of [64, 128, 256, 512] channels, found [16, 32, 64]; \
         without --network it goes on",
    );
}

/// What was done to training pictures is done to all that the model sees.
#[test]
fn preprocessing_and_pretraining_stay_with_the_model() {
    let scratch = scratch();
    let images = ["rows.tsv", "--images", "train.idx"];
    let asked = "pad=1,scale=16,crop=16,ink=light";
    let train = [&["train"], &images[..], &["--steps", "6", "--out", "m.nsr", "--json"]].concat();
    let with = [&train[..], &["--preprocess", asked, "--pretrain"]].concat();
    scratch.run(&with).succeeds();
    let model = checkpoint::load(&scratch.path("m.nsr")).unwrap();
    assert_eq!(model.settings.preprocess.to_string(), asked);
    assert!(model.settings.pretrain);
    assert_eq!(model.eyes.as_ref().map(|eyes| eyes.config().side), Some(16));
    let whole = fs::read(scratch.path("m.nsr")).unwrap();
    // Going on needs neither flag.
    scratch.run(&[&train[..], &["--resume"]].concat()).succeeds();
    assert!(fs::read(scratch.path("m.nsr")).unwrap() == whole, "another model after all was done");
    let object = scratch.run(&[&["eval", "m.nsr"], &images[..], &["--json"]].concat()).json();
    assert_eq!(object["examples"], 90, "{object}");
    let ran = scratch.run_with(&["predict", "m.nsr", "--images", "train.idx"], b"61 305 2\n7\n");
    assert_eq!(ran.succeeds().lines().count(), 2);
    assert!(scratch.run(&["explain", "m.nsr", "61", "--images", "train.idx"]).out.contains('%'));
    for (wrong, said) in [
        ("crop=4", "expected sides of 8 to 1024, found 4"),
        (
            "size=4",
            "expected pad=, scale= or crop= with a number, or ink=guess, light or dark, found `size=4`",
        ),
    ] {
        let option = "'--preprocess <pad=P,scale=N,crop=N,ink=guess|light|dark>'";
        scratch
            .run(&[&train[..], &["--preprocess", wrong]].concat())
            .fails_with(&format!("invalid value '{wrong}' for {option}: {said}; see nsr --help"));
    }
}
