// What floating-point numbers are as text: whole numbers of many words, and the digits that are made of them.

// A number of so many words, of which the first ones are in use.
#[derive(Clone, Copy)]
struct Whole<const N: usize> {
    words: [u32; N],
    len: usize,
}

impl<const N: usize> Whole<N> {
    fn set(&mut self, value: u64) {
        self.words[0] = value as u32;
        self.words[1] = (value >> 32) as u32;
        self.len = 2;
    }

    fn multiply_add(&mut self, by: u32, plus: u32) {
        let mut carry = plus as u64;
        for at in 0..self.len {
            carry += self.words[at] as u64 * by as u64;
            self.words[at] = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.words[self.len] = carry as u32;
            self.len += 1;
        }
    }

    fn scale(&mut self, tens: usize) {
        let mut left = tens;
        while left > 0 {
            let step = left.min(9);
            let mut by = 1u32;
            for _ in 0..step {
                by *= 10;
            }
            self.multiply_add(by, 0);
            left -= step;
        }
    }

    fn shift(&mut self, bits: usize) {
        let words = bits / 32;
        if words > 0 {
            let mut at = self.len;
            while at > 0 {
                at -= 1;
                self.words[at + words] = self.words[at];
            }
            for at in 0..words {
                self.words[at] = 0;
            }
            self.len += words;
        }
        self.multiply_add(1u32 << (bits % 32), 0);
    }

    // By a number that is not larger.
    fn subtract(&mut self, other: &Whole<N>) {
        let mut borrow = 0u64;
        for at in 0..self.len {
            let by = borrow + if at < other.len { other.words[at] as u64 } else { 0 };
            let own = self.words[at] as u64;
            borrow = if by > own { 1 } else { 0 };
            self.words[at] = own.wrapping_sub(by) as u32;
        }
    }

    fn bits(&self) -> usize {
        let mut at = self.len;
        while at > 0 {
            at -= 1;
            if self.words[at] != 0 {
                return at * 32 + 32 - self.words[at].leading_zeros() as usize;
            }
        }
        0
    }

    // The sign of `self - other`.
    fn compare(&self, other: &Whole<N>) -> i32 {
        let mut at = self.len.max(other.len);
        while at > 0 {
            at -= 1;
            let own = if at < self.len { self.words[at] } else { 0 };
            let theirs = if at < other.len { other.words[at] } else { 0 };
            if own != theirs {
                return if own > theirs { 1 } else { -1 };
            }
        }
        0
    }

    // The sign of `self + plus - other`.
    fn compare_sum(&self, plus: &Whole<N>, other: &Whole<N>) -> i32 {
        let mut difference = 0i64;
        let mut at = self.len.max(plus.len).max(other.len);
        while at > 0 {
            at -= 1;
            difference <<= 32;
            if at < self.len {
                difference += self.words[at] as i64;
            }
            if at < plus.len {
                difference += plus.words[at] as i64;
            }
            if at < other.len {
                difference -= other.words[at] as i64;
            }
            // The words below are worth less than two of this one, and more than minus one.
            if difference > 1 {
                return 1;
            }
            if difference < -1 {
                return -1;
            }
        }
        difference.signum() as i32
    }
}

// `0.digits * 10^point`.
struct Decimal<const D: usize> {
    digits: [u8; D],
    len: usize,
    point: i32,
}

impl<const D: usize> Decimal<D> {
    // Becomes the least number of digits that tell `mantissa * 2^exponent` from its neighbours, and the nearest of those. Below a power of two, neighbours are half as far.
    fn set_shortest<const N: usize>(&mut self, mantissa: u64, exponent: i32, is_power: bool) {
        if mantissa == 0 {
            self.set_zero();
            return;
        }
        let is_even = if mantissa & 1 == 0 { 1 } else { 0 };
        let near = if is_power { 1usize } else { 0 };
        let up = exponent.max(0) as usize;
        let down = (-exponent).max(0) as usize;
        let mut rest = std::fmt::Whole { words: [0u32; N], len: 0 };
        let mut unit = std::fmt::Whole { words: [0u32; N], len: 0 };
        let mut above = std::fmt::Whole { words: [0u32; N], len: 0 };
        let mut below = std::fmt::Whole { words: [0u32; N], len: 0 };
        rest.set(mantissa);
        unit.set(1);
        above.set(1);
        below.set(1);
        rest.shift(up + 1 + near);
        unit.shift(down + 1 + near);
        above.shift(up + near);
        below.shift(up);
        let point = std::fmt::Decimal::<D>::estimate(mantissa, exponent);
        let tens = (-point).max(0) as usize;
        unit.scale(point.max(0) as usize);
        rest.scale(tens);
        above.scale(tens);
        below.scale(tens);
        // The first digit is there already where the estimate was one too low.
        let mut is_there = rest.compare_sum(&above, &unit) + is_even > 0;
        self.point = if is_there { point + 1 } else { point };
        self.len = 0;
        loop {
            if !is_there {
                rest.multiply_add(10, 0);
                above.multiply_add(10, 0);
                below.multiply_add(10, 0);
            }
            is_there = false;
            self.push_digit(&mut rest, &unit);
            let is_low = rest.compare(&below) - is_even < 0;
            let is_high = rest.compare_sum(&above, &unit) + is_even > 0;
            if is_low || is_high {
                if is_high && (!is_low || rest.compare_sum(&rest, &unit) >= 0) {
                    self.round_up();
                }
                return;
            }
        }
    }

    // Becomes so many digits behind the point; of zeros at the end there are as many as the standard library takes for digits.
    fn set_exact<const N: usize>(&mut self, mantissa: u64, exponent: i32, is_power: bool, places: i32) {
        if mantissa == 0 {
            self.set_zero();
            return;
        }
        let mut rest = std::fmt::Whole { words: [0u32; N], len: 0 };
        let mut unit = std::fmt::Whole { words: [0u32; N], len: 0 };
        rest.set(mantissa);
        unit.set(1);
        rest.shift(exponent.max(0) as usize);
        unit.shift((-exponent).max(0) as usize);
        let point = std::fmt::Decimal::<D>::estimate(mantissa, exponent);
        unit.scale(point.max(0) as usize);
        rest.scale((-point).max(0) as usize);
        let is_there = rest.compare(&unit) >= 0;
        self.point = if is_there { point + 1 } else { point };
        self.len = 0;
        let count = places.saturating_add(self.point);
        if count < 0 {
            return;
        }
        if !is_there {
            rest.multiply_add(10, 0);
        }
        let near = exponent - if is_power { 2 } else { 1 };
        let most = 21 + if near < 0 { near * -12 / 16 } else { near * 5 / 16 };
        let count = count.min(most).min(D as i32);
        while (self.len as i32) < count {
            self.push_digit(&mut rest, &unit);
            rest.multiply_add(10, 0);
        }
        // The rest is ten times as much as it is worth.
        unit.multiply_add(5, 0);
        let order = rest.compare(&unit);
        if order > 0 || order == 0 && self.len > 0 && self.digits[self.len - 1] & 1 == 1 {
            self.round_up();
        }
    }

    // Zero has no digits.
    fn set_zero(&mut self) {
        self.len = 0;
        self.point = 1;
    }

    // How many units there are, which the rest loses.
    fn push_digit<const N: usize>(&mut self, rest: &mut Whole<N>, unit: &Whole<N>) {
        let mut digit = 48u8;
        while rest.compare(unit) >= 0 {
            rest.subtract(unit);
            digit += 1;
        }
        self.digits[self.len] = digit;
        self.len += 1;
    }

    // The point of the number, or one less.
    fn estimate(mantissa: u64, exponent: i32) -> i32 {
        let bits = 64 - mantissa.leading_zeros() as i32 + exponent;
        // The logarithm of 2, times 2^32.
        ((bits as i64 * 1_292_913_986) >> 32) as i32
    }

    // The next larger number of so many digits, or one more; of none, it is a one before them.
    fn round_up(&mut self) {
        let mut at = self.len;
        while at > 0 && self.digits[at - 1] == 57 {
            at -= 1;
            self.digits[at] = 48;
        }
        if at > 0 {
            self.digits[at - 1] += 1;
        } else {
            if self.len < D {
                self.digits[self.len] = 48;
                self.len += 1;
            }
            self.digits[0] = 49;
            self.point += 1;
        }
    }

    // How many digits there are before the point, at least one, and behind it.
    fn extents(&self, least: usize) -> (usize, usize) {
        let before = self.point.max(1) as usize;
        let behind = (self.len as i32 - self.point).max(0) as usize;
        (before, if self.len == 0 { least } else { behind.max(least) })
    }

    fn size(&self, least: usize) -> usize {
        let (before, behind) = self.extents(least);
        if behind > 0 { before + 1 + behind } else { before }
    }

    // In parts as the standard library writes them, at least so many digits behind the point.
    fn write<W>(&self, least: usize, out: &mut W) -> Result<(), std::fmt::Error> {
        let (before, behind) = self.extents(least);
        let digits = &self.digits[..self.len];
        if self.len == 0 || self.point <= 0 {
            out.write_str(if behind > 0 { "0." } else { "0" })?;
            if self.len == 0 {
                return std::fmt::Decimal::<D>::zeros(behind, out);
            }
            std::fmt::Decimal::<D>::zeros((-self.point) as usize, out)?;
            out.write_str(str { bytes: digits })?;
            let written = (-self.point) as usize + self.len;
            return std::fmt::Decimal::<D>::zeros(behind.saturating_sub(written), out);
        }
        if before < self.len {
            out.write_str(str { bytes: &digits[..before] })?;
            out.write_str(".")?;
            out.write_str(str { bytes: &digits[before..] })?;
            return std::fmt::Decimal::<D>::zeros(behind - (self.len - before), out);
        }
        out.write_str(str { bytes: digits })?;
        std::fmt::Decimal::<D>::zeros(before - self.len, out)?;
        if behind > 0 {
            out.write_str(".")?;
        }
        std::fmt::Decimal::<D>::zeros(behind, out)
    }

    // Whether `{:?}` writes it by a power of ten.
    fn is_far(&self) -> bool {
        self.len > 0 && (self.point > 16 || self.point < -3)
    }

    fn power(&self) -> i32 {
        self.point - 1
    }

    fn scientific_size(&self) -> usize {
        let digits = self.len + if self.len > 1 { 1 } else { 0 };
        let power = self.power().unsigned_abs();
        let of_power = if power < 10 { 1 } else if power < 100 { 2 } else { 3 };
        digits + of_power + if self.power() < 0 { 2 } else { 1 }
    }

    fn write_scientific<W>(&self, out: &mut W) -> Result<(), std::fmt::Error> {
        out.write_str(str { bytes: &self.digits[..1] })?;
        if self.len > 1 {
            out.write_str(".")?;
            out.write_str(str { bytes: &self.digits[1..self.len] })?;
        }
        let power = self.power();
        out.write_str(if power < 0 { "e-" } else { "e" })?;
        out.write_str(std::fmt::Digits::of(power.unsigned_abs() as u64, 10, 97).text())
    }

    fn zeros<W>(count: usize, out: &mut W) -> Result<(), std::fmt::Error> {
        let some = "0000000000000000000000000000000000000000000000000000000000000000";
        let mut left = count;
        while left > 64 {
            out.write_str(some)?;
            left -= 64;
        }
        if left > 0 { out.write_str(str { bytes: &some.bytes[..left] }) } else { Ok(()) }
    }
}

// A floating-point number in parts: a mantissa and an exponent of two, or what is none.
#[derive(Clone, Copy)]
struct Float {
    is_negative: bool,
    mantissa: u64,
    exponent: i32,
    is_power: bool,
    is_infinite: bool,
    is_nan: bool,
}

impl Float {
    // Of the bits of a number with so many of them, so many of which are its fraction.
    fn of(bits: u64, size: u32, fraction: u32) -> Float {
        let most = (1u64 << (size - 1 - fraction)) - 1;
        let rest = bits & ((1u64 << fraction) - 1);
        let biased = bits >> fraction & most;
        let is_special = biased == most;
        let is_normal = biased > 0;
        Float {
            is_negative: bits >> (size - 1) == 1,
            mantissa: if is_normal { rest | 1u64 << fraction } else { rest },
            exponent: biased.max(1) as i32 - (most >> 1) as i32 - fraction as i32,
            is_power: rest == 0 && biased > 1,
            is_infinite: is_special && rest == 0,
            is_nan: is_special && rest != 0,
        }
    }
}
