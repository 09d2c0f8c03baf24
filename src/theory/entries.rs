//! Entries that learning has thought of, what each costs, and which of them are believed.

use super::EntryId;

/// Entries. Those that are no longer believed keep their number, so that trees and counts stay valid while edits are tried and taken back.
#[derive(Clone, Debug)]
pub struct Entries<E> {
    entries: Vec<E>,
    bits: Vec<f64>,
    live: Vec<bool>,
}

impl<E> Default for Entries<E> {
    fn default() -> Entries<E> {
        Entries { entries: Vec::new(), bits: Vec::new(), live: Vec::new() }
    }
}

impl<E> Entries<E> {
    /// Takes in an entry at a price, believed or not.
    pub fn push(&mut self, entry: E, bits: f64, live: bool) -> EntryId {
        self.entries.push(entry);
        self.bits.push(bits);
        self.live.push(live);
        (self.entries.len() - 1) as EntryId
    }

    /// Forgets the entries from this number on.
    pub fn truncate(&mut self, length: usize) {
        self.entries.truncate(length);
        self.bits.truncate(length);
        self.live.truncate(length);
    }

    /// How many entries there are, believed or not.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Believes an entry, or no longer.
    pub fn set_live(&mut self, id: EntryId, live: bool) {
        self.live[id as usize] = live;
    }

    /// Whether an entry is believed.
    pub fn is_live(&self, id: EntryId) -> bool {
        self.live[id as usize]
    }

    /// An entry by its number.
    pub fn entry(&self, id: EntryId) -> &E {
        &self.entries[id as usize]
    }

    /// What an entry costs.
    pub fn bits(&self, id: EntryId) -> f64 {
        self.bits[id as usize]
    }

    /// The numbers of the believed entries, in order.
    pub fn live(&self) -> impl DoubleEndedIterator<Item = EntryId> + '_ {
        (0..self.entries.len() as EntryId).filter(|&id| self.is_live(id))
    }

    /// The numbers of the believed entries that are such.
    pub fn live_where(&self, is_such: impl Fn(&E) -> bool) -> Vec<EntryId> {
        self.live().filter(|&id| is_such(self.entry(id))).collect()
    }

    /// The believed entries.
    pub fn believed(&self) -> impl DoubleEndedIterator<Item = &E> + Clone {
        self.entries.iter().zip(&self.live).filter(|(_, live)| **live).map(|(entry, _)| entry)
    }

    /// What all believed entries cost.
    pub fn total(&self) -> f64 {
        self.live().map(|id| self.bits(id)).sum()
    }

    /// Which entries are believed, to come back to.
    pub fn beliefs(&self) -> Vec<bool> {
        self.live.clone()
    }

    /// Believes what was believed then, and nothing since.
    pub fn restore(&mut self, beliefs: &[bool]) {
        self.live.fill(false);
        self.live[..beliefs.len()].copy_from_slice(beliefs);
    }
}
