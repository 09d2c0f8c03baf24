//! In place of `folder`, where PNG and JPEG files cannot be read.

use super::Picture;
use crate::error::{Error, Result};
use std::path::Path;

/// Says that this build reads no folders.
pub(super) fn read(folder: &Path, _: impl FnMut(String, Picture)) -> Result<()> {
    Err(Error::data(folder, "an IDX file, as nsr was built without the feature vision", "a folder"))
}
