//! The accuracy of each module on HINT.

use super::{Result, mean};
use crate::text::{Paint, pad, percent};
use nsr::data::{Dataset, hint};
use nsr::model::Model;
use nsr::report;
use nsr::symbol::Symbol;
use rayon::prelude::*;
use std::io::Write;
use std::iter::successors;

/// The task that all this is about.
pub const TASK: &str = "hint";

/// The test subsets, as the paper orders them.
pub const SUBSETS: [&str; 5] = ["I", "SS", "LS", "SL", "LL"];

/// The paper's accuracy of its modules, 0 to 1: heads and programs.
pub const PAPER_MODULES: [f64; 2] = [0.881, 0.984_7];

/// The groups of symbols whose heads are counted apart.
const GROUPS: [(&str, &str); 3] = [("digits", "0123456789"), ("operators", "+-*/"), ("parentheses", "()")];

/// How good the modules of a model are by themselves.
#[derive(Clone, Debug)]
pub struct Modules {
    /// Of all symbols of the test set, the share with the right head.
    pub heads: f64,
    /// The same for each group of symbols.
    pub groups: Vec<(&'static str, f64)>,
    /// The share of symbols with the right program.
    pub programs: f64,
}

impl Modules {
    /// Compares the model's trees and programs with the true ones.
    pub fn of(model: &Model, test: &Dataset) -> Modules {
        let counts: Vec<[(usize, usize); 3]> =
            test.examples.par_iter().map(|example| heads(model, test, example)).collect();
        let group = |number: usize| {
            let add = |sum: (usize, usize), count: &[(usize, usize); 3]| {
                (sum.0 + count[number].0, sum.1 + count[number].1)
            };
            counts.iter().fold((0, 0), add)
        };
        let sums = [0, 1, 2].map(group);
        let share = |(right, all): (usize, usize)| right as f64 / all.max(1) as f64;
        let all = sums.iter().fold((0, 0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
        let groups = GROUPS.iter().zip(sums).map(|((name, _), sum)| (*name, share(sum))).collect();
        Modules { heads: share(all), groups, programs: programs(model) }
    }
}

/// For each group of symbols how many heads of an example are right, and how many there are.
fn heads(model: &Model, test: &Dataset, example: &nsr::data::Example) -> [(usize, usize); 3] {
    let tokens: Vec<&str> = test.input_tokens(example).collect();
    let mut counts = [(0, 0); 3];
    let symbols = model.symbols(tokens.iter().copied());
    let (Some(found), Some(worked)) = (found_heads(model, &symbols), hint::work_out(&tokens.concat())) else {
        return counts;
    };
    for ((token, found), wanted) in tokens.iter().zip(&found).zip(&worked.heads) {
        if let Some(group) = GROUPS.iter().position(|(_, symbols)| symbols.contains(token)) {
            counts[group].0 += usize::from(found == wanted);
            counts[group].1 += 1;
        }
    }
    counts
}

/// The head of every word of an input that constructions work out, what passes on a value left out.
fn found_heads(model: &Model, symbols: &[Option<Symbol>]) -> Option<Vec<Option<u32>>> {
    let (values, answer) = (model.computes()?, model.compute(symbols)?);
    let heads = answer.heads();
    let mut passed = vec![None; heads.len()];
    for (number, node) in answer.nodes.iter().enumerate() {
        if let [kid] = node.kids[..]
            && values.entries()[node.entry as usize].entry.program.passes_on()
        {
            passed[answer.head(number)] = Some(answer.head(kid as usize));
        }
    }
    Some(without_passing(&heads, &passed))
}

/// Heads as the published trees have them, in which a parenthesis never stands between an operator and its operand:
/// a node that passes on a child's value, and whatever else hangs on it, hangs on that child instead.
fn without_passing(heads: &[Option<u32>], passed: &[Option<usize>]) -> Vec<Option<u32>> {
    let real = |node: usize| successors(Some(node), |&node| passed[node]).last().unwrap_or(node);
    let head = |node: usize| {
        if passed[node].is_some() {
            return Some(real(node) as u32);
        }
        let mut below = node;
        loop {
            let above = heads[below]? as usize;
            match passed[above] {
                None => return Some(above as u32),
                Some(child) if child == below => below = above,
                Some(_) => return Some(real(above) as u32),
            }
        }
    };
    (0..heads.len()).map(head).collect()
}

/// Operators are compared on all pairs of numbers up to this.
const LARGEST: i64 = 40;

/// The share of symbols whose program gives what it should.
fn programs(model: &Model) -> f64 {
    let symbols = || GROUPS.iter().flat_map(|(_, symbols)| symbols.chars());
    let right = symbols().filter(|symbol| is_right(model, &symbol.to_string())).count();
    right as f64 / symbols().count() as f64
}

fn is_right(model: &Model, name: &str) -> bool {
    let Some(symbol) = model.inputs.get(name) else { return false };
    let gives =
        |args: &[i64], wanted: i64| report::apply(model, symbol, args).contains(&Some(wanted.to_string()));
    let pairs = (0..=LARGEST).flat_map(|x| (0..=LARGEST).map(move |y| (x, y)));
    match name {
        "+" => pairs.into_iter().all(|(x, y)| gives(&[x, y], x + y)),
        "-" => pairs.into_iter().all(|(x, y)| gives(&[x, y], (x - y).max(0))),
        "*" => pairs.into_iter().all(|(x, y)| gives(&[x, y], x * y)),
        "/" => pairs.into_iter().filter(|(_, y)| *y > 0).all(|(x, y)| gives(&[x, y], (x + y - 1) / y)),
        "(" | ")" => (0..=LARGEST).all(|x| gives(&[x], x)),
        digit => digit.parse().is_ok_and(|digit| gives(&[], digit)),
    }
}

/// Prints what HINT has beyond its table: the modules.
pub fn print(result: &Result, out: &mut impl Write) -> std::io::Result<()> {
    let Some(first) = result.modules.first() else { return Ok(()) };
    writeln!(out, "\n{}", Paint::stdout().bold("Modules: share that is right, in percent"))?;
    let all =
        |tell: &dyn Fn(&Modules) -> f64| percent(mean(&result.modules.iter().map(tell).collect::<Vec<_>>()));
    writeln!(out, "  {}{:>9}{:>9}", pad("", 34), "paper", "ours")?;
    let paper = PAPER_MODULES.map(percent);
    writeln!(out, "  {}{:>9}{:>9}", pad("heads", 34), paper[0], all(&|modules| modules.heads))?;
    for (number, (name, _)) in first.groups.iter().enumerate() {
        let ours = all(&|modules| modules.groups[number].1);
        writeln!(out, "  {}{:>9}{ours:>9}", pad(&format!("  of {name}"), 34), "-")?;
    }
    writeln!(out, "  {}{:>9}{:>9}", pad("programs", 34), paper[1], all(&|modules| modules.programs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_on_a_value_hangs_on_whose_value_it_is() {
        // ( 3 + 4 ) * 2 with the closing parenthesis as the head of what it closes.
        let heads = [Some(4), Some(2), Some(4), Some(2), Some(5), None, Some(5)];
        let passed = [None, None, None, None, Some(2), None, None];
        let published = [Some(2), Some(2), Some(5), Some(2), Some(2), None, Some(5)];
        assert_eq!(without_passing(&heads, &passed), published);
        // ( ( 3 ) ): one passes on what the other does; the digit is the root.
        let heads = [Some(4), Some(3), Some(3), Some(4), None];
        let passed = [None, None, None, Some(2), Some(3)];
        assert_eq!(without_passing(&heads, &passed), [Some(2), Some(2), None, Some(2), Some(2)]);
    }
}
