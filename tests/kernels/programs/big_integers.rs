//! Integers of many limbs, in the style of `crypto-bigint`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod uint {
    use core::cmp::Ordering;
    use core::ops::{Add, AddAssign, BitAnd, Mul, Not, Shl, Shr, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Uint<const LIMBS: usize> {
        limbs: [u32; LIMBS],
    }

    pub type U128 = Uint<4>;
    pub type U256 = Uint<8>;

    const fn adc(a: u32, b: u32, carry: u32) -> (u32, u32) {
        let t = a as u64 + b as u64 + carry as u64;
        (t as u32, (t >> 32) as u32)
    }
    const fn sbb(a: u32, b: u32, borrow: u32) -> (u32, u32) {
        let (d, b1) = a.overflowing_sub(b);
        let (d, b2) = d.overflowing_sub(borrow);
        (d, (b1 | b2) as u32)
    }

    impl<const LIMBS: usize> Uint<LIMBS> {
        pub const ZERO: Self = Self { limbs: [0; LIMBS] };
        pub const BITS: u32 = LIMBS as u32 * u32::BITS;

        pub const fn from_u64(n: u64) -> Self {
            let mut limbs = [0; LIMBS];
            limbs[0] = n as u32;
            limbs[1] = (n >> 32) as u32;
            Self { limbs }
        }

        pub fn bits(&self) -> u32 {
            self.limbs
                .iter()
                .rposition(|&l| l != 0)
                .map_or(0, |i| (i as u32 + 1) * 32 - self.limbs[i].leading_zeros())
        }

        pub fn overflowing_add(&self, rhs: &Self) -> (Self, bool) {
            let mut out = Self::ZERO;
            let mut carry = 0;
            for ((o, &a), &b) in out.limbs.iter_mut().zip(&self.limbs).zip(&rhs.limbs) {
                (*o, carry) = adc(a, b, carry);
            }
            (out, carry != 0)
        }

        pub fn checked_sub(self, rhs: Self) -> Option<Self> {
            let mut borrow = 0;
            let limbs = core::array::from_fn(|i| {
                let (d, b) = sbb(self.limbs[i], rhs.limbs[i], borrow);
                borrow = b;
                d
            });
            (borrow == 0).then_some(Self { limbs })
        }

        pub fn div_rem_small(self, d: u32) -> (Self, u32) {
            let mut rem = 0u64;
            let mut q = self;
            for limb in q.limbs.iter_mut().rev() {
                let cur = rem << 32 | u64::from(*limb);
                *limb = (cur / u64::from(d)) as u32;
                rem = cur % u64::from(d);
            }
            (q, rem as u32)
        }

        pub fn bit(&self, n: u32) -> bool {
            self.limbs[(n / 32) as usize] >> (n % 32) & 1 != 0
        }

        pub fn pow_mod(mut self, mut e: u32, m: u32) -> u32 {
            let mut acc = 1u64;
            let (_, r) = self.div_rem_small(m);
            let mut base = r as u64;
            while e > 0 {
                if e & 1 == 1 {
                    acc = acc * base % m as u64;
                }
                base = base * base % m as u64;
                e >>= 1;
            }
            self = Self::from_u64(acc);
            self.limbs[0]
        }

        /// Decimal digits, least significant first.
        pub fn digits(self) -> impl Iterator<Item = u8> {
            let mut rest = Some(self);
            core::iter::from_fn(move || {
                let n = rest?;
                let (q, r) = n.div_rem_small(10);
                rest = (q != Self::ZERO).then_some(q);
                Some(r as u8)
            })
        }
    }

    impl<const L: usize> PartialOrd for Uint<L> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
    impl<const L: usize> Ord for Uint<L> {
        fn cmp(&self, other: &Self) -> Ordering {
            self.limbs.iter().rev().cmp(other.limbs.iter().rev())
        }
    }
    impl<const L: usize> Add for Uint<L> {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            self.overflowing_add(&rhs).0
        }
    }
    impl<const L: usize> AddAssign<u32> for Uint<L> {
        fn add_assign(&mut self, rhs: u32) {
            let mut carry = rhs;
            for limb in &mut self.limbs {
                let (sum, overflow) = limb.overflowing_add(carry);
                *limb = sum;
                carry = overflow.into();
                if carry == 0 {
                    break;
                }
            }
        }
    }
    impl<const L: usize> Sub for Uint<L> {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self {
            self + !rhs + Self::from_u64(1)
        }
    }
    impl<const L: usize> Not for Uint<L> {
        type Output = Self;
        fn not(mut self) -> Self {
            self.limbs.iter_mut().for_each(|l| *l = !*l);
            self
        }
    }
    impl<const L: usize> BitAnd for Uint<L> {
        type Output = Self;
        fn bitand(self, rhs: Self) -> Self {
            Self { limbs: core::array::from_fn(|i| self.limbs[i] & rhs.limbs[i]) }
        }
    }
    impl<const L: usize> Mul<&Uint<L>> for &Uint<L> {
        type Output = Uint<L>;
        fn mul(self, rhs: &Uint<L>) -> Uint<L> {
            let mut out = Uint::ZERO;
            for (i, &a) in self.limbs.iter().enumerate() {
                let mut carry = 0u64;
                for (j, &b) in rhs.limbs.iter().enumerate().take(L - i) {
                    let t = u64::from(a) * u64::from(b) + u64::from(out.limbs[i + j]) + carry;
                    out.limbs[i + j] = t as u32;
                    carry = t >> 32;
                }
            }
            out
        }
    }
    impl<const L: usize> Shl<u32> for Uint<L> {
        type Output = Self;
        fn shl(self, n: u32) -> Self {
            let (words, bits) = ((n / 32) as usize, n % 32);
            let mut out = Self::ZERO;
            for i in words..L {
                out.limbs[i] = self.limbs[i - words] << bits;
                if bits > 0 && i > words {
                    out.limbs[i] |= self.limbs[i - words - 1] >> (32 - bits);
                }
            }
            out
        }
    }
    impl<const L: usize> Shr<u32> for Uint<L> {
        type Output = Self;
        fn shr(self, n: u32) -> Self {
            let mut out = self;
            for _ in 0..n {
                let mut carry = 0;
                for l in out.limbs.iter_mut().rev() {
                    (*l, carry) = (*l >> 1 | carry << 31, *l & 1);
                }
            }
            out
        }
    }
    impl<const L: usize> From<u32> for Uint<L> {
        fn from(n: u32) -> Self {
            Self::from_u64(n.into())
        }
    }
    impl<const L: usize> TryFrom<Uint<L>> for u64 {
        type Error = &'static str;
        fn try_from(n: Uint<L>) -> Result<u64, Self::Error> {
            match n.limbs.split_at(2) {
                (&[lo, hi], rest) if rest.iter().all(|&l| l == 0) => Ok(lo as u64 | (hi as u64) << 32),
                _ => Err("too large"),
            }
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use uint::{U128, U256};
    let a = U256::from(seed) << (seed % 70);
    let b: U256 = (seed ^ 0x5bd1e995).into();
    let p = &a * &b;
    let mut q = p - (b << 3) & !(U256::from(0xff) << 8);
    q += 7;
    let digit_sum: u32 = q.digits().map(u32::from).sum();
    let ord = match a.cmp(&b) {
        core::cmp::Ordering::Less => 1,
        core::cmp::Ordering::Equal => 2,
        core::cmp::Ordering::Greater => 3,
    };
    let small = u64::try_from(a).map_or_else(|e| e.len() as u64, |v| v % 1000);
    let under = U128::from(3).checked_sub(U128::from(seed & 7)).map_or(77, |d| d.bits());
    digit_sum << 16
        ^ ord
        ^ q.bits() << 4
        ^ (small as u32) << 8
        ^ under
        ^ (p >> 9).bit(3) as u32
        ^ a.pow_mod(seed & 0xff, 65537)
        ^ U256::BITS
}

#[kernel]
pub fn big_integers(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&BIG_INTEGERS, |i| program(seed(i)))
}
