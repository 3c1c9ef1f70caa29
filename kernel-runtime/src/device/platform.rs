//! The drivers of this process and their devices, each found once.
//!
//! There are two function tables, the system's loader and the embedded CPU driver, and one path through both.

use crate::device::driver::Driver;
use crate::device::status::{GpuStatus, RenderNodes};
use crate::device::{Device, DeviceKind};
use crate::error::DriverError;
use crate::error::driver::call;
#[cfg(feature = "cpu")]
use level_zero_sys::ze_result_t;
use level_zero_sys::{Api, Later, Loader, ze_device_handle_t, ze_driver_handle_t, ze_init_flags_t};
use std::sync::OnceLock;

/// The functions of a driver, and those of newer versions.
pub(crate) type Functions = (&'static Api, &'static Later);

/// What the search through one function table came to.
#[derive(Debug)]
pub(crate) struct Platform {
    pub(crate) devices: Vec<Device>,
    pub(crate) status: GpuStatus,
}

/// The devices behind the system's loader, searched for on the first call.
pub(crate) fn system() -> &'static Platform {
    static SYSTEM: OnceLock<Platform> = OnceLock::new();
    SYSTEM.get_or_init(|| match Loader::open() {
        Ok(loader) => Platform::search(loader.api(), loader.later()),
        Err(error) => Platform { devices: Vec::new(), status: GpuStatus::NoLoader(error) },
    })
}

/// The devices of the embedded CPU driver.
pub(crate) fn embedded() -> &'static [Device] {
    #[cfg(feature = "cpu")]
    {
        static EMBEDDED: OnceLock<Platform> = OnceLock::new();
        &EMBEDDED.get_or_init(|| Platform::search(kernel_cpu::api(), kernel_cpu::later())).devices
    }
    #[cfg(not(feature = "cpu"))]
    &[]
}

/// Why the embedded CPU driver has no device, if it has none: a variable of the environment is wrong.
pub(crate) fn embedded_problem() -> Option<DriverError> {
    #[cfg(feature = "cpu")]
    {
        let failed = DriverError::new("zeInit", ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED);
        kernel_cpu::problem().map(|what| failed.described(Some(what.into())))
    }
    #[cfg(not(feature = "cpu"))]
    None
}

/// All devices: the GPUs, the embedded CPU device, and then what CPU devices other drivers have.
pub(crate) fn devices() -> impl Iterator<Item = &'static Device> {
    let system = &system().devices;
    let of_kind = |kind| system.iter().filter(move |device| device.kind() == kind);
    of_kind(DeviceKind::Gpu).chain(embedded()).chain(of_kind(DeviceKind::Cpu))
}

impl Platform {
    /// Initialises the drivers behind a function table and asks them for their devices.
    ///
    /// After `zeInit` has failed, or a driver is a null pointer, the table is not used again: loaders then call
    /// into libraries that they have unloaded.
    pub(crate) fn search(api: &'static Api, later: &'static Later) -> Self {
        let none = |status| Self { devices: Vec::new(), status };
        // SAFETY: `zeInit` may be called at any time, from any thread.
        if let Err(error) = unsafe { call!(api, zeInit(ze_init_flags_t::empty())) } {
            return none(GpuStatus::InitFailed { error, nodes: RenderNodes::search() });
        }
        match drivers(api) {
            Err(error) => none(GpuStatus::DriverFailed(error)),
            Ok(drivers) if drivers.is_empty() => none(GpuStatus::NoDriver),
            Ok(drivers) if drivers.iter().any(|driver| driver.is_null()) => none(GpuStatus::NullDriver),
            Ok(drivers) => Self::of_drivers((api, later), &drivers),
        }
    }

    /// Asks drivers for their devices; one that fails does not hide the others.
    fn of_drivers(functions: Functions, drivers: &[ze_driver_handle_t]) -> Self {
        let mut devices = Vec::new();
        let mut failure = None;
        for &driver in drivers {
            match devices_of(functions, driver) {
                Ok(found) => devices.extend(found),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        let gpus = devices.iter().filter(|device| device.kind() == DeviceKind::Gpu).count();
        let status = match (gpus, failure) {
            (0, Some(error)) => GpuStatus::DriverFailed(error),
            (0, None) => GpuStatus::NoGpu,
            (count, _) => GpuStatus::Ready(count),
        };
        Self { devices, status }
    }
}

fn drivers(api: &Api) -> Result<Vec<ze_driver_handle_t>, DriverError> {
    // SAFETY: `zeInit` has succeeded; `list` passes null, or an array of as many handles as the count says.
    list(|count, drivers| unsafe { call!(api, zeDriverGet(count, drivers)) })
}

/// The devices of a driver that are GPUs or CPUs.
fn devices_of(functions: Functions, driver: ze_driver_handle_t) -> Result<Vec<Device>, DriverError> {
    let (api, _) = functions;
    let owner = Driver::new(functions, driver);
    // SAFETY: the driver handle came from `zeDriverGet`; `list` passes null, or an array as long as the count says.
    let handles: Vec<ze_device_handle_t> =
        list(|count, devices| unsafe { call!(api, zeDeviceGet(driver, count, devices)) })?;
    let devices = handles.into_iter().filter(|handle| !handle.is_null());
    devices.filter_map(|handle| Device::describe(&owner, handle).transpose()).collect()
}

/// Gets an array from a function that reports its length when asked without one.
pub(crate) fn list<T: Clone + Default>(
    mut get: impl FnMut(*mut u32, *mut T) -> Result<(), DriverError>,
) -> Result<Vec<T>, DriverError> {
    let mut count = 0;
    get(&mut count, std::ptr::null_mut())?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut items = vec![T::default(); count as usize];
    get(&mut count, items.as_mut_ptr())?;
    items.truncate(count as usize);
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use level_zero_sys::ze_result_t;

    extern "C" fn succeed(_: ze_init_flags_t) -> ze_result_t {
        ze_result_t::ZE_RESULT_SUCCESS
    }

    extern "C" fn fail(_: ze_init_flags_t) -> ze_result_t {
        ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED
    }

    extern "C" fn never(_: *mut u32, _: *mut ze_driver_handle_t) -> ze_result_t {
        unreachable!("a loader whose zeInit has failed must not be called")
    }

    /// Stores the count, as a loader does that has so many drivers, and leaves the handles as they are.
    extern "C" fn drivers<const COUNT: u32>(count: *mut u32, _: *mut ze_driver_handle_t) -> ze_result_t {
        // SAFETY: the caller passes a pointer to a count.
        unsafe { count.write(COUNT) };
        ze_result_t::ZE_RESULT_SUCCESS
    }

    type Init = unsafe extern "C" fn(ze_init_flags_t) -> ze_result_t;
    type Get = unsafe extern "C" fn(*mut u32, *mut ze_driver_handle_t) -> ze_result_t;

    fn search(init: Init, get: Get) -> GpuStatus {
        let mut api = Api::EMPTY;
        api.global.pfnInit = Some(init);
        api.driver.pfnGet = Some(get);
        let platform = Platform::search(Box::leak(Box::new(api)), &Later::EMPTY);
        assert!(platform.devices.is_empty());
        platform.status
    }

    #[test]
    fn nothing_is_called_after_a_failed_initialisation() {
        let status = search(fail, never);
        assert!(
            matches!(status, GpuStatus::InitFailed { ref error, .. } if error.code() == 0x7800_0001),
            "{status}"
        );
    }

    #[test]
    fn a_loader_may_have_no_driver() {
        assert_eq!(search(succeed, drivers::<0>), GpuStatus::NoDriver);
    }

    #[test]
    fn a_null_driver_is_not_called() {
        assert_eq!(search(succeed, drivers::<1>), GpuStatus::NullDriver);
    }

    #[test]
    fn a_table_without_functions_has_no_devices() {
        let status = Platform::search(&Api::EMPTY, &Later::EMPTY).status;
        assert!(matches!(status, GpuStatus::InitFailed { .. }), "{status}");
    }

    #[test]
    fn lists_may_shrink_between_the_calls() {
        let mut counts = [3, 2].into_iter();
        let items = list(|count, items: *mut u32| {
            // SAFETY: the caller passes a pointer to a count, and null or an array of three.
            unsafe {
                *count = counts.next().expect("two calls");
                if !items.is_null() {
                    items.write(7);
                }
            }
            Ok(())
        });
        assert_eq!(items, Ok(vec![7, 0]));
    }
}
