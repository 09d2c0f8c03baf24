//! `nsr eval`: tests a model.

use crate::args::{DataArgs, Eval};
use crate::text::{Paint, count, pad, percent, thousands};
use crate::{Outcome, draw, explain, images, source};
use anyhow::Context;
use nsr::checkpoint;
use nsr::data::{Origin, Part};
use nsr::evaluate::{Calibration, Kept, Score, Scores, calibration, evaluate, evaluate_images};
use nsr::model::Model;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::time::Instant;

/// Runs the command.
pub fn run(args: &Eval, data: &DataArgs, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let model = checkpoint::load(&args.model)?;
    if images::reads_pictures(&model, &args.model, data.has_pictures(&args.data))? {
        return with_pictures(args, data, &model, start, out);
    }
    let test = data.cut_like(&model)?.load(&args.data, Part::Test, model.settings.seed)?;
    let scores = evaluate(&model, &test);
    let calibration = args.calibration.as_ref().map(|_| calibration(&model, &test));
    if let Some(calibration) = &calibration {
        explain::save(args.calibration.as_deref(), || draw::reliability::draw(calibration))?;
    }
    match args.json {
        true => {
            let mut object = as_json(&scores, test.origin, start.elapsed().as_secs_f64());
            if let Some(calibration) = &calibration {
                object["calibration"] = json!(calibration);
            }
            writeln!(out, "{object}")?;
        }
        false => {
            let part = if source::is_task(&args.data) { ", test part" } else { "" };
            writeln!(out, "{}{part}", test.name)?;
            print(&scores, out)?;
            calibration.iter().try_for_each(|calibration| print_calibration(calibration, out))?;
        }
    }
    Ok(Outcome::Done)
}

fn print_calibration(calibration: &Calibration, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "  calibration error {:.3} ({:.3} by chance)", calibration.error, calibration.by_chance)?;
    for Kept { margin, coverage, precision } in &calibration.kept {
        let (coverage, precision) = (percent(*coverage), percent(*precision));
        writeln!(out, "    margin {margin:<4}  coverage {coverage:>6} %  precision {precision:>6} %")?;
    }
    Ok(())
}

/// The same for rows of pictures.
fn with_pictures(
    args: &Eval,
    data: &DataArgs,
    model: &Model,
    start: Instant,
    out: &mut impl Write,
) -> anyhow::Result<Outcome> {
    let processor = data.processor()?;
    let test = data.load_images(&args.data, Part::Test, &model.settings)?;
    let scores = evaluate_images(model, &test, &processor)?.context("the model has not learned to see")?;
    match args.json {
        true => {
            let mut object = as_json(&scores.read, test.origin, start.elapsed().as_secs_f64());
            object["symbol_by_symbol"] = json!(scores.plain.all.accuracy());
            writeln!(out, "{object}")?;
        }
        false => {
            writeln!(out, "{}", test.name)?;
            images::print_scores(&scores, out)?;
        }
    }
    Ok(Outcome::Done)
}

fn as_json(scores: &Scores, origin: Origin, seconds: f64) -> Value {
    let Score { examples, correct, .. } = scores.all;
    let mut object = json!({
        "examples": examples,
        "correct": correct,
        "seconds": seconds,
        "data": source::kind(origin),
    });
    add_scores(&mut object, scores);
    object
}

/// Adds the shares of the whole and of each subset to `object`, and missing answers.
pub fn add_scores(object: &mut Value, scores: &Scores) {
    add_shares(object, &scores.all);
    object["unanswered"] = json!(scores.all.unanswered);
    let subset = |(name, score): &(String, Score)| {
        let mut object = json!({ "examples": score.examples, "correct": score.correct });
        add_shares(&mut object, score);
        (name.clone(), object)
    };
    object["subsets"] = scores.subsets.iter().map(subset).collect::<Map<_, _>>().into();
}

fn add_shares(object: &mut Value, score: &Score) {
    object["accuracy"] = json!(score.accuracy());
    object["coverage"] = json!(score.coverage());
    object["precision"] = json!(score.precision());
}

/// How much is answered, and how much of that is right.
pub fn coverage(score: &Score) -> String {
    format!("coverage {} %, precision {} %", percent(score.coverage()), percent(score.precision()))
}

/// Prints accuracy, coverage and precision, subsets and missing answers.
pub fn print(scores: &Scores, out: &mut impl Write) -> std::io::Result<()> {
    let paint = Paint::stdout();
    let all = &scores.all;
    let right = format!("{} of {} right", thousands(all.correct), thousands(all.examples));
    writeln!(out, "  {} %  {right}; {}", paint.bold(&percent(all.accuracy())), coverage(all))?;
    let longest = scores.subsets.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, score) in &scores.subsets {
        let right = format!("{} of {}", thousands(score.correct), thousands(score.examples));
        writeln!(out, "    {}  {} %  {right}", pad(name, longest), percent(score.accuracy()))?;
    }
    writeln!(out, "  {}", paint.dim(&format!("{} without an answer", count(all.unanswered, "input"))))
}
