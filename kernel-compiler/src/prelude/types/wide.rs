// `u128` and `i128`, as two words of 64 bits each. The order of their fields is that of the numbers.

macro_rules! wide {
    ($name:ident, $high:ident, $min:expr, $max:expr) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
        struct $name {
            high: $high,
            low: u64,
        }

        operator!($name, Add add, AddAssign add_assign, overflowing_add, "attempt to add with overflow");
        operator!($name, Sub sub, SubAssign sub_assign, overflowing_sub, "attempt to subtract with overflow");
        operator!($name, Mul mul, MulAssign mul_assign, overflowing_mul, "attempt to multiply with overflow");
        division!($name, Div div, DivAssign div_assign, overflowing_div, "attempt to divide by zero", "attempt to divide with overflow");
        division!($name, Rem rem, RemAssign rem_assign, overflowing_rem, "attempt to calculate the remainder with a divisor of zero", "attempt to calculate the remainder with overflow");
        bitwise!($name, BitAnd bitand, BitAndAssign bitand_assign, &);
        bitwise!($name, BitOr bitor, BitOrAssign bitor_assign, |);
        bitwise!($name, BitXor bitxor, BitXorAssign bitxor_assign, ^);
        shift!($name, Shl shl, ShlAssign shl_assign, wrapping_shl, "attempt to shift left with overflow");
        shift!($name, Shr shr, ShrAssign shr_assign, wrapping_shr, "attempt to shift right with overflow");

        impl Not for $name {
            type Output = $name;

            fn not(self) -> $name {
                $name { high: !self.high, low: !self.low }
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = $name>>(items: I) -> $name {
                items.fold($name { high: 0, low: 0 }, |sum, item| sum + item)
            }
        }

        impl<'a> Sum<&'a $name> for $name {
            fn sum<I: Iterator<Item = &'a $name>>(items: I) -> $name {
                items.fold($name { high: 0, low: 0 }, |sum, item| sum + *item)
            }
        }

        impl<'a> Product<&'a $name> for $name {
            fn product<I: Iterator<Item = &'a $name>>(items: I) -> $name {
                items.fold($name { high: 0, low: 1 }, |product, item| product * *item)
            }
        }

        impl Product for $name {
            fn product<I: Iterator<Item = $name>>(items: I) -> $name {
                items.fold($name { high: 0, low: 1 }, |product, item| product * item)
            }
        }

        from!($name, $high, u8);
        from!($name, $high, u16);
        from!($name, $high, u32);
        from!($name, $high, u64);
        from!($name, $high, bool);

        impl $name {
            const MIN: $name = $name { high: $min, low: 0 };
            const MAX: $name = $name { high: $max, low: u64::MAX };
            const BITS: u32 = 128;

            fn wrapping_add(self, other: $name) -> $name {
                let (low, carry) = self.low.overflowing_add(other.low);
                $name { high: self.high.wrapping_add(other.high).wrapping_add(carry as $high), low }
            }

            fn wrapping_sub(self, other: $name) -> $name {
                let (low, borrow) = self.low.overflowing_sub(other.low);
                $name { high: self.high.wrapping_sub(other.high).wrapping_sub(borrow as $high), low }
            }

            fn wrapping_mul(self, other: $name) -> $name {
                let (low, high) = self.low.carrying_mul(other.low, 0);
                let first = self.low.wrapping_mul(other.high as u64);
                let second = (self.high as u64).wrapping_mul(other.low);
                $name { high: high.wrapping_add(first).wrapping_add(second) as $high, low }
            }

            fn wrapping_neg(self) -> $name {
                $name { high: 0, low: 0 }.wrapping_sub(self)
            }

            fn wrapping_shl(self, count: u32) -> $name {
                let count = count & 127;
                if count >= 64 {
                    $name { high: (self.low << (count - 64)) as $high, low: 0 }
                } else if count == 0 {
                    self
                } else {
                    $name { high: self.high << count | (self.low >> (64 - count)) as $high, low: self.low << count }
                }
            }

            fn wrapping_shr(self, count: u32) -> $name {
                let count = count & 127;
                // Where there is a sign, it comes in.
                let sign = self.high >> 63 >> 1;
                if count >= 64 {
                    $name { high: sign, low: (self.high >> (count - 64)) as u64 }
                } else if count == 0 {
                    self
                } else {
                    $name { high: self.high >> count, low: self.low >> count | (self.high as u64) << (64 - count) }
                }
            }

            fn wrapping_div(self, other: $name) -> $name {
                if other.high == 0 && other.low == 0 {
                    panic!("attempt to divide by zero");
                }
                self.overflowing_div(other).0
            }

            fn wrapping_rem(self, other: $name) -> $name {
                if other.high == 0 && other.low == 0 {
                    panic!("attempt to calculate the remainder with a divisor of zero");
                }
                self.overflowing_rem(other).0
            }

            fn checked_add(self, other: $name) -> Option<$name> {
                let (sum, overflows) = self.overflowing_add(other);
                if overflows { None } else { Some(sum) }
            }

            fn checked_sub(self, other: $name) -> Option<$name> {
                let (difference, overflows) = self.overflowing_sub(other);
                if overflows { None } else { Some(difference) }
            }

            fn checked_mul(self, other: $name) -> Option<$name> {
                let (product, overflows) = self.overflowing_mul(other);
                if overflows { None } else { Some(product) }
            }

            fn checked_div(self, other: $name) -> Option<$name> {
                if other.high == 0 && other.low == 0 {
                    return None;
                }
                let (quotient, overflows) = self.overflowing_div(other);
                if overflows { None } else { Some(quotient) }
            }

            fn checked_rem(self, other: $name) -> Option<$name> {
                if other.high == 0 && other.low == 0 {
                    return None;
                }
                let (remainder, overflows) = self.overflowing_rem(other);
                if overflows { None } else { Some(remainder) }
            }

            fn saturating_add(self, other: $name) -> $name {
                let (sum, overflows) = self.overflowing_add(other);
                if !overflows { sum } else if other.__is_negative() { $name::MIN } else { $name::MAX }
            }

            fn saturating_sub(self, other: $name) -> $name {
                let (difference, overflows) = self.overflowing_sub(other);
                if !overflows { difference } else if self.__is_negative() || $min == 0 { $name::MIN } else { $name::MAX }
            }

            fn saturating_mul(self, other: $name) -> $name {
                let (product, overflows) = self.overflowing_mul(other);
                if !overflows {
                    product
                } else if self.__is_negative() != other.__is_negative() {
                    $name::MIN
                } else {
                    $name::MAX
                }
            }

            fn overflowing_pow(self, exponent: u32) -> ($name, bool) {
                let (mut result, mut square) = ($name { high: 0, low: 1 }, self);
                let (mut left, mut overflown) = (exponent, false);
                while left > 0 {
                    if left & 1 == 1 {
                        let (product, overflows) = result.overflowing_mul(square);
                        result = product;
                        overflown = overflown || overflows;
                    }
                    left >>= 1;
                    if left > 0 {
                        let (product, overflows) = square.overflowing_mul(square);
                        square = product;
                        overflown = overflown || overflows;
                    }
                }
                (result, overflown)
            }

            fn wrapping_pow(self, exponent: u32) -> $name {
                self.overflowing_pow(exponent).0
            }

            fn checked_pow(self, exponent: u32) -> Option<$name> {
                let (power, overflows) = self.overflowing_pow(exponent);
                if overflows { None } else { Some(power) }
            }

            fn pow(self, exponent: u32) -> $name {
                let (power, overflows) = self.overflowing_pow(exponent);
                if __checks_overflow() && overflows {
                    panic!("attempt to multiply with overflow");
                }
                power
            }

            fn count_ones(self) -> u32 {
                self.high.count_ones() + self.low.count_ones()
            }

            fn count_zeros(self) -> u32 {
                128 - self.count_ones()
            }

            fn leading_zeros(self) -> u32 {
                if self.high == 0 { 64 + self.low.leading_zeros() } else { self.high.leading_zeros() }
            }

            fn trailing_zeros(self) -> u32 {
                if self.low == 0 { 64 + self.high.trailing_zeros() } else { self.low.trailing_zeros() }
            }

            fn leading_ones(self) -> u32 {
                (!self).leading_zeros()
            }

            fn trailing_ones(self) -> u32 {
                (!self).trailing_zeros()
            }

            fn swap_bytes(self) -> $name {
                $name { high: self.low.swap_bytes() as $high, low: (self.high as u64).swap_bytes() }
            }

            fn reverse_bits(self) -> $name {
                $name { high: self.low.reverse_bits() as $high, low: (self.high as u64).reverse_bits() }
            }

            fn rotate_left(self, count: u32) -> $name {
                let bits = u128 { high: self.high as u64, low: self.low };
                let turned = bits.wrapping_shl(count) | bits.wrapping_shr(128 - (count & 127));
                if count & 127 == 0 { self } else { $name { high: turned.high as $high, low: turned.low } }
            }

            fn rotate_right(self, count: u32) -> $name {
                self.rotate_left(128 - (count & 127))
            }

            fn abs_diff(self, other: $name) -> u128 {
                let difference = if self < other { other.wrapping_sub(self) } else { self.wrapping_sub(other) };
                u128 { high: difference.high as u64, low: difference.low }
            }

            fn to_le_bytes(self) -> [u8; 16] {
                let (low, high) = (self.low.to_le_bytes(), self.high.to_le_bytes());
                std::array::from_fn(|k| if k < 8 { low[k & 7] } else { high[k & 7] })
            }

            fn to_be_bytes(self) -> [u8; 16] {
                let (high, low) = (self.high.to_be_bytes(), self.low.to_be_bytes());
                std::array::from_fn(|k| if k < 8 { high[k & 7] } else { low[k & 7] })
            }

            fn to_ne_bytes(self) -> [u8; 16] {
                self.to_le_bytes()
            }

            fn from_le_bytes(bytes: [u8; 16]) -> $name {
                let mut value = $name { high: 0, low: 0 };
                for k in 0..8 {
                    value.low |= (bytes[k] as u64) << (8 * k);
                    value.high |= (bytes[k + 8] as $high) << (8 * k);
                }
                value
            }

            fn from_be_bytes(bytes: [u8; 16]) -> $name {
                $name::from_le_bytes(bytes).swap_bytes()
            }

            fn from_ne_bytes(bytes: [u8; 16]) -> $name {
                $name::from_le_bytes(bytes)
            }
        }
    };
}

macro_rules! operator {
    ($name:ident, $of:ident $call:ident, $assigning:ident $assign:ident, $overflowing:ident, $message:literal) => {
        impl $of for $name {
            type Output = $name;

            fn $call(self, other: $name) -> $name {
                let (result, overflows) = self.$overflowing(other);
                if __checks_overflow() && overflows {
                    panic!($message);
                }
                result
            }
        }

        impl $assigning for $name {
            fn $assign(&mut self, other: $name) {
                *self = $of::$call(*self, other);
            }
        }
    };
}

macro_rules! division {
    ($name:ident, $of:ident $call:ident, $assigning:ident $assign:ident, $overflowing:ident, $zero:literal, $message:literal) => {
        impl $of for $name {
            type Output = $name;

            fn $call(self, other: $name) -> $name {
                if other.high == 0 && other.low == 0 {
                    panic!($zero);
                }
                let (result, overflows) = self.$overflowing(other);
                // Whatever the profile is.
                if overflows {
                    panic!($message);
                }
                result
            }
        }

        impl $assigning for $name {
            fn $assign(&mut self, other: $name) {
                *self = $of::$call(*self, other);
            }
        }
    };
}

macro_rules! bitwise {
    ($name:ident, $of:ident $call:ident, $assigning:ident $assign:ident, $sign:tt) => {
        impl $of for $name {
            type Output = $name;

            fn $call(self, other: $name) -> $name {
                $name { high: self.high $sign other.high, low: self.low $sign other.low }
            }
        }

        impl $assigning for $name {
            fn $assign(&mut self, other: $name) {
                *self = *self $sign other;
            }
        }
    };
}

macro_rules! shift {
    ($name:ident, $of:ident $call:ident, $assigning:ident $assign:ident, $wrapping:ident, $message:literal) => {
        impl<T> $of<T> for $name {
            type Output = $name;

            fn $call(self, count: T) -> $name {
                let count = count as u32;
                if __checks_overflow() && count >= 128 {
                    panic!($message);
                }
                self.$wrapping(count)
            }
        }

        impl<T> $assigning<T> for $name {
            fn $assign(&mut self, count: T) {
                *self = $of::$call(*self, count);
            }
        }
    };
}

macro_rules! from {
    ($name:ident, $high:ident, $from:ident) => {
        impl From<$from> for $name {
            fn from(value: $from) -> $name {
                $name { high: 0, low: value as u64 }
            }
        }
    };
}

macro_rules! from_signed {
    ($from:ident) => {
        impl From<$from> for i128 {
            fn from(value: $from) -> i128 {
                i128 { high: value as i64 >> 63, low: value as i64 as u64 }
            }
        }
    };
}

wide!(u128, u64, 0, u64::MAX);
wide!(i128, i64, i64::MIN, i64::MAX);

from_signed!(i8);
from_signed!(i16);
from_signed!(i32);
from_signed!(i64);

impl Neg for i128 {
    type Output = i128;

    fn neg(self) -> i128 {
        if __checks_overflow() && self == i128::MIN {
            panic!("attempt to negate with overflow");
        }
        self.wrapping_neg()
    }
}

impl u128 {
    fn __is_negative(self) -> bool {
        false
    }

    fn overflowing_add(self, other: u128) -> (u128, bool) {
        let sum = self.wrapping_add(other);
        (sum, sum < self)
    }

    fn overflowing_sub(self, other: u128) -> (u128, bool) {
        (self.wrapping_sub(other), self < other)
    }

    fn overflowing_mul(self, other: u128) -> (u128, bool) {
        let (low, carry) = self.low.carrying_mul(other.low, 0);
        let (first, first_over) = self.low.carrying_mul(other.high, 0);
        let (second, second_over) = self.high.carrying_mul(other.low, 0);
        let (sum, sum_over) = carry.overflowing_add(first);
        let (high, high_over) = sum.overflowing_add(second);
        let both = self.high != 0 && other.high != 0;
        (u128 { high, low }, both || first_over != 0 || second_over != 0 || sum_over || high_over)
    }

    fn overflowing_div(self, other: u128) -> (u128, bool) {
        (self.__div_rem(other).0, false)
    }

    fn overflowing_rem(self, other: u128) -> (u128, bool) {
        (self.__div_rem(other).1, false)
    }

    // By shifts and differences, a bit of the quotient at a time, unless both numbers have one word.
    fn __div_rem(self, other: u128) -> (u128, u128) {
        if self.high == 0 && other.high == 0 {
            let quotient = u128 { high: 0, low: self.low / other.low };
            return (quotient, u128 { high: 0, low: self.low % other.low });
        }
        if self < other {
            return (u128 { high: 0, low: 0 }, self);
        }
        let mut count = other.leading_zeros() - self.leading_zeros() + 1;
        let (mut rest, mut quotient) = (self, u128 { high: 0, low: 0 });
        let mut part = other.wrapping_shl(count - 1);
        while count > 0 {
            quotient = quotient.wrapping_shl(1);
            if rest >= part {
                rest = rest.wrapping_sub(part);
                quotient.low |= 1;
            }
            part = part.wrapping_shr(1);
            count -= 1;
        }
        (quotient, rest)
    }

    fn is_power_of_two(self) -> bool {
        self.count_ones() == 1
    }

    fn ilog2(self) -> u32 {
        if self.high == 0 && self.low == 0 {
            panic!("argument of integer logarithm must be positive");
        }
        127 - self.leading_zeros()
    }

    fn rem_euclid(self, other: u128) -> u128 {
        self % other
    }

    fn div_euclid(self, other: u128) -> u128 {
        self / other
    }

    fn cast_signed(self) -> i128 {
        i128 { high: self.high as i64, low: self.low }
    }

    // The number with the nearest 64 bits, of which the last stands for all that are lost, and the bits that follow them.
    fn __top(self) -> (u64, u32) {
        let zeros = self.leading_zeros();
        if zeros >= 64 {
            return (self.low, 0);
        }
        let top = self.wrapping_shl(zeros);
        (top.high | (top.low != 0) as u64, 64 - zeros)
    }

    fn __to_f64(self) -> f64 {
        let (top, shift) = self.__top();
        top as f64 * f64::from_bits(((1023 + shift) as u64) << 52)
    }

    fn __to_f32(self) -> f32 {
        let (top, shift) = self.__top();
        top as f32 * f32::from_bits((127 + shift) << 23)
    }

    // Rounded towards zero, and to what there is.
    fn __from_f64(value: f64) -> u128 {
        if !(value >= 1.0) {
            return u128 { high: 0, low: 0 };
        }
        let bits = value.to_bits();
        let exponent = (bits >> 52) as u32 - 1023;
        if exponent > 127 {
            return u128::MAX;
        }
        let fraction = bits & 0xF_FFFF_FFFF_FFFF | 1 << 52;
        if exponent < 52 {
            u128 { high: 0, low: fraction >> (52 - exponent) }
        } else {
            u128 { high: 0, low: fraction }.wrapping_shl(exponent - 52)
        }
    }
}

impl i128 {
    fn __is_negative(self) -> bool {
        self.high < 0
    }

    fn is_negative(self) -> bool {
        self.high < 0
    }

    fn is_positive(self) -> bool {
        self > i128 { high: 0, low: 0 }
    }

    fn unsigned_abs(self) -> u128 {
        let bits = if self.high < 0 { self.wrapping_neg() } else { self };
        u128 { high: bits.high as u64, low: bits.low }
    }

    fn wrapping_abs(self) -> i128 {
        if self.high < 0 { self.wrapping_neg() } else { self }
    }

    fn abs(self) -> i128 {
        if self.high < 0 { -self } else { self }
    }

    fn signum(self) -> i128 {
        let (sign, some) = (self.high >> 63, self.high != 0 || self.low != 0);
        i128 { high: sign, low: sign as u64 | some as u64 }
    }

    fn cast_unsigned(self) -> u128 {
        u128 { high: self.high as u64, low: self.low }
    }

    fn __with_sign(magnitude: u128, negative: bool) -> i128 {
        let value = i128 { high: magnitude.high as i64, low: magnitude.low };
        if negative { value.wrapping_neg() } else { value }
    }

    fn overflowing_add(self, other: i128) -> (i128, bool) {
        let sum = self.wrapping_add(other);
        (sum, ((self.high ^ sum.high) & (other.high ^ sum.high)) < 0)
    }

    fn overflowing_sub(self, other: i128) -> (i128, bool) {
        let difference = self.wrapping_sub(other);
        (difference, ((self.high ^ other.high) & (self.high ^ difference.high)) < 0)
    }

    fn overflowing_mul(self, other: i128) -> (i128, bool) {
        let (magnitude, overflows) = self.unsigned_abs().overflowing_mul(other.unsigned_abs());
        let negative = (self.high < 0) != (other.high < 0);
        let least = magnitude.high == 1 << 63 && magnitude.low == 0;
        let fits = magnitude.high >> 63 == 0 || negative && least;
        (i128::__with_sign(magnitude, negative), overflows || !fits)
    }

    fn overflowing_div(self, other: i128) -> (i128, bool) {
        let quotient = self.unsigned_abs().__div_rem(other.unsigned_abs()).0;
        let negative = (self.high < 0) != (other.high < 0);
        (i128::__with_sign(quotient, negative), !negative && quotient.high >> 63 == 1)
    }

    fn overflowing_rem(self, other: i128) -> (i128, bool) {
        let (quotient, remainder) = self.unsigned_abs().__div_rem(other.unsigned_abs());
        let overflows = (self.high < 0) == (other.high < 0) && quotient.high >> 63 == 1;
        (i128::__with_sign(remainder, self.high < 0), overflows)
    }

    fn rem_euclid(self, other: i128) -> i128 {
        let rest = self % other;
        if rest.high < 0 { rest.wrapping_add(other.wrapping_abs()) } else { rest }
    }

    fn div_euclid(self, other: i128) -> i128 {
        let quotient = self / other;
        if (self % other).high >= 0 {
            quotient
        } else if other.high < 0 {
            quotient + i128 { high: 0, low: 1 }
        } else {
            quotient - i128 { high: 0, low: 1 }
        }
    }

    fn __to_f64(self) -> f64 {
        let magnitude = self.unsigned_abs().__to_f64();
        if self.high < 0 { -magnitude } else { magnitude }
    }

    fn __to_f32(self) -> f32 {
        let magnitude = self.unsigned_abs().__to_f32();
        if self.high < 0 { -magnitude } else { magnitude }
    }

    fn __from_f64(value: f64) -> i128 {
        let magnitude = u128::__from_f64(value.abs());
        if magnitude.high >> 63 == 0 {
            i128::__with_sign(magnitude, value < 0.0)
        } else if value < 0.0 {
            i128::MIN
        } else {
            i128::MAX
        }
    }
}

impl Debug for u128 {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        Display::fmt(self, f)
    }
}

impl Debug for i128 {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        Display::fmt(self, f)
    }
}

impl Display for u128 {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.pad_integral(true, "", std::fmt::WideDigits::decimal(self.high, self.low).text())
    }
}

impl Display for i128 {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        let magnitude = self.unsigned_abs();
        f.pad_integral(self.high >= 0, "", std::fmt::WideDigits::decimal(magnitude.high, magnitude.low).text())
    }
}

macro_rules! formatted {
    ($($of:ident $prefix:literal $bits:literal $first_letter:literal)*) => {
        $(
            impl $of for u128 {
                fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
                    f.pad_integral(true, $prefix, std::fmt::WideDigits::of_bits(self.high, self.low, $bits, $first_letter).text())
                }
            }

            impl $of for i128 {
                fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
                    f.pad_integral(true, $prefix, std::fmt::WideDigits::of_bits(self.high as u64, self.low, $bits, $first_letter).text())
                }
            }
        )*
    };
}

formatted!(LowerHex "0x" 4 97 UpperHex "0x" 4 65 Binary "0b" 1 97 Octal "0o" 3 97);
