//! `nsr explain`: how an input is worked out.

use crate::args::{DataArgs, Explain};
use crate::text::Paint;
use crate::{Outcome, draw, images};
use anyhow::Context;
use nsr::checkpoint;
use nsr::data::tokenize;
use nsr::report::{self, Explanation};
use std::io::Write;
use std::path::Path;

/// Runs the command.
pub fn run(args: &Explain, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let model = checkpoint::load(&args.model)?;
    if images::reads_pictures(&model, &args.model, data.names_pictures())? {
        return images::explain(&model, data, args, out);
    }
    data.cut_like(&model)?;
    let text = args.words.join(" ");
    let model = model.with_newcomers(tokenize(&text, model.settings.tokens));
    let Some(explanation) = report::explain(&model, &text) else {
        anyhow::bail!("INPUT: expected at least one word, found none");
    };
    save(args.svg.as_deref(), || draw::svg::draw(&explanation, &[]))?;
    save(args.dot.as_deref(), || draw::dot::draw(&explanation))?;
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&explanation)?)?,
        false => print(&explanation, out)?,
    }
    Ok(match explanation.output {
        Some(_) => Outcome::Done,
        None => Outcome::NoAnswer,
    })
}

/// Writes a drawing, if it is asked for.
pub fn save(path: Option<&Path>, draw: impl FnOnce() -> String) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    checkpoint::write(path, draw().as_bytes()).with_context(|| path.display().to_string())
}

/// Draws the tree and the result for a terminal.
pub fn print(explanation: &Explanation, out: &mut impl Write) -> anyhow::Result<()> {
    let paint = Paint::stdout();
    write!(out, "{}", draw::terminal::draw(explanation, paint))?;
    let result = match &explanation.output {
        Some(output) => output.as_str(),
        None => "no answer",
    };
    writeln!(out, "\n{} {}", paint.dim("="), paint.bold(result))?;
    Ok(())
}
