//! Kernels with very many of something are built in time that is proportional to their size.

mod driver;
mod generate;

use driver::{Gpu, create_kernel, set};
use std::time::{Duration, Instant};

/// What the kernel of a module computes of a number; building it may take so long, also where the driver is not optimised.
fn result(spirv: &[u8], number: u32, limit: Duration) -> u32 {
    let gpu = Gpu::new();
    let start = Instant::now();
    let kernel = create_kernel(gpu.module(spirv).unwrap(), "k0").unwrap();
    assert!(start.elapsed() < limit, "{} bytes took {:?}", spirv.len(), start.elapsed());
    let out = gpu.buffer(&[1_u32]);
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, number).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    out.read()[0] - 1
}

const SHORT: Duration = Duration::from_secs(120);

#[test]
fn conditions_in_a_row() {
    for count in [1, 100, 1_700, 20_000] {
        let spirv = generate::conditions(count);
        for number in [0, 1, count] {
            assert_eq!(result(&spirv, number, SHORT), number * (number + 1) / 2);
        }
    }
}

#[test]
fn ways_out_of_a_kernel() {
    for count in [1, 100, 5_000] {
        let spirv = generate::exits(count);
        for number in [0, 1, count] {
            assert_eq!(result(&spirv, number, SHORT), number * (number + 1) / 2);
        }
    }
}

#[test]
fn instructions_in_a_row() {
    for count in [10, 1_000, 100_000] {
        let spirv = generate::additions(count);
        assert_eq!(result(&spirv, 3, SHORT), generate::sum_of_additions(count, 3));
    }
}

#[test]
fn conditions_and_loops_in_each_other() {
    for depth in [1, 40, 2_000] {
        assert_eq!(result(&generate::nested_conditions(depth), depth, SHORT), depth * (depth + 1) / 2);
        assert_eq!(result(&generate::nested_loops(depth, true), 0, SHORT), depth);
        assert_eq!(result(&generate::nested_loops(depth, false), 0, SHORT), depth);
    }
}

#[test]
fn cases_of_a_switch() {
    for count in [1, 100, 10_000] {
        let spirv = generate::cases(count);
        for number in [0, count - 1, count] {
            let expected = if number < count { number + 1 } else { 0 };
            assert_eq!(result(&spirv, number, SHORT), expected);
        }
    }
}

#[test]
fn values_of_many_scalars_and_of_types_in_each_other() {
    for count in [4, 1_000, 20_000] {
        let spirv = generate::copied_array(count);
        for number in [0, count - 1] {
            assert_eq!(result(&spirv, number, SHORT), number * number);
        }
    }
    for depth in [1, 32, 250] {
        assert_eq!(result(&generate::nested_structs(depth), 7, SHORT), 7 + depth);
    }
}
