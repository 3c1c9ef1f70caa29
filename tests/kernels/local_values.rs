//! What is no array in local memory, and device functions and structs that take local and constant memory by the names that kernels have
//! for it.

use super::case::Case;
use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

/// What the work-items of a group know together.
#[device(impl)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Shared {
    scale: f32,
    weights: [f32; 2],
    lanes: f32x4,
}

#[device]
impl Shared {
    fn weight(&self, i: usize) -> f32 {
        self.weights[i % 2] * self.scale
    }

    fn set(&mut self, scale: f32) {
        self.scale = scale;
        self.weights = [1.0, -1.0];
        self.lanes.y = 3.0;
    }
}

/// Fields, lanes, methods and numbers are found without a `*`.
#[kernel]
pub fn local_values(y: &mut [f32], scale: f32) {
    let mut shared = Local::<Shared>::new();
    let mut lanes = Local::<f32x4>::new();
    let mut number = Local::<f32>::new();
    let l = local_id(0);
    if l == 0 {
        shared.set(scale);
        shared.weights[1] -= 1.0;
        *lanes = f32x4::splat(0.5);
        lanes.z = 4.0;
        lanes[3] += 1.0;
        *number = 6.25;
    }
    barrier();
    y[global_id(0)] =
        shared.weight(l) + shared.lanes.y + lanes.z + lanes[3] + lanes.dot(*lanes) + number.sqrt();
}

/// The sum over the group, in memory of any length and in one of a length that is a generic argument.
#[device]
fn summed<const N: usize>(
    tile: &mut Local<[f32]>,
    partial: &mut Local<[f32; N]>,
    arrived: &Local<AtomicU32>,
) -> f32 {
    let l = local_id(0);
    if l < N {
        partial[l] = tile.iter().skip(l).step_by(N).sum();
    }
    arrived.fetch_add(1, Ordering::Relaxed);
    barrier();
    let total = partial.iter().sum();
    barrier();
    total
}

#[device]
fn counted(counts: &Local<[AtomicU32; 3]>, at: usize) {
    counts[at % counts.len()].fetch_add(1, Ordering::Relaxed);
}

/// Both kinds of memory in a struct.
#[device]
struct Parts<'a> {
    last: &'a mut Local<[f32; 4]>,
    table: &'a Constant<[f32]>,
}

#[device]
fn look_up(parts: &mut Parts<'_>, x: f32) -> f32 {
    let l = local_id(0);
    parts.last[l] = x + parts.table[l % parts.table.len()];
    barrier();
    parts.last[3 - l]
}

#[kernel(group_size = 4)]
pub fn local_memory_passed_on(
    x: &[f32],
    tile: &mut Local<[f32]>,
    table: &Constant<[f32]>,
    y: &mut [f32],
    numbers: &mut [u32],
) {
    let mut partial = Local::<[f32; 2]>::new();
    let mut last = Local::<[f32; 4]>::new();
    let arrived = Local::<AtomicU32>::new();
    let counts = Local::<[AtomicU32; 3]>::new();
    let l = local_id(0);
    if l < 3 {
        counts[l].store(0, Ordering::Relaxed);
        arrived.store(0, Ordering::Relaxed);
    }
    tile[l] = x[global_id(0)];
    barrier();
    let total = summed(tile, &mut partial, &arrived);
    counted(&counts, l);
    let mut parts = Parts { last: &mut last, table };
    y[global_id(0)] = look_up(&mut parts, total);
    numbers[global_id(0)] = arrived.load(Ordering::Relaxed) * 10 + counts[l % 3].load(Ordering::Relaxed);
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for size in [1, 3, 8] {
        let expected: Vec<f32> = (0..2 * size)
            .map(|k| if k % size % 2 == 0 { 1.5 } else { -3.0 } + 3.0 + 4.0 + 1.5 + 18.75 + 2.5)
            .collect();
        let case = Case::of(&LOCAL_VALUES).output(&expected).scalar(1.5_f32);
        cases.push(case.groups([2], [size]).label(format!("groups of {size}")));
    }
    let x: Vec<f32> = (0..8).map(|k| k as f32).collect();
    let table = [0.25_f32, 0.5, 0.125];
    let y: Vec<f32> = (0..8).map(|k| if k < 4 { 6.0 } else { 22.0 } + table[(3 - k % 4) % 3]).collect();
    let numbers: Vec<u32> = (0..8).map(|k| 40 + if k % 4 % 3 == 0 { 2 } else { 1 }).collect();
    let case = Case::of(&LOCAL_MEMORY_PASSED_ON).input(&x).local::<f32>(4);
    cases.push(case.input(&table).output(&y).output(&numbers).groups([2], [4]));
    cases
}
