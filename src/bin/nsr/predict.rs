//! `nsr predict`: a line in, a line out.

use crate::args::{DataArgs, Predict};
use crate::text::thousands;
use crate::{Outcome, images};
use anyhow::Context;
use nsr::checkpoint;
use nsr::data::{MAX_LINE, tokenize};
use nsr::model::Model;
use nsr::symbol::Symbol;
use nsr::syntax::Workspace;
use std::io::{self, BufRead, BufReader, Write};

/// Runs the command.
pub fn run(args: &Predict, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let model = checkpoint::load(&args.model)?;
    if model.eyes.is_some() {
        return images::predict(&model, data, out);
    }
    let stdin = io::stdin();
    // A person at the keyboard wants each answer at once; a pipe wants them fast.
    let prompt = io::IsTerminal::is_terminal(&stdin);
    let mut lines = BufReader::with_capacity(1 << 16, stdin.lock());
    let mut predictor = Predictor::new(model);
    let mut line = Vec::new();
    while next_line(&mut lines, &mut line).context("standard input")? {
        predictor.answer(&line, out)?;
        if prompt {
            out.flush()?;
        }
    }
    out.flush()?;
    predictor.tell();
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

struct Predictor {
    model: Model,
    /// What words never seen are like, if that is clear.
    kin: Option<Symbol>,
    workspace: Workspace,
    symbols: Vec<Option<Symbol>>,
    text: String,
    lines: usize,
    misses: Misses,
}

/// Lines without an answer, by reason.
#[derive(Default)]
struct Misses {
    unreadable: usize,
    empty: usize,
    unknown: usize,
    unsolved: usize,
}

impl Predictor {
    fn new(model: Model) -> Predictor {
        let (workspace, misses) = (Workspace::new(), Misses::default());
        let kin = model.kin_of_newcomers();
        Predictor { model, kin, workspace, symbols: Vec::new(), text: String::new(), lines: 0, misses }
    }

    fn answer(&mut self, line: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.lines += 1;
        self.text.clear();
        self.work_out(line);
        self.text.push('\n');
        out.write_all(self.text.as_bytes())
    }

    /// Writes the answer to `text`, or counts a miss.
    fn work_out(&mut self, line: &[u8]) {
        let Some(line) = std::str::from_utf8(line).ok().filter(|line| line.len() <= MAX_LINE) else {
            self.misses.unreadable += 1;
            return;
        };
        self.model.read_into(line, &mut self.symbols);
        if let Some(kin) = self.kin.filter(|_| self.symbols.contains(&None)) {
            tokenize(line, self.model.settings.tokens).for_each(|word| self.model.take_in(word, kin));
            self.model.read_into(line, &mut self.symbols);
        }
        if self.symbols.is_empty() {
            self.misses.empty += 1;
        } else if self.symbols.contains(&None) {
            self.misses.unknown += 1;
        } else {
            match self.model.result(&self.symbols, &mut self.workspace).0 {
                Some(value) => self.model.text_into(&value, &mut self.text),
                None => self.misses.unsolved += 1,
            }
        }
    }

    fn tell(&self) {
        let Misses { unreadable, empty, unknown, unsolved } = self.misses;
        let reasons = [
            (unreadable, "not UTF-8 or too long"),
            (empty, "empty"),
            (unknown, "with an unknown word"),
            (unsolved, "not worked out"),
        ];
        let missed = unreadable + empty + unknown + unsolved;
        if missed > 0 {
            let told = reasons.iter().filter(|(count, _)| *count > 0);
            let told: Vec<String> = told.map(|(count, why)| format!("{} {why}", thousands(*count))).collect();
            let (missed, lines) = (thousands(missed), thousands(self.lines));
            eprintln!("nsr: {missed} of {lines} lines without an answer: {}", told.join(", "));
        }
    }
}
