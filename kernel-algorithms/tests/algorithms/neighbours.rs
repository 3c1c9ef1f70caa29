//! Stencils and convolutions.

use crate::data::{Numbers, queue};
use kernel_algorithms::{Boundary, Error, convolve, convolve_2d, stencil_1d, stencil_2d};

const BOUNDARIES: [Boundary<i32>; 4] =
    [Boundary::Constant(7), Boundary::Clamp, Boundary::Wrap, Boundary::Mirror];

/// The element that is at a place, or beyond the ends.
fn place(i: isize, len: usize, boundary: Boundary<i32>) -> Option<usize> {
    let n = len as isize;
    Some(match boundary {
        _ if (0..n).contains(&i) => i,
        Boundary::Clamp => i.clamp(0, n - 1),
        Boundary::Wrap => (i % n + n) % n,
        Boundary::Mirror => [i.rem_euclid(2 * n), 2 * n - 1 - i.rem_euclid(2 * n)].into_iter().min()?,
        _ => return None,
    } as usize)
}

fn at(x: &[i32], (width, height): (usize, usize), (c, r): (isize, isize), boundary: Boundary<i32>) -> i32 {
    match (place(c, width, boundary), place(r, height, boundary)) {
        (Some(c), Some(r)) => x[r * width + c],
        _ => 7,
    }
}

stencil_1d! {
    fn far(at: i32; by: i32) -> i64 {
        if by == 0 {
            return i64::from(at(0));
        }
        i64::from(at(-5) * by + at(1) - at(3))
    }
}

stencil_2d! {
    fn corner(at: i32) -> i32 {
        at(-1, -2) * 100 + at(2, 1) * 10 + at(0, 0)
    }
}

#[test]
fn stencils_see_their_neighbours() {
    let queue = queue();
    for boundary in BOUNDARIES {
        for len in [0, 1, 2, 6, 300] {
            let x = Numbers(len as u64).many(len, |bits| (bits % 100) as i32);
            let mut y = queue.uninit(len).unwrap();
            far(&queue, boundary, &queue.upload(&x).unwrap(), &mut y, 3).unwrap();
            let get = |i: usize, d: isize| at(&x, (len, 1), (i as isize + d, 0), boundary);
            let expected: Vec<i64> =
                (0..len).map(|i| i64::from(get(i, -5) * 3 + get(i, 1) - get(i, 3))).collect();
            assert_eq!(queue.download(&y).unwrap(), expected, "{boundary:?}");
        }
        for size in [(0, 0), (1, 1), (3, 2), (40, 7), (17, 100)] {
            let (width, height) = size;
            let x = Numbers(3).many(width * height, |bits| (bits % 100) as i32);
            let mut y = queue.uninit(x.len()).unwrap();
            corner(&queue, size, boundary, &queue.upload(&x).unwrap(), &mut y).unwrap();
            let get = |i: usize, d: (isize, isize)| {
                at(&x, size, ((i % width) as isize + d.0, (i / width) as isize + d.1), boundary)
            };
            let expected: Vec<i32> =
                (0..x.len()).map(|i| get(i, (-1, -2)) * 100 + get(i, (2, 1)) * 10 + get(i, (0, 0))).collect();
            assert_eq!(queue.download(&y).unwrap(), expected, "{boundary:?}");
        }
    }
}

#[test]
fn convolutions_are_those_of_the_host() {
    let queue = queue();
    for boundary in BOUNDARIES {
        for (size, weights_size) in
            [((0, 1), (3, 1)), ((50, 1), (0, 1)), ((50, 1), (4, 1)), ((3, 1), (9, 1)), ((20, 9), (3, 4))]
        {
            let ((width, height), (columns, rows)) = (size, weights_size);
            let mut numbers = Numbers(1);
            let x = numbers.many(width * height, |bits| (bits % 100) as i32);
            let weights = numbers.many(columns * rows, |bits| (bits % 9) as i32 - 4);
            let mut expected = Vec::new();
            for i in 0..x.len() {
                let mut sum = 0;
                for (k, weight) in weights.iter().enumerate() {
                    let column = i % width + (columns - 1) / 2;
                    let row = i / width + (rows - 1) / 2;
                    let other =
                        (column as isize - (k % columns) as isize, row as isize - (k / columns) as isize);
                    sum += weight * at(&x, size, other, boundary);
                }
                expected.push(sum);
            }
            let (x, weights) = (queue.upload(&x).unwrap(), queue.upload(&weights).unwrap());
            let mut y = queue.uninit(x.len()).unwrap();
            convolve_2d(&queue, size, boundary, &x, weights_size, &weights, &mut y).unwrap();
            assert_eq!(queue.download(&y).unwrap(), expected, "{boundary:?}");
            if height == 1 && rows == 1 {
                convolve(&queue, boundary, &x, &weights, &mut y).unwrap();
                assert_eq!(queue.download(&y).unwrap(), expected, "{boundary:?}");
            }
        }
    }
}

#[test]
fn shapes_are_checked() {
    let queue = queue();
    let (x, mut y) = (queue.zeros::<i32>(6).unwrap(), queue.zeros::<i32>(5).unwrap());
    let is_shape = |result| matches!(result, Err(Error::Shape(_)));
    assert!(is_shape(convolve(&queue, Boundary::Clamp, &x, &x, &mut y)));
    assert!(is_shape(corner(&queue, (2, 3), Boundary::Clamp, &x, &mut y)));
    assert!(is_shape(convolve_2d(&queue, (3, 2), Boundary::Clamp, &x, (1, 6), &x, &mut y)));
    let mut y = queue.zeros(6).unwrap();
    assert!(is_shape(corner(&queue, (2, 4), Boundary::Clamp, &x, &mut y)));
    assert!(is_shape(convolve_2d(&queue, (3, 2), Boundary::Clamp, &x, (1, 5), &x, &mut y)));
}
