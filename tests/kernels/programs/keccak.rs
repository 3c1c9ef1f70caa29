//! Keccak, in the traits of digests: SHA3, SHAKE, and a message authentication code by them.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt;

    pub trait Digest: Default {
        type Output: AsRef<[u8]> + Copy + PartialEq;
        const BLOCK: usize;

        fn update(&mut self, data: impl AsRef<[u8]>);
        fn finalize(self) -> Self::Output;

        fn chain(mut self, data: impl AsRef<[u8]>) -> Self
        where
            Self: Sized,
        {
            self.update(data);
            self
        }

        fn digest(data: impl AsRef<[u8]>) -> Self::Output {
            Self::default().chain(data).finalize()
        }
    }

    const ROUNDS: usize = 24;

    const ROUND_CONSTANTS: [u64; ROUNDS] = {
        let mut out = [0u64; ROUNDS];
        let mut lfsr = 1u8;
        let mut round = 0;
        while round < ROUNDS {
            let mut j = 0;
            while j < 7 {
                if lfsr & 1 != 0 {
                    out[round] ^= 1 << ((1u32 << j) - 1);
                }
                lfsr = if lfsr & 0x80 != 0 { (lfsr << 1) ^ 0x71 } else { lfsr << 1 };
                j += 1;
            }
            round += 1;
        }
        out
    };

    const fn rotations() -> ([u32; 24], [usize; 24]) {
        let (mut rho, mut pi) = ([0; 24], [0; 24]);
        let (mut x, mut y) = (1usize, 0usize);
        let mut t = 0;
        while t < 24 {
            rho[t] = ((t + 1) * (t + 2) / 2 % 64) as u32;
            (x, y) = (y, (2 * x + 3 * y) % 5);
            pi[t] = x + 5 * y;
            t += 1;
        }
        (rho, pi)
    }

    const RHO: [u32; 24] = rotations().0;
    const PI: [usize; 24] = rotations().1;

    #[derive(Clone, Copy, Default)]
    struct Sponge<const RATE: usize> {
        lanes: [u64; 25],
        filled: usize,
    }

    impl<const RATE: usize> Sponge<RATE> {
        fn permute(&mut self) {
            let a = &mut self.lanes;
            for rc in &ROUND_CONSTANTS {
                let c: [u64; 5] =
                    core::array::from_fn(|x| (0..5).map(|y| a[x + 5 * y]).fold(0, |p, l| p ^ l));
                for (i, lane) in a.iter_mut().enumerate() {
                    let x = i % 5;
                    *lane ^= c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1);
                }
                let mut carried = a[1];
                for (&to, &by) in PI.iter().zip(&RHO) {
                    carried = core::mem::replace(&mut a[to], carried.rotate_left(by));
                }
                for row in a.chunks_exact_mut(5) {
                    let old: [u64; 5] = (&*row).try_into().unwrap();
                    for x in 0..5 {
                        row[x] = old[x] ^ (!old[(x + 1) % 5] & old[(x + 2) % 5]);
                    }
                }
                a[0] ^= rc;
            }
        }

        fn absorb(&mut self, data: &[u8]) {
            for &byte in data {
                self.xor_byte(self.filled, byte);
                self.filled += 1;
                if self.filled == RATE {
                    self.permute();
                    self.filled = 0;
                }
            }
        }

        fn xor_byte(&mut self, at: usize, byte: u8) {
            self.lanes[at / 8] ^= u64::from(byte) << (8 * (at % 8));
        }

        fn squeeze(mut self, suffix: u8) -> Squeeze<RATE> {
            self.xor_byte(self.filled, suffix);
            self.xor_byte(RATE - 1, 0x80);
            self.permute();
            Squeeze { sponge: self, at: 0 }
        }
    }

    pub struct Squeeze<const RATE: usize> {
        sponge: Sponge<RATE>,
        at: usize,
    }

    impl<const RATE: usize> Iterator for Squeeze<RATE> {
        type Item = u8;
        fn next(&mut self) -> Option<u8> {
            if self.at == RATE {
                self.sponge.permute();
                self.at = 0;
            }
            let byte = self.sponge.lanes[self.at / 8].to_le_bytes()[self.at % 8];
            self.at += 1;
            Some(byte)
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct Bytes<const N: usize>([u8; N]);

    impl<const N: usize> AsRef<[u8]> for Bytes<N> {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    impl<const N: usize> fmt::LowerHex for Bytes<N> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for byte in self.0 {
                write!(f, "{byte:02x}")?;
            }
            Ok(())
        }
    }

    macro_rules! sha3 {
        ($name:ident, $rate:expr, $out:expr) => {
            #[derive(Clone, Default)]
            pub struct $name(Sponge<{ $rate }>);

            impl Digest for $name {
                type Output = Bytes<$out>;
                const BLOCK: usize = $rate;

                fn update(&mut self, data: impl AsRef<[u8]>) {
                    self.0.absorb(data.as_ref());
                }
                fn finalize(self) -> Bytes<$out> {
                    let mut out = [0; $out];
                    for (o, b) in out.iter_mut().zip(self.0.squeeze(0x06)) {
                        *o = b;
                    }
                    Bytes(out)
                }
            }
        };
    }

    sha3!(Sha3_256, 136, 32);
    sha3!(Sha3_512, 72, 64);

    pub struct Mac<D: Digest> {
        inner: D,
    }

    impl<D: Digest> Mac<D> {
        pub fn new(key: &[u8]) -> Self {
            let mut inner = D::default();
            inner.update(key);
            for _ in key.len()..D::BLOCK {
                inner.update([0u8]);
            }
            Self { inner }
        }
        pub fn verify(self, message: &[u8], tag: &[u8]) -> Result<(), usize> {
            let output = self.inner.chain(message).finalize();
            let difference = output.as_ref().iter().zip(tag).filter(|(a, b)| a != b).count();
            if difference == 0 { Ok(()) } else { Err(difference) }
        }
    }

    struct Hex<const N: usize> {
        text: [u8; N],
        at: usize,
    }

    impl<const N: usize> fmt::Write for Hex<N> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            for b in s.bytes() {
                *self.text.get_mut(self.at).ok_or(fmt::Error)? = b;
                self.at += 1;
            }
            Ok(())
        }
    }

    fn first<D: AsRef<[u8]>>(digest: D) -> u32 {
        u32::from_be_bytes(digest.as_ref()[..4].try_into().unwrap())
    }

    pub fn run(seed: u32) -> [u32; 8] {
        use core::fmt::Write;
        let message = seed.to_le_bytes();
        let known = Sha3_256::digest(b"abc");
        let short = Sha3_256::digest(message);
        let long = Sha3_512::default().chain(&[seed as u8; 80][..]).chain("text").finalize();
        let mut hex = Hex::<64> { text: [0; 64], at: 0 };
        let written = write!(hex, "{short:x}");
        let shake: u32 = Sponge::<168>::default()
            .squeeze(0x1f)
            .skip(160)
            .take(16)
            .fold(0, |h, b| h.rotate_left(7) ^ u32::from(b));
        let tag = Sha3_256::default().chain(message).chain([0u8; 132]).chain("m").finalize();
        let good = Mac::<Sha3_256>::new(&message).verify(b"m", tag.as_ref());
        let bad = Mac::<Sha3_512>::new(&message).verify(b"m", long.as_ref());
        [
            first(known),
            first(short),
            first(long),
            hex.text.iter().fold(0u32, |h, &b| h.wrapping_mul(31).wrapping_add(b.into())),
            hex.at as u32 + written.is_ok() as u32 * 100,
            shake,
            good.is_ok() as u32,
            bad.map_or_else(|n| n as u32, |()| 0),
        ]
    }
}

#[kernel]
pub fn messages_digested(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&MESSAGES_DIGESTED, program::run)
}
