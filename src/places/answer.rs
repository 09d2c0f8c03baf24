//! The flat output that a tree says: what it says is read as terms, and each term is at the place of the word that says its head.

use super::Places;
use super::term::{Argument, Term};
use crate::settings::LONGEST_RESULT;
use crate::symbol::{Token, Word};
use crate::theory::Theory;
use crate::theory::entry::Out;
use crate::theory::tree::{Tree, spelled};

/// A token, and the node of the tree that says it; `None` where a function made it.
type Said = (Token, Option<u32>);

impl Places {
    /// The output that a tree says; `None` if its terms are none, or stand nowhere.
    pub fn flat_output(&self, tree: &Tree, theory: &Theory) -> Option<Vec<Token>> {
        let spelled = spelled(&tree.nodes, |id| theory.shape(id));
        let said = say(tree, theory)?;
        let tokens = || said.iter().map(|(token, _)| *token);
        let words: Vec<Word> = spelled.iter().map(|(word, _)| *word).collect();
        if let [(token, _)] = said[..]
            && let Some(framed) = self.alone.framed(&words, token)
        {
            return Some(framed);
        }
        let is_nested = tokens().any(|token| self.is_code(token));
        let flat = self.read(&spelled, &said).and_then(|terms| self.flat(&terms, words.len()));
        flat.or_else(|| (!is_nested).then(|| tokens().collect()))
    }

    /// The terms that are said.
    fn read(&self, spelled: &[(Word, u32)], said: &[Said]) -> Option<Vec<Term>> {
        let mut reader = Reader { places: self, spelled, said, at: 0 };
        let mut terms = Vec::new();
        while reader.at < said.len() {
            match reader.argument()? {
                Argument::Term(term) => terms.push(term),
                Argument::Token(_) | Argument::Back(_) => return None,
            }
        }
        Some(terms)
    }
}

/// What a tree says, each token with the node that says it; `None` where it has no value, or is too long.
fn say(tree: &Tree, theory: &Theory) -> Option<Vec<Said>> {
    let mut said = Vec::new();
    say_node(tree, theory, 0, &mut said)?;
    Some(said)
}

fn say_node(tree: &Tree, theory: &Theory, number: u32, said: &mut Vec<Said>) -> Option<()> {
    let node = &tree.nodes[number as usize];
    for piece in &theory.entry(node.entry).says {
        match piece {
            Out::Token(token) => said.push((*token, Some(number))),
            Out::Slot(slot) => say_node(tree, theory, node.kids[usize::from(*slot)], said)?,
            Out::Call(function, slot) => {
                let mut argument = Vec::new();
                say_node(tree, theory, node.kids[usize::from(*slot)], &mut argument)?;
                let argument: Vec<Token> = argument.into_iter().map(|(token, _)| token).collect();
                let made = theory.functions()[usize::from(*function)].apply(&argument, LONGEST_RESULT)?;
                said.extend(made.into_iter().map(|token| (token, None)));
            }
        }
        if said.len() > LONGEST_RESULT {
            return None;
        }
    }
    Some(())
}

/// Reads terms from tokens.
struct Reader<'a> {
    places: &'a Places,
    spelled: &'a [(Word, u32)],
    said: &'a [Said],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<Token> {
        self.said.get(self.at).map(|(token, _)| *token)
    }

    /// A term, what refers back to one, or a token by itself.
    fn argument(&mut self) -> Option<Argument> {
        if let Some(levels) = self.peek().and_then(|token| self.places.levels(token)) {
            self.at += 1;
            return Some(Argument::Back(levels));
        }
        let mut facts = Vec::new();
        while let Some(kind) = self.kind(|arguments| arguments == 0) {
            facts.push((kind, Vec::new()));
        }
        let head @ (token, _) = *self.said.get(self.at).filter(|(token, _)| !self.places.is_code(*token))?;
        self.at += 1;
        if facts.is_empty() {
            facts.extend(self.places.unsaid(token).map(|kind| (kind, Vec::new())));
        }
        if self.takes(self.places.open()) {
            while !self.takes(self.places.close()) {
                let kind = self.kind(|arguments| arguments > 0)?;
                self.takes(self.places.is()).then_some(())?;
                let count = self.places.kinds[kind].arguments();
                facts.push((kind, (0..count).map(|_| self.argument()).collect::<Option<_>>()?));
                let ends = self.peek() == Some(self.places.close());
                (ends || self.takes(self.places.between())).then_some(())?;
            }
        }
        if facts.is_empty() {
            return Some(Argument::Token(token));
        }
        Some(Argument::Term(Term { head: token, place: self.place(head)?, facts }))
    }

    /// Whether this token comes next; then it is taken.
    fn takes(&mut self, token: Token) -> bool {
        let is_next = self.peek() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    /// The number of the kind that comes next, if it has as many arguments as are wanted.
    fn kind(&mut self, is_wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let token = self.peek()?;
        self.places.kind_of(token).filter(|kind| is_wanted(kind.arguments()))?;
        self.at += 1;
        Some((token.0 - self.places.token_of(0).0) as usize)
    }

    /// Where the word stands that says a head: one of the node's, or the only one in the input that could.
    fn place(&self, (head, node): Said) -> Option<usize> {
        let brings = |place: &usize| self.places.is_head(self.spelled[*place].0, head);
        let own = (0..self.spelled.len()).filter(brings).find(|&place| Some(self.spelled[place].1) == node);
        own.or_else(|| {
            let mut all = (0..self.spelled.len()).filter(brings);
            all.next().filter(|_| all.next().is_none())
        })
    }
}
