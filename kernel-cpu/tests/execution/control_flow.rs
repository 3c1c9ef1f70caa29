//! Kernels whose work-items go different ways, against the same computation on the host.

use crate::driver::{Gpu, KERNELS, create_kernel, set, set_group_size};
use level_zero_sys::ze_kernel_handle_t;

/// Runs a kernel whose first argument is a buffer of zeros, one for each work-item, and returns what it
/// wrote.
fn run<T: Copy>(spirv: &[u8], name: &str, items: u32, zero: T, rest: impl Fn(ze_kernel_handle_t)) -> Vec<T> {
    let gpu = Gpu::new();
    let out = gpu.buffer(&vec![zero; items as usize]);
    let kernel = gpu.kernel(spirv, name);
    set(kernel, 0, out.pointer).unwrap();
    rest(kernel);
    let size = if items.is_multiple_of(20) { 20 } else { items };
    set_group_size(kernel, [size, 1, 1]).unwrap();
    gpu.launch(kernel, [items / size, 1, 1]).unwrap();
    out.read()
}

#[test]
fn loops_that_end_at_different_times() {
    let steps = |mut n: u32| {
        let mut steps = 0;
        while n != 1 {
            n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        steps
    };
    let expected: Vec<u32> = (0..1000).map(|id| steps(id + 1)).collect();
    for spirv in KERNELS {
        assert_eq!(run(spirv, "collatz", 1000, 0_u32, |_| {}), expected);
    }
}

fn jumps(id: u32, n: u32) -> u32 {
    let mut sum = 0_u32;
    for i in 0..n {
        if (i + id).is_multiple_of(3) {
            continue;
        }
        for j in 0.. {
            if j > i || j * id > 100 {
                break;
            }
            match j ^ id {
                0 => sum = sum.wrapping_add(1),
                1 => sum = sum.wrapping_add(10) ^ 0x55,
                2 => sum ^= 0x55,
                5 if sum > 100_000 => return sum,
                _ => sum = sum.wrapping_mul(3).wrapping_add(j),
            }
        }
    }
    sum
}

#[test]
fn continue_break_return_and_switch() {
    let expected: Vec<u32> = (0..300).map(|id| jumps(id, 24)).collect();
    for spirv in KERNELS {
        assert_eq!(run(spirv, "jumps", 300, 0_u32, |kernel| set(kernel, 1, 24_u32).unwrap()), expected);
    }
}

#[test]
fn functions_are_called_from_several_places() {
    let mix_up = |mut x: u32, rounds: u32| {
        for i in 0..rounds {
            if x % 2 == 1 {
                return x.wrapping_mul(7);
            }
            x = x / 2 + i;
        }
        x
    };
    let expected: Vec<u32> = (0..100).map(|id| mix_up(id, 3).wrapping_add(mix_up(id * 2, id & 3))).collect();
    for spirv in KERNELS {
        assert_eq!(run(spirv, "calls", 100, 0_u32, |_| {}), expected);
    }
}

#[test]
fn a_loop_with_two_entries() {
    let walk = |start: u32, limit: u32| {
        let (mut x, mut at_a) = (start, start % 2 == 1);
        loop {
            x = if at_a { x * 2 + 1 } else { x + 3 };
            if x >= limit {
                return x;
            }
            at_a = !at_a;
        }
    };
    let spirv = include_bytes!("../modules/irreducible.spv");
    let expected: Vec<u32> = (0..333).map(|id| walk(id, 1000)).collect();
    assert_eq!(run(spirv, "irreducible", 333, 0_u32, |kernel| set(kernel, 1, 1000_u32).unwrap()), expected);
}

#[test]
fn phis_that_read_each_other() {
    let expected: Vec<u32> = (0..77).map(|id| if id % 2 == 0 { 12 } else { 21 }).collect();
    assert_eq!(run(include_bytes!("../modules/swap.spv"), "swap", 77, 0_u32, |_| {}), expected);
}

#[test]
fn constant_memory_is_shared_by_all_kernels_of_a_module() {
    let gpu = Gpu::new();
    for spirv in KERNELS {
        let module = gpu.module(spirv).unwrap();
        let kernel = create_kernel(module, "constants").unwrap();
        let out = gpu.buffer(&[0_u32; 10]);
        set(kernel, 0, out.pointer).unwrap();
        gpu.launch(kernel, [10, 1, 1]).unwrap();
        assert_eq!(out.read(), [2, 3, 5, 7, 11, 2, 3, 5, 7, 11]);
    }
}

#[test]
fn ids_and_sizes_in_three_dimensions() {
    let (groups, size) = ([3, 2, 2], [5, 3, 2]);
    let pack = |v: [u64; 3]| v[0] | v[1] << 16 | v[2] << 32;
    let global: Vec<u64> = (0..3).map(|d| u64::from(groups[d]) * u64::from(size[d])).collect();
    let mut expected = Vec::new();
    for z in 0..global[2] {
        for y in 0..global[1] {
            for x in 0..global[0] {
                let (id, size) = ([x, y, z], size.map(u64::from));
                let local: [u64; 3] = std::array::from_fn(|d| id[d] % size[d]);
                let group: [u64; 3] = std::array::from_fn(|d| id[d] / size[d]);
                let linear = (local[2] * size[1] + local[1]) * size[0] + local[0];
                let (sizes, counts) = ([global[0], global[1], global[2]], groups.map(u64::from));
                expected.extend([
                    pack(id),
                    pack(local),
                    pack(group),
                    pack(sizes),
                    pack(size),
                    pack(counts),
                    linear,
                    1,
                ]);
            }
        }
    }
    let gpu = Gpu::new();
    for spirv in KERNELS {
        let out = gpu.buffer(&vec![0_u64; expected.len()]);
        let kernel = gpu.kernel(spirv, "ids");
        set(kernel, 0, out.pointer).unwrap();
        set_group_size(kernel, size).unwrap();
        gpu.launch(kernel, groups).unwrap();
        assert_eq!(out.read(), expected);
    }
}
