//! Elements by themselves.

use crate::data::{Numbers, queue, sizes};
use kernel_algorithms::{Error, ShapeProblem, copy, fill, map, map_in_place, sequence, tabulate};
use kernel_runtime::prelude::*;

#[device]
fn clipped(x: f32) -> f32 {
    x.clamp(-0.5, 0.5)
}

map! {
    fn clip(x: f32) -> f32 {
        if x.is_nan() {
            return 9.0;
        }
        clipped(x)
    }
}

map! {
    /// Names that the macro might use itself, and elements of other types.
    fn weighted(result: u8, queue: f64, y: i16; len: f32, i: u32) -> f64 {
        f64::from(result) * queue + f64::from(y) * f64::from(len) + f64::from(i)
    }
}

map_in_place! {
    fn double(x: u64) -> u64 {
        2 * x
    }
}

map_in_place! {
    fn decay(v: f32, rate: f32; dt: f32) -> f32 {
        v - v * rate * dt
    }
}

tabulate! {
    fn squares(i: usize; plus: u64) -> u64 {
        (i * i) as u64 + plus
    }
}

#[test]
fn maps_are_those_of_the_host() {
    let queue = queue();
    for len in sizes() {
        let mut numbers = Numbers(len as u64);
        let x = numbers.floats(len);
        let mut y = queue.uninit(len).unwrap();
        clip(&queue, &queue.upload(&x).unwrap(), &mut y).unwrap();
        assert_eq!(queue.download(&y).unwrap(), x.iter().map(|&x| clipped(x)).collect::<Vec<_>>());

        let (a, b) = (numbers.many(len, |bits| bits as u8), numbers.doubles(len));
        let c = numbers.many(len, |bits| bits as i16);
        let mut z = queue.uninit(len).unwrap();
        let (da, db, dc) = (queue.upload(&a).unwrap(), queue.upload(&b).unwrap(), queue.upload(&c).unwrap());
        weighted(&queue, &da, &db, &dc, &mut z, 0.5, 7).unwrap();
        let expected: Vec<f64> =
            (0..len).map(|i| f64::from(a[i]) * b[i] + f64::from(c[i]) * 0.5 + 7.0).collect();
        assert_eq!(queue.download(&z).unwrap(), expected);
    }
}

#[test]
fn maps_in_place_and_from_indices() {
    let queue = queue();
    for len in sizes() {
        let mut y = queue.zeros(len).unwrap();
        squares(&queue, &mut y, 3).unwrap();
        double(&queue, &mut y).unwrap();
        let expected: Vec<u64> = (0..len as u64).map(|i| 2 * (i * i + 3)).collect();
        assert_eq!(queue.download(&y).unwrap(), expected);

        let mut v = queue.filled(len, 8.0_f32).unwrap();
        let rate = queue.filled(len, 0.25_f32).unwrap();
        decay(&queue, &mut v, &rate, 2.0).unwrap();
        assert_eq!(queue.download(&v).unwrap(), vec![4.0; len]);
    }
}

#[test]
fn fills_copies_and_sequences() {
    let queue = queue();
    for len in sizes() {
        let mut x = queue.uninit::<[u16; 3]>(len).unwrap();
        fill(&queue, &mut x, [1, 2, 3]).unwrap();
        let mut y = queue.uninit(len).unwrap();
        copy(&queue, &x, &mut y).unwrap();
        assert_eq!(queue.download(&y).unwrap(), vec![[1, 2, 3]; len]);

        let mut numbers = queue.uninit(len).unwrap();
        sequence(&queue, &mut numbers, 5_u32, u32::MAX).unwrap();
        let expected: Vec<u32> = (0..len as u32).map(|i| 5_u32.wrapping_sub(i)).collect();
        assert_eq!(queue.download(&numbers).unwrap(), expected);
        let mut numbers = queue.uninit(len).unwrap();
        sequence(&queue, &mut numbers, -1.0, 0.5).unwrap();
        let expected: Vec<f64> = (0..len).map(|i| i as f64 * 0.5 - 1.0).collect();
        assert_eq!(queue.download(&numbers).unwrap(), expected);
    }
}

#[test]
fn lengths_that_differ_are_named() {
    let queue = queue();
    let (x, mut y) = (queue.zeros(3).unwrap(), queue.zeros(4).unwrap());
    let Err(Error::Shape(error)) = clip(&queue, &x, &mut y) else { panic!("3 are not 4") };
    assert_eq!(error.algorithm, "clip");
    assert_eq!(error.problem, ShapeProblem::Length { argument: "x", expected: 4, found: 3 });
    assert_eq!(error.to_string(), "`clip`: `x` has 3 elements, but 4 are expected");
    assert!(matches!(copy(&queue, &x, &mut y), Err(Error::Shape(_))));
}
