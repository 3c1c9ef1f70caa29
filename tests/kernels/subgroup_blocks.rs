//! Block reads and writes: what the work-items of a subgroup access together.

use super::case::{Case, ExpectedFault};
use kernel_runtime::prelude::*;
use kernel_runtime::{BlockValue, FaultKind};

/// Where the elements of the subgroup's work-items start, each having one.
#[device]
fn own_start() -> usize {
    group_id(0) * local_size(0) + subgroup::id() * subgroup::max_size()
}

/// Each work-item gets the element of its own index, from whatever offset.
#[kernel(T = [u16, i16, u32, i32, f32])]
pub fn block_of_one<T: BlockValue + Number>(x: &[T], offset: usize, y: &mut [T]) {
    let start = own_start() + offset;
    let value = subgroup::block_read(x, start);
    subgroup::block_write(y, start, value + value);
}

#[kernel]
pub fn block_of_one_half(x: &[f16], offset: usize, y: &mut [f16]) {
    let start = own_start() + offset;
    let value = subgroup::block_read(x, start);
    subgroup::block_write(y, start, value + value);
}

/// All numbers of lanes, of parts of slices.
#[kernel(group_size = 32, subgroup_size = 16)]
pub fn blocks_of_several(x: &[u32], y: &mut [u32], halves: &[u16], doubled: &mut [u16]) {
    let first = own_start();
    let (x2, x4, x8) = (&x[..128], &x[128..384], &x[384..]);
    let two = subgroup::block_read2(x2, first * 2);
    let four = subgroup::block_read4(x4, first * 4);
    let eight = subgroup::block_read8(x8, first * 8);
    subgroup::block_write2(&mut y[..128], first * 2, two * u32x2::splat(3));
    subgroup::block_write4(&mut y[128..384], first * 4, four + u32x4::splat(1));
    subgroup::block_write8(y, 384 + first * 8, eight);
    let eight = subgroup::block_read8(halves, first * 8);
    subgroup::block_write8(doubled, first * 8, eight + eight);
}

/// The lanes are as far from each other as a whole subgroup has work-items.
#[kernel(group_size = 32, subgroup_size = 16)]
pub fn order_of_lanes(x: &[f32], y: &mut [f32]) {
    let lanes = subgroup::block_read4(x, own_start() * 4);
    lanes.store(y, global_id(0) * 4);
}

/// From local memory each work-item reads for itself.
#[kernel]
pub fn block_of_local_memory(x: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    tile[local_id(0)] = x[global_id(0)] * 5;
    barrier();
    let own = subgroup::id() * subgroup::max_size();
    y[global_id(0)] = subgroup::block_read(&tile[..], own);
}

/// A subgroup that comes to a block only if all of it does.
#[kernel(unsafe(races(y)))]
pub fn block_in_uniform_control_flow(x: &[u32], y: &mut [u32]) {
    let start = own_start();
    let mine = x[global_id(0)];
    if subgroup::any(mine == 0) {
        subgroup::block_write(y, start, 7);
    } else {
        let mut sum = 0;
        for _ in 0..3 {
            sum += subgroup::block_read(x, start);
        }
        y[global_id(0)] = sum;
    }
}

/// Writes beyond the end are left out, and are faults.
#[kernel(unsafe(races(y)))]
pub fn block_beyond_the_end(y: &mut [u32]) {
    subgroup::block_write(y, own_start(), 9);
}

/// Reads beyond the end give zero, and are faults.
#[kernel]
pub fn block_read_beyond_the_end(x: &[u32], start: usize, y: &mut [u32]) {
    y[global_id(0)] = 1 + subgroup::block_read(x, start);
}

fn ones<T: BlockValue + Number>(
    descriptor: &'static kernel_core::KernelDescriptor,
    of: fn(u16) -> T,
) -> Vec<Case> {
    let launches = [
        (64, 64, 0),
        (128, 32, 0),
        (64, 32, 1),
        (64, 32, 2),
        (64, 64, 8),
        (15, 5, 0),
        (7, 1, 3),
        (66, 33, 0),
    ];
    launches
        .into_iter()
        .map(|(size, group, offset)| {
            let x: Vec<T> = (0..size + 8).map(|k| of(k as u16 * 3)).collect();
            let mut after = vec![of(1); size + 8];
            for i in offset..offset + size {
                after[i] = x[i] + x[i];
            }
            let before = vec![of(1); size + 8];
            Case::of(descriptor)
                .input(&x)
                .scalar(offset)
                .update(&before, &after)
                .groups([(size / group) as u32], [group as u32])
                .label(format!("{size} in groups of {group} from {offset}"))
        })
        .collect()
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..896).map(|k| k * 7).collect();
    let y: Vec<u32> = (0..896)
        .map(|k: usize| [x[k] * 3, x[k] + 1, x[k]][usize::from(k >= 128) + usize::from(k >= 384)])
        .collect();
    let halves: Vec<u16> = (0..512).map(|k| k * 11).collect();
    let doubled: Vec<u16> = halves.iter().map(|half| half * 2).collect();
    let floats: Vec<f32> = (0..256).map(|k| k as f32).collect();
    let ordered: Vec<f32> = (0..256).map(|k| (k / 64 * 64 + k % 4 * 16 + k / 4 % 16) as f32).collect();
    let few: Vec<u32> = (1..=64).collect();
    let fives: Vec<u32> = few.iter().map(|x| x * 5).collect();
    let threes: Vec<u32> = few.iter().map(|x| x * 3).collect();
    let mut cases = vec![
        Case::of(&BLOCKS_OF_SEVERAL).input(&x).output(&y).input(&halves).output(&doubled).groups([2], [32]),
        Case::of(&ORDER_OF_LANES).input(&floats).output(&ordered).groups([2], [32]),
        Case::of(&BLOCK_OF_LOCAL_MEMORY).input(&few).output(&fives).groups([1], [64]),
        Case::of(&BLOCK_OF_LOCAL_MEMORY).input(&few).output(&fives).groups([64], [1]).label("groups of one"),
        Case::of(&BLOCK_IN_UNIFORM_CONTROL_FLOW).input(&few).output(&threes).groups([2], [32]),
        Case::of(&BLOCK_IN_UNIFORM_CONTROL_FLOW).input(&[0_u32; 64]).output(&[7_u32; 64]).groups([1], [64]),
        Case::of(&BLOCK_BEYOND_THE_END)
            .output(&[9_u32; 40])
            .groups([1], [64])
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(24).at("subgroup::block_write")),
        Case::of(&BLOCK_READ_BEYOND_THE_END).input(&[4_u32; 3]).scalar(usize::MAX).output(&[1_u32]).faults(
            ExpectedFault::new(FaultKind::IndexOutOfBounds).values([u64::MAX, 3]).at("subgroup::block_read"),
        ),
        Case::of(&BLOCK_READ_BEYOND_THE_END)
            .input::<u32>(&[])
            .scalar(0_usize)
            .output(&[1_u32; 2])
            .groups([1], [2])
            .label("empty")
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(2)),
    ];
    cases.extend(ones(&BLOCK_OF_ONE_U16, |k| k));
    cases.extend(ones(&BLOCK_OF_ONE_I16, |k| k as i16));
    cases.extend(ones(&BLOCK_OF_ONE_HALF, |k| f16::from_f32(f32::from(k))));
    cases.extend(ones(&BLOCK_OF_ONE_U32, u32::from));
    cases.extend(ones(&BLOCK_OF_ONE_I32, i32::from));
    cases.extend(ones(&BLOCK_OF_ONE_F32, f32::from));
    cases
}
