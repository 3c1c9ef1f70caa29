//! Opens the system's Level Zero loader at run time.

use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString, c_void};
use std::ptr;
use std::sync::OnceLock;

use libloading::Library;

use crate::{Api, Later, LoadError};

/// The name of the environment variable that names another library to open instead of the system's loader.
///
/// It holds a path, or a file name that the dynamic linker searches for. An empty value counts as unset.
pub const LOADER_VARIABLE: &str = "LEVEL_ZERO_LOADER";

/// The file name under which the dynamic linker finds the system's loader.
#[cfg(windows)]
const SYSTEM_LOADER: &str = "ze_loader.dll";
/// The file name under which the dynamic linker finds the system's loader. Its number is that of the ABI,
/// which the packages that hold only the run-time library have.
#[cfg(not(windows))]
const SYSTEM_LOADER: &str = "libze_loader.so.1";

/// The system's Level Zero loader: a library that finds the drivers and passes calls on to them.
///
/// It is opened and not linked, so that a program starts on a machine that has none. It is never closed:
/// copies of its function pointers may be anywhere, and the drivers behind it run threads and exit handlers
/// that do not survive unloading.
///
/// # After a failed `zeInit`
///
/// Opening calls nothing but the library's own initialisers; the caller has to call `zeInit` first. If that
/// fails, **no other function may be called**, neither now nor later in the process. Loader 1.8.12, for one,
/// unloads the driver when its initialisation fails and keeps pointers into it, so that `zeDriverGet` then
/// jumps to an unmapped address; newer loaders hand out a null driver. Treat such a machine as one without
/// a driver.
#[derive(Debug)]
pub struct Loader {
    api: Api,
    later: Later,
    library: OsString,
}

impl Loader {
    /// The loader of this process, opened on the first call; later calls give the same answer.
    ///
    /// It opens the library that [`LOADER_VARIABLE`] names, or else the system's loader. A function that an
    /// older loader lacks leaves its slot empty.
    ///
    /// # Errors
    ///
    /// [`LoadError::NotOpened`] if the dynamic linker cannot open the library, most often because none is
    /// installed; [`LoadError::NotALoader`] if it has no `zeInit`.
    pub fn open() -> Result<&'static Self, LoadError> {
        static LOADER: OnceLock<Result<Loader, LoadError>> = OnceLock::new();
        let loader = LOADER.get_or_init(|| {
            let named = env::var_os(LOADER_VARIABLE).filter(|name| !name.is_empty());
            // SAFETY: the system's loader has the documented ABI; whoever sets the variable, which is as
            // trusted as `LD_LIBRARY_PATH`, vouches for the library that it names.
            unsafe { Self::open_library(&named.unwrap_or_else(|| SYSTEM_LOADER.into())) }
        });
        loader.as_ref().map_err(LoadError::clone)
    }

    /// Opens the library of this path, or of this name if it has no directory.
    ///
    /// # Errors
    ///
    /// As for [`Loader::open`].
    ///
    /// # Safety
    ///
    /// The library's initialisers must be sound, and its functions with names of the API must have their
    /// C prototypes.
    pub unsafe fn open_library(library: &OsStr) -> Result<Self, LoadError> {
        // SAFETY: the caller vouches for the initialisers.
        let opened = unsafe { Library::new(library) }
            .map_err(|error| LoadError::NotOpened { library: library.into(), reason: root_cause(&error) })?;
        // The type says why the library is never closed; one that turns out to be no loader included, since
        // nothing says that an arbitrary library can be.
        let opened: &'static Library = Box::leak(Box::new(opened));
        // SAFETY: the caller vouches for the prototypes, and the library stays loaded.
        let api = unsafe { Api::from_lookup(|name| address(opened, name.to_bytes_with_nul())) };
        // SAFETY: the same.
        let later = unsafe { Later::from_lookup(|name| address(opened, name.to_bytes_with_nul())) };
        match api.global.pfnInit {
            Some(_) => Ok(Self { api, later, library: library.into() }),
            None => Err(LoadError::NotALoader { library: library.into() }),
        }
    }

    /// The functions of the loader. Call `zeInit` before all others, and none after it has failed.
    pub fn api(&self) -> &Api {
        &self.api
    }

    /// The functions of newer versions that the loader has, to be called after `zeInit` too.
    pub fn later(&self) -> &Later {
        &self.later
    }

    /// The path or name under which the library was opened.
    pub fn library(&self) -> &OsStr {
        &self.library
    }
}

/// The innermost message of an error: libloading keeps what the system said one level down.
fn root_cause(error: &dyn Error) -> String {
    match error.source() {
        Some(source) => root_cause(source),
        None => error.to_string(),
    }
}

/// The address of a symbol whose name ends with NUL, or null if the library has no such symbol.
fn address(library: &Library, name: &[u8]) -> *mut c_void {
    // SAFETY: the symbol is not used here, only its address is taken, and that fits a pointer to anything.
    match unsafe { library.get::<*mut c_void>(name) } {
        Ok(symbol) => *symbol,
        Err(_) => ptr::null_mut(),
    }
}
