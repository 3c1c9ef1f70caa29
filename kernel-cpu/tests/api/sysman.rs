//! Sysman: what there is to say of the machine to who manages devices.

use crate::driver::{Gpu, Outcome};
use level_zero_sys::*;
use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::ptr::null_mut;

const NULL_HANDLE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);

/// The function of this name; `F` must be its type.
fn function<F: Copy>(name: &str) -> F {
    let address = kernel_cpu::sysman_function(name).expect(name);
    assert_eq!(size_of::<F>(), size_of_val(&address));
    // SAFETY: the caller says which type of function pointer it is.
    unsafe { std::mem::transmute_copy(&address) }
}

/// A function that answers a question about a handle.
type Ask<T> = unsafe extern "C" fn(*mut c_void, *mut T) -> ze_result_t;

type List = unsafe extern "C" fn(*mut c_void, *mut u32, *mut *mut c_void) -> ze_result_t;

#[repr(C)]
struct DeviceProperties {
    stype: u32,
    next: *mut c_void,
    core: ze_device_properties_t,
    sub_devices: u32,
    texts: [[c_char; 64]; 6],
}

#[repr(C)]
struct DeviceState {
    stype: u32,
    next: *const c_void,
    reset: u32,
    repaired: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct MemoryProperties {
    stype: u32,
    next: *mut c_void,
    kind: u32,
    on_sub_device: ze_bool_t,
    sub_device: u32,
    location: u32,
    physical_size: u64,
    bus_width: i32,
    channels: i32,
}

#[repr(C)]
struct MemoryState {
    stype: u32,
    next: *const c_void,
    health: u32,
    free: u64,
    size: u64,
}

/// Asks, and holds that no handle, another one and no room are refused.
fn ask<T>(name: &str, handle: *mut c_void, stray: *mut c_void, answer: &mut T) {
    let ask: Ask<T> = function(name);
    // SAFETY: the pointer is to a live variable or null, and what is wrong with handles the driver must notice.
    unsafe {
        assert_eq!(ask(null_mut(), answer).into_result(), NULL_HANDLE, "{name}");
        assert_eq!(ask(stray, answer).into_result(), INVALID, "{name}");
        assert_eq!(ask(handle, null_mut()).into_result(), NULL_POINTER, "{name}");
        assert_eq!(ask(handle, answer).into_result(), Ok(()), "{name}");
    }
}

#[test]
fn the_driver_and_the_device_are_those_of_the_core() {
    let gpu = Gpu::new();
    type Init = unsafe extern "C" fn(u32) -> ze_result_t;
    type Drivers = unsafe extern "C" fn(*mut u32, *mut *mut c_void) -> ze_result_t;
    let (init, drivers): (Init, Drivers) = (function("zesInit"), function("zesDriverGet"));
    let (devices, extensions): (List, List) =
        (function("zesDeviceGet"), function("zesDriverGetExtensionProperties"));
    let (mut driver, mut device, mut count) = (null_mut(), null_mut(), 7);
    // SAFETY: pointers are to live variables or null.
    unsafe {
        init(0).into_result().unwrap();
        assert_eq!(init(1), ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        drivers(&mut 1, &mut driver).into_result().unwrap();
        devices(driver, &mut 1, &mut device).into_result().unwrap();
        assert_eq!(devices(null_mut(), &mut 1, &mut device).into_result(), NULL_HANDLE);
        extensions(driver, &mut count, null_mut()).into_result().unwrap();
    }
    assert_eq!((driver, device, count), (gpu.driver.0, gpu.device.0, 0));
}

#[test]
fn the_device_says_what_it_is() {
    let gpu = Gpu::new();
    let mut properties = DeviceProperties {
        stype: 1,
        next: null_mut(),
        core: Default::default(),
        sub_devices: 9,
        texts: [[1; 64]; 6],
    };
    ask("zesDeviceGetProperties", gpu.device.0, gpu.context.0, &mut properties);
    assert_eq!(properties.core.type_, ze_device_type_t::ZE_DEVICE_TYPE_CPU);
    assert_eq!(properties.sub_devices, 0);
    let texts = properties.texts.each_ref().map(|text| {
        // SAFETY: the driver ends texts with NUL.
        unsafe { CStr::from_ptr(text.as_ptr()) }.to_str().unwrap()
    });
    assert_eq!(texts[..3], ["unknown"; 3]);
    assert!(texts[3..].iter().all(|text| !text.is_empty()), "{texts:?}");
    let mut state = DeviceState { stype: 2, next: null_mut(), reset: 7, repaired: 7 };
    ask("zesDeviceGetState", gpu.device.0, gpu.context.0, &mut state);
    assert_eq!((state.reset, state.repaired), (0, 0));
}

#[test]
fn the_memory_says_how_much_of_it_there_is() {
    let gpu = Gpu::new();
    let list: List = function("zesDeviceEnumMemoryModules");
    let (mut count, mut memory) = (0, null_mut());
    // SAFETY: pointers are to live variables or null.
    unsafe {
        list(gpu.device.0, &mut count, null_mut()).into_result().unwrap();
        assert_eq!(count, 1);
        list(gpu.device.0, &mut count, &mut memory).into_result().unwrap();
        assert_eq!(list(gpu.device.0, null_mut(), &mut memory).into_result(), NULL_POINTER);
        assert_eq!(list(null_mut(), &mut count, &mut memory).into_result(), NULL_HANDLE);
    }
    let mut properties = MemoryProperties {
        stype: 3,
        next: null_mut(),
        kind: 9,
        on_sub_device: 9,
        sub_device: 9,
        location: 9,
        physical_size: 0,
        bus_width: 0,
        channels: 0,
    };
    ask("zesMemoryGetProperties", memory, gpu.device.0, &mut properties);
    let MemoryProperties { kind, on_sub_device, location, bus_width, channels, .. } = properties;
    assert_eq!((kind, on_sub_device, location, bus_width, channels), (1, 0, 0, -1, -1));
    let mut state = MemoryState { stype: 4, next: null_mut(), health: 9, free: 0, size: 0 };
    ask("zesMemoryGetState", memory, gpu.device.0, &mut state);
    assert_eq!((state.health, state.size), (0, properties.physical_size));
    assert!(state.free <= state.size);
    if Path::new("/proc/meminfo").exists() {
        assert!(0 < state.free);
    }
}

#[test]
fn what_is_not_there_has_no_address() {
    assert_eq!(kernel_cpu::sysman_function("zesDeviceEnumTemperatureSensors"), None);
    assert!(kernel_cpu::sysman_functions().iter().all(|name| kernel_cpu::sysman_function(name).is_some()));
}
