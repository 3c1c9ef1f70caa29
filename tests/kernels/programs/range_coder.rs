//! An adaptive binary range coder, as LZMA has it, over anything that takes bytes.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    pub trait Sink {
        type Error;
        fn put(&mut self, byte: u8) -> Result<(), Self::Error>;
    }

    pub trait Source {
        fn get(&mut self) -> Option<u8>;
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct NoSpace;

    impl Sink for &mut [u8] {
        type Error = NoSpace;
        fn put(&mut self, byte: u8) -> Result<(), NoSpace> {
            let (first, rest) = core::mem::take(self).split_first_mut().ok_or(NoSpace)?;
            *first = byte;
            *self = rest;
            Ok(())
        }
    }

    impl Source for &[u8] {
        fn get(&mut self) -> Option<u8> {
            let (&first, rest) = self.split_first()?;
            *self = rest;
            Some(first)
        }
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Probability(u16);

    impl Default for Probability {
        fn default() -> Self {
            Probability(1 << 10)
        }
    }

    impl Probability {
        fn bound(self, range: u32) -> u32 {
            (range >> 11) * u32::from(self.0)
        }

        fn update(&mut self, bit: bool) {
            if bit {
                self.0 -= self.0 >> 5;
            } else {
                self.0 += ((1 << 11) - self.0) >> 5;
            }
        }
    }

    pub struct Encoder<S> {
        sink: S,
        low: u64,
        range: u32,
        cache: u8,
        pending: u32,
        written: usize,
    }

    impl<S: Sink> Encoder<S> {
        pub fn new(sink: S) -> Self {
            Encoder { sink, low: 0, range: u32::MAX, cache: 0, pending: 1, written: 0 }
        }

        fn shift(&mut self) -> Result<(), S::Error> {
            if self.low < 0xff00_0000 || self.low > u64::from(u32::MAX) {
                let carry = (self.low >> 32) as u8;
                let mut byte = self.cache;
                while self.pending != 0 {
                    self.sink.put(byte.wrapping_add(carry))?;
                    self.written += 1;
                    byte = 0xff;
                    self.pending -= 1;
                }
                self.cache = (self.low >> 24) as u8;
            }
            self.pending += 1;
            self.low = u64::from(self.low as u32) << 8 & 0xffff_ffff;
            Ok(())
        }

        pub fn encode(&mut self, bit: bool, probability: &mut Probability) -> Result<(), S::Error> {
            let bound = probability.bound(self.range);
            if bit {
                self.low += u64::from(bound);
                self.range -= bound;
            } else {
                self.range = bound;
            }
            probability.update(bit);
            while self.range < 1 << 24 {
                self.range <<= 8;
                self.shift()?;
            }
            Ok(())
        }

        pub fn finish(mut self) -> Result<usize, S::Error> {
            for _ in 0..5 {
                self.shift()?;
            }
            Ok(self.written)
        }
    }

    pub struct Decoder<S> {
        source: S,
        range: u32,
        code: u32,
    }

    impl<S: Source> Decoder<S> {
        pub fn new(mut source: S) -> Option<Self> {
            source.get()?;
            let mut code = 0;
            for _ in 0..4 {
                code = code << 8 | u32::from(source.get()?);
            }
            Some(Self { source, range: !0, code })
        }

        pub fn decode(&mut self, probability: &mut Probability) -> Option<bool> {
            let bound = probability.bound(self.range);
            let bit = self.code >= bound;
            if bit {
                self.code -= bound;
                self.range -= bound;
            } else {
                self.range = bound;
            }
            probability.update(bit);
            while self.range < 1 << 24 {
                self.range <<= 8;
                self.code = self.code << 8 | u32::from(self.source.get()?);
            }
            Some(bit)
        }
    }

    /// Numbers of `BITS` bits, each bit with the ones before it as its context.
    pub struct Tree<const CONTEXTS: usize>([Probability; CONTEXTS]);

    impl<const CONTEXTS: usize> Tree<CONTEXTS> {
        const BITS: u32 = CONTEXTS.ilog2();

        pub fn new() -> Self {
            Self([Probability::default(); CONTEXTS])
        }

        pub fn encode<S: Sink>(&mut self, coder: &mut Encoder<S>, symbol: u8) -> Result<(), S::Error> {
            let mut node = 1;
            for n in (0..Self::BITS).rev() {
                let bit = symbol >> n & 1 != 0;
                coder.encode(bit, &mut self.0[node])?;
                node = node << 1 | usize::from(bit);
            }
            Ok(())
        }

        pub fn decode<S: Source>(&mut self, coder: &mut Decoder<S>) -> Option<u8> {
            (0..Self::BITS)
                .try_fold(1usize, |node, _| {
                    let bit = coder.decode(&mut self.0[node])?;
                    Some(node * 2 + bit as usize)
                })
                .map(|node| (node - CONTEXTS) as u8)
        }
    }

    fn compress(text: &[u8], out: &mut [u8]) -> Result<usize, NoSpace> {
        let mut coder = Encoder::new(out);
        let mut tree = Tree::<16>::new();
        for byte in text {
            tree.encode(&mut coder, byte >> 4)?;
            tree.encode(&mut coder, byte & 15)?;
        }
        coder.finish()
    }

    fn expand(data: &[u8], out: &mut [u8]) -> Option<()> {
        let mut coder = Decoder::new(data)?;
        let mut tree = Tree::<16>::new();
        for byte in out {
            *byte = tree.decode(&mut coder)? << 4 | tree.decode(&mut coder)?;
        }
        Some(())
    }

    pub fn run(seed: u32) -> [u32; 6] {
        let mut text = [0u8; 40];
        let mut state = seed | 1;
        for byte in &mut text {
            state = state.wrapping_mul(69069).wrapping_add(1);
            *byte = b"etaoin shrdlu"[(state >> 20) as usize % (3 + seed as usize % 11)];
        }
        let mut data = [0u8; 48];
        let Ok(len) = compress(&text, &mut data) else { return [u32::MAX; 6] };
        let sum = |bytes: &[u8]| bytes.iter().fold(17u32, |h, &b| h.wrapping_mul(257) ^ u32::from(b));
        let packed = sum(&data[..len]);
        let mut again = [0; 40];
        let complete = expand(&data[..len], &mut again).is_some();
        let cut = expand(&data[..len / 2], &mut [0; 40]).is_none();
        let small = compress(&text, &mut [0; 12]) == Err(NoSpace);
        [len as u32, packed, complete as u32, (again == text) as u32, cut as u32, small as u32]
    }
}

#[kernel]
pub fn range_coded(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&RANGE_CODED, program::run)
}
