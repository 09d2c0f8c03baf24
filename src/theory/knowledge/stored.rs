//! What was learned as it is stored, and what is checked when it is read: files come from strangers.

use super::Knowledge;
use crate::objective::Prices;
use crate::places::Places;
use crate::program::function::Function;
use crate::symbol::Token;
use crate::theory::counts::Counts;
use crate::theory::entry::Entry;
use crate::theory::neighbours::{END, Neighbours};
use crate::theory::rates::Rates;
use crate::theory::scorer::Scorer;
use crate::theory::tree::{Place, ROOT};
use crate::theory::tree_model::TreeModel;
use crate::theory::wording::Wording;
use crate::theory::{EntryId, Theory};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// Which slot is filled by which entry how often.
pub(super) type Filling = (Place, EntryId, f64);

/// Entries and counts, as they are stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
pub(super) struct Stored {
    pub words: u32,
    pub tokens: u32,
    pub functions: Vec<Function>,
    pub entries: Vec<Entry>,
    pub fillings: Vec<Filling>,
    pub is_summed: bool,
    pub scorer: Option<Scorer>,
    /// How often tokens stand side by side in outputs.
    pub pairs: Vec<(Token, Token, u32)>,
    pub places: Option<Places>,
    pub others: Vec<StoredOther>,
    pub wording: Option<Wording>,
}

/// One of several theories with the same words, tokens and places, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredOther {
    entries: Vec<Entry>,
    fillings: Vec<Filling>,
    scorer: Option<Scorer>,
}

impl Stored {
    /// The other theories, each as if it were the only one.
    fn take_others(&mut self) -> Vec<Stored> {
        let alone = |StoredOther { entries, fillings, scorer }| Stored {
            words: self.words,
            tokens: self.tokens,
            entries,
            fillings,
            scorer,
            pairs: self.pairs.clone(),
            places: self.places.clone(),
            ..Stored::default()
        };
        std::mem::take(&mut self.others).into_iter().map(alone).collect()
    }
}

impl PartialEq for Knowledge {
    fn eq(&self, other: &Knowledge) -> bool {
        Stored::from(self.clone()) == Stored::from(other.clone())
    }
}

impl Knowledge {
    /// Ready to answer.
    pub(super) fn made(mut stored: Stored) -> Knowledge {
        let others = stored.take_others().into_iter().map(Knowledge::made).collect();
        let prices = Prices::new(stored.words as usize, stored.tokens as usize);
        let theory = Theory::of(prices, &stored.functions, &stored.entries);
        let counts = Counts::of_fillings(stored.fillings);
        let rates = stored.is_summed.then(|| Rates::new(&theory, &counts));
        let model = if stored.is_summed { TreeModel::default() } else { TreeModel::new(&counts, &theory) };
        let neighbours = Neighbours::new(stored.pairs.iter().map(|&(a, b, times)| ((a, b), times)).collect());
        let Stored { words, tokens, places, wording, scorer, .. } = stored;
        let grammar = OnceLock::new();
        Knowledge {
            words,
            tokens,
            theory,
            counts,
            model,
            rates,
            wording,
            grammar,
            scorer,
            neighbours,
            places,
            others,
        }
    }

    /// Whether it is small enough to be read back, once it is stored.
    pub fn is_storable(&self) -> bool {
        let theories = || self.members().map(|member| &member.theory);
        let entries = theories().flat_map(|theory| theory.believed());
        let slots = entries.map(Entry::slots).sum();
        are_few(theories().map(|theory| theory.live().count()).sum(), slots, self.is_summed())
    }
}

impl From<Knowledge> for Stored {
    fn from(knowledge: Knowledge) -> Stored {
        let is_summed = knowledge.is_summed();
        let Knowledge { words, tokens, theory, counts, wording, scorer, neighbours, places, others, .. } =
            knowledge;
        let pairs = neighbours.pairs.into_iter().map(|((a, b), times)| (a, b, times)).collect();
        let other = |other: Knowledge| {
            let Stored { entries, fillings, scorer, .. } = other.into();
            StoredOther { entries, fillings, scorer }
        };
        let others = others.into_iter().map(other).collect();
        let entries = theory.believed().cloned().collect();
        let fillings = counts.fillings().collect();
        let functions = theory.functions().to_vec();
        Stored {
            words,
            tokens,
            functions,
            entries,
            fillings,
            is_summed,
            scorer,
            pairs,
            places,
            others,
            wording,
        }
    }
}

/// Whether so many entries are few enough to be stored.
fn are_few(entries: usize, slots: usize, is_summed: bool) -> bool {
    match is_summed {
        true => entries <= MOST_SUMMED,
        false => entries <= MOST_ENTRIES && entries.saturating_mul(1 + slots) <= MOST_CELLS,
    }
}

/// Entries of a stored theory whose trees are summed at most; there is no table of what fills what.
const MOST_SUMMED: usize = 200_000;

/// Entries of a stored theory at most; more would make the table of what fills what too large.
const MOST_ENTRIES: usize = 20_000;
/// Cells of that table at most.
const MOST_CELLS: usize = 50_000_000;

fn ensure(holds: bool, expected: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("expected {expected}")) }
}

impl TryFrom<Stored> for Knowledge {
    type Error = String;

    /// Checks all that answering relies on: files come from strangers.
    fn try_from(mut stored: Stored) -> Result<Knowledge, String> {
        let all = || stored.others.iter().flat_map(|other| &other.entries).chain(&stored.entries);
        if !are_few(all().count(), all().map(Entry::slots).sum(), stored.is_summed) {
            return Err(format!("expected at most {MOST_ENTRIES} entries, found {}", all().count()));
        }
        ensure(!stored.is_summed || stored.others.is_empty(), "one theory where answers are sums")?;
        let others = stored.take_others().into_iter().map(Knowledge::try_from).collect::<Result<_, _>>()?;
        let entries = &stored.entries;
        let is_summable = |entry: &Entry| entry.slots() <= 1 && !entry.has_calls();
        let summable = !stored.is_summed || entries.iter().all(is_summable);
        ensure(summable, "entries with one slot at most where answers are sums")?;
        let are_sound = |places: &Places| !stored.is_summed && places.is_sound(stored.words, stored.tokens);
        let are_places = stored.places.as_ref().is_none_or(are_sound);
        ensure(are_places, "places of words and tokens that there are")?;
        let is_sound = |entry: &Entry| entry.is_sound(stored.words, stored.tokens, stored.functions.len());
        ensure(entries.iter().all(is_sound), "entries with words, tokens and slots that there are")?;
        let slots = |entry: EntryId| entries.get(entry as usize).map(Entry::slots);
        let is_filling = |&(place, filler, count): &Filling| {
            let is_slot = slots(place.0).is_some_and(|slots| usize::from(place.1) < slots);
            (place == ROOT || is_slot) && slots(filler).is_some() && count.is_finite() && count > 0.0
        };
        ensure(stored.fillings.iter().all(is_filling), "fillings of slots that there are")?;
        let is_token = |token: Token| token == END || token.0 < stored.tokens;
        let are_tokens = stored.pairs.iter().all(|&(a, b, _)| is_token(a) && is_token(b));
        ensure(are_tokens, "pairs of tokens that there are")?;
        let mut weights = stored.scorer.iter().flat_map(|scorer| scorer.weights.values());
        ensure(weights.all(|weight| weight.is_finite()), "weights that are numbers")?;
        let is_wording = stored.wording.as_ref().is_none_or(Wording::is_sound);
        ensure(is_wording, "a wording of shares and numbers")?;
        // Before anything is made of fillings: equal entries would have one number.
        let theory = Theory::of(Prices::new(0, 0), &stored.functions, entries);
        let differ = (theory.len(), theory.functions().len()) == (entries.len(), stored.functions.len());
        ensure(differ, "entries that differ")?;
        Ok(Knowledge::made(stored).with_others(others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::free;
    use crate::symbol::Word;
    use crate::theory::entry::Out;
    use crate::theory::entry::tests::entry;

    fn knows(definitions: &[(&str, &str)]) -> Knowledge {
        let mut theory = Theory::new(Prices::new(200, 200));
        let fillings: Vec<(Place, EntryId, f64)> = definitions
            .iter()
            .map(|(pattern, says)| (ROOT, theory.add(&entry(pattern, says)), 1.0))
            .collect();
        Knowledge::new(&theory, &Counts::of_fillings(fillings), 200, 200)
    }

    /// A file may hold an entry twice, and fillings of a number that there is not then.
    #[test]
    fn equal_entries_are_refused_before_anything_is_made_of_them() {
        let mut stored = Stored::from(knows(&[("a", "X"), ("b", "Y")]));
        assert!(Knowledge::try_from(stored.clone()).is_ok());
        stored.entries[1] = stored.entries[0].clone();
        assert_eq!(Knowledge::try_from(stored).unwrap_err(), "expected entries that differ");
    }

    /// Each theory has one vote; the tree of an answer is of a theory that gives it, and a file holds all of them.
    #[test]
    fn theories_vote() {
        let two = [("b", "B"), ("a", "Y")];
        let knowledge = knows(&[("a", "X")]).with_others(vec![knows(&two), knows(&two)]);
        let bytes = postcard::to_allocvec(&knowledge).unwrap();
        let read: Knowledge = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(read, knowledge);
        let word = |text: &str| -> Vec<Option<Word>> { entry(text, "X").words().map(Some).collect() };
        let answers = read.answers(&word("a"));
        let said: Vec<Token> = entry("a", "Y").says.iter().copied().filter_map(Out::token).collect();
        assert_eq!(answers[0].tokens, said);
        assert!((answers[0].probability - 2.0 / 3.0).abs() < 1e-9 && !read.is_own(&answers[0]));
        let theory = &read.member_of(&answers[0]).theory;
        assert_eq!(free::says(&answers[0].tree, theory), Some(said));
        // One theory of three has no word for it.
        assert!((read.answers(&word("b"))[0].probability - 2.0 / 3.0).abs() < 1e-9);
    }
}
