//! Learns meaning from pairs of inputs and outputs.

// What flows: plain data, no learning.
pub mod error;
pub mod symbol;
pub mod tree;

pub mod data;
pub mod syntax;
