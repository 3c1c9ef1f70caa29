//! Text in a C array of fixed length.

use std::borrow::Cow;
use std::ffi::c_char;
use std::fmt;

use crate::abi::Zero;

/// A C array of `N` bytes that holds text up to its first NUL: the name of a device, for instance.
///
/// The array may come from a driver, so nothing is assumed of it: the NUL may be missing and the text need
/// not be UTF-8.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FixedCStr<const N: usize>(pub [c_char; N]);

impl<const N: usize> FixedCStr<N> {
    /// The array that begins with `text`, cut off at a character boundary so that a NUL follows it.
    pub fn new(text: &str) -> Self {
        let mut array = [0; N];
        let mut length = text.len().min(N.saturating_sub(1));
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        for (to, from) in array.iter_mut().zip(&text.as_bytes()[..length]) {
            *to = from.cast_signed() as c_char;
        }
        Self(array)
    }

    /// The text before the first NUL, or all of it if there is none; what is not UTF-8 is replaced.
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        let length = self.0.iter().position(|&c| c == 0).unwrap_or(N);
        // SAFETY: a C character has the size and the alignment of a byte, and every byte is a valid `u8`.
        let bytes = unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast::<u8>(), length) };
        String::from_utf8_lossy(bytes)
    }
}

impl<const N: usize> Default for FixedCStr<N> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const N: usize> Zero for FixedCStr<N> {
    const ZERO: Self = Self([0; N]);
}

impl<const N: usize> fmt::Debug for FixedCStr<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::FixedCStr;

    #[test]
    fn ends_at_the_first_nul_or_at_the_array() {
        assert_eq!(FixedCStr::<4>::new("ab").to_string_lossy(), "ab");
        assert_eq!(FixedCStr([b'a' as _, b'b' as _]).to_string_lossy(), "ab");
        assert_eq!(FixedCStr::<4>::default().to_string_lossy(), "");
        assert_eq!(FixedCStr::<0>::new("ab").to_string_lossy(), "");
    }

    #[test]
    fn cuts_long_text_at_a_character_and_keeps_the_nul() {
        assert_eq!(FixedCStr::<4>::new("aéé").to_string_lossy(), "aé");
        assert_eq!(FixedCStr::<3>::new("aéé").to_string_lossy(), "a");
    }

    #[test]
    fn replaces_what_is_not_utf8() {
        assert_eq!(FixedCStr([b'a' as _, 0xff_u8 as _, 0]).to_string_lossy(), "a\u{fffd}");
    }
}
