//! Accesses to memory that several work-items change.

use super::{Verdict, Verifier, require};
use crate::ir::{Atomic, AtomicAccess, AtomicOp, Base, MemoryOrder, Numeric};

impl Verifier<'_> {
    /// Checks an access whose value is of a type.
    pub(super) fn atomic(&self, atomic: &Atomic, result: Option<Numeric>) -> Verdict {
        use MemoryOrder::{Acquire, AcquireRelease, Release};
        let Atomic { place, access, order, .. } = atomic;
        self.place(place)?;
        let is_shared = self.is_mutable(place) && !matches!(place.base, Base::Variable(_));
        require(is_shared, || "an atomic access is to memory that work-items share and change".to_owned())?;
        let result = result.filter(|ty| ty.lanes == 1).ok_or("an atomic access is to a number")?;
        let there = self.module.numeric(self.module.place_type(place));
        let fits = there.is_some_and(|there| there.lanes == 1 && there.scalar.bits() == result.scalar.bits());
        require(fits && [16, 32, 64].contains(&result.scalar.bits()), || {
            format!("an atomic access of type {result:?} to {there:?}")
        })?;
        for operand in access.operands() {
            let same = self.module.numeric(self.module.values[operand].ty) == Some(result);
            require(same, || format!("{operand:?} is not of the type of the access"))?;
        }
        let is_float = result.scalar.is_float();
        let fits = match access {
            AtomicAccess::Load => !is_float && !matches!(order, Release | AcquireRelease),
            AtomicAccess::Store(_) => !is_float && !matches!(order, Acquire | AcquireRelease),
            AtomicAccess::CompareExchange { failure, .. } => {
                !is_float && !matches!(failure, Release | AcquireRelease)
            }
            AtomicAccess::Update(op, _) => {
                !is_float || matches!(op, AtomicOp::Add | AtomicOp::Min | AtomicOp::Max)
            }
        };
        require(fits, || format!("{access:?} of {result:?} in the order {order:?}"))
    }
}
