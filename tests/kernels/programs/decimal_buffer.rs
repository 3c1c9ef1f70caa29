//! Integers as text in a buffer, two digits at a time.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::str;
    const DEC_DIGITS_LUT: &[u8; 200] = b"0001020304050607080910111213141516171819\
      2021222324252627282930313233343536373839\
      4041424344454647484950515253545556575859\
      6061626364656667686970717273747576777879\
      8081828384858687888990919293949596979899";
    mod private {
        pub trait Sealed: Copy {
            type Buffer: 'static;
            fn write(self, buf: &mut [u8; 20]) -> &str;
        }
    }
    /// A correctly-sized stack buffer for the formatted integer to be written into.
    pub struct Buffer {
        bytes: [u8; 20],
    }
    impl Default for Buffer {
        #[inline]
        fn default() -> Buffer {
            Buffer::new()
        }
    }
    impl Clone for Buffer {
        #[inline]
        #[allow(clippy::non_canonical_clone_impl, reason = "it is written as its author did")]
        fn clone(&self) -> Self {
            Buffer::new()
        }
    }
    impl Buffer {
        #[inline]
        pub fn new() -> Buffer {
            Buffer { bytes: [0u8; 20] }
        }
        /// Prints an integer into this buffer and returns a reference to its text.
        pub fn format<I: Integer>(&mut self, i: I) -> &str {
            i.write(&mut self.bytes)
        }
    }
    pub trait Integer: private::Sealed {}
    macro_rules! impl_Integer {
        ($t:ident as $large:ident, $max:expr) => {
            impl Integer for $t {}
            impl private::Sealed for $t {
                type Buffer = [u8; $max];
                #[allow(unused_comparisons, reason = "the macro is for signed integers too")]
                #[inline]
                fn write(self, buf: &mut [u8; 20]) -> &str {
                    let negative = self < 0;
                    let mut n = if negative { (!(self as $large)).wrapping_add(1) } else { self as $large };
                    let mut curr = buf.len();
                    while n >= 10_000 {
                        let rem = (n % 10_000) as usize;
                        n /= 10_000;
                        let (d1, d2) = ((rem / 100) << 1, (rem % 100) << 1);
                        curr -= 4;
                        buf[curr..curr + 2].copy_from_slice(&DEC_DIGITS_LUT[d1..d1 + 2]);
                        buf[curr + 2..curr + 4].copy_from_slice(&DEC_DIGITS_LUT[d2..][..2]);
                    }
                    let mut n = n as usize;
                    if n >= 100 {
                        let d1 = (n % 100) << 1;
                        n /= 100;
                        curr -= 2;
                        buf[curr..][..2].copy_from_slice(&DEC_DIGITS_LUT[d1..d1 + 2]);
                    }
                    if n < 10 {
                        curr -= 1;
                        buf[curr] = n as u8 + b'0';
                    } else {
                        let d1 = n << 1;
                        curr -= 2;
                        let [a, b] = [DEC_DIGITS_LUT[d1], DEC_DIGITS_LUT[d1 + 1]];
                        (buf[curr], buf[curr + 1]) = (a, b);
                    }
                    if negative {
                        curr -= 1;
                        buf[curr] = b'-';
                    }
                    // SAFETY: every byte from here on is a digit or the sign.
                    unsafe { str::from_utf8_unchecked(&buf[curr..]) }
                }
            }
        };
    }
    impl_Integer!(i8 as u32, 4);
    impl_Integer!(u16 as u32, 5);
    impl_Integer!(i32 as u32, 11);
    impl_Integer!(u64 as u64, 20);
    fn umul128_hi(a: u64, b: u64) -> u64 {
        ((u128::from(a) * u128::from(b)) >> 64) as u64
    }
    /// The number of decimal digits.
    const fn decimal_length(v: u64) -> u32 {
        match v.checked_ilog10() {
            Some(n) => n + 1,
            None => 1,
        }
    }
    fn hash(s: &str) -> u64 {
        s.chars().rev().enumerate().map(|(k, c)| (k as u64 + 1) * c as u64).sum()
    }
    pub fn run(i: u32) -> u64 {
        let mut b = Buffer::new();
        let x = (i as u64).wrapping_mul(0x9e3779b97f4a7c15) >> (i % 50);
        let mut h = hash(b.format(x)) * 31;
        h += hash(b.format(x as i32)) * 7;
        let short = b.format(i as i8 - 20);
        h += short.len() as u64 + hash(short);
        let mut other = b.clone();
        if let Some(rest) = other.format(x as i32).strip_prefix('-') {
            h ^= rest.parse::<u64>().unwrap_or(5) << 8;
        }
        h ^ umul128_hi(x, h)
            ^ (decimal_length(x) as u64) << 40
            ^ (b.format(x as u16) == other.format(x & 0xffff)) as u64
    }
}

#[kernel]
pub fn decimal_buffer(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&DECIMAL_BUFFER, program::run)
}
