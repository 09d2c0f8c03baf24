//! Constructions as plain data: all that a model knows, and an input put together from them.

use super::computation;
use super::explanation::{Explanation, Node};
use crate::chart::free;
use crate::model::{Known, Model};
use crate::readable::{Constructions, shorten};
use crate::symbol::{Symbol, Token};
use crate::theory::entry::{Entry, In};
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
    tell(model, knowledge, tokens, model.derive(&model.symbols(tokens.iter().copied())).as_ref())
}

/// Tells how an input was put together.
pub(super) fn tell(
    model: &Model,
    knowledge: &Knowledge,
    tokens: &[&str],
    answer: Option<&Answer>,
) -> Explanation {
    let nodes = match answer {
        Some(answer) => Teller::new(model, knowledge.member_of(answer), answer).nodes(),
        None => vec![unanswered(model, tokens)],
    };
    let probability = answer.map(|answer| answer.probability).filter(|&share| share > 0.0);
    Explanation {
        input: tokens.join(" "),
        output: answer.and_then(|answer| model.text_of_answer(&value(&answer.tokens))),
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
        None if words > free::LONGEST => format!("more than {} words", free::LONGEST),
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

/// What tokens are as a value.
fn value(tokens: &[Token]) -> Value {
    Value::list(&tokens.iter().map(|token| Symbol(token.0)).collect::<Vec<_>>())
}

struct Teller<'a> {
    model: &'a Model,
    knowledge: &'a Knowledge,
    tree: &'a Tree,
    text: Constructions<'a>,
    /// What each node of the tree says.
    values: Vec<Vec<Token>>,
    /// The parent of each, and which of its slots it fills.
    parents: Vec<Option<(usize, u8)>>,
}

impl<'a> Teller<'a> {
    fn new(model: &'a Model, knowledge: &'a Knowledge, answer: &'a Answer) -> Teller<'a> {
        let tree = &answer.tree;
        let mut parents = vec![None; tree.nodes.len()];
        for (number, node) in tree.nodes.iter().enumerate() {
            for (slot, &kid) in (0..).zip(&node.kids) {
                parents[kid as usize] = Some((number, slot));
            }
        }
        let values =
            free::values(tree, &knowledge.theory).unwrap_or_else(|| vec![Vec::new(); tree.nodes.len()]);
        Teller { model, knowledge, tree, text: Constructions::of(model, knowledge), values, parents }
    }

    fn entry(&self, node: usize) -> &'a Entry {
        self.knowledge.theory.entry(self.tree.nodes[node].entry)
    }

    /// A node per construction, in the order of their first words in the input.
    fn nodes(&self) -> Vec<Node> {
        let mut order = Vec::with_capacity(self.tree.nodes.len());
        self.arrange(0, &mut order);
        let mut places = vec![0; order.len()];
        for (place, &number) in order.iter().enumerate() {
            places[number] = place as u32;
        }
        order.iter().map(|&number| self.node(number, &places)).collect()
    }

    /// Puts a node and all below it in the order of the input; one without words comes after what fills its first slot.
    fn arrange(&self, number: usize, order: &mut Vec<usize>) {
        let mut kids = self.tree.nodes[number].kids.iter();
        let pattern = &self.entry(number).pattern;
        let own = pattern.iter().position(|piece| matches!(piece, In::Word(_)));
        for (place, piece) in pattern.iter().enumerate() {
            if let In::Slot(_) = piece
                && let Some(&kid) = kids.next()
            {
                self.arrange(kid as usize, order);
            }
            if place == own.unwrap_or(0) {
                order.push(number);
            }
        }
    }

    fn node(&self, number: usize, places: &[u32]) -> Node {
        let id = self.tree.nodes[number].entry;
        let entry = self.entry(number);
        Node {
            word: self.text.pattern(entry),
            class: self.knowledge.model.classes.get(&id).copied(),
            head: self.parents[number].map(|(parent, _)| places[parent]),
            argument: self.parents[number].map(|(_, slot)| slot),
            definition: Some(self.text.definition(entry)),
            program: Some(self.text.says(entry)),
            value: Some(self.model.text_of_node(&value(&self.values[number]))),
            problem: None,
        }
    }
}
