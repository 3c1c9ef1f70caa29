//! The decompressor of DEFLATE, with stored, fixed and dynamic blocks, as small inflaters for embedded systems have it.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum InflateError {
        UnexpectedEnd,
        InvalidBlockType,
        StoredLength { len: u16, nlen: u16 },
        BadCode,
        BadDistance(usize),
        OutputFull,
        OverSubscribed,
    }

    use InflateError as E;

    type Result<T> = core::result::Result<T, InflateError>;

    struct BitReader<'a> {
        data: core::slice::Iter<'a, u8>,
        hold: u32,
        bits: u8,
    }

    impl<'a> BitReader<'a> {
        fn new(data: &'a [u8]) -> Self {
            BitReader { data: data.iter(), hold: 0, bits: 0 }
        }

        fn take(&mut self, n: u8) -> Result<u32> {
            while self.bits < n {
                let &byte = self.data.next().ok_or(E::UnexpectedEnd)?;
                self.hold |= u32::from(byte) << self.bits;
                self.bits += 8;
            }
            let value = self.hold & ((1 << n) - 1);
            self.hold >>= n;
            self.bits -= n;
            Ok(value)
        }

        fn align(&mut self) {
            let skip = self.bits % 8;
            self.hold >>= skip;
            self.bits -= skip;
        }
    }

    const MAX_BITS: usize = 15;

    struct Huffman<const SYMBOLS: usize> {
        counts: [u16; MAX_BITS + 1],
        symbols: [u16; SYMBOLS],
    }

    impl<const SYMBOLS: usize> Huffman<SYMBOLS> {
        fn new(lengths: &[u8]) -> Result<Self> {
            let mut counts = [0; MAX_BITS + 1];
            for &len in lengths {
                counts[len as usize] += 1;
            }
            counts[0] = 0;
            let mut left = 1i32;
            for &count in &counts[1..] {
                left = (left << 1) - i32::from(count);
                if left < 0 {
                    return Err(E::OverSubscribed);
                }
            }
            let mut offsets = [0u16; MAX_BITS + 1];
            for i in 1..MAX_BITS {
                offsets[i + 1] = offsets[i] + counts[i];
            }
            let mut symbols = [0; SYMBOLS];
            for (symbol, &len) in lengths.iter().enumerate().filter(|&(_, &len)| len != 0) {
                let offset = &mut offsets[usize::from(len)];
                symbols[usize::from(*offset)] = symbol as u16;
                *offset += 1;
            }
            Ok(Huffman { counts, symbols })
        }

        fn decode(&self, input: &mut BitReader<'_>) -> Result<u16> {
            let (mut code, mut first, mut index) = (0i32, 0i32, 0i32);
            for &count in self.counts.iter().skip(1) {
                code |= input.take(1)? as i32;
                let count = i32::from(count);
                if code - count < first {
                    return Ok(self.symbols[(index + (code - first)) as usize]);
                }
                index += count;
                first = (first + count) << 1;
                code <<= 1;
            }
            Err(E::BadCode)
        }
    }

    pub struct Output<'b> {
        buffer: &'b mut [u8],
        at: usize,
    }

    impl Output<'_> {
        fn push(&mut self, byte: u8) -> Result<()> {
            *self.buffer.get_mut(self.at).ok_or(E::OutputFull)? = byte;
            self.at += 1;
            Ok(())
        }

        fn copy_back(&mut self, distance: usize, length: usize) -> Result<()> {
            let start = self.at.checked_sub(distance).ok_or(E::BadDistance(distance))?;
            for i in 0..length {
                self.push(self.buffer[start + i])?;
            }
            Ok(())
        }
    }

    const LENGTH_BASE: [u16; 29] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
        195, 227, 258,
    ];
    const LENGTH_EXTRA: [u8; 29] =
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
    const CODE_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

    const fn distance(code: u16) -> (u16, u8) {
        if code < 4 {
            (code + 1, 0)
        } else {
            let extra = (code / 2 - 1) as u8;
            (((2 + (code & 1)) << extra) + 1, extra)
        }
    }

    const fn fixed_lengths() -> [u8; 288] {
        let mut lengths = [8; 288];
        let mut i = 144;
        while i < 280 {
            lengths[i] = if i < 256 { 9 } else { 7 };
            i += 1;
        }
        lengths
    }

    static FIXED: [u8; 288] = fixed_lengths();

    fn block(
        input: &mut BitReader,
        out: &mut Output,
        literals: &Huffman<288>,
        distances: &Huffman<30>,
    ) -> Result<()> {
        loop {
            match literals.decode(input)? {
                byte @ 0..=255 => out.push(byte as u8)?,
                256 => break Ok(()),
                code => {
                    let i = usize::from(code - 257);
                    let (Some(&base), Some(&extra)) = (LENGTH_BASE.get(i), LENGTH_EXTRA.get(i)) else {
                        return Err(E::BadCode);
                    };
                    let length = usize::from(base) + input.take(extra)? as usize;
                    let (base, extra) = distance(distances.decode(input)?);
                    let back = base as usize + input.take(extra)? as usize;
                    out.copy_back(back, length)?;
                }
            }
        }
    }

    fn dynamic(input: &mut BitReader) -> Result<(Huffman<288>, Huffman<30>)> {
        let nlen = input.take(5)? as usize + 257;
        let ndist = input.take(5)? as usize + 1;
        let ncode = input.take(4)? as usize + 4;
        let mut lengths = [0u8; 320];
        for &at in CODE_ORDER.iter().take(ncode) {
            lengths[at] = input.take(3)? as u8;
        }
        let codes = Huffman::<19>::new(&lengths[..19])?;
        lengths.fill(0);
        let mut i = 0;
        while i < nlen + ndist {
            let (value, times) = match codes.decode(input)? {
                len @ ..=15 => (len as u8, 1),
                16 => {
                    let last = i.checked_sub(1).map(|i| lengths[i]).ok_or(E::BadCode)?;
                    (last, 3 + input.take(2)?)
                }
                17 => (0, 3 + input.take(3)?),
                _ => (0, 11 + input.take(7)?),
            };
            let run = lengths.get_mut(i..i + times as usize).ok_or(E::BadCode)?;
            run.fill(value);
            i += times as usize;
        }
        let (literal, rest) = lengths.split_at(nlen);
        Ok((Huffman::new(literal)?, Huffman::new(&rest[..ndist.min(30)])?))
    }

    pub fn inflate(data: &[u8], buffer: &mut [u8]) -> Result<usize> {
        let mut input = BitReader::new(data);
        let mut out = Output { buffer, at: 0 };
        loop {
            let last = input.take(1)? == 1;
            match input.take(2)? {
                0 => {
                    input.align();
                    let (len, nlen) = (input.take(16)? as u16, input.take(16)? as u16);
                    if len != !nlen {
                        return Err(E::StoredLength { len, nlen });
                    }
                    for _ in 0..len {
                        let byte = input.take(8)?;
                        out.push(byte as u8)?;
                    }
                }
                1 => {
                    let (literals, distances) = (Huffman::new(&FIXED)?, Huffman::new(&[5; 30])?);
                    block(&mut input, &mut out, &literals, &distances)?;
                }
                2 => {
                    let (literals, distances) = dynamic(&mut input)?;
                    block(&mut input, &mut out, &literals, &distances)?;
                }
                _ => return Err(E::InvalidBlockType),
            }
            if last {
                return Ok(out.at);
            }
        }
    }

    const DATA: [&[u8]; 5] = [
        // "hello hello hello hello\n" in fixed codes.
        &[0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0xb9, 0x00],
        // "stored" without compression.
        &[0x01, 0x06, 0x00, 0xf9, 0xff, b's', b't', b'o', b'r', b'e', b'd'],
        DYNAMIC,
        &[0x07],
        &[0x01, 0x06, 0x00, 0xf8, 0xff],
    ];

    const DYNAMIC: &[u8] = &[
        0x4b, 0x4c, 0x84, 0x81, 0x24, 0x10, 0x48, 0x06, 0x82, 0x94, 0x44, 0x62, 0xc5, 0x92, 0xc0, 0x38, 0x31,
        0x31, 0x39, 0x29, 0x05, 0x24, 0x0e, 0x64, 0xa4, 0x00, 0x05, 0x12, 0x93, 0x81, 0x18, 0x44, 0x83, 0xe4,
        0x92, 0x40, 0x5c, 0x88, 0x20, 0x00,
    ];

    pub fn run(seed: u32) -> [u32; 4] {
        let which = (seed % 5) as usize;
        let mut data = [0u8; 96];
        let source = DATA[which];
        data[..source.len()].copy_from_slice(source);
        if seed & 0x300 == 0 {
            data[(seed >> 10) as usize % source.len()] ^= 1 << (seed >> 16 & 7);
        }
        let mut buffer = [0u8; 160];
        let result = inflate(&data[..source.len()], &mut buffer);
        let sum = buffer
            .iter()
            .fold((1u32, 0u32), |(a, b), &x| ((a + x as u32) % 65521, (a + b + x as u32) % 65521));
        let (code, detail) = match result {
            Ok(len) => (0, len as u32),
            Err(E::UnexpectedEnd) => (1, 0),
            Err(E::InvalidBlockType) => (2, 0),
            Err(E::StoredLength { len, nlen }) => (3, u32::from(len) << 16 | u32::from(nlen)),
            Err(E::BadCode) => (4, 0),
            Err(E::BadDistance(d)) => (5, d as u32),
            Err(E::OutputFull) => (6, 0),
            Err(E::OverSubscribed) => (7, 0),
        };
        [code, detail, sum.1 << 16 | sum.0, u32::from(buffer[0])]
    }
}

#[kernel]
pub fn streams_inflated(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&STREAMS_INFLATED, program::run)
}
