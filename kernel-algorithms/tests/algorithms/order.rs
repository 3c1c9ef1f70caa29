//! Elements that are moved: compact, partition, unique, sort.

use crate::data::{Numbers, is_watched, queue, sizes, special_floats};
use kernel_algorithms::{
    Error, SortKey, compact, count_if, gather, partition, predicate, sort, sort_by_key, sorted_indices,
    unique,
};
use kernel_runtime::FaultKind;
use kernel_runtime::prelude::*;
use std::cmp::Ordering;
use std::fmt::Debug;

predicate! {
    #[derive(Clone, Copy)]
    struct Odd for u32 = |x| x % 2 == 1;
}

predicate! {
    /// One of a hundred.
    #[derive(Clone, Copy)]
    struct Rare for u32 = |x| x % 100 == 7;
}

predicate! {
    #[derive(Clone, Copy)]
    struct Whole for f64 = |x| { let rest = x.fract(); rest == 0.0 };
}

#[test]
fn what_is_chosen_keeps_its_order() {
    let queue = queue();
    for len in sizes().chain([4095, 4096, 8193]) {
        let x = Numbers(len as u64).many(len, |bits| bits as u32);
        let buffer = queue.upload(&x).unwrap();
        let odd: Vec<u32> = x.iter().copied().filter(|x| x % 2 == 1).collect();
        let even: Vec<u32> = x.iter().copied().filter(|x| x % 2 == 0).collect();
        let rare: Vec<u32> = x.iter().copied().filter(|x| x % 100 == 7).collect();
        assert_eq!(queue.download(&compact(&queue, Odd, &buffer).unwrap()).unwrap(), odd);
        assert_eq!(queue.download(&compact(&queue, Rare, &buffer).unwrap()).unwrap(), rare);
        assert_eq!(count_if(&queue, Rare, &buffer).unwrap(), rare.len());
        let mut y = queue.uninit(len).unwrap();
        assert_eq!(partition(&queue, Odd, &buffer, &mut y).unwrap(), odd.len());
        assert_eq!(queue.download(&y).unwrap(), [odd, even].concat());
    }
}

#[test]
fn all_and_none_are_chosen() {
    let queue = queue();
    let x = queue.filled(5000, 3.0).unwrap();
    assert_eq!(compact(&queue, Whole, &x).unwrap().len(), 5000);
    let x = queue.filled(5000, 3.5).unwrap();
    assert_eq!(compact(&queue, Whole, &x).unwrap().len(), 0);
    let mut y = queue.uninit(5000).unwrap();
    assert_eq!(partition(&queue, Whole, &x, &mut y).unwrap(), 0);
    assert_eq!(queue.download(&y).unwrap(), [3.5; 5000]);
}

#[test]
fn neighbours_that_are_equal_are_one() {
    let queue = queue();
    for len in sizes() {
        let mut x = Numbers(len as u64).many(len, |bits| (bits % 3) as u8);
        let buffer = queue.upload(&x).unwrap();
        x.dedup();
        assert_eq!(queue.download(&unique(&queue, &buffer).unwrap()).unwrap(), x);
    }
    let x = [0.0, -0.0, f32::NAN, f32::NAN, 1.0, 1.0];
    let found = queue.download(&unique(&queue, &queue.upload(&x).unwrap()).unwrap()).unwrap();
    assert_eq!(
        found.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
        [0, f32::NAN.to_bits(), f32::NAN.to_bits(), 1_f32.to_bits()]
    );
}

#[track_caller]
fn check_sorts<K: SortKey + Debug>(queue: &Queue, keys: &[K], compare: impl Fn(&K, &K) -> Ordering) {
    let equal = |a: &[K], b: &[K]| a.iter().zip(b).all(|(a, b)| compare(a, b).is_eq());
    let mut expected: Vec<(K, u32)> = keys.iter().copied().zip(0..).collect();
    expected.sort_by(|(a, _), (b, _)| compare(a, b));
    let (expected_keys, expected_values): (Vec<K>, Vec<u32>) = expected.into_iter().unzip();

    let mut sorted = queue.upload(keys).unwrap();
    sort(queue, &mut sorted).unwrap();
    assert!(equal(&queue.download(&sorted).unwrap(), &expected_keys), "{} keys", keys.len());

    let mut sorted = queue.upload(keys).unwrap();
    let values: Vec<u8> = (0..keys.len()).map(|i| i as u8).collect();
    let mut values = queue.upload(&values).unwrap();
    sort_by_key(queue, &mut sorted, &mut values).unwrap();
    assert!(equal(&queue.download(&sorted).unwrap(), &expected_keys), "{} keys", keys.len());
    let bytes: Vec<u8> = expected_values.iter().map(|&value| value as u8).collect();
    assert!(queue.download(&values).unwrap() == bytes, "{} keys", keys.len());

    let indices = sorted_indices(queue, &queue.upload(keys).unwrap()).unwrap();
    assert!(queue.download(&indices).unwrap() == expected_values, "{} keys", keys.len());
}

#[test]
fn integers_are_sorted() {
    let queue = queue();
    for len in sizes().filter(|&len| len != 65_537) {
        check_sorts(&queue, &Numbers(len as u64).many(len, |bits| bits as u32), u32::cmp);
    }
    if !is_watched() {
        let mut keys = Numbers(3).many(65_537, |bits| bits as u32);
        let mut sorted = queue.upload(&keys).unwrap();
        sort(&queue, &mut sorted).unwrap();
        keys.sort_unstable();
        assert!(queue.download(&sorted).unwrap() == keys);
    }
    for len in [0, 1, 4097] {
        let mut numbers = Numbers(len as u64);
        check_sorts(&queue, &numbers.many(len, |bits| (bits % 5) as i32 - 2), i32::cmp);
        check_sorts(&queue, &numbers.many(len, |bits| bits), u64::cmp);
        check_sorts(&queue, &numbers.many(len, |bits| (bits as i64) >> (bits % 64)), i64::cmp);
    }
}

#[test]
fn floats_are_sorted_by_their_total_order() {
    let queue = queue();
    for len in [1, 257, 4097] {
        let x = special_floats(len);
        check_sorts(&queue, &x, f32::total_cmp);
        let x: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
        check_sorts(&queue, &x, f64::total_cmp);
    }
}

#[test]
fn keys_that_are_sorted_already_and_backwards() {
    let queue = queue();
    let rising: Vec<u32> = (0..5000).collect();
    check_sorts(&queue, &rising, u32::cmp);
    check_sorts(&queue, &rising.iter().rev().copied().collect::<Vec<_>>(), u32::cmp);
    check_sorts(&queue, &[u32::MAX; 5000], u32::cmp);
}

#[test]
fn gathered_elements_are_checked() {
    let queue = queue();
    let x = queue.upload(&[10_u16, 20, 30]).unwrap();
    let mut y = queue.uninit(4).unwrap();
    gather(&queue, &x, &queue.upload(&[2, 0, 0, 1]).unwrap(), &mut y).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [30, 10, 10, 20]);
    gather(&queue, &x, &queue.upload(&[2, 0, 3, 1]).unwrap(), &mut y).unwrap();
    let Err(kernel_runtime::Error::Fault(fault)) = queue.synchronize() else {
        panic!("there is no element 3")
    };
    assert_eq!((fault.kind, fault.values), (FaultKind::IndexOutOfBounds, [3, 3]));
}

#[test]
fn shapes_are_checked() {
    let queue = queue();
    let (mut keys, mut values) = (queue.zeros::<u32>(3).unwrap(), queue.zeros::<f32>(4).unwrap());
    assert!(matches!(sort_by_key(&queue, &mut keys, &mut values), Err(Error::Shape(_))));
    let mut y = queue.zeros(4).unwrap();
    assert!(matches!(partition(&queue, Odd, &keys, &mut y), Err(Error::Shape(_))));
    assert!(matches!(gather(&queue, &values, &keys, &mut queue.zeros(1).unwrap()), Err(Error::Shape(_))));
}
