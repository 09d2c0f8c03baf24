//! Symbols to trees: a transition-based dependency parser.

pub mod features;
pub mod oracle;
pub mod state;
pub mod transition;
