//! Learns meaning from pairs of inputs and outputs.
//!
//! From pairs such as (`walk twice`, `WALK WALK`) and nothing else, `nsr` finds what words and patterns of words mean, as
//! small programs, and how they combine, as trees; then it answers inputs it has never seen and
//! tells how. It is an implementation of the Neural-Symbolic Recursive Machine (Li et al., ICLR 2024). The
//! repository's `ARCHITECTURE.md` describes the algorithm and where it departs from the paper.
//!
//! # Example
//!
//! `jump` is seen only alone, and no training example has both `twice` and `thrice`:
//!
//! ```
//! let model = nsr::Learner::new().learn(&[
//!     ("walk", "WALK"),
//!     ("run", "RUN"),
//!     ("jump", "JUMP"),
//!     ("look", "LOOK"),
//!     ("walk twice", "WALK WALK"),
//!     ("run twice", "RUN RUN"),
//!     ("look twice", "LOOK LOOK"),
//!     ("walk thrice", "WALK WALK WALK"),
//!     ("run thrice", "RUN RUN RUN"),
//!     ("look thrice", "LOOK LOOK LOOK"),
//!     ("walk and run", "WALK RUN"),
//!     ("run and look", "RUN LOOK"),
//!     ("look and walk", "LOOK WALK"),
//!     ("walk twice and run", "WALK WALK RUN"),
//!     ("look and run thrice", "LOOK RUN RUN RUN"),
//! ]);
//!
//! let answer = model.answer("jump twice and look thrice").unwrap();
//! assert_eq!(answer.text, "JUMP JUMP LOOK LOOK LOOK");
//! let definitions = answer.tree.nodes.iter().filter_map(|node| node.definition.as_deref());
//! assert!(definitions.into_iter().any(|definition| definition == "_ twice = x ++ x"));
//! ```
//!
//! # Modules, in the order in which an example passes through them
//!
//! What flows, plain data without learning:
//!
//! - [`data`]: pairs of token lists, read from files or generated; the way in.
//! - [`symbol`]: tokens as numbers. Text needs no more perception than this; `perception` reads pictures.
//! - [`value`]: results: numbers, truth values and lists of tokens.
//! - [`error`]: what can go wrong with files, data and models.
//! - [`parts`]: which parts of learning take part; all of them, but for who measures what one is worth.
//!
//! Constructions, which are all that is learned:
//!
//! - [`theory`]: patterns of words and slots, what they say, and what fills which slot.
//! - [`learn`]: what entries and examples come to, as the search weighs them. The search itself is not for users: `chart`, `objective` and `propose`
//!   (all trees of an input, what everything costs, edits), `program` (functions of lists that patterns apply), `places` (outputs that refer to
//!   words by their places), `syntax` (the neural parser, which learns the trees and answers faster than the chart, and inputs of any length).
//! - [`values`], [`number`]: patterns whose results are computed: numbers of any size, truth values, lists.
//! - `reading`: rows of pictures, read by constructions.
//!
//! Around them:
//!
//! - [`training`]: which kind of constructions fits the data; [`Learner`] is the front door.
//! - [`computed`]: numbers that words say beside other words, taken out of examples.
//! - [`experience`]: programs that earlier tasks needed.
//! - [`model`]: what training ends in, ready to answer.
//!
//! What came out of it:
//!
//! - [`checkpoint`]: a model as one file, safe to load from strangers.
//! - [`evaluate`]: how many examples of a data set a model answers right.
//! - [`readable`]: constructions as people write them.
//! - [`report`]: explanations, constructions, unsolved words and unexplained examples as plain data.
//!
//! # Features
//!
//! All are on by default; library users may switch them off with `default-features = false` and choose.
//!
//! - `cli` adds the binary `nsr` and what only it needs.
//! - `vision` adds networks that read rows of pictures, and PNG and JPEG files.
//! - `cuda` runs these networks on an NVIDIA graphics card; building needs nothing of it.
//!
//! # What holds everywhere
//!
//! The same data and seed give the same model for any number of threads. The library prints nothing; only
//! [`data`] and [`checkpoint`] touch files. There is no unsafe code.

// What flows: plain data, no learning.
pub mod error;
pub mod parts;
mod stop;
pub mod symbol;
pub mod value;

pub mod data;

mod adam;
#[cfg(feature = "vision")]
mod few;
pub mod perception;

// Constructions.
mod chart;
pub mod computed;
pub mod learn;
pub mod number;
mod objective;
mod places;
mod prices;
mod program;
mod propose;
mod settings;
mod spread;
mod syntax;
pub mod theory;
pub mod values;

// Around them.
pub mod experience;
pub mod model;
#[cfg(feature = "vision")]
pub mod reading;
pub mod training;
#[cfg(not(feature = "vision"))]
mod unseen;

// What came out of it: files, figures, words for people.
pub mod checkpoint;
pub mod evaluate;
mod learner;
pub mod readable;
pub mod report;

pub use learner::{Answer, Learner};
pub use model::Model;
