//! Ctrl-C: once asks training to stop, twice quits; where nothing could be lost, once quits.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static TIMES: AtomicUsize = AtomicUsize::new(0);
static IS_SAFE: AtomicBool = AtomicBool::new(false);

/// What a shell expects of a program ended by Ctrl-C.
const QUIT: i32 = 130;

/// Takes over Ctrl-C for the rest of the run.
pub fn listen() -> anyhow::Result<()> {
    // Called once, or again by a bench: the first handler stays.
    match ctrlc::set_handler(on_signal) {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn on_signal() {
    match TIMES.fetch_add(1, Ordering::SeqCst) {
        0 if !IS_SAFE.load(Ordering::SeqCst) => {
            // A line of its own, below what the terminal shows of Ctrl-C.
            let _ = writeln!(io::stderr(), "\nnsr: stopping after this step; once more quits at once");
        }
        _ => std::process::exit(QUIT),
    }
}

/// From now on nothing is lost by quitting.
pub fn quit_at_once() {
    IS_SAFE.store(true, Ordering::SeqCst);
}

/// Whether training was asked to stop.
pub fn asked() -> bool {
    TIMES.load(Ordering::SeqCst) > 0
}
