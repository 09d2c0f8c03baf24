//! Rates: how often a pattern says what, wherever it stands.
//!
//! A theory of noisy examples keeps all entries that are reliable, far more than a tree model has cells for. Each is worth what it says of its
//! pattern alone, by the counts of [`crate::propose::frames`].

use crate::theory::counts::Counts;
use crate::theory::entry::In;
use crate::theory::{EntryId, Theory};
use rustc_hash::FxHashMap;

/// What is said for the first time, in counts: a pattern says something new as often as something seen once.
pub const UNSEEN: f64 = 1.0;

/// What patterns say, by pattern.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    sayings: FxHashMap<Box<[In]>, Vec<(EntryId, f64)>>,
    /// The most pieces that a pattern has.
    pub longest: usize,
}

impl Rates {
    /// The rates of the believed entries.
    pub fn new(theory: &Theory, counts: &Counts) -> Rates {
        let mut order: Vec<(EntryId, f64)> = theory.live().map(|id| (id, counts.uses(id))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut sayings: FxHashMap<Box<[In]>, Vec<(EntryId, f64)>> = FxHashMap::default();
        for (id, uses) in order {
            sayings.entry(theory.entry(id).pattern.clone()).or_default().push((id, uses));
        }
        let longest = sayings.keys().map(|pattern| pattern.len()).max().unwrap_or(0);
        Rates { sayings, longest }
    }

    /// The entries with this pattern and how probable each is, the most probable first, and how probable it is that it says something else.
    pub fn of(&self, pattern: &[In]) -> (impl Iterator<Item = (EntryId, f64)>, f64) {
        let each = self.sayings.get(pattern).map_or(&[][..], Vec::as_slice);
        let all = each.iter().map(|(_, count)| count).sum::<f64>() + UNSEEN;
        (each.iter().map(move |(id, count)| (*id, count / all)), UNSEEN / all)
    }
}
