//! A trained model learns words it has never seen, from few examples, and forgets nothing: known constructions stay as they are.

use super::{Event, Observer, distinct, theory, values};
use crate::data::{Dataset, Example};
use crate::error::{Error, Result};
use crate::model::{Known, Model, OutputKind};
use crate::symbol::{Symbol, Vocabulary};

/// Teaches `model` the words of `data` that it does not know. Without any, it stays as it is.
///
/// Fails if the results of the two are of different kinds.
pub fn extend(model: Model, data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Result<Model> {
    let data = renumber(&model, data)?;
    if data.inputs.len() == model.inputs.len() {
        return Ok(model);
    }
    let read = distinct(&data.examples);
    let (inputs, contradictory) = (read.pairs.len(), read.contradictory);
    observer.on(&Event::Read { inputs, contradictory, too_large: 0 });
    let without_numbers = model.computed.as_ref().map(|computed| computed.taken_out(&data));
    let known = match &model.known {
        Known::Says(known) => {
            let data = without_numbers.as_ref().unwrap_or(&data);
            theory::extend(known, data, observer).map(|known| Known::Says(Box::new(known)))
        }
        Known::Computes(known) => {
            let experience = &model.settings.experience;
            Some(Known::Computes(Box::new(values::extend(known, &data, experience, observer))))
        }
    };
    // What could not be stored is not learned.
    let Some(known) = known else { return Ok(model) };
    let model = Model { known, ..model }.extended(&data, seed, !observer.stop());
    values::tell(&model, observer);
    Ok(model)
}

/// `data` in the symbols of `model`, with new ones after those.
pub fn renumber(model: &Model, data: &Dataset) -> Result<Dataset> {
    // Numbers may be tokens, but tokens are no numbers.
    if model.kind() == OutputKind::Number && OutputKind::of(data) == OutputKind::Tokens && !data.is_empty() {
        let expected = "results that are numbers, as the model's are";
        return Err(Error::data(&data.name, expected, "lists of tokens"));
    }
    let (mut inputs, mut outputs) = (model.inputs.clone(), model.outputs.clone());
    let (words, tokens) = (join(&mut inputs, &data.inputs), join(&mut outputs, &data.outputs));
    let of = |numbers: &[Symbol], symbols: &[Symbol]| {
        symbols.iter().map(|symbol| numbers[symbol.index()]).collect()
    };
    let example = |example: &Example| Example {
        input: of(&words, &example.input),
        output: of(&tokens, &example.output),
        ..example.clone()
    };
    let examples = data.examples.iter().map(example).collect();
    Ok(Dataset { inputs, outputs, examples, ..data.clone() })
}

/// Adds names to a vocabulary; the symbols that they have there.
fn join(vocabulary: &mut Vocabulary, names: &Vocabulary) -> Vec<Symbol> {
    names.names().iter().map(|name| vocabulary.intern(name)).collect()
}
