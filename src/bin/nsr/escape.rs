//! Text for people: control characters in tokens are shown, not obeyed.
//!
//! A token may be anything that a file holds, such as a sequence that clears the screen, or a sign that turns the order of
//! letters round. What `predict` and `--json` print is for programs and stays as it is.

use std::borrow::Cow;
use std::io::{self, Write};

/// Colours, the only sequences that we send to a terminal; a token could do no more with them than be coloured.
const OURS: [&str; 4] = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[36m"];

/// `text` with its control characters as `\u{1b}`.
pub fn escape(text: &str) -> Cow<'_, str> {
    match text.chars().any(is_control) {
        true => text.chars().map(shown).collect::<String>().into(),
        false => text.into(),
    }
}

fn shown(letter: char) -> String {
    if is_control(letter) { letter.escape_unicode().to_string() } else { letter.to_string() }
}

/// Whether a terminal would do something else than show it; marks of direction and line ends that are none count.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Says a line on standard error. Should nobody be listening, there is nothing to be done about it.
pub fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{}", escape(line));
}

/// Standard output, for people or for programs.
pub struct Page<W> {
    out: W,
    is_for_people: bool,
    is_coloured: bool,
}

impl<W: Write> Page<W> {
    /// Shows control characters if it is for people; `is_coloured`: but for our colours.
    pub fn new(out: W, is_for_people: bool, is_coloured: bool) -> Page<W> {
        Page { out, is_for_people, is_coloured }
    }

    fn write_shown(&mut self, mut text: &str) -> io::Result<()> {
        while let Some(place) = text.find(|letter| letter != '\n' && is_control(letter)) {
            let (before, rest) = text.split_at(place);
            self.out.write_all(before.as_bytes())?;
            let ours = OURS.iter().find(|ours| self.is_coloured && rest.starts_with(**ours));
            let length =
                ours.map_or_else(|| rest.chars().next().map_or(0, char::len_utf8), |ours| ours.len());
            let (control, after) = rest.split_at(length);
            match ours {
                Some(ours) => self.out.write_all(ours.as_bytes())?,
                None => self.out.write_all(escape(control).as_bytes())?,
            }
            text = after;
        }
        self.out.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for Page<W> {
    /// Takes all of it: what is formatted comes in whole characters.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.is_for_people {
            true => self.write_shown(&String::from_utf8_lossy(bytes))?,
            false => self.out.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, [people, coloured, programs]: [&str; 3]) {
        let write = |people, coloured| {
            let mut bytes = Vec::new();
            Page::new(&mut bytes, people, coloured).write_all(text.as_bytes()).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(
            [write(true, false), write(true, true), write(false, false)],
            [people, coloured, programs]
        );
    }

    #[test]
    fn control_characters_are_shown() {
        check("a\tb\n", ["a\\u{9}b\n", "a\\u{9}b\n", "a\tb\n"]);
        let clear = "\x1b[1mé\x1b[0m \x1b[2J\u{9b}2J\u{202e}x";
        let shown = "é\x1b[0m \\u{1b}[2J\\u{9b}2J\\u{202e}x";
        check(
            clear,
            [&format!("\\u{{1b}}[1m{}", shown.replace('\x1b', "\\u{1b}")), &format!("\x1b[1m{shown}"), clear],
        );
        assert_eq!(escape("a\nb"), "a\\u{a}b");
    }
}
