//! Exact integers of any size; small ones cost no more than a machine word.

use num_bigint::BigInt;
use num_integer::Integer as _;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// An integer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Integer(Size);

/// Numbers that fit are always small, so that equal numbers are equal as data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Size {
    Small(i64),
    Large(Arc<BigInt>),
}

use Size::{Large, Small};

impl Integer {
    /// Zero.
    pub const ZERO: Integer = Integer(Small(0));
    /// One.
    pub const ONE: Integer = Integer(Small(1));

    /// The number as a machine word, if it fits.
    pub fn small(&self) -> Option<i64> {
        match self.0 {
            Small(number) => Some(number),
            Large(_) => None,
        }
    }

    fn large(&self) -> BigInt {
        match &self.0 {
            Small(number) => BigInt::from(*number),
            Large(number) => (**number).clone(),
        }
    }

    /// How many binary digits it has.
    pub fn digits(&self) -> u64 {
        match &self.0 {
            Small(number) => u64::from(64 - number.unsigned_abs().leading_zeros()),
            Large(number) => number.bits(),
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        *self < Integer::ZERO
    }

    /// The number of the other sign.
    pub fn negated(&self) -> Integer {
        &Integer::ZERO - self
    }

    /// How often `other`, which is above zero, goes into this number as a whole, and what is left over, which is not below zero.
    ///
    /// # Panics
    /// If `other` is zero.
    pub fn divided_by(&self, other: &Integer) -> (Integer, Integer) {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && *b > 0
        {
            return (Integer::from(a.div_euclid(*b)), Integer::from(a.rem_euclid(*b)));
        }
        let (quotient, rest) = self.large().div_mod_floor(&other.large());
        (Integer::from(quotient), Integer::from(rest))
    }
}

impl From<i64> for Integer {
    fn from(number: i64) -> Integer {
        Integer(Small(number))
    }
}

impl From<BigInt> for Integer {
    fn from(number: BigInt) -> Integer {
        match i64::try_from(&number) {
            Ok(small) => Integer(Small(small)),
            Err(_) => Integer(Large(Arc::new(number))),
        }
    }
}

macro_rules! operator {
    ($name:ident, $method:ident, $checked:ident) => {
        impl std::ops::$name for &Integer {
            type Output = Integer;

            fn $method(self, other: &Integer) -> Integer {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(small) = a.$checked(*b)
                {
                    return Integer(Small(small));
                }
                Integer::from(std::ops::$name::$method(self.large(), other.large()))
            }
        }
    };
}

operator!(Add, add, checked_add);
operator!(Sub, sub, checked_sub);
operator!(Mul, mul, checked_mul);

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Large(a), Large(b)) => a.cmp(b),
            _ => self.large().cmp(&other.large()),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(number) => number.fmt(formatter),
            Large(number) => number.fmt(formatter),
        }
    }
}

/// Longer texts are no numbers: reading them takes time in the square of their length.
const LONGEST: usize = 10_000;

impl FromStr for Integer {
    type Err = ();

    /// Reads digits, with a minus before them where it is below zero, exactly as they would be written.
    fn from_str(text: &str) -> Result<Integer, ()> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_number = !digits.is_empty()
            && text.len() <= LONGEST
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && (digits == "0" || !digits.starts_with('0'))
            && text != "-0";
        match is_number {
            true => BigInt::from_str(text).map(Integer::from).map_err(|_| ()),
            false => Err(()),
        }
    }
}

impl Serialize for Integer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_string().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Integer, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| serde::de::Error::custom("expected a number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(text: &str) -> Integer {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_grow_beyond_machine_words_and_come_back() {
        let large = &number("9223372036854775807") * &number("9223372036854775807");
        assert_eq!(large.to_string(), "85070591730234615847396907784232501249");
        assert_eq!(&large - &large, Integer::ZERO);
        assert_eq!(
            large.divided_by(&number("9223372036854775807")),
            (number("9223372036854775807"), Integer::ZERO)
        );
    }

    #[test]
    fn only_what_would_be_written_so_is_a_number() {
        for text in ["", "-", "-0", "01", "1.5", "+1", "1 "] {
            assert_eq!(text.parse::<Integer>(), Err(()), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn operations_agree_with_wide_machine_words(a: i64, b: i64) {
            let (x, y) = (Integer::from(a), Integer::from(b));
            let (a, b) = (i128::from(a), i128::from(b));
            prop_assert_eq!((&x + &y).to_string(), (a + b).to_string());
            prop_assert_eq!((&x - &y).to_string(), (a - b).to_string());
            prop_assert_eq!((&x * &y).to_string(), (a * b).to_string());
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(number(&x.to_string()), x);
        }
    }
}
