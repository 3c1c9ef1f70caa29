//! Atomics of floats: by the instructions of devices that have them, and by exchanges.

use super::case::Case;
use kernel_runtime::atomic::{AtomicF16, AtomicF32, AtomicF64, Ordering};
use kernel_runtime::prelude::*;

/// Sums that are exact, so that they do not depend on the order.
#[kernel]
pub fn float_sums(x: &[f32], sums: &[AtomicF32]) {
    let value = x[global_id(0)];
    sums[0].fetch_add(value, Ordering::Relaxed);
    sums[1].fetch_sub(value, Ordering::AcqRel);
}

#[kernel]
pub fn float_extremes(x: &[f32], extremes: &[AtomicF32]) {
    let value = x[global_id(0)];
    extremes[0].fetch_min(value, Ordering::Relaxed);
    extremes[1].fetch_max(value, Ordering::SeqCst);
}

#[kernel]
pub fn double_sums(x: &[f64], sums: &[AtomicF64]) {
    let value = x[global_id(0)];
    sums[0].fetch_add(value, Ordering::Relaxed);
    sums[1].fetch_sub(value, Ordering::AcqRel);
}

#[kernel]
pub fn double_extremes(x: &[f64], extremes: &[AtomicF64]) {
    let value = x[global_id(0)];
    extremes[0].fetch_min(value, Ordering::Relaxed);
    extremes[1].fetch_max(value, Ordering::SeqCst);
}

#[kernel(group_size = [16])]
pub fn float_sums_of_groups(x: &[f32], sums: &mut [[f32; 3]]) {
    let sum = Local::<AtomicF32>::new();
    let extremes = Local::<[AtomicF32; 2]>::new();
    if local_id(0) == 0 {
        sum.store(0.0, Ordering::Relaxed);
        extremes[0].store(f32::INFINITY, Ordering::Relaxed);
        extremes[1].store(f32::NEG_INFINITY, Ordering::Relaxed);
    }
    barrier();
    let value = x[global_id(0)];
    sum.fetch_add(value, Ordering::Relaxed);
    extremes[0].fetch_min(value, Ordering::Relaxed);
    extremes[1].fetch_max(value, Ordering::Relaxed);
    barrier();
    if local_id(0) == 0 {
        sums[group_id(0)] = [
            sum.load(Ordering::Relaxed),
            extremes[0].load(Ordering::Relaxed),
            extremes[1].load(Ordering::Relaxed),
        ];
    }
}

/// The same without any feature of the device.
#[kernel(float_atomics = "exchange")]
pub fn exchanged_floats(x: &[f32], results: &[AtomicF32; 4]) {
    let value = x[global_id(0)];
    results[0].fetch_add(value, Ordering::Relaxed);
    results[1].fetch_sub(value, Ordering::AcqRel);
    results[2].fetch_min(value, Ordering::Relaxed);
    results[3].fetch_max(value, Ordering::SeqCst);
}

#[kernel(float_atomics = "exchange")]
pub fn exchanged_doubles(x: &[f64], results: &[AtomicF64; 4]) {
    let value = x[global_id(0)];
    results[0].fetch_add(value, Ordering::Relaxed);
    results[1].fetch_sub(value, Ordering::AcqRel);
    results[2].fetch_min(value, Ordering::Relaxed);
    results[3].fetch_max(value, Ordering::SeqCst);
}

#[kernel]
pub fn half_atomics(x: &[f16], results: &[AtomicF16; 5], in_groups: &mut [f16]) {
    let sum = Local::<AtomicF16>::new();
    if local_id(0) == 0 {
        sum.store(f16::ZERO, Ordering::Relaxed);
    }
    barrier();
    let value = x[global_id(0)];
    results[0].fetch_add(value, Ordering::Relaxed);
    results[1].fetch_sub(value, Ordering::AcqRel);
    results[2].fetch_min(value, Ordering::Relaxed);
    results[3].fetch_max(value, Ordering::SeqCst);
    sum.fetch_add(value, Ordering::Relaxed);
    barrier();
    if local_id(0) == 0 {
        in_groups[group_id(0)] = sum.load(Ordering::Relaxed);
    }
}

/// What needs no instruction for floats, in 32 and in 64 bits, and an update of one's own.
#[kernel]
pub fn float_exchanges(
    cells: &[AtomicF32],
    doubles: &[AtomicF64],
    x: &[f32],
    seen: &mut [[f32; 5]],
    saw: &mut [[f64; 4]],
) {
    let i = global_id(0);
    let (cell, double, value) = (&cells[i], &doubles[i], x[i]);
    seen[i] = [
        cell.load(Ordering::Relaxed),
        cell.swap(value, Ordering::AcqRel),
        cell.compare_exchange(value, 2.5, Ordering::SeqCst, Ordering::Relaxed).unwrap_or(-1.0),
        cell.compare_exchange(3.5, 4.5, Ordering::Relaxed, Ordering::Relaxed).unwrap_or_else(|now| now * 2.0),
        cell.update(Ordering::Relaxed, Ordering::Relaxed, |old| old * old + value),
    ];
    saw[i] = [
        double.swap(value as f64, Ordering::Relaxed),
        double.load(Ordering::SeqCst),
        double.compare_exchange(-0.0, 7.0, Ordering::SeqCst, Ordering::SeqCst).unwrap_or(-3.0),
        double
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| {
                if old > 1.0 { Some(old / 2.0) } else { None }
            })
            .unwrap_or(9.0),
    ];
    double.store(0.125, Ordering::Release);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<f32> = (0..96_i32).map(|k| (k * 37 % 101 - 50) as f32 / 4.0).collect();
    let wide: Vec<f64> = x.iter().map(|value| f64::from(*value) * 1024.0).collect();
    let sum: f32 = x.iter().sum();
    let least = x.iter().copied().fold(f32::NAN, f32::min);
    let most = x.iter().copied().fold(f32::NAN, f32::max);
    let all = [1.5 + sum, 2.0 - sum, least, most];
    let before = [1.5, 2.0, f32::NAN, f32::NEG_INFINITY];
    let wider = |value: f32| f64::from(value) * 1024.0;
    let wide_before = [0.5, 0.25, f64::INFINITY, f64::NAN];
    let wide_all = [0.5 + wider(sum), 0.25 - wider(sum), wider(least), wider(most)];
    let mut cases = vec![
        Case::of(&FLOAT_SUMS).input(&x).update(&before[..2], &all[..2]).items([96]),
        Case::of(&FLOAT_EXTREMES).input(&x).update(&[1e30_f32, -1e30], &all[2..]).items([96]),
        Case::of(&DOUBLE_SUMS).input(&wide).update(&wide_before[..2], &wide_all[..2]).items([96]),
        Case::of(&DOUBLE_EXTREMES).input(&wide).update(&[1e300_f64, -1e300], &wide_all[2..]).items([96]),
        Case::of(&EXCHANGED_FLOATS).input(&x).refer_mut(before, all).items([96]),
        Case::of(&EXCHANGED_DOUBLES).input(&wide).refer_mut(wide_before, wide_all).items([96]),
    ];
    let of_group = |group: &[f32]| {
        let least = group.iter().copied().fold(f32::NAN, f32::min);
        [group.iter().sum::<f32>(), least, group.iter().copied().fold(f32::NAN, f32::max)]
    };
    let groups: Vec<_> = x.chunks(16).map(of_group).collect();
    cases.push(Case::of(&FLOAT_SUMS_OF_GROUPS).input(&x).output(&groups).groups([6], [16]));
    let halves: Vec<f16> = x.iter().take(32).map(|value| f16::from_f32(*value)).collect();
    let exact = |values: &[f32]| values.iter().sum::<f32>();
    let half = f16::from_f32;
    let first = &x[..32];
    let results = [
        half(1.0 + exact(first)),
        half(2.0 - exact(first)),
        half(first.iter().copied().fold(0.0, f32::min)),
        half(first.iter().copied().fold(0.0, f32::max)),
        half(-9.0),
    ];
    let before = [half(1.0), half(2.0), half(0.0), half(0.0), half(-9.0)];
    for size in [32, 8] {
        let sums: Vec<f16> = first.chunks(size).map(|group| half(exact(group))).collect();
        let case = Case::of(&HALF_ATOMICS).input(&halves).refer_mut(before, results).output(&sums);
        cases.push(case.groups([sums.len() as u32], [size as u32]).label(format!("groups of {size}")));
    }
    let cells = [1.0_f32, -2.0, 0.5];
    let x = [0.25_f32, 3.0, -0.0];
    let seen: Vec<[f32; 5]> = (0..3).map(|i| [cells[i], cells[i], x[i], 5.0, 2.5]).collect();
    let after: Vec<f32> = x.iter().map(|value| 6.25 + value).collect();
    let saw = [[8.0, 0.25, -3.0, 9.0], [9.0, 3.0, -3.0, 3.0], [10.0, -0.0, -0.0, 7.0]];
    cases.push(
        Case::of(&FLOAT_EXCHANGES)
            .update(&cells, &after)
            .update(&[8.0_f64, 9.0, 10.0], &[0.125; 3])
            .input(&x)
            .output(&seen)
            .output(&saw)
            .items([3]),
    );
    cases
}
