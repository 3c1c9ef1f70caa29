//! Histograms, searches and merges.

use crate::data::{Numbers, queue, sizes, special_floats};
use kernel_algorithms::{Error, SortKey, histogram, histogram_of_range, lower_bound, merge, upper_bound};
use kernel_runtime::prelude::*;
use std::cmp::Ordering;
use std::fmt::Debug;

#[track_caller]
fn counts_of(bins: impl Iterator<Item = usize>, count: usize) -> Vec<u32> {
    let mut counts = vec![0; count];
    bins.filter(|&bin| bin < count).for_each(|bin| counts[bin] += 1);
    counts
}

#[test]
fn numbers_are_counted_in_local_and_in_global_memory() {
    let queue = queue();
    for len in sizes() {
        let mut numbers = Numbers(len as u64);
        let bytes = numbers.many(len, |bits| bits as u8);
        let words = numbers.many(len, |bits| (bits % 6000) as u32);
        let (x, y) = (queue.upload(&bytes).unwrap(), queue.upload(&words).unwrap());
        for count in [0, 1, 200, 256, 300] {
            let mut counts = queue.filled(count, 9).unwrap();
            histogram(&queue, &x, &mut counts).unwrap();
            let expected = counts_of(bytes.iter().map(|&x| x.into()), count);
            assert_eq!(queue.download(&counts).unwrap(), expected);
        }
        for count in [10, 4096, 5500] {
            let mut counts = queue.filled(count, 9).unwrap();
            histogram(&queue, &y, &mut counts).unwrap();
            let expected = counts_of(words.iter().map(|&x| x as usize), count);
            assert_eq!(queue.download(&counts).unwrap(), expected);
        }
    }
}

#[test]
fn floats_are_counted_in_their_range() {
    let queue = queue();
    for len in sizes() {
        let x: Vec<f32> =
            special_floats(len / 2).into_iter().chain(Numbers(3).floats(len - len / 2)).collect();
        let bin = |&x: &f32| match x {
            -0.5..0.25 => (((x + 0.5) / 0.75 * 13.0) as usize).min(12),
            _ => usize::MAX,
        };
        let mut counts = queue.uninit(13).unwrap();
        histogram_of_range(&queue, &queue.upload(&x).unwrap(), -0.5..0.25, &mut counts).unwrap();
        assert_eq!(queue.download(&counts).unwrap(), counts_of(x.iter().map(bin), 13));
    }
    let mut none = queue.uninit(0).unwrap();
    histogram_of_range(&queue, &queue.upload(&[0.5]).unwrap(), 0.0..1.0, &mut none).unwrap();
    for range in [1.0..1.0, 2.0..1.0, f64::NAN..1.0] {
        let refused = histogram_of_range(&queue, &queue.upload(&[0.5]).unwrap(), range, &mut none);
        assert!(matches!(refused, Err(Error::Shape(_))));
    }
}

#[track_caller]
fn check_sorted<K: SortKey + Debug>(queue: &Queue, a: &[K], b: &[K], compare: impl Fn(&K, &K) -> Ordering) {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    let bounds = |behind: bool| -> Vec<u32> {
        let before = |x: &K, key: &K| compare(x, key).is_lt() || behind && compare(x, key).is_eq();
        b.iter().map(|key| a.iter().filter(|x| before(x, key)).count() as u32).collect()
    };
    let (lower, upper) = (bounds(false), bounds(true));
    a.sort_by(&compare);
    let (x, keys) = (queue.upload(&a).unwrap(), queue.upload(&b).unwrap());
    let mut y = queue.uninit(b.len()).unwrap();
    lower_bound(queue, &x, &keys, &mut y).unwrap();
    assert_eq!(queue.download(&y).unwrap(), lower);
    upper_bound(queue, &x, &keys, &mut y).unwrap();
    assert_eq!(queue.download(&y).unwrap(), upper);

    b.sort_by(&compare);
    let mut y = queue.uninit(a.len() + b.len()).unwrap();
    merge(queue, &x, &queue.upload(&b).unwrap(), &mut y).unwrap();
    let mut expected = [a, b].concat();
    expected.sort_by(&compare);
    let found = queue.download(&y).unwrap();
    assert!(found.iter().zip(&expected).all(|(a, b)| compare(a, b).is_eq()), "{} elements", expected.len());
}

#[test]
fn sorted_elements_are_searched_and_merged() {
    let queue = queue();
    let mut numbers = Numbers(1);
    for (a, b) in [(0, 0), (0, 5), (5, 0), (1, 1), (255, 7), (1000, 1003), (300, 3000)] {
        let (x, y) = (numbers.many(a, |bits| bits % 300), numbers.many(b, |bits| bits % 300));
        check_sorted(&queue, &x, &y, u64::cmp);
        let of = |x: &[u64]| x.iter().map(|&x| x as i32 - 150).collect::<Vec<_>>();
        check_sorted(&queue, &of(&x), &of(&y), i32::cmp);
        check_sorted(&queue, &special_floats(a), &special_floats(b), f32::total_cmp);
    }
    let (x, mut y) = (queue.zeros::<u32>(3).unwrap(), queue.zeros(2).unwrap());
    assert!(matches!(lower_bound(&queue, &x, &x, &mut y), Err(Error::Shape(_))));
    assert!(matches!(merge(&queue, &x, &x, &mut y), Err(Error::Shape(_))));
}
