//! The neural parser: from words to a tree of constructions, in time linear in their number.
//!
//! The chart of [`crate::chart`] and [`crate::values`] weighs all trees of an input, which takes time cubic in its length and has to end somewhere. The
//! parser reads an input once from left to right, as the paper's does (Chen and Manning 2014): *Shift* puts the next word on a stack, *Reduce* takes
//! the pattern of a construction from it and puts the phrase in its place. Which of them comes next a small network says, which looks
//! at classes of the topmost items and of the words to come; it learns that from trees that charts found right.
//!
//! | file | what |
//! |---|---|
//! | `grammar` | patterns, and which words and constructions are alike to the parser |
//! | `state` | stack, buffer, transitions; a tree as a sequence of these |
//! | `network` | embeddings, one hidden layer, its gradient |
//! | `learn` | from trees to a parser, and when to trust it |

mod grammar;
mod learn;
mod network;
mod state;

pub use grammar::{Grammar, Pattern};
pub use learn::{Lesson, learn};

use crate::symbol::Word;
use crate::theory::tree::Node;
use network::Network;
use serde::{Deserialize, Serialize};
use state::{State, Transition};
use std::collections::BTreeSet;

/// From words to a tree: what training puts on top of constructions, and what may be put in its place.
pub trait Syntax {
    /// A tree of all words; `None` if it comes to none.
    fn parse(&self, grammar: &Grammar, input: &[Word]) -> Option<Parse>;
}

/// A tree and how sure the parser is of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parse {
    /// The nodes, the root first.
    pub nodes: Vec<Node>,
    /// By how much, 0 to 1, each transition was more probable than the next best, where it was least.
    pub margin: f32,
    /// Whether everything in it fills what its kin filled in training, and has one meaning only: which of several is meant is for the chart to weigh.
    pub is_familiar: bool,
}

/// The parser: a network, and when to trust it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parser {
    network: Network,
    /// Which kind of phrase filled which slot of which kind in training; no kind is above the root.
    seen: BTreeSet<Filling>,
    /// Familiar trees of this margin are answers; others are left to the chart where the input is short enough for one.
    trusted: f32,
}

/// The action of a phrase, its slot, and the action of what fills it.
type Filling = (Option<u32>, u8, u32);

/// What fills what in a tree.
fn fillings<'a>(grammar: &'a Grammar, nodes: &'a [Node]) -> impl Iterator<Item = Filling> + 'a {
    let action = |node: u32| grammar.action(nodes[node as usize].entry);
    let root = nodes.iter().take(1).map(move |_| (None, 0, action(0)));
    root.chain(nodes.iter().flat_map(move |node| {
        let is_row = grammar.pattern(node.entry).row;
        let slot = move |number: usize| if is_row { 0 } else { number as u8 };
        let kids = node.kids.iter().enumerate();
        kids.map(move |(number, &kid)| (Some(grammar.action(node.entry)), slot(number), action(kid)))
    }))
}

impl Parser {
    /// The margin from which trees are trusted; above 1 where none is.
    pub fn trusted(&self) -> f32 {
        self.trusted
    }

    /// Whether a tree is so sure that no chart need be asked.
    pub fn trusts(&self, parse: &Parse) -> bool {
        parse.is_familiar && parse.margin >= self.trusted
    }

    /// Whether it fits what it is to parse; files come from strangers.
    pub fn is_sound(&self, grammar: &Grammar) -> bool {
        self.network.is_sound(grammar.classes(), grammar.actions()) && self.trusted.is_finite()
    }
}

impl Syntax for Parser {
    fn parse(&self, grammar: &Grammar, input: &[Word]) -> Option<Parse> {
        let mut state = State::new(grammar, input);
        let mut margin = 1.0;
        let mut scores = Vec::new();
        while !state.is_done() {
            let possible = state.possible();
            let (first, sure) = match possible.len() {
                0 => return None,
                1 => (possible[0], 1.0),
                _ => {
                    self.network.probabilities(&state.features(), &possible, &mut scores);
                    best(&possible, &scores)
                }
            };
            margin = f32::min(margin, sure);
            state.take(first);
        }
        let nodes = state.tree()?;
        let is_familiar = fillings(grammar, &nodes).all(|filling| self.seen.contains(&filling))
            && !nodes.iter().any(|node| grammar.is_shared(node.entry));
        Some(Parse { nodes, margin, is_familiar })
    }
}

/// The most probable transition, and by how much it is.
fn best(possible: &[Transition], scores: &[f32]) -> (Transition, f32) {
    let mut ranked: Vec<(f32, Transition)> = scores.iter().copied().zip(possible.iter().copied()).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    (ranked[0].1, ranked[0].0 - ranked[1].0)
}
