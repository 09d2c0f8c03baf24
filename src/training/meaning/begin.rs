//! What is believed to begin with.

use super::samples::sample_rows;
use super::schedule::Schedule;
use super::{Meanings, VOID_COST, knows, prior};
use crate::semantics::costs::Costs;
use crate::semantics::enumerate::{Limits, Row, Search};
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::semantics::program::Program;
use crate::value::{Type, Value};
use std::collections::BTreeMap;

impl Meanings {
    /// Starts with the cheapest programs as possible senses of every word; `own` is the constant each word
    /// brings.
    pub fn new(own: Vec<Option<Value>>, kind: Type) -> Meanings {
        let mut meanings = Meanings::blank(own, kind);
        meanings.seed_all();
        meanings
    }

    /// No senses at all.
    pub(super) fn blank(own: Vec<Option<Value>>, kind: Type) -> Meanings {
        let lexicon = Lexicon { senses: vec![Vec::new(); own.len()], ..Lexicon::default() };
        let (costs, schedule) = (Costs::default(), Schedule::default());
        Meanings {
            lexicon,
            costs,
            uses: Vec::new(),
            kind,
            own,
            behaviours: Vec::new(),
            schedule,
            start: 0,
            settled: 0.0,
            begun: 0.0,
            round: 0,
            sought: BTreeMap::new(),
            considered: Vec::new(),
            banned: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Makes the cheapest programs possible senses of every word that is not known.
    pub(super) fn seed_all(&mut self) {
        for arity in 0..=2 {
            for program in cheapest(arity, self.kind, &Costs::default(), SEEDS[arity as usize]) {
                self.seed(&program);
            }
        }
        for word in (0..self.own.len()).filter(|&word| !knows(&self.known, word)) {
            let void = Sense { program: None, me: None, probability: prior(VOID_COST) };
            self.lexicon.senses[word].push(void);
        }
        self.lexicon.normalise();
    }

    /// Makes `program` a possible sense of every word that has what it needs.
    fn seed(&mut self, program: &Program) {
        let probability = prior(self.costs.of(&program.body));
        let number = self.intern(program);
        let unknown = self.own.iter().enumerate().filter(|(word, _)| !knows(&self.known, *word));
        for (word, own) in unknown {
            let me = program.body.uses_me().then(|| own.clone()).flatten();
            if me.is_some() == program.body.uses_me() {
                self.lexicon.senses[word].push(Sense { program: Some(number), me, probability });
            }
        }
    }
}

/// How many programs of each arity every word starts with.
pub(super) const SEEDS: [usize; 3] = [1, 4, 2];

/// The cheapest programs of `arity` arguments that look at all of them.
fn cheapest(arity: u8, kind: Type, costs: &Costs, most: usize) -> Vec<Program> {
    let rows: Vec<Row> = sample_rows(arity, kind).collect();
    let limits = Limits { cost: 16, terms: 4_000, tried: 100_000, ..Limits::default() };
    let mut search = Search::new(arity, kind, &rows, [][..].into(), costs, limits);
    let mut numbers = Vec::new();
    search.run(kind, |found| {
        numbers.push(found.number());
        true
    });
    let programs = numbers.into_iter().map(|number| Program { arity, body: search.expr_of(number) });
    programs.filter(|program| (0..arity).all(|arg| program.body.uses(arg))).take(most).collect()
}
