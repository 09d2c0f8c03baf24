//! Programs: what entries compute from the values of their slots, and how programs are found from examples.
//!
//! A program is a concatenation of terms: tokens, slots and small functions of slots. [`fit`](fit::fit) finds the
//! cheapest one for rows of slot values and the output wanted with them.

pub mod fit;
pub mod function;
