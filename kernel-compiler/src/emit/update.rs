//! `place += value` and its like: one check for the load and the store.
//!
//! Both have the same place, so the check of the store fails exactly where that of the load did; then the value is not needed either.

use super::address::Address;
use super::caching::Access;
use super::kernel::{Ids, KernelEmitter};
use crate::ir::{Handle, Op as IrOp, Place, Statement, Value};
use rspirv::spirv::Op;

/// The load of a place, an operator on what was there, and the store of the result, which nothing else uses.
struct Update<'ir> {
    place: &'ir Place,
    old: Handle<Value>,
    new: Handle<Value>,
}

impl<'ir> KernelEmitter<'ir, '_> {
    /// Emits the update of a checked place with which a list of statements begins, and gives those that follow it.
    pub(super) fn update(&mut self, statements: &'ir [Statement]) -> Option<&'ir [Statement]> {
        let (update, rest) = self.find_update(statements)?;
        let address = self.accessed(update.place, Access::Update);
        let holds = self.code.all_hold(&address.guards)?;
        if self.code.end_unless(holds, &address.guards) {
            self.update_at(&address, &update);
            return Some(rest);
        }
        let [accept, reject, merge] = [(); 3].map(|()| self.code.label());
        self.code.branch_if(holds, accept, reject);
        let header = self.code.blocks.len();
        self.code.open(accept);
        self.update_at(&address, &update);
        self.code.branch(merge);
        self.code.open(reject);
        self.code.keep_fault(&address.guards);
        self.code.branch(merge);
        self.code.merge(header, Op::SelectionMerge, &[merge]);
        self.code.open(merge);
        Some(rest)
    }

    fn update_at(&mut self, address: &Address, update: &Update<'ir>) {
        let element = self.element_at(update.place, address);
        let pointer = address.emit(&mut self.code);
        let old = element.load(&mut self.code, pointer);
        self.values[update.old.index()] = Some(Ids::One(old));
        self.evaluate(update.new);
        let new = self.id(update.new);
        let new = element.stored(&mut self.code, new);
        element.store(&mut self.code, pointer, new);
    }

    fn find_update(&self, statements: &'ir [Statement]) -> Option<(Update<'ir>, &'ir [Statement])> {
        let [
            Statement::Evaluate(old),
            Statement::Evaluate(new),
            Statement::Store { place, value },
            rest @ ..,
        ] = statements
        else {
            return None;
        };
        let IrOp::Load(loaded) = &self.ir.values[*old].op else { return None };
        let IrOp::Binary { left, .. } = self.ir.values[*new].op else { return None };
        let is_chain =
            left == *old && value == new && [old, new].iter().all(|link| self.uses[link.index()] == 1);
        (is_chain && place.is_checked() && loaded == place)
            .then_some((Update { place, old: *old, new: *new }, rest))
    }
}
