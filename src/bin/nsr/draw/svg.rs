//! A tree as an SVG picture: words stand in the order of the input, heads above what they take.

use super::{argument, program};
use crate::text::shorten_tokens;
use nsr::report::{Explanation, Node, shorten};
use std::fmt::Write;

/// The width of a character of the monospaced font, and the height of a line.
const CHAR: usize = 8;
const LINE: usize = 18;
const PAD: usize = 10;
const BOX_HEIGHT: usize = 3 * LINE + PAD;
const LEVEL: usize = BOX_HEIGHT + 46;
const MARGIN: usize = 16;

const STYLE: &str = "text{font:13px ui-monospace,Menlo,Consolas,monospace;text-anchor:middle;fill:#222}\
.word{font-weight:700}.program{fill:#06708a}.value{fill:#555}.argument{fill:#999;font-size:12px}\
rect{fill:#fbfbfd;stroke:#c4c8d4}.root rect{stroke:#06708a;stroke-width:2}.missing rect{stroke:#c0392b}\
path{fill:none;stroke:#b0b5c3}";

/// Where a node's box is: its middle and its top.
struct Place {
    x: usize,
    y: usize,
    width: usize,
}

/// The side of a picture.
const PICTURE: usize = 48;

/// Draws `explanation`. `pictures` are those of its words, as PNG files, where the input is a row of them.
pub fn draw(explanation: &Explanation, pictures: &[Vec<u8>]) -> String {
    let lines: Vec<[String; 3]> = explanation.nodes.iter().map(lines).collect();
    let places = layout(explanation, &lines);
    let deepest = places.iter().map(|place| place.y + BOX_HEIGHT).max().unwrap_or(0);
    // Pictures stand below the tree, in the order of the row.
    let below = if pictures.is_empty() { 0 } else { PAD + PICTURE + LINE };
    let right = places.iter().map(|place| place.x + place.width / 2).max().unwrap_or(0);
    let right = right.max(MARGIN + pictures.len() * (PICTURE + PAD));
    let (width, height) = (right + MARGIN, deepest + below + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n<style>{STYLE}</style>\n",
        escape(&shorten(&explanation.input, 200))
    );
    for (node, place) in explanation.nodes.iter().zip(&places) {
        if let Some(head) = node.head {
            arc(&mut svg, &places[head as usize], place, &argument(node));
        }
    }
    for ((node, place), lines) in explanation.nodes.iter().zip(&places).zip(&lines) {
        boxed(&mut svg, node, place, lines);
    }
    for (number, (picture, seen)) in pictures.iter().zip(&explanation.seen).enumerate() {
        let x = MARGIN + PICTURE / 2 + number * (PICTURE + PAD);
        shown(&mut svg, picture, x, deepest + PAD, seen.probability);
    }
    svg.push_str("</svg>\n");
    svg
}

fn lines(node: &Node) -> [String; 3] {
    let value = shorten_tokens(node.value.as_deref().unwrap_or(""), 30);
    [node.word.clone(), shorten(program(node), 40).into_owned(), value]
}

/// A column for each word, as wide as its box; a row for each depth.
fn layout(explanation: &Explanation, lines: &[[String; 3]]) -> Vec<Place> {
    let depths = depths(explanation);
    let mut left = MARGIN;
    let mut places = Vec::with_capacity(lines.len());
    for (lines, depth) in lines.iter().zip(depths) {
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let width = longest * CHAR + 2 * PAD;
        places.push(Place { x: left + width / 2, y: MARGIN + depth * LEVEL, width });
        left += width + PAD;
    }
    places
}

fn depths(explanation: &Explanation) -> Vec<usize> {
    let children = explanation.children();
    let mut depths = vec![0; explanation.nodes.len()];
    let mut open = vec![explanation.root()];
    while let Some(place) = open.pop() {
        for &child in &children[place] {
            depths[child] = depths[place] + 1;
            open.push(child);
        }
    }
    depths
}

fn arc(svg: &mut String, head: &Place, child: &Place, label: &str) {
    let (top, bottom) = (head.y + BOX_HEIGHT, child.y);
    let middle = (top + bottom) / 2;
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<path d=\"M{} {top}C{} {middle} {} {middle} {} {bottom}\"/>\
         <text class=\"argument\" x=\"{}\" y=\"{}\">{label}</text>",
        head.x,
        head.x,
        child.x,
        child.x,
        child.x + CHAR,
        bottom - 6
    );
}

fn boxed(svg: &mut String, node: &Node, place: &Place, lines: &[String; 3]) {
    let class = match (node.head, &node.problem) {
        (_, Some(_)) => "missing",
        (None, None) => "root",
        (Some(_), None) => "node",
    };
    let (left, top) = (place.x - place.width / 2, place.y);
    let _ = write!(
        svg,
        "<g class=\"{class}\"><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{BOX_HEIGHT}\" rx=\"7\"/>",
        place.width
    );
    for (number, (line, class)) in lines.iter().zip(["word", "program", "value"]).enumerate() {
        let (x, y) = (place.x, top + (number + 1) * LINE);
        let _ = write!(svg, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escape(line));
    }
    svg.push_str("</g>\n");
}

/// A picture, and how sure it is that it shows its word.
fn shown(svg: &mut String, picture: &[u8], x: usize, top: usize, probability: f64) {
    let _ = writeln!(
        svg,
        "<image x=\"{}\" y=\"{top}\" width=\"{PICTURE}\" height=\"{PICTURE}\" \
         href=\"data:image/png;base64,{}\"/><text class=\"value\" x=\"{x}\" y=\"{}\">{:.1} %</text>",
        x - PICTURE / 2,
        base64(picture),
        top + PICTURE + LINE - 4,
        100.0 * probability
    );
}

/// Three bytes as four letters (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |number: usize| three.get(number).map_or(0, |&byte| u32::from(byte));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for letter in 0..4 {
            let known = letter <= three.len();
            text.push(if known { LETTERS[(bits >> (18 - 6 * letter) & 63) as usize] as char } else { '=' });
        }
    }
    text
}

fn escape(text: &str) -> String {
    let text = crate::escape::escape(text);
    // Unicode has two characters that no XML file may hold.
    let text = text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_are_written_in_letters() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }
}
