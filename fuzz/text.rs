//! Theories and programs as people write them.

use crate::target::Target;
use nsr::experience::Experience;
use nsr::symbol::Vocabulary;
use std::fs;
use std::path::Path;

/// Theories as text, and the programs of experience.
pub fn targets() -> Vec<Target> {
    let theories = ["walk _ = [WALK] ++ x", "switch _ off _ = y ++ [OFF (] ++ x ++ [)]"];
    let theories = theories.map(|text| ("t", text.as_bytes().to_vec())).to_vec();
    vec![
        Target { name: "theory", files: theories, read: read_theory, one_in: 1 },
        Target { name: "program", files: vec![("e.json", experience())], read: read_experience, one_in: 8 },
    ]
}

fn read_theory(path: &Path, bytes: &[u8]) -> Option<()> {
    let text = String::from_utf8_lossy(bytes);
    let (mut inputs, mut outputs) = (Vocabulary::default(), Vocabulary::default());
    nsr::report::read_theory(path, &text, &mut inputs, &mut outputs).ok().map(drop)
}

/// The experience that is built in, as a file.
fn experience() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for scratch");
    let path = folder.path().join("e.json");
    Experience::built_in().save(&path).expect("room for a small file");
    fs::read(path).expect("the file just written")
}

fn read_experience(path: &Path, bytes: &[u8]) -> Option<()> {
    fs::write(path, bytes).ok()?;
    Experience::load(path).ok().map(drop)
}
