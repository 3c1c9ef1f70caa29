//! Vectors from and to the elements of slices, wherever they start.

use super::case::{Case, ExpectedFault};
use super::for_types::for_types;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_bool: bool, on_u8: u8, on_i16: i16, on_f16: f16, on_bf16: bf16, on_f32: f32, on_usize: usize, on_f64: f64]

    /// From and to slices, parts of slices, arrays and local memory.
    #[kernel(group_size = [4])]
    pub fn moved(x: &[$T], result: &mut [$T]) {
        let mut shared = Local::<[$T; 16]>::new();
        let (i, l) = (global_id(0), local_id(0));
        Vector::<$T, 4>::load(x, 3 * i).store(&mut shared[..], 4 * (3 - l));
        barrier();
        let mut own = [x[0]; 7];
        let v = Vector::<$T, 4>::load(&shared[..], 4 * l);
        v.store(&mut own, l % 3);
        Vector::<$T, 2>::load(&own[1..], l % 3).store(&mut result[5 * i..], 0);
        Vector::<$T, 3>::load(&own, 1).store(result, 5 * i + 2);
    }

    #[kernel]
    pub fn long(x: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        let (a, b) = (Vector::<$T, 8>::from_slice(&x[i..]), Vector::<$T, 8>::load(x, i + 1));
        a.concat(b).copy_to_slice(&mut result[16 * i..16 * i + 16]);
    }

    /// From a part of a part, which is aligned as its start says, to one that is aligned otherwise.
    #[kernel]
    pub fn parts(x: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        let rest = &x[4..];
        let v = Vector::<$T, 4>::from_slice(&rest[8 * i..]);
        v.copy_to_slice(&mut result[2..][4 * i..]);
    }

    /// One element too few, or many.
    #[kernel(requires(global_size(0) == 1))]
    pub fn outside(x: &[$T], start: usize, result: &mut [Vector<$T, 4>]) {
        result[0] = Vector::<$T, 4>::load(x, start);
    }

    /// A slice that is too short.
    #[kernel(requires(global_size(0) == 1))]
    pub fn short(x: &[$T], len: usize, result: &mut [Vector<$T, 4>], rest: &mut [$T]) {
        result[0] = Vector::<$T, 4>::from_slice(&x[..len]);
        Vector::<$T, 2>::from_slice(x).copy_to_slice(rest);
    }

    #[kernel(requires(global_size(0) == 1))]
    pub fn stored_outside(v: Vector<$T, 3>, start: usize, x: &mut [$T]) {
        v.store(x, start);
    }

    fn moved_on_host(x: &[$T], items: usize) -> Vec<$T> {
        let mut result = vec![x[0]; 5 * items];
        for i in 0..items {
            let l = i % 4;
            // What the work-item at the other end of the group has stored.
            let v = Vector::<$T, 4>::load(x, 3 * (i - l + 3 - l));
            let mut own = [x[0]; 7];
            v.store(&mut own, l % 3);
            Vector::<$T, 2>::load(&own[1..], l % 3).store(&mut result[5 * i..], 0);
            Vector::<$T, 3>::load(&own, 1).store(&mut result, 5 * i + 2);
        }
        result
    }

    pub fn cases() -> Vec<Case> {
        let number = |k: i32| (f32x2::splat(k as f32 * 1.25)).cast::<i32>().x % 97;
        let x: Vec<$T> = (0..32).map(|k| of_number(number(k))).collect();
        let v = Vector::<$T, 3>::new(x[1], x[2], x[5]);
        let long: Vec<$T> = (0..20).flat_map(|i| x[i..i + 8].iter().chain(&x[i + 1..i + 9]).copied()).collect();
        let mut stored = x.clone();
        v.store(&mut stored, 29);
        let mut parts = [x[0]; 20];
        for i in 0..4 {
            parts[2 + 4 * i..6 + 4 * i].copy_from_slice(&x[4 + 8 * i..8 + 8 * i]);
        }
        let zero = Vector::<$T, 4>::splat(Default::default());
        let outside = |start: usize, kind, values| {
            Case::of(&OUTSIDE)
                .input(&x)
                .scalar(start)
                .output(&[zero])
                .unwritten([0])
                .faults(ExpectedFault::new(kind).values(values).at("Vector::<$T, 4>::load"))
                .items([1])
                .label(format!("from {start}"))
        };
        let most = u64::MAX;
        vec![
            Case::of(&MOVED).input(&x).output(&moved_on_host(&x, 8)).items([8]),
            Case::of(&LONG).input(&x).output(&long).items([20]),
            Case::of(&PARTS).input(&x).update(&[x[0]; 20], &parts).items([4]),
            Case::of(&OUTSIDE).input(&x).scalar(28_usize).output(&[Vector::<$T, 4>::load(&x, 28)]).items([1]),
            outside(29, FaultKind::RangeEnd, [33, 32]),
            outside(40, FaultKind::RangeStart, [40, 32]),
            outside(usize::MAX, FaultKind::RangeStart, [most, 32]),
            Case::of(&SHORT)
                .input(&x)
                .scalar(4_usize)
                .output(&[Vector::<$T, 4>::load(&x, 0)])
                .output(&x[..2])
                .items([1]),
            Case::of(&SHORT)
                .input(&x)
                .scalar(3_usize)
                .output(&[zero])
                .unwritten([0])
                .output(&x[..2])
                .unwritten([0, 1])
                .faults(ExpectedFault::new(FaultKind::RangeEnd).values([4, 3]).at("Vector::<$T, 4>::from_slice"))
                .items([1])
                .label("too short"),
            Case::of(&STORED_OUTSIDE).value(v).scalar(29_usize).update(&x, &stored).items([1]),
            Case::of(&STORED_OUTSIDE)
                .value(v)
                .scalar(30_usize)
                .update(&x, &x)
                .faults(ExpectedFault::new(FaultKind::RangeEnd).values([33, 32]).at("store(x, start)"))
                .items([1])
                .label("outside"),
        ]
    }
}

/// A scalar that tells numbers apart as far as it can.
trait OfNumber {
    fn of_number(number: i32) -> Self;
}

fn of_number<T: OfNumber>(number: i32) -> T {
    T::of_number(number)
}

impl OfNumber for bool {
    fn of_number(number: i32) -> Self {
        number % 3 == 0
    }
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl OfNumber for $ty {
            fn of_number(number: i32) -> Self {
                i32x2::splat(number).cast::<$ty>().x
            }
        }
    )*};
}

numbers! { u8 i16 f16 bf16 f32 usize f64 }
