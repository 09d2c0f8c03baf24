//! The search for programs without recursion, and what all searches share: the goal and the best so far.

use crate::semantics::costs::Costs;
use crate::semantics::enumerate::{self, Library, Row, Search, UNDEFINED};
use crate::semantics::halves::join;
use crate::semantics::program::{Expr, Prim, Program};
use crate::semantics::recursion::{Found, Want};
use crate::value::{Type, Value};
use rustc_hash::FxHashMap;

/// What a search is about.
pub(super) struct Task<'a> {
    pub arity: u8,
    pub kind: Type,
    pub rows: &'a [Row],
    pub library: Library<'a>,
    pub costs: &'a Costs,
    pub goal: Goal<'a>,
}

/// What is wanted, with the examples numbered without gaps.
pub(super) struct Goal<'a> {
    pub wants: Vec<Vec<(&'a Value, usize, f64)>>,
    examples: usize,
    /// For each row, the bits of the examples that only it can explain.
    only: Vec<f64>,
    /// The bits of all examples, each at its best.
    pub all: f64,
}

impl<'a> Goal<'a> {
    pub(super) fn new(wants: &'a [Vec<Want>]) -> Goal<'a> {
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let wants: Vec<Vec<(&Value, usize, f64)>> = wants
            .iter()
            .map(|wants| {
                let number = |want: &'a Want, numbers: &mut FxHashMap<usize, usize>| {
                    let next = numbers.len();
                    (&want.value, *numbers.entry(want.example).or_insert(next), want.bits)
                };
                wants.iter().map(|want| number(want, &mut numbers)).collect()
            })
            .collect();
        let mut goal = Goal { wants, examples: numbers.len(), only: Vec::new(), all: 0.0 };
        goal.all = goal.saved(|_, _| true);
        let without = |row: usize| goal.saved(|other, _| other != row);
        goal.only = (0..goal.wants.len()).map(|row| goal.all - without(row)).collect();
        goal
    }

    /// The bits saved where `fits(row, place)` says that this want of this row is met.
    pub(super) fn saved(&self, fits: impl Fn(usize, usize) -> bool) -> f64 {
        let mut best = vec![0.0f64; self.examples];
        for (row, wants) in self.wants.iter().enumerate() {
            for (place, &(_, example, bits)) in wants.iter().enumerate() {
                if bits > best[example] && fits(row, place) {
                    best[example] = bits;
                }
            }
        }
        best.iter().sum()
    }

    /// The bits that nothing can save if no want of this row is met.
    pub(super) fn only(&self, row: usize) -> f64 {
        self.only[row]
    }

    /// The bits that a value saves on one row.
    pub(super) fn met(&self, row: usize, value: &Value) -> f64 {
        self.wants[row].iter().filter(|(want, ..)| *want == value).map(|want| want.2).fold(0.0, f64::max)
    }

    pub(super) fn is_met(&self, row: usize, value: &Value) -> bool {
        self.wants[row].iter().any(|(want, ..)| *want == value)
    }
}

/// The best programs so far, one for each behaviour.
#[derive(Default)]
pub(super) struct Best {
    found: Vec<(Found, Vec<Option<Value>>)>,
    /// The most bits that any saves, without regard to costs.
    pub saved: f64,
    /// How many programs were tried so far.
    pub tried: u64,
}

impl Best {
    pub(super) fn offer(&mut self, program: Program, cost: u32, saved: f64, values: Vec<Option<Value>>) {
        let gain = saved - f64::from(cost);
        if gain <= 0.0 {
            return;
        }
        self.saved = self.saved.max(saved);
        let program = Program { body: program.body.simplified(), ..program };
        let found = Found { program, cost, gain, tried: self.tried };
        match self.found.iter_mut().find(|(_, other)| *other == values) {
            Some((other, _)) if other.gain < gain => *other = found,
            Some(_) => {}
            None => self.found.push((found, values)),
        }
        // Far more than are ever wanted: the list stays short, the best stay in it.
        if self.found.len() > 256 {
            self.sort();
            self.found.truncate(64);
        }
    }

    fn sort(&mut self) {
        self.found
            .sort_by(|(a, _), (b, _)| b.gain.total_cmp(&a.gain).then_with(|| a.program.cmp(&b.program)));
    }

    pub(super) fn finish(mut self, results: usize) -> Vec<Found> {
        self.sort();
        self.found.into_iter().take(results).map(|(found, _)| found).collect()
    }

    /// The best program and its values.
    fn first(&self) -> Option<&(Found, Vec<Option<Value>>)> {
        self.found.iter().max_by(|(a, _), (b, _)| a.gain.total_cmp(&b.gain))
    }

    pub(super) fn is_recursive(&self) -> bool {
        let is_rec = |expr: &Expr| matches!(expr, Expr::Rec(_));
        self.first().is_some_and(|(found, _)| found.program.body.any(&is_rec))
    }

    /// The bits that the best program saves on these rows, each taken by itself.
    pub(super) fn met(&self, goal: &Goal<'_>, rows: &[usize]) -> f64 {
        let met = |values: &[Option<Value>], row: usize| {
            values[row].as_ref().map_or(0.0, |value| goal.met(row, value))
        };
        self.first().map_or(0.0, |(_, values)| rows.iter().map(|&row| met(values, row)).sum())
    }

    pub(super) fn gain(&self) -> f64 {
        self.found.iter().map(|(found, _)| found.gain).fold(0.0, f64::max)
    }
}

/// Tries programs without recursion, and the best of them with exceptions if `exceptions` says so.
pub(super) fn flat(task: &Task<'_>, limits: enumerate::Limits, exceptions: bool, best: &mut Best) {
    let search = Search::new(task.arity, task.kind, task.rows, task.library, task.costs, limits);
    run(task, search, exceptions, best);
}

/// Tries programs without recursion and conditions, which are most of what there is: the others are reached sooner.
pub(super) fn straight(task: &Task<'_>, limits: enumerate::Limits, best: &mut Best) {
    let search = Search::new(task.arity, task.kind, task.rows, task.library, task.costs, limits);
    let mut search = run(task, search.without_conditions(), false, best);
    join(task, &mut search, best);
}

fn run<'s>(task: &Task<'_>, mut search: Search<'s>, exceptions: bool, best: &mut Best) -> Search<'s> {
    let ids: Vec<Vec<u32>> = task
        .goal
        .wants
        .iter()
        .map(|wants| wants.iter().map(|(value, ..)| search.intern((*value).clone())).collect())
        .collect();
    let mut gains: Vec<(f64, u32, u32)> = Vec::new();
    let mut terms = Terms::default();
    let mut most = 0.0;
    search.run_all(|found| {
        let term = (found.number(), found.cost);
        if found.kind == Type::Bool && terms.conditions.len() < TERMS {
            terms.conditions.push(term);
        }
        if found.kind != task.kind {
            return true;
        }
        if terms.values.len() < TERMS {
            terms.values.push(term);
        }
        let saved = task.goal.saved(|row, place| found.values[row] == ids[row][place]);
        let gain = saved - f64::from(found.cost);
        if gain > 0.0 {
            gains.push((gain, found.cost, found.number()));
            most = gain.max(most);
        }
        task.goal.all - f64::from(found.cost) > most
    });
    best.tried += search.tried;
    gains.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    gains.truncate(64);
    let values = |search: &Search<'_>, ids: &[u32]| -> Vec<Option<Value>> {
        ids.iter().map(|&id| (id != UNDEFINED).then(|| search.value(id).clone())).collect()
    };
    for &(gain, cost, number) in &gains {
        let program = Program { arity: task.arity, body: search.expr_of(number) };
        best.offer(program, cost, gain + f64::from(cost), values(&search, search.values_of(number)));
    }
    if !exceptions {
        return search;
    }
    terms.rules = gains.iter().take(RULES).map(|&(_, cost, number)| (number, cost)).collect();
    let truth = search.intern(Value::Bool(true));
    for Split { condition, parts, cost, saved } in splits(task, &search, &ids, &terms, truth) {
        let body = [condition, parts[0], parts[1]].map(|number| search.expr_of(number));
        let chosen: Vec<u32> = choose(&search, condition, parts, truth).collect();
        let program = Program { arity: task.arity, body: Expr::Apply(Prim::If, body.into()) };
        best.offer(program, cost, saved, values(&search, &chosen));
    }
    search
}

/// The cheapest terms of a search, with their costs: what rules with exceptions are made of.
#[derive(Default)]
struct Terms {
    conditions: Vec<(u32, u32)>,
    values: Vec<(u32, u32)>,
    rules: Vec<(u32, u32)>,
}

/// So many conditions and exceptions are tried.
const TERMS: usize = 150;
/// With so many rules.
const RULES: usize = 8;

/// A rule with an exception: `if condition then parts[0] else parts[1]`.
struct Split {
    condition: u32,
    parts: [u32; 2],
    cost: u32,
    saved: f64,
}

/// Good programs, each with the exception that helps it most. Enumeration would reach these in the end; but a
/// rule that explains most examples is a good guess at one half of the answer.
fn splits(task: &Task<'_>, search: &Search<'_>, ids: &[Vec<u32>], terms: &Terms, truth: u32) -> Vec<Split> {
    let own = task.costs.prim(Prim::If);
    let goal = &task.goal;
    let meets = |number: u32, row: usize| ids[row].contains(&search.values_of(number)[row]);
    let least = terms.conditions.first().map_or(0, |&(_, cost)| cost);
    let mut found = Vec::new();
    for &(rule, rule_cost) in &terms.rules {
        let mut best: Option<(f64, Split)> = None;
        for &(exception, cost) in &terms.values {
            let helps: f64 = (0..ids.len())
                .filter(|&row| meets(exception, row) && !meets(rule, row))
                .map(|row| goal.wants[row].iter().map(|want| want.2).fold(0.0, f64::max))
                .sum();
            if helps <= f64::from(own + cost + least) {
                continue;
            }
            for &(condition, condition_cost) in &terms.conditions {
                let cost = own + rule_cost + cost + condition_cost;
                for parts in [[exception, rule], [rule, exception]] {
                    let chosen: Vec<u32> = choose(search, condition, parts, truth).collect();
                    let saved = goal.saved(|row, place| chosen[row] == ids[row][place]);
                    let gain = saved - f64::from(cost);
                    if best.as_ref().is_none_or(|(most, _)| gain > *most) {
                        best = Some((gain, Split { condition, parts, cost, saved }));
                    }
                }
            }
        }
        found.extend(best.map(|(_, split)| split));
    }
    found
}

/// The values of `if condition then parts[0] else parts[1]`.
fn choose<'s>(
    search: &'s Search<'_>,
    condition: u32,
    parts: [u32; 2],
    truth: u32,
) -> impl Iterator<Item = u32> + 's {
    let conditions = search.values_of(condition).iter();
    let values = search.values_of(parts[0]).iter().zip(search.values_of(parts[1]));
    conditions.zip(values).map(move |(&condition, (&yes, &no))| match condition {
        UNDEFINED => UNDEFINED,
        condition if condition == truth => yes,
        _ => no,
    })
}
