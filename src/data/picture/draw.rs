//! Pictures for people: as text in a terminal, and as PNG files.

use super::Picture;
#[cfg(feature = "vision")]
use crate::error::{Error, Result};
#[cfg(feature = "vision")]
use image::codecs::png::PngEncoder;
#[cfg(feature = "vision")]
use image::{ExtendedColorType, ImageEncoder, ImageError, ImageFormat, save_buffer_with_format};
#[cfg(feature = "vision")]
use std::path::Path;

/// The least shade that is drawn in a terminal. A thin line loses most of its shade when a picture is made smaller.
const SEEN: u8 = 64;

/// A picture `width` pixels wide as lines of half blocks, two rows of pixels a line.
///
/// ```
/// let cross = [0, 255, 0, 255, 255, 255, 0, 255, 0];
/// assert_eq!(nsr::data::picture::half_blocks(&cross, 3), "▄█▄\n ▀ \n");
/// ```
pub fn half_blocks(pixels: &[u8], width: u32) -> String {
    let width = width as usize;
    let mut text = String::new();
    for rows in pixels.chunks(2 * width) {
        let seen = |place: usize| rows.get(place).is_some_and(|&shade| shade >= SEEN);
        text.extend((0..width).map(|column| match (seen(column), seen(column + width)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        }));
        text.push('\n');
    }
    text
}

impl Picture {
    /// The picture as a PNG file.
    #[cfg(feature = "vision")]
    pub fn png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let encoder = PngEncoder::new(&mut file);
        // Writing to memory cannot fail, and the sizes are the picture's own.
        let _ = encoder.write_image(&self.pixels, self.width, self.height, ExtendedColorType::L8);
        file
    }

    /// Writes the picture as a PNG file.
    #[cfg(feature = "vision")]
    pub fn write_png(&self, path: &Path) -> Result<()> {
        let (width, height) = (self.width, self.height);
        save_buffer_with_format(path, &self.pixels, width, height, ExtendedColorType::L8, ImageFormat::Png)
            .map_err(|source| match source {
                ImageError::IoError(source) => Error::io(path, source),
                other => Error::io(path, std::io::Error::other(other)),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pictures, Preprocess, tests::picture};
    use super::*;

    #[test]
    fn a_last_single_row_is_drawn() {
        assert_eq!(half_blocks(picture(&["#.", "#+", ".#"]).pixels(), 2), "█▄\n ▀\n");
        assert_eq!(half_blocks(&[], 2), "");
    }

    #[test]
    fn what_is_written_as_png_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        picture(&["#..", ".+.", "..#"]).write_png(&folder.path().join("a.png")).unwrap();
        let plain = Preprocess { padding: 1.0, scaled: 3, side: 3, ..Preprocess::default() };
        let pictures = Pictures::read(folder.path(), &plain).unwrap();
        assert_eq!(pictures.get(0).unwrap(), picture(&["#..", ".+.", "..#"]).pixels());
        assert_eq!((pictures.name(0), pictures.find("a.png")), (Some("a.png"), Some(0)));
        let nowhere = picture(&["#"]).write_png(&folder.path().join("no/such.png"));
        assert!(nowhere.unwrap_err().to_string().contains("such.png"));
    }
}
