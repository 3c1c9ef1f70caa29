//! Segments.

use crate::data::{Numbers, queue, sizes};
use kernel_algorithms::{
    Error, Max, Monoid, Sum, monoid, segmented_exclusive_scan, segmented_inclusive_scan, segmented_reduce,
};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;
use std::fmt::Debug;

monoid! {
    /// The last element, of which all others are the identity: it is not commutative.
    #[derive(Clone, Copy)]
    struct Last for u32 {
        const IDENTITY: u32 = 0;

        fn combine(a: u32, b: u32) -> u32 {
            if b == 0 { a } else { b }
        }
    }
}

#[track_caller]
fn check_scans<T: Element + PartialEq + Debug, M: Monoid<T>>(
    queue: &Queue,
    operation: M,
    x: &[T],
    heads: &[u32],
) {
    let (mut inclusive, mut exclusive) = (Vec::new(), Vec::new());
    let mut sum = M::identity();
    for (&x, &head) in x.iter().zip(heads) {
        let before = if head == 0 { sum } else { M::identity() };
        sum = M::combine(before, x);
        exclusive.push(before);
        inclusive.push(sum);
    }
    let (x, heads) = (queue.upload(x).unwrap(), queue.upload(heads).unwrap());
    let mut y = queue.uninit(x.len()).unwrap();
    segmented_inclusive_scan(queue, operation, &x, &heads, &mut y).unwrap();
    assert!(queue.download(&y).unwrap() == inclusive, "{} elements", x.len());
    segmented_exclusive_scan(queue, operation, &x, &heads, &mut y).unwrap();
    assert!(queue.download(&y).unwrap() == exclusive, "{} elements", x.len());
}

#[test]
fn scans_start_anew_at_each_head() {
    let queue = queue();
    for len in sizes() {
        for every in [5, 3000] {
            let mut numbers = Numbers((len + every) as u64);
            let heads = numbers.many(len, |bits| if bits % every as u64 == 0 { bits as u32 | 1 } else { 0 });
            check_scans(&queue, Sum, &numbers.many(len, |bits| (bits % 100) as u32), &heads);
            // Native code is slow to make where the driver is not optimised, so large buffers are for one operation.
            if len < 3000 {
                check_scans(&queue, Last, &numbers.many(len, |bits| (bits % 3) as u32), &heads);
            }
        }
    }
    let mut numbers = Numbers(9);
    let heads = numbers.many(4097, |bits| (bits % 100 == 0) as u32);
    check_scans(&queue, Last, &numbers.many(4097, |bits| (bits % 3) as u32), &heads);
    check_scans(&queue, Max, &numbers.doubles(4097), &heads);
}

#[test]
fn segments_are_reduced_however_long_they_are() {
    let queue = queue();
    let mut numbers = Numbers(1);
    for (segments, longest) in [(0, 0), (1, 0), (1, 1), (300, 10), (40, 3000), (2, 60_000)] {
        let mut offsets = vec![0_u32];
        for _ in 0..segments {
            let length = if longest == 0 { 0 } else { numbers.next() as usize % (longest + 1) };
            offsets.push(offsets[offsets.len() - 1] + length as u32);
        }
        let x = numbers.many(offsets[segments] as usize, |bits| (bits % 1000) as i64 - 500);
        let parts = offsets.windows(2).map(|ends| &x[ends[0] as usize..ends[1] as usize]);
        let sums: Vec<i64> = parts.clone().map(|part| part.iter().sum()).collect();
        let greatest: Vec<i64> = parts.map(|part| part.iter().copied().max().unwrap_or(i64::MIN)).collect();
        let (x, offsets) = (queue.upload(&x).unwrap(), queue.upload(&offsets).unwrap());
        let mut y = queue.uninit(segments).unwrap();
        segmented_reduce(&queue, Sum, &x, &offsets, &mut y).unwrap();
        assert_eq!(queue.download(&y).unwrap(), sums);
        segmented_reduce(&queue, Max, &x, &offsets, &mut y).unwrap();
        assert_eq!(queue.download(&y).unwrap(), greatest);
    }
}

/// Each group reads 65 ones that all others read too, so that there are many groups and little memory.
#[test]
fn there_may_be_more_segments_than_16_bits_count() {
    let queue = queue();
    let segments = 65_537;
    let x = queue.filled(65 * segments, 1_u32).unwrap();
    let offsets: Vec<u32> = (0..=segments as u32).map(|i| 65 * i).collect();
    let offsets = queue.upload(&offsets).unwrap();
    let mut y = queue.uninit(segments).unwrap();
    segmented_reduce(&queue, Sum, &x, &offsets, &mut y).unwrap();
    assert_eq!(queue.download(&y).unwrap(), vec![65; segments]);
}

#[test]
fn shapes_and_offsets_are_checked() {
    let queue = queue();
    let x = queue.zeros::<u32>(10).unwrap();
    let mut y = queue.zeros(2).unwrap();
    let heads = queue.zeros(2).unwrap();
    let refused = segmented_reduce(&queue, Sum, &x, &heads, &mut y);
    assert!(matches!(refused, Err(Error::Shape(_))));
    assert!(matches!(segmented_inclusive_scan(&queue, Sum, &x, &heads, &mut y), Err(Error::Shape(_))));
    let offsets = queue.upload(&[0, 5, 12]).unwrap();
    segmented_reduce(&queue, Sum, &x, &offsets, &mut y).unwrap();
    assert!(matches!(queue.synchronize(), Err(kernel_runtime::Error::Fault(_))));
}
