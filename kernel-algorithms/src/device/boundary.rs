//! What is beyond the ends of a line of elements.

use kernel_runtime::prelude::*;

/// Where the element is that is `offset` away from `i`, of `len`; `None` for one that is beyond an end, where that has a value of its own.
#[device]
pub fn neighbour(i: usize, offset: isize, len: usize, boundary: u32) -> Option<usize> {
    let place = (i as isize).wrapping_add(offset);
    if place >= 0 && (place as usize) < len {
        return Some(place as usize);
    }
    let len = len as isize;
    match boundary {
        1 => Some(place.clamp(0, len - 1) as usize),
        2 => Some(place.rem_euclid(len) as usize),
        3 => {
            let place = place.rem_euclid(2 * len);
            Some(if place < len { place } else { 2 * len - 1 - place } as usize)
        }
        _ => None,
    }
}

/// The element at a place, or what is beyond the ends.
#[device]
pub fn element_at<T: Copy>(x: &[T], place: Option<usize>, beyond: T) -> T {
    match place {
        Some(place) if place < x.len() => x[place],
        _ => beyond,
    }
}

/// The element at a column and a row.
#[device]
pub fn element_at_2d<T: Copy>(
    x: &[T],
    width: usize,
    column: Option<usize>,
    row: Option<usize>,
    beyond: T,
) -> T {
    match (column, row) {
        (Some(column), Some(row)) => element_at(x, Some(row * width + column), beyond),
        _ => beyond,
    }
}
