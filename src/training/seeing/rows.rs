//! Which rows are learned from.

use crate::data::{ImageDataset, ImageExample};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Rows of at most so many pictures are short: symbols and meanings are found in them.
const SHORT: usize = 9;
/// At most so many short rows of each length.
const SHORT_ROWS: usize = 20_000;
/// At most so many longer rows of each length.
const LONG_ROWS: usize = 2_000;
/// Longer rows are not learned from.
pub const LONGEST: usize = 40;

/// Rows of one picture are too few to begin with if they name a smaller share of the pictures of all short rows.
const ENOUGH: f64 = 0.01;

/// Some rows of each length, in random order.
pub(super) struct Rows<'a> {
    by_length: BTreeMap<usize, Vec<&'a ImageExample>>,
}

/// The output as text.
pub(super) fn output_text(data: &ImageDataset, row: &ImageExample) -> String {
    row.output.iter().map(|&token| data.outputs.name(token)).collect::<Vec<_>>().join(" ")
}

impl<'a> Rows<'a> {
    pub fn choose(data: &'a ImageDataset, seed: u64) -> Rows<'a> {
        let mut by_length: BTreeMap<usize, Vec<&ImageExample>> = BTreeMap::new();
        for row in data.examples.iter().filter(|row| row.input.len() <= LONGEST) {
            by_length.entry(row.input.len()).or_default().push(row);
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for (&length, rows) in &mut by_length {
            let most = if length <= SHORT { SHORT_ROWS } else { LONG_ROWS };
            let (chosen, _) = rows.partial_shuffle(&mut rng, most);
            *rows = chosen.to_vec();
        }
        Rows { by_length }
    }

    pub fn of_length(&self, length: usize) -> impl Iterator<Item = &'a ImageExample> + '_ {
        self.by_length.get(&length).into_iter().flatten().copied()
    }

    pub fn of_lengths(&self, lengths: RangeInclusive<usize>) -> impl Iterator<Item = &'a ImageExample> + '_ {
        self.by_length.range(lengths).flat_map(|(_, rows)| rows.iter().copied())
    }

    pub fn all(&self) -> impl Iterator<Item = &'a ImageExample> + '_ {
        self.of_lengths(1..=LONGEST)
    }

    /// The rows in which symbols are found: the short ones, or the shortest.
    pub fn short(&self) -> impl Iterator<Item = &'a ImageExample> + '_ {
        let shortest = self.by_length.keys().next().copied().unwrap_or(0);
        self.of_lengths(1..=SHORT.max(shortest))
    }

    /// How many pictures short rows have at most.
    pub fn short_reach(&self) -> usize {
        self.stages().last().map_or(1, |lengths| *lengths.end())
    }

    /// Whether rows of one picture tell of enough pictures what they show.
    pub fn name_enough(&self) -> bool {
        let pictures = |lengths| {
            let all = self.of_lengths(lengths).flat_map(|row| row.input.iter());
            all.collect::<BTreeSet<_>>().len() as f64
        };
        let named = pictures(1..=1);
        named > 0.0 && named >= ENOUGH * pictures(1..=SHORT)
    }

    /// The lengths in which new symbols are looked for, one stage after the other: the shortest that has more than
    /// one picture, then the other short ones.
    pub fn stages(&self) -> Vec<RangeInclusive<usize>> {
        let longer: Vec<usize> = self.by_length.keys().copied().filter(|&length| length > 1).collect();
        let first = longer.first().map(|&length| length..=length);
        let second = longer.get(1).map(|&length| length..=SHORT.max(length));
        first.into_iter().chain(second).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;
    use crate::data::picture::{Picture, Pictures, Preprocess};

    fn data(rows: &[&str]) -> ImageDataset {
        let pairs: Vec<(&str, &str)> = rows.iter().map(|&row| (row, "A")).collect();
        let pictures =
            Pictures::prepare(&[Picture::black(4, 4), Picture::black(4, 4)], &Preprocess::default());
        ImageDataset::new(&Dataset::from_pairs("", &pairs), pictures.unwrap()).unwrap()
    }

    #[test]
    fn symbols_are_found_in_the_shortest_rows_where_none_is_short() {
        let data = data(&["0 1 0 1 0 1 0 1 0 1 0 1", "1 0 1 0 1 0 1 0 1 0 1 0 1"]);
        let rows = Rows::choose(&data, 0);
        assert!(!rows.name_enough());
        assert_eq!(rows.short().map(|row| row.input.len()).collect::<Vec<_>>(), [12]);
    }

    #[test]
    fn one_row_of_one_picture_names_enough_of_two_pictures() {
        let data = data(&["0", "0 1"]);
        assert!(Rows::choose(&data, 0).name_enough());
    }
}
