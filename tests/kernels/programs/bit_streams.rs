//! Bits that are written and read, and codes of them.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    pub struct BitWriter<'b> {
        buf: &'b mut [u8],
        pos: usize,
    }
    pub struct BitReader<'b> {
        buf: &'b [u8],
        pos: usize,
    }
    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub struct Eof;
    impl<'b> BitWriter<'b> {
        pub fn new(buf: &'b mut [u8]) -> Self {
            buf.fill(0);
            BitWriter { buf, pos: 0 }
        }
        pub fn put(&mut self, bits: u32, n: u32) -> Result<(), Eof> {
            for k in (0..n).rev() {
                let byte = self.buf.get_mut(self.pos >> 3).ok_or(Eof)?;
                *byte |= ((bits >> k & 1) as u8) << (7 - (self.pos & 7));
                self.pos += 1;
            }
            Ok(())
        }
        pub fn finish(self) -> &'b [u8] {
            let n = self.pos.div_ceil(8);
            &self.buf[..n]
        }
    }
    impl<'b> BitReader<'b> {
        pub fn bit(&mut self) -> Result<bool, Eof> {
            let b = self.buf.get(self.pos / 8).ok_or(Eof)?;
            let r = b >> (7 - self.pos % 8) & 1 != 0;
            self.pos += 1;
            Ok(r)
        }
        pub fn bits(&mut self, n: u32) -> Result<u32, Eof> {
            (0..n).try_fold(0, |v, _| Ok(v << 1 | u32::from(self.bit()?)))
        }
    }
    impl<'b> From<&'b [u8]> for BitReader<'b> {
        fn from(buf: &'b [u8]) -> Self {
            BitReader { buf, pos: 0 }
        }
    }
    #[derive(Clone, Copy, Debug, Default)]
    struct Code {
        bits: u16,
        len: u8,
    }
    struct Canonical<const N: usize> {
        codes: [Code; N],
        order: [u8; N],
        counts: [u16; 16],
    }
    impl<const N: usize> Canonical<N> {
        const fn from_lengths(lens: &[u8; N]) -> Self {
            let mut counts = [0u16; 16];
            let mut i = 0;
            while i < N {
                counts[lens[i] as usize] += 1;
                i += 1;
            }
            counts[0] = 0;
            let mut next = [0u16; 17];
            let mut l = 1;
            while l < 16 {
                next[l + 1] = (next[l] + counts[l]) << 1;
                l += 1;
            }
            let mut codes = [Code { bits: 0, len: 0 }; N];
            let mut order = [0; N];
            let mut k = 0;
            let mut len = 1;
            while len < 16 {
                let mut s = 0;
                while s < N {
                    if lens[s] == len {
                        codes[s] = Code { bits: next[len as usize], len };
                        next[len as usize] += 1;
                        order[k] = s as u8;
                        k += 1;
                    }
                    s += 1;
                }
                len += 1;
            }
            Canonical { codes, order, counts }
        }
        fn decode(&self, r: &mut BitReader<'_>) -> Result<u8, Eof> {
            let (mut code, mut first, mut index) = (0i32, 0i32, 0i32);
            for &count in &self.counts[1..] {
                code |= r.bit()? as i32;
                let count = count as i32;
                if code - count < first {
                    return Ok(self.order[(index + code - first) as usize]);
                }
                index += count;
                first = (first + count) << 1;
                code <<= 1;
            }
            Err(Eof)
        }
    }
    static TABLE: Canonical<8> = Canonical::from_lengths(&[3, 3, 3, 3, 3, 2, 4, 4]);
    pub fn run(i: u32) -> u64 {
        let mut buf = [0xffu8; 16];
        let mut w = BitWriter::new(&mut buf);
        let message: [u8; 14] = core::array::from_fn(|k| ((k as u32 * i + k as u32) % 8) as u8);
        for &m in &message {
            let Code { bits, len } = TABLE.codes[m as usize];
            w.put(bits.into(), len.into()).unwrap();
        }
        let total = w.pos;
        let out = w.finish();
        let mut r = BitReader::from(out);
        let mut ok = 0;
        for &m in message.iter() {
            if TABLE.decode(&mut r) == Ok(m) {
                ok += 1;
            }
        }
        let mut r2: BitReader = out.into();
        let head = r2.bits(12);
        let tail = {
            r2.pos = out.len() * 8 - 4;
            r2.bits(5)
        };
        let small = BitWriter::new(&mut [0; 1]).put(0x1ff, 9);
        ok as u64
            + total as u64 * 100
            + head.unwrap_or(0) as u64 * 7
            + tail.is_err() as u64
            + small.is_err() as u64
            + out.iter().rev().fold(0u64, |a, &b| a.rotate_left(8) ^ b as u64)
    }
}

#[kernel]
pub fn bit_streams(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&BIT_STREAMS, program::run)
}
