//! Lists of which a file may hold only a few: a small file must not become much memory before it can be checked.

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Reads a list of at most `MOST` elements.
pub(crate) fn few<'de, D, T, const MOST: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_seq(Few::<T, MOST>(PhantomData))
}

struct Few<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Few<T, MOST> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {MOST} elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vec<T>, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = sequence.next_element()? {
            if elements.len() == MOST {
                return Err(A::Error::invalid_length(MOST + 1, &self));
            }
            elements.push(element);
        }
        Ok(elements)
    }
}
