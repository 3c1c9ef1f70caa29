//! Block reads and writes of buffers (`SPV_INTEL_subgroups`): the lanes access neighbouring scalars, each one of its own.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::{BuiltIn, ConvertOp, Inst, IntOp, Kind, Preset, Site, Space, Value};
use spirv::StorageClass;

impl Lowering<'_, '_> {
    /// OpSubgroupBlockReadINTEL and OpSubgroupBlockWriteINTEL.
    pub(super) fn block_access(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (pointer_type, pointer) = self.values(inst, 0)?;
        let is_read = inst.op == Op::SubgroupBlockReadINTEL;
        let (data_type, stored) = match is_read {
            true => (inst.result_type, Vec::new()),
            false => self.values(inst, 1)?,
        };
        let (kind, count) = self.block_data(inst, pointer_type, data_type)?;
        let site = Site(inst.offset);
        let located = |problem| inst.error(problem);
        self.builder.effect(Inst::Converge(site)).map_err(located)?;
        let lane = self.builder.preset(Kind::I32, Preset::BuiltIn(BuiltIn::SubgroupLane));
        let lane = self.resize(&[lane], Kind::I32, Kind::I64, ConvertOp::Zext)?[0];
        let size = self.constant(Kind::I64, kind.size() as u64);
        let offset = self.emit(Kind::I64, |v| Inst::Int(IntOp::Mul, Kind::I64, v, [lane, size]))?;
        let mut address = self.address_sum(pointer[0], offset)?;
        let stride = self.constant(Kind::I64, u64::from(kind.size() * self.subgroup_size));
        let mut addresses = vec![address];
        for _ in 1..count {
            address = self.address_sum(address, stride)?;
            addresses.push(address);
        }
        let space = Space::Global;
        if !is_read {
            for (value, address) in stored.into_iter().zip(addresses) {
                self.builder.effect(Inst::Store { kind, space, value, address, site }).map_err(located)?;
            }
            return Ok(());
        }
        let mut values = Vec::with_capacity(count);
        for address in addresses {
            values.push(self.emit(kind, |result| Inst::Load { kind, space, result, address, site })?);
        }
        self.define(inst, values)
    }

    /// The kind and number of the scalars of each lane, which the environment takes.
    fn block_data(&self, inst: &Instruction<'_>, pointer: Id, data: Id) -> Result<(Kind, usize), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (class, pointee) = self.module.types.pointer(pointer).map_err(located)?;
        if class != StorageClass::CrossWorkgroup {
            return Err(inst.error(Problem::Environment("block accesses are to CrossWorkgroup memory")));
        }
        let (kind, count) = self.module.types.components(data).map_err(located)?;
        if self.module.types.scalar(pointee).map_err(located)? != kind {
            return Err(inst.error(Problem::TypeMismatch("the block and what the pointer points to")));
        }
        if !matches!(kind, Kind::I16 | Kind::I32) || !matches!(count, 1 | 2 | 4 | 8) {
            let problem = "block accesses are of 1, 2, 4 or 8 integers of 16 or 32 bits";
            return Err(inst.error(Problem::Environment(problem)));
        }
        Ok((kind, count))
    }

    fn address_sum(&mut self, address: Value, offset: Value) -> Result<Value, LoadError> {
        self.emit(Kind::I64, |v| Inst::Int(IntOp::Add, Kind::I64, v, [address, offset]))
    }
}
