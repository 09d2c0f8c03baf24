//! Shows training live: on a terminal a view that changes in place, elsewhere a line now and then; and the
//! same as JSON lines in the log.

use crate::interrupt;
use crate::log::Log;
use crate::text::{count, seconds, thousands};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use nsr::data::Dataset;
use nsr::readable::Readable;
use nsr::report::{Evolution, beliefs};
use nsr::training::meaning::{Choice, Meanings, Round};
use nsr::training::{Event, Observer};
use serde_json::json;
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
    /// Rounds of learning so far.
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
    Plain { last: Option<Instant> },
}

/// Three lines: what happens, what is solved, what is open.
struct Live {
    lines: [ProgressBar; 3],
}

/// What is believed at some moment, in words.
struct Beliefs {
    solved: Vec<(String, Vec<String>)>,
    open: Vec<String>,
}

impl<'a> Progress<'a> {
    /// Starts to watch training on `data`.
    pub fn new(data: &'a Dataset, log: Log) -> Progress<'a> {
        let view = match std::io::stderr().is_terminal() {
            true => View::Live(Live::new()),
            false => View::Plain { last: None },
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
    pub fn finish(self) -> anyhow::Result<()> {
        if let View::Live(live) = &self.view {
            live.lines.iter().for_each(ProgressBar::finish_and_clear);
        }
        self.log.finish()
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
        let beliefs = self.beliefs(meanings);
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

    fn beliefs(&self, meanings: &Meanings) -> Beliefs {
        let readable = Readable::new(&self.data.inputs, &self.data.outputs, &meanings.lexicon);
        let mut told = Beliefs { solved: Vec::new(), open: Vec::new() };
        for belief in beliefs(meanings) {
            let name = self.data.inputs.names()[belief.word].clone();
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
            // Words need no seeing.
            Event::Seeing(_) => {}
        }
    }

    fn stop(&self) -> bool {
        interrupt::asked()
    }
}

impl View {
    /// Whether the next status will be shown: nobody waits for what is only thrown away.
    fn is_due(&self) -> bool {
        match self {
            View::Live(_) => true,
            View::Plain { last } => last.is_none_or(|last| last.elapsed() >= PAUSE),
        }
    }

    fn show(&mut self, status: &str, beliefs: Option<&Beliefs>) {
        if !self.is_due() {
            return;
        }
        match self {
            View::Live(live) => live.show(status, beliefs),
            View::Plain { last } => {
                let words = beliefs.map_or(String::new(), |beliefs| {
                    let all = beliefs.solved.len() + beliefs.open.len();
                    format!("; {} of {} words solved", beliefs.solved.len(), all)
                });
                eprintln!("{status}{words}");
                *last = Some(Instant::now());
            }
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
        self.lines[0].set_message(status.to_owned());
        if let Some(beliefs) = beliefs {
            // The latest finds are the most interesting ones, but a steady order is easier to read.
            let solved: Vec<String> =
                beliefs.solved.iter().flat_map(|(_, programs)| programs.iter().cloned()).collect();
            self.lines[1].set_message(format!("{}: {}", beliefs.solved.len(), solved.join(" · ")));
            self.lines[2].set_message(format!("{}: {}", beliefs.open.len(), beliefs.open.join(" ")));
        }
    }
}
