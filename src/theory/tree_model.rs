//! The tree model: how probable it is that an entry fills a slot.
//!
//! Each slot has a distribution of its own over the fillers it was seen with. What it leaves over goes to the kin of
//! these fillers, entries of the same class; what that leaves over goes to entries of the same shape, and last to any. The
//! weight of a back-off grows with the number of *different* fillers seen, not with counts: a slot seen a thousand
//! times with one filler takes no other, one seen with ten of ten takes more. This keeps a theory from saying too much. What is left over goes
//! to what was hardly seen anywhere rather than to what is seen everywhere else.

use crate::parts::{self, Part};
use crate::settings::{HARDLY, MOST_BITS, UNSEEN, WALK};
use crate::theory::classes::classes;
use crate::theory::counts::{Counts, Fillers};
use crate::theory::entry::Entry;
use crate::theory::tree::{Place, ROOT};
use crate::theory::{EntryId, Theory};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a filling costs that is not wanted: more than all others of an input together.
pub const NEVER_BITS: f64 = 1e6;
/// Shapes of entries: one word or more, one token or more.
const SHAPES: usize = 4;

/// Probabilities of fillers, as costs in bits.
#[derive(Clone, Debug, Default)]
pub struct TreeModel {
    rows: FxHashMap<Place, u32>,
    columns: Vec<u32>,
    width: usize,
    bits: Vec<f32>,
    /// The same as probabilities: charts sum millions of them.
    likely: Vec<f32>,
    /// The class of every entry that trees use.
    pub classes: BTreeMap<EntryId, u32>,
    /// The column of words never seen, once there is one.
    newcomers: Option<u32>,
}

impl TreeModel {
    /// The model of what trees with these counts show, for all believed entries.
    pub fn new(counts: &Counts, theory: &Theory) -> TreeModel {
        let entries: Vec<EntryId> = theory.live().collect();
        let mut columns = vec![u32::MAX; theory.len()];
        for (column, &entry) in entries.iter().enumerate() {
            columns[entry as usize] = column as u32;
        }
        let classes = if parts::has(Part::Kin) { classes(counts) } else { BTreeMap::new() };
        let backoff = Backoff::new(counts, &classes, theory, &entries);
        let mut model = TreeModel { columns, width: entries.len(), ..TreeModel::default() };
        let walks = Walks::new(counts, &model.columns, entries.len());
        let slots = |&entry: &EntryId| (0..theory.entry(entry).slots()).map(move |slot| (entry, slot as u8));
        for place in std::iter::once(ROOT).chain(entries.iter().flat_map(slots)) {
            model.rows.insert(place, (model.bits.len() / model.width.max(1)) as u32);
            backoff.fill_row(counts.slots.get(&place), &walks, &mut model.bits);
        }
        drop(backoff);
        model.classes = classes;
        model.weigh();
        model
    }

    /// The probabilities of these bits.
    fn weigh(&mut self) {
        self.likely = self.bits.iter().map(|bits| (-bits).exp2()).collect();
    }

    /// What it costs that `filler` stands at `place`.
    pub fn bits(&self, place: Place, filler: EntryId) -> f64 {
        self.row(place).bits(filler)
    }

    /// The same model, but that this filler hardly ever stands there.
    pub fn without(&self, place: Place, filler: EntryId) -> TreeModel {
        let mut model = self.clone();
        let column = model.columns.get(filler as usize).copied().unwrap_or(u32::MAX) as usize;
        if let Some(&row) = model.rows.get(&place).filter(|_| column < model.width) {
            let cell = row as usize * model.width + column;
            (model.bits[cell], model.likely[cell]) = (NEVER_BITS as f32, 0.0);
        }
        model
    }

    /// Takes in a word never seen that stands where these were counted, as each of them on average, and nowhere else.
    pub fn take_in(&mut self, new: EntryId, like: &[EntryId], counts: &Counts) {
        let column = self.newcomers.unwrap_or_else(|| self.add_column(like, counts));
        self.newcomers = Some(column);
        self.columns.resize(self.columns.len().max(new as usize + 1), u32::MAX);
        self.columns[new as usize] = column;
    }

    /// One more column, with the mean probability of these.
    fn add_column(&mut self, like: &[EntryId], counts: &Counts) -> u32 {
        let mut costs = vec![NEVER_BITS as f32; self.rows.len()];
        for (place, seen) in &counts.slots {
            let Some(&row) = self.rows.get(place) else { continue };
            if like.iter().any(|filler| seen.each.contains_key(filler)) {
                let all: f64 = like.iter().map(|&filler| (-self.bits(*place, filler)).exp2()).sum();
                costs[row as usize] = -(all / like.len() as f64).log2() as f32;
            }
        }
        let rows = self.bits.chunks(self.width.max(1)).zip(costs);
        self.bits = rows.flat_map(|(row, cost)| row.iter().copied().chain([cost])).collect();
        self.width += 1;
        self.weigh();
        self.width as u32 - 1
    }

    /// The costs of all fillers of a place.
    pub fn row(&self, place: Place) -> Row<'_> {
        let cells = match self.rows.get(&place) {
            Some(&row) => row as usize * self.width..(row as usize + 1) * self.width,
            None => 0..0,
        };
        Row { bits: &self.bits[cells.clone()], likely: &self.likely[cells], columns: &self.columns }
    }
}

/// The costs of all fillers of a place.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    bits: &'a [f32],
    likely: &'a [f32],
    columns: &'a [u32],
}

impl Row<'_> {
    /// What it costs that `filler` stands here.
    pub fn bits(&self, filler: EntryId) -> f64 {
        let column = self.columns.get(filler as usize).copied().unwrap_or(u32::MAX);
        self.bits.get(column as usize).map_or(MOST_BITS, |&bits| f64::from(bits))
    }

    /// How probable it is that `filler` stands here.
    pub fn likely(&self, filler: EntryId) -> f64 {
        let column = self.columns.get(filler as usize).copied().unwrap_or(u32::MAX);
        self.likely.get(column as usize).map_or_else(|| (-MOST_BITS).exp2(), |&likely| f64::from(likely))
    }
}

/// What all rows share.
struct Backoff<'a> {
    entries: &'a [EntryId],
    classes: &'a BTreeMap<EntryId, u32>,
    /// Uses of entries and of classes.
    uses: Vec<f64>,
    class_uses: Vec<f64>,
    class: Vec<Option<usize>>,
    /// Shapes of entries; in how many different slots entries and shapes were seen.
    shape: Vec<usize>,
    shapes: FxHashMap<EntryId, usize>,
    slots: Vec<f64>,
    shape_slots: [f64; SHAPES],
}

impl<'a> Backoff<'a> {
    fn new(
        counts: &Counts,
        classes: &'a BTreeMap<EntryId, u32>,
        theory: &Theory,
        entries: &'a [EntryId],
    ) -> Backoff<'a> {
        let mut slots_of: FxHashMap<EntryId, f64> = FxHashMap::default();
        for filler in counts.slots.values().flat_map(|fillers| fillers.each.keys()) {
            *slots_of.entry(*filler).or_default() += 1.0;
        }
        let number = classes.values().max().map_or(0, |&most| most as usize + 1);
        let mut class_uses = vec![0.0; number];
        for (entry, class) in classes {
            class_uses[*class as usize] += counts.uses(*entry);
        }
        let shape: Vec<usize> = entries.iter().map(|&entry| shape(theory.entry(entry))).collect();
        let slots: Vec<f64> =
            entries.iter().map(|entry| slots_of.get(entry).copied().unwrap_or(0.0)).collect();
        let mut shape_slots = [0.0; SHAPES];
        for (shape, slots) in shape.iter().zip(&slots) {
            shape_slots[*shape] += slots;
        }
        Backoff {
            entries,
            classes,
            uses: entries.iter().map(|&entry| counts.uses(entry)).collect(),
            class: entries.iter().map(|entry| classes.get(entry).map(|&class| class as usize)).collect(),
            class_uses,
            shapes: entries.iter().copied().zip(shape.iter().copied()).collect(),
            shape,
            slots,
            shape_slots,
        }
    }

    fn fill_row(&self, fillers: Option<&Fillers>, walks: &Walks<'_>, row: &mut Vec<f32>) {
        let none = Fillers::default();
        let fillers = fillers.unwrap_or(&none);
        let different = fillers.each.len().max(1) as f64;
        let mut by_class: BTreeMap<usize, f64> = BTreeMap::new();
        let mut by_shape = [0.0; SHAPES];
        for (entry, count) in &fillers.each {
            if let Some(&class) = self.classes.get(entry) {
                *by_class.entry(class as usize).or_default() += count;
            }
            if let Some(&shape) = self.shapes.get(entry) {
                by_shape[shape] += count;
            }
        }
        let different_classes = by_class.len().max(1) as f64;
        let all_slots: f64 = self.shape_slots.iter().sum();
        let walk = walks.from(fillers);
        let likely = walk.into_iter().enumerate().map(|(column, walk)| {
            let shape = self.shape[column];
            let of_shapes = (self.shape_slots[shape] + HARDLY) / (all_slots + HARDLY * SHAPES as f64);
            let shaped = (by_shape[shape] + UNSEEN * of_shapes) / (fillers.total + UNSEEN);
            let within = (self.slots[column] + HARDLY)
                / (self.shape_slots[shape] + HARDLY * self.entries.len() as f64);
            let anything = WALK * walk + (1.0 - WALK) * shaped * within;
            let kin = self.class[column].map_or(0.0, |class| {
                let seen = by_class.get(&class).copied().unwrap_or(0.0);
                seen * self.uses[column] / self.class_uses[class].max(f64::MIN_POSITIVE)
            });
            let kin = mix(kin, fillers.total, UNSEEN * different_classes, anything);
            let own = fillers.each.get(&self.entries[column]).copied().unwrap_or(0.0);
            // So often it could have been here, as often as it and its kin are used; and never was.
            let missed = if own == 0.0 { fillers.total * kin } else { 0.0 };
            Likely {
                probability: mix(own, fillers.total, UNSEEN * different, kin),
                is_new: own == 0.0,
                missed,
            }
        });
        let likely: Vec<Likely> = likely.collect();
        let new = |of: fn(&Likely) -> f64| likely.iter().filter(|filler| filler.is_new).map(of).sum::<f64>();
        let all_new = new(|filler| filler.probability) / new(Likely::less).max(f64::MIN_POSITIVE);
        row.extend(likely.iter().map(|filler| {
            let probability = if filler.is_new { filler.less() * all_new } else { filler.probability };
            (-probability.log2()).min(MOST_BITS) as f32
        }));
    }
}

/// How likely something fills a slot.
struct Likely {
    probability: f64,
    /// Whether it was never seen there, and how often it could have been.
    is_new: bool,
    missed: f64,
}

impl Likely {
    /// The less likely the more often it was missed: what was hardly seen anywhere may stand here, what is everywhere else does not.
    fn less(&self) -> f64 {
        self.probability * UNSEEN / (UNSEEN + self.missed)
    }
}

/// Walks from a slot to its fillers, to the other slots they fill, and to the fillers of these.
struct Walks<'a> {
    counts: &'a Counts,
    columns: &'a [u32],
    width: usize,
    /// For every filler the slots it fills.
    places: FxHashMap<EntryId, Vec<(&'a Fillers, f64)>>,
}

impl<'a> Walks<'a> {
    fn new(counts: &'a Counts, columns: &'a [u32], width: usize) -> Walks<'a> {
        let mut places: FxHashMap<EntryId, Vec<(&Fillers, f64)>> = FxHashMap::default();
        for fillers in counts.slots.values() {
            for (&filler, &count) in &fillers.each {
                places.entry(filler).or_default().push((fillers, count));
            }
        }
        Walks { counts, columns, width, places }
    }

    /// Where walks from a slot end.
    fn from(&self, fillers: &Fillers) -> Vec<f64> {
        let mut ends = vec![0.0; self.width];
        for (filler, count) in &fillers.each {
            for (slot, often) in &self.places[filler] {
                let there = count / fillers.total * often / self.counts.uses(*filler);
                for (other, count) in &slot.each {
                    if let Some(end) = ends.get_mut(self.columns[*other as usize] as usize) {
                        *end += there * count / slot.total;
                    }
                }
            }
        }
        ends
    }
}

fn mix(count: f64, total: f64, weight: f64, backoff: f64) -> f64 {
    (count + weight * backoff) / (total + weight)
}

fn shape(entry: &Entry) -> usize {
    usize::from(entry.pattern.len() == 1) * 2 + usize::from(entry.says.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::theory::entry::tests::entry;

    #[test]
    fn what_fills_a_slot_has_probabilities_that_sum_to_one() {
        let mut theory = Theory::new(Prices::new(9, 9));
        let above = ["p 0", "q 0"].map(|pattern| theory.add(&entry(pattern, "0")));
        let words = [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")];
        let [a, b, c, d] = words.map(|(word, says)| theory.add(&entry(word, says)));
        let [p, q] = above.map(|id| (id, 0));
        let mut counts = Counts::default();
        for (place, filler, often) in
            [(p, a, 10.0), (p, b, 10.0), (p, c, 20.0), (p, d, 1.0), (q, a, 10.0), (q, b, 10.0)]
        {
            counts.add(place, filler, often);
        }
        let model = TreeModel::new(&counts, &theory);
        let all: f64 = theory.live().map(|id| (-model.bits(q, id)).exp2()).sum();
        assert!((all - 1.0).abs() < 1e-3, "{all}");
    }

    #[test]
    fn what_was_missed_more_often_is_less_likely() {
        let less = |missed| Likely { probability: 0.1, is_new: true, missed }.less();
        assert_eq!(less(0.0), 0.1);
        assert!(less(1.0) < less(0.1) && less(20.0) < 0.05 * less(0.0), "{} {}", less(1.0), less(20.0));
    }
}
