//! Which operands of an instruction are ids.

use crate::load::grammar::{self, Kind, Op, Operand};
use crate::load::words::Instruction;
use crate::load::{Id, LoadError};
use std::collections::HashMap;

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
    let operands = grammar::instruction(inst.op as u32).map_or(&[][..], |row| row.operands);
    'operands: for operand in operands {
        while at < words.len() {
            match operand.kind() {
                Kind::Id => found.push(at),
                Kind::IdAndId => {
                    found.extend([at, at + 1]);
                    at += 1;
                }
                Kind::IdAndLiteral => {
                    found.push(at);
                    at += 1;
                }
                Kind::LiteralAndId => {
                    at += widths.literal(words[0]);
                    found.push(at);
                }
                Kind::Text => at = inst.string(at)?.1 - 1,
                Kind::ImageOperands => {
                    found.extend(at + 1..words.len());
                    break 'operands;
                }
                Kind::Constant => {
                    found.extend(at + 1..words.len().min(at + 1 + computed_from(words[at])));
                    break 'operands;
                }
                Kind::Function => {
                    found.extend(extended(words[at], at + 1, words.len()));
                    break 'operands;
                }
                Kind::Literals => break 'operands,
                Kind::Literal => {}
            }
            at += 1;
            if !matches!(operand, Operand::Repeated(_)) {
                break;
            }
        }
    }
    found.retain(|position| *position < words.len());
    Ok(found)
}

/// How many ids an instruction has that computes a constant; literals follow them.
fn computed_from(opcode: u32) -> usize {
    match grammar::instruction(opcode).map(|row| row.op) {
        Some(Op::CompositeExtract) => 1,
        Some(Op::CompositeInsert | Op::VectorShuffle) => 2,
        _ => usize::MAX / 2,
    }
}

/// The ids among the operands of a function of OpenCL.std, which are at these positions.
fn extended(function: u32, start: usize, end: usize) -> impl Iterator<Item = usize> {
    (start..end).filter(move |position| !grammar::is_literal(function, position - start))
}
