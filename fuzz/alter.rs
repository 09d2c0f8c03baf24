//! What often goes wrong with a file.

use rand::{Rng, RngExt};

/// `file` altered in one to eight places, by what often goes wrong.
pub fn alter(file: &[u8], other: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    const ODD: [&[u8]; 12] = [
        &[0],
        &[0xff],
        &[0x7f],
        &[0x80],
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
        &[0x80, 0x80, 0x80, 0x80, 0x10],
        b"\n",
        b"\t",
        b"(",
        b"\"",
        b"99999999999999999999",
        b"[",
    ];
    let mut bytes = file.to_vec();
    for _ in 0..1 << rng.random_range(0..4) {
        if bytes.is_empty() {
            break;
        }
        let place = rng.random_range(0..bytes.len());
        let end = (place + rng.random_range(1..=16)).min(bytes.len());
        match rng.random_range(0..8) {
            0 => bytes[place] ^= 1 << rng.random_range(0..8),
            1 => bytes[place] = rng.random(),
            2 => bytes[place] = bytes[place].wrapping_add(if rng.random() { 1 } else { 255 }),
            3 => drop(bytes.drain(place..end)),
            4 => drop(bytes.splice(place..place, ODD[rng.random_range(0..ODD.len())].iter().copied())),
            5 => {
                let run = bytes[place..end].to_vec();
                bytes.splice(place..place, run);
            }
            6 if !other.is_empty() => {
                let from = rng.random_range(0..other.len());
                let run = other[from..(from + 32).min(other.len())].to_vec();
                bytes.splice(place..end, run);
            }
            7 if rng.random_range(0..8) == 0 => bytes.truncate(place),
            _ => bytes[place] = ODD[rng.random_range(0..4)][0],
        }
    }
    bytes
}
