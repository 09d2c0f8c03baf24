//! Nearest neighbours: the points that lie in the most similar direction.

use ndarray::{ArrayView2, linalg::general_mat_mul};
use rayon::prelude::*;

/// So many points are compared with all others at a time.
const PORTION: usize = 64;

/// The `count` nearest other points of each point, the nearest first, in one row each; fewer if there are not so many.
/// `points` are rows of `width` numbers of length 1.
pub fn nearest(points: &[f32], width: usize, count: usize) -> Vec<Vec<u32>> {
    let all = points.len() / width;
    let Ok(table) = ArrayView2::from_shape((all, width), points) else { return Vec::new() };
    let portion = |(number, rows): (usize, &[f32])| {
        let rows = ArrayView2::from_shape((rows.len() / width, width), rows).expect("sizes fit");
        let mut alike = ndarray::Array2::zeros((rows.nrows(), all));
        general_mat_mul(1.0, &rows, &table.t(), 0.0, &mut alike);
        let points = alike.rows().into_iter().enumerate();
        points.map(|(row, alike)| best(&alike.to_vec(), number * PORTION + row, count)).collect::<Vec<_>>()
    };
    points.par_chunks(PORTION * width).enumerate().flat_map_iter(portion).collect()
}

/// The most similar points but the point itself; of equals the first.
fn best(alike: &[f32], itself: usize, count: usize) -> Vec<u32> {
    let order = |a: &u32, b: &u32| alike[*b as usize].total_cmp(&alike[*a as usize]).then(a.cmp(b));
    let mut others: Vec<u32> = (0..alike.len() as u32).filter(|&other| other as usize != itself).collect();
    if count < others.len() {
        others.select_nth_unstable_by(count, order);
        others.truncate(count);
    }
    others.sort_unstable_by(order);
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_those_of_the_most_similar_direction() {
        let angles = [0.0f32, 0.1, 0.3, 2.0, 2.1];
        let points: Vec<f32> = angles.iter().flat_map(|angle| [angle.cos(), angle.sin()]).collect();
        assert_eq!(nearest(&points, 2, 2), [[1, 2], [0, 2], [1, 0], [4, 2], [3, 2]]);
        assert_eq!(nearest(&points[..4], 2, 3), [[1], [0]]);
    }
}
