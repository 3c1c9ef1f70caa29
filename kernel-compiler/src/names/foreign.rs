//! Names of other languages for kernels, with what to write instead.
//!
//! They are looked at where a name leads nowhere, so that an item of the user's own may have any of them.

/// A name of another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Whose it is.
    language: &'static str,
    /// What to write instead.
    advice: String,
    /// Whether nobody would give that name to an item in Rust, or could write it as one.
    is_certain: bool,
}

impl Foreign {
    /// The error for the name.
    pub fn message(&self, name: &str) -> String {
        format!("device code has no `{name}`, which is of {}", self.language)
    }

    /// What to write instead, where the name is not that of an item.
    pub fn advice(&self) -> &str {
        &self.advice
    }

    /// How to put it right.
    pub fn help(&self, name: &str) -> String {
        let Self { advice, is_certain, .. } = self;
        if *is_certain {
            advice.clone()
        } else {
            format!("{advice}; if `{name}` is an item of your own, write `#[device]` on its definition")
        }
    }
}

/// What a name means in another language.
pub fn foreign(name: &str) -> Option<Foreign> {
    let listed = TABLES.iter().find_map(|&(language, rows, is_certain)| {
        let (_, advice) = rows.iter().find(|(names, _)| names.contains(&name))?;
        Some(Foreign { language, advice: (*advice).to_owned(), is_certain })
    });
    listed.or_else(|| vector(name)).or_else(|| by_prefix(name)).or_else(|| single_precision(name))
}

/// The names of other languages that are listed, one of each that are written in the same way, and what to write instead.
pub fn listed() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLES.iter().flat_map(|(_, rows, _)| rows.iter()).map(|(names, advice)| (names[0], *advice))
}

/// What a name means in another language, if nothing in Rust would have it.
pub(crate) fn certain(name: &str) -> Option<Foreign> {
    foreign(name).filter(|foreign| foreign.is_certain)
}

/// What the name of a value means in another language. Variables may have most names.
pub(crate) fn foreign_value(name: &str) -> Option<Foreign> {
    foreign(name).filter(|foreign| foreign.is_certain || VALUES.contains(&name))
}

const VALUES: &[&str] = &[
    "nd_item",
    "thread_idx",
    "block_idx",
    "block_dim",
    "grid_dim",
    "global_invocation_id",
    "local_invocation_id",
    "local_invocation_index",
    "workgroup_id",
    "num_workgroups",
    "workgroup_size",
    "subgroup_invocation_id",
    "gl_GlobalInvocationID",
    "gl_LocalInvocationID",
    "gl_WorkGroupID",
    "gl_NumWorkGroups",
    "gl_WorkGroupSize",
];

const OPENCL: &str = "OpenCL C";
const CUDA: &str = "CUDA";
const HIP: &str = "HIP";
const SYCL: &str = "SYCL";
const CUBECL: &str = "CubeCL";
const WGSL: &str = "WGSL";
const HOST: &str = "the host's standard library";

type Rows = &'static [(&'static [&'static str], &'static str)];

/// Whose names there are, the names, and whether nobody would give them to an item in Rust.
const TABLES: &[(&str, Rows, bool)] = &[
    (OPENCL, CERTAIN_OPENCL, true),
    (OPENCL, PLAIN_OPENCL, false),
    (CUDA, CERTAIN_CUDA, true),
    (CUDA, PLAIN_CUDA, false),
    (HIP, CERTAIN_HIP, true),
    (SYCL, PLAIN_SYCL, false),
    (CUBECL, CERTAIN_CUBECL, true),
    (CUBECL, PLAIN_CUBECL, false),
    (WGSL, CERTAIN_WGSL, true),
    (WGSL, PLAIN_WGSL, false),
    (HOST, PLAIN_HOST, false),
];

/// Those that take a constant dimension, which no function of the user's can pass on, and those in another spelling.
const CERTAIN_OPENCL: Rows = &[
    (&["get_global_id"], "write `global_id(0)`"),
    (&["get_local_id"], "write `local_id(0)`"),
    (&["get_group_id"], "write `group_id(0)`"),
    (&["get_global_size"], "write `global_size(0)`"),
    (&["get_local_size", "get_enqueued_local_size"], "write `local_size(0)`"),
    (&["get_num_groups"], "write `num_groups(0)`"),
    (&["get_global_offset"], "a launch has no offset: pass it as an argument, and add it to `global_id(0)`"),
    (
        &["CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", "CLK_IMAGE_MEM_FENCE"],
        "write `barrier()`, which orders local and global memory; `work_group::barrier_in` takes a scope and a kind of memory",
    ),
    (&["INFINITY_F", "MAXFLOAT", "HUGE_VALF"], "write `f32::INFINITY` or `f32::MAX`"),
    (&["M_PI_F", "M_PI"], "write `core::f32::consts::PI`"),
    (&["M_E_F", "M_E"], "write `core::f32::consts::E`"),
    (&["FLT_MAX"], "write `f32::MAX`"),
    (&["FLT_MIN"], "write `f32::MIN_POSITIVE`"),
    (&["FLT_EPSILON"], "write `f32::EPSILON`"),
    (&["INT_MAX"], "write `i32::MAX`"),
    (&["INT_MIN"], "write `i32::MIN`"),
    (&["UINT_MAX"], "write `u32::MAX`"),
];

const PLAIN_OPENCL: Rows = &[
    (&["get_work_dim"], "a kernel's dimensions are those whose ids it uses"),
    (
        &["get_global_linear_id"],
        "compute it, as in `global_id(1) * global_size(0) + global_id(0)`, or use a launch of one dimension",
    ),
    (&["get_local_linear_id"], "write `work_group::local_linear_id()`"),
    (&["get_sub_group_local_id"], "write `subgroup::local_id()`"),
    (&["get_sub_group_id"], "write `subgroup::id()`"),
    (&["get_sub_group_size"], "write `subgroup::size()`"),
    (&["get_max_sub_group_size"], "write `subgroup::max_size()`"),
    (&["get_num_sub_groups", "get_enqueued_num_sub_groups"], "write `subgroup::count()`"),
    (&["work_group_barrier"], "write `barrier()`"),
    (&["sub_group_barrier"], "write `subgroup::barrier()`"),
    (
        &["mem_fence", "read_mem_fence", "write_mem_fence", "atomic_work_item_fence"],
        "write `atomic::fence(Ordering::AcqRel)`, with `use kernel_runtime::atomic;`",
    ),
    (&["sub_group_shuffle", "intel_sub_group_shuffle"], "write `subgroup::shuffle(x, id)`"),
    (&["sub_group_shuffle_xor", "intel_sub_group_shuffle_xor"], "write `subgroup::shuffle_xor(x, mask)`"),
    (&["sub_group_shuffle_up", "intel_sub_group_shuffle_up"], "write `subgroup::shuffle_up(x, distance)`"),
    (
        &["sub_group_shuffle_down", "intel_sub_group_shuffle_down"],
        "write `subgroup::shuffle_down(x, distance)`",
    ),
    (&["sub_group_ballot"], "write `subgroup::ballot(condition)`"),
    (&["fma"], "write `a.mul_add(b, c)`"),
    (&["mad"], "write `math::mad(a, b, c)`, or `a.mul_add(b, c)`"),
    (&["clamp"], "write `x.clamp(low, high)`"),
    (&["mix"], "write `math::mix(x, y, a)`"),
    (&["step"], "write `math::step(edge, x)`"),
    (&["smoothstep"], "write `math::smoothstep(low, high, x)`"),
    (&["sign"], "write `math::sign(x)`"),
    (&["rsqrt"], "write `math::rsqrt(x)`"),
    (&["exp10"], "write `math::exp10(x)`"),
    (&["sincos"], "write `x.sin_cos()`"),
    (&["select"], "write `if condition { b } else { a }`"),
    (&["bitselect"], "write `math::bitselect(a, b, mask)`"),
    (&["mul24"], "write `math::mul24(a, b)`"),
    (&["mad24"], "write `math::mad24(a, b, c)`"),
    (&["mul_hi"], "write `math::mul_hi(a, b)`"),
    (&["mad_hi"], "write `math::mul_hi(a, b).wrapping_add(c)`"),
    (&["hadd"], "write `math::hadd(a, b)`"),
    (&["rhadd"], "write `math::rhadd(a, b)`"),
    (&["add_sat"], "write `a.saturating_add(b)`"),
    (&["sub_sat"], "write `a.saturating_sub(b)`"),
    (&["abs_diff"], "write `a.abs_diff(b)`"),
    (&["popcount"], "write `x.count_ones()`"),
    (&["clz"], "write `x.leading_zeros()`"),
    (&["ctz"], "write `x.trailing_zeros()`"),
    (&["rotate"], "write `x.rotate_left(n)`"),
    (
        &["fdim", "ldexp", "frexp", "ilogb", "logb", "erf", "erfc", "rootn", "powr", "remainder"],
        "it is a function of `math`",
    ),
    (&["pown"], "write `x.powi(n)`"),
    (&["pow"], "write `x.powf(y)`"),
    (&["fmod"], "write `x % y`"),
    (&["fabs", "abs"], "write `x.abs()`"),
    (&["fmin"], "write `a.min(b)`"),
    (&["fmax"], "write `a.max(b)`"),
    (
        &[
            "sqrt", "cbrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp",
            "exp2", "floor", "ceil", "trunc", "round",
        ],
        "it is a method, as in `x.sqrt()`",
    ),
    (&["log"], "write `x.ln()`"),
    (&["log2"], "write `x.log2()`"),
    (&["log10"], "write `x.log10()`"),
    (&["atan2"], "write `y.atan2(x)`"),
    (&["hypot"], "write `x.hypot(y)`"),
    (&["rint"], "write `x.round_ties_even()`"),
    (&["isnan"], "write `x.is_nan()`"),
    (&["isinf"], "write `x.is_infinite()`"),
    (&["isfinite"], "write `x.is_finite()`"),
    (&["signbit"], "write `x.is_sign_negative()`"),
    (&["dot", "cross", "normalize", "length"], "it is a method of vectors, as in `a.dot(b)` for two `f32x4`"),
    (&["distance"], "write `(a - b).length()`"),
    (&["printf"], "write `println!(\"{x}\")`"),
    (&["async_work_group_copy"], "write `work_group::copy(to, from)`"),
    (
        &["async_work_group_strided_copy"],
        "write `work_group::gather(to, from, stride)` or `work_group::scatter(to, from, stride)`",
    ),
    (&["wait_group_events"], "`work_group::copy(to, from)` has waited when it returns"),
    (
        &["prefetch"],
        "a load brings a line into the cache by itself: `load_cache(..)` of `#[kernel]` says how it is kept",
    ),
];

const CERTAIN_CUDA: Rows = &[
    (
        &["threadIdx"],
        "write `local_id(0)` for `threadIdx.x`, `local_id(1)` for `.y`; the index in the whole launch is `global_id(0)`",
    ),
    (
        &["blockIdx"],
        "write `group_id(0)` for `blockIdx.x`, `group_id(1)` for `.y`; the index in the whole launch is `global_id(0)`",
    ),
    (&["blockDim"], "write `local_size(0)` for `blockDim.x`, `local_size(1)` for `.y`"),
    (&["gridDim"], "write `num_groups(0)` for `gridDim.x`, `num_groups(1)` for `.y`"),
    (&["warpSize"], "write `subgroup::size()`"),
    (&["__syncthreads"], "write `barrier()`"),
    (&["__syncwarp"], "write `subgroup::barrier()`"),
    (&["__syncthreads_and"], "write `work_group::all(condition)`"),
    (&["__syncthreads_count"], "write `work_group::reduce_add(u32::from(condition))`"),
    (&["__syncthreads_or"], "write `work_group::any(condition)`"),
    (&["__shfl", "__shfl_sync"], "write `subgroup::shuffle(x, id)`"),
    (&["__shfl_xor", "__shfl_xor_sync"], "write `subgroup::shuffle_xor(x, mask)`"),
    (&["__shfl_up", "__shfl_up_sync"], "write `subgroup::shuffle_up(x, distance)`"),
    (&["__shfl_down", "__shfl_down_sync"], "write `subgroup::shuffle_down(x, distance)`"),
    (&["__ballot", "__ballot_sync", "__activemask"], "write `subgroup::ballot(condition)`"),
    (&["__all", "__all_sync"], "write `subgroup::all(condition)`"),
    (&["__any", "__any_sync"], "write `subgroup::any(condition)`"),
    (&["__reduce_add_sync"], "write `subgroup::reduce_add(x)`"),
    (&["__reduce_min_sync"], "write `subgroup::reduce_min(x)`"),
    (&["__reduce_max_sync"], "write `subgroup::reduce_max(x)`"),
    (&["__reduce_and_sync"], "write `subgroup::reduce_and(x)`"),
    (&["__reduce_or_sync"], "write `subgroup::reduce_or(x)`"),
    (&["__reduce_xor_sync"], "write `subgroup::reduce_xor(x)`"),
    (
        &["__threadfence", "__threadfence_block", "__threadfence_system"],
        "write `atomic::fence(Ordering::AcqRel)`, with `use kernel_runtime::atomic;`",
    ),
    (&["__launch_bounds__"], "write `#[kernel(group_size = 256)]`, by which every launch is checked"),
    (&["__ldg"], "read the slice, as in `x[i]`: what a kernel takes as `&[T]` is read only"),
    (&["__shared__"], "write `let mut tile = Local::<[f32; 64]>::new();`"),
    (
        &["__global__", "__device__", "__host__"],
        "a kernel is a function with `#[kernel]`, what it calls one with `#[device]`",
    ),
    (
        &["__constant__"],
        "write a `#[device] const` or `static`, or take a parameter of type `&Constant<[T]>`",
    ),
    (&["__popc", "__popcll"], "write `x.count_ones()`"),
    (&["__clz", "__clzll"], "write `x.leading_zeros()`"),
    (&["__ffs", "__ffsll"], "write `if x == 0 { 0 } else { x.trailing_zeros() + 1 }`"),
    (&["__mul24", "__umul24"], "write `math::mul24(a, b)`"),
    (&["__mulhi", "__umulhi", "__mul64hi", "__umul64hi"], "write `math::mul_hi(a, b)`"),
    (&["__sad", "__usad"], "write `a.abs_diff(b) + c`, where `c` is unsigned"),
    (&["__fsqrt_rn", "__dsqrt_rn"], "write `x.sqrt()`"),
    (&["__frcp_rn", "__drcp_rn"], "write `x.recip()`"),
    (&["__fdiv_rn", "__ddiv_rn"], "write `x / y`"),
    (
        &["__fadd_rn", "__dadd_rn"],
        "write `x + y`, which is never contracted unless `#[kernel(fp = ..)]` says so",
    ),
    (
        &["__fsub_rn", "__dsub_rn"],
        "write `x - y`, which is never contracted unless `#[kernel(fp = ..)]` says so",
    ),
    (
        &["__fmul_rn", "__dmul_rn"],
        "write `x * y`, which is never contracted unless `#[kernel(fp = ..)]` says so",
    ),
    (&["__float2int_rz"], "write `x as i32`"),
    (&["__float2uint_rz"], "write `x as u32`"),
    (&["__float2int_rn"], "write `x.round_ties_even() as i32`"),
    (&["__float2int_rd"], "write `x.floor() as i32`"),
    (&["__float2int_ru"], "write `x.ceil() as i32`"),
    (&["__int2float_rn", "__uint2float_rn"], "write `x as f32`"),
    (&["__float2half", "__float2half_rn"], "write `f16::from_f32(x)`"),
    (&["__half2float"], "write `x.to_f32()`"),
    (&["__brev"], "write `x.reverse_bits()`"),
    (&["__fmaf_rn", "__fma_rn"], "write `a.mul_add(b, c)`"),
    (&["__float_as_int", "__float_as_uint"], "write `x.to_bits()`"),
    (&["__int_as_float", "__uint_as_float"], "write `f32::from_bits(x)`"),
    (
        &["__expf", "__logf", "__sinf", "__cosf", "__powf", "__fdividef"],
        "write the method, as in `x.exp()`; `#[kernel(fp = \"fast\")]` allows less precise code",
    ),
    (&["__saturatef"], "write `x.clamp(0.0, 1.0)`"),
    (&["__trap", "__assertfail"], "write `panic!(\"..\")`"),
    (
        &["atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"],
        ATOMIC_UPDATE,
    ),
    (
        &["atomicInc"],
        "take the memory as `&[AtomicU32]`, and write `x[i].fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| Some(if old >= limit { 0 } else { old + 1 }))`; without a limit, `fetch_add(1, ..)` wraps around",
    ),
    (
        &["atomicDec"],
        "take the memory as `&[AtomicU32]`, and write `x[i].fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| Some(if old == 0 || old > limit { limit } else { old - 1 }))`",
    ),
    (&["atomicExch"], "take the memory as `&[AtomicU32]`, and write `x[i].swap(value, Ordering::Relaxed)`"),
    (
        &["atomicCAS"],
        "take the memory as `&[AtomicU32]`, and write `x[i].compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire)`",
    ),
];

const ATOMIC_UPDATE: &str = "take the memory as a slice of atomics, `&[AtomicU32]`, and write `x[i].fetch_add(1, Ordering::Relaxed)` or its kin";

const PLAIN_CUDA: Rows = &[
    (&["rsqrtf"], "write `math::rsqrt(x)`"),
    (&["fminf"], "write `a.min(b)`"),
    (&["fmaxf"], "write `a.max(b)`"),
    (&["fmaf"], "write `a.mul_add(b, c)`"),
    (&["fabsf"], "write `x.abs()`"),
    (&["fmodf"], "write `x % y`"),
    (&["powf"], "write `x.powf(y)`"),
    (&["atan2f"], "write `y.atan2(x)`"),
    (&["hypotf"], "write `x.hypot(y)`"),
    (&["logf"], "write `x.ln()`"),
    (&["sincosf"], "write `x.sin_cos()`"),
    (&["thread_idx", "thread_idx_x"], "write `local_id(0)`"),
    (&["block_idx", "block_idx_x"], "write `group_id(0)`"),
    (&["block_dim", "block_dim_x"], "write `local_size(0)`"),
    (&["grid_dim", "grid_dim_x"], "write `num_groups(0)`"),
    (&["sync_threads", "syncthreads"], "write `barrier()`"),
];

/// Names of HIP, which has those of CUDA too.
const CERTAIN_HIP: Rows = &[
    (&["hipThreadIdx_x", "__builtin_amdgcn_workitem_id_x"], "write `local_id(0)`"),
    (&["hipThreadIdx_y", "__builtin_amdgcn_workitem_id_y"], "write `local_id(1)`"),
    (&["hipThreadIdx_z", "__builtin_amdgcn_workitem_id_z"], "write `local_id(2)`"),
    (&["hipBlockIdx_x", "__builtin_amdgcn_workgroup_id_x"], "write `group_id(0)`"),
    (&["hipBlockIdx_y", "__builtin_amdgcn_workgroup_id_y"], "write `group_id(1)`"),
    (&["hipBlockIdx_z", "__builtin_amdgcn_workgroup_id_z"], "write `group_id(2)`"),
    (&["hipBlockDim_x", "__builtin_amdgcn_workgroup_size_x"], "write `local_size(0)`"),
    (&["hipBlockDim_y", "__builtin_amdgcn_workgroup_size_y"], "write `local_size(1)`"),
    (&["hipBlockDim_z", "__builtin_amdgcn_workgroup_size_z"], "write `local_size(2)`"),
    (&["hipGridDim_x"], "write `num_groups(0)`"),
    (&["hipGridDim_y"], "write `num_groups(1)`"),
    (&["hipGridDim_z"], "write `num_groups(2)`"),
    (&["__lane_id"], "write `subgroup::local_id()`"),
    (&["__builtin_amdgcn_s_barrier"], "write `barrier()`"),
    (&["__builtin_amdgcn_wave_barrier"], "write `subgroup::barrier()`"),
    (&["HIP_DYNAMIC_SHARED"], "take a parameter of type `&mut Local<[f32]>`, and pass `LocalLen(n)` for it"),
    (
        &["unsafeAtomicAdd", "safeAtomicAdd", "atomicAddNoRet"],
        "take the memory as a slice of atomics, `&[AtomicF32]`, and write `x[i].fetch_add(value, Ordering::Relaxed)`",
    ),
];

const PLAIN_SYCL: Rows = &[
    (
        &["nd_item", "sub_group"],
        "ids are functions, as `global_id(0)`, `local_id(0)` and `subgroup::local_id()`",
    ),
    (&["get_local_range"], "write `local_size(0)`"),
    (&["get_global_range", "get_range"], "write `global_size(0)`"),
    (&["get_group_range"], "write `num_groups(0)`"),
    (&["get_group_linear_id"], "write `group_id(0)`"),
    (&["get_id"], "write `global_id(0)`"),
    (&["get_group"], "write `group_id(0)`"),
    (&["get_sub_group"], "write `subgroup::id()`, or the functions of `subgroup`"),
    (&["group_barrier"], "write `barrier()`, or `subgroup::barrier()`"),
    (&["group_broadcast"], "write `subgroup::broadcast(x, id)`, or `work_group::broadcast(x, id)`"),
    (
        &["reduce_over_group", "joint_reduce"],
        "write `work_group::reduce_add(x)` or `subgroup::reduce_add(x)`, or their kin",
    ),
    (&["inclusive_scan_over_group"], "write `work_group::scan_inclusive_add(x)`, or its kin"),
    (&["exclusive_scan_over_group"], "write `work_group::scan_exclusive_add(x)`, or its kin"),
    (&["all_of_group"], "write `work_group::all(condition)`"),
    (&["any_of_group"], "write `work_group::any(condition)`"),
    (&["shift_group_left"], "write `subgroup::shuffle_down(x, distance)`"),
    (&["shift_group_right"], "write `subgroup::shuffle_up(x, distance)`"),
    (&["permute_group_by_xor"], "write `subgroup::shuffle_xor(x, mask)`"),
    (&["select_from_group"], "write `subgroup::shuffle(x, id)`"),
    (&["atomic_ref"], ATOMIC_UPDATE),
    (&["local_accessor"], "write `let mut tile = Local::<[f32; 64]>::new();`"),
];

const CERTAIN_CUBECL: Rows = &[
    (&["ABSOLUTE_POS", "ABSOLUTE_POS_X"], "write `global_id(0)`"),
    (&["ABSOLUTE_POS_Y"], "write `global_id(1)`"),
    (&["ABSOLUTE_POS_Z"], "write `global_id(2)`"),
    (&["UNIT_POS", "UNIT_POS_X"], "write `local_id(0)`"),
    (&["UNIT_POS_Y"], "write `local_id(1)`"),
    (&["UNIT_POS_Z"], "write `local_id(2)`"),
    (&["UNIT_POS_PLANE"], "write `subgroup::local_id()`"),
    (&["CUBE_POS", "CUBE_POS_X"], "write `group_id(0)`"),
    (&["CUBE_POS_Y"], "write `group_id(1)`"),
    (&["CUBE_POS_Z"], "write `group_id(2)`"),
    (&["CUBE_DIM", "CUBE_DIM_X"], "write `local_size(0)`"),
    (&["CUBE_DIM_Y"], "write `local_size(1)`"),
    (&["CUBE_COUNT", "CUBE_COUNT_X"], "write `num_groups(0)`"),
    (&["PLANE_DIM"], "write `subgroup::size()`"),
    (&["PLANE_POS"], "write `subgroup::id()`"),
];

const PLAIN_CUBECL: Rows = &[
    (&["sync_cube", "sync_units"], "write `barrier()`"),
    (&["sync_plane"], "write `subgroup::barrier()`"),
    (&["plane_sum"], "write `subgroup::reduce_add(x)`"),
    (&["plane_prod"], "write `subgroup::reduce_mul(x)`"),
    (&["plane_min"], "write `subgroup::reduce_min(x)`"),
    (&["plane_max"], "write `subgroup::reduce_max(x)`"),
    (&["plane_all"], "write `subgroup::all(condition)`"),
    (&["plane_any"], "write `subgroup::any(condition)`"),
    (&["plane_ballot"], "write `subgroup::ballot(condition)`"),
    (&["plane_broadcast"], "write `subgroup::broadcast(x, id)`"),
    (&["plane_shuffle"], "write `subgroup::shuffle(x, id)`"),
    (&["plane_shuffle_xor"], "write `subgroup::shuffle_xor(x, mask)`"),
    (&["plane_inclusive_sum"], "write `subgroup::scan_inclusive_add(x)`"),
    (&["plane_exclusive_sum"], "write `subgroup::scan_exclusive_add(x)`"),
    (&["SharedMemory"], "write `let mut tile = Local::<[f32; 64]>::new();`"),
    (&["terminate"], "write `return;`"),
];

const CERTAIN_WGSL: Rows = &[
    (&["workgroupBarrier", "storageBarrier"], "write `barrier()`"),
    (&["subgroupBarrier"], "write `subgroup::barrier()`"),
    (&["subgroupAdd"], "write `subgroup::reduce_add(x)`"),
    (&["subgroupMul"], "write `subgroup::reduce_mul(x)`"),
    (&["subgroupMin"], "write `subgroup::reduce_min(x)`"),
    (&["subgroupMax"], "write `subgroup::reduce_max(x)`"),
    (&["subgroupBallot"], "write `subgroup::ballot(condition)`"),
    (&["subgroupBroadcast", "subgroupBroadcastFirst"], "write `subgroup::broadcast(x, id)`"),
    (&["subgroupShuffle"], "write `subgroup::shuffle(x, id)`"),
    (&["subgroupShuffleXor"], "write `subgroup::shuffle_xor(x, mask)`"),
    (&["inverseSqrt"], "write `math::rsqrt(x)`"),
    (&["atomicLoad"], "take the memory as `&[AtomicU32]`, and write `x[i].load(Ordering::Relaxed)`"),
    (&["atomicStore"], "take the memory as `&[AtomicU32]`, and write `x[i].store(value, Ordering::Relaxed)`"),
    (&["arrayLength"], "write `x.len()`"),
    (&["textureLoad"], "write `image.read((x, y))`"),
    (&["textureStore"], "write `image.write((x, y), value)`"),
];

const PLAIN_WGSL: Rows = &[
    (&["global_invocation_id", "gl_GlobalInvocationID"], "write `global_id(0)`"),
    (&["local_invocation_id", "gl_LocalInvocationID"], "write `local_id(0)`"),
    (&["local_invocation_index"], "write `work_group::local_linear_id()`"),
    (&["workgroup_id", "gl_WorkGroupID"], "write `group_id(0)`"),
    (&["num_workgroups", "gl_NumWorkGroups"], "write `num_groups(0)`"),
    (&["workgroup_size", "gl_WorkGroupSize"], "write `local_size(0)`"),
    (&["subgroup_invocation_id"], "write `subgroup::local_id()`"),
    (&["workgroup_memory_barrier_with_group_sync", "control_barrier"], "write `barrier()`"),
    (&["bitcast"], "write `x.to_bits()` or `f32::from_bits(x)`"),
    (&["fract"], "write `x.fract()`"),
];

const PLAIN_HOST: Rows = &[
    (&["Instant", "SystemTime", "Duration"], "a device has no clock: the host measures a launch"),
    (
        &["HashSet", "BTreeSet", "BinaryHeap", "LinkedList", "Cow"],
        "a device has no heap: use an array `[T; N]`, or a slice that the host allocates",
    ),
    (
        &["UnsafeCell", "RwLock", "Condvar", "Once", "OnceLock", "LazyLock"],
        "what work-items share and change are atomics in slices, or `Local` memory",
    ),
    (
        &["spawn", "sleep", "yield_now", "thread", "Thread", "JoinHandle"],
        "the work-items of a launch are its threads: `global_id(0)` tells them apart",
    ),
    (
        &["File", "Path", "PathBuf", "stdin", "stdout"],
        "a device has no files: the host reads and writes them",
    ),
    (&["CString", "CStr", "OsString"], "a device has no text: pass numbers"),
];

/// The vectors of OpenCL C and CUDA.
fn vector(name: &str) -> Option<Foreign> {
    if let Some(made) = name.strip_prefix("make_").and_then(vector) {
        return Some(Foreign {
            language: CUDA,
            advice: format!("{}::new(..)`", made.advice.trim_end_matches('`')),
            is_certain: false,
        });
    }
    let lanes = name.trim_start_matches(|first: char| !first.is_ascii_digit());
    let ty = rust_type(name);
    if ty.is_empty() || !matches!(lanes, "2" | "3" | "4" | "8" | "16") {
        return None;
    }
    Some(Foreign { language: OPENCL, advice: format!("write `{ty}x{lanes}`"), is_certain: false })
}

/// Families of names.
fn by_prefix(name: &str) -> Option<Foreign> {
    let row = |language, advice: String| Some(Foreign { language, advice, is_certain: false });
    let has = |prefix: &str| name.strip_prefix(prefix).filter(|rest| !rest.is_empty());
    if let Some(rest) = has("sub_group_").or_else(|| has("work_group_")) {
        let module = if name.starts_with("sub") { "subgroup" } else { "work_group" };
        let ours = rest.replace("non_uniform_", "");
        let known = crate::infer::is_intrinsic(&format!("{module}_{ours}"));
        let advice = match known {
            true => format!("write `{module}::{ours}(..)`"),
            false => format!("the functions of `{module}` do what a group does together"),
        };
        return row(OPENCL, advice);
    }
    if let Some(ty) = has("convert_") {
        let ty = rust_type(ty.split('_').next().unwrap_or_default());
        return row(
            OPENCL,
            format!("write `x as {ty}`, which saturates, or `v.cast::<{ty}>()` for a vector"),
        );
    }
    if let Some(ty) = has("as_").filter(|ty| !rust_type(ty).is_empty()) {
        let advice = match rust_type(ty) {
            "f32" | "f64" | "f16" => format!("write `{}::from_bits(x)`", rust_type(ty)),
            ty => format!("write `x.to_bits()` for a float, or `x as {ty}`"),
        };
        return row(OPENCL, advice);
    }
    let is_count =
        |rest: &str| rest.chars().next().is_some_and(|first| first.is_ascii_digit() || first == '_');
    if has("vload").is_some_and(is_count) {
        return row(OPENCL, "take the memory as a slice of vectors, `&[f32x4]`, and read `x[i]`".into());
    }
    if has("vstore").is_some_and(is_count) {
        return row(
            OPENCL,
            "take the memory as a slice of vectors, `&mut [f32x4]`, and write `y[i] = v`".into(),
        );
    }
    if let Some(rest) = has("native_").or_else(|| has("half_")).filter(|rest| is_c_function(rest)) {
        let advice = format!(
            "write {}; `#[kernel(fp = \"fast\")]` allows less precise code",
            ours_of_c(rest).trim_start_matches("write ")
        );
        return row(OPENCL, advice);
    }
    if has("read_image").is_some() {
        return row(OPENCL, "take an `Image2d`, and write `image.read((x, y))` or `image.sample(..)`".into());
    }
    if has("write_image").is_some() {
        return row(OPENCL, "take a `&mut Image2d`, and write `image.write((x, y), value)`".into());
    }
    if let Some(rest) = has("atomic_").or_else(|| has("atom_")) {
        let method = match rest {
            "add" | "fetch_add" | "fetch_add_explicit" | "inc" => "fetch_add(1, Ordering::Relaxed)",
            "sub" | "fetch_sub" | "fetch_sub_explicit" | "dec" => "fetch_sub(1, Ordering::Relaxed)",
            "min" | "fetch_min" => "fetch_min(value, Ordering::Relaxed)",
            "max" | "fetch_max" => "fetch_max(value, Ordering::Relaxed)",
            "and" | "fetch_and" => "fetch_and(value, Ordering::Relaxed)",
            "or" | "fetch_or" => "fetch_or(value, Ordering::Relaxed)",
            "xor" | "fetch_xor" => "fetch_xor(value, Ordering::Relaxed)",
            "xchg" | "exchange" => "swap(value, Ordering::Relaxed)",
            "load" | "load_explicit" => "load(Ordering::Relaxed)",
            "store" | "store_explicit" => "store(value, Ordering::Relaxed)",
            "cmpxchg" | "compare_exchange" | "compare_exchange_strong" => {
                "compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire)"
            }
            _ => return None,
        };
        return row(
            OPENCL,
            format!("take the memory as a slice of atomics, `&[AtomicU32]`, and write `x[i].{method}`"),
        );
    }
    None
}

/// The functions of C for `float`, whose names end in `f`.
fn single_precision(name: &str) -> Option<Foreign> {
    let plain = name.strip_suffix('f').filter(|plain| is_c_function(plain))?;
    Some(Foreign { language: CUDA, advice: ours_of_c(plain), is_certain: false })
}

fn is_c_function(name: &str) -> bool {
    C_FUNCTIONS.contains(&name)
}

const C_FUNCTIONS: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "cos", "cosh", "divide", "exp",
    "exp10", "exp2", "expm1", "fabs", "floor", "log", "log10", "log1p", "log2", "powr", "recip", "rint",
    "round", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
];

/// What stands for a function of C here.
fn ours_of_c(name: &str) -> String {
    match name {
        "log" => "write `x.ln()`".into(),
        "expm1" => "write `x.exp_m1()`".into(),
        "log1p" => "write `x.ln_1p()`".into(),
        "fabs" => "write `x.abs()`".into(),
        "rint" => "write `x.round_ties_even()`".into(),
        "divide" => "write `x / y`".into(),
        "recip" => "write `x.recip()`".into(),
        "powr" => "write `math::powr(x, y)`".into(),
        "rsqrt" | "exp10" => format!("write `math::{name}(x)`"),
        _ => format!("write `x.{name}()`"),
    }
}

/// The type of Rust for one of OpenCL C.
fn rust_type(name: &str) -> &'static str {
    match name.trim_end_matches(|last: char| last.is_ascii_digit()) {
        "char" => "i8",
        "uchar" => "u8",
        "short" => "i16",
        "ushort" => "u16",
        "int" => "i32",
        "uint" => "u32",
        "long" => "i64",
        "ulong" => "u64",
        "half" => "f16",
        "float" => "f32",
        "double" => "f64",
        _ => "",
    }
}
