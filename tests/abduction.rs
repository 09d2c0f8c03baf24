//! Abduction against brute force: every projective tree of a short sentence with every choice of senses, one at
//! a time, must come to what the chart says about all of them at once.

use nsr::abduction::chart::{Chart, Limits, VOID};
use nsr::abduction::holes::{self, holes};
use nsr::semantics::lexicon::{Lexicon, Sense};
use nsr::semantics::program::Program;
use nsr::symbol::Symbol;
use nsr::tree::Tree;
use nsr::value::Value;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Nothing is dropped.
const ALL: Limits = Limits { values: usize::MAX, lists: usize::MAX, sense: 0.0, words: 40, work: u64::MAX };
const ALL_HOLES: holes::Limits =
    holes::Limits { goals: usize::MAX, holes: usize::MAX, lists: usize::MAX, work: usize::MAX };

/// What words may mean here: constants, things done to up to three lists, one that fails on the empty list.
const PROGRAMS: [(u8, &str); 11] = [
    (0, "me"),
    (0, "nil"),
    (1, "x"),
    (1, "(++ x x)"),
    (1, "(++ me x)"),
    (1, "(cons (car x) nil)"),
    (2, "(++ x y)"),
    (2, "(++ y x)"),
    (2, "(++ x (++ me y))"),
    (2, "y"),
    (3, "(++ x (++ y z))"),
];

fn list(tokens: &[u32]) -> Value {
    Value::list(&tokens.iter().copied().map(Symbol).collect::<Vec<_>>())
}

fn program(arity: u8, body: &str) -> Program {
    Program { arity, body: body.parse().unwrap() }
}

/// A lexicon from rows of (program number, its constant, weight); one number too many is the empty meaning.
fn lexicon(words: &[Vec<(usize, u32, u8)>]) -> Lexicon {
    let programs = PROGRAMS.iter().map(|&(arity, body)| program(arity, body)).collect();
    let sense = |&(number, token, weight): &(usize, u32, u8)| Sense {
        program: (number < PROGRAMS.len()).then_some(number as u32),
        me: (number < PROGRAMS.len()).then(|| list(&[token])),
        probability: f64::from(weight),
    };
    let senses = words.iter().map(|senses| senses.iter().map(sense).collect()).collect();
    let mut lexicon = Lexicon { programs, senses, library: Vec::new() };
    lexicon.normalise();
    lexicon
}

/// All projective trees of `n` words.
fn trees(n: usize) -> Vec<Tree> {
    let count = (n + 1).pow(n as u32);
    let heads = |mut code: usize| {
        let mut digit = || {
            let digit = code % (n + 1);
            code /= n + 1;
            digit
        };
        (0..n).map(|_| digit().checked_sub(1).map(|head| head as u32)).collect::<Vec<_>>()
    };
    (0..count).filter_map(|code| Tree::new(heads(code)).ok()).filter(Tree::is_projective).collect()
}

/// One tree with one sense for each word, worked out.
struct Way {
    tree: Tree,
    senses: Vec<u16>,
    probability: f64,
    /// The value of every node, `None` for those that contribute nothing.
    values: Vec<Option<Value>>,
}

impl Way {
    fn result(&self) -> Option<&Value> {
        self.values[self.tree.root()].as_ref()
    }

    fn args(&self, position: usize) -> Vec<Value> {
        let children = self.tree.children();
        children[position].iter().filter_map(|&child| self.values[child as usize].clone()).collect()
    }
}

/// Works out `tree` with the sense of every word given. `None` if a sense does not fit its children: only a
/// word without children can contribute nothing. The word at `given.0` has the value `given.1` whatever its
/// sense is.
fn work_out(
    lexicon: &Lexicon,
    words: &[u32],
    tree: &Tree,
    senses: &[u16],
    given: Option<(usize, &Value)>,
) -> Option<Way> {
    let senses = senses.to_vec();
    let mut way = Way { tree: tree.clone(), senses, probability: 1.0, values: vec![None; words.len()] };
    for position in tree.bottom_up() {
        let position = position as usize;
        let sense = &lexicon.senses[words[position] as usize][usize::from(way.senses[position])];
        if let Some((_, value)) = given.filter(|(place, _)| *place == position) {
            way.values[position] = Some(value.clone());
            continue;
        }
        way.probability *= sense.probability;
        let args = way.args(position);
        match lexicon.arity(sense) {
            None if tree.children()[position].is_empty() => {}
            Some(arity) if usize::from(arity) == args.len() => {
                way.values[position] = Some(lexicon.apply(sense, &args).ok()?);
            }
            _ => return None,
        }
    }
    Some(way)
}

/// Every choice of one sense per word.
fn choices(lexicon: &Lexicon, words: &[u32]) -> Vec<Vec<u16>> {
    words.iter().fold(vec![Vec::new()], |choices, &word| {
        let senses = 0..lexicon.senses[word as usize].len() as u16;
        let longer = |choice: &Vec<u16>, sense| [&choice[..], &[sense]].concat();
        choices.iter().flat_map(|choice| senses.clone().map(move |sense| longer(choice, sense))).collect()
    })
}

fn ways(lexicon: &Lexicon, words: &[u32]) -> Vec<Way> {
    let choices = choices(lexicon, words);
    let of_tree = |tree: &Tree| {
        choices.iter().filter_map(|senses| work_out(lexicon, words, tree, senses, None)).collect::<Vec<_>>()
    };
    trees(words.len()).iter().flat_map(of_tree).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Three words of one to three senses each, and a sentence of up to `longest` of them.
fn any_case(longest: usize) -> impl Strategy<Value = (Lexicon, Vec<u32>)> {
    let sense = (0..PROGRAMS.len() + 2, 0..3u32, 1..5u8);
    let words = prop::collection::vec(prop::collection::vec(sense, 1..4), 3);
    (words.prop_map(|words| lexicon(&words)), prop::collection::vec(0..3u32, 1..=longest))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_chart_sums_over_all_trees_and_senses((lexicon, words) in any_case(5), pick in any::<prop::sample::Index>()) {
        let ways = ways(&lexicon, &words);
        let mut sums: BTreeMap<Value, f64> = BTreeMap::new();
        for way in &ways {
            if let Some(value) = way.result() {
                *sums.entry(value.clone()).or_default() += way.probability;
            }
        }
        // The last is the result of nothing.
        let targets: Vec<Value> = sums.keys().cloned().chain([list(&[7, 7])]).collect();
        let target = pick.get(&targets);
        let chart = Chart::new(&lexicon, &words, target, ALL);

        let found: BTreeMap<Value, f64> = chart
            .span(0, words.len())
            .filter(|(id, _)| *id != VOID)
            .map(|(id, inside)| (chart.value(id).clone(), inside))
            .collect();
        prop_assert!(found.keys().eq(sums.keys()), "{found:?} {sums:?}");
        prop_assert!(found.values().zip(sums.values()).all(|(a, b)| close(*a, *b)), "{found:?} {sums:?}");

        let all: f64 = sums.values().sum();
        let evidence = sums.get(target).copied();
        prop_assert_eq!(chart.explains(), evidence.is_some());
        prop_assert_eq!(chart.best().is_some(), evidence.is_some());
        prop_assert_eq!(chart.posterior().is_some(), evidence.is_some());
        prop_assert!(close(chart.likelihood(), evidence.map_or(0.0, |evidence| evidence / all)));
    }

    #[test]
    fn charts_for_other_purposes_give_the_same_probabilities(
        (lexicon, words) in any_case(5), pick in any::<prop::sample::Index>()
    ) {
        let results: Vec<Value> = ways(&lexicon, &words).iter().filter_map(|way| way.result().cloned()).collect();
        prop_assume!(!results.is_empty());
        let target = pick.get(&results);
        let likelihood = Chart::new(&lexicon, &words, target, ALL).likelihood();
        let quick = Chart::without_trees(&lexicon, &words, target, ALL);
        prop_assert!(close(quick.likelihood(), likelihood));
        prop_assert!(close(Chart::for_holes(&lexicon, &words, target, ALL).likelihood(), likelihood));
        prop_assert!(quick.explains());
        prop_assert!(quick.best().is_none() && quick.posterior().is_none(), "it has no trees");
    }

    #[test]
    fn the_posterior_counts_the_senses_of_all_trees_that_give_the_target(
        (lexicon, words) in any_case(5), pick in any::<prop::sample::Index>()
    ) {
        let mut ways = ways(&lexicon, &words);
        ways.retain(|way| way.result().is_some());
        prop_assume!(!ways.is_empty());
        let target = pick.get(&ways).result().cloned().unwrap();
        ways.retain(|way| way.result() == Some(&target));
        let evidence: f64 = ways.iter().map(|way| way.probability).sum();
        let mut wanted: BTreeMap<(u32, u16), f64> = BTreeMap::new();
        for way in &ways {
            for (&word, &sense) in words.iter().zip(&way.senses) {
                *wanted.entry((word, sense)).or_default() += way.probability / evidence;
            }
        }

        let chart = Chart::new(&lexicon, &words, &target, ALL);
        let derivations = chart.derivations(usize::MAX).unwrap();
        prop_assert_eq!(derivations.len(), ways.len());
        prop_assert!(close(derivations.iter().map(|found| found.probability).sum(), evidence));
        prop_assert!(chart.derivations(ways.len() - 1).is_none());
        let posterior = chart.posterior().unwrap();
        let mut uses: BTreeMap<(u32, u16), f64> = BTreeMap::new();
        for (word, sense, count) in posterior.uses {
            *uses.entry((word, sense)).or_default() += count;
        }
        prop_assert!(close(posterior.evidence, evidence));
        prop_assert!(uses.keys().eq(wanted.keys()), "{uses:?} {wanted:?}");
        prop_assert!(uses.values().zip(wanted.values()).all(|(a, b)| close(*a, *b)), "{uses:?} {wanted:?}");
    }

    #[test]
    fn an_abduced_tree_evaluates_to_its_target_and_none_is_more_probable(
        (lexicon, words) in any_case(5), pick in any::<prop::sample::Index>()
    ) {
        let mut ways = ways(&lexicon, &words);
        ways.retain(|way| way.result().is_some());
        prop_assume!(!ways.is_empty());
        let target = pick.get(&ways).result().cloned().unwrap();
        let most = ways.iter().filter(|way| way.result() == Some(&target)).map(|way| way.probability);
        let most = most.fold(0.0, f64::max);

        let best = Chart::new(&lexicon, &words, &target, ALL).best().unwrap();
        prop_assert!(best.tree.is_projective());
        let way = work_out(&lexicon, &words, &best.tree, &best.senses, None);
        prop_assert!(way.is_some(), "senses do not fit the tree: {best:?}");
        let way = way.unwrap();
        prop_assert_eq!(way.result(), Some(&target));
        prop_assert!(close(way.probability, best.probability));
        prop_assert!(close(best.probability, most), "{} < {most}", best.probability);
    }

    /// With the default limits things may be missed, but what is found is right all the same.
    #[test]
    fn dropping_values_invents_no_explanation((lexicon, words) in any_case(6), pick in any::<prop::sample::Index>()) {
        let tight = Limits { values: 2, lists: 2, ..ALL };
        let full = Chart::new(&lexicon, &words, &list(&[]), ALL);
        let targets: Vec<Value> = full.span(0, words.len()).filter(|(id, _)| *id != VOID)
            .map(|(id, _)| full.value(id).clone()).collect();
        prop_assume!(!targets.is_empty());
        let target = pick.get(&targets);
        if let Some(best) = Chart::new(&lexicon, &words, target, tight).best() {
            let way = work_out(&lexicon, &words, &best.tree, &best.senses, None);
            prop_assert_eq!(way.and_then(|way| way.result().cloned()), Some(target.clone()));
        }
    }

    /// A hole is a promise: had the word that value for those children, the sentence would have the result.
    #[test]
    fn every_hole_can_be_filled((lexicon, words) in any_case(4), target in prop::collection::vec(0..3u32, 0..4)) {
        let target = list(&target);
        let mut chart = Chart::for_holes(&lexicon, &words, &target, ALL);
        let found = holes(&mut chart, &lexicon, &words, &target, holes::Limits { goals: 30, ..ALL_HOLES });
        let (trees, choices) = (trees(words.len()), choices(&lexicon, &words));
        for hole in &found {
            let fills = |tree: &Tree, senses: &Vec<u16>, place: usize| {
                words[place] == hole.word
                    && work_out(&lexicon, &words, tree, senses, Some((place, &hole.want)))
                        .is_some_and(|way| way.args(place) == hole.args && way.result() == Some(&target))
            };
            let filled = trees.iter().any(|tree| {
                choices.iter().any(|senses| (0..words.len()).any(|place| fills(tree, senses, place)))
            });
            prop_assert!(filled, "{words:?} {hole:?}");
            prop_assert!(explained_with(&lexicon, &words, &target, hole), "{words:?} {hole:?}");
        }
    }

    /// The root is always reached: every word with every row of children beside it.
    #[test]
    fn every_hole_at_the_root_is_found((lexicon, words) in any_case(4)) {
        let target = list(&[7, 7]);
        let mut chart = Chart::for_holes(&lexicon, &words, &target, ALL);
        let found = holes(&mut chart, &lexicon, &words, &target, ALL_HOLES);
        for tree in trees(words.len()) {
            for senses in choices(&lexicon, &words) {
                let root = tree.root();
                let Some(way) = work_out(&lexicon, &words, &tree, &senses, Some((root, &target))) else { continue };
                let args = way.args(root);
                let known = found.iter().any(|hole| {
                    hole.word == words[root] && hole.args == args && hole.want == target
                });
                prop_assert!(known || args.len() > 3, "{words:?} {tree:?} {args:?}");
            }
        }
    }
}

/// Whether the sentence is explained once the hole's word may give the value it lacked.
fn explained_with(lexicon: &Lexicon, words: &[u32], target: &Value, hole: &holes::Hole) -> bool {
    let mut lexicon = lexicon.clone();
    let program = lexicon.intern(&program(hole.args.len() as u8, "me"));
    let me = Some(hole.want.clone());
    lexicon.senses[hole.word as usize].push(Sense { program: Some(program), me, probability: 0.1 });
    Chart::new(&lexicon, words, target, ALL).explains()
}

/// walk = WALK, run = RUN, after = y ++ x, left x = L x, all = x ++ y ++ z; `twice` is unknown: nothing but the
/// empty meaning.
fn commands() -> (Lexicon, [&'static str; 6]) {
    let row = |program, token| vec![(program, token, 1)];
    let rows = [row(0, 0), row(0, 1), row(7, 0), row(4, 2), row(10, 0), row(PROGRAMS.len(), 0)];
    (lexicon(&rows), ["walk", "run", "after", "left", "all", "twice"])
}

/// Among the holes of `sentence` is this word with these children and this wanted value.
#[track_caller]
fn check_hole(sentence: &str, target: &[u32], expected: (&str, &[&[u32]], &[u32])) {
    let (lexicon, names) = commands();
    let number = |word: &str| names.iter().position(|name| *name == word).unwrap() as u32;
    let words: Vec<u32> = sentence.split(' ').map(number).collect();
    let target = list(target);
    let mut chart = Chart::for_holes(&lexicon, &words, &target, Limits::default());
    assert!(!chart.explains());
    let found = holes(&mut chart, &lexicon, &words, &target, holes::Limits::default());
    let (word, args, want) = expected;
    let args: Vec<Value> = args.iter().map(|arg| list(arg)).collect();
    let hit = |hole: &holes::Hole| hole.word == number(word) && hole.args == args && hole.want == list(want);
    assert!(found.iter().any(hit), "{found:#?}");
}

#[test]
fn an_unknown_word_is_a_hole_wherever_it_stands() {
    check_hole("twice", &[5], ("twice", &[], &[5]));
    check_hole("walk twice", &[0, 0], ("twice", &[&[0]], &[0, 0]));
    // Below `left`, which is inverted: L is taken off the front.
    check_hole("left twice walk", &[2, 0, 0], ("twice", &[&[0]], &[0, 0]));
    // Below `after`, on either side.
    check_hole("walk twice after run", &[1, 0, 0], ("twice", &[&[0]], &[0, 0]));
    check_hole("run after walk twice", &[0, 0, 1], ("twice", &[&[0]], &[0, 0]));
    // The last of three children, two of them right of their head.
    check_hole("walk all run twice", &[0, 1, 9], ("twice", &[], &[9]));
    // Below both.
    check_hole("run after left walk twice", &[2, 0, 0, 1], ("twice", &[&[0]], &[0, 0]));
}

#[test]
fn a_sentence_beyond_the_limit_has_no_chart_and_no_holes() {
    let (lexicon, _) = commands();
    let words = vec![0; 10_000];
    let target = list(&[0]);
    let mut chart = Chart::for_holes(&lexicon, &words, &target, Limits::default());
    assert!(!chart.explains() && chart.best().is_none() && chart.posterior().is_none());
    assert_eq!(chart.likelihood(), 0.0);
    assert_eq!(chart.span(0, words.len()).count() + chart.row(0, words.len()).count(), 0);
    assert_eq!(holes(&mut chart, &lexicon, &words, &target, holes::Limits::default()), []);
}
