//! Dense and sparse matrices.

use crate::data::{Numbers, assert_near, is_watched, queue};
use kernel_algorithms::{Csr, Error, GemmSize, MatrixElement, gemm, gemm_batched, gemv, spmv, transpose};
use kernel_runtime::prelude::*;
use std::fmt::Debug;
use std::ops::{Add, Mul};

const SIDES: [(usize, usize); 8] = [(0, 0), (0, 3), (1, 1), (1, 40), (16, 16), (17, 5), (33, 64), (100, 131)];

#[test]
fn matrices_are_transposed() {
    let queue = queue();
    for (rows, columns) in SIDES.into_iter().chain([(2000, 70)]) {
        let x = Numbers(1).many(rows * columns, |bits| bits as u16);
        let mut y = queue.uninit(rows * columns).unwrap();
        transpose(&queue, (rows, columns), &queue.upload(&x).unwrap(), &mut y).unwrap();
        let expected: Vec<u16> = (0..columns)
            .flat_map(|c| (0..rows).map(move |r| (r, c)))
            .map(|(r, c)| x[r * columns + c])
            .collect();
        assert_eq!(queue.download(&y).unwrap(), expected);
    }
}

/// The product on the host, in the same order.
fn product<T: Copy + Add<Output = T> + Mul<Output = T>>(
    GemmSize { rows, columns, inner }: GemmSize,
    a: &[T],
    b: &[T],
    zero: T,
) -> Vec<T> {
    let mut c = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let terms = (0..inner).map(|k| a[row * inner + k] * b[k * columns + column]);
            c.push(terms.fold(zero, |sum, term| sum + term));
        }
    }
    c
}

#[track_caller]
fn check_gemm<T: MatrixElement + PartialEq + Debug + Add<Output = T> + Mul<Output = T>>(
    queue: &Queue,
    size: GemmSize,
    of: impl Fn(u64) -> T,
) {
    let mut numbers = Numbers(size.rows as u64);
    let GemmSize { rows, columns, inner } = size;
    let (a, b) = (numbers.many(rows * inner, &of), numbers.many(inner * columns, &of));
    let before = numbers.many(rows * columns, &of);
    let (zero, one, two) = (of(8), of(9), of(10));
    let expected: Vec<T> =
        product(size, &a, &b, zero).into_iter().zip(&before).map(|(c, &old)| two * c + one * old).collect();
    let mut c = queue.upload(&before).unwrap();
    let (a, b) = (queue.upload(&a).unwrap(), queue.upload(&b).unwrap());
    gemm(queue, size, two, &a, &b, one, &mut c).unwrap();
    assert_eq!(queue.download(&c).unwrap(), expected, "{size:?}");
}

#[test]
fn products_are_those_of_the_host() {
    let queue = queue();
    for (rows, columns) in SIDES {
        for inner in [0, 1, 16, 37] {
            let size = GemmSize { rows, columns, inner };
            // Small integers, whose sums are exact.
            check_gemm(&queue, size, |bits| (bits % 17) as f32 - 8.0);
            check_gemm(&queue, size, |bits| (bits % 17) as f64 - 8.0);
            check_gemm(&queue, size, |bits| (bits % 17) as i32 - 8);
        }
    }
    check_gemm(&queue, GemmSize::square(if is_watched() { 20 } else { 150 }), |bits| {
        (bits % 17) as f32 - 8.0
    });
}

#[test]
fn products_of_many_small_matrices() {
    let queue = queue();
    for count in [0, 1, 3, 70] {
        let size = GemmSize { rows: 5, columns: 7, inner: 3 };
        let mut numbers = Numbers(count as u64);
        let (a, b) =
            (numbers.many(count * 15, |bits| bits as u32), numbers.many(count * 21, |bits| bits as u32));
        let mut c = queue.filled(count * 35, 7).unwrap();
        let (da, db) = (queue.upload(&a).unwrap(), queue.upload(&b).unwrap());
        gemm_batched(&queue, count, size, 1, &da, &db, 0, &mut c).unwrap();
        let expected: Vec<u32> = (0..count)
            .flat_map(|k| {
                let (a, b) = (&a[k * 15..][..15], &b[k * 21..][..21]);
                (0..35).map(move |i| {
                    (0..3).fold(0_u32, |sum, k| {
                        sum.wrapping_add(a[i / 7 * 3 + k].wrapping_mul(b[k * 7 + i % 7]))
                    })
                })
            })
            .collect();
        assert_eq!(queue.download(&c).unwrap(), expected);
    }
}

/// What nobody has written may be a NaN.
#[test]
fn with_a_beta_of_zero_nothing_is_read() {
    let queue = queue();
    let a = queue.filled(4, 1.0_f32).unwrap();
    let mut c = queue.filled(4, f32::NAN).unwrap();
    gemm(&queue, GemmSize::square(2), 1.0, &a, &a, 0.0, &mut c).unwrap();
    assert_eq!(queue.download(&c).unwrap(), [2.0; 4]);
    let mut y = queue.filled(2, f32::NAN).unwrap();
    gemv(&queue, 2.0, &a, &a.slice(..2), 0.0, &mut y).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [4.0; 2]);
    // With an `alpha` of zero and nothing to add up, what was there is scaled.
    let none = queue.zeros::<f32>(0).unwrap();
    gemm(&queue, GemmSize { rows: 2, columns: 2, inner: 0 }, 1.0, &none, &none, 3.0, &mut c).unwrap();
    assert_eq!(queue.download(&c).unwrap(), [6.0; 4]);
}

#[test]
fn matrices_times_vectors() {
    let queue = queue();
    for (rows, columns) in SIDES.into_iter().chain([(3, 5000)]) {
        let mut numbers = Numbers(5);
        let (a, x) = (numbers.floats(rows * columns), numbers.floats(columns));
        let before = numbers.floats(rows);
        let mut y = queue.upload(&before).unwrap();
        let (da, dx) = (queue.upload(&a).unwrap(), queue.upload(&x).unwrap());
        gemv(&queue, 0.5, &da, &dx, -1.0, &mut y).unwrap();
        let expected: Vec<f32> = (0..rows)
            .map(|r| {
                let sum: f64 = (0..columns).map(|c| f64::from(a[r * columns + c]) * f64::from(x[c])).sum();
                (0.5 * sum - f64::from(before[r])) as f32
            })
            .collect();
        assert_near(&queue.download(&y).unwrap(), &expected, 1e-6 * (columns + 10) as f32);
    }
}

#[test]
fn sparse_matrices_times_vectors() {
    let queue = queue();
    for (rows, columns, longest) in [(0, 5, 0), (1, 1, 1), (300, 200, 5), (70, 1000, 200), (17, 9, 0)] {
        let mut numbers = Numbers(rows as u64);
        let (mut offsets, mut indices) = (vec![0_u32], Vec::new());
        for _ in 0..rows {
            let length = numbers.next() as usize % (longest + 1);
            indices.extend(numbers.many(length, |bits| (bits % columns as u64) as u32));
            offsets.push(indices.len() as u32);
        }
        let values = numbers.many(indices.len(), |bits| (bits % 9) as f64 - 4.0);
        let x = numbers.many(columns, |bits| (bits % 9) as f64 - 4.0);
        let expected: Vec<f64> = offsets
            .windows(2)
            .map(|row| (row[0] as usize..row[1] as usize).map(|i| values[i] * x[indices[i] as usize]).sum())
            .collect();
        let (offsets, indices) = (queue.upload(&offsets).unwrap(), queue.upload(&indices).unwrap());
        let values = queue.upload(&values).unwrap();
        let matrix = Csr { offsets: &offsets, columns: &indices, values: &values };
        let mut y = queue.uninit(rows).unwrap();
        spmv(&queue, matrix, &queue.upload(&x).unwrap(), &mut y).unwrap();
        assert_eq!(queue.download(&y).unwrap(), expected);
    }
}

#[test]
fn columns_that_are_not_there_are_faults() {
    let queue = queue();
    let (offsets, columns) = (queue.upload(&[0, 1]).unwrap(), queue.upload(&[3]).unwrap());
    let (values, x) = (queue.upload(&[1.0_f32]).unwrap(), queue.upload(&[1.0, 2.0]).unwrap());
    let mut y = queue.uninit(1).unwrap();
    let matrix = Csr { offsets: &offsets, columns: &columns, values: &values };
    spmv(&queue, matrix, &x, &mut y).unwrap();
    assert!(matches!(queue.synchronize(), Err(kernel_runtime::Error::Fault(_))));
}

#[test]
fn shapes_are_checked() {
    let queue = queue();
    let (x, mut y) = (queue.zeros::<f32>(6).unwrap(), queue.zeros::<f32>(5).unwrap());
    let is_shape = |result| matches!(result, Err(Error::Shape(_)));
    assert!(is_shape(transpose(&queue, (2, 3), &x, &mut y)));
    assert!(is_shape(transpose(&queue, (usize::MAX, 3), &x, &mut y)));
    assert!(is_shape(gemv(&queue, 1.0, &x, &x, 0.0, &mut y)));
    assert!(is_shape(gemm(&queue, GemmSize::square(2), 1.0, &x, &x, 0.0, &mut y)));
    let size = GemmSize { rows: usize::MAX, columns: 2, inner: 2 };
    assert!(is_shape(gemm(&queue, size, 1.0, &x, &x, 0.0, &mut y)));
}
