//! A new word among known ones: whose kin is it, and what does it mean?
//!
//! If a new word belongs to a class that the parser knows, the parser knows the trees of its examples. In these
//! trees the values of its children are known, and what it should have given follows from the result by inverting
//! the programs above it. So for each class there are clean examples of what the word would have to do, a program
//! can be searched for, and the class and program are taken that together leave least to be said. The parser
//! stays as it is, and nothing that was known changes.

use super::meaning::{Meanings, Pair, VOID_COST, bits, constant_price, sample_rows};
use super::syntax::is_right;
use crate::deduction;
use crate::model::Model;
use crate::semantics::Meaning;
use crate::semantics::enumerate::{Library, Limits as SearchLimits, Row, Search};
use crate::semantics::eval::Scope;
use crate::semantics::invert::invert;
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::semantics::program::{Expr, Program};
use crate::semantics::recursion::{self, Limits, Want};
use crate::symbol::Symbol;
use crate::syntax::Workspace;
use crate::tree::Tree;
use crate::value::Value;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A program and its constant; no program for a word that contributes nothing.
pub(super) type Meant = (Option<Program>, Option<Value>);

/// What is thought of a new word.
#[derive(Clone, Debug)]
pub(super) struct Kinship {
    /// The class whose trees it has.
    pub class: u32,
    /// What it means there, for each number of children one thing.
    pub senses: Vec<Meant>,
    /// What is left to be said: the meanings, and the results they do not give.
    pub bits: f64,
    /// How many examples come out right.
    pub right: usize,
}

/// A class in whose trees no program could save this share of what one could save in those of another is not
/// looked at.
const HOPEFUL: f64 = 0.7;
/// A share of right examples that is enough: others may be wrong.
pub(super) const ENOUGH: f64 = 0.9;
/// So many different arguments are looked at.
const ROWS: usize = 40;
/// Where more values would do, an example tells nothing.
const WANTS: usize = 24;
/// So many programs of each search are tried in earnest.
const RESULTS: usize = 8;
/// So often the examples that a program gets wrong are put first, and programs are searched for again.
const AGAIN: usize = 3;
/// The longest programs without conditions.
const LONGEST: u32 = 30;
/// How programs are searched for, one way after the other as long as there is no good one.
const EFFORTS: [Effort; 10] = [
    Effort::Straight(12),
    Effort::Straight(16),
    Effort::Straight(18),
    Effort::Straight(20),
    Effort::Straight(22),
    Effort::Straight(24),
    Effort::Straight(26),
    Effort::Straight(LONGEST),
    Effort::Flat,
    Effort::Recursive,
];
/// A program is judged if it fills this share of the wishes.
const FITTING: f64 = 0.9;
/// So many examples are worked out in all to judge programs.
const JUDGED: usize = 200_000;

/// Which programs are searched for.
#[derive(Clone, Copy, PartialEq)]
enum Effort {
    /// Those without conditions up to this cost: what is made of known programs is mostly found here.
    Straight(u32),
    /// Short ones.
    Flat,
    /// And recursive ones.
    Recursive,
}

/// Finds the class and the meaning of `word` from examples in which all other words are known.
pub(super) fn find(model: &Model, meanings: &Meanings, word: u32, pairs: &[&Pair]) -> Option<Kinship> {
    let classes = (0..model.parser.classes()).into_par_iter();
    let inquiries: Vec<Inquiry<'_>> =
        classes.map(|class| Inquiry::new(model, meanings, word, class, pairs)).collect();
    let most = inquiries.iter().map(Inquiry::hope).fold(0.0, f64::max);
    let hopeful: Vec<&Inquiry<'_>> =
        inquiries.iter().filter(|inquiry| inquiry.hope() >= HOPEFUL * most).collect();
    let mut best: Option<Kinship> = None;
    for effort in EFFORTS {
        let bound = best.as_ref().map_or(f64::INFINITY, |best| best.bits);
        let found: Vec<Kinship> = hopeful.par_iter().map(|inquiry| inquiry.answer(effort, bound)).collect();
        // Of equals the first class stays.
        for kinship in found {
            best = Some(best.map_or(kinship.clone(), |best| kinship.min(best)));
        }
        let is_good =
            |best: &Kinship| best.right as f64 >= ENOUGH * pairs.len() as f64 && effort.is_past(best.bits);
        if best.as_ref().is_some_and(is_good) {
            break;
        }
    }
    best.filter(|best| !best.senses.is_empty() && 2 * best.right > pairs.len())
}

impl Effort {
    /// Whether all programs that cost less have been tried.
    fn is_past(self, bits: f64) -> bool {
        match self {
            Effort::Straight(cost) => f64::from(cost) >= bits || cost == LONGEST,
            Effort::Flat | Effort::Recursive => true,
        }
    }
}

impl Kinship {
    /// The one that leaves less to be said; of equals the other.
    fn min(self, other: Kinship) -> Kinship {
        if self.bits < other.bits { self } else { other }
    }
}

/// Different arguments, and the wishes with the rows they want something of and their examples.
struct Wishes<'a> {
    rows: Vec<Row>,
    at: Vec<(usize, usize, &'a Wish)>,
}

/// One class, and what the word would be there.
struct Inquiry<'a> {
    meanings: &'a Meanings,
    /// The programs of the class, by number.
    shared: Vec<Option<u32>>,
    word: u32,
    class: u32,
    pairs: &'a [&'a Pair],
    trees: Vec<Tree>,
    /// What each example wants of the word, if it says so.
    wishes: Vec<Option<Wish>>,
    /// The numbers that known words stand for, and what it costs to name one.
    numbers: (Vec<u64>, u32),
}

/// Arguments of the word, and the values that would make the example right.
struct Wish {
    args: Vec<Value>,
    values: Vec<Value>,
    bits: f64,
}

impl<'a> Inquiry<'a> {
    fn new(
        model: &Model,
        meanings: &'a Meanings,
        word: u32,
        class: u32,
        pairs: &'a [&'a Pair],
    ) -> Inquiry<'a> {
        let mut workspace = Workspace::new();
        let class_of = |other: &u32| match *other == word {
            true => class,
            false => model.classes[*other as usize],
        };
        let trees: Vec<Tree> = pairs
            .iter()
            .map(|pair| {
                let classes: Vec<u32> = pair.words.iter().map(class_of).collect();
                model.parser.parse(&classes, &mut workspace)
            })
            .collect();
        let kin = model.classes.iter().enumerate().filter(|(_, other)| **other == class);
        let senses = kin.flat_map(|(kin, _)| &meanings.lexicon.senses[kin]);
        let shared = senses.map(|sense| sense.program).collect();
        let wish = |(pair, tree): (&&Pair, &Tree)| wish(&meanings.lexicon, word, pair, tree);
        let wishes = pairs.iter().zip(&trees).map(wish).collect();
        Inquiry { meanings, shared, word, class, pairs, trees, wishes, numbers: numbers(meanings) }
    }

    /// What any program could save at most: one that gives the same for the same arguments.
    fn hope(&self) -> f64 {
        let mut wanted: BTreeMap<&[Value], BTreeMap<&Value, f64>> = BTreeMap::new();
        for wish in self.wishes.iter().flatten() {
            let values = wanted.entry(&wish.args).or_default();
            wish.values.iter().for_each(|value| *values.entry(value).or_default() += wish.bits);
        }
        let said: f64 = wanted.values().map(|values| values.values().copied().fold(0.0, f64::max)).sum();
        let silent = self.pairs.iter().filter(|pair| occurs(self.word, pair) > 1);
        said + silent.map(|pair| bits(&pair.target)).sum::<f64>()
    }

    /// The best meanings that this class allows; those that leave more than `bound` to be said may be missed.
    fn answer(&self, effort: Effort, bound: f64) -> Kinship {
        let mut best = self.judge(Vec::new());
        let mut first: Vec<usize> = Vec::new();
        let times = if self.wishes.iter().flatten().count() > ROWS { AGAIN } else { 1 };
        for _ in 0..times {
            let better = self.better(best.clone(), &first, effort, bound);
            let is_better = better.bits < best.bits;
            best = if is_better { better } else { best };
            let lexicon = self.lexicon(&best.senses);
            let is_wrong = |place: &usize| !is_right(&lexicon, self.pairs[*place], &self.trees[*place]);
            first = (0..self.pairs.len()).filter(is_wrong).collect();
            if first.is_empty() || !is_better {
                break;
            }
        }
        best
    }

    /// Looks for better meanings for each number of children, the most frequent first.
    fn better(&self, mut best: Kinship, first: &[usize], effort: Effort, bound: f64) -> Kinship {
        for (arity, places) in self.by_arity(first) {
            let mut others = best.senses.clone();
            others.retain(|(program, _)| children(program.as_ref()) != arity);
            for candidate in self.candidates(arity, &places, effort) {
                best = self.with(&others, candidate).min(best);
            }
            if let (Effort::Straight(cost), 1..) = (effort, arity) {
                best = self.search_straight(&others, arity as u8, &places, best, (cost, bound));
            }
        }
        self.with(&[], (None, None)).min(best)
    }

    /// What is thought of the word if it has one more meaning.
    fn with(&self, senses: &[Meant], more: Meant) -> Kinship {
        self.judge([senses, &[more]].concat())
    }

    /// The examples with wishes by the number of children, those in `first` first.
    fn by_arity(&self, first: &[usize]) -> Vec<(usize, Vec<usize>)> {
        let mut by_arity: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let others = (0..self.pairs.len()).filter(|place| !first.contains(place));
        for place in first.iter().copied().chain(others) {
            if let Some(wish) = &self.wishes[place] {
                by_arity.entry(wish.args.len()).or_default().push(place);
            }
        }
        let mut by_arity: Vec<(usize, Vec<usize>)> = by_arity.into_iter().collect();
        by_arity.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
        by_arity
    }

    /// Meanings that may fill many of the wishes with so many children.
    fn candidates(&self, arity: usize, places: &[usize], effort: Effort) -> Vec<Meant> {
        let found = match (arity, effort) {
            (0, Effort::Straight(_)) => self.constants(places),
            (0, _) | (_, Effort::Straight(_)) => Vec::new(),
            _ => self.search(arity as u8, places, effort),
        };
        // What other words mean is worth a try.
        let Lexicon { programs, senses, .. } = &self.meanings.lexicon;
        let mut used: Vec<u32> = senses.iter().flatten().filter_map(|sense| sense.program).collect();
        used.sort_unstable();
        used.dedup();
        let known = used.into_iter().map(|number| &programs[number as usize]);
        let known = known.filter(|program| usize::from(program.arity) == arity);
        known.filter_map(|program| self.meant(program.clone())).chain(found).collect()
    }

    /// A program with the word's own constant, if it needs one.
    fn meant(&self, program: Program) -> Option<Meant> {
        let uses_me = program.body.uses_me();
        let me = self.meanings.own(self.word).filter(|_| uses_me).cloned();
        (me.is_some() == uses_me).then_some((Some(program), me))
    }

    /// The values wanted most often.
    fn constants(&self, places: &[usize]) -> Vec<Meant> {
        let mut counts: BTreeMap<&Value, f64> = BTreeMap::new();
        for wish in places.iter().filter_map(|&place| self.wishes[place].as_ref()) {
            wish.values.iter().for_each(|value| *counts.entry(value).or_default() += wish.bits);
        }
        let mut counts: Vec<(&Value, f64)> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.total_cmp(&a.1));
        let program = Program { arity: 0, body: Expr::Me };
        let meant = |(value, _): (&Value, f64)| (Some(program.clone()), Some(value.clone()));
        counts.into_iter().take(RESULTS).map(meant).collect()
    }

    /// Programs that fill most wishes.
    fn search(&self, arity: u8, places: &[usize], effort: Effort) -> Vec<Meant> {
        let Wishes { rows, at } = self.wishes(places);
        let mut wants: Vec<Vec<Want>> = vec![Vec::new(); rows.len()];
        for &(row, place, wish) in &at {
            let want = |value: &Value| Want { value: value.clone(), bits: wish.bits, example: place };
            wants[row].extend(wish.values.iter().map(want));
        }
        let flat = SearchLimits { cost: 40, terms: 20_000, tried: 300_000, extent: extent(&rows, &at) };
        let tried = if effort == Effort::Recursive { Limits::default().tried } else { 0 };
        let limits = Limits { flat, tried, results: RESULTS, ..Limits::default() };
        let (kind, library) = (self.meanings.kind(), self.meanings.lexicon.library[..].into());
        let found = recursion::search(arity, kind, &rows, &wants, library, &self.meanings.costs, limits);
        found.into_iter().filter_map(|found| self.meant(found.program)).collect()
    }

    /// Tries programs without conditions in order of cost, each that fills most wishes on all examples, until what
    /// is left to be said about the best is less than a costlier one costs by itself.
    fn search_straight(
        &self,
        others: &[Meant],
        arity: u8,
        places: &[usize],
        mut best: Kinship,
        (most, bound): (u32, f64),
    ) -> Kinship {
        let Wishes { mut rows, at } = self.wishes(places);
        let extent = extent(&rows, &at);
        // Programs that fill the same wishes may still be told apart.
        rows.extend(
            sample_rows(arity, self.meanings.kind())
                .map(|row| Row { me: self.meanings.own(self.word).cloned(), ..row }),
        );
        let limits = SearchLimits { cost: most, terms: 300_000, tried: 3_000_000, extent };
        let kind = self.meanings.kind();
        let callable = self.meanings.callable();
        let library = Library { programs: &self.meanings.lexicon.library, callable: &callable };
        let search = Search::new(arity, kind, &rows, library, &self.meanings.costs, limits);
        let (numbers, naming) = &self.numbers;
        let mut search = search.naming(numbers, *naming).without_conditions();
        let wanted: Vec<(usize, Vec<u32>, f64)> = at
            .iter()
            .map(|(row, _, wish)| {
                (*row, wish.values.iter().map(|value| search.intern(value.clone())).collect(), wish.bits)
            })
            .collect();
        let all: f64 = wanted.iter().map(|(.., bits)| bits).sum();
        let mut left = JUDGED / self.pairs.len().max(1);
        for cost in 0..=limits.cost {
            for number in search.grow(cost) {
                let values = search.values_of(number);
                let fills = wanted.iter().filter(|(row, ids, _)| ids.contains(&values[*row]));
                let filled: f64 = fills.map(|(.., bits)| bits).sum();
                if search.kind_of(number) == kind && filled >= FITTING * all && left > 0 {
                    left -= 1;
                    let meant = self.meant(Program { arity, body: search.expr_of(number) });
                    best = meant.map_or(best.clone(), |meant| self.with(others, meant).min(best));
                }
            }
            if search.is_full() || left == 0 || f64::from(cost) >= best.bits.min(bound) {
                break;
            }
        }
        best
    }

    /// What the examples at `places` want, by different arguments.
    fn wishes(&self, places: &[usize]) -> Wishes<'_> {
        let me = self.meanings.own(self.word);
        let mut wishes = Wishes { rows: Vec::new(), at: Vec::new() };
        for (&place, wish) in places.iter().filter_map(|place| Some((place, self.wishes[*place].as_ref()?))) {
            let known = wishes.rows.iter().position(|row| row.args == wish.args);
            if known.is_none() && wishes.rows.len() == ROWS {
                continue;
            }
            let row = known.unwrap_or_else(|| {
                wishes.rows.push(Row { args: wish.args.clone(), me: me.cloned() });
                wishes.rows.len() - 1
            });
            wishes.at.push((row, place, wish));
        }
        wishes
    }

    /// What is left to be said if the word has these meanings.
    fn judge(&self, senses: Vec<Meant>) -> Kinship {
        let lexicon = self.lexicon(&senses);
        let wrong: Vec<f64> = (self.pairs.iter().zip(&self.trees))
            .filter(|(pair, tree)| !is_right(&lexicon, pair, tree))
            .map(|(pair, _)| bits(&pair.target))
            .collect();
        let prices: f64 = senses.iter().map(|meant| self.price(meant)).sum();
        let bits = prices + wrong.iter().sum::<f64>();
        Kinship { class: self.class, senses, bits, right: self.pairs.len() - wrong.len() }
    }

    /// What it costs to say a meaning: next to nothing if the class has it too.
    fn price(&self, (program, me): &Meant) -> f64 {
        let programs = &self.meanings.lexicon.programs;
        let is_same =
            |number: &Option<u32>| number.map(|number| &programs[number as usize]) == program.as_ref();
        let own = match program {
            _ if self.shared.iter().any(is_same) => 0,
            Some(program) if self.meanings.is_meant(program) => self.meanings.costs.call,
            Some(program) => self.cost(&program.body),
            None => VOID_COST,
        };
        let constant = me.as_ref().map_or(0, |me| constant_price(me, self.meanings.own(self.word)));
        f64::from(VOID_COST + own + constant)
    }

    /// The cost of an expression in which numbers that words stand for are named.
    fn cost(&self, expr: &Expr) -> u32 {
        let (numbers, naming) = &self.numbers;
        if expr.as_number().is_some_and(|number| numbers.contains(&number)) {
            return *naming;
        }
        let parts = expr.parts();
        let whole = self.meanings.costs.of(expr);
        let own = whole - parts.iter().map(|part| self.meanings.costs.of(part)).sum::<u32>();
        own + parts.iter().map(|part| self.cost(part)).sum::<u32>()
    }

    fn lexicon(&self, senses: &[Meant]) -> Lexicon {
        let mut lexicon = self.meanings.lexicon.clone();
        for (program, me) in senses {
            let program = program.as_ref().map(|program| lexicon.intern(program));
            lexicon.senses[self.word as usize].push(Sense { program, me: me.clone(), probability: 1.0 });
        }
        lexicon
    }
}

/// The numbers that known words stand for, and what it costs to name one: a call, and which of them.
fn numbers(meanings: &Meanings) -> (Vec<u64>, u32) {
    let constants = meanings.lexicon.senses.iter().flatten().filter_map(|sense| match sense.me {
        Some(Value::Nat(number)) if number <= NAMED => Some(number),
        _ => None,
    });
    let mut numbers: Vec<u64> = constants.collect();
    numbers.sort_unstable();
    numbers.dedup();
    let naming = meanings.costs.call + numbers.len().max(1).next_power_of_two().ilog2();
    (numbers, naming)
}

/// Larger numbers are not named: a program that counts up to them would be nested too deep.
const NAMED: u64 = 20;

fn children(program: Option<&Program>) -> usize {
    program.map_or(0, |program| usize::from(program.arity))
}

/// A bound on what is computed on the way: as large as a product of two.
fn extent(rows: &[Row], at: &[(usize, usize, &Wish)]) -> usize {
    let args = rows.iter().flat_map(|row| row.args.iter().map(Value::extent));
    let values = at.iter().flat_map(|(.., wish)| wish.values.iter().map(Value::extent));
    2 * (1 + args.chain(values).max().unwrap_or(0))
}

fn occurs(word: u32, pair: &Pair) -> usize {
    pair.words.iter().filter(|&&other| other == word).count()
}

/// What an example wants of a word that occurs in it once.
fn wish(lexicon: &Lexicon, word: u32, pair: &Pair, tree: &Tree) -> Option<Wish> {
    let mut places = (0..pair.words.len()).filter(|&place| pair.words[place] == word);
    let (Some(place), None) = (places.next(), places.next()) else { return None };
    let symbols: Vec<Option<Symbol>> = pair.words.iter().map(|&word| Some(Symbol(word))).collect();
    let meanings = deduction::evaluate(lexicon, &symbols, tree);
    let children = tree.children();
    let up = std::iter::successors(Some(place), |&place| tree.heads()[place].map(|head| head as usize));
    let mut path: Vec<usize> = up.collect();
    path.reverse();
    let mut values = vec![pair.target.clone()];
    for step in path.windows(2) {
        let (args, gap) = args(&meanings, &children[step[0]], Some(step[1]))?;
        let (_, sense) = lexicon.sense_for(pair.words[step[0]] as usize, args.len())?;
        let program = &lexicon.programs[sense.program? as usize];
        let scope = Scope { args: &args, me: sense.me.as_ref(), library: &lexicon.library };
        values = values.iter().flat_map(|value| invert(program, scope, gap, value).inputs).collect();
        values.sort();
        values.dedup();
        if values.is_empty() || values.len() > WANTS {
            return None;
        }
    }
    let (args, _) = args(&meanings, &children[place], None)?;
    let bits = bits(&pair.target) - (values.len() as f64).log2();
    (args.len() <= MOST_CHILDREN && bits > 0.0).then_some(Wish { args, values, bits })
}

/// Programs take at most so many arguments.
const MOST_CHILDREN: usize = 3;

/// The values of children, and the place among them of the one that is missing.
fn args(meanings: &[Meaning], children: &[u32], missing: Option<usize>) -> Option<(Vec<Value>, usize)> {
    let (mut args, mut gap) = (Vec::new(), 0);
    for &child in children {
        match &meanings[child as usize] {
            _ if Some(child as usize) == missing => {
                gap = args.len();
                // What stands here is not looked at.
                args.push(Value::Nat(0));
            }
            Meaning::Value(_, value) => args.push(value.clone()),
            Meaning::Void(_) => {}
            Meaning::Unknown => return None,
        }
    }
    Some((args, gap))
}
