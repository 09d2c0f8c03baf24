//! The front door: from pairs to a model, and from a text to an answer.

use crate::data::{Dataset, tokenize};
use crate::experience::Experience;
use crate::model::Model;
use crate::report::{self, Explanation};
use crate::training::{Budget, Observer, train_with};
use rayon::ThreadPoolBuilder;
use std::time::{Duration, Instant};

/// Learns models.
///
/// ```
/// let pairs = [
///     ("walk", "WALK"), ("run", "RUN"), ("jump", "JUMP"), ("look", "LOOK"),
///     ("walk twice", "WALK WALK"), ("run twice", "RUN RUN"), ("look twice", "LOOK LOOK"),
///     ("walk and run", "WALK RUN"), ("run and look", "RUN LOOK"), ("walk twice and run", "WALK WALK RUN"),
/// ];
/// let model = nsr::Learner::new().seed(1).threads(2).seconds(60.0).learn(&pairs);
/// let answer = model.answer("jump twice and look").unwrap();
/// assert_eq!(answer.text, "JUMP JUMP LOOK");
/// assert!(model.answer("").is_none() && model.answer("fly").is_none());
/// // No time at all leaves a model that can go on.
/// assert!(!nsr::Learner::new().seconds(-1.0).learn(&pairs).finished);
/// ```
#[derive(Default)]
pub struct Learner<'a> {
    seed: u64,
    threads: Option<usize>,
    limit: Option<Duration>,
    experience: Option<Experience>,
    observer: Option<&'a mut dyn Observer>,
}

/// What a model makes of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The result, as outputs were written in training.
    pub text: String,
    /// How it came about: a tree with symbol, program and value at every node.
    pub tree: Explanation,
    /// The probability of the result among all that the model could give.
    pub probability: Option<f64>,
}

impl<'a> Learner<'a> {
    /// One that takes as long as it takes, in silence.
    pub fn new() -> Learner<'a> {
        Learner::default()
    }

    /// All randomness comes from this.
    pub fn seed(mut self, seed: u64) -> Learner<'a> {
        self.seed = seed;
        self
    }

    /// Learning takes so many threads; by default one for each core. The model is the same.
    pub fn threads(mut self, threads: usize) -> Learner<'a> {
        self.threads = Some(threads);
        self
    }

    /// What earlier tasks have taught; by default what comes with the library.
    pub fn experience(mut self, experience: Experience) -> Learner<'a> {
        self.experience = Some(experience);
        self
    }

    /// Learning is asked to stop in time to end after about so many seconds, with what it has found; at once where that is below zero or no number.
    pub fn seconds(mut self, seconds: f64) -> Learner<'a> {
        self.limit = Duration::try_from_secs_f64(seconds.max(0.0)).ok();
        self
    }

    /// Who is told what happens, and may ask to stop.
    pub fn observer(mut self, observer: &'a mut dyn Observer) -> Learner<'a> {
        self.observer = Some(observer);
        self
    }

    /// Learns from pairs as people write them; how they are cut into words is guessed from how they look.
    pub fn learn<I: AsRef<str>, O: AsRef<str>>(self, pairs: &[(I, O)]) -> Model {
        self.learn_from(&Dataset::from_texts("pairs", pairs, None))
    }

    /// Learns from a data set.
    pub fn learn_from(self, data: &Dataset) -> Model {
        let mut nobody = ();
        let observer = self.observer.unwrap_or(&mut nobody);
        let experience = self.experience.unwrap_or_else(Experience::built_in);
        let mut budget = Budget::new(observer, Instant::now(), self.limit.unwrap_or(Duration::MAX));
        let mut learn = || train_with(data, self.seed, &experience, &mut budget);
        // Where the system has no threads to give, those that there are have to do.
        let pool =
            self.threads.and_then(|threads| ThreadPoolBuilder::new().num_threads(threads).build().ok());
        match pool {
            Some(pool) => pool.install(learn),
            None => learn(),
        }
    }
}

impl Model {
    /// What the model makes of a text; `None` if it has no answer.
    pub fn answer(&self, text: &str) -> Option<Answer> {
        let model = self.with_newcomers(tokenize(text, self.settings.tokens));
        let tree = report::explain(&model, text)?;
        let text = tree.output.clone()?;
        let probability = tree.log_probability.map(f64::exp);
        Some(Answer { text, tree, probability })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::Event;
    use std::cell::Cell;

    /// Times of the clock, but for two.
    fn times() -> Vec<(String, String)> {
        let minutes = [("half", "30"), ("ten", "10"), ("five", "05")];
        let hours = ["one", "two", "three", "four", "five"];
        let times = minutes.iter().flat_map(|minutes| (1..).zip(hours).map(move |hour| (minutes, hour)));
        let said = times.map(|((said, minute), (number, hour))| {
            (format!("{said} past {hour}"), format!("{number}:{minute}"))
        });
        said.filter(|(_, time)| !["2:10", "4:05"].contains(&time.as_str())).collect()
    }

    #[test]
    fn texts_are_cut_and_answers_written_as_in_training() {
        let model = Learner::new().learn(&times());
        let answer = |text: &str| model.answer(text).map(|answer| answer.text);
        assert_eq!(answer("ten  past\ttwo").as_deref(), Some("2:10"));
        assert_eq!(answer("five past four").as_deref(), Some("4:05"));
        let stored = crate::checkpoint::from_bytes(&crate::checkpoint::to_bytes(&model)).unwrap();
        assert_eq!(stored.answer("five past four").map(|answer| answer.text).as_deref(), Some("4:05"));
        assert_eq!([answer(""), answer(" \t")], [None, None]);
    }

    #[test]
    fn an_observer_that_asks_to_stop_is_asked_often_and_obeyed() {
        struct Patient(Cell<u32>);
        impl Observer for Patient {
            fn on(&mut self, _: &Event<'_>) {}
            fn stop(&self) -> bool {
                self.0.set(self.0.get().saturating_sub(1));
                self.0.get() == 0
            }
        }
        let mut observer = Patient(Cell::new(2));
        let model = Learner::new().observer(&mut observer).learn(&times());
        assert!(observer.0.get() == 0 && !model.finished);
        assert_eq!(model.answer("half past one").map(|answer| answer.text).as_deref(), Some("1:30"));
    }
}
