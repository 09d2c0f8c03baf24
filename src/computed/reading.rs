//! Ways to read an input: which of its words say numbers, and which stay words.

use super::{Computed, Said, spans};
use crate::symbol::Symbol;

/// An input with its numbers taken out.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its words, with those that stand for numbers.
    pub symbols: Vec<Option<Symbol>>,
    /// The numbers, each different one once: the first is what the first word for numbers stands for.
    pub said: Vec<Said>,
    /// What it costs to say the numbers so, less what trees pay for the words that stand for them.
    pub bits: f64,
}

/// So many ways to read an input are looked at.
const READINGS: usize = 16;

/// The beginning of an input read in some way: what it costs, how many words are left, and how it was put together.
#[derive(Clone)]
struct Begun {
    bits: f64,
    left: usize,
    said: Vec<usize>,
}

impl Computed {
    /// The cheapest ways to read an input in which each word is known or says a number, the cheapest first. What trees of the words that are left will
    /// cost is not known yet: of each word, as much as one of all.
    pub fn readings(&self, input: &[Option<Symbol>], is_known: impl Fn(Symbol) -> bool) -> Vec<Reading> {
        let Some(words) = input.iter().copied().collect::<Option<Vec<Symbol>>>() else { return Vec::new() };
        let chart = self.chart(&words);
        let said: Vec<Said> = spans(words.len()).filter_map(|span| self.said_within(&chart, span)).collect();
        let mut begun: Vec<Vec<Begun>> = vec![Vec::new(); words.len() + 1];
        begun[0].push(Begun { bits: 0.0, left: 0, said: Vec::new() });
        let word = (self.values.words().max(2) as f64).log2();
        let cost = |begun: &Begun| begun.bits + word * begun.left as f64;
        // Which of the words for numbers stands there tells nothing, but trees pay for it.
        let which = f64::from(self.count).log2();
        for to in 1..=words.len() {
            let kept = |begun: &Begun| Begun { left: begun.left + 1, ..begun.clone() };
            let mut here: Vec<Begun> =
                if is_known(words[to - 1]) { begun[to - 1].iter().map(kept).collect() } else { Vec::new() };
            for (number, said) in said.iter().enumerate().filter(|(_, said)| said.span.end == to) {
                let longer = |begun: &Begun| Begun {
                    bits: begun.bits + said.bits - which,
                    left: begun.left + 1,
                    said: begun.said.iter().copied().chain([number]).collect(),
                };
                here.extend(begun[said.span.start].iter().map(longer));
            }
            here.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
            here.truncate(READINGS);
            begun[to] = here;
        }
        let whole = begun.pop().unwrap_or_default();
        whole.into_iter().filter_map(|begun| self.reading(&words, &said, &begun)).collect()
    }

    /// The input with these numbers taken out, if there are enough words to stand for them.
    fn reading(&self, words: &[Symbol], all: &[Said], begun: &Begun) -> Option<Reading> {
        let (mut symbols, mut said, mut from) = (Vec::new(), Vec::<Said>::new(), 0);
        for here in begun.said.iter().map(|&number| &all[number]) {
            let known = said.iter().position(|other| other.number == here.number);
            let number = known.unwrap_or_else(|| {
                said.push(here.clone());
                said.len() - 1
            });
            symbols.extend(words[from..here.span.start].iter().copied().map(Some));
            symbols.push(Some(Symbol(self.word.0 + number as u32)));
            from = here.span.end;
        }
        symbols.extend(words[from..].iter().copied().map(Some));
        (said.len() <= self.count as usize).then_some(Reading { symbols, said, bits: begun.bits })
    }
}
