//! Tokens of outputs that are computed: numbers that several words of the input say together.
//!
//! `remind me in twenty five minutes to call mom` says `remind ( 25 , call mom )`. Which words say 25, and how, is for [`crate::values`] to learn; what
//! the rest says is for templates ([`crate::theory`]). So the numbers are taken out of the examples: what is left has a word in the
//! place of the words that say a number, and a token in the place of the number.
//!
//! ```text
//! remind me in NUMBER minutes to call mom    remind ( NUMBER , call mom )
//! twenty five                                25
//! ```
//!
//! Nothing of this is given. Which words say a number is asked of the examples ([`find`]), and numbers are taken out if what computes them is
//! shorter than the list of all that was seen. There are several such words, taken in turn, so that nothing depends on which it is:
//! two numbers of one sentence have different ones.
//!
//! An input may be read in several ways ([`reading`]): `third` may say 3, or stay a word. What a reading costs here and what its tree costs
//! there are bits of one description; the shortest is answered.

mod digits;
pub mod find;
mod link;
pub mod reading;

use crate::data::{Dataset, Example};
use crate::number::integer::Integer;
use crate::symbol::{Symbol, Vocabulary, Word};
use crate::value::Value;
use crate::values::chart::Chart;
use crate::values::knowledge::{Answer, Knowledge, Results};
use crate::values::open::WithRuns;
use rayon::prelude::*;
use reading::Reading;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What says numbers, and what stands for them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Computed {
    /// What words say which numbers.
    values: Knowledge,
    /// The first word that stands for a number, the first token that does, and how many there are of each.
    word: Symbol,
    token: Symbol,
    count: u32,
}

/// A number that words of an input say.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Where they stand.
    pub span: Range<usize>,
    /// The number.
    pub number: Integer,
    /// How it comes about.
    pub answer: Answer,
    /// What it costs to say it so.
    bits: f64,
}

/// A token as a number, if it is written as numbers are: without zeros in front.
fn number(name: &str) -> Option<Integer> {
    name.parse().ok().filter(|number: &Integer| number.to_string() == name)
}

/// The different numbers of an output, each with its token.
fn numbers(output: &[Symbol], outputs: &Vocabulary) -> BTreeMap<Symbol, Integer> {
    output.iter().filter_map(|token| Some((*token, number(outputs.name(*token))?))).collect()
}

impl Computed {
    /// What these words compute stands for in examples of these vocabularies, which get the words and tokens that stand for so many numbers.
    fn new(values: Knowledge, count: usize, inputs: &mut Vocabulary, outputs: &mut Vocabulary) -> Computed {
        let (word, token) = (Symbol(inputs.len() as u32), Symbol(outputs.len() as u32));
        for number in 1..=count {
            add(inputs, number);
            add(outputs, number);
        }
        Computed { values, word, token, count: count as u32 }
    }

    /// The words of which numbers are said.
    pub fn words(&self) -> BTreeSet<Word> {
        self.values.entries().iter().flat_map(|known| known.entry.pattern.all_words()).collect()
    }

    /// What says numbers.
    pub fn values(&self) -> &Knowledge {
        &self.values
    }

    /// Whether a word stands for numbers.
    pub fn stands_for_numbers(&self, word: Symbol) -> bool {
        (self.word.0..self.word.0 + self.count).contains(&word.0)
    }

    /// Whether it refers only to words and tokens that there are: files come from strangers.
    pub fn is_sound(&self, words: usize, tokens: usize) -> bool {
        let ends = |first: Symbol| u64::from(first.0) + u64::from(self.count);
        self.count > 0
            && *self.values.results() == Results::Numbers
            && self.values.words() <= words
            && self.values.has_tokens_below(tokens)
            && ends(self.word) <= words as u64
            && ends(self.token) <= tokens as u64
    }

    /// The examples with numbers taken out where words say them.
    pub fn taken_out(&self, data: &Dataset) -> Dataset {
        let (mut inputs, mut outputs) = (data.inputs.clone(), data.outputs.clone());
        // Data that came after the model have them already.
        for number in 1..=self.count as usize {
            if inputs.len() < (self.word.0 + self.count) as usize {
                add(&mut inputs, number);
            }
            if outputs.len() < (self.token.0 + self.count) as usize {
                add(&mut outputs, number);
            }
        }
        let examples = data.examples.par_iter().enumerate();
        let examples =
            examples.map(|(at, example)| self.without_numbers(at, example, &data.outputs)).collect();
        Dataset { inputs, outputs, examples, ..data.clone() }
    }

    /// An example without its numbers; which words stand for them depends on its place among the others.
    fn without_numbers(&self, at: usize, example: &Example, outputs: &Vocabulary) -> Example {
        let said = self.said_of(&example.input, &example.output, outputs);
        let mut tokens: BTreeMap<Symbol, Symbol> = BTreeMap::new();
        let mut input = Vec::with_capacity(example.input.len());
        let mut from = 0;
        for (token, Said { span, .. }) in said {
            let next = (at + tokens.len()) as u32 % self.count;
            if tokens.len() == self.count as usize && !tokens.contains_key(&token) {
                continue;
            }
            let stands = *tokens.entry(token).or_insert(Symbol(self.token.0 + next));
            input.extend_from_slice(&example.input[from..span.start]);
            input.push(Symbol(self.word.0 + stands.0 - self.token.0));
            from = span.end;
        }
        input.extend_from_slice(&example.input[from..]);
        let output = example.output.iter().map(|token| *tokens.get(token).unwrap_or(token)).collect();
        Example { input: input.into(), output, ..example.clone() }
    }

    /// The numbers of an output that words of the input say, in the order of the input: those spans that say most of them, and of these the cheapest
    /// together.
    fn said_of(&self, input: &[Symbol], output: &[Symbol], outputs: &Vocabulary) -> Vec<(Symbol, Said)> {
        let wanted = numbers(output, outputs);
        if wanted.is_empty() {
            return Vec::new();
        }
        let chart = self.chart(input);
        let found: Vec<Said> = spans(input.len()).filter_map(|span| self.said_within(&chart, span)).collect();
        let mut begun = vec![Chosen::default()];
        for (token, number) in &wanted {
            let mut same: Vec<&Said> = found.iter().filter(|said| said.number == *number).collect();
            same.sort_by(|a, b| a.bits.total_cmp(&b.bits).then(a.span.start.cmp(&b.span.start)));
            let often = output.iter().filter(|other| *other == token).count();
            begun = chosen(begun, (*token, often), &same);
        }
        let mut said = begun.swap_remove(0).said;
        said.sort_by_key(|(_, said)| said.span.start);
        said.into_iter().map(|(token, said)| (token, said.clone())).collect()
    }

    fn chart(&self, input: &[Symbol]) -> Chart {
        self.values.chart_of(&WithRuns::of_words(input.iter().map(|word| Word(word.0)).collect()))
    }

    /// The number that the words of a span say, if they say one.
    fn said_within(&self, chart: &Chart, span: Range<usize>) -> Option<Said> {
        let (answer, bits) = self.values.answer_within(chart, &span)?;
        let number = answer.value.number()?.clone();
        Some(Said { span, number, answer, bits })
    }

    /// A value with numbers in the place of what stands for them, in a reading; `None` if one stands for none.
    pub fn filled(&self, value: &Value, reading: &Reading, outputs: &Vocabulary) -> Option<Value> {
        let Value::List(list) = value else { return Some(value.clone()) };
        let mut names: Vec<String> = Vec::new();
        let mut tokens = Vec::with_capacity(list.len());
        for &token in list.iter() {
            let stands = token.0.checked_sub(self.token.0).filter(|stands| *stands < self.count);
            let Some(stands) = stands else {
                tokens.push(token);
                continue;
            };
            let name = reading.said.get(stands as usize)?.number.to_string();
            tokens.push(outputs.get(&name).unwrap_or_else(|| {
                names.push(name);
                Symbol((outputs.len() + names.len() - 1) as u32)
            }));
        }
        Some(if names.is_empty() { Value::list(&tokens) } else { Value::Named(tokens.into(), names.into()) })
    }

    /// The number that stands in a pattern with this word, in a reading.
    pub fn said_by<'r>(&self, word: Symbol, reading: &'r Reading) -> Option<&'r Said> {
        let number = word.0.checked_sub(self.word.0).filter(|number| *number < self.count)?;
        reading.said.get(number as usize)
    }
}

/// Spans for some of the numbers of an output.
#[derive(Clone, Default)]
struct Chosen<'s> {
    bits: f64,
    said: Vec<(Symbol, &'s Said)>,
}

impl<'s> Chosen<'s> {
    /// Whether no word of a span says another number.
    fn is_free(&self, span: &Range<usize>) -> bool {
        self.said.iter().all(|(_, other)| other.span.end <= span.start || span.end <= other.span.start)
    }

    fn with(&self, token: Symbol, said: &'s Said) -> Chosen<'s> {
        let bits = self.bits + said.bits;
        Chosen { bits, said: self.said.iter().copied().chain([(token, said)]).collect() }
    }
}

/// The cheapest ways to go on with one more number, which is in the output so often: by one of these spans, the cheapest first, and others that cost no more.
fn chosen<'s>(begun: Vec<Chosen<'s>>, (token, often): (Symbol, usize), same: &[&'s Said]) -> Vec<Chosen<'s>> {
    let mut longer: Vec<Chosen<'s>> = Vec::new();
    for before in begun {
        for (place, first) in same.iter().enumerate().filter(|(_, said)| before.is_free(&said.span)) {
            let mut here = before.with(token, first);
            for other in same[place + 1..].iter().take_while(|said| said.bits <= first.bits) {
                if here.said.len() < before.said.len() + often && here.is_free(&other.span) {
                    here = here.with(token, other);
                }
            }
            longer.push(Chosen { bits: before.bits + first.bits, ..here });
        }
        longer.push(Chosen { bits: before.bits + MISSING, ..before });
    }
    longer.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    longer.truncate(CHOICES);
    longer
}

/// Ways to choose spans that are looked at: for a number, and for all numbers so far.
const CHOICES: usize = 16;
/// What a number without a span costs, in bits: more than any span.
const MISSING: f64 = 1e4;

/// Names what stands for a number so that no text can hold it: texts are cut at blanks.
fn add(names: &mut Vocabulary, number: usize) {
    let mut name = format!("number {number}");
    while names.get(&name).is_some() {
        name.push('\'');
    }
    names.intern(&name);
}

/// All spans of an input of so many words.
fn spans(length: usize) -> impl Iterator<Item = Range<usize>> {
    (0..length).flat_map(move |from| (from + 1..=length).map(move |to| from..to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::{from_bytes, to_bytes};
    use crate::stop::Stop;
    use crate::training::train;

    const TENS: [&str; 4] = ["twenty", "thirty", "forty", "fifty"];
    const ONES: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

    /// `wait twenty one minutes`, `wake me in thirty hours`: numbers of as many tens as ones are left out.
    fn waits() -> Dataset {
        let mut pairs = Vec::new();
        for (tens, word) in (2..).zip(TENS) {
            for (ones, unit) in (1..).zip(ONES).filter(|(ones, _)| *ones != tens) {
                for (name, short) in [("minutes", "m"), ("hours", "h")] {
                    let number = tens * 10 + ones;
                    pairs.push((format!("wait {word} {unit} {name}"), format!("wait ( {number} {short} )")));
                    let wake = format!("wake me in {word} {unit} {name}");
                    pairs.push((wake, format!("wake ( {number} {short} , me )")));
                    pairs.push((format!("wait {unit} {name}"), format!("wait ( {ones} {short} )")));
                }
            }
            pairs.push((format!("wait {word} minutes"), format!("wait ( {} m )", tens * 10)));
        }
        Dataset::from_pairs("waits", &pairs)
    }

    #[test]
    fn numbers_that_training_has_not_are_computed_between_templates() {
        let model = train(&waits(), 0, &mut ());
        let computed = model.computed.as_ref().unwrap();
        let answer = |text: &str| model.result(&model.read(text)).map(|value| model.text(&value));
        assert_eq!(answer("wake me in thirty three hours").as_deref(), Some("wake ( 33 h , me )"));
        assert_eq!(answer("wait forty four minutes").as_deref(), Some("wait ( 44 m )"));
        let best = model.results(&model.read("wait twenty two minutes"));
        assert_eq!(model.text(&best[0].0), "wait ( 22 m )");
        assert!((best.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        // The tree of a number hangs below what stands for it.
        let told = crate::report::explain(&model, "wait forty four minutes").unwrap();
        assert_eq!(told.output.as_deref(), Some("wait ( 44 m )"));
        let value = |word: &str| told.nodes.iter().find(|node| node.word == word)?.value.clone();
        assert_eq!(value("forty").as_deref(), Some("40"));
        assert!(told.nodes.iter().filter(|node| node.head.is_none()).count() == 1);
        assert!(crate::report::unsolved(&model).is_empty());
        // A file holds it, and one that refers to what there is not is refused.
        assert_eq!(from_bytes(&to_bytes(&model)).unwrap(), model);
        assert!(!computed.is_sound(model.inputs.len() - 1, model.outputs.len()));
        assert!(!computed.is_sound(model.inputs.len(), model.outputs.len() - 1));
        let mut forged = model.clone();
        forged.computed.as_mut().unwrap().token.0 += 1;
        assert!(from_bytes(&to_bytes(&forged)).is_err());
    }

    #[test]
    fn single_words_are_no_computation() {
        let pairs: Vec<(String, String)> = (1..)
            .zip(ONES)
            .flat_map(|(number, word)| {
                ["eggs", "rolls"].map(|thing| (format!("order {word} {thing}"), format!("{thing} {number}")))
            })
            .collect();
        assert_eq!(find::find(&Dataset::from_pairs("eggs", &pairs), Stop::new(&|| false)), None);
    }
}
