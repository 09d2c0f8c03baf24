//! Constructions as plain data: all that a model knows, and an input put together from them.

use super::computation;
use super::explanation::{Arranged, Explanation, Node};
use crate::chart::free;
use crate::computed::reading::Reading;
use crate::model::{Known, Model, listed};
use crate::readable::{Constructions, shorten};
use crate::settings::LONGEST;
use crate::symbol::{Symbol, Token};
use crate::theory::entry::Entry;
use crate::theory::knowledge::{Answer, Knowledge};
use crate::theory::tree::Tree;
use crate::value::Value;
use serde::Serialize;

/// A construction in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Construction {
    /// Its pattern: `switch _ off`.
    pub pattern: String,
    /// What it says: `[OFF (] ++ x ++ [)]`.
    pub says: String,
    /// The class of those that fill the same slots; `None` if it fills none.
    pub class: Option<u32>,
    /// How many nodes of the trees of examples it is.
    pub uses: f64,
    /// What it costs to say that there is such a construction.
    pub bits: f64,
    /// How many words its pattern has.
    pub words: usize,
    /// How many slots its pattern has.
    pub slots: usize,
}

impl Construction {
    /// Whether it is a single word with what it says.
    pub fn is_constant(&self) -> bool {
        self.slots == 0 && self.words == 1
    }

    /// Whether it keeps several words with what they say together, as a whole.
    pub fn is_whole(&self) -> bool {
        self.slots == 0 && self.words > 1
    }
}

/// What `model` knows, the most used first.
pub fn constructions(model: &Model) -> Vec<Construction> {
    let knowledge = match &model.known {
        Known::Computes(known) => return computation::constructions(model, known),
        Known::Says(known) => known,
    };
    let text = Constructions::of(model, knowledge);
    let told = |id| {
        let entry = knowledge.theory.entry(id);
        Construction {
            pattern: text.pattern(entry),
            says: text.says(entry),
            class: knowledge.model.classes.get(&id).copied(),
            uses: knowledge.counts.uses(id),
            bits: knowledge.theory.bits(id),
            words: entry.words().count(),
            slots: entry.slots(),
        }
    };
    let mut all: Vec<Construction> = knowledge.theory.live().map(told).collect();
    if let Some(computed) = &model.computed {
        let others = all.iter().filter_map(|told| told.class).max().map_or(0, |last| last + 1);
        let numbers = computation::constructions(model, computed.values()).into_iter();
        all.extend(
            numbers.map(|told| Construction { class: told.class.map(|class| others + class), ..told }),
        );
    }
    all.sort_by(|a, b| b.uses.total_cmp(&a.uses));
    all
}

/// The input is named in so many characters where it is a node of its own.
const INPUT: usize = 60;

/// An input without an answer, and the first of its words that was never seen.
pub(super) fn unanswered(model: &Model, tokens: &[&str]) -> Node {
    let unknown = tokens.iter().find(|token| model.inputs.get(token).is_none());
    without_answer(&tokens.join(" "), unknown.copied(), tokens.len())
}

/// Puts an input together and tells how.
pub(super) fn explain(model: &Model, knowledge: &Knowledge, tokens: &[&str]) -> Explanation {
    let symbols = model.symbols(tokens.iter().copied());
    if model.computed.is_none() {
        return tell(model, knowledge, tokens, model.derive(&symbols).as_ref(), None);
    }
    let derived = model.derive_reading(&symbols);
    let (answer, reading) = derived.unzip();
    let explanation = tell(model, knowledge, tokens, answer.as_ref(), reading.as_ref());
    // How probable it is among all readings.
    let results = model.results(&symbols).into_iter();
    let mut shares = results.map(|(value, share)| (model.text_of_answer(&value), share));
    let share = shares.find(|(text, _)| *text == explanation.output).map(|(_, share)| share.ln());
    Explanation { log_probability: share.or(explanation.log_probability), ..explanation }
}

/// Tells how an input was put together, after its numbers were taken out in such a reading.
pub(super) fn tell(
    model: &Model,
    knowledge: &Knowledge,
    tokens: &[&str],
    answer: Option<&Answer>,
    reading: Option<&Reading>,
) -> Explanation {
    let teller = answer.map(|answer| Teller::new(model, knowledge.member_of(answer), answer, reading));
    let nodes = match &teller {
        Some(teller) => teller.nodes(),
        None => vec![unanswered(model, tokens)],
    };
    let probability = answer.map(|answer| answer.probability).filter(|&share| share > 0.0);
    let output = answer.zip(teller.as_ref()).and_then(|(answer, teller)| teller.value(&answer.tokens));
    Explanation {
        input: tokens.join(" "),
        output: output.and_then(|value| model.text_of_answer(&value)),
        log_probability: probability.map(f64::ln),
        nodes,
        seen: Vec::new(),
    }
}

/// The whole input as a node that has no value.
pub(super) fn without_answer(input: &str, unknown: Option<&str>, words: usize) -> Node {
    let problem = match unknown {
        Some(word) if word == input => "a word never seen in training".to_owned(),
        Some(word) => format!("{word}: a word never seen in training"),
        None if words > LONGEST => format!("more than {} words", LONGEST),
        None => "no constructions fit together to this".to_owned(),
    };
    Node {
        word: shorten(input, INPUT).into_owned(),
        class: None,
        head: None,
        argument: None,
        definition: None,
        program: None,
        value: None,
        problem: Some(problem),
    }
}

struct Teller<'a> {
    model: &'a Model,
    knowledge: &'a Knowledge,
    tree: &'a Tree,
    reading: Option<&'a Reading>,
    text: Constructions<'a>,
    /// What each node of the tree says.
    values: Vec<Vec<Token>>,
    arranged: Arranged,
}

impl<'a> Teller<'a> {
    fn new(
        model: &'a Model,
        knowledge: &'a Knowledge,
        answer: &'a Answer,
        reading: Option<&'a Reading>,
    ) -> Teller<'a> {
        let tree = &answer.tree;
        let arranged = Arranged::of(&tree.nodes, |id| knowledge.theory.shape(id));
        let values =
            free::values(tree, &knowledge.theory).unwrap_or_else(|| vec![Vec::new(); tree.nodes.len()]);
        Teller {
            model,
            knowledge,
            tree,
            reading,
            text: Constructions::of(model, knowledge),
            values,
            arranged,
        }
    }

    /// What tokens are, with the numbers of the input in the place of those that stand for them.
    fn value(&self, tokens: &[Token]) -> Option<Value> {
        match (&self.model.computed, self.reading) {
            (Some(computed), Some(reading)) => computed.filled(&listed(tokens), reading, &self.model.outputs),
            _ => Some(listed(tokens)),
        }
    }

    /// How the numbers come about that stand in the pattern of a node, which is at this place.
    fn numbers(&self, number: usize, place: u32) -> Vec<Node> {
        let (Some(computed), Some(reading)) = (&self.model.computed, self.reading) else { return Vec::new() };
        let mut nodes: Vec<Node> = Vec::new();
        let said = self.entry(number).words().filter_map(|word| computed.said_by(Symbol(word.0), reading));
        for (said, argument) in said.zip(0..) {
            let first = place + 1 + nodes.len() as u32;
            let told = computation::nodes(self.model, computed.values(), &said.answer);
            nodes.extend(told.into_iter().map(|node| match node.head {
                Some(head) => Node { head: Some(first + head), ..node },
                None => Node { head: Some(place), argument: Some(argument), ..node },
            }));
        }
        nodes
    }

    fn entry(&self, node: usize) -> &'a Entry {
        self.knowledge.theory.entry(self.tree.nodes[node].entry)
    }

    /// A node per construction, in the order of their first words in the input.
    fn nodes(&self) -> Vec<Node> {
        let order = &self.arranged.order;
        let mut places = vec![0; order.len()];
        let mut place = 0;
        for &number in order {
            places[number] = place;
            place += 1 + self.numbers(number, place).len() as u32;
        }
        let told = |&number: &usize| {
            let numbers = self.numbers(number, places[number]);
            std::iter::once(self.node(number, &places)).chain(numbers)
        };
        order.iter().flat_map(told).collect()
    }

    fn node(&self, number: usize, places: &[u32]) -> Node {
        let id = self.tree.nodes[number].entry;
        let (entry, parent) = (self.entry(number), self.arranged.parents[number]);
        Node {
            word: self.text.pattern(entry),
            class: self.knowledge.model.classes.get(&id).copied(),
            head: parent.map(|(parent, _)| places[parent]),
            argument: parent.map(|(_, slot)| slot),
            definition: Some(self.text.definition(entry)),
            program: Some(self.text.says(entry)),
            value: self.value(&self.values[number]).map(|value| self.model.text_of_node(&value)),
            problem: None,
        }
    }
}
