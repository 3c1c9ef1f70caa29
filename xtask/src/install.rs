//! Gets the consumers that this machine does not have yet.
//!
//! Programs and libraries come from Debian's packages, which takes root. Intel's OpenCL runtime for CPUs comes from
//! Python packages (about 800 MB) and lives in a virtual environment: `OCL_VENV`, or `~/.cache/ocl-venv`.

#![cfg_attr(
    not(feature = "kernels"),
    allow(dead_code, reason = "the tasks that need kernels use more of it")
)]

use crate::temporary::TemporaryFolder;
use crate::workspace;
use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

/// The translator between SPIR-V and LLVM IR, by the name of Debian's package.
pub(crate) const TRANSLATOR: &str = "llvm-spirv-15";

/// Programs and the Debian packages that they are in.
const PROGRAMS: [(&str, &str); 3] =
    [("spirv-val", "spirv-tools"), (TRANSLATOR, "llvm-spirv-15"), ("ocloc", "intel-opencl-icd")];

/// The loader with its layers, and Intel's driver with its compiler.
const LIBRARIES: [(&str, &str); 2] =
    [("libze_loader.so.1", "libze1"), ("libze_intel_gpu.so.1", "intel-opencl-icd")];

/// The Python packages of the OpenCL runtime; the second holds libraries that the first needs.
const RUNTIME: [&str; 2] = ["intel-opencl-rt", "intel-cmplr-lib-rt"];

/// Intel's OpenCL runtime for CPUs, which is not registered with the system.
#[derive(Debug)]
pub(crate) struct OpenClRuntime {
    /// The folder of the driver, the ICD loader and the libraries that they need.
    libraries: PathBuf,
    /// The driver itself.
    driver: PathBuf,
}

impl OpenClRuntime {
    /// A folder from which the ICD loader takes this driver, as long as it exists.
    pub(crate) fn vendors(&self) -> io::Result<TemporaryFolder> {
        let vendors = TemporaryFolder::new()?;
        fs::write(vendors.path().join("intel.icd"), format!("{}\n", self.driver.display()))?;
        Ok(vendors)
    }

    /// The folder of the libraries that it needs.
    pub(crate) fn libraries(&self) -> &Path {
        &self.libraries
    }

    /// Has a program find this driver and no other.
    pub(crate) fn choose(&self, vendors: &TemporaryFolder, command: &mut Command) {
        // The ICD loader takes the value for a folder only if it ends like one.
        command.env("OCL_ICD_VENDORS", vendors.path().join(""));
        command.env("LD_LIBRARY_PATH", &self.libraries);
    }
}

/// Installs Level Zero's loader and Intel's driver, where they are missing.
pub(crate) fn level_zero_libraries() -> Result<(), Box<dyn Error>> {
    // SAFETY: only asks whether the system finds the libraries; their initialisers have no preconditions.
    let missing =
        LIBRARIES.iter().filter(|(library, _)| unsafe { libloading::Library::new(*library) }.is_err());
    install_packages(&missing.map(|&(_, package)| package).collect::<Vec<_>>())
}

/// Installs the packages of the programs that are not on the `PATH`.
pub(crate) fn programs() -> Result<(), Box<dyn Error>> {
    let missing = PROGRAMS.iter().filter(|(program, _)| !is_on_path(program)).map(|&(_, package)| package);
    install_packages(&missing.collect::<Vec<_>>())
}

/// Installs Debian packages, if there are any.
pub(crate) fn install_packages(packages: &[&str]) -> Result<(), Box<dyn Error>> {
    if packages.is_empty() {
        return Ok(());
    }
    let list = packages.join(" ");
    println!("installing {list}");
    let advice = |error: Box<dyn Error>| format!("{error}\nplease install these packages as root: {list}");
    workspace::run(apt_get().arg("update")).map_err(advice)?;
    workspace::run(apt_get().args(["install", "--yes", "--no-install-recommends"]).args(packages))
        .map_err(advice)?;
    Ok(())
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.arg("-qq").env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
    command
}

fn is_on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Finds the OpenCL runtime, after installing it if need be.
pub(crate) fn opencl_runtime() -> Result<OpenClRuntime, Box<dyn Error>> {
    let environment = virtual_environment()?;
    let runtime =
        OpenClRuntime { driver: environment.join("lib/libintelocl.so"), libraries: environment.join("lib") };
    if !runtime.driver.exists() {
        println!("installing {} in {}", RUNTIME.join(" "), environment.display());
        install_with_pip(&environment, &RUNTIME).map_err(|error| {
            format!("{error}\nset OCL_VENV to a Python virtual environment that has {}", RUNTIME.join(" "))
        })?;
    }
    if runtime.driver.exists() {
        return Ok(runtime);
    }
    Err(format!("{} is not there although the packages are installed", runtime.driver.display()).into())
}

pub(crate) fn virtual_environment() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(folder) = env::var_os("OCL_VENV") {
        return Ok(folder.into());
    }
    let home = env::home_dir().ok_or("there is no home folder, so set OCL_VENV")?;
    Ok(home.join(".cache/ocl-venv"))
}

/// The Python interpreter of the environment, with a package that is installed if need be.
pub(crate) fn python_package(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let environment = virtual_environment()?;
    let python = environment.join("bin/python");
    let has_package = Command::new(&python)
        .args(["-c", &format!("import {name}")])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_package {
        install_with_pip(&environment, &[name])?;
    }
    Ok(python)
}

/// Installs Python packages.
pub(crate) fn python_packages(names: &[&str]) -> Result<(), Box<dyn Error>> {
    println!("installing {}", names.join(" "));
    install_with_pip(&virtual_environment()?, names)
}

/// Installs Python packages in an environment, which is created if need be.
fn install_with_pip(environment: &Path, packages: &[&str]) -> Result<(), Box<dyn Error>> {
    if !environment.join("bin/pip").exists() {
        create_environment(environment)?;
    }
    let mut pip = Command::new(environment.join("bin/pip"));
    workspace::run(pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages))
}

/// Creates the environment; on Debian the module for it is a package of its own.
fn create_environment(environment: &Path) -> Result<(), Box<dyn Error>> {
    let create = || workspace::run(Command::new("python3").args(["-m", "venv"]).arg(environment));
    create().or_else(|_| {
        install_packages(&["python3-venv"])?;
        create()
    })
}
