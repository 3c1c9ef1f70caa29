//! What modules say that changes nothing of what they compute.

use crate::assemble::{Assembly, run};
use crate::driver::{Gpu, create_kernel, set, set_group_size};
use level_zero_sys::ze_module_handle_t;
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, ExecutionMode, FunctionControl, LinkageType, LoopControl};

const ALIASING: &[u8] = include_bytes!("../modules/aliasing.spv");

fn expect_increment(gpu: &Gpu, module: ze_module_handle_t) {
    let (from, to) = (gpu.buffer(&[5_u32, 6, 7, u32::MAX]), gpu.buffer(&[0_u32; 4]));
    let kernel = create_kernel(module, "increment").unwrap();
    set(kernel, 0, from.pointer).unwrap();
    set(kernel, 1, to.pointer).unwrap();
    set_group_size(kernel, [4, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    assert_eq!(to.read(), [6, 7, 8, 0]);
}

#[test]
fn accesses_may_be_said_not_to_overlap() {
    let gpu = Gpu::new();
    expect_increment(&gpu, gpu.module(ALIASING).unwrap());
}

#[test]
fn what_is_said_of_accesses_is_linked_with_them() {
    let gpu = Gpu::new();
    let library: &[u8] = include_bytes!("../modules/link_library.spv");
    let main: &[u8] = include_bytes!("../modules/link_main.spv");
    let program = gpu.program(&[(main, None), (ALIASING, None), (library, None)]).unwrap();
    expect_increment(&gpu, program);
}

#[test]
fn sums_may_be_said_to_be_reassociable() {
    let gpu = Gpu::new();
    let (from, to) = (gpu.buffer(&[0.5_f32, 2.0, 1e-10, f32::INFINITY]), gpu.buffer(&[0.0_f32; 4]));
    let kernel = gpu.kernel(include_bytes!("../modules/fast_math.spv"), "reassociable");
    set(kernel, 0, from.pointer).unwrap();
    set(kernel, 1, to.pointer).unwrap();
    set_group_size(kernel, [4, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    // The driver adds in the order of the module all the same.
    assert_eq!(to.read(), [0.5, 2.0, 0.0, f32::INFINITY]);
}

/// A kernel with everything that is said to compilers of its body, of a function that it calls, and of itself.
#[test]
fn what_is_said_to_compilers_changes_nothing() {
    let capabilities = [
        Capability::ExpectAssumeKHR,
        Capability::OptNoneEXT,
        Capability::UnstructuredLoopControlsINTEL,
        Capability::KernelAttributesINTEL,
        Capability::FPGAKernelAttributesINTEL,
        Capability::FPGAKernelAttributesv2INTEL,
        Capability::RegisterLimitsINTEL,
        Capability::FPMaxErrorINTEL,
        Capability::ArithmeticFenceEXT,
        Capability::FMAKHR,
        Capability::SubgroupBufferPrefetchINTEL,
        Capability::FloatControls2,
        Capability::FloatingPointModeINTEL,
        Capability::UniformDecoration,
    ];
    let extensions = [
        "SPV_KHR_expect_assume",
        "SPV_EXT_optnone",
        "SPV_INTEL_optnone",
        "SPV_INTEL_unstructured_loop_controls",
        "SPV_INTEL_kernel_attributes",
        "SPV_INTEL_maximum_registers",
        "SPV_INTEL_fp_max_error",
        "SPV_EXT_arithmetic_fence",
        "SPV_KHR_fma",
        "SPV_INTEL_subgroup_buffer_prefetch",
        "SPV_KHR_float_controls2",
        "SPV_INTEL_float_controls2",
        "SPV_KHR_linkonce_odr",
        "SPV_KHR_maximal_reconvergence",
        "SPV_KHR_subgroup_uniform_control_flow",
    ];
    let mut assembly = Assembly::new(&capabilities, &extensions);
    let (u32, f32, bool) = (assembly.u32, assembly.f32, assembly.bool);
    // Three times a float and two, in a function that every module may define.
    let (two, three) = (
        assembly.builder.constant_bit32(f32, 2.0_f32.to_bits()),
        assembly.builder.constant_bit32(f32, 3.0_f32.to_bits()),
    );
    let signature = assembly.builder.type_function(f32, [f32]);
    let control = FunctionControl::OPT_NONE_EXT | FunctionControl::DONT_INLINE;
    let function = assembly.builder.begin_function(f32, None, control, signature).unwrap();
    let x = assembly.builder.function_parameter(f32).unwrap();
    assembly.builder.begin_block(None).unwrap();
    let sum = assembly.builder.fma_khr(f32, None, x, three, two).unwrap();
    let bits = Operand::LiteralBit32(2.5_f32.to_bits());
    assembly.builder.decorate(sum, Decoration::FPMaxErrorDecorationINTEL, [bits]);
    let fenced = assembly.builder.arithmetic_fence_ext(f32, None, sum).unwrap();
    assembly.builder.ret_value(fenced).unwrap();
    assembly.builder.end_function().unwrap();
    let linkage = [Operand::LiteralString("triple".into()), Operand::LinkageType(LinkageType::LinkOnceODR)];
    assembly.builder.decorate(function, Decoration::LinkageAttributes, linkage);
    assembly.begin();
    for (mode, operands) in [
        (ExecutionMode::MaxWorkgroupSizeINTEL, &[8, 1, 1][..]),
        (ExecutionMode::MaxWorkDimINTEL, &[1]),
        (ExecutionMode::NumSIMDWorkitemsINTEL, &[4]),
        (ExecutionMode::NoGlobalOffsetINTEL, &[]),
        (ExecutionMode::SchedulerTargetFmaxMhzINTEL, &[300]),
        (ExecutionMode::MaximumRegistersINTEL, &[128]),
        (ExecutionMode::FloatingPointModeIEEEINTEL, &[32]),
        (ExecutionMode::MaximallyReconvergesKHR, &[]),
        (ExecutionMode::SubgroupUniformControlFlowKHR, &[]),
    ] {
        assembly.mode(mode, operands);
    }
    let (word, from) = (assembly.word(1, 0), assembly.from);
    let (one, four) = (assembly.constant(1), assembly.constant(4));
    assembly.builder.decorate(word, Decoration::Uniform, []);
    assembly.builder.decorate_id(word, Decoration::UniformId, [Operand::IdScope(one)]);
    let b = &mut assembly.builder;
    b.subgroup_block_prefetch_intel(from, four, None, []).unwrap();
    let is_small = b.u_less_than(bool, None, word, four).unwrap();
    b.assume_true_khr(is_small).unwrap();
    let expected = b.expect_khr(u32, None, word, one).unwrap();
    let (entry, head, body, end) = (b.id(), b.id(), b.id(), b.id());
    b.branch(entry).unwrap();
    b.begin_block(Some(entry)).unwrap();
    let start = b.convert_u_to_f(f32, None, expected).unwrap();
    let zero = b.constant_bit32(u32, 0);
    b.branch(head).unwrap();
    b.begin_block(Some(head)).unwrap();
    let (next, after) = (b.id(), b.id());
    let count = b.phi(u32, None, [(zero, entry), (next, body)]).unwrap();
    let value = b.phi(f32, None, [(start, entry), (after, body)]).unwrap();
    b.loop_control_intel([LoopControl::DONT_UNROLL.bits()]).unwrap();
    let goes_on = b.u_less_than(bool, None, count, four).unwrap();
    b.branch_conditional(goes_on, body, end, []).unwrap();
    b.begin_block(Some(body)).unwrap();
    b.function_call(f32, Some(after), function, [value]).unwrap();
    b.i_add(u32, Some(next), count, one).unwrap();
    b.branch(head).unwrap();
    b.begin_block(Some(end)).unwrap();
    let bits = b.bitcast(u32, None, value).unwrap();
    assembly.store(1, 0, bits);
    let expected = [0_u32, 1, 2, 3].map(|word| {
        let four_times = (0..4).fold(word as f32, |value, _| value * 3.0 + 2.0);
        four_times.to_bits()
    });
    assert_eq!(run(&assembly.end(), &[0, 1, 2, 3], 4, 4, 1), expected);
}
