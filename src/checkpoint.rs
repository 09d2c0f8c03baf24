//! The model file: one file, versioned, written whole or not at all, safe to load from strangers.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `nsrmodel` |
//! | 4 | version of the format |
//! | 8 | length of the rest after these 24 bytes |
//! | 4 | CRC-32 of the rest |
//! | 8 | length of the model without its networks |
//! | | the [`Model`] without its networks, then these, each encoded by postcard |
//!
//! Numbers are little-endian. Loading checks length, sum and version first, then every number by which one
//! part of the model refers to another, so that no file can make a later step panic.

use crate::computed::Computed;
use crate::error::{Error, Result};
use crate::model::{Known, Model};
use crate::symbol::{Symbol, Token};
use crate::theory::knowledge::Knowledge;
#[cfg(feature = "vision")]
use crate::training::seeing::Progress;
use crate::values;
use crate::values::knowledge::Results;
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The version that is written. It changes whenever an older program could not read the file.
pub const VERSION: u32 = 18;
/// Larger files are not models of ours; the limit keeps hostile ones from filling the memory.
pub const MAX_BYTES: u64 = 64 << 20;

/// A model without its networks is not larger: one byte of it may become some thirty in memory, while those of networks,
/// nearly all of which are numbers, become as many.
const MAX_FRONT: u64 = 16 << 20;

const MAGIC: &[u8; 8] = b"nsrmodel";
const HEADER: usize = 24;

/// Writes `model` to `path`. The file is written beside it under another name and renamed when it is safely
/// on disk: should anything fail, what was at `path` before is still there.
pub fn save(model: &Model, path: &Path) -> Result<()> {
    let bytes = to_bytes(model);
    // What could not be read again must not take the place of what can.
    let fits = open(&bytes).and_then(parts).and_then(|_| check(model));
    fits.map_err(|unfit| unfit.of(path))?;
    write(path, &bytes).map_err(|source| unwritable(path, &source))
}

/// Whether a model could be written to `path`: finds out early what would otherwise fail after training.
pub fn check_writable(path: &Path) -> Result<()> {
    let tried = match is_special(path) {
        true => File::options().write(true).open(path).map(drop),
        false => scratch(&target(path)).map(drop),
    };
    tried.map_err(|source| unwritable(path, &source))
}

fn unwritable(path: &Path, source: &io::Error) -> Error {
    Unfit::new("to write a model there", source).of(path)
}

/// Reads the model at `path`.
pub fn load(path: &Path) -> Result<Model> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    let model = match read {
        Ok(_) => from_bytes(&bytes),
        Err(source) => Err(Unfit::new("a model file", source)),
    };
    model.map_err(|unfit| unfit.of(path))
}

/// Why bytes are not a model.
#[derive(Debug, PartialEq, Eq)]
pub struct Unfit {
    /// What a model has.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl Unfit {
    fn new(expected: impl Into<String>, found: impl ToString) -> Unfit {
        Unfit { expected: expected.into(), found: found.to_string() }
    }

    /// The same of the file at `path`.
    fn of(self, path: &Path) -> Error {
        Error::Model { path: path.to_owned(), expected: self.expected, found: self.found }
    }
}

type Fit<T = ()> = std::result::Result<T, Unfit>;

fn ensure(holds: bool, expected: impl Into<String>, found: impl ToString) -> Fit {
    match holds {
        true => Ok(()),
        false => Err(Unfit::new(expected, found)),
    }
}

/// The bytes of a model file.
pub fn to_bytes(model: &Model) -> Vec<u8> {
    let plain = "a model is plain data";
    let front = postcard::to_allocvec(model).expect(plain);
    let networks = postcard::to_allocvec(&(&model.eyes, &model.seeing)).expect(plain);
    let body = [&(front.len() as u64).to_le_bytes()[..], &front, &networks].concat();
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

/// The model that the bytes of a file hold.
pub fn from_bytes(bytes: &[u8]) -> Fit<Model> {
    let body = open(bytes)?;
    let (front, networks) = parts(body)?;
    let model: Model = decode(front)?;
    let (eyes, seeing) = decode(networks).map_err(|unfit| networks_left_out().unwrap_or(unfit))?;
    let model = Model { eyes, seeing, ..model };
    check(&model)?;
    Ok(model)
}

/// The model without its networks, and these.
fn parts(body: &[u8]) -> Fit<(&[u8], &[u8])> {
    let Some((length, rest)) = body.split_first_chunk() else {
        return Err(Unfit::new("a whole model", format_args!("only {} bytes", body.len())));
    };
    let length = u64::from_le_bytes(*length);
    let most = format!("a model of at most {MAX_FRONT} bytes without its networks");
    ensure(length <= MAX_FRONT, most, length)?;
    let cut = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
    cut.ok_or_else(|| Unfit::new(format!("a model of {length} bytes"), rest.len()))
}

/// Why there can be no networks in this build.
fn networks_left_out() -> Option<Unfit> {
    let (expected, found) =
        ("a model that reads text, without the feature vision", "one that reads pictures");
    (!cfg!(feature = "vision")).then(|| Unfit::new(expected, found))
}

/// What `bytes` hold, all of them.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Fit<T> {
    let (found, rest): (T, &[u8]) =
        postcard::take_from_bytes(bytes).map_err(|error| Unfit::new("a model", error))?;
    ensure(rest.is_empty(), "the end of the model", format_args!("{} more bytes", rest.len()))?;
    Ok(found)
}

/// Takes the header off, if it fits what follows.
fn open(bytes: &[u8]) -> Fit<&[u8]> {
    ensure(
        bytes.len() as u64 <= MAX_BYTES,
        format!("a model of at most {MAX_BYTES} bytes"),
        "a larger file",
    )?;
    ensure(bytes.starts_with(MAGIC), "a model made by `nsr train --out`", "a file of another kind")?;
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(Unfit::new("a whole model", format_args!("only {} bytes", bytes.len())));
    };
    let version = u32::from_le_bytes(field(header, 8));
    ensure(version == VERSION, format!("a model of version {VERSION}"), describe(version))?;
    let length = u64::from_le_bytes(field(header, 12));
    ensure(length == body.len() as u64, format!("a model of {length} bytes"), body.len())?;
    let sum = u32::from_le_bytes(field(header, 20));
    let actual = crc32fast::hash(body);
    ensure(sum == actual, format!("checksum {sum:08x}"), format_args!("{actual:08x}: the file was altered"))?;
    Ok(body)
}

fn describe(version: u32) -> String {
    match version > VERSION {
        true => format!("version {version}: made by a newer nsr"),
        false => format!("version {version}: made by an older nsr"),
    }
}

fn field<const N: usize>(header: &[u8], start: usize) -> [u8; N] {
    std::array::from_fn(|place| header[start + place])
}

/// Checks every number by which one part of the model refers to another.
fn check(model: &Model) -> Fit {
    let shape = Shape { words: model.inputs.len(), tokens: model.outputs.len() };
    match &model.known {
        Known::Says(known) => shape.check_knowledge(known)?,
        Known::Computes(known) => shape.check_values(known)?,
    }
    let (words, tokens) = (shape.words, shape.tokens);
    let is_sound = |computed: &Computed| computed.is_sound(words, tokens);
    let fits = model.computed.as_ref().is_none_or(is_sound);
    ensure(fits, format!("numbers in {words} words and {tokens} tokens"), "others")?;
    let fits = model.parser.as_ref().is_none_or(|parser| parser.is_sound(model.known.grammar()));
    ensure(fits, "a parser of the constructions", "another")?;
    let is_sound = model.confidence.is_none_or(|confidence| confidence.is_sound());
    ensure(is_sound, "larger shares with larger probabilities", "smaller ones")?;
    let first = model.extensions.iter().map(|extension| extension.first).max().unwrap_or(0);
    ensure(first as usize <= shape.words, format!("extensions by words up to {}", shape.words), first)?;
    for example in &model.unexplained {
        shape.check_symbols(&example.input, shape.words)?;
        shape.check_symbols(&example.wanted, shape.tokens)?;
    }
    // Answers are lines: a token must not end one.
    let line_end = model.inputs.names().iter().chain(model.outputs.names()).find(|name| name.contains('\n'));
    ensure(line_end.is_none(), "tokens without line ends", format_args!("{line_end:?}"))?;
    ensure(model.settings.spacing.is_sound(), "blanks by few rules", "more")?;
    check_sight(model)
}

/// Checks how pictures are prepared; networks there are none.
#[cfg(not(feature = "vision"))]
fn check_sight(model: &Model) -> Fit {
    let prepared = model.settings.preprocess.check();
    prepared.map_err(|error| Unfit::new("sound preprocessing", error))
}

/// Checks the networks and what they refer to.
#[cfg(feature = "vision")]
fn check_sight(model: &Model) -> Fit {
    if let Some(eyes) = &model.eyes {
        ensure(eyes.is_sound(), "a sound network", "another")?;
        ensure(
            eyes.symbols() == model.inputs.len(),
            format!("{} symbols", model.inputs.len()),
            eyes.symbols(),
        )?;
    }
    let prepared = model.settings.preprocess.check();
    prepared.map_err(|error| Unfit::new("sound preprocessing", error))?;
    let networks = model.eyes.iter().chain(model.seeing.iter().map(|progress| &progress.network));
    let side = model.settings.preprocess.side;
    let other = networks.map(|network| network.config().side).find(|&other| other != side as usize);
    ensure(other.is_none(), format!("a network for pictures of side {side}"), other.unwrap_or_default())?;
    if let Some(Progress { symbols, network, .. }) = &model.seeing {
        ensure(network.is_sound() && symbols.is_sound(), "a sound network and symbols", "others")?;
    }
    Ok(())
}

/// How many words and tokens there are to refer to.
struct Shape {
    words: usize,
    tokens: usize,
}

impl Shape {
    /// Checks that constructions are of the words and tokens there are. The constructions themselves were checked when they were read.
    fn check_knowledge(&self, knowledge: &Knowledge) -> Fit {
        let Shape { words, tokens } = *self;
        ensure(knowledge.words() == words, format!("constructions of {words} words"), knowledge.words())?;
        ensure(knowledge.tokens() == tokens, format!("constructions of {tokens} tokens"), knowledge.tokens())
    }

    /// The same for constructions whose results are computed.
    fn check_values(&self, values: &values::knowledge::Knowledge) -> Fit {
        let Shape { words, tokens } = *self;
        ensure(values.words() == words, format!("constructions of {words} words"), values.words())?;
        let is_token = |token: Token| (token.0 as usize) < tokens;
        let is_sound = match values.results() {
            Results::Numbers => true,
            Results::Truths(truths) => truths.iter().copied().all(is_token),
            Results::Lists(open) => open.is_sound(words, tokens),
            Results::Rows(frame) => frame.tokens().all(is_token),
        };
        // Whatever results are, a program may hold lists.
        let is_sound = is_sound && values.has_tokens_below(tokens);
        ensure(is_sound, format!("values of {tokens} tokens"), "others")
    }

    fn check_symbols(&self, symbols: &[Symbol], count: usize) -> Fit {
        let unknown = symbols.iter().find(|symbol| symbol.index() >= count);
        ensure(unknown.is_none(), format!("symbols below {count}"), unknown.map_or(0, |symbol| symbol.0))
    }
}

/// Writes a file such that there is the old one or the new one at `path`, whatever happens.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A device or pipe cannot be replaced by a file, and must not be.
    if is_special(path) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    let path = target(path);
    let mut file = scratch(&path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Where the file really is: a link stays a link.
fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A file of no fixed name beside `path`, which vanishes unless it is renamed.
fn scratch(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Asked first because its error says more than that of the file that cannot be made.
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".nsr-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;
    use crate::model::{Extension, Unexplained};
    use crate::training::train;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static MODEL: LazyLock<Model> = LazyLock::new(|| {
        let pairs = [("walk", "W"), ("run", "R"), ("walk twice", "W W"), ("run twice", "R R")];
        train(&Dataset::from_pairs("tiny", &pairs), 0, &mut ())
    });
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| to_bytes(&MODEL));

    /// The bytes of a file that holds `model`, whatever is wrong with it, and why they are refused.
    fn refusal(change: impl FnOnce(&mut Model)) -> String {
        let mut model = MODEL.clone();
        change(&mut model);
        let Unfit { expected, found } = from_bytes(&to_bytes(&model)).unwrap_err();
        format!("{expected} / {found}")
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Model), expected: &str) {
        assert_eq!(refusal(change), expected);
    }

    /// A header that fits `body`.
    fn sealed(body: &[u8]) -> Vec<u8> {
        let mut bytes = BYTES[..12].to_vec();
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(body).to_le_bytes());
        bytes.extend_from_slice(body);
        bytes
    }

    #[test]
    fn a_model_survives() {
        assert_eq!(from_bytes(&BYTES).unwrap(), *MODEL);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.nsr");
        save(&MODEL, &path).unwrap();
        save(&MODEL, &path).unwrap();
        assert_eq!(load(&path).unwrap(), *MODEL);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn references_out_of_range_are_refused() {
        check(|model| _ = model.inputs.intern("more"), "constructions of 4 words / 3");
        check(|model| _ = model.outputs.intern("more"), "constructions of 3 tokens / 2");
        let forged = postcard::to_allocvec(&(-1.0, 0.0)).unwrap();
        check(
            |model| model.confidence = Some(postcard::from_bytes(&forged).unwrap()),
            "larger shares with larger probabilities / smaller ones",
        );
        let foreign = |input: u32, wanted: u32| Unexplained {
            input: vec![Symbol(input)],
            wanted: vec![Symbol(wanted)],
            found: None,
        };
        check(|model| model.unexplained.push(foreign(3, 0)), "symbols below 3 / 3");
        check(|model| model.unexplained.push(foreign(0, 2)), "symbols below 2 / 2");
        let extension = |model: &Model| Extension {
            task: String::new(),
            examples: 1,
            settings: model.settings.clone(),
            first: 4,
        };
        check(|model| model.extensions.push(extension(model)), "extensions by words up to 3 / 4");
    }

    /// A word of a model of numbers may be forged to mean tokens, of which there may be none.
    #[test]
    fn lists_in_a_model_of_numbers_have_tokens_that_there_are() {
        use crate::values::entry::{Entry, Pattern};
        use crate::values::program::Program;
        let mut believed = values::weigh::Believed::nothing();
        let list = values::value::Value::List([crate::symbol::Token(99)].into());
        let pattern = Pattern::word(crate::symbol::Word(0));
        believed.add(Entry { pattern, program: Program::Constant(list) }, 1.0);
        let known = values::knowledge::Knowledge::new(&believed, &[1], MODEL.inputs.len(), Results::Numbers);
        let forge = |model: &mut Model| {
            model.parser = None;
            model.known = Known::Computes(Box::new(known));
        };
        check(forge, "values of 2 tokens / others");
    }

    #[test]
    fn other_versions_and_kinds_are_named() {
        let mut newer = BYTES.clone();
        newer[8] = VERSION as u8 + 1;
        let refused = from_bytes(&newer).unwrap_err();
        assert_eq!(refused.expected, format!("a model of version {VERSION}"));
        assert_eq!(refused.found, format!("version {}: made by a newer nsr", VERSION + 1));
        let mut older = BYTES.clone();
        older[8] = 1;
        assert_eq!(from_bytes(&older).unwrap_err().found, "version 1: made by an older nsr");
        assert_eq!(from_bytes(b"IN: walk OUT: WALK").unwrap_err().found, "a file of another kind");
        assert_eq!(from_bytes(b"").unwrap_err().found, "a file of another kind");
    }

    proptest! {
        #[test]
        fn altered_files_are_refused(place in any::<prop::sample::Index>(), flip in 1u8..) {
            let mut bytes = BYTES.clone();
            let place = place.index(bytes.len());
            bytes[place] ^= flip;
            prop_assert!(from_bytes(&bytes).is_err());
        }

        #[test]
        fn cut_files_are_refused(end in any::<prop::sample::Index>()) {
            prop_assert!(from_bytes(&BYTES[..end.index(BYTES.len())]).is_err());
        }

        /// With a sum that fits, only the checks stand between a hostile file and the rest of the program.
        #[test]
        fn forged_files_do_no_harm(flips in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..4)) {
            let mut body = BYTES[HEADER..].to_vec();
            // Most of a file is weights; what refers to other things comes before and after them.
            let (front, back) = (600.min(body.len()), body.len().saturating_sub(2_000));
            for (place, flip) in flips {
                let place = place.index(front + body.len() - back);
                let place = if place < front { place } else { back + place - front };
                body[place] ^= flip;
            }
            if let Ok(model) = from_bytes(&sealed(&body)) {
                crate::report::explain(&model, "walk twice");
                crate::report::explain(&model, "twice run walk");
                crate::report::constructions(&model);
            }
        }
    }
}
