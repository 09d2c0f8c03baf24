//! Something that reads files, and how it is tried.

use crate::alter::alter;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Something that reads files.
pub struct Target {
    pub name: &'static str,
    /// Sound files, with the names that they must have.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// Reads a file and uses what it holds; `Some` if it was taken for sound.
    pub read: fn(&Path, &[u8]) -> Option<()>,
    /// One in so many of the inputs of a run are tried: what it does takes longer.
    pub one_in: u64,
}

impl Target {
    /// Tries altered files; says how it went, and how many panics there were.
    pub fn run(&self, inputs: u64, seed: u64) -> u64 {
        let Ok(folder) = tempfile::tempdir() else { return 1 };
        let (mut sound, mut panics, mut slowest) = (0, 0, Duration::ZERO);
        let inputs = inputs.div_ceil(self.one_in);
        for number in 0..inputs {
            let mut rng = ChaCha8Rng::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let (name, file) = &self.files[rng.random_range(0..self.files.len())];
            let other = &self.files[rng.random_range(0..self.files.len())].1;
            let bytes = alter(file, other, &mut rng);
            let path = folder.path().join(name);
            let start = Instant::now();
            match catch_unwind(AssertUnwindSafe(|| (self.read)(&path, &bytes))) {
                Ok(taken) => sound += u64::from(taken.is_some()),
                Err(_) => {
                    panics += 1;
                    self.keep(seed, number, &bytes);
                }
            }
            slowest = slowest.max(start.elapsed());
        }
        println!("{:>10} {inputs:>10} {sound:>9} {panics:>7} {:>7.2} s", self.name, slowest.as_secs_f64());
        panics
    }

    /// Keeps an input that made something panic.
    fn keep(&self, seed: u64, number: u64, bytes: &[u8]) {
        let path = std::env::temp_dir().join(format!("nsr-{}-{seed}-{number}", self.name));
        let kept = fs::write(&path, bytes);
        println!(
            "{}: seed {seed}, input {number} panics; kept: {} ({})",
            self.name,
            path.display(),
            kept.is_ok()
        );
    }
}
