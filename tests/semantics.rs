//! Programs: printing, running, searching and inverting them, checked against plainer ways of doing so.

use nsr::semantics::costs::Costs;
use nsr::semantics::enumerate::{Library, Limits, Row, Search, UNDEFINED};
use nsr::semantics::eval::{self, Evaluator, Scope, Stuck};
use nsr::semantics::invert::invert;
use nsr::semantics::program::{Expr, Prim, Program};
use nsr::semantics::recursion::{self, Limits as SearchLimits, Want};
use nsr::symbol::Symbol;
use nsr::value::{List, Type, Value};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn program(arity: u8, body: &str) -> Program {
    Program { arity, body: body.parse().unwrap() }
}

/// + and - by counting, x from +, division (rounding up) from -, powers from x; then two on lists.
fn library() -> Vec<Program> {
    vec![
        program(2, "(if (== x 0) y (inc (rec (dec x) y)))"),
        program(2, "(if (== y 0) x (rec (dec x) (dec y)))"),
        program(2, "(if (== y 0) 0 (#0 (rec x (dec y)) x))"),
        program(2, "(if (== x 0) 0 (inc (rec (#1 x y) y)))"),
        program(2, "(if (== y 0) (inc 0) (#2 x (rec x (dec y))))"),
        program(1, "(if (== (cdr x) nil) x (rec (cdr x)))"),
        program(1, "(if (== x nil) x (++ (rec (cdr x)) (cons (car x) nil)))"),
    ]
}

fn nat(number: u64) -> Value {
    Value::Nat(number)
}

fn list(tokens: &[u32]) -> Value {
    Value::list(&tokens.iter().copied().map(Symbol).collect::<Vec<_>>())
}

/// Any expression, also ones that make no sense.
fn any_expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0u8..4).prop_map(Expr::Arg),
        Just(Expr::Me),
        prop::collection::vec((0u32..200).prop_map(Symbol), 1..4)
            .prop_map(|said| Expr::Tokens(List(said.into()))),
        Just(Expr::Apply(Prim::Zero, vec![])),
        Just(Expr::Apply(Prim::Nil, vec![])),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let parts = prop::collection::vec(inner, 0..5);
        prop_oneof![
            (0usize..Prim::ALL.len(), parts.clone()).prop_map(|(p, parts)| Expr::Apply(Prim::ALL[p], parts)),
            (0u32..9, parts.clone()).prop_map(|(number, parts)| Expr::Call(number, parts)),
            parts.prop_map(Expr::Rec),
        ]
    })
}

/// An expression whose primitives have the right number of arguments, so that it can be written down.
fn well_formed(expr: Expr) -> Expr {
    match expr {
        Expr::Apply(prim, parts) => {
            let filler = std::iter::repeat(Expr::Arg(0));
            let parts = parts.into_iter().map(well_formed).chain(filler).take(prim.arity()).collect();
            Expr::Apply(prim, parts)
        }
        Expr::Call(number, parts) => Expr::Call(number, parts.into_iter().map(well_formed).collect()),
        Expr::Rec(parts) => Expr::Rec(parts.into_iter().map(well_formed).collect()),
        leaf => leaf,
    }
}

/// Expressions on numbers: two arguments, counting, and the first three library programs.
fn number_expr(depth: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        3 => (0u8..2).prop_map(Expr::Arg),
        1 => Just(Expr::Apply(Prim::Zero, vec![])),
    ];
    leaf.prop_recursive(depth, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|part| Expr::Apply(Prim::Inc, vec![part])),
            inner.clone().prop_map(|part| Expr::Apply(Prim::Dec, vec![part])),
            (0u32..3, inner.clone(), inner).prop_map(|(number, a, b)| Expr::Call(number, vec![a, b])),
        ]
    })
    .boxed()
}

/// A context around `hole`: counting, and library programs with the hole in one place.
fn context(hole: Expr, layers: &[(u8, Expr)]) -> Expr {
    layers.iter().fold(hole, |inside, (layer, other)| match layer {
        0 => Expr::Apply(Prim::Inc, vec![inside]),
        1 => Expr::Apply(Prim::Dec, vec![inside]),
        2 => Expr::Call(0, vec![inside, other.clone()]),
        3 => Expr::Call(0, vec![other.clone(), inside]),
        _ => Expr::Call(1, vec![inside, other.clone()]),
    })
}

/// Recursive programs on numbers, among them many that never end.
fn recursive() -> impl Strategy<Value = Program> {
    let step = |own: u8| {
        prop_oneof![
            2 => Just(Expr::Arg(own)),
            3 => Just(Expr::Apply(Prim::Dec, vec![Expr::Arg(own)])),
            1 => Just(Expr::Apply(Prim::Inc, vec![Expr::Arg(own)])),
            2 => Just(Expr::Call(1, vec![Expr::Arg(own), Expr::Arg(1 - own)])),
            1 => Just(format!("(dec (dec (dec a{own})))").parse().unwrap()),
            2 => number_expr(2),
        ]
    };
    let layers = prop::collection::vec((0u8..5, number_expr(1)), 0..3);
    // Half of the programs stop where an argument is 0, as sensible ones do.
    let right = prop_oneof![Just(Expr::Apply(Prim::Zero, vec![])), number_expr(1)];
    let left = prop_oneof![(0u8..2).prop_map(Expr::Arg), number_expr(2)];
    (left, right, number_expr(2), step(0), step(1), layers).prop_map(
        |(left, right, base, first, second, layers)| {
            let exit = Expr::Apply(Prim::Eq, vec![left, right]);
            let again = context(Expr::Rec(vec![first, second]), &layers);
            Program { arity: 2, body: Expr::Apply(Prim::If, vec![exit, base, again]) }
        },
    )
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0u64..6).prop_map(Value::Nat),
        any::<bool>().prop_map(Value::Bool),
        (0u32..3).prop_map(|token| Value::Token(Symbol(token))),
        prop::collection::vec(0u32..3, 0..4).prop_map(|tokens| list(&tokens)),
        Just(Value::Nat(u64::MAX)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn programs_survive_print_and_parse(expr in any_expr()) {
        let expr = well_formed(expr);
        prop_assert_eq!(expr.to_string().parse::<Expr>(), Ok(expr));
    }

    #[test]
    fn no_program_panics_or_exceeds_its_fuel(
        programs in prop::collection::vec((0u8..4, any_expr()), 1..4),
        args in prop::collection::vec(any_value(), 0..4),
        me in prop::option::of(any_value()),
        fuel in 0u32..3_000,
    ) {
        let library: Vec<Program> =
            programs.into_iter().map(|(arity, body)| Program { arity, body }).collect();
        let mut evaluator = Evaluator::new(&library);
        for program in &library {
            let scope = Scope { args: &args, me: me.as_ref(), library: &library };
            let once = eval::run(program, scope, fuel);
            prop_assert_eq!(evaluator.run(program, &args, me.as_ref(), fuel), once.clone());
            prop_assert_eq!(evaluator.run(program, &args, me.as_ref(), fuel), once);
        }
    }

    /// Whatever takes every step and does not run out of fuel is also what comes out without the steps.
    #[test]
    fn jumps_change_nothing(
        program in recursive(),
        (a, b) in prop_oneof![(0u64..12, 0u64..12), (0u64..60, 0u64..4)],
    ) {
        jumps_agree(&library(), &program, &[nat(a), nat(b)])?;
    }

    #[test]
    fn jumps_change_nothing_in_callers(
        callee in recursive(),
        program in recursive(),
        (a, b) in (0u64..8, 0u64..8),
    ) {
        let library = [&library()[..2], &[callee]].concat();
        jumps_agree(&library, &program, &[nat(a), nat(b)])?;
    }

    #[test]
    fn walks_change_nothing(
        callee in walking(),
        body in list_expr(3),
        lists in (0u32..40, 0u32..4),
    ) {
        let list = |from: u32, count: u32| list(&(from..from + count).collect::<Vec<_>>());
        let args = [list(0, lists.0), list(50, lists.1)];
        let library = [&list_library()[..], std::slice::from_ref(&callee)].concat();
        jumps_agree(&library, &callee, &args)?;
        jumps_agree(&library, &Program { arity: 2, body }, &args)?;
    }

    #[test]
    fn jumps_change_nothing_on_other_values(expr in any_expr(), args in prop::collection::vec(any_value(), 2)) {
        jumps_agree(&library(), &Program { arity: 2, body: expr }, &args)?;
    }
}

/// `shift`, and a list twice.
fn list_library() -> [Program; 2] {
    [program(1, "(cdr (++ x (cons (car x) nil)))"), program(1, "(++ x x)")]
}

/// A list made of two lists, sometimes by calls of a third program.
fn list_expr(depth: u32) -> BoxedStrategy<Expr> {
    let unary = |prim: Prim| move |of: Expr| Expr::Apply(prim, vec![of]);
    let leaf = prop_oneof![
        (0u8..2).prop_map(Expr::Arg),
        Just(Expr::Tokens(List([Symbol(90), Symbol(91)].into()))),
        Just(Expr::Apply(Prim::Nil, vec![])),
        Just("(cons (car x) nil)".parse::<Expr>().unwrap()),
    ];
    leaf.prop_recursive(depth, 12, 2, move |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone().prop_map(|(a, b)| Expr::Apply(Prim::Append, vec![a, b])),
            pair.clone().prop_map(move |(a, b)| Expr::Apply(Prim::Cons, vec![unary(Prim::Car)(a), b])),
            inner.clone().prop_map(unary(Prim::Cdr)),
            (0u32..2, inner).prop_map(|(number, of)| Expr::Call(number, vec![of])),
            pair.prop_map(|(a, b)| Expr::Call(2, vec![a, b])),
        ]
    })
    .boxed()
}

/// A program that goes through its first argument, or nearly so.
fn walking() -> impl Strategy<Value = Program> {
    let again = "(rec (cdr x) y)".parse::<Expr>().unwrap();
    let exit = prop_oneof![Just("(== x nil)"), Just("(== nil (cdr x))"), Just("(== y nil)")];
    // What stands for the call of itself is the list of the tokens 90 and 91, now in one place, now in none or several.
    (exit, list_expr(1), list_expr(3)).prop_map(move |(exit, base, context)| {
        let branches =
            vec![exit.parse().unwrap(), without_third(base), replaced(without_third(context), &again)];
        Program { arity: 2, body: Expr::Apply(Prim::If, branches) }
    })
}

/// The expression with `again` in the place of tokens.
fn replaced(expr: Expr, again: &Expr) -> Expr {
    map_parts(expr, &|expr| if matches!(expr, Expr::Tokens(_)) { again.clone() } else { expr })
}

/// The expression without calls of the third program.
fn without_third(expr: Expr) -> Expr {
    map_parts(expr, &|expr| match expr {
        Expr::Call(2, parts) => Expr::Apply(Prim::Append, parts),
        other => other,
    })
}

fn map_parts(expr: Expr, change: &dyn Fn(Expr) -> Expr) -> Expr {
    let all = |parts: Vec<Expr>| parts.into_iter().map(|part| map_parts(part, change)).collect();
    change(match expr {
        Expr::Apply(prim, parts) => Expr::Apply(prim, all(parts)),
        Expr::Call(number, parts) => Expr::Call(number, all(parts)),
        Expr::Rec(parts) => Expr::Rec(all(parts)),
        leaf => leaf,
    })
}

fn jumps_agree(library: &[Program], program: &Program, args: &[Value]) -> Result<(), TestCaseError> {
    let plain = Evaluator::step_by_step(library).run(program, args, None, 20_000);
    if plain != Err(Stuck::Fuel) {
        let quick = Evaluator::new(library).run(program, args, None, 20_000);
        prop_assert_eq!(quick, plain, "{}", program.body);
    }
    Ok(())
}

#[test]
fn recursion_may_be_deep() {
    // Neither has a closed form: one looks at lists, the other passes through a condition.
    let deep = program(2, "(if (== x 0) y (if (== x x) (inc (rec (dec x) y)) 0))");
    let scope = Scope { args: &[nat(100_000), nat(7)], me: None, library: &[] };
    assert_eq!(eval::run(&deep, scope, 2_000_000), Ok(nat(100_007)));
    let mut plain = Evaluator::step_by_step(&[]);
    let add = program(2, "(if (== x 0) y (inc (rec (dec x) y)))");
    assert_eq!(plain.run(&add, &[nat(100_000), nat(7)], None, 2_000_000), Ok(nat(100_007)));
    assert_eq!(plain.run(&add, &[nat(100_000), nat(7)], None, 2_000), Err(Stuck::Fuel));
}

#[test]
fn arithmetic_is_exact_for_large_numbers() {
    let library = library();
    let mut evaluator = Evaluator::new(&library);
    for (number, x, y, result) in [
        (0, 9_990, 9, 9_999),
        (1, 5_000, 1_234, 3_766),
        (1, 3, 5, 0),
        (2, 99, 99, 9_801),
        (2, 4_000_000_000, 4_000_000_000, 16_000_000_000_000_000_000),
        (3, 9_990, 7, 1_428),
        (3, 9_990, 1, 9_990),
        (3, 0, 0, 0),
        (4, 3, 20, 3_486_784_401),
    ] {
        assert_eq!(
            evaluator.call(number, &[nat(x), nat(y)], None, 10_000),
            Ok(nat(result)),
            "#{number} {x} {y}"
        );
    }
    // Beyond 64 bits, or without end: no value, and never a wrong one.
    for (number, x, y) in [(0, u64::MAX, 1), (2, u64::MAX, 2), (4, 10, 20), (3, 5, 0)] {
        let result = evaluator.call(number, &[nat(x), nat(y)], None, 10_000);
        assert_eq!(result, Err(Stuck::Fuel), "#{number} {x} {y}");
    }
}

/// All well-typed expressions of this type that cost exactly `cost`, over two arguments of type `kind`.
fn all_exprs(kind: Type, result: Type, cost: u32, costs: &Costs) -> Vec<Expr> {
    let mut found = Vec::new();
    if result == kind && cost == costs.arg {
        found.extend([Expr::Arg(0), Expr::Arg(1)]);
    }
    for prim in Prim::ALL {
        for (args, _) in prim.signatures().iter().filter(|signature| signature.1 == result) {
            let strange = |arg: &Type| (*arg == Type::Nat) != (kind == Type::Nat) && *arg != Type::Bool;
            if args.iter().any(strange) || strange(&result) || costs.prim(prim) > cost {
                continue;
            }
            for parts in all_parts(kind, args, cost - costs.prim(prim), costs) {
                found.push(Expr::Apply(prim, parts));
            }
        }
    }
    found
}

fn all_parts(kind: Type, args: &[Type], cost: u32, costs: &Costs) -> Vec<Vec<Expr>> {
    let Some((&first, rest)) = args.split_first() else {
        return if cost == 0 { vec![Vec::new()] } else { Vec::new() };
    };
    let mut found = Vec::new();
    for own in 0..=cost {
        let heads = all_exprs(kind, first, own, costs);
        if heads.is_empty() {
            continue;
        }
        for tail in all_parts(kind, rest, cost - own, costs) {
            found.extend(heads.iter().map(|head| [std::slice::from_ref(head), tail.as_slice()].concat()));
        }
    }
    found
}

#[track_caller]
fn check_enumeration(kind: Type, args: &[[Value; 2]], bound: u32) {
    let rows: Vec<Row> = args.iter().map(|args| Row { args: args.to_vec(), me: None }).collect();
    let costs = Costs::default();
    let mut cheapest: BTreeMap<Vec<Value>, u32> = BTreeMap::new();
    for cost in 0..=bound {
        for expr in all_exprs(kind, kind, cost, &costs) {
            let program = Program { arity: 2, body: expr };
            let run =
                |row: &Row| eval::run(&program, Scope { args: &row.args, me: None, library: &[] }, 1_000);
            if let Ok(values) = rows.iter().map(run).collect::<Result<Vec<Value>, Stuck>>() {
                cheapest.entry(values).or_insert(cost);
            }
        }
    }
    let limits = Limits { cost: bound, ..Limits::default() };
    let mut search = Search::new(2, kind, &rows, [][..].into(), &costs, limits);
    let mut seen: Vec<(u32, u32)> = Vec::new();
    search.run(kind, |found| {
        if !found.values.contains(&UNDEFINED) {
            seen.push((found.number(), found.cost));
        }
        true
    });
    let value = |&id: &u32| search.value(id).clone();
    let found: BTreeMap<Vec<Value>, u32> = seen
        .iter()
        .map(|&(number, cost)| (search.values_of(number).iter().map(value).collect(), cost))
        .collect();
    assert_eq!(found.len(), seen.len(), "something was found twice");
    assert_eq!(found, cheapest);
}

#[test]
fn the_search_finds_what_trying_everything_finds() {
    let numbers = [(0, 1), (3, 2), (2, 2), (1, 5)].map(|(x, y)| [nat(x), nat(y)]);
    check_enumeration(Type::Nat, &numbers, 20);
    let lists: [(&[u32], &[u32]); 3] = [(&[1, 2], &[3]), (&[1], &[1, 4]), (&[5, 5, 1], &[5])];
    check_enumeration(Type::List, &lists.map(|(x, y)| [list(x), list(y)]), 14);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn numbers_are_inverted(
        program in prop_oneof![recursive(), number_expr(3).prop_map(|body| Program { arity: 2, body })],
        known in 0u64..6,
        want in 0u64..10,
        gap in 0usize..2,
    ) {
        let library = library();
        let mut args = [nat(known), nat(known)];
        let scope = Scope { args: &args, me: None, library: &library };
        let found = invert(&program, scope, gap, &nat(want)).inputs;
        let mut run = |value: &Value| {
            args[gap] = value.clone();
            eval::run(&program, Scope { args: &args, me: None, library: &library }, 10_000)
        };
        for value in &found {
            prop_assert_eq!(run(value), Ok(nat(want)));
        }
        for value in (0..10).map(nat) {
            prop_assert_eq!(run(&value) == Ok(nat(want)), found.contains(&value), "{} {:?}", program.body, value);
        }
    }

    #[test]
    fn joined_lists_are_inverted(
        parts in prop::collection::vec(0u8..3, 1..5),
        own in prop::collection::vec(0u32..2, 0..3),
        other in prop::collection::vec(0u32..2, 0..3),
        answer in prop::collection::vec(0u32..2, 0..3),
    ) {
        let part = |part: &u8| if *part == 2 { Expr::Me } else { Expr::Arg(*part) };
        let body = parts.iter().map(part).reduce(|a, b| Expr::Apply(Prim::Append, vec![a, b])).unwrap();
        prop_assume!(body.uses(0));
        let program = Program { arity: 2, body };
        let me = list(&own);
        let run = |value: Value| {
            eval::run(&program, Scope { args: &[value, list(&other)], me: Some(&me), library: &[] }, 1_000)
        };
        let want = run(list(&answer)).unwrap();
        let scope = Scope { args: &[list(&[]), list(&other)], me: Some(&me), library: &[] };
        let found = invert(&program, scope, 0, &want).inputs;
        prop_assert!(found.contains(&list(&answer)), "{}", program.body);
        for value in found {
            prop_assert_eq!(run(value), Ok(want.clone()));
        }
    }

    /// The paper's theorem: `0 inc == if` express any finite set of examples.
    #[test]
    fn any_table_is_a_program(table in prop::collection::btree_map((0u64..9, 0u64..9), 0u64..20, 1..20)) {
        let number = |number: u64| {
            (0..number).fold(Expr::Apply(Prim::Zero, vec![]), |inner, _| Expr::Apply(Prim::Inc, vec![inner]))
        };
        let test = |arg: u8, key: u64, yes: Expr, no: Expr| {
            let equal = Expr::Apply(Prim::Eq, vec![Expr::Arg(arg), number(key)]);
            Expr::Apply(Prim::If, vec![equal, yes, no])
        };
        let mut columns: BTreeMap<u64, Expr> = BTreeMap::new();
        for (&(x, y), &value) in &table {
            let rest = columns.remove(&x).unwrap_or(number(0));
            columns.insert(x, test(1, y, number(value), rest));
        }
        let body = columns.into_iter().fold(number(0), |rest, (x, column)| test(0, x, column, rest));
        let program = Program { arity: 2, body };
        for (&(x, y), &value) in &table {
            let args = [nat(x), nat(y)];
            let result = eval::run(&program, Scope { args: &args, me: None, library: &[] }, 10_000);
            prop_assert_eq!(result, Ok(nat(value)));
        }
    }
}

#[test]
fn what_is_used_becomes_cheaper() {
    let programs = [program(2, "(++ x (++ y x))"), program(1, "(++ x x)"), program(1, "(++ me x)")];
    let costs = Costs::learn(&programs);
    assert!(costs.prim(Prim::Append) < costs.prim(Prim::Cons));
    assert!(costs.prim(Prim::Append) < Costs::default().prim(Prim::Append));
    assert!(costs.of(&programs[0].body) < Costs::default().of(&programs[0].body));
    assert!(costs.arg < costs.call);
}

/// Examples of which every tenth is wrong.
fn examples(
    rows: Vec<Vec<Value>>,
    meaning: impl Fn(&[Value]) -> Value,
    wrong: Value,
) -> (Vec<Row>, Vec<Vec<Want>>) {
    let want = |(number, args): (usize, &Vec<Value>)| {
        let value = if number % 10 == 4 { wrong.clone() } else { meaning(args) };
        vec![Want { bits: 4.0 + 3.0 * value.extent() as f64, value, example: number }]
    };
    let wants = rows.iter().enumerate().map(want).collect();
    (rows.into_iter().map(|args| Row { args, me: None }).collect(), wants)
}

fn numbers_of(args: &[Value]) -> [u64; 2] {
    let number = |value: &Value| if let Value::Nat(number) = value { *number } else { panic!("{value:?}") };
    [number(&args[0]), number(&args[1])]
}

#[track_caller]
fn check_arithmetic(meaning: fn(u64, u64) -> u64, library: &[Program]) {
    let rows = (0..30u64).map(|n| vec![nat(n * 7 % 19), nat(1 + n * 5 % 9)]).collect();
    let meaning = |args: &[Value]| {
        let [x, y] = numbers_of(args);
        nat(meaning(x, y))
    };
    let (rows, wants) = examples(rows, meaning, nat(29));
    let found = recursion::search(
        2,
        Type::Nat,
        &rows,
        &wants,
        library.into(),
        &Costs::default(),
        SearchLimits::default(),
    );
    let best = &found.first().expect("no program").program;
    for (x, y) in [(0, 1), (17, 4), (250, 31), (99, 99)] {
        let args = [nat(x), nat(y)];
        let result = Evaluator::new(library).run(best, &args, None, 100_000);
        assert_eq!(result, Ok(meaning(&args)), "{} on {x} {y}", best.body);
    }
}

#[test]
fn arithmetic_is_found_from_examples_some_wrong() {
    let library = library();
    check_arithmetic(|x, y| x + y, &[]);
    check_arithmetic(|x, y| x.saturating_sub(y), &[]);
    check_arithmetic(|x, y| x * y, &library[..1]);
    check_arithmetic(u64::div_ceil, &library[..2]);
    check_arithmetic(u64::max, &library[..2]);
    check_arithmetic(|x, y| (x + y).div_ceil(2), &library[..4]);
}

#[track_caller]
fn check_list(meaning: fn(&[Symbol]) -> Vec<Symbol>, library: &[Program]) {
    let rows: Vec<Vec<Value>> = (0..30u32)
        .map(|n| vec![list(&(0..1 + n % 6).map(|k| (n * 7 + k * k) % 23).collect::<Vec<_>>())])
        .collect();
    let meaning = |args: &[Value]| match &args[0] {
        Value::List(list) => Value::list(&meaning(&list.0)),
        other => panic!("{other:?}"),
    };
    let (rows, wants) = examples(rows, meaning, list(&[77, 78]));
    let found = recursion::search(
        1,
        Type::List,
        &rows,
        &wants,
        library.into(),
        &Costs::default(),
        SearchLimits::default(),
    );
    let best = &found.first().expect("no program").program;
    let args = [list(&(100..150).collect::<Vec<_>>())];
    let result = Evaluator::new(library).run(best, &args, None, 100_000);
    assert_eq!(result, Ok(meaning(&args)), "{}", best.body);
}

#[test]
fn list_programs_are_found_from_examples_some_wrong() {
    check_list(|x| x.iter().rev().copied().collect(), &[]);
    check_list(|x| x[x.len() - 1..].to_vec(), &[]);
    check_list(|x| x[..x.len() - 1].to_vec(), &[]);
    check_list(|x| [x, &x[x.len() - 1..]].concat(), &[]);
    check_list(|x| [&x[1..], &x[..1]].concat(), &[]);
}

#[test]
fn programs_too_long_for_enumeration_are_joined_from_halves() {
    let library = [
        program(1, "(cdr (++ x (cons (car x) nil)))"),
        program(1, "(if (== x nil) x (#0 (cons (car x) (rec (cdr x)))))"),
    ];
    // The first and the last token change places.
    let swap = |x: &[Symbol]| {
        let mut x = x.to_vec();
        let last = x.len() - 1;
        x.swap(0, last);
        x
    };
    check_list(swap, &library);
    // The second half is the first without its ends, backwards.
    check_list(|x| [x, &x[1..].iter().rev().skip(1).copied().collect::<Vec<_>>()].concat(), &library);
}

#[test]
fn a_search_without_examples_finds_nothing() {
    let costs = Costs::default();
    let search = |rows: &[Row], wants: &[Vec<Want>]| {
        recursion::search(2, Type::Nat, rows, wants, [][..].into(), &costs, SearchLimits::default())
    };
    assert_eq!(search(&[], &[]), []);
    assert_eq!(search(&[Row { args: vec![nat(1), nat(2)], me: None }], &[vec![]]), []);
}

#[test]
fn a_search_without_conditions_calls_what_it_may_and_names_numbers() {
    let program = |arity, body: &str| Program { arity, body: body.parse().unwrap() };
    let library = [
        program(1, "(inc (inc x))"),
        program(2, "(if (== x 0) y (inc (rec (dec x) y)))"),
        program(1, "(dec x)"),
    ];
    let rows: Vec<Row> = [(3, 4), (0, 9), (7, 1)]
        .map(|(x, y)| Row { args: vec![Value::Nat(x), Value::Nat(y)], me: None })
        .to_vec();
    let limits = Limits { cost: 14, ..Limits::default() };
    let library = Library { programs: &library, callable: &[false] };
    let search = Search::new(2, Type::Nat, &rows, library, &Costs::default(), limits);
    let mut search = search.without_conditions().naming(&[9], 5);
    let mut found = Vec::new();
    for cost in 0..=14 {
        found.extend(search.grow(cost).map(|number| search.expr_of(number).to_string()));
    }
    assert!(found.contains(&"(#1 x y)".to_owned()), "{found:?}");
    assert!(found.contains(&Expr::number(9).to_string()));
    assert!(!found.iter().any(|expr| ["#0", "if", "=="].iter().any(|piece| expr.contains(piece))));
    assert_eq!(Expr::number(9).as_number(), Some(9));
    assert_eq!("(inc x)".parse::<Expr>().unwrap().as_number(), None);
}
