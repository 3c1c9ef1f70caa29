//! Shows modules to the Khronos validator, to the checks of the Level Zero environment, and to the translator that reads
//! them into LLVM IR, and writes them as text and back.

use super::report::Check;
use super::tools::{DEBIAN, Tools, is_extended};
use super::{Module, caches, names};
use crate::workspace;
use kernel_compiler::environment;
use rspirv::binary::{Assemble, Disassemble};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{Op, Word};
use std::fs;
use std::path::Path;

/// The checks of one module.
pub(super) fn checks(module: &Module) -> Vec<Check> {
    let check = |consumer, result: Result<(), String>| Check {
        consumer,
        subject: module.kernel.path.to_owned(),
        verdict: result.into(),
    };
    let written = match dr::load_words(module.kernel.descriptor.spirv.words()) {
        Ok(written) => written,
        Err(state) => return vec![check("rspirv and back", Err(format!("{state:?}")))],
    };
    let tools = match Tools::of(&written) {
        Ok(tools) => tools,
        Err(error) => return vec![check("spirv-val", Err(error))],
    };
    let mut checks = vec![
        check("spirv-val", validate(module, &written, tools)),
        check("Level Zero rules", check_rules(&written)),
        check("llvm-spirv -r", translate(module, tools)),
        check("LLVM names", names::check(module, &written, tools)),
        check("text and back", round_trip(module, tools)),
        check("rspirv and back", round_trip_of_rspirv(module, tools)),
    ];
    if is_extended(&written) {
        checks.push(check("cache controls", caches::check(module, &written, tools)));
    }
    checks
}

fn validate(module: &Module, written: &dr::Module, tools: &Tools) -> Result<(), String> {
    let requirements = &module.kernel.descriptor.requirements;
    let is_beyond = requirements.fp16 || requirements.int64_atomics;
    let validate = |file: &Path| run(tools, file, requirements.spirv_version, is_beyond);
    if is_extended(written) {
        return caches::by_level(module, written)?.iter().try_for_each(|file| validate(file));
    }
    validate(&module.file)
}

/// Runs the Khronos validator of Debian on a module.
pub(crate) fn run_validator(file: &Path, spirv_version: (u8, u8), is_beyond: bool) -> Result<(), String> {
    run(&DEBIAN, file, spirv_version, is_beyond)
}

fn run(tools: &Tools, file: &Path, spirv_version: (u8, u8), is_beyond: bool) -> Result<(), String> {
    let mut command = tools.program("spirv-val");
    command.args(["--target-env", target(spirv_version, is_beyond)]).arg(file);
    workspace::capture(&mut command).map(drop)
}

/// The strictest environment of the validator that takes modules of this version.
///
/// Its OpenCL environments end with SPIR-V 1.2 and know nothing of half precision and of 64-bit atomics, extensions of OpenCL; there only
/// the universal rules can be checked.
fn target(spirv_version: (u8, u8), is_beyond: bool) -> &'static str {
    match (spirv_version, is_beyond) {
        ((1, 0), false) => "opencl2.1",
        ((1, 0), true) => "spv1.0",
        ((1, 1 | 2), false) => "opencl2.2",
        ((1, 1 | 2), true) => "spv1.2",
        ((1, 3), _) => "spv1.3",
        _ => "spv1.4",
    }
}

/// Checks a module against the rules of the Level Zero environment. The compiler does this itself, but only in debug builds.
pub(crate) fn check_rules(module: &dr::Module) -> Result<(), String> {
    let violations = environment::check(module);
    if violations.is_empty() {
        return Ok(());
    }
    Err(violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// Writes a module as text and reads that: the same words must come out, each id with its number.
fn round_trip(module: &Module, tools: &Tools) -> Result<(), String> {
    let text = module.file.with_extension("spvasm");
    let mut command = tools.program("spirv-dis");
    command.arg("--raw-id").arg(&module.file).arg("-o").arg(&text);
    workspace::capture(&mut command)?;
    read_text(module, &text, tools)
}

/// The same by rspirv, which first takes a module apart and puts it together.
fn round_trip_of_rspirv(module: &Module, tools: &Tools) -> Result<(), String> {
    let words = words_of(&module.file)?;
    let loaded = dr::load_words(&words).map_err(|state| format!("{state:?}"))?;
    same(&words, &loaded.assemble())?;
    if !has_lossless_text(&loaded) {
        return Ok(());
    }
    let text = module.file.with_extension("rspirv.spvasm");
    fs::write(&text, loaded.disassemble()).map_err(|error| error.to_string())?;
    read_text(module, &text, tools)
}

/// Returns whether rspirv writes all constants as they are: it takes the bits of floats of 16 bits for those of 32, and for what is not finite it has words that
/// spirv-as does not know.
fn has_lossless_text(module: &dr::Module) -> bool {
    let width = |ty: Option<Word>| {
        let mut types = module.types_global_values.iter();
        let found = types.find(|found| found.class.opcode == Op::TypeFloat && found.result_id == ty);
        found.and_then(|found| found.operands.first()).cloned()
    };
    let mut constants = module.types_global_values.iter().filter(|one| one.class.opcode == Op::Constant);
    constants.all(|constant| match (width(constant.result_type), constant.operands.first()) {
        (Some(Operand::LiteralBit32(16)), _) => false,
        (Some(_), Some(Operand::LiteralBit32(bits))) => f32::from_bits(*bits).is_finite(),
        (Some(_), Some(Operand::LiteralBit64(bits))) => f64::from_bits(*bits).is_finite(),
        _ => true,
    })
}

/// Has spirv-as read the text of a module.
fn read_text(module: &Module, text: &Path, tools: &Tools) -> Result<(), String> {
    let back = text.with_extension("back.spv");
    let (major, minor) = module.kernel.descriptor.requirements.spirv_version;
    let mut command = tools.program("spirv-as");
    command.args(["--preserve-numeric-ids", "--target-env", &format!("spv{major}.{minor}")]);
    workspace::capture(command.arg(text).arg("-o").arg(&back))?;
    same(&words_of(&module.file)?, &words_of(&back)?)
}

/// The words in a file, where the constants of a launch are set.
pub(super) fn words_of(file: &Path) -> Result<Vec<Word>, String> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(bytes.as_chunks().0.iter().map(|word| Word::from_le_bytes(*word)).collect())
}

/// Returns whether words are those of a module, but for the word that names the program which wrote them.
fn same(written: &[Word], read: &[Word]) -> Result<(), String> {
    const GENERATOR: usize = 2;
    let position = written.iter().zip(read).enumerate().find(|(at, (w, r))| *at != GENERATOR && w != r);
    match position {
        Some((at, (written, read))) => Err(format!("word {at}, {written:#x}, became {read:#x}")),
        None if written.len() == read.len() => Ok(()),
        None => Err(format!("{} words became {}", written.len(), read.len())),
    }
}

fn translate(module: &Module, tools: &Tools) -> Result<(), String> {
    let mut command = tools.translator();
    command.arg("-r").arg(&module.file).arg("-o").arg(module.file.with_extension("bc"));
    workspace::capture(&mut command).map(drop)
}
