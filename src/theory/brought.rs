//! What brings what, by expectation maximisation over pairs (model 1 of Brown et al. 1993): each thing of the second kind is brought by one of the first.

use crate::settings::ROUNDS;
use crate::stop::Stop;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// How probable it is that one thing brings another, of those that are in one pair; as far as that was known when learning was to stop.
pub fn brought<A: Copy + Eq + Hash, B: Clone + Eq + Hash>(
    pairs: &[(Vec<A>, Vec<B>)],
    stop: Stop<'_>,
) -> FxHashMap<(A, B), f64> {
    let mut brought: FxHashMap<(A, B), f64> = FxHashMap::default();
    for round in 0..ROUNDS {
        if stop() {
            break;
        }
        let mut counts: FxHashMap<(A, B), f64> = FxHashMap::default();
        let mut totals: FxHashMap<A, f64> = FxHashMap::default();
        for (firsts, seconds) in pairs {
            for second in seconds {
                // All are as probable before anything was counted.
                let share = |first: &A| if round == 0 { 1.0 } else { brought[&(*first, second.clone())] };
                let shares: Vec<f64> = firsts.iter().map(share).collect();
                let all = shares.iter().sum::<f64>().max(f64::MIN_POSITIVE);
                for (first, share) in firsts.iter().zip(shares) {
                    *counts.entry((*first, second.clone())).or_default() += share / all;
                    *totals.entry(*first).or_default() += share / all;
                }
            }
        }
        let share = |((first, second), count): ((A, B), f64)| {
            let share = count / totals[&first].max(f64::MIN_POSITIVE);
            ((first, second), share)
        };
        brought = counts.into_iter().map(share).collect();
    }
    brought
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_without_another_is_brought_by_itself() {
        let pairs =
            [(vec!['i', 'h'], vec!['J', 'H']), (vec!['i', 't'], vec!['J', 'T']), (vec!['h'], vec!['H'])];
        let brought = brought(&pairs, Stop::never());
        assert!(brought[&('h', 'H')] > 0.99 && brought[&('i', 'J')] > 0.9 && brought[&('t', 'T')] > 0.8);
    }
}
