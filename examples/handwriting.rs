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
use nsr::data::picture::{MAX_SIDE, Picture, Preprocess, half_blocks};
use std::error::Error;
use std::path::{Path, PathBuf};

/// The shade between the pictures of a sheet.
const FRAME: u8 = 64;
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

/// Square pictures in rows of `columns`, with thin lines between them; as many rows as fit into a picture.
fn sheet<'a>(pictures: impl IntoIterator<Item = &'a [u8]>, side: u32, columns: u32) -> Picture {
    let cell = side + 1;
    let columns = columns.clamp(1, (MAX_SIDE - 1) / cell);
    let rows = (MAX_SIDE - 1) / cell;
    let pictures: Vec<&[u8]> = pictures.into_iter().take((rows * columns) as usize).collect();
    let used = (pictures.len() as u32).div_ceil(columns).max(1);
    let (width, height) = (columns * cell + 1, used * cell + 1);
    let mut pixels = vec![FRAME; (width * height) as usize];
    for (number, picture) in (0..).zip(pictures) {
        let (left, top) = (number % columns * cell + 1, number / columns * cell + 1);
        for (row, line) in (top..).zip(picture.chunks_exact(side as usize)) {
            let start = (row * width + left) as usize;
            pixels[start..start + line.len()].copy_from_slice(line);
        }
    }
    Picture::new(width, height, pixels.into())
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
