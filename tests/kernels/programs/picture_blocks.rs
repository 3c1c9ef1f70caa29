//! Blocks of a picture as JPEG has them: the cosine transform of integers, quantization, the zigzag, and codes for runs.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod jpeg {
    pub type Block<T = i32> = [[T; 8]; 8];

    /// Natural order of the zigzag.
    const fn zigzag() -> [u8; 64] {
        let mut table = [0u8; 64];
        let (mut x, mut y) = (0i8, 0i8);
        let mut up = true;
        let mut i = 0;
        while i < table.len() {
            table[i] = (y * 8 + x) as u8;
            if up {
                if x == 7 {
                    y += 1;
                    up = false;
                } else if y == 0 {
                    x += 1;
                    up = false;
                } else {
                    x += 1;
                    y -= 1;
                }
            } else if y == 7 {
                x += 1;
                up = true;
            } else if x == 0 {
                y += 1;
                up = true;
            } else {
                x -= 1;
                y += 1;
            }
            i += 1;
        }
        table
    }

    pub static UNZIGZAG: [u8; 64] = zigzag();

    #[rustfmt::skip]
    pub static LUMA: [u16; 64] = [
        16, 11, 10, 16, 24, 40, 51, 61,
        12, 12, 14, 19, 26, 58, 60, 55,
        14, 13, 16, 24, 40, 57, 69, 56,
        14, 17, 22, 29, 51, 87, 80, 62,
        18, 22, 37, 56, 68,109,103, 77,
        24, 35, 55, 64, 81,104,113, 92,
        49, 64, 78, 87,103,121,120,101,
        72, 92, 95, 98,112,100,103, 99,
    ];

    const CONST_BITS: i32 = 13;
    const FIX: [i32; 7] = [11585, 11363, 10703, 9633, 6437, 4433, 2260];

    fn descale(x: i64) -> i32 {
        ((x + (1 << (CONST_BITS - 1))) >> CONST_BITS) as i32
    }

    fn fdct_1d(v: [i32; 8]) -> [i32; 8] {
        let mut out = [0; 8];
        let [c4, c1, c2, c3, c5, c6, c7] = FIX.map(|f| (f as i64) / 2);
        let s = |i: usize| (v[i] + v[7 - i]) as i64;
        let d = |i: usize| (v[i] - v[7 - i]) as i64;
        let (s07, s16, s25, s34) = (s(0), s(1), s(2), s(3));
        let (d07, d16, d25, d34) = (d(0), d(1), d(2), d(3));
        out[0] = descale(c4 * (s07 + s16 + s25 + s34));
        out[4] = descale(c4 * (s07 - s16 - s25 + s34));
        out[2] = descale(c2 * (s07 - s34) + c6 * (s16 - s25));
        out[6] = descale(c6 * (s07 - s34) - c2 * (s16 - s25));
        out[1] = descale(c1 * d07 + c3 * d16 + c5 * d25 + c7 * d34);
        out[3] = descale(c3 * d07 - c7 * d16 - c1 * d25 - c5 * d34);
        out[5] = descale(c5 * d07 - c1 * d16 + c7 * d25 + c3 * d34);
        out[7] = descale(c7 * d07 - c5 * d16 + c3 * d25 - c1 * d34);
        out
    }

    fn transpose<T: Copy, const N: usize>(m: [[T; N]; N]) -> [[T; N]; N] {
        core::array::from_fn(|i| core::array::from_fn(|j| m[j][i]))
    }

    pub fn fdct(block: &mut Block) {
        for _ in 0..2 {
            *block = transpose(block.map(fdct_1d));
        }
    }

    pub struct QuantizationTable {
        table: [core::num::NonZeroU16; 64],
    }

    impl QuantizationTable {
        pub fn new(base: &[u16; 64], quality: u8) -> Self {
            let quality = quality.clamp(1, 100) as u32;
            let scale = if quality < 50 { 5000 / quality } else { 200 - quality * 2 };
            let table = base.map(|v| {
                let v = (v as u32 * scale + 50) / 100;
                core::num::NonZeroU16::new(v.clamp(1, 255) as u16).expect("not zero")
            });
            Self { table }
        }

        #[inline]
        pub fn quantize(&self, value: i32, index: usize) -> i16 {
            let d = self.table[index].get() as i32;
            let half = if value.is_negative() { -(d / 2) } else { d / 2 };
            ((value + half) / d) as i16
        }
    }

    pub trait EntropySink {
        fn bits(&mut self, value: u32, size: u8);
        fn symbol(&mut self, symbol: u8);
    }

    /// How many bits a coefficient has, and these bits.
    fn code(value: i16) -> (u8, u32) {
        let size = (i16::BITS - value.unsigned_abs().leading_zeros()) as u8;
        let bits = if value < 0 { value - 1 } else { value };
        (size, bits as u32 & ((1 << size) - 1))
    }

    pub fn encode<S: EntropySink>(q: &[i16; 64], prev_dc: i16, sink: &mut S) -> i16 {
        let &[dc, ref ac @ ..] = q;
        let (size, bits) = code(dc - prev_dc);
        sink.symbol(size);
        sink.bits(bits, size);
        let mut zero_run = 0;
        for &value in ac {
            if value == 0 {
                zero_run += 1;
                continue;
            }
            while zero_run > 15 {
                sink.symbol(0xF0);
                zero_run -= 16;
            }
            let (size, bits) = code(value);
            sink.symbol((zero_run << 4) | size);
            sink.bits(bits, size);
            zero_run = 0;
        }
        if zero_run > 0 {
            sink.symbol(0);
        }
        dc
    }
}

#[device]
mod sinks {
    use super::jpeg::EntropySink;

    #[derive(Default)]
    pub struct BitCounter {
        pub hash: u32,
        pub symbols: u32,
        pub acc: u64,
        pub free: u32,
    }

    impl EntropySink for BitCounter {
        fn bits(&mut self, value: u32, size: u8) {
            let size = u32::from(size);
            self.acc = self.acc << size | u64::from(value);
            self.free += size;
            while self.free >= 8 {
                self.free -= 8;
                self.hash = self.hash.rotate_left(3) ^ ((self.acc >> self.free) as u8 as u32);
            }
        }

        fn symbol(&mut self, symbol: u8) {
            self.symbols += 1;
            self.bits(symbol as u32, 8);
        }
    }

    impl<S: EntropySink, T: EntropySink> EntropySink for (S, T) {
        fn bits(&mut self, value: u32, size: u8) {
            self.0.bits(value, size);
            self.1.bits(value, size);
        }
        fn symbol(&mut self, symbol: u8) {
            self.0.symbol(symbol);
            self.1.symbol(symbol);
        }
    }

    impl EntropySink for [u32; 16] {
        fn bits(&mut self, _: u32, _: u8) {}
        fn symbol(&mut self, symbol: u8) {
            self[symbol as usize >> 4] += 1;
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use jpeg::*;
    let table = QuantizationTable::new(&LUMA, (seed % 101) as u8);
    let mut sink = (sinks::BitCounter::default(), [0u32; 16]);
    let mut dc = 0;
    for n in 0..2u32 {
        let mut block: Block = [[0; 8]; 8];
        for (y, row) in (0u32..).zip(block.iter_mut()) {
            for (x, pixel) in row.iter_mut().enumerate() {
                let noise = seed.wrapping_mul(y * 8 + x as u32 + n).rotate_left(x as u32) >> 27;
                *pixel = ((x as u32 * 16 + y * (seed % 16) + noise) as u8 as i32) - 128;
            }
        }
        fdct(&mut block);
        let flat = block.as_flattened();
        let mut q = [0; 64];
        for (i, slot) in q.iter_mut().enumerate() {
            let at = UNZIGZAG[i] as usize;
            *slot = table.quantize(flat[at], at);
        }
        dc = encode(&q, dc, &mut sink);
    }
    let (counter, runs) = sink;
    let longest = runs.iter().rposition(|&n| n != 0).unwrap_or(0);
    [counter.hash, counter.symbols, dc as u32, (runs[0] << 8) + longest as u32]
}

#[kernel]
pub fn picture_blocks(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&PICTURE_BLOCKS, program)
}
