//! What a model can tell about itself, as plain data: how it works out an input, what it believes, which
//! words it treats alike, which examples it does not explain. Wording and layout are left to the binary.

pub mod beliefs;
pub mod explanation;
pub mod similarity;
pub mod unexplained;

pub use beliefs::{Belief, Open, beliefs, unsolved};
pub use explanation::{Explanation, Node, Seen, answer_row, explain, explain_row};
pub use similarity::{Similarity, similarity};
pub use unexplained::unexplained;
