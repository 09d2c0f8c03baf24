//! Facts as terms: what is said about a place, with the same of the places that these facts name.
//!
//! As tokens a term is the kinds of its facts without arguments, its head, and in brackets the kinds of those with arguments, each followed by these. An
//! argument is a term or a token; of the two, only a term has kinds or a bracket beside its head, or a head of which something goes without saying.

use super::layout::{Fact, Written};
use super::{Kind, Piece, Places};
use crate::settings::LONGEST;
use crate::symbol::{Token, Word};
use rustc_hash::FxHashSet;

/// What is said about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) head: Token,
    pub(super) place: usize,
    /// Each by the number of its kind, with its arguments.
    pub(super) facts: Vec<(usize, Vec<Argument>)>,
}

/// What a fact says of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Term(Term),
    /// The term so many levels around the one that the fact is about.
    Back(usize),
    Token(Token),
}

/// A fact as one of a kind: its head taken out, and its arguments.
pub(super) fn kind_of(fact: &Fact, head: Token) -> Kind {
    let owner = fact.owner();
    let piece = |piece: &Written| match *piece {
        Written::Token(token) if token == head => Piece::Head,
        Written::Token(token) => Piece::Token(token),
        Written::Place(place) if Some(place) == owner => Piece::Place,
        Written::Place(_) => Piece::Argument,
    };
    Kind { pieces: fact.pieces.iter().map(piece).collect(), rank: fact.rank }
}

/// The facts of one output, while terms are made of them.
struct Nesting<'a> {
    places: &'a Places,
    input: &'a [Word],
    facts: &'a [Fact],
    /// The places of the terms that are being made, the outermost first.
    around: Vec<usize>,
    /// Pieces of terms that may still be made: one place said in many others could make an output too long for any chart.
    left: usize,
}

impl Places {
    /// The nested form of an output; `None` if it has none, or would not come out again as it was.
    pub fn nested(&self, input: &[Word], output: &[Token]) -> Option<Vec<Token>> {
        if let Some(token) = self.alone.said_alone(input, output) {
            return Some(vec![token]);
        }
        let mut said = Vec::new();
        self.terms(input, output)?.iter().for_each(|term| self.say(term, &mut said));
        Some(said)
    }

    /// The terms of an output; `None` if it would not come out again as it was.
    pub(super) fn terms(&self, input: &[Word], output: &[Token]) -> Option<Vec<Term>> {
        let facts = self.layout.facts(output, input.len())?;
        let terms =
            Nesting { places: self, input, facts: &facts, around: Vec::new(), left: LONGEST }.terms()?;
        (self.flat(&terms, input.len()).as_deref() == Some(output)).then_some(terms)
    }

    /// The output that terms about an input of so many words stand for.
    pub(super) fn flat(&self, terms: &[Term], length: usize) -> Option<Vec<Token>> {
        let mut facts = Vec::new();
        terms.iter().try_for_each(|term| self.add_facts(term, &mut Vec::new(), &mut facts))?;
        self.layout.write(&facts, length)
    }

    /// Adds the facts of a term; `None` if one refers back to a term that there is not.
    fn add_facts(&self, term: &Term, around: &mut Vec<usize>, facts: &mut Vec<Fact>) -> Option<()> {
        around.push(term.place);
        for (kind, arguments) in &term.facts {
            let Kind { pieces, rank } = &self.kinds[*kind];
            let mut rest = arguments.iter();
            let written = |piece: &Piece| {
                Some(match piece {
                    Piece::Token(token) => Written::Token(*token),
                    Piece::Head => Written::Token(term.head),
                    Piece::Place => Written::Place(term.place),
                    Piece::Argument => match rest.next()? {
                        Argument::Term(term) => Written::Place(term.place),
                        Argument::Back(levels) => Written::Place(*around.iter().nth_back(*levels)?),
                        Argument::Token(token) => Written::Token(*token),
                    },
                })
            };
            facts.push(Fact { pieces: pieces.iter().map(written).collect::<Option<_>>()?, rank: *rank });
            for argument in arguments {
                if let Argument::Term(term) = argument {
                    self.add_facts(term, around, facts)?;
                }
            }
        }
        around.pop();
        Some(())
    }

    /// Adds the tokens of a term.
    fn say(&self, term: &Term, said: &mut Vec<Token>) {
        let (bare, full): (Vec<_>, Vec<_>) =
            term.facts.iter().partition(|(_, arguments)| arguments.is_empty());
        if !matches!(bare[..], [(kind, _)] if self.unsaid(term.head) == Some(*kind)) {
            said.extend(bare.iter().map(|(kind, _)| self.token_of(*kind)));
        }
        said.push(term.head);
        for (number, (kind, arguments)) in full.iter().enumerate() {
            said.push(if number == 0 { self.open() } else { self.between() });
            said.extend([self.token_of(*kind), self.is()]);
            for argument in arguments {
                match argument {
                    Argument::Term(term) => self.say(term, said),
                    Argument::Back(levels) => said.extend(self.back(*levels)),
                    Argument::Token(token) => said.push(*token),
                }
            }
        }
        said.extend((!full.is_empty()).then_some(self.close()));
    }
}

impl Nesting<'_> {
    /// A term for every place that no other fact names.
    fn terms(&mut self) -> Option<Vec<Term>> {
        let named: FxHashSet<usize> = self.facts.iter().flat_map(|fact| fact.places().skip(1)).collect();
        let mut roots: Vec<usize> = Vec::new();
        for owner in self.facts.iter().filter_map(Fact::owner) {
            if !named.contains(&owner) && !roots.contains(&owner) {
                roots.push(owner);
            }
        }
        roots.into_iter().map(|place| self.term(place)).collect()
    }

    fn term(&mut self, place: usize) -> Option<Term> {
        let facts: Vec<&Fact> = self.facts.iter().filter(|fact| fact.owner() == Some(place)).collect();
        let heads = self.places.heads.get(&self.input[place])?;
        let head =
            *heads.iter().find(|head| facts.iter().any(|fact| fact.tokens().any(|token| token == **head)))?;
        self.around.push(place);
        let facts: Option<Vec<_>> = facts.into_iter().map(|fact| self.fact(fact, head)).collect();
        self.around.pop();
        Some(Term { head, place, facts: facts.filter(|facts| !facts.is_empty())? })
    }

    /// What is said about a place: back to a term around, if that is being said.
    fn argument(&mut self, place: usize) -> Option<Argument> {
        match self.around.iter().rev().position(|&other| other == place) {
            Some(levels) => self.places.back(levels).map(|_| Argument::Back(levels)),
            None => self.term(place).map(Argument::Term),
        }
    }

    fn fact(&mut self, fact: &Fact, head: Token) -> Option<(usize, Vec<Argument>)> {
        self.left = self.left.checked_sub(1)?;
        let exact = kind_of(fact, head);
        let number = self.places.kinds.iter().position(|kind| kind.covers(&exact))?;
        let mut arguments = Vec::new();
        for (piece, written) in self.places.kinds[number].pieces.iter().zip(&fact.pieces) {
            if *piece == Piece::Argument {
                arguments.push(match *written {
                    Written::Place(place) => self.argument(place)?,
                    Written::Token(token) => Argument::Token(token),
                });
            }
        }
        Some((number, arguments))
    }
}
