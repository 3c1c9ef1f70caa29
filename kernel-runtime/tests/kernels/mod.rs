//! Kernels for the tests of this crate, which do not use the compiler: modules from the `.spvasm` files beside this one,
//! and descriptors written by hand.
//!
//! After a change, assemble with `spirv-as --target-env spv1.0 NAME.spvasm -o NAME.spv`.

#![allow(dead_code, reason = "each test binary uses some of the kernels")]

use kernel_runtime::{
    Access, AlignedBytes, Argument, ArgumentKind, Buffer, ElementType, FaultSites, KernelDescriptor, Launch,
    LaunchArgument, Requirements, Scalar, Spirv,
};

/// What all of the modules need.
pub(crate) const PLAIN: Requirements = Requirements {
    spirv_version: (1, 0),
    capabilities: &["Addresses", "Int64", "Kernel"],
    extensions: &[],
    fp64: false,
    fp16: false,
    int64_atomics: false,
    fp16_atomics: kernel_runtime::FloatAtomics::NONE,
    fp32_atomics: kernel_runtime::FloatAtomics::NONE,
    fp64_atomics: kernel_runtime::FloatAtomics::NONE,
    lines: &[],
};

/// A module from its file.
macro_rules! module {
    ($file:literal) => {{
        static MODULE: AlignedBytes<{ include_bytes!($file).len() }> = AlignedBytes(*include_bytes!($file));
        // SAFETY: the assembler has made it.
        unsafe { Spirv::new(&MODULE) }
    }};
}

const fn scalar(name: &'static str, scalar: Scalar) -> Argument {
    Argument { name, kind: ArgumentKind::Value(ElementType::Scalar(scalar)), atomic: false }
}

const fn slice(name: &'static str, element: Scalar, access: Access) -> Argument {
    Argument {
        name,
        kind: ArgumentKind::Slice { element: ElementType::Scalar(element), access },
        atomic: false,
    }
}

pub(crate) static SAXPY: KernelDescriptor = KernelDescriptor {
    name: "saxpy",
    spirv: module!("saxpy.spv"),
    specializations: &[],
    imports: &[],
    arguments: &[
        scalar("a", Scalar::F32),
        slice("x", Scalar::F32, Access::Read),
        slice("y", Scalar::F32, Access::ReadWrite),
    ],
    rank: 1,
    group_size: None,
    subgroup_size: None,
    depends_on_groups: false,
    local_memory: 0,
    correctly_rounded: true,
    indirect: false,
    unchecked: false,
    races: &[],
    assumes_distinct: &[],
    requirements: PLAIN,
    conditions: &[],
    presumptions: &[],
    access_places: kernel_core::AccessPlaces::NONE,
    fault_sites: FaultSites::NONE,
    print_sites: &[],
    hoisted: None,
    small: None,
    ir: None,
};

/// `y[i] = a * x[i] + y[i]` for each work-item `i`, without checks.
pub(crate) fn saxpy(a: f32, x: &Buffer<f32>, y: &mut Buffer<f32>) -> Launch<3> {
    saxpy_as(&SAXPY, a, x, y)
}

/// The same with another descriptor.
pub(crate) fn saxpy_as(
    descriptor: &'static KernelDescriptor,
    a: f32,
    x: &Buffer<f32>,
    y: &mut Buffer<f32>,
) -> Launch<3> {
    let arguments = [LaunchArgument::by_value(a), LaunchArgument::slice(x), LaunchArgument::slice_mut(y)];
    // SAFETY: those descriptors of this module, and what tests make of them, state what the modules do, or the device refuses them.
    unsafe { Launch::new(descriptor, arguments) }
}

pub(crate) static SCATTER: KernelDescriptor = KernelDescriptor {
    name: "scatter",
    spirv: module!("scatter.spv"),
    specializations: &[],
    arguments: &[slice("index", Scalar::U64, Access::Read), slice("y", Scalar::U32, Access::ReadWrite)],
    access_places: kernel_core::AccessPlaces::NONE,
    fault_sites: FaultSites::new("0 12 5 18 0 0;kernels/scatter.rs", &[]),
    print_sites: &[],
    ..SAXPY
};

/// The same kernel under another name and place, for tests with several.
pub(crate) static OTHER_SCATTER: KernelDescriptor = KernelDescriptor {
    access_places: kernel_core::AccessPlaces::NONE,
    fault_sites: FaultSites::new("0 34 9 16 0 0;kernels/other.rs", &[]),
    print_sites: &[],
    ..SCATTER
};

/// `y[index[i]] = i + 1` for each work-item `i`, with the access to `y` checked.
pub(crate) fn scatter(index: &Buffer<u64>, y: &mut Buffer<u32>) -> Launch<2> {
    // SAFETY: the descriptor states what the module does.
    unsafe { Launch::new(&SCATTER, [LaunchArgument::slice(index), LaunchArgument::slice_mut(y)]) }
}

/// The same with the other descriptor.
pub(crate) fn other_scatter(index: &Buffer<u64>, y: &mut Buffer<u32>) -> Launch<2> {
    // SAFETY: the same.
    unsafe { Launch::new(&OTHER_SCATTER, [LaunchArgument::slice(index), LaunchArgument::slice_mut(y)]) }
}
