//! Learns meaning from pairs of inputs and outputs.

// What flows: plain data, no learning.
pub mod error;
pub mod gss;
pub mod symbol;
pub mod tree;
pub mod value;

pub mod data;

// The three stages.
pub mod perception;
pub mod semantics;
pub mod syntax;

// Up, down, around.
pub mod abduction;
pub mod deduction;
pub mod model;
pub mod training;

// What came out of it: files, figures, words for people.
pub mod checkpoint;
pub mod evaluate;
pub mod readable;
pub mod report;
