//! Capabilities and the version, deduced from the instructions: the least that will do.

use super::{Requirements, SourcePlace};
use crate::environment::extension_of;
use crate::hash::HashMap;
use kernel_core::RequiredFeature;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{AccessQualifier, Capability, Decoration, Dim, ExecutionMode, Op, Word};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Declares what the instructions need, and returns the version of SPIR-V that they need as (major, minor).
pub(super) fn declare(module: &mut Module) -> (u8, u8) {
    let mut needed = BTreeSet::from([Capability::Addresses, Capability::Kernel]);
    let types = Types::of(module);
    for instruction in module.all_inst_iter() {
        needed.extend(type_capability(instruction));
        needed.extend(mode_capability(instruction));
        needed.extend(image_capabilities(instruction));
        needed.extend(atomic_capability(instruction, &types));
        needed.extend(group_capability(instruction));
        needed.extend(decoration_capability(instruction));
    }
    let declare =
        |capability| Instruction::new(Op::Capability, None, None, vec![Operand::Capability(capability)]);
    module.capabilities = needed.iter().copied().map(declare).collect();
    let extensions: BTreeSet<&str> = needed.iter().copied().filter_map(extension_of).collect();
    let declare = |name: &str| {
        Instruction::new(Op::Extension, None, None, vec![Operand::LiteralString(name.to_owned())])
    };
    module.extensions = extensions.into_iter().map(declare).collect();
    if needed.contains(&Capability::SubgroupDispatch) { (1, 1) } else { (1, 0) }
}

fn type_capability(instruction: &Instruction) -> Option<Capability> {
    match (instruction.class.opcode, instruction.operands.first()?) {
        (Op::TypeInt, Operand::LiteralBit32(8)) => Some(Capability::Int8),
        (Op::TypeInt, Operand::LiteralBit32(16)) => Some(Capability::Int16),
        (Op::TypeInt, Operand::LiteralBit32(64)) => Some(Capability::Int64),
        (Op::TypeFloat, Operand::LiteralBit32(16)) => Some(Capability::Float16),
        (Op::TypeFloat, Operand::LiteralBit32(64)) => Some(Capability::Float64),
        (Op::TypeVector, _) => {
            let is_long = instruction
                .operands
                .get(1)
                .is_some_and(|count| matches!(count, Operand::LiteralBit32(8 | 16)));
            is_long.then_some(Capability::Vector16)
        }
        _ => None,
    }
}

/// The capabilities of images, samplers and their dimensions (SPIR-V specification, "Capability").
fn image_capabilities(instruction: &Instruction) -> Vec<Capability> {
    let has = |operand: Operand| instruction.operands.contains(&operand);
    match instruction.class.opcode {
        Op::TypeImage => {
            let mut needed = vec![Capability::ImageBasic];
            if has(Operand::Dim(Dim::Dim1D)) {
                needed.push(Capability::Sampled1D);
            }
            if has(Operand::Dim(Dim::DimBuffer)) {
                needed.push(Capability::SampledBuffer);
            }
            if has(Operand::AccessQualifier(AccessQualifier::ReadWrite)) {
                needed.push(Capability::ImageReadWrite);
            }
            needed
        }
        Op::ConstantSampler => vec![Capability::LiteralSampler],
        _ => Vec::new(),
    }
}

fn mode_capability(instruction: &Instruction) -> Option<Capability> {
    let is_subgroup_size = instruction.class.opcode == Op::ExecutionMode
        && instruction.operands.get(1) == Some(&Operand::ExecutionMode(ExecutionMode::SubgroupSize));
    is_subgroup_size.then_some(Capability::SubgroupDispatch)
}

fn decoration_capability(instruction: &Instruction) -> Option<Capability> {
    match (instruction.class.opcode, instruction.operands.get(1)?) {
        (Op::Decorate, Operand::Decoration(Decoration::LinkageAttributes)) => Some(Capability::Linkage),
        (
            Op::Decorate,
            Operand::Decoration(Decoration::CacheControlLoadINTEL | Decoration::CacheControlStoreINTEL),
        ) => Some(Capability::CacheControlsINTEL),
        _ => None,
    }
}

fn group_capability(instruction: &Instruction) -> Option<Capability> {
    match instruction.class.opcode {
        Op::GroupAll
        | Op::GroupAny
        | Op::GroupBroadcast
        | Op::GroupIAdd
        | Op::GroupFAdd
        | Op::GroupFMin
        | Op::GroupUMin
        | Op::GroupSMin
        | Op::GroupFMax
        | Op::GroupUMax
        | Op::GroupSMax => Some(Capability::Groups),
        Op::SubgroupBlockReadINTEL | Op::SubgroupBlockWriteINTEL => {
            Some(Capability::SubgroupBufferBlockIOINTEL)
        }
        Op::SubgroupImageBlockReadINTEL | Op::SubgroupImageBlockWriteINTEL => {
            Some(Capability::SubgroupImageBlockIOINTEL)
        }
        Op::SubgroupShuffleINTEL => Some(Capability::SubgroupShuffleINTEL),
        _ => None,
    }
}

/// What an atomic instruction needs.
fn atomic_capability(instruction: &Instruction, types: &Types<'_>) -> Option<Capability> {
    Some(match (instruction.class.opcode, types.accessed(instruction)?) {
        (Op::AtomicFAddEXT, 16) => Capability::AtomicFloat16AddEXT,
        (Op::AtomicFAddEXT, 32) => Capability::AtomicFloat32AddEXT,
        (Op::AtomicFAddEXT, _) => Capability::AtomicFloat64AddEXT,
        (Op::AtomicFMinEXT | Op::AtomicFMaxEXT, 16) => Capability::AtomicFloat16MinMaxEXT,
        (Op::AtomicFMinEXT | Op::AtomicFMaxEXT, 32) => Capability::AtomicFloat32MinMaxEXT,
        (Op::AtomicFMinEXT | Op::AtomicFMaxEXT, _) => Capability::AtomicFloat64MinMaxEXT,
        (_, 64) => Capability::Int64Atomics,
        _ => return None,
    })
}

/// The widths of the scalar types, and the types of ids.
struct Types<'m> {
    module: &'m Module,
    widths: HashMap<Word, u32>,
    /// The types of all results, once one is asked for: only the type of what is stored is not in the instruction.
    results: OnceCell<HashMap<Word, Word>>,
}

impl<'m> Types<'m> {
    fn of(module: &'m Module) -> Self {
        let width =
            |instruction: &Instruction| match (instruction.class.opcode, instruction.operands.first()?) {
                (Op::TypeInt | Op::TypeFloat, Operand::LiteralBit32(width)) => {
                    Some((instruction.result_id?, *width))
                }
                _ => None,
            };
        let widths = module.types_global_values.iter().filter_map(width).collect();
        Self { module, widths, results: OnceCell::new() }
    }

    fn of_result(&self, id: Word) -> Option<Word> {
        let result = |instruction: &Instruction| Some((instruction.result_id?, instruction.result_type?));
        let results = self.results.get_or_init(|| self.module.all_inst_iter().filter_map(result).collect());
        results.get(&id).copied()
    }

    /// The width of what an atomic instruction accesses: that of its result, or of the value that it stores.
    fn accessed(&self, instruction: &Instruction) -> Option<u32> {
        let ty = match (instruction.class.opcode, instruction.operands.get(3)) {
            (Op::AtomicStore, Some(Operand::IdRef(value))) => self.of_result(*value)?,
            (Op::AtomicStore, _) => return None,
            _ if instruction.class.opname.starts_with("Atomic") => instruction.result_type?,
            _ => return None,
        };
        self.widths.get(&ty).copied()
    }
}

/// What a device must have to run a finished module.
pub(super) fn requirements(module: &Module, features: Vec<(RequiredFeature, SourcePlace)>) -> Requirements {
    let declared: BTreeSet<Capability> = module.capabilities.iter().filter_map(declared_capability).collect();
    let mut capabilities: Vec<String> = declared.iter().map(|capability| format!("{capability:?}")).collect();
    capabilities.sort_unstable();
    let mut extensions: Vec<String> = module.extensions.iter().filter_map(declared_extension).collect();
    extensions.sort_unstable();
    Requirements {
        spirv_version: module.header.as_ref().map_or((1, 0), |header| header.version()),
        capabilities,
        extensions,
        fp64: declared.contains(&Capability::Float64),
        fp16: declared.contains(&Capability::Float16),
        int64_atomics: declared.contains(&Capability::Int64Atomics),
        features,
    }
}

fn declared_capability(instruction: &Instruction) -> Option<Capability> {
    match instruction.operands.first() {
        Some(Operand::Capability(capability)) => Some(*capability),
        _ => None,
    }
}

fn declared_extension(instruction: &Instruction) -> Option<String> {
    match instruction.operands.first() {
        Some(Operand::LiteralString(name)) => Some(name.clone()),
        _ => None,
    }
}
