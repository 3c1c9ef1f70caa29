//! Traits of the user's own for slices, arrays and references to slices.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod norms {
    pub trait Norm {
        fn norm(&self) -> f32;
        fn twice(&self) -> f32 {
            self.norm() * 2.0
        }
    }
    impl Norm for [f32] {
        fn norm(&self) -> f32 {
            self.iter().map(|v| v * v).sum::<f32>()
        }
    }
    pub trait Total {
        type Out;
        fn total(&self) -> Self::Out;
    }
    impl<const N: usize> Total for [u32; N] {
        type Out = u32;
        fn total(&self) -> u32 {
            let mut s = 0;
            for v in self {
                s += v;
            }
            s + N as u32
        }
    }
    pub trait First {
        fn head(self) -> u32;
    }
    impl First for &[u32] {
        fn head(self) -> u32 {
            self[0]
        }
    }
    pub trait Mean<T> {
        fn mean(&self) -> T;
    }
    impl Mean<f32> for [f32] {
        fn mean(&self) -> f32 {
            self.iter().sum::<f32>() / self.len() as f32
        }
    }
    pub trait SliceExt<T> {
        fn second(&self) -> Option<&T>;
        fn bump(&mut self, by: T);
    }
    impl<T: Copy + std::ops::AddAssign> SliceExt<T> for [T] {
        fn second(&self) -> Option<&T> {
            self.get(1)
        }
        fn bump(&mut self, by: T) {
            for v in self {
                *v += by;
            }
        }
    }
    fn generic<T: Norm + ?Sized>(x: &T) -> f32 {
        x.norm() + x.twice()
    }
    pub fn f(x: &[f32], u: &[u32], i: usize) -> [f32; 7] {
        let a = [x[i], x[i + 1], 2.0];
        let mut b = [u[i], u[i + 1]];
        let t = b.total();
        b.bump(4);
        (&mut b[1..]).bump(100);
        b[..1].bump(7);
        [
            x[i..].norm(),
            a.norm() + a.twice(),
            t as f32,
            u[i..].head() as f32 + b.second().copied().unwrap() as f32,
            x[i..].mean(),
            generic(&x[i..]) + generic(&a[..]),
            b[0] as f32 + *u[i..].second().unwrap_or(&7) as f32 + <[f32]>::mean(x) + Norm::norm(&x[..2]),
        ]
    }
}

#[kernel]
pub fn slice_traits(x: &[f32], u: &[u32], y: &mut [[f32; 7]]) {
    let i = global_id(0);
    y[i] = norms::f(x, u, i);
}

pub fn cases() -> Vec<Case> {
    let u: Vec<u32> = (0..20).map(|i| i * 3 + 1).collect();
    let x = map(&u, |v| v as f32);
    let positions: Vec<usize> = (0..19).collect();
    let y = map(&positions, |i| norms::f(&x, &u, i));
    vec![Case::of(&SLICE_TRAITS).input(&x).input(&u).output(&y).items([y.len()])]
}
