//! Proposes what a part of an example with new words must say, given that all the rest is known.

use crate::chart::given::{Options, is_derived};
use crate::propose::residue::residues;
use crate::propose::split::splits;
use crate::symbol::Word;
use crate::theory::Theory;
use crate::theory::entry::Entry;

/// Entries that each complete an example: with one of them it can be put together. All new words are in it.
pub fn completions(whole: &Entry, theory: &Theory, is_new: impl Fn(Word) -> bool) -> Vec<Entry> {
    let new = |entry: &Entry| entry.words().filter(|&word| is_new(word)).count();
    let all = new(whole);
    let is_known = |part: &Entry| is_derived(part, theory, Options::default());
    let mut found = vec![whole.clone()];
    let holes = splits(whole).into_iter().filter(|split| new(&split.inner) == all);
    found.extend(holes.filter(|split| is_known(&split.outer)).map(|split| split.inner));
    let within = |entry: &Entry| {
        let around = splits(entry)
            .into_iter()
            .filter(|split| new(&split.outer) == all && is_known(&split.inner))
            .map(|split| split.outer);
        around.chain(residues(entry, None, theory)).collect::<Vec<_>>()
    };
    let smaller: Vec<Entry> = found.iter().flat_map(within).collect();
    found.extend(smaller.into_iter().filter(|entry| new(entry) == all));
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::theory::entry::In;
    use crate::theory::entry::tests::entry;

    #[test]
    fn what_is_known_is_taken_from_around_a_new_word_and_from_within() {
        let mut theory = Theory::new(Prices::new(10, 10));
        for (pattern, says) in [("w", "W"), ("r", "R"), ("0 a 1", "0 1")] {
            theory.add(&entry(pattern, says));
        }
        let whole = entry("w a r t", "W R R");
        let In::Word(new) = entry("t", "W").pattern[0] else { unreachable!() };
        let found = completions(&whole, &theory, |word| word == new);
        assert!(found.contains(&entry("r t", "R R")), "{found:?}");
        assert!(found.contains(&entry("0 t", "0 0")), "{found:?}");
        assert!(found.contains(&whole));
        assert!(found.iter().all(|entry| entry.words().any(|word| word == new)));
    }
}
