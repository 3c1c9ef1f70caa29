//! Which of the loops that nothing bounds a work-item has to leave once it has faulted (`lower/escape.rs`).
//!
//! None that it cannot come to with a fault: there must be a check before the loop or in it. A loop without a check in it can be tested
//! before its first pass only.
//!
//! In kernels with barriers, leaving a loop must not part those who have to meet later. It does not where the work-items leave the loop
//! one by one anyway: then all that is stored in the loop is taken to differ between them as it is. Other loops are left only if all
//! still meet; if not, those who have faulted stay with the others.

use super::uniformity::{Uniformities, Uniformity};
use crate::ir::{Arena, Block, End, Label, Module, Op, Statement, Value};

/// Keeps the escapes from loops that are needed, and allowed, before anything else is found out about a kernel.
pub fn keep_escapes(module: &mut Module) {
    drop_needless(module, When::Before);
    let values = &module.values;
    let mut leaves_loops = false;
    module.body.for_each_statement(&mut |statement| {
        leaves_loops |= matches!(escape(values, statement), Some(End::Break(_)));
    });
    if !leaves_loops || Uniformities::of(module).all_meet() {
        return;
    }
    let found = Uniformities::without_escapes(module);
    let Module { values, body, .. } = module;
    let parts = |label| found.of_passes(label) == Uniformity::Varying;
    body.for_each_block_mut(&mut |block| {
        if let [_, statement, ..] = &block.statements[..]
            && let Some(End::Break(label)) = escape(values, statement)
            && !parts(label)
        {
            block.statements.drain(..2);
        }
    });
}

/// Drops the escapes that turned out not to be needed when the checks that cannot fail were removed, and puts what is left where it
/// costs least.
pub(super) fn place_escapes(module: &mut Module) {
    drop_needless(module, When::After);
}

/// Whether other checks may be removed yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Before,
    After,
}

fn drop_needless(module: &mut Module, when: When) {
    let Module { values, body, .. } = module;
    Escapes { values, when }.block(body, false);
}

struct Escapes<'a> {
    values: &'a Arena<Value>,
    when: When,
}

impl Escapes<'_> {
    /// Goes through a block to which a work-item may come with a fault, or not; whether it may have one afterwards.
    fn block(&self, block: &mut Block, mut faulted: bool) -> bool {
        let mut position = 0;
        while position < block.statements.len() {
            faulted |= self.may_fault(block, position);
            let mut before = None;
            match &mut block.statements[position] {
                Statement::If { accept, reject, .. } => {
                    let sides = [accept, reject].map(|side| self.block(side, faulted));
                    faulted |= sides.contains(&true);
                }
                Statement::Loop { label, body, continuing } => {
                    let inside = [&*body, continuing].into_iter().any(|block| self.may_fault_in(block));
                    before = self.at_head(*label, body, [faulted, inside]);
                    faulted |= inside;
                    self.block(body, faulted);
                    self.block(continuing, faulted);
                }
                _ => {}
            }
            if let Some(statements) = before {
                block.statements.splice(position..position, statements);
                position += 2;
            }
            position += 1;
        }
        faulted
    }

    /// Drops the escape of a loop if it is not needed, or gives it back if it has to stand before the loop only.
    fn at_head(&self, label: Label, body: &mut Block, [before, inside]: [bool; 2]) -> Option<Vec<Statement>> {
        let [_, statement, ..] = &body.statements[..] else { return None };
        let end = escape(self.values, statement)?;
        if body.reaches_end_of(label) && inside {
            return None;
        }
        let is_needed = body.reaches_end_of(label) && before;
        if is_needed && (self.when == When::Before || end != End::Return) {
            return None;
        }
        let statements = body.statements.drain(..2).collect();
        is_needed.then_some(statements)
    }

    fn may_fault_in(&self, block: &Block) -> bool {
        let mut faults = false;
        block.for_each_block(&mut |block| {
            faults |= (0..block.statements.len()).any(|position| self.may_fault(block, position));
        });
        faults
    }

    /// Whether a work-item may go on with a fault after a statement, not counting the blocks in it.
    fn may_fault(&self, block: &Block, position: usize) -> bool {
        match &block.statements[position] {
            Statement::Evaluate(value) if self.values[*value].op.is_checked() => {
                match block.statements.get(position + 1) {
                    // A panic leaves the kernel.
                    Some(Statement::If { condition, reject, .. }) if condition == value => {
                        !(reject.statements.is_empty() && reject.end == End::Return)
                    }
                    Some(_) => true,
                    None => block.end != End::Return,
                }
            }
            Statement::Store { place, .. } => place.is_checked(),
            _ => false,
        }
    }
}

/// Where a statement has work-items go that have faulted, if it is such a statement.
fn escape(values: &Arena<Value>, statement: &Statement) -> Option<End> {
    match statement {
        Statement::If { condition, accept, .. } if matches!(values[*condition].op, Op::HasFaulted) => {
            Some(accept.end)
        }
        _ => None,
    }
}
