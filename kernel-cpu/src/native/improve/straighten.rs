//! Blocks that only follow each other become one.

use super::fold::remove_unreached;
use crate::native::analyse::flow::Flow;
use crate::native::lir::Refused;
use crate::program::{Block, Program, Terminator, Value};

/// Joins each block to the one that it jumps to, if nothing else leads there and both are in the same loop.
pub(super) fn straighten(program: &mut Program) -> Result<(), Refused> {
    let flow = Flow::new(program)?;
    let mut stands_for: Vec<Value> = (0..program.kinds.len() as u32).map(Value).collect();
    let mut blocks: Vec<Option<Block>> = std::mem::take(&mut program.blocks).into_iter().map(Some).collect();
    let mut result = Vec::with_capacity(blocks.len());
    for place in 0..blocks.len() {
        // What has been joined to a block before it leaves an empty one, to which nothing leads.
        let Some(mut block) = blocks[place].take() else {
            result.push(Block { insts: Vec::new(), terminator: Terminator::Return });
            continue;
        };
        while let Terminator::Jump(edge) = &block.terminator {
            let to = edge.target.0 as usize;
            // A value whose bits are taken for those of another kind stays apart.
            let kind = |value: Value| program.kinds[value.0 as usize];
            let is_alike = edge.moves.iter().all(|step| kind(step.to) == kind(step.from));
            if flow.preds[to].len() != 1 || flow.innermost[to] != flow.innermost[place] || !is_alike {
                break;
            }
            let Some(next) = blocks[to].take() else { break };
            for step in &edge.moves {
                // What it reads comes before, so that is known already.
                stands_for[step.to.0 as usize] = stands_for[step.from.0 as usize];
            }
            block.insts.extend(next.insts);
            block.terminator = next.terminator;
        }
        result.push(block);
    }
    let root = |value: Value| stands_for[value.0 as usize];
    for block in &mut result {
        for inst in &mut block.insts {
            inst.visit_operands(&mut |operand| *operand = root(*operand));
        }
        if let Terminator::Branch { condition, .. } = &mut block.terminator {
            *condition = root(*condition);
        }
        for step in block.terminator.edges_mut().flat_map(|edge| &mut edge.moves) {
            step.from = root(step.from);
        }
    }
    remove_unreached(&mut result);
    program.blocks = result;
    Ok(())
}
