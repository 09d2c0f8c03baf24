//! Scores of a model on rows of pictures.

use super::{Score, Scores, add_up};
use crate::data::picture::Pictures;
use crate::data::{ImageDataset, ImageExample};
use crate::error::Result;
use crate::model::Model;
use crate::perception::SymbolProbs;
use crate::perception::network::Processor;
use crate::reading::{Reader, Reading};
use rayon::prelude::*;

/// How a model did on rows of pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageScores {
    /// Rows read as a whole: the most probable reading that makes sense.
    pub read: Scores,
    /// Rows read symbol by symbol.
    pub plain: Scores,
}

/// Asks `model` all rows of `data`; `None` if it has not learned to see, or pictures of this size.
pub fn evaluate_images(
    model: &Model,
    data: &ImageDataset,
    processor: &Processor,
) -> Result<Option<ImageScores>> {
    let Some(seen) = look(model, &data.pictures, processor)? else { return Ok(None) };
    let reader = Reader::new(model);
    let ask = |row: &ImageExample| ask_row((model, &reader), data, row, &seen);
    let (read, plain): (Vec<Score>, Vec<Score>) = data.examples.par_iter().map(ask).unzip();
    let add_up =
        |scores: &[Score]| add_up(scores, data.examples.iter().map(|example| example.subset), &data.subsets);
    Ok(Some(ImageScores { read: add_up(&read), plain: add_up(&plain) }))
}

/// What the model takes every picture for, a blank one for nothing; `None` if it has not learned to see, or pictures of this size.
pub fn look(model: &Model, pictures: &Pictures, processor: &Processor) -> Result<Option<Vec<SymbolProbs>>> {
    let Some(eyes) = model.eyes.as_ref().filter(|eyes| eyes.config().side == pictures.side() as usize) else {
        return Ok(None);
    };
    let mut seen = eyes.ranked(&processor.predict(eyes, pictures.pixels())?);
    for (number, probs) in (0..).zip(&mut seen) {
        // A network has to choose some symbol, and may be sure of it.
        if pictures.is_blank(number) {
            *probs = SymbolProbs::default();
        }
    }
    Ok(Some(seen))
}

fn ask_row(
    (model, reader): (&Model, &Reader<'_>),
    data: &ImageDataset,
    example: &ImageExample,
    seen: &[SymbolProbs],
) -> (Score, Score) {
    let row: Vec<SymbolProbs> = example.input.iter().map(|&picture| seen[picture as usize].clone()).collect();
    let wanted: Vec<&str> = example.output.iter().map(|&token| data.outputs.name(token)).collect();
    let wanted = wanted.join(" ");
    let score = |reading: Option<Reading>| {
        let value = reading.and_then(|reading| reading.value(model));
        Score::of(value.map(|value| model.text(&value)), &wanted)
    };
    (score(reader.read(&row)), score(reader.plain(&row)))
}
