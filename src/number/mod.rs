//! Numbers: exact integers without a width, programs that compute them, and all small such programs.
//!
//! Nothing is known of arithmetic but a next and a previous number, repeating and counting. `pool` puts programs of these together, and those
//! that behave like an operation of [`expression::Operation`] on a grid of arguments are computed by it from then on, at their own price:
//! adding by counting up takes time in proportion to the number.

pub mod expression;
pub mod integer;
pub(crate) mod pool;
mod stored;
