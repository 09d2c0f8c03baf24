//! New senses that say tokens which no word brings, read off the holes of examples.

use super::induce::{Candidate, Place, RESULTS, Wish, gain};
use super::{Meanings, bits};
use crate::semantics::template::{Template, templates};
use crate::symbol::Symbol;
use crate::value::Value;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

impl Meanings {
    /// The best programs that say tokens which no word brings.
    pub(super) fn templates(&self, places: &[Place<'_>]) -> Vec<Candidate> {
        let brought = self.brought();
        let may_say = |token: Symbol| !brought.contains(&token);
        let with_children = places.par_iter().filter(|place| place.arity > 0);
        with_children.map(|place| self.templates_of(place, &may_say)).collect::<Vec<_>>().concat()
    }

    fn templates_of(&self, place: &Place<'_>, may_say: &(dyn Fn(Symbol) -> bool + Sync)) -> Vec<Candidate> {
        let own = self.own[place.word as usize].as_ref();
        let mut saved: FxHashMap<Template, Vec<(usize, f64)>> = FxHashMap::default();
        let wishes = place.wishes.iter();
        let wanted =
            wishes.map(|Wish { hole, example, bits }| (&hole.args[..], &hole.want, (*example, *bits)));
        let known = place.known.iter().map(|&(example, args, value)| (args, value, (example, bits(value))));
        for (args, want, bits) in wanted.chain(known) {
            for template in templates(args, own, want, may_say) {
                saved.entry(template).or_default().push(bits);
            }
        }
        let worth = place.worth();
        let candidate = |((program, me), saved): (Template, Vec<(usize, f64)>)| {
            let saved = gain(saved);
            let gain = saved - self.price(&program, me.as_ref(), place.word);
            // What explains some uses of one word and all of another belongs to the other.
            Candidate { word: place.word, program, me, gain: gain * saved / worth }
        };
        let mut found: Vec<Candidate> =
            saved.into_iter().map(candidate).filter(|candidate| candidate.gain > 0.0).collect();
        found.sort_by(|a, b| {
            b.gain.total_cmp(&a.gain).then_with(|| (&a.program, &a.me).cmp(&(&b.program, &b.me)))
        });
        found.truncate(RESULTS);
        found
    }

    /// The tokens that words bring.
    fn brought(&self) -> FxHashSet<Symbol> {
        let lists = self.own.iter().flatten().filter_map(|own| match own {
            Value::List(list) => Some(&list.0),
            _ => None,
        });
        lists.flat_map(|tokens| tokens.iter().copied()).collect()
    }
}
