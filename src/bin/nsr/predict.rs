//! `nsr predict`: a line in, a line out.

use crate::args::{DataArgs, Predict};
use crate::escape::tell;
use crate::text::thousands;
use crate::{Outcome, images};
use anyhow::Context;
use nsr::checkpoint;
use nsr::data::{MAX_LINE, tokenize};
use nsr::model::Model;
use nsr::symbol::Symbol;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};

/// Some programs begin what they write with a byte order mark; it belongs to no word.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Runs the command.
pub fn run(args: &Predict, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let model = checkpoint::load(&args.model)?;
    if images::reads_pictures(&model, &args.model, data.names_pictures())? {
        return images::predict(&model, data, out);
    }
    data.cut_like(&model)?;
    let mut predictor = Predictor::new(model, args);
    answer_lines(out, |line, text| predictor.work_out(line, text))
}

/// Answers standard input line by line. `work_out` writes the answer to a line, or says why there is none: that
/// line's answer is empty, and the run goes on.
pub fn answer_lines(
    out: &mut impl Write,
    mut work_out: impl FnMut(&str, &mut String) -> Result<(), Miss>,
) -> anyhow::Result<Outcome> {
    let stdin = io::stdin();
    // A person at the keyboard wants each answer at once; a pipe wants them fast.
    let prompt = io::IsTerminal::is_terminal(&stdin);
    let mut input = BufReader::with_capacity(1 << 16, stdin.lock());
    let (mut line, mut text) = (Vec::new(), String::new());
    let (mut lines, mut misses) = (0, Misses::default());
    while next_line(&mut input, &mut line).context("standard input")? {
        lines += 1;
        text.clear();
        let line = if lines == 1 { line.strip_prefix(MARK).unwrap_or(&line) } else { &line };
        if let Err(miss) = readable(line).and_then(|line| work_out(line, &mut text)) {
            *misses.0.entry(miss).or_default() += 1;
        }
        text.push('\n');
        out.write_all(text.as_bytes())?;
        if prompt {
            out.flush()?;
        }
    }
    out.flush()?;
    misses.tell(lines);
    Ok(Outcome::Done)
}

/// Reads a line without its ending; false at the end. What exceeds the longest line that data may have is
/// dropped, so that a stream without line ends cannot fill the memory.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        let room = (MAX_LINE + 1).saturating_sub(line.len());
        line.extend_from_slice(&buffer[..taken.min(room)]);
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// A line as text, if it is text of a length that data may have.
fn readable(line: &[u8]) -> Result<&str, Miss> {
    std::str::from_utf8(line).ok().filter(|line| line.len() <= MAX_LINE).ok_or(Miss::Unreadable)
}

/// Why a line has no answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Miss {
    /// It is not UTF-8, or longer than a line of data may be.
    Unreadable,
    /// Nothing is on it.
    Empty,
    /// The model never saw one of its words.
    UnknownWord,
    /// It names a picture that is not there.
    NoPicture,
    /// One of its pictures shows nothing.
    Blank,
    /// No tree, or no reading, has a value.
    Unsolved,
    /// Another result is nearly as probable.
    Doubtful,
}

impl Miss {
    fn reason(self) -> &'static str {
        match self {
            Miss::Unreadable => "not UTF-8 or too long",
            Miss::Empty => "empty",
            Miss::UnknownWord => "with an unknown word",
            Miss::NoPicture => "naming no picture",
            Miss::Blank => "with a blank picture",
            Miss::Unsolved => "not worked out",
            Miss::Doubtful => "with another result nearly as probable",
        }
    }
}

/// Lines without an answer, by reason.
#[derive(Default)]
struct Misses(BTreeMap<Miss, usize>);

impl Misses {
    fn tell(&self, lines: usize) {
        let missed: usize = self.0.values().sum();
        if missed > 0 {
            let say = |(miss, count): (&Miss, &usize)| format!("{} {}", thousands(*count), miss.reason());
            let told: Vec<String> = self.0.iter().map(say).collect();
            let (missed, lines) = (thousands(missed), thousands(lines));
            tell(&format!("nsr: {missed} of {lines} lines without an answer: {}", told.join(", ")));
        }
    }
}

struct Predictor {
    model: Model,
    n_best: Option<usize>,
    margin: f64,
    symbols: Vec<Option<Symbol>>,
}

impl Predictor {
    fn new(model: Model, args: &Predict) -> Predictor {
        let n_best = args.n_best.map(usize::from);
        let margin = args.margin.unwrap_or(0.0);
        Predictor { model, n_best, margin, symbols: Vec::new() }
    }

    /// Writes the answer to `text`.
    fn work_out(&mut self, line: &str, text: &mut String) -> Result<(), Miss> {
        self.model.read_into(line, &mut self.symbols);
        if self.symbols.contains(&None) {
            tokenize(line, self.model.settings.tokens).for_each(|word| self.model.take_in(word));
            self.model.read_into(line, &mut self.symbols);
        }
        if self.symbols.is_empty() {
            return Err(Miss::Empty);
        }
        if self.symbols.contains(&None) {
            return Err(Miss::UnknownWord);
        }
        if self.n_best.is_some() || self.margin > 0.0 {
            return self.weigh(text);
        }
        let value = self.model.result(&self.symbols).ok_or(Miss::Unsolved)?;
        self.model.text_into(&value, text);
        Ok(())
    }

    /// Writes the most probable results, if the first of them is probable enough.
    fn weigh(&mut self, text: &mut String) -> Result<(), Miss> {
        let results = self.model.results(&self.symbols);
        let (first, probability) = results.first().ok_or(Miss::Unsolved)?;
        let next = results.get(1).map_or(0.0, |(_, probability)| *probability);
        if probability - next < self.margin {
            return Err(Miss::Doubtful);
        }
        let Some(n_best) = self.n_best else {
            self.model.text_into(first, text);
            return Ok(());
        };
        for (number, (value, probability)) in results.iter().take(n_best).enumerate() {
            text.push_str(if number == 0 { "" } else { "\t" });
            self.model.text_into(value, text);
            let _ = write!(text, "\t{probability:.4}");
        }
        Ok(())
    }
}
