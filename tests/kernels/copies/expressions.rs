//! Operands are copied in the order in which they are written, whatever those after them change.

use super::super::case::Case;
use super::{Inner, mix};
use core::ops::AddAssign;
use kernel_runtime::prelude::*;

#[device(impl AddAssign)]
#[derive(Clone, Copy)]
struct Two(i32);

#[device]
impl AddAssign for Two {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0 * 2 + other.0;
    }
}

#[device]
fn three([a, b]: [i32; 2], c: i32, Inner { pair, .. }: Inner) -> i32 {
    a + b * 3 + c * 5 + pair.0 * 7 + pair.1 * 11
}

#[device]
fn changed(mut v: [i32; 4], by: i32) -> i32 {
    v[0] += by;
    v[0] + v[1]
}

#[device]
fn rotated(v: [i32; 4], w: &mut [i32; 4]) -> [i32; 4] {
    w[0] = v[1];
    w[1] = v[0] + 7;
    v
}

#[device]
fn param_mut(x: [i32; 4]) -> i32 {
    let v = x;
    let k = changed(v, 5);
    k + v[0]
}

#[device]
fn param_tuple(x: [i32; 4]) -> i32 {
    let v = (x, 3);
    let k = changed(v.0, v.1);
    k + v.0[0]
}

#[device]
fn argument_and_reference(x: [i32; 4]) -> i32 {
    let mut v = x;
    let w = rotated(v, &mut v);
    w[0] + w[1] * 3 + v[0] * 5 + v[1] * 7
}

#[device]
fn struct_by_value(x: [i32; 4]) -> i32 {
    let mut i = Inner { pair: (x[0], x[1]), list: [x[1], x[2], x[3]] };
    let j = i;
    i.pair.0 = 9;
    i.list[1] = 8;
    let k = j.taken(5);
    k + j.pair.0 * 3 + j.list[1] * 5 + i.pair.0 * 7 + i.list[1] * 9
}

#[device]
fn deferred_init(x: [i32; 4]) -> i32 {
    let v;
    let mut w = x;
    v = w;
    w[0] = 9;
    v[0] + w[0]
}

#[device]
fn shadowed(x: [i32; 4]) -> i32 {
    let v = x;
    let v = {
        let mut v = v;
        v[0] = 100;
        v
    };
    v[0] + x[0]
}

#[device]
fn array_elem_struct(x: [i32; 4]) -> i32 {
    let mut a = [Inner { pair: (x[0], x[1]), list: [x[1], x[2], x[3]] }; 2];
    let b = a[(x[1] & 1) as usize];
    a[0].pair.0 = 7;
    a[1].list[2] = 8;
    b.pair.0 + b.list[2] * 3 + a[0].list[2] * 5 + a[1].pair.0
}

#[device]
fn index_copy(x: [i32; 4]) -> i32 {
    let mut k = (x[1] & 3) as usize;
    let mut v = x;
    let r = v[k];
    v[k] = 9;
    k += 1;
    r + v[k & 3]
}

#[device]
fn ref_index(x: [i32; 4]) -> i32 {
    let mut k = (x[1] & 1) as usize;
    let mut v = x;
    {
        let r = &mut v[k];
        k = 3;
        *r += 5;
    }
    v[0] + v[1] * 3 + v[3] * 5 + k as i32
}

#[device]
fn ref_of_copy(x: [i32; 4]) -> i32 {
    let mut v = x;
    let r = &{ v };
    v[0] = 77;
    r[0] + v[0]
}

#[device]
fn float_ops(x: [i32; 4]) -> i32 {
    let mut a = x[0] as f32;
    let b = a + {
        a = 3.0;
        a
    } * {
        a += 1.0;
        a
    };
    a += {
        a = 10.0;
        b
    };
    (a * 2.0) as i32
}

#[device]
fn vec_ops(x: [i32; 4]) -> i32 {
    let mut a = f32x4::new(1.0, 2.0, 3.0, x[0] as f32);
    let b = a + {
        a = a + a;
        a
    };
    let c = a;
    a += {
        let t = c;
        t
    };
    (a[3] + b[0] * 3.0 + a[1] * 5.0 + c[2]) as i32
}

#[device]
fn vec_lane(x: [i32; 4]) -> i32 {
    let mut a = i32x4::new(x[0], x[1], x[2], x[3]);
    let b = a;
    a[1] = 50;
    let c = a[1] + b[1];
    let d = (
        a,
        {
            a[2] = 7;
            a[2]
        },
        a,
    );
    c + d.0[2] * 3 + d.1 + d.2[2] * 5
}

#[device]
fn vec_index_order(x: [i32; 4]) -> i32 {
    let mut k = 0;
    let mut v = [f32x4::splat(1.0); 3];
    v[k] += {
        k = 1;
        f32x4::splat(x[1] as f32)
    };
    (v[0][0] * 3.0 + v[1][0] * 5.0) as i32 + k as i32
}

#[device]
fn int_index_order(x: [i32; 4]) -> i32 {
    let mut k = 0;
    let mut v = x;
    v[k] += {
        k = 1;
        x[1]
    };
    v[0] * 3 + v[1] * 5 + k as i32
}

#[device]
fn user_index_order(x: [i32; 4]) -> i32 {
    let mut k = 0;
    let mut v = [Two(x[0]), Two(x[1])];
    v[k] += {
        k = 1;
        Two(x[2])
    };
    v[0].0 * 3 + v[1].0 * 5 + k as i32
}

#[device]
fn order_of_assignments(x: [i32; 4]) -> i32 {
    let mut k = 0;
    let mut v = x;
    v[k] = {
        k = 1;
        x[2]
    };
    v[{
        k += 1;
        k
    }] = {
        k = 0;
        5
    };
    v[0] * 3 + v[1] * 5 + v[2] * 7 + k as i32
}

#[device]
fn element_of_itself(x: [i32; 4]) -> i32 {
    let mut v = x;
    v[1] = {
        v[1] += 5;
        v[1]
    };
    v[2] += {
        v[2] = 4;
        v[2]
    };
    v[0] -= v[1] + {
        v[1] = 1;
        v[1]
    };
    v[0] + v[1] * 3 + v[2] * 5
}

#[device]
fn order_of_comparisons(x: [i32; 4]) -> i32 {
    let mut a = x[0];
    let r = (a < {
        a += 1;
        a
    }) as i32
        + (a == {
            a = 3;
            a
        }) as i32
            * 2
        + (a.min({
            a = -50;
            a
        }))
        + a;
    r
}

#[device]
fn swap_tuple(x: [i32; 4]) -> i32 {
    let (mut a, mut b) = (x[0], x[1]);
    (a, b) = (b, a);
    [a, b] = [a + b, a - b];
    a * 3 + b
}

#[device]
fn swap_in_array(x: [i32; 4]) -> i32 {
    let mut v = x;
    let mut k = 0;
    (k, v[k]) = (2, 9);
    (v[k], v[0]) = (v[0], v[k]);
    v[0] + v[1] * 3 + v[2] * 5 + k as i32
}

#[device]
fn order_of_arguments(x: [i32; 4]) -> i32 {
    let mut a = x[0];
    three(
        [a, {
            a += 1;
            a
        }],
        {
            a *= 2;
            a
        },
        Inner {
            pair: (a, {
                a = 1;
                a
            }),
            list: [a; 3],
        },
    )
}

#[device]
fn method_order(x: [i32; 4]) -> i32 {
    let mut i = Inner { pair: (x[0], 1), list: [1, 2, 3] };
    i.taken({
        i.pair.0 = 9;
        i.pair.0
    }) + i.pair.0
}

#[device]
fn return_early(x: [i32; 4]) -> i32 {
    let mut v = x;
    let r = 'a: {
        if v[0] > 3 {
            v[1] = 8;
            break 'a v;
        }
        v[2] = 9;
        v
    };
    v[1] = 0;
    v[2] = 0;
    r[1] * 3 + r[2] * 5 + v[1]
}

#[device]
fn if_value(x: [i32; 4]) -> i32 {
    let mut v = x;
    let w = if v[0] > 3 { v } else { [1; 4] };
    v[0] = 50;
    w[0] + v[0]
}

#[device]
fn match_value(x: [i32; 4]) -> i32 {
    let mut v = x;
    let w = match v[0] & 1 {
        0 => v,
        _ => {
            v[1] = 7;
            v
        }
    };
    v[1] = 50;
    v[0] = 60;
    w[0] + w[1] * 3 + v[0]
}

#[device]
fn taken_from_an_option(x: [i32; 4]) -> i32 {
    let mut o = Some(x);
    let p = o;
    let q = o.take();
    o.insert([7; 4])[1] = 3;
    p.unwrap()[0] + q.unwrap()[1] * 3 + o.unwrap()[1]
}

#[device]
fn mapped_option(x: [i32; 4]) -> i32 {
    let mut v = x;
    let o = Some(v);
    let r = o.map(|w| {
        v[0] = 9;
        w[0] + v[0]
    });
    r.unwrap() + v[0]
}

#[device]
fn zipped_options(x: [i32; 4]) -> i32 {
    let mut a = Some(x[0]);
    let b = a.zip({
        a = None;
        Some(3)
    });
    b.unwrap().0 + a.is_none() as i32
}

#[device]
fn replaced(x: [i32; 4]) -> i32 {
    let mut v = x;
    let o = core::mem::replace(&mut v[1], 9);
    let w = core::mem::replace(&mut v, [o; 4]);
    core::mem::swap(&mut v[0], &mut { w[3] });
    let t = core::mem::take(&mut v[2]);
    w[1] + v[0] * 3 + v[1] * 5 + t * 7 + v[2]
}

#[device]
fn copy_behind_a_reference(x: [i32; 4]) -> i32 {
    let mut n = x[0];
    let r = &mut n;
    let c = *r;
    *r += 5;
    let d = *r;
    c + d * 3
}

#[device]
fn struct_behind_a_reference(x: [i32; 4]) -> i32 {
    let mut i = Inner { pair: (x[0], x[1]), list: [x[1], x[2], x[3]] };
    let r = &mut i;
    let c = *r;
    r.pair.0 = 9;
    r.list[0] = 8;
    let [a, b, _] = r.list;
    r.list[0] = 1;
    c.pair.0 + c.list[0] * 3 + a * 5 + b * 7 + i.list[0]
}

#[device]
fn half_order(x: [i32; 4]) -> i32 {
    let mut k = 0;
    let mut v = [f16::from_f32(1.0); 3];
    v[k] += {
        k = 1;
        f16::from_f32(x[1] as f32)
    };
    (v[0].to_f32() * 3.0 + v[1].to_f32() * 5.0) as i32 + k as i32
}

#[device]
fn bhalf_order(x: [i32; 4]) -> i32 {
    let mut k = 0;
    let mut v = [bf16::from_f32(1.0); 3];
    v[k] -= {
        k = 1;
        bf16::from_f32(x[1] as f32)
    };
    (v[0].to_f32() * 3.0 + v[1].to_f32() * 5.0) as i32 + k as i32
}

#[device]
fn ref_order(x: [i32; 4]) -> i32 {
    let mut k = 0;
    let mut v = x;
    v[k] += &{
        k = 1;
        x[1]
    };
    v[0] * 3 + v[1] * 5 + k as i32
}

#[device]
fn array_eq(x: [i32; 4]) -> i32 {
    let mut v = x;
    let w = v;
    v[0] += 1;
    (v == w) as i32
        + (w == x) as i32 * 2
        + ([v[0], {
            v[0] = 3;
            v[0]
        }] == [v[0], 3]) as i32
            * 4
}

#[device]
fn blocks(x: [i32; 4]) -> i32 {
    let mut v = x;
    let a = {
        let w = &mut v;
        w[0] += 1;
        *w
    };
    v[0] = 7;
    let b = {
        let Inner { list, .. } = Inner { pair: (0, 0), list: [v[0], v[1], a[0]] };
        list
    };
    v[1] = 8;
    a[0] + b[0] * 3 + b[1] * 5
}

#[device]
fn loop_carried(x: [i32; 4]) -> i32 {
    let mut a = x;
    let mut b = [0; 4];
    for k in 0..3 {
        let t = a;
        a = b;
        b = t;
        a[k] += 1;
        b[3] += t[k];
    }
    mix(mix(a[0], a[1]), mix(b[0], b[3]))
}

#[device]
fn loop_carried_struct(x: [i32; 4]) -> i32 {
    let mut a = Inner { pair: (x[0], x[1]), list: [x[1], x[2], x[3]] };
    let mut b = a;
    for k in 0..3 {
        let t = a;
        (a, b) = (b, t);
        a.pair.0 += 1;
        b.list[k] += t.pair.0;
        let Inner { pair: (p, _), list: [q, ..] } = b;
        b.pair = (q, p);
    }
    mix(mix(a.pair.0, a.list[0]), mix(b.pair.0, b.list[2]))
}

#[device]
fn ref_to_option(x: [i32; 4]) -> i32 {
    let mut o = Some(x[0]);
    let r = o.as_ref().copied();
    let m = o.as_mut().map(|a| {
        *a += 1;
        *a
    });
    o = o.map(|a| a * 2);
    r.unwrap() + m.unwrap() * 3 + o.unwrap()
}

super::all! { 40:
    param_mut param_tuple argument_and_reference struct_by_value deferred_init shadowed array_elem_struct
    index_copy ref_index ref_of_copy float_ops vec_ops vec_lane vec_index_order int_index_order
    user_index_order order_of_assignments element_of_itself order_of_comparisons swap_tuple swap_in_array
    order_of_arguments method_order return_early if_value match_value taken_from_an_option mapped_option
    zipped_options replaced copy_behind_a_reference struct_behind_a_reference half_order bhalf_order
    ref_order array_eq blocks loop_carried loop_carried_struct ref_to_option
}

#[kernel(overflow = "wrap")]
pub fn expression_copies(x: &[[i32; 4]], result: &mut [[i32; 40]]) {
    let i = global_id(0);
    result[i] = all(x[i]);
}

pub fn case() -> Case {
    super::case_of(&EXPRESSION_COPIES, all)
}
