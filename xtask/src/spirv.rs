//! `cargo xtask spirv DIR`: writes every kernel of the examples, tests and benchmarks as a SPIR-V module, `.spv`, and
//! its descriptor, `.json`.

use catalogue::{KERNELS, Kernel};
use kernel_core::{Argument, FaultSite, Specialization};
use serde_json::{Value, json};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs the task with the arguments that follow its name.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [folder] = arguments else {
        return Err("`spirv` takes one argument, the folder to write to".into());
    };
    let folder = Path::new(folder);
    for kernel in KERNELS {
        export(kernel, folder)?;
    }
    println!("wrote {} modules and their descriptors to {}", KERNELS.len(), folder.display());
    Ok(())
}

/// Writes both files of a kernel, creating the folder if needed, and returns the path of the module.
pub(crate) fn export(kernel: &Kernel, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let stem = kernel.path.replace("::", ".");
    let module = folder.join(format!("{stem}.spv"));
    fs::write(&module, kernel.descriptor.spirv.bytes())?;
    let descriptor = serde_json::to_string_pretty(&describe(kernel))?;
    fs::write(folder.join(format!("{stem}.json")), descriptor + "\n")?;
    Ok(module)
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
