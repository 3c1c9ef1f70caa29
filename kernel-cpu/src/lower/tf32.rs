//! Floats of 32 bits of whose fraction ten bits are used (TF32): SPV_INTEL_tensor_float32_conversion.

use super::Lowering;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::inst::FloatClass;
use crate::program::{Inst, IntOp, Kind, Value};

impl Lowering<'_, '_> {
    /// OpRoundFToTF32INTEL.
    pub(super) fn round_to_tf32(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, values) = self.components(inst, 0)?;
        if kind != Kind::F32 {
            return Err(inst.error(Problem::TypeMismatch("what is rounded to TF32 has 32 bits")));
        }
        let values = values.into_iter().map(|x| self.rounded_to_tf32(x)).collect::<Result<_, _>>()?;
        self.define(inst, values)
    }

    /// The nearest one, of two that with the larger magnitude: the fourteenth bit from the right goes up if the thirteenth is set.
    pub(super) fn rounded_to_tf32(&mut self, x: Value) -> Result<Value, LoadError> {
        let [half, kept, quiet] =
            [0x1000, !0x1fff_u32, 0x40_0000].map(|bits| self.constant(Kind::I32, bits.into()));
        let rounded = self.integer(IntOp::Add, x, half)?;
        let nan = self.integer(IntOp::Or, x, quiet)?;
        let test = FloatClass::Nan;
        let is_nan = self.emit(Kind::Bool, |result| Inst::Classify { test, kind: Kind::F32, result, x })?;
        let bits = self.emit(Kind::I32, |v| Inst::Select(Kind::I32, v, is_nan, [nan, rounded]))?;
        self.emit(Kind::F32, |v| Inst::Int(IntOp::And, Kind::I32, v, [bits, kept]))
    }
}
