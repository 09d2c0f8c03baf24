//! `nsr experience`: programs that earlier tasks needed, for later ones.

use crate::args::{ExperienceArgs, ExperienceCommand};
use crate::text::{count, seconds};
use crate::{Outcome, interrupt, source};
use anyhow::bail;
use nsr::checkpoint;
use nsr::experience::{Experience, lessons};
use nsr::model::Model;
use nsr::report;
use nsr::training::{Event, Observer};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub fn run(args: &ExperienceArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    match &args.command {
        ExperienceCommand::Show { file } => show(&named(file.as_deref().unwrap_or(BUILT_IN))?, out)?,
        ExperienceCommand::Add { model, to } => add(model, to, out)?,
        ExperienceCommand::Learn { to } => learn(to, out)?,
    }
    Ok(Outcome::Done)
}

/// The names of experience that is in no file.
const BUILT_IN: &str = "built-in";
const NONE: &str = "none";

/// The experience for learning from a task or file: what was asked for, else for files what is built in. Tasks that others have figures for are
/// learned from nothing, as theirs were.
pub fn for_data(asked: Option<&str>, data: &str) -> anyhow::Result<Experience> {
    named(asked.unwrap_or(if source::is_task(data) { NONE } else { BUILT_IN }))
}

/// Experience by name or file.
pub fn named(name: &str) -> anyhow::Result<Experience> {
    Ok(match name {
        BUILT_IN => Experience::built_in(),
        NONE => Experience::none(),
        file => Experience::load(Path::new(file))?,
    })
}

fn show(experience: &Experience, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", count(experience.functions().len(), "function"))?;
    for learned in experience.functions() {
        let from = learned.from.join(", ");
        writeln!(out, "  {:<30} {:>5.1} bits, from {from}", learned.program.to_string(), learned.bits)?;
    }
    Ok(())
}

fn add(model: &Path, to: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let mut experience = if to.exists() { Experience::load(to)? } else { Experience::none() };
    let model: Model = checkpoint::load(model)?;
    let new = experience.add(&model);
    experience.save(to)?;
    writeln!(out, "{}: {new} new of {}", to.display(), count(experience.functions().len(), "function"))?;
    Ok(())
}

/// Stops when asked to, in silence.
struct Interrupted;

impl Observer for Interrupted {
    fn on(&mut self, _: &Event<'_>) {}

    fn stop(&self) -> bool {
        interrupt::asked()
    }
}

fn learn(to: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    checkpoint::check_writable(to)?;
    interrupt::listen()?;
    let start = Instant::now();
    let mut lines = Vec::new();
    let mut told = |model: &Model| {
        let learned = report::constructions(model).into_iter().filter(|one| one.slots > 0);
        let words: Vec<String> = learned.map(|one| format!("{} = {}", one.pattern, one.says)).collect();
        lines.push(format!("{}: {}", model.task, words.join(" · ")));
    };
    let experience = lessons::learn(&mut Interrupted, &mut told);
    if interrupt::asked() {
        bail!("stopped before all was learned; nothing was written");
    }
    experience.save(to)?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    writeln!(
        out,
        "{}: {} in {}",
        to.display(),
        count(experience.functions().len(), "function"),
        seconds(start.elapsed())
    )?;
    Ok(())
}
