//! New senses: programs that would fill the holes of many examples.

use super::{Evidence, Meanings, bits};
use crate::abduction::holes::Hole;
use crate::semantics::enumerate::{Limits as SearchLimits, Row, Search, UNDEFINED};
use crate::semantics::lexicon::Sense;
use crate::semantics::program::{Expr, Program};
use crate::value::Value;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A hole of an example that a word of this number of children could fill.
struct Wish<'a> {
    example: usize,
    hole: &'a Hole,
}

/// A sense that would fill holes.
#[derive(Clone)]
struct Candidate {
    word: u32,
    program: Program,
    me: Option<Value>,
    gain: f64,
}

impl Meanings {
    /// Proposes senses that would fill the holes of many examples.
    pub(super) fn induce(&mut self, evidence: &[Evidence]) -> Vec<(u32, Program)> {
        let mut places: FxHashMap<(u32, usize), Vec<(usize, &Hole)>> = FxHashMap::default();
        for (example, evidence) in evidence.iter().enumerate() {
            for hole in &evidence.holes {
                places.entry((hole.word, hole.args.len())).or_default().push((example, hole));
            }
        }
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_by_key(|(place, _)| *place);
        let mut wishes: Vec<(u32, u8, Vec<Wish<'_>>)> = places
            .into_iter()
            .map(|((word, arity), holes)| {
                let wishes = holes.iter().map(|&(example, hole)| Wish { example, hole });
                (word, arity as u8, wishes.collect())
            })
            .collect();
        // What a program could save at most, if it filled every hole.
        let hope = |wishes: &[Wish<'_>]| {
            gain(wishes.iter().map(|wish| (wish.example, bits(&wish.hole.want))).collect())
        };
        wishes.sort_by(|a, b| hope(&b.2).total_cmp(&hope(&a.2)));
        wishes.truncate(8);
        let mut found: Vec<Candidate> = wishes
            .par_iter()
            .map(|(word, arity, wishes)| self.search(*word, *arity, wishes))
            .collect::<Vec<_>>()
            .concat();
        found.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let least = found.first().map_or(0.0, |best| best.gain / 2.0);
        let mut taken: Vec<(u32, Program)> = Vec::new();
        for Candidate { word, program, me, gain } in found {
            let known = |(other, taken): &(u32, Program)| *other == word && taken.arity == program.arity;
            if taken.iter().any(known) || taken.len() == 3 || gain < least {
                continue;
            }
            let number = self.intern(&program);
            if self.banned.iter().any(|choice| choice.concerns(word, number, &self.lexicon.programs)) {
                continue;
            }
            taken.push((word, program.clone()));
            match self.lexicon.find(word as usize, Some(number), me.as_ref()) {
                Some(place) => {
                    let probability = &mut self.lexicon.senses[word as usize][place].probability;
                    *probability = probability.max(0.05);
                }
                None => self.lexicon.senses[word as usize].push(Sense {
                    program: Some(number),
                    me,
                    probability: 0.05,
                }),
            }
        }
        self.lexicon.normalise();
        taken
    }

    /// Programs of `arity` arguments for `word` that fill the holes of as many examples as possible.
    fn search(&self, word: u32, arity: u8, holes: &[Wish<'_>]) -> Vec<Candidate> {
        let me = self.own[word as usize].clone();
        if arity == 0 {
            return constant(word, me.as_ref(), holes);
        }
        let mut rows: Vec<Row> = Vec::new();
        let mut wants: Vec<Vec<&Wish<'_>>> = Vec::new();
        let mut index: FxHashMap<&[Value], usize> = FxHashMap::default();
        let mut heavy: Vec<&Wish<'_>> = holes.iter().collect();
        heavy.sort_by(|a, b| b.hole.weight.total_cmp(&a.hole.weight));
        for wish in heavy {
            let row = match index.get(wish.hole.args.as_slice()) {
                Some(&row) => row,
                None if rows.len() == 24 => continue,
                None => {
                    rows.push(Row { args: wish.hole.args.clone(), me: me.clone() });
                    wants.push(Vec::new());
                    index.insert(&wish.hole.args, rows.len() - 1);
                    rows.len() - 1
                }
            };
            wants[row].push(wish);
        }
        let extent = 2 + wants.iter().flatten().map(|wish| wish.hole.want.extent()).max().unwrap_or(0);
        let limits = SearchLimits { cost: 40, terms: 1_500, tried: 12_000, extent };
        let mut search = Search::new(arity, self.kind, &rows, &self.lexicon.library, &self.costs, limits);
        let ids: Vec<Vec<(u32, usize, f64)>> = wants
            .iter()
            .map(|wants| {
                wants
                    .iter()
                    .map(|wish| (search.intern(wish.hole.want.clone()), wish.example, bits(&wish.hole.want)))
                    .collect()
            })
            .collect();
        let mut best: Vec<(f64, u32)> = Vec::new();
        search.run(self.kind, |found| {
            let mut saved = Vec::new();
            for (row, value) in found.values.iter().enumerate().filter(|(_, value)| **value != UNDEFINED) {
                saved.extend(
                    ids[row]
                        .iter()
                        .filter(|(want, ..)| want == value)
                        .map(|&(_, example, bits)| (example, bits)),
                );
            }
            let gain = gain(saved) - f64::from(found.cost);
            if gain > 0.0 {
                best.push((gain, found.number()));
            }
            true
        });
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        best.truncate(1);
        best.into_iter()
            .map(|(gain, number)| {
                let body = search.expr_of(number);
                let me = body.uses_me().then(|| me.clone()).flatten();
                Candidate { word, program: Program { arity, body }, me, gain }
            })
            .collect()
    }
}

/// The bits saved over all examples, each counted once, at its best.
fn gain(mut saved: Vec<(usize, f64)>) -> f64 {
    saved.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    saved.dedup_by_key(|(example, _)| *example);
    saved.iter().map(|(_, bits)| bits).sum()
}

/// Constants that fill the holes of a word without children.
fn constant(word: u32, own: Option<&Value>, holes: &[Wish<'_>]) -> Vec<Candidate> {
    let mut wants: FxHashMap<&Value, Vec<(usize, f64)>> = FxHashMap::default();
    for wish in holes {
        wants.entry(&wish.hole.want).or_default().push((wish.example, bits(&wish.hole.want)));
    }
    let mut wants: Vec<_> = wants
        .into_iter()
        .map(|(want, saved)| (want, gain(saved)))
        .map(|(want, gain)| (want, if Some(want) == own { gain } else { gain - bits(want) * 2.0 }))
        .collect();
    wants.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let program = Program { arity: 0, body: Expr::Me };
    wants
        .into_iter()
        .take(1)
        .filter(|(_, gain)| *gain > 0.0)
        .map(|(want, gain)| Candidate { word, program: program.clone(), me: Some(want.clone()), gain })
        .collect()
}
