//! Looks at emitted modules.

use kernel_compiler::emit::emit;
use kernel_compiler::ir;
use rspirv::dr::{Function, Instruction, Module, Operand, load_words};
use rspirv::spirv::{Op, Word};
use std::collections::{HashMap, HashSet};

/// Emits a module, reads it back, and checks what every module must satisfy.
pub(crate) fn emitted(module: &ir::Module) -> Module {
    assert_eq!(module.verify(), Ok(()));
    let spirv = emit(module);
    assert_eq!(emit(module), spirv, "emission is deterministic");
    let module = load_words(&spirv.words).expect("the words are SPIR-V");
    assert_eq!(kernel_compiler::environment::check(&module), []);
    assert_well_formed(&module);
    module
}

/// The function that is the entry point.
pub(crate) fn entry(module: &Module) -> &Function {
    let id = module.entry_points[0].operands[1].unwrap_id_ref();
    module
        .functions
        .iter()
        .find(|function| function.def_id() == Some(id))
        .expect("the entry point is defined")
}

/// The opcodes of the entry point from the first block to the last, without labels.
pub(crate) fn opcodes(module: &Module) -> Vec<Op> {
    let blocks = entry(module).blocks.iter();
    blocks.flat_map(|block| &block.instructions).map(|instruction| instruction.class.opcode).collect()
}

/// How often an opcode occurs in the whole module.
pub(crate) fn count(module: &Module, op: Op) -> usize {
    module.all_inst_iter().filter(|instruction| instruction.class.opcode == op).count()
}

/// The number of an extended instruction.
pub(crate) fn extended(instruction: &Instruction) -> Option<u32> {
    match instruction.operands.get(1) {
        Some(Operand::LiteralExtInstInteger(number)) => Some(*number),
        _ => None,
    }
}

/// Ids are defined once and before use, types are not declared twice, and each block ends with its only terminator.
fn assert_well_formed(module: &Module) {
    assert_ids(module);
    let mut types = HashSet::new();
    // Structs of different names may be alike.
    let is_unique =
        |ty: &&Instruction| ty.class.opname.starts_with("Type") && ty.class.opcode != Op::TypeStruct;
    for ty in module.types_global_values.iter().filter(is_unique) {
        assert!(types.insert((ty.class.opcode, format!("{:?}", ty.operands))), "{ty:?} is declared twice");
    }
    for function in &module.functions {
        assert_blocks(function);
    }
}

fn assert_ids(module: &Module) {
    let mut defined = HashSet::new();
    for id in module.all_inst_iter().filter_map(|instruction| instruction.result_id) {
        assert!(defined.insert(id), "%{id} is defined twice");
    }
    let bound = module.header.as_ref().expect("there is a header").bound;
    assert!(defined.iter().all(|&id| id < bound), "ids are below the bound");
    for instruction in module.all_inst_iter() {
        let operands = instruction.operands.iter().filter_map(Operand::id_ref_any);
        for id in operands.chain(instruction.result_type) {
            assert!(defined.contains(&id), "%{id} is used but not defined by {instruction:?}");
        }
    }
}

fn assert_blocks(function: &Function) {
    let labels: HashMap<Word, usize> = function
        .blocks
        .iter()
        .enumerate()
        .filter_map(|(index, block)| Some((block.label_id()?, index)))
        .collect();
    let mut reached = HashSet::from([0]);
    for (index, block) in function.blocks.iter().enumerate() {
        assert!(reached.contains(&index), "a block comes before all that jump to it, or nothing jumps to it");
        let (last, others) = block.instructions.split_last().expect("a block has a terminator");
        assert!(is_terminator(last.class.opcode), "{last:?} ends a block");
        assert!(!others.iter().any(|instruction| is_terminator(instruction.class.opcode)));
        let targets = last.operands.iter().filter_map(Operand::id_ref_any);
        reached.extend(targets.filter_map(|target| labels.get(&target)));
    }
}

fn is_terminator(op: Op) -> bool {
    matches!(op, Op::Branch | Op::BranchConditional | Op::Return | Op::ReturnValue | Op::Unreachable)
}
