//! Small helpers for what people read: numbers, columns, colours.

use std::io::IsTerminal;
use std::time::Duration;

/// A whole number with commas: 16,990.
pub fn thousands(number: usize) -> String {
    indicatif::HumanCount(number as u64).to_string()
}

/// A share in percent with two digits; 100 only if it is exactly that.
pub fn percent(share: f64) -> String {
    let text = format!("{:.2}", 100.0 * share);
    match share < 1.0 && text == "100.00" {
        true => "99.99".to_owned(),
        false => text,
    }
}

/// Seconds with one digit.
pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// `1 word`, `2 words`, `2 classes`.
pub fn count(number: usize, thing: &str) -> String {
    let ending = if thing.ends_with('s') { "es" } else { "s" };
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{} {thing}{ending}", thousands(number)),
    }
}

/// `text` filled up with blanks to `width` characters.
pub fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.chars().count())))
}

/// A list of tokens in at most `most` characters: those left out are counted.
pub fn shorten_tokens(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let total = text.split(' ').count();
    if total < 2 {
        return nsr::report::shorten(text, most).into_owned();
    }
    let ending = format!(" … ({total})");
    let room = most.saturating_sub(ending.chars().count());
    let mut kept = String::new();
    for token in text.split(' ') {
        if kept.chars().count() + 1 + token.chars().count() > room && !kept.is_empty() {
            break;
        }
        kept.push_str(if kept.is_empty() { "" } else { " " });
        kept.push_str(token);
    }
    format!("{kept}{ending}")
}

/// How wide a line may be.
pub fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.unwrap_or(100usize).clamp(60, 200)
}

/// Colours, where standard output is a terminal that wants them.
#[derive(Clone, Copy)]
pub struct Paint(bool);

impl Paint {
    /// Colours for standard output.
    pub fn stdout() -> Paint {
        Paint(std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none())
    }

    /// Whether there are colours.
    pub fn is_on(self) -> bool {
        self.0
    }

    /// For headings and words.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// For what matters less.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// For programs.
    pub fn program(self, text: &str) -> String {
        self.paint("36", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        match self.0 {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(16_990), "16,990");
        assert_eq!(thousands(1_000_000), "1,000,000");
        assert_eq!(percent(1.0), "100.00");
        assert_eq!(percent(0.999_999), "99.99");
    }

    #[test]
    fn long_token_lists_are_counted() {
        assert_eq!(shorten_tokens("A B", 10), "A B");
        assert_eq!(shorten_tokens("AA BB CC DD EE FF", 13), "AA BB … (6)");
        assert_eq!(shorten_tokens("AAAAAAAAAAAAAAAAAAAA", 5), "AAAA…");
    }
}
