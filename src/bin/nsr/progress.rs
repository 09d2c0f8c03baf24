//! Shows training live: on a terminal a view that changes in place, elsewhere a line now and then; and the
//! same as JSON lines in the log.

use crate::escape::{escape, tell};
use crate::interrupt;
use crate::log::Log;
use crate::text::{count, seconds, thousands};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use nsr::data::Dataset;
use nsr::model::Model;
use nsr::readable::{Readable, shorten};
use nsr::report::{Evolution, beliefs, constructions};
use nsr::symbol::Vocabulary;
use nsr::training::meaning::{Choice, Meanings, Round};
use nsr::training::{Event, Observer};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Without a terminal, lines come at most this often.
const PAUSE: Duration = Duration::from_secs(2);

/// Watches training on behalf of the user.
pub struct Progress<'a> {
    data: &'a Dataset,
    start: Instant,
    view: View,
    log: Log,
    /// Rounds of learning so far; of constructions, edits.
    pub rounds: usize,
    /// Distinct inputs.
    pub inputs: usize,
    /// Inputs that were given several outputs.
    pub contradictory: usize,
    /// Inputs left out because they or their results are too large.
    pub too_large: usize,
    /// How many examples meanings, and the parser, are learned from.
    pub chosen: Option<[usize; 2]>,
    /// What the words meant, round by round.
    pub evolution: Evolution,
}

enum View {
    Live(Live),
    Plain(Plain),
}

/// A line now and then, and what was solved since the last one.
#[derive(Default)]
struct Plain {
    last: Option<Instant>,
    solved: Vec<Solved>,
    news: News,
}

/// A solved word and its programs as definitions.
pub type Solved = (String, Vec<String>);

/// Tells which words were solved since it was last asked.
#[derive(Default)]
pub struct News {
    /// What was told last of each word; which of its programs is the likeliest does not matter.
    told: BTreeMap<String, BTreeSet<String>>,
}

impl News {
    /// At most so many programs are told at once, each in at most so many characters.
    const MOST: usize = 8;
    const WIDTH: usize = 60;

    /// The words that are solved now and were not before, or by another program, in one line.
    pub fn line(&mut self, solved: &[Solved]) -> Option<String> {
        // Beliefs go to and fro: a word that was open meanwhile is told again only if it means something else.
        let mut is_new = |(word, programs): &&Solved| {
            let programs: BTreeSet<String> = programs.iter().cloned().collect();
            self.told.insert(word.clone(), programs.clone()) != Some(programs)
        };
        let new: Vec<&Solved> = solved.iter().filter(|one| is_new(one)).collect();
        let programs = new.iter().take(News::MOST).flat_map(|(_, programs)| programs);
        let told: Vec<_> = programs.map(|program| shorten(program, News::WIDTH)).collect();
        let rest = match new.len().saturating_sub(News::MOST) {
            0 => String::new(),
            rest => format!(" · and {} more", thousands(rest)),
        };
        (!new.is_empty()).then(|| format!("  solved: {}{rest}", told.join(" · ")))
    }
}

/// Three lines: what happens, what is solved, what is open.
struct Live {
    lines: [ProgressBar; 3],
}

/// What is believed at some moment, in words.
pub struct Beliefs {
    /// Words with a settled meaning.
    pub solved: Vec<Solved>,
    open: Vec<String>,
}

impl Beliefs {
    /// What `meanings` say of the words called `inputs`.
    pub fn of(meanings: &Meanings, inputs: &Vocabulary, outputs: &Vocabulary) -> Beliefs {
        let readable = Readable::new(inputs, outputs, &meanings.lexicon);
        let mut told = Beliefs { solved: Vec::new(), open: Vec::new() };
        for belief in beliefs(meanings) {
            let name = inputs.names()[belief.word].clone();
            match belief.open {
                Some(_) => told.open.push(name),
                None => {
                    let define = |sense: &&_| readable.definition(belief.word, sense);
                    told.solved.push((name, belief.senses.iter().map(define).collect()));
                }
            }
        }
        told
    }
}

impl<'a> Progress<'a> {
    /// Starts to watch training on `data`.
    pub fn new(data: &'a Dataset, log: Log) -> Progress<'a> {
        let view = match std::io::stderr().is_terminal() {
            true => View::Live(Live::new()),
            false => View::Plain(Plain::default()),
        };
        Progress {
            data,
            start: Instant::now(),
            view,
            log,
            rounds: 0,
            inputs: 0,
            contradictory: 0,
            too_large: 0,
            chosen: None,
            evolution: Evolution::default(),
        }
    }

    /// Clears the view; tells whether the log was written.
    pub fn finish(mut self) -> anyhow::Result<()> {
        match &mut self.view {
            View::Live(live) => live.lines.iter().for_each(ProgressBar::finish_and_clear),
            View::Plain(plain) => plain.tell_news(),
        }
        self.log.finish()
    }

    /// Shows the constructions that a model ended in, those with slots, the most used first.
    pub fn show_constructions(&mut self, model: &Model) {
        let told = constructions(model).into_iter().filter(|one| one.slots > 0);
        let told = told.map(|one| (one.pattern.clone(), vec![format!("{} = {}", one.pattern, one.says)]));
        self.view.show_solved(told.collect());
    }

    fn meanings(&mut self, meanings: &Meanings, round: &Round) {
        self.rounds += 1;
        let status = format!(
            "round {}: {} of {} examples explained, {}",
            self.rounds,
            thousands(round.explained),
            thousands(round.examples),
            seconds(self.start.elapsed())
        );
        let beliefs = Beliefs::of(meanings, &self.data.inputs, &self.data.outputs);
        let names = [&self.data.inputs, &self.data.outputs];
        self.evolution.note(meanings, names, self.rounds, self.seconds());
        self.view.show(&status, Some(&beliefs));
        if self.log.is_open() {
            let solved: serde_json::Map<_, _> =
                beliefs.solved.into_iter().map(|(word, programs)| (word, json!(programs))).collect();
            self.log.write(&json!({
                "event": "meanings", "seconds": self.seconds(), "round": self.rounds, "start": meanings.start,
                "explained": round.explained, "examples": round.examples,
                "solved": solved, "unsolved": beliefs.open,
            }));
        }
    }

    fn tell(&mut self, status: &str, line: serde_json::Value) {
        self.view.show(&format!("{status}, {}", seconds(self.start.elapsed())), None);
        self.log.write(&line);
    }

    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

impl Observer for Progress<'_> {
    fn on(&mut self, event: &Event<'_>) {
        let time = self.seconds();
        match event {
            Event::Read { inputs, contradictory, too_large } => {
                (self.inputs, self.contradictory, self.too_large) = (*inputs, *contradictory, *too_large);
                self.tell(
                    &format!("read {}", count(*inputs, "distinct input")),
                    json!({ "event": "read", "seconds": time, "inputs": inputs, "contradictory": contradictory, "too_large": too_large }),
                );
            }
            Event::Chosen { meanings, syntax } => {
                self.chosen = Some([*meanings, *syntax]);
                self.log.write(&json!({
                    "event": "chosen", "seconds": time, "meanings": meanings, "parser": syntax,
                }));
            }
            Event::Meanings { meanings, round } => self.meanings(meanings, round),
            Event::Revised { choice, lexicon, with, without } => {
                let what = match choice {
                    Choice::Program(program) => lexicon.programs[*program as usize].body.to_string(),
                    Choice::Children(word, children) => {
                        let name = self.data.inputs.names()[*word as usize].as_str();
                        format!("{name} with {}", count((*children).into(), "argument"))
                    }
                };
                self.tell(
                    &format!("revisited {what}: {with:.0} bits with it, {without:.0} without"),
                    json!({ "event": "revised", "seconds": time, "choice": what, "with": with, "without": without }),
                );
            }
            Event::Parser { states, classes, epochs } => self.tell(
                &format!("parser: {} of {} learned", count(*states, "state"), count(*classes as usize, "word class")),
                json!({ "event": "parser", "seconds": time, "states": states, "classes": classes, "epochs": epochs }),
            ),
            Event::Deduced { right, examples } => self.tell(
                &format!("parser: {} of {} answered right", thousands(*right), thousands(*examples)),
                json!({ "event": "deduced", "seconds": time, "right": right, "examples": examples }),
            ),
            Event::Theory { entries, held_out_right, held_out } => self.tell(
                &format!(
                    "{} learned, {} of {} answered right that were held out",
                    count(*entries, "construction"), thousands(*held_out_right), count(*held_out, "example")
                ),
                json!({
                    "event": "theory", "seconds": time, "entries": entries,
                    "held_out_right": held_out_right, "held_out": held_out,
                }),
            ),
            Event::Values { entries, right, asked } => self.tell(
                &format!(
                    "{} learned, {} of {} answered right",
                    count(*entries, "construction"), thousands(*right), count(*asked, "example")
                ),
                json!({
                    "event": "values", "seconds": time, "entries": entries, "right": right, "asked": asked,
                }),
            ),
            Event::Edit { by, bits, total, entry } => {
                self.rounds += 1;
                self.log.write(&json!({
                    "event": "edit", "seconds": time, "by": by, "bits": bits, "total": total, "entry": entry,
                }));
            }
            // Words need no seeing.
            Event::Seeing(_) => {}
        }
    }

    fn stop(&self) -> bool {
        interrupt::asked()
    }
}

impl View {
    fn show_solved(&mut self, solved: Vec<Solved>) {
        match self {
            View::Live(live) => live.show_solved(&solved),
            View::Plain(plain) if !solved.is_empty() => plain.solved = solved,
            View::Plain(_) => {}
        }
    }

    fn show(&mut self, status: &str, beliefs: Option<&Beliefs>) {
        match self {
            View::Live(live) => live.show(status, beliefs),
            View::Plain(plain) => plain.show(status, beliefs),
        }
    }
}

impl Plain {
    fn show(&mut self, status: &str, beliefs: Option<&Beliefs>) {
        if let Some(beliefs) = beliefs {
            self.solved.clone_from(&beliefs.solved);
        }
        if self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        let words = beliefs.map_or(String::new(), |beliefs| {
            let all = beliefs.solved.len() + beliefs.open.len();
            format!("; {} of {} words solved", beliefs.solved.len(), all)
        });
        tell(&format!("{status}{words}"));
        self.tell_news();
        self.last = Some(Instant::now());
    }

    fn tell_news(&mut self) {
        if let Some(line) = self.news.line(&self.solved) {
            tell(&line);
        }
    }
}

impl Live {
    fn new() -> Live {
        let all = MultiProgress::new();
        let templates =
            ["{spinner:.cyan} {wide_msg}", "  {prefix:.dim} {wide_msg}", "  {prefix:.dim} {wide_msg}"];
        let lines = templates.map(|template| {
            let style =
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
            all.add(ProgressBar::new_spinner().with_style(style))
        });
        lines[0].enable_steady_tick(Duration::from_millis(100));
        lines[1].set_prefix("solved");
        lines[2].set_prefix("open  ");
        Live { lines }
    }

    fn show(&self, status: &str, beliefs: Option<&Beliefs>) {
        self.lines[0].set_message(escape(status).into_owned());
        if let Some(beliefs) = beliefs {
            self.show_solved(&beliefs.solved);
            self.lines[2].set_message(format!("{}: {}", beliefs.open.len(), escape(&beliefs.open.join(" "))));
        }
    }

    fn show_solved(&self, solved: &[Solved]) {
        // The latest finds are the most interesting ones, but a steady order is easier to read.
        let programs: Vec<String> =
            solved.iter().flat_map(|(_, programs)| programs.iter().cloned()).collect();
        if !programs.is_empty() {
            self.lines[1].set_message(format!("{}: {}", solved.len(), escape(&programs.join(" · "))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_news_are_told_and_not_too_many() {
        let solved = |words: std::ops::Range<usize>| -> Vec<Solved> {
            words.map(|word| (format!("w{word}"), vec![format!("w{word} = {word}")])).collect()
        };
        let mut news = News::default();
        assert_eq!(news.line(&[]), None);
        assert_eq!(news.line(&solved(0..2)).unwrap(), "  solved: w0 = 0 · w1 = 1");
        assert_eq!(news.line(&solved(0..3)).unwrap(), "  solved: w2 = 2");
        assert_eq!(news.line(&solved(0..3)), None);
        assert_eq!(news.line(&solved(0..1)), None);
        assert_eq!(news.line(&solved(0..3)), None);
        let other = ("w1".to_owned(), vec!["w1 x = x".to_owned()]);
        assert_eq!(news.line(&[other]).unwrap(), "  solved: w1 x = x");
        assert!(news.line(&solved(3..20)).unwrap().ends_with("w10 = 10 · and 9 more"));
    }
}
