//! The atomic updates of floats in a module (SPV_EXT_shader_atomic_float_add, SPV_EXT_shader_atomic_float_min_max), which not every device has
//! for each type and kind of memory.
//!
//! The capabilities of a module tell the type alone, so its instructions are read.

use super::module::Instruction;
use kernel_core::{FloatAtomics, Requirements};
use std::collections::HashMap;

mod op {
    pub(super) const TYPE_FLOAT: u16 = 22;
    pub(super) const TYPE_POINTER: u16 = 32;
    /// The first that may yield a pointer; what comes before declares types and names.
    pub(super) const CONSTANT_NULL: u16 = 46;
    pub(super) const DECORATE: u16 = 71;
    pub(super) const GROUP_MEMBER_DECORATE: u16 = 75;
    pub(super) const ATOMIC_MIN: u16 = 5614;
    pub(super) const ATOMIC_MAX: u16 = 5615;
    pub(super) const ATOMIC_ADD: u16 = 6035;
}

const WORKGROUP: u32 = 4;

/// What a module asks of a device, for each type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Updates {
    pub(crate) fp16: FloatAtomics,
    pub(crate) fp32: FloatAtomics,
    pub(crate) fp64: FloatAtomics,
}

impl Updates {
    /// Those of a kernel.
    pub(crate) fn of(needs: &Requirements) -> Self {
        Self { fp16: needs.fp16_atomics, fp32: needs.fp32_atomics, fp64: needs.fp64_atomics }
    }

    /// Both together.
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            fp16: self.fp16.union(other.fp16),
            fp32: self.fp32.union(other.fp32),
            fp64: self.fp64.union(other.fp64),
        }
    }
}

/// What is known of the ids of a module that is read from its start.
#[derive(Default)]
pub(super) struct Reader {
    /// The bits of types of floats.
    floats: HashMap<u32, u32>,
    /// The storage classes of types of pointers.
    classes: HashMap<u32, u32>,
    /// The types of what may be a pointer.
    pointers: HashMap<u32, u32>,
    pub(super) found: Updates,
}

impl Reader {
    pub(super) fn add(&mut self, Instruction { opcode, operands }: Instruction<'_>) {
        match (opcode, operands) {
            (op::TYPE_FLOAT, [id, bits, ..]) => {
                self.floats.insert(*id, *bits);
            }
            (op::TYPE_POINTER, [id, class, _]) => {
                self.classes.insert(*id, *class);
            }
            (op::ATOMIC_ADD, [ty, _, pointer, ..]) => {
                self.note(*ty, *pointer, FloatAtomics::GLOBAL_ADD, FloatAtomics::LOCAL_ADD);
            }
            (op::ATOMIC_MIN | op::ATOMIC_MAX, [ty, _, pointer, ..]) => {
                self.note(*ty, *pointer, FloatAtomics::GLOBAL_MIN_MAX, FloatAtomics::LOCAL_MIN_MAX);
            }
            (..op::CONSTANT_NULL | op::DECORATE..=op::GROUP_MEMBER_DECORATE, _) => {}
            (_, [ty, id, ..]) if self.classes.contains_key(ty) => {
                self.pointers.insert(*id, *ty);
            }
            _ => {}
        }
    }

    /// Notes an update of what a pointer leads to. One of which only the driver can say where it leads is in global memory here.
    fn note(&mut self, ty: u32, pointer: u32, global: FloatAtomics, local: FloatAtomics) {
        let class = self.pointers.get(&pointer).and_then(|ty| self.classes.get(ty));
        let update = if class == Some(&WORKGROUP) { local } else { global };
        let found = match self.floats.get(&ty) {
            Some(16) => &mut self.found.fp16,
            Some(32) => &mut self.found.fp32,
            Some(64) => &mut self.found.fp64,
            _ => return,
        };
        *found = found.union(update);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn updates(code: &[(u16, &[u32])]) -> Updates {
        let mut reader = Reader::default();
        for &(opcode, operands) in code {
            reader.add(Instruction { opcode, operands });
        }
        reader.found
    }

    #[test]
    fn updates_are_of_a_type_in_a_kind_of_memory() {
        let types: [(u16, &[u32]); 7] = [
            (op::TYPE_FLOAT, &[1, 32]),
            (op::TYPE_FLOAT, &[2, 64]),
            (op::TYPE_POINTER, &[3, 5, 1]),
            (op::TYPE_POINTER, &[4, WORKGROUP, 2]),
            // Parameters, and a decoration of a type that looks like a pointer by the name of 21.
            (55, &[3, 20]),
            (55, &[4, 21]),
            (op::DECORATE, &[3, 21]),
        ];
        let of = |more: &[(u16, &[u32])]| updates(&[&types[..], more].concat());
        assert_eq!(of(&[]), Updates::default());
        let sum = of(&[(op::ATOMIC_ADD, &[1, 30, 20, 6, 7, 8])]);
        assert_eq!(sum, Updates { fp32: FloatAtomics::GLOBAL_ADD, ..Updates::default() });
        let both = of(&[(op::ATOMIC_MAX, &[2, 30, 21, 6, 7, 8]), (op::ATOMIC_MIN, &[1, 30, 20, 6, 7, 8])]);
        let expected = Updates {
            fp32: FloatAtomics::GLOBAL_MIN_MAX,
            fp64: FloatAtomics::LOCAL_MIN_MAX,
            ..Updates::default()
        };
        assert_eq!(both, expected);
        // By way of another pointer, and with operands that are not there.
        let local = of(&[(70, &[4, 22, 21, 9]), (op::ATOMIC_ADD, &[2, 30, 22, 6, 7, 8])]);
        assert_eq!(local.fp64, FloatAtomics::LOCAL_ADD);
        assert_eq!(of(&[(op::ATOMIC_ADD, &[1, 30]), (op::ATOMIC_ADD, &[])]), Updates::default());
    }
}
