//! All trees of a sentence at once: a chart whose items are spans with values.
//!
//! An item `V(i, j, v)` says that the words `i..j` form a subtree of value `v`; an item `S(i, j, args)` says
//! that they form a row of subtrees whose values are `args`, to be given to a head beside them. Items are
//! shared between trees, so the number of trees never shows. Inside and outside sums over the items give the
//! exact posterior of every sense and the most probable tree, given the result.

mod items;
mod trees;

use crate::semantics::eval::Evaluator;
use crate::semantics::lexicon::Lexicon;
use crate::value::Value;
use items::{AXIOM, Cell, Edge, Gather, Group, Item, NO_SENSE, Rows};
use rustc_hash::FxHashMap;

pub use items::Args;
pub use trees::{Derivation, Posterior};

/// Bounds of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// At most so many values per span are kept, the most probable first.
    pub values: usize,
    /// At most so many argument lists per head and side are kept.
    pub lists: usize,
    /// Senses less probable than this are passed over.
    pub sense: f64,
    /// Longer sentences get no chart.
    pub words: usize,
    /// At most so many combinations of parts are looked at; a chart that would need more explains nothing.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { values: 24, lists: 48, sense: 2e-3, words: 40, work: 5_000_000 }
    }
}

/// The number of a value within a chart; [`VOID`] stands for the absence of one.
pub type ValueId = u32;
/// A subtree that contributes nothing.
pub const VOID: ValueId = u32::MAX;
const FAILED: ValueId = u32::MAX - 1;

/// The largest number of children whose values a program takes.
pub const MAX_ARITY: usize = 3;

/// What a chart is for.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    /// Trees, and what they say about senses.
    Trees,
    /// The probability of results alone: how items came about is not kept.
    Likelihood,
    /// Where other senses would help: rows are kept that are too long for any sense there is.
    Holes,
}

/// The items of one sentence.
pub struct Chart<'a> {
    lexicon: &'a Lexicon,
    words: &'a [u32],
    limits: Limits,
    purpose: Purpose,
    /// Rows of more values are of no use.
    longest_row: u8,
    evaluator: Evaluator<'a>,
    interned: FxHashMap<Value, ValueId>,
    values: Vec<Value>,
    applied: FxHashMap<(u32, u16, Args), ValueId>,
    spans: Vec<Cell<ValueId>>,
    rows: Vec<Rows>,
    items: Vec<Item>,
    edges: Vec<Edge>,
    /// Room for the items of the next cell.
    found_values: Gather<ValueId>,
    found_rows: Gather<Args>,
    work: u64,
    target: ValueId,
    /// Values that the target contains are kept first when a span has too many.
    hint: fn(&Value, &Value) -> bool,
}

impl<'a> Chart<'a> {
    /// Builds the chart of `words` bottom-up. `target` is the wanted result; it only guides what is dropped
    /// when there is too much. The chart of a sentence longer than [`Limits::words`] is empty: it explains
    /// nothing.
    pub fn new(lexicon: &'a Lexicon, words: &'a [u32], target: &Value, limits: Limits) -> Chart<'a> {
        Chart::build(lexicon, words, target, limits, Purpose::Trees)
    }

    /// The same to look for [holes](crate::abduction::holes): with rows that are too long for any sense there is.
    pub fn for_holes(lexicon: &'a Lexicon, words: &'a [u32], target: &Value, limits: Limits) -> Chart<'a> {
        Chart::build(lexicon, words, target, limits, Purpose::Holes)
    }

    /// The same without trees, which is quicker: it knows the probabilities of results, but not how they come about.
    pub fn without_trees(
        lexicon: &'a Lexicon,
        words: &'a [u32],
        target: &Value,
        limits: Limits,
    ) -> Chart<'a> {
        Chart::build(lexicon, words, target, limits, Purpose::Likelihood)
    }

    fn build(
        lexicon: &'a Lexicon,
        words: &'a [u32],
        target: &Value,
        limits: Limits,
        purpose: Purpose,
    ) -> Chart<'a> {
        let words = if words.len() > limits.words { &[] } else { words };
        let n = words.len();
        let mut chart = Chart {
            lexicon,
            words,
            limits,
            purpose,
            longest_row: if purpose == Purpose::Holes { MAX_ARITY as u8 } else { 0 },
            evaluator: Evaluator::forgetful(&lexicon.library),
            found_values: Gather::default(),
            found_rows: Gather::default(),
            interned: FxHashMap::default(),
            values: Vec::new(),
            applied: FxHashMap::default(),
            spans: vec![Vec::new(); (n + 1) * (n + 1)],
            rows: vec![Rows::default(); (n + 1) * (n + 1)],
            items: Vec::new(),
            edges: Vec::new(),
            work: 0,
            target: 0,
            hint: occurs_in,
        };
        chart.target = chart.intern(target.clone());
        chart.longest_row = words.iter().map(|&word| chart.arity(word)).fold(chart.longest_row, u8::max);
        for start in 0..=n {
            chart.fill_row(start, start);
        }
        for width in 1..=n {
            for start in 0..=n - width {
                if chart.work < limits.work {
                    chart.fill_span(start, start + width);
                    chart.fill_row(start, start + width);
                }
            }
        }
        chart
    }

    /// The largest number of children that a word may have.
    fn arity(&self, word: u32) -> u8 {
        let believed =
            self.lexicon.senses[word as usize].iter().filter(|sense| sense.probability >= self.limits.sense);
        let arity = believed.filter_map(|sense| self.lexicon.arity(sense)).max().unwrap_or(0);
        arity.min(MAX_ARITY as u8)
    }

    /// Whether the sentence was too long for a chart.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn at(&self, a: usize, b: usize) -> usize {
        a * (self.words.len() + 1) + b
    }

    /// The number of a value.
    pub fn intern(&mut self, value: Value) -> ValueId {
        let next = self.values.len() as u32;
        *self.interned.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            next
        })
    }

    /// The value of this number.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id as usize]
    }

    /// The values of the words `start..end` with the probability of each.
    pub fn span(&self, start: usize, end: usize) -> impl Iterator<Item = (ValueId, f64)> + '_ {
        let cell = self.spans.get(self.at(start, end)).into_iter().flatten();
        cell.map(|&(id, item)| (id, self.items[item as usize].inside))
    }

    /// The argument lists that the words `start..end` can give to a head beside them, with the probability of
    /// each.
    pub fn row(&self, start: usize, end: usize) -> impl Iterator<Item = (Args, f64)> + '_ {
        let cell = self.rows.get(self.at(start, end)).into_iter().flat_map(|rows| &rows.all);
        cell.map(|&(args, item)| (args, self.items[item as usize].inside))
    }

    fn fill_row(&mut self, start: usize, end: usize) {
        let mut found = std::mem::take(&mut self.found_rows);
        if start == end {
            found.add(
                Args::default(),
                Edge { left: AXIOM, right: AXIOM, head: 0, sense: NO_SENSE, weight: 1.0 },
                (1.0, 1.0),
            );
        }
        for middle in start + 1..=end {
            let rows = &self.rows[self.at(middle, end)];
            for &(value, left) in &self.spans[self.at(start, middle)] {
                let room = usize::from(self.longest_row) + 1 - usize::from(value != VOID);
                let short = if room == 0 { 0 } else { rows.ends[room - 1] };
                for &(args, right) in &rows.all[..short] {
                    if let Some(args) = args.before(value) {
                        let edge = Edge { left, right, head: 0, sense: NO_SENSE, weight: 1.0 };
                        found.add(args, edge, self.product(edge));
                    }
                }
            }
        }
        let mut order = found.most_probable(self.limits.lists, |_| false);
        order.sort_by_key(|&group| found.groups[group].key.len);
        let at = self.at(start, end);
        self.rows[at] = Rows::new(self.store(&found, order));
        found.clear();
        self.found_rows = found;
    }

    fn fill_span(&mut self, start: usize, end: usize) {
        let mut found = std::mem::take(&mut self.found_values);
        for head in start..end {
            let word = self.words[head];
            let lexicon = self.lexicon;
            for (number, sense) in lexicon.senses[word as usize].iter().enumerate() {
                if sense.probability < self.limits.sense {
                    continue;
                }
                match lexicon.arity(sense) {
                    None if end - start == 1 => {
                        let (left, right) = (self.no_row(start), self.no_row(end));
                        let (head, weight) = (head as u16, sense.probability);
                        let edge = Edge { left, right, head, sense: number as u16, weight };
                        found.add(VOID, edge, self.product(edge));
                    }
                    None => {}
                    Some(arity) => self.apply_sense(&mut found, (start, head, end), number, arity),
                }
            }
        }
        let order = found.most_probable(self.limits.values, |&id| {
            id == VOID || (self.hint)(&self.values[id as usize], &self.values[self.target as usize])
        });
        let at = self.at(start, end);
        self.spans[at] = self.store(&found, order);
        found.clear();
        self.found_values = found;
    }

    /// The row of no subtrees before this place.
    fn no_row(&self, place: usize) -> u32 {
        self.rows[self.at(place, place)].all[0].1
    }

    fn apply_sense(
        &mut self,
        found: &mut Gather<ValueId>,
        (start, head, end): (usize, usize, usize),
        number: usize,
        arity: u8,
    ) {
        let (left_at, right_at) = (self.at(start, head), self.at(head + 1, end));
        let (word, sense) = (self.words[head], number as u16);
        let weight = self.lexicon.senses[word as usize][number].probability;
        for left_values in 0..=usize::from(arity).min(MAX_ARITY) {
            let right_values = usize::from(arity) - left_values;
            if right_values > MAX_ARITY {
                continue;
            }
            let counts =
                (self.rows[left_at].of(left_values).len(), self.rows[right_at].of(right_values).len());
            self.work += (counts.0 * counts.1) as u64;
            for l in 0..counts.0 {
                let (before, left) = self.rows[left_at].of(left_values)[l];
                for r in 0..counts.1 {
                    let (after, right) = self.rows[right_at].of(right_values)[r];
                    let Some(args) = before.joined(after.ids()) else { continue };
                    let value = self.apply(word, sense, args);
                    if value != FAILED {
                        let edge = Edge { left, right, head: head as u16, sense, weight };
                        found.add(value, edge, self.product(edge));
                    }
                }
            }
        }
    }

    /// The value of a word's sense for these arguments, computed once.
    fn apply(&mut self, word: u32, sense: u16, args: Args) -> ValueId {
        if let Some(&value) = self.applied.get(&(word, sense, args)) {
            return value;
        }
        let values: Vec<Value> = args.ids().iter().map(|&id| self.values[id as usize].clone()).collect();
        let lexicon = self.lexicon;
        let result =
            lexicon.apply_with(&mut self.evaluator, &lexicon.senses[word as usize][sense as usize], &values);
        let id = result.map_or(FAILED, |value| self.intern(value));
        self.applied.insert((word, sense, args), id);
        id
    }

    fn product(&self, edge: Edge) -> (f64, f64) {
        let (left, right) = (&self.items[edge.left as usize], &self.items[edge.right as usize]);
        (edge.weight * left.inside * right.inside, edge.weight * left.best * right.best)
    }

    /// Turns groups of what was gathered into items.
    fn store<K: Copy>(&mut self, found: &Gather<K>, order: Vec<usize>) -> Cell<K> {
        let first_item = self.items.len() as u32;
        let keeps_edges = self.purpose != Purpose::Likelihood;
        // Where the next edge of each group goes.
        let mut places = vec![None; found.groups.len()];
        let mut end = self.edges.len() as u32;
        for &group in &order {
            let Group { inside, best, best_edge, edges, .. } = found.groups[group];
            let start = end;
            if keeps_edges {
                places[group] = Some(start as usize);
                end += edges;
            }
            self.items.push(Item { inside, best, best_edge: start + best_edge, edges: start..end });
        }
        if keeps_edges {
            self.edges.resize(end as usize, Edge::default());
            for (group, edge) in &found.edges {
                if let Some(place) = &mut places[*group as usize] {
                    self.edges[*place] = *edge;
                    *place += 1;
                }
            }
        }
        order.into_iter().map(|group| found.groups[group].key).zip(first_item..).collect()
    }

    fn goal(&self) -> Option<u32> {
        let cell = &self.spans[self.at(0, self.words.len())];
        cell.iter().find(|(id, _)| *id == self.target).map(|&(_, item)| item)
    }

    /// The same where its trees are known.
    fn root(&self) -> Option<u32> {
        self.goal().filter(|_| self.purpose != Purpose::Likelihood)
    }

    /// Whether some tree gives the target.
    pub fn explains(&self) -> bool {
        self.goal().is_some()
    }

    /// The probability of the target among all values that trees of the whole sentence give; 0 if there is no
    /// tree that gives it.
    pub fn likelihood(&self) -> f64 {
        let cell = &self.spans[self.at(0, self.words.len())];
        let all: f64 = cell
            .iter()
            .filter(|(id, _)| *id != VOID)
            .map(|&(_, item)| self.items[item as usize].inside)
            .sum();
        self.goal().map_or(0.0, |goal| self.items[goal as usize].inside / all)
    }
}

/// Whether a value is a stretch of the target, or a number no larger than it.
fn occurs_in(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::List(part), Value::List(whole)) => {
            part.0.is_empty() || whole.0.windows(part.0.len()).any(|window| *window == *part.0)
        }
        (Value::Nat(part), Value::Nat(whole)) => part <= whole,
        _ => false,
    }
}
