//! Down: from a wanted result to the tree, the senses and the values that give it.
//!
//! Where the paper edits one tree step by step, we look at all projective trees and senses at once, in a
//! [`chart`]; where none gives the result, [`holes`] push the wanted value down to the words that could mend
//! it. Perception is the identity for tokens, so there is nothing to revise in it.

pub mod chart;
pub mod holes;

use crate::semantics::lexicon::Lexicon;
use crate::value::Value;
use chart::{Chart, Derivation, Limits};

/// Why abduction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// A tree gives the wanted result.
    Found,
    /// No tree that was kept within the limits gives it.
    Exhausted,
    /// The input has more words than the limits allow.
    TooLong(usize),
}

/// What abduction found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub stop: StopReason,
    /// The most probable tree that gives the wanted result.
    pub derivation: Option<Derivation>,
}

/// The most probable tree of `words`, with the sense of every word, that gives `target`.
///
/// ```
/// use nsr::abduction::{StopReason, abduce, chart::Limits};
/// use nsr::semantics::lexicon::{Lexicon, Sense};
/// use nsr::semantics::program::Program;
/// use nsr::value::Value;
///
/// // `3 4 +` with + given as the successor of its first argument, and digits as constants.
/// let program = |arity, text: &str| Program { arity, body: text.parse().unwrap() };
/// let sense = |program, me| vec![Sense { program: Some(program), me, probability: 1.0 }];
/// let lexicon = Lexicon {
///     programs: vec![program(0, "me"), program(2, "(inc x)")],
///     senses: vec![sense(0, Some(Value::Nat(3))), sense(0, Some(Value::Nat(4))), sense(1, None)],
///     library: vec![],
/// };
/// let outcome = abduce(&lexicon, &[0, 1, 2], &Value::Nat(4), &Limits::default());
/// assert_eq!(outcome.stop, StopReason::Found);
/// assert_eq!(outcome.derivation.unwrap().tree.heads(), [Some(2), Some(2), None]);
/// ```
pub fn abduce(lexicon: &Lexicon, words: &[u32], target: &Value, limits: &Limits) -> Outcome {
    if words.len() > limits.words {
        return Outcome { stop: StopReason::TooLong(words.len()), derivation: None };
    }
    let derivation = Chart::new(lexicon, words, target, *limits).best();
    let stop = if derivation.is_some() { StopReason::Found } else { StopReason::Exhausted };
    Outcome { stop, derivation }
}
