//! Several `impl`s of one generic trait for a type, functions that the type of a result chooses, and bounds of what is no parameter by itself.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod scales {
    use std::ops::{Add, Mul};
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct V {
        pub x: f32,
        pub y: f32,
    }
    pub trait Scale<T> {
        fn scale(self, by: T) -> Self;
        fn factor(&self) -> T;
        const ID: u32;
    }
    impl Scale<f32> for V {
        fn scale(self, by: f32) -> Self {
            V { x: self.x * by, y: self.y * by }
        }
        fn factor(&self) -> f32 {
            self.x
        }
        const ID: u32 = 1;
    }
    impl Scale<i32> for V {
        fn scale(self, by: i32) -> Self {
            V { x: self.x + by as f32, y: self.y - by as f32 }
        }
        fn factor(&self) -> i32 {
            self.y as i32
        }
        const ID: u32 = 2;
    }
    fn generic<T, S: Scale<T>>(s: S, t: T) -> S {
        s.scale(t)
    }
    fn get<T, S>(s: &S) -> T
    where
        S: Scale<T>,
    {
        s.factor()
    }
    pub trait Convert<T> {
        fn convert(&self) -> T;
    }
    impl Convert<u32> for V {
        fn convert(&self) -> u32 {
            self.x as u32
        }
    }
    impl Convert<[f32; 2]> for V {
        fn convert(&self) -> [f32; 2] {
            [self.x, self.y]
        }
    }
    impl Mul<f32> for V {
        type Output = V;
        fn mul(self, r: f32) -> V {
            self.scale(r)
        }
    }
    impl Mul<V> for V {
        type Output = f32;
        fn mul(self, r: V) -> f32 {
            self.x * r.x + self.y * r.y
        }
    }
    impl Mul<V> for f32 {
        type Output = V;
        fn mul(self, r: V) -> V {
            r * self
        }
    }
    impl From<f32> for V {
        fn from(x: f32) -> V {
            V { x, y: x }
        }
    }
    impl From<[f32; 2]> for V {
        fn from([x, y]: [f32; 2]) -> V {
            V { x, y }
        }
    }
    impl From<V> for [f32; 2] {
        fn from(v: V) -> [f32; 2] {
            [v.x, v.y]
        }
    }
    impl From<V> for f32 {
        fn from(v: V) -> f32 {
            v.x + v.y
        }
    }
    impl Add for V {
        type Output = V;
        fn add(self, o: V) -> V {
            V { x: self.x + o.x, y: self.y + o.y }
        }
    }
    pub fn f(i: u32) -> [f32; 10] {
        let v = V { x: i as f32, y: i as f32 * 0.5 + 1.0 };
        let a = v.scale(2.0_f32);
        let b = v.scale(3_i32);
        let c = v.scale(1.5);
        let d = v.scale(4);
        let n: i32 = v.factor();
        let m: f32 = v.factor();
        let g = generic(v, 2.5_f32);
        let h = generic(v, i as i32);
        let q: i32 = get(&v);
        let r: u32 = v.convert();
        let [s, t]: [f32; 2] = v.convert();
        let w: V = 2.0.into();
        let z: f32 = v.into();
        let arr: [f32; 2] = v.into();
        let e = <V as Scale<i32>>::scale(v, 3);
        let k = Scale::<f32>::scale(v, 3.0);
        [
            a.x,
            b.y,
            c.x + d.y,
            n as f32 + m,
            g.x + h.y,
            q as f32 + r as f32 + s + t,
            (2.0 * v * w) + z + arr[1],
            e.x,
            k.y,
            (<V as Scale<f32>>::ID + <V as Scale<i32>>::ID * 10) as f32,
        ]
    }
}

#[device]
mod seeds {
    pub struct Seed(pub u32);
    pub trait Make<T> {
        fn make(seed: u32) -> T;
    }
    impl Make<u32> for Seed {
        fn make(seed: u32) -> u32 {
            seed * 3
        }
    }
    impl Make<f32> for Seed {
        fn make(seed: u32) -> f32 {
            seed as f32 * 0.5
        }
    }
    pub trait Num: Copy {
        fn from_u32(x: u32) -> Self;
        fn to_f32(self) -> f32;
        fn zero() -> Self;
        const ONE: Self;
    }
    impl Num for f32 {
        fn from_u32(x: u32) -> Self {
            x as f32 + 0.25
        }
        fn to_f32(self) -> f32 {
            self
        }
        fn zero() -> Self {
            0.0
        }
        const ONE: Self = 1.0;
    }
    impl Num for i32 {
        fn from_u32(x: u32) -> Self {
            x as i32 - 9
        }
        fn to_f32(self) -> f32 {
            self as f32
        }
        fn zero() -> Self {
            0
        }
        const ONE: Self = 1;
    }
    fn build<T: Num>(x: u32) -> T {
        T::from_u32(x)
    }
    fn sum<T: Num + std::ops::Add<Output = T>>(x: [T; 3]) -> T {
        let mut s = T::zero();
        for v in x {
            s = s + v;
        }
        s + T::ONE
    }
    pub fn f(i: u32) -> [f32; 6] {
        let a: u32 = Seed::make(i);
        let b: f32 = Seed::make(i);
        let c: f32 = Num::from_u32(i);
        let d: i32 = Num::from_u32(i);
        let e: f32 = build(i);
        let g: i32 = build(i);
        let h = sum([build(1), build(2), 3.5_f32]);
        let mut z: i32 = Num::zero();
        z += build::<i32>(i);
        [a as f32, b, c + d as f32, e + g as f32, h, Num::to_f32(z) + f32::from_u32(4)]
    }
}

#[device]
mod metrics {
    pub trait Metric {
        fn abs(self) -> u32;
        fn pow(&self, n: u32) -> u32;
    }
    impl Metric for i32 {
        fn abs(self) -> u32 {
            1000 + self.unsigned_abs()
        }
        fn pow(&self, n: u32) -> u32 {
            n * 10 + 1
        }
    }
    impl Metric for &i32 {
        fn abs(self) -> u32 {
            5000
        }
        fn pow(&self, n: u32) -> u32 {
            n + 7
        }
    }
    fn items<I: Iterator>(it: I) -> u32
    where
        I::Item: Metric,
    {
        it.map(|v| v.pow(2) + v.abs()).sum()
    }
    fn refs<T>(x: &[T]) -> u32
    where
        for<'a> &'a T: Metric,
    {
        let mut s = 0;
        for v in x {
            s += v.abs();
        }
        s
    }
    pub trait Source {
        type Item: Metric + Copy;
        fn first(&self) -> Self::Item;
        fn size(&self) -> u32 {
            self.first().abs()
        }
    }
    pub struct One(pub i32);
    impl Source for One {
        type Item = i32;
        fn first(&self) -> i32 {
            self.0
        }
    }
    fn of<S: Source>(s: &S) -> u32 {
        let v = s.first();
        v.abs() * 2 + v.pow(3)
    }
    struct Holder<S>(S);
    impl<S> Holder<S>
    where
        S: Source,
        S::Item: Metric,
    {
        fn both(&self) -> u32 {
            self.0.first().pow(1) + self.0.size()
        }
    }
    pub fn f(x: &[i32], i: usize) -> [u32; 6] {
        [
            items(x[i..].iter().copied()),
            refs(&x[i..]),
            One(x[i]).size(),
            of(&One(x[i])),
            Holder(One(x[i])).both(),
            x[i].unsigned_abs() + x[i].pow(2) as u32,
        ]
    }
}

#[device]
mod products {
    use core::ops::{Add, Mul};
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct V(pub f32, pub f32);
    impl Mul<f32> for V {
        type Output = V;
        fn mul(self, b: f32) -> Self::Output {
            V(self.0 * b, self.1 * b)
        }
    }
    impl Mul for V {
        type Output = f32;
        fn mul(self, o: V) -> Self::Output {
            self.0 * o.0 + self.1 * o.1
        }
    }
    impl Add for V {
        type Output = Self;
        fn add(self, o: V) -> Self::Output {
            V(self.0 + o.0, self.1 + o.1)
        }
    }
    impl Add<f32> for V {
        type Output = (f32, f32);
        fn add(self, o: f32) -> Self::Output {
            (self.0 + o, self.1 + o)
        }
    }
    pub fn scaled<T>(t: T, by: f32) -> <T as Mul<f32>>::Output
    where
        T: Mul<f32>,
    {
        t * by
    }
    pub fn dot<T: Mul + Copy>(a: T, b: T) -> T::Output {
        a * b
    }
    pub fn sums<T: Add<f32> + Add + Copy>(a: T, b: T) -> (<T as Add<f32>>::Output, <T as Add>::Output) {
        (a + 2.0_f32, a + b)
    }
    pub trait Unit {
        type Error;
        type Output;
        fn make(&self) -> Result<Self::Output, Self::Error>;
        fn twice(&self) -> (Option<Self::Output>, u32) {
            (self.make().ok(), 3)
        }
    }
    pub trait Other {
        type Output;
        fn other(&self) -> Self::Output;
    }
    impl Unit for V {
        type Error = u8;
        type Output = u32;
        fn make(&self) -> Result<u32, u8> {
            if self.0 > 3.0 { Err(self.1 as u8) } else { Ok(self.0 as u32) }
        }
    }
    impl Other for V {
        type Output = [f32; 2];
        fn other(&self) -> Self::Output {
            [self.1, self.0]
        }
    }
    pub fn both<T: Unit<Output = u32, Error = u8> + Copy + Other>(t: T) -> (u32, <T as Other>::Output) {
        (t.make().unwrap_or_else(|e| e as u32 + 100) + t.twice().0.unwrap_or(9), t.other())
    }
    pub struct Sum<A, B>(pub A, pub B);
    impl<A, B> Sum<A, B>
    where
        A: Add<B> + Copy,
        B: Copy,
    {
        pub fn get(&self) -> A::Output {
            self.0 + self.1
        }
    }
    pub fn f(x: f32) -> [f32; 8] {
        let v = V(x, x + 1.0);
        let s = scaled(v, 2.0);
        let d: f32 = dot(v, s);
        let ((a, b), V(c, _)) = sums(v, s);
        let (u, [o, _]) = both(v);
        let t: (f32, f32) = Sum(v, 1.5).get();
        [s.1, d, a + b, c, u as f32, o, t.0, Sum(v, v).get().0 + Sum(2.0_f32, x).get()]
    }
}
#[kernel]
pub fn generic_traits(
    x: &[i32],
    y: &mut [[f32; 10]],
    z: &mut [[f32; 6]],
    m: &mut [[u32; 6]],
    p: &mut [[f32; 8]],
) {
    let i = global_id(0);
    y[i] = scales::f(i as u32);
    z[i] = seeds::f(i as u32);
    m[i] = metrics::f(x, i);
    p[i] = products::f(i as f32);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<i32> = (0..20).map(|i| i * 3 - 17).collect();
    let positions: Vec<usize> = (0..x.len()).collect();
    let y = map(&positions, |i| scales::f(i as u32));
    let z = map(&positions, |i| seeds::f(i as u32));
    let m = map(&positions, |i| metrics::f(&x, i));
    let p = map(&positions, |i| products::f(i as f32));
    vec![Case::of(&GENERIC_TRAITS).input(&x).output(&y).output(&z).output(&m).output(&p).items([x.len()])]
}
