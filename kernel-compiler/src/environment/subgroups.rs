//! The instructions of SPV_INTEL_subgroups.

use super::facts::{Facts, id, number};
use super::{Rule, Violation};
use rspirv::dr::Instruction;
use rspirv::spirv::Op;

/// The guide leaves bytes and vectors of long integers open, so that these are not relied on.
pub(super) fn shuffle_type(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    let shuffles = [
        Op::SubgroupShuffleINTEL,
        Op::SubgroupShuffleDownINTEL,
        Op::SubgroupShuffleUpINTEL,
        Op::SubgroupShuffleXorINTEL,
    ];
    for op in shuffles {
        facts.require(op, Rule::ShuffleType, violations, |shuffle| {
            let data = shuffle.result_type.and_then(|ty| facts.definition(ty));
            data.is_some_and(|ty| is_shuffled(facts, ty))
        });
    }
}

fn is_shuffled(facts: &Facts<'_>, ty: &Instruction) -> bool {
    match ty.class.opcode {
        Op::TypeInt => matches!(number(ty, 0), Some(16 | 32 | 64)),
        Op::TypeFloat => matches!(number(ty, 0), Some(16 | 32 | 64)),
        Op::TypeVector => {
            let component = id(ty, 0).and_then(|component| facts.definition(component));
            let is_taken = component.is_some_and(|ty| match ty.class.opcode {
                Op::TypeInt => matches!(number(ty, 0), Some(16 | 32)),
                Op::TypeFloat => number(ty, 0) == Some(32),
                _ => false,
            });
            is_taken && matches!(number(ty, 1), Some(2 | 4 | 8 | 16))
        }
        _ => false,
    }
}
