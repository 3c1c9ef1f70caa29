//! Secrets shared by Shamir's scheme, over a prime field and over the field of bytes, in the manner of `vsss-rs` and `sharks`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::iter::{Product, Sum};
    use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Sub};

    pub trait Field:
        Copy
        + PartialEq
        + Default
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + AddAssign
        + MulAssign
        + Sum
        + Product
        + From<u8>
    {
        const ONE: Self;
        fn invert(self) -> Option<Self>;
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Fp(u32);

    impl Fp {
        pub const MODULUS: u32 = 2_147_483_647;

        pub const fn new(v: u32) -> Self {
            Fp(v % Self::MODULUS)
        }

        pub fn pow(self, mut exponent: u32) -> Self {
            let mut base = self;
            let mut acc = Self::ONE;
            while exponent != 0 {
                if exponent & 1 == 1 {
                    acc *= base;
                }
                base *= base;
                exponent >>= 1;
            }
            acc
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Gf256(pub u8);

    const fn tables() -> ([u8; 512], [u8; 256]) {
        let (mut exp, mut log) = ([0u8; 512], [0u8; 256]);
        let mut x = 1u16;
        let mut i = 0;
        while i < 255 {
            exp[i] = x as u8;
            exp[i + 255] = x as u8;
            log[x as usize] = i as u8;
            x ^= x << 1;
            if x & 0x100 != 0 {
                x ^= 0x11b;
            }
            i += 1;
        }
        (exp, log)
    }

    const TABLES: ([u8; 512], [u8; 256]) = tables();
    static EXP: [u8; 512] = TABLES.0;
    static LOG: [u8; 256] = TABLES.1;

    macro_rules! forward {
        ($t:ty, $($op:ident, $f:ident, $op_assign:ident, $fa:ident;)*) => {$(
            impl $op_assign for $t {
                fn $fa(&mut self, other: Self) {
                    *self = $op::$f(*self, other);
                }
            }
            impl<'a> $op<&'a $t> for $t {
                type Output = $t;
                fn $f(self, other: &'a $t) -> $t {
                    $op::$f(self, *other)
                }
            }
        )*};
    }

    forward!(Fp, Add, add, AddAssign, add_assign; Mul, mul, MulAssign, mul_assign;);
    forward!(Gf256, Add, add, AddAssign, add_assign; Mul, mul, MulAssign, mul_assign;);

    impl Add for Fp {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            let (sum, _) = self.0.overflowing_add(o.0);
            Fp(sum.checked_sub(Self::MODULUS).unwrap_or(sum))
        }
    }

    impl Sub for Fp {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Fp(match self.0.overflowing_sub(o.0) {
                (v, false) => v,
                (v, true) => v.wrapping_add(Self::MODULUS),
            })
        }
    }

    impl Mul for Fp {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Fp((u64::from(self.0) * u64::from(o.0) % u64::from(Self::MODULUS)) as u32)
        }
    }

    impl Div for Fp {
        type Output = Self;
        fn div(self, o: Self) -> Self {
            self * o.invert().expect("division by zero")
        }
    }

    impl From<u8> for Fp {
        fn from(v: u8) -> Self {
            Self(v.into())
        }
    }

    impl Add for Gf256 {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Gf256(self.0 ^ o.0)
        }
    }

    impl Sub for Gf256 {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            self + o
        }
    }

    impl Mul for Gf256 {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            match (self.0, o.0) {
                (0, _) | (_, 0) => Gf256(0),
                (a, b) => Gf256(EXP[LOG[a as usize] as usize + LOG[b as usize] as usize]),
            }
        }
    }

    impl Div for Gf256 {
        type Output = Self;
        fn div(self, o: Self) -> Self {
            match o.invert() {
                Some(inverse) => self * inverse,
                None => panic!("division by zero"),
            }
        }
    }

    impl From<u8> for Gf256 {
        fn from(v: u8) -> Self {
            Self(v)
        }
    }

    macro_rules! sums {
        ($($t:ident)*) => {$(
            impl Sum for $t {
                fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
                    iter.fold($t::default(), |a, b| a + b)
                }
            }
            impl<'a> Sum<&'a $t> for $t {
                fn sum<I: Iterator<Item = &'a $t>>(iter: I) -> Self {
                    iter.copied().sum()
                }
            }
            impl Product for $t {
                fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
                    iter.fold(<$t as Field>::ONE, Mul::mul)
                }
            }
        )*};
    }

    sums!(Fp Gf256);

    impl Field for Fp {
        const ONE: Self = Fp(1);

        fn invert(self) -> Option<Self> {
            (self.0 != 0).then(|| self.pow(Self::MODULUS - 2))
        }
    }

    impl Field for Gf256 {
        const ONE: Self = Gf256(1);

        fn invert(self) -> Option<Self> {
            match self.0 {
                0 => None,
                v => Some(Gf256(EXP[255 - LOG[v as usize] as usize])),
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Share<F> {
        pub x: F,
        pub y: F,
    }

    pub struct Polynomial<F, const T: usize> {
        coefficients: [F; T],
    }

    impl<F: Field, const T: usize> Polynomial<F, T> {
        pub fn with_secret(secret: F, mut random: impl FnMut() -> F) -> Self {
            let mut coefficients = [F::default(); T];
            coefficients[0] = secret;
            coefficients[1..].fill_with(&mut random);
            Self { coefficients }
        }

        pub fn evaluate(&self, x: F) -> F {
            self.coefficients.iter().rfold(F::default(), |acc, &c| acc * x + c)
        }

        pub fn shares(&self) -> impl Iterator<Item = Share<F>> + '_ {
            (1..=u8::MAX).map(F::from).map(move |x| Share { x, y: self.evaluate(x) })
        }
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub enum CombineError {
        NotEnough,
        Duplicate(usize),
    }

    pub fn combine<F: Field>(shares: &[Share<F>], threshold: usize) -> Result<F, CombineError> {
        if shares.len() < threshold {
            return Err(CombineError::NotEnough);
        }
        for (i, a) in shares.iter().enumerate() {
            if shares[..i].iter().any(|b| b.x == a.x) {
                return Err(CombineError::Duplicate(i));
            }
        }
        let secret = shares.iter().enumerate().map(|(i, si)| {
            let basis: F = shares
                .iter()
                .enumerate()
                .filter(|&(j, _)| j != i)
                .map(|(_, sj)| sj.x / (sj.x - si.x))
                .product();
            basis * si.y
        });
        Ok(secret.sum())
    }

    fn round_trip<F: Field, const T: usize>(
        secret: F,
        random: impl FnMut() -> F,
        skip: usize,
    ) -> Result<bool, CombineError> {
        let polynomial = Polynomial::<F, T>::with_secret(secret, random);
        let mut shares = [Share { x: F::ONE, y: F::ONE }; T];
        for (slot, share) in shares.iter_mut().zip(polynomial.shares().skip(skip)) {
            *slot = share;
        }
        if skip == 5 {
            shares[T - 1] = shares[0];
        }
        combine(&shares[..T - skip / 6], T).map(|found| found == secret)
    }

    pub fn run(i: u32) -> u64 {
        let mut state = i;
        let mut word = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 1
        };
        let secret = Fp::new(word());
        let a = round_trip::<_, 4>(secret, || Fp::new(word()), i as usize % 7);
        let b = round_trip::<Gf256, 3>(Gf256(i as u8), || Gf256(word() as u8), i as usize % 6);
        let code = |r| match r {
            Ok(equal) => equal as u64,
            Err(CombineError::NotEnough) => 2,
            Err(CombineError::Duplicate(at)) => 3 + at as u64,
        };
        let polynomial: Polynomial<Gf256, 3> =
            Polynomial { coefficients: [Gf256(i as u8), Gf256(3), Gf256(7)] };
        let total: Gf256 = polynomial.shares().take(9).map(|s| s.y).sum();
        let direct: Fp = [Fp(5), secret].iter().sum();
        code(a) | code(b) << 8 | (total.0 as u64) << 16 | u64::from(direct.0) << 24
    }
}

#[kernel]
pub fn shamir(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&SHAMIR, program::run)
}
