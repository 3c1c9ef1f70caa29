// `std::num::ParseFloatError`, and what parses.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FloatErrorKind {
    Empty,
    Invalid,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ParseFloatError {
    kind: FloatErrorKind,
}

impl std::fmt::Display for ParseFloatError {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.pad(match self.kind {
            std::num::FloatErrorKind::Empty => "cannot parse float from empty string",
            std::num::FloatErrorKind::Invalid => "invalid float literal",
        })
    }
}

// What is known of a format: the bits of its numbers and of their fraction, and what digits may matter. `N` words hold what is computed.
struct FloatText<const N: usize> {
    size: u32,
    fraction: u32,
    most_digits: usize,
    largest: i32,
    least: i32,
}

impl<const N: usize> FloatText<N> {
    fn to_f32(text: &str) -> Result<f32, std::num::ParseFloatError> {
        let format = std::num::FloatText::<22> { size: 32, fraction: 23, most_digits: 114, largest: 40, least: -46 };
        match format.bits(text) {
            Ok(bits) => Ok(f32::from_bits(bits as u32)),
            Err(kind) => Err(std::num::ParseFloatError { kind }),
        }
    }

    fn to_f64(text: &str) -> Result<f64, std::num::ParseFloatError> {
        let format = std::num::FloatText::<120> { size: 64, fraction: 52, most_digits: 770, largest: 310, least: -324 };
        match format.bits(text) {
            Ok(bits) => Ok(f64::from_bits(bits)),
            Err(kind) => Err(std::num::ParseFloatError { kind }),
        }
    }

    fn bits(&self, text: &str) -> Result<u64, std::num::FloatErrorKind> {
        let text = text.bytes;
        if text.len() == 0 {
            return Err(std::num::FloatErrorKind::Empty);
        }
        let (size, fraction) = (self.size, self.fraction);
        let bias = (1i32 << (size - fraction - 2)) - 1;
        let infinite = ((2 * bias + 1) as u64) << fraction;
        let is_negative = text[0] == 45;
        let sign = if is_negative { 1u64 << (size - 1) } else { 0 };
        let mut at = if is_negative || text[0] == 43 { 1usize } else { 0 };
        let rest = &text[at..];
        if rest.eq_ignore_ascii_case(b"inf") || rest.eq_ignore_ascii_case(b"infinity") {
            return Ok(sign | infinite);
        }
        if rest.eq_ignore_ascii_case(b"nan") {
            return Ok(sign | infinite | 1u64 << (fraction - 1));
        }
        // `number * 10^(point - digits)`.
        let mut number = std::fmt::Whole { words: [0u32; N], len: 1 };
        let (mut digits, mut point) = (0usize, 0i32);
        let (mut has_point, mut has_digit, mut is_cut) = (false, false, false);
        while at < text.len() {
            let byte = text[at];
            if byte == 46 && !has_point {
                has_point = true;
            } else if byte >= 48 && byte <= 57 {
                let digit = (byte - 48) as u32;
                has_digit = true;
                if digits == 0 && digit == 0 {
                    if has_point {
                        point = point.saturating_sub(1);
                    }
                } else {
                    if !has_point {
                        point = point.saturating_add(1);
                    }
                    if digits < self.most_digits {
                        number.multiply_add(10, digit);
                        digits += 1;
                    } else if digit != 0 {
                        is_cut = true;
                    }
                }
            } else {
                break;
            }
            at += 1;
        }
        if !has_digit {
            return Err(std::num::FloatErrorKind::Invalid);
        }
        if at < text.len() {
            if text[at] != 101 && text[at] != 69 {
                return Err(std::num::FloatErrorKind::Invalid);
            }
            at += 1;
            let is_below = at < text.len() && text[at] == 45;
            if is_below || at < text.len() && text[at] == 43 {
                at += 1;
            }
            if at == text.len() {
                return Err(std::num::FloatErrorKind::Invalid);
            }
            let mut exponent = 0i32;
            while at < text.len() {
                if text[at] < 48 || text[at] > 57 {
                    return Err(std::num::FloatErrorKind::Invalid);
                }
                exponent = exponent.saturating_mul(10).saturating_add((text[at] - 48) as i32);
                at += 1;
            }
            point = point.saturating_add(if is_below { -exponent } else { exponent });
        }
        if digits == 0 || point < self.least {
            return Ok(sign);
        }
        if point > self.largest {
            return Ok(sign | infinite);
        }
        // What was cut off makes the number a little larger.
        if is_cut {
            number.multiply_add(10, 1);
            digits += 1;
        }
        let tens = point - digits as i32;
        let mut unit = std::fmt::Whole { words: [0u32; N], len: 1 };
        unit.words[0] = 1;
        number.scale(tens.max(0) as usize);
        unit.scale((-tens).max(0) as usize);
        // The number is `2^exponent` units and more, but less than twice that.
        let mut exponent = number.bits() as i32 - unit.bits() as i32;
        unit.shift(exponent.max(0) as usize);
        number.shift((-exponent).max(0) as usize);
        if number.compare(&unit) < 0 {
            exponent -= 1;
            number.shift(1);
        }
        let biased = exponent + bias;
        let kept = fraction as i32 + biased.min(1);
        if kept < 0 {
            return Ok(sign);
        }
        let mut mantissa = 0u64;
        for _ in 0..kept {
            mantissa <<= 1;
            if number.compare(&unit) >= 0 {
                number.subtract(&unit);
                mantissa |= 1;
            }
            number.shift(1);
        }
        let order = number.compare(&unit);
        if order > 0 || order == 0 && mantissa & 1 == 1 {
            mantissa += 1;
        }
        // A one before the fraction is one more of the exponent.
        let bits = (((biased.max(1) - 1) as u64) << fraction) + mantissa;
        Ok(sign | bits.min(infinite))
    }
}
