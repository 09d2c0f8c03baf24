//! Stack, buffer and transitions; and trees as sequences of transitions.

use super::grammar::{Grammar, NOTHING};
use crate::symbol::Word;
use crate::theory::EntryId;
use crate::theory::tree::{Met, Node, walk};

/// What lies on the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A word.
    Word(Word),
    /// A phrase: a node that has been built.
    Phrase {
        /// Its construction.
        entry: EntryId,
        /// Its number.
        node: u32,
    },
}

/// A step of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transition {
    /// Valid while there are words left: puts the next one on the stack.
    Shift,
    /// Valid where the stack ends with the pattern: takes so many items off and puts the phrase on.
    Reduce { entry: EntryId, action: u32, taken: usize },
}

impl Transition {
    /// The number of its output in the network.
    pub(super) fn output(self) -> usize {
        match self {
            Transition::Shift => 0,
            Transition::Reduce { action, .. } => action as usize + 1,
        }
    }
}

/// So many topmost items of the stack are looked at,
const STACK: usize = 4;
/// so many words to come,
const BUFFER: usize = 3;
/// and of each of the two topmost phrases its first and its last part.
const PARTS: usize = 4;
/// Classes that the network sees.
pub(super) const FEATURES: usize = STACK + BUFFER + PARTS;

/// How far an input has been read.
pub(super) struct State<'a> {
    grammar: &'a Grammar,
    input: &'a [Word],
    next: usize,
    stack: Vec<Item>,
    nodes: Vec<Node>,
    fitting: Vec<(EntryId, usize)>,
}

impl<'a> State<'a> {
    pub(super) fn new(grammar: &'a Grammar, input: &'a [Word]) -> State<'a> {
        let nodes = Vec::with_capacity(2 * input.len());
        State { grammar, input, next: 0, stack: Vec::new(), nodes, fitting: Vec::new() }
    }

    /// Whether all words are in one phrase.
    pub(super) fn is_done(&self) -> bool {
        self.next == self.input.len() && matches!(self.stack[..], [Item::Phrase { .. }])
    }

    /// The transitions that are valid now.
    pub(super) fn possible(&mut self) -> Vec<Transition> {
        let mut fitting = std::mem::take(&mut self.fitting);
        self.grammar.fitting(&self.stack, &mut fitting);
        let reduce = |&(entry, taken): &(EntryId, usize)| Transition::Reduce {
            entry,
            action: self.grammar.action(entry),
            taken,
        };
        let shift = (self.next < self.input.len()).then_some(Transition::Shift);
        let possible = shift.into_iter().chain(fitting.iter().map(reduce)).collect();
        self.fitting = fitting;
        possible
    }

    pub(super) fn take(&mut self, transition: Transition) {
        match transition {
            Transition::Shift => {
                self.stack.push(Item::Word(self.input[self.next]));
                self.next += 1;
            }
            Transition::Reduce { entry, taken, .. } => {
                let from = self.stack.len() - taken;
                let kids = self.stack[from..].iter().filter_map(|item| match item {
                    Item::Phrase { node, .. } => Some(*node),
                    Item::Word(_) => None,
                });
                let node = self.nodes.len() as u32;
                self.nodes.push(Node { entry, kids: kids.collect() });
                self.stack.truncate(from);
                self.stack.push(Item::Phrase { entry, node });
            }
        }
    }

    /// What the network looks at.
    pub(super) fn features(&self) -> [u32; FEATURES] {
        let mut features = [NOTHING; FEATURES];
        for (feature, item) in features.iter_mut().zip(self.stack.iter().rev().take(STACK)) {
            *feature = self.class(item);
        }
        for (feature, &word) in features[STACK..].iter_mut().zip(self.input[self.next..].iter().take(BUFFER))
        {
            *feature = self.grammar.word_class(word);
        }
        let phrases = self.stack.iter().rev().filter_map(|item| match item {
            Item::Phrase { node, .. } => Some(&self.nodes[*node as usize]),
            Item::Word(_) => None,
        });
        for (number, node) in phrases.take(PARTS / 2).enumerate() {
            let class = |kid: Option<&u32>| {
                kid.map_or(NOTHING, |&kid| self.grammar.phrase_class(self.nodes[kid as usize].entry))
            };
            features[STACK + BUFFER + 2 * number] = class(node.kids.first());
            features[STACK + BUFFER + 2 * number + 1] = class(node.kids.last());
        }
        features
    }

    fn class(&self, item: &Item) -> u32 {
        match item {
            Item::Word(word) => self.grammar.word_class(*word),
            Item::Phrase { entry, .. } => self.grammar.phrase_class(*entry),
        }
    }

    /// The tree, every node before its kids; `None` if there are several or none.
    pub(super) fn tree(mut self) -> Option<Vec<Node>> {
        if !self.is_done() {
            return None;
        }
        // Built from below, the root came last.
        let mut numbers = vec![0; self.nodes.len()];
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open = vec![self.nodes.len() - 1];
        while let Some(node) = open.pop() {
            numbers[node] = order.len() as u32;
            order.push(node);
            open.extend(self.nodes[node].kids.iter().rev().map(|&kid| kid as usize));
        }
        let renumbered = |node: usize| {
            let mut node = std::mem::replace(&mut self.nodes[node], Node { entry: 0, kids: Vec::new() });
            node.kids.iter_mut().for_each(|kid| *kid = numbers[*kid as usize]);
            node
        };
        Some(order.into_iter().map(renumbered).collect())
    }
}

/// The entries of a tree in the order in which they are reduced, each with the number of words shifted before.
pub(super) fn reductions(grammar: &Grammar, nodes: &[Node]) -> Vec<(EntryId, usize)> {
    let (mut found, mut shifted) = (Vec::with_capacity(nodes.len()), 0);
    if !nodes.is_empty() {
        walk(nodes, &|entry| grammar.pattern(entry).shape(), 0, &mut |node, met| match met {
            Met::Word(_) => shifted += 1,
            Met::End => found.push((nodes[node as usize].entry, shifted)),
            Met::Begin | Met::Head => {}
        });
    }
    found
}
