//! What stands beside a search: it asks the search to stop, and is told its steps.

use serde::Serialize;
use std::ops::Deref;

/// A step of a search that took it further.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Step {
    /// What was done, in a word: what proposed an edit, or what is counted.
    pub what: &'static str,
    /// What the search makes fewer, in bits. Only within one search, and for the same `what`, do these compare.
    pub bits: f64,
    /// The share of the examples it looks at that have a right tree; `None` where what is not understood is kept as a whole.
    pub explained: Option<f64>,
}

/// Whether to stop, asked as a function; once it was answered with yes it always is.
#[derive(Clone, Copy)]
pub struct Stop<'a> {
    asked: &'a (dyn Fn() -> bool + Sync),
    told: &'a (dyn Fn(Step) + Sync),
}

impl<'a> Stop<'a> {
    /// Asks this, and tells nobody.
    pub fn new(asked: &'a (dyn Fn() -> bool + Sync)) -> Stop<'a> {
        Stop { asked, told: &|_| {} }
    }

    /// Asks the one, and tells the other.
    pub fn telling(asked: &'a (dyn Fn() -> bool + Sync), told: &'a (dyn Fn(Step) + Sync)) -> Stop<'a> {
        Stop { asked, told }
    }

    /// Never.
    pub fn never() -> Stop<'static> {
        Stop::new(&|| false)
    }

    /// Tells a step. What is told depends on threads and clocks, and nothing that is learned depends on it.
    pub fn step(&self, what: &'static str, bits: f64, explained: Option<f64>) {
        // What a search ends with after it was asked to stop is not what it came to.
        if !(self.asked)() {
            (self.told)(Step { what, bits, explained });
        }
    }
}

impl<'a> Deref for Stop<'a> {
    type Target = dyn Fn() -> bool + Sync + 'a;

    fn deref(&self) -> &Self::Target {
        self.asked
    }
}
