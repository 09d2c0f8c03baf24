//! What the pieces of programs cost, in bits; the only place with these numbers.
//!
//! Tokens cost what the vocabulary makes them cost, so they come from outside as `token_bits`.

/// Naming a step of a function: one of a dozen or so.
pub const STEP: f64 = 3.5;

/// A place in the body of a fold: the token or what there is so far or was before, and whether the body ends there.
pub const PLACE: f64 = 1.5;

/// Naming a slot.
pub const SLOT: f64 = 2.0;

/// A term of a program, besides what it says: which kind it is, and that it is not the end yet.
pub const TERM: f64 = 1.0;
