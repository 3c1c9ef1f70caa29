//! Which operands of an instruction are ids.

use crate::load::words::Instruction;
use crate::load::{Id, LoadError};
use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier, ext_inst_table};
use rspirv::spirv::Op;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The operands of each instruction after its type and its result.
static OPERANDS: LazyLock<HashMap<u32, Vec<&'static LogicalOperand>>> = LazyLock::new(|| {
    let own = |operand: &&LogicalOperand| {
        !matches!(operand.kind, OperandKind::IdResultType | OperandKind::IdResult)
    };
    let operands = |inst: &'static rspirv::grammar::Instruction<'static>| {
        (inst.opcode as u32, inst.operands.iter().filter(own).collect())
    };
    INSTRUCTION_TABLE.iter().map(operands).collect()
});

/// What tells how wide the literals of a switch are.
#[derive(Debug, Default)]
pub(super) struct Widths {
    /// The widths of integer types.
    integers: HashMap<Id, u32>,
    /// The types of results.
    types: HashMap<Id, Id>,
}

impl Widths {
    pub(super) fn of(instructions: &[Instruction<'_>]) -> Self {
        let mut widths = Self::default();
        for inst in instructions {
            if inst.op == Op::TypeInt {
                widths.integers.insert(inst.result, inst.operands.first().copied().unwrap_or(32));
            }
            if inst.result_type != 0 {
                widths.types.insert(inst.result, inst.result_type);
            }
        }
        widths
    }

    /// How many words a literal has that is compared with an id.
    fn literal(&self, id: Id) -> usize {
        let width = self.types.get(&id).and_then(|ty| self.integers.get(ty));
        if width.is_some_and(|width| *width > 32) { 2 } else { 1 }
    }
}

/// The positions of the operands that are ids.
pub(super) fn ids(inst: &Instruction<'_>, widths: &Widths) -> Result<Vec<usize>, LoadError> {
    let words = inst.operands;
    let (mut found, mut at) = (Vec::new(), 0);
    let logical = OPERANDS.get(&(inst.op as u32)).map_or(&[][..], Vec::as_slice);
    'operands: for operand in logical {
        while at < words.len() {
            match operand.kind {
                OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => found.push(at),
                OperandKind::PairIdRefIdRef => {
                    found.extend([at, at + 1]);
                    at += 1;
                }
                OperandKind::PairIdRefLiteralInteger => {
                    found.push(at);
                    at += 1;
                }
                OperandKind::PairLiteralIntegerIdRef => {
                    at += widths.literal(words[0]);
                    found.push(at);
                }
                OperandKind::LiteralString => at = inst.string(at)?.1 - 1,
                OperandKind::ImageOperands => {
                    found.extend(at + 1..words.len());
                    break 'operands;
                }
                OperandKind::LiteralSpecConstantOpInteger => {
                    found.extend(at + 1..words.len().min(at + 1 + computed_from(words[at])));
                    break 'operands;
                }
                OperandKind::LiteralExtInstInteger => {
                    found.extend(extended(words[at], at + 1, words.len()));
                    break 'operands;
                }
                // What follows these are literals.
                OperandKind::LiteralContextDependentNumber
                | OperandKind::MemoryAccess
                | OperandKind::LoopControl
                | OperandKind::Decoration
                | OperandKind::ExecutionMode => break 'operands,
                _ => {}
            }
            at += 1;
            if operand.quantifier != OperandQuantifier::ZeroOrMore {
                break;
            }
        }
    }
    found.retain(|position| *position < words.len());
    Ok(found)
}

/// How many ids an instruction has that computes a constant; literals follow them.
fn computed_from(opcode: u32) -> usize {
    match Op::from_u32(opcode) {
        Some(Op::CompositeExtract) => 1,
        Some(Op::CompositeInsert | Op::VectorShuffle) => 2,
        _ => usize::MAX / 2,
    }
}

/// The ids among the operands of a function of OpenCL.std, which are at these positions.
fn extended(function: u32, start: usize, end: usize) -> Vec<usize> {
    let table = ext_inst_table("OpenCL.std");
    let known = table.and_then(|table| table.lookup_opcode(function));
    let is_id = |position: usize| {
        let operand = known.and_then(|known| known.operands.get(position - start));
        operand.is_none_or(|operand| operand.kind == OperandKind::IdRef)
    };
    (start..end).filter(|position| is_id(*position)).collect()
}
