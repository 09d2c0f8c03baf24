//! Deduce, abduce, learn, repeat.

pub mod align;
pub mod meaning;
