//! What a model can tell about itself, as plain data: how it works out an input, what it believes, which
//! words it treats alike, which examples it does not explain. Wording and layout are left to the binary.

pub mod beliefs;
pub mod checkup;
mod computation;
pub mod construction;
pub mod evolution;
pub mod explanation;
#[cfg(feature = "vision")]
mod rows;
pub mod similarity;
pub mod unexplained;

pub use beliefs::{Belief, Open, beliefs, unsolved};
pub use checkup::{Checkup, checkup};
pub use construction::{Construction, constructions};
pub use evolution::{Evolution, Since, Solved};
pub use explanation::{Explanation, Node, Seen, explain};
#[cfg(feature = "vision")]
pub use rows::{answer_row, explain_row, look_at};
pub use similarity::{Similarity, similarity};
pub use unexplained::unexplained;

use crate::semantics::lexicon::Sense;

/// Senses as improbable as this were taken over from words of the same class.
const BORROWED: f64 = 0.002;

/// Whether a word of a model has a sense by its own uses, not by its kin.
pub fn is_own(sense: &Sense) -> bool {
    sense.probability > BORROWED
}
