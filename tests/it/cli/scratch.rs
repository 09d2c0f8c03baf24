//! A scratch folder with data to learn from, and the binary run in it.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

/// Enough of SCAN to learn `twice`, `thrice` and `and`, in well under a second.
pub const PAIRS: &str = "\
IN: walk OUT: WALK
IN: run OUT: RUN
IN: jump OUT: JUMP
IN: look OUT: LOOK
IN: walk twice OUT: WALK WALK
IN: run twice OUT: RUN RUN
IN: look twice OUT: LOOK LOOK
IN: walk thrice OUT: WALK WALK WALK
IN: run thrice OUT: RUN RUN RUN
IN: look thrice OUT: LOOK LOOK LOOK
IN: walk and run OUT: WALK RUN
IN: run and look OUT: RUN LOOK
IN: look and walk OUT: LOOK WALK
IN: walk twice and run OUT: WALK WALK RUN
IN: look and run thrice OUT: LOOK RUN RUN RUN
";

pub const TEST: &str = "\
IN: jump twice OUT: JUMP JUMP
IN: jump and walk twice OUT: JUMP WALK WALK
IN: jump hop OUT: JUMP
";

pub struct Scratch(TempDir);

impl Scratch {
    /// A folder with `pairs.txt`, to learn from, and `test.txt`.
    pub fn new() -> Scratch {
        let scratch = Scratch(tempfile::tempdir().unwrap());
        scratch.write("pairs.txt", PAIRS);
        scratch.write("test.txt", TEST);
        scratch
    }

    /// The same with a trained model, `m.nsr`.
    pub fn trained() -> Scratch {
        static MODEL: LazyLock<Vec<u8>> = LazyLock::new(|| {
            let scratch = Scratch::new();
            scratch.run(&["train", "pairs.txt", "--out", "m.nsr"]).succeeds();
            fs::read(scratch.path("m.nsr")).unwrap()
        });
        let scratch = Scratch::new();
        scratch.write("m.nsr", &*MODEL);
        scratch
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn start(&self, args: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_nsr"))
            .args(args)
            .current_dir(self.0.path())
            .env_remove("NSR_DATA")
            .env_remove("COLUMNS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, b"")
    }

    pub fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.start(args);
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // Written beside, as the program may answer before it has read everything.
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().unwrap();
        let _ = writer.join().unwrap();
        Ran::new(output)
    }
}

#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn new(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    #[track_caller]
    pub fn succeeds(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// Exit code 2, nothing on standard output, and one line of words.
    #[track_caller]
    pub fn fails_with(self, line: &str) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.err, format!("nsr: {line}\n"));
        assert_eq!(self.out, "");
    }

    /// The same, where the line depends on the system or holds a number.
    #[track_caller]
    pub fn fails_mentioning(self, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(self.err.starts_with("nsr: ") && self.err.lines().count() == 1, "{self:?}");
        assert!(parts.iter().all(|part| self.err.contains(part)), "{self:?}");
    }

    /// Success with exactly one JSON object.
    #[track_caller]
    pub fn json(self) -> Value {
        let out = self.succeeds();
        assert_eq!(out.lines().count(), 1, "{out}");
        let value: Value = serde_json::from_str(&out).unwrap();
        assert!(value.is_object());
        value
    }
}
