//! Shows modules to the Khronos validator, to the checks of the Level Zero environment, and to the translator that reads
//! them into LLVM IR.

use super::Module;
use super::report::Check;
use crate::workspace;
use kernel_compiler::environment;
use std::path::Path;
use std::process::Command;

/// The translator, by the name of Debian's package.
pub(super) const TRANSLATOR: &str = "llvm-spirv-15";

/// The checks of one module.
pub(super) fn checks(module: &Module) -> Vec<Check> {
    let check = |consumer, result: Result<(), String>| Check {
        consumer,
        subject: module.kernel.path.to_owned(),
        verdict: result.into(),
    };
    vec![
        check("spirv-val", validate(module)),
        check("Level Zero rules", check_environment(module)),
        check("llvm-spirv -r", translate(module)),
    ]
}

fn validate(module: &Module) -> Result<(), String> {
    let requirements = &module.kernel.descriptor.requirements;
    let is_extended = requirements.fp16 || requirements.int64_atomics;
    run_validator(&module.file, requirements.spirv_version, is_extended)
}

/// Runs the Khronos validator on a module.
pub(crate) fn run_validator(file: &Path, spirv_version: (u8, u8), is_extended: bool) -> Result<(), String> {
    let mut command = Command::new("spirv-val");
    command.args(["--target-env", target(spirv_version, is_extended)]).arg(file);
    workspace::capture(&mut command).map(drop)
}

/// The strictest environment of the validator that takes modules of this version.
///
/// Its OpenCL environments end with SPIR-V 1.2 and know nothing of half precision and of 64-bit atomics, extensions of OpenCL; there only
/// the universal rules can be checked.
fn target(spirv_version: (u8, u8), is_extended: bool) -> &'static str {
    match (spirv_version, is_extended) {
        ((1, 0), false) => "opencl2.1",
        ((1, 0), true) => "spv1.0",
        ((1, 1 | 2), false) => "opencl2.2",
        ((1, 1 | 2), true) => "spv1.2",
        ((1, 3), _) => "spv1.3",
        _ => "spv1.4",
    }
}

/// The compiler checks this itself, but only in debug builds.
fn check_environment(module: &Module) -> Result<(), String> {
    let words = module.kernel.descriptor.spirv.words();
    check_rules(&rspirv::dr::load_words(words).map_err(|state| format!("{state:?}"))?)
}

/// Checks a module against the rules of the Level Zero environment.
pub(crate) fn check_rules(module: &rspirv::dr::Module) -> Result<(), String> {
    let violations = environment::check(module);
    if violations.is_empty() {
        return Ok(());
    }
    Err(violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn translate(module: &Module) -> Result<(), String> {
    let mut command = Command::new(TRANSLATOR);
    command.arg("-r").arg(&module.file).arg("-o").arg(module.file.with_extension("bc"));
    workspace::capture(&mut command).map(drop)
}
