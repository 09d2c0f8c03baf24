//! A theory: what patterns of words say, and what fills which slot.
//!
//! [`Theory`] holds the entries that learning has thought of. Those that are believed are *live*; others keep their number,
//! so that trees and counts stay valid while edits are tried and taken back.

pub(crate) mod brought;
pub(crate) mod classes;
pub mod confidence;
pub(crate) mod copies;
pub(crate) mod counts;
pub(crate) mod entries;
pub mod entry;
pub mod knowledge;
pub(crate) mod neighbours;
pub(crate) mod rates;
pub(crate) mod scorer;
pub mod text;
pub(crate) mod tree;
pub(crate) mod tree_model;
pub(crate) mod wording;

use crate::chart::Input;
use crate::objective::Prices;
use crate::program::function::Function;
use crate::symbol::Word;
use counts::{Counts, Fillers};
use entries::Entries;
use entry::{Entry, Out};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::Deref;
use tree::{Place, Shape};

/// The number of an entry within its theory.
pub type EntryId = u32;

/// Stores a map in the order of its keys.
pub(crate) fn in_order<K: Ord + Serialize, V: Serialize, S: Serializer>(
    map: &FxHashMap<K, V>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(map.iter().collect::<BTreeMap<&K, &V>>())
}

/// Entries and which of them are believed.
#[derive(Clone, Debug)]
pub struct Theory {
    /// What pieces cost.
    pub prices: Prices,
    /// What filled what where entries of several kinds were told apart. Where what fills what is counted from nothing, it is counted from here.
    pub kinds: Counts,
    functions: Vec<Function>,
    entries: Entries<Entry>,
    numbers: FxHashMap<Entry, EntryId>,
    /// Entries by their first word, once they have been live.
    by_word: FxHashMap<Word, Vec<EntryId>>,
    wordless: Vec<EntryId>,
    indexed: Vec<bool>,
}

impl Theory {
    /// A theory without entries.
    pub fn new(prices: Prices) -> Theory {
        Theory {
            prices,
            kinds: Counts::default(),
            functions: Vec::new(),
            entries: Entries::default(),
            numbers: FxHashMap::default(),
            by_word: FxHashMap::default(),
            wordless: Vec::new(),
            indexed: Vec::new(),
        }
    }

    /// A theory of these entries, all believed, and the functions they apply.
    pub fn of<'a>(
        prices: Prices,
        functions: &[Function],
        entries: impl IntoIterator<Item = &'a Entry>,
    ) -> Theory {
        let mut theory = Theory::new(prices);
        for function in functions {
            theory.function(function);
        }
        for entry in entries {
            theory.add(entry);
        }
        theory
    }

    /// The number of an entry, believed or not.
    pub fn note(&mut self, entry: &Entry) -> EntryId {
        if let Some(&id) = self.numbers.get(entry) {
            return id;
        }
        let id = self.entries.push(entry.clone(), self.price(entry), false);
        self.indexed.push(false);
        self.numbers.insert(entry.clone(), id);
        id
    }

    /// What an entry costs, with the functions that it applies.
    pub fn price(&self, entry: &Entry) -> f64 {
        let function = |piece: &Out| match piece {
            Out::Call(function, _) => self.functions[usize::from(*function)].price(self.prices.token),
            Out::Slot(_) | Out::Token(_) => 0.0,
        };
        self.prices.entry(entry) + entry.says.iter().map(function).sum::<f64>()
    }

    /// The number of a function, for entries that apply it; `None` if there are too many.
    pub fn function(&mut self, function: &Function) -> Option<u16> {
        let known = self.functions.iter().position(|other| other == function);
        let number = known.unwrap_or(self.functions.len());
        if known.is_none() {
            self.functions.push(function.clone());
        }
        u16::try_from(number).ok()
    }

    /// The functions that entries apply.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Believes an entry.
    pub fn add(&mut self, entry: &Entry) -> EntryId {
        let id = self.note(entry);
        self.set_live(id, true);
        id
    }

    /// Remembers what fills what, as far as it concerns entries of which there are several kinds.
    pub fn remember_kinds(&mut self, counts: &Counts) {
        let mut alike: FxHashMap<Entry, Vec<EntryId>> = FxHashMap::default();
        self.live().for_each(|id| alike.entry(self.entry(id).of_kind(0)).or_default().push(id));
        let of_kinds: FxHashSet<EntryId> =
            alike.into_values().filter(|kinds| kinds.len() > 1).flatten().collect();
        let concerns = |place: &Place, fillers: &Fillers| {
            of_kinds.contains(&place.0) || fillers.each.keys().any(|filler| of_kinds.contains(filler))
        };
        let slots = counts.slots.iter().filter(|(place, fillers)| concerns(place, fillers));
        let fillings = slots.flat_map(|(place, fillers)| {
            fillers.each.iter().map(move |(filler, count)| (*place, *filler, *count))
        });
        self.kinds = Counts::of_fillings(fillings);
    }

    /// Believes an entry, or no longer.
    pub fn set_live(&mut self, id: EntryId, live: bool) {
        self.entries.set_live(id, live);
        if live && !std::mem::replace(&mut self.indexed[id as usize], true) {
            match self.entries.entry(id).words().next() {
                Some(word) => self.by_word.entry(word).or_default().push(id),
                None => self.wordless.push(id),
            }
        }
    }

    /// The number of an entry that was thought of.
    pub fn number(&self, entry: &Entry) -> Option<EntryId> {
        self.numbers.get(entry).copied()
    }

    /// How the pattern of an entry is laid over an input.
    pub fn shape(&self, id: EntryId) -> Shape<'_> {
        Shape::from(&*self.entry(id).pattern)
    }

    /// Whether this entry is believed.
    pub fn has(&self, entry: &Entry) -> bool {
        self.number(entry).is_some_and(|id| self.is_live(id))
    }

    /// Believes what was believed then, and nothing since.
    pub fn restore(&mut self, beliefs: &[bool]) {
        self.entries.restore(beliefs);
    }

    /// The believed entries whose words may all stand in `input`, in order of their numbers.
    pub fn candidates<I: Input + ?Sized>(&self, input: &I) -> Vec<EntryId> {
        let length = input.length();
        let mut words: Vec<Word> =
            (0..length).flat_map(|place| input.words(place)).map(|(word, _)| word).collect();
        words.sort_unstable();
        words.dedup();
        let there: FxHashSet<Word> = words.iter().copied().collect();
        let fits = |id: &EntryId| {
            let entry = self.entry(*id);
            self.is_live(*id)
                && entry.pattern.len() <= length
                && entry.words().all(|word| there.contains(&word))
        };
        let anchored = words.iter().filter_map(|word| self.by_word.get(word)).flatten();
        let mut found: Vec<EntryId> = anchored.chain(&self.wordless).copied().filter(fits).collect();
        found.sort_unstable();
        found
    }
}

impl Deref for Theory {
    type Target = Entries<Entry>;

    fn deref(&self) -> &Entries<Entry> {
        &self.entries
    }
}
