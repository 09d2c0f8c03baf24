//! The arithmetic of the scorer's network, written so that the compiler vectorises it.
//!
//! Sizes are known at compile time and sums are kept in several lanes: floating-point addition may not be
//! reordered by the compiler, so the order here is the order that runs, on any number of threads.

/// Size of an embedding.
pub const EMBEDDING: usize = 50;
/// Size of the hidden layer.
pub const HIDDEN: usize = 200;

pub(super) type Embedding = [f32; EMBEDDING];
pub(super) type Hidden = [f32; HIDDEN];

/// Products summed per pass over the output: enough to hide its loads and stores behind arithmetic.
const BLOCK: usize = 5;
/// Lanes of a dot product. Twenty were no faster.
const LANES: usize = 8;

/// `out += row`.
pub(super) fn add(out: &mut Hidden, row: &Hidden) {
    for (out, x) in out.iter_mut().zip(row) {
        *out += x;
    }
}

/// `out += scale * row`.
pub(super) fn add_scaled(out: &mut Hidden, scale: f32, row: &Hidden) {
    for (out, x) in out.iter_mut().zip(row) {
        *out += scale * x;
    }
}

/// `out += Σ scales[i] * rows[i]`.
pub(super) fn add_products(out: &mut Hidden, scales: &[f32], rows: &[Hidden]) {
    let (blocks, rest) = rows.as_chunks::<BLOCK>();
    let (scale_blocks, scale_rest) = scales.as_chunks::<BLOCK>();
    for (scales, [a, b, c, d, e]) in scale_blocks.iter().zip(blocks) {
        for i in 0..HIDDEN {
            let left = scales[0] * a[i] + scales[1] * b[i];
            let right = scales[2] * c[i] + scales[3] * d[i];
            out[i] += (left + right) + scales[4] * e[i];
        }
    }
    for (&scale, row) in scale_rest.iter().zip(rest) {
        add_scaled(out, scale, row);
    }
}

/// `Σ a[i] * b[i]`.
pub(super) fn dot(a: &Hidden, b: &Hidden) -> f32 {
    let mut lanes = [0.0; LANES];
    let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// Rows of the hidden layer's width.
pub(super) fn rows(flat: &[f32]) -> &[Hidden] {
    flat.as_chunks().0
}

/// Rows of the hidden layer's width, to change.
pub(super) fn rows_mut(flat: &mut [f32]) -> &mut [Hidden] {
    flat.as_chunks_mut().0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_lanes_leave_nothing_out() {
        let ramp: Hidden = std::array::from_fn(|place| place as f32);
        assert_eq!(dot(&ramp, &[1.0; HIDDEN]), (HIDDEN * (HIDDEN - 1) / 2) as f32);
        for count in [0, 1, 4, 5, 7, 50] {
            let mut out = [1.0; HIDDEN];
            let scales: Vec<f32> = (0..count).map(|row| row as f32).collect();
            add_products(&mut out, &scales, &vec![ramp; count]);
            let total: f32 = scales.iter().sum();
            assert!(out.iter().enumerate().all(|(place, &x)| x == 1.0 + total * place as f32));
        }
    }
}
