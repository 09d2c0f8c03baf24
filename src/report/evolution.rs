//! When each word came to mean what it means in the end, what it was taken for before, and what its programs are
//! built from.
//!
//! Learning begins anew, and takes choices back; much of what it tries is given up. Told is only what led to the
//! meanings that were kept: the rounds of their start, and of those revisions that were kept.

use super::is_own;
use crate::model::Model;
use crate::readable::Readable;
use crate::semantics::lexicon::Sense;
use crate::symbol::Vocabulary;
use crate::training::meaning::{Choice, Meanings};
use crate::value::Value;

/// What a word means is told by the senses that make up this share of its uses.
const TOLD: f64 = 0.8;

/// Notes what words mean, round by round.
#[derive(Clone, Debug, Default)]
pub struct Evolution {
    attempt: Attempt,
    /// For each word what it meant, in the order of time.
    stages: Vec<Vec<Stage>>,
}

/// One way of learning: which start it is, and what was taken back since.
type Attempt = (u32, Vec<Choice>);

/// A program's number and a constant: numbers stay the same from a start to all its revisions.
type Meant = (Option<u32>, Option<Value>);

/// What a word meant for some time.
#[derive(Clone, Debug)]
struct Stage {
    attempt: Attempt,
    meant: Vec<Meant>,
    since: Since,
}

/// What a word meant from some round on.
#[derive(Clone, Debug, PartialEq)]
pub struct Since {
    /// The round, counted over all starts and revisions.
    pub round: usize,
    /// And so many seconds after the beginning.
    pub seconds: f64,
    /// Its meanings in words: `twice x = x ++ x`.
    pub definitions: Vec<String>,
}

/// What a word means in the end, and how that came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The word's number.
    pub word: usize,
    /// Its meanings in words.
    pub definitions: Vec<String>,
    /// The words whose programs its programs call; programs of no word by their numbers in the library.
    pub built_from: Vec<String>,
    /// When it first was used in these meanings all but always; `None` if it never was in any round, and they
    /// were chosen when the rounds were over.
    pub first: Option<Since>,
    /// What it was taken for until then.
    pub before: Vec<Since>,
}

impl Evolution {
    /// Notes what is believed after a round. Words and tokens are named by `inputs` and `outputs`.
    pub fn note(
        &mut self,
        meanings: &Meanings,
        [inputs, outputs]: [&Vocabulary; 2],
        round: usize,
        seconds: f64,
    ) {
        let (start, banned) = meanings.attempt();
        self.attempt = (start, banned.to_vec());
        self.stages.resize_with(meanings.lexicon.senses.len(), Vec::new);
        let readable = Readable::new(inputs, outputs, &meanings.lexicon);
        for (word, stages) in self.stages.iter_mut().enumerate() {
            let senses = told(meanings, word);
            let meant: Vec<Meant> = senses.iter().map(|sense| (sense.program, sense.me.clone())).collect();
            let same = |stage: &Stage| stage.attempt == self.attempt && stage.meant == meant;
            if !meant.is_empty() && !stages.last().is_some_and(same) {
                let definitions = senses.iter().map(|sense| readable.definition(word, sense)).collect();
                let since = Since { round, seconds, definitions };
                stages.push(Stage { attempt: self.attempt.clone(), meant, since });
            }
        }
    }

    /// How often learning was begun, as far as noted.
    pub fn starts(&self) -> u32 {
        self.stages.iter().flatten().map(|stage| stage.attempt.0 + 1).max().unwrap_or(0)
    }

    /// How the words of `model` came to mean what they mean, in the order of time.
    pub fn of(&self, model: &Model) -> Vec<Solved> {
        let readable = Readable::of(model);
        let words = 0..model.lexicon.senses.len();
        let mut solved: Vec<Solved> = words.map(|word| self.solved(model, word, &readable)).collect();
        let round = |solved: &Solved| solved.first.as_ref().map_or(usize::MAX, |first| first.round);
        solved.sort_by_key(|solved| (round(solved), solved.word));
        solved
    }

    fn solved(&self, model: &Model, word: usize, readable: &Readable<'_>) -> Solved {
        let senses: Vec<&Sense> = model.lexicon.senses[word].iter().filter(|sense| is_own(sense)).collect();
        let is_kept =
            |(program, me): &Meant| senses.iter().any(|sense| sense.program == *program && sense.me == *me);
        let line = self.line(model, word);
        let first = line.iter().position(|stage| stage.meant.iter().all(is_kept));
        let mut before: Vec<Since> =
            line[..first.unwrap_or(line.len())].iter().map(|stage| stage.since.clone()).collect();
        // A revision begins with what was believed before it.
        before.dedup_by(|next, known| next.definitions == known.definitions);
        let mut built_from: Vec<String> =
            senses.iter().flat_map(|sense| readable.calls(word, sense)).collect();
        built_from.sort_unstable();
        built_from.dedup();
        Solved {
            word,
            definitions: senses.iter().map(|sense| readable.definition(word, sense)).collect(),
            built_from,
            first: first.map(|number| line[number].since.clone()),
            before,
        }
    }

    /// What a word meant in the attempts that the meanings of `model` come from.
    fn line(&self, model: &Model, word: usize) -> Vec<&Stage> {
        let (start, banned) = model.meanings.attempt();
        let leads = |stage: &&Stage| stage.attempt.0 == start && banned.starts_with(&stage.attempt.1);
        self.stages.get(word).map_or(Vec::new(), |stages| stages.iter().filter(leads).collect())
    }
}

/// The most used senses of a word that tell what it means.
fn told(meanings: &Meanings, word: usize) -> Vec<&Sense> {
    let uses = meanings.uses.get(word).map_or(&[][..], Vec::as_slice);
    let total: f64 = uses.iter().sum();
    let mut senses: Vec<(&Sense, f64)> =
        meanings.lexicon.senses[word].iter().zip(uses.iter().copied()).collect();
    senses.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut sum = 0.0;
    let needed = senses.into_iter().take_while(|(_, uses)| {
        let needed = sum < TOLD * total;
        sum += uses;
        needed
    });
    needed.map(|(sense, _)| sense).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;
    use crate::training::{Event, Observer, train_words};

    struct Noting<'a>(&'a Dataset, Evolution, usize);

    impl Observer for Noting<'_> {
        fn on(&mut self, event: &Event<'_>) {
            if let Event::Meanings { meanings, .. } = event {
                self.2 += 1;
                self.1.note(meanings, [&self.0.inputs, &self.0.outputs], self.2, self.2 as f64);
            }
        }
    }

    /// Each word's definitions and what they are built from, by the word's name.
    fn told(model: &Model, solved: &[Solved], name: &str) -> (String, String) {
        let word = model.inputs.get(name).unwrap().index();
        let solved = solved.iter().find(|solved| solved.word == word).unwrap();
        (solved.definitions.join(" · "), solved.built_from.join(" "))
    }

    #[test]
    fn only_what_led_to_the_kept_meanings_is_told() {
        let pairs = ["a", "b", "c", "d"].map(|word| {
            let token = word.to_uppercase();
            [
                (word.to_owned(), token.clone()),
                (format!("{word} twice"), format!("{token} {token}")),
                (format!("{word} twice twice"), [&token[..]; 4].join(" ")),
                (format!("{word} often"), [&token[..]; 8].join(" ")),
            ]
        });
        let data = Dataset::from_pairs("doubles", pairs.as_flattened());
        let mut noting = Noting(&data, Evolution::default(), 0);
        let model = train_words(&data, 0, &mut noting);
        let Noting(_, mut evolution, rounds) = noting;
        let solved = evolution.of(&model);
        assert_eq!(told(&model, &solved, "twice"), ("twice x = x ++ x".into(), String::new()));
        assert_eq!(told(&model, &solved, "often").1, "twice");
        assert_eq!(solved.len(), model.inputs.len());
        let round = |solved: &Solved| solved.first.as_ref().map(|first| first.round);
        assert!(solved.iter().all(|solved| round(solved).is_some_and(|round| (1..=rounds).contains(&round))));
        assert!(solved.is_sorted_by_key(round), "{solved:?}");
        // What comes of taking back a choice, where that is not kept, changes nothing.
        let word = model.inputs.get("often").unwrap().0;
        let other = model.meanings.without(Choice::Children(word, 1));
        assert!(other.attempt() != model.meanings.attempt());
        evolution.note(&other, [&data.inputs, &data.outputs], rounds + 1, 0.0);
        assert_eq!(evolution.of(&model), solved);
        // Nor does another start.
        let mut other = model.meanings.clone();
        other.start += 1;
        evolution.note(&other, [&data.inputs, &data.outputs], rounds + 2, 0.0);
        assert_eq!(evolution.of(&model), solved);
        assert_eq!(evolution.starts(), model.meanings.start.max(other.start) + 1);
    }
}
