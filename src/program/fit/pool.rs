//! The pool: functions of single slots, cheapest first, no two of which look alike on the judged rows.

use super::{DEPTH, Evidence, OUTPUT, Term, bits, call, rank};
use crate::prices;
use crate::program::function::{Place, Step};
use crate::settings::EFFORT;
use crate::symbol::Token;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use Place::{Before, Sofar, Token as Each};

/// Bodies of folds that are tried: all of up to three places of tokens and what there is so far that make something other than the list itself
/// or nothing, each token thrice, and every second token.
const FOLDS: [&[Place]; 13] = [
    &[Each],
    &[Each, Sofar],
    &[Each, Each],
    &[Sofar, Each, Each],
    &[Each, Each, Sofar],
    &[Each, Sofar, Each],
    &[Each, Each, Each],
    &[Each, Sofar, Sofar],
    &[Sofar, Each, Sofar],
    &[Sofar, Sofar, Each],
    &[Sofar, Each, Each, Each],
    &[Before, Each],
    &[Each, Before],
];

/// The values of a function on the judged rows; where it has none, nothing is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Image {
    /// All values, one after the other.
    tokens: Vec<Token>,
    /// For each row, where its value begins and ends.
    spans: Vec<Option<(usize, usize)>>,
}

impl Image {
    /// The values of a slot itself.
    fn of_slot(rows: &[&Evidence<'_>], slot: usize) -> Image {
        let mut image = Image::default();
        for row in rows {
            let start = image.tokens.len();
            image.tokens.extend_from_slice(row.args[slot]);
            image.spans.push(Some((start, image.tokens.len())));
        }
        image
    }

    fn row(&self, row: usize) -> Option<&[Token]> {
        let (start, end) = self.spans[row]?;
        Some(&self.tokens[start..end])
    }

    /// Makes this the image of `step` after `before`, with no value longer than the row's bound; whether at least
    /// `needed` rows have one.
    fn become_step(&mut self, before: &Image, step: &Step, bounds: &[usize], needed: usize) -> bool {
        self.tokens.clear();
        self.spans.clear();
        let mut missing = before.spans.len() - needed;
        for (row, &bound) in bounds.iter().enumerate() {
            let start = self.tokens.len();
            let value = before.row(row).and_then(|list| step.append(list, bound, &mut self.tokens));
            self.spans.push(value.map(|()| (start, self.tokens.len())));
            if value.is_none() {
                if missing == 0 {
                    return false;
                }
                missing -= 1;
            }
        }
        true
    }
}

/// A function of a slot, with its values on the judged rows.
#[derive(Debug)]
pub(super) struct Member {
    slot: u8,
    /// Its steps, as indices into the pool's.
    steps: Vec<usize>,
    /// Its price without that of a term.
    price: f64,
    image: Rc<Image>,
    /// Whether its value is a part of the output wanted, for each row.
    fits: Vec<bool>,
}

impl Member {
    fn new(slot: u8, steps: Vec<usize>, price: f64, image: Rc<Image>, rows: &[&Evidence<'_>]) -> Member {
        let fits = |(row, evidence): (usize, &&Evidence<'_>)| {
            image.row(row).is_some_and(|value| is_part(value, evidence.wanted))
        };
        let fits = rows.iter().enumerate().map(fits).collect();
        Member { slot, steps, price, image, fits }
    }

    /// Its value on a judged row.
    pub(super) fn value(&self, row: usize) -> Option<&[Token]> {
        self.image.row(row)
    }

    /// Whether it has a value on a judged row, and this is a part of the output wanted.
    pub(super) fn fits(&self, row: usize) -> bool {
        self.fits[row]
    }

    /// Its price as a term.
    pub(super) fn bits(&self) -> f64 {
        self.price + prices::TERM
    }
}

/// Functions of single slots, cheapest first, growing as long as one wants.
pub(super) struct Pool<'a> {
    rows: &'a [&'a Evidence<'a>],
    /// On how many rows a member must have a value.
    needed: usize,
    /// For each slot, how long values may get on each row.
    bounds: Vec<Vec<usize>>,
    steps: Vec<Step>,
    prices: Vec<f64>,
    pub(super) members: Vec<Member>,
    seen: FxHashSet<Rc<Image>>,
    queue: Queue,
    /// How many tokens have been written.
    written: usize,
}

impl<'a> Pool<'a> {
    /// The slots alone. A member has a value on at least `needed` rows. No list in a chain is longer than both the
    /// slot's value and the output wanted: to grow and then to shrink is hardly ever of use.
    pub(super) fn new(rows: &'a [&'a Evidence<'a>], needed: usize) -> Pool<'a> {
        let mut steps = vec![Step::First, Step::Rest];
        steps.extend(FOLDS.iter().map(|&places| Step::Fold(places.into())));
        // None of these steps names a token.
        let prices = steps.iter().map(|step| step.price(0.0)).collect();
        let slots = rows.first().map_or(0, |row| row.args.len());
        let bounds = (0..slots).map(|slot| bounds(rows, slot)).collect();
        let (members, seen, queue) = Default::default();
        let mut pool = Pool { rows, needed, bounds, steps, prices, members, seen, queue, written: 0 };
        for slot in 0..slots {
            pool.keep(slot as u8, Vec::new(), prices::SLOT, Image::of_slot(rows, slot));
        }
        pool
    }

    /// Adds the next cheapest members, steps after those there are, until it has `size` or no more can be had.
    pub(super) fn grow(&mut self, size: usize) {
        let mut image = Image::default();
        while self.members.len() < size
            && self.written < EFFORT
            && let Some((parent, step)) = self.queue.pop()
        {
            let Member { slot, steps, price, image: before, .. } = &self.members[parent];
            let bounds = &self.bounds[usize::from(*slot)];
            let has_values = image.become_step(before, &self.steps[step], bounds, self.needed);
            self.written += image.tokens.len();
            if has_values && !self.seen.contains(&image) {
                let chain = steps.iter().copied().chain([step]).collect();
                self.keep(*slot, chain, price + self.prices[step], std::mem::take(&mut image));
            }
        }
    }

    /// What a program costs at least that has a function beyond those there are.
    pub(super) fn beyond(&self) -> f64 {
        self.queue.cheapest().map_or(f64::INFINITY, |price| price + prices::TERM)
    }

    /// Adds a member that is unlike all others, and plans what may come after it.
    fn keep(&mut self, slot: u8, steps: Vec<usize>, price: f64, image: Image) {
        let image = Rc::new(image);
        if !self.seen.insert(Rc::clone(&image)) {
            return;
        }
        if steps.len() < DEPTH {
            for (step, step_price) in self.prices.iter().enumerate() {
                self.queue.push(price + step_price, self.members.len(), step);
            }
        }
        self.members.push(Member::new(slot, steps, price, image, self.rows));
    }

    /// A member as a term, with more steps after its own.
    pub(super) fn term(&self, member: &Member, more: impl IntoIterator<Item = Step>) -> Term {
        call(member.steps.iter().map(|&step| self.steps[step].clone()).chain(more).collect(), member.slot)
    }
}

/// Steps to take after members, cheapest first and among equals in order of arrival.
#[derive(Default)]
struct Queue {
    plans: BinaryHeap<Reverse<(u64, usize, usize, usize)>>,
    arrivals: usize,
}

impl Queue {
    fn push(&mut self, price: f64, member: usize, step: usize) {
        self.plans.push(Reverse((rank(price), self.arrivals, member, step)));
        self.arrivals += 1;
    }

    fn pop(&mut self) -> Option<(usize, usize)> {
        self.plans.pop().map(|Reverse((_, _, member, step))| (member, step))
    }

    fn cheapest(&self) -> Option<f64> {
        self.plans.peek().map(|Reverse((rank, ..))| bits(*rank))
    }
}

/// How long values of functions of a slot may get, for each row.
fn bounds(rows: &[&Evidence<'_>], slot: usize) -> Vec<usize> {
    rows.iter().map(|row| row.args[slot].len().max(row.wanted.len()).min(OUTPUT)).collect()
}

/// Whether `part` stands somewhere in `list`.
fn is_part(part: &[Token], list: &[Token]) -> bool {
    part.is_empty() || list.windows(part.len()).any(|window| window == part)
}
