//! Beam search over transitions.
//!
//! Hypotheses share what they have in common. The stack is a linked list of cells that never change: each
//! transition makes one new cell on top of an older one, whatever else still points there. A step thus costs
//! the same however long the sentence is, where copying whole states would make the search quadratic.

use super::features::{self, Features};
use super::state::{Kin, Node, State};
use super::transition::Transition;

/// A node on the stack, with its children so far.
#[derive(Clone, Copy, Default)]
struct Cell {
    node: Node,
    kin: Kin,
    below: usize,
}

/// The cell below Root, and below itself.
const BOTTOM: usize = 0;

/// A transition and the place of the one before it.
struct Step {
    transition: Transition,
    previous: usize,
}

/// One state of the parser, reached by one sequence of transitions.
#[derive(Clone, Copy)]
struct Hypothesis {
    top: usize,
    next: u32,
    last: usize,
    log_prob: f64,
}

/// A way to go on from the hypothesis at `from`.
struct Candidate {
    from: usize,
    transition: Transition,
    log_prob: f64,
}

/// All cells and steps made during a search.
struct Search<'a> {
    ids: &'a [u32],
    cells: Vec<Cell>,
    steps: Vec<Step>,
}

/// The heads of the best trees found and their log-probabilities, best first. `ids` are those of the nodes,
/// Null and Root first; `score` gives log-probabilities by transition, minus infinity if it is not allowed.
pub(super) fn search(
    ids: &[u32],
    width: usize,
    mut score: impl FnMut(&Features) -> [f64; 3],
) -> Vec<(Vec<Option<u32>>, f64)> {
    let words = ids.len() - 2;
    if words == 0 {
        return Vec::new();
    }
    let mut search = Search::new(ids);
    let mut beam = vec![Hypothesis { top: 1, next: 0, last: 0, log_prob: 0.0 }];
    for _ in 0..2 * words {
        let candidates = best_candidates(&beam, width, |hypothesis| score(&search.features(hypothesis)));
        beam = candidates.iter().map(|candidate| search.follow(&beam[candidate.from], candidate)).collect();
    }
    beam.iter().map(|hypothesis| (search.heads(hypothesis), hypothesis.log_prob)).collect()
}

/// The `width` best ways to go on, best first; among equals, those of better hypotheses.
fn best_candidates(
    beam: &[Hypothesis],
    width: usize,
    mut score: impl FnMut(&Hypothesis) -> [f64; 3],
) -> Vec<Candidate> {
    let mut candidates = Vec::with_capacity(3 * beam.len());
    for (from, hypothesis) in beam.iter().enumerate() {
        for (transition, log_prob) in Transition::ALL.into_iter().zip(score(hypothesis)) {
            if log_prob != f64::NEG_INFINITY {
                candidates.push(Candidate { from, transition, log_prob: hypothesis.log_prob + log_prob });
            }
        }
    }
    candidates.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    candidates.truncate(width);
    candidates
}

impl Search<'_> {
    fn new(ids: &[u32]) -> Search<'_> {
        let root = Cell { node: Node::ROOT, below: BOTTOM, ..Cell::default() };
        Search { ids, cells: vec![Cell::default(), root], steps: Vec::new() }
    }

    fn features(&self, hypothesis: &Hypothesis) -> Features {
        let first = &self.cells[hypothesis.top];
        let second = &self.cells[first.below];
        let third = &self.cells[second.below];
        let words = self.ids.len() as u32 - 2;
        let buffer = [0, 1, 2].map(|ahead| match hypothesis.next + ahead < words {
            true => Node::word(hypothesis.next + ahead),
            false => Node::NULL,
        });
        features::assemble([first.node, second.node, third.node], buffer, [&first.kin, &second.kin], self.ids)
    }

    /// The hypothesis that `candidate` leads to.
    fn follow(&mut self, from: &Hypothesis, candidate: &Candidate) -> Hypothesis {
        let first = self.cells[from.top];
        let second = self.cells[first.below];
        let mut next = from.next;
        let cell = match candidate.transition {
            Transition::Shift => {
                next += 1;
                Cell { node: Node::word(from.next), kin: Kin::default(), below: from.top }
            }
            Transition::LeftArc => {
                let mut kin = first.kin;
                kin.add_left(second.node, &second.kin);
                Cell { kin, below: second.below, ..first }
            }
            Transition::RightArc => {
                let mut kin = second.kin;
                kin.add_right(first.node, &first.kin);
                Cell { kin, ..second }
            }
        };
        self.cells.push(cell);
        self.steps.push(Step { transition: candidate.transition, previous: from.last });
        // Steps are counted from one, zero standing for the start.
        Hypothesis { top: self.cells.len() - 1, next, last: self.steps.len(), log_prob: candidate.log_prob }
    }

    /// The heads that the transitions of a finished hypothesis lead to.
    fn heads(&self, hypothesis: &Hypothesis) -> Vec<Option<u32>> {
        let mut transitions = Vec::new();
        let mut last = hypothesis.last;
        while let Some(step) = last.checked_sub(1).map(|place| &self.steps[place]) {
            transitions.push(step.transition);
            last = step.previous;
        }
        let mut state = State::new(self.ids.len() - 2);
        transitions.iter().rev().for_each(|transition| transition.apply(&mut state));
        let mut heads = Vec::with_capacity(state.words());
        state.heads_into(&mut heads);
        heads
    }
}
