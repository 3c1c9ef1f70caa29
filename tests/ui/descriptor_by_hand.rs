use kernel_runtime::prelude::*;
use kernel_runtime::{AlignedBytes, KernelDescriptor, Spirv};

#[kernel(T = [u32])]
fn fill<T: Integer>(y: &mut [T]) {
    y[global_id(0)] = T::ONE;
}

static MODULE: AlignedBytes<4> = AlignedBytes([0; 4]);

pub static OTHER: KernelDescriptor = KernelDescriptor { spirv: Spirv::new(&MODULE), ..FILL_U32 };

impl __instance_fill for i32 {
    const DESCRIPTOR: &'static KernelDescriptor = &FILL_U32;
}

fn main() {}
