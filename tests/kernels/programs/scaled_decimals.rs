//! Decimal numbers with a scale, in the manner of `rust_decimal`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cmp::Ordering;
    use core::fmt::{self, Write};
    use core::iter::Sum;
    use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
    use core::str::FromStr;

    #[derive(Clone, Copy, Debug)]
    pub struct Decimal {
        mantissa: i64,
        scale: u32,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RoundingStrategy {
        ToZero,
        AwayFromZero,
        MidpointNearestEven,
        MidpointAwayFromZero,
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub enum ParseDecimalError {
        Empty,
        Invalid { at: usize, found: u8 },
        TooLarge,
    }

    impl Decimal {
        pub const ZERO: Decimal = Decimal::new(0, 0);
        pub const ONE: Self = Self::new(1, 0);
        const MAX_SCALE: u32 = 9;

        pub const fn new(mantissa: i64, scale: u32) -> Self {
            assert!(scale <= Self::MAX_SCALE, "scale is too large");
            Decimal { mantissa, scale }
        }

        pub fn rescale(self, scale: u32) -> Option<i64> {
            match scale.cmp(&self.scale) {
                Ordering::Equal => Some(self.mantissa),
                Ordering::Greater => self.mantissa.checked_mul(10i64.checked_pow(scale - self.scale)?),
                Ordering::Less => Some(self.mantissa / 10i64.pow(self.scale - scale)),
            }
        }

        pub fn round_dp_with_strategy(self, dp: u32, strategy: RoundingStrategy) -> Self {
            if dp >= self.scale {
                return self;
            }
            let unit = 10i64.pow(self.scale - dp);
            let (whole, rest) = (self.mantissa / unit, self.mantissa % unit);
            let away = self.mantissa.signum();
            let up = match strategy {
                RoundingStrategy::ToZero => false,
                RoundingStrategy::AwayFromZero => rest != 0,
                RoundingStrategy::MidpointAwayFromZero => rest.abs() * 2 >= unit,
                RoundingStrategy::MidpointNearestEven => match (rest.abs() * 2).cmp(&unit) {
                    Ordering::Less => false,
                    Ordering::Equal => whole % 2 != 0,
                    Ordering::Greater => true,
                },
            };
            Decimal { mantissa: if up { whole + away } else { whole }, scale: dp }
        }

        pub fn normalize(mut self) -> Self {
            while self.scale > 0 && self.mantissa % 10 == 0 {
                self.mantissa /= 10;
                self.scale -= 1;
            }
            self
        }

        pub fn checked_div(self, other: Self) -> Option<Self> {
            let wide = i128::from(self.mantissa) * 10i128.pow(Self::MAX_SCALE + other.scale - self.scale);
            let mantissa = wide.checked_div(other.mantissa.into())?;
            Some(Decimal { mantissa: mantissa.try_into().ok()?, scale: Self::MAX_SCALE }.normalize())
        }

        pub fn is_sign_negative(&self) -> bool {
            self.mantissa.is_negative()
        }

        fn aligned(self, other: Self) -> (i64, i64, u32) {
            let scale = self.scale.max(other.scale);
            (self.rescale(scale).expect("overflow"), other.rescale(scale).expect("overflow"), scale)
        }
    }

    impl From<i32> for Decimal {
        fn from(n: i32) -> Self {
            Self::new(n as i64, 0)
        }
    }

    impl FromStr for Decimal {
        type Err = ParseDecimalError;

        fn from_str(s: &str) -> Result<Self, Self::Err> {
            let (negative, digits) = match s.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, s.strip_prefix('+').unwrap_or(s)),
            };
            if digits.is_empty() {
                return Err(ParseDecimalError::Empty);
            }
            let mut mantissa = 0i64;
            let mut scale = None;
            for (at, byte) in digits.bytes().enumerate() {
                match byte {
                    b'0'..=b'9' => {
                        let digit = i64::from(byte - b'0');
                        mantissa = mantissa
                            .checked_mul(10)
                            .and_then(|m| m.checked_add(digit))
                            .ok_or(ParseDecimalError::TooLarge)?;
                        if let Some(s) = scale.as_mut() {
                            *s += 1;
                        }
                    }
                    b'.' if scale.is_none() => scale = Some(0),
                    b'_' => continue,
                    found => return Err(ParseDecimalError::Invalid { at, found }),
                }
            }
            Ok(Decimal {
                mantissa: if negative { -mantissa } else { mantissa },
                scale: scale.unwrap_or_default(),
            })
        }
    }

    impl fmt::Display for Decimal {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let unit = 10u64.pow(self.scale);
            let size = self.mantissa.unsigned_abs();
            if self.is_sign_negative() {
                f.write_char('-')?;
            }
            write!(f, "{}", size / unit)?;
            if self.scale > 0 {
                write!(f, ".{:0width$}", size % unit, width = self.scale as usize)?;
            }
            Ok(())
        }
    }

    macro_rules! forward {
        ($($trait:ident :: $method:ident by $op:tt),*) => {$(
            impl $trait for Decimal {
                type Output = Decimal;
                fn $method(self, other: Decimal) -> Decimal {
                    let (a, b, scale) = self.aligned(other);
                    Decimal { mantissa: a $op b, scale }
                }
            }

            impl<'a> $trait<&'a Decimal> for Decimal {
                type Output = Decimal;
                fn $method(self, other: &'a Decimal) -> Decimal {
                    $trait::$method(self, *other)
                }
            }
        )*};
    }

    forward!(Add::add by +, Sub::sub by -);

    impl Mul for Decimal {
        type Output = Decimal;
        fn mul(self, other: Self) -> Self {
            let exact = Decimal { mantissa: self.mantissa * other.mantissa, scale: self.scale + other.scale };
            exact.round_dp_with_strategy(Self::MAX_SCALE, RoundingStrategy::MidpointNearestEven)
        }
    }

    impl Div for Decimal {
        type Output = Decimal;
        fn div(self, other: Self) -> Self {
            self.checked_div(other).expect("division by zero")
        }
    }

    impl Neg for Decimal {
        type Output = Self;
        fn neg(self) -> Self {
            Self { mantissa: -self.mantissa, ..self }
        }
    }

    impl AddAssign for Decimal {
        fn add_assign(&mut self, other: Self) {
            *self = *self + other;
        }
    }

    impl Sum for Decimal {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Decimal::ZERO, |a, b| a + b)
        }
    }

    impl<'a> Sum<&'a Decimal> for Decimal {
        fn sum<I: Iterator<Item = &'a Decimal>>(iter: I) -> Self {
            iter.copied().sum()
        }
    }

    impl PartialEq for Decimal {
        fn eq(&self, other: &Self) -> bool {
            self.cmp(other) == Ordering::Equal
        }
    }

    impl Eq for Decimal {}

    impl PartialOrd for Decimal {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Decimal {
        fn cmp(&self, other: &Self) -> Ordering {
            let (a, b, _) = self.aligned(*other);
            a.cmp(&b)
        }
    }

    struct Text<const N: usize> {
        bytes: [u8; N],
        len: usize,
    }

    impl<const N: usize> Write for Text<N> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            let end = self.len + s.len();
            self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(s.as_bytes());
            self.len = end;
            Ok(())
        }
    }

    impl<const N: usize> Text<N> {
        fn as_str(&self) -> &str {
            core::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
        }
    }

    const PRICES: [&str; 6] = ["19.99", "-0.5", "+3.1415926", "100", "1_000.25", "12x"];

    pub fn run(i: u32) -> u64 {
        let one: Result<Decimal, _> = PRICES[i as usize % 6].parse();
        let parsed = match one {
            Ok(d) => d,
            Err(ParseDecimalError::Invalid { at, found }) => Decimal::new(at as i64 * 1000 + found as i64, 2),
            Err(_) => Decimal::ONE,
        };
        let tax = Decimal::new(775, 4);
        let total = parsed * (Decimal::ONE + tax) + Decimal::from(i as i32);
        let third = total / Decimal::from(3);
        let items = [parsed, total, -third, tax];
        let sum: Decimal = items.iter().sum();
        let most = items.iter().max().unwrap();
        let strategy = match i % 4 {
            0 => RoundingStrategy::ToZero,
            1 => RoundingStrategy::AwayFromZero,
            2 => RoundingStrategy::MidpointNearestEven,
            _ => RoundingStrategy::MidpointAwayFromZero,
        };
        let rounded = sum.round_dp_with_strategy(2, strategy);
        let mut text = Text::<48> { bytes: [0; 48], len: 0 };
        write!(text, "{rounded} {most:>12}").unwrap();
        let again = text.as_str().split(' ').next().and_then(|t| t.parse::<Decimal>().ok());
        text.bytes.iter().fold(0u64, |h, &b| h.wrapping_mul(131) + b as u64)
            + u64::from(again == Some(rounded))
            + (rounded < sum) as u64 * 2
    }
}

#[kernel]
pub fn scaled_decimals(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&SCALED_DECIMALS, program::run)
}
