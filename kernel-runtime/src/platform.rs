//! The drivers of this process and their devices, each found once.
//!
//! There are two function tables, the system's loader and the embedded CPU driver, and one path through both.

use crate::device::{Device, DeviceKind};
use crate::error::DriverError;
use crate::error::driver::call;
use crate::status::{GpuStatus, RenderNodes};
use level_zero_sys::{Api, Loader, ze_device_handle_t, ze_driver_handle_t, ze_init_flags_t};
use std::sync::OnceLock;

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
        Ok(loader) => Platform::search(loader.api()),
        Err(error) => Platform { devices: Vec::new(), status: GpuStatus::NoLoader(error) },
    })
}

/// The devices of the embedded CPU driver.
pub(crate) fn embedded() -> &'static [Device] {
    #[cfg(feature = "cpu")]
    {
        static EMBEDDED: OnceLock<Platform> = OnceLock::new();
        &EMBEDDED.get_or_init(|| Platform::search(embedded_driver())).devices
    }
    #[cfg(not(feature = "cpu"))]
    &[]
}

/// The function table of the embedded CPU driver.
#[cfg(feature = "cpu")]
fn embedded_driver() -> &'static Api {
    // The driver does not have its table yet; an empty one has no devices.
    use kernel_cpu as _;
    const { &Api::EMPTY }
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
    pub(crate) fn search(api: &'static Api) -> Self {
        let none = |status| Self { devices: Vec::new(), status };
        // SAFETY: `zeInit` may be called at any time, from any thread.
        if let Err(error) = unsafe { call!(api, zeInit(ze_init_flags_t::empty())) } {
            return none(GpuStatus::InitFailed { error, nodes: RenderNodes::search() });
        }
        match drivers(api) {
            Err(error) => none(GpuStatus::DriverFailed(error)),
            Ok(drivers) if drivers.is_empty() => none(GpuStatus::NoDriver),
            Ok(drivers) if drivers.iter().any(|driver| driver.is_null()) => none(GpuStatus::NullDriver),
            Ok(drivers) => Self::of_drivers(api, &drivers),
        }
    }

    /// Asks drivers for their devices; one that fails does not hide the others.
    fn of_drivers(api: &'static Api, drivers: &[ze_driver_handle_t]) -> Self {
        let mut devices = Vec::new();
        let mut failure = None;
        for &driver in drivers {
            match devices_of(api, driver) {
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
fn devices_of(api: &'static Api, driver: ze_driver_handle_t) -> Result<Vec<Device>, DriverError> {
    // SAFETY: the driver handle came from `zeDriverGet`; `list` passes null, or an array as long as the count says.
    let handles: Vec<ze_device_handle_t> =
        list(|count, devices| unsafe { call!(api, zeDeviceGet(driver, count, devices)) })?;
    let devices = handles.into_iter().filter(|handle| !handle.is_null());
    devices.filter_map(|handle| Device::describe(api, driver, handle).transpose()).collect()
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
