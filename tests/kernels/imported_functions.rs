//! Functions of other modules: values of all types in and out, addresses, no result, calls under conditions, in loops and after faults.
//!
//! What they do on the host is what `modules/library.cl` does.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// The modules that export what is imported here.
pub const LIBRARY: &[&[u8]] = &[include_bytes!("modules/library.spv")];
const WITH_FP64: &[&[u8]] =
    &[include_bytes!("modules/library_fp64.spv"), include_bytes!("modules/library.spv")];

/// # Safety
///
/// There are four numbers at `table`, and `x` is not negative.
#[device(import = "gamma_of")]
unsafe fn gamma(x: f32, table: *const f32) -> f32 {
    // SAFETY: the caller vouches for four numbers.
    x * unsafe { *table.add(x as usize & 3) } + 0.5
}

#[device]
fn shaped(x: f32, table: &[f32]) -> f32 {
    assert!(table.len() >= 4);
    // SAFETY: there are four numbers, as was checked.
    if x >= 0.0 { unsafe { gamma(x, table.as_ptr()) } } else { -1.0 }
}

#[kernel]
pub fn imported(table: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = shaped(y[i], table);
}

/// The functions whose calls are written in modules are imported there.
#[device]
mod narrow {
    /// # Safety
    ///
    /// There is none to vouch for.
    #[device(import = "narrow")]
    pub unsafe fn mixed(a: i8, b: u8, c: i16, d: u16, negate: bool) -> i8 {
        let sum = a as i32 / 2 + b as i32 / 2 + c as i32 / 256 + d as i32 / 256;
        if negate { -sum as i8 } else { sum as i8 }
    }

    /// # Safety
    ///
    /// There is none to vouch for.
    #[device(import = "is_odd")]
    pub unsafe fn is_odd(x: u8) -> bool {
        x & 1 != 0
    }

    /// # Safety
    ///
    /// There is none to vouch for.
    #[device(import = "widest")]
    pub unsafe fn widest(a: u16, b: u16) -> u16 {
        a.max(b)
    }

    pub fn all(i: usize, x: i8, y: u8, z: i16) -> (i8, u16) {
        let w = (z as u16).wrapping_mul(3);
        // SAFETY: they take any numbers.
        unsafe { (mixed(x, y, z, w, is_odd(i as u8)), widest(w, y as u16)) }
    }
}

#[kernel]
pub fn imported_narrow(x: &[i8], y: &[u8], z: &[i16], a: &mut [i8], b: &mut [u16]) {
    let i = global_id(0);
    (a[i], b[i]) = narrow::all(i, x[i], y[i], z[i]);
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "scaled")]
unsafe fn scaled(x: i64, by: u64, less: usize) -> i64 {
    x.wrapping_mul(by as i64).wrapping_sub(less as i64)
}

/// Sizes have 64 bits there, however small they are.
#[kernel]
pub fn imported_wide(by: u64, x: &mut [i64]) {
    let (i, n) = (global_id(0), x.len());
    // SAFETY: it takes any numbers.
    x[i] = unsafe { scaled(x[i], by, n - i) };
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "doubled")]
unsafe fn doubled(x: f16) -> f16 {
    x + x
}

#[kernel]
pub fn imported_half(x: &mut [f16]) {
    let i = global_id(0);
    // SAFETY: it takes any number.
    x[i] = unsafe { doubled(x[i]) };
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "halved")]
unsafe fn halved(x: f64) -> f64 {
    x / 2.0
}

#[kernel]
pub fn imported_double(x: &mut [f64]) {
    let i = global_id(0);
    // SAFETY: it takes any number.
    x[i] = unsafe { halved(x[i]) };
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "mixed")]
unsafe fn mixed(a: f32x4, b: f32x3, c: i32x2) -> f32x4 {
    let [x, y, z] = b.to_array();
    let c = c.to_array().map(|c| c as f32);
    a * f32x4::from([x, y, z, 1.0]) + f32x4::from([c[0], c[1], c[0], c[1]])
}

/// # Safety
///
/// There is none to vouch for.
#[device(import = "reversed")]
unsafe fn reversed(x: u8x16) -> u8x16 {
    let mut x = x.to_array();
    x.reverse();
    x.into()
}

#[kernel]
pub fn imported_vectors(x: &mut [f32x4], y: &mut [u8x16]) {
    let i = global_id(0);
    // SAFETY: they take any numbers.
    unsafe {
        x[i] = mixed(x[i], f32x3::from([1.0, 2.0, i as f32]), i32x2::from([i as i32, -7]));
        y[i] = reversed(y[i]);
    }
}

/// # Safety
///
/// There are more than `width * i` numbers at `x`.
#[device(import = "row")]
unsafe fn row(x: *mut f32, width: usize, i: usize) -> *mut f32 {
    // SAFETY: the caller vouches for so many.
    unsafe { x.add(width * i) }
}

/// # Safety
///
/// There are more than `offset` bytes, and a vector behind them.
#[device(import = "vectors")]
unsafe fn vectors(bytes: *mut u8, offset: usize) -> *mut f32x4 {
    // SAFETY: the caller vouches for so many.
    unsafe { bytes.add(offset).cast() }
}

/// # Safety
///
/// There are `count` numbers at `x`, at least one.
#[device(import = "ends")]
unsafe fn ends(x: *const u32, count: u64) -> u32 {
    // SAFETY: the caller vouches for so many.
    unsafe { *x * 1000 + *x.add(count as usize - 1) }
}

#[kernel(overflow = "wrap")]
pub unsafe fn imported_addresses(width: usize, x: *mut f32, y: &mut [f32x4], z: &[u32], of_z: &mut [u32]) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for a row for each work-item; the elements of the slices are there.
    unsafe {
        *row(x, width, i).add(1) += i as f32;
        let own = vectors(y.as_mut_ptr().cast(), 16 * i);
        *own = *own + f32x4::splat(2.0);
        of_z[i] = ends(&raw const z[i], (z.len() - i) as u64);
    }
}

/// # Safety
///
/// There is a number at `x`, which nobody else accesses.
#[device(import = "bump")]
unsafe fn bump(x: *mut i32, by: i32) {
    // SAFETY: the caller vouches for it.
    unsafe { *x += by };
}

/// In loops, under conditions, where stores come before it and loads after it.
#[kernel(overflow = "wrap")]
pub fn imported_without_result(by: i32, times: u32, x: &mut [i32]) {
    let i = global_id(0);
    let own = &raw mut x[i];
    let mut k = 0;
    while k < times {
        x[i] *= 3;
        if k as usize % 3 != i % 3 {
            // SAFETY: each work-item has a number of its own.
            unsafe { bump(own, by) };
        }
        k += 1;
    }
    x[i] -= 1;
}

/// # Safety
///
/// It is called on a device only.
#[device(import = "who")]
unsafe fn who() -> u32 {
    unreachable!("there are no work-items here")
}

/// What it returns is another number for each work-item, and the memory that it leaves is seen behind a barrier.
#[kernel(group_size = [8], overflow = "wrap")]
pub fn imported_and_barriers(x: &mut [i32], y: &mut [u32]) {
    let (i, local) = (global_id(0), local_id(0));
    // SAFETY: each work-item has a number of its own.
    unsafe { bump(&raw mut x[i], i as i32) };
    barrier();
    let other = x[i - local + (local + 1) % 8];
    // SAFETY: this is a device.
    y[i] = unsafe { who() } + other as u32;
}

/// A work-item that has faulted calls nothing: what it would pass is no address.
#[kernel(group_size = [4], overflow = "wrap")]
pub fn imported_after_a_fault(which: &[u32], x: &mut [i32], sums: &mut [i32]) {
    let i = global_id(0);
    let to = &raw mut x[which[i] as usize];
    // SAFETY: the cases give each work-item a number of its own.
    unsafe { bump(to, 5) };
    sums[i] = work_group::reduce_add(1);
}

/// What another crate imports, by another name and through a function of its own, is the same import as that of this file.
#[kernel]
pub fn imported_by_another_crate(table: &[f32], x: &mut [f32], y: &mut [f32]) {
    use device_library::imported::gamma as theirs;
    let i = global_id(0);
    // SAFETY: the cases pass four numbers, and no negative one to this.
    y[i] = unsafe { theirs(y[i], table.as_ptr()) + gamma(y[i], table.as_ptr()) };
    x[i] = device_library::imported::gamma_or_zero(x[i], table);
}

pub fn cases() -> Vec<Case> {
    let table = [2.0, -1.0, 0.25, 8.0];
    let x = [0.0, 1.0, 2.5, 3.0, 4.0, 7.75, -3.0, 1024.0, 0.5];
    let shaped_x = map(&x, |x| shaped(x, &table));
    let y = x.map(f32::abs);
    // SAFETY: there are four numbers.
    let twice = map(&y, |y| 2.0 * unsafe { gamma(y, table.as_ptr()) });
    let small: Vec<i8> = (0..33).map(|i| (i * 37) as i8).collect();
    let bytes: Vec<u8> = (0..33).map(|i| (i * 91) as u8).collect();
    let shorts: Vec<i16> = (0..33_i32).map(|i| (i * 7919) as i16).collect();
    let (a, b): (Vec<i8>, Vec<u16>) = (0..33).map(|i| narrow::all(i, small[i], bytes[i], shorts[i])).unzip();
    let wide = [0, -1, i64::MAX, 1 << 40, i64::MIN];
    // SAFETY: these take any numbers.
    let of_wide: Vec<i64> = (0..5).map(|i| unsafe { scaled(wide[i], u64::MAX / 3, 5 - i) }).collect();
    let halves = map(&[0.0_f32, 1.5, -2.25, 65504.0], f16::from_f32);
    // SAFETY: the same.
    let of_halves = map(&halves, |x| unsafe { doubled(x) });
    let doubles = [1.0_f64, -0.0, 3e-310, f64::INFINITY];
    // SAFETY: the same.
    let of_doubles = map(&doubles, |x| unsafe { halved(x) });
    let fours: Vec<f32x4> = (0..5).map(|i| f32x4::from([i as f32, 2.0, -1.5, 0.5])).collect();
    let of_fours: Vec<f32x4> = fours
        .iter()
        .enumerate()
        // SAFETY: the same.
        .map(|(i, x)| unsafe { mixed(*x, f32x3::from([1.0, 2.0, i as f32]), i32x2::from([i as i32, -7])) })
        .collect();
    let sixteens: Vec<u8x16> =
        (0..5).map(|i| u8x16::from(std::array::from_fn(|k| (i * 50 + k * 13) as u8))).collect();
    // SAFETY: the same.
    let of_sixteens = map(&sixteens, |x| unsafe { reversed(x) });
    vec![
        Case::of(&IMPORTED).with(LIBRARY).input(&table).update(&x, &shaped_x).items([x.len()]),
        Case::of(&IMPORTED).with(LIBRARY).input(&table).update(&x[..1], &shaped_x[..1]).groups([1], [1]),
        Case::of(&IMPORTED).with(LIBRARY).input(&table[..3]).update(&[1.0_f32], &[1.0]).items([1]).faults(
            ExpectedFault::new(FaultKind::Panic)
                .at("assert!(table.len() >= 4)")
                .message("assertion failed: table.len() >= 4"),
        ),
        Case::of(&IMPORTED_BY_ANOTHER_CRATE)
            .with(LIBRARY)
            .input(&table)
            .update(&x, &map(&x, |x| device_library::imported::gamma_or_zero(x, &table)))
            .update(&y, &twice)
            .items([x.len()]),
        Case::of(&IMPORTED_NARROW)
            .with(LIBRARY)
            .input(&small)
            .input(&bytes)
            .input(&shorts)
            .output(&a)
            .output(&b)
            .items([33]),
        Case::of(&IMPORTED_WIDE).with(LIBRARY).scalar(u64::MAX / 3).update(&wide, &of_wide).items([5]),
        Case::of(&IMPORTED_HALF).with(LIBRARY).update(&halves, &of_halves).items([4]),
        Case::of(&IMPORTED_DOUBLE).with(WITH_FP64).update(&doubles, &of_doubles).items([4]),
        Case::of(&IMPORTED_VECTORS)
            .with(LIBRARY)
            .update(&fours, &of_fours)
            .update(&sixteens, &of_sixteens)
            .items([5]),
        addresses(3, 5),
        addresses(2, 1),
        without_result(0, 4),
        without_result(1, 1),
        without_result(7, 17),
        barriers(1),
        barriers(3),
        Case::of(&IMPORTED_AFTER_A_FAULT)
            .with(LIBRARY)
            .input(&[3_u32, 9, 0, 2])
            .update(&[1, 2, 3, 4], &[6, 2, 8, 9])
            .output(&[4, 4, 4, 4])
            .groups([1], [4])
            .faults(
                ExpectedFault::new(FaultKind::IndexOutOfBounds)
                    .values([9, 4])
                    .global_id([1, 0, 0])
                    .at("x[which[i] as usize]"),
            ),
    ]
}

fn addresses(width: usize, rows: usize) -> Case {
    let x: Vec<f32> = (0..width * rows).map(|k| k as f32).collect();
    let mut of_x = x.clone();
    (0..rows).for_each(|i| of_x[width * i + 1] += i as f32);
    let y: Vec<f32x4> = (0..rows).map(|i| f32x4::splat(i as f32)).collect();
    let of_y = map(&y, |y| y + f32x4::splat(2.0));
    let z: Vec<u32> = (0..rows as u32).map(|k| k * k + 3).collect();
    let of_z = map(&z, |first| first * 1000 + z[rows - 1]);
    Case::of(&IMPORTED_ADDRESSES)
        .with(LIBRARY)
        .scalar(width)
        .point_mut(&x, &of_x)
        .update(&y, &of_y)
        .input(&z)
        .output(&of_z)
        .items([rows])
}

fn without_result(times: u32, size: usize) -> Case {
    let before: Vec<i32> = (0..size as i32).map(|i| i * 11 - 20).collect();
    let changed = |i: usize| {
        let mut x = before[i];
        for k in 0..times as usize {
            x = x.wrapping_mul(3);
            x = x.wrapping_add(if k % 3 != i % 3 { -4 } else { 0 });
        }
        x.wrapping_sub(1)
    };
    let after: Vec<i32> = (0..size).map(changed).collect();
    Case::of(&IMPORTED_WITHOUT_RESULT)
        .with(LIBRARY)
        .scalar(-4)
        .scalar(times)
        .update(&before, &after)
        .items([size])
}

fn barriers(groups: u32) -> Case {
    let size = groups as usize * 8;
    let x: Vec<i32> = (0..size as i32).map(|i| 1000 * i).collect();
    let of_x: Vec<i32> = (0..size as i32).map(|i| 1001 * i).collect();
    let y: Vec<u32> = (0..size)
        .map(|i| {
            let local = i % 8;
            (i * 100 + local) as u32 + of_x[i - local + (local + 1) % 8] as u32
        })
        .collect();
    Case::of(&IMPORTED_AND_BARRIERS).with(LIBRARY).update(&x, &of_x).output(&y).groups([groups], [8])
}
