//! Elements that are combined: reductions and scans.

use crate::data::{Numbers, queue, sizes, special_floats};
use kernel_algorithms::{
    BitAnd, BitOr, BitXor, Error, Max, Min, Monoid, Product, Sum, exclusive_scan, inclusive_scan, monoid,
    reduce, reduce_into,
};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;
use std::fmt::Debug;

/// The function `x * scale + offset`.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    scale: u32,
    offset: u32,
}

monoid! {
    /// One function after the other, which is not commutative.
    #[derive(Clone, Copy)]
    struct Compose for Affine {
        const IDENTITY: Affine = Affine { scale: 1, offset: 0 };

        fn combine(a: Affine, b: Affine) -> Affine {
            let scale = a.scale.wrapping_mul(b.scale);
            Affine { scale, offset: a.offset.wrapping_mul(b.scale).wrapping_add(b.offset) }
        }
    }
}

/// What a loop on the host makes of it.
fn scanned<T: Element, M: Monoid<T>>(_operation: M, x: &[T], inclusive: bool) -> Vec<T> {
    let mut sum = M::identity();
    let mut y = Vec::new();
    for &x in x {
        let before = sum;
        sum = M::combine(sum, x);
        y.push(if inclusive { sum } else { before });
    }
    y
}

#[track_caller]
fn check_scans<T: Element + PartialEq + Debug, M: Monoid<T>>(queue: &Queue, operation: M, values: &[T]) {
    let x = queue.upload(values).unwrap();
    let mut y = queue.uninit(values.len()).unwrap();
    inclusive_scan(queue, operation, &x, &mut y).unwrap();
    assert!(queue.download(&y).unwrap() == scanned(operation, values, true), "{} elements", values.len());
    exclusive_scan(queue, operation, &x, &mut y).unwrap();
    assert!(queue.download(&y).unwrap() == scanned(operation, values, false), "{} elements", values.len());
}

#[track_caller]
fn check_all<T: Element + PartialEq + Debug, M: Monoid<T>>(queue: &Queue, operation: M, values: &[T]) {
    let expected = values.iter().fold(M::identity(), |sum, &x| M::combine(sum, x));
    assert_eq!(reduce(queue, operation, &queue.upload(values).unwrap()).unwrap(), expected);
    check_scans(queue, operation, values);
}

/// Sums that fit, and bits.
macro_rules! integers {
    ($queue:expr, $len:expr, $($ty:ident)*) => {$(
        let mut numbers = Numbers($len as u64);
        let small = numbers.many($len, |bits| (bits % 1000) as $ty);
        let any = numbers.many($len, |bits| bits as $ty);
        let units = numbers.many($len, |bits| if bits % 4096 == 0 { 2 } else { 1 } as $ty);
        check_all($queue, Sum, &small);
        check_all($queue, Product, &units[..$len.min(4097)]);
        check_all($queue, Min, &any);
        check_all($queue, Max, &any);
    )*};
}

#[test]
fn bits_are_combined_as_on_the_host() {
    let queue = queue();
    for len in [0, 1, 300, 4097] {
        let mut numbers = Numbers(len as u64);
        check_all(&queue, BitAnd, &numbers.many(len, |bits| bits as u32 | 0x1234));
        check_all(&queue, BitOr, &numbers.many(len, |bits| bits & 0xff0f));
        check_all(&queue, BitXor, &numbers.many(len, |bits| bits));
    }
}

#[test]
fn integers_are_combined_as_on_the_host() {
    let queue = queue();
    for len in sizes() {
        integers!(&queue, len, u32);
    }
    for len in [0, 1, 257, 4097] {
        integers!(&queue, len, i32 u64 i64);
    }
}

#[test]
fn floats_are_combined_as_on_the_host() {
    let queue = queue();
    for len in sizes() {
        // Their sums are exact, so that any order has the same result.
        let mut numbers = Numbers(len as u64);
        let x = numbers.many(len, |bits| (bits % 64) as f32 * 0.25);
        check_all(&queue, Sum, &x);
        check_all(
            &queue,
            Product,
            &numbers.many(len, |bits| [1.0, -1.0, 0.5, 2.0][bits as usize % 4].signum()),
        );
        check_all(&queue, Min, &x);
        let x = numbers.doubles(len);
        check_all(&queue, Max, &x);
        check_all(&queue, Min, &x);
        check_all(&queue, Sum, &numbers.many(len, |bits| (bits % 64) as f64 * 0.25));
    }
}

#[test]
fn special_floats_are_those_of_rust() {
    let queue = queue();
    for len in [1, 100, 4097] {
        let x = special_floats(len);
        let buffer = queue.upload(&x).unwrap();
        let (least, greatest) =
            (reduce(&queue, Min, &buffer).unwrap(), reduce(&queue, Max, &buffer).unwrap());
        assert_eq!(least, x.iter().copied().fold(f32::INFINITY, f32::min));
        assert_eq!(greatest, x.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        let sum = reduce(&queue, Sum, &buffer).unwrap();
        assert_eq!(sum.is_nan(), x.iter().sum::<f32>().is_nan());
    }
    assert_eq!(reduce(&queue, Sum, &queue.upload(&[f32::INFINITY, 1.0]).unwrap()).unwrap(), f32::INFINITY);
}

#[test]
fn float_sums_are_the_same_each_time_and_near() {
    let queue = queue();
    let x = Numbers(3).floats(1_000_003);
    let buffer = queue.upload(&x).unwrap();
    let first = reduce(&queue, Sum, &buffer).unwrap();
    let exact: f64 = x.iter().map(|&x| f64::from(x)).sum();
    assert!((f64::from(first) - exact).abs() < 0.05, "{first} {exact}");
    assert_eq!(reduce(&queue, Sum, &buffer).unwrap().to_bits(), first.to_bits());
}

#[test]
fn operations_of_the_users_own() {
    let queue = queue();
    for len in sizes() {
        let x = Numbers(5).many(len, |bits| Affine { scale: bits as u32 | 1, offset: (bits >> 32) as u32 });
        check_scans(&queue, Compose, &x);
    }
}

#[test]
fn shapes_are_checked() {
    let queue = queue();
    let (x, mut y) = (queue.zeros::<f32>(3).unwrap(), queue.zeros::<f32>(2).unwrap());
    assert!(matches!(reduce_into(&queue, Sum, &x, &mut y), Err(Error::Shape(_))));
    assert!(matches!(inclusive_scan(&queue, Sum, &x, &mut y), Err(Error::Shape(_))));
    assert!(matches!(exclusive_scan(&queue, Sum, &x, &mut y), Err(Error::Shape(_))));
}
