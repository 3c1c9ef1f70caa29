//! IMA ADPCM, Huffman-like bit reading and run-length coding.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! IMA ADPCM, Huffman-like bit reading and run-length coding.
    const STEPS: [i16; 16] = [7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31];
    const INDEX: [i8; 8] = [-1, -1, -1, -1, 2, 4, 6, 8];

    #[derive(Default, Clone, Copy)]
    pub struct State {
        predictor: i16,
        index: u8,
    }

    impl State {
        pub fn encode(&mut self, sample: i16) -> u8 {
            let step = STEPS[self.index as usize];
            let mut diff = sample as i32 - self.predictor as i32;
            let mut nibble = 0u8;
            if diff < 0 {
                nibble = 8;
                diff = -diff;
            }
            let mut mask = 4;
            let mut temp = step as i32;
            while mask != 0 {
                if diff >= temp {
                    nibble |= mask;
                    diff -= temp;
                }
                temp >>= 1;
                mask >>= 1;
            }
            self.decode(nibble);
            nibble
        }

        pub fn decode(&mut self, nibble: u8) -> i16 {
            let step = i32::from(STEPS[self.index as usize]);
            let magnitude = i32::from(nibble & 7);
            let mut diff = step >> 3;
            for (bit, shift) in [(4, 0), (2, 1), (1, 2)] {
                if magnitude & bit != 0 {
                    diff += step >> shift;
                }
            }
            let signed = if nibble & 8 != 0 { -diff } else { diff };
            self.predictor = self.predictor.saturating_add(signed as i16);
            self.index = (self.index as i8 + INDEX[magnitude as usize]).clamp(0, 15) as u8;
            self.predictor
        }
    }

    pub struct BitReader<'a> {
        data: &'a [u8],
        position: usize,
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub struct EndOfData;

    impl<'a> BitReader<'a> {
        pub const fn new(data: &'a [u8]) -> Self {
            BitReader { data, position: 0 }
        }
        pub fn bit(&mut self) -> Result<bool, EndOfData> {
            let byte = self.data.get(self.position / 8).ok_or(EndOfData)?;
            let bit = byte >> (7 - self.position % 8) & 1;
            self.position += 1;
            Ok(bit != 0)
        }
        pub fn bits(&mut self, n: u32) -> Result<u32, EndOfData> {
            (0..n).try_fold(0, |acc, _| Ok(acc << 1 | u32::from(self.bit()?)))
        }
        pub fn unary(&mut self) -> Result<u32, EndOfData> {
            let mut n = 0;
            while self.bit()? {
                n += 1;
            }
            Ok(n)
        }
        pub fn rice(&mut self, k: u32) -> Result<i32, EndOfData> {
            let value = self.unary()? << k | self.bits(k)?;
            Ok((value >> 1) as i32 ^ -((value & 1) as i32))
        }
    }

    pub struct BitWriter<'b> {
        out: &'b mut [u8],
        bits: usize,
    }

    impl BitWriter<'_> {
        pub fn write(&mut self, value: u32, n: u32) {
            for i in (0..n).rev() {
                if value >> i & 1 == 1 {
                    self.out[self.bits / 8] |= 0x80 >> (self.bits % 8);
                }
                self.bits += 1;
            }
        }
    }

    pub fn check(seed: u32) -> u32 {
        let mut encoder = State::default();
        let mut decoder = encoder;
        let mut packed = [0u8; 12];
        let mut writer = BitWriter { out: &mut packed, bits: 0 };
        let mut error = 0;
        for i in 0..16i16 {
            let sample = (seed as i16 % 50) * (i - 8) / 4;
            let nibble = encoder.encode(sample);
            writer.write(nibble.into(), 4);
            error += (decoder.decode(nibble) - sample).unsigned_abs() as u32;
        }
        writer.write(0b1110_1011, 8);
        let used = writer.bits;
        let mut reader = BitReader::new(&packed);
        let first = reader.bits(12).unwrap();
        let mut rest = reader.rice(2).map_or(-1, |v| v);
        while let Ok(v) = reader.rice(1) {
            rest = rest.wrapping_mul(17) + v;
        }
        error ^ first << 10 ^ rest as u32 ^ (used as u32) << 24
    }
}

#[kernel]
pub fn adpcm(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&ADPCM, program::check)
}
