//! Which of the loops that nothing bounds work-items have to leave once one has faulted (`lower/fault_exit.rs`).
//!
//! None to which they cannot come with a fault: there must be a check before the loop or in it. And none that ends by itself
//! ([`super::bounded`]).
//!
//! Leaving a loop must not part those who have to meet later. It does not where the work-items leave the loop
//! one by one anyway: then all that is stored in the loop is taken to differ between them as it is. Other loops each leaves for himself only if all
//! still meet; if not, they find out together whether any of them has faulted, and the group ends.

use super::bounded::{Bounded, Positive};
use super::uniformity::{Uniformities, Uniformity, of_group};
use crate::ir::{Block, End, FaultExit, Group, Label, Module, Statement};

/// Keeps the fault exits from loops that are needed, and allowed, before anything else is found out about a kernel.
pub fn keep_fault_exits(module: &mut Module) {
    drop_needless(module);
    let has_fault_exits = module.body.any(|block| block.fault_exit(&module.values).is_some());
    if !has_fault_exits || Uniformities::of(module).all_meet() {
        return;
    }
    let found = Uniformities::without_fault_exits(module);
    let Some(widest) = module.body.meets(&module.values) else { return };
    let Module { values, body, .. } = module;
    body.choose_fault_exits(values, &mut |label, _, fault_exit, _| {
        let passes = found.of_passes(label);
        match (fault_exit, passes) {
            // Not all of the group come to the loop together, which is an error.
            (FaultExit { group: Some(group), .. }, _) if passes > of_group(group) => None,
            (FaultExit { end: End::Return, .. }, _) | (_, Uniformity::Varying) => Some(fault_exit),
            (FaultExit { end, .. }, Uniformity::Subgroup) => {
                let end = if widest == Group::Subgroup { End::Return } else { end };
                Some(FaultExit { group: Some(Group::Subgroup), end })
            }
            _ => Some(FaultExit { group: Some(widest), end: End::Return }),
        }
    });
}

/// Drops the fault exits from loops that end after a fault as they do without, and from those to which no work-item comes with one.
pub(super) fn drop_needless(module: &mut Module) {
    if !module.body.any(|block| block.fault_exit(&module.values).is_some()) {
        return;
    }
    let mut body = std::mem::replace(&mut module.body, Block { statements: Vec::new(), end: End::Return });
    drop_in(module, &mut body, false, Positive::default());
    module.body = body;
}

/// Goes through a block to which a work-item may come with a fault, or not; whether it may have one afterwards.
fn drop_in(module: &Module, block: &mut Block, mut faulted: bool, mut positive: Positive) -> bool {
    for statement in &mut block.statements {
        faulted |= statement.is_checked(&module.values);
        match statement {
            Statement::If { accept, reject, .. } => {
                let sides = [accept, reject].map(|side| drop_in(module, side, faulted, positive.clone()));
                faulted |= sides.contains(&true);
            }
            Statement::Loop { label, body, continuing } => {
                faulted |= [&*body, continuing].into_iter().any(|block| block.is_checked(&module.values));
                if body.fault_exit(&module.values).is_some()
                    && (!faulted || ends(module, *label, body, continuing, &positive))
                {
                    body.remove_fault_exit(&module.values);
                }
                drop_in(module, body, faulted, Positive::default());
                drop_in(module, continuing, faulted, Positive::default());
            }
            _ => {}
        }
        positive.pass(module, statement);
    }
    faulted
}

/// Returns whether a loop ends whatever has gone wrong.
fn ends(module: &Module, label: Label, body: &Block, continuing: &Block, positive: &Positive) -> bool {
    !body.reaches_end_of(label) || Bounded::new(module, label, [body, continuing], positive).ends()
}
