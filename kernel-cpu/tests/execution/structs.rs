//! Structs in memory and in arguments: where their members are, and what is not taken.

use crate::driver::{Gpu, KERNELS, set, set_group_size};
use level_zero_sys::ze_result_t;

/// The layout that OpenCL gives the struct `odd` of the kernel.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Odd {
    tag: u8,
    v: Aligned,
    h: u16,
    w: [u64; 2],
}

#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Aligned([f32; 3]);

#[test]
fn structs_by_value_are_each_work_items_own() {
    let gpu = Gpu::new();
    let odd = Odd { tag: 3, v: Aligned([1.0, 2.0, 4.0]), h: 300, w: [1000, 20000] };
    let expected: Vec<f32> = (0..50).map(|id| 21310.0 + id as f32).collect();
    for spirv in KERNELS {
        let out = gpu.buffer(&[0.0_f32; 50]);
        let kernel = gpu.kernel(spirv, "by_value");
        set(kernel, 0, odd).unwrap();
        set(kernel, 1, out.pointer).unwrap();
        set_group_size(kernel, [25, 1, 1]).unwrap();
        gpu.launch(kernel, [2, 1, 1]).unwrap();
        assert_eq!(out.read(), expected);
    }
}

/// `Inner` of `arguments.spvasm`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Inner {
    flag: u8,
    padding: [u8; 3],
    weights: [f32; 3],
}

/// `Body` of `arguments.spvasm`, with names for what is padding there.
#[repr(C)]
#[derive(Clone, Copy)]
struct Body {
    id: u8,
    padding: [u8; 3],
    inner: [Inner; 2],
    more_padding: [u8; 4],
    mass: f64,
}

const ARGUMENTS: &[u8] = include_bytes!("../modules/arguments.spv");

/// A body whose members say which they are, and whose padding is never zero.
fn body(id: u8) -> Body {
    let start = f32::from(id);
    let inner =
        |flag, start: f32| Inner { flag, padding: [0xff; 3], weights: [start, start + 1.0, start + 2.0] };
    Body {
        id,
        padding: [0xff; 3],
        inner: [inner(50, start + 10.0), inner(60, start + 20.0)],
        more_padding: [0xff; 4],
        mass: f64::from(id) * 1000.0,
    }
}

#[test]
fn members_are_where_c_puts_them_in_arguments_and_in_memory() {
    let gpu = Gpu::new();
    let all: Vec<Body> = (0..40).map(body).collect();
    let (one, bodies, out) = (body(7), gpu.buffer(&all), gpu.buffer(&[0.0_f64; 40]));
    let kernel = gpu.kernel(ARGUMENTS, "arguments");
    set(kernel, 0, one).unwrap();
    set(kernel, 1, bodies.pointer).unwrap();
    set(kernel, 2, out.pointer).unwrap();
    set_group_size(kernel, [20, 1, 1]).unwrap();
    gpu.launch(kernel, [2, 1, 1]).unwrap();
    let expected = all.iter().enumerate().map(|(i, body)| {
        let (weight, flag) = (one.inner[1].weights[i % 3], one.inner[i % 2].flag);
        f64::from(one.id + flag) + f64::from(weight) + f64::from(body.inner[1].weights[2]) + body.mass
    });
    assert_eq!(out.read(), expected.collect::<Vec<_>>());
}

#[test]
fn an_argument_has_the_size_of_its_struct() {
    let kernel = Gpu::new().kernel(ARGUMENTS, "arguments");
    let wrong = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    assert_eq!(size_of::<Body>(), 48);
    assert_eq!(set(kernel, 0, [0_u8; 47]), wrong);
    assert_eq!(set(kernel, 0, [0_u8; 49]), wrong);
    assert_eq!(set(kernel, 0, 0_u64), wrong);
    assert_eq!(set(kernel, 0, [0_u8; 48]), Ok(()));
}

#[test]
fn a_private_pointer_is_an_argument_only_by_value() {
    let mut module = ARGUMENTS.to_vec();
    // FuncParamAttr ByVal becomes FuncParamAttr NoCapture.
    let by_value: Vec<u8> = [38_u32, 2].into_iter().flat_map(u32::to_ne_bytes).collect();
    let at = module.windows(8).position(|words| words == by_value).expect("the argument is decorated");
    module[at + 4..at + 8].copy_from_slice(&5_u32.to_ne_bytes());
    let error = Gpu::new().module(&module).unwrap_err();
    assert!(error.contains("a private pointer that is no argument by value"), "{error}");
}
