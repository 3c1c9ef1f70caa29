//! Block reads and writes of buffers.

use super::facts::{self, Facts, id, number};
use super::{Rule, Violation};
use rspirv::dr::Instruction;
use rspirv::spirv::{Op, StorageClass};

const INSTRUCTIONS: [Op; 2] = [Op::SubgroupBlockReadINTEL, Op::SubgroupBlockWriteINTEL];

pub(super) fn data(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for op in INSTRUCTIONS {
        facts.require(op, Rule::BlockData, violations, |access| {
            let data = match op {
                Op::SubgroupBlockReadINTEL => access.result_type.and_then(|ty| facts.definition(ty)),
                _ => id(access, 1).and_then(|data| facts.type_of(data)),
            };
            data.is_some_and(|data| is_allowed(facts, data))
        });
    }
}

/// Whether a type is an integer of 16 or 32 bits, or a vector of 2, 4 or 8 of these.
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
