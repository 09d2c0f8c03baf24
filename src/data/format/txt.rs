//! `.txt`: SCAN's format, `IN: walk twice OUT: I_WALK I_WALK`.

use super::{Builder, Lines, push, quoted};
use crate::error::Result;
use std::path::Path;

const EXPECTED: &str = "`IN: ... OUT: ...`";

/// Reads the file at `path` into `builder`.
pub(super) fn read(path: &Path, builder: &mut Builder) -> Result<()> {
    let mut lines = Lines::open(path, "a file of `IN: ... OUT: ...` lines")?;
    while lines.next_filled(EXPECTED)? {
        let line = lines.line();
        let (input, output) = pair(line).ok_or_else(|| lines.error(EXPECTED, quoted(line)))?;
        push(builder, &lines, (input, output, None))?;
    }
    Ok(())
}

/// Input and output of a line. Both marks are words of their own; the first `OUT:` counts.
fn pair(line: &str) -> Option<(&str, &str)> {
    let body = line.trim_ascii_start().strip_prefix("IN:")?;
    let blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let bytes = body.as_bytes();
    if !blank(bytes.first()) {
        return None;
    }
    let (place, mark) = body.match_indices("OUT:").find(|&(place, mark)| {
        place > 0 && blank(bytes.get(place - 1)) && blank(bytes.get(place + mark.len()))
    })?;
    Some((&body[..place], &body[place + mark.len()..]))
}

#[cfg(test)]
mod tests {
    use super::pair;

    #[test]
    fn marks_are_words() {
        for (line, expected) in [
            ("IN: a b OUT: C", Some((" a b ", " C"))),
            ("IN: a\tOUT: C", Some((" a\t", " C"))),
            ("IN: a OUT:", Some((" a ", ""))),
            ("IN: OUT: C", Some((" ", " C"))),
            ("IN: xOUT: OUT:y OUT: C", Some((" xOUT: OUT:y ", " C"))),
            ("IN: a", None),
            ("IN:a OUT: C", None),
            ("a OUT: C", None),
        ] {
            assert_eq!(pair(line), expected, "{line}");
        }
    }
}
