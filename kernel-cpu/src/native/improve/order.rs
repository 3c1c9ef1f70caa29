//! Addresses are computed before a block accesses memory, so that one check can do for several accesses. Those of a work-item's own memory, which have no checks
//! in common, stay where they are: there may be thousands, each of which would be kept until then.

use crate::program::{Block, Inst, Program, Space};

pub(super) fn order(program: &mut Program) {
    let mut needed = vec![false; program.kinds.len()];
    let mut late = vec![false; program.kinds.len()];
    for block in &mut program.blocks {
        order_block(block, &mut needed, &mut late);
    }
}

/// Puts what the addresses of a block are made of first, but for what depends on something that the block reads.
fn order_block(block: &mut Block, needed: &mut [bool], late: &mut [bool]) {
    for inst in block.insts.iter_mut().rev() {
        let is_needed = match *inst {
            Inst::Load { space, address, .. } | Inst::Store { space, address, .. }
                if space != Space::Private =>
            {
                needed[address.0 as usize] = true;
                false
            }
            _ => inst.is_pure() && inst.result().is_some_and(|result| needed[result.0 as usize]),
        };
        if is_needed {
            inst.visit_operands(&mut |operand| needed[operand.0 as usize] = true);
        }
    }
    let mut moves = Vec::with_capacity(block.insts.len());
    for inst in &mut block.insts {
        let Some(result) = inst.result() else {
            moves.push(false);
            continue;
        };
        let mut is_late = !inst.is_pure();
        inst.visit_operands(&mut |operand| is_late |= late[operand.0 as usize]);
        late[result.0 as usize] = is_late;
        moves.push(!is_late && needed[result.0 as usize]);
    }
    // What one block reads is there for the next.
    block.insts.iter().filter_map(Inst::result).for_each(|result| late[result.0 as usize] = false);
    let of = |first: bool| block.insts.iter().zip(&moves).filter(move |(_, moves)| **moves == first);
    let ordered: Vec<Inst> = of(true).chain(of(false)).map(|(inst, _)| *inst).collect();
    block.insts = ordered;
}
