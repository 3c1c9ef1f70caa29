//! Opening the loader: where there is none, where the library is another one, and where it is installed.

use std::ffi::OsStr;
use std::io::{self, Write as _};

use level_zero_sys::{LoadError, Loader};

#[cfg(unix)]
#[test]
fn a_missing_library_is_reported_with_the_linkers_words() {
    let path = OsStr::new("/nonexistent/libze_loader.so.1");
    // SAFETY: there is no such library, so nothing of it runs.
    let error = unsafe { Loader::open_library(path) }.unwrap_err();
    let LoadError::NotOpened { library, reason } = &error else { panic!("{error:?}") };
    assert_eq!(library, path);
    assert!(reason.contains("/nonexistent/libze_loader.so.1"), "{reason}");
    assert!(error.to_string().contains(reason.as_str()), "{error}");
}

#[test]
fn a_file_that_is_no_library_is_reported() {
    let path = OsStr::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    // SAFETY: the dynamic linker refuses the file, so nothing of it runs.
    let error = unsafe { Loader::open_library(path) }.unwrap_err();
    assert!(matches!(error, LoadError::NotOpened { .. }), "{error:?}");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_library_without_ze_init_is_no_loader() {
    let name = OsStr::new("libm.so.6");
    // SAFETY: the C library's mathematical part is sound to load and has no function of the API.
    let error = unsafe { Loader::open_library(name) }.unwrap_err();
    assert_eq!(error, LoadError::NotALoader { library: name.into() });
}

/// Needs the system's loader. Where it is missing, the test says so even though its output is captured.
#[test]
fn the_systems_loader_has_the_core_functions() {
    let loader = match Loader::open() {
        Ok(loader) => loader,
        Err(error) => {
            let _ = writeln!(io::stderr(), "NOT TESTED against the system's loader: {error}");
            return;
        }
    };
    let api = loader.api();
    assert!(api.driver.pfnGet.is_some());
    assert!(api.device.pfnGetProperties.is_some());
    assert!(api.kernel.pfnCreate.is_some());
    assert!(api.command_list.pfnAppendLaunchKernel.is_some());
    assert!(std::ptr::eq(loader, Loader::open().unwrap()), "the loader is opened once");
}
