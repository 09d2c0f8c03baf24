//! What a chart is made of, and how the items of one cell are collected.

use super::{MAX_ARITY, VOID, ValueId};
use rustc_hash::FxHashMap;

/// The values of some children, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Args {
    pub(super) len: u8,
    ids: [ValueId; MAX_ARITY],
}

impl Args {
    /// The value numbers.
    pub fn ids(&self) -> &[ValueId] {
        &self.ids[..self.len as usize]
    }

    pub(crate) fn joined(self, other: &[ValueId]) -> Option<Args> {
        let mut all = self;
        for &id in other.iter().filter(|&&id| id != VOID) {
            *all.ids.get_mut(all.len as usize)? = id;
            all.len += 1;
        }
        Some(all)
    }

    pub(super) fn before(self, first: ValueId) -> Option<Args> {
        Args::default().joined(&[first])?.joined(self.ids())
    }
}

/// One way to build an item: a head's sense over its left and right arguments, or a list and one more child.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) head: u16,
    pub(super) sense: u16,
    pub(super) weight: f64,
}

pub(super) const NO_SENSE: u16 = u16::MAX;
/// Where an edge has no parts: the empty row.
pub(super) const AXIOM: u32 = u32::MAX;

pub(super) struct Item {
    pub(super) inside: f64,
    pub(super) best: f64,
    pub(super) best_edge: u32,
    pub(super) edges: std::ops::Range<u32>,
}

/// Items of one span or one head and side, with what tells them apart.
pub(super) type Cell<K> = Vec<(K, u32)>;

/// Rows of subtrees, those of no values first, then those of one, and so on.
#[derive(Clone, Default)]
pub(super) struct Rows {
    pub(super) all: Cell<Args>,
    /// Where those of more values than this begin.
    pub(super) ends: [usize; MAX_ARITY + 1],
}

impl Rows {
    pub(super) fn new(all: Cell<Args>) -> Rows {
        let end = |values: usize| all.partition_point(|(args, _)| args.len as usize <= values);
        Rows { ends: std::array::from_fn(end), all }
    }

    /// Those of so many values.
    pub(super) fn of(&self, values: usize) -> &[(Args, u32)] {
        let start = if values == 0 { 0 } else { self.ends[values - 1] };
        &self.all[start..self.ends[values]]
    }
}

/// Items of one cell while they are collected.
pub(super) struct Gather<K> {
    pub(super) places: FxHashMap<K, u32>,
    pub(super) groups: Vec<Group<K>>,
    /// With the numbers of their groups.
    pub(super) edges: Vec<(u32, Edge)>,
}

pub(super) struct Group<K> {
    pub(super) key: K,
    pub(super) inside: f64,
    pub(super) best: f64,
    /// The place of the best edge among those of the group.
    pub(super) best_edge: u32,
    /// How many edges the group has.
    pub(super) edges: u32,
}

impl<K> Default for Gather<K> {
    fn default() -> Self {
        Gather { places: FxHashMap::default(), groups: Vec::new(), edges: Vec::new() }
    }
}

impl<K: Copy + Eq + std::hash::Hash> Gather<K> {
    pub(super) fn add(&mut self, key: K, edge: Edge, (inside, best): (f64, f64)) {
        let place = *self.places.entry(key).or_insert_with(|| {
            self.groups.push(Group { key, inside: 0.0, best: -1.0, best_edge: 0, edges: 0 });
            self.groups.len() as u32 - 1
        });
        let group = &mut self.groups[place as usize];
        group.inside += inside;
        if best > group.best {
            group.best = best;
            group.best_edge = group.edges;
        }
        group.edges += 1;
        self.edges.push((place, edge));
    }

    /// At most so many groups, `favoured` ones first.
    pub(super) fn most_probable(&self, most: usize, favoured: impl Fn(&K) -> bool) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        if order.len() > most {
            let rank: Vec<(bool, f64)> =
                self.groups.iter().map(|group| (favoured(&group.key), group.inside)).collect();
            order.sort_by(|&a, &b| {
                rank[b].0.cmp(&rank[a].0).then(rank[b].1.total_cmp(&rank[a].1)).then(a.cmp(&b))
            });
            order.truncate(most);
        }
        order
    }

    /// Makes room for the next cell.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.groups.clear();
        self.edges.clear();
    }
}
