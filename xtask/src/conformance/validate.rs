//! Shows modules to the Khronos validator, to the checks of the Level Zero environment, and to the translator that reads
//! them into LLVM IR, and writes them as text and back.

use super::report::Check;
use super::{Module, names};
use crate::workspace;
use kernel_compiler::environment;
use rspirv::binary::Disassemble;
use std::fs;
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
        check("LLVM names", names::check(module)),
        check("text and back", round_trip(module)),
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

/// Writes a module as text and reads that: the same instructions must come out, each id with its number.
fn round_trip(module: &Module) -> Result<(), String> {
    let [text, back] = ["spvasm", "back.spv"].map(|extension| module.file.with_extension(extension));
    let mut command = Command::new("spirv-dis");
    command.arg("--raw-id").arg(&module.file).arg("-o").arg(&text);
    workspace::capture(&mut command)?;
    let (major, minor) = module.kernel.descriptor.requirements.spirv_version;
    let mut command = Command::new("spirv-as");
    command.args(["--preserve-numeric-ids", "--target-env", &format!("spv{major}.{minor}")]);
    workspace::capture(command.arg(&text).arg("-o").arg(&back))?;
    let [written, read] = [&module.file, &back].map(|file| instructions(file));
    let (written, read) = (written?, read?);
    let differs = written.iter().zip(&read).find(|(written, read)| written != read);
    match differs {
        Some((written, read)) => Err(format!("`{written}` became `{read}`")),
        None if written.len() == read.len() => Ok(()),
        None => Err(format!("{} instructions became {}", written.len(), read.len())),
    }
}

/// The bound of ids and the instructions of a module, as text.
fn instructions(file: &Path) -> Result<Vec<String>, String> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let module = rspirv::dr::load_bytes(bytes).map_err(|state| format!("{state:?}"))?;
    let header = module.header.as_ref().ok_or("there is no header")?;
    let start = format!("bound {}, version {:?}", header.bound, header.version());
    Ok([start].into_iter().chain(module.all_inst_iter().map(Disassemble::disassemble)).collect())
}

fn translate(module: &Module) -> Result<(), String> {
    let mut command = Command::new(TRANSLATOR);
    command.arg("-r").arg(&module.file).arg("-o").arg(module.file.with_extension("bc"));
    workspace::capture(&mut command).map(drop)
}
