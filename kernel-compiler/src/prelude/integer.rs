// The bytes of integers, which have as many as `N` says.

fn to_le_bytes<T, const N: usize>(this: T) -> [u8; N] {
    std::array::from_fn(|k| (this >> (8 * k)) as u8)
}

fn to_ne_bytes<T, const N: usize>(this: T) -> [u8; N] {
    std::array::from_fn(|k| (this >> (8 * k)) as u8)
}

fn to_be_bytes<T, const N: usize>(this: T) -> [u8; N] {
    std::array::from_fn(|k| (this >> (8 * (N - 1 - k))) as u8)
}

fn from_le_bytes<T, const N: usize>(bytes: [u8; N]) -> T {
    let mut value: T = 0;
    for k in 0..N {
        value |= (bytes[k] as T) << (8 * k);
    }
    value
}

fn from_ne_bytes<T, const N: usize>(bytes: [u8; N]) -> T {
    let mut value: T = 0;
    for k in 0..N {
        value |= (bytes[k] as T) << (8 * k);
    }
    value
}

fn from_be_bytes<T, const N: usize>(bytes: [u8; N]) -> T {
    let mut value: T = 0;
    for k in 0..N {
        value |= (bytes[k] as T) << (8 * (N - 1 - k));
    }
    value
}

// What a `u8` is as a character.

fn eq_ignore_ascii_case<T, const N: usize>(this: T, other: &T) -> bool {
    this.to_ascii_lowercase() == other.to_ascii_lowercase()
}

fn make_ascii_lowercase<T, const N: usize>(this: &mut T) {
    *this = this.to_ascii_lowercase();
}

fn make_ascii_uppercase<T, const N: usize>(this: &mut T) {
    *this = this.to_ascii_uppercase();
}

// What text says.

fn from_str_radix<T, const N: usize>(text: &str, radix: u32) -> Result<T, std::num::ParseIntError> {
    if radix < 2 || radix > 36 {
        panic!("from_ascii_radix: radix must lie in the range `[2, 36]`");
    }
    let bytes = text.as_bytes();
    if bytes.len() == 0 {
        return Err(std::num::ParseIntError { kind: std::num::IntErrorKind::Empty });
    }
    let is_signed = T::MIN != 0;
    let is_negative = is_signed && bytes[0] == 45;
    let start = if bytes[0] == 43 || is_negative { 1 } else { 0 };
    if start == bytes.len() {
        return Err(std::num::ParseIntError { kind: std::num::IntErrorKind::InvalidDigit });
    }
    let mut value: T = 0;
    for index in start..bytes.len() {
        let code = bytes[index] as u32;
        let letter = (code | 32).wrapping_sub(97).saturating_add(10);
        let digit = if code < 58 { code.wrapping_sub(48) } else { letter };
        // That a character is no digit is said before that what stands before it is too large.
        let shifted = value.checked_mul(radix as T);
        if digit >= radix {
            return Err(std::num::ParseIntError { kind: std::num::IntErrorKind::InvalidDigit });
        }
        let next = match shifted {
            Some(shifted) if is_negative => shifted.checked_sub(digit as T),
            Some(shifted) => shifted.checked_add(digit as T),
            None => None,
        };
        value = match next {
            Some(next) => next,
            None if is_negative => return Err(std::num::ParseIntError { kind: std::num::IntErrorKind::NegOverflow }),
            None => return Err(std::num::ParseIntError { kind: std::num::IntErrorKind::PosOverflow }),
        };
    }
    Ok(value)
}
