//! A decoder of LZ4 blocks that goes through a reader and a sink.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::ops::Range;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum DecompressError {
        OutputTooSmall { expected: usize, actual: usize },
        LiteralOutOfBounds,
        ExpectedAnotherByte,
        OffsetOutOfBounds,
    }
    use DecompressError::*;

    pub struct Sink<'a> {
        output: &'a mut [u8],
        pos: usize,
    }

    impl<'a> Sink<'a> {
        pub fn new(output: &'a mut [u8]) -> Self {
            Self { output, pos: 0 }
        }

        fn reserve(&mut self, count: usize) -> Result<Range<usize>, DecompressError> {
            let range = self.pos..self.pos + count;
            if range.end > self.output.len() {
                return Err(OutputTooSmall { expected: range.end, actual: self.output.len() });
            }
            self.pos = range.end;
            Ok(range)
        }

        fn extend_from_slice(&mut self, data: &[u8]) -> Result<(), DecompressError> {
            let range = self.reserve(data.len())?;
            self.output[range].copy_from_slice(data);
            Ok(())
        }

        fn extend_from_within(&mut self, offset: usize, count: usize) -> Result<(), DecompressError> {
            let start = self.pos.checked_sub(offset).filter(|_| offset != 0).ok_or(OffsetOutOfBounds)?;
            for (from, to) in (start..).zip(self.reserve(count)?) {
                self.output[to] = self.output[from];
            }
            Ok(())
        }
    }

    struct Reader<'a>(&'a [u8]);

    impl<'a> Reader<'a> {
        fn byte(&mut self) -> Result<u8, DecompressError> {
            let (&first, rest) = self.0.split_first().ok_or(ExpectedAnotherByte)?;
            self.0 = rest;
            Ok(first)
        }

        fn u16(&mut self) -> Result<u16, DecompressError> {
            Ok(u16::from_le_bytes([self.byte()?, self.byte()?]))
        }

        fn take(&mut self, n: usize) -> Option<&'a [u8]> {
            if n > self.0.len() {
                None
            } else {
                let (head, tail) = self.0.split_at(n);
                self.0 = tail;
                Some(head)
            }
        }

        fn integer(&mut self, nibble: u8) -> Result<usize, DecompressError> {
            let mut n = nibble as usize;
            if nibble == 0xF {
                loop {
                    let extra = self.byte()?;
                    n += extra as usize;
                    if extra != 0xFF {
                        break;
                    }
                }
            }
            Ok(n)
        }
    }

    pub fn decompress_into(input: &[u8], output: &mut [u8]) -> Result<usize, DecompressError> {
        let mut reader = Reader(input);
        let mut sink = Sink::new(output);
        loop {
            let token = reader.byte()?;
            let literals = reader.integer(token >> 4)?;
            let bytes = reader.take(literals).ok_or(LiteralOutOfBounds)?;
            sink.extend_from_slice(bytes)?;
            if reader.0.is_empty() {
                return Ok(sink.pos);
            }
            let offset = reader.u16()?.into();
            let length = 4 + reader.integer(token & 0xF)?;
            sink.extend_from_within(offset, length)?;
        }
    }

    const STREAM: &[u8] = &[
        0x45, b'l', b'a', b'l', b'a', 4, 0, 0x2F, b'!', b'?', 2, 0, 7, 0xF0, 3, b'o', b'n', b'c', b'e', b' ',
        b'u', b'p', b'o', b'n', b' ', b'a', b' ', b't', b'i', b'm', b'e', b'.', b'.',
    ];

    pub fn run(seed: u32) -> [u32; 8] {
        let mut input = [0; 40];
        let input = &mut input[..STREAM.len()];
        input.copy_from_slice(STREAM);
        if seed % 5 == 3 {
            input[seed as usize % STREAM.len()] ^= (seed >> 8) as u8;
        }
        let mut output = [0; 96];
        let limit = if seed % 7 == 6 { 30 } else { output.len() };
        let (code, count) = match decompress_into(input, &mut output[..limit]) {
            Ok(count) => (0, count as u32),
            Err(OutputTooSmall { expected, actual }) => (1, (expected * 1000 + actual) as u32),
            Err(LiteralOutOfBounds) => (2, 0),
            Err(e @ (ExpectedAnotherByte | OffsetOutOfBounds)) => (3, u32::from(e == ExpectedAnotherByte)),
        };
        let mut out = [code, count, 0, 0, 0, 0, 0, 0];
        for (i, word) in output.chunks(16).enumerate() {
            out[2 + i] = word.iter().fold(0, |h, &b| h.wrapping_mul(31) ^ b as u32 & 0x7F);
        }
        out
    }
}

#[kernel]
pub fn lz4_decoded(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&LZ4_DECODED, program::run)
}
