//! Where parts of a result stand.
//!
//! What a tree of templates says is part of the result, which may stand there several times. What pieces say together stands where the first of them stands and each of the
//! others stands behind the one before it: sets of places are shifted and met, and nothing is put together or compared.

use crate::settings::LONGEST;
use crate::theory::entry::{Out, find};

const WORDS: usize = LONGEST / u64::BITS as usize + 1;

/// The places of a result, of at most [`LONGEST`] pieces, where something begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stands([u64; WORDS]);

impl Stands {
    /// Nowhere.
    pub(super) const NOWHERE: Stands = Stands([0; WORDS]);
    /// Wherever one may ask, as what says nothing does.
    pub(super) const ANYWHERE: Stands = Stands([u64::MAX; WORDS]);

    /// Where a part stands in a result.
    pub(super) fn of(part: &[Out], says: &[Out]) -> Stands {
        let mut stands = Stands::NOWHERE;
        let mut from = 0;
        while let Some(at) = says.get(from..).and_then(|rest| find(rest, part)).filter(|_| !part.is_empty()) {
            stands.0[(from + at) / 64] |= 1 << ((from + at) % 64);
            from += at + 1;
        }
        if part.is_empty() { Stands::ANYWHERE } else { stands }
    }

    /// Those of these places where, so many pieces behind, the other stands.
    #[inline]
    pub(super) fn before(self, other: Stands, by: usize) -> Stands {
        let (words, bits) = (by / 64, by as u32 % 64);
        let word = |at: usize| other.0.get(at).copied().unwrap_or(0);
        let mut both = self;
        if by == 0 {
            both.0.iter_mut().zip(other.0).for_each(|(both, other)| *both &= other);
            return both;
        }
        for (at, both) in both.0.iter_mut().enumerate() {
            // A shift by all 64 bits leaves nothing, in two steps.
            *both &= word(at + words) >> bits | word(at + words + 1) << 1 << (63 - bits);
        }
        both
    }

    /// The first of them.
    #[inline]
    pub(super) fn first(self) -> Option<usize> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some(at * 64 + self.0[at].trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Token;
    use proptest::prelude::*;

    proptest! {
        /// Two parts stand together where they stand as one.
        #[test]
        fn parts_stand_together_where_they_stand_as_one(
            says in prop::collection::vec(0u32..3, 0..LONGEST),
            first in prop::collection::vec(0u32..3, 0..3),
            second in prop::collection::vec(0u32..3, 1..3),
        ) {
            let tokens = |of: &[u32]| of.iter().map(|&token| Out::Token(Token(token))).collect::<Vec<Out>>();
            let (says, first, second) = (tokens(&says), tokens(&first), tokens(&second));
            let both = [&first[..], &second].concat();
            let together = Stands::of(&first, &says).before(Stands::of(&second, &says), first.len());
            prop_assert_eq!(together, Stands::of(&both, &says));
            prop_assert_eq!(together.first(), find(&says, &both));
        }
    }
}
