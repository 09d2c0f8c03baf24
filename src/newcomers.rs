//! Words never seen in training, where it is clear what they must mean.
//!
//! If nearly all words are of one class, and each of them brings the token of its own name, then one more word is
//! taken for one of them: it brings a token of its own name too. It is one only where such a word may stand: after a word
//! of a class, or at the beginning, where one stood in training. Otherwise an unknown word stays unknown.

use crate::model::{Model, OutputKind};
use crate::semantics::lexicon::Sense;
use crate::symbol::{Symbol, Token, Word};
use crate::value::Value;
use crate::values::knowledge::Knowledge;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The class must have this share of all words.
const NEARLY_ALL: f64 = 0.9;
/// And so many of them.
const MANY: usize = 20;
/// At most so many words are taken in.
const MOST: usize = 100_000;

/// Where words that were taken in may stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Newcomers {
    /// Words from this number on were taken in.
    first: usize,
    /// The classes of words after which their kin stood in training; `None` for the beginning.
    after: BTreeSet<Option<u32>>,
}

impl Model {
    /// Makes newcomers unknown that stand where none of their kin stood.
    pub(crate) fn put_out_newcomers(&self, symbols: &mut [Option<Symbol>]) {
        let Some(newcomers) = &self.newcomers else { return };
        let open = self.values.as_ref().and_then(Knowledge::open);
        let mut before: Option<Symbol> = None;
        for symbol in symbols {
            let may_stand = match open {
                Some(open) => open.may_follow(before.map(|before| Word(before.0))),
                None => newcomers.after.contains(&before.map(|before| self.classes[before.index()])),
            };
            let now = *symbol;
            if now.is_some_and(|symbol| symbol.index() >= newcomers.first) && !may_stand {
                *symbol = None;
            }
            before = now;
        }
    }

    /// A word of which those never seen are kin, if there is one. Constructions of tokens have none yet.
    pub fn kin_of_newcomers(&self) -> Option<Symbol> {
        if let Some(open) = self.values.as_ref().and_then(Knowledge::open) {
            let member = |word: &Symbol| open.token(Word(word.0)).is_some();
            return (0..self.inputs.len() as u32).map(Symbol).find(member).filter(|_| open.copies);
        }
        if self.kind != OutputKind::Tokens || self.has_constructions() {
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
        if self.newcomers.is_none() {
            self.newcomers = Some(Newcomers { first: self.inputs.len(), after: self.classes_before(kin) });
        }
        self.inputs.intern(word);
        let token = self.outputs.intern(word);
        if let Some(values) = &mut self.values {
            return values.take_in(Token(token.0));
        }
        let own = Value::list(&[token]);
        let sense = |sense: &Sense| Sense { me: sense.me.as_ref().map(|_| own.clone()), ..sense.clone() };
        let senses = self.lexicon.senses[kin.index()].iter().map(sense).collect();
        self.lexicon.senses.push(senses);
        self.classes.push(self.classes[kin.index()]);
    }

    /// The classes of words before those of the class of `word`, in what is remembered of training.
    fn classes_before(&self, word: Symbol) -> BTreeSet<Option<u32>> {
        let class = |word: &u32| self.classes[*word as usize];
        let mut before = BTreeSet::new();
        for words in self.remembered.iter().map(|remembered| &remembered.words) {
            let places = (0..words.len()).filter(|&place| class(&words[place]) == self.classes[word.index()]);
            before.extend(places.map(|place| place.checked_sub(1).map(|before| class(&words[before]))));
        }
        before
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
