//! The time, for kernels: SPV_KHR_shader_clock.

use super::Lowering;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{ConvertOp, Inst, IntOp, Kind};
use spirv::Scope;

impl Lowering<'_, '_> {
    /// OpReadClockKHR: the device's clock, as a number of 64 bits or as two of 32, the lower one first. All scopes have the same.
    pub(super) fn read_clock(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let scope = self.constant_operand(inst, 0)?;
        let known = [Scope::Device, Scope::Workgroup, Scope::Subgroup];
        if !known.iter().any(|known| *known as u64 == scope) {
            return Err(inst.error(Problem::Unsupported("a clock of this scope")));
        }
        let time = self.emit(Kind::I64, Inst::Clock)?;
        match self.result_components(inst)? {
            (Kind::I64, 1) => self.define(inst, vec![time]),
            (Kind::I32, 2) => {
                let half = self.constant(Kind::I64, 32);
                let upper = self.long(IntOp::LShr, time, half)?;
                let halves = self.resize(&[time, upper], Kind::I64, Kind::I32, ConvertOp::Zext)?;
                self.define(inst, halves)
            }
            _ => Err(inst.error(Problem::TypeMismatch("a clock has 64 bits"))),
        }
    }
}
