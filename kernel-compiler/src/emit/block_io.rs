//! Block reads and writes (`SPV_INTEL_subgroups`).

use super::caching::Access;
use super::kernel::KernelEmitter;
use crate::ir::{BlockAccess, Handle, Type};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

impl KernelEmitter<'_, '_> {
    /// Emits an access, whose value is of a type.
    pub(super) fn block_access(&mut self, access: &BlockAccess, ty: Handle<Type>) -> Word {
        let BlockAccess { place, stored } = access;
        let access = if stored.is_some() { Access::Store } else { Access::Load };
        let mut address = self.accessed(place, access);
        let numeric = self.numeric_of(ty);
        let element = self.code.module.int(numeric.scalar.size() as u32 * 8);
        if self.code.module.memory_type(address.ty) != element {
            let class = self.place_class(place);
            address.cast = Some(self.code.module.pointer(class, element));
        }
        let pointer = Operand::IdRef(address.emit(&mut self.code));
        match stored {
            Some(value) => {
                let value = Operand::IdRef(self.id(*value));
                self.code.effect(Op::SubgroupBlockWriteINTEL, vec![pointer, value]);
                self.code.module.zero(ty)
            }
            None => {
                let result = self.code.module.value_type(ty);
                self.code.compute_with(Op::SubgroupBlockReadINTEL, result, vec![pointer])
            }
        }
    }
}
