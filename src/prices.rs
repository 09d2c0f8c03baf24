//! What the pieces of a description cost, in bits: the one list of prices.
//!
//! A piece costs about the logarithm of what there is to choose from where it stands. Words, tokens and numbers have prices by how many there are
//! in a data set, so they are no constants. Sums of these prices are made beside the types they are of: [`crate::objective`] for entries that say
//! tokens, `values` for those that compute.

/// That there is an entry, and where its pattern and what it says end.
pub(crate) const ENTRY: f64 = 3.0;
/// A slot, in a pattern or where it is said: there are few to choose from, and one bit tells it from a literal.
pub(crate) const SLOT: f64 = 2.0;
/// A function of a slot, beyond the slot: which of the theory's.
pub(crate) const CALL: f64 = 2.0;
/// That an example is said outright, not by entries.
pub(crate) const OUTRIGHT: f64 = 1.0;
/// That one more entry may fill a slot, of which there are few.
pub(crate) const FILLER: f64 = 1.5;
/// That one more slot is filled by a class of entries: there are more slots than fillers of one.
pub(crate) const CLASS_FILLS: f64 = 3.0;

/// A step of a program: one of a dozen or so.
pub(crate) const STEP: f64 = 3.5;
/// What a step is done with: one of two or three things, such as an argument, or the token at hand in a fold.
pub(crate) const ARGUMENT: f64 = 1.5;
/// A term of several, besides what it says: which kind it is, and that it is not the end yet.
pub(crate) const TERM: f64 = 1.0;
/// A call of a function that is known: one of eight or so.
pub(crate) const LEARNED: f64 = 3.0;
/// That a function is done along a row.
pub(crate) const FOLD: f64 = 3.0;
/// That a relation is the opposite of another: one bit.
pub(crate) const OPPOSITE: f64 = 1.0;

/// That there is an entry that computes: what it computes tells where that ends.
pub(crate) const COMPUTING_ENTRY: f64 = 2.0;
/// A slot of such an entry; where it is used is part of its program.
pub(crate) const COMPUTING_SLOT: f64 = 1.5;
/// A row of slots.
pub(crate) const ROW: f64 = 3.0;
/// That a word means a number or a truth value, beside which: one bit tells it from an entry with slots.
pub(crate) const CONSTANT: f64 = 1.0;
/// That a word written as a number means that number: whether it does, one bit.
pub(crate) const AS_WRITTEN: f64 = 1.0;
/// Each binary digit of the longest number that stands in a slot.
pub(crate) const DIGIT: f64 = 1.0;

/// x log2 x, which is 0 at 0.
pub(crate) fn x_log_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}
