//! What modules may say that they need: capabilities and extensions.

use super::error::{LoadError, Problem};
use super::words::Instruction;
use spirv::{Capability, Op};

/// The capabilities that the driver has.
pub(crate) const CAPABILITIES: &[Capability] = &[
    Capability::Addresses,
    Capability::Linkage,
    Capability::Kernel,
    Capability::Vector16,
    Capability::Float16Buffer,
    Capability::Float16,
    Capability::Float64,
    Capability::Int64,
    Capability::Int64Atomics,
    Capability::Int16,
    Capability::Int8,
    Capability::GenericPointer,
    // Translators declare them for OpBitReverse, and for nothing else. Entry points have to be kernels, and what is for shaders alone is refused
    // where it is used.
    Capability::Matrix,
    Capability::Shader,
    // How floats are computed with.
    Capability::DenormPreserve,
    Capability::DenormFlushToZero,
    Capability::SignedZeroInfNanPreserve,
    Capability::RoundingModeRTE,
    Capability::FloatingPointModeINTEL,
    // What may be contracted and reassociated, which is allowed, and not done.
    Capability::FPFastMathModeINTEL,
    Capability::FloatControls2,
    Capability::FMAKHR,
    Capability::ArithmeticFenceEXT,
    Capability::BFloat16ConversionINTEL,
    Capability::BFloat16TypeKHR,
    Capability::BFloat16DotProductKHR,
    // Integers.
    Capability::BitInstructions,
    Capability::DotProduct,
    Capability::DotProductInputAll,
    Capability::DotProductInput4x8Bit,
    Capability::DotProductInput4x8BitPacked,
    // Atomics.
    Capability::AtomicFloat16AddEXT,
    Capability::AtomicFloat32AddEXT,
    Capability::AtomicFloat64AddEXT,
    Capability::AtomicFloat16MinMaxEXT,
    Capability::AtomicFloat32MinMaxEXT,
    Capability::AtomicFloat64MinMaxEXT,
    // What work-items do together.
    Capability::Groups,
    Capability::GroupUniformArithmeticKHR,
    Capability::GroupNonUniform,
    Capability::GroupNonUniformVote,
    Capability::GroupNonUniformArithmetic,
    Capability::GroupNonUniformBallot,
    Capability::GroupNonUniformShuffle,
    Capability::GroupNonUniformShuffleRelative,
    Capability::GroupNonUniformClustered,
    Capability::GroupNonUniformQuad,
    Capability::GroupNonUniformRotateKHR,
    Capability::SubgroupVoteKHR,
    Capability::SubgroupBallotKHR,
    Capability::SubgroupDispatch,
    Capability::SubgroupShuffleINTEL,
    Capability::SubgroupBufferBlockIOINTEL,
    Capability::SubgroupImageBlockIOINTEL,
    Capability::SplitBarrierINTEL,
    Capability::CooperativeMatrixKHR,
    Capability::BFloat16CooperativeMatrixKHR,
    Capability::TensorFloat32RoundingINTEL,
    // Images.
    Capability::ImageBasic,
    Capability::ImageReadWrite,
    Capability::ImageQuery,
    Capability::ImageBuffer,
    Capability::Image1D,
    Capability::LiteralSampler,
    Capability::Sampled1D,
    Capability::SampledBuffer,
    Capability::ShaderClockKHR,
    // Functions and their memory, and what is too long for one instruction.
    Capability::LongCompositesINTEL,
    Capability::MaskedGatherScatterINTEL,
    Capability::FunctionPointersINTEL,
    Capability::IndirectReferencesINTEL,
    Capability::VariableLengthArrayINTEL,
    // What is said to compilers, and needs nothing of the driver.
    Capability::CacheControlsINTEL,
    Capability::MemoryAccessAliasingINTEL,
    Capability::UniformDecoration,
    Capability::ExpectAssumeKHR,
    Capability::OptNoneEXT,
    Capability::UnstructuredLoopControlsINTEL,
    Capability::KernelAttributesINTEL,
    Capability::FPGAKernelAttributesINTEL,
    Capability::FPGAKernelAttributesv2INTEL,
    Capability::RegisterLimitsINTEL,
    Capability::FPMaxErrorINTEL,
    Capability::SubgroupBufferPrefetchINTEL,
    Capability::GlobalVariableHostAccessINTEL,
];

/// Those of SPV_INTEL_joint_matrix, which is a preview: the grammar does not have them yet.
pub(crate) const PREVIEW_CAPABILITIES: &[(u32, &str)] = &[
    (6192, "CooperativeMatrixCheckedInstructionsINTEL"),
    (6411, "CooperativeMatrixPrefetchINTEL"),
    (6434, "PackedCooperativeMatrixINTEL"),
    (6435, "CooperativeMatrixInvocationInstructionsINTEL"),
    (6436, "CooperativeMatrixTF32ComponentTypeINTEL"),
    (6437, "CooperativeMatrixBFloat16ComponentTypeINTEL"),
];

/// The extensions that the driver knows.
pub(crate) const EXTENSIONS: &[&str] = &[
    "SPV_EXT_arithmetic_fence",
    "SPV_EXT_optnone",
    "SPV_EXT_relaxed_printf_string_address_space",
    "SPV_EXT_shader_atomic_float16_add",
    "SPV_EXT_shader_atomic_float_add",
    "SPV_EXT_shader_atomic_float_min_max",
    "SPV_INTEL_arithmetic_fence",
    "SPV_INTEL_bfloat16_conversion",
    "SPV_INTEL_cache_controls",
    "SPV_INTEL_float_controls2",
    "SPV_INTEL_fp_fast_math_mode",
    "SPV_INTEL_fp_max_error",
    "SPV_INTEL_function_pointers",
    "SPV_INTEL_global_variable_host_access",
    "SPV_INTEL_joint_matrix",
    "SPV_INTEL_kernel_attributes",
    "SPV_INTEL_long_composites",
    "SPV_INTEL_masked_gather_scatter",
    "SPV_INTEL_maximum_registers",
    "SPV_INTEL_memory_access_aliasing",
    "SPV_INTEL_optnone",
    "SPV_INTEL_split_barrier",
    "SPV_INTEL_subgroup_buffer_prefetch",
    "SPV_INTEL_subgroups",
    "SPV_INTEL_tensor_float32_conversion",
    "SPV_INTEL_tensor_float32_rounding",
    "SPV_INTEL_unstructured_loop_controls",
    "SPV_INTEL_variable_length_array",
    "SPV_KHR_bfloat16",
    "SPV_KHR_bit_instructions",
    "SPV_KHR_cooperative_matrix",
    "SPV_KHR_expect_assume",
    "SPV_KHR_float_controls",
    "SPV_KHR_float_controls2",
    "SPV_KHR_fma",
    "SPV_KHR_integer_dot_product",
    "SPV_KHR_linkonce_odr",
    "SPV_KHR_maximal_reconvergence",
    "SPV_KHR_no_integer_wrap_decoration",
    "SPV_KHR_non_semantic_info",
    "SPV_KHR_shader_ballot",
    "SPV_KHR_shader_clock",
    "SPV_KHR_subgroup_rotate",
    "SPV_KHR_subgroup_uniform_control_flow",
    "SPV_KHR_subgroup_vote",
    "SPV_KHR_uniform_group_instructions",
];

/// Checks an OpCapability.
/// Whether the driver has a capability, by its name.
pub(crate) fn is_known(name: &str) -> bool {
    let preview = PREVIEW_CAPABILITIES.iter().any(|&(_, known)| known == name);
    preview || CAPABILITIES.iter().any(|known| format!("{known:?}") == name)
}

/// The names of the capabilities that a module declares, which has been checked.
pub(crate) fn declared(words: &[u32]) -> Vec<String> {
    let mut names = Vec::new();
    // They are the first instructions behind the header; each says how many words it has.
    let mut rest = words.get(5..).unwrap_or_default();
    while let &[first, number, ..] = rest {
        if first & 0xffff != Op::Capability as u32 {
            break;
        }
        let preview = PREVIEW_CAPABILITIES.iter().find(|(known, _)| *known == number);
        names.extend(match preview {
            Some((_, name)) => Some((*name).to_owned()),
            None => Capability::from_u32(number).map(|capability| format!("{capability:?}")),
        });
        rest = rest.get((first >> 16) as usize..).unwrap_or_default();
    }
    names
}

pub(super) fn check_capability(inst: &Instruction<'_>) -> Result<(), LoadError> {
    let number = inst.operand(0)?;
    if PREVIEW_CAPABILITIES.iter().any(|(preview, _)| *preview == number) {
        return Ok(());
    }
    let capability = Capability::from_u32(number)
        .ok_or_else(|| inst.error(Problem::UnknownEnumerant { what: "capability", value: number }))?;
    match CAPABILITIES.contains(&capability) {
        true => Ok(()),
        false => Err(inst.error(Problem::UnsupportedCapability(format!("{capability:?}")))),
    }
}

/// Checks an OpExtension.
pub(super) fn check_extension(inst: &Instruction<'_>) -> Result<(), LoadError> {
    let (name, _) = inst.string(0)?;
    match EXTENSIONS.contains(&name.as_str()) {
        true => Ok(()),
        false => Err(inst.error(Problem::UnsupportedExtension(name))),
    }
}
