//! All values that spans of an input may have, computed from below.
//!
//! A value is reached in many ways; for each kind of entry at its root the cheapest way is kept. Patterns are matched from left to right, so
//! that what several entries share of a span is looked at once per entry and not once per way to cut it.

use super::entry::{Lexicon, Pattern};
use super::preference::Preference;
use super::program::Program;
use super::value::Value;
use crate::chart::{Cells, Input, Kid, Looks};
use crate::number::expression::Fuel;
use crate::symbol::Word;
use crate::theory::EntryId;
use crate::theory::entry::In;
use crate::theory::tree::ROOT;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A value of a span.
#[derive(Clone, Debug)]
pub struct Item {
    /// The entry that computes it.
    pub entry: EntryId,
    /// The value.
    pub value: Value,
    /// What its tree costs.
    pub bits: f32,
    /// What fills its slots, or its row.
    pub kids: Box<[Kid]>,
}

/// The values of all spans, the cheapest of each first.
pub type Chart = Cells<Item>;

/// A value of the whole input.
#[derive(Clone, Debug)]
pub struct Root {
    /// The value.
    pub value: Value,
    /// Its share of the weight of all trees.
    pub probability: f64,
    /// The cheapest item with it.
    pub item: usize,
    /// What the tree of that item costs.
    pub bits: f32,
}

/// How much a chart may hold.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Values of one span.
    pub values: usize,
    /// Entries begun in one span.
    pub begun: usize,
    /// Steps in all.
    pub steps: u64,
    /// Values of one span may cost so much more than the cheapest, in bits.
    pub beam: f32,
    /// What one program may take.
    pub fuel: Fuel,
}

/// A reading may take one picture for what it hardly looks like, but not several in a few words.
const BEAM: f32 = 25.0;

impl Bounds {
    /// For learning, which makes thousands of charts.
    pub fn for_learning() -> Bounds {
        let fuel = Fuel::for_learning();
        Bounds { values: 10, begun: 120, steps: 3_000_000, beam: f32::INFINITY, fuel }
    }

    /// For an answer.
    pub fn for_answers() -> Bounds {
        let fuel = Fuel::for_answers();
        Bounds { values: 10, begun: 200, steps: 20_000_000, beam: f32::INFINITY, fuel }
    }

    /// For a row of pictures whose result is known, narrower and wider: the reading that gives it need not be among the most probable ones, but
    /// mostly is, and wide charts take ten times as long.
    pub fn for_wanted() -> [Bounds; 3] {
        [5, 10, 20].map(|values| Bounds { values, begun: 15 * values, beam: BEAM, ..Bounds::for_learning() })
    }
}

/// An entry matched so far.
#[derive(Clone, Copy)]
struct Begun {
    entry: EntryId,
    /// How many pieces of its pattern.
    pieces: u16,
    /// Whether its row goes on with the word between fillers.
    is_parted: bool,
    bits: f32,
    /// The last filler in the list of fillers.
    last: u32,
}

/// What was matched of a span: entries that go on, and those that are complete.
#[derive(Default)]
struct Matched {
    begun: Vec<Begun>,
    done: Vec<Begun>,
}

/// A filler and the one before it.
#[derive(Clone, Copy)]
struct Link {
    before: u32,
    kid: Kid,
}

const NONE: u32 = u32::MAX;

impl Chart {
    /// The values of an item's slots.
    pub fn arguments(&self, kids: &[Kid]) -> Vec<Value> {
        kids.iter().map(|&kid| self.item(kid).value.clone()).collect()
    }

    /// The entries of all trees of the whole input.
    pub fn entries_of_trees(&self) -> BTreeSet<EntryId> {
        let mut entries = BTreeSet::new();
        let mut seen: FxHashSet<(u16, u16, u16)> = FxHashSet::default();
        let mut items: Vec<&Item> = self.at(0, self.length).iter().collect();
        while let Some(item) = items.pop() {
            entries.insert(item.entry);
            let new = item.kids.iter().filter(|kid| seen.insert((kid.from, kid.to, kid.item)));
            items.extend(new.map(|&kid| self.item(kid)));
        }
        entries
    }

    /// The values of the whole input, the most probable first.
    pub fn roots(&self, preference: &Preference) -> Vec<Root> {
        self.roots_within(0, self.length, preference)
    }

    /// The values of a span, as if it were the whole input.
    pub fn roots_within(&self, from: usize, to: usize, preference: &Preference) -> Vec<Root> {
        let mut roots: Vec<Root> = Vec::new();
        let items = self.at(from, to);
        let cheapest = items.iter().map(|item| item.bits).fold(f32::INFINITY, f32::min);
        for (number, item) in items.iter().enumerate() {
            let bits = item.bits + preference.bits(ROOT, item.entry, &item.value);
            let weight = f64::from(cheapest - bits).exp2();
            match roots.iter_mut().find(|root| root.value == item.value) {
                Some(root) => {
                    root.probability += weight;
                    if bits < root.bits {
                        (root.bits, root.item) = (bits, number);
                    }
                }
                None => {
                    let value = item.value.clone();
                    roots.push(Root { value, probability: weight, item: number, bits });
                }
            }
        }
        let total: f64 = roots.iter().map(|root| root.probability).sum();
        roots.iter_mut().for_each(|root| root.probability /= total);
        roots.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        roots
    }
}

/// An input in which runs of words of an open class may stand. Rows of pictures have none.
pub trait Runs: Input {
    /// What stands at a place if that is a run.
    fn run(&self, _place: usize) -> Option<&Value> {
        None
    }
}

impl Runs for Looks {}

/// The chart of an input.
pub fn chart<I: Runs + ?Sized>(
    input: &I,
    lexicon: &Lexicon,
    preference: &Preference,
    bounds: &Bounds,
) -> Chart {
    Maker::new(input, lexicon, preference, bounds).make()
}

struct Maker<'a, I: Runs + ?Sized> {
    input: &'a I,
    lexicon: &'a Lexicon,
    preference: &'a Preference,
    bounds: &'a Bounds,
    /// Entries that begin with a word, and with a slot.
    by_word: FxHashMap<Word, Vec<EntryId>>,
    by_slot: Vec<EntryId>,
    begun: Cells<Begun>,
    links: Vec<Link>,
    chart: Chart,
    steps: u64,
}

impl<'a, I: Runs + ?Sized> Maker<'a, I> {
    fn new(
        input: &'a I,
        lexicon: &'a Lexicon,
        preference: &'a Preference,
        bounds: &'a Bounds,
    ) -> Maker<'a, I> {
        let length = input.length();
        let there: FxHashSet<Word> =
            (0..length).flat_map(|place| input.words(place)).map(|(word, _)| word).collect();
        let mut by_word: FxHashMap<Word, Vec<EntryId>> = FxHashMap::default();
        let mut by_slot = Vec::new();
        for id in lexicon.live() {
            let pattern = &lexicon.entry(id).pattern;
            if pattern.words().all(|word| there.contains(&word)) {
                match pattern.pieces[0] {
                    In::Word(word) => by_word.entry(word).or_default().push(id),
                    In::Slot(_) => by_slot.push(id),
                }
            }
        }
        Maker {
            input,
            lexicon,
            preference,
            bounds,
            by_word,
            by_slot,
            begun: Cells::new(length),
            links: Vec::new(),
            chart: Chart::new(length),
            steps: bounds.steps,
        }
    }

    fn make(mut self) -> Chart {
        let length = self.input.length();
        for to in 1..=length {
            for from in (0..to).rev() {
                self.span(from, to);
                if self.steps == 0 {
                    return self.chart;
                }
            }
        }
        self.chart
    }

    fn span(&mut self, from: usize, to: usize) {
        let mut matched = Matched::default();
        self.take_word(from, to, &mut matched);
        for middle in from + 1..to {
            self.take_fillers(from, middle, to, &mut matched);
        }
        let Matched { mut begun, done } = matched;
        let items = self.finish(from, &done);
        for (number, item) in items.iter().enumerate() {
            self.begin(item, Kid { from: from as u16, to: to as u16, item: number as u16 }, &mut begun);
        }
        let is_last = to == self.chart.length;
        begun.retain(|begun: &Begun| !is_last && self.input.fit(to, self.piece(begun)).is_some());
        if begun.len() > self.bounds.begun {
            begun.sort_by(|a, b| a.bits.total_cmp(&b.bits));
            begun.truncate(self.bounds.begun);
        }
        self.begun.set(from, to, begun);
        self.chart.set(from, to, items);
    }

    /// The piece of its pattern that comes next.
    fn piece(&self, begun: &Begun) -> In {
        let pattern = &self.lexicon.entry(begun.entry).pattern;
        match pattern.separator.filter(|_| begun.is_parted) {
            Some(word) => In::Word(word),
            None => pattern.pieces[usize::from(begun.pieces)],
        }
    }

    fn place(&self, next: Begun, matched: &mut Matched) {
        let is_done = usize::from(next.pieces) == self.lexicon.entry(next.entry).pattern.pieces.len();
        if is_done { matched.done.push(next) } else { matched.begun.push(next) }
    }

    /// Entries whose next piece is the last word of the span.
    fn take_word(&self, from: usize, to: usize, matched: &mut Matched) {
        if from == to - 1 {
            for (word, bits) in self.input.words(from) {
                for &entry in self.by_word.get(&word).into_iter().flatten() {
                    self.place(Begun { entry, pieces: 1, is_parted: false, bits, last: NONE }, matched);
                }
            }
        } else {
            for before in self.begun.at(from, to - 1) {
                if let In::Word(word) = self.piece(before)
                    && let Some(cost) = self.input.cost(to - 1, word)
                {
                    let pieces = before.pieces + u16::from(!before.is_parted);
                    let bits = before.bits + cost;
                    self.place(Begun { pieces, bits, is_parted: false, ..*before }, matched);
                }
            }
        }
    }

    /// Entries whose next slot takes what covers the span from `middle`.
    fn take_fillers(&mut self, from: usize, middle: usize, to: usize, matched: &mut Matched) {
        if self.chart.at(middle, to).is_empty() {
            return;
        }
        for number in 0..self.begun.at(from, middle).len() {
            let before = self.begun.at(from, middle)[number];
            let In::Slot(slot) = self.piece(&before) else { continue };
            let pattern = &self.lexicon.entry(before.entry).pattern;
            let (is_row, separator) = (pattern.fillers(slot, 2) == 2, pattern.separator);
            let is_bare = pattern.is_bare_row();
            for item in 0..self.chart.at(middle, to).len() {
                // A row in a row, with no word to tell, is one row.
                if is_bare && self.chart.at(middle, to)[item].entry == before.entry {
                    continue;
                }
                if self.steps == 0 {
                    return;
                }
                self.steps -= 1;
                let kid = Kid { from: middle as u16, to: to as u16, item: item as u16 };
                let next = self.filled(before, slot, kid);
                if is_row {
                    matched.begun.push(Begun { is_parted: separator.is_some(), ..next });
                }
                self.place(Begun { pieces: next.pieces + 1, ..next }, matched);
            }
        }
    }

    /// An entry with one filler more.
    fn filled(&mut self, before: Begun, slot: u8, kid: Kid) -> Begun {
        let item = self.chart.item(kid);
        let bits =
            before.bits + item.bits + self.preference.bits((before.entry, slot), item.entry, &item.value);
        self.links.push(Link { before: before.last, kid });
        Begun { bits, last: (self.links.len() - 1) as u32, ..before }
    }

    /// The values of the entries that are complete.
    fn finish(&mut self, from: usize, done: &[Begun]) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        let mut numbers: FxHashMap<(Option<EntryId>, Value), usize> = FxHashMap::default();
        for complete in done {
            let entry = self.lexicon.entry(complete.entry);
            let kids = self.kids(complete.last);
            let arguments = self.chart.arguments(&kids);
            let mut fuel = self.bounds.fuel.clone();
            fuel.steps = fuel.steps.min(self.steps);
            let allowed = fuel.steps;
            let value = match &entry.program {
                Program::Own => self.input.run(from).cloned(),
                program => program.apply(&arguments, &mut fuel),
            };
            self.steps -= allowed - fuel.steps;
            let Some(value) = value else { continue };
            // A row of one that comes to that one says nothing of it: an entry that does takes its place.
            if entry.pattern.row && arguments[..] == [value.clone()] && self.has_slot_for(complete.entry) {
                continue;
            }
            let bits = complete.bits + self.preference.order_bits(complete.entry, &arguments);
            let kind = (!kids.is_empty()).then_some(complete.entry);
            let item = Item { entry: complete.entry, value: value.clone(), bits, kids };
            match numbers.get(&(kind, value.clone())) {
                Some(&number) if items[number].bits > bits => items[number] = item,
                Some(_) => {}
                None => {
                    numbers.insert((kind, value), items.len());
                    items.push(item);
                }
            }
        }
        items.sort_by(|a, b| a.bits.total_cmp(&b.bits));
        let most = items.first().map_or(0.0, |first| first.bits) + self.bounds.beam;
        items.truncate(items.partition_point(|item| item.bits <= most).min(self.bounds.values));
        items
    }

    /// Whether an entry says the same words as a row, of one filler.
    fn has_slot_for(&self, row: EntryId) -> bool {
        let pattern = &self.lexicon.entry(row).pattern;
        self.lexicon.has(&Pattern::of_slots(pattern.pieces.clone()))
    }

    fn kids(&self, mut last: u32) -> Box<[Kid]> {
        let mut kids = Vec::new();
        while let Some(link) = self.links.get(last as usize) {
            kids.push(link.kid);
            last = link.before;
        }
        kids.reverse();
        kids.into()
    }

    /// Entries that begin with a slot which this item fills.
    fn begin(&mut self, item: &Item, kid: Kid, begun: &mut Vec<Begun>) {
        for number in 0..self.by_slot.len() {
            let entry = self.by_slot[number];
            let pattern = &self.lexicon.entry(entry).pattern;
            let (is_row, is_longer, is_parted) =
                (pattern.fillers(0, 2) == 2, pattern.pieces.len() > 1, pattern.separator.is_some());
            if pattern.is_bare_row() && item.entry == entry {
                continue;
            }
            let bits = item.bits + self.preference.bits((entry, 0), item.entry, &item.value);
            self.links.push(Link { before: NONE, kid });
            let last = (self.links.len() - 1) as u32;
            let next = Begun { entry, pieces: 0, is_parted: false, bits, last };
            if is_row {
                begun.push(Begun { is_parted, ..next });
            }
            if is_longer {
                begun.push(Begun { pieces: 1, ..next });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::expression::{Expression, Operation};
    use crate::values::entry::Entry;
    use crate::values::open::WithRuns;
    use crate::values::weigh::Believed;

    #[test]
    fn a_row_of_one_that_comes_to_that_one_gives_way() {
        let [minus, three, five] = [0, 3, 5].map(Word);
        let mut believed = Believed::nothing();
        let one = Pattern::of_slots(Box::new([In::Word(minus), In::Slot(0)]));
        let row = Pattern { row: true, ..one.clone() };
        let fold = Program::Fold(Expression::operation(Operation::Subtract));
        let mut add = |pattern, program| believed.add(Entry { pattern, program }, 1.0);
        add(Pattern::word(three), Program::Constant(Value::from(3)));
        add(Pattern::word(five), Program::Constant(Value::from(5)));
        add(row, fold);
        add(one, Program::Linear(vec![0, -1]));
        let values = |words: &[Word]| {
            let chart = believed.chart(&WithRuns::of_words(words.to_vec()));
            chart
                .roots(&believed.preference)
                .iter()
                .map(|root| root.value.small())
                .collect::<Vec<Option<i64>>>()
        };
        assert_eq!(values(&[minus, five]), [Some(-5)]);
        assert_eq!(values(&[minus, five, three]), [Some(2)]);
    }
}
