//! Symbols to trees: a transition-based dependency parser, after the paper's section on dependency parsing.
//!
//! In: the classes of a sentence's words, numbers `0..classes`. Out: a projective [`Tree`] with its
//! log-probability. From a [`Tree`] the [`oracle`] makes transitions, their [`features`] become [`Row`]s,
//! and from these the [`Scorer`] learns; [`Parser`] then goes the other way.
//!
//! ```
//! use nsr::syntax::{ArcOrder, LearnConfig, Parser, Rows, Workspace};
//! use nsr::tree::Tree;
//! use rand::SeedableRng;
//!
//! // Class 0: numbers, class 1: operators. An operator heads the numbers beside it.
//! let tree = Tree::new(vec![Some(1), None, Some(1)])?;
//! let mut rows = Rows::default();
//! rows.add(&tree, &[0, 1, 0], ArcOrder::LeftFirst, 1.0);
//!
//! let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
//! let mut parser = Parser::new(2, ArcOrder::LeftFirst, &mut rng);
//! parser.learn(&rows.into_rows(), &LearnConfig::default(), &mut rng);
//! assert_eq!(parser.parse(&[0, 1, 0], &mut Workspace::new()), tree);
//! # Ok::<(), nsr::error::Error>(())
//! ```

mod adam;
mod beam;
pub mod decode;
mod dense;
pub mod features;
pub mod given;
mod gradient;
pub mod learn;
pub mod oracle;
pub mod scorer;
pub mod sight;
pub mod state;
pub mod table;
pub mod transition;

pub use decode::{Parser, Workspace};
pub use features::{FEATURES, Features, instances};
pub use given::Given;
pub use learn::{LearnConfig, LearnReport, Row, Rows};
pub use oracle::{ArcOrder, transitions};
pub use scorer::Scorer;
pub use sight::Sight;
pub use state::State;
pub use table::Table;
pub use transition::{Moves, Transition};

use crate::tree::Tree;

/// What the other stages need of syntax: trees and how probable they are.
pub trait Syntax {
    /// The preferred tree of a sentence that is not empty.
    fn parse(&self, classes: &[u32]) -> Tree;

    /// Up to `k` probable trees with their log-probabilities, best first, found by a beam of that width.
    fn k_best(&self, classes: &[u32], beam: usize, k: usize) -> Vec<(Tree, f64)>;

    /// The log-probability of `tree`; `None` if this syntax can never give it.
    fn log_prob(&self, classes: &[u32], tree: &Tree) -> Option<f64>;
}
