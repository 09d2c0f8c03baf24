//! One input worked out: the tree with symbol, program and value at every node.

use super::{computation, construction};
use crate::computed::reading::Reading;
use crate::model::{Answer, Known, Model};
use crate::theory::EntryId;
use crate::theory::tree::{self, Met, Shape, walk};
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

/// The nodes of a tree as explanations have them.
pub(super) struct Arranged {
    /// In the order of their first words in the input; one without words comes after what fills its first slot.
    pub(super) order: Vec<usize>,
    /// The parent of each, and which of its fillers it is.
    pub(super) parents: Vec<Option<(usize, u8)>>,
}

impl Arranged {
    pub(super) fn of<'p>(nodes: &[tree::Node], shape: impl Fn(EntryId) -> Shape<'p>) -> Arranged {
        let (mut order, mut parents) = (Vec::with_capacity(nodes.len()), vec![None; nodes.len()]);
        walk(nodes, &shape, 0, &mut |node, met| {
            if met == Met::Head {
                order.push(node as usize);
            }
        });
        for (number, node) in nodes.iter().enumerate() {
            for (argument, &kid) in node.kids.iter().enumerate() {
                parents[kid as usize] = Some((number, argument.min(usize::from(u8::MAX)) as u8));
            }
        }
        Arranged { order, parents }
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

/// The `most` most probable results of `text`, each with how it comes about; as [`explain`] does where there is none. `None` if it has no words.
pub fn explain_best(model: &Model, text: &str, most: usize) -> Option<Vec<Explanation>> {
    let tokens: Vec<&str> = crate::data::tokenize(text, model.settings.tokens).collect();
    let derived = model.derivations(&model.symbols(tokens.iter().copied()));
    let best = derived.iter().take(most).map(|derived| Explanation {
        log_probability: Some(derived.probability.ln()),
        ..tell(model, &tokens, Some(&derived.answer), derived.reading.as_ref())
    });
    let best: Vec<Explanation> = best.collect();
    if best.is_empty() { Some(vec![explain(model, text)?]) } else { Some(best) }
}

/// Tells how an input was worked out, after its numbers were taken out in such a reading.
pub(super) fn tell(
    model: &Model,
    tokens: &[&str],
    answer: Option<&Answer>,
    reading: Option<&Reading>,
) -> Explanation {
    match (&model.known, answer) {
        (Known::Computes(known), Some(Answer::Computed(answer))) => {
            computation::tell(model, known, tokens, Some(answer))
        }
        (Known::Computes(known), _) => computation::tell(model, known, tokens, None),
        (Known::Says(known), Some(Answer::Said(answer))) => {
            construction::tell(model, known, tokens, Some(answer), reading)
        }
        (Known::Says(known), _) => construction::tell(model, known, tokens, None, None),
    }
}
