//! Numbers that nobody else gets: what `fetch_add` returns.
//!
//! Where a kernel does nothing else to its atomics in global memory than load them and add numbers that are at least 1, no two additions to one atomic
//! find the same there, as long as it does not wrap around. One of 64 bits does not; one of 32 bits does not where each of the work-items of one dimension, which are
//! fewer than 2^32, adds 1 once.

use super::Checker;
use crate::analysis::uniformity::Uniformity;
use crate::ir::{Atomic, AtomicAccess, AtomicOp, Base, Handle, Op, Type, Value};

impl Checker<'_> {
    /// Whether a value is a number that no other work-item gets.
    pub(super) fn is_ticket(&mut self, value: Handle<Value>) -> bool {
        let module = self.module;
        let Op::Atomic(Atomic { place, access: AtomicAccess::Update(AtomicOp::Add, by), .. }) =
            &module.values[value].op
        else {
            return false;
        };
        // All add to the same one.
        let is_one = place.indices().all(|index| match module.values[index.index].op {
            Op::Constant(_) | Op::Parameter(_) => true,
            _ => {
                self.uniformities.values[index.index.index()] == Uniformity::Launch
                    && self.loops.around_value(index.index).next().is_none()
            }
        });
        let is_parameter = match place.base {
            Base::Slice(base) | Base::Pointer(base) => matches!(module.values[base].op, Op::Parameter(_)),
            _ => false,
        };
        let never_wraps = match module.scalar(module.values[value].ty) {
            Some(scalar) if scalar.bits() == 64 => true,
            Some(scalar) if scalar.bits() == 32 => {
                module.rank() == 1
                    && matches!(module.values[*by].op, Op::Constant(1))
                    && self.loops.around_value(value).next().is_none()
                    && self.count_of_additions() == 1
            }
            _ => false,
        };
        is_one && is_parameter && never_wraps && !self.writes_atomics && self.only_adds()
    }

    /// Whether atomics in global memory are loaded and added to only.
    fn only_adds(&self) -> bool {
        let module = self.module;
        module.values.iter().all(|(_, value)| match &value.op {
            Op::Atomic(Atomic { place, access, .. }) => {
                module.is_local(place)
                    || match access {
                        AtomicAccess::Load => true,
                        AtomicAccess::Update(AtomicOp::Add, by) => {
                            let is_small = |bits: u64| (1..=u64::from(u16::MAX)).contains(&bits);
                            let is_integer =
                                module.scalar(module.values[*by].ty).is_some_and(|scalar| !scalar.is_float());
                            is_integer
                                && matches!(module.values[*by].op, Op::Constant(bits) if is_small(bits))
                        }
                        _ => false,
                    }
            }
            // What others do to atomics is not known.
            Op::Call(_) => false,
            _ => !matches!(module.types[value.ty], Type::Pointer { raw: true, .. }),
        })
    }

    fn count_of_additions(&self) -> usize {
        let is_addition = |op: &Op| matches!(op, Op::Atomic(Atomic { access: AtomicAccess::Update(..), .. }));
        self.module.values.iter().filter(|(_, value)| is_addition(&value.op)).count()
    }
}
