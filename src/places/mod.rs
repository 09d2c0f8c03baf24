//! Outputs that refer to words of the input by their places.
//!
//! Some outputs are rows of *facts*, and facts name what they are about by the place of a word: in `bake . agent ( x 2 , x 1 ) & boy ( x 1 )`
//! the third word is what is baked by the second. Places are different in every sentence, so that nothing that such an output says can be
//! said by a template. But a row of facts is a term in disguise: where each place is written as the facts about it,
//! places need not be named.
//!
//! ```text
//! flat    bake . agent ( x 2 , x 1 ) & boy ( x 1 )
//! nested  bake < @.agent(^,_) = boy >
//! ```
//!
//! What most places have said of them without another (`boy ( x 1 )`) goes without saying.
//!
//! A term within the facts of which its own place is named again (`the cake that the boy baked`) refers back to itself: `^` is the term around the one that a
//! fact is about, `^^` the one around that.
//!
//! A nested output is learned as any other. What tells the places of an answer is its tree: `boy` is said by an entry with
//! the word `boy`, which stands somewhere. A place that is referred to twice is a term said twice, by the same words; a fact is said once.
//!
//! Nothing of this is given. What references look like, what stands between facts, and which token the word at a place brings
//! (its *head*) is asked of the examples ([`find`]); outputs are nested if they come out again as they were, and are shorter so.
//!
//! - `agree`: which tokens refer to places.
//! - `layout`: flat outputs to facts and back.
//! - `term`: facts to terms and back; terms as tokens.
//! - `alone`: what words say that stand alone, outside of any fact.
//! - `answer`: the flat output that a tree says.

mod agree;
mod alone;
mod answer;
pub mod find;
mod layout;
mod term;

use crate::symbol::{Symbol, Token, Vocabulary, Word};
use alone::Alone;
use layout::Layout;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How outputs that refer to places are nested, and nested ones made flat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Places {
    layout: Layout,
    /// The kinds of facts; the token of each is its number after [`Places::codes`].
    kinds: Vec<Kind>,
    /// The first token that only nested outputs have: the marks, then the kinds.
    codes: Token,
    /// The tokens that a word brings to the facts about its place.
    heads: BTreeMap<Word, Vec<Token>>,
    alone: Alone,
    /// The kind of fact without arguments that is not said of the heads that always have one, and these heads.
    unsaid: Option<usize>,
    named: BTreeSet<Token>,
}

/// What a fact says, whatever it is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Kind {
    pieces: Vec<Piece>,
    /// Which separator follows.
    rank: u8,
}

/// A piece of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Piece {
    Token(Token),
    /// What the word brings that stands at the place which the fact is about.
    Head,
    /// The place that it is about.
    Place,
    /// Another place, or a token instead.
    Argument,
}

impl Kind {
    fn arguments(&self) -> usize {
        self.pieces.iter().filter(|piece| **piece == Piece::Argument).count()
    }

    /// Whether the other is this kind with tokens for some arguments.
    fn covers(&self, other: &Kind) -> bool {
        let covers = |(mine, other): (&Piece, &Piece)| {
            mine == other || (*mine == Piece::Argument && matches!(other, Piece::Token(_)))
        };
        self.rank == other.rank
            && self.pieces.len() == other.pieces.len()
            && self.pieces.iter().zip(&other.pieces).all(covers)
    }

    fn name(&self, outputs: &Vocabulary) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Token(token) => outputs.name(Symbol(token.0)),
            Piece::Head => "@",
            Piece::Place => "^",
            Piece::Argument => "_",
        };
        self.pieces.iter().map(piece).collect()
    }
}

/// What nested outputs have beside kinds: brackets around the facts of a term, what stands between two of these, and between a kind and its arguments, and
/// what refers back to terms around. With these, the first fact of a term does not look like the others, and words that bring kinds not like words that bring facts.
const MARKS: [&str; 7] = ["<", ">", ",", "=", "^", "^^", "^^^"];
/// The marks before those that refer back.
const OTHER_MARKS: usize = 4;

impl Places {
    fn open(&self) -> Token {
        self.codes
    }

    fn close(&self) -> Token {
        Token(self.codes.0 + 1)
    }

    fn between(&self) -> Token {
        Token(self.codes.0 + 2)
    }

    fn is(&self) -> Token {
        Token(self.codes.0 + 3)
    }

    /// What refers to the term so many levels around the one that a fact is about.
    fn back(&self, levels: usize) -> Option<Token> {
        let is_mark = (1..=MARKS.len() - OTHER_MARKS).contains(&levels);
        is_mark.then(|| Token(self.codes.0 + (OTHER_MARKS + levels - 1) as u32))
    }

    /// How many levels a token refers back, if it does.
    fn levels(&self, token: Token) -> Option<usize> {
        (1..=MARKS.len() - OTHER_MARKS).find(|&levels| self.back(levels) == Some(token))
    }

    fn token_of(&self, kind: usize) -> Token {
        Token(self.codes.0 + MARKS.len() as u32 + kind as u32)
    }

    fn kind_of(&self, token: Token) -> Option<&Kind> {
        let number = token.0.checked_sub(self.token_of(0).0)?;
        self.kinds.get(number as usize)
    }

    /// Whether only nested outputs have the token.
    fn is_code(&self, token: Token) -> bool {
        (self.codes.0..self.token_of(0).0).contains(&token.0) || self.kind_of(token).is_some()
    }

    fn is_head(&self, word: Word, token: Token) -> bool {
        self.heads.get(&word).is_some_and(|heads| heads.contains(&token))
    }

    /// The fact that goes without saying of a head that has none without arguments.
    fn unsaid(&self, head: Token) -> Option<usize> {
        self.unsaid.filter(|_| self.named.contains(&head))
    }

    /// Whether it refers only to words and tokens that there are: files come from strangers.
    pub fn is_sound(&self, words: u32, tokens: u32) -> bool {
        let is_word = |word: &Word| word.0 < words;
        let is_token = |token: &Token| token.0 < tokens;
        let is_piece = |piece: &Piece| !matches!(piece, Piece::Token(token) if !is_token(token));
        let codes = u64::from(self.codes.0) + (MARKS.len() + self.kinds.len()) as u64;
        let is_kind =
            |kind: &Kind| usize::from(kind.rank) < self.layout.ranks() && kind.pieces.iter().all(is_piece);
        let is_bare = |kind: usize| self.kinds.get(kind).is_some_and(|kind| kind.arguments() == 0);
        codes <= u64::from(tokens)
            && self.unsaid.is_none_or(is_bare)
            && self.named.iter().all(is_token)
            && self.layout.is_sound(is_token)
            && self.kinds.iter().all(is_kind)
            && self.heads.iter().all(|(word, heads)| is_word(word) && heads.iter().all(is_token))
            && self.alone.is_sound(is_word, is_token)
    }
}
