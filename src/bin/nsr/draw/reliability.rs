//! How far probabilities can be trusted, as an SVG picture: the share of right answers over their probability.

use nsr::evaluate::Calibration;
use std::fmt::Write;

const SIDE: f64 = 320.0;
const MARGIN: f64 = 48.0;

const STYLE: &str = "text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#222;text-anchor:middle}\
.ideal{stroke:#b0b5c3;stroke-dasharray:4 4}.frame{fill:none;stroke:#c4c8d4}circle{fill:#06708a;fill-opacity:.75}";

/// Draws a calibration. The larger a dot, the more answers have about its probability.
pub fn draw(calibration: &Calibration) -> String {
    let all = SIDE + 2.0 * MARGIN;
    let (x, y) = (|share: f64| MARGIN + SIDE * share, |share: f64| MARGIN + SIDE * (1.0 - share));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"{all}\" viewBox=\"0 0 {all} {all}\">\n\
         <title>calibration error {:.3}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"frame\" x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{SIDE}\" height=\"{SIDE}\"/>\n\
         <line class=\"ideal\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
        calibration.error,
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0)
    );
    let answers: usize = calibration.bins.iter().map(|bin| bin.answers).sum();
    for bin in calibration.bins.iter().filter(|bin| bin.answers > 0) {
        let share = bin.answers as f64 / answers as f64;
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\"><title>{} answers, probability {:.3}, right {:.3}</title></circle>",
            x(bin.probability),
            y(bin.right),
            3.0 + 15.0 * share.sqrt(),
            bin.answers,
            bin.probability,
            bin.right
        );
    }
    for share in [0.0, 0.5, 1.0] {
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{share}</text>", x(share), y(0.0) + 18.0);
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{share}</text>", x(0.0) - 18.0, y(share) + 4.0);
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\">probability of the answer</text>",
        x(0.5),
        y(0.0) + 36.0
    );
    let _ =
        writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">share of right answers</text>", x(0.5), y(1.0) - 14.0);
    svg.push_str("</svg>\n");
    svg
}
