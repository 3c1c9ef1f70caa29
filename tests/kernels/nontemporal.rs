//! Parameters whose memory caches need not keep, which changes nothing else.

use super::case::{Case, ExpectedFault};
use kernel_runtime::FaultKind;
use kernel_runtime::prelude::*;

/// Each element is read once and written once.
#[kernel(nontemporal(x, y))]
pub fn streamed_copy(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = x[i] + 1;
    }
}

/// Of several parameters one; parts of it, vectors, and arrays in it.
#[kernel(nontemporal(rows))]
pub fn streamed_parts(rows: &[[f32; 4]], weights: &[f32], sums: &mut [f32], squares: &mut [f32x4]) {
    let i = global_id(0);
    let mut sum = 0.0;
    for (x, weight) in rows[i..][0].iter().zip(weights) {
        sum += x * weight;
    }
    sums[i] = sum;
    let row = f32x4::from_slice(&rows[i]);
    squares[i] = row * row;
}

#[device]
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Totals {
    pub count: u32,
    pub flag: bool,
}

/// Behind a reference, with a member that is a byte; a half of a slice, by a loop.
#[kernel(nontemporal(totals, x))]
pub fn streamed_reference(x: &mut [u16], totals: &mut Totals) {
    if global_id(0) == 0 {
        for value in x[1..].iter_mut() {
            *value *= 2;
        }
        totals.count += x.len() as u32;
        totals.flag = !totals.flag;
    }
}

/// For each of its types a generic kernel has the same hint.
#[kernel(T = [u8, f64], nontemporal(x))]
pub fn streamed_generic<T: Number>(x: &mut [T]) {
    let i = global_id(0);
    x[i] = x[i] + x[i];
}

/// Vectors, the longest and those with a lane that is not there, by elements and from elements.
#[kernel(nontemporal(three, wide, words, masks))]
pub fn streamed_vectors(three: &mut [f32x3], wide: &mut [f64x16], words: &mut [u64], masks: &mut [u32x8]) {
    let i = global_id(0);
    if i < three.len() {
        three[i] = three[i] + three[i];
        wide[i] = wide[i] * 2.0;
        masks[i] = masks[i] & 0xff;
        let pair = u64x2::from_slice(&words[2 * i..]);
        (pair + 1).copy_to_slice(&mut words[2 * i..2 * i + 2]);
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for len in [0_u32, 1, 5, 64, 100] {
        let x: Vec<u32> = (0..len).map(|i| i * 3).collect();
        let y: Vec<u32> = x.iter().map(|x| x + 1).collect();
        cases.push(Case::of(&STREAMED_COPY).input(&x).output(&y).items([len as usize + 7]));
    }
    let index = ExpectedFault::new(FaultKind::IndexOutOfBounds).values([2, 2]).at("x[i]");
    cases.push(
        Case::of(&STREAMED_COPY).input(&[1_u32, 2]).update(&[0_u32; 3], &[2, 3, 0]).items([3]).faults(index),
    );
    let rows: Vec<[f32; 4]> = (0..9_u8).map(|i| [0.5, 1.5, 2.5, 3.5].map(|x| x + f32::from(i))).collect();
    let weights = [1.0_f32, 2.0, 4.0, 8.0];
    let sums: Vec<f32> =
        rows.iter().map(|row| row.iter().zip(weights).map(|(x, weight)| x * weight).sum()).collect();
    let squares: Vec<f32x4> =
        rows.iter().map(|row| f32x4::from_array(*row) * f32x4::from_array(*row)).collect();
    let case = Case::of(&STREAMED_PARTS).input(&rows).input(&weights).output(&sums).output(&squares);
    cases.push(case.items([9]));
    for len in [0, 1, 33] {
        let of = |factor: u32| (1..=len).map(move |i: u32| i * factor);
        let three = |factor| of(factor).map(|i| f32x3::splat(i as f32)).collect::<Vec<_>>();
        let wide = |factor| of(factor).map(|i| f64x16::splat(f64::from(i))).collect::<Vec<_>>();
        let words = |more| (0..2 * u64::from(len)).map(|i| i + more).collect::<Vec<_>>();
        let masks = |mask| of(100).map(|i| u32x8::splat(i & mask)).collect::<Vec<_>>();
        let case = Case::of(&STREAMED_VECTORS).update(&three(1), &three(2)).update(&wide(1), &wide(2));
        let case = case.update(&words(0), &words(1)).update(&masks(u32::MAX), &masks(0xff));
        cases.push(case.items([len as usize + 3]));
    }
    let totals = |count, flag| Totals { count, flag };
    cases.push(
        Case::of(&STREAMED_REFERENCE)
            .update(&[3_u16, 4, 5], &[3, 8, 10])
            .point_mut(&[totals(1, false)], &[totals(4, true)])
            .items([2]),
    );
    cases.push(Case::of(&STREAMED_GENERIC_U8).update(&[1_u8, 2, 3], &[2, 4, 6]).items([3]));
    cases.push(Case::of(&STREAMED_GENERIC_F64).update(&[1.5_f64, 2.0], &[3.0, 4.0]).items([2]));
    cases
}
