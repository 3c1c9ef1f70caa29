//! A field of 256 elements, and Reed-Solomon codes over it.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod gf256 {
    use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Sub};

    const fn tables() -> ([u8; 512], [u8; 256]) {
        let mut exp = [0u8; 512];
        let mut log = [0u8; 256];
        let mut x = 1u16;
        let mut i = 0;
        while i < 255 {
            exp[i] = x as u8;
            exp[i + 255] = x as u8;
            log[x as usize] = i as u8;
            x <<= 1;
            if x & 0x100 != 0 {
                x ^= 0x11d;
            }
            i += 1;
        }
        (exp, log)
    }

    static EXP: [u8; 512] = tables().0;
    static LOG: [u8; 256] = tables().1;

    #[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
    #[repr(transparent)]
    pub struct Gf(pub u8);

    impl Gf {
        pub const ZERO: Gf = Gf(0);
        pub const ONE: Gf = Gf(1);

        pub fn exp(n: usize) -> Gf {
            Gf(EXP[n % 255])
        }

        pub fn inverse(self) -> Option<Gf> {
            if self == Gf::ZERO { None } else { Some(Gf(EXP[255 - LOG[self.0 as usize] as usize])) }
        }
    }

    impl Add for Gf {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            Gf(self.0 ^ rhs.0)
        }
    }

    impl Sub for Gf {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self {
            self + rhs
        }
    }

    impl Mul for Gf {
        type Output = Self;
        fn mul(self, Gf(b): Self) -> Self {
            match (self.0, b) {
                (0, _) | (_, 0) => Gf::ZERO,
                (a, b) => Gf(EXP[LOG[a as usize] as usize + LOG[b as usize] as usize]),
            }
        }
    }

    impl Div for Gf {
        type Output = Self;
        fn div(self, rhs: Self) -> Self {
            self * rhs.inverse().expect("division by zero")
        }
    }

    impl AddAssign for Gf {
        fn add_assign(&mut self, rhs: Self) {
            *self = *self + rhs;
        }
    }

    impl MulAssign for Gf {
        fn mul_assign(&mut self, rhs: Self) {
            *self = *self * rhs;
        }
    }

    impl core::iter::Sum for Gf {
        fn sum<I: Iterator<Item = Gf>>(iter: I) -> Gf {
            iter.fold(Gf::ZERO, Add::add)
        }
    }
}

#[device]
mod rs {
    use super::gf256::Gf;

    pub struct ReedSolomon<const ECC: usize> {
        generator: [Gf; ECC],
    }

    #[derive(Debug, PartialEq)]
    pub enum Decoded {
        Clean,
        Corrected { position: usize, by: u8 },
        TooManyErrors,
    }

    impl<const ECC: usize> ReedSolomon<ECC> {
        pub fn new() -> Self {
            let mut generator = [Gf::ZERO; ECC];
            generator[ECC - 1] = Gf::ONE;
            let mut root = Gf::ONE;
            for _ in 0..ECC {
                for j in 0..ECC {
                    generator[j] *= root;
                    if let Some(&next) = generator.get(j + 1) {
                        generator[j] += next;
                    }
                }
                root *= Gf(2);
            }
            ReedSolomon { generator }
        }

        pub fn encode<const K: usize, const N: usize>(&self, data: &[u8; K]) -> [u8; N] {
            let mut remainder = [Gf::ZERO; ECC];
            for &byte in data {
                let factor = Gf(byte) + remainder[0];
                remainder.rotate_left(1);
                remainder[ECC - 1] = Gf::ZERO;
                for (r, &g) in remainder.iter_mut().zip(self.generator.iter()) {
                    *r += g * factor;
                }
            }
            let mut out = [0; N];
            out[..K].copy_from_slice(data);
            for (o, r) in out[K..].iter_mut().zip(remainder) {
                *o = r.0;
            }
            out
        }

        fn syndromes(&self, block: &[u8]) -> [Gf; ECC] {
            core::array::from_fn(|i| {
                let x = Gf::exp(i);
                block.iter().fold(Gf::ZERO, |acc, &b| acc * x + Gf(b))
            })
        }

        pub fn correct(&self, block: &mut [u8]) -> Decoded {
            let s = self.syndromes(block);
            if s.iter().all(|&s| s == Gf::ZERO) {
                return Decoded::Clean;
            }
            let ([s0, s1, ..], n) = (&s[..], block.len()) else { return Decoded::TooManyErrors };
            let (s0, s1) = (*s0, *s1);
            if s0 == Gf::ZERO || s1 == Gf::ZERO {
                return Decoded::TooManyErrors;
            }
            let locator = s1 / s0;
            let Some(power) = (0..n).find(|&p| Gf::exp(p) == locator) else {
                return Decoded::TooManyErrors;
            };
            let position = n - 1 - power;
            block[position] ^= s0.0;
            if self.syndromes(block) == [Gf::ZERO; ECC] {
                Decoded::Corrected { position, by: s0.0 }
            } else {
                block[position] ^= s0.0;
                Decoded::TooManyErrors
            }
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let code = rs::ReedSolomon::<4>::new();
    let mut message = [0u8; 8];
    message[..4].copy_from_slice(&seed.to_le_bytes());
    message[4..].copy_from_slice(b"data");
    let mut block: [u8; 12] = code.encode(&message);
    let clean = block;
    block[seed as usize % 12] ^= (seed >> 8) as u8;
    if seed & 0x70 == 0x70 {
        block[0] ^= 0x55;
    }
    let outcome = match code.correct(&mut block) {
        rs::Decoded::Clean => 1,
        rs::Decoded::Corrected { position, by } => 2 + (position as u32) * 256 + by as u32,
        rs::Decoded::TooManyErrors => 0,
    };
    let total: gf256::Gf = block.iter().map(|&b| gf256::Gf(b)).sum();
    outcome << 10
        ^ u32::from_be_bytes(*block.last_chunk().unwrap())
        ^ total.0 as u32
        ^ ((clean == block) as u32) << 31
}

#[kernel]
pub fn reed_solomon(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&REED_SOLOMON, |i| program(seed(i)))
}
