//! A device: the processor, with all its cores.

use super::affinity::Identity;
use super::context::Context;
use super::devices::devices;
use super::driver::Driver;
use super::registry::{all, get, objects};
use super::{absent, counter_event, fail, graph, guard, list, lost, mutable, read, structures, write};
use crate::exec::thread_count;
use crate::limits;
use crate::machine;
use crate::program::{LANES, SUBGROUP_SIZES};
use crate::queue::{MAX_PATTERN, now};
use level_zero_sys::{
    FixedCStr, find_in_chain, ze_bool_t, ze_cache_ext_region_t, ze_command_queue_group_properties_t,
    ze_command_queue_group_property_flags_t, ze_device_cache_properties_t, ze_device_compute_properties_t,
    ze_device_external_memory_properties_t, ze_device_fp_atomic_ext_flags_t, ze_device_fp_flags_t,
    ze_device_handle_t, ze_device_image_properties_t, ze_device_memory_access_properties_t,
    ze_device_memory_properties_t, ze_device_module_flags_t, ze_device_module_properties_t,
    ze_device_p2p_properties_t, ze_device_p2p_property_flags_t, ze_device_properties_t,
    ze_device_property_flags_t, ze_device_type_t, ze_device_uuid_t, ze_driver_handle_t,
    ze_external_memory_type_flags_t, ze_float_atomic_ext_properties_t, ze_memory_access_cap_flags_t,
    ze_result_t, ze_scheduling_hint_exp_flags_t, ze_scheduling_hint_exp_properties_t, ze_structure_type_t,
};
use std::ffi::c_void;
use std::sync::LazyLock;

/// A device, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Device {
    /// The number of the device among those that are seen.
    pub(super) root: u32,
    /// The number of its part, if it is one.
    pub(super) part: Option<u32>,
    /// Which one it is of all that there are.
    pub(super) identity: Identity,
}

impl Device {
    /// The bytes that tell it from all others, whichever of them are seen.
    fn uuid(self) -> ze_device_uuid_t {
        let mut id = *b"kernel-cpu devic";
        let Identity { root, part } = self.identity;
        if (root, part) != (0, None) {
            (id[14], id[15]) = (root as u8, part.map_or(0, |part| part as u8 + 1));
        }
        ze_device_uuid_t { id }
    }
}

objects! { Device: ze_device_handle_t = 2; }

/// The environment variable that says as what kind of device the processor presents itself.
const TYPE_VARIABLE: &str = "KERNEL_CPU_DEVICE_TYPE";

/// What kind of device it says it is, since there are programs that look for GPUs alone; or what is wrong with the variable.
pub(super) fn device_type() -> Result<ze_device_type_t, &'static str> {
    static TYPE: LazyLock<Result<ze_device_type_t, String>> = LazyLock::new(|| {
        let text = std::env::var_os(TYPE_VARIABLE).unwrap_or_default();
        parse_type(&text.to_string_lossy())
    });
    TYPE.as_ref().copied().map_err(String::as_str)
}

fn parse_type(text: &str) -> Result<ze_device_type_t, String> {
    match text {
        "" | "cpu" => Ok(ze_device_type_t::ZE_DEVICE_TYPE_CPU),
        "gpu" => Ok(ze_device_type_t::ZE_DEVICE_TYPE_GPU),
        _ => Err(format!("{TYPE_VARIABLE} is `{text}`, and may be `cpu` or `gpu`")),
    }
}

/// Lets `fill` complete a structure whose first two fields the host has set.
///
/// # Safety
///
/// The pointer must be null or valid for reads and writes.
unsafe fn complete<T>(
    device: ze_device_handle_t,
    properties: *mut T,
    fill: impl FnOnce(&mut T, Device),
) -> ze_result_t {
    guard(|| {
        let device = *get::<Device>(device)?;
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: it is not null, and the caller vouches for the rest.
        fill(unsafe { &mut *properties }, device);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_devices(
    driver: ze_driver_handle_t,
    count: *mut u32,
    to: *mut ze_device_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Driver>(driver)?;
        // SAFETY: the host passes pointers as the specification of `zeDeviceGet` says.
        unsafe { list(count, to, &devices()?.listed()) }
    })
}

pub(super) unsafe extern "C" fn get_sub_devices(
    device: ze_device_handle_t,
    count: *mut u32,
    to: *mut ze_device_handle_t,
) -> ze_result_t {
    guard(|| {
        let device = *get::<Device>(device)?;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { list(count, to, devices()?.parts_of(device)) }
    })
}

pub(super) unsafe extern "C" fn get_properties(
    device: ze_device_handle_t,
    properties: *mut ze_device_properties_t,
) -> ze_result_t {
    let fill = |to: &mut ze_device_properties_t, device: Device| {
        // The structure of version 1.2 counts in cycles per second, the first one in nanoseconds per cycle.
        let newer = to.stype == ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
        *to = ze_device_properties_t {
            stype: to.stype,
            pNext: to.pNext,
            type_: device_type().unwrap_or(ze_device_type_t::ZE_DEVICE_TYPE_CPU),
            flags: match device.part {
                None => ze_device_property_flags_t::ZE_DEVICE_PROPERTY_FLAG_INTEGRATED,
                Some(_) => {
                    ze_device_property_flags_t::ZE_DEVICE_PROPERTY_FLAG_INTEGRATED
                        | ze_device_property_flags_t::ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE
                }
            },
            subdeviceId: device.part.unwrap_or(0),
            coreClockRate: machine::clock_rate().unwrap_or(0),
            maxMemAllocSize: limits::max_allocation(),
            maxHardwareContexts: limits::QUEUES,
            numThreadsPerEU: 1,
            physicalEUSimdWidth: LANES as u32,
            numEUsPerSubslice: thread_count() as u32,
            numSubslicesPerSlice: 1,
            numSlices: 1,
            timerResolution: if newer { 1_000_000_000 } else { 1 },
            timestampValidBits: 64,
            kernelTimestampValidBits: 64,
            uuid: device.uuid(),
            name: FixedCStr::new(&device_name()),
            ..Default::default()
        };
        // SAFETY: the host vouches for the chain, and nothing else refers to what is in it meanwhile.
        unsafe {
            structures::complete::<ze_scheduling_hint_exp_properties_t>(to.pNext, |hints| {
                hints.schedulingHintFlags = SCHEDULING_HINTS;
            });
            mutable::fill_properties(to.pNext);
            absent::fill_device_properties(to.pNext);
            graph::fill_properties(to.pNext);
            counter_event::fill_properties(to.pNext);
            structures::complete_device(to.pNext);
        }
    };
    // SAFETY: the host passes a valid pointer or null.
    unsafe { complete(device, properties, fill) }
}

/// Work-groups are begun in the order of their numbers, and each of them is executed to its end.
pub(super) const SCHEDULING_HINTS: ze_scheduling_hint_exp_flags_t =
    ze_scheduling_hint_exp_flags_t::ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST;

/// The name of the processor, where the system tells it.
fn device_name() -> String {
    format!("{} ({} threads)", machine::processor().as_deref().unwrap_or("CPU"), thread_count())
}

pub(super) unsafe extern "C" fn get_compute_properties(
    device: ze_device_handle_t,
    properties: *mut ze_device_compute_properties_t,
) -> ze_result_t {
    let fill = |to: &mut ze_device_compute_properties_t, _| {
        to.maxTotalGroupSize = limits::MAX_GROUP_SIZE;
        [to.maxGroupSizeX, to.maxGroupSizeY, to.maxGroupSizeZ] = [limits::MAX_GROUP_SIZE; 3];
        [to.maxGroupCountX, to.maxGroupCountY, to.maxGroupCountZ] = [u32::MAX; 3];
        to.maxSharedLocalMemory = limits::MAX_LOCAL_MEMORY;
        to.numSubGroupSizes = SUBGROUP_SIZES.len() as u32;
        to.subGroupSizes = Default::default();
        to.subGroupSizes[..SUBGROUP_SIZES.len()].copy_from_slice(&SUBGROUP_SIZES);
    };
    // SAFETY: the host passes a valid pointer or null.
    unsafe { complete(device, properties, fill) }
}

pub(super) unsafe extern "C" fn get_module_properties(
    device: ze_device_handle_t,
    properties: *mut ze_device_module_properties_t,
) -> ze_result_t {
    let fill = |to: &mut ze_device_module_properties_t, _| {
        let precise = ze_device_fp_flags_t::ZE_DEVICE_FP_FLAG_DENORM
            | ze_device_fp_flags_t::ZE_DEVICE_FP_FLAG_INF_NAN
            | ze_device_fp_flags_t::ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST
            | ze_device_fp_flags_t::ZE_DEVICE_FP_FLAG_FMA
            | ze_device_fp_flags_t::ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
        // Version 1.6: the upper half is the major number.
        to.spirvVersionSupported = 1 << 16 | 6;
        to.flags = ze_device_module_flags_t::ZE_DEVICE_MODULE_FLAG_FP16
            | ze_device_module_flags_t::ZE_DEVICE_MODULE_FLAG_FP64
            | ze_device_module_flags_t::ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
        // SAFETY: the host vouches for the chain, and nothing else refers to what is in it meanwhile.
        if let Some(atomics) = unsafe { find_in_chain::<ze_float_atomic_ext_properties_t>(to.pNext) } {
            // SAFETY: the same.
            let atomics = unsafe { &mut *atomics.as_ptr() };
            let all = ze_device_fp_atomic_ext_flags_t::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE
                | ze_device_fp_atomic_ext_flags_t::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD
                | ze_device_fp_atomic_ext_flags_t::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX
                | ze_device_fp_atomic_ext_flags_t::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE
                | ze_device_fp_atomic_ext_flags_t::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD
                | ze_device_fp_atomic_ext_flags_t::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
            [atomics.fp16Flags, atomics.fp32Flags, atomics.fp64Flags] = [all; 3];
        }
        // SAFETY: the same.
        unsafe { absent::fill_module_properties(to.pNext) };
        to.fp16flags = precise;
        to.fp32flags = precise;
        to.fp64flags = precise;
        to.maxArgumentsSize = limits::MAX_ARGUMENT_BYTES;
        to.printfBufferSize = crate::print::BUFFER_BYTES as u32;
        to.nativeKernelSupported = Default::default();
    };
    // SAFETY: the host passes a valid pointer or null.
    unsafe { complete(device, properties, fill) }
}

pub(super) unsafe extern "C" fn get_command_queue_group_properties(
    device: ze_device_handle_t,
    count: *mut u32,
    properties: *mut ze_command_queue_group_properties_t,
) -> ze_result_t {
    let flags = ze_command_queue_group_property_flags_t::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE
        | ze_command_queue_group_property_flags_t::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS
        | ze_command_queue_group_property_flags_t::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
    let group = ze_command_queue_group_properties_t {
        flags,
        maxMemoryFillPatternSize: MAX_PATTERN,
        numQueues: limits::QUEUES,
        ..Default::default()
    };
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { list(count, properties, &[group]) }
    })
}

pub(super) unsafe extern "C" fn get_memory_properties(
    device: ze_device_handle_t,
    count: *mut u32,
    properties: *mut ze_device_memory_properties_t,
) -> ze_result_t {
    let memory = ze_device_memory_properties_t {
        totalSize: limits::max_allocation(),
        name: FixedCStr::new("host memory"),
        ..Default::default()
    };
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { list(count, properties, &[memory]) }
    })
}

/// `ze_device_vector_width_properties_ext_t` of version 1.13.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct VectorWidths {
    stype: ze_structure_type_t,
    next: *mut c_void,
    /// How many work-items are executed at once.
    size: u32,
    /// How many numbers a kernel should have in a vector: of 8, 16, 32 and 64 bits, floats, doubles and halves.
    preferred: [u32; 7],
    /// How many of these a register has.
    native: [u32; 7],
}

/// `zeDeviceGetVectorWidthPropertiesExt` of version 1.13: vectors are made of work-items, so that kernels do best with scalars.
pub(super) unsafe extern "C" fn get_vector_widths(
    device: ze_device_handle_t,
    count: *mut u32,
    properties: *mut VectorWidths,
) -> ze_result_t {
    /// The bytes of the numbers.
    const SIZES: [u32; 7] = [1, 2, 4, 8, 4, 8, 2];
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes a valid pointer or null.
        let room = unsafe { read(count)? };
        // SAFETY: as above.
        unsafe { write(count, 1)? };
        if room == 0 || properties.is_null() {
            return Ok(());
        }
        // SAFETY: there is room for at least one structure, whose first two fields are set.
        let to = unsafe { &mut *properties };
        to.size = LANES as u32;
        to.preferred = [1; 7];
        to.native = SIZES.map(|size| machine::vector_bytes() / size);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_memory_access_properties(
    device: ze_device_handle_t,
    properties: *mut ze_device_memory_access_properties_t,
) -> ze_result_t {
    let fill = |to: &mut ze_device_memory_access_properties_t, _| {
        let all = ze_memory_access_cap_flags_t::ZE_MEMORY_ACCESS_CAP_FLAG_RW
            | ze_memory_access_cap_flags_t::ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC
            | ze_memory_access_cap_flags_t::ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT
            | ze_memory_access_cap_flags_t::ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
        to.hostAllocCapabilities = all;
        to.deviceAllocCapabilities = all;
        to.sharedSingleDeviceAllocCapabilities = all;
        to.sharedCrossDeviceAllocCapabilities = ze_memory_access_cap_flags_t::empty();
        // Kernels may only touch memory that the driver knows.
        to.sharedSystemAllocCapabilities = ze_memory_access_cap_flags_t::empty();
    };
    // SAFETY: the host passes a valid pointer or null.
    unsafe { complete(device, properties, fill) }
}

pub(super) unsafe extern "C" fn get_cache_properties(
    device: ze_device_handle_t,
    count: *mut u32,
    properties: *mut ze_device_cache_properties_t,
) -> ze_result_t {
    let caches = machine::caches();
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null, and an array of `count` structures whose first two fields are set.
        unsafe {
            let room = read(count)? as usize;
            if room == 0 || properties.is_null() {
                return write(count, caches.len() as u32);
            }
            for (index, &size) in caches.iter().take(room).enumerate() {
                let to = &mut *properties.add(index);
                (to.flags, to.cacheSize) = (Default::default(), size);
                absent::fill_cache_properties(to.pNext);
            }
            write(count, caches.len().min(room) as u32)
        }
    })
}

pub(super) unsafe extern "C" fn get_image_properties(
    device: ze_device_handle_t,
    properties: *mut ze_device_image_properties_t,
) -> ze_result_t {
    let fill = |to: &mut ze_device_image_properties_t, _| {
        *to = ze_device_image_properties_t {
            stype: to.stype,
            pNext: to.pNext,
            maxImageDims1D: limits::MAX_IMAGE_2D,
            maxImageDims2D: limits::MAX_IMAGE_2D,
            maxImageDims3D: limits::MAX_IMAGE_3D,
            maxImageBufferSize: limits::MAX_IMAGE_BUFFER.into(),
            maxImageArraySlices: limits::MAX_IMAGE_LAYERS,
            maxSamplers: limits::MAX_IMAGE_ARGUMENTS,
            maxReadImageArgs: limits::MAX_IMAGE_ARGUMENTS,
            maxWriteImageArgs: limits::MAX_IMAGE_ARGUMENTS,
        };
    };
    // SAFETY: the host passes a valid pointer or null.
    unsafe { complete(device, properties, fill) }
}

pub(super) unsafe extern "C" fn get_external_memory_properties(
    device: ze_device_handle_t,
    properties: *mut ze_device_external_memory_properties_t,
) -> ze_result_t {
    let fill = |to: &mut ze_device_external_memory_properties_t, _| {
        // Memory is that of an anonymous file where it is exported, and such files are what is imported.
        let files = ze_external_memory_type_flags_t::ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
        let files = if cfg!(target_os = "linux") { files } else { Default::default() };
        *to = ze_device_external_memory_properties_t {
            stype: to.stype,
            pNext: to.pNext,
            memoryAllocationImportTypes: files,
            memoryAllocationExportTypes: files,
            ..Default::default()
        };
    };
    // SAFETY: the host passes a valid pointer or null.
    unsafe { complete(device, properties, fill) }
}

pub(super) unsafe extern "C" fn get_p2p_properties(
    device: ze_device_handle_t,
    peer: ze_device_handle_t,
    properties: *mut ze_device_p2p_properties_t,
) -> ze_result_t {
    if let Err(code) = get::<Device>(peer) {
        return fail(code);
    }
    // All of them have the memory of the machine.
    let fill = |to: &mut ze_device_p2p_properties_t, _| {
        to.flags = ze_device_p2p_property_flags_t::ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS
            | ze_device_p2p_property_flags_t::ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
    };
    // SAFETY: the host passes a valid pointer or null.
    unsafe { complete(device, properties, fill) }
}

/// Each device can access the memory of every other one, which is that of the machine.
pub(super) unsafe extern "C" fn can_access_peer(
    device: ze_device_handle_t,
    peer: ze_device_handle_t,
    value: *mut ze_bool_t,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        get::<Device>(peer)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(value, 1) }
    })
}

pub(super) unsafe extern "C" fn get_status(device: ze_device_handle_t) -> ze_result_t {
    guard(|| get::<Device>(device).map(drop))
}

pub(super) unsafe extern "C" fn get_global_timestamps(
    device: ze_device_handle_t,
    host: *mut u64,
    own: *mut u64,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        let time = now();
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            write(host, time)?;
            write(own, time)
        }
    })
}

/// `zeDeviceGetRootDevice` of version 1.7: null for a device that is no part of another one.
pub(super) unsafe extern "C" fn get_root_device(
    device: ze_device_handle_t,
    root: *mut ze_device_handle_t,
) -> ze_result_t {
    guard(|| {
        let device = *get::<Device>(device)?;
        let whole = match device.part {
            Some(_) => devices()?.handle_at(device.root, None),
            None => ze_device_handle_t::NULL,
        };
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(root, whole) }
    })
}

/// `zeDeviceSynchronize` of version 1.14: waits for everything that was submitted in any context.
pub(super) unsafe extern "C" fn synchronize(device: ze_device_handle_t) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        let contexts = all::<Context>();
        let mut failure = None;
        for context in contexts {
            let of_context = context.wait();
            failure = failure.or(of_context);
        }
        failure.map_or(Ok(()), |what| Err(lost(what)))
    })
}

/// No cache of a processor can be set aside by a program, so that nothing is all that can be reserved.
pub(super) unsafe extern "C" fn reserve_cache(
    device: ze_device_handle_t,
    _level: usize,
    size: usize,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        match size {
            0 => Ok(()),
            _ => Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE),
        }
    })
}

/// Advice on a region that is not reserved is followed by doing nothing, and there is no other one.
pub(super) unsafe extern "C" fn set_cache_advice(
    device: ze_device_handle_t,
    pointer: *mut c_void,
    _pages: usize,
    region: ze_cache_ext_region_t,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        if pointer.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        match region {
            ze_cache_ext_region_t::ZE_CACHE_EXT_REGION_ZE_CACHE_REGION_DEFAULT
            | ze_cache_ext_region_t::ZE_CACHE_EXT_REGION_ZE_CACHE_NON_RESERVED_REGION => Ok(()),
            ze_cache_ext_region_t::ZE_CACHE_EXT_REGION_ZE_CACHE_RESERVE_REGION => {
                Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
            }
            _ => Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_device_is_what_the_variable_says() {
        assert_eq!(parse_type(""), Ok(ze_device_type_t::ZE_DEVICE_TYPE_CPU));
        assert_eq!(parse_type("cpu"), Ok(ze_device_type_t::ZE_DEVICE_TYPE_CPU));
        assert_eq!(parse_type("gpu"), Ok(ze_device_type_t::ZE_DEVICE_TYPE_GPU));
        let refused = "KERNEL_CPU_DEVICE_TYPE is `GPU`, and may be `cpu` or `gpu`";
        assert_eq!(parse_type("GPU"), Err(refused.to_owned()));
    }
}
