//! Program search: enumerates programs bottom-up in order of cost and merges those that behave alike.
//!
//! Every term is represented by its values on all rows at once; of several terms with the same values only
//! the cheapest is kept (observational equivalence), which is what makes the search fast.

use crate::semantics::costs::Costs;
use crate::semantics::eval::{self, Evaluator};
use crate::semantics::program::{Expr, Prim, Program};
use crate::value::{Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a program is run on: the values of the children and the constant of the symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The values of the children.
    pub args: Vec<Value>,
    /// The constant of the symbol, if it has one.
    pub me: Option<Value>,
}

/// Bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Programs of a higher cost are not tried.
    pub cost: u32,
    /// At most so many programs that behave differently are kept.
    pub terms: usize,
    /// At most so many programs are tried.
    pub tried: u64,
    /// Values of a larger extent count as undefined: no part of a sensible program computes them.
    pub extent: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { cost: 60, terms: 20_000, tried: 2_000_000, extent: 1_000 }
    }
}

/// Programs that others may call.
#[derive(Clone, Copy, Debug)]
pub struct Library<'a> {
    /// The programs.
    pub programs: &'a [Program],
    /// Which of them new programs may call; all beyond the last. What was solved once may have been given up since.
    pub callable: &'a [bool],
}

impl<'a> From<&'a [Program]> for Library<'a> {
    fn from(programs: &'a [Program]) -> Library<'a> {
        Library { programs, callable: &[] }
    }
}

/// A program found, with its values on the rows (`None` where it is undefined).
pub struct Found<'a> {
    /// Its cost in bits.
    pub cost: u32,
    /// The values, as numbers of [`Search::value`].
    pub values: &'a [u32],
    /// Its type.
    pub kind: Type,
    term: u32,
}

/// Marks a row on which a term has no value.
pub const UNDEFINED: u32 = u32::MAX;

#[derive(Clone, Copy)]
enum Op {
    Arg(u8),
    Me,
    Prim(Prim),
    Call(u32),
    Number(u64),
}

struct Term {
    op: Op,
    parts: [u32; 3],
    arity: u8,
    kind: Type,
    cost: u32,
}

struct Production {
    op: Op,
    args: Vec<Type>,
    result: Type,
    cost: u32,
}

/// A search in progress: the terms so far and their values.
pub struct Search<'a> {
    rows: &'a [Row],
    evaluator: Evaluator<'a>,
    limits: Limits,
    interned: FxHashMap<Value, u32>,
    values: Vec<Value>,
    applied: FxHashMap<(u8, u32, u32), u32>,
    called: FxHashMap<(u32, [u32; 3]), u32>,
    terms: Vec<Term>,
    table: Vec<u32>,
    seen: FxHashSet<(Type, Box<[u32]>)>,
    levels: FxHashMap<(Type, u32), Vec<u32>>,
    productions: Vec<Production>,
    /// How many programs were tried.
    pub tried: u64,
}

/// Fuel for one call of a library program during a search.
const FUEL: u32 = 2_000;

impl<'a> Search<'a> {
    /// A search for programs of `arity` arguments over `rows`; library programs work on values of `kind`.
    pub fn new(
        arity: u8,
        kind: Type,
        rows: &'a [Row],
        library: Library<'a>,
        costs: &Costs,
        limits: Limits,
    ) -> Search<'a> {
        let mut search = Search {
            rows,
            evaluator: Evaluator::new(library.programs),
            limits,
            interned: FxHashMap::default(),
            values: Vec::new(),
            applied: FxHashMap::default(),
            called: FxHashMap::default(),
            terms: Vec::new(),
            table: Vec::new(),
            seen: FxHashSet::default(),
            levels: FxHashMap::default(),
            productions: productions(kind, library, costs),
            tried: 0,
        };
        search.leaves(arity, costs);
        search.drop_idle(kind);
        search
    }

    /// Drops what works on numbers where there are none, and what works on lists where there are none.
    fn drop_idle(&mut self, kind: Type) {
        let is_number = |kind: Type| kind == Type::Nat;
        let is_list = |kind: Type| matches!(kind, Type::List | Type::Token);
        let there = |test: &dyn Fn(Type) -> bool| test(kind) || self.terms.iter().any(|term| test(term.kind));
        let (numbers, lists) = (there(&is_number), there(&is_list));
        let idle = |kind: Type| (is_number(kind) && !numbers) || (is_list(kind) && !lists);
        self.productions
            .retain(|production| !production.args.iter().any(|&arg| idle(arg)) && !idle(production.result));
    }

    /// Leaves conditions out, which are most of what there is: programs that only compute are reached sooner.
    pub fn without_conditions(mut self) -> Search<'a> {
        self.productions.retain(|production| !matches!(production.op, Op::Prim(Prim::If | Prim::Eq)));
        self
    }

    /// Lets programs name these numbers, each at this cost, and not only count up to them.
    pub fn naming(mut self, numbers: &[u64], cost: u32) -> Search<'a> {
        let production =
            |&number: &u64| Production { op: Op::Number(number), args: Vec::new(), result: Type::Nat, cost };
        self.productions.extend(numbers.iter().map(production));
        self
    }

    fn leaves(&mut self, arity: u8, costs: &Costs) {
        for arg in 0..arity {
            let values: Vec<Option<Value>> =
                self.rows.iter().map(|row| row.args.get(arg as usize).cloned()).collect();
            self.leaf(Op::Arg(arg), costs.arg, &values);
        }
        let values: Vec<Option<Value>> = self.rows.iter().map(|row| row.me.clone()).collect();
        self.leaf(Op::Me, costs.me, &values);
    }

    fn leaf(&mut self, op: Op, cost: u32, values: &[Option<Value>]) {
        let Some(kind) = values.iter().flatten().next().map(Value::kind) else { return };
        let ids: Vec<u32> = values
            .iter()
            .map(|value| value.as_ref().map_or(UNDEFINED, |value| self.intern(value.clone())))
            .collect();
        self.keep(Term { op, parts: [0; 3], arity: 0, kind, cost }, &ids);
    }

    /// The number of a value, for comparing with [`Found::values`].
    pub fn intern(&mut self, value: Value) -> u32 {
        let next = self.values.len() as u32;
        *self.interned.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            next
        })
    }

    /// The value of this number.
    pub fn value(&self, number: u32) -> &Value {
        &self.values[number as usize]
    }

    /// Tries programs in order of cost; `visit` sees each one of type `kind` that behaves differently from
    /// those before it, and says whether to go on.
    pub fn run(&mut self, kind: Type, mut visit: impl FnMut(&Found<'_>) -> bool) {
        self.run_all(|found| found.kind != kind || visit(found));
    }

    /// As [`Search::run`], for programs of all types.
    pub fn run_all(&mut self, mut visit: impl FnMut(&Found<'_>) -> bool) {
        let mut shown = 0;
        for cost in 0..=self.limits.cost {
            self.level(cost);
            while shown < self.terms.len() {
                let term = &self.terms[shown];
                if term.cost > cost {
                    break;
                }
                let number = shown as u32;
                let values = self.row_values(number);
                if !visit(&Found { cost: term.cost, values, kind: term.kind, term: number }) {
                    return;
                }
                shown += 1;
            }
            if self.terms.len() >= self.limits.terms || self.tried >= self.limits.tried {
                return;
            }
        }
    }

    /// Makes all programs of this cost; cheaper ones must have been made before. The numbers of those that behave
    /// differently from all before, as [`Search::expr_of`] knows them.
    pub fn grow(&mut self, cost: u32) -> std::ops::Range<u32> {
        let cheaper = self.terms.iter().filter(|term| term.cost < cost).count() as u32;
        self.level(cost);
        let costlier = self.terms.iter().filter(|term| term.cost > cost).count() as u32;
        cheaper..self.terms.len() as u32 - costlier
    }

    /// Whether a bound is reached.
    pub fn is_full(&self) -> bool {
        self.terms.len() >= self.limits.terms || self.tried >= self.limits.tried
    }

    /// How many terms there are so far; they are numbered from 0.
    pub fn terms(&self) -> u32 {
        self.terms.len() as u32
    }

    /// The cost of the term of this number.
    pub fn cost_of(&self, term: u32) -> u32 {
        self.terms[term as usize].cost
    }

    /// The type of the term of this number.
    pub fn kind_of(&self, term: u32) -> Type {
        self.terms[term as usize].kind
    }

    fn row_values(&self, term: u32) -> &[u32] {
        let start = term as usize * self.rows.len();
        &self.table[start..start + self.rows.len()]
    }

    fn level(&mut self, cost: u32) {
        for number in 0..self.productions.len() {
            let own = self.productions[number].cost;
            if own <= cost {
                self.combine(number, 0, cost - own, [0; 3], cost);
            }
        }
    }

    /// Fills the arguments of a production from `place` on with terms whose costs add up to `left`.
    fn combine(&mut self, number: usize, place: usize, left: u32, parts: [u32; 3], cost: u32) {
        let arity = self.productions[number].args.len();
        if place == arity {
            if left == 0 {
                self.build(number, parts, cost);
            }
            return;
        }
        let kind = self.productions[number].args[place];
        let last = place + 1 == arity;
        for part_cost in if last { left..left + 1 } else { 0..left } {
            // Levels only ever grow at the current cost, which no part can have.
            for index in 0..self.levels.get(&(kind, part_cost)).map_or(0, Vec::len) {
                if self.terms.len() >= self.limits.terms || self.tried >= self.limits.tried {
                    return;
                }
                let mut parts = parts;
                parts[place] = self.levels[&(kind, part_cost)][index];
                self.combine(number, place + 1, left - part_cost, parts, cost);
            }
        }
    }

    fn build(&mut self, number: usize, parts: [u32; 3], cost: u32) {
        self.tried += 1;
        let Production { op, ref args, result, .. } = self.productions[number];
        let arity = args.len();
        let mut ids = Vec::with_capacity(self.rows.len());
        for row in 0..self.rows.len() {
            let inputs: [u32; 3] = std::array::from_fn(|place| {
                if place < arity { self.row_values(parts[place])[row] } else { UNDEFINED }
            });
            ids.push(self.compute(op, &inputs[..arity], row));
        }
        self.keep(Term { op, parts, arity: arity as u8, kind: result, cost }, &ids);
    }

    fn compute(&mut self, op: Op, inputs: &[u32], row: usize) -> u32 {
        if let Op::Prim(Prim::If) = op {
            let chosen = match inputs[0] {
                UNDEFINED => return UNDEFINED,
                condition => match self.values[condition as usize] {
                    Value::Bool(true) => 1,
                    _ => 2,
                },
            };
            return inputs[chosen];
        }
        if inputs.contains(&UNDEFINED) {
            return UNDEFINED;
        }
        match op {
            Op::Prim(prim) => self.apply_prim(prim, inputs),
            Op::Call(number) => self.call(number, inputs, row),
            Op::Number(number) => self.intern(Value::Nat(number)),
            Op::Arg(_) | Op::Me => UNDEFINED,
        }
    }

    /// Applies a primitive to values by number; the same values meet often, so each result is kept.
    fn apply_prim(&mut self, prim: Prim, inputs: &[u32]) -> u32 {
        let at = |place: usize| inputs.get(place).copied().unwrap_or(UNDEFINED);
        let key = (prim as u8, at(0), at(1));
        if let Some(&known) = self.applied.get(&key) {
            return known;
        }
        let values: Vec<Value> = inputs.iter().map(|&input| self.values[input as usize].clone()).collect();
        let result = eval::apply(prim, &values).map_or(UNDEFINED, |value| self.intern_small(value));
        self.applied.insert(key, result);
        result
    }

    fn call(&mut self, number: u32, inputs: &[u32], row: usize) -> u32 {
        let keeps = self.evaluator.ignores_me(number);
        let key = (number, std::array::from_fn(|place| inputs.get(place).copied().unwrap_or(UNDEFINED)));
        if keeps && let Some(&known) = self.called.get(&key) {
            return known;
        }
        let values: Vec<Value> = inputs.iter().map(|&input| self.values[input as usize].clone()).collect();
        let result = self.evaluator.call(number, &values, self.rows[row].me.as_ref(), FUEL);
        let result = result.map_or(UNDEFINED, |value| self.intern_small(value));
        if keeps {
            self.called.insert(key, result);
        }
        result
    }

    fn intern_small(&mut self, value: Value) -> u32 {
        if value.extent() > self.limits.extent { UNDEFINED } else { self.intern(value) }
    }

    fn keep(&mut self, term: Term, ids: &[u32]) {
        if ids.iter().all(|&id| id == UNDEFINED) || !self.seen.insert((term.kind, ids.into())) {
            return;
        }
        self.levels.entry((term.kind, term.cost)).or_default().push(self.terms.len() as u32);
        self.table.extend_from_slice(ids);
        self.terms.push(term);
    }

    /// The values of the term of this number, as numbers of [`Search::value`].
    pub fn values_of(&self, term: u32) -> &[u32] {
        self.row_values(term)
    }

    /// The expression of a program found.
    pub fn expr(&self, found: &Found<'_>) -> Expr {
        self.expr_of(found.term)
    }

    /// The expression of the term of this number, as counted by [`Found::number`].
    pub fn expr_of(&self, term: u32) -> Expr {
        let Term { op, parts, arity, .. } = &self.terms[term as usize];
        let parts = parts[..*arity as usize].iter().map(|&part| self.expr_of(part)).collect();
        match op {
            Op::Arg(number) => Expr::Arg(*number),
            Op::Me => Expr::Me,
            Op::Prim(prim) => Expr::Apply(*prim, parts),
            Op::Call(number) => Expr::Call(*number, parts),
            Op::Number(number) => Expr::number(*number),
        }
    }
}

impl Found<'_> {
    /// The number by which [`Search::expr_of`] knows it.
    pub fn number(&self) -> u32 {
        self.term
    }
}

fn productions(kind: Type, library: Library<'_>, costs: &Costs) -> Vec<Production> {
    let mut productions = Vec::new();
    for prim in Prim::ALL {
        for (args, result) in prim.signatures() {
            productions.push(Production {
                op: Op::Prim(prim),
                args: args.to_vec(),
                result: *result,
                cost: costs.prim(prim),
            });
        }
    }
    let Library { programs, callable } = library;
    let is_callable = |number: usize| programs[number].arity <= 3 && *callable.get(number).unwrap_or(&true);
    for number in (0..programs.len()).filter(|&number| is_callable(number)) {
        let program = &programs[number];
        let args = vec![kind; program.arity as usize];
        productions.push(Production { op: Op::Call(number as u32), args, result: kind, cost: costs.call });
    }
    productions
}
