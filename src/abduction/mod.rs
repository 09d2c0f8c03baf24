//! From a wanted result down to revised trees, senses and values.

pub mod chart;
pub mod holes;
