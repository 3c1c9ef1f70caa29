//! How LLVM's translator reads our modules: each instruction, built-in and function of OpenCL that LLVM has no instruction for must
//! become a call of the function which is named after it ("SPIR-V Representation in LLVM").

use super::Module;
use super::tools::Tools;
use crate::workspace;
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::{Decoration, Op, OpenclStd100Op};
use std::collections::BTreeSet;
use std::fs;

/// Checks that each name of a module is among those of the functions that it becomes.
pub(super) fn check(module: &Module, written: &dr::Module, tools: &Tools) -> Result<(), String> {
    let bitcode = module.file.with_extension("names.bc");
    let mut command = tools.translator();
    command.args(["-r", "--spirv-target-env=SPV-IR"]).arg(&module.file).arg("-o").arg(&bitcode);
    workspace::capture(&mut command)?;
    // The names of functions are as they are in the string table of the bitcode.
    let read = fs::read(&bitcode).map_err(|error| format!("{}: {error}", bitcode.display()))?;
    let missing: Vec<_> =
        names(written).into_iter().filter(|name| !contains(&read, name.as_bytes())).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no function is called {missing:?}")) }
}

/// The names of what LLVM has no instructions for, and of what is imported and exported.
fn names(module: &dr::Module) -> BTreeSet<String> {
    let built_in = module.all_inst_iter().filter_map(name).map(|name| format!("__spirv_{name}"));
    built_in.chain(module.annotations.iter().filter_map(linked)).collect()
}

/// The name by which other modules know something, if a decoration says one.
fn linked(decoration: &Instruction) -> Option<String> {
    match &decoration.operands[..] {
        [_, Operand::Decoration(Decoration::LinkageAttributes), Operand::LiteralString(name), ..] => {
            Some(name.clone())
        }
        _ => None,
    }
}

fn name(instruction: &Instruction) -> Option<String> {
    let (op, name) = (instruction.class.opcode, instruction.class.opname);
    let operands = &instruction.operands;
    match (op, operands.get(1), operands.get(2)) {
        (Op::Decorate, Some(Operand::Decoration(_)), Some(Operand::BuiltIn(built_in))) => {
            Some(format!("BuiltIn{built_in:?}"))
        }
        (Op::ExtInst, Some(Operand::LiteralExtInstInteger(number)), _) => {
            Some(format!("ocl_{:?}", OpenclStd100Op::from_u32(*number)?))
        }
        (Op::All | Op::Any | Op::IsNan | Op::IsInf | Op::IsFinite | Op::IsNormal | Op::SignBitSet, ..) => {
            Some(name.to_owned())
        }
        (Op::ControlBarrier | Op::MemoryBarrier | Op::SampledImage, ..) => Some(name.to_owned()),
        _ => ["Atomic", "Group", "Subgroup", "Image"]
            .iter()
            .any(|family| name.starts_with(family))
            .then(|| name.to_owned()),
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
