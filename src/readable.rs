//! Programs as people write them: `twice x = x ++ x`, `left = LEFT`, `turn contributes nothing`; and constructions:
//! `switch _ off = [OFF (] ++ x ++ [)]`.
//!
//! A call of a library program prints as the name of a word that means it, or else as what it does. Unlike
//! the form of [`Expr`]'s `Display`, this one is not parsed back.

use crate::model::Model;
use crate::program;
use crate::program::function::Function;
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::semantics::program::{Expr, Prim, Program};
use crate::symbol::{Symbol, Token, Vocabulary, Word};
use crate::theory::Theory;
use crate::theory::entry::{Entry, In, Out};
use crate::theory::knowledge::Knowledge;
use crate::value::Value;
use crate::values;
use std::borrow::Cow;
use std::cell::Cell;

/// Senses rarer than this lend no name to a library program: they come from a word's kin, not its own use.
const NAMING: f64 = 0.01;
/// Longer texts are cut short.
const LONGEST: usize = 400;
/// So many parts of a program are written; nested library calls could otherwise unfold without end.
const PARTS: usize = 1_000;

/// Writes the senses of one lexicon.
pub struct Readable<'a> {
    inputs: &'a Vocabulary,
    outputs: &'a Vocabulary,
    lexicon: &'a Lexicon,
    /// For each library program the words that mean it.
    names: Vec<Vec<usize>>,
    /// Parts that may still be written.
    left: Cell<usize>,
}

/// A text and how tightly its outermost operator binds.
#[derive(Clone)]
struct Piece(String, Tightness);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    If,
    Equal,
    Append,
    Apply,
    Atom,
}

/// What stands for arguments, constant and recursion while a program is written.
struct Frame<'a> {
    word: usize,
    arity: u8,
    me: Option<&'a Value>,
    args: Vec<Piece>,
}

impl<'a> Readable<'a> {
    /// Prepares to write the senses of `lexicon`.
    pub fn new(inputs: &'a Vocabulary, outputs: &'a Vocabulary, lexicon: &'a Lexicon) -> Readable<'a> {
        let means = |word: usize, program: &Program| {
            lexicon.senses[word].iter().any(|sense| {
                sense.probability >= NAMING
                    && sense.program.is_some_and(|number| lexicon.programs[number as usize] == *program)
            })
        };
        let words = inputs.len().min(lexicon.senses.len());
        let named = |program: &Program| (0..words).filter(|&word| means(word, program)).collect();
        let names = lexicon.library.iter().map(named).collect();
        Readable { inputs, outputs, lexicon, names, left: Cell::new(0) }
    }

    /// Prepares to write what `model` means by its words.
    pub fn of(model: &'a Model) -> Readable<'a> {
        Readable::new(&model.inputs, &model.outputs, &model.lexicon)
    }

    /// A sense as a definition: `twice x = x ++ x`.
    pub fn definition(&self, word: usize, sense: &Sense) -> String {
        match sense.program {
            None => format!("{} {}", self.name(word), self.body(word, sense)),
            Some(_) => format!("{} = {}", self.head(word, sense), self.body(word, sense)),
        }
    }

    /// The left side of a definition: `twice x`.
    pub fn head(&self, word: usize, sense: &Sense) -> String {
        let arity = self.lexicon.arity(sense).unwrap_or(0);
        let args: String = (0..arity).map(|number| format!(" {}", Expr::Arg(number))).collect();
        format!("{}{args}", self.name(word))
    }

    /// The right side of a definition: `x ++ x`, or `contributes nothing`.
    pub fn body(&self, word: usize, sense: &Sense) -> String {
        let Some(number) = sense.program else { return "contributes nothing".to_owned() };
        let program = &self.lexicon.programs[number as usize];
        let args = arguments(program.arity);
        self.left.set(PARTS);
        self.write(&program.body, &Frame { word, arity: program.arity, me: sense.me.as_ref(), args }).0
    }

    /// What the program of a sense calls, as it is written: names of words, or numbers of library programs.
    pub fn calls(&self, word: usize, sense: &Sense) -> Vec<String> {
        let Some(number) = sense.program else { return Vec::new() };
        let Program { arity, body } = &self.lexicon.programs[number as usize];
        self.left.set(PARTS);
        let mut called = Vec::new();
        self.find_calls(body, &Frame { word, arity: *arity, me: None, args: Vec::new() }, &mut called);
        called.sort_unstable();
        called.dedup();
        called
    }

    fn find_calls(&self, expr: &Expr, frame: &Frame<'_>, called: &mut Vec<String>) {
        let Some(left) = self.left.get().checked_sub(1) else { return };
        self.left.set(left);
        if let Expr::Call(number, _) = expr {
            let number = *number as usize;
            let program = self.lexicon.library.get(number);
            match program.and_then(|program| self.namesake(number, program, frame)) {
                Some(word) => called.push(self.name(word).to_owned()),
                None => match program.filter(|program| !recurs(program)) {
                    Some(program) => self.find_calls(&program.body, frame, called),
                    None => called.push(format!("#{number}")),
                },
            }
        }
        expr.parts().iter().for_each(|part| self.find_calls(part, frame, called));
    }

    /// The library programs that can only be written by number, each as a definition: `#3 x = …`.
    pub fn helpers(&self) -> Vec<String> {
        let library = self.lexicon.library.iter().enumerate();
        let nameless = library.filter(|(number, program)| self.names[*number].is_empty() && recurs(program));
        nameless.map(|(number, program)| self.helper(number, program)).collect()
    }

    fn helper(&self, number: usize, program: &Program) -> String {
        let args = arguments(program.arity);
        let head: Vec<String> =
            std::iter::once(format!("#{number}")).chain(args.iter().map(|arg| arg.0.clone())).collect();
        // No word runs it, so that `rec` prints as itself.
        let frame = Frame { word: usize::MAX, arity: program.arity, me: None, args };
        self.left.set(PARTS);
        format!("{} = {}", head.join(" "), self.write(&program.body, &frame).0)
    }

    fn name(&self, word: usize) -> &str {
        self.inputs.names().get(word).map_or("rec", String::as_str)
    }

    fn write(&self, expr: &Expr, frame: &Frame<'_>) -> Piece {
        if let Some(number) = numeral(expr) {
            return Piece(number.to_string(), Tightness::Atom);
        }
        let Some(left) = self.left.get().checked_sub(1) else { return atom("…") };
        self.left.set(left);
        match expr {
            Expr::Arg(number) => frame.args.get(*number as usize).cloned().unwrap_or_else(|| atom("?")),
            Expr::Me => frame.me.map_or_else(|| atom("me"), |value| self.constant(value)),
            Expr::Tokens(list) => self.list(&list.0),
            Expr::Apply(Prim::Append, parts) => self.infix(" ++ ", Tightness::Append, parts, frame),
            Expr::Apply(Prim::Eq, parts) => self.infix(" == ", Tightness::Equal, parts, frame),
            Expr::Apply(Prim::If, parts) => self.branch(parts, frame),
            Expr::Apply(prim, parts) => call(prim.name(), self.write_all(parts, frame)),
            Expr::Call(number, parts) => self.library_call(*number as usize, parts, frame),
            Expr::Rec(parts) => call(self.name(frame.word), self.write_all(parts, frame)),
        }
    }

    fn write_all(&self, parts: &[Expr], frame: &Frame<'_>) -> Vec<Piece> {
        parts.iter().map(|part| self.write(part, frame)).collect()
    }

    /// Joining lists is associative: no parentheses among equals.
    fn infix(&self, operator: &str, tightness: Tightness, parts: &[Expr], frame: &Frame<'_>) -> Piece {
        let loosest = if tightness == Tightness::Append { tightness } else { Tightness::Append };
        let sides: Vec<String> =
            self.write_all(parts, frame).into_iter().map(|piece| piece.at_least(loosest)).collect();
        short(sides.join(operator), tightness)
    }

    fn branch(&self, parts: &[Expr], frame: &Frame<'_>) -> Piece {
        let pieces = self.write_all(parts, frame);
        let [condition, yes, no] = &pieces[..] else { return atom("if") };
        let condition = condition.clone().at_least(Tightness::Equal);
        let yes = yes.clone().at_least(Tightness::Equal);
        short(format!("if {condition} then {yes} else {}", no.0), Tightness::If)
    }

    fn library_call(&self, number: usize, parts: &[Expr], frame: &Frame<'_>) -> Piece {
        let args = self.write_all(parts, frame);
        let unnamed = || call(&format!("#{number}"), args.clone());
        let Some(program) = self.lexicon.library.get(number) else { return unnamed() };
        match self.namesake(number, program, frame) {
            Some(word) => call(self.name(word), args),
            None if recurs(program) || args.iter().any(|arg| arg.0.len() >= LONGEST) => unnamed(),
            None => self.write(&program.body, &Frame { args, ..*frame }),
        }
    }

    /// A word that means the library program; the word being defined only if no other does, and if the
    /// number of arguments tells the two apart.
    fn namesake(&self, number: usize, program: &Program, frame: &Frame<'_>) -> Option<usize> {
        let words = &self.names[number];
        let other = words.iter().find(|&&word| word != frame.word);
        let own = words.first().filter(|_| program.arity != frame.arity);
        other.or(own).copied()
    }

    fn constant(&self, value: &Value) -> Piece {
        match value {
            Value::List(list) => self.list(&list.0),
            Value::Token(token) => atom(self.token(token.index())),
            Value::Nat(number) => Piece(number.to_string(), Tightness::Atom),
            Value::Integer(number) => Piece(number.to_string(), Tightness::Atom),
            Value::Bool(truth) => Piece(truth.to_string(), Tightness::Atom),
        }
    }

    fn list(&self, tokens: &[Symbol]) -> Piece {
        match tokens {
            [] => atom("nil"),
            [token] => atom(self.token(token.index())),
            tokens => {
                let names: Vec<&str> = tokens.iter().map(|token| self.token(token.index())).collect();
                short(format!("[{}]", names.join(" ")), Tightness::Atom)
            }
        }
    }

    fn token(&self, number: usize) -> &str {
        self.outputs.names().get(number).map_or("?", String::as_str)
    }
}

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

/// The pattern of an entry that computes: `( largest _* )`.
pub fn value_pattern(inputs: &Vocabulary, entry: &values::entry::Entry) -> String {
    let piece = |piece: &In| match piece {
        In::Slot(_) if entry.pattern.row => "_*",
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

impl Piece {
    /// The text, in parentheses if it binds less tightly.
    fn at_least(self, tightness: Tightness) -> String {
        match self.1 >= tightness {
            true => self.0,
            false => format!("({})", self.0),
        }
    }
}

fn arguments(arity: u8) -> Vec<Piece> {
    (0..arity).map(|number| Piece(Expr::Arg(number).to_string(), Tightness::Atom)).collect()
}

fn atom(text: &str) -> Piece {
    Piece(text.to_owned(), Tightness::Atom)
}

fn call(name: &str, args: Vec<Piece>) -> Piece {
    if args.is_empty() {
        return atom(name);
    }
    let args: Vec<String> = args.into_iter().map(|arg| arg.at_least(Tightness::Atom)).collect();
    short(format!("{name} {}", args.join(" ")), Tightness::Apply)
}

fn short(text: String, tightness: Tightness) -> Piece {
    match shorten(&text, LONGEST) {
        Cow::Borrowed(_) => Piece(text, tightness),
        Cow::Owned(text) => Piece(text, Tightness::Atom),
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

fn recurs(program: &Program) -> bool {
    program.body.any(&|expr| matches!(expr, Expr::Rec(_)))
}

/// The number that `inc (inc 0)` and the like stand for.
fn numeral(mut expr: &Expr) -> Option<u64> {
    let mut number = 0;
    loop {
        match expr {
            Expr::Apply(Prim::Zero, _) => return Some(number),
            Expr::Apply(Prim::Inc, parts) => (number, expr) = (number + 1, parts.first()?),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Symbol;

    const LIBRARY: [(u8, &str); 4] = [
        (1, "(++ x x)"),
        (1, "(#0 (#0 x))"),
        (1, "(++ x (#0 x))"),
        (2, "(if (== x 0) y (rec (dec x) (inc y)))"),
    ];

    fn vocabulary(names: &[&str]) -> Vocabulary {
        Vocabulary::from(names.iter().map(|name| name.to_string()).collect::<Vec<_>>())
    }

    fn program(arity: u8, body: &str) -> Program {
        Program { arity, body: body.parse().unwrap() }
    }

    /// A lexicon in which `twice` is the library's first program; word 1 is defined by `body`.
    #[track_caller]
    fn check(arity: u8, body: &str, expected: &str) {
        let (inputs, outputs) = (vocabulary(&["twice", "w"]), vocabulary(&["A", "B"]));
        let mut lexicon = Lexicon {
            library: LIBRARY.iter().map(|(arity, body)| program(*arity, body)).collect(),
            ..Lexicon::default()
        };
        let me = Some(Value::list(&[Symbol(0)]));
        for (arity, body) in [LIBRARY[0], (arity, body)] {
            let number = lexicon.intern(&program(arity, body));
            lexicon.senses.push(vec![Sense { program: Some(number), me: me.clone(), probability: 1.0 }]);
        }
        let readable = Readable::new(&inputs, &outputs, &lexicon);
        assert_eq!(readable.definition(1, &lexicon.senses[1][0]), expected);
    }

    #[test]
    fn programs_read_well() {
        check(0, "me", "w = A");
        check(1, "(++ me x)", "w x = A ++ x");
        check(2, "(#0 (#0 (++ y x)))", "w x y = twice (twice (y ++ x))");
        check(2, "(++ (++ x y) (++ x me))", "w x y = x ++ y ++ x ++ A");
        check(2, "(#1 (++ y x))", "w x y = twice (twice (y ++ x))");
        check(1, "(#2 (++ me x))", "w x = A ++ x ++ twice (A ++ x)");
        check(1, "(cons (car x) (cdr (cdr x)))", "w x = cons (car x) (cdr (cdr x))");
        check(0, "(inc (inc 0))", "w = 2");
        check(1, "(++ x (if (== x nil) me x))", "w x = x ++ (if x == nil then A else x)");
        check(2, "(if (== x 0) y (rec (dec x) (inc y)))", "w x y = if x == 0 then y else w (dec x) (inc y)");
        check(1, "(#3 x (inc 0))", "w x = #3 x 1");
    }

    #[test]
    fn calls_are_named_as_they_are_written() {
        let (inputs, outputs) = (vocabulary(&["twice", "w"]), Vocabulary::default());
        let check = |body: &str, expected: &[&str]| {
            let library = LIBRARY.iter().map(|(arity, body)| program(*arity, body)).collect();
            let mut lexicon = Lexicon { library, ..Lexicon::default() };
            for (arity, body) in [LIBRARY[0], (1, body)] {
                let number = lexicon.intern(&program(arity, body));
                lexicon.senses.push(vec![Sense { program: Some(number), me: None, probability: 1.0 }]);
            }
            let calls = Readable::new(&inputs, &outputs, &lexicon).calls(1, &lexicon.senses[1][0]);
            assert_eq!(calls, expected, "{body}");
        };
        check("(++ x x)", &[]);
        check("(#0 (#0 x))", &["twice"]);
        // What is written out by its body is built from what that calls.
        check("(#1 x)", &["twice"]);
        check("(#3 (#0 x) 0)", &["#3", "twice"]);
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

    #[test]
    fn a_word_without_a_program_contributes_nothing() {
        let (inputs, outputs) = (vocabulary(&["turn"]), Vocabulary::default());
        let sense = Sense { program: None, me: None, probability: 1.0 };
        let lexicon = Lexicon { senses: vec![vec![sense.clone()]], ..Lexicon::default() };
        let readable = Readable::new(&inputs, &outputs, &lexicon);
        assert_eq!(readable.definition(0, &sense), "turn contributes nothing");
    }

    #[test]
    fn a_library_that_doubles_without_end_is_cut_short() {
        let mut lexicon = Lexicon { library: vec![program(1, "(++ x x)")], ..Lexicon::default() };
        for number in 0..60 {
            lexicon.library.push(program(1, &format!("(++ (#{number} x) (#{number} x))")));
        }
        let number = lexicon.intern(&program(1, "(#60 x)"));
        let sense = Sense { program: Some(number), me: None, probability: 1.0 };
        lexicon.senses = vec![vec![sense.clone()]];
        let (inputs, outputs) = (vocabulary(&["w"]), Vocabulary::default());
        let text = Readable::new(&inputs, &outputs, &lexicon).definition(0, &sense);
        assert!(text.chars().count() < 2 * LONGEST, "{text}");
    }
}
