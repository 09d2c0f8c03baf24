//! The real binary in a scratch folder: every command, exit code and bad input.

mod answer;
mod bad_input;
mod bench;
mod constructions;
mod cutting;
mod doctor;
mod experience;
mod hostile;
mod numbers;
mod readme;
pub mod scratch;
mod train;
