//! What fills which slot: the tree model of values.
//!
//! All constants are one kind of filler, every other entry is a kind of its own: which number word stands in a slot says nothing about its
//! neighbours. A slot's own distribution backs off to the kin of its fillers and to the distribution of its entry, and
//! then to that of all entries, with a weight that falls with the number of
//! *different* fillers seen. An entry of two numbers also has a preference for how they compare: `_ hundred`, `hundred _`.
//!
//! A kind of filler that a slot was never seen with is judged by what it comes to: where training has counted up to 9,999, `six and twenty
//! thousand` may be 26 thousands or 6 and 20,000, and 26 is less unlike what multiplies thousands than 20,000 is unlike what follows `and`.

use super::entry::Lexicon;
use super::value::Value;
use crate::number::integer::Integer;
use crate::parts::{self, Part};
use crate::prices::{DIGIT, FILLER};
use crate::settings::WALK;
use crate::theory::EntryId;
use crate::theory::tree::{Place, ROOT};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// A kind of filler: an entry with slots, or any constant.
pub type Kind = Option<EntryId>;

/// What the trees of examples show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// What fills which slot how often.
    pub fillings: BTreeMap<(Place, Kind), f64>,
    /// How many different texts were seen in a slot.
    pub different: BTreeMap<Place, f64>,
    /// For entries of two numbers, how many different pairs of them were in order and out of order.
    pub orders: BTreeMap<EntryId, [f64; 2]>,
    /// The binary digits of the longest number of a kind in a slot.
    pub digits: BTreeMap<(Place, Kind), f64>,
    /// In how many examples a kind that was never seen in a slot would have been the only thing new, and the result wrong.
    pub refuted: BTreeMap<(Place, Kind), f64>,
}

impl Counts {
    /// What it costs to say what fills what, and up to which size.
    pub fn bits(&self) -> f64 {
        FILLER * self.fillings.len() as f64 + DIGIT * self.longest().values().sum::<f64>()
    }

    /// The same with entries numbered anew, without what concerns those that have no number.
    pub fn renumbered(&self, number: impl Fn(EntryId) -> Option<EntryId>) -> Counts {
        let place = |at: Place| Some((if at == ROOT { at.0 } else { number(at.0)? }, at.1));
        let kind = |kind: Kind| kind.map_or(Some(None), |id| number(id).map(Some));
        let of_kinds = |counts: &BTreeMap<(Place, Kind), f64>| {
            counts.iter().filter_map(|(&(at, of), &n)| Some(((place(at)?, kind(of)?), n))).collect()
        };
        Counts {
            fillings: of_kinds(&self.fillings),
            different: self.different.iter().filter_map(|(&at, &n)| Some((place(at)?, n))).collect(),
            orders: self.orders.iter().filter_map(|(&id, &n)| Some((number(id)?, n))).collect(),
            digits: of_kinds(&self.digits),
            refuted: of_kinds(&self.refuted),
        }
    }

    /// Whether all entries are some of so many, and all counts numbers that are not below zero: files come from strangers.
    pub fn is_sound(&self, entries: usize) -> bool {
        let is_there = |id: EntryId| (id as usize) < entries;
        let is_slot = |at: &Place| *at == ROOT || is_there(at.0);
        let is_count = |count: f64| count.is_finite() && count >= 0.0;
        let mut of_kinds = self.fillings.iter().chain(&self.digits).chain(&self.refuted);
        of_kinds.all(|((at, kind), n)| is_slot(at) && kind.is_none_or(is_there) && is_count(*n))
            && self.different.iter().all(|(at, n)| is_slot(at) && is_count(*n))
            && self.orders.iter().all(|(id, counts)| is_there(*id) && counts.iter().all(|&n| is_count(n)))
    }

    /// Forgets that a kind was seen in a slot.
    pub fn forget(&mut self, filling: &(Place, Kind)) {
        self.fillings.remove(filling);
        self.digits.remove(filling);
    }

    /// The same with an entry that fills, and is filled, like another one.
    pub fn with_kin(&self, new: EntryId, kin: EntryId) -> Counts {
        let mut counts = self.clone();
        let both = |id: EntryId| if id == kin { vec![kin, new] } else { vec![id] };
        for ((place, kind), count) in &self.fillings {
            let kinds: Vec<Kind> = kind.map_or(vec![None], |id| both(id).into_iter().map(Some).collect());
            for (parent, kind) in
                both(place.0).iter().flat_map(|&id| kinds.iter().map(move |kind| (id, *kind)))
            {
                counts.fillings.entry(((parent, place.1), kind)).or_insert(*count);
            }
        }
        for (place, count) in self.different.iter().filter(|(place, _)| place.0 == kin) {
            counts.different.entry((new, place.1)).or_insert(*count);
        }
        for ((place, kind), digits) in self.digits.iter().filter(|((place, _), _)| place.0 == kin) {
            counts.digits.entry(((new, place.1), *kind)).or_insert(*digits);
        }
        counts
    }

    /// The binary digits of the longest number in each slot.
    fn longest(&self) -> BTreeMap<Place, f64> {
        let mut longest: BTreeMap<Place, f64> = BTreeMap::new();
        for ((place, _), digits) in &self.digits {
            let most = longest.entry(*place).or_default();
            *most = most.max(*digits);
        }
        longest
    }
}

/// Slots of an entry that have a distribution of their own; further ones share the last one.
const SLOTS: usize = 4;
/// The weight of what was not seen, in counts.
const UNSEEN: f64 = 1.0;

/// Costs of fillers and of orders, in bits.
#[derive(Clone, Debug, Default)]
pub struct Preference {
    /// The column of each entry as a filler.
    columns: Vec<u32>,
    /// The first row of each entry as a parent.
    rows: Vec<u32>,
    width: usize,
    bits: Vec<f32>,
    /// The binary digits up to which a number of a kind is like what was seen in a row.
    digits: Vec<f32>,
    /// What each order of the numbers of an entry costs, and whether it was seen.
    orders: Vec<[(f32, bool); 2]>,
}

impl Preference {
    /// The preferences that counts show, for all believed entries.
    pub fn new(counts: &Counts, lexicon: &Lexicon) -> Preference {
        let mut columns = vec![0; lexicon.len()];
        let mut rows = vec![0; lexicon.len()];
        let mut parents = vec![ROOT.0];
        for id in lexicon.live().filter(|&id| lexicon.entry(id).pattern.slots() > 0) {
            columns[id as usize] = parents.len() as u32;
            rows[id as usize] = parents.len() as u32;
            parents.push(id);
        }
        let width = parents.len();
        let column = |kind: &Kind| match kind {
            None => Some(0),
            Some(id) => lexicon.is_live(*id).then(|| columns[*id as usize] as usize),
        };
        let row = |parent: EntryId| match parent {
            parent if parent == ROOT.0 => Some(0),
            parent => lexicon.is_live(parent).then(|| rows[parent as usize] as usize),
        };
        let mut seen = vec![0.0; width * SLOTS * width];
        let mut different = vec![0.0; width * SLOTS];
        for ((place, kind), count) in &counts.fillings {
            if let (Some(row), Some(column)) = (row(place.0), column(kind)) {
                seen[(row * SLOTS + slot(place.1)) * width + column] += count;
            }
        }
        for (place, count) in &counts.different {
            if let Some(row) = row(place.0) {
                different[row * SLOTS + slot(place.1)] += count;
            }
        }
        // What was computed may come to more than was seen; a constant, or what was never seen here, is judged by what was.
        let mut digits = vec![f32::INFINITY; seen.len()];
        for (place, most) in counts.longest() {
            let Some(row) = row(place.0) else { continue };
            let row = (row * SLOTS + slot(place.1)) * width;
            for kind in (0..width).filter(|kind| seen[row + kind] == 0.0) {
                digits[row + kind] = most as f32;
            }
            if let Some(&most) = counts.digits.get(&(place, None)) {
                digits[row] = most as f32;
            }
        }
        let mut bits = table(&seen, &different, width);
        // Where a kind was never seen it may never have had a chance: what makes results wrong is less likely than that.
        let mut dearest = vec![0.0_f32; width];
        for &id in &parents[1..] {
            let row = rows[id as usize] as usize * SLOTS * width;
            let slots = lexicon.entry(id).pattern.slots().min(SLOTS);
            for (place, bits) in bits[row..row + slots * width].iter().enumerate() {
                dearest[place % width] = dearest[place % width].max(*bits);
            }
        }
        for ((place, kind), count) in &counts.refuted {
            if let (Some(row), Some(column)) = (row(place.0), column(kind)) {
                let bits = &mut bits[(row * SLOTS + slot(place.1)) * width + column];
                *bits = bits.max(dearest[column]) + (1.0 + count).log2() as f32;
            }
        }
        let orders = (0..lexicon.len() as EntryId).map(|id| order_bits(counts.orders.get(&id))).collect();
        Preference { columns, rows, width, bits, digits, orders }
    }

    /// What it costs that `filler` stands at `place` and comes to this value: one of a kind that was not seen there costs more the more digits it
    /// has beyond those of all that was.
    pub fn bits(&self, place: Place, filler: EntryId, value: &Value) -> f32 {
        let row = if place.0 == ROOT.0 { 0 } else { self.rows[place.0 as usize] as usize };
        let at = (row * SLOTS + slot(place.1)) * self.width + self.columns[filler as usize] as usize;
        let beyond = match value {
            Value::Number(number) => far(number.digits() as f32 - self.digits[at]),
            _ => 0.0,
        };
        self.bits[at] + beyond
    }

    /// What it costs that an entry has these values in its slots. Nothing stands where it was not seen at the price of where it was.
    pub fn order_bits(&self, entry: EntryId, arguments: &[Value]) -> f32 {
        let Some(order) = compared(arguments) else { return 0.0 };
        let orders = &self.orders[entry as usize];
        match orders[order] {
            (bits, true) => bits,
            (bits, false) if has_order(arguments) => bits + far(difference(arguments)),
            _ => orders[1 - order].0,
        }
    }
}

/// What it costs to be so many digits away from what was seen: about what the number of digits costs.
fn far(digits: f32) -> f32 {
    (1.0 + digits.max(0.0)).log2()
}

/// By how many digits the longer one of two numbers is longer.
fn difference(arguments: &[Value]) -> f32 {
    match arguments {
        [Value::Number(x), Value::Number(y)] => x.digits().abs_diff(y.digits()) as f32,
        _ => 0.0,
    }
}

/// The distribution in which slots beyond the last share.
fn slot(number: u8) -> usize {
    usize::from(number).min(SLOTS - 1)
}

/// Whether the first of two numbers is the larger one, 0 or 1, where that tells something about how an entry is used.
pub fn order(arguments: &[Value]) -> Option<usize> {
    compared(arguments).filter(|_| has_order(arguments) && parts::has(Part::Orders))
}

/// Whether the first of two numbers is the larger one. Of equal ones there are too few to tell.
fn compared(arguments: &[Value]) -> Option<usize> {
    match arguments {
        [Value::Number(x), Value::Number(y)] if x != y => Some(usize::from(x > y)),
        _ => None,
    }
}

/// Whether none of the values is nothing, which may stand anywhere: words such as `and` that add nothing would hide that larger numbers come first.
fn has_order(arguments: &[Value]) -> bool {
    !arguments.contains(&Value::Number(Integer::ZERO))
}

fn order_bits(counts: Option<&[f64; 2]>) -> [(f32, bool); 2] {
    let counts = counts.copied().unwrap_or_default();
    let total: f64 = counts.iter().sum();
    let bits = |count: f64| {
        let habit = -((count + UNSEEN / 2.0) / (total + UNSEEN)).log2();
        // One order alone may be a law as well as a habit: if that is as likely beforehand, so much less likely is the other one.
        let law = if count == 0.0 { (1.0 + (PI * total).sqrt()).log2() } else { 0.0 };
        (habit + law) as f32
    };
    // Where none was seen, none is far from what was.
    counts.map(|count| (bits(count), count > 0.0 || total == 0.0))
}

/// `seen` has a row for each slot of each parent, and in it a count for each kind.
fn table(seen: &[f64], different: &[f64], width: usize) -> Vec<f32> {
    // Anything may be a whole input: what stands there says nothing about what fills slots.
    let fillers = &seen[SLOTS * width..];
    let everywhere: Vec<f64> =
        (0..width).map(|kind| fillers.iter().skip(kind).step_by(width).sum()).collect();
    let total: f64 = everywhere.iter().sum();
    let walks = Walks::new(fillers, &everywhere, width);
    let mut bits = Vec::with_capacity(seen.len());
    for (of_parent, different) in seen.chunks(SLOTS * width).zip(different.chunks(SLOTS)) {
        let unseen = UNSEEN / (UNSEEN + different.iter().sum::<f64>());
        let all: f64 = of_parent.iter().sum();
        let by_kind: Vec<f64> = (0..width)
            .map(|kind| share(of_parent.iter().skip(kind).step_by(width).sum::<f64>(), all))
            .collect();
        for (slot, different) in of_parent.chunks(width).zip(different) {
            let unseen_here = UNSEEN / (UNSEEN + different);
            let all: f64 = slot.iter().sum();
            let walk = walks.from(slot);
            for kind in 0..width {
                let anywhere = (everywhere[kind] + 1.0) / (total + width as f64);
                let kin =
                    if all > 0.0 { WALK * walk[kind] + (1.0 - WALK) * by_kind[kind] } else { by_kind[kind] };
                let backoff = unseen * anywhere + (1.0 - unseen) * kin;
                let probability = unseen_here * backoff + (1.0 - unseen_here) * share(slot[kind], all);
                bits.push(-probability.log2() as f32);
            }
        }
    }
    bits
}

fn share(count: f64, total: f64) -> f64 {
    if total > 0.0 { count / total } else { 0.0 }
}

/// Walks from a slot to its fillers, to the other slots they fill, and to the fillers of these: kin.
struct Walks {
    width: usize,
    /// For each kind, what stands where it stands.
    beside: Vec<f64>,
}

impl Walks {
    fn new(seen: &[f64], everywhere: &[f64], width: usize) -> Walks {
        let mut beside = vec![0.0; width * width];
        for slot in seen.chunks(width) {
            let all: f64 = slot.iter().sum();
            for (kind, &count) in slot.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                for (other, &often) in slot.iter().enumerate() {
                    beside[kind * width + other] += count / everywhere[kind] * often / all;
                }
            }
        }
        Walks { width, beside }
    }

    /// Where walks from a slot end.
    fn from(&self, slot: &[f64]) -> Vec<f64> {
        let all: f64 = slot.iter().sum();
        let mut ends = vec![0.0; self.width];
        for (kind, &count) in slot.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            for (end, beside) in ends.iter_mut().zip(&self.beside[kind * self.width..]) {
                *end += count / all * beside;
            }
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Word;
    use crate::theory::entry::In;
    use crate::values::entry::{Entry, Pattern};
    use crate::values::program::Program;

    #[test]
    fn an_order_without_exception_is_broken_less_readily_than_one_with() {
        let bits = |counts: [f64; 2]| order_bits(Some(&counts)).map(|(bits, _)| bits);
        assert!(bits([0.0, 100.0])[0] > bits([1.0, 100.0])[0] + 4.0);
        assert_eq!(bits([0.0, 0.0])[0], bits([0.0, 0.0])[1]);
    }

    #[test]
    fn nothing_may_stand_before_and_behind_any_number() {
        let order = |x: i64, y: i64| order(&[Value::from(x), Value::from(y)]);
        assert_eq!([order(20, 5), order(5, 20)], [Some(1), Some(0)]);
        assert_eq!([order(0, 99), order(99, 0), order(7, 7)], [None; 3]);
    }

    #[test]
    fn what_makes_results_wrong_is_less_likely_than_what_had_no_chance() {
        let mut lexicon = Lexicon::default();
        let mut counts = Counts::default();
        for (id, different) in [(0, 2.0), (1, 50.0)] {
            let pieces = Box::new([In::Word(Word(id)), In::Slot(0)]);
            let entry = Entry { pattern: Pattern::of_slots(pieces), program: Program::Linear(vec![1, 1]) };
            lexicon.push(entry, 1.0, true);
            counts.fillings.insert(((id, 0), None), different);
            counts.different.insert((id, 0), different);
        }
        let bits = |counts: &Counts, place: EntryId| {
            Preference::new(counts, &lexicon).bits((place, 0), 0, &Value::Truth(true))
        };
        assert!(bits(&counts, 0) < bits(&counts, 1));
        counts.refuted.insert(((0, 0), Some(0)), 1.0);
        assert!(bits(&counts, 0) > bits(&counts, 1));
    }

    #[test]
    fn what_fills_a_place_has_probabilities_that_sum_to_one() {
        let mut lexicon = Lexicon::default();
        for word in 0..3 {
            let program = Program::Constant(Value::from(i64::from(word)));
            lexicon.push(Entry { pattern: Pattern::word(Word(word)), program }, 1.0, true);
        }
        let pieces = Box::new([In::Slot(0), In::Word(Word(9))]);
        let pattern = Pattern::of_slots(pieces);
        let more = lexicon.push(Entry { pattern, program: Program::Linear(vec![1, 1]) }, 1.0, true);
        let mut counts = Counts::default();
        counts.fillings.insert(((more, 0), None), 3.0);
        counts.fillings.insert((ROOT, Some(more)), 3.0);
        counts.different.insert((more, 0), 2.0);
        let preference = Preference::new(&counts, &lexicon);
        for place in [ROOT, (more, 0), (more, 1)] {
            let sum: f32 = [0, more]
                .iter()
                .map(|&filler| (-preference.bits(place, filler, &Value::Truth(true))).exp2())
                .sum();
            assert!((sum - 1.0).abs() < 1e-5, "{place:?}: {sum}");
        }
        let of = |filler, number: i64| preference.bits((more, 0), filler, &Value::from(number));
        assert!(of(0, 7) < of(more, 7));
        counts.digits.insert(((more, 0), None), 3.0);
        let preference = Preference::new(&counts, &lexicon);
        let of = |filler, number: i64| preference.bits((more, 0), filler, &Value::from(number));
        assert!((of(more, 63) - of(more, 7) - 2.0).abs() < 1e-5);
        assert!((of(0, 63) - of(0, 7) - 2.0).abs() < 1e-5);
        // What is computed and was seen may come to more than was seen.
        counts.fillings.insert(((more, 0), Some(more)), 3.0);
        let preference = Preference::new(&counts, &lexicon);
        assert_eq!(
            preference.bits((more, 0), more, &Value::from(63)),
            preference.bits((more, 0), more, &Value::from(7))
        );
    }
}
