//! Sysman, `zes…`: what there is to say of the machine to who manages devices: its properties, its state, and its memory. Nothing can be set.
//!
//! Its handles of the driver and of the device are those of the core API. Structures are as the header `zes_api.h` has them.

use super::device::Device;
use super::devices::devices;
use super::driver::{self, Driver};
use super::registry::{get, insert};
use super::{Answer, guard, list};
use crate::machine;
use level_zero_sys::{
    FixedCStr, ze_bool_t, ze_device_handle_t, ze_device_properties_t, ze_driver_handle_t, ze_init_flags_t,
    ze_result_t, ze_structure_type_t,
};
use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

/// The handle of the memory of the machine.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(super) struct MemoryHandle(pub(super) *mut c_void);

/// The memory of the machine.
pub(super) struct Memory;

/// The kind of its handles.
const MEMORY_KIND: u8 = 15;

impl super::registry::Object for Memory {
    type Handle = MemoryHandle;
    const KIND: u8 = MEMORY_KIND;

    fn registry() -> &'static super::registry::Registry<Self> {
        static REGISTRY: super::registry::Registry<Memory> = super::registry::Registry::new();
        &REGISTRY
    }

    fn to_handle(address: usize) -> MemoryHandle {
        MemoryHandle(std::ptr::without_provenance_mut(address))
    }

    fn to_address(handle: MemoryHandle) -> usize {
        handle.0.addr()
    }
}

/// The handle of the memory, as a number.
fn memory() -> Answer<MemoryHandle> {
    static MEMORY: OnceLock<Answer<usize>> = OnceLock::new();
    let made = MEMORY.get_or_init(|| insert(Arc::new(Memory)).map(|handle| handle.0.addr()));
    made.map(|address| MemoryHandle(std::ptr::without_provenance_mut(address)))
}

/// Lists functions by the names that the API has for them.
macro_rules! functions {
    ($($name:ident = $function:path;)*) => {
        /// The names of the functions.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The address of the function with this name.
        pub(crate) fn address(name: &str) -> Option<*const c_void> {
            match name {
                $(stringify!($name) => Some($function as *const c_void),)*
                _ => None,
            }
        }
    };
}

functions! {
    zesInit = init;
    zesDriverGet = driver::get_drivers;
    zesDriverGetExtensionProperties = driver_get_extension_properties;
    zesDeviceGet = super::device::get_devices;
    zesDeviceGetProperties = device_get_properties;
    zesDeviceGetState = device_get_state;
    zesDeviceEnumMemoryModules = device_enum_memory_modules;
    zesMemoryGetProperties = memory_get_properties;
    zesMemoryGetState = memory_get_state;
}

/// `zesInit` of version 1.5, which has no flags yet.
unsafe extern "C" fn init(flags: u32) -> ze_result_t {
    if flags != 0 {
        return super::fail(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
    }
    // SAFETY: it has no pointers.
    unsafe { driver::init(ze_init_flags_t::empty()) }
}

/// `zesDriverGetExtensionProperties` of version 1.8: there are no extensions.
unsafe extern "C" fn driver_get_extension_properties(
    driver: ze_driver_handle_t,
    count: *mut u32,
    extensions: *mut c_void,
) -> ze_result_t {
    guard(|| {
        get::<Driver>(driver)?;
        // SAFETY: the host passes pointers as the specification says; nothing is written but the count.
        unsafe { list::<u8>(count, extensions.cast(), &[]) }
    })
}

/// The length of a text in properties.
const TEXT: usize = 64;

/// `zes_device_properties_t`.
#[repr(C)]
struct DeviceProperties {
    stype: ze_structure_type_t,
    next: *mut c_void,
    core: ze_device_properties_t,
    sub_devices: u32,
    serial_number: FixedCStr<TEXT>,
    board_number: FixedCStr<TEXT>,
    brand_name: FixedCStr<TEXT>,
    model_name: FixedCStr<TEXT>,
    vendor_name: FixedCStr<TEXT>,
    driver_version: FixedCStr<TEXT>,
}

unsafe extern "C" fn device_get_properties(
    device: ze_device_handle_t,
    properties: *mut DeviceProperties,
) -> ze_result_t {
    guard(|| {
        let object = *get::<Device>(device)?;
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // What nobody tells is unknown, as the specification wants it.
        let text = |text: Option<String>| FixedCStr::new(text.as_deref().unwrap_or("unknown"));
        let mut core = ze_device_properties_t::default();
        // SAFETY: the pointer is to a live variable that is tagged, and the host passes a structure whose first two fields are set.
        unsafe {
            super::device::get_properties(device, &mut core).into_result()?;
            let to = &mut *properties;
            to.core = core;
            to.sub_devices = devices()?.parts_of(object).len() as u32;
            [to.serial_number, to.board_number, to.brand_name] = [text(None); 3];
            to.model_name = text(machine::processor());
            to.vendor_name = text(machine::vendor());
            to.driver_version = FixedCStr::new(env!("CARGO_PKG_VERSION"));
        }
        Ok(())
    })
}

/// `zes_device_state_t`.
#[repr(C)]
struct DeviceState {
    stype: ze_structure_type_t,
    next: *const c_void,
    reset: u32,
    repaired: u32,
}

/// The device need not be reset, and cannot be repaired.
unsafe extern "C" fn device_get_state(device: ze_device_handle_t, state: *mut DeviceState) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        if state.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a structure whose first two fields are set.
        unsafe { ((*state).reset, (*state).repaired) = (0, 0) };
        Ok(())
    })
}

unsafe extern "C" fn device_enum_memory_modules(
    device: ze_device_handle_t,
    count: *mut u32,
    memories: *mut MemoryHandle,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { list(count, memories, &[memory()?]) }
    })
}

/// `zes_mem_properties_t`.
#[repr(C)]
struct MemoryProperties {
    stype: ze_structure_type_t,
    next: *mut c_void,
    kind: u32,
    on_sub_device: ze_bool_t,
    sub_device: u32,
    location: u32,
    physical_size: u64,
    bus_width: i32,
    channels: i32,
}

unsafe extern "C" fn memory_get_properties(
    memory: MemoryHandle,
    properties: *mut MemoryProperties,
) -> ze_result_t {
    /// `ZES_MEM_TYPE_DDR` and `ZES_MEM_LOC_SYSTEM`.
    const DDR: u32 = 1;
    const SYSTEM: u32 = 0;
    guard(|| {
        get::<Memory>(memory)?;
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // SAFETY: the host passes a structure whose first two fields are set.
        let to = unsafe { &mut *properties };
        (to.kind, to.on_sub_device, to.sub_device, to.location) = (DDR, 0, 0, SYSTEM);
        to.physical_size = machine::memory().unwrap_or(0);
        // Both are -1 where they are unknown.
        (to.bus_width, to.channels) = (-1, -1);
        Ok(())
    })
}

/// `zes_mem_state_t`.
#[repr(C)]
struct MemoryState {
    stype: ze_structure_type_t,
    next: *const c_void,
    health: u32,
    free: u64,
    size: u64,
}

unsafe extern "C" fn memory_get_state(memory: MemoryHandle, state: *mut MemoryState) -> ze_result_t {
    /// `ZES_MEM_HEALTH_UNKNOWN`.
    const UNKNOWN: u32 = 0;
    guard(|| {
        get::<Memory>(memory)?;
        if state.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let size = machine::memory().unwrap_or(0);
        // SAFETY: the host passes a structure whose first two fields are set.
        let to = unsafe { &mut *state };
        (to.health, to.size, to.free) = (UNKNOWN, size, machine::free_memory().unwrap_or(0).min(size));
        Ok(())
    })
}
