//! Constructions that compute, as plain data: all that a model knows, and an input worked out by them.

use super::construction::{Construction, unanswered};
use super::explanation::{Arranged, Explanation, Node};
use crate::model::{Model, computed};
use crate::number::expression::Fuel;
use crate::readable::{value_definition, value_pattern, value_program};
use crate::symbol::Symbol;
use crate::values::entry::Entry;
use crate::values::knowledge::{Answer, Knowledge, Known};
use crate::values::value::Value;

/// What `model` knows, the most used first.
pub(super) fn constructions(model: &Model, knowledge: &Knowledge) -> Vec<Construction> {
    let told = |known: &Known| Construction {
        pattern: value_pattern(&model.inputs, &known.entry),
        says: match known.entry.constant() {
            Some(value) => text(model, knowledge, value),
            None => value_program(model, &known.entry),
        },
        // Constants are of one kind, every other construction is of its own.
        class: Some(u32::from(known.entry.pattern.slots() == 0)),
        uses: known.uses,
        bits: known.bits,
        words: known.entry.pattern.words().count(),
        slots: known.entry.pattern.slots(),
    };
    let mut all: Vec<Construction> = knowledge.entries().iter().map(told).collect();
    all.sort_by(|a, b| b.uses.total_cmp(&a.uses));
    all
}

/// A value as it is written in answers.
fn text(model: &Model, knowledge: &Knowledge, value: &Value) -> String {
    model.text_of_node(&computed(knowledge, value, &model.outputs))
}

/// What each construction with a word and as many slots as there are numbers computes of them; `None` where that is nothing.
pub fn apply(model: &Model, word: Symbol, numbers: &[i64]) -> Vec<Option<String>> {
    let Some(knowledge) = model.computes() else { return Vec::new() };
    let arguments: Vec<Value> = numbers.iter().map(|&number| Value::from(number)).collect();
    let entries = knowledge.entries().iter().map(|known| &known.entry).filter(|entry| {
        entry.pattern.words().any(|other| other.0 == word.0) && entry.pattern.slots() == arguments.len()
    });
    let value = |entry: &Entry| entry.program.apply(&arguments, &mut Fuel::for_answers());
    entries.map(|entry| value(entry).map(|value| text(model, knowledge, &value))).collect()
}

/// Works out an input and tells how.
pub(super) fn explain(model: &Model, knowledge: &Knowledge, tokens: &[&str]) -> Explanation {
    tell(model, knowledge, tokens, model.compute(&model.symbols(tokens.iter().copied())).as_ref())
}

/// Tells how an input was worked out.
pub(super) fn tell(
    model: &Model,
    knowledge: &Knowledge,
    tokens: &[&str],
    answer: Option<&Answer>,
) -> Explanation {
    let nodes = match answer {
        Some(answer) => nodes(model, knowledge, answer),
        None => vec![unanswered(model, tokens)],
    };
    Explanation {
        input: tokens.join(" "),
        output: answer.map(|answer| text(model, knowledge, &answer.value)),
        log_probability: answer.map(|answer| answer.probability.ln()),
        nodes,
        seen: Vec::new(),
    }
}

/// A node per construction of an answer.
pub(super) fn nodes(model: &Model, knowledge: &Knowledge, answer: &Answer) -> Vec<Node> {
    Teller { model, knowledge, answer }.nodes()
}

struct Teller<'a> {
    model: &'a Model,
    knowledge: &'a Knowledge,
    answer: &'a Answer,
}

impl Teller<'_> {
    /// A node per construction, in the order of their first words in the input.
    fn nodes(&self) -> Vec<Node> {
        let Arranged { order, parents } = Arranged::of(&self.answer.nodes, |id| self.knowledge.shape(id));
        let mut places = vec![0; order.len()];
        for (place, &node) in (0..).zip(&order) {
            places[node] = place;
        }
        let parent = |node: usize| parents[node].map(|(parent, argument)| (places[parent], argument));
        order.iter().map(|&node| self.node(node, parent(node))).collect()
    }

    fn node(&self, node: usize, parent: Option<(u32, u8)>) -> Node {
        let entry = &self.knowledge.entries()[self.answer.nodes[node].entry as usize].entry;
        let value = text(self.model, self.knowledge, &self.answer.values[node]);
        let (definition, program) = match entry.constant() {
            Some(_) => (format!("{} = {value}", value_pattern(&self.model.inputs, entry)), value.clone()),
            None => (value_definition(self.model, entry), value_program(self.model, entry)),
        };
        Node {
            word: value_pattern(&self.model.inputs, entry),
            class: Some(u32::from(entry.pattern.slots() == 0)),
            head: parent.map(|(place, _)| place),
            argument: parent.map(|(_, argument)| argument),
            definition: Some(definition),
            program: Some(program),
            value: Some(value),
            problem: None,
        }
    }
}
