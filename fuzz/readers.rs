//! Every reader of pairs.

use crate::target::Target;
use nsr::data::{ReadOptions, read};
use nsr::model::Settings;
use nsr::report;
use std::fs;
use std::path::Path;

const COMMANDS: &str = "IN: walk twice OUT: WALK WALK\nIN: run OUT: RUN\n";

/// One for each ending of a file.
pub fn targets() -> Vec<Target> {
    let reader = |name, files| Target { name, files, read: read_data, one_in: 8 };
    let text = |name, text: &str| (name, text.as_bytes().to_vec());
    vec![
        reader("txt", vec![text("a.txt", COMMANDS)]),
        reader(
            "tsv",
            vec![
                text("a.tsv", "walk\tWALK\nf(x)\t{\"a\": 'b'}\n"),
                text("a.tsv", "id\texpr\tres\teval\n1\t(1+2)\t3\tSS\n"),
            ],
        ),
        reader(
            "jsonl",
            vec![text(
                "a.jsonl",
                "{\"input\": \"a b\", \"output\": [1, \"x\"], \"eval\": \"s\"}\n{\"input\": [\"a\"], \"output\": 3}\n",
            )],
        ),
        reader("src", vec![text("a.src", "walk twice\nrun\n"), text("a.en", "i am\nhe is\n")]),
        reader("gz", vec![("a.txt.gz", gzip(COMMANDS.as_bytes()))]),
    ]
}

fn read_data(path: &Path, bytes: &[u8]) -> Option<()> {
    fs::write(path, bytes).ok()?;
    for (ending, partner) in [("src", "tgt"), ("en", "fr")] {
        if path.extension().is_some_and(|own| own == ending) {
            fs::write(path.with_extension(partner), b"WALK WALK\nRUN\n").ok()?;
        }
    }
    let data = read(path, &ReadOptions::default()).ok()?;
    report::checkup(&data);
    Settings::of(&data, 0);
    Some(())
}

fn gzip(text: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let written = encoder.write_all(text);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}
