//! Lists the drivers and devices that the system's Level Zero loader finds.

use std::error::Error;
use std::process::ExitCode;

use level_zero_sys::{
    Api, Loader, ze_api_version_t, ze_device_handle_t, ze_device_module_properties_t, ze_device_properties_t,
    ze_driver_handle_t, ze_init_flags_t, ze_result_t,
};

fn main() -> ExitCode {
    match list() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn list() -> Result<(), Box<dyn Error>> {
    let loader = Loader::open()?;
    println!("loader {}", loader.library().display());
    let api = loader.api();
    // SAFETY: this is the first call, and if it fails there is no other.
    unsafe { api.zeInit(ze_init_flags_t::empty()) }.into_result()?;
    for driver in drivers(api)? {
        let mut version = ze_api_version_t::default();
        // SAFETY: the driver is one that the loader returned, and the version is valid for writing.
        unsafe { api.zeDriverGetApiVersion(driver, &mut version) }.into_result()?;
        println!("driver {driver:?}, API {version}");
        for device in devices(api, driver)? {
            describe(api, device)?;
        }
    }
    Ok(())
}

fn drivers(api: &Api) -> Result<Vec<ze_driver_handle_t>, ze_result_t> {
    let mut count = 0;
    // SAFETY: a null array asks for the count; the array of the second call has this length.
    unsafe {
        api.zeDriverGet(&mut count, std::ptr::null_mut()).into_result()?;
        let mut drivers = vec![ze_driver_handle_t::NULL; count as usize];
        api.zeDriverGet(&mut count, drivers.as_mut_ptr()).into_result()?;
        Ok(drivers)
    }
}

fn devices(api: &Api, driver: ze_driver_handle_t) -> Result<Vec<ze_device_handle_t>, ze_result_t> {
    let mut count = 0;
    // SAFETY: a null array asks for the count; the array of the second call has this length.
    unsafe {
        api.zeDeviceGet(driver, &mut count, std::ptr::null_mut()).into_result()?;
        let mut devices = vec![ze_device_handle_t::NULL; count as usize];
        api.zeDeviceGet(driver, &mut count, devices.as_mut_ptr()).into_result()?;
        Ok(devices)
    }
}

fn describe(api: &Api, device: ze_device_handle_t) -> Result<(), ze_result_t> {
    let mut properties = ze_device_properties_t::default();
    let mut modules = ze_device_module_properties_t::default();
    // SAFETY: the device is one that the driver returned; the structures are tagged and end their chains.
    unsafe {
        api.zeDeviceGetProperties(device, &mut properties).into_result()?;
        api.zeDeviceGetModuleProperties(device, &mut modules).into_result()?;
    }
    println!("  {properties:#?}");
    println!("  {modules:#?}");
    Ok(())
}
