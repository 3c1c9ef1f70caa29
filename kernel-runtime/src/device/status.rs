//! Why there is a GPU, or none.
//!
//! One result code of `zeInit` covers no GPU, missing permissions and a version mismatch, so that the reason is
//! worked out here from the loader, the code and what the operating system shows.

use crate::error::DriverError;
use core::fmt;
use level_zero_sys::LoadError;

/// What the search for a GPU through the system's Level Zero loader came to.
///
/// The [`Display`](fmt::Display) form says it in a sentence and adds what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GpuStatus {
    /// There are GPUs, this many.
    Ready(usize),
    /// The library of the loader could not be opened; most likely it is not installed.
    NoLoader(LoadError),
    /// The loader could not initialise any driver. It is never called again in this process.
    InitFailed {
        /// What `zeInit` answered.
        error: DriverError,
        /// What the operating system shows of GPUs.
        nodes: RenderNodes,
    },
    /// The loader was initialised but has no driver.
    NoDriver,
    /// The loader handed out a driver that is a null pointer. It is never called again in this process.
    NullDriver,
    /// The driver could not be asked for its devices.
    DriverFailed(DriverError),
    /// There are drivers, but no device of theirs is a GPU.
    NoGpu,
}

/// The render nodes by which the operating system offers GPUs to programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderNodes {
    /// How many there are.
    pub found: usize,
    /// How many of them this user may not open for reading and writing.
    pub denied: usize,
}

impl RenderNodes {
    /// Looks for render nodes; elsewhere than on Linux there are none to be found.
    #[must_use]
    pub fn search() -> Self {
        let Ok(directory) = std::fs::read_dir("/dev/dri") else { return Self::default() };
        let mut nodes = Self::default();
        for entry in directory.flatten() {
            if entry.file_name().to_string_lossy().starts_with("renderD") {
                let opened = std::fs::File::options().read(true).write(true).open(entry.path());
                nodes.found += 1;
                nodes.denied += usize::from(opened.is_err());
            }
        }
        nodes
    }

    /// What most likely keeps the driver from working.
    fn hint(self) -> &'static str {
        match self {
            _ if !cfg!(target_os = "linux") => "help: install or update the GPU's driver",
            Self { found: 0, .. } => {
                "the system shows no GPU (there is no /dev/dri/renderD*); help: in a container, pass --device /dev/dri"
            }
            Self { denied: 0, .. } => {
                "the system has a GPU that this user may open, so that the driver is missing, does not know this GPU, \
                 or does not fit the kernel; help: install or update the GPU's Level Zero driver \
                 (such as intel-level-zero-gpu or libze-intel-gpu1)"
            }
            Self { .. } => {
                "this user may not open /dev/dri/renderD*; help: add the user to the group that owns it, \
                 usually `render`, and log in again"
            }
        }
    }
}

/// The modules of the operating system's kernel that drive Intel's GPUs and are loaded: `i915` and `xe`. One that is built in is not among them; none elsewhere than on Linux, where it
/// cannot be told.
#[must_use]
pub fn loaded_kernel_modules() -> Option<Vec<&'static str>> {
    let modules = std::fs::read_to_string("/proc/modules").ok()?;
    let is_loaded = |name: &&str| modules.lines().any(|line| line.split_whitespace().next() == Some(*name));
    Some(["i915", "xe"].into_iter().filter(is_loaded).collect())
}

impl fmt::Display for GpuStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(1) => f.write_str("there is one GPU"),
            Self::Ready(count) => write!(f, "there are {count} GPUs"),
            Self::NoLoader(error) => {
                write!(f, "no GPU can be used: {error}; help: install the loader (libze1 or level-zero)")
            }
            Self::InitFailed { error, nodes } => write!(f, "no GPU can be used: {error}; {}", nodes.hint()),
            Self::NoDriver => f.write_str(
                "no GPU can be used: the Level Zero loader has no driver; \
                 help: install the GPU's (such as intel-level-zero-gpu or libze-intel-gpu1)",
            ),
            Self::NullDriver => f.write_str(
                "no GPU can be used: the Level Zero loader handed out a null driver, as it does after a driver failed to \
                 initialise",
            ),
            Self::DriverFailed(error) => write!(f, "no GPU can be used: {error}"),
            Self::NoGpu => f.write_str("no GPU can be used: the Level Zero drivers have none"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::driver::check;
    use level_zero_sys::ze_result_t;

    fn init_failed(found: usize, denied: usize) -> String {
        let error = check("zeInit", ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED).unwrap_err();
        GpuStatus::InitFailed { error, nodes: RenderNodes { found, denied } }.to_string()
    }

    #[test]
    fn a_failed_initialisation_keeps_the_code() {
        let text = init_failed(0, 0);
        assert!(text.starts_with(
            "no GPU can be used: zeInit failed with ZE_RESULT_ERROR_UNINITIALIZED (0x78000001)"
        ));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_failed_initialisation_tells_the_three_reasons_apart() {
        assert!(init_failed(0, 0).contains("the system shows no GPU"));
        assert!(init_failed(1, 1).contains("add the user to the group"));
        assert!(init_failed(2, 1).contains("add the user to the group"));
        assert!(init_failed(1, 0).contains("install or update the GPU's Level Zero driver"));
    }

    #[test]
    fn a_missing_loader_shows_what_was_tried() {
        let error =
            LoadError::NotOpened { library: "/nowhere/libze.so".into(), reason: "no such file".into() };
        let text = GpuStatus::NoLoader(error).to_string();
        assert!(text.contains("`/nowhere/libze.so`") && text.contains("help: install the loader"), "{text}");
    }
}
