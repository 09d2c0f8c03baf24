//! A tree for Graphviz.

use super::{argument, program};
use crate::text::shorten_tokens;
use nsr::report::{Explanation, shorten};
use std::fmt::Write;

/// Draws `explanation`.
pub fn draw(explanation: &Explanation) -> String {
    let mut text =
        String::from("digraph tree {\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n");
    for (place, node) in explanation.nodes.iter().enumerate() {
        let value = shorten_tokens(node.value.as_deref().unwrap_or(""), 40);
        let program = shorten(program(node), 48);
        let label = [&node.word, &*program, &value].map(escape).join("\\n");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  n{place} [label=\"{label}\"];");
        if let Some(head) = node.head {
            let _ = writeln!(text, "  n{head} -> n{place} [label=\"{}\"];", argument(node));
        }
    }
    text.push_str("}\n");
    text
}

fn escape(text: &str) -> String {
    // Graphviz reads entities, too.
    crate::escape::escape(text).replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;")
}
