//! The results of an input, each with the sum of all trees that give it.
//!
//! Where entries are many and none is sure, no tree tells much: `i am not daxy .` is put together from `i am _ .` and `not daxy`, from `i am not _ .`
//! and `daxy`, and so on, and what most of them say is right. What a span says depends on nothing around it (see [`Rates`]), so that for each
//! span its results are all there is to keep.

use crate::chart::{Cells, Kid, spans};
use crate::settings::{LONGEST_SUM, LONGEST_SUMMED, NARROW};
use crate::symbol::Token;
use crate::theory::entry::{Entry, In, Out};
use crate::theory::rates::Rates;
use crate::theory::tree::{Node, Tree};
use crate::theory::{EntryId, Theory};
use rustc_hash::FxHashMap;

/// A result of a span.
struct Item {
    tokens: Vec<Token>,
    /// The probability of all trees that give it.
    probability: f64,
    /// The most probable of these.
    best: Way,
}

/// A tree of a span: its root and, where that has a slot, what fills it.
#[derive(Clone, Copy)]
struct Way {
    probability: f64,
    entry: EntryId,
    kid: Option<Kid>,
}

/// A result of the whole input.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The result.
    pub tokens: Vec<Token>,
    /// The most probable tree that gives it.
    pub tree: Tree,
    /// The probability of all trees that give it.
    pub probability: f64,
}

/// The results of an input, the most probable first.
pub fn results(input: &[In], theory: &Theory, rates: &Rates) -> Vec<Sum> {
    if input.is_empty() || input.len() > LONGEST_SUMMED {
        return Vec::new();
    }
    let mut cells = Cells::new(input.len());
    for span in spans(input.len()) {
        let cell = cell(input, span, theory, rates, &cells);
        cells.set(span.0, span.1, cell);
    }
    let sum = |(item, result): (u16, &Item)| {
        let mut nodes = Vec::new();
        copy(&cells, Kid { from: 0, to: input.len() as u16, item }, &mut nodes);
        let tree = Tree { nodes, weight: 1.0 };
        Sum { tokens: result.tokens.clone(), tree, probability: result.probability }
    };
    (0..).zip(cells.at(0, input.len())).map(sum).collect()
}

/// The results of a span: what it says as a whole, and what frames say of what fills them.
fn cell(
    input: &[In],
    (from, to): (usize, usize),
    theory: &Theory,
    rates: &Rates,
    cells: &Cells<Item>,
) -> Vec<Item> {
    let mut found: FxHashMap<Vec<Token>, (f64, Way)> = FxHashMap::default();
    let mut add = |tokens: Vec<Token>, way: Way| {
        let (sum, best) = found.entry(tokens).or_insert((0.0, way));
        *sum += way.probability;
        if way.probability > best.probability {
            *best = way;
        }
    };
    let (wholes, other) = rates.of(&input[from..to]);
    for (entry, probability) in wholes {
        add(said(theory.entry(entry), &[]), Way { probability, entry, kid: None });
    }
    let long = to - from;
    let each_span = other / (long * (long + 1) / 2).saturating_sub(1).max(1) as f64;
    for (begin, end) in inner_spans((from, to), rates.longest) {
        let fillers = cells.at(begin, end);
        if fillers.is_empty() {
            continue;
        }
        let pattern = [&input[from..begin], &[In::Slot(0)], &input[end..to]].concat();
        for (entry, probability) in rates.of(&pattern).0.take(NARROW) {
            for (item, filler) in (0..).zip(fillers) {
                let kid = Some(Kid { from: begin as u16, to: end as u16, item });
                let probability = each_span * probability * filler.probability;
                let tokens = said(theory.entry(entry), &filler.tokens);
                if tokens.len() <= LONGEST_SUM {
                    add(tokens, Way { probability, entry, kid });
                }
            }
        }
    }
    most_probable(found)
}

/// The spans inside of one that leave a frame of at most so many pieces around them.
fn inner_spans((from, to): (usize, usize), longest: usize) -> impl Iterator<Item = (usize, usize)> {
    let ends = move |begin: usize| (begin + 1..=to).map(move |end| (begin, end));
    let frame = move |(begin, end): (usize, usize)| to - from - (end - begin);
    (from..to).flat_map(ends).filter(move |&span| (1..longest).contains(&frame(span)))
}

fn said(entry: &Entry, filler: &[Token]) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(entry.says.len() + filler.len());
    for piece in &entry.says {
        match piece {
            Out::Token(token) => tokens.push(*token),
            Out::Slot(_) | Out::Call(..) => tokens.extend_from_slice(filler),
        }
    }
    tokens
}

fn most_probable(found: FxHashMap<Vec<Token>, (f64, Way)>) -> Vec<Item> {
    let mut items: Vec<Item> =
        found.into_iter().map(|(tokens, (probability, best))| Item { tokens, probability, best }).collect();
    items.sort_by(|a, b| b.probability.total_cmp(&a.probability).then_with(|| a.tokens.cmp(&b.tokens)));
    items.truncate(NARROW);
    items
}

fn copy(cells: &Cells<Item>, at: Kid, nodes: &mut Vec<Node>) -> u32 {
    let Way { entry, kid, .. } = cells.item(at).best;
    let number = nodes.len();
    nodes.push(Node { entry, kids: Vec::new() });
    nodes[number].kids = kid.iter().map(|&kid| copy(cells, kid, nodes)).collect();
    number as u32
}
