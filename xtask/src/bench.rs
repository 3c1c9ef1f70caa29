//! `cargo xtask bench cpu`: installs what the CPU driver is measured with, and runs `benches/cpu`.

use crate::conformance::{install_packages, opencl_runtime, programs};
use crate::temporary::TemporaryFolder;
use crate::workspace;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

/// PoCL's driver, and the packages that it is in.
const POCL: (&str, [&str; 2]) =
    ("/usr/lib/x86_64-linux-gnu/libpocl.so.2", ["pocl-opencl-icd", "ocl-icd-libopencl1"]);

/// Runs the task.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [what, arguments @ ..] = arguments else {
        return Err("what is to be measured? `cpu` is all there is".into());
    };
    if what != "cpu" {
        return Err(format!("`{what}` cannot be measured; `cpu` is all there is").into());
    }
    programs()?;
    if Command::new("clang-15").arg("--version").output().is_err() {
        install_packages(&["clang-15"])?;
    }
    let (driver, packages) = POCL;
    if !Path::new(driver).exists() {
        install_packages(&packages)?;
    }
    let pocl = TemporaryFolder::new()?;
    fs::write(pocl.path().join("pocl.icd"), format!("{driver}\n"))?;
    let intel = opencl_runtime()?;
    let vendors = intel.vendors()?;
    let mut cargo = workspace::cargo();
    cargo.args(["bench", "--quiet", "--package", "kernel-tests", "--bench", "cpu", "--"]).args(arguments);
    // The ICD loader takes a path for a folder only if it ends like one.
    cargo.arg("--intel").arg(vendors.path().join("")).arg(intel.libraries());
    cargo.arg("--pocl").arg(pocl.path().join(""));
    workspace::run(&mut cargo)
}
