//! One input worked out: the tree with symbol, program and value at every node.

use super::{computation, construction};
use crate::model::{Known, Model};
use serde::Serialize;

/// An input worked out, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The input's words.
    pub input: String,
    /// The result; `None` if there is none.
    pub output: Option<String>,
    /// The log-probability of the result among all results.
    pub log_probability: Option<f64>,
    /// One node per construction, in the order of the input.
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
    /// The pattern of the construction: `switch _ off`.
    pub word: String,
    /// Its class; `None` where there is no answer.
    pub class: Option<u32>,
    /// The place of its head; `None` at the root.
    pub head: Option<u32>,
    /// Which argument of its head it is; `None` at the root.
    pub argument: Option<u8>,
    /// Its program as a definition: `_ twice = x ++ x`.
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
    Some(match &model.known {
        Known::Computes(known) => computation::explain(model, known, &tokens),
        Known::Says(known) => construction::explain(model, known, &tokens),
    })
}
