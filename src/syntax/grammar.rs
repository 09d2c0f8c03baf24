//! Patterns as the parser sees them: which are alike, and which one a stack ends with.

use super::state::Item;
use crate::symbol::Word;
use crate::theory::EntryId;
use crate::theory::entry::In;
use crate::theory::tree::Shape;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A pattern of a construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its words and slots.
    pub pieces: Box<[In]>,
    /// Whether its one slot takes a row.
    pub row: bool,
    /// Constructions of one class fill the same slots.
    pub class: u32,
}

impl Pattern {
    /// How it is laid over an input.
    pub fn shape(&self) -> Shape<'_> {
        Shape { row: self.row.then_some(0), ..Shape::from(&*self.pieces) }
    }
}

/// What stands nowhere: beyond the bottom of the stack, or the end of the input.
pub(super) const NOTHING: u32 = 0;
/// A word of no pattern.
const UNKNOWN: u32 = 1;
/// The first class of a word.
const FIRST: u32 = 2;

/// All patterns. Words that have the same places in patterns of the same shape and class are of one class, and so are these patterns: the parser
/// treats them alike, so that what it learned of one holds for its kin.
#[derive(Clone, Debug)]
pub struct Grammar {
    patterns: Vec<Pattern>,
    /// The class of each word that some pattern has.
    words: FxHashMap<Word, u32>,
    /// The action of each pattern: those of one shape and class share it.
    actions: Vec<u32>,
    action_count: u32,
    /// Whether other entries have the same pattern, so that it has several meanings.
    is_shared: Vec<bool>,
    word_classes: u32,
    /// Patterns by their last word and how many pieces follow it.
    by_word: FxHashMap<(Word, usize), Vec<EntryId>>,
    /// Patterns without any word, or whose last word comes before a row.
    others: Vec<EntryId>,
    /// So many pieces follow a last word at most.
    furthest: usize,
}

/// What patterns of one action have in common.
type Look = (Vec<bool>, bool, u32);

impl Grammar {
    /// The grammar of these patterns, by the numbers of their entries.
    pub fn new(patterns: Vec<Pattern>) -> Grammar {
        let mut shapes: BTreeMap<Look, u32> = BTreeMap::new();
        let mut actions = Vec::with_capacity(patterns.len());
        let mut places: BTreeMap<Word, Vec<(u32, usize)>> = BTreeMap::new();
        for pattern in &patterns {
            let is_word = |piece: &In| matches!(piece, In::Word(_));
            let shape = (pattern.pieces.iter().map(is_word).collect(), pattern.row, pattern.class);
            let next = shapes.len() as u32;
            let action = *shapes.entry(shape).or_insert(next);
            actions.push(action);
            for (place, piece) in pattern.pieces.iter().enumerate() {
                if let In::Word(word) = piece {
                    places.entry(*word).or_default().push((action, place));
                }
            }
        }
        let mut classes: BTreeMap<Vec<(u32, usize)>, u32> = BTreeMap::new();
        let mut words = FxHashMap::default();
        for (word, mut places) in places {
            places.sort_unstable();
            places.dedup();
            let next = FIRST + classes.len() as u32;
            words.insert(word, *classes.entry(places).or_insert(next));
        }
        let mut uses: BTreeMap<&[In], usize> = BTreeMap::new();
        patterns.iter().for_each(|pattern| *uses.entry(&pattern.pieces).or_default() += 1);
        let is_shared = patterns.iter().map(|pattern| uses[&*pattern.pieces] > 1).collect();
        let mut grammar = Grammar {
            is_shared,
            words,
            actions,
            action_count: shapes.len() as u32,
            word_classes: FIRST + classes.len() as u32,
            by_word: FxHashMap::default(),
            others: Vec::new(),
            furthest: 0,
            patterns,
        };
        grammar.index();
        grammar
    }

    fn index(&mut self) {
        // A phrase that is nothing but another one would be one for ever.
        let is_bare = |pattern: &Pattern| matches!(*pattern.pieces, [In::Slot(_)]);
        for (id, pattern) in (0..).zip(&self.patterns).filter(|(_, pattern)| !is_bare(pattern)) {
            let last = pattern.pieces.iter().rposition(|piece| matches!(piece, In::Word(_)));
            match (last, pattern.pieces.get(last.unwrap_or(0))) {
                (Some(place), Some(&In::Word(word))) if !pattern.row || place + 1 == pattern.pieces.len() => {
                    let after = pattern.pieces.len() - 1 - place;
                    self.furthest = self.furthest.max(after);
                    self.by_word.entry((word, after)).or_default().push(id);
                }
                _ => self.others.push(id),
            }
        }
    }

    /// The pattern of an entry.
    pub(super) fn pattern(&self, id: EntryId) -> &Pattern {
        &self.patterns[id as usize]
    }

    /// How many classes of words and phrases there are.
    pub(super) fn classes(&self) -> usize {
        (self.word_classes + self.action_count) as usize
    }

    /// How many ways to reduce there are.
    pub(super) fn actions(&self) -> usize {
        self.action_count as usize
    }

    /// The action of an entry.
    pub(super) fn action(&self, id: EntryId) -> u32 {
        self.actions[id as usize]
    }

    /// Whether a pattern has several meanings.
    pub(super) fn is_shared(&self, id: EntryId) -> bool {
        self.is_shared[id as usize]
    }

    /// The class of a word.
    pub(super) fn word_class(&self, word: Word) -> u32 {
        self.words.get(&word).copied().unwrap_or(UNKNOWN)
    }

    /// The class of a phrase.
    pub(super) fn phrase_class(&self, id: EntryId) -> u32 {
        self.word_classes + self.action(id)
    }

    /// The entries whose patterns a stack ends with, each with how many items it takes: of each action the first, which is the most used.
    pub(super) fn fitting(&self, stack: &[Item], found: &mut Vec<(EntryId, usize)>) {
        found.clear();
        let mut consider = |id: EntryId| {
            if let Some(taken) = self.taken(id, stack)
                && found.iter().all(|&(other, _)| self.action(other) != self.action(id))
            {
                found.push((id, taken));
            }
        };
        for (after, item) in stack.iter().rev().take(self.furthest + 1).enumerate() {
            if let Item::Word(word) = item {
                self.by_word.get(&(*word, after)).into_iter().flatten().copied().for_each(&mut consider);
                break;
            }
        }
        self.others.iter().copied().for_each(consider);
    }

    /// How many items the pattern of an entry takes from the end of a stack; a row takes as many phrases as there are.
    fn taken(&self, id: EntryId, stack: &[Item]) -> Option<usize> {
        let pattern = self.pattern(id);
        let mut at = stack.len();
        for piece in pattern.pieces.iter().rev() {
            at = at.checked_sub(1)?;
            match (piece, &stack[at]) {
                (In::Word(word), Item::Word(other)) if word == other => {}
                (In::Slot(_), Item::Phrase { .. }) => {
                    let is_phrase = |item: &Item| matches!(item, Item::Phrase { .. });
                    while pattern.row && at > 0 && is_phrase(&stack[at - 1]) {
                        at -= 1;
                    }
                }
                _ => return None,
            }
        }
        Some(stack.len() - at)
    }
}
