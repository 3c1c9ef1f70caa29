//! Loops that a fault might keep from ever ending.
//!
//! In a kernel with barriers a work-item goes on after a fault, with zero for what it could not load or divide. `while node != END { node = next[node] }`
//! would then go on for ever. So at the head of each loop that nothing bounds, a work-item that has faulted leaves the loop, and what that would
//! have computed is zero.
//!
//! Where there is a barrier in the loop, others wait for it there, and would wait in every later pass too. So they find out together, at the head of each pass,
//! whether any of them has faulted: then the whole work-group ends, and writes nothing more that is made of zeros. For a loop that
//! only subgroups go through together that is the subgroup; if there are barriers of the work-group elsewhere, it
//! comes to these, and only leaves the loop.
//!
//! Which of these tests are needed, `analysis::keep_fault_exits` finds out. In other kernels a fault ends the work-item, and there are none.

use super::control::empty;
use super::{Builder, FunctionLowering};
use crate::ir::{Base, Block, End, FaultExit, Handle, Label, Op, Statement, Variable};
use kernel_core::Scalar;

impl FunctionLowering<'_, '_, '_, '_> {
    /// Starts the body of a loop that nothing bounds.
    pub(super) fn open_unbounded(&mut self, label: Label) {
        self.builder.open();
        self.builder.leave_if_faulted(label);
    }
}

impl Builder<'_, '_> {
    pub(super) fn leave_if_faulted(&mut self, label: Label) {
        let ty = self.scalar_type(Scalar::Bool);
        let condition = self.evaluate(ty, Op::HasFaulted);
        let accept = Block { statements: Vec::new(), end: End::Break(label) };
        self.push(Statement::If { condition, accept, reject: empty() });
    }

    /// Says who leaves the loops that nothing bounds, and has what the others leave undone be zero.
    pub(super) fn settle_fault_exits(&mut self, body: &mut Block) {
        let values = &self.values;
        if !body.any(|block| block.fault_exit(values).is_some()) {
            return;
        }
        let Some(widest) = body.meets(values) else {
            return body.for_each_block_mut(&mut |block| block.remove_fault_exit(values));
        };
        body.choose_fault_exits(&mut self.values, &mut |label, body, _, values| {
            let group = body.meets(values);
            let end = if group == Some(widest) { End::Return } else { End::Break(label) };
            Some(FaultExit { group, end })
        });
        let unset = self.left_unset(body);
        self.start_at_zero(body, &unset);
    }

    /// The variables that are stored to in a loop which a work-item may leave before that, and used elsewhere.
    fn left_unset(&self, body: &Block) -> Vec<Handle<Variable>> {
        let everywhere = self.uses(body);
        let mut unset = Vec::new();
        body.for_each_statement(&mut |statement| {
            let Statement::Loop { body, .. } = statement else { return };
            let fault_exit = body.fault_exit(&self.values);
            if fault_exit.is_none_or(|fault_exit| fault_exit.end == End::Return) {
                return;
            }
            let inside = self.uses(body);
            body.for_each_statement(&mut |statement| {
                let Statement::Store { place, .. } = statement else { return };
                let Base::Variable(variable) = place.base else { return };
                if inside[variable.index()] < everywhere[variable.index()] && !unset.contains(&variable) {
                    unset.push(variable);
                }
            });
        });
        unset
    }

    /// How often each variable is used in a block.
    fn uses(&self, block: &Block) -> Vec<u32> {
        let mut uses = vec![0; self.variables.len()];
        block.for_each_statement(&mut |statement| {
            let place = match statement {
                Statement::Evaluate(value) => self.values[*value].op.place(),
                Statement::Store { place, .. } => Some(place),
                _ => None,
            };
            if let Some(Base::Variable(variable)) = place.map(|place| place.base) {
                uses[variable.index()] += 1;
            }
        });
        uses
    }
}
