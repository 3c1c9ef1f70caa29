//! Block reads and writes of buffers and images.

use super::facts::{self, Facts, id, number};
use super::{Rule, Violation};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Dim, Op, StorageClass};

const INSTRUCTIONS: [Op; 2] = [Op::SubgroupBlockReadINTEL, Op::SubgroupBlockWriteINTEL];

const IMAGE_INSTRUCTIONS: [Op; 2] = [Op::SubgroupImageBlockReadINTEL, Op::SubgroupImageBlockWriteINTEL];

pub(super) fn data(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for op in INSTRUCTIONS.into_iter().chain(IMAGE_INSTRUCTIONS) {
        facts.require(op, Rule::BlockData, violations, |access| {
            let data = match op {
                Op::SubgroupBlockReadINTEL | Op::SubgroupImageBlockReadINTEL => {
                    access.result_type.and_then(|ty| facts.definition(ty))
                }
                Op::SubgroupImageBlockWriteINTEL => id(access, 2).and_then(|data| facts.type_of(data)),
                _ => id(access, 1).and_then(|data| facts.type_of(data)),
            };
            data.is_some_and(|data| is_allowed(facts, data))
        });
    }
}

/// Returns whether a type is an integer of 16 or 32 bits, or a vector of 2, 4 or 8 of these.
fn is_allowed(facts: &Facts<'_>, data: &Instruction) -> bool {
    match data.class.opcode {
        Op::TypeInt => matches!(number(data, 0), Some(16 | 32)),
        Op::TypeVector => {
            let component = id(data, 0).and_then(|component| facts.definition(component));
            matches!(number(data, 1), Some(2 | 4 | 8))
                && component.is_some_and(|component| {
                    component.class.opcode == Op::TypeInt && is_allowed(facts, component)
                })
        }
        _ => false,
    }
}

pub(super) fn pointer(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for op in INSTRUCTIONS {
        facts.require(op, Rule::BlockPointer, violations, |access| {
            let class =
                id(access, 0).and_then(|pointer| facts.type_of(pointer)).and_then(facts::pointer_class);
            class == Some(StorageClass::CrossWorkgroup)
        });
    }
}

pub(super) fn image(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for op in IMAGE_INSTRUCTIONS {
        facts.require(op, Rule::BlockImage, violations, |access| {
            let image = id(access, 0).and_then(|image| facts.type_of(image));
            image.is_some_and(|image| {
                let is_plain = [2, 3, 4].into_iter().all(|operand| number(image, operand) == Some(0));
                image.class.opcode == Op::TypeImage
                    && image.operands.get(1) == Some(&Operand::Dim(Dim::Dim2D))
                    && is_plain
            })
        });
    }
}

pub(super) fn coordinate(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for op in IMAGE_INSTRUCTIONS {
        facts.require(op, Rule::BlockCoordinate, violations, |access| {
            let ty = id(access, 1).and_then(|at| facts.type_of(at));
            let is_pair = ty.filter(|ty| ty.class.opcode == Op::TypeVector && number(ty, 1) == Some(2));
            let component =
                is_pair.and_then(|ty| id(ty, 0)).and_then(|component| facts.definition(component));
            component.is_some_and(|ty| ty.class.opcode == Op::TypeInt && number(ty, 0) == Some(32))
        });
    }
}
