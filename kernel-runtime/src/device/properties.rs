//! What a driver tells about a device, in one structure.

use crate::device::DeviceKind;
use crate::device::clock::Clock;
use crate::device::limits::{ImageLimits, Limits};
use crate::device::platform::list;
use crate::device::queue_groups::QueueGroups;
use crate::error::DriverError;
use crate::error::driver::call;
use crate::memory::usm::UsmAccess;
use core::ffi::CStr;
use kernel_core::FloatAtomics;
use kernel_core::group::MAX_WORK_GROUP_SIZE;
use level_zero_sys::{
    Api, ZE_FLOAT_ATOMICS_EXT_NAME, ZE_GLOBAL_OFFSET_EXP_NAME, ZE_MODULE_PROGRAM_EXP_NAME, ze_api_version_t,
    ze_device_compute_properties_t, ze_device_handle_t, ze_device_image_properties_t,
    ze_device_memory_access_properties_t, ze_device_memory_properties_t, ze_device_module_flags_t,
    ze_device_module_properties_t, ze_device_properties_t, ze_device_type_t,
    ze_driver_extension_properties_t, ze_driver_handle_t, ze_driver_properties_t,
    ze_float_atomic_ext_properties_t, ze_structure_type_t,
};

/// What the runtime must know of a device.
#[derive(Debug)]
pub(crate) struct Properties {
    pub(crate) name: String,
    pub(crate) kind: DeviceKind,
    pub(crate) limits: Limits,
    pub(crate) driver_version: u32,
    pub(crate) api_version: (u16, u16),
    /// Whether its driver knows command lists whose commands run in order.
    pub(crate) in_order_lists: bool,
    pub(crate) queue_groups: QueueGroups,
    pub(crate) clock: Clock,
    pub(crate) uuid: [u8; 16],
    /// The numbers of its vendor and of its kind.
    pub(crate) ids: (u32, u32),
}

/// The first version of Level Zero of which it is certain that drivers know `ZE_COMMAND_QUEUE_FLAG_IN_ORDER`.
const IN_ORDER_VERSION: (u16, u16) = (1, 9);

/// An extension for events of lists that are in order, so that a driver which has it knows these, whatever its version.
const COUNTER_BASED: &CStr = c"ZE_experimental_event_pool_counter_based";

/// An extension for host memory that the program has from elsewhere.
const HOST_IMPORT: &CStr = c"ZE_extension_external_memmap_sysmem";

impl Properties {
    /// Asks the driver; `None` if the device is neither a GPU nor a CPU.
    pub(crate) fn query(
        api: &Api,
        driver: ze_driver_handle_t,
        device: ze_device_handle_t,
    ) -> Result<Option<Self>, DriverError> {
        let (driver_version, api_version) = query_versions(api, driver)?;
        // Since version 1.2 a driver that is asked by this structure tells how many ticks a second has, and not how many nanoseconds a tick.
        let in_hertz = api_version >= (1, 2);
        let mut general = ze_device_properties_t::default();
        if in_hertz {
            general.stype = ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
        }
        // SAFETY: the device handle came from `zeDeviceGet`, and the structure is tagged and live.
        unsafe { call!(api, zeDeviceGetProperties(device, &mut general)) }?;
        let kind = match general.type_ {
            ze_device_type_t::ZE_DEVICE_TYPE_GPU => DeviceKind::Gpu,
            ze_device_type_t::ZE_DEVICE_TYPE_CPU => DeviceKind::Cpu,
            _ => return Ok(None),
        };
        let resolution = general.timerResolution.max(1) as f64;
        let nanoseconds = if in_hertz { 1e9 / resolution } else { resolution };
        let clock = Clock { nanoseconds, bits: general.kernelTimestampValidBits };
        let queue_groups = QueueGroups::query(api, device)?;
        let parts = [general.numSlices, general.numSubslicesPerSlice, general.numEUsPerSubslice];
        Ok(Some(Self {
            name: general.name.to_string_lossy().into_owned(),
            kind,
            limits: Limits {
                copy_engine: queue_groups.copy.is_some(),
                cooperative: queue_groups.compute.cooperative,
                compute_units: parts.into_iter().fold(1, u32::saturating_mul),
                threads_per_unit: general.numThreadsPerEU,
                clock_rate: general.coreClockRate,
                ..query_limits(api, driver, device, general.maxMemAllocSize)?
            },
            driver_version,
            api_version,
            in_order_lists: api_version >= IN_ORDER_VERSION || has_extension(api, driver, COUNTER_BASED),
            queue_groups,
            uuid: general.uuid.id,
            clock,
            ids: (general.vendorId, general.deviceId),
        }))
    }
}

fn query_versions(api: &Api, driver: ze_driver_handle_t) -> Result<(u32, (u16, u16)), DriverError> {
    let mut properties = ze_driver_properties_t::default();
    let mut version = ze_api_version_t::default();
    // SAFETY: the driver handle came from `zeDriverGet`, and both pointers are to live variables.
    unsafe {
        call!(api, zeDriverGetProperties(driver, &mut properties))?;
        call!(api, zeDriverGetApiVersion(driver, &mut version))?;
    }
    Ok((properties.driverVersion, (version.major(), version.minor())))
}

/// Whether a driver says that it has an extension.
fn has_extension(api: &Api, driver: ze_driver_handle_t, name: &CStr) -> bool {
    // SAFETY: the driver handle came from `zeDriverGet`; `list` passes null, or an array as long as the count says.
    let extensions: Result<Vec<ze_driver_extension_properties_t>, DriverError> =
        list(|count, extensions| unsafe {
            call!(api, zeDriverGetExtensionProperties(driver, count, extensions))
        });
    // A driver that cannot say which extensions it has is taken to have none.
    extensions
        .unwrap_or_default()
        .iter()
        .any(|extension| extension.name.to_string_lossy() == name.to_string_lossy())
}

fn query_limits(
    api: &Api,
    driver: ze_driver_handle_t,
    device: ze_device_handle_t,
    max_allocation: u64,
) -> Result<Limits, DriverError> {
    let mut atomics = ze_float_atomic_ext_properties_t::default();
    let mut compute = ze_device_compute_properties_t::default();
    let mut module = ze_device_module_properties_t::default();
    if has_extension(api, driver, ZE_FLOAT_ATOMICS_EXT_NAME) {
        module.pNext = (&raw mut atomics).cast();
    }
    // SAFETY: the device handle came from `zeDeviceGet`, and the structures are tagged and live.
    let memories: Vec<ze_device_memory_properties_t> = unsafe {
        call!(api, zeDeviceGetComputeProperties(device, &mut compute))?;
        call!(api, zeDeviceGetModuleProperties(device, &mut module))?;
        list(|count, memories| call!(api, zeDeviceGetMemoryProperties(device, count, memories)))?
    };
    let subgroup_sizes = compute.subGroupSizes.iter().take(compute.numSubGroupSizes as usize);
    let has = |flag| module.flags.contains(flag);
    let spirv = ze_api_version_t(module.spirvVersionSupported);
    Ok(Limits {
        max_group_size: [compute.maxGroupSizeX, compute.maxGroupSizeY, compute.maxGroupSizeZ],
        max_group_total: compute.maxTotalGroupSize.min(MAX_WORK_GROUP_SIZE),
        max_groups: [compute.maxGroupCountX, compute.maxGroupCountY, compute.maxGroupCountZ],
        max_local_memory: compute.maxSharedLocalMemory,
        // A driver that states no limit lets the build find out.
        max_argument_bytes: if module.maxArgumentsSize == 0 { u32::MAX } else { module.maxArgumentsSize },
        subgroup_sizes: subgroup_sizes.copied().collect(),
        fp16: has(ze_device_module_flags_t::ZE_DEVICE_MODULE_FLAG_FP16),
        fp64: has(ze_device_module_flags_t::ZE_DEVICE_MODULE_FLAG_FP64),
        fp16_modes: module.fp16flags.into(),
        fp32_modes: module.fp32flags.into(),
        fp64_modes: module.fp64flags.into(),
        fp16_atomics: FloatAtomics(atomics.fp16Flags.0),
        fp32_atomics: FloatAtomics(atomics.fp32Flags.0),
        module_programs: has_extension(api, driver, ZE_MODULE_PROGRAM_EXP_NAME),
        fp64_atomics: FloatAtomics(atomics.fp64Flags.0),
        int64_atomics: has(ze_device_module_flags_t::ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS),
        spirv_version: (saturate(spirv.major()), saturate(spirv.minor())),
        images: query_images(api, device),
        host_import: has_extension(api, driver, HOST_IMPORT),
        global_offset: has_extension(api, driver, ZE_GLOBAL_OFFSET_EXP_NAME),
        memory: memories.iter().fold(0, |sum: u64, memory| sum.saturating_add(memory.totalSize)),
        // A driver that states no limit has none but the memory.
        max_allocation: if max_allocation == 0 { u64::MAX } else { max_allocation },
        usm: query_usm(api, device),
        copy_engine: false,
        cooperative: false,
        compute_units: 0,
        threads_per_unit: 0,
        clock_rate: 0,
    })
}

/// What kernels can do with memory of each kind.
fn query_usm(api: &Api, device: ze_device_handle_t) -> UsmAccess {
    let mut access = ze_device_memory_access_properties_t::default();
    // SAFETY: the device handle is the driver's, and the structure is tagged and live.
    let known = unsafe { call!(api, zeDeviceGetMemoryAccessProperties(device, &mut access)) };
    match known {
        Ok(()) => UsmAccess {
            device: access.deviceAllocCapabilities.into(),
            host: access.hostAllocCapabilities.into(),
            shared: access.sharedSingleDeviceAllocCapabilities.into(),
        },
        Err(_) => UsmAccess::UNKNOWN,
    }
}

/// What images a device has; none if its driver does not know what that is.
fn query_images(api: &Api, device: ze_device_handle_t) -> Option<ImageLimits> {
    let mut images = ze_device_image_properties_t::default();
    // SAFETY: the device handle is the driver's, and the structure is tagged and live.
    unsafe { call!(api, zeDeviceGetImageProperties(device, &mut images)) }.ok()?;
    (images.maxImageDims2D != 0).then_some(ImageLimits {
        max_1d: images.maxImageDims1D,
        max_2d: images.maxImageDims2D,
        max_3d: images.maxImageDims3D,
        max_buffer: images.maxImageBufferSize,
        max_layers: images.maxImageArraySlices,
    })
}

/// A part of a version number as a byte; no version comes near the limit.
fn saturate(number: u16) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}
