//! One step of the Adam optimiser (Kingma & Ba 2015).

const DECAY_FIRST: f32 = 0.9;
const DECAY_SECOND: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Moves weights against their gradient; `first` and `second` are the running means of the gradient and its
/// square. `rate` already has the [`correction`]; `decay` is the share of the weights that is taken away.
pub(crate) fn step(
    weights: &mut [f32],
    gradient: &[f32],
    first: &mut [f32],
    second: &mut [f32],
    rate: f32,
    decay: f32,
) {
    let moments = first.iter_mut().zip(second);
    for ((weight, gradient), (first, second)) in weights.iter_mut().zip(gradient).zip(moments) {
        *first += (1.0 - DECAY_FIRST) * (gradient - *first);
        *second += (1.0 - DECAY_SECOND) * (gradient * gradient - *second);
        *weight -= rate * *first / (second.sqrt() + EPSILON) + decay * *weight;
    }
}

/// The correction of the rate for the bias of young means.
pub(crate) fn correction(steps: i32) -> f32 {
    (1.0 - DECAY_SECOND.powi(steps)).sqrt() / (1.0 - DECAY_FIRST.powi(steps))
}
