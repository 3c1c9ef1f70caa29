//! The order of values: `Ordering` and its methods, `cmp` and its kin, operators on what consists of others, derived and written by
//! hand, and what sorts and searches by it.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;
use std::cmp::Ordering;

#[device]
mod ordered {
    use std::cmp::Ordering;

    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub struct Reading {
        pub place: u8,
        pub value: f32,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Token {
        End,
        Number(i32),
        Pair { left: u8, right: [i16; 2] },
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[repr(i8)]
    pub enum Level {
        Low = -5,
        Middle = 0,
        High = 7,
    }

    /// The greatest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Priority(pub u32);

    impl PartialOrd for Priority {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Priority {
        fn cmp(&self, other: &Self) -> Ordering {
            other.0.cmp(&self.0)
        }
    }
}

use ordered::{Level, Priority, Reading, Token};

/// An order as a digit.
#[device]
fn digit(order: Option<Ordering>) -> u32 {
    match order {
        Some(Ordering::Less) => 1,
        Some(Ordering::Equal) => 2,
        Some(Ordering::Greater) => 3,
        None => 4,
    }
}

#[device]
fn bits(all: [bool; 4]) -> u32 {
    all.iter().fold(0, |bits, &bit| bits * 2 + bit as u32)
}

#[device]
fn of_numbers((a, b): (i32, i32)) -> [u32; 4] {
    let order = a.cmp(&b);
    let methods = order.is_lt() as u32
        | (order.is_le() as u32) << 1
        | (order.is_gt() as u32) << 2
        | (order.is_ge() as u32) << 3
        | (order.is_eq() as u32) << 4
        | (order.is_ne() as u32) << 5;
    let combined = order.reverse().then(Ordering::Less).then_with(|| b.cmp(&0));
    let wide = (a as i64).partial_cmp(&(b as i64));
    let small = (a as u8).cmp(&(b as u8)) as i32;
    let flags = (a > 0).cmp(&(b > 0));
    let largest = order.max(Ordering::Equal);
    [
        digit(Some(order)) * 1000 + digit(Some(combined)) * 100 + digit(wide) * 10 + digit(Some(flags)),
        methods,
        (small + 1) as u32,
        digit(Some(largest)) + (order < Ordering::Greater) as u32 * 10,
    ]
}

#[device]
fn of_floats((a, b): (f32, f32)) -> [u32; 4] {
    let (x, y) = ((1, a, b), (1, b, a));
    let wide = (a as f64, b as f64);
    [
        digit(a.partial_cmp(&b)) * 10 + digit(Some(a.total_cmp(&b))),
        digit(x.partial_cmp(&y)) * 10 + digit(Some(wide.0.total_cmp(&wide.1))),
        bits([x < y, x <= y, x > y, x >= y]),
        bits([[a, b] < [b, a], [a; 3] <= [b; 3], Some(a) > Some(b), (a, ()) >= (b, ())]),
    ]
}

#[device]
fn token(n: i32) -> Token {
    match n % 3 {
        0 => Token::Number(n / 3),
        1 => Token::Pair { left: n as u8, right: [n as i16 / 2, -n as i16] },
        _ => Token::End,
    }
}

#[device]
fn of_types((a, b): (i32, i32)) -> [u32; 4] {
    let (x, y) = (token(a), token(b));
    let (p, q) = (Priority(a as u32), Priority(b as u32));
    let reading =
        |n: i32| Reading { place: (n / 4) as u8, value: if n % 4 == 3 { f32::NAN } else { n as f32 } };
    let (r, s) = (reading(a), reading(b));
    let level = |n: i32| match n % 3 {
        0 => Level::Low,
        1 => Level::Middle,
        _ => Level::High,
    };
    let best = p.max(q).0.wrapping_add(x.min(y).eq(&x) as u32);
    let clamped = level(a).clamp(Level::Middle, Level::High);
    [
        digit(Some(x.cmp(&y))) * 10 + bits([x < y, x <= y, x > y, x >= y]) * 100,
        digit(r.partial_cmp(&s))
            + digit(level(a).partial_cmp(&level(b))) * 10
            + bits([r < s, r <= s, r > s, r >= s]) * 100,
        best.wrapping_add(bits([p < q, p <= q, p > q, p >= q])),
        clamped as i32 as u32
            + (Some(x) < Some(y)) as u32
            + (None < Some(x)) as u32
            + (Ok::<_, i32>(x) < Err(1)) as u32,
    ]
}

#[kernel]
pub fn orders_of_numbers(x: &[[i32; 2]], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = of_numbers((x[i][0], x[i][1]));
}

#[kernel]
pub fn orders_of_floats(x: &[[f32; 2]], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = of_floats((x[i][0], x[i][1]));
}

#[kernel]
pub fn orders_of_types(x: &[[i32; 2]], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = of_types((x[i][0], x[i][1]));
}

/// Sorts in each way, searches, and leaves the sorted values.
#[device]
fn sorted(values: &mut [i32], found: &mut [i32; 8]) {
    found[0] = (values[..] < values[1..]) as i32 + (values[..].cmp(&values[..2]) as i32) * 10;
    values.sort_unstable_by_key(|v| (v % 3, -v));
    found[1] = values[0];
    values.sort_unstable_by(|a, b| b.cmp(a));
    found[2] = values[0];
    values.sort_unstable();
    found[3] = values.binary_search(&5).unwrap_or_else(|at| at + 100) as i32;
    found[4] = match values.binary_search_by(|v| v.cmp(&-3)) {
        Ok(at) => at as i32,
        Err(at) => -1 - at as i32,
    };
    found[5] = values.binary_search_by_key(&14, |v| v * 2).is_ok() as i32;
    found[6] = values.iter().max_by(|a, b| (*a % 7).cmp(&(*b % 7))).map_or(-1, |v| *v);
    found[7] = values.iter().copied().min_by(|a, b| (a % 5).cmp(&(b % 5))).unwrap_or(-1);
}

#[kernel]
pub fn sorts(x: &mut [i32], y: &mut [i32]) {
    if global_id(0) == 0 {
        let mut found = [0; 8];
        sorted(x, &mut found);
        y.copy_from_slice(&found);
    }
}

/// Arrays of one's own, of structs and of tuples.
#[device]
fn sorted_arrays(n: u32) -> [u32; 4] {
    let mut pairs = [(n % 5, 1), (n % 3, 2), (3, n % 7), (n % 5, 0)];
    pairs.sort_unstable();
    let mut queue = [Priority(n % 11), Priority(n % 4), Priority(6)];
    queue.sort_unstable();
    let mut floats = [n as f32, 1.5, -2.0, f32::NAN, 0.0];
    floats.sort_unstable_by(|a, b| b.total_cmp(a));
    let even = (n % 2 == 0).then(|| n / 2).unwrap_or(1) + (n > 3).then_some(n).unwrap_or_else(|| 7);
    let least = pairs.iter().min().map_or(0, |pair| pair.1) + queue.iter().copied().max().unwrap().0 * 2;
    let by_key = queue.iter().max_by_key(|p| (p.0 % 3, p.0)).unwrap().0;
    let first = pairs.iter().min_by_key(|pair| Some(pair.1 % 2)).map_or(0, |pair| pair.0);
    let even = even + least * 100 + by_key * 1000 + first * 100_000;
    [pairs[0].0 * 10 + pairs[3].1, queue[0].0 * 100 + queue[2].0, floats[1] as u32, even]
}

#[kernel]
pub fn sorts_arrays(y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = sorted_arrays(i as u32);
}

#[kernel]
pub fn clamps(x: &[i32], y: &mut [i32]) {
    let i = global_id(0);
    y[i] = (x[i], 1).clamp((x[0], 1), (x[1], 1)).0;
}

fn pairs<T: Copy>(values: &[T]) -> Vec<[T; 2]> {
    values.iter().flat_map(|&a| values.iter().map(move |&b| [a, b])).collect()
}

pub fn cases() -> Vec<Case> {
    let integers = pairs(&[0, 1, -1, 2, 255, 256, i32::MIN, i32::MAX]);
    let floats = pairs(&[0.0, -0.0, 1.0, -1.0, f32::NAN, -f32::NAN, f32::INFINITY, 1e-40]);
    let small = pairs(&(0..14).collect::<Vec<i32>>());
    let numbers = map(&integers, |[a, b]| of_numbers((a, b)));
    let of_floats = map(&floats, |[a, b]| of_floats((a, b)));
    let of_types = map(&small, |[a, b]| of_types((a, b)));
    let mut cases = vec![
        Case::of(&ORDERS_OF_NUMBERS).input(&integers).output(&numbers).items([integers.len()]),
        Case::of(&ORDERS_OF_FLOATS).input(&floats).output(&of_floats).items([floats.len()]),
        Case::of(&ORDERS_OF_TYPES).input(&small).output(&of_types).items([small.len()]),
        Case::of(&SORTS_ARRAYS).output(&map(&(0..40).collect::<Vec<u32>>(), sorted_arrays)).items([40]),
        Case::of(&CLAMPS).input(&[-2, 5, 9]).output(&[-2, 5, 5]).items([3]),
        Case::of(&CLAMPS)
            .input(&[5, -2])
            .update(&[7, 7], &[7, 7])
            .items([2])
            .faults(
                ExpectedFault::new(FaultKind::Panic)
                    .count(2)
                    .message("assertion failed: min <= max")
                    .at("clamp"),
            )
            .label("no range"),
    ];
    for len in [2, 3, 5, 8, 37] {
        let before: Vec<i32> = (0..len).map(|k| (k * 37 + 11) % 41 - 12).collect();
        let (mut after, mut found) = (before.clone(), [0; 8]);
        sorted(&mut after, &mut found);
        cases.push(
            Case::of(&SORTS)
                .update(&before, &after)
                .output(&found)
                .items([1])
                .wrong_on_intel_opencl("crash its vectoriser"),
        );
    }
    cases
}
