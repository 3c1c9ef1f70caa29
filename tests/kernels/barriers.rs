//! Barriers that say what they order, and among whom.

use super::case::Case;
use kernel_runtime::Memory;
use kernel_runtime::atomic::Scope;
use kernel_runtime::prelude::*;

/// Each work-item takes what another one of its work-group put into local memory.
#[kernel]
pub fn barrier_for_local_memory(x: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 64]>::new();
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    work_group::barrier_in(Scope::WorkGroup, Memory::LOCAL);
    let other = tile[local_size(0) - 1 - l];
    work_group::barrier_in(Scope::WorkGroup, Memory::NONE);
    y[global_id(0)] = other;
}

/// Through global memory, several times.
#[kernel]
pub fn barrier_for_global_memory(x: &mut [u32]) {
    let first = group_id(0) * local_size(0);
    let l = local_id(0);
    for _ in 0..3 {
        let other = x[first + (l + 1) % local_size(0)];
        work_group::barrier_in(Scope::Device, Memory::GLOBAL);
        x[first + l] = other + 1;
        work_group::barrier_in(Scope::AllDevices, (Memory::GLOBAL) | Memory::LOCAL);
    }
}

/// Images too.
#[kernel]
pub fn barrier_for_images(image: &mut Image1d<u32, ReadWrite>) {
    let x = global_id(0);
    let other = group_id(0) * local_size(0) + local_size(0) - 1 - local_id(0);
    let texel = image.read(other);
    work_group::barrier_in(Scope::WorkGroup, Memory::IMAGE);
    image.write(x, texel);
    work_group::barrier_in(Scope::WorkGroup, Memory::LOCAL | Memory::GLOBAL | Memory::IMAGE);
}

#[device]
fn meet() {
    subgroup::barrier_in(Scope::Subgroup, Memory::LOCAL);
}

/// Among the work-items of a subgroup: each takes what the first one put into local memory.
#[kernel(unsafe(races(tile)))]
pub fn barrier_of_subgroups(x: &[u32], y: &mut [u32], shift: u32) {
    let mut tile = Local::<[u32; 64]>::new();
    let own = subgroup::id() * subgroup::max_size();
    tile[own + subgroup::local_id()] = x[global_id(0)] << shift;
    meet();
    let all = tile[own..own + subgroup::size()].iter().fold(0, |all, one| all | one);
    subgroup::barrier_in(Scope::WorkGroup, Memory::GLOBAL);
    y[global_id(0)] = all;
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..96).map(|k| k * k).collect();
    let reversed = |size: u32| -> Vec<u32> {
        x.chunks_exact(size as usize).flat_map(|group| group.iter().rev().copied()).collect()
    };
    let turned = |size: usize| -> Vec<u32> {
        (0..96).map(|i| x[i / size * size + (i % size + 3) % size] + 3).collect()
    };
    let local = |size: u32| {
        let case = Case::of(&BARRIER_FOR_LOCAL_MEMORY).input(&x).output(&reversed(size));
        case.groups([96 / size], [size]).label(format!("groups of {size}"))
    };
    let global = |size: u32| {
        let case = Case::of(&BARRIER_FOR_GLOBAL_MEMORY).update(&x, &turned(size as usize));
        case.groups([96 / size], [size]).label(format!("groups of {size}"))
    };
    let format = ImageFormat::new(ChannelOrder::R, ChannelType::Uint32);
    let texels: Vec<u8> = (0..32_u32).flat_map(|k| (k * k + 3).to_le_bytes()).collect();
    let row: Image1d<u32, ReadWrite> = Image1d::from_bytes(format, 32, &texels);
    let mut mirrored = row.clone();
    (0..32).for_each(|x| mirrored.write(x, row.read(x / 16 * 16 + 15 - x % 16)));
    let same = [0b101_u32; 64];
    vec![
        local(32),
        local(1),
        local(6),
        global(32),
        global(1),
        global(6),
        Case::of(&BARRIER_FOR_IMAGES).image_update(&row, &mirrored).groups([2], [16]),
        Case::of(&BARRIER_OF_SUBGROUPS)
            .input(&same)
            .output(&[0b1010_u32; 64])
            .scalar(1_u32)
            .groups([1], [64]),
        Case::of(&BARRIER_OF_SUBGROUPS)
            .input(&same)
            .output(&[0b101_u32; 64])
            .scalar(0_u32)
            .groups([64], [1])
            .label("groups of one"),
    ]
}
