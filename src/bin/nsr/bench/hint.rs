//! HINT's table, the accuracy of each module, and how the programs came about.

use super::{Result, mean};
use crate::text::{Paint, pad, percent};
use crate::train::Learned;
use nsr::data::{Dataset, hint};
use nsr::gss::Gss;
use nsr::model::Model;
use nsr::number::expression::Fuel;
use nsr::readable::Readable;
use nsr::report::{Since, Solved};
use nsr::semantics::program::Expr;
use nsr::semantics::{Meaning, Semantics};
use nsr::symbol::Word;
use nsr::syntax::Workspace;
use nsr::value::Value;
use nsr::values::{
    self,
    knowledge::{Answer, Knowledge},
};
use rayon::prelude::*;
use serde_json::json;
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
        let ask = |workspace: &mut Workspace, example| heads(model, test, example, workspace);
        let counts: Vec<[(usize, usize); 3]> =
            test.examples.par_iter().map_init(Workspace::new, ask).collect();
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
fn heads(
    model: &Model,
    test: &Dataset,
    example: &nsr::data::Example,
    workspace: &mut Workspace,
) -> [(usize, usize); 3] {
    let tokens: Vec<&str> = test.input_tokens(example).collect();
    let mut counts = [(0, 0); 3];
    let symbols = model.symbols(tokens.iter().copied());
    let found = match &model.values {
        Some(values) => model.compute(&symbols).map(|answer| heads_of_values(values, &answer)),
        None => model
            .work_out(&symbols, workspace)
            .map(|answer| without_passing(answer.gss.tree.heads(), &passed(model, &answer.gss))),
    };
    let (Some(found), Some(worked)) = (found, hint::work_out(&tokens.concat())) else { return counts };
    for ((token, found), wanted) in tokens.iter().zip(&found).zip(&worked.heads) {
        if let Some(group) = GROUPS.iter().position(|(_, symbols)| symbols.contains(token)) {
            counts[group].0 += usize::from(found == wanted);
            counts[group].1 += 1;
        }
    }
    counts
}

/// The head of every word of an input that constructions work out, what passes on a value left out.
fn heads_of_values(values: &Knowledge, answer: &Answer) -> Vec<Option<u32>> {
    let heads = answer.heads();
    let mut passed = vec![None; heads.len()];
    for (number, node) in answer.nodes.iter().enumerate() {
        if let [kid] = node.kids[..]
            && values.entries()[node.entry].entry.program.passes_on()
        {
            passed[answer.head(number)] = Some(answer.head(kid));
        }
    }
    without_passing(&heads, &passed)
}

/// For each node that only passes on the value of a child, that child.
fn passed(model: &Model, gss: &Gss) -> Vec<Option<usize>> {
    let heads = gss.tree.heads();
    let only_child = |node: usize| {
        let is_child =
            |child: &usize| heads[*child] == Some(node as u32) && gss.meanings[*child].value().is_some();
        let children: Vec<usize> = (0..heads.len()).filter(is_child).collect();
        <[usize; 1]>::try_from(children).ok().map(|[child]| child)
    };
    let passes = |node: usize| {
        let sense = model.lexicon.sense_for(gss.symbols[node]?.index(), 1)?.1;
        let program = &model.lexicon.programs[sense.program? as usize];
        (program.body == Expr::Arg(0)).then(|| only_child(node))?
    };
    (0..heads.len()).map(passes).collect()
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
const LARGEST: u64 = 40;

/// The share of symbols whose program gives what it should.
fn programs(model: &Model) -> f64 {
    let symbols: Vec<&str> = GROUPS.iter().flat_map(|(_, symbols)| symbols.split("")).collect();
    let symbols: Vec<&str> = symbols.into_iter().filter(|symbol| !symbol.is_empty()).collect();
    let right = symbols.iter().filter(|symbol| is_right(model, symbol)).count();
    right as f64 / symbols.len() as f64
}

fn is_right(model: &Model, name: &str) -> bool {
    let Some(symbol) = model.inputs.get(name) else { return false };
    let gives = |args: &[u64], wanted: u64| match &model.values {
        Some(values) => computes(values, Word(symbol.0), args, wanted),
        None => {
            let args: Vec<Value> = args.iter().map(|&number| Value::Nat(number)).collect();
            model.lexicon.meaning(symbol, &args).value() == Some(&Value::Nat(wanted))
        }
    };
    let pairs = (0..=LARGEST).flat_map(|x| (0..=LARGEST).map(move |y| (x, y)));
    match name {
        "+" => pairs.into_iter().all(|(x, y)| gives(&[x, y], x + y)),
        "-" => pairs.into_iter().all(|(x, y)| gives(&[x, y], x.saturating_sub(y))),
        "*" => pairs.into_iter().all(|(x, y)| gives(&[x, y], x * y)),
        "/" => pairs.into_iter().filter(|(_, y)| *y > 0).all(|(x, y)| gives(&[x, y], x.div_ceil(y))),
        "(" | ")" => {
            (model.values.is_none() && matches!(model.lexicon.meaning(symbol, &[]), Meaning::Void(_)))
                || (0..=LARGEST).all(|x| gives(&[x], x))
        }
        digit => digit.parse().is_ok_and(|digit| gives(&[], digit)),
    }
}

/// Whether the construction with a word and so many slots computes `wanted`.
fn computes(values: &Knowledge, word: Word, args: &[u64], wanted: u64) -> bool {
    let number = |number: u64| values::value::Value::from(number as i64);
    let args: Vec<values::value::Value> = args.iter().map(|&arg| number(arg)).collect();
    let mut entries = values.entries().iter().map(|known| &known.entry).filter(|entry| {
        entry.pattern.words().any(|other| other == word) && entry.pattern.slots() == args.len()
    });
    entries.any(|entry| entry.program.apply(&args, &mut Fuel::for_answers()) == Some(number(wanted)))
}

/// Prints what HINT has beyond its table: the modules, and how the programs came about.
pub fn print(result: &Result, out: &mut impl Write) -> std::io::Result<()> {
    print_modules(result, out)?;
    result.origins.as_ref().map_or(Ok(()), |origins| origins.print(out))
}

/// How the programs of one model came about.
#[derive(Clone, Debug)]
pub struct Origins {
    solved: Vec<Solved>,
    /// Which of how many starts the meanings come from.
    start: [u32; 2],
    /// Programs that only others call.
    helpers: Vec<String>,
    names: Vec<String>,
}

impl Origins {
    /// How what was learned came about, where words have programs.
    pub fn of(learned: &Learned) -> Option<Origins> {
        let Learned { model, evolution, .. } = learned;
        (!model.has_constructions()).then(|| Origins {
            solved: evolution.of(model),
            start: [model.meanings.attempt().0 + 1, evolution.starts()],
            helpers: Readable::of(model).helpers(),
            names: model.inputs.names().to_vec(),
        })
    }

    /// The same for programs.
    pub fn as_json(&self) -> serde_json::Value {
        let since = |since: &Since| json!({ "round": since.round, "seconds": since.seconds, "definitions": since.definitions });
        let tell = |solved: &Solved| {
            json!({
                "word": self.names[solved.word],
                "definitions": solved.definitions,
                "built_from": solved.built_from,
                "round": solved.first.as_ref().map(|first| first.round),
                "seconds": solved.first.as_ref().map(|first| first.seconds),
                "before": solved.before.iter().map(since).collect::<Vec<_>>(),
            })
        };
        let symbols = self.solved.iter().map(tell).collect::<Vec<_>>();
        json!({ "start": self.start[0], "starts": self.start[1], "symbols": symbols, "helpers": self.helpers })
    }

    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let paint = Paint::stdout();
        let [start, starts] = self.start;
        let title =
            format!("How the programs of seed 0 came about (start {start} of {starts}, which was kept)");
        writeln!(out, "\n{}", paint.bold(&title))?;
        for solved in &self.solved {
            let since = solved.first.as_ref().map_or("after the rounds".to_owned(), when);
            let built = match &solved.built_from[..] {
                [] => String::new(),
                words => paint.dim(&format!("  (built from {})", words.join(", "))),
            };
            writeln!(out, "  {}  {}{built}", paint.dim(&pad(&since, WHEN)), solved.definitions.join(" · "))?;
            print_before(&solved.before, out)?;
        }
        let is_called = |helper: &&String| {
            let name = helper.split(' ').next().unwrap_or_default();
            self.solved.iter().any(|solved| solved.built_from.iter().any(|called| called == name))
        };
        let mut helpers = self.helpers.iter().filter(is_called);
        helpers.try_for_each(|helper| writeln!(out, "  {}  {helper}", pad("", WHEN)))
    }
}

/// Prints what a word was firmly taken for: in the first rounds everything means a little of everything.
fn print_before(before: &[Since], out: &mut impl Write) -> std::io::Result<()> {
    let firm = before.iter().filter(|before| before.definitions.len() == 1);
    let tell = |before: &Since| format!("{} (round {})", before.definitions[0], before.round);
    let all: Vec<String> = firm.map(tell).collect();
    match all.is_empty() {
        true => Ok(()),
        false => {
            let text = format!("  {}    before: {}", pad("", WHEN), all.join(", "));
            writeln!(out, "{}", Paint::stdout().dim(&text))
        }
    }
}

/// The width of a time.
const WHEN: usize = 19;

fn when(since: &Since) -> String {
    format!("round {:>2}, {:>7.2} s", since.round, since.seconds)
}

fn print_modules(result: &Result, out: &mut impl Write) -> std::io::Result<()> {
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
