//! Groups of points that lie close together (k-means).

use crate::stop::Stop;
use rand::{Rng, RngExt};
use rayon::prelude::*;

/// Grouping begins so often; the closest groups are kept.
const STARTS: usize = 3;
/// Centres move at most so often.
const MOVES: usize = 30;

/// The group of each point, a number below `groups`. `points` are rows of `width` numbers. After a stop centres do not move.
pub(crate) fn cluster(
    points: &[f32],
    width: usize,
    groups: usize,
    rng: &mut impl Rng,
    stop: Stop<'_>,
) -> Vec<usize> {
    let points: Vec<&[f32]> = points.chunks_exact(width).collect();
    if points.is_empty() || groups == 0 {
        return vec![0; points.len()];
    }
    let starts = (0..STARTS).map(|_| settle(&points, first_centres(&points, groups, rng), stop));
    let best = starts.min_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, of)| of).unwrap_or_default()
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Points drawn with a probability that grows with the square of their distance from those already drawn (Arthur
/// & Vassilvitskii 2007).
fn first_centres(points: &[&[f32]], groups: usize, rng: &mut impl Rng) -> Vec<Vec<f32>> {
    let mut centres = vec![points[rng.random_range(0..points.len())].to_vec()];
    let mut nearest = vec![f32::INFINITY; points.len()];
    while centres.len() < groups {
        let latest = &centres[centres.len() - 1];
        nearest
            .par_iter_mut()
            .zip(points)
            .for_each(|(near, point)| *near = near.min(distance(point, latest)));
        let total: f64 = nearest.iter().map(|&near| f64::from(near)).sum();
        let mut left = rng.random_range(0.0..1.0) * total;
        let drawn = nearest.iter().position(|&near| {
            left -= f64::from(near);
            left <= 0.0
        });
        centres.push(points[drawn.unwrap_or(0)].to_vec());
    }
    centres
}

/// Moves centres to the middle of their points until they stay; gives the sum of distances and the groups.
fn settle(points: &[&[f32]], mut centres: Vec<Vec<f32>>, stop: Stop<'_>) -> (f64, Vec<usize>) {
    let mut of: Vec<(usize, f32)> = Vec::new();
    for _ in 0..MOVES {
        let latest = points.par_iter().map(|point| nearest(point, &centres)).collect();
        let is_last = of == latest || stop();
        of = latest;
        if is_last {
            break;
        }
        move_centres(points, &of, &mut centres);
    }
    let total = of.iter().map(|&(_, far)| f64::from(far)).sum();
    (total, of.into_iter().map(|(group, _)| group).collect())
}

fn nearest(point: &[f32], centres: &[Vec<f32>]) -> (usize, f32) {
    let mut best = (0, f32::INFINITY);
    for (number, centre) in centres.iter().enumerate() {
        let far = distance(point, centre);
        if far < best.1 {
            best = (number, far);
        }
    }
    best
}

fn move_centres(points: &[&[f32]], of: &[(usize, f32)], centres: &mut [Vec<f32>]) {
    let mut counts = vec![0usize; centres.len()];
    of.iter().for_each(|&(group, _)| counts[group] += 1);
    for (centre, _) in centres.iter_mut().zip(&counts).filter(|(_, count)| **count > 0) {
        centre.fill(0.0);
    }
    for (point, &(group, _)) in points.iter().zip(of) {
        let share = 1.0 / counts[group] as f32;
        centres[group].iter_mut().zip(*point).for_each(|(sum, value)| *sum += share * value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn points_that_lie_together_are_grouped() {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let middle = [[0.0f32, 0.0], [5.0, 0.0], [0.0, 5.0]];
        let points: Vec<f32> = (0..90)
            .flat_map(|number| middle[number % 3].map(|place| place + ((number * 7) % 10) as f32 / 10.0))
            .collect();
        let of = cluster(&points, 2, 3, &mut rng, Stop::never());
        assert!((0..90).all(|number| of[number] == of[number % 3]));
        assert!(of[0] != of[1] && of[1] != of[2] && of[0] != of[2]);
        assert_eq!(cluster(&points[..2], 2, 4, &mut rng, Stop::never()).len(), 1);
        assert_eq!(cluster(&[], 2, 4, &mut rng, Stop::never()), Vec::<usize>::new());
    }
}
