//! `cargo xtask ir`: the intermediate representation of kernels as text.
//!
//! The descriptors of the kernels in the catalogue have it as lowering leaves it, since its `build.rs` asks for it. What becomes of it is computed here.

use catalogue::{KERNELS, Kernel};
use kernel_compiler::emit::{self, Spirv};
use kernel_compiler::ir::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::{self, Write};

/// Runs the task with the arguments that follow its name.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (options, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.starts_with('-'));
    let kernels: Vec<&Kernel> = KERNELS.iter().filter(|kernel| kernel.is_named(&names)).collect();
    if kernels.is_empty() {
        return Err("no kernel has such a name".into());
    }
    match options[..] {
        [] => kernels.into_iter().try_for_each(|kernel| show(kernel, false)),
        ["--lowered"] => kernels.into_iter().try_for_each(|kernel| show(kernel, true)),
        ["--check"] => check(&kernels),
        _ => Err("`ir` takes names, and one of `--lowered` and `--check`".into()),
    }
}

fn show(kernel: &Kernel, lowered: bool) -> Result<(), Box<dyn Error>> {
    let mut module = read(kernel)?;
    if !lowered {
        translated(&mut module)?;
    }
    Ok(writeln!(io::stdout(), "// {}\n{module}\n", kernel.path)?)
}

/// Returns whether each text is read back, and becomes the SPIR-V that the kernel has. Kernels that share a module are checked together.
fn check(kernels: &[&Kernel]) -> Result<(), Box<dyn Error>> {
    let mut modules: BTreeMap<*const u8, Vec<&Kernel>> = BTreeMap::new();
    for kernel in KERNELS {
        modules.entry(module_of(kernel)).or_default().push(kernel);
    }
    let chosen: BTreeSet<_> = kernels.iter().map(|kernel| module_of(kernel)).collect();
    modules.retain(|module, _| chosen.contains(module));
    let mut complaints = Vec::new();
    for kernels in modules.values() {
        complaints.extend(check_module(kernels).err().map(|error| error.to_string()));
    }
    println!("{} passed, {} failed", modules.len() - complaints.len(), complaints.len());
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

/// What tells whether kernels share a module.
fn module_of(kernel: &Kernel) -> *const u8 {
    kernel.descriptor.spirv.bytes().as_ptr()
}

/// Checks the kernels of a module.
fn check_module(kernels: &[&Kernel]) -> Result<(), Box<dyn Error>> {
    let mut emitted = Vec::new();
    for kernel in kernels {
        emitted.push(round_trip(kernel).map_err(|error| format!("{}: {error}", kernel.path))?);
    }
    let merged = || emit::merge(emitted.iter().map(|spirv| (&spirv.words[..], &spirv.requirements)));
    let words = kernels[0].descriptor.spirv.words();
    let is_same = matches!(&emitted[..], [one] if one.words == words) || merged()?.words == words;
    if is_same { Ok(()) } else { Err(format!("{}: its text becomes other SPIR-V", kernels[0].path).into()) }
}

/// The SPIR-V of a kernel by way of its text, which is read back before and after the analysis.
fn round_trip(kernel: &Kernel) -> Result<Spirv, Box<dyn Error>> {
    let mut module = read(kernel)?;
    read_back(&module)?;
    if Some(&*module.to_string()) != kernel.descriptor.ir {
        return Err(format!("its text becomes\n{module}").into());
    }
    let spirv = translated(&mut module)?;
    read_back(&module)?;
    Ok(spirv)
}

/// Checks that the text of a module, which keeps the rules, is read as the same module.
fn read_back(module: &Module) -> Result<(), Box<dyn Error>> {
    module.verify()?;
    let text = module.to_string();
    let read = Module::parse(&text).map_err(|error| format!("{error}\n{text}"))?;
    if read == *module { Ok(()) } else { Err(format!("{text}\nis read as\n{read}").into()) }
}

/// The module of a kernel as lowering leaves it.
pub(crate) fn read(kernel: &Kernel) -> Result<Module, Box<dyn Error>> {
    let text = kernel.descriptor.ir.ok_or_else(|| format!("{} has no text", kernel.path))?;
    Module::parse(text).map_err(|error| format!("{}:{error}", kernel.path).into())
}

/// What the analysis leaves of a module, and its SPIR-V.
fn translated(module: &mut Module) -> Result<Spirv, String> {
    let translated = kernel_compiler::translate(module);
    translated.map(|translated| translated.spirv).map_err(|errors| format!("{errors:?}"))
}
