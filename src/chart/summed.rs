//! The results of an input, each with the sum of all trees that give it.
//!
//! Where entries are many and none is sure, no tree tells much: `i am not daxy .` is put together from `i am _ .` and `not daxy`, from `i am not _ .`
//! and `daxy`, and so on, and what most of them say is right. What a span says depends on nothing around it (see [`Rates`]), so that for each
//! span its results are all there is to keep. Where what else speaks for results has been learned ([`Wording`]), those that it prefers are kept.

use crate::chart::{Cells, Kid, spans};
use crate::settings::{LONGEST_SUM, LONGEST_SUMMED, NARROW};
use crate::symbol::{Token, Word};
use crate::theory::entry::{Entry, In, Out};
use crate::theory::rates::Rates;
use crate::theory::tree::Tree;
use crate::theory::wording::{Asked, Costs, TREES, Wording};
use crate::theory::{EntryId, Theory};
use rustc_hash::FxHashMap;

/// A result of a span with its most probable tree, which costs as much as all that give it.
type Item = super::Item<Said>;

struct Said {
    tokens: Vec<Token>,
    /// The probability of all trees that give it.
    probability: f64,
    costs: Costs,
}

/// A tree of a span: its root and, where that has a slot, what fills it.
#[derive(Clone, Copy)]
struct Way {
    probability: f64,
    entry: EntryId,
    kid: Option<Kid>,
}

/// The most probable ones that what else speaks for results is asked of.
const WORDED: usize = 4 * NARROW;

/// A result of the whole input.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The result.
    pub tokens: Vec<Token>,
    /// The most probable tree that gives it.
    pub tree: Tree,
    /// The probability of all trees that give it; where more than trees speaks for results, its share in that of all of them.
    pub probability: f64,
    /// What speaks against it.
    pub costs: Costs,
}

/// The results of an input, the most probable first.
pub fn results(input: &[In], theory: &Theory, rates: &Rates, wording: Option<&Wording>) -> Vec<Sum> {
    if input.is_empty() || input.len() > LONGEST_SUMMED {
        return Vec::new();
    }
    let words: Vec<Word> = input.iter().filter_map(|piece| piece.word()).collect();
    let mut asked = wording.map(|wording| (wording, wording.of(&words)));
    let mut cells = Cells::new(input.len());
    for span in spans(input.len()) {
        let items = most_probable(found(input, span, theory, rates, &cells), asked.is_some());
        cells.set(span.0, span.1, preferred(items, span, asked.as_mut()));
    }
    let sum = |(tree, item): (Tree, &Item)| {
        let Said { tokens, probability, costs } = &item.of;
        Sum { tokens: tokens.clone(), tree, probability: *probability, costs: *costs }
    };
    let mut sums: Vec<Sum> = cells.wholes().map(sum).collect();
    if let Some(wording) = wording {
        share(&mut sums, wording);
    }
    sums
}

/// Shares the probability of all results by what they cost.
fn share(sums: &mut [Sum], wording: &Wording) {
    let least = sums.first().map_or(0.0, |sum| wording.weigh(&sum.costs));
    let weights: Vec<f64> = sums.iter().map(|sum| (least - wording.weigh(&sum.costs)).exp2()).collect();
    let each = sums.iter().map(|sum| sum.probability).sum::<f64>() / weights.iter().sum::<f64>();
    sums.iter_mut().zip(weights).for_each(|(sum, weight)| sum.probability = each * weight);
}

/// Results, each with the probability of all trees that give it and the most probable of these.
type Found = FxHashMap<Vec<Token>, (f64, Way)>;

/// The results of a span: what it says as a whole, and what frames say of what fills them.
fn found(
    input: &[In],
    (from, to): (usize, usize),
    theory: &Theory,
    rates: &Rates,
    cells: &Cells<Item>,
) -> Found {
    let mut found = Found::default();
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
                let probability = each_span * probability * filler.of.probability;
                let tokens = said(theory.entry(entry), &filler.of.tokens);
                if tokens.len() <= LONGEST_SUM {
                    add(tokens, Way { probability, entry, kid });
                }
            }
        }
    }
    found
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

fn most_probable(found: Found, is_worded: bool) -> Vec<Item> {
    let item = |(tokens, (probability, Way { entry, kid, .. })): (_, (f64, Way))| Item {
        entry,
        kids: kid.into_iter().collect(),
        bits: -probability.max(f64::MIN_POSITIVE).log2(),
        of: Said { tokens, probability, costs: TREES },
    };
    let mut items: Vec<Item> = found.into_iter().map(item).collect();
    items.sort_by(|Item { of: a, .. }, Item { of: b, .. }| {
        b.probability.total_cmp(&a.probability).then_with(|| a.tokens.cmp(&b.tokens))
    });
    items.truncate(if is_worded { WORDED } else { NARROW });
    items
}

/// Those that cost least by all that speaks for them.
fn preferred(
    mut items: Vec<Item>,
    (from, to): (usize, usize),
    asked: Option<&mut (&Wording, Asked<'_>)>,
) -> Vec<Item> {
    let Some((wording, asked)) = asked else { return items };
    for item in &mut items {
        item.of.costs = asked.costs(from..to, &item.of.tokens, item.bits);
    }
    items.sort_by(|a, b| wording.weigh(&a.of.costs).total_cmp(&wording.weigh(&b.of.costs)));
    items.truncate(NARROW);
    items
}
