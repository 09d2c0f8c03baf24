//! What has been learned, ready to answer; one file on disk.

use crate::data::Dataset;
use crate::deduction;
use crate::gss::Gss;
use crate::semantics::lexicon::Lexicon;
use crate::symbol::{Symbol, Vocabulary};
use crate::syntax::Parser;
use crate::syntax::decode::Workspace;
use crate::training::classes::Classes;
use crate::training::meaning::Meanings;
use crate::value::Value;
use serde::{Deserialize, Serialize};

/// Whether results are lists of tokens or numbers; decided from the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutputKind {
    /// Lists of tokens.
    Tokens,
    /// Natural numbers.
    Number,
}

impl OutputKind {
    /// Numbers if every output is one token that is a number below 2^64, else tokens.
    pub fn of(data: &Dataset) -> OutputKind {
        let all_single = data.examples.iter().all(|example| example.output.len() == 1);
        let all_numbers = data.outputs.names().iter().all(|name| number(name).is_some());
        if all_single && all_numbers { OutputKind::Number } else { OutputKind::Tokens }
    }

    /// The value that an output stands for.
    pub fn read(self, output: &[Symbol], outputs: &Vocabulary) -> Option<Value> {
        match self {
            OutputKind::Tokens => Some(Value::list(output)),
            OutputKind::Number => match output {
                [token] => number(outputs.name(*token)).map(Value::Nat),
                _ => None,
            },
        }
    }
}

fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// A trained model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The data it was trained on.
    pub task: String,
    /// The seed it was trained with.
    pub seed: u64,
    /// How many examples it was trained on.
    pub examples: u64,
    /// What results are.
    pub kind: OutputKind,
    /// The input words.
    pub inputs: Vocabulary,
    /// The output tokens.
    pub outputs: Vocabulary,
    /// What the words mean.
    pub lexicon: Lexicon,
    /// The class of each word.
    pub classes: Vec<u32>,
    /// How words combine.
    pub parser: Parser,
    /// What was believed when training ended, from which it can go on.
    pub meanings: Meanings,
}

/// If the parser's tree has no value, so many other trees are tried, the most probable first.
const OTHER_TREES: usize = 8;
/// Longer inputs are answered by the parser's tree or not at all.
const OTHER_TREES_WORDS: usize = 200;

/// An answer: the input worked out, and how many trees were tried before.
pub struct Answer {
    /// The input worked out.
    pub gss: Gss,
    /// 0 if the parser's own tree had a value.
    pub retries: usize,
}

impl Model {
    /// Puts together what training found.
    pub fn new(
        data: &Dataset,
        kind: OutputKind,
        lexicon: Lexicon,
        classes: Classes,
        parser: Parser,
        seed: u64,
        meanings: Meanings,
    ) -> Model {
        Model {
            task: data.name.clone(),
            seed,
            examples: data.examples.len() as u64,
            kind,
            inputs: data.inputs.clone(),
            outputs: data.outputs.clone(),
            lexicon,
            classes: classes.of,
            parser,
            meanings,
        }
    }

    /// The symbols of tokens; `None` for those never seen.
    pub fn symbols<'a>(&self, tokens: impl IntoIterator<Item = &'a str>) -> Vec<Option<Symbol>> {
        tokens.into_iter().map(|token| self.inputs.get(token)).collect()
    }

    /// Works out an input that is not empty. The result is `gss.value()`; it is `None` if no tree tried has
    /// a value.
    pub fn answer(&self, symbols: &[Option<Symbol>], workspace: &mut Workspace) -> Answer {
        let classes: Vec<u32> = symbols
            .iter()
            .map(|symbol| symbol.map_or(u32::MAX, |symbol| self.classes[symbol.index()]))
            .collect();
        let tree = self.parser.parse(&classes, workspace);
        let meanings = deduction::evaluate(&self.lexicon, symbols, &tree);
        let gss = Gss { symbols: symbols.to_vec(), tree, meanings, log_probability: None };
        let unknown = symbols.iter().any(Option::is_none);
        if gss.value().is_some() || unknown || symbols.len() > OTHER_TREES_WORDS {
            return Answer { gss, retries: 0 };
        }
        self.other_trees(symbols, &classes).unwrap_or(Answer { gss, retries: 0 })
    }

    fn other_trees(&self, symbols: &[Option<Symbol>], classes: &[u32]) -> Option<Answer> {
        let trees = self.parser.k_best(classes, 2 * OTHER_TREES, OTHER_TREES);
        trees.into_iter().enumerate().find_map(|(retries, (tree, log_probability))| {
            let meanings = deduction::evaluate(&self.lexicon, symbols, &tree);
            let gss =
                Gss { symbols: symbols.to_vec(), tree, meanings, log_probability: Some(log_probability) };
            gss.value().is_some().then_some(Answer { gss, retries: retries.max(1) })
        })
    }

    /// The text of a result.
    pub fn text(&self, value: &Value) -> String {
        match value {
            Value::Nat(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::Token(token) => self.outputs.name(*token).to_owned(),
            Value::List(list) => {
                let names: Vec<&str> = list.0.iter().map(|&token| self.outputs.name(token)).collect();
                names.join(" ")
            }
        }
    }
}
