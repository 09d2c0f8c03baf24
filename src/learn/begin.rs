//! From examples to a first theory that explains all of them: links between words and tokens, examples with linked words
//! taken out, and what is left taken apart where that is shorter.

use crate::chart::given::{self, Options};
use crate::learn::evidence::{Evidence, Example};
use crate::learn::state::{Judged, Sampled, State};
use crate::objective::Prices;
use crate::parts::{self, Part};
use crate::propose::align::{Link, links, longer_links};
use crate::propose::residue::residues;
use crate::propose::split::{Split, splits};
use crate::settings::{ASKED, LEAST_BITS, LONG, LONGEST_PATTERN, MOST_SLOTS, TRIED};
use crate::stop::Stop;
use crate::symbol::{Token, Word};
use crate::theory::entry::{Entry, In, Out, find, replaced};
use crate::theory::{EntryId, Theory};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What learning begins with.
pub struct Beginning {
    /// A theory that explains all examples.
    pub theory: Theory,
    /// Groups of entries that say one token more than others, and stand or fall together.
    pub longer: Vec<Vec<EntryId>>,
    /// What the theory and the results of the sample cost.
    pub bits: f64,
}

/// How learning begins.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The share of a word's examples that must have tokens which it is linked with.
    pub links: f64,
    /// Whether a word is linked only with tokens that it says once: `and` says no comma where lists have several.
    pub only_once: bool,
    /// Whether examples with their linked words taken out are taken in only where that is shorter than to say their results outright.
    /// Where results are wrong, the others mislead; where examples are few, they are all there is.
    pub only_what_pays: bool,
    /// Steps of charts that taking apart may be judged by, all edits together: where a theory stays large there is little to find, and
    /// each edit takes long.
    pub effort: usize,
}

/// What words say, by examples.
pub struct Linked<'e> {
    examples: &'e [Example],
    evidence: Evidence,
    /// Words and tokens that they say.
    pub links: Vec<Link>,
}

impl<'e> Linked<'e> {
    /// What words say where learning begins so.
    pub fn new(examples: &'e [Example], start: Start) -> Linked<'e> {
        let evidence = Evidence::new(examples);
        let links = links(examples, &evidence, start.links, start.only_once);
        Linked { examples, evidence, links }
    }
}

/// A first theory of the examples, which are distinct and ordered by size.
pub fn begin(
    mut theory: Theory,
    examples: &[Example],
    linked: &Linked<'_>,
    sample: &[Sampled],
    start: Start,
    stop: Stop<'_>,
) -> Beginning {
    let Linked { examples: linked, evidence, links } = linked;
    let mut kept: FxHashSet<EntryId> = FxHashSet::default();
    for (word, tokens) in links {
        kept.insert(theory.add(&Entry::constant(*word, tokens)));
    }
    let mut longer = Vec::new();
    let groups =
        if parts::has(Part::LongerLinks) { longer_links(links, linked, evidence) } else { Vec::new() };
    for group in groups {
        let ids: Vec<EntryId> =
            group.iter().map(|(word, tokens)| theory.add(&Entry::constant(*word, tokens))).collect();
        kept.extend(&ids);
        longer.push(ids);
    }
    let mut skeletons = Skeletons::new(examples, links, &theory.prices);
    if start.only_what_pays {
        skeletons.keep_what_pays(&theory.prices);
    }
    for constant in &skeletons.constants {
        kept.insert(theory.add(constant));
    }
    for entry in &skeletons.sure {
        let bits = theory.prices.entry(entry);
        if stop() || !is_derived(entry, &theory, None, Some(bits)) {
            theory.add(entry);
        }
    }
    take_apart(&mut theory, &kept, evidence, sample, start.effort, stop);
    let mut rest: Vec<&Entry> = skeletons.unsure.iter().collect();
    rest.sort_by(|a, b| theory.prices.entry(a).total_cmp(&theory.prices.entry(b)).then(a.cmp(b)));
    add_underived(&mut theory, &rest, stop);
    let Judged { bits, .. } = judged(&State::new(theory.clone(), sample, stop));
    Beginning { theory, longer, bits }
}

/// Adds those entries that cannot be put together from others, and once learning is to stop all that are left. Asked for many at a
/// time, then again one by one.
pub fn add_underived(theory: &mut Theory, entries: &[&Entry], stop: Stop<'_>) {
    const BATCH: usize = 64;
    for batch in entries.chunks(BATCH) {
        let derived: Vec<bool> =
            batch.par_iter().map(|entry| !stop() && is_derived(entry, theory, None, None)).collect();
        for (entry, _) in batch.iter().zip(derived).filter(|(_, derived)| !derived) {
            if stop() || !is_derived(entry, theory, None, None) {
                theory.add(entry);
            }
        }
    }
}

fn is_derived(entry: &Entry, theory: &Theory, without: Option<EntryId>, below: Option<f64>) -> bool {
    let options = Options { without, below, ..Options::default() };
    given::is_derived(entry, theory, options)
}

/// Examples with their linked words taken out.
struct Skeletons {
    /// Examples of one word.
    constants: Vec<Entry>,
    /// Where it is clear which word says which tokens, the smallest first.
    sure: Vec<Entry>,
    /// The others.
    unsure: Vec<Entry>,
    /// What it takes to say the results outright that a skeleton gives.
    results: FxHashMap<Entry, f64>,
}

impl Skeletons {
    fn new(examples: &[Example], links: &[Link], prices: &Prices) -> Skeletons {
        let mut meanings: FxHashMap<Word, Vec<&[Token]>> = FxHashMap::default();
        for (word, tokens) in links {
            meanings.entry(*word).or_default().push(tokens);
        }
        let mut sure: Vec<Entry> = Vec::new();
        let mut skeletons = Skeletons {
            constants: Vec::new(),
            sure: Vec::new(),
            unsure: Vec::new(),
            results: FxHashMap::default(),
        };
        for example in examples {
            if example.input.len() == 1 {
                skeletons.constants.push(example.whole());
                continue;
            }
            let (skeleton, is_sure) = skeleton(example, &meanings);
            if skeleton.is_bare() {
                continue;
            }
            let bits = skeletons.results.entry(skeleton.clone()).or_default();
            if !is_sure {
                skeletons.unsure.push(skeleton);
            } else if *bits == 0.0 {
                sure.push(skeleton);
            }
            *bits += prices.result(&example.says());
        }
        let size = |entry: &Entry| entry.pattern.len() + entry.says.len();
        sure.sort_by(|a, b| size(a).cmp(&size(b)).then(a.cmp(b)));
        skeletons.sure = sure;
        skeletons
    }

    fn keep_what_pays(&mut self, prices: &Prices) {
        let pays = |entry: &Entry| prices.entry(entry) < self.results[entry];
        self.sure.retain(pays);
        self.unsure.retain(pays);
    }
}

/// An example with its linked words taken out, and whether it was clear what each of them says.
fn skeleton(example: &Example, meanings: &FxHashMap<Word, Vec<&[Token]>>) -> (Entry, bool) {
    let mut pattern = example.pattern().to_vec();
    let mut says = example.says().to_vec();
    let mut candidates: Vec<(usize, &[Token])> = Vec::new();
    for (place, word) in example.input.iter().enumerate() {
        let there = meanings.get(word).into_iter().flatten();
        candidates.extend(
            there.filter(|tokens| find(&example.output, tokens).is_some()).map(|tokens| (place, *tokens)),
        );
    }
    candidates.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(&b.0)));
    let mut is_sure = true;
    let mut slots = 0u8;
    for &(place, tokens) in &candidates {
        let said: Vec<Out> = tokens.iter().copied().map(Out::Token).collect();
        if !matches!(pattern[place], In::Word(_)) || find(&says, &said).is_none() || slots == u8::MAX {
            continue;
        }
        let open = |other: &&(usize, &[Token])| matches!(pattern[other.0], In::Word(_));
        let rivals = candidates.iter().filter(open).filter(|other| other.1 == tokens).count();
        let another_meaning = candidates.iter().any(|other| {
            let other_says: Vec<Out> = other.1.iter().copied().map(Out::Token).collect();
            other.0 == place
                && other.1 != tokens
                && other.1.len() >= tokens.len()
                && find(&says, &other_says).is_some()
        });
        if rivals > 1 || another_meaning {
            is_sure = false;
            continue;
        }
        pattern[place] = In::Slot(slots);
        says = replaced(&says, &said, Out::Slot(slots));
        slots += 1;
    }
    (Entry::new(&pattern, &says), is_sure)
}

/// The believed entries that are such, the cheapest first.
fn cheapest(theory: &Theory, is_such: impl Fn(&Entry) -> bool) -> Vec<EntryId> {
    let mut ids = theory.live_where(is_such);
    ids.sort_by(|a, b| theory.bits(*a).total_cmp(&theory.bits(*b)).then(a.cmp(b)));
    ids
}

/// Drops entries that can be put together from smaller ones, the smallest first.
fn reduce(theory: &mut Theory, kept: &FxHashSet<EntryId>, stop: Stop<'_>) {
    for id in cheapest(theory, |entry| entry.pattern.len() > 1).into_iter().filter(|id| !kept.contains(id)) {
        if !stop() && is_derived(theory.entry(id), theory, Some(id), Some(theory.bits(id))) {
            theory.set_live(id, false);
        }
    }
}

/// One way to make the theory smaller.
struct Edit {
    saves: f64,
    entry: Entry,
    /// Entries that go, each with what comes beside the edit's own entry.
    goes: Vec<(EntryId, Option<Entry>)>,
}

/// Takes entries apart where that makes the theory shorter, and the trees of a sample not longer by more.
fn take_apart(
    theory: &mut Theory,
    kept: &FxHashSet<EntryId>,
    evidence: &Evidence,
    sample: &[Sampled],
    most: usize,
    stop: Stop<'_>,
) {
    let mut any_inner = false;
    let mut failed: FxHashSet<Entry> = FxHashSet::default();
    let mut state = State::new(theory.clone(), sample, stop);
    let Judged { mut bits, .. } = judged(&state);
    let mut effort = 0;
    let mut ways = Ways::default();
    ways.follow(theory, evidence, any_inner, stop);
    while effort <= most && !stop() {
        let Some(edit) = ways.best(theory, &failed).filter(|edit| edit.saves >= LEAST_BITS) else {
            if any_inner {
                return;
            }
            any_inner = true;
            ways.follow(theory, evidence, any_inner, stop);
            continue;
        };
        let beliefs = theory.beliefs();
        for (id, _) in &edit.goes {
            theory.set_live(*id, false);
        }
        theory.add(&edit.entry);
        for other in edit.goes.iter().filter_map(|(_, other)| other.as_ref()) {
            theory.add(other);
        }
        reduce(theory, kept, stop);
        let branch = state.of(theory.clone());
        let Judged { bits: now, steps } = judged(&branch);
        effort += steps;
        if now > bits || stop() {
            theory.restore(&beliefs);
            failed.insert(edit.entry);
            if failed.len() > TRIED {
                return;
            }
        } else {
            (state, bits) = (branch, now);
            stop.step("take apart", bits, None);
            ways.follow(theory, evidence, any_inner, stop);
        }
    }
}

/// The ways to take the entries of a theory apart.
#[derive(Default)]
struct Ways {
    table: Table,
    /// The splits of every entry that was looked at so far, outer and inner entries by number.
    splits: FxHashMap<EntryId, Vec<(u32, u32)>>,
    /// Those that may save something now.
    edges: Vec<Edge>,
    residues: BTreeMap<Entry, Vec<EntryId>>,
}

impl Ways {
    /// Follows a change of the theory.
    fn follow(&mut self, theory: &Theory, evidence: &Evidence, any_inner: bool, stop: Stop<'_>) {
        let mut work = cheapest(theory, is_splittable);
        work.truncate(ASKED);
        self.split(&work, theory, evidence);
        self.table.know(theory);
        self.edges.clear();
        for &from in &work {
            let inner_fits = |inner: u32| {
                any_inner || self.table.known[inner as usize] || self.table.plausible[inner as usize]
            };
            let fitting = self.splits[&from].iter().filter(|(_, inner)| inner_fits(*inner));
            self.edges.extend(fitting.map(|&(outer, inner)| Edge {
                from,
                outer: outer as usize,
                inner: inner as usize,
            }));
        }
        self.keep_frames();
        if parts::has(Part::Residues) {
            self.residues = all_residues(theory, stop);
        }
    }

    /// Splits the entries that were not looked at before.
    fn split(&mut self, work: &[EntryId], theory: &Theory, evidence: &Evidence) {
        let new: Vec<EntryId> = work.iter().copied().filter(|id| !self.splits.contains_key(id)).collect();
        let found: Vec<Vec<(Split, bool)>> = new
            .par_iter()
            .map(|&id| {
                let few =
                    splits(theory.entry(id)).into_iter().filter(|split| split.outer.slots() <= MOST_SLOTS);
                few.map(|split| {
                    let plausible = is_plausible(&split.inner, evidence);
                    (split, plausible)
                })
                .collect()
            })
            .collect();
        for (id, splits) in new.into_iter().zip(found) {
            let mut numbers = Vec::with_capacity(splits.len());
            for (split, plausible) in splits {
                let outer = self.table.number(split.outer, theory);
                let inner = self.table.number(split.inner, theory);
                self.table.plausible[inner] = plausible;
                numbers.push((outer as u32, inner as u32));
            }
            self.splits.insert(id, numbers);
        }
    }

    /// What is left of one entry alone, and not known, takes the place of nothing.
    fn keep_frames(&mut self) {
        let mut uses = vec![0u32; self.table.entries.len()];
        for edge in &self.edges {
            uses[edge.outer] += 1;
        }
        let known = &self.table.known;
        self.edges.retain(|edge| uses[edge.outer] > 1 || known[edge.outer]);
    }

    /// The edit that saves most.
    fn best(&self, theory: &Theory, failed: &FxHashSet<Entry>) -> Option<Edit> {
        let split = self.table.best_edit(&self.edges, theory, failed);
        let residue = best_residue(&self.residues, theory, failed);
        [split, residue].into_iter().flatten().max_by(|a, b| a.saves.total_cmp(&b.saves))
    }
}

/// Theory and trees of the sample together, entries that no tree uses included.
fn judged(state: &State<'_>) -> Judged {
    let theory = &state.theory;
    let used: f64 = state.counts.uses.keys().map(|&id| theory.bits(id)).sum();
    let Judged { bits, steps } = state.judged();
    Judged { bits: bits - used + theory.total(), steps }
}

struct Edge {
    from: EntryId,
    outer: usize,
    inner: usize,
}

fn is_splittable(entry: &Entry) -> bool {
    (2..=LONGEST_PATTERN).contains(&entry.pattern.len()) && entry.says.len() <= LONG
}

/// Whether what is taken out could be an entry: it says something of its own, likelier with its words than without.
fn is_plausible(inner: &Entry, evidence: &Evidence) -> bool {
    let says_more =
        inner.words().next().is_some() || inner.says.iter().any(|piece| matches!(piece, Out::Token(_)));
    evidence.says_balanced(inner) && says_more && evidence.lift(inner) > LEAST_BITS
}

/// The entries that splits would give, each once.
#[derive(Default)]
struct Table {
    numbers: FxHashMap<Entry, usize>,
    entries: Vec<Entry>,
    bits: Vec<f64>,
    known: Vec<bool>,
    plausible: Vec<bool>,
}

impl Table {
    /// Notes which entries the theory has.
    fn know(&mut self, theory: &Theory) {
        self.known.fill(false);
        for number in theory.believed().filter_map(|entry| self.numbers.get(entry)) {
            self.known[*number] = true;
        }
    }

    fn number(&mut self, entry: Entry, theory: &Theory) -> usize {
        if let Some(&number) = self.numbers.get(&entry) {
            return number;
        }
        let number = self.entries.len();
        self.bits.push(theory.prices.entry(&entry));
        self.known.push(false);
        self.plausible.push(false);
        self.entries.push(entry.clone());
        self.numbers.insert(entry, number);
        number
    }

    /// The outer or inner entry that, made once, replaces entries worth most. What comes beside it is shared with all
    /// others that could use it.
    fn best_edit(&self, edges: &[Edge], theory: &Theory, failed: &FxHashSet<Entry>) -> Option<Edit> {
        let mut by_outer: BTreeMap<usize, Vec<&Edge>> = BTreeMap::new();
        for edge in edges {
            by_outer.entry(edge.outer).or_default().push(edge);
        }
        by_outer.retain(|&outer, edges| self.is_frame(outer, edges));
        let mut by_inner: BTreeMap<usize, Vec<&Edge>> = BTreeMap::new();
        for edge in edges.iter().filter(|edge| by_outer.contains_key(&edge.outer)) {
            by_inner.entry(edge.inner).or_default().push(edge);
        }
        let outers = different(&by_inner, |edge| edge.outer);
        let inners = different(&by_outer, |edge| edge.inner);
        let share = |entry: usize, users: &BTreeMap<usize, usize>| match self.known[entry] {
            true => 0.0,
            false => self.bits[entry] / users.get(&entry).copied().unwrap_or(1) as f64,
        };
        let mut best: Option<(f64, bool, usize)> = None;
        for (is_outer, groups) in [(true, &by_outer), (false, &by_inner)] {
            for (&entry, edges) in groups {
                if failed.contains(&self.entries[entry]) {
                    continue;
                }
                let mut saves = if self.known[entry] { 0.0 } else { -self.bits[entry] };
                let mut replaced: FxHashSet<EntryId> = FxHashSet::default();
                for edge in edges {
                    let beside =
                        if is_outer { share(edge.inner, &outers) } else { share(edge.outer, &inners) };
                    let gain = theory.bits(edge.from) - beside;
                    if gain > 0.0 && replaced.insert(edge.from) {
                        saves += gain;
                    }
                }
                let enough = !is_outer || self.known[entry] || replaced.len() > 1;
                let better = best.is_none_or(|(most, _, other)| {
                    saves > most || (saves == most && self.entries[entry] < self.entries[other])
                });
                if enough && saves > 0.0 && better {
                    best = Some((saves, is_outer, entry));
                }
            }
        }
        let (saves, is_outer, entry) = best?;
        let mut edges: Vec<(f64, &Edge)> = if is_outer { &by_outer } else { &by_inner }[&entry]
            .iter()
            .map(|edge| {
                (if is_outer { share(edge.inner, &outers) } else { share(edge.outer, &inners) }, *edge)
            })
            .collect();
        edges.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut replaced: FxHashSet<EntryId> = FxHashSet::default();
        let mut goes = Vec::new();
        for (beside, edge) in edges {
            if theory.bits(edge.from) > beside && replaced.insert(edge.from) {
                let other = if is_outer { edge.inner } else { edge.outer };
                goes.push((edge.from, Some(self.entries[other].clone())));
            }
        }
        Some(Edit { saves, entry: self.entries[entry].clone(), goes })
    }

    /// Whether an outer entry is known, or has fillers that differ on both sides.
    fn is_frame(&self, outer: usize, edges: &[&Edge]) -> bool {
        let differ = |same: &dyn Fn(&Entry, &Entry) -> bool| {
            edges.iter().any(|edge| !same(&self.entries[edge.inner], &self.entries[edges[0].inner]))
        };
        self.known[outer] || (differ(&|a, b| a.pattern == b.pattern) && differ(&|a, b| a.says == b.says))
    }
}

/// For each entry how many different entries its edges lead to.
fn different(groups: &BTreeMap<usize, Vec<&Edge>>, key: impl Fn(&Edge) -> usize) -> BTreeMap<usize, usize> {
    groups
        .iter()
        .map(|(&entry, edges)| {
            let keys: FxHashSet<usize> = edges.iter().map(|edge| key(edge)).collect();
            (entry, keys.len())
        })
        .collect()
}

/// What is left of entries when their known parts are taken out, and of which.
fn all_residues(theory: &Theory, stop: Stop<'_>) -> BTreeMap<Entry, Vec<EntryId>> {
    let mut work = cheapest(theory, |entry| (3..=LONG).contains(&entry.pattern.len()));
    work.truncate(ASKED);
    let found: Vec<(EntryId, Vec<Entry>)> = work
        .par_iter()
        .filter(|_| !stop())
        .map(|&id| (id, residues(theory.entry(id), Some(id), theory)))
        .collect();
    let mut by_residue: BTreeMap<Entry, Vec<EntryId>> = BTreeMap::new();
    for (id, residues) in found {
        for residue in residues {
            by_residue.entry(residue).or_default().push(id);
        }
    }
    by_residue
}

/// The residue that replaces most.
fn best_residue(
    by_residue: &BTreeMap<Entry, Vec<EntryId>>,
    theory: &Theory,
    failed: &FxHashSet<Entry>,
) -> Option<Edit> {
    let mut best: Option<Edit> = None;
    for (entry, from) in by_residue {
        let price = if theory.has(entry) { 0.0 } else { theory.prices.entry(entry) };
        let saves = from.iter().map(|&id| theory.bits(id)).sum::<f64>() - price;
        if saves > best.as_ref().map_or(0.0, |best| best.saves) && !failed.contains(entry) {
            let goes = from.iter().map(|&id| (id, None)).collect();
            best = Some(Edit { saves, entry: entry.clone(), goes });
        }
    }
    best
}
