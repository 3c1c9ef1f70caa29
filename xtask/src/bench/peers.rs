//! What the CPU driver is measured with.

use super::bench;
use crate::install::{OpenClRuntime, install_packages, opencl_runtime, programs};
use crate::temporary::TemporaryFolder;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

/// PoCL's driver, and the packages that it is in.
const POCL: (&str, [&str; 2]) =
    ("/usr/lib/x86_64-linux-gnu/libpocl.so.2", ["pocl-opencl-icd", "ocl-icd-libopencl1"]);

/// The arguments for those that the guide shows.
pub(super) const SHOWN: [&str; 6] = ["--peer", "intel-c", "--peer", "pocl", "--peer", "rust"];

/// The other implementations, and folders from which they are found.
pub(super) struct Peers {
    intel: OpenClRuntime,
    intel_vendors: TemporaryFolder,
    pocl_vendors: TemporaryFolder,
}

impl Peers {
    /// Installs what is missing.
    pub(super) fn install() -> Result<Self, Box<dyn Error>> {
        compilers()?;
        let (driver, packages) = POCL;
        if !Path::new(driver).exists() {
            install_packages(&packages)?;
        }
        let pocl_vendors = TemporaryFolder::new()?;
        fs::write(pocl_vendors.path().join("pocl.icd"), format!("{driver}\n"))?;
        let intel = opencl_runtime()?;
        let intel_vendors = intel.vendors()?;
        Ok(Self { intel, intel_vendors, pocl_vendors })
    }
}

/// Installs the compilers of OpenCL C.
pub(super) fn compilers() -> Result<(), Box<dyn Error>> {
    programs()?;
    if Command::new("clang-15").arg("--version").output().is_err() {
        install_packages(&["clang-15"])?;
    }
    Ok(())
}

/// The benchmark of the CPU driver with these peers.
pub(super) fn command(peers: &Peers, arguments: &[String]) -> Command {
    let mut cargo = bench("cpu");
    cargo.arg("--").args(arguments);
    // The ICD loader takes a path for a folder only if it ends like one.
    cargo.arg("--intel").arg(peers.intel_vendors.path().join("")).arg(peers.intel.libraries());
    cargo.arg("--pocl").arg(peers.pocl_vendors.path().join(""));
    cargo
}
