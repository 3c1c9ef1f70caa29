//! `cargo xtask spirv DIR`: writes every kernel of the examples, tests and benchmarks as a SPIR-V module, `.spv`, and
//! its descriptor, `.json`.

use kernel_core::{Argument, FaultSite, KernelDescriptor, Specialization};
use serde_json::{Value, json};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// A kernel of the project.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// The path of its function below the module `kernels`.
    pub(crate) path: &'static str,
    /// What the macro made of it.
    pub(crate) descriptor: &'static KernelDescriptor,
}

/// Every kernel of the project; `build.rs` sees to it that none is missing.
pub(crate) static KERNELS: &[Kernel] = include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Runs the task with the arguments that follow its name.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [folder] = arguments else {
        return Err("`spirv` takes one argument, the folder to write to".into());
    };
    let folder = Path::new(folder);
    for kernel in KERNELS {
        kernel.export(folder)?;
    }
    println!("wrote {} modules and their descriptors to {}", KERNELS.len(), folder.display());
    Ok(())
}

impl Kernel {
    /// Returns whether a kernel is asked for, by a part of its path or since no names are given.
    pub(crate) fn is_named(&self, names: &[impl AsRef<str>]) -> bool {
        names.is_empty() || names.iter().any(|name| self.path.contains(name.as_ref()))
    }

    /// Writes both files, creating the folder if needed, and returns the path of the module.
    pub(crate) fn export(&self, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
        fs::create_dir_all(folder)?;
        let stem = self.path.replace("::", ".");
        let module = folder.join(format!("{stem}.spv"));
        fs::write(&module, self.descriptor.spirv.bytes())?;
        let descriptor = serde_json::to_string_pretty(&describe(self))?;
        fs::write(folder.join(format!("{stem}.json")), descriptor + "\n")?;
        Ok(module)
    }
}

fn describe(kernel: &Kernel) -> Value {
    let descriptor = kernel.descriptor;
    let requirements = &descriptor.requirements;
    let (major, minor) = requirements.spirv_version;
    json!({
        "path": kernel.path,
        "name": descriptor.name,
        "specializations": descriptor.specializations.iter().map(describe_specialization).collect::<Vec<_>>(),
        "arguments": descriptor.arguments.iter().map(describe_argument).collect::<Vec<_>>(),
        "rank": descriptor.rank,
        "group_size": descriptor.group_size,
        "subgroup_size": descriptor.subgroup_size,
        "local_memory": descriptor.local_memory,
        "correctly_rounded": descriptor.correctly_rounded,
        "indirect": descriptor.indirect,
        "unchecked": descriptor.unchecked,
        "races": descriptor.races,
        "requirements": {
            "spirv_version": format!("{major}.{minor}"),
            "capabilities": requirements.capabilities,
            "extensions": requirements.extensions,
            "fp64": requirements.fp64,
            "fp16": requirements.fp16,
            "int64_atomics": requirements.int64_atomics,
            "fp16_atomics": requirements.fp16_atomics.0,
            "fp32_atomics": requirements.fp32_atomics.0,
            "fp64_atomics": requirements.fp64_atomics.0,
        },
        "prints": descriptor.prints(),
        "fault_sites": descriptor.fault_sites.iter().map(describe_site).collect::<Vec<_>>(),
    })
}

fn describe_specialization(specialization: &Specialization) -> Value {
    json!({ "name": specialization.name, "type": specialization.ty.to_string() })
}

fn describe_argument(argument: &Argument) -> Value {
    json!({ "name": argument.name, "type": argument.kind.to_string() })
}

fn describe_site(site: FaultSite<'_>) -> Value {
    json!({
        "kind": format!("{:?}", site.kind),
        "file": site.file,
        "line": site.line,
        "column": site.column,
        "message": site.message,
        "reason": site.reason,
    })
}
