//! What has been learned, ready to answer; one file on disk.

use crate::computed::Computed;
use crate::computed::reading::Reading;
use crate::data::picture::Preprocess;
use crate::data::{Cut, Dataset, Spacing, Tokens, tokenize};
use crate::experience::Experience;
use crate::number::integer::Integer;
#[cfg(feature = "vision")]
use crate::perception::network::Network;
use crate::perception::{self, Words};
use crate::settings::NEGLIGIBLE;
use crate::symbol::{Names, Symbol, Token, Vocabulary, Word};
use crate::syntax::{Grammar, Parser};
use crate::theory::EntryId;
use crate::theory::confidence::Confidence;
use crate::theory::knowledge::{self, Knowledge};
#[cfg(feature = "vision")]
use crate::training::seeing::Progress;
#[cfg(not(feature = "vision"))]
use crate::unseen::{Network, Progress};
use crate::value::Value;
use crate::values;
use crate::values::knowledge::Frame;
pub use crate::values::knowledge::Results;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Whether results are lists of tokens or numbers; decided from the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Lists of tokens.
    Tokens,
    /// Whole numbers of any size, below zero too.
    Number,
}

impl OutputKind {
    /// Numbers if every output is one token that is a whole number; else tokens.
    pub fn of(data: &Dataset) -> OutputKind {
        let is_number = |output: &[Symbol]| matches!(output, [token] if data.outputs.name(*token).parse::<Integer>().is_ok());
        let all_numbers = data.examples.iter().all(|example| is_number(&example.output));
        if all_numbers && !data.is_empty() { OutputKind::Number } else { OutputKind::Tokens }
    }

    /// The value that an output stands for.
    pub fn read(self, output: &[Symbol], outputs: &Vocabulary) -> Option<Value> {
        match (self, output) {
            (OutputKind::Tokens, tokens) => Some(Value::list(tokens)),
            (OutputKind::Number, [token]) => outputs.name(*token).parse().ok().map(Value::Number),
            (OutputKind::Number, _) => None,
        }
    }
}

/// What a model knows: constructions of one kind or the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Known {
    /// Constructions with what they say, and what fills them.
    Says(Box<Knowledge>),
    /// Constructions whose results are computed.
    Computes(Box<values::knowledge::Knowledge>),
}

impl Known {
    /// The patterns as the parser sees them.
    pub(crate) fn grammar(&self) -> &Grammar {
        match self {
            Known::Says(known) => known.grammar(),
            Known::Computes(known) => known.grammar(),
        }
    }

    /// How many constructions there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Known::Says(known) => known.theory.len(),
            Known::Computes(known) => known.entries().len(),
        }
    }

    /// The words of a construction.
    pub(crate) fn words(&self, id: usize) -> Vec<Word> {
        match self {
            Known::Says(known) => known.theory.entry(id as EntryId).words().collect(),
            Known::Computes(known) => known.entries()[id].entry.pattern.words().collect(),
        }
    }

    /// How often a construction is used: what a picture may mean is asked by that.
    #[cfg(feature = "vision")]
    pub(crate) fn uses(&self, id: usize) -> f64 {
        match self {
            Known::Says(known) => known.counts.uses(id as EntryId),
            Known::Computes(known) => known.entries()[id].uses,
        }
    }
}

/// A trained model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The data it was trained on.
    pub task: String,
    /// How it was trained.
    pub settings: Settings,
    /// How many examples it was trained on.
    pub examples: u64,
    /// The input words.
    pub inputs: Vocabulary,
    /// The output tokens.
    pub outputs: Vocabulary,
    /// The constructions of its inputs, which give all answers.
    pub known: Known,
    /// How sure its answers are, where their shares in all that trees say do not tell.
    pub confidence: Option<Confidence>,
    /// What computes numbers that the rest of an output stands around, where there are some: then constructions are of inputs without these.
    pub computed: Option<Computed>,
    /// The parser that has learned their trees, where there is one.
    pub parser: Option<Parser>,
    /// Whether training ran to its end.
    pub finished: bool,
    /// Some of the training examples that the model gets wrong, the shortest first.
    pub unexplained: Vec<Unexplained>,
    /// What it was taught since.
    pub extensions: Vec<Extension>,
    /// Reads pictures, where inputs are rows of them: its outputs are the input words. A file has it after the rest.
    #[serde(skip)]
    pub eyes: Option<Network>,
    /// How far learning to see had come when it was stopped. A file has it after the rest.
    #[serde(skip)]
    pub seeing: Option<Progress>,
    /// Words from this number on were taken in since it was read, see [`Model::take_in`].
    #[serde(skip)]
    pub newcomers: Option<usize>,
}

/// What a user chose for a training run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// All randomness came from this.
    pub seed: u64,
    /// How inputs are cut into tokens.
    pub tokens: Tokens,
    /// How outputs were cut into tokens.
    pub output_tokens: Tokens,
    /// Where blanks stand in answers, as they did in training outputs.
    pub spacing: Spacing,
    /// What earlier tasks had taught.
    pub experience: Experience,
    /// So many random examples were taken, if not all.
    pub take: Option<u64>,
    /// Steps of the network in its last round, where inputs are pictures and it was not the usual number.
    pub steps: Option<u64>,
    /// Whether looks were learned first even if rows of one picture told enough.
    pub pretrain: bool,
    /// How pictures were brought to one size, where inputs are pictures; others must be brought to it in the same way.
    pub preprocess: Preprocess,
}

impl Settings {
    /// Texts are cut, and answers written, as those of `data`.
    pub fn of(data: &Dataset, seed: u64) -> Settings {
        let Cut { inputs: tokens, outputs: output_tokens } = data.cut;
        Settings { seed, tokens, output_tokens, spacing: Spacing::learn(data), ..Settings::default() }
    }

    /// How texts are cut.
    pub fn cut(&self) -> Cut {
        Cut { inputs: self.tokens, outputs: self.output_tokens }
    }
}

/// New words that a model was taught.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extension {
    /// The data.
    pub task: String,
    /// How many examples there were.
    pub examples: u64,
    /// How it was taught.
    pub settings: Settings,
    /// The words from this number on were new.
    pub first: u32,
}

/// A training example that a model gets wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unexplained {
    /// The input's words.
    pub input: Vec<Symbol>,
    /// The output that was given.
    pub wanted: Vec<Symbol>,
    /// The model's answer, as text, if it has one.
    pub found: Option<String>,
}

/// A longer text is no answer: long tokens many times over would fill the memory.
const MAX_TEXT: usize = 1 << 26;
/// The same of one node of many.
const MAX_NODE_TEXT: usize = 1 << 20;

/// How an input was worked out.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Put together from what constructions say.
    Said(knowledge::Answer),
    /// Computed by constructions.
    Computed(values::knowledge::Answer),
}

/// A result of an input, and how it came about.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The result.
    pub value: Value,
    /// How probable it is among all results.
    pub probability: f64,
    /// What its tree costs, and the way in which its numbers were read.
    bits: f64,
    /// How the input came to it.
    pub answer: Answer,
    /// The input with its numbers taken out, where words say some.
    pub reading: Option<Reading>,
}

impl Derived {
    fn said(known: &Knowledge, answer: knowledge::Answer) -> Derived {
        let (bits, probability) = (known.bits_of(&answer), answer.probability);
        Derived { value: said(&answer), probability, bits, answer: Answer::Said(answer), reading: None }
    }
}

/// The list of these tokens.
pub(crate) fn listed(tokens: &[Token]) -> Value {
    Value::list(&tokens.iter().map(|token| Symbol(token.0)).collect::<Vec<_>>())
}

/// What was said, as a result.
pub(crate) fn said(answer: &knowledge::Answer) -> Value {
    listed(&answer.tokens)
}

fn words(symbols: &[Option<Symbol>]) -> Vec<Option<Word>> {
    symbols.iter().map(|symbol| symbol.map(|symbol| Word(symbol.0))).collect()
}

/// What was computed, as a result: the number, the token for a truth value, or the list.
pub(crate) fn computed(
    known: &values::knowledge::Knowledge,
    value: &values::value::Value,
    outputs: &Vocabulary,
) -> Value {
    match (value, known.results()) {
        (values::value::Value::Row(row), Results::Rows(frame)) => written(frame, row, outputs),
        (values::value::Value::Row(row), _) => written(&Frame::default(), row, outputs),
        (values::value::Value::Number(number), _) => Value::Number(number.clone()),
        (values::value::Value::Truth(truth), Results::Truths(tokens)) => {
            Value::list(&[Symbol(tokens[usize::from(*truth)].0)])
        }
        (values::value::Value::Truth(truth), _) => Value::Truth(*truth),
        (values::value::Value::List(list), _) => listed(list),
    }
}

/// A row of numbers as tokens, of which those that there are not are named.
fn written(frame: &Frame, row: &[Integer], outputs: &Vocabulary) -> Value {
    let mut names: Vec<String> = Vec::new();
    let token = |number: &Integer| {
        let name = number.to_string();
        let symbol = outputs.get(&name).unwrap_or_else(|| {
            names.push(name);
            Symbol((outputs.len() + names.len() - 1) as u32)
        });
        Token(symbol.0)
    };
    let tokens: Vec<Token> = row.iter().map(token).collect();
    let tokens: Vec<Symbol> = frame.written(&tokens).into_iter().map(|token| Symbol(token.0)).collect();
    if names.is_empty() { Value::list(&tokens) } else { Value::Named(tokens.into(), names.into()) }
}

/// Whether a word is spelled as a token is; outputs that refer to places have tokens without a name, and what stands for numbers has no spelling.
fn is_name(
    (inputs, word): (&Vocabulary, Word),
    (outputs, token): (&Vocabulary, Token),
    numbers: Option<&Computed>,
) -> bool {
    let token = outputs.names().get(token.0 as usize);
    let is_number = numbers.is_some_and(|numbers| numbers.stands_for_numbers(Symbol(word.0)));
    !is_number && token.is_some() && inputs.names().get(word.0 as usize) == token
}

/// At most so many words are taken in.
const MOST_NEWCOMERS: usize = 100_000;

impl Model {
    /// The symbols of tokens; `None` for those never seen.
    pub fn symbols<'a>(&self, tokens: impl IntoIterator<Item = &'a str>) -> Vec<Option<Symbol>> {
        let tokens: Vec<&str> = tokens.into_iter().collect();
        let mut symbols = perception::read(&Words(&self.inputs), &tokens);
        self.put_out_newcomers(&mut symbols);
        symbols
    }

    /// The symbols of a text, cut into words as the training data were.
    pub fn read(&self, text: &str) -> Vec<Option<Symbol>> {
        self.symbols(tokenize(text, self.settings.tokens))
    }

    /// Writes the symbols of a text over `symbols`.
    pub fn read_into(&self, text: &str, symbols: &mut Vec<Option<Symbol>>) {
        symbols.clear();
        symbols.extend(tokenize(text, self.settings.tokens).map(|token| self.inputs.get(token)));
        self.put_out_newcomers(symbols);
    }

    /// The result of an input; none where it has no words, one of them is unknown, or nothing fits together.
    pub fn result(&self, symbols: &[Option<Symbol>]) -> Option<Value> {
        let parsed = |symbols: &[Option<Symbol>]| self.derived_by_parser(symbols).into_iter().collect();
        let derived = self.in_all_readings(symbols, parsed).into_iter().next()?;
        Some(derived.value).filter(|value| self.length(value) <= MAX_TEXT)
    }

    /// The same as text.
    pub fn result_text(&self, symbols: &[Option<Symbol>]) -> Option<String> {
        self.result(symbols).map(|value| self.text(&value))
    }

    /// All results of an input with their probabilities, the most probable first.
    pub fn results(&self, symbols: &[Option<Symbol>]) -> Vec<(Value, f64)> {
        let derived = self.derivations(symbols).into_iter();
        derived.map(|Derived { value, probability, .. }| (value, probability)).collect()
    }

    /// The same, and how each came about.
    pub fn derivations(&self, symbols: &[Option<Symbol>]) -> Vec<Derived> {
        let mut derived = self.in_all_readings(symbols, |symbols| self.all_derived(symbols));
        derived.retain(|derived| self.length(&derived.value) <= MAX_TEXT);
        if let Some(confidence) = &self.confidence {
            confidence.weigh(derived.iter_mut().map(|derived| &mut derived.probability));
        }
        derived
    }

    /// The result of an input whose numbers are taken out, if it has some.
    fn derived_by_parser(&self, symbols: &[Option<Symbol>]) -> Option<Derived> {
        let parser = self.parser.as_ref();
        match &self.known {
            _ if symbols.is_empty() => None,
            Known::Says(known) => Some(Derived::said(known, known.answer_by(parser, &words(symbols))?)),
            Known::Computes(known) => Some(self.derived_by(known, known.answer_by(parser, &words(symbols))?)),
        }
    }

    /// All results of an input whose numbers are taken out, if it has some.
    fn all_derived(&self, symbols: &[Option<Symbol>]) -> Vec<Derived> {
        match &self.known {
            _ if symbols.is_empty() => Vec::new(),
            Known::Says(known) => {
                let answers = known.alternatives(&words(symbols)).into_iter();
                answers.map(|answer| Derived::said(known, answer)).collect()
            }
            Known::Computes(known) => {
                let answers = known.answers(&words(symbols)).into_iter();
                answers.map(|answer| self.derived_by(known, answer)).collect()
            }
        }
    }

    fn derived_by(&self, known: &values::knowledge::Knowledge, answer: values::knowledge::Answer) -> Derived {
        let value = computed(known, &answer.value, &self.outputs);
        let probability = answer.probability;
        Derived { value, probability, bits: 0.0, answer: Answer::Computed(answer), reading: None }
    }

    /// The results of an input in all ways to read its numbers, if words say some, the most probable first.
    fn in_all_readings(
        &self,
        symbols: &[Option<Symbol>],
        derive: impl Fn(&[Option<Symbol>]) -> Vec<Derived>,
    ) -> Vec<Derived> {
        let Some(computed) = &self.computed else { return derive(symbols) };
        let mut least = f64::INFINITY;
        let mut found: Vec<Derived> = Vec::new();
        for reading in computed.readings(symbols, |word| self.has_construction(word)) {
            if reading.bits > least + NEGLIGIBLE {
                continue;
            }
            let derived = derive(&reading.symbols);
            let Some(bits) = derived.iter().map(|derived| derived.bits).min_by(f64::total_cmp) else {
                continue;
            };
            let bits = bits + reading.bits;
            least = least.min(bits);
            for derived in derived {
                let Some(value) = computed.filled(&derived.value, &reading, &self.outputs) else { continue };
                found.push(Derived { value, bits, reading: Some(reading.clone()), ..derived });
            }
        }
        let mut results: Vec<Derived> = Vec::new();
        for mut derived in found {
            derived.probability *= (least - derived.bits).exp2();
            match results.iter_mut().find(|other| other.value == derived.value) {
                Some(same) => same.probability += derived.probability,
                None => results.push(derived),
            }
        }
        let all: f64 = results.iter().map(|derived| derived.probability).sum();
        results.iter_mut().for_each(|derived| derived.probability /= all);
        results.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        results
    }

    /// Whether a construction has the word, numbers set aside.
    fn has_construction(&self, word: Symbol) -> bool {
        match &self.known {
            Known::Says(known) => known.has_word(Word(word.0)),
            Known::Computes(_) => true,
        }
    }

    /// The length of a value's text in bytes, or somewhat more.
    fn length(&self, value: &Value) -> usize {
        match value {
            Value::List(list) => self.length_of(list, &[]),
            Value::Named(list, names) => self.length_of(list, names),
            Value::Number(_) | Value::Truth(_) => 0,
        }
    }

    fn length_of(&self, list: &[Symbol], names: &[String]) -> usize {
        let names = Names::new(&self.outputs, names);
        list.iter().map(|&token| names.name(token).len() + 1).sum()
    }

    /// An input put together from constructions that say tokens, by the chart if it is not too long for one; `None` if it cannot be.
    pub fn derive(&self, symbols: &[Option<Symbol>]) -> Option<knowledge::Answer> {
        let (known, words) = (self.says()?, words(symbols));
        let mut answer = known.answer(&words).or_else(|| known.answer_by(self.parser.as_ref(), &words))?;
        let share = known.share(&words, &answer);
        answer.probability = self.confidence.map_or(share, |confidence| confidence.of(share));
        Some(answer)
    }

    /// The same, with the numbers taken out first, and these.
    pub fn derive_reading(&self, symbols: &[Option<Symbol>]) -> Option<(knowledge::Answer, Reading)> {
        let known = self.says()?;
        let readings = self.computed.as_ref()?.readings(symbols, |word| self.has_construction(word));
        let derived = readings.into_iter().filter_map(|reading| {
            let answer = self.derive(&reading.symbols)?;
            Some((reading.bits + known.bits_of(&answer), answer, reading))
        });
        let best = derived.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((best.1, best.2))
    }

    /// An input computed by constructions, by the chart if it is not too long for one; `None` if it cannot be.
    pub fn compute(&self, symbols: &[Option<Symbol>]) -> Option<values::knowledge::Answer> {
        let (known, words) = (self.computes()?, words(symbols));
        known.answer(&words).or_else(|| known.answer_by(self.parser.as_ref(), &words))
    }

    /// What results are.
    pub fn kind(&self) -> OutputKind {
        match self.computes().map(|known| known.results()) {
            Some(Results::Numbers) => OutputKind::Number,
            Some(_) | None => OutputKind::Tokens,
        }
    }

    /// The constructions that say tokens, if it knows these.
    pub fn says(&self) -> Option<&Knowledge> {
        match &self.known {
            Known::Says(known) => Some(known),
            Known::Computes(_) => None,
        }
    }

    /// The constructions that compute, if it knows these.
    pub fn computes(&self) -> Option<&values::knowledge::Knowledge> {
        match &self.known {
            Known::Says(_) => None,
            Known::Computes(known) => Some(known),
        }
    }

    /// The model with the vocabulary of `data`, from which it was taught.
    pub(crate) fn extended(mut self, data: &Dataset, seed: u64, finished: bool) -> Model {
        self.extensions.push(Extension {
            task: data.name.clone(),
            examples: data.examples.len() as u64,
            settings: Settings { seed, ..self.settings.clone() },
            first: self.inputs.len() as u32,
        });
        self.inputs.clone_from(&data.inputs);
        self.outputs.clone_from(&data.outputs);
        self.finished = finished;
        // It has not learned the new constructions.
        self.parser = None;
        self
    }

    /// The text of a result.
    pub fn text(&self, value: &Value) -> String {
        let mut text = String::new();
        self.text_into(value, &mut text);
        text
    }

    /// The text of an answer; `None` if it would be too long to be one.
    pub fn text_of_answer(&self, value: &Value) -> Option<String> {
        (self.length(value) <= MAX_TEXT).then(|| self.text(value))
    }

    /// The text of a node's value; of a very long one, how long it is.
    pub fn text_of_node(&self, value: &Value) -> String {
        match self.length(value) <= MAX_NODE_TEXT {
            true => self.text(value),
            false => format!("… ({})", value.extent()),
        }
    }

    /// Adds the text of a result to `text`.
    pub fn text_into(&self, value: &Value, text: &mut String) {
        match value {
            Value::Number(number) => text.push_str(&number.to_string()),
            Value::Truth(truth) => text.push_str(&truth.to_string()),
            Value::List(list) => self.settings.spacing.write(list, &self.outputs, text),
            Value::Named(list, names) => {
                self.settings.spacing.write(list, Names::new(&self.outputs, names), text);
            }
        }
    }

    /// The open class of words, where most bring tokens of their own names: a word never seen is one more of them.
    fn open_class(&self) -> Option<&values::open::Open> {
        self.computes()?.open().filter(|open| open.copies)
    }

    /// Makes newcomers unknown that stand where none of their class stood in training.
    fn put_out_newcomers(&self, symbols: &mut [Option<Symbol>]) {
        let (Some(first), Some(open)) = (self.newcomers, self.open_class()) else { return };
        let mut before: Option<Symbol> = None;
        for symbol in symbols {
            let now = *symbol;
            let is_new = now.is_some_and(|symbol| symbol.index() >= first);
            if is_new && !open.may_follow(before.map(|before| Word(before.0))) {
                *symbol = None;
            }
            before = now;
        }
    }

    /// Whether words never seen have a meaning somewhere: where words say their own names, they do, too.
    fn copies(&self) -> bool {
        match &self.known {
            Known::Says(known) => {
                let numbers = self.computed.as_ref();
                known.copies(|word, token| is_name((&self.inputs, word), (&self.outputs, token), numbers))
            }
            Known::Computes(_) => self.open_class().is_some(),
        }
    }

    /// Takes in a word never seen as one more of those that say their own names, if there are any.
    pub fn take_in(&mut self, word: &str) {
        let is_known = self.inputs.get(word).is_some();
        if is_known || self.inputs.len() >= MOST_NEWCOMERS || !self.copies() {
            return;
        }
        self.newcomers.get_or_insert(self.inputs.len());
        let (new, token) = (Word(self.inputs.intern(word).0), Token(self.outputs.intern(word).0));
        let (inputs, outputs, numbers) = (&self.inputs, &self.outputs, self.computed.as_ref());
        match &mut self.known {
            Known::Computes(known) => known.take_in(token),
            Known::Says(known) => {
                known.take_in(new, token, |word, token| is_name((inputs, word), (outputs, token), numbers));
            }
        }
    }

    /// The model with those of `words` that it has never seen taken in, if it is clear what they mean.
    pub fn with_newcomers<'a>(&self, words: impl Iterator<Item = &'a str>) -> Cow<'_, Model> {
        let unknown: Vec<&str> = words.filter(|word| self.inputs.get(word).is_none()).collect();
        if unknown.is_empty() || !self.copies() {
            return Cow::Borrowed(self);
        }
        let mut model = self.clone();
        unknown.iter().for_each(|word| model.take_in(word));
        Cow::Owned(model)
    }
}
