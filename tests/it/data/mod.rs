//! Readers, generators and built-in tasks, through the public API.
//!
//! Tests against the published files run where `NSR_DATA` names the data folder, and otherwise say they did not.

mod generators;
mod pictures;
mod published;
mod readers;

use flate2::{Compression, write::GzEncoder};
use nsr::data::{self, Dataset, Example, ReadOptions, Tokens, tasks};
use std::{collections::BTreeMap, fs, io::Write, path::PathBuf};
use tempfile::TempDir;

/// A scratch folder holding the given files; those named `.gz` are compressed.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match name.ends_with(".gz") {
            true => fs::write(path, gzip(content)).unwrap(),
            false => fs::write(path, content).unwrap(),
        }
    }
    folder
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn chars() -> ReadOptions {
    ReadOptions { tokens: Some(Tokens::Chars), ..Default::default() }
}

/// An example as `input => output`, with ` [subset]` where it has one.
fn show(data: &Dataset, example: &Example) -> String {
    let subset =
        example.subset.map_or(String::new(), |subset| format!(" [{}]", data.subsets[usize::from(subset)]));
    format!("{} => {}{subset}", data.input_text(example), data.output_text(example))
}

fn show_all(data: &Dataset) -> Vec<String> {
    data.examples.iter().map(|example| show(data, example)).collect()
}

/// How often each example occurs.
fn multiset(data: &Dataset) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for example in show_all(data) {
        *counts.entry(example).or_default() += 1;
    }
    counts
}

/// Those with a generator.
fn generated_tasks() -> impl Iterator<Item = &'static data::Task> {
    tasks().filter(|task| {
        !["mt/", "cogs/", "geoquery", "regex", "everyday/"].iter().any(|prefix| task.name.starts_with(prefix))
    })
}

fn published(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("NSR_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("{test}: not run, because NSR_DATA does not name the data folder");
    }
    folder
}
