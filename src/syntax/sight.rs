//! What the parser looks at: of the 18 features only those that matter.
//!
//! In: [`Row`]s of parser states. Out: a [`Sight`], which shows every feature in full, only whether there is
//! a word at all, or not at all. A parser that sees less meets fewer different states, and has met more of
//! them before: so it generalises to sentences that are longer or made otherwise. A feature is given up if the
//! wanted transitions stay a function of the others, but for a share of the rows that may be mistakes.

use super::features::{self, FEATURES, Features, NULL, SPECIAL, UNKNOWN};
use super::learn::Row;
use super::transition::Transition;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// How much of a feature is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// The class of the word.
    #[default]
    Class,
    /// Whether there is a word.
    Presence,
    /// Nothing.
    Nothing,
}

/// How much of each feature is seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    levels: [Level; FEATURES],
}

/// Features are given up in this order: what is far from the top of the stack first.
const ORDER: [usize; FEATURES] = [17, 16, 15, 14, 13, 12, 9, 8, 5, 11, 10, 6, 7, 4, 2, 3, 1, 0];

impl Sight {
    /// The features as they are seen. Which transitions are allowed can still be told from them.
    pub fn of(&self, features: &Features) -> Features {
        let mut seen = *features;
        for (place, (level, id)) in self.levels.iter().zip(&mut seen).enumerate() {
            match level {
                Level::Class => {}
                Level::Nothing if !features::decides(place) => *id = NULL,
                Level::Presence | Level::Nothing => {
                    if *id >= SPECIAL {
                        *id = UNKNOWN;
                    }
                }
            }
        }
        seen
    }

    /// How much is seen of the feature at this place.
    pub fn level(&self, place: usize) -> Level {
        self.levels[place]
    }

    /// The least that must be seen so that all but a share of `rows`, by weight, want the transition that most
    /// of those want that look the same.
    pub fn find(rows: &[Row], share: f64) -> Sight {
        let mut sight = Sight::default();
        let mut rows = sight.show(rows);
        let total: f64 = rows.iter().map(|row| f64::from(row.weight)).sum();
        let most = mistakes(&rows) + share * total + 1e-6;
        for place in ORDER {
            for level in [Level::Nothing, Level::Presence] {
                let mut less = sight.clone();
                less.levels[place] = level;
                let shown = less.show(&rows);
                if mistakes(&shown) <= most {
                    (sight, rows) = (less, shown);
                    break;
                }
            }
        }
        sight
    }

    /// The rows as they are seen; equal ones become one.
    pub fn show(&self, rows: &[Row]) -> Vec<Row> {
        let mut places: FxHashMap<(Features, Transition), usize> = FxHashMap::default();
        let mut shown: Vec<Row> = Vec::new();
        for row in rows {
            let features = self.of(&row.features);
            let place = *places.entry((features, row.transition)).or_insert(shown.len());
            match shown.get_mut(place) {
                Some(known) => known.weight += row.weight,
                None => shown.push(Row { features, ..*row }),
            }
        }
        shown
    }
}

/// The weight of rows that want another transition than most of those with the same features.
fn mistakes(rows: &[Row]) -> f64 {
    let mut wanted: FxHashMap<Features, [f64; 3]> = FxHashMap::default();
    for row in rows {
        wanted.entry(row.features).or_default()[row.transition.index()] += f64::from(row.weight);
    }
    let minority =
        |weights: &[f64; 3]| weights.iter().sum::<f64>() - weights.iter().copied().fold(0.0, f64::max);
    // Whole numbers: their order does not matter.
    wanted.values().map(minority).sum()
}

#[cfg(test)]
mod tests {
    use super::super::oracle::ArcOrder;
    use super::*;

    /// Rows whose transition depends on the first feature and nothing else.
    fn rows(seen_alike: &[(u32, u32, Transition, f32)]) -> Vec<Row> {
        let row = |&(first, other, transition, weight): &(u32, u32, Transition, f32)| {
            let mut features = [NULL; FEATURES];
            (features[0], features[1], features[3], features[9]) = (first, 3, 3, other);
            Row::new(features, transition, ArcOrder::RightFirst, weight)
        };
        seen_alike.iter().map(row).collect()
    }

    #[test]
    fn what_does_not_matter_is_not_seen() {
        let rows = rows(&[
            (3, 3, Transition::Shift, 1.0),
            (3, 4, Transition::Shift, 1.0),
            (4, 3, Transition::LeftArc, 1.0),
            (4, 5, Transition::LeftArc, 1.0),
        ]);
        let sight = Sight::find(&rows, 0.0);
        assert_eq!(sight.level(0), Level::Class);
        assert_eq!(sight.level(9), Level::Nothing);
        assert_eq!(sight.show(&rows).len(), 2);
    }

    #[test]
    fn what_matters_by_its_presence_is_seen_so() {
        let rows = rows(&[
            (3, NULL, Transition::Shift, 1.0),
            (3, 4, Transition::LeftArc, 1.0),
            (3, 5, Transition::LeftArc, 1.0),
        ]);
        let sight = Sight::find(&rows, 0.0);
        assert_eq!((sight.level(0), sight.level(9)), (Level::Nothing, Level::Presence));
    }

    #[test]
    fn some_mistakes_are_passed_over_if_allowed() {
        let rows = rows(&[
            (3, 3, Transition::Shift, 50.0),
            (3, 4, Transition::LeftArc, 1.0),
            (4, 3, Transition::LeftArc, 49.0),
        ]);
        assert_eq!(Sight::find(&rows, 0.0).level(9), Level::Class);
        assert_eq!(Sight::find(&rows, 0.02).level(9), Level::Nothing);
    }
}
