//! Programs: printing, running, searching and inverting them, checked against plainer ways of doing so.

use nsr::semantics::costs::Costs;
use nsr::semantics::enumerate::{Limits, Row, Search, UNDEFINED};
use nsr::semantics::eval::{self, Evaluator, Scope, Stuck};
use nsr::semantics::invert::invert;
use nsr::semantics::program::{Expr, Prim, Program};
use nsr::symbol::Symbol;
use nsr::value::{Type, Value};
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
            2 => number_expr(2),
        ]
    };
    let layers = prop::collection::vec((0u8..5, number_expr(1)), 0..3);
    (number_expr(2), number_expr(1), number_expr(2), step(0), step(1), layers).prop_map(
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
    fn jumps_change_nothing_on_other_values(expr in any_expr(), args in prop::collection::vec(any_value(), 2)) {
        jumps_agree(&library(), &Program { arity: 2, body: expr }, &args)?;
    }
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
