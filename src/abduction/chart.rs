//! All trees of a sentence at once: a chart whose items are spans with values.
//!
//! An item `V(i, j, v)` says that the words `i..j` form a subtree of value `v`; an item `S(i, j, args)` says
//! that they form a row of subtrees whose values are `args`, to be given to a head beside them. Items are
//! shared between trees, so the number of trees never shows. Inside and outside sums over the items give the
//! exact posterior of every sense and the most probable tree, given the result.

use crate::semantics::eval::Evaluator;
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
#[derive(Clone, Copy, Debug, Default)]
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

/// Rows of subtrees, those of no values first, then those of one, and so on.
#[derive(Clone, Default)]
struct Rows {
    all: Cell<Args>,
    /// Where those of more values than this begin.
    ends: [usize; MAX_ARITY + 1],
}

impl Rows {
    fn new(all: Cell<Args>) -> Rows {
        let end = |values: usize| all.partition_point(|(args, _)| args.len as usize <= values);
        Rows { ends: std::array::from_fn(end), all }
    }

    /// Those of so many values.
    fn of(&self, values: usize) -> &[(Args, u32)] {
        let start = if values == 0 { 0 } else { self.ends[values - 1] };
        &self.all[start..self.ends[values]]
    }
}

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

    /// The expected uses of every sense over all trees that give the target; `None` if there is none.
    pub fn posterior(&self) -> Option<Posterior> {
        self.root().map(|goal| self.expected_uses(&[goal]))
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
        let goal = self.root()?;
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
        let goal = self.root()?;
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
    places: FxHashMap<K, u32>,
    groups: Vec<Group<K>>,
    /// With the numbers of their groups.
    edges: Vec<(u32, Edge)>,
}

struct Group<K> {
    key: K,
    inside: f64,
    best: f64,
    /// The place of the best edge among those of the group.
    best_edge: u32,
    /// How many edges the group has.
    edges: u32,
}

impl<K> Default for Gather<K> {
    fn default() -> Self {
        Gather { places: FxHashMap::default(), groups: Vec::new(), edges: Vec::new() }
    }
}

impl<K: Copy + Eq + std::hash::Hash> Gather<K> {
    fn add(&mut self, key: K, edge: Edge, (inside, best): (f64, f64)) {
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
    fn most_probable(&self, most: usize, favoured: impl Fn(&K) -> bool) -> Vec<usize> {
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
    fn clear(&mut self) {
        self.places.clear();
        self.groups.clear();
        self.edges.clear();
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
