//! A folder of PNG and JPEG files, also in folders below it.
//!
//! A file is taken for what it holds, not for what its name says. Colours become shades of grey, 16 bits become 8, and
//! what is transparent shows the ground: white, or black where the visible part is light.

use super::{MAX_PICTURES, MAX_SIDE, Picture, are_sides};
use crate::error::{Error, Result};
use image::{DynamicImage, ImageError, ImageReader, Limits};
use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
};

/// How many folders may lie within one another.
const MAX_DEPTH: usize = 16;
/// The endings of files that are pictures, in lower case.
const ENDINGS: [&str; 3] = ["png", "jpg", "jpeg"];
/// Memory for decoding one picture: the largest one in four colours of 16 bits, twice over.
const MAX_DECODING: u64 = 2 * 8 * (MAX_SIDE as u64) * (MAX_SIDE as u64);

/// Reads the pictures below `folder` one by one, in the order of their names.
pub(super) fn read(folder: &Path, mut each: impl FnMut(String, Picture)) -> Result<()> {
    let mut names = Vec::new();
    list(folder, "", 0, &mut names)?;
    if names.is_empty() {
        return Err(Error::data(folder, "a folder of PNG or JPEG files", "none in it"));
    }
    names.sort_unstable();
    for name in names {
        let picture = decode(&folder.join(&name))?;
        each(name, picture);
    }
    Ok(())
}

/// Adds the names of the pictures in the folder called `below` within `top`.
fn list(top: &Path, below: &str, depth: usize, names: &mut Vec<String>) -> Result<()> {
    let folder = top.join(below);
    for entry in fs::read_dir(&folder).map_err(|source| Error::io(&folder, source))? {
        let entry = entry.map_err(|source| Error::io(&folder, source))?;
        let file = entry.file_name();
        let Some(file) = file.to_str() else {
            return Err(Error::data(entry.path(), "a name in UTF-8", "another one"));
        };
        // A link to a folder is not a folder here: it might lead back up.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let name = format!("{below}{file}");
        if file.starts_with('.') {
            continue;
        } else if is_folder && depth == MAX_DEPTH {
            return Err(Error::data(folder, format!("folders at most {MAX_DEPTH} deep"), "deeper ones"));
        } else if is_folder {
            list(top, &format!("{name}/"), depth + 1, names)?;
        } else if is_picture(&entry.path()) {
            names.push(name);
        }
        if names.len() > MAX_PICTURES {
            return Err(Error::data(top, format!("at most {MAX_PICTURES} pictures"), "more"));
        }
    }
    Ok(())
}

fn is_picture(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.to_ascii_lowercase().as_str()))
}

/// The picture in a PNG or JPEG file.
fn decode(path: &Path) -> Result<Picture> {
    let unreadable = |source| Error::io(path, source);
    let file = File::open(path).map(BufReader::new).map_err(unreadable)?;
    let mut reader = ImageReader::new(file).with_guessed_format().map_err(unreadable)?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODING);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|source| explain(path.into(), source))?;
    // The decoders check this themselves; a picture of no size must not get any further if one forgets to.
    match are_sides(decoded.width(), decoded.height()) {
        true => Ok(grey(&decoded)),
        false => Err(Error::data(path, format!("sides of 1 to {MAX_SIDE}"), "others")),
    }
}

fn explain(path: PathBuf, source: ImageError) -> Error {
    match source {
        ImageError::IoError(source) if !crate::data::lines::is_damage(&source) => Error::io(path, source),
        ImageError::Limits(_) => Error::data(path, format!("sides of 1 to {MAX_SIDE}"), "longer ones"),
        ImageError::Unsupported(_) => Error::data(path, "a PNG or JPEG picture", "something else"),
        other => Error::data(path, "an intact PNG or JPEG picture", other.to_string().replace('\n', " ")),
    }
}

/// Shades of grey on an opaque ground.
fn grey(decoded: &DynamicImage) -> Picture {
    let pixels = decoded.to_luma_alpha8();
    let shown: u64 = pixels.pixels().map(|pixel| u64::from(pixel.0[1])).sum();
    let light: u64 = pixels.pixels().map(|pixel| u64::from(pixel.0[0]) * u64::from(pixel.0[1])).sum();
    let is_transparent = pixels.pixels().any(|pixel| pixel.0[1] < 255);
    let ground = if is_transparent && light > shown * 128 { 0 } else { 255 };
    let blend = |&[shade, alpha]: &[u8; 2]| {
        let (shade, alpha) = (u32::from(shade), u32::from(alpha));
        ((shade * alpha + ground * (255 - alpha) + 127) / 255) as u8
    };
    Picture::new(pixels.width(), pixels.height(), pixels.pixels().map(|pixel| blend(&pixel.0)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::picture;
    use super::*;
    use image::{ExtendedColorType, ImageFormat, save_buffer_with_format};
    use proptest::prelude::*;
    use tempfile::TempDir;

    fn save(folder: &TempDir, name: &str, pixels: &[u8], sides: (u32, u32), colour: ExtendedColorType) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let format = if name.ends_with("png") { ImageFormat::Png } else { ImageFormat::Jpeg };
        save_buffer_with_format(path, pixels, sides.0, sides.1, colour, format).unwrap();
    }

    fn read_all(folder: &TempDir) -> std::result::Result<Vec<(String, Picture)>, String> {
        let mut found = Vec::new();
        let read = read(folder.path(), |name, picture| found.push((name, picture)));
        let top = folder.path().display().to_string();
        read.map_err(|error| error.to_string().replace(&format!("{top}/"), "").replace(&top, "FOLDER"))?;
        Ok(found)
    }

    /// One picture of 2x1 pixels in the given colours.
    #[track_caller]
    fn check(pixels: &[u8], colour: ExtendedColorType, expected: [u8; 2]) {
        let folder = tempfile::tempdir().unwrap();
        save(&folder, "a.png", pixels, (2, 1), colour);
        assert_eq!(read_all(&folder).unwrap()[0].1.pixels(), expected);
    }

    #[test]
    fn every_depth_of_colour_becomes_grey() {
        check(&[9, 200], ExtendedColorType::L8, [9, 200]);
        check(&[9, 9, 9, 200, 200, 200], ExtendedColorType::Rgb8, [9, 200]);
        let bytes = |shades: [u16; 2]| shades.map(u16::to_ne_bytes).concat();
        check(&bytes([9 * 257, 200 * 257]), ExtendedColorType::L16, [9, 200]);
        let bytes = |shades: [u16; 6]| shades.map(u16::to_ne_bytes).concat();
        check(&bytes([0, 0, 0, 65535, 65535, 65535]), ExtendedColorType::Rgb16, [0, 255]);
    }

    #[test]
    fn what_is_transparent_shows_the_ground() {
        check(&[0, 255, 0, 0], ExtendedColorType::La8, [0, 255]);
        check(&[255, 255, 255, 0], ExtendedColorType::La8, [255, 0]);
        check(&[0, 0, 0, 255, 90, 90, 90, 0], ExtendedColorType::Rgba8, [0, 255]);
        check(&[250, 255, 240, 255], ExtendedColorType::La8, [250, 240]);
    }

    #[test]
    fn a_palette_is_looked_up() {
        // The simplest PNG with a palette: 2x1 pixels of one bit, black and white.
        let folder = tempfile::tempdir().unwrap();
        let chunk = |name: &[u8; 4], content: &[u8]| {
            let sum = crc32fast::hash(&[&name[..], content].concat());
            [&(content.len() as u32).to_be_bytes()[..], name, content, &sum.to_be_bytes()].concat()
        };
        let mut data = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut data, &[0, 0b1000_0000]).unwrap();
        let header = [0, 0, 0, 2, 0, 0, 0, 1, 1, 3, 0, 0, 0];
        let file = [
            &b"\x89PNG\r\n\x1a\n"[..],
            &chunk(b"IHDR", &header),
            &chunk(b"PLTE", &[0, 0, 0, 255, 255, 255]),
            &chunk(b"IDAT", &data.finish().unwrap()),
            &chunk(b"IEND", &[]),
        ];
        fs::write(folder.path().join("p.png"), file.concat()).unwrap();
        assert_eq!(read_all(&folder).unwrap()[0].1, picture(&["#."]));
    }

    #[test]
    fn names_are_sorted_and_other_files_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.png", "a/z.jpeg", "a/y.PNG.png", ".hidden.png"] {
            save(&folder, name, &[128; 64], (8, 8), ExtendedColorType::L8);
        }
        fs::write(folder.path().join("notes.txt"), "no picture").unwrap();
        fs::rename(folder.path().join("b.png"), folder.path().join("b.JPG")).unwrap();
        let found = read_all(&folder).unwrap();
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a/y.PNG.png", "a/z.jpeg", "b.JPG"]);
        assert!(
            found.iter().all(|(_, picture)| picture.pixels().iter().all(|shade| shade.abs_diff(128) < 3))
        );
    }

    #[test]
    fn what_is_no_picture_is_named() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            read_all(&folder).unwrap_err(),
            "FOLDER: expected a folder of PNG or JPEG files, found none in it"
        );
        fs::write(folder.path().join("a.png"), "text").unwrap();
        assert_eq!(
            read_all(&folder).unwrap_err(),
            "a.png: expected a PNG or JPEG picture, found something else"
        );
    }

    #[test]
    fn a_huge_picture_is_refused_by_its_header() {
        let folder = tempfile::tempdir().unwrap();
        save(&folder, "a.png", &vec![0; 5000], (5000, 1), ExtendedColorType::L8);
        assert_eq!(read_all(&folder).unwrap_err(), "a.png: expected sides of 1 to 4096, found longer ones");
    }

    #[test]
    fn a_picture_of_no_size_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let header = [0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0];
        let sum = crc32fast::hash(&[&b"IHDR"[..], &header].concat());
        let file = [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], &header, &sum.to_be_bytes()].concat();
        fs::write(folder.path().join("a.png"), file).unwrap();
        assert!(read_all(&folder).unwrap_err().starts_with("a.png: expected"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_cut_or_changed_file_is_an_error_or_a_picture(jpeg: bool, share in 0.0..1.0_f64, change: Option<u8>) {
            let folder = tempfile::tempdir().unwrap();
            let name = if jpeg { "a.jpg" } else { "a.png" };
            let pixels: Vec<u8> = (0..400).map(|place| (place * 7 % 256) as u8).collect();
            save(&folder, name, &pixels, (20, 20), ExtendedColorType::L8);
            let path = folder.path().join(name);
            let mut content = fs::read(&path).unwrap();
            let place = (content.len() as f64 * share) as usize;
            match change {
                Some(byte) => content[place] = byte,
                None => content.truncate(place),
            }
            fs::write(&path, &content).unwrap();
            match read_all(&folder) {
                Ok(found) => prop_assert_eq!(found.len(), 1),
                Err(complaint) => {
                    prop_assert!(complaint.starts_with(name) && !complaint.contains('\n'), "{}", complaint);
                }
            }
        }
    }
}
