//! Which of the loops that nothing bounds a work-item has to leave once it has faulted (`lower/escape.rs`).
//!
//! None that it cannot come to with a fault: there must be a check before the loop or in it.
//!
//! Leaving a loop must not part those who have to meet later. It does not where the work-items leave the loop
//! one by one anyway: then all that is stored in the loop is taken to differ between them as it is. Other loops are left only if all
//! still meet; if not, those who have faulted stay with the others.

use super::uniformity::{Uniformities, Uniformity};
use crate::ir::{Arena, Block, Module, Statement, Value};

/// Keeps the escapes from loops that are needed, and allowed, before anything else is found out about a kernel.
pub fn keep_escapes(module: &mut Module) {
    drop_needless(module);
    let leaves_loops = module.body.any(|block| block.escape(&module.values).is_some());
    if !leaves_loops || Uniformities::of(module).all_meet() {
        return;
    }
    let found = Uniformities::without_escapes(module);
    let Module { values, body, .. } = module;
    body.for_each_block_mut(&mut |block| {
        if block.escape(values).is_some_and(|label| found.of_passes(label) != Uniformity::Varying) {
            block.remove_escape(values);
        }
    });
}

/// Drops the escapes from loops to which no work-item comes with a fault.
pub(super) fn drop_needless(module: &mut Module) {
    let Module { values, body, .. } = module;
    drop_in(values, body, false);
}

/// Goes through a block to which a work-item may come with a fault, or not; whether it may have one afterwards.
fn drop_in(values: &Arena<Value>, block: &mut Block, mut faulted: bool) -> bool {
    for statement in &mut block.statements {
        faulted |= may_fault(values, statement);
        match statement {
            Statement::If { accept, reject, .. } => {
                let sides = [accept, reject].map(|side| drop_in(values, side, faulted));
                faulted |= sides.contains(&true);
            }
            Statement::Loop { label, body, continuing } => {
                faulted |= [&*body, continuing].into_iter().any(|block| may_fault_in(values, block));
                if !faulted || !body.reaches_end_of(*label) {
                    body.remove_escape(values);
                }
                drop_in(values, body, faulted);
                drop_in(values, continuing, faulted);
            }
            _ => {}
        }
    }
    faulted
}

fn may_fault_in(values: &Arena<Value>, block: &Block) -> bool {
    block.any(|block| block.statements.iter().any(|statement| may_fault(values, statement)))
}

/// Whether a work-item may go on with a fault after a statement, not counting the blocks in it.
fn may_fault(values: &Arena<Value>, statement: &Statement) -> bool {
    match statement {
        Statement::Evaluate(value) => values[*value].op.is_checked(),
        Statement::Store { place, .. } => place.is_checked(),
        _ => false,
    }
}
