//! The directions of dependence between modules, read off the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From below to above: a module may import those of the lines before its own, and of its own line.
const LAYERS: [&[&str]; 14] = [
    &["error", "parts", "prices", "settings", "spread", "stop", "symbol", "adam", "few", "unseen"],
    &["number", "program"],
    &["value", "data", "perception"],
    // A theory knows the prices of its entries.
    &["theory", "objective"],
    &["syntax"],
    &["chart"],
    // Proposers ask the evidence of examples; learning hands it to them, and ends in knowledge.
    &["propose", "learn", "places", "theory/knowledge"],
    &["values", "experience"],
    &["computed"],
    &["model"],
    &["reading", "readable"],
    &["training"],
    &["checkpoint", "evaluate", "report"],
    &["learner"],
];

/// What points upwards all the same, and why.
const EXCEPTIONS: [(&str, &str); 5] = [
    // What an input is: words, or pictures that may show one or another.
    ("theory", "chart"),
    // What is learned from earlier models, and by training on small tasks.
    ("experience", "model"),
    ("experience", "training"),
    // How far learning to see had come is kept in a model.
    ("model", "training"),
    // Theories are written in tests of the theory's text.
    ("theory", "readable"),
];

#[test]
fn modules_depend_on_those_below_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let layer: BTreeMap<&str, usize> =
        (0..).zip(LAYERS).flat_map(|(layer, names)| names.iter().map(move |&name| (name, layer))).collect();
    let mut wrong = BTreeSet::new();
    for path in sources(&root) {
        let own = module(&path, &root);
        let Some(&own_layer) = layer.get(own.as_str()) else {
            assert!(own == "lib" || own.starts_with("bin"), "{own} is in no layer");
            continue;
        };
        for other in imports(&fs::read_to_string(&path).unwrap()) {
            let is_known = EXCEPTIONS.contains(&(own.as_str(), other.as_str()));
            if layer.get(other.as_str()).is_some_and(|&layer| layer > own_layer) && !is_known {
                wrong.insert(format!("{} imports {other}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_the_binary_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let library = sources(&root).into_iter().filter(|path| !path.starts_with(root.join("bin")));
    for path in library {
        let text = code(&fs::read_to_string(&path).unwrap());
        for call in ["println!(", "eprintln!(", "print!(", "eprint!("] {
            assert!(!text.contains(call), "{} has {call}", path.display());
        }
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(sources(&path)),
            false if path.ends_with("tests.rs") => {}
            false if path.extension().is_some_and(|ending| ending == "rs") => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// The module of a file: its first folder, but what answers by a theory is above what learns one.
fn module(path: &Path, root: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap().with_extension("");
    let parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    name(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn name(parts: &[&str]) -> String {
    match parts {
        ["theory", "knowledge", ..] => "theory/knowledge".to_owned(),
        parts => parts[0].to_owned(),
    }
}

/// A file without its tests and comments.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The modules that a file names.
fn imports(text: &str) -> BTreeSet<String> {
    let code = code(text);
    let paths = code.match_indices("crate::").map(|(at, found)| &code[at + found.len()..]);
    let parts = |path: &str| {
        let end = path.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':'));
        let path = &path[..end.unwrap_or(path.len())];
        name(&path.split("::").collect::<Vec<_>>())
    };
    paths.map(parts).collect()
}
