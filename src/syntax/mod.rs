//! Symbols to trees: a transition-based dependency parser.

mod adam;
mod dense;
pub mod features;
mod gradient;
pub mod learn;
pub mod oracle;
pub mod scorer;
pub mod state;
pub mod transition;
