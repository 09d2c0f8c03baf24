//! What has been learned, ready to answer; one file on disk.

use crate::data::picture::Preprocess;
use crate::data::spacing::Spacing;
use crate::data::{Cut, Dataset, Tokens, tokenize};
use crate::deduction;
use crate::experience::Experience;
use crate::gss::Gss;
pub use crate::newcomers::Newcomers;
#[cfg(feature = "vision")]
use crate::perception::network::Network;
use crate::perception::{self, Words};
use crate::semantics::Meaning;
use crate::semantics::eval::Stuck;
use crate::semantics::lexicon::Lexicon;
use crate::symbol::{Symbol, Vocabulary, Word};
use crate::syntax::Parser;
use crate::syntax::decode::Workspace;
use crate::theory::knowledge::{self, Knowledge};
use crate::training::meaning::Meanings;
#[cfg(feature = "vision")]
use crate::training::seeing::Progress;
use crate::tree::Tree;
#[cfg(not(feature = "vision"))]
use crate::unseen::{Network, Progress};
use crate::value::Value;
use crate::values;
use crate::values::knowledge::Results;
use serde::{Deserialize, Serialize};

/// Whether results are lists of tokens or numbers; decided from the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutputKind {
    /// Lists of tokens.
    Tokens,
    /// Natural numbers.
    Number,
    /// Whole numbers of any size, below zero too.
    Integer,
}

impl OutputKind {
    /// Numbers if every output is one token of digits, and at least one a number below 2^64; else tokens.
    pub fn of(data: &Dataset) -> OutputKind {
        let all_single = data.examples.iter().all(|example| example.output.len() == 1);
        let names = data.outputs.names();
        let numbers =
            names.iter().all(|name| is_digits(name)) && names.iter().any(|name| number(name).is_some());
        // No examples, no outputs: nothing speaks against numbers.
        if all_single && (numbers || names.is_empty()) { OutputKind::Number } else { OutputKind::Tokens }
    }

    /// The value that an output stands for.
    pub fn read(self, output: &[Symbol], outputs: &Vocabulary) -> Option<Value> {
        match self {
            OutputKind::Tokens => Some(Value::list(output)),
            OutputKind::Number => match output {
                [token] => number(outputs.name(*token)).map(Value::Nat),
                _ => None,
            },
            OutputKind::Integer => match output {
                [token] => outputs.name(*token).parse().ok().map(Value::Integer),
                _ => None,
            },
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(text: &str) -> Option<u64> {
    is_digits(text).then(|| text.parse().ok()).flatten()
}

/// A trained model.
///
/// Either it knows constructions, [`Model::knowledge`] or [`Model::values`], or what single words mean and how they combine,
/// [`Model::lexicon`] and the fields after it; the others are then empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The data it was trained on.
    pub task: String,
    /// How it was trained.
    pub settings: Settings,
    /// How many examples it was trained on.
    pub examples: u64,
    /// What results are.
    pub kind: OutputKind,
    /// The input words.
    pub inputs: Vocabulary,
    /// The output tokens.
    pub outputs: Vocabulary,
    /// The constructions of its inputs, what they say and what fills them; they give all answers where there are any.
    pub knowledge: Option<Knowledge>,
    /// The constructions whose results are computed; they give all answers where there are any.
    pub values: Option<values::knowledge::Knowledge>,
    /// What the words mean.
    pub lexicon: Lexicon,
    /// The class of each word.
    pub classes: Vec<u32>,
    /// How words combine.
    pub parser: Parser,
    /// What was believed when training ended, from which it can go on.
    pub meanings: Meanings,
    /// Whether training ran to its end.
    pub finished: bool,
    /// Some of the training examples that the model gets wrong, the shortest first.
    pub unexplained: Vec<Unexplained>,
    /// Some that it gets right: whoever teaches it more can see to it that they stay right.
    pub remembered: Vec<Remembered>,
    /// What it was taught since.
    pub extensions: Vec<Extension>,
    /// Reads pictures, where inputs are rows of them: its outputs are the input words. A file has it after the rest.
    #[serde(skip)]
    pub eyes: Option<Network>,
    /// How far learning to see had come when it was stopped. A file has it after the rest.
    #[serde(skip)]
    pub seeing: Option<Progress>,
    /// Words it has taken in since it was read, see [`Model::take_in`].
    #[serde(skip)]
    pub newcomers: Option<Newcomers>,
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

/// A training example with the tree that the model has for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// The input's words.
    pub words: Vec<u32>,
    /// The tree.
    pub tree: Tree,
    /// The result.
    pub target: Value,
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

/// If the parser's tree has no value, so many other trees are tried, the most probable first.
const OTHER_TREES: usize = 8;
/// Longer inputs are answered by the parser's tree or not at all.
const OTHER_TREES_WORDS: usize = 200;

/// A longer text is no answer: long tokens many times over would fill the memory.
const MAX_TEXT: usize = 1 << 26;
/// The same of one node of many.
const MAX_NODE_TEXT: usize = 1 << 20;

/// An input worked out word by word, and how many trees were tried before.
pub struct WorkedOut {
    /// The input worked out.
    pub gss: Gss,
    /// 0 if the parser's own tree had a value.
    pub retries: usize,
}

/// What was said, as a result.
pub(crate) fn said(answer: &knowledge::Answer) -> Value {
    Value::list(&answer.tokens.iter().map(|token| Symbol(token.0)).collect::<Vec<_>>())
}

fn words(symbols: &[Option<Symbol>]) -> Vec<Option<Word>> {
    symbols.iter().map(|symbol| symbol.map(|symbol| Word(symbol.0))).collect()
}

/// What was computed, as a result: the number, the token for a truth value, or the list.
pub(crate) fn computed(known: &values::knowledge::Knowledge, value: &values::value::Value) -> Value {
    match (value, known.results()) {
        (values::value::Value::Number(number), _) => Value::Integer(number.clone()),
        (values::value::Value::Truth(truth), Results::Truths(tokens)) => {
            Value::list(&[Symbol(tokens[usize::from(*truth)].0)])
        }
        (values::value::Value::Truth(truth), _) => Value::Bool(*truth),
        (values::value::Value::List(list), _) => {
            Value::list(&list.iter().map(|token| Symbol(token.0)).collect::<Vec<_>>())
        }
    }
}

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

    /// The classes of symbols; of those never seen, one that the parser does not know.
    pub fn classes_of(&self, symbols: &[Option<Symbol>]) -> Vec<u32> {
        let class = |symbol: &Option<Symbol>| symbol.map_or(u32::MAX, |symbol| self.classes[symbol.index()]);
        symbols.iter().map(class).collect()
    }

    /// The result of an input and how many trees were tried before; no result where it has no words, one of them is unknown,
    /// or no tree has a value.
    pub fn result(&self, symbols: &[Option<Symbol>], workspace: &mut Workspace) -> (Option<Value>, usize) {
        let (value, retries) = match &self.knowledge {
            _ if symbols.is_empty() => (None, 0),
            Some(_) => (self.derive(symbols).map(|answer| said(&answer)), 0),
            None => match &self.values {
                Some(known) => (self.compute(symbols).map(|answer| computed(known, &answer.value)), 0),
                None => self.result_by_words(symbols, workspace),
            },
        };
        (value.filter(|value| self.length(value) <= MAX_TEXT), retries)
    }

    /// All results of an input with their probabilities, the most probable first. Programs of words give one, for sure.
    pub fn results(&self, symbols: &[Option<Symbol>], workspace: &mut Workspace) -> Vec<(Value, f64)> {
        if symbols.is_empty() {
            return Vec::new();
        }
        let mut results: Vec<(Value, f64)> = match (&self.knowledge, &self.values) {
            (Some(known), _) => {
                let answers = known.alternatives(&words(symbols));
                answers.iter().map(|answer| (said(answer), answer.probability)).collect()
            }
            (None, Some(known)) => {
                let answers = known.answers(&words(symbols));
                answers.iter().map(|answer| (computed(known, &answer.value), answer.probability)).collect()
            }
            (None, None) => self.result(symbols, workspace).0.into_iter().map(|value| (value, 1.0)).collect(),
        };
        results.retain(|(value, _)| self.length(value) <= MAX_TEXT);
        results
    }

    /// The length of a value's text in bytes, or somewhat more.
    fn length(&self, value: &Value) -> usize {
        match value {
            Value::List(list) => list.0.iter().map(|&token| self.outputs.name(token).len() + 1).sum(),
            _ => 0,
        }
    }

    /// An input put together from constructions; `None` if it cannot be, or the model knows none.
    pub fn derive(&self, symbols: &[Option<Symbol>]) -> Option<knowledge::Answer> {
        self.knowledge.as_ref()?.answer(&words(symbols))
    }

    /// An input computed by constructions; `None` if it cannot be, or the model knows none of that kind.
    pub fn compute(&self, symbols: &[Option<Symbol>]) -> Option<values::knowledge::Answer> {
        self.values.as_ref()?.answer(&words(symbols))
    }

    /// Whether it knows constructions rather than what single words mean.
    pub fn has_constructions(&self) -> bool {
        self.knowledge.is_some() || self.values.is_some()
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
        self
    }

    /// Works out an input word by word; `None` if it is empty, or the model knows constructions instead. The result is
    /// `gss.value()`; it is `None` if no tree tried has a value. Others than the most probable tree are tried only where that
    /// one makes no sense: where its value is too large or never comes, theirs would answer another question.
    pub fn work_out(&self, symbols: &[Option<Symbol>], workspace: &mut Workspace) -> Option<WorkedOut> {
        let by_words = !symbols.is_empty() && !self.has_constructions();
        by_words.then(|| self.answer_by_words(symbols, workspace))
    }

    fn answer_by_words(&self, symbols: &[Option<Symbol>], workspace: &mut Workspace) -> WorkedOut {
        let classes = self.classes_of(symbols);
        let tree = self.parser.parse(&classes, workspace);
        let meanings = deduction::evaluate(&self.lexicon, symbols, &tree);
        let gss = Gss { symbols: symbols.to_vec(), tree, meanings, log_probability: None };
        let unknown = symbols.iter().any(Option::is_none);
        let too_long = symbols.len() > OTHER_TREES_WORDS;
        if gss.value().is_some() || unknown || too_long || self.is_out_of_reach(&gss) {
            return WorkedOut { gss, retries: 0 };
        }
        self.other_trees(symbols, &classes).unwrap_or(WorkedOut { gss, retries: 0 })
    }

    /// The result alone, which takes less memory for a long input, and how many trees were tried before.
    fn result_by_words(
        &self,
        symbols: &[Option<Symbol>],
        workspace: &mut Workspace,
    ) -> (Option<Value>, usize) {
        let tree = self.parser.parse(&self.classes_of(symbols), workspace);
        let value = deduction::result(&self.lexicon, symbols, &tree);
        if value.is_some() || symbols.len() > OTHER_TREES_WORDS {
            return (value, 0);
        }
        let answer = self.answer_by_words(symbols, workspace);
        (answer.gss.value().cloned(), answer.retries)
    }

    /// Whether some word has a program for its children's values that goes on beyond all bounds.
    fn is_out_of_reach(&self, gss: &Gss) -> bool {
        let children = gss.tree.children();
        let goes_on = |node: usize| {
            let below = || children[node].iter().map(|&child| &gss.meanings[child as usize]);
            let symbol = gss.symbols[node].filter(|_| gss.meanings[node] == Meaning::Unknown)?;
            let args: Vec<Value> = below().filter_map(Meaning::value).cloned().collect();
            let (_, sense) = self.lexicon.sense_for(symbol.index(), args.len())?;
            let known = below().all(|meaning| *meaning != Meaning::Unknown);
            Some(known && self.lexicon.apply(sense, &args) == Err(Stuck::Fuel))
        };
        (0..children.len()).any(|node| goes_on(node) == Some(true))
    }

    fn other_trees(&self, symbols: &[Option<Symbol>], classes: &[u32]) -> Option<WorkedOut> {
        let trees = self.parser.k_best(classes, 2 * OTHER_TREES, OTHER_TREES);
        trees.into_iter().enumerate().find_map(|(retries, (tree, log_probability))| {
            let meanings = deduction::evaluate(&self.lexicon, symbols, &tree);
            let gss =
                Gss { symbols: symbols.to_vec(), tree, meanings, log_probability: Some(log_probability) };
            gss.value().is_some().then_some(WorkedOut { gss, retries: retries.max(1) })
        })
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
            Value::Nat(number) => text.push_str(&number.to_string()),
            Value::Integer(number) => text.push_str(&number.to_string()),
            Value::Bool(truth) => text.push_str(&truth.to_string()),
            Value::Token(token) => text.push_str(self.outputs.name(*token)),
            Value::List(list) => self.settings.spacing.write(&list.0, &self.outputs, text),
        }
    }
}
