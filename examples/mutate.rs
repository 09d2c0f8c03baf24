//! Altered files against everything that reads one: nothing may panic, run long or fill the memory.
//!
//! ```text
//! cargo run --release --example mutate                         # a short run, the same each time
//! cargo run --release --example mutate -- 1000000              # so many inputs for each target
//! cargo run --release --example mutate -- 1000000 7 model png  # with another seed, some targets only
//! ```
//!
//! Each target has a few sound files, which are altered in one to eight places; models get a sum that fits, so that only
//! the checks of what they hold stand between a forged one and the rest of the program. A panic is told with the seed and
//! number of its input, and the input is kept in the folder for temporary files; then the exit code is 1.
// An example is there to print.
#![allow(clippy::print_stdout)]

use nsr::checkpoint;
use nsr::data::picture::{Picture, Pictures, Preprocess, write_idx};
use nsr::data::{Dataset, ReadOptions, read};
use nsr::experience::Experience;
use nsr::model::Model;
use nsr::report;
use nsr::symbol::Vocabulary;
use nsr::training::{Event, Observer, train};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::Cell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Inputs for each target in a short run, as many as take some seconds.
const SHORT: u64 = 10_000;
/// As the command has it: hostile programs nest as deep as the evaluator's bounds allow.
const STACK: usize = 64 << 20;

/// Something that reads files.
struct Target {
    name: &'static str,
    /// Sound files, with the names that they must have.
    files: Vec<(&'static str, Vec<u8>)>,
    /// Reads a file and uses what it holds; `Some` if it was taken for sound.
    read: fn(&Path, &[u8]) -> Option<()>,
    /// One in so many of the inputs of a run are tried: what it does takes longer.
    one_in: u64,
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).peekable();
    let mut number = |usual| {
        args.next_if(|arg| arg.parse::<u64>().is_ok()).map_or(usual, |arg| arg.parse().unwrap_or(usual))
    };
    let (inputs, seed) = (number(SHORT), number(0));
    let chosen: Vec<String> = args.collect();
    std::panic::set_hook(Box::new(|_| {}));
    let targets = targets()
        .into_iter()
        .filter(|target| chosen.is_empty() || chosen.iter().any(|name| name == target.name));
    println!("{:>10} {:>10} {:>9} {:>7} {:>9}", "target", "inputs", "sound", "panics", "slowest");
    let started = targets
        .map(|target| std::thread::Builder::new().stack_size(STACK).spawn(move || target.run(inputs, seed)));
    // All at once: there are about as many as processors have threads, and each is told when those before it are.
    let started: Vec<_> = started.collect();
    let mut panics = 0;
    for thread in started {
        match thread.map(std::thread::JoinHandle::join) {
            Ok(Ok(found)) => panics += found,
            _ => return ExitCode::from(2),
        }
    }
    println!("most memory: {} MB", most_memory().unwrap_or(0) >> 10);
    if panics == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

impl Target {
    /// Tries altered files; says how it went, and how many panics there were.
    fn run(&self, inputs: u64, seed: u64) -> u64 {
        let Ok(folder) = tempfile::tempdir() else { return 1 };
        let (mut sound, mut panics, mut slowest) = (0, 0, Duration::ZERO);
        let inputs = inputs.div_ceil(self.one_in);
        for number in 0..inputs {
            let mut rng = ChaCha8Rng::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let (name, file) = &self.files[rng.random_range(0..self.files.len())];
            let other = &self.files[rng.random_range(0..self.files.len())].1;
            let bytes = alter(file, other, &mut rng);
            let path = folder.path().join(name);
            let start = Instant::now();
            match catch_unwind(AssertUnwindSafe(|| (self.read)(&path, &bytes))) {
                Ok(taken) => sound += u64::from(taken.is_some()),
                Err(_) => {
                    panics += 1;
                    self.keep(seed, number, &bytes);
                }
            }
            slowest = slowest.max(start.elapsed());
        }
        println!("{:>10} {inputs:>10} {sound:>9} {panics:>7} {:>7.2} s", self.name, slowest.as_secs_f64());
        panics
    }

    /// Keeps an input that made something panic.
    fn keep(&self, seed: u64, number: u64, bytes: &[u8]) {
        let path = std::env::temp_dir().join(format!("nsr-{}-{seed}-{number}", self.name));
        let kept = fs::write(&path, bytes);
        println!(
            "{}: seed {seed}, input {number} panics; kept: {} ({})",
            self.name,
            path.display(),
            kept.is_ok()
        );
    }
}

/// `file` altered in one to eight places, by what often goes wrong.
fn alter(file: &[u8], other: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    const ODD: [&[u8]; 12] = [
        &[0],
        &[0xff],
        &[0x7f],
        &[0x80],
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
        &[0x80, 0x80, 0x80, 0x80, 0x10],
        b"\n",
        b"\t",
        b"(",
        b"\"",
        b"99999999999999999999",
        b"[",
    ];
    let mut bytes = file.to_vec();
    for _ in 0..1 << rng.random_range(0..4) {
        if bytes.is_empty() {
            break;
        }
        let place = rng.random_range(0..bytes.len());
        let end = (place + rng.random_range(1..=16)).min(bytes.len());
        match rng.random_range(0..8) {
            0 => bytes[place] ^= 1 << rng.random_range(0..8),
            1 => bytes[place] = rng.random(),
            2 => bytes[place] = bytes[place].wrapping_add(if rng.random() { 1 } else { 255 }),
            3 => drop(bytes.drain(place..end)),
            4 => drop(bytes.splice(place..place, ODD[rng.random_range(0..ODD.len())].iter().copied())),
            5 => {
                let run = bytes[place..end].to_vec();
                bytes.splice(place..place, run);
            }
            6 if !other.is_empty() => {
                let from = rng.random_range(0..other.len());
                let run = other[from..(from + 32).min(other.len())].to_vec();
                bytes.splice(place..end, run);
            }
            7 if rng.random_range(0..8) == 0 => bytes.truncate(place),
            _ => bytes[place] = ODD[rng.random_range(0..4)][0],
        }
    }
    bytes
}

fn targets() -> Vec<Target> {
    let texts = |names: &[(&'static str, &str)]| {
        names.iter().map(|&(name, text)| (name, text.as_bytes().to_vec())).collect::<Vec<_>>()
    };
    let reader = |name, files: &[(&'static str, &str)]| Target {
        name,
        files: texts(files),
        read: read_data,
        one_in: 2,
    };
    vec![
        Target { name: "model", files: models(), read: ask, one_in: 1 },
        Target {
            name: "theory",
            files: texts(&[
                ("t", "walk _ = [WALK] ++ x"),
                ("t", "switch _ off _ = y ++ [OFF (] ++ x ++ [)]"),
            ]),
            read: read_theory,
            one_in: 1,
        },
        Target {
            name: "experience",
            files: vec![("e.json", experience())],
            read: read_experience,
            one_in: 2,
        },
        reader("txt", &[("a.txt", "IN: walk twice OUT: WALK WALK\nIN: run OUT: RUN\n")]),
        reader(
            "tsv",
            &[
                ("a.tsv", "walk\tWALK\nf(x)\t{\"a\": 'b'}\n"),
                ("a.tsv", "id\texpr\tres\teval\n1\t(1+2)\t3\tSS\n"),
            ],
        ),
        reader(
            "jsonl",
            &[(
                "a.jsonl",
                "{\"input\": \"a b\", \"output\": [1, \"x\"], \"eval\": \"s\"}\n{\"input\": [\"a\"], \"output\": 3}\n",
            )],
        ),
        reader("src", &[("a.src", "walk twice\nrun\n"), ("a.en", "i am\nhe is\n")]),
        Target { name: "idx", files: vec![("p.idx", idx())], read: read_pictures, one_in: 2 },
        Target { name: "png", files: vec![("a.png", picture().png())], read: read_pictures, one_in: 4 },
        Target { name: "jpeg", files: vec![("a.jpg", jpeg())], read: read_pictures, one_in: 4 },
        Target {
            name: "gz",
            files: vec![("a.txt.gz", gzip(b"IN: walk twice OUT: WALK WALK\nIN: run OUT: RUN\n"))],
            read: read_data,
            one_in: 2,
        },
    ]
}

/// Commands to learn from in a moment.
fn commands() -> Dataset {
    let mut pairs = Vec::new();
    for (word, token) in [("walk", "WALK"), ("run", "RUN"), ("look", "LOOK")] {
        pairs.push((word.to_owned(), token.to_owned()));
        pairs.push((format!("{word} twice"), format!("{token} {token}")));
        pairs.push((format!("{word} and walk"), format!("{token} WALK")));
    }
    Dataset::from_pairs("commands", &pairs)
}

/// Enough of them for constructions, with outputs cut into pieces.
fn records() -> Dataset {
    let mut pairs = Vec::new();
    for thing in ["lamp", "fan", "radio", "heater", "oven", "tap"] {
        for room in ["hall", "attic", "cellar", "office", "shed"] {
            for state in ["on", "off"] {
                pairs.push((
                    format!("switch the {thing} in the {room} {state}"),
                    format!("{state}({thing}@{room})"),
                ));
            }
        }
    }
    Dataset::from_texts("records", &pairs, None)
}

/// Sums of small numbers.
fn sums() -> Dataset {
    let mut pairs: Vec<(String, String)> =
        (0..6).map(|number| (number.to_string(), number.to_string())).collect();
    for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
        pairs.push((format!("{a} + {b}"), (a + b).to_string()));
    }
    Dataset::from_pairs("sums", &pairs)
}

/// Stops training when it has asked so often.
struct Patience(Cell<usize>);

impl Observer for Patience {
    fn on(&mut self, _: &Event<'_>) {}

    fn stop(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

fn stopped(data: &Dataset, asked: usize) -> Model {
    train(data, 0, &mut Patience(Cell::new(asked)))
}

/// A model without the header of its file.
fn body(model: &Model) -> Vec<u8> {
    checkpoint::to_bytes(model)[HEADER..].to_vec()
}

const HEADER: usize = 24;

fn models() -> Vec<(&'static str, Vec<u8>)> {
    [
        train(&commands(), 0, &mut ()),
        train(&records(), 0, &mut ()),
        train(&sums(), 0, &mut ()),
        stopped(&commands(), 5),
    ]
    .iter()
    .map(|model| ("m", body(model)))
    .collect()
}

/// The model that a body holds, under a header that fits.
fn model(body: &[u8]) -> Option<Model> {
    let mut bytes = b"nsrmodel".to_vec();
    bytes.extend_from_slice(&checkpoint::VERSION.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(body).to_le_bytes());
    bytes.extend_from_slice(body);
    checkpoint::from_bytes(&bytes).ok()
}

fn ask(_: &Path, bytes: &[u8]) -> Option<()> {
    let model = model(bytes)?;
    for text in ["walk twice and run", "2 + 3 + 1", "switch the fan in the hall off", "look and walk twice"] {
        report::explain(&model, text);
        let symbols = model.read(text);
        model.result(&symbols).map(|value| model.text(&value));
    }
    report::unsolved(&model);
    report::constructions(&model);
    // What was loaded can be stored and loaded again.
    checkpoint::from_bytes(&checkpoint::to_bytes(&model)).expect("a sound model stays sound");
    Some(())
}

fn read_theory(_: &Path, bytes: &[u8]) -> Option<()> {
    let text = String::from_utf8_lossy(bytes);
    let (mut inputs, mut outputs) = (Vocabulary::default(), Vocabulary::default());
    nsr::theory::text::parse(&text, &mut inputs, &mut outputs).ok().map(drop)
}

/// The experience that is built in, as a file.
fn experience() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for scratch");
    let path = folder.path().join("e.json");
    Experience::built_in().save(&path).expect("room for a small file");
    fs::read(path).expect("the file just written")
}

fn read_experience(path: &Path, bytes: &[u8]) -> Option<()> {
    fs::write(path, bytes).ok()?;
    Experience::load(path).ok().map(drop)
}

fn read_data(path: &Path, bytes: &[u8]) -> Option<()> {
    fs::write(path, bytes).ok()?;
    for (ending, partner) in [("src", "tgt"), ("en", "fr")] {
        if path.extension().is_some_and(|own| own == ending) {
            fs::write(path.with_extension(partner), b"WALK WALK\nRUN\n").ok()?;
        }
    }
    let data = read(path, &ReadOptions::default()).ok()?;
    report::checkup(&data);
    nsr::data::spacing::Spacing::learn(&data);
    Some(())
}

fn read_pictures(path: &Path, bytes: &[u8]) -> Option<()> {
    let is_idx = path.extension().is_some_and(|ending| ending == "idx");
    // Pictures that are no IDX file are read as a folder of them.
    let (folder, path): (PathBuf, PathBuf) = match (is_idx, path.parent(), path.file_name()) {
        (false, Some(parent), Some(name)) => (parent.join("folder"), parent.join("folder").join(name)),
        _ => (path.to_owned(), path.to_owned()),
    };
    if !is_idx {
        fs::create_dir_all(&folder).ok()?;
    }
    fs::write(&path, bytes).ok()?;
    Pictures::read(&folder, &Preprocess::default()).ok().map(drop)
}

fn picture() -> Picture {
    Picture::new(24, 20, (0..480u32).map(|number| (number * 7 % 251) as u8).collect())
}

fn idx() -> Vec<u8> {
    let written = tempfile::tempdir().and_then(|folder| {
        let path = folder.path().join("p.idx");
        write_idx(&path, &[picture(), picture()]).map_err(std::io::Error::other)?;
        fs::read(path)
    });
    written.unwrap_or_default()
}

fn jpeg() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = picture();
    let size = (picture.width(), picture.height());
    let grey = image::GrayImage::from_raw(size.0, size.1, picture.pixels().to_vec());
    let written = grey.map(|grey| grey.write_to(&mut bytes, image::ImageFormat::Jpeg));
    if matches!(written, Some(Ok(()))) { bytes.into_inner() } else { Vec::new() }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let written = encoder.write_all(text);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

/// The most memory that this process ever held, in kB, where the system tells.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
