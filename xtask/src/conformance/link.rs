//! Modules with the functions that they import: programs that compile one module get one that is linked already, by the linker of
//! SPIRV-Tools and by that of Intel's compiler, beside the module by itself. What is exported has no kernel, and is looked at as a module too.

use super::Module;
use super::sample::Sample;
use crate::kernels::case::Case;
use crate::kernels::exported_functions::EXPORTS;
use crate::spirv;
use crate::workspace;
use catalogue::Kernel;
use kernel_core::{ExportDescriptor, KernelDescriptor};
use kernel_runtime::{__private, Library};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::ptr;

const LINKER: &str = "spirv-link";

/// Writes linked copies of each module whose cases have a library, beside the module.
pub(super) fn copies(modules: &[Module], cases: &[Case]) -> Result<Vec<Module>, Box<dyn Error>> {
    let mut copies = Vec::new();
    for module in modules {
        let case = cases.iter().find(|case| ptr::eq(module.kernel.descriptor, case.kernel));
        let Some(case) = case.filter(|case| !case.library().is_empty()) else { continue };
        let [file, by_intel] = ["linked.spv", "joined.bc"].map(|name| module.file.with_extension(name));
        let (mut tools, mut intel) = (Command::new(LINKER), Command::new("ocloc"));
        tools.arg(&module.file).arg("-o").arg(&file);
        intel.args(["link", "-out_format", "LLVM_BC", "-out"]).arg(&by_intel).arg("-file").arg(&module.file);
        for (number, other) in shipped(case)?.into_iter().enumerate() {
            let other_file = module.file.with_extension(format!("library{number}.spv"));
            fs::write(&other_file, other)?;
            tools.arg(&other_file);
            intel.arg("-file").arg(other_file);
        }
        workspace::capture(&mut tools)?;
        workspace::capture(&mut intel)?;
        copies.extend([file, by_intel].map(|file| Module { kernel: module.kernel, file }));
    }
    Ok(copies)
}

/// The modules of a case's library as the runtime hands them to drivers.
pub(super) fn shipped(case: &Case) -> Result<Vec<&'static [u8]>, Box<dyn Error>> {
    // SAFETY: kernels of the tests alone call what the modules export, and their imports say what that does.
    let library = unsafe { Library::new(case.library()) }?;
    Ok(library.spirv().collect())
}

/// Writes what is exported to a folder, if the file that it is in is asked for.
pub(super) fn exports(sample: &Sample, folder: &Path) -> Result<Vec<Module>, Box<dyn Error>> {
    let all = EXPORTS.iter().map(|export| &*Box::leak(Box::new(kernel(export))));
    let named = all.filter(|kernel| sample.contains(kernel));
    named.map(|kernel| Ok(Module { kernel, file: spirv::export(kernel, folder)? })).collect()
}

/// An exported function as what all checks are of.
fn kernel(export: &'static ExportDescriptor) -> Kernel {
    let ExportDescriptor { name, spirv, imports, unchecked, requirements } = *export;
    let descriptor =
        KernelDescriptor { name, imports, unchecked, requirements, ..__private::kernel_with(spirv) };
    Kernel {
        path: Box::leak(format!("exported_functions::{name}").into_boxed_str()),
        descriptor: Box::leak(Box::new(descriptor)),
    }
}
