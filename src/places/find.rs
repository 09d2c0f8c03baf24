//! Finds how outputs refer to places, if they do: each hypothesis nests some examples, and the shortest is taken.
//!
//! References are tokens that agree with places (`agree`), or numbers; they stand in the same tokens everywhere, and count from either end, numbers from 0 or 1. Separators are added one by one, at
//! any place in their order, as long as all of it gets shorter. What is not nested costs what it takes to say it flat; so outputs that
//! have nothing to do with places stay as they are.

use super::agree::references;
use super::alone::Alone;
use super::layout::{Fact, Layout, Written};
use super::term::{Argument, Term, kind_of};
use super::{Kind, MARKS, Places};
use crate::learn::evidence::Example;
use crate::objective::Prices;
use crate::settings::{COUNTED, FEW, HALF, JUDGED_BY, LONGEST, NEARLY_ALL};
use crate::spread::spread;
use crate::stop::Stop;
use crate::symbol::{Symbol, Token, Vocabulary, Word};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What a term has beside its head and its facts.
const BRACKETS: f64 = 2.0;

/// How these outputs refer to places, and their vocabulary with what nested ones have; `None` if they do not.
pub fn find(examples: &[Example], outputs: &Vocabulary, stop: Stop<'_>) -> Option<(Places, Vocabulary)> {
    let some = |most: usize| spread(examples, most).cloned().collect::<Vec<Example>>();
    let few = some(JUDGED_BY);
    let mut outputs = outputs.clone();
    let mut hypotheses = numbered(&few, &mut outputs);
    hypotheses.extend(agreed(&some(COUNTED), stop));
    let codes = Token(outputs.len() as u32);
    let separated =
        hypotheses.into_iter().take_while(|_| !stop()).filter_map(|layout| separated(&few, layout, codes));
    let (_, layout) = separated.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|_| !stop())?;
    let places = fitted(examples, &layout, codes)?;
    let nested =
        examples.par_iter().filter(|example| places.nested(&example.input, &example.output).is_some());
    let are_enough = nested.count() as f64 >= HALF * examples.len() as f64;
    if !are_enough || places.bits(examples) >= flat_bits(examples) {
        return None;
    }
    let kinds: Vec<String> = places.kinds.iter().map(|kind| kind.name(&outputs)).collect();
    for name in MARKS.map(str::to_owned).into_iter().chain(kinds) {
        intern_new(&mut outputs, name);
    }
    Some((places, outputs))
}

/// Gives a new token this name, or one like it.
fn intern_new(outputs: &mut Vocabulary, mut name: String) {
    while outputs.get(&name).is_some() {
        name.push('\'');
    }
    outputs.intern(&name);
}

/// References that are written as numbers; these get tokens that they have not.
fn numbered(examples: &[Example], outputs: &mut Vocabulary) -> Vec<Layout> {
    let is_number = |token: &Token| outputs.name(Symbol(token.0)).parse::<u16>().is_ok();
    let Some((before, after)) = surroundings(examples, is_number) else { return Vec::new() };
    let number = |number: usize| Some(Token(outputs.intern(&number.to_string()).0));
    let numbers = (0..=LONGEST + 1).map(number).collect();
    let layout = Layout { before, after, numbers, first: 0, from_end: false, separators: Vec::new() };
    let starts = [(0, false), (1, false), (0, true), (1, true)];
    starts.map(|(first, from_end)| Layout { first, from_end, ..layout.clone() }).to_vec()
}

/// References that agree with places, whatever they are.
fn agreed<'a>(examples: &'a [Example], stop: Stop<'a>) -> impl Iterator<Item = Layout> + 'a {
    [false, true].into_iter().filter_map(move |from_end| {
        let numbers = references(examples, from_end, stop)?;
        let (before, after) = surroundings(examples, |token| numbers.contains(&Some(*token)))?;
        Some(Layout { before, after, numbers, first: 0, from_end, separators: Vec::new() })
    })
}

/// What stands before and after all references, if enough outputs have some.
fn surroundings(
    examples: &[Example],
    is_number: impl Fn(&Token) -> bool,
) -> Option<(Vec<Token>, Vec<Token>)> {
    let mut found: Option<(Vec<Token>, Vec<Token>)> = None;
    let mut referring = 0;
    for Example { output, .. } in examples {
        referring += usize::from(output.iter().any(&is_number));
        for (at, _) in output.iter().enumerate().filter(|(_, token)| is_number(token)) {
            let before: Vec<Token> = output[..at].iter().rev().copied().collect();
            let after = output[at + 1..].to_vec();
            found = Some(match found {
                None => (before, after),
                Some((left, right)) => (common(&left, &before), common(&right, &after)),
            });
        }
    }
    let (mut before, after) = found.filter(|_| referring as f64 >= HALF * examples.len() as f64)?;
    before.reverse();
    Some((before, after))
}

/// What two rows begin with.
fn common(a: &[Token], b: &[Token]) -> Vec<Token> {
    a.iter().zip(b).take_while(|(a, b)| a == b).map(|(a, _)| *a).collect()
}

/// The layout with the separators that make outputs shortest, and how long these are then.
fn separated(examples: &[Example], layout: Layout, codes: Token) -> Option<(f64, Layout)> {
    let candidates = separators(examples, &layout);
    let weighed = |layout: Layout| Some((fitted(examples, &layout, codes)?.bits(examples), layout));
    let mut best = weighed(layout)?;
    while best.1.separators.len() < FEW {
        let mut wider = Vec::new();
        for candidate in candidates.iter().filter(|candidate| !best.1.separators.contains(candidate)) {
            for at in 0..=best.1.separators.len() {
                let mut layout = best.1.clone();
                layout.separators.insert(at, *candidate);
                wider.push(layout);
            }
        }
        let shortest = wider.into_iter().filter_map(weighed).min_by(|a, b| a.0.total_cmp(&b.0));
        match shortest.filter(|shortest| shortest.0 < best.0) {
            Some(shortest) => best = shortest,
            None => break,
        }
    }
    Some(best)
}

/// Tokens such that a place is named between any two, before the first and after the last of them in an output, nearly always.
fn separators(examples: &[Example], layout: &Layout) -> Vec<Token> {
    let mut counts: BTreeMap<Token, (usize, usize)> = BTreeMap::new();
    for example in examples {
        let Some(written) = layout.read(&example.output, example.input.len()) else { continue };
        let tokens = written.iter().filter_map(|piece| match piece {
            Written::Token(token) => Some(*token),
            Written::Place(_) => None,
        });
        for token in tokens.collect::<BTreeSet<Token>>() {
            let separates = written
                .split(|piece| *piece == Written::Token(token))
                .all(|part| part.iter().any(|piece| matches!(piece, Written::Place(_))));
            let count = counts.entry(token).or_default();
            count.0 += usize::from(separates);
            count.1 += 1;
        }
    }
    let nearly_always =
        |(_, (separates, all)): &(Token, (usize, usize))| *separates as f64 >= NEARLY_ALL * *all as f64;
    let mut found: Vec<(Token, (usize, usize))> = counts.into_iter().filter(nearly_always).collect();
    found.sort_by_key(|(token, (_, all))| (std::cmp::Reverse(*all), *token));
    found.truncate(2 * FEW);
    found.into_iter().map(|(token, _)| token).collect()
}

/// Heads, kinds and frames of outputs that are written so; `None` if there is nothing in common.
fn fitted(examples: &[Example], layout: &Layout, codes: Token) -> Option<Places> {
    let facts: Vec<(&Example, Vec<Fact>)> = examples
        .iter()
        .filter_map(|example| Some((example, layout.facts(&example.output, example.input.len())?)))
        .collect();
    let owned: Vec<(Word, Vec<&Fact>)> =
        facts.iter().flat_map(|(example, facts)| by_owner(example, facts)).collect();
    let mut heads = Heads::new(&owned).chosen(&owned);
    let kinds = kinds(&owned, &heads)?;
    let alone = Alone::found(examples, layout, &heads);
    for example in examples {
        if let (Some(token), [word]) = (alone.said_alone(&example.input, &example.output), &*example.input) {
            let heads = heads.entry(*word).or_default();
            if !heads.contains(&token) {
                heads.push(token);
            }
        }
    }
    let (unsaid, named) = unsaid(&owned, &heads, &kinds).unzip();
    let mut places = Places {
        layout: layout.clone(),
        kinds,
        codes,
        heads,
        alone,
        unsaid,
        named: named.unwrap_or_default(),
    };
    let named = places.alone.kin(&places.heads, &places.named);
    places.named.extend(named);
    Some(places)
}

/// The most frequent kind of fact without arguments, and the heads that always have one; `None` where no head has.
fn unsaid(
    owned: &[(Word, Vec<&Fact>)],
    heads: &BTreeMap<Word, Vec<Token>>,
    kinds: &[Kind],
) -> Option<(usize, BTreeSet<Token>)> {
    // The most frequent kinds come first.
    let kind = kinds.iter().position(|kind| kind.arguments() == 0)?;
    let (mut with, mut without): (BTreeSet<Token>, BTreeSet<Token>) = Default::default();
    for (word, facts) in owned {
        let Some(head) = head_of(*word, facts, heads) else { continue };
        // A fact with a name instead of a place is of a kind with arguments, too.
        let is_bare = |fact: &&Fact| {
            let exact = kind_of(fact, head);
            kinds.iter().find(|kind| kind.covers(&exact)).is_some_and(|kind| kind.arguments() == 0)
        };
        let has_one = facts.iter().any(is_bare);
        if has_one {
            with.insert(head)
        } else {
            without.insert(head)
        };
    }
    Some((kind, &with - &without))
}

/// The head that the word at a place brings to these facts.
fn head_of(word: Word, facts: &[&Fact], heads: &BTreeMap<Word, Vec<Token>>) -> Option<Token> {
    let known = tokens(facts);
    heads.get(&word)?.iter().find(|head| known.contains(head)).copied()
}

/// The facts about each place, with the word that stands there.
fn by_owner<'a>(example: &Example, facts: &'a [Fact]) -> Vec<(Word, Vec<&'a Fact>)> {
    let mut owned: BTreeMap<usize, Vec<&Fact>> = BTreeMap::new();
    for fact in facts {
        owned.entry(fact.owner().unwrap_or_default()).or_default().push(fact);
    }
    owned.into_iter().map(|(place, facts)| (example.input[place], facts)).collect()
}

/// How often words and tokens of the facts about their places come together.
struct Heads {
    words: FxHashMap<Word, f64>,
    tokens: FxHashMap<Token, f64>,
    both: FxHashMap<(Word, Token), f64>,
    /// The bits that a token leaves open about the word.
    open: FxHashMap<Token, f64>,
    all: f64,
}

impl Heads {
    fn new(owned: &[(Word, Vec<&Fact>)]) -> Heads {
        let mut heads = Heads {
            words: FxHashMap::default(),
            tokens: FxHashMap::default(),
            both: FxHashMap::default(),
            open: FxHashMap::default(),
            all: owned.len() as f64,
        };
        for (word, facts) in owned {
            *heads.words.entry(*word).or_default() += 1.0;
            for token in tokens(facts) {
                *heads.tokens.entry(token).or_default() += 1.0;
                *heads.both.entry((*word, token)).or_default() += 1.0;
            }
        }
        let both: BTreeMap<(Token, Word), f64> =
            heads.both.iter().map(|(&(word, token), &both)| ((token, word), both)).collect();
        for ((token, _), both) in both {
            let share = both / heads.tokens[&token];
            *heads.open.entry(token).or_default() -= share * share.log2();
        }
        heads
    }

    /// The bits that knowing the word saves about the token, over all examples, less those that the token leaves open about the word: what asks for
    /// something is told by a verb as well as its name is, but it tells no verb.
    fn saves(&self, word: Word, token: Token) -> f64 {
        let both = self.both.get(&(word, token)).copied().unwrap_or(0.0);
        let told = (both * self.all / (self.words[&word] * self.tokens[&token])).log2();
        both * (told - self.open[&token])
    }

    /// For each word the tokens that are heads of facts about its places, those that it tells most of first.
    fn chosen(&self, owned: &[(Word, Vec<&Fact>)]) -> BTreeMap<Word, Vec<Token>> {
        let mut chosen: BTreeMap<Word, BTreeSet<Token>> = BTreeMap::new();
        for (word, facts) in owned {
            let best = tokens(facts)
                .into_iter()
                .max_by(|a, b| self.saves(*word, *a).total_cmp(&self.saves(*word, *b)).then(b.cmp(a)));
            chosen.entry(*word).or_default().extend(best);
        }
        let in_order = |(word, tokens): (Word, BTreeSet<Token>)| {
            let mut tokens: Vec<Token> = tokens.into_iter().collect();
            tokens.sort_by(|a, b| self.saves(word, *b).total_cmp(&self.saves(word, *a)).then(a.cmp(b)));
            (word, tokens)
        };
        chosen.into_iter().map(in_order).collect()
    }
}

/// The tokens that facts have.
fn tokens(facts: &[&Fact]) -> BTreeSet<Token> {
    facts.iter().flat_map(|fact| fact.tokens()).collect()
}

/// The kinds of facts that occur more than once, those that cover others instead of these; `None` if they have little in common.
fn kinds(owned: &[(Word, Vec<&Fact>)], heads: &BTreeMap<Word, Vec<Token>>) -> Option<Vec<Kind>> {
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for (word, facts) in owned {
        let Some(head) = head_of(*word, facts, heads) else { continue };
        for fact in facts {
            *counts.entry(kind_of(fact, head)).or_default() += 1;
        }
    }
    if counts.len() > COUNTED {
        return None;
    }
    let general: Vec<&Kind> = counts.keys().filter(|kind| kind.arguments() > 0).collect();
    let is_covered = |kind: &Kind| general.iter().any(|other| *other != kind && other.covers(kind));
    let mut kinds: Vec<(&Kind, usize)> = counts
        .iter()
        .filter(|(kind, count)| **count > 1 && !is_covered(kind))
        .map(|(kind, count)| (kind, *count))
        .collect();
    kinds.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), *kind));
    Some(kinds.into_iter().map(|(kind, _)| kind.clone()).collect())
}

/// What it costs to say the outputs as they are.
fn flat_bits(examples: &[Example]) -> f64 {
    let prices = Prices::new(0, 0);
    examples.iter().map(|example| prices.token * example.output.len() as f64).sum()
}

impl Places {
    /// What it costs to say the outputs nested, where they can be, and what nests them.
    fn bits(&self, examples: &[Example]) -> f64 {
        let prices = Prices::new(0, 0);
        let pieces: usize = self.kinds.iter().map(|kind| 1 + kind.pieces.len()).sum();
        let heads: usize = self.heads.values().map(Vec::len).sum();
        let own = prices.token * (MARKS.len() + pieces + self.alone.words()) as f64
            + (prices.word + prices.token) * heads as f64;
        let output = |example: &Example| self.bits_of_output(example, &prices);
        own + examples.par_iter().map(output).collect::<Vec<f64>>().into_iter().sum::<f64>()
    }

    fn bits_of_output(&self, Example { input, output }: &Example, prices: &Prices) -> f64 {
        if self.alone.said_alone(input, output).is_some() {
            return prices.token;
        }
        match self.terms(input, output) {
            Some(terms) => terms.iter().map(|term| self.bits_of_term(term, input, prices)).sum(),
            None => prices.token * output.len() as f64,
        }
    }

    /// What a term costs, where the word at its place tells its head, if it has but one.
    fn bits_of_term(&self, term: &Term, input: &[Word], prices: &Prices) -> f64 {
        let heads = self.heads.get(&input[term.place]).map_or(1, Vec::len);
        let mut bits = (heads as f64).log2().min(prices.token) + prices.token * BRACKETS;
        for (_, arguments) in &term.facts {
            bits += prices.token;
            for argument in arguments {
                bits += match argument {
                    Argument::Term(term) => self.bits_of_term(term, input, prices),
                    Argument::Token(_) | Argument::Back(_) => prices.token,
                };
            }
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::free;
    use crate::theory::Theory;
    use crate::theory::counts::Counts;
    use crate::theory::entry::Entry;
    use crate::theory::text;
    use crate::theory::tree_model::TreeModel;

    /// Sentences of three words, and facts about their places: `alice sees bob` says `sees : v 1 , v 0 ; alice : v 0 ; ...`.
    struct Facts {
        inputs: Vocabulary,
        outputs: Vocabulary,
        examples: Vec<Example>,
    }

    const NAMES: [&str; 4] = ["alice", "bob", "carol", "dave"];

    impl Facts {
        fn new() -> Facts {
            let mut facts =
                Facts { inputs: Vocabulary::default(), outputs: Vocabulary::default(), examples: Vec::new() };
            for a in NAMES {
                for b in NAMES {
                    for verb in ["sees", "hears"] {
                        let output =
                            format!("{a}' : v 0 ; {verb}' by v 1 , v 0 ; {verb}' of v 1 , v 2 ; {b}' : v 2");
                        facts.add(&format!("{a} {verb} {b}"), &output);
                    }
                }
                facts.add(a, &format!("lone {a}'"));
            }
            facts.add("erin", "lone erin'");
            facts
        }

        fn add(&mut self, input: &str, output: &str) {
            let input = input.split(' ').map(|word| Word(self.inputs.intern(word).0)).collect();
            let output = output.split(' ').map(|token| Token(self.outputs.intern(token).0)).collect();
            self.examples.push(Example { input, output });
        }
    }

    fn text(tokens: &[Token], names: &Vocabulary) -> String {
        tokens.iter().map(|token| names.name(Symbol(token.0))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn facts_about_places_become_terms() {
        let facts = Facts::new();
        let (places, outputs) = find(&facts.examples, &facts.outputs, Stop::never()).unwrap();
        let nested = |number: usize| {
            let Example { input, output } = &facts.examples[number];
            text(&places.nested(input, output).unwrap(), &outputs)
        };
        assert_eq!(nested(2), "sees' < @by^,_ = alice' ,' @of^,_ = bob' >");
        // What a word says alone is what it brings to facts; one that is only seen alone is no other.
        assert_eq!(nested(8), "alice'");
        assert_eq!(nested(facts.examples.len() - 1), "erin'");
        assert!(places.is_sound(facts.inputs.len() as u32, outputs.len() as u32));
        assert!(!places.is_sound(facts.inputs.len() as u32, facts.outputs.len() as u32));
    }

    #[test]
    fn a_tree_tells_the_places_of_its_answer() {
        let mut facts = Facts::new();
        let (places, mut outputs) = find(&facts.examples, &facts.outputs, Stop::never()).unwrap();
        let lines = [
            "_ sees _ = [sees' < @by^,_ =] ++ x ++ [,' @of^,_ =] ++ y ++ [>]",
            "alice = [alice']",
            "erin = [erin']",
            "really _ = x",
        ];
        let entries: Vec<Entry> =
            lines.iter().map(|line| text::parse(line, &mut facts.inputs, &mut outputs).unwrap()).collect();
        let theory = Theory::of(Prices::new(9, 9), &[], &entries);
        let model = TreeModel::new(&Counts::default(), &theory);
        let answer = |input: &str| {
            let pattern: Vec<_> = input
                .split(' ')
                .map(|word| crate::theory::entry::In::Word(Word(facts.inputs.get(word).unwrap().0)))
                .collect();
            let derivations = free::derivations(&pattern[..], &theory, &model);
            text(&places.flat_output(&derivations[0].tree, &theory).unwrap(), &outputs)
        };
        let seen = "alice' : v 1 ; sees' by v 2 , v 1 ; sees' of v 2 , v 4 ; erin' : v 4";
        assert_eq!(answer("really alice sees really erin"), seen);
        assert_eq!(answer("erin"), "lone erin'");
    }

    /// `alice that bob sees hears carol`: the clause says something of alice, and alice has the clause said of her.
    #[test]
    fn a_clause_refers_back_to_what_it_belongs_to() {
        let mut facts = Facts::new();
        for (a, b, c) in [("alice", "bob", "carol"), ("bob", "carol", "dave"), ("dave", "alice", "bob")] {
            let clause = format!(
                "{a}' : v 0 ; {a}' with v 0 , v 3 ; {b}' : v 2 ; sees' by v 3 , v 2 ; sees' of v 3 , v 0"
            );
            let output = format!("{clause} ; hears' by v 4 , v 0 ; hears' of v 4 , v 5 ; {c}' : v 5");
            facts.add(&format!("{a} that {b} sees hears {c}"), &output);
        }
        let (places, outputs) = find(&facts.examples, &facts.outputs, Stop::never()).unwrap();
        let Example { input, output } = &facts.examples[facts.examples.len() - 3];
        let nested = text(&places.nested(input, output).unwrap(), &outputs);
        let alice = "alice' < @with^,_ = sees' < @by^,_ = bob' ,' @of^,_ = ^ > >";
        assert_eq!(nested, format!("hears' < @by^,_ = {alice} ,' @of^,_ = carol' >"));
        let terms = places.terms(input, output).unwrap();
        assert_eq!(places.flat(&terms, input.len()).as_deref(), Some(&**output));
    }

    #[test]
    fn numbers_that_are_no_places_stay() {
        let mut facts =
            Facts { inputs: Vocabulary::default(), outputs: Vocabulary::default(), examples: Vec::new() };
        for number in 0..40 {
            facts.add(&format!("{number} dozen"), &format!("is {} or so", (number * 7) % 5));
        }
        assert_eq!(find(&facts.examples, &facts.outputs, Stop::never()), None);
    }
}
