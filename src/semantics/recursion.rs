//! Searches for programs that explain examples, recursive ones included.
//!
//! A recursive program is looked for in the shape `if C then B else G[rec(A...)]`. The pieces come from one
//! bottom-up enumeration over small arguments, in which the result of `rec` is one more argument. What C and
//! A do is then followed on the smallest examples, before any B or G is tried: pairs that visit the same
//! arguments are one, and pairs that never end are none. A candidate must explain some of the smallest
//! examples before it is run on all of them. Examples may be wrong: what counts is the bits that a program
//! saves over all of them, less its own cost.

use crate::semantics::costs::Costs;
use crate::semantics::enumerate::{self, Library, Row, Search, UNDEFINED};
use crate::semantics::eval::{Evaluator, Stuck};
use crate::semantics::flat::{Best, Goal, Task, flat, straight};
use crate::semantics::program::{Expr, Prim, Program};
use crate::symbol::Symbol;
use crate::value::{Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// A result that would explain an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Want {
    /// The result.
    pub value: Value,
    /// The bits that it saves.
    pub bits: f64,
    /// The example it explains; one example is explained only once, at its best, whatever the row.
    pub example: usize,
}

/// Bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bounds of the search for programs without recursion. Default: cost 40, 20,000 terms, 300,000 tried.
    pub flat: enumerate::Limits,
    /// Recursive programs of a higher cost are not tried. Default 48.
    pub cost: u32,
    /// At most so many recursive programs are tried; if none, no rules with exceptions either. Default 60,000.
    pub tried: u64,
    /// So many programs are returned at most. Default 8.
    pub results: usize,
    /// Costlier programs without recursion are tried unless others explain this share of the bits. Default 0.6.
    pub enough: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        let flat = enumerate::Limits { cost: 40, tried: 300_000, ..enumerate::Limits::default() };
        Limits { flat, cost: 48, tried: 60_000, results: 8, enough: LIKELY }
    }
}

/// A program found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The program.
    pub program: Program,
    /// Its cost in bits.
    pub cost: u32,
    /// The bits it saves, less its cost.
    pub gain: f64,
    /// How many programs had been tried when it was found.
    pub tried: u64,
}

/// The programs of `arity` arguments that explain `rows` best, the best first. The most trustworthy rows
/// should stand first. Row by row, `wants` holds the
/// results that would explain something; rows beyond the last of them do not count. Library programs work on
/// values of `kind`, as does the program.
pub fn search(
    arity: u8,
    kind: Type,
    rows: &[Row],
    wants: &[Vec<Want>],
    library: Library<'_>,
    costs: &Costs,
    limits: Limits,
) -> Vec<Found> {
    let rows = &rows[..rows.len().min(wants.len())];
    let task = Task { arity, kind, rows, library, costs, goal: Goal::new(&wants[..rows.len()]) };
    let mut best = Best::default();
    let quick = enumerate::Limits { tried: limits.flat.tried.min(QUICK), ..limits.flat };
    flat(&task, quick, limits.tried > 0, &mut best);
    let share = best.saved / task.goal.all;
    if share < 0.95 && arity > 0 && limits.tried > 0 {
        // A program that explains nearly everything is probably right, but a few wrong examples look alike.
        let tried = if share < SOLVED { limits.tried } else { limits.tried / 4 };
        Recursive::new(&task, Limits { tried, ..limits }).run(&mut best);
    }
    if best.saved < limits.enough * task.goal.all && limits.flat.tried > QUICK {
        straight(&task, limits.flat, &mut best);
    }
    best.finish(limits.results)
}

/// So many programs without recursion are tried before recursive ones.
const QUICK: u64 = 20_000;
/// Who explains this share of the bits needs no costlier rival.
const SOLVED: f64 = 0.8;
/// Who explains this share is hardly wrong: no other program does so by chance.
const LIKELY: f64 = 0.6;
/// Fuel for running a candidate on one row.
const FUEL: u32 = 5_000;
/// A candidate may run out of fuel on so many rows.
const ENDLESS: u32 = 2;

/// A piece of a program, and its cost.
struct Piece {
    expr: Expr,
    cost: u32,
}

/// Arguments for `rec`.
struct Tuple {
    parts: Vec<Expr>,
    cost: u32,
}

/// What pairs of a condition and a tuple do on the sample rows, and the pairs that do it, the cheapest first.
struct Walk {
    traces: Vec<Trace>,
    pairs: Vec<(usize, usize)>,
    cost: u32,
}

/// The arguments at each call, from the first to the last, on one row.
struct Trace {
    row: usize,
    /// Each with one more place, for the result of `rec`.
    states: States,
}

/// The arguments at each call, from the first to the last.
type States = Vec<Vec<Value>>;

/// Where the walk with these states on these rows stands.
type Index = FxHashMap<Vec<(usize, States)>, usize>;

/// The search for recursive programs: the pieces, and what it has come to.
struct Recursive<'t, 'a> {
    task: &'t Task<'a>,
    limits: Limits,
    evaluator: Evaluator<'a>,
    conditions: Vec<Piece>,
    bases: Vec<Piece>,
    contexts: Vec<Piece>,
    tuples: Vec<Tuple>,
    /// The rows that candidates are first tried on.
    sample: Vec<usize>,
    /// All rows with wants, the smallest first.
    order: Vec<usize>,
    /// The most bits that any candidate saved on the sample.
    most: f64,
    tried: u64,
}

/// Candidates are first tried on so many of the smallest rows.
const SAMPLE: usize = 8;
/// They must explain so many of these (fewer, if there are not so many).
const LEAST: usize = 2;
/// And one of the first so many.
const FIRST: usize = 5;
/// No sample row may take more calls.
const MAX_CALLS: usize = 64;
/// Fuel for one piece on one row.
const PIECE_FUEL: u32 = 2_000;
/// Pieces are enumerated within these bounds.
const PIECES: enumerate::Limits = enumerate::Limits { cost: 18, terms: 2_500, tried: 60_000, extent: 64 };
/// So many pieces of each kind are used, the cheapest first.
const MOST: [usize; 4] = [80, 40, 600, 120];
/// So many pairs that do the same on the sample are kept apart for the rows beyond it.
const ALIKE: usize = 4;
/// The costs of programs are raised by so much from one stage to the next.
const STAGE: u32 = 4;

impl<'t, 'a> Recursive<'t, 'a> {
    fn new(task: &'t Task<'a>, limits: Limits) -> Recursive<'t, 'a> {
        let fits = |row: usize| task.rows[row].args.len() == task.arity as usize;
        let mut sample: Vec<usize> =
            (0..task.rows.len()).filter(|&row| fits(row) && !task.goal.wants[row].is_empty()).collect();
        let size = |row: &usize| (task.rows[*row].args.iter().map(measure).sum::<u64>(), *row);
        let mut order = sample.clone();
        order.sort_by_key(size);
        // The first rows are the most trustworthy.
        sample.truncate((sample.len() / 2).max(SAMPLE + 2));
        sample.sort_by_key(size);
        sample.truncate(SAMPLE);
        let mut recursive = Recursive {
            task,
            limits,
            evaluator: Evaluator::new(task.library.programs),
            conditions: Vec::new(),
            bases: Vec::new(),
            contexts: Vec::new(),
            tuples: Vec::new(),
            sample,
            order,
            most: 0.0,
            tried: 0,
        };
        recursive.collect();
        recursive
    }

    /// Enumerates the pieces.
    fn collect(&mut self) {
        let Task { arity, kind, library, costs, .. } = *self.task;
        let probes = self.probes();
        let Some(first) = probes.first() else { return };
        let kinds: Vec<Type> = first.args[..arity as usize].iter().map(Value::kind).collect();
        let mut search = Search::new(arity + 1, kind, &probes, library, costs, PIECES);
        let mut numbers: Vec<(u32, Type, u32)> = Vec::new();
        search.run_all(|found| {
            numbers.push((found.number(), found.kind, found.cost));
            true
        });
        let mut parts: Vec<Vec<(Piece, bool)>> = (0..arity).map(|_| Vec::new()).collect();
        for (number, found, cost) in numbers {
            let expr = search.expr_of(number);
            let values: Vec<Option<&Value>> = search
                .values_of(number)
                .iter()
                .map(|&id| (id != UNDEFINED).then(|| search.value(id)))
                .collect();
            if expr.uses(arity) {
                if found == kind && self.contexts.len() < MOST[2] {
                    self.contexts.push(Piece { expr, cost: cost - costs.arg });
                }
                continue;
            }
            for (place, parts) in parts.iter_mut().enumerate().filter(|(place, _)| kinds[*place] == found) {
                let shrinks = shrinks(&probes, place, &values);
                parts.push((Piece { expr: expr.clone(), cost }, shrinks));
            }
            if found == Type::Bool && differs(&values) && self.conditions.len() < MOST[0] {
                self.conditions.push(Piece { expr: expr.clone(), cost });
            }
            if found == kind && self.bases.len() < MOST[1] {
                self.bases.push(Piece { expr, cost });
            }
        }
        self.tuples = tuples(&parts, PIECES.cost);
    }

    /// Small arguments that tell pieces apart: those of the smallest rows, and ones still smaller; and with
    /// each a result of `rec`, unlike the arguments.
    fn probes(&self) -> Vec<Row> {
        let mut probes: Vec<Row> = Vec::new();
        let mut add = |args: Vec<Value>, me: &Option<Value>| {
            if probes.len() < 24 && !probes.iter().any(|row| row.args == args) {
                probes.push(Row { args, me: me.clone() });
            }
        };
        for &row in self.sample.iter().rev().step_by(2) {
            let Row { args, me } = &self.task.rows[row];
            add(args.clone(), me);
            for place in 0..args.len() {
                for value in smaller(&args[place]) {
                    let mut args = args.clone();
                    args[place] = value;
                    add(args, me);
                }
            }
        }
        for (number, row) in probes.iter_mut().enumerate() {
            row.args.push(unlike(self.task.kind, number));
        }
        probes
    }

    /// Tries programs in stages of cost.
    fn run(mut self, best: &mut Best) {
        let least = |pieces: &[Piece]| pieces.iter().map(|piece| piece.cost).min();
        let (Some(base), Some(context)) = (least(&self.bases), least(&self.contexts)) else { return };
        let own = self.task.costs.prim(Prim::If) + self.task.costs.call;
        self.most = best.met(&self.task.goal, &self.sample);
        let pairs = self.pairs();
        let mut walks: Vec<Walk> = Vec::new();
        let mut index = Index::default();
        let mut walked = 0;
        let mut done = 0;
        let mut bound = own + base + context + STAGE;
        let (mut settled, mut saved) = (0, best.saved);
        while bound <= self.limits.cost && self.tried < self.limits.tried {
            while walked < pairs.len() && pairs[walked].0 + own + base + context <= bound {
                self.walk(pairs[walked], &mut walks, &mut index);
                walked += 1;
            }
            for walk in &mut walks {
                self.fill(walk, own, (done, bound), best);
            }
            if self.task.goal.all - f64::from(bound) <= best.gain() {
                break;
            }
            // Some more stages after a good program: a better one may cost a little more.
            let share = best.saved / self.task.goal.all;
            settled = if best.saved > saved { 0 } else { settled + 1 };
            saved = best.saved;
            if (share >= SOLVED && settled >= 1) || (share >= LIKELY && settled >= 2 && best.is_recursive()) {
                break;
            }
            done = bound;
            bound += STAGE;
        }
    }

    /// Conditions with tuples, and what they cost together, the cheapest first.
    fn pairs(&self) -> Vec<(u32, usize, usize)> {
        let mut pairs: Vec<(u32, usize, usize)> = Vec::new();
        for (c, condition) in self.conditions.iter().enumerate() {
            pairs
                .extend(self.tuples.iter().enumerate().map(|(t, tuple)| (condition.cost + tuple.cost, c, t)));
        }
        pairs.sort_unstable();
        pairs
    }

    /// Follows a condition and a tuple on the sample.
    fn walk(
        &mut self,
        (cost, condition, tuple): (u32, usize, usize),
        walks: &mut Vec<Walk>,
        index: &mut Index,
    ) {
        let mut traces = Vec::new();
        for place in 0..self.sample.len() {
            let row = self.sample[place];
            if let Some(states) = self.trace(row, condition, tuple) {
                traces.push((row, states));
            }
        }
        let again = traces.iter().filter(|(_, states)| states.len() > 1).count();
        if again == 0 || traces.len() * 2 < self.sample.len() {
            return;
        }
        if let Some(&known) = index.get(&traces) {
            let pairs = &mut walks[known].pairs;
            if pairs.len() < ALIKE {
                pairs.push((condition, tuple));
            }
            return;
        }
        index.insert(traces.clone(), walks.len());
        traces.sort_by_key(|(_, states)| states.len());
        let traces = traces.into_iter().map(|(row, states)| Trace { row, states }).collect();
        walks.push(Walk { traces, pairs: vec![(condition, tuple)], cost });
    }

    fn trace(&mut self, row: usize, condition: usize, tuple: usize) -> Option<States> {
        let Row { args, me } = &self.task.rows[row];
        let mut states = vec![args.clone()];
        states[0].push(Value::Bool(false));
        loop {
            let state = states.last()?;
            let condition = &self.conditions[condition].expr;
            match self.evaluator.eval(condition, state, me.as_ref(), PIECE_FUEL).ok()? {
                Value::Bool(true) => return Some(states),
                _ if states.len() == MAX_CALLS => return None,
                _ => {}
            }
            let mut next = Vec::with_capacity(state.len());
            for part in &self.tuples[tuple].parts {
                next.push(self.evaluator.eval(part, state, me.as_ref(), PIECE_FUEL).ok()?);
            }
            next.push(Value::Bool(false));
            if next == *state {
                return None;
            }
            states.push(next);
        }
    }

    /// Tries bases and contexts whose cost together with that of the walk lies within a stage.
    fn fill(&mut self, walk: &mut Walk, own: u32, (done, bound): (u32, u32), best: &mut Best) {
        let mut seen: FxHashSet<Vec<Option<Value>>> = FxHashSet::default();
        let needed = LEAST.min(walk.traces.iter().filter(|trace| trace.states.len() > 1).count());
        for base in 0..self.bases.len() {
            let cost = own + walk.cost + self.bases[base].cost;
            if cost + self.contexts[0].cost > bound {
                break;
            }
            let values: Vec<Option<Value>> = walk.traces.iter().map(|trace| self.base(trace, base)).collect();
            if !seen.insert(values.clone()) {
                continue;
            }
            for context in 0..self.contexts.len() {
                let cost = cost + self.contexts[context].cost;
                if cost <= done {
                    continue;
                }
                if cost > bound || self.tried >= self.limits.tried {
                    break;
                }
                self.tried += 1;
                best.tried += 1;
                let (met, again) = self.met(walk, &values, context);
                if again >= needed && met * 4.0 >= self.most * 3.0 {
                    self.most = self.most.max(met);
                    for &(condition, tuple) in &walk.pairs {
                        self.finish([condition, tuple, base, context], best);
                    }
                }
            }
        }
    }

    fn base(&mut self, trace: &Trace, base: usize) -> Option<Value> {
        let me = self.task.rows[trace.row].me.as_ref();
        self.evaluator.eval(&self.bases[base].expr, trace.states.last()?, me, PIECE_FUEL).ok()
    }

    /// The bits saved on the sample with this context around the results of the base, and how many of the rows
    /// that are explained need `rec`.
    fn met(&mut self, walk: &mut Walk, values: &[Option<Value>], context: usize) -> (f64, usize) {
        let context = &self.contexts[context].expr;
        let (mut met, mut again, mut missed) = (0.0, 0, 0);
        for (trace, value) in walk.traces.iter_mut().zip(values) {
            let Some((_, states)) = trace.states.split_last_mut() else { continue };
            let me = self.task.rows[trace.row].me.as_ref();
            let mut value = value.clone();
            for state in states.iter_mut().rev() {
                let Some(inner) = value else { break };
                if let Some(hole) = state.last_mut() {
                    *hole = inner;
                }
                value = self.evaluator.eval(context, state, me, PIECE_FUEL).ok();
            }
            match value.map(|value| self.task.goal.met(trace.row, &value)) {
                Some(bits) if bits > 0.0 => {
                    met += bits;
                    again += usize::from(!states.is_empty());
                }
                _ => missed += usize::from(!states.is_empty()),
            }
            if again == 0 && missed == FIRST {
                break;
            }
        }
        (met, again)
    }

    /// Runs a candidate on all rows.
    fn finish(&mut self, [condition, tuple, base, context]: [usize; 4], best: &mut Best) {
        let Task { arity, rows, costs, .. } = *self.task;
        let again = Expr::Rec(self.tuples[tuple].parts.clone());
        let branches = vec![
            self.conditions[condition].expr.clone(),
            self.bases[base].expr.clone(),
            self.contexts[context].expr.with(arity, &again),
        ];
        let program = Program { arity, body: Expr::Apply(Prim::If, branches) };
        let goal = &self.task.goal;
        let cost = costs.of(&program.body);
        let plan = self.evaluator.plan(&program);
        let mut values: Vec<Option<Value>> = vec![None; rows.len()];
        let (mut hope, mut endless) = (goal.all, 0);
        for &row in &self.order {
            let Row { args, me } = &rows[row];
            let result = self.evaluator.run_planned(&program, plan.as_ref(), args, me.as_ref(), FUEL);
            endless += u32::from(result == Err(Stuck::Fuel));
            values[row] = result.ok();
            if !values[row].as_ref().is_some_and(|value| goal.is_met(row, value)) {
                hope -= goal.only(row);
            }
            // Half as good as the best so far is of no interest.
            if hope - f64::from(cost) <= best.gain() / 2.0 || endless > ENDLESS {
                return;
            }
        }
        let saved = goal.saved(|row, place| values[row].as_ref() == Some(goal.wants[row][place].0));
        best.offer(program, cost, saved, values);
    }
}

/// How far a value is from the smallest of its type.
fn measure(value: &Value) -> u64 {
    match value {
        Value::Nat(number) => *number,
        Value::List(list) => list.0.len() as u64,
        Value::Bool(_) | Value::Token(_) | Value::Integer(_) => 0,
    }
}

/// Values smaller than this one.
fn smaller(value: &Value) -> Vec<Value> {
    match value {
        Value::Nat(number) => {
            let numbers = [0, 1, number.saturating_sub(1), number / 2];
            numbers.into_iter().filter(|smaller| smaller < number).map(Value::Nat).collect()
        }
        Value::List(list) => {
            let n = list.0.len();
            let starts = [n, n.saturating_sub(1), 1.min(n), n / 2];
            starts.into_iter().filter(|&start| start > 0).map(|start| Value::list(&list.0[start..])).collect()
        }
        Value::Bool(_) | Value::Token(_) | Value::Integer(_) => Vec::new(),
    }
}

/// A value of this type that differs from the arguments, another for each number.
fn unlike(kind: Type, number: usize) -> Value {
    // Tokens that no vocabulary reaches; numbers off the beaten track.
    let token = |offset: usize| Symbol(u32::MAX - (3 * number + offset) as u32);
    match kind {
        Type::Nat => Value::Nat((number as u64 * 7 + 5) % 29),
        Type::Integer => Value::Integer((number as i64).into()),
        Type::Bool => Value::Bool(number.is_multiple_of(2)),
        Type::Token => Value::Token(token(0)),
        Type::List => Value::list(&(0..number % 3 + 1).map(token).collect::<Vec<_>>()),
    }
}

/// Whether argument `place` never grows and somewhere shrinks.
fn shrinks(probes: &[Row], place: usize, values: &[Option<&Value>]) -> bool {
    let mut some = false;
    for (probe, value) in probes.iter().zip(values) {
        let Some(value) = value else { continue };
        match measure(value).cmp(&measure(&probe.args[place])) {
            std::cmp::Ordering::Greater => return false,
            std::cmp::Ordering::Less => some = true,
            std::cmp::Ordering::Equal => {}
        }
    }
    some
}

/// Whether there is more than one value.
fn differs(values: &[Option<&Value>]) -> bool {
    let mut values = values.iter().flatten();
    let first = values.next();
    values.any(|value| Some(value) != first)
}

/// All arguments for `rec` up to a cost in which something gets smaller, the cheapest first.
fn tuples(parts: &[Vec<(Piece, bool)>], cost: u32) -> Vec<Tuple> {
    let mut tuples = vec![(Tuple { parts: Vec::new(), cost: 0 }, false)];
    for parts in parts {
        let mut longer = Vec::new();
        for (tuple, shrinks) in &tuples {
            for (part, smaller) in parts.iter().take(MOST[1]) {
                let sum = tuple.cost + part.cost;
                if sum <= cost {
                    let parts = tuple.parts.iter().chain([&part.expr]).cloned().collect();
                    longer.push((Tuple { parts, cost: sum }, *shrinks || *smaller));
                }
            }
        }
        tuples = longer;
    }
    let mut tuples: Vec<Tuple> =
        tuples.into_iter().filter(|(_, shrinks)| *shrinks).map(|(tuple, _)| tuple).collect();
    tuples.sort_by_key(|tuple| tuple.cost);
    tuples.truncate(MOST[3]);
    tuples
}
