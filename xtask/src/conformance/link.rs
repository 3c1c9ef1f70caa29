//! Modules with the functions that they import: programs that compile one module get one that is linked already, by the linker of
//! SPIRV-Tools, beside the module by itself.

use super::Module;
use crate::kernels::case::Case;
use crate::workspace;
use std::error::Error;
use std::fs;
use std::process::Command;
use std::ptr;

const LINKER: &str = "spirv-link";

/// Writes a linked copy of each module whose cases have a library, beside the module.
pub(super) fn copies(modules: &[Module], cases: &[Case]) -> Result<Vec<Module>, Box<dyn Error>> {
    let mut copies = Vec::new();
    for module in modules {
        let case = cases.iter().find(|case| ptr::eq(module.kernel.descriptor, case.kernel));
        let Some(case) = case.filter(|case| !case.library().is_empty()) else { continue };
        let file = module.file.with_extension("linked.spv");
        let mut command = Command::new(LINKER);
        command.arg(&module.file);
        for (number, other) in case.library().iter().enumerate() {
            let other_file = module.file.with_extension(format!("library{number}.spv"));
            fs::write(&other_file, other)?;
            command.arg(other_file);
        }
        workspace::capture(command.arg("-o").arg(&file))?;
        copies.push(Module { kernel: module.kernel, file });
    }
    Ok(copies)
}
