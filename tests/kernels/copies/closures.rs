//! A `move` closure has copies of what it uses, and a copy of the closure has its own again; others share the variables around them.

use super::super::case::Case;
use super::mix;
use kernel_runtime::prelude::*;

#[device(impl)]
#[derive(Clone, Copy)]
struct Holder<F> {
    f: F,
    calls: i32,
}

#[device]
impl<F: FnMut() -> i32> Holder<F> {
    fn next(&mut self) -> i32 {
        self.calls += 1;
        (self.f)() + self.calls
    }

    fn taken(mut self) -> i32 {
        self.calls += 7;
        (self.f)() + self.calls
    }
}

#[device]
fn twice<F: FnMut() -> i32>(mut f: F) -> i32 {
    f() + f() * 3
}

#[device]
fn counter(first: i32) -> impl FnMut() -> i32 + Copy {
    let mut n = first;
    move || {
        n += 1;
        n
    }
}

#[device]
fn closure_params(x: [i32; 4]) -> i32 {
    let add = |[a, b]: [i32; 2], (c, [d, _]): (i32, [i32; 2])| a + b * 3 + c * 5 + d * 7;
    add([x[0], x[1]], (x[2], [x[3], 1]))
}

#[device]
fn move_own(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = move || {
        n += 1;
        n
    };
    let a = c();
    let b = c();
    a * 3 + b * 5 + n
}

#[device]
fn move_copied(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = move || {
        n += 1;
        n
    };
    let mut d = c;
    let a = c();
    let b = d();
    a * 3 + b * 5 + n
}

#[device]
fn move_copied_later(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = move || {
        n += 1;
        n
    };
    c();
    let mut d = c;
    let a = c();
    let b = d();
    a * 3 + b * 5 + n
}

#[device]
fn move_passed(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = move || {
        n += 1;
        n
    };
    let a = twice(c);
    let b = twice(c);
    let e = c();
    a * 3 + b * 5 + n + e
}

#[device]
fn move_passed_ref(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = move || {
        n += 1;
        n
    };
    let a = twice(&mut c);
    let b = twice(&mut c);
    let e = c();
    a * 3 + b * 5 + n + e
}

#[device]
fn move_tuple(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let c = move || {
        n += 1;
        n
    };
    let mut t = (c, c);
    let a = (t.0)();
    let b = (t.1)();
    let e = (t.0)();
    a * 3 + b * 5 + n + e * 7
}

#[device]
fn move_closure_in_closure(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = move || {
        n += 1;
        n
    };
    let mut d = move || c() + c();
    let a = d();
    let b = d();
    let e = c();
    a * 3 + b * 5 + e * 7 + n
}

#[device]
fn move_field(x: [i32; 4]) -> i32 {
    let mut p = (x[0], x[1]);
    let mut c = move || {
        p.0 += 1;
        p.0 + p.1
    };
    p.0 = 50;
    p.1 = 60;
    c() + c() * 3 + p.0
}

#[device]
fn move_in_map(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let c = move |a: i32| {
        n += a;
        n
    };
    let a = [1, 2, 3].map(c);
    let b = [1, 2, 3].map(c);
    a[2] * 3 + b[2] * 5 + n
}

#[device]
fn move_in_loop(x: [i32; 4]) -> i32 {
    let mut s = 0;
    let mut n = x[0];
    for k in 0..3 {
        let mut c = move || {
            n += 1;
            n
        };
        s = mix(s, c() + c());
        n += k;
    }
    s + n
}

#[device]
fn move_array_loop(x: [i32; 4]) -> i32 {
    let mut s = 0;
    let mut v = x;
    for k in 0..4 {
        let c = move |i: usize| v[i];
        v[k] += 9;
        s = mix(s, c(k));
    }
    s
}

#[device]
fn shared_by_reference(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = || {
        n += 1;
        n
    };
    let a = c();
    let b = c();
    a * 3 + b * 5 + n
}

#[device]
fn move_mut_ref(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let m = &mut n;
    let mut c = move || {
        *m += 1;
        *m
    };
    let a = c() + c() * 3;
    a + n
}

#[device]
fn move_ref(x: [i32; 4]) -> i32 {
    let n = x[0];
    let m = &n;
    let c = move || *m + 1;
    c() + n
}

#[device]
fn move_slice(x: [i32; 4]) -> i32 {
    let mut v = x;
    let s = &mut v[1..];
    let mut c = move |k: usize| {
        s[k] += 1;
        s[k]
    };
    let a = c(0) + c(1) * 3 + c(0) * 5;
    a + v[1] + v[2]
}

#[device]
fn closure_order(x: [i32; 4]) -> i32 {
    let mut a = x[0];
    let f = |p: i32, q: i32| p * 3 + q;
    f(a, {
        a = 4;
        a
    }) + a
}

#[device]
fn iter_by_name(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let c = move |k: i32| {
        n += k;
        n
    };
    let v = x;
    let a: i32 = v.into_iter().map(c).sum();
    let b: i32 = v.into_iter().map(c).zip(v.into_iter().map(c)).map(|(a, b)| a - b).sum();
    a + b * 3 + n
}

#[device]
fn from_fn(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let c = move |k: usize| {
        n += k as i32;
        n
    };
    let a: [i32; 3] = core::array::from_fn(c);
    let b: [i32; 3] = core::array::from_fn(c);
    a[2] * 3 + b[2] + n
}

#[device]
fn passed_in_a_loop(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let c = move || {
        n += 1;
        n
    };
    let mut s = 0;
    for _ in 0..3 {
        s = mix(s, twice(c));
    }
    s
}

#[device]
fn clone_closure(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = move || {
        n += 1;
        n
    };
    c();
    let mut d = c.clone();
    mix(c() + c(), d()) + n
}

#[device]
fn struct_closure(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let c = move || {
        n += 1;
        n
    };
    let mut h = Holder { f: c, calls: 1 };
    let mut g = h;
    let a = (h.f)();
    let b = (h.f)();
    let e = (g.f)();
    a * 3 + b * 5 + e * 7 + n
}

#[device]
fn method_closure(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let c = move || {
        n += 1;
        n
    };
    let mut h = Holder { f: c, calls: 1 };
    let a = h.next();
    let b = h.next();
    a * 3 + b * 5 + h.taken() + h.next()
}

#[device]
fn ref_closure(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = move || {
        n += 1;
        n
    };
    let r = &mut c;
    let a = r();
    let b = (*r)();
    let e = c();
    a * 3 + b * 5 + e * 7
}

#[device]
fn pattern_closure(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let c = move || {
        n += 1;
        n
    };
    let (mut d, mut e) = (c, c);
    let (ref mut g, _) = (c, 3);
    mix(d() + d(), e()) + g() + g()
}

#[device]
fn returned_closure(x: [i32; 4]) -> i32 {
    let mut c = counter(x[0]);
    let mut d = c;
    let a = c();
    let b = c();
    a * 3 + b * 5 + d() * 7
}

#[device]
fn closure_array_capture(x: [i32; 4]) -> i32 {
    let mut v = x;
    let mut c = move |k: usize| {
        v[k] += 1;
        v[k]
    };
    let mut d = c;
    v[0] = 9;
    mix(c(0) + c(0), d(0)) + v[0]
}

#[device]
fn closure_tuple_capture(x: [i32; 4]) -> i32 {
    let mut p = (x[0], [x[1], x[2]]);
    let mut c = move || {
        p.0 += 1;
        p.1[0] += p.0;
        p.1[0]
    };
    let mut d = c;
    mix(c() + c(), d()) + p.0 + p.1[0]
}

#[device]
fn closure_iter_capture(x: [i32; 4]) -> i32 {
    let v = x;
    let mut i = v.iter();
    let mut c = move || i.next().copied().unwrap_or(9);
    let a = c();
    let b = c();
    a * 3 + b
}

#[device]
fn move_in_move(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let mut c = move || {
        n += 1;
        let mut m = n;
        let mut d = move || {
            m += 1;
            n += m;
            m + n
        };
        d() + d() * 3 + n
    };
    c() + c() * 5 + n
}

super::all! { 30:
    closure_params move_own move_copied move_copied_later move_passed move_passed_ref move_tuple
    move_closure_in_closure move_field move_in_map move_in_loop move_array_loop shared_by_reference
    move_mut_ref move_ref move_slice closure_order iter_by_name from_fn passed_in_a_loop clone_closure
    struct_closure method_closure ref_closure pattern_closure returned_closure closure_array_capture
    closure_tuple_capture closure_iter_capture move_in_move
}

#[kernel(overflow = "wrap")]
pub fn closure_copies(x: &[[i32; 4]], result: &mut [[i32; 30]]) {
    let i = global_id(0);
    result[i] = all(x[i]);
}

pub fn case() -> Case {
    super::case_of(&CLOSURE_COPIES, all)
}
