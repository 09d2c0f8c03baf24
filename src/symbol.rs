//! Symbols and their names.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A name's number within one [`Vocabulary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Symbol(pub u32);

impl Symbol {
    /// The number as an index into tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A word of the inputs: its number within the vocabulary of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Word(pub u32);

/// A token of the outputs: its number within the vocabulary of outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Token(pub u32);

/// Names and their numbers, in order of first appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Vocabulary {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl Vocabulary {
    /// The symbol of `name`, made now if it is new.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&number) = self.numbers.get(name) {
            return Symbol(number);
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        Symbol(number)
    }

    /// The symbol of `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.numbers.get(name).copied().map(Symbol)
    }

    /// The name of `symbol`.
    ///
    /// # Panics
    /// If `symbol` comes from another vocabulary and is out of range.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name yet.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All names, in order of their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

/// The names of a vocabulary, and some that come after all of them.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    known: &'a Vocabulary,
    further: &'a [String],
}

impl<'a> Names<'a> {
    /// Names beyond those of a vocabulary.
    pub fn new(known: &'a Vocabulary, further: &'a [String]) -> Names<'a> {
        Names { known, further }
    }

    /// The name of `symbol`.
    ///
    /// # Panics
    /// If there is none.
    pub fn name(self, symbol: Symbol) -> &'a str {
        match symbol.index().checked_sub(self.known.len()) {
            Some(number) => &self.further[number],
            None => self.known.name(symbol),
        }
    }
}

impl<'a> From<&'a Vocabulary> for Names<'a> {
    fn from(known: &'a Vocabulary) -> Names<'a> {
        Names { known, further: &[] }
    }
}

impl From<Vec<String>> for Vocabulary {
    fn from(names: Vec<String>) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for name in names {
            vocabulary.intern(&name);
        }
        vocabulary
    }
}

impl From<Vocabulary> for Vec<String> {
    fn from(vocabulary: Vocabulary) -> Vec<String> {
        vocabulary.names
    }
}
