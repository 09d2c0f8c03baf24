//! Shows handwriting: a sheet of pictures as a PNG file, or one row of the symbols in the terminal.
//!
//! ```text
//! cargo run --release --example handwriting
//! cargo run --release --example handwriting -- sheet.png
//! ```
//!
//! The published pictures are shown if the environment variable `NSR_DATA` names the folder that holds them;
//! otherwise they are drawn.
// An example is there to print.
#![allow(clippy::print_stdout)]

use nsr::data::handwriting::{Handwriting, SYMBOLS, Writers, load};
use nsr::data::picture::{Preprocess, half_blocks, sheet};
use std::error::Error;
use std::path::{Path, PathBuf};

/// How many pictures of each symbol a sheet has.
const COLUMNS: usize = 24;

/// The first `count` pictures of each symbol.
fn some(handwriting: &Handwriting, count: usize) -> Vec<&[u8]> {
    let pictures = &handwriting.pictures;
    let of = |symbol: usize| {
        let shows = move |&number: &u32| handwriting.labels.truth(number) == Some(symbol);
        (0..pictures.len() as u32).filter(shows).filter_map(|number| pictures.get(number)).take(count)
    };
    (0..SYMBOLS.len()).flat_map(of).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::var_os("NSR_DATA").map(PathBuf::from);
    let handwriting = load(Writers::Train, folder.as_deref(), 0, &Preprocess::default())?;
    let side = handwriting.pictures.side();
    match std::env::args().nth(1) {
        Some(path) => sheet(some(&handwriting, COLUMNS), side, COLUMNS as u32).write_png(Path::new(&path))?,
        None => some(&handwriting, 1).iter().for_each(|picture| println!("{}", half_blocks(picture, side))),
    }
    Ok(())
}
