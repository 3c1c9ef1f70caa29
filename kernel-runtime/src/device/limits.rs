//! What a device can do, as far as a launch depends on it.

use crate::device::float_modes::FloatModes;
use crate::memory::usm::UsmAccess;
use kernel_core::{FloatAtomics, ImageShape};

/// The limits and optional features of a device.
///
/// Level Zero's `ze_device_properties_t`, `ze_device_compute_properties_t`, `ze_device_module_properties_t`,
/// `ze_device_memory_properties_t` and `ze_device_memory_access_properties_t`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most work-items that a work-group may have in each dimension.
    pub max_group_size: [u32; 3],
    /// The most work-items that a work-group may have in all.
    pub max_group_total: u32,
    /// The most work-groups that a launch may have in each dimension.
    pub max_groups: [u32; 3],
    /// The most local memory that a work-group may take, in bytes.
    pub max_local_memory: u32,
    /// The most bytes that the arguments of a kernel may take together.
    pub max_argument_bytes: u32,
    /// The processors that subgroups run on, called execution units or vector engines; 0 if the driver does not say.
    pub compute_units: u32,
    /// How many subgroups one of them has at a time; 0 if the driver does not say.
    pub threads_per_unit: u32,
    /// The rate of their clock in MHz; 0 if the driver does not say.
    pub clock_rate: u32,
    /// The sizes that a subgroup can have, in work-items.
    pub subgroup_sizes: Vec<u32>,
    /// Half precision is supported.
    pub fp16: bool,
    /// Double precision is supported.
    pub fp64: bool,
    /// How it computes with `f16`.
    pub fp16_modes: FloatModes,
    /// How it computes with `f32`.
    pub fp32_modes: FloatModes,
    /// How it computes with `f64`.
    pub fp64_modes: FloatModes,
    /// 64-bit atomics are supported.
    pub int64_atomics: bool,
    /// The atomic updates of `f16` that are supported (`ze_float_atomic_ext_properties_t`).
    pub fp16_atomics: FloatAtomics,
    /// Those of `f32`.
    pub fp32_atomics: FloatAtomics,
    /// Those of `f64`.
    pub fp64_atomics: FloatAtomics,
    /// The newest SPIR-V that is accepted, as (major, minor).
    pub spirv_version: (u8, u8),
    /// Programs of several modules are accepted (`ZE_experimental_module_program`).
    pub module_programs: bool,
    /// What images can be, if there are any.
    pub images: Option<ImageLimits>,
    /// The device's memory, in bytes.
    pub memory: u64,
    /// The most that one buffer may take, in bytes.
    pub max_allocation: u64,
    /// What kernels can do with memory, by where it is.
    pub usm: UsmAccess,
    /// Copies of queues that are [for copies alone](crate::QueueOptions::copies_only) run beside kernels, on an engine of their own.
    pub copy_engine: bool,
    /// Cooperative launches are supported ([`Launch::launch_cooperative`](crate::Launch::launch_cooperative)).
    pub cooperative: bool,
    /// Memory that the program has from elsewhere can be host memory of the device where it is (`ZE_extension_external_memmap_sysmem`), so that
    /// [`Queue::import_vec`](crate::Queue::import_vec) need not copy.
    pub host_import: bool,
    /// Launches may begin at other ids than zero (`ZE_experimental_global_offset`).
    pub global_offset: bool,
}

/// How large images can be (`ze_device_image_properties_t`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageLimits {
    /// The width of a 1D image.
    pub max_1d: u32,
    /// Width and height of a 2D image.
    pub max_2d: u32,
    /// Width, height and depth of a 3D image.
    pub max_3d: u32,
    /// The number of texels of a buffer image.
    pub max_buffer: u64,
    /// The number of images in an array.
    pub max_layers: u32,
}

impl ImageLimits {
    /// The most that a size can be, by its position among the coordinates.
    pub(crate) fn of(&self, shape: ImageShape, axis: usize) -> u64 {
        let is_layer = shape.is_array() && axis + 1 == shape.coordinates();
        match shape {
            _ if is_layer => self.max_layers.into(),
            ImageShape::D1 | ImageShape::D1Array => self.max_1d.into(),
            ImageShape::D3 => self.max_3d.into(),
            // A kernel gets a size as a signed number of 32 bits.
            ImageShape::Buffer => self.max_buffer.min(i32::MAX as u64),
            _ => self.max_2d.into(),
        }
    }
}

#[cfg(test)]
impl Limits {
    /// A device of common limits, for tests of what depends on them.
    pub(crate) fn example() -> Self {
        Self {
            max_group_size: [1024, 1024, 1024],
            max_group_total: 1024,
            max_groups: [u32::MAX; 3],
            max_local_memory: 65536,
            max_argument_bytes: 2048,
            compute_units: 512,
            threads_per_unit: 8,
            clock_rate: 2100,
            subgroup_sizes: vec![8, 16, 32],
            fp16: true,
            fp64: false,
            fp16_modes: FloatModes::default(),
            fp32_modes: FloatModes::default(),
            fp64_modes: FloatModes::default(),
            int64_atomics: true,
            fp16_atomics: FloatAtomics::NONE,
            fp32_atomics: FloatAtomics::GLOBAL_ADD,
            module_programs: true,
            fp64_atomics: FloatAtomics::NONE,
            spirv_version: (1, 2),
            images: None,
            memory: 16 << 30,
            max_allocation: 4 << 30,
            usm: UsmAccess::UNKNOWN,
            copy_engine: false,
            cooperative: true,
            host_import: true,
            global_offset: true,
        }
    }
}
