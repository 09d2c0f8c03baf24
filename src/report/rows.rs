//! How a row of pictures is read and worked out.

use super::explanation::{Explanation, Seen, tell};
use crate::data::picture::Pictures;
use crate::model::Model;
use crate::perception::{Perception, SymbolProbs};
pub use crate::reading::Reader;
use crate::reading::Reading;

/// Works out a row of pictures and tells how; `None` if it is empty or the model cannot see such pictures.
pub fn explain_row(
    model: &Model,
    pictures: &Pictures,
    row: &[u32],
    probs: &[SymbolProbs],
) -> Option<Explanation> {
    let reading = reading(model, probs)?;
    let words: Vec<&str> = reading.symbols.iter().map(|&symbol| model.inputs.name(symbol)).collect();
    let seen = row.iter().zip(&reading.symbols).zip(probs).map(|((&number, &symbol), probs)| Seen {
        picture: pictures.name(number).map_or(number.to_string(), str::to_owned),
        symbol: model.inputs.name(symbol).to_owned(),
        probability: probs.0.iter().find(|(other, _)| *other == symbol).map_or(0.0, |&(_, p)| p),
    });
    let told = tell(model, &words, reading.answer.as_ref(), None);
    Some(Explanation { seen: seen.collect(), ..told })
}

/// The answer to a row of pictures as text; `None` if there is none.
pub fn answer_row(model: &Model, probs: &[SymbolProbs]) -> Option<String> {
    reading(model, probs)?.value(model).map(|value| model.text(&value))
}

/// How probable symbols are for each picture of a row, looked at alone, none for a blank one; `None` if the model cannot see pictures of this
/// size, or there is none.
pub fn look_at(model: &Model, pictures: &Pictures, row: &[u32]) -> Option<Vec<SymbolProbs>> {
    let eyes = model.eyes.as_ref().filter(|eyes| eyes.config().side == pictures.side() as usize)?;
    let pixels: Option<Vec<&[u8]>> = row.iter().map(|&number| pictures.get(number)).collect();
    let mut probs = eyes.perceive(&pixels.filter(|pixels| !pixels.is_empty())?);
    for (probs, _) in probs.iter_mut().zip(row).filter(|(_, number)| pictures.is_blank(**number)) {
        *probs = SymbolProbs::default();
    }
    Some(probs)
}

/// The best reading that makes sense, or else the plain one.
fn reading(model: &Model, probs: &[SymbolProbs]) -> Option<Reading> {
    let reader = Reader::new(model);
    reader.read(probs).or_else(|| reader.plain(probs))
}
