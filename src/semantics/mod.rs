//! Symbols and the values of their children to values: one program per symbol and number of children.

mod closed;
pub mod costs;
pub mod enumerate;
pub mod eval;
mod flat;
pub mod invert;
pub mod lexicon;
pub mod program;
pub mod recursion;
