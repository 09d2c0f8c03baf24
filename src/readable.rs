//! Constructions as people write them: `switch _ off = [OFF (] ++ x ++ [)]`, `_ plus _ = x + y`.

use crate::model::Model;
use crate::program;
use crate::program::function::Function;
use crate::symbol::{Token, Vocabulary, Word};
use crate::theory::Theory;
use crate::theory::entry::{Entry, In, Out};
use crate::theory::knowledge::Knowledge;
use crate::values;
use std::borrow::Cow;

/// Longer texts are cut short.
const LONGEST: usize = 400;

/// Writes constructions: words as they are and slots as `_` in the pattern; what it says as slots, by their names, and literals in
/// brackets.
#[derive(Clone, Copy)]
pub struct Constructions<'a> {
    inputs: &'a Vocabulary,
    outputs: &'a Vocabulary,
    functions: &'a [Function],
}

impl<'a> Constructions<'a> {
    /// Prepares to write entries of these words and tokens that apply functions of this theory.
    pub fn new(inputs: &'a Vocabulary, outputs: &'a Vocabulary, theory: &'a Theory) -> Constructions<'a> {
        Constructions { inputs, outputs, functions: theory.functions() }
    }

    /// Prepares to write what `model` knows.
    pub fn of(model: &'a Model, knowledge: &'a Knowledge) -> Constructions<'a> {
        Constructions::new(&model.inputs, &model.outputs, &knowledge.theory)
    }

    /// An entry as a definition: `switch _ off = [OFF (] ++ x ++ [)]`.
    pub fn definition(&self, entry: &Entry) -> String {
        format!("{} = {}", self.pattern(entry), self.says(entry))
    }

    /// The pattern: `switch _ off`.
    pub fn pattern(&self, entry: &Entry) -> String {
        let piece = |piece: &In| match piece {
            In::Slot(_) => "_",
            In::Word(Word(word)) => name(self.inputs, *word),
        };
        cut(entry.pattern.iter().map(piece).collect::<Vec<_>>().join(" "))
    }

    /// What it says: `[OFF (] ++ x ++ [)]`.
    pub fn says(&self, entry: &Entry) -> String {
        let is_token = |piece: &Out| matches!(piece, Out::Token(_));
        let parts = entry.says.chunk_by(|a, b| is_token(a) && is_token(b)).map(|run| match run[0] {
            Out::Slot(slot) => argument_name(slot).into_owned(),
            Out::Call(function, slot) => match self.functions.get(usize::from(function)) {
                Some(function) => {
                    let token = |token: Token| name(self.outputs, token.0).to_owned();
                    format!("{}.{}", argument_name(slot), function.display(token))
                }
                None => format!("{}.?", argument_name(slot)),
            },
            Out::Token(_) => self.literal(run),
        });
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() { "[]".to_owned() } else { cut(parts.join(" ++ ")) }
    }

    /// Tokens with blanks between them.
    fn tokens(&self, tokens: &[Token]) -> String {
        tokens.iter().map(|token| name(self.outputs, token.0)).collect::<Vec<_>>().join(" ")
    }

    fn literal(&self, run: &[Out]) -> String {
        let token = |piece: &Out| if let Out::Token(token) = piece { Some(*token) } else { None };
        format!("[{}]", self.tokens(&run.iter().filter_map(token).collect::<Vec<_>>()))
    }
}

/// The pattern of an entry that computes: `( largest _* )`, `largest of _ , …`.
pub fn value_pattern(inputs: &Vocabulary, entry: &values::entry::Entry) -> String {
    let row = match entry.pattern.separator {
        Some(Word(word)) => format!("_ {} …", name(inputs, word)),
        None => "_*".to_owned(),
    };
    let piece = |piece: &In| match piece {
        In::Slot(slot) if entry.pattern.fillers(*slot, 2) == 2 => &row,
        In::Slot(_) => "_",
        In::Word(values::open::RUN) => "a run of words",
        In::Word(Word(word)) => name(inputs, *word),
    };
    cut(entry.pattern.pieces.iter().map(piece).collect::<Vec<_>>().join(" "))
}

/// What such an entry computes: `x + y`.
pub fn value_program(model: &Model, entry: &values::entry::Entry) -> String {
    let token = |token: Token| name(&model.outputs, token.0).to_owned();
    cut(match &entry.program {
        values::program::Program::List(terms) => program::fit::show(terms, token).to_string(),
        program => program.to_string(),
    })
}

/// Such an entry as a definition: `_ plus _ = x + y`.
pub fn value_definition(model: &Model, entry: &values::entry::Entry) -> String {
    format!("{} = {}", value_pattern(&model.inputs, entry), value_program(model, entry))
}

fn name(vocabulary: &Vocabulary, number: u32) -> &str {
    vocabulary.names().get(number as usize).map_or("?", String::as_str)
}

fn cut(text: String) -> String {
    shorten(&text, LONGEST).into_owned()
}

/// The name of an argument or slot, counted from 0: `x`, `y`, `z`, `u`, `v`, `x6`, ...
pub fn argument_name(number: u8) -> Cow<'static, str> {
    match ["x", "y", "z", "u", "v"].get(usize::from(number)) {
        Some(name) => Cow::Borrowed(name),
        None => Cow::Owned(format!("x{}", u32::from(number) + 1)),
    }
}

/// `text` cut to at most `most` characters, the last of them `…` if any are left out.
pub fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    if text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    Cow::Owned(format!("{}…", kept.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(names: &[&str]) -> Vocabulary {
        Vocabulary::from(names.iter().map(|name| name.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn constructions_read_well() {
        let (inputs, outputs) = (vocabulary(&["switch", "off", "lamp"]), vocabulary(&["OFF", "(", ")"]));
        let theory = Theory::new(crate::objective::Prices::new(3, 3));
        let text = Constructions::new(&inputs, &outputs, &theory);
        let (word, token) = (|number| In::Word(Word(number)), |number| Out::Token(Token(number)));
        let says = [token(0), token(1), Out::Slot(0), token(2)];
        let switch = Entry::new(&[word(0), In::Slot(0), word(1)], &says);
        assert_eq!(text.definition(&switch), "switch _ off = [OFF (] ++ x ++ [)]");
        assert_eq!(text.definition(&Entry::constant(Word(2), &[])), "lamp = []");
        let slots: Vec<u8> = (0..7).collect();
        let pattern: Vec<In> = slots.iter().copied().map(In::Slot).collect();
        let says: Vec<Out> = slots.iter().copied().map(Out::Slot).collect();
        assert_eq!(text.says(&Entry::new(&pattern, &says)), "x ++ y ++ z ++ u ++ v ++ x6 ++ x7");
    }
}
