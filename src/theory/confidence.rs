//! How sure an answer is, learned from answers to examples held out.
//!
//! The share of an answer in all that the trees of its input say would be its probability, if one of them had to be right and each were a witness of its own.
//! Often none is right, and trees with a mistake in common are one witness. So the odds that an answer is right are taken to be a power of the odds of its share,
//! times a number (Platt 1999). Both are fitted to answers to examples held out, and kept if they tell in fewer bits which of these are right.

use serde::{Deserialize, Serialize};

/// An answer to an example held out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Its share in all that trees say.
    pub share: f64,
    /// Whether it is right.
    pub is_right: bool,
}

/// From shares to probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    power: f64,
    /// The logarithm of the odds where a share is one half.
    even: f64,
}

/// Shares are what they are.
const PLAIN: Confidence = Confidence { power: 1.0, even: 0.0 };
/// Shares nearer to all than this are taken for it: how many more trees say the same tells nothing of whether they have a mistake in common.
const MOST: f64 = 1.0 - 1e-3;
/// Smaller ones are taken for this one, which has a logarithm.
const LEAST: f64 = 1e-12;
/// Steps of Newton's method for each number.
const STEPS: usize = 100;

impl Confidence {
    /// What tells best which of these answers are right; `None` where shares tell it as well.
    pub fn learn(judged: &[Judged]) -> Option<Confidence> {
        let mut fitted = PLAIN;
        for _ in 0..STEPS {
            fitted = fitted.improved(judged);
        }
        // Each of two numbers takes half as many bits as there are digits in how many answers tell it.
        let price = (judged.len().max(1) as f64).log2();
        let pays = fitted.bits(judged) + price < PLAIN.bits(judged);
        pays.then_some(fitted)
    }

    /// The probability that an answer with this share is right.
    pub fn of(&self, share: f64) -> f64 {
        1.0 / (1.0 + (-self.power * log_odds(share) - self.even).exp())
    }

    /// Makes shares of results, the largest first, probabilities. What the first of them loses is for what no tree says; what it gains,
    /// the others lose.
    pub fn weigh<'a>(&self, shares: impl IntoIterator<Item = &'a mut f64>) {
        let mut shares = shares.into_iter();
        let Some(first) = shares.next() else { return };
        let (before, now) = (*first, self.of(*first));
        *first = now;
        let times = f64::min(now / before, (1.0 - now) / (1.0 - before));
        shares.for_each(|share| *share *= if times.is_finite() { times } else { 0.0 });
    }

    /// Whether larger shares are more probable.
    pub fn is_sound(&self) -> bool {
        self.power.is_finite() && self.even.is_finite() && self.power >= 0.0
    }

    /// What it costs to tell which answers are right.
    fn bits(&self, judged: &[Judged]) -> f64 {
        let bits = |answer: &Judged| {
            let right = self.of(answer.share);
            -if answer.is_right { right } else { 1.0 - right }.log2()
        };
        judged.iter().map(bits).sum()
    }

    /// A step of Newton's method for each of the numbers. Both are normal around what leaves shares as they are, so that few answers change little.
    fn improved(self, judged: &[Judged]) -> Confidence {
        let by = |now: Confidence, before: f64, weight: fn(f64) -> f64| {
            let (mut slope, mut bend) = (before, 1.0);
            for &Judged { share, is_right } in judged {
                let (right, weight) = (now.of(share), weight(log_odds(share)));
                slope += weight * (right - f64::from(u8::from(is_right)));
                bend += weight * weight * right * (1.0 - right);
            }
            (slope / bend).clamp(-1.0, 1.0)
        };
        // Larger shares are never less probable.
        let power = f64::max(0.0, self.power - by(self, self.power - PLAIN.power, |odds| odds));
        let now = Confidence { power, ..self };
        Confidence { even: now.even - by(now, now.even - PLAIN.even, |_| 1.0), ..now }
    }
}

fn log_odds(share: f64) -> f64 {
    let share = share.clamp(LEAST, MOST);
    (share / (1.0 - share)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers with shares from 1 to 99 percent, ten of each, so many of which are right as this says.
    fn judged(right: impl Fn(f64) -> f64) -> Vec<Judged> {
        let shares = (1..100).map(|percent| f64::from(percent) / 100.0);
        let answers = shares.flat_map(|share| (0..10).map(move |number| (share, number)));
        let judge =
            |(share, number)| Judged { share, is_right: f64::from(number) + 0.5 < 10.0 * right(share) };
        answers.map(judge).collect()
    }

    #[test]
    fn shares_that_are_right_so_often_stay() {
        assert_eq!(Confidence::learn(&judged(|share| share)), None);
        assert_eq!(Confidence::learn(&[]), None);
        // All are right, and said to be.
        let sure = [Judged { share: 1.0, is_right: true }; 1000];
        assert_eq!(Confidence::learn(&sure), None);
    }

    #[test]
    fn shares_that_say_too_much_are_mended() {
        for off in [0.1, 0.3] {
            let confidence = Confidence::learn(&judged(|share| off * share)).unwrap();
            for share in [0.3, 0.6, 0.9] {
                let probability = confidence.of(share);
                assert!((probability - off * share).abs() < 0.05, "{off} {share} {probability}");
            }
        }
        // However few are right, larger shares are not less probable.
        let none = Confidence::learn(&judged(|_| 0.0)).unwrap();
        assert!(none.is_sound() && none.of(0.99) < 0.05);
        let none = Confidence::learn(&judged(|share| 1.0 - share)).unwrap();
        assert!((none.of(0.1) - 0.5).abs() < 0.01 && (none.of(0.9) - 0.5).abs() < 0.01);
    }

    #[test]
    fn probabilities_stay_in_order_and_are_one_at_most() {
        let lists = [vec![0.5, 0.3, 0.2], vec![1.0], vec![1.0, 0.0], vec![0.0, 0.0], vec![0.6, 0.4], vec![]];
        for (power, even) in [(0.3, -2.0), (2.0, 3.0), (0.0, 5.0)] {
            for list in &lists {
                let mut shares = list.clone();
                Confidence { power, even }.weigh(&mut shares);
                assert!(shares.windows(2).all(|pair| pair[0] >= pair[1]), "{shares:?}");
                assert!(shares.iter().sum::<f64>() <= 1.0 + 1e-9, "{shares:?}");
            }
        }
    }
}
