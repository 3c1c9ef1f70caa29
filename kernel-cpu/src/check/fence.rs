//! What the barriers and copies of a module order.

use super::segment::{CLASSES, Class};
use crate::load::Module;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use spirv::{MemorySemantics, Scope};
use std::collections::HashMap;

/// What a barrier orders, of each class of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fence {
    /// For all that come to it.
    pub(crate) all: [bool; CLASSES],
    /// For those of one subgroup.
    pub(crate) subgroup: [bool; CLASSES],
}

/// An instruction by which work-items are ordered, or which lets nobody in particular access memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sync {
    /// A barrier of the group or of a subgroup.
    Barrier(Fence),
    /// An asynchronous copy is begun.
    Copy,
    /// The group waits for its copies.
    Wait,
}

/// Such instructions of a module, by the offsets of their words. What is not here orders nothing, such as the barriers that collectives are made of.
#[derive(Debug, Default)]
pub(crate) struct Syncs(HashMap<u32, Sync>);

impl Syncs {
    pub(crate) fn of(module: &Module<'_>) -> Self {
        let mut all = HashMap::new();
        for function in module.functions.values() {
            for inst in function.blocks.iter().flat_map(|block| &block.body) {
                if let Some(sync) = sync(module, inst) {
                    all.insert(inst.offset, sync);
                }
            }
        }
        Self(all)
    }

    pub(crate) fn at(&self, word: u32) -> Option<Sync> {
        self.0.get(&word).copied()
    }
}

fn sync(module: &Module<'_>, inst: &Instruction<'_>) -> Option<Sync> {
    match inst.op {
        Op::GroupAsyncCopy => Some(Sync::Copy),
        Op::GroupWaitEvents => Some(Sync::Wait),
        Op::ControlBarrier | Op::ControlBarrierWaitINTEL => {
            let number = |index| {
                let id = inst.operand(index).ok()?;
                module.constants.integer(id, &module.types)
            };
            Some(Sync::Barrier(fence(number(0)?, number(1), number(2))))
        }
        _ => None,
    }
}

/// What a barrier with these numbers orders; numbers that are no constants may be anything, and are taken to order all.
fn fence(execution: u64, memory: Option<u64>, semantics: Option<u64>) -> Fence {
    let mut fence = Fence::default();
    let semantics = MemorySemantics::from_bits_truncate(semantics.unwrap_or(u64::MAX) as u32);
    let both = MemorySemantics::ACQUIRE | MemorySemantics::RELEASE;
    let one = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::SEQUENTIALLY_CONSISTENT;
    let orders = semantics.intersects(one) || semantics.contains(both);
    // CrossDevice, Device and Workgroup have all of the group, and Invocation has nobody else.
    let scope = memory.unwrap_or(Scope::Device as u64);
    if !orders || scope > Scope::Subgroup as u64 {
        return fence;
    }
    let of_group = execution != Scope::Subgroup as u64 && scope != Scope::Subgroup as u64;
    for (class, bit) in [
        (Class::Local, MemorySemantics::WORKGROUP_MEMORY),
        (Class::Global, MemorySemantics::CROSS_WORKGROUP_MEMORY),
        (Class::Image, MemorySemantics::IMAGE_MEMORY),
    ] {
        let side = if of_group { &mut fence.all } else { &mut fence.subgroup };
        side[class as usize] = semantics.contains(bit);
    }
    fence
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCAL: u64 = 0x100;
    const GLOBAL: u64 = 0x200;
    const IMAGE: u64 = 0x800;
    const SEQUENTIALLY_CONSISTENT: u64 = 0x10;
    const WORK_GROUP: u64 = Scope::Workgroup as u64;
    const SUBGROUP: u64 = Scope::Subgroup as u64;

    #[test]
    fn a_barrier_orders_what_its_semantics_name() {
        let all = |semantics| fence(WORK_GROUP, Some(WORK_GROUP), Some(semantics)).all;
        assert_eq!(all(LOCAL | SEQUENTIALLY_CONSISTENT), [true, false, false]);
        assert_eq!(all(GLOBAL | 0x8), [false, true, false]);
        assert_eq!(all(LOCAL | GLOBAL | IMAGE | 0x6), [true; 3]);
        assert_eq!(all(LOCAL | GLOBAL), [false; 3], "relaxed");
        assert_eq!(all(LOCAL | GLOBAL | 0x2), [false; 3], "nobody releases");
        assert_eq!(all(0), [false; 3]);
    }

    #[test]
    fn a_barrier_orders_whom_its_scopes_have() {
        let of = |execution, memory| fence(execution, memory, Some(LOCAL | SEQUENTIALLY_CONSISTENT));
        let local = [true, false, false];
        let group = Fence { all: local, ..Fence::default() };
        let subgroup = Fence { subgroup: local, ..Fence::default() };
        assert_eq!(of(WORK_GROUP, Some(Scope::Device as u64)), group);
        assert_eq!(of(WORK_GROUP, Some(SUBGROUP)), subgroup);
        assert_eq!(of(WORK_GROUP, Some(Scope::Invocation as u64)), Fence::default());
        assert_eq!(of(SUBGROUP, Some(WORK_GROUP)), subgroup);
        assert_eq!(of(SUBGROUP, Some(SUBGROUP)), subgroup);
        assert_eq!(of(WORK_GROUP, None), group);
        assert_eq!(fence(WORK_GROUP, None, None).all, [true; 3]);
    }
}
