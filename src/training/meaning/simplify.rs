//! From many beliefs to the simplest lexicon: one meaning for each word and number of children, and no more
//! senses than the examples need, judged by total description length.

use super::begin::SEEDS;
use super::schedule::judges;
use super::{Choice, Meanings, Pair, VOID_COST, constant_cost, cost, knows};
use crate::abduction::chart::{self, Chart};
use crate::semantics::lexicon::{Lexicon, Sense};
use crate::semantics::program::{Expr, Program};
use rayon::prelude::*;

/// A sense that makes up less than this share of a word's uses is not believed.
const RARE: f64 = 0.01;
/// A revision that makes the data longer by more than this, in bits, is not followed up.
const DOUBT: f64 = 20.0;

/// What learning of meanings has come to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The simplest lexicon found.
    pub lexicon: Lexicon,
    /// The description length of the lexicon and of what it leaves open, in bits.
    pub length: f64,
    /// The share of examples for which some tree gives the right result.
    pub explained: f64,
}

impl Outcome {
    /// What it takes to say the results of these examples, given the lexicon.
    pub(in crate::training) fn bits_of(&self, examples: &[&Pair]) -> f64 {
        result_bits(&self.lexicon, examples).iter().sum()
    }
}

impl Meanings {
    /// What learning has come to.
    pub fn result(&self, pairs: &[Pair]) -> Outcome {
        let sample = judges(pairs, &self.known);
        let Judged { lexicon, length, .. } = self.simplify(self.harden(), &sample);
        let explained = explained_share(&lexicon, &sample);
        Outcome { lexicon, length, explained }
    }

    /// For each word and number of children one sense, if the word is used so often enough.
    fn harden(&self) -> Lexicon {
        let mut lexicon = self.lexicon.clone();
        let words = lexicon.senses.iter_mut().enumerate();
        for (word, senses) in words.filter(|(word, _)| !knows(&self.known, *word)) {
            let uses: Vec<f64> =
                senses.iter().enumerate().map(|(number, _)| self.used(word, number)).collect();
            let total: f64 = uses.iter().sum();
            let group = |sense: &Sense| self.lexicon.arity(sense).unwrap_or(0);
            let best = |number: usize| {
                (0..senses.len()).all(|other| {
                    group(&senses[other]) != group(&senses[number])
                        || (uses[other], number) <= (uses[number], other)
                })
            };
            let keep: Vec<bool> =
                (0..senses.len()).map(|number| uses[number] > RARE * total && best(number)).collect();
            let mut flags = keep.iter();
            senses.retain(|_| flags.next() == Some(&true));
        }
        lexicon.normalise();
        lexicon
    }

    fn used(&self, word: usize, number: usize) -> f64 {
        self.uses.get(word).and_then(|uses| uses.get(number)).copied().unwrap_or(0.0)
    }

    /// Looks for a simpler lexicon that explains as much: without senses that are not needed, and with other
    /// single senses for words that make senses of other words superfluous.
    fn simplify(&self, lexicon: Lexicon, sample: &[&Pair]) -> Judged {
        let mut best = self.with_better_rivals(self.judged(lexicon, sample), sample);
        best = self.without_needless(best, sample);
        for word in (0..best.lexicon.senses.len()).filter(|&word| !knows(&self.known, word)) {
            for sense in
                self.lexicon.senses[word].iter().filter(|sense| self.lexicon.arity(sense).unwrap_or(0) == 0)
            {
                let same = |other: &Sense| other.program == sense.program && other.me == sense.me;
                let senses = &best.lexicon.senses[word];
                if senses.len() == 1 && senses.iter().all(same) {
                    continue;
                }
                let mut other = best.lexicon.clone();
                other.senses[word] = vec![Sense { probability: 1.0, ..sense.clone() }];
                let other = self.judged_after(&best, other, sample);
                if other.data_bits() > best.data_bits() + DOUBT {
                    continue;
                }
                best = best.or_shorter(self.without_needless(other, sample));
            }
        }
        self.with_senses_of_kin(best, sample)
    }

    /// Gives words a sense that only one of their kin has, if that makes senses of other words superfluous: `left x`
    /// where `right x` is known, and `twice x y` and `and x y z` have been patched instead.
    fn with_senses_of_kin(&self, mut best: Judged, sample: &[&Pair]) -> Judged {
        for (word, sense) in self.senses_of_kin(&best.lexicon) {
            let mut other = best.lexicon.clone();
            other.senses[word].push(sense);
            let other = self.judged_after(&best, other, sample);
            best = best.or_shorter(self.without_needless(other, sample));
        }
        best
    }

    /// Programs with a constant that one word only has, as senses of the others that bring one too.
    fn senses_of_kin(&self, lexicon: &Lexicon) -> Vec<(usize, Sense)> {
        let brings = |word: usize| {
            let is_alone = |sense: &Sense| sense.me.is_some() && lexicon.arity(sense) == Some(0);
            !knows(&self.known, word) && lexicon.senses[word].iter().any(is_alone)
        };
        let words: Vec<usize> = (0..lexicon.senses.len()).filter(|&word| brings(word)).collect();
        let mut found = Vec::new();
        for (number, program) in lexicon.programs.iter().enumerate() {
            let number = Some(number as u32);
            let has = |word: &&usize| lexicon.senses[**word].iter().any(|sense| sense.program == number);
            if program.arity == 0 || !program.body.uses_me() || words.iter().filter(has).count() != 1 {
                continue;
            }
            let sense =
                |word: &usize| Sense { program: number, me: self.own[*word].clone(), probability: 0.5 };
            found.extend(words.iter().filter(|word| !has(word)).map(|word| (*word, sense(word))));
        }
        found
    }

    /// Puts a rival sense in the place of the most used one with as many children where that is shorter: two
    /// that explain the same small examples may differ on larger ones, and what other words do costs nothing.
    fn with_better_rivals(&self, mut best: Judged, sample: &[&Pair]) -> Judged {
        for word in (0..best.lexicon.senses.len()).filter(|&word| !knows(&self.known, word)) {
            for rival in self.rivals(&best.lexicon, word) {
                let mut other = best.lexicon.clone();
                let arity = other.arity(&rival);
                let place = other.senses[word].iter().position(|sense| other.arity(sense) == arity);
                let (Some(place), Some(1..)) = (place, arity) else { continue };
                let probability = other.senses[word][place].probability;
                other.senses[word][place] = Sense { probability, ..rival };
                let other = self.judged_after(&best, other, sample);
                best = best.or_shorter(other);
            }
        }
        best
    }

    /// What else a word may mean: what was believed of it; and, in place of a program of its own, what other words
    /// mean, what all words started with, and what has been banned: with other meanings changed it may be right.
    fn rivals(&self, lexicon: &Lexicon, word: usize) -> Vec<Sense> {
        let believed = self.lexicon.senses[word].iter().filter(|rival| rival.probability > RARE).cloned();
        let mut rivals: Vec<Sense> = believed.collect();
        let words = |program: Option<u32>| {
            lexicon.senses.iter().flatten().filter(|sense| sense.program == program).count()
        };
        let mut others: Vec<u32> =
            lexicon.senses.iter().flatten().filter_map(|sense| sense.program).collect();
        others.extend(0..SEEDS.iter().sum::<usize>().min(lexicon.programs.len()) as u32);
        others.extend(self.banned.iter().filter_map(|choice| match choice {
            Choice::Program(program) => Some(*program),
            Choice::Children(..) => None,
        }));
        others.sort_unstable();
        others.dedup();
        for sense in lexicon.senses[word].iter().filter(|sense| words(sense.program) == 1) {
            for &program in &others {
                let uses_me = lexicon.programs[program as usize].body.uses_me();
                let me = uses_me.then(|| self.own[word].clone()).flatten();
                let rival = Sense { program: Some(program), me, probability: 0.0 };
                let fits = lexicon.arity(&rival) == lexicon.arity(sense) && rival.me.is_some() == uses_me;
                if fits && sense.program != rival.program {
                    rivals.push(rival);
                }
            }
        }
        rivals
    }

    /// Drops senses, the rarest first, that cost more than they explain.
    fn without_needless(&self, mut best: Judged, sample: &[&Pair]) -> Judged {
        let mut places: Vec<(usize, Sense)> = Vec::new();
        let words = best.lexicon.senses.iter().enumerate();
        for (word, senses) in words.filter(|(word, _)| !knows(&self.known, *word)) {
            places.extend(senses.iter().map(|sense| (word, sense.clone())));
        }
        places.sort_by(|a, b| a.1.probability.total_cmp(&b.1.probability).then(b.0.cmp(&a.0)));
        for (word, needless) in places {
            let mut without = best.lexicon.clone();
            without.senses[word].retain(|sense| *sense != needless);
            if without.senses[word].is_empty() {
                continue;
            }
            let without = self.judged_after(&best, without, sample);
            if without.length <= best.length {
                best = without;
            }
        }
        let mut normal = best.lexicon.clone();
        normal.normalise();
        self.judged_after(&best, normal, sample)
    }

    /// A lexicon with its description length.
    fn judged(&self, lexicon: Lexicon, sample: &[&Pair]) -> Judged {
        let bits = result_bits(&lexicon, sample);
        let length = self.lexicon_bits(&lexicon) + bits.iter().sum::<f64>();
        Judged { lexicon, bits, length }
    }

    /// The same for a lexicon with other senses, as far as these matter.
    fn judged_after(&self, before: &Judged, lexicon: Lexicon, sample: &[&Pair]) -> Judged {
        let words = lexicon.senses.iter().zip(&before.lexicon.senses);
        let has_changed: Vec<bool> = words.map(|(senses, before)| senses != before).collect();
        let again = |pair: &Pair| pair.words.iter().any(|&word| has_changed[word as usize]);
        let bits = sample.par_iter().zip(&before.bits);
        let bits =
            bits.map(|(pair, &known)| if again(pair) { bits_of_result(&lexicon, pair) } else { known });
        let bits: Vec<f64> = bits.collect();
        let length = self.lexicon_bits(&lexicon) + bits.iter().sum::<f64>();
        Judged { lexicon, bits, length }
    }

    /// The description length of the lexicon and of what it leaves unexplained, in bits.
    pub(super) fn length(&self, lexicon: &Lexicon, sample: &[&Pair]) -> f64 {
        self.lexicon_bits(lexicon) + result_bits(lexicon, sample).iter().sum::<f64>()
    }

    /// What it takes to say the lexicon.
    fn lexicon_bits(&self, lexicon: &Lexicon) -> f64 {
        let senses = lexicon.senses.iter().map(Vec::len).sum::<usize>();
        f64::from(self.program_bits(lexicon))
            + f64::from(VOID_COST) * senses as f64
            + self.constant_bits(lexicon)
    }

    /// What it takes to say the programs, each once: those of words, and those they call.
    fn program_bits(&self, lexicon: &Lexicon) -> u32 {
        let mut numbers: Vec<u32> =
            lexicon.senses.iter().flatten().filter_map(|sense| sense.program).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut programs: Vec<&Program> =
            numbers.iter().map(|&number| &lexicon.programs[number as usize]).collect();
        let mut said = 0;
        while let Some(&program) = programs.get(said) {
            said += 1;
            program.body.each(&mut |part| {
                if let Expr::Call(number, _) = part
                    && let Some(called) = lexicon.library.get(*number as usize)
                    && !programs.contains(&called)
                {
                    programs.push(called);
                }
            });
        }
        programs.iter().map(|program| self.costs.of(&program.body)).sum()
    }

    /// What it takes to say the constants that are not the words' own.
    fn constant_bits(&self, lexicon: &Lexicon) -> f64 {
        let words = lexicon.senses.iter().zip(&self.own);
        words
            .flat_map(|(senses, own)| senses.iter().map(move |sense| f64::from(constant_cost(sense, own))))
            .sum()
    }
}

/// A lexicon, what it takes to say the result of each example of a sample with it, and its description length.
struct Judged {
    lexicon: Lexicon,
    bits: Vec<f64>,
    length: f64,
}

impl Judged {
    /// What it takes to say the results.
    fn data_bits(&self) -> f64 {
        self.bits.iter().sum()
    }

    /// The other one if it is shorter.
    fn or_shorter(self, other: Judged) -> Judged {
        if other.length < self.length { other } else { self }
    }
}

/// For each example what it takes to say its result.
pub(super) fn result_bits(lexicon: &Lexicon, sample: &[&Pair]) -> Vec<f64> {
    sample.par_iter().map(|pair| bits_of_result(lexicon, pair)).collect()
}

/// How far a result is from being the only one that trees give, or the result itself where none gives it, in bits.
fn bits_of_result(lexicon: &Lexicon, pair: &Pair) -> f64 {
    let chart = Chart::without_trees(lexicon, &pair.words, &pair.target, chart::Limits::default());
    cost(&chart, &pair.target)
}

/// The share of examples for which some tree gives the right result.
pub(super) fn explained_share(lexicon: &Lexicon, sample: &[&Pair]) -> f64 {
    let explains = |pair: &&&Pair| {
        Chart::without_trees(lexicon, &pair.words, &pair.target, chart::Limits::default()).explains()
    };
    sample.par_iter().filter(explains).count() as f64 / sample.len().max(1) as f64
}
