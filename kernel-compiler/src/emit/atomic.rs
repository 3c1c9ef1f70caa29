//! Atomic accesses and fences.
//!
//! An order that is more than relaxed holds for local and for global memory, as in Rust, whatever memory the access is to.

use super::caching::Access;
use super::kernel::KernelEmitter;
use crate::ir::{Atomic, AtomicAccess, AtomicOp, Handle, MemoryOrder, Op as IrOp, Scope, Type, Value};
use kernel_core::Scalar;
use rspirv::dr::Operand;
use rspirv::spirv::{self, MemorySemantics, Op, Word};

impl KernelEmitter<'_, '_> {
    /// Emits an access, whose value is of a type.
    pub(super) fn atomic(&mut self, atomic: &Atomic, ty: Handle<Type>) -> Word {
        let Atomic { place, access, scope, order } = atomic;
        let mut address = self.accessed(place, Access::Update);
        let value_type = self.code.module.value_type(ty);
        if self.code.module.memory_type(address.ty) != value_type {
            let class = self.place_class(place);
            address.cast = Some(self.code.module.pointer(class, value_type));
        }
        let zero = self.code.module.zero(ty);
        let scalar = self.numeric_of(ty).scalar;
        let scope = self.memory_scope(*scope);
        let order = self.semantics(*order);
        if let AtomicAccess::Store(value) = access {
            let value = Operand::IdRef(self.id(*value));
            self.code.guarded_effect(&address.guards, |code| {
                let pointer = Operand::IdRef(address.emit(code));
                code.effect(Op::AtomicStore, vec![pointer, scope, order, value]);
            });
            return zero;
        }
        let (op, rest) = match access {
            AtomicAccess::Update(op @ (AtomicOp::Add | AtomicOp::Sub), value) if self.is_one(*value) => {
                let is_sum = *op == AtomicOp::Add;
                (if is_sum { Op::AtomicIIncrement } else { Op::AtomicIDecrement }, Vec::new())
            }
            AtomicAccess::Update(op, value) => (opcode(*op, scalar), vec![Operand::IdRef(self.id(*value))]),
            AtomicAccess::CompareExchange { expected, new, failure } => {
                let failure = self.semantics(*failure);
                let [new, expected] = [new, expected].map(|value| Operand::IdRef(self.id(*value)));
                (Op::AtomicCompareExchange, vec![failure, new, expected])
            }
            _ => (Op::AtomicLoad, Vec::new()),
        };
        self.code.guarded_value(&address.guards, value_type, zero, |code| {
            let pointer = Operand::IdRef(address.emit(code));
            let operands = [pointer, scope, order].into_iter().chain(rest).collect();
            code.compute_with(op, value_type, operands)
        })
    }

    /// Emits a fence.
    pub(super) fn order(&mut self, scope: Scope, order: MemoryOrder) {
        let operands = vec![self.memory_scope(scope), self.semantics(order)];
        self.code.effect(Op::MemoryBarrier, operands);
    }

    /// Returns whether a value is the integer one, for which Intel's compiler has shorter messages that it does not find by itself.
    fn is_one(&self, value: Handle<Value>) -> bool {
        let Value { ty, op, .. } = &self.ir.values[value];
        matches!(op, IrOp::Constant(1)) && !self.numeric_of(*ty).scalar.is_float()
    }

    pub(super) fn memory_scope(&mut self, scope: Scope) -> Operand {
        let scope = match scope {
            Scope::Subgroup => spirv::Scope::Subgroup,
            Scope::WorkGroup => spirv::Scope::Workgroup,
            Scope::Device => spirv::Scope::Device,
            Scope::AllDevices => spirv::Scope::CrossDevice,
        };
        Operand::IdScope(self.code.module.int_constant(32, scope as u64))
    }

    fn semantics(&mut self, order: MemoryOrder) -> Operand {
        let order = match order {
            MemoryOrder::Relaxed => MemorySemantics::RELAXED,
            MemoryOrder::Acquire => MemorySemantics::ACQUIRE,
            MemoryOrder::Release => MemorySemantics::RELEASE,
            MemoryOrder::AcquireRelease => MemorySemantics::ACQUIRE_RELEASE,
            MemoryOrder::SequentiallyConsistent => MemorySemantics::SEQUENTIALLY_CONSISTENT,
        };
        let memory = match order {
            MemorySemantics::RELAXED => MemorySemantics::RELAXED,
            _ => MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::CROSS_WORKGROUP_MEMORY,
        };
        Operand::IdMemorySemantics(self.code.module.int_constant(32, u64::from((order | memory).bits())))
    }
}

/// The instruction that does something to a number of a type.
fn opcode(op: AtomicOp, scalar: Scalar) -> Op {
    match op {
        AtomicOp::Exchange => Op::AtomicExchange,
        AtomicOp::Add if scalar.is_float() => Op::AtomicFAddEXT,
        AtomicOp::Min if scalar.is_float() => Op::AtomicFMinEXT,
        AtomicOp::Max if scalar.is_float() => Op::AtomicFMaxEXT,
        AtomicOp::Add => Op::AtomicIAdd,
        AtomicOp::Sub => Op::AtomicISub,
        AtomicOp::Min if scalar.is_signed() => Op::AtomicSMin,
        AtomicOp::Max if scalar.is_signed() => Op::AtomicSMax,
        AtomicOp::Min => Op::AtomicUMin,
        AtomicOp::Max => Op::AtomicUMax,
        AtomicOp::And => Op::AtomicAnd,
        AtomicOp::Or => Op::AtomicOr,
        AtomicOp::Xor => Op::AtomicXor,
    }
}
