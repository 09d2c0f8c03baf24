//! Learning what pictures are like without any label: two pictures of a pair are to be alike, and unlike all others
//! (Chen et al. 2020, "A simple framework for contrastive learning of visual representations").
//!
//! A pair is two changed copies of one picture, or of a picture and one of its nearest neighbours. The loss of a
//! picture with the direction u of its scores, whose partner has the direction v, is
//! -u v / t + ln sum exp(u w / t) over all other directions w of the batch.

use super::conv::{matrix, multiply};
use super::{Lesson, Taught, softmax};

/// How sharply pictures are told apart (t above).
const TEMPERATURE: f32 = 0.2;

/// Two pictures that are alike.
impl Taught for (u32, u32) {
    const PICTURES: usize = 2;

    fn pictures(self) -> impl Iterator<Item = u32> {
        [self.0, self.1].into_iter()
    }

    fn lesson(self) -> Option<Lesson> {
        None
    }

    fn compare(_: &[(u32, u32)], scores: &mut [f32], symbols: usize) -> f32 {
        contrast(scores, symbols)
    }
}

/// The mean loss of rows of scores, of which each two are a pair; `scores` become its gradient.
pub(super) fn contrast(scores: &mut [f32], width: usize) -> f32 {
    let (directions, lengths) = directions(scores, width);
    let count = lengths.len();
    let mut slopes = vec![0.0; count * count];
    let rows = matrix(count, width, &directions);
    multiply(rows, rows.reversed_axes(), 0.0, &mut slopes);
    let mut loss = 0.0;
    for (number, row) in slopes.chunks_exact_mut(count).enumerate() {
        row.iter_mut().for_each(|value| *value /= TEMPERATURE);
        // A picture is not compared with itself.
        row[number] = f32::NEG_INFINITY;
        softmax(row);
        let partner = number ^ 1;
        loss -= row[partner].max(f32::MIN_POSITIVE).ln();
        row[partner] -= 1.0;
    }
    let mut slope = vec![0.0; scores.len()];
    // Each product of two directions is in the rows of both.
    multiply(matrix(count, count, &slopes), rows, 0.0, &mut slope);
    multiply(matrix(count, count, &slopes).reversed_axes(), rows, 1.0, &mut slope);
    let share = 1.0 / (TEMPERATURE * count as f32);
    slope.iter_mut().for_each(|value| *value *= share);
    through_directions(&slope, &directions, &lengths, scores);
    loss / count as f32
}

/// Rows brought to length 1, and their lengths before.
fn directions(scores: &[f32], width: usize) -> (Vec<f32>, Vec<f32>) {
    let length = |row: &[f32]| row.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-6);
    let lengths: Vec<f32> = scores.chunks_exact(width).map(length).collect();
    let rows = scores.chunks_exact(width).zip(&lengths);
    (rows.flat_map(|(row, length)| row.iter().map(move |value| value / length)).collect(), lengths)
}

/// The gradient before [`directions`], given that after it: what lies along a direction does not change it.
fn through_directions(slope: &[f32], directions: &[f32], lengths: &[f32], out: &mut [f32]) {
    let width = out.len() / lengths.len().max(1);
    let rows = slope.chunks_exact(width).zip(directions.chunks_exact(width)).zip(lengths);
    for (out, ((slope, direction), length)) in out.chunks_exact_mut(width).zip(rows) {
        let along: f32 = slope.iter().zip(direction).map(|(slope, direction)| slope * direction).sum();
        for ((out, slope), direction) in out.iter_mut().zip(slope).zip(direction) {
            *out = (slope - along * direction) / length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The loss as its definition says, in double precision.
    fn loss(scores: &[f32], width: usize) -> f64 {
        let rows: Vec<Vec<f64>> = scores
            .chunks_exact(width)
            .map(|row| {
                let length = row.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt();
                row.iter().map(|&value| f64::from(value) / length).collect()
            })
            .collect();
        let alike = |a: usize, b: usize| {
            let product: f64 = rows[a].iter().zip(&rows[b]).map(|(a, b)| a * b).sum();
            product / f64::from(TEMPERATURE)
        };
        let each = (0..rows.len()).map(|a| {
            let others = (0..rows.len()).filter(|&b| b != a);
            others.map(|b| alike(a, b).exp()).sum::<f64>().ln() - alike(a, a ^ 1)
        });
        each.sum::<f64>() / rows.len() as f64
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let scores: Vec<f32> = (0..8 * 5).map(|_| rng.random_range(-1.0..1.0)).collect();
        let mut gradient = scores.clone();
        let found = contrast(&mut gradient, 5);
        assert!((f64::from(found) - loss(&scores, 5)).abs() < 1e-5);
        for place in 0..scores.len() {
            let changed = |by: f32| {
                let mut scores = scores.clone();
                scores[place] += by;
                loss(&scores, 5)
            };
            let slope = (changed(1e-3) - changed(-1e-3)) / 2e-3;
            let exact = f64::from(gradient[place]);
            assert!((slope - exact).abs() < 1e-4 + 1e-3 * exact.abs(), "{place}: {slope} {exact}");
        }
    }
}
