//! Words never seen in training, where it is clear what they must mean.
//!
//! If nearly all words are of one class, and each of them brings the token of its own name, then one more word is
//! taken for one of them: it brings a token of its own name too. Otherwise an unknown word stays unknown.

use crate::model::{Model, OutputKind};
use crate::semantics::lexicon::Sense;
use crate::symbol::Symbol;
use crate::value::Value;
use std::borrow::Cow;

/// The class must have this share of all words.
const NEARLY_ALL: f64 = 0.9;
/// And so many of them.
const MANY: usize = 20;
/// At most so many words are taken in.
const MOST: usize = 100_000;

impl Model {
    /// A word of which those never seen are kin, if there is one.
    pub fn kin_of_newcomers(&self) -> Option<Symbol> {
        if self.kind != OutputKind::Tokens {
            return None;
        }
        let words = 0..self.inputs.len() as u32;
        let copies: Vec<Symbol> = words.map(Symbol).filter(|&word| self.brings_its_name(word)).collect();
        let first = *copies.first()?;
        let class = |word: &Symbol| self.classes[word.index()];
        let alike = copies.iter().all(|word| class(word) == class(&first));
        let enough = copies.len() >= MANY && copies.len() as f64 >= NEARLY_ALL * self.inputs.len() as f64;
        (alike && enough).then_some(first)
    }

    fn brings_its_name(&self, word: Symbol) -> bool {
        let Some(token) = self.outputs.get(self.inputs.name(word)) else { return false };
        let own = Value::list(&[token]);
        let constants: Vec<&Value> =
            self.lexicon.senses[word.index()].iter().filter_map(|sense| sense.me.as_ref()).collect();
        !constants.is_empty() && constants.iter().all(|&constant| *constant == own)
    }

    /// Takes in a word as one more like `kin`, see [`Model::kin_of_newcomers`].
    pub fn take_in(&mut self, word: &str, kin: Symbol) {
        if self.inputs.get(word).is_some() || self.inputs.len() >= MOST {
            return;
        }
        self.inputs.intern(word);
        let own = Value::list(&[self.outputs.intern(word)]);
        let sense = |sense: &Sense| Sense { me: sense.me.as_ref().map(|_| own.clone()), ..sense.clone() };
        let senses = self.lexicon.senses[kin.index()].iter().map(sense).collect();
        self.lexicon.senses.push(senses);
        self.classes.push(self.classes[kin.index()]);
    }

    /// The model with those of `words` that it has never seen taken in, if it is clear what they mean.
    pub fn with_newcomers<'a>(&self, words: impl Iterator<Item = &'a str>) -> Cow<'_, Model> {
        let unknown: Vec<&str> = words.filter(|word| self.inputs.get(word).is_none()).collect();
        let kin = if unknown.is_empty() { None } else { self.kin_of_newcomers() };
        let Some(kin) = kin else { return Cow::Borrowed(self) };
        let mut model = self.clone();
        unknown.iter().for_each(|word| model.take_in(word, kin));
        Cow::Owned(model)
    }
}
