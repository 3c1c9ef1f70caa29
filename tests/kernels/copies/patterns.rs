//! What patterns bind by value is copied when they match, and what they bind by reference is not.

use super::super::case::Case;
use super::{Inner, mix};
use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Shape {
    Dot,
    Line(i32, [i32; 2]),
}

#[device]
static TABLE: [[i32; 2]; 2] = [[3, 5], [7, 11]];

#[device]
const ROW: [i32; 3] = [13, 17, 19];

#[device]
fn taken_apart(&[a, _, c, _]: &[i32; 4], [d, e]: &mut [i32; 2], (f, [g, _]): (i32, [i32; 2])) -> i32 {
    *d += a;
    *e += *d;
    a + c * 3 + *d * 5 + *e * 7 + f * 9 + g
}

#[device]
fn tuple_with_guards(x: [i32; 4]) -> i32 {
    let mut v = (x[0], x[1]);
    let r = match v {
        (a, b) if a > b => {
            v.0 = 7;
            v.1 = 8;
            a
        }
        (a, b) => {
            v.1 = 9;
            b + a
        }
    };
    r + v.0 * 3 + v.1 * 5
}

#[device]
fn references_to_a_tuple(x: [i32; 4]) -> i32 {
    let mut v = (x[0], x[1]);
    match v {
        (ref mut a, b) => {
            *a += 3;
            v.1 = b + *a;
        }
    }
    match &mut v {
        (a, b) => {
            *a += *b;
            *b = *a;
        }
    }
    v.0 * 3 + v.1
}

#[device]
fn whole_and_parts(x: [i32; 4]) -> i32 {
    let mut v = [x[0], x[1], x[2]];
    let w @ [a, ref b @ ..] = v;
    let c = b[0];
    v[0] = 9;
    v[1] = 8;
    w[0] + w[1] * 3 + a * 5 + c * 7 + v[0]
}

#[device]
fn arrays_in_slices(x: [i32; 4]) -> i32 {
    let mut v = [[x[0], x[1]], [x[2], x[3]]];
    let [[a, _], ..] = v[..] else { return 0 };
    v[0][0] = 9;
    let [.., [_, b]] = v[..1] else { return 1 };
    v[0][1] = 8;
    if let [[c, ref d @ ..], ref rest @ ..] = v[..] {
        return a + b * 3 + c * 5 + d[0] * 7 + rest.len() as i32 + rest[0][1];
    }
    5
}

#[device]
fn reference_to_a_slice(x: [i32; 4]) -> i32 {
    let v = x;
    let s = &v[..(x[1] & 3) as usize];
    if let &[a, b] = s {
        a + b * 3
    } else if let &[a, ref rest @ ..] = s {
        a * 5 + rest.len() as i32
    } else {
        7
    }
}

#[device]
fn slice_in_an_option(x: [i32; 4]) -> i32 {
    let v = x;
    let s = v.get(..(x[1] & 7) as usize);
    match s {
        Some(&[a, b]) => a + b * 3,
        Some([a, rest @ ..]) => *a * 5 + rest.len() as i32,
        Some(&[]) => 3,
        None => 7,
    }
}

#[device]
fn reference_to_a_mutable_slice(x: [i32; 4]) -> i32 {
    let mut v = x;
    let s = &mut v[1..];
    if let &mut [ref mut a, b, ..] = s {
        *a += b;
    }
    if let &mut [a, ref mut rest @ ..] = &mut v[..] {
        rest[0] += a;
    }
    v[0] + v[1] * 3 + v[2] * 5
}

#[device]
fn alternatives_of_a_slice(x: [i32; 4]) -> i32 {
    let mut v = x;
    let r = match v[..2] {
        [a, 1] | [1, a] => {
            v[0] = 9;
            v[1] = 9;
            a
        }
        [a, b] if a > b => {
            v[1] = a;
            a - b
        }
        [a, ..] => {
            v = [5; 4];
            a
        }
        _ => 0,
    };
    r + v[0] + v[1] * 3
}

#[device]
fn reference_to_a_part(x: [i32; 4]) -> i32 {
    let mut v = x;
    let ref mut s = v[1..];
    s[0] += 5;
    let ref t @ [a, ..] = v[..] else { return 0 };
    t[1] + a + t.len() as i32
}

#[device]
fn option_in_a_loop(x: [i32; 4]) -> i32 {
    let mut v = Some(x[1]);
    let mut s = 0;
    while let Some(k @ 1..) = v {
        v = Some(k - 1);
        s = mix(s, k);
        if k > 50 {
            break;
        }
    }
    s
}

#[device]
fn array_in_a_loop(x: [i32; 4]) -> i32 {
    let mut v = [x[1], 3];
    let mut s = 0;
    while let [a @ 1..=99, b] = v {
        v[0] -= 1;
        v[1] += a;
        s = mix(s, a * b);
        if a > 50 {
            break;
        }
    }
    s
}

#[device]
fn struct_or_else(x: [i32; 4]) -> i32 {
    let mut i = Inner { pair: (x[0], x[1]), list: [x[1], x[2], x[3]] };
    let Inner { pair: (a, 0..=3), list: [b, ..] } = i else {
        i.pair.0 = 5;
        return i.pair.0;
    };
    i.pair.0 = 8;
    i.list[0] = 9;
    a * 3 + b * 5
}

#[device]
fn enum_or_else(x: [i32; 4]) -> i32 {
    let mut o = Shape::Line(x[0], [x[1], x[2]]);
    let Shape::Line(n, w) = o else { return 3 };
    if let Shape::Line(m, u) = &mut o {
        *m += 7;
        u[0] = 9;
    }
    n + w[0] * 3 + matches!(o, Shape::Line(k, [9, _]) if k == n + 7) as i32
}

#[device]
fn array_behind_a_reference(x: [i32; 4]) -> i32 {
    let mut v = x;
    let r = &mut v;
    let [a, b, ..] = *r;
    r[0] = 9;
    let &mut [c, ..] = r;
    r[0] = 8;
    let [d, ..] = r;
    *d += 1;
    a + b * 3 + c * 5 + v[0] * 7
}

#[device]
fn references_in_tuples(x: [i32; 4]) -> i32 {
    let mut p = ((x[0], x[1]), [x[2], x[3]]);
    let ((ref mut a, b), [c, ref d]) = p;
    *a += *d;
    let e = *a;
    p.0.1 = 9;
    p.1[0] = 8;
    b + c * 3 + e * 5 + p.0.0 * 7 + p.0.1
}

#[device]
fn chunks_of_a_slice(x: [i32; 4]) -> i32 {
    let v = x;
    let mut s = 0;
    for w in v.chunks(2) {
        let [a, b] = *w else { continue };
        s = mix(s, a + b * 3);
    }
    for w in v.windows(2) {
        if let &[a, b] = w {
            s = mix(s, a * b);
        }
    }
    s
}

#[device]
fn mutable_chunks(x: [i32; 4]) -> i32 {
    let mut v = x;
    for w in v.chunks_mut(2) {
        let [a, b] = *w else { continue };
        w[0] = b;
        w[1] = a;
    }
    let mut s = 0;
    for w in v.chunks_exact_mut(2) {
        if let [a, b] = w {
            *a += 1;
            *b *= 2;
        }
        if let [ref mut a, b] = *w {
            *a += b;
            s += b;
        }
    }
    s + v[0] + v[1] * 3 + v[2] * 5
}

#[device]
fn halves_of_a_slice(x: [i32; 4]) -> i32 {
    let mut v = x;
    let (l, r) = v.split_at_mut(2);
    if let ([a, b], [c, d]) = (&mut *l, &mut *r) {
        *a += *c;
        *d += *b;
    }
    let [e, _] = *l else { return 0 };
    l[0] = 7;
    e + v[0] * 3 + v[3] * 5
}

#[device]
fn first_chunk_like(x: [i32; 4]) -> i32 {
    let v = x;
    let Some((a, rest)) = v.split_first() else { return 1 };
    let [b, ..] = *rest else { return 2 };
    *a + b
}

#[device]
fn matched_parts(x: [i32; 4]) -> i32 {
    let mut v = x;
    let r = matches!(v[..2], [a, b] if a > b) as i32 + matches!(v[1..], [.., 3 | 4, _]) as i32 * 2;
    v[0] = 1;
    r + v[0]
}

#[device]
fn patterns_of_parameters(x: [i32; 4]) -> i32 {
    taken_apart(&x, &mut [x[1], x[2]], (x[0], [x[1], 5]))
}

#[device]
fn names_that_change(x: [i32; 4]) -> i32 {
    let [mut a, b, ..] = x;
    a += 1;
    let (mut c, d) = (a, b);
    c += 5;
    a + b * 3 + c * 5 + d * 7 + x[0]
}

#[device]
fn payload_that_is_a_struct(x: [i32; 4]) -> i32 {
    let mut o = Some(Inner { pair: (x[0], x[1]), list: [x[1], x[2], x[3]] });
    let Some(i @ Inner { pair: (a, _), .. }) = o else { return 0 };
    if let Some(Inner { pair: (b, _), list: [c, ..] }) = &mut o {
        *b += 1;
        *c += *b;
    }
    let Some(j) = o else { return 0 };
    o = None;
    i.pair.0 + a * 3 + j.pair.0 * 5 + j.list[0] * 7 + i.list[0]
}

#[device]
fn parts_of_constants(x: [i32; 4]) -> i32 {
    let [a, b, ..] = TABLE[..] else { return 0 };
    let &[c, ..] = &ROW[1..] else { return 1 };
    let [d, ref e @ ..] = ROW[..] else { return 2 };
    let mut t = TABLE;
    t[0][0] = x[0];
    let [[f, _], _] = t;
    a[0] + b[1] * 3 + c * 5 + d * 7 + e[0] * 9 + f
}

super::all! { 24:
    tuple_with_guards references_to_a_tuple whole_and_parts arrays_in_slices reference_to_a_slice
    slice_in_an_option reference_to_a_mutable_slice alternatives_of_a_slice reference_to_a_part
    option_in_a_loop array_in_a_loop struct_or_else enum_or_else array_behind_a_reference
    references_in_tuples chunks_of_a_slice mutable_chunks halves_of_a_slice first_chunk_like matched_parts
    patterns_of_parameters names_that_change payload_that_is_a_struct parts_of_constants
}

#[kernel(overflow = "wrap")]
pub fn pattern_copies(x: &[[i32; 4]], result: &mut [[i32; 24]]) {
    let i = global_id(0);
    result[i] = all(x[i]);
}

pub fn case() -> Case {
    super::case_of(&PATTERN_COPIES, all)
}
