//! Some of many, evenly from all over.

/// At most so many elements.
pub(crate) fn spread<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    evenly(all.len(), most).map(|at| &all[at])
}

/// At most so many of the numbers below `total`.
pub(crate) fn evenly(total: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = most.min(total);
    (0..count).map(move |number| number * total / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_are_as_many_as_asked_for() {
        assert_eq!(spread(&[0, 1, 2, 3, 4, 5, 6], 3).collect::<Vec<_>>(), [&0, &2, &4]);
        assert_eq!(evenly(2, 9).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(evenly(9, 0).count() + evenly(0, 9).count(), 0);
    }
}
