//! How fast pictures are drawn, read and brought to one size, on one core.

#![allow(clippy::print_stdout)]

mod clock;

use clock::measure;
use nsr::data::handwriting::{Writers, pen};
use nsr::data::picture::{Pictures, Preprocess, write_idx};

fn main() {
    // Drawn symbols of 45x45 pixels.
    let drawn = pen::draw(Writers::Validation, 0).0;
    let preprocess = Preprocess::default();
    measure("draw", drawn.len(), || pen::draw(Writers::Validation, 0));
    measure("prepare", drawn.len(), || Pictures::prepare(&drawn, &preprocess));
    // Both with preparing.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pictures.idx");
    write_idx(&path, &drawn).unwrap();
    measure("read IDX", drawn.len(), || Pictures::read(&path, &preprocess).unwrap());
    let folder = tempfile::tempdir().unwrap();
    for (number, picture) in drawn.iter().enumerate() {
        picture.write_png(&folder.path().join(format!("{number}.png"))).unwrap();
    }
    measure("read PNG", drawn.len(), || Pictures::read(folder.path(), &preprocess).unwrap());
}
