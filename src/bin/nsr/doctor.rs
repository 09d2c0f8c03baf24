//! `nsr doctor`: one page on a data set, before anything is learned from it.

use crate::Outcome;
use crate::args::{DataArgs, Doctor};
use crate::text::{Paint, count, shorten_tokens, thousands};
use anyhow::bail;
use nsr::data::Part;
use nsr::report::checkup::{Checkup, Side, checkup};
use serde_json::json;
use std::io::{self, Write};

/// Texts are shown in so many characters.
const WIDTH: usize = 70;

/// Runs the command.
pub fn run(args: &Doctor, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    if data.has_pictures(&args.data) {
        bail!("{}: expected data with text as input, found rows of pictures", args.data);
    }
    let guessed = data.guesses(&args.data);
    let found = checkup(&data.load(&args.data, Part::Train, 0)?);
    match args.json {
        true => writeln!(out, "{}", json!(found))?,
        false => print(&found, guessed, out)?,
    }
    Ok(Outcome::Done)
}

fn print(found: &Checkup, guessed: [bool; 2], out: &mut impl Write) -> io::Result<()> {
    let paint = Paint::stdout();
    let examples = count(found.examples, "example");
    writeln!(
        out,
        "{}: {examples}, {}",
        paint.bold(&found.task),
        count(found.distinct_inputs, "distinct input")
    )?;
    let how = guessed.map(|guessed| if guessed { " (guessed; --tokens says otherwise)" } else { "" });
    let [inputs, outputs] = how;
    let outputs = outputs.replace("--tokens", "--output-tokens");
    writeln!(out, "\n{}", paint.bold("Inputs"))?;
    writeln!(out, "  cut into {}{inputs}", found.tokens)?;
    print_side(&found.inputs, out)?;
    writeln!(out, "\n{}", paint.bold("Outputs"))?;
    let kind = match found.outputs_are {
        "number" => "whole numbers",
        "truth" => "one of two, taken for truth values",
        _ => "lists of tokens",
    };
    writeln!(out, "  {kind}, cut into {}{outputs}", found.output_tokens)?;
    print_side(&found.outputs, out)?;
    writeln!(out, "\n{}", paint.bold("Shortest examples"))?;
    for pair in &found.shortest {
        let (input, output) = (shorten_tokens(&pair.input, WIDTH), shorten_tokens(&pair.output, WIDTH));
        writeln!(out, "  {input} → {output}")?;
    }
    print_wrong(found, out)
}

fn print_side(side: &Side, out: &mut impl Write) -> io::Result<()> {
    let tokens = count(side.distinct, "distinct token");
    writeln!(out, "  {tokens}; {} to {} a text, {:.1} on average", side.shortest, side.longest, side.mean)?;
    if side.once > 0 {
        let names = shorten_tokens(&side.seen_once.join(" "), WIDTH);
        let more = if side.once > side.seen_once.len() { " …" } else { "" };
        writeln!(out, "  {} seen once: {names}{more}", thousands(side.once))?;
    }
    Ok(())
}

fn print_wrong(found: &Checkup, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{}", Paint::stdout().bold("What looks wrong"))?;
    if found.contradictions > 0 {
        writeln!(out, "  {} with several outputs, such as", count(found.contradictions, "input"))?;
        for one in &found.contradictory {
            let outputs: Vec<String> =
                one.outputs.iter().map(|output| shorten_tokens(output, WIDTH / 2)).collect();
            writeln!(out, "    {} → {}", shorten_tokens(&one.input, WIDTH), outputs.join(" | "))?;
        }
    }
    for warning in &found.warnings {
        writeln!(out, "  {warning}")?;
    }
    if found.contradictions == 0 && found.warnings.is_empty() {
        writeln!(out, "  nothing")?;
    }
    Ok(())
}
