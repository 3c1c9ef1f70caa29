//! Which values are needed after each barrier.

use super::flow::Flow;
use super::sets::Sets;
use crate::program::{Program, Terminator};

/// For each block, the values that it or what follows it reads before it defines them, its own phis among them.
pub(in crate::native) fn live_at_start(program: &Program, flow: &Flow) -> Sets {
    let mut live = Sets::new(flow.blocks, program.kinds.len());
    let mut row = Sets::new(1, program.kinds.len());
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for block in (0..flow.blocks).rev() {
            row.clone_from(&Sets::new(1, program.kinds.len()));
            let data = &program.blocks[block];
            for edge in data.terminator.edges() {
                let mut after = Sets::new(1, program.kinds.len());
                after.add_all(0, &live, edge.target.0 as usize);
                for step in &edge.moves {
                    after.remove(0, step.to.0 as usize);
                }
                for step in &edge.moves {
                    after.insert(0, step.from.0 as usize);
                }
                row.add_all(0, &after, 0);
            }
            if let Terminator::Branch { condition, .. } = data.terminator {
                row.insert(0, condition.0 as usize);
            }
            for inst in data.insts.iter().rev() {
                if let Some(result) = inst.result() {
                    row.remove(0, result.0 as usize);
                }
                let mut inst = *inst;
                inst.visit_operands(|operand| {
                    row.insert(0, operand.0 as usize);
                });
            }
            changed |= live.add_all(block, &row, 0);
        }
    }
    live
}
