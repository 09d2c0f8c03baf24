//! One input worked out: the tree with symbol, program and value at every node.

use super::{computation, construction};
use crate::gss::{Gss, Meaning};
use crate::model::Model;
use crate::readable::Readable;
use crate::syntax::Workspace;
use serde::Serialize;

/// An input worked out, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The input's words.
    pub input: String,
    /// The result; `None` if there is none.
    pub output: Option<String>,
    /// How many trees without a value were tried before.
    pub retries: usize,
    /// The log-probability of the tree; of constructions, that of the result among all results.
    pub log_probability: Option<f64>,
    /// One node per word or construction, in the order of the input.
    pub nodes: Vec<Node>,
    /// What each picture was read as, where the input is a row of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<Seen>,
}

/// What a picture was read as.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// The picture, by its file name or number.
    pub picture: String,
    /// The symbol.
    pub symbol: String,
    /// How probable that is by the look of the picture alone.
    pub probability: f64,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Node {
    /// The word, or the pattern of the construction: `switch _ off`.
    pub word: String,
    /// Its class; `None` for a word never seen.
    pub class: Option<u32>,
    /// The place of its head; `None` at the root.
    pub head: Option<u32>,
    /// Which argument of its head it is; `None` at the root and for a word that contributes nothing.
    pub argument: Option<u8>,
    /// Its program as a definition: `twice x = x ++ x`.
    pub definition: Option<String>,
    /// The right side of the definition.
    pub program: Option<String>,
    /// What it comes to.
    pub value: Option<String>,
    /// Why it has neither value nor program.
    pub problem: Option<String>,
}

impl Explanation {
    /// The place of the root.
    pub fn root(&self) -> usize {
        self.nodes.iter().position(|node| node.head.is_none()).unwrap_or(0)
    }

    /// The children of every node, from left to right.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some(head) = node.head {
                children[head as usize].push(place);
            }
        }
        children
    }
}

/// Works out `text` and tells how; `None` if it has no words.
pub fn explain(model: &Model, text: &str) -> Option<Explanation> {
    let tokens: Vec<&str> = crate::data::tokenize(text, model.settings.tokens).collect();
    if tokens.is_empty() {
        return None;
    }
    if let Some(values) = &model.values {
        return Some(computation::explain(model, values, &tokens));
    }
    if let Some(knowledge) = &model.knowledge {
        return Some(construction::explain(model, knowledge, &tokens));
    }
    let answer = model.work_out(&model.symbols(tokens.iter().copied()), &mut Workspace::new())?;
    Some(tell(model, &tokens, &answer.gss, answer.retries))
}

pub(super) fn tell(model: &Model, tokens: &[&str], gss: &Gss, retries: usize) -> Explanation {
    let teller = Teller { model, readable: Readable::of(model), gss, children: gss.tree.children() };
    Explanation {
        input: tokens.join(" "),
        output: gss.value().and_then(|value| model.text_of_answer(value)),
        retries,
        log_probability: model.parser.log_prob(&model.classes_of(&gss.symbols), &gss.tree),
        nodes: tokens.iter().enumerate().map(|(place, word)| teller.node(place, word)).collect(),
        seen: Vec::new(),
    }
}

struct Teller<'a> {
    model: &'a Model,
    readable: Readable<'a>,
    gss: &'a Gss,
    children: Vec<Vec<u32>>,
}

impl Teller<'_> {
    fn node(&self, place: usize, word: &str) -> Node {
        let symbol = self.gss.symbols[place];
        let meaning = &self.gss.meanings[place];
        let sense = symbol.zip(meaning.sense()).and_then(|(symbol, number)| {
            let sense = self.model.lexicon.senses[symbol.index()].get(usize::from(number))?;
            Some((symbol.index(), sense))
        });
        Node {
            word: word.to_owned(),
            class: symbol.map(|symbol| self.model.classes[symbol.index()]),
            head: self.gss.tree.heads()[place],
            argument: self.argument(place),
            definition: sense.map(|(word, sense)| self.readable.definition(word, sense)),
            program: sense.map(|(word, sense)| self.readable.body(word, sense)),
            value: meaning.value().map(|value| self.model.text_of_node(value)),
            problem: (*meaning == Meaning::Unknown).then(|| self.problem(place)),
        }
    }

    /// Which argument of its head the node is: children that contribute nothing do not count.
    fn argument(&self, place: usize) -> Option<u8> {
        if matches!(self.gss.meanings[place], Meaning::Void(_)) {
            return None;
        }
        let head = self.gss.tree.heads()[place]?;
        let before = self.children[head as usize].iter().take_while(|&&child| child as usize != place);
        let counted = before.filter(|&&child| !matches!(self.gss.meanings[child as usize], Meaning::Void(_)));
        u8::try_from(counted.count()).ok()
    }

    fn problem(&self, place: usize) -> String {
        let children = &self.children[place];
        let meaning = |child: &u32| &self.gss.meanings[*child as usize];
        let Some(symbol) = self.gss.symbols[place] else { return "a word never seen in training".to_owned() };
        if children.iter().any(|child| *meaning(child) == Meaning::Unknown) {
            return "a child has no value".to_owned();
        }
        let count = children.iter().filter(|child| meaning(child).value().is_some()).count();
        match self.model.lexicon.sense_for(symbol.index(), count) {
            Some(_) => "the program has no value here".to_owned(),
            None => format!("no meaning with {count} {}", if count == 1 { "child" } else { "children" }),
        }
    }
}
