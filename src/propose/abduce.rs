//! Proposes what a word says that no entry has yet: what it must say for its examples to come out right, all else being known.

use crate::chart::given::{Options, is_derived};
use crate::settings::LONGEST_PART;
use crate::symbol::Word;
use crate::theory::Theory;
use crate::theory::entry::{Entry, In, Out, find};

/// The entry of this one word with which most of its examples can be put together, the shortest of several, and which these are.
pub fn abduce(word: Word, examples: &[&Entry], theory: &Theory) -> Option<(Entry, Vec<bool>)> {
    let mut theory = theory.clone();
    let mut best: Option<(usize, Entry, Vec<bool>)> = None;
    for says in parts(examples) {
        let entry = Entry::new(&[In::Word(word)], says);
        let id = theory.add(&entry);
        let derived: Vec<bool> =
            examples.iter().map(|whole| is_derived(whole, &theory, Options::default())).collect();
        theory.set_live(id, false);
        let count = derived.iter().filter(|derived| **derived).count();
        if count > best.as_ref().map_or(0, |best| best.0) {
            best = Some((count, entry, derived));
        }
    }
    best.map(|(_, entry, derived)| (entry, derived))
}

/// Parts of outputs that most of the examples have, the shortest first.
fn parts<'e>(examples: &[&'e Entry]) -> Vec<&'e [Out]> {
    let mut parts: Vec<&[Out]> = vec![&[]];
    for whole in examples {
        let longest = LONGEST_PART.min(whole.says.len());
        parts.extend((1..=longest).flat_map(|long| whole.says.windows(long)));
    }
    parts.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
    parts.dedup();
    let has = |part: &[Out]| examples.iter().filter(|whole| find(&whole.says, part).is_some()).count();
    parts.retain(|part| part.is_empty() || 2 * has(part) > examples.len());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::theory::entry::tests::entry;

    #[test]
    fn a_word_says_what_its_examples_lack() {
        let mut theory = Theory::new(Prices::new(9, 9));
        for (pattern, says) in [("w", "W"), ("0 t", "0 0"), ("0 a 1", "0 1")] {
            theory.add(&entry(pattern, says));
        }
        let examples = [entry("w a j t", "W J J")];
        let found = abduce(Word(u32::from(b'j')), &examples.iter().collect::<Vec<_>>(), &theory);
        assert_eq!(found, Some((entry("j", "J"), vec![true])));
    }
}
