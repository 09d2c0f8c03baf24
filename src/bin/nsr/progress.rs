//! Shows training live: on a terminal a view that changes in place, elsewhere a line now and then; and the
//! same as JSON lines in the log.

use crate::escape::{escape, tell};
use crate::interrupt;
use crate::log::Log;
use crate::text::{count, percent, seconds, thousands};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use nsr::model::Model;
use nsr::report::{Construction, constructions, shorten};
use nsr::training::{Event, Observer, Step};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Without a terminal, lines come at most this often.
const PAUSE: Duration = Duration::from_secs(2);

/// Watches training on behalf of the user.
pub struct Progress {
    start: Instant,
    view: View,
    log: Log,
    /// What is tried, in words.
    tried: &'static str,
    /// The kind of steps that are told, and the bits of the first of them.
    first: Option<(&'static str, f64)>,
    /// Edits so far.
    pub rounds: usize,
    /// Distinct inputs.
    pub inputs: usize,
    /// Inputs that were given several outputs.
    pub contradictory: usize,
    /// Inputs left out because they or their results are too large.
    pub too_large: usize,
    /// How many examples constructions are learned from, and over how many it is counted what fills what.
    pub chosen: Option<[usize; 2]>,
}

enum View {
    Live(Live),
    Plain(Plain),
}

/// A line now and then.
#[derive(Default)]
struct Plain {
    last: Cell<Option<Instant>>,
    /// What is to be told when the pause is over.
    waiting: RefCell<Option<String>>,
}

/// Of what was learned, at most so many constructions are told, each in at most so many characters.
const MOST: usize = 8;
const WIDTH: usize = 60;

/// Two lines: what happens, and what is solved.
struct Live {
    lines: [ProgressBar; 2],
}

impl Progress {
    /// Starts to watch training.
    pub fn new(log: Log) -> Progress {
        let view = match std::io::stderr().is_terminal() {
            true => View::Live(Live::new()),
            false => View::Plain(Plain::default()),
        };
        Progress {
            start: Instant::now(),
            view,
            log,
            tried: "constructions",
            first: None,
            rounds: 0,
            inputs: 0,
            contradictory: 0,
            too_large: 0,
            chosen: None,
        }
    }

    /// Shows the constructions that a model ended in, those with slots, the most used first.
    pub fn show_constructions(&self, model: &Model) {
        let all: Vec<Construction> = constructions(model).into_iter().filter(|one| one.slots > 0).collect();
        if all.is_empty() {
            return;
        }
        let told = all.iter().map(|one| format!("{} = {}", one.pattern, one.says));
        match &self.view {
            View::Live(live) => {
                let told = told.collect::<Vec<_>>().join(" · ");
                live.lines[1].set_message(format!("{}: {}", all.len(), escape(&told)));
            }
            View::Plain(_) => {
                let told = told.take(MOST).map(|one| shorten(&one, WIDTH).into_owned());
                let rest = all.len().saturating_sub(MOST);
                let rest = (rest > 0).then(|| format!("and {} more", thousands(rest)));
                tell(&format!("  solved: {}", told.chain(rest).collect::<Vec<_>>().join(" · ")));
            }
        }
    }

    /// Clears the view; tells whether the log was written.
    pub fn finish(self) -> anyhow::Result<()> {
        if let View::Live(live) = &self.view {
            live.lines.iter().for_each(ProgressBar::finish_and_clear);
        }
        self.log.finish()
    }

    fn tell(&self, status: &str) {
        self.view.show(&format!("{status}, {}", seconds(self.start.elapsed())));
    }

    /// Shows a step of a search: how far bits have fallen since the first that was told of this kind.
    fn step(&mut self, Step { what, bits, explained }: &Step) {
        let first = self.first.filter(|(kind, _)| kind == what).map_or(*bits, |(_, first)| first);
        self.first = Some((what, first));
        let [now, before] = [*bits, first].map(|bits| thousands(bits.max(0.0).round() as usize));
        let share = explained.map(|share| format!(", {} % of examples explained", percent(share)));
        let share = share.unwrap_or_default();
        self.tell(&format!("trying {}: {what}, {now} bits ({before} at first){share}", self.tried));
    }

    /// An event as a line of the log.
    fn line(&self, event: &Event<'_>) -> Value {
        let fields = match event {
            Event::Tries(what) => json!({ "event": "tries", "what": what }),
            event => json!(event),
        };
        let mut line = json!({ "event": null, "seconds": self.start.elapsed().as_secs_f64() });
        if let (Some(line), Value::Object(fields)) = (line.as_object_mut(), fields) {
            line.extend(fields);
        }
        line
    }
}

impl Observer for Progress {
    fn on(&mut self, event: &Event<'_>) {
        // Words need no seeing.
        if !matches!(event, Event::Seeing(_)) {
            let line = self.line(event);
            self.log.write(&line);
        }
        match event {
            Event::Read { inputs, contradictory, too_large } => {
                (self.inputs, self.contradictory, self.too_large) = (*inputs, *contradictory, *too_large);
                self.tell(&format!("read {}", count(*inputs, "distinct input")));
            }
            Event::Chosen { learned_from, counted } => self.chosen = Some([*learned_from, *counted]),
            Event::Looked { templates, lists } => {
                let lists = lists.map_or(String::new(), |share| format!(", lists {} %", percent(share)));
                let templates = percent(*templates);
                self.tell(&format!("a first look: templates take {templates} % of the bits{lists}"));
            }
            Event::Tries(what) => {
                (self.tried, self.first) = (what, None);
                self.tell(&format!("trying {what}"));
            }
            Event::Step(step) => self.step(step),
            Event::Computed { entries } => {
                self.tell(&format!("{} of numbers, which are taken out", count(*entries, "construction")));
            }
            Event::Theory { entries, bits, held_out_right, held_out } => {
                let bits = bits.map_or(String::new(), |bits| format!(" ({} bits)", thousands(bits as usize)));
                let learned = count(*entries, "construction");
                let (right, asked) = (thousands(*held_out_right), count(*held_out, "example"));
                self.tell(&format!(
                    "{learned} learned{bits}, {right} of {asked} answered right that were held out"
                ));
            }
            Event::Values { entries, right, asked } => {
                let (right, asked) = (thousands(*right), count(*asked, "example"));
                self.tell(&format!(
                    "{} learned, {right} of {asked} answered right",
                    count(*entries, "construction")
                ));
            }
            Event::Parser { .. } => self.tell("parser learned"),
            Event::Edit { .. } => self.rounds += 1,
            Event::Seeing(_) => {}
        }
    }

    fn stop(&self) -> bool {
        if let View::Plain(plain) = &self.view {
            plain.catch_up();
        }
        interrupt::asked()
    }
}

impl View {
    fn show(&self, status: &str) {
        match self {
            View::Live(live) => live.lines[0].set_message(escape(status).into_owned()),
            View::Plain(plain) => plain.show(status),
        }
    }
}

impl Plain {
    fn show(&self, status: &str) {
        self.waiting.replace(Some(status.to_owned()));
        self.catch_up();
    }

    /// Tells the last line that came too early, if nothing has come after it: what takes long is said to have begun.
    fn catch_up(&self) {
        if self.last.get().is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        if let Some(status) = self.waiting.take() {
            tell(&status);
            self.last.set(Some(Instant::now()));
        }
    }
}

impl Live {
    fn new() -> Live {
        let all = MultiProgress::new();
        let templates = ["{spinner:.cyan} {wide_msg}", "  {prefix:.dim} {wide_msg}"];
        let lines = templates.map(|template| {
            let style =
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
            all.add(ProgressBar::new_spinner().with_style(style))
        });
        lines[0].enable_steady_tick(Duration::from_millis(100));
        lines[1].set_prefix("solved");
        Live { lines }
    }
}
