//! Pictures of trees.

pub mod dot;
pub mod reliability;
pub mod svg;
pub mod terminal;

use nsr::report::{Node, argument_name};
use std::borrow::Cow;

/// The name of the argument that a node is of its head.
fn argument(node: &Node) -> Cow<'static, str> {
    match (node.head, node.argument) {
        (None, _) => Cow::Borrowed(""),
        (_, None) => Cow::Borrowed("·"),
        (_, Some(number)) => argument_name(number),
    }
}

/// What a node computes, or why it does not.
fn program(node: &Node) -> &str {
    node.program.as_deref().or(node.problem.as_deref()).unwrap_or("")
}
