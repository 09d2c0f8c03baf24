//! A theory: what patterns of words say, and what fills which slot.

pub mod entry;
