//! Constructions whose results are computed: numbers in words, arithmetic, truth, functions of many arguments.
//!
//! An [`entry`] is a pattern of words and slots with a program over the values of its slots: `_ plus _` adds, `_ hundred` multiplies, `_ _` may
//! add without a word, `( largest _* )` takes a row. Where results are tokens, what an entry says can be read off the result
//! ([`crate::theory`]); a number shows nothing of how it came about, so here values are computed from below (`chart`), wanted results are
//! carried down to the words that are not understood (`evidence`), and programs are fitted to what is wanted of a pattern in all
//! examples (`fit`). One description length judges: entries, and what each example costs when all its trees are weighed (`weigh`).

pub(crate) mod chart;
pub mod entry;
pub(crate) mod evidence;
pub(crate) mod extend;
pub(crate) mod fit;
mod grow;
mod hoist;
pub mod knowledge;
pub(crate) mod latent;
pub(crate) mod learn;
pub(crate) mod look;
mod name;
pub mod open;
mod parsed;
pub(crate) mod predicate;
pub(crate) mod preference;
pub mod program;
mod refine;
pub mod row;
mod run;
pub(crate) mod sample;
mod settle;
mod shorten;
pub mod value;
pub(crate) mod want;
pub(crate) mod weigh;
mod wrap;
