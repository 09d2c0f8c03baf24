//! Grey pictures: how they are read, brought to one size, and shown.
//!
//! [`Pictures`] is what the rest of the crate sees: any number of pictures of one size, light ink on black, each
//! known by its number and, if it came from a folder, by its file name. They come from an IDX file or a folder of
//! PNG and JPEG files ([`Pictures::read`]) or from [`Picture`]s made in memory, and all go through one
//! [`Preprocess`]. Every size is checked before memory is taken for it.

mod draw;
#[cfg(feature = "vision")]
mod folder;
#[cfg(not(feature = "vision"))]
#[path = "no_folder.rs"]
mod folder;
mod idx;
mod prepare;

pub use draw::half_blocks;
pub use idx::write_idx;
pub use prepare::{Ink, Preprocess};

pub(super) use idx::read_labels;

use crate::error::Result;
use crate::symbol::Vocabulary;
use std::path::Path;

/// The longest side of a picture that is read.
pub const MAX_SIDE: u32 = 1 << 12;
/// The most pictures that are read from a file or folder. In the default size of 32 they fill 4 GiB.
pub const MAX_PICTURES: usize = 1 << 22;

/// One grey picture of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Box<[u8]>,
}

impl Picture {
    /// A picture of `pixels`, row by row from the top.
    ///
    /// # Panics
    /// If a side is 0 or longer than [`MAX_SIDE`], or there are more or fewer pixels than the sides say.
    pub fn new(width: u32, height: u32, pixels: Box<[u8]>) -> Picture {
        assert!(are_sides(width, height), "sides of 1 to {MAX_SIDE}, not {width}x{height}");
        assert_eq!(pixels.len(), area(width, height), "pixels of a picture of {width}x{height}");
        Picture { width, height, pixels }
    }

    /// A picture that is black everywhere; panics as [`new`](Picture::new) does.
    pub fn black(width: u32, height: u32) -> Picture {
        Picture::new(width, height, vec![0; area(width, height)].into())
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Shades from 0, black, to 255, white, row by row from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The rows from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.pixels.chunks_exact(self.width as usize)
    }
}

/// Pictures of one size, numbered from 0; ink is light, the ground black.
#[derive(Clone, Debug, PartialEq)]
pub struct Pictures {
    preprocess: Preprocess,
    pixels: Vec<u8>,
    /// File names in the order of numbers; empty where pictures have none.
    names: Vocabulary,
}

impl Pictures {
    /// Reads the IDX file (`.gz` allowed) or the folder of PNG and JPEG files at `path`.
    ///
    /// In a folder, pictures are numbered in the order of their names; a name is the file's path below the
    /// folder, with `/` between its parts. Files that do not end in `.png`, `.jpg` or `.jpeg`, hidden ones and
    /// links to folders are passed over.
    pub fn read(path: &Path, preprocess: &Preprocess) -> Result<Pictures> {
        let mut pictures = Pictures::none(preprocess)?;
        match path.is_dir() {
            true => folder::read(path, |name, picture| {
                pictures.names.intern(&name);
                preprocess.prepare_into(&picture, &mut pictures.pixels);
            })?,
            false => {
                idx::read(path, |picture| preprocess.prepare_into(picture, &mut pictures.pixels))?;
            }
        }
        Ok(pictures)
    }

    /// The pictures in one size; an error only if the settings make no sense.
    pub fn prepare<'a>(
        given: impl IntoIterator<Item = &'a Picture>,
        preprocess: &Preprocess,
    ) -> Result<Pictures> {
        let mut pictures = Pictures::none(preprocess)?;
        for picture in given {
            preprocess.prepare_into(picture, &mut pictures.pixels);
        }
        Ok(pictures)
    }

    fn none(preprocess: &Preprocess) -> Result<Pictures> {
        preprocess.check()?;
        Ok(Pictures { preprocess: preprocess.clone(), pixels: Vec::new(), names: Vocabulary::default() })
    }

    /// The number of pictures.
    pub fn len(&self) -> usize {
        self.pixels.len() / area(self.side(), self.side())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pixels.is_empty()
    }

    /// Pixels in a row and in a column.
    pub fn side(&self) -> u32 {
        self.preprocess.side
    }

    /// How they were brought to this size.
    pub fn preprocess(&self) -> &Preprocess {
        &self.preprocess
    }

    /// The pixels of picture `number`, row by row from the top, or `None` beyond the last one.
    pub fn get(&self, number: u32) -> Option<&[u8]> {
        let area = area(self.side(), self.side());
        self.pixels.get((number as usize).checked_mul(area)?..)?.get(..area)
    }

    /// Whether picture `number` shows nothing: it is there and has no ink.
    pub fn is_blank(&self, number: u32) -> bool {
        self.get(number).is_some_and(|pixels| pixels.iter().all(|pixel| *pixel == pixels[0]))
    }

    /// The pixels of all pictures, one after the other.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The file name of picture `number`, if it has one.
    pub fn name(&self, number: u32) -> Option<&str> {
        self.names.names().get(number as usize).map(String::as_str)
    }

    /// The number of the picture that an input means by `token`: a file name, or a number counted from 0.
    pub fn find(&self, token: &str) -> Option<u32> {
        let number = || token.parse().ok().filter(|&number: &u32| (number as usize) < self.len());
        self.names.get(token).map(|symbol| symbol.0).or_else(number)
    }
}

/// Whether a picture may have these sides.
fn are_sides(width: u32, height: u32) -> bool {
    (1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height)
}

fn area(width: u32, height: u32) -> usize {
    width as usize * height as usize
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A picture written as text, a row a line: `#` is white, `+` grey, anything else black.
    pub fn picture(rows: &[&str]) -> Picture {
        let shade = |byte| match byte {
            b'#' => 255,
            b'+' => 128,
            _ => 0,
        };
        let pixels = rows.iter().flat_map(|row| row.bytes()).map(shade).collect();
        Picture::new(rows[0].len() as u32, rows.len() as u32, pixels)
    }

    #[test]
    fn pictures_are_found_by_number_or_name() {
        let given = [picture(&["#"]), Picture::black(3, 2)];
        let mut pictures = Pictures::prepare(&given, &Preprocess::default()).unwrap();
        assert_eq!((pictures.len(), pictures.side()), (2, 32));
        assert_eq!(pictures.get(1).map(<[u8]>::len), Some(32 * 32));
        // A lone shade is the ground, whatever shade it is.
        assert_eq!([0, 1, 2].map(|number| pictures.is_blank(number)), [true, true, false]);
        assert_eq!((pictures.get(2), pictures.get(u32::MAX)), (None, None));
        assert_eq!(pictures.find("1"), Some(1));
        for token in ["2", "-1", "1.0", "one", "", "99999999999"] {
            assert_eq!(pictures.find(token), None, "{token}");
        }
        pictures.names = Vocabulary::from(vec!["1".to_owned(), "b/c.png".to_owned()]);
        assert_eq!(
            (pictures.find("1"), pictures.find("0"), pictures.find("b/c.png")),
            (Some(0), Some(0), Some(1))
        );
        assert_eq!(pictures.name(1), Some("b/c.png"));
    }

    #[test]
    #[should_panic(expected = "sides of 1 to 4096, not 0x3")]
    fn a_picture_has_sides() {
        Picture::black(0, 3);
    }
}
