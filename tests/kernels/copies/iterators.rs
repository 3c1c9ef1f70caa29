//! An array that is gone over is copied first, and so is what a clone of an iterator has left.

use super::super::case::Case;
use super::mix;
use kernel_runtime::prelude::*;

#[device]
fn array_map_changes(x: [i32; 4]) -> i32 {
    let mut v = x;
    let d = v.map(|a| {
        v[3] += a;
        a * 2
    });
    d[0] + d[1] * 3 + d[2] * 5 + d[3] * 7 + v[3] * 11
}

#[device]
fn zip_arrays(x: [i32; 4]) -> i32 {
    let mut v = x;
    let d = [1, 2, 3, 4];
    let mut s = 0;
    for (a, b) in v.into_iter().zip(d) {
        v[2] = 0;
        s = mix(s, a * b);
    }
    s
}

#[device]
fn zip_arg(x: [i32; 4]) -> i32 {
    let mut v = x;
    let d = [1, 2, 3, 4];
    let mut s = 0;
    for (a, b) in d.iter().zip(v) {
        v[2] = 0;
        s = mix(s, a * b);
    }
    s
}

#[device]
fn mapped_and_summed(x: [i32; 4]) -> i32 {
    let mut v = x;
    let t: i32 = v
        .into_iter()
        .rev()
        .map(|a| {
            v[0] += 1;
            a * v[0]
        })
        .sum();
    t
}

#[device]
fn enumerate_own(x: [i32; 4]) -> i32 {
    let mut v = x;
    let mut s = 0;
    for (k, a) in v.into_iter().enumerate() {
        v[(k + 1) % 4] += a;
        s = mix(s, a);
    }
    s
}

#[device]
fn gone_over_later(x: [i32; 4]) -> i32 {
    let mut v = x;
    let items = v.into_iter();
    v[2] = 77;
    let mut s = 0;
    for a in items {
        s = mix(s, a);
    }
    s
}

#[device]
fn advanced_later(x: [i32; 4]) -> i32 {
    let mut v = x;
    let mut items = v.into_iter();
    let k = items.next();
    v = [1, 2, 3, 4];
    let mut s = k.unwrap();
    for a in items {
        s = mix(s, a);
    }
    s
}

#[device]
fn pairs_gone_over(x: [i32; 4]) -> i32 {
    let mut p = [(x[0], [x[1], x[2]]), (x[3], [x[0], x[1]])];
    let mut s = 0;
    for (a, [b, c]) in p {
        p[1] = (100, [200, 300]);
        s = mix(s, a + b * 5 + c * 7);
    }
    s
}

#[device]
fn pairs_behind_references(x: [i32; 4]) -> i32 {
    let mut p = [(x[0], [x[1], x[2]]), (x[3], [x[0], x[1]])];
    let mut s = 0;
    for (a, _) in p.iter_mut() {
        *a += 1;
    }
    for &(a, [b, _]) in &p {
        s = mix(s, a + b);
    }
    s
}

#[device]
fn chain_arg(x: [i32; 4]) -> i32 {
    let mut v = x;
    let w = [9];
    let mut s = 0;
    for a in w.into_iter().chain(v) {
        v[1] = 50;
        s = mix(s, a);
    }
    s
}

#[device]
fn flat_arrays(x: [i32; 4]) -> i32 {
    let mut v = [[x[0], x[1]], [x[2], x[3]]];
    let mut s = 0;
    for a in v.into_iter().flatten() {
        v[1][1] = 50;
        s = mix(s, a);
    }
    s
}

#[device]
fn flat_map(x: [i32; 4]) -> i32 {
    let mut v = x;
    let mut s = 0;
    for a in (0..2).flat_map(|k| {
        v[0] += 1;
        [v[0], v[1], k]
    }) {
        s = mix(s, a);
    }
    s + v[0]
}

#[device]
fn fold_changes(x: [i32; 4]) -> i32 {
    let mut v = x;
    let s = v.into_iter().fold(0, |s, a| {
        v[3] = 5;
        mix(s, a)
    });
    s
}

#[device]
fn cloned_iter(x: [i32; 4]) -> i32 {
    let v = x;
    let mut i = v.iter();
    i.next();
    let mut j = i.clone();
    i.next();
    mix(*i.next().unwrap(), *j.next().unwrap())
}

#[device]
fn range_clone(x: [i32; 4]) -> i32 {
    let mut r = x[0]..x[0] + 9;
    r.next();
    let mut t = r.clone();
    r.next();
    mix(r.next().unwrap(), t.next().unwrap())
}

#[device]
fn range_end(x: [i32; 4]) -> i32 {
    let mut n = x[1];
    let mut s = 0;
    for i in 0..n {
        n = 2;
        s = mix(s, i);
    }
    s
}

#[device]
fn range_copied(x: [i32; 4]) -> i32 {
    let mut n = x[1];
    let r = 0..n;
    n = 2;
    let mut s = 0;
    for i in r {
        s = mix(s, i);
    }
    s + n
}

#[device]
fn inclusive(x: [i32; 4]) -> i32 {
    let mut n = x[1];
    let r = n..=n + 3;
    n = 2;
    let mut s = 0;
    for i in r.clone() {
        s = mix(s, i);
    }
    s + n + *r.end()
}

#[device]
fn iter_clone(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let it = [1, 2, 3].into_iter().map(move |k| {
        n += k;
        n
    });
    let jt = it.clone();
    let mut s = 0;
    for a in it {
        s = mix(s, a);
    }
    for a in jt {
        s = mix(s, a);
    }
    s + n
}

#[device]
fn iter_clone_filter(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let v = x;
    let it = v.iter().filter(move |k| {
        n += 1;
        (n + **k) & 1 == 0
    });
    let a = it.clone().count() as i32;
    let b: i32 = it.sum();
    a * 3 + b + n
}

#[device]
fn iter_clone_scan(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let v = x;
    let it = v.iter().scan(1, move |t, k| {
        n += 1;
        *t += n;
        Some(*t + *k)
    });
    let a: i32 = it.clone().sum();
    let b: i32 = it.zip(0..3).map(|(a, b)| a * b).sum();
    a * 3 + b + n
}

#[device]
fn range_method(x: [i32; 4]) -> i32 {
    let mut r = x[0]..x[0] + 5;
    let t = r.clone();
    let k = r.next();
    let mut s = 0;
    for a in r {
        s = mix(s, a);
    }
    for a in t {
        s = mix(s, a);
    }
    s + k.unwrap()
}

#[device]
fn peeked(x: [i32; 4]) -> i32 {
    let v = x;
    let mut i = v.iter().peekable();
    let a = **i.peek().unwrap();
    i.next();
    let mut j = i.clone();
    i.next();
    mix(a + **i.peek().unwrap(), **j.peek().unwrap())
}

#[device]
fn chunk_copy(x: [i32; 4]) -> i32 {
    let mut v = x;
    let mut s = 0;
    for w in v.chunks(2).map(|w| [w[0], w[1]]) {
        s = mix(s, w[0]);
    }
    let [p, q] = [v[0], v[1]];
    v[0] = 5;
    s + p + q
}

#[device]
fn filter_map_find(x: [i32; 4]) -> i32 {
    let mut v = x;
    let f = v.iter().copied().find(|a| *a > 2);
    v[2] = 50;
    let p = v.iter().position(|a| *a == 50);
    f.unwrap_or(1) + p.unwrap() as i32
}

#[device]
fn least_and_greatest(x: [i32; 4]) -> i32 {
    let mut v = x;
    let m = *v.iter().max().unwrap();
    v = [m; 4];
    let k = v.iter().copied().min().unwrap();
    v[1] = 99;
    k + m
}

super::all! { 26:
    array_map_changes zip_arrays zip_arg mapped_and_summed enumerate_own gone_over_later advanced_later
    pairs_gone_over pairs_behind_references chain_arg flat_arrays flat_map fold_changes cloned_iter
    range_clone range_end range_copied inclusive iter_clone iter_clone_filter iter_clone_scan range_method
    peeked chunk_copy filter_map_find least_and_greatest
}

#[kernel(overflow = "wrap")]
pub fn iterator_copies(x: &[[i32; 4]], result: &mut [[i32; 26]]) {
    let i = global_id(0);
    result[i] = all(x[i]);
}

pub fn case() -> Case {
    super::case_of(&ITERATOR_COPIES, all)
}
