//! A data set looked at before anything is learned from it: what there is, how it is cut, and what looks wrong.

use crate::data::{Dataset, Example, Tokens};
use crate::number::integer::Integer;
use crate::readable::shorten;
use crate::symbol::{Symbol, Vocabulary};
use crate::values::knowledge::Results;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// So many of each kind are named.
const SHOWN: usize = 5;
/// An output is named in so many characters.
const WIDTH: usize = 40;
/// Larger examples are not learned from.
const LONGEST: usize = 10_000;
/// Fewer examples are few.
const FEW: usize = 20;
/// What headers call their columns, where they are not read as a header already.
const HEADERS: [&str; 24] = [
    "input", "output", "inputs", "outputs", "question", "answer", "query", "sql", "source", "target", "src",
    "tgt", "text", "label", "sentence", "command", "action", "actions", "expr", "res", "result", "from",
    "to", "prompt",
];

/// What a data set looks like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checkup {
    /// The data.
    pub task: String,
    /// How many examples there are.
    pub examples: usize,
    /// How many inputs among them are different.
    pub distinct_inputs: usize,
    /// How inputs are cut.
    pub tokens: String,
    /// How outputs are cut.
    pub output_tokens: String,
    /// What results are: `number` or `tokens`.
    pub outputs_are: &'static str,
    /// The tokens of inputs.
    pub inputs: Side,
    /// The tokens of outputs.
    pub outputs: Side,
    /// How many inputs come with several outputs.
    pub contradictions: usize,
    /// Some of them.
    pub contradictory: Vec<Contradiction>,
    /// The shortest examples.
    pub shortest: Vec<Pair>,
    /// What looks wrong.
    pub warnings: Vec<String>,
}

/// The inputs, or the outputs, of a data set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// How many different tokens there are.
    pub distinct: usize,
    /// How many of them come once.
    pub once: usize,
    /// Some of these.
    pub seen_once: Vec<String>,
    /// The fewest tokens of a text.
    pub shortest: usize,
    /// How many they are on average.
    pub mean: f64,
    /// The most tokens of a text.
    pub longest: usize,
}

/// An input with several outputs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contradiction {
    /// The input.
    pub input: String,
    /// Its outputs.
    pub outputs: Vec<String>,
}

/// An example.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The input.
    pub input: String,
    /// The output.
    pub output: String,
}

/// Looks at `data`.
pub fn checkup(data: &Dataset) -> Checkup {
    let by_input = by_input(data);
    let several = || by_input.iter().filter(|(_, outputs)| outputs.len() > 1);
    let contradictory = several().take(SHOWN).map(|(input, outputs)| Contradiction {
        input: names(&data.inputs, input),
        outputs: outputs.iter().take(SHOWN).cloned().collect(),
    });
    Checkup {
        task: data.name.clone(),
        examples: data.len(),
        distinct_inputs: by_input.len(),
        tokens: data.cut.inputs.to_string(),
        output_tokens: data.cut.outputs.to_string(),
        outputs_are: match crate::training::computed_results(data) {
            Some(Results::Numbers) => "number",
            Some(Results::Truths(_)) => "truth",
            Some(Results::Rows(_)) => "rows",
            Some(Results::Lists(_)) | None => "tokens",
        },
        inputs: Side::of(data, &data.inputs, |example| &example.input),
        outputs: Side::of(data, &data.outputs, |example| &example.output),
        contradictions: several().count(),
        contradictory: contradictory.collect(),
        shortest: shortest(data),
        warnings: warnings(data),
    }
}

/// The outputs of each input.
fn by_input(data: &Dataset) -> BTreeMap<&[Symbol], BTreeSet<String>> {
    let mut found: BTreeMap<&[Symbol], BTreeSet<String>> = BTreeMap::new();
    for example in &data.examples {
        found.entry(&example.input).or_default().insert(data.output_text(example));
    }
    found
}

fn names(vocabulary: &Vocabulary, symbols: &[Symbol]) -> String {
    symbols.iter().map(|&symbol| vocabulary.name(symbol)).collect::<Vec<_>>().join(" ")
}

fn shortest(data: &Dataset) -> Vec<Pair> {
    let mut examples: Vec<&Example> = data.examples.iter().collect();
    examples.sort_by_key(|example| example.input.len() + example.output.len());
    let pair =
        |example: &&Example| Pair { input: data.input_text(example), output: data.output_text(example) };
    let mut seen = BTreeSet::new();
    examples.retain(|example| seen.insert((&example.input, &example.output)));
    examples.iter().take(SHOWN).map(pair).collect()
}

impl Side {
    fn of(data: &Dataset, names: &Vocabulary, part: impl Fn(&Example) -> &[Symbol]) -> Side {
        let counts = counts(data, names, &part);
        let once = || names.names().iter().zip(&counts).filter(|(_, count)| **count == 1);
        let lengths = || data.examples.iter().map(|example| part(example).len());
        Side {
            distinct: names.len(),
            once: once().count(),
            seen_once: once().take(SHOWN).map(|(name, _)| name.clone()).collect(),
            shortest: lengths().min().unwrap_or(0),
            mean: lengths().sum::<usize>() as f64 / data.len().max(1) as f64,
            longest: lengths().max().unwrap_or(0),
        }
    }
}

/// How often each token comes.
fn counts(data: &Dataset, names: &Vocabulary, part: impl Fn(&Example) -> &[Symbol]) -> Vec<usize> {
    let mut counts = vec![0; names.len()];
    for token in data.examples.iter().flat_map(part) {
        counts[token.index()] += 1;
    }
    counts
}

/// What looks wrong, in a sentence each.
fn warnings(data: &Dataset) -> Vec<String> {
    let checks: [fn(&Dataset) -> Option<String>; 13] = [
        header, mixed, numbered, thirds, exchanged, quoted, constant, empty, large, odd_blanks, blanks,
        cases, few,
    ];
    checks.iter().filter_map(|check| check(data)).collect()
}

/// A first line that names columns.
fn header(data: &Dataset) -> Option<String> {
    let first = data.examples.first().filter(|_| data.len() > 1)?;
    let (input, output) = (data.input_text(first), data.output_text(first));
    let is_name = |text: &str| HEADERS.contains(&text.to_lowercase().as_str());
    let rest = || data.examples[1..].iter();
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = !output.is_empty() && output.chars().all(|letter| letter.is_alphabetic() || letter == '_');
    let beside_numbers = is_word && rest().all(|example| is_digits(&data.output_text(example)));
    ((is_name(&input) && is_name(&output)) || beside_numbers || stands_apart(data)).then(|| {
        format!("the first line looks like a header taken for data: `{input}`, `{output}`; --input and --output name columns")
    })
}

/// Whether the first example alone has nothing in common with any other, on either side.
fn stands_apart(data: &Dataset) -> bool {
    let inputs = counts(data, &data.inputs, |example| &example.input);
    let outputs = counts(data, &data.outputs, |example| &example.output);
    let is_apart = |example: &Example| {
        let both = [(&example.input, &inputs), (&example.output, &outputs)];
        both.iter()
            .all(|(side, counts)| !side.is_empty() && side.iter().all(|symbol| counts[symbol.index()] == 1))
    };
    let mut apart = data.examples.iter().enumerate().filter(|(_, example)| is_apart(example));
    data.len() > FEW && apart.next().is_some_and(|(first, _)| first == 0) && apart.next().is_none()
}

/// Outputs of which most are numbers, but not all are whole ones: then none is computed.
pub fn mixed(data: &Dataset) -> Option<String> {
    let is_number = |text: &str| text.parse::<f64>().is_ok() && !text.contains(char::is_alphabetic);
    let texts = || data.examples.iter().map(|example| data.output_text(example));
    let others: Vec<String> = texts().filter(|text| text.parse::<Integer>().is_err()).collect();
    let is_mixed = !others.is_empty() && 2 * texts().filter(|text| is_number(text)).count() > data.len();
    is_mixed.then(|| {
        let (number, all, first) = (others.len(), data.len(), shorten(&others[0], WIDTH));
        format!("most outputs are numbers, but {number} of {all} are no whole ones of up to 10,000 digits, such as `{first}`: all are taken for tokens")
    })
}

/// Inputs that are the numbers of lines.
fn numbered(data: &Dataset) -> Option<String> {
    let number = |example: &Example| data.input_text(example).parse::<u64>().ok();
    let numbers: Option<Vec<u64>> = data.examples.iter().map(number).collect();
    let numbers = numbers.filter(|numbers| numbers.len() > 2)?;
    let in_turn = numbers.windows(2).all(|two| two[0].checked_add(1) == Some(two[1]));
    let same = data
        .examples
        .iter()
        .zip(&numbers)
        .all(|(example, number)| data.output_text(example) == number.to_string());
    (in_turn && !same).then(|| "inputs count the lines: are the columns shifted?".to_owned())
}

/// A third column that has too many values to name parts of a test set.
fn thirds(data: &Dataset) -> Option<String> {
    let many = data.subsets.len() > SHOWN.max(data.len() / 2);
    many.then(|| {
        let (number, first) = (data.subsets.len(), shorten(&data.subsets[0], WIDTH));
        format!("{number} subsets are named, such as `{first}`: is their column the output?")
    })
}

/// Lines whose input is made of output tokens, and the other way round.
fn exchanged(data: &Dataset) -> Option<String> {
    let used = |names: &Vocabulary, part: fn(&Example) -> &[Symbol]| {
        let counts = counts(data, names, part);
        let counts = names.names().iter().cloned().zip(counts);
        counts.collect::<FxHashMap<String, usize>>()
    };
    let inputs = used(&data.inputs, |example| &example.input);
    let outputs = used(&data.outputs, |example| &example.output);
    let often = |counts: &FxHashMap<String, usize>, name: &str| counts.get(name).copied().unwrap_or(0);
    let leaning = |name: &str| often(&inputs, name).cmp(&often(&outputs, name));
    // Names that both sides share as often say nothing.
    let lean = |tokens: &mut dyn Iterator<Item = &str>, to: Ordering| {
        let leanings: Vec<Ordering> = tokens.map(leaning).filter(|way| way.is_ne()).collect();
        !leanings.is_empty() && leanings.iter().all(|&way| way == to)
    };
    let is_exchanged = |example: &&Example| {
        lean(&mut data.input_tokens(example), Ordering::Less)
            && lean(&mut data.output_tokens(example), Ordering::Greater)
    };
    let found: Vec<&Example> = data.examples.iter().filter(is_exchanged).collect();
    let first = found.first()?;
    Some(format!(
        "{} where input and output seem to be exchanged, such as `{}`",
        lines(found.len()),
        data.input_text(first)
    ))
}

/// Texts that all stand in quotes, as some programs write them.
fn quoted(data: &Dataset) -> Option<String> {
    let is_quoted = |text: String| text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    let mut sides = Vec::new();
    if data.examples.iter().all(|example| is_quoted(data.input_text(example))) {
        sides.push("inputs");
    }
    if data.examples.iter().all(|example| is_quoted(data.output_text(example))) {
        sides.push("outputs");
    }
    (!sides.is_empty())
        .then(|| format!("all {} stand in quotes, which are learned as they stand", sides.join(" and ")))
}

/// One output for everything.
fn constant(data: &Dataset) -> Option<String> {
    let first = data.examples.first()?;
    let same = data.len() > 1 && data.examples.iter().all(|example| example.output == first.output);
    same.then(|| format!("every output is `{}`", data.output_text(first)))
}

fn empty(data: &Dataset) -> Option<String> {
    let empty = data.examples.iter().filter(|example| example.output.is_empty()).count();
    (empty > 0).then(|| format!("{} with an empty output", lines(empty)))
}

/// What training leaves out.
fn large(data: &Dataset) -> Option<String> {
    let is_large = |example: &&Example| example.input.len() + example.output.len() > LONGEST;
    let large = data.examples.iter().filter(is_large).count();
    (large > 0)
        .then(|| format!("{} that training leaves out: more than 10,000 words and tokens", lines(large)))
}

/// Blanks of outputs that answers cannot have.
pub fn odd_blanks(data: &Dataset) -> Option<String> {
    let outputs = counted(data.odd_blanks, "output");
    (data.odd_blanks > 0).then(|| {
        format!("{outputs} with tabs, line ends or several blanks in a row: answers have one blank there")
    })
}

/// Blanks that do not separate.
fn blanks(data: &Dataset) -> Option<String> {
    let is_blank = |letter: char| letter.is_whitespace() && !letter.is_ascii_whitespace();
    let odd = |name: &&String| name.contains(is_blank) || name.contains(|letter: char| letter.is_control());
    let all = || data.inputs.names().iter().chain(data.outputs.names());
    let first = all().find(odd)?;
    let number = all().filter(odd).count();
    Some(format!(
        "{} with blanks that separate nothing, or control characters, such as `{}`",
        counted(number, "token"),
        first.escape_debug()
    ))
}

/// Words that differ by capital letters alone.
fn cases(data: &Dataset) -> Option<String> {
    let mut spellings: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in data.inputs.names().iter().filter(|_| data.cut.inputs != Tokens::Chars) {
        spellings.entry(name.to_lowercase()).or_default().push(name);
    }
    let mut several = spellings.values().filter(|names| names.len() > 1);
    let number = several.clone().count();
    let first = several.next()?.join("` and `");
    let words = counted(number, "word");
    Some(format!("{words} of inputs in capital and in small letters, such as `{first}`: learned apart"))
}

fn few(data: &Dataset) -> Option<String> {
    (data.len() < FEW).then(|| format!("there are few examples: {}", data.len()))
}

fn lines(number: usize) -> String {
    counted(number, "example")
}

fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
