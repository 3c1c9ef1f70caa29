//! Which of several methods, functions and constants of one name is meant: that of the type itself, of a bound, or of the trait that is written; and the
//! order in which receivers are tried.
#![allow(clippy::suspicious_arithmetic_impl, reason = "the sum of sets is their union")]

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// Members that a type has itself, beside those of two traits.
#[device]
mod named_alike {
    pub trait Length {
        const UNIT: i32;
        fn len(&self) -> i32;
        fn new(x: i32) -> Self;
        fn twice(&self) -> i32 {
            self.len() * 2 + Self::UNIT
        }
    }

    pub trait Size {
        fn len(&self) -> i32;
        fn both(&self) -> i32
        where
            Self: Length,
        {
            Size::len(self) * 10 + Length::len(self)
        }
    }

    pub trait Sized2: Size {
        fn own(&self) -> i32 {
            self.len() + 1
        }
    }

    #[derive(Clone, Copy)]
    pub struct Wire(pub i32);

    impl Wire {
        const UNIT: i32 = 3;

        fn len(&self) -> i32 {
            self.0
        }

        fn new(x: i32) -> Self {
            Self(x + 1)
        }

        fn default() -> Self {
            Self(77)
        }

        fn add(self, other: Self) -> Self {
            Self(self.0 * other.0)
        }
    }

    impl Length for Wire {
        const UNIT: i32 = 5;

        fn len(&self) -> i32 {
            self.0 + 500
        }

        fn new(x: i32) -> Self {
            Self(x + 1000)
        }
    }

    impl Size for Wire {
        fn len(&self) -> i32 {
            self.0 + 9000
        }
    }

    impl Sized2 for Wire {}

    impl Default for Wire {
        fn default() -> Self {
            Self(-4)
        }
    }

    impl std::ops::Add for Wire {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Self(self.0 + other.0)
        }
    }

    fn bound<T: Length>(t: &T) -> i32 {
        t.len() + T::len(t) * 3 + T::UNIT + T::new(1).len()
    }

    fn anonymous(t: &impl Size) -> i32 {
        t.len()
    }

    fn by_clause<T>(t: T) -> i32
    where
        T: Sized2,
    {
        t.own() * 2 + t.len()
    }

    fn made<T: Default + Length>() -> i32 {
        T::default().len()
    }

    fn added<T: std::ops::Add<Output = T> + Length>(a: T, b: T) -> i32 {
        (a + b).len()
    }

    pub fn all(x: i32) -> [i32; 12] {
        let wire = Wire(x);
        [
            wire.len(),
            Wire::len(&wire) + Wire::UNIT + Wire::new(2).0 + Wire::default().0,
            wire.add(wire).0,
            (wire + wire).0,
            Length::len(&wire) * 2 + Size::len(&wire),
            <Wire as Length>::len(&wire) + <Wire as Length>::UNIT + <Wire as Length>::new(3).0,
            wire.twice() + wire.both(),
            bound(&wire),
            anonymous(&wire) + by_clause(wire),
            made::<Wire>(),
            added(wire, Wire(1)),
            [wire, Wire(2)].iter().map(Length::len).sum(),
        ]
    }
}

/// Traits for a type, and for references to it.
#[device]
mod of_references {
    pub trait Kind {
        fn base(&self) -> i32;
        fn kind(&self) -> i32 {
            self.base() + 1000
        }
    }

    pub struct Thing(pub i32);

    impl Kind for Thing {
        fn base(&self) -> i32 {
            self.0
        }

        fn kind(&self) -> i32 {
            2
        }
    }

    impl<T: Kind> Kind for &T {
        fn base(&self) -> i32 {
            (**self).base() + 10
        }
    }

    impl Thing {
        fn own(&self) -> i32 {
            self.kind()
        }
    }

    fn by_value<T: Kind>(t: T) -> i32 {
        t.kind()
    }

    fn by_reference<T: Kind>(t: &T) -> i32 {
        t.kind()
    }

    pub trait Draw {
        fn narrow(&mut self) -> u32;
        fn wide(&mut self) -> u32 {
            self.narrow() ^ self.narrow().rotate_left(16)
        }
    }

    pub struct Lcg(pub u32);

    impl Draw for Lcg {
        fn narrow(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            self.0 >> 16
        }

        fn wide(&mut self) -> u32 {
            self.narrow() * 3
        }
    }

    impl<R: Draw> Draw for &mut R {
        fn narrow(&mut self) -> u32 {
            (**self).narrow() + 1
        }
    }

    fn drawn<R: Draw>(mut source: R) -> u32 {
        source.wide()
    }

    pub fn all(x: i32) -> [i32; 7] {
        let thing = Thing(x);
        let reference = &thing;
        let mut lcg = Lcg(x as u32);
        [
            thing.kind(),
            reference.kind(),
            thing.own(),
            by_value(&thing),
            by_reference(&thing),
            by_reference(&&thing),
            (drawn(&mut lcg) ^ lcg.wide() ^ drawn(Lcg(1))) as i32,
        ]
    }
}

/// A trait that gives numbers what the language gives them too.
#[device]
mod numbers {
    pub trait Strange: Copy {
        const MAX: i32;
        fn abs(self) -> Self;
        fn min(self, other: Self) -> Self;
    }

    impl Strange for i32 {
        const MAX: i32 = 12;

        fn abs(self) -> Self {
            self - 100
        }

        fn min(self, other: Self) -> Self {
            self * 2 + other
        }
    }

    fn generic<T: Strange>(x: T, y: T) -> (T, T, i32) {
        (x.abs(), T::min(x, y), T::MAX)
    }

    pub fn all(x: i32) -> [i32; 4] {
        let (a, b, c) = generic(x, 7);
        [a, b, c, x.abs()]
    }
}

/// Methods that a type has itself beside those of operators whose traits are not imported, and functions of a generic trait whose arguments the bound says.
#[device]
mod beside_operators {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Set(u64);

    impl Set {
        pub const EMPTY: Self = Set(0);

        pub const fn add(&self, bit: u8) -> Self {
            Set(self.0 | 1 << (bit % 64))
        }

        fn sub(&mut self, bit: u8) {
            self.0 &= !(1 << (bit % 64));
        }
    }

    impl core::ops::Add for Set {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Set(self.0 | other.0)
        }
    }

    impl core::ops::Sub for Set {
        type Output = Self;

        fn sub(self, other: Self) -> Self {
            Set(self.0 & !other.0)
        }
    }

    const SMALL: &Set = &Set::EMPTY.add(b'\x01').add(b'\x03');

    pub trait Metric<const N: usize> {
        fn distance(a: &[i32; N], b: &[i32; N]) -> i32;
        fn along(delta: i32) -> i32;
    }

    pub struct Squared;

    impl<const N: usize> Metric<N> for Squared {
        fn distance(a: &[i32; N], b: &[i32; N]) -> i32 {
            a.iter().zip(b).map(|(a, b)| Self::length::<N>(a.wrapping_sub(*b))).fold(0, i32::wrapping_add)
        }

        fn along(delta: i32) -> i32 {
            delta.wrapping_mul(delta).wrapping_add(N as i32)
        }
    }

    impl Squared {
        fn length<const N: usize>(delta: i32) -> i32 {
            <Self as Metric<N>>::along(delta)
        }
    }

    fn measured<M: Metric<K>, const K: usize>(a: &[i32; K], b: &[i32; K]) -> i32 {
        M::distance(a, b).wrapping_mul(3) ^ M::along(a[0])
    }

    pub fn all(x: i32) -> [i32; 4] {
        let mut set = SMALL.add(x as u8) + Set(32);
        let whole = (set - *SMALL).0;
        set.sub(5);
        [
            set.0 as i32,
            whole as i32,
            measured::<Squared, 2>(&[x, 1], &[3, x]),
            measured::<Squared, 3>(&[x; 3], &[1, 2, 3]),
        ]
    }
}

#[kernel]
pub fn looked_up(x: &[i32], a: &mut [[i32; 12]], b: &mut [[i32; 7]], c: &mut [[i32; 4]], d: &mut [[i32; 4]]) {
    let i = global_id(0);
    a[i] = named_alike::all(x[i]);
    b[i] = of_references::all(x[i]);
    c[i] = numbers::all(x[i]);
    d[i] = beside_operators::all(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x = [0, 1, -7, 40];
    vec![
        Case::of(&LOOKED_UP)
            .input(&x)
            .output(&map(&x, named_alike::all))
            .output(&map(&x, of_references::all))
            .output(&map(&x, numbers::all))
            .output(&map(&x, beside_operators::all))
            .items([x.len()]),
    ]
}
