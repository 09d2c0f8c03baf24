//! Tables for a terminal: columns as wide as what is in them.

use crate::text::{Paint, pad};
use std::io::Write;

/// A table with names at the left and cells flush right.
#[derive(Default)]
pub struct Table {
    lines: Vec<(Look, String, Vec<String>)>,
}

#[derive(Clone, Copy)]
enum Look {
    Plain,
    Dim,
    Bold,
}

/// Blanks between columns.
const GAP: usize = 2;

impl Table {
    /// A table with these columns after the one of names.
    pub fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> Table {
        let mut table = Table::default();
        table.push(Look::Dim, "", columns);
        table
    }

    /// Adds a line.
    pub fn line(&mut self, name: &str, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.push(Look::Plain, name, cells);
    }

    /// Adds a line that matters most.
    pub fn bold(&mut self, name: &str, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.push(Look::Bold, name, cells);
    }

    fn push(&mut self, look: Look, name: &str, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.lines.push((look, name.to_owned(), cells.into_iter().map(Into::into).collect()));
    }

    /// Prints it.
    pub fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let paint = Paint::stdout();
        let names = self.lines.iter().map(|(_, name, _)| width(name)).max().unwrap_or(0);
        for (look, name, cells) in &self.lines {
            let cell = |(column, cell): (usize, &String)| {
                format!("{}{cell}", pad("", GAP + self.width(column) - width(cell)))
            };
            let cells: String = cells.iter().enumerate().map(cell).collect();
            let text = format!("  {}{cells}", pad(name, names));
            let text = text.trim_end();
            let text = match look {
                Look::Plain => text.to_owned(),
                Look::Dim => paint.dim(text),
                Look::Bold => paint.bold(text),
            };
            writeln!(out, "{text}")?;
        }
        Ok(())
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.lines.iter().filter_map(|(_, _, cells)| cells.get(column));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let mut table = Table::new(["a", "long one"]);
        table.line("NeSS", ["≈0", "-"]);
        table.bold("nsr", ["100.00 ± 0.00"]);
        let mut out = Vec::new();
        table.print(&mut out).unwrap();
        let wanted =
            "                    a  long one\n  NeSS             ≈0         -\n  nsr   100.00 ± 0.00\n";
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
    }
}
