//! All trees of a sentence at once: a chart whose items are spans with values.
//!
//! An item `V(i, j, v)` says that the words `i..j` form a subtree of value `v`; an item `S(i, j, args)` says
//! that they form a row of subtrees whose values are `args`, to be given to a head beside them. Items are
//! shared between trees, so the number of trees never shows. Inside and outside sums over the items give the
//! exact posterior of every sense and the most probable tree, given the result.

use crate::semantics::lexicon::Lexicon;
use crate::tree::Tree;
use crate::value::Value;
use rustc_hash::FxHashMap;

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

/// The values of some children, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Args {
    len: u8,
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

    fn before(self, first: ValueId) -> Option<Args> {
        Args::default().joined(&[first])?.joined(self.ids())
    }
}

/// One way to build an item: a head's sense over its left and right arguments, or a list and one more child.
#[derive(Clone, Copy, Debug)]
struct Edge {
    left: u32,
    right: u32,
    head: u16,
    sense: u16,
    weight: f64,
}

const NO_SENSE: u16 = u16::MAX;
/// Where an edge has no parts: the empty row.
const AXIOM: u32 = u32::MAX;

struct Item {
    inside: f64,
    best: f64,
    best_edge: u32,
    edges: std::ops::Range<u32>,
}

/// Items of one span or one head and side, with what tells them apart.
type Cell<K> = Vec<(K, u32)>;

/// The items of one sentence.
pub struct Chart<'a> {
    lexicon: &'a Lexicon,
    words: &'a [u32],
    limits: Limits,
    interned: FxHashMap<Value, ValueId>,
    values: Vec<Value>,
    applied: FxHashMap<(u32, u16, Args), ValueId>,
    spans: Vec<Cell<ValueId>>,
    rows: Vec<Cell<Args>>,
    items: Vec<Item>,
    edges: Vec<Edge>,
    work: u64,
    target: ValueId,
    /// Values that the target contains are kept first when a span has too many.
    hint: fn(&Value, &Value) -> bool,
}

/// What a chart tells about one example.
#[derive(Clone, Debug, Default)]
pub struct Posterior {
    /// The probability of the results in question.
    pub evidence: f64,
    /// Expected uses of each sense: word, sense number, count.
    pub uses: Vec<(u32, u16, f64)>,
}

/// The most probable tree with the sense of every word.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// The tree.
    pub tree: Tree,
    /// The number of each word's sense.
    pub senses: Vec<u16>,
    /// The probability of the senses together.
    pub probability: f64,
    /// The share of this tree in the probability of all trees that give the target.
    pub certainty: f64,
}

impl<'a> Chart<'a> {
    /// Builds the chart of `words` bottom-up. `target` is the wanted result; it only guides what is dropped
    /// when there is too much. The chart of a sentence longer than [`Limits::words`] is empty: it explains
    /// nothing.
    pub fn new(lexicon: &'a Lexicon, words: &'a [u32], target: &Value, limits: Limits) -> Chart<'a> {
        let words = if words.len() > limits.words { &[] } else { words };
        let n = words.len();
        let mut chart = Chart {
            lexicon,
            words,
            limits,
            interned: FxHashMap::default(),
            values: Vec::new(),
            applied: FxHashMap::default(),
            spans: vec![Vec::new(); (n + 1) * (n + 1)],
            rows: vec![Vec::new(); (n + 1) * (n + 1)],
            items: Vec::new(),
            edges: Vec::new(),
            work: 0,
            target: 0,
            hint: occurs_in,
        };
        chart.target = chart.intern(target.clone());
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
        let cell = self.rows.get(self.at(start, end)).into_iter().flatten();
        cell.map(|&(args, item)| (args, self.items[item as usize].inside))
    }

    fn fill_row(&mut self, start: usize, end: usize) {
        let mut found = Gather::default();
        if start == end {
            found.add(
                Args::default(),
                Edge { left: AXIOM, right: AXIOM, head: 0, sense: NO_SENSE, weight: 1.0 },
                (1.0, 1.0),
            );
        }
        for middle in start + 1..=end {
            for &(value, left) in &self.spans[self.at(start, middle)] {
                for &(args, right) in &self.rows[self.at(middle, end)] {
                    if let Some(args) = args.before(value) {
                        let edge = Edge { left, right, head: 0, sense: NO_SENSE, weight: 1.0 };
                        found.add(args, edge, self.product(edge));
                    }
                }
            }
        }
        let cell = self.store(found, self.limits.lists, |_, _| false);
        let at = self.at(start, end);
        self.rows[at] = cell;
    }

    fn fill_span(&mut self, start: usize, end: usize) {
        let mut found = Gather::default();
        for head in start..end {
            let word = self.words[head];
            let lexicon = self.lexicon;
            for (number, sense) in lexicon.senses[word as usize].iter().enumerate() {
                if sense.probability < self.limits.sense {
                    continue;
                }
                match lexicon.arity(sense) {
                    None if end - start == 1 => {
                        let edge = self.headed(head, start, end, 0, 0, number, sense.probability);
                        found.add(VOID, edge, self.product(edge));
                    }
                    None => {}
                    Some(arity) => self.apply_sense(&mut found, (start, head, end), number, arity),
                }
            }
        }
        let cell = self.store(found, self.limits.values, |chart, &id| {
            id == VOID || (chart.hint)(&chart.values[id as usize], &chart.values[chart.target as usize])
        });
        let at = self.at(start, end);
        self.spans[at] = cell;
    }

    #[allow(clippy::too_many_arguments)]
    fn headed(
        &self,
        head: usize,
        start: usize,
        end: usize,
        l: usize,
        r: usize,
        sense: usize,
        weight: f64,
    ) -> Edge {
        let left = self.rows[self.at(start, head)][l].1;
        let right = self.rows[self.at(head + 1, end)][r].1;
        Edge { left, right, head: head as u16, sense: sense as u16, weight }
    }

    fn apply_sense(
        &mut self,
        found: &mut Gather<ValueId>,
        (start, head, end): (usize, usize, usize),
        number: usize,
        arity: u8,
    ) {
        let (left_at, right_at) = (self.at(start, head), self.at(head + 1, end));
        let weight = self.lexicon.senses[self.words[head] as usize][number].probability;
        self.work += (self.rows[left_at].len() * self.rows[right_at].len()) as u64;
        for l in 0..self.rows[left_at].len() {
            let left = self.rows[left_at][l].0;
            for r in 0..self.rows[right_at].len() {
                let right = self.rows[right_at][r].0;
                if left.len + right.len != arity {
                    continue;
                }
                let Some(args) = left.joined(right.ids()) else { continue };
                let value = self.apply(self.words[head], number as u16, args);
                if value != FAILED {
                    let edge = self.headed(head, start, end, l, r, number, weight);
                    found.add(value, edge, self.product(edge));
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
        let result = self.lexicon.apply(&self.lexicon.senses[word as usize][sense as usize], &values);
        let id = result.map_or(FAILED, |value| self.intern(value));
        self.applied.insert((word, sense, args), id);
        id
    }

    fn product(&self, edge: Edge) -> (f64, f64) {
        let (left, right) = (&self.items[edge.left as usize], &self.items[edge.right as usize]);
        (edge.weight * left.inside * right.inside, edge.weight * left.best * right.best)
    }

    /// Turns what was gathered into items, at most `most` of them; `favoured` ones go first.
    fn store<K: Copy>(
        &mut self,
        found: Gather<K>,
        most: usize,
        favoured: impl Fn(&Self, &K) -> bool,
    ) -> Cell<K> {
        let mut order: Vec<usize> = (0..found.groups.len()).collect();
        if order.len() > most {
            let rank: Vec<(bool, f64)> =
                found.groups.iter().map(|group| (favoured(self, &group.key), group.inside)).collect();
            order.sort_by(|&a, &b| {
                rank[b].0.cmp(&rank[a].0).then(rank[b].1.total_cmp(&rank[a].1)).then(a.cmp(&b))
            });
            order.truncate(most);
        }
        order.into_iter().map(|index| self.store_group(&found.groups[index])).collect()
    }

    fn store_group<K: Copy>(&mut self, group: &Group<K>) -> (K, u32) {
        let first = self.edges.len() as u32;
        self.edges.extend_from_slice(&group.edges);
        self.items.push(Item {
            inside: group.inside,
            best: group.best,
            best_edge: first + group.best_edge,
            edges: first..self.edges.len() as u32,
        });
        (group.key, self.items.len() as u32 - 1)
    }

    fn goal(&self) -> Option<u32> {
        let cell = &self.spans[self.at(0, self.words.len())];
        cell.iter().find(|(id, _)| *id == self.target).map(|&(_, item)| item)
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

    /// The expected uses of every sense over all trees that give the target; `None` if there is none.
    pub fn posterior(&self) -> Option<Posterior> {
        self.goal().map(|goal| self.expected_uses(&[goal]))
    }

    /// The expected uses of every sense over all trees that give any value.
    pub fn prior(&self) -> Posterior {
        let cell = &self.spans[self.at(0, self.words.len())];
        let goals: Vec<u32> = cell.iter().filter(|(id, _)| *id != VOID).map(|&(_, item)| item).collect();
        self.expected_uses(&goals)
    }

    fn expected_uses(&self, goals: &[u32]) -> Posterior {
        let evidence: f64 = goals.iter().map(|&goal| self.items[goal as usize].inside).sum();
        let mut outside = vec![0.0f64; self.items.len()];
        goals.iter().for_each(|&goal| outside[goal as usize] = 1.0);
        let mut uses: FxHashMap<(u16, u16), f64> = FxHashMap::default();
        // Items are made after their parts: backwards is top-down.
        for number in (0..self.items.len()).rev() {
            if outside[number] > 0.0 {
                self.push_down(number, evidence, &mut outside, &mut uses);
            }
        }
        let mut uses: Vec<(u32, u16, f64)> = uses
            .into_iter()
            .map(|((head, sense), count)| (self.words[head as usize], sense, count))
            .collect();
        uses.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        Posterior { evidence, uses }
    }

    fn push_down(
        &self,
        number: usize,
        evidence: f64,
        outside: &mut [f64],
        uses: &mut FxHashMap<(u16, u16), f64>,
    ) {
        let item = &self.items[number];
        for edge in &self.edges[item.edges.start as usize..item.edges.end as usize] {
            let (left, right) = (edge.left as usize, edge.right as usize);
            if edge.left == AXIOM {
                continue;
            }
            let through = outside[number] * edge.weight;
            outside[left] += through * self.items[right].inside;
            outside[right] += through * self.items[left].inside;
            if edge.sense != NO_SENSE {
                let count = through * self.items[left].inside * self.items[right].inside / evidence;
                *uses.entry((edge.head, edge.sense)).or_default() += count;
            }
        }
    }

    /// All trees that give the target with the senses of all words; `None` if there is none, or more than
    /// `most`.
    pub fn derivations(&self, most: usize) -> Option<Vec<Derivation>> {
        let goal = self.goal()?;
        let evidence = self.items[goal as usize].inside;
        let mut known: FxHashMap<u32, Vec<Partial>> = FxHashMap::default();
        let mut derivations = Vec::new();
        for partial in self.expand(goal, most, &mut known)? {
            let mut heads = vec![None; self.words.len()];
            let mut senses = vec![0; self.words.len()];
            for &(word, sense, head) in &partial.words {
                senses[word as usize] = sense;
                heads[word as usize] = head.map(u32::from);
            }
            let (tree, probability) = (Tree::new(heads).ok()?, partial.probability);
            derivations.push(Derivation { tree, senses, probability, certainty: probability / evidence });
        }
        Some(derivations)
    }

    fn expand(
        &self,
        item: u32,
        most: usize,
        known: &mut FxHashMap<u32, Vec<Partial>>,
    ) -> Option<Vec<Partial>> {
        if let Some(known) = known.get(&item) {
            return Some(known.clone());
        }
        let Item { edges, .. } = &self.items[item as usize];
        let mut all = Vec::new();
        for edge in &self.edges[edges.start as usize..edges.end as usize] {
            if edge.left == AXIOM {
                all.push(Partial { words: Vec::new(), tops: Vec::new(), probability: 1.0 });
                continue;
            }
            let (lefts, rights) =
                (self.expand(edge.left, most, known)?, self.expand(edge.right, most, known)?);
            if all.len() + lefts.len() * rights.len() > most {
                return None;
            }
            for left in &lefts {
                all.extend(rights.iter().map(|right| left.joined(right, edge)));
            }
        }
        known.insert(item, all.clone());
        Some(all)
    }

    /// The most probable tree that gives the target.
    pub fn best(&self) -> Option<Derivation> {
        let goal = self.goal()?;
        let mut heads = vec![None; self.words.len()];
        let mut senses = vec![0; self.words.len()];
        // Items still to be opened, with the word their subtrees hang on.
        let mut open = vec![(goal, None)];
        while let Some((item, above)) = open.pop() {
            let edge = self.edges[self.items[item as usize].best_edge as usize];
            if edge.left == AXIOM {
                continue;
            }
            let below = if edge.sense == NO_SENSE {
                above
            } else {
                heads[edge.head as usize] = above;
                senses[edge.head as usize] = edge.sense;
                Some(u32::from(edge.head))
            };
            open.push((edge.left, below));
            open.push((edge.right, below));
        }
        let tree = Tree::new(heads).ok()?;
        let Item { best, inside, .. } = self.items[goal as usize];
        Some(Derivation { tree, senses, probability: best, certainty: best / inside })
    }
}

/// Some words with their senses and heads, and those of them that have no head yet.
#[derive(Clone)]
struct Partial {
    words: Vec<(u16, u16, Option<u16>)>,
    tops: Vec<u16>,
    probability: f64,
}

impl Partial {
    fn joined(&self, other: &Partial, edge: &Edge) -> Partial {
        let mut words = [&self.words[..], &other.words[..]].concat();
        let mut tops = [&self.tops[..], &other.tops[..]].concat();
        if edge.sense != NO_SENSE {
            for (word, _, head) in words.iter_mut().filter(|(word, ..)| tops.contains(word)) {
                debug_assert!(head.is_none() && *word != edge.head);
                *head = Some(edge.head);
            }
            words.push((edge.head, edge.sense, None));
            tops = vec![edge.head];
        }
        Partial { words, tops, probability: self.probability * other.probability * edge.weight }
    }
}

/// Items of one cell while they are collected.
struct Gather<K> {
    places: FxHashMap<K, usize>,
    groups: Vec<Group<K>>,
}

struct Group<K> {
    key: K,
    inside: f64,
    best: f64,
    best_edge: u32,
    edges: Vec<Edge>,
}

impl<K> Default for Gather<K> {
    fn default() -> Self {
        Gather { places: FxHashMap::default(), groups: Vec::new() }
    }
}

impl<K: Copy + Eq + std::hash::Hash> Gather<K> {
    fn add(&mut self, key: K, edge: Edge, (inside, best): (f64, f64)) {
        let place = *self.places.entry(key).or_insert_with(|| {
            self.groups.push(Group { key, inside: 0.0, best: -1.0, best_edge: 0, edges: Vec::new() });
            self.groups.len() - 1
        });
        let group = &mut self.groups[place];
        group.inside += inside;
        if best > group.best {
            group.best = best;
            group.best_edge = group.edges.len() as u32;
        }
        group.edges.push(edge);
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
