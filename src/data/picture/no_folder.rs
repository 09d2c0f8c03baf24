//! In place of `folder`, where PNG and JPEG files cannot be read.

use super::{Picture, error};
use crate::error::Result;
use std::path::Path;

/// Says that this build reads no folders.
pub(super) fn read(folder: &Path, _: impl FnMut(String, Picture)) -> Result<()> {
    Err(error(folder.display(), "an IDX file, as nsr was built without the feature vision", "a folder"))
}
