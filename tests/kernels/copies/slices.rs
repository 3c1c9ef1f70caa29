//! `slice[range]` and `*slice` as what a pattern is matched against: the elements themselves, not a reference to them.

use super::super::case::Case;
use kernel_runtime::prelude::*;

/// Arrays and parts of them, by `let … else`.
#[device]
fn or_else(x: [i32; 4]) -> i32 {
    let mut v = x;
    let [a, ..] = v[..] else { return -1 };
    v[0] = 70;
    let [b, c] = v[1..3] else { return -2 };
    v[1] += 100;
    v[2] += 1000;
    let [d, e @ .., f] = &v[..] else { return -3 };
    let part = e[0] + e[1] * 3 + d * 5 + f * 7;
    let [ref mut g, .., ref h] = v[..] else { return -4 };
    *g += *h;
    let [_, ref mut rest @ ..] = v[..] else { return -5 };
    rest[0] = 9;
    let ref whole = v[1..];
    let sum = whole[0] + whole.len() as i32;
    let [i, j, k, l] = v;
    v = [1, 2, 3, 4];
    a + b * 3 + c * 5 + part * 7 + i * 11 + j * 13 + k * 17 + l * 19 + v[0] + sum * 23
}

/// The same by `if let`, `while let`, `match` and `matches!`.
#[device]
fn conditions(x: [i32; 4]) -> i32 {
    let mut v = x;
    let mut sum = 0;
    if let [a, b] = v[..2] {
        v[0] = b + 1;
        v[1] = a + 2;
        sum += a * 3 + b * 5;
    }
    if let [a, b] = v[..2]
        && let [c, rest @ ..] = &v[..]
    {
        sum += a * 7 + b * 9 + c * 11 + rest[0];
        v[0] = 50;
        sum += a + b;
    }
    let mut rounds = 0;
    while let [a @ ..20, b, ..] = v[1..] {
        v[1] += 5;
        v[2] -= a;
        sum += a * 13 + b * 17;
        rounds += 1;
        if rounds > 9 {
            break;
        }
    }
    sum += match v[..3] {
        [a, 3, c] => {
            v[0] = 7;
            v[2] = 8;
            a + c
        }
        [a, b @ (4 | 5), _] | [_, a, b] if a > b => {
            v[1] = 1;
            v[2] = 2;
            v[0] = 3;
            a * 19 + b * 23
        }
        [a, b, c] => {
            v = [0, 0, 0, 5];
            a * 29 + b * 31 + c * 37
        }
        _ => 100,
    };
    let first = match v[..] {
        [] => 5,
        [a, ..] => {
            v[0] = 1;
            a
        }
    };
    sum + first + matches!(v[1..], [_, y, ..] if y > 4) as i32 + v[0] + v[1] * 3 + v[3] * 5
}

/// What a slice refers to.
#[device]
fn behind(s: &mut [i32]) -> i32 {
    let [x, y, ..] = *s else { return -1 };
    s[0] = 70;
    s[1] = 71;
    let mut sum = x + y * 3;
    sum += match *s {
        [a, b, c] => {
            s[0] = a + 1;
            s[1] = 5;
            s[2] = 6;
            a * 3 + b * 5 + c * 7
        }
        [a, b, .., c] => {
            s[0] = a - 1;
            s[1] = 8;
            s[s.len() - 1] = 9;
            a * 11 + b * 13 + c * 17
        }
        _ => 3,
    };
    if let [a, b, ..] = (*s)[1..] {
        s[1] = 100;
        s[2] = 200;
        sum += a * 19 + b * 23;
    }
    let t = &mut *s;
    if let [ref mut a, .., b] = *t {
        *a += b;
        sum += b;
    }
    match *t {
        [ref mut a, ref mut rest @ ..] => {
            *a += rest[0];
            rest[0] = *a;
        }
        [] => {}
    }
    match t {
        [a, .., b] => {
            *a += 1;
            *b += *a;
        }
        _ => {}
    }
    let u = &&*s;
    if let [a, b, ..] = **u
        && let [c, d, ..] = *u
    {
        sum += a + b + c * 29 + d * 31;
    }
    sum + s[0] * 37 + s[1] * 41 + s[2] * 43
}

/// The same of arrays of this work-item.
#[device]
fn of_private_memory(x: [i32; 4]) -> i32 {
    let mut v = x;
    let len = (x[0] & 1) as usize + 3;
    let of_part = behind(&mut v[..len]);
    of_part * 31 + behind(&mut v) + v[0] + v[3]
}

super::all! { 3:
    or_else conditions of_private_memory
}

#[kernel(overflow = "wrap")]
pub fn slice_copies(x: &[[i32; 4]], result: &mut [[i32; 3]]) {
    let i = global_id(0);
    result[i] = all(x[i]);
}

pub fn case() -> Case {
    super::case_of(&SLICE_COPIES, all)
}

/// In a buffer.
#[kernel(overflow = "wrap")]
pub fn copies_of_global_memory(x: &mut [i32], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = behind(&mut x[4 * i..4 * i + 4]);
}

/// In local memory.
#[kernel(overflow = "wrap", group_size = 1)]
pub fn copies_of_local_memory(x: &[[i32; 4]], result: &mut [i32]) {
    let mut tile = Local::<[i32; 4]>::new();
    let i = global_id(0);
    for k in 0..4 {
        tile[k] = x[i][k];
    }
    let of_part = behind(&mut tile[..3]);
    result[i] = of_part + behind(&mut *tile) + tile[0];
}

pub fn cases() -> Vec<Case> {
    let x = super::inputs();
    let (mut in_buffer, mut in_tile) = (x.clone(), x.clone());
    let of_buffer: Vec<_> = in_buffer.iter_mut().map(|x| behind(x)).collect();
    let of_tile: Vec<_> = in_tile
        .iter_mut()
        .map(|x| {
            let of_part = behind(&mut x[..3]);
            of_part + behind(x) + x[0]
        })
        .collect();
    vec![
        case(),
        Case::of(&COPIES_OF_GLOBAL_MEMORY)
            .update(x.as_flattened(), in_buffer.as_flattened())
            .output(&of_buffer)
            .items([x.len()]),
        Case::of(&COPIES_OF_LOCAL_MEMORY).input(&x).output(&of_tile).items([x.len()]),
    ]
}
