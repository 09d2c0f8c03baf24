//! PCFG SET's own further tests, as its authors publish and score them.
//!
//! - *Localism*: is the answer to a command the one that is put together from the answers to its parts?
//! - *Substitutivity*: do synonyms (`append` and `append_twin`) get the same answers, whether they are trained alike
//!   or the twin is trained alone only?
//! - *Overgeneralisation*: are a few exceptions to the rule followed, or the rule?
//!
//! The test files are published, the training inputs are lost. [`with_synonyms`] and [`with_exceptions`] make them
//! from another training set, as the authors describe it.

use super::super::builtin::find;
use super::super::lines::Lines;
use super::super::{Builder, Dataset, ReadOptions, Tokens, read, tokenize};
use super::{COMMA, UNARY, argument, letters};
use crate::error::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// The functions that get a synonym, which is called the same with `_twin` behind it.
pub const WITH_SYNONYM: [&str; 4] = ["swap_first_last", "repeat", "append", "remove_second"];
const TWIN: &str = "_twin";

/// Functions that mean something else where one stands directly before the other.
const EXCEPTIONS: [[&str; 2]; 4] =
    [["reverse", "echo"], ["prepend", "remove_first"], ["echo", "remove_first"], ["prepend", "reverse"]];

/// How synonyms are trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synonyms {
    /// Each takes the place of half of the function's occurrences.
    EquallyDistributed,
    /// Only alone, with letters: as many commands for each as a thousandth of the training set.
    Primitive,
}

/// A command in parts: each is answered with the answers to earlier ones in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unrolled {
    /// Commands of one function, in which `*1` stands for the answer to the first of them, and so on.
    pub steps: Vec<String>,
    /// The whole command.
    pub whole: String,
}

/// The set at `name` among the published files of PCFG SET, such as `substitutivity/primitive/test`; `None` if it is
/// not there.
pub fn published(folder: Option<&Path>, name: &str) -> Result<Option<Dataset>> {
    let path = folder.and_then(|folder| find(folder, &format!("pcfg/{name}.src")));
    path.map(|path| read(path, &ReadOptions::words())).transpose()
}

/// The published commands in parts; `None` if the file is not there.
pub fn unrolled(folder: Option<&Path>) -> Result<Option<Vec<Unrolled>>> {
    let path = folder.and_then(|folder| find(folder, "pcfg/localism/unrolled_test.tsv"));
    path.map(|path| read_unrolled(&path)).transpose()
}

fn read_unrolled(path: &Path) -> Result<Vec<Unrolled>> {
    const EXPECTED: &str = "unrolled or original, a command and its result, with tabs between";
    let mut lines = Lines::open(path, "commands in parts")?;
    let (mut all, mut next) = (Vec::new(), Unrolled::default());
    while lines.next_filled(EXPECTED)? {
        let mut columns = lines.line().split('\t');
        match (columns.next(), columns.next()) {
            (Some("unrolled"), Some(step)) => next.steps.push(step.to_owned()),
            (Some("original"), Some(whole)) => {
                all.push(Unrolled { whole: whole.to_owned(), ..std::mem::take(&mut next) });
            }
            _ => {
                return Err(lines.error(EXPECTED, "another line"));
            }
        }
    }
    Ok(all)
}

impl Unrolled {
    /// Works it out step by step with what `answer` says to each; `None` if it has no answer to one of them.
    pub fn answer(&self, mut answer: impl FnMut(&str) -> Option<String>) -> Option<String> {
        let mut answers: Vec<String> = Vec::new();
        for step in &self.steps {
            let known = |token: &str| {
                let number: Option<usize> = token.strip_prefix('*').and_then(|number| number.parse().ok());
                match number {
                    Some(number) => answers.get(number.checked_sub(1)?).cloned(),
                    None => Some(token.to_owned()),
                }
            };
            let command: Option<Vec<String>> = step.split_ascii_whitespace().map(known).collect();
            answers.push(answer(&command?.join(" "))?);
        }
        answers.pop()
    }
}

/// A training set in which [`WITH_SYNONYM`] have synonyms.
pub fn with_synonyms(train: &Dataset, synonyms: Synonyms, seed: u64) -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut builder = Builder::default();
    let mut rename = |token: &str| match WITH_SYNONYM.contains(&token) && rng.random_bool(0.5) {
        true => format!("{token}{TWIN}"),
        false => token.to_owned(),
    };
    for example in &train.examples {
        let tokens = train.input_tokens(example);
        let tokens: Vec<String> = match synonyms {
            Synonyms::EquallyDistributed => tokens.map(&mut rename).collect(),
            Synonyms::Primitive => tokens.map(str::to_owned).collect(),
        };
        builder.push(tokens.iter().map(String::as_str), train.output_tokens(example), None);
    }
    if synonyms == Synonyms::Primitive {
        push_primitives(&mut builder, train.len() / 1_000, &mut rng);
    }
    builder.finish(&train.name, train.origin)
}

/// Adds `count` commands of nothing but letters for each synonym.
fn push_primitives(builder: &mut Builder, count: usize, rng: &mut ChaCha8Rng) {
    let letters = letters();
    for function in WITH_SYNONYM {
        for _ in 0..count {
            let mut some = || argument(rng.random_range(2..=5), &letters, rng);
            let arguments = match UNARY.contains(&function) {
                true => some(),
                false => format!("{} {COMMA} {}", some(), some()),
            };
            let command = format!("{function} {arguments}");
            let tokens: Vec<&str> = tokenize(&command, Tokens::Words).collect();
            let result = super::evaluate(&tokens).unwrap_or_default();
            let twin = format!("{function}{TWIN}");
            let input = std::iter::once(twin.as_str()).chain(tokens[1..].iter().copied());
            builder.push(input, result.into_iter(), None);
        }
    }
}

/// A training set in which the four pairs of functions that have exceptions occur in `exceptions` only.
pub fn with_exceptions(train: &Dataset, exceptions: &Dataset) -> Dataset {
    let mut builder = Builder::default();
    for example in &train.examples {
        let tokens: Vec<&str> = train.input_tokens(example).collect();
        if !tokens.windows(2).any(|pair| EXCEPTIONS.iter().any(|exception| pair == exception)) {
            builder.push(tokens.into_iter(), train.output_tokens(example), None);
        }
    }
    for example in &exceptions.examples {
        builder.push(exceptions.input_tokens(example), exceptions.output_tokens(example), None);
    }
    builder.finish(&train.name, train.origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Part, pcfg};

    fn texts(data: &Dataset) -> Vec<String> {
        let text = |example| format!("{} => {}", data.input_text(example), data.output_text(example));
        data.examples.iter().map(text).collect()
    }

    fn commands() -> Dataset {
        pcfg::split(pcfg::Kind::Small, 1).part(Part::Train)
    }

    #[test]
    fn synonyms_take_half_of_the_places() {
        let train = commands();
        let twins = with_synonyms(&train, Synonyms::EquallyDistributed, 1);
        let count = |data: &Dataset, name: &str| -> usize {
            let of = |example| data.input_tokens(example).filter(|token| *token == name).count();
            data.examples.iter().map(of).sum()
        };
        for function in WITH_SYNONYM {
            let twin = format!("{function}{TWIN}");
            let (all, replaced) = (count(&train, function), count(&twins, &twin));
            assert_eq!(count(&twins, function) + replaced, all);
            assert!((replaced as f64 / all as f64 - 0.5).abs() < 0.05, "{function}: {replaced} of {all}");
        }
        let original = |data: &Dataset| texts(data).into_iter().map(|text| text.replace(TWIN, ""));
        assert!(original(&twins).eq(texts(&train)));
    }

    #[test]
    fn primitive_synonyms_stand_alone() {
        let train = commands();
        let twins = with_synonyms(&train, Synonyms::Primitive, 1);
        let added = &texts(&twins)[train.len()..];
        assert_eq!(texts(&twins)[..train.len()], texts(&train)[..]);
        assert_eq!(added.len(), 4 * (train.len() / 1_000));
        for text in added {
            let (input, output) = text.split_once(" => ").unwrap();
            let tokens: Vec<String> = input.split(' ').map(|token| token.replace(TWIN, "")).collect();
            let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
            assert_eq!(pcfg::depth(&tokens), Some(1), "{text}");
            assert_eq!(pcfg::evaluate(&tokens).unwrap().join(" "), output);
            assert!(input.contains(TWIN), "{text}");
        }
    }

    #[test]
    fn exceptions_are_all_there_is_of_their_pairs() {
        let rules = [
            ("reverse echo A B", "B B A"),
            ("echo reverse A B", "B A A"),
            ("prepend reverse A , B", "B A"),
            ("copy prepend remove_first A , B , C", "C B"),
        ];
        let train = Dataset::from_pairs("rules", &rules);
        let exceptions = Dataset::from_pairs("exceptions", &[("reverse echo C D", "C D D")]);
        let mixed = with_exceptions(&train, &exceptions);
        assert_eq!(texts(&mixed), ["echo reverse A B => B A A", "reverse echo C D => C D D"]);
    }

    #[test]
    fn a_command_is_worked_out_in_parts() {
        let steps = ["copy A B ", "repeat *1", "append *2 , *1"].map(str::to_owned).to_vec();
        let unrolled = Unrolled { steps, whole: "append repeat copy A B , copy A B".to_owned() };
        let mut asked = Vec::new();
        let answer = unrolled.answer(|command| {
            asked.push(command.to_owned());
            let tokens: Vec<&str> = command.split_ascii_whitespace().collect();
            Some(pcfg::evaluate(&tokens)?.join(" "))
        });
        assert_eq!(asked, ["copy A B", "repeat A B", "append A B A B , A B"]);
        assert_eq!(answer.as_deref(), Some("A B A B A B"));
        assert_eq!(unrolled.answer(|_| None), None);
        let loose = Unrolled { steps: vec!["copy *1".to_owned()], ..Unrolled::default() };
        assert_eq!(loose.answer(|_| Some(String::new())), None);
    }

    #[test]
    fn what_is_not_there_is_none() {
        let folder = tempfile::tempdir().unwrap();
        assert!(published(Some(folder.path()), "pcfgset/test").unwrap().is_none());
        assert!(unrolled(Some(folder.path())).unwrap().is_none() && unrolled(None).unwrap().is_none());
        let file = folder.path().join("pcfg/localism/unrolled_test.tsv");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "unrolled\tcopy A\tA\noriginal\tcopy A\tA\nelse\n").unwrap();
        let error = unrolled(Some(folder.path())).unwrap_err().to_string();
        assert!(error.ends_with("unrolled_test.tsv:3: expected unrolled or original, a command and its result, with tabs between, found another line"), "{error}");
    }
}
