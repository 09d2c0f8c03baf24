//! Whether two regular expressions accept the same strings. The published figures on NL-RX-Synth count that, not the same text.
//!
//! Decided exactly, by Brzozowski's derivatives: two expressions differ if and only if, after some string, one of them accepts the empty string
//! and the other does not. Derivatives are kept in a form in which there are few of them; pairs of them are followed until none is new.
//!
//! The syntax is that of the library behind the published figures (dk.brics.automaton), `&` and `~` included; `\b` is the letter b there.

use std::collections::{BTreeSet, HashMap};

/// What the data write for classes of characters and for words, as the published comparison reads them.
const NAMES: [(&str, &str); 9] = [
    ("<VOW>", "AEIOUaeiou"),
    ("<NUM>", "0-9"),
    ("<LET>", "A-Za-z"),
    ("<CAP>", "A-Z"),
    ("<LOW>", "a-z"),
    ("<M0>", "dog"),
    ("<M1>", "truck"),
    ("<M2>", "ring"),
    ("<M3>", "lake"),
];
/// Brackets deeper than this, longer expressions and those that repetitions make larger are refused: all of them are followed by recursion.
const DEEPEST: usize = 100;
const LONGEST: usize = 1_000;
const LARGEST: usize = 4_000;
/// After so many pairs of derivatives nothing is said.
const MOST_PAIRS: usize = 20_000;

/// Whether two expressions of the data accept the same strings; `None` if one of them is none, or it takes too long to say.
pub fn is_same(one: &str, other: &str) -> Option<bool> {
    let mut all = Expressions::default();
    let (one, other) = (all.parse(&plain(one))?, all.parse(&plain(other))?);
    all.are_equal(one, other)
}

fn plain(text: &str) -> String {
    let text = NAMES.iter().fold(text.to_owned(), |text, (name, stands_for)| text.replace(name, stands_for));
    text.chars().filter(|char| !char.is_whitespace()).collect()
}

/// A set of ASCII characters; the first of them stands for all that are not ASCII, too.
type Class = u128;
type Id = u32;

/// An expression of others, in a form that many equal ones share.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    /// The empty string.
    Blank,
    /// One character of these; of none: nothing at all.
    One(Class),
    Then(Id, Id),
    Often(Id),
    Or(BTreeSet<Id>),
    Not(Id),
}

/// All expressions made so far, each once.
#[derive(Default)]
struct Expressions {
    nodes: Vec<Node>,
    ids: HashMap<Node, Id>,
    derivatives: HashMap<(Id, u8), Id>,
}

impl Expressions {
    fn id(&mut self, node: Node) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    fn blank(&mut self) -> Id {
        self.id(Node::Blank)
    }

    fn nothing(&mut self) -> Id {
        self.id(Node::One(0))
    }

    fn anything(&mut self) -> Id {
        let one = self.id(Node::One(Class::MAX));
        self.id(Node::Often(one))
    }

    fn then(&mut self, first: Id, second: Id) -> Id {
        match (self.node(first).clone(), self.node(second).clone()) {
            (Node::One(0), _) | (_, Node::Blank) => first,
            (_, Node::One(0)) | (Node::Blank, _) => second,
            (Node::Then(head, tail), _) => {
                let rest = self.then(tail, second);
                self.then(head, rest)
            }
            // As often as need be, and again.
            (Node::Often(_), _) if first == second => first,
            (Node::Often(_), Node::Then(head, _)) if first == head => second,
            _ => self.id(Node::Then(first, second)),
        }
    }

    fn often(&mut self, inner: Id) -> Id {
        match self.node(inner) {
            Node::Often(_) | Node::Blank => inner,
            Node::One(0) => self.blank(),
            _ => self.id(Node::Often(inner)),
        }
    }

    fn not(&mut self, inner: Id) -> Id {
        let anything = self.anything();
        match *self.node(inner) {
            Node::Not(inner) => inner,
            Node::One(0) => anything,
            _ if inner == anything => self.nothing(),
            _ => self.id(Node::Not(inner)),
        }
    }

    fn or(&mut self, parts: impl IntoIterator<Item = Id>) -> Id {
        let (nothing, anything) = (self.nothing(), self.anything());
        let mut all: BTreeSet<Id> = BTreeSet::new();
        for part in parts {
            match self.node(part) {
                Node::Or(inner) => all.extend(inner),
                _ => _ = all.insert(part),
            }
        }
        let mut class: Class = 0;
        all.retain(|&part| match self.node(part) {
            Node::One(characters) => {
                class |= characters;
                false
            }
            _ => true,
        });
        if all.contains(&anything) {
            return anything;
        }
        let one = self.id(Node::One(class));
        all.insert(one);
        all.remove(&nothing);
        match all.len() {
            0 | 1 => all.into_iter().next().unwrap_or(nothing),
            _ => self.id(Node::Or(all)),
        }
    }

    /// What none of them leaves out.
    fn and(&mut self, parts: impl IntoIterator<Item = Id>) -> Id {
        let others: Vec<Id> = parts.into_iter().map(|part| self.not(part)).collect();
        let other = self.or(others);
        self.not(other)
    }

    /// So many times; without an upper bound, at least so many.
    fn times(&mut self, inner: Id, least: usize, most: Option<usize>) -> Id {
        let blank = self.blank();
        let mut rest = match most {
            None => self.often(inner),
            Some(most) => (least..most).fold(blank, |rest, _| {
                let more = self.then(inner, rest);
                self.or([blank, more])
            }),
        };
        for _ in 0..least {
            rest = self.then(inner, rest);
        }
        rest
    }

    fn accepts_blank(&self, id: Id) -> bool {
        match self.node(id) {
            Node::Blank | Node::Often(_) => true,
            Node::One(_) => false,
            Node::Then(first, second) => self.accepts_blank(*first) && self.accepts_blank(*second),
            Node::Or(parts) => parts.iter().any(|&part| self.accepts_blank(part)),
            Node::Not(inner) => !self.accepts_blank(*inner),
        }
    }

    /// What may follow a character.
    fn after(&mut self, id: Id, character: u8) -> Id {
        if let Some(&known) = self.derivatives.get(&(id, character)) {
            return known;
        }
        let rest = match self.node(id).clone() {
            Node::One(class) if class >> character & 1 == 1 => self.blank(),
            Node::Blank | Node::One(_) => self.nothing(),
            Node::Then(first, second) => {
                let begun = self.after(first, character);
                let begun = self.then(begun, second);
                match self.accepts_blank(first) {
                    true => {
                        let skipped = self.after(second, character);
                        self.or([begun, skipped])
                    }
                    false => begun,
                }
            }
            Node::Often(inner) => {
                let begun = self.after(inner, character);
                self.then(begun, id)
            }
            Node::Or(parts) => {
                let parts: Vec<Id> = parts.into_iter().map(|part| self.after(part, character)).collect();
                self.or(parts)
            }
            Node::Not(inner) => {
                let inner = self.after(inner, character);
                self.not(inner)
            }
        };
        self.derivatives.insert((id, character), rest);
        rest
    }

    /// One character of each kind that the expressions tell apart.
    fn characters(&self) -> Vec<u8> {
        let classes: Vec<Class> = self
            .nodes
            .iter()
            .filter_map(|node| if let Node::One(class) = node { Some(*class) } else { None })
            .collect();
        let kind = |character: &u8| -> Vec<bool> {
            classes.iter().map(|class| class >> character & 1 == 1).collect()
        };
        let mut seen = BTreeSet::new();
        (0..128).filter(|character| seen.insert(kind(character))).collect()
    }

    fn are_equal(&mut self, one: Id, other: Id) -> Option<bool> {
        let characters = self.characters();
        let mut seen = BTreeSet::from([(one, other)]);
        let mut open = vec![(one, other)];
        while let Some((one, other)) = open.pop() {
            if self.accepts_blank(one) != self.accepts_blank(other) {
                return Some(false);
            }
            for &character in &characters {
                let pair = (self.after(one, character), self.after(other, character));
                if pair.0 != pair.1 && seen.insert(pair) {
                    open.push(pair);
                }
            }
            if seen.len() > MOST_PAIRS {
                return None;
            }
        }
        Some(true)
    }

    fn parse(&mut self, text: &str) -> Option<Id> {
        if text.len() > LONGEST {
            return None;
        }
        let mut reader = Reader { all: self, rest: text.as_bytes(), depth: 0 };
        let id = reader.alternatives()?;
        reader.rest.is_empty().then_some(id)
    }
}

/// Reads an expression from left to right: `|` binds least, then `&`, what stands side by side, repetitions, `~`.
struct Reader<'r> {
    all: &'r mut Expressions,
    rest: &'r [u8],
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        first.is_ascii().then_some(first)
    }

    fn skip(&mut self, character: u8) -> bool {
        let is_there = self.peek() == Some(character);
        if is_there {
            self.rest = &self.rest[1..];
        }
        is_there
    }

    fn alternatives(&mut self) -> Option<Id> {
        let mut parts = vec![self.conjuncts()?];
        while self.skip(b'|') {
            parts.push(self.conjuncts()?);
        }
        Some(self.all.or(parts))
    }

    fn conjuncts(&mut self) -> Option<Id> {
        let mut parts = vec![self.row()?];
        while self.skip(b'&') {
            parts.push(self.row()?);
        }
        Some(self.all.and(parts))
    }

    fn row(&mut self) -> Option<Id> {
        let mut parts = vec![self.repeated()?];
        while !matches!(self.peek(), None | Some(b')' | b'|' | b'&')) {
            parts.push(self.repeated()?);
        }
        let blank = self.all.blank();
        Some(parts.into_iter().rfold(blank, |rest, part| self.all.then(part, rest)))
    }

    fn repeated(&mut self) -> Option<Id> {
        let mut inner = self.complement()?;
        loop {
            let (least, most) = match self.peek() {
                Some(b'*') => (0, None),
                Some(b'+') => (1, None),
                Some(b'?') => (0, Some(1)),
                Some(b'{') => {
                    inner = self.counted(inner)?;
                    continue;
                }
                _ => return Some(inner),
            };
            self.rest = &self.rest[1..];
            inner = self.all.times(inner, least, most);
        }
    }

    /// `{2}`, `{2,}` or `{2,4}`.
    fn counted(&mut self, inner: Id) -> Option<Id> {
        self.skip(b'{');
        let least = self.number()?;
        let most = match self.skip(b',') {
            true if self.peek() == Some(b'}') => None,
            true => Some(self.number()?),
            false => Some(least),
        };
        let times = most.unwrap_or(least);
        let is_right =
            self.skip(b'}') && times >= least && self.all.nodes.len().checked_mul(times)? <= LARGEST;
        is_right.then(|| self.all.times(inner, least, most))
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.iter().take_while(|digit| digit.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        std::str::from_utf8(number).ok()?.parse().ok()
    }

    fn complement(&mut self) -> Option<Id> {
        let mut times = 0;
        while self.skip(b'~') {
            times += 1;
        }
        let inner = self.atom()?;
        Some(if times % 2 == 1 { self.all.not(inner) } else { inner })
    }

    fn atom(&mut self) -> Option<Id> {
        let class: Class = match self.next()? {
            b'(' if self.skip(b')') => return Some(self.all.blank()),
            b'(' => return self.bracketed(),
            b'[' => self.class()?,
            b'.' => Class::MAX,
            b'\\' => 1 << self.next()?,
            b')' | b']' | b'{' | b'}' | b'*' | b'+' | b'?' | b'|' | b'&' => return None,
            character => 1 << character,
        };
        Some(self.all.id(Node::One(class)))
    }

    fn bracketed(&mut self) -> Option<Id> {
        self.depth += 1;
        let inner = if self.depth <= DEEPEST { self.alternatives()? } else { return None };
        self.depth -= 1;
        self.skip(b')').then_some(inner)
    }

    fn class(&mut self) -> Option<Class> {
        let is_complement = self.skip(b'^');
        let mut class: Class = 0;
        while !self.skip(b']') {
            let first = self.next()?;
            let last = if self.skip(b'-') { self.next()? } else { first };
            class |= (first..=last).fold(0, |class, character| class | 1 << character);
        }
        Some(if is_complement { !class } else { class })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(one: &str, other: &str, is_equal: Option<bool>) {
        assert_eq!(is_same(one, other), is_equal, "{one} and {other}");
    }

    #[test]
    fn other_words_for_the_same_strings() {
        check("( . * ) ( ( <M0> ) + )", "( . * ) ( <M0> )", Some(true));
        check("( ( [ <VOW> ] ) & ( [ <CAP> ] ) ) { 2 , }", "[AEIOU][AEIOU]+", Some(true));
        check("~ ( ~ ( . * a . * ) | ~ ( . * b . * ) )", "( . * a . * ) & ( . * b . * )", Some(true));
        check("\\ b ( . ) \\ b", "b . b", Some(true));
        // A word is longer than a vowel.
        check("( <M0> ) & ( [ <VOW> ] )", "( <M1> ) & ( . )", Some(true));
    }

    #[test]
    fn strings_tell_expressions_apart() {
        check("( ( . * ) ( <M0> ) ) { 3 , }", "( . * ) ( ( <M0> ) { 3 , } )", Some(false));
        check("a | b & c", "( a | b ) & c", Some(false));
        check("~ a *", "~ ( a * )", Some(false));
        check("[ <LET> ]", "[ <LOW> ]", Some(false));
    }

    #[test]
    fn what_is_no_expression_is_like_nothing() {
        let deep = "(".repeat(LONGEST);
        let long = "a?".repeat(1_000_000);
        let large = format!("{}a{}", "(".repeat(50), "){50}".repeat(50));
        for text in
            ["", "(", "a )", "a { 3", "a { 9999999 , }", "* a", "[ a", "( | a )", "ä", &deep, &long, &large]
        {
            check(text, "a", None);
        }
    }

    /// An expression as a tree, and what it accepts by the definition.
    #[derive(Clone, Debug)]
    enum Tree {
        One(&'static str),
        Then(Box<[Tree; 2]>),
        Or(Box<[Tree; 2]>),
        And(Box<[Tree; 2]>),
        Not(Box<Tree>),
        Times(Box<Tree>, &'static str, usize, usize),
    }

    impl Tree {
        fn text(&self) -> String {
            match self {
                Tree::One(text) => (*text).to_owned(),
                Tree::Then(both) => format!("({})({})", both[0].text(), both[1].text()),
                Tree::Or(both) => format!("({})|({})", both[0].text(), both[1].text()),
                Tree::And(both) => format!("({})&({})", both[0].text(), both[1].text()),
                Tree::Not(inner) => format!("~({})", inner.text()),
                Tree::Times(inner, times, ..) => format!("({}){times}", inner.text()),
            }
        }

        fn accepts(&self, string: &str) -> bool {
            match self {
                Tree::One(".") => string.len() == 1,
                Tree::One(text) => *text == string,
                Tree::Then(both) => (0..=string.len())
                    .any(|at| both[0].accepts(&string[..at]) && both[1].accepts(&string[at..])),
                Tree::Or(both) => both[0].accepts(string) || both[1].accepts(string),
                Tree::And(both) => both[0].accepts(string) && both[1].accepts(string),
                Tree::Not(inner) => !inner.accepts(string),
                Tree::Times(inner, _, least, most) => {
                    (*least..=*most).any(|times| is_repeated(inner, string, times))
                }
            }
        }
    }

    fn is_repeated(inner: &Tree, string: &str, times: usize) -> bool {
        match times {
            0 => string.is_empty(),
            times => (0..=string.len())
                .any(|at| inner.accepts(&string[..at]) && is_repeated(inner, &string[at..], times - 1)),
        }
    }

    /// Longer strings are not asked for, so more repetitions add nothing.
    const SHORT: usize = 4;

    fn strings() -> Vec<String> {
        let longer = |strings: &Vec<String>| -> Vec<String> {
            strings.iter().flat_map(|string| ["a", "b", "c"].map(|end| format!("{string}{end}"))).collect()
        };
        let lengths = std::iter::successors(Some(vec![String::new()]), |strings| Some(longer(strings)));
        lengths.take(SHORT + 1).flatten().collect()
    }

    fn trees() -> impl Strategy<Value = Tree> {
        let both = |trees: BoxedStrategy<Tree>| (trees.clone(), trees).prop_map(|(a, b)| Box::new([a, b]));
        prop::sample::select(vec!["a", "b", "."]).prop_map(Tree::One).prop_recursive(3, 8, 2, move |inner| {
            let repetitions = vec![("*", 0, SHORT), ("+", 1, SHORT), ("?", 0, 1), ("{2,}", 2, SHORT)];
            let inner = inner.boxed();
            prop_oneof![
                both(inner.clone()).prop_map(Tree::Then),
                both(inner.clone()).prop_map(Tree::Or),
                both(inner.clone()).prop_map(Tree::And),
                inner.clone().prop_map(|inner| Tree::Not(Box::new(inner))),
                (inner, prop::sample::select(repetitions))
                    .prop_map(|(inner, (text, least, most))| Tree::Times(Box::new(inner), text, least, most)),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Each string is accepted by derivatives as by the definition, and equal expressions accept the same of them.
        #[test]
        fn as_trying_all_short_strings_says(one in trees(), other in trees()) {
            let mut all = Expressions::default();
            let id = all.parse(&one.text()).unwrap();
            let mut is_told_apart = false;
            for string in strings() {
                let after = string.bytes().fold(id, |id, character| all.after(id, character));
                prop_assert_eq!(all.accepts_blank(after), one.accepts(&string), "{} {}", one.text(), string);
                is_told_apart |= one.accepts(&string) != other.accepts(&string);
            }
            let is_same = is_same(&one.text(), &other.text());
            prop_assert!(!(is_told_apart && is_same == Some(true)));
            // What an expression has in common with another adds nothing to it.
            let absorbing = format!("({0})|(({0})&({1}))", one.text(), other.text());
            prop_assert_eq!(super::is_same(&one.text(), &absorbing), Some(true));
        }
    }
}
