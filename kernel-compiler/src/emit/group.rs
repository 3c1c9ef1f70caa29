//! What the work-items of a group do together.

use super::ModuleEmitter;
use super::kernel::KernelEmitter;
use crate::ir::{Collective, Combine, Extent, Group, Handle, Numeric, Query, Type, Value};
use kernel_core::Scalar;
use rspirv::dr::Operand;
use rspirv::spirv::{GroupOperation, Op, Scope, Word};

impl ModuleEmitter<'_> {
    /// A group as a scope of execution or of memory.
    pub(super) fn scope(&mut self, group: Group) -> Word {
        let scope = match group {
            Group::WorkGroup => Scope::Workgroup,
            Group::Subgroup => Scope::Subgroup,
        };
        self.int_constant(32, scope as u64)
    }
}

/// The instruction that combines numbers of a type.
fn instruction(combine: Combine, scalar: Scalar) -> Op {
    match combine {
        Combine::Min if scalar.is_float() => Op::GroupFMin,
        Combine::Min if scalar.is_signed() => Op::GroupSMin,
        Combine::Min => Op::GroupUMin,
        Combine::Max if scalar.is_float() => Op::GroupFMax,
        Combine::Max if scalar.is_signed() => Op::GroupSMax,
        Combine::Max => Op::GroupUMax,
        // Of the others there are only sums after lowering.
        _ if scalar.is_float() => Op::GroupFAdd,
        _ => Op::GroupIAdd,
    }
}

impl KernelEmitter<'_, '_> {
    pub(super) fn collective(
        &mut self,
        group: Group,
        collective: Collective,
        operands: &[Handle<Value>],
        ty: Handle<Type>,
    ) -> Word {
        let scope = Operand::IdScope(self.code.module.scope(group));
        let (result, first) = (self.code.module.value_type(ty), self.id(operands[0]));
        let x = Operand::IdRef(first);
        match collective {
            Collective::All => self.code.compute_with(Op::GroupAll, result, vec![scope, x]),
            Collective::Any => self.code.compute_with(Op::GroupAny, result, vec![scope, x]),
            Collective::Broadcast => {
                let id = match group {
                    Group::WorkGroup => self.place_in_group(operands[1]),
                    Group::Subgroup => self.low_half(operands[1]),
                };
                self.code.compute_with(Op::GroupBroadcast, result, vec![scope, x, Operand::IdRef(id)])
            }
            Collective::Shuffle => {
                let id = self.low_half(operands[1]);
                self.code.compute(Op::SubgroupShuffleINTEL, result, &[first, id])
            }
            Collective::Fold(combine, extent) => {
                let operation = match extent {
                    Extent::All => GroupOperation::Reduce,
                    Extent::Inclusive => GroupOperation::InclusiveScan,
                    Extent::Exclusive => GroupOperation::ExclusiveScan,
                };
                let op = instruction(combine, self.numeric_of(ty).scalar);
                self.code.compute_with(op, result, vec![scope, Operand::GroupOperation(operation), x])
            }
        }
    }

    /// The local id of the work-item with a number: in each dimension that there is, since Intel's compilers want one or three.
    fn place_in_group(&mut self, number: Handle<Value>) -> Word {
        let number = self.id(number);
        if self.ir.rank() == 1 {
            return number;
        }
        let long = self.code.module.int(64);
        let [width, height] = [0, 1].map(|dimension| self.local_size(dimension));
        let x = self.code.compute(Op::UMod, long, &[number, width]);
        let rows = self.code.compute(Op::UDiv, long, &[number, width]);
        let y = self.code.compute(Op::UMod, long, &[rows, height]);
        let z = self.code.compute(Op::UDiv, long, &[rows, height]);
        // LLVM's translator takes an OpCompositeConstruct of constants only.
        let ty = Numeric { scalar: Scalar::Usize, lanes: 3 };
        let zero = self.code.module.splat_constant(ty, 0);
        let place = (0..).zip([x, y, z]);
        place.fold(zero, |vector, (lane, id)| self.code.insert(ty, vector, id, lane))
    }

    fn local_size(&mut self, dimension: u8) -> Word {
        self.vector_query(Query::LocalSize, dimension)
    }
}
