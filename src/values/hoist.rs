//! Taking out of patterns what they share at their ends.
//!
//! Where every input begins with `is`, so do the first patterns: `is _ less than _`, `is _ more than _`. Each explains its own examples, and none of those where two
//! comparisons are joined. A pattern of the shared words around a slot that passes on its filler, and the others without these words, is shorter, and what it takes may
//! then stand anywhere.

use super::entry::{Entry, Lexicon, Pattern};
use super::fit::{Fitted, Wanted};
use super::learn::Learner;
use super::program::Program;
use super::value::Value;
use super::want::Want;
use super::weigh::{Believed, Example};
use crate::symbol::Word;
use crate::theory::EntryId;
use crate::theory::entry::In;
use std::collections::BTreeMap;

/// The first and the last word of a pattern, or one of them.
type Ends = (Option<Word>, Option<Word>);

impl Learner<'_> {
    /// Takes the words with which several patterns begin or end out of them, where that is shorter; whether anything was.
    pub(super) fn hoist(&self, believed: &mut Believed, examples: &[&Example]) -> bool {
        let mut best = believed.total(examples).bits;
        let mut changed = false;
        for (ends, ids) in shared(&believed.lexicon) {
            if (self.stop)() || !ids.iter().all(|&id| believed.lexicon.is_live(id)) {
                continue;
            }
            let Some(mut hoisted) = self.hoisted(believed, ends, &ids) else { continue };
            hoisted.recount(examples);
            if let Some(total) = hoisted.total_below(best, examples) {
                (best, changed, *believed) = (total.bits, true, hoisted);
            }
        }
        changed
    }

    fn hoisted(&self, believed: &Believed, ends: Ends, ids: &[EntryId]) -> Option<Believed> {
        let mut hoisted = believed.clone();
        let frame = around(ends);
        if !hoisted.lexicon.has(&frame) {
            let wanted = unchanged(&believed.lexicon.entry(*ids.first()?).program);
            let Fitted { program, bits, .. } = self.best_fit(&frame, &wanted)?;
            let bits = self.prices.entry(&frame, &program, bits);
            hoisted.add(Entry { pattern: frame, program }, bits);
        }
        for &id in ids {
            let Entry { pattern, program } = believed.lexicon.entry(id).clone();
            let inner = within(&pattern, ends)?;
            let bits =
                believed.lexicon.bits(id) - self.prices.pattern(&pattern) + self.prices.pattern(&inner);
            hoisted.set_live(id, false);
            if !hoisted.lexicon.has(&inner) {
                hoisted.add(Entry { pattern: inner, program }, bits);
            }
        }
        Some(hoisted)
    }
}

/// The ends that several patterns share, with the entries.
fn shared(lexicon: &Lexicon) -> Vec<(Ends, Vec<EntryId>)> {
    let mut shared: BTreeMap<Ends, Vec<EntryId>> = BTreeMap::new();
    for id in lexicon.live() {
        let pattern = &lexicon.entry(id).pattern;
        let word = |piece: Option<&In>| piece.and_then(|piece| piece.word());
        let (first, last) = (word(pattern.pieces.first()), word(pattern.pieces.last()));
        for ends in [(first, last), (first, None), (None, last)] {
            let is_new = shared.get(&ends).is_none_or(|ids| ids.last() != Some(&id));
            if ends != (None, None) && is_new && within(pattern, ends).is_some() {
                shared.entry(ends).or_default().push(id);
            }
        }
    }
    shared.into_iter().filter(|(_, ids)| ids.len() > 1).collect()
}

/// A slot between these words.
fn around((first, last): Ends) -> Pattern {
    let word = |word: Option<Word>| word.map(In::Word);
    Pattern::of_slots(word(first).into_iter().chain([In::Slot(0)]).chain(word(last)).collect())
}

/// A pattern without words at its ends, if it has slots and other words. A row without its end could end anywhere.
fn within(pattern: &Pattern, (first, last): Ends) -> Option<Pattern> {
    let (from, to) = (usize::from(first.is_some()), usize::from(last.is_some()));
    let end = pattern.pieces.len().checked_sub(to).filter(|end| *end > from)?;
    let inner = Pattern { pieces: pattern.pieces[from..end].into(), ..pattern.clone() };
    (!inner.row && inner.slots() > 0 && inner.words().next().is_some()).then_some(inner)
}

/// What is wanted of a pattern that passes on what a program computes.
fn unchanged(program: &Program) -> Vec<Wanted> {
    let is_truth = matches!(
        program,
        Program::Test(_)
            | Program::Any(_)
            | Program::Ordered(_)
            | Program::Counted(_)
            | Program::Table(..)
            | Program::FoldTable(_)
    );
    let values: Vec<Value> = match is_truth {
        true => [false, true].map(Value::Truth).to_vec(),
        false => (0..20).map(Value::from).collect(),
    };
    let wanted = |(example, value): (usize, Value)| Wanted {
        arguments: vec![value.clone()],
        want: Want::Value(value),
        example,
        bits: 10.0,
    };
    values.into_iter().enumerate().map(wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_shared_by_patterns_that_have_other_words() {
        let (is, less, more) = (Word(0), Word(1), Word(2));
        let compared = |word| [In::Word(is), In::Slot(0), In::Word(word), In::Slot(1)];
        let mut lexicon = Lexicon::default();
        for pieces in [compared(less), compared(more)] {
            let program = Program::Linear(vec![0, 1, 1, 0]);
            lexicon.push(Entry { pattern: Pattern::of_slots(pieces.into()), program }, 1.0, true);
        }
        let pieces = Box::new([In::Word(is), In::Slot(0)]);
        let entry = Entry { pattern: Pattern::of_slots(pieces), program: Program::Linear(vec![1, 1]) };
        lexicon.push(entry, 1.0, true);
        assert_eq!(shared(&lexicon), [((Some(is), None), vec![0, 1])]);
        let inner = within(&lexicon.entry(0).pattern, (Some(is), None)).unwrap();
        assert_eq!(*inner.pieces, [In::Slot(0), In::Word(less), In::Slot(1)]);
    }
}
