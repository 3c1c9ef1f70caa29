//! Modular integers and their transforms, in the style of `ac-library-rs`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod modint {
    use core::fmt;
    use core::iter::{Product, Sum};
    use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

    #[derive(Copy, Clone, Eq, PartialEq, Hash, Default)]
    #[repr(transparent)]
    pub struct ModInt<const M: u32> {
        val: u32,
    }

    impl<const M: u32> ModInt<M> {
        pub const MODULUS: u32 = M;

        #[inline]
        pub fn new(val: impl Into<i64>) -> Self {
            Self { val: val.into().rem_euclid(i64::from(M)) as u32 }
        }

        pub const fn raw(val: u32) -> Self {
            Self { val }
        }

        pub fn val(self) -> u32 {
            self.val
        }

        pub fn pow(self, mut n: u64) -> Self {
            let mut x = self;
            let mut r = Self::raw(1);
            while n > 0 {
                if n & 1 == 1 {
                    r *= x;
                }
                x *= x;
                n >>= 1;
            }
            r
        }

        pub fn inv(self) -> Self {
            if self.val == 0 {
                panic!("attempt to divide by zero");
            }
            self.pow(M as u64 - 2)
        }
    }

    impl<const M: u32> fmt::Debug for ModInt<M> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fmt::Debug::fmt(&self.val, f)
        }
    }

    impl<const M: u32> AddAssign for ModInt<M> {
        fn add_assign(&mut self, rhs: Self) {
            self.val += rhs.val;
            if self.val >= M {
                self.val -= M;
            }
        }
    }

    impl<const M: u32> SubAssign for ModInt<M> {
        fn sub_assign(&mut self, rhs: Self) {
            self.val = self.val.wrapping_sub(rhs.val);
            if self.val >= M {
                self.val = self.val.wrapping_add(M);
            }
        }
    }

    impl<const M: u32> MulAssign for ModInt<M> {
        fn mul_assign(&mut self, rhs: Self) {
            self.val = (u64::from(self.val) * u64::from(rhs.val) % u64::from(M)) as u32;
        }
    }

    impl<const M: u32> Neg for ModInt<M> {
        type Output = Self;
        fn neg(self) -> Self {
            Self::default() - self
        }
    }

    macro_rules! binop {
        ($($op:ident $f:ident $assign:ident),*) => {$(
            impl<const M: u32> $op for ModInt<M> {
                type Output = Self;
                fn $f(mut self, rhs: Self) -> Self { self.$assign(rhs); self }
            }
            impl<const M: u32> $op<&ModInt<M>> for &ModInt<M> {
                type Output = ModInt<M>;
                fn $f(self, rhs: &ModInt<M>) -> ModInt<M> { <ModInt<M> as $op>::$f(*self, *rhs) }
            }
        )*};
    }
    binop!(Add add add_assign, Sub sub sub_assign, Mul mul mul_assign);

    impl<const M: u32> Sum for ModInt<M> {
        fn sum<I>(iter: I) -> Self
        where
            I: Iterator<Item = Self>,
        {
            iter.fold(Self::default(), |b, x| b + x)
        }
    }

    impl<const M: u32> Product for ModInt<M> {
        fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::raw(1), |b, x| b * x)
        }
    }

    impl<'a, const M: u32> Sum<&'a ModInt<M>> for ModInt<M> {
        fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
            iter.copied().sum()
        }
    }

    impl<const M: u32> From<u32> for ModInt<M> {
        fn from(v: u32) -> Self {
            Self::raw(v % M)
        }
    }
}

#[device]
mod ntt {
    use super::modint::ModInt;

    pub type Mint = ModInt<998_244_353>;

    fn bit_reverse<T>(a: &mut [T]) {
        let n = a.len();
        let shift = usize::BITS - n.trailing_zeros();
        for i in 0..n {
            let j = i.reverse_bits() >> shift;
            if i < j {
                a.swap(i, j);
            }
        }
    }

    pub fn transform(a: &mut [Mint], inverse: bool) {
        let n = a.len();
        debug_assert!(n.is_power_of_two());
        bit_reverse(a);
        let root = Mint::raw(3).pow(((Mint::MODULUS - 1) as usize / n) as u64);
        let root = if inverse { root.inv() } else { root };
        let mut len = 2;
        while len <= n {
            let w_len = root.pow((n / len) as u64);
            for block in a.chunks_exact_mut(len) {
                let (lo, hi) = block.split_at_mut(len / 2);
                let mut w = Mint::raw(1);
                for (u, v) in lo.iter_mut().zip(hi) {
                    let t = *v * w;
                    *v = *u - t;
                    *u += t;
                    w *= w_len;
                }
            }
            len <<= 1;
        }
        if inverse {
            let scale = Mint::from(n as u32).inv();
            a.iter_mut().for_each(|x| *x *= scale);
        }
    }

    pub fn convolution<const N: usize>(a: &[Mint], b: &[Mint]) -> Option<[Mint; N]> {
        if a.len() + b.len() > N + 1 {
            return None;
        }
        let mut fa = [Mint::default(); N];
        let mut fb = fa;
        fa[..a.len()].copy_from_slice(a);
        fb[..b.len()].copy_from_slice(b);
        transform(&mut fa, false);
        transform(&mut fb, false);
        for (x, y) in fa.iter_mut().zip(&fb) {
            *x = &*x * y;
        }
        transform(&mut fa, true);
        Some(fa)
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use ntt::{Mint, convolution};
    let a: [Mint; 4] = core::array::from_fn(|i| Mint::from(seed >> i));
    let b = [Mint::new(seed as i32), -Mint::raw(5), Mint::new(-1i32), Mint::new(77u32), Mint::new(3u8)];
    let c = convolution::<8>(&a, &b).expect("fits");
    let direct: Mint = (0..4).map(|i| a[i] * b[4 - i]).sum();
    let total: Mint = c.iter().sum();
    let product: Mint = b.iter().copied().product();
    let too_long = convolution::<4>(&a, &b).is_none();
    total.val() ^ product.val() << 1 ^ (direct - c[4]).val() ^ (too_long as u32) << 31
}

#[kernel]
pub fn ntt(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&NTT, |i| program(seed(i)))
}
