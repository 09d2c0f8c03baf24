//! Pictures of any size to pictures of one size.
//!
//! The default is what was done to the images of HINT: pad to a square with a margin, scale, cut out the middle.
//! Of a picture of 45x45 pixels the square has 60, is scaled to 40, and its middle of 32 is kept, so that the symbol
//! fills 30 of them. The filter is the triangle, as wide as a scaled pixel (what Pillow calls bilinear).

use super::{Picture, area};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The longest side that pictures can be brought to, and the most they are padded.
const MAX_SCALED: u32 = 1 << 10;
/// The shortest side that text can ask for: less is no picture of anything.
const MIN_SCALED: u32 = 8;
const MAX_PADDING: f32 = 16.0;

/// Which shade is ink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ink {
    /// What differs from the ground, and the ground is the usual shade at the picture's border. It suits black on
    /// white, white on black and grey paper alike.
    #[default]
    Guess,
    /// White on black, as in most IDX files.
    Light,
    /// Black on white.
    Dark,
}

impl Ink {
    const NAMES: [(Ink, &str); 3] = [(Ink::Guess, "guess"), (Ink::Light, "light"), (Ink::Dark, "dark")];
}

/// How pictures are brought to one size. As text, `pad=1.25,scale=40,crop=32,ink=dark`; what is left out is as by default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preprocess {
    /// The side of the padded square for a picture whose longer side is 1. Default: 4/3.
    pub padding: f32,
    /// The side to which the square is scaled. Default: 40.
    pub scaled: u32,
    /// The side of the middle that is kept. Default: 32.
    pub side: u32,
    /// Which shade is ink. Default: what differs from the border.
    pub ink: Ink,
}

impl Default for Preprocess {
    fn default() -> Preprocess {
        Preprocess { padding: 4.0 / 3.0, scaled: 40, side: 32, ink: Ink::Guess }
    }
}

impl Preprocess {
    /// Whether the settings make sense.
    pub(crate) fn check(&self) -> Result<()> {
        let complain = |expected: String, found: String| Err(Error::data("preprocessing", expected, found));
        if !(1.0..=MAX_PADDING).contains(&self.padding) {
            return complain(format!("padding of 1 to {MAX_PADDING}"), self.padding.to_string());
        }
        match [self.scaled, self.side].into_iter().find(|side| !(1..=MAX_SCALED).contains(side)) {
            Some(side) => complain(format!("sides of 1 to {MAX_SCALED}"), side.to_string()),
            None => Ok(()),
        }
    }

    /// `picture` in the wanted size.
    pub fn prepare(&self, picture: &Picture) -> Result<Picture> {
        self.check()?;
        let mut pixels = Vec::with_capacity(area(self.side, self.side));
        self.prepare_into(picture, &mut pixels);
        Ok(Picture::new(self.side, self.side, pixels.into()))
    }

    /// Adds the pixels of `picture` in the wanted size to `pixels`. The settings have been checked.
    pub(super) fn prepare_into(&self, picture: &Picture, pixels: &mut Vec<u8>) {
        let shades = shades(self.ground(picture));
        let (columns, rows) = (self.taps(picture, picture.width), self.taps(picture, picture.height));
        let side = self.side as usize;
        // The padded square is never made: what lies outside the picture is black and adds nothing.
        let mut scaled = Vec::with_capacity(side * picture.height as usize);
        for row in picture.rows() {
            scaled.extend(columns.iter().map(|taps| taps.apply(|place| shades[usize::from(row[place])])));
        }
        for taps in &rows {
            pixels.extend((0..side).map(|column| taps.apply(|row| scaled[row * side + column])));
        }
    }

    /// The shade of the ground.
    fn ground(&self, picture: &Picture) -> u8 {
        match self.ink {
            Ink::Light => 0,
            Ink::Dark => 255,
            Ink::Guess => border_shade(picture),
        }
    }

    /// Of which places of a side of `length` each place of the result is made.
    fn taps(&self, picture: &Picture, length: u32) -> Vec<Taps> {
        let longer = picture.width.max(picture.height);
        let padded = ((longer as f32 * self.padding).round() as u32).max(longer);
        let margin = ((padded - length) / 2) as usize;
        let cut = (f64::from(self.scaled) - f64::from(self.side)) / 2.0;
        let step = f64::from(padded) / f64::from(self.scaled);
        let taps = |place: u32| {
            let centre = (f64::from(place) + cut.round() + 0.5) * step;
            Taps::new(centre, step.max(1.0), padded as usize).within(margin, length as usize)
        };
        (0..self.side).map(taps).collect()
    }
}

impl fmt::Display for Preprocess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Preprocess { padding, scaled, side, ink } = self;
        let ink = Ink::NAMES.iter().find(|(other, _)| other == ink).map_or("", |(_, name)| name);
        write!(f, "pad={padding},scale={scaled},crop={side},ink={ink}")
    }
}

impl FromStr for Preprocess {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Preprocess, String> {
        let mut read = Preprocess::default();
        text.split(',').try_for_each(|part| read.set(part))?;
        let sides = [read.scaled, read.side];
        if let Some(side) = sides.into_iter().find(|side| !(MIN_SCALED..=MAX_SCALED).contains(side)) {
            return Err(format!("expected sides of {MIN_SCALED} to {MAX_SCALED}, found {side}"));
        }
        match (1.0..=MAX_PADDING).contains(&read.padding) {
            true => Ok(read),
            false => Err(format!("expected pad of 1 to {MAX_PADDING}, found {}", read.padding)),
        }
    }
}

impl Preprocess {
    /// Sets one thing, such as `scale=40`.
    fn set(&mut self, part: &str) -> std::result::Result<(), String> {
        let found = || {
            format!(
                "expected pad=, scale= or crop= with a number, or ink=guess, light or dark, found `{part}`"
            )
        };
        let (key, value) = part.split_once('=').ok_or_else(found)?;
        let value = value.trim();
        let side = || value.parse().map_err(|_| found());
        match key.trim() {
            "pad" => self.padding = value.parse().map_err(|_| found())?,
            "scale" => self.scaled = side()?,
            "crop" => self.side = side()?,
            "ink" => {
                self.ink = Ink::NAMES.iter().find(|(_, name)| *name == value).ok_or_else(found)?.0;
            }
            _ => return Err(found()),
        }
        Ok(())
    }
}

/// The middle one of the shades at the border.
fn border_shade(picture: &Picture) -> u8 {
    let last = picture.height as usize - 1;
    let mut counts = [0_usize; 256];
    for (number, row) in picture.rows().enumerate() {
        let step = if number == 0 || number == last { 1 } else { (row.len() - 1).max(1) };
        row.iter().step_by(step).for_each(|&shade| counts[usize::from(shade)] += 1);
    }
    let half = counts.iter().sum::<usize>() / 2;
    let mut below = 0;
    let middle = counts.iter().position(|count| {
        below += count;
        below > half
    });
    middle.unwrap_or(0) as u8
}

/// How much ink each shade is on a ground of shade `ground`: none up to the ground, 255 at the other end.
fn shades(ground: u8) -> [u8; 256] {
    let ground = usize::from(ground);
    std::array::from_fn(|shade| match ground < 128 {
        true => (shade.saturating_sub(ground) * 255 / (255 - ground)) as u8,
        false => (ground.saturating_sub(shade) * 255 / ground) as u8,
    })
}

/// The weights of some neighbouring places.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

impl Taps {
    /// A triangle of half width `reach` around `centre`, on a side of `length`.
    fn new(centre: f64, reach: f64, length: usize) -> Taps {
        let end = |place: f64| (place + 0.5).floor().clamp(0.0, length as f64) as usize;
        let (first, end) = (end(centre - reach), end(centre + reach));
        let weight = |place: usize| (1.0 - ((place as f64 + 0.5 - centre) / reach).abs()).max(0.0);
        let sum: f64 = (first..end).map(weight).sum();
        // Nothing lies under a result that reaches beyond the square.
        let scale = if sum > 0.0 { 1.0 / sum } else { 0.0 };
        Taps { first, weights: (first..end).map(|place| (weight(place) * scale) as f32).collect() }
    }

    /// Those among the `length` places after a margin.
    fn within(mut self, margin: usize, length: usize) -> Taps {
        let skipped = margin.saturating_sub(self.first).min(self.weights.len());
        self.weights.drain(..skipped);
        self.first = (self.first + skipped).saturating_sub(margin);
        self.weights.truncate(length.saturating_sub(self.first));
        self
    }

    fn apply(&self, shade: impl Fn(usize) -> u8) -> u8 {
        let places = self.weights.iter().zip(self.first..);
        let sum: f32 = places.map(|(weight, place)| weight * f32::from(shade(place))).sum();
        sum.round() as u8
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::picture;
    use super::*;
    use proptest::prelude::*;

    /// Neither pads nor cuts.
    fn plain(side: u32) -> Preprocess {
        Preprocess { padding: 1.0, scaled: side, side, ink: Ink::Light }
    }

    #[track_caller]
    fn check(rows: &[&str], preprocess: &Preprocess, expected: &[u8]) {
        assert_eq!(preprocess.prepare(&picture(rows)).unwrap().pixels(), expected);
    }

    #[test]
    fn text_says_how_pictures_are_prepared() {
        let read = |text: &str| text.parse::<Preprocess>();
        let usual = Preprocess::default();
        assert_eq!(read(&usual.to_string()), Ok(usual.clone()));
        let asked = Preprocess { scaled: 20, side: 16, ink: Ink::Dark, ..usual };
        assert_eq!(read("scale=20,crop=16,ink=dark"), Ok(asked.clone()));
        assert_eq!(read(&asked.to_string()), Ok(asked));
        for wrong in ["", "20", "scale", "scale=x", "size=3", "ink=red"] {
            let complaint = read(wrong).unwrap_err();
            assert!(complaint.ends_with(&format!("found `{wrong}`")), "{complaint}");
        }
        assert_eq!(read("crop=7"), Err("expected sides of 8 to 1024, found 7".into()));
        assert_eq!(read("scale=1025"), Err("expected sides of 8 to 1024, found 1025".into()));
        assert_eq!(read("pad=0.5"), Err("expected pad of 1 to 16, found 0.5".into()));
        assert_eq!(read("pad=NaN"), Err("expected pad of 1 to 16, found NaN".into()));
    }

    #[test]
    fn the_right_size_stays_as_it_is() {
        check(&["#.", "+#"], &plain(2), &[255, 0, 128, 255]);
    }

    #[test]
    fn a_picture_is_padded_in_its_middle() {
        check(&["##"], &plain(2), &[255, 255, 0, 0]);
        check(&["#", "#", "#"], &plain(3), &[0, 255, 0, 0, 255, 0, 0, 255, 0]);
        let padded = Preprocess { padding: 2.0, ..plain(4) };
        check(&["##", "##"], &padded, &[0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn the_middle_is_cut_out() {
        let cut = Preprocess { scaled: 4, ..plain(2) };
        check(&["....", ".#+.", ".+#.", "...."], &cut, &[255, 128, 128, 255]);
        let widened = Preprocess { scaled: 1, ..plain(3) };
        check(&["#"], &widened, &[0, 0, 0, 0, 255, 0, 0, 0, 0]);
    }

    #[test]
    fn scaling_down_is_a_mean_and_scaling_up_lies_between() {
        check(&["####", "####", "####", "####"], &plain(2), &[255; 4]);
        // A triangle of four places, cut off at the border: 3/7 3/7 1/7.
        check(&["#...", "#...", "#...", "#..."], &plain(2), &[109, 0, 109, 0]);
        check(&["#.", "#."], &plain(4), &[255, 191, 64, 0].repeat(4));
    }

    #[test]
    fn the_default_is_the_published_way() {
        let full = Picture::new(45, 45, vec![255; 45 * 45].into());
        let light = Preprocess { ink: Ink::Light, ..Preprocess::default() };
        let small = light.prepare(&full).unwrap();
        assert_eq!((small.width(), small.height()), (32, 32));
        // 45 of 60 places are 30 of 40; the margins of 7 and 8 are uneven.
        let expected = [&[85][..], &[255; 29], &[170, 0]].concat();
        assert_eq!(small.rows().nth(16).unwrap(), expected);
    }

    #[test]
    fn ink_is_what_differs_from_the_border() {
        let guess = Preprocess { ink: Ink::Guess, ..plain(3) };
        let cross = [0, 0, 0, 0, 255, 0, 0, 0, 0];
        check(&["...", ".#.", "..."], &guess, &cross);
        check(&["###", "#.#", "###"], &guess, &cross);
        let paper = |ink| Picture::new(3, 3, [200, 200, 210, 200, ink, 200, 200, 190, 200].into());
        let found = guess.prepare(&paper(0)).unwrap();
        assert_eq!(found.pixels(), [0, 0, 0, 0, 255, 0, 0, 12, 0]);
        let dark = Preprocess { ink: Ink::Dark, ..plain(3) };
        assert_eq!(dark.prepare(&paper(55)).unwrap().pixels()[..5], [55, 55, 45, 55, 200]);
    }

    #[test]
    fn a_blank_picture_stays_blank_whatever_its_shade() {
        for shade in [0, 77, 127, 128, 255] {
            let blank = Picture::new(5, 9, vec![shade; 45].into());
            assert!(Preprocess::default().prepare(&blank).unwrap().pixels().iter().all(|&ink| ink == 0));
        }
    }

    #[test]
    fn settings_that_make_no_sense_are_named() {
        let complaint = |preprocess: Preprocess| preprocess.check().unwrap_err().to_string();
        let padding = Preprocess { padding: f32::NAN, ..Preprocess::default() };
        assert_eq!(complaint(padding), "preprocessing: expected padding of 1 to 16, found NaN");
        let side = Preprocess { side: 0, ..Preprocess::default() };
        assert_eq!(complaint(side), "preprocessing: expected sides of 1 to 1024, found 0");
    }

    proptest! {
        #[test]
        fn any_picture_gets_the_wanted_size(
            width in 1_u32..70, height in 1_u32..70, scaled in 1_u32..50, side in 1_u32..50,
            padding in 1.0_f32..3.0, shade: u8,
        ) {
            let picture = Picture::new(width, height, vec![shade; area(width, height)].into());
            for ink in [Ink::Guess, Ink::Light, Ink::Dark] {
                let prepared = Preprocess { padding, scaled, side, ink }.prepare(&picture).unwrap();
                prop_assert_eq!((prepared.width(), prepared.height()), (side, side));
            }
        }
    }
}
