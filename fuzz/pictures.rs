//! Files of pictures.

use crate::target::Target;
use nsr::data::picture::{Picture, Pictures, Preprocess, write_idx};
use std::fs;
use std::path::{Path, PathBuf};

/// One for each format.
pub fn targets() -> Vec<Target> {
    vec![
        Target { name: "idx", files: vec![("p.idx", idx())], read: read_pictures, one_in: 8 },
        Target { name: "png", files: vec![("a.png", picture().png())], read: read_pictures, one_in: 16 },
        Target { name: "jpeg", files: vec![("a.jpg", jpeg())], read: read_pictures, one_in: 16 },
    ]
}

fn read_pictures(path: &Path, bytes: &[u8]) -> Option<()> {
    let is_idx = path.extension().is_some_and(|ending| ending == "idx");
    // Pictures that are no IDX file are read as a folder of them.
    let (folder, path): (PathBuf, PathBuf) = match (is_idx, path.parent(), path.file_name()) {
        (false, Some(parent), Some(name)) => (parent.join("folder"), parent.join("folder").join(name)),
        _ => (path.to_owned(), path.to_owned()),
    };
    if !is_idx {
        fs::create_dir_all(&folder).ok()?;
    }
    fs::write(&path, bytes).ok()?;
    Pictures::read(&folder, &Preprocess::default()).ok().map(drop)
}

fn picture() -> Picture {
    Picture::new(24, 20, (0..480u32).map(|number| (number * 7 % 251) as u8).collect())
}

fn idx() -> Vec<u8> {
    let written = tempfile::tempdir().and_then(|folder| {
        let path = folder.path().join("p.idx");
        write_idx(&path, &[picture(), picture()]).map_err(std::io::Error::other)?;
        fs::read(path)
    });
    written.unwrap_or_default()
}

fn jpeg() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = picture();
    let size = (picture.width(), picture.height());
    let grey = image::GrayImage::from_raw(size.0, size.1, picture.pixels().to_vec());
    let written = grey.map(|grey| grey.write_to(&mut bytes, image::ImageFormat::Jpeg));
    if matches!(written, Some(Ok(()))) { bytes.into_inner() } else { Vec::new() }
}
