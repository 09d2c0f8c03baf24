//! What a model can tell about itself, as plain data: how it works out an input, what it knows, which
//! words it has no construction for, which examples it does not explain. Wording and layout are left to the binary.

pub mod checkup;
mod computation;
pub mod construction;
pub mod explanation;
#[cfg(feature = "vision")]
mod rows;
pub mod similarity;
pub mod unexplained;
mod unsolved;
mod weight;

pub use crate::readable::{argument_name, shorten};
pub use checkup::{Checkup, checkup};
pub use computation::apply;
pub use construction::{Construction, constructions};
pub use explanation::{Explanation, Node, Seen, explain, explain_best};
#[cfg(feature = "vision")]
pub use rows::{Reader, answer_row, explain_row, look_at};
pub use similarity::{Similarity, similarity};
pub use unexplained::unexplained;
pub use unsolved::unsolved;
pub use weight::{Weight, read_theory, weigh};
