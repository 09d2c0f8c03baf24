//! The library by its public API and the real binary, all in one program: it is built once.

// What the binary needs.
#[cfg(all(feature = "cli", feature = "vision"))]
mod cli;
mod constructions;
mod cuda;
mod data;
#[cfg(all(feature = "cli", feature = "vision"))]
mod images;
mod learning;
mod tidy;
mod values;
