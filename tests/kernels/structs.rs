//! Structs of the user's own: nested, generic, with tuple and unit forms, updated, destructured, in arrays and behind references.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
pub struct Point {
    x: i32,
    y: i32,
}

#[device]
#[derive(Clone, Copy, PartialEq)]
pub struct Segment {
    from: Point,
    to: Point,
    weight: (i32, bool),
}

/// A struct with a type parameter and one with a length.
#[device]
#[derive(Clone, Copy)]
struct Pair<T>(T, T);

#[device]
#[derive(Clone, Copy)]
struct Row<T, const N: usize> {
    cells: [T; N],
}

#[device]
#[derive(Clone, Copy)]
struct Marker;

#[device]
const ORIGIN: Point = Point { x: 3, y: -4 };

#[device]
fn manhattan(segment: &Segment) -> i32 {
    let Segment { from, to: Point { x, y }, .. } = *segment;
    from.x.wrapping_sub(x).wrapping_abs().wrapping_add(from.y.wrapping_sub(y).wrapping_abs())
}

/// Fields are computed in the order in which they are written.
#[device]
fn ordered(start: i32) -> Point {
    let mut next = start;
    let mut take = 0;
    let point = Point {
        y: {
            next = next.wrapping_add(1);
            take += 1;
            next
        },
        x: next.wrapping_mul(10).wrapping_add(take),
    };
    point
}

#[device]
fn shift(point: &mut Point, by: i32) {
    point.x = point.x.wrapping_add(by);
    let Point { y, .. } = point;
    *y = y.wrapping_sub(by);
}

#[device]
fn swapped(pair: Pair<i32>) -> Pair<i32> {
    let Pair(a, b) = pair;
    Pair(b, a)
}

#[device]
fn structs(x: i32) -> (i32, bool) {
    let near = Point { x, ..ORIGIN };
    let mut segment = Segment { from: near, to: ORIGIN, weight: (2, x > 0) };
    segment.to.y = x.wrapping_mul(segment.weight.0);
    shift(&mut segment.from, 7);
    let copy = segment;
    segment.from = ordered(x);
    let Pair(first, second) = swapped(Pair(x, copy.from.x));
    let mut row = Row { cells: [Point { x: 1, y: 2 }; 4] };
    row.cells[(x & 3) as usize].x = second;
    row.cells[1] = near;
    let _ = Marker;
    let mut sum = first;
    for i in 0..4 {
        sum = sum.wrapping_mul(3).wrapping_add(row.cells[i].x).wrapping_sub(row.cells[i].y);
    }
    let same = segment == copy || (segment.to == copy.to && copy.weight != (2, false));
    (sum.wrapping_add(manhattan(&segment)).wrapping_add(manhattan(&copy)), same)
}

#[kernel]
pub fn structs_kernel(x: &[i32], y: &mut [i32], same: &mut [bool]) {
    let i = global_id(0);
    let (sum, equal) = structs(x[i]);
    y[i] = sum;
    same[i] = equal;
}

pub fn cases() -> Vec<Case> {
    let x = [0, 1, -1, 2, 3, 4, 5, 7, 100, -100, i32::MAX, i32::MIN];
    vec![
        Case::of(&STRUCTS_KERNEL)
            .input(&x)
            .output(&map(&x, |x| structs(x).0))
            .output(&map(&x, |x| structs(x).1))
            .items([x.len(), 1, 1]),
    ]
}
