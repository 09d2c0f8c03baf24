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
//! Around it:
//!
//! - [`training`]: from pairs to a model, with an observer that is told and may ask to stop; [`Learner`] is the front door.
//! - [`experience`]: programs that earlier tasks needed.
//! - [`model`]: what training ends in, ready to answer: constructions, patterns of words and slots with what they say or compute. How
//!   they are found, weighed and put together is not for users; `ARCHITECTURE.md` has the map.
//!
//! What came out of it:
//!
//! - [`checkpoint`]: a model as one file, safe to load from strangers.
//! - [`evaluate`]: how many examples of a data set a model answers right.
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
mod computed;
mod learn;
mod number;
mod objective;
mod places;
mod prices;
mod program;
mod propose;
mod settings;
mod spread;
mod syntax;
mod theory;
mod values;

// Around them.
pub mod experience;
pub mod model;
#[cfg(feature = "vision")]
mod reading;
pub mod training;
#[cfg(not(feature = "vision"))]
mod unseen;

// What came out of it: files, figures, words for people.
pub mod checkpoint;
pub mod evaluate;
mod learner;
mod readable;
pub mod report;

pub use data::Dataset;
pub use error::Error;
pub use experience::Experience;
pub use learner::{Answer, Learner};
pub use model::Model;
pub use report::Explanation;
pub use training::{Event, Observer};
