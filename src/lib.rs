//! Learns meaning from pairs of inputs and outputs.

// What flows: plain data, no learning.
pub mod error;
pub mod symbol;
pub mod tree;
pub mod value;

pub mod data;
pub mod abduction;
pub mod semantics;
pub mod syntax;
pub mod training;
