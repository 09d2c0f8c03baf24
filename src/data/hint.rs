//! HINT (Li et al. 2023): arithmetic such as `2+3*(9-4)` and its result.
//!
//! Operators bind from the left with the usual precedence; `a-b` is cut off at 0, `a/b` is rounded up, and nothing
//! is divided by zero. Trees have 0 to 20 operators, in training at most 10; no value within a tree exceeds 100 in
//! training and 10,000 in testing. A test expression is in subset `I` if it was trained, otherwise in `SS`, `SL`,
//! `LS` or `LL`: short or long (more than 10 operators), small or large (a value above 100).
//!
//! The few-shot tasks each add a symbol: `x` and `y` are 11 and 12; `a` and `b` are the larger and the smaller of
//! two numbers and bind like `+`; `c` and `d` are their arithmetic and harmonic mean, rounded up, and bind like `*`.
//!
//! The generator follows the published procedure on a smaller scale: all expressions of up to two operators, and
//! beyond that random trees, none twice, without result 0 and with no result in more than a twentieth of them.

use super::{Builder, Dataset, Origin, Part, Task, Tokens};
use rand::{RngExt, SeedableRng, seq::IndexedRandom, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::RangeInclusive;

/// The most operators that are trained, and the most that are tested.
const OPERATORS: [usize; 2] = [10, 20];
/// The largest value within a tree that is trained, and the largest that is tested.
const VALUES: [u64; 2] = [100, 10_000];
/// Up to this many operators all expressions are listed, not sampled.
const LISTED: usize = 2;
/// No result may have more than one in so many of the sampled expressions.
const RESULT_SHARE: usize = 20;
/// How often an expression is drawn, for each one wanted, before giving up.
const TRIES: usize = 100_000;

/// A few-shot task; a macro because names are constants and the generator must be a plain function.
macro_rules! few_shot {
    ($concept:literal, $about:literal) => {
        Task {
            name: concat!("hint/fewshot-", $concept),
            about: $about,
            files: ["hint/fewshot_train.tsv", "hint/fewshot_test.tsv"],
            rows: Some(("concept", $concept)),
            tokens: Tokens::Chars,
            generate: Some(|part, seed| Recipe::few_shot($concept).generate(Set::of(part), seed)),
        }
    };
}

/// HINT's tasks.
pub(super) const TASKS: &[Task] = &[
    Task {
        name: "hint",
        about: "HINT, arithmetic trained on up to 10 operators and values up to 100, tested on more of both",
        files: ["hint/train.tsv", "hint/test.tsv"],
        rows: None,
        tokens: Tokens::Chars,
        generate: Some(|part, seed| Recipe::main().generate(Set::of(part), seed)),
    },
    Task {
        name: "hint/val",
        about: "HINT, tested on its validation set",
        files: ["hint/train.tsv", "hint/val.tsv"],
        rows: None,
        tokens: Tokens::Chars,
        generate: Some(|part, seed| {
            let set = if part == Part::Train { Set::Train } else { Set::Validation };
            Recipe::main().generate(set, seed)
        }),
    },
    few_shot!("x", "HINT, the new symbol `x` (11) from few examples"),
    few_shot!("y", "HINT, the new symbol `y` (12) from few examples"),
    few_shot!("a", "HINT, the new symbol `a` (the larger of two) from few examples"),
    few_shot!("b", "HINT, the new symbol `b` (the smaller of two) from few examples"),
    few_shot!("c", "HINT, the new symbol `c` (the mean of two) from few examples"),
    few_shot!("d", "HINT, the new symbol `d` (the harmonic mean of two) from few examples"),
];

/// The head of each symbol, `None` for the root.
pub type Heads = Vec<Option<u32>>;

/// An expression with its tree and the values in it; heads and values are those of the published files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    /// The head of each symbol. Parentheses hang on the root of what they enclose.
    pub heads: Heads,
    /// The value of each symbol's subtree; none for parentheses, and where a number exceeds 64 bits or is divided
    /// by zero.
    pub values: Vec<Option<u64>>,
}

impl Worked {
    /// The value of the whole expression.
    pub fn result(&self) -> Option<u64> {
        let root = self.heads.iter().position(Option::is_none)?;
        self.values[root]
    }
}

/// The result of an expression, blanks ignored; `None` if it is no expression or has no value.
pub fn evaluate(expression: &str) -> Option<u64> {
    work_out(expression)?.result()
}

/// Works out an expression, blanks ignored; `None` if it is no expression.
pub fn work_out(expression: &str) -> Option<Worked> {
    let symbols: Vec<char> = expression.chars().filter(|symbol| !symbol.is_whitespace()).collect();
    let mut work = Work {
        worked: Worked { heads: vec![None; symbols.len()], values: vec![None; symbols.len()] },
        symbols: &symbols,
        roots: Vec::new(),
        waiting: Vec::new(),
    };
    let mut wants_operand = true;
    for (place, &symbol) in symbols.iter().enumerate() {
        wants_operand = match (symbol, operand(symbol), precedence(symbol)) {
            ('(', ..) if wants_operand => {
                work.waiting.push(place);
                true
            }
            (')', ..) if !wants_operand => {
                work.close(place)?;
                false
            }
            (_, Some(value), _) if wants_operand => {
                work.worked.values[place] = Some(value);
                work.roots.push(place);
                false
            }
            (_, _, Some(binding)) if !wants_operand => {
                work.attach(binding)?;
                work.waiting.push(place);
                true
            }
            _ => return None,
        };
    }
    work.attach(0)?;
    // What still waits is an open parenthesis.
    (!wants_operand && work.waiting.is_empty()).then_some(work.worked)
}

/// An expression being read from left to right.
struct Work<'a> {
    symbols: &'a [char],
    worked: Worked,
    /// Roots of finished subtrees.
    roots: Vec<usize>,
    /// Operators without their right side, and open parentheses.
    waiting: Vec<usize>,
}

impl Work<'_> {
    /// Gives waiting operators that bind at least as strongly as `binding` their two sides, up to a parenthesis.
    fn attach(&mut self, binding: u8) -> Option<()> {
        while let Some(&operator) = self.waiting.last()
            && precedence(self.symbols[operator]).is_some_and(|own| own >= binding)
        {
            self.waiting.pop();
            let (right, left) = (self.roots.pop()?, self.roots.pop()?);
            let Worked { heads, values } = &mut self.worked;
            (heads[left], heads[right]) = (Some(operator as u32), Some(operator as u32));
            let sides = values[left].zip(values[right]);
            values[operator] = sides.and_then(|(left, right)| apply(self.symbols[operator], left, right));
            self.roots.push(operator);
        }
        Some(())
    }

    /// Closes the innermost open parenthesis.
    fn close(&mut self, place: usize) -> Option<()> {
        self.attach(0)?;
        let opening = self.waiting.pop()?;
        let root = Some(*self.roots.last()? as u32);
        (self.worked.heads[opening], self.worked.heads[place]) = (root, root);
        Some(())
    }
}

fn operand(symbol: char) -> Option<u64> {
    match symbol {
        'x' => Some(11),
        'y' => Some(12),
        _ => symbol.to_digit(10).map(u64::from),
    }
}

/// How strongly an operator binds.
fn precedence(operator: char) -> Option<u8> {
    match operator {
        '+' | '-' | 'a' | 'b' => Some(1),
        '*' | '/' | 'c' | 'd' => Some(2),
        _ => None,
    }
}

fn apply(operator: char, left: u64, right: u64) -> Option<u64> {
    let divide = |left: u64, right: u64| (right > 0).then(|| left.div_ceil(right));
    match operator {
        '+' => left.checked_add(right),
        '-' => Some(left.saturating_sub(right)),
        '*' => left.checked_mul(right),
        '/' => divide(left, right),
        'a' => Some(left.max(right)),
        'b' => Some(left.min(right)),
        'c' => divide(left.checked_add(right)?, 2),
        'd' => divide(left.checked_mul(right)?.checked_mul(2)?, left.checked_add(right)?),
        _ => None,
    }
}

/// What is generated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Train,
    Validation,
    Test,
}

impl Set {
    fn of(part: Part) -> Set {
        match part {
            Part::Train => Set::Train,
            Part::Test => Set::Test,
        }
    }
}

/// What expressions are made of, and how many are made for each number of operators.
struct Recipe {
    operands: Vec<char>,
    operators: Vec<char>,
    /// A symbol that every expression must have.
    concept: Option<char>,
    train: usize,
    validation: usize,
    /// Of each subset.
    test: usize,
    /// How many of `train` are made with no operator, and with one, in hundredths.
    shares: [usize; 2],
}

/// A tree in prefix order.
type Prefix = Vec<char>;

impl Recipe {
    /// A fiftieth of the published training set, a tenth of the published test set.
    fn main() -> Recipe {
        Recipe {
            operands: ('0'..='9').collect(),
            operators: "+-*/".chars().collect(),
            concept: None,
            train: 2000,
            validation: 10,
            test: 100,
            shares: [20, 78],
        }
    }

    /// As many as published.
    fn few_shot(concept: &str) -> Recipe {
        let mut recipe = Recipe { train: 100, shares: [100; 2], ..Recipe::main() };
        for symbol in concept.chars() {
            let symbols =
                if precedence(symbol).is_some() { &mut recipe.operators } else { &mut recipe.operands };
            symbols.push(symbol);
            recipe.concept = Some(symbol);
        }
        recipe
    }

    fn generate(&self, set: Set, seed: u64) -> Dataset {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut builder = Builder::default();
        for operators in 0..=OPERATORS[1] {
            for (expression, subset) in self.with_operators(operators, set, &mut rng) {
                let output = evaluate(&expression).map_or(String::new(), |result| result.to_string());
                builder.push(
                    super::tokenize(&expression, Tokens::Chars),
                    [output.as_str()].into_iter(),
                    subset,
                );
            }
        }
        builder.finish("hint", Origin::Generated)
    }

    /// The expressions of `set` with `operators` operators, and their subsets.
    fn with_operators(
        &self,
        operators: usize,
        set: Set,
        rng: &mut ChaCha8Rng,
    ) -> Vec<(String, Option<&'static str>)> {
        let is_long = operators > OPERATORS[0];
        let train = if is_long { 0 } else { self.train };
        let small = self.choose(operators, train + self.validation + self.test, 0..=VALUES[0], rng);
        let large = self.choose(operators, self.validation + self.test, VALUES[0] + 1..=VALUES[1], rng);
        // Where there are too few to fill the training set, they are repeated.
        let most = train * self.shares.get(operators).unwrap_or(&100) / 100;
        let known: Vec<&String> = small[..small.len().min(train)].iter().cycle().take(most).collect();
        let (skip, count) = match set {
            Set::Train => return known.into_iter().map(|expression| (expression.clone(), None)).collect(),
            Set::Validation => (0, self.validation),
            Set::Test => (self.validation, self.test),
        };
        let subset = |name, expressions: &mut dyn Iterator<Item = &String>| -> Vec<_> {
            expressions.map(|expression| (expression.clone(), Some(name))).collect()
        };
        let [small_name, large_name] = if is_long { ["LS", "LL"] } else { ["SS", "SL"] };
        let in_train = known.len() * count / self.train;
        [
            subset("I", &mut known.into_iter().take(in_train)),
            subset(small_name, &mut small.iter().skip(train + skip).take(count)),
            subset(large_name, &mut large.iter().skip(skip).take(count)),
        ]
        .concat()
    }

    /// At most `count` different expressions whose largest value is in `values`, in random order.
    fn choose(
        &self,
        operators: usize,
        count: usize,
        values: RangeInclusive<u64>,
        rng: &mut ChaCha8Rng,
    ) -> Vec<String> {
        let fits = |prefix: &Prefix| {
            let has_concept = self.concept.is_none_or(|concept| prefix.contains(&concept));
            measure(prefix).filter(|measure| has_concept && values.contains(&measure.largest))
        };
        let mut chosen = match operators <= LISTED {
            true => self.list(operators).into_iter().filter(|prefix| fits(prefix).is_some()).collect(),
            false => self.sample_many(operators, count, fits, rng),
        };
        chosen.shuffle(rng);
        chosen.iter().take(count).map(infix).collect()
    }

    /// All trees with `operators` operators.
    fn list(&self, operators: usize) -> Vec<Prefix> {
        let Some(below) = operators.checked_sub(1) else {
            return self.operands.iter().map(|&operand| vec![operand]).collect();
        };
        let mut trees = Vec::new();
        for on_left in 0..operators {
            let rights = self.list(below - on_left);
            for left in self.list(on_left) {
                for right in &rights {
                    let tree = |&operator: &char| [&[operator], &left[..], right].concat();
                    trees.extend(self.operators.iter().map(tree));
                }
            }
        }
        trees
    }

    /// `count` different trees that fit, or fewer if they are hard to find.
    fn sample_many(
        &self,
        operators: usize,
        count: usize,
        fits: impl Fn(&Prefix) -> Option<Measure>,
        rng: &mut ChaCha8Rng,
    ) -> Vec<Prefix> {
        let most_per_result = count.div_ceil(RESULT_SHARE);
        let mut per_result = FxHashMap::<u64, usize>::default();
        let (mut seen, mut chosen) = (FxHashSet::default(), Vec::new());
        for _ in 0..count * TRIES {
            if chosen.len() == count {
                break;
            }
            let mut prefix = Prefix::new();
            self.sample(operators, &mut prefix, rng);
            let Some(measure) = fits(&prefix).filter(|measure| measure.result > 0) else { continue };
            let with_result = per_result.entry(measure.result).or_default();
            if *with_result < most_per_result && seen.insert(prefix.clone()) {
                *with_result += 1;
                chosen.push(prefix);
            }
        }
        chosen
    }

    /// Adds a random tree to `prefix`.
    fn sample(&self, operators: usize, prefix: &mut Prefix, rng: &mut ChaCha8Rng) {
        if operators == 0 {
            prefix.extend(self.operands.choose(rng));
            return;
        }
        prefix.extend(self.operators.choose(rng));
        let on_left = rng.random_range(0..operators);
        self.sample(on_left, prefix, rng);
        self.sample(operators - 1 - on_left, prefix, rng);
    }
}

struct Measure {
    result: u64,
    /// The largest value of a subtree.
    largest: u64,
}

/// The values of a tree; `None` if it has none.
fn measure(prefix: &Prefix) -> Option<Measure> {
    let mut values = Vec::new();
    let mut largest = 0;
    for &symbol in prefix.iter().rev() {
        let value = match operand(symbol) {
            Some(value) => value,
            None => apply(symbol, values.pop()?, values.pop()?)?,
        };
        largest = largest.max(value);
        values.push(value);
    }
    Some(Measure { result: values.pop()?, largest })
}

/// The tree as an expression, with no more parentheses than needed.
fn infix(prefix: &Prefix) -> String {
    let mut parts: Vec<(String, u8)> = Vec::new();
    for &symbol in prefix.iter().rev() {
        let Some(binding) = precedence(symbol) else {
            parts.push((symbol.to_string(), u8::MAX));
            continue;
        };
        let mut side = |least: u8| {
            let (text, own) = parts.pop().expect("every operator has two sides");
            if own < least { format!("({text})") } else { text }
        };
        // Operators bind from the left, so an equal one on the right needs parentheses.
        let (left, right) = (side(binding), side(binding + 1));
        parts.push((format!("{left}{symbol}{right}"), binding));
    }
    parts.pop().expect("a tree is not empty").0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, result: Option<u64>) {
        assert_eq!(evaluate(expression), result, "{expression}");
    }

    #[test]
    fn expressions_have_their_published_results() {
        check("7", Some(7));
        check("3-6*2", Some(0));
        check("9/9/5+3/(3/(5/3)/3)*(6*(9-5))", Some(73));
        check("y+((4+2)/8-3)/y*9", Some(12));
        check("2*(2d7)d(7-1/(5/(3*5)))*(4d(6*4))", Some(49));
        check("1b2a0", Some(1));
        check("2 c 3 * ( 4 )", Some(12));
        check(&format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)), Some(1));
    }

    #[test]
    fn what_is_no_expression_has_no_result() {
        for expression in
            ["", "(", ")", "()", "1+", "+1", "12", "(1", "1)", "1(2)", "(1)2", "1+*2", "1%2", "z"]
        {
            assert_eq!(work_out(expression), None, "{expression}");
        }
        check("1/0", None);
        check("2+3/(4-5)", None);
        check(&["9"; 30].join("*"), None);
    }

    #[test]
    fn heads_are_the_published_ones() {
        let worked = work_out("(6+4)/(3-1)").unwrap();
        let heads: Vec<_> = worked.heads.iter().map(|head| head.map_or(-1, i64::from)).collect();
        assert_eq!(heads, [2, 2, 5, 2, 2, -1, 8, 8, 5, 8, 8]);
        let values: Vec<_> =
            worked.values.iter().map(|value| value.map_or(-1, |value| value as i64)).collect();
        assert_eq!(values, [-1, 6, 10, 4, -1, 5, -1, 3, 2, 1, -1]);
    }

    #[test]
    fn parentheses_are_few_and_keep_the_tree() {
        for (prefix, expected) in [
            ("/+64-31", "(6+4)/(3-1)"),
            ("-1-23", "1-(2-3)"),
            ("--123", "1-2-3"),
            ("+1*23", "1+2*3"),
            ("*a12x", "(1a2)*x"),
        ] {
            let prefix: Prefix = prefix.chars().collect();
            assert_eq!(infix(&prefix), expected);
            assert_eq!(measure(&prefix).unwrap().result, evaluate(expected).unwrap());
        }
    }

    #[test]
    fn all_trees_are_listed() {
        let counts = [0, 1, 2].map(|operators| Recipe::main().list(operators).len());
        assert_eq!(counts, [10, 400, 32_000]);
    }

    #[test]
    fn few_shot_expressions_have_their_concept() {
        for concept in ["x", "d"] {
            let data = Recipe::few_shot(concept).generate(Set::Train, 1);
            let has = |example| data.input_tokens(example).any(|token| token == concept);
            assert!(data.examples.iter().all(has), "{concept}");
            assert_eq!(data.len(), if concept == "x" { 1100 } else { 1000 });
        }
    }
}
