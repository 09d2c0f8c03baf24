//! PCFG SET (Hupkes et al. 2020): commands such as `append swap_first_last F1 G1 , echo B2 C3` and the letters they
//! ask for.
//!
//! A command is in prefix order: a function of one argument, or of two with a comma between, where an argument is a
//! command or 2 to 5 of the 520 letters. The published training inputs of all but the 10K version are lost; the
//! files in their place were regenerated with the published procedure.
//!
//! The generator grows trees from the published grammar, with a random weight of functions and of unary ones for
//! each tree, and keeps as many of each depth and length as the published sets have. No argument occurs twice. The
//! 10K version has statistics of its own: it is a little shallower, and short arguments are not used up.
//!
//! The data set's further tests (localism, substitutivity, overgeneralisation) are in [`further`].

pub mod further;

use super::{Builder, Origin, Split, Task, Tokens, tokenize};
use rand::{RngExt, SeedableRng, seq::IndexedRandom, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

const UNARY: [&str; 6] = ["copy", "reverse", "shift", "echo", "swap_first_last", "repeat"];
const BINARY: [&str; 4] = ["append", "prepend", "remove_first", "remove_second"];
const COMMA: &str = ",";

/// Functions that the systematicity split trains only apart: one directly before the other is tested.
const HELD_OUT: [[&str; 2]; 4] = [
    ["swap_first_last", "repeat"],
    ["append", "remove_second"],
    ["repeat", "remove_second"],
    ["append", "swap_first_last"],
];
/// The most functions that the productivity split trains on.
const MOST_TRAINED: usize = 8;
/// The share of commands that a random split tests, as published: 9,721 of 92,343, and 916 of 8,695.
const TESTED: (usize, usize) = (9_721, 92_343);

/// How many commands are generated for a split, training and test set together.
const POOL: usize = 20_000;
/// The same for the 10K version, as published.
const SMALL_POOL: usize = 8_695;
/// How many trees are grown for each one wanted: the longest ones are rare.
const GROWN: usize = 20;
/// The longest command, in tokens.
const LONGEST: usize = 71;
/// The deepest command, in functions within one another.
const DEEPEST: usize = 17;

/// What the commands of a published version are like.
struct Statistics {
    /// The lengths of arguments with their frequencies in per cent.
    arguments: [(usize, u32); 4],
    /// For each depth, from 1: how many of 1,000 commands have it, and the mean and standard deviation of their
    /// lengths in tokens.
    depths: [(f64, f64, f64); DEEPEST],
}

/// No command has this depth.
const NONE: (f64, f64, f64) = (0.0, 1.0, 1.0);

/// The 100K version: two letters are rarer than other arguments, since there are not so many different ones.
const LARGE: Statistics = Statistics {
    arguments: [(2, 16), (3, 30), (4, 28), (5, 26)],
    depths: [
        (15.2, 4.7, 1.4),
        (131.5, 8.0, 2.8),
        (227.6, 12.8, 4.1),
        (234.1, 17.5, 6.2),
        (153.7, 22.0, 7.2),
        (93.0, 24.9, 7.7),
        (60.0, 27.9, 8.7),
        (38.7, 31.1, 7.7),
        (22.4, 34.2, 8.3),
        (12.0, 34.8, 10.1),
        (5.1, 35.9, 6.5),
        (3.0, 46.5, 10.4),
        (2.9, 44.1, 7.8),
        (0.3, 57.8, 0.8),
        NONE,
        NONE,
        (0.4, 43.0, 0.7),
    ],
};

/// The 10K version.
const SMALL: Statistics = Statistics {
    arguments: [(2, 26), (3, 26), (4, 24), (5, 24)],
    depths: [
        (16.8, 4.7, 1.4),
        (145.5, 7.9, 2.7),
        (254.4, 12.7, 4.2),
        (224.1, 17.6, 6.5),
        (137.1, 22.2, 7.6),
        (85.9, 25.4, 8.1),
        (55.6, 28.4, 9.2),
        (37.6, 31.3, 8.0),
        (21.7, 34.1, 8.8),
        (10.3, 34.1, 10.1),
        (5.0, 35.6, 6.2),
        (2.8, 46.3, 10.2),
        (2.5, 44.8, 8.2),
        (0.3, 57.7, 0.9),
        NONE,
        NONE,
        (0.2, 44.0, 0.7),
    ],
};

/// Lengths are matched in steps of so many tokens, as published.
const STEP: usize = 3;

/// The longest result that is worked out, in tokens: each `repeat` doubles what it is given.
pub const MAX_RESULT: usize = 1 << 20;

/// A task whose generator is that of `$kind`; a macro because the generator must be a plain function.
macro_rules! task {
    ($name:literal, $about:literal, $train:literal, $test:literal, $kind:ident) => {
        Task {
            name: concat!("pcfg/", $name),
            about: $about,
            files: [concat!("pcfg/", $train, ".src"), concat!("pcfg/", $test, ".src")],
            rows: None,
            tokens: Tokens::Words,
            generate: Some(|part, seed| split(Kind::$kind, seed).part(part)),
        }
    };
}

/// PCFG SET's tasks.
pub(super) const TASKS: &[Task] = &[
    task!(
        "iid",
        "PCFG SET, a random part of all commands held out",
        "pcfgset/train_regenerated",
        "pcfgset/test",
        Iid
    ),
    task!(
        "systematicity",
        "PCFG SET, four pairs of functions held out",
        "systematicity/train_regenerated",
        "systematicity/test",
        Systematicity
    ),
    task!(
        "productivity",
        "PCFG SET, trained on up to 8 functions, tested on 9 and more",
        "productivity/train_regenerated",
        "productivity/test",
        Productivity
    ),
    task!(
        "10k",
        "PCFG SET, 10K version, a random part of all commands held out",
        "10K/train",
        "10K/test",
        Small
    ),
];

/// The ways to divide commands into training and test set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A random part is tested.
    Iid,
    /// Four pairs of functions are tested.
    Systematicity,
    /// Commands of many functions are tested.
    Productivity,
    /// A random part of the 10K version is tested.
    Small,
}

/// Training and test set of `kind`, chosen by `seed`.
pub fn split(kind: Kind, seed: u64) -> Split {
    let (count, statistics) = if kind == Kind::Small { (SMALL_POOL, &SMALL) } else { (POOL, &LARGE) };
    let commands = commands(count, statistics, seed);
    let first_tested = commands.len() - commands.len() * TESTED.0 / TESTED.1;
    let (mut train, mut test) = (Builder::default(), Builder::default());
    for (number, command) in commands.iter().enumerate() {
        let tokens: Vec<&str> = tokenize(command, Tokens::Words).collect();
        let is_tested = match kind {
            Kind::Iid | Kind::Small => number >= first_tested,
            Kind::Systematicity => tokens.windows(2).any(|pair| HELD_OUT.iter().any(|held| pair == held)),
            Kind::Productivity => functions(&tokens).count() > MOST_TRAINED,
        };
        if let Some(result) = evaluate(&tokens) {
            let builder = if is_tested { &mut test } else { &mut train };
            builder.push(tokens.into_iter(), result.into_iter(), None);
        }
    }
    Split { train: train.finish("pcfg", Origin::Generated), test: test.finish("pcfg", Origin::Generated) }
}

/// The letters that a command asks for, or `None` if it is no command or they are more than [`MAX_RESULT`].
///
/// A token that is no function and no comma is a letter.
pub fn evaluate<'a>(command: &[&'a str]) -> Option<Vec<&'a str>> {
    let fits = |value: &Vec<&str>| value.len() <= MAX_RESULT;
    fold(
        command,
        |letters| letters.to_vec(),
        |function, first, last| apply(function, first, last).filter(fits),
    )
}

/// How many functions of a command are within one another at most, or `None` if it is no command.
pub fn depth(command: &[&str]) -> Option<usize> {
    fold(command, |_| 0, |_, first, last| Some(1 + last.max(first.unwrap_or(0))))
}

/// What a command comes to: `letters` says what some letters are, `apply` what a function makes of its only argument, or of the first and the
/// last of two. `None` if it is no command, or `apply` says so.
fn fold<'a, T>(
    command: &[&'a str],
    letters: impl Fn(&[&'a str]) -> T,
    apply: impl Fn(&str, Option<T>, T) -> Option<T>,
) -> Option<T> {
    // Functions that wait for an argument, with their first one if they have it.
    let mut waiting: Vec<(&str, Option<T>)> = Vec::new();
    let mut rest = command;
    loop {
        while let [function, after @ ..] = rest
            && arity(function).is_some()
        {
            waiting.push((function, None));
            rest = after;
        }
        let is_letter = |token: &&str| arity(token).is_none() && *token != COMMA;
        let (argument, after) = rest.split_at(rest.iter().take_while(|token| is_letter(token)).count());
        rest = after;
        if argument.is_empty() {
            return None;
        }
        let mut value = letters(argument);
        loop {
            match waiting.pop() {
                None => return rest.is_empty().then_some(value),
                Some((function, None)) if arity(function) == Some(2) => {
                    rest = rest.strip_prefix(&[COMMA])?;
                    waiting.push((function, Some(value)));
                    break;
                }
                Some((function, first)) => value = apply(function, first, value)?,
            }
        }
    }
}

/// The functions of a command, in order.
pub fn functions<'a>(command: &[&'a str]) -> impl Iterator<Item = &'a str> {
    command.iter().copied().filter(|token| arity(token).is_some())
}

/// The names of all functions, those of one argument first.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    UNARY.into_iter().chain(BINARY)
}

fn arity(token: &str) -> Option<usize> {
    match token {
        _ if UNARY.contains(&token) => Some(1),
        _ if BINARY.contains(&token) => Some(2),
        _ => None,
    }
}

/// Applies a function to its one argument, or to `first` and its second one. Arguments are not empty.
fn apply<'a>(function: &str, first: Option<Vec<&'a str>>, mut value: Vec<&'a str>) -> Option<Vec<&'a str>> {
    let last = value.len().checked_sub(1)?;
    match (function, first) {
        ("copy", None) | ("remove_first", Some(_)) => {}
        ("reverse", None) => value.reverse(),
        ("shift", None) => value.rotate_left(1),
        ("echo", None) => value.push(value[last]),
        ("swap_first_last", None) => value.swap(0, last),
        ("repeat", None) => value.extend_from_within(..),
        ("append", Some(mut first)) => {
            first.append(&mut value);
            value = first;
        }
        ("prepend", Some(mut first)) => value.append(&mut first),
        ("remove_second", Some(first)) => value = first,
        _ => return None,
    }
    Some(value)
}

/// About `count` different commands, in random order.
fn commands(count: usize, statistics: &Statistics, seed: u64) -> Vec<String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut wanted = quotas(count, statistics);
    let mut shapes = Vec::with_capacity(count);
    for _ in 0..count * GROWN {
        let Some(shape) = Shape::grow(statistics, &mut rng) else { continue };
        let quota = &mut wanted[shape.depth - 1][shape.length / STEP];
        if *quota > 0 {
            *quota -= 1;
            shapes.push(shape);
        }
    }
    shapes.shuffle(&mut rng);
    let letters = letters();
    let mut used = FxHashSet::default();
    shapes.iter().map(|shape| shape.fill(&letters, &mut used, &mut rng)).collect()
}

/// All letters: A1 to Z20.
fn letters() -> Vec<String> {
    ('A'..='Z').flat_map(|letter| (1..=20).map(move |number| format!("{letter}{number}"))).collect()
}

/// Some of the letters, each drawn anew.
fn argument(length: usize, letters: &[String], rng: &mut ChaCha8Rng) -> String {
    let mut letter = || letters[rng.random_range(0..letters.len())].as_str();
    (0..length).map(|_| letter()).collect::<Vec<_>>().join(" ")
}

/// How many of `count` commands have each depth and length.
fn quotas(count: usize, statistics: &Statistics) -> Vec<[usize; LONGEST / STEP + 1]> {
    let all: f64 = statistics.depths.iter().map(|(share, ..)| share).sum();
    let of_depth = |&(share, mean, deviation): &(f64, f64, f64)| {
        let density: [f64; LONGEST / STEP + 1] = std::array::from_fn(|step| {
            let middle = (step * STEP) as f64 + (STEP - 1) as f64 / 2.0;
            (-((middle - mean) / deviation).powi(2) / 2.0).exp()
        });
        let total: f64 = density.iter().sum();
        density.map(|density| (count as f64 * share / all * density / total).round() as usize)
    };
    statistics.depths.iter().map(of_depth).collect()
}

/// A command whose letters are not chosen yet.
#[derive(Default)]
struct Shape {
    pieces: Vec<Piece>,
    /// In tokens.
    length: usize,
    /// Functions within one another.
    depth: usize,
}

enum Piece {
    Token(&'static str),
    /// So many letters.
    Argument(usize),
}

impl Shape {
    /// A random tree; `None` if it gets too deep or long.
    fn grow(statistics: &Statistics, rng: &mut ChaCha8Rng) -> Option<Shape> {
        let mut shape = Shape::default();
        let weights =
            Weights { function: rng.random(), unary: rng.random(), arguments: &statistics.arguments };
        shape.add_function(&weights, 1, rng)?;
        Some(shape)
    }

    fn add_function(&mut self, weights: &Weights<'_>, depth: usize, rng: &mut ChaCha8Rng) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        self.depth = self.depth.max(depth);
        let is_unary = rng.random_bool(weights.unary);
        let functions: &[&str] = if is_unary { &UNARY } else { &BINARY };
        self.add(Piece::Token(functions.choose(rng)?), 1)?;
        self.add_argument(weights, depth, rng)?;
        if !is_unary {
            self.add(Piece::Token(COMMA), 1)?;
            self.add_argument(weights, depth, rng)?;
        }
        Some(())
    }

    fn add_argument(&mut self, weights: &Weights<'_>, depth: usize, rng: &mut ChaCha8Rng) -> Option<()> {
        if rng.random_bool(weights.function) {
            return self.add_function(weights, depth + 1, rng);
        }
        let &(letters, _) = weights.arguments.choose_weighted(rng, |&(_, weight)| weight).ok()?;
        self.add(Piece::Argument(letters), letters)
    }

    fn add(&mut self, piece: Piece, length: usize) -> Option<()> {
        self.pieces.push(piece);
        self.length += length;
        (self.length <= LONGEST).then_some(())
    }

    /// The command with letters of its own: no argument is `used` already.
    fn fill(&self, letters: &[String], used: &mut FxHashSet<String>, rng: &mut ChaCha8Rng) -> String {
        let mut words = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            words.push(match piece {
                Piece::Token(token) => (*token).to_owned(),
                Piece::Argument(length) => loop {
                    let argument = argument(*length, letters, rng);
                    if used.insert(argument.clone()) {
                        break argument;
                    }
                },
            });
        }
        words.join(" ")
    }
}

/// What a tree is grown with.
struct Weights<'a> {
    /// How likely an argument is a function.
    function: f64,
    /// How likely a function is unary.
    unary: f64,
    /// The lengths of arguments with their frequencies.
    arguments: &'a [(usize, u32)],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;

    fn result(command: &str) -> Option<String> {
        let tokens: Vec<_> = command.split_ascii_whitespace().collect();
        evaluate(&tokens).map(|letters| letters.join(" "))
    }

    #[track_caller]
    fn check(command: &str, expected: &str) {
        assert_eq!(result(command).as_deref(), Some(expected), "{command}");
    }

    #[test]
    fn functions_do_what_they_say() {
        check("copy A B C", "A B C");
        check("reverse A B C", "C B A");
        check("shift A B C", "B C A");
        check("echo A B C", "A B C C");
        check("swap_first_last A B C", "C B A");
        check("swap_first_last A", "A");
        check("repeat A B", "A B A B");
        check("append A B , C D", "A B C D");
        check("prepend A B , C D", "C D A B");
        check("remove_first A B , C D", "C D");
        check("remove_second A B , C D", "A B");
        check("append swap_first_last F1 G1 , echo B2 C3", "G1 F1 B2 C3 C3");
        check("prepend append A , B , repeat C", "C C A B");
    }

    #[test]
    fn what_is_no_command_has_no_result() {
        for command in [
            "",
            "copy",
            "append A B",
            "append A , ",
            "copy A , B",
            "append A , , B",
            "A copy B",
            ", A",
            "append A , B C , D",
        ] {
            assert_eq!(result(command), None, "{command}");
        }
        assert_eq!(result(&("repeat ".repeat(70) + "A")), None);
        check(&("copy ".repeat(100_000) + "A"), "A");
    }

    #[test]
    fn depth_counts_functions_within_one_another() {
        let depth = |command: &str| depth(&command.split_ascii_whitespace().collect::<Vec<_>>());
        assert_eq!(depth("copy A B"), Some(1));
        assert_eq!(depth("append copy A , echo echo B C"), Some(3));
        assert_eq!(depth("append append copy A , B , repeat C D"), Some(3));
        assert_eq!(depth("append A , repeat remove_first B , echo C"), Some(4));
        for no_command in ["", "copy", "append A B", "append A , ", "copy A , B", ", A", "A copy B"] {
            assert_eq!(depth(no_command), None, "{no_command}");
        }
    }

    #[test]
    fn splits_follow_their_rules() {
        let functions = |data: &Dataset| -> Vec<usize> {
            let count = |example| data.input_tokens(example).filter(|token| arity(token).is_some()).count();
            data.examples.iter().map(count).collect()
        };
        let productivity = split(Kind::Productivity, 1);
        assert!(functions(&productivity.train).into_iter().all(|count| count <= 8));
        assert!(functions(&productivity.test).into_iter().all(|count| count >= 9));
        let systematicity = split(Kind::Systematicity, 1);
        let has_pair = |data: &Dataset, example| {
            let text = data.input_text(example);
            HELD_OUT.iter().any(|pair| text.contains(&pair.join(" ")))
        };
        assert!(!systematicity.train.examples.iter().any(|example| has_pair(&systematicity.train, example)));
        assert!(systematicity.test.examples.iter().all(|example| has_pair(&systematicity.test, example)));
    }

    /// The published means: 18.4 tokens, 5.16 functions, of which 60.1 % are unary, and 9.4 letters.
    #[test]
    fn statistics_are_near_the_published_ones() {
        let data = split(Kind::Iid, 1).train;
        let count = |of: &dyn Fn(&str) -> bool| -> f64 {
            let of_example = |example| data.input_tokens(example).filter(|token| of(token)).count();
            data.examples.iter().map(of_example).sum::<usize>() as f64 / data.len() as f64
        };
        let (tokens, functions) = (count(&|_| true), count(&|token| arity(token).is_some()));
        let unary = count(&|token| UNARY.contains(&token)) / functions;
        let letters = data.examples.iter().map(|example| example.output.len()).sum::<usize>() as f64;
        let letters = letters / data.len() as f64;
        assert!((tokens - 18.4).abs() < 0.5 && (functions - 5.16).abs() < 0.3, "{tokens} {functions}");
        assert!((unary - 0.6).abs() < 0.04 && (letters - 9.4).abs() < 1.0, "{unary} {letters}");
    }
}
