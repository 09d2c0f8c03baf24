//! Pictures of trees.

pub mod dot;
pub mod svg;
pub mod terminal;

use nsr::report::Node;

/// The name of the argument that a node is of its head.
fn argument(node: &Node) -> &'static str {
    match (node.head, node.argument) {
        (None, _) => "",
        (_, None) => "·",
        (_, Some(number)) => ["x", "y", "z", "w"].get(usize::from(number)).copied().unwrap_or("…"),
    }
}

/// What a node computes, or why it does not.
fn program(node: &Node) -> &str {
    node.program.as_deref().or(node.problem.as_deref()).unwrap_or("")
}
