//! A tree for the terminal: a line per word or construction, below its head, with program and value in columns. The letter on
//! a branch is the argument that it is for the program above.

use super::{argument, program};
use crate::text::{self, Paint, pad, shorten_tokens};
use nsr::report::{Explanation, shorten};

/// Programs are cut to this width.
const PROGRAM: usize = 44;
/// Trees are drawn to this depth; what is below is only counted.
const DEPTH: usize = 24;

struct Row {
    branches: String,
    word: String,
    program: String,
    value: String,
}

/// Draws `explanation`.
pub fn draw(explanation: &Explanation, paint: Paint) -> String {
    let rows = rows(explanation);
    let width = |part: fn(&Row) -> usize| rows.iter().map(part).max().unwrap_or(0);
    let words = width(|row| row.branches.chars().count() + row.word.chars().count());
    let programs = width(|row| row.program.chars().count());
    let room = text::width().saturating_sub(words + programs + 6).max(20);
    let mut picture = String::new();
    for row in &rows {
        let word = pad(&row.word, words - row.branches.chars().count());
        picture.push_str(&format!(
            "{}{}   {}   {}",
            paint.dim(&row.branches),
            paint.bold(&word),
            paint.program(&pad(&row.program, programs)),
            shorten_tokens(&row.value, room)
        ));
        picture.truncate(picture.trim_end().len());
        picture.push('\n');
    }
    picture
}

/// The rows from the root down, each after its head. Not recursive: a sentence may be as deep as it is long.
fn rows(explanation: &Explanation) -> Vec<Row> {
    let children = explanation.children();
    let mut rows = Vec::new();
    // Places still to be drawn, with what stands before them and before their children.
    let mut open = vec![(explanation.root(), String::new(), String::new(), 0)];
    while let Some((place, branches, below, depth)) = open.pop() {
        let node = &explanation.nodes[place];
        rows.push(Row {
            branches,
            word: node.word.clone(),
            program: shorten(program(node), PROGRAM).into_owned(),
            value: node.value.clone().unwrap_or_default(),
        });
        let children = &children[place];
        if depth == DEPTH && !children.is_empty() {
            rows.push(elided(&below));
            continue;
        }
        for (number, &child) in children.iter().enumerate().rev() {
            let is_last = number + 1 == children.len();
            let (corner, line) = if is_last { ('└', ' ') } else { ('├', '│') };
            let branches = format!("{below}{corner}─{} ", argument(&explanation.nodes[child]));
            open.push((child, branches, format!("{below}{line}   "), depth + 1));
        }
    }
    rows
}

fn elided(below: &str) -> Row {
    let (program, value) = (String::new(), String::new());
    Row { branches: format!("{below}└─ "), word: "…".to_owned(), program, value }
}
