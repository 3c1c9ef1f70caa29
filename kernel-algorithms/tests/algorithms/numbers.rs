//! Random numbers.

use crate::data::{is_watched, queue, sizes};
use kernel_algorithms::{Random, philox4x32};
use kernel_runtime::prelude::*;

/// The examples of the authors' own library, Random123.
#[test]
fn philox_is_that_of_its_authors() {
    let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
    assert_eq!(philox4x32([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    assert_eq!(
        philox4x32([u32::MAX; 4], [u32::MAX; 2]),
        [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
    );
    assert_eq!(
        philox4x32(pi, [0xa409_3822, 0x299f_31d0]),
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
    );
}

#[kernel]
fn own(y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = philox4x32([i as u32, 0, 3, 0], [9, 1]);
    }
}

#[test]
fn bits_are_those_of_the_function_whatever_the_length() {
    let queue = queue();
    for len in sizes() {
        let mut random = Random::new(1 << 32 | 9);
        let mut y = queue.uninit(len).unwrap();
        for stream in 0..2 {
            random.bits(&queue, &mut y).unwrap();
            let block = |i: usize| philox4x32([i as u32, 0, stream, 0], [9, 1]);
            let expected: Vec<u32> = (0..len).map(|i| block(i / 4)[i % 4]).collect();
            assert_eq!(queue.download(&y).unwrap(), expected);
        }
    }
    let mut y = queue.uninit(3).unwrap();
    own(&mut y).launch(&queue, 3).unwrap();
    assert_eq!(queue.download(&y).unwrap()[2], philox4x32([2, 0, 3, 0], [9, 1]));
}

/// Mean, variance and the fourth moment.
fn moments(x: &[f64]) -> [f64; 3] {
    let mean = |of: &dyn Fn(f64) -> f64| x.iter().map(|&x| of(x)).sum::<f64>() / x.len() as f64;
    let first = mean(&|x| x);
    [first, mean(&|x| (x - first).powi(2)), mean(&|x| (x - first).powi(4))]
}

#[track_caller]
fn assert_moments(x: &[f64], expected: [f64; 3]) {
    for (found, expected) in moments(x).iter().zip(expected) {
        assert!((found - expected).abs() < 0.06 * expected.max(1.0), "{found} {expected}");
    }
}

#[test]
fn numbers_are_distributed_as_they_should() {
    let queue = queue();
    let len = if is_watched() { 5000 } else { 100_001 };
    let mut random = Random::new(7);
    let (mut x, mut y) = (queue.uninit::<f32>(len).unwrap(), queue.uninit::<f64>(len).unwrap());
    random.uniform(&queue, &mut x, 0.0..1.0).unwrap();
    random.uniform(&queue, &mut y, 2.0..4.0).unwrap();
    let (uniform, wide) = (queue.download(&x).unwrap(), queue.download(&y).unwrap());
    assert!(uniform.iter().all(|x| (0.0..1.0).contains(x)) && wide.iter().all(|x| (2.0..4.0).contains(x)));
    let uniform: Vec<f64> = uniform.into_iter().map(f64::from).collect();
    assert_moments(&uniform, [0.5, 1.0 / 12.0, 1.0 / 80.0]);
    assert_moments(&wide, [3.0, 4.0 / 12.0, 16.0 / 80.0]);
    random.normal(&queue, &mut x, 0.0, 1.0).unwrap();
    random.normal(&queue, &mut y, -1.0, 2.0).unwrap();
    let normal: Vec<f64> = queue.download(&x).unwrap().into_iter().map(f64::from).collect();
    assert!(normal.iter().all(|x| x.is_finite()));
    assert_moments(&normal, [0.0, 1.0, 3.0]);
    assert_moments(&queue.download(&y).unwrap(), [-1.0, 4.0, 48.0]);
}

#[test]
fn numbers_of_all_lengths_are_the_beginning_of_longer_ones() {
    let queue = queue();
    let mut longest = queue.uninit::<f32>(1000).unwrap();
    Random::new(3).normal(&queue, &mut longest, 0.0, 1.0).unwrap();
    let longest = queue.download(&longest).unwrap();
    for len in [0, 1, 2, 3, 5, 257] {
        let mut x = queue.uninit::<f32>(len).unwrap();
        Random::new(3).normal(&queue, &mut x, 0.0, 1.0).unwrap();
        assert_eq!(queue.download(&x).unwrap(), longest[..len]);
        let mut x = queue.uninit::<f64>(len).unwrap();
        Random::new(3).normal(&queue, &mut x, 0.0, 1.0).unwrap();
        assert!(queue.download(&x).unwrap().iter().all(|x| x.is_finite()));
    }
}
