//! IDX files, the format of MNIST: a big-endian header, then bytes.
//!
//! The header is 0, 0, 8 (bytes), the number of dimensions, and the size of each in four bytes. Pictures have three
//! dimensions (how many, rows, columns), labels one. Only one picture is held at a time, and nothing is allocated on
//! the word of a header alone, for a small compressed file may promise anything.

use super::{MAX_PICTURES, MAX_SIDE, Picture, are_sides};
use crate::data::lines::{MAX_BYTES, is_damage, open};
use crate::error::{Error, Result};
use std::{
    fs::File,
    io::{self, BufRead, BufWriter, ErrorKind, Read, Write},
    path::Path,
};

/// Reads the pictures at `path` one by one; their number.
pub(super) fn read(path: &Path, mut each: impl FnMut(&Picture)) -> Result<usize> {
    let mut file = Idx::open(path, "an IDX file of pictures or a folder of them")?;
    let [count, height, width] = file.header()?;
    if !are_sides(width, height) {
        return Err(Error::data(path, format!("sides of 1 to {MAX_SIDE}"), format!("{width}x{height}")));
    }
    let bytes = u64::from(count) * u64::from(width) * u64::from(height);
    if bytes > MAX_BYTES {
        return Err(Error::data(path, format!("at most {MAX_BYTES} bytes of pictures"), bytes.to_string()));
    }
    let promised = format!("{count} pictures of {width}x{height}");
    let mut picture = Picture::black(width, height);
    for number in 0..count {
        file.fill(&mut picture.pixels, &promised, number)?;
        each(&picture);
    }
    file.finish(&format!("{count} pictures"))?;
    Ok(count as usize)
}

/// The bytes of a file with one dimension.
pub(in crate::data) fn read_labels(path: &Path) -> Result<Vec<u8>> {
    let mut file = Idx::open(path, "an IDX file of labels")?;
    let [count] = file.header()?;
    // At most as long as MAX_PICTURES allows, which the header was checked for.
    let mut labels = vec![0; count as usize];
    file.fill(&mut labels, &format!("{count} labels"), 0)?;
    file.finish(&format!("{count} labels"))?;
    Ok(labels)
}

/// Writes pictures of one size to an IDX file.
///
/// # Panics
/// If there are none, or they differ in size.
pub fn write_idx(path: &Path, pictures: &[Picture]) -> Result<()> {
    let (width, height) = (pictures[0].width, pictures[0].height);
    assert!(pictures.iter().all(|picture| (picture.width, picture.height) == (width, height)));
    let write = || {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(&[0, 0, 8, 3])?;
        for size in [pictures.len() as u32, height, width] {
            file.write_all(&size.to_be_bytes())?;
        }
        pictures.iter().try_for_each(|picture| file.write_all(&picture.pixels))?;
        file.flush()
    };
    write().map_err(|source| Error::io(path, source))
}

struct Idx<'a> {
    path: &'a Path,
    reader: Box<dyn BufRead>,
}

impl<'a> Idx<'a> {
    fn open(path: &'a Path, expected: &str) -> Result<Idx<'a>> {
        Ok(Idx { path, reader: open(path, expected)? })
    }

    /// The sizes of `N` dimensions, the first of them checked: it is how many there are.
    fn header<const N: usize>(&mut self) -> Result<[u32; N]> {
        let expected = format!("an IDX file of bytes that begins 00 00 08 {N:02x}");
        let mut begin = [0; 4];
        self.fill(&mut begin, &expected, 0)?;
        if begin != [0, 0, 8, N as u8] {
            let [a, b, c, d] = begin;
            return Err(self.error(expected, format!("{a:02x} {b:02x} {c:02x} {d:02x}")));
        }
        let mut sizes = [0; N];
        for size in &mut sizes {
            let mut bytes = [0; 4];
            self.fill(&mut bytes, &format!("the sizes of {N} dimensions"), 0)?;
            *size = u32::from_be_bytes(bytes);
        }
        match sizes[0] as usize {
            1..=MAX_PICTURES => Ok(sizes),
            count => Err(self.error(format!("1 to {MAX_PICTURES} items"), count.to_string())),
        }
    }

    /// Fills `bytes`; where the file ends instead, it did after `whole` items.
    fn fill(&mut self, bytes: &mut [u8], expected: &str, whole: u32) -> Result<()> {
        self.reader.read_exact(bytes).map_err(|source| match source.kind() {
            ErrorKind::UnexpectedEof if whole > 0 => {
                self.error(expected, format!("the end of the file after {whole}"))
            }
            ErrorKind::UnexpectedEof => self.error(expected, "the end of the file"),
            _ => self.unreadable(source),
        })
    }

    /// Checks that nothing follows.
    fn finish(&mut self, after: &str) -> Result<()> {
        match self.reader.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.error(format!("the end of the file after {after}"), "more bytes")),
            Err(source) => Err(self.unreadable(source)),
        }
    }

    fn unreadable(&self, source: io::Error) -> Error {
        match is_damage(&source) {
            true => self.error("intact gzip data", source.to_string()),
            false => Error::io(self.path, source),
        }
    }

    fn error(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::data(self.path, expected, found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{area, tests::picture};
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use proptest::prelude::*;
    use std::fs;

    fn bytes(dimensions: u8, sizes: &[u32], content: &[u8]) -> Vec<u8> {
        let sizes: Vec<u8> = sizes.iter().flat_map(|size| size.to_be_bytes()).collect();
        [&[0, 0, 8, dimensions], &sizes[..], content].concat()
    }

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    /// What reading `content` from a file called `name` gives; the folder is left out of errors.
    fn read_all(name: &str, content: &[u8]) -> std::result::Result<Vec<Picture>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let mut found = Vec::new();
        let read = read(&path, |picture| found.push(picture.clone()));
        let count =
            read.map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))?;
        assert_eq!(count, found.len());
        Ok(found)
    }

    #[track_caller]
    fn check_error(content: &[u8], expected: &str) {
        assert_eq!(read_all("f", content).unwrap_err(), expected);
    }

    #[test]
    fn rows_come_from_the_top_and_gz_is_undone() {
        let content = bytes(3, &[2, 2, 3], &[255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255]);
        let expected = [picture(&["#..", "..."]), picture(&["...", "..#"])];
        assert_eq!(read_all("f", &content).unwrap(), expected);
        assert_eq!(read_all("f.gz", &gzip(&content)).unwrap(), expected);
    }

    #[test]
    fn other_files_are_named() {
        check_error(
            b"",
            "f: expected an IDX file of bytes that begins 00 00 08 03, found the end of the file",
        );
        check_error(
            b"\x89PNG\r\n",
            "f: expected an IDX file of bytes that begins 00 00 08 03, found 89 50 4e 47",
        );
        check_error(
            &bytes(1, &[1], &[0]),
            "f: expected an IDX file of bytes that begins 00 00 08 03, found 00 00 08 01",
        );
        let absent = read(Path::new("no/such"), |_| ()).unwrap_err().to_string();
        assert_eq!(
            absent,
            "no/such: expected an IDX file of pictures or a folder of them, found no such file"
        );
    }

    #[test]
    fn sizes_are_checked_before_memory_is_taken() {
        check_error(&bytes(3, &[0, 1, 1], &[]), "f: expected 1 to 4194304 items, found 0");
        check_error(&bytes(3, &[u32::MAX, 1, 1], &[]), "f: expected 1 to 4194304 items, found 4294967295");
        check_error(&bytes(3, &[1, 0, 4], &[]), "f: expected sides of 1 to 4096, found 4x0");
        check_error(
            &bytes(3, &[1, u32::MAX, u32::MAX], &[]),
            "f: expected sides of 1 to 4096, found 4294967295x4294967295",
        );
        check_error(
            &bytes(3, &[4_000_000, 4096, 4096], &[1; 9]),
            "f: expected at most 4294967296 bytes of pictures, found 67108864000000",
        );
        check_error(
            &bytes(3, &[256, 4096, 4096], &[1; 9]),
            "f: expected 256 pictures of 4096x4096, found the end of the file",
        );
    }

    #[test]
    fn cut_and_overlong_files_say_where() {
        check_error(
            &bytes(3, &[3, 1, 2], &[1, 2, 3, 4, 5]),
            "f: expected 3 pictures of 2x1, found the end of the file after 2",
        );
        check_error(
            &bytes(3, &[1, 1, 2], &[1, 2, 3]),
            "f: expected the end of the file after 1 pictures, found more bytes",
        );
        let damaged = read_all("f.gz", b"not gzip at all").unwrap_err();
        assert!(damaged.starts_with("f.gz: expected intact gzip data, found"), "{damaged}");
    }

    #[test]
    fn labels_are_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("l.gz");
        fs::write(&path, gzip(&bytes(1, &[3], &[7, 0, 15]))).unwrap();
        assert_eq!(read_labels(&path).unwrap(), [7, 0, 15]);
        fs::write(&path, gzip(&bytes(1, &[3], &[7]))).unwrap();
        assert!(
            read_labels(&path)
                .unwrap_err()
                .to_string()
                .ends_with("expected 3 labels, found the end of the file")
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(width in 1_u32..9, height in 1_u32..9, shades in prop::collection::vec(0_u8.., 1..9)) {
            let make = |&shade: &u8| Picture::new(width, height, vec![shade; area(width, height)].into());
            let pictures: Vec<Picture> = shades.iter().map(make).collect();
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("f");
            write_idx(&path, &pictures).unwrap();
            prop_assert_eq!(read_all("f", &fs::read(&path).unwrap()).unwrap(), pictures);
        }

        #[test]
        fn a_file_cut_anywhere_is_an_error(kept in 0_usize..34, gz: bool) {
            let content = bytes(3, &[3, 2, 3], &[9; 18]);
            let (name, content) = if gz { ("f.gz", gzip(&content)) } else { ("f", content) };
            let kept = kept.min(content.len() - 1);
            prop_assert!(read_all(name, &content[..kept]).is_err());
        }

        #[test]
        fn any_bytes_are_an_error_or_pictures(content in prop::collection::vec(0_u8.., 0..40)) {
            let _ = read_all("f", &content);
            let _ = read_all("f", &bytes(3, &[1, 1], &content));
        }
    }
}
