//! Learning: from examples to a theory. The steps are described in `ARCHITECTURE.md`.

pub(crate) mod begin;
mod close;
mod correct;
pub mod evidence;
pub(crate) mod extend;
mod join;
mod refine;
mod rest;
pub(crate) mod score;
pub(crate) mod several;
mod simplify;
pub(crate) mod state;
pub mod weigh;
pub(crate) mod wording;

use crate::objective::Prices;
use crate::parts::{self, Part};
use crate::propose::expose::{expose, hidden};
use crate::propose::{align::Link, compose::compose, fit::functions, frames::frames, open::open};
use crate::settings::{
    ASKED, COUNTED, EFFORT, JUDGED_BY, LEAST_BITS, LIKELY, MUCH_LONGER, PASSES, ROUNDS, SURELY, WEIGHT,
};
use crate::spread::spread;
use crate::stop::Stop;
use crate::symbol::Word;
use crate::theory::counts::Counts;
use crate::theory::entry::Entry;
use crate::theory::knowledge::Knowledge;
use crate::theory::neighbours::Neighbours;
use crate::theory::tree::Place;
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};
use begin::{Beginning, Linked, Start, begin};
use close::close;
use correct::corrected;
use evidence::Example;
use join::Joined;
use rayon::prelude::*;
use refine::refine;
use rest::{drop_what_does_not_pay, revive, take_new_words, take_residues, thought_of};
use simplify::{divide, generalize, simplify};
use state::{Edit, Sampled, State};
use std::collections::BTreeSet;

/// Learning begins anew with links between words and tokens down to each of these shares of a word's examples: likely links
/// help where words have several meanings, and mislead where they are only parts of larger patterns.
const STARTS: [Start; 4] = [
    Start { links: SURELY, only_once: false, only_what_pays: true, effort: APART },
    Start { links: SURELY, only_once: false, only_what_pays: false, effort: APART },
    Start { links: LIKELY, only_once: false, only_what_pays: false, effort: APART },
    Start { links: SURELY, only_once: true, only_what_pays: false, effort: APART },
];
/// So many of these are usual. The last finds what others do not where words say their tokens once, and takes several times as long where they say them often.
const USUAL: usize = 3;
/// How often learning begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// In the ways that suffice for most tasks.
    Usual,
    /// In the others, where what came of these does not suffice.
    Further,
    /// In all ways.
    All,
}

impl Starts {
    fn each(self) -> &'static [Start] {
        match self {
            Starts::Usual | Starts::All if !parts::has(Part::Starts) => &STARTS[..1],
            Starts::Usual => &STARTS[..USUAL],
            Starts::Further => &STARTS[USUAL..],
            Starts::All => &STARTS,
        }
    }
}

/// What taking a first theory apart may take.
const APART: usize = 10 * EFFORT;
/// The same for a look at some examples: what has something in common shows it soon.
pub const LOOK: Start = Start { links: LIKELY, only_once: false, only_what_pays: false, effort: EFFORT };

/// What learning ends in.
#[derive(Clone)]
pub struct Learned {
    /// The theory and its tree model.
    pub knowledge: Knowledge,
    /// The theory with all that was thought of, in the numbers that edits use.
    pub thought: Theory,
    /// The edits of the search.
    pub edits: Vec<Edit>,
    /// What all searches ended in, but for theories that are much longer: where none of them says all, each is right in places.
    pub others: Vec<Theory>,
}

/// Learns from distinct examples, which are put in order. Once `stop` says so no chart is made any more: what was found last is what is learned.
/// A theory of some of the examples that is known already is one more that the shortest is chosen from.
pub fn learn(
    examples: Vec<Example>,
    sizes: (usize, usize),
    starts: Starts,
    known: Option<&Theory>,
    stop: Stop<'_>,
) -> Learned {
    let examples = in_order(examples);
    let looked_at = sample(&examples, JUDGED_BY, WEIGHT);
    // What is found has to pay for itself over all examples, not only over those that the search looks at.
    let standing_for_all = sample(&examples, JUDGED_BY, f64::INFINITY);
    let Found { beginnings, mut best, mut found } = match Joined::of(&examples, sizes.1) {
        Some((joined, examples)) => find_joined(&joined, &examples, &looked_at, sizes, starts, stop),
        None => find(&examples, (&looked_at, &standing_for_all), sizes, starts, stop),
    };
    if let Some(known) = known {
        let mut state = State::new(known.clone(), &looked_at, stop);
        settle(&mut state);
        state.forget_unused();
        let bits = state.clone().weighing(&standing_for_all).bits_of_results();
        if !stop() && best.as_ref().is_none_or(|best| bits < best.0) {
            best = Some((bits, state, known.clone()));
        }
    }
    let Some((bits, mut state, first)) = best else {
        // What the first theory lacks is kept whole.
        let mut theory = beginnings.into_iter().next().expect("there is one beginning");
        beginning(&examples).iter().for_each(|example| _ = theory.add(&example.whole()));
        return learned(theory, &Counts::default(), Vec::new(), &examples, sizes);
    };
    found.retain(|(other, _)| *other <= MUCH_LONGER * bits);
    let others = found.into_iter().map(|(_, theory)| theory).collect();
    if parts::has(Part::Generalize) {
        generalize(&mut state);
    }
    let mut state = state.weighing(&standing_for_all);
    if parts::has(Part::Reword) {
        refine(&mut state);
    }
    if parts::has(Part::Close) {
        close(&mut state);
    }
    if parts::has(Part::Expose) {
        expose_words(&mut state);
    }
    if parts::has(Part::Functions) {
        apply_functions(&mut state);
    }
    if parts::has(Part::Kinds) {
        divide(&mut state);
    }
    let mut theory = state.theory.clone();
    if parts::has(Part::Revive) {
        let thought = thought_of(&mut theory, &first, beginnings.iter());
        revive(&mut theory, &thought, &examples, stop);
    }
    if parts::has(Part::NewWords) {
        take_new_words(&mut theory, &examples, stop);
    }
    if parts::has(Part::Residues) {
        take_residues(&mut theory, &examples, &looked_at, stop);
    }
    let done = counted(theory, state.edits.clone(), examples.clone(), sizes, stop);
    match stop() {
        true => learned(state.theory, &state.counts, state.edits, &examples, sizes),
        false => Learned { others, ..done },
    }
}

/// What searches from all beginnings ended in.
struct Found<'s> {
    /// First theories, the shortest first.
    beginnings: Vec<Theory>,
    /// The theory that tells results in the fewest bits, with these and what it began with.
    best: Option<(f64, State<'s>, Theory)>,
    /// All of them, each with these bits.
    found: Vec<(f64, Theory)>,
}

/// Searches from all beginnings. Theories are judged by the first sample while they are searched, and in the end by the second.
fn find<'s>(
    examples: &[Example],
    (looked_at, standing_for_all): (&'s [Sampled], &[Sampled]),
    sizes: (usize, usize),
    starts: Starts,
    stop: Stop<'s>,
) -> Found<'s> {
    let begun_with = beginning(examples);
    let new_words = new_words(&begun_with, examples);
    let linked = if new_words.is_empty() { &begun_with } else { examples };
    let beginnings =
        beginnings((&begun_with, linked), looked_at, &Prices::new(sizes.0, sizes.1), starts, stop);
    let mut best: Option<(f64, State<'_>, Theory)> = None;
    let mut found: Vec<(f64, Theory)> = Vec::new();
    let mut least = f64::INFINITY;
    for Beginning { theory, longer, .. } in &beginnings {
        for may_compose in [true, false].into_iter().skip(usize::from(!parts::has(Part::Compose))) {
            let mut state = State::new(theory.clone(), looked_at, stop);
            search(&mut state, longer, may_compose);
            state.forget_unused();
            settle(&mut state);
            if state.bits_of_results() > MUCH_LONGER * least {
                continue;
            }
            if parts::has(Part::Simplify) {
                simplify(&mut state);
            }
            least = least.min(state.bits_of_results());
            let bits = state.clone().weighing(standing_for_all).bits_of_results();
            if stop() {
                break;
            }
            found.push((bits, state.theory.clone()));
            if best.as_ref().is_none_or(|best| bits < best.0) {
                best = Some((bits, state, theory.clone()));
            }
        }
    }
    Found { beginnings: beginnings.into_iter().map(|beginning| beginning.theory).collect(), best, found }
}

/// The same with tokens joined; what is found is told in those that there are.
fn find_joined<'s>(
    joined: &Joined,
    examples: &[Example],
    looked_at: &'s [Sampled],
    (words, tokens): (usize, usize),
    starts: Starts,
    stop: Stop<'s>,
) -> Found<'s> {
    let samples = [WEIGHT, f64::INFINITY].map(|weight| sample(examples, JUDGED_BY, weight));
    let sizes = (words, tokens + joined.len());
    let Found { beginnings, best, found } = find(examples, (&samples[0], &samples[1]), sizes, starts, stop);
    let prices = Prices::new(words, tokens);
    let undone = |theory: &Theory| joined.undone(theory, &prices);
    let best = best.map(|(bits, state, first)| {
        let mut state = State::new(undone(&state.theory), looked_at, stop);
        settle(&mut state);
        (bits, state, undone(&first))
    });
    Found {
        beginnings: beginnings.iter().map(undone).collect(),
        best,
        found: found.iter().map(|(bits, theory)| (*bits, undone(theory))).collect(),
    }
}

/// A theory, what fills what counted over these examples.
pub fn counted(
    theory: Theory,
    edits: Vec<Edit>,
    examples: Vec<Example>,
    sizes: (usize, usize),
    stop: Stop<'_>,
) -> Learned {
    let examples = in_order(examples);
    let (thought, counts) = count(theory, &examples, stop);
    let counts = match parts::has(Part::Correct) {
        true => corrected(counts, &thought, &sample(&examples, COUNTED, 1.0), stop),
        false => counts,
    };
    learned(thought, &counts, edits, &examples, sizes)
}

/// What is learned of these examples: a theory, and what fills what.
fn learned(
    thought: Theory,
    counts: &Counts,
    edits: Vec<Edit>,
    examples: &[Example],
    (words, tokens): (usize, usize),
) -> Learned {
    let mut knowledge = Knowledge::new(&thought, counts, words, tokens);
    if parts::has(Part::Neighbours) {
        let outputs = examples.iter().map(|example| &*example.output);
        knowledge = knowledge.with_neighbours(Neighbours::of(outputs));
    }
    Learned { knowledge, thought, edits, others: Vec::new() }
}

/// Trees that are like others, found anew.
fn settle(state: &mut State<'_>) {
    let model = state.settled_model(flat(&state.theory));
    state.trees = state.parsed(Some(&model));
    state.recount();
}

/// Learns all frames that are reliable, instead of a theory that is small.
pub fn learn_summed(examples: &[Example], words: usize, tokens: usize, stop: Stop<'_>) -> Learned {
    let wholes: Vec<Entry> = examples.iter().map(Example::whole).collect();
    let counted = frames(&wholes, &Prices::new(words, tokens), stop);
    let knowledge = Knowledge::summed(counted, words, tokens);
    Learned { thought: knowledge.theory.clone(), knowledge, edits: Vec::new(), others: Vec::new() }
}

/// First theories that differ, the shortest first; without those that are much longer.
fn beginnings(
    (examples, linked): (&[Example], &[Example]),
    judged: &[Sampled],
    prices: &Prices,
    starts: Starts,
    stop: Stop<'_>,
) -> Vec<Beginning> {
    let mut found: Vec<Beginning> = Vec::new();
    let mut begun: Vec<(Vec<Link>, bool)> = Vec::new();
    for &start in starts.each() {
        if !found.is_empty() && stop() {
            break;
        }
        let linked = Linked::new(linked, start);
        if begun.contains(&(linked.links.clone(), start.only_what_pays)) {
            continue;
        }
        begun.push((linked.links.clone(), start.only_what_pays));
        let beginning = begin(Theory::new(prices.clone()), examples, &linked, judged, start, stop);
        let entries = |theory: &Theory| -> BTreeSet<Entry> { theory.believed().cloned().collect() };
        let these = entries(&beginning.theory);
        if !found.iter().any(|other| entries(&other.theory) == these) {
            found.push(beginning);
        }
    }
    found.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    let least = found[0].bits;
    found.retain(|beginning| beginning.bits <= MUCH_LONGER * least);
    found
}

/// Examples ordered by size.
fn in_order(mut examples: Vec<Example>) -> Vec<Example> {
    let size = |example: &Example| example.input.len() + example.output.len();
    examples.sort_by(|a, b| size(a).cmp(&size(b)).then(a.cmp(b)));
    examples
}

/// The examples that a first theory is made from: the smallest, and others of all sizes.
fn beginning(examples: &[Example]) -> Vec<Example> {
    if examples.len() <= 2 * ASKED {
        return examples.to_vec();
    }
    let (small, others) = examples.split_at(ASKED);
    small.iter().chain(spread(others, ASKED)).cloned().collect()
}

/// The words that some of the examples lack. If there are any, what words say is asked of all examples: of some alone it could not be, and
/// small ones, of which they have more than their share, link words with tokens that are only missing in the very smallest.
fn new_words(some: &[Example], all: &[Example]) -> BTreeSet<Word> {
    let words = |examples: &[Example]| -> BTreeSet<Word> {
        examples.iter().flat_map(|example| &example.input).copied().collect()
    };
    &words(all) - &words(some)
}

/// Examples of all sizes, evenly.
fn sample(examples: &[Example], most: usize, weight: f64) -> Vec<Sampled> {
    let taken = examples.len().min(most);
    let weight = (examples.len() as f64 / taken.max(1) as f64).min(weight);
    spread(examples, most).map(|example| Sampled::of(example, weight)).collect()
}

/// Edits the theory until that no longer makes all of it shorter.
fn search(state: &mut State<'_>, longer: &[Vec<EntryId>], may_compose: bool) {
    let mut last = f64::INFINITY;
    for _ in 0..ROUNDS {
        if (state.stop)() {
            break;
        }
        let model = state.settled_model(flat(&state.theory));
        state.trees = state.parsed(Some(&model));
        state.recount();
        let before = state.bits;
        if may_compose {
            compose(state);
        }
        if parts::has(Part::Open) {
            open(state);
        }
        state.forget_unused();
        let model = state.model();
        for group in longer {
            drop_entries(state, group, &model, 1.0);
        }
        if parts::has(Part::Drop) {
            drop_each(state, &model);
        }
        // Trees found anew may cost more than those that edits had made: what they win back is nothing new.
        if before.min(last) - state.bits < 1.0 {
            break;
        }
        last = state.bits;
    }
}

/// A tree model that has seen nothing but what tells entries of several kinds apart.
fn flat(theory: &Theory) -> TreeModel {
    TreeModel::new(&theory.kinds, theory)
}

/// Drops entries together if all of it is not longer by `more` bits. Examples that the others cannot explain are said outright.
fn drop_entries(state: &mut State<'_>, entries: &[EntryId], model: &TreeModel, more: f64) {
    let live: Vec<EntryId> = entries.iter().copied().filter(|&id| state.theory.is_live(id)).collect();
    if live.is_empty() {
        return;
    }
    live.iter().for_each(|&id| state.theory.set_live(id, false));
    let users = state.users(|id| live.contains(&id));
    let changes = state.parsed_again(&users, Some(model));
    let is_needed = state.loses(&changes) && live.iter().any(|&id| state.is_only_meaning(id));
    if !is_needed && state.difference(&changes) < more {
        state.apply("drop", live[0], changes);
    } else {
        live.iter().for_each(|&id| state.theory.set_live(id, true));
    }
}

/// Drops single entries, the least used first.
fn drop_each(state: &mut State<'_>, model: &TreeModel) {
    let mut order: Vec<EntryId> = state.counts.uses.keys().copied().collect();
    order.sort_by(|a, b| state.counts.uses(*a).total_cmp(&state.counts.uses(*b)).then(a.cmp(b)));
    for id in order {
        if (state.stop)() {
            return;
        }
        if state.users(|used| used == id).len() <= state.sample.len() / 2 + 5 {
            drop_entries(state, &[id], model, -LEAST_BITS);
        }
    }
}

/// Tries entries that apply functions, each in a branch of its own; the shortest is kept, as long as one is shorter.
fn apply_functions(state: &mut State<'_>) {
    while !(state.stop)() {
        let model = state.settled_model(flat(&state.theory));
        let bits = state.bits_of_results();
        let mut best: Option<(f64, State<'_>)> = None;
        for entry in functions(state, &model) {
            if (state.stop)() {
                return;
            }
            let mut branch = state.clone();
            branch.theory.set_live(entry, true);
            if !branch.prefer(entry, &model) {
                continue;
            }
            // It must nearly pay for itself before others are dropped for it.
            branch.forget_unused();
            if branch.bits_of_results() > bits + branch.theory.bits(entry) {
                continue;
            }
            simplify(&mut branch);
            let now = branch.bits_of_results();
            if now < best.as_ref().map_or(bits, |best| best.0) {
                branch.made("fit", entry, bits, now);
                best = Some((now, branch));
            }
        }
        match best {
            Some((_, branch)) => *state = branch,
            None => return,
        }
    }
}

/// Says the words behind entries without words wherever that makes results surer by more than it costs.
fn expose_words(state: &mut State<'_>) {
    let mut bits = state.bits_of_results();
    let mut refused: BTreeSet<Place> = BTreeSet::new();
    while let Some((place, fillers)) = hidden(state).into_iter().find(|(place, _)| !refused.contains(place)) {
        if (state.stop)() {
            return;
        }
        let mut branch = state.clone();
        expose(&mut branch, place, &fillers);
        let now = branch.bits_of_results();
        if now < bits {
            branch.made("expose", place.0, bits, now);
            (*state, bits) = (branch, now);
        } else {
            refused.insert(place);
        }
    }
}

/// Counts what fills what over many examples, and drops what none of them uses.
fn count(mut theory: Theory, examples: &[Example], stop: Stop<'_>) -> (Theory, Counts) {
    let few = sample(examples, ASKED, 1.0);
    let sample = sample(examples, COUNTED, 1.0);
    let mut counts = Counts::default();
    let mut model: Option<TreeModel> = None;
    for round in 0..PASSES {
        if round == 1 {
            model = Some(TreeModel::new(&state::settled(&few, &theory, &flat(&theory), stop), &theory));
        }
        let tree = |example: &Sampled| if stop() { None } else { example.tree(&theory, model.as_ref()) };
        let trees: Vec<_> = sample.par_iter().map(tree).collect();
        if stop() {
            break;
        }
        counts = Counts::of(trees.iter().flatten());
        let explained = trees.iter().flatten().count() as f64 / trees.len().max(1) as f64;
        stop.step("count", counts.bits(&theory), Some(explained));
        if round > 0 {
            let unused: Vec<EntryId> = theory
                .live()
                .filter(|&id| counts.uses(id) == 0.0 && !is_only_meaning(&theory, &counts, id))
                .collect();
            for id in unused {
                theory.set_live(id, false);
            }
        }
        if round == 1 {
            drop_what_does_not_pay(&mut theory, &sample, &trees, &counts);
        }
        model = Some(TreeModel::new(&counts, &theory));
    }
    (theory, counts)
}

/// Whether an entry is a single word that no used entry stands for.
fn is_only_meaning(theory: &Theory, counts: &Counts, id: EntryId) -> bool {
    let pattern = &theory.entry(id).pattern;
    pattern.len() == 1 && !counts.uses.keys().any(|&other| theory.entry(other).pattern == *pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::entry::Out;
    use crate::theory::entry::tests::entry;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn example((input, output): (&str, &str)) -> Example {
        let whole = entry(input, output);
        Example {
            input: whole.words().collect(),
            output: whole.says.iter().copied().filter_map(Out::token).collect(),
        }
    }

    /// Whenever it is asked to stop, learning leaves a theory that says what was learned from; and it asks often.
    #[test]
    fn a_stop_at_any_moment_leaves_a_theory() {
        let (verbs, mut examples) = (["w", "r", "l", "j"], Vec::new());
        for verb in verbs {
            let says = verb.to_uppercase();
            examples.push(example((verb, &says)));
            examples.push(example((&format!("{verb} t"), &format!("{says} {says}"))));
            for other in verbs {
                let both = format!("{says} {}", other.to_uppercase());
                examples.push(example((&format!("{verb} a {other}"), &both)));
            }
        }
        let mut asked = Vec::new();
        for moment in (0..8).map(|power| 4usize.pow(power)).chain([usize::MAX]) {
            let times = AtomicUsize::new(0);
            let stop = || times.fetch_add(1, Ordering::Relaxed) >= moment;
            let learned = learn(examples.clone(), (200, 200), Starts::Usual, None, Stop::new(&stop));
            assert!(learned.knowledge.is_storable());
            for example in &examples {
                let input: Vec<Option<Word>> = example.input.iter().copied().map(Some).collect();
                let answer = learned.knowledge.answer(&input);
                assert!(answer.is_some(), "{moment}: {input:?}");
            }
            asked.push(times.into_inner());
        }
        assert!(asked[0] < asked[asked.len() - 1] / 2, "{asked:?}");
    }
}
