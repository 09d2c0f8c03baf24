//! Words that say their own names, and what that tells of words never seen.
//!
//! Where the words of a class say tokens that are spelled like them, it is shorter to say so once than to name every token. Then a word
//! that was never seen is one more of them, and stands where they do: `play zebra by kayak` has its title and its artist. Where only a few of a class
//! say their own names, or as many as not, nothing is known of others.

use crate::symbol::{Token, Word};
use crate::theory::entry::{Entry, In, Out};
use crate::theory::tree_model::TreeModel;
use crate::theory::{EntryId, Theory};
use std::collections::BTreeMap;

/// The words that say their own names in classes where most do and it is shorter to say that.
pub fn copiers(theory: &Theory, model: &TreeModel, is_name: impl Fn(Word, Token) -> bool) -> Vec<EntryId> {
    let mut classes: BTreeMap<u32, (usize, Vec<EntryId>)> = BTreeMap::new();
    for (&id, &class) in &model.classes {
        let Some(word) = single(theory.entry(id)) else { continue };
        let (members, copies) = classes.entry(class).or_default();
        *members += 1;
        if matches!(*theory.entry(id).says, [Out::Token(token)] if is_name(word, token)) {
            copies.push(id);
        }
    }
    let pays = |(members, copies): &(usize, Vec<EntryId>)| {
        2 * copies.len() > *members && theory.prices.saved_by_copying(*members, copies.len()) > 0.0
    };
    let paying = classes.into_values().filter(pays);
    paying.flat_map(|(_, copies)| copies).collect()
}

/// The word of an entry that has just one.
fn single(entry: &Entry) -> Option<Word> {
    match *entry.pattern {
        [In::Word(word)] => Some(word),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Prices;
    use crate::theory::counts::Counts;
    use crate::theory::entry::tests::entry;

    /// How many words say their own names where they fill a slot of `p`, and others of `q`.
    #[track_caller]
    fn check(in_p: &str, in_q: &str, copies: usize) {
        let mut theory = Theory::new(Prices::new(60, 60));
        let mut counts = Counts::default();
        for (above, words) in [("p 0", in_p), ("q 0", in_q)] {
            let place = (theory.add(&entry(above, "0")), 0);
            for pair in words.split_whitespace() {
                let filler = theory.add(&entry(&pair[..1], &pair[1..]));
                counts.add(place, filler, 9.0);
            }
        }
        let model = TreeModel::new(&counts, &theory);
        assert_eq!(copiers(&theory, &model, |word, token| word.0 == token.0).len(), copies);
    }

    #[test]
    fn a_class_copies_where_most_of_it_does() {
        check("aa bb cc dd ee", "xy yz zx", 5);
        check("aa bb cc dX ee", "xy yz zx", 4);
        check("aX bY cZ dd", "xy yz zx", 0);
        check("aa", "xy yz zx", 0);
    }
}
