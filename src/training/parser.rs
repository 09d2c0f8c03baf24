//! The parser on top of constructions: lessons are the trees of training examples that charts answer right.

use super::{Event, Observer, examples, watched};
use crate::data::Dataset;
use crate::learn::evidence::Example;
use crate::model::{Known, Model};
use crate::settings::COUNTED;
use crate::spread::spread;
use crate::symbol::Symbol;
use crate::syntax::{self, Lesson, Parser};
use crate::theory::knowledge::Answer;
use rayon::prelude::*;

/// A parser of the trees of `model`; `None` where answers are sums of trees, or there is no time.
pub(super) fn learn(model: &Model, data: &Dataset, seed: u64, observer: &mut dyn Observer) -> Option<Parser> {
    if observer.stop() || model.says().is_some_and(|known| known.is_summed()) {
        return None;
    }
    let grammar = model.known.grammar();
    let without_numbers = model.computed.as_ref().map(|computed| computed.taken_out(data));
    let examples = examples(&without_numbers.as_ref().unwrap_or(data).examples);
    observer.on(&Event::Tries("a parser of their trees"));
    let asked: Vec<&Example> = spread(&examples, COUNTED).collect();
    let parser = watched(observer, |stop| {
        let lesson = |example: &Example| if stop() { None } else { lesson(model, example) };
        let lessons: Vec<Lesson> = asked.par_iter().filter_map(|example| lesson(example)).collect();
        if stop() { None } else { syntax::learn(grammar, &lessons, seed, stop) }
    });
    if let Some(parser) = &parser {
        observer.on(&Event::Parser { trusted: parser.trusted() });
    }
    parser
}

/// The tree of an example that is answered right.
fn lesson(model: &Model, example: &Example) -> Option<Lesson> {
    let symbols: Vec<Option<Symbol>> = example.input.iter().map(|word| Some(Symbol(word.0))).collect();
    let output: Vec<Symbol> = example.output.iter().map(|token| Symbol(token.0)).collect();
    let wanted = model.kind().read(&output, &model.outputs)?;
    match &model.known {
        Known::Says(known) => {
            let is_lesson = |answer: &Answer| *answer.tokens == *example.output && known.is_own(answer);
            let answer = model.derive(&symbols).filter(is_lesson)?;
            Some(Lesson { input: example.input.to_vec(), nodes: answer.tree.nodes })
        }
        Known::Computes(known) => {
            let answer = model.compute(&symbols)?;
            (crate::model::computed(known, &answer.value, &model.outputs) == wanted).then(|| Lesson {
                input: known.results().read(example.input.to_vec()).words,
                nodes: answer.nodes,
            })
        }
    }
}
