//! `nsr explain`: how an input is worked out.

use crate::args::{DataArgs, Explain};
use crate::text::Paint;
use crate::{Outcome, draw, images};
use anyhow::{Context, bail};
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
    let explanations = match args.n_best {
        Some(most) => report::explain_best(&model, &text, most.get()),
        None => report::explain(&model, &text).map(|explanation| vec![explanation]),
    };
    let Some([best, ..]) = explanations.as_deref() else {
        bail!("INPUT: expected at least one word, found none");
    };
    save(args.svg.as_deref(), || draw::svg::draw(best, &[]))?;
    save(args.dot.as_deref(), || draw::dot::draw(best))?;
    for (number, explanation) in explanations.iter().flatten().enumerate() {
        if args.json {
            writeln!(out, "{}", serde_json::to_string(explanation)?)?;
            continue;
        }
        write!(out, "{}", if number == 0 { "" } else { "\n" })?;
        print(explanation, out)?;
        if let Some(probability) = explanation.log_probability.filter(|_| args.n_best.is_some()) {
            writeln!(out, "{}", Paint::stdout().dim(&format!("probability {:.4}", probability.exp())))?;
        }
    }
    Ok(if best.output.is_some() { Outcome::Done } else { Outcome::NoAnswer })
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
