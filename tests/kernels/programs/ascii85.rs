//! Binary data as text of base 85, with its short form of zeros, and back.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod ascii85 {
    use core::fmt::{self, Write};
    use core::iter::Peekable;
    use core::slice::Iter;

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub enum DecodeError {
        BadByte { at: usize, byte: u8 },
        Overflow,
        Incomplete,
        Full,
    }

    pub struct Encoder<W> {
        out: W,
        pub written: usize,
    }

    impl<W: Write> Encoder<W> {
        pub const fn new(out: W) -> Self {
            Encoder { out, written: 0 }
        }

        pub fn encode(&mut self, data: &[u8]) -> fmt::Result {
            for chunk in data.chunks(4) {
                let mut word = [0u8; 4];
                word[..chunk.len()].copy_from_slice(chunk);
                let mut n = u32::from_be_bytes(word);
                if n == 0 && chunk.len() == 4 {
                    self.out.write_char('z')?;
                    self.written += 1;
                    continue;
                }
                let mut digits = [0u8; 5];
                for d in digits.iter_mut().rev() {
                    *d = (n % 85) as u8;
                    n /= 85;
                }
                for &d in &digits[..=chunk.len()] {
                    self.out.write_char((b'!' + d) as char)?;
                    self.written += 1;
                }
            }
            Ok(())
        }

        pub fn finish(self) -> W {
            self.out
        }
    }

    /// Text of a fixed capacity.
    #[derive(Clone)]
    pub struct Text<const N: usize> {
        bytes: [u8; N],
        len: usize,
    }

    impl<const N: usize> Default for Text<N> {
        fn default() -> Self {
            Self { bytes: [0; N], len: 0 }
        }
    }

    impl<const N: usize> Write for Text<N> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            let end = self.len.checked_add(s.len()).filter(|&e| e <= N).ok_or(fmt::Error)?;
            self.bytes[self.len..end].copy_from_slice(s.as_bytes());
            self.len = end;
            Ok(())
        }
    }

    impl<const N: usize> AsRef<[u8]> for Text<N> {
        fn as_ref(&self) -> &[u8] {
            &self.bytes[..self.len]
        }
    }

    struct Groups<'a> {
        text: &'a [u8],
        bytes: Peekable<core::iter::Enumerate<Iter<'a, u8>>>,
    }

    impl<'a> Groups<'a> {
        fn new(text: &'a [u8]) -> Self {
            Groups { text, bytes: text.iter().enumerate().peekable() }
        }

        /// The next word, and how many of its bytes count.
        fn group(&mut self) -> Result<Option<(u32, usize)>, DecodeError> {
            while self.bytes.next_if(|(_, b)| b.is_ascii_whitespace()).is_some() {}
            if self.bytes.next_if(|&(_, &b)| b == b'z').is_some() {
                return Ok(Some((0, 4)));
            }
            let mut word = 0u32;
            let mut count = 0;
            while count < 5 {
                match self.bytes.next() {
                    Some((_, &b @ b'!'..=b'u')) => {
                        word = word
                            .checked_mul(85)
                            .and_then(|w| w.checked_add((b - b'!').into()))
                            .ok_or(DecodeError::Overflow)?;
                        count += 1;
                    }
                    Some((at, _)) => return Err(DecodeError::BadByte { at, byte: self.text[at] }),
                    None => break,
                }
            }
            match count {
                0 => Ok(None),
                1 => Err(DecodeError::Incomplete),
                n => {
                    for _ in n..5 {
                        word = word
                            .checked_mul(85)
                            .and_then(|w| w.checked_add(84))
                            .ok_or(DecodeError::Overflow)?;
                    }
                    Ok(Some((word, n - 1)))
                }
            }
        }
    }

    pub fn decode<'o>(text: impl AsRef<[u8]>, out: &'o mut [u8]) -> Result<&'o [u8], DecodeError> {
        let mut groups = Groups::new(text.as_ref());
        let mut len = 0;
        while let Some((word, n)) = groups.group()? {
            out.get_mut(len..len + n).ok_or(DecodeError::Full)?.copy_from_slice(&word.to_be_bytes()[..n]);
            len += n;
        }
        Ok(&out[..len])
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use ascii85::{DecodeError, Encoder, Text, decode};
    let mut data = [0u8; 22];
    let mut x = seed;
    for (i, b) in data.iter_mut().enumerate() {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *b = if i / 4 == 2 { 0 } else { (x >> 24) as u8 };
    }
    let data = &data[..22 - (seed % 4) as usize];
    let mut encoder = Encoder::new(Text::<32>::default());
    if encoder.encode(data).is_err() {
        return [u32::MAX; 4];
    }
    let written = encoder.written as u32;
    let text = encoder.finish();
    let sum = text.as_ref().iter().fold(7u32, |s, &b| s.wrapping_mul(31) + b as u32);
    let mut back = [0; 24];
    let same = decode(&text, &mut back).map(|b| b == data);
    let bad = match decode("87cUR\n D]~", &mut back) {
        Ok(b) => b.len() as u32,
        Err(DecodeError::BadByte { at, byte }) => (at as u32) << 8 | byte as u32,
        Err(DecodeError::Overflow) => 1,
        Err(DecodeError::Incomplete) => 2,
        Err(DecodeError::Full) => 3,
    };
    let over = decode(if seed % 2 == 0 { "uuuuu" } else { "s8W-!" }, &mut back[..3 + (seed % 3) as usize]);
    let over = over.map_or_else(|e| 500 + u32::from(e == DecodeError::Full), |b| u32::from(b[0]));
    [written, sum, u32::from(same == Ok(true)) << 16 | bad, over]
}

#[kernel]
pub fn ascii85(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&ASCII85, program)
}
