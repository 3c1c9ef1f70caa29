//! Conditions that every launch meets, `#[kernel(requires(…))]`: what is written in them needs no check in the kernel.

use super::case::Case;
use kernel_runtime::prelude::*;

#[kernel(requires(x.len() >= y.len()))]
pub fn of_same_length(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] += a * x[i];
    }
}

/// The area is a product that fits.
#[kernel(requires(
    width as usize * height as usize <= x.len(),
    width as usize * height as usize == y.len(),
))]
pub fn of_a_matrix(x: &[u32], y: &mut [u32], width: u32, height: u32) {
    let (column, row) = (global_id(0), global_id(1));
    let (width, height) = (width as usize, height as usize);
    if column < width && row < height {
        y[row * width + column] = x[row * width + column] + 1;
    }
}

#[device]
const TILE: usize = 4;

/// A constant, a divisor, and a number that is one of several.
#[kernel(requires(
    n > 0 && step != 0,
    TILE <= x.len(),
    mode == 1 || mode == 2,
    !(limit < 2) && limit <= TILE as u32,
    -8 < step,
))]
pub fn of_numbers(x: &[i32], y: &mut [i32], n: u32, step: i32, mode: u8, limit: u32) {
    let i = global_id(0);
    if i < y.len() {
        let table = [10, 20, 30];
        let chosen = table[mode as usize];
        y[i] = (x[i & 3] >> 1) / step % 7 + chosen + x[limit as usize - 1] + (i as u32 % n) as i32;
    }
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Part {
    start: usize,
    count: usize,
}

impl Part {
    pub const fn new(start: usize, count: usize) -> Self {
        Self { start, count }
    }
}

/// A field of an argument, and a sum that fits.
#[kernel(requires(part.start + part.count <= x.len(), part.count.min(1000) >= y.len()))]
pub fn of_a_part(part: Part, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = x[part.start + i];
    }
}

/// Local memory that has an element for each work-item of a group.
#[kernel(group_size = 8, requires(tile.len() >= 8))]
pub fn of_local_memory(x: &mut [u32], tile: &mut Local<[u32]>) {
    let (i, l) = (global_id(0), local_id(0));
    tile[l] = if i < x.len() { x[i] } else { 0 };
    barrier();
    if i < x.len() {
        x[i] = tile[7 - l];
    }
}

/// A number that the launch sets when the module is built, and one of the types that the kernel is made for.
#[kernel(T = [u32, i64], RADIUS = _, requires(RADIUS < x.len(), y.len() + RADIUS <= x.len()))]
pub fn of_a_constant<T: Copy, const RADIUS: usize>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = x[i + RADIUS];
    }
}

/// A parameter that is changed later.
#[kernel(requires(n <= x.len()))]
pub fn of_what_changes(x: &mut [u32], mut n: usize) {
    if global_id(0) == 0 {
        while n > 0 {
            n -= 1;
            x[n] += 1;
        }
    }
}

/// The kernels in which no check is left.
pub static WITHOUT_CHECKS: [&kernel_core::KernelDescriptor; 8] = [
    &OF_SAME_LENGTH,
    &OF_A_MATRIX,
    &OF_NUMBERS,
    &OF_A_PART,
    &OF_LOCAL_MEMORY,
    &OF_A_CONSTANT_U32,
    &OF_A_CONSTANT_I64,
    &OF_WHAT_CHANGES,
];

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..40).map(|k| k * 3).collect();
    let floats: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let sums: Vec<f32> = floats[..30].iter().map(|x| 2.0 * x + 1.0).collect();
    let next: Vec<u32> = x[..35].iter().map(|x| x + 1).collect();
    let signed: Vec<i32> = (0..5).map(|k| k * 100 - 150).collect();
    let number = |i: usize| (signed[i & 3] >> 1) / -3 % 7 + 30 + signed[2] + (i % 5) as i32;
    let numbers: Vec<i32> = (0..9).map(number).collect();
    let reversed: Vec<u32> = x.chunks_exact(8).flat_map(|group| group.iter().rev().copied()).collect();
    let more: Vec<u32> = x[..20].iter().map(|x| x + 1).chain(x[20..].iter().copied()).collect();
    let wide: Vec<i64> = x.iter().map(|x| i64::from(*x) << 33).collect();
    let mut cases = vec![
        Case::of(&OF_SAME_LENGTH).scalar(2.0_f32).input(&floats).update(&[1.0_f32; 30], &sums).items([40]),
        Case::of(&OF_A_MATRIX).input(&x).output(&next).scalar(7_u32).scalar(5_u32).items([8, 8]),
        Case::of(&OF_NUMBERS)
            .input(&signed)
            .output(&numbers)
            .scalar(5_u32)
            .scalar(-3_i32)
            .scalar(2_u8)
            .scalar(3_u32)
            .items([16]),
        Case::of(&OF_A_PART).scalar(Part::new(5, 20)).input(&x).output(&x[5..25]).items([32]),
        Case::of(&OF_LOCAL_MEMORY).update(&x, &reversed).local::<u32>(9).groups([6], [8]),
        Case::of(&OF_A_CONSTANT_U32).set(3).input(&x).output(&x[3..]).items([40]),
        Case::of(&OF_A_CONSTANT_I64).set(0).input(&wide).output(&wide).items([41]),
        Case::of(&OF_WHAT_CHANGES).update(&x, &more).scalar(20_usize).items([4]),
        Case::of(&OF_WHAT_CHANGES).update(&x, &x).scalar(0_usize).items([4]).label("nothing"),
    ];
    cases.extend([0_usize, 1].map(|n| {
        let case = Case::of(&OF_SAME_LENGTH).scalar(2.0_f32).input(&floats[..n]);
        case.update(&vec![1.0_f32; n], &sums[..n]).items([5]).label(format!("{n} elements"))
    }));
    cases
}
