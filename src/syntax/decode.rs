//! Choosing among transitions: the best one, a random one, or those of a given tree.
//!
//! [`Parser`] joins a [`Scorer`] with an [`ArcOrder`]. All of its log-probabilities are those of the paper's
//! p(e | s; θₛ) = ∏ p(tᵢ | cᵢ; θₛ); as transitions keep to the order, they sum to one over all projective
//! trees of a sentence.

use super::Syntax;
use super::beam;
use super::features::{self, Features};
use super::learn::{LearnConfig, LearnReport, Row};
use super::oracle::{self, ArcOrder};
use super::scorer::Scorer;
use super::sight::Sight;
use super::state::State;
use super::transition::Transition;
use crate::error::Result;
use crate::tree::Tree;
use rand::{Rng, RngExt};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Tuples of features a [`Workspace`] remembers by default; at about 110 bytes each.
const MEMO: usize = 1 << 16;

/// A parser of sentences given as classes of words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parser {
    scorer: Scorer,
    order: ArcOrder,
    sight: Sight,
}

impl Parser {
    /// An untrained parser for the classes `0..classes`.
    pub fn new(classes: u32, order: ArcOrder, rng: &mut impl Rng) -> Parser {
        Parser { scorer: Scorer::new(classes, rng), order, sight: Sight::default() }
    }

    /// What a model has that needs no parser. It must not be asked for trees.
    pub fn none() -> Parser {
        Parser { scorer: Scorer::none(), order: ArcOrder::default(), sight: Sight::default() }
    }

    /// Whether there is no parser.
    pub fn is_none(&self) -> bool {
        self.scorer.is_none()
    }

    /// The same parser, which looks only at some features; for use before it learns.
    pub fn with_sight(self, sight: Sight) -> Parser {
        Parser { sight, ..self }
    }

    /// What the parser looks at.
    pub fn sight(&self) -> &Sight {
        &self.sight
    }

    /// The network behind the parser.
    pub fn scorer(&self) -> &Scorer {
        &self.scorer
    }

    /// The order in which nodes take their children.
    pub fn order(&self) -> ArcOrder {
        self.order
    }

    /// How many classes the parser tells apart; classes from there on are unknown to it.
    pub fn classes(&self) -> u32 {
        self.scorer.classes() as u32
    }

    /// Refuses a parser whose weights are not of the right sizes or not finite. Deserialising checks the
    /// same, so this can fail only after training went astray.
    pub fn check(&self) -> Result<()> {
        self.scorer.check()
    }

    /// Learns rows made for this parser's order; see [`Scorer::learn`].
    pub fn learn(&mut self, rows: &[Row], config: &LearnConfig, rng: &mut impl Rng) -> LearnReport {
        self.scorer.learn(&self.sight.show(rows), config, rng)
    }

    /// The tree that taking the most probable transition at each step leads to.
    ///
    /// # Panics
    /// If the sentence is empty, as there is no tree without a root.
    pub fn parse(&self, classes: &[u32], workspace: &mut Workspace) -> Tree {
        let mut heads = Vec::with_capacity(classes.len());
        self.parse_heads_into(classes, workspace, &mut heads);
        tree(heads)
    }

    /// Writes the heads of the same tree over `heads`, and gives its log-probability. Allocates nothing once
    /// `workspace` and `heads` have grown. An empty sentence has no heads.
    pub fn parse_heads_into(
        &self,
        classes: &[u32],
        workspace: &mut Workspace,
        heads: &mut Vec<Option<u32>>,
    ) -> f64 {
        let log_prob = self.walk(classes, workspace, best);
        workspace.state.heads_into(heads);
        log_prob
    }

    /// The most probable trees a beam of this width finds, best first, with their log-probabilities: at most
    /// `k`, at most `beam`, none twice, none for an empty sentence. Linear in the sentence's length.
    pub fn k_best(&self, classes: &[u32], beam: usize, k: usize) -> Vec<(Tree, f64)> {
        with_workspace(|workspace| {
            let Workspace { ids, memo, .. } = workspace;
            self.identify(classes, ids);
            let found = beam::search(ids, beam.max(1), |features| memo.log_probs(self, features));
            found.into_iter().take(k).map(|(heads, log_prob)| (tree(heads), log_prob)).collect()
        })
    }

    /// A random tree, drawn by its probability, and its log-probability.
    ///
    /// # Panics
    /// If the sentence is empty.
    pub fn sample(&self, classes: &[u32], rng: &mut impl Rng) -> (Tree, f64) {
        with_workspace(|workspace| {
            let log_prob = self.walk(classes, workspace, |log_probs| draw(log_probs, rng));
            let mut heads = Vec::with_capacity(classes.len());
            workspace.state.heads_into(&mut heads);
            (tree(heads), log_prob)
        })
    }

    /// The log-probability of `tree`; `None` if it is not projective or of another length.
    pub fn log_prob(&self, classes: &[u32], tree: &Tree) -> Option<f64> {
        if tree.len() != classes.len() {
            return None;
        }
        with_workspace(|workspace| {
            let Workspace { state, ids, memo } = workspace;
            self.identify(classes, ids);
            let mut total = 0.0;
            oracle::replay(tree, self.order, state, |state, transition| {
                let features = features::extract(state, ids);
                total += memo.log_probs(self, &features)[transition.index()];
            })?;
            Some(total)
        })
    }

    /// Goes from the initial to the terminal state by the transitions chosen; gives their log-probability.
    fn walk(
        &self,
        classes: &[u32],
        workspace: &mut Workspace,
        mut choose: impl FnMut(&[f64; 3]) -> Transition,
    ) -> f64 {
        let Workspace { state, ids, memo } = workspace;
        self.identify(classes, ids);
        state.reset(classes.len());
        let mut total = 0.0;
        while !state.is_terminal() {
            let log_probs = memo.log_probs(self, &features::extract(state, ids));
            let transition = choose(&log_probs);
            total += log_probs[transition.index()];
            transition.apply(state);
        }
        total
    }

    fn identify(&self, classes: &[u32], ids: &mut Vec<u32>) {
        features::ids_into(classes, self.classes(), ids);
    }
}

impl Syntax for Parser {
    fn parse(&self, classes: &[u32]) -> Tree {
        with_workspace(|workspace| self.parse(classes, workspace))
    }

    fn k_best(&self, classes: &[u32], beam: usize, k: usize) -> Vec<(Tree, f64)> {
        self.k_best(classes, beam, k)
    }

    fn log_prob(&self, classes: &[u32], tree: &Tree) -> Option<f64> {
        self.log_prob(classes, tree)
    }
}

/// The transitions left open: those not ruled out by minus infinity.
fn open(log_probs: &[f64; 3]) -> impl Iterator<Item = (Transition, f64)> {
    let all = Transition::ALL.into_iter().zip(log_probs.iter().copied());
    all.filter(|(_, log_prob)| *log_prob != f64::NEG_INFINITY)
}

/// The most probable transition, the first of equals.
fn best(log_probs: &[f64; 3]) -> Transition {
    let better = |best: (Transition, f64), next: (Transition, f64)| if next.1 > best.1 { next } else { best };
    open(log_probs).reduce(better).map_or(Transition::Shift, |(transition, _)| transition)
}

/// A transition drawn by its probability.
fn draw(log_probs: &[f64; 3], rng: &mut impl Rng) -> Transition {
    let mut left: f64 = rng.random();
    let mut drawn = Transition::Shift;
    for (transition, log_prob) in open(log_probs) {
        drawn = transition;
        left -= log_prob.exp();
        if left < 0.0 {
            break;
        }
    }
    drawn
}

fn tree(heads: Vec<Option<u32>>) -> Tree {
    Tree::new(heads).expect("transitions build a tree of any sentence that is not empty")
}

/// Room for parsing, to be used again and again, for any parser, by one thread at a time.
///
/// It also remembers the scores of features met before: sentences of one language meet few distinct ones,
/// and with all of them known a parse takes about a sixth of the time.
#[derive(Clone, Debug)]
pub struct Workspace {
    state: State,
    ids: Vec<u32>,
    memo: Memo,
}

impl Workspace {
    /// Room that remembers the scores of up to 65,536 tuples of features.
    pub fn new() -> Workspace {
        Workspace::with_memo(MEMO)
    }

    /// Room that remembers the scores of up to `limit` tuples of features; none for 0.
    pub fn with_memo(limit: usize) -> Workspace {
        let memo = Memo { known: FxHashMap::default(), limit, owner: (0, ArcOrder::default()) };
        Workspace { state: State::default(), ids: Vec::new(), memo }
    }
}

impl Default for Workspace {
    fn default() -> Workspace {
        Workspace::new()
    }
}

/// Scores by features, of one parser at a time.
#[derive(Clone, Debug)]
struct Memo {
    known: FxHashMap<Features, [f64; 3]>,
    limit: usize,
    /// Whose scores these are; a parser that has learned since is another one.
    owner: (u64, ArcOrder),
}

impl Memo {
    fn log_probs(&mut self, parser: &Parser, features: &Features) -> [f64; 3] {
        let owner = (parser.scorer.stamp(), parser.order);
        if self.owner != owner {
            self.known.clear();
            self.owner = owner;
        }
        let features = parser.sight.of(features);
        if let Some(known) = self.known.get(&features) {
            return *known;
        }
        let log_probs = parser.scorer.log_probs(&features, features::allowed(&features, parser.order));
        if self.limit > 0 {
            // Starting over is cruder than evicting the oldest, but costs nothing on the way.
            if self.known.len() >= self.limit {
                self.known.clear();
            }
            self.known.insert(features, log_probs);
        }
        log_probs
    }
}

/// Lends the thread's own workspace, or a new one should it be on loan already.
fn with_workspace<T>(use_it: impl FnOnce(&mut Workspace) -> T) -> T {
    thread_local! {
        static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace::new());
    }
    WORKSPACE.with(|workspace| match workspace.try_borrow_mut() {
        Ok(mut workspace) => use_it(&mut workspace),
        Err(_) => use_it(&mut Workspace::new()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::learn::Rows;
    use super::super::oracle::tests::{ORDERS, projective};
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    const CLASSES: u32 = 4;

    fn rng(seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }

    fn untrained(order: ArcOrder) -> Parser {
        Parser::new(CLASSES, order, &mut rng(7))
    }

    /// Every tree of `words` words: all heads there are, kept if they make a projective tree.
    fn all_trees(words: u32) -> Vec<Tree> {
        let count = (words + 1).pow(words);
        let heads = |number: u32| {
            let head = |word: u32| (number / (words + 1).pow(word) % (words + 1)).checked_sub(1);
            (0..words).map(head).collect::<Vec<_>>()
        };
        let trees = (0..count).filter_map(|number| Tree::new(heads(number)).ok());
        trees.filter(Tree::is_projective).collect()
    }

    /// Infix arithmetic: digits 0, plus 1, times 2; operators head their operands and associate to the left.
    fn arithmetic(operators: &[u32]) -> (Vec<u32>, Tree) {
        let mut classes = vec![0];
        operators.iter().for_each(|&operator| classes.extend([operator, 0]));
        let mut heads = vec![None; classes.len()];
        let mut open: Vec<usize> = Vec::new();
        let mut last = 0;
        for operator in (1..classes.len()).step_by(2) {
            while let Some(&above) = open.last().filter(|&&above| classes[above] >= classes[operator]) {
                heads[last] = Some(above as u32);
                last = above;
                open.pop();
            }
            heads[last] = Some(operator as u32);
            open.push(operator);
            last = operator + 1;
        }
        while let Some(above) = open.pop() {
            heads[last] = Some(above as u32);
            last = above;
        }
        (classes, Tree::new(heads).unwrap())
    }

    fn operators(count: u32, number: u32) -> Vec<u32> {
        (0..count).map(|place| 1 + (number >> place & 1)).collect()
    }

    fn trained(order: ArcOrder) -> Parser {
        let mut rows = Rows::default();
        for count in 0..5 {
            for number in 0..1 << count {
                let (classes, tree) = arithmetic(&operators(count, number));
                assert!(rows.add(&tree, &classes, order, 1.0));
            }
        }
        let mut parser = Parser::new(3, order, &mut rng(1));
        let report = parser.learn(&rows.into_rows(), &LearnConfig::default(), &mut rng(2));
        assert!(report.learned, "{report:?}");
        parser
    }

    #[test]
    fn a_trained_parser_parses_longer_sentences() {
        for order in ORDERS {
            let (parser, mut workspace) = (trained(order), Workspace::new());
            for number in 0..200 {
                let (classes, tree) =
                    arithmetic(&operators(5 + number % 11, number.wrapping_mul(0x9e37_79b1) >> 7));
                assert_eq!(parser.parse(&classes, &mut workspace), tree, "{classes:?}");
            }
        }
    }

    #[test]
    fn the_trees_of_a_sentence_share_all_the_probability() {
        for order in ORDERS {
            let parser = untrained(order);
            for sentence in [&[0, 1, 2][..], &[3, 3, 9], &[0, 1, 0, 2]] {
                let trees = all_trees(sentence.len() as u32);
                let total: f64 =
                    trees.iter().map(|tree| parser.log_prob(sentence, tree).unwrap().exp()).sum();
                assert!((total - 1.0).abs() < 1e-9, "{total}");
            }
        }
    }

    #[test]
    fn a_wide_beam_finds_every_tree_in_order() {
        for order in ORDERS {
            let (parser, sentence) = (untrained(order), [0, 1, 2, 1]);
            let mut expected: Vec<(Tree, f64)> = all_trees(4)
                .into_iter()
                .map(|tree| (tree.clone(), parser.log_prob(&sentence, &tree).unwrap()))
                .collect();
            expected.sort_by(|a, b| b.1.total_cmp(&a.1));
            assert_eq!(expected.len(), 30);
            assert_eq!(parser.k_best(&sentence, 1000, 1000), expected);
            assert_eq!(parser.k_best(&sentence, 1000, 3), expected[..3]);
        }
    }

    #[test]
    fn samples_follow_the_probabilities() {
        let (parser, sentence) = (untrained(ArcOrder::LeftFirst), [0, 1, 2]);
        let (best, log_prob) = parser.k_best(&sentence, 10, 1).remove(0);
        let mut rng = rng(4);
        let hits = (0..4000).filter(|_| parser.sample(&sentence, &mut rng).0 == best).count();
        assert!((hits as f64 / 4000.0 - log_prob.exp()).abs() < 0.03, "{hits} {}", log_prob.exp());
    }

    #[test]
    fn a_workspace_follows_the_parser_through_learning() {
        let (mut workspace, mut fresh) = (Workspace::new(), Workspace::with_memo(0));
        let (classes, tree) = arithmetic(&[1, 2, 1]);
        let mut parser = untrained(ArcOrder::LeftFirst);
        parser.parse(&classes, &mut workspace);
        let mut rows = Rows::default();
        rows.add(&tree, &classes, parser.order(), 1.0);
        parser.learn(&rows.into_rows(), &LearnConfig::default(), &mut rng(1));
        assert_eq!(parser.parse(&classes, &mut workspace), tree);
        let other = untrained(ArcOrder::RightFirst);
        assert_eq!(other.parse(&classes, &mut workspace), other.parse(&classes, &mut fresh));
        let mut small = Workspace::with_memo(3);
        assert_eq!(parser.parse(&classes, &mut small), tree);
        assert!(small.memo.known.len() <= 3);
    }

    #[test]
    fn a_parser_survives_serialisation() {
        let parser = untrained(ArcOrder::RightFirst);
        let bytes = postcard::to_allocvec(&parser).unwrap();
        let back: Parser = postcard::from_bytes(&bytes).unwrap();
        back.check().unwrap();
        assert_eq!(back, parser);
        assert_eq!(Syntax::parse(&back, &[0, 1, 2, 3]), Syntax::parse(&parser, &[0, 1, 2, 3]));
        for cut in [0, 1, 5, bytes.len() / 2, bytes.len() - 1] {
            assert!(postcard::from_bytes::<Parser>(&bytes[..cut]).is_err());
        }
    }

    #[test]
    fn long_and_empty_sentences_are_no_trouble() {
        let parser = untrained(ArcOrder::LeftFirst);
        let (mut workspace, mut heads) = (Workspace::new(), Vec::new());
        let classes: Vec<u32> = (0..10_000).map(|place| place * place % 6).collect();
        let log_prob = parser.parse_heads_into(&classes, &mut workspace, &mut heads);
        let (tree, beam_log_prob) = parser.k_best(&classes, 1, 1).remove(0);
        assert_eq!(heads, tree.heads());
        assert_eq!(beam_log_prob, log_prob);
        assert_eq!(parser.log_prob(&classes, &tree), Some(log_prob));
        assert_eq!(parser.k_best(&classes, 4, 4).len(), 4);
        parser.parse_heads_into(&[], &mut workspace, &mut heads);
        assert!(heads.is_empty());
        assert!(parser.k_best(&[], 4, 4).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_beam_of_one_is_greedy(sentence in prop::collection::vec(0u32..6, 1..20)) {
            for order in ORDERS {
                let parser = untrained(order);
                let mut heads = Vec::new();
                let log_prob = parser.parse_heads_into(&sentence, &mut Workspace::new(), &mut heads);
                let tree = Tree::new(heads).unwrap();
                prop_assert_eq!(parser.log_prob(&sentence, &tree), Some(log_prob));
                prop_assert_eq!(parser.k_best(&sentence, 1, 5), vec![(tree, log_prob)]);
            }
        }

        #[test]
        fn the_log_probability_of_a_tree_is_that_of_its_transitions(
            choices in prop::collection::vec(0usize..50, 1..12),
        ) {
            let tree = projective(&choices);
            let classes: Vec<u32> = choices.iter().map(|&choice| choice as u32 % CLASSES).collect();
            for order in ORDERS {
                let parser = untrained(order);
                let instances = features::instances(&tree, &classes, order).unwrap();
                let expected: f64 = instances.iter().map(|(features, transition)| {
                    let allowed = features::allowed(features, order);
                    parser.scorer().log_probs(features, allowed)[transition.index()]
                }).sum();
                prop_assert_eq!(parser.log_prob(&classes, &tree), Some(expected));
            }
        }

        #[test]
        fn a_sample_knows_its_log_probability(
            sentence in prop::collection::vec(0u32..6, 1..10),
            seed in 0u64..100,
        ) {
            let parser = untrained(ArcOrder::RightFirst);
            let (tree, log_prob) = parser.sample(&sentence, &mut rng(seed));
            prop_assert_eq!(parser.log_prob(&sentence, &tree), Some(log_prob));
        }
    }
}
