//! How fast pictures are drawn, read and brought to one size, on one core.

use divan::Bencher;
use divan::counter::ItemsCount;
use nsr::data::handwriting::{Writers, pen};
use nsr::data::picture::{Picture, Pictures, Preprocess, write_idx};
use std::sync::LazyLock;

/// Drawn symbols of 45x45 pixels.
static DRAWN: LazyLock<Vec<Picture>> = LazyLock::new(|| pen::draw(Writers::Validation, 0).0);

fn main() {
    LazyLock::force(&DRAWN);
    divan::main();
}

#[divan::bench]
fn draw(bencher: Bencher) {
    bencher.counter(ItemsCount::new(DRAWN.len())).bench_local(|| pen::draw(Writers::Validation, 0));
}

#[divan::bench]
fn prepare(bencher: Bencher) {
    let preprocess = Preprocess::default();
    bencher.counter(ItemsCount::new(DRAWN.len())).bench_local(|| Pictures::prepare(&*DRAWN, &preprocess));
}

/// With preparing.
#[divan::bench]
fn read_idx(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pictures.idx");
    write_idx(&path, &DRAWN).unwrap();
    bencher
        .counter(ItemsCount::new(DRAWN.len()))
        .bench_local(|| Pictures::read(&path, &Preprocess::default()).unwrap());
}

/// With preparing.
#[divan::bench]
fn read_png(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    for (number, picture) in DRAWN.iter().enumerate() {
        picture.write_png(&folder.path().join(format!("{number}.png"))).unwrap();
    }
    bencher
        .counter(ItemsCount::new(DRAWN.len()))
        .bench_local(|| Pictures::read(folder.path(), &Preprocess::default()).unwrap());
}
