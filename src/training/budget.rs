//! Learning for about so long: an observer that asks to stop in time.
//!
//! What is learned then depends on the machine: a faster one comes further. After it was asked to stop, training still
//! makes a model of what it has; a share of the time is kept for that.

use super::{Event, Observer};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The share of the time after which training is asked to stop.
const LEARNING: f64 = 0.8;

/// Tells how much time has passed. An [`Instant`] is one; tests bring their own.
pub trait Clock: Send {
    /// The time since it was started.
    fn elapsed(&self) -> Duration;
}

impl Clock for Instant {
    fn elapsed(&self) -> Duration {
        Instant::elapsed(self)
    }
}

/// Passes everything on to another observer, and stops when the time is over.
///
/// ```
/// use nsr::data::Dataset;
/// use nsr::training::{Budget, train};
/// use std::time::{Duration, Instant};
///
/// let data = Dataset::from_pairs("tiny", &[("walk", "WALK"), ("walk twice", "WALK WALK")]);
/// let mut nobody = ();
/// let mut budget = Budget::new(&mut nobody, Instant::now(), Duration::from_secs(60));
/// let model = train(&data, 0, &mut budget);
/// assert_eq!(model.finished, !budget.ended());
/// ```
pub struct Budget<'a, C> {
    observer: &'a mut dyn Observer,
    clock: C,
    limit: Duration,
    ended: Cell<bool>,
}

impl<'a, C: Clock> Budget<'a, C> {
    /// Learning takes about `limit` by `clock`, at most.
    pub fn new(observer: &'a mut dyn Observer, clock: C, limit: Duration) -> Budget<'a, C> {
        Budget { observer, clock, limit: limit.mul_f64(LEARNING), ended: Cell::new(false) }
    }

    /// Whether it was the time that ended training.
    pub fn ended(&self) -> bool {
        self.ended.get()
    }
}

impl<C: Clock> Observer for Budget<'_, C> {
    fn on(&mut self, event: &Event<'_>) {
        self.observer.on(event);
    }

    fn stop(&self) -> bool {
        if self.observer.stop() {
            return true;
        }
        // Once asked for, a stop is not taken back, whatever the clock says.
        self.ended.set(self.ended.get() || self.clock.elapsed() >= self.limit);
        self.ended.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;
    use crate::training::{resume, train};

    /// A second passes whenever someone looks at it.
    struct Ticking(Cell<u64>);

    impl Clock for Ticking {
        fn elapsed(&self) -> Duration {
            self.0.set(self.0.get() + 1);
            Duration::from_secs(self.0.get())
        }
    }

    fn data() -> Dataset {
        Dataset::from_pairs(
            "few",
            &[
                ("walk", "WALK"),
                ("run", "RUN"),
                ("walk twice", "WALK WALK"),
                ("run twice", "RUN RUN"),
                ("look", "LOOK"),
            ],
        )
    }

    #[test]
    fn time_ends_training_with_a_model_that_can_go_on() {
        let mut nobody = ();
        let mut budget = Budget::new(&mut nobody, Ticking(Cell::new(0)), Duration::from_secs(3));
        let model = train(&data(), 0, &mut budget);
        assert!(budget.ended() && !model.finished);
        assert!(crate::checkpoint::from_bytes(&crate::checkpoint::to_bytes(&model)).is_ok());
        assert_eq!(resume(model, &data(), &mut ()), train(&data(), 0, &mut ()));
    }

    #[test]
    fn time_that_suffices_changes_nothing() {
        let mut nobody = ();
        let mut budget = Budget::new(&mut nobody, Ticking(Cell::new(0)), Duration::from_secs(1_000_000));
        assert_eq!(train(&data(), 0, &mut budget), train(&data(), 0, &mut ()));
        assert!(!budget.ended());
    }

    #[test]
    fn a_stop_that_was_asked_for_stays() {
        struct Back(Cell<u64>);
        impl Clock for Back {
            fn elapsed(&self) -> Duration {
                Duration::from_secs(self.0.replace(0))
            }
        }
        let mut nobody = ();
        let budget = Budget::new(&mut nobody, Back(Cell::new(20)), Duration::from_secs(10));
        assert!(budget.stop() && budget.stop());
    }
}
