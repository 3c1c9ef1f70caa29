//! Points of an elliptic curve over a prime field, generic over both, with a key exchange and signatures as Schnorr has them.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt::Debug;
    use core::iter::Sum;
    use core::marker::PhantomData;
    use core::ops::{Add, AddAssign, Mul, Neg, Sub};

    pub trait Field:
        Copy
        + Eq
        + Debug
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Neg<Output = Self>
        + From<u64>
    {
        const ZERO: Self;
        const ONE: Self;

        fn inverse(&self) -> Option<Self>;

        fn square(self) -> Self {
            self * self
        }

        fn double(self) -> Self {
            self + self
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Fp<const P: u64>(u64);

    impl<const P: u64> Fp<P> {
        pub fn pow(self, mut exp: u64) -> Self {
            let mut base = self;
            let mut acc = Self::ONE;
            while exp != 0 {
                if exp & 1 == 1 {
                    acc = acc * base;
                }
                base = base.square();
                exp >>= 1;
            }
            acc
        }

        /// Square root, for P = 3 (mod 4).
        pub fn sqrt(self) -> Option<Self> {
            let root = self.pow((P + 1) / 4);
            if root.square() == self { Some(root) } else { None }
        }
    }

    impl<const P: u64> From<u64> for Fp<P> {
        fn from(v: u64) -> Self {
            Fp(v % P)
        }
    }

    impl<const P: u64> Add for Fp<P> {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            let (sum, carry) = self.0.overflowing_add(rhs.0);
            if carry || sum >= P { Fp(sum.wrapping_sub(P)) } else { Fp(sum) }
        }
    }

    impl<const P: u64> Neg for Fp<P> {
        type Output = Self;
        fn neg(self) -> Self {
            if self.0 == 0 { self } else { Fp(P - self.0) }
        }
    }

    impl<const P: u64> Sub for Fp<P> {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self {
            self + -rhs
        }
    }

    impl<const P: u64> Mul for Fp<P> {
        type Output = Self;
        fn mul(self, rhs: Self) -> Self {
            Fp(((self.0 as u128 * rhs.0 as u128) % P as u128) as u64)
        }
    }

    impl<const P: u64> Field for Fp<P> {
        const ZERO: Self = Fp(0);
        const ONE: Self = Fp(1);

        fn inverse(&self) -> Option<Self> {
            (*self != Self::ZERO).then(|| self.pow(P - 2))
        }
    }

    pub trait Curve: Copy + Eq + Debug {
        type Base: Field;
        const A: u64;
        const B: u64;
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Small;

    impl Curve for Small {
        type Base = Fp<2_147_483_647>;
        const A: u64 = 5;
        const B: u64 = 7;
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Large;

    impl Curve for Large {
        type Base = Fp<0xffff_ffff_ffff_ffc5>;
        const A: u64 = 2;
        const B: u64 = 3;
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Point<C: Curve> {
        Infinity,
        Affine { x: C::Base, y: C::Base },
    }

    impl<C: Curve> Point<C> {
        pub fn is_on_curve(&self) -> bool {
            match *self {
                Point::Infinity => true,
                Point::Affine { x, y } => {
                    y.square() == x.square() * x + C::Base::from(C::A) * x + C::B.into()
                }
            }
        }

        pub fn scale(self, scalar: u32) -> Self {
            (0..32).rev().map(|bit| scalar >> bit & 1 != 0).fold(Point::Infinity, |acc, set| {
                let doubled = acc + acc;
                if set { doubled + self } else { doubled }
            })
        }
    }

    impl<C: Curve> Add for Point<C> {
        type Output = Point<C>;

        fn add(self, other: Self) -> Self::Output {
            let (x1, y1, x2, y2) = match (self, other) {
                (Point::Infinity, p) | (p, Point::Infinity) => return p,
                (Point::Affine { x: x1, y: y1 }, Point::Affine { x: x2, y: y2 }) => (x1, y1, x2, y2),
            };
            let slope = if x1 == x2 {
                if y1 == -y2 {
                    return Point::Infinity;
                }
                (C::Base::from(3) * x1.square() + C::A.into()) * y1.double().inverse().expect("y is not zero")
            } else {
                let Some(inv) = (x2 - x1).inverse() else { unreachable!() };
                (y2 - y1) * inv
            };
            let x = slope.square() - x1 - x2;
            Point::Affine { x, y: slope * (x1 - x) - y1 }
        }
    }

    impl<C: Curve> AddAssign for Point<C> {
        fn add_assign(&mut self, rhs: Self) {
            *self = *self + rhs;
        }
    }

    impl<C: Curve> Sum for Point<C> {
        fn sum<I>(iter: I) -> Self
        where
            I: Iterator<Item = Self>,
        {
            iter.fold(Point::Infinity, |a, b| a + b)
        }
    }

    impl<C: Curve> Mul<Point<C>> for u32 {
        type Output = Point<C>;
        fn mul(self, p: Point<C>) -> Point<C> {
            p.scale(self)
        }
    }

    struct KeyPair<C: Curve> {
        secret: u32,
        public: Point<C>,
        curve: PhantomData<C>,
    }

    impl<C: Curve> KeyPair<C> {
        fn generate(secret: u32, base: Point<C>) -> Self {
            Self { secret, public: secret * base, curve: PhantomData }
        }
        fn shared(&self, other: &KeyPair<C>) -> Point<C> {
            self.secret * other.public
        }
    }

    fn find_point<const P: u64, C>(start: u64) -> Point<C>
    where
        C: Curve<Base = Fp<P>>,
    {
        let mut x: Fp<P> = start.into();
        loop {
            let rhs = x.square() * x + Fp::from(C::A) * x + Fp::from(C::B);
            if let Some(y) = rhs.sqrt() {
                return Point::Affine { x, y };
            }
            x = x + Fp::ONE;
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let g: Point<Small> = find_point(seed as u64);
        let alice = KeyPair::generate(seed | 1, g);
        let bob = KeyPair::generate(seed.rotate_left(13) ^ 0x5bd1_e995, g);
        let mut out = [0; 8];
        if let Point::Affine { x, y } = alice.shared(&bob) {
            out[0] = x.0 as u32;
            out[1] = y.0 as u32;
        }
        out[2] = (alice.shared(&bob) == bob.shared(&alice)) as u32;
        let mut walk = g;
        for _ in 0..5 {
            walk += g;
        }
        out[3] = u32::from(walk == 6 * g && walk.is_on_curve());
        let big = Point::<Large>::Affine { x: 3.into(), y: Fp(6) };
        out[4] = u32::from(big.is_on_curve());
        let total: Point<Large> = (1..=4u32).map(|k| (k ^ seed & 0xff) * big).sum();
        if let Point::Affine { x: Fp(x), y: Fp(y) } = total {
            out[5] = (x >> 32) as u32;
            out[6] = y as u32;
        }
        out[7] = total.is_on_curve().into();
        out
    }
}

#[kernel]
pub fn curve_points(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&CURVE_POINTS, program::run)
}
