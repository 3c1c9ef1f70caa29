//! Asynchronous copies between local and global memory.

use super::kernel::KernelEmitter;
use crate::ir::{Group, GroupCopy, Handle, Type, Variable};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

impl KernelEmitter<'_, '_> {
    /// Begins a copy; the id is that of its event, whose type is given.
    pub(super) fn group_copy(&mut self, copy: &GroupCopy, event: Handle<Type>) -> Word {
        let ty = self.code.module.value_type(event);
        let mut operands = vec![Operand::IdScope(self.code.module.scope(Group::WorkGroup))];
        operands.extend(copy.operands().map(|operand| Operand::IdRef(self.id(operand))));
        // No copy that was begun before gets this event too.
        operands.push(Operand::IdRef(self.code.module.null(ty)));
        self.code.compute_with(Op::GroupAsyncCopy, ty, operands)
    }

    /// Waits for the copy whose event is in a variable.
    pub(super) fn wait_for_copy(&mut self, event: Handle<Variable>) {
        let scope = Operand::IdScope(self.code.module.scope(Group::WorkGroup));
        let one = Operand::IdRef(self.code.module.int_constant(32, 1));
        let events = Operand::IdRef(self.variables[event.index()]);
        self.code.effect(Op::GroupWaitEvents, vec![scope, one, events]);
    }
}
