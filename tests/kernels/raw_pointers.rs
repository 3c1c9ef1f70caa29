//! Raw pointers: as arguments, from slices and references, moved, cast, compared, kept in variables, and followed.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Sample {
    id: u8,
    weights: [f32; 3],
}

/// Reads and writes through pointers in all ways.
///
/// # Safety
///
/// There are eight elements at `x`.
#[device]
unsafe fn gather(x: *const i32, i: usize) -> i32 {
    // SAFETY: the caller vouches for eight elements.
    unsafe {
        let last = x.add(7);
        let here = x.add(i);
        let next = if i < 7 { here.offset(1) } else { x };
        let mut moving = x;
        let mut sum = 0_i32;
        while moving != last {
            sum = sum.wrapping_add(*moving);
            moving = moving.wrapping_add(1);
        }
        let back = last.sub(i).wrapping_sub(0);
        let pair = [here, back];
        let distance = back.offset_from(here) as i32;
        let all = std::slice::from_raw_parts(x, 8);
        let borrowed = &*next;
        sum ^ here.read() ^ *pair[1] ^ distance ^ all[(i + 3) % 8] ^ *borrowed ^ (last >= here) as i32
    }
}

#[kernel]
pub unsafe fn gathered(x: *const i32, y: *mut i32) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for eight elements at each.
    unsafe { y.add(i).write(gather(x, i)) };
}

/// The bytes of a number, by a pointer to another type.
///
/// # Safety
///
/// There is a number at `x`.
#[device]
unsafe fn bytes_of(x: *const u32) -> u32 {
    let bytes = x as *const u8;
    let halves = x.cast::<[u16; 2]>();
    // SAFETY: the caller vouches for four bytes, and all types take any bits.
    unsafe { *bytes as u32 + *bytes.add(3) as u32 * 2 + (*halves)[1] as u32 }
}

#[device]
const NOWHERE: [*const u32; 2] = [std::ptr::null(); 2];

#[device]
fn of_slice(x: &[u32], i: usize) -> u32 {
    let start = x.as_ptr();
    let there = &raw const x[i];
    let same = &x[i] as *const u32;
    // SAFETY: the pointers are to elements.
    let bytes = unsafe { bytes_of(there).wrapping_add(*same) };
    let aligned = (there as usize % 4 == 0 && !there.is_null() && same == there) as u32;
    let null = NOWHERE[i % 2];
    // SAFETY: both are pointers into the slice.
    let position = unsafe { there.offset_from(start) } as u32;
    bytes.wrapping_add(aligned).wrapping_add(null.is_null() as u32 * 10).wrapping_add(position * 100)
}

#[kernel]
pub fn from_slices(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let to = y.as_mut_ptr();
    let value = of_slice(x, i);
    // SAFETY: each work-item has an element of its own.
    unsafe { *to.add(i) = value };
}

/// Sums up the weights, and changes a struct in place.
///
/// # Safety
///
/// There is a sample at `sample`, to which there is no other way.
#[device]
unsafe fn update(sample: *mut Sample, by: f32) -> f32 {
    // SAFETY: the caller vouches for the sample.
    unsafe {
        let mut sum = 0.0;
        for weight in &(*sample).weights {
            sum += weight;
        }
        (*sample).weights[1] *= by;
        (*sample).id = (*sample).id.wrapping_add(1);
        let Sample { weights, .. } = *sample;
        let first = &mut (*sample).weights[0];
        *first -= weights[2];
        let third = &raw mut (*sample).weights[2];
        *third += by;
        sum
    }
}

#[kernel]
pub unsafe fn structs_behind_pointers(samples: *mut Sample, sums: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for as many samples as work-items.
    sums[i] = unsafe { update(samples.add(i), i as f32) };
}

/// A pointer in a generic kernel, and one that may be null.
#[kernel(T = [i64, f64])]
pub unsafe fn copy_if<T: Number>(from: *const T, to: *mut T, count: u32) {
    let i = global_id(0);
    let chosen = if (i as u32) < count { from } else { std::ptr::null() };
    if !chosen.is_null() {
        // SAFETY: who launches the kernel vouches for as many elements as work-items.
        unsafe {
            let parts = std::slice::from_raw_parts_mut(to, count as usize);
            parts[i] = *chosen.add(i) + T::ONE;
        }
    }
}

/// Moves a row of eight numbers about.
///
/// # Safety
///
/// There are eight numbers at `row`, to which there is no other way, and three at `from`.
#[device]
unsafe fn shift(row: *mut i16, from: *const i16) -> i16 {
    // SAFETY: the caller vouches for the numbers.
    unsafe {
        row.add(1).copy_from(row, 4);
        row.add(4).copy_to(row.add(3), 4);
        row.copy_from_nonoverlapping(from, 2);
        from.add(1).copy_to_nonoverlapping(row.add(6), 2);
        row.swap(row.add(7));
        row.add(2).swap(row.add(2));
        let old = row.add(5).replace(-7);
        let there = from.add(2).as_ref();
        let none = std::ptr::null::<i16>().as_ref();
        let same = row.as_ref().map_or(0, |first| *first);
        old + there.copied().unwrap_or(100) * 3 + none.copied().unwrap_or(100) + same
    }
}

#[kernel]
pub unsafe fn shifted(rows: *mut [i16; 8], from: *const i16, y: &mut [i16]) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for as many rows as work-items, and for three numbers.
    y[i] = unsafe { shift(rows.add(i).cast(), from) };
}

pub fn cases() -> Vec<Case> {
    let rows: [[i16; 8]; 3] = std::array::from_fn(|row| std::array::from_fn(|i| (row * 100 + i * i) as i16));
    let three = [5, -6, 9];
    let mut moved = rows;
    // SAFETY: there are eight numbers, and three.
    let results = moved.each_mut().map(|row| unsafe { shift(row.as_mut_ptr(), three.as_ptr()) });
    let x = [1, -5, i32::MAX, i32::MIN, 0, 77, -1, 12];
    // SAFETY: there are eight elements.
    let gathered: Vec<i32> = (0..8).map(|i| unsafe { gather(x.as_ptr(), i) }).collect();
    let words = [0, 1, 0x0102_0304, 0xFFFE_FDFC, u32::MAX];
    let of_words: Vec<u32> = (0..words.len()).map(|i| of_slice(&words, i)).collect();
    let sample = |k: u8| Sample { id: 253 + k, weights: [k as f32, 1.5, -2.0] };
    let samples = map(&[0_u8, 1, 2], sample);
    let mut changed = samples.clone();
    // SAFETY: the sample is there, and borrowed by nothing else.
    let sums: Vec<f32> =
        changed.iter_mut().enumerate().map(|(i, sample)| unsafe { update(sample, i as f32) }).collect();
    vec![
        Case::of(&GATHERED).point(&x).point_mut(&[0; 8], &gathered).items([8]),
        Case::of(&FROM_SLICES).input(&words).output(&of_words).items([words.len()]),
        Case::of(&STRUCTS_BEHIND_POINTERS).point_mut(&samples, &changed).output(&sums).items([3]),
        Case::of(&SHIFTED).point_mut(&rows, &moved).point(&three).output(&results).items([3]),
        Case::of(&COPY_IF_I64)
            .point(&[5_i64, i64::MIN])
            .point_mut(&[1_i64, 2], &[6, 2])
            .scalar(1_u32)
            .items([2]),
        Case::of(&COPY_IF_F64)
            .point(&[5.5, 0.25])
            .point_mut(&[1.0, 2.0], &[6.5, 1.25])
            .scalar(2_u32)
            .items([2]),
    ]
}
