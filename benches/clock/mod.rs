//! The time that something takes, for people.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Something is done again and again for about so long.
const TIME: Duration = Duration::from_secs(2);

/// Does something again and again and prints how long it takes at best, and how many `items` a second that makes.
pub fn measure<T>(name: &str, items: usize, mut work: impl FnMut() -> T) {
    let start = Instant::now();
    let mut best = Duration::MAX;
    while start.elapsed() < TIME || best == Duration::MAX {
        let start = Instant::now();
        black_box(work());
        best = best.min(start.elapsed());
    }
    println!("{name:>16} {best:>12.3?} {:>12.0} a second", items as f64 / best.as_secs_f64());
}
