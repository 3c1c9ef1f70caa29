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
            block.remove_escape();
        }
    });
}

/// Drops the escapes from loops to which no work-item comes with a fault.
pub(super) fn drop_needless(module: &mut Module) {
    let Module { values, body, .. } = module;
    Escapes { values }.block(body, false);
}

struct Escapes<'a> {
    values: &'a Arena<Value>,
}

impl Escapes<'_> {
    /// Goes through a block to which a work-item may come with a fault, or not; whether it may have one afterwards.
    fn block(&self, block: &mut Block, mut faulted: bool) -> bool {
        for statement in &mut block.statements {
            faulted |= self.may_fault(statement);
            match statement {
                Statement::If { accept, reject, .. } => {
                    let sides = [accept, reject].map(|side| self.block(side, faulted));
                    faulted |= sides.contains(&true);
                }
                Statement::Loop { label, body, continuing } => {
                    faulted |= [&*body, continuing].into_iter().any(|block| self.may_fault_in(block));
                    let is_needed = faulted && body.reaches_end_of(*label);
                    if !is_needed && body.escape(self.values).is_some() {
                        body.remove_escape();
                    }
                    self.block(body, faulted);
                    self.block(continuing, faulted);
                }
                _ => {}
            }
        }
        faulted
    }

    fn may_fault_in(&self, block: &Block) -> bool {
        block.any(|block| block.statements.iter().any(|statement| self.may_fault(statement)))
    }

    /// Whether a work-item may go on with a fault after a statement, not counting the blocks in it.
    fn may_fault(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Evaluate(value) => self.values[*value].op.is_checked(),
            Statement::Store { place, .. } => place.is_checked(),
            _ => false,
        }
    }
}
