//! Rows of pictures: those of a user, and handwriting.

use super::{folder, published};
use nsr::data::handwriting::{self, SYMBOLS, Writers};
use nsr::data::image::{ImageDataset, ImageOptions, load_hint, load_images};
use nsr::data::picture::{Ink, Picture, Preprocess, write_idx};
use nsr::data::{Origin, Part, hint};
use tempfile::TempDir;

/// Three grey pictures, as an IDX file and as PNG files, and a file of examples that names them.
fn own_images(inputs: &[&str]) -> TempDir {
    let lines: String =
        inputs.iter().map(|input| format!("{{\"input\": {input}, \"output\": 7}}\n")).collect();
    let folder = folder(&[("own.jsonl", lines.as_bytes()), ("pictures/readme.txt", b"")]);
    let pictures = [10, 20, 30].map(|shade| Picture::new(1, 2, [shade, 0].into()));
    write_idx(&folder.path().join("pictures.idx"), &pictures).unwrap();
    for (name, picture) in ["a b.png", "c.png", "d.png"].iter().zip(&pictures) {
        picture.write_png(&folder.path().join("pictures").join(name)).unwrap();
    }
    folder
}

fn load_own(folder: &TempDir, images: &str) -> Result<ImageDataset, String> {
    let options = ImageOptions { images: Some(folder.path().join(images)), ..Default::default() };
    let file = folder.path().join("own.jsonl").display().to_string();
    let loaded = load_images(&file, Part::Train, None, 0, &options);
    loaded.map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn own_images_are_named_by_number_or_file() {
    let numbers = own_images(&["[0, 2, 1]", "\"1 1\"", "[\"2\"]"]);
    for images in ["pictures.idx", "pictures"] {
        let data = load_own(&numbers, images).unwrap();
        let inputs: Vec<&[u32]> = data.examples.iter().map(|example| &example.input[..]).collect();
        assert_eq!(inputs, [&[0, 2, 1][..], &[1, 1], &[2]]);
        assert_eq!(data.pictures.len(), 3);
    }
    let names = own_images(&["[\"d.png\", \"a b.png\"]"]);
    assert_eq!(load_own(&names, "pictures").unwrap().examples[0].input[..], [2, 0]);
}

#[test]
fn own_images_that_are_not_there_are_named() {
    let folder = own_images(&["[0, 1]", "[\"e.png\"]"]);
    assert_eq!(
        load_own(&folder, "pictures").unwrap_err(),
        "own.jsonl:2: expected the name of a picture or a number from 0 to 2, found `e.png`"
    );
    assert_eq!(
        load_own(&folder, "none").unwrap_err(),
        "none: expected an IDX file of pictures or a folder of them, found no such file"
    );
    let beyond = own_images(&["[0, 3]"]);
    assert_eq!(
        load_own(&beyond, "pictures.idx").unwrap_err(),
        "own.jsonl:1: expected numbers of pictures from 0 to 2, found `3`"
    );
}

#[test]
fn handwritten_hint_works_without_any_data() {
    let (data, labels) = load_hint("hint/image-val", Part::Test, None, 1, &Preprocess::default()).unwrap();
    assert_eq!(data.origin, Origin::Generated);
    assert_eq!((data.pictures.len(), data.pictures.side()), (labels.len(), 32));
    let names: Vec<String> = SYMBOLS.iter().map(char::to_string).collect();
    for example in data.examples.iter().take(500) {
        let shown = example.input.iter().map(|&picture| &*names[labels.truth(picture).unwrap()]);
        let result = hint::evaluate(&shown.collect::<String>()).unwrap();
        assert_eq!(result.to_string(), data.outputs.name(example.output[0]));
    }
}

#[test]
fn published_handwriting_is_complete_and_light_on_black() {
    let Some(folder) = published("published_handwriting") else { return };
    for (writers, count) in [(Writers::Validation, 3078), (Writers::Test, 6198)] {
        let load = |ink| {
            let preprocess = Preprocess { ink, ..Preprocess::default() };
            handwriting::load(writers, Some(&folder), 0, &preprocess).unwrap()
        };
        let found = load(Ink::Guess);
        assert_eq!((found.pictures.len(), found.origin), (count, Origin::Official));
        // The ground is guessed right for every picture.
        assert!(found.pictures.pixels() == load(Ink::Light).pictures.pixels());
    }
}
