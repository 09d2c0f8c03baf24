//! Functional programs over the universal primitives: what they are, how they print and parse back.
//!
//! A program has a number of arguments and one expression. `me` is the constant of the symbol that runs the
//! program (the output token or number it brings), so that many symbols can share one program. `rec` calls
//! the program itself: the paper's recursion primitive. `#n` calls the program `n` of the library. `'3.7` is the list
//! of the output tokens 3 and 7.

use crate::symbol::Symbol;
use crate::value::{List, Type};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The primitives: Peano numbers, comparison, branching and a minimal Lisp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Prim {
    /// The number 0.
    Zero,
    /// The successor of a number.
    Inc,
    /// The predecessor of a number; 0 has none, and `dec 0` is 0.
    Dec,
    /// Whether two values of one type are equal.
    Eq,
    /// The second argument if the first is true, else the third; only the chosen one is evaluated.
    If,
    /// The empty list.
    Nil,
    /// A token put in front of a list.
    Cons,
    /// The first token of a list; the empty list has none.
    Car,
    /// A list without its first token; the empty list has none to lose.
    Cdr,
    /// Two lists joined.
    Append,
}

impl Prim {
    /// All primitives, in the order of their costs in tables.
    pub const ALL: [Prim; 10] = [
        Prim::Zero,
        Prim::Inc,
        Prim::Dec,
        Prim::Eq,
        Prim::If,
        Prim::Nil,
        Prim::Cons,
        Prim::Car,
        Prim::Cdr,
        Prim::Append,
    ];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Prim::Zero => "0",
            Prim::Inc => "inc",
            Prim::Dec => "dec",
            Prim::Eq => "==",
            Prim::If => "if",
            Prim::Nil => "nil",
            Prim::Cons => "cons",
            Prim::Car => "car",
            Prim::Cdr => "cdr",
            Prim::Append => "++",
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Prim::Zero | Prim::Nil => 0,
            Prim::Inc | Prim::Dec | Prim::Car | Prim::Cdr => 1,
            Prim::Eq | Prim::Cons | Prim::Append => 2,
            Prim::If => 3,
        }
    }

    /// Argument types and result type, one row for each type a polymorphic primitive works on.
    pub fn signatures(self) -> &'static [(&'static [Type], Type)] {
        use Type::{Bool, List, Nat, Token};
        match self {
            Prim::Zero => &[(&[], Nat)],
            Prim::Inc | Prim::Dec => &[(&[Nat], Nat)],
            Prim::Eq => &[(&[Nat, Nat], Bool), (&[Token, Token], Bool), (&[List, List], Bool)],
            Prim::If => {
                &[(&[Bool, Nat, Nat], Nat), (&[Bool, List, List], List), (&[Bool, Token, Token], Token)]
            }
            Prim::Nil => &[(&[], List)],
            Prim::Cons => &[(&[Token, List], List)],
            Prim::Car => &[(&[List], Token)],
            Prim::Cdr => &[(&[List], List)],
            Prim::Append => &[(&[List, List], List)],
        }
    }
}

/// An expression. It is stored as its text, so that one nested without end in a hostile file is refused by
/// the parser of texts before it can exhaust the stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Expr {
    /// The argument of this number.
    Arg(u8),
    /// The constant of the symbol that runs the program.
    Me,
    /// A list of tokens that the program says whoever runs it.
    Tokens(List),
    /// A primitive applied to its arguments.
    Apply(Prim, Vec<Expr>),
    /// A library program applied to its arguments.
    Call(u32, Vec<Expr>),
    /// The program itself applied to other arguments.
    Rec(Vec<Expr>),
}

/// A program: `arity` arguments and a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Program {
    /// How many arguments it takes.
    pub arity: u8,
    /// What it computes.
    pub body: Expr,
}

impl Expr {
    /// The expression that counts up to a number.
    pub fn number(number: u64) -> Expr {
        let zero = Expr::Apply(Prim::Zero, Vec::new());
        (0..number).fold(zero, |counted, _| Expr::Apply(Prim::Inc, vec![counted]))
    }

    /// The number that the expression counts up to, if it does nothing else.
    pub fn as_number(&self) -> Option<u64> {
        match self {
            Expr::Apply(Prim::Zero, _) => Some(0),
            Expr::Apply(Prim::Inc, parts) => parts.first()?.as_number()?.checked_add(1),
            _ => None,
        }
    }

    /// The direct parts.
    pub fn parts(&self) -> &[Expr] {
        match self {
            Expr::Arg(_) | Expr::Me | Expr::Tokens(_) => &[],
            Expr::Apply(_, parts) | Expr::Call(_, parts) | Expr::Rec(parts) => parts,
        }
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        1 + self.parts().iter().map(Expr::size).sum::<usize>()
    }

    /// Whether `test` holds for any node.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        test(self) || self.parts().iter().any(|part| part.any(test))
    }

    /// Shows every node to `see`.
    pub fn each(&self, see: &mut impl FnMut(&Expr)) {
        see(self);
        self.parts().iter().for_each(|part| part.each(see));
    }

    /// How many nodes `test` holds for.
    pub fn count(&self, test: &dyn Fn(&Expr) -> bool) -> usize {
        usize::from(test(self)) + self.parts().iter().map(|part| part.count(test)).sum::<usize>()
    }

    /// Whether the argument of this number occurs.
    pub fn uses(&self, arg: u8) -> bool {
        self.any(&|expr| *expr == Expr::Arg(arg))
    }

    /// This expression with `other` in the place of the argument of this number.
    pub fn with(&self, arg: u8, other: &Expr) -> Expr {
        let all = |parts: &[Expr]| parts.iter().map(|part| part.with(arg, other)).collect();
        match self {
            Expr::Arg(number) if *number == arg => other.clone(),
            Expr::Arg(_) | Expr::Me | Expr::Tokens(_) => self.clone(),
            Expr::Apply(prim, parts) => Expr::Apply(*prim, all(parts)),
            Expr::Call(number, parts) => Expr::Call(*number, all(parts)),
            Expr::Rec(parts) => Expr::Rec(all(parts)),
        }
    }

    /// The same in plainer words: that a number equals its predecessor says that it is 0.
    pub fn simplified(&self) -> Expr {
        let all = |parts: &[Expr]| parts.iter().map(Expr::simplified).collect::<Vec<Expr>>();
        match self {
            Expr::Arg(_) | Expr::Me | Expr::Tokens(_) => self.clone(),
            Expr::Call(number, parts) => Expr::Call(*number, all(parts)),
            Expr::Rec(parts) => Expr::Rec(all(parts)),
            Expr::Apply(prim, parts) => {
                let mut parts = all(parts);
                if let (Prim::Eq, [a, b]) = (prim, parts.as_mut_slice()) {
                    let pred = |expr: &Expr| match expr {
                        Expr::Apply(Prim::Dec, of) => of.first().cloned(),
                        _ => None,
                    };
                    let zero = Expr::Apply(Prim::Zero, Vec::new());
                    if pred(b).as_ref() == Some(&*a) {
                        *b = zero;
                    } else if pred(a).as_ref() == Some(&*b) {
                        *a = zero;
                    }
                }
                Expr::Apply(*prim, parts)
            }
        }
    }

    /// Whether `me` occurs.
    pub fn uses_me(&self) -> bool {
        self.any(&|expr| *expr == Expr::Me)
    }

    /// Whether it says tokens of its own.
    pub fn says_tokens(&self) -> bool {
        self.any(&|expr| matches!(expr, Expr::Tokens(_)))
    }
}

const ARGS: [&str; 4] = ["x", "y", "z", "w"];

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Arg(number) => match ARGS.get(*number as usize) {
                Some(name) => f.write_str(name),
                None => write!(f, "a{number}"),
            },
            Expr::Me => f.write_str("me"),
            Expr::Tokens(list) => tokens(f, &list.0),
            Expr::Apply(prim, parts) => list(f, prim.name(), parts),
            Expr::Call(number, parts) => list(f, &format!("#{number}"), parts),
            Expr::Rec(parts) => list(f, "rec", parts),
        }
    }
}

fn tokens(f: &mut fmt::Formatter<'_>, tokens: &[Symbol]) -> fmt::Result {
    for (place, token) in tokens.iter().enumerate() {
        write!(f, "{}{}", if place == 0 { '\'' } else { '.' }, token.0)?;
    }
    if tokens.is_empty() { f.write_str("nil") } else { Ok(()) }
}

fn list(f: &mut fmt::Formatter<'_>, head: &str, parts: &[Expr]) -> fmt::Result {
    if parts.is_empty() {
        return f.write_str(head);
    }
    write!(f, "({head}")?;
    for part in parts {
        write!(f, " {part}")?;
    }
    f.write_str(")")
}

/// Why a text is not an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("program: expected {expected}, found {found}")]
pub struct ParseError {
    expected: &'static str,
    found: String,
}

fn wrong<T>(expected: &'static str, found: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError { expected, found: found.into() })
}

/// Deeper texts are refused, so that hostile ones cannot exhaust the stack.
const MAX_DEPTH: usize = 200;

impl std::str::FromStr for Expr {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Expr, ParseError> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut tokens = spaced.split_whitespace();
        let expr = parse(&mut tokens, MAX_DEPTH)?;
        match tokens.next() {
            None => Ok(expr),
            Some(token) => wrong("the end", token),
        }
    }
}

impl TryFrom<String> for Expr {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Expr, ParseError> {
        text.parse()
    }
}

impl From<Expr> for String {
    fn from(expr: Expr) -> String {
        expr.to_string()
    }
}

fn parse<'a>(tokens: &mut impl Iterator<Item = &'a str>, depth: usize) -> Result<Expr, ParseError> {
    if depth == 0 {
        return wrong("at most 200 levels", "more");
    }
    match tokens.next() {
        None => wrong("an expression", "the end"),
        Some(")") => wrong("an expression", ")"),
        Some("(") => parse_list(tokens, depth),
        Some(atom) => head(atom, Vec::new()),
    }
}

fn parse_list<'a>(tokens: &mut impl Iterator<Item = &'a str>, depth: usize) -> Result<Expr, ParseError> {
    let Some(name) = tokens.next() else { return wrong("a name", "the end") };
    let mut parts = Vec::new();
    let mut tokens = tokens.peekable();
    loop {
        match tokens.peek() {
            None => return wrong(")", "the end"),
            Some(&")") => {
                tokens.next();
                return head(name, parts);
            }
            // The recursion goes through a trait object: a type per level would never end.
            Some(_) => parts.push(parse(&mut (&mut tokens as &mut dyn Iterator<Item = &str>), depth - 1)?),
        }
    }
}

fn head(name: &str, parts: Vec<Expr>) -> Result<Expr, ParseError> {
    if let Some(prim) = Prim::ALL.into_iter().find(|prim| prim.name() == name) {
        return match parts.len() == prim.arity() {
            true => Ok(Expr::Apply(prim, parts)),
            false => wrong("as many arguments as the primitive takes", format!("{} for {name}", parts.len())),
        };
    }
    if let Some(number) = name.strip_prefix('#').and_then(|number| number.parse().ok()) {
        return Ok(Expr::Call(number, parts));
    }
    if name == "rec" {
        return Ok(Expr::Rec(parts));
    }
    if !parts.is_empty() {
        return wrong("a primitive, rec or #number", name);
    }
    if name == "me" {
        return Ok(Expr::Me);
    }
    if let Some(numbers) = name.strip_prefix('\'') {
        let tokens: Result<Vec<Symbol>, _> =
            numbers.split('.').map(|number| number.parse().map(Symbol)).collect();
        return match tokens {
            Ok(tokens) => Ok(Expr::Tokens(List(tokens.into()))),
            Err(_) => wrong("numbers of tokens with dots between them", name),
        };
    }
    let number = ARGS.iter().position(|arg| *arg == name).map(|place| place as u8);
    match number.or_else(|| name.strip_prefix('a').and_then(|number| number.parse().ok())) {
        Some(number) => Ok(Expr::Arg(number)),
        None => wrong("an argument, me, nil or 0", name),
    }
}
